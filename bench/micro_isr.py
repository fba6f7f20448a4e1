"""What one partition of an AlterPartition costs the active controller in CPU time, stage by stage, from bytes to bytes.

Run: python bench/micro_isr.py [--partitions 100] [--requests 200] [--profile STAGE]

Ten brokers lead 1,000 partitions each, of topics of 1 to 100 partitions; a request names partitions in a drawn order,
so of many topics. A follower leaves the ISR or returns to it. The log, the disk and the network are not in it.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import time
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from bench.assigned import assignments
from bench.large_cluster import LargeCluster, Measured
from kraftpy.controller.partition_requests import AlterPartition
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_requests import CreatableTopic, CreateTopics
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.partition_counts import PartitionCounts
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.image.provenance import Provenance
from kraftpy.model.features import LATEST_PRODUCTION_LEVEL, SchemaSet
from kraftpy.node.cluster_events import ClusterEventLog
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import decode_record
from kraftpy.records.rpc import body_decoder, body_start, encode_request, encode_response
from kraftpy.transport.kafka.control.partitions import alteration_from_wire, alteration_to_wire
from kraftpy.transport.node_api import Committed

VERSION = 3
BROKERS = 10
LED = 1_000
SIZES = (1, 2, 5, 10, 20, 50, 100)
"""Partitions of a topic, in turn."""
RUNS = 5
"""The fastest run counts: the others were held up."""
SCHEMA = SchemaSet.for_level(LATEST_PRODUCTION_LEVEL)
DECODE = body_decoder(rpc.AlterPartitionRequest.API_KEY, VERSION)


class Isr:
    """A cluster, and the requests of its brokers in turn."""

    def __init__(self) -> None:
        self.cluster = LargeCluster(BROKERS, 3)
        random = Random(20_261_128)
        for broker_id in self.cluster.racks:
            self.cluster.register(broker_id, Measured())
            self.cluster.heartbeat(broker_id, Measured())
        replicas = assignments(random, list(self.cluster.racks) * LED, sorted(self.cluster.racks))
        random.shuffle(replicas)
        at = number = 0
        while at < len(replicas):
            size = SIZES[number % len(SIZES)]
            assigned = tuple((index, tuple(one)) for index, one in enumerate(replicas[at : at + size]))
            topic = CreatableTopic(f"isr-{number}", -1, -1, assignments=assigned)
            self.cluster.ask(CreateTopics((topic,)), Measured())
            at, number = at + size, number + 1
        self.led: dict[int, list[tuple[bytes, int]]] = {broker_id: [] for broker_id in self.cluster.racks}
        for topic_id, topic in self.cluster.image.topics.by_id.items():
            for index, partition in topic.partitions.items():
                assert partition.leader is not None
                self.led[partition.leader].append((topic_id, index))
        for partitions in self.led.values():
            random.shuffle(partitions)
        self._random = random

    def requests(self, size: int) -> Iterator[bytes]:
        """Yield the encoded requests of one broker after the other, each made from the state that it meets."""
        at = 0
        while True:
            for broker_id, led in self.led.items():
                yield self._request(broker_id, [led[(at + each) % len(led)] for each in range(size)])
            at += size

    def _request(self, broker_id: int, partitions: list[tuple[bytes, int]]) -> bytes:
        epochs = self.cluster.epochs
        topics: dict[bytes, list[rpc.AlterPartitionRequestPartitionData]] = {}
        for topic_id, index in partitions:
            found = self.cluster.image.topics.partition(topic_id, index)
            assert found is not None
            members = [rpc.AlterPartitionRequestBrokerState(one, epochs[one]) for one in self._other_isr(found)]
            topics.setdefault(topic_id, []).append(
                rpc.AlterPartitionRequestPartitionData(index, found.leader_epoch, [], members, 0, found.partition_epoch)
            )
        rows = [rpc.AlterPartitionRequestTopicData(topic_id, each) for topic_id, each in topics.items()]
        return encode_request("bench", 7, rpc.AlterPartitionRequest(broker_id, epochs[broker_id], rows), VERSION)

    def _other_isr(self, found: PartitionRegistration) -> list[int]:
        if len(found.isr) < len(found.replicas):
            return list(found.replicas)
        assert found.leader is not None
        return [found.leader, *self._random.sample([one for one in found.replicas if one != found.leader], 1)]


class Stages:
    """Walks requests through the stages and sums up what each takes."""

    def __init__(self, isr: Isr, profiled: str, profile: cProfile.Profile) -> None:
        self.spent: Counter[str] = Counter()
        self.bytes = 0
        self._isr = isr
        self._profiled = profiled
        self._profile = profile
        self._follower = isr.cluster.image
        self._counts = PartitionCounts()
        self._counts.update(MetadataDelta.between(EMPTY, self._follower), self._follower)
        self._events = ClusterEventLog()

    def timed(self, stage: str, work: Callable[[], object]) -> object:
        """Run one stage."""
        if stage == self._profiled:
            return self._profile.runcall(work)
        begin = time.process_time_ns()
        done = work()
        self.spent[stage] += time.process_time_ns() - begin
        return done

    def _observe(self, delta: MetadataDelta) -> None:
        """Do what the publishers of a node do with the partitions of an update: count them, and log what is lost."""
        for publisher in (self._counts, self._events):
            for _ in publisher.update_in_slices(delta, self._follower):
                pass

    def walk(self, payload: bytes) -> None:
        """Take one request from bytes to bytes."""
        cluster = self._isr.cluster
        controller = cluster.controller
        message = self.timed("decode", lambda: DECODE(payload, body_start(payload, is_flexible=True)))
        assert isinstance(message, rpc.AlterPartitionRequest)
        asked = self.timed("from wire", lambda: alteration_from_wire(message, VERSION))
        assert isinstance(asked, AlterPartition)
        result = self.timed("decide", lambda: controller.decide(cluster.now_ms, asked))
        assert isinstance(result, ControllerResult)
        encoded: list[bytes] = []
        self.timed("encode", lambda: encoded.extend(controller.encode(result)))
        self.timed("rehearse", lambda: controller.validate_replay(result))
        cluster.offset += len(result.records)
        self.timed("note", lambda: controller.appended(result, cluster.offset, 1))
        records = self.timed("follower decodes", lambda: [decode_record(one, SCHEMA) for one in encoded])

        delta = MetadataDelta(self._follower)

        def loaded() -> object:
            delta.replay_all(records)  # type: ignore[arg-type] # they are records
            return delta.apply(Provenance(cluster.offset, 1, 0, batch_aligned=True))

        self._follower = self.timed("every node replays", loaded)  # type: ignore[assignment] # an image
        self.timed("every node counts", lambda: self._observe(delta))
        self.timed("commit", lambda: controller.committed(cluster.offset, self._follower))
        outcome = Committed(result.response, cluster.offset, 1)
        answer: list[object] = []
        self.timed("to wire", lambda: answer.append(alteration_to_wire(outcome, message)))
        self.timed("answer", lambda: encode_response(7, answer[0], VERSION))  # type: ignore[arg-type] # a message


def main() -> None:
    """Print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--partitions", type=int, default=100, help="partitions in a request")
    options.add_argument("--requests", type=int, default=100)
    options.add_argument("--profile", default="", help="a stage that is profiled instead of timed")
    asked = options.parse_args()
    isr = Isr()
    requests = isr.requests(asked.partitions)
    best: Counter[str] = Counter()
    profile = cProfile.Profile()
    for _ in range(RUNS):
        stages = Stages(isr, asked.profile, profile)
        gc.collect()
        gc.disable()
        for _ in range(asked.requests):
            stages.walk(next(requests))
        gc.enable()
        for stage, spent in stages.spent.items():
            best[stage] = min(best[stage] or spent, spent)
    partitions = asked.requests * asked.partitions
    print(f"{asked.partitions} partitions a request, CPU microseconds a partition, fastest of {RUNS} runs\n")
    for stage, spent in best.items():
        print(f"{stage:20} {spent / partitions / 1_000:8.2f}")
    print(f"{'all':20} {sum(best.values()) / partitions / 1_000:8.2f}")
    if asked.profile:
        profile.print_stats("tottime")


if __name__ == "__main__":
    main()
