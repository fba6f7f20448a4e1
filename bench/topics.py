"""``topics``: how fast topics are created, over Kafka's protocol, on registered brokers in racks.

A topic follows from its serial number, by random numbers with :data:`SEED`: its name has 2 to 60 characters besides the
number, and it has none to three configs. The controller places the replicas. The large request names
:data:`LARGE_TOPICS` topics; who rejects it gets a smaller one of the same topics, too.

Every topic of every answer is checked: its name, its id, how many partitions and replicas it got. The system is warmed
up by topics that are created and deleted in turn, so that the state is as small as at the start.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from bench.brokers import CREATE_VERSION
from bench.cases import Case
from bench.channel import CLIENT_ID, decoded
from bench.work import Work
from kraftpy.model.ids import ZERO_UUID
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import encode_request
from kraftpy.transport.kafka.framing import frame

SEED: Final = 20_261_127
PARTITIONS: Final = 3
REPLICAS: Final = 3
LARGE_TOPICS: Final = 1_000
LARGE_PARTITIONS: Final = 10
SMALLER_TOPICS: Final = 500
"""With ten partitions and its configs each, they fit into the 10,000 records that Kafka makes of one request."""
NAME_LETTERS_MAX: Final = 60
CONFIGS_MAX: Final = 3
TIMEOUT_MS: Final = 30_000
DELETE_VERSION: Final = 6
WARM_UP_IN_FLIGHT: Final = 16
UNIT: Final = "topic"
_LETTERS: Final = string.ascii_letters + string.digits + "-_"

CONFIGS: Final[dict[str, Sequence[str]]] = {
    "cleanup.policy": ("compact", "delete", "compact,delete"),
    "compression.type": ("producer", "zstd", "lz4", "uncompressed"),
    "max.message.bytes": ("65536", "1048588", "10485760"),
    "min.insync.replicas": ("1", "2"),
    "retention.ms": ("60000", "604800000", "86400000", "-1"),
    "segment.bytes": ("16777216", "1073741824"),
}


def creations(
    serials: Iterator[int], in_flight: Sequence[int], seconds: float, warmup_s: float, large_requests: int
) -> list[Case]:
    """List the work: single topics with each number in flight, and large requests, one after the other."""
    single = Work(seconds=seconds, warmup_s=warmup_s)
    todo = [_creation(replace(single, in_flight=number), PARTITIONS, serials) for number in in_flight]
    sizes = (LARGE_TOPICS, SMALLER_TOPICS) if large_requests else ()
    return todo + [
        _creation(Work(batch=size, total=size * large_requests), LARGE_PARTITIONS, serials) for size in sizes
    ]


def _creation(work: Work, partitions: int, serials: Iterator[int]) -> Case:
    size = f"{work.batch:,} topics" if work.batch > 1 else "1 topic"
    return Case(
        f"{size} x {partitions}, {work.in_flight:,} in flight",
        work,
        lambda: [Creating(slot, serials, work.batch, partitions) for slot in range(work.in_flight)],
    )


def change(serials: Iterator[int]) -> Case:
    """Return the warm-up."""
    work = Work(in_flight=WARM_UP_IN_FLIGHT)
    return Case("warm-up", work, lambda: [Changing(slot, serials) for slot in range(work.in_flight)])


def topic_of(serial: int, partitions: int) -> rpc.CreateTopicsRequestCreatableTopic:
    """Return the topic of a serial number."""
    random = Random(f"{SEED}/{serial}")
    name = f"{serial:x}-" + "".join(random.choices(_LETTERS, k=random.randint(1, NAME_LETTERS_MAX)))
    configs = [
        rpc.CreateTopicsRequestCreatableTopicConfig(key, random.choice(CONFIGS[key]))
        for key in random.sample(sorted(CONFIGS), random.randint(0, CONFIGS_MAX))
    ]
    return rpc.CreateTopicsRequestCreatableTopic(name, partitions, REPLICAS, [], configs)


class Creating:
    """One slot's requests: each creates topics that no other does."""

    def __init__(self, slot: int, serials: Iterator[int], topics: int, partitions: int) -> None:
        self._slot = slot
        self._serials = serials
        self._topics = topics
        self._partitions = partitions
        self.names: set[str] = set()
        """Of the last request."""

    def next(self) -> bytes:
        """Return the next request."""
        topics = [topic_of(next(self._serials), self._partitions) for _ in range(self._topics)]
        self.names = {topic.name for topic in topics}
        request = rpc.CreateTopicsRequest(topics, TIMEOUT_MS)
        return frame(encode_request(CLIENT_ID, self._slot, request, CREATE_VERSION))

    def judge(self, payload: bytes) -> str:
        """Check that every topic was created, as it was requested."""
        answer = decoded(rpc.CreateTopicsRequest(), CREATE_VERSION, payload, rpc.CreateTopicsResponse)
        return error_of_created(answer, self.names, self._partitions)


def error_of_created(answer: rpc.CreateTopicsResponse, names: set[str], partitions: int) -> str:
    """Return what is wrong with an answer; nothing when these topics were created with that many partitions each."""
    for topic in answer.topics:
        if topic.error_code:
            return f"topic {topic.name}: error {topic.error_code}: {topic.error_message}"
        if (topic.num_partitions, topic.replication_factor) != (partitions, REPLICAS):
            return f"topic {topic.name} has {topic.num_partitions} partitions of {topic.replication_factor}"
        if topic.topic_id == ZERO_UUID:
            return f"topic {topic.name} has no id"
    return "" if {topic.name for topic in answer.topics} == names else "an answer about other topics"


class Changing:
    """One slot's requests of the warm-up: a topic is created, then deleted."""

    def __init__(self, slot: int, serials: Iterator[int]) -> None:
        self._slot = slot
        self._creating = Creating(slot, serials, 1, PARTITIONS)
        self._created: set[str] = set()

    def next(self) -> bytes:
        """Return the next request."""
        if not self._created:
            return self._creating.next()
        states = [rpc.DeleteTopicsRequestDeleteTopicState(name) for name in sorted(self._created)]
        request = rpc.DeleteTopicsRequest(states, [], TIMEOUT_MS)
        return frame(encode_request(CLIENT_ID, self._slot, request, DELETE_VERSION))

    def judge(self, payload: bytes) -> str:
        """Take the answer for what was requested last."""
        if not self._created:
            error = self._creating.judge(payload)
            self._created = set() if error else self._creating.names
            return error
        self._created = set()
        answer = decoded(rpc.DeleteTopicsRequest(), DELETE_VERSION, payload, rpc.DeleteTopicsResponse)
        return "".join(f"error {one.error_code}: {one.error_message}" for one in answer.responses if one.error_code)
