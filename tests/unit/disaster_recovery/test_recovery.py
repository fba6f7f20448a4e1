"""A plan carried out, killed anywhere, and undone."""

from __future__ import annotations

import itertools
import random

import pytest

from kraftpy.disaster_recovery.changes import UNDO
from kraftpy.disaster_recovery.recovery import apply_plan, plan_again, undo_directory
from kraftpy.disaster_recovery.recovery_plan import RecoveryOptions, make_plan, plan_document
from kraftpy.model.errors import CorruptLogError, LocalError, MalformedError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.replica_status import ReplicaStatus
from kraftpy.records.control import LeaderChangeMessage, VotersRecord
from kraftpy.runtime.recovered_state import voters_of
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.epoch_checkpoint import read_epoch_checkpoint
from kraftpy.storage.meta_properties import read_meta_properties
from kraftpy.storage.replica_status import ReplicaStatusFile, render_replica_status
from tests.fakes.filesystem import Killed
from tests.unit.disaster_recovery.quorums import (
    contents,
    directory_of,
    opened,
    survey,
    three,
    voters,
    with_a_snapshot_in_the_log_s_place,
)

STATUS = "__cluster_metadata-0/kraftpy.replica-status"
RECOVERING = ReplicaStatus().as_recovering("why")


LONG_AND_SHORT = {1: [(1, 9), (2, 2)], 2: [(1, 9)]}


def plan_for(fs, *node_ids, **wishes):
    return make_plan(survey(fs, *node_ids), RecoveryOptions(**wishes))


def recovered(runs, *, dynamic=False, **wishes):
    fs = three(runs, dynamic=dynamic)
    plan = plan_for(fs, *runs, **wishes)
    apply_plan(fs, plan, "digest")
    return fs, plan


@pytest.mark.parametrize("dynamic", [False, True])
def test_the_recovered_log_is_the_old_one_and_a_batch_more(dynamic):
    """Every record stays; the recovery's epoch follows them, and no vote is left in it."""
    fs = three({1: [(1, 30)]}, dynamic=dynamic)
    before = opened(fs.copy(), 1)
    old = [batch.data for batch in before.log.iterate(0)]
    plan = plan_for(fs, 1)
    apply_plan(fs, plan, "digest")
    after = opened(fs, 1)
    batches = list(after.log.iterate(0))
    assert [batch.data for batch in batches[:-1]] == old
    assert (batches[-1].epoch, after.log.last_epoch, after.election.epoch) == (plan.epoch,) * 3
    assert (after.election.leader_id, after.election.voted_key) == (1, None)
    records = batches[-1].control_records()
    assert isinstance(records[0], LeaderChangeMessage)
    assert records[0].granting_voters == []
    assert [type(record) for record in records[1:]] == ([VotersRecord] * 2 if dynamic else [])
    if dynamic:
        assert voters_of(after.control_records)[-1][1] == voters(1)
    assert after.warnings == ()


def test_every_forced_voter_gets_the_same_log():
    """The one that was behind has the winning log, byte for byte, and its own identity."""
    fs, plan = recovered(LONG_AND_SHORT, dynamic=True)
    assert [one.node_id for one in plan.targets] == [2, 1]
    first, second = opened(fs, 1), opened(fs, 2)
    assert [b.data for b in first.log.iterate(0)] == [b.data for b in second.log.iterate(0)]
    assert first.election == second.election
    assert read_meta_properties(fs, directory_of(2)).node_id == 2


@pytest.mark.parametrize("removed", [None, bytes(range(16))])
def test_the_status_of_what_was_there_goes_and_comes_back_with_undo(removed):
    """What a voter's directory was suspected of says nothing about the log that it gets."""
    fs = three({1: [(1, 30)]})
    status = ReplicaStatus(removed=removed).as_recovering("why")
    replace_file(fs, f"{directory_of(1)}/{STATUS}", render_replica_status(status))
    before = contents(fs, 1)
    apply_plan(fs, plan_for(fs, 1), "digest")
    assert (STATUS in contents(fs, 1)) is (removed is not None)
    after = ReplicaStatusFile.read(fs, f"{directory_of(1)}/__cluster_metadata-0").value
    assert after == ReplicaStatus(removed=removed), "that it was removed stays known"
    undo_directory(fs, directory_of(1))
    assert contents(fs, 1) == before


def test_a_torn_tail_is_cut_and_comes_back_with_undo():
    """What a crash tore is no part of the recovered log, but it is part of what undo restores."""
    fs = three({1: [(1, 30)]})
    path = max(name for name in contents(fs, 1) if name.endswith(".log"))
    file = fs.open(f"{directory_of(1)}/{path}", write=True)
    file.pwrite(b"\0\0\0\0\0\0\0\x1f torn", file.size())
    file.sync()
    before = contents(fs, 1)
    plan = plan_for(fs, 1)
    assert plan.base.notes
    apply_plan(fs, plan, "digest")
    assert opened(fs.copy(), 1).log.end_offset == 32
    assert undo_directory(fs, directory_of(1)).purpose == "a recovery"
    assert contents(fs, 1) == before


def test_undo_puts_back_every_byte():
    """And says so; a second undo finds nothing to do."""
    fs = three(LONG_AND_SHORT)
    before = [contents(fs, 1), contents(fs, 2)]
    apply_plan(fs, plan_for(fs, 1, 2), "digest")
    assert [contents(fs, 1), contents(fs, 2)] != before
    for node_id in (1, 2):
        assert undo_directory(fs, directory_of(node_id)).purpose == "a recovery"
        assert undo_directory(fs, directory_of(node_id)).purpose is None
    assert [contents(fs, 1), contents(fs, 2)] == before


@pytest.mark.parametrize("is_undone", [False, True])
def test_what_was_applied_or_undone_stays_so_without_power(is_undone):
    """Files that were removed do not come back either: once it has returned, nothing of it can be lost."""
    start = three(LONG_AND_SHORT, dynamic=True)
    for node_id in (1, 2):
        replace_file(start, f"{directory_of(node_id)}/{STATUS}", render_replica_status(RECOVERING))
    apply_plan(start, plan_for(start, 1, 2), "digest")
    if is_undone:
        for node_id in (1, 2):
            undo_directory(start, directory_of(node_id))
    expected = {node_id: contents(start, node_id) for node_id in (1, 2)}
    for seed in range(12):
        fs = start.copy()
        fs.crash(random.Random(seed), in_order=seed % 2 == 0)
        assert {node_id: contents(fs, node_id) for node_id in (1, 2)} == expected, seed
        assert fs.exists(f"{directory_of(1)}/{UNDO}") != is_undone, seed


def test_undo_refuses_once_a_node_has_run():
    """What the node wrote since would be thrown away."""
    fs, _ = recovered({1: [(1, 5)]})
    directory = opened(fs, 1)
    directory.log.note_durable(6)
    directory.close()
    before = contents(fs, 1)
    with pytest.raises(LocalError, match=r"has changed since a recovery: .*00000000000000000006.index"):
        undo_directory(fs, directory_of(1))
    assert contents(fs, 1) == before


def test_a_second_apply_needs_the_first_one_undone_or_kept():
    """The way back of the first must not be overwritten."""
    fs, _ = recovered({1: [(1, 5)]})
    with pytest.raises(LocalError, match=f"{UNDO} is there"):
        apply_plan(fs, plan_for(fs, 1), "digest")


def test_a_directory_that_changed_since_the_plan_is_refused():
    """The digest covers the identity of every file; nothing is written."""
    fs = three({1: [(1, 5)]})
    document = plan_document(plan_for(fs, 1))
    assert plan_document(plan_again(fs, document)) == document
    directory = opened(fs, 1)
    directory.log.note_durable(3)
    directory.log.assign_epoch(9, directory.log.end_offset)
    directory.close()
    before = contents(fs, 1)
    with pytest.raises(LocalError, match=r"is not what it was when the plan was made: .*leader-epoch-checkpoint"):
        plan_again(fs, document)
    assert contents(fs, 1) == before


@pytest.mark.parametrize(
    "left_over",
    ["recovery-point-offset-checkpoint.tmp", "meta.properties.tmp", "__cluster_metadata-0/quorum-state.tmp"],
)
def test_what_a_kill_left_half_written_is_in_nobodys_way(left_over):
    """A node that was killed while it replaced a file: plan, apply, undo and apply again, with the same plan."""
    fs = three({1: [(1, 5)]})
    before = contents(fs, 1)
    file = fs.open(f"{directory_of(1)}/{left_over}", write=True, create=True)
    file.pwrite(b"half", 0)
    file.close()
    plan = plan_for(fs, 1)
    document = plan_document(plan)
    apply_plan(fs, plan, "digest")
    after = without_left_overs(fs, 1)
    undo_directory(fs, directory_of(1))
    assert contents(fs, 1) == before
    apply_plan(fs, plan_again(fs, document), "digest")
    assert without_left_overs(fs, 1) == after


def may_start(fs, node_id):
    try:
        read_meta_properties(fs, directory_of(node_id))
    except MalformedError as error:
        return "kraftpy recover undo --dirs" not in str(error)
    return True


def without_left_overs(fs, node_id):
    return {path: digest for path, digest in contents(fs, node_id).items() if not path.endswith(".tmp")}


def test_an_apply_killed_at_any_step_is_all_or_nothing_and_undone():
    """After a kill each directory is as before, or as planned, or refuses to start; undo restores it in each case.

    Each kill is tried twice: once it takes the power with it, so that what was not synced may be gone.
    """
    start = three(LONG_AND_SHORT, dynamic=True)
    before = {node_id: contents(start, node_id) for node_id in (1, 2)}
    done = start.copy()
    apply_plan(done, plan_for(done, 1, 2), "digest")
    after = {node_id: contents(done, node_id) for node_id in (1, 2)}
    seen = set()
    plan = plan_for(start, 1, 2)
    for count, loses_power in itertools.product(range(10_000), (False, True)):
        fs = start.copy()
        fs.kill_at(count)
        try:
            apply_plan(fs, plan, "digest")
        except Killed:
            fs.crash(random.Random(count)) if loses_power else fs.kill()
        else:
            break
        for node_id in (1, 2):
            plain = without_left_overs(fs, node_id)
            state = "before" if plain == before[node_id] else "after" if plain == after[node_id] else "half"
            seen.add((node_id, state))
            assert may_start(fs, node_id) or state == "half"
            if state == "half":
                assert not may_start(fs, node_id), (count, node_id)
            undo_directory(fs, directory_of(node_id))
            assert contents(fs, node_id) == before[node_id], (count, node_id)
    assert seen == {(1, "before"), (1, "half"), (1, "after"), (2, "before"), (2, "half"), (2, "after")}


def test_an_undo_killed_at_any_step_goes_on():
    """Called again it finishes, wherever it was killed."""
    start = three({1: [(1, 30)]}, dynamic=True)
    before = contents(start, 1)
    apply_plan(start, plan_for(start, 1), "digest")
    applied = contents(start, 1)
    kills = 0
    for count in range(10_000):
        fs = start.copy()
        fs.kill_at(count)
        try:
            undo_directory(fs, directory_of(1))
        except Killed:
            fs.crash(random.Random(count))
            kills += 1
            assert may_start(fs, 1) == (without_left_overs(fs, 1) in (before, applied))
            undo_directory(fs, directory_of(1))
        else:
            break
        assert contents(fs, 1) == before, count
    assert kills > 20


@pytest.mark.parametrize(("epoch", "offset"), [(1, 100), (2, 100), (2, 50)])
def test_what_a_snapshot_was_fetched_in_the_place_of_is_no_part_of_the_recovered_log(epoch, offset):
    """Killed before the log restarted behind it: that log lacks what was committed, and may hold what never was."""
    fs = with_a_snapshot_in_the_log_s_place(epoch, offset)
    plan = plan_for(fs, 1, voters=(1,), old_voters=(1,))
    assert (plan.base.end, plan.base.committed) == (OffsetAndEpoch(epoch=epoch, offset=offset), offset)
    apply_plan(fs, plan, "digest")
    noted = read_epoch_checkpoint(fs, f"{directory_of(1)}/__cluster_metadata-0/leader-epoch-checkpoint")
    assert [start for _, start in noted] == [offset]
    after = opened(fs, 1)
    assert (after.latest_snapshot.offset, after.log.start_offset, after.log.end_offset) == (offset, offset, offset + 1)
    assert all(text.startswith("cleaned up") for text in after.warnings), "of indexes of the log that went"


def test_a_snapshot_that_takes_the_place_of_what_was_committed_is_corruption():
    """No leader gives such a one: the next start refuses to believe either of the two, and so does a plan."""
    fs = with_a_snapshot_in_the_log_s_place(2, 50, durable=55)
    with pytest.raises(CorruptLogError, match="one of them is corrupt"):
        opened(fs.copy(), 1)
    (found,) = survey(fs, 1)
    assert "everything below offset 55 was durable and committed: one of them is corrupt" in found.corruption[0]
    with pytest.raises(LocalError, match="one of them is corrupt"):
        plan_for(fs, 1, voters=(1,), old_voters=(1,))
