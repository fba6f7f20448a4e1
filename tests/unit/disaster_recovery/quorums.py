"""What the rescue tests share: directories of stopped voters on a simulated disk, as kraftpy leaves them."""

from __future__ import annotations

import random

from kraftpy.disaster_recovery.changes import identify
from kraftpy.disaster_recovery.inspection import inspect_log_directory
from kraftpy.model.election import ElectionState
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet
from kraftpy.records.batch import encode_control_batch
from kraftpy.records.control import (
    KRaftVersionRecord,
    LeaderChangeMessage,
    LeaderChangeMessageVoter,
    voter_set_to_record,
)
from kraftpy.records.snapshot import SnapshotEncoder
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.meta_properties import MetaProperties, write_meta_properties
from kraftpy.storage.names import METADATA_DIRECTORY
from tests.fakes.filesystem import SimulatedFileSystem
from tests.unit.storage.logs import T0, batches

CONFIG = LogConfig(segment_bytes=1024, preallocate_bytes=512, index_interval_bytes=256, tail_cache_bytes=1024)
CLUSTER = "rescued-cluster-id-000"


def directory_of(node_id):
    return f"/node-{node_id}/data"


def directory_id(node_id):
    return bytes([node_id]) * 16


def voter(node_id, port=9000):
    endpoint = Endpoint("CONTROLLER", f"host-{node_id}", port + node_id)
    return Voter(ReplicaKey(node_id, directory_id(node_id)), (endpoint,), 0, 1)


def voters(*node_ids):
    return VoterSet.of(voter(node_id) for node_id in node_ids)


def epoch_start(offset, epoch, ids, dynamic):
    """The first batch of an epoch, as a leader writes it."""
    named = [LeaderChangeMessageVoter(node_id) for node_id in ids]
    records = [LeaderChangeMessage(leader_id=ids[0], voters=named, granting_voters=named)]
    if dynamic:
        records += [KRaftVersionRecord(kraft_version=1), voter_set_to_record(voters(*ids))]
    return encode_control_batch(records, base_offset=offset, epoch=epoch, timestamp_ms=T0)


def fill(fs, node_id, runs, *, ids=(1, 2, 3), dynamic=False, durable=None, voted=None, cluster_id=CLUSTER):
    """Make a voter's directory.

    Args:
        fs: the disk.
        node_id: whose.
        runs: (epoch, how many records) in order; each run starts with its control batch, which they come on top of.
        ids: the voters that the control batches name.
        dynamic: whether kraft.version is 1.
        durable: the recovery point.
        voted: (epoch, node id) in quorum-state.
        cluster_id: in meta.properties.
    """
    root = directory_of(node_id)
    fs.make_directory(root)
    properties = MetaProperties(cluster_id=cluster_id, node_id=node_id, directory_id=directory_id(node_id))
    write_meta_properties(fs, root, properties)
    directory = MetadataDirectory.open(fs, root, CONFIG, random.Random(node_id).randbytes)
    log = directory.log
    epoch = 0
    for epoch, count in runs:
        log.append([epoch_start(log.end_offset, epoch, ids, dynamic and epoch == runs[0][0])], T0)
        for one in batches(log.end_offset, count, epoch):
            log.append([one], T0)
    log.sync()
    log.note_durable(log.end_offset if durable is None else durable)
    stored = ElectionState(epoch) if voted is None else ElectionState(voted[0], None, ReplicaKey(voted[1]))
    directory.quorum_state.write(stored, version=int(dynamic), current_voters=ids)
    directory.status.write(directory.status.value.as_eligible())
    directory.close()
    return root


def survey(fs, *node_ids):
    return [inspect_log_directory(fs, directory_of(node_id)) for node_id in node_ids]


def opened(fs, node_id):
    """Open a directory as a start does."""
    return MetadataDirectory.open(fs, directory_of(node_id), CONFIG, random.Random(9).randbytes)


def contents(fs, node_id):
    """Every byte of a directory, and the names of what a kill left half written."""
    directory = directory_of(node_id)
    found = {path: entry.sha256 for path, entry in identify(fs, directory).items()}
    for below in ("", f"{METADATA_DIRECTORY}/"):
        left = [name for name in fs.list_directory(f"{directory}/{below}".rstrip("/")) if name.endswith(".tmp")]
        found |= {f"{below}{name}": "left over" for name in left}
    return found


def three(runs_by_node, **words):
    """A disk with some voters' directories; ``runs_by_node`` has node id to runs."""
    fs = SimulatedFileSystem()
    for node_id, runs in runs_by_node.items():
        fill(fs, node_id, runs, **words)
    return settled(fs)


def settled(fs):
    """Make everything durable: these nodes stopped long ago (index files are caches that are never synced)."""
    for directory in fs.directories.values():
        directory.sync()
        for inode in directory.names.values():
            inode.sync()
    return fs


def with_a_snapshot_in_the_log_s_place(epoch, offset, durable=20):
    """The moment between the end of a download and the log's restart behind it."""
    fs = three({1: [(1, 60)]})
    writer = opened(fs, 1).snapshots.create(OffsetAndEpoch(epoch=epoch, offset=offset))
    for piece in SnapshotEncoder(epoch=epoch, timestamp_ms=0, last_contained_log_timestamp_ms=T0).encode([]):
        writer.append(piece)
    writer.freeze()
    replace_file(
        fs, f"{directory_of(1)}/recovery-point-offset-checkpoint", b"0\n1\n__cluster_metadata 0 %d\n" % durable
    )
    return settled(fs)
