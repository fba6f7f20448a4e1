"""Metadata files as bytes and as entries, for tests that need no engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.reading.rows import CONTROL_KEYS, LOG, SNAPSHOT, ControlEntry, Entry, FileSummary
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.replay.replay import replay_shards
from kraftpy.records.batch import split_batches
from kraftpy.records.codec import read_uvarint
from kraftpy.records.control import control_type, encode_control

REPLAY = KraftReplay(salt=b"test")


def entries_of(name: str, data: bytes) -> Iterator[Entry]:
    """The records of a sound file."""
    kind = LOG if name.endswith(".log") else SNAPSHOT
    for batch in split_batches(data):
        place = (name, kind)
        stamp = (batch.epoch, batch.base_timestamp_ms, batch.is_control)
        if batch.is_control:
            for offset, record in enumerate(batch.control_records(), batch.base_offset):
                value = encode_control(record)[1]
                key = control_type(record)
                yield Entry(*place, offset, *stamp, key, 0, value)
            continue
        for offset, value in enumerate(batch.values(), batch.base_offset):
            at, numbers = 0, []
            for _ in range(3):
                number, at = read_uvarint(value, at)
                numbers.append(number)
            yield Entry(*place, offset, *stamp, numbers[1], numbers[2], value)


def summary_of(cluster: str, node: str, name: str, data: bytes) -> FileSummary:
    """What the first pass says of a sound file."""
    batches = split_batches(data)
    kind = LOG if name.endswith(".log") else SNAPSHOT
    if not batches:
        return FileSummary(cluster, node, name, kind, -1, -1, -1, -1, 0)
    last = batches[-1]
    newest = max(batch.max_timestamp_ms for batch in batches)
    return FileSummary(cluster, node, name, kind, batches[0].base_offset, last.next_offset, last.epoch, newest, 0)


def is_control(entry: Entry) -> bool:
    return entry.control or entry.api_key in CONTROL_KEYS


def plan(files: dict[tuple[str, str, str], bytes], as_of: AsOf | None = None):
    """Plan the replay of files by (cluster, node, name)."""
    summaries = [summary_of(*key, data) for key, data in files.items()]
    control_entries = [
        ControlEntry(cluster, node, entry)
        for (cluster, node, name), data in files.items()
        for entry in entries_of(name, data)
        if is_control(entry)
    ]
    return REPLAY.plan(summaries, control_entries, as_of or AsOf())


def replayed(files: dict[tuple[str, str, str], bytes], as_of: AsOf | None = None, spread: int = 1) -> dict[str, list]:
    """Replay files; return rows by table. ``spread`` > 1 replays that many groups of shards apart."""
    planned = plan(files, as_of)
    tables: dict[str, list] = {name: [] for name in REPLAY.tables}
    for table, row in planned.rows:
        tables[table].append(row)
    for of_node in planned.plans:
        entries = sorted(
            (
                entry
                for (cluster, node, name), data in files.items()
                if (cluster, node) == (of_node.cluster, of_node.node)
                for entry in entries_of(name, data)
                if of_node.takes(entry.file, entry.kind, entry.offset)
            ),
            key=lambda entry: (entry.kind == LOG, entry.file, entry.offset),
        )
        for group in _groups(entries, spread):
            for table, row in replay_shards(of_node, group):
                tables[table].append(row)
    return tables


def _groups(entries: Iterable[Entry], spread: int) -> list[list[Entry]]:
    groups: list[list[Entry]] = [[] for _ in range(spread)]
    for entry in entries:
        groups[sum(REPLAY.shard_of(entry)) % spread].append(entry)
    return groups
