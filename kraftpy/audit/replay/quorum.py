"""kraft.version and the voter set, from control records: the last one is in force.

Source: KIP-853 §KRaftVersionRecord, §VotersRecord.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

from kraftpy.audit.replay.slice import EntityKey, Held, RecordPosition, Slice
from kraftpy.model.ids import uuid_to_text
from kraftpy.records.control import KRaftVersionRecord, VotersRecord


class ReplayedVoter(NamedTuple):
    """One member of the voter set."""

    directory_id: str
    endpoints: tuple[tuple[str, str, int], ...]
    kraft_version_min: int
    kraft_version_max: int


class QuorumSlice(Slice):
    """The quorum in the log. Elections are in the table ``leader_changes``, which planning fills."""

    TAKES: ClassVar = frozenset({KRaftVersionRecord, VotersRecord})

    def __init__(self) -> None:
        self._version: Held | None = None
        self._voters: dict[int, Held] = {}

    def replay(self, record: Any, place: RecordPosition) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Replay one record; see :class:`Slice`."""
        if isinstance(record, KRaftVersionRecord):
            self._version = Held({"level": record.kraft_version}, place)
        else:
            self._voters = {
                each.voter_id: Held(
                    ReplayedVoter(
                        uuid_to_text(each.voter_directory_id),
                        tuple((point.name, point.host, point.port) for point in each.endpoints),
                        each.kraft_version_feature.min_supported_version,
                        each.kraft_version_feature.max_supported_version,
                    ),
                    place,
                )
                for each in record.voters
            }
        yield from ()

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the level and the voters."""
        if self._version is not None:
            yield ("feature", "kraft.version"), self._version
        for voter_id, held in self._voters.items():
            yield ("voter", str(voter_id)), held

    def rows(self) -> Iterator[tuple[str, RecordPosition, tuple[Any, ...]]]:
        """There are none: planning fills the table ``voters``."""
        yield from ()
