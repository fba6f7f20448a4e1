"""The auditor's replay against the service's image, which shares no code with it, on random histories."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.reading.rows import FileSummary
from kraftpy.image import EMPTY, MetadataLoader, snapshot_groups
from kraftpy.model.ids import uuid_to_text
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.batch import Batch, encode_batch, split_batches
from kraftpy.records.file_names import snapshot_file_name
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    PartitionChangeRecord,
    PartitionRecord,
    Record,
    TopicRecord,
)
from kraftpy.records.snapshot import SnapshotEncoder
from tests.audit.logs import REPLAY, replayed
from tests.audit.worlds import healthy
from tests.properties.test_image import CUTS, cut
from tests.unit.image.histories import HISTORIES
from tests.unit.image.support import EPOCH, LEVEL, batches

LOG = ("c", "1", "00000000000000000000.log")


def bytes_of(log: Sequence[Batch]) -> bytes:
    return b"".join(batch.data for batch in log)


def snapshot_of(log: Sequence[Batch]) -> tuple[str, bytes]:
    """The name and the bytes of the snapshot that the service takes after these batches."""
    loader = MetadataLoader(EMPTY)
    loader.load_batches(log)
    encoder = SnapshotEncoder(epoch=EPOCH, timestamp_ms=1, last_contained_log_timestamp_ms=1)
    name = snapshot_file_name(OffsetAndEpoch(epoch=EPOCH, offset=log[-1].next_offset))
    return name, b"".join(encoder.encode(snapshot_groups(loader.image, LEVEL)))


def entities(tables: dict[str, list]) -> dict[tuple[str, str], str]:
    return {(row[3], row[4]): row[5] for row in tables["entities"]}


def rows_of(tables: dict[str, list]) -> dict[str, list]:
    return {name: sorted(rows, key=repr) for name, rows in tables.items()}


@given(HISTORIES, CUTS, st.floats(0, 1))
def test_the_services_snapshots_have_the_state_of_our_replay(
    records: list[Record], sizes: list[int], where: float
) -> None:
    """A snapshot that the service takes somewhere in a history differs from the log, or a record is refused."""
    log = batches(*cut(records, sizes))
    head = log[: 1 + int(where * (len(log) - 1))]
    name, data = snapshot_of(head)
    tables = replayed({LOG: bytes_of(log), ("c", "1", name): data})
    assert tables["snapshot_differences"] == []
    assert tables["record_problems"] == []


@given(HISTORIES, CUTS, st.floats(0, 1))
def test_a_state_of_the_past_is_the_snapshot_of_then(records: list[Record], sizes: list[int], where: float) -> None:
    """The state as of an offset is not what a snapshot at that offset holds."""
    log = batches(*cut(records, sizes))
    head = log[: 1 + int(where * (len(log) - 1))]
    name, data = snapshot_of(head)
    then = entities(replayed({LOG: bytes_of(log)}, AsOf(offset=head[-1].next_offset)))
    assert then == entities(replayed({("c", "1", name): data}))


@given(HISTORIES, CUTS, st.floats(0, 1))
def test_a_log_whose_beginning_is_gone_gives_the_same_state(
    records: list[Record], sizes: list[int], where: float
) -> None:
    """A snapshot and the log behind it do not give the state that the whole log gives."""
    log = batches(*cut(records, sizes))
    at = 1 + int(where * (len(log) - 1))
    name, data = snapshot_of(log[:at])
    files = {("c", "1", name): data}
    if log[at:]:
        files["c", "1", f"{log[at].base_offset:020d}.log"] = bytes_of(log[at:])
    tables = replayed(files)
    assert entities(tables) == entities(replayed({LOG: bytes_of(log)}))
    assert tables["record_problems"] == []


@given(HISTORIES, CUTS, st.sampled_from([2, 8]))
def test_shards_may_be_spread_at_will(records: list[Record], sizes: list[int], spread: int) -> None:
    """Replaying groups of shards apart gives other rows than replaying all of them together."""
    log = batches(*cut(records, sizes))
    name, data = snapshot_of(log[: 1 + len(log) // 2])
    files = {LOG: bytes_of(log), ("c", "1", name): data}
    assert rows_of(replayed(files, spread=spread)) == rows_of(replayed(files))


@given(HISTORIES, st.booleans())
def test_transactions_count_at_their_end(records: list[Record], ends: bool) -> None:
    """A transaction's records count before its end, or after an abort."""
    middle = max(2, len(records) // 2)
    before, inside = records[:middle], records[middle:]
    mark = EndTransactionRecord() if ends else AbortTransactionRecord()
    whole = {LOG: bytes_of(batches([*before], [BeginTransactionRecord("t")], [*inside, mark]))}
    plain = {LOG: bytes_of(batches(before))}
    outside = entities(replayed(plain))
    assert entities(replayed(whole, AsOf(offset=middle + 1 + len(inside)))) == outside
    after = entities(replayed({LOG: bytes_of(batches(before, inside or [mark]))})) if ends and inside else outside
    assert entities(replayed(whole)) == after


def test_a_snapshot_that_lacks_anything_differs() -> None:
    """Some record that is missing in a snapshot is not reported."""
    world = healthy(7)
    (snapshot_id,) = world.nodes[1].snapshots
    found = split_batches(world.nodes[1].snapshots[snapshot_id])
    values = [value for batch in found if not batch.is_control for value in batch.values()]
    data = b"".join(world.nodes[1].log)
    name = snapshot_file_name(snapshot_id)
    for missing in range(len(values)):
        rest = [value for number, value in enumerate(values) if number != missing]
        middle = encode_batch(rest, base_offset=3, epoch=1, timestamp_ms=1)
        cut_file = found[0].data + middle + found[-1].data
        tables = replayed({LOG: data, ("c", "1", name): cut_file})
        assert tables["snapshot_differences"], missing


def test_new_replicas_of_a_partition_without_directories_are_migrating() -> None:
    """Below the level of directories, a new replica's directory is not what the service makes of it."""
    topic_id = b"1" * 16
    records = [
        FeatureLevelRecord("metadata.version", 14),
        TopicRecord("old", topic_id),
        PartitionRecord(0, topic_id, [1, 2], [1, 2], [], [], 1, 0, 0, 0, []),
        PartitionChangeRecord(partition_id=0, topic_id=topic_id, replicas=[2, 3]),
    ]
    log = batches(records, level=14)
    loader = MetadataLoader(EMPTY)
    loader.load_batches(log)
    registration = loader.image.topics.by_id[topic_id].partitions[0]
    rows = [row for row in replayed({LOG: bytes_of(log)})["partition_replicas"] if row[6] >= 0]
    assert [row[-2] for row in rows] == [uuid_to_text(each) for each in registration.directories]


def test_a_state_ends_at_the_first_corruption() -> None:
    """Records after corruption or a gap are part of a state."""
    first = FileSummary("c", "1", "00000000000000000000.log", "log", 0, 10, 1, 5, 0)
    behind = FileSummary("c", "1", "00000000000000000010.log", "log", 10, 20, 1, 5, 0)
    distant = FileSummary("c", "1", "00000000000000000015.log", "log", 15, 20, 1, 5, 0)

    def until(*spans: FileSummary) -> int:
        (outline,) = REPLAY.plan(spans, [], AsOf()).plans
        return outline.until

    assert until(first, behind) == 20
    assert until(first._replace(problems=1), behind) == 10
    assert until(first, distant) == 10
