"""The clean-shutdown file: written at the end, taken at the start. Source: on-disk formats §8.7, broker B6."""

from __future__ import annotations

import json
import random
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from kraftpy.model.errors import StorageError
from kraftpy.node.broker_parts import note_clean_shutdown
from kraftpy.storage.clean_shutdown import (
    CLEAN_SHUTDOWN,
    NO_BROKER_EPOCH,
    take_clean_shutdown,
    write_clean_shutdown,
)
from kraftpy.storage.filesystem import RealFileSystem, read_file
from tests.fakes.filesystem import SimulatedFileSystem

A, B = "/a", "/b"


@pytest.fixture
def fs():
    made = SimulatedFileSystem()
    made.make_directory(A)
    made.make_directory(B)
    return made


def put(fs, directory, content):
    file = fs.open(f"{directory}/{CLEAN_SHUTDOWN}", write=True, create=True)
    file.pwrite(content, 0)
    file.close()


def test_the_file_is_kafkas(fs):
    """The file holds version 0 and the broker epoch, as Kafka writes it."""
    write_clean_shutdown(fs, A, 42)
    content = read_file(fs, f"{A}/{CLEAN_SHUTDOWN}")
    assert content == b'{"version":0,"brokerEpoch":42}'
    assert json.loads(content) == {"version": 0, "brokerEpoch": 42}


def test_what_all_directories_agree_on_counts(fs):
    """The epoch counts when every directory has a file that names it; afterwards the files are gone."""
    for directory in (A, B):
        write_clean_shutdown(fs, directory, 42)
    assert take_clean_shutdown(fs, [A, B]).broker_epoch == 42
    assert take_clean_shutdown(fs, [A, B]).broker_epoch == NO_BROKER_EPOCH
    assert fs.list_directory(A) == fs.list_directory(B) == []


def test_a_directory_without_a_file_decides(fs):
    """One directory without a file, such as a new one, means that the last stop was not clean; the others go too."""
    write_clean_shutdown(fs, A, 42)
    assert take_clean_shutdown(fs, [A, B]) == take_clean_shutdown(fs, [])
    assert fs.list_directory(A) == []


def test_files_that_differ_count_for_nothing(fs):
    """Directories that name different epochs are reported, and none of them counts."""
    write_clean_shutdown(fs, A, 41)
    write_clean_shutdown(fs, B, 42)
    found = take_clean_shutdown(fs, [A, B])
    assert found.broker_epoch == NO_BROKER_EPOCH
    assert "41, 42" in found.warnings[0]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"rubbish",
        b"\xff\xfe",
        b"[]",
        b"7",
        b'{"version":0}',
        b'{"version":1,"brokerEpoch":42}',
        b'{"version":0,"brokerEpoch":"42"}',
        b'{"version":0,"brokerEpoch":true}',
        b'{"version":0,"brokerEpoch":-1}',
    ],
)
def test_garbage_counts_as_none(fs, content):
    """A malformed file counts as none, is reported with its path, and is removed."""
    write_clean_shutdown(fs, A, 42)
    put(fs, B, content)
    found = take_clean_shutdown(fs, [A, B])
    assert found.broker_epoch == NO_BROKER_EPOCH
    assert f"{B}/{CLEAN_SHUTDOWN}" in found.warnings[0]
    assert fs.list_directory(B) == []


def test_a_file_that_cannot_be_removed_counts_as_none(fs, monkeypatch):
    """A file that stays behind must not count now, because it would count again after a crash."""
    write_clean_shutdown(fs, A, 42)

    def refuse(path):
        raise OSError(5, "Input/output error", path)

    monkeypatch.setattr(fs, "unlink", refuse)
    found = take_clean_shutdown(fs, [A])
    assert found.broker_epoch == NO_BROKER_EPOCH
    assert "Input/output error" in found.warnings[0]


def test_it_is_durable_before_the_stop_ends(fs):
    """A power cut right after the write keeps the file; one right after the removal does not bring it back."""
    write_clean_shutdown(fs, A, 42)
    crash(fs)
    assert take_clean_shutdown(fs, [A]).broker_epoch == 42
    crash(fs)
    assert take_clean_shutdown(fs, [A]).broker_epoch == NO_BROKER_EPOCH


def crash(fs):
    fs.crash(random.Random(1))


def test_a_directory_that_cannot_be_written_reports_it(tmp_path):
    """A write that fails is an error with the path, and leaves nothing."""
    with pytest.raises(StorageError, match="missing"):
        write_clean_shutdown(RealFileSystem(), str(tmp_path / "missing"), 42)


@pytest.mark.parametrize(
    ("epoch", "working", "written"), [(42, "ab", (A, B)), (42, "a", (A,)), (NO_BROKER_EPOCH, "ab", ())]
)
def test_a_broker_claims_it_where_it_is_so(fs, epoch, working, written):
    """Not for a directory that went offline, nor for a broker that never was one."""
    ids = {A: b"a" * 16, B: b"b" * 16}
    directories = SimpleNamespace(working={each for each in ids.values() if each.decode()[0] in working})
    broker = SimpleNamespace(lifecycle=SimpleNamespace(broker_epoch=epoch, directories=directories))
    note_clean_shutdown(fs, SimpleNamespace(log_dirs=tuple(ids.items())), broker)
    assert tuple(each for each in ids if fs.list_directory(each)) == written


def test_a_broker_whose_disk_refuses_stops_all_the_same(fs):
    directories = SimpleNamespace(working={b"a" * 16})
    broker = SimpleNamespace(lifecycle=SimpleNamespace(broker_epoch=1, directories=directories))
    with capture_logs() as logs:
        note_clean_shutdown(fs, SimpleNamespace(log_dirs=(("/missing", b"a" * 16),)), broker)
    assert [line["event"] for line in logs] == ["clean_shutdown_not_recorded"]
