"""What rendering encoders and decoders have in common: Python types, defaults, sizes and ``struct`` formats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from kraftpy.records.schema import Field, MessageSpec, Struct, snake_case

FIXED: Final = {
    "bool": ("?", 1),
    "int8": ("b", 1),
    "int16": ("h", 2),
    "uint16": ("H", 2),
    "int32": ("i", 4),
    "int64": ("q", 8),
    "float64": ("d", 8),
    "uuid": ("16s", 16),
}
"""Types of fixed width: their ``struct`` format and size."""

_PYTHON_TYPES: Final = {"bool": "bool", "float64": "float", "uuid": "bytes", "bytes": "bytes", "records": "bytes"}
_DEFAULTS: Final = {"bool": "False", "float64": "0.0", "string": '""', "uuid": "ZERO_UUID", "bytes": 'b""'}


class Formats:
    """The precompiled ``struct`` formats that a module needs."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def unpack(self, layout: str) -> str:
        """Return the name of the constant that unpacks a layout."""
        return self._name("UNPACK", layout, "unpack_from")

    def pack(self, layout: str) -> str:
        """Return the name of the constant that packs a layout."""
        return self._name("PACK", layout, "pack")

    def _name(self, verb: str, layout: str, method: str) -> str:
        name = f"_{verb}_{layout.replace('?', 't').replace('16s', 'u')}"
        self._names[name] = f'{name}: Final = Struct(">{layout}").{method}'
        return name

    def constants(self) -> Iterator[str]:
        """Iterate over the lines that define what was asked for."""
        return (self._names[name] for name in sorted(self._names))


@dataclass(frozen=True, slots=True)
class Family:
    """One struct in one version, with what its code has to know about the rest.

    Attributes:
        names: the functions rendered so far, by class name and version.
    """

    message: MessageSpec
    struct: Struct
    version: int
    names: dict[tuple[str, int], str]
    formats: Formats = field(repr=False)

    @property
    def is_root(self) -> bool:
        """Whether the struct is the message itself."""
        return self.struct is self.message.root

    @property
    def is_flexible(self) -> bool:
        """Whether this version has compact lengths and tagged sections."""
        return self.version in self.message.flexible

    @property
    def ordered(self) -> list[Field]:
        """The fields of this version outside the tagged section."""
        return [field for field in self.struct.fields_in(self.version) if field.tag is None]

    @property
    def tagged(self) -> list[tuple[int, Field]]:
        """The fields of this version inside the tagged section, ascending by tag."""
        fields = ((field.tag, field) for field in self.struct.fields_in(self.version) if field.tag is not None)
        return sorted(fields, key=lambda pair: pair[0])

    @property
    def absent(self) -> list[Field]:
        """The fields that this version does not have."""
        return [field for field in self.struct.fields if self.version not in field.versions]

    def is_compact(self, field: Field) -> bool:
        """Return whether a field's length is a varint."""
        return self.is_flexible and not field.is_plain

    def inner(self, field: Field) -> str:
        """Return the function that was rendered for a field's struct in this version."""
        assert field.struct is not None
        return self.names[field.struct.class_name, self.version]

    def function_name(self, verb: str) -> str:
        """Return the name of the function for this family."""
        return f"{'' if self.is_root else '_'}{verb}_{snake_case(self.struct.class_name)}_v{self.version}"


def is_fixed(field: Field) -> bool:
    """Return whether a field always has the same width."""
    return field.kind in FIXED and not field.is_array


def runs(fields: list[Field]) -> Iterator[list[Field]]:
    """Cut fields into runs of fixed width and single others."""
    run: list[Field] = []
    for each in fields:
        if is_fixed(each):
            run.append(each)
            continue
        if run:
            yield run
            run = []
        yield [each]
    if run:
        yield run


def layout_of(run: list[Field]) -> tuple[str, int]:
    """Return the ``struct`` format of a run and its size."""
    return "".join(FIXED[field.kind][0] for field in run), sum(FIXED[field.kind][1] for field in run)


def element_bytes_min(struct: Struct, family: Family) -> int:
    """Return the fewest bytes that a struct can take."""
    total = int(family.is_flexible)
    for each in struct.fields_in(family.version):
        if each.tag is not None:
            continue
        if is_fixed(each):
            total += FIXED[each.kind][1]
        elif each.struct is not None and not each.is_array:
            total += element_bytes_min(each.struct, family)
        elif family.is_compact(each):
            total += 1
        else:
            total += 2 if each.kind == "string" and not each.is_array else 4
    return total


def python_type(field: Field) -> str:
    """Return the annotation of a field."""
    kind = field.struct.class_name if field.struct is not None else _element_type(field.kind)
    text = f"list[{kind}]" if field.is_array else kind
    return f"{text} | None" if field.is_nullable else text


def _element_type(kind: str) -> str:
    return _PYTHON_TYPES.get(kind, "str" if kind == "string" else "int")


def default_value(field: Field) -> str:
    """Return the expression that makes a field's default."""
    if field.default == "null" or (field.kind == "records" and field.is_nullable):
        return "None"
    if field.is_array:
        return "[]"
    if field.struct is not None:
        return f"{field.struct.class_name}()"
    if field.default is None:
        return 'b""' if field.kind == "records" else _DEFAULTS.get(field.kind, "0")
    if field.kind == "bool":
        return field.default.capitalize()
    return f'"{field.default}"' if field.kind == "string" else field.default


def differs_from_default(field: Field, value: str) -> str:
    """Return the condition under which an expression is not a field's default."""
    default = default_value(field)
    if default == "None":
        return f"{value} is not None"
    if field.is_array:
        return f"{value} is None or {value}" if field.is_nullable else value
    if field.struct is not None:
        parts = [differs_from_default(inner, f"{value}.{inner.attribute}") for inner in field.struct.fields]
        return " or ".join([*parts, f"{value}.unknown_tags"])
    if field.kind == "bool":
        return value if default == "False" else f"not {value}"
    return f"{value} != {default}"
