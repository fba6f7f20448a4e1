"""How a node repairs a corrupt log: whether it may be fetched again depends on which other node could have it."""

from __future__ import annotations

import errno
import os
import random
from contextlib import suppress

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import CorruptLogError, StorageError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.replica_status import VoterStatus
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet
from kraftpy.node.repair import RepairPolicy, open_or_repair
from kraftpy.raft.config import RaftConfig
from kraftpy.records.batch import encode_batch, encode_control_batch
from kraftpy.records.control import (
    ControlRecord,
    LeaderChangeMessage,
    LeaderChangeMessageVoter,
    voter_set_to_record,
)
from kraftpy.runtime.recovered_state import recovered_state
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.filesystem import read_file
from kraftpy.storage.names import (
    LEADER_EPOCH_CHECKPOINT,
    METADATA_DIRECTORY,
    QUARANTINE,
    QUORUM_STATE,
    RECOVERY_POINT_CHECKPOINT,
)
from kraftpy.storage.quarantine import is_of_the_log
from kraftpy.storage.quorum_state import read_quorum_state
from tests.fakes.filesystem import SECTOR_BYTES, Killed, SimulatedFileSystem
from tests.unit.storage.logs import DIRECTORY, ROOT, T0, TINY, batches, disk, filled, open_log
from tests.unit.storage.test_directory import open_directory, snapshot

KEY = ReplicaKey(1, bytes(16))
OWN, OTHER = Endpoint("CONTROLLER", "h1", 1), Endpoint("CONTROLLER", "h2", 1)
VOTE = ElectionState(epoch=3, voted_key=ReplicaKey(2))


def voters(*node_ids: int) -> VoterSet:
    return VoterSet.of([Voter(ReplicaKey(one), (OTHER,), 0, 1) for one in node_ids])


def policy(*, enabled=True, **raft) -> RepairPolicy:
    settings = {"static_voters": voters(1, 2, 3), "own_endpoints": (OWN,)} | raft
    return RepairPolicy(enabled=enabled, raft=RaftConfig(**settings), key=KEY)


@pytest.mark.parametrize(
    ("known", "settings", "refusal"),
    [
        (None, {}, None),
        (None, {"enabled": False}, "metadata.log.repair.from.peers is false"),
        (None, {"static_voters": voters(1)}, "the only voter"),
        (voters(1), {"static_voters": voters(), "bootstrap_servers": (OWN, OTHER)}, "the only voter"),
        (voters(1, 2), {"static_voters": voters(), "bootstrap_servers": (OWN,)}, None),
        (None, {"static_voters": voters(), "bootstrap_servers": (OWN,)}, "knows of no other one"),
        (None, {"static_voters": voters(), "bootstrap_servers": (OWN, OTHER)}, None),
        (None, {"static_voters": voters(2), "can_vote": False}, None),
        (None, {"static_voters": voters(1), "can_vote": False}, "knows of no other one"),
        (voters(2), {"static_voters": voters(), "bootstrap_servers": (OTHER,), "can_vote": False}, None),
    ],
)
def test_who_may_fetch_again(known, settings, refusal):
    found = policy(**settings).why_not(known)
    assert (found is None) == (refusal is None), found
    assert refusal is None or refusal in found


def lived_in(recovery_point: int = 55) -> SimulatedFileSystem:
    fs = disk()
    log = filled(fs, 60)
    log.note_durable(recovery_point)
    log.close()
    directory = open_directory(fs)
    snapshot(directory, 20, 1)
    directory.quorum_state.write(VOTE, version=0)
    directory.status.write(directory.status.value.as_eligible())
    directory.close()
    return fs


def opened(fs, chosen=None):
    return open_or_repair(fs, ROOT, TINY, random.Random(2).randbytes, chosen or policy(), now_ms=lambda: T0)


def test_a_sound_directory_is_opened_as_ever():
    directory, repaired = opened(lived_in())
    assert repaired is None
    assert (directory.log.end_offset, recovered_state(directory).replica_status.is_eligible) == (60, True)


def corrupt_segment(fs):
    fs.flip_bit(f"{DIRECTORY}/00000000000000000000.log", 1_000)
    return "00000000000000000000.log at byte"


def corrupt_snapshot(fs):
    fs.flip_bit(f"{DIRECTORY}/00000000000000000020-0000000001.checkpoint", 90)
    return r"0001.checkpoint is corrupt at byte"


def lose_a_segment(fs):
    segments = [name for name in fs.list_directory(DIRECTORY) if name.endswith(".log")]
    fs.unlink(f"{DIRECTORY}/{segments[1]}")
    return "begins at offset"


def lose_the_end(fs):
    for name in fs.list_directory(DIRECTORY):
        if name.endswith(".log") and name[-5] != "0":
            fs.unlink(f"{DIRECTORY}/{name}")
    return "records are missing"


@pytest.mark.parametrize("corruption", [corrupt_segment, corrupt_snapshot, lose_a_segment, lose_the_end])
def test_a_corrupt_log_is_quarantined_and_the_vote_is_kept(corruption):
    """The node starts with nothing but its promises, recovering, and one line says what was found and what happens."""
    fs = lived_in()
    states = corruption(fs)
    directory, repaired = opened(fs)
    recovered = recovered_state(directory)
    assert (recovered.log_end_offset, recovered.snapshots, recovered.election_state) == (0, (), VOTE)
    assert recovered.replica_status.status is VoterStatus.RECOVERING
    assert recovered.replica_status.quarantine is not None
    assert 20 <= recovered.replica_status.committed <= 55
    assert repaired.quarantined_log.path.startswith(f"{DIRECTORY}/{QUARANTINE}/")
    assert repaired.text.startswith("CORRUPTION: ")
    assert "\n" not in repaired.text
    assert states in repaired.text.replace("\\", "")
    directory.close()
    again, nothing = opened(fs)
    assert nothing is None
    assert recovered_state(again).replica_status.quarantine is not None, "a restart proves nothing"


def test_corruption_that_may_not_be_quarantined_is_refused_as_ever():
    fs = lived_in()
    corrupt_segment(fs)
    before = {name: read_file(fs, f"{DIRECTORY}/{name}") for name in fs.list_directory(DIRECTORY)}
    with pytest.raises(CorruptLogError, match=r"at byte .*Ways out: .*not quarantined: this node is the only voter"):
        opened(fs, policy(static_voters=voters(1)))
    assert {name: read_file(fs, f"{DIRECTORY}/{name}") for name in fs.list_directory(DIRECTORY)} == before


def test_corruption_in_an_older_snapshot_is_met_at_the_start():
    """The cleaner reads how old it is, and would stop the node; after every start, if that did not look."""
    fs = lived_in()
    directory = open_directory(fs)
    snapshot(directory, 40, 1)
    directory.close()
    older = f"{DIRECTORY}/00000000000000000020-0000000001.checkpoint"
    fs._inode(older).put(bytes(50), 0)
    with pytest.raises(CorruptLogError, match=r"0020-0000000001.checkpoint .*at byte 0.*Or delete the file: sn"):
        opened(fs, policy(static_voters=voters(1)))
    alone = fs.copy()
    alone.unlink(older)
    assert opened(alone, policy(static_voters=voters(1)))[1] is None, "the way out leads out"
    directory, repaired = opened(fs)
    assert (directory.log.end_offset, recovered_state(directory).replica_status.is_eligible) == (0, False)
    assert "0020-" in repaired.text


def test_corruption_in_what_storage_format_left_stops_no_node_with_a_newer_snapshot():
    """The cleaner skips it, and so does the loader."""
    fs = lived_in()
    replace_file(fs, f"{DIRECTORY}/00000000000000000000-0000000000.checkpoint", bytes(50))
    directory, repaired = opened(fs)
    assert (directory.log.end_offset, repaired) == (60, None)


def overwrite(fs, path):
    """Put the log's last sector where another file's content was, and zeros in its own place."""
    name = max(name for name in fs.list_directory(DIRECTORY) if name.endswith(".log"))
    segment, other = fs._inode(f"{DIRECTORY}/{name}"), fs._inode(path)
    start = (len(segment.live) - 1) // SECTOR_BYTES * SECTOR_BYTES
    other.put(bytes(segment.live[start : start + len(other.live)]), 0)
    segment.put(bytes(len(segment.live) - start), start)


@pytest.mark.parametrize("path", [f"{ROOT}/{RECOVERY_POINT_CHECKPOINT}", f"{DIRECTORY}/{LEADER_EPOCH_CHECKPOINT}"])
def test_a_log_beside_which_a_file_was_overwritten_is_not_believed_to_be_whole(path):
    """Its end was lost cleanly with it: an only voter refuses and reports it; others fetch everything again."""
    fs = disk()
    batch = [encode_batch([bytes(442)], base_offset=offset, epoch=1, timestamp_ms=T0) for offset in range(4)]
    log = open_log(fs)
    log.append(batch, T0)
    log.sync()
    log.note_durable(3)
    log.close()
    overwrite(fs, path)
    assert {len(each) for each in batch} == {SECTOR_BYTES}
    assert open_log(fs.copy()).end_offset == len(batch) - 1, "nothing in the log itself tells"
    states = rf"{path} is malformed.*reads well up to offset 3 \(epoch 1\).*Ways out: .*delete "
    with pytest.raises(CorruptLogError, match=states + r".*this node is the only voter"):
        opened(fs, policy(static_voters=voters(1)))
    alone = fs.copy()
    alone.unlink(path)
    assert opened(alone, policy(static_voters=voters(1)))[1] is None, "the way out leads out"
    follows, repaired = opened(fs.copy(), policy(can_vote=False))
    assert (repaired, "CORRUPTION" in follows.warnings[0]) == (None, True)
    directory, repaired = opened(fs)
    assert "this disk cannot show" in repaired.text
    assert (directory.log.end_offset, recovered_state(directory).replica_status.is_eligible) == (0, False)


@pytest.mark.parametrize("path", [f"{ROOT}/{RECOVERY_POINT_CHECKPOINT}", f"{DIRECTORY}/{LEADER_EPOCH_CHECKPOINT}"])
def test_a_kill_during_such_a_start_leaves_the_file_or_a_voter_that_does_not_count(path):
    """Also where a newer snapshot would replace the log: the replacement would remove what shows the loss."""
    broken = lived_in(recovery_point=0)
    snapshots = open_directory(broken)
    snapshot(snapshots, 60, 1)
    snapshots.close()
    for name in broken.list_directory(DIRECTORY):
        if name.endswith(".log") and name[-5] != "0":
            broken.unlink(f"{DIRECTORY}/{name}")
    replace_file(broken, path, b"\x00\x00 the end of the log")
    for step in range(300):
        fs = broken.copy()
        fs.kill_at(step)
        try:
            opened(fs)
        except Killed:
            fs.crash(random.Random(step))
            directory, _ = opened(fs)
            assert not recovered_state(directory).replica_status.is_eligible, step
        else:
            assert step > 20, "the steps were counted"
            return
    pytest.fail("it never ends")


@pytest.mark.parametrize("point", [None, b"0\n9\n"])
@pytest.mark.parametrize("enabled", [False, True])
def test_moving_the_log_away_leads_out(enabled, point):
    """The error names it as a way out; the file with the log's former end is beside it, and is not moved."""
    fs = lived_in()
    corrupt_segment(fs)
    if point is not None:
        replace_file(fs, f"{ROOT}/{RECOVERY_POINT_CHECKPOINT}", point)
    with pytest.raises(CorruptLogError, match=f"move {DIRECTORY} away"):
        opened(fs.copy(), policy(enabled=False))
    del fs.directories[DIRECTORY]
    directory, repaired = opened(fs, policy(enabled=enabled))
    recovered = recovered_state(directory)
    assert recovered.log_end_offset == 0
    assert recovered.replica_status.status is VoterStatus.RECOVERING, (
        "it held something once, so it does not say that it is empty"
    )
    assert repaired.quarantined_log.path.startswith(f"{DIRECTORY}/{QUARANTINE}/")
    directory.close()
    assert opened(fs, policy(enabled=enabled))[1] is None


def test_a_log_that_was_lost_otherwise_is_not_one_that_was_moved_away():
    """No operator decided that: where repair is off the start is refused, whether all of it is gone or none counts."""
    lost = lived_in()
    for name in lost.list_directory(DIRECTORY):
        if is_of_the_log(name):
            lost.unlink(f"{DIRECTORY}/{name}")
    with pytest.raises(CorruptLogError, match=r"records are missing.*metadata\.log\.repair\.from\.peers is false"):
        opened(lost, policy(enabled=False))
    fetched = disk()
    directory = open_directory(fetched)
    assert recovered_state(directory).replica_status.status is VoterStatus.EMPTY, (
        "it began empty, and is not proven yet"
    )
    directory.log.append(batches(0, 60), T0)
    directory.log.sync()
    directory.log.note_durable(55)
    directory.close()
    corrupt_segment(fetched)
    with pytest.raises(CorruptLogError, match=r"at byte .*metadata\.log\.repair\.from\.peers is false"):
        opened(fetched, policy(enabled=False))


def test_a_corrupt_vote_is_not_repaired():
    """A voter that lost its vote may vote twice."""
    fs = lived_in()
    fs.flip_bit(f"{DIRECTORY}/{QUORUM_STATE}", 0)
    with pytest.raises(StorageError, match="quorum-state cannot be used"):
        opened(fs)


def test_the_only_voter_of_a_log_at_kraft_version_1_refuses():
    """Its snapshot shows that it is the only voter."""
    fs = disk()
    filled(fs, 60).close()
    directory = open_directory(fs)
    snapshot(directory, 20, 1, kraft_version=1, voters=VoterSet.of([Voter(KEY, (OWN,), 0, 1)]))
    directory.close()
    corrupt_segment(fs)
    dynamic = {"static_voters": voters(), "bootstrap_servers": (OWN, OTHER)}
    with pytest.raises(CorruptLogError, match="this node is the only voter"):
        opened(fs, policy(**dynamic))


# What the disk does not give back.


def unreadable(fs, path):
    """The file has its name, and its bytes do not come back."""

    def before(operation, asked):
        if operation == "pread" and asked == path:
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)

    fs.before = before


@pytest.mark.parametrize(
    "name", ["00000000000000000000.log", "00000000000000000020-0000000001.checkpoint", "leader-epoch-checkpoint"]
)
def test_a_file_of_the_log_that_cannot_be_read_is_corruption(name):
    """An error of the device is handled as corruption is; the file may have held what was promised."""
    fs = lived_in()
    unreadable(fs, f"{DIRECTORY}/{name}")
    with pytest.raises(CorruptLogError, match=rf"{name}.*The disk does not return.*Ways out: .*the only voter"):
        opened(fs, policy(static_voters=voters(1)))
    directory, repaired = opened(fs)
    recovered = recovered_state(directory)
    assert (recovered.log_end_offset, recovered.replica_status.committed) == (0, 55)
    assert f"{name}: Input/output error. The disk does not return what was written there: replace it" in repaired.text


def test_a_vote_that_cannot_be_read_is_not_repaired():
    """Nor is the identity: no other node knows what this node promised."""
    fs = lived_in()
    unreadable(fs, f"{DIRECTORY}/{QUORUM_STATE}")
    with pytest.raises(StorageError, match=r"quorum-state: Input/output error\. The disk does not return"):
        opened(fs)
    assert QUARANTINE not in fs.list_directory(DIRECTORY), "nothing was moved"


# Which nodes vote, by the records after the corruption.

BOTH = {"static_voters": voters(), "bootstrap_servers": (OWN, OTHER)}


def grown(*records: ControlRecord) -> SimulatedFileSystem:
    """Sixty records, of which one is corrupt, and control records behind them."""
    fs = disk()
    log = filled(fs, 60)
    log.append([encode_control_batch(list(records), base_offset=60, epoch=1, timestamp_ms=T0)], T0)
    log.sync()
    log.note_durable(61)
    log.close()
    corrupt_segment(fs)
    return fs


def leads(*node_ids: int) -> LeaderChangeMessage:
    named = [LeaderChangeMessageVoter(one) for one in node_ids]
    return LeaderChangeMessage(leader_id=1, voters=named, granting_voters=named)


def test_a_voter_that_became_the_only_one_after_the_corruption_refuses():
    """What was committed since is stored nowhere else, whatever the voters were before."""
    with pytest.raises(CorruptLogError, match="this node is the only voter"):
        opened(grown(voter_set_to_record(VoterSet.of([Voter(KEY, (OWN,), 0, 1)]))), policy(**BOTH))
    with pytest.raises(CorruptLogError, match="this node is the only voter"):
        opened(grown(leads(1)))


def test_a_quorum_that_grew_after_the_corruption_repairs():
    """The voters of the snapshot are not those of today."""
    alone = voter_set_to_record(VoterSet.of([Voter(KEY, (OWN,), 0, 1)]))
    fs = grown(alone, voter_set_to_record(voters(1, 2, 3)))
    assert opened(fs, policy(static_voters=voters(1)))[1] is not None
    fs = grown(leads(1), voter_set_to_record(voters(1, 2, 3)), leads(1, 2, 3))
    assert opened(fs, policy(**BOTH))[1] is not None
    fs = grown(leads(1), voter_set_to_record(voters(1, 2, 3)))
    assert opened(fs, policy(**BOTH))[1] is not None, "whom a leader named before that set says nothing of it"


# Any bit.


def test_any_bit_of_any_file_is_the_same_log_or_a_recovering_one_or_a_refusal():
    """Never a node that counts and holds less, or other records, than it promised."""
    base = lived_in(recovery_point=60)
    whole = dict_of(opened(base)[0])
    rng = random.Random(11)
    names = [f"{METADATA_DIRECTORY}/{name}" for name in base.list_directory(DIRECTORY)]
    paths = [f"{ROOT}/{name}" for name in [*names, RECOVERY_POINT_CHECKPOINT]]
    seen = {"same": 0, "set aside": 0, "refused": 0}
    for path in paths:
        bits = 8 * base.size(path)
        for position in rng.sample(range(bits), min(bits, 60)):
            fs, directory, repaired = base.copy(), None, None
            fs.flip_bit(path, position // 8, position % 8)
            with suppress(StorageError):
                seen["refused"] += 1
                directory, repaired = opened(fs)
                seen["refused"] -= 1
            if directory is None:
                pass
            elif repaired is None:
                assert recovered_state(directory).replica_status.is_eligible
                assert dict_of(directory) == whole, (path, position)
                seen["same"] += 1
            else:
                assert not recovered_state(directory).replica_status.is_eligible
                assert repaired.quarantined_log.committed <= 60, "no flipped bit makes it wait for what never was"
                seen["set aside"] += 1
    assert min(seen.values()) > 20, seen


def test_no_flipped_bit_of_an_epoch_is_believed():
    """No checksum covers it. A wrong epoch, earlier, later or unknown, is detected by the epoch checkpoint."""
    base = lived_in(recovery_point=60)
    for name in [name for name in base.list_directory(DIRECTORY) if name.endswith(".log")]:
        path = f"{DIRECTORY}/{name}"
        data, position = read_file(base, path), 0
        while position + 61 < len(data) and data[position + 16] == 2:
            for bit in (0, 1, 2, 12, 30):
                fs = base.copy()
                fs.flip_bit(path, position + 15 - bit // 8, bit % 8)
                _, repaired = opened(fs)
                assert repaired is not None, (path, position, bit)
            position += 12 + int.from_bytes(data[position + 8 : position + 12], "big")


def dict_of(directory):
    """Every byte that would be served or loaded."""
    latest = directory.snapshots.latest
    assert latest == OffsetAndEpoch(1, 20)
    return {
        "records": [batch.data for batch in directory.log.iterate(0)],
        "snapshot": b"".join(directory.snapshots.open_chunks(latest)),
    }


def test_the_vote_is_where_it_was():
    fs = lived_in()
    corrupt_segment(fs)
    opened(fs)
    assert read_quorum_state(fs, f"{DIRECTORY}/{QUORUM_STATE}") == VOTE
