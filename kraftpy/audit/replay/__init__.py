"""State from records: the auditor's own replay, shard by shard.

Purpose: turn records into rows of the tables that rules query (``audit.tables``). It must not depend on files, engines,
or the service's own replay. It runs in this process and in Spark's workers alike. :data:`REPLAY` is what an engine
calls (``engines.protocol.Replay``).

A *plan* per node states from which snapshot the replay starts and which other snapshots are compared with the log. The
state of a cluster is taken from its most advanced node. The other nodes are replayed only to check their snapshots, and
not at all when they have none. Whether nodes agree byte by byte is for a rule over the table ``batches``.

Two replays share these modules:

* The *record-wise* one (``replay`` and the slices) defines what every record means and reports each that is malformed,
  unknown, illegal or contradicts the state. ``compact``, ``history`` and ``diff`` use nothing else; the first two run
  without numpy.
* The *vectorized* one (``vectorized_replay``, ``topic_state``) does the same for plain records of topics, many at a
  time, and reports nothing: a topic with any other record goes to the record-wise replay. Only ``audit`` uses it,
  because it pays there: a quarter of a million partitions take 2.8 s of CPU time and 580 MB instead of 8.2 s and
  950 MB, a log of a million partition changes 2.3 s instead of 15 s. Tests compare the rows of both.

Reading order: ``rows``, ``plan``, ``shards``, ``slice``, ``topics``, ``nodes``, ``settings``, ``quorum``, ``legality``,
``replay``; then ``topic_state`` and ``vectorized_replay``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kraftpy.audit.engines.protocol import AsOf, Planned, ReplayPlan
from kraftpy.audit.reading.columns import Columns
from kraftpy.audit.reading.record_chunks import RecordChunk
from kraftpy.audit.reading.rows import ControlEntry, Entry, FileSummary
from kraftpy.audit.replay.plan import NodePlan, plan_nodes
from kraftpy.audit.replay.shards import shard_key
from kraftpy.audit.replay.vectorized_replay import replay_by_vectors, shards_by_vectors
from kraftpy.audit.tables import TABLES
from kraftpy.model.invariant import invariant

__all__ = ["REPLAY", "KraftReplay", "NodePlan"]


@dataclass(frozen=True, slots=True)
class KraftReplay:
    """The replay that an engine calls.

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

    def plan(self, summaries: Sequence[FileSummary], control_entries: Iterable[ControlEntry], as_of: AsOf) -> Planned:
        """Return what is to be replayed."""
        return plan_nodes(summaries, control_entries, as_of, salt=self.salt, with_entities=self.with_entities)

    def shard_of(self, entry: Entry) -> bytes:
        """Return the key of the entity that a record is about."""
        return shard_key(entry)

    def shards_of(self, chunk: RecordChunk) -> tuple[Sequence[bytes], Any]:
        """Return the keys of the entities that a chunk's data records are about; see the protocol."""
        return shards_by_vectors(chunk)

    def replay(
        self, plan: ReplayPlan, chunks: Callable[[], Iterable[RecordChunk]]
    ) -> Iterator[tuple[str, tuple[Any, ...] | Any]]:
        """Yield (table, row) of the entities that the records are about; tables of topics come as ``pyarrow.Table``."""
        invariant(isinstance(plan, NodePlan), "a plan is made by this replay", type(plan))
        assert isinstance(plan, NodePlan)
        return replay_by_vectors(plan, chunks)


REPLAY = KraftReplay()
"""Replay without digests of secrets."""
