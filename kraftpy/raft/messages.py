"""What replicas say to each other: one flat value per request and response.

Kafka's wire nests every Raft request in topics and partitions; the metadata log is one partition of one topic, so here
the nesting is gone and ``transport.kafka`` restores it. A response has two error places because the wire has two: the
whole request was refused (``error``), or the request about the partition was (``partition_error``).

``None`` means "absent" wherever the wire writes -1, a zero uuid or null.

Source: KIP-595, KIP-630 §FetchSnapshot, KIP-853, KIP-996 §Vote v2, KIP-1166 §Fetch v18, KIP-1186 §AddRaftVoter v1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from kraftpy.model.digests import StateDigest
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId, Uuid
from kraftpy.model.offsets import Epoch, LeaderAndEpoch, Offset, OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteRequest:
    """May I lead ``epoch``? With ``pre_vote``: would I win, if I asked?

    Attributes:
        voter: the intended receiver; ``None`` is not checked.
        epoch: the candidate's epoch; for a pre-vote its *current* one.
        last: the end of the candidate's log (its log end offset, and the epoch of its last record).
        claimed_incarnation_id: of a first start: the receiver's incarnation id, as proof that no voter holds anything
            (``voter_eligibility``; a tagged field of ours).
    """

    cluster_id: str | None
    voter: ReplicaKey | None
    candidate: ReplicaKey
    epoch: Epoch
    last: OffsetAndEpoch
    pre_vote: bool = False
    claimed_incarnation_id: Uuid | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteResponse:
    """Whether the vote was granted, and whom the answerer follows.

    Attributes:
        ineligible: the answerer's vote does not count (``voter_eligibility``; a tag of ours, as the next two).
        incarnation_id: of a voter that started empty: which empty directory it is.
        empty_for_ms: how long a voter's process has been up that holds nothing; ``None`` when it holds something.
    """

    error: ErrorCode = ErrorCode.NONE
    partition_error: ErrorCode = ErrorCode.NONE
    leader: LeaderAndEpoch
    leader_endpoints: tuple[Endpoint, ...] = ()
    granted: bool = False
    ineligible: bool = False
    incarnation_id: Uuid | None = None
    empty_for_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginQuorumEpochRequest:
    """I lead this epoch: fetch from me at ``leader_endpoints``."""

    cluster_id: str | None
    voter: ReplicaKey | None
    leader_id: NodeId
    epoch: Epoch
    leader_endpoints: tuple[Endpoint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginQuorumEpochResponse:
    """The voter has heard of the leader.

    Attributes:
        ineligible: the voter may have forgotten a vote, so its answer confirms nothing (``confirming``; a tag of ours,
            as the next one).
        directory_id: which directory answers; ``None`` when it does not say.
    """

    error: ErrorCode = ErrorCode.NONE
    partition_error: ErrorCode = ErrorCode.NONE
    leader: LeaderAndEpoch
    leader_endpoints: tuple[Endpoint, ...] = ()
    ineligible: bool = False
    directory_id: Uuid | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndQuorumEpochRequest:
    """The sender resigned in this epoch; the first of ``preferred_successors`` should start an election at once."""

    cluster_id: str | None
    leader_id: NodeId
    epoch: Epoch
    preferred_successors: tuple[ReplicaKey, ...] = ()
    leader_endpoints: tuple[Endpoint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EndQuorumEpochResponse:
    """The voter has heard of the resignation."""

    error: ErrorCode = ErrorCode.NONE
    partition_error: ErrorCode = ErrorCode.NONE
    leader: LeaderAndEpoch
    leader_endpoints: tuple[Endpoint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRequest:
    """Give me what follows ``fetch_offset``, which also says: all below it is fsynced here.

    Attributes:
        replica: who fetches; ``None`` for a reader that is no replica (served, not tracked).
        epoch: the leader epoch the fetcher believes in.
        last_fetched_epoch: the epoch of the record just below ``fetch_offset``; 0 for an empty log.
        high_watermark: the fetcher's own (KIP-1166), so that the leader answers at once when it knows more; ``None``
            when the wire's version cannot carry it.
        on_probation: the replica that fetches without being counted (``voter_eligibility``; a tagged field of ours);
            ``replica`` is ``None`` then.
        state: what the fetcher's state machine made of a log that it holds (``state_digests``; a tagged field of ours).
    """

    cluster_id: str | None
    replica: ReplicaKey | None
    epoch: Epoch
    fetch_offset: Offset
    last_fetched_epoch: Epoch
    max_wait_ms: int
    max_bytes: int
    high_watermark: Offset | None = None
    on_probation: ReplicaKey | None = None
    state: StateDigest | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchResponse:
    """Records from ``fetch_offset``, or where the logs part, or which snapshot to take instead.

    Attributes:
        high_watermark: ``None`` while the leader has not established one.
        diverging: cut your log to the end offset of this epoch.
        snapshot_id: your offset is gone; fetch this snapshot.
        records: whole batches as stored in the leader's log.
        registered_directory: with DUPLICATE_VOTER, the directory that the leader counts under the fetcher's id (a tag
            of ours: Kafka neither writes nor reads it).
        agreed: what a majority of the voters made at the offset of the request's ``state`` (a tag of ours);
            ``NO_DIGEST`` where voters disagree.
    """

    error: ErrorCode = ErrorCode.NONE
    partition_error: ErrorCode = ErrorCode.NONE
    leader: LeaderAndEpoch
    leader_endpoints: tuple[Endpoint, ...] = ()
    high_watermark: Offset | None = None
    log_start_offset: Offset = 0
    diverging: OffsetAndEpoch | None = None
    snapshot_id: OffsetAndEpoch | None = None
    records: bytes = b""
    registered_directory: Uuid | None = None
    agreed: StateDigest | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSnapshotRequest:
    """Give me up to ``max_bytes`` of that snapshot from byte ``position`` on."""

    cluster_id: str | None
    replica: ReplicaKey | None
    epoch: Epoch
    snapshot_id: OffsetAndEpoch
    position: int
    max_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSnapshotResponse:
    """A plain byte range of a snapshot file, not aligned to batches; ``size`` is that of the whole file."""

    error: ErrorCode = ErrorCode.NONE
    partition_error: ErrorCode = ErrorCode.NONE
    leader: LeaderAndEpoch
    leader_endpoints: tuple[Endpoint, ...] = ()
    snapshot_id: OffsetAndEpoch | None = None
    size: int = 0
    position: int = 0
    data: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeQuorumRequest:
    """Who votes, who watches, how far is each?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaProgress:
    """What the leader knows of one replica; ``None`` is unknown. Times are epoch milliseconds."""

    key: ReplicaKey
    log_end_offset: Offset | None
    last_fetch_ms: int | None
    last_caught_up_ms: int | None
    endpoints: tuple[Endpoint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeQuorumResponse:
    """The leader's view of the quorum, voters and observers ascending by id.

    Attributes:
        is_static: whether the voters are those of the configuration, which names no directories; never set in what
            another node answered.
    """

    error: ErrorCode = ErrorCode.NONE
    partition_error: ErrorCode = ErrorCode.NONE
    leader: LeaderAndEpoch
    high_watermark: Offset | None = None
    voters: tuple[ReplicaProgress, ...] = ()
    observers: tuple[ReplicaProgress, ...] = ()
    is_static: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AddRaftVoterRequest:
    """Let this replica vote, too, once it has caught up.

    Attributes:
        endpoints: where it listens; the first is its default listener.
        timeout_ms: how long the asker waits for the answer.
        ack_when_committed: answer when the new set is committed, not already when it is appended (KIP-1186).
    """

    cluster_id: str | None
    voter: ReplicaKey
    endpoints: tuple[Endpoint, ...]
    timeout_ms: int
    ack_when_committed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AddRaftVoterResponse:
    """The replica votes from now on, or ``message`` says why not; see :class:`RemoveRaftVoterResponse`."""

    error: ErrorCode = ErrorCode.NONE
    message: str | None = None
    offset: Offset | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveRaftVoterRequest:
    """Let exactly this replica, directory id included, vote no longer."""

    cluster_id: str | None
    voter: ReplicaKey


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveRaftVoterResponse:
    """The replica votes no longer, or ``message`` says why it still does.

    Attributes:
        offset: of the new set; ``None`` when there is none. The wire does not carry it.
    """

    error: ErrorCode = ErrorCode.NONE
    message: str | None = None
    offset: Offset | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateRaftVoterRequest:
    """A voter says where it listens, and which kraft.versions it knows."""

    cluster_id: str | None
    epoch: Epoch
    voter: ReplicaKey
    endpoints: tuple[Endpoint, ...]
    kraft_version_min: int
    kraft_version_max: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateRaftVoterResponse:
    """The leader has noted it; NONE does not mean that it is committed."""

    error: ErrorCode = ErrorCode.NONE
    leader: LeaderAndEpoch
    leader_endpoints: tuple[Endpoint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KRaftVersionsRequest:
    """Which kraft.versions do you know? On the wire it is ApiVersions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KRaftVersionsResponse:
    """The lowest and the highest kraft.version that the answerer knows."""

    error: ErrorCode = ErrorCode.NONE
    lowest: int = 0
    highest: int = 0


RaftRequest: TypeAlias = (
    VoteRequest
    | BeginQuorumEpochRequest
    | EndQuorumEpochRequest
    | FetchRequest
    | FetchSnapshotRequest
    | DescribeQuorumRequest
    | AddRaftVoterRequest
    | RemoveRaftVoterRequest
    | UpdateRaftVoterRequest
    | KRaftVersionsRequest
)
RaftResponse: TypeAlias = (
    VoteResponse
    | BeginQuorumEpochResponse
    | EndQuorumEpochResponse
    | FetchResponse
    | FetchSnapshotResponse
    | DescribeQuorumResponse
    | AddRaftVoterResponse
    | RemoveRaftVoterResponse
    | UpdateRaftVoterResponse
    | KRaftVersionsResponse
)
