"""Snapshot files, whole and in pieces. A first byte of 1 says that the checksums are to be put right first."""

from __future__ import annotations

from kraftpy.image.errors import ReplayError
from kraftpy.image.loader import MetadataLoader
from kraftpy.model.errors import MalformedError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.snapshot import decode_snapshot, read_snapshot
from tests.fuzz.target import Target
from tests.fuzz.targets.parts import snapshot_bytes, with_checksums

PIECE_BYTES = 100


def run(data: bytes) -> None:
    """Read, find the same in pieces, and load it."""
    body = with_checksums(data[1:]) if data[:1] == b"\1" else data[1:]
    contents = read_snapshot(body)
    pieces = [body[at : at + PIECE_BYTES] for at in range(0, len(body), PIECE_BYTES)]
    assert tuple(batch for batch in decode_snapshot(pieces) if not batch.is_control) == contents.batches
    loader = MetadataLoader()
    loading = loader.start_snapshot(OffsetAndEpoch(epoch=1, offset=9), contents.header.last_contained_log_timestamp)
    for batch in contents.batches:
        loading.take(batch)
    loader.finish_snapshot(loading)


def samples():
    yield "whole", b"\1" + snapshot_bytes()
    yield "as-it-is", b"\0" + snapshot_bytes()


TARGET = Target(name="snapshots", run=run, refusals=(MalformedError, ReplayError), samples=samples)
