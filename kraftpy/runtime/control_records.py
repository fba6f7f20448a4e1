"""Control records of a log as what Raft wants to know of them: the histories of the voter set and of kraft.version."""

from __future__ import annotations

from collections.abc import Iterable

from kraftpy.model.offsets import Offset
from kraftpy.model.voters import VoterSet
from kraftpy.records.control import ControlRecord, KRaftVersionRecord, VotersRecord, voter_set_from_record


def voters_of(records: Iterable[tuple[Offset, ControlRecord]]) -> tuple[tuple[Offset, VoterSet], ...]:
    """Return every voter set with its offset, in order."""
    return tuple(
        (offset, voter_set_from_record(record)) for offset, record in records if isinstance(record, VotersRecord)
    )


def kraft_versions_of(records: Iterable[tuple[Offset, ControlRecord]]) -> tuple[tuple[Offset, int], ...]:
    """Return every kraft.version with its offset, in order."""
    return tuple((offset, record.kraft_version) for offset, record in records if isinstance(record, KRaftVersionRecord))
