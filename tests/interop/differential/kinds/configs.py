"""IncrementalAlterConfigs, AlterConfigs and DescribeConfigs."""

from __future__ import annotations

import random
from typing import Final

from kraftpy.records.generated import rpc
from tests.interop.differential.asking import BROKERS, TOPICS, UNKNOWN_BROKER, Ask, State, kind

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32
VALUES: Final[dict[int, tuple[tuple[str, tuple[str, ...]], ...]]] = {
    TOPIC: (
        ("retention.ms", ("1000", "-1", "-2", "x", "")),
        ("min.insync.replicas", ("1", "2", "3", "0")),
        (
            "cleanup.policy",
            ("compact", "delete", "compact,delete", "", "no", "delete,delete", "compact,", " delete", "delete\u00a0"),
        ),
        ("unclean.leader.election.enable", ("true", "false", "maybe")),
        ("compression.type", ("zstd", "producer", "none")),
        ("segment.bytes", ("1048576", "10", "9999999999")),
        ("min.cleanable.dirty.ratio", ("0.5", "2", "x")),
        ("leader.replication.throttled.replicas", ("*", "0:11,1:12", "0:x")),
        ("remote.storage.enable", ("false", "true", "true")),
        ("remote.log.copy.disable", ("false", "true")),
        ("remote.log.delete.on.disable", ("false", "true")),
        ("local.retention.ms", ("900", "1000", "1001", "-1", "-2")),
        ("retention.bytes", ("1000", "-1")),
        ("local.retention.bytes", ("1000", "1001", "-1", "-2")),
        ("no.such.key", ("1",)),
    ),
    BROKER: (
        ("log.cleaner.threads", ("1", "0", "x")),
        ("min.insync.replicas", ("1", "2", "x")),
        ("log.retention.ms", ("1000", "y")),
        ("max.connections.per.ip", ("5", "-5")),
        ("log.cleanup.policy", ("compact", "delete")),
        ("no.such.key", ("1",)),
        ("listener.name.external.ssl.keystore.password", ("secret",)),
        ("unclean.leader.election.enable", ("false",)),
        ("cordoned.log.dirs", ("/a",)),
    ),
    METRICS: (
        ("interval.ms", ("1000", "5", "99999999", "x")),
        ("metrics", ("a,b", "", "c", "a,,b")),
        ("match", ("client_id=a.*", "client_id=(", "nothing=1", "client_id", "client_id=a,")),
        ("no.such.key", ("1",)),
    ),
    GROUP: (
        ("consumer.session.timeout.ms", ("50000", "1", "x", "99999999")),
        ("consumer.heartbeat.interval.ms", ("6000", "1", "50000", "99999999")),
        ("share.record.lock.duration.ms", ("30000", "5")),
        ("share.auto.offset.reset", ("earliest", "latest", "none", "by_duration:PT1H")),
        ("share.delivery.count.limit", ("5", "1")),
        ("share.partition.max.record.locks", ("2000", "50")),
        ("share.renew.acknowledge.enable", ("false", "x")),
        ("share.assignment.interval.ms", ("1000", "-1")),
        ("consumer.assignment.interval.ms", ("1000", "-1")),
        ("streams.assignment.interval.ms", ("1000", "-1")),
        ("streams.initial.rebalance.delay.ms", ("0", "-1")),
        ("share.isolation.level", ("read_committed", "dirty")),
        ("streams.num.standby.replicas", ("1", "9")),
        ("streams.session.timeout.ms", ("50000", "1")),
        ("no.such.key", ("1",)),
    ),
    LOGGER: (("root", ("INFO",)),),
    0: (("k", ("v",)),),
}
NAMES: Final[dict[int, tuple[str, ...]]] = {
    TOPIC: (*TOPICS, *TOPICS, "ghost", "", "a b", "__cluster_metadata"),
    BROKER: ("", "", *map(str, BROKERS), str(UNKNOWN_BROKER), "x", "1"),
    METRICS: ("one", "two", ""),
    GROUP: ("g", "h", ""),
    LOGGER: ("11",),
    0: ("x",),
}
TYPES: Final = (TOPIC,) * 8 + (BROKER,) * 4 + (METRICS,) * 3 + (GROUP,) * 3 + (LOGGER, 0)
MIN_ISR: Final = "min.insync.replicas"
SET, DELETE, APPEND, SUBTRACT = range(4)


def _resource(rng: random.Random) -> tuple[int, str]:
    resource_type = rng.choice(TYPES)
    return resource_type, rng.choice(NAMES[resource_type])


def _configs(rng: random.Random, state: State, resource_type: int) -> list[tuple[str, str]]:
    known = [each for each in VALUES[resource_type] if each[0] != MIN_ISR or not state.keeps_elr]
    return [(key, rng.choice(values)) for key, values in rng.sample(known, min(len(known), rng.choice((1, 1, 2))))]


@kind(8)
def alter_incrementally(rng: random.Random, state: State) -> Ask:
    """Set, delete, append and subtract."""
    row, change = (
        rpc.IncrementalAlterConfigsRequestAlterConfigsResource,
        rpc.IncrementalAlterConfigsRequestAlterableConfig,
    )
    rows = []
    for _ in range(rng.choice((1, 1, 1, 2))):
        resource_type, name = _resource(rng)
        changes = []
        for key, value in _configs(rng, state, resource_type):
            operation = rng.choice((SET,) * 8 + (DELETE,) * 3 + (APPEND, SUBTRACT))
            # Kafka's controller resigns over an APPEND without a value.
            given = None if operation == DELETE or (operation == SET and rng.random() < 0.03) else value
            changes.append(change(key, operation, given))
        if rng.random() < 0.03:
            changes.append(changes[0])
        rows.append(row(resource_type, name, changes))
    return Ask(rpc.IncrementalAlterConfigsRequest(rows, validate_only=rng.random() < 0.1), rng.choice((0, 1)))


@kind(3)
def replace(rng: random.Random, state: State) -> Ask | None:
    """Replace all configs of a resource."""
    if state.keeps_elr:
        return None
    row, config = rpc.AlterConfigsRequestAlterConfigsResource, rpc.AlterConfigsRequestAlterableConfig
    rows = []
    for _ in range(rng.choice((1, 1, 1, 2))):
        resource_type, name = _resource(rng)
        if resource_type == 0 and rows:
            continue  # Kafka never answers when a type that there is not is asked for twice
        configs = [
            config(key, None if rng.random() < 0.05 else value) for key, value in _configs(rng, state, resource_type)
        ]
        if (resource_type, name) == (BROKER, ""):
            configs.append(config("min.insync.replicas", "1"))
        rows.append(row(resource_type, name, configs if rng.random() < 0.9 else []))
    return Ask(rpc.AlterConfigsRequest(rows, validate_only=rng.random() < 0.1), rng.choice((0, 1, 2)))


@kind(2)
def describe(rng: random.Random, state: State) -> Ask:
    """Describe resources, as a whole or by key."""
    del state
    row = rpc.DescribeConfigsRequestDescribeConfigsResource
    rows = []
    for _ in range(rng.choice((1, 1, 2))):
        resource_type, name = _resource(rng)
        keys = [key for key, _ in VALUES[resource_type] if rng.random() < 0.5]
        rows.append(row(resource_type, name, None if rng.random() < 0.3 else keys))
    version = rng.choice((1, 2, 3, 4))
    message = rpc.DescribeConfigsRequest(rows, rng.random() < 0.7, version >= 3 and rng.random() < 0.2)
    return Ask(message, version, is_read=True)
