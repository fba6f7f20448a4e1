"""The keys of groups, and the bounds that a cluster sets to them.

A value is judged twice, as in Kafka: by its key, then by bounds that brokers could configure (``group.consumer.min.``,
``group.share.max.`` and so on). Kafka's controllers take these bounds from their own file; here they are Kafka's
defaults.

Source: Kafka ``GroupConfig``, ``GroupCoordinatorConfig``, ``ShareGroupConfig``; KIP-848, KIP-932, KIP-1071.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

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


class _Bounds(NamedTuple):
    """What the cluster allows of a key: numbers from ``low`` to ``high``, both inclusive."""

    key: str
    low: int
    high: int
    high_name: str = ""


_BOUNDS: Final = (
    _Bounds("consumer.heartbeat.interval.ms", 5_000, 15_000),
    _Bounds("consumer.session.timeout.ms", 45_000, 60_000),
    _Bounds("consumer.assignment.interval.ms", 0, 15_000),
    _Bounds("share.heartbeat.interval.ms", 5_000, 15_000),
    _Bounds("share.session.timeout.ms", 45_000, 60_000),
    _Bounds("share.record.lock.duration.ms", 15_000, 60_000),
    _Bounds("share.delivery.count.limit", 2, 10),
    _Bounds("share.partition.max.record.locks", 100, 4_000),
    _Bounds("share.assignment.interval.ms", 0, 15_000),
    _Bounds("streams.heartbeat.interval.ms", 5_000, 15_000),
    _Bounds("streams.session.timeout.ms", 45_000, 60_000),
    _Bounds("streams.num.standby.replicas", 0, 2, "group.streams.max.standby.replicas"),
    _Bounds("streams.assignment.interval.ms", 0, 15_000),
)
"""In the order in which Kafka judges them."""


def check_bounds(values: Mapping[str, str | None]) -> None:
    """Judge values that are right by their keys; ``None`` is none.

    Raises:
        ValueError: the message names the key and the bound.
    """
    for bounds in _BOUNDS:
        text = values.get(bounds.key)
        if text is None:
            continue
        kind, _, rest = bounds.key.partition(".")
        number = int(text)
        if number < bounds.low:
            raise ValueError(
                f"{bounds.key} must be greater than or equal to group.{kind}.min.{rest}: {number} is below {bounds.low}"
            )
        if number > bounds.high:
            name = bounds.high_name or f"group.{kind}.max.{rest}"
            raise ValueError(f"{bounds.key} must be less than or equal to {name}: {number} is above {bounds.high}")
