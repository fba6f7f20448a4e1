"""A description of the quorum in the layout of ``kafka-metadata-quorum``, and as JSON.

Kafka's tool prints voters and observers as JSON within the status; here they are rows.

Source: Kafka ``MetadataQuorumCommand``; tools §2; KIP-595, KIP-853.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kraftpy.cli.output import aligned, tabbed
from kraftpy.cli.times_text import age_text, local_text
from kraftpy.model.escaping import escaped
from kraftpy.model.ids import ZERO_UUID, uuid_to_text
from kraftpy.model.iso_time import time_fields

if TYPE_CHECKING:
    from kraftpy.client.values import QuorumInfo, ReplicaInfo

VALUE_COLUMN = 24
"""How many characters are before a value of the status."""

UNKNOWN = -1
"""What Kafka's tool prints for what is not known; in JSON it is null."""

STATUS_LINES: Final = {
    "LeaderId": "leaderId",
    "LeaderEpoch": "leaderEpoch",
    "HighWatermark": "highWatermark",
    "MaxFollowerLag": "maxFollowerLag",
    "MaxFollowerLagTimeMs": "maxFollowerLagTimeMs",
}
COLUMNS: Final = {
    "NodeId": "nodeId",
    "DirectoryId": "directoryId",
    "LogEndOffset": "logEndOffset",
    "Lag": "lag",
    "LastFetchTimestamp": "lastFetchTimestamp",
    "LastCaughtUpTimestamp": "lastCaughtUpTimestamp",
    "Status": "role",
}
"""The words of Kafka's tool, and the names in JSON."""

MEMBER_COLUMNS: Final = ("NodeId", "DirectoryId", "Endpoints")


def status(quorum: QuorumInfo, cluster_id: str | None) -> dict[str, Any]:
    """Sum the quorum up."""
    leader = _leader(quorum)
    return {
        "clusterId": cluster_id or None,
        "leaderId": quorum.leader_id,
        "leaderEpoch": quorum.leader_epoch,
        "highWatermark": quorum.high_watermark,
        "maxFollowerLag": max_follower_lag(quorum, leader),
        "maxFollowerLagTimeMs": max_follower_lag_ms(quorum, leader),
        "voters": [_member(replica) for replica in quorum.voters],
        "observers": [_member(replica) for replica in quorum.observers],
    }


def status_lines(data: dict[str, Any]) -> list[str]:
    """Lay the summary out: values from column 25 on, then a row for each voter and each observer."""
    shown = {
        "ClusterId": data["clusterId"] or "(unknown)",
        **{word: _or_unknown(data[name]) for word, name in STATUS_LINES.items()},
    }
    return [
        *(_value_line(key, value) for key, value in shown.items()),
        *_member_lines("CurrentVoters", data["voters"]),
        *_member_lines("CurrentObservers", data["observers"]),
    ]


def _value_line(key: str, value: object) -> str:
    return f"{key + ':':<{VALUE_COLUMN}}{value}"


def _member_lines(key: str, members: list[dict[str, Any]]) -> list[str]:
    if not members:
        return ["", _value_line(key, "(none)")]
    rows = [
        (member["nodeId"], member["directoryId"] or "-", escaped(" ".join(member["endpoints"])) or "-")
        for member in members
    ]
    return ["", f"{key}:", *(f"  {line}" for line in aligned(MEMBER_COLUMNS, rows))]


def _member(replica: ReplicaInfo) -> dict[str, Any]:
    endpoints = [str(endpoint) for endpoint in replica.endpoints]
    return {"nodeId": replica.key.node_id, "directoryId": _directory(replica), "endpoints": endpoints}


def _directory(replica: ReplicaInfo) -> str | None:
    directory_id = replica.key.directory_id
    return uuid_to_text(directory_id) if directory_id and directory_id != ZERO_UUID else None


def _leader(quorum: QuorumInfo) -> ReplicaInfo | None:
    return next((replica for replica in quorum.voters if replica.key.node_id == quorum.leader_id), None)


def max_follower_lag(quorum: QuorumInfo, leader: ReplicaInfo | None) -> int | None:
    """Return how many records the slowest voter lacks; ``None`` when the leader's end is not known.

    A voter that has not fetched since the leader was elected may lack the whole log, and counts so, as in Kafka: a
    voter that is down must not make the lag look small or unknown.
    """
    if leader is None or leader.log_end_offset is None:
        return None
    return leader.log_end_offset - min(replica.log_end_offset or 0 for replica in quorum.voters)


def max_follower_lag_ms(quorum: QuorumInfo, leader: ReplicaInfo | None) -> int | None:
    """Return how long ago the slowest voter was level with the leader; ``None`` when it is not known."""
    if leader is None:
        return None
    times = [replica.last_caught_up_ms for replica in quorum.voters if replica.key.node_id != leader.key.node_id]
    if not times:
        return 0
    known = [time for time in times if time is not None and time >= 0]
    if len(known) < len(times) or leader.last_caught_up_ms is None:
        return None
    return max(0, leader.last_caught_up_ms - min(known))


def replication_rows(quorum: QuorumInfo) -> list[dict[str, Any]]:
    """List every replica: the leader, then the other voters, then the observers."""
    leader = _leader(quorum)
    end = None if leader is None else leader.log_end_offset
    followers = [replica for replica in quorum.voters if replica is not leader]
    listed = [(leader, "leader")] if leader is not None else []
    listed += [(replica, "follower") for replica in followers]
    listed += [(replica, "observer") for replica in quorum.observers]
    return [_row(replica, end, role) for replica, role in listed]


def _row(replica: ReplicaInfo, leader_end: int | None, role: str) -> dict[str, Any]:
    end = replica.log_end_offset
    return {
        "nodeId": replica.key.node_id,
        "directoryId": _directory(replica),
        "logEndOffset": end,
        "lag": None if leader_end is None or end is None else leader_end - end,
        **time_fields("lastFetch", _known(replica.last_fetch_ms)),
        **time_fields("lastCaughtUp", _known(replica.last_caught_up_ms)),
        "role": role,
    }


def _known(time_ms: int | None) -> int | None:
    """Return a time, ``None`` also for Kafka's number for one that is not known."""
    return None if time_ms is None or time_ms < 0 else time_ms


def replication_lines(rows: list[dict[str, Any]], *, with_ages: bool) -> list[str]:
    """Lay the replicas out; with ages in place of times, where the leader's row says what its clock shows.

    All times are of the leader's clock, so an age by it is right whatever this machine's clock shows.
    """
    now_ms = next((row["lastFetchTimestamp"] for row in rows if row["role"] == "leader"), None)

    def cell(name: str, value: Any) -> object:
        if name == "directoryId":
            return value or uuid_to_text(ZERO_UUID)
        if name == "role":
            return value.capitalize()
        if name.endswith("Timestamp") and value is not None and with_ages:
            return local_text(value) if now_ms is None else age_text(max(0, now_ms - value))
        return _or_unknown(value)

    return tabbed(list(COLUMNS), ([cell(name, row[name]) for name in COLUMNS.values()] for row in rows))


def _or_unknown(value: int | None) -> int:
    return UNKNOWN if value is None else value
