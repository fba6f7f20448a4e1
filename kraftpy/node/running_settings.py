"""The values of a running node's keys that may change: from the metadata log, and from its file after SIGHUP.

A publisher: an image that another value follows from changes it before the client that set it gets its response. Which
of several values is in force is decided in :mod:`kraftpy.config_keys.followed`; the parts of the node get all values of
these keys together, in one turn of the event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

import structlog

from kraftpy.config.node_config import NodeConfig
from kraftpy.config.values import Value
from kraftpy.config_keys.followed import (
    FOLLOWED,
    OF_ONE_LISTENER,
    RELOADED,
    Unusable,
    in_force,
    listener_key,
    places,
    unusable,
)
from kraftpy.image import Manifest, MetadataDelta, MetadataImage, MetadataPublisher
from kraftpy.model.config_sources import ConfigSource
from kraftpy.node.logs import set_log_level

_log = structlog.get_logger("kraftpy.node")

LOG_LEVEL: Final = "log.level"
REASON_CHARACTERS_MAX: Final = 200
"""How much of a reason is logged: it repeats a value of the log, which may be long."""


class RunningSettings(MetadataPublisher):
    """The values in force.

    Args:
        config: what the node starts with.
        apply: called with the values of all keys when one has changed, and once with the first image.

    Attributes:
        values: of all keys: those that may change as they are in force, the others as the node started with them. Of
            the keys of one of its listeners those alone that the log sets.
    """

    name = "settings"

    def __init__(self, config: NodeConfig, apply: Callable[[Mapping[str, Value]], None]) -> None:
        self._node_id = config.node_id
        listeners = (*config.controller_listeners, *config.broker_listeners)
        self._of_listeners = frozenset(listener_key(one.name, key) for one in listeners for key in OF_ONE_LISTENER)
        self._followed = FOLLOWED | self._of_listeners
        self._apply = apply
        self._file = config
        self._in_file = config.followed_settings
        self._in_log = places({}, {})
        self._not_followed: frozenset[Unusable] = frozenset()
        self._has_image = False
        self.values: Mapping[str, Value] = config.values

    @property
    def in_file(self) -> Mapping[str, str]:
        """What the file sets of the keys that are followed in the log, as text."""
        return self._in_file

    def source(self, key: str) -> ConfigSource:
        """Return where the value of a key is from, as far as the log decides it; else STATIC_BROKER_CONFIG."""
        found = in_force(key, self._in_log) if key in self._followed else None
        return ConfigSource.STATIC_BROKER_CONFIG if found is None else found.source

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Follow what the log sets for this node."""
        del delta, manifest
        in_log = places(image.configs.broker(self._node_id), image.configs.broker(None))
        is_first, self._has_image = not self._has_image, True
        if in_log == self._in_log and not is_first:
            return
        self._in_log = in_log
        self._report_unusable()
        self._settle(is_first=is_first)

    def follow_file(self, config: NodeConfig) -> list[str]:
        """Follow another version of the file.

        Returns:
            The keys with another value in the file whose value the log decides, ascending.
        """
        before, self._file = self._file, config
        self._in_file = config.followed_settings
        self._settle()
        changed = (key for key in sorted(FOLLOWED) if config.values[key] != before.values[key])
        return [key for key in changed if self.source(key) is not ConfigSource.STATIC_BROKER_CONFIG]

    def _report_unusable(self) -> None:
        found = tuple(unusable(self._in_log, self._followed))
        for key, source, fault in found:
            if (key, source, fault) not in self._not_followed:
                reason = fault[:REASON_CHARACTERS_MAX]
                _log.warning("setting_not_followed", key=key, source=source.name, reason=reason)
        self._not_followed = frozenset(found)

    def _settle(self, *, is_first: bool = False) -> None:
        before, values = self.values, dict(self.values)
        for key in RELOADED:
            found = in_force(key, self._in_log) if key in FOLLOWED else None
            values[key] = self._file.values[key] if found is None else found.value
        for key in self._of_listeners:
            found = in_force(key, self._in_log)
            # None: that of all listeners counts.
            values[key] = None if found is None else found.value
        changed = [key for key in sorted(RELOADED | self._of_listeners) if values.get(key) != before.get(key)]
        if not changed and not is_first:
            return
        self.values = values
        if is_first or LOG_LEVEL in changed:
            # At the first image, too: a node before it in this process may have left another level.
            set_log_level(cast("str", values[LOG_LEVEL]))
        self._apply(values)
        for key in changed:
            facts = {"key": key, "before": before.get(key), "after": values[key], "source": self.source(key).name}
            if key == LOG_LEVEL:
                # At a level that is written whatever the new one is.
                _log.error("log_level_changed", **facts)
            else:
                _log.info("setting_changed", **facts)
