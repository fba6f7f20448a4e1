"""What a metadata directory adds up to: its records counted by type, its voters, and the image they make.

The files are only read. The newest sound snapshot is loaded, the log is folded on top as far as it is sound, and what
stops that is reported with its file and byte. The end of the log may not be committed: a file does not show that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kraftpy.cli.dump_walk import FoundBatch, walk
from kraftpy.image.image import MetadataImage
from kraftpy.image.loader import MetadataLoader
from kraftpy.model.errors import KraftError
from kraftpy.model.features import METADATA_VERSION, SchemaSet
from kraftpy.model.offsets import ORIGIN, Offset
from kraftpy.model.voters import VoterSet
from kraftpy.records.batch import Batch
from kraftpy.records.control import (
    ControlRecord,
    KRaftVersionRecord,
    LeaderChangeMessage,
    VotersRecord,
    control_type_name,
)
from kraftpy.records.control import voter_set_from_record as voter_set
from kraftpy.records.metadata import FeatureLevelRecord, LogRecord, decode_record, type_name
from kraftpy.storage.filesystem import FileSystem
from kraftpy.storage.inspection import DirectoryReport, SegmentReport, SnapshotReport
from kraftpy.storage.meta_properties import MetaProperties
from kraftpy.storage.snapshots import SnapshotStore

FINDINGS_MAX = 100
"""How many unreadable batches are listed before the rest of the log is left alone."""


@dataclass(frozen=True, slots=True)
class DirectoryProblem:
    """Something wrong: in which file, at which byte (``None`` where there is none), and what."""

    file: str
    position: int | None
    reason: str

    def __str__(self) -> str:
        return self.reason if self.file in self.reason else f"{self.file} at byte {self.position}: {self.reason}"


@dataclass(slots=True)
class DirectoryContents:
    """What the records of a directory say together.

    Attributes:
        next_offset: the first offset that was not read yet.
        image_stopped: whether a record did not fit the image; the records after it are counted and change nothing.
        schema: the record table in force at the end.
        counts: how often each record type is in the newest sound snapshot and the log after it.
        voters: the latest voter set in the log; ``None`` for a static quorum.
        elected_by: the voters that the latest election lists; empty when none is there.
        findings: what could not be read.
    """

    loader: MetadataLoader = field(default_factory=MetadataLoader)
    next_offset: Offset = 0
    image_stopped: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    schema: SchemaSet = SchemaSet.KAFKA
    kraft_version: int = 0
    voters: VoterSet | None = None
    elected_by: tuple[int, ...] = ()
    findings: list[DirectoryProblem] = field(default_factory=list)

    @property
    def image(self) -> MetadataImage:
        """The state at the last offset that could be loaded."""
        return self.loader.image

    def take_control(self, records: list[ControlRecord]) -> None:
        """Count control records and keep what they say of the quorum."""
        for record in records:
            self.counts[control_type_name(record)] += 1
            if isinstance(record, KRaftVersionRecord):
                self.kraft_version = record.kraft_version
            elif isinstance(record, VotersRecord):
                self.voters = voter_set(record)
            elif isinstance(record, LeaderChangeMessage):
                self.elected_by = tuple(sorted(each.voter_id for each in record.voters))


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """Everything that was found.

    Attributes:
        log_directory: the directory of ``meta.properties``.
        corruption: what contradicts what was promised.
        notes: what is worth a look and what a crash or a running node explains.
    """

    log_directory: Path
    meta_properties: MetaProperties | None
    has_bootstrap: bool
    report: DirectoryReport
    state: DirectoryContents
    corruption: tuple[DirectoryProblem, ...]
    notes: tuple[str, ...]


def read_state(fs: FileSystem, report: DirectoryReport) -> DirectoryContents:
    """Load everything that is sound."""
    state = DirectoryContents()
    sound = [snapshot for snapshot in report.snapshots if snapshot.corruption is None]
    if sound:
        _load_snapshot(fs, report.path, sound[-1], state)
    for segment in report.segments:
        if not _load_segment(segment, state):
            break
    return state


def _load_snapshot(fs: FileSystem, directory: str, snapshot: SnapshotReport, state: DirectoryContents) -> None:
    store = SnapshotStore(fs, directory, bytes)
    store.load()
    try:
        batches = list(store.batches(snapshot.snapshot_id))
        for batch in batches:
            if batch.is_control:
                state.take_control(batch.control_records())
            else:
                _, state.schema = _decode(batch, state.schema, state.counts)
        if snapshot.snapshot_id != ORIGIN:
            timestamp_ms = store.last_contained_timestamp_ms(snapshot.snapshot_id)
            state.loader.load_snapshot(snapshot.snapshot_id, batches, timestamp_ms)
    except KraftError as error:
        state.findings.append(DirectoryProblem(snapshot.path, None, f"{snapshot.path}: {error}"))
        state.image_stopped = True
    state.next_offset = snapshot.snapshot_id.offset


def _load_segment(segment: SegmentReport, state: DirectoryContents) -> bool:
    """Fold one segment in; return whether the next one may follow."""
    for found in _batches(segment):
        batch = found.batch
        if batch.next_offset <= state.next_offset:
            _check_records(segment, found, state)
            continue
        if batch.base_offset != state.next_offset:
            reason = f"offset {batch.base_offset} does not follow on from {state.next_offset}"
            state.findings.append(DirectoryProblem(segment.path, found.position, reason))
            return False
        state.next_offset = batch.next_offset
        try:
            _fold(batch, state)
        except KraftError as error:
            state.findings.append(DirectoryProblem(segment.path, found.position, str(error)))
            state.image_stopped = True
            if len(state.findings) >= FINDINGS_MAX:
                return False
    return True


def _check_records(segment: SegmentReport, found: FoundBatch, state: DirectoryContents) -> None:
    """Look for corruption in records that a snapshot replaces: they are not loaded, and their checksum may fit."""
    try:
        if found.batch.is_control:
            found.batch.control_parts()
        else:
            found.batch.values()
    except KraftError as error:
        if len(state.findings) < FINDINGS_MAX:
            state.findings.append(DirectoryProblem(segment.path, found.position, str(error)))


def _batches(segment: SegmentReport) -> Iterator[FoundBatch]:
    if not segment.valid_bytes:
        return
    with open(segment.path, "rb") as file:  # noqa: PTH123 - the storage room's paths are strings
        for found in walk(file, segment.valid_bytes):
            if isinstance(found, FoundBatch):
                yield found


def _fold(batch: Batch, state: DirectoryContents) -> None:
    if batch.is_control:
        state.take_control(batch.control_records())
        if not state.image_stopped:
            state.loader.load_batches([batch])
        return
    # The level in force is the last one seen, also inside an open transaction, which has no image yet.
    records, state.schema = _decode(batch, state.schema, state.counts)
    if not state.image_stopped:
        state.loader.load_records([batch], {batch.base_offset: records})


def _decode(batch: Batch, schema: SchemaSet, counts: Counter[str]) -> tuple[list[LogRecord], SchemaSet]:
    records: list[LogRecord] = []
    for value in batch.values():
        record = decode_record(value, schema)
        if isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION:
            schema = SchemaSet.for_level(record.feature_level)
        counts[type_name(record)] += 1
        records.append(record)
    return records, schema
