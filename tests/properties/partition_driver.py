"""A controller that random brokers and administrators drive, and the auditor's rules of one state.

Brokers register, also from another rack, send heartbeats with directories that fail or are full, shut down and fall
silent; topics are created, grown and deleted; leaders alter ISRs; elections, reassignments and configs are requested;
another controller takes over. Everything is drawn from one source, so that a history is its seed, or what hypothesis
makes of it.
"""

from __future__ import annotations

import random
from dataclasses import replace

from kraftpy.controller.partition_requests import (
    AlterPartition,
    AlterPartitionReassignments,
    AssignReplicasToDirs,
    ElectLeaders,
    IsrMember,
    PartitionAlteration,
    Reassignment,
)
from kraftpy.controller.requests import UnregisterBroker
from kraftpy.controller.topic_requests import (
    CreatableTopic,
    CreatePartitions,
    CreatePartitionsTopic,
    CreateTopics,
    DeleteTopics,
    TopicRef,
)
from kraftpy.image import MetadataImage
from kraftpy.model.errors import ApiError
from kraftpy.model.registrations import Listener
from kraftpy.records.metadata import FeatureLevelRecord
from tests.unit.controller.worlds import UNSTABLE, World, beat, level_record, range_of, register, set_configs, uuid

BROKERS = (1, 2, 3, 4, 5)
NAMES = ("orders", "users", "audit")
RACKS = ("rack0", "rack1", "rack2")
SILENCE_MS = 12_000
TOPIC = 2

STEPS = (
    ("register",) * 2
    + ("beat",) * 12
    + ("alter",) * 5
    + ("create",) * 3
    + ("reassign",) * 3
    + ("wait",)
    + ("grow", "delete", "elect", "directories", "config", "unregister", "commit", "rack", "fail_over")
)


class Driver:
    """One history; the world's ``values`` are its log."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.level = rng.choice((30, 40, 42))
        bootstrap = [level_record(self.level)]
        if rng.random() < 0.5:
            bootstrap.append(FeatureLevelRecord("eligible.leader.replicas.version", 1))
        config = replace(UNSTABLE, leader_rebalance=True)
        self.world = World(config=config, level=self.level, bootstrap=tuple(bootstrap))
        self.epochs: dict[int, int] = {}
        self.racks = {broker_id: f"rack{broker_id % 2}" for broker_id in BROKERS}
        self.incarnations = 0
        for broker_id in BROKERS[:3]:
            self.register(broker_id)
            self.beat(broker_id, whole=True)

    @property
    def image(self) -> MetadataImage:
        return self.world.controller.image

    def step(self) -> str:
        """Take one random step, and return its name; what is refused changes nothing."""
        name = self.rng.choice(STEPS)
        before = self.image
        try:
            getattr(self, name)()
        except ApiError:
            assert self.image is before, f"{name} was refused and changed the state"
        return name

    # ---------------------------------------------------------------- brokers

    def register(self, broker_id: int | None = None) -> None:
        broker_id = broker_id or self.rng.choice(BROKERS)
        self.incarnations += 1
        request = register(
            broker_id,
            incarnation_id=uuid(10_000 + self.incarnations),
            features=(range_of(), range_of("eligible.leader.replicas.version", 0, 1)),
            listeners=(Listener("PLAINTEXT", f"host{broker_id}", 9092),),
            log_dirs=directories(broker_id),
            rack=self.racks[broker_id],
            previous_broker_epoch=self.epochs.get(broker_id, -1) if self.rng.random() < 0.5 else -1,
        )
        self.epochs[broker_id] = self.world.do(request)[1].broker_epoch

    def beat(self, broker_id: int | None = None, *, whole: bool = False) -> None:
        broker_id = broker_id or self.rng.choice(BROKERS)
        if broker_id not in self.epochs:
            return
        some = [one for one in directories(broker_id) if not whole and self.rng.random() < 0.15]
        full = [one for one in directories(broker_id) if not whole and one not in some and self.rng.random() < 0.15]
        self.world.do(
            beat(
                broker_id,
                self.epochs[broker_id],
                want_fence=not whole and self.rng.random() < 0.05,
                want_shutdown=not whole and self.rng.random() < 0.05,
                offline_log_dirs=tuple(some),
                saturated_log_dirs=tuple(full) if self.level >= 42 else None,
            )
        )

    def unregister(self) -> None:
        self.world.do(UnregisterBroker(broker_id=self.rng.choice(BROKERS)))

    def rack(self) -> None:
        """Let a broker return in another rack."""
        broker_id = self.rng.choice(BROKERS)
        self.racks[broker_id] = self.rng.choice([one for one in RACKS if one != self.racks[broker_id]])
        self.register(broker_id)

    def fail_over(self) -> None:
        """Let another controller take over: it knows what is in the log, and nothing else."""
        before = self.image
        self.world.fail_over()
        assert self.image.same_content(before), "the log replays to another state"

    def wait(self) -> None:
        self.world.now_ms += self.rng.randint(1, SILENCE_MS)
        self.world.ticks()

    def commit(self) -> None:
        self.world.commit()

    # ---------------------------------------------------------------- topics

    def create(self) -> None:
        topic = CreatableTopic(
            self.rng.choice(NAMES), partitions=self.rng.randint(1, 3), replication_factor=self.rng.randint(1, 3)
        )
        self.world.do(CreateTopics((topic,)))

    def grow(self) -> None:
        self.world.do(CreatePartitions((CreatePartitionsTopic(self.rng.choice(NAMES), self.rng.randint(1, 5)),)))

    def delete(self) -> None:
        self.world.do(DeleteTopics((TopicRef(name=self.rng.choice(NAMES)),)))

    def config(self) -> None:
        key, value = self.rng.choice(
            (("unclean.leader.election.enable", "true"), ("min.insync.replicas", "2"), ("min.insync.replicas", "1"))
        )
        self.world.do(set_configs(TOPIC, self.rng.choice(NAMES), (key, value)))

    def _some_partition(self):
        found = [
            (topic, number, partition)
            for _, topic in sorted(self.image.topics.by_id.items())
            for number, partition in sorted(topic.partitions.items())
        ]
        return self.rng.choice(found) if found else None

    def alter(self) -> None:
        """Let a leader ask for any of its replicas, most often from the newest state."""
        some = self._some_partition()
        if some is None or some[2].leader not in self.epochs:
            return
        topic, number, partition = some
        chosen = [each for each in partition.replicas if each == partition.leader or self.rng.random() < 0.7]
        epoch = partition.partition_epoch - (self.rng.random() < 0.1)
        members = tuple(IsrMember(each, self.epochs.get(each, -1)) for each in chosen)
        alteration = PartitionAlteration(number, partition.leader_epoch, epoch, members)
        self.world.do(
            AlterPartition(
                broker_id=partition.leader,
                broker_epoch=self.epochs[partition.leader],
                topics=((topic.id, (alteration,)),),
            )
        )

    def elect(self) -> None:
        self.world.do(ElectLeaders(election_type=self.rng.randint(0, 1), topics=None))

    def reassign(self) -> None:
        some = self._some_partition()
        if some is not None:
            replicas = None
            if self.rng.random() < 0.8:
                replicas = tuple(self.rng.sample(BROKERS, self.rng.randint(1, 3)))
            moves = ((some[0].name, (Reassignment(some[1], replicas),)),)
            self.world.do(AlterPartitionReassignments(topics=moves))

    def directories(self) -> None:
        some = self._some_partition()
        if some is not None:
            broker_id = self.rng.choice(some[2].replicas)
            if broker_id in self.epochs:
                directory = self.rng.choice(directories(broker_id))
                self.world.do(
                    AssignReplicasToDirs(
                        broker_id=broker_id,
                        broker_epoch=self.epochs[broker_id],
                        directories=((directory, ((some[0].id, (some[1],)),)),),
                    )
                )


def directories(broker_id: int) -> tuple[bytes, bytes]:
    """The ids of a broker's two directories."""
    return uuid(500 + 2 * broker_id), uuid(501 + 2 * broker_id)


def check_partitions(image: MetadataImage) -> None:
    """Check what the auditor requires of the partitions of one state."""
    brokers = image.cluster.brokers
    for topic in image.topics.by_id.values():
        for partition in topic.partitions.values():
            replicas, leader = set(partition.replicas), partition.leader
            assert len(replicas) == len(partition.replicas) == len(partition.directories) > 0
            assert set(partition.isr) <= replicas
            assert set(partition.elr) <= replicas
            assert not set(partition.isr) & set(partition.elr)
            assert {*partition.adding_replicas, *partition.removing_replicas} <= replicas
            if leader is not None:
                assert leader in partition.isr
                assert all(each in brokers and not brokers[each].fenced for each in partition.isr), partition
                assert brokers[leader].has_online_dir(partition.directory(leader))
                assert not any(brokers[each].is_saturated_dir(partition.directory(each)) for each in partition.isr)
