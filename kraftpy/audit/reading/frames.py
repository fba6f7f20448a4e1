"""Batch runs to columns of their records, many records per step: place and size of each value, and its frame.

A record starts where the preceding one ends, so a batch cannot be cut in one step. Many *chains* can be cut together:
each step takes one record off each chain. A chain is a batch, or a part of one that starts at a record found by the
bytes that precede its value (a pattern that contains the record's number). A wrong guess is always detected, because
the preceding chain does not end there. Then every rule of ``Batch.values`` is checked for all records at once.

What cannot be checked by columns (a record of 8 KiB or more, a batch that breaks a rule, a run too small to gain) is
cut by ``Batch.values``, one batch at a time, so that each problem has one definition and one text.
``bench/micro_audit.py`` measures both in records per second.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any, Final, TypeAlias

from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.batch_runs import PADDING, BatchRun, Data
from kraftpy.audit.reading.entries import frame_of
from kraftpy.audit.reading.rows import Entry
from kraftpy.audit.reading.scan import ScannedRange
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.records.batch import BATCH_HEADER_BYTES

Array: TypeAlias = Any
"""A numpy array; numpy is optional here."""

CHAINS_WANTED: Final = 1024
"""The number of chains that a run is cut into: more cost more searching, fewer cost more steps."""

CHAIN_RECORDS_MIN: Final = 64
"""A chain has at least this many records, unless its batch has fewer."""

CHAINS_MIN: Final = 12
"""With fewer chains a loop in Python is as fast."""

TABLE_ROWS: Final = 2**13
"""Tables by a record's number have a multiple of this many rows."""

NUMBERED_MAX: Final = 2**18
"""The largest batch, in records, whose patterns are cached; longer ones are cut by the loop."""

CHAIN_LENGTHS_MAX: Final = 8
"""A chain of more than this many times the wanted length, because no start was found within it, is cut by the loop."""

JUDGED_AT_ONCE: Final = 8192
"""The number of records that are checked at once."""

_SEARCHED_RECORDS: Final = 1
_SEARCHED_MORE: Final = 80
"""A chain's start is searched for within this many records of the average size, and this many more bytes."""

_LONG: Final = 0x80
_FRAME_MASK: Final = 0x8080FF
"""Of a frame's three bytes as a little-endian number: all of the first, and the continuation bits of the others."""
_NEGATIVE: Final = 0x01


_entry = partial(tuple.__new__, Entry)
"""As ``Entry._make``, without a Python call for each."""


@dataclass(slots=True)
class Frames:
    """The records of a run as columns, in order.

    Attributes:
        run: the batches.
        counts: how many records of each batch are here: all, or none where the batch has a problem.
        problems: the batches whose records break a rule, by index.
        data: bytes that contain all values; at least 16 follow the last one.
        starts: where each value starts in ``data``.
        sizes: the bytes of each value.
        api_keys: as ``entries.frame_of`` returns them.
        versions: the same.
    """

    run: BatchRun
    counts: Array
    problems: dict[int, ScannedRange]
    data: Data
    starts: Array
    sizes: Array
    api_keys: Array
    versions: Array
    _offsets: Array = None

    def __len__(self) -> int:
        return len(self.starts)

    def spread(self, column: Array) -> Array:
        """Repeat a column of the batches for each of their records."""
        return extra("numpy").repeat(column, self.counts)

    def offsets(self) -> Array:
        """Return the records' offsets."""
        if self._offsets is None:
            np = extra("numpy")
            firsts = np.cumsum(self.counts) - self.counts
            self._offsets = np.arange(len(self)) + self.spread(self.run.base_offsets - firsts)
        return self._offsets

    def only(self, wanted: Array) -> Frames:
        """Return some of the records; ``counts`` then has how many of each batch are left."""
        np = extra("numpy")
        batch = self.spread(np.arange(len(self.run)))[wanted]
        counts = np.bincount(batch, minlength=len(self.run))
        columns = (self.starts, self.sizes, self.api_keys, self.versions)
        kept = Frames(self.run, counts, self.problems, self.data, *(column[wanted] for column in columns))
        kept._offsets = self.offsets()[wanted]
        return kept

    def entries(self, split: InputSplit, chosen: Array | None = None) -> list[Entry]:
        """Return records one by one: some by their indexes, or all."""
        return self.kept(extra("numpy").arange(len(self)) if chosen is None else chosen).entries(split)

    def kept(self, chosen: Array) -> Kept:
        """Return some records with a copy of their bytes."""
        np = extra("numpy")
        run = self.run
        ends = np.cumsum(self.counts)
        batch = np.searchsorted(ends, chosen, side="right")
        offsets = (run.base_offsets - ends + self.counts)[batch] + chosen
        starts, sizes = self.starts[chosen], self.sizes[chosen]
        stops = np.cumsum(sizes)
        places = np.repeat(starts - stops + sizes, sizes) + np.arange(int(sizes.sum()))
        return Kept(
            np.frombuffer(self.data, np.uint8).take(places).tobytes(),
            offsets if self._offsets is None else self._offsets[chosen],
            run.epochs[batch], run.base_times[batch], self.api_keys[chosen], self.versions[chosen], stops,
        )  # fmt: skip


@dataclass(slots=True)
class Kept:
    """Records that outlive the piece of the file that they were read from; every column has one element for each.

    Attributes:
        data: their values, one after another.
        stops: where each value ends in ``data``.
    """

    data: bytes
    offsets: Array
    epochs: Array
    times: Array
    api_keys: Array
    versions: Array
    stops: Array

    def entries(self, split: InputSplit) -> list[Entry]:
        """Return them one by one."""
        data, path, kind = self.data, split.file.path, split.file.kind
        stops = self.stops.tolist()
        columns = (self.offsets, self.epochs, self.times, self.api_keys, self.versions)
        return [
            _entry((path, kind, offset, epoch, time_ms, False, api_key, version, data[start:stop]))
            for offset, epoch, time_ms, api_key, version, start, stop in zip(
                *(column.tolist() for column in columns), [0, *stops[:-1]] if stops else stops, stops, strict=True
            )
        ]


def cut(run: BatchRun) -> Frames:
    """Cut the batches of a run into records; one that breaks a rule becomes a problem and has no records."""
    np = extra("numpy")
    length = max(int(run.counts.sum()) // CHAINS_WANTED, CHAIN_RECORDS_MIN)
    chains, by_loop = _chains(run, length)
    if len(chains) < CHAINS_MIN:
        by_loop = set(range(len(run)))
    if len(by_loop) == len(run):
        return _looped(run)
    counts = run.counts.copy()
    counts[sorted(by_loop)] = 0
    starts, sizes, wrong = _cut_by_vectors(run, counts, chains)
    batch = np.repeat(np.arange(len(run)), counts)
    by_loop |= set(batch[wrong].tolist())
    if not by_loop:
        return _framed(run, counts, {}, run.data, starts, sizes)
    # The loop returns values as bytes of their own; they are appended to the data.
    kept = ~np.isin(batch, np.fromiter(by_loop, np.int64))
    batch, starts, sizes = batch[kept], starts[kept], sizes[kept]
    singly = sorted(by_loop)
    values, problems = _opened(run, singly, counts)
    more = np.fromiter(map(len, values), np.int64, len(values))
    begins = len(run.data) + np.cumsum(more) - more
    order = np.argsort(np.concatenate([batch, np.repeat(np.array(singly), counts[singly])]), kind="stable")
    starts, sizes = np.concatenate([starts, begins])[order], np.concatenate([sizes, more])[order]
    return _framed(run, counts, problems, b"".join([run.data, *values, PADDING]), starts, sizes)


def _looped(run: BatchRun) -> Frames:
    """Cut all batches by the loop."""
    np = extra("numpy")
    counts = run.counts.copy()
    values, problems = _opened(run, range(len(run)), counts)
    sizes = np.fromiter(map(len, values), np.int64, len(values))
    return _framed(run, counts, problems, b"".join([*values, PADDING]), np.cumsum(sizes) - sizes, sizes)


def _opened(run: BatchRun, indexes: Iterable[int], counts: Array) -> tuple[list[bytes], dict[int, ScannedRange]]:
    """Cut some batches by the loop; return the values, which are counted, and the batches that break a rule."""
    values: list[bytes] = []
    problems: dict[int, ScannedRange] = {}
    positions = run.positions
    for index in indexes:
        found = ScannedRange(int(positions[index]), int(run.sizes[index]), run.batch(index))
        found.open()
        if found.problem is not None:
            problems[index] = found
        counts[index] = len(found.values)
        values += found.values
    return values, problems


def _framed(
    run: BatchRun, counts: Array, problems: dict[int, ScannedRange], data: Data, starts: Array, sizes: Array
) -> Frames:
    """Read the frames of values that are found."""
    np = extra("numpy")
    # In nearly all frames three numbers of one byte: frame version, api key and version.
    frames = _window(data, "<u4")[starts]
    plain = (frames & _FRAME_MASK == 1) & (sizes > 2)
    api_keys, versions = ((frames >> bits & 0x7F).astype(np.int32) for bits in (8, 16))
    if not plain.all():
        for index in np.flatnonzero(~plain).tolist():
            start = int(starts[index])
            api_keys[index], versions[index] = frame_of(bytes(data[start : start + int(sizes[index])]))
    return Frames(run, counts, problems, data, starts, sizes, api_keys, versions)


def _window(data: Data, kind: str) -> Array:
    """Return an array whose element i is the little-endian number at byte i, wherever that is."""
    np = extra("numpy")
    width = np.dtype(kind).itemsize
    return np.ndarray((len(data) - width + 1,), kind, data, 0, (1,))


@dataclass(slots=True)
class _Chains:
    """Where chains start, in the order of the data; every column has one element for each.

    Attributes:
        batches: the index of its batch.
        numbers: the number of its first record in that batch.
        counts: how many records it has.
        starts: where the first one starts.
    """

    batches: Array
    numbers: Array
    counts: Array
    starts: Array

    def __len__(self) -> int:
        return len(self.batches)

    def only(self, wanted: Array) -> _Chains:
        """Return some of the chains."""
        return _Chains(self.batches[wanted], self.numbers[wanted], self.counts[wanted], self.starts[wanted])


def _chains(run: BatchRun, length: int) -> tuple[_Chains, set[int]]:
    """Return chains of about ``length`` records, and the batches without starts, which the loop is to cut."""
    np = extra("numpy")
    # The last chain of a batch is up to half as long again, which costs less than another search.
    pieces = np.where(run.counts <= length + length // 2, 1, run.counts // length)
    batches, numbers, starts = _further_starts(run, pieces)
    heads = run.places + BATCH_HEADER_BYTES
    if len(batches):
        starts = np.concatenate([heads, starts])
        order = starts.argsort(kind="stable")
        starts = starts[order]
        batches = np.concatenate([np.arange(len(run)), batches])[order]
        numbers = np.concatenate([np.zeros(len(run), np.int64), numbers])[order]
    else:
        starts, batches, numbers = heads, np.arange(len(run)), np.zeros(len(run), np.int64)
    is_last = np.append(batches[1:] != batches[:-1], True)
    counts = np.where(is_last, run.counts[batches], np.append(numbers[1:], 0)) - numbers
    chains = _Chains(batches, numbers, counts, starts)
    odd = (counts < 1) | (counts > CHAIN_LENGTHS_MAX * length)
    by_loop = set(batches[odd].tolist()) | set(np.flatnonzero(run.counts >= NUMBERED_MAX).tolist())
    return (chains.only(~np.isin(batches, list(by_loop))) if by_loop else chains), by_loop


def _further_starts(run: BatchRun, pieces: Array) -> tuple[Array, Array, Array]:
    """Find records within batches where chains can start, at about even distances.

    Any record will do: its bytes contain its number.

    Args:
        run: the batches.
        pieces: the number of chains wanted of each batch.

    Returns:
        The index of the batch, the number in it, and the start of each record found.
    """
    np = extra("numpy")
    more = pieces - 1
    batches = np.repeat(np.arange(len(run)), more)
    piece = np.arange(len(batches)) - np.repeat(np.cumsum(more) - more, more) + 1
    body = run.sizes - BATCH_HEADER_BYTES
    width = int(body.sum()) // int(run.counts.sum()) * _SEARCHED_RECORDS + _SEARCHED_MORE
    last = len(run.data) - width - len(PADDING)
    if not len(batches) or last < 0:
        return (np.empty(0, np.int64),) * 3
    places = run.places[batches] + BATCH_HEADER_BYTES + body[batches] * piece // pieces[batches]
    places = np.minimum(places, last)
    delta_bytes = _delta_bytes(run.counts[batches] * piece // pieces[batches])
    rows, at = _may_start(run.data, places, delta_bytes, width)
    good, numbers, starts = _named_at(run.data, at, delta_bytes[rows])
    own = batches[rows]
    # The searched bytes may reach into the next batch, whose records have such numbers, too.
    good &= (numbers < run.counts[own]) & (starts < run.places[own] + run.sizes[own])
    good &= starts > run.places[own] + BATCH_HEADER_BYTES
    good = np.flatnonzero(good)
    rows = rows[good]
    first = good[np.append(True, rows[1:] != rows[:-1])] if len(rows) else good
    return batches[rows[np.searchsorted(good, first)]], numbers[first], starts[first]


def _delta_bytes(numbers: Array) -> Array:
    """Return the bytes of the varint of each record number."""
    return 1 + (numbers >= 2**6).astype("i8") + (numbers >= 2**13)


def _may_start(data: Data, places: Array, delta_bytes: Array, width: int) -> tuple[Array, Array]:
    """Search ``width`` bytes from each place for what follows a record's length.

    Returns:
        The index of the place, and the position of: two zeros, a varint of the expected size, the null key.
    """
    np = extra("numpy")
    view = np.ndarray((len(data) - width - 1, width + 2), np.uint8, data, 0, (1, 1))
    near = view[places]
    zeros = near[:, :-1] == 0
    like = zeros[:, :-1] & zeros[:, 1:]
    like &= (near[:, 2:] >= _LONG) == (delta_bytes > 1)[:, None]
    like &= view[places + 2 + delta_bytes, :-2] == 1
    found = np.flatnonzero(like)
    rows = found // width
    return rows, places[rows] + found - rows * width


def _named_at(data: Data, at: Array, delta_bytes: Array) -> tuple[Array, Array, Array]:
    """Check places by the bytes around them.

    Returns:
        Whether the attributes of a record are at each of them, its number, and where it starts.
    """
    np = extra("numpy")
    bytes_ = np.frombuffer(data, np.uint8)
    widths, lengths, _ = _lengths()
    first, second, third = (bytes_.take(at + place).astype(np.int64) for place in (2, 3, 4))
    is_long, is_longer = delta_bytes > 1, delta_bytes > 2
    zigzag = (first & 0x7F) | np.where(is_long, (second & 0x7F) << 7, 0) | np.where(is_longer, third << 14, 0)
    good = (zigzag & _NEGATIVE == 0) & (~is_long | ((second >= _LONG) == is_longer)) & (~is_longer | (third < _LONG))
    head = at + 3 + delta_bytes
    size_head = bytes_.take(head) | bytes_.take(head + 1).astype(np.int64) << 8
    size = lengths.take(size_head)
    length = 2 * (head + widths.take(size_head) + size + 1 - at)
    is_long = length >= _LONG
    before, two_before, three_before = (bytes_.take(at - place) for place in (1, 2, 3))
    good &= (size > 0) & np.where(
        is_long,
        (before == length >> 7) & (two_before == length & 0x7F | _LONG) & (three_before == 0),
        (before == length) & (two_before == 0),
    )
    return good, zigzag >> 1, at - 1 - is_long


@cache
def _lengths() -> tuple[Array, Array, Array]:
    """Return tables by the first two bytes of a length: its bytes, its value (0: too long here), and their sum."""
    np = extra("numpy")
    low, high = np.arange(2**8), np.arange(2**8)[:, None]
    usable = (low & _NEGATIVE == 0) & ((low < _LONG) | (high < _LONG))
    lengths = np.where(low < _LONG, low >> 1, (low & 0x7F) >> 1 | high << 6) * usable
    widths = 1 + (usable & (low >= _LONG))
    return widths.ravel(), lengths.ravel(), (widths + lengths).ravel()


@lru_cache(maxsize=4)
def _numbered(count: int) -> tuple[Array, Array, Array]:
    """Return the delta pattern of each record number below ``count``.

    As a little-endian number shifted to the upper end of 64 bits, the bits of the shift, and the pattern's bytes.
    """
    np = extra("numpy")
    zigzag = np.arange(0, 2 * count, 2, dtype=np.uint64)
    delta = zigzag & 0x7F
    moved = np.full(count, 64 - 8 * 4, np.uint64)
    pattern_bytes = np.full(count, 4)
    # From these numbers on the varint takes one more byte.
    for more, first in enumerate((2**6, 2**13), 1):
        delta[first:] |= ((zigzag[first:] >> 7 * more & 0x7F) << 8 | _LONG) << 8 * (more - 1)
        moved[first:] -= 8
        pattern_bytes[first:] += 1
    return (delta << 16 << moved) | np.uint64(1 << 56), moved, pattern_bytes


def _rounded(count: int) -> int:
    """Return the number of records to make a table for, so that not every count needs its own."""
    return -(-count // TABLE_ROWS) * TABLE_ROWS


def _by_number(table: Array, counts: Array) -> Array:
    """Return a table's value for each record, by its number in its batch."""
    np = extra("numpy")
    if len(counts) == 1:
        return table[: counts[0]]
    if (counts == counts[0]).all():
        return np.tile(table[: counts[0]], len(counts))
    return np.concatenate([table[:count] for count in counts.tolist()])


def _cut_by_vectors(run: BatchRun, counts: Array, chains: _Chains) -> tuple[Array, Array, Array]:
    """Return where each record's value starts and its size, and the indexes of records that break a rule."""
    np = extra("numpy")
    walk = _Walk(run, counts, chains)
    try:
        records, heads, ends, broken = walk.run(held=False)
    except IndexError:
        records, heads, ends, broken = walk.run(held=True)
    nexts = np.append(records[1:], 0)
    nexts[walk.last] = ends
    patterns, moved, pattern_bytes = (_by_number(table, counts) for table in _numbered(_rounded(int(counts.max()))))
    starts, sizes = np.empty(len(records), np.int64), np.empty(len(records), np.int64)
    good = np.empty(len(records), bool)
    # In portions, so that intermediate arrays stay in a processor's cache.
    for begin in range(0, len(records), JUDGED_AT_ONCE):
        some = slice(begin, begin + JUDGED_AT_ONCE)
        starts[some], sizes[some], good[some] = _judged(
            run.data, records[some], heads[some], nexts[some], patterns[some], moved[some], pattern_bytes[some]
        )
    good[broken] = False
    return starts, sizes, np.flatnonzero(~good)


def _judged(
    data: Data, records: Array, heads: Array, nexts: Array, patterns: Array, moved: Array, pattern_bytes: Array
) -> tuple[Array, Array, Array]:
    """Return where each record's value starts, its size, and whether it keeps every rule.

    Args:
        data: contains the records.
        records: where each starts.
        heads: the two bytes there.
        nexts: where the next one starts, if its length is right.
        patterns: of its number; see :func:`_numbered` for this and the following two.
        moved: the bits of the shift.
        pattern_bytes: the bytes of the pattern.
    """
    np = extra("numpy")
    widths, lengths, _ = _lengths()
    # A record that breaks a rule may point anywhere; it is read at a harmless place instead.
    limit = len(data) - len(PADDING)
    bytes_ = np.frombuffer(data, np.uint8)
    places = np.minimum(records + widths.take(heads), limit)
    window = _window(data, "<u8")[places]
    good = window << moved == patterns
    size_heads = (window >> (np.uint64(64) - moved) & np.uint64(0xFFFF)).view(np.int64)
    sizes = lengths.take(size_heads)
    starts = places + pattern_bytes + widths.take(size_heads)
    stops = starts + sizes
    good &= stops + 1 == nexts
    good &= sizes > 0
    good &= bytes_.take(np.minimum(stops, limit)) == 0
    return starts, sizes, good


class _Walk:
    """All chains of a run, followed one record per step.

    Attributes:
        last: the index of each chain's last record.
    """

    def __init__(self, run: BatchRun, counts: Array, chains: _Chains) -> None:
        np = extra("numpy")
        self._np = np
        self._data = run.data
        self._left, self._starts = chains.counts, chains.starts
        self._total = int(counts.sum())
        self._slots = np.cumsum(self._left) - self._left
        self.last = self._slots + self._left - 1
        # A chain ends where the next one of its batch starts, the last one where its batch ends.
        ends = (run.places + run.sizes)[chains.batches]
        is_last = chains.numbers + chains.counts == counts[chains.batches]
        self._ends = np.where(is_last, ends, np.append(self._starts[1:], 0))

    def run(self, *, held: bool) -> tuple[Array, Array, Array, Array]:
        """Return where each record starts, the two bytes there, where chains end, and the last records of wrong ones.

        Raises:
            IndexError: when a record leads out of the data and places are not held back at its end.
        """
        np = self._np
        words = _window(self._data, "<u2")
        steps = _lengths()[2]
        order = np.argsort(-self._left, kind="stable")
        left, at, slots = self._left[order], self._starts[order], self._slots[order]
        active = np.searchsorted(-left, -np.arange(int(left[0])), side="left").tolist()
        limit = len(words) - len(PADDING)
        records = np.empty(self._total, np.int64)
        heads = np.empty(self._total, np.uint16)
        size = len(at)
        for wanted in active:
            if wanted != size:
                size = wanted
                at, slots = at[:size], slots[:size]
            head = words[at]
            records[slots] = at
            heads[slots] = head
            slots += 1
            at = at + steps.take(head)
            if held:
                at = np.minimum(at, limit)
        ends = records[self.last] + steps.take(heads[self.last])
        return records, heads, ends, self.last[ends != self._ends]
