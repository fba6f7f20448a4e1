"""Naming the field: what is said when a message cannot be decoded or encoded.

Generated codecs fail without knowing where they were; here the schema is asked, off the hot path, which field it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.records.codec import STRING_BYTES_MAX

if TYPE_CHECKING:
    from kraftpy.records.schema import Field, Struct


def fault(message: object, data: bytes, at: int, error: Exception) -> MalformedError:
    """Say which field of a half-decoded message the bytes do not hold.

    Decoders fill a message in declaration order, so the first attribute that is not set is the culprit; when a slice
    ran over the end, it is the one before.
    """
    name = type(message).__name__
    fields = _structs()[name].fields
    missing = [number for number, field in enumerate(fields) if not hasattr(message, field.attribute)]
    number = missing[0] if missing else len(fields)
    if at > len(data) and number > 0:
        return MalformedError(f"{name}.{fields[number - 1].name} runs {at - len(data)} bytes over the end of the data")
    place = fields[number].name if missing else "tagged fields"
    why = error if isinstance(error, ValueError) else f"the data ends after {len(data)} bytes"
    return MalformedError(f"{name}.{place} at offset {at}: {why}")


def leftover(message: object, data: bytes, at: int) -> MalformedError:
    """Say that a message does not fill its bytes exactly."""
    if at > len(data):
        return fault(message, data, at, IndexError())
    return MalformedError(f"{type(message).__name__} ends at offset {at}, but the data has {len(data)} bytes")


def absent(message: object, attribute: str) -> LocalError:
    """Say that the version asked for cannot carry what a field holds."""
    shown = f"{getattr(message, attribute)!r}"[:200]
    return LocalError(
        f"{type(message).__name__}.{attribute} = {shown} cannot be written: this version has no such field"
    )


def unwritable(message: object, error: Exception) -> LocalError:
    """Say which field of a message holds what cannot be encoded."""
    name = type(message).__name__
    struct_ = _structs().get(name)
    for field in struct_.fields if struct_ is not None else ():
        value = getattr(message, field.attribute, None)
        if not _fits(field, value):
            shown = f"{value!r}"[:200]
            return LocalError(f"{name}.{field.attribute} = {shown} cannot be written as {_type_text(field)}")
    return LocalError(f"{name} cannot be written: {error}")


def _structs() -> dict[str, Struct]:
    # Loaded when something is wrong: most commands never need it.
    from kraftpy.records.schema import structs_by_class

    return structs_by_class()


def _type_text(field: Field) -> str:
    return f"{'array of ' if field.is_array else ''}{field.kind}{' or null' if field.is_nullable else ''}"


def _fits(field: Field, value: object) -> bool:
    if value is None:
        return field.is_nullable
    if field.is_array:
        return isinstance(value, list | tuple) and all(_fits_one(field.kind, element) for element in value)
    return _fits_one(field.kind, value)


_INTEGERS: Final = {
    "int8": (-(2**7), 2**7),
    "int16": (-(2**15), 2**15),
    "uint16": (0, 2**16),
    "int32": (-(2**31), 2**31),
    "int64": (-(2**63), 2**63),
}


def _fits_one(kind: str, value: object) -> bool:
    if kind in _INTEGERS:
        low, high = _INTEGERS[kind]
        return isinstance(value, int) and low <= value < high
    if kind == "string":
        return (
            isinstance(value, str)
            and len(value.encode("utf-8", "surrogatepass")) <= STRING_BYTES_MAX
            and _is_utf8(value)
        )
    if kind == "uuid":
        return isinstance(value, bytes) and len(value) == 16
    if kind in {"bytes", "records"}:
        return isinstance(value, bytes)
    return value is not None


def _is_utf8(value: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in value)
