"""The same work in other shapes: configs of other kinds, keys, lengths and alphabets, each of a resource of its own.

Each write makes one ConfigRecord, whatever its shape. What one costs may differ by what the rules of its kind ask for,
such as the bounds of a group or what holds between the keys of a topic, and by nothing else. A path for one kind, key,
length or alphabet shows as a shape that takes less than the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from bench.brokers import FIRST_ID
from bench.mixed import STEP, OneWrite
from bench.writes import COUNTER_DIGITS, KEY, name_of, value_of
from kraftpy.model.resource_types import ResourceType

BROKERS: Final = 128
"""As many as a request names, so that none is named twice in it."""
VALUE_BYTES: Final = 100
NAME_FILL_MAX: Final = 18
GREEK: Final = str.maketrans("0123456789-abcdefghijklmnopqrstuvwxyz", "αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝ")
"""Letters of two bytes in place of those of one."""

WriteOf = Callable[[int, int], OneWrite]
"""Returns the write of an index, with the value of a serial number; another one than that of the number before."""


class Shape(NamedTuple):
    """A shape of writes, by the name that tables have for it."""

    name: str
    write: WriteOf


def _text(_: int, serial: int) -> str:
    return value_of(serial, VALUE_BYTES)


def _number(low: int, high: int) -> Callable[[int, int], str]:
    return lambda index, serial: str(low + (index + serial * STEP) % (high - low + 1))


def _of(kind: ResourceType, key: str, value: Callable[[int, int], str]) -> WriteOf:
    name = _broker_name if kind is ResourceType.BROKER else name_of
    return lambda index, serial: OneWrite(kind, name(index), key, value(index, serial))


def _broker_name(index: int) -> str:
    return str(FIRST_ID + index % BROKERS)


def _of_other_lengths(index: int, serial: int) -> OneWrite:
    """Return names and values that are as long as the others on average: from none of that to twice."""
    spread = index * STEP % (VALUE_BYTES - COUNTER_DIGITS)
    name = f"{index:x}." + "n" * (index * STEP % NAME_FILL_MAX)
    value = value_of(serial, VALUE_BYTES + (spread if index % 2 else -spread))
    return OneWrite(ResourceType.CLIENT_METRICS, name, KEY, value)


def _in_greek(index: int, serial: int) -> OneWrite:
    """Return names and values of as many bytes together, in half as many letters."""
    name = name_of(index).translate(GREEK)
    value = value_of(serial, (VALUE_BYTES - len(name) + 1) // 2).translate(GREEK)
    return OneWrite(ResourceType.CLIENT_METRICS, name, KEY, value)


SHAPES: Final = (
    Shape("client metrics", _of(ResourceType.CLIENT_METRICS, KEY, _text)),
    Shape("client metrics, other lengths", _of_other_lengths),
    Shape("client metrics, Greek", _in_greek),
    Shape("client metrics, a number", _of(ResourceType.CLIENT_METRICS, "interval.ms", _number(100, 3_600_000))),
    Shape("groups", _of(ResourceType.GROUP, "consumer.session.timeout.ms", _number(45_000, 60_000))),
    Shape("groups, another key", _of(ResourceType.GROUP, "share.record.lock.duration.ms", _number(15_000, 60_000))),
    Shape("topics", _of(ResourceType.TOPIC, "retention.ms", _number(60_000, 600_000_000))),
    Shape("topics, another key", _of(ResourceType.TOPIC, "segment.bytes", _number(1_048_576, 1_073_741_824))),
    Shape("brokers", _of(ResourceType.BROKER, "log.cleaner.backoff.ms", _number(1_000, 90_000))),
    Shape("brokers, a text", _of(ResourceType.BROKER, "bench.text", _text)),
)
