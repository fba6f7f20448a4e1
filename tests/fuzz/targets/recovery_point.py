"""``recovery-point-offset-checkpoint``."""

from __future__ import annotations

from kraftpy.model.errors import StorageError
from kraftpy.storage.recovery_point import read_recovery_point, with_recovery_point, write_recovery_point
from tests.fuzz.target import Target
from tests.fuzz.targets.disks import disk_with

PATH = "/data/recovery-point-offset-checkpoint"
OFFSET_MAX = 2**63 - 1


def run(data: bytes) -> None:
    """Read an offset that a log can have, and keep the others' entries when ours is set."""
    disk = disk_with({PATH: data})
    assert 0 <= read_recovery_point(disk, PATH) <= OFFSET_MAX
    write_recovery_point(disk, PATH, 5)
    assert read_recovery_point(disk, PATH) == 5
    again = with_recovery_point(disk, PATH, 5)
    assert with_recovery_point(disk_with({PATH: again}), PATH, 5) == again


def samples():
    disk = disk_with({"/data/other": b""})
    yield "ours", with_recovery_point(disk, PATH, 1234)
    yield "with-others", b"0\n3\n__cluster_metadata 0 77\norders 1 5\norders 2 9\n"
    yield "none", b"0\n0\n"


TARGET = Target(
    name="recovery_point",
    run=run,
    refusals=(StorageError,),
    samples=samples,
    words=(
        b"\n",
        b"\xe2\x80\xa8",
        b"\x0b",
        b"__cluster_metadata 0 ",
        b"1_0",
        b"-",
        b"+",
        b"9223372036854775808",
        b"\xd9\xa1",
    ),
)
