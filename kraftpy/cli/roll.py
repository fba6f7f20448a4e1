"""``kraftpy roll``: restart the nodes of a running cluster one at a time, or see how far that is.

A plan is a list of nodes with the processes that ran when it was made; everything else is read from the cluster. What
stops and starts a node is the operator's command, or the operator, who follows ``status``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from kraftpy.cli.errors import ArgumentError, CommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import NODE_ID, Command, PathParam, Seconds, connection_options, output_option
from kraftpy.cli.output import Output, aligned, show
from kraftpy.cli.suggestions import CommandGroup
from kraftpy.cli.times_text import local_text
from kraftpy.model.escaping import escaped
from kraftpy.model.iso_time import time_fields

if TYPE_CHECKING:
    from kraftpy.quorum_tools.rolling import RollNode, RollPlan, RollStep, RollView

DEFAULT_PLAN: Final = "roll.json"
WAIT_S: Final = 600.0
"""How long one step may take by default: a broker with a large log takes minutes to catch up."""

BEFORE: Final = (
    "Before each: every voter and every node of the plan fetches and has caught up; without the node the voters keep a "
    "majority, and every partition a leader and min.insync.replicas."
)
AFTER: Final = (
    "After each: the node has registered as a new process, fetches and has caught up; a broker is unfenced, and no "
    "partition is under min.insync.replicas for lack of it."
)


def _plan_option(command: Command) -> Command:
    return click.option(
        "--plan", "path", default=DEFAULT_PLAN, show_default=True, metavar="FILE", type=PathParam(dir_okay=False),
        help="File that `kraftpy roll plan` wrote.",
    )(command)  # fmt: skip


@click.group("roll", cls=CommandGroup)
def roll() -> None:
    """Restart the nodes of a cluster one at a time, for an upgrade, a downgrade or a new setting."""


@examples(
    "kraftpy roll plan -C c1:9193,c2:9193,c3:9193",
    "kraftpy roll plan -C c1:9193 --brokers-first --out downgrade.json",
    "kraftpy roll plan -C c1:9193 --node 1 --node 2 --node 3 -o json",
)
@roll.command("plan")
@click.option("--node", "only", multiple=True, type=NODE_ID, metavar="ID",
              help="Only this node; repeatable. Default: every registered node.")  # fmt: skip
@click.option("--brokers-first", is_flag=True, help="Brokers before controllers, as for a downgrade.")
@click.option("--allow-unavailable", is_flag=True,
              help="Restart also what cannot stay available: topics with one replica, quorums of two.")  # fmt: skip
@click.option("--out", "path", default=DEFAULT_PLAN, show_default=True, metavar="FILE", type=PathParam(dir_okay=False),
              help="File for the plan.")  # fmt: skip
@connection_options
@output_option
def plan_command(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    only: tuple[int, ...],
    brokers_first: bool,
    allow_unavailable: bool,
    path: str,
) -> int:
    """Print in which order the nodes are restarted, and why, and write it to a file.

    Changes nothing else. Exits with 3, and writes no plan, where something is in the way.
    """
    from kraftpy.cli.roll_file import write_plan
    from kraftpy.cli.roll_run import ClusterReader
    from kraftpy.quorum_tools.rolling import RollPlan, ordered_nodes, plan_obstacles
    from kraftpy.runtime.clock import wall_ms

    with asyncio.Runner() as runner:
        view = ClusterReader(runner, bootstrap, timeout, with_topics=True).view()
    nodes = _chosen(ordered_nodes(view, brokers_first=brokers_first), only)
    plan = RollPlan(
        cluster_id=view.cluster.cluster_id or "",
        created_ms=wall_ms(),
        nodes=nodes,
        allows_unavailable=allow_unavailable,
    )
    obstacles = list(plan_obstacles(plan, view))
    if not obstacles:
        write_plan(path, plan)
    data = {
        **_head(plan, view),
        "obstacles": [{"message": one.what, "fix": one.way_out} for one in obstacles],
        "planFile": None if obstacles else path,
    }
    show(output, data, _plan_lines(data))
    return ExitCode.FINDINGS if obstacles else ExitCode.OK


def _chosen(nodes: tuple[RollNode, ...], only: tuple[int, ...]) -> tuple[RollNode, ...]:
    """Return the nodes that were asked for.

    Raises:
        ArgumentError: one of them is not registered.
    """
    known = [node.node_id for node in nodes]
    for node_id in only:
        if node_id not in known:
            raise ArgumentError(f"--node {node_id} is not registered; there are {', '.join(map(str, sorted(known)))}")
    return tuple(node for node in nodes if not only or node.node_id in only)


def _head(plan: RollPlan, view: RollView) -> dict[str, Any]:
    from kraftpy.quorum_tools.rolling import why_there

    return {
        "clusterId": plan.cluster_id or None,
        **time_fields("made", plan.created_ms),
        "leaderId": view.quorum.leader_id,
        "allowUnavailable": plan.allows_unavailable,
        "nodes": [
            {"nodeId": node.node_id, "roles": node.role.split(","), "host": node.host or None, "rack": node.rack,
             "reason": why_there(node, view)}
            for node in plan.nodes
        ],
    }  # fmt: skip


def _plan_lines(data: dict[str, Any]) -> list[str]:
    rows = [[index, *_cells(row, "reason")] for index, row in enumerate(data["nodes"], 1)]
    lines = [f"Cluster {data['clusterId'] or '(unknown)'}: {len(rows)} nodes, one at a time, in this order:"]
    lines += aligned(("step", "node", "role", "host", "why"), rows)
    for one in data["obstacles"]:
        lines += [f"IN THE WAY {escaped(one['message'])}", f"  -> {one['fix']}"]
    if data["planFile"] is None:
        return [*lines, "No plan was written: see to what is in the way first."]
    next_text = (
        f"kraftpy roll run --plan {data['planFile']} -C ... --restart 'ssh {{host}} systemctl restart kraftpy@{{id}}'"
    )
    return [
        *lines,
        BEFORE,
        AFTER,
        f"The plan is in {data['planFile']}. Next: {next_text}",
        "Or restart each by hand when `kraftpy roll status` names it.",
    ]


@examples(
    "kraftpy roll status -C c1:9193,c2:9193,c3:9193",
    "kraftpy roll status -C c1:9193 --plan downgrade.json -o json",
)
@roll.command("status")
@_plan_option
@connection_options
@output_option
def status_command(bootstrap: tuple[str, ...], timeout: float, output: Output, *, path: str) -> int:
    """Show which nodes have restarted since the plan was made, which is next, and whether it may be stopped now.

    Exits with 0 when all have restarted and the cluster is steady, with 5 when the next one may be stopped now, and
    with 3 when something has to be waited for or seen to first.
    """
    from kraftpy.cli.roll_file import read_plan
    from kraftpy.cli.roll_run import ClusterReader
    from kraftpy.quorum_tools import rolling

    plan = read_plan(path)
    with asyncio.Runner() as runner:
        before, view = ClusterReader(runner, bootstrap, timeout, with_topics=_has_brokers(plan)).two_views()
    step = rolling.next_roll_step(plan, view, before)
    head = _head(plan, view)
    for row, node in zip(head["nodes"], plan.nodes, strict=True):
        row["state"] = str(rolling.progress_of(node, view))
    states = [row["state"] for row in head["nodes"]]
    data = {
        **head,
        "restartedCount": states.count(rolling.NodeProgress.RESTARTED),
        "finished": isinstance(step, rolling.RollFinished),
        "nextRestart": _step_json(step),
    }
    lines = aligned(("node", "role", "host", "state"), [_cells(row, "state") for row in head["nodes"]])
    counted = f"{data['restartedCount']} of {len(states)} nodes have restarted since {local_text(plan.created_ms)}."
    show(output, data, [*lines, counted, escaped(f"Next: {_step_text(step)}")])
    match step:
        case rolling.RollFinished():
            return ExitCode.OK
        case rolling.RestartNode() | rolling.HandOverLeadership():
            return ExitCode.INCOMPLETE
        case _:
            return ExitCode.FINDINGS


def _has_brokers(plan: RollPlan) -> bool:
    return any(node.broker is not None for node in plan.nodes)


def _cells(row: dict[str, Any], last: str) -> list[object]:
    """Return the cells of a node: id, roles, host, and one more of its names."""
    host = "-" if row["host"] is None else escaped(row["host"])
    return [row["nodeId"], ",".join(row["roles"]), host, escaped(row[last])]


def _step_json(step: RollStep) -> dict[str, Any]:
    """Return what is next as plain values: whether a node may be stopped now, which, and what is in the way."""
    from kraftpy.quorum_tools import rolling

    node_id, reasons = None, []
    match step:
        case rolling.RestartNode(node) | rolling.HandOverLeadership(node):
            node_id = node.node_id
        case rolling.RollWait(problems):
            reasons = [problem.what for problem in problems]
        case rolling.RollBlocked(reason):
            reasons = [reason]
        case rolling.RollFinished():
            pass
    new_leader_id = step.to if isinstance(step, rolling.HandOverLeadership) else None
    return {"nodeId": node_id, "okToStop": node_id is not None, "newLeaderId": new_leader_id, "reasons": reasons}


def _step_text(step: RollStep) -> str:
    """Say what is next, or what is waited for."""
    from kraftpy.cli.roll_run import node_text
    from kraftpy.quorum_tools import rolling

    match step:
        case rolling.RestartNode(node):
            return f"restart {node_text(node)}; it may be stopped now."
        case rolling.HandOverLeadership(node, to):
            over = f"kraftpy quorum transfer-leader --to {to}"
            return f"restart {node_text(node)}, after another voter has taken over: {over}"
        case rolling.RollWait(problems):
            return f"wait: {'; '.join(problem.what for problem in problems)}."
        case rolling.RollBlocked(reason):
            return reason
        case rolling.RollFinished():
            return "nothing; every node has restarted, and the cluster is steady."


@examples(
    "kraftpy roll run -C c1:9193,c2:9193,c3:9193 --restart 'ssh {host} systemctl restart kraftpy@{id}'",
    "kraftpy roll run -C c1:9193 --restart '/usr/local/bin/restart-node {role} {id}' --wait 1800",
    "kraftpy roll run -C c1:9193 --restart 'ssh {host} systemctl restart kraftpy@{id}' --dry-run",
)
@roll.command("run")
@_plan_option
@click.option("--restart", required=True, metavar="COMMAND",
              help="Restarts a node and ends; {id}, {role} and {host} are put in. Words, no shell.")  # fmt: skip
@click.option("--wait", type=Seconds(), default=WAIT_S, show_default=True, metavar="SECONDS",
              help="Timeout of one step: a command, or what is waited for.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Print the commands that would be run, in their order.")
@connection_options
@output_option
def run_command(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    path: str,
    restart: str,
    wait: float,
    dry_run: bool,
) -> int:
    """Restart each node with a command, when it may be stopped, and wait until it is back and has caught up.

    Ends with 3 when something else is wrong, with 1 when a command fails or a step takes longer than --wait; the same
    command goes on. Ctrl-C lets a running restart end first; a second one ends it halfway.
    """
    from kraftpy.cli.restart_command import RestartCommand
    from kraftpy.cli.roll_file import held_plan, read_plan
    from kraftpy.cli.roll_run import ClusterReader, RollRunner, SystemRollPort, noted_signals
    from kraftpy.quorum_tools import rolling

    command = RestartCommand.parse(restart)
    plan = read_plan(path)
    command.check_program()
    for node in plan.nodes:
        command.for_node(node)
    steps: list[str] = []

    def report(text: str) -> None:
        steps.append(text)
        click.echo(escaped(text) if output is Output.TABLE else f"# {escaped(text)}", err=output is not Output.TABLE)

    with asyncio.Runner() as runner:
        reader = ClusterReader(runner, bootstrap, timeout, with_topics=_has_brokers(plan))
        if dry_run:
            before, view = reader.two_views()
            step = rolling.next_roll_step(plan, view, before)
            return _dry_run(plan, view, step, output, lambda node: list(command.for_node(node)))
        with held_plan(path), noted_signals() as signals:
            if read_plan(path) != plan:
                raise CommandError(f"{path} was replaced by another plan just now; look at it, then try again")
            done = RollRunner(plan, command, SystemRollPort(reader, signals), report, wait).run()
    finished = done.ending is ExitCode.OK
    data = {
        "clusterId": plan.cluster_id or None,
        "restartedIds": done.restarted,
        "finished": finished,
        "steps": steps,
    }
    if output is not Output.TABLE:
        show(output, data, [])
    if done.interruption is not None:
        raise CommandError(done.interruption, done.ending)
    return done.ending


def _dry_run(
    plan: RollPlan, view: RollView, step: RollStep, output: Output, words: Callable[[RollNode], list[str]]
) -> int:
    """Show the commands that are left, and what is next; nothing is run."""
    import shlex

    from kraftpy.quorum_tools import rolling

    left = [node for node in plan.nodes if not rolling.has_restarted(node, view)]
    data: dict[str, Any] = {
        "clusterId": plan.cluster_id or None,
        "commands": [{"nodeId": node.node_id, "command": words(node)} for node in left],
        "nextRestart": _step_json(step),
    }
    lines = [shlex.join(row["command"]) for row in data["commands"]]
    show(output, data, [*map(escaped, lines), escaped(f"Next: {_step_text(step)}")])
    return ExitCode.OK
