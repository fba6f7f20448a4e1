"""Create a topic, set one of its configs, and read it back.

    python docs/examples/drive_over_grpc.py 127.0.0.1:9193 [TOPIC]

ADDRESS is the public API of any node (``grpc.listener``): the client finds the active controller. The same with a
command line tool is in drive_with_grpcurl.sh.
"""

import sys

from kraftpy.client import Client, ConfigChange, ErrorCode, NewTopic, Resource, ResourceType, UnknownOutcomeError

RETENTION_MS = str(24 * 60 * 60 * 1000)


def main(address: str, name: str) -> None:
    """Run the three calls one after the other."""
    with Client([address], timeout_s=30.0) as client:
        create(client, name)
        written = set_retention(client, name)
        # Any node may answer a read. `min_offset` makes it wait until its state contains the write.
        topic = Resource(ResourceType.TOPIC, name)
        configs = client.describe_configs([topic], min_offset=written)
        print(f"retention.ms of {name} is {configs.resources[topic]['retention.ms']}")


def create(client: Client, name: str) -> None:
    """Create the topic, unless it exists already."""
    created = client.create_topics([NewTopic(name=name, partitions=3, replication_factor=1)])
    # A call about several topics may succeed for some and fail for others: look at each outcome.
    (outcome,) = created.outcomes
    if outcome.error is ErrorCode.TOPIC_ALREADY_EXISTS:
        print(f"{name} exists already")
    elif outcome.error is not ErrorCode.NONE:
        sys.exit(f"{name} was not created: {outcome.error.name}: {outcome.message}")
    else:
        print(f"created {name} with {outcome.partitions} partitions at offset {created.position.offset}")


def set_retention(client: Client, name: str) -> int:
    """Set a config key; return the offset of the write."""
    change = {Resource(ResourceType.TOPIC, name): [ConfigChange("retention.ms", RETENTION_MS)]}
    try:
        altered = client.incremental_alter_configs(change)
    except UnknownOutcomeError as error:
        # The connection broke after the write was sent. docs/retries.md has the ways to continue.
        sys.exit(f"the write may or may not be committed: {error}")
    (outcome,) = altered.outcomes
    if outcome.error is not ErrorCode.NONE:
        sys.exit(f"retention.ms was not set: {outcome.error.name}: {outcome.message}")
    print(f"set retention.ms at offset {altered.position.offset}")
    return altered.position.offset


if __name__ == "__main__":
    if len(sys.argv) not in {2, 3}:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else "example")
