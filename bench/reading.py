"""What is asked of a system that can be read and watched, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from bench.work import Measuring, Outcome, System, Work

MARK = "written-at-"
"""Before the time of a write (us) in its value."""
TIME_DIGITS = 16
WATCH_CONNECTIONS = 12
"""Of the watchers of either system, spread evenly over the three nodes."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Reads of single keys.

    Attributes:
        nodes: how many nodes are asked: 1 is the leader, 3 are all.
        is_linearizable: whether every acknowledged write must be in the answer; else the answering node's state counts.
        names: how many keys there are.
    """

    nodes: int
    is_linearizable: bool
    names: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """Watchers of everything that is written, and the rate of writes."""

    watchers: int
    rate: float
    seconds: float
    warmup_s: float

    def arguments(self) -> dict[str, str]:
        """Return the load tool's arguments."""
        return {
            "watchers": str(self.watchers), "seconds": str(self.seconds), "warmup": str(self.warmup_s), "mark": MARK,
        }  # fmt: skip


@dataclass(slots=True)
class Watched:
    """What was written in the measured time and reached the watchers, however late (for up to 10 s).

    Attributes:
        received: writes, of all watchers together.
        silent: watchers that received nothing.
        lags_us: from a write to its receipt, of one in sixteen.
        written: what the writer had acknowledged, per second.
        first_error: of a watch that broke, or of the writer.
    """

    received: int = 0
    silent: int = 0
    lags_us: list[float] = field(default_factory=list)
    client_cpu_s: float = 0.0
    elapsed_s: float = 0.0
    first_error: str = ""
    written_per_s: float = 0.0

    @classmethod
    def of(cls, found: Mapping[str, Any], writes: Outcome) -> Watched:
        """Put the results of watchers and writer together."""
        watched = cls(**dict(found))
        watched.lags_us = watched.lags_us or []
        watched.written_per_s = writes.records_per_s
        watched.first_error = watched.first_error or writes.first_error
        return watched


@runtime_checkable
class Readable(Protocol):
    """A system that can be read and watched, too."""

    @property
    def readers(self) -> tuple[str, ...]:
        """Its clients for reads."""
        ...

    async def read(self, reading: Reading, work: Work, measuring: Measuring) -> Outcome:
        """Do reads.

        Raises:
            SkippedError: it cannot be asked so; the text says why.
        """
        ...

    async def watch(self, watching: Watching, measuring: Measuring, measured: Measuring) -> Watched:
        """Start watchers, then write; return what reached them. ``measured`` is called at the end of that time."""
        ...


def readable(system: System) -> Readable:
    """Return a system as one that can be read."""
    if not isinstance(system, Readable):
        raise TypeError(f"{system.name} cannot be read: the command offers only peers that can")
    return system
