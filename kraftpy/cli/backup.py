"""``kraftpy backup`` and ``kraftpy restore``: a node's metadata log in one file, and a new beginning from it.

The rules are in :mod:`kraftpy.disaster_recovery.archive`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from kraftpy.cli.errors import CommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.options import NODE_ID, PathParam, output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.waiting import waiting_for
from kraftpy.disaster_recovery.archive import BackedUp, Restoration, backup, plan_restore, read_backup, restore
from kraftpy.disaster_recovery.inspection import log_directory_of
from kraftpy.model.iso_time import time_fields
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.locks import holder_of

WARNING = (
    "What came after the backup is gone. Before you start it: every node of the old quorum must be off, and must come "
    "back with an empty metadata directory. A broker that still has its log may hold more than this backup; `kraftpy "
    "recover plan` takes it too."
)


@examples(
    "kraftpy backup --dir /var/lib/kraftpy/controller-1 --out metadata.backup",
)
@click.command("backup")
@click.option(
    "--dir",
    "directory",
    required=True,
    type=PathParam(),
    metavar="DIR",
    help="Log directory of a node, running or stopped.",
)
@click.option("--out", required=True, type=PathParam(), metavar="FILE", help="File to write; it must not exist.")
@output_option
def backup_command(*, output: Output, directory: str, out: str) -> None:
    """Write one file with all committed records: the latest snapshot, the log after it, and digests."""
    fs = RealFileSystem()
    found = log_directory_of(fs, str(Path(directory).absolute()))
    with waiting_for(f"the log in {found} is read, checked and written to {out}"):
        made = backup(fs, found, str(Path(out).absolute()), is_running=holder_of(found) is not None)
    facts = made.facts
    cluster = facts["cluster_id"] or "(id not known)"
    lines = [
        f"{out}: everything below offset {facts['end_offset']} of cluster {cluster}, {made.size} bytes",
        f"Digest: {made.digest}  (keep it elsewhere, and give it to `kraftpy restore`)",
    ]
    if not facts["taken_from_running_node"]:
        lines.append(f"The node is stopped: records from offset {facts['committed_below']} on may not be committed.")
    show(output, _backup_json(out, made), lines)


def _backup_json(out: str, made: BackedUp) -> dict[str, Any]:
    facts = made.facts
    return {
        "file": out,
        "bytes": made.size,
        "digest": made.digest,
        "clusterId": facts["cluster_id"],
        "nodeId": facts["node_id"],
        "directoryId": facts["directory_id"],
        "metaPropertiesVersion": facts["meta_properties_version"],
        "endOffset": facts["end_offset"],
        "leaderEpoch": facts["last_epoch"],
        "highestLeaderEpoch": facts["highest_epoch"],
        "committedOffset": facts["committed_below"],
        "isFromRunningNode": facts["taken_from_running_node"],
        "kraftVersion": facts["kraft_version"],
        **time_fields("last", facts["last_timestamp_ms"]),
        "leaderEpochs": [{"leaderEpoch": epoch, "startOffset": start} for epoch, start in facts["epochs"]],
    }


@examples(
    "kraftpy restore metadata.backup --dir /var/lib/kraftpy/controller-1 --dry-run",
    "kraftpy restore metadata.backup --dir /var/lib/kraftpy/controller-1 --node-id 1 --address localhost:9093",
)
@click.command("restore")
@click.argument("file", type=PathParam(exists=True, dir_okay=False))
@click.option(
    "--dir",
    "directory",
    required=True,
    type=PathParam(file_okay=False),
    metavar="DIR",
    help="New log directory; missing or empty.",
)
@click.option("--digest", metavar="SHA256", help="Digest that `kraftpy backup` printed; the file must match it.")
@click.option(
    "--node-id", type=NODE_ID, metavar="ID", help="Node id of the new directory. Default: that of the backup."
)
@click.option("--address", metavar="HOST:PORT", help="Address of that controller: host:port.")
@click.option("--dry-run", is_flag=True, help="Check the file and print what would be created.")
@output_option
def restore_command(
    *,
    output: Output,
    file: str,
    directory: str,
    digest: str | None,
    node_id: int | None,
    address: str | None,
    dry_run: bool,
) -> None:
    """Create a log directory from a backup. A truncated or modified file is rejected; no file is replaced."""
    fs = RealFileSystem()
    with waiting_for(f"{file} is read and checked"):
        bundle = read_backup(fs, str(Path(file).absolute()))
    if digest is not None and digest != bundle.digest:
        raise CommandError(f"{file} has the digest {bundle.digest}, not {digest}: it is another backup")
    place = _address(address)
    plan = plan_restore(bundle, str(Path(directory).absolute()), node_id=node_id, address=place)
    if not dry_run:
        with waiting_for(f"{directory} is written"):
            restore(fs, bundle, plan, os.urandom, place)
    show(output, _restore_json(plan, bundle.digest, dry_run=dry_run), _lines(plan, made=not dry_run))


def _restore_json(plan: Restoration, digest: str, *, dry_run: bool) -> dict[str, Any]:
    return {
        "directory": plan.directory,
        "clusterId": plan.cluster_id,
        "nodeId": plan.node_id,
        "endOffset": plan.end_offset,
        "committedOffset": plan.committed_below,
        "leaderEpoch": plan.epoch,
        "kraftVersion": plan.kraft_version,
        "controllerQuorumVoters": plan.static_voters,
        "digest": digest,
        "dryRun": dry_run,
    }


def _address(text: str | None) -> tuple[str, int] | None:
    from kraftpy.config.endpoints import parse_named_address

    try:
        return None if text is None else parse_named_address(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--address'") from error


def _lines(plan: Restoration, *, made: bool) -> list[str]:
    verb = "Restored" if made else "Would restore"
    what = f"node {plan.node_id} of cluster {plan.cluster_id or '(id not known)'} in {plan.directory}"
    lines = [f"{verb} {what}: everything below offset {plan.end_offset}, then epoch {plan.epoch}", WARNING]
    if plan.static_voters is not None:
        lines.append(f"In every configuration: controller.quorum.voters={plan.static_voters}")
    if not made:
        lines.append("Nothing was made.")
    return lines
