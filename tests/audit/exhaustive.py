"""One node's directory, and every way to corrupt a part of it: each header field, each frame, each length of each file.

Nothing here is drawn at random, so that a case's name is all that is needed to have it again:
``python -m tests.audit.exhaustive NAME`` writes it and shows what an audit says of it.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from struct import pack

from crc32c import crc32c

from kraftpy.model.election import ElectionState
from kraftpy.records import metadata as m
from kraftpy.records.batch import encode_batch, encode_control_batch, split_batches
from kraftpy.records.checkpoints import render_leader_epochs, render_partition_metadata
from kraftpy.records.control import SnapshotFooterRecord, SnapshotHeaderRecord
from kraftpy.records.file_names import segment_file_name, snapshot_file_name
from kraftpy.records.metadata import encode_for_level
from kraftpy.records.quorum_state import render_quorum_state
from kraftpy.records.varint import read_varint
from tests.audit.corruption import small
from tests.audit.mutations import resealed
from tests.audit.worlds import LEVEL, leader_change

METADATA = "__cluster_metadata-0"
LOG = f"{METADATA}/{segment_file_name(0)}"
INDEX = f"{METADATA}/00000000000000000000.index"
EPOCHS = f"{METADATA}/leader-epoch-checkpoint"
VOTE = f"{METADATA}/quorum-state"
TOPIC = f"{METADATA}/partition.metadata"
PROPERTIES = "meta.properties"
BOOTSTRAP = "bootstrap.checkpoint"

HEADER = {
    "base_offset": (0, 8), "length": (8, 4), "epoch": (12, 4), "magic": (16, 1), "crc": (17, 4), "attributes": (21, 2),
    "last_offset_delta": (23, 4), "base_timestamp": (27, 8), "max_timestamp": (35, 8), "producer_id": (43, 8),
    "producer_epoch": (51, 2), "base_sequence": (53, 4), "record_count": (57, 4),
}  # fmt: skip
"""Field to (place, bytes) in a batch."""

FRAME = ("length", "attributes", "timestamp_delta", "offset_delta", "key_length", "value_length")

Files = dict[str, bytes]


def whole() -> Files:
    """A directory as a node leaves it at a clean stop: by name, what each file holds."""
    world = small()
    world.epoch = 2
    world.control(leader_change(1, 1, 2, 3))
    world.append(m.ConfigRecord(4, "", "log.retention.ms", "1"), m.FeatureLevelRecord("group.version", 1))
    world.append(m.NoOpRecord())
    node = world.nodes[1]
    ((snapshot_id, snapshot),) = node.snapshots.items()
    log = b"".join(node.log)
    found = split_batches(log)
    at = [sum(each.size for each in found[:index]) for index in range(len(found))]
    second = next(each.base_offset for each in found if each.epoch == 2)
    vote = render_quorum_state(ElectionState(epoch=2, leader_id=1), version=1).encode()
    text = "".join(f"{key}={value}\n" for key, value in node.properties.items()).encode() + b"#crc32c=first line\n"
    end = found[-1].next_offset
    return {
        LOG: log,
        INDEX: b"".join(pack(">ii", each.last_offset, place) for each, place in zip(found[2:], at[2:], strict=True)),
        f"{METADATA}/{end:020d}.snapshot": b"",
        f"{METADATA}/{snapshot_file_name(snapshot_id)}": snapshot,
        EPOCHS: render_leader_epochs([(1, 0), (2, second)]).encode(),
        VOTE: vote + f"\ncrc32c={crc32c(vote):08x}\n".encode(),
        TOPIC: render_partition_metadata().encode(),
        PROPERTIES: f"#crc32c={crc32c(text):08x}\n".encode() + text,
        BOOTSTRAP: _bootstrap(),
    }


def _bootstrap() -> bytes:
    value = encode_for_level(m.FeatureLevelRecord("metadata.version", LEVEL), LEVEL)
    place = {"epoch": 0, "timestamp_ms": 0}
    return (
        encode_control_batch([SnapshotHeaderRecord(0, 0)], base_offset=0, **place)
        + encode_batch([value], base_offset=1, **place)
        + encode_control_batch([SnapshotFooterRecord(0)], base_offset=2, **place)
    )


def batched(files: Files) -> list[str]:
    """The files that are made of batches."""
    return [name for name in files if name.endswith((".log", ".checkpoint"))]


def cases(step: int) -> Iterator[tuple[str, Files]]:
    """Every case: its name, and the directory.

    Args:
        step: files made of batches are cut at multiples of this; 1 does everything everywhere. Otherwise one bit is
            flipped in each header field, in the frame of each batch's first record, and in every third byte of a small
            file.
    """
    small_step = 1 if step == 1 else 3
    files = whole()
    yield "whole", files
    for name in files:
        short = name.rpartition("/")[2]
        yield f"{short}:gone", {each: data for each, data in files.items() if each != name}
        for what, data in _spoilt(files[name], step if name in batched(files) else small_step):
            yield f"{short}:{what}", files | {name: data}
    for name in batched(files):
        short = name.rpartition("/")[2]
        for what, data in (*_headers(files[name], step), *_frames(files[name], step), *_batches(files[name])):
            yield f"{short}:{what}", files | {name: data}
    for name in (INDEX, EPOCHS, VOTE, TOPIC, PROPERTIES):
        short = name.rpartition("/")[2]
        for at in range(0, len(files[name]), small_step):
            yield f"{short}:flip-{at}", files | {name: _flipped(files[name], at, 1)}
    yield from _renamed(files)


def _spoilt(data: bytes, step: int) -> Iterator[tuple[str, bytes]]:
    if data:
        yield "zeros", bytes(len(data))
    for length in sorted({*range(0, len(data), step), *_ends(data)} - {len(data)}):
        yield f"cut-{length}", data[:length]


def _ends(data: bytes) -> list[int]:
    """Where batches end, if these are any: a cut there leaves no byte that is wrong."""
    try:
        found = split_batches(data, verify_crc=False)
    except ValueError:
        return []
    except Exception:  # noqa: BLE001 - a small text file is no batch, whatever the error
        return []
    return [sum(each.size for each in found[:index]) for index in range(1, len(found))]


def _flipped(data: bytes, at: int, bit: int) -> bytes:
    changed = bytearray(data)
    changed[at] ^= bit
    return bytes(changed)


def _places(data: bytes) -> list[tuple[int, bytes]]:
    found = split_batches(data)
    return [(sum(each.size for each in found[:index]), each.data) for index, each in enumerate(found)]


def _headers(data: bytes, step: int) -> Iterator[tuple[str, bytes]]:
    """Flip bits of every field of every header: a high, a low and a middle one, or one of them by turns."""
    for number, (at, batch) in enumerate(_places(data)):
        for field, (place, width) in HEADER.items():
            for byte, bit in ((0, 0x40), (width - 1, 1), (width // 2, 0x10))[
                0 if step == 1 else number % 2 :: 1 if step == 1 else 3
            ]:
                spoilt = _flipped(batch, place + byte, bit)
                yield f"batch-{number}-{field}-{byte}-{bit}", data[:at] + spoilt + data[at + len(batch) :]


def _frames(data: bytes, step: int) -> Iterator[tuple[str, bytes]]:
    """Flip a bit in every part of every record's frame, and give the batch the checksum of what it then holds."""
    for number, (at, batch) in enumerate(_places(data)):
        for record, parts in enumerate(islice(_parts(batch), None if step == 1 else 1)):
            for part, place in zip(FRAME, parts, strict=True):
                for bit in (1, 2) if step == 1 else (2,):
                    spoilt = resealed(bytearray(_flipped(batch, place, bit)))
                    name = f"batch-{number}-record-{record}-{part}-{bit}"
                    yield name, data[:at] + spoilt + data[at + len(batch) :]


def _parts(batch: bytes) -> Iterator[list[int]]:
    """The places of the parts of each record's frame."""
    at = 61
    while at < len(batch):
        length, body = read_varint(batch, at)
        _, delta_end = read_varint(batch, body + 2)
        key, key_end = read_varint(batch, delta_end)
        yield [at, body, body + 1, body + 2, delta_end, key_end + max(key, 0)]
        at = body + length


def _batches(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Leave a batch out, write it twice, or swap it with the next one; none of it breaks a checksum."""
    places = [batch for _, batch in _places(data)]
    for number, batch in enumerate(places):
        yield f"batch-{number}-gone", b"".join(places[:number] + places[number + 1 :])
        yield f"batch-{number}-twice", b"".join([*places[:number], batch, *places[number:]])
        if number + 1 < len(places):
            swapped = [*places[:number], places[number + 1], batch, *places[number + 2 :]]
            yield f"batch-{number}-swapped", b"".join(swapped)
        yield f"batch-{number}-zeros", b"".join([*places[:number], bytes(len(batch)), *places[number + 1 :]])


def _renamed(files: Files) -> Iterator[tuple[str, Files]]:
    for name in batched(files):
        short = name.rpartition("/")[2]
        if not short[0].isdigit():
            continue
        rest = {each: data for each, data in files.items() if each != name}
        for number, place in (("offset", 19), ("epoch", 30)):
            if place < len(short) and short[place].isdigit():
                other = short[:place] + str((int(short[place]) + 1) % 10) + short[place + 1 :]
                yield f"{short}:another-{number}", rest | {f"{METADATA}/{other}": files[name]}


def write(directory: Path, files: Files) -> None:
    """Write one directory."""
    for name, data in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def main() -> None:
    """Show what an audit says of one case."""
    from kraftpy.cli.root import cli

    found = dict(cases(1))
    with tempfile.TemporaryDirectory() as directory:
        write(Path(directory) / "cluster=x" / "node=1", found[sys.argv[1]])
        cli(["audit", directory])


if __name__ == "__main__":
    main()
