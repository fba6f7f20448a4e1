"""One dataclass per role, holding only what that role knows.

A follower cannot have a vote tally and a candidate cannot have a leader, because there is no field for it. Every change
of role builds a new object (``quorum_state``), so nothing of the old role can leak into the new one.

"Observer" is not a role: it is an Unattached or Follower replica that is not in the voter set.

Source: Kafka ``QuorumState`` and the classes beside it; KIP-996 §Prospective.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from kraftpy.model.ids import NodeId, Uuid
from kraftpy.model.offsets import Epoch, Offset, OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter
from kraftpy.raft.digest_tracker import DigestTracker
from kraftpy.raft.follower_progress import Progress
from kraftpy.raft.messages import BeginQuorumEpochRequest
from kraftpy.raft.pending_voter_change import Transfer, VoterChange
from kraftpy.raft.ready import Failure, Role
from kraftpy.raft.snapshot_fetches import SnapshotFetches
from kraftpy.raft.vote_tally import VoteTally


@dataclass(slots=True, kw_only=True)
class Unattached:
    """Knows the epoch; perhaps its vote, perhaps the leader, but not the leader's endpoint.

    Attributes:
        deadline_ms: when to start an election; ``None`` for an observer, which never does.
        rounds_lost: how many elections in a row this replica lost; they widen its next back-off.
        ignore_leader_until_ms: until then reports that ``leader_id`` leads are ignored: its process was seen dead.
    """

    epoch: Epoch
    leader_id: NodeId | None = None
    voted_key: ReplicaKey | None = None
    deadline_ms: int | None = None
    rounds_lost: int = 0
    ignore_leader_until_ms: int | None = None

    @property
    def role(self) -> Role:
        """Which role this is."""
        return Role.UNATTACHED


@dataclass(slots=True, kw_only=True)
class Prospective:
    """Asks whether it would win, without raising the epoch. It still knows what it knew before.

    Attributes:
        ignore_leader_until_ms: as of Unattached; set when it asks because its leader's process is gone.
        began_ms: when this round began.
        empty: voters that held nothing since before this round began, with their incarnation ids if they are not
            eligible (``voter_eligibility``).
        ineligible: voters that answered that their vote does not count.
    """

    epoch: Epoch
    deadline_ms: int
    tally: VoteTally
    leader_id: NodeId | None = None
    leader_endpoints: tuple[Endpoint, ...] = ()
    voted_key: ReplicaKey | None = None
    ignore_leader_until_ms: int | None = None
    rounds_lost: int = 0
    began_ms: int = 0
    empty: dict[NodeId, Uuid | None] = field(default_factory=dict)
    ineligible: list[NodeId] = field(default_factory=list)

    @property
    def role(self) -> Role:
        """Which role this is."""
        return Role.PROSPECTIVE

    @property
    def leader_lost(self) -> bool:
        """Whether its leader's process was seen dead, so that a refusal does not lead back to that leader."""
        return self.ignore_leader_until_ms is not None


@dataclass(slots=True, kw_only=True)
class Candidate:
    """Asks for votes in an epoch in which it voted for itself.

    Attributes:
        backing_off: this election is lost; ``deadline_ms`` is now the end of the back-off.
        claims: of a first start: the incarnation of each other voter, as it reported it (``voter_eligibility``).
    """

    epoch: Epoch
    deadline_ms: int
    tally: VoteTally
    rounds_lost: int = 0
    backing_off: bool = False
    claims: dict[NodeId, Uuid | None] = field(default_factory=dict)

    @property
    def role(self) -> Role:
        """Which role this is."""
        return Role.CANDIDATE


@dataclass(frozen=True, slots=True)
class Question:
    """A BeginQuorumEpoch that is under way: a good answer to it confirms all tickets up to ``ticket``."""

    request: BeginQuorumEpochRequest
    ticket: int


@dataclass(slots=True, kw_only=True)
class Leader:
    """Leads the epoch.

    Attributes:
        high_watermark: of this epoch; ``None`` until a record of this epoch is on a majority.
        heard_ms: per other voter, when its last fetch was read; of one that has not fetched, when it began to count.
        counting_since_ms: when this leader began to lead by the present voter set.
        check_quorum_deadline_ms: ``None`` when this leader is a majority by itself.
        in_touch_ms: since when the voters that were heard of, with this leader, are a majority: the time of the oldest
            of the newest fetches that are needed for one; ``None`` likewise.
        tickets: how many confirmations of this leadership were asked for (``confirming``).
        confirmed: the newest of them that a majority has confirmed, as of when that was last looked at.
        confirmed_by: per other voter, the newest of them that it confirmed.
        questions: per other voter, what it was asked last, and which of them its answer will confirm.
        begin_due_ms: per other voter, when the next BeginQuorumEpoch is due, unless it fetches earlier.
        change: the change of the voter set that a caller waits for.
        transfer: whom the leadership is being handed to.
        is_leaving: this leader is no voter any longer; it resigns when that is committed.
        introduced: voters as they described themselves to this leader; kept while the log cannot say it (kraft.version
            0), for the upgrade to 1.
        ledger: what replicas said about their state (``state_digests``).
    """

    epoch: Epoch
    epoch_start_offset: Offset
    progress: Progress
    high_watermark: Offset | None = None
    heard_ms: dict[NodeId, int] = field(default_factory=dict)
    counting_since_ms: int = 0
    check_quorum_deadline_ms: int | None = None
    in_touch_ms: int | None = None
    tickets: int = 0
    confirmed: int = 0
    confirmed_by: dict[NodeId, int] = field(default_factory=dict)
    questions: dict[NodeId, Question] = field(default_factory=dict)
    begin_due_ms: dict[NodeId, int] = field(default_factory=dict)
    change: VoterChange | None = None
    transfer: Transfer | None = None
    is_leaving: bool = False
    described_voters: dict[NodeId, Voter] = field(default_factory=dict)
    digest_tracker: DigestTracker = field(default_factory=DigestTracker)
    snapshot_fetches: SnapshotFetches = field(default_factory=SnapshotFetches)

    @property
    def role(self) -> Role:
        """Which role this is."""
        return Role.LEADER


@dataclass(slots=True)
class Download:
    """A snapshot on its way here: ``position`` bytes of it have arrived."""

    snapshot_id: OffsetAndEpoch
    position: int = 0


@dataclass(slots=True, kw_only=True)
class Follower:
    """Fetches from the leader of the epoch.

    Attributes:
        deadline_ms: when the leader counts as gone, unless it answers before.
        heard_ms: when the leader was last heard of.
        has_fetched: the leader answered a fetch; from then on pre-votes are refused.
        leader_lost: the leader's process was seen dead, or said that it resigned; ``deadline_ms`` was brought forward.
        last_failure: how the previous fetch failed; ``None`` after a success.
        introduce_at_ms: when to look again whether the voter set describes this replica as it is.
        introduced: the leader took note of this replica's description.
        leader_high_watermark: as the leader stated it last; this log may not reach that far yet.
        eligible_from: of a replica that abstains: the high watermark that the leader stated when it first served us.
    """

    epoch: Epoch
    leader_id: NodeId
    leader_endpoints: tuple[Endpoint, ...]
    deadline_ms: int
    heard_ms: int
    voted_key: ReplicaKey | None = None
    has_fetched: bool = False
    leader_lost: bool = False
    last_failure: Failure | None = None
    download: Download | None = None
    describe_at_ms: int = 0
    described_voters: bool = False
    leader_high_watermark: Offset | None = None
    eligible_from: Offset | None = None

    @property
    def role(self) -> Role:
        """Which role this is."""
        return Role.FOLLOWER


@dataclass(slots=True, kw_only=True)
class Resigned:
    """Led this epoch, and will neither vote nor append in it again.

    Attributes:
        preferred_successors: the other voters, the one with the longest log first.
        unacknowledged: voters that have not confirmed the end of the epoch.
        gone: voters whose process was seen dead since.
    """

    epoch: Epoch
    deadline_ms: int
    preferred_successors: tuple[ReplicaKey, ...] = ()
    unacknowledged: list[NodeId] = field(default_factory=list)
    gone: list[NodeId] = field(default_factory=list)

    @property
    def role(self) -> Role:
        """Which role this is."""
        return Role.RESIGNED


RoleState: TypeAlias = Unattached | Prospective | Candidate | Leader | Follower | Resigned
