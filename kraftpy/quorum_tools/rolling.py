"""Which node of a running cluster is restarted next, when all are restarted one at a time: a pure decision.

A plan lists the nodes with the processes that ran when it was made. What is next follows from the plan and from the
cluster as its leader describes it, so a roll that was interrupted anywhere goes on from there. The rules:

* A node has restarted when it has registered another process, in each of its roles, than the one of the plan: every
  process of a broker or a controller registers under an incarnation id of its own.
* No step while the cluster is not steady: a voter leads; every voter, and every node of the plan, fetches from it and
  has caught up; every broker of the plan is unfenced; no partition is under ``min.insync.replicas`` for lack of a
  broker that was restarted.
* No restart on old news: a process that has just died looks well until it is missed. So every voter and every unfenced
  broker has to have fetched since an earlier look at the cluster.
* Controllers come before brokers: observers, followers, then the leader, after another voter has taken its leadership
  over. The one that leads when the turn comes is the last of the controllers, whatever the plan has.
* Brokers come rack by rack. With ``brokers_first`` they come before the controllers.
* A node is restarted only when the quorum keeps a majority without it, and every partition a leader and
  ``min.insync.replicas``. What can never hold, of a quorum of two or of a topic with one replica, is tolerated where
  the plan allows it.

Source: KIP-631 (incarnation ids); KIP-853; Kafka "Upgrading": one node at a time, whatever its role; Confluent
"Upgrade Confluent Platform": KRaft controllers before brokers; Ceph ``ok-to-stop``.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from kraftpy.client.values import BrokerInfo, ClusterInfo, QuorumInfo, ReplicaInfo, TopicInfo
from kraftpy.model.ids import NodeId, Uuid
from kraftpy.quorum_tools.broker_stop import BrokerStop, TopicPartition, broker_stop, effective_min_isr
from kraftpy.quorum_tools.ok_to_stop import ok_to_stop, why_not_counted

PARTITIONS_NAMED_MAX: Final = 5
"""How many partitions a reason names; of the others it has the number."""

VOTERS_MIN: Final = 3
"""With fewer voters than this the quorum has no majority without one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollNode:
    """A node of a plan, and its process when the plan was made.

    Attributes:
        host: where its first registered listener is; empty when it has none.
        controller: the incarnation id of its registration as a controller; ``None`` for a node that is none.
        broker: that of its registration as a broker.
    """

    node_id: NodeId
    host: str = ""
    rack: str | None = None
    controller: Uuid | None = None
    broker: Uuid | None = None

    @property
    def role(self) -> str:
        """Its roles, as ``process.roles`` has them."""
        roles = [("broker", self.broker), ("controller", self.controller)]
        return ",".join(name for name, incarnation in roles if incarnation is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RollPlan:
    """Which nodes are restarted, in this order but for the leader.

    Attributes:
        created_ms: when it was made, in ms since 1970.
        allows_unavailable: restart a node even where the quorum has no majority without any one voter, or a partition
            has no more replicas than ``min.insync.replicas``.
    """

    cluster_id: str
    created_ms: int
    nodes: tuple[RollNode, ...]
    allows_unavailable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RollView:
    """A cluster at one moment; without topics where no broker is restarted."""

    cluster: ClusterInfo
    quorum: QuorumInfo
    topics: Sequence[TopicInfo] = ()

    @property
    def leader(self) -> ReplicaInfo | None:
        """The leader's own row; ``None`` when no voter leads."""
        return next((one for one in self.quorum.voters if one.key.node_id == self.quorum.leader_id), None)

    @property
    def voter_ids(self) -> frozenset[NodeId]:
        """The ids of the voters."""
        return frozenset(one.key.node_id for one in self.quorum.voters)

    @property
    def incarnations(self) -> dict[tuple[str, NodeId], Uuid]:
        """The process of each registration, by role and node id."""
        found: dict[tuple[str, NodeId], Uuid] = {}
        found |= {("controller", one.controller_id): one.incarnation_id for one in self.cluster.controllers}
        found |= {("broker", one.broker_id): one.incarnation_id for one in self.cluster.brokers}
        return found


class NodeProgress(enum.StrEnum):
    """How far a node of a plan is."""

    NOT_RESTARTED = "not restarted"
    RETURNING = "returning"
    RESTARTED = "restarted"


@dataclass(frozen=True, slots=True)
class RollProblem:
    """Why no step is taken now.

    Attributes:
        node_id: ``None`` where it is about no single node.
        what: a sentence without a full stop, with the node in it.
        is_expected: it passes by itself after a restart, or when partitions have caught up; another problem means that
            something else broke.
    """

    node_id: NodeId | None
    what: str
    is_expected: bool


@dataclass(frozen=True, slots=True)
class RollObstacle:
    """Why no plan is made, and the way out."""

    what: str
    way_out: str


@dataclass(frozen=True, slots=True)
class RestartNode:
    """It is safe to stop this node now, and it is its turn."""

    node: RollNode


@dataclass(frozen=True, slots=True)
class HandOverLeadership:
    """Let another voter lead before this one is restarted."""

    node: RollNode
    to: NodeId


@dataclass(frozen=True, slots=True)
class RollWait:
    """Wait until none of these holds any more."""

    problems: tuple[RollProblem, ...]


@dataclass(frozen=True, slots=True)
class RollBlocked:
    """The plan does not fit the cluster; the reason has the way out."""

    reason: str


@dataclass(frozen=True, slots=True)
class RollFinished:
    """Every node of the plan has restarted, and the cluster is steady."""


RollStep: TypeAlias = RestartNode | HandOverLeadership | RollWait | RollBlocked | RollFinished


# Plans.


def ordered_nodes(view: RollView, *, brokers_first: bool = False) -> tuple[RollNode, ...]:
    """Return every registered node, in the order in which they are restarted."""
    incarnations = view.incarnations
    brokers = {one.broker_id: one for one in view.cluster.brokers}
    listeners = {one.broker_id: one.listeners for one in view.cluster.brokers}
    listeners |= {one.controller_id: one.listeners for one in view.cluster.controllers}
    nodes = [
        RollNode(
            node_id=node_id,
            host=listeners[node_id][0].host if listeners[node_id] else "",
            rack=brokers[node_id].rack if node_id in brokers else None,
            controller=incarnations.get(("controller", node_id)),
            broker=incarnations.get(("broker", node_id)),
        )
        for node_id in listeners
    ]

    def place(node: RollNode) -> tuple[bool, int, bool, str, NodeId]:
        if node.controller is not None:
            rank = 2 if node.node_id == view.quorum.leader_id else 1 if node.node_id in view.voter_ids else 0
            return brokers_first, rank, False, "", node.node_id
        return not brokers_first, 0, node.rack is None, node.rack or "", node.node_id

    return tuple(sorted(nodes, key=place))


def why_there(node: RollNode, view: RollView) -> str:
    """Return why a node has its place in the order, in a few words."""
    also = " and a broker" if node.broker is not None else ""
    if node.controller is None:
        return "broker without a rack" if node.rack is None else f"broker in rack {node.rack}"
    if node.node_id == view.quorum.leader_id:
        return f"leader of the quorum{also}: last of the controllers, after another voter took over"
    return f"{'follower' if node.node_id in view.voter_ids else 'observer'} of the quorum{also}"


def plan_obstacles(plan: RollPlan, view: RollView) -> Iterator[RollObstacle]:
    """Yield what is in the way of a plan that was just made."""
    for problem in _problems(plan, view, None):
        yield RollObstacle(
            problem.what,
            "see to it first (kraftpy doctor); leave out a broker that is to stay down with --node, or remove its "
            "registration (kraftpy cluster unregister)",
        )
    registered = {one.controller_id for one in view.cluster.controllers}
    for voter_id in sorted(view.voter_ids - registered):
        yield RollObstacle(
            f"voter {voter_id} is not registered, so a restart of it cannot be seen",
            "look whether it runs; controllers register from metadata.version 3.7-IV0 on",
        )
    if not plan.allows_unavailable:
        yield from _never_available(plan, view)


def _never_available(plan: RollPlan, view: RollView) -> Iterator[RollObstacle]:
    """Yield what no order of restarts keeps available."""
    if len(view.quorum.voters) < VOTERS_MIN and any(node.node_id in view.voter_ids for node in plan.nodes):
        yield RollObstacle(
            f"the quorum has {len(view.quorum.voters)} voters, and no majority without one of them",
            f"add voters until there are {VOTERS_MIN}, or accept with --allow-unavailable that no metadata can be "
            "changed during a restart",
        )
    brokers = {node.node_id for node in plan.nodes if node.broker is not None}
    if fragile := [which for which, replicas in fragile_partitions(view.topics) if brokers & set(replicas)]:
        yield RollObstacle(
            f"{_partitions(fragile)} without a replica to spare: not more than min.insync.replicas",
            "add replicas (kraftpy reassign-partitions), lower min.insync.replicas, or accept with --allow-unavailable "
            "that they are unavailable during a restart",
        )


# What is next.


def next_roll_step(plan: RollPlan, view: RollView, before: RollView, *, in_flight: NodeId | None = None) -> RollStep:
    """Decide what is next.

    Args:
        plan: which nodes are restarted.
        view: the cluster now.
        before: the cluster at an earlier look, after whatever was done last.
        in_flight: a node whose restart was ordered, and that has not come back yet as far as the caller knows.
    """
    if blocked := _why_blocked(plan, view):
        return RollBlocked(blocked)
    if problems := tuple(_problems(plan, view, in_flight)):
        return RollWait(problems)
    if silent := _not_heard_since(before, view):
        return RollWait((RollProblem(None, silent, is_expected=True),))
    left = [node for node in plan.nodes if not has_restarted(node, view)]
    if not left:
        return RollFinished()
    node = _next_of(left, view.quorum.leader_id)
    if why := why_not_stoppable(node, view, allows_unavailable=plan.allows_unavailable):
        return RollWait((RollProblem(node.node_id, why, is_expected=True),))
    if node.node_id == view.quorum.leader_id:
        successor = _successor(view)
        if successor is not None:
            return HandOverLeadership(node, successor)
    return RestartNode(node)


def has_restarted(node: RollNode, view: RollView) -> bool:
    """Return whether another process than that of the plan has registered, in each role of a node."""
    return all(_changed_roles(node, view))


def progress_of(node: RollNode, view: RollView) -> NodeProgress:
    """Return how far a node is."""
    changed = _changed_roles(node, view)
    if not any(changed):
        return NodeProgress.NOT_RESTARTED
    is_back = all(changed) and _why_not_in_service(node.node_id, view) is None
    return NodeProgress.RESTARTED if is_back else NodeProgress.RETURNING


def why_not_stoppable(node: RollNode, view: RollView, *, allows_unavailable: bool) -> str | None:
    """Return why a node cannot be stopped now; ``None`` when it can."""
    reasons = []
    quorum = view.quorum
    tolerates_loss = allows_unavailable and len(quorum.voters) < VOTERS_MIN
    if node.node_id in view.voter_ids and not tolerates_loss:
        answer = ok_to_stop(node.node_id, quorum.leader_id, quorum.voters, quorum.observers)
        if not answer.ok:
            reasons.append(answer.reason)
    if node.broker is not None:
        live = {broker.broker_id for broker in view.cluster.brokers if not broker.fenced}
        topics = _without_fragile(view.topics) if allows_unavailable else view.topics
        reasons += _unavailable(broker_stop(node.node_id, topics, live))
    return f"node {node.node_id} cannot be stopped: {'; '.join(reasons)}" if reasons else None


def _changed_roles(node: RollNode, view: RollView) -> list[bool]:
    """Return for each role of a node whether another process has registered; it has at least one role."""
    now = view.incarnations
    planned = {"controller": node.controller, "broker": node.broker}
    return [
        now.get((role, node.node_id), incarnation) != incarnation
        for role, incarnation in planned.items()
        if incarnation is not None
    ]


def _next_of(left: Sequence[RollNode], leader_id: NodeId | None) -> RollNode:
    """Choose the next of the nodes that are left, in the plan's order; the leader is the last of the controllers."""
    is_controller = left[0].controller is not None
    group = [node for node in left if (node.controller is not None) is is_controller]
    return next((node for node in group if node.node_id != leader_id), group[0])


def _successor(view: RollView) -> NodeId | None:
    """Choose who leads next: the voter with the longest log; ``None`` when there is no other.

    The other controllers of the plan have restarted by now, so the leadership need not move a second time.
    """
    others = [one for one in view.quorum.voters if one.key.node_id != view.quorum.leader_id]
    best = max(others, key=lambda one: (one.log_end_offset or 0, -one.key.node_id), default=None)
    return None if best is None else best.key.node_id


def _why_blocked(plan: RollPlan, view: RollView) -> str | None:
    if view.cluster.cluster_id != plan.cluster_id:
        return f"this is cluster {view.cluster.cluster_id}, and the plan is for {plan.cluster_id}: make a new plan"
    now = view.incarnations
    for node in plan.nodes:
        for role in node.role.split(","):
            if (role, node.node_id) not in now:
                return f"{role} {node.node_id} is not registered any more: make a new plan"
    return None


# Whether the cluster is steady.


def _problems(plan: RollPlan, view: RollView, in_flight: NodeId | None) -> Iterator[RollProblem]:
    """Yield why the cluster is not steady."""
    restarted = {node.node_id for node in plan.nodes if any(_changed_roles(node, view))}
    expected = restarted | ({in_flight} if in_flight is not None else set())
    if view.leader is None:
        # A controller that stops or starts may be the reason; brokers never are.
        yield RollProblem(None, "no voter leads the quorum", is_expected=bool(expected & view.voter_ids))
        return
    planned = {node.node_id: node for node in plan.nodes}
    for node_id in sorted(view.voter_ids | planned.keys()):
        node = planned.get(node_id)
        if node_id in expected and node is not None and not has_restarted(node, view):
            yield RollProblem(node_id, f"node {node_id} has not registered as a new process yet", is_expected=True)
        elif (why := _why_not_in_service(node_id, view)) is not None:
            yield RollProblem(node_id, f"node {node_id} {why}", is_expected=node_id in expected)
    brokers = {node.node_id for node in plan.nodes if node.broker is not None}
    if lacking := list(_under_min_isr(view, expected & brokers)):
        yield RollProblem(
            None,
            f"{_partitions(lacking)} under min.insync.replicas until the restarted replicas have caught up",
            is_expected=True,
        )


def _not_heard_since(before: RollView, view: RollView) -> str | None:
    """Return who has not fetched since an earlier look, by the leader's clock; ``None`` when everyone has."""
    then, now = before.leader, view.leader
    if then is None or now is None or (then.key, before.quorum.leader_epoch) != (now.key, view.quorum.leader_epoch):
        return "the leader has changed since the last look"
    fetched: dict[NodeId, int] = {}
    for one in (*view.quorum.voters, *view.quorum.observers):
        fetched[one.key.node_id] = max(fetched.get(one.key.node_id, 0), one.last_fetch_ms or 0)
    wanted = view.voter_ids | {one.broker_id for one in view.cluster.brokers if not one.fenced}
    missing = [one for one in sorted(wanted - {now.key.node_id}) if fetched.get(one, 0) <= (then.last_fetch_ms or 0)]
    return f"nodes that have not fetched since the last look: {', '.join(map(str, missing))}" if missing else None


def _why_not_in_service(node_id: NodeId, view: RollView) -> str | None:
    """Return why a node is not running and caught up, in words after its id; ``None`` when it is."""
    leader, quorum = view.leader, view.quorum
    if leader is None:
        return "may follow or not: no voter leads"
    voting = next((one for one in quorum.voters if one.key.node_id == node_id), None)
    observing = [one for one in quorum.observers if one.key.node_id == node_id]
    rows = [voting] if voting is not None else observing
    reasons = [why_not_counted(row, leader) for row in rows]
    if None not in reasons:
        return next(iter(reasons), None) or "does not fetch from the leader"
    broker = next((one for one in view.cluster.brokers if one.broker_id == node_id), None)
    return None if broker is None else _why_not_serving(broker)


def _why_not_serving(broker: BrokerInfo) -> str | None:
    if broker.in_controlled_shutdown:
        return "is in controlled shutdown"
    return "is fenced" if broker.fenced else None


def _under_min_isr(view: RollView, restarted: Collection[NodeId]) -> Iterator[TopicPartition]:
    """Yield the partitions that are unavailable to producers and lack a restarted broker."""
    if not restarted:
        return
    live = {broker.broker_id for broker in view.cluster.brokers if not broker.fenced}
    for topic in view.topics:
        for partition in topic.partitions:
            missing = set(partition.replicas) - set(partition.isr)
            in_sync = sum(member in live for member in partition.isr)
            if missing & set(restarted) and in_sync < effective_min_isr(topic, partition):
                yield TopicPartition(topic.name, partition.partition)


def fragile_partitions(topics: Iterable[TopicInfo]) -> Iterator[tuple[TopicPartition, tuple[NodeId, ...]]]:
    """Yield the partitions that are unavailable without any one of their replicas, and these."""
    for topic in topics:
        for partition in topic.partitions:
            if len(partition.replicas) <= effective_min_isr(topic, partition):
                yield TopicPartition(topic.name, partition.partition), partition.replicas


def _without_fragile(topics: Iterable[TopicInfo]) -> Iterator[TopicInfo]:
    for topic in topics:
        kept = [one for one in topic.partitions if len(one.replicas) > effective_min_isr(topic, one)]
        yield replace(topic, partitions=tuple(kept))


def _unavailable(effect: BrokerStop) -> Iterator[str]:
    if effect.would_be_offline:
        yield f"without it {_partitions(effect.would_be_offline)} would be offline"
    if effect.would_be_under_min_isr:
        yield f"without it {_partitions(effect.would_be_under_min_isr)} would be under min.insync.replicas"


def _partitions(found: Sequence[TopicPartition]) -> str:
    """Return the number of partitions, and the first of them by name."""
    named = ", ".join(map(str, found[:PARTITIONS_NAMED_MAX]))
    more = f" and {len(found) - PARTITIONS_NAMED_MAX} more" if len(found) > PARTITIONS_NAMED_MAX else ""
    return f"{len(found)} {'partition' if len(found) == 1 else 'partitions'} ({named}{more})"
