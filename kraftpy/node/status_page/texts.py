"""Values as text for operators. ``page.js`` has the same functions, and both have to be changed together.

Whole numbers only: both languages round them alike.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

_KIBIBYTE: Final = 1_024
_UNITS: Final = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_SECOND, _MINUTE, _HOUR, _DAY = 1_000, 60_000, 3_600_000, 86_400_000


class Form(enum.StrEnum):
    """How a value becomes text."""

    TEXT = "text"
    ID = "id"
    COUNT = "count"
    BYTES = "bytes"
    DURATION = "duration"
    TIME = "time"
    YES_NO = "yes-no"
    LIST = "list"
    WORD = "word"


def text_of(value: Any, form: Form, absent: str) -> str:
    """Return a value of a state's JSON as text; ``absent`` of null."""
    return absent if value is None else _TEXTS[form](value)


def count_text(count: int) -> str:
    """Return a number in groups of three digits."""
    return f"{count:,}"


def bytes_text(count: int) -> str:
    """Return a size with one decimal, cut off, in the largest unit of which there is one."""
    power = 0
    while count >= _KIBIBYTE ** (power + 1) and power < len(_UNITS) - 1:
        power += 1
    if power == 0:
        return f"{count} {_UNITS[0]}"
    tenths = count * 10 // _KIBIBYTE**power
    return f"{tenths // 10}.{tenths % 10} {_UNITS[power]}"


def duration_text(duration_ms: int) -> str:
    """Return a duration in its two largest units."""
    if duration_ms < _SECOND:
        return f"{duration_ms} ms"
    if duration_ms < _MINUTE:
        return f"{duration_ms // _SECOND} s"
    if duration_ms < _HOUR:
        return f"{duration_ms // _MINUTE} min {duration_ms % _MINUTE // _SECOND} s"
    if duration_ms < _DAY:
        return f"{duration_ms // _HOUR} h {duration_ms % _HOUR // _MINUTE} min"
    return f"{duration_ms // _DAY} d {duration_ms % _DAY // _HOUR} h"


def time_text(time_ms: int) -> str:
    """Return a time in UTC, to the second."""
    return datetime.fromtimestamp(time_ms // _SECOND, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def word_text(name: str) -> str:
    """Return a name of several words, in snake_case or camelCase, as words."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).replace("_", " ")


def _list_text(items: list[Any]) -> str:
    return ", ".join(str(item) for item in items) or "none"


def _yes_no(value: object) -> str:
    return "yes" if value else "no"


_TEXTS: Final[Mapping[Form, Callable[[Any], str]]] = {
    Form.TEXT: str,
    Form.ID: str,
    Form.COUNT: count_text,
    Form.BYTES: bytes_text,
    Form.DURATION: duration_text,
    Form.TIME: time_text,
    Form.YES_NO: _yes_no,
    Form.LIST: _list_text,
    Form.WORD: word_text,
}
