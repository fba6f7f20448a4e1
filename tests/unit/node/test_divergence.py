"""A state that is not the majority's: was it the memory or the disk, and what exactly?"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import kraftpy.node.divergence as divergence_module
from kraftpy.image import MetadataImage, MetadataLoader
from kraftpy.image.digest import image_digest
from kraftpy.model.digests import StateDigest
from kraftpy.model.errors import CorruptLogError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.replica_status import Divergence, VoterStatus
from kraftpy.node.divergence import (
    DiskIsWrong,
    MemoryCorruption,
    NothingThere,
    StateDivergedError,
    examine,
    first_differing_offset,
    open_examined,
    what_was_wrong,
)
from kraftpy.node.repair import open_or_repair
from kraftpy.records.batch import encode_batch
from kraftpy.records.metadata import ConfigRecord, Record, encode_for_level
from kraftpy.runtime.snapshotter import QuorumAt, write_snapshot
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import File
from kraftpy.storage.quarantine import quarantine
from kraftpy.storage.replica_status import ReplicaStatusFile
from kraftpy.storage.scan import WholeBatch, whole_batches
from tests.fakes.filesystem import SimulatedFileSystem
from tests.unit.image.support import EPOCH, replay, start
from tests.unit.node.test_repair import policy
from tests.unit.storage.logs import DIRECTORY, ROOT, T0, TINY, disk

LEVEL = 42


def draw(size: int) -> bytes:
    return bytes(range(1, size + 1))


def config(name: str, value: str) -> ConfigRecord:
    return ConfigRecord(16, name, "metrics", value)


HONEST: list[list[Record]] = [
    list(start()),
    [config("a", "1"), config("b", "1")],
    [config("a", "2")],
    [config("c", "1")],
]
END = 6


def opened(fs: SimulatedFileSystem) -> MetadataDirectory:
    return MetadataDirectory.open(fs, ROOT, TINY, draw)


def filled(groups: list[list[Record]], fs: SimulatedFileSystem | None = None) -> SimulatedFileSystem:
    """A disk with a log of these batches."""
    fs = fs or disk()
    found = opened(fs)
    for group in groups:
        values = [encode_for_level(record, LEVEL) for record in group]
        data = encode_batch(values, base_offset=found.log.end_offset, epoch=EPOCH, timestamp_ms=T0)
        found.log.append([data], T0)
    found.log.sync()
    found.close()
    return fs


def state(groups: list[list[Record]], end_offset: int = END) -> MetadataImage:
    records = [record for group in groups for record in group]
    return replay(*records[:end_offset], offset=end_offset - 1)


def digest(image: MetadataImage) -> StateDigest:
    found = image_digest(image)
    assert found is not None
    return found


def divergence(own: MetadataImage, agreed: MetadataImage) -> Divergence:
    return Divergence(digest(own), digest(agreed))


def other(groups: list[list[Record]]) -> list[list[Record]]:
    """The same log with another value in the second batch."""
    return [groups[0], [config("a", "1"), config("b", "x")], *groups[2:]]


def snapshot_of(fs: SimulatedFileSystem, image: MetadataImage) -> OffsetAndEpoch:
    found = opened(fs)
    write_snapshot(found.snapshots, image, QuorumAt(None, 0), T0).freeze()
    found.close()
    return image.provenance.snapshot_id


def test_a_right_disk_means_a_wrong_memory() -> None:
    """The first thing that differs is named, with the offset of the last record about it."""
    right, wrong = state(HONEST), state([*HONEST[:2], [config("a", "oops")], HONEST[3]])
    found = divergence(wrong, right)
    directory = opened(filled(HONEST))
    assert examine(directory, found, wrong) == MemoryCorruption(("config", "16", "a", "metrics"), 4)
    verdict = examine(directory, found, None)
    assert verdict == MemoryCorruption(None, None)
    assert "its memory was wrong" in str(verdict)


def test_what_is_after_the_digest_does_not_matter() -> None:
    """The log went on; the state at the offset of the digest is what counts."""
    found = divergence(state(other(HONEST)), state(HONEST))
    verdict = examine(opened(filled([*HONEST, [config("b", "9")]])), found, state(other(HONEST)))
    assert verdict == MemoryCorruption(("config", "16", "b", "metrics"), 3)


def test_a_disk_that_leads_elsewhere_is_wrong() -> None:
    """Checksums are right, and the state is not."""
    found = divergence(state(other(HONEST)), state(HONEST))
    verdict = examine(opened(filled(other(HONEST))), found, state(other(HONEST)))
    assert isinstance(verdict, DiskIsWrong)
    assert found.own.value.hex() in verdict.reason


def test_a_disk_that_leads_to_a_third_state_is_wrong() -> None:
    """Memory and disk may both be wrong, each in its own way."""
    third = [*HONEST[:2], [config("a", "third")], HONEST[3]]
    found = divergence(state(other(HONEST)), state(HONEST))
    assert isinstance(examine(opened(filled(third)), found, state(other(HONEST))), DiskIsWrong)


def test_a_log_that_is_too_short_proves_nothing() -> None:
    """What is not there cannot be wrong: it is fetched."""
    found = divergence(state(other(HONEST)), state(HONEST))
    assert examine(opened(filled(HONEST[:-1])), found, None) == NothingThere()


def test_a_right_snapshot_is_where_the_replay_begins() -> None:
    """A snapshot below the offset is believed if it leads to the majority's state; what it holds has no offset."""
    right, wrong = state(HONEST), state([*HONEST[:1], [config("a", "1"), config("b", "oops")], *HONEST[2:]])
    fs = filled(HONEST)
    snapshot_of(fs, state(HONEST, 4))
    verdict = examine(opened(fs), divergence(wrong, right), wrong)
    assert verdict == MemoryCorruption(("config", "16", "b", "metrics"), None)
    assert "in its snapshot" in str(verdict)


def test_a_snapshot_of_the_wrong_state_makes_the_disk_wrong() -> None:
    """One below the offset leads to the wrong state; one beyond it was written while the state was wrong."""
    right, wrong = state(HONEST), state(other(HONEST))
    found = divergence(wrong, right)
    below = filled(HONEST)
    snapshot_of(below, state(other(HONEST), 4))
    assert isinstance(examine(opened(below), found, wrong), DiskIsWrong)
    longer = [*HONEST, [config("d", "1")], [config("e", "1")]]
    beyond = filled(longer)
    snapshot_of(beyond, state(other(longer), 7))
    verdict = examine(opened(beyond), found, wrong)
    assert isinstance(verdict, DiskIsWrong)
    assert "was written while the state was wrong" in verdict.reason
    fine = filled(longer)
    snapshot_of(fine, state(longer, 7))
    assert examine(opened(fine), found, wrong) == MemoryCorruption(("config", "16", "b", "metrics"), 3)


def status(fs: SimulatedFileSystem) -> ReplicaStatusFile:
    return ReplicaStatusFile.read(fs, DIRECTORY)


def test_a_start_examines_only_what_was_found() -> None:
    """Without a note nothing is examined; with one, a right disk is opened, reported, and the note is gone."""
    fs = filled(HONEST)
    directory, reported = open_examined(fs, ROOT, TINY, draw, None)
    directory.close()
    assert reported is None
    status(fs).write_divergence(divergence(state(other(HONEST)), state(HONEST)))
    directory, reported = open_examined(fs, ROOT, TINY, draw, state(other(HONEST)))
    assert reported is not None
    assert "config 16 b metrics, written last at offset 3" in reported
    assert status(fs).value.divergence is None


def test_a_wrong_disk_is_quarantined_once() -> None:
    """The log is quarantined and the note records it: no examination at the next start; a new divergence is final."""
    fs = filled(other(HONEST))
    found = divergence(state(other(HONEST)), state(HONEST))
    status(fs).write_divergence(found)
    with pytest.raises(CorruptLogError, match="although every checksum in it is right"):
        open_examined(fs, ROOT, TINY, draw, None)
    directory, repaired = open_or_repair(fs, ROOT, TINY, draw, policy(), now_ms=lambda: T0)
    assert repaired is not None
    assert repaired.quarantined_log is not None
    assert directory.log.end_offset == 0
    assert directory.status.value.status is VoterStatus.RECOVERING
    directory.close()
    noted = status(fs).value.divergence
    assert noted is not None
    assert noted.is_refetched
    _, repaired = open_or_repair(fs, ROOT, TINY, draw, policy(), now_ms=lambda: T0)
    assert repaired is None
    assert StateDivergedError(noted, None).is_final
    assert "is not started once more by itself" in str(StateDivergedError(noted, None))


def test_a_kill_between_quarantining_and_noting_it_is_no_second_examination() -> None:
    """The log is gone, the note still asks for an examination: there is nothing to examine."""
    fs = filled(other(HONEST))
    status(fs).write_divergence(divergence(state(other(HONEST)), state(HONEST)))
    quarantine(fs, ROOT, "killed behind this", T0)
    directory, reported = open_examined(fs, ROOT, TINY, draw, None)
    assert (directory.log.end_offset, reported) == (0, None)
    noted = status(fs).value.divergence
    assert noted is not None
    assert noted.is_refetched


def test_a_log_that_lost_its_end_is_not_one_that_was_fetched_again() -> None:
    """What is missing is fetched and compared again; the next divergence is then examined as any other."""
    fs = filled(HONEST[:-1])
    status(fs).write_divergence(divergence(state(other(HONEST)), state(HONEST)))
    directory, reported = open_examined(fs, ROOT, TINY, draw, None)
    assert (directory.log.end_offset > 0, reported) == (True, None)
    assert status(fs).value.divergence is None


def test_the_first_differing_offset_is_named() -> None:
    """Both logs are compared record by record, whatever follows their ends."""
    fs = filled(other(HONEST))
    quarantined_log = quarantine(fs, ROOT, "wrong", T0)
    assert "is the same" in what_was_wrong(fs, DIRECTORY), "nothing was fetched yet"
    filled([*HONEST, [config("z", "1")]], fs)
    assert first_differing_offset(fs, quarantined_log.path, DIRECTORY) == 3
    assert what_was_wrong(fs, DIRECTORY) == f"the log in {quarantined_log.path} differs from offset 3 on"


def test_a_log_that_is_cut_while_it_is_compared_is_compared_as_far_as_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in use: what was found to be a batch may be gone before it is read. That must not end the node."""
    fs = filled(other(HONEST))
    quarantined_log = quarantine(fs, ROOT, "wrong", T0)
    filled(HONEST, fs)

    def found_then_cut(file: File, base: int) -> Iterator[WholeBatch]:
        found = list(whole_batches(file, base))
        if not file.path.startswith(quarantined_log.path):
            fs.open(file.path, write=True).truncate(found[1].position + 20)
        return iter(found)

    monkeypatch.setattr(divergence_module, "whole_batches", found_then_cut)
    assert "is the same" in what_was_wrong(fs, DIRECTORY)


def test_without_a_quarantined_log_nothing_is_named() -> None:
    """It was removed."""
    assert "not there any more" in what_was_wrong(filled(HONEST), DIRECTORY)


def test_the_loader_and_the_short_way_lead_to_the_same_digest() -> None:
    """These tests make states by replaying records; a log that is loaded leads to the same digest."""
    directory = opened(filled(HONEST))
    loader = MetadataLoader()
    loader.load_batches(list(directory.log.iterate(0)))
    assert digest(loader.image) == digest(state(HONEST))
