"""Legal histories: whatever numbers come in, records come out that a correct controller could have written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from kraftpy.records.metadata import (
    AccessControlEntryRecord,
    BrokerHostRecord,
    BrokerRegistrationChangeRecord,
    ClearElrRecord,
    ClientQuotaRecord,
    ClientQuotaRecordEntityData,
    ConfigRecord,
    DelegationTokenRecord,
    FeatureLevelRecord,
    FenceBrokerRecord,
    NoOpRecord,
    PartitionChangeRecord,
    ProducerIdsRecord,
    Record,
    RegisterControllerRecord,
    RegisterControllerRecordControllerEndpoint,
    RemoveAccessControlEntryRecord,
    RemoveDelegationTokenRecord,
    RemoveTopicRecord,
    RemoveUserScramCredentialRecord,
    UnfenceBrokerRecord,
    UnregisterBrokerRecord,
    UserScramCredentialRecord,
    ZkMigrationStateRecord,
)
from tests.unit.image.support import broker, partition, start, topic, uuid

Numbers = tuple[int, int, int, int]


@dataclass
class World:
    """What a controller would have to remember to stay legal."""

    brokers: dict[int, int] = field(default_factory=dict)
    topics: dict[bytes, tuple[str, int]] = field(default_factory=dict)
    acls: set[int] = field(default_factory=set)
    users: set[tuple[int, str]] = field(default_factory=set)
    hosts: set[str] = field(default_factory=set)
    producer_id: int = 0
    epoch: int = 0
    ids: int = 0


Action = Callable[[World, int, int, int], "Sequence[Record]"]


def _register(world: World, a: int, b: int, c: int) -> Sequence[Record]:
    world.epoch += 1
    world.brokers[a] = world.epoch
    cordoned = [uuid(a * 100)] if c == 1 else None
    saturated = [uuid(a * 100)] if c == 2 else []
    return [
        broker(a, world.epoch, rack=[None, "r1", ""][b % 3], fenced=c != 3, cordoned_log_dirs=cordoned,
               saturated_log_dirs=saturated)
    ]  # fmt: skip


def _change_broker(world: World, a: int, b: int, c: int) -> Sequence[Record]:
    if a not in world.brokers:
        return []
    epoch = world.brokers[a]
    if c == 0:
        return [FenceBrokerRecord(a, epoch)]
    if c == 1:
        return [UnfenceBrokerRecord(a, epoch)]
    if c == 2:
        del world.brokers[a]
        return [UnregisterBrokerRecord(a, epoch)]
    dirs = [uuid(a * 100 + b)] if b else []
    return [
        BrokerRegistrationChangeRecord(
            a, epoch, fenced=b % 3 - 1, in_controlled_shutdown=b % 2, log_dirs=dirs,
            cordoned_log_dirs=[None, [], dirs][c % 3], saturated_log_dirs=[dirs, None, []][c % 3],
        )
    ]  # fmt: skip


def _topic(world: World, a: int, b: int, c: int) -> Sequence[Record]:
    name = f"topic-{a}"
    for topic_id, (existing, _) in list(world.topics.items()):
        if existing == name:
            del world.topics[topic_id]
            return [RemoveTopicRecord(topic_id)]
    world.ids += 1
    topic_id = uuid(1000 + world.ids)
    world.topics[topic_id] = (name, b + 1)
    elr = [9] if c == 1 else None
    return [
        topic(name, topic_id),
        *(partition(p, topic_id, eligible_leader_replicas=elr, last_known_elr=elr) for p in range(b + 1)),
    ]


def _change_partition(world: World, a: int, b: int, c: int) -> Sequence[Record]:
    if not world.topics:
        return []
    topic_id = sorted(world.topics)[a % len(world.topics)]
    change = PartitionChangeRecord(partition_id=b % world.topics[topic_id][1], topic_id=topic_id)
    if c == 0:
        change.leader = [-1, -2, 2][a % 3]
    elif c == 1:
        change.isr, change.eligible_leader_replicas = [2], [1, 3]
    elif c == 2:
        change.replicas = [2, 3, 4 + a]
    elif c == 3:
        change.leader_recovery_state, change.leader = 1, 3
    else:
        change.adding_replicas, change.last_known_elr = [a + 5], [2]
    return [change]


def _config(world: World, a: int, b: int, c: int) -> Sequence[Record]:
    names = [name for name, _ in world.topics.values()]
    resource = (2, names[a % len(names)]) if names and b % 2 else (4, str(a) if a else "")
    return [ConfigRecord(*resource, f"key-{c}", None if b == 0 else f"value-{a}{b}")]


def _quota(_: World, a: int, b: int, c: int) -> Sequence[Record]:
    pairs = [ClientQuotaRecordEntityData("user", [None, "", "ann"][a % 3])]
    if b % 2:
        pairs.insert(b % 4 // 2, ClientQuotaRecordEntityData("client-id", [None, "app"][a % 2]))
    return [ClientQuotaRecord(pairs, f"key-{c % 2}", float(b), remove=c > 2)]


def _acl(world: World, a: int, b: int, c: int) -> Sequence[Record]:
    if a in world.acls:
        world.acls.remove(a)
        return [RemoveAccessControlEntryRecord(uuid(a))]
    world.acls.add(a)
    return [AccessControlEntryRecord(uuid(a), 2, f"r-{b}", 3, "User:ann", "*", 3, 2 + c % 2)]


def _scram(world: World, a: int, b: int, c: int) -> Sequence[Record]:
    user = (1 + b % 2, f"user-{a}")
    if user in world.users and c % 2:
        world.users.remove(user)
        return [RemoveUserScramCredentialRecord(user[1], user[0])]
    world.users.add(user)
    return [UserScramCredentialRecord(user[1], user[0], b"salt%d" % c, b"stored", b"server", 4096 + c)]


def _token(_: World, a: int, b: int, c: int) -> Sequence[Record]:
    if c == 0:
        return [RemoveDelegationTokenRecord(f"token-{a}")]
    return [DelegationTokenRecord("User:ann", "User:bob", ["User:eve"] * (b % 2), b, b + 5, b + c, f"token-{a}")]


def _host(world: World, a: int, b: int, c: int) -> Sequence[Record]:
    host = f"host-{a}"
    if host in world.hosts and c == 0:
        world.hosts.remove(host)
        return [BrokerHostRecord(host, -1)]
    world.hosts.add(host)
    return [BrokerHostRecord(host, b)]


def _rest(world: World, a: int, b: int, c: int) -> Sequence[Record]:
    world.producer_id += 1000
    end_points = [RegisterControllerRecordControllerEndpoint("CONTROLLER", "c", 9093 + b, 0)]
    names = [name for name, _ in world.topics.values()]
    choices: list[Record] = [
        ProducerIdsRecord(a, b, world.producer_id),
        RegisterControllerRecord(a, uuid(b), zk_migration_ready=False, end_points=end_points),
        FeatureLevelRecord(f"feature-{a}", b % 3),
        ClearElrRecord(names[0] if names and b % 2 else ""),
        ZkMigrationStateRecord(b % 4),
        NoOpRecord(),
    ]
    return [choices[(a + c) % len(choices)]]


ACTIONS: tuple[Action, ...] = (
    _register, _change_broker, _topic, _change_partition, _config, _quota, _acl, _scram, _token, _host, _rest,
)  # fmt: skip


def history(numbers: Sequence[Numbers]) -> list[Record]:
    """Turn numbers into a legal history that starts with its level and cluster id."""
    world = World()
    records = start()
    for action, a, b, c in numbers:
        records += ACTIONS[action % len(ACTIONS)](world, a, b, c)
    return records


SMALL = st.integers(0, 4)
STEPS = st.tuples(st.integers(0, len(ACTIONS) - 1), SMALL, SMALL, SMALL)
HISTORIES = st.lists(STEPS, max_size=40).map(history)
