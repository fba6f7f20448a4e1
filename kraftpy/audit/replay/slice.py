"""What all kinds of state have in common: the record behind each value, comparison, and rows for the tables."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from kraftpy.audit.redaction import REDACTED
from kraftpy.model.ids import uuid_to_text

EntityKey: TypeAlias = tuple[str, str]
"""(kind, name) of an entity, such as ``("topic", "orders")``."""


class RecordPosition(NamedTuple):
    """The position of a record: the evidence for what it changed."""

    file: str
    offset: int


class Held(NamedTuple):
    """A value, and the record that set it last."""

    value: Any
    place: RecordPosition


class IllegalRecordError(Exception):
    """A record contradicts the state before it: no correct controller wrote it. Replay continues without it.

    Attributes:
        problem: the name under which it is reported.
    """

    def __init__(self, detail: str, problem: str = "refused") -> None:
        super().__init__(detail)
        self.problem = problem


class Slice(ABC):
    """One kind of state in one shard.

    Attributes:
        TAKES: the record classes that :meth:`replay` knows.
    """

    TAKES: ClassVar[frozenset[type]]

    @abstractmethod
    def replay(self, record: Any, place: RecordPosition) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Apply one record; yield (table, values after ``file``) of history tables.

        Raises:
            IllegalRecordError: when the record contradicts the state.
        """

    @abstractmethod
    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the entities. Values of equal entities are equal, however they came about."""

    @abstractmethod
    def rows(self) -> Iterator[tuple[str, RecordPosition, tuple[Any, ...]]]:
        """Iterate over (table, evidence, values after ``file``) of the tables of the state."""

    def shown(self, key: EntityKey, value: Any, salt: bytes) -> str:
        """Write an entity's value as JSON, secrets redacted."""
        del key, salt
        return as_json(value)


_ENCODE: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def as_json(value: Any) -> str:
    """Write a value as compact JSON; a named tuple becomes an object, other tuples become lists."""
    return _ENCODE(value._asdict() if hasattr(value, "_asdict") else value)


@lru_cache(maxsize=65_536)
def uuid_text(uuid: bytes) -> str:
    """Write a uuid as Kafka does; cached, because the same directories and topics repeat."""
    return uuid_to_text(uuid)


def redacted(secret: bytes, salt: bytes) -> str:
    """Return the replacement of a secret; with a salt, different secrets look different within one audit."""
    if not salt:
        return REDACTED
    return f"{REDACTED[:-1]} {blake2b(secret, key=salt[:64], digest_size=4).hexdigest()}]"


NEVER: Final = RecordPosition("", -1)
"""The evidence for what no record set."""
