"""Records per second of the codecs and of batch framing: ``python bench/micro_codec.py [rounds]``.

Each line is the median of the rounds, with the garbage collector on and off where results are kept.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable

from kraftpy.model.features import SchemaSet
from kraftpy.records.batch import encode_batch, parse_batch
from kraftpy.records.metadata import (
    ConfigRecord,
    PartitionChangeRecord,
    PartitionRecord,
    TopicRecord,
    decode_record,
    encode_record,
)

RECORDS = 20_000
TOPIC = bytes(range(16))
DIRECTORY = bytes(range(16, 32))
RECORD_KINDS = {
    "ConfigRecord v0": (ConfigRecord(2, "orders-0001", "retention.ms", "86400000"), 0),
    "TopicRecord v0": (TopicRecord("orders-0001", TOPIC), 0),
    "PartitionRecord v1": (
        PartitionRecord(7, TOPIC, [1, 2, 3], [1, 2, 3], [], [], 1, 0, 5, 9, [DIRECTORY] * 3),
        1,
    ),
    "PartitionChangeRecord v2": (PartitionChangeRecord(7, TOPIC, isr=[1, 2], leader=1), 2),
}


def rate(work: Callable[[], object], rounds: int) -> str:
    """Measure one kind of work on RECORDS records."""
    rates = []
    for _ in range(rounds):
        gc.collect()
        start = time.perf_counter()
        kept = work()
        rates.append(RECORDS / (time.perf_counter() - start))
        del kept
    return f"{statistics.median(rates) / 1e6:6.2f} M/s [{min(rates) / 1e6:.2f}..{max(rates) / 1e6:.2f}]"


def measure(label: str, work: Callable[[], object], rounds: int) -> None:
    """Print one line."""
    with_gc = rate(work, rounds)
    gc.disable()
    without_gc = rate(work, rounds)
    gc.enable()
    print(f"{label:44} {with_gc}   without gc {without_gc}")


def main() -> None:
    """Measure everything."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    print(f"Python {sys.version.split()[0]}, {RECORDS} records a round, median of {rounds}")
    for name, (record, version) in RECORD_KINDS.items():
        value = encode_record(record, version)
        measure(
            f"encode {name} ({len(value)} B)",
            lambda r=record, v=version: [encode_record(r, v) for _ in range(RECORDS)],
            rounds,
        )
        measure(f"decode {name}", lambda v=value: [decode_record(v, SchemaSet.KRAFTPY) for _ in range(RECORDS)], rounds)
    values = [encode_record(*RECORD_KINDS["PartitionRecord v1"])] * 1000
    batch = encode_batch(values, base_offset=0, epoch=1, timestamp_ms=0)
    times = RECORDS // 1000

    def frame() -> object:
        return [encode_batch(values, base_offset=0, epoch=1, timestamp_ms=0) for _ in range(times)]

    def unframe() -> object:
        return [parse_batch(batch).values() for _ in range(times)]

    def load() -> object:
        schema = SchemaSet.KRAFTPY
        return [[decode_record(value, schema) for value in parse_batch(batch).values()] for _ in range(times)]

    measure("frame (1000 a batch, with checksum)", frame, rounds)
    measure("unframe to values (with checksum)", unframe, rounds)
    measure("unframe and decode PartitionRecord", load, rounds)


if __name__ == "__main__":
    main()
