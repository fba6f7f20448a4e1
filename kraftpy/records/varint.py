"""Signed varints, as records inside batches use them: zig-zag, then seven bits a byte, low bits first.

Source: ``on-disk formats`` §1.
"""

from __future__ import annotations

from typing import Final

VARINT_BYTES_MAX: Final = 5

DELTAS_READY: Final = 2**13


def varint(value: int) -> bytes:
    """Encode a signed varint of 32 bits."""
    rest = (value << 1) ^ (value >> 31)
    out = bytearray()
    while rest > 127:
        out.append(rest & 127 | 128)
        rest >>= 7
    out.append(rest)
    return bytes(out)


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Decode a signed varint; return it and where it ends.

    Raises:
        ValueError: when it is longer than 5 bytes or more than 32 bits.
        IndexError: when the data ends first.
    """
    rest = shift = 0
    for position in range(at, at + VARINT_BYTES_MAX):
        byte = data[position]
        rest |= (byte & 127) << shift
        if byte < 128:
            if rest > 0xFFFFFFFF:
                raise ValueError(f"varint at byte {at} has more than 32 bits")
            return (rest >> 1) ^ -(rest & 1), position + 1
        shift += 7
    raise ValueError(f"varint at byte {at} is longer than {VARINT_BYTES_MAX} bytes")


def delta_pattern(index: int) -> bytes:
    """Return what is between the length and the value of data record ``index``.

    No attributes, no timestamp delta, the offset delta, the null key.
    """
    return b"\0\0" + varint(index) + b"\1"


def _deltas() -> list[bytes]:
    """Return the first patterns, put together from halves: a call for each would delay the start of every command."""
    heads = [bytes((0, 0, low)) for low in range(128, 256, 2)]
    tails = [bytes((high, 1)) for high in range(1, 128)]
    return [bytes((0, 0, 2 * index, 1)) for index in range(2**6)] + [head + tail for tail in tails for head in heads]


DELTAS: Final = _deltas()
"""The patterns of the first records of a batch, ready made."""
