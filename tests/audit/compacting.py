"""Stories on disk, compacted at an offset: what must come out is what the service itself would make of it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kraftpy.audit.compaction.run import compact
from kraftpy.audit.compaction.target import CompactionError
from kraftpy.image import snapshot_groups
from kraftpy.image.errors import MetadataLossError
from kraftpy.model.errors import LocalError
from kraftpy.model.features import METADATA_VERSION
from kraftpy.records.file_names import segment_file_name
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    ClearElrRecord,
    ConfigRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    Record,
    RemoveTopicRecord,
    SchemaSet,
    decode_record,
    encode_for_level,
)
from kraftpy.records.snapshot import read_snapshot
from tests.audit.stories import Story
from tests.unit.audit.test_compaction import image_of_snapshot, with_sorted_directories
from tests.unit.image.support import broker, partition, start, topic, uuid

_ENDS = (EndTransactionRecord, AbortTransactionRecord)


def write_log(home: Path, story: Story, segments: Iterable[int], first: int = 0) -> None:
    """Write a story's batches from offset ``first`` on, a new segment before each of the batches that are numbered."""
    home.mkdir(parents=True, exist_ok=True)
    path = None
    for number, batch in enumerate(story.batches()):
        if batch.base_offset < first:
            continue
        if path is None or number in set(segments):
            path = home / segment_file_name(batch.base_offset)
        with path.open("ab") as file:
            file.write(batch.data)


def refusal(story: Story, at: int) -> str | None:
    """What a compaction before an offset must be refused with; ``None`` where it must not be."""
    ends = [batch.next_offset for batch in story.batches()]
    if at in ends and _open_at(story, at) is None:
        try:
            values_of(story, at)
        except MetadataLossError:
            # A level was taken back while there was state that only the later one has; no controller does so.
            return f"cannot be written at metadata.version {story.image(at).level}: it belongs to"
    if at not in ends:
        low, high = max(end for end in ends if end < at), min(end for end in ends if end > at)
        return f"offset {at} is inside a batch, and a snapshot ends where a batch does: --at {low} or --at {high}"
    began = _open_at(story, at)
    if began is None:
        return None
    low = max(end for end in ends if end <= began and _open_at(story, end) is None)
    return f"offset {at} is inside a transaction that began at {began}: --at {low}"


def values_of(story: Story, at: int) -> list[bytes]:
    """The records of the service's own snapshot before an offset.

    Raises:
        MetadataLossError: the level has no record for a part of the state.
    """
    image = with_sorted_directories(story.image(at))
    return [value for group in snapshot_groups(image) for value in group]


def _open_at(story: Story, at: int) -> int | None:
    began = None
    for offset, value in enumerate(story.values[:at]):
        record = decode_record(value, SchemaSet.KRAFTPY) if isinstance(value, bytes) else None
        if isinstance(record, BeginTransactionRecord):
            began = offset
        elif isinstance(record, _ENDS):
            began = None
    return began


def outcome(home: Path, out: Path, at: int | None, engine: str = "local") -> tuple[str, bytes]:
    """A snapshot's name and bytes, or nothing and the words of the refusal."""
    try:
        path = compact([str(home)], out / engine, at=at, engine=engine).path
    except (CompactionError, LocalError) as error:
        return "", str(error).encode()
    data = path.read_bytes()
    path.unlink()
    return path.name, data


def assert_due(story: Story, at: int, made: tuple[str, bytes], scratch: Path) -> None:
    """Fail unless a compaction came to the service's own state and records, or was refused where it has to be."""
    name, data = made
    expected = refusal(story, at)
    if expected is not None:
        assert not name
        assert expected in data.decode()
        return
    assert name, data.decode()
    image = with_sorted_directories(story.image(at))
    path = scratch / name
    path.write_bytes(data)
    assert with_sorted_directories(image_of_snapshot(path)).same_content(image)
    path.unlink()
    written = [value for batch in read_snapshot(data).batches for value in batch.values()]
    assert written == values_of(story, at)


def all_kinds() -> Story:
    """A log with transactions of every kind, over batches, and in them what concerns more than its own entity.

    One is complete, one comes to nothing, one takes the topic of the first away, clears eligible leaders and changes
    the level, and one is open at the end.
    """
    second = uuid(600)
    elr = {"isr": [1], "eligible_leader_replicas": [2, 3]}
    level: list[Record | int] = [FeatureLevelRecord(METADATA_VERSION, 42), 42]
    steps: list[Record | int] = [
        *start(41), broker(1), broker(2), broker(3),
        BeginTransactionRecord("complete"), topic("a"), partition(0, **elr), partition(1),
        ConfigRecord(2, "a", "k", "1"), EndTransactionRecord(),
        BeginTransactionRecord("to nothing"), RemoveTopicRecord(uuid(500)), *level, ClearElrRecord(""),
        ConfigRecord(2, "c", "k", "2"), AbortTransactionRecord(None), 41,
        topic("b", second), partition(0, second, **elr),
        BeginTransactionRecord("all at once"), ClearElrRecord("b"), RemoveTopicRecord(uuid(500)), *level,
        ConfigRecord(2, "b", "k", "3"), EndTransactionRecord(), ConfigRecord(2, "b", "l", "4"),
        BeginTransactionRecord("open"), RemoveTopicRecord(second), ConfigRecord(4, "1", "k", "5"),
    ]  # fmt: skip
    values, stated = [], 41
    for step in steps:
        if isinstance(step, int):
            stated = step
        else:
            values.append(encode_for_level(step, stated))
    return Story(values, (3, 1, 2))
