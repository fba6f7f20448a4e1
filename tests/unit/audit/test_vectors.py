"""Replay by vectors says what replay by single records says, row for row, whatever the history."""

from __future__ import annotations

import tempfile
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kraftpy.audit.compaction.run import compact
from kraftpy.audit.compaction.target import CompactionError
from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.reading.first_pass import first_passes, joined
from kraftpy.audit.reading.reader import files_of_replay, replay_entries
from kraftpy.audit.reading.record_chunks import replay_chunks
from kraftpy.audit.reading.scan import PIECE_BYTES
from kraftpy.audit.replay import KraftReplay, vectorized_replay
from kraftpy.audit.replay.replay import replay_shards
from kraftpy.model.errors import LocalError
from kraftpy.model.features import SchemaSet
from kraftpy.model.ids import DIRECTORY_MIGRATING, uuid_to_text
from kraftpy.records.authors import Author, encode_author, with_author
from kraftpy.records.batch import split_batches
from kraftpy.records.codec import AUTHOR_TAG
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    ClearElrRecord,
    ConfigRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    NoOpRecord,
    PartitionChangeRecord,
    PartitionRecord,
    RemoveTopicRecord,
    TopicRecord,
    decode_record,
    encode_record,
)
from tests.unit.audit.histories import START_MS, LogWriter, partition, topic_id, topic_values, value, write_snapshot
from tests.unit.audit.test_compaction import log_of
from tests.unit.image.histories import HISTORIES

REPLAY = KraftReplay(b"salt", with_entities=False)


def tables_of(directory: Path, as_of: AsOf, *, by_vectors: bool) -> dict[str, list[str]]:
    """Every table's rows, in a fixed order."""
    files = [file for file in discover([str(directory)]) if file.has_batches]
    planned = REPLAY.plan(*joined(first_passes(files, None)), as_of)
    found: dict[str, list[str]] = {name: [] for name in REPLAY.tables}
    for plan in planned.plans:
        of_node = files_of_replay(files, (plan.cluster, plan.node))
        made = (
            REPLAY.replay(plan, lambda of=of_node, by=plan: replay_chunks(of, by.bounds))
            if by_vectors
            else replay_shards(plan, replay_entries(of_node, plan.takes))
        )
        for table, rows in made:
            names = [column.name for column in REPLAY.tables[table]]
            several = [dict(zip(names, rows, strict=True))] if isinstance(rows, tuple) else rows.to_pylist()
            found[table] += map(repr, several)
    return {name: sorted(rows) for name, rows in found.items()}


def assert_same(directory: Path, as_of: AsOf | None = None) -> dict[str, list[str]]:
    singly = tables_of(directory, as_of or AsOf(), by_vectors=False)
    by_vectors = tables_of(directory, as_of or AsOf(), by_vectors=True)
    for name, rows in singly.items():
        assert by_vectors[name] == rows, name
    return singly


BROKERS = st.lists(st.integers(0, 4), max_size=4)
LISTS = st.none() | BROKERS
TOPICS = st.integers(0, 4).map(topic_id)
PARTITIONS = st.sampled_from([0, 1, 2, 2, 3, -1, 2**20])
DIRECTORIES = st.lists(st.integers(1, 3).map(topic_id) | st.just(DIRECTORY_MIGRATING), max_size=4)


def perhaps_with_author(draw, record, value: bytes) -> bytes:
    author = draw(st.sampled_from([b"", b"", encode_author(Author("User:a")), encode_author(Author("User:a" * 40))]))
    return with_author([record], [value], author)[0]


@st.composite
def statements(draw) -> bytes:
    replicas = draw(BROKERS | st.just(list(range(20))))
    plain = draw(st.booleans())
    version = draw(st.integers(0, 2))
    record = PartitionRecord(
        partition_id=draw(PARTITIONS), topic_id=draw(TOPICS), replicas=replicas,
        isr=replicas[:2] if plain else draw(BROKERS), leader=draw(st.integers(-1, 4)),
        leader_epoch=draw(st.integers(0, 9)), partition_epoch=draw(st.integers(0, 9)),
        directories=[topic_id(9)] * len(replicas) if plain else draw(DIRECTORIES),
        removing_replicas=[] if plain else draw(BROKERS), adding_replicas=[] if plain else draw(BROKERS),
        leader_recovery_state=0 if plain else draw(st.integers(0, 2)),
    )  # fmt: skip
    if version < 1:
        record.directories = []
    return perhaps_with_author(draw, record, encode_record(record, version))


@st.composite
def changes(draw) -> bytes:
    plain = draw(st.booleans())
    version = draw(st.integers(0, 2))
    record = PartitionChangeRecord(
        partition_id=draw(PARTITIONS), topic_id=draw(TOPICS), leader=draw(st.sampled_from([-2, -1, 0, 1, 2])),
        isr=draw(LISTS),
    )  # fmt: skip
    if not plain:
        record.replicas, record.adding_replicas, record.removing_replicas = draw(LISTS), draw(LISTS), draw(LISTS)
        record.leader_recovery_state = draw(st.integers(-1, 2))
        record.directories = draw(st.none() | DIRECTORIES) if version else None
        record.eligible_leader_replicas = draw(LISTS) if version > 1 else None
    return perhaps_with_author(draw, record, encode_record(record, version))


CORRUPT = st.tuples(changes() | statements(), st.integers(0, 200), st.integers(1, 255)).map(
    lambda each: bytes(byte ^ (each[2] if place == each[1] % len(each[0]) else 0) for place, byte in enumerate(each[0]))
)
VALUES = st.lists(
    st.builds(lambda at, name: value(TopicRecord(f"t{name}", at)), TOPICS, st.integers(0, 3))
    | statements() | statements() | changes() | changes() | changes()
    | TOPICS.map(lambda at: value(RemoveTopicRecord(at)))
    | st.sampled_from([
        value(NoOpRecord()), b"\x01\x14\x00\x01\x05\x00", value(ConfigRecord(2, "t1", "retention.ms", "1")),
        value(FeatureLevelRecord("metadata.version", 14)), value(FeatureLevelRecord("metadata.version", 20)),
        b"\x01\x05\x03\x00", b"\x01\x03\x07", b"\x01\x85\x00\x00", b"\x01\xd8\x04\x00\x00", b"\x01\x02\x00\xff",
    ])
    | CORRUPT,
    min_size=1, max_size=40,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(VALUES, st.integers(1, 9), st.booleans(), st.booleans())
def test_any_records_about_topics(values, size, created, in_snapshot):
    """Statements, changes and removals that contradict each other, corrupt ones, and illegal ones."""
    with tempfile.TemporaryDirectory() as name:
        first = [value(FeatureLevelRecord("metadata.version", 30))]
        first += [value(TopicRecord(f"t{number}", topic_id(number))) for number in range(4) if created]
        log = LogWriter(100 if in_snapshot else 0)
        if in_snapshot:
            write_snapshot(Path(name), first + values, 100, 1)
            log.lead()
        else:
            log.lead().add(*first)
        for begin in range(0, len(values), size):
            log.add(*values[begin : begin + size])
        log.write(Path(name))
        assert_same(Path(name))


@settings(max_examples=60, deadline=None)
@given(HISTORIES, st.lists(st.integers(1, 7), min_size=1, max_size=5), st.booleans(), st.integers(0, 40))
def test_legal_histories(records, sizes, with_snapshot, until):
    """Histories that a controller could have written, up to any offset, with and without a snapshot to compare with."""
    log = log_of(records, sizes)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name, "__cluster_metadata-0")
        log.write(home)
        if with_snapshot:
            compact([name], home, engine="local")
        else:
            assert_same(Path(name), AsOf(offset=until))
        assert_same(Path(name))


EDITS = (
    {}, {"leader": 3}, {"leader_epoch": 1}, {"partition_epoch": 1}, {"isr": [2]}, {"isr": [3, 2, 1]}, {"isr": []},
    {"replicas": [3, 2, 1]}, {"replicas": [1, 2], "directories": [topic_id(9)] * 2}, {"directories": []},
    {"directories": [DIRECTORY_MIGRATING] * 3}, {"directories": [topic_id(9), topic_id(8), topic_id(9)]},
    {"partition_id": 3}, {"partition_id": 2**20}, {"topic_id": topic_id(7)}, {"eligible_leader_replicas": [3]},
    {"name": "other"}, None,
)  # fmt: skip
"""What a snapshot says of a partition or a topic in place of what is so; ``None`` for nothing."""


def edited(framed: bytes, edit: dict[str, object] | None) -> list[bytes]:
    record = decode_record(framed, SchemaSet.KRAFTPY)
    if edit is None:
        return []
    fields = {name: new for name, new in edit.items() if hasattr(record, name)}
    return [value(replace(record, **fields))]


def stated_before(log: LogWriter, end: int) -> list[bytes]:
    """The records of the snapshot that a sound log gives; of another, and where the level cannot say it, a level."""
    with tempfile.TemporaryDirectory() as name:
        log.write(Path(name))
        try:
            made = compact([name], Path(name, "made"), at=end, engine="local").path
        except (CompactionError, LocalError):
            return [value(FeatureLevelRecord("metadata.version", 30))]
        return [each for batch in split_batches(made.read_bytes()) if not batch.is_control for each in batch.values()]


PLAIN_CHANGES = st.lists(
    st.builds(
        lambda number, index, leader, isr: value(
            PartitionChangeRecord(partition_id=index, topic_id=topic_id(number), leader=leader, isr=isr)
        ),
        st.integers(0, 2), st.integers(0, 2), st.sampled_from([-2, 1, 2]), st.sampled_from([None, [1], [2, 1]]),
    ),
    max_size=8,
)  # fmt: skip
MISTAKES = st.lists(st.tuples(st.floats(0, 1), st.sampled_from(EDITS)), max_size=2)


@pytest.mark.parametrize("edit", EDITS, ids=str)
def test_whatever_a_snapshot_states_else_is_a_difference(tmp_path, edit):
    """A field of a topic or a partition is not compared."""
    log = LogWriter().lead().add(value(FeatureLevelRecord("metadata.version", 30)))
    log.add(*topic_values(0, 2), *topic_values(1, 1))
    log.write(tmp_path)
    stated = stated_before(log, log.offset)
    for at, each in enumerate(stated[1:], 1):
        framed = edited(each, edit)
        snapshot = write_snapshot(tmp_path, [*stated[:at], *framed, *stated[at + 1 :]], log.offset, 1)
        found = assert_same(tmp_path)["snapshot_differences"]
        assert bool(found) == (framed != [each]), at
        snapshot.unlink()


def test_a_topic_that_a_snapshot_states_twice_is_reported(tmp_path):
    """The state is the same, but a record that cannot be replayed is not reported."""
    log = plain_log(2)
    log.write(tmp_path)
    stated = stated_before(log, log.offset)
    write_snapshot(tmp_path, [*stated, stated[1]], log.offset, 1)
    assert len(assert_same(tmp_path)["record_problems"]) == 1


@settings(max_examples=30, deadline=None)
@given(
    PLAIN_CHANGES | VALUES,
    st.lists(st.tuples(st.floats(0, 1), MISTAKES, st.just([]) | VALUES), min_size=1, max_size=3),
    st.none() | PLAIN_CHANGES,
)
@example([value(FeatureLevelRecord("metadata.version", 14))], [(1.0, [], [])], None)
@example([value(PartitionRecord(partition_id=-2, topic_id=topic_id(0), replicas=[1], isr=[1]))], [(1.0, [], [])], None)
def test_snapshots_to_compare_with(values, snapshots, behind):
    """Snapshots that say what the log says, or something else, of the node that leads and of one that is behind it."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name, "node=1")
        log = LogWriter().lead().add(value(FeatureLevelRecord("metadata.version", 30)))
        log.add(*(each for number in range(3) for each in topic_values(number)))
        ends = [log.offset, *(log.add(each).offset for each in values)]
        log.write(home)
        for where, mistakes, more in snapshots:
            end = ends[int(where * (len(ends) - 1))]
            stated = [[each] for each in stated_before(log, end)]
            for place, edit in mistakes:
                at = int(place * (len(stated) - 1))
                stated[at] = [made for each in stated[at] for made in edited(each, edit)]
            write_snapshot(home, [each for some in stated for each in some] + more, end, 1)
        assert_same(Path(name))
        if behind is not None:
            log.add(*behind, value(NoOpRecord())).write(Path(name, "node=0", "__cluster_metadata-0"))
            found = assert_same(Path(name))
            assert all("'node': '0'" in row for row in found["topics"]), "the state is the other one's"


STOPS = [
    value(BeginTransactionRecord("t")), value(EndTransactionRecord()), value(AbortTransactionRecord("no")),
    value(ClearElrRecord("t1")), value(ClearElrRecord("")),
]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(VALUES | st.lists(st.sampled_from(STOPS), min_size=1, max_size=2), min_size=1, max_size=9),
    st.none() | st.integers(0, 120), st.none() | st.integers(0, 9),
)  # fmt: skip
def test_transactions_cleared_elrs_and_ends_in_time(stretches, until, minutes):
    """Aborted records, or records after the requested time, are replayed by vectors."""
    with tempfile.TemporaryDirectory() as name:
        log = LogWriter().lead().add(value(FeatureLevelRecord("metadata.version", 30)))
        log.add(*(value(TopicRecord(f"t{number}", topic_id(number))) for number in range(4)))
        for each in stretches:
            log.add(*each)
        log.write(Path(name))
        until_ms = None if minutes is None else START_MS + 60_000 * minutes
        assert_same(Path(name), AsOf(until, None) if until is not None else AsOf(None, until_ms))


@pytest.mark.parametrize("as_of", [AsOf(), AsOf(timestamp_ms=START_MS + 30 * 60_000)])
def test_a_transaction_at_the_beginning_costs_no_topic_its_vectors(tmp_path, monkeypatch, as_of):
    """Every cluster's log begins with a transaction; then all of it would be replayed record by record."""
    log = LogWriter().lead()
    log.add(value(BeginTransactionRecord("Bootstrap records")), value(FeatureLevelRecord("metadata.version", 30)))
    log.add(*topic_values(100), value(EndTransactionRecord()))
    log.add(value(BeginTransactionRecord("t")), *topic_values(101), value(AbortTransactionRecord("no")))
    for number in range(40):
        log.add(*topic_values(number))
    log.write(tmp_path)
    expected = assert_same(tmp_path, as_of)
    assert len(expected["topics"]) == (41 if as_of == AsOf() else 29)
    seen = []
    take = vectorized_replay.Shards.take
    monkeypatch.setattr(vectorized_replay.Shards, "take", lambda self, entry: seen.append(entry) or take(self, entry))
    assert tables_of(tmp_path, as_of, by_vectors=True) == expected
    about_topics = [entry for entry in seen if not entry.control and entry.api_key in {2, 3, 5, 9}]
    assert len(about_topics) == len(topic_values(101))


def test_a_last_record_that_is_cut_short_changes_nothing(tmp_path):
    """What follows the last value of the data is zeros; a record may not seem to end with them."""
    change = PartitionChangeRecord(partition_id=0, topic_id=topic_id(0), isr=[1, 2, 3, 4], leader=2)
    whole = [value(change)]
    change.isr = None
    whole += [value(change), value(PartitionRecord(partition_id=5, topic_id=topic_id(0), replicas=[1], isr=[1]))]
    for number, cut in enumerate(each[:size] for each in whole for size in range(3, len(each), 3)):
        # The size of the tagged field is made to fit, so that only the list contradicts it.
        fitting = bytearray(cut)
        if len(fitting) > 26 and fitting[23] and not fitting[24]:
            fitting[25] = len(fitting) - 26
        log = LogWriter().lead()
        log.add(value(FeatureLevelRecord("metadata.version", 30)), *topic_values(0), cut)
        log.add(bytes(fitting)).write(tmp_path / str(number))
        singly = assert_same(tmp_path / str(number))
        assert len(singly["partition_replicas"]) == 9


@pytest.mark.parametrize("place", [0, 1, 2], ids=["frame version", "api key", "version"])
def test_a_frame_that_takes_more_bytes_than_it_has_to_loses_no_record_before_it(tmp_path, place):
    """The topic is read singly, all of it and in order; the topic beside it is not."""
    plain = value(PartitionChangeRecord(partition_id=0, topic_id=topic_id(0), leader=2))
    longer = plain[:place] + bytes((plain[place] | 0x80, 0)) + plain[place + 1 :]
    log = LogWriter().lead()
    log.add(value(FeatureLevelRecord("metadata.version", 30)), *topic_values(0), *topic_values(1), longer, plain)
    log.write(tmp_path)
    tables = assert_same(tmp_path)
    assert (len(tables["topics"]), len(tables["partitions"])) == (2, 6)
    assert tables["record_problems"] == []


def test_numbers_of_partitions_that_are_far_apart_take_no_place_each(tmp_path):
    """A log of a few KB that names partition 1,048,575 of many topics must not have places for all those before it."""
    log = LogWriter().lead()
    log.add(value(FeatureLevelRecord("metadata.version", 30)))
    for number in range(20):
        log.add(*topic_values(number), value(partition(number, 2**20 - 1 if number else 3)))
    log.write(tmp_path)
    singly = tables_of(tmp_path, AsOf(), by_vectors=False)
    tracemalloc.start()
    by_vectors = tables_of(tmp_path, AsOf(), by_vectors=True)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert by_vectors == singly
    assert len(singly["partitions"]) == 80
    assert most < 3 * PIECE_BYTES


@pytest.mark.parametrize("broker", [2, 4], ids=["by columns", "singly"])
def test_epochs_go_on_behind_the_largest_as_kafkas_do(tmp_path, broker):
    """A log that states the largest epochs gives numbers that no column holds, or another state by columns."""
    stated = partition(0, 0)
    stated.leader_epoch = stated.partition_epoch = 2**31 - 1
    change = PartitionChangeRecord(partition_id=0, topic_id=topic_id(0), leader=broker, isr=[broker])
    log = LogWriter().lead()
    log.add(value(FeatureLevelRecord("metadata.version", 30)), *topic_values(0, 0), value(stated), value(change))
    log.write(tmp_path)
    (row,) = assert_same(tmp_path)["partitions"]
    assert f"'leader_epoch': {-(2**31)}, 'partition_epoch': {-(2**31)}" in row


def test_a_topic_with_an_empty_name_is_reported_by_its_id(tmp_path):
    """No Kafka makes one, but bytes can say it."""
    log = LogWriter().lead()
    log.add(value(FeatureLevelRecord("metadata.version", 30)), value(TopicRecord(name="", topic_id=topic_id(0))))
    log.write(tmp_path)
    growth = assert_same(tmp_path)["growth"]
    assert sum(f"'entity': '{uuid_to_text(topic_id(0))}'" in row for row in growth) == 1


def plain_log(topics: int = 40) -> LogWriter:
    log = LogWriter().lead()
    log.add(value(FeatureLevelRecord("metadata.version", 30)))
    for number in range(topics):
        log.add(*topic_values(number))
        log.add(value(PartitionChangeRecord(partition_id=number % 3, topic_id=topic_id(number), isr=[2], leader=2)))
    return log


def test_plain_topics_are_not_replayed_singly(tmp_path, monkeypatch):
    """The same rows would come if everything were given up; then vectors were for nothing."""
    plain_log().write(tmp_path)
    expected = assert_same(tmp_path)
    assert (len(expected["topics"]), len(expected["partition_replicas"])) == (40, 360)
    seen = []
    take = vectorized_replay.Shards.take
    monkeypatch.setattr(vectorized_replay.Shards, "take", lambda self, entry: seen.append(entry) or take(self, entry))
    assert tables_of(tmp_path, AsOf(), by_vectors=True) == expected
    assert [entry.api_key for entry in seen if not entry.control] == [12]


@pytest.mark.parametrize("principal", ["User:a", "User:a" * 40])
def test_authors_cost_no_topic_its_vectors(tmp_path, monkeypatch, principal):
    """A record that names who asked for it is replayed by itself, and all of its topic with it."""
    log = LogWriter().lead()
    log.add(value(FeatureLevelRecord("metadata.version", 30)))
    author = encode_author(Author(principal))
    for number in range(40):
        at = topic_id(number)
        records = [
            PartitionChangeRecord(partition_id=0, topic_id=at, leader=2),
            PartitionChangeRecord(partition_id=1, topic_id=at, isr=[2]),
            PartitionChangeRecord(partition_id=2, topic_id=at, isr=[2], leader=2),
            PartitionChangeRecord(partition_id=2, topic_id=at),
            PartitionRecord(3, at, [1, 2], [1, 2], directories=[topic_id(9)] * 2),
        ]
        log.add(*topic_values(number))
        log.add(*(with_author([one], [encode_record(one, 1)], author)[0] for one in records))
    log.write(tmp_path)
    expected = assert_same(tmp_path)
    assert len(expected["partitions"]) == 160
    seen = []
    take = vectorized_replay.Shards.take
    monkeypatch.setattr(vectorized_replay.Shards, "take", lambda self, entry: seen.append(entry) or take(self, entry))
    assert tables_of(tmp_path, AsOf(), by_vectors=True) == expected
    assert [entry.api_key for entry in seen if not entry.control] == [12]


@pytest.mark.parametrize("tags", [((77, b"x"),), ((AUTHOR_TAG - 1, b"x"),), ((AUTHOR_TAG, b"x"), (2**28, b""))])
@pytest.mark.parametrize("isr", [None, [2]])
def test_another_tag_is_no_author(tmp_path, tags, isr):
    """A tagged field that is not known is passed over like an author, and not reported."""
    log = plain_log()
    log.add(
        encode_record(PartitionChangeRecord(partition_id=0, topic_id=topic_id(0), isr=isr, unknown_tags=tags), 0),
        encode_record(PartitionRecord(7, topic_id(1), [1, 2], [1, 2], unknown_tags=tags), 0),
    )
    log.write(tmp_path)
    assert sum("unknown-tag" in row for row in assert_same(tmp_path)["record_problems"]) == 2


@pytest.mark.parametrize("edit", [{}, {"isr": [3]}])
def test_snapshots_cost_no_topic_its_vectors(tmp_path, monkeypatch, edit):
    """A topic of which a snapshot says something else is replayed singly, and only that one."""
    log = plain_log()
    end = log.offset
    log.add(value(PartitionChangeRecord(partition_id=0, topic_id=topic_id(3), isr=[1], leader=1)))
    stated = stated_before(log, end)
    at = max(index for index, each in enumerate(stated) if each[1] == PartitionRecord.API_KEY)
    write_snapshot(tmp_path, [*stated[:at], *edited(stated[at], edit), *stated[at + 1 :]], end, 1)
    log.write(tmp_path)
    expected = assert_same(tmp_path)
    assert (len(expected["topics"]), len(expected["snapshot_differences"])) == (40, len(edit))
    seen = []
    take = vectorized_replay.Shards.take
    monkeypatch.setattr(vectorized_replay.Shards, "take", lambda self, entry: seen.append(entry) or take(self, entry))
    assert tables_of(tmp_path, AsOf(), by_vectors=True) == expected
    # Of the topic: it, its three partitions in both files, and a change; the level in both files.
    assert len([entry for entry in seen if not entry.control]) == 2 + (9 if edit else 0)


@pytest.mark.parametrize("gone", [0, 7])
def test_one_odd_topic_costs_no_other_its_vectors(tmp_path, monkeypatch, gone):
    """A topic that was removed is replayed singly, and only that one."""
    log = plain_log()
    log.add(value(RemoveTopicRecord(topic_id(gone))))
    log.write(tmp_path)
    expected = assert_same(tmp_path)
    assert len(expected["topics"]) == 39
    seen = []
    take = vectorized_replay.Shards.take
    monkeypatch.setattr(
        vectorized_replay.Shards, "take", lambda self, entry: seen.append(entry.raw) or take(self, entry)
    )
    tables_of(tmp_path, AsOf(), by_vectors=True)
    assert {raw for raw in seen if raw[1] in {3, 5, 9}} == {
        raw for raw in seen if topic_id(gone) in raw and raw[1] in {3, 5, 9}
    }


def test_a_column_named_records_does_not_decode_every_record(tmp_path, monkeypatch):
    """The table of all records is made for queries of it, and only for those."""
    plain_log().write(tmp_path)
    engine = LocalEngine(REPLAY)
    engine.load([str(tmp_path)], AsOf())
    monkeypatch.setattr(engine, "_record_batches", lambda: pytest.fail("the table was made"))
    (row,) = engine.sql("SELECT SUM(records) AS n FROM record_counts").to_pylist()
    assert row["n"] == 1 + 1 + 40 * 5
    monkeypatch.undo()
    (row,) = engine.sql(
        "SELECT COUNT(*) AS n FROM batches b JOIN records r ON r.base_offset = b.base_offset"
    ).to_pylist()
    assert row["n"] == 1 + 1 + 40 * 5
    engine.close()
