"""``leader-epoch-checkpoint``, ``partition.metadata``, and a first byte that chooses."""

from __future__ import annotations

from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.records.checkpoints import (
    parse_leader_epochs,
    parse_partition_metadata,
    render_leader_epochs,
    render_partition_metadata,
)
from kraftpy.storage.partition_metadata import ensure_partition_metadata
from tests.fuzz.target import Target
from tests.fuzz.targets.disks import disk_with


def run(data: bytes) -> None:
    """Read; what is understood is the same after it was written again."""
    text = data[1:].decode("latin-1")
    if data[:1] == b"e":
        entries = parse_leader_epochs(text)
        assert parse_leader_epochs(render_leader_epochs(entries)) == entries
    elif data[:1] == b"p":
        topic_id = parse_partition_metadata(text)
        assert parse_partition_metadata(render_partition_metadata(topic_id)) == topic_id
    else:
        ensure_partition_metadata(disk_with({"/d/partition.metadata": data[1:]}), "/d/partition.metadata")


def samples():
    yield "epochs", b"e" + render_leader_epochs([(1, 0), (2, 5), (9, 100), (2**31 - 1, 2**63 - 1)]).encode()
    yield "no-epochs", b"e" + render_leader_epochs([]).encode()
    yield "topic", b"p" + render_partition_metadata().encode()
    yield "topic-on-disk", b"d" + render_partition_metadata().encode()


TARGET = Target(
    name="checkpoints", run=run, refusals=(MalformedError, StorageError), samples=samples,
    words=(b"\n", b"\x85", b"\x1c", b"0\n", b" ", b"\xb2", b"-1", b"9223372036854775808"),
)  # fmt: skip
