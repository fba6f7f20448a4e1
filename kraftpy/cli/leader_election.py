"""``kraftpy leader-election``: elect leaders of partitions, with the options and texts of kafka-leader-election.

Source: Kafka ``LeaderElectionCommand``; KIP-460.
"""

from __future__ import annotations

import click

from kraftpy.cli.dry_run import dry_run_option
from kraftpy.cli.errors import RequestRefusedError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import NODE_ID, PathParam, connection_options, output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.partition_file import read_partitions
from kraftpy.cli.suggestions import WordChoice
from kraftpy.cli.topic_text import error_fields


@examples(
    "kraftpy leader-election -C localhost:9193 --election-type preferred --all-topic-partitions",
    "kraftpy leader-election -C localhost:9193 --election-type unclean --topic orders --partition 3 --dry-run",
)
@click.command("leader-election")
@click.option(
    "--election-type",
    "kind",
    type=WordChoice(["preferred", "unclean"], case_sensitive=False),
    required=True,
    help="preferred: the first replica; unclean: a replica that is not in sync, if no other can lead.",
)
@click.option("--topic", help="The topic; needs --partition.")
@click.option("--partition", type=NODE_ID, help="The partition; needs --topic.")
@click.option("--all-topic-partitions", is_flag=True, help="All partitions of all topics.")
@click.option("--path-to-json-file", "path", type=PathParam(dir_okay=False), help="A file that names partitions.")
@dry_run_option(in_list=True)
@connection_options
@output_option
def leader_election(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    kind: str,
    topic: str | None,
    partition: int | None,
    all_topic_partitions: bool,
    path: str | None,
    dry_run: bool,
) -> int:
    """Elect leaders of partitions."""
    from kraftpy.cli.connection import connect
    from kraftpy.client import values
    from kraftpy.model.errors import ErrorCode

    if [topic is not None, all_topic_partitions, path is not None].count(True) != 1:
        raise click.UsageError("Exactly one of --topic, --all-topic-partitions and --path-to-json-file must be given")
    if (topic is None) != (partition is None):
        raise click.UsageError("--topic and --partition must be given together")
    wanted: dict[str, list[int]] | None = None if all_topic_partitions else {}
    if wanted is not None:
        named = read_partitions(path, has_replicas=False) if path is not None else {(topic or "", partition or 0): []}
        for name, number in named:
            wanted.setdefault(name, []).append(number)
    with connect(bootstrap, timeout) as cluster:
        outcomes = cluster.elect_leaders(values.LeaderElectionType[kind.upper()], wanted, validate_only=dry_run)
    done = [f"{one.topic}-{one.partition}" for one in outcomes if one.error is ErrorCode.NONE]
    kept = [f"{one.topic}-{one.partition}" for one in outcomes if one.error is ErrorCode.ELECTION_NOT_NEEDED]
    failed = [one for one in outcomes if one.error not in {ErrorCode.NONE, ErrorCode.ELECTION_NOT_NEEDED}]
    data = [
        {"topic": one.topic, "partition": one.partition, **error_fields(one.error, one.message)} for one in outcomes
    ]
    verb = "Could elect leaders" if dry_run else "Successfully completed leader election"
    lines = [f"{verb} ({kind.upper()}) for partitions {', '.join(done)}"] if done else []
    lines += [f"Valid replica already elected for partitions {', '.join(kept)}"] if kept else []
    lines += [
        f"Error completing leader election ({kind.upper()}) for partition: {one.topic}-{one.partition}: "
        f"{one.message or one.error.name}"
        for one in failed
    ]
    show(output, data, lines)
    if failed:
        text = f"{len(failed)} replica(s) could not be elected ({failed[0].error.name})"
        raise RequestRefusedError(text, is_shown=True)
    return ExitCode.OK
