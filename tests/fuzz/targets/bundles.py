"""Bundles (backups): the last line is put right first when the first byte is 1, as who alters one on purpose would."""

from __future__ import annotations

import hashlib

from kraftpy.disaster_recovery.tar_bundle import TRAILER, TRAILER_BYTES, open_bundle, write_bundle
from kraftpy.model.errors import StorageError
from tests.fakes.filesystem import SimulatedFileSystem
from tests.fuzz.target import Target
from tests.fuzz.targets.disks import disk_with

PATH = "/b/bundle"


def run(data: bytes) -> None:
    """Verify a bundle and read every file in it."""
    body = data[1:]
    if data[:1] == b"\1" and len(body) >= TRAILER_BYTES:
        content = body[:-TRAILER_BYTES]
        body = content + TRAILER + hashlib.sha256(content).hexdigest().encode() + b"\n"
    disk = disk_with({PATH: body})
    bundle = open_bundle(disk, PATH)
    for name in bundle.names:
        assert len(bundle.read(name)) == bundle.entry(name)["bytes"]


def samples():
    disk = SimulatedFileSystem()
    disk.make_directory("/b")
    write_bundle(disk, PATH, {"kind": "backup", "node": 1}, [("a", b"x" * 700), ("dir/b", b""), ("ü", b"y")])
    data = bytes(disk._inode(PATH).live)
    yield "altered", b"\1" + data
    yield "as-it-is", b"\0" + data


TARGET = Target(
    name="bundles", run=run, refusals=(StorageError,), samples=samples, memory_base=8 * 1024 * 1024,
    words=(
        b"path=x\n", b"30 mtime=1\n", b"manifest.json\0", b"0000000\0", b"[", b'"files":[]', b'{"a":', b"L", b"x", b"g",
    ),
)  # fmt: skip
