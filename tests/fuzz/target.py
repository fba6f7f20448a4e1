"""What a fuzz target is: bytes in; an answer, or one of the errors that are named here; nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

INPUT_BYTES_MAX = 64 * 1024
"""No input is longer: what costs more than its length in proportion shows below that."""

MEMORY_FACTOR = 64
"""How many times its bytes an input may take: a byte may become one small object, never more."""

MEMORY_BASE = 1024 * 1024

SECONDS_MAX = 1.0
"""How much processor time one input may take: more than ten times what the slowest honest one of its length does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One decoder, or one port.

    Attributes:
        name: of its module, and of its corpus.
        run: takes an input; a violated property is an AssertionError.
        refusals: the errors by which an input may be refused.
        samples: honest inputs by name, made by our own encoders; the mutator starts from them.
        words: pieces that mutations put in: what the format knows and chance would not find.
        memory_base: bytes that any input may take.
    """

    name: str
    run: Callable[[bytes], object]
    refusals: tuple[type[Exception], ...]
    samples: Callable[[], Iterable[tuple[str, bytes]]]
    words: tuple[bytes, ...] = ()
    memory_base: int = MEMORY_BASE
