"""What comparing digests of the state costs, in CPU time: a digest by itself, and beside the loading of a busy log.

Run: python bench/micro_digest.py [--records 1200000] [--rate 50000]

First the digests of images of several sizes, how far apart they are made, and which part of one processor that is: the
upper bound, however fast records are written. Then a log of config records (256 bytes, 4,096 names in turn, batches of
128, at a rate by the log's own clock) is loaded as a node does, with a digest wherever that clock ticks, and
what the digests take is set beside the rest. A leader and its followers do more than load a record: of their work it
is a smaller part.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from pathlib import Path
from random import Random

from kraftpy.image import EMPTY, MetadataDelta, MetadataImage, Provenance
from kraftpy.image.digest import MS_PER_ENTITY, image_digest
from kraftpy.model.ids import uuid_from_random, uuid_to_text
from kraftpy.records.batch import encode_batch
from kraftpy.records.codec import Record
from kraftpy.records.metadata import ClusterIdRecord, ConfigRecord, FeatureLevelRecord, encode_record
from kraftpy.runtime.state_machine import StateMachine
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import RealFileSystem

LEVEL = 42
CLIENT_METRICS = 16
PERIOD_MS = 10_000
NAMES = 4_096
BATCH = 128
IN_FLIGHT = 16
VALUE_BYTES = 256
RUNS = 5
SIZES = (1_000, 10_000, 100_000, 1_000_000)


def start() -> list[Record]:
    """Return what every log begins with."""
    return [
        FeatureLevelRecord("metadata.version", LEVEL),
        ClusterIdRecord(uuid_to_text(uuid_from_random(Random(1).randbytes))),
    ]


def config(number: int, value: str) -> ConfigRecord:
    """Return one write."""
    return ConfigRecord(CLIENT_METRICS, f"bench-{number:07d}", "metrics", value)


def image_of(size: int) -> MetadataImage:
    """Make an image of that many resources."""
    delta = MetadataDelta(EMPTY)
    delta.replay_all([*start(), *(config(number, "x" * VALUE_BYTES) for number in range(size))])
    return delta.apply(Provenance(size, 1, 0, batch_aligned=True))


def cpu_of_digest(image: MetadataImage) -> float:
    """Return the seconds that a digest takes."""
    begin = time.process_time()
    assert image_digest(image) is not None
    return time.process_time() - begin


def period_of(size: int) -> int:
    """Return how far apart (ms) the digests of that many entities are."""
    period_ms = PERIOD_MS
    while period_ms < size * MS_PER_ENTITY:
        period_ms *= 2
    return period_ms


def opened(path: Path) -> MetadataDirectory:
    """Open the directory as a node does."""
    return MetadataDirectory.open(RealFileSystem(), str(path), LogConfig(), Random(1).randbytes)


def fill(path: Path, records: int, rate: int) -> None:
    """Write the log; its clock runs at that many records a second."""
    directory = opened(path)
    made = [encode_batch([encode_record(one, 0) for one in start()], base_offset=0, epoch=1, timestamp_ms=0)]
    offset = len(start())
    for at in range(0, records, BATCH):
        value = f"{at:010d}".ljust(VALUE_BYTES, "x")
        values = [encode_record(config((at + each) % NAMES, value), 0) for each in range(BATCH)]
        made.append(encode_batch(values, base_offset=offset, epoch=1, timestamp_ms=at * 1_000 // rate))
        offset += BATCH
    directory.log.append(made, 0)
    directory.log.sync()
    directory.close()


def cpu_of_loading(path: Path) -> tuple[float, list[float]]:
    """Load the log as it is committed, 16 batches at a time; return CPU seconds, and those of each digest in them."""
    directory, digests = opened(path), list[float]()

    def digest(image: MetadataImage) -> None:
        digests.append(cpu_of_digest(image))

    machine = StateMachine(directory, checkpoint_ms=PERIOD_MS, on_checkpoint=digest)
    machine.install([])
    end = directory.log.end_offset
    gc.collect()
    begin = time.process_time()
    for upto in range(len(start()), end + 1, BATCH * IN_FLIGHT):
        while machine.has_backlog(upto):
            machine.load_slice(upto)
    spent = time.process_time() - begin
    directory.close()
    return spent, digests


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_200_000)
    parser.add_argument("--rate", type=int, default=50_000)
    chosen = parser.parse_args()
    print(f"{'entities':>10} {'a digest':>10} {'each':>8} {'every':>8} {'of a processor':>15}")
    for size in SIZES:
        image = image_of(size)
        gc.freeze()
        spent = min(cpu_of_digest(image) for _ in range(RUNS if size < SIZES[-1] else 2))
        period_s = period_of(size) / 1_000
        print(
            f"{size:>10,} {spent * 1_000:>7.0f} ms {spent / size * 1e6:>5.1f} us {period_s:>6.0f} s "
            f"{spent / period_s:>14.2%}"
        )
        del image
    with tempfile.TemporaryDirectory() as place:
        path = Path(place)
        fill(path, chosen.records, chosen.rate)
        spent, digests = min(cpu_of_loading(path) for _ in range(RUNS))
    rest = spent - sum(digests)
    print(
        f"loading {chosen.records:,} records, {chosen.rate:,} a second: {rest / chosen.records * 1e6:.2f} us each; "
        f"{len(digests)} digests took {sum(digests) * 1_000:.0f} ms: {sum(digests) / rest:+.2%}"
    )


if __name__ == "__main__":
    main()
