"""The auditor's readers on corrupt files: segments, snapshots and the small text files. The first byte chooses.

Corruption is data here: nothing may be raised, and the rows must fit their columns.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path

from kraftpy.audit.reading.discovery import PROPERTIES, SMALL_FILES, KraftFile
from kraftpy.audit.reading.first_pass import first_pass
from kraftpy.audit.reading.properties import property_rows
from kraftpy.audit.reading.rows import LOG, SNAPSHOT
from kraftpy.audit.reading.splits import splits_of
from kraftpy.audit.reading.summaries import file_summaries
from tests.fuzz.target import Target
from tests.fuzz.targets import quorum_state
from tests.fuzz.targets.parts import log_bytes, snapshot_bytes, with_checksums

SPLIT_BYTES = 300
MEMORY = Path("/dev/shm")
FOLDER = Path(tempfile.mkdtemp(prefix="kraftpy-fuzz-", dir=MEMORY if MEMORY.is_dir() else None))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
BATCHES = FOLDER / "batches"
INT64 = range(-(2**63), 2**63)


def run(data: bytes) -> None:
    """Read a file whole and in splits; every byte is accounted for."""
    kind, body = (data[0] if data else 0), data[1:]
    if kind >= 4:
        _read_small(SMALL_FILES[kind % len(SMALL_FILES)], body)
        return
    if kind % 2:
        body = with_checksums(body)
    BATCHES.write_bytes(body)
    kraft_file = KraftFile("c", "1", str(BATCHES), SNAPSHOT if kind >= 2 else LOG, len(body), 0, 9, 1)
    (whole,) = [first_pass(split) for split in splits_of(kraft_file, 1 << 26)]
    for row in (*whole.batches, *whole.count_rows()):
        check_row(row)
    parts = [first_pass(split) for split in splits_of(kraft_file, max(SPLIT_BYTES, len(body) // 4))]
    summaries, torn = file_summaries(part.summary for part in parts)
    for summary in (*summaries, *file_summaries([whole.summary])[0]):
        check_row(getattr(summary, name) for name in summary.__slots__) if hasattr(summary, "__slots__") else check_row(
            summary
        )
    if not torn:
        assert sum(len(part.batches) for part in parts) >= len([row for row in whole.batches if row])


def _read_small(name: str, body: bytes) -> None:
    path = FOLDER / name
    path.write_bytes(body)
    for row in property_rows([KraftFile("c", "1", str(path), PROPERTIES, len(body))]):
        check_row(row)


def check_row(row) -> None:
    """A column takes 64 bits, or text."""
    for value in row:
        if isinstance(value, int):
            assert value in INT64, f"{value} does not fit its column"
        elif isinstance(value, str):
            value.encode()


def samples():
    for kind, data in ((0, log_bytes()), (1, log_bytes() + bytes(300)), (2, snapshot_bytes()), (3, snapshot_bytes())):
        yield f"batches-{kind}", bytes([kind]) + data
    for name, data in quorum_state.samples():
        yield f"quorum-state-{name}", b"\x05" + data
    yield "meta-properties", b"\x04" + b"version=1\nnode.id=1\ncluster.id=x\n"
    yield "epochs", b"\x06" + b"0\n2\n1 0\n2 5\n"
    yield "partition", b"\x07" + b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ"


TARGET = Target(
    name="audit_reading",
    run=run,
    refusals=(),
    samples=samples,
    words=quorum_state.TARGET.words,
    memory_base=96 * 1024 * 1024,
)
