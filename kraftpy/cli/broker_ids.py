"""``kraftpy broker-ids``: which broker ids hosts have, for brokers that are not configured with one (KIP-426)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from kraftpy.cli.cluster_port import Read
from kraftpy.cli.dry_run import dry_run_option
from kraftpy.cli.examples import examples
from kraftpy.cli.options import NODE_ID, connection_options, output_option, read_options
from kraftpy.cli.output import Output, show
from kraftpy.cli.suggestions import CommandGroup
from kraftpy.model.consistency import Consistency

if TYPE_CHECKING:
    from kraftpy.client.values import BrokerHost

host_option = click.option("--host", required=True, metavar="NAME", help="The host, as `broker-ids list` shows it.")


@click.group("broker-ids", cls=CommandGroup)
def broker_ids() -> None:
    """List, set and delete the broker ids of hosts."""


@examples(
    "kraftpy broker-ids list -C localhost:9193",
)
@broker_ids.command("list")
@click.option("--host", "hosts", multiple=True, metavar="NAME", help="Only this host; repeatable.")
@read_options
@connection_options
@output_option
def list_command(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    hosts: tuple[str, ...],
    consistency: Consistency,
    min_offset: int | None,
) -> None:
    """List which broker id each host has, and the state of that broker."""
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as cluster:
        found = cluster.describe_broker_hosts(hosts, Read(consistency, min_offset))
    data = [{"host": one.host, "brokerId": one.broker_id, "state": one.state.name.lower()} for one in found]
    show(output, data, as_lines(found))


@examples(
    "kraftpy broker-ids set -C localhost:9193 --host kafka-4.example.com --id 4",
)
@broker_ids.command("set")
@host_option
@click.option("-i", "--id", "broker_id", required=True, type=NODE_ID, help="The id that its broker gets.")
@dry_run_option()
@connection_options
@output_option
def set_command(
    bootstrap: tuple[str, ...], timeout: float, output: Output, *, host: str, broker_id: int, dry_run: bool
) -> None:
    """Set the broker id of a host, for instance of a replacement machine with another name.

    A broker that has no node.id and no directories from before gets this id when it starts on the host.
    """
    _alter(bootstrap, timeout, host, broker_id, dry_run=dry_run)
    verb = "can have" if dry_run else "has"
    show(
        output, {"host": host, "brokerId": broker_id, "dryRun": dry_run}, [f"Host {host} {verb} broker id {broker_id}."]
    )


@examples(
    "kraftpy broker-ids delete -C localhost:9193 --host kafka-4.example.com",
)
@broker_ids.command("delete")
@host_option
@dry_run_option()
@connection_options
@output_option
def delete_command(bootstrap: tuple[str, ...], timeout: float, output: Output, *, host: str, dry_run: bool) -> None:
    """Delete the broker id of a host. A running broker keeps its id, and sets it again at its next registration."""
    _alter(bootstrap, timeout, host, None, dry_run=dry_run)
    verb = "Could delete" if dry_run else "Deleted"
    show(output, {"host": host, "brokerId": None, "dryRun": dry_run}, [f"{verb} the broker id of host {host}."])


def _alter(bootstrap: tuple[str, ...], timeout: float, host: str, broker_id: int | None, *, dry_run: bool) -> None:
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as cluster:
        cluster.alter_broker_host(host, broker_id, validate_only=dry_run)


def as_lines(found: Sequence[BrokerHost]) -> list[str]:
    """Return a row per host, tab-separated as in Kafka's tools."""
    return [f"Host: {one.host}\tBrokerId: {one.broker_id}\tState: {one.state.name.lower()}" for one in found]
