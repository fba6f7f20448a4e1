"""``ReplicaView``: everything that may be asked of a replica. Asking changes nothing."""

from __future__ import annotations

from kraftpy.model.digests import StateDigest
from kraftpy.model.offsets import Epoch, LeaderAndEpoch, Offset, OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey, VoterSet
from kraftpy.raft import confirming, leader_replication, snapshots
from kraftpy.raft.epoch_limit import no_epoch_left
from kraftpy.raft.guards import is_servable
from kraftpy.raft.messages import DescribeQuorumResponse
from kraftpy.raft.ready import Role
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Candidate, Follower, Leader, Prospective, Resigned


class ReplicaView:
    """The questions that a driver, a metric or a test asks; see :class:`~kraftpy.raft.replica.Replica`."""

    def __init__(self, state: ReplicaState) -> None:
        self._state = state

    @property
    def shutdown_done(self) -> bool:
        """Whether nothing holds this node back.

        It is no voter or the only one, it knows another leader, or too few voters are alive to elect one.
        """
        state = self._state
        if not state.shutting_down:
            return False
        handed_over = state.leader_id not in {None, state.node_id}
        gone = len(state.role.gone) if isinstance(state.role, Resigned) else 0
        no_voter_left = len(state.other_voter_ids) - gone < state.voters.majority
        return not state.is_voter or len(state.voters) == 1 or handed_over or (gone > 0 and no_voter_left)

    @property
    def role(self) -> Role:
        """What this replica is in its epoch."""
        return self._state.role.role

    @property
    def epoch(self) -> Epoch:
        """The highest epoch seen."""
        return self._state.epoch

    @property
    def leader(self) -> LeaderAndEpoch:
        """Who leads the epoch, as far as known; a resigned leader still says itself."""
        return self._state.leader

    @property
    def vote(self) -> ReplicaKey | None:
        """For whom this replica voted in its epoch; a candidate, and who led the epoch, for itself."""
        role = self._state.role
        return self.key if isinstance(role, Candidate | Leader | Resigned) else role.voted_key

    @property
    def leader_is_lost(self) -> bool:
        """Whether the leader's process was seen dead, or said that it resigned; who leads next is not known yet."""
        role = self._state.role
        return isinstance(role, Follower | Prospective) and role.leader_lost

    @property
    def leader_endpoints(self) -> tuple[Endpoint, ...]:
        """Where the leader listens; empty when it is unknown."""
        return self._state.leader_endpoints

    @property
    def high_watermark(self) -> Offset | None:
        """The end of what is known to be committed; it never goes back while the process lives."""
        return self._state.high_watermark

    @property
    def committed_elsewhere(self) -> Offset:
        """The highest committed end that this replica has received; its own log may be shorter."""
        role, own = self._state.role, self._state.high_watermark or 0
        reported = role.leader_high_watermark if isinstance(role, Follower) else None
        return own if reported is None else max(own, reported)

    @property
    def log_end_offset(self) -> Offset:
        """The next offset to be given out, proposals included."""
        return self._state.log.end_offset

    @property
    def log_end_epoch(self) -> Epoch:
        """The epoch of the last record; 0 of an empty log."""
        return self._state.log.last_epoch

    @property
    def log_start_offset(self) -> Offset:
        """The first offset that the log still holds."""
        return self._state.log.start_offset

    @property
    def voters(self) -> VoterSet:
        """The voter set in force, uncommitted records included."""
        return self._state.voters

    @property
    def is_voter(self) -> bool:
        """Whether this replica, directory id included, is one of the voters in force."""
        return self._state.is_voter

    @property
    def kraft_version(self) -> int:
        """The kraft.version in force."""
        return self._state.kraft_version

    @property
    def epoch_start_offset(self) -> Offset | None:
        """Where the epoch that this replica leads starts: it may act once its state machine is past it."""
        role = self._state.role
        return role.epoch_start_offset if isinstance(role, Leader) else None

    @property
    def hands_over(self) -> bool:
        """Whether it is handing its leadership to another voter: until that is over, nothing is proposed."""
        role = self._state.role
        return isinstance(role, Leader) and role.transfer is not None

    def confirmed(self, epoch: Epoch) -> int | None:
        """Return the newest confirmed ticket of ``Replica.request_confirmation``.

        ``None`` when this replica does not lead ``epoch`` (any more): then no ticket of it will be confirmed.
        """
        return confirming.confirmed(self._state, epoch)

    @property
    def key(self) -> ReplicaKey:
        """Who this replica is."""
        return self._state.key

    @property
    def cluster_id(self) -> str | None:
        """The cluster that it belongs to, ``None`` until it is discovered."""
        return self._state.cluster_id

    def quorum_at(self, offset: Offset) -> tuple[VoterSet | None, int]:
        """Return the voters that the log names and the kraft.version, as of ``offset``, for a snapshot ending there."""
        last = offset - 1  # a record at the end itself is not in the snapshot
        return self._state.voter_set_history.at(last), self._state.kraft_versions.at(last) or 0

    def count_observers(self, now_ms: int) -> int | None:
        """Return how many observers fetch from this leader; ``None`` of a replica that does not lead."""
        role = self._state.role
        return role.progress.count_observers(now_ms) if isinstance(role, Leader) else None

    @property
    def changes_voters(self) -> bool | None:
        """Whether a change of the voter set waits for its commit; ``None`` of a replica that does not lead."""
        role, offset = self._state.role, self._state.voter_set_history.offset
        if not isinstance(role, Leader):
            return None
        return role.change is not None or (offset is not None and offset >= (self._state.high_watermark or 0))

    def leader_silence_ms(self, now_ms: int) -> int | None:
        """Return how long (ms) this node may have missed updates: ``None`` while it neither leads nor follows.

        A follower counts from its leader's last response. A leader counts from the last contact with a majority,
        because another one may have been elected since; one that needs no other voter is always up to date.
        """
        role = self._state.role
        if isinstance(role, Leader):
            return 0 if role.in_touch_ms is None else max(0, now_ms - role.in_touch_ms)
        if not isinstance(role, Follower):
            return None
        return max(0, now_ms - role.heard_ms)

    @property
    def leader_heard_ms(self) -> int | None:
        """When a leader last answered a fetch of this replica, of one that has stopped following (ms).

        ``None`` if none did since it started, or since it led itself.
        """
        return self._state.leader_heard_ms

    def describe(self, now_ms: int) -> DescribeQuorumResponse:
        """Show the quorum as this replica sees it; only a leader knows the others' progress."""
        self._state.now_ms = now_ms
        return leader_replication.describe_quorum(self._state)

    @property
    def leaderless_because(self) -> str | None:
        """Why no voter could be elected in this replica's last attempt; ``None`` when that may resolve itself."""
        state = self._state
        if state.leader_id is not None:
            return None
        if not state.has_next_epoch:
            return no_epoch_left(state.epoch)
        if state.election_blocked_reason is not None:
            return str(state.election_blocked_reason)
        return None if state.status.is_eligible else f"this voter's vote does not count: {state.status.reason}"

    @property
    def agreed_state(self) -> StateDigest | None:
        """The newest digest of this replica's state that a majority of the voters made, too."""
        return self._state.digests.agreed

    def is_servable(self, snapshot_id: OffsetAndEpoch) -> bool:
        """Whether a local snapshot may be served to others, and the log before it dropped."""
        return is_servable(self._state, snapshot_id)

    def is_being_fetched(self, snapshot_id: OffsetAndEpoch) -> bool:
        """Whether a replica fetches a local snapshot from here: it is not to be dropped yet."""
        return snapshots.is_being_fetched(self._state, snapshot_id)

    @property
    def vote_counts(self) -> bool:
        """Whether this replica is a voter, and one that holds all that it ever promised, as far as it knows."""
        return self._state.may_start_election

    @property
    def vote_store_ms(self) -> int:
        """How long (ms) it usually takes to store a vote here; 0 until that is known."""
        return self._state.vote_store.usual_ms

    @property
    def state(self) -> ReplicaState:
        """The state itself, for :mod:`kraftpy.raft.invariants`; no other module reads it, and none changes it."""
        return self._state
