"""The members of a cluster, for ``kraftpy cluster describe``: what is registered, and what the leader knows of each.

A registration shows that a controller was there once; whether it still is, only the leader knows, from its last fetch
(KIP-595; the times are the leader's clock, so no other clock matters). So a controller is called a standby only while
it fetches (by the measure of ``ok-to-stop``), and nothing is claimed of anybody when no leader answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from kraftpy.cli.output import aligned
from kraftpy.cli.times_text import age_text
from kraftpy.model.ids import uuid_to_text
from kraftpy.quorum_tools.ok_to_stop import SILENT_MS

if TYPE_CHECKING:
    from kraftpy.client.values import BrokerInfo, ClusterInfo, ControllerInfo, QuorumInfo, ReplicaInfo
    from kraftpy.model.registrations import Listener

COLUMNS: Final = ("ID", "TYPE", "STATE", "LAG", "FETCHED", "RACK", "LISTENERS")


def as_json(found: ClusterInfo, quorum: QuorumInfo | None) -> dict[str, Any]:
    """Describe the cluster.

    Args:
        found: who is registered.
        quorum: the leader's view; ``None`` when no leader answered.
    """
    seen = _Seen(quorum)
    return {
        "clusterId": found.cluster_id or None,
        "leaderId": seen.leader_id,
        "brokers": [_broker(broker, seen) for broker in found.brokers],
        "controllers": [_controller(controller, seen) for controller in found.controllers],
    }


def as_lines(data: dict[str, Any]) -> list[str]:
    """Lay the description out as a table."""
    rows = [
        (one[f"{kind}Id"], kind, one["state"], _or_dash(one["lag"]), _ago(one["lastFetchAgeMs"]),
         one.get("rack") or "-", " ".join(one["endpoints"]))
        for kind in ("controller", "broker")
        for one in data[f"{kind}s"]
    ]  # fmt: skip
    active = "(unknown)" if data["leaderId"] is None else data["leaderId"]
    head = [f"Cluster ID: {data['clusterId'] or '(unknown)'}", f"Active controller: {active}", ""]
    return [*head, *aligned(COLUMNS, rows)]


class _Seen:
    """What the leader has seen of each replica, by node id."""

    def __init__(self, quorum: QuorumInfo | None) -> None:
        self.leader_id = None if quorum is None else quorum.leader_id
        self._voters = {} if quorum is None else {one.key.node_id: one for one in quorum.voters}
        self._observers = {} if quorum is None else {one.key.node_id: one for one in quorum.observers}
        self._leader = None if self.leader_id is None else self._voters.get(self.leader_id)

    def state_of(self, controller_id: int) -> str:
        """Say in one word what is known of a controller."""
        if self._leader is None:
            return "unknown"
        if controller_id == self.leader_id:
            return "active"
        age_ms = self.fetch_age_ms(controller_id)
        if age_ms is None or age_ms > SILENT_MS:
            return "unreachable"
        return "standby" if controller_id in self._voters else "observer"

    def lag(self, node_id: int) -> int | None:
        """Return how many records it lacked when it fetched last; ``None`` when that is not known."""
        replica = self._replica(node_id)
        if self._leader is None or replica is None:
            return None
        ends = self._leader.log_end_offset, replica.log_end_offset
        return None if ends[0] is None or ends[1] is None else ends[0] - ends[1]

    def fetch_age_ms(self, node_id: int) -> int | None:
        """Return how long ago it fetched last; ``None`` when this leader never saw it."""
        replica = self._replica(node_id)
        if self._leader is None or replica is None:
            return None
        now_ms, then_ms = self._leader.last_fetch_ms, replica.last_fetch_ms
        return None if now_ms is None or then_ms is None else max(0, now_ms - then_ms)

    def _replica(self, node_id: int) -> ReplicaInfo | None:
        return self._voters.get(node_id) or self._observers.get(node_id)


def _broker(broker: BrokerInfo, seen: _Seen) -> dict[str, Any]:
    return {
        "brokerId": broker.broker_id,
        "brokerEpoch": broker.epoch,
        "incarnationId": uuid_to_text(broker.incarnation_id),
        "rack": broker.rack,
        "state": "fenced" if broker.fenced else "unfenced",
        "lag": seen.lag(broker.broker_id),
        "lastFetchAgeMs": seen.fetch_age_ms(broker.broker_id),
        "inControlledShutdown": broker.in_controlled_shutdown,
        "endpoints": _listeners(broker.listeners),
        "directoryIds": [uuid_to_text(log_dir) for log_dir in broker.log_dirs],
        "cordonedDirectoryIds": [uuid_to_text(log_dir) for log_dir in broker.cordoned_log_dirs],
        "saturatedDirectoryIds": [uuid_to_text(log_dir) for log_dir in broker.saturated_log_dirs],
    }


def _controller(controller: ControllerInfo, seen: _Seen) -> dict[str, Any]:
    return {
        "controllerId": controller.controller_id,
        "incarnationId": uuid_to_text(controller.incarnation_id),
        "state": seen.state_of(controller.controller_id),
        "lag": seen.lag(controller.controller_id),
        "lastFetchAgeMs": seen.fetch_age_ms(controller.controller_id),
        "endpoints": _listeners(controller.listeners),
    }


def _listeners(listeners: Iterable[Listener]) -> list[str]:
    return [f"{one.name}://{f'[{one.host}]' if ':' in one.host else one.host}:{one.port}" for one in listeners]


def _or_dash(value: int | None) -> str:
    return "-" if value is None else str(value)


def _ago(age_ms: int | None) -> str:
    return "-" if age_ms is None else age_text(age_ms)
