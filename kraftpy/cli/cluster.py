"""``kraftpy cluster``: who is in the cluster, its id, and taking a broker out for good.

Source: Kafka ``ClusterTool``; tools §7.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from kraftpy.cli.errors import CommandError
from kraftpy.cli.options import NODE_ID, connection_options, output_option
from kraftpy.cli.output import Output, aligned, show
from kraftpy.model.ids import uuid_to_text

if TYPE_CHECKING:
    from kraftpy.client.values import Broker, Cluster, Controller
    from kraftpy.model.registrations import Listener


@click.group("cluster")
def cluster() -> None:
    """Show the cluster; unregister brokers."""


@cluster.command("cluster-id")
@connection_options
@output_option
def cluster_id(bootstrap: tuple[str, ...], timeout: float, output: Output) -> None:
    """Print the cluster id."""
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as connected:
        found = connected.describe_cluster().cluster_id
    if found is None:
        raise CommandError("No cluster ID found: the cluster has not written one yet.")
    show(output, {"clusterId": found}, [f"Cluster ID: {found}"])


@cluster.command("describe")
@connection_options
@output_option
def describe(bootstrap: tuple[str, ...], timeout: float, output: Output) -> None:
    """List brokers, fenced ones too, and controllers."""
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as connected:
        found = connected.describe_cluster()
    show(output, _as_json(found), _as_lines(found))


@cluster.command("unregister")
@click.option("-i", "--id", "broker_id", required=True, type=NODE_ID, help="The broker's id.")
@connection_options
@output_option
def unregister(bootstrap: tuple[str, ...], timeout: float, output: Output, broker_id: int) -> None:
    """Forget a broker for good. It must be stopped, or it registers again."""
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as connected:
        connected.unregister_broker(broker_id)
    show(output, {"unregistered": broker_id}, [f"Broker {broker_id} is no longer registered."])


def _as_json(found: Cluster) -> dict[str, Any]:
    return {
        "clusterId": found.cluster_id,
        "controllerId": found.controller_id,
        "brokers": [_broker(broker) for broker in found.brokers],
        "controllers": [_controller(controller) for controller in found.controllers],
    }


def _broker(broker: Broker) -> dict[str, Any]:
    return {
        "id": broker.broker_id,
        "epoch": broker.epoch,
        "incarnationId": uuid_to_text(broker.incarnation_id),
        "rack": broker.rack,
        "state": "fenced" if broker.fenced else "unfenced",
        "inControlledShutdown": broker.in_controlled_shutdown,
        "listeners": _listeners(broker.listeners),
        "logDirs": [uuid_to_text(log_dir) for log_dir in broker.log_dirs],
    }


def _controller(controller: Controller) -> dict[str, Any]:
    return {
        "id": controller.controller_id,
        "incarnationId": uuid_to_text(controller.incarnation_id),
        "listeners": _listeners(controller.listeners),
    }


def _listeners(listeners: Iterable[Listener]) -> list[str]:
    return [f"{one.name}://{f'[{one.host}]' if ':' in one.host else one.host}:{one.port}" for one in listeners]


def _as_lines(found: Cluster) -> list[str]:
    data = _as_json(found)
    rows = [
        (one["id"], "controller", "active" if one["id"] == found.controller_id else "standby", "-", one["listeners"])
        for one in data["controllers"]
    ]
    rows += [(one["id"], "broker", one["state"], one["rack"] or "-", one["listeners"]) for one in data["brokers"]]
    shown = ((*front, " ".join(listeners)) for *front, listeners in rows)
    active = "(unknown)" if found.controller_id is None else found.controller_id
    head = [f"Cluster ID: {found.cluster_id or '(unknown)'}", f"Active controller: {active}", ""]
    return [*head, *aligned(("ID", "TYPE", "STATE", "RACK", "LISTENERS"), shown)]
