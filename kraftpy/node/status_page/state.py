"""The state that the page shows, as values; ``None`` is what this node does not know, or what there is none of.

Names in JSON are those of the attributes in camelCase, and for the same thing those of the commands
(``kraftpy.cli.json_fields``). Times are milliseconds since 1970 by the node's clock; each ``<x>_timestamp``
has the same time in ISO 8601 beside it, as ``<x>Time``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final, Generic, TypeAlias, TypeVar

from kraftpy.model.iso_time import utc_time

Json: TypeAlias = dict[str, Any]
Row = TypeVar("Row")

AGES: Final = ("lagMs", "lastFetchAgeMs", "lastHeartbeatAgeMs")
STEADY_MS: Final = 1_000
"""The ages are compared in these units: an idle cluster fetches every half second, which is no change."""


@dataclass(frozen=True, slots=True)
class RowList(Generic[Row]):
    """Some of the rows that there are.

    Attributes:
        total: how many there are; ``None`` where that is not known.
        rows: those that are shown.
    """

    total: int | None
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSection:
    """The node that answers."""

    node_id: int
    roles: tuple[str, ...]
    raft_role: str
    kraftpy_version: str
    broker_state: str | None
    not_ready_because: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuorumSection:
    """The metadata log and who leads it."""

    cluster_id: str | None
    leader_id: int | None
    leader_endpoint: str | None
    leader_epoch: int
    high_watermark: int | None
    log_start_offset: int
    log_end_offset: int
    last_applied_offset: int
    metadata_version_level: int
    kraft_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaRow:
    """A voter or an observer. Only the leader knows how far the others are.

    Attributes:
        vote_counts: whether it is a voter that holds all that it ever promised; a node knows that of itself alone.
        lag_ms: since when it lacks records.
        last_fetch_age_ms: since when it has not fetched.
    """

    node_id: int
    directory_id: str | None
    replica_kind: str
    is_leader: bool
    vote_counts: bool | None
    endpoint: str | None
    log_end_offset: int | None
    lag: int | None
    lag_ms: int | None
    last_fetch_age_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerRow:
    """A registered broker; the active controller alone knows how long ago its last heartbeat was."""

    broker_id: int
    broker_state: str
    rack: str | None
    endpoint: str | None
    broker_epoch: int
    last_heartbeat_age_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokersSection:
    """The brokers: counts of all, and those that are not active first."""

    active_count: int
    controlled_shutdown_count: int
    fenced_count: int
    listed: RowList[BrokerRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionRow:
    """A partition that needs attention."""

    topic: str
    partition: int
    trouble: str
    leader_id: int | None
    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    min_isr: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionsSection:
    """The partitions: counts of all, and the worst."""

    topic_count: int
    partition_count: int
    offline_count: int
    under_min_isr_count: int
    under_replicated_count: int
    listed: RowList[PartitionRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectionRow:
    """A leader that became known; ``duration_ms`` is that of an election in which this node was a candidate."""

    known_timestamp: int
    leader_epoch: int
    leader_id: int | None
    duration_ms: int | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """An administrative change that this node decided as the active controller."""

    made_timestamp: int
    principal: str
    client: str
    request: str
    about: str
    outcome: str
    offset: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryRow:
    """A directory of this node; ``directory_state`` is that of a broker's log directory."""

    directory: str
    free_bytes: int | None
    total_bytes: int | None
    directory_state: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskSection:
    """What this node stores.

    Attributes:
        log_bytes: of the metadata log.
        snapshot_end_offset: the end of the newest snapshot on disk.
        snapshot_bytes: the size of the last snapshot that this process made, if it made any.
        snapshot_timestamp: when that was.
        bytes_since_snapshot: of the log that was loaded since.
    """

    log_bytes: int
    snapshot_end_offset: int | None
    snapshot_bytes: int | None
    snapshot_timestamp: int | None
    bytes_since_snapshot: int
    directories: tuple[DirectoryRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageState:
    """All that the page shows, at one time."""

    read_timestamp: int
    warnings: tuple[str, ...]
    node: NodeSection
    quorum: QuorumSection
    replicas: RowList[ReplicaRow]
    brokers: BrokersSection
    partitions: PartitionsSection
    elections: RowList[ElectionRow]
    changes: RowList[ChangeRow]
    disk: DiskSection


def state_json(state: PageState) -> Json:
    """Return a state as JSON has it."""
    found: Json = _json_of(state)
    return found


def steady_part(state: Json) -> Json:
    """Return what of a state's JSON counts as a change: not when it was read, and ages in whole seconds only."""
    brokers = state["brokers"]
    changed = {
        "readTimestamp": None,
        "readTime": None,
        "replicas": _steady(state["replicas"]),
        "brokers": brokers | {"listed": _steady(brokers["listed"])},
    }
    return state | changed


def _steady(listed: Json) -> Json:
    rows = []
    for row in listed["rows"]:
        ages = {name: row[name] for name in AGES if row.get(name) is not None}
        rows.append(row | {name: age_ms // STEADY_MS for name, age_ms in ages.items()})
    return listed | {"rows": rows}


Names = tuple[tuple[str, str, str | None], ...]
_NAMES: dict[type, Names] = {}
"""What ``_names`` returned; there are as many kinds of values as this module has."""


def _json_of(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_json_of(item) for item in value]
    names = _names(type(value))
    if not names:
        return value
    found: Json = {}
    for name, in_json, in_iso in names:
        item = getattr(value, name)
        found[in_json] = item if item is None or isinstance(item, int | str) else _json_of(item)
        if in_iso is not None:
            found[in_iso] = None if item is None else utc_time(item)
    return found


def _names(kind: type) -> Names:
    """Return the attributes of a kind of values: the name of each, that in JSON, and that of a time in ISO 8601."""
    known = _NAMES.get(kind)
    if known is None:
        known = _NAMES[kind] = _names_of(kind)
    return known


def _names_of(kind: type) -> Names:
    if not hasattr(kind, "__dataclass_fields__"):
        return ()
    found = []
    for field in fields(kind):
        in_json = camel_case(field.name)
        in_iso = in_json.removesuffix("stamp") if field.name.endswith("_timestamp") else None
        found.append((field.name, in_json, in_iso))
    return tuple(found)


def camel_case(name: str) -> str:
    """Return an attribute's name in JSON."""
    first, *others = name.split("_")
    return "".join([first, *(word.capitalize() for word in others)])
