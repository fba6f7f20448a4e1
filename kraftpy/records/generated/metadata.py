"""Generated from ``proto/kafka/metadata`` by ``python -m proto.generate``; do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from struct import Struct
from typing import ClassVar, Final

from kraftpy.model.ids import ZERO_UUID
from kraftpy.records.codec import (
    DECODE_ERRORS,
    ENCODE_ERRORS,
    NO_TAGS,
    PACK_INT32S,
    SHAPES,
    SHORT,
    UNPACK_INT32S,
    UNPACK_UUIDS,
    UVARINT,
    Codec,
    FieldError,
    Message,
    MessageStruct,
    Record,
    Tags,
    check_count,
    int32s,
    length_prefix,
    new,
    read_int32s,
    read_string_length,
    read_tag,
    read_tags,
    read_uuids,
    read_uvarint,
    string_prefix,
    strings,
    tag_section,
    uuids,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

_PACK_Hh: Final = Struct(">Hh").pack
_PACK_b: Final = Struct(">b").pack
_PACK_bb: Final = Struct(">bb").pack
_PACK_dt: Final = Struct(">d?").pack
_PACK_h: Final = Struct(">h").pack
_PACK_hh: Final = Struct(">hh").pack
_PACK_i: Final = Struct(">i").pack
_PACK_iii: Final = Struct(">iii").pack
_PACK_iq: Final = Struct(">iq").pack
_PACK_iqq: Final = Struct(">iqq").pack
_PACK_ituq: Final = Struct(">i?16sq").pack
_PACK_iu: Final = Struct(">i16s").pack
_PACK_iuq: Final = Struct(">i16sq").pack
_PACK_iut: Final = Struct(">i16s?").pack
_PACK_qqq: Final = Struct(">qqq").pack
_PACK_t: Final = Struct(">?").pack
_PACK_tt: Final = Struct(">??").pack
_PACK_u: Final = Struct(">16s").pack
_PACK_ub: Final = Struct(">16sb").pack
_UNPACK_HhB: Final = Struct(">HhB").unpack_from
_UNPACK_b: Final = Struct(">b").unpack_from
_UNPACK_bB: Final = Struct(">bB").unpack_from
_UNPACK_bbB: Final = Struct(">bbB").unpack_from
_UNPACK_dtB: Final = Struct(">d?B").unpack_from
_UNPACK_hB: Final = Struct(">hB").unpack_from
_UNPACK_hhB: Final = Struct(">hhB").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_iiiB: Final = Struct(">iiiB").unpack_from
_UNPACK_iqB: Final = Struct(">iqB").unpack_from
_UNPACK_iqqB: Final = Struct(">iqqB").unpack_from
_UNPACK_ituqB: Final = Struct(">i?16sqB").unpack_from
_UNPACK_iuB: Final = Struct(">i16sB").unpack_from
_UNPACK_iuqB: Final = Struct(">i16sqB").unpack_from
_UNPACK_iutB: Final = Struct(">i16s?B").unpack_from
_UNPACK_qqqB: Final = Struct(">qqqB").unpack_from
_UNPACK_tB: Final = Struct(">?B").unpack_from
_UNPACK_ttB: Final = Struct(">??B").unpack_from
_UNPACK_uB: Final = Struct(">16sB").unpack_from
_UNPACK_ubB: Final = Struct(">16sbB").unpack_from


@dataclass(slots=True)
class RegisterBrokerRecordBrokerEndpoint(MessageStruct):
    """A BrokerEndpoint inside RegisterBrokerRecord.

    Attributes:
        name: The name of the listener.
        host: The host name or address.
        port: The TCP port.
        security_protocol: How the listener is protected: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL.
    """

    name: str = ""
    host: str = ""
    port: int = 0
    security_protocol: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RegisterBrokerRecordBrokerFeature(MessageStruct):
    """A BrokerFeature inside RegisterBrokerRecord.

    Attributes:
        name: The name of the feature.
        min_supported_version: The lowest level of the feature that the node supports.
        max_supported_version: The highest level of the feature that the node supports.
    """

    name: str = ""
    min_supported_version: int = 0
    max_supported_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RegisterBrokerRecord(Record):
    """Kafka's RegisterBrokerRecord, versions 0 to 4.

    A broker joined the cluster, or joined again with a new epoch. Replaces the earlier registration of its id.

    Attributes:
        broker_id: The node id of the broker.
        is_migrating_zk_broker: Whether the broker runs on ZooKeeper and is being migrated. Read, never set.
        incarnation_id: A random id that the process chose when it started.
        broker_epoch: The epoch of the broker's registration: the offset of its record.
        end_points: The listeners on which the node can be reached.
        features: The range of levels that the node supports, per feature.
        rack: The rack of the broker; null when it has none.
        fenced: Whether the broker is fenced, so that it leads nothing.
        in_controlled_shutdown: Whether the broker asked to be shut down.
        log_dirs: The ids of the log directories that are online.
        cordoned_log_dirs: The ids of the log directories that take no new replicas; null when that is not known.
        saturated_log_dirs: The ids of the log directories that are full (KIP-928). Ours.
    """

    NAME: ClassVar[str] = "RegisterBrokerRecord"
    API_KEY: ClassVar[int] = 0
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    broker_id: int = 0
    is_migrating_zk_broker: bool = False
    incarnation_id: bytes = ZERO_UUID
    broker_epoch: int = 0
    end_points: list[RegisterBrokerRecordBrokerEndpoint] = field(default_factory=list)
    features: list[RegisterBrokerRecordBrokerFeature] = field(default_factory=list)
    rack: str | None = ""
    fenced: bool = True
    in_controlled_shutdown: bool = False
    log_dirs: list[bytes] = field(default_factory=list)
    cordoned_log_dirs: list[bytes] | None = None
    saturated_log_dirs: list[bytes] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UnregisterBrokerRecord(Record):
    """Kafka's UnregisterBrokerRecord, versions 0 to 0.

    A broker left the cluster for good.

    Attributes:
        broker_id: The node id of the broker.
        broker_epoch: The epoch of the broker's registration: the offset of its record.
    """

    NAME: ClassVar[str] = "UnregisterBrokerRecord"
    API_KEY: ClassVar[int] = 1
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    broker_id: int = 0
    broker_epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class TopicRecord(Record):
    """Kafka's TopicRecord, versions 0 to 0.

    A topic was created. Its partitions follow in records of their own.

    Attributes:
        name: The name of the topic.
        topic_id: The id of the topic.
    """

    NAME: ClassVar[str] = "TopicRecord"
    API_KEY: ClassVar[int] = 2
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    name: str = ""
    topic_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class PartitionRecord(Record):
    """Kafka's PartitionRecord, versions 0 to 2.

    A partition was created, with its whole state.

    Attributes:
        partition_id: The number of the partition in its topic.
        topic_id: The id of the topic.
        replicas: The broker ids of all replicas, the preferred leader first.
        isr: The broker ids of the in-sync replicas.
        removing_replicas: The replicas that a reassignment removes.
        adding_replicas: The replicas that a reassignment adds.
        leader: The broker id of the leader; -1 when there is none.
        leader_recovery_state: 0 when the leader was in sync, 1 while it recovers from an unclean election.
        leader_epoch: Grows by one with each change of the leader.
        partition_epoch: Grows by one with each change of the partition.
        directories: The log directory of each replica, in the order of the replicas.
        eligible_leader_replicas: Replicas outside the in-sync set that have all committed records (KIP-966); null when
            there are none.
        last_known_elr: Eligible leader replicas that were lost by an unclean shutdown; null when there are none.
    """

    NAME: ClassVar[str] = "PartitionRecord"
    API_KEY: ClassVar[int] = 3
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    partition_id: int = -1
    topic_id: bytes = ZERO_UUID
    replicas: list[int] = field(default_factory=list)
    isr: list[int] = field(default_factory=list)
    removing_replicas: list[int] = field(default_factory=list)
    adding_replicas: list[int] = field(default_factory=list)
    leader: int = -1
    leader_recovery_state: int = 0
    leader_epoch: int = -1
    partition_epoch: int = -1
    directories: list[bytes] = field(default_factory=list)
    eligible_leader_replicas: list[int] | None = None
    last_known_elr: list[int] | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ConfigRecord(Record):
    """Kafka's ConfigRecord, versions 0 to 0.

    One config key of one resource was set or deleted.

    Attributes:
        resource_type: The kind of resource: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
        resource_name: The name of the resource; empty for the default of all brokers.
        name: The config key.
        value: The value; null deletes the key.
    """

    NAME: ClassVar[str] = "ConfigRecord"
    API_KEY: ClassVar[int] = 4
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    resource_type: int = 0
    resource_name: str = ""
    name: str = ""
    value: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class PartitionChangeRecord(Record):
    """Kafka's PartitionChangeRecord, versions 0 to 2.

    Some of a partition's state changed. A field that is left out keeps its value.

    Attributes:
        partition_id: The number of the partition in its topic.
        topic_id: The id of the topic.
        isr: The in-sync replicas; null for no change.
        leader: The new leader's broker id; -1 for none, -2 for no change.
        replicas: All replicas; null for no change.
        removing_replicas: The replicas that a reassignment removes; null for no change.
        adding_replicas: The replicas that a reassignment adds; null for no change.
        leader_recovery_state: 0 when the leader was in sync, 1 while it recovers from an unclean election, -1 for no
            change.
        directories: The log directory of each replica; null for no change.
        eligible_leader_replicas: The eligible leader replicas (KIP-966); null for no change.
        last_known_elr: Eligible leader replicas that were lost by an unclean shutdown; null for no change.
    """

    NAME: ClassVar[str] = "PartitionChangeRecord"
    API_KEY: ClassVar[int] = 5
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    partition_id: int = -1
    topic_id: bytes = ZERO_UUID
    isr: list[int] | None = None
    leader: int = -2
    replicas: list[int] | None = None
    removing_replicas: list[int] | None = None
    adding_replicas: list[int] | None = None
    leader_recovery_state: int = -1
    directories: list[bytes] | None = None
    eligible_leader_replicas: list[int] | None = None
    last_known_elr: list[int] | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FenceBrokerRecord(Record):
    """Kafka's FenceBrokerRecord, versions 0 to 0.

    A broker was fenced. Written before metadata.version 6 only.

    Attributes:
        id: The node id of the broker.
        epoch: The epoch of the broker's registration.
    """

    NAME: ClassVar[str] = "FenceBrokerRecord"
    API_KEY: ClassVar[int] = 7
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    id: int = 0
    epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UnfenceBrokerRecord(Record):
    """Kafka's UnfenceBrokerRecord, versions 0 to 0.

    A broker was unfenced. Written before metadata.version 6 only.

    Attributes:
        id: The node id of the broker.
        epoch: The epoch of the broker's registration.
    """

    NAME: ClassVar[str] = "UnfenceBrokerRecord"
    API_KEY: ClassVar[int] = 8
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    id: int = 0
    epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RemoveTopicRecord(Record):
    """Kafka's RemoveTopicRecord, versions 0 to 0.

    A topic was deleted, with its partitions and its configs.

    Attributes:
        topic_id: The id of the topic.
    """

    NAME: ClassVar[str] = "RemoveTopicRecord"
    API_KEY: ClassVar[int] = 9
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    topic_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DelegationTokenRecord(Record):
    """Kafka's DelegationTokenRecord, versions 0 to 0.

    A delegation token was issued or renewed. Its HMAC is not in the record.

    Attributes:
        owner: The principal that owns the token.
        requester: The principal that asked for the token.
        renewers: The principals that may renew the token.
        issue_timestamp: When the token was issued, in ms since 1970.
        max_timestamp: Until when the token can be renewed, in ms since 1970.
        expiration_timestamp: When the token expires unless it is renewed, in ms since 1970.
        token_id: The id of the token.
    """

    NAME: ClassVar[str] = "DelegationTokenRecord"
    API_KEY: ClassVar[int] = 10
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    owner: str = ""
    requester: str = ""
    renewers: list[str] = field(default_factory=list)
    issue_timestamp: int = 0
    max_timestamp: int = 0
    expiration_timestamp: int = 0
    token_id: str = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UserScramCredentialRecord(Record):
    """Kafka's UserScramCredentialRecord, versions 0 to 0.

    The SCRAM credential of a user was set.

    Attributes:
        name: The name of the user.
        mechanism: The SCRAM mechanism: 1 SCRAM-SHA-256, 2 SCRAM-SHA-512.
        salt: The salt of the credential.
        stored_key: The hash of the client key (RFC 5802).
        server_key: The server key (RFC 5802).
        iterations: How many times the password was hashed.
    """

    NAME: ClassVar[str] = "UserScramCredentialRecord"
    API_KEY: ClassVar[int] = 11
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    name: str = ""
    mechanism: int = 0
    salt: bytes = b""
    stored_key: bytes = b""
    server_key: bytes = b""
    iterations: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FeatureLevelRecord(Record):
    """Kafka's FeatureLevelRecord, versions 0 to 0.

    A feature was finalized at a level. Level 0 removes the feature.

    Attributes:
        name: The name of the feature.
        feature_level: The finalized level.
    """

    NAME: ClassVar[str] = "FeatureLevelRecord"
    API_KEY: ClassVar[int] = 12
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    name: str = ""
    feature_level: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ClientQuotaRecordEntityData(MessageStruct):
    """A EntityData inside ClientQuotaRecord.

    Attributes:
        entity_type: The kind of entity: user, client-id or ip.
        entity_name: The name of the entity; null for the default of its kind.
    """

    entity_type: str = ""
    entity_name: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ClientQuotaRecord(Record):
    """Kafka's ClientQuotaRecord, versions 0 to 0.

    One quota of one client entity was set or removed.

    Attributes:
        entity: The entity, from one or two parts.
        key: The quota, such as producer_byte_rate.
        value: The limit.
        remove: Whether the quota is removed.
    """

    NAME: ClassVar[str] = "ClientQuotaRecord"
    API_KEY: ClassVar[int] = 14
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    entity: list[ClientQuotaRecordEntityData] = field(default_factory=list)
    key: str = ""
    value: float = 0.0
    remove: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ProducerIdsRecord(Record):
    """Kafka's ProducerIdsRecord, versions 0 to 0.

    A broker received a block of producer ids.

    Attributes:
        broker_id: The broker that received the block.
        broker_epoch: The epoch of the broker's registration: the offset of its record.
        next_producer_id: The first producer id after the block.
    """

    NAME: ClassVar[str] = "ProducerIdsRecord"
    API_KEY: ClassVar[int] = 15
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    broker_id: int = 0
    broker_epoch: int = -1
    next_producer_id: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BrokerRegistrationChangeRecord(Record):
    """Kafka's BrokerRegistrationChangeRecord, versions 0 to 3.

    Some of a broker's registration changed. A field that is left out keeps its value.

    Attributes:
        broker_id: The node id of the broker.
        broker_epoch: The epoch of the broker's registration: the offset of its record.
        fenced: 1 fences the broker, -1 unfences it, 0 changes nothing.
        in_controlled_shutdown: 1 when the broker is to shut down, 0 for no change.
        log_dirs: The log directories that are online now; empty for no change.
        cordoned_log_dirs: The log directories that take no new replicas; null for no change.
        saturated_log_dirs: The log directories that are full (KIP-928); null for no change. Ours.
    """

    NAME: ClassVar[str] = "BrokerRegistrationChangeRecord"
    API_KEY: ClassVar[int] = 17
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 3
    broker_id: int = 0
    broker_epoch: int = 0
    fenced: int = 0
    in_controlled_shutdown: int = 0
    log_dirs: list[bytes] = field(default_factory=list)
    cordoned_log_dirs: list[bytes] | None = None
    saturated_log_dirs: list[bytes] | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AccessControlEntryRecord(Record):
    """Kafka's AccessControlEntryRecord, versions 0 to 0.

    An ACL was created.

    Attributes:
        id: The id of the ACL.
        resource_type: The kind of resource: 2 topic, 3 group, 4 cluster, 5 transactional id, 6 delegation token, 7
            user.
        resource_name: The name of the resource, or * for all of its kind.
        pattern_type: How the resource name matches: 3 literally, 4 as a prefix.
        principal: To whom the ACL applies, such as User:alice.
        host: The host from which the principal connects, or * for any.
        operation: The operation, as Kafka numbers them.
        permission_type: 2 denies, 3 allows.
    """

    NAME: ClassVar[str] = "AccessControlEntryRecord"
    API_KEY: ClassVar[int] = 18
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    id: bytes = ZERO_UUID
    resource_type: int = 0
    resource_name: str = ""
    pattern_type: int = 0
    principal: str = ""
    host: str = ""
    operation: int = 0
    permission_type: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RemoveAccessControlEntryRecord(Record):
    """Kafka's RemoveAccessControlEntryRecord, versions 0 to 0.

    An ACL was deleted.

    Attributes:
        id: The id of the ACL.
    """

    NAME: ClassVar[str] = "RemoveAccessControlEntryRecord"
    API_KEY: ClassVar[int] = 19
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class NoOpRecord(Record):
    """Kafka's NoOpRecord, versions 0 to 0.

    Nothing changed. The active controller writes it so that the committed offset keeps advancing.
    """

    NAME: ClassVar[str] = "NoOpRecord"
    API_KEY: ClassVar[int] = 20
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ZkMigrationStateRecord(Record):
    """Kafka's ZkMigrationStateRecord, versions 0 to 0.

    The state of a migration from ZooKeeper. kraftpy reads it and migrates nothing.

    Attributes:
        zk_migration_state: 0 none, 1 migration, 2 pre-migration, 3 post-migration.
    """

    NAME: ClassVar[str] = "ZkMigrationStateRecord"
    API_KEY: ClassVar[int] = 21
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    zk_migration_state: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RemoveUserScramCredentialRecord(Record):
    """Kafka's RemoveUserScramCredentialRecord, versions 0 to 0.

    The SCRAM credential of a user was deleted.

    Attributes:
        name: The name of the user.
        mechanism: The SCRAM mechanism: 1 SCRAM-SHA-256, 2 SCRAM-SHA-512.
    """

    NAME: ClassVar[str] = "RemoveUserScramCredentialRecord"
    API_KEY: ClassVar[int] = 22
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    name: str = ""
    mechanism: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginTransactionRecord(Record):
    """Kafka's BeginTransactionRecord, versions 0 to 0.

    The records that follow count together, when the transaction ends, or not at all (KIP-868).

    Attributes:
        name: A name for the transaction, for logs.
    """

    NAME: ClassVar[str] = "BeginTransactionRecord"
    API_KEY: ClassVar[int] = 23
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    name: str | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndTransactionRecord(Record):
    """Kafka's EndTransactionRecord, versions 0 to 0.

    The open transaction ends and its records count.
    """

    NAME: ClassVar[str] = "EndTransactionRecord"
    API_KEY: ClassVar[int] = 24
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AbortTransactionRecord(Record):
    """Kafka's AbortTransactionRecord, versions 0 to 0.

    The open transaction ends and its records are dropped.

    Attributes:
        reason: Why the transaction was aborted.
    """

    NAME: ClassVar[str] = "AbortTransactionRecord"
    API_KEY: ClassVar[int] = 25
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    reason: str | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RemoveDelegationTokenRecord(Record):
    """Kafka's RemoveDelegationTokenRecord, versions 0 to 0.

    A delegation token was deleted.

    Attributes:
        token_id: The id of the token.
    """

    NAME: ClassVar[str] = "RemoveDelegationTokenRecord"
    API_KEY: ClassVar[int] = 26
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    token_id: str = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RegisterControllerRecordControllerEndpoint(MessageStruct):
    """A ControllerEndpoint inside RegisterControllerRecord.

    Attributes:
        name: The name of the listener.
        host: The host name or address.
        port: The TCP port.
        security_protocol: How the listener is protected: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL.
    """

    name: str = ""
    host: str = ""
    port: int = 0
    security_protocol: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RegisterControllerRecordControllerFeature(MessageStruct):
    """A ControllerFeature inside RegisterControllerRecord.

    Attributes:
        name: The name of the feature.
        min_supported_version: The lowest level of the feature that the node supports.
        max_supported_version: The highest level of the feature that the node supports.
    """

    name: str = ""
    min_supported_version: int = 0
    max_supported_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RegisterControllerRecord(Record):
    """Kafka's RegisterControllerRecord, versions 0 to 0.

    A controller registered its endpoints and the features that it supports.

    Attributes:
        controller_id: The node id of the controller.
        incarnation_id: A random id that the process chose when it started.
        zk_migration_ready: Whether the controller could take part in a migration from ZooKeeper. Read, never set.
        end_points: The listeners on which the node can be reached.
        features: The range of levels that the node supports, per feature.
    """

    NAME: ClassVar[str] = "RegisterControllerRecord"
    API_KEY: ClassVar[int] = 27
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    controller_id: int = 0
    incarnation_id: bytes = ZERO_UUID
    zk_migration_ready: bool = False
    end_points: list[RegisterControllerRecordControllerEndpoint] = field(default_factory=list)
    features: list[RegisterControllerRecordControllerFeature] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ClearElrRecord(Record):
    """Kafka's ClearElrRecord, versions 0 to 0.

    The eligible leader replicas of a topic, or of all topics, are forgotten.

    Attributes:
        topic_name: The name of the topic; empty for all topics.
    """

    NAME: ClassVar[str] = "ClearElrRecord"
    API_KEY: ClassVar[int] = 28
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    topic_name: str = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UnregisterControllerRecord(Record):
    """Kafka's UnregisterControllerRecord, versions 0 to 0.

    A controller left the cluster for good.

    Attributes:
        controller_id: The node id of the controller.
    """

    NAME: ClassVar[str] = "UnregisterControllerRecord"
    API_KEY: ClassVar[int] = 29
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    controller_id: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ClusterIdRecord(Record):
    """Kafka's ClusterIdRecord, versions 0 to 0.

    The id of the cluster (KIP-1262). Written once, in the batch that brings the metadata.version.

    Attributes:
        cluster_id: The id: 22 characters of base64url.
    """

    NAME: ClassVar[str] = "ClusterIdRecord"
    API_KEY: ClassVar[int] = 29
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    cluster_id: str = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BrokerHostRecord(Record):
    """Kafka's BrokerHostRecord, versions 0 to 0.

    The broker id that was assigned to a host (KIP-426). Ours.

    Attributes:
        host: The host name.
        broker_id: The broker id of the host; -1 removes it.
    """

    NAME: ClassVar[str] = "BrokerHostRecord"
    API_KEY: ClassVar[int] = 1000
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    host: str = ""
    broker_id: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RemoveControllerRegistrationRecord(Record):
    """Kafka's RemoveControllerRegistrationRecord, versions 0 to 0.

    A controller left the cluster for good; where key 29 is the cluster id (KIP-1262), in place of
    UnregisterControllerRecord. Ours.

    Attributes:
        controller_id: The node id of the controller.
    """

    NAME: ClassVar[str] = "RemoveControllerRegistrationRecord"
    API_KEY: ClassVar[int] = 1001
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    controller_id: int = 0
    unknown_tags: Tags = ()


def _decode_register_broker_record_broker_endpoint_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[RegisterBrokerRecordBrokerEndpoint], int]:
    made: list[RegisterBrokerRecordBrokerEndpoint] = []
    try:
        for _ in range(count):
            m: RegisterBrokerRecordBrokerEndpoint = new(RegisterBrokerRecordBrokerEndpoint)
            n = data[at]
            at += 1
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.name = data[at:stop].decode()
            at = stop
            n = data[at]
            at += 1
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.host = data[at:stop].decode()
            at = stop
            m.port, m.security_protocol, n = _UNPACK_HhB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_register_broker_record_broker_feature_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[RegisterBrokerRecordBrokerFeature], int]:
    made: list[RegisterBrokerRecordBrokerFeature] = []
    try:
        for _ in range(count):
            m: RegisterBrokerRecordBrokerFeature = new(RegisterBrokerRecordBrokerFeature)
            n = data[at]
            at += 1
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.name = data[at:stop].decode()
            at = stop
            m.min_supported_version, m.max_supported_version, n = _UNPACK_hhB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_register_broker_record_v0(data: bytes, at: int = 0) -> RegisterBrokerRecord:
    m: RegisterBrokerRecord = new(RegisterBrokerRecord)
    end = len(data)
    try:
        m.is_migrating_zk_broker = False
        m.in_controlled_shutdown = False
        m.log_dirs = []
        m.cordoned_log_dirs = None
        m.saturated_log_dirs = []
        m.broker_id, m.incarnation_id, m.broker_epoch, n = _UNPACK_iuqB(data, at)
        at += 29
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.end_points, at = _decode_register_broker_record_broker_endpoint_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.features, at = _decode_register_broker_record_broker_feature_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        m.fenced, n = _UNPACK_tB(data, at)
        at += 2
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_register_broker_record_v1(data: bytes, at: int = 0) -> RegisterBrokerRecord:
    m: RegisterBrokerRecord = new(RegisterBrokerRecord)
    end = len(data)
    try:
        m.is_migrating_zk_broker = False
        m.log_dirs = []
        m.cordoned_log_dirs = None
        m.saturated_log_dirs = []
        m.broker_id, m.incarnation_id, m.broker_epoch, n = _UNPACK_iuqB(data, at)
        at += 29
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.end_points, at = _decode_register_broker_record_broker_endpoint_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.features, at = _decode_register_broker_record_broker_feature_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        m.fenced, m.in_controlled_shutdown, n = _UNPACK_ttB(data, at)
        at += 3
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_register_broker_record_v2(data: bytes, at: int = 0) -> RegisterBrokerRecord:
    m: RegisterBrokerRecord = new(RegisterBrokerRecord)
    end = len(data)
    try:
        m.log_dirs = []
        m.cordoned_log_dirs = None
        m.saturated_log_dirs = []
        m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch, n = _UNPACK_ituqB(data, at)
        at += 30
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.end_points, at = _decode_register_broker_record_broker_endpoint_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.features, at = _decode_register_broker_record_broker_feature_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        m.fenced, m.in_controlled_shutdown, n = _UNPACK_ttB(data, at)
        at += 3
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_register_broker_record_v3(data: bytes, at: int = 0) -> RegisterBrokerRecord:
    m: RegisterBrokerRecord = new(RegisterBrokerRecord)
    end = len(data)
    try:
        m.cordoned_log_dirs = None
        m.saturated_log_dirs = []
        m.log_dirs = []
        m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch, n = _UNPACK_ituqB(data, at)
        at += 30
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.end_points, at = _decode_register_broker_record_broker_endpoint_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.features, at = _decode_register_broker_record_broker_feature_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        m.fenced, m.in_controlled_shutdown, n = _UNPACK_ttB(data, at)
        at += 3
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n <= SHAPES:
                        m.log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_register_broker_record_v4(data: bytes, at: int = 0) -> RegisterBrokerRecord:
    m: RegisterBrokerRecord = new(RegisterBrokerRecord)
    end = len(data)
    try:
        m.log_dirs = []
        m.cordoned_log_dirs = None
        m.saturated_log_dirs = []
        m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch, n = _UNPACK_ituqB(data, at)
        at += 30
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.end_points, at = _decode_register_broker_record_broker_endpoint_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.features, at = _decode_register_broker_record_broker_feature_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        m.fenced, m.in_controlled_shutdown, n = _UNPACK_ttB(data, at)
        at += 3
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n <= SHAPES:
                        m.log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                elif tag == 1:
                    n = data[at]
                    at += 1
                    if not n:
                        m.cordoned_log_dirs = None
                    elif n <= SHAPES:
                        m.cordoned_log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.cordoned_log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                elif tag == 1000:
                    n = data[at]
                    at += 1
                    if n <= SHAPES:
                        m.saturated_log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.saturated_log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_unregister_broker_record_v0(data: bytes, at: int = 0) -> UnregisterBrokerRecord:
    m: UnregisterBrokerRecord = new(UnregisterBrokerRecord)
    end = len(data)
    try:
        m.broker_id, m.broker_epoch, n = _UNPACK_iqB(data, at)
        at += 13
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_topic_record_v0(data: bytes, at: int = 0) -> TopicRecord:
    m: TopicRecord = new(TopicRecord)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        m.topic_id, n = _UNPACK_uB(data, at)
        at += 17
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_partition_record_v0(data: bytes, at: int = 0) -> PartitionRecord:
    m: PartitionRecord = new(PartitionRecord)
    end = len(data)
    try:
        m.directories = []
        m.eligible_leader_replicas = None
        m.last_known_elr = None
        m.leader_recovery_state = 0
        m.partition_id, m.topic_id, n = _UNPACK_iuB(data, at)
        at += 21
        if n <= SHAPES:
            m.replicas = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.replicas = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.isr = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.isr = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.removing_replicas = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.removing_replicas = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.adding_replicas = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.adding_replicas = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        m.leader, m.leader_epoch, m.partition_epoch, n = _UNPACK_iiiB(data, at)
        at += 13
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.leader_recovery_state, = _UNPACK_b(data, at)
                    at += 1
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_partition_record_v1(data: bytes, at: int = 0) -> PartitionRecord:
    m: PartitionRecord = new(PartitionRecord)
    end = len(data)
    try:
        m.eligible_leader_replicas = None
        m.last_known_elr = None
        m.leader_recovery_state = 0
        m.partition_id, m.topic_id, n = _UNPACK_iuB(data, at)
        at += 21
        if n <= SHAPES:
            m.replicas = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.replicas = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.isr = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.isr = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.removing_replicas = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.removing_replicas = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.adding_replicas = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.adding_replicas = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        m.leader, m.leader_epoch, m.partition_epoch, n = _UNPACK_iiiB(data, at)
        at += 13
        if n <= SHAPES:
            m.directories = list(UNPACK_UUIDS[n](data, at))
            at += 16 * n - 16
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.directories = read_uuids(data, at, n - 1)
            at += 16 * n - 16
        n = data[at]
        at += 1
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.leader_recovery_state, = _UNPACK_b(data, at)
                    at += 1
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_partition_record_v2(data: bytes, at: int = 0) -> PartitionRecord:
    m: PartitionRecord = new(PartitionRecord)
    end = len(data)
    try:
        m.leader_recovery_state = 0
        m.eligible_leader_replicas = None
        m.last_known_elr = None
        m.partition_id, m.topic_id, n = _UNPACK_iuB(data, at)
        at += 21
        if n <= SHAPES:
            m.replicas = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.replicas = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.isr = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.isr = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.removing_replicas = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.removing_replicas = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.adding_replicas = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.adding_replicas = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        m.leader, m.leader_epoch, m.partition_epoch, n = _UNPACK_iiiB(data, at)
        at += 13
        if n <= SHAPES:
            m.directories = list(UNPACK_UUIDS[n](data, at))
            at += 16 * n - 16
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.directories = read_uuids(data, at, n - 1)
            at += 16 * n - 16
        n = data[at]
        at += 1
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.leader_recovery_state, = _UNPACK_b(data, at)
                    at += 1
                elif tag == 1:
                    n = data[at]
                    at += 1
                    if not n:
                        m.eligible_leader_replicas = None
                    elif n <= SHAPES:
                        m.eligible_leader_replicas = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.eligible_leader_replicas = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 2:
                    n = data[at]
                    at += 1
                    if not n:
                        m.last_known_elr = None
                    elif n <= SHAPES:
                        m.last_known_elr = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.last_known_elr = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_config_record_v0(data: bytes, at: int = 0) -> ConfigRecord:
    m: ConfigRecord = new(ConfigRecord)
    end = len(data)
    try:
        m.resource_type, n = _UNPACK_bB(data, at)
        at += 2
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.value = data[at:stop].decode()
            at = stop
        else:
            m.value = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_partition_change_record_v0(data: bytes, at: int = 0) -> PartitionChangeRecord:
    m: PartitionChangeRecord = new(PartitionChangeRecord)
    end = len(data)
    try:
        m.directories = None
        m.eligible_leader_replicas = None
        m.last_known_elr = None
        m.isr = None
        m.leader = -2
        m.replicas = None
        m.removing_replicas = None
        m.adding_replicas = None
        m.leader_recovery_state = -1
        m.partition_id, m.topic_id, n = _UNPACK_iuB(data, at)
        at += 21
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if not n:
                        m.isr = None
                    elif n <= SHAPES:
                        m.isr = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.isr = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 1:
                    m.leader, = _UNPACK_i(data, at)
                    at += 4
                elif tag == 2:
                    n = data[at]
                    at += 1
                    if not n:
                        m.replicas = None
                    elif n <= SHAPES:
                        m.replicas = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.replicas = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 3:
                    n = data[at]
                    at += 1
                    if not n:
                        m.removing_replicas = None
                    elif n <= SHAPES:
                        m.removing_replicas = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.removing_replicas = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 4:
                    n = data[at]
                    at += 1
                    if not n:
                        m.adding_replicas = None
                    elif n <= SHAPES:
                        m.adding_replicas = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.adding_replicas = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 5:
                    m.leader_recovery_state, = _UNPACK_b(data, at)
                    at += 1
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_partition_change_record_v1(data: bytes, at: int = 0) -> PartitionChangeRecord:
    m: PartitionChangeRecord = new(PartitionChangeRecord)
    end = len(data)
    try:
        m.eligible_leader_replicas = None
        m.last_known_elr = None
        m.isr = None
        m.leader = -2
        m.replicas = None
        m.removing_replicas = None
        m.adding_replicas = None
        m.leader_recovery_state = -1
        m.directories = None
        m.partition_id, m.topic_id, n = _UNPACK_iuB(data, at)
        at += 21
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if not n:
                        m.isr = None
                    elif n <= SHAPES:
                        m.isr = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.isr = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 1:
                    m.leader, = _UNPACK_i(data, at)
                    at += 4
                elif tag == 2:
                    n = data[at]
                    at += 1
                    if not n:
                        m.replicas = None
                    elif n <= SHAPES:
                        m.replicas = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.replicas = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 3:
                    n = data[at]
                    at += 1
                    if not n:
                        m.removing_replicas = None
                    elif n <= SHAPES:
                        m.removing_replicas = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.removing_replicas = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 4:
                    n = data[at]
                    at += 1
                    if not n:
                        m.adding_replicas = None
                    elif n <= SHAPES:
                        m.adding_replicas = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.adding_replicas = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 5:
                    m.leader_recovery_state, = _UNPACK_b(data, at)
                    at += 1
                elif tag == 8:
                    n = data[at]
                    at += 1
                    if not n:
                        m.directories = None
                    elif n <= SHAPES:
                        m.directories = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.directories = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_partition_change_record_v2(data: bytes, at: int = 0) -> PartitionChangeRecord:
    m: PartitionChangeRecord = new(PartitionChangeRecord)
    end = len(data)
    try:
        m.isr = None
        m.leader = -2
        m.replicas = None
        m.removing_replicas = None
        m.adding_replicas = None
        m.leader_recovery_state = -1
        m.eligible_leader_replicas = None
        m.last_known_elr = None
        m.directories = None
        m.partition_id, m.topic_id, n = _UNPACK_iuB(data, at)
        at += 21
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if not n:
                        m.isr = None
                    elif n <= SHAPES:
                        m.isr = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.isr = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 1:
                    m.leader, = _UNPACK_i(data, at)
                    at += 4
                elif tag == 2:
                    n = data[at]
                    at += 1
                    if not n:
                        m.replicas = None
                    elif n <= SHAPES:
                        m.replicas = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.replicas = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 3:
                    n = data[at]
                    at += 1
                    if not n:
                        m.removing_replicas = None
                    elif n <= SHAPES:
                        m.removing_replicas = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.removing_replicas = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 4:
                    n = data[at]
                    at += 1
                    if not n:
                        m.adding_replicas = None
                    elif n <= SHAPES:
                        m.adding_replicas = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.adding_replicas = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 5:
                    m.leader_recovery_state, = _UNPACK_b(data, at)
                    at += 1
                elif tag == 6:
                    n = data[at]
                    at += 1
                    if not n:
                        m.eligible_leader_replicas = None
                    elif n <= SHAPES:
                        m.eligible_leader_replicas = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.eligible_leader_replicas = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 7:
                    n = data[at]
                    at += 1
                    if not n:
                        m.last_known_elr = None
                    elif n <= SHAPES:
                        m.last_known_elr = list(UNPACK_INT32S[n](data, at))
                        at += 4 * n - 4
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.last_known_elr = read_int32s(data, at, n - 1)
                        at += 4 * n - 4
                elif tag == 8:
                    n = data[at]
                    at += 1
                    if not n:
                        m.directories = None
                    elif n <= SHAPES:
                        m.directories = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.directories = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fence_broker_record_v0(data: bytes, at: int = 0) -> FenceBrokerRecord:
    m: FenceBrokerRecord = new(FenceBrokerRecord)
    end = len(data)
    try:
        m.id, m.epoch, n = _UNPACK_iqB(data, at)
        at += 13
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_unfence_broker_record_v0(data: bytes, at: int = 0) -> UnfenceBrokerRecord:
    m: UnfenceBrokerRecord = new(UnfenceBrokerRecord)
    end = len(data)
    try:
        m.id, m.epoch, n = _UNPACK_iqB(data, at)
        at += 13
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_remove_topic_record_v0(data: bytes, at: int = 0) -> RemoveTopicRecord:
    m: RemoveTopicRecord = new(RemoveTopicRecord)
    end = len(data)
    try:
        m.topic_id, n = _UNPACK_uB(data, at)
        at += 17
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_delegation_token_record_v0(data: bytes, at: int = 0) -> DelegationTokenRecord:
    m: DelegationTokenRecord = new(DelegationTokenRecord)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.owner = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.requester = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 1 > end - at:
            check_count(n - 1, 1, data, at)
        renewers_items: list[str] = []
        for _ in range(n - 1):
            n = data[at]
            at += 1
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            renewers_items.append(data[at:stop].decode())
            at = stop
        m.renewers = renewers_items
        m.issue_timestamp, m.max_timestamp, m.expiration_timestamp, n = _UNPACK_qqqB(data, at)
        at += 25
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.token_id = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_user_scram_credential_record_v0(data: bytes, at: int = 0) -> UserScramCredentialRecord:
    m: UserScramCredentialRecord = new(UserScramCredentialRecord)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        m.mechanism, n = _UNPACK_bB(data, at)
        at += 2
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.salt = data[at:stop]
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.stored_key = data[at:stop]
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.server_key = data[at:stop]
        at = stop
        m.iterations, n = _UNPACK_iB(data, at)
        at += 5
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_feature_level_record_v0(data: bytes, at: int = 0) -> FeatureLevelRecord:
    m: FeatureLevelRecord = new(FeatureLevelRecord)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        m.feature_level, n = _UNPACK_hB(data, at)
        at += 3
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_client_quota_record_entity_data_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[ClientQuotaRecordEntityData], int]:
    made: list[ClientQuotaRecordEntityData] = []
    try:
        for _ in range(count):
            m: ClientQuotaRecordEntityData = new(ClientQuotaRecordEntityData)
            n = data[at]
            at += 1
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.entity_type = data[at:stop].decode()
            at = stop
            n = data[at]
            at += 1
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if n:
                stop = at + n - 1
                m.entity_name = data[at:stop].decode()
                at = stop
            else:
                m.entity_name = None
            n = data[at]
            at += 1
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_client_quota_record_v0(data: bytes, at: int = 0) -> ClientQuotaRecord:
    m: ClientQuotaRecord = new(ClientQuotaRecord)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.entity, at = _decode_client_quota_record_entity_data_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.key = data[at:stop].decode()
        at = stop
        m.value, m.remove, n = _UNPACK_dtB(data, at)
        at += 10
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_producer_ids_record_v0(data: bytes, at: int = 0) -> ProducerIdsRecord:
    m: ProducerIdsRecord = new(ProducerIdsRecord)
    end = len(data)
    try:
        m.broker_id, m.broker_epoch, m.next_producer_id, n = _UNPACK_iqqB(data, at)
        at += 21
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_registration_change_record_v0(data: bytes, at: int = 0) -> BrokerRegistrationChangeRecord:
    m: BrokerRegistrationChangeRecord = new(BrokerRegistrationChangeRecord)
    end = len(data)
    try:
        m.in_controlled_shutdown = 0
        m.log_dirs = []
        m.cordoned_log_dirs = None
        m.saturated_log_dirs = None
        m.fenced = 0
        m.broker_id, m.broker_epoch, n = _UNPACK_iqB(data, at)
        at += 13
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.fenced, = _UNPACK_b(data, at)
                    at += 1
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_registration_change_record_v1(data: bytes, at: int = 0) -> BrokerRegistrationChangeRecord:
    m: BrokerRegistrationChangeRecord = new(BrokerRegistrationChangeRecord)
    end = len(data)
    try:
        m.log_dirs = []
        m.cordoned_log_dirs = None
        m.saturated_log_dirs = None
        m.fenced = 0
        m.in_controlled_shutdown = 0
        m.broker_id, m.broker_epoch, n = _UNPACK_iqB(data, at)
        at += 13
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.fenced, = _UNPACK_b(data, at)
                    at += 1
                elif tag == 1:
                    m.in_controlled_shutdown, = _UNPACK_b(data, at)
                    at += 1
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_registration_change_record_v2(data: bytes, at: int = 0) -> BrokerRegistrationChangeRecord:
    m: BrokerRegistrationChangeRecord = new(BrokerRegistrationChangeRecord)
    end = len(data)
    try:
        m.cordoned_log_dirs = None
        m.saturated_log_dirs = None
        m.fenced = 0
        m.in_controlled_shutdown = 0
        m.log_dirs = []
        m.broker_id, m.broker_epoch, n = _UNPACK_iqB(data, at)
        at += 13
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.fenced, = _UNPACK_b(data, at)
                    at += 1
                elif tag == 1:
                    m.in_controlled_shutdown, = _UNPACK_b(data, at)
                    at += 1
                elif tag == 2:
                    n = data[at]
                    at += 1
                    if n <= SHAPES:
                        m.log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_registration_change_record_v3(data: bytes, at: int = 0) -> BrokerRegistrationChangeRecord:
    m: BrokerRegistrationChangeRecord = new(BrokerRegistrationChangeRecord)
    end = len(data)
    try:
        m.fenced = 0
        m.in_controlled_shutdown = 0
        m.log_dirs = []
        m.cordoned_log_dirs = None
        m.saturated_log_dirs = None
        m.broker_id, m.broker_epoch, n = _UNPACK_iqB(data, at)
        at += 13
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.fenced, = _UNPACK_b(data, at)
                    at += 1
                elif tag == 1:
                    m.in_controlled_shutdown, = _UNPACK_b(data, at)
                    at += 1
                elif tag == 2:
                    n = data[at]
                    at += 1
                    if n <= SHAPES:
                        m.log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                elif tag == 3:
                    n = data[at]
                    at += 1
                    if not n:
                        m.cordoned_log_dirs = None
                    elif n <= SHAPES:
                        m.cordoned_log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.cordoned_log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                elif tag == 1000:
                    n = data[at]
                    at += 1
                    if not n:
                        m.saturated_log_dirs = None
                    elif n <= SHAPES:
                        m.saturated_log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.saturated_log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_access_control_entry_record_v0(data: bytes, at: int = 0) -> AccessControlEntryRecord:
    m: AccessControlEntryRecord = new(AccessControlEntryRecord)
    end = len(data)
    try:
        m.id, m.resource_type, n = _UNPACK_ubB(data, at)
        at += 18
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        m.pattern_type, n = _UNPACK_bB(data, at)
        at += 2
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.principal = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.operation, m.permission_type, n = _UNPACK_bbB(data, at)
        at += 3
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_remove_access_control_entry_record_v0(data: bytes, at: int = 0) -> RemoveAccessControlEntryRecord:
    m: RemoveAccessControlEntryRecord = new(RemoveAccessControlEntryRecord)
    end = len(data)
    try:
        m.id, n = _UNPACK_uB(data, at)
        at += 17
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_no_op_record_v0(data: bytes, at: int = 0) -> NoOpRecord:
    m: NoOpRecord = new(NoOpRecord)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_zk_migration_state_record_v0(data: bytes, at: int = 0) -> ZkMigrationStateRecord:
    m: ZkMigrationStateRecord = new(ZkMigrationStateRecord)
    end = len(data)
    try:
        m.zk_migration_state, n = _UNPACK_bB(data, at)
        at += 2
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_remove_user_scram_credential_record_v0(data: bytes, at: int = 0) -> RemoveUserScramCredentialRecord:
    m: RemoveUserScramCredentialRecord = new(RemoveUserScramCredentialRecord)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        m.mechanism, n = _UNPACK_bB(data, at)
        at += 2
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_begin_transaction_record_v0(data: bytes, at: int = 0) -> BeginTransactionRecord:
    m: BeginTransactionRecord = new(BeginTransactionRecord)
    end = len(data)
    try:
        m.name = None
        n = data[at]
        at += 1
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if n:
                        stop = at + n - 1
                        m.name = data[at:stop].decode()
                        at = stop
                    else:
                        m.name = None
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_end_transaction_record_v0(data: bytes, at: int = 0) -> EndTransactionRecord:
    m: EndTransactionRecord = new(EndTransactionRecord)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_abort_transaction_record_v0(data: bytes, at: int = 0) -> AbortTransactionRecord:
    m: AbortTransactionRecord = new(AbortTransactionRecord)
    end = len(data)
    try:
        m.reason = None
        n = data[at]
        at += 1
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if n:
                        stop = at + n - 1
                        m.reason = data[at:stop].decode()
                        at = stop
                    else:
                        m.reason = None
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_remove_delegation_token_record_v0(data: bytes, at: int = 0) -> RemoveDelegationTokenRecord:
    m: RemoveDelegationTokenRecord = new(RemoveDelegationTokenRecord)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.token_id = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_register_controller_record_controller_endpoint_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[RegisterControllerRecordControllerEndpoint], int]:
    made: list[RegisterControllerRecordControllerEndpoint] = []
    try:
        for _ in range(count):
            m: RegisterControllerRecordControllerEndpoint = new(RegisterControllerRecordControllerEndpoint)
            n = data[at]
            at += 1
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.name = data[at:stop].decode()
            at = stop
            n = data[at]
            at += 1
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.host = data[at:stop].decode()
            at = stop
            m.port, m.security_protocol, n = _UNPACK_HhB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_register_controller_record_controller_feature_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[RegisterControllerRecordControllerFeature], int]:
    made: list[RegisterControllerRecordControllerFeature] = []
    try:
        for _ in range(count):
            m: RegisterControllerRecordControllerFeature = new(RegisterControllerRecordControllerFeature)
            n = data[at]
            at += 1
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.name = data[at:stop].decode()
            at = stop
            m.min_supported_version, m.max_supported_version, n = _UNPACK_hhB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_register_controller_record_v0(data: bytes, at: int = 0) -> RegisterControllerRecord:
    m: RegisterControllerRecord = new(RegisterControllerRecord)
    end = len(data)
    try:
        m.controller_id, m.incarnation_id, m.zk_migration_ready, n = _UNPACK_iutB(data, at)
        at += 22
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.end_points, at = _decode_register_controller_record_controller_endpoint_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.features, at = _decode_register_controller_record_controller_feature_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_clear_elr_record_v0(data: bytes, at: int = 0) -> ClearElrRecord:
    m: ClearElrRecord = new(ClearElrRecord)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_unregister_controller_record_v0(data: bytes, at: int = 0) -> UnregisterControllerRecord:
    m: UnregisterControllerRecord = new(UnregisterControllerRecord)
    end = len(data)
    try:
        m.controller_id, n = _UNPACK_iB(data, at)
        at += 5
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_cluster_id_record_v0(data: bytes, at: int = 0) -> ClusterIdRecord:
    m: ClusterIdRecord = new(ClusterIdRecord)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.cluster_id = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_host_record_v0(data: bytes, at: int = 0) -> BrokerHostRecord:
    m: BrokerHostRecord = new(BrokerHostRecord)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.broker_id, n = _UNPACK_iB(data, at)
        at += 5
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_remove_controller_registration_record_v0(data: bytes, at: int = 0) -> RemoveControllerRegistrationRecord:
    m: RemoveControllerRegistrationRecord = new(RemoveControllerRegistrationRecord)
    end = len(data)
    try:
        m.controller_id, n = _UNPACK_iB(data, at)
        at += 5
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _encode_register_broker_record_broker_endpoint_v0(items: Sequence[RegisterBrokerRecordBrokerEndpoint], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            host_bytes = m.host.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_Hh(m.port, m.security_protocol), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_register_broker_record_broker_feature_v0(items: Sequence[RegisterBrokerRecordBrokerFeature], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_hh(m.min_supported_version, m.max_supported_version), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_register_broker_record_v0(m: RegisterBrokerRecord, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.is_migrating_zk_broker:
            raise absent(m, "is_migrating_zk_broker")
        if m.in_controlled_shutdown:
            raise absent(m, "in_controlled_shutdown")
        if m.log_dirs:
            raise absent(m, "log_dirs")
        if m.cordoned_log_dirs is not None:
            raise absent(m, "cordoned_log_dirs")
        if m.saturated_log_dirs:
            raise absent(m, "saturated_log_dirs")
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        end_points_items = m.end_points
        out += (_PACK_iuq(m.broker_id, m.incarnation_id, m.broker_epoch), length_prefix(len(end_points_items)))
        _encode_register_broker_record_broker_endpoint_v0(end_points_items, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        _encode_register_broker_record_broker_feature_v0(features_items, out)
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        out += (rack_size, rack_bytes, _PACK_t(m.fenced), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_register_broker_record_v1(m: RegisterBrokerRecord, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.is_migrating_zk_broker:
            raise absent(m, "is_migrating_zk_broker")
        if m.log_dirs:
            raise absent(m, "log_dirs")
        if m.cordoned_log_dirs is not None:
            raise absent(m, "cordoned_log_dirs")
        if m.saturated_log_dirs:
            raise absent(m, "saturated_log_dirs")
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        end_points_items = m.end_points
        out += (_PACK_iuq(m.broker_id, m.incarnation_id, m.broker_epoch), length_prefix(len(end_points_items)))
        _encode_register_broker_record_broker_endpoint_v0(end_points_items, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        _encode_register_broker_record_broker_feature_v0(features_items, out)
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        out += (rack_size, rack_bytes, _PACK_tt(m.fenced, m.in_controlled_shutdown), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_register_broker_record_v2(m: RegisterBrokerRecord, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.log_dirs:
            raise absent(m, "log_dirs")
        if m.cordoned_log_dirs is not None:
            raise absent(m, "cordoned_log_dirs")
        if m.saturated_log_dirs:
            raise absent(m, "saturated_log_dirs")
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        end_points_items = m.end_points
        out += (_PACK_ituq(m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch), length_prefix(len(end_points_items)))
        _encode_register_broker_record_broker_endpoint_v0(end_points_items, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        _encode_register_broker_record_broker_feature_v0(features_items, out)
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        out += (rack_size, rack_bytes, _PACK_tt(m.fenced, m.in_controlled_shutdown), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_register_broker_record_v3(m: RegisterBrokerRecord, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cordoned_log_dirs is not None:
            raise absent(m, "cordoned_log_dirs")
        if m.saturated_log_dirs:
            raise absent(m, "saturated_log_dirs")
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        end_points_items = m.end_points
        out += (_PACK_ituq(m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch), length_prefix(len(end_points_items)))
        _encode_register_broker_record_broker_endpoint_v0(end_points_items, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        _encode_register_broker_record_broker_feature_v0(features_items, out)
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        tags: list[tuple[int, bytes]] = []
        if m.log_dirs:
            log_dirs_items = m.log_dirs
            tags.append((0, uuids(log_dirs_items)))
        out += (rack_size, rack_bytes, _PACK_tt(m.fenced, m.in_controlled_shutdown), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_register_broker_record_v4(m: RegisterBrokerRecord, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        end_points_items = m.end_points
        out += (_PACK_ituq(m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch), length_prefix(len(end_points_items)))
        _encode_register_broker_record_broker_endpoint_v0(end_points_items, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        _encode_register_broker_record_broker_feature_v0(features_items, out)
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        tags: list[tuple[int, bytes]] = []
        if m.log_dirs:
            log_dirs_items = m.log_dirs
            tags.append((0, uuids(log_dirs_items)))
        if m.cordoned_log_dirs is not None:
            cordoned_log_dirs_items = m.cordoned_log_dirs
            tags.append((1, uuids(cordoned_log_dirs_items)))
        if m.saturated_log_dirs:
            saturated_log_dirs_items = m.saturated_log_dirs
            tags.append((1000, uuids(saturated_log_dirs_items)))
        out += (rack_size, rack_bytes, _PACK_tt(m.fenced, m.in_controlled_shutdown), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_unregister_broker_record_v0(m: UnregisterBrokerRecord, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_iq(m.broker_id, m.broker_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_topic_record_v0(m: TopicRecord, prefix: bytes = b"") -> bytes:
    try:
        name_bytes = m.name.encode()
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        return b"".join((prefix, UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_u(m.topic_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_partition_record_v0(m: PartitionRecord, prefix: bytes = b"") -> bytes:
    try:
        if m.directories:
            raise absent(m, "directories")
        if m.eligible_leader_replicas is not None:
            raise absent(m, "eligible_leader_replicas")
        if m.last_known_elr is not None:
            raise absent(m, "last_known_elr")
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        replicas_items = m.replicas
        isr_items = m.isr
        removing_replicas_items = m.removing_replicas
        adding_replicas_items = m.adding_replicas
        tags: list[tuple[int, bytes]] = []
        if m.leader_recovery_state != 0:
            tags.append((0, _PACK_b(m.leader_recovery_state)))
        return b"".join((prefix, _PACK_iu(m.partition_id, m.topic_id), PACK_INT32S[n](n + 1, *replicas_items) if (n := len(replicas_items)) < SHAPES else int32s(replicas_items), PACK_INT32S[n](n + 1, *isr_items) if (n := len(isr_items)) < SHAPES else int32s(isr_items), PACK_INT32S[n](n + 1, *removing_replicas_items) if (n := len(removing_replicas_items)) < SHAPES else int32s(removing_replicas_items), PACK_INT32S[n](n + 1, *adding_replicas_items) if (n := len(adding_replicas_items)) < SHAPES else int32s(adding_replicas_items), _PACK_iii(m.leader, m.leader_epoch, m.partition_epoch), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_partition_record_v1(m: PartitionRecord, prefix: bytes = b"") -> bytes:
    try:
        if m.eligible_leader_replicas is not None:
            raise absent(m, "eligible_leader_replicas")
        if m.last_known_elr is not None:
            raise absent(m, "last_known_elr")
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        replicas_items = m.replicas
        isr_items = m.isr
        removing_replicas_items = m.removing_replicas
        adding_replicas_items = m.adding_replicas
        directories_items = m.directories
        tags: list[tuple[int, bytes]] = []
        if m.leader_recovery_state != 0:
            tags.append((0, _PACK_b(m.leader_recovery_state)))
        return b"".join((prefix, _PACK_iu(m.partition_id, m.topic_id), PACK_INT32S[n](n + 1, *replicas_items) if (n := len(replicas_items)) < SHAPES else int32s(replicas_items), PACK_INT32S[n](n + 1, *isr_items) if (n := len(isr_items)) < SHAPES else int32s(isr_items), PACK_INT32S[n](n + 1, *removing_replicas_items) if (n := len(removing_replicas_items)) < SHAPES else int32s(removing_replicas_items), PACK_INT32S[n](n + 1, *adding_replicas_items) if (n := len(adding_replicas_items)) < SHAPES else int32s(adding_replicas_items), _PACK_iii(m.leader, m.leader_epoch, m.partition_epoch), uuids(directories_items), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_partition_record_v2(m: PartitionRecord, prefix: bytes = b"") -> bytes:
    try:
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        replicas_items = m.replicas
        isr_items = m.isr
        removing_replicas_items = m.removing_replicas
        adding_replicas_items = m.adding_replicas
        directories_items = m.directories
        tags: list[tuple[int, bytes]] = []
        if m.leader_recovery_state != 0:
            tags.append((0, _PACK_b(m.leader_recovery_state)))
        if m.eligible_leader_replicas is not None:
            eligible_leader_replicas_items = m.eligible_leader_replicas
            tags.append((1, PACK_INT32S[n](n + 1, *eligible_leader_replicas_items) if (n := len(eligible_leader_replicas_items)) < SHAPES else int32s(eligible_leader_replicas_items)))
        if m.last_known_elr is not None:
            last_known_elr_items = m.last_known_elr
            tags.append((2, PACK_INT32S[n](n + 1, *last_known_elr_items) if (n := len(last_known_elr_items)) < SHAPES else int32s(last_known_elr_items)))
        return b"".join((prefix, _PACK_iu(m.partition_id, m.topic_id), PACK_INT32S[n](n + 1, *replicas_items) if (n := len(replicas_items)) < SHAPES else int32s(replicas_items), PACK_INT32S[n](n + 1, *isr_items) if (n := len(isr_items)) < SHAPES else int32s(isr_items), PACK_INT32S[n](n + 1, *removing_replicas_items) if (n := len(removing_replicas_items)) < SHAPES else int32s(removing_replicas_items), PACK_INT32S[n](n + 1, *adding_replicas_items) if (n := len(adding_replicas_items)) < SHAPES else int32s(adding_replicas_items), _PACK_iii(m.leader, m.leader_epoch, m.partition_epoch), uuids(directories_items), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_config_record_v0(m: ConfigRecord, prefix: bytes = b"") -> bytes:
    try:
        resource_name_bytes = m.resource_name.encode()
        name_bytes = m.name.encode()
        if m.value is None:
            value_size, value_bytes = NO_TAGS, b""
        else:
            value_bytes = m.value.encode()
            value_size = UVARINT[n + 1] if (n := len(value_bytes)) < SHORT - 1 else string_prefix(n)
        return b"".join((prefix, _PACK_b(m.resource_type), UVARINT[n + 1] if (n := len(resource_name_bytes)) < SHORT - 1 else string_prefix(n), resource_name_bytes, UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, value_size, value_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_partition_change_record_v0(m: PartitionChangeRecord, prefix: bytes = b"") -> bytes:
    try:
        if m.directories is not None:
            raise absent(m, "directories")
        if m.eligible_leader_replicas is not None:
            raise absent(m, "eligible_leader_replicas")
        if m.last_known_elr is not None:
            raise absent(m, "last_known_elr")
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        tags: list[tuple[int, bytes]] = []
        if m.isr is not None:
            isr_items = m.isr
            tags.append((0, PACK_INT32S[n](n + 1, *isr_items) if (n := len(isr_items)) < SHAPES else int32s(isr_items)))
        if m.leader != -2:
            tags.append((1, _PACK_i(m.leader)))
        if m.replicas is not None:
            replicas_items = m.replicas
            tags.append((2, PACK_INT32S[n](n + 1, *replicas_items) if (n := len(replicas_items)) < SHAPES else int32s(replicas_items)))
        if m.removing_replicas is not None:
            removing_replicas_items = m.removing_replicas
            tags.append((3, PACK_INT32S[n](n + 1, *removing_replicas_items) if (n := len(removing_replicas_items)) < SHAPES else int32s(removing_replicas_items)))
        if m.adding_replicas is not None:
            adding_replicas_items = m.adding_replicas
            tags.append((4, PACK_INT32S[n](n + 1, *adding_replicas_items) if (n := len(adding_replicas_items)) < SHAPES else int32s(adding_replicas_items)))
        if m.leader_recovery_state != -1:
            tags.append((5, _PACK_b(m.leader_recovery_state)))
        return b"".join((prefix, _PACK_iu(m.partition_id, m.topic_id), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_partition_change_record_v1(m: PartitionChangeRecord, prefix: bytes = b"") -> bytes:
    try:
        if m.eligible_leader_replicas is not None:
            raise absent(m, "eligible_leader_replicas")
        if m.last_known_elr is not None:
            raise absent(m, "last_known_elr")
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        tags: list[tuple[int, bytes]] = []
        if m.isr is not None:
            isr_items = m.isr
            tags.append((0, PACK_INT32S[n](n + 1, *isr_items) if (n := len(isr_items)) < SHAPES else int32s(isr_items)))
        if m.leader != -2:
            tags.append((1, _PACK_i(m.leader)))
        if m.replicas is not None:
            replicas_items = m.replicas
            tags.append((2, PACK_INT32S[n](n + 1, *replicas_items) if (n := len(replicas_items)) < SHAPES else int32s(replicas_items)))
        if m.removing_replicas is not None:
            removing_replicas_items = m.removing_replicas
            tags.append((3, PACK_INT32S[n](n + 1, *removing_replicas_items) if (n := len(removing_replicas_items)) < SHAPES else int32s(removing_replicas_items)))
        if m.adding_replicas is not None:
            adding_replicas_items = m.adding_replicas
            tags.append((4, PACK_INT32S[n](n + 1, *adding_replicas_items) if (n := len(adding_replicas_items)) < SHAPES else int32s(adding_replicas_items)))
        if m.leader_recovery_state != -1:
            tags.append((5, _PACK_b(m.leader_recovery_state)))
        if m.directories is not None:
            directories_items = m.directories
            tags.append((8, uuids(directories_items)))
        return b"".join((prefix, _PACK_iu(m.partition_id, m.topic_id), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_partition_change_record_v2(m: PartitionChangeRecord, prefix: bytes = b"") -> bytes:
    try:
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        tags: list[tuple[int, bytes]] = []
        if m.isr is not None:
            isr_items = m.isr
            tags.append((0, PACK_INT32S[n](n + 1, *isr_items) if (n := len(isr_items)) < SHAPES else int32s(isr_items)))
        if m.leader != -2:
            tags.append((1, _PACK_i(m.leader)))
        if m.replicas is not None:
            replicas_items = m.replicas
            tags.append((2, PACK_INT32S[n](n + 1, *replicas_items) if (n := len(replicas_items)) < SHAPES else int32s(replicas_items)))
        if m.removing_replicas is not None:
            removing_replicas_items = m.removing_replicas
            tags.append((3, PACK_INT32S[n](n + 1, *removing_replicas_items) if (n := len(removing_replicas_items)) < SHAPES else int32s(removing_replicas_items)))
        if m.adding_replicas is not None:
            adding_replicas_items = m.adding_replicas
            tags.append((4, PACK_INT32S[n](n + 1, *adding_replicas_items) if (n := len(adding_replicas_items)) < SHAPES else int32s(adding_replicas_items)))
        if m.leader_recovery_state != -1:
            tags.append((5, _PACK_b(m.leader_recovery_state)))
        if m.eligible_leader_replicas is not None:
            eligible_leader_replicas_items = m.eligible_leader_replicas
            tags.append((6, PACK_INT32S[n](n + 1, *eligible_leader_replicas_items) if (n := len(eligible_leader_replicas_items)) < SHAPES else int32s(eligible_leader_replicas_items)))
        if m.last_known_elr is not None:
            last_known_elr_items = m.last_known_elr
            tags.append((7, PACK_INT32S[n](n + 1, *last_known_elr_items) if (n := len(last_known_elr_items)) < SHAPES else int32s(last_known_elr_items)))
        if m.directories is not None:
            directories_items = m.directories
            tags.append((8, uuids(directories_items)))
        return b"".join((prefix, _PACK_iu(m.partition_id, m.topic_id), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fence_broker_record_v0(m: FenceBrokerRecord, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_iq(m.id, m.epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_unfence_broker_record_v0(m: UnfenceBrokerRecord, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_iq(m.id, m.epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_remove_topic_record_v0(m: RemoveTopicRecord, prefix: bytes = b"") -> bytes:
    try:
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        return b"".join((prefix, _PACK_u(m.topic_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_delegation_token_record_v0(m: DelegationTokenRecord, prefix: bytes = b"") -> bytes:
    try:
        owner_bytes = m.owner.encode()
        requester_bytes = m.requester.encode()
        renewers_items = m.renewers
        token_id_bytes = m.token_id.encode()
        return b"".join((prefix, UVARINT[n + 1] if (n := len(owner_bytes)) < SHORT - 1 else string_prefix(n), owner_bytes, UVARINT[n + 1] if (n := len(requester_bytes)) < SHORT - 1 else string_prefix(n), requester_bytes, strings(renewers_items), _PACK_qqq(m.issue_timestamp, m.max_timestamp, m.expiration_timestamp), UVARINT[n + 1] if (n := len(token_id_bytes)) < SHORT - 1 else string_prefix(n), token_id_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_user_scram_credential_record_v0(m: UserScramCredentialRecord, prefix: bytes = b"") -> bytes:
    try:
        name_bytes = m.name.encode()
        salt_bytes = m.salt
        stored_key_bytes = m.stored_key
        server_key_bytes = m.server_key
        return b"".join((prefix, UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_b(m.mechanism), UVARINT[n + 1] if (n := len(salt_bytes)) < SHORT - 1 else length_prefix(n), salt_bytes, UVARINT[n + 1] if (n := len(stored_key_bytes)) < SHORT - 1 else length_prefix(n), stored_key_bytes, UVARINT[n + 1] if (n := len(server_key_bytes)) < SHORT - 1 else length_prefix(n), server_key_bytes, _PACK_i(m.iterations), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_feature_level_record_v0(m: FeatureLevelRecord, prefix: bytes = b"") -> bytes:
    try:
        name_bytes = m.name.encode()
        return b"".join((prefix, UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_h(m.feature_level), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_client_quota_record_entity_data_v0(items: Sequence[ClientQuotaRecordEntityData], out: list[bytes]) -> None:
    try:
        for m in items:
            entity_type_bytes = m.entity_type.encode()
            if m.entity_name is None:
                entity_name_size, entity_name_bytes = NO_TAGS, b""
            else:
                entity_name_bytes = m.entity_name.encode()
                entity_name_size = UVARINT[n + 1] if (n := len(entity_name_bytes)) < SHORT - 1 else string_prefix(n)
            out += (UVARINT[n + 1] if (n := len(entity_type_bytes)) < SHORT - 1 else string_prefix(n), entity_type_bytes, entity_name_size, entity_name_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_client_quota_record_v0(m: ClientQuotaRecord, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        entity_items = m.entity
        out += (length_prefix(len(entity_items)),)
        _encode_client_quota_record_entity_data_v0(entity_items, out)
        key_bytes = m.key.encode()
        out += (UVARINT[n + 1] if (n := len(key_bytes)) < SHORT - 1 else string_prefix(n), key_bytes, _PACK_dt(m.value, m.remove), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_producer_ids_record_v0(m: ProducerIdsRecord, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_iqq(m.broker_id, m.broker_epoch, m.next_producer_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_registration_change_record_v0(m: BrokerRegistrationChangeRecord, prefix: bytes = b"") -> bytes:
    try:
        if m.in_controlled_shutdown != 0:
            raise absent(m, "in_controlled_shutdown")
        if m.log_dirs:
            raise absent(m, "log_dirs")
        if m.cordoned_log_dirs is not None:
            raise absent(m, "cordoned_log_dirs")
        if m.saturated_log_dirs is not None:
            raise absent(m, "saturated_log_dirs")
        tags: list[tuple[int, bytes]] = []
        if m.fenced != 0:
            tags.append((0, _PACK_b(m.fenced)))
        return b"".join((prefix, _PACK_iq(m.broker_id, m.broker_epoch), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_registration_change_record_v1(m: BrokerRegistrationChangeRecord, prefix: bytes = b"") -> bytes:
    try:
        if m.log_dirs:
            raise absent(m, "log_dirs")
        if m.cordoned_log_dirs is not None:
            raise absent(m, "cordoned_log_dirs")
        if m.saturated_log_dirs is not None:
            raise absent(m, "saturated_log_dirs")
        tags: list[tuple[int, bytes]] = []
        if m.fenced != 0:
            tags.append((0, _PACK_b(m.fenced)))
        if m.in_controlled_shutdown != 0:
            tags.append((1, _PACK_b(m.in_controlled_shutdown)))
        return b"".join((prefix, _PACK_iq(m.broker_id, m.broker_epoch), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_registration_change_record_v2(m: BrokerRegistrationChangeRecord, prefix: bytes = b"") -> bytes:
    try:
        if m.cordoned_log_dirs is not None:
            raise absent(m, "cordoned_log_dirs")
        if m.saturated_log_dirs is not None:
            raise absent(m, "saturated_log_dirs")
        tags: list[tuple[int, bytes]] = []
        if m.fenced != 0:
            tags.append((0, _PACK_b(m.fenced)))
        if m.in_controlled_shutdown != 0:
            tags.append((1, _PACK_b(m.in_controlled_shutdown)))
        if m.log_dirs:
            log_dirs_items = m.log_dirs
            tags.append((2, uuids(log_dirs_items)))
        return b"".join((prefix, _PACK_iq(m.broker_id, m.broker_epoch), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_registration_change_record_v3(m: BrokerRegistrationChangeRecord, prefix: bytes = b"") -> bytes:
    try:
        tags: list[tuple[int, bytes]] = []
        if m.fenced != 0:
            tags.append((0, _PACK_b(m.fenced)))
        if m.in_controlled_shutdown != 0:
            tags.append((1, _PACK_b(m.in_controlled_shutdown)))
        if m.log_dirs:
            log_dirs_items = m.log_dirs
            tags.append((2, uuids(log_dirs_items)))
        if m.cordoned_log_dirs is not None:
            cordoned_log_dirs_items = m.cordoned_log_dirs
            tags.append((3, uuids(cordoned_log_dirs_items)))
        if m.saturated_log_dirs is not None:
            saturated_log_dirs_items = m.saturated_log_dirs
            tags.append((1000, uuids(saturated_log_dirs_items)))
        return b"".join((prefix, _PACK_iq(m.broker_id, m.broker_epoch), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_access_control_entry_record_v0(m: AccessControlEntryRecord, prefix: bytes = b"") -> bytes:
    try:
        if len(m.id) != 16:
            raise ValueError("a uuid has 16 bytes")
        resource_name_bytes = m.resource_name.encode()
        principal_bytes = m.principal.encode()
        host_bytes = m.host.encode()
        return b"".join((prefix, _PACK_ub(m.id, m.resource_type), UVARINT[n + 1] if (n := len(resource_name_bytes)) < SHORT - 1 else string_prefix(n), resource_name_bytes, _PACK_b(m.pattern_type), UVARINT[n + 1] if (n := len(principal_bytes)) < SHORT - 1 else string_prefix(n), principal_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_bb(m.operation, m.permission_type), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_remove_access_control_entry_record_v0(m: RemoveAccessControlEntryRecord, prefix: bytes = b"") -> bytes:
    try:
        if len(m.id) != 16:
            raise ValueError("a uuid has 16 bytes")
        return b"".join((prefix, _PACK_u(m.id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_no_op_record_v0(m: NoOpRecord, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_zk_migration_state_record_v0(m: ZkMigrationStateRecord, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_b(m.zk_migration_state), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_remove_user_scram_credential_record_v0(m: RemoveUserScramCredentialRecord, prefix: bytes = b"") -> bytes:
    try:
        name_bytes = m.name.encode()
        return b"".join((prefix, UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_b(m.mechanism), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_begin_transaction_record_v0(m: BeginTransactionRecord, prefix: bytes = b"") -> bytes:
    try:
        tags: list[tuple[int, bytes]] = []
        if m.name is not None:
            name_bytes = m.name.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes))))
        return b"".join((prefix, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_end_transaction_record_v0(m: EndTransactionRecord, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_abort_transaction_record_v0(m: AbortTransactionRecord, prefix: bytes = b"") -> bytes:
    try:
        tags: list[tuple[int, bytes]] = []
        if m.reason is not None:
            reason_bytes = m.reason.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(reason_bytes)) < SHORT - 1 else string_prefix(n), reason_bytes))))
        return b"".join((prefix, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_remove_delegation_token_record_v0(m: RemoveDelegationTokenRecord, prefix: bytes = b"") -> bytes:
    try:
        token_id_bytes = m.token_id.encode()
        return b"".join((prefix, UVARINT[n + 1] if (n := len(token_id_bytes)) < SHORT - 1 else string_prefix(n), token_id_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_register_controller_record_controller_endpoint_v0(items: Sequence[RegisterControllerRecordControllerEndpoint], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            host_bytes = m.host.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_Hh(m.port, m.security_protocol), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_register_controller_record_controller_feature_v0(items: Sequence[RegisterControllerRecordControllerFeature], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_hh(m.min_supported_version, m.max_supported_version), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_register_controller_record_v0(m: RegisterControllerRecord, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        end_points_items = m.end_points
        out += (_PACK_iut(m.controller_id, m.incarnation_id, m.zk_migration_ready), length_prefix(len(end_points_items)))
        _encode_register_controller_record_controller_endpoint_v0(end_points_items, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        _encode_register_controller_record_controller_feature_v0(features_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_clear_elr_record_v0(m: ClearElrRecord, prefix: bytes = b"") -> bytes:
    try:
        topic_name_bytes = m.topic_name.encode()
        return b"".join((prefix, UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_unregister_controller_record_v0(m: UnregisterControllerRecord, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_i(m.controller_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_cluster_id_record_v0(m: ClusterIdRecord, prefix: bytes = b"") -> bytes:
    try:
        cluster_id_bytes = m.cluster_id.encode()
        return b"".join((prefix, UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_host_record_v0(m: BrokerHostRecord, prefix: bytes = b"") -> bytes:
    try:
        host_bytes = m.host.encode()
        return b"".join((prefix, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_i(m.broker_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_remove_controller_registration_record_v0(m: RemoveControllerRegistrationRecord, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_i(m.controller_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (RegisterBrokerRecord, 0): (decode_register_broker_record_v0, encode_register_broker_record_v0),
    (RegisterBrokerRecord, 1): (decode_register_broker_record_v1, encode_register_broker_record_v1),
    (RegisterBrokerRecord, 2): (decode_register_broker_record_v2, encode_register_broker_record_v2),
    (RegisterBrokerRecord, 3): (decode_register_broker_record_v3, encode_register_broker_record_v3),
    (RegisterBrokerRecord, 4): (decode_register_broker_record_v4, encode_register_broker_record_v4),
    (UnregisterBrokerRecord, 0): (decode_unregister_broker_record_v0, encode_unregister_broker_record_v0),
    (TopicRecord, 0): (decode_topic_record_v0, encode_topic_record_v0),
    (PartitionRecord, 0): (decode_partition_record_v0, encode_partition_record_v0),
    (PartitionRecord, 1): (decode_partition_record_v1, encode_partition_record_v1),
    (PartitionRecord, 2): (decode_partition_record_v2, encode_partition_record_v2),
    (ConfigRecord, 0): (decode_config_record_v0, encode_config_record_v0),
    (PartitionChangeRecord, 0): (decode_partition_change_record_v0, encode_partition_change_record_v0),
    (PartitionChangeRecord, 1): (decode_partition_change_record_v1, encode_partition_change_record_v1),
    (PartitionChangeRecord, 2): (decode_partition_change_record_v2, encode_partition_change_record_v2),
    (FenceBrokerRecord, 0): (decode_fence_broker_record_v0, encode_fence_broker_record_v0),
    (UnfenceBrokerRecord, 0): (decode_unfence_broker_record_v0, encode_unfence_broker_record_v0),
    (RemoveTopicRecord, 0): (decode_remove_topic_record_v0, encode_remove_topic_record_v0),
    (DelegationTokenRecord, 0): (decode_delegation_token_record_v0, encode_delegation_token_record_v0),
    (UserScramCredentialRecord, 0): (decode_user_scram_credential_record_v0, encode_user_scram_credential_record_v0),
    (FeatureLevelRecord, 0): (decode_feature_level_record_v0, encode_feature_level_record_v0),
    (ClientQuotaRecord, 0): (decode_client_quota_record_v0, encode_client_quota_record_v0),
    (ProducerIdsRecord, 0): (decode_producer_ids_record_v0, encode_producer_ids_record_v0),
    (BrokerRegistrationChangeRecord, 0): (decode_broker_registration_change_record_v0, encode_broker_registration_change_record_v0),
    (BrokerRegistrationChangeRecord, 1): (decode_broker_registration_change_record_v1, encode_broker_registration_change_record_v1),
    (BrokerRegistrationChangeRecord, 2): (decode_broker_registration_change_record_v2, encode_broker_registration_change_record_v2),
    (BrokerRegistrationChangeRecord, 3): (decode_broker_registration_change_record_v3, encode_broker_registration_change_record_v3),
    (AccessControlEntryRecord, 0): (decode_access_control_entry_record_v0, encode_access_control_entry_record_v0),
    (RemoveAccessControlEntryRecord, 0): (decode_remove_access_control_entry_record_v0, encode_remove_access_control_entry_record_v0),
    (NoOpRecord, 0): (decode_no_op_record_v0, encode_no_op_record_v0),
    (ZkMigrationStateRecord, 0): (decode_zk_migration_state_record_v0, encode_zk_migration_state_record_v0),
    (RemoveUserScramCredentialRecord, 0): (decode_remove_user_scram_credential_record_v0, encode_remove_user_scram_credential_record_v0),
    (BeginTransactionRecord, 0): (decode_begin_transaction_record_v0, encode_begin_transaction_record_v0),
    (EndTransactionRecord, 0): (decode_end_transaction_record_v0, encode_end_transaction_record_v0),
    (AbortTransactionRecord, 0): (decode_abort_transaction_record_v0, encode_abort_transaction_record_v0),
    (RemoveDelegationTokenRecord, 0): (decode_remove_delegation_token_record_v0, encode_remove_delegation_token_record_v0),
    (RegisterControllerRecord, 0): (decode_register_controller_record_v0, encode_register_controller_record_v0),
    (ClearElrRecord, 0): (decode_clear_elr_record_v0, encode_clear_elr_record_v0),
    (UnregisterControllerRecord, 0): (decode_unregister_controller_record_v0, encode_unregister_controller_record_v0),
    (ClusterIdRecord, 0): (decode_cluster_id_record_v0, encode_cluster_id_record_v0),
    (BrokerHostRecord, 0): (decode_broker_host_record_v0, encode_broker_host_record_v0),
    (RemoveControllerRegistrationRecord, 0): (decode_remove_controller_registration_record_v0, encode_remove_controller_registration_record_v0),
}
"""The decoder and the encoder of every message and version."""

MESSAGES: Final[tuple[type[Message], ...]] = (
    RegisterBrokerRecord,
    UnregisterBrokerRecord,
    TopicRecord,
    PartitionRecord,
    ConfigRecord,
    PartitionChangeRecord,
    FenceBrokerRecord,
    UnfenceBrokerRecord,
    RemoveTopicRecord,
    DelegationTokenRecord,
    UserScramCredentialRecord,
    FeatureLevelRecord,
    ClientQuotaRecord,
    ProducerIdsRecord,
    BrokerRegistrationChangeRecord,
    AccessControlEntryRecord,
    RemoveAccessControlEntryRecord,
    NoOpRecord,
    ZkMigrationStateRecord,
    RemoveUserScramCredentialRecord,
    BeginTransactionRecord,
    EndTransactionRecord,
    AbortTransactionRecord,
    RemoveDelegationTokenRecord,
    RegisterControllerRecord,
    ClearElrRecord,
    UnregisterControllerRecord,
    ClusterIdRecord,
    BrokerHostRecord,
    RemoveControllerRegistrationRecord,
)
"""Every message, in the order of the table."""
