"""What the auditor's commands share: their process, points in a log, rules, an output file, progress."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kraftpy.audit.engines.protocol import AsOf, ProgressReport
from kraftpy.audit.jvm import SignalledError, ended_by_signals
from kraftpy.audit.optional_dependencies import own_process
from kraftpy.cli.errors import CommandError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import Command
from kraftpy.cli.suggestions import WordChoice
from kraftpy.cli.waiting import waiting_for
from kraftpy.model.errors import LocalError
from kraftpy.runtime.clock import elapsed_ns

if TYPE_CHECKING:
    from kraftpy.audit.rules import Rule

SALT_BYTES = 32
MEBIBYTE = 1024**2
CLEARED = "\r\033[K"
"""Returns to the beginning of a terminal's line and erases it."""

SHOWN_AGAIN_S = 0.2
"""The progress is written at most this often."""

ESTIMATED_AFTER_S = 2.0
"""The end of a step is not estimated before it has run this long."""

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
        help="Engine; auto chooses by size: one process for snapshots up to 256 MiB.",
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
    """Read a number, or an ISO 8601 time: of UTC without an offset from it, before which there may be a blank.

    Raises:
        ValueError: when it is neither.
    """
    if text.isascii() and text.isdecimal():
        return AsOf(offset=int(text))
    # So are the times that `history` prints.
    time = datetime.fromisoformat(text.replace(" +", "+").replace(" -", "-"))
    aware = time if time.tzinfo is not None else time.replace(tzinfo=UTC)
    return AsOf(timestamp_ms=int(aware.timestamp() * 1000))


def draw_salt() -> bytes:
    """Draw what the digests of secrets are keyed with: the same secret looks the same within one run only."""
    return os.urandom(SALT_BYTES)


@contextmanager
def shown_progress(what: str) -> Iterator[ProgressReport | None]:
    """Give what shows the progress of the block on a terminal, and remove it at the end.

    Without a terminal that is ``None``, and one line says what is waited for, once it takes longer.

    Args:
        what: the work of the block.
    """
    if not sys.stderr.isatty():
        with waiting_for(what):
            yield None
        return
    line = ProgressLine(_seconds)
    try:
        yield line
    finally:
        line.clear()


def _seconds() -> float:
    return elapsed_ns() / 1e9


class ProgressLine:
    """One line on stderr that is written again and again: how far a step has come, and when it will end.

    Args:
        now: the time in seconds.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._what = ""
        self._since = self._next_at = 0.0
        self._done = 0
        self._is_shown = False

    def __call__(self, what: str, done: int, total: int, files: int = 0, of_files: int = 0) -> None:
        """Show what is done; see the protocol."""
        now = self._now()
        if what != self._what or done < self._done:
            # A step that is done once more has a time of its own.
            self._what, self._since, self._next_at = what, now, now
        self._done = done
        if done >= total:
            self.clear()
        elif now >= self._next_at:
            self._next_at = now + SHOWN_AGAIN_S
            text = progress_text(what, done, total, files, of_files, now - self._since)
            click.echo(f"{CLEARED}{text}", nl=False, err=True)
            self._is_shown = True

    def clear(self) -> None:
        """Remove the line."""
        if self._is_shown:
            click.echo(CLEARED, nl=False, err=True)
            self._is_shown = False


def progress_text(what: str, done: int, total: int, files: int, of_files: int, elapsed_s: float) -> str:
    """Return how far a step has come; the estimate assumes that the rest goes as what is done went.

    Args:
        what: the step.
        done: bytes if it has files; what it counts otherwise.
        total: the same, of the whole step.
        files: how many files are done.
        of_files: how many files there are; 0 if the step has none.
        elapsed_s: since its start.
    """
    amount = f"{done} of {total}"
    if of_files:
        amount = f"{done / MEBIBYTE:,.0f} of {total / MEBIBYTE:,.0f} MiB, {files:,} of {of_files:,} files"
    if not done or elapsed_s < ESTIMATED_AFTER_S:
        return f"{what} {amount}"
    return f"{what} {amount}, about {elapsed_s * (total - done) / done:,.0f} s left"
