"""Backup and restore of a metadata log: one file that is complete or rejected, and a new quorum from it.

A backup contains the snapshot at the log's start, the whole log after it, and the directory's identity files. It is
taken from the directory, not over the API: these are the bytes that Raft agreed on, epochs and checksums included, and
reading them does not involve the running node. A newer snapshot is left out: faulty memory may have produced it, and a
majority may not have confirmed it yet. The one at the log's start was confirmed before the log was truncated
(``raft.guards.state_digests``), and the content of newer ones is in the log. While a node runs, the backup ends at the
node's recovery point (at most a second old), below which everything is durable *and* committed; of a stopped one it
contains the whole log, whose last records may never have been committed. A log that the next start deletes, because a
snapshot was fetched in its place, is not part of it: then it contains only that snapshot.

A restore creates a new directory and never overwrites one: it has another directory id, because the old one may still
exist, and its log ends with a batch of an epoch above all that the backed-up node had seen, so that nodes of the old
quorum follow the new one and not the other way round. Records after the backup are lost; a node that holds some of them
truncates them, or stops because it knows that they were committed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kraftpy.disaster_recovery.changes import FileChange, carry_out, refuse_starts
from kraftpy.disaster_recovery.epochs import epoch_after
from kraftpy.disaster_recovery.inspection import DirectoryInspection, inspect_log_directory
from kraftpy.disaster_recovery.recovery import fencing_batch
from kraftpy.disaster_recovery.recovery_plan import KRAFT_VERSION_MAX, LISTENER, voter_steps
from kraftpy.disaster_recovery.tar_bundle import Bundle, Content, Packed, Piece, open_bundle, write_bundle
from kraftpy.model.election import ElectionState
from kraftpy.model.errors import LocalError
from kraftpy.model.ids import NodeId, uuid_from_random, uuid_to_text
from kraftpy.model.offsets import ORIGIN, Epoch, Offset, OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet
from kraftpy.records.checkpoints import render_leader_epochs, render_partition_metadata
from kraftpy.records.control import (
    VotersRecord,
    decode_control,
    encode_control,
    voter_set_from_record,
    voter_set_to_record,
)
from kraftpy.records.quorum_state import render_quorum_state
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.durable_directory import make_directory_durably
from kraftpy.storage.filesystem import FileSystem, base_name, join
from kraftpy.storage.meta_properties import MetaProperties, render_meta_properties
from kraftpy.storage.names import (
    BOOTSTRAP_CHECKPOINT,
    LEADER_EPOCH_CHECKPOINT,
    META_PROPERTIES,
    METADATA_DIRECTORY,
    PARTITION_METADATA,
    QUORUM_STATE,
    RECOVERY_POINT_CHECKPOINT,
    segment_name,
)
from kraftpy.storage.os_errors import faults_of

KIND = "kraftpy backup"
FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedUp:
    """What :func:`backup` wrote: the digest and size of the file, and its manifest."""

    digest: str
    size: int
    facts: Mapping[str, Any]


def backup(fs: FileSystem, directory: str, path: str, *, is_running: bool) -> BackedUp:
    """Write a backup of a log directory.

    Args:
        fs: the disk.
        directory: the log directory.
        path: the file to write; an existing one is not replaced.
        is_running: whether a node uses the directory: then only what is known to be committed is taken.

    Raises:
        LocalError: the file exists, the directory is corrupt, or nothing in it is known to be committed.
        StorageError: a disk operation failed.
    """
    with faults_of("reading", path):
        if fs.exists(path):
            raise LocalError(f"{path} exists: a backup replaces nothing, name another file")
    survey = inspect_log_directory(fs, directory, identified=False)
    upto = survey.committed if is_running else survey.end.offset
    if is_running and survey.is_replaced:
        raise LocalError(f"snapshot {survey.end} in {directory} is just taking the place of its log. Try again soon")
    first = _first_snapshot(survey)
    _check_sound(survey, first, upto, is_running=is_running)
    members, end = _members(fs, survey, first, upto)
    voters = next((voters for offset, voters in reversed(survey.voter_sets) if offset < end.offset), None)
    facts = {
        "kind": KIND,
        "format": FORMAT,
        "cluster_id": survey.cluster_id,
        "node_id": survey.node_id,
        "directory_id": None if survey.directory_id is None else uuid_to_text(survey.directory_id),
        "meta_properties_version": max(1, survey.properties.version),
        "end_offset": end.offset,
        "last_epoch": end.epoch,
        "highest_epoch": survey.epoch,
        "committed_below": min(survey.committed, end.offset),
        "taken_from_running_node": is_running,
        # One batch raises it and says who votes: where no set is taken, that batch is behind the end as well.
        "kraft_version": 0 if voters is None else survey.kraft_version,
        "voters_record": None if voters is None else encode_control(voter_set_to_record(voters))[1].hex(),
        "last_timestamp_ms": survey.last_timestamp_ms,
        "epochs": [
            [epoch, start] for epoch, start in survey.report.epochs if start < end.offset and not survey.is_replaced
        ],
    }
    digest, size = write_bundle(fs, path, facts, members)
    return BackedUp(digest=digest, size=size, facts=facts)


def _first_snapshot(survey: DirectoryInspection) -> OffsetAndEpoch:
    """Return the snapshot that the log starts at; ``ORIGIN`` where the log has its beginning.

    Raises:
        LocalError: there is none.
    """
    if survey.log_start == 0 and survey.report.segments:
        return ORIGIN
    for one in survey.report.snapshots:
        if one.snapshot_id != ORIGIN and one.snapshot_id.offset >= survey.log_start:
            return one.snapshot_id
    if survey.log_start == 0:
        return ORIGIN
    raise LocalError(
        f"{survey.directory} is corrupt, and a backup of it would be too: its log starts at offset "
        f"{survey.log_start}, and no snapshot holds what was before. Take it from another node"
    )


def _check_sound(survey: DirectoryInspection, first: OffsetAndEpoch, upto: Offset, *, is_running: bool) -> None:
    if survey.end.offset < survey.committed:
        raise LocalError(
            f"{survey.directory} is corrupt, and a backup of it would be too: everything below "
            f"offset {survey.committed} was durable and committed there, and its log ends at {survey.end.offset}. Take "
            "it from another node"
        )
    unknown = survey.report.unknown_end
    if unknown is not None and not is_running:
        raise LocalError(
            f"{unknown}: the log reads well up to offset {survey.end.offset}, and may have lost its end. Take the "
            "backup from another node; or, to keep what there is, "
            f"delete {join(survey.directory, RECOVERY_POINT_CHECKPOINT)}"
        )
    for segment in survey.report.segments:
        # A stopped node's log is read up to the first corruption and no further, so none in it is beyond what is taken.
        is_taken = not is_running or segment.end_offset < upto
        if segment.corruption is not None and not segment.is_torn_tail and is_taken:
            raise LocalError(f"{survey.directory} is corrupt, and a backup of it would be too: {segment.corruption}")
    newest = survey.report.snapshots[-1:]
    for snapshot in survey.report.snapshots:
        if snapshot.corruption is not None and (snapshot.snapshot_id == first or snapshot in newest):
            raise LocalError(f"{survey.directory} is corrupt, and a backup of it would be too: {snapshot.corruption}")
    if upto <= 0:
        raise LocalError(
            f"nothing in {survey.directory} is known to be committed yet. Wait a second and try again; of a Kafka that "
            "runs, and has made no snapshot yet, take a backup when it is stopped, or of a copy that `kraftpy observe` "
            "keeps."
        )


def _members(
    fs: FileSystem, survey: DirectoryInspection, end: OffsetAndEpoch, upto: Offset
) -> tuple[list[tuple[str, Content]], OffsetAndEpoch]:
    """Choose the files: the first snapshot, and of the segments the whole batches that end at or below ``upto``."""
    members: list[tuple[str, Content]] = [
        (_inner(one.path), Piece(one.path, one.file_bytes)) for one in survey.report.snapshots if one.snapshot_id == end
    ]
    bootstrap = join(survey.directory, BOOTSTRAP_CHECKPOINT)
    with faults_of("reading", bootstrap):
        if fs.exists(bootstrap):
            members.append((BOOTSTRAP_CHECKPOINT, Piece(bootstrap, fs.size(bootstrap))))
    below = end.offset
    outline, first = survey.outline, 0
    for segment in survey.report.segments:
        beyond = bisect_left(outline, segment.end_offset, first, key=lambda batch: batch.base)
        inside = [batch for batch in outline[first:beyond] if batch.next <= upto]
        first = beyond
        if inside and segment.end_offset > below:
            members.append((_inner(segment.path), Piece(segment.path, sum(batch.size for batch in inside))))
            end = max(end, OffsetAndEpoch(epoch=inside[-1].epoch, offset=inside[-1].next))
    return members, end


def _inner(path: str) -> str:
    return f"{METADATA_DIRECTORY}/{base_name(path)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Restoration:
    """What a restore will make, or made.

    Attributes:
        epoch: the log's last, beyond all that the backed-up node had seen.
        static_voters: what ``controller.quorum.voters`` must be; ``None`` at kraft.version 1.
    """

    directory: str
    cluster_id: str | None
    node_id: NodeId
    end_offset: Offset
    committed_below: Offset
    epoch: Epoch
    kraft_version: int
    static_voters: str | None


def read_backup(fs: FileSystem, path: str) -> Bundle:
    """Verify a backup to its last byte.

    Raises:
        CorruptLogError: it was cut or altered.
        LocalError: it is another kind of bundle.
    """
    bundle = open_bundle(fs, path)
    if bundle.facts.get("kind") != KIND or bundle.facts.get("format") != FORMAT:
        kind, number = bundle.facts.get("kind"), bundle.facts.get("format")
        raise LocalError(f"{path} is {kind!r} of format {number}, expected {KIND!r} of format {FORMAT}")
    return bundle


def plan_restore(
    bundle: Bundle, directory: str, *, node_id: NodeId | None = None, address: tuple[str, int] | None = None
) -> Restoration:
    """Say what a restore would make; nothing is written.

    Raises:
        LocalError: the voter's address is not known.
    """
    facts = bundle.facts
    wanted = facts["node_id"] if node_id is None else node_id
    kraft_version = facts["kraft_version"]
    voter = _voter(bundle, wanted, b"", address) if kraft_version > 0 else None
    static = None
    if voter is None:
        host, port = address or ("<host>", "<port>")
        static = f"{wanted}@[{host}]:{port}" if ":" in host else f"{wanted}@{host}:{port}"
    return Restoration(
        directory=directory,
        cluster_id=facts["cluster_id"],
        node_id=wanted,
        end_offset=facts["end_offset"],
        committed_below=facts["committed_below"],
        epoch=epoch_after(facts["highest_epoch"]),
        kraft_version=kraft_version,
        static_voters=static,
    )


def _old_voters(bundle: Bundle) -> VoterSet:
    text = bundle.facts["voters_record"]
    if text is None:
        return VoterSet()
    record = decode_control(b"\0\0\0\6", bytes.fromhex(text))
    assert isinstance(record, VotersRecord)
    return voter_set_from_record(record)


def _voter(bundle: Bundle, node_id: NodeId, directory_id: bytes, address: tuple[str, int] | None) -> Voter:
    old = _old_voters(bundle)
    known = old.by_id(node_id)
    names = [one.endpoints[0].name for one in old if one.endpoints]
    if address is not None:
        endpoints: tuple[Endpoint, ...] = (Endpoint(names[0] if names else LISTENER, *address),)
    elif known is not None:
        endpoints = known.endpoints
    else:
        raise LocalError(f"the backup has no address of node {node_id}: give --address host:port")
    return Voter(ReplicaKey(node_id, directory_id), endpoints, 0, KRAFT_VERSION_MAX)


def restore(
    fs: FileSystem,
    bundle: Bundle,
    restoration: Restoration,
    draw: Callable[[int], bytes],
    address: tuple[str, int] | None = None,
) -> None:
    """Make a new log directory from a verified backup; its node is the only voter of the new beginning.

    An interrupted restore leaves a directory that refuses to start; remove it and restore again.

    Args:
        fs: the disk.
        bundle: from :func:`read_backup`.
        restoration: from :func:`plan_restore`.
        draw: returns that many random bytes.
        address: as for the plan.

    Raises:
        LocalError: the directory is not empty.
        StorageError: a disk operation failed.
    """
    directory = restoration.directory
    with faults_of("reading", directory):
        if fs.exists(directory) and not (fs.is_directory(directory) and not fs.list_directory(directory)):
            raise LocalError(f"{directory} is there and not empty: a restore replaces nothing, name another directory")
    make_directory_durably(fs, directory)
    refuse_starts(fs, directory, f"rm -r {directory}")
    directory_id = uuid_from_random(draw)
    files = _restored_files(bundle, restoration, directory_id, address)
    for name, content in files.items():
        carry_out(fs, directory, FileChange(name, content))
    properties = MetaProperties(
        version=bundle.facts["meta_properties_version"],
        cluster_id=restoration.cluster_id,
        node_id=restoration.node_id,
        directory_id=directory_id,
    )
    replace_file(fs, join(directory, META_PROPERTIES), render_meta_properties(properties).encode("ascii"))


def _restored_files(
    bundle: Bundle, restoration: Restoration, directory_id: bytes, address: tuple[str, int] | None
) -> dict[str, Content]:
    facts, node_id, end = bundle.facts, restoration.node_id, restoration.end_offset
    steps: tuple[VoterSet, ...] = ()
    voters = VoterSet.of([Voter(ReplicaKey(node_id, None))])
    if restoration.kraft_version > 0:
        voters = VoterSet.of([_voter(bundle, node_id, directory_id, address)])
        steps = voter_steps(_old_voters(bundle), voters)
    state = ElectionState(epoch=restoration.epoch, leader_id=node_id)
    version = min(restoration.kraft_version, 1)
    entries = [(epoch, start) for epoch, start in facts["epochs"]]
    written: dict[str, Content] = {
        segment_name(end): fencing_batch(
            leader_id=node_id,
            voters=voters,
            steps=steps,
            base_offset=end,
            epoch=restoration.epoch,
            timestamp_ms=facts["last_timestamp_ms"],
        ),
        LEADER_EPOCH_CHECKPOINT: render_leader_epochs([*entries, (restoration.epoch, end)]).encode(),
        PARTITION_METADATA: render_partition_metadata().encode(),
        QUORUM_STATE: render_quorum_state(state, version=version, current_voters=voters.ids).encode(),
    }
    kept: dict[str, Content] = {name: Packed(bundle, name) for name in bundle.names}
    return kept | {f"{METADATA_DIRECTORY}/{name}": content for name, content in written.items()}
