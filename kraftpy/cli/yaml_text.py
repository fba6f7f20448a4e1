r"""What JSON can hold, as YAML: ``-o yaml``.

Strict: every text is in double quotes, so that no reader takes one for a number, a date or a boolean; only keys that
are plain words are not. All is ASCII, with the escapes that JSON and YAML share, and ``\U`` beyond 16 bits. Mappings
and sequences are blocks, and empty ones ``{}`` and ``[]``.

Source: YAML 1.2.2 §7.3.1 (double-quoted style), §8.2 (block collections).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

STEP: Final = "  "

KEY_LENGTH_MAX: Final = 1_024
"""A key of this length, or longer, is marked as one, because a reader looks no further for its colon."""

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*", re.ASCII)
_NOT_TEXT: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""What YAML 1.1 or 1.2 reads as something else than a text, in any case."""

_PAIR: Final = re.compile(r"\\\\|\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})")
"""A surrogate pair in JSON; a backslash that is escaped begins none."""


def yaml_document(data: Any) -> str:
    """Write one document; a stream begins each of its documents with ``---`` itself."""
    return "\n".join(_lines(data))


def _lines(data: Any) -> Iterator[str]:
    if isinstance(data, Mapping) and data:
        for key, value in data.items():
            *question, head = _key(str(key))
            yield from question
            yield from _entry(head, value)
    elif _is_sequence(data) and data:
        for value in data:
            first, *rest = _lines(value)
            yield f"- {first}"
            yield from (STEP + line for line in rest)
    else:
        yield _flow(data)


def _entry(head: str, value: Any) -> Iterator[str]:
    if value and (isinstance(value, Mapping) or _is_sequence(value)):
        yield head
        yield from (STEP + line for line in _lines(value))
    else:
        yield f"{head} {_flow(value)}"


def _key(key: str) -> list[str]:
    """Return the lines up to a key's colon; the value follows the last of them."""
    if _WORD.fullmatch(key) and key.lower() not in _NOT_TEXT and len(key) < KEY_LENGTH_MAX:
        return [f"{key}:"]
    text = _scalar(key)
    return [f"? {text}", ":"] if len(text) >= KEY_LENGTH_MAX else [f"{text}:"]


def _is_sequence(data: Any) -> bool:
    return isinstance(data, Sequence) and not isinstance(data, str)


def _flow(data: Any) -> str:
    if isinstance(data, Mapping):
        return "{}"
    return "[]" if _is_sequence(data) else _scalar(data)


def _scalar(data: Any) -> str:
    if isinstance(data, float):
        return _float(data)
    return _PAIR.sub(_joined, json.dumps(data, ensure_ascii=True)).replace("\x7f", "\\u007f")


def _joined(found: re.Match[str]) -> str:
    if found[1] is None:
        return found[0]
    return f"\\U{0x10000 + ((int(found[1], 16) - 0xD800) << 10) + int(found[2], 16) - 0xDC00:08x}"


def _float(number: float) -> str:
    if math.isnan(number):
        return ".nan"
    if math.isinf(number):
        return ".inf" if number > 0 else "-.inf"
    text = repr(number)
    mantissa, exponent, power = text.partition("e")
    # YAML 1.1 takes 1e+16 for a text: a number has a point.
    return f"{mantissa if '.' in mantissa else f'{mantissa}.0'}{exponent}{power}"
