"""``kraftpy inspect``: describe a metadata directory offline, beside a running node or after one that will not start.

Nothing is written and nothing is locked. What a crash explains (a torn tail, left-over files) is a note; anything that
contradicts what was promised is corruption, and the command then ends with the exit code for findings.
"""

from __future__ import annotations

import re
from pathlib import Path

import click

from kraftpy.cli.dump_log import check_topic
from kraftpy.cli.errors import CommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.inspect_state import DirectoryProblem, Inspection, read_state
from kraftpy.cli.inspect_text import as_json, as_lines
from kraftpy.cli.options import PathParam, output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.waiting import waiting_for
from kraftpy.model.errors import KraftError
from kraftpy.records.file_names import parse_snapshot_file_name
from kraftpy.storage.filesystem import RealFileSystem, join, parent
from kraftpy.storage.inspection import DirectoryReport, inspect_directory
from kraftpy.storage.meta_properties import meta_properties_path, read_meta_properties
from kraftpy.storage.names import (
    BOOTSTRAP_CHECKPOINT,
    META_PROPERTIES,
    METADATA_DIRECTORY,
    RECOVERY_POINT_CHECKPOINT,
    segment_base_offset,
)

_AT_BYTE = re.compile(r" at byte (\d+)")


@examples(
    "kraftpy inspect /var/lib/kraftpy/controller-1",
    "kraftpy inspect /var/lib/kraftpy/controller-1 -o json",
)
@click.command("inspect")
@click.argument("directory", type=PathParam(path_type=Path))
@output_option
def inspect_dir(directory: Path, output: Output) -> int:
    """Describe a log directory or its __cluster_metadata-0; exit with 3 when a file is corrupt."""
    with waiting_for(f"the log in {directory} is read and replayed"):
        found = inspect(directory)
    show(output, as_json(found), as_lines(found))
    return ExitCode.FINDINGS if found.corruption else ExitCode.OK


def inspect(directory: Path) -> Inspection:
    """Look at a directory.

    Raises:
        CommandError: when there is nothing of a metadata log there.
        StorageError: when it cannot be read at all.
    """
    log_directory, metadata_directory = _directories(directory)
    check_topic(metadata_directory)
    from kraftpy.cli.inspect_beside import beside, listed, of_bootstrap, of_properties

    fs = RealFileSystem()
    files = listed(metadata_directory)
    corruption: list[DirectoryProblem] = []
    properties = None
    path = meta_properties_path(str(log_directory))
    try:
        properties = read_meta_properties(fs, str(log_directory))
    except (KraftError, OSError) as error:
        corruption.append(DirectoryProblem(path, None, f"{path}: {error}"))
    corruption += [*of_properties(log_directory, properties), *of_bootstrap(fs, log_directory)]
    report = inspect_directory(fs, str(metadata_directory))
    state = read_state(fs, report)
    from_report, notes = _sort_problems(report)
    known = {str(finding) for finding in from_report}
    from_beside, more_notes = beside(files, report)
    corruption += [finding for finding in from_beside if finding.file not in {one.file for one in corruption}]
    return Inspection(
        log_directory=log_directory,
        meta_properties=properties,
        has_bootstrap=(log_directory / BOOTSTRAP_CHECKPOINT).exists(),
        report=report,
        state=state,
        corruption=(*corruption, *from_report, *(finding for finding in state.findings if str(finding) not in known)),
        notes=(*notes, *more_notes),
    )


def _directories(directory: Path) -> tuple[Path, Path]:
    if not directory.exists():
        raise CommandError(f"{directory}: there is no such directory")
    if parse_snapshot_file_name(directory.name) and directory.is_file():
        return directory.parent, directory.parent
    if not directory.is_dir():
        raise CommandError(f"{directory}: is not a directory")
    is_metadata = directory.name == METADATA_DIRECTORY or any(
        segment_base_offset(path.name) is not None for path in directory.iterdir()
    )
    if is_metadata:
        # A copy may keep the file beside the segments; a node keeps it one level up.
        beside = (directory / META_PROPERTIES).exists()
        return directory if beside else directory.resolve().parent, directory
    if any(parse_snapshot_file_name(path.name) for path in directory.iterdir()):
        # What a compaction wrote, or snapshots that were copied: there is no log, and nothing above belongs to it.
        return directory, directory
    if (directory / METADATA_DIRECTORY).is_dir():
        return directory, directory / METADATA_DIRECTORY
    # A node's own directory often holds its log directories, and a quickstart's holds the nodes': the log is in one.
    below = sorted(log.parent for pattern in ("*", "*/*") for log in directory.glob(f"{pattern}/{METADATA_DIRECTORY}"))
    if len(below) == 1:
        return below[0], below[0] / METADATA_DIRECTORY
    if below:
        raise CommandError(f"{directory}: name one of {', '.join(map(str, below))}")
    raise CommandError(
        f"{directory}: holds no metadata log (there is no {METADATA_DIRECTORY} in it); name the metadata.log.dir of "
        "a node, or the first of its log.dirs"
    )


def _sort_problems(report: DirectoryReport) -> tuple[list[DirectoryProblem], tuple[str, ...]]:
    """Divide what is wrong into corruption and notes."""
    sound = {segment.corruption for segment in report.segments if segment.is_torn_tail}
    files = {segment.corruption: segment.path for segment in report.segments if segment.corruption not in sound}
    files |= {snapshot.corruption: snapshot.path for snapshot in report.snapshots if snapshot.corruption is not None}
    if report.election is None and report.problems:
        files[report.problems[0]] = report.path
    corruption = [_finding(files[text], text) for text in report.problems if text in files]
    if report.unknown_end is not None:
        corruption.append(
            DirectoryProblem(join(parent(report.path), RECOVERY_POINT_CHECKPOINT), None, report.unknown_end)
        )
    if report.missing_end is not None:
        corruption.append(_at_the_end(report, report.missing_end))
    reported = {*files, report.unknown_end, report.missing_end}
    return corruption, tuple(text for text in report.problems if text not in reported)


def _at_the_end(report: DirectoryReport, text: str) -> DirectoryProblem:
    if not report.segments:
        return DirectoryProblem(report.path, None, text)
    return DirectoryProblem(report.segments[-1].path, report.segments[-1].valid_bytes, text)


def _finding(path: str, text: str) -> DirectoryProblem:
    place = _AT_BYTE.search(text)
    return DirectoryProblem(path, int(place[1]) if place else None, text)
