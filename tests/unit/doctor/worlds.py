"""A healthy cluster, as it is read, for tests that break one thing of it."""

from __future__ import annotations

from dataclasses import replace

from kraftpy.client.values import (
    BrokerInfo,
    ClusterInfo,
    ControllerInfo,
    FeatureDescription,
    Features,
    Freshness,
    PartitionInfo,
    QuorumInfo,
    ReplicaInfo,
    TopicInfo,
    Topics,
)
from kraftpy.doctor.facts import BootstrapAddress, DoctorFacts, Fact, OwnValue
from kraftpy.model.config_sources import ConfigSource
from kraftpy.model.registrations import Listener, SupportedFeature
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.quorum_tools.port_kinds import FoundPort, PortKind

NOW_MS = 1_729_857_600_000
NOW = Freshness(77, 4, 0)
SUPPORTED = (SupportedFeature("metadata.version", 7, 40), SupportedFeature("kraft.version", 0, 1))


def uuid(number: int) -> bytes:
    return (1_000 + number).to_bytes(16, "big")


def replica(node_id: int, *, silent_ms: int | None = 0, lag: int = 0, directory: int | None = None) -> ReplicaInfo:
    """A replica, by default one that is caught up; ``silent_ms`` of ``None`` has never fetched."""
    known = silent_ms is not None
    return ReplicaInfo(
        key=ReplicaKey(node_id, uuid(node_id if directory is None else directory)),
        log_end_offset=10_000 - lag if known else None,
        last_fetch_ms=NOW_MS - (silent_ms or 0) if known else None,
        last_caught_up_ms=NOW_MS if known else None,
        endpoints=(Endpoint("CONTROLLER", f"c{node_id}", 9093),) if node_id < 100 else (),
    )


def controller(node_id: int, **changes) -> ControllerInfo:
    listeners = (Listener("CONTROLLER", f"c{node_id}", 9093), Listener("GRPC", f"c{node_id}", 9193))
    made = ControllerInfo(controller_id=node_id, incarnation_id=uuid(node_id), listeners=listeners, features=SUPPORTED)
    return replace(made, **changes)


def broker(node_id: int, **changes) -> BrokerInfo:
    """A broker; 101 is on the host of controller 1, and so on."""
    made = BrokerInfo(
        broker_id=node_id,
        epoch=5,
        incarnation_id=uuid(node_id),
        listeners=(Listener("PLAINTEXT", f"c{node_id % 100}", 9092),),
        features=SUPPORTED,
        rack=f"r{node_id % 2}",
        fenced=False,
        in_controlled_shutdown=False,
        log_dirs=(uuid(node_id),),
    )
    return replace(made, **changes)


def partition(number: int = 0, **changes) -> PartitionInfo:
    made = PartitionInfo(
        partition=number,
        leader=101,
        leader_epoch=1,
        partition_epoch=1,
        replicas=(101, 102),
        isr=(101, 102),
        elr=(),
        last_known_elr=(),
        adding_replicas=(),
        removing_replicas=(),
        directories=(uuid(101), uuid(102)),
        recovering=False,
    )
    return replace(made, **changes)


def topics(*partitions: PartitionInfo) -> Fact[Topics]:
    topic = TopicInfo(
        name="orders",
        topic_id=uuid(1),
        partition_count=len(partitions),
        replication_factor=2,
        configs={},
        min_insync_replicas=2,
        partitions=partitions,
    )
    return Fact(Topics(NOW, (topic,), ()))


def quorum(*replicas: ReplicaInfo, observers: tuple[ReplicaInfo, ...] = (), **changes) -> Fact[QuorumInfo]:
    made = QuorumInfo(
        freshness=NOW, leader_id=1, leader_epoch=4, high_watermark=10_000, voters=replicas, observers=observers
    )
    return Fact(replace(made, **changes))


def members(*, brokers=None, controllers=None, cluster_id: str | None = "abc") -> Fact[ClusterInfo]:
    return Fact(
        ClusterInfo(
            freshness=NOW,
            cluster_id=cluster_id,
            controller_id=1,
            brokers=(broker(101), broker(102)) if brokers is None else tuple(brokers),
            controllers=tuple(map(controller, (1, 2, 3))) if controllers is None else tuple(controllers),
        )
    )


def features(**levels: int) -> Fact[Features]:
    known = {"metadata_version": 40, "kraft_version": 1} | levels
    return Fact(
        Features(NOW, tuple(FeatureDescription(name.replace("_", "."), level, 0, 42) for name, level in known.items()))
    )


VOTERS = (replica(1), replica(2), replica(3))
OBSERVERS = (replica(101), replica(102))
METRICS = {
    "kraft_apply_halted": 0.0,
    "kraft_apply_halted_offset": -1.0,
    "kraft_wall_clock_ahead_ms": 3.0,
    "kraft_node_time_ms": float(NOW_MS),
    "kraft_state_digest_mismatches_total": 0.0,
    "kraft_offline_log_directory_count": 0.0,
    'kraft_log_directory_total_bytes{log_directory="/d"}': 1_000.0,
    'kraft_log_directory_free_bytes{log_directory="/d"}': 500.0,
    "kraft_metadata_disk_alarm": 0.0,
    "kraft_ignored_static_voters": 0.0,
    'kraft_disk_probe_ms{quantile="0.5"}': 0.4,
    'kraft_disk_probe_ms{quantile="0.99"}': 2.5,
}
METRICS_READ_MS = dict.fromkeys(("c1:9293", "c2:9293", "c3:9293", "b1:9292"), (NOW_MS - 5, NOW_MS + 5))
DAY_S = 86_400
FILE = {
    "num.partitions": OwnValue("1", ConfigSource.DEFAULT_CONFIG),
    "log.retention.ms": OwnValue("5", ConfigSource.STATIC_BROKER_CONFIG),
    "max.connections": OwnValue("9", ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG),
    "controller.quorum.voters": OwnValue("1@c1:1,2@c2:1", ConfigSource.STATIC_BROKER_CONFIG),
}


def in_file(key: str, text: str) -> dict[str, OwnValue]:
    """What a controller describes whose file has another value of a key."""
    return FILE | {key: OwnValue(text, ConfigSource.STATIC_BROKER_CONFIG)}


def at(kind: PortKind, cluster_id: str | None = None, **changes) -> BootstrapAddress:
    """What is at a bootstrap address; by default a member's."""
    made = BootstrapAddress(FoundPort(kind), uses_tls=False, cluster_id=cluster_id, is_registered=True)
    return replace(made, **changes)


def healthy(**changes) -> DoctorFacts:
    """A cluster without any finding."""
    made = DoctorFacts(
        now_ms=NOW_MS,
        cluster=members(),
        quorum=quorum(*VOTERS, observers=OBSERVERS),
        quorum_read_ms=(NOW_MS - 5, NOW_MS + 5),
        features=features(),
        topics=topics(partition()),
        controllers=Fact({1: features(), 2: features(), 3: features()}),
        own_configs=Fact({1: Fact(FILE), 2: Fact(FILE), 3: Fact(FILE)}),
        certificates=Fact({"c1:9093": Fact(NOW_MS // 1_000 + 31 * DAY_S)}),
        metrics=Fact({"c1:9293": Fact(METRICS), "c2:9293": Fact(METRICS)}),
        metrics_read_ms=METRICS_READ_MS,
        bootstrap=Fact({"c1:9193": at(PortKind.GRPC, "abc"), "c2:9093": at(PortKind.CONTROLLER)}),
    )
    return replace(made, **changes)
