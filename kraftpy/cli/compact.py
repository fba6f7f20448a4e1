"""``kraftpy compact``: one node's log and snapshots to one new snapshot, whose name and bytes are Kafka's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kraftpy.cli.audit_options import AuditorCommand, engine_options, shown_progress
from kraftpy.cli.examples import examples
from kraftpy.cli.options import OFFSET, PathParam, output_option
from kraftpy.cli.output import Output, show


@examples(
    "kraftpy compact /var/lib/kraftpy/controller-1 --out /tmp/compacted",
    "kraftpy compact /var/lib/kraftpy/controller-1 --out /tmp/compacted --at 5000",
)
@click.command("compact", cls=AuditorCommand)
@click.argument("paths", nargs=-1, required=True, type=PathParam(), metavar="PATH...")
@click.option(
    "--out", required=True, type=PathParam(file_okay=False, path_type=Path), metavar="DIR",
    help="Directory for the snapshot; created if missing. No file is overwritten.",
)  # fmt: skip
@click.option("--at", type=OFFSET, metavar="OFFSET", help="End offset of the snapshot. Default: the end of the log.")
@click.option("--cluster", metavar="NAME", help="Cluster id, when the paths contain several clusters.")
@engine_options
@output_option
def compact(
    paths: tuple[str, ...],
    *,
    out: Path,
    at: int | None,
    cluster: str | None,
    engine: str,
    master: str | None,
    output: Output,
) -> None:
    """Write a snapshot of the state before an offset, computed by the auditor's own replay.

    The log's end on one node may lie beyond what a majority of the quorum has: name an offset that a majority has.
    """
    from kraftpy.audit.compaction.run import compact as run
    from kraftpy.audit.labels import label_fields

    with shown_progress(f"the logs are read and replayed, and a snapshot is written to {out}") as progress:
        done = run(paths, out, at=at, cluster=cluster, engine=engine, master=master, progress=progress)
    data: dict[str, Any] = {
        "file": str(done.path), **label_fields(done.cluster, done.node), "endOffset": done.end_offset,
        "leaderEpoch": done.epoch, "recordCount": done.records, "bytes": done.size, "engine": done.engine,
    }  # fmt: skip
    summary = (
        f"{done.records} records, {done.size} bytes: the state before offset {done.end_offset} (epoch {done.epoch}) "
        f"of cluster {done.cluster or '-'}, as node {done.node} has it; engine {done.engine}"
    )
    show(output, data, (str(done.path), summary))
