"""A small healthy cluster as files, made to be broken.

Three controllers (1, 2, 3; voters) and three brokers (4, 5, 6; one rack and two directories each), all kinds of
records, one snapshot in the middle, a second epoch. Every world has its own times, so that the bytes of two differ.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kraftpy.image.loader import MetadataLoader
from kraftpy.image.writer import snapshot_groups
from kraftpy.model.ids import uuid_to_text
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet
from kraftpy.records import metadata as m
from kraftpy.records.batch import encode_batch, encode_control_batch, split_batches
from kraftpy.records.control import (
    KRaftVersionRecord,
    LeaderChangeMessage,
    LeaderChangeMessageVoter,
    voter_set_to_record,
)
from kraftpy.records.file_names import segment_file_name, snapshot_file_name
from kraftpy.records.snapshot import SnapshotEncoder

LEVEL = 42
CONTROLLERS, BROKERS = (1, 2, 3), (4, 5, 6)
CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qg"


def uuid(number: int) -> bytes:
    return number.to_bytes(8, "big") * 2


def directories(node: int) -> list[bytes]:
    return [uuid(1000 + node), uuid(2000 + node)]


ORDERS, LOGS, GONE = uuid(101), uuid(102), uuid(103)


def broker(node: int, epoch: int, **changes: Any) -> m.RegisterBrokerRecord:
    values: dict[str, Any] = {
        "broker_id": node,
        "is_migrating_zk_broker": False,
        "incarnation_id": uuid(300 + node),
        "broker_epoch": epoch,
        "end_points": [m.RegisterBrokerRecordBrokerEndpoint("PLAINTEXT", f"host-{node}", 9092, 0)],
        "features": [m.RegisterBrokerRecordBrokerFeature("metadata.version", 1, LEVEL)],
        "rack": f"rack-{node}",
        "fenced": True,
        "in_controlled_shutdown": False,
        "log_dirs": directories(node),
        "cordoned_log_dirs": None,
        "saturated_log_dirs": [],
    }
    return m.RegisterBrokerRecord(**{**values, **changes})


def broker_change(node: int, epoch: int, **changes: Any) -> m.BrokerRegistrationChangeRecord:
    values: dict[str, Any] = {
        "broker_id": node,
        "broker_epoch": epoch,
        "fenced": 0,
        "in_controlled_shutdown": 0,
        "log_dirs": [],
        "cordoned_log_dirs": None,
        "saturated_log_dirs": None,
    }
    return m.BrokerRegistrationChangeRecord(**{**values, **changes})


def controller(node: int) -> m.RegisterControllerRecord:
    points = [m.RegisterControllerRecordControllerEndpoint("CONTROLLER", f"host-{node}", 9093, 0)]
    features = [m.RegisterControllerRecordControllerFeature("metadata.version", 1, LEVEL)]
    return m.RegisterControllerRecord(
        node, uuid(400 + node), zk_migration_ready=False, end_points=points, features=features
    )


def partition(topic: bytes, number: int, replicas: tuple[int, ...], **changes: Any) -> m.PartitionRecord:
    values: dict[str, Any] = {
        "partition_id": number,
        "topic_id": topic,
        "replicas": list(replicas),
        "isr": list(replicas),
        "removing_replicas": [],
        "adding_replicas": [],
        "leader": replicas[0] if replicas else -1,
        "leader_recovery_state": 0,
        "leader_epoch": 0,
        "partition_epoch": 0,
        "directories": [directories(node)[0] for node in changes.get("replicas", replicas)],
        "eligible_leader_replicas": None,
        "last_known_elr": None,
    }
    return m.PartitionRecord(**{**values, **changes})


def change(topic: bytes, number: int, **changes: Any) -> m.PartitionChangeRecord:
    values: dict[str, Any] = {
        "partition_id": number,
        "topic_id": topic,
        "isr": None,
        "leader": -2,
        "replicas": None,
        "removing_replicas": None,
        "adding_replicas": None,
        "leader_recovery_state": -1,
        "directories": None,
        "eligible_leader_replicas": None,
        "last_known_elr": None,
    }
    return m.PartitionChangeRecord(**{**values, **changes})


def acl(number: int, topic: str, principal: str = "User:alice") -> m.AccessControlEntryRecord:
    return m.AccessControlEntryRecord(uuid(number), 2, topic, 3, principal, "*", 3, 3)


def voter_set(*nodes: int, changed: dict[int, bytes] | None = None) -> VoterSet:
    return VoterSet.of(
        Voter(
            ReplicaKey(node, (changed or {}).get(node, directories(node)[0])),
            (Endpoint("CONTROLLER", f"host-{node}", 9093),),
            0,
            1,
        )
        for node in nodes
    )


def leader_change(leader: int, *voters: int) -> LeaderChangeMessage:
    listed = [LeaderChangeMessageVoter(node) for node in voters]
    return LeaderChangeMessage(0, leader, listed, listed)


@dataclass
class Node:
    """One node's files.

    ``segments`` maps a base offset to batches, ``beside`` holds other files of the metadata directory by name;
    ``vanishing`` names what goes while it is read.
    """

    segments: dict[int, list[bytes]] = field(default_factory=dict)
    snapshots: dict[OffsetAndEpoch, bytes] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    raw_properties: str | None = None
    vanishing: str | None = None
    beside: dict[str, bytes] = field(default_factory=dict)

    @property
    def log(self) -> list[bytes]:
        """The batches of the only, or the last, segment."""
        return self.segments[max(self.segments)]


class World:
    """A cluster's files by node."""

    def __init__(self, number: int) -> None:
        self.now_ms = 1_700_000_000_000 + number * 10_000_000
        self.epoch = 1
        self.next_offset = 0
        self.nodes = {node: self._node(node) for node in CONTROLLERS}
        self.broker_epochs: dict[int, int] = {}
        self.voters = voter_set(*CONTROLLERS)

    @staticmethod
    def _node(node: int) -> Node:
        properties = {
            "version": "2",
            "cluster.id": CLUSTER_ID,
            "node.id": str(node),
            "directory.id": uuid_to_text(directories(node)[0]),
        }
        return Node({0: []}, {}, properties)

    def _batch(self, data: bytes, count: int) -> int:
        offset = self.next_offset
        for node in self.nodes.values():
            node.log.append(data)
        self.next_offset += count
        self.now_ms += 1000
        return offset

    def control(self, *records: Any, epoch: int | None = None) -> int:
        """Append a control batch to every log; return its base offset."""
        self.epoch = epoch or self.epoch
        place = {"base_offset": self.next_offset, "epoch": self.epoch, "timestamp_ms": self.now_ms}
        return self._batch(encode_control_batch(records, **place), len(records))

    def values(self, *values: bytes) -> int:
        """Append framed values to every log; return the first one's offset."""
        place = {"base_offset": self.next_offset, "epoch": self.epoch, "timestamp_ms": self.now_ms}
        return self._batch(encode_batch(values, **place), len(values))

    def append(self, *records: Any, level: int = LEVEL) -> int:
        """Append a data batch to every log; return the first record's offset."""
        return self.values(*(m.encode_for_level(record, level) for record in records))

    def snapshot(self) -> OffsetAndEpoch:
        """Take a snapshot here on every node, with the service's own image."""
        loader = MetadataLoader()
        loader.load_batches(split_batches(b"".join(self.nodes[1].log)))
        snapshot_id = OffsetAndEpoch(epoch=self.epoch, offset=self.next_offset)
        encoder = SnapshotEncoder(
            epoch=self.epoch,
            timestamp_ms=self.now_ms,
            last_contained_log_timestamp_ms=self.now_ms - 1000,
            kraft_version=1,
            voters=self.voters,
        )
        data = b"".join(encoder.encode(snapshot_groups(loader.image)))
        for node in self.nodes.values():
            node.snapshots[snapshot_id] = data
        return snapshot_id

    def write(self, directory: Path) -> list[Path]:
        """Write the files, ``cluster=...`` and ``node=...`` in their paths; return those that are to vanish."""
        vanishing = []
        for node_id, node in self.nodes.items():
            home = directory / f"node={node_id}"
            log = home / "__cluster_metadata-0"
            log.mkdir(parents=True)
            for base, batches in node.segments.items():
                (log / segment_file_name(base)).write_bytes(b"".join(batches))
            for snapshot_id, data in node.snapshots.items():
                (log / snapshot_file_name(snapshot_id)).write_bytes(data)
            for name, data in node.beside.items():
                (log / name).write_bytes(data)
            text = "".join(f"{key}={value}\n" for key, value in node.properties.items())
            (home / "meta.properties").write_text(text if node.raw_properties is None else node.raw_properties)
            vanishing += [log / node.vanishing] if node.vanishing else []
        return vanishing

    def batch_at(self, offset: int, node: int = 1) -> int:
        """Return the index of the batch that holds an offset."""
        for index, batch in enumerate(split_batches(b"".join(self.nodes[node].log))):
            if batch.base_offset <= offset <= batch.last_offset:
                return index
        raise AssertionError(offset)

    def copy(self) -> World:
        """Return a world that can be broken without breaking this one."""
        return copy.deepcopy(self)


def healthy(number: int = 0) -> World:
    """The world that no rule says anything about."""
    world = World(number)
    world.control(leader_change(1, *CONTROLLERS), KRaftVersionRecord(0, 1), voter_set_to_record(world.voters), epoch=1)
    world.append(
        m.BeginTransactionRecord("Bootstrap records"),
        m.FeatureLevelRecord("metadata.version", LEVEL),
        m.ClusterIdRecord(CLUSTER_ID),
        m.FeatureLevelRecord("group.version", 1),
        m.EndTransactionRecord(),
    )
    world.append(*(controller(node) for node in CONTROLLERS))
    for node in BROKERS:
        world.broker_epochs[node] = world.next_offset
        world.append(broker(node, world.next_offset), m.BrokerHostRecord(f"host-{node}", node))
        world.append(broker_change(node, world.broker_epochs[node], fenced=-1))
    world.append(
        m.TopicRecord("orders", ORDERS),
        partition(ORDERS, 0, (4, 5, 6)),
        partition(ORDERS, 1, (5, 6, 4)),
        partition(ORDERS, 2, (6, 4, 5)),
    )
    world.append(m.ConfigRecord(2, "orders", "min.insync.replicas", "2"))
    world.append(m.TopicRecord("logs", LOGS), partition(LOGS, 0, (4, 5)), partition(LOGS, 1, (5, 6)))
    world.append(
        m.TopicRecord("gone", GONE), partition(GONE, 0, (4, 5)), m.ConfigRecord(2, "gone", "retention.ms", "1")
    )
    world.append(change(ORDERS, 0, isr=[4, 6]))
    world.append(change(ORDERS, 0, isr=[4, 6, 5]))
    world.append(m.RemoveTopicRecord(GONE))
    world.append(
        m.ConfigRecord(4, "", "log.retention.hours", "24"),
        m.ConfigRecord(4, "4", "num.io.threads", "8"),
        m.ClientQuotaRecord(
            [m.ClientQuotaRecordEntityData("user", "alice")], "producer_byte_rate", 1024.0, remove=False
        ),
        m.ClientQuotaRecord([m.ClientQuotaRecordEntityData("user", None)], "producer_byte_rate", 2048.0, remove=False),
        m.UserScramCredentialRecord("alice", 1, b"salt", b"stored", b"server", 4096),
        acl(500, "orders"),
        acl(501, "logs"),
        m.DelegationTokenRecord("User:alice", "User:alice", [], 1, 2, 3, "token-1"),
        m.ProducerIdsRecord(4, world.broker_epochs[4], 1000),
        m.NoOpRecord(),
    )
    world.append(m.RemoveAccessControlEntryRecord(uuid(501)))
    world.append(m.BeginTransactionRecord(None), m.TopicRecord("half", uuid(104)), m.AbortTransactionRecord("no"))
    world.snapshot()
    world.control(leader_change(2, *CONTROLLERS), epoch=2)
    world.append(
        m.ConfigRecord(2, "orders", "retention.ms", "1000"), m.ProducerIdsRecord(5, world.broker_epochs[5], 2000)
    )
    world.append(change(LOGS, 0, isr=[4]), change(LOGS, 0, isr=[4, 5]))
    return world
