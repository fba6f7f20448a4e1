"""The mixed workload: configs of several kinds, whose names, keys and values are of many lengths.

What a write says follows from its index (which resource, which key) and its serial number (which value), by random
numbers with :data:`SEED`: the same in every run, for every system. Of each BLOCK indexes, neighbours share resources of
one to three keys, so that a request of 128 writes names some 70 resources. The kinds are the two that exist by being
configured, in equal parts; topics would have to be created and brokers registered first, and Kafka's controllers act on
what brokers are set to. Every key has to be judged as what it is: texts, lists, numbers between limits, expressions.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

from kraftpy.model.resource_types import ResourceType

SEED: Final = 20_261_122
BLOCK: Final = 8
KEYS_MAX: Final = 3
"""Keys of one resource."""
NAME_LETTERS_MAX: Final = 48
TEXT_MEDIAN_LOG: Final = 4.5
TEXT_SPREAD_LOG: Final = 1.2
"""Texts are distributed log-normally: half of them are shorter than 90 characters, one in ten is longer than 420."""
TEXT_MAX: Final = 4_000
STEP: Final = 7_919
"""A prime by which numbers go on from one value to the next."""
_LETTERS: Final = string.ascii_letters + string.digits + ".-_"


class OneWrite(NamedTuple):
    """One key of one resource, and what it is set to."""

    kind: ResourceType
    name: str
    key: str
    value: str


def _number(low: int, high: int) -> Callable[[int, int], str]:
    return lambda index, serial: str(low + (index + serial * STEP) % (high - low + 1))


def _metrics(index: int, serial: int) -> str:
    return f"{serial}.{_text_of(index)}"


def _match(index: int, serial: int) -> str:
    return f"client_software_name=app-{index % 97}.*,client_software_version={serial}"


VALUES: Final[dict[ResourceType, dict[str, Callable[[int, int], str]]]] = {
    ResourceType.CLIENT_METRICS: {
        "metrics": _metrics,
        "interval.ms": _number(100, 3_600_000),
        "match": _match,
    },
    ResourceType.GROUP: {
        "consumer.session.timeout.ms": _number(45_000, 60_000),
        "consumer.heartbeat.interval.ms": _number(5_000, 15_000),
        "share.session.timeout.ms": _number(45_000, 60_000),
        "share.record.lock.duration.ms": _number(15_000, 60_000),
    },
}
"""By kind of resource and key: the value of an index and a serial number. Kafka and kraftpy take all of them."""


def mixed_write(index: int, serial: int) -> OneWrite:
    """Return the write of an index, with the value of a serial number; another one than that of the number before."""
    kind, name, key = _keys_of(index // BLOCK)[index % BLOCK]
    return OneWrite(kind, name, key, VALUES[kind][key](index, serial))


@lru_cache(maxsize=8_192)
def _keys_of(block: int) -> Sequence[tuple[ResourceType, str, str]]:
    """Return the resource and the key of each index of a block."""
    random = Random(f"{SEED}/block/{block}")
    found: list[tuple[ResourceType, str, str]] = []
    while len(found) < BLOCK:
        kind = random.choice((ResourceType.CLIENT_METRICS, ResourceType.GROUP))
        name = f"{block:x}.{len(found)}-" + "".join(random.choices(_LETTERS, k=random.randint(0, NAME_LETTERS_MAX)))
        count = min(random.randint(1, KEYS_MAX), BLOCK - len(found))
        found += [(kind, name, key) for key in random.sample(sorted(VALUES[kind]), count)]
    return tuple(found)


@lru_cache(maxsize=8_192)
def _text_of(index: int) -> str:
    """Return a text; one in eight is not ASCII."""
    random = Random(f"{SEED}/text/{index}")
    size = min(TEXT_MAX, int(random.lognormvariate(TEXT_MEDIAN_LOG, TEXT_SPREAD_LOG)))
    return "".join(random.choices(_LETTERS if random.randrange(8) else "äéßλ☃", k=size))
