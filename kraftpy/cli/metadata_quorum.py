"""``kraftpy metadata-quorum``: who votes, who leads, how far each replica is; who shall vote (``quorum_members``).

Source: Kafka ``MetadataQuorumCommand``; tools §2.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from kraftpy.cli.dry_run import dry_run_option
from kraftpy.cli.examples import examples
from kraftpy.cli.options import NODE_ID, connection_options, output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.quorum_members import add_controller, ok_to_stop, remove_controller
from kraftpy.cli.quorum_text import replication_lines, replication_rows, status, status_lines
from kraftpy.cli.suggestions import CommandGroup


@click.group("metadata-quorum", cls=CommandGroup)
def metadata_quorum() -> None:
    """Describe the quorum, and change its voters."""


@examples(
    "kraftpy quorum describe --status -C localhost:9193",
    "kraftpy quorum describe --replication -C localhost:9193",
)
@metadata_quorum.command("describe")
@click.option("--status", "wants_status", is_flag=True, help="Print leader, epoch, high watermark and voters.")
@click.option("--replication", "wants_replication", is_flag=True, help="Print the progress of every replica.")
@click.option(
    "--human-readable/--no-human-readable",
    default=None,
    help="Print times as ages (default on a terminal), or in ms since 1970; with --replication.",
)
@connection_options
@output_option
def describe(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    wants_status: bool,
    wants_replication: bool,
    human_readable: bool | None,
) -> None:
    """Describe the quorum, from its leader's state."""
    _check(wants_status=wants_status, wants_replication=wants_replication, human_readable=human_readable)
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as cluster:
        quorum = cluster.describe_quorum()
        data: Any
        if wants_status:
            data = status(quorum, cluster.describe_cluster().cluster_id)
            lines = status_lines(data)
        else:
            data = replication_rows(quorum)
            with_ages = sys.stdout.isatty() if human_readable is None else human_readable
            lines = replication_lines(data, with_ages=with_ages)
    show(output, data, lines)


@examples(
    "kraftpy quorum transfer-leader -C localhost:9193 --to 2 --dry-run",
    "kraftpy quorum transfer-leader -C localhost:9193 --to 2",
)
@metadata_quorum.command("transfer-leader")
@click.option("--to", "node_id", required=True, type=NODE_ID, metavar="ID", help="Node id of the new leader.")
@dry_run_option()
@connection_options
@output_option
def transfer_leader(bootstrap: tuple[str, ...], timeout: float, output: Output, node_id: int, *, dry_run: bool) -> None:
    """Transfer leadership to a voter that has caught up, and wait until it leads."""
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as cluster:
        leader = cluster.transfer_leadership(node_id, validate_only=dry_run)
    data = {"leaderId": leader.leader_id, "leaderEpoch": leader.epoch, "dryRun": dry_run}
    now = f"Controller {leader.leader_id} leads epoch {leader.epoch}"
    show(output, data, [f"Could hand the leadership to {node_id}. {now}" if dry_run else now])


metadata_quorum.add_command(add_controller)
metadata_quorum.add_command(remove_controller)
metadata_quorum.add_command(ok_to_stop)


def _check(*, wants_status: bool, wants_replication: bool, human_readable: bool | None) -> None:
    if wants_status and wants_replication:
        raise click.UsageError("Only one of --status or --replication should be specified with describe sub-command")
    if not wants_status and not wants_replication:
        raise click.UsageError("One of --status or --replication must be specified with describe sub-command")
    if human_readable is not None and not wants_replication:
        raise click.UsageError("The option --human-readable is only supported along with --replication")
