"""Decisions that take longer than a turn may: generators that yield between slices of some milliseconds.

What they look at must not change meanwhile: the image is immutable, and the caller appends nothing until the decision
is made.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final, TypeAlias, TypeVar

T = TypeVar("T")

Slices: TypeAlias = Generator[None, None, T]
"""Work in slices: each ``next`` does one, and the value of its StopIteration is the outcome."""

PARTITIONS_PER_SLICE: Final = 250
"""How many partitions are placed or worked out in one slice: about 5 ms."""

LOOKS_PER_SLICE: Final = 10_000
"""How many partitions are looked at in one slice."""

LOOKS_PER_CHANGE: Final = LOOKS_PER_SLICE // PARTITIONS_PER_SLICE
"""As how many looks at a partition the change of one counts."""

LOOKS_PER_REPEATED_CHANGE: Final = LOOKS_PER_CHANGE // 8
"""The same of a change that was worked out for another partition before."""


def begun(slices: Slices[T]) -> T | Slices[T]:
    """Do the first slice; return the outcome if that was all, else what is left."""
    try:
        next(slices)
    except StopIteration as end:
        outcome: T = end.value
        return outcome
    return slices


def finished(slices: Slices[T]) -> T:
    """Do all slices; return the outcome."""
    while True:
        try:
            next(slices)
        except StopIteration as end:
            outcome: T = end.value
            return outcome
