"""What a topic's configs may not say together, once each of them is right by itself.

They are judged with what the controller's file says where the topic does not override it. Dynamic configs of brokers do
not count, as in Kafka.

Source: Kafka ``LogConfig.validate``; KIP-405, KIP-950.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from kraftpy.config_keys.types import list_of
from kraftpy.controller.topic_configs import effective_value
from kraftpy.controller.topic_requests import ConfigLayers

AS_RETENTION: Final = -2
"""The value of ``local.retention.*`` that stands for that of ``retention.*``."""

UNLIMITED: Final = -1


class TopicConfigRules(NamedTuple):
    """What holds for all topics.

    Attributes:
        static: what the controller's file sets of what topics may override, by the broker's key.
        remote_storage: whether brokers have tiered storage (``remote.log.storage.system.enable``).
    """

    static: Mapping[str, str]
    remote_storage: bool

    def check(self, existing: Mapping[str, str], proposed: Mapping[str, str]) -> None:
        """Judge a topic's configs, each of which is right by itself.

        Args:
            existing: the overrides in force.
            proposed: the overrides as they would be.

        Raises:
            ValueError: the message names the keys and the way out.
        """
        topic = _Topic(proposed, ConfigLayers(static=self.static))
        lag_min, lag_max = topic.number("min.compaction.lag.ms"), topic.number("max.compaction.lag.ms")
        if lag_min > lag_max:
            raise ValueError(
                f"conflict topic config setting min.compaction.lag.ms ({lag_min}) > max.compaction.lag.ms ({lag_max})"
            )
        if topic.flag("remote.storage.enable"):
            self._check_remote_storage(topic)
        elif _is_true(existing.get("remote.storage.enable")) and not topic.flag("remote.log.delete.on.disable"):
            raise ValueError(
                "It is invalid to disable remote storage without deleting remote data. If you want to keep the remote "
                "data and turn to read only, please set `remote.storage.enable=true,remote.log.copy.disable=true`. If "
                "you want to disable remote storage and delete all remote data, please set "
                "`remote.storage.enable=false,remote.log.delete.on.disable=true`."
            )

    def _check_remote_storage(self, topic: _Topic) -> None:
        if not self.remote_storage:
            raise ValueError(
                "Tiered Storage functionality is disabled in the broker. Topic cannot be configured with remote log "
                "storage."
            )
        if not topic.items("cleanup.policy") <= {"delete"}:
            raise ValueError(
                "Remote log storage only supports topics with cleanup.policy=delete or cleanup.policy being an empty "
                "list."
            )
        for unit in ("bytes", "ms"):
            _check_local_retention(topic, unit)
        if topic.flag("remote.log.copy.disable"):
            for unit in ("bytes", "ms"):
                local = topic.number(f"local.retention.{unit}")
                if local not in (AS_RETENTION, topic.number(f"retention.{unit}")):
                    raise ValueError(
                        f"When `remote.log.copy.disable` is set to true, the `local.retention.{unit}` and "
                        f"`retention.{unit}` must be set to the identical value because there will be no more logs "
                        "copied to the remote storage."
                    )


class _Topic(NamedTuple):
    """A topic's configs as they would be."""

    overrides: Mapping[str, str]
    layers: ConfigLayers

    def _text(self, name: str) -> str:
        return effective_value(name, self.overrides, self.layers).value or ""

    def number(self, name: str) -> int:
        return int(self._text(name))

    def flag(self, name: str) -> bool:
        return _is_true(self._text(name))

    def items(self, name: str) -> set[str]:
        return set(list_of(self._text(name)))


def _check_local_retention(topic: _Topic, unit: str) -> None:
    """What a broker keeps is a part of what there is at all."""
    key = f"local.retention.{unit}"
    retention, local = topic.number(f"retention.{unit}"), topic.number(key)
    if retention <= UNLIMITED or local == AS_RETENTION:
        return
    if local == UNLIMITED:
        problem = f"Value must not be -1 as retention.{unit} value is set as {retention}."
    elif local > retention:
        problem = f"Value must not be more than retention.{unit} property value: {retention}"
    else:
        return
    raise ValueError(f"Invalid value {local} for configuration {key}: {problem}")


def _is_true(text: str | None) -> bool:
    return (text or "").strip().lower() == "true"
