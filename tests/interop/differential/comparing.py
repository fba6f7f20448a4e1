"""What differs between what two controllers did, leaf by leaf."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, partial
from itertools import groupby
from typing import Any, Final

from kraftpy.image.image import SLICES, MetadataImage
from kraftpy.records.metadata import (
    ClearElrRecord,
    ClientQuotaRecord,
    ConfigRecord,
    FeatureLevelRecord,
    PartitionChangeRecord,
    PartitionRecord,
    RemoveAccessControlEntryRecord,
    RemoveTopicRecord,
    RemoveUserScramCredentialRecord,
    UserScramCredentialRecord,
)
from tests.interop.differential.side import Observation, Record

NOT_COMPARED: Final = frozenset({"throttle_time_ms", "unknown_tags", "port", "public_api_endpoints"})
"""Fields of answers that say nothing about a decision: how long to wait, and where a controller listens; the
last field is ours, and Kafka has none."""

UNORDERED_RECORDS: Final = {
    PartitionRecord: lambda record: (record.topic_id, record.partition_id),
    PartitionChangeRecord: lambda record: (record.topic_id, record.partition_id),
    RemoveTopicRecord: lambda record: record.topic_id,
    RemoveAccessControlEntryRecord: lambda record: record.id,
    ClearElrRecord: lambda record: record.topic_name,
    RemoveUserScramCredentialRecord: lambda record: (record.name, record.mechanism),
    UserScramCredentialRecord: lambda record: (record.name, record.mechanism),
    FeatureLevelRecord: lambda record: record.name,
    ClientQuotaRecord: lambda record: (repr(record.entity), record.key),
    ConfigRecord: lambda record: (record.resource_type, record.resource_name, record.name),
}
"""Runs of records whose order is that of a hash table in Kafka, and what they are sorted by here."""

NAMING: Final = (
    "resource_type", "resource_name", "name", "topic", "topic_id", "user", "feature", "entity", "partition_index",
)  # fmt: skip
"""Fields that say what a row is about."""

SHOWN_MAX: Final = 1_500
"""How many characters of a value are shown."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One value that the controllers do not agree on.

    Attributes:
        where: the path to it, from ``answer``, ``records``, ``forms`` (the versions of records that are the same
            otherwise) or ``state`` on.
        theirs: Kafka's.
        ours: kraftpy's.
        rows: the rows of an answer that the value is in, Kafka's and ours; the outermost ones.
    """

    where: str
    theirs: Any
    ours: Any
    rows: tuple[Any, Any] | None = None

    def __str__(self) -> str:
        return f"{self.where}\n    Kafka: {_shown(self.theirs)}\n    ours:  {_shown(self.ours)}"


def mismatches(theirs: Observation, ours: Observation, images: tuple[MetadataImage, MetadataImage]) -> list[Mismatch]:
    """Compare the answers, the records and the states after them."""
    found = list(_different("answer", theirs.answer, ours.answer))
    their_records, our_records = in_order(theirs.records), in_order(ours.records)
    if [each.content for each in their_records] != [each.content for each in our_records]:
        found.append(Mismatch("records", their_records, our_records))
    elif their_records != our_records:
        found.append(Mismatch("forms", their_records, our_records))
    found += [
        Mismatch(f"state.{name}", one, other)
        for name in SLICES
        if (one := getattr(images[0], name)) != (other := getattr(images[1], name))
    ]
    return found


def in_order(records: Sequence[Record]) -> list[Record]:
    """Sort runs of records that Kafka has in no order of its own; the sort is stable."""
    found: list[Record] = []
    for kind, group in groupby(records, lambda each: type(each.content)):
        run = list(group)
        key = UNORDERED_RECORDS.get(kind)
        found += run if key is None else sorted(run, key=partial(_key, key))
    return found


def _key(key: Callable[[Any], Any], record: Record) -> Any:
    return key(record.content)


def _different(where: str, theirs: Any, ours: Any, rows: tuple[Any, Any] | None = None) -> Iterator[Mismatch]:
    if is_dataclass(theirs) and type(theirs) is type(ours):
        for each in fields(theirs):
            if each.name not in NOT_COMPARED:
                one, other = (getattr(side, each.name) for side in (theirs, ours))
                yield from _different(f"{where}.{each.name}", one, other, rows)
    elif isinstance(theirs, list) and isinstance(ours, list) and (theirs or ours) and is_dataclass((theirs or ours)[0]):
        yield from _different_rows(where, theirs, ours, rows)
    elif theirs != ours and not (isinstance(theirs, float) and math.isnan(theirs) and math.isnan(ours)):
        yield Mismatch(where, theirs, ours, rows)


def _different_rows(where: str, theirs: list[Any], ours: list[Any], rows: tuple[Any, Any] | None) -> Iterator[Mismatch]:
    """Compare rows in any order: Kafka's is mostly that of a hash table."""
    their_own, our_own = _without(theirs, ours), _without(ours, theirs)
    if len(their_own) != len(our_own):
        yield Mismatch(where, their_own, our_own, rows)
        return
    for number, (one, other) in enumerate(zip(their_own, our_own, strict=True)):
        yield from _different(f"{where}[{number}]", one, other, rows or (one, other))


def _without(rows: list[Any], others: list[Any]) -> list[Any]:
    """Return the rows that the others do not have, sorted."""
    left = list(others)
    found = []
    for row in rows:
        if row in left:
            left.remove(row)
        else:
            found.append(row)
    return sorted(found, key=_place)


def _place(row: Any) -> list[str]:
    """Return what a row is about, so that the rows of two controllers about the same are compared."""
    named = [getattr(row, name) for name in NAMING if hasattr(row, name)]
    return [repr(sorted(map(repr, each)) if isinstance(each, list) else each) for each in named] or [repr(row)]


def entries(value: Any) -> int:
    """Count the rows of an answer, on every level."""
    if isinstance(value, list):
        return sum(1 + entries(each) for each in value if is_dataclass(each))
    return sum(entries(getattr(value, name)) for name in _fields_of_rows(type(value))) if is_dataclass(value) else 0


@cache
def _fields_of_rows(cls: type[Any]) -> tuple[str, ...]:
    """Return the fields of a message that may hold rows: their default is an empty list, or none."""
    default: Any = cls()
    return tuple(each.name for each in fields(cls) if isinstance(getattr(default, each.name), list | None))


def shown(message: Any) -> str:
    """Show a message without the fields that are as they are by default."""
    if isinstance(message, list):
        return "[" + ", ".join(shown(each) for each in message) + "]"
    if isinstance(message, bytes):
        return f"0x{message.lstrip(bytes(1)).hex()}"
    if not is_dataclass(message):
        return repr(message)
    default: Any = type(message)()
    set_fields = [
        f"{each.name}={shown(value)}"
        for each in fields(message)
        if (value := getattr(message, each.name)) != getattr(default, each.name)
    ]
    return f"{type(message).__name__}({', '.join(set_fields)})"


def _shown(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], Record):
        return "".join(f"\n      {each.form} {shown(each.content)}" for each in value)
    return repr(value)[:SHOWN_MAX]
