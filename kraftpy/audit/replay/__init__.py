"""State from records: the auditor's own replay, shard by shard.

What this room is for: turning record entries into rows of the tables that rules ask (``audit.tables``). What it may not
know: files, engines, and the service's own replay. It is plain Python over values, so that it runs in one process as in
a worker of Spark's. :data:`REPLAY` is what an engine asks (``engines.protocol.Replay``).

A *plan* per node says from which snapshot the replay starts and which other snapshots the log is held against. The
state of a cluster is taken from its most advanced node; the others are only replayed to check their snapshots, and not
at all when they have none. Whether nodes agree byte by byte is for a rule over the table ``batches``.

Reading order: ``rows``, ``plan``, ``shards``, ``slice``, ``topics``, ``nodes``, ``settings``, ``quorum``, ``legality``,
``replay``; ``vectorized_replay`` and ``topic_state`` do the same for most topics, many records at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kraftpy.audit.engines.protocol import AsOf, Outline, Planned
from kraftpy.audit.reading.columns import Columns
from kraftpy.audit.reading.record_chunks import RecordChunk
from kraftpy.audit.reading.rows import ControlEntry, Entry, FileSummary
from kraftpy.audit.replay.plan import NodePlan, plan_nodes
from kraftpy.audit.replay.replay import replay_shards
from kraftpy.audit.replay.shards import shard_key
from kraftpy.audit.replay.vectorized_replay import replay_by_vectors, shards_by_vectors
from kraftpy.audit.tables import TABLES
from kraftpy.model.invariant import invariant

__all__ = ["REPLAY", "KraftReplay", "NodePlan"]


@dataclass(frozen=True, slots=True)
class KraftReplay:
    """Replay as an engine asks for it.

    Attributes:
        salt: see :class:`~kraftpy.audit.replay.plan.NodePlan`.
        with_entities: the same.
    """

    salt: bytes = b""
    with_entities: bool = True

    @property
    def tables(self) -> Mapping[str, Columns]:
        """All tables that planning and replay fill."""
        return {name: table.columns for name, table in TABLES.items()}

    def plan(self, spans: Sequence[FileSummary], marks: Iterable[ControlEntry], as_of: AsOf) -> Planned:
        """Say what is to be replayed."""
        return plan_nodes(spans, marks, as_of, salt=self.salt, with_entities=self.with_entities)

    def shard_of(self, entry: Entry) -> bytes:
        """Name the entity that a record is about."""
        return shard_key(entry)

    def shards_of(self, part: RecordChunk) -> Sequence[bytes]:
        """Name the entities that a part's data records are about."""
        return shards_by_vectors(part)

    def replay_shard(self, outline: Outline, entries: Iterable[Entry]) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Yield (table, row) for the entities that these records are about."""
        invariant(isinstance(outline, NodePlan), "an outline is what this replay has planned", type(outline))
        assert isinstance(outline, NodePlan)
        return replay_shards(outline, entries)

    def replay_parts(
        self, outline: Outline, parts: Callable[[], Iterable[RecordChunk]]
    ) -> Iterator[tuple[str, tuple[Any, ...] | Any]]:
        """Do as :meth:`replay_shard`, by columns; tables of topics come as ``pyarrow.Table``."""
        invariant(isinstance(outline, NodePlan), "an outline is what this replay has planned", type(outline))
        assert isinstance(outline, NodePlan)
        return replay_by_vectors(outline, parts)


REPLAY = KraftReplay()
"""Replay without digests of secrets."""
