"""``kraftpy doctor``: what is wrong with a running cluster, by named checks; see :mod:`kraftpy.doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kraftpy.cli.doctor_text import doctor_lines
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import connection_options, metrics_option, output_option
from kraftpy.cli.output import Output, show

if TYPE_CHECKING:
    from kraftpy.doctor.releases import KnownRelease


def _release(ctx: click.Context, param: click.Parameter, value: str | None) -> KnownRelease | None:
    if value is None:
        return None
    from kraftpy.doctor.releases import known_release

    try:
        return known_release(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from error


@examples(
    "kraftpy doctor -C localhost:9193",
    "kraftpy doctor -C localhost:9193 --metrics localhost:9293,localhost:9294 -o json",
    "kraftpy doctor -C localhost:9193 --upgrade-to 4.3",
)
@click.command("doctor")
@click.option(
    "--upgrade-to",
    metavar="RELEASE",
    callback=_release,
    help="Check also whether the cluster can go to this release, newer or older: 4.3, kraftpy, ...",
)
@metrics_option
@connection_options
@output_option
def doctor(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    metrics: tuple[str, ...],
    upgrade_to: KnownRelease | None,
) -> None:
    """Check a running cluster; exit with 3 when there is an error or a warning.

    Each finding has a severity, a place, what was found there, the way out, and the name of its check. A check that
    could not be made is listed as skipped, with the reason. Changes nothing.
    """
    from kraftpy.cli.doctor_reading import read_cluster
    from kraftpy.doctor.checks import examine

    found = examine(read_cluster(bootstrap, timeout, metrics).facts, upgrade_to)
    data = found.as_json()
    show(output, data, doctor_lines(data))
    if found.has_problems:
        raise SystemExit(ExitCode.FINDINGS)
