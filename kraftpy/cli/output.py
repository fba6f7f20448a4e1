"""The one place where answers become text: a table for people, JSON for scripts, JSON lines for streams.

A command hands over two faces of the same answer: ``data`` (what JSON shows) and ``lines`` (what people read, in the
layout of Kafka's tool where there is one). Which is printed is the user's choice and nothing else.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import click

Json: TypeAlias = Mapping[str, Any] | Sequence[Any] | str | int | float | bool | None


class Format(enum.StrEnum):
    """How answers are printed."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"


def show(output: Format, data: Json, lines: Iterable[str]) -> None:
    """Print one answer.

    Args:
        output: what the user asked for.
        data: the answer for ``json`` (indented) and ``jsonl`` (one line per item of a list).
        lines: the answer for ``table``.
    """
    if output is Format.TABLE:
        for line in lines:
            click.echo(line)
    elif output is Format.JSON:
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        for item in data if isinstance(data, (list, tuple)) else (data,):
            click.echo(json_line(item))


def json_line(data: Json) -> str:
    """Write a value as one compact line of JSON."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def aligned(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Lay out a table: columns as wide as their widest cell, two blanks between them, nothing after the last."""
    cells = [list(columns), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[index]) for row in cells) for index in range(len(columns))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]


def tabbed(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Lay out a table as Kafka's quorum tool does: every cell padded to its column's width and followed by a tab."""
    cells = [list(columns), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[index]) for row in cells) for index in range(len(columns))]
    return ["".join(cell.ljust(width) + "\t" for cell, width in zip(row, widths, strict=True)) for row in cells]
