"""What a plan says: the longest log by Raft's order, what may be lost, who votes, which epoch."""

from __future__ import annotations

import json
import random

import pytest

from kraftpy.cli.recover import plan_lines
from kraftpy.disaster_recovery.recovery import changes_for, read_plan
from kraftpy.disaster_recovery.recovery_plan import RecoveryOptions, make_plan, plan_document, voter_steps
from kraftpy.model.errors import LocalError
from kraftpy.model.voters import VoterSet
from kraftpy.raft.epoch_limit import EPOCH_JUMP_MAX
from kraftpy.raft.voter_set_history import VoterSetHistory
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.quarantine import quarantine
from kraftpy.storage.recovery_point import write_recovery_point
from kraftpy.storage.replica_status import ReplicaStatusFile
from tests.unit.disaster_recovery.quorums import (
    CONFIG,
    contents,
    directory_of,
    epoch_start,
    fill,
    survey,
    three,
    voter,
    voters,
)
from tests.unit.storage.logs import T0, batches


def planned(fs, *node_ids, **wishes):
    return make_plan(survey(fs, *node_ids), RecoveryOptions(**wishes))


def test_the_last_epoch_counts_before_the_length():
    """A shorter log with a newer last epoch is the longest in Raft's order; the other's tail will be cut."""
    fs = three({1: [(1, 30)], 2: [(1, 10), (3, 2)]}, durable=5)
    plan = planned(fs, 1, 2)
    assert (plan.base.node_id, plan.base.end.epoch, plan.base.end.offset) == (2, 3, 14)
    difference = plan.differences[directory_of(1)]
    assert (difference.equal_to, difference.lacks, difference.diverges_with) == (11, 3, 20)


def test_looking_changes_nothing():
    """Surveys, the plan and the changes it would make leave every byte as it was."""
    fs = three({1: [(1, 10)], 2: [(1, 8)]})
    before = [contents(fs, 1), contents(fs, 2)]
    written = []
    fs.before = lambda operation, path: written.append(operation)
    plan = planned(fs, 1, 2)
    for one in plan.targets:
        changes_for(fs, one, plan)
    assert set(written) <= {"open", "pread", "list", "exists"}
    assert [contents(fs, 1), contents(fs, 2)] == before


def test_a_majority_that_is_here_loses_nothing():
    """With two of three voters here, whatever was acknowledged is in the longest log."""
    plan = planned(three({1: [(1, 10)], 2: [(1, 8)]}), 1, 2)
    assert (plan.may_lose, plan.missing, plan.lost_below) == (False, (3,), 11)
    assert "Nothing acknowledged is lost" in plan.loss
    assert "Guaranteed: nodes 3 cannot elect" in " ".join(plan.guarantees)


def test_a_lost_majority_may_lose_what_follows():
    """With one of three here, the two that are missing may have gone on alone."""
    plan = planned(three({1: [(1, 10)]}, durable=7), 1)
    assert (plan.may_lose, plan.missing, plan.proven, plan.base.end.offset) == (True, (2, 3), 7, 11)
    assert "below 7 it was committed for certain" in plan.loss
    assert "From offset 11 on, acknowledged records may be LOST" in plan.loss
    assert "NOT guaranteed: nodes 2, 3 were a majority" in " ".join(plan.guarantees)


def test_a_corrupt_survivor_counts_as_missing_and_its_promises_as_lost():
    """What it knew to be committed and no other log has is reported as lost, with the range."""
    fs = three({1: [(1, 5)], 2: [(1, 20)]})
    fs.flip_bit(f"{directory_of(2)}/__cluster_metadata-0/00000000000000000000.log", 200)
    plan = planned(fs, 1, 2)
    assert (plan.base.node_id, plan.missing, plan.may_lose) == (1, (2, 3), True)
    assert (plan.base.end.offset, plan.lost_below) == (6, 21)
    assert "Records [6, 21) were committed and are LOST" in plan.loss
    assert plan.voters.ids == (1,)


def test_a_survivor_whose_log_was_quarantined_is_no_evidence_that_nothing_is_lost():
    """It fetched a part of it again; what it held before may be what it and the missing one acknowledged."""
    fs = three({1: [(1, 5)], 2: [(1, 20)]})
    metadata = f"{directory_of(2)}/__cluster_metadata-0"
    fs.flip_bit(f"{metadata}/00000000000000000000.log", 200)
    quarantined_log = quarantine(fs, directory_of(2), "corruption in it. Ways out: many", T0)
    refetched(fs, 2, 3)
    before = contents(fs, 2)
    plan = planned(fs, 1, 2)
    assert contents(fs, 2) == before
    assert (plan.base.node_id, plan.missing, plan.incomplete) == (1, (3,), (2,))
    assert (plan.may_lose, plan.base.end.offset, plan.lost_below) == (True, 6, 21)
    assert "Records [6, 21) were committed and are LOST" in plan.loss
    document = plan_document(plan)
    assert document["incomplete_voters"] == [2]
    lines = " ".join(plan_lines(document))
    assert "Node 2 counts as missing for what may be lost: its vote did not count when it stopped" in lines
    assert f"a quarantined log is in {quarantined_log.path}: whole up to offset 1 (epoch 1)" in lines
    assert "readable in parts up to 21; corruption in it." in lines
    assert "Ways out" not in lines


def test_a_log_that_lost_its_end_is_no_evidence_either():
    """No byte of it is wrong; what it held behind the cut may be what it and the missing one acknowledged."""
    fs = three({1: [(1, 10)], 2: [(1, 4)]}, durable=3)
    assert not planned(fs, 1, 2).may_lose
    write_recovery_point(fs, f"{directory_of(2)}/recovery-point-offset-checkpoint", 8)
    plan = planned(fs, 1, 2)
    assert (plan.base.node_id, plan.missing, plan.incomplete, plan.may_lose) == (1, (3,), (2,), True)
    assert "From offset 11 on, acknowledged records may be LOST" in plan.loss
    (line,) = [text for text in plan_lines(plan_document(plan)) if "3 records are missing" in text]
    assert line.startswith("Node 2 counts as missing for what may be lost: The log in")
    assert "Ways out" not in line


def test_a_log_of_unknown_length_is_no_evidence_either():
    """Its recovery point is there and says nothing: its end may be lost, as cleanly as with one that says so."""
    fs = three({1: [(1, 10)], 2: [(1, 4)]}, durable=3)
    replace_file(fs, f"{directory_of(2)}/recovery-point-offset-checkpoint", b"nothing")
    plan = planned(fs, 1, 2)
    assert (plan.base.node_id, plan.incomplete, plan.may_lose) == (1, (2,), True)
    [line] = [text for text in plan_lines(plan_document(plan)) if "how far the log beside it was durable" in text]
    assert line.startswith("Node 2 counts as missing for what may be lost: ")


def test_an_empty_disk_is_no_evidence_either():
    """Two of three are here, and one of them holds nothing of what it may have acknowledged."""
    fs = three({1: [(1, 5)], 2: [(1, 5)]})
    status = ReplicaStatusFile.read(fs, f"{directory_of(2)}/__cluster_metadata-0")
    assert not planned(fs, 1, 2).may_lose
    status.write(status.value.as_empty(bytes(16)))
    plan = planned(fs, 1, 2)
    assert plan.may_lose
    assert "From offset 6 on, acknowledged records may be LOST" in plan.loss
    assert "the 2 missing voters (2, 3) are a majority of 3" in plan.loss


def refetched(fs, node_id, count):
    """Let a node whose log was quarantined fetch ``count`` records again, and stop."""
    directory = MetadataDirectory.open(fs, directory_of(node_id), CONFIG, random.Random(node_id).randbytes)
    directory.log.append([epoch_start(0, 1, (1, 2, 3), dynamic=False), *batches(1, count, 1)], T0)
    directory.log.sync()
    directory.close()


def test_logs_that_differ_below_what_was_committed_are_refused():
    """Raft cannot make such logs: two quorums wrote, or one was altered."""
    fs = three({1: [(1, 10)], 2: [(2, 10)]})
    with pytest.raises(LocalError, match="differ at offset 0, although everything below offset 11 was committed"):
        planned(fs, 1, 2)


def test_directories_of_two_clusters_or_of_one_node_twice_are_refused():
    """Neither may count as a second opinion."""
    fs = three({1: [(1, 10)]})
    fill(fs, 2, [(1, 10)], cluster_id="another-cluster-id-000")
    with pytest.raises(LocalError, match="different clusters"):
        planned(fs, 1, 2)
    with pytest.raises(LocalError, match="both node 1's"):
        planned(fs, 1, 1)


@pytest.mark.parametrize("voted", [None, (41, 3)])
def test_the_epoch_is_beyond_what_a_missing_voter_can_have_seen(voted):
    """Half of the jump that nodes believe, above everything seen, the votes included."""
    plan = planned(three({1: [(1, 3)], 2: [(7, 3)]}, durable=0, voted=voted), 1, 2)
    seen = 41 if voted else 7
    assert seen + 100_000 < plan.epoch < seen + EPOCH_JUMP_MAX


def test_a_broker_s_copy_can_be_the_longest_log():
    """Nodes that never voted are evidence too; they do not become voters by themselves."""
    fs = three({1: [(1, 5)], 7: [(1, 9)]}, durable=3)
    plan = planned(fs, 1, 7)
    assert (plan.base.node_id, plan.voters.ids) == (7, (1,))
    assert [one.node_id for one in plan.targets] == [1]


def test_voters_must_have_a_directory_here_and_an_address():
    """A voter without a readable directory is no voter."""
    fs = three({1: [(1, 5)], 2: [(1, 5)]}, dynamic=True)
    with pytest.raises(LocalError, match="--voters 3: no sound directory of node 3"):
        planned(fs, 1, 2, voters=(1, 3))
    with pytest.raises(LocalError, match=r"--address 2=\.\.\.: node 2 is not among the voters"):
        planned(fs, 1, 2, voters=(1,), addresses={2: ("h", 1)})
    fill(fs, 8, [], dynamic=True)
    with pytest.raises(LocalError, match="the log has no address of node 8: give --address 8=host:port"):
        planned(fs, 1, 8, voters=(1, 8))


def test_moved_addresses():
    """With every voter here and other addresses, the set has the same keys and nothing can be lost."""
    fs = three({1: [(1, 5)], 2: [(1, 5)], 3: [(1, 5)]}, dynamic=True)
    plan = planned(fs, 1, 2, 3, addresses={1: ("new-1", 1), 2: ("new-2", 2), 3: ("new-3", 3)})
    assert [one.endpoints[0].host for one in plan.voters] == ["new-1", "new-2", "new-3"]
    assert (plan.voter_steps, plan.may_lose, plan.missing) == ((plan.voters,), False, ())


def test_a_static_quorum_reports_its_configuration():
    """At kraft.version 0 the log holds no voters: the plan says what every configuration must."""
    plan = planned(three({1: [(1, 5)]}), 1, addresses={1: ("fe80::1", 9093)})
    assert (plan.static_voters, plan.voter_steps) == ("1@[fe80::1]:9093", ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (voters(1, 2, 3, 4, 5), voters(4)),
        (voters(1, 2, 3), voters(1, 8, 9)),
        (voters(1), voters(2)),
        (voters(1, 2, 3), voters(1, 2, 3)),
        (voters(1), voters(1, 2, 3)),
        (voters(1, 2, 3), VoterSet.of([voter(1), voter(2, port=1)])),
    ],
)
def test_voter_sets_change_one_key_at_a_time(old, new):
    """The chain is one that a log's reader accepts, here and in Kafka, and ends with what is wanted."""
    steps = voter_steps(old, new)
    VoterSetHistory(VoterSet(), enumerate([old, *steps]))
    assert steps[-1] == new
    assert all(len(step) for step in steps)


def test_a_node_whose_directory_changed_is_replaced_in_one_step():
    """An id is in a set only once."""
    changed = VoterSet.of([voter(1), type(voter(2))(type(voter(2).key)(2, b"x" * 16), voter(2).endpoints, 0, 1)])
    assert voter_steps(voters(1, 2), changed) == (changed,)


def test_a_plan_that_was_edited_is_refused():
    """Its digest covers everything that it says."""
    document = plan_document(planned(three({1: [(1, 5)]}), 1))
    assert read_plan(json.dumps(document).encode(), "plan.json") == document
    document["recovery_epoch"] += 1
    with pytest.raises(LocalError, match=r"plan\.json was changed after it was made.*`kraftpy recover plan`"):
        read_plan(json.dumps(document).encode(), "plan.json")
