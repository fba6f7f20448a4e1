"""``kraftpy diff``: what lies between two states, of snapshots, logs, offsets, times or clusters."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from kraftpy.cli.audit_options import A_POINT, AuditorCommand, draw_salt, parse_point, progress_bar
from kraftpy.cli.errors import ArgumentError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import Place, output_option
from kraftpy.cli.output import Output, show


@click.command("diff", cls=AuditorCommand)
@click.argument("before", type=Place(), metavar="A")
@click.argument("after", type=Place(), metavar="B")
@output_option
def diff(before: str, after: str, output: Output) -> int:
    """Show what lies between two states; exit with 3 where they differ.

    A and B are each a snapshot, a segment, a metadata directory or a tree, with @OFFSET or @TIME behind it for the
    state before that offset or at that time: kraftpy diff data@100 data@200
    """
    from kraftpy.audit.diff import difference, paired, read_states
    from kraftpy.cli.audit_text import change_lines

    salt = draw_salt()
    states = [_states(argument, salt, read_states) for argument in (before, after)]
    changes = [(cluster, difference(old, new)) for cluster, old, new in paired(*states)]
    data = [{"cluster": cluster, **change.as_json()} for cluster, found in changes for change in found]
    show(output, data, _or_nothing(list(change_lines(changes))))
    return ExitCode.FINDINGS if data else ExitCode.OK


def _or_nothing(lines: list[str]) -> Iterable[str]:
    return lines or ["no difference"]


def _states(argument: str, salt: bytes, read: Any) -> Any:
    from kraftpy.audit.engines.local import LocalEngine
    from kraftpy.audit.reached import check_reached
    from kraftpy.audit.replay import KraftReplay

    path, as_of = split_point(argument)
    engine = LocalEngine(KraftReplay(salt), progress_bar())
    try:
        engine.load([path], as_of)
        check_reached(engine, as_of)
        return read(engine)
    finally:
        engine.close()


def split_point(argument: str) -> tuple[str, Any]:
    """Divide ``PATH@POINT``; what exists under its whole name is a path, whatever is in it.

    Raises:
        ArgumentError: when a path is there and what stands behind it is no point.
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
