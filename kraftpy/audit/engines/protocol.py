"""What an engine is, and what it asks of replay.

An engine loads paths into named tables and answers SQL over them. It knows files, batches and shards; what a record
means, it asks of a :class:`Replay`:

1. ``plan`` gets the first pass's spans and marks and says what is to be replayed: for each node, from which snapshot,
   over which offsets, which snapshots the log is held against, around which aborted transactions.
2. ``shard_of`` names the entity that a record is about. Records of one outline with equal keys are replayed together.
3. ``replay`` gets one outline and the records of some shards of it (those of snapshots first, then the log's, each
   ascending by file and offset) and yields rows of the state tables.

SQL is the common subset of Spark SQL and DuckDB over flat tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kraftpy.audit.reading.columns import Columns
from kraftpy.audit.reading.record_chunks import RecordChunk
from kraftpy.audit.reading.rows import ControlEntry, Entry, FileSummary


@dataclass(frozen=True, slots=True)
class AsOf:
    """Up to where a state is replayed. At most one of the two is set.

    Attributes:
        offset: exclusive: the state holds what stands before it.
        timestamp_ms: the state holds the batches whose largest timestamp is not after it.
    """

    offset: int | None = None
    timestamp_ms: int | None = None


class Outline(Protocol):
    """How one node's records are replayed. What else is in it is replay's own business; it is small and pickles."""

    @property
    def cluster(self) -> str:
        """The label of the cluster."""
        ...

    @property
    def node(self) -> str:
        """The label of the node."""
        ...

    def takes(self, file: str, kind: str, offset: int) -> bool:
        """Return whether a record has to reach :meth:`Replay.replay`."""
        ...

    def bounds(self, file: str, kind: str) -> tuple[int, int]:
        """Return the offsets of a file that :meth:`takes` takes: the first one, and the one after the last."""
        ...


@dataclass(frozen=True, slots=True)
class Planned:
    """What the marks add up to.

    Attributes:
        outlines: at most one for each node; a node without one needs no replay.
        rows: (table, row) of the tables that planning fills.
    """

    outlines: tuple[Outline, ...]
    rows: tuple[tuple[str, tuple[Any, ...]], ...]


class Replay(Protocol):
    """What an engine asks of replay; the module ``kraftpy.audit.replay`` provides it."""

    @property
    def tables(self) -> Mapping[str, Columns]:
        """All tables that planning and replay fill; an engine makes them all, also those without rows."""
        ...

    def plan(self, spans: Sequence[FileSummary], marks: Iterable[ControlEntry], as_of: AsOf) -> Planned:
        """Say what is to be replayed. Marks come in any order."""
        ...

    def shard_of(self, entry: Entry) -> bytes:
        """Name the entity that a record is about."""
        ...

    def shards_of(self, part: RecordChunk) -> Sequence[bytes]:
        """Do as :meth:`shard_of` for every data record of a part."""
        ...

    def replay(
        self, outline: Outline, parts: Callable[[], Iterable[RecordChunk]]
    ) -> Iterator[tuple[str, tuple[Any, ...] | Any]]:
        """Yield (table, row) and (table, ``pyarrow.Table`` of rows) of the entities that the records are about.

        Args:
            outline: what to replay.
            parts: returns the records of whole shards, from the beginning each time it is called: all within the plan's
                bounds, snapshots before the log, each ascending by file and offset.
        """
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
