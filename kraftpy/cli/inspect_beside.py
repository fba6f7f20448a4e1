"""What the small files of a directory say about its log: the same questions that ``kraftpy audit`` asks of them."""

from __future__ import annotations

from pathlib import Path

from kraftpy.audit.reading.contradictions import VOTE, contradiction_rows
from kraftpy.audit.reading.discovery import KraftFile, files_of
from kraftpy.audit.reading.properties import property_rows
from kraftpy.audit.reading.rows import LOG, FileSummary
from kraftpy.cli.inspect_state import DirectoryProblem
from kraftpy.model.errors import StorageError
from kraftpy.storage.bootstrap import read_bootstrap
from kraftpy.storage.filesystem import FileSystem
from kraftpy.storage.inspection import DirectoryReport
from kraftpy.storage.meta_properties import MetaProperties, meta_properties_path
from kraftpy.storage.names import BOOTSTRAP_CHECKPOINT, QUORUM_STATE


def listed(metadata_directory: Path) -> list[KraftFile]:
    """Return the files of a metadata directory with their sizes, which is done before any of them is read."""
    return files_of(str(metadata_directory)) if any(metadata_directory.iterdir()) else []


def beside(files: list[KraftFile], report: DirectoryReport) -> tuple[list[DirectoryProblem], list[str]]:
    """Return corruption and notes that the files beside a log show.

    Args:
        files: as :func:`listed` gave them.
        report: what was read of the log.
    """
    corruption = [
        DirectoryProblem(row[2], None, f"{row[2]}: {row[6]}")
        for row in property_rows(file for file in files if not file.path.endswith(QUORUM_STATE))
        if row[6] is not None
    ]
    notes = []
    for _, _, file, kind, _, detail in contradiction_rows(files, _spans(report)):
        if kind == VOTE:
            notes.append(f"{file}: {detail}")
        else:
            corruption.append(DirectoryProblem(file, None, f"{file}: {detail}"))
    return corruption, notes


def _spans(report: DirectoryReport) -> list[FileSummary]:
    """Return what was read of each segment, as the auditor writes it; epochs are with the first one."""
    spans = []
    epochs = report.epochs
    for segment in report.segments:
        has_batches = segment.batches > 0
        spans.append(
            FileSummary(
                "", "", segment.path, LOG, segment.base_offset if has_batches else -1, segment.end_offset, -1, -1,
                0 if segment.corruption is None else 1,
                reached=segment.end_offset if has_batches else -1,
                epochs=tuple(epochs) if has_batches else (),
                is_torn=segment.is_torn_tail,
            )
        )  # fmt: skip
        epochs = () if has_batches else epochs
    return spans


def of_properties(log_directory: Path, properties: MetaProperties | None) -> list[DirectoryProblem]:
    """Say what is wrong with a meta.properties that could be read: what a node of this log would not have written."""
    path = meta_properties_path(str(log_directory))
    if properties is None:
        return []
    if not properties.version:
        why = "it states no version: it is empty, cut or not written by a node that has a metadata log"
    elif properties.node_id is None:
        why = "node.id is missing"
    elif properties.version == 1 and properties.cluster_id is None:
        why = "cluster.id is missing"
    else:
        text = property_rows(file for file in files_of(path) if file.path == path)
        why = next((row[6] for row in text if row[6] is not None), "")
    return [DirectoryProblem(path, None, f"{path}: {why}")] if why else []


def of_bootstrap(fs: FileSystem, log_directory: Path) -> list[DirectoryProblem]:
    """Say what is wrong with a bootstrap.checkpoint."""
    path = log_directory / BOOTSTRAP_CHECKPOINT
    if not path.exists():
        return []
    try:
        read_bootstrap(fs, str(log_directory))
    except StorageError as error:
        return [DirectoryProblem(str(path), None, str(error))]
    return []
