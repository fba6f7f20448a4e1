"""Batches to columns of records by vectors: where each value stands, how long it is, what its frame says.

A record starts where the one before it ends, so that a batch cannot be cut in one step. Many can be cut together: every
step takes one record off each of many *chains*, and a chain is a piece of a batch that starts at a record whose place
was found by what stands before a value (a pattern that names the record's number). A wrong guess cannot go unseen: the
chain before it would not end there. Then every rule that ``Batch.values`` has is checked over all records at once.

What vectors cannot judge (a record of 8 KiB or more, a batch that breaks a rule, a group too small to gain) is cut by
``Batch.values``, one batch at a time, so that there is one meaning and one text for each fault. Without numpy all of it
is. On metadata logs this cuts some 10 M records/s on a core, the loop in Python 1.5 M (``bench/micro_audit.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

from kraftpy.audit.extra import MissingExtraError, extra
from kraftpy.audit.reading.entries import frame_of
from kraftpy.audit.reading.rows import Entry
from kraftpy.audit.reading.scan import Found, Summary, scan
from kraftpy.audit.reading.splits import Cell
from kraftpy.records.batch import BATCH_HEADER_BYTES, Batch
from kraftpy.records.varint import delta_pattern, varint

Array: TypeAlias = Any
"""A numpy array; numpy is optional here."""

GROUP_BYTES: Final = 4 * 1024 * 1024
"""Batches are cut together up to this many bytes."""

CHAINS_WANTED: Final = 512
"""Into so many chains a group is cut: more cost more searching, fewer more steps."""

CHAIN_RECORDS_MIN: Final = 64
"""A chain is not shorter than this unless its batch is."""

CHAINS_MIN: Final = 12
"""With fewer chains a loop in Python is as fast."""

NUMBERED_MAX: Final = 2**18
"""Records of a batch whose patterns are kept ready; longer batches are cut by the loop."""

_SEARCH_MAX: Final = 64 * 1024
"""How far a chain's start is looked for beyond where it is expected."""

_PADDING: Final = bytes(16)
_LONG: Final = 0x80
_NEGATIVE: Final = 0x01


@dataclass(slots=True)
class Frames:
    """The records of several data batches as columns, in order.

    Attributes:
        data: bytes that hold all values.
        batches: those batches.
        batch: of each record, the index of its batch.
        offsets: the records' offsets.
        starts: where each value starts in ``data``.
        sizes: how long it is.
        api_keys: from its frame, as ``entries.frame_of`` says it.
        versions: the same.
    """

    data: bytes
    batches: list[Found]
    batch: Array
    offsets: Array
    starts: Array
    sizes: Array
    api_keys: Array
    versions: Array

    def __len__(self) -> int:
        return len(self.starts)

    def value(self, index: int) -> bytes:
        """Return one record's value."""
        start = int(self.starts[index])
        return self.data[start : start + int(self.sizes[index])]

    def entry(self, cell: Cell, index: int) -> Entry:
        """Return one record as replay reads it."""
        batch = self.batches[int(self.batch[index])].batch
        assert batch is not None
        return Entry(
            cell.file.path,
            cell.file.kind,
            int(self.offsets[index]),
            batch.epoch,
            batch.base_timestamp_ms,
            control=False,
            api_key=int(self.api_keys[index]),
            version=int(self.versions[index]),
            raw=self.value(index),
        )


@dataclass(slots=True)
class Group:
    """Consecutive batches and damage of a cell, and the records of its data batches (``None``: there are none)."""

    founds: list[Found]
    frames: Frames | None


def has_vectors() -> bool:
    """Say whether numpy is there."""
    try:
        extra("numpy")
    except MissingExtraError:
        return False
    return True


def scan_groups(cell: Cell, summary: Summary | None = None, group_bytes: int = GROUP_BYTES) -> Iterator[Group]:
    """Do as ``scan``, many batches at a time; the values of data batches stand in ``frames`` only.

    Raises:
        MissingExtraError: when numpy is not installed.
    """
    summary = Summary(cell) if summary is None else summary
    founds: list[Found] = []
    size = 0
    for found in scan(cell, opens=False):
        founds.append(found)
        size += found.size
        if size >= group_bytes:
            yield _grouped(founds, summary)
            founds, size = [], 0
    if founds:
        yield _grouped(founds, summary)


def _grouped(founds: list[Found], summary: Summary) -> Group:
    data_batches: list[Found] = []
    for found in founds:
        if found.problem is None and found.batch is not None:
            if found.batch.is_control:
                found.open()
            else:
                data_batches.append(found)
    frames = cut(data_batches) if data_batches else None
    for found in founds:
        summary.add(found)
    return Group(founds, frames)


def cut(batches: Sequence[Found]) -> Frames:
    """Cut data batches without a problem into records; one that breaks a rule gets a problem and has no records."""
    np = extra("numpy")
    joined = b"".join([_of(found).data for found in batches] + [_PADDING])
    length = max(sum(_of(found).record_count for found in batches) // CHAINS_WANTED, CHAIN_RECORDS_MIN)
    chains, by_loop = _chains(batches, joined, length)
    if len(chains) < CHAINS_MIN:
        chains, by_loop = [], set(range(len(batches)))
    if len(by_loop) == len(batches):
        return _looped(batches)
    counts = np.array([0 if index in by_loop else _of(found).record_count for index, found in enumerate(batches)])
    starts, sizes, wrong = _cut_by_vectors(joined, batches, counts, chains, length)
    batch = np.repeat(np.arange(len(batches)), counts)
    by_loop |= set(np.unique(batch[wrong]).tolist())
    if not by_loop:
        return _framed(joined, list(batches), batch, starts, sizes, counts)
    # Batches cut by the loop bring their values as bytes of their own, behind the others.
    kept = ~np.isin(batch, np.fromiter(by_loop, np.int64))
    batch, starts, sizes = batch[kept], starts[kept], sizes[kept]
    values: list[bytes] = []
    for index in sorted(by_loop):
        counts[index] = len(opened := _opened(batches[index]))
        values += opened
    more = np.fromiter(map(len, values), np.int64, len(values))
    begins = len(joined) + np.cumsum(more) - more
    order = np.argsort(
        np.concatenate([batch, np.repeat(np.array(sorted(by_loop)), counts[sorted(by_loop)])]), kind="stable"
    )
    starts, sizes = np.concatenate([starts, begins])[order], np.concatenate([sizes, more])[order]
    batch = np.repeat(np.arange(len(batches)), counts)
    return _framed(b"".join([joined, *values, _PADDING]), list(batches), batch, starts, sizes, counts)


def _of(found: Found) -> Batch:
    assert found.batch is not None
    return found.batch


def _opened(found: Found) -> list[bytes]:
    found.open()
    values, found.values = found.values, []
    return values


def _looped(batches: Sequence[Found]) -> Frames:
    """Cut all batches by the loop."""
    np = extra("numpy")
    opened = [_opened(found) for found in batches]
    counts = np.array([len(values) for values in opened], np.int64)
    values = [value for each in opened for value in each]
    sizes = np.fromiter(map(len, values), np.int64, len(values))
    batch = np.repeat(np.arange(len(batches)), counts)
    return _framed(b"".join([*values, _PADDING]), list(batches), batch, np.cumsum(sizes) - sizes, sizes, counts)


def _framed(data: bytes, batches: list[Found], batch: Array, starts: Array, sizes: Array, counts: Array) -> Frames:
    """Read the frames of values that are found."""
    np = extra("numpy")
    head = _window(data, "<u4")[starts] if len(starts) else np.zeros(0, np.uint32)
    api_keys = (head >> 8 & 0x7F).astype(np.int32)
    versions = (head >> 16 & 0x7F).astype(np.int32)
    for index in np.flatnonzero((head & 0x8080FF != 1) | (sizes < 3)).tolist():
        start = int(starts[index])
        api_keys[index], versions[index] = frame_of(data[start : start + int(sizes[index])])
    firsts = np.cumsum(counts) - counts
    bases = np.array([_of(found).base_offset for found in batches], np.int64)
    offsets = np.arange(len(batch)) + (bases - firsts)[batch]
    return Frames(data, batches, batch, offsets, starts, sizes, api_keys, versions)


def _window(data: bytes, kind: str) -> Array:
    """Return an array whose element i is the little-endian number at byte i, wherever that is."""
    np = extra("numpy")
    width = np.dtype(kind).itemsize
    return np.ndarray((len(data) - width + 1,), kind, data, 0, (1,))


# Chains: (index of the batch, number of its first record, where that record starts).

_Chain: TypeAlias = tuple[int, int, int]


def _chains(batches: Sequence[Found], joined: bytes, length: int) -> tuple[list[_Chain], set[int]]:
    """Return where chains start, and the batches that are for the loop because no place was found in them."""
    chains: list[_Chain] = []
    by_loop: set[int] = set()
    base = 0
    for index, found in enumerate(batches):
        batch = _of(found)
        starts = _chain_starts(batch, joined, base, length) if batch.record_count < NUMBERED_MAX else None
        if starts is None:
            by_loop.add(index)
        else:
            chains += [(index, length * number, start) for number, start in enumerate(starts)]
        base += batch.size
    return chains, by_loop


def _chain_starts(batch: Batch, joined: bytes, base: int, length: int) -> list[int] | None:
    """Return where every ``length``-th record starts, ``None`` where one is not found."""
    starts = [base + BATCH_HEADER_BYTES]
    end = base + batch.size
    step = 0
    for number in range(length, batch.record_count, length):
        # Records are alike: the next chain starts about as far on as this one was from the one before.
        expected = starts[-1] + step * 7 // 8
        found = _find_record(joined, number, expected, min(end, starts[-1] + 2 * step + _SEARCH_MAX))
        if found is None and step:
            found = _find_record(joined, number, starts[-1], expected + _SEARCH_MAX)
        if found is None:
            return None
        step = found - starts[-1]
        starts.append(found)
    return starts


def _find_record(joined: bytes, number: int, begin: int, end: int) -> int | None:
    """Return where a record with this number starts, judged by what stands around the pattern that names it."""
    pattern = delta_pattern(number)
    at = joined.find(pattern, begin, end)
    while at >= 0:
        head, size = at + len(pattern), joined[at + len(pattern)]
        if not size & _NEGATIVE:
            place = head + 1
            if size >= _LONG:
                size = size - _LONG | joined[head + 1] << 7
                place += 1
            length = varint(place + (size >> 1) + 1 - at)
            start = at - len(length)
            if joined[start:at] == length and not joined[start - 1]:
                return start
        at = joined.find(pattern, at + 1, end)
    return None


@cache
def _tables() -> tuple[Array, Array, Array, Array, Array, Array]:
    """Return, by the two bytes that a length starts with: bytes of the length, value of it (0: not for vectors).

    Then by the number of a record: ``delta_pattern`` as a little-endian number, a mask of its bits, how many bits and
    bytes it has.
    """
    np = extra("numpy")
    word = np.arange(2**16)
    low, high = word & 0xFF, word >> 8
    is_long = low >= _LONG
    widths = 1 + is_long
    values = np.where(is_long, (low & 0x7F) | high << 7, low) >> 1
    usable = (low & _NEGATIVE == 0) & (~is_long | (high < _LONG))
    zigzag = np.arange(NUMBERED_MAX, dtype=np.uint64) << np.uint64(1)
    delta_bytes = 1 + (zigzag >= 2**7).astype(np.uint8) + (zigzag >= 2**14)
    patterns = np.zeros(NUMBERED_MAX, np.uint64)
    for place in range(3):
        goes_on = np.where(delta_bytes > place + 1, np.uint64(_LONG), np.uint64(0))
        byte = np.where(delta_bytes > place, zigzag >> np.uint64(7 * place) & np.uint64(0x7F) | goes_on, np.uint64(0))
        patterns |= byte << np.uint64(8 * (2 + place))
    bits = np.uint64(8) * (3 + delta_bytes).astype(np.uint64)
    patterns |= np.uint64(1) << (bits - np.uint64(8))
    return (
        np.where(usable, widths, 1).astype(np.int64),
        np.where(usable, values, 0).astype(np.int64),
        patterns,
        (np.uint64(1) << bits) - np.uint64(1),
        bits,
        (delta_bytes + 3).astype(np.int64),
    )


def _cut_by_vectors(
    joined: bytes, batches: Sequence[Found], counts: Array, chains: Sequence[_Chain], length: int
) -> tuple[Array, Array, Array]:
    """Return of each record where its value starts and its size, and the indexes of records that break a rule."""
    np = extra("numpy")
    widths, lengths, *by_number = _tables()
    words = _window(joined, "<u2")
    firsts = np.cumsum(counts) - counts
    records = _walked(words, widths + lengths, counts, firsts, chains, length)
    head = words[records]
    places = records + widths[head]
    nexts = places + lengths[head]
    ends = np.cumsum(np.array([found.size for found in batches], np.int64))
    follows = np.empty_like(records)
    follows[:-1] = records[1:]
    last = (firsts + counts - 1)[counts > 0]
    follows[last] = ends[counts > 0]
    good = (nexts == follows) & (lengths[head] > 0)
    # From here on a record that is not good may point anywhere: it is looked at where no harm is done.
    limit = len(joined) - len(_PADDING)
    places = np.minimum(places, limit)
    numbers = [table[:count] for count in counts.tolist() for table in by_number]
    patterns, masks, bits, pattern_bytes = (np.concatenate(numbers[first::4]) for first in range(4))
    window = _window(joined, "<u8")[places]
    good &= (window ^ patterns) & masks == 0
    size_head = window >> bits & np.uint64(0xFFFF)
    sizes = lengths[size_head]
    starts = places + pattern_bytes + widths[size_head]
    stops = np.minimum(starts + sizes, limit)
    bytes_ = np.frombuffer(joined, np.uint8)
    good &= (sizes > 0) & (stops + 1 == nexts) & (bytes_[stops] == 0)
    return starts, sizes, np.flatnonzero(~good)


def _walked(words: Array, steps: Array, counts: Array, firsts: Array, chains: Sequence[_Chain], length: int) -> Array:
    """Walk all chains, one record a step, and return where each record starts."""
    np = extra("numpy")
    batch, number, at = np.array(chains, np.int64).T
    left = np.minimum(counts[batch] - number, length)
    order = np.argsort(-left, kind="stable")
    left, at, slots = left[order], at[order], (firsts[batch] + number)[order]
    active = np.searchsorted(-left, -np.arange(length), side="left")
    limit = len(words) - len(_PADDING)
    records = np.empty(int(counts.sum()), np.int64)
    for step in range(length):
        size = int(active[step])
        if not size:
            break
        at, slots = at[:size], slots[:size]
        records[slots + step] = at
        at = np.minimum(at + steps[words[at]], limit)
    return records
