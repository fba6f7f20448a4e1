"""The state of many topics as columns: a row for each partition, changed by columns, and the resulting tables.

Rows are found by topic and partition number through a dense table. A topic with records that are not replayed here, or
that contradict each other, is marked *odd*, and all of its records are replayed one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.topic_records import UUID_BYTES, Changed, Lists, Stated
from kraftpy.audit.replay.slice import RecordPosition, uuid_text
from kraftpy.audit.replay.topics import MIGRATING
from kraftpy.audit.tables import TABLES
from kraftpy.model.ids import DIRECTORY_MIGRATING

Array: TypeAlias = Any
_NOWHERE: Final = -1
_START: Final = 1_024

FREE_NUMBERS: Final = 64
"""Partition numbers below this have a place in the dense table, however few partitions their topic has."""

NUMBERS_PER_PARTITION: Final = 16
"""And this many more for each partition that was defined."""


class _Grown:
    """An array that grows at its end, and whose elements may be set."""

    def __init__(self, kind: str) -> None:
        self._np = extra("numpy")
        self._room = self._np.zeros(_START, kind)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def all(self) -> Array:
        """The elements; setting one here sets it in the array."""
        return self._room[: self._size]

    def extend(self, more: Array) -> None:
        """Append elements."""
        size = self._size + len(more)
        if size > len(self._room):
            room = self._np.zeros(max(size, 2 * len(self._room)), self._room.dtype)
            room[: self._size] = self.all
            self._room = room
        self._room[self._size : size] = more
        self._size = size

    def fill(self, count: int, value: int) -> None:
        """Append one value several times."""
        self.extend(self._np.full(count, value, self._room.dtype))


class Topic(NamedTuple):
    """A topic that was created."""

    name: str
    place: RecordPosition


class TopicState:
    """Topics and their partitions, as long as none of their records is odd.

    Records have ascending numbers in the order of replay, which show which came first.
    """

    def __init__(self) -> None:
        self._np = extra("numpy")
        self._codes: dict[bytes, int] = {}
        self._codes_of_directories: dict[bytes, int] = {}
        self._topics: dict[int, Topic] = {}
        self._files: dict[str, int] = {}
        # By topic.
        self._is_odd = _Grown("bool")
        self._created = _Grown("int64")
        self._bases = _Grown("int64")
        self._room = _Grown("int64")
        self._count = _Grown("int64")
        # By slot: base of the topic and partition number.
        self._slots = _Grown("int32")
        # By row, a partition each.
        self._topic = _Grown("int32")
        self._partition = _Grown("int32")
        self._stated = _Grown("int64")
        self._offset = _Grown("int64")
        self._file = _Grown("int32")
        self._leader = _Grown("int32")
        self._leader_epoch = _Grown("int32")
        self._partition_epoch = _Grown("int32")
        self._isr = _Grown("int64")
        self._isr_size = _Grown("int32")
        self._replicas = _Grown("int64")
        self._replicas_size = _Grown("int32")
        self._directories = _Grown("int64")
        # Elements of lists.
        self._brokers = _Grown("int32")
        self._assigned = _Grown("int32")

    def beside(self) -> TopicState:
        """Return an empty state that can be compared with this one: topics have the same numbers in both."""
        other = TopicState()
        other._codes, other._codes_of_directories = self._codes, self._codes_of_directories
        return other

    def codes_of(self, topic_ids: Array) -> Array:
        """Return a number for each topic id; new ones are added."""
        codes = encoded_uuids(topic_ids, self._codes)
        self._note_topics()
        return codes

    def _note_topics(self) -> None:
        missing = len(self._codes) - len(self._is_odd)
        if missing:
            self._is_odd.fill(missing, 0)
            self._created.fill(missing, _NOWHERE)
            self._bases.fill(missing, 0)
            self._room.fill(missing, 0)
            self._count.fill(missing, 0)

    def code_of(self, topic_id: bytes) -> int:
        """Return the number of one topic id."""
        code = self._codes.setdefault(topic_id, len(self._codes))
        self._note_topics()
        return code

    def give_up(self, codes: Array) -> None:
        """Mark topics as odd."""
        self._is_odd.all[codes] = True

    def create(self, code: int, name: str, number: int, place: RecordPosition) -> bool:
        """Apply a TopicRecord; return whether it created a topic."""
        if self._created.all[code] != _NOWHERE:
            self._is_odd.all[code] = True
            return False
        self._created.all[code] = number
        self._topics[code] = Topic(name, place)
        return True

    def state(self, stated: Stated, codes: Array, numbers: Array, offsets: Array, file: str) -> None:
        """Apply PartitionRecords."""
        np = self._np
        created = self._created.all[codes]
        self.give_up(codes[(created == _NOWHERE) | (created > numbers)])
        slots = self._slots_for(codes, self._near(codes, stated.partitions))
        rows = np.arange(len(self._topic), len(self._topic) + len(codes), dtype=np.int32)
        self.give_up(codes[self._slots.all[slots] != _NOWHERE])
        self._slots.all[slots] = rows
        self.give_up(codes[self._slots.all[slots] != rows])
        self._topic.extend(codes)
        self._partition.extend(stated.partitions)
        self._stated.extend(numbers)
        self._offset.extend(offsets)
        self._file.fill(len(codes), self._files.setdefault(file, len(self._files)))
        self._leader.extend(stated.leaders)
        self._leader_epoch.extend(stated.leader_epochs)
        self._partition_epoch.extend(stated.partition_epochs)
        self._replicas.extend(self._kept(stated.replicas))
        self._replicas_size.extend(stated.replicas.sizes)
        self._isr.extend(self._kept(stated.isr))
        self._isr_size.extend(stated.isr.sizes)
        directories = stated.directories
        assigned = encoded_uuids(directories.elements, self._codes_of_directories)
        begins = len(self._assigned) + np.cumsum(directories.sizes) - directories.sizes
        self._directories.extend(np.where(directories.sizes > 0, begins, _NOWHERE))
        self._assigned.extend(assigned)

    def change(self, changed: Changed, codes: Array, numbers: Array, offsets: Array, file: str) -> None:
        """Apply PartitionChangeRecords, ascending."""
        np = self._np
        rows = self._rows_of(codes, changed.partitions)
        good = rows != _NOWHERE
        good[good] = self._stated.all[rows[good]] < numbers[good]
        self.give_up(codes[~good])
        leads, has_isr, sizes = changed.leads & good, changed.has_isr & good, changed.isr.sizes
        begins = self._kept(changed.isr)
        # Of several values for one row the last one remains, as numpy guarantees for such assignments.
        self._leader.all[rows[leads]] = changed.leaders[leads]
        count = len(self._topic)
        self._leader_epoch.all[:] += np.bincount(rows[leads], minlength=count).astype(np.int32)
        self._partition_epoch.all[:] += np.bincount(rows[good], minlength=count).astype(np.int32)
        named = good[changed.has_isr]
        self._isr.all[rows[has_isr]] = begins[named]
        self._isr_size.all[rows[has_isr]] = sizes[named]
        self._offset.all[rows[good]] = offsets[good]
        self._file.all[rows[good]] = self._files.setdefault(file, len(self._files))

    def _rows_of(self, codes: Array, partitions: Array) -> Array:
        """Return the rows of partitions, ``_NOWHERE`` for those that were not defined."""
        np = self._np
        if not len(self._slots):
            return np.full(len(codes), _NOWHERE)
        inside = partitions < self._room.all[codes]
        slots = np.where(inside, self._bases.all[codes] + partitions, 0)
        return np.where(inside, self._slots.all[slots], _NOWHERE)

    def _kept(self, lists: Lists) -> Array:
        """Store lists of brokers; return where each begins."""
        begins = len(self._brokers) + self._np.cumsum(lists.sizes) - lists.sizes
        self._brokers.extend(lists.elements)
        return begins

    def _near(self, codes: Array, partitions: Array) -> Array:
        """Mark topics as odd whose partition numbers are far above their count; return 0 for those partitions.

        Kafka numbers them from 0 on. With a place for each number, a log of a few KB could take gigabytes.
        """
        np = self._np
        self._count.all[:] += np.bincount(codes, minlength=len(self._count))
        far = partitions >= FREE_NUMBERS + NUMBERS_PER_PARTITION * self._count.all[codes]
        self.give_up(codes[far])
        return np.where(far, 0, partitions)

    def _slots_for(self, codes: Array, partitions: Array) -> Array:
        """Return the slot of each partition; topics with too few slots get more."""
        np = self._np
        wanted = np.zeros(len(self._room), np.int64)
        np.maximum.at(wanted, codes, partitions.astype(np.int64) + 1)
        short = np.flatnonzero(wanted > self._room.all)
        if len(short):
            before, old = self._room.all[short], self._bases.all[short]
            room = np.maximum(wanted[short], 2 * before)
            bases = len(self._slots) + np.cumsum(room) - room
            kept = _places(old, before)
            slots = self._slots.all[kept]
            self._slots.fill(int(room.sum()), _NOWHERE)
            self._slots.all[_places(bases, before)] = slots
            self._room.all[short], self._bases.all[short] = room, bases
        return self._bases.all[codes] + partitions

    def give_up_different(self, stated: TopicState) -> None:
        """Mark topics as odd whose state differs in a snapshot, and those that are odd in it.

        Args:
            stated: the snapshot's state, made by :meth:`beside`.
        """
        np = self._np
        self._note_topics()
        stated._note_topics()
        differs = stated._is_odd.all.copy()
        for code in {*self._topics, *stated._topics}:
            ours, theirs = self._topics.get(code), stated._topics.get(code)
            differs[code] |= ours is None or theirs is None or ours.name != theirs.name
        differs |= np.bincount(self._topic.all, minlength=len(differs)) != np.bincount(
            stated._topic.all, minlength=len(differs)
        )
        rows = self._rows_of(stated._topic.all, stated._partition.all)
        there = np.flatnonzero(rows != _NOWHERE)
        differs[stated._topic.all[rows == _NOWHERE]] = True
        unequal = np.zeros(len(there), bool)
        for ours, theirs in zip(self._values_of(rows[there]), stated._values_of(there), strict=True):
            width = min(ours.shape[1], theirs.shape[1])
            unequal |= (ours[:, :width] != theirs[:, :width]).any(axis=1)
        differs[stated._topic.all[there[unequal]]] = True
        self.give_up(np.flatnonzero(differs))

    def _values_of(self, rows: Array) -> tuple[Array, ...]:
        """Return matrices that are equal if the partitions are, except for the padding."""
        numbers = (self._leader, self._leader_epoch, self._partition_epoch, self._replicas_size, self._isr_size)
        return (
            self._np.stack([each.all[rows] for each in numbers], axis=1),
            self._padded(self._replicas, self._replicas_size, rows),
            self._padded(self._isr, self._isr_size, rows),
            self._padded_directories(rows),
        )

    def _padded_directories(self, rows: Array) -> Array:
        """Return the numbers of directories; ``_NOWHERE`` for one that is migrating, which a record may omit."""
        np = self._np
        begins, sizes = self._directories.all[rows][:, None], self._replicas_size.all[rows][:, None]
        steps = np.arange(max(int(sizes.max()), 1) if len(sizes) else 1)
        is_named = (begins != _NOWHERE) & (steps < sizes)
        if not len(self._assigned):
            return np.full(is_named.shape, _NOWHERE)
        codes = self._assigned.all[np.where(is_named, begins + steps, 0)]
        migrating = self._codes_of_directories.get(DIRECTORY_MIGRATING, _NOWHERE)
        return np.where(is_named & (codes != migrating), codes, _NOWHERE)

    def odd_topics(self) -> frozenset[bytes]:
        """Return the ids of odd topics, also those never created, or with in-sync brokers that are no replicas."""
        self._is_odd.all[self._created.all == _NOWHERE] = True
        np = self._np
        if len(self._topic):
            replicas, isr = self._padded(self._replicas, self._replicas_size), self._padded(self._isr, self._isr_size)
            strange = np.zeros(len(replicas), bool)
            for column in isr.T:
                strange |= (column != _NO_BROKER) & ~(replicas == column[:, None]).any(axis=1)
            self._is_odd.all[self._topic.all[strange]] = True
        ids = list(self._codes)
        return frozenset(ids[code] for code in np.flatnonzero(self._is_odd.all).tolist())

    def _padded(self, begins: _Grown, sizes: _Grown, rows: Array | None = None) -> Array:
        """Return lists as a matrix, padded with an invalid broker id."""
        np = self._np
        begin, size = (each.all if rows is None else each.all[rows] for each in (begins, sizes))
        width = max(int(size.max()), 1) if len(size) else 1
        steps = np.arange(width)
        places = np.minimum(begin[:, None] + steps, max(len(self._brokers) - 1, 0))
        if not len(self._brokers):
            return np.full((len(size), width), _NO_BROKER)
        return np.where(steps < size[:, None], self._brokers.all[places].astype(np.int64), _NO_BROKER)

    # Tables, without odd topics.

    def entity_names(self) -> Mapping[int, str]:
        """Return the names of topics by their numbers; for an empty name, which Kafka never writes, the id."""
        ids = list(self._codes)
        return {
            code: topic.name or uuid_text(ids[code])
            for code, topic in self._topics.items()
            if not self._is_odd.all[code]
        }

    def tables(self, cluster: str, node: str) -> Iterator[tuple[str, Any]]:
        """Yield the tables of the state, with the rows of ``TopicSlice.rows``."""
        np = self._np
        codes = np.array([code for code in self._topics if not self._is_odd.all[code]], np.int64)
        if not len(codes):
            return
        ids = [uuid_text(each) for each in self._codes]
        names = [self._topics[code].name if code in self._topics else "" for code in range(len(ids))]
        known = _Texts(cluster, node, list(self._files))
        places = [self._topics[code].place for code in codes.tolist()]
        rows = np.flatnonzero(~self._is_odd.all[self._topic.all])
        topic = self._topic.all[rows]
        counts = np.bincount(topic, minlength=len(ids))
        yield "topics", known.table(
            "topics", len(codes), known.files_of(place.file for place in places),
            topic_id=_dictionary(codes, ids), topic=_dictionary(codes, names), partitions=counts[codes],
            log_offset=np.array([place.offset for place in places], np.int64),
        )  # fmt: skip
        topic_ids, topics = _dictionary(topic, ids), _dictionary(topic, names)
        replicas = self._padded(self._replicas, self._replicas_size, rows)
        isr = self._padded(self._isr, self._isr_size, rows)
        sizes = self._replicas_size.all[rows]
        zeros = np.zeros(len(rows), np.int32)
        yield "partitions", known.table(
            "partitions", len(rows), self._file.all[rows], topic_id=topic_ids, topic=topics,
            partition=self._partition.all[rows], leader=self._leader.all[rows],
            leader_epoch=self._leader_epoch.all[rows], partition_epoch=self._partition_epoch.all[rows],
            leader_recovery_state=zeros, preferred_leader=np.where(sizes > 0, replicas[:, 0], -1), replicas=sizes,
            isr=self._isr_size.all[rows], adding=zeros, removing=zeros, log_offset=self._offset.all[rows],
        )  # fmt: skip
        is_one = np.arange(replicas.shape[1]) < sizes[:, None]
        in_isr = np.zeros(replicas.shape, bool)
        for column in isr.T:
            in_isr |= (replicas == column[:, None]) & (column != _NO_BROKER)[:, None]
        of_row = np.repeat(np.arange(len(rows)), sizes)
        row = rows[of_row]
        position = np.broadcast_to(np.arange(replicas.shape[1]), replicas.shape)[is_one]
        brokers = replicas[is_one]
        no = np.zeros(len(brokers), bool)
        yield "partition_replicas", known.table(
            "partition_replicas", len(brokers), self._file.all[row], topic_id=topic_ids.take(_arrow(of_row)),
            topic=topics.take(_arrow(of_row)), partition=self._partition.all[row], position=position,
            broker_id=brokers, in_replicas=~no, in_isr=in_isr[is_one], in_elr=no, in_last_known_elr=no, adding=no,
            removing=no, leads=brokers == self._leader.all[row],
            directory_id=self._directories_of(row, position), log_offset=self._offset.all[row],
        )  # fmt: skip

    def _directories_of(self, rows: Array, positions: Array) -> Any:
        np = self._np
        texts = [MIGRATING, *(uuid_text(each) for each in self._codes_of_directories)]
        begins = self._directories.all[rows]
        if not len(self._assigned):
            return _dictionary(np.zeros(len(rows), np.int32), texts)
        places = np.where(begins == _NOWHERE, 0, begins + positions)
        return _dictionary(np.where(begins == _NOWHERE, 0, self._assigned.all[places] + 1), texts)


_NO_BROKER: Final = -(2**40)
"""Not a 32-bit number, so it equals none."""


class _Texts:
    """Makes tables whose first columns are cluster, node and file."""

    def __init__(self, cluster: str, node: str, files: list[str]) -> None:
        self._np = extra("numpy")
        self._cluster, self._node = cluster, node
        self._files = files

    def files_of(self, files: Iterable[str]) -> Array:
        """Return the numbers of files; new ones are added."""
        numbers = {file: number for number, file in enumerate(self._files)}
        found = [numbers.setdefault(file, len(numbers)) for file in files]
        self._files = list(numbers)
        return self._np.array(found, self._np.int32)

    def table(self, name: str, size: int, files: Array, **columns: Any) -> Any:
        """Return a ``pyarrow.Table`` of these columns in the order of the table's."""
        pa = extra("pyarrow")
        none = self._np.zeros(size, self._np.int32)
        given = {
            "cluster": _dictionary(none, [self._cluster]), "node": _dictionary(none, [self._node]),
            "file": _dictionary(files, self._files), **columns,
        }  # fmt: skip
        kinds = {"int": pa.int32(), "long": pa.int64(), "bool": pa.bool_()}
        arrays = [
            given[column.name] if column.kind == "string" else pa.array(given[column.name], kinds[column.kind])
            for column in TABLES[name].columns
        ]
        return pa.Table.from_arrays(arrays, names=[column.name for column in TABLES[name].columns])


def _arrow(numbers: Array) -> Any:
    return extra("pyarrow").array(numbers)


def _dictionary(codes: Array, texts: list[str]) -> Any:
    pa = extra("pyarrow")
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype("int32")), pa.array(texts, pa.string()))


def _places(begins: Array, sizes: Array) -> Array:
    """Return begin, begin + 1 ... for each of several ranges."""
    np = extra("numpy")
    firsts = np.cumsum(sizes) - sizes
    return np.repeat(begins - firsts, sizes) + np.arange(int(sizes.sum()))


def uuid_array(uuids: Array) -> Any:
    """Return rows of 16 bytes as a ``pyarrow`` array."""
    pa, np = extra("pyarrow"), extra("numpy")
    buffers = [None, pa.py_buffer(np.ascontiguousarray(uuids))]
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(UUID_BYTES), len(uuids), buffers)


def encoded_uuids(uuids: Array, known: dict[bytes, int]) -> Array:
    """Return the number of each uuid in ``known``; new ones are added."""
    np = extra("numpy")
    if not len(uuids):
        return np.zeros(0, np.int64)
    found = uuid_array(uuids).dictionary_encode()
    numbers = np.array([known.setdefault(each, len(known)) for each in found.dictionary.to_pylist()], np.int64)
    return numbers[found.indices.to_numpy()]
