"""The one place where answers become text: a table for a terminal, JSON or YAML for scripts, JSON lines for streams.

A command hands over two faces of the same answer: ``data`` (what JSON shows, with the names of ``json_outputs``) and
``lines`` (what a reader sees, in the layout of Kafka's tool where there is one). Which is printed is the user's choice
and nothing else.
"""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import click

from kraftpy.model.escaping import escaped

FORMAT_VERSION: Final = 1
"""The version of the names, types and shapes in JSON and YAML; ``docs/json.md`` has what may change within one."""

_ESCAPED: Final = re.compile("[\x7f-\x9f\ud800-\udfff]")
"""Controls that terminals obey, and Python's characters for a file name's bytes that are not UTF-8. Source: PEP 383."""

Json: TypeAlias = Mapping[str, Any] | Sequence[Any] | str | int | float | bool | None


class Output(enum.StrEnum):
    """How answers are printed."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    YAML = "yaml"


def show(output: Output, data: Json, lines: Iterable[str]) -> None:
    """Print one answer.

    Args:
        output: what the user asked for.
        data: the answer for ``json`` (indented), ``yaml`` and ``jsonl`` (one line per item of a list).
        lines: the answer for ``table``.
    """
    if output is Output.TABLE:
        for line in lines:
            click.echo(line)
    elif output is Output.JSON:
        click.echo(_json(data, indent=2))
    elif output is Output.YAML:
        click.echo(_yaml(data))
    else:
        for item in data if isinstance(data, (list, tuple)) else (data,):
            click.echo(json_line(item))


def _yaml(data: Json) -> str:
    # Only who asks for YAML waits for its writer: --help is to be there at once.
    from kraftpy.cli.yaml_text import yaml_document

    return yaml_document(data)


def render(data: Json, output: Output) -> None:
    """Print an answer that has no layout of its own: as a table, an object is lines and a list of objects is rows."""
    show(output, data, _plain(data))


def _plain(data: Json) -> list[str]:
    if isinstance(data, Mapping):
        nested = {key: value for key, value in data.items() if _is_rows(value)}
        flat = [(f"{key}:", _cell(value)) for key, value in data.items() if key not in nested]
        width = max((len(key) for key, _ in flat), default=0)
        tables = [line for key, rows in nested.items() for line in ("", f"{key}:", *_plain(rows))]
        return [*(f"{key.ljust(width)}  {value}".rstrip() for key, value in flat), *tables]
    if _is_rows(data):
        rows = cast("Sequence[Mapping[str, object]]", data)
        columns = list(dict.fromkeys(key for row in rows for key in row))
        return aligned(columns, ([_cell(row.get(column)) for column in columns] for row in rows))
    return [_cell(item) for item in data] if isinstance(data, (list, tuple)) else [_cell(data)]


def _is_rows(data: object) -> bool:
    return isinstance(data, (list, tuple)) and bool(data) and all(isinstance(row, Mapping) for row in data)


def _cell(value: object) -> str:
    return "-" if value is None else value if isinstance(value, str) else json_line(cast("Json", value))


def json_line(data: Json) -> str:
    """Write a value as one compact line of JSON."""
    return _json(data, separators=(",", ":"))


def kafka_json(data: Json) -> str:
    """Write a value as ``kafka-dump-log`` does, byte for byte: it escapes control characters below U+0020 alone."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _json(data: Json, **layout: Any) -> str:
    """Write a value as JSON that is UTF-8 and may go to a terminal, whatever others wrote."""
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(data, ensure_ascii=False, **layout))


def streamed_json(offset: int | None, snapshot_end: int | None, epoch: int, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record of a stream as plain values: of the log, or of a snapshot, where it has no offset of its own."""
    return {
        "offset": offset,
        "snapshotEndOffset": snapshot_end,
        "leaderEpoch": epoch,
        "type": data["type"],
        "version": data.get("version"),
        "author": data.get("author"),
        "data": data.get("data"),
    }


def author_column(data: Mapping[str, Any]) -> str:
    """Return the last column of a record of a stream: who asked for it; empty where no author is named."""
    author = data.get("author")
    if author is None:
        return ""
    return f"\tby {escaped(author['principal'] or 'an unreadable author')}"


def stream_item(data: Json, output: Output) -> str:
    """Write one value of a stream without end: a line of JSON, or a document of YAML."""
    return f"---\n{_yaml(data)}" if output is Output.YAML else json_line(data)


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
