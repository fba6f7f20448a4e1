"""Elections that a controller holds by itself: whom it elects, how many at once, and how often.

Judged are the decisions, before they are appended, by the state that they are made from. The bound on imbalance is in
:meth:`tests.simulator.topics.Topics.balanced`. Nothing is heard of a controller that is machine code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.controller.controller import Controller
from kraftpy.controller.periodic_elections import PAUSE_MS
from kraftpy.controller.result import ControllerResult
from kraftpy.image import MetadataImage
from kraftpy.image.partitions import LeaderRecoveryState, PartitionRegistration
from kraftpy.model.ids import NodeId
from kraftpy.records.metadata import PartitionChangeRecord
from tests.simulator.checkers.base import Checker
from tests.simulator.checkers.partitions import places

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation


def imbalance(image: MetadataImage, broker_id: NodeId) -> tuple[list[PartitionRegistration], int]:
    """Return which partitions that prefer a broker are led by others, and of how many that prefer it."""
    preferring = [one for _, one in places(image) if one.replicas[0] == broker_id]
    return [one for one in preferring if one.leader not in {None, broker_id}], len(preferring)


def may_lead(image: MetadataImage, partition: PartitionRegistration, broker_id: NodeId) -> bool:
    """Return whether a replica's broker is neither fenced nor in controlled shutdown, and its directory serves."""
    broker = image.cluster.brokers.get(broker_id)
    return broker is not None and broker.is_active and broker.serves_dir(partition.directory(broker_id))


class BalancerChecker(Checker):
    """Remembers when each controller held elections last.

    Attributes:
        moved: how many leaders were moved back to preferred replicas.
    """

    name = "balancer"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self._last_ms: dict[tuple[int, int, int], int] = {}
        self.moved = 0

    def on_own_decision(
        self, node: SimulatedNode, controller: Controller, now_ms: int, result: ControllerResult
    ) -> None:
        elections = [record for record in result.records if isinstance(record, PartitionChangeRecord)]
        if not elections or len(elections) < len(result.records):
            return  # A broker is fenced, or there is nothing to elect.
        term = node.id, node.incarnation, controller.epoch
        seen = f"node {node.id} at {now_ms} ms elects {len(elections)}"
        self.require(len(elections) <= self.sim.options.elections_per_step, "a step holds no more elections", seen)
        before_ms = self._last_ms.get(term)
        waited = before_ms is None or now_ms >= before_ms + PAUSE_MS
        self.require(waited, f"after a step that held elections the next one waits {PAUSE_MS} ms", seen, before_ms)
        self._last_ms[term] = now_ms
        for record in elections:
            partition = controller.image.topics.partition(record.topic_id, record.partition_id)
            assert partition is not None
            self._check_election(controller.image, partition, record)

    def _check_election(
        self, image: MetadataImage, partition: PartitionRegistration, record: PartitionChangeRecord
    ) -> None:
        after = partition.merge(record)
        leader, seen = after.leader, f"at {image.provenance.offset}: {partition} becomes {after}"
        if leader is None:
            return  # As in Kafka, an unclean election that is not possible yet may complete a reassignment.
        self.require(
            may_lead(image, partition, leader), "no broker that is fenced or in controlled shutdown is elected", seen
        )
        in_sync = partition.isr or partition.elr
        if partition.leader is None:
            recovers = after.leader_recovery_state is LeaderRecoveryState.RECOVERING
            self.require(leader in in_sync or recovers, "who is elected is in sync, or has to recover", seen)
            return
        self.moved += 1
        self.require(leader in partition.isr, "no leader moves to a replica that is not in sync", seen)
        self.require(self.sim.options.rebalance, "no leader moves where that is switched off", seen)
        self.require(leader == partition.replicas[0], "a leader moves to the preferred replica", seen)
        moving = partition.adding_replicas or partition.removing_replicas
        self.require(not moving, "no leader of a partition that is reassigned moves", seen)
        led_by_others, count = imbalance(image, leader)
        allowed = self.sim.options.imbalance_percentage * count
        self.require(len(led_by_others) * 100 > allowed, "no leader moves within the percentage that is allowed", seen)
