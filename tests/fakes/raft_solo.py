"""One replica driven by hand: every request that it sends and every answer that it gives can be looked at."""

from __future__ import annotations

from kraftpy.model.election import ElectionState
from kraftpy.model.offsets import LeaderAndEpoch, Offset, OffsetAndEpoch
from kraftpy.model.replica_status import VoterStatus
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.config import Identity, RaftConfig, RecoveredState
from kraftpy.raft.invariants import check_replica
from kraftpy.raft.messages import (
    BeginQuorumEpochRequest,
    FetchRequest,
    FetchResponse,
    RaftRequest,
    RaftResponse,
    VoteRequest,
    VoteResponse,
)
from kraftpy.raft.ready import (
    EligibilityChanged,
    Event,
    Failure,
    Inbound,
    Ready,
    Reply,
    RequestFailed,
    RequestReceived,
    ResponseReceived,
    Role,
    Send,
)
from kraftpy.raft.replica import Replica
from kraftpy.records.batch import encode_batch
from tests.fakes.raft_cluster import FixedJitter, endpoint_of, voter_set


def key_of(node_id: int) -> ReplicaKey:
    return ReplicaKey(node_id, bytes([node_id]) * 16)


class Solo:
    """Replica 1 (by default) of three static voters, at time 0, with its Ready values carried out at once."""

    def __init__(
        self,
        node_id: int = 1,
        voters: tuple[int, ...] = (1, 2, 3),
        *,
        recovered: RecoveredState | None = None,
        cluster_id: str | None = "cluster",
        jitter: FixedJitter | None = None,
        **config: object,
    ) -> None:
        self.now_ms = 0
        self.sent: list[Send] = []
        self.replies: dict[int, Reply] = {}
        self.early: list[int] = []
        self.readies: list[Ready] = []
        self.events: list[Event] = []
        self.stored = recovered.election_state if recovered else ElectionState()
        self.appended: list[bytes] = []
        self._token = 0
        settings = {"static_voters": voter_set(voters), "own_endpoints": (endpoint_of(node_id),)} | config
        self.replica = Replica(
            config=RaftConfig(**settings),
            identity=Identity(key=key_of(node_id), cluster_id=cluster_id),
            recovered=recovered or RecoveredState(),
            jitter=jitter or FixedJitter(),
            now_ms=0,
        )
        self.drain()

    def drain(self) -> None:
        while self.replica.has_ready():
            ready = self.take()
            self.replica.advance(self.now_ms, ready)
        check_replica(self.replica)

    def take(self) -> Ready:
        """Take one Ready and note what it says, without confirming it."""
        ready = self.replica.ready(self.now_ms)
        self.readies.append(ready)
        self.stored = ready.election_state or self.stored
        self.appended += ready.append
        self.events += ready.events
        for message in (*ready.early, *ready.messages):
            if isinstance(message, Send):
                self.sent.append(message)
            else:
                self.replies[message.token] = message
        self.early += [message.token for message in ready.early if isinstance(message, Reply)]
        return ready

    def step(self, inbound: Inbound) -> None:
        self.replica.step(self.now_ms, inbound)
        self.drain()

    def park(self, request: RaftRequest) -> int:
        """Receive a request and return its token."""
        self._token += 1
        self.step(RequestReceived(self._token, request))
        return self._token

    def ask(self, request: RaftRequest) -> RaftResponse:
        """Receive a request that is answered at once."""
        return self.replies[self.park(request)].response

    def last_sent(self, kind: type[RaftRequest], node_id: int | None = None) -> Send:
        return next(
            send for send in reversed(self.sent) if isinstance(send.request, kind) and node_id in {None, send.node_id}
        )

    def answer(self, send: Send, response: RaftResponse) -> None:
        self.step(ResponseReceived(send.correlation, response))

    def fail(self, send: Send, reason: Failure) -> None:
        self.step(RequestFailed(send.correlation, reason))

    def tick(self, now_ms: int) -> None:
        self.now_ms = now_ms
        self.replica.tick(now_ms)
        self.drain()

    # Shortcuts into a role.

    @property
    def role(self) -> Role:
        return self.replica.role

    def leader(self, node_id: int | None) -> LeaderAndEpoch:
        return LeaderAndEpoch(node_id, self.replica.epoch)

    def become_prospective(self) -> None:
        deadline_ms = self.replica.state.role.deadline_ms
        self.tick(deadline_ms)
        assert self.role is Role.PROSPECTIVE

    def become_candidate(self) -> None:
        self.become_prospective()
        self.grant(2)
        assert self.role is Role.CANDIDATE

    def become_leader(self) -> None:
        if len(self.replica.voters) > 1:
            self.become_candidate()
            self.grant(2)
        assert self.role is Role.LEADER

    def follow(self, leader_id: int = 2, epoch: int = 1) -> None:
        self.ask(
            BeginQuorumEpochRequest(
                cluster_id=self.replica.cluster_id,
                voter=None,
                leader_id=leader_id,
                epoch=epoch,
                leader_endpoints=(endpoint_of(leader_id),),
            )
        )
        assert self.role is Role.FOLLOWER

    def grant(self, node_id: int, *, granted: bool = True) -> None:
        self.answer(self.last_sent(VoteRequest, node_id), VoteResponse(leader=self.leader(None), granted=granted))

    def fetched(self, *records: bytes, high_watermark: Offset | None = None, **more: object) -> None:
        """Let the leader answer the fetch in flight."""
        send = self.last_sent(FetchRequest)
        leader = self.leader(send.node_id)
        self.answer(
            send, FetchResponse(leader=leader, records=b"".join(records), high_watermark=high_watermark, **more)
        )


def vote(
    epoch: int, candidate: int = 2, *, last: tuple[int, int] = (0, 0), voter: ReplicaKey | None = None, **more: object
) -> VoteRequest:
    """Ask for a vote; ``last`` is (epoch, end offset)."""
    fields = {"cluster_id": "cluster"} | more
    return VoteRequest(voter=voter, candidate=key_of(candidate), epoch=epoch, last=OffsetAndEpoch(*last), **fields)


def fetch(
    epoch: int,
    offset: Offset = 0,
    last_epoch: int = 0,
    *,
    replica: int | None = 2,
    max_wait_ms: int = 500,
    **more: object,
) -> FetchRequest:
    fields = {"cluster_id": "cluster", "high_watermark": 0} | more
    return FetchRequest(
        replica=None if replica is None else key_of(replica),
        epoch=epoch,
        fetch_offset=offset,
        last_fetched_epoch=last_epoch,
        max_wait_ms=max_wait_ms,
        max_bytes=1_000_000,
        **fields,
    )


def batch(*values: str, base: Offset = 0, epoch: int = 1) -> bytes:
    return encode_batch([value.encode() for value in values], base_offset=base, epoch=epoch, timestamp_ms=0)


def caught_up(where: str, before: VoterStatus) -> EligibilityChanged:
    """The event of a replica that is eligible again."""
    return EligibilityChanged(before, VoterStatus.ELIGIBLE, f"caught up with {where}")
