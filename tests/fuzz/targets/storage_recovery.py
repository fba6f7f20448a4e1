"""A metadata directory with corrupt files, looked at and opened on the simulated disk.

The first byte chooses what the rest is: a segment (alone; the second of two; with its checksums put right; with offsets
near the highest there is), a snapshot, or a quorum-state.
"""

from __future__ import annotations

from kraftpy.model.errors import StorageError
from kraftpy.records.batch import BASE_OFFSET_MAX
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.inspection import inspect_directory
from kraftpy.storage.names import segment_name
from tests.fuzz.target import Target
from tests.fuzz.targets.disks import disk_with
from tests.fuzz.targets.parts import log_bytes, snapshot_bytes, with_checksums
from tests.unit.storage.logs import DIRECTORY, ROOT, TINY

STATE = b'{"leaderId":-1,"leaderEpoch":1,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}'
SNAPSHOT = f"{DIRECTORY}/00000000000000000005-0000000001.checkpoint"
NEAR_THE_END = BASE_OFFSET_MAX - 3
DRAWN = bytes(range(64))


def run(data: bytes) -> None:
    """Look, open, and open again: the second time finds a log that is whole."""
    kind, body = (data[0] % 6 if data else 0), data[1:]
    if kind in {2, 3}:
        body = with_checksums(body)
    disk = disk_with({f"{ROOT}/keep": b"", f"{DIRECTORY}/keep": b"", **files_of(kind, body)})
    before = {path: dict(one.names) for path, one in disk.directories.items()}
    inspect_directory(disk, DIRECTORY, TINY)
    assert before == {path: one.names for path, one in disk.directories.items()}, "looking changed something"
    opened = MetadataDirectory.open(disk, ROOT, TINY, DRAWN.__getitem__)
    end = opened.log.end_offset
    content = [batch.data for batch in opened.log.iterate(opened.log.start_offset)]
    opened.close()
    again = MetadataDirectory.open(disk, ROOT, TINY, DRAWN.__getitem__)
    assert again.log.end_offset == end
    assert [batch.data for batch in again.log.iterate(again.log.start_offset)] == content
    assert not again.log.recovery.truncated_bytes, "what was cut once is cut again"
    again.close()


def files_of(kind: int, body: bytes) -> dict[str, bytes]:
    """Name the files."""
    state = {f"{DIRECTORY}/quorum-state": STATE}
    first = {f"{DIRECTORY}/{segment_name(0)}": log_bytes()}
    match kind:
        case 0 | 2:
            return {f"{DIRECTORY}/{segment_name(0)}": body, **state}
        case 1:
            return {**first, f"{DIRECTORY}/{segment_name(5)}": body, **state}
        case 3:
            return {f"{DIRECTORY}/{segment_name(NEAR_THE_END)}": body, **state}
        case 4:
            return {**first, SNAPSHOT: with_checksums(body), **state}
        case _:
            return {**first, f"{DIRECTORY}/quorum-state": body}


def samples():
    yield "segment", b"\0" + log_bytes()
    yield "segment-with-zeros", b"\0" + log_bytes() + bytes(500)
    yield "second", b"\1" + log_bytes(5)
    yield "checked", b"\2" + log_bytes()
    yield "high", b"\3" + log_bytes(NEAR_THE_END)
    yield "snapshot", b"\4" + snapshot_bytes()
    yield "state", b"\5" + STATE


TARGET = Target(
    name="storage_recovery", run=run, refusals=(StorageError,), samples=samples, memory_base=8 * 1024 * 1024
)
