"""Limit the number of elements in a message: counted in its bytes, before they are decoded.

Two bytes of a message can be an element that takes sixty as a decoded message and hundreds as a value of ours, so that
16 MiB would become gigabytes, and would block the loop meanwhile. The bytes are scanned once, by the message's
descriptor and no further than the limit allows, and only if they are long enough to hold that many.

Source: protobuf encoding (base 128 varints, length-delimited records).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError

from kraftpy.model.errors import ApiError, ErrorCode

ELEMENTS_MAX: Final = 1_048_576
"""How many fields a message may hold, with those of the messages in it; a batch of 4,096 calls holds some 57,000."""

WALKED_BYTES_MIN: Final = 1024 * 1024
"""Shorter messages are not walked: they hold fewer than the limit, or little more is made of them."""

Fields = dict[int, Any]
"""By number: the fields of the message that a field holds, ``None`` for any other field."""

_VARINT, _FIXED64, _DELIMITED, _FIXED32 = 0, 1, 2, 5


class _TooManyError(Exception):
    """The limit is passed."""


class BytesLimit(NamedTuple):
    """How long a message may be where that is less than ``grpc.max.message.bytes``.

    Attributes:
        bytes_max: in bytes, as it was sent: a field that is sent twice counts twice.
        key: the config that says so.
    """

    bytes_max: int
    key: str


def decoder(
    descriptor: Descriptor, parse: Callable[[bytes], Any], limit: BytesLimit | None = None
) -> Callable[[bytes], Any]:
    """Make a decoder that returns an :class:`ApiError` for bytes that are no message, or one that holds too much."""
    fields = _fields(descriptor, {})

    def decode(data: bytes) -> Any:
        if limit is not None and len(data) > limit.bytes_max:
            text = f"a message of {len(data)} bytes; {limit.key} allows {limit.bytes_max}"
            return ApiError(ErrorCode.INVALID_REQUEST, text)
        if len(data) >= WALKED_BYTES_MIN and not holds_at_most(data, fields, ELEMENTS_MAX):
            return ApiError(
                ErrorCode.INVALID_REQUEST,
                f"this {descriptor.name} of {len(data)} bytes holds more than {ELEMENTS_MAX} elements: split it",
            )
        try:
            return parse(data)
        except DecodeError:
            return ApiError(ErrorCode.INVALID_REQUEST, f"these {len(data)} bytes are not a {descriptor.full_name}")

    return decode


def _fields(descriptor: Descriptor, known: dict[str, Fields]) -> Fields:
    if descriptor.full_name in known:
        return known[descriptor.full_name]
    fields = known[descriptor.full_name] = Fields()
    for field in descriptor.fields:
        is_message = field.type == FieldDescriptor.TYPE_MESSAGE
        fields[field.number] = _fields(field.message_type, known) if is_message and field.message_type else None
    return fields


def holds_at_most(data: bytes, fields: Fields, elements_max: int) -> bool:
    """Return whether a message has at most this many elements; truncated bytes count as far as they go."""
    try:
        _walk(data, 0, len(data), fields, elements_max)
    except _TooManyError:
        return False
    except IndexError:
        return True  # cut off: decoding it says so
    return True


def _walk(data: bytes, at: int, end: int, fields: Fields, left: int) -> int:
    """Walk one message in ``[at, end)``; return how many more elements are allowed behind it."""
    while at < end:
        tag, at = _varint(data, at)
        left -= 1
        if left < 0:
            raise _TooManyError
        wire = tag & 7
        if wire == _DELIMITED:
            size, at = _varint(data, at)
            inner = fields.get(tag >> 3)
            if inner is not None:
                left = _walk(data, at, min(at + size, end), inner, left)
            at += size
        elif wire == _VARINT:
            _, at = _varint(data, at)
        elif wire == _FIXED64:
            at += 8
        elif wire == _FIXED32:
            at += 4
    return left


def _varint(data: bytes, at: int) -> tuple[int, int]:
    byte = data[at]
    if byte < 0x80:
        return byte, at + 1
    value, shift = byte & 0x7F, 7
    while byte >= 0x80 and shift < 70:
        at += 1
        byte = data[at]
        value |= (byte & 0x7F) << shift
        shift += 7
    return value, at + 1
