"""Vectorized replay: records of topics many at a time, all others one by one, with the rows of ``replay``.

Nearly all records of a large log are about topics and partitions, and nearly all of those have a few plain forms. They
are read and applied by columns; so are no-ops, which change nothing. A topic with any other record, or with one that
contradicts the state, is replayed record by record in a second reading of the files, by the code that reports problems.
So problems are defined in one place, and no rule is lost for speed.

A topic in an aborted or open transaction is replayed record by record, too. The records of a committed one are applied
at their own offsets, since no state within it is visible. A cleared ELR does not matter here: a record with an ELR has
no plain form. Snapshots to compare with are read by columns as well. A topic that differs in one of them is replayed
record by record, and so is a whole node whose snapshot ends within a transaction.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, TypeAlias

from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.record_chunks import RecordChunk
from kraftpy.audit.reading.rows import LOG, Entry
from kraftpy.audit.reading.topic_records import FRAME_BYTES, FieldReader, is_plain, read_changed, read_stated
from kraftpy.audit.replay.plan import NodePlan
from kraftpy.audit.replay.replay import Shards, TableRow
from kraftpy.audit.replay.rows import decode
from kraftpy.audit.replay.shards import REST, Shard, shard_key
from kraftpy.audit.replay.slice import RecordPosition, uuid_text
from kraftpy.audit.replay.topic_state import TopicState, encoded_uuids
from kraftpy.audit.times import hours_of
from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.model.features import BY_LEVEL
from kraftpy.records.authors import unfamiliar
from kraftpy.records.metadata import (
    NoOpRecord,
    PartitionChangeRecord,
    PartitionRecord,
    Record,
    RemoveTopicRecord,
    TopicRecord,
    record_version,
    type_name,
)

Array: TypeAlias = Any
Chunks: TypeAlias = Callable[[], Iterable[RecordChunk]]

_TOPIC, _PARTITION, _CHANGE, _REMOVE, _NO_OP = (
    each.API_KEY for each in (TopicRecord, PartitionRecord, PartitionChangeRecord, RemoveTopicRecord, NoOpRecord)
)
_TOPIC_KEYS: Final = (_TOPIC, _PARTITION, _CHANGE, _REMOVE)
_CLASSES: Final[dict[int, type[Record]]] = {
    each.API_KEY: each for each in (TopicRecord, PartitionRecord, PartitionChangeRecord, RemoveTopicRecord, NoOpRecord)
}
_TOPIC_RECORDS: Final = (TopicRecord, PartitionRecord, PartitionChangeRecord, RemoveTopicRecord)
_GROWING: Final = {_TOPIC: 0, _PARTITION: 1, _CHANGE: 2}
_TYPE_NAMES: Final = [type_name(_CLASSES[key]()) for key in _GROWING]
_NO_OP_NAME: Final = type_name(NoOpRecord())
_NO_OP_BYTES: Final = FRAME_BYTES + 1


class DisorderError(Exception):
    """Offsets do not ascend: records may have to be skipped, which only the record-wise replay decides."""


def replay_by_vectors(plan: NodePlan, chunks: Chunks) -> Iterator[TableRow | tuple[str, Any]]:
    """Replay whole shards of one node; tables of topics come as ``pyarrow.Table``."""
    if fits(plan):
        replay = _VectorReplay(plan)
        try:
            for chunk in chunks():
                replay.take(chunk)
        except DisorderError:
            pass
        else:
            yield from replay.finish(chunks)
            return
    shards = Shards(plan)
    for chunk in chunks():
        for entry in chunk.entries():
            yield from shards.take(entry)
    yield from shards.finish()


def fits(plan: NodePlan) -> bool:
    """Return whether a node can be replayed by columns."""
    ends_within = any(
        each.begin < snapshot.end_offset and (each.end is None or snapshot.end_offset <= each.end)
        for snapshot in plan.compares
        for each in plan.transactions
    )
    return not plan.with_entities and not ends_within


def _where(chunk: RecordChunk, wanted: Array) -> RecordChunk:
    """Return the data records of a mask, and all control records."""
    if wanted.all():
        return chunk
    names = ("positions", "offsets", "epochs", "timestamps", "api_keys", "versions", "starts", "sizes")
    return replace(chunk, **{name: getattr(chunk, name)[wanted] for name in names})


def shards_by_vectors(chunk: RecordChunk) -> tuple[list[bytes], Array]:
    """Return shard keys, as ``shards.shard_key`` does, and for each data record of a chunk the place of its key."""
    np = extra("numpy")
    places = np.full(len(chunk), -1, np.int64)
    reader = FieldReader(chunk)
    plain = is_plain(chunk)
    known = plain & (chunk.versions <= PartitionRecord.MAX_VERSION)
    topics: dict[bytes, int] = {}
    for key, read in ((_PARTITION, read_stated), (_CHANGE, read_changed)):
        chosen = np.flatnonzero(known & (chunk.api_keys == key))
        if len(chosen):
            found, _ = read(chunk, reader, chosen)
            places[found.indexes] = encoded_uuids(found.topic_ids, topics)
    place_of = {str(Shard("topic", uuid_text(each))).encode(): place for each, place in topics.items()}
    no_ops, _ = _empty_no_ops(chunk, _like_no_ops(chunk, plain))
    if len(no_ops):
        places[no_ops] = place_of.setdefault(str(REST).encode(), len(place_of))
    for index in np.flatnonzero(places < 0).tolist():
        places[index] = place_of.setdefault(shard_key(chunk.entry(index)), len(place_of))
    return list(place_of), places


def _like_no_ops(chunk: RecordChunk, plain: Array) -> Array:
    """Return which records have the frame and the size of a no-op without tags."""
    return plain & (chunk.api_keys == _NO_OP) & (chunk.sizes == _NO_OP_BYTES) & (chunk.versions == 0)


def _empty_no_ops(chunk: RecordChunk, like: Array) -> tuple[Array, Array]:
    """Return the indexes of no-ops, and of records that only look like them: their last byte is no number of tags."""
    np = extra("numpy")
    chosen = np.flatnonzero(like)
    is_empty = np.frombuffer(chunk.data, np.uint8)[chunk.starts[chosen] + FRAME_BYTES] == 0
    return chosen[is_empty], chosen[~is_empty]


class _VectorReplay:
    """The replay of one node; no row is yielded before all records were read."""

    def __init__(self, plan: NodePlan) -> None:
        self._np = extra("numpy")
        self._plan = plan
        self._topics = TopicState()
        self._compares = list(plan.compares)
        self._stated = {each.file: self._topics.beside() for each in plan.compares}
        self._shards = Shards(plan)
        self._rows: list[TableRow] = []
        self._created: list[tuple[int, tuple[Any, ...]]] = []
        self._growth: dict[tuple[int, int, int], list[int]] = {}
        self._single: list[int] = []
        self._next = 0
        self._last_offset = -1

    def take(self, chunk: RecordChunk) -> None:
        """Process records, in the order of the files.

        Raises:
            DisorderError: when the log's offsets do not ascend.
        """
        np = self._np
        if chunk.kind == LOG and self._plan.until_ms is not None:
            chunk = _where(chunk, chunk.timestamps <= self._plan.until_ms)
        if chunk.kind == LOG and len(chunk):
            if chunk.offsets[0] <= self._last_offset or (np.diff(chunk.offsets) <= 0).any():
                raise DisorderError
            self._last_offset = int(chunk.offsets[-1])
        if not self._is_replayed(chunk):
            self._take_singly(chunk.entries())
            return
        self._take_singly(entry for _, entry in chunk.controls)
        if chunk.kind == LOG:
            for piece in self._until_snapshots(chunk):
                self._take_into(self._topics, piece)
        else:
            self._take_into(self._stated.get(chunk.file, self._topics), chunk)

    def _is_replayed(self, chunk: RecordChunk) -> bool:
        """Return whether a chunk's records form a state; those of other snapshots are only checked one by one."""
        base = self._plan.base
        return chunk.kind == LOG or chunk.file in self._stated or (base is not None and chunk.file == base.file)

    def _until_snapshots(self, chunk: RecordChunk) -> Iterator[RecordChunk]:
        """Yield the pieces of a chunk of the log, and compare with the snapshots that end between them."""
        while self._compares and len(chunk) and chunk.offsets[-1] >= self._compares[0].end_offset:
            is_in_snapshot = chunk.offsets < self._compares[0].end_offset
            yield _where(chunk, is_in_snapshot)
            self._compare()
            chunk = _where(chunk, ~is_in_snapshot)
        yield chunk

    def _compare(self) -> None:
        """Compare the log with the next snapshot."""
        self._topics.give_up_different(self._stated[self._compares.pop(0).file])

    def _take_into(self, topics: TopicState, chunk: RecordChunk) -> None:
        """Apply the data records of one state; those without a plain form are replayed one by one."""
        np = self._np
        self._single = []
        plain = is_plain(chunk)
        keys = np.where(plain, chunk.api_keys, -1)
        legal = self._legal(chunk)
        no_op = _like_no_ops(chunk, plain) & legal
        self._take_no_ops(chunk, no_op)
        # A record with a longer frame than necessary is about a topic as well.
        is_about_topic = np.isin(chunk.api_keys, _TOPIC_KEYS)
        counts = plain & legal & self._effective(chunk)
        numbers = self._next + np.arange(len(chunk))
        self._next += len(chunk)
        self._take_odd(topics, chunk, np.flatnonzero(is_about_topic & ~counts))
        is_topic = is_about_topic & counts
        self._take_topics(topics, chunk, np.flatnonzero(is_topic & (keys == _TOPIC)), numbers)
        self._take_odd(topics, chunk, np.flatnonzero(is_topic & (keys == _REMOVE)))
        self._take_partitions(topics, chunk, is_topic, keys, numbers)
        self._single += np.flatnonzero(~is_about_topic & ~no_op).tolist()
        # Records of one shard have to be in order, whatever the reason that they are replayed one by one.
        self._take_singly(chunk.entry(index) for index in sorted(self._single))

    def _legal(self, chunk: RecordChunk) -> Array:
        """Return which records are allowed where they are; types that are not checked here count as allowed."""
        np = self._np
        levels = self._plan.levels.get(LOG if chunk.kind == LOG else chunk.file, ())
        legal = np.ones(len(chunk), bool)
        if not len(chunk) or not levels:
            return legal
        begins = [offset for offset, _ in levels]
        first = bisect_right(begins, int(chunk.offsets[0])) - 1
        last = bisect_right(begins, int(chunk.offsets[-1])) - 1
        for index in range(max(first, 0), last + 1):
            level = levels[index][1]
            if level not in BY_LEVEL:
                continue
            until = begins[index + 1] if index + 1 < len(begins) else chunk.offsets[-1] + 1
            here = (chunk.offsets >= begins[index]) & (chunk.offsets < until)
            for key, record_class in _CLASSES.items():
                legal &= ~(here & (chunk.api_keys == key) & (chunk.versions > _allowed(record_class, level)))
        return legal

    def _effective(self, chunk: RecordChunk) -> Array:
        """Return which records are not in a transaction that is aborted, or open at the end of the replay."""
        effective = self._np.ones(len(chunk), bool)
        if chunk.kind != LOG or not len(chunk):
            return effective
        for each in self._plan.transactions:
            if self._plan.effective(each.begin) is None or (each.end is not None and each.end >= self._plan.until):
                effective &= (chunk.offsets < each.begin) | (each.end is not None and chunk.offsets >= each.end)
        return effective

    def _take_no_ops(self, chunk: RecordChunk, like: Array) -> None:
        np = self._np
        empty, others = _empty_no_ops(chunk, like)
        self._single += others.tolist()
        if chunk.kind == LOG:
            hours, numbers = np.unique(_hours(chunk, empty), return_counts=True)
            for hour, number in zip(hours.tolist(), numbers.tolist(), strict=True):
                self._shards.grow(REST, hour, _NO_OP_NAME, number, number * _NO_OP_BYTES)

    def _take_topics(self, topics: TopicState, chunk: RecordChunk, chosen: Array, numbers: Array) -> None:
        taken: list[int] = []
        codes: list[int] = []
        for index in chosen.tolist():
            entry = chunk.entry(index)
            record = self._read(index, entry)
            if record is None:
                continue
            code = topics.code_of(record.topic_id)
            if unfamiliar(record.unknown_tags):
                topics.give_up(code)
            place = RecordPosition(entry.file, entry.offset)
            if topics.create(code, record.name, int(numbers[index]), place) and topics is self._topics:
                values = (uuid_text(record.topic_id), record.name, "created", entry.offset)
                self._created.append((code, (self._plan.cluster, self._plan.node, entry.file, *values)))
            taken.append(index)
            codes.append(code)
        self._grow(chunk, self._np.array(taken, self._np.int64), self._np.array(codes, self._np.int64), _TOPIC)

    def _take_partitions(
        self, topics: TopicState, chunk: RecordChunk, is_topic: Array, keys: Array, numbers: Array
    ) -> None:
        np = self._np
        reader = FieldReader(chunk)
        known = chunk.versions <= PartitionRecord.MAX_VERSION
        self._take_odd(topics, chunk, np.flatnonzero(is_topic & ~known & ((keys == _PARTITION) | (keys == _CHANGE))))
        chosen = np.flatnonzero(is_topic & known & (keys == _PARTITION))
        if len(chosen):
            stated, rest = read_stated(chunk, reader, chosen)
            self._take_odd(topics, chunk, rest)
            at, codes = stated.indexes, topics.codes_of(stated.topic_ids)
            topics.state(stated, codes, numbers[at], chunk.offsets[at], chunk.file)
            self._grow(chunk, at, codes, _PARTITION)
        chosen = np.flatnonzero(is_topic & known & (keys == _CHANGE))
        if len(chosen):
            changed, rest = read_changed(chunk, reader, chosen)
            self._take_odd(topics, chunk, rest)
            at, codes = changed.indexes, topics.codes_of(changed.topic_ids)
            topics.change(changed, codes, numbers[at], chunk.offsets[at], chunk.file)
            self._grow(chunk, at, codes, _CHANGE)

    def _take_odd(self, topics: TopicState, chunk: RecordChunk, chosen: Array) -> None:
        """Mark the topics of records without a plain form as odd; a record that cannot be decoded has no topic."""
        for index in chosen.tolist():
            record = self._read(index, chunk.entry(index))
            if record is not None:
                topics.give_up(topics.code_of(record.topic_id))

    def _read(self, index: int, entry: Entry) -> Any:
        """Return the record about a topic in an entry; any other entry is replayed one by one."""
        try:
            record = decode(entry)
        except MalformedError:
            record = None
        if not isinstance(record, _TOPIC_RECORDS):
            self._single.append(index)
            return None
        return record

    def _take_singly(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._rows += self._shards.take(entry)

    def _grow(self, chunk: RecordChunk, indexes: Array, codes: Array, key: int) -> None:
        """Count records of topics by hour; those of a snapshot do not count."""
        if chunk.kind != LOG or not len(indexes):
            return
        np = self._np
        hours, hour_of = np.unique(_hours(chunk, indexes), return_inverse=True)
        width = int(codes.max()) + 1
        places, place_of, numbers = np.unique(hour_of * width + codes, return_inverse=True, return_counts=True)
        sizes = np.bincount(place_of, weights=chunk.sizes[indexes])
        kind = _GROWING[key]
        for place, number, size in zip(places.tolist(), numbers.tolist(), sizes.tolist(), strict=True):
            counted = self._growth.setdefault((int(hours[place // width]), place % width, kind), [0, 0])
            counted[0] += number
            counted[1] += int(size)

    def finish(self, chunks: Chunks) -> Iterator[TableRow | tuple[str, Any]]:
        """Replay odd topics, and yield the rows of the states."""
        while self._compares:
            self._compare()
        odd = self._topics.odd_topics()
        if odd:
            for chunk in chunks():
                self._take_singly(self._entries_about(chunk, odd))
        yield from self._rows
        yield from self._shards.finish()
        plan, names = self._plan, self._topics.entity_names()
        if not plan.is_primary:
            return
        for code, values in self._created:
            if code in names:
                yield "topic_history", values
        for (hour, code, kind), (records, size) in self._growth.items():
            if code in names:
                values = (hour, _TYPE_NAMES[kind], "topic", names[code], None, records, size)
                yield "growth", (plan.cluster, plan.node, None, *values)
        yield from self._topics.tables(plan.cluster, plan.node)

    def _entries_about(self, chunk: RecordChunk, topic_ids: frozenset[bytes]) -> Iterator[Entry]:
        """Yield a chunk's records about these topics, and only those."""
        np = self._np
        if not self._is_replayed(chunk):
            return
        for index in np.flatnonzero(np.isin(chunk.api_keys, _TOPIC_KEYS)).tolist():
            entry = chunk.entry(index)
            if _is_about(entry, topic_ids):
                yield entry


def _is_about(entry: Entry, topic_ids: frozenset[bytes]) -> bool:
    try:
        record = decode(entry)
    except MalformedError:
        return False
    return isinstance(record, _TOPIC_RECORDS) and record.topic_id in topic_ids


def _allowed(record_class: type[Record], level: int) -> int:
    try:
        return record_version(record_class, level)
    except LocalError:
        return -1


def _hours(chunk: RecordChunk, indexes: Array) -> Array:
    return hours_of(chunk.timestamps[indexes])
