"""What the auditor's commands share: their process, points in a log, rules, an output file, progress."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kraftpy.audit.engines.protocol import AsOf, Progress
from kraftpy.audit.jvm import SignalledError, ended_by_signals
from kraftpy.audit.optional_dependencies import own_process
from kraftpy.cli.errors import CommandError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import Command
from kraftpy.cli.suggestions import WordChoice
from kraftpy.model.errors import LocalError

if TYPE_CHECKING:
    from kraftpy.audit.rules import Rule

SALT_BYTES = 32
_ENDED_BY: dict[int, ExitCode] = {signal.SIGINT: ExitCode.INTERRUPTED, signal.SIGTERM: ExitCode.TERMINATED}
A_POINT = "an offset nor a time such as 2026-11-21T14:00:00Z"


class AuditorCommand(click.Command):
    """A command whose process does nothing but the auditor's work."""

    def invoke(self, ctx: click.Context) -> Any:
        """Prepare the process, and run the command; a signal that ends it ends Spark too."""
        own_process()
        try:
            with ended_by_signals():
                return super().invoke(ctx)
        except SignalledError as error:
            raise CommandError(str(error), _ENDED_BY[error.number]) from error


class Point(click.ParamType["AsOf"]):
    """An offset (the state before it) or a time (the state that it had then)."""

    name = "OFFSET|TIME"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> AsOf:
        """Read a number or an ISO 8601 time; one without a zone is in UTC."""
        if isinstance(value, AsOf):
            return value
        text = str(value)
        try:
            return parse_point(text)
        except ValueError:
            self.fail(f"{text!r} is neither {A_POINT}", param, ctx)


class Rules(click.ParamType["tuple[Rule, ...]"]):
    """Rules by their ids and severities, apart by commas; ``-ID`` leaves one out."""

    name = "ID,..."

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Rule, ...]:
        """Look them up."""
        from kraftpy.audit.rules import choose_rules

        try:
            return choose_rules(str(value))
        except LocalError as error:
            self.fail(str(error), param, ctx)


ENGINES = ("auto", "local", "spark")


def engine_options(command: Command) -> Command:
    """Add ``--engine`` and ``--master``; a master beside an engine that has none is refused."""
    command = click.option(
        "--master", metavar="URL", callback=_for_spark, help="Spark master URL, such as local[4] or spark://host:7077."
    )(command)
    return click.option(
        "--engine", type=WordChoice(ENGINES), default="auto", show_default=True, is_eager=True,
        help="Engine; auto uses one process for inputs up to 256 MiB, and Spark above.",
    )(command)  # fmt: skip


def _for_spark(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and ctx.params.get("engine") == "local":
        raise click.BadParameter("--engine local asks no Spark: leave one of the two options out", ctx, param)
    return value


def check_writable(path: Path) -> None:
    """Refuse to begin long work whose result could not be written; nothing stays behind.

    Raises:
        CommandError: when no file can be made beside the path.
    """
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise CommandError(f"{path}: cannot be written: {error.strerror or error}") from error


def parse_point(text: str) -> AsOf:
    """Read a number or an ISO 8601 time.

    Raises:
        ValueError: when it is neither.
    """
    if text.isascii() and text.isdecimal():
        return AsOf(offset=int(text))
    time = datetime.fromisoformat(text)
    aware = time if time.tzinfo is not None else time.replace(tzinfo=UTC)
    return AsOf(timestamp_ms=int(aware.timestamp() * 1000))


def draw_salt() -> bytes:
    """Draw what the digests of secrets are keyed with: the same secret looks the same within one run only."""
    return os.urandom(SALT_BYTES)


def progress_bar() -> Progress | None:
    """Return what shows progress on a terminal, ``None`` without a terminal."""
    if not sys.stderr.isatty():
        return None

    def show(what: str, done: int, total: int) -> None:
        share = f"{100 * done // total:3d} %" if total else ""
        click.echo(f"\r\033[K{what} {share}" if done < total else "\r\033[K", nl=False, err=True)

    return show
