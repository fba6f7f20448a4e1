"""``kraftpy audit``: judge metadata logs and snapshots, of any number of clusters and nodes, by rules with names.

Files are read as they are, beside running nodes too; nothing is written but a report that was asked for. The exit code
is 3 when a rule found an error or a warning; an info is no finding.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kraftpy.cli.audit_options import (
    AuditorCommand,
    Point,
    Rules,
    check_writable,
    draw_salt,
    engine_options,
    shown_progress,
)
from kraftpy.cli.errors import CommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import PathParam, format_version_option
from kraftpy.cli.output import Output, json_line, show
from kraftpy.cli.suggestions import WordChoice

if TYPE_CHECKING:
    from kraftpy.audit.engines.protocol import Engine, ProgressReport
    from kraftpy.audit.rules import Rule

FORMATS = ("table", "json", "jsonl", "yaml", "parquet")


@examples(
    "kraftpy audit /var/lib/kraftpy/controller-1",
    "kraftpy audit kraftpy-data --report audit.html",
    "kraftpy audit --list-rules",
)
@click.command("audit", cls=AuditorCommand)
@click.argument("paths", nargs=-1, type=PathParam(), metavar="PATH...")
@click.option(
    "--rules", type=Rules(), help="Check only these rules or severities (error, warning, info); -ID excludes a rule."
)
@click.option("--list-rules", is_flag=True, help="Print the rules and exit.")
@click.option(
    "--as-of", type=Point(), help="Check the state below this offset, or at this time; UTC if it names no zone."
)
@engine_options
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Largest number of findings to print per rule.",
)
@click.option("--growth", "with_growth", is_flag=True, help="Also print what the logs' bytes consist of, per hour.")
@click.option(
    "--report",
    type=PathParam(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write the report to this file, as HTML.",
)
@click.option(
    "--out",
    type=PathParam(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the tables to this directory, as Parquet.",
)
@click.option("-o", "--output", "form", type=WordChoice(FORMATS), help="Output format; see kraftpy --help.")
@format_version_option
@click.pass_context
def audit(
    ctx: click.Context,
    paths: tuple[str, ...],
    *,
    rules: tuple[Rule, ...] | None,
    list_rules: bool,
    as_of: Any,
    engine: str,
    master: str | None,
    limit: int,
    with_growth: bool,
    report: Path | None,
    out: Path | None,
    form: str | None,
) -> int:
    """Check metadata logs and snapshots by rules; exit with 3 when a rule is violated."""
    from kraftpy.audit.rules import all_rules
    from kraftpy.cli.audit_text import rule_json, rule_lines

    inherited = ctx.find_root().obj
    form = form or (str(inherited) if isinstance(inherited, Output) else "table")
    chosen = all_rules() if rules is None else rules
    if list_rules:
        show(Output.TABLE if form == "parquet" else Output(form), rule_json(chosen), rule_lines(chosen))
        return ExitCode.OK
    if not paths:
        raise click.UsageError("Missing argument 'PATH...': a file, a metadata directory, or a tree of them.", ctx)
    if form == "parquet" and out is None and sys.stdout.isatty():
        raise click.UsageError("Parquet is no text for a terminal: name a file with --out FILE.", ctx)
    for path in (report, out if form == "parquet" else None):
        if path is not None:
            check_writable(path)
    with (
        shown_progress("the logs are read and replayed, and the rules are checked") as progress,
        closing(_chosen(paths, engine, master, progress)) as loaded,
    ):
        _load(loaded, paths, as_of, chosen, limit)
        result = _result(loaded, chosen, limit, as_of, progress)
        _print(result, form, out, with_growth=with_growth)
        if report is not None:
            from kraftpy.audit.report import write_report

            write_report(loaded, result.verdict, result.growth, report, until_ms=result.until_ms)
    return ExitCode.FINDINGS if result.verdict.has_findings else ExitCode.OK


def _chosen(paths: tuple[str, ...], engine: str, master: str | None, progress: ProgressReport | None) -> Any:
    from kraftpy.audit.engines.choice import choose_engine
    from kraftpy.audit.replay import KraftReplay

    replay = KraftReplay(draw_salt(), with_entities=False)
    return choose_engine(paths, replay, engine=engine, master=master, progress=progress)


def _load(engine: Engine, paths: tuple[str, ...], as_of: Any, rules: Sequence[Rule], limit: int) -> None:
    from kraftpy.audit.engines.asking import Wanted
    from kraftpy.audit.engines.protocol import AsOf
    from kraftpy.audit.log_volume import growth_queries
    from kraftpy.audit.offset_bounds import check_reached
    from kraftpy.audit.rules.rule import count_query

    engine.load(paths, as_of or AsOf(), Wanted(rules, count_query, limit, growth_queries()))
    check_reached(engine, as_of or AsOf())


def _result(engine: Engine, rules: Sequence[Rule], limit: int, as_of: Any, progress: ProgressReport | None) -> Any:
    from kraftpy.audit.findings import judge
    from kraftpy.audit.log_volume import read_growth
    from kraftpy.cli.audit_text import AuditResult

    verdict = judge(engine, rules, limit=limit, progress=progress)
    states = engine.sql("SELECT * FROM states ORDER BY cluster, node").to_pylist()
    sizes = engine.sql("SELECT COUNT(*) AS files, SUM(size) AS bytes FROM files").to_pylist()
    return AuditResult(
        verdict=verdict,
        states=states,
        growth=read_growth(engine),
        files=sizes[0]["files"],
        bytes=int(sizes[0]["bytes"] or 0),
        until_ms=None if as_of is None else as_of.timestamp_ms,
    )


def _print(result: Any, form: str, out: Path | None, *, with_growth: bool) -> None:
    if form == "parquet":
        _write_parquet(result, out)
    elif form == "jsonl":
        for finding in result.verdict.findings:
            click.echo(json_line(finding.as_json()))
    else:
        show(Output(form), result.as_json(), result.lines(with_growth=with_growth))


def _write_parquet(result: Any, out: Path | None) -> None:
    """Write a row per finding; the evidence is JSON text, because every rule has columns of its own."""
    from kraftpy.audit.optional_dependencies import extra

    rows = [
        {**each, "evidence": json_line(each["evidence"])} for each in (f.as_json() for f in result.verdict.findings)
    ]
    pyarrow = extra("pyarrow")
    names = ("rule", "severity", "cluster", "node", "nodeId", "file", "offset", "message", "fix", "evidence")
    numbers = {"nodeId": pyarrow.int32(), "offset": pyarrow.int64()}
    schema = pyarrow.schema([(name, numbers.get(name, pyarrow.string())) for name in names])
    table = pyarrow.Table.from_pylist(rows, schema=schema)
    try:
        extra("pyarrow.parquet").write_table(table, sys.stdout.buffer if out is None else str(out))
    except BrokenPipeError:
        raise
    except OSError as error:
        place = "standard output" if out is None else str(out)
        raise CommandError(f"{place}: cannot be written: {error.strerror or error}") from error
