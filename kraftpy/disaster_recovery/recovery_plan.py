"""Plan the recovery from a lost majority: a pure function of the remaining directories and the options.

The longest log wins, by (last epoch, end offset), which is the order that Raft's own votes follow. If enough of the old
voters are present that the missing ones alone are not a majority, that log holds everything that was ever acknowledged:
each acknowledged record is on a majority, so on a present voter, and every later leader had it, so the longest log has
it. If not, it is unknown what the missing majority agreed on, and the plan contains the offset from which on.

Everything in the winning log is kept, including uncommitted records: to commit more than was acknowledged is allowed,
to drop what may have been acknowledged is not.

Forced voters are written as a chain of voter sets, each one step from the last (one key added and one removed at most):
neither kraftpy nor Kafka can read a set that changes more at once.

Source: Raft §5.4.1, §5.4.3; KIP-595 §Vote; KIP-853 §Voters record.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kraftpy.disaster_recovery.epochs import epoch_after
from kraftpy.disaster_recovery.inspection import DirectoryInspection
from kraftpy.model.errors import LocalError
from kraftpy.model.ids import NodeId, uuid_to_text
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet

PLAN_KIND = "kraftpy recovery plan"
PLAN_FORMAT = 1
LISTENER = "CONTROLLER"
"""The listener's name where no voter set contains it."""

KRAFT_VERSION_MAX = 1

WHY_OLD_VOTERS_LOSE = (
    "The recovered voters give no vote to a log without the record of the recovery's epoch, so an old voter can win "
    "only among old voters."
)
HOW_OLD_VOTERS_RETURN = (
    "An old voter that reaches a recovered one is refused as of an older epoch, learns the new one, follows, and cuts "
    "what its log has beyond the recovered one. If its own files state that what it would cut was committed, it stops "
    "instead: then move its metadata log away and let it fetch everything."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryOptions:
    """What the operator requests.

    Attributes:
        voters: the new voters; empty for every old voter whose valid directory is present.
        addresses: node id to (host, port), where it differs from the log or the log has none.
        old_voters: the previous voters, where the log does not contain them.
    """

    voters: tuple[NodeId, ...] = ()
    addresses: Mapping[NodeId, tuple[str, int]] = field(default_factory=dict)
    old_voters: tuple[NodeId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LogDifference:
    """How one survivor's log compares with the longest.

    Attributes:
        equal_to: both are equal below this offset, as far as both reach back.
        lacks: how many records of the longest log it does not have.
        diverges_with: how many records it has there that the longest log does not; they will be cut.
    """

    equal_to: Offset
    lacks: int
    diverges_with: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A decision, with everything it rests on.

    Attributes:
        base: the directory with the longest log.
        epoch: of the recovery: beyond every epoch that a missing voter can have reached.
        old_voters: node ids, ``None`` when they are unknown.
        missing: old voters without a sound directory here.
        incomplete: old voters whose directory is here and does not hold what they once did; for what may be
            lost they are missing, too.
        proven: everything below it was committed for certain.
        lost_below: records in ``[base end, lost_below)`` were committed and are on no sound survivor.
        loss: one sentence about what may be lost.
        targets: directories that will be changed, the base last.
        voter_steps: the voter sets to write, in order; empty at kraft.version 0.
        guarantees: what holds afterwards, and what does not, in sentences.
    """

    surveys: tuple[DirectoryInspection, ...]
    base: DirectoryInspection
    differences: Mapping[str, LogDifference]
    epoch: Epoch
    old_voters: tuple[NodeId, ...] | None
    missing: tuple[NodeId, ...]
    incomplete: tuple[NodeId, ...]
    proven: Offset
    lost_below: Offset
    loss: str
    may_lose: bool
    voters: VoterSet
    voter_steps: tuple[VoterSet, ...]
    targets: tuple[DirectoryInspection, ...]
    guarantees: tuple[str, ...]
    wishes: RecoveryOptions

    @property
    def kraft_version(self) -> int:
        """In force at the end of the winning log."""
        return self.base.kraft_version

    @property
    def static_voters(self) -> str | None:
        """What ``controller.quorum.voters`` must be on every node; ``None`` at kraft.version 1."""
        if self.kraft_version > 0:
            return None
        return ",".join(f"{voter.key.node_id}@{_address_text(voter)}" for voter in self.voters)


def make_plan(surveys: Sequence[DirectoryInspection], wishes: RecoveryOptions) -> Plan:
    """Decide.

    Raises:
        LocalError: the directories do not belong together, contradict each other, or leave nothing to recover from.
    """
    ordered = tuple(sorted(surveys, key=lambda one: (one.node_id, one.directory)))
    _check_belong_together(ordered)
    sound = [one for one in ordered if not one.corruption]
    if not sound:
        raise LocalError(
            "every directory is corrupt: "
            + "; ".join(text for one in ordered for text in one.corruption)
            + ". Take what Kafka's or kraftpy's dump-log still reads, or start one node with "
            "storage.truncate.corrupt.tail=true."
        )
    base = max(sound, key=lambda one: (one.end, -one.node_id))
    if base.end.offset == 0:
        raise LocalError("no directory holds a single record: there is nothing to recover, start the nodes afresh")
    differences = {one.directory: compare(one, base) for one in ordered}
    proven = max(one.committed for one in ordered)
    _check_no_contradiction(ordered, base, differences)
    old_voters = _old_voters(base, wishes)
    here = {one.node_id for one in sound}
    missing = tuple(node_id for node_id in old_voters or () if node_id not in here)
    voters = _forced_voters(base, sound, old_voters, wishes)
    targets = tuple(one for one in sound if one.node_id in voters.ids and one is not base)
    if base.node_id in voters.ids:
        targets = (*targets, base)
    incomplete = tuple(one.node_id for one in sound if one.incomplete and one.node_id in (old_voters or ()))
    may_lose, loss = _loss(base, old_voters, tuple(sorted((*missing, *incomplete))), proven)
    return Plan(
        surveys=ordered,
        base=base,
        differences=differences,
        epoch=epoch_after(max(one.epoch for one in ordered)),
        old_voters=old_voters,
        missing=missing,
        incomplete=incomplete,
        proven=proven,
        lost_below=max(proven, base.end.offset),
        loss=loss,
        may_lose=may_lose,
        voters=voters,
        voter_steps=voter_steps(base.voters or VoterSet(), voters) if base.kraft_version > 0 else (),
        targets=targets,
        guarantees=_guarantees(old_voters, missing, voters, base, here),
        wishes=wishes,
    )


def _check_belong_together(surveys: Sequence[DirectoryInspection]) -> None:
    if not surveys:
        raise LocalError("no directory was named")
    seen: dict[NodeId, DirectoryInspection] = {}
    for one in surveys:
        if one.node_id in seen:
            raise LocalError(
                f"{one.directory} and {seen[one.node_id].directory} are both node {one.node_id}'s: name one of them. "
                "An older copy of a directory must not count as a second voter."
            )
        seen[one.node_id] = one
    ids = {one.cluster_id: one for one in surveys if one.cluster_id is not None}
    if len(ids) > 1:
        raise LocalError(
            "these are different clusters: "
            + ", ".join(f"{one.directory} is of {cluster_id}" for cluster_id, one in sorted(ids.items()))
        )


def compare(one: DirectoryInspection, base: DirectoryInspection) -> LogDifference:
    """Say how far two logs are equal, by the checksums of their batches."""
    end = base.end.offset
    if one is base:
        return LogDifference(equal_to=end, lacks=0, diverges_with=0)
    start = max(one.log_start, base.log_start)
    of_base = {batch.base: batch for batch in base.outline}
    equal_to = min(start, one.end.offset, end)
    if one.newest_snapshot is not None and one.end == one.newest_snapshot:
        # What a snapshot holds was committed; there are no batches to compare.
        equal_to = min(one.end.offset, end)
    for batch in one.outline:
        if batch.next <= start:
            continue
        if of_base.get(batch.base) != batch:
            break
        equal_to = max(equal_to, batch.next)
    return LogDifference(
        equal_to=equal_to, lacks=max(0, end - equal_to), diverges_with=max(0, one.end.offset - equal_to)
    )


def _check_no_contradiction(
    surveys: Sequence[DirectoryInspection], base: DirectoryInspection, differences: Mapping[str, LogDifference]
) -> None:
    """Refuse logs that differ below what one of them knows to be committed: Raft cannot make such logs."""
    for one in surveys:
        difference = differences[one.directory]
        certain = min(one.committed, base.end.offset, one.end.offset)
        if difference.diverges_with and difference.equal_to < certain:
            raise LocalError(
                f"{one.directory} and {base.directory} differ at offset {difference.equal_to}, although everything "
                f"below offset {certain} was committed. Two quorums wrote under one name, or one of the directories "
                "was altered: find out which one to believe, and name only directories that agree with it."
            )


def _old_voters(base: DirectoryInspection, wishes: RecoveryOptions) -> tuple[NodeId, ...] | None:
    if wishes.old_voters:
        return tuple(sorted(wishes.old_voters))
    if base.kraft_version > 0 and base.voters is not None:
        return base.voters.ids
    return tuple(sorted(base.leader_voters[1])) if base.leader_voters is not None else None


def _forced_voters(
    base: DirectoryInspection,
    sound: Sequence[DirectoryInspection],
    old_voters: tuple[NodeId, ...] | None,
    wishes: RecoveryOptions,
) -> VoterSet:
    here = {one.node_id: one for one in sound}
    chosen = wishes.voters or tuple(node_id for node_id in here if node_id in (old_voters or ()))
    if not chosen:
        raise LocalError(
            "none of the directories is an old voter's: name with --voters which of the nodes "
            f"{', '.join(map(str, here))} will vote"
        )
    for node_id in chosen:
        if node_id not in here:
            raise LocalError(f"--voters {node_id}: no sound directory of node {node_id} is among --dirs")
    for node_id in wishes.addresses:
        if node_id not in chosen:
            raise LocalError(f"--address {node_id}=...: node {node_id} is not among the voters to be")
    return VoterSet.of(_voter(here[node_id], base, wishes) for node_id in chosen)


def _voter(one: DirectoryInspection, base: DirectoryInspection, wishes: RecoveryOptions) -> Voter:
    known = base.voters.by_id(one.node_id) if base.voters is not None else None
    address = wishes.addresses.get(one.node_id)
    if base.kraft_version == 0:
        static = () if address is None else (Endpoint(LISTENER, *address),)
        return Voter(ReplicaKey(one.node_id, None), static)
    if one.directory_id is None:
        raise LocalError(f"{one.directory}/meta.properties has no directory.id, which a voter of kraft.version 1 needs")
    key = ReplicaKey(one.node_id, one.directory_id)
    names = [voter.endpoints[0].name for voter in base.voters or () if voter.endpoints]
    if address is not None:
        endpoints: tuple[Endpoint, ...] = (Endpoint(names[0] if names else LISTENER, *address),)
    elif known is not None:
        endpoints = known.endpoints
    else:
        raise LocalError(f"the log has no address of node {one.node_id}: give --address {one.node_id}=host:port")
    low, high = (known.kraft_version_min, known.kraft_version_max) if known is not None else (0, KRAFT_VERSION_MAX)
    return Voter(key, endpoints, low, high)


def voter_steps(old: VoterSet, new: VoterSet) -> tuple[VoterSet, ...]:
    """Return the sets that lead from one to the other, each adding one key and removing one at most."""
    steps: list[VoterSet] = []
    current = list(old)
    wanted = {voter.key: voter for voter in new}
    while {voter.key for voter in current} != set(wanted):
        going = next((voter for voter in current if voter.key not in wanted), None)
        present = {voter.key for voter in current}
        # A node whose directory changed is removed under one key and added under another: an id occurs in a set only
        # once.
        coming = [voter for key, voter in wanted.items() if key not in present]
        coming.sort(key=lambda voter: going is None or voter.key.node_id != going.key.node_id)
        if going is not None:
            current.remove(going)
        ids = {voter.key.node_id for voter in current}
        addition = next((voter for voter in coming if voter.key.node_id not in ids), None)
        if addition is not None:
            current.append(addition)
        steps.append(VoterSet.of(current))
    if not steps or steps[-1] != new:
        steps.append(new)
    return tuple(steps)


def _loss(
    base: DirectoryInspection, old_voters: tuple[NodeId, ...] | None, missing: Sequence[NodeId], proven: Offset
) -> tuple[bool, str]:
    end = base.end.offset
    kept = f"Everything below offset {end} is kept; below {min(proven, end)} it was committed for certain."
    if proven > end:
        return True, (
            f"{kept} Records [{end}, {proven}) were committed and are LOST: no sound survivor holds them. "
            f"From offset {proven} on, more may be lost; how much cannot be known here."
        )
    if old_voters is None:
        return True, f"{kept} Who voted is not known, so nothing is known about records from offset {end} on."
    majority = len(old_voters) // 2 + 1
    if len(missing) < majority:
        return False, (
            f"{kept} Nothing acknowledged is lost: {len(missing)} of {len(old_voters)} voters are missing, and without "
            "the others they could not have committed anything."
        )
    return True, (
        f"{kept} From offset {end} on, acknowledged records may be LOST, and how many cannot be known here: the "
        f"{len(missing)} missing voters ({_ids(missing)}) are a majority of {len(old_voters)} and could commit alone."
    )


def _guarantees(
    old_voters: tuple[NodeId, ...] | None,
    missing: Sequence[NodeId],
    voters: VoterSet,
    base: DirectoryInspection,
    here: set[NodeId],
) -> tuple[str, ...]:
    stated = [WHY_OLD_VOTERS_LOSE, HOW_OLD_VOTERS_RETURN]
    unasked = sorted(here & set(old_voters or ()) - set(voters.ids))
    returning = sorted({*missing, *unasked})
    if old_voters is None:
        stated.append(
            "NOT guaranteed: who voted before is not known, so old voters may be enough to elect by themselves."
        )
    elif len(returning) >= len(old_voters) // 2 + 1:
        stated.append(
            f"NOT guaranteed: nodes {_ids(returning)} were a majority of the old voters. If that many of them start "
            "with their old disks before they reach a recovered voter, they may elect a leader of the old quorum and "
            "acknowledge writes, which are lost when they meet the new one. Before you apply, make sure that they "
            "stay off; bring them back one at a time, with empty metadata directories."
        )
    elif returning:
        stated.append(
            f"Guaranteed: nodes {_ids(returning)} cannot elect a leader by themselves, they are no majority of the "
            f"{len(old_voters)} old voters."
        )
    if base.kraft_version == 0:
        stated.append(
            "kraft.version is 0: the voters are in each node's configuration and not in the log. A node that starts "
            "with the old controller.quorum.voters still counts by the old set; change it on every node first."
        )
    return tuple(stated)


def _ids(ids: Sequence[NodeId]) -> str:
    return ", ".join(map(str, ids))


def _address_text(voter: Voter) -> str:
    if not voter.endpoints:
        return f"<host:port of node {voter.key.node_id}>"
    host, port = voter.endpoints[0].host, voter.endpoints[0].port
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


# The plan as a document.


def plan_document(plan: Plan) -> dict[str, Any]:
    """Write a plan as JSON values; ``digest`` covers everything else in it, the identity of every file included."""
    document: dict[str, Any] = {
        "kind": PLAN_KIND,
        "format": PLAN_FORMAT,
        "cluster_id": next((one.cluster_id for one in plan.surveys if one.cluster_id is not None), None),
        "kraft_version": plan.kraft_version,
        "survivors": [_survivor(one, plan) for one in plan.surveys],
        "longest_log": {"node_id": plan.base.node_id, "directory": plan.base.directory},
        "old_voters": plan.old_voters,
        "missing_voters": plan.missing,
        "incomplete_voters": plan.incomplete,
        "loss": {
            "kept_below": plan.base.end.offset,
            "committed_below": plan.proven,
            "may_lose_acknowledged": plan.may_lose,
            "lost_for_certain": [plan.base.end.offset, plan.lost_below],
            "text": plan.loss,
        },
        "recovery_epoch": plan.epoch,
        "voters": [_voter_document(voter) for voter in plan.voters],
        "voter_steps": [list(step.ids) for step in plan.voter_steps],
        "controller_quorum_voters": plan.static_voters,
        "changes": [one.directory for one in plan.targets],
        "guarantees": plan.guarantees,
        "wishes": {
            "voters": plan.wishes.voters,
            "addresses": {str(node_id): list(address) for node_id, address in sorted(plan.wishes.addresses.items())},
            "old_voters": plan.wishes.old_voters,
        },
    }
    plain: dict[str, Any] = json.loads(json.dumps(document))
    return {**plain, "digest": document_digest(plain)}


def document_digest(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a document without its own digest."""
    content = {key: value for key, value in document.items() if key != "digest"}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _survivor(one: DirectoryInspection, plan: Plan) -> dict[str, Any]:
    difference = plan.differences[one.directory]
    return {
        "node_id": one.node_id,
        "directory": one.directory,
        "directory_id": None if one.directory_id is None else uuid_to_text(one.directory_id),
        "last_epoch": one.end.epoch,
        "end_offset": one.end.offset,
        "log_start_offset": one.log_start,
        "stored_epoch": one.election.epoch,
        "voted_for": None if one.election.voted_key is None else one.election.voted_key.node_id,
        "committed_below": one.committed,
        "equal_to_longest_below": difference.equal_to,
        "lacks_records": difference.lacks,
        "own_records_to_be_cut": difference.diverges_with,
        "corruption": one.corruption,
        "incomplete": one.incomplete,
        "notes": one.notes,
        "files": {path: [entry.bytes, entry.sha256] for path, entry in sorted(one.files.items())},
    }


def _voter_document(voter: Voter) -> dict[str, Any]:
    directory_id = voter.key.directory_id
    return {
        "node_id": voter.key.node_id,
        "directory_id": None if directory_id is None else uuid_to_text(directory_id),
        "endpoints": [str(endpoint) for endpoint in voter.endpoints],
    }


def wishes_of(document: Mapping[str, Any]) -> RecoveryOptions:
    """Read the wishes that a plan was made from."""
    wishes = document["wishes"]
    return RecoveryOptions(
        voters=tuple(wishes["voters"]),
        addresses={int(node_id): (host, port) for node_id, (host, port) in wishes["addresses"].items()},
        old_voters=tuple(wishes["old_voters"]),
    )
