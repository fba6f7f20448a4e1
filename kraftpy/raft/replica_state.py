"""The state that all of a replica's modules work on, and the few queries that all of them need.

``ReplicaState`` decides nothing. ``replica`` dispatches to the modules that do (``election``, ``leader_replication``,
``follower_fetch`` ...); each is a set of functions over this one object, so a rule can be read in one place and the
replica has no giant class.

Source: etcd raft ``raft`` struct (and the wish not to have its 395-line switch).
"""

from __future__ import annotations

from dataclasses import replace

from kraftpy.model.election import ElectionState
from kraftpy.model.ids import NodeId
from kraftpy.model.jitter import Jitter
from kraftpy.model.log_rate_limiter import LogRateLimiter
from kraftpy.model.offsets import Epoch, LeaderAndEpoch, Offset, OffsetAndEpoch
from kraftpy.model.replica_status import ReplicaStatus
from kraftpy.model.voters import Endpoint, ReplicaKey, VoterSet
from kraftpy.raft.batch_accumulator import BatchAccumulator
from kraftpy.raft.config import Identity, RaftConfig, RecoveredState
from kraftpy.raft.digest_tracker import LocalDigests, ServableSnapshots
from kraftpy.raft.epoch_limit import EPOCH_LAST, EpochLimit, EpochSource, no_epoch_left
from kraftpy.raft.fetch_purgatory import FetchPurgatory
from kraftpy.raft.log_view import LogView
from kraftpy.raft.messages import RaftRequest
from kraftpy.raft.outbox import Outbox
from kraftpy.raft.ready import (
    ElectionLeftToOthers,
    EligibilityChanged,
    NoElectableVoter,
    PeerRejected,
    Send,
    VoteNotCounted,
)
from kraftpy.raft.request_manager import RequestManager
from kraftpy.raft.roles import Candidate, Follower, Leader, Prospective, Resigned, RoleState, Unattached
from kraftpy.raft.timing import ELECTION_STAGGER_MS
from kraftpy.raft.vote_store import VoteStore
from kraftpy.raft.voter_set_history import OffsetHistory, VoterSetHistory


class ReplicaState:
    """Everything one replica knows.

    Attributes:
        role: the state of the current role.
        stored: what quorum-state will hold once the next ``Ready`` is done.
        high_watermark: the highest known, for the state machine; a leader's own is in its role.
        leader_heard_ms: when a leader last answered a fetch of this replica, as of the last change of its role;
            ``None`` if none did since it started, or since it led itself.
        installing: a downloaded snapshot that the driver verifies; nothing is fetched until it is done.
        digests: what this replica's state machine reported about its state (``state_digests``).
        sound: which snapshots may be served therefore, as far as that was asked for; see ``state_digests``.
        status: whether this replica may vote and be counted, and why not, as the next ``Ready`` stores it.
        probation_ends_ms: until then a replica that is not eligible fetches without its key (``voter_eligibility``).
        started_ms: when it was made.
        epoch_limit: how far ahead of its own an epoch is accepted (``epoch_limit``).
        asks_first: it is the only voter by its log, and asks known servers before it elects itself (``initial_role``).
        pre_vote_rejections_ms: when voters that count rejected a pre-vote of this replica last.
        recent_candidates: of a voter that holds nothing: which directory of an id it answers, and since when.
        election_blocked_reason: why no voter could be elected at the last attempt.
        discover_at_ms: an unattached replica does not ask for the leader before this time.
        discovery_peers: the servers it asks, under this voter set.
        vote_store: how long this disk takes to store a vote.
    """

    __slots__ = (
        "asks_first",
        "cluster_id",
        "config",
        "digests",
        "discover_at_ms",
        "discovery_peers",
        "election_blocked_reason",
        "epoch_limit",
        "fetch_purgatory",
        "high_watermark",
        "installing",
        "jitter",
        "key",
        "kraft_versions",
        "leader_heard_ms",
        "log",
        "log_rate_limiter",
        "now_ms",
        "out",
        "pre_vote_rejections_ms",
        "probation_ends_ms",
        "proposals",
        "recent_candidates",
        "requests_out",
        "role",
        "servable",
        "shutting_down",
        "started_ms",
        "status",
        "stored",
        "vote_store",
        "voter_set_history",
    )

    def __init__(
        self, *, config: RaftConfig, identity: Identity, recovered: RecoveredState, jitter: Jitter, now_ms: int
    ) -> None:
        self.config = config
        self.key = identity.key
        self.cluster_id = identity.cluster_id
        self.jitter = jitter
        self.now_ms = now_ms
        self.log = LogView.from_recovered(recovered)
        self.voter_set_history = VoterSetHistory(config.static_voters, recovered.voters)
        self.kraft_versions: OffsetHistory[int] = OffsetHistory(recovered.kraft_versions)
        self.stored = recovered.election_state
        self.role: RoleState = Unattached(epoch=recovered.election_state.epoch)
        self.high_watermark: Offset | None = None
        self.leader_heard_ms: int | None = None
        self.installing: OffsetAndEpoch | None = None
        self.shutting_down = False
        self.discover_at_ms = now_ms
        self.discovery_peers: tuple[VoterSet, list[tuple[NodeId, Endpoint]]] | None = None
        self.status = recovered.replica_status
        self.probation_ends_ms = 0
        self.started_ms = now_ms
        self.epoch_limit = EpochLimit(
            now_ms, config.election_timeout_ms, stored=self.stored.epoch, confirmed=self.log.last_epoch
        )
        self.asks_first = False
        self.recent_candidates: dict[NodeId, tuple[ReplicaKey, int]] = {}
        self.election_blocked_reason: NoElectableVoter | VoteNotCounted | ElectionLeftToOthers | None = None
        self.pre_vote_rejections_ms: dict[NodeId, int] = {}
        self.log_rate_limiter = LogRateLimiter()
        self.vote_store = VoteStore()
        self.digests = LocalDigests()
        self.servable = ServableSnapshots()
        self.requests_out = RequestManager()
        self.out = Outbox()
        self.fetch_purgatory = FetchPurgatory()
        self.proposals = BatchAccumulator()
        if not self.status.is_eligible:
            self.put_on_probation()
        sets = [voters for _, voters in recovered.voters]
        self.record_removal(is_removed=_is_removed(self.key, sets, before=self.is_removed))

    @property
    def node_id(self) -> NodeId:
        """This replica's node id."""
        return self.key.node_id

    @property
    def epoch(self) -> Epoch:
        """The highest epoch seen."""
        return self.role.epoch

    @property
    def voters(self) -> VoterSet:
        """The voter set in force, uncommitted records included."""
        return self.voter_set_history.in_force

    @property
    def kraft_version(self) -> int:
        """The kraft.version in force; 0 when no record says otherwise."""
        latest = self.kraft_versions.latest
        return latest[1] if latest else 0

    @property
    def is_voter(self) -> bool:
        """Whether this replica, directory id included, counts in the quorum."""
        return self.config.can_vote and self.voters.contains(self.key)

    @property
    def is_electable(self) -> bool:
        """Whether this replica may lead: as a voter, or as one whose removal may not be committed yet.

        A leader that crashed after it had appended its own removal may be the only one whose log is long enough for the
        votes of those that remain; it does not count in the new set, and leads until its removal is committed. Source:
        Raft dissertation §4.2.2.
        """
        if self.is_voter or not self.config.can_vote:
            return self.is_voter
        entries, committed = self.voter_set_history.entries, self.high_watermark or 0
        return len(entries) > 1 and entries[-1][0] >= committed and entries[-2][1].contains(self.key)

    @property
    def may_start_election(self) -> bool:
        """Whether this replica may ask for votes just now.

        It is electable, lost nothing that it had promised, and there is an epoch left.
        """
        return self.status.is_eligible and self.is_electable and self.has_next_epoch

    @property
    def has_next_epoch(self) -> bool:
        """Whether there is an epoch after this one."""
        return self.epoch < EPOCH_LAST

    def check_next_epoch(self) -> bool:
        """Return :attr:`has_next_epoch`, and report when there is none."""
        if not self.has_next_epoch:
            self.report_rejection(self.node_id, no_epoch_left(self.epoch))
        return self.has_next_epoch

    @property
    def other_voter_ids(self) -> tuple[NodeId, ...]:
        """The voters but this node, ascending."""
        return tuple(node_id for node_id in self.voters.ids if node_id != self.node_id)

    @property
    def leader_id(self) -> NodeId | None:
        """Who leads the current epoch, as far as known."""
        role = self.role
        if isinstance(role, Leader | Resigned):
            return self.node_id
        return None if isinstance(role, Candidate) else role.leader_id

    @property
    def leader(self) -> LeaderAndEpoch:
        """The leader as every response states it."""
        return LeaderAndEpoch(self.leader_id, self.role.epoch)

    @property
    def leader_endpoints(self) -> tuple[Endpoint, ...]:
        """Where the leader listens; empty when it is unknown."""
        role = self.role
        if isinstance(role, Follower | Prospective):
            return role.leader_endpoints
        return self.config.own_endpoints if isinstance(role, Leader | Resigned) else ()

    @property
    def election_state(self) -> ElectionState:
        """What must be stored of the current role. A leader's vote for itself goes without saying."""
        role = self.role
        if isinstance(role, Leader | Resigned):
            return ElectionState(role.epoch, self.node_id)
        if isinstance(role, Candidate):
            return ElectionState(role.epoch, None, self.key)
        return ElectionState(role.epoch, role.leader_id, role.voted_key)

    def knows_voter(self, key: ReplicaKey) -> bool:
        """Return whether a key is a voter's, of any set that the log or the configuration holds.

        A request, or a set, that names no directory is taken by its node id.
        """
        sets = [self.config.static_voters, *(voters for _, voters in self.voter_set_history.entries)]
        found = (voters.by_id(key.node_id) for voters in sets)
        return any(voter is not None and (key.directory_id is None or voter.key.accepts(key)) for voter in found)

    def believes_epoch(self, source: EpochSource, epoch: Epoch, node_id: NodeId | None) -> bool:
        """Return whether an epoch can have been reached by elections (``epoch_limit``); report when it cannot."""
        if self.epoch_limit.may_rise(source, self.now_ms, self.epoch, epoch):
            return True
        if self.log_rate_limiter.should_log(node_id, source.name, self.now_ms):
            reason = (
                f"its epoch {epoch} is too high: ours is {self.epoch}, elections can have raised that by "
                f"{self.epoch_limit.left(source, self.now_ms)}, and never beyond {EPOCH_LAST}. If the quorum really is "
                "there (it was recovered several times while this node was away), this node takes part in it in "
                f"{self.epoch_limit.wait_ms(source, self.now_ms, self.epoch, epoch) // 1_000} s, or at once with its "
                "metadata directory moved away"
            )
            self.out.events.append(PeerRejected(node_id, reason))
        return False

    def endpoints_of(self, node_id: NodeId) -> tuple[Endpoint, ...]:
        """Return where a voter listens, from the set in force, else from the configuration."""
        for voters in (self.voters, self.config.static_voters):
            voter = voters.by_id(node_id)
            if voter is not None and voter.endpoints:
                return voter.endpoints
        return ()

    def pick(self, endpoints: tuple[Endpoint, ...]) -> Endpoint | None:
        """Choose the endpoint of our listener's name, else the default one."""
        named = (endpoint for endpoint in endpoints if endpoint.name == self.config.listener_name)
        return next(named, endpoints[0] if endpoints else None)

    def election_timeout_ms(self) -> int:
        """Draw how long others have for an election: T plus a random part below T, more on a disk that is slow.

        See ``vote_store`` for how much more, and why.
        """
        timeout_ms = self.vote_store.widened(self.config.election_timeout_ms)
        return timeout_ms + self.jitter.below(timeout_ms)

    def election_round_ms(self) -> int:
        """Draw how long a candidate asks for votes: T plus a random part below T (``voter_eligibility``)."""
        timeout_ms = self.config.election_timeout_ms
        return timeout_ms + self.jitter.below(timeout_ms)

    def rank_without(self, leader_id: NodeId) -> int:
        """Return this voter's place among the voters that are left when the leader is gone; observers come last."""
        left = [node_id for node_id in self.voters.ids if node_id != leader_id]
        return left.index(self.node_id) if self.node_id in left else len(left)

    def fetch_deadline_ms(self, leader_id: NodeId) -> int:
        """Return when a leader that stays silent from now on counts as gone.

        The stagger keeps followers apart that heard of it last in the same moment, as those of a quiet cluster do.
        """
        return self.now_ms + self.config.fetch_timeout_ms + self.rank_without(leader_id) * ELECTION_STAGGER_MS

    def send(self, node_id: NodeId, endpoint: Endpoint, request: RaftRequest) -> None:
        """Queue a request to a node that is ready for one."""
        self.out.send(self._request_to(node_id, endpoint, request))

    def send_early(self, node_id: NodeId, endpoint: Endpoint, request: RaftRequest) -> None:
        """Do as :meth:`send` for a request that promises nothing about this disk: it does not wait for a flush."""
        self.out.early.append(self._request_to(node_id, endpoint, request))

    def _request_to(self, node_id: NodeId, endpoint: Endpoint, request: RaftRequest) -> Send:
        correlation = self.requests_out.open(node_id, request, endpoint)
        return Send(node_id, endpoint, correlation, request, self.config.request_timeout_ms)

    @property
    def is_removed(self) -> bool:
        """Whether exactly this replica was taken out of the voter set; it does not ask to come back."""
        return self.key.directory_id is not None and self.status.removed == self.key.directory_id

    def record_removal(self, *, is_removed: bool) -> None:
        """Remember, over restarts too, whether exactly this replica was taken out of the voter set."""
        if is_removed != self.is_removed and self.key.directory_id is not None:
            self.set_status(replace(self.status, removed=self.key.directory_id if is_removed else None))

    def maybe_forget_removal(self) -> None:
        """Forget the removal of a replica that was added again, once no truncation can undo that."""
        if not self.is_removed or not self.voters.contains(self.key):
            return
        offset = self.voter_set_history.offset
        if offset is None or offset < (self.high_watermark or 0):
            self.record_removal(is_removed=False)

    def set_status(self, status: ReplicaStatus, reason: str = "") -> None:
        """Change the status; the next ``Ready`` stores it. A vote that begins or ceases to count is an event."""
        if status.status is not self.status.status:
            self.out.events.append(EligibilityChanged(self.status.status, status.status, reason))
        self.status = self.out.replica_status = status

    @property
    def probation_ms(self) -> int:
        """How long a replica that lost something is not to be counted; the bound is in ``voter_eligibility``."""
        config = self.config
        return (2 * config.election_timeout_ms + config.election_backoff_max_ms + config.check_quorum_ms) * 5 // 4

    def put_on_probation(self) -> None:
        """Begin the probation of a replica that could be counted as soon as it fetches under its key."""
        is_static_voter = self.config.static_voters.by_id(self.node_id) is not None
        if is_static_voter or self.status.quarantine is not None or self.status.vote_lost:
            self.probation_ends_ms = self.started_ms + self.probation_ms

    def back_off(self, node_id: NodeId, pause_ms: int | None = None) -> None:
        """Leave a node alone for a while (by default for the retry back-off)."""
        self.requests_out.back_off(
            node_id, self.now_ms + (self.config.retry_backoff_ms if pause_ms is None else pause_ms)
        )

    def report_rejection(self, node_id: NodeId | None, reason: str) -> None:
        """Report, rate-limited, that a peer and this node cannot work together."""
        if self.log_rate_limiter.should_log(node_id, reason, self.now_ms):
            self.out.events.append(PeerRejected(node_id, reason))

    def is_me(self, voter: ReplicaKey | None) -> bool:
        """Return whether a request that names its receiver means this replica; a request that names none does."""
        return voter is None or voter.accepts(self.key)


def _is_removed(key: ReplicaKey, sets: list[VoterSet], *, before: bool) -> bool:
    """Return whether a replica is in one of these sets and not in the last one, or was removed before.

    Where the last one holds a replica that was removed, its record may still be truncated.
    """
    is_in_last = bool(sets) and sets[-1].contains(key)
    return before or (not is_in_last and any(voters.contains(key) for voters in sets))
