"""``kraftpy cluster``: members, the cluster id, removal of a broker, what can be stopped, stop and start.

Source: Kafka ``ClusterTool``; tools §7.
"""

from __future__ import annotations

import asyncio
import contextlib

import click

from kraftpy.cli.cluster_ok_to_stop import ok_to_stop
from kraftpy.cli.cluster_port import Read
from kraftpy.cli.cluster_stop import start, stop
from kraftpy.cli.cluster_text import as_json, as_lines
from kraftpy.cli.confirmation import confirm, yes_option
from kraftpy.cli.dry_run import dry_run_option
from kraftpy.cli.errors import CommandError, UnreachableError
from kraftpy.cli.examples import examples
from kraftpy.cli.options import NODE_ID, connection_options, output_option, read_options
from kraftpy.cli.output import Output, show
from kraftpy.cli.suggestions import CommandGroup
from kraftpy.model.consistency import Consistency


@click.group("cluster", cls=CommandGroup)
def cluster() -> None:
    """Describe, stop and start a cluster; unregister nodes."""


@examples(
    "kraftpy cluster cluster-id -C localhost:9193",
)
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


@examples(
    "kraftpy cluster describe -C localhost:9193",
    "kraftpy cluster describe -C localhost:9193 --consistency linearizable -o json",
)
@cluster.command("describe")
@read_options
@connection_options
@output_option
def describe(
    bootstrap: tuple[str, ...], timeout: float, output: Output, *, consistency: Consistency, min_offset: int | None
) -> None:
    """List brokers and controllers with state, lag and last fetch."""
    from kraftpy.cli.connection import connect

    quorum = None
    # One event loop for both questions: grpc does not bear several in a process.
    with asyncio.Runner() as runner:
        with connect(bootstrap, timeout, runner) as connected:
            found = connected.describe_cluster(Read(consistency, min_offset))
        if found.controller_id is not None:
            # The leader may stop between the two calls: then no node's state is known.
            with contextlib.suppress(UnreachableError), connect(bootstrap, timeout, runner) as connected:
                quorum = connected.describe_quorum()
    data = as_json(found, quorum)
    show(output, data, as_lines(data))


@examples(
    "kraftpy cluster unregister -C localhost:9193 --id 4 --dry-run",
    "kraftpy cluster unregister -C localhost:9193 --id 4",
)
@cluster.command("unregister")
@click.option("-i", "--id", "broker_id", required=True, type=NODE_ID, help="Id of the broker.")
@yes_option
@dry_run_option()
@connection_options
@output_option
def unregister(
    bootstrap: tuple[str, ...], timeout: float, output: Output, broker_id: int, *, yes: bool, dry_run: bool
) -> None:
    """Remove the registration of a broker, after a question. Stop the broker first, or it registers again."""
    from kraftpy.cli.connection import connect

    confirm(f"Remove the registration of broker {broker_id}?", is_decided=yes or dry_run)
    with connect(bootstrap, timeout) as connected:
        connected.unregister_broker(broker_id, validate_only=dry_run)
    text = "could be unregistered" if dry_run else "is no longer registered"
    show(output, {"brokerId": broker_id, "dryRun": dry_run}, [f"Broker {broker_id} {text}."])


@examples(
    "kraftpy cluster unregister-controller -C localhost:9193 --id 1",
)
@cluster.command("unregister-controller")
@click.option("-i", "--id", "controller_id", required=True, type=NODE_ID, help="Id of the controller.")
@dry_run_option()
@connection_options
@output_option
def unregister_controller(
    bootstrap: tuple[str, ...], timeout: float, output: Output, controller_id: int, *, dry_run: bool
) -> None:
    """Remove the registration of a controller that is no voter. Stop it first, or it registers again.

    metadata.version 4.4-IV2 and 4.5-IV0 only: others have no record for it.
    """
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as connected:
        connected.unregister_controller(controller_id, validate_only=dry_run)
    text = "could be unregistered" if dry_run else "is no longer registered"
    show(output, {"controllerId": controller_id, "dryRun": dry_run}, [f"Controller {controller_id} {text}."])


cluster.add_command(ok_to_stop)
cluster.add_command(stop)
cluster.add_command(start)
