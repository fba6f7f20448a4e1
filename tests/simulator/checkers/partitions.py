"""Partitions: the auditor's rules in every image that is shown, and what was acknowledged of topics is kept.

The rules of one state are those of ``kraftpy.audit.rules`` with the same meaning (``leader_not_in_isr``,
``leader_fenced``, ``isr_fenced``, ``isr_not_replica``, ``elr_invalid``, ``replica_twice``,
``reassignment_not_replica``, ``directory_offline``); the auditor reads tables with SQL, so they are stated again here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kraftpy.controller.partition_requests import AlterPartition, AlterPartitionResponse
from kraftpy.controller.topic_requests import (
    CreateTopicsResponse,
    DeleteTopicsResponse,
)
from kraftpy.image import EMPTY, Manifest, MetadataDelta, MetadataImage, MetadataLoader
from kraftpy.image.partitions import LeaderRecoveryState, PartitionRegistration
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId, Uuid
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import PublisherProbe, SimulatedNode
    from tests.simulator.simulation import Simulation
    from tests.simulator.topics import Promise

Place = tuple[Uuid, int]


def places(image: MetadataImage) -> Iterator[tuple[Place, PartitionRegistration]]:
    """Yield all partitions of an image, in an order that the process's hash seed does not change."""
    for topic_id, topic in sorted(image.topics.by_id.items()):
        for number, partition in sorted(topic.partitions.items()):
            yield (topic_id, number), partition


def _stays(broker_id: NodeId, directory: Uuid, before: MetadataImage, after: MetadataImage) -> bool:
    """Return whether a broker's replicas in a directory could lead before a batch, and still can after it."""
    known, broker = (image.cluster.brokers.get(broker_id) for image in (before, after))
    if known is None or broker is None or known.incarnation_id != broker.incarnation_id:
        return False
    return all(one.is_active and one.serves_dir(directory) for one in (known, broker))


class PartitionsChecker(Checker):
    """Reads images as they are shown, and the ledger at the end.

    Attributes:
        eligible: how many eligible leader replicas there were after changes of partitions.
        elected_from_elr: how many leaders were elected from them.
    """

    name = "partitions"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self.eligible = self.elected_from_elr = 0

    def on_published(
        self,
        node: SimulatedNode,
        probe: PublisherProbe,
        delta: MetadataDelta,
        image: MetadataImage,
        manifest: Manifest,
    ) -> None:
        before = probe.last
        same = image.topics is before.topics and image.cluster is before.cluster
        if same or probe is not node.running.probes[0]:
            return
        for place, partition in places(image):
            self._check_state(image, place, partition)
        self._check_epochs(before, image)

    def _check_state(self, image: MetadataImage, place: Place, partition: PartitionRegistration) -> None:
        replicas, leader = set(partition.replicas), partition.leader
        seen = f"partition {place[1]} at {image.provenance.offset}: {partition}"
        self.require(len(replicas) == len(partition.replicas), "a broker has one replica", seen)
        self.require(set(partition.isr) <= replicas, "the ISR is of replicas", seen)
        self.require(set(partition.elr) <= replicas, "the ELR is of replicas", seen)
        self.require(not set(partition.isr) & set(partition.elr), "no replica is in the ISR and in the ELR", seen)
        moving = {*partition.adding_replicas, *partition.removing_replicas}
        self.require(moving <= replicas, "what is reassigned is a replica", seen)
        if leader is None:
            return
        self.require(leader in partition.isr, "a leader is in the ISR", seen)
        brokers = image.cluster.brokers
        broker = brokers.get(leader)
        self.require(broker is not None and not broker.fenced, "no fenced broker leads", seen)
        fenced = [one for one in partition.isr if one not in brokers or brokers[one].fenced]
        self.require(not fenced, "no fenced broker is in the ISR of a leader", seen, fenced)
        offline = broker is not None and not broker.has_online_dir(partition.directory(leader))
        self.require(not offline, "a leader's directory is online", seen)
        full = [one for one in partition.isr if brokers[one].is_saturated_dir(partition.directory(one))]
        self.require(not full, "no replica in a full directory is in the ISR of a leader", seen, full)

    def _check_epochs(self, before: MetadataImage, after: MetadataImage) -> None:
        for (topic_id, number), old in places(before):
            new = after.topics.partition(topic_id, number)
            if new is None or new is old or new == old:
                continue
            seen = f"{old} became {new}"
            self.require(new.partition_epoch > old.partition_epoch, "a change raises the partition epoch", seen)
            self.require(new.leader_epoch >= old.leader_epoch, "a leader epoch never goes back", seen)
            moved = new.leader != old.leader
            self.require(not moved or new.leader_epoch > old.leader_epoch, "another leader has another epoch", seen)

    # ---------------------------------------------------------------- the ledger

    def at_end(self) -> None:
        if not self.sim.topics.promises:
            return
        states: dict[tuple[Place, int], PartitionRegistration] = {}
        counts: dict[Uuid, int] = {}
        loader = MetadataLoader(EMPTY)
        for entry in self.sim.ledger.entries:
            before = loader.image
            loader.load_batches([entry.batch])
            self._check_restarts(before, loader.image)
            if loader.image.topics is before.topics:
                continue
            for place, partition in places(loader.image):
                states.setdefault((place, partition.partition_epoch), partition)
                counts[place[0]] = max(counts.get(place[0], 0), place[1] + 1)
                old = before.topics.partition(*place)
                # One batch may hold several changes; the rules of a step are those of one.
                if old is not None and partition.partition_epoch == old.partition_epoch + 1:
                    self._check_step(before, old, partition)
                    self._check_election(before, loader.image, old, partition)
        for promise in self.sim.topics.promises:
            self._check_promise(promise, loader.image, states, counts)

    def _check_step(self, image: MetadataImage, old: PartitionRegistration, new: PartitionRegistration) -> None:
        """Check one batch's change of a partition."""
        seen = f"after {image.provenance.offset}: {old} became {new}"
        brokers = image.cluster.brokers
        in_sync = [*old.isr, *old.elr] if not old.isr else [*old.isr]
        uncleanly = new.leader is not None and new.leader != old.leader and new.leader not in in_sync
        added = set(old.adding_replicas) & set(new.replicas)
        if added and not new.adding_replicas and not new.removing_replicas:
            # As in Kafka, an unclean election ends a reassignment whose new replicas were in sync until then.
            were_in_sync = uncleanly and added <= set(old.isr)
            self.require(
                were_in_sync or added <= set(new.isr), "a reassignment ends when all new replicas are in sync", seen
            )
        if uncleanly and new.leader_recovery_state is LeaderRecoveryState.RECOVERING:
            live = [
                one
                for one in in_sync
                if one in new.isr or (one in brokers and brokers[one].is_active and one in new.replicas)
                if one not in {new.leader, old.leader} and brokers[one].serves_dir(old.directory(one))
            ]
            self.require(not live, "no unclean election where a clean one is possible", seen, live)

    def _check_election(
        self, before: MetadataImage, after: MetadataImage, old: PartitionRegistration, new: PartitionRegistration
    ) -> None:
        """Check who is eligible, and elected, after one batch."""
        seen = f"at {after.provenance.offset}: {old} became {new}"
        self.eligible += len(new.elr)
        strange = set(new.elr) - {*old.isr, *old.elr}
        self.require(not strange, "only a replica that was in sync is eligible", seen, strange)
        if new.leader is None or new.leader == old.leader:
            return
        known, broker = (image.cluster.brokers.get(new.leader) for image in (before, after))
        # As in Kafka, a broker leads from when it is unfenced. If it was fenced in its shutdown and a heartbeat from
        # before that comes late, its registration still says so.
        unfenced = known is not None and broker is not None and known.fenced and not broker.fenced
        active = broker is not None and broker.is_active
        self.require(active or unfenced, "no broker in controlled shutdown is elected", seen)
        if old.leader is None:
            # An eligible replica leads only when none is in sync. One change may take the last one out of the ISR and
            # elect: that of its broker's unclean restart.
            isr_is_lost = all(self._restarted_uncleanly(one, before, after) for one in old.isr)
            from_elr = new.leader in old.elr and isr_is_lost
            in_sync = new.leader in old.isr or from_elr
            recovers = new.leader_recovery_state is LeaderRecoveryState.RECOVERING
            self.require(in_sync or recovers, "a new leader is in sync or eligible, or has to recover", seen)
            kept = new.leader_recovery_state is old.leader_recovery_state
            self.require(kept or not in_sync, "who is in sync or eligible has nothing to recover", seen)
            self.elected_from_elr += from_elr
        elif new.leader in old.elr and new.leader not in old.isr:
            others = [one for one in old.isr if one != old.leader and one in new.replicas]
            live = [
                one
                for one in others
                if old.directory(one) == new.directory(one) and _stays(one, old.directory(one), before, after)
            ]
            self.require(not live, "no eligible replica is elected beside one in sync", seen, live)

    def _check_restarts(self, before: MetadataImage, after: MetadataImage) -> None:
        """Check that a broker which may have lost what it had acknowledged is not eligible when it registers."""
        if after.cluster is before.cluster:
            return
        for broker_id in after.cluster.brokers:
            if broker_id in before.cluster.brokers and self._restarted_uncleanly(broker_id, before, after):
                left = [place for place, partition in places(after) if broker_id in partition.elr]
                seen = f"broker {broker_id} at {after.provenance.offset}"
                self.require(not left, "no replica is eligible after an unclean restart of its broker", seen, left)

    def _restarted_uncleanly(self, broker_id: NodeId, before: MetadataImage, after: MetadataImage) -> bool:
        """Return whether a batch has a broker's registration after it may have lost what it had acknowledged."""
        known, broker = before.cluster.brokers.get(broker_id), after.cluster.brokers.get(broker_id)
        if broker is None:
            return True
        is_new = known is None or known.incarnation_id != broker.incarnation_id
        return is_new and broker.incarnation_id in self.sim.topics.unclean

    def _check_promise(
        self,
        promise: Promise,
        last: MetadataImage,
        states: dict[tuple[Place, int], PartitionRegistration],
        counts: dict[Uuid, int],
    ) -> None:
        request, response = promise.request, promise.response
        if isinstance(request, AlterPartition) and isinstance(response, AlterPartitionResponse):
            self._check_altered(request, response, last, states)
        elif isinstance(response, CreateTopicsResponse):
            for result in response.topics:
                if result.error is ErrorCode.NONE:
                    known = result.topic_id is not None and counts.get(result.topic_id, 0) >= result.partitions
                    self.require(known, "an acknowledged topic is in the log, with its partitions", result)
        elif isinstance(response, DeleteTopicsResponse):
            for result in response.topics:
                gone = result.error is not ErrorCode.NONE or last.topics.topic(result.topic_id) is None
                self.require(gone, "a topic whose deletion is acknowledged is gone", result)

    def _check_altered(
        self,
        request: AlterPartition,
        response: AlterPartitionResponse,
        last: MetadataImage,
        states: dict[tuple[Place, int], PartitionRegistration],
    ) -> None:
        for (topic_id, asked), (_, answers) in zip(request.topics, response.topics, strict=True):
            for one, answer in zip(asked, answers, strict=True):
                state = answer.state
                if state is None:
                    continue
                steps = state.partition_epoch - one.partition_epoch
                self.require(steps in {0, 1}, "an ISR changes from the state that its leader knew", one, state)
                known = states.get(((topic_id, one.partition_id), state.partition_epoch))
                # A batch may change a partition twice; then only its last state is known here.
                lost = known is not None and (known.isr, known.leader) != (state.isr, state.leader)
                self.require(not lost, "an acknowledged ISR is in the log", one, state, known)
                first = last.topics.topic(topic_id) is None or any(
                    place == (topic_id, one.partition_id) and epoch >= state.partition_epoch for place, epoch in states
                )
                self.require(first, "an acknowledged ISR is in the log", one, state)
