"""``kraftpy watch``: committed records as they come, one line each, for ever.

A line goes out as soon as its batch is read, so that a pipe sees it. Where the log no longer reaches back to the offset
asked for, the state at a snapshot comes first. When no node answers any more, and when one does again, is reported on
standard error. Ctrl-C ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kraftpy.cli.examples import examples
from kraftpy.cli.options import COUNT, OFFSET, connection_options, output_option, secrets_option
from kraftpy.cli.output import Output, author_column, json_line, stream_item, streamed_json

if TYPE_CHECKING:
    from kraftpy.cli.cluster_port import WatchedRecord


@examples(
    "kraftpy watch -C localhost:9193 --from 0 -o jsonl",
    "kraftpy watch -C localhost:9193 --from 1000 --count 10",
)
@click.command("watch")
@click.option("--from", "from_offset", type=OFFSET, default=0, show_default=True, metavar="N",
              help="First offset to print.")  # fmt: skip
@click.option("--count", type=COUNT, metavar="N", help="Exit after this number of lines.")
@secrets_option
@connection_options
@output_option
def watch(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    from_offset: int,
    count: int | None,
    show_secrets: bool,
) -> None:
    """Print committed records from an offset on, and new ones as they are committed."""
    from kraftpy.cli.connection import connect

    with connect(bootstrap, timeout) as cluster:
        for number, record in enumerate(cluster.watch(from_offset, shows_secrets=show_secrets), 1):
            click.echo(as_line(record) if output is Output.TABLE else stream_item(as_json(record), output))
            if number == count:
                return


def as_json(record: WatchedRecord) -> dict[str, Any]:
    """Show a record as plain values."""
    return streamed_json(record.offset, record.snapshot_end, record.epoch, record.data)


def as_line(record: WatchedRecord) -> str:
    """Lay a record out: its offset, its type, its fields, and who asked for it if the log says so."""
    place = f"snapshot {record.snapshot_end}" if record.offset is None else str(record.offset)
    line = f"{place}\t{record.epoch}\t{record.data['type']}\t{json_line(record.data.get('data'))}"
    return line + author_column(record.data)
