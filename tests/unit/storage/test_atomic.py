"""Small files are replaced in one step, and the directory lock excludes."""

from __future__ import annotations

import errno
import os
import random
import subprocess
import sys

import pytest

from kraftpy.model.errors import DiskFullError, StorageError, SyncFailedError
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.filesystem import read_file
from kraftpy.storage.locks import DirectoryLock
from kraftpy.storage.os_errors import storage_error
from tests.fakes.filesystem import Killed, SimulatedFileSystem

OLD = b"old content " * 100
NEW = b"new content! " * 90


def prepared():
    fs = SimulatedFileSystem()
    fs.make_directory("/data")
    replace_file(fs, "/data/file", OLD)
    return fs


def test_replacing_leaves_the_new_content_and_no_temporary():
    """After a replacement only the file is there, with the new content."""
    fs = prepared()
    replace_file(fs, "/data/file", NEW)
    assert (read_file(fs, "/data/file"), fs.list_directory("/data")) == (NEW, ["file"])
    fs.crash(random.Random(1))
    assert read_file(fs, "/data/file") == NEW


def test_a_kill_at_any_step_leaves_old_or_new():
    """Whatever a crash keeps at whatever step, the file holds all of the old content or all of the new."""
    seen = set()
    step = 0
    finished = False
    while not finished:
        for seed in range(30):
            fs = prepared()
            fs.kill_at(step)
            try:
                replace_file(fs, "/data/file", NEW)
                finished = True
            except Killed:
                pass
            fs.crash(random.Random(seed))
            found = read_file(fs, "/data/file")
            assert found in {OLD, NEW}, f"step {step}, seed {seed}: {found[:40]!r}"
            assert not finished or found == NEW, "what was acknowledged is durable"
            seen.add(found)
        step += 1
    assert (seen, step > 4) == ({OLD, NEW}, True)


def test_a_full_disk_leaves_the_old_content():
    """Without free space the old content stays and the temporary file is gone."""
    fs = prepared()
    fs.capacity = fs.capacity - fs.free_bytes("/data") + 10
    with pytest.raises(DiskFullError, match=r"No space left while writing /data/file\.tmp") as full:
        replace_file(fs, "/data/file", NEW)
    assert full.value.write_bytes == len(NEW)
    assert (read_file(fs, "/data/file"), fs.list_directory("/data")) == (OLD, ["file"])


def test_a_failed_sync_is_reported_as_such():
    """An fsync error is a SyncFailedError, whether of the file or of its directory."""
    for path in ("/data/file.tmp", "/data"):
        fs = prepared()
        fs.failing_syncs.add(path)
        with pytest.raises(SyncFailedError, match=f"fsync of {path} failed: Input/output error"):
            replace_file(fs, "/data/file", NEW)
        assert "file.tmp" not in fs.list_directory("/data")


def test_a_missing_directory_is_reported():
    """A file cannot be made where there is no directory."""
    with pytest.raises(StorageError, match=r"I/O error while creating /nowhere/file\.tmp"):
        replace_file(SimulatedFileSystem(), "/nowhere/file", NEW)


PROBE = """
import sys
from kraftpy.model.errors import StorageError
from kraftpy.storage.locks import DirectoryLock
try:
    DirectoryLock.acquire(sys.argv[1])
except StorageError as error:
    print(error)
else:
    print("locked")
"""


def probe(directory):
    """Try to lock from another process."""
    done = subprocess.run([sys.executable, "-c", PROBE, str(directory)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_lock_excludes_other_processes(tmp_path):
    """While it is held another process is refused, with the directory's name and the ways out; afterwards it is not."""
    lock = DirectoryLock.acquire(str(tmp_path))
    refused = probe(tmp_path)
    assert f"Failed to acquire lock on file .lock in {tmp_path}. Another process is using this directory" in refused
    assert "Stop it first, or give this node a log.dirs of its own: " in refused
    lock.release()
    assert not (tmp_path / ".lock").exists()
    assert probe(tmp_path) == "locked"


def test_a_lock_excludes_the_same_process_and_stays(tmp_path):
    """A second lock in the same process is refused and does not drop the first, as POSIX record locks would."""
    lock = DirectoryLock.acquire(str(tmp_path))
    with pytest.raises(StorageError, match="This process is using this directory"):
        DirectoryLock.acquire(str(tmp_path))
    assert "Failed to acquire lock" in probe(tmp_path)
    lock.release()
    lock.release()
    DirectoryLock.acquire(str(tmp_path)).release()


def test_a_lock_of_a_deleted_file_is_not_taken_for_the_lock(tmp_path, monkeypatch):
    """When the file is deleted between opening and locking it, the lock is taken again on the file that is there."""
    import fcntl

    real = fcntl.lockf
    calls = []

    def lockf(descriptor, operation):
        if not calls:
            (tmp_path / ".lock").unlink()
        calls.append(operation)
        return real(descriptor, operation)

    monkeypatch.setattr(fcntl, "lockf", lockf)
    lock = DirectoryLock.acquire(str(tmp_path))
    assert len(calls) == 2
    monkeypatch.undo()
    assert "Failed to acquire lock" in probe(tmp_path)
    lock.release()


def test_a_directory_that_does_not_exist_cannot_be_locked(tmp_path):
    """The error names the file that could not be made."""
    with pytest.raises(StorageError, match=r"creating .*missing/\.lock"):
        DirectoryLock.acquire(str(tmp_path / "missing"))


@pytest.mark.parametrize(("number", "states"), [(errno.EACCES, "to the user that this runs as"), (errno.EROFS, None)])
def test_a_name_that_is_not_ours_to_touch(number, states):
    """The text names the path, the reason, and what helps where that is known."""
    error = storage_error("creating", "/data/.lock", OSError(number, os.strerror(number)))
    assert str(error).startswith(f"I/O error while creating /data/.lock: {os.strerror(number)}")
    assert (states or "Read-only file system") in str(error)
