"""Faults that a sandbox's node found in itself, and its reaction, read from its directory.

A quarantined log stays there until the operator removes it (:mod:`kraftpy.storage.quarantine`). The status of a node
that fenced itself is cleared when a majority agrees with its state again (``storage.replica_status``), not before the
next digest interval, so polling at a shorter interval finds it, and it is remembered here.
"""

from __future__ import annotations

from pathlib import Path

from kraftpy.local_cluster.cluster import LocalNode
from kraftpy.model.errors import StorageError
from kraftpy.storage.filesystem import FileSystem, RealFileSystem
from kraftpy.storage.names import METADATA_DIRECTORY
from kraftpy.storage.os_errors import faults_of
from kraftpy.storage.quarantine import quarantined_logs
from kraftpy.storage.replica_status import ReplicaStatusFile


class NodeFindings:
    """Looks at nodes' directories, again and again; blocking, but for a moment only."""

    def __init__(self, fs: FileSystem | None = None) -> None:
        self._fs = fs or RealFileSystem()
        self._fenced: set[int] = set()

    def of(self, node: LocalNode) -> tuple[str, ...]:
        """Describe each fault of a node in a sentence; return nothing for a healthy one.

        An unreadable directory is one more fault: monitoring a cluster must not fail because of it.
        """
        directory = str(_metadata_directory(node))
        try:
            with faults_of("reading", directory):
                return tuple(self._reported(node, directory))
        except StorageError as error:
            return (f"what happened to it cannot be seen: {error}",)

    def _reported(self, node: LocalNode, directory: str) -> list[str]:
        reported = []
        status = ReplicaStatusFile.read(self._fs, directory).value
        if status.divergence is not None:
            self._fenced.add(node.node_id)
            reported.append(
                "its state was not the majority's: it fenced itself, and goes on from its disk or its peers"
            )
        elif node.node_id in self._fenced:
            reported.append("its state was not the majority's: it fenced itself, and has the majority's state again")
        quarantined_log = quarantined_logs(self._fs, directory)
        if quarantined_log:
            fetching = "it fetched" if status.is_eligible else "it fetches"
            reported.append(f"its log was corrupt: quarantined as {quarantined_log[-1]}; {fetching} everything again")
        return reported


def _metadata_directory(node: LocalNode) -> Path:
    named = node.properties.get("metadata.log.dir")
    return (Path(named) if named else node.log_dirs[0]) / METADATA_DIRECTORY
