"""What every kind of state has in common: a place for each value, a way to compare, and rows for the tables."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from kraftpy.audit.redaction import REDACTED

EntityKey: TypeAlias = tuple[str, str]
"""(kind, name) of an entity, such as ``("topic", "orders")``."""


class Place(NamedTuple):
    """Where a record stands: the witness of what it changed."""

    file: str
    offset: int


class Held(NamedTuple):
    """A value, and the record that made it what it is."""

    value: Any
    place: Place


class RefusedError(Exception):
    """A record contradicts the state before it: no correct controller wrote it. Replay goes on without it.

    Attributes:
        problem: the name under which it is told.
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
    def replay(self, record: Any, place: Place) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Change the state by one record; yield (table, values after ``file``) of what must be told of the history.

        Raises:
            RefusedError: when the record contradicts the state.
        """

    @abstractmethod
    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over what there is. Values of equal entities are equal, whatever way they came about."""

    @abstractmethod
    def rows(self) -> Iterator[tuple[str, Place, tuple[Any, ...]]]:
        """Iterate over (table, witness, values after ``file``) of the tables of the state."""

    def shown(self, key: EntityKey, value: Any, salt: bytes) -> str:
        """Write an entity's value as JSON, secrets redacted."""
        del key, salt
        return as_json(value)


def as_json(value: Any) -> str:
    """Write a value as compact JSON; named tuples become objects."""
    return json.dumps(_plain(value), separators=(",", ":"), ensure_ascii=False)


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _plain(each) for name, each in value._asdict().items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


def redacted(secret: bytes, salt: bytes) -> str:
    """Return what stands in place of a secret; with a salt, different secrets look different within one audit."""
    if not salt:
        return REDACTED
    return f"{REDACTED[:-1]} {blake2b(secret, key=salt[:64], digest_size=4).hexdigest()}]"


NEVER: Final = Place("", -1)
"""The witness of what no record said."""
