"""A description of the quorum in the layout of ``kafka-metadata-quorum``, and as JSON.

Source: Kafka ``MetadataQuorumCommand``; tools §2; KIP-595, KIP-853.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kraftpy.cli.errors import CommandError
from kraftpy.cli.output import json_line, tabbed
from kraftpy.model.ids import ZERO_UUID, uuid_to_text

if TYPE_CHECKING:
    from kraftpy.client.values import QuorumInfo, ReplicaInfo

VALUE_COLUMN = 24
"""How many characters are before a value of the status."""

UNKNOWN = -1
COLUMNS = ("NodeId", "DirectoryId", "LogEndOffset", "Lag", "LastFetchTimestamp", "LastCaughtUpTimestamp", "Status")


def status(quorum: QuorumInfo, cluster_id: str | None) -> dict[str, Any]:
    """Sum the quorum up; the keys are those of Kafka's lines."""
    leader = _leader(quorum)
    return {
        "ClusterId": cluster_id,
        "LeaderId": _or_unknown(quorum.leader_id),
        "LeaderEpoch": quorum.leader_epoch,
        "HighWatermark": _or_unknown(quorum.high_watermark),
        "MaxFollowerLag": max_follower_lag(quorum, leader),
        "MaxFollowerLagTimeMs": max_follower_lag_ms(quorum, leader),
        "CurrentVoters": [_member(replica) for replica in quorum.voters],
        "CurrentObservers": [_member(replica) for replica in quorum.observers],
    }


def status_lines(data: dict[str, Any]) -> list[str]:
    """Lay the summary out: values from column 25 on."""
    shown = {
        **data,
        "ClusterId": data["ClusterId"] or "(unknown)",
        "CurrentVoters": _members_text(data["CurrentVoters"]),
        "CurrentObservers": _members_text(data["CurrentObservers"]),
    }
    return [f"{key + ':':<{VALUE_COLUMN}}{value}" for key, value in shown.items()]


def _members_text(members: list[dict[str, Any]]) -> str:
    return "[" + ", ".join(_spaced(member) for member in members) + "]"


def _spaced(member: dict[str, Any]) -> str:
    return "{" + ", ".join(f'"{key}": {json_line(value)}' for key, value in member.items()) + "}"


def _member(replica: ReplicaInfo) -> dict[str, Any]:
    member: dict[str, Any] = {"id": replica.key.node_id, "directoryId": _directory(replica)}
    if replica.endpoints:
        member["endpoints"] = [str(endpoint) for endpoint in replica.endpoints]
    return member


def _directory(replica: ReplicaInfo) -> str | None:
    directory_id = replica.key.directory_id
    return uuid_to_text(directory_id) if directory_id and directory_id != ZERO_UUID else None


def _leader(quorum: QuorumInfo) -> ReplicaInfo | None:
    return next((replica for replica in quorum.voters if replica.key.node_id == quorum.leader_id), None)


def max_follower_lag(quorum: QuorumInfo, leader: ReplicaInfo | None) -> int:
    """Return how many records the slowest voter lacks; -1 when it is not known."""
    ends = [replica.log_end_offset for replica in quorum.voters]
    known = [end for end in ends if end is not None]
    if leader is None or leader.log_end_offset is None or len(known) < len(ends):
        return UNKNOWN
    return leader.log_end_offset - min(known)


def max_follower_lag_ms(quorum: QuorumInfo, leader: ReplicaInfo | None) -> int:
    """Return how long ago the slowest voter was level with the leader; -1 when it is not known."""
    if leader is None:
        return UNKNOWN
    times = [replica.last_caught_up_ms for replica in quorum.voters if replica.key.node_id != leader.key.node_id]
    if not times:
        return 0
    known = [time for time in times if time is not None and time >= 0]
    if len(known) < len(times) or leader.last_caught_up_ms is None:
        return UNKNOWN
    return max(0, leader.last_caught_up_ms - min(known))


def replication_rows(quorum: QuorumInfo) -> list[dict[str, Any]]:
    """List every replica: the leader, then the other voters, then the observers."""
    leader = _leader(quorum)
    end = _or_unknown(None if leader is None else leader.log_end_offset)
    followers = [replica for replica in quorum.voters if replica is not leader]
    listed = [(leader, "Leader")] if leader is not None else []
    listed += [(replica, "Follower") for replica in followers]
    listed += [(replica, "Observer") for replica in quorum.observers]
    return [_row(replica, end, role) for replica, role in listed]


def _row(replica: ReplicaInfo, leader_end: int, role: str) -> dict[str, Any]:
    end = _or_unknown(replica.log_end_offset)
    return {
        "NodeId": replica.key.node_id,
        "DirectoryId": _directory(replica) or uuid_to_text(ZERO_UUID),
        "LogEndOffset": end,
        "Lag": leader_end - end if UNKNOWN not in {leader_end, end} else UNKNOWN,
        "LastFetchTimestamp": _or_unknown(replica.last_fetch_ms),
        "LastCaughtUpTimestamp": _or_unknown(replica.last_caught_up_ms),
        "Status": role,
    }


def replication_lines(rows: list[dict[str, Any]], now_ms: int | None) -> list[str]:
    """Lay the replicas out; with ``now_ms`` the times are relative to it.

    Raises:
        CommandError: when a time lies in the future, with Kafka's words.
    """

    def cell(column: str, value: object) -> object:
        is_time = column.endswith("Timestamp") and isinstance(value, int) and value != UNKNOWN
        return _relative(int(str(value)), now_ms) if is_time and now_ms is not None else value

    return tabbed(COLUMNS, ([cell(column, row[column]) for column in COLUMNS] for row in rows))


def _relative(time_ms: int, now_ms: int) -> str:
    if time_ms > now_ms:
        raise CommandError(
            "Error while computing relative time, possible drift in system clock. "
            f"Current timestamp is {now_ms}, replica timestamp is {time_ms}"
        )
    return f"{now_ms - time_ms} ms ago"


def _or_unknown(value: int | None) -> int:
    return UNKNOWN if value is None else value
