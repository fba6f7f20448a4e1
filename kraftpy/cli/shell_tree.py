"""The state as a tree of directories and files, with the names and texts of Kafka's metadata shell.

Directories are looked up and not made: one with a million topics costs nothing until its names are listed. Files that
Kafka does not have are the cluster id and the broker ids of hosts, in ``cluster``.

Source: Kafka ``org.apache.kafka.image.node``; KIP-631 §Metadata shell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any, Final, TypeAlias

from kraftpy.image.acls import AccessControlEntry
from kraftpy.image.configs import BROKER, CLIENT_METRICS, CLUSTER_DEFAULT, GROUP, TOPIC, ConfigsImage
from kraftpy.image.delegation_tokens import DelegationToken
from kraftpy.image.image import MetadataImage
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.image.registrations import BrokerRegistration, ControllerRegistration
from kraftpy.image.scram import ScramCredential, ScramUser
from kraftpy.image.topics import TopicImage
from kraftpy.model.acls import AclOperation, AclResourceType, PatternType, PermissionType, number_or_unknown
from kraftpy.model.features import BY_LEVEL, METADATA_VERSION
from kraftpy.model.ids import Uuid, uuid_from_text, uuid_to_text
from kraftpy.model.registrations import Listener, SupportedFeature

HIDDEN: Final = "[redacted]"
"""What is shown in place of a secret. Source: Kafka ``MetadataNodeRedactionCriteria``."""

SECURITY_PROTOCOLS: Final = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
MECHANISMS: Final = {"SCRAM-SHA-256": 1, "SCRAM-SHA-512": 2}
CONFIG_TYPES: Final = {TOPIC: "TOPIC", BROKER: "BROKER", CLIENT_METRICS: "CLIENT_METRICS", GROUP: "GROUP"}
FINALIZED: Final = "finalized_"
LEVEL_MAX: Final = 32_767
QUOTA_TYPES: Final = {"client-id": "clientId", "ip": "ip", "user": "user"}

IsSecret: TypeAlias = Callable[[str, str | None], bool]
"""Whether the value of a config key is not to be shown."""


@dataclass(frozen=True, slots=True)
class LeafNode:
    """A node with a text."""

    text: str


@dataclass(frozen=True, slots=True)
class Directory:
    """A node with children.

    Attributes:
        names: returns the names of all children, in no particular order.
        child: returns the child of a name, ``None`` when there is none.
    """

    names: Callable[[], Iterable[str]]
    child: Callable[[str], Node | None]


Node: TypeAlias = LeafNode | Directory


def fixed(children: Mapping[str, Callable[[], Node]]) -> Directory:
    """Make a directory whose names never change."""
    return Directory(lambda: children, lambda name: children[name]() if name in children else None)


def mapped(
    values: Mapping[Any, Any],
    node: Callable[[Any], Node],
    name_of: Callable[[Any], str] = str,
    key_of: Callable[[str], Any] = str,
) -> Directory:
    """Make a directory of a mapping: a child for each key, made of its value."""

    def child(name: str) -> Node | None:
        key = key_of(name)
        return node(values[key]) if key in values and name_of(key) == name else None

    return Directory(lambda: map(name_of, values), child)


def image_tree(image: MetadataImage, is_secret: IsSecret | None = None) -> Directory:
    """Return the directory of a state.

    Args:
        image: the state.
        is_secret: finds secrets among config values; credentials and tokens are secrets, too.
            ``None`` shows everything.
    """
    return fixed(
        {
            "provenance": lambda: LeafNode(_provenance(image)),
            "features": lambda: _features(image),
            "cluster": lambda: _cluster(image),
            "topics": lambda: _topics(image),
            "configs": lambda: _configs(image.configs, is_secret),
            "clientQuotas": lambda: _quotas(image),
            "producerIds": lambda: fixed(
                {"nextProducerId": lambda: LeafNode(str(image.producer_ids.next_producer_id))}
            ),
            "acls": lambda: fixed(
                {"byId": lambda: mapped(image.acls.entries, lambda one: LeafNode(_acl(one)), uuid_to_text, _uuid)}
            ),
            "scram": lambda: _scram(image, shows_secrets=is_secret is None),
            "delegationToken": lambda: mapped(
                image.delegation_tokens.tokens, lambda one: LeafNode(_token(one, shows_secrets=is_secret is None))
            ),
        }
    )


def _provenance(image: MetadataImage) -> str:
    at = image.provenance
    return f"offset {at.offset}, epoch {at.epoch}, time {_time(at.timestamp_ms)}"


def _time(timestamp_ms: int) -> str:
    seconds, ms = divmod(timestamp_ms, 1_000)
    try:
        time = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    except (ValueError, OverflowError, OSError):  # a file may say any number
        return f"{timestamp_ms} ms"
    return f"{time}{f'.{ms:03}' if ms else ''}Z[UTC]"


def _features(image: MetadataImage) -> Directory:
    levels = {name: level for name, level in image.features.levels.items() if name != METADATA_VERSION}

    def child(name: str) -> Node | None:
        if name == "metadataVersion":
            known = METADATA_VERSION in image.features.levels
            version = BY_LEVEL.get(image.level)
            return LeafNode(f"Optional[{version.name if version else image.level}]" if known else "Optional.empty")
        # As in Kafka, a feature that is not finalized has level 0.
        return LeafNode(str(levels.get(name.removeprefix(FINALIZED), 0))) if name.startswith(FINALIZED) else None

    return Directory(lambda: ("metadataVersion", *(f"{FINALIZED}{name}" for name in levels)), child)


def _cluster(image: MetadataImage) -> Directory:
    children: dict[str, Callable[[], Node]] = {
        "brokers": lambda: mapped(image.cluster.brokers, lambda one: LeafNode(_broker(one)), str, _number),
        "controllers": lambda: mapped(image.cluster.controllers, lambda one: LeafNode(_controller(one)), str, _number),
    }
    cluster_id = image.cluster_id.value
    if cluster_id is not None:
        children["id"] = lambda: LeafNode(cluster_id)
    if image.broker_hosts.ids:
        children["hosts"] = lambda: mapped(image.broker_hosts.ids, lambda broker_id: LeafNode(str(broker_id)))
    return fixed(children)


def _topics(image: MetadataImage) -> Directory:
    topics = image.topics
    return fixed(
        {
            "byName": lambda: mapped(topics.ids_by_name, lambda topic_id: _topic(topics.by_id[topic_id])),
            "byId": lambda: mapped(topics.by_id, _topic, uuid_to_text, _uuid),
        }
    )


def _topic(topic: TopicImage) -> Directory:
    def child(name: str) -> Node | None:
        if name == "name":
            return LeafNode(topic.name)
        if name == "id":
            return LeafNode(uuid_to_text(topic.id))
        number = _number(name)
        partition = None if number is None else topic.partitions.get(number)
        return None if partition is None else LeafNode(_partition(partition))

    return Directory(lambda: ("name", "id", *map(str, topic.partitions)), child)


def _configs(configs: ConfigsImage, is_secret: IsSecret | None) -> Directory:
    names = {_resource_name(one.type, one.name): one for one in configs.resources()}

    def resource(name: str) -> Node | None:
        one = names.get(name)
        if one is None:
            return None
        values = configs.of(one.type, one.name)

        def value(key: str) -> Node | None:
            if key not in values:
                return None
            hides = is_secret is not None and is_secret(key, values[key])
            return LeafNode(HIDDEN if hides else values[key])

        return Directory(lambda: values, value)

    return Directory(lambda: names, resource)


def _resource_name(resource_type: int, name: str) -> str:
    kind = CONFIG_TYPES.get(resource_type, f"UNKNOWN_{resource_type}")
    return kind if name == CLUSTER_DEFAULT else f"{kind}:{name}"


def _quotas(image: MetadataImage) -> Directory:
    entities = image.client_quotas.entities
    names = {_entity_name(entity): entity for entity in entities}
    return mapped(names, lambda entity: mapped(entities[entity], lambda value: LeafNode(java_double(value))))


def _entity_name(entity: tuple[tuple[str, str | None], ...]) -> str:
    """Return the parts of an entity by type. The default of a type has no name of its own in Kafka's shell."""
    parts = (f"{QUOTA_TYPES.get(kind, kind)}({_escaped(name)})" for kind, name in entity if name is not None)
    return "_".join(parts) or "_".join(f"{QUOTA_TYPES.get(kind, kind)}(<default>)" for kind, _ in entity)


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _scram(image: MetadataImage, *, shows_secrets: bool) -> Directory:
    def users(mechanism: int) -> Directory:
        credentials = image.scram.credentials

        def child(name: str) -> Node | None:
            found = credentials.get(ScramUser(mechanism, name))
            return None if found is None else LeafNode(_credential(found, shows_secrets=shows_secrets))

        return Directory(lambda: (one.name for one in credentials if one.mechanism == mechanism), child)

    return mapped(MECHANISMS, users)


def _credential(one: ScramCredential, *, shows_secrets: bool) -> str:
    shown = (
        (one.salt.hex(), one.stored_key.hex(), one.server_key.hex(), str(one.iterations))
        if shows_secrets
        else (HIDDEN,) * 4
    )
    return "ScramCredentialData(salt={}, storedKey={}, serverKey={}, iterations={})".format(*shown)


def _token(one: DelegationToken, *, shows_secrets: bool) -> str:
    """Return a token as Kafka does, with its unbalanced parentheses."""
    shown = (
        (
            one.token_id,
            one.owner,
            one.requester,
            " ".join(one.renewers),
            str(one.issue_timestamp_ms),
            str(one.max_timestamp_ms),
            str(one.expiration_timestamp_ms),
        )
        if shows_secrets
        else (HIDDEN,) * 7
    )
    return (
        "DelegationTokenDatatokenId={}(owner={}(tokenRequester={}(renewers={}, issueTimestamp={}, maxTimestamp={}), "
        "expiryTimestamp={}"
    ).format(*shown)


def _broker(one: BrokerRegistration) -> str:
    cordoned = "null" if one.cordoned_log_dirs is None else _uuids(one.cordoned_log_dirs)
    return (
        f"BrokerRegistration(id={one.broker_id}, epoch={one.broker_epoch}, "
        f"incarnationId={uuid_to_text(one.incarnation_id)}, listeners={_listeners(one.listeners)}, "
        f"supportedFeatures={_ranges(one.features)}, rack={_optional(one.rack)}, fenced={_java(one.fenced)}, "
        f"inControlledShutdown={_java(one.in_controlled_shutdown)}, "
        f"isMigratingZkBroker={_java(one.is_migrating_zk_broker)}, directories={_uuids(one.log_dirs)}, "
        f"cordonedDirectories={cordoned})"
    )


def _controller(one: ControllerRegistration) -> str:
    return (
        f"ControllerRegistration(id={one.controller_id}, incarnationId={uuid_to_text(one.incarnation_id)}, "
        f"zkMigrationReady={_java(one.zk_migration_ready)}, listeners={_listeners(one.listeners)}, "
        f"supportedFeatures={_ranges(one.features)})"
    )


def _partition(one: PartitionRegistration) -> str:
    return (
        f"PartitionRegistration(replicas={_numbers(one.replicas)}, directories={_uuids(one.directories)}, "
        f"isr={_numbers(one.isr)}, removingReplicas={_numbers(one.removing_replicas)}, "
        f"addingReplicas={_numbers(one.adding_replicas)}, elr={_numbers(one.elr)}, "
        f"lastKnownElr={_numbers(one.last_known_elr)}, leader={-1 if one.leader is None else one.leader}, "
        f"leaderRecoveryState={one.leader_recovery_state.name}, leaderEpoch={one.leader_epoch}, "
        f"partitionEpoch={one.partition_epoch})"
    )


def _acl(one: AccessControlEntry) -> str:
    return (
        f"StandardAcl[resourceType={_named(AclResourceType, one.resource_type)}, resourceName={one.resource_name}, "
        f"patternType={_named(PatternType, one.pattern_type)}, principal={one.principal}, host={one.host}, "
        f"operation={_named(AclOperation, one.operation)}, "
        f"permissionType={_named(PermissionType, one.permission_type)}]"
    )


def _named(kind: type[IntEnum], number: int) -> str:
    return kind(number_or_unknown(kind, number)).name


def _listeners(listeners: Iterable[Listener]) -> str:
    texts = (
        f"Endpoint(listenerName='{one.name}', securityProtocol={_protocol(one.security_protocol)}, host='{one.host}', "
        f"port={one.port})"
        for one in listeners
    )
    return f"[{', '.join(texts)}]"


def _protocol(number: int) -> str:
    return SECURITY_PROTOCOLS[number] if 0 <= number < len(SECURITY_PROTOCOLS) else str(number)


def _ranges(features: Iterable[SupportedFeature]) -> str:
    return f"{{{', '.join(f'{one.name}: {_range(one)}' for one in features)}}}"


def _range(one: SupportedFeature) -> str:
    if one.min_level == one.max_level:
        return str(one.min_level)
    return f"{one.min_level}+" if one.max_level == LEVEL_MAX else f"{one.min_level}-{one.max_level}"


def _optional(text: str | None) -> str:
    return "Optional.empty" if text is None else f"Optional[{text}]"


def _java(value: bool) -> str:  # noqa: FBT001 - a value to be shown
    return "true" if value else "false"


def _numbers(values: Iterable[int]) -> str:
    return f"[{', '.join(map(str, values))}]"


def _uuids(values: Iterable[Uuid]) -> str:
    return f"[{', '.join(map(uuid_to_text, values))}]"


def _number(name: str) -> int | None:
    return int(name) if name.isascii() and name.removeprefix("-").isdecimal() else None


def _uuid(name: str) -> Uuid | None:
    try:
        return uuid_from_text(name)
    except ValueError:
        return None


def java_double(value: float) -> str:
    """Return a number as Java prints a double: scientific below 0.001 and from 10,000,000 on."""
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(float(value))
    digits, _, exponent = f"{value:e}".partition("e")
    for precision in range(17):
        digits, _, exponent = f"{value:.{precision}e}".partition("e")
        if float(f"{digits}e{exponent}") == value:
            break
    return f"{digits if '.' in digits else f'{digits}.0'}E{int(exponent)}"
