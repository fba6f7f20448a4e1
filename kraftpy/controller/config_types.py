"""Config values: how a text becomes a number, a boolean, a word or a list, and which values are allowed.

Texts are trimmed before they are read, as Kafka's are. What is stored is always the text as it was given.

Source: Kafka ``ConfigDef``; KIP-339.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = "bool | int | float | str | tuple[str, ...]"
Rule: TypeAlias = Callable[[Value], str | None]
"""Judges a parsed value; returns what is wrong with it, in words, or ``None``."""

INT_MAX = 2**31 - 1
LONG_MAX = 2**63 - 1


class ConfigType(enum.Enum):
    """The types that config keys have."""

    BOOLEAN = "boolean"
    INT = "int"
    LONG = "long"
    DOUBLE = "double"
    STRING = "string"
    LIST = "list"
    PASSWORD = "password"  # noqa: S105 - the name of a type


@dataclass(frozen=True, slots=True)
class ConfigKey:
    """One key: its type, its default as a text (``None`` for none), and the rule its values obey."""

    name: str
    type: ConfigType
    default: str | None
    rule: Rule | None = None

    @property
    def takes_any_text(self) -> bool:
        """Whether no text is wrong."""
        return self.rule is None and self.type in {ConfigType.STRING, ConfigType.LIST, ConfigType.PASSWORD}

    def check(self, text: str) -> Value:
        """Read a value and judge it.

        Raises:
            ValueError: the message names the key, the value and what is allowed.
        """
        try:
            value = parse(self.type, text)
        except ValueError as error:
            raise ValueError(f"Invalid value {text} for configuration {self.name}: {error}") from None
        fault = self.rule(value) if self.rule is not None else None
        if fault is not None:
            raise ValueError(f"Invalid value {text} for configuration {self.name}: {fault}")
        return value


def table(*keys: ConfigKey) -> Mapping[str, ConfigKey]:
    """Index keys by their names."""
    return {key.name: key for key in keys}


def parse(kind: ConfigType, text: str) -> Value:
    """Read the text of a value of that type.

    Raises:
        ValueError: the text is not of that type; the message says what it should be.
    """
    trimmed = text.strip()
    if kind is ConfigType.BOOLEAN:
        return _boolean(trimmed)
    if kind is ConfigType.INT:
        return _integer(trimmed, INT_MAX, "INT")
    if kind is ConfigType.LONG:
        return _integer(trimmed, LONG_MAX, "LONG")
    if kind is ConfigType.DOUBLE:
        return _number(trimmed)
    if kind is ConfigType.LIST:
        return list_of(trimmed)
    return trimmed


def list_of(text: str) -> tuple[str, ...]:
    """Read a comma-separated list; empty elements are dropped."""
    return tuple(element for element in map(str.strip, text.split(",")) if element)


def _boolean(text: str) -> bool:
    lowered = text.lower()
    if lowered not in {"true", "false"}:
        raise ValueError("Expected value to be either true or false")
    return lowered == "true"


def _integer(text: str, largest: int, what: str) -> int:
    digits = text.removeprefix("-").removeprefix("+")
    value = int(text) if text.isascii() and digits.isdigit() and len(digits) < 20 else None
    if value is None or not -largest - 1 <= value <= largest:
        raise ValueError(f"Not a number of type {what}")
    return value


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError("Not a number of type DOUBLE") from None
    if "_" in text or value != value:  # noqa: PLR0124 - not a number differs from itself
        raise ValueError("Not a number of type DOUBLE")
    return value


def at_least(lowest: float) -> Rule:
    """Allow numbers from ``lowest`` up."""
    return lambda value: f"Value must be at least {lowest}" if _as_number(value) < lowest else None


def between(lowest: float, highest: float) -> Rule:
    """Allow numbers in ``[lowest, highest]``."""

    def rule(value: Value) -> str | None:
        return None if lowest <= _as_number(value) <= highest else f"Value must be between {lowest} and {highest}"

    return rule


def one_of(*words: str) -> Rule:
    """Allow these words only."""
    return lambda value: None if value in words else f"String must be one of: {', '.join(words)}"


def subset_of(*words: str) -> Rule:
    """Allow lists whose elements are all among these words."""

    def rule(value: Value) -> str | None:
        strange = [word for word in value if word not in words] if isinstance(value, tuple) else []
        return f"{', '.join(strange)} must be one of: {', '.join(words)}" if strange else None

    return rule


def minus_one_or_between(lowest: int, highest: int) -> Rule:
    """Allow -1 and numbers in ``[lowest, highest]``."""

    def rule(value: Value) -> str | None:
        fits = value == -1 or lowest <= _as_number(value) <= highest
        return None if fits else f"Value must be -1 or between {lowest} and {highest}"

    return rule


def _as_number(value: Value) -> float:
    assert isinstance(value, int | float), value
    return value
