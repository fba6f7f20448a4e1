"""A question before a change that reaches further than its command line shows, such as all topics that match.

A user is asked: where standard input and standard error are terminals. Without a terminal, and with ``--yes``, nothing
is asked: a script that may be started in a terminal gives ``--yes``. A dry run changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

import click

from kraftpy.cli.errors import CommandError
from kraftpy.model.escaping import escaped

NAMES_MAX: Final = 5
"""How many names a question has; the others are counted."""

ANSWER_BYTES_MAX: Final = 100


def yes_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--yes``, passed as ``yes``."""
    return click.option("--yes", is_flag=True, help="Do not ask on a terminal before the change.")(command)


def confirm(change: str, *, is_decided: bool) -> None:
    """Ask whether to go on, where a user can answer.

    Args:
        change: what would be done, as a question.
        is_decided: nothing is asked, because of ``--yes`` or ``--dry-run``.

    Raises:
        CommandError: the answer is not ``yes``.
    """
    # Python has None for a stream that was closed before it started.
    if is_decided or not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr)):
        return
    click.echo(f"{change} Type yes to go on: ", err=True, nl=False)
    if sys.stdin.buffer.readline(ANSWER_BYTES_MAX).strip() != b"yes":
        raise CommandError("nothing was changed: the answer was not yes (--yes goes on without a question)")


def some_of(names: Sequence[str]) -> str:
    """Return the first of some names, and how many more there are."""
    shown = [escaped(name) for name in names[:NAMES_MAX]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
