"""Apply a recovery plan: the file changes of each directory, and the rollback.

The winning directory keeps its bytes: anything after its last batch is truncated, and one new segment with one control
batch of the recovery's epoch is added. That batch names an elected leader (as the first batch of every epoch does, here
one without votes) and, at kraft.version 1, the forced voters. It is the fence: a node without it has the older log.
Every other future voter gets the same log, file by file. In each of them ``quorum-state`` contains the epoch's leader,
so that no vote can be granted in it.

Directories are changed one after the other, the winning one last. An interruption at any point is safe: a changed
directory can only elect with another changed one or with the winning one, whose log it holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kraftpy.disaster_recovery.changes import FileChange, Undone, apply_changes, undo_changes
from kraftpy.disaster_recovery.inspection import DirectoryInspection, inspect_log_directory
from kraftpy.disaster_recovery.plan_files import read_document
from kraftpy.disaster_recovery.recovery_plan import (
    PLAN_FORMAT,
    PLAN_KIND,
    Plan,
    document_digest,
    make_plan,
    plan_document,
    wishes_of,
)
from kraftpy.disaster_recovery.tar_bundle import Content, Piece
from kraftpy.model.election import ElectionState
from kraftpy.model.errors import LocalError
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.model.replica_status import ReplicaStatus
from kraftpy.model.voters import VoterSet
from kraftpy.records.batch import encode_control_batch
from kraftpy.records.checkpoints import render_leader_epochs, render_partition_metadata
from kraftpy.records.control import (
    ControlRecord,
    LeaderChangeMessage,
    LeaderChangeMessageVoter,
    voter_set_to_record,
)
from kraftpy.records.quorum_state import render_quorum_state
from kraftpy.storage.filesystem import FileSystem, join
from kraftpy.storage.names import (
    INDEX_SUFFIX,
    LEADER_EPOCH_CHECKPOINT,
    METADATA_DIRECTORY,
    PARTITION_METADATA,
    QUORUM_STATE,
    RECOVERY_POINT_CHECKPOINT,
    REPLICA_STATUS,
    TIME_INDEX_SUFFIX,
    segment_base_offset,
    segment_name,
)
from kraftpy.storage.recovery_point import with_recovery_point
from kraftpy.storage.replica_status import render_replica_status
from kraftpy.storage.snapshots import CHECKPOINT_SUFFIX

PURPOSE = "a recovery"
LOG_SUFFIXES = (".log", INDEX_SUFFIX, TIME_INDEX_SUFFIX, ".txnindex", ".snapshot", CHECKPOINT_SUFFIX)
"""Files of a log; a directory that gets another log loses its own."""


def undo_command(directory: str) -> str:
    """Return what puts a directory back."""
    return f"kraftpy recover undo --dirs {directory}"


def read_plan(content: bytes, place: str) -> dict[str, Any]:
    """Read a plan's document; ``place`` names its file.

    Raises:
        LocalError: it is no plan, or was changed after it was made; the text names the file and the way out.
    """
    try:
        document = read_document(content, place=place, kind=PLAN_KIND, version=PLAN_FORMAT, keys=("digest",))
        if document_digest(document) != document["digest"]:
            raise LocalError(f"{place} was changed after it was made: its content does not have its digest")
    except LocalError as error:
        raise LocalError(f"{error}. Nothing was done; make a plan with `kraftpy recover plan`") from error
    return document


def plan_again(fs: FileSystem, document: Mapping[str, Any]) -> Plan:
    """Make a plan once more, and check that it is the same.

    Raises:
        LocalError: a directory is not what it was when the plan was made.
    """
    surveys = [inspect_log_directory(fs, survivor["directory"]) for survivor in document["survivors"]]
    for survivor, survey in zip(document["survivors"], surveys, strict=True):
        now = {path: [entry.bytes, entry.sha256] for path, entry in survey.files.items()}
        changed = sorted(path for path in {*now, *survivor["files"]} if now.get(path) != survivor["files"].get(path))
        if changed:
            raise LocalError(
                f"{survey.directory} is not what it was when the plan was made: {', '.join(changed[:5])} changed. "
                "Nothing was done. If a node ran on it, the plan is void: stop it and plan again. If an apply was "
                f"interrupted: `{undo_command(survey.directory)}`, then apply again."
            )
    plan = make_plan(surveys, wishes_of(document))
    if plan_document(plan)["digest"] != document["digest"]:
        raise LocalError(
            "another version of kraftpy made this plan and would not make it again: plan again with this one"
        )
    return plan


def apply_plan(fs: FileSystem, plan: Plan, digest: str) -> None:
    """Change the directories; the caller holds the locks of all of them.

    Raises:
        LocalError: one of them was changed before and not put back.
        StorageError: the disk said no; :func:`undo_directory` puts everything back.
    """
    changes = [(survey.directory, changes_for(fs, survey, plan)) for survey in plan.targets]
    for directory, wanted in changes:
        apply_changes(fs, directory, wanted, purpose=PURPOSE, digest=digest, command=undo_command(directory))


def undo_directory(fs: FileSystem, directory: str) -> Undone:
    """Undo the changes of a directory, whose lock the caller holds. Errors as ``changes.undo_changes``."""
    return undo_changes(fs, directory, undo_command(directory))


def changes_for(fs: FileSystem, survey: DirectoryInspection, plan: Plan) -> list[FileChange]:
    """Say what becomes of one directory."""
    base = plan.base
    log = _log_files(base, recovery_batch(plan), plan.epoch)
    wanted: dict[str, Content] = {
        QUORUM_STATE: _quorum_state(plan),
        PARTITION_METADATA: render_partition_metadata().encode(),
        **log,
    }
    changes = []
    prefix = METADATA_DIRECTORY + "/"
    for path in survey.files:
        name = path.removeprefix(prefix)
        if path.startswith(prefix) and name.endswith(LOG_SUFFIXES) and name not in wanted and _goes(survey, base, name):
            changes.append(FileChange(path, None))
        elif path == prefix + REPLICA_STATUS:
            # It held nothing, or something else than the others; from now on it holds what the operator chose. That it
            # was removed from the voters stays known.
            status = ReplicaStatus(removed=survey.status.removed)
            changes.append(FileChange(path, None if status == ReplicaStatus() else render_replica_status(status)))
    for name, content in wanted.items():
        path = prefix + name
        if isinstance(content, Piece) and survey is base and content.size == survey.files[path].bytes:
            continue
        changes.append(FileChange(path, content))
    return [*changes, *_recovery_point_change(fs, survey, plan)]


def _goes(survey: DirectoryInspection, base: DirectoryInspection, name: str) -> bool:
    """Return whether a file of a log that is not in the winning log has to go; its own indexes may stay."""
    return survey is not base or segment_base_offset(name) is not None


def _log_files(base: DirectoryInspection, batch: bytes, epoch: Epoch) -> dict[str, Content]:
    """Return the files of the recovered log: the sound bytes of the winning one, and one segment more."""
    files: dict[str, Content] = {}
    end = base.end.offset
    below_snapshot = base.newest_snapshot is not None and base.newest_snapshot == base.end
    for snapshot in base.report.snapshots:
        files[snapshot.path.rpartition("/")[2]] = Piece(snapshot.path, snapshot.file_bytes)
    for segment in base.report.segments:
        if segment.batches and not base.is_replaced and not (below_snapshot and segment.end_offset < end):
            files[segment_name(segment.base_offset)] = Piece(segment.path, segment.valid_bytes)
    files[segment_name(end)] = batch
    entries = [(one, start) for one, start in base.report.epochs if start < end and not base.is_replaced]
    files[LEADER_EPOCH_CHECKPOINT] = render_leader_epochs([*entries, (epoch, end)]).encode()
    return files


def _quorum_state(plan: Plan) -> bytes:
    state = ElectionState(epoch=plan.epoch, leader_id=_named_leader(plan))
    version = min(plan.kraft_version, 1)
    return render_quorum_state(state, version=version, current_voters=plan.voters.ids).encode()


def _named_leader(plan: Plan) -> NodeId:
    return plan.base.node_id if plan.base.node_id in plan.voters.ids else plan.voters.ids[0]


def recovery_batch(plan: Plan) -> bytes:
    """Return the control batch that makes the recovered log the newest one."""
    return fencing_batch(
        leader_id=_named_leader(plan),
        voters=plan.voters,
        steps=plan.voter_steps,
        base_offset=plan.base.end.offset,
        epoch=plan.epoch,
        timestamp_ms=plan.base.last_timestamp_ms,
    )


def fencing_batch(
    *,
    leader_id: NodeId,
    voters: VoterSet,
    steps: Sequence[VoterSet],
    base_offset: Offset,
    epoch: Epoch,
    timestamp_ms: int,
) -> bytes:
    """Frame the first batch of an epoch without an election: no granting voters."""
    first = LeaderChangeMessage(
        leader_id=leader_id,
        voters=[LeaderChangeMessageVoter(node_id) for node_id in voters.ids],
        granting_voters=[],
    )
    records: list[ControlRecord] = [first, *(voter_set_to_record(step) for step in steps)]
    return encode_control_batch(records, base_offset=base_offset, epoch=epoch, timestamp_ms=timestamp_ms)


def _recovery_point_change(fs: FileSystem, survey: DirectoryInspection, plan: Plan) -> list[FileChange]:
    """Lower a recovery point that promises more than the recovered log holds: the plan said that this is lost."""
    if survey.report.recovery_point <= plan.base.end.offset:
        return []
    path = join(survey.directory, RECOVERY_POINT_CHECKPOINT)
    return [FileChange(RECOVERY_POINT_CHECKPOINT, with_recovery_point(fs, path, plan.base.end.offset))]
