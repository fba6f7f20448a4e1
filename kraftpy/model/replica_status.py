"""Whether the replica of a directory may vote and be counted, and if not, why: one value in memory, on disk, in events.

The rules that change it are in :mod:`kraftpy.raft.guards`, the file in :mod:`kraftpy.storage.replica_status`, the proof
and a diagram in ``docs/design/voter-eligibility.md``.

Source: Viewstamped Replication Revisited §4.3 (*recovering*); KIP-853 (directory ids, removed voters).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from kraftpy.model.digests import StateDigest
from kraftpy.model.ids import Uuid
from kraftpy.model.offsets import Offset

EMPTY_REASON = "its directory held nothing when it started"
VOTE_LOST_REASON = "its directory held a log and no quorum-state, so its vote was lost"
QUARANTINED_REASON = "its log was corrupt and is quarantined"


class VoterStatus(enum.Enum):
    """Whether a replica may vote and be counted. Only ``ELIGIBLE`` may; ``EMPTY`` may in a first start."""

    ELIGIBLE = "eligible"
    EMPTY = "empty"
    """Its directory held nothing when a process first started on it."""
    RECOVERING = "recovering"
    """Its disk lost records or a vote that it may have promised."""
    DUPLICATE_ID = "duplicate-id"
    """A leader counts another directory under its node id."""


@dataclass(frozen=True, slots=True)
class LogQuarantine:
    """A corrupt log that was moved away, and that the replica replaces from its peers.

    Attributes:
        name: of the directory that it was moved to, below ``kraftpy.quarantine``.
        committed: everything below it was committed, as far as could be read of the corrupt log.
        is_finished: all its files have been moved.
    """

    name: str
    committed: Offset
    is_finished: bool


@dataclass(frozen=True, slots=True)
class Divergence:
    """The state of this node was not the majority's.

    Attributes:
        own: this node's digest.
        agreed: the majority's, at the same offset.
        is_refetched: the log that led to it was quarantined since, and is fetched again.
    """

    own: StateDigest
    agreed: StateDigest
    is_refetched: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaStatus:
    """The status of a replica, and the facts that have to survive a restart.

    A removal and a divergence are facts beside the status: each of them may be found together with any status, and
    neither of them decides about a vote. A removed replica is outside the voter set; a diverged node has fenced itself.

    Attributes:
        status: whether it may vote and be counted.
        reason: why not; empty when it may.
        incarnation_id: of an EMPTY directory: what distinguishes it from the next empty one in its place.
        vote_lost: of a RECOVERING one: it may have given votes, and led epochs, that it does not remember.
        quarantine: of a RECOVERING one: the log that was corrupt.
        removed: the directory id of a replica that was taken out of the voter set; it does not ask to come back.
        divergence: what a digest of the state showed.
    """

    status: VoterStatus = VoterStatus.ELIGIBLE
    reason: str = ""
    incarnation_id: Uuid | None = None
    vote_lost: bool = False
    quarantine: LogQuarantine | None = None
    removed: Uuid | None = None
    divergence: Divergence | None = None

    @property
    def is_eligible(self) -> bool:
        """Whether the replica may vote and be counted."""
        return self.status is VoterStatus.ELIGIBLE

    @property
    def committed(self) -> Offset:
        """Where what a quarantined log called committed ended; 0 without one."""
        return 0 if self.quarantine is None else self.quarantine.committed

    def as_eligible(self) -> ReplicaStatus:
        """Return the status after recovery; a removal and a divergence stay."""
        return ReplicaStatus(removed=self.removed, divergence=self.divergence)

    def as_empty(self, incarnation_id: Uuid) -> ReplicaStatus:
        """Return the status of a directory that holds nothing."""
        return replace(self, status=VoterStatus.EMPTY, reason=EMPTY_REASON, incarnation_id=incarnation_id)

    def as_recovering(self, reason: str, *, vote_lost: bool = False) -> ReplicaStatus:
        """Return the status of a replica whose disk lost something."""
        return self._suspended(VoterStatus.RECOVERING, reason, vote_lost=vote_lost)

    def as_duplicate(self, reason: str) -> ReplicaStatus:
        """Return the status of a replica whose node id another directory has."""
        return self._suspended(VoterStatus.DUPLICATE_ID, reason)

    def as_quarantined(self, quarantine: LogQuarantine) -> ReplicaStatus:
        """Return the status of a replica whose log is quarantined."""
        return replace(self._suspended(VoterStatus.RECOVERING, QUARANTINED_REASON), quarantine=quarantine)

    def _suspended(self, status: VoterStatus, reason: str, *, vote_lost: bool = False) -> ReplicaStatus:
        return replace(self, status=status, reason=reason, incarnation_id=None, vote_lost=vote_lost or self.vote_lost)
