"""What the text of a value in ``server.properties`` means, by the table of keys.

Source: Kafka ``ConfigDef.parseType``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from kraftpy.config.protection import MISSING
from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.config_keys.node_key import NodeKey
from kraftpy.config_keys.types import LONG_MAX, ConfigType, parse
from kraftpy.config_keys.types import Value as KeyValue
from kraftpy.model.decimal_text import number_from_text

Value: TypeAlias = KeyValue | None

FILE_KEYS: Final[Mapping[str, NodeKey]] = {name: key for name, key in NODE_KEYS.items() if name not in MISSING}
"""The keys of ``server.properties``: all but those that ask for a protection that does not exist here."""


def default_value(key: NodeKey) -> Value:
    """Return the value of a key that a file does not set."""
    if key.type is ConfigType.LIST:
        return tuple((key.default or "").split(",")) if key.default else ()
    return None if key.default is None else parse_value(key, key.default)


def unless_off(value: Value) -> int | None:
    """Return a limit as the parts of a node take it: ``None`` for none, which the file has as -1."""
    assert isinstance(value, int), value
    return None if value < 0 else value


def parse_value(key: NodeKey, text: str) -> Value:
    """Read the text of a value as its key's type.

    Raises:
        ValueError: it is not of that type or not allowed; the message is a predicate and does not name the key.
    """
    text = text.strip()
    match key.type:
        case ConfigType.INT | ConfigType.LONG:
            value: KeyValue = _parse_int(key, text)
        case ConfigType.BOOLEAN:
            value = _parse_bool(text)
        case ConfigType.STRING:
            return _parse_word(key, text)
        case ConfigType.PASSWORD:
            return text
        case _:
            value = parse(key.type, text)
    if key.rule is not None and key.rule(value) is not None:
        raise ValueError("is not allowed")
    return value


def _parse_int(key: NodeKey, text: str) -> int:
    digits = text[1:] if text[:1] in {"-", "+"} else text
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError("is not a whole number")
    magnitude = number_from_text(digits, LONG_MAX)
    value = magnitude if magnitude is None or text[:1] != "-" else -magnitude
    if value is None or not key.bounds[0] <= value <= key.bounds[1]:
        is_small = text[:1] == "-" if value is None else value < key.bounds[0]
        raise ValueError("is too small" if is_small else "is too large")
    return value


def _parse_bool(text: str) -> bool:
    if text.lower() not in {"true", "false"}:
        raise ValueError("is neither true nor false")
    return text.lower() == "true"


def _parse_word(key: NodeKey, text: str) -> str | None:
    if not text:
        return key.default
    if not key.choices:
        return text
    for choice in key.choices:
        if choice.lower() == text.lower():
            return choice
    raise ValueError("is not one of the allowed words")
