"""The mark of an empty directory: there before anything else, and gone for good when it is proven."""

from __future__ import annotations

import random

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import StorageError
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import join, read_file
from kraftpy.storage.names import METADATA_DIRECTORY, UNPROVEN
from kraftpy.storage.unproven import UnprovenMark
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


def test_an_empty_directory_is_marked_with_a_life_that_stays() -> None:
    fs = disk()
    first = open_directory(fs)
    again = open_directory(fs, seed=2)
    assert first.mark.is_set
    assert first.mark.incarnation_id is not None
    assert (again.mark.is_set, again.mark.incarnation_id) == (True, first.mark.incarnation_id)


def test_another_empty_directory_has_another_life() -> None:
    assert open_directory(disk(), 1).mark.incarnation_id != open_directory(disk(), 2).mark.incarnation_id


@pytest.mark.parametrize(
    ("names", "is_set", "vote_lost"),
    [
        (["quorum-state"], False, False),
        (["00000000000000000000.log"], True, True),
        (["00000000000000000007-0000000001.checkpoint"], True, True),
        (["00000000000000000000.log", "quorum-state"], False, False),
        (["00000000000000000000-0000000000.checkpoint"], True, False),
        (["00000000000000000000-0000000000.checkpoint", "quorum-state"], False, False),
        (["partition.metadata"], True, False),
        ([], True, False),
    ],
)
def test_what_counts_as_holding_something(names: list[str], is_set: bool, vote_lost: bool) -> None:
    """A vote, a segment or a snapshot; not what ``storage format`` leaves. A log without a vote has no life, either."""
    fs = disk()
    fs.make_directory(DIRECTORY)
    for name in names:
        put(fs, name)
    for _ in range(2):
        mark = UnprovenMark.open(fs, DIRECTORY, random.Random(1).randbytes)
        assert (mark.is_set, mark.vote_lost) == (is_set, vote_lost)
        assert (mark.incarnation_id is not None) is (is_set and not vote_lost)
    mark.refuse()
    assert UnprovenMark.read(fs, DIRECTORY).vote_lost is vote_lost, "a refusal does not bring the vote back"
    mark.remove()
    assert not UnprovenMark.read(fs, DIRECTORY).vote_lost


def test_a_kill_at_any_step_leaves_it_unproven_until_it_is_proven() -> None:
    """Whenever the first start dies, and whatever the disk forgets, the next one finds nothing or the mark."""
    for step in range(200):
        fs = disk()
        fs.kill_at(step)
        try:
            directory = open_directory(fs)
            directory.quorum_state.write(ElectionState(1), version=0)
            directory.mark.remove()
        except Killed:
            pass
        else:
            assert step > 10, "the steps were counted"
            break
        fs.crash(random.Random(step))
        names = set(fs.list_directory(DIRECTORY)) if fs.is_directory(DIRECTORY) else set()
        if "quorum-state" not in names:
            assert open_directory(fs).mark.is_set, step
    else:
        pytest.fail("the first start never ends")
    fs.crash(random.Random(0))
    assert not open_directory(fs).mark.is_set


def test_nothing_is_written_before_the_mark() -> None:
    fs = disk()
    for step in range(200):
        fs = disk()
        fs.kill_at(step)
        try:
            open_directory(fs)
        except Killed:
            fs.crash(random.Random(step))
            names = set(fs.list_directory(DIRECTORY)) if fs.is_directory(DIRECTORY) else set()
            others = {name for name in names if not name.startswith(UNPROVEN)}
            assert not others or UNPROVEN in names, (step, names)
        else:
            return
    pytest.fail("the first start never ends")


def test_a_refusal_takes_the_life() -> None:
    fs = disk()
    directory = open_directory(fs)
    directory.mark.remove()
    directory.quorum_state.write(ElectionState(1), version=0)
    directory.mark.refuse()
    fs.crash(random.Random(0))
    mark = open_directory(fs).mark
    assert (mark.is_set, mark.incarnation_id) == (True, None)
    assert read_file(fs, join(DIRECTORY, UNPROVEN)) == b"version=0\nlife.id=\n"


@pytest.mark.parametrize("content", [b"", b"version=1\nlife.id=\n", b"version=0\n", b"version=0\nlife.id=x\n", b"\xff"])
def test_a_mark_that_cannot_be_understood_stops_the_start(content: bytes) -> None:
    fs = disk()
    put(fs, UNPROVEN, content)
    with pytest.raises(StorageError, match=r"kraftpy\.unproven cannot be used.*waits for a leader"):
        open_directory(fs)
