"""What finding the missing broker ids costs (KIP-426): it should grow with the ids, not with the partitions.

Run: python bench/micro_broker_ids.py [--ids 100] [--partitions 1000000]

Each row has the time of the first call, which builds the index of replicas, and the least and most of ten later calls.
"""

from __future__ import annotations

import argparse
import time

from kraftpy.controller.replica_index import ReplicaIndex
from kraftpy.image import EMPTY, MetadataDelta, MetadataImage
from kraftpy.model.ids import Uuid
from kraftpy.records.metadata import PartitionRecord, TopicRecord

PARTITIONS_PER_TOPIC = 1_000
REPEATS = 10


def image_of(partitions: int, ids: int) -> MetadataImage:
    """Make topics whose partitions have three replicas each, on brokers in turn."""
    delta = MetadataDelta(EMPTY)
    for number in range(partitions):
        topic, partition_id = divmod(number, PARTITIONS_PER_TOPIC)
        topic_id: Uuid = (topic + 1).to_bytes(16, "big")
        if partition_id == 0:
            delta.replay(TopicRecord(name=f"t{topic}", topic_id=topic_id))
        replicas = [(number + each) % ids for each in range(3)]
        delta.replay(
            PartitionRecord(
                partition_id=partition_id,
                topic_id=topic_id,
                replicas=replicas,
                isr=replicas,
                leader=replicas[0],
                leader_epoch=0,
                partition_epoch=0,
            )
        )
    return delta.apply(EMPTY.provenance)


def timed(image: MetadataImage, index: ReplicaIndex) -> float:
    """Return how long one search takes (ms)."""
    began = time.process_time()
    index.broker_ids(image)
    return 1_000 * (time.process_time() - began)


def main() -> None:
    """Print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--ids", type=int, default=100)
    options.add_argument("--partitions", type=int, default=1_000_000)
    asked = options.parse_args()
    print(f"{'partitions':>12} {'ids':>6} {'first ms':>10} {'least ms':>10} {'most ms':>10}")
    for ids in (asked.ids // 10, asked.ids):
        for partitions in (asked.partitions // 100, asked.partitions // 10, asked.partitions):
            image, index = image_of(partitions, ids), ReplicaIndex()
            first = timed(image, index)
            later = sorted(timed(image, index) for _ in range(REPEATS))
            print(f"{partitions:>12,} {ids:>6} {first:>10.1f} {later[0]:>10.3f} {later[-1]:>10.3f}")


if __name__ == "__main__":
    main()
