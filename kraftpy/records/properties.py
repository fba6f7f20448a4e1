r"""Java properties text: ``server.properties``, ``meta.properties`` and their like.

A logical line is one natural line, or several joined by a backslash at the end. Blank lines and lines that start with
``#`` or ``!`` say nothing. The key ends at the first ``=``, ``:`` or white space that is not escaped. ``\t \n \r \f``
and ``\uXXXX`` mean characters, any other escaped character for itself. The last of two equal keys wins.

Source: Java ``Properties.load``; ``on-disk formats`` §8.5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from kraftpy.model.errors import MalformedError

_BLANKS: Final = " \t\f"
_ESCAPES: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_ESCAPED: Final = {"\t": r"\t", "\n": r"\n", "\r": r"\r", "\f": r"\f", **{c: "\\" + c for c in "\\=:#!"}}
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Property:
    """One property and the natural line (from 1) on which it starts."""

    key: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Properties:
    """All properties of a text.

    Attributes:
        by_key: value and line number of each key; where a key repeats, the last, which is in force.
        duplicates: keys that occur more than once, with all their lines.
    """

    by_key: Mapping[str, tuple[str, int]]
    duplicates: Mapping[str, tuple[int, ...]]


def parse_properties(text: str) -> dict[str, str]:
    r"""Read a properties text.

    Raises:
        MalformedError: when a ``\u`` is not followed by four hexadecimal digits; the text names the line.
    """
    return {each.key: each.value for each in each_property(text)}


def parse_properties_with_lines(text: str) -> Properties:
    """Read a properties text and keep the line of each property.

    Raises:
        MalformedError: as :func:`parse_properties`.
    """
    by_key: dict[str, tuple[str, int]] = {}
    lines: dict[str, list[int]] = {}
    for each in each_property(text):
        by_key[each.key] = (each.value, each.line)
        lines.setdefault(each.key, []).append(each.line)
    return Properties(by_key, {key: tuple(found) for key, found in lines.items() if len(found) > 1})


def each_property(text: str) -> Iterator[Property]:
    """Yield every property in the order of the text, also those that a later one replaces.

    Raises:
        MalformedError: as :func:`parse_properties`.
    """
    for number, line in _logical_lines(text):
        end = _key_end(line)
        rest = line[end:].lstrip(_BLANKS)
        if rest[:1] in {"=", ":"}:
            rest = rest[1:].lstrip(_BLANKS)
        yield Property(_unescape(line[:end], number), _unescape(rest, number), number)


def render_properties(properties: Mapping[str, str], comment: str | None = None) -> str:
    """Write properties in the order given, one per line, after a comment.

    What is not printable ASCII is written as an escape, so the text reads the same in UTF-8 and in Latin-1.
    """
    lines = [f"#{line}" for line in _LINE_END.split(_ascii(comment))] if comment is not None else []
    lines += [f"{_escape_key(key)}={_escape_value(value)}" for key, value in properties.items()]
    return "".join(f"{line}\n" for line in lines)


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    naturals = _LINE_END.split(text)
    if not naturals[-1]:
        naturals.pop()
    joined: list[str] = []
    has_begun = False
    start = 0
    for number, natural in enumerate(naturals, 1):
        line = natural.lstrip(_BLANKS)
        # Java takes a line for a comment as long as nothing came before it, even after an empty continuation.
        if not has_begun and (not line or line[0] in "#!"):
            joined = []
            continue
        start = start if joined else number
        if _is_continued(line):
            joined.append(line[:-1])
            has_begun = has_begun or len(line) > 1
            continue
        yield start, "".join([*joined, line])
        joined, has_begun = [], False
    if joined:
        yield start, "".join(joined)


def _is_continued(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _key_end(line: str) -> int:
    is_escaped = False
    for place, character in enumerate(line):
        if not is_escaped and character in "=: \t\f":
            return place
        is_escaped = character == "\\" and not is_escaped
    return len(line)


def _unescape(text: str, line: int) -> str:
    if "\\" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        found = match[1]
        if len(found) == 5:
            return chr(int(found[1:], 16))
        if found == "u":
            raise MalformedError(f"line {line}: \\u is not followed by four hexadecimal digits in {text!r:.80}")
        return _ESCAPES.get(found, found)

    plain = _ESCAPE.sub(replace, text)
    # Characters beyond the first plane are written as two escapes, high surrogate first.
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _escape_key(key: str) -> str:
    return _ascii("".join(_ESCAPED.get(character, character) for character in key)).replace(" ", "\\ ")


def _escape_value(value: str) -> str:
    text = _ascii("".join(_ESCAPED.get(character, character) for character in value))
    return "\\" + text if text.startswith(" ") else text


def _ascii(text: str) -> str:
    units = text.encode("utf-16-be", "surrogatepass")
    codes = (int.from_bytes(units[place : place + 2], "big") for place in range(0, len(units), 2))
    return "".join(chr(code) if 32 <= code < 127 or code in {9, 10, 12, 13} else f"\\u{code:04X}" for code in codes)
