"""What generated codecs are built on: varints, array packers, tagged sections.

The generated functions are straight lines without checks that the interpreter makes anyway: a cut-off message ends in
an ``IndexError`` or a ``struct.error``, a null in an ``AttributeError``. Each function catches those once, around its
whole body, where a ``try`` costs nothing, and asks ``kraftpy.records.decode_errors`` which field it was. Two facts make
slices safe without a check of their own: a slice never holds more than what is there, and whatever follows a slice that
ran over the end (at least a tag section, or the check for left-over bytes) fails. Counts are checked against what is
left before a list is made.

Source: Kafka message encoding (``on-disk formats`` §1 and §3).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from struct import Struct
from typing import Any, ClassVar, Final, TypeAlias

from kraftpy.model.ids import UUID_BYTES

STRING_BYTES_MAX: Final = 32767
"""No string is longer, in UTF-8."""

VARINT_BYTES_MAX: Final = 5
UVARINT_MAX: Final = 0xFFFFFFFF

SHORT: Final = 128
"""Numbers below this are one varint byte."""

TWO_BYTES: Final = 128 * 128
"""Numbers below this are at most two."""

SHAPES: Final = 64
"""Arrays of fewer elements are packed with a struct made beforehand."""

Tags: TypeAlias = tuple[tuple[int, bytes], ...]
"""Tagged fields that are not known here, ascending by tag."""

NO_TAGS: Final = b"\0"

AUTHOR_TAG: Final = 187_654_321
"""The tag of the field that names who asked for a change (``records.authors``), in every metadata record. Kafka numbers
its tags from 0, and this project its other ones from 1000."""


class Message:
    """The root of all generated message classes.

    Attributes:
        NAME: Kafka's name of the message.
        API_KEY: its number, -1 where it has none.
        MIN_VERSION: the lowest version that can be coded.
        MAX_VERSION: the highest.
    """

    __slots__ = ()
    NAME: ClassVar[str] = ""
    API_KEY: ClassVar[int] = -1
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0


class Record(Message):
    """The root of all metadata records."""

    __slots__ = ()


class MessageStruct:
    """The root of all generated classes for structs inside messages."""

    __slots__ = ()


Codec: TypeAlias = tuple[Callable[[bytes, int], Any], Callable[[Any, bytes], bytes]]
"""A decoder and an encoder."""


class LazyCodecs(Mapping[tuple[type[Message], int], Codec]):
    """The codecs of many messages and versions; the module of a message is imported when its first one is asked for.

    A node speaks a part of the protocol, and the straight-line code of all of it takes as long to import as the rest of
    the node together where no bytecode is kept.

    Args:
        modules: messages and the names of their modules, which have a ``CODECS`` of their own.
    """

    def __init__(self, modules: Mapping[type[Message], str]) -> None:
        self._modules = modules
        self._loaded: dict[tuple[type[Message], int], Codec] = {}

    def __getitem__(self, key: tuple[type[Message], int]) -> Codec:
        found = self._loaded.get(key)
        if found is None:
            self.load(key[0])
            found = self._loaded[key]
        return found

    def load(self, *messages: type[Message]) -> None:
        """Import the codecs of messages now, so that no request waits for it later.

        Raises:
            KeyError: there is no such message here.
        """
        for message in messages:
            self._loaded |= import_module(self._modules[message]).CODECS

    def __iter__(self) -> Iterator[tuple[type[Message], int]]:
        for message in self._modules:
            for version in range(message.MIN_VERSION, message.MAX_VERSION + 1):
                yield message, version

    def __len__(self) -> int:
        return sum(1 for _ in self)


class FieldError(ValueError):
    """A field's bytes break a rule; :func:`kraftpy.records.decode_errors.fault` adds which field of what it was."""


DECODE_ERRORS: Final = (IndexError, ValueError, struct.error)
"""What generated decoders end in when the bytes are crooked (``UnicodeDecodeError`` is a ``ValueError``)."""

ENCODE_ERRORS: Final = (TypeError, ValueError, AttributeError, IndexError, OverflowError, struct.error)
"""What generated encoders end in when a value does not fit its field."""


def uvarint(value: int) -> bytes:
    """Encode an unsigned varint."""
    if not 0 <= value <= UVARINT_MAX:
        raise ValueError(f"{value} does not fit an unsigned varint")
    if value < TWO_BYTES:
        return bytes((value,)) if value < SHORT else bytes((value & 127 | 128, value >> 7))
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


AUTHOR_MARK: Final = uvarint(AUTHOR_TAG)
"""The bytes of the tag: a value without them has no author."""

UVARINT: Final = tuple(uvarint(value) for value in range(SHORT))
"""The short ones, ready made."""


def read_uvarint(data: bytes, at: int) -> tuple[int, int]:
    """Decode an unsigned varint; return it and where it ends.

    Raises:
        FieldError: when it is longer than 5 bytes or more than 32 bits.
        IndexError: when the data ends first.
    """
    value = shift = 0
    for position in range(at, at + VARINT_BYTES_MAX):
        byte = data[position]
        value |= (byte & 127) << shift
        if byte < SHORT:
            if value > UVARINT_MAX:
                raise FieldError(f"varint {value} has more than 32 bits")
            return value, position + 1
        shift += 7
    raise FieldError(f"varint is longer than {VARINT_BYTES_MAX} bytes")


def read_string_length(data: bytes, at: int) -> tuple[int, int]:
    """Decode a compact string's length + 1."""
    length, at = read_uvarint(data, at)
    if length > STRING_BYTES_MAX + 1:
        raise FieldError(f"string of {length - 1} bytes is longer than {STRING_BYTES_MAX}")
    return length, at


def length_prefix(length: int) -> bytes:
    """Encode the length + 1 of compact bytes, or the count + 1 of a compact array."""
    return UVARINT[length + 1] if length < SHORT - 1 else uvarint(length + 1)


def string_prefix(length: int) -> bytes:
    """Encode the length + 1 of a compact string."""
    if SHORT - 1 <= length < TWO_BYTES - 1:
        return bytes((length + 1 & 127 | 128, length + 1 >> 7))
    if length > STRING_BYTES_MAX:
        raise ValueError(f"string of {length} bytes is longer than {STRING_BYTES_MAX}")
    return uvarint(length + 1)


def plain_string_prefix(length: int) -> bytes:
    """Encode the length of a string in the old form."""
    if length > STRING_BYTES_MAX:
        raise ValueError(f"string of {length} bytes is longer than {STRING_BYTES_MAX}")
    return length.to_bytes(2, "big")


def refuse_null(*_: object) -> Any:
    """Take the place of decoding the array of length -1."""
    raise FieldError("it is null, which it may not be")


def plain_prefix(length: int) -> bytes:
    """Encode the length of bytes, or the count of an array, in the old form."""
    return length.to_bytes(4, "big")


UNPACK_INT32S: Final[tuple[Callable[[bytes, int], tuple[Any, ...]], ...]] = (
    refuse_null,
    *(Struct(f">{count}i").unpack_from for count in range(SHAPES)),
)
"""By the count + 1 of a compact array of int32."""

UNPACK_UUIDS: Final[tuple[Callable[[bytes, int], tuple[Any, ...]], ...]] = (
    refuse_null,
    *(Struct(">" + "16s" * count).unpack_from for count in range(SHAPES)),
)
"""By the count + 1 of a compact array of uuids."""

PACK_INT32S: Final[tuple[Callable[..., bytes], ...]] = tuple(Struct(f">B{count}i").pack for count in range(SHAPES))
"""By count; the first argument is count + 1."""


def check_count(count: int, element_bytes: int, data: bytes, at: int) -> None:
    """Refuse a count of elements that cannot be in what is left of the data."""
    if count < 0 or count * element_bytes > len(data) - at:
        raise FieldError(f"{count} elements of at least {element_bytes} bytes are more than the {len(data) - at} left")


def read_int32s(data: bytes, at: int, count: int) -> list[int]:
    """Decode int32 elements, any count."""
    check_count(count, 4, data, at)
    return list(struct.unpack_from(f">{count}i", data, at))


def read_uuids(data: bytes, at: int, count: int) -> list[bytes]:
    """Decode uuids, any count."""
    check_count(count, UUID_BYTES, data, at)
    return [data[place : place + UUID_BYTES] for place in range(at, at + UUID_BYTES * count, UUID_BYTES)]


def int32s(values: Sequence[int]) -> bytes:
    """Encode a compact array of int32, any count."""
    return uvarint(len(values) + 1) + struct.pack(f">{len(values)}i", *values)


def plain_int32s(values: Sequence[int]) -> bytes:
    """Encode an array of int32 in the old form."""
    return struct.pack(f">i{len(values)}i", len(values), *values)


def uuids(values: Sequence[bytes]) -> bytes:
    """Encode a compact array of uuids."""
    for value in values:
        if len(value) != UUID_BYTES:
            raise ValueError(f"uuid of {len(value)} bytes, expected {UUID_BYTES}")
    count = len(values)
    return b"".join((UVARINT[count + 1] if count < SHORT - 1 else uvarint(count + 1), *values))


def strings(values: Sequence[str]) -> bytes:
    """Encode a compact array of strings."""
    parts = [length_prefix(len(values))]
    for value in values:
        text = value.encode()
        parts += (string_prefix(len(text)), text)
    return b"".join(parts)


def plain_strings(values: Sequence[str]) -> bytes:
    """Encode an array of strings in the old form."""
    parts = [plain_prefix(len(values))]
    for value in values:
        text = value.encode()
        parts += (plain_string_prefix(len(text)), text)
    return b"".join(parts)


def tag_section(known: list[tuple[int, bytes]], unknown: Tags) -> bytes:
    """Encode a tagged section.

    Args:
        known: the fields that are not at their default, ascending by tag.
        unknown: the fields that are not known here.
    """
    if unknown:
        known = sorted([*known, *unknown])
    parts = [UVARINT[len(known)] if len(known) < SHORT else uvarint(len(known))]
    previous = -1
    for tag, value in known:
        if tag <= previous:
            raise ValueError(f"tag {tag} is in the tagged section twice")
        previous = tag
        size = len(value)
        parts += (
            UVARINT[tag] if tag < SHORT else uvarint(tag),
            UVARINT[size] if size < SHORT else uvarint(size),
            value,
        )
    return b"".join(parts)


def read_tag(data: bytes, at: int, previous: int) -> tuple[int, int, int]:
    """Decode the head of a tagged field; return tag, where its value starts and where it stops."""
    tag, at = read_uvarint(data, at)
    size, at = read_uvarint(data, at)
    if tag <= previous:
        raise FieldError(f"tag {tag} follows tag {previous}")
    if size > len(data) - at:
        raise FieldError(f"tag {tag} claims {size} bytes of the {len(data) - at} left")
    return tag, at, at + size


def read_tags(data: bytes, at: int, count: int) -> tuple[Tags, int]:
    """Decode ``count`` tagged fields of which none is known here."""
    if count == 1 and data.startswith(AUTHOR_MARK, at):
        # The only field that is frequent. It follows the way of all others where it is long, or cut off.
        start = at + len(AUTHOR_MARK) + 1
        stop = start + data[start - 1]
        if stop - start < SHORT and stop <= len(data):
            return ((AUTHOR_TAG, data[start:stop]),), stop
    if count >= SHORT:
        count, at = read_uvarint(data, at - 1)
    check_count(count, 2, data, at)
    tags: list[tuple[int, bytes]] = []
    tag = -1
    for _ in range(count):
        tag, at, stop = read_tag(data, at, tag)
        tags.append((tag, data[at:stop]))
        at = stop
    return tuple(tags), at


new: Final[Callable[[type[Any]], Any]] = object.__new__
"""Make an instance without calling ``__init__``; decoders set every attribute themselves."""
