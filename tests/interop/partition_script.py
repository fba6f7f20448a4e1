"""A random script about partitions, drawn against a controller of ours in memory, so that most of it makes sense.

Each step is what one request asks, by names: brokers by number, topics by name, epochs relative to the present ones.
What the model decides is not compared with anything: it only shows what a request has to name to get past the checks.

Differences on purpose, which the script leaves out:

* A second reassignment of a partition is worked out from the replicas before the first one. Kafka works it out from all
  replicas, and forgets that one is still being added.
* Cancelling a reassignment where no former replica is in the ISR: Kafka refuses it, or elects the first replica as if
  it were in sync. Ours keeps the eligible leader replicas among the former ones, or counts it as an unclean election.
* When a config newly allows unclean elections, all that are allowed are held at once; in Kafka within five minutes.
* A replica in a directory that is not online changes by one record; Kafka writes two.
* A replica that a reassignment removes leaves the ELR, too. Kafka keeps it there; added again, it would be eligible for
  leadership without the records.
* An ELR is ascending; in Kafka its order is that of a hash table.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from kraftpy.controller.partition_requests import (
    AlterPartition,
    AlterPartitionReassignments,
    AssignReplicasToDirs,
    ElectLeaders,
    IsrMember,
    PartitionAlteration,
    Reassignment,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import ConfigRecord, FeatureLevelRecord, PartitionRecord, RemoveTopicRecord, TopicRecord
from tests.interop.fake_brokers import FEATURES, Controller, directory_of
from tests.unit.controller.worlds import World, beat, range_of, set_configs

BROKERS = range(1, 6)
RACKS = {1: "a", 2: "a", 3: "b", 4: "b", 5: None}
TOPICS_MAX = 4
ELR = "eligible.leader.replicas.version"


@dataclass(frozen=True)
class Step:
    """One request: a text that shows it, and the function that sends it to a controller."""

    text: str
    ask: Any


class Model(World):
    """The controller in memory."""

    def __init__(self, *, min_isr: int) -> None:
        default = ConfigRecord(4, "", "min.insync.replicas", str(min_isr))
        super().__init__(level=30, records=[FeatureLevelRecord(ELR, 1), default])
        self.ids: dict[str, bytes] = {}
        self.made = 0
        features = tuple(range_of(name, *levels) for name, levels in FEATURES.items())
        for broker_id in BROKERS:
            self.register(broker_id, rack=RACKS[broker_id], features=features, log_dirs=(directory_of(broker_id),))

    def epoch(self, broker_id: int) -> int:
        return self.broker(broker_id).broker_epoch

    def create(self, name: str, assignments: list[list[int]]) -> None:
        """Create a topic as a controller does that is given all replicas."""
        self.made += 1
        topic_id = self.ids[name] = (8_000 + self.made).to_bytes(16, "big")
        records: list[Any] = [TopicRecord(name=name, topic_id=topic_id)]
        for number, replicas in enumerate(assignments):
            isr = [one for one in replicas if self.broker(one).is_active]
            records.append(
                PartitionRecord(
                    partition_id=number, topic_id=topic_id, replicas=replicas, isr=isr, leader=isr[0], leader_epoch=0,
                    partition_epoch=0, directories=[directory_of(one) for one in replicas],
                )
            )  # fmt: skip
        self.append(ControllerResult(tuple(records), None))

    def partitions(self) -> list[tuple[str, int, PartitionRegistration]]:
        topics = self.controller.image.topics
        return [
            (name, number, one)
            for name, topic_id in sorted(self.ids.items())
            for number, one in sorted(topics.by_id[topic_id].partitions.items())
        ]


class Script:
    """Draws steps, and keeps the model in step with them."""

    def __init__(self, seed: int, *, min_isr: int) -> None:
        self.rng = random.Random(seed)
        self.model = Model(min_isr=min_isr)

    def beginning(self) -> list[Step]:
        """Register and unfence all brokers."""
        steps = [
            Step(f"register {one}", lambda controller, one=one: controller.register(one, RACKS[one])) for one in BROKERS
        ]
        return steps + [self._beat(one) for one in BROKERS]

    def step(self) -> Step:
        """Draw one step."""
        kinds = [self._create, self._delete, self._fence, self._unfence, self._alter, self._alter, self._alter]
        kinds += [self._elect, self._reassign, self._reassign, self._list, self._assign, self._configure]
        kinds += [self._cordon, self._place]
        return self.rng.choice(kinds)() or self._create() or self._list()

    def _beat(self, broker_id: int, *, fence: bool = False) -> Step:
        self.model.do(beat(broker_id, self.model.epoch(broker_id), 2**40, want_fence=fence))
        return Step(f"beat {broker_id} fence={fence}", lambda controller: controller.beat(broker_id, fence=fence))

    def _fence(self) -> Step | None:
        active = [one for one in BROKERS if not self.model.broker(one).fenced]
        return self._beat(self.rng.choice(active), fence=True) if len(active) > 1 else None

    def _unfence(self) -> Step:
        return self._beat(self.rng.choice(BROKERS))

    def _cordon(self) -> Step:
        """Let a broker report its directory as cordoned or not, and as full: of that, the level knows nothing."""
        broker_id = self.rng.choice(BROKERS)
        directory = directory_of(broker_id)
        cordoned = self.rng.choice((None, (), (), (directory,), (directory,)))
        saturated = self.rng.choice((None, (), (directory,)))
        fence = self.model.broker(broker_id).fenced
        reports = {"cordoned_log_dirs": cordoned, "saturated_log_dirs": saturated}
        self.model.do(beat(broker_id, self.model.epoch(broker_id), 2**40, want_fence=fence, **reports))
        return Step(
            f"beat {broker_id} cordoned={cordoned} saturated={saturated}",
            lambda controller: controller.beat(broker_id, fence=fence, cordoned=cordoned, saturated=saturated),
        )

    def _place(self) -> Step:
        """Ask for a placement: whether it is refused, and in which words, depends on the cordoned directories."""
        replicas = self.rng.randint(1, len(BROKERS) + 1)
        return Step(f"place {replicas}", lambda controller: controller.create_anywhere("placed", replicas))

    def _replicas(self) -> list[int]:
        return self.rng.sample(BROKERS, self.rng.randint(1, 4))

    def _create(self) -> Step | None:
        names = [name for name in ("orders", "users", "a.b", "c") if name not in self.model.ids]
        if not names:
            return None
        name, count = self.rng.choice(names), self.rng.randint(1, 3)
        replication = self.rng.randint(1, 4)
        assignments = [self.rng.sample(BROKERS, replication) for _ in range(count)]
        if not all(any(self.model.broker(one).is_active for one in replicas) for replicas in assignments):
            return None
        self.model.create(name, assignments)
        return Step(f"create {name} {assignments}", lambda controller: controller.create(name, assignments))

    def _delete(self) -> Step | None:
        if len(self.model.ids) < TOPICS_MAX:
            return None
        name = self.rng.choice(sorted(self.model.ids))
        self.model.append(ControllerResult((RemoveTopicRecord(topic_id=self.model.ids.pop(name)),), None))

        def ask(controller: Controller) -> object:
            state = rpc.DeleteTopicsRequestDeleteTopicState(name=name)
            answer = controller.ask(rpc.DeleteTopicsRequest(topics=[state], timeout_ms=30_000), 6)
            controller.topics.pop(name)
            return [(one.name, one.error_code, one.error_message) for one in answer.responses]

        return Step(f"delete {name}", ask)

    def _alter(self) -> Step | None:
        """Let a leader, or another broker, alter an ISR; the epochs are right for the most part."""
        rng, found = self.rng, self.model.partitions()
        if not found:
            return None
        name, number, partition = rng.choice(found)
        leader = partition.leader if partition.leader is not None and rng.random() < 0.9 else rng.choice(BROKERS)
        isr = [one for one in partition.replicas if rng.random() < 0.7]
        if leader not in isr and rng.random() < 0.95:
            isr.append(leader)
        isr = [*isr, rng.choice((-1, 3, 77))] if rng.random() < 0.05 else isr
        knows = {one: rng.random() < 0.5 for one in isr}
        leader_epoch = partition.leader_epoch + rng.choice((0,) * 12 + (1, -1))
        partition_epoch = partition.partition_epoch + rng.choice((0,) * 12 + (1, -1))
        recovery = int(partition.leader_recovery_state) if rng.random() < 0.7 else rng.choice((0, 0, 1))

        def epoch_of(epochs: dict[int, int], one: int) -> int:
            return epochs.get(one, -1) if knows[one] else -1

        known = {one: self.model.epoch(one) for one in BROKERS}
        self.model.do(
            AlterPartition(
                broker_id=leader,
                broker_epoch=known[leader],
                topics=(
                    (
                        self.model.ids[name],
                        (
                            PartitionAlteration(
                                number, leader_epoch, partition_epoch,
                                tuple(IsrMember(one, epoch_of(known, one)) for one in isr), recovery,
                            ),
                        ),
                    ),
                ),
            )
        )  # fmt: skip

        def ask(controller: Controller) -> object:
            member = rpc.AlterPartitionRequestBrokerState
            row = rpc.AlterPartitionRequestPartitionData(
                number, leader_epoch, [], [member(one, epoch_of(controller.epochs, one)) for one in isr], recovery,
                partition_epoch,
            )  # fmt: skip
            topic = rpc.AlterPartitionRequestTopicData(controller.topics[name], [row])
            answer = controller.ask(rpc.AlterPartitionRequest(leader, controller.epochs[leader], [topic]), 3)
            one = answer.topics[0].partitions[0] if answer.topics else None
            reported = one and (
                one.error_code, one.leader_id, one.leader_epoch, one.isr, one.leader_recovery_state, one.partition_epoch
            )  # fmt: skip
            return answer.error_code, reported

        text = f"alter {name}-{number} by {leader} isr={isr} epochs={leader_epoch}/{partition_epoch} state={recovery}"
        return Step(text, ask)

    def _elect(self) -> Step:
        kind = self.rng.choice((0, 0, 0, 1))
        found = self.model.partitions()
        chosen = self.rng.sample(found, min(len(found), self.rng.randint(0, 3)))
        named = None if self.rng.random() < 0.3 else [(name, number) for name, number, _ in chosen]
        by_topic: dict[str, list[int]] = {}
        for name, number in named or ():
            by_topic.setdefault(name, []).append(number)
        if self.rng.random() < 0.1:
            by_topic["unknown"] = [0]
        topics = None if named is None else tuple((name, tuple(numbers)) for name, numbers in by_topic.items())
        self.model.do(ElectLeaders(election_type=kind, topics=topics))

        def ask(controller: Controller) -> object:
            row = rpc.ElectLeadersRequestTopicPartitions
            asked = None if topics is None else [row(name, list(numbers)) for name, numbers in topics]
            answer = controller.ask(rpc.ElectLeadersRequest(kind, asked, 30_000), 2)
            return answer.error_code, sorted(
                (one.topic, each.partition_id, each.error_code, each.error_message or None)
                for one in answer.replica_election_results
                for each in one.partition_result
            )

        return Step(f"elect type={kind} {topics}", ask)

    def _reassign(self) -> Step | None:
        rng, found = self.rng, self.model.partitions()
        if not found:
            return None
        name, number, partition = rng.choice(found)
        underway = bool(partition.adding_replicas or partition.removing_replicas)
        target = None if rng.random() < (0.5 if underway else 0.1) else self._replicas()
        if underway and (target is not None or not set(partition.isr) - set(partition.adding_replicas)):
            return None  # differences on purpose, see above
        if target is not None and set(partition.replicas) - set(target) and self._min_isr(name) > 1:
            return None  # the ELR of a replica that is removed, see above
        if target is not None and rng.random() < 0.05:
            target = rng.choice(([], [1, 1], [1, 77]))
        allows = rng.random() < 0.8
        replicas = None if target is None else tuple(target)
        self.model.do(
            AlterPartitionReassignments(
                topics=((name, (Reassignment(number, replicas),)),), allow_replication_factor_change=allows
            )
        )

        def ask(controller: Controller) -> object:
            row = rpc.AlterPartitionReassignmentsRequestReassignablePartition(number, target)
            topic = rpc.AlterPartitionReassignmentsRequestReassignableTopic(name, [row])
            answer = controller.ask(rpc.AlterPartitionReassignmentsRequest(30_000, allows, [topic]), 1)
            return (
                answer.error_code,
                answer.allow_replication_factor_change,
                [
                    (one.partition_index, one.error_code, one.error_message)
                    for each in answer.responses
                    for one in each.partitions
                ],
            )

        return Step(f"reassign {name}-{number} to {target} allows={allows}", ask)

    def _min_isr(self, name: str) -> int:
        return int(self.model.controller.image.configs.topic(name).get("min.insync.replicas", "1"))

    def _list(self) -> Step:
        def ask(controller: Controller) -> object:
            answer = controller.ask(rpc.ListPartitionReassignmentsRequest(), 0)
            return sorted(
                (each.name, one.partition_index, one.replicas, one.adding_replicas, one.removing_replicas)
                for each in answer.topics
                for one in each.partitions
            )

        return Step("list reassignments", ask)

    def _assign(self) -> Step | None:
        rng, found = self.rng, self.model.partitions()
        if not found:
            return None
        name, number, partition = rng.choice(found)
        broker_id = rng.choice(partition.replicas) if rng.random() < 0.9 else rng.choice(BROKERS)
        directory = directory_of(broker_id)
        self.model.do(
            AssignReplicasToDirs(
                broker_id=broker_id,
                broker_epoch=self.model.epoch(broker_id),
                directories=((directory, ((self.model.ids[name], (number,)),)),),
            )
        )

        def ask(controller: Controller) -> object:
            row = rpc.AssignReplicasToDirsRequestPartitionData(number)
            topic = rpc.AssignReplicasToDirsRequestTopicData(controller.topics[name], [row])
            data = rpc.AssignReplicasToDirsRequestDirectoryData(directory, [topic])
            answer = controller.ask(rpc.AssignReplicasToDirsRequest(broker_id, controller.epochs[broker_id], [data]), 0)
            return answer.error_code, [
                one.error_code for each in answer.directories for topic in each.topics for one in topic.partitions
            ]

        return Step(f"assign {name}-{number} of {broker_id} to {directory.hex()[-6:]}", ask)

    def _configure(self) -> Step | None:
        """Set or delete what elections look at."""
        if not self.model.ids:
            return None
        name = self.rng.choice(sorted(self.model.ids))
        key, value = self.rng.choice(
            (("unclean.leader.election.enable", "true"), ("unclean.leader.election.enable", "false"),
             ("min.insync.replicas", "1"), ("min.insync.replicas", "2"), ("min.insync.replicas", "3"))
        )  # fmt: skip
        if key == "min.insync.replicas" and any(
            one.removing_replicas for topic, _, one in self.model.partitions() if topic == name
        ):
            return None
        if value == "true" and any(one.leader is None for _, _, one in self.model.partitions()):
            return None  # ours looks for elections that are allowed now at once, Kafka within five minutes
        self.model.do(_alteration(name, key, value))

        def ask(controller: Controller) -> object:
            config = rpc.IncrementalAlterConfigsRequestAlterableConfig(key, 0, value)
            resource = rpc.IncrementalAlterConfigsRequestAlterConfigsResource(2, name, [config])
            (answer,) = controller.ask(rpc.IncrementalAlterConfigsRequest([resource]), 1).responses
            return answer.error_code, answer.error_message or None

        return Step(f"set {key}={value} of {name}", ask)


def _alteration(name: str, key: str, value: str) -> Any:
    return set_configs(2, name, (key, value))
