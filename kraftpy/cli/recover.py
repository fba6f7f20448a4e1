"""``kraftpy recover``: a quorum whose majority is gone starts again from what is left.

``plan`` looks and writes a plan, ``apply`` does what the plan says and asks for its digest, ``undo`` puts everything
back. All three work on stopped nodes; the rules are in :mod:`kraftpy.disaster_recovery`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from kraftpy.cli.errors import CommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import NODE_ID, Command, PathParam, output_option
from kraftpy.cli.output import Output, aligned, show
from kraftpy.cli.suggestions import CommandGroup
from kraftpy.cli.waiting import waiting_for
from kraftpy.disaster_recovery.inspection import inspect_log_directory, log_directory_of
from kraftpy.disaster_recovery.recovery import apply_plan, plan_again, read_plan, undo_directory
from kraftpy.disaster_recovery.recovery_plan import RecoveryOptions, make_plan, plan_document
from kraftpy.model.errors import KraftError
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.locks import check_not_running, locked

DEFAULT_PLAN = "recovery-plan.json"


class NodeIds(click.ParamType[tuple[int, ...]]):
    """Node ids, comma-separated."""

    name = "ids"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Read the list; each id once."""
        if isinstance(value, tuple):
            return value
        words = [word.strip() for word in str(value).split(",") if word.strip()]
        if not words or not all(word.isascii() and word.isdigit() for word in words):
            self.fail(f"{value!r} is not a list of node ids such as 1,2", param, ctx)
        return tuple(sorted({int(word) for word in words}))


class Directories(click.ParamType[tuple[str, ...]]):
    """Directories, comma-separated."""

    name = "directories"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Read the list; paths become absolute."""
        if isinstance(value, tuple):
            return value
        words = [word.strip() for word in str(value).split(",") if word.strip()]
        if not words:
            self.fail(f"{value!r} names no directory", param, ctx)
        return tuple(str(Path(word).absolute()) for word in words)


def dirs_option(text: str) -> Callable[[Command], Command]:
    """Add ``--dirs``, passed as ``given``: one tuple of absolute paths for each time it was given."""
    return click.option(
        "--dirs", "given", required=True, multiple=True, type=Directories(), metavar="DIR,...", help=text
    )


@click.group(cls=CommandGroup)
def recover() -> None:
    """Start a quorum again after a majority of its controllers was lost: plan, apply, undo."""


@examples(
    "kraftpy recover plan --dirs /var/lib/kraftpy/controller-1,/mnt/controller-2 --voters 1,2",
)
@recover.command("plan")
@dirs_option("Log directories of stopped nodes, comma-separated; repeatable.")
@click.option(
    "--voters",
    type=NodeIds(),
    default=(),
    metavar="ID,...",
    help="Node ids of the new voters, comma-separated. Default: all controllers in --dirs.",
)
@click.option(
    "--address",
    "addresses",
    multiple=True,
    metavar="ID=HOST:PORT",
    help="New address of a voter; repeatable.",
)
@click.option(
    "--old-voters",
    type=NodeIds(),
    default=(),
    metavar="ID,...",
    help="Node ids of the old voters, when no log contains them.",
)
@click.option(
    "--out",
    type=PathParam(dir_okay=False),
    default=DEFAULT_PLAN,
    show_default=True,
    metavar="FILE",
    help="File for the plan.",
)
@output_option
def plan_command(
    *,
    output: Output,
    given: tuple[tuple[str, ...], ...],
    voters: tuple[int, ...],
    addresses: tuple[str, ...],
    old_voters: tuple[int, ...],
    out: str,
) -> None:
    """Inspect directories, print what is left and what is lost, and write a plan. Changes nothing else."""
    fs = RealFileSystem()
    wishes = RecoveryOptions(voters=voters, addresses=dict(map(_address, addresses)), old_voters=old_voters)
    directories = [log_directory_of(fs, directory) for group in given for directory in group]
    check_not_running(directories)
    with waiting_for(f"the logs in {', '.join(directories)} are read"):
        document = plan_document(make_plan([inspect_log_directory(fs, directory) for directory in directories], wishes))
    check_not_running(directories)
    text = output_json(document)
    file = Path(out)
    if file.exists() and file.read_bytes() != text.encode():
        raise CommandError(f"{out} exists: name another file with --out, or remove it")
    replace_file(fs, out, text.encode())
    show(
        output,
        plan_json(document, out),
        [
            *plan_lines(document),
            "",
            f"Nothing was changed. The plan is in {out}; to carry it out:",
            f"  kraftpy recover apply {out} --digest {document['digest']}",
        ],
    )


def plan_json(document: dict[str, Any], out: str) -> dict[str, Any]:
    """Return what ``-o json`` prints of a plan; the file has names of its own, and the identity of every file."""
    loss, longest = document["loss"], document["longest_log"]
    return {
        "planFile": out,
        "digest": document["digest"],
        "clusterId": document["cluster_id"],
        "kraftVersion": document["kraft_version"],
        "survivors": [_survivor_json(one) for one in document["survivors"]],
        "longestLog": {"nodeId": longest["node_id"], "directory": longest["directory"]},
        "oldVoterIds": document["old_voters"],
        "missingVoterIds": document["missing_voters"],
        "incompleteVoterIds": document["incomplete_voters"],
        "loss": {
            "keptOffset": loss["kept_below"],
            "committedOffset": loss["committed_below"],
            "lostOffset": loss["lost_for_certain"][1],
            "mayLoseAcknowledged": loss["may_lose_acknowledged"],
            "text": loss["text"],
        },
        "recoveryEpoch": document["recovery_epoch"],
        "voters": [
            {"nodeId": one["node_id"], "directoryId": one["directory_id"], "endpoints": one["endpoints"]}
            for one in document["voters"]
        ],
        "controllerQuorumVoters": document["controller_quorum_voters"],
        "directories": document["changes"],
        "guarantees": document["guarantees"],
    }


def _survivor_json(one: dict[str, Any]) -> dict[str, Any]:
    return {
        "nodeId": one["node_id"],
        "directory": one["directory"],
        "directoryId": one["directory_id"],
        "leaderEpoch": one["last_epoch"],
        "logStartOffset": one["log_start_offset"],
        "logEndOffset": one["end_offset"],
        "storedEpoch": one["stored_epoch"],
        "votedId": one["voted_for"],
        "committedOffset": one["committed_below"],
        "equalOffset": one["equal_to_longest_below"],
        "lackedRecordCount": one["lacks_records"],
        "truncatedRecordCount": one["own_records_to_be_cut"],
        "problems": one["corruption"],
        "incomplete": one["incomplete"] or None,
        "notes": one["notes"],
    }


def output_json(document: dict[str, Any]) -> str:
    """Write a plan as it is kept."""
    import json

    return json.dumps(document, indent=1) + "\n"


def _address(text: str) -> tuple[int, tuple[str, int]]:
    from kraftpy.config.endpoints import parse_named_address

    node_id, equals, address = text.partition("=")
    try:
        if not equals:
            raise ValueError(f"{text!r} is not ID=HOST:PORT")
        return NODE_ID.convert(node_id, None, None), parse_named_address(address)
    except (ValueError, click.BadParameter) as error:
        raise click.BadParameter(str(error), param_hint="'--address'") from error


def plan_lines(document: dict[str, Any]) -> list[str]:
    """Show a plan as text."""
    columns = (
        "NODE",
        "LAST EPOCH",
        "LOG END",
        "COMMITTED BELOW",
        "SEEN EPOCH",
        "EQUAL BELOW",
        "LACKS",
        "TO BE CUT",
        "DIRECTORY",
    )
    keys = (
        "node_id", "last_epoch", "end_offset", "committed_below", "stored_epoch",
        "equal_to_longest_below", "lacks_records", "own_records_to_be_cut", "directory",
    )  # fmt: skip
    rows = [[survivor[key] for key in keys] for survivor in document["survivors"]]
    longest, voters = document["longest_log"], document["voters"]
    lines = [
        f"Cluster {document['cluster_id'] or '(id not known)'}, kraft.version {document['kraft_version']}",
        "",
        *aligned(columns, rows),
        *(
            f"Node {one['node_id']} is CORRUPT and counts as missing: {text}"
            for one in document["survivors"]
            for text in one["corruption"]
        ),
        *(
            f"Node {one['node_id']} counts as missing for what may be lost: {one['incomplete']}"
            for one in document["survivors"]
            if one["incomplete"]
        ),
        *(f"Node {one['node_id']}: {text}" for one in document["survivors"] for text in one["notes"]),
        "",
        f"Longest log: node {longest['node_id']}",
        f"Old voters: {_ids(document['old_voters'])}; missing: {_ids(document['missing_voters'])}",
        document["loss"]["text"],
        "",
        f"Epoch of the recovery: {document['recovery_epoch']}",
        "Voters: " + ", ".join(_voter(one) for one in voters),
    ]
    if document["controller_quorum_voters"] is not None:
        lines.append(f"In every configuration: controller.quorum.voters={document['controller_quorum_voters']}")
    lines += ["Will be changed: " + ", ".join(document["changes"]), ""]
    return lines + [f"* {text}" for text in document["guarantees"]]


def _ids(ids: list[int] | None) -> str:
    return "(not known)" if ids is None else ", ".join(map(str, ids)) or "none"


def _voter(one: dict[str, Any]) -> str:
    return f"{one['node_id']} {' '.join(one['endpoints'])}".strip()


@examples(
    "kraftpy recover apply recovery-plan.json --digest 0123456789abcdef",
)
@recover.command("apply")
@click.argument("plan", type=PathParam(exists=True, dir_okay=False))
@click.option(
    "--digest", required=True, metavar="SHA256", help="Digest that `recover plan` printed, as confirmation of the plan."
)
@output_option
def apply_command(*, output: Output, plan: str, digest: str) -> None:
    """Apply a plan. Changed files are kept for `kraftpy recover undo`."""
    fs = RealFileSystem()
    document = read_plan(Path(plan).read_bytes(), plan)
    if digest != document["digest"]:
        raise CommandError(f"{plan} has the digest {document['digest']}, not {digest}: read the plan that you apply")
    line = waiting_for(f"the logs are read again, and {', '.join(document['changes'])} changed")
    with locked(survivor["directory"] for survivor in document["survivors"]), line:
        made = plan_again(fs, document)
        with _explaining_how_to_undo(document["changes"]):
            apply_plan(fs, made, digest)
    lines = [f"Recovered: {directory}" for directory in document["changes"]]
    lines.append(f"The originals are kept; to go back: kraftpy recover undo --dirs {','.join(document['changes'])}")
    if document["controller_quorum_voters"] is not None:
        lines.append(f"Set controller.quorum.voters={document['controller_quorum_voters']} on every node, then start.")
    else:
        lines.append(f"Start node {', '.join(str(one['node_id']) for one in document['voters'])}.")
    show(output, {"directories": document["changes"], "digest": digest}, lines)


@contextmanager
def _explaining_how_to_undo(directories: list[str]) -> Iterator[None]:
    try:
        yield
    except KraftError as error:
        raise CommandError(
            f"{error} The directories may be half changed and refuse to start; put them back with "
            f"`kraftpy recover undo --dirs {','.join(directories)}`."
        ) from error


@examples(
    "kraftpy recover undo --dirs /var/lib/kraftpy/controller-1",
)
@recover.command("undo")
@dirs_option("Log directories to restore, comma-separated; repeatable.")
@output_option
def undo_command(*, output: Output, given: tuple[tuple[str, ...], ...]) -> int:
    """Restore the directories as they were before `recover apply` or `repair skip`, interrupted or not."""
    fs = RealFileSystem()
    directories = [log_directory_of(fs, directory) for group in given for directory in group]
    with locked(directories), waiting_for(f"the files in {', '.join(directories)} are put back"):
        done = {directory: undo_directory(fs, directory).purpose for directory in directories}
    lines = [
        f"{directory}: " + ("there was nothing to put back" if purpose is None else f"as it was before {purpose}")
        for directory, purpose in done.items()
    ]
    show(output, [{"directory": directory, "undone": purpose} for directory, purpose in done.items()], lines)
    return ExitCode.OK
