"""What ``audit``, ``diff`` and ``history`` take in common: a point in the log, and where to say how far they are."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime

import click

from kraftpy.audit.engines.protocol import AsOf, Progress

SALT_BYTES = 32


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
            self.fail(f"{text!r} is neither an offset nor a time such as 2026-11-21T14:00:00Z", param, ctx)


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
    """Return what shows progress on a terminal, ``None`` where nobody watches."""
    if not sys.stderr.isatty():
        return None

    def show(what: str, done: int, total: int) -> None:
        share = f"{100 * done // total:3d} %" if total else ""
        click.echo(f"\r\033[K{what} {share}" if done < total else "\r\033[K", nl=False, err=True)

    return show
