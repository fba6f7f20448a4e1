"""Memory that does not keep what was written to it."""

from __future__ import annotations

import ctypes
import sys


def flip_bit(text: str) -> None:
    """Change the lowest bit of the first character of a string in place: a ``1`` becomes a ``0``.

    Of a string of ASCII, the characters and a zero come last. The string must not be shared.
    """
    assert text.isascii()
    assert len(text) > 1, "shorter ones are shared by the whole interpreter"
    first = id(text) + sys.getsizeof(text) - len(text) - 1
    ctypes.c_ubyte.from_address(first).value ^= 1
