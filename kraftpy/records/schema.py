"""Schemas: what a message looks like in each of its versions.

They are written as JSON files in ``proto/kafka``, in Kafka's own form, and ``python -m proto.generate`` makes of them
both the codecs and the modules that :func:`load` reads. A field without a default has its type's own: 0, false, empty,
and null for nothing but ``records``. Ignorable fields are dropped by versions that lack them; all others are refused.
Plain fields keep the old encoding of lengths in flexible versions.

The JSON form of a record reads schemas, and so does an error that has to name a field; the path that codes records
does not.

Source: Kafka message schemas; KIP-482.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final

OPEN_END: Final = 32767
"""The upper end of ``2+``: the highest version number there can be."""

FAMILIES: Final = ("metadata", "control", "rpc")


@dataclass(frozen=True, slots=True)
class Versions:
    """A closed range of message versions."""

    low: int
    high: int

    @classmethod
    def parse(cls, text: str) -> Versions:
        """Read ``3``, ``1-4`` or ``2+``."""
        if text.endswith("+"):
            return cls(int(text[:-1]), OPEN_END)
        low, _, high = text.partition("-")
        return cls(int(low), int(high or low))

    def __contains__(self, version: int) -> bool:
        return self.low <= version <= self.high


ALL_VERSIONS: Final = Versions(0, OPEN_END)


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a struct.

    Attributes:
        name: Kafka's name, such as ``BrokerId``.
        kind: the type without ``[]`` and ``?``: a primitive's name, or the name of ``struct``.
        default: ``null``, ``true`` or a number in decimal; ``None`` for the type's own.
    """

    name: str
    kind: str
    is_array: bool = False
    is_nullable: bool = False
    versions: Versions = ALL_VERSIONS
    tag: int | None = None
    default: str | None = None
    is_ignorable: bool = False
    is_plain: bool = False
    struct: Struct | None = None

    @property
    def attribute(self) -> str:
        """The Python name: ``broker_id``."""
        return snake_case(self.name)

    @property
    def text_name(self) -> str:
        """The name in JSON texts: ``brokerId``."""
        return self.name[0].lower() + self.name[1:]


@dataclass(frozen=True, slots=True)
class Struct:
    """A named sequence of fields. The message itself is one, too."""

    name: str
    class_name: str
    fields: tuple[Field, ...]

    def fields_in(self, version: int) -> Iterator[Field]:
        """Iterate over the fields that a version has, in declaration order."""
        return (field for field in self.fields if version in field.versions)


@dataclass(frozen=True, slots=True)
class MessageSpec:
    """A message: its root struct, and what holds for all of it. ``structs`` lists inner ones first, the root last."""

    api_key: int | None
    name: str
    versions: Versions
    flexible: Versions
    structs: tuple[Struct, ...]

    @property
    def root(self) -> Struct:
        """The struct that is the message."""
        return self.structs[-1]

    @property
    def is_header(self) -> bool:
        """Whether another message follows in the same bytes, so that its decoder also says where it ends."""
        return self.name.endswith("Header")

    def version_numbers(self) -> range:
        """Return every version there is, ascending."""
        return range(self.versions.low, self.versions.high + 1)


def snake_case(name: str) -> str:
    """Turn Kafka's ``KRaftVersion`` into ``kraft_version``."""
    name = name.replace("KRaft", "Kraft")
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


@cache
def load(family: str) -> tuple[MessageSpec, ...]:
    """Return the messages of ``metadata``, ``control`` or ``rpc``."""
    messages: tuple[MessageSpec, ...] = import_module(f"kraftpy.records.generated.{family}_schema").MESSAGES
    return messages


@cache
def structs_by_class() -> dict[str, Struct]:
    """Return every struct of every family by the name of its generated class."""
    return {struct.class_name: struct for family in FAMILIES for message in load(family) for struct in message.structs}
