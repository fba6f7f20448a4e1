"""What an engine is, and what it asks of replay.

An engine loads paths into named tables and answers SQL over them. It knows files, batches and shards; what a record
means, it asks of a :class:`Replay`:

1. ``outlines`` gets the first pass's spans and marks and says what is to be replayed: for each node, from which
   snapshot, over which offsets, without which aborted transactions, under which feature levels.
2. ``shard_of`` names the entity that a record is about. Records of one outline with equal keys are replayed together.
3. ``replay_shard`` gets one outline and the entries of some shards of it (snapshot entries first, then the log's, each
   ascending by offset; aborted and open transactions already left out) and yields rows of the state tables.

SQL is the common subset of Spark SQL and DuckDB over flat tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kraftpy.audit.reading.columns import Columns
from kraftpy.audit.reading.rows import Entry, Mark, Span


@dataclass(frozen=True, slots=True)
class AsOf:
    """Up to where a state is replayed. At most one of the two is set.

    Attributes:
        offset: exclusive: the state holds what stands before it.
        timestamp_ms: the state holds the batches whose largest timestamp is not after it.
    """

    offset: int | None = None
    timestamp_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Outline:
    """One replay to run: it leads to one state of one node.

    Attributes:
        state: what the state stands for, for example ``current`` or ``snapshot:<file>``; a column of all state tables.
        base_file: the snapshot that it starts from, ``None`` to start from nothing.
        start_offset: the first log offset that counts.
        end_offset: the offset after the last one that counts; ``None`` takes every readable log record.
        aborted: half-open offset ranges in the log that are left out: aborted transactions, and one left open.
        levels: ``(offset, metadata.version level)`` in force from that log offset on; -1 for what the snapshot says.
    """

    cluster: str
    node: str
    state: str
    base_file: str | None
    start_offset: int
    end_offset: int | None
    aborted: tuple[tuple[int, int], ...] = ()
    levels: tuple[tuple[int, int], ...] = ()

    def takes(self, file: str, kind: str, offset: int) -> bool:
        """Say whether a record belongs to this replay."""
        if kind != "log":
            return file == self.base_file
        if offset < self.start_offset or (self.end_offset is not None and offset >= self.end_offset):
            return False
        return not any(begin <= offset < end for begin, end in self.aborted)


class Replay(Protocol):
    """What an engine asks of replay; the module ``kraftpy.audit.replay`` provides it."""

    @property
    def tables(self) -> Mapping[str, Columns]:
        """The state tables; each starts with the columns cluster, node and state."""
        ...

    def outlines(self, spans: Sequence[Span], marks: Sequence[Mark], as_of: AsOf) -> list[Outline]:
        """Say what is to be replayed."""
        ...

    def shard_of(self, entry: Entry) -> bytes:
        """Name the entity that a record is about."""
        ...

    def replay_shard(self, outline: Outline, entries: Iterable[Entry]) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Yield (table, row) for the entities that these records are about, once all of them were read."""
        ...


class Engine(Protocol):
    """Loads metadata files into tables and answers SQL over them.

    Tables: ``files``, ``batches``, ``records``, ``properties`` (``reading.columns``), and those of the replay.
    """

    @property
    def name(self) -> str:
        """``local`` or ``spark``; the output names it."""
        ...

    def load(self, paths: Sequence[str], as_of: AsOf) -> Mapping[str, Columns]:
        """Read the files, replay them, and make the tables known to :meth:`sql`; return what there is."""
        ...

    def sql(self, text: str) -> Any:
        """Answer a query as a ``pyarrow.Table``."""
        ...

    def add(self, name: str, columns: Columns, rows: Sequence[Sequence[Any]]) -> None:
        """Make a small table of the caller's known to :meth:`sql`."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""
