"""A node that repaired or fenced itself is seen to have done so."""

from __future__ import annotations

import pytest

from kraftpy.local_cluster.cluster import open_local_cluster
from kraftpy.local_cluster.node_findings import NodeFindings
from kraftpy.model.digests import DIGEST_BYTES, StateDigest
from kraftpy.model.replica_status import Divergence, ReplicaStatus
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.names import METADATA_DIRECTORY, QUARANTINE, REPLICA_STATUS
from kraftpy.storage.replica_status import ReplicaStatusFile


@pytest.fixture
def node(tmp_path):
    """A controller with a directory that is well."""
    (found,) = open_local_cluster(tmp_path / "cluster", controllers=1, brokers=0).nodes
    (found.log_dirs[0] / METADATA_DIRECTORY).mkdir(parents=True)
    return found


def test_a_healthy_node_has_nothing_to_report(node):
    """Nor has one that never started."""
    incidents = NodeFindings()
    assert incidents.of(node) == ()
    (node.log_dirs[0] / METADATA_DIRECTORY).rmdir()
    assert incidents.of(node) == ()


def test_a_log_that_was_quarantined(node):
    """It says where, whether everything is there again, and is forgotten when the corrupt log is taken away."""
    directory = node.log_dirs[0] / METADATA_DIRECTORY
    quarantined_log = directory / QUARANTINE / "2026-11-21T17-09-05Z"
    quarantined_log.mkdir(parents=True)
    ReplicaStatusFile.read(RealFileSystem(), str(directory)).write(ReplicaStatus().as_recovering("a corrupt log"))
    incidents = NodeFindings()
    assert incidents.of(node) == (
        f"its log was corrupt: quarantined as {quarantined_log}; it fetches everything again",
    )
    (directory / REPLICA_STATUS).unlink()
    assert incidents.of(node) == (
        f"its log was corrupt: quarantined as {quarantined_log}; it fetched everything again",
    )
    quarantined_log.rmdir()
    assert incidents.of(node) == ()


def test_a_node_that_fenced_itself_is_remembered(node):
    """The note is gone when the majority agrees again; a watch that read it before still reports it."""
    status = ReplicaStatusFile.read(RealFileSystem(), str(node.log_dirs[0] / METADATA_DIRECTORY))
    own, agreed = (StateDigest(7, bytes([byte]) * DIGEST_BYTES) for byte in (1, 2))
    status.write_divergence(Divergence(own, agreed))
    incidents = NodeFindings()
    (reported,) = incidents.of(node)
    assert reported.endswith("it fenced itself, and goes on from its disk or its peers")
    status.write_divergence(None)
    (reported,) = incidents.of(node)
    assert reported.endswith("it fenced itself, and has the majority's state again")
    assert NodeFindings().of(node) == ()


def test_a_directory_that_cannot_be_read_is_reported(node):
    """It does not end a watch; what was remembered is there again when the directory can be read."""
    directory = node.log_dirs[0] / METADATA_DIRECTORY
    directory.rmdir()
    directory.symlink_to(directory)
    incidents = NodeFindings()
    (reported,) = incidents.of(node)
    assert reported.startswith("what happened to it cannot be seen: ")
    assert str(directory) in reported
    directory.unlink()
    assert incidents.of(node) == ()


def test_a_metadata_directory_of_its_own_is_looked_at(node, tmp_path):
    """``metadata.log.dir`` says where the log is."""
    quarantined_log = tmp_path / "elsewhere" / METADATA_DIRECTORY / QUARANTINE / "x"
    quarantined_log.mkdir(parents=True)
    assert NodeFindings().of(node) == ()
    node.properties["metadata.log.dir"] = str(tmp_path / "elsewhere")
    assert len(NodeFindings().of(node)) == 1
