"""Rows of bytes that are alike: what many records of one form have in common, checked all at once.

A loop in Python costs more for each byte string that it compares than the bytes do. Rows of one length need no such
loop: what stands at one place of every row is a *column*, a slice with the row's length as its step, and that all of a
column is one byte is counted in C.
"""

from __future__ import annotations

from typing import Final

ROWS_AT_ONCE: Final = 128
"""How many rows are looked at together: so many that a look is cheap for each of them, and so few that little is lost
when they are not alike."""


def stands_in_all(piece: bytes, data: bytes, at: int, stride: int, count: int) -> bool:
    """Say whether a piece stands in each of ``count`` rows, at the same place.

    Args:
        piece: what to look for.
        data: holds the rows. Where it ends before they do, the answer is no.
        at: where the piece stands in the first row.
        stride: the length of a row.
        count: of rows, at least one.
    """
    reach = (count - 1) * stride + 1
    for place, byte in enumerate(piece, at):  # noqa: SIM110 - a generator costs as much again
        if data[place : place + reach : stride].count(byte) != count:
            return False
    return True


def pieces_in_all(data: bytes, at: int, size: int, stride: int, count: int) -> list[bytes]:
    """Return what stands at the same place in each of ``count`` rows."""
    return [data[place : place + size] for place in range(at, at + count * stride, stride)]


def texts_in_all(data: bytes, at: int, size: int, stride: int, count: int) -> list[str]:
    """Return the text that stands at the same place in each of ``count`` rows.

    Raises:
        UnicodeDecodeError: one of them is no UTF-8.
    """
    return [data[place : place + size].decode() for place in range(at, at + count * stride, stride)]
