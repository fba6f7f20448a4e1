"""The keys of groups, and the bounds that a cluster sets to them.

A value is judged twice, as in Kafka: by its key, then by bounds of the controller's own file (``group.consumer.min.``,
``group.share.max.`` and so on, ``config_keys.group_keys``), which are Kafka's where it says nothing.

Source: Kafka ``GroupConfig``, ``GroupCoordinatorConfig``, ``ShareGroupConfig``; KIP-848, KIP-932, KIP-1071.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from kraftpy.config_keys.group_keys import BOUNDED_KEYS, GROUP_KINDS, BoundedKey
from kraftpy.config_keys.rules import Check, at_least, one_of
from kraftpy.config_keys.types import LONG_MAX, ConfigKey, ConfigType, Value, ValueRule, table

_DURATION: Final = re.compile(
    r"(?P<sign>[-+]?)P(?:(?P<D>[-+]?[0-9]+)D)?"
    r"(?:T(?=[-+0-9])(?:(?P<H>[-+]?[0-9]+)H)?(?:(?P<M>[-+]?[0-9]+)M)?(?:(?P<S>[-+]?[0-9]+)(?:[.,][0-9]{0,9})?S)?)?",
    re.ASCII | re.IGNORECASE,
)
"""An ISO 8601 duration as Java's ``Duration.parse`` reads it."""

_UNIT_SECONDS: Final = {"D": 86_400, "H": 3_600, "M": 60, "S": 1}
_DURATION_CHARACTERS_MAX: Final = 100
_BY_DURATION: Final = "by_duration:"


def _offset_reset(value: Value) -> str | None:
    """Allow ``earliest``, ``latest``, and a duration that is not negative."""
    if value in ("earliest", "latest"):
        return None
    text = str(value)
    if text.startswith(_BY_DURATION) and _is_duration(text.removeprefix(_BY_DURATION)):
        return None
    return (
        f"Invalid value `{text}` for configuration share.auto.offset.reset. The value must be either 'earliest', "
        "'latest' or of the format 'by_duration:<PnDTnHnMn.nS>'."
    )


def _is_duration(text: str) -> bool:
    """Return whether a text is a duration of 0 or more seconds that fits 64 bits."""
    found = _DURATION.fullmatch(text) if len(text) <= _DURATION_CHARACTERS_MAX else None
    if found is None or not any(found[unit] for unit in _UNIT_SECONDS):
        return False
    seconds = sum(int(found[unit] or 0) * length for unit, length in _UNIT_SECONDS.items())
    if found["S"] and found["S"].startswith("-") and seconds == 0:
        # A fraction behind minus zero seconds is below zero.
        return not re.search(r"[.,]0*[1-9]", text)
    return 0 <= (-seconds if found["sign"] == "-" else seconds) <= LONG_MAX


def _whole_number(name: str, default: int, rule: ValueRule) -> ConfigKey:
    return ConfigKey(name, ConfigType.INT, str(default), rule)


GROUP_KEYS: Final = table(
    _whole_number("consumer.session.timeout.ms", 45_000, at_least(1)),
    _whole_number("consumer.heartbeat.interval.ms", 5_000, at_least(1)),
    _whole_number("consumer.assignment.interval.ms", 1_000, at_least(0)),
    _whole_number("share.session.timeout.ms", 45_000, at_least(1)),
    _whole_number("share.heartbeat.interval.ms", 5_000, at_least(1)),
    _whole_number("share.record.lock.duration.ms", 30_000, at_least(1_000)),
    _whole_number("share.delivery.count.limit", 5, at_least(2)),
    _whole_number("share.partition.max.record.locks", 2_000, at_least(100)),
    ConfigKey(
        "share.auto.offset.reset",
        ConfigType.STRING,
        "latest",
        Check("latest, earliest, by_duration:PnDTnHnMn.nS", _offset_reset),
    ),
    ConfigKey(
        "share.isolation.level",
        ConfigType.STRING,
        "read_uncommitted",
        one_of("read_committed", "read_uncommitted"),
    ),
    ConfigKey("share.renew.acknowledge.enable", ConfigType.BOOLEAN, "true"),
    _whole_number("share.assignment.interval.ms", 1_000, at_least(0)),
    _whole_number("streams.session.timeout.ms", 45_000, at_least(1)),
    _whole_number("streams.heartbeat.interval.ms", 5_000, at_least(1)),
    _whole_number("streams.num.standby.replicas", 0, at_least(0)),
    _whole_number("streams.initial.rebalance.delay.ms", 3_000, at_least(0)),
    _whole_number("streams.assignment.interval.ms", 1_000, at_least(0)),
)
"""In the order in which Kafka 4.3 defines them, which is the order in which it judges them."""


GROUP_KEYS_OF_NO_BROKER: Final = frozenset(
    {"share.auto.offset.reset", "share.isolation.level", "share.renew.acknowledge.enable"}
)
"""Keys of a group whose defaults are no brokers' keys."""


_BOUNDED: Final = {key.name: key for key in BOUNDED_KEYS}
_SESSIONS: Final = tuple(
    (_BOUNDED[f"{kind}.session.timeout.ms"], _BOUNDED[f"{kind}.heartbeat.interval.ms"]) for kind in GROUP_KINDS
)
"""The timeouts of sessions, and the intervals of heartbeats that they have to be greater than."""


def check_bounds(values: Mapping[str, str | None], numbers: Mapping[str, int]) -> None:
    """Judge a group's configs, right by their keys, by the cluster's bounds and by each other.

    Args:
        values: what the group is to have; ``None`` is none.
        numbers: the bounds and the defaults, by the nodes' keys (``ControllerConfig.group_numbers``).

    Raises:
        ValueError: the message names the key and the bound.
    """
    for bounded in BOUNDED_KEYS:
        text = values.get(bounded.name)
        if text is None:
            continue
        number = int(text)
        if bounded.low is not None and number < numbers[bounded.low]:
            raise ValueError(
                f"{bounded.name} must be greater than or equal to {bounded.low}: {number} is below "
                f"{numbers[bounded.low]}"
            )
        if number > numbers[bounded.high]:
            raise ValueError(
                f"{bounded.name} must be less than or equal to {bounded.high}: {number} is above "
                f"{numbers[bounded.high]}"
            )
    for session, heartbeat in _SESSIONS:
        timeout, interval = _number(values, session, numbers), _number(values, heartbeat, numbers)
        if timeout <= interval:
            raise ValueError(
                f"{session.name} must be greater than {heartbeat.name}: {timeout} is not greater than {interval}"
            )


def _number(values: Mapping[str, str | None], key: BoundedKey, numbers: Mapping[str, int]) -> int:
    text = values.get(key.name)
    return numbers[key.default] if text is None else int(text)
