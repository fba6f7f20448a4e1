"""``kraftpy reassign-partitions``: move replicas, with the options and texts of kafka-reassign-partitions.

Source: Kafka ``ReassignPartitionsCommand``; KIP-73, KIP-455, KIP-860.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click

from kraftpy.cli import reassignments
from kraftpy.cli.cluster_port import ClusterClient
from kraftpy.cli.dry_run import dry_run_option
from kraftpy.cli.examples import examples
from kraftpy.cli.options import PathParam, connection_options, output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.partition_file import read_partitions, read_topics
from kraftpy.cli.reassignments import ReassignmentState, Replicas, as_file, broker_ids

THROTTLE_WARNING: Final = (
    "Warning: You must run --verify periodically, until the reassignment completes, to ensure the throttle is removed."
)


@examples(
    "kraftpy reassign-partitions -C localhost:9193 --generate --broker-list 4,5,6 -o json",
    "kraftpy reassign-partitions -C localhost:9193 --execute --reassignment-json-file moves.json --throttle 10000000",
    "kraftpy reassign-partitions -C localhost:9193 --verify --reassignment-json-file moves.json",
    "kraftpy reassign-partitions -C localhost:9193 --list",
)
@click.command("reassign-partitions")
@click.option("--generate", "generate", is_flag=True, help="Propose replicas that move as little as possible.")
@click.option("--execute", "execute", is_flag=True, help="Move replicas as the file states.")
@click.option("--verify", "verify", is_flag=True, help="Print the progress of the file's reassignments.")
@click.option("--list", "lists", is_flag=True, help="List all reassignments.")
@click.option("--cancel", "cancel", is_flag=True, help="Cancel the reassignments of the file's partitions.")
@click.option(
    "--reassignment-json-file",
    "path",
    type=PathParam(dir_okay=False),
    help="File with the new replicas, as kafka-reassign-partitions takes it.",
)
@click.option(
    "--disallow-replication-factor-change", is_flag=True, help="Reject moves that change the number of replicas."
)
@click.option(
    "--topics-to-move-json-file",
    "topics_path",
    type=PathParam(dir_okay=False),
    help='For --generate: file with the topics, {"topics": [{"topic": "t"}]}. Default: all.',
)
@click.option("--broker-list", help="For --generate: brokers that get replicas, comma-separated. Default: all active.")
@click.option("--disable-rack-aware", is_flag=True, help="For --generate: ignore racks.")
@click.option(
    "--throttle",
    type=click.IntRange(1),
    metavar="BYTES",
    help="For --execute: copy at most this per second and broker.",
)
@click.option("--additional", is_flag=True, help="For --execute: even if other reassignments are under way.")
@click.option("--preserve-throttles", is_flag=True, help="For --verify and --cancel: do not remove throttles.")
@dry_run_option("For --execute: validate the request without changing anything.")
@connection_options
@output_option
def reassign_partitions(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    generate: bool,
    topics_path: str | None,
    broker_list: str | None,
    disable_rack_aware: bool,
    execute: bool,
    verify: bool,
    lists: bool,
    cancel: bool,
    path: str | None,
    disallow_replication_factor_change: bool,
    throttle: int | None,
    additional: bool,
    preserve_throttles: bool,
    dry_run: bool,
) -> None:
    """Move replicas of partitions to other brokers.

    --generate moves a replica only where it must: off brokers that are not listed, out of racks with too many of a
    partition, and from full brokers to empty ones. Save what it proposes, and give it to --execute.
    """
    from kraftpy.cli.connection import connect

    if [generate, execute, verify, lists, cancel].count(True) != 1:
        raise click.UsageError("Exactly one of --generate, --execute, --verify, --list and --cancel must be given")
    if (path is None) != (lists or generate):
        raise click.UsageError("--reassignment-json-file must be given, except with --list and --generate")
    given = {
        "topics_path": topics_path, "broker_list": broker_list, "disable_rack_aware": disable_rack_aware,
        "throttle": throttle, "additional": additional, "dry_run": dry_run, "preserve_throttles": preserve_throttles,
    }  # fmt: skip
    _check_options(generate=generate, execute=execute, may_preserve=verify or cancel, given=given)
    wanted = {} if path is None else read_partitions(path, has_replicas=True)
    topics = [] if topics_path is None else read_topics(topics_path)
    with connect(bootstrap, timeout) as cluster:
        if generate:
            data, lines = _generate(cluster, topics, broker_list, with_racks=not disable_rack_aware)
        elif lists:
            data, lines = _list(cluster)
        elif verify:
            data, lines = _verify(cluster, wanted, preserve_throttles=preserve_throttles)
        elif cancel:
            data, lines = _cancel(cluster, wanted, preserve_throttles=preserve_throttles)
        else:
            data, lines = _execute(cluster, wanted, given, may_change=not disallow_replication_factor_change)
    show(output, data, lines)


def _check_options(*, generate: bool, execute: bool, may_preserve: bool, given: Mapping[str, Any]) -> None:
    """Reject options of other actions.

    Raises:
        UsageError: naming the options.
    """
    of_generate = ("topics_path", "broker_list", "disable_rack_aware")
    if not generate and any(given[name] not in {None, False} for name in of_generate):
        raise click.UsageError("--topics-to-move-json-file, --broker-list and --disable-rack-aware are for --generate")
    if not execute and any(given[name] not in {None, False} for name in ("throttle", "additional", "dry_run")):
        raise click.UsageError("--throttle, --additional and --dry-run are for --execute")
    if given["preserve_throttles"] and not may_preserve:
        raise click.UsageError("--preserve-throttles is for --verify and --cancel")


def _generate(
    cluster: ClusterClient, topics: Sequence[str], broker_list: str | None, *, with_racks: bool
) -> tuple[Any, list[str]]:
    """Propose a reassignment; what it moves is on stderr, so that the output is that of Kafka's tool."""
    present, plan, rows = reassignments.propose(cluster, topics, broker_list, with_racks=with_racks)
    click.echo(f"{plan.moved} of {sum(plan.replicas_before.values())} replicas move:", err=True)
    for row in rows:
        click.echo(reassignments.broker_line(row), err=True)
    before, after = as_file(dict(sorted(present.items()))), as_file(plan.replicas)
    lines = [
        "Current partition replica assignment",
        json.dumps(before, separators=(",", ":")),
        "",
        "Proposed partition reassignment configuration",
        json.dumps(after, separators=(",", ":")),
    ]
    data = {
        "currentAssignment": before,
        "proposedAssignment": after,
        "movedReplicaCount": plan.moved,
        "brokers": rows,
    }
    return data, lines


def _execute(
    cluster: ClusterClient, wanted: Replicas, given: Mapping[str, Any], *, may_change: bool
) -> tuple[Any, list[str]]:
    """Start a reassignment, or only validate it."""
    throttle, dry_run = given["throttle"], given["dry_run"]
    before = reassignments.start(
        cluster,
        wanted,
        allows_factor_change=may_change,
        throttle=throttle,
        additional=given["additional"],
        validate_only=dry_run,
    )
    data = reassignments.started_json(before, wanted, throttle, dry_run=dry_run)
    return data, ["The reassignment could be started."] if dry_run else _started(before, wanted, throttle)


def _list(cluster: ClusterClient) -> tuple[Any, list[str]]:
    found = cluster.list_reassignments(None)
    lines = ["Current partition reassignments:" if found else "No partition reassignments found."]
    return [reassignments.ongoing_row(one) for one in found], lines + list(map(reassignments.ongoing_line, found))


def _verify(cluster: ClusterClient, wanted: Replicas, *, preserve_throttles: bool) -> tuple[Any, list[str]]:
    rows, ongoing = reassignments.progress(cluster, wanted)
    lines = ["Status of partition reassignment:"]
    for row in rows:
        name = f"{row.topic}-{row.partition}"
        if row.state is ReassignmentState.IN_PROGRESS:
            lines.append(f"Reassignment of partition {name} is still in progress.")
        elif row.state is ReassignmentState.COMPLETED:
            lines.append(f"Reassignment of partition {name} is completed.")
        else:
            lines.append(
                f"There is no active reassignment of partition {name}, but replica set is "
                f"{broker_ids(row.present or ())} rather than {broker_ids(row.wanted)}."
            )
    if not ongoing and not preserve_throttles:
        lines += ["", *reassignments.clear_throttles(cluster, {row.topic for row in rows}).as_lines]
    return [row.as_json for row in rows], lines


def _started(before: Replicas, wanted: Replicas, throttle: int | None) -> list[str]:
    names = ",".join(sorted(f"{topic}-{number}" for topic, number in wanted))
    lines = [
        "Current partition replica assignment",
        "",
        json.dumps(as_file(before), separators=(",", ":")),
        "",
        "Save this to use as the --reassignment-json-file option during rollback",
    ]
    if throttle is not None:
        lines += [
            THROTTLE_WARNING,
            f"The inter-broker throttle limit was set to {throttle} B/s",
        ]
    return [*lines, f"Successfully started partition reassignment{'s' if len(wanted) > 1 else ''} for {names}"]


def _cancel(cluster: ClusterClient, wanted: Replicas, *, preserve_throttles: bool) -> tuple[Any, list[str]]:
    moving, cleared = reassignments.cancel(cluster, wanted, preserve_throttles=preserve_throttles)
    rows = [{"topic": topic, "partition": number} for topic, number in moving]
    if not moving:
        return rows, ["None of the specified partition reassignments are active.", *cleared.as_lines]
    names = ",".join(f"{topic}-{number}" for topic, number in moving)
    plural = "s" if len(moving) > 1 else ""
    return rows, [f"Successfully cancelled partition reassignment{plural} for: {names}", *cleared.as_lines]
