"""Named settings: features, configs, quotas, ACLs, credentials, tokens, ids.

Each of them is a shard of its own and independent of the others. A null config value deletes its key, a feature level
of 0 the feature, a quota with ``remove`` the limit. Secrets stay in memory for comparison and are redacted in the
output.

Source: Kafka ``FeaturesDelta``, ``ConfigurationDelta``, ``ClientQuotasDelta``, ``AclsDelta``, ``ScramDelta``,
``DelegationTokenDelta``, ``ProducerIdsDelta``; KIP-1262 §ClusterIdRecord.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from kraftpy.audit.redaction import REDACTED, is_secret
from kraftpy.audit.replay.slice import EntityKey, Held, IllegalRecordError, RecordPosition, Slice, as_json, redacted
from kraftpy.model.ids import uuid_to_text
from kraftpy.records.json_text import number_to_json
from kraftpy.records.metadata import (
    AccessControlEntryRecord,
    ClientQuotaRecord,
    ClusterIdRecord,
    ConfigRecord,
    DelegationTokenRecord,
    FeatureLevelRecord,
    ProducerIdsRecord,
    RemoveAccessControlEntryRecord,
    RemoveDelegationTokenRecord,
    RemoveUserScramCredentialRecord,
    UserScramCredentialRecord,
    ZkMigrationStateRecord,
)

HistoryRow = tuple[str, tuple[Any, ...]]
StateRow = tuple[str, RecordPosition, tuple[Any, ...]]

DEFAULT_ENTITY: Final = "<default>"
CONFIG_TYPES: Final = {2: "topic", 4: "broker", 8: "broker-logger", 16: "client-metrics", 32: "group"}
TOPIC_CONFIG: Final = 2
MECHANISMS: Final = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
ACL_RESOURCES: Final = {2: "topic", 3: "group", 4: "cluster", 5: "transactional-id", 6: "delegation-token", 7: "user"}
ACL_PATTERNS: Final = {3: "literal", 4: "prefixed"}
ACL_PERMISSIONS: Final = {2: "deny", 3: "allow"}
ACL_OPERATIONS: Final = {
    2: "all", 3: "read", 4: "write", 5: "create", 6: "delete", 7: "alter", 8: "describe", 9: "cluster-action",
    10: "describe-configs", 11: "alter-configs", 12: "idempotent-write", 13: "create-tokens", 14: "describe-tokens",
    15: "two-phase-commit",
}  # fmt: skip


def named(names: dict[int, str], number: int) -> str:
    """Return the name of a number, or the number if it has none."""
    return names.get(number, str(number))


class FeatureSlice(Slice):
    """One feature's finalized level."""

    TAKES: ClassVar = frozenset({FeatureLevelRecord})

    def __init__(self) -> None:
        self._name = ""
        self._held: Held | None = None

    def replay(self, record: Any, place: RecordPosition) -> Iterator[HistoryRow]:
        """Replay one record; see :class:`Slice`."""
        self._name = record.name
        self._held = Held({"level": record.feature_level}, place) if record.feature_level else None
        yield from ()

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the feature, if it is on."""
        if self._held is not None:
            yield ("feature", self._name), self._held

    def rows(self) -> Iterator[StateRow]:
        """Iterate over rows of ``features``."""
        if self._held is not None:
            place = self._held.place
            yield "features", place, (self._name, self._held.value["level"], place.offset)


class ConfigSlice(Slice):
    """One resource's values."""

    TAKES: ClassVar = frozenset({ConfigRecord})

    def __init__(self) -> None:
        self._type = 0
        self._resource = ""
        self._values: dict[str, Held] = {}

    def replay(self, record: Any, place: RecordPosition) -> Iterator[HistoryRow]:
        """Replay one record; see :class:`Slice`."""
        self._type, self._resource = record.resource_type, record.resource_name
        if record.value is None:
            self._values.pop(record.name, None)
        else:
            self._values[record.name] = Held(record.value, place)
        yield from ()

    def forget(self) -> None:
        """Drop all values, because the resource was removed."""
        self._values.clear()

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the values that are set."""
        kind = named(CONFIG_TYPES, self._type)
        for name, held in self._values.items():
            yield ("config", f"{kind}:{self._resource}:{name}"), held

    def config_of(self, key: EntityKey) -> tuple[int, str, str]:
        """Return the resource type's number, the resource and the config's name in an entity key."""
        return self._type, self._resource, key[1].split(":", 1)[1].removeprefix(f"{self._resource}:")

    def shown(self, key: EntityKey, value: Any, salt: bytes) -> str:
        """Write a value, redacted when it is a secret."""
        _, _, name = self.config_of(key)
        return as_json(redacted(value.encode(), salt) if is_secret(name, value) else value)

    def rows(self) -> Iterator[StateRow]:
        """Iterate over rows of ``configs``."""
        kind = named(CONFIG_TYPES, self._type)
        for name, (value, place) in self._values.items():
            secret = is_secret(name, value)
            yield "configs", place, (kind, self._resource, name, REDACTED if secret else value, secret, place.offset)


class QuotaSlice(Slice):
    """One quota entity's limits."""

    TAKES: ClassVar = frozenset({ClientQuotaRecord})

    def __init__(self) -> None:
        self._entity: dict[str, str | None] = {}
        self._limits: dict[str, Held] = {}

    def replay(self, record: Any, place: RecordPosition) -> Iterator[HistoryRow]:
        """Replay one record; see :class:`Slice`."""
        entity = {each.entity_type: each.entity_name for each in record.entity}
        if not entity or len(entity) != len(record.entity):
            raise IllegalRecordError("the quota's entity is empty or names a type twice")
        self._entity = entity
        if record.remove:
            self._limits.pop(record.key, None)
        else:
            self._limits[record.key] = Held(record.value, place)
        yield from ()

    @property
    def entity(self) -> dict[str, str | None]:
        """Names by entity type; ``None`` is the default entity."""
        return self._entity

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the limits; one that is no number (NaN) equals another."""
        for key, (value, place) in self._limits.items():
            yield ("quota", f"{quota_entity(self._entity)}:{key}"), Held(number_to_json(value), place)

    def rows(self) -> Iterator[StateRow]:
        """Iterate over rows of ``quotas``."""
        parts = [
            (self._entity[kind] or DEFAULT_ENTITY) if kind in self._entity else None
            for kind in ("user", "client-id", "ip")
        ]
        for key, (value, place) in self._limits.items():
            yield "quotas", place, (quota_entity(self._entity), *parts, key, value, place.offset)


def quota_entity(entity: dict[str, str | None]) -> str:
    """Write a quota entity in a fixed order, whatever the order in a record: ``client-id=app,user=<default>``."""
    return ",".join(f"{kind}={DEFAULT_ENTITY if name is None else name}" for kind, name in sorted(entity.items()))


class AclSlice(Slice):
    """One access control entry.

    Attributes:
        record: the last record that defined it.
    """

    TAKES: ClassVar = frozenset({AccessControlEntryRecord, RemoveAccessControlEntryRecord})

    def __init__(self) -> None:
        self.record: AccessControlEntryRecord | None = None
        self._id = ""
        self._held: Held | None = None

    def replay(self, record: Any, place: RecordPosition) -> Iterator[HistoryRow]:
        """Replay one record; see :class:`Slice`."""
        self._id = uuid_to_text(record.id)
        if isinstance(record, AccessControlEntryRecord):
            self.record = record
            value = {
                "resource_type": named(ACL_RESOURCES, record.resource_type),
                "resource_name": record.resource_name,
                "pattern_type": named(ACL_PATTERNS, record.pattern_type),
                "principal": record.principal,
                "host": record.host,
                "operation": named(ACL_OPERATIONS, record.operation),
                "permission": named(ACL_PERMISSIONS, record.permission_type),
            }
            self._held = Held(value, place)
        elif self._held is None:
            raise IllegalRecordError(f"there is no access control entry {self._id}")
        else:
            self._held = None
        yield from ()

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the entry, if it exists."""
        if self._held is not None:
            yield ("acl", self._id), self._held

    def rows(self) -> Iterator[StateRow]:
        """Iterate over rows of ``acls``."""
        if self._held is not None:
            yield "acls", self._held.place, (self._id, *self._held.value.values(), self._held.place.offset)


class ScramSlice(Slice):
    """One user's credentials."""

    TAKES: ClassVar = frozenset({UserScramCredentialRecord, RemoveUserScramCredentialRecord})

    def __init__(self) -> None:
        self._name = ""
        self._credentials: dict[int, Held] = {}

    def replay(self, record: Any, place: RecordPosition) -> Iterator[HistoryRow]:
        """Replay one record; see :class:`Slice`."""
        self._name = record.name
        if isinstance(record, UserScramCredentialRecord):
            secret = (record.salt, record.stored_key, record.server_key)
            self._credentials[record.mechanism] = Held((record.iterations, secret), place)
        elif self._credentials.pop(record.mechanism, None) is None:
            raise IllegalRecordError(f"user {record.name!r} has no credential under mechanism {record.mechanism}")
        yield from ()

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the credentials."""
        for mechanism, held in self._credentials.items():
            yield ("scram", f"{self._name}:{named(MECHANISMS, mechanism)}"), held

    def credential_of(self, key: EntityKey) -> tuple[str, int]:
        """Return the user and the mechanism's number in an entity key."""
        word = key[1].removeprefix(f"{self._name}:")
        return self._name, next(number for number in self._credentials if named(MECHANISMS, number) == word)

    def shown(self, key: EntityKey, value: Any, salt: bytes) -> str:
        """Write the iterations, and a placeholder for the secret."""
        del key
        iterations, secret = value
        return as_json({"iterations": iterations, "secret": redacted(b"".join(secret), salt)})

    def rows(self) -> Iterator[StateRow]:
        """Iterate over rows of ``scram_users``."""
        for mechanism, (value, place) in self._credentials.items():
            yield "scram_users", place, (self._name, named(MECHANISMS, mechanism), value[0], place.offset)


class TokenSlice(Slice):
    """One delegation token."""

    TAKES: ClassVar = frozenset({DelegationTokenRecord, RemoveDelegationTokenRecord})

    def __init__(self) -> None:
        self._id = ""
        self._held: Held | None = None

    def replay(self, record: Any, place: RecordPosition) -> Iterator[HistoryRow]:
        """Replay one record; see :class:`Slice`."""
        self._id = record.token_id
        if isinstance(record, DelegationTokenRecord):
            value = {
                "owner": record.owner,
                "requester": record.requester,
                "renewers": tuple(record.renewers),
                "issue_ms": record.issue_timestamp,
                "max_ms": record.max_timestamp,
                "expiration_ms": record.expiration_timestamp,
            }
            self._held = Held(value, place)
        else:
            self._held = None  # Kafka removes expired tokens without checking whether they exist.
        yield from ()

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the token, if it exists."""
        if self._held is not None:
            yield ("token", self._id), self._held

    def rows(self) -> Iterator[StateRow]:
        """Iterate over rows of ``delegation_tokens``."""
        if self._held is not None:
            value, place = self._held
            parts = (value["owner"], value["requester"], value["expiration_ms"])
            yield "delegation_tokens", place, (self._id, *parts, place.offset)


class ClusterIdSlice(Slice):
    """The cluster id. A second value does not replace the first, because a record cannot show which one is right."""

    TAKES: ClassVar = frozenset({ClusterIdRecord})

    def __init__(self) -> None:
        self._values: dict[str, RecordPosition] = {}

    def replay(self, record: Any, place: RecordPosition) -> Iterator[HistoryRow]:
        """Replay one record; see :class:`Slice`."""
        self._values.setdefault(record.cluster_id, place)
        yield from ()

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the first value."""
        for value, place in self._values.items():
            yield ("cluster-id", ""), Held({"cluster_id": value}, place)
            return

    def rows(self) -> Iterator[StateRow]:
        """Iterate over rows of ``cluster_ids``."""
        for value, place in self._values.items():
            yield "cluster_ids", place, (value, place.offset)


class ProducerIdsSlice(Slice):
    """Where the next block of producer ids starts."""

    TAKES: ClassVar = frozenset({ProducerIdsRecord})

    def __init__(self) -> None:
        self._held: Held | None = None

    def replay(self, record: Any, place: RecordPosition) -> Iterator[HistoryRow]:
        """Replay one record; see :class:`Slice`."""
        before = None if self._held is None else self._held.value["next_producer_id"]
        self._held = Held({"next_producer_id": record.next_producer_id}, place)
        yield "producer_ids", (record.next_producer_id, before, place.offset)

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the number, if a block was assigned."""
        if self._held is not None:
            yield ("producer-ids", ""), self._held

    def rows(self) -> Iterator[StateRow]:
        """There are none: a row is yielded when a block is assigned."""
        yield from ()


class ZkMigrationSlice(Slice):
    """The state of a migration from ZooKeeper; "none" equals no record at all."""

    TAKES: ClassVar = frozenset({ZkMigrationStateRecord})

    def __init__(self) -> None:
        self._held: Held | None = None

    def replay(self, record: Any, place: RecordPosition) -> Iterator[HistoryRow]:
        """Replay one record; see :class:`Slice`."""
        state = record.zk_migration_state
        self._held = Held({"state": state}, place) if state else None
        yield from ()

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the state, unless it is none."""
        if self._held is not None:
            yield ("zk-migration", ""), self._held

    def rows(self) -> Iterator[StateRow]:
        """There are none."""
        yield from ()
