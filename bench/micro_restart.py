"""What a restart costs, stage by stage: a log of config records is recovered, decoded, replayed and introduced.

Run: python bench/micro_restart.py [--records 1000000] [--value-bytes 100] [--batch 1024]

The log is what ``kraftpy bench load`` leaves behind: one config under each name. Each stage runs in CPU time, because
machines that measure are seldom idle; the load runs in a process of its own, so that its resident set can be read.
"""

from __future__ import annotations

import argparse
import gc
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from kraftpy.image import LogDeltaManifest, Manifest, MetadataDelta, MetadataImage
from kraftpy.model.ids import uuid_from_random, uuid_to_text
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.records.batch import encode_batch
from kraftpy.records.codec import Record
from kraftpy.records.metadata import ClusterIdRecord, ConfigRecord, FeatureLevelRecord, encode_record
from kraftpy.runtime.state_machine import StateMachine
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import RealFileSystem

LEVEL = 42
CLIENT_METRICS = 16


class LastImage:
    """A publisher that only keeps what it is shown."""

    name = "last image"

    def __init__(self) -> None:
        self.image: MetadataImage | None = None

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        assert delta.image is not image
        assert not isinstance(manifest, LogDeltaManifest)
        self.image = image

    def on_controller_change(self, leader: LeaderAndEpoch) -> None: ...

    def close(self) -> None: ...


def opened(path: Path) -> MetadataDirectory:
    """Open the directory as a node does."""
    return MetadataDirectory.open(RealFileSystem(), str(path), LogConfig(), Random(1).randbytes)


def fill(path: Path, records: int, batch: int, value_bytes: int) -> None:
    """Write the log."""
    directory = opened(path)
    cluster_id = uuid_to_text(uuid_from_random(Random(1).randbytes))
    first: list[Record] = [FeatureLevelRecord("metadata.version", LEVEL), ClusterIdRecord(cluster_id)]
    offset = 0
    groups: list[list[Record]] = [first]
    for start in range(0, records, batch):
        value = f"{start:010d}".ljust(value_bytes, "x")
        names = range(start, min(start + batch, records))
        groups.append([ConfigRecord(CLIENT_METRICS, f"bench-{name:07d}", "metrics", value) for name in names])
        if len(groups) >= 64 or start + batch >= records:
            made = []
            for group in groups:
                values = [encode_record(record, 0) for record in group]
                made.append(encode_batch(values, base_offset=offset, epoch=1, timestamp_ms=0))
                offset += len(group)
            directory.log.append(made, 0)
            groups = []
    directory.log.sync()
    directory.close()


def status_mb(field: str) -> float:
    """Return a figure of /proc/self/status."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1e3
    raise KeyError(field)


def load(path: Path) -> None:
    """Load the log as a starting node does, and say what each stage took."""
    gc.collect()
    gc.freeze()
    before_mb, cpu = status_mb("VmRSS"), time.process_time()
    directory = opened(path)
    recovered = time.process_time()
    machine, publisher = StateMachine(directory), LastImage()
    machine.install([publisher])
    end = directory.log.end_offset
    longest = 0.0
    while machine.has_backlog(end):
        started = time.process_time()
        machine.load_slice(end)
        longest = max(longest, time.process_time() - started)
    loaded = time.process_time()
    assert publisher.image is not None
    held_mb = status_mb("VmRSS") - before_mb
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3 - before_mb
    each = held_mb * 1e6 / end
    print(
        f"recover {recovered - cpu:5.2f} s  load and introduce {loaded - recovered:5.2f} s, at most {longest:4.2f} s "
        f"at a time  grown {held_mb:4.0f} MB ({each:.0f} bytes a record), peak {peak_mb:4.0f} MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--value-bytes", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--dir", type=Path)
    parser.add_argument("--load", action="store_true", help="load what is in --dir, in this process")
    options = parser.parse_args()
    if options.load:
        load(options.dir)
        return
    with tempfile.TemporaryDirectory(dir=options.dir) as scratch:
        fill(Path(scratch), options.records, options.batch, options.value_bytes)
        for _ in range(options.runs):
            subprocess.run([sys.executable, __file__, "--load", "--dir", scratch], check=True)


if __name__ == "__main__":
    main()
