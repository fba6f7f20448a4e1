"""``Ready``: everything the replica wants done, in the order in which it must be done.

The contract between the sans-IO replica and its driver (the asyncio shell, a scenario file, the simulator):

1.  ``truncate_to``          cut the log, durably.
2.  ``downloads``            write snapshot chunks; a finished download replaces the log (see :class:`FinishDownload`).
3.  ``election_state``       replace quorum-state, durably.
    ``replica_status``       replace the replica's status, durably: whether it may vote, whether it was removed.
4.  ``epoch_start``          store the first offset of an epoch that this replica leads (a follower's epochs are in the
                             batches it appends). Batches below it came with the ``Ready`` before.
5.  ``append``               write these batches at the end of the log.
6.  ``early``                send and answer what promises nothing about this disk but the epoch, which is stored by now
                             (a leader's Fetch answers, Begin- and EndQuorumEpoch, refusals), so that the followers'
                             work overlaps with our own fsync, and a slow one delays no peer.
    --- the fsync line: flush ``append`` ---
7.  ``messages``             send and answer the rest. A vote reply promises a stored vote, a Fetch promises stored
                             records: nothing of this leaves before the line.
8.  ``high_watermark``       records below it are committed: hand them to the loader.
9.  ``events``               facts for logs, metrics and scenarios. They command nothing.

Then call ``Replica.advance(ready)``: only now does the leader count its own copy. ``step``, ``tick`` and ``propose``
may be called meanwhile, and what they cause comes with the next ``Ready``. While one waits at its fsync line the next
may be taken and carried out up to its own line, as long as each step finds done, in all of them, what the order puts
before it: on the disk nothing overtakes, no line is passed before that of the ``Ready`` before, and ``advance`` keeps
the order.

Source: etcd raft ``Ready`` (the shape), KIP-595 (the promises).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final, TypeAlias

from kraftpy.model.digests import StateDigest
from kraftpy.model.election import ElectionState
from kraftpy.model.ids import NodeId, Uuid
from kraftpy.model.offsets import Epoch, LeaderAndEpoch, Offset, OffsetAndEpoch
from kraftpy.model.replica_status import ReplicaStatus, VoterStatus
from kraftpy.model.voters import Endpoint, ReplicaKey, VoterSet
from kraftpy.raft.messages import RaftRequest, RaftResponse


@dataclass(frozen=True, slots=True)
class LogRead:
    """Fill ``FetchResponse.records`` with whole batches of ``[from_offset, upto_offset)``, at least one batch."""

    from_offset: Offset
    upto_offset: Offset
    max_bytes: int


@dataclass(frozen=True, slots=True)
class SnapshotRead:
    """Fill ``FetchSnapshotResponse.data`` and ``size`` from this snapshot file.

    A position outside the file makes the answer POSITION_OUT_OF_RANGE, a missing file SNAPSHOT_NOT_FOUND.
    """

    snapshot_id: OffsetAndEpoch
    position: int
    max_bytes: int


@dataclass(frozen=True, slots=True)
class Send:
    """Send a request to a node; its fate comes back as ResponseReceived or RequestFailed with this correlation.

    Attributes:
        node_id: the receiver; bootstrap servers, whose id is not known yet, are -2, -3, ...
        endpoint: where it listens.
        correlation: unique over the life of the replica.
        timeout_ms: after which the driver reports RequestFailed(TIMED_OUT).
    """

    node_id: NodeId
    endpoint: Endpoint
    correlation: int
    request: RaftRequest
    timeout_ms: int


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer a request that came in with this token, after filling in what ``read`` asks for."""

    token: int
    response: RaftResponse
    read: LogRead | SnapshotRead | None = None


Message: TypeAlias = Send | Reply


@dataclass(frozen=True, slots=True)
class StartDownload:
    """Open a partial snapshot file of this id (dropping an earlier partial one)."""

    snapshot_id: OffsetAndEpoch


@dataclass(frozen=True, slots=True)
class DownloadChunk:
    """Append these bytes to the partial snapshot."""

    snapshot_id: OffsetAndEpoch
    data: bytes


@dataclass(frozen=True, slots=True)
class FinishDownload:
    """Verify and freeze the partial snapshot, restart the log at its end, then call ``Replica.snapshot_installed``.

    When the file does not verify, drop it and call ``Replica.snapshot_rejected``: it will be fetched again.
    """

    snapshot_id: OffsetAndEpoch


@dataclass(frozen=True, slots=True)
class AbortDownload:
    """Drop the partial snapshot."""

    snapshot_id: OffsetAndEpoch


Download: TypeAlias = StartDownload | DownloadChunk | FinishDownload | AbortDownload


class Role(enum.Enum):
    """What a replica is in its epoch."""

    UNATTACHED = "unattached"
    PROSPECTIVE = "prospective"
    CANDIDATE = "candidate"
    LEADER = "leader"
    FOLLOWER = "follower"
    RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class RoleChanged:
    """The replica went from one role to another; also said when only the epoch or the known leader changed."""

    before: Role
    after: Role
    leader: LeaderAndEpoch
    reason: str


@dataclass(frozen=True, slots=True)
class Elected:
    """This replica leads ``epoch``; its first record is at ``epoch_start_offset``."""

    epoch: Epoch
    epoch_start_offset: Offset
    granted_by: tuple[NodeId, ...]


@dataclass(frozen=True, slots=True)
class Truncated:
    """The log was cut from one end offset to a lower one, because the leader's log differs."""

    from_offset: Offset
    to_offset: Offset


@dataclass(frozen=True, slots=True)
class VotersChanged:
    """A KRAFT_VOTERS record was read (or cut away again); ``offset`` is its offset, ``None`` for configuration."""

    offset: Offset | None
    voters: VoterSet


@dataclass(frozen=True, slots=True)
class SnapshotInstalled:
    """A downloaded snapshot replaced the log: the state machine must load it."""

    snapshot_id: OffsetAndEpoch


@dataclass(frozen=True, slots=True)
class LeaderLost:
    """The leader's process is gone (connections reset and refused), so its fetch timeout is not waited out."""

    leader_id: NodeId
    epoch: Epoch


@dataclass(frozen=True, slots=True)
class PeerRejected:
    """A peer refused us, or we it, in a way a person should hear of (another cluster, another voter key ...)."""

    node_id: NodeId | None
    reason: str


@dataclass(frozen=True, slots=True)
class DuplicateNodeIdRejected:
    """Two replicas use one node id; this is said by the leader that refused one, and by the one that was refused.

    Attributes:
        node_id: the id.
        bound: the directory that counts under it.
        refused: the directory that does not. Either is ``None`` when its request, or answer, did not name it.
        by: the leader that says so.
    """

    node_id: NodeId
    bound: Uuid | None
    refused: Uuid | None
    by: NodeId


@dataclass(frozen=True, slots=True)
class EligibilityChanged:
    """Whether this replica may vote and be counted has changed; ``reason`` is for the log."""

    before: VoterStatus
    after: VoterStatus
    reason: str


@dataclass(frozen=True, slots=True)
class NoElectableVoter:
    """No voter can be elected, because voters are not eligible: they started empty, are recovering or duplicates.

    Attributes:
        ineligible: voters whose votes do not count.
        holding: voters that answered, and whose votes do.
        silent: voters that did not answer.
    """

    ineligible: tuple[NodeId, ...]
    holding: tuple[NodeId, ...]
    silent: tuple[NodeId, ...]

    def __str__(self) -> str:
        """Say who is in which state, and the ways out."""
        return (
            f"no leader can be elected: voters {_ids(self.ineligible)} started with empty, refused or corrupt "
            f"directories and may not vote; voters {_ids(self.holding)} may; voters {_ids(self.silent)} do not answer. "
            + _WAYS_OUT
        )


@dataclass(frozen=True, slots=True)
class VoteNotCounted:
    """A voter knows of no leader, and may neither start an election nor request pre-votes.

    Where all remaining voters are like this one, none requests votes, and no other event explains the missing leader.

    Attributes:
        reason: why its vote does not count.
        unasked: the other voters.
    """

    reason: str
    unasked: tuple[NodeId, ...]

    def __str__(self) -> str:
        """Say what is known here, and the ways out."""
        return (
            f"no leader is known, and this voter's vote does not count: {self.reason}. It does not ask voters "
            f"{_ids(self.unasked)}; their logs show whether theirs do. {_WAYS_OUT}"
        )


@dataclass(frozen=True, slots=True)
class ElectionLeftToOthers:
    """A voter with a trusted empty directory starts no election while others may hold records.

    Attributes:
        waits_for: voters that rejected it, or have not been heard.
    """

    waits_for: tuple[NodeId, ...]

    def __str__(self) -> str:
        """Say what is waited for, and the ways out."""
        return (
            f"no leader is known: this voter's directory is empty and trusted, so it leaves the election to voters "
            f"{_ids(self.waits_for)}, which may hold records. Ways out: start them; one that does not answer is waited "
            "for a few election timeouts. One that answers and is not elected states in its log why"
        )


@dataclass(frozen=True, slots=True)
class VotesSlow:
    """Storing a vote usually takes longer here than a candidate waits for it at least: elections may fail for that.

    Attributes:
        took_ms: how long it usually takes.
        election_timeout_ms: as configured.
    """

    took_ms: int
    election_timeout_ms: int

    def __str__(self) -> str:
        """Say what is wrong, and the ways out."""
        return (
            f"storing a vote takes {self.took_ms} ms here, and the election timeout is {self.election_timeout_ms} ms: "
            "votes come too late, and elections may fail. Ways out: a quicker disk for the metadata log, or "
            f"controller.quorum.election.timeout.ms of at least {4 * self.took_ms}"
        )


@dataclass(frozen=True, slots=True)
class StateDigestVerified:
    """A majority of the voters made the same digest of the state as this replica."""

    digest: StateDigest


@dataclass(frozen=True, slots=True)
class StateDigestMismatch:
    """A replica's state is not that of the majority; said by itself, and by its leader.

    Attributes:
        replica: whose state it is.
        own: its digest.
        agreed: the majority's, at the same offset.
        by: the leader that compared them.
    """

    replica: ReplicaKey
    own: StateDigest
    agreed: StateDigest
    by: NodeId


@dataclass(frozen=True, slots=True)
class NoDigestMajority:
    """Replicas made different digests at an offset, and no majority of the voters agrees on one (yet).

    Attributes:
        end_offset: the offset.
        said_by: node ids and their digests (in hex), ascending; observers included.
    """

    end_offset: Offset
    digests_by_node: tuple[tuple[NodeId, str], ...]


_WAYS_OUT: Final = (
    "Ways out: if this is a first start, start all voters; if directories were lost, start voters that still "
    "have theirs until they are a majority, or bring the lost ones back from a backup (a corrupt log is in "
    "kraftpy.quarantine of its directory, whole: see `Corrupt disks` in docs/disasters.md); "
    "controller.quorum.trust.empty.directories=true on the empty ones lets them vote all the same, and may "
    "lose acknowledged records"
)


def _ids(node_ids: tuple[NodeId, ...]) -> str:
    return ", ".join(str(node_id) for node_id in node_ids) or "(none)"


Event: TypeAlias = (
    RoleChanged
    | Elected
    | Truncated
    | VotersChanged
    | SnapshotInstalled
    | LeaderLost
    | PeerRejected
    | DuplicateNodeIdRejected
    | EligibilityChanged
    | NoElectableVoter
    | ElectionLeftToOthers
    | VoteNotCounted
    | VotesSlow
    | StateDigestVerified
    | StateDigestMismatch
    | NoDigestMajority
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """One step's worth of effects; see the module for the order."""

    truncate_to: Offset | None = None
    downloads: tuple[Download, ...] = ()
    election_state: ElectionState | None = None
    replica_status: ReplicaStatus | None = None
    epoch_start: OffsetAndEpoch | None = None
    append: tuple[bytes, ...] = ()
    early: tuple[Message, ...] = ()
    messages: tuple[Message, ...] = ()
    high_watermark: Offset | None = None
    events: tuple[Event, ...] = ()
    log_end_offset: Offset


class Failure(enum.Enum):
    """Why no response came to a request that was sent."""

    TIMED_OUT = "timed out"
    DISCONNECTED = "disconnected"
    REFUSED = "connection refused"
    UNSUPPORTED_VERSION = "no common version"
    MALFORMED = "malformed answer"


@dataclass(frozen=True, slots=True)
class RequestReceived:
    """A peer asks; answer with a Reply that carries ``token``."""

    token: int
    request: RaftRequest


@dataclass(frozen=True, slots=True)
class ResponseReceived:
    """The answer to the Send with this correlation."""

    correlation: int
    response: RaftResponse


@dataclass(frozen=True, slots=True)
class RequestFailed:
    """The Send with this correlation will not be answered."""

    correlation: int
    reason: Failure


@dataclass(frozen=True, slots=True)
class RequestAbandoned:
    """The peer that asked with this token is gone: forget its pending request."""

    token: int


Inbound: TypeAlias = RequestReceived | ResponseReceived | RequestFailed | RequestAbandoned
