"""Values of the state as records of a snapshot, and their order.

Each kind of entity has a section; within it, records are ordered by a key of bytes that sorts as the names do. The
order is Kafka's: metadata.version, the cluster id, other features, brokers, controllers, hosts, topics each with its
partitions, configs, quotas, producer ids, ACLs, credentials, tokens.

Source: ``on-disk formats`` §7; Kafka ``MetadataImage.write``; KIP-1262.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from struct import Struct
from typing import Any, Final, NamedTuple

from kraftpy.audit.replay.slice import EntityKey, Slice
from kraftpy.audit.replay.topics import MIGRATING
from kraftpy.model.features import DIRECTORIES_LEVEL, ELR_LEVEL, METADATA_VERSION
from kraftpy.model.ids import NO_NODE, uuid_from_text
from kraftpy.records.metadata import (
    AccessControlEntryRecord,
    BrokerHostRecord,
    ClientQuotaRecord,
    ClientQuotaRecordEntityData,
    ClusterIdRecord,
    ConfigRecord,
    DelegationTokenRecord,
    FeatureLevelRecord,
    PartitionRecord,
    ProducerIdsRecord,
    Record,
    RegisterBrokerRecord,
    RegisterBrokerRecordBrokerEndpoint,
    RegisterBrokerRecordBrokerFeature,
    RegisterControllerRecord,
    RegisterControllerRecordControllerEndpoint,
    RegisterControllerRecordControllerFeature,
    TopicRecord,
    UserScramCredentialRecord,
    ZkMigrationStateRecord,
    encode_for_level,
)

NO_EPOCH: Final = -1
_UNSIGNED: Final = Struct(">I").pack
_HALVES: Final = Struct(">qq").unpack
"""Kafka sorts directory ids as two signed numbers."""


class SnapshotEntry(NamedTuple):
    """One record of the snapshot: its section, its key within it, and its framed value."""

    section: int
    key: bytes
    value: bytes


SECTIONS: Final = (
    "metadata.version", "cluster-id", "feature", "zk-migration", "broker", "controller", "broker-host", "topic",
    "config", "quota", "producer-ids", "acl", "scram", "token",
)  # fmt: skip
_SECTION: Final = {name: number for number, name in enumerate(SECTIONS)}


def entries_of(state: Slice, level: int) -> Iterator[SnapshotEntry]:
    """Yield the records of a slice at a metadata.version level.

    Raises:
        LocalError: when the level has no record for it.
    """
    for section, key, record in _records_of(state, level):
        yield SnapshotEntry(_SECTION[section], key, encode_for_level(record, level))


def _records_of(state: Slice, level: int) -> Iterator[tuple[str, bytes, Record]]:
    topic: tuple[str, bytes] | None = None
    for (kind, name), held in state.entities():
        if kind == "topic":
            topic = name, uuid_from_text(held.value["id"])
            yield "topic", _text(name), TopicRecord(name=name, topic_id=topic[1])
        elif kind == "partition":
            assert topic is not None, name
            number = int(name.removeprefix(f"{topic[0]}-"))
            yield "topic", _text(topic[0]) + b"\0" + _id(number), _partition(topic[1], number, held.value, level)
        elif kind == "feature" and name == "kraft.version":
            continue  # in a control record
        elif kind in _MAKERS:
            yield _MAKERS[kind](state, (kind, name), held.value)


def _id(number: int) -> bytes:
    """Return a key that sorts as the number does; a log that is read may hold negative ones."""
    return _UNSIGNED(number + 2**31)


def _text(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")


def _partition(topic_id: bytes, number: int, value: Any, level: int) -> PartitionRecord:
    has_directories = level >= DIRECTORIES_LEVEL or set(value.directories) - {MIGRATING}
    has_elr = level >= ELR_LEVEL
    return PartitionRecord(
        partition_id=number,
        topic_id=topic_id,
        replicas=list(value.replicas),
        isr=list(value.isr),
        removing_replicas=list(value.removing),
        adding_replicas=list(value.adding),
        leader=value.leader,
        leader_recovery_state=value.leader_recovery_state,
        leader_epoch=value.leader_epoch,
        partition_epoch=value.partition_epoch,
        directories=[uuid_from_text(each) for each in value.directories] if has_directories else [],
        eligible_leader_replicas=list(value.elr) or None if has_elr else None,
        last_known_elr=list(value.last_known_elr) or None if has_elr else None,
    )


_Made = tuple[str, bytes, Record]


def _feature(_: Slice, key: EntityKey, value: Any) -> _Made:
    section = "metadata.version" if key[1] == METADATA_VERSION else "feature"
    return section, _text(key[1]), FeatureLevelRecord(name=key[1], feature_level=value["level"])


def _cluster_id(_: Slice, key: EntityKey, value: Any) -> _Made:
    return "cluster-id", _text(key[1]), ClusterIdRecord(cluster_id=value["cluster_id"])


def _zk(_: Slice, key: EntityKey, value: Any) -> _Made:
    return "zk-migration", _text(key[1]), ZkMigrationStateRecord(zk_migration_state=value["state"])


def _broker(_: Slice, key: EntityKey, value: Any) -> _Made:
    record = RegisterBrokerRecord(
        broker_id=int(key[1]),
        is_migrating_zk_broker=value.is_migrating_zk_broker,
        incarnation_id=uuid_from_text(value.incarnation_id),
        broker_epoch=value.broker_epoch,
        end_points=[RegisterBrokerRecordBrokerEndpoint(*each) for each in value.endpoints],
        features=[RegisterBrokerRecordBrokerFeature(*each) for each in value.features],
        rack=value.rack,
        fenced=value.fenced,
        in_controlled_shutdown=value.in_controlled_shutdown,
        log_dirs=sorted(map(uuid_from_text, value.log_dirs), key=_HALVES),
        cordoned_log_dirs=None
        if value.cordoned_log_dirs is None
        else [uuid_from_text(each) for each in value.cordoned_log_dirs],
        saturated_log_dirs=[uuid_from_text(each) for each in value.saturated_log_dirs],
    )
    return "broker", _id(record.broker_id), record


def _controller(_: Slice, key: EntityKey, value: Any) -> _Made:
    record = RegisterControllerRecord(
        controller_id=int(key[1]),
        incarnation_id=uuid_from_text(value.incarnation_id),
        zk_migration_ready=value.zk_migration_ready,
        end_points=[RegisterControllerRecordControllerEndpoint(*each) for each in value.endpoints],
        features=[RegisterControllerRecordControllerFeature(*each) for each in value.features],
    )
    return "controller", _id(record.controller_id), record


def _host(_: Slice, key: EntityKey, value: Any) -> _Made:
    return "broker-host", _text(key[1]), BrokerHostRecord(host=key[1], broker_id=value["broker_id"])


def _config(state: Slice, key: EntityKey, value: Any) -> _Made:
    resource_type, resource, name = state.config_of(key)  # type: ignore[attr-defined] # the key's kind says it
    order = bytes([resource_type & 0xFF]) + _text(resource) + b"\0" + _text(name)
    return "config", order, ConfigRecord(resource_type, resource, name, value)


def _quota(state: Slice, key: EntityKey, value: Any) -> _Made:
    entity: list[tuple[str, str | None]] = sorted(state.entity.items())  # type: ignore[attr-defined] # the key's kind says it
    limit = key[1].rpartition(":")[2]
    parts = [_text(kind) + (b"\0\0" if name is None else b"\0\1" + _text(name)) + b"\0" for kind, name in entity]
    pairs = [ClientQuotaRecordEntityData(kind, name) for kind, name in entity]
    # NaN and infinity are held as text, so that they equal themselves.
    record = ClientQuotaRecord(entity=pairs, key=limit, value=float(value), remove=False)
    return "quota", b"".join(parts) + b"\0" + _text(limit), record


def _producer_ids(_: Slice, key: EntityKey, value: Any) -> _Made:
    record = ProducerIdsRecord(
        broker_id=NO_NODE, broker_epoch=NO_EPOCH, next_producer_id=value["next_producer_id"]
    )  # fmt: skip
    return "producer-ids", _text(key[1]), record


def _acl(state: Slice, key: EntityKey, _: Any) -> _Made:
    record: AccessControlEntryRecord = state.record  # type: ignore[attr-defined] # the key's kind says it
    return "acl", uuid_from_text(key[1]), record


def _scram(state: Slice, key: EntityKey, value: Any) -> _Made:
    name, mechanism = state.credential_of(key)  # type: ignore[attr-defined] # the key's kind says it
    iterations, (salt, stored_key, server_key) = value
    record = UserScramCredentialRecord(name, mechanism, salt, stored_key, server_key, iterations)
    return "scram", bytes([mechanism & 0xFF]) + _text(name), record


def _token(_: Slice, key: EntityKey, value: Any) -> _Made:
    record = DelegationTokenRecord(
        owner=value["owner"],
        requester=value["requester"],
        renewers=list(value["renewers"]),
        issue_timestamp=value["issue_ms"],
        max_timestamp=value["max_ms"],
        expiration_timestamp=value["expiration_ms"],
        token_id=key[1],
    )
    return "token", _text(key[1]), record


_MAKERS: Final[dict[str, Callable[[Any, EntityKey, Any], _Made]]] = {
    "feature": _feature, "cluster-id": _cluster_id, "zk-migration": _zk, "broker": _broker, "controller": _controller,
    "broker-host": _host, "config": _config, "quota": _quota, "producer-ids": _producer_ids, "acl": _acl,
    "scram": _scram, "token": _token,
}  # fmt: skip
