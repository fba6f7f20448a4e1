"""``kraftpy topics``: create, delete, alter, describe and list topics, with the options and texts of kafka-topics.

Source: Kafka ``TopicCommand``; KIP-36 (``--disable-rack-aware``, in its text ``--ignore-racks``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kraftpy.cli.cluster_port import Read
from kraftpy.cli.confirmation import confirm, some_of, yes_option
from kraftpy.cli.dry_run import dry_run_option
from kraftpy.cli.errors import ArgumentError, CommandError, RequestRefusedError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import connection_options, output_option, read_options
from kraftpy.cli.output import Output, show
from kraftpy.cli.suggestions import CommandGroup, WordChoice
from kraftpy.cli.topic_text import data_of, kinds_of, outcome_data, partition_line, plan_lines, topic_line
from kraftpy.model.consistency import Consistency

if TYPE_CHECKING:
    from kraftpy.client import values

Command = TypeVar("Command", bound=Callable[..., Any])

INTERNAL = frozenset({"__consumer_offsets", "__transaction_state", "__share_group_state"})
COUNT = click.IntRange(1, 2**31 - 1)
COLLISIONS = (
    "WARNING: Due to limitations in metric names, topics with a period ('.') or underscore ('_') could collide. To "
    "avoid issues it is best to use either, but not both."
)


@click.group("topics", cls=CommandGroup)
def topics() -> None:
    """Create, delete, alter, describe and list topics."""


def _placement_options(command: Command) -> Command:
    for option in (
        click.option("--explain", is_flag=True, help="Print where each replica is placed, and why."),
        click.option(
            "--disable-rack-aware",
            "--ignore-racks",
            "ignores_racks",
            is_flag=True,
            help="Ignore racks when placing replicas.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(0, 2**63 - 1),
            help="Seed of the placement; a plan prints its seed, which repeats it.",
        ),
        click.option(
            "--placer", type=WordChoice(["striped", "kip36"]), help="Placer that assigns replicas to brokers."
        ),
        dry_run_option(),
        click.option(
            "--replica-assignment", metavar="B:B,...", help="Brokers of each partition: 1:2,2:3 is two with two each."
        ),
    ):
        command = option(command)
    return command


@examples(
    "kraftpy topics create -C localhost:9193 --topic orders --partitions 6 --config retention.ms=3600000",
    "kraftpy topics create -C localhost:9193 --topic orders --partitions 6 --replication-factor 3 --explain --dry-run",
)
@topics.command("create")
@click.option("--topic", "name", required=True, help="Name of the topic.")
@click.option("--partitions", type=COUNT, help="Number of partitions. Default: the controller's num.partitions.")
@click.option("--replication-factor", type=COUNT, help="Replicas per partition. Default: default.replication.factor.")
@click.option("--config", "configs", multiple=True, metavar="K=V", help="A config of the topic; repeatable.")
@click.option("--if-not-exists", is_flag=True, help="Do nothing if the topic exists.")
@_placement_options
@connection_options
@output_option
def create(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    name: str,
    partitions: int | None,
    replication_factor: int | None,
    configs: tuple[str, ...],
    if_not_exists: bool,
    replica_assignment: str | None,
    dry_run: bool,
    placer: str | None,
    seed: int | None,
    ignores_racks: bool,
    explain: bool,
) -> int:
    """Create a topic."""
    from kraftpy.cli.connection import connect
    from kraftpy.client import values
    from kraftpy.model.errors import ErrorCode

    assignments = _assignments(replica_assignment)
    if assignments and (partitions is not None or replication_factor is not None):
        raise click.UsageError("--replica-assignment goes without --partitions and --replication-factor")
    topic = values.NewTopic(
        name=name,
        partitions=partitions,
        replication_factor=replication_factor,
        assignments=dict(enumerate(assignments)),
        configs=_configs(configs),
    )
    placement = _placement(placer, seed, ignores_racks=ignores_racks, explain=explain)
    if output is Output.TABLE and {".", "_"} & set(name):
        click.echo(COLLISIONS, err=True)
    with connect(bootstrap, timeout) as cluster:
        outcome = cluster.create_topic(topic, placement, validate_only=dry_run)
    if outcome.error is ErrorCode.TOPIC_ALREADY_EXISTS and if_not_exists:
        show(output, outcome_data(outcome), [])
        return ExitCode.OK
    _check(outcome)
    verb = "Could create" if dry_run else "Created"
    show(output, outcome_data(outcome), [f"{verb} topic {name}.", *plan_lines(outcome.plan)])
    return ExitCode.OK


@examples(
    "kraftpy topics alter -C localhost:9193 --topic orders --partitions 12",
)
@topics.command("alter")
@click.option("--topic", "name", required=True, help="Name of the topic.")
@click.option("--partitions", type=COUNT, required=True, help="Total number of partitions.")
@click.option("--if-exists", is_flag=True, help="Do nothing if the topic does not exist.")
@_placement_options
@connection_options
@output_option
def alter(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    name: str,
    partitions: int,
    if_exists: bool,
    replica_assignment: str | None,
    dry_run: bool,
    placer: str | None,
    seed: int | None,
    ignores_racks: bool,
    explain: bool,
) -> int:
    """Add partitions to a topic. With --replica-assignment, list all partitions, the existing ones first."""
    from kraftpy.cli.connection import connect
    from kraftpy.client import values
    from kraftpy.model.errors import ErrorCode

    assignments = _assignments(replica_assignment)
    placement = _placement(placer, seed, ignores_racks=ignores_racks, explain=explain)
    with connect(bootstrap, timeout) as cluster:
        if assignments:
            found = cluster.describe_topics([name], Read(Consistency.COMMITTED, None), omit_partitions=True).topics
            assignments = assignments[found[0].partition_count :] if found else []
        increase = values.PartitionIncrease(name, partitions, assignments)
        outcome = cluster.create_partitions(increase, placement, validate_only=dry_run)
    if outcome.error is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION and if_exists:
        show(output, outcome_data(outcome), [])
        return ExitCode.OK
    _check(outcome)
    dry = [f"Could add partitions to topic {name}: {partitions} in total."] if dry_run else []
    show(output, outcome_data(outcome), [*dry, *plan_lines(outcome.plan)])
    return ExitCode.OK


@examples(
    "kraftpy topics delete -C localhost:9193 --topic 'test-.*' --dry-run",
    "kraftpy topics delete -C localhost:9193 --topic orders",
)
@topics.command("delete")
@click.option("--topic", "name", help="A name, or a regular expression for several.")
@click.option("--topic-id", help="Topic id, 22 characters.")
@click.option("--if-exists", is_flag=True, help="Do nothing if the topic does not exist.")
@yes_option
@dry_run_option(in_list=True)
@connection_options
@output_option
def delete(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    name: str | None,
    topic_id: str | None,
    if_exists: bool,
    yes: bool,
    dry_run: bool,
) -> int:
    """Delete a topic with its data, or all topics that match a regular expression; asks before it deletes several."""
    from kraftpy.cli.connection import connect

    if (name is None) == (topic_id is None):
        raise click.UsageError("Exactly one of --topic and --topic-id must be given")
    wanted = _topic_id(topic_id)
    with connect(bootstrap, timeout) as cluster:
        names = [] if name is None else _matching(cluster.list_topics(), name)
        if wanted is None and not names:
            if if_exists:
                return ExitCode.OK
            raise RequestRefusedError(f"Topic '{name}' does not exist as expected")
        if len(names) > 1:
            confirm(f"Delete {len(names)} topics with their data: {some_of(names)}?", is_decided=yes or dry_run)
        outcomes = cluster.delete_topics(names, [] if wanted is None else [wanted], validate_only=dry_run)
    for outcome in outcomes:
        _check(outcome)
    lines = [f"Could delete topic {outcome.name or topic_id}." for outcome in outcomes] if dry_run else []
    show(output, [outcome_data(outcome) for outcome in outcomes], lines)
    return ExitCode.OK


@examples(
    "kraftpy topics list -C localhost:9193",
    "kraftpy topics list -C localhost:9193 --topic 'orders-.*' --exclude-internal",
)
@topics.command("list")
@click.option("--topic", "name", help="A name, or a regular expression for several.")
@click.option("--exclude-internal", is_flag=True, help="Leave out Kafka's own topics.")
@read_options
@connection_options
@output_option
def list_command(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    name: str | None,
    exclude_internal: bool,
    consistency: Consistency,
    min_offset: int | None,
) -> None:
    """List the names of topics."""
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as cluster:
        found = cluster.list_topics(Read(consistency, min_offset))
    names = found if name is None else _matching(found, name)
    if exclude_internal:
        names = [each for each in names if each not in INTERNAL]
    show(output, names, names)


@examples(
    "kraftpy topics describe -C localhost:9193 --topic orders",
    "kraftpy topics describe -C localhost:9193 --under-replicated-partitions",
)
@topics.command("describe")
@click.option("--topic", "name", help="A name, or a regular expression for several. Default: all.")
@click.option("--topic-id", help="Topic id, 22 characters; it precedes --topic.")
@click.option("--if-exists", is_flag=True, help="Print nothing if the topic does not exist.")
@click.option("--exclude-internal", is_flag=True, help="Leave out Kafka's own topics.")
@click.option("--topics-with-overrides", is_flag=True, help="Only topics that override configs, without partitions.")
@click.option("--under-replicated-partitions", is_flag=True, help="Only partitions that lack in-sync replicas.")
@click.option("--unavailable-partitions", is_flag=True, help="Only partitions without a live leader.")
@click.option("--under-min-isr-partitions", is_flag=True, help="Only partitions below min.insync.replicas.")
@click.option("--at-min-isr-partitions", is_flag=True, help="Only partitions exactly at min.insync.replicas.")
@read_options
@connection_options
@output_option
def describe(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    name: str | None,
    topic_id: str | None,
    if_exists: bool,
    exclude_internal: bool,
    topics_with_overrides: bool,
    under_replicated_partitions: bool,
    unavailable_partitions: bool,
    under_min_isr_partitions: bool,
    at_min_isr_partitions: bool,
    consistency: Consistency,
    min_offset: int | None,
) -> int:
    """Describe topics and their partitions."""
    from kraftpy.cli.connection import connect

    wanted_id = _topic_id(topic_id)
    with connect(bootstrap, timeout) as cluster:
        read = Read(consistency, min_offset)
        is_plain = name is not None and re.fullmatch(r"[\w.-]+", name) is not None and "." not in name
        found = cluster.describe_topics([name] if is_plain and name and wanted_id is None else [], read).topics
        needs_brokers = unavailable_partitions or output is not Output.TABLE
        brokers = cluster.describe_cluster(read).brokers if needs_brokers else ()
    live = {broker.broker_id for broker in brokers if not broker.fenced}
    if wanted_id is not None:
        found = tuple(topic for topic in found if topic.topic_id == wanted_id)
    elif name is not None:
        names = set(_matching([topic.name for topic in found], name))
        found = tuple(topic for topic in found if topic.name in names)
    if not found and not if_exists and (wanted_id is not None or name is not None):
        raise CommandError(f"Topic '{topic_id or name}' does not exist as expected")
    if exclude_internal:
        found = tuple(topic for topic in found if topic.name not in INTERNAL)
    if topics_with_overrides:
        with_overrides = [topic for topic in found if topic.configs]
        show(
            output,
            [data_of(topic, (), live) for topic in with_overrides],
            [topic_line(topic) for topic in with_overrides],
        )
        return ExitCode.OK
    chosen = {
        "under_replicated": under_replicated_partitions,
        "unavailable": unavailable_partitions,
        "under_min_isr": under_min_isr_partitions,
        "at_min_isr": at_min_isr_partitions,
    }
    _show_topics(output, found, {kind for kind, is_chosen in chosen.items() if is_chosen}, live)
    return ExitCode.OK


def _show_topics(output: Output, found: tuple[values.TopicInfo, ...], kinds: set[str], live: set[int]) -> None:
    """Print topics with all partitions, or only the partitions of the kinds that are chosen."""
    rows, lines = [], []
    for topic in found:
        partitions = [each for each in topic.partitions if not kinds or kinds & kinds_of(topic, each, live)]
        if partitions or not kinds:
            rows.append(data_of(topic, partitions, live))
        if not kinds:
            lines.append(topic_line(topic))
        lines += [partition_line(topic.name, each) for each in partitions]
    show(output, rows, lines)


def _check(outcome: values.TopicOutcome) -> None:
    from kraftpy.model.errors import ErrorCode

    if outcome.error is not ErrorCode.NONE:
        raise RequestRefusedError(f"{outcome.message or outcome.error.name} ({outcome.error.name})")


def _placement(placer: str | None, seed: int | None, *, ignores_racks: bool, explain: bool) -> values.Placement:
    from kraftpy.client import values

    racks = values.RackUse.DISABLED if ignores_racks else values.RackUse.ENFORCED
    return values.Placement(placer=placer, seed=seed, racks=racks, explain=explain)


def _assignments(text: str | None) -> list[list[int]]:
    """Read ``1:2,2:3``: the brokers of each partition.

    Raises:
        ArgumentError: when something is not a broker's id.
    """
    if text is None:
        return []
    partitions = [part.strip().split(":") for part in text.split(",")]
    for brokers in partitions:
        for broker in brokers:
            if not (broker.isascii() and broker.isdigit() and len(broker) <= 10):
                raise ArgumentError(f"{broker!r} in --replica-assignment is not a broker id; expected such as 1:2,2:3")
    return [[int(broker) for broker in brokers] for brokers in partitions]


def _configs(items: tuple[str, ...]) -> dict[str, str]:
    configs = {}
    for item in items:
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise ArgumentError(f"--config {item!r} is not key=value")
        configs[key.strip()] = value
    return configs


def _topic_id(text: str | None) -> bytes | None:
    from kraftpy.model.ids import uuid_from_text

    if text is None:
        return None
    try:
        return uuid_from_text(text)
    except ValueError as error:
        raise ArgumentError(f"--topic-id: {error}") from error


def _matching(names: list[str], pattern: str) -> list[str]:
    """Return the names that a pattern matches from beginning to end.

    Raises:
        ArgumentError: the pattern is no regular expression.
    """
    try:
        matches = re.compile(pattern).fullmatch
    except re.error as error:
        raise ArgumentError(f"--topic {pattern!r} is no regular expression: {error}") from error
    return [name for name in names if name == pattern or matches(name)]
