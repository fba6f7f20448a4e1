"""What is asked of a system under test, what comes back, and what such a system must be able to do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

NAMES = 4_096
"""Distinct keys of a commit benchmark: enough for every write in flight, few enough that the state stays small."""

WARM_UP_S = 3.0
"""How long a fresh cluster is written to before it is measured."""

POLL_S = 0.01

Address = tuple[str, int]
"""Host and port of a controller's listener."""

CONNECTIONS = 4
"""The number of connections that requests are spread over. kraftpy takes up to 1,000 of one at a time, Kafka one."""

ADMIN = "admin"
"""The form whose client is Kafka's own admin client, which writes to any controller that speaks Kafka's protocol."""


class SkippedError(Exception):
    """A system, or a measurement of it, that cannot be had here; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Writes to be made.

    Attributes:
        in_flight: unanswered requests of the closed loop; ignored by the open one.
        batch: records per request.
        value_bytes: length of each value.
        seconds: how long to measure, after the warm-up.
        rate: requests per second of an open loop; ``None`` for a closed one.
        total: stop after this many records instead, each under a name of its own; 0 goes by time.
        form: which of the system's clients to use; empty for its first.
        is_mixed: whether the writes are of many kinds and lengths (:mod:`bench.mixed`), whatever ``value_bytes`` says.
    """

    in_flight: int = 1
    batch: int = 1
    value_bytes: int = 256
    seconds: float = 3.0
    warmup_s: float = 1.0
    rate: float | None = None
    total: int = 0
    form: str = ""
    is_mixed: bool = False

    @property
    def label(self) -> str:
        """Name the work in a table, without the client's form."""
        size = "mixed" if self.is_mixed else f"{self.value_bytes} B"
        if self.rate is not None:
            return f"open loop {self.rate:g}/s, {size}"
        return f"{self.in_flight:,} in flight, {size}" + (f", batches of {self.batch}" if self.batch > 1 else "")

    def with_form(self, form: str) -> Work:
        """Return the same work for another client."""
        return replace(self, form=form)


@dataclass(slots=True)
class Outcome:
    """What became of the measured part of some work."""

    requests: int = 0
    records: int = 0
    elapsed_s: float = 0.0
    errors: int = 0
    first_error: str = ""
    client_cpu_s: float = 0.0
    latencies_us: list[float] = field(default_factory=list)

    @property
    def records_per_s(self) -> float:
        """Acknowledged records per second."""
        return self.records / self.elapsed_s if self.elapsed_s else 0.0


@dataclass(frozen=True, slots=True)
class Variant:
    """The same service, configured differently.

    Attributes:
        name: what is added to the system's name; empty for the service as it is.
        settings: what every node's configuration has besides: pairs of key and value.
    """

    name: str = ""
    settings: tuple[tuple[str, str], ...] = ()


AS_IT_IS = Variant()

Measuring = Callable[[], None]
"""Called once, when the warm-up is over."""


class Prober(Protocol):
    """A connected client that waits for the next success."""

    async def first_write(self) -> float:
        """Write until one write is acknowledged; return when that was (``time.time()``)."""
        ...


@dataclass(slots=True)
class BackgroundWrites:
    """What became of writes that were due at a steady rate.

    Attributes:
        due: when each should have started (``time.time()``).
        latencies_ms: from there to its acknowledgement; ``None`` where none came.
        first_error: of those.
    """

    due: list[float]
    latencies_ms: list[float | None]
    first_error: str = ""


class BackgroundWriter(Protocol):
    """A connected client that writes at a steady rate, whatever the cluster does."""

    async def connect(self) -> None:
        """Make the connections that were lost, so that none has to be made when it matters."""
        ...

    async def write_for(self, seconds: float) -> BackgroundWrites:
        """Write from now on for a time; return when every write has been acknowledged or has failed."""
        ...


class System(Protocol):
    """Three nodes under test. Node names are the keys of :attr:`pids`."""

    @property
    def name(self) -> str:
        """What it is called in tables."""
        ...

    @property
    def forms(self) -> tuple[str, ...]:
        """Its clients."""
        ...

    @property
    def addresses(self) -> Mapping[str, Address]:
        """Where each node listens for requests of Kafka's protocol; empty when it does not speak it."""
        ...

    @property
    def connections_max(self) -> int:
        """Over how many connections of Kafka's protocol requests in flight are spread."""
        ...

    @property
    def warm_up_s(self) -> float:
        """How long a fresh cluster of it is written to before it is measured: compiling just in time takes time."""
        ...

    @property
    def pids(self) -> dict[str, int]:
        """The running nodes' process ids."""
        ...

    def version(self) -> str:
        """Return its version.

        Raises:
            SkippedError: it is not installed, or its load tool cannot be had.
        """
        ...

    async def start(self, root: Path) -> None:
        """Start a fresh cluster in an empty directory; returns when a write has been committed."""
        ...

    async def stop(self) -> None:
        """End every process."""
        ...

    async def leader(self) -> str:
        """Return the leader's name, once there is one."""
        ...

    async def stop_node(self, name: str, *, kill: bool) -> None:
        """End one node: by kill -9, or in order."""
        ...

    async def start_node(self, name: str) -> None:
        """Start a node again; returns when its process runs."""
        ...

    async def positions(self) -> dict[str, int]:
        """Return how far each answering node's log (or state, where nothing else is known) reaches."""
        ...

    async def loaded(self, name: str) -> int:
        """Return how far a node's *state* reaches; -1 while it does not answer."""
        ...

    async def is_ready(self, name: str) -> bool:
        """Return whether the node serves clients."""
        ...

    async def run(self, work: Work, measuring: Measuring) -> Outcome:
        """Do some work."""
        ...

    @property
    def probers(self) -> tuple[str, ...]:
        """Its clients that can wait for the next leader."""
        ...

    def prober(self, form: str = "") -> AbstractAsyncContextManager[Prober]:
        """Connect a prober: one of :attr:`probers`, the first when none is named."""
        ...

    def background_writer(self, form: str = "") -> AbstractAsyncContextManager[BackgroundWriter]:
        """Connect a background writer: of the same client as one of :attr:`probers`."""
        ...

    def phases(self, killed: str, killed_at: float) -> dict[str, float]:
        """Return what the nodes' logs show of an election, in ms since the kill; empty when they show nothing."""
        ...

    def log_bytes(self, name: str) -> int:
        """Return how many bytes a node's log has, without what is preallocated."""
        ...


async def eventually(probe: Callable[[], Awaitable[bool]], what: str, timeout_s: float, poll_s: float = POLL_S) -> None:
    """Ask until the answer is yes.

    Raises:
        TimeoutError: it never was.
    """
    deadline = time.monotonic() + timeout_s
    while not await probe():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {timeout_s:g} s: {what}")
        await asyncio.sleep(poll_s)
