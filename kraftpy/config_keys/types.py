"""A config key, and how the text of its value becomes a number, a boolean, a word or a list.

Texts are trimmed before they are read, as Kafka's are. What is stored is always the text as it was given.

Source: Kafka ``ConfigDef``; KIP-339.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol, TypeAlias

Value: TypeAlias = bool | int | float | str | tuple[str, ...]
INT_MAX = 2**31 - 1
LONG_MAX = 2**63 - 1

_TRIMMED = "".join(map(chr, range(ord(" ") + 1)))
"""What Java's ``trim`` takes away. A blank of Unicode stays, because Kafka's brokers could not read the value."""

JAVA_PLAIN_MIN, JAVA_PLAIN_MAX = 1e-3, 1e7
"""Between these Java writes a number without an exponent."""

_BLANKS = " \t\n\v\f\r"
"""What Java's ``\\s`` means, around the commas of a list."""


class ValueRule(Protocol):
    """Which parsed values a key allows."""

    @property
    def allowed(self) -> str:
        """The allowed values, as documentation and errors print them."""
        ...

    def __call__(self, value: Value) -> str | None:
        """Return what is wrong with a value, or ``None``."""
        ...


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
    """One key.

    Attributes:
        default: the text of its default, ``None`` for none.
        rule: what its values obey.
        by_element: of a list, whether each element is judged by itself, an empty one refused, and one that comes again
            left out, as by Kafka's ``ValidList`` (KIP-1161).
    """

    name: str
    type: ConfigType
    default: str | None
    rule: ValueRule | None = None
    by_element: bool = False

    @property
    def takes_any_text(self) -> bool:
        """Whether no text is wrong."""
        types = {ConfigType.STRING, ConfigType.LIST, ConfigType.PASSWORD}
        return self.rule is None and not self.by_element and self.type in types

    def check(self, text: str) -> Value:
        """Read a value and judge it.

        Raises:
            ValueError: the message names the key, the value and what is allowed.
        """
        if self.by_element:
            return self._check_elements(text)
        try:
            value = parse(self.type, text)
        except ValueError as error:
            raise ValueError(f"Invalid value {text} for configuration {self.name}: {error}") from None
        fault = self.rule(value) if self.rule is not None else None
        if fault is not None:
            # Kafka names what it read: "+5" is 5.
            shown = text if self.type is ConfigType.LIST else value
            raise ValueError(f"Invalid value {shown} for configuration {self.name}: {fault}")
        return value

    def shown(self, text: str) -> str:
        """Return the text that a description has of a value: what was read of it, written again, as Kafka does.

        A text that cannot be read is shown as it is: a log may hold what is refused today.
        """
        if self.type is ConfigType.LIST:
            trimmed = text.strip(_TRIMMED)
            elements = [element.strip(_BLANKS) for element in trimmed.split(",")] if trimmed else []
            return ",".join(dict.fromkeys(elements) if self.by_element else elements)
        try:
            value = parse(self.type, text)
        except ValueError:
            return text
        if isinstance(value, bool):
            return "true" if value else "false"
        return _double_text(value) if isinstance(value, float) else str(value)

    def _check_elements(self, text: str) -> tuple[str, ...]:
        """Read a list and judge each of its elements; return each one once."""
        trimmed = text.strip(_TRIMMED)
        elements = [element.strip(_BLANKS) for element in trimmed.split(",")] if trimmed else []
        for element in elements:
            if not element:
                raise ValueError(f"Configuration '{self.name}' values must not be empty.")
            fault = self.rule((element,)) if self.rule is not None else None
            if fault is not None:
                raise ValueError(f"Invalid value {element} for configuration {self.name}: {fault}")
        return tuple(dict.fromkeys(elements))


def table(*keys: ConfigKey) -> Mapping[str, ConfigKey]:
    """Index keys by their names."""
    return {key.name: key for key in keys}


def parse(kind: ConfigType, text: str) -> Value:
    """Read the text of a value of that type.

    Raises:
        ValueError: the text is not of that type; the message says what it should be.
    """
    trimmed = text.strip(_TRIMMED)
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
    return tuple([element for part in text.split(",") if (element := part.strip(_BLANKS))])


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
    """Read a number as Java does, which takes the suffixes of its literals."""
    digits = text[:-1] if text[-1:] in tuple("dDfF") else text
    try:
        value = float(digits)
    except ValueError:
        raise ValueError("Not a number of type DOUBLE") from None
    if not text.isascii() or "_" in text or digits != digits.strip() or value != value:  # noqa: PLR0124 - not a number differs from itself
        raise ValueError("Not a number of type DOUBLE")
    return value


def _double_text(value: float) -> str:
    """Write a number as Java does: with a point, and from 10^7 on and below 10^-3 with an exponent.

    Source: Java ``Double.toString``.
    """
    if value in {float("inf"), float("-inf")}:
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0 or JAVA_PLAIN_MIN <= abs(value) < JAVA_PLAIN_MAX:
        plain = format(Decimal(repr(value)), "f")
        return plain if "." in plain else f"{plain}.0"
    mantissa, _, power = format(Decimal(repr(value)).normalize(), "E").partition("E")
    return f"{mantissa if '.' in mantissa else f'{mantissa}.0'}E{int(power)}"
