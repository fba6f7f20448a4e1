"""Record-wise replay of shards: records in, rows of the state's tables out.

A shard holds one live state and, for every snapshot that the plan compares, the state in that snapshot. The log's
records are replayed onto the live state. Where a snapshot ends, both states are compared and the differences reported.
A record that contradicts the state is reported and skipped, so that one error does not hide the next.

An offset that a shard has replayed already is skipped: duplicated batches change nothing (a rule reports them).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kraftpy.audit.reading.rows import LOG, Entry
from kraftpy.audit.replay.legality import legality_problem
from kraftpy.audit.replay.plan import OFFSET_MAX, Due, NodePlan, SnapshotFile
from kraftpy.audit.replay.rows import decode, decode_control_entry, entry_type
from kraftpy.audit.replay.settings import ConfigSlice
from kraftpy.audit.replay.shards import QUORUM, REST, SLICES, UNREADABLE, Shard, principal_of, shard_of
from kraftpy.audit.replay.slice import Held, IllegalRecordError, RecordPosition, Slice
from kraftpy.audit.replay.topics import TopicSlice
from kraftpy.audit.tables import Row
from kraftpy.audit.times import hour_of
from kraftpy.model.errors import MalformedError
from kraftpy.records.control import UnknownControlRecord
from kraftpy.records.metadata import UnknownRecord

TableRow = tuple[str, Row]


def replay_shards(plan: NodePlan, entries: Iterable[Entry]) -> Iterator[TableRow]:
    """Replay any number of whole shards of one node.

    Args:
        plan: the node's plan.
        entries: all records of those shards, in :func:`~kraftpy.audit.replay.rows.replay_order`.

    Yields:
        (table name, row) of the tables that replay fills; the same rows, in another order, for any distribution of
        shards.
    """
    shards = Shards(plan)
    for entry in entries:
        yield from shards.take(entry)
    yield from shards.finish()


class Shards:
    """The shards of one node, created on demand."""

    def __init__(self, plan: NodePlan) -> None:
        self._plan = plan
        self._shards: dict[Shard, _ShardReplay] = {}

    def take(self, entry: Entry) -> Iterator[TableRow]:
        """Replay one record, in :func:`~kraftpy.audit.replay.rows.replay_order` within its shard."""
        shard, record, problem = _read(entry)
        return self._of(shard).take(entry, record, problem)

    def grow(self, shard: Shard, hour_ms: int, type_name: str, records: int, value_bytes: int) -> None:
        """Count records that a shard does not need for its replay."""
        self._of(shard).grow((hour_ms, type_name, None), records, value_bytes)

    def finish(self) -> Iterator[TableRow]:
        """Yield the rows of the states, after all records."""
        for replay in self._shards.values():
            yield from replay.finish()

    def _of(self, shard: Shard) -> _ShardReplay:
        replay = self._shards.get(shard)
        if replay is None:
            replay = self._shards[shard] = _ShardReplay(shard, self._plan)
        return replay


def final_states(plan: NodePlan, entries: Iterable[Entry]) -> tuple[list[Slice], list[TableRow]]:
    """Replay whole shards of one node and return their final states, and the rows of ``record_problems``."""
    shards: dict[Shard, _ShardReplay] = {}
    problems: list[TableRow] = []
    for entry in entries:
        shard, record, problem = _read(entry)
        replay = shards.get(shard)
        if replay is None:
            replay = shards[shard] = _ShardReplay(shard, plan)
        problems += [row for row in replay.take(entry, record, problem) if row[0] == "record_problems"]
    states = [state for replay in shards.values() if (state := replay.settled()) is not None]
    return states, problems


def _read(entry: Entry) -> tuple[Shard, Any, str | None]:
    try:
        if entry.control:
            return QUORUM, decode_control_entry(entry), None
        record = decode(entry)
        return shard_of(record), record, None
    except MalformedError as error:
        return (QUORUM if entry.control else UNREADABLE), None, str(error)


class _ShardReplay:
    """One shard of one node."""

    __slots__ = ("_clearings", "_compares", "_growth", "_last", "_live", "_plan", "_removals", "_shard", "_stated")

    def __init__(self, shard: Shard, plan: NodePlan) -> None:
        self._shard = shard
        self._plan = plan
        self._live = self._new()
        self._stated: dict[str, Slice | None] = {}
        self._compares: list[SnapshotFile] = list(plan.compares)
        self._last = -1
        self._growth: dict[tuple[int, str, str | None], list[int]] = {}
        self._removals = self._topic_removals()
        self._clearings: list[tuple[Due, str]] = list(plan.elr_clearings) if shard.kind == "topic" else []

    def _new(self) -> Slice | None:
        slice_type = SLICES.get(self._shard.kind)
        return None if slice_type is None else slice_type()

    def _topic_removals(self) -> list[Due]:
        kind, _, name = self._shard.name.partition(":")
        if self._shard.kind != "config" or kind != "topic":
            return []
        return list(self._plan.removals.get(name, ()))

    def take(self, entry: Entry, record: Any, problem: str | None) -> Iterator[TableRow]:
        """Replay one record of the shard."""
        if entry.kind == LOG:
            yield from self._take_log(entry, record, problem)
        else:
            yield from self._take_snapshot(entry, record, problem)

    def _take_snapshot(self, entry: Entry, record: Any, problem: str | None) -> Iterator[TableRow]:
        base = self._plan.base
        if base is not None and entry.file == base.file:
            yield from self._judged(entry, record, problem, self._live, history=self._plan.is_primary)
        elif any(each.file == entry.file for each in self._compares):
            stated = self._stated.get(entry.file)
            if stated is None:
                stated = self._stated[entry.file] = self._new()
            yield from self._judged(entry, record, problem, stated, history=False)
        elif self._plan.is_primary and entry.file not in self._stated:
            yield from self._judged(entry, record, problem, None, history=False)

    def _take_log(self, entry: Entry, record: Any, problem: str | None) -> Iterator[TableRow]:
        plan = self._plan
        if entry.offset <= self._last or not plan.start <= entry.offset < plan.until:
            return
        if plan.until_ms is not None and entry.timestamp_ms > plan.until_ms:
            return
        self._last = entry.offset
        self._grow(entry, record)
        in_transactions = plan.transactions and not entry.control
        effective = plan.effective(entry.offset) if in_transactions else entry.offset
        if effective is None or effective >= plan.until:
            yield from self._judged(entry, record, problem, None, history=False)
            return
        if self._removals or self._clearings or self._compares:
            yield from self._advance(Due(effective, entry.offset))
        yield from self._judged(entry, record, problem, self._live, history=plan.is_primary)

    def _advance(self, until: Due) -> Iterator[TableRow]:
        """Apply what is due before a record: removals of the topic, cleared ELRs, comparisons with snapshots."""
        while True:
            due = [
                *((at, 0) for at in self._removals[:1]),
                *((at, 1) for at, _ in self._clearings[:1]),
                *((Due(each.end_offset - 1, OFFSET_MAX), 2) for each in self._compares[:1]),
            ]
            first = min(due, default=None)
            if first is None or first[0] >= until:
                return
            if first[1] == 0:
                self._removals.pop(0)
                assert isinstance(self._live, ConfigSlice)
                self._live.forget()
            elif first[1] == 1:
                self._clear_elr(*self._clearings.pop(0))
            else:
                yield from self._compare(self._compares.pop(0))

    def _clear_elr(self, due: Due, name: str) -> None:
        assert isinstance(self._live, TopicSlice)
        if not name or name == self._live.name:
            self._live.clear_elr(RecordPosition("", due.offset))

    def _judged(
        self, entry: Entry, record: Any, problem: str | None, state: Slice | None, *, history: bool
    ) -> Iterator[TableRow]:
        """Replay a record onto a state, if there is one, and yield its problems."""
        place = RecordPosition(entry.file, entry.offset)
        if record is None:
            yield from self._problem(entry, "malformed", None, problem)
            return
        if isinstance(record, UnknownRecord | UnknownControlRecord):
            yield from self._problem(entry, "unknown", record, None)
            return
        if not entry.control:
            level = self._plan.level_at(entry)
            for name, detail in legality_problem(record, entry.version, level):
                yield from self._problem(entry, name, record, detail, level)
        if state is None or type(record) not in state.TAKES:
            return
        try:
            for table, values in state.replay(record, place):
                if history:
                    yield table, (self._plan.cluster, self._plan.node, entry.file, *values)
        except IllegalRecordError as error:
            if self._plan.is_partial:
                return
            yield from self._problem(entry, error.problem, record, str(error))

    def _problem(
        self, entry: Entry, name: str, record: Any, detail: str | None, level: int | None = None
    ) -> Iterator[TableRow]:
        if self._plan.is_primary:
            values = (entry.kind, entry.offset, entry_type(entry, record), entry.version, level, name, detail)
            yield "record_problems", (self._plan.cluster, self._plan.node, entry.file, *values)

    def _compare(self, snapshot: SnapshotFile) -> Iterator[TableRow]:
        stated = self._stated.pop(snapshot.file, None) or self._new()
        live = self._live
        if stated is None or live is None:
            return
        in_snapshot, in_log = dict(stated.entities()), dict(live.entities())
        for key in sorted({*in_snapshot, *in_log}):
            theirs, ours = in_snapshot.get(key), in_log.get(key)
            if theirs is not None and ours is not None and theirs.value == ours.value:
                continue
            values = (snapshot.end_offset, *key, self._shown(stated, key, theirs), self._shown(live, key, ours))
            evidence = snapshot.end_offset if ours is None else ours.place.offset
            yield "snapshot_differences", (self._plan.cluster, self._plan.node, snapshot.file, *values, evidence)
        if self._plan.is_primary and isinstance(live, TopicSlice) and isinstance(stated, TopicSlice):
            for table, values in live.fallen(stated, snapshot.file):
                yield table, (self._plan.cluster, self._plan.node, snapshot.file, *values)

    def _shown(self, state: Slice, key: tuple[str, str], held: Held | None) -> str | None:
        return None if held is None else state.shown(key, held.value, self._plan.salt)

    def _grow(self, entry: Entry, record: Any) -> None:
        if self._plan.is_primary:
            principal = None if entry.control or record is None else principal_of(self._shard, record)
            self.grow((hour_of(entry.timestamp_ms), entry_type(entry, record), principal), 1, len(entry.raw))

    def grow(self, key: tuple[int, str, str | None], records: int, value_bytes: int) -> None:
        """Count records of one hour, type and principal."""
        counted = self._growth.setdefault(key, [0, 0])
        counted[0] += records
        counted[1] += value_bytes

    def settled(self) -> Slice | None:
        """Apply what is due before the end, and return the live state."""
        for _ in self._advance(Due(self._plan.until, -1)):
            pass
        return self._live

    def finish(self) -> Iterator[TableRow]:
        """Apply what is due before the end, and yield the rows of the state."""
        yield from self._advance(Due(self._plan.until, -1))
        if not self._plan.is_primary:
            return
        plan, live = self._plan, self._live
        last_name = live.last_name if isinstance(live, TopicSlice) else None
        entity = last_name or self._shard.name
        for (hour, type_name, principal), (records, size) in self._growth.items():
            values = (hour, type_name, self._shard.kind, entity, principal, records, size)
            yield "growth", (plan.cluster, plan.node, None, *values)
        if live is None or self._shard in {REST, UNREADABLE}:
            return
        for table, place, values in live.rows():
            yield table, (plan.cluster, plan.node, place.file, *values)
        for key, held in live.entities() if plan.with_entities else ():
            yield (
                "entities",
                (
                    plan.cluster,
                    plan.node,
                    held.place.file,
                    *key,
                    live.shown(key, held.value, plan.salt),
                    held.place.offset,
                ),
            )
