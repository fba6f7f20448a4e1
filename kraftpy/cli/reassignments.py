"""What both commands that move replicas do with a cluster: plan, start, follow and cancel reassignments.

``reassign-partitions`` has the options and texts of Kafka's tool, ``reassign`` those of this project.

Source: Kafka ``ReassignPartitionsCommand``; KIP-73 (throttles), KIP-455, KIP-860.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kraftpy.cli.cluster_port import ClusterClient, Read
from kraftpy.cli.errors import CommandError, RequestRefusedError
from kraftpy.model.consistency import Consistency

if TYPE_CHECKING:
    from kraftpy.client import values
    from kraftpy.quorum_tools.reassignment_plan import ReassignmentPlan
    from kraftpy.quorum_tools.replication_throttle import Settings

Replicas = dict[tuple[str, int], list[int]]
"""Broker ids by topic and partition."""

NEWEST = Read(Consistency.LINEARIZABLE)


class Proposal(NamedTuple):
    """A reassignment that was planned, beside what is.

    Attributes:
        present: the replicas before it.
        rows: what each broker has before and after it.
    """

    present: Replicas
    plan: ReassignmentPlan
    rows: list[dict[str, int]]


class ReassignmentState(enum.StrEnum):
    """How far the reassignment of a partition is."""

    IN_PROGRESS = "IN_PROGRESS"
    COMPLETED = "COMPLETED"
    OTHER_REPLICAS = "OTHER_REPLICAS"


class PartitionProgress(NamedTuple):
    """How far a partition is; ``present`` is ``None`` if there is no such partition."""

    topic: str
    partition: int
    state: ReassignmentState
    wanted: list[int]
    present: list[int] | None

    @property
    def as_json(self) -> dict[str, object]:
        """The row of ``-o json``."""
        return {"topic": self.topic, "partition": self.partition, "state": self.state,
                "replicas": None if self.present is None else list(self.present)}  # fmt: skip


class Cleared(NamedTuple):
    """Whose throttles were removed."""

    brokers: list[int]
    topics: list[str]

    @property
    def as_lines(self) -> list[str]:
        """The lines of Kafka's tool."""
        lines = []
        if self.brokers:
            ids = ",".join(map(str, self.brokers))
            lines.append(f"Clearing broker-level throttles on broker{_plural(self.brokers)} {ids}")
        if self.topics:
            names = ",".join(self.topics)
            lines.append(f"Clearing topic-level throttles on topic{_plural(self.topics)} {names}")
        return lines


NOTHING_CLEARED = Cleared([], [])


def propose(cluster: ClusterClient, topics: Sequence[str], broker_list: str | None, *, with_racks: bool) -> Proposal:
    """Plan a reassignment of these topics, or of all; change nothing.

    Raises:
        CommandError: a topic or broker does not exist, replicas are being moved, or no plan fulfils the rules.
    """
    from kraftpy.quorum_tools.reassignment_plan import NoPlanError, plan_reassignment

    described = cluster.describe_topics(topics, NEWEST)
    if described.unknown:
        raise CommandError(f"there is no topic {', '.join(described.unknown)}")
    present = {
        (topic.name, one.partition): list(one.replicas) for topic in described.topics for one in topic.partitions
    }
    moving = [
        f"{topic.name}-{one.partition}"
        for topic in described.topics
        for one in topic.partitions
        if one.adding_replicas or one.removing_replicas
    ]
    if moving:
        raise CommandError(
            f"{len(moving)} partitions are being moved, {moving[0]} for instance: wait until they are, or cancel that"
        )
    brokers = _brokers(cluster, broker_list)
    try:
        plan = plan_reassignment(present, brokers if with_racks else dict.fromkeys(brokers))
    except NoPlanError as error:
        raise CommandError(str(error)) from error
    return Proposal(present, plan, _per_broker(plan, brokers))


def broker_line(row: Mapping[str, int]) -> str:
    """Return what a broker has before and after a plan, as a line."""
    return (
        "broker {brokerId}: replicas {replicasBefore} -> {replicasAfter}, preferred leader of {leadersBefore} -> "
        "{leadersAfter}".format(**row)
    )


def _per_broker(plan: ReassignmentPlan, brokers: Iterable[int]) -> list[dict[str, int]]:
    replicas, leaders = plan.replicas_after, plan.leaders_after
    return [
        {
            "brokerId": each,
            "replicasBefore": plan.replicas_before.get(each, 0),
            "replicasAfter": replicas[each],
            "leadersBefore": plan.leaders_before.get(each, 0),
            "leadersAfter": leaders[each],
        }
        for each in sorted({*plan.replicas_before, *brokers})
    ]


def _brokers(cluster: ClusterClient, broker_list: str | None) -> dict[int, str | None]:
    """Return the brokers that may get replicas, with their racks."""
    registered = {one.broker_id: one for one in cluster.describe_cluster(NEWEST).brokers}
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


def progress(
    cluster: ClusterClient, wanted: Replicas
) -> tuple[list[PartitionProgress], Sequence[values.OngoingReassignment]]:
    """Return how far each partition is, and all reassignments of the cluster that are under way."""
    ongoing = cluster.list_reassignments(None)
    moving = {(one.topic, one.partition) for one in ongoing}
    present = present_replicas(cluster, wanted)
    rows = []
    for key, replicas in wanted.items():
        now = present.get(key)
        if key in moving:
            state = ReassignmentState.IN_PROGRESS
        else:
            state = ReassignmentState.COMPLETED if now == replicas else ReassignmentState.OTHER_REPLICAS
        rows.append(PartitionProgress(*key, state, replicas, now))
    return rows, ongoing


def start(
    cluster: ClusterClient,
    wanted: Replicas,
    *,
    allows_factor_change: bool,
    throttle: int | None = None,
    additional: bool = True,
    validate_only: bool = False,
) -> Replicas:
    """Start a reassignment; return the replicas before it.

    Args:
        cluster: where.
        wanted: the new replicas.
        allows_factor_change: whether the number of replicas of a partition may change.
        throttle: bytes per second and broker at which replicas are copied, of moves that are under way, too; ``None``
            leaves throttles as they are.
        additional: whether others may be under way.
        validate_only: change nothing.

    Raises:
        CommandError: a throttle or a partition was refused, or others are under way.
    """
    ongoing = cluster.list_reassignments(None)
    if ongoing and not additional:
        raise RequestRefusedError(
            "Cannot execute because there is an existing partition assignment. Use --additional to override this and "
            "create a new partition assignment in addition to the existing one. The --additional flag can also be used "
            "to change the throttle by resubmitting the current reassignment."
        )
    present = present_replicas(cluster, wanted)
    if throttle is not None and not validate_only:
        _set(cluster, _throttles(present, wanted, ongoing, throttle))
    outcomes = cluster.reassign_partitions(
        wanted, allow_replication_factor_change=allows_factor_change, validate_only=validate_only
    )
    _check(outcomes)
    return present


def _throttles(
    present: Replicas, wanted: Replicas, ongoing: Iterable[values.OngoingReassignment], rate: int
) -> Settings:
    from kraftpy.quorum_tools.replication_throttle import Move, throttles

    moves = {
        (one.topic, one.partition): Move(
            one.topic,
            one.partition,
            [each for each in one.replicas if each not in one.adding_replicas],
            [each for each in one.replicas if each not in one.removing_replicas],
        )
        for one in ongoing
    }
    for key, replicas in present.items():
        # A move that replaces another begins at the replicas that had the partition before both.
        sources = moves[key].sources if key in moves else replicas
        moves[key] = Move(*key, sources, wanted[key])
    return throttles(moves.values(), rate)


def cancel(
    cluster: ClusterClient, wanted: Iterable[tuple[str, int]] | None, *, preserve_throttles: bool
) -> tuple[list[tuple[str, int]], Cleared]:
    """Cancel the reassignments of these partitions, or all; return which were, and whose throttles were removed."""
    asked = None if wanted is None else list(wanted)
    ongoing = cluster.list_reassignments(None if asked is None else _by_topic(asked))
    moving = [(one.topic, one.partition) for one in ongoing]
    if moving:
        _check(cluster.reassign_partitions(dict.fromkeys(moving), allow_replication_factor_change=True))
    if preserve_throttles:
        return moving, NOTHING_CLEARED
    return moving, clear_throttles(cluster, {topic for topic, _ in asked or moving})


def clear_throttles(cluster: ClusterClient, topics: Iterable[str]) -> Cleared:
    """Remove the throttles of all brokers and of these topics, unless replicas still move."""
    from kraftpy.quorum_tools.replication_throttle import without_throttles

    if cluster.list_reassignments(None):
        return NOTHING_CLEARED
    brokers = [one.broker_id for one in cluster.describe_cluster(NEWEST).brokers]
    names = sorted(set(topics))
    existing = [topic.name for topic in cluster.describe_topics(names, NEWEST).topics] if names else []
    _set(cluster, without_throttles(brokers, existing))
    return Cleared(sorted(brokers), sorted(existing))


def _set(cluster: ClusterClient, settings: Settings) -> None:
    refused = cluster.alter_many_configs(settings)
    if refused is not None:
        raise RequestRefusedError(f"throttles could not be changed, and no reassignment was started: {refused}")


def _check(outcomes: Sequence[values.PartitionResult]) -> None:
    """Fail with the partitions that were refused; the others are moved."""
    from kraftpy.model.errors import ErrorCode

    failed = [one for one in outcomes if one.error is not ErrorCode.NONE]
    if failed:
        refused = "; ".join(
            f"{one.topic}-{one.partition}: {one.message or one.error.name} ({one.error.name})" for one in failed
        )
        raise RequestRefusedError(
            f"{len(failed)} of {len(outcomes)} partitions were refused, the others accepted: {refused}"
        )


def present_replicas(cluster: ClusterClient, wanted: Replicas) -> Replicas:
    """Return the replicas that the partitions have, of those that exist."""
    found = cluster.describe_topics(sorted(_by_topic(wanted)), NEWEST).topics
    present = {(topic.name, one.partition): list(one.replicas) for topic in found for one in topic.partitions}
    return {key: present[key] for key in wanted if key in present}


def _by_topic(partitions: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = {}
    for topic, number in partitions:
        numbers.setdefault(topic, []).append(number)
    return numbers


def as_file(replicas: Mapping[tuple[str, int], Sequence[int]]) -> dict[str, object]:
    """Return the JSON of a file that both commands read."""
    rows = [
        {"topic": topic, "partition": number, "replicas": list(brokers)}
        for (topic, number), brokers in replicas.items()
    ]
    return {"version": 1, "partitions": rows}


def started_json(
    before: Mapping[tuple[str, int], Sequence[int]],
    after: Mapping[tuple[str, int], Sequence[int]],
    throttle: int | None,
    *,
    dry_run: bool,
) -> dict[str, object]:
    """Return what ``-o json`` prints for a start."""
    return {
        "currentAssignment": as_file(before),
        "proposedAssignment": as_file(after),
        "throttleBytes": throttle,
        "dryRun": dry_run,
    }


def broker_ids(replicas: Iterable[int]) -> str:
    """Return broker ids as a list: ``1,2``."""
    return ",".join(map(str, replicas))


def ongoing_row(one: values.OngoingReassignment) -> dict[str, object]:
    """Return the row of ``-o json``."""
    return {
        "topic": one.topic,
        "partition": one.partition,
        "replicas": list(one.replicas),
        "addingReplicas": list(one.adding_replicas),
        "removingReplicas": list(one.removing_replicas),
    }


def ongoing_line(one: values.OngoingReassignment) -> str:
    """Return the line of Kafka's tool."""
    line = f"{one.topic}-{one.partition}: replicas: {broker_ids(one.replicas)}."
    line += f" adding: {broker_ids(one.adding_replicas)}." if one.adding_replicas else ""
    return line + (f" removing: {broker_ids(one.removing_replicas)}." if one.removing_replicas else "")


def _plural(items: Sequence[object]) -> str:
    return "" if len(items) == 1 else "s"
