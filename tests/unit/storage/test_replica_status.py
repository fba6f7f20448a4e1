"""``kraftpy.replica-status``: written before what it protects, as a whole, and never ignored."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from kraftpy.model.digests import DIGEST_BYTES, StateDigest
from kraftpy.model.election import ElectionState
from kraftpy.model.errors import StorageError
from kraftpy.model.replica_status import Divergence, LogQuarantine, ReplicaStatus, VoterStatus
from kraftpy.runtime.recovered_state import recovered_state
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import join
from kraftpy.storage.names import METADATA_DIRECTORY, REPLICA_STATUS
from kraftpy.storage.replica_status import ReplicaStatusFile, render_replica_status
from tests.fakes.filesystem import Killed, SimulatedFileSystem

ROOT = "/d"
DIRECTORY = join(ROOT, METADATA_DIRECTORY)
TINY = LogConfig(segment_bytes=1_000, preallocate_bytes=0)


def disk() -> SimulatedFileSystem:
    fs = SimulatedFileSystem()
    fs.make_directory(ROOT)
    return fs


def open_directory(fs: SimulatedFileSystem, seed: int = 1) -> MetadataDirectory:
    return MetadataDirectory.open(fs, ROOT, TINY, random.Random(seed).randbytes)


def put(fs: SimulatedFileSystem, name: str, content: bytes = b"") -> None:
    if not fs.is_directory(DIRECTORY):
        fs.make_directory(DIRECTORY)
    file = fs.open(join(DIRECTORY, name), write=True, create=True)
    file.pwrite(content, 0)
    file.sync()
    file.close()
    fs.sync_directory(DIRECTORY)


def status_of(fs: SimulatedFileSystem) -> ReplicaStatus:
    return ReplicaStatusFile.read(fs, DIRECTORY).value


def test_an_empty_directory_gets_an_incarnation_id_that_stays() -> None:
    fs = disk()
    first = open_directory(fs).status.value
    again = open_directory(fs, seed=2).status.value
    assert first.status is VoterStatus.EMPTY
    assert first.incarnation_id is not None
    assert again == first


def test_another_empty_directory_has_another_incarnation_id() -> None:
    one, other = (open_directory(disk(), seed).status.value.incarnation_id for seed in (1, 2))
    assert one != other


@pytest.mark.parametrize("fact", [{}, {"removed": bytes(range(16))}])
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["quorum-state"], VoterStatus.ELIGIBLE),
        (["00000000000000000000.log"], VoterStatus.RECOVERING),
        (["00000000000000000007-0000000001.checkpoint"], VoterStatus.RECOVERING),
        (["00000000000000000000.log", "quorum-state"], VoterStatus.ELIGIBLE),
        (["00000000000000000000-0000000000.checkpoint"], VoterStatus.EMPTY),
        (["00000000000000000000-0000000000.checkpoint", "quorum-state"], VoterStatus.ELIGIBLE),
        (["partition.metadata"], VoterStatus.EMPTY),
        ([], VoterStatus.EMPTY),
    ],
)
def test_what_counts_as_holding_something(names: list[str], expected: VoterStatus, fact: dict[str, bytes]) -> None:
    """A vote, a segment or a snapshot; not what ``storage format`` leaves, nor a status that states something else."""
    fs = disk()
    fs.make_directory(DIRECTORY)
    for name in names:
        put(fs, name)
    if fact:
        put(fs, REPLICA_STATUS, render_replica_status(ReplicaStatus(**fact)))
    for _ in range(2):
        file = ReplicaStatusFile.open(fs, DIRECTORY, random.Random(1).randbytes)
        assert file.value.status is expected
        assert (file.value.incarnation_id is not None) is (expected is VoterStatus.EMPTY)
        assert file.value.vote_lost is (expected is VoterStatus.RECOVERING)
        assert file.value.removed == fact.get("removed")
        assert status_of(fs) == file.value
    file.write(file.value.as_eligible())
    assert status_of(fs) == ReplicaStatus(**fact)
    assert fs.exists(join(DIRECTORY, REPLICA_STATUS)) is bool(fact), "what has nothing to state is no file"


def test_a_kill_at_any_step_leaves_it_empty_until_it_is_eligible() -> None:
    """Whenever the first start dies, and whatever the disk forgets, the next one finds nothing or the status."""
    for step in range(200):
        fs = disk()
        fs.kill_at(step)
        try:
            directory = open_directory(fs)
            directory.quorum_state.write(ElectionState(1), version=0)
            directory.status.write(directory.status.value.as_eligible())
        except Killed:
            pass
        else:
            assert step > 10, "the steps were counted"
            break
        fs.crash(random.Random(step))
        names = set(fs.list_directory(DIRECTORY)) if fs.is_directory(DIRECTORY) else set()
        if "quorum-state" not in names:
            assert open_directory(fs).status.value.status is VoterStatus.EMPTY, step
    else:
        pytest.fail("the first start never ends")
    fs.crash(random.Random(0))
    assert open_directory(fs).status.value.is_eligible


def test_nothing_is_written_before_the_status() -> None:
    fs = disk()
    for step in range(200):
        fs = disk()
        fs.kill_at(step)
        try:
            open_directory(fs)
        except Killed:
            fs.crash(random.Random(step))
            names = set(fs.list_directory(DIRECTORY)) if fs.is_directory(DIRECTORY) else set()
            others = {name for name in names if not name.startswith(REPLICA_STATUS)}
            assert not others or REPLICA_STATUS in names, (step, names)
        else:
            return
    pytest.fail("the first start never ends")


FULL = ReplicaStatus(
    removed=bytes(range(16)),
    divergence=Divergence(StateDigest(8, b"a" * DIGEST_BYTES), StateDigest(8, b"b" * DIGEST_BYTES)),
)
STATUSES = {
    "eligible": FULL,
    "empty": ReplicaStatus().as_empty(bytes(range(16))),
    "lost its vote": FULL.as_recovering("its vote was lost: \u2026 = #", vote_lost=True),
    "quarantined": FULL.as_quarantined(LogQuarantine("2026-11-21T17-09-05Z", 1_234, is_finished=False)),
    "duplicate": ReplicaStatus().as_duplicate("leader 1 counts another directory"),
}


@pytest.mark.parametrize("name", STATUSES)
def test_it_is_read_as_it_was_written_after_a_crash(name: str) -> None:
    fs = disk()
    fs.make_directory(DIRECTORY)
    put(fs, "quorum-state")
    file = ReplicaStatusFile.read(fs, DIRECTORY)
    file.write_divergence(STATUSES[name].divergence)
    file.write(STATUSES[name])
    fs.crash(random.Random(0))
    assert status_of(fs) == file.value == STATUSES[name]


def test_what_the_replica_stores_forgets_no_divergence_and_the_other_way_round() -> None:
    """The replica knows of no divergence, and the guard of the state of no eligibility."""
    fs = disk()
    file = open_directory(fs).status
    empty = file.value
    file.write_divergence(FULL.divergence)
    assert status_of(fs) == replace(empty, divergence=FULL.divergence)
    file.write(ReplicaStatus())
    assert status_of(fs) == ReplicaStatus(divergence=FULL.divergence)
    file.write(empty)
    file.write_divergence(None)
    assert status_of(fs) == empty


def test_being_rejected_takes_the_incarnation_id_and_keeps_what_was_lost() -> None:
    empty = STATUSES["empty"].as_duplicate("another directory is counted")
    assert (empty.status, empty.incarnation_id) == (VoterStatus.DUPLICATE_ID, None)
    again = STATUSES["quarantined"].as_recovering("its vote was lost", vote_lost=True)
    assert again.quarantine == STATUSES["quarantined"].quarantine
    assert again.as_quarantined(LogQuarantine("x", 7, is_finished=True)).vote_lost


def test_any_flipped_bit_is_found() -> None:
    """No bit of the file can flip unnoticed, in the status, a fact, the checksum or between them."""
    content = render_replica_status(STATUSES["quarantined"])
    for position in range(len(content)):
        for bit in range(8):
            fs = disk()
            put(fs, REPLICA_STATUS, content)
            fs.flip_bit(join(DIRECTORY, REPLICA_STATUS), position, bit)
            with pytest.raises(StorageError, match=r"kraftpy\.replica-status cannot be used"):
                ReplicaStatusFile.read(fs, DIRECTORY)


def test_one_that_an_operator_wrote_makes_it_wait_for_a_leader() -> None:
    """As the error of an unreadable file advises."""
    fs = disk()
    put(fs, REPLICA_STATUS, b"version=1\nstatus=recovering\n")
    status = open_directory(fs).status.value
    assert (status.status, status.incarnation_id, status.vote_lost) == (VoterStatus.RECOVERING, None, False)
    assert status.reason


DIVERGED = b"version=1\nstatus=eligible\ndiverged.offset=%s\ndiverged.own.digest=%s\ndiverged.majority.digest=%s\n"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"version=0\nlife.id=\n",
        b"version=2\nstatus=recovering\n",
        b"version=1\n",
        b"version=1\nstatus=well\n",
        b"version=1\nstatus=empty\n",
        b"version=1\nstatus=empty\nincarnation.id=x\n",
        b"version=1\nstatus=recovering\nincarnation.id=AAECAwQFBgcICQoLDA0ODw\n",
        b"version=1\nstatus=eligible\nvote.lost=true\n",
        b"version=1\nstatus=recovering\nvote.lost=perhaps\n",
        b"version=1\nstatus=recovering\nvote.last=true\n",
        b"version=1\nstatus=eligible\nremoved.directory.id=x\n",
        *(
            b"version=1\nstatus=recovering\nquarantine." + note
            for note in (
                b"name=../x\nquarantine.finished=true\nquarantine.committed.offset=1\n",
                b"name=.x\nquarantine.finished=true\nquarantine.committed.offset=1\n",
                b"name=x\nquarantine.finished=perhaps\nquarantine.committed.offset=1\n",
                b"name=x\nquarantine.finished=true\nquarantine.committed.offset=-1\n",
                b"name=x\nquarantine.finished=true\n",
                b"name=\nquarantine.finished=true\nquarantine.committed.offset=1\n",
            )
        ),
        DIVERGED % (b"8", b"00" * DIGEST_BYTES, b"00" * DIGEST_BYTES),
        DIVERGED % (b"-8", b"00" * DIGEST_BYTES, b"00" * DIGEST_BYTES) + b"diverged.refetched=true\n",
        DIVERGED % (b"8", b"00", b"00" * DIGEST_BYTES) + b"diverged.refetched=true\n",
        DIVERGED % (b"8", b"00" * DIGEST_BYTES, b"zz" * DIGEST_BYTES) + b"diverged.refetched=true\n",
    ],
)
def test_one_that_cannot_be_understood_stops_the_start(content: bytes) -> None:
    """The error names the file and the way out."""
    fs = disk()
    put(fs, REPLICA_STATUS, content)
    with pytest.raises(StorageError, match=r"kraftpy\.replica-status cannot be used.*Ways out: .*waits for a leader"):
        open_directory(fs)


def test_a_removal_reaches_the_replica() -> None:
    fs = disk()
    directory = open_directory(fs)
    directory.status.write(replace(directory.status.value, removed=bytes(range(16))))
    fs.crash(random.Random(0))
    assert recovered_state(open_directory(fs)).replica_status.removed == bytes(range(16))
