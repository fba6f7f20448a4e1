"""A whole quorum in memory: replicas, disks that can lose what was not flushed, and a network delivered by hand.

Nothing here waits or draws by itself: time is a number that the caller moves, every message is in a list until the
caller (a test, a scenario verb, the simulator) delivers, drops, duplicates or reorders it. Same calls, same run.

The parts: ``FakeDisk`` is what a node has stored; ``FakeNode`` a replica with its disk; ``Envelope`` a message on its
way; ``Cluster`` holds them, carries out each ``Ready`` in its stated order, and offers both the fine steps (``tick``,
``deliver``) and the coarse ones (``run``, ``elect``, ``settle``).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch, Offset, OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet
from kraftpy.raft.config import Identity, RaftConfig
from kraftpy.raft.invariants import ClusterCheck
from kraftpy.raft.messages import FetchResponse, FetchSnapshotResponse, RaftRequest, RaftResponse
from kraftpy.raft.ready import (
    AbortDownload,
    Download,
    DownloadChunk,
    Event,
    Failure,
    FinishDownload,
    Inbound,
    LogRead,
    Ready,
    Reply,
    RequestAbandoned,
    RequestFailed,
    RequestReceived,
    ResponseReceived,
    Role,
    Send,
    SnapshotRead,
    StartDownload,
)
from kraftpy.raft.replica import Replica
from tests.fakes.raft_disk import FakeDisk, snapshot_bytes, snapshot_history

READY_ROUNDS_MAX = 1_000
"""One node never needs this many Ready values in a row without new input: it would be a livelock."""


class SeededJitter:
    """Draws from a seeded generator."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, bound: int) -> int:
        return self._random.randrange(bound) if bound > 0 else 0


class FixedJitter:
    """Always draws the same part of the bound, so that timers are known to the millisecond."""

    def __init__(self, part: float = 0.0) -> None:
        self.part = part

    def below(self, bound: int) -> int:
        return min(int(bound * self.part), max(0, bound - 1))


@dataclass(slots=True)
class Envelope:
    """A request or a response on its way.

    Attributes:
        correlation: of the request that it is, or answers.
    """

    source: NodeId
    target: NodeId
    correlation: int
    message: RaftRequest | RaftResponse
    is_request: bool

    def __str__(self) -> str:
        return f"{self.source} -> {self.target} {type(self.message).__name__}"


@dataclass(slots=True)
class FakeNode:
    """A replica, its disk, and its inputs.

    Attributes:
        replica: None while the process is down.
        writing: a Ready whose appends are written and not flushed yet (see ``Cluster.slow_disks``).
        address: what the others call it; its node id, unless it is a second process with a duplicate id.
    """

    key: ReplicaKey
    config: RaftConfig
    disk: FakeDisk
    cluster_id: str | None
    replica: Replica | None = None
    committed: Offset = 0
    events: list[Event] = field(default_factory=list)
    incarnation: int = 0
    writing: Ready | None = None
    address: NodeId | None = None

    @property
    def id(self) -> NodeId:
        return self.key.node_id if self.address is None else self.address

    @property
    def alive(self) -> Replica:
        assert self.replica is not None, f"node {self.id} is down"
        return self.replica


class Cluster:
    """Nodes and the messages between them; see the module.

    Attributes:
        wire: messages on their way, oldest first.
        cut: ordered pairs (source, target) whose messages are lost.
            (Their senders see time-outs; a dead process refuses instead.)
        guarded: new disks are marked as empty, as those of a real node are; else they count as formatted.
        slow_disks: nodes whose flush ends only when ``flush`` is called; until then they take input, and a crash loses
            what they wrote.
    """

    def __init__(
        self,
        voters: Iterable[NodeId] = (1, 2, 3),
        observers: Iterable[NodeId] = (),
        *,
        seed: int = 1,
        jitter: Callable[[int], object] | None = None,
        check: bool = True,
        dynamic: bool = False,
        guarded: bool = False,
        cluster_id: str | None = "cluster",
        **config: object,
    ) -> None:
        self.guarded = guarded
        self._histories = 0
        self.now_ms = 1_000_000
        self.nodes: dict[NodeId, FakeNode] = {}
        self.wire: list[Envelope] = []
        self.cut: set[tuple[NodeId, NodeId]] = set()
        self.slow_disks: set[NodeId] = set()
        self.checker = ClusterCheck() if check else None
        self.committed: dict[Offset, tuple[Epoch, bytes]] = {}
        self.on_ready: Callable[[FakeNode, Ready], None] | None = None
        self.in_flight: dict[tuple[NodeId, int], tuple[Envelope, int, int]] = {}
        self._tokens: dict[tuple[NodeId, int], tuple[NodeId, int, int]] = {}
        self._token = 0
        self._seed = seed
        self._jitter = jitter
        self.static = voter_set(voters, directories=dynamic)
        self.dynamic = dynamic
        for node_id in [*self.static.ids, *observers]:
            self.add_node(node_id, cluster_id=cluster_id, **config)

    # Nodes.

    def add_node(self, node_id: NodeId, *, cluster_id: str | None = "cluster", **config: object) -> FakeNode:
        """Make a node with an empty disk (a zero checkpoint with the voters, in a dynamic quorum) and start it."""
        voter = self.static.by_id(node_id)
        key = ReplicaKey(node_id, bytes([node_id]) * 16)
        settings = {
            "static_voters": VoterSet() if self.dynamic else self.static,
            "bootstrap_servers": tuple(endpoint_of(each) for each in self.static.ids)
            if self.dynamic or not voter
            else (),
            "own_endpoints": (endpoint_of(node_id),),
            "can_vote": voter is not None,
        } | config
        disk = FakeDisk()
        if self.guarded:
            self._mark_empty(disk)
        if self.dynamic and voter is not None:
            disk.snapshots[OffsetAndEpoch(0, 0)] = snapshot_bytes(self.static)
        node = FakeNode(key, RaftConfig(**settings), disk, cluster_id)
        self.nodes[node_id] = node
        self.start(node_id)
        return node

    def _mark_empty(self, disk: FakeDisk) -> None:
        """Note on a disk that it held nothing when its process first started."""
        self._histories += 1
        disk.replica_status = disk.replica_status.as_empty(self._histories.to_bytes(16))

    def wipe(self, node_id: NodeId) -> None:
        """Lose a node's disk; the process must be down."""
        node = self.nodes[node_id]
        assert node.replica is None, f"node {node_id} runs"
        node.disk.wipe()
        self._mark_empty(node.disk)
        node.key = ReplicaKey(node.key.node_id, self._histories.to_bytes(16, "little"))

    def add_duplicate(self, node_id: NodeId, address: NodeId, **config: object) -> FakeNode:
        """Start a second process with a voter's id, on a disk and at an address of its own."""
        key = ReplicaKey(node_id, bytes([address]) * 16)
        settings = {"static_voters": self.static, "own_endpoints": (endpoint_of(address),)} | config
        node = FakeNode(key, RaftConfig(**settings), FakeDisk(), self.nodes[node_id].cluster_id, address=address)
        self.nodes[address] = node
        self.start(address)
        return node

    def start(self, node_id: NodeId) -> None:
        """Start a node from its disk."""
        node = self.nodes[node_id]
        node.incarnation += 1
        node.committed = 0
        jitter = (
            self._jitter(node_id)
            if self._jitter
            else SeededJitter(self._seed * 1_000 + node_id * 10 + node.incarnation)
        )
        node.replica = Replica(
            config=node.config,
            identity=Identity(key=node.key, cluster_id=node.cluster_id),
            recovered=node.disk.recovered_state(),
            jitter=jitter,
            now_ms=self.now_ms,
        )
        self.pump(node)

    def crash(self, node_id: NodeId, *, survivors: int = 0) -> None:
        """Kill a process: its sockets close, its unflushed tail is lost."""
        node = self.nodes[node_id]
        if node.replica is None:
            return
        node.replica = node.writing = None
        node.disk.crash(survivors=survivors)
        if self.checker is not None:
            self.checker.forget_epoch(node.key)  # an epoch that was not stored yet may be lost; a stored one never is
        self.wire = [each for each in self.wire if each.source != node_id]
        for (sender, correlation), (envelope, _, _) in list(self.in_flight.items()):
            if sender == node_id:
                del self.in_flight[sender, correlation]
                self._abandon(sender, correlation)
            elif envelope.target == node_id:
                self.fail(sender, correlation, self._failure(sender, node_id, Failure.DISCONNECTED))

    def restart(self, node_id: NodeId) -> None:
        self.crash(node_id)
        self.start(node_id)

    def running(self) -> list[FakeNode]:
        return [self.nodes[node_id] for node_id in sorted(self.nodes) if self.nodes[node_id].replica is not None]

    def replica(self, node_id: NodeId) -> Replica:
        return self.nodes[node_id].alive

    def leader(self) -> FakeNode | None:
        """The leader of the highest epoch, if it runs."""
        leaders = [node for node in self.running() if node.alive.role is Role.LEADER]
        return max(leaders, key=lambda node: node.alive.epoch, default=None)

    # The network.

    def isolate(self, node_id: NodeId) -> None:
        """Cut a node off, both ways; its peers see time-outs."""
        for other in self.nodes:
            self.cut |= {(node_id, other), (other, node_id)}

    def heal(self) -> None:
        self.cut.clear()

    def _failure(self, source: NodeId, target: NodeId, reason: Failure) -> Failure | None:
        """What a sender sees: nothing at all (a later time-out) over a cut link."""
        return None if (source, target) in self.cut or (target, source) in self.cut else reason

    def fail(self, node_id: NodeId, correlation: int, reason: Failure | None) -> None:
        """Report to a sender that its request failed; ``None`` leaves it waiting for its time-out."""
        if reason is not None and self.in_flight.pop((node_id, correlation), None) is not None:
            self._abandon(node_id, correlation)
            self.inject(node_id, RequestFailed(correlation, reason))

    def _abandon(self, node_id: NodeId, correlation: int) -> None:
        """Close the connection under a request: the node where it is pending is notified."""
        for key, (source, asked, incarnation) in list(self._tokens.items()):
            if (source, asked) == (node_id, correlation):
                del self._tokens[key]
                target = self.nodes[key[0]]
                if target.replica is not None and target.incarnation == incarnation:
                    self.inject(key[0], RequestAbandoned(key[1]))

    def deliver(self, envelope: Envelope, *, keep: bool = False) -> None:
        """Hand a message over; ``keep`` leaves a copy on the wire (a duplicate)."""
        if not keep:
            self.wire.remove(envelope)
        if (envelope.source, envelope.target) in self.cut:
            return
        target = self.nodes.get(envelope.target)
        if target is None or target.replica is None:
            if envelope.is_request:
                self.fail(envelope.source, envelope.correlation, Failure.REFUSED)
            return
        if envelope.is_request:
            self._token += 1
            self._tokens[envelope.target, self._token] = (envelope.source, envelope.correlation, target.incarnation)
            self.inject(envelope.target, RequestReceived(self._token, envelope.message))
        elif self.in_flight.pop((envelope.target, envelope.correlation), None) is not None:
            self.inject(envelope.target, ResponseReceived(envelope.correlation, envelope.message))

    def deliver_all(self, only: Callable[[Envelope], bool] = lambda _: True, *, rounds: int = 10_000) -> int:
        """Deliver what is on the wire, and what that causes, until nothing (that is wanted) is left."""
        for count in range(rounds):
            envelope = next((each for each in self.wire if only(each)), None)
            if envelope is None:
                return count
            self.deliver(envelope)
        raise AssertionError(f"the wire never falls silent; last: {self.wire[:3]}")

    # Time.

    def next_deadline_ms(self) -> int | None:
        deadlines = [node.alive.next_deadline_ms() for node in self.running()]
        deadlines += [timeout_ms for _, timeout_ms, _ in self.in_flight.values()]
        return min((each for each in deadlines if each is not None), default=None)

    def advance_to(self, now_ms: int) -> None:
        """Move the clock and let everything that is due happen, without delivering anything."""
        self.now_ms = max(self.now_ms, now_ms)
        for (node_id, correlation), (_, timeout_ms, _) in list(self.in_flight.items()):
            if timeout_ms <= self.now_ms:
                self.fail(node_id, correlation, Failure.TIMED_OUT)
        for node in self.running():
            deadline_ms = node.alive.next_deadline_ms()
            if deadline_ms is not None and deadline_ms <= self.now_ms:
                node.alive.tick(self.now_ms)
                self.pump(node)

    def run(self, duration_ms: int, until: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass with a perfect network (but for cuts) until the condition holds; return whether it does."""
        end_ms = self.now_ms + duration_ms
        idle_steps = 0
        while True:
            self.deliver_all()
            if until():
                return True
            deadline_ms = self.next_deadline_ms()
            if deadline_ms is None or deadline_ms > end_ms:
                self.advance_to(end_ms)
                self.deliver_all()
                return until()
            idle_steps = idle_steps + 1 if deadline_ms <= self.now_ms else 0
            assert idle_steps < READY_ROUNDS_MAX, f"time stands still at {self.now_ms}"
            self.advance_to(deadline_ms)

    def elect(self, node_id: NodeId | None = None, *, duration_ms: int = 60_000) -> FakeNode:
        """Run until there is a leader (this one, if named) whose first record is committed."""
        if node_id is not None and self.replica(node_id).role is not Role.LEADER:
            self.start_election(node_id)

        def elected() -> bool:
            leader = self.leader()
            if leader is None or node_id not in {None, leader.id}:
                return False
            role = leader.alive.state.role
            return getattr(role, "high_watermark", None) is not None

        assert self.run(duration_ms, elected), f"no leader within {duration_ms} ms: {self.describe()}"
        leader = self.leader()
        assert leader is not None
        return leader

    def start_election(self, node_id: NodeId) -> None:
        """Make one node's timer run out now, before everybody else's; its peers doubt their leader too."""
        for node in self.running():
            role = node.alive.state.role
            if node.id != node_id and hasattr(role, "leader_lost"):
                role.leader_lost = True
        role = self.replica(node_id).state.role
        role.deadline_ms = self.now_ms
        self.advance_to(self.now_ms)

    def settle(self, duration_ms: int = 60_000) -> None:
        """Run until all running nodes agree on the end of the log and on what is committed."""
        assert self.run(duration_ms, self.is_settled), f"not settled: {self.describe()}"

    def is_settled(self) -> bool:
        leader = self.leader()
        if leader is None:
            return False
        end = leader.alive.log_end_offset
        reachable = [node for node in self.running() if not self._is_cut(leader.id, node.id)]
        return all(node.alive.log_end_offset == end == node.committed for node in reachable)

    def _is_cut(self, one: NodeId, other: NodeId) -> bool:
        return (one, other) in self.cut or (other, one) in self.cut

    # Input and output of one node.

    def inject(self, node_id: NodeId, inbound: Inbound) -> None:
        node = self.nodes[node_id]
        node.alive.step(self.now_ms, inbound)
        self.pump(node)

    def propose(self, *values: bytes, node_id: NodeId | None = None) -> Offset:
        node = self.nodes[node_id] if node_id is not None else self.leader()
        assert node is not None, f"nobody leads: {self.describe()}"
        offset = node.alive.propose(self.now_ms, node.alive.epoch, values)
        self.pump(node)
        return offset

    def freeze_snapshot(self, node_id: NodeId, *, size: int = 0) -> OffsetAndEpoch:
        """Write a snapshot of all that is committed on a node."""
        node = self.nodes[node_id]
        committed = node.committed
        snapshot_id = OffsetAndEpoch(epoch=node.disk.record_epoch(committed - 1), offset=committed)
        node.disk.snapshots[snapshot_id] = snapshot_bytes(node.alive.voters if self.dynamic else None, size=size)
        node.alive.snapshot_frozen(snapshot_id)
        return snapshot_id

    def drop_log_start(self, node_id: NodeId) -> None:
        """Delete everything below a node's latest snapshot."""
        node = self.nodes[node_id]
        latest = max(node.disk.snapshots)
        dropped = [batch for batch in node.disk.batches if batch.next_offset <= latest.offset]
        node.disk.batches = node.disk.batches[len(dropped) :]
        node.disk.flushed -= len(dropped)
        node.disk.start_offset = latest.offset
        in_force = [(epoch, start) for epoch, start in node.disk.epochs if start <= latest.offset][-1:]
        later = [(epoch, start) for epoch, start in node.disk.epochs if start > latest.offset]
        node.disk.epochs = [(epoch, latest.offset) for epoch, _ in in_force] + later
        node.disk.snapshots = {latest: node.disk.snapshots[latest]}
        node.alive.log_start_advanced(latest.offset, (latest,))

    def pump(self, node: FakeNode) -> None:
        """Carry out every Ready that a node has, as far as its disk allows."""
        for _ in range(READY_ROUNDS_MAX):
            if node.replica is None or node.writing is not None or not node.replica.has_ready():
                break
            ready = node.replica.ready(self.now_ms)
            self._write(node, ready)
            if node.id in self.slow_disks:
                node.writing = ready
            else:
                self._after_flush(node, ready)
        else:
            raise AssertionError(f"node {node.id} never runs out of Ready values")
        if self.checker is not None:
            self.checker.check(each.alive for each in self.running())

    def flush(self, node_id: NodeId) -> None:
        """Let a slow disk finish the flush that it is at, and go on with the next Ready."""
        node = self.nodes[node_id]
        if node.writing is not None:
            ready, node.writing = node.writing, None
            self._after_flush(node, ready)
            self.pump(node)

    def _write(self, node: FakeNode, ready: Ready) -> None:
        """Do what a Ready says up to the fsync line, in its order."""
        disk = node.disk
        if ready.truncate_to is not None:
            disk.truncate(ready.truncate_to)
        for download in ready.downloads:
            self._download(node, download)
        if ready.election_state is not None:
            assert ready.election_state.epoch >= disk.election_state.epoch, "the stored epoch never falls"
            disk.election_state = ready.election_state
        if ready.replica_status is not None:
            disk.replica_status = ready.replica_status
        if ready.epoch_start is not None:
            disk.note_epoch(ready.epoch_start.epoch, ready.epoch_start.offset)
        for data in ready.append:
            disk.append(data)
        for message in ready.early:
            self.emit(node, message)

    def _after_flush(self, node: FakeNode, ready: Ready) -> None:
        """Do what comes after the fsync line, and report the results."""
        node.disk.flush()
        for message in ready.messages:
            self.emit(node, message)
        if ready.high_watermark is not None:
            self._commit(node, ready.high_watermark)
        node.events.extend(ready.events)
        if self.on_ready is not None:
            self.on_ready(node, ready)
        node.alive.advance(self.now_ms, ready)

    def _download(self, node: FakeNode, download: Download) -> None:
        disk = node.disk
        match download:
            case StartDownload(snapshot_id):
                disk.partial = (snapshot_id, b"")
            case DownloadChunk(snapshot_id, data):
                assert disk.partial is not None
                assert disk.partial[0] == snapshot_id
                disk.partial = (snapshot_id, disk.partial[1] + data)
            case AbortDownload():
                disk.partial = None
            case FinishDownload(snapshot_id):
                self._finish_download(node, snapshot_id)

    def _finish_download(self, node: FakeNode, snapshot_id: OffsetAndEpoch) -> None:
        disk = node.disk
        assert disk.partial is not None
        assert disk.partial[0] == snapshot_id
        data, disk.partial = disk.partial[1], None
        try:
            voters, versions = snapshot_history(snapshot_id, data)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the file, it is rejected
            node.alive.snapshot_rejected(snapshot_id, str(error))
            return
        disk.snapshots = {snapshot_id: data}
        disk.start_offset, disk.batches, disk.flushed, disk.epochs = snapshot_id.offset, [], 0, []
        node.committed = snapshot_id.offset
        node.alive.snapshot_installed(snapshot_id, voters, versions)

    def _commit(self, node: FakeNode, high_watermark: Offset) -> None:
        assert high_watermark >= node.committed, f"high watermark of {node.id} fell to {high_watermark}"
        node.committed = high_watermark
        for offset, epoch, value in node.disk.values(high_watermark):
            known = self.committed.setdefault(offset, (epoch, value))
            assert known == (epoch, value), f"committed record {offset} differs on {node.id}: {known}, {(epoch, value)}"

    def emit(self, node: FakeNode, message: Send | Reply) -> None:
        if isinstance(message, Send):
            target = node_at(message.endpoint)
            timeout_at_ms = self.now_ms + message.timeout_ms
            envelope = Envelope(node.id, target, message.correlation, message.request, is_request=True)
            self.in_flight[node.id, message.correlation] = (envelope, timeout_at_ms, node.incarnation)
            self.wire.append(envelope)
            return
        source = self._tokens.pop((node.id, message.token), None)
        if source is not None:
            response = self._filled(node, message)
            self.wire.append(Envelope(node.id, source[0], source[1], response, is_request=False))

    def _filled(self, node: FakeNode, reply: Reply) -> RaftResponse:
        read, response = reply.read, reply.response
        if isinstance(read, LogRead) and isinstance(response, FetchResponse):
            return replace(response, records=node.disk.read(read))
        if isinstance(read, SnapshotRead) and isinstance(response, FetchSnapshotResponse):
            data = node.disk.snapshots[read.snapshot_id]
            if read.position >= len(data):
                return replace(response, partition_error=ErrorCode.POSITION_OUT_OF_RANGE)
            chunk = data[read.position : read.position + read.max_bytes]
            return replace(response, size=len(data), data=chunk)
        return response

    def describe(self) -> str:
        """One line per node, for failures."""
        lines = [f"now={self.now_ms} wire={len(self.wire)}"]
        for node_id in sorted(self.nodes):
            node = self.nodes[node_id]
            if node.replica is None:
                lines.append(f"{node_id}: down, disk end {node.disk.end_offset} {node.disk.election_state}")
            else:
                replica = node.replica
                lines.append(
                    f"{node_id}: {replica.role.value} epoch={replica.epoch} leader={replica.leader.leader_id} "
                    f"end={replica.log_end_offset} committed={node.committed} deadline={replica.next_deadline_ms()}"
                )
        return "\n".join(lines)


def endpoint_of(node_id: NodeId) -> Endpoint:
    return Endpoint("CONTROLLER", f"node{node_id}", 9093)


def node_at(endpoint: Endpoint) -> NodeId:
    return int(endpoint.host.removeprefix("node"))


def voter_set(node_ids: Iterable[NodeId], *, directories: bool = False) -> VoterSet:
    return VoterSet.of(
        Voter(ReplicaKey(node_id, bytes([node_id]) * 16 if directories else None), (endpoint_of(node_id),), 0, 1)
        for node_id in node_ids
    )
