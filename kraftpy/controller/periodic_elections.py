"""Elections that the controller holds by itself, periodically: back to the preferred replicas, and out of necessity.

A run looks at one broker after the other. For each it elects

* the preferred leaders of the partitions whose first replica is on that broker, if it leads too few of them: more than
  ``leader.imbalance.per.broker.percentage`` are led by others (KIP-36 and Kafka's documentation count so; Kafka's own
  KRaft controller ignores the percentage). A partition that is being reassigned is left alone, and so is a broker that
  is far behind the metadata log: it would learn late that it leads;
* a leader that is not in sync, for a partition without leader whose topic allows that.

Both are bounded: a step looks at :data:`PARTITIONS_PER_STEP` partitions and writes ``elections_per_step`` records
(:data:`~kraftpy.controller.config.ELECTIONS_PER_STEP_MAX`). After a step that wrote some the next one waits
:data:`PAUSE_MS`, so that clients do not lose all leaders at once.

Source: Kafka ``ReplicationControlManager.maybeBalancePartitionLeaders``, ``maybeElectUncleanLeaders``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final

from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.partition_change import Election, PartitionTarget, partition_change
from kraftpy.controller.reassignments import is_reassigning
from kraftpy.controller.replica_index import PartitionPlace
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import PARTITIONS_PER_SLICE, Slices
from kraftpy.controller.topic_rules import TopicRules
from kraftpy.image.image import MetadataImage
from kraftpy.model.ids import NodeId
from kraftpy.records.metadata import PartitionChangeRecord

PARTITIONS_PER_STEP: Final = 10_000
"""How many partitions one step looks at, unless a single broker has more."""

PAUSE_MS: Final = 1_000
"""How long the next step waits after one that held elections."""

LAG_MAX: Final = 10_000
"""How many offsets a broker may be behind the metadata log and still get its leaderships back."""


class PeriodicElections:
    """When the next step is due, and which brokers it still has to look at.

    Belongs to one term of leadership.
    """

    __slots__ = ("_balances", "_due_ms", "_interval_ms", "_per_step", "_percentage", "_queue", "_starts_again")

    def __init__(self, config: ControllerConfig, now_ms: int) -> None:
        self._balances = config.leader_rebalance
        self._percentage = config.leader_imbalance_percentage
        self._interval_ms = config.leader_election_interval_ms
        self._per_step = config.elections_per_step
        self._due_ms = now_ms + self._interval_ms
        self._queue: deque[NodeId] = deque()
        self._starts_again = False

    def due_ms(self, image: MetadataImage) -> int | None:
        """Return when the next step is due; ``None`` where there is no partition."""
        return self._due_ms if image.topics.by_id else None

    def hurry(self, now_ms: int) -> None:
        """Begin a run now, because a config allows what was not allowed before.

        A run that is under way goes on with all brokers once more: it may have passed those that it concerns.
        """
        if self._queue:
            self._starts_again = True
        else:
            self._due_ms = now_ms

    def step(self, view: DecisionContext) -> Slices[ControllerResult | None]:
        """Hold the elections of one step; ``None`` when nothing is due, or nothing is to change so far."""
        due_ms = self.due_ms(view.image)
        if due_ms is None or view.now_ms < due_ms:
            return None
        if not self._queue:
            self._queue.extend(sorted(view.image.cluster.brokers))
        rules = TopicRules(view)
        looked_at = 0
        while self._queue and looked_at < PARTITIONS_PER_STEP:
            places = yield from view.replicas.of(view.image, self._queue[0])
            looked_at += len(places)
            records = yield from self._records(view, rules, self._queue[0], places)
            if records:
                # The rest of this broker's partitions, if any, come with the next step.
                self._due_ms = view.now_ms + PAUSE_MS
                return ControllerResult(tuple(records), None, atomic=False)
            self._queue.popleft()
        at_once = bool(self._queue) or self._starts_again
        self._starts_again = self._starts_again and bool(self._queue)
        self._due_ms = view.now_ms if at_once else view.now_ms + self._interval_ms
        return None

    def _records(
        self, view: DecisionContext, rules: TopicRules, broker_id: NodeId, places: list[PartitionPlace]
    ) -> Slices[list[PartitionChangeRecord]]:
        """Work out the elections for one broker."""
        records = yield from self._some(self._unclean(rules, places))
        if not records and self._is_imbalanced(view, broker_id, places):
            records = yield from self._some(self._preferred(rules, broker_id, places))
        return records

    def _some(self, looks: Iterator[PartitionChangeRecord | None]) -> Slices[list[PartitionChangeRecord]]:
        """Take as many records as a step has; ``None`` is that of a partition that needs none."""
        records: list[PartitionChangeRecord] = []
        for looked_at, record in enumerate(looks, 1):
            if record is not None:
                records.append(record)
                if len(records) == self._per_step:
                    break
            if looked_at % PARTITIONS_PER_SLICE == 0:
                yield
        return records

    def _unclean(self, rules: TopicRules, places: list[PartitionPlace]) -> Iterator[PartitionChangeRecord | None]:
        target = PartitionTarget(election=Election.UNCLEAN)
        for topic, partition_id, partition in places:
            if partition.leader is None and rules.of(topic).election is Election.UNCLEAN:
                yield partition_change(topic.id, partition_id, partition, target, rules.of(topic))

    def _is_imbalanced(self, view: DecisionContext, broker_id: NodeId, places: list[PartitionPlace]) -> bool:
        if not self._balances or not _is_healthy(view, broker_id):
            return False
        preferring = [partition for _, _, partition in places if partition.replicas[0] == broker_id]
        led_by_others = sum(partition.leader not in {None, broker_id} for partition in preferring)
        return led_by_others * 100 > self._percentage * len(preferring)

    def _preferred(
        self, rules: TopicRules, broker_id: NodeId, places: list[PartitionPlace]
    ) -> Iterator[PartitionChangeRecord | None]:
        target = PartitionTarget(election=Election.PREFERRED)
        for topic, partition_id, partition in places:
            if partition.replicas[0] != broker_id or partition.leader == broker_id or is_reassigning(partition):
                continue
            record = partition_change(topic.id, partition_id, partition, target, rules.of(topic))
            yield record if record is not None and record.leader == broker_id else None


def _is_healthy(view: DecisionContext, broker_id: NodeId) -> bool:
    """Return whether a broker is active and has read nearly all of the metadata log."""
    broker = view.image.cluster.brokers.get(broker_id)
    if broker is None or not broker.is_active:
        return False
    return all(offset + LAG_MAX >= view.next_offset for offset in view.heartbeats.offsets_of((broker_id,)))
