"""Which values a config key allows: ranges, words, lists of words.

Each rule is a value: it judges a parsed value, and describes what it allows. The texts of faults are Kafka's, because
they are sent to Kafka's clients.

Source: Kafka ``ConfigDef.Range``, ``ValidString``, ``ValidList``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kraftpy.config_keys.types import Value


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from ``low`` to ``high``, both inclusive; ``None`` is no bound but the type's."""

    low: float
    high: float | None = None

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        return f"at least {self.low}" if self.high is None else f"{self.low} to {self.high}"

    def __call__(self, value: Value) -> str | None:
        """Return what is wrong with a number."""
        number = _as_number(value)
        if number < self.low:
            return f"Value must be at least {self.low}"
        return f"Value must be no more than {self.high}" if self.high is not None and number > self.high else None


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        return "one of " + ", ".join(self.words)

    def __call__(self, value: Value) -> str | None:
        """Return what is wrong with a word."""
        return None if value in self.words else f"String must be one of: {', '.join(self.words)}"


@dataclass(frozen=True, slots=True)
class SubsetOf:
    """Lists whose elements are all among some words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        return "any of " + ", ".join(self.words)

    def __call__(self, value: Value) -> str | None:
        """Return what is wrong with a list."""
        others = isinstance(value, tuple) and set(value).difference(self.words)
        return f"String must be one of: {', '.join(self.words)}" if others else None


@dataclass(frozen=True, slots=True)
class Check:
    """Any other rule: a description and a function."""

    allowed: str
    judge: Callable[[Value], str | None]

    def __call__(self, value: Value) -> str | None:
        """Return what is wrong with a value."""
        return self.judge(value)


def at_least(lowest: float) -> Range:
    """Allow numbers from ``lowest`` up."""
    return Range(lowest)


def between(lowest: float, highest: float) -> Range:
    """Allow numbers in ``[lowest, highest]``."""
    return Range(lowest, highest)


def one_of(*words: str) -> OneOf:
    """Allow these words only."""
    return OneOf(words)


def subset_of(*words: str) -> SubsetOf:
    """Allow lists whose elements are all among these words."""
    return SubsetOf(words)


def minus_one_or_between(lowest: int, highest: int) -> Check:
    """Allow -1 and numbers in ``[lowest, highest]``."""

    def judge(value: Value) -> str | None:
        fits = value == -1 or lowest <= _as_number(value) <= highest
        return None if fits else f"Value must be -1 or between {lowest} and {highest}"

    return Check(f"-1, or {lowest} to {highest}", judge)


def _unlimited_or_at_least_one(value: Value) -> str | None:
    return "Value must be unlimited (-1) or at least 1" if value == 0 else None


UNLIMITED_OR_POSITIVE = Check("-1 (no limit), or at least 1", _unlimited_or_at_least_one)


def _as_number(value: Value) -> float:
    assert isinstance(value, int | float), value
    return value
