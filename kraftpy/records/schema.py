"""Schemas: what a message looks like in each of its versions, read from the text tables.

The notation, one line per message or field, two blanks per level::

    <api key or -> <Message> <versions> [flexible=<versions>]
      <Field> <type>[?] [<versions>] [tag=<n>] [default=<value>] [ignorable] [plain]

``?`` marks a field that may be null. Versions are ``3``, ``1-4`` or ``2+``; ``0+`` and ``flexible=0+`` are left out.
A struct's fields stand one level below the field that first uses it; later uses name it only. ``ignorable`` fields are
dropped in silence by versions that lack them, all others refuse. ``plain`` fields keep the old encoding in flexible
versions. The tables are read by the code generator, by the JSON view, and when an error has to name a field; never on
the path that codes records.

Source: Kafka message schemas (``on-disk formats`` §3).
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


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a struct.

    Attributes:
        name: Kafka's name, such as ``BrokerId``.
        kind: the type without ``[]`` and ``?``: a primitive's name, or the name of ``struct``.
        default: as the table writes it; ``None`` when it says nothing.
    """

    name: str
    kind: str
    is_array: bool
    is_nullable: bool
    versions: Versions
    tag: int | None
    default: str | None
    is_ignorable: bool
    is_plain: bool
    struct: Struct | None

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


def parse_table(text: str) -> tuple[MessageSpec, ...]:
    """Read a table, messages in the order they stand."""
    return tuple(_parse_message(block.splitlines()) for block in text.strip().split("\n\n"))


def _parse_message(lines: list[str]) -> MessageSpec:
    key, name, versions, *options = lines[0].split()
    flexible = dict(option.split("=") for option in options).get("flexible", "0+")
    structs: dict[str, Struct] = {}
    fields, rest = _parse_fields(lines[1:], 1, name, structs)
    if rest:
        raise ValueError(f"{name}: {rest[0]!r} is indented deeper than its level")
    return MessageSpec(
        api_key=None if key == "-" else int(key),
        name=name,
        versions=Versions.parse(versions),
        flexible=Versions.parse(flexible),
        structs=(*structs.values(), Struct(name, name, fields)),
    )


def _parse_fields(
    lines: list[str], level: int, message: str, structs: dict[str, Struct]
) -> tuple[tuple[Field, ...], list[str]]:
    fields: list[Field] = []
    while lines and _level(lines[0]) == level:
        line, *lines = lines
        inner: tuple[Field, ...] = ()
        if lines and _level(lines[0]) > level:
            inner, lines = _parse_fields(lines, level + 1, message, structs)
        fields.append(_parse_field(line.split(), inner, message, structs))
    return tuple(fields), lines


def _level(line: str) -> int:
    return (len(line) - len(line.lstrip())) // 2


def _parse_field(words: list[str], inner: tuple[Field, ...], message: str, structs: dict[str, Struct]) -> Field:
    name, type_text, *options = words
    kind = type_text.removeprefix("[]").removesuffix("?")
    if inner:
        structs[kind] = Struct(kind, message + kind, inner)
    named = dict(option.split("=") for option in options if "=" in option)
    ranges = [option for option in options if option[0].isdigit()]
    return Field(
        name=name,
        kind=kind,
        is_array=type_text.startswith("[]"),
        is_nullable=type_text.endswith("?"),
        versions=Versions.parse(ranges[0] if ranges else "0+"),
        tag=int(named["tag"]) if "tag" in named else None,
        default=named.get("default"),
        is_ignorable="ignorable" in options,
        is_plain="plain" in options,
        struct=structs.get(kind),
    )


@cache
def load(family: str) -> tuple[MessageSpec, ...]:
    """Return the messages of ``metadata``, ``control`` or ``rpc``."""
    table: str = import_module(f"kraftpy.records.tables.{family}").TABLE
    return parse_table(table)


@cache
def structs_by_class() -> dict[str, Struct]:
    """Return every struct of every family by the name of its generated class."""
    return {struct.class_name: struct for family in FAMILIES for message in load(family) for struct in message.structs}
