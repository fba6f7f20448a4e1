"""The real and the simulated disk answer alike."""

from __future__ import annotations

import errno
import os

import pytest

from kraftpy.storage import filesystem as module
from kraftpy.storage.filesystem import RealFileSystem, base_name, join, parent, read_file
from tests.fakes.filesystem import SimulatedFileSystem


@pytest.fixture(params=["real", "simulated"])
def disk(request, tmp_path):
    """A file system and a directory in it."""
    if request.param == "real":
        return RealFileSystem(), str(tmp_path)
    fs = SimulatedFileSystem()
    fs.make_directory("/data")
    return fs, "/data"


def write(fs, path, content):
    file = fs.open(path, write=True, create=True)
    file.pwrite(content, 0)
    file.close()


def test_what_is_written_is_read(disk):
    """A file gives back the bytes that were written at their positions, and zeros in between."""
    fs, root = disk
    file = fs.open(join(root, "a"), write=True, create=True)
    file.pwrite(b"abc", 0)
    file.pwrite(memoryview(b"xyz"), 6)
    assert (file.size(), file.pread(100, 0), file.pread(2, 7), file.pread(5, 50)) == (9, b"abc\0\0\0xyz", b"yz", b"")
    file.sync()
    file.close()
    assert read_file(fs, join(root, "a")) == b"abc\0\0\0xyz"


def test_truncate_shrinks_and_grows(disk):
    """What a truncation cut off comes back as zeros when the file grows again."""
    fs, root = disk
    file = fs.open(join(root, "a"), write=True, create=True)
    file.pwrite(b"abcdef", 0)
    file.truncate(2)
    file.truncate(4)
    assert file.pread(10, 0) == b"ab\0\0"
    file.close()


def test_create_empties_an_existing_file(disk):
    """Opening with create empties what was there; opening without keeps it."""
    fs, root = disk
    write(fs, join(root, "a"), b"old")
    assert read_file(fs, join(root, "a")) == b"old"
    write(fs, join(root, "a"), b"")
    assert fs.size(join(root, "a")) == 0


def test_names(disk):
    """Rename replaces, unlink removes, and a listing is ascending and includes directories."""
    fs, root = disk
    for name in ("b", "a", "c"):
        write(fs, join(root, name), name.encode())
    fs.rename(join(root, "c"), join(root, "a"))
    fs.unlink(join(root, "b"))
    fs.make_directory(join(root, "d/e"))
    fs.make_directory(join(root, "d/e"))
    fs.sync_directory(root)
    assert fs.list_directory(root) == ["a", "d"]
    assert fs.list_directory(join(root, "d")) == ["e"]
    assert read_file(fs, join(root, "a")) == b"c"
    assert fs.is_directory(join(root, "d"))
    assert not fs.is_directory(join(root, "a"))
    assert not fs.exists(join(root, "b"))
    assert not fs.exists(join(root, "a/below-a-file"))


@pytest.mark.parametrize("operation", ["open", "unlink", "rename", "list_directory", "size"])
def test_a_missing_name_is_not_found(disk, operation):
    """Every operation on a missing name fails with ENOENT."""
    fs, root = disk
    arguments = [join(root, "missing")] + ([join(root, "other")] if operation == "rename" else [])
    with pytest.raises(FileNotFoundError) as raised:
        getattr(fs, operation)(*arguments)
    assert raised.value.errno == errno.ENOENT


def test_an_open_file_outlives_its_name(disk):
    """A file that was unlinked can be read through an open handle."""
    fs, root = disk
    write(fs, join(root, "a"), b"still here")
    file = fs.open(join(root, "a"))
    fs.unlink(join(root, "a"))
    assert file.pread(20, 0) == b"still here"
    file.close()


def test_a_file_opened_for_reading_cannot_be_written(disk):
    """A write through a read-only handle is refused."""
    fs, root = disk
    write(fs, join(root, "a"), b"x")
    file = fs.open(join(root, "a"))
    with pytest.raises(OSError):
        file.pwrite(b"y", 0)
    file.close()
    assert read_file(fs, join(root, "a")) == b"x"


def test_a_closed_file_refuses(disk):
    """A closed file fails with EBADF, and may be closed again."""
    fs, root = disk
    file = fs.open(join(root, "a"), write=True, create=True)
    file.close()
    file.close()
    with pytest.raises(OSError):
        file.pread(1, 0)


def test_free_bytes_is_positive(disk):
    """There is room on a disk that is not full."""
    fs, root = disk
    assert fs.free_bytes(root) > 0


@pytest.mark.parametrize("knows_full_fsync", [True, False])
def test_on_macos_a_sync_reaches_the_drive(tmp_path, monkeypatch, knows_full_fsync):
    """There F_FULLFSYNC does it, or an fsync where the file system has none; another error is not swallowed."""
    done, refusal = [], None if knows_full_fsync else errno.ENOTSUP

    def fcntl_(descriptor, command):
        done.append(command)
        if refusal is not None:
            raise OSError(refusal, os.strerror(refusal))

    monkeypatch.setattr(module.fcntl, "fcntl", fcntl_)
    monkeypatch.setattr(module.os, "fsync", lambda _: done.append("fsync"))
    monkeypatch.setattr(module, "_sync_data", module._sync_on_macos)
    monkeypatch.setattr(module, "_sync_all", module._sync_on_macos)
    fs = RealFileSystem()
    file = fs.open(join(str(tmp_path), "a"), write=True, create=True)
    file.sync()
    fs.sync_directory(str(tmp_path))
    once = [module.F_FULLFSYNC] if knows_full_fsync else [module.F_FULLFSYNC, "fsync"]
    assert done == once * 2
    refusal = errno.EIO
    with pytest.raises(OSError, match="Input/output error"):
        file.sync()
    file.close()


@pytest.mark.parametrize(("umask", "modes"), [(0o022, (0o755, 0o644)), (0o007, (0o770, 0o660))])
def test_who_may_read_and_write_is_up_to_the_umask(tmp_path, umask, modes):
    """A group that shares a directory shares what is made in it."""
    fs, above = RealFileSystem(), os.umask(umask)
    try:
        fs.make_directory(join(str(tmp_path), "d"))
        write(fs, join(str(tmp_path), "d/a"), b"x")
    finally:
        os.umask(above)
    made = (tmp_path / "d", tmp_path / "d" / "a")
    assert tuple(path.stat().st_mode & 0o777 for path in made) == modes


def test_paths():
    """Paths are joined and taken apart by their slashes."""
    assert (join("/a/", "b"), join("/", "b"), parent("/a/b/"), parent("a"), base_name("/a/b/")) == (
        "/a/b", "/b", "/a", ".", "b",
    )  # fmt: skip
    assert (parent("/a"), parent("/"), parent(".")) == ("/", "/", ".")
