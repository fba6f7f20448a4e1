"""The shard that a record belongs to, and the principal that caused it.

A shard is a kind and a name: all records about one topic id, one broker, one config resource. It can be replayed
without the records of other shards, so shards may be distributed over workers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from kraftpy.audit.reading.rows import Entry
from kraftpy.audit.replay.nodes import BrokerSlice, ControllerSlice, HostSlice
from kraftpy.audit.replay.quorum import QuorumSlice
from kraftpy.audit.replay.rows import decode
from kraftpy.audit.replay.settings import (
    CONFIG_TYPES,
    AclSlice,
    ClusterIdSlice,
    ConfigSlice,
    FeatureSlice,
    ProducerIdsSlice,
    QuotaSlice,
    ScramSlice,
    TokenSlice,
    ZkMigrationSlice,
    named,
    quota_entity,
)
from kraftpy.audit.replay.slice import Slice, uuid_text
from kraftpy.audit.replay.topics import TopicSlice
from kraftpy.model.errors import MalformedError
from kraftpy.model.ids import uuid_to_text
from kraftpy.records.metadata import (
    AccessControlEntryRecord,
    ClientQuotaRecord,
    ConfigRecord,
    DelegationTokenRecord,
    LogRecord,
    UserScramCredentialRecord,
)


class Shard(NamedTuple):
    """A kind of entity and the name of one."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


REST: Final = Shard("rest", "")
"""Bounds of transactions, no-ops, and other records that change no state."""

QUORUM: Final = Shard("quorum", "")
UNREADABLE: Final = Shard("unreadable", "")

SLICES: Final[dict[str, type[Slice]]] = {
    "topic": TopicSlice,
    "broker": BrokerSlice,
    "controller": ControllerSlice,
    "broker-host": HostSlice,
    "feature": FeatureSlice,
    "config": ConfigSlice,
    "quota": QuotaSlice,
    "acl": AclSlice,
    "user": ScramSlice,
    "token": TokenSlice,
    "cluster-id": ClusterIdSlice,
    "producer-ids": ProducerIdsSlice,
    "zk-migration": ZkMigrationSlice,
    "quorum": QuorumSlice,
}
"""The state of each kind of shard."""


def _config(record: Any) -> str:
    return f"{named(CONFIG_TYPES, record.resource_type)}:{record.resource_name}"


def _quota(record: Any) -> str:
    return quota_entity({each.entity_type: each.entity_name for each in record.entity})


_NAMERS: Final[dict[str, Callable[[Any], str]]] = {
    "topic": lambda record: uuid_text(record.topic_id),
    "broker": lambda record: str(record.id if hasattr(record, "id") else record.broker_id),
    "controller": lambda record: str(record.controller_id),
    "broker-host": lambda record: record.host,
    "feature": lambda record: record.name,
    "config": _config,
    "quota": _quota,
    "acl": lambda record: uuid_to_text(record.id),
    "user": lambda record: record.name,
    "token": lambda record: record.token_id,
    "cluster-id": lambda _: "",
    "producer-ids": lambda _: "",
    "zk-migration": lambda _: "",
}
_BY_CLASS: Final[dict[type, tuple[str, Callable[[Any], str]]]] = {
    record_class: (kind, namer) for kind, namer in _NAMERS.items() for record_class in SLICES[kind].TAKES
}


def shard_of(record: LogRecord) -> Shard:
    """Return the shard of a decoded metadata record."""
    found = _BY_CLASS.get(type(record))
    return REST if found is None else Shard(found[0], found[1](record))


def shard_key(entry: Entry) -> bytes:
    """Return the shard of an entry as one key, such as ``topic:AAECAwQFBgcICQoLDA0ODw``."""
    if entry.control:
        return str(QUORUM).encode()
    try:
        return str(shard_of(decode(entry))).encode("utf-8", "surrogatepass")
    except MalformedError:
        return str(UNREADABLE).encode()


def principal_of(shard: Shard, record: LogRecord) -> str | None:
    """Return the principal that caused this record, if the record contains one."""
    if isinstance(record, AccessControlEntryRecord):
        return record.principal
    if isinstance(record, DelegationTokenRecord):
        return record.owner
    if isinstance(record, UserScramCredentialRecord):
        return f"User:{record.name}"
    if isinstance(record, ClientQuotaRecord):
        users = [each.entity_name for each in record.entity if each.entity_type == "user" and each.entity_name]
        return f"User:{users[0]}" if users else None
    if isinstance(record, ConfigRecord) or shard.kind not in {"broker", "controller"}:
        return None
    return f"{shard.kind}:{shard.name}"
