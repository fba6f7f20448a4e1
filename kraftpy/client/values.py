"""Arguments and results of the client: plain values, so that callers need not know the wire format.

Registrations and heartbeats are the values of ``kraftpy.model.registrations``. Every result of a write has the position
at which it was committed, every result of a read the position of its state.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from kraftpy.client.image_changes import changes_in
from kraftpy.client.records import MetadataChange as MetadataChange  # noqa: PLC0414 - callers import it from here
from kraftpy.client.uuids import Uuid
from kraftpy.model.acls import AclOperation as AclOperation  # noqa: PLC0414 - callers import it from here
from kraftpy.model.acls import AclResourceType as AclResourceType  # noqa: PLC0414 - callers import it from here
from kraftpy.model.acls import PatternType as PatternType  # noqa: PLC0414 - callers import it from here
from kraftpy.model.acls import PermissionType as PermissionType  # noqa: PLC0414 - callers import it from here
from kraftpy.model.config_sources import ConfigSource as ConfigSource  # noqa: PLC0414 - callers import it from here
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.model.registrations import Listener, SupportedFeature
from kraftpy.model.resource_types import ResourceType as ResourceType  # noqa: PLC0414 - callers import it from here
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.records.authors import Author


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a committed write: the offset of its last record, and the leader epoch."""

    offset: Offset
    epoch: Epoch


@dataclass(frozen=True, slots=True)
class Freshness:
    """The position and the consistency of the state from which a read was answered.

    Attributes:
        age_ms: how old the state may be: a guarantee for a linearizable read, otherwise a hint; see ``ReadPosition`` of
            the API.
        last_offset: of a list that came in several pages: the offset of the last page; ``None`` of every other read.
    """

    offset: Offset
    epoch: Epoch
    age_ms: int
    consistency: Consistency = Consistency.COMMITTED
    last_offset: Offset | None = None


@dataclass(frozen=True, slots=True)
class BrokerRegistered:
    """The epoch that every later call of the broker must carry."""

    position: Position
    broker_epoch: int


@dataclass(frozen=True, slots=True)
class HeartbeatAnswered:
    """The state of the broker as the controller sees it."""

    position: Position
    is_caught_up: bool
    is_fenced: bool
    in_controlled_shutdown: bool
    should_shut_down: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InSyncReplicas:
    """The in-sync replicas of one partition, as its leader sees them.

    Attributes:
        leader_epoch: of the leader that reports.
        partition_epoch: of the state that it reports on.
        isr: broker ids with their broker epochs; ``None`` for one that the leader does not know.
        recovering: whether the leader still recovers from an unclean election.
    """

    topic_id: Uuid
    partition: int
    leader_epoch: int
    partition_epoch: int
    isr: Mapping[NodeId, int | None]
    recovering: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InSyncOutcome:
    """The result for one partition: with NONE its state from now on, else why it is not altered."""

    topic_id: Uuid
    partition: int
    error: ErrorCode = ErrorCode.NONE
    leader: NodeId | None = None
    leader_epoch: int = 0
    partition_epoch: int = 0
    isr: tuple[NodeId, ...] = ()
    recovering: bool = False


@dataclass(frozen=True, slots=True)
class InSyncAltered:
    """One outcome per partition, in request order."""

    position: Position
    outcomes: tuple[InSyncOutcome, ...]


@dataclass(frozen=True, slots=True)
class ReplicaOutcome:
    """The result for one replica; ``error`` is NONE when its directory is recorded."""

    topic_id: Uuid
    partition: int
    directory_id: Uuid
    error: ErrorCode = ErrorCode.NONE


@dataclass(frozen=True, slots=True)
class ReplicasAssigned:
    """One outcome per replica, by directory and topic."""

    position: Position
    outcomes: tuple[ReplicaOutcome, ...]


@dataclass(frozen=True, slots=True)
class ProducerIds:
    """A block of ids, from ``start`` on, which no other broker gets."""

    position: Position
    start: int
    length: int


class BrokerIdOrigin(enum.IntEnum):
    """Where an assigned broker id comes from."""

    HOST = 0
    """A broker on this host registered with it before."""
    MISSING = 1
    """It is the only one in replica assignments whose broker is not registered."""
    GENERATED = 2
    """No broker had it before."""


@dataclass(frozen=True, slots=True)
class BrokerIdAssigned:
    """An id that is reserved for the process until it registers, or until its session timeout has passed."""

    position: Position
    broker_id: NodeId
    origin: BrokerIdOrigin


class FeatureChangeKind(enum.IntEnum):
    """The direction in which a level may change; an unsafe downgrade may lose metadata."""

    UPGRADE = 1
    SAFE_DOWNGRADE = 2
    UNSAFE_DOWNGRADE = 3


@dataclass(frozen=True, slots=True)
class FeatureChange:
    """Set a feature to a level; 0 removes it."""

    name: str
    level: int
    kind: FeatureChangeKind = FeatureChangeKind.UPGRADE


@dataclass(frozen=True, slots=True, order=True)
class Resource:
    """An entity that has configs; the BROKER with the empty name is the cluster-wide default."""

    type: int
    name: str


class ConfigOp(enum.IntEnum):
    """An operation on one key."""

    SET = 0
    DELETE = 1
    APPEND = 2
    SUBTRACT = 3


@dataclass(frozen=True, slots=True)
class ConfigChange:
    """One operation on one key; ``value`` is ``None`` for DELETE."""

    name: str
    value: str | None
    op: ConfigOp = ConfigOp.SET


@dataclass(frozen=True, slots=True)
class ConfigOutcome:
    """The result for one resource; ``error`` is NONE when its changes were accepted."""

    resource: Resource
    error: ErrorCode = ErrorCode.NONE
    message: str = ""


@dataclass(frozen=True, slots=True)
class ConfigsAltered:
    """One outcome per resource, in request order."""

    position: Position
    outcomes: tuple[ConfigOutcome, ...]


class RackUse(enum.IntEnum):
    """What a placement does where some brokers have a rack and others have none."""

    SAFE = 0
    ENFORCED = 1
    DISABLED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """How new partitions are placed.

    Attributes:
        placer: "striped" or "kip36"; ``None`` for what the active controller is configured for.
        seed: the same seed, brokers and counts give the same plan; ``None``: a random one.
        explain: whether the answer has the plan, with a reason for each replica.
    """

    placer: str | None = None
    seed: int | None = None
    racks: RackUse = RackUse.SAFE
    explain: bool = False


ANY_PLACEMENT = Placement()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTopic:
    """A topic to be created.

    Attributes:
        partitions: ``None`` for the controller's default, or what ``assignments`` has.
        replication_factor: as ``partitions``.
        assignments: partition to its replicas, all from 0 on; empty to have them placed.
    """

    name: str
    partitions: int | None = None
    replication_factor: int | None = None
    assignments: Mapping[int, Sequence[NodeId]] = field(default_factory=dict)
    configs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PartitionIncrease:
    """Increase a topic to ``total`` partitions; ``assignments`` are those of the new ones, if given."""

    name: str
    total: int
    assignments: Sequence[Sequence[NodeId]] = ()


@dataclass(frozen=True, slots=True)
class PlannedPartition:
    """Where a partition is placed, and why each of its replicas is there."""

    partition: int
    replicas: tuple[NodeId, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TopicPlan:
    """What a placer chose; ``placer`` is empty and ``seed`` ``None`` for a manual assignment."""

    placer: str
    seed: int | None
    partitions: tuple[PlannedPartition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicOutcome:
    """The result for one topic; ``error`` is NONE when it was done.

    Attributes:
        name: empty for a topic that was named by an unknown id.
        topic_id: ``None`` when it is not known.
        partitions: how many the topic has now, or had when it was deleted.
        plan: of a call that asks for explanations.
    """

    name: str
    topic_id: Uuid | None
    error: ErrorCode = ErrorCode.NONE
    message: str = ""
    partitions: int = 0
    replication_factor: int = 0
    plan: TopicPlan | None = None


@dataclass(frozen=True, slots=True)
class TopicsChanged:
    """One outcome per topic, in the order asked.

    Attributes:
        throttle_time_ms: how long to wait before the next change of topics, because of the client's quota; 0 when there
            is no need.
    """

    position: Position
    outcomes: tuple[TopicOutcome, ...]
    throttle_time_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionInfo:
    """The state of one partition; ``leader`` is ``None`` while there is none."""

    partition: int
    leader: NodeId | None
    leader_epoch: int
    partition_epoch: int
    replicas: tuple[NodeId, ...]
    isr: tuple[NodeId, ...]
    elr: tuple[NodeId, ...]
    last_known_elr: tuple[NodeId, ...]
    adding_replicas: tuple[NodeId, ...]
    removing_replicas: tuple[NodeId, ...]
    directories: tuple[Uuid, ...]
    recovering: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicInfo:
    """One topic; ``configs`` is what it overrides, ``partitions`` ascending."""

    name: str
    topic_id: Uuid
    partition_count: int
    replication_factor: int
    configs: dict[str, str]
    min_insync_replicas: int
    partitions: tuple[PartitionInfo, ...]


@dataclass(frozen=True, slots=True)
class Topics:
    """Topics, ascending by name, and the requested names that no topic has; as of the first page."""

    freshness: Freshness
    topics: tuple[TopicInfo, ...]
    unknown: tuple[str, ...]


class LeaderElectionType(enum.IntEnum):
    """Which leader is elected; an unclean election may lose acknowledged messages."""

    PREFERRED = 0
    UNCLEAN = 1


@dataclass(frozen=True, slots=True)
class PartitionResult:
    """The result for one partition; ``error`` is NONE when it was done."""

    topic: str
    partition: int
    error: ErrorCode = ErrorCode.NONE
    message: str = ""


@dataclass(frozen=True, slots=True)
class PartitionsChanged:
    """One outcome per partition, in the order asked."""

    position: Position
    outcomes: tuple[PartitionResult, ...]


@dataclass(frozen=True, slots=True)
class OngoingReassignment:
    """A partition whose replicas are being moved; ``replicas`` has the new ones first."""

    topic: str
    partition: int
    replicas: tuple[NodeId, ...]
    adding_replicas: tuple[NodeId, ...]
    removing_replicas: tuple[NodeId, ...]


@dataclass(frozen=True, slots=True)
class Reassignments:
    """Ongoing reassignments, ascending by topic and partition; as of the first page."""

    freshness: Freshness
    reassignments: tuple[OngoingReassignment, ...]


Entity: TypeAlias = Mapping[str, str | None]
"""Type ("user", "client-id" or "ip") to name of what has quotas; ``None`` is the default of the type."""


@dataclass(frozen=True, slots=True)
class QuotaOutcome:
    """The result for one entity; ``error`` is NONE when its changes were accepted."""

    entity: Entity
    error: ErrorCode = ErrorCode.NONE
    message: str = ""


@dataclass(frozen=True, slots=True)
class QuotasAltered:
    """One outcome per entity, in the order asked."""

    position: Position
    outcomes: tuple[QuotaOutcome, ...]


@dataclass(frozen=True, slots=True)
class Quotas:
    """Entities with their quotas by key, ascending by entity."""

    freshness: Freshness
    entities: tuple[tuple[Entity, dict[str, float]], ...]


class ScramMechanism(enum.IntEnum):
    """A SCRAM mechanism."""

    SHA_256 = 1
    SHA_512 = 2


@dataclass(frozen=True, slots=True)
class NewScramCredential:
    """A credential to be set; the salted password is as good as the password, so it is never shown."""

    user: str
    mechanism: ScramMechanism
    iterations: int
    salt: bytes = field(repr=False)
    salted_password: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ScramOutcome:
    """The result for one user; ``error`` is NONE when its changes were accepted."""

    user: str
    error: ErrorCode = ErrorCode.NONE
    message: str = ""


@dataclass(frozen=True, slots=True)
class ScramAltered:
    """One outcome per user, in the order in which they were first named."""

    position: Position
    outcomes: tuple[ScramOutcome, ...]


@dataclass(frozen=True, slots=True)
class ScramUsers:
    """Iterations by user, then by mechanism; ascending by user."""

    freshness: Freshness
    users: dict[str, dict[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AclEntry:
    """An access control entry: who may, or may not, do what to which resources, from where.

    Attributes:
        resource_name: the name, or a prefix of it; the literal ``*`` is every name.
        principal: type and name, such as ``User:alice``; ``User:*`` is everyone.
        host: an IP address; ``*`` is every host.
    """

    resource_type: AclResourceType
    resource_name: str
    pattern_type: PatternType = PatternType.LITERAL
    principal: str
    host: str = "*"
    operation: AclOperation
    permission_type: PermissionType = PermissionType.ALLOW


@dataclass(frozen=True, slots=True, kw_only=True)
class AclMatch:
    """Which access control entries are meant: every part must match; by default, every entry."""

    resource_type: AclResourceType = AclResourceType.ANY
    resource_name: str | None = None
    pattern_type: PatternType = PatternType.ANY
    principal: str | None = None
    host: str | None = None
    operation: AclOperation = AclOperation.ANY
    permission_type: PermissionType = PermissionType.ANY


EVERY_ACL: Final = AclMatch()
"""Matches every access control entry."""


@dataclass(frozen=True, slots=True)
class AclOutcome:
    """The result for one entry, or for one filter with what it matched; ``error`` is NONE when it was accepted."""

    entries: tuple[AclEntry, ...] = ()
    error: ErrorCode = ErrorCode.NONE
    message: str = ""


@dataclass(frozen=True, slots=True)
class AclsChanged:
    """One outcome per entry or filter, in the order asked."""

    position: Position
    outcomes: tuple[AclOutcome, ...]


@dataclass(frozen=True, slots=True)
class Acls:
    """Access control entries, ascending by resource."""

    freshness: Freshness
    entries: tuple[AclEntry, ...]


class BrokerHostState(enum.IntEnum):
    """The state of the broker whose id a host has."""

    UNKNOWN = 0
    UNREGISTERED = 1
    FENCED = 2
    ACTIVE = 3

    @classmethod
    def _missing_(cls, value: object) -> BrokerHostState:
        """Take a state that a later server has."""
        del value
        return cls.UNKNOWN


@dataclass(frozen=True, slots=True)
class BrokerHost:
    """The broker id of a host (KIP-426)."""

    host: str
    broker_id: NodeId
    state: BrokerHostState


@dataclass(frozen=True, slots=True)
class BrokerHosts:
    """The broker ids of hosts, ascending by host."""

    freshness: Freshness
    hosts: tuple[BrokerHost, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DelegationTokenInfo:
    """A delegation token, without its HMAC; times in milliseconds since 1970.

    Attributes:
        token_id: empty when its creation was only validated.
        owner: as whom it authenticates, such as ``User:alice``.
        requester: who created it.
        renewers: who may renew it, besides its owner.
        issue_timestamp_ms: when it was created.
        expiration_timestamp_ms: when it expires unless it is renewed.
        max_timestamp_ms: when it expires even if it is renewed.
    """

    token_id: str
    owner: str
    requester: str
    renewers: tuple[str, ...]
    issue_timestamp_ms: int
    expiration_timestamp_ms: int
    max_timestamp_ms: int


@dataclass(frozen=True, slots=True)
class CreatedDelegationToken:
    """A new token, and its HMAC, which no other call returns."""

    position: Position
    token: DelegationTokenInfo
    hmac: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class DelegationTokens:
    """Delegation tokens, ascending by id."""

    freshness: Freshness
    tokens: tuple[DelegationTokenInfo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerInfo:
    """A registered broker.

    Attributes:
        log_dirs: ids of its log directories that are online.
        cordoned_log_dirs: those that take no new replicas (KIP-1066).
        saturated_log_dirs: those that are full (KIP-928).
    """

    broker_id: NodeId
    epoch: int
    incarnation_id: Uuid
    listeners: tuple[Listener, ...]
    features: tuple[SupportedFeature, ...]
    rack: str | None
    fenced: bool
    in_controlled_shutdown: bool
    log_dirs: tuple[Uuid, ...]
    cordoned_log_dirs: tuple[Uuid, ...] = ()
    saturated_log_dirs: tuple[Uuid, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LogDirInfo:
    """A log directory of a broker.

    Attributes:
        directory_id: ``None`` for a directory that could not be used when the broker started.
        state: ``online``, ``saturated`` (full, KIP-928) or ``offline``.
        reason: why it is not online; empty if it is.
        total_bytes: size of its file system; ``None`` when that is not known.
        usable_bytes: what the broker may still write there; ``None`` when that is not known.
        reserve_bytes: size of its reserve; 0 without one.
    """

    path: str
    directory_id: Uuid | None
    state: str
    reason: str
    total_bytes: int | None
    usable_bytes: int | None
    reserve_bytes: int
    cordoned: bool


@dataclass(frozen=True, slots=True)
class LogDirs:
    """The log directories of the node that answered, ascending by path; a controller has none."""

    node_id: NodeId
    log_dirs: tuple[LogDirInfo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerInfo:
    """A registered controller."""

    controller_id: NodeId
    incarnation_id: Uuid
    listeners: tuple[Listener, ...]
    features: tuple[SupportedFeature, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterInfo:
    """The members, ascending by id; ``controller_id`` is the active controller."""

    freshness: Freshness
    cluster_id: str | None
    controller_id: NodeId | None
    brokers: tuple[BrokerInfo, ...]
    controllers: tuple[ControllerInfo, ...]


@dataclass(frozen=True, slots=True)
class FeatureDescription:
    """The finalized level of a feature (0 for none), and the levels that the node supports."""

    name: str
    finalized_level: int
    min_supported_level: int | None
    max_supported_level: int | None


@dataclass(frozen=True, slots=True)
class Features:
    """Feature levels, ascending by name."""

    freshness: Freshness
    features: tuple[FeatureDescription, ...]


@dataclass(frozen=True, slots=True)
class ConfigSynonym:
    """A value for a key at one place, where the key may have another name."""

    name: str
    value: str
    source: ConfigSource


@dataclass(frozen=True, slots=True)
class ConfigEntry:
    """One key, set or not.

    Attributes:
        value: the one in force at the node that answered; ``"[hidden]"`` for a secret.
        synonyms: every place that has a value for it, the one in force first.
    """

    name: str
    value: str
    source: ConfigSource
    is_sensitive: bool
    synonyms: tuple[ConfigSynonym, ...]


@dataclass(frozen=True, slots=True)
class Configs:
    """Values by resource, then by key.

    Attributes:
        entries: the same keys, with where their values come from, where ``include_defaults`` asked for that.
    """

    freshness: Freshness
    resources: dict[Resource, dict[str, str]]
    entries: dict[Resource, tuple[ConfigEntry, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaInfo:
    """The leader's view of one replica."""

    key: ReplicaKey
    log_end_offset: Offset | None
    last_fetch_ms: int | None
    last_caught_up_ms: int | None
    endpoints: tuple[Endpoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuorumInfo:
    """The leader's view of the quorum."""

    freshness: Freshness
    leader_id: NodeId | None
    leader_epoch: Epoch
    high_watermark: Offset | None
    voters: tuple[ReplicaInfo, ...]
    observers: tuple[ReplicaInfo, ...]


@dataclass(frozen=True, slots=True)
class ImageRecords:
    """A whole state: the record batches of a snapshot that contains all offsets below ``end_offset``.

    Its method ``changes()`` iterates over the records as values.
    """

    end_offset: Offset
    epoch: Epoch
    records: bytes
    consistency: Consistency = Consistency.COMMITTED

    def changes(self) -> Iterator[MetadataChange]:
        """Iterate over the records as values; those of a type that is unknown here are left out.

        Raises:
            MalformedError: a batch or a record cannot be read.
        """
        return changes_in(self.records)


class MetadataSlice(enum.IntEnum):
    """A part of the metadata whose changes can be watched."""

    FEATURES = 1
    CLUSTER_ID = 2
    CLUSTER = 3
    """Registrations of brokers and controllers."""
    BROKER_HOSTS = 4
    TOPICS = 5
    """Topics and their partitions."""
    CONFIGS = 6
    CLIENT_QUOTAS = 7
    PRODUCER_IDS = 8
    ACLS = 9
    SCRAM = 10
    DELEGATION_TOKENS = 11


@dataclass(frozen=True, slots=True)
class SnapshotBegins:
    """Discard the state built so far: a snapshot of everything below ``end_offset`` follows."""

    end_offset: Offset
    epoch: Epoch


@dataclass(frozen=True, slots=True)
class SnapshotPart:
    """Whole record batches of the snapshot; ``json`` is filled on request, ``changes`` in place of ``records``."""

    records: bytes
    json: tuple[str, ...] = ()
    changes: tuple[MetadataChange, ...] = ()


@dataclass(frozen=True, slots=True)
class SnapshotEnds:
    """The snapshot is complete; batches from ``end_offset`` on follow."""

    end_offset: Offset


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedBatch:
    """One committed batch, as in the log; ``changes`` are its records on request, in place of ``records``.

    Attributes:
        authors: who asked for each of the changes, in their order; ``None`` where the log names no author.
    """

    base_offset: Offset
    last_offset: Offset
    epoch: Epoch
    is_control: bool
    records: bytes
    json: tuple[str, ...] = ()
    changes: tuple[MetadataChange, ...] = ()
    authors: tuple[Author | None, ...] = ()


WatchEvent: TypeAlias = SnapshotBegins | SnapshotPart | SnapshotEnds | WatchedBatch
