"""``isr``: how fast in-sync replicas are changed, by AlterPartition requests of ten brokers.

Each broker leads :data:`LED` partitions of topics of mixed sizes and has one request unanswered, as a real one has. Its
requests name the partitions in a drawn order, so that one request names many topics, and the next request the next
partitions. A partition with all its replicas in sync loses one or both followers, one that lacks some gets them back.

Every partition of every answer is checked: no error, this leader in this leader epoch, the ISR that was requested, and
the partition epoch one above the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final

from bench.assigned import Partition, assignments, create_assigned
from bench.brokers import Brokers
from bench.cases import Case
from bench.channel import CLIENT_ID, decoded
from bench.work import Work
from kraftpy.model.ids import Uuid
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import encode_request
from kraftpy.transport.kafka.framing import frame

SEED: Final = 20_261_128
BROKERS: Final = 10
LED: Final = 1_000
"""Partitions that each broker leads: as many as the largest request may name."""
WARM_UP_PARTITIONS: Final = 10
UNIT: Final = "partition"
VERSION: Final = 3


async def lead(brokers: Brokers) -> dict[int, list[Partition]]:
    """Create the partitions; return those that each broker leads, in the order in which it names them."""
    random = Random(SEED)
    ids = sorted(brokers.by_id)
    replicas = assignments(random, ids * LED, ids)
    random.shuffle(replicas)
    led: dict[int, list[Partition]] = {broker_id: [] for broker_id in ids}
    for partition in await create_assigned(brokers, "isr", replicas, random):
        led[partition.leader].append(partition)
    for partitions in led.values():
        random.shuffle(partitions)
    return led


def alterations(
    brokers: Brokers, led: Mapping[int, Sequence[Partition]], sizes: Sequence[int], seconds: float, warmup_s: float
) -> list[Case]:
    """List the work: requests of each size, of all brokers at once; the first is the warm-up."""
    epochs = {broker_id: broker.epoch for broker_id, broker in brokers.by_id.items()}
    altering = [
        Altering(slot, broker_id, epochs, partitions) for slot, (broker_id, partitions) in enumerate(led.items())
    ]

    def case(size: int) -> Case:
        label = f"{size:,} partition{'s' if size > 1 else ''} a request, {len(altering)} brokers"
        work = Work(in_flight=len(altering), batch=size, seconds=seconds, warmup_s=warmup_s)
        return Case(label, work, lambda: [one.by(size) for one in altering])

    return [case(size) for size in (WARM_UP_PARTITIONS, *sizes)]


class Altering:
    """One broker's requests."""

    def __init__(self, slot: int, broker_id: int, epochs: Mapping[int, int], led: Sequence[Partition]) -> None:
        self._slot = slot
        self._broker_id = broker_id
        self._epochs = epochs
        self._led = led
        self._random = Random(f"{SEED}/{broker_id}")
        self._size = 1
        self._at = 0
        self._asked: dict[tuple[Uuid, int], tuple[Partition, list[int]]] = {}

    def by(self, size: int) -> Altering:
        """Name that many partitions in each request from now on."""
        self._size = size
        return self

    def next(self) -> bytes:
        """Return the next request."""
        self._asked = {}
        for _ in range(self._size):
            partition = self._led[self._at]
            self._at = (self._at + 1) % len(self._led)
            self._asked[partition.topic_id, partition.index] = (partition, self._other_isr(partition))
        request = alteration(self._broker_id, self._epochs, self._asked.values())
        return frame(encode_request(CLIENT_ID, self._slot, request, VERSION))

    def _other_isr(self, partition: Partition) -> list[int]:
        if len(partition.isr) < len(partition.replicas):
            return list(partition.replicas)
        kept = self._random.randint(0, len(partition.replicas) - 2)
        return [partition.leader, *self._random.sample(partition.replicas[1:], kept)]

    def judge(self, payload: bytes) -> str:
        """Check every partition, and take its new state."""
        answer = decoded(rpc.AlterPartitionRequest(), VERSION, payload, rpc.AlterPartitionResponse)
        if answer.error_code:
            return f"error {answer.error_code}"
        for topic in answer.topics:
            for row in topic.partitions:
                asked = self._asked.pop((topic.topic_id, row.partition_index), None)
                error = f"partition {row.partition_index} was not asked about" if asked is None else _taken(row, *asked)
                if error:
                    return error
        return f"{len(self._asked)} partitions are not in the answer" if self._asked else ""


def alteration(
    broker_id: int, epochs: Mapping[int, int], wanted: Iterable[tuple[Partition, list[int]]]
) -> rpc.AlterPartitionRequest:
    """Return a leader's request for these ISRs; ``epochs`` are those of the brokers' registrations."""
    topics: dict[Uuid, list[rpc.AlterPartitionRequestPartitionData]] = {}
    for partition, isr in wanted:
        members = [rpc.AlterPartitionRequestBrokerState(one, epochs[one]) for one in isr]
        topics.setdefault(partition.topic_id, []).append(
            rpc.AlterPartitionRequestPartitionData(
                partition.index, partition.leader_epoch, [], members, 0, partition.partition_epoch
            )
        )
    rows = [rpc.AlterPartitionRequestTopicData(topic_id, rows) for topic_id, rows in topics.items()]
    return rpc.AlterPartitionRequest(broker_id, epochs[broker_id], rows)


def _taken(row: rpc.AlterPartitionResponsePartitionData, partition: Partition, isr: list[int]) -> str:
    """Take the answer for the partition's new state; return what is wrong with it."""
    error = difference(row, partition, isr)
    if not error:
        partition.isr, partition.partition_epoch = isr, row.partition_epoch
    return error


def difference(row: rpc.AlterPartitionResponsePartitionData, partition: Partition, isr: list[int]) -> str:
    """Return what an answer has that is not the requested ISR of a partition; nothing when it is a success."""
    if row.error_code:
        return f"partition {partition.index}: error {row.error_code}"
    given = (row.leader_id, row.leader_epoch, sorted(row.isr), row.partition_epoch)
    expected = (partition.leader, partition.leader_epoch, sorted(isr), partition.partition_epoch + 1)
    if given != expected:
        return f"partition {partition.index}: leader, its epoch, ISR and partition epoch are {given}, not {expected}"
    return ""
