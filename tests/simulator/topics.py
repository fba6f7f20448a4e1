"""Topics, and brokers that hold their partitions: they register, lead, lose and fill directories, stop, die, return.

These brokers are no nodes of the simulation: each is a small state that sends a real broker's requests to the
controllers, and reads the image that some running node publishes, which may be old. A broker that leads keeps the
running replicas in the ISR. An administrator creates, grows, moves and deletes topics, and requests elections. In some
histories it also finalizes ``eligible.leader.replicas.version``, and changes how many replicas must be in sync.

What a controller acknowledges is kept in ``promises``; :mod:`tests.simulator.checkers.partitions` verifies it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kraftpy.controller.config import supported_features
from kraftpy.controller.partition_requests import (
    AlterPartition,
    AlterPartitionReassignments,
    ElectionType,
    ElectLeaders,
    IsrMember,
    PartitionAlteration,
    Reassignment,
)
from kraftpy.controller.requests import (
    AlterOp,
    ConfigAlteration,
    ConfigResource,
    ControllerRequest,
    ControllerResponse,
    FeatureUpdate,
    FeatureUpdateKind,
    IncrementalAlterConfigs,
    RegisterController,
    UpdateFeatures,
)
from kraftpy.controller.topic_requests import (
    CreatableTopic,
    CreatePartitions,
    CreatePartitionsTopic,
    CreateTopics,
    DeleteTopics,
    TopicRef,
)
from kraftpy.controller.topic_rules import MIN_ISR, UNCLEAN_ELECTION
from kraftpy.image import MetadataImage
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.image.topics import TopicImage
from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.model.feature_registry import ELR_VERSION
from kraftpy.model.ids import NodeId, Uuid, uuid_from_random, uuid_to_text
from kraftpy.model.registrations import (
    BrokerHeartbeat,
    BrokerHeartbeatResponse,
    Listener,
    RegisterBroker,
    RegisterBrokerResponse,
)
from kraftpy.model.resource_types import ResourceType
from kraftpy.transport.node_api import Committed, Outcome, WriteRequest
from tests.simulator.checkers.balancer import imbalance, may_lead
from tests.simulator.checkers.partitions import places

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation

FIRST_ID = 201
BROKERS = 4
NAMES = ("orders", "users", "audit")
PARTITIONS_MAX = 4
TICK_MS = 150
ADMIN_MS = 150
TIMEOUT_MS = 400

DIES, STOPS, DIRECTORY_FAILS, RETURNS, STALE = 0.03, 0.02, 0.02, 0.25, 0.15
FILLS, EMPTIES = 0.04, 0.15
"""How often, in each tick, a broker does this; STALE: how often an alteration is made from an outdated state; FILLS,
EMPTIES: how often a log directory is full, and how often it has space again."""

TAKES_BACK = 0.03
"""How often the administrator takes the level of eligible leader replicas back."""

MIN_ISRS = ("1", "2", "2", "3")
"""What it sets a topic's ``min.insync.replicas`` to otherwise."""

ACTIONS = ("create",) * 4 + (
    "grow",
    "delete",
    "preferred",
    "unclean",
    "move",
    "move",
    "move",
    "cancel",
    "allow",
    "forbid",
)

Hear = Callable[[ControllerResponse], None]
Refused = Callable[[ApiError], None]


@dataclass(frozen=True, slots=True)
class Promise:
    """A request, the response that was acknowledged, and its offset."""

    request: ControllerRequest
    response: ControllerResponse
    offset: int


@dataclass(slots=True, eq=False)
class TopicBroker:
    """A broker's process, or the time between two of them.

    Attributes:
        epoch: the broker epoch; ``None`` until it is registered.
        clean_epoch: of the process before, if that stopped cleanly.
    """

    id: NodeId
    incarnation: Uuid
    directories: tuple[Uuid, Uuid]
    is_up: bool = True
    epoch: int | None = None
    clean_epoch: int = -1
    failed: tuple[Uuid, ...] = ()
    full: tuple[Uuid, ...] = ()
    stopping: bool = False
    fenced: bool = True
    seen: MetadataImage | None = None


class Topics:
    """The brokers and their administrator; without the option ``topics`` there are none.

    Attributes:
        promises: what was acknowledged, in order.
        unclean: the incarnations of brokers whose process before did not stop cleanly.
    """

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._rng = random.Random(f"{sim.seed}/topics")
        self._running = True
        self._elr_rng = random.Random(f"{sim.seed}/elr")
        self._controllers: dict[NodeId, Uuid] = {}
        self.promises: list[Promise] = []
        self.unclean: set[Uuid] = set()
        self._believed: NodeId | None = None
        self.brokers = [
            TopicBroker(FIRST_ID + number, self._uuid(), (self._uuid(), self._uuid())) for number in range(BROKERS)
        ]

    def _uuid(self) -> Uuid:
        return uuid_from_random(self._rng.randbytes)

    def directories_of(self, broker_id: NodeId) -> set[str]:
        """Return the ids of a broker's directories, as text; none for a broker that is not one of these."""
        return {uuid_to_text(one) for each in self.brokers if each.id == broker_id for one in each.directories}

    def start(self) -> None:
        """Let the brokers start, and the administrator after them."""
        if not self._sim.options.topics:
            return
        for broker in self.brokers:
            self._sim.world.later(self._rng.randint(1, TICK_MS), lambda broker=broker: self._tick(broker))
        self._sim.world.later(2 * TICK_MS, self._administer)
        if self._sim.options.elr:
            self._sim.world.later(2 * TICK_MS, self._administer_elr)

    def stop(self) -> None:
        """End faults and administration; from now on all brokers return, with all directories."""
        self._running = False
        for broker in self.brokers:
            broker.full = ()
            if broker.is_up and broker.failed:
                self._die(broker, clean=False)

    def settled(self) -> bool:
        """Return whether all brokers serve, and each partition with a live replica that may lead has a leader."""
        leader = self._sim.leader()
        if not self._sim.options.topics:
            return True
        if leader is None or not all(broker.is_up and not broker.fenced for broker in self.brokers):
            return False
        image = leader.running.state_machine.image
        # Those without an id lose their disks, and the replicas on them for good.
        own = {each.id for each in self.brokers}
        active = {one for one, broker in image.cluster.brokers.items() if broker.is_active and one in own}
        return all(
            partition.leader is not None or not active & {*partition.isr, *partition.elr}
            for topic in image.topics.by_id.values()
            for partition in topic.partitions.values()
        )

    def balanced(self) -> bool:
        """Return whether replicas are in sync, and the controller has no leader to give back to a preferred one."""
        leader = self._sim.leader()
        if leader is None:
            return False
        image = leader.running.state_machine.image
        own = {each.id for each in self.brokers}
        in_sync = all(
            partition.leader not in own or own.intersection(partition.replicas) <= set(partition.isr)
            for _, partition in places(image)
        )
        return in_sync and not any(self._is_imbalanced(image, one) for one in image.cluster.brokers)

    def _is_imbalanced(self, image: MetadataImage, broker_id: NodeId) -> bool:
        options = self._sim.options
        led_by_others, count = imbalance(image, broker_id)
        if not options.rebalance or len(led_by_others) * 100 <= options.imbalance_percentage * count:
            return False
        return any(
            broker_id in partition.isr
            and may_lead(image, partition, broker_id)
            and not (partition.adding_replicas or partition.removing_replicas)
            for partition in led_by_others
        )

    # ---------------------------------------------------------------- requests

    def _node(self) -> SimulatedNode | None:
        nodes = [node for node in self._sim.up() if node.duplicate_of is None]
        return self._rng.choice(nodes) if nodes else None

    def _send(self, request: ControllerRequest, hear: Hear | None = None, refused: Refused | None = None) -> None:
        controllers = self._sim.controllers()
        leader = self._sim.leader()
        leads = leader is not None and leader in controllers and self._rng.random() < 0.9
        target = leader if leads and leader is not None else self._rng.choice(controllers)
        network = self._sim.network
        if not network.healthy and self._rng.randrange(1_000) < self._sim.options.lost:
            return

        def answered(outcomes: list[Outcome]) -> None:
            outcome = outcomes[0]
            if isinstance(outcome, Committed):
                response = outcome.response
                self.promises.append(Promise(request, response, outcome.offset))
                if hear is not None:
                    self._sim.world.later(network.delay_ms(), lambda: hear(response))
            elif refused is not None:
                refused(outcome)

        def arrive() -> None:
            if not target.is_up or target.running.host is None:
                return
            try:
                write = WriteRequest(request, timeout_ms=TIMEOUT_MS)
                target.running.host.submit([write], target.clock.now_ms(), answered)
            except BusyError:
                return
            target.schedule_turn(0)

        self._sim.world.later(network.delay_ms(), arrive)

    # ---------------------------------------------------------------- brokers

    def _tick(self, broker: TopicBroker) -> None:
        self._sim.world.later(self._rng.randint(TICK_MS // 2, TICK_MS * 3 // 2), lambda: self._tick(broker))
        node = self._node()
        if not broker.is_up:
            if not self._running or self._rng.random() < RETURNS:
                self._return(broker)
            return
        if self._running and self._fails(broker):
            return
        if node is None or node.running.replica.cluster_id is None:
            return
        image = node.running.state_machine.image
        if broker.epoch is None:
            self._register(broker, node.running.replica.cluster_id)
            return
        self._heartbeat(broker, image)
        outdated = broker.seen is not None and self._rng.random() < STALE
        self._alter(broker, broker.seen if outdated and broker.seen is not None else image, outdated=outdated)
        if not outdated:
            broker.seen = image

    def _fails(self, broker: TopicBroker) -> bool:
        self._fill(broker)
        drawn = self._rng.random()
        if drawn < DIES:
            self._die(broker, clean=False)
            return True
        if drawn < DIES + STOPS:
            broker.stopping = True
        elif drawn < DIES + STOPS + DIRECTORY_FAILS and not broker.failed:
            broker.failed = (self._rng.choice(broker.directories),)
            self._sim.world.fault(str(broker.id), "broker directory")
        return False

    def _fill(self, broker: TopicBroker) -> None:
        """Fill a directory, or free space in it; a broker that starts again finds it as it was."""
        directory = self._rng.choice(broker.directories)
        if directory in broker.full:
            if self._rng.random() < EMPTIES:
                broker.full = tuple(one for one in broker.full if one != directory)
        elif self._rng.random() < FILLS:
            broker.full = (*broker.full, directory)
            self._sim.world.fault(str(broker.id), "broker directory full")

    def _die(self, broker: TopicBroker, *, clean: bool) -> None:
        self._sim.world.fault(str(broker.id), "broker stop" if clean else "broker crash")
        broker.is_up, broker.stopping, broker.fenced = False, False, True
        broker.clean_epoch = broker.epoch if clean and broker.epoch is not None else -1
        broker.epoch, broker.failed = None, ()

    def _return(self, broker: TopicBroker) -> None:
        broker.is_up, broker.incarnation, broker.seen = True, self._uuid(), None
        if broker.clean_epoch < 0:
            self.unclean.add(broker.incarnation)

    def _register(self, broker: TopicBroker, cluster_id: str) -> None:
        incarnation = broker.incarnation

        def hear(response: ControllerResponse) -> None:
            if broker.is_up and broker.incarnation == incarnation and isinstance(response, RegisterBrokerResponse):
                broker.epoch = response.broker_epoch

        request = RegisterBroker(
            broker_id=broker.id,
            cluster_id=cluster_id,
            incarnation_id=incarnation,
            listeners=(Listener("PLAINTEXT", f"broker{broker.id}", 9092, 0),),
            features=supported_features(unstable=True),
            log_dirs=broker.directories,
            saturated_log_dirs=broker.full,
            previous_broker_epoch=broker.clean_epoch,
        )
        self._send(request, hear)

    def _heartbeat(self, broker: TopicBroker, image: MetadataImage) -> None:
        epoch = broker.epoch
        assert epoch is not None

        def hear(response: ControllerResponse) -> None:
            if broker.epoch != epoch or not isinstance(response, BrokerHeartbeatResponse):
                return
            broker.fenced = response.is_fenced
            if broker.stopping and response.should_shut_down:
                self._die(broker, clean=True)

        def refused(error: ApiError) -> None:
            # A registration of the process before may arrive after that of this one.
            if error.code is ErrorCode.STALE_BROKER_EPOCH and broker.epoch == epoch:
                broker.epoch = None

        request = BrokerHeartbeat(
            broker_id=broker.id,
            broker_epoch=epoch,
            metadata_offset=image.provenance.offset,
            want_shutdown=broker.stopping,
            offline_log_dirs=broker.failed,
            saturated_log_dirs=broker.full,
        )
        self._send(request, hear, refused)

    def _alter(self, broker: TopicBroker, image: MetadataImage, *, outdated: bool) -> None:
        """Request the ISR of the replicas that run, of what this broker leads."""
        in_sync = {each.id for each in self.brokers if each.is_up and each.epoch is not None}
        topics = []
        for topic_id, topic in sorted(image.topics.by_id.items()):
            changes = []
            for number, partition in sorted(topic.partitions.items()):
                isr = tuple(one for one in partition.replicas if one in in_sync and not _is_full(image, partition, one))
                if partition.leader == broker.id and (outdated or set(isr) != set(partition.isr)):
                    members = tuple(IsrMember(one) for one in isr)
                    changes.append(
                        PartitionAlteration(number, partition.leader_epoch, partition.partition_epoch, members)
                    )
            if changes:
                topics.append((topic_id, tuple(changes)))
        if topics and broker.epoch is not None:
            self._send(AlterPartition(broker_id=broker.id, broker_epoch=broker.epoch, topics=tuple(topics)))

    # ---------------------------------------------------------------- the administrator

    def _administer(self) -> None:
        if not self._running:
            return
        self._sim.world.later(self._rng.randint(1, 2 * ADMIN_MS), self._administer)
        action, name = self._rng.choice(ACTIONS), self._rng.choice(NAMES)
        node = self._node()
        topic = None if node is None else node.running.state_machine.image.topics.named(name)
        request = self._create(name) if action == "create" else None if topic is None else self._change(action, topic)
        if request is not None:
            self._send(request)

    def _administer_elr(self) -> None:
        if not self._running:
            return
        self._sim.world.later(self._elr_rng.randint(1, 3 * ADMIN_MS), self._administer_elr)
        node = self._node()
        if node is not None:
            for request in self._elr_requests(node.running.state_machine.image):
                self._send(request)

    def _elr_requests(self, image: MetadataImage) -> list[ControllerRequest]:
        """Change a topic's ``min.insync.replicas``, or the level; the level takes controllers that have registered."""
        level = image.features.levels.get(ELR_VERSION, 0)
        if level and self._elr_rng.random() >= TAKES_BACK:
            resource = ConfigResource(ResourceType.TOPIC, self._elr_rng.choice(NAMES))
            change = ConfigAlteration(MIN_ISR, AlterOp.SET, self._elr_rng.choice(MIN_ISRS))
            return [IncrementalAlterConfigs(resources=((resource, (change,)),))]
        ids = [node.id for node in self._sim.controllers() if node.id not in image.cluster.controllers]
        if ids:
            return [self._registration(one) for one in ids]
        kind = FeatureUpdateKind.SAFE_DOWNGRADE if level else FeatureUpdateKind.UPGRADE
        return [UpdateFeatures(updates=(FeatureUpdate(ELR_VERSION, 1 - level, kind),))]

    def _registration(self, node_id: NodeId) -> RegisterController:
        return RegisterController(
            controller_id=node_id,
            incarnation_id=self._controllers.setdefault(node_id, uuid_from_random(self._elr_rng.randbytes)),
            listeners=(Listener("CONTROLLER", f"node{node_id}", 9093, 0),),
            features=supported_features(unstable=True),
        )

    def _create(self, name: str) -> ControllerRequest:
        partitions, factor = self._rng.randint(1, 3), self._rng.choice((1, 2, 3, 3))
        return CreateTopics((CreatableTopic(name, partitions, factor),))

    def _change(self, action: str, topic: TopicImage) -> ControllerRequest | None:
        name, count = topic.name, len(topic.partitions)
        if action == "grow":
            return CreatePartitions((CreatePartitionsTopic(name, count + 1),)) if count < PARTITIONS_MAX else None
        if action == "delete":
            return DeleteTopics((TopicRef(name),)) if self._rng.random() < 0.5 else None
        if action in {"allow", "forbid"}:
            change = ConfigAlteration(UNCLEAN_ELECTION, AlterOp.SET, "true" if action == "allow" else "false")
            return IncrementalAlterConfigs(resources=((ConfigResource(ResourceType.TOPIC, name), (change,)),))
        number = self._rng.choice(sorted(topic.partitions))
        if action in {"preferred", "unclean"}:
            kind = ElectionType.PREFERRED if action == "preferred" else ElectionType.UNCLEAN
            return ElectLeaders(election_type=kind, topics=((name, (number,)),))
        wanted = None if action == "cancel" else self._replicas(topic.partitions[number])
        return AlterPartitionReassignments(topics=((name, (Reassignment(number, wanted),)),))

    def _replicas(self, partition: PartitionRegistration) -> tuple[NodeId, ...]:
        count = min(3, max(1, len(partition.replicas) - len(partition.adding_replicas)))
        return tuple(self._rng.sample([broker.id for broker in self.brokers], count))


def _is_full(image: MetadataImage, partition: PartitionRegistration, broker_id: NodeId) -> bool:
    """Return whether a replica is in a full directory, as far as the image says."""
    broker = image.cluster.brokers.get(broker_id)
    return broker is not None and broker.is_saturated_dir(partition.directory(broker_id))
