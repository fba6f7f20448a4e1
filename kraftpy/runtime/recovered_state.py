"""What recovery found on disk, as input of the replica; and the control records of a log as Raft needs them."""

from __future__ import annotations

from collections.abc import Iterable

from kraftpy.model.offsets import Offset
from kraftpy.model.voters import VoterSet
from kraftpy.raft.config import RecoveredState
from kraftpy.records.control import ControlRecord, KRaftVersionRecord, VotersRecord, voter_set_from_record
from kraftpy.storage.directory import MetadataDirectory


def voters_of(records: Iterable[tuple[Offset, ControlRecord]]) -> tuple[tuple[Offset, VoterSet], ...]:
    """Return every voter set with its offset, in order."""
    return tuple(
        (offset, voter_set_from_record(record)) for offset, record in records if isinstance(record, VotersRecord)
    )


def kraft_versions_of(records: Iterable[tuple[Offset, ControlRecord]]) -> tuple[tuple[Offset, int], ...]:
    """Return every kraft.version with its offset, in order."""
    return tuple((offset, record.kraft_version) for offset, record in records if isinstance(record, KRaftVersionRecord))


def recovered_state(opened: MetadataDirectory) -> RecoveredState:
    """Return what recovery found, as input of the replica."""
    return RecoveredState(
        election_state=opened.election,
        log_start_offset=opened.log.start_offset,
        log_end_offset=opened.log.end_offset,
        epochs=opened.log.epoch_entries,
        snapshots=opened.snapshots.ids,
        voters=voters_of(opened.control_records),
        kraft_versions=kraft_versions_of(opened.control_records),
        replica_status=opened.status.value,
    )
