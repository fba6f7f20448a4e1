"""``kraftpy reassign-partitions``: move replicas, with the options and texts of kafka-reassign-partitions.

Source: Kafka ``ReassignPartitionsCommand``; KIP-455, KIP-860.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from kraftpy.cli.cluster_port import ClusterClient, Read
from kraftpy.cli.errors import CommandError
from kraftpy.cli.options import PathParam, connection_options, output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.partition_file import read_partitions, read_topics
from kraftpy.model.consistency import Consistency

if TYPE_CHECKING:
    from kraftpy.client import values
    from kraftpy.quorum_tools.reassignment_plan import ReassignmentPlan

Replicas = dict[tuple[str, int], list[int]]
"""Broker ids by topic and partition."""


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
    if not generate and (topics_path is not None or broker_list is not None or disable_rack_aware):
        raise click.UsageError("--topics-to-move-json-file, --broker-list and --disable-rack-aware are for --generate")
    wanted = {} if path is None else read_partitions(path, has_replicas=True)
    topics = [] if topics_path is None else read_topics(topics_path)
    with connect(bootstrap, timeout) as cluster:
        if generate:
            data, lines = _generate(cluster, topics, broker_list, with_racks=not disable_rack_aware)
        elif lists:
            data, lines = _list(cluster)
        elif verify:
            data, lines = _verify(cluster, wanted)
        elif cancel:
            data, lines = _cancel(cluster, wanted)
        else:
            data, lines = _execute(cluster, wanted, allows=not disallow_replication_factor_change)
    show(output, data, lines)


def _generate(
    cluster: ClusterClient, topics: Sequence[str], broker_list: str | None, *, with_racks: bool
) -> tuple[Any, list[str]]:
    """Propose a reassignment; what it moves is on stderr, so that the output is that of Kafka's tool."""
    from kraftpy.quorum_tools.reassignment_plan import NoPlanError, plan_reassignment

    described = cluster.describe_topics(topics, Read(Consistency.LINEARIZABLE))
    if described.unknown:
        raise CommandError(f"there is no topic {', '.join(described.unknown)}")
    present = {(topic.name, one.partition): one.replicas for topic in described.topics for one in topic.partitions}
    moving = [
        f"{topic.name}-{one.partition}"
        for topic in described.topics
        for one in topic.partitions
        if one.adding_replicas or one.removing_replicas
    ]
    if moving:
        raise CommandError(
            f"{len(moving)} partitions are being moved, {moving[0]} for instance: wait until they are, or --cancel that"
        )
    brokers = _brokers(cluster, broker_list)
    try:
        plan = plan_reassignment(present, brokers if with_racks else dict.fromkeys(brokers))
    except NoPlanError as error:
        raise CommandError(str(error)) from error
    rows = _per_broker(plan, brokers)
    click.echo(f"{plan.moved} of {sum(plan.replicas_before.values())} replicas move:", err=True)
    for row in rows:
        click.echo(
            "broker {id}: replicas {replicasBefore} -> {replicasAfter}, preferred leader of {leadersBefore} -> "
            "{leadersAfter}".format(**row),
            err=True,
        )
    before = _assignment({key: list(replicas) for key, replicas in sorted(present.items())})
    after = _assignment(plan.replicas)
    lines = [
        "Current partition replica assignment",
        json.dumps(before, separators=(",", ":")),
        "",
        "Proposed partition reassignment configuration",
        json.dumps(after, separators=(",", ":")),
    ]
    return {"current": before, "proposed": after, "moved": plan.moved, "brokers": rows}, lines


def _per_broker(plan: ReassignmentPlan, brokers: Iterable[int]) -> list[dict[str, int]]:
    """Return what each broker has before and after the plan."""
    replicas, leaders = plan.replicas_after, plan.leaders_after
    return [
        {
            "id": each,
            "replicasBefore": plan.replicas_before.get(each, 0),
            "replicasAfter": replicas[each],
            "leadersBefore": plan.leaders_before.get(each, 0),
            "leadersAfter": leaders[each],
        }
        for each in sorted({*plan.replicas_before, *brokers})
    ]


def _brokers(cluster: ClusterClient, broker_list: str | None) -> dict[int, str | None]:
    """Return the brokers that may get replicas, with their racks.

    Raises:
        CommandError: one is not registered, or none is left.
    """
    registered = {one.broker_id: one for one in cluster.describe_cluster(Read(Consistency.LINEARIZABLE)).brokers}
    if broker_list is None:
        chosen = [each for each, one in registered.items() if not one.fenced and not one.in_controlled_shutdown]
    else:
        try:
            chosen = [int(each) for each in broker_list.split(",")]
        except ValueError as error:
            raise CommandError(f"--broker-list {broker_list!r} is not a list of broker ids: 1,2,3") from error
    unknown = [str(each) for each in chosen if each not in registered]
    if unknown:
        raise CommandError(f"there is no broker {', '.join(unknown)} in the cluster")
    if not chosen:
        raise CommandError("no broker is active")
    return {each: registered[each].rack for each in sorted(chosen)}


def _list(cluster: ClusterClient) -> tuple[Any, list[str]]:
    found = cluster.list_reassignments(None)
    rows = [
        {
            "topic": one.topic,
            "partition": one.partition,
            "replicas": list(one.replicas),
            "addingReplicas": list(one.adding_replicas),
            "removingReplicas": list(one.removing_replicas),
        }
        for one in found
    ]
    lines = ["Current partition reassignments:" if found else "No partition reassignments found."]
    for one in found:
        line = f"{one.topic}-{one.partition}: replicas: {_ids(one.replicas)}."
        line += f" adding: {_ids(one.adding_replicas)}." if one.adding_replicas else ""
        line += f" removing: {_ids(one.removing_replicas)}." if one.removing_replicas else ""
        lines.append(line)
    return rows, lines


def _verify(cluster: ClusterClient, wanted: Replicas) -> tuple[Any, list[str]]:
    moving = {(one.topic, one.partition) for one in cluster.list_reassignments(_by_topic(wanted))}
    present = _present(cluster, wanted)
    rows, lines = [], ["Status of partition reassignment:"]
    for (topic, number), replicas in wanted.items():
        name, now = f"{topic}-{number}", present.get((topic, number))
        if (topic, number) in moving:
            state, line = "IN_PROGRESS", f"Reassignment of partition {name} is still in progress."
        elif now == replicas:
            state, line = "COMPLETED", f"Reassignment of partition {name} is completed."
        else:
            state = "OTHER_REPLICAS"
            line = (
                f"There is no active reassignment of partition {name}, but replica set is {_ids(now or ())} rather "
                f"than {_ids(replicas)}."
            )
        rows.append({"topic": topic, "partition": number, "state": state, "replicas": now})
        lines.append(line)
    return rows, lines


def _execute(cluster: ClusterClient, wanted: Replicas, *, allows: bool) -> tuple[Any, list[str]]:
    before = _assignment(_present(cluster, wanted))
    _check(cluster.reassign_partitions(wanted, allow_replication_factor_change=allows))
    names = ",".join(sorted(f"{topic}-{number}" for topic, number in wanted))
    lines = [
        "Current partition replica assignment",
        "",
        json.dumps(before, separators=(",", ":")),
        "",
        "Save this to use as the --reassignment-json-file option during rollback",
        f"Successfully started partition reassignment{'s' if len(wanted) > 1 else ''} for {names}",
    ]
    return {"before": before, "after": _assignment(wanted)}, lines


def _cancel(cluster: ClusterClient, wanted: Replicas) -> tuple[Any, list[str]]:
    moving = [(one.topic, one.partition) for one in cluster.list_reassignments(_by_topic(wanted))]
    rows = [{"topic": topic, "partition": number} for topic, number in moving]
    if not moving:
        return rows, ["None of the specified partition reassignments are active."]
    _check(cluster.reassign_partitions(dict.fromkeys(moving), allow_replication_factor_change=True))
    names = ",".join(f"{topic}-{number}" for topic, number in moving)
    return rows, [f"Successfully cancelled partition reassignment{'s' if len(moving) > 1 else ''} for: {names}"]


def _check(outcomes: Sequence[values.PartitionResult]) -> None:
    """Fail with the partitions that were refused; the others are moved."""
    from kraftpy.model.errors import ErrorCode

    failed = [one for one in outcomes if one.error is not ErrorCode.NONE]
    if failed:
        refused = "; ".join(
            f"{one.topic}-{one.partition}: {one.message or one.error.name} ({one.error.name})" for one in failed
        )
        raise CommandError(f"{len(failed)} of {len(outcomes)} partitions were refused, the others accepted: {refused}")


def _present(cluster: ClusterClient, wanted: Replicas) -> Replicas:
    """Return the replicas that the partitions have, of those that exist."""
    found = cluster.describe_topics(sorted(_by_topic(wanted)), Read(Consistency.LINEARIZABLE)).topics
    present = {(topic.name, one.partition): list(one.replicas) for topic in found for one in topic.partitions}
    return {key: present[key] for key in wanted if key in present}


def _by_topic(partitions: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = {}
    for topic, number in partitions:
        numbers.setdefault(topic, []).append(number)
    return numbers


def _assignment(replicas: Mapping[tuple[str, int], list[int]]) -> dict[str, object]:
    rows = [{"topic": topic, "partition": number, "replicas": brokers} for (topic, number), brokers in replicas.items()]
    return {"version": 1, "partitions": rows}


def _ids(replicas: Iterable[int]) -> str:
    return ",".join(map(str, replicas))
