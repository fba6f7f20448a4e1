"""Bundles: whole or refused."""

from __future__ import annotations

import io
import random
import subprocess
import tarfile

import pytest

from kraftpy.disaster_recovery.tar_bundle import TRAILER_BYTES, Piece, open_bundle, write_bundle
from kraftpy.model.errors import CorruptLogError, StorageError
from kraftpy.storage.filesystem import RealFileSystem, read_file
from tests.fakes.filesystem import Killed, SimulatedFileSystem

PATH = "/data/backup.tar"


def made():
    fs = SimulatedFileSystem()
    fs.make_directory("/data")
    file = fs.open("/data/log", write=True, create=True)
    file.pwrite(bytes(range(256)) * 5000, 0)
    write_bundle(
        fs, PATH, {"kind": "test"}, [("a/small", b"x"), ("log", Piece("/data/log", 1_200_000)), ("empty", b"")]
    )
    return fs


def test_what_goes_in_comes_out():
    """Names in order, contents, and the manifest's own facts; a piece is a file's beginning."""
    bundle = open_bundle(made(), PATH)
    assert bundle.names == ("a/small", "log", "empty")
    assert bundle.facts["kind"] == "test"
    assert (bundle.read("a/small"), bundle.read("empty")) == (b"x", b"")
    assert bundle.read("log") == (bytes(range(256)) * 5000)[:1_200_000]


def test_any_flipped_bit_is_found():
    """In contents, headers, padding, the manifest and the last line alike."""
    fs = made()
    size = fs.size(PATH)
    rng = random.Random(7)
    places = [*range(0, 1024, 37), *range(size - 2 * TRAILER_BYTES, size), *rng.sample(range(size), 40)]
    for position in places:
        bit = rng.randrange(8)
        fs.flip_bit(PATH, position, bit)
        with pytest.raises(CorruptLogError):
            open_bundle(fs, PATH)
        fs.flip_bit(PATH, position, bit)
    assert open_bundle(fs, PATH).names


def test_any_cut_is_found():
    """A bundle that lost its end, or got something behind it, is none."""
    data = read_file(made(), PATH)
    for changed in (b"", data[:1], data[:-1], data[: len(data) // 2], data[:-TRAILER_BYTES], data + b"\n"):
        fs = SimulatedFileSystem()
        fs.make_directory("/data")
        fs.open(PATH, create=True).pwrite(changed, 0)
        with pytest.raises(CorruptLogError):
            open_bundle(fs, PATH)


def test_tar_reads_it(tmp_path):
    """The files are accessible without kraftpy."""
    path = tmp_path / "b.tar"
    path.write_bytes(read_file(made(), PATH))
    listed = subprocess.run(["tar", "-tf", path], capture_output=True, text=True, check=True)
    assert listed.stdout.split() == ["manifest.json", "a/small", "log", "empty"]
    with tarfile.open(fileobj=io.BytesIO(path.read_bytes())) as archive:
        assert archive.extractfile("a/small").read() == b"x"
    assert open_bundle(RealFileSystem(), str(path)).names == ("a/small", "log", "empty")


def test_a_kill_leaves_the_old_bundle_or_the_new():
    """It appears by a rename."""
    old = read_file(made(), PATH)
    for count in range(10_000):
        fs = made()
        fs.kill_at(count)
        try:
            write_bundle(fs, PATH, {"kind": "new"}, [("b", b"y" * 3000)])
        except Killed:
            fs.crash(random.Random(count))
            if read_file(fs, PATH) != old:
                assert open_bundle(fs, PATH).facts["kind"] == "new"
        else:
            break
    assert count > 5


def test_a_file_that_shrinks_meanwhile_is_an_error_and_leaves_nothing():
    """A node runs on it: then this is not the way to copy it."""
    fs = made()
    with pytest.raises(StorageError, match="became shorter while it was read"):
        write_bundle(fs, "/data/other.tar", {}, [("log", Piece("/data/log", 9_000_000))])
    assert not [name for name in fs.list_directory("/data") if name.startswith("other")]
