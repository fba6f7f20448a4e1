"""The history of one entity: every record that affected it, and what it changed.

The records of the shards in question are replayed one by one, and the entities are compared before and after each. A
topic's history includes its partitions and its configs, and a topic that was created again under the same name; a
broker's includes its configs. A record that clears the eligible leaders of every topic is part of the histories in
which it changed something. Records of aborted transactions changed nothing and are left out; those of a committed one
are in their own order, in which they take effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kraftpy.audit.diff import StateChange
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.labels import label_fields
from kraftpy.audit.offset_bounds import check_end
from kraftpy.audit.reading.author_rows import Authors
from kraftpy.audit.reading.contradictions import contradiction_rows
from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.reading.first_pass import first_passes, joined
from kraftpy.audit.reading.reader import files_of_replay, replay_entries
from kraftpy.audit.reading.rows import LOG, Entry
from kraftpy.audit.reading.unread import Unread, relevant_to, unread_of
from kraftpy.audit.replay import KraftReplay, NodePlan
from kraftpy.audit.replay.rows import decode, entry_type
from kraftpy.audit.replay.settings import CONFIG_TYPES, ConfigSlice
from kraftpy.audit.replay.shards import SLICES, Shard, shard_of
from kraftpy.audit.replay.slice import EntityKey, Held, IllegalRecordError, RecordPosition, Slice
from kraftpy.audit.replay.topics import TopicSlice
from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.model.ids import uuid_to_text
from kraftpy.model.iso_time import time_fields
from kraftpy.records.authors import Author
from kraftpy.records.metadata import ClearElrRecord, RemoveTopicRecord, TopicRecord

KINDS: Final = ("topic", "broker", "config")


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One record in an entity's history.

    Attributes:
        kind: ``log``, or ``snapshot`` for what the replay starts from; the offset is then that in the file.
        type: Kafka's name of the record.
        author: who asked for it; ``None`` where the log names no author.
        changes: what it changed; empty if the values were the same already.
        problem: why it contradicts the state, otherwise ``None``.
    """

    cluster: str
    node: str
    file: str
    kind: str
    offset: int
    epoch: int
    timestamp_ms: int
    type: str
    changes: tuple[StateChange, ...]
    problem: str | None = None
    author: Author | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the record as plain values."""
        return {
            **label_fields(self.cluster, self.node),
            "file": self.file,
            "fileKind": self.kind,
            "offset": self.offset,
            "leaderEpoch": self.epoch,
            **time_fields("create", self.timestamp_ms),
            "type": self.type,
            "author": None if self.author is None else self.author.as_json(),
            "changes": [change.as_json() for change in self.changes],
            "problem": self.problem,
        }


def history(
    paths: Sequence[str],
    kind: str,
    name: str,
    as_of: AsOf,
    *,
    salt: bytes = b"",
    unread: list[Unread] | None = None,
) -> Iterator[HistoryEntry]:
    """Iterate over the history of an entity in every cluster of some paths, in the order of the log.

    Args:
        paths: as for an audit.
        kind: one of :data:`KINDS`.
        name: a topic's name, a broker's id, or ``TYPE:NAME`` of a config resource (``topic:orders``, ``broker:``).
        as_of: up to where.
        salt: see :class:`~kraftpy.audit.replay.plan.NodePlan`.
        unread: receives what was not read, where records of these histories may be missing, cluster by cluster.

    Raises:
        LocalError: when the kind or the name is invalid, or the log ends before ``as_of``.
    """
    shards = shards_named(kind, name)
    files = discover(paths)
    passes = first_passes([file for file in files if file.has_batches], None)
    summaries, control_entries = joined(passes)
    missing = unread_of(summaries, contradiction_rows(files, summaries))
    for plan in KraftReplay(salt).plan(summaries, control_entries, as_of).plans:
        assert isinstance(plan, NodePlan)
        if plan.is_primary:
            if unread is not None:
                unread += relevant_to(missing, plan.cluster, plan.node, as_of.offset)
            check_end(plan.cluster, plan.node, plan.until, as_of)
            chosen = files_of_replay(files, (plan.cluster, plan.node))
            ids = {*shards, *_topic_shards(kind, name, replay_entries(chosen, plan.takes))}
            authors = Authors(
                row for each in passes for row in each.authors if (row.cluster, row.node) == (plan.cluster, plan.node)
            )
            yield from _EntityHistory(plan, ids, authors).steps(replay_entries(chosen, plan.takes))


def shards_named(kind: str, name: str) -> set[Shard]:
    """Return the shards of a name; those of a topic's ids are found in the log.

    Raises:
        LocalError: when the kind or the name is invalid.
    """
    if kind == "topic":
        if not name:
            raise LocalError("topic '' is no topic: the name is empty")
        return {Shard("config", f"topic:{name}")}
    if kind == "broker":
        if not (name.isascii() and name.isdecimal()):
            raise LocalError(f"broker {name!r} is no broker id: ids are numbers")
        return {Shard("broker", name), Shard("config", f"broker:{name}")}
    if kind != "config":
        raise LocalError(f"there is no history of a {kind!r}; there are: {', '.join(KINDS)}")
    resource_type, separator, _ = name.partition(":")
    if not separator or resource_type not in CONFIG_TYPES.values():
        raise LocalError(f"config {name!r} is not TYPE:NAME with a type of {', '.join(CONFIG_TYPES.values())}")
    return {Shard("config", name)}


def _topic_shards(kind: str, name: str, entries: Iterable[Entry]) -> set[Shard]:
    """Return the shards of all topics that ever had the name."""
    if kind != "topic":
        return set()
    found = set()
    for entry in entries:
        if not entry.control and entry.api_key == TopicRecord.API_KEY:
            record = _read(entry)
            if isinstance(record, TopicRecord) and record.name == name:
                found.add(Shard("topic", uuid_to_text(record.topic_id)))
    return found


def _read(entry: Entry) -> Any:
    try:
        return decode(entry)
    except MalformedError:
        return None


class _EntityHistory:
    """Replays some shards of one node and yields what each record changed."""

    def __init__(self, plan: NodePlan, shards: set[Shard], authors: Authors) -> None:
        self._plan = plan
        self._authors = authors
        self._states: dict[Shard, Slice] = {shard: SLICES[shard.kind]() for shard in shards}
        self._last: dict[Shard, int] = {}
        self._gone: dict[int, ConfigSlice] = {}
        for shard, state in self._states.items():
            kind, _, name = shard.name.partition(":")
            if isinstance(state, ConfigSlice) and kind == "topic":
                self._gone |= dict.fromkeys((due.offset for due in plan.removals.get(name, ())), state)

    def steps(self, entries: Iterable[Entry]) -> Iterator[HistoryEntry]:
        """Iterate over the records of the shards."""
        base = self._plan.base
        for entry in entries:
            if entry.control or (entry.kind != LOG and (base is None or entry.file != base.file)):
                continue
            if entry.kind == LOG and not self._counts(entry):
                continue
            record = _read(entry)
            if record is None:
                continue
            yield from self._step(entry, record)

    def _counts(self, entry: Entry) -> bool:
        effective = self._plan.effective(entry.offset)
        late = self._plan.until_ms is not None and entry.timestamp_ms > self._plan.until_ms
        return effective is not None and effective < self._plan.until and not late

    def _step(self, entry: Entry, record: Any) -> Iterator[HistoryEntry]:
        states = self._touched(entry, record)
        if not states or self._is_repeated(entry, record):
            return
        before = [dict(state.entities()) for state in states]
        problem = None
        try:
            for state in states:
                self._replay(state, record, RecordPosition(entry.file, entry.offset))
        except IllegalRecordError as error:
            problem = str(error)
        changes = [change for state, old in zip(states, before, strict=True) for change in self._changes(state, old)]
        if not changes and isinstance(record, ClearElrRecord) and not record.topic_name:
            return
        yield HistoryEntry(
            self._plan.cluster, self._plan.node, entry.file, entry.kind, entry.offset, entry.epoch, entry.timestamp_ms,
            entry_type(entry, record), tuple(changes), problem, self._authors.of(entry.file, entry.offset),
        )  # fmt: skip

    def _is_repeated(self, entry: Entry, record: Any) -> bool:
        """Return whether the shard has replayed the offset already: duplicated batches change nothing."""
        shard = shard_of(record)
        if entry.kind != LOG or entry.offset <= self._last.get(shard, -1):
            return entry.kind == LOG
        self._last[shard] = entry.offset
        return False

    def _touched(self, entry: Entry, record: Any) -> list[Slice]:
        """Return the states that a record may change: the configs of a topic are removed with it."""
        if isinstance(record, ClearElrRecord):
            topics = [state for state in self._states.values() if isinstance(state, TopicSlice)]
            return [state for state in topics if record.topic_name in {"", state.name}]
        found = self._states.get(shard_of(record))
        states = [] if found is None else [found]
        if isinstance(record, RemoveTopicRecord) and entry.kind == LOG and entry.offset in self._gone:
            states.append(self._gone[entry.offset])
        return states

    def _replay(self, state: Slice, record: Any, place: RecordPosition) -> None:
        if isinstance(record, ClearElrRecord):
            assert isinstance(state, TopicSlice)
            state.clear_elr(place)
        elif isinstance(record, RemoveTopicRecord) and isinstance(state, ConfigSlice):
            state.forget()
        else:
            for _ in state.replay(record, place):
                pass

    def _changes(self, state: Slice, before: dict[EntityKey, Held]) -> Iterator[StateChange]:
        after = dict(state.entities())
        for key in sorted({*before, *after}):
            old, new = before.get(key), after.get(key)
            if old is not None and new is not None and old.value == new.value:
                continue
            yield StateChange(*key, self._shown(state, key, old), self._shown(state, key, new))

    def _shown(self, state: Slice, key: EntityKey, held: Held | None) -> str | None:
        return None if held is None else state.shown(key, held.value, self._plan.salt)
