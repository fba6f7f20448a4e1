"""``kraftpy repair``: nodes that stopped at a record that cannot be applied go on without it.

``show`` finds the record and says what would take its place, ``skip`` does it and asks for the digest. Both work on
stopped nodes; the rules are in :mod:`kraftpy.disaster_recovery.unreplayable_record`.
"""

from __future__ import annotations

from typing import Any

import click

from kraftpy.cli.errors import CommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.recover import dirs_option
from kraftpy.cli.suggestions import CommandGroup
from kraftpy.cli.waiting import waiting_for
from kraftpy.disaster_recovery.inspection import log_directory_of
from kraftpy.disaster_recovery.recovery import undo_command
from kraftpy.disaster_recovery.unreplayable_record import (
    UnreplayableRecord,
    check_same,
    find_unreplayable,
    replace_unreplayable,
)
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.locks import check_not_running, locked

_NAMES = (
    "offset", "appliedOffset", "recordKind", "reason", "segmentFile", "position", "noOpOffsets", "nextOffset",
    "nextReason", "digest",
)  # fmt: skip
DIRS_TEXT = "Log directories of stopped nodes, comma-separated; repeatable."


@click.group(cls=CommandGroup)
def repair() -> None:
    """Replace a committed record that no node can replay."""


@examples(
    "kraftpy repair show --dirs /var/lib/kraftpy/controller-1",
)
@repair.command("show")
@dirs_option(DIRS_TEXT)
@output_option
def show_command(*, output: Output, given: tuple[tuple[str, ...], ...]) -> int:
    """Find the first record that cannot be replayed and print its replacement; exit with 3 when there is one."""
    fs = RealFileSystem()
    directories = [log_directory_of(fs, directory) for group in given for directory in group]
    check_not_running(directories)
    with waiting_for(f"the logs in {', '.join(directories)} are read and replayed"):
        found = {directory: find_unreplayable(fs, directory) for directory in directories}
    check_same(list(found.values()))
    lines = [line for directory, each in found.items() for line in _lines(directory, each)]
    bad = [directory for directory, each in found.items() if each is not None]
    digest = next((each.digest for each in found.values() if each is not None), None)
    if digest is not None:
        lines += ["", "Nothing was changed. To go on without it, on every node:",
                  f"  kraftpy repair skip --dirs {','.join(bad)} --digest {digest}"]  # fmt: skip
    show(output, [_data(directory, each) for directory, each in found.items()], lines)
    return ExitCode.OK if digest is None else ExitCode.FINDINGS


def _data(directory: str, record: UnreplayableRecord | None) -> dict[str, Any]:
    data: dict[str, Any] = {"directory": directory, **dict.fromkeys(_NAMES)}
    if record is None:
        return {**data, "noOpOffsets": []}
    facts = (
        record.offset, record.applied_below, record.kind, record.reason, record.segment, record.position,
        list(record.skipped), record.next_offset, record.next_reason, record.digest,
    )  # fmt: skip
    return {**data, **dict(zip(_NAMES, facts, strict=True))}


def _lines(directory: str, record: UnreplayableRecord | None) -> list[str]:
    if record is None:
        return [f"{directory}: every record can be applied"]
    first, last = record.skipped[0], record.skipped[-1]
    offsets = f"offset {first}" if first == last else f"offsets {first} to {last}, as the batch cannot be read,"
    rest = (
        "Everything behind it can be applied then."
        if record.next_reason is None
        else f"The next one would stop at offset {record.next_offset}: {record.next_reason}"
    )
    return [
        f"{directory}: {record.kind} at offset {record.offset} cannot be applied",
        f"  {record.reason}",
        f"  {record.segment}, byte {record.position}; everything below offset {record.applied_below} is applied",
        f"  A skip makes {offsets} a record that does nothing. {rest}",
    ]


@examples(
    "kraftpy repair skip --dirs /var/lib/kraftpy/controller-1 --digest 0123456789abcdef",
)
@repair.command("skip")
@dirs_option(DIRS_TEXT)
@click.option("--digest", required=True, metavar="SHA256", help="Digest that `repair show` printed, as confirmation.")
@output_option
def skip_command(*, output: Output, given: tuple[tuple[str, ...], ...], digest: str) -> None:
    """Replace the record that `repair show` found by a no-op record; the original files are kept."""
    fs = RealFileSystem()
    directories = [log_directory_of(fs, directory) for group in given for directory in group]
    line = waiting_for(f"the logs in {', '.join(directories)} are read and replayed, and the record is replaced")
    with locked(directories), line:
        found = [find_unreplayable(fs, directory) for directory in directories]
        check_same(found)
        for directory, each in zip(directories, found, strict=True):
            if each is None:
                raise CommandError(f"{directory}: every record can be applied; nothing was changed anywhere")
            if each.digest != digest:
                raise CommandError(
                    f"{directory}: what would be replaced at offset {each.offset} has the digest {each.digest}, "
                    f"not {digest}: run `kraftpy repair show` and read it; nothing was changed anywhere"
                )
        for each in found:
            assert each is not None
            replace_unreplayable(fs, each, undo_command(each.directory))
    lines = [f"{each.directory}: offset {each.offset} is skipped" for each in found if each is not None]
    lines.append(f"The originals are kept; to go back: {undo_command(','.join(directories))}")
    show(output, [_data(each.directory, each) for each in found if each is not None], lines)
