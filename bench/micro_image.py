"""What images cost: map against dict, one small commit, and a million records loaded.

Run ``python bench/micro_image.py`` for all of it; ``--records 100000`` for less. Loading runs in a process of its own
per shape, because memory is measured as the growth of its resident set.
"""

from __future__ import annotations

import argparse
import gc
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from immutables import Map, MapMutation

from kraftpy.image import EMPTY, MetadataLoader, snapshot_groups
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.batch import Batch, encode_batch, split_batches
from kraftpy.records.metadata import ConfigRecord, FeatureLevelRecord, encode_record

BATCH_RECORDS = 1000
CHUNK_BATCHES = 8

SHAPES: dict[str, Callable[[int], ConfigRecord]] = {
    "ten keys a resource": lambda i: ConfigRecord(2, f"topic-{i // 10}", f"retention.ms.{i % 10}", f"value-{i}"),
    "one key a resource": lambda i: ConfigRecord(2, f"topic-{i}", "retention.ms", f"value-{i}"),
    "one resource": lambda i: ConfigRecord(32, "store", f"key-{i}", f"value-{i}"),
}


def per_call_us(action: Callable[[], object], seconds: float = 0.3) -> float:
    """Time a call: the best of five rounds."""
    action()
    count = 1
    while True:
        started = time.process_time()
        for _ in range(count):
            action()
        took = time.process_time() - started
        if took > seconds / 5:
            break
        count *= 4
    rounds = []
    for _ in range(5):
        started = time.process_time()
        for _ in range(count):
            action()
        rounds.append((time.process_time() - started) / count)
    return min(rounds) * 1e6


def bench_maps() -> None:
    print("one change to a collection of n entries, in microseconds")
    print(f"{'n':>10} {'dict copy':>12} {'Map change':>12}")
    for size in (10, 100, 1_000, 10_000, 100_000):
        plain = {f"topic-{i}": i for i in range(size)}
        persistent: Map[str, int] = Map(plain)
        key = f"topic-{size // 2}"

        def copy(plain: dict[str, int] = plain, key: str = key) -> None:
            changed = dict(plain)
            changed[key] = -1

        def change(persistent: Map[str, int] = persistent, key: str = key) -> None:
            persistent.set(key, -1)

        print(f"{size:>10} {per_call_us(copy):>12.2f} {per_call_us(change):>12.2f}")


def bench_bulk() -> None:
    keys = [f"topic-{i}" for i in range(100_000)]

    def one_mutation() -> Map[str, int]:
        mutation: MapMutation[str, int] = Map[str, int]().mutate()
        for key in keys:
            mutation[key] = 0
        return mutation.finish()

    def map_by_map() -> Map[str, int]:
        persistent: Map[str, int] = Map()
        for key in keys:
            persistent = persistent.set(key, 0)
        return persistent

    once, each = per_call_us(one_mutation) / len(keys), per_call_us(map_by_map) / len(keys)
    print(f"building a map of {len(keys)}: {once:.2f} us an entry in one mutation, {each:.2f} us map by map")


def one_batch(offset: int, records: list[ConfigRecord]) -> bytes:
    values = [encode_record(record, 0) for record in records]
    return encode_batch(values, base_offset=offset, epoch=1, timestamp_ms=0)


def bench_commit() -> None:
    loader = MetadataLoader()
    loader.load_batches(split_batches(one_batch(0, [SHAPES["ten keys a resource"](i) for i in range(10_000)])))
    image = loader.image
    record = ConfigRecord(2, "topic-500", "retention.ms.5", "x")
    (batch,) = split_batches(one_batch(loader.next_offset, [record]))
    decoded = {batch.base_offset: [record]}
    cold = per_call_us(lambda: MetadataLoader(image).load_batches([batch]))
    warm = per_call_us(lambda: MetadataLoader(image).load_records([batch], decoded))
    print(f"one record committed over 10,000: {cold:.1f} us decoded from its batch, {warm:.1f} us with its record")


def chunks(shape: str, count: int) -> Iterator[list[Batch]]:
    make = SHAPES[shape]
    data = b""
    for number, start in enumerate(range(0, count, BATCH_RECORDS)):
        data += one_batch(start, [make(i) for i in range(start, min(start + BATCH_RECORDS, count))])
        if number % CHUNK_BATCHES == CHUNK_BATCHES - 1:
            yield split_batches(data)
            data = b""
    if data:
        yield split_batches(data)


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def load(shape: str, count: int, source: str) -> None:
    """Load one shape in this process and print a line."""
    gc.collect()
    gc.freeze()
    gc.disable()
    before = resident_mb()
    loader = MetadataLoader()
    took = 0.0
    if source == "log":
        for batches in chunks(shape, count):
            started = time.process_time()
            loader.catch_up(batches)
            took += time.process_time() - started
        started = time.process_time()
        loader.caught_up()
        took += time.process_time() - started
    else:
        spent = [0.0]
        pieces = (batch for batches in timed(chunks(shape, count), spent) for batch in batches)
        started = time.process_time()
        loader.load_snapshot(OffsetAndEpoch(epoch=1, offset=count), pieces, 0)
        took = time.process_time() - started - spent[0]
    after = resident_mb()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    started = time.process_time()
    written = sum(len(group) for group in snapshot_groups(loader.image))
    write = time.process_time() - started
    assert written == count, (written, count)
    print(
        f"{shape:<22} {source:<9} load {took:5.2f} s  grown {after - before:5.0f} MB  peak {peak:5.0f} MB  "
        f"snapshot {write:5.2f} s"
    )


def timed(source: Iterator[list[Batch]], spent: list[float]) -> Iterator[list[Batch]]:
    """Pass batches on and add up the time that making them took."""
    while True:
        started = time.process_time()
        batches = next(source, None)
        spent[0] += time.process_time() - started
        if batches is None:
            return
        yield batches


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--shape", choices=SHAPES)
    parser.add_argument("--source", choices=("log", "snapshot"), default="log")
    options = parser.parse_args()
    if options.shape:
        load(options.shape, options.records, options.source)
        return
    print(f"Python {platform.python_version()}, {platform.machine()}; empty image at level {EMPTY.level}")
    print(f"feature record: {len(encode_record(FeatureLevelRecord('metadata.version', 40), 0))} bytes")
    bench_maps()
    bench_bulk()
    bench_commit()
    print(f"{options.records} ConfigRecords, garbage collector off")
    for shape in SHAPES:
        for source in ("log", "snapshot"):
            arguments = ["--shape", shape, "--records", str(options.records), "--source", source]
            subprocess.run([sys.executable, __file__, *arguments], check=True)


if __name__ == "__main__":
    main()
