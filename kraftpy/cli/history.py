"""``kraftpy history``: every record that touched a topic, a broker or a config, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from kraftpy.cli.audit_options import AuditorCommand, Point, draw_salt
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import PathParam, output_option
from kraftpy.cli.output import Output, json_line, show
from kraftpy.cli.suggestions import WordChoice
from kraftpy.cli.waiting import waiting_for
from kraftpy.model.errors import LocalError


@examples(
    "kraftpy history topic orders /var/lib/kraftpy/controller-1",
    "kraftpy history broker 4 kraftpy-data",
    "kraftpy history config topic:orders kraftpy-data -o jsonl",
)
@click.command("history", cls=AuditorCommand)
@click.argument("kind", type=WordChoice(["topic", "broker", "config"]))
@click.argument("name")
@click.argument("paths", nargs=-1, required=True, type=PathParam(), metavar="PATH...")
@click.option(
    "--as-of", type=Point(), help="Stop at this offset (exclusive), or at this time; UTC if it names no zone."
)
@output_option
def history(kind: str, name: str, paths: tuple[str, ...], as_of: Any, output: Output) -> int:
    """Show the history of a topic (NAME), a broker (ID) or a config (TYPE:NAME), record by record.

    Exits with 5 where records may be missing, because not all of the log could be read.
    """
    from kraftpy.audit.engines.protocol import AsOf
    from kraftpy.audit.history import history as entity_history
    from kraftpy.audit.history import shards_named
    from kraftpy.cli.audit_text import report_unread

    try:
        shards_named(kind, name)
    except LocalError as error:
        raise click.BadParameter(str(error), param_hint="'NAME'") from error
    unread: list[Any] = []
    steps = entity_history(paths, kind, name, as_of or AsOf(), salt=draw_salt(), unread=unread)
    with waiting_for(f"the logs are read for what touched {kind} {name}"):
        _print(steps, output, f"{kind} {name}")
    return ExitCode.INCOMPLETE if report_unread(unread) else ExitCode.OK


def _print(steps: Iterator[Any], output: Output, entity: str) -> None:
    from kraftpy.cli.audit_text import step_lines

    if output in {Output.JSON, Output.YAML}:
        show(output, [step.as_json() for step in steps], ())
        return
    cluster = None
    for step in steps:
        if output is Output.JSONL:
            click.echo(json_line(step.as_json()))
            continue
        if step.cluster != cluster:
            cluster = step.cluster
            click.echo(f"cluster {cluster or '-'}, as node {step.node} has it")
        for line in step_lines(step):
            click.echo(line)
    if cluster is None and output is Output.TABLE:
        click.echo(f"no record touches {entity}")
