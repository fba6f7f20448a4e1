"""Backup and restore: what is committed goes in, a whole directory comes out, or nothing does."""

from __future__ import annotations

import itertools
import random

import pytest

from kraftpy.disaster_recovery.archive import backup, plan_restore, read_backup, restore
from kraftpy.model.errors import CorruptLogError, LocalError, MalformedError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.batch import encode_control_batch
from kraftpy.records.control import KRaftVersionRecord, encode_control, voter_set_to_record
from kraftpy.records.snapshot import SnapshotEncoder
from kraftpy.runtime.recovered_state import voters_of
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import read_file
from kraftpy.storage.meta_properties import read_meta_properties
from tests.fakes.filesystem import Killed
from tests.unit.disaster_recovery.quorums import (
    CONFIG,
    contents,
    directory_id,
    directory_of,
    opened,
    settled,
    three,
    voters,
    with_a_snapshot_in_the_log_s_place,
)
from tests.unit.storage.logs import T0, batches

OUT, NEW = "/backups/one.tar", "/new/data"


def backed_up(runs=((1, 30), (2, 9)), *, is_running=False, dynamic=False, durable=None):
    fs = three({1: list(runs)}, dynamic=dynamic, durable=durable)
    fs.make_directory("/backups")
    before = contents(fs, 1)
    made = backup(fs, directory_of(1), OUT, is_running=is_running)
    assert contents(fs, 1) == before
    return fs, made


def restored(fs, **words):
    bundle = read_backup(fs, OUT)
    plan = plan_restore(bundle, NEW, **words)
    restore(fs, bundle, plan, random.Random(5).randbytes, words.get("address"))
    return plan, MetadataDirectory.open(fs, NEW, CONFIG, random.Random(6).randbytes)


@pytest.mark.parametrize("dynamic", [False, True])
def test_a_restored_log_is_the_old_one_in_a_new_epoch(dynamic):
    """The same batches, then one of an epoch beyond what the old node saw; a new directory id; one voter."""
    fs, made = backed_up(dynamic=dynamic)
    plan, new = restored(fs)
    old = list(opened(fs, 1).log.iterate(0))
    found = list(new.log.iterate(0))
    assert [batch.data for batch in found[:-1]] == [batch.data for batch in old]
    assert found[-1].epoch == new.election.epoch == plan.epoch > 100_000
    assert new.election.leader_id == 1
    properties = read_meta_properties(fs, NEW)
    assert (properties.cluster_id, properties.node_id) == (made.facts["cluster_id"], 1)
    assert properties.directory_id != directory_id(1)
    assert (plan.static_voters is None) is dynamic
    if dynamic:
        last = voters_of(new.control_records)[-1][1]
        assert [voter.key.directory_id for voter in last] == [properties.directory_id]
        assert last.by_id(1).endpoints == voters(1).by_id(1).endpoints


def test_beside_a_running_node_only_what_is_committed_is_taken():
    """It ends at a whole batch at or below the recovery point; of a stopped node everything is taken."""
    _, made = backed_up(is_running=True, durable=17)
    assert (made.facts["end_offset"], made.facts["committed_below"]) == (17, 17)
    _, made = backed_up(durable=17)
    assert (made.facts["end_offset"], made.facts["committed_below"], made.facts["last_epoch"]) == (41, 17, 2)
    fs = three({1: [(1, 5)]}, durable=0)
    fs.make_directory("/backups")
    with pytest.raises(LocalError, match="is known to be committed yet"):
        backup(fs, directory_of(1), OUT, is_running=True)


def with_snapshots(*offsets, starts_at=0):
    fs = three({1: [(1, 60)]})
    directory = opened(fs, 1)
    for offset in offsets:
        writer = directory.snapshots.create(OffsetAndEpoch(epoch=1, offset=offset))
        encoder = SnapshotEncoder(epoch=1, timestamp_ms=0, last_contained_log_timestamp_ms=T0)
        for piece in encoder.encode([[b"\x01\x14\x00\x00"]]):
            writer.append(piece)
        writer.freeze()
    directory.log.advance_start(starts_at)
    directory.close()
    fs.make_directory("/backups")
    return settled(fs)


def test_the_snapshot_that_the_log_starts_at_takes_the_place_of_what_is_below_it():
    """A majority confirmed it before the log was cut; a snapshot that may be unconfirmed is left out."""
    fs = with_snapshots(40, 50, starts_at=40)
    made = backup(fs, directory_of(1), OUT, is_running=False)
    names = read_backup(fs, OUT).names
    assert names[0] == "__cluster_metadata-0/00000000000000000040-0000000001.checkpoint"
    assert not [name for name in names[1:] if name.endswith(".checkpoint")]
    assert "__cluster_metadata-0/00000000000000000000.log" not in names
    _, new = restored(fs)
    assert (new.latest_snapshot.offset, new.log.end_offset) == (40, made.facts["end_offset"] + 1)
    assert 0 < new.log.start_offset <= 40
    assert len(list(new.log.iterate(new.log.start_offset))) > 1


def test_a_snapshot_from_before_the_log_is_not_the_one_that_it_starts_at():
    """A kill between the log's new start and the removal of what it needs no longer leaves such a one."""
    fs = with_snapshots(20, 40, starts_at=40)
    backup(fs, directory_of(1), OUT, is_running=False)
    checkpoints = [name for name in read_backup(fs, OUT).names if name.endswith(".checkpoint")]
    assert checkpoints == ["__cluster_metadata-0/00000000000000000040-0000000001.checkpoint"]
    _, new = restored(fs)
    assert new.log.start_offset <= new.latest_snapshot.offset == 40


@pytest.mark.parametrize("corrupt", [40, 50])
def test_a_corrupt_snapshot_is_not_backed_up_nor_what_is_beside_one(corrupt):
    """The one that the log starts at is a part of the backup; for the newest one the next start sets all aside."""
    fs = with_snapshots(40, 45, 50, starts_at=40)
    fs.flip_bit(f"{directory_of(1)}/__cluster_metadata-0/{45:020}-0000000001.checkpoint", 90)
    assert backup(fs.copy(), directory_of(1), OUT, is_running=False), "nobody reads what that one holds"
    fs.flip_bit(f"{directory_of(1)}/__cluster_metadata-0/{corrupt:020}-0000000001.checkpoint", 90)
    with pytest.raises(LocalError, match=rf"a backup of it would be too: .*{corrupt:020}-0000000001.checkpoint"):
        backup(fs, directory_of(1), OUT, is_running=False)
    assert not fs.exists(OUT)


def test_beside_a_running_node_corruption_after_what_is_taken_is_no_reason_to_refuse():
    """The first batch that is not taken may be corrupt, the last one that is may not."""
    fs = three({1: [(1, 30)]}, durable=17)
    fs.make_directory("/backups")
    for offset in (17, 16):
        flip_in(fs, batches(offset, 1)[0])
        if offset == 17:
            made = backup(fs.copy(), directory_of(1), OUT, is_running=True)
            assert made.facts["end_offset"] == 17
    with pytest.raises(LocalError, match="a backup of it would be too"):
        backup(fs, directory_of(1), OUT, is_running=True)


def flip_in(fs, batch):
    """Flip a bit of a batch, wherever it is."""
    for name in contents(fs, 1):
        path = f"{directory_of(1)}/{name}"
        at = read_file(fs, path).find(batch) if name.endswith(".log") else -1
        if at >= 0:
            fs.flip_bit(path, at + 80)


def test_voters_behind_what_is_taken_are_not_in_the_backup():
    """Beside a running node it may end before their record; so it may before the one that raises kraft.version."""
    change = [voter_set_to_record(voters(1, 2))]
    fs = running_with(change, dynamic=True)
    facts = backup(fs, directory_of(1), OUT, is_running=True).facts
    assert (facts["end_offset"], facts["kraft_version"]) == (33, 1)
    assert facts["voters_record"] == encode_control(voter_set_to_record(voters(1, 2, 3)))[1].hex()
    fs = running_with([KRaftVersionRecord(kraft_version=1), *change], dynamic=False)
    facts = backup(fs, directory_of(1), OUT, is_running=True).facts
    assert (facts["end_offset"], facts["kraft_version"], facts["voters_record"]) == (31, 0, None)
    plan, new = restored(fs)
    assert (plan.static_voters, voters_of(new.control_records)) == ("1@<host>:<port>", ())


def running_with(records, *, dynamic):
    """A log of which all is known to be committed but the control records at its end."""
    fs = three({1: [(1, 30)]}, dynamic=dynamic, durable=31 + 2 * dynamic)
    fs.make_directory("/backups")
    log = opened(fs, 1).log
    log.append([encode_control_batch(records, base_offset=log.end_offset, epoch=1, timestamp_ms=T0)], T0)
    log.close()
    return settled(fs)


def test_of_a_log_with_its_beginning_no_snapshot_is_taken():
    """A wrong memory may have made it, and everything is in the log."""
    fs = with_snapshots(50)
    made = backup(fs, directory_of(1), OUT, is_running=False)
    assert not [name for name in read_backup(fs, OUT).names if name.endswith(".checkpoint")]
    _, new = restored(fs)
    assert (new.latest_snapshot, new.log.start_offset) == (None, 0)
    assert new.log.end_offset == made.facts["end_offset"] + 1


def test_a_log_without_the_snapshot_that_it_starts_at_is_not_backed_up():
    fs = with_snapshots(40, starts_at=40)
    fs.unlink(f"{directory_of(1)}/__cluster_metadata-0/00000000000000000040-0000000001.checkpoint")
    with pytest.raises(LocalError, match=r"starts at offset .*and no snapshot holds what was before"):
        backup(fs, directory_of(1), OUT, is_running=False)
    assert not fs.exists(OUT)


def test_nothing_is_replaced():
    """Neither a backup by another, nor a directory with something in it."""
    fs, _ = backed_up()
    with pytest.raises(LocalError, match="a backup replaces nothing"):
        backup(fs, directory_of(1), OUT, is_running=False)
    bundle = read_backup(fs, OUT)
    plan = plan_restore(bundle, directory_of(1))
    before = contents(fs, 1)
    with pytest.raises(LocalError, match="a restore replaces nothing"):
        restore(fs, bundle, plan, random.Random(5).randbytes)
    assert contents(fs, 1) == before


def test_an_altered_or_cut_backup_is_refused_before_anything_is_made():
    """Wherever the bit is, and however much is missing."""
    fs, made = backed_up()
    for position in random.Random(3).sample(range(made.size), 60):
        fs.flip_bit(OUT, position)
        with pytest.raises(CorruptLogError):
            read_backup(fs, OUT)
        fs.flip_bit(OUT, position)
    assert read_backup(fs, OUT).digest == made.digest
    fs.open(OUT, write=True).truncate(made.size - 512)
    with pytest.raises(CorruptLogError):
        read_backup(fs, OUT)


@pytest.mark.parametrize("is_running", [True, False])
def test_a_corrupt_directory_is_not_backed_up(is_running):
    """Its backup would be corrupt too, or lack what was committed, with a digest that says it is whole."""
    fs = three({1: [(1, 30)]})
    fs.make_directory("/backups")
    fs.flip_bit(f"{directory_of(1)}/__cluster_metadata-0/00000000000000000000.log", 300)
    with pytest.raises(LocalError, match="a backup of it would be too"):
        backup(fs, directory_of(1), OUT, is_running=is_running)
    assert not fs.exists(OUT)


def test_a_log_that_ends_before_what_was_committed_is_not_backed_up():
    """Cut between two batches it has no corruption in it, and lacks what was committed by the recovery point."""
    fs = three({1: [(1, 30)]})
    fs.make_directory("/backups")
    replace_file(fs, f"{directory_of(1)}/recovery-point-offset-checkpoint", b"0\n1\n__cluster_metadata 0 40\n")
    with pytest.raises(LocalError, match="offset 40 was durable and committed there, and its log ends"):
        backup(fs, directory_of(1), OUT, is_running=False)
    assert not fs.exists(OUT)


def test_another_node_may_take_it_with_an_address():
    """A voter of kraft.version 1 needs to be found."""
    fs, _ = backed_up(dynamic=True)
    with pytest.raises(LocalError, match="no address of node 8: give --address"):
        plan_restore(read_backup(fs, OUT), NEW, node_id=8)
    _, new = restored(fs, node_id=8, address=("there", 9))
    assert voters_of(new.control_records)[-1][1].by_id(8).endpoints[0].host == "there"


def test_a_restore_killed_at_any_step_does_not_start():
    """The directory is empty, refuses to start, or is whole."""
    start, _ = backed_up(runs=((1, 5),))
    outcomes = set()
    for count, seed in itertools.product(range(10_000), range(8)):
        fs = start.copy()
        bundle = read_backup(fs, OUT)
        plan = plan_restore(bundle, NEW)
        fs.kill_at(count)
        try:
            restore(fs, bundle, plan, random.Random(5).randbytes)
        except Killed:
            fs.crash(random.Random(seed))
            try:
                found = read_meta_properties(fs, NEW)
            except MalformedError:
                outcomes.add("refuses")
                continue
            if found is None:
                names = fs.list_directory(NEW) if fs.is_directory(NEW) else []
                assert not [name for name in names if not name.endswith(".tmp")], count
                outcomes.add("empty")
            else:
                new = MetadataDirectory.open(fs, NEW, CONFIG, random.Random(6).randbytes)
                assert new.log.end_offset == plan.end_offset + 1
                outcomes.add("whole")
        else:
            break
    assert outcomes == {"refuses", "empty", "whole"}


def test_a_stopped_node_s_torn_tail_stays_out():
    """What was never promised is not kept."""
    fs = three({1: [(1, 30)]})
    path = max(name for name in contents(fs, 1) if name.endswith(".log"))
    file = fs.open(f"{directory_of(1)}/{path}", write=True)
    file.pwrite(batches(31, 1)[0][:50], file.size())
    file.sync()
    fs.make_directory("/backups")
    assert backup(fs, directory_of(1), OUT, is_running=False).facts["end_offset"] == 31
    _, new = restored(fs)
    assert new.log.recovery.truncated_bytes == 0


@pytest.mark.parametrize(("epoch", "offset"), [(1, 100), (2, 100), (2, 50)])
def test_a_log_that_a_snapshot_is_about_to_replace_is_not_backed_up_in_its_place(epoch, offset):
    """The next start throws it away: it lacks what was committed, and may hold what never was."""
    fs = with_a_snapshot_in_the_log_s_place(epoch, offset)
    fs.make_directory("/backups")
    with pytest.raises(LocalError, match=r"is just taking the place of its log"):
        backup(fs, directory_of(1), OUT, is_running=True)
    made = backup(fs, directory_of(1), OUT, is_running=False)
    assert (made.facts["end_offset"], made.facts["last_epoch"], made.facts["committed_below"]) == (
        offset,
        epoch,
        offset,
    )
    assert made.facts["epochs"] == [], "those are the log's that goes"
    names = [name for name in read_backup(fs, OUT).names if name.startswith("__cluster_metadata-0/")]
    assert names == [f"__cluster_metadata-0/{offset:020}-{epoch:010}.checkpoint"]
    _, new = restored(fs)
    assert (new.latest_snapshot.offset, new.log.start_offset, new.log.end_offset) == (offset, offset, offset + 1)
    assert new.warnings == ()


def test_a_log_of_which_nothing_states_how_far_it_reached_is_not_backed_up():
    """It reads well and may lack its end all the same, which a backup with a digest would hide."""
    fs = three({1: [(1, 30)]})
    fs.make_directory("/backups")
    point = f"{directory_of(1)}/recovery-point-offset-checkpoint"
    replace_file(fs, point, b"0\n9\n")
    with pytest.raises(LocalError, match=f"{point} is malformed.*another node.*delete {point}"):
        backup(fs, directory_of(1), OUT, is_running=False)
    assert not fs.exists(OUT)
    fs.unlink(point)
    assert backup(fs, directory_of(1), OUT, is_running=False).facts["end_offset"] == 31, "the way out leads out"
