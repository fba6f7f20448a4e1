"""``kraftpy diff``: what lies between two states, of snapshots, logs, offsets, times or clusters."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from kraftpy.cli.audit_options import A_POINT, AuditorCommand, draw_salt, parse_point, shown_progress
from kraftpy.cli.errors import ArgumentError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import PathParam, output_option
from kraftpy.cli.output import Output, show


@examples(
    "kraftpy diff data@100 data@200",
    "kraftpy diff controller-1/__cluster_metadata-0 controller-2/__cluster_metadata-0 -o jsonl",
)
@click.command("diff", cls=AuditorCommand)
@click.argument("before", type=PathParam(), metavar="A")
@click.argument("after", type=PathParam(), metavar="B")
@output_option
def diff(before: str, after: str, output: Output) -> int:
    """Show the difference of two states; exit with 3 when they differ, with 5 when one is incomplete.

    A and B are each a snapshot, a segment, a metadata directory or a tree, followed by @OFFSET or @TIME for the
    state before that offset or at that time (UTC if it names no zone).
    """
    from kraftpy.audit.diff import difference, paired
    from kraftpy.audit.labels import cluster_field
    from kraftpy.cli.audit_text import change_lines, report_unread

    salt = draw_salt()
    found = [_states(argument, salt) for argument in (before, after)]
    states, unread = [states for states, _ in found], [each for _, missing in found for each in missing]
    changes = [(cluster, difference(old, new)) for cluster, old, new in paired(*states)]
    data = [{**cluster_field(cluster), **change.as_json()} for cluster, found in changes for change in found]
    show(output, data, _or_nothing(list(change_lines(changes))))
    if report_unread(unread):
        return ExitCode.INCOMPLETE
    return ExitCode.FINDINGS if data else ExitCode.OK


def _or_nothing(lines: list[str]) -> Iterable[str]:
    return lines or ["no difference"]


def _states(argument: str, salt: bytes) -> Any:
    """Return the states that an argument names, by cluster, and what they lack."""
    from kraftpy.audit.diff import read_states, read_unread
    from kraftpy.audit.engines.local import LocalEngine
    from kraftpy.audit.offset_bounds import check_reached
    from kraftpy.audit.replay import KraftReplay

    path, as_of = split_point(argument)
    with (
        shown_progress(f"the logs of {argument} are read and replayed") as progress,
        closing(LocalEngine(KraftReplay(salt), progress)) as engine,
    ):
        engine.load([path], as_of)
        check_reached(engine, as_of)
        return read_states(engine), read_unread(engine, as_of)


def split_point(argument: str) -> tuple[str, Any]:
    """Divide ``PATH@POINT``; what exists under its whole name is a path, whatever is in it.

    Raises:
        ArgumentError: when a path is there and what follows it is no point.
    """
    from kraftpy.audit.engines.protocol import AsOf

    path, _, point = argument.rpartition("@")
    if not path or Path(argument).exists():
        return argument, AsOf()
    try:
        return path, parse_point(point)
    except ValueError as error:
        if Path(path).exists():
            raise ArgumentError(f"{argument}: {point!r} is neither {A_POINT}; and there is no {argument}") from error
        return argument, AsOf()
