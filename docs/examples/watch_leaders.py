"""Print topics and the leaders of their partitions as they change, without decoding records.

    python docs/examples/watch_leaders.py 127.0.0.1:9193

The watch begins at the start of the log, or at the snapshot that has replaced it, so the state is complete before the
first change of now. Ctrl-C ends it.
"""

import asyncio
import sys
from contextlib import aclosing

from kraftpy.client import (
    AsyncClient,
    MetadataChange,
    MetadataSlice,
    PartitionChangeRecord,
    PartitionRecord,
    RemoveTopicRecord,
    SnapshotBegins,
    SnapshotPart,
    TopicRecord,
    WatchedBatch,
)

NO_LEADER, UNCHANGED = -1, -2


class Leaders:
    """The leaders of all partitions, kept from changes."""

    def __init__(self) -> None:
        self.names: dict[bytes, str] = {}

    def apply(self, change: MetadataChange) -> None:
        """Follow one change, and print what it means."""
        match change:
            case TopicRecord(name=name, topic_id=topic_id):
                self.names[topic_id] = name
                print(f"{name}: created", flush=True)
            case RemoveTopicRecord(topic_id=topic_id):
                print(f"{self.names.pop(topic_id)}: deleted", flush=True)
            case PartitionRecord() | PartitionChangeRecord() if change.leader != UNCHANGED:
                leader = "nobody" if change.leader == NO_LEADER else f"broker {change.leader}"
                print(f"{self.names[change.topic_id]}-{change.partition_id}: {leader} leads", flush=True)


async def main(address: str) -> None:
    """Watch the topics of the cluster at an address."""
    leaders = Leaders()
    async with AsyncClient([address]) as client, aclosing(client.watch(0, changes_of=[MetadataSlice.TOPICS])) as events:
        async for event in events:
            match event:
                case SnapshotBegins():
                    leaders = Leaders()
                case SnapshotPart() | WatchedBatch():
                    for change in event.changes:
                        leaders.apply(change)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: python {sys.argv[0]} ADDRESS")
    try:
        asyncio.run(main(sys.argv[1]))
    except KeyboardInterrupt:
        sys.exit(130)
