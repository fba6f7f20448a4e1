"""The protocols of an engine, and of the replay that it calls.

An engine loads paths into named tables and answers SQL queries on them. It knows files, batches and shards. What a
record means is known to a :class:`Replay`:

1. ``plan`` receives the first pass's summaries and control entries and returns what is to be replayed: for each node,
   from which snapshot, over which offsets, which snapshots are compared with the log, around which aborted
   transactions.
2. ``shard_of`` returns the entity that a record is about. Records of one plan with equal keys are replayed together.
3. ``replay`` receives one plan and the records of some of its shards (those of snapshots first, then the log's, each
   ascending by file and offset) and yields rows of the state tables.

SQL is the common subset of Spark SQL and DuckDB over flat tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kraftpy.audit.engines.asking import NOTHING, Answers, ClusterQuery, CountQuery, RuleQuestion, Wanted
from kraftpy.audit.reading.columns import Columns
from kraftpy.audit.reading.record_chunks import RecordChunk
from kraftpy.audit.reading.rows import ControlEntry, Entry, FileSummary


@dataclass(frozen=True, slots=True)
class AsOf:
    """The point at which a state is wanted. At most one of the two is set.

    Attributes:
        offset: exclusive: the state includes the records before it.
        timestamp_ms: the state includes the batches whose largest timestamp is not after it.
    """

    offset: int | None = None
    timestamp_ms: int | None = None


class ReplayPlan(Protocol):
    """How one node's records are replayed, as far as an engine needs to know. It is small and can be pickled."""

    @property
    def cluster(self) -> str:
        """The cluster's label."""
        ...

    @property
    def node(self) -> str:
        """The node's label."""
        ...

    def takes(self, file: str, kind: str, offset: int) -> bool:
        """Return whether a record has to reach :meth:`Replay.replay`."""
        ...

    def bounds(self, file: str, kind: str) -> tuple[int, int]:
        """Return the offsets that :meth:`takes` accepts of a file, as ``[from, to)``."""
        ...


@dataclass(frozen=True, slots=True)
class Planned:
    """What is to be replayed.

    Attributes:
        plans: at most one per node; a node without one needs no replay.
        rows: (table, row) of the tables that planning fills.
    """

    plans: tuple[ReplayPlan, ...]
    rows: tuple[tuple[str, tuple[Any, ...]], ...]


class Replay(Protocol):
    """What an engine calls; the module ``kraftpy.audit.replay`` provides it."""

    @property
    def tables(self) -> Mapping[str, Columns]:
        """All tables that planning and replay fill; an engine creates all of them, also those without rows."""
        ...

    def plan(self, summaries: Sequence[FileSummary], control_entries: Iterable[ControlEntry], as_of: AsOf) -> Planned:
        """Return what is to be replayed. Control entries may be in any order."""
        ...

    def shard_of(self, entry: Entry) -> bytes:
        """Return the key of the entity that a record is about."""
        ...

    def shards_of(self, chunk: RecordChunk) -> tuple[Sequence[bytes], Any]:
        """Return the different keys of a chunk's data records, and an array with the place of each record's key."""
        ...

    def replay(
        self, plan: ReplayPlan, chunks: Callable[[], Iterable[RecordChunk]]
    ) -> Iterator[tuple[str, tuple[Any, ...] | Any]]:
        """Yield (table, row) and (table, ``pyarrow.Table`` of rows) of the entities that the records are about.

        Args:
            plan: what to replay.
            chunks: returns the records of whole shards, from the beginning at each call: all within the plan's bounds,
                snapshots before the log, each ascending by file and offset.
        """
        ...


class Engine(Protocol):
    """Loads metadata files into tables and answers SQL over them.

    Tables: those of ``reading.file_tables``, and those of the replay.
    """

    @property
    def name(self) -> str:
        """``local`` or ``spark``; part of the output."""
        ...

    def load(self, paths: Sequence[str], as_of: AsOf, wanted: Wanted = NOTHING) -> Mapping[str, Columns]:
        """Read and replay the files, and register the tables for :meth:`sql`; return the tables' columns by name.

        Args:
            paths: files, directories or trees.
            as_of: the state that is wanted.
            wanted: what :meth:`ask` and :meth:`by_cluster` will be called with, if that is known.
        """
        ...

    def sql(self, text: str) -> Any:
        """Run a query and return a ``pyarrow.Table``."""
        ...

    def ask(
        self,
        questions: Sequence[RuleQuestion],
        count_query: CountQuery,
        limit: int,
        progress: Callable[[int], None] | None = None,
    ) -> Answers:
        """Ask many questions of the tables; see ``engines.asking``. The answers do not depend on the engine."""
        ...

    def by_cluster(self, query: ClusterQuery) -> Any:
        """Run a query that concerns one cluster at a time, and return a ``pyarrow.Table``."""
        ...

    def add(self, name: str, columns: Columns, rows: Sequence[Sequence[Any]]) -> None:
        """Register a small table of the caller's for :meth:`sql`."""
        ...

    def close(self) -> None:
        """Release all resources."""
        ...


class ProgressReport(Protocol):
    """Receives how far a step has come."""

    def __call__(self, what: str, done: int, total: int, files: int = 0, of_files: int = 0) -> None:
        """Take what is done.

        Args:
            what: the name of the step.
            done: bytes of files; rules where the step has no files.
            total: the same, of the whole step.
            files: how many files are done.
            of_files: how many files the step has; 0 for a step that has none.
        """
        ...
