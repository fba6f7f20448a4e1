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


def test_a_node_that_is_well_has_nothing_to_tell(node):
    """Nor has one that never started."""
    incidents = NodeFindings()
    assert incidents.of(node) == ()
    (node.log_dirs[0] / METADATA_DIRECTORY).rmdir()
    assert incidents.of(node) == ()


def test_a_log_that_was_set_aside(node):
    """It says where, whether everything is there again, and is forgotten when somebody takes the damaged log away."""
    directory = node.log_dirs[0] / METADATA_DIRECTORY
    aside = directory / QUARANTINE / "2026-11-21T17-09-05Z"
    aside.mkdir(parents=True)
    ReplicaStatusFile.read(RealFileSystem(), str(directory)).write(ReplicaStatus().as_recovering("a corrupt log"))
    incidents = NodeFindings()
    assert incidents.of(node) == (f"its log was damaged: set aside as {aside}; it fetches everything anew",)
    (directory / REPLICA_STATUS).unlink()
    assert incidents.of(node) == (f"its log was damaged: set aside as {aside}; it fetched everything anew",)
    aside.rmdir()
    assert incidents.of(node) == ()


def test_a_node_that_fenced_itself_is_remembered(node):
    """The note is gone when the majority agrees again; a watch that read it before still reports it."""
    status = ReplicaStatusFile.read(RealFileSystem(), str(node.log_dirs[0] / METADATA_DIRECTORY))
    own, agreed = (StateDigest(7, bytes([byte]) * DIGEST_BYTES) for byte in (1, 2))
    status.write_divergence(Divergence(own, agreed))
    incidents = NodeFindings()
    (told,) = incidents.of(node)
    assert told.endswith("it fenced itself, and goes on from its disk or its peers")
    status.write_divergence(None)
    (told,) = incidents.of(node)
    assert told.endswith("it fenced itself, and has the majority's state again")
    assert NodeFindings().of(node) == ()


def test_a_directory_that_cannot_be_read_is_told_of(node):
    """It does not end a watch; what was remembered is there again when the directory can be read."""
    directory = node.log_dirs[0] / METADATA_DIRECTORY
    directory.rmdir()
    directory.symlink_to(directory)
    incidents = NodeFindings()
    (told,) = incidents.of(node)
    assert told.startswith("what happened to it cannot be seen: ")
    assert str(directory) in told
    directory.unlink()
    assert incidents.of(node) == ()


def test_a_metadata_directory_of_its_own_is_looked_at(node, tmp_path):
    """``metadata.log.dir`` says where the log is."""
    aside = tmp_path / "elsewhere" / METADATA_DIRECTORY / QUARANTINE / "x"
    aside.mkdir(parents=True)
    assert NodeFindings().of(node) == ()
    node.properties["metadata.log.dir"] = str(tmp_path / "elsewhere")
    assert len(NodeFindings().of(node)) == 1
