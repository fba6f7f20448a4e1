"""``kraftpy reassign``: plan a reassignment, preview it, start it, follow it, and cancel it.

The files are those of ``reassign-partitions``, which has the options of Kafka's tool.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from kraftpy.cli import reassignments
from kraftpy.cli.dry_run import dry_run_option
from kraftpy.cli.errors import CommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.options import PathParam, connection_options, output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.partition_file import read_partitions
from kraftpy.cli.reassignments import ReassignmentState, as_file, broker_ids
from kraftpy.cli.suggestions import CommandGroup

PREVIEW_LINES_MAX = 50
"""How many partitions a preview lists as text; the file and ``-o json`` have all."""


@click.group("reassign", cls=CommandGroup)
def reassign() -> None:
    """Plan, apply, follow and cancel reassignments of partitions."""


@examples(
    "kraftpy reassign plan -C localhost:9193 --topic orders --broker-list 4,5,6 --output-file moves.json",
)
@reassign.command("plan")
@click.option("--topic", "topics", multiple=True, metavar="NAME", help="Only this topic; repeatable. Default: all.")
@click.option("--broker-list", help="Brokers that get replicas, comma-separated. Default: all active.")
@click.option("--disable-rack-aware", "--ignore-racks", is_flag=True, help="Ignore racks.")
@click.option(
    "--output-file", "path", type=PathParam(dir_okay=False, exists=False), help="Write the plan there, for `apply`."
)
@connection_options
@output_option
def plan_command(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    topics: tuple[str, ...],
    broker_list: str | None,
    disable_rack_aware: bool,
    path: str | None,
) -> None:
    """Plan a reassignment that moves as few replicas as balance and racks permit. Changes nothing."""
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as cluster:
        present, plan, rows = reassignments.propose(
            cluster, list(dict.fromkeys(topics)), broker_list, with_racks=not disable_rack_aware
        )
    changed = {key: replicas for key, replicas in sorted(plan.replicas.items()) if replicas != present[key]}
    lines = [f"{plan.moved} of {sum(plan.replicas_before.values())} replicas move, of {len(changed)} partitions."]
    lines += map(reassignments.broker_line, rows)
    for (topic, number), replicas in list(changed.items())[:PREVIEW_LINES_MAX]:
        lines.append(f"{topic}-{number}: {broker_ids(present[topic, number])} -> {broker_ids(replicas)}")
    if len(changed) > PREVIEW_LINES_MAX:
        lines.append(f"... and {len(changed) - PREVIEW_LINES_MAX} partitions more")
    if path is not None:
        _write(path, as_file(changed))
        lines.append(f"Written to {path}: kraftpy reassign apply {path}" if changed else f"{path} moves nothing.")
    data = {
        "currentAssignment": as_file({key: present[key] for key in changed}),
        "proposedAssignment": as_file(changed),
        "movedReplicaCount": plan.moved,
        "brokers": rows,
    }
    show(output, data, lines)


@examples(
    "kraftpy reassign apply moves.json -C localhost:9193 --dry-run",
    "kraftpy reassign apply moves.json -C localhost:9193 --throttle 10000000",
)
@reassign.command("apply")
@click.argument("path", metavar="FILE", type=PathParam(dir_okay=False))
@click.option("--throttle", type=click.IntRange(1), metavar="BYTES", help="Copy at most this per second and broker.")
@click.option(
    "--disallow-replication-factor-change", is_flag=True, help="Reject moves that change the number of replicas."
)
@dry_run_option("Validate the moves without changing anything.")
@connection_options
@output_option
def apply_command(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    path: str,
    throttle: int | None,
    disallow_replication_factor_change: bool,
    dry_run: bool,
) -> None:
    """Start the reassignment of a file, beside those under way. A throttle stays until `status` or `cancel`."""
    from kraftpy.cli.connection import connect

    wanted = read_partitions(path, has_replicas=True)
    with connect(bootstrap, timeout) as cluster:
        before = reassignments.start(
            cluster,
            wanted,
            allows_factor_change=not disallow_replication_factor_change,
            throttle=throttle,
            validate_only=dry_run,
        )
    rows = [
        f"{topic}-{number}: {broker_ids(before.get((topic, number), ()))} -> {broker_ids(replicas)}"
        for (topic, number), replicas in wanted.items()
    ]
    verb = "Could start" if dry_run else "Started"
    lines = [f"{verb} the reassignment of {len(wanted)} partitions.", *rows[:PREVIEW_LINES_MAX]]
    if throttle is not None and not dry_run:
        lines.append(f"Throttled to {throttle} bytes per second and broker; `kraftpy reassign status` removes that.")
    show(output, reassignments.started_json(before, wanted, throttle, dry_run=dry_run), lines)


@examples(
    "kraftpy reassign status moves.json -C localhost:9193",
)
@reassign.command("status")
@click.argument("path", metavar="[FILE]", type=PathParam(dir_okay=False), required=False)
@click.option("--preserve-throttles", is_flag=True, help="Do not remove throttles when nothing moves any more.")
@connection_options
@output_option
def status_command(
    bootstrap: tuple[str, ...], timeout: float, output: Output, *, path: str | None, preserve_throttles: bool
) -> None:
    """Show what moves, and how far the partitions of FILE are; remove throttles when nothing moves any more."""
    from kraftpy.cli.connection import connect

    wanted = {} if path is None else read_partitions(path, has_replicas=True)
    cleared = reassignments.NOTHING_CLEARED
    with connect(bootstrap, timeout) as cluster:
        rows, ongoing = reassignments.progress(cluster, wanted)
        if not ongoing and wanted and not preserve_throttles:
            cleared = reassignments.clear_throttles(cluster, {row.topic for row in rows})
    completed, moving, others = (
        [row for row in rows if row.state is state]
        for state in (ReassignmentState.COMPLETED, ReassignmentState.IN_PROGRESS, ReassignmentState.OTHER_REPLICAS)
    )
    lines = [f"{len(ongoing)} partitions move." if ongoing else "No partition moves."]
    if wanted:
        lines.append(
            f"Of {len(rows)} partitions in {path}: {len(completed)} completed, {len(moving)} in progress, "
            f"{len(others)} with other replicas."
        )
    lines += [reassignments.ongoing_line(one) for one in ongoing[:PREVIEW_LINES_MAX]]
    for row in others[:PREVIEW_LINES_MAX]:
        present = broker_ids(row.present or ()) or "no replicas"
        lines.append(f"{row.topic}-{row.partition}: has {present}, not {broker_ids(row.wanted)}")
    data: dict[str, Any] = {
        "ongoing": [reassignments.ongoing_row(one) for one in ongoing],
        "partitions": [row.as_json for row in rows],
        "throttlesRemoved": {"brokerIds": list(cleared.brokers), "topics": list(cleared.topics)},
    }
    show(output, data, lines + cleared.as_lines)


@examples(
    "kraftpy reassign cancel moves.json -C localhost:9193",
    "kraftpy reassign cancel --all -C localhost:9193",
)
@reassign.command("cancel")
@click.argument("path", metavar="[FILE]", type=PathParam(dir_okay=False), required=False)
@click.option("--all", "everything", is_flag=True, help="Cancel all reassignments of the cluster.")
@click.option("--preserve-throttles", is_flag=True, help="Do not remove throttles.")
@connection_options
@output_option
def cancel_command(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    path: str | None,
    everything: bool,
    preserve_throttles: bool,
) -> None:
    """Cancel the reassignments of FILE, or all: the partitions return to the replicas they had before."""
    from kraftpy.cli.connection import connect

    if (path is None) != everything:
        raise click.UsageError("Either FILE or --all must be given")
    wanted = None if path is None else read_partitions(path, has_replicas=True)
    with connect(bootstrap, timeout) as cluster:
        moving, cleared = reassignments.cancel(cluster, wanted, preserve_throttles=preserve_throttles)
    lines = [f"Cancelled {len(moving)} reassignments." if moving else "None of these partitions moves."]
    lines += [f"{topic}-{number}" for topic, number in moving[:PREVIEW_LINES_MAX]]
    data = {
        "cancelled": [{"topic": topic, "partition": number} for topic, number in moving],
        "throttlesRemoved": {"brokerIds": list(cleared.brokers), "topics": list(cleared.topics)},
    }
    show(output, data, lines + cleared.as_lines)


def _write(path: str, content: object) -> None:
    """Write a new file; an existing one is kept."""
    try:
        with Path(path).open("x", encoding="utf-8") as file:
            json.dump(content, file, indent=1)
            file.write("\n")
    except FileExistsError as error:
        raise CommandError(f"{path} exists already: give another --output-file, or delete it") from error
    except OSError as error:
        Path(path).unlink(missing_ok=True)
        raise CommandError(f"{path} cannot be written: {error.strerror}") from error
