"""Blocks to columns of records by vectors: where each value stands, how long it is, what its frame says.

A record starts where the one before it ends, so that a batch cannot be cut in one step. Many can be cut together: every
step takes one record off each of many *chains*, and a chain is a batch, or a piece of one that starts at a record whose
place was found by what stands before a value (a pattern that names the record's number). A wrong guess cannot go
unseen: the chain before it would not end there. Then every rule that ``Batch.values`` has is checked over all records
at once.

What vectors cannot judge (a record of 8 KiB or more, a batch that breaks a rule, a block too small to gain) is cut by
``Batch.values``, one batch at a time, so that there is one meaning and one text for each fault. Without numpy all of it
is. ``bench/micro_audit.py`` says how many records a second either cuts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, TypeAlias

from kraftpy.audit.extra import MissingExtraError, extra
from kraftpy.audit.reading.blocks import PADDING, Block
from kraftpy.audit.reading.entries import frame_of
from kraftpy.audit.reading.rows import Entry
from kraftpy.audit.reading.scan import Found, Summary, scan_blocks
from kraftpy.audit.reading.splits import Cell
from kraftpy.records.batch import BATCH_HEADER_BYTES
from kraftpy.records.varint import DELTAS, delta_pattern

Array: TypeAlias = Any
"""A numpy array; numpy is optional here."""

CHAINS_WANTED: Final = 256
"""Into so many chains a block is cut: more cost more searching, fewer more steps."""

CHAIN_RECORDS_MIN: Final = 64
"""A chain is not shorter than this unless its batch is."""

CHAINS_MIN: Final = 12
"""With fewer chains a loop in Python is as fast."""

NUMBERED_MAX: Final = 2**18
"""Records of a batch whose patterns are kept ready; longer batches are cut by the loop."""

_SEARCH_MAX: Final = 64 * 1024
"""How far a chain's start is looked for beyond where it is expected."""

_LONG: Final = 0x80
_NEGATIVE: Final = 0x01


_entry = partial(tuple.__new__, Entry)
"""As ``Entry._make``, without a call in Python for each."""


@dataclass(slots=True)
class Frames:
    """The records of a block as columns, in order.

    Attributes:
        block: the batches.
        counts: how many records of each batch there are here: all, or none where the batch has a problem.
        problems: by index, the batches of which records were found to break a rule.
        data: bytes that hold all values; at least 16 follow the last one.
        starts: where each value starts in ``data``.
        sizes: how long it is.
        api_keys: from its frame, as ``entries.frame_of`` says it.
        versions: the same.
    """

    block: Block
    counts: Array
    problems: dict[int, Found]
    data: bytes
    starts: Array
    sizes: Array
    api_keys: Array
    versions: Array
    _offsets: Array = None

    def __len__(self) -> int:
        return len(self.starts)

    def spread(self, column: Array) -> Array:
        """Give every record what a column says of its batch."""
        return extra("numpy").repeat(column, self.counts)

    def offsets(self) -> Array:
        """Return the records' offsets."""
        if self._offsets is None:
            np = extra("numpy")
            firsts = np.cumsum(self.counts) - self.counts
            self._offsets = np.arange(len(self)) + self.spread(self.block.base_offsets - firsts)
        return self._offsets

    def only(self, wanted: Array) -> Frames:
        """Return some of the records; ``counts`` says how many of each batch are left."""
        np = extra("numpy")
        batch = self.spread(np.arange(len(self.block)))[wanted]
        counts = np.bincount(batch, minlength=len(self.block))
        columns = (self.starts, self.sizes, self.api_keys, self.versions)
        kept = Frames(self.block, counts, self.problems, self.data, *(column[wanted] for column in columns))
        kept._offsets = self.offsets()[wanted]
        return kept

    def entries(self, cell: Cell, chosen: Array) -> list[Entry]:
        """Return some records as replay reads them."""
        np = extra("numpy")
        data, path, kind, block = self.data, cell.file.path, cell.file.kind, self.block
        ends = np.cumsum(self.counts)
        batch = np.searchsorted(ends, chosen, side="right")
        offsets = (block.base_offsets - ends + self.counts)[batch] + chosen
        starts = self.starts[chosen]
        columns = (
            offsets if self._offsets is None else self._offsets[chosen], block.epochs[batch], block.base_times[batch],
            self.api_keys[chosen], self.versions[chosen], starts, starts + self.sizes[chosen],
        )  # fmt: skip
        return [
            _entry((path, kind, offset, epoch, time_ms, False, api_key, version, data[start:stop]))
            for offset, epoch, time_ms, api_key, version, start, stop in zip(
                *(column.tolist() for column in columns), strict=True
            )
        ]


@dataclass(slots=True)
class Group:
    """A control batch or damage, or else the records of a block."""

    found: Found | None
    frames: Frames | None


def has_vectors() -> bool:
    """Say whether numpy is there."""
    try:
        extra("numpy")
    except MissingExtraError:
        return False
    return True


def scan_groups(cell: Cell, summary: Summary | None = None) -> Iterator[Group]:
    """Do as ``scan``, many data batches at a time.

    Raises:
        MissingExtraError: when numpy is not installed.
    """
    summary = Summary(cell) if summary is None else summary
    for step in scan_blocks(cell):
        if isinstance(step, Block):
            frames = cut(step)
            summary.add_block(step, frames.problems)
            yield Group(None, frames)
        else:
            step.open()
            summary.add(step)
            yield Group(step, None)


def cut(block: Block) -> Frames:
    """Cut the batches of a block into records; one that breaks a rule becomes a problem and has no records."""
    np = extra("numpy")
    length = max(int(block.counts.sum()) // CHAINS_WANTED, CHAIN_RECORDS_MIN)
    chains, by_loop = _chains(block, length)
    if len(chains) < CHAINS_MIN:
        by_loop = set(range(len(block)))
    if len(by_loop) == len(block):
        return _looped(block)
    counts = block.counts.copy()
    counts[sorted(by_loop)] = 0
    starts, sizes, wrong = _cut_by_vectors(block, counts, chains)
    batch = np.repeat(np.arange(len(block)), counts)
    by_loop |= set(batch[wrong].tolist())
    if not by_loop:
        return _framed(block, counts, {}, block.data, starts, sizes)
    # Batches cut by the loop bring their values as bytes of their own, behind the others.
    kept = ~np.isin(batch, np.fromiter(by_loop, np.int64))
    batch, starts, sizes = batch[kept], starts[kept], sizes[kept]
    singly = sorted(by_loop)
    values, problems = _opened(block, singly, counts)
    more = np.fromiter(map(len, values), np.int64, len(values))
    begins = len(block.data) + np.cumsum(more) - more
    order = np.argsort(np.concatenate([batch, np.repeat(np.array(singly), counts[singly])]), kind="stable")
    starts, sizes = np.concatenate([starts, begins])[order], np.concatenate([sizes, more])[order]
    return _framed(block, counts, problems, b"".join([block.data, *values, PADDING]), starts, sizes)


def _looped(block: Block) -> Frames:
    """Cut all batches by the loop."""
    np = extra("numpy")
    counts = block.counts.copy()
    values, problems = _opened(block, range(len(block)), counts)
    sizes = np.fromiter(map(len, values), np.int64, len(values))
    return _framed(block, counts, problems, b"".join([*values, PADDING]), np.cumsum(sizes) - sizes, sizes)


def _opened(block: Block, indexes: Iterable[int], counts: Array) -> tuple[list[bytes], dict[int, Found]]:
    """Cut some batches by the loop: their values, counted, and those that break a rule."""
    values: list[bytes] = []
    problems: dict[int, Found] = {}
    positions = block.positions
    for index in indexes:
        found = Found(int(positions[index]), int(block.sizes[index]), block.batch(index))
        found.open()
        if found.problem is not None:
            problems[index] = found
        counts[index] = len(found.values)
        values += found.values
    return values, problems


def _framed(
    block: Block, counts: Array, problems: dict[int, Found], data: bytes, starts: Array, sizes: Array
) -> Frames:
    """Read the frames of values that are found."""
    np = extra("numpy")
    bytes_ = np.frombuffer(data, np.uint8)
    first, api_keys, versions = (bytes_[place:].take(starts) for place in range(3))
    plain = (first == 1) & ((api_keys | versions) < _LONG) & (sizes > 2)
    api_keys, versions = api_keys.astype(np.int32), versions.astype(np.int32)
    if not plain.all():
        for index in np.flatnonzero(~plain).tolist():
            start = int(starts[index])
            api_keys[index], versions[index] = frame_of(data[start : start + int(sizes[index])])
    return Frames(block, counts, problems, data, starts, sizes, api_keys, versions)


def _window(data: bytes, kind: str) -> Array:
    """Return an array whose element i is the little-endian number at byte i, wherever that is."""
    np = extra("numpy")
    width = np.dtype(kind).itemsize
    return np.ndarray((len(data) - width + 1,), kind, data, 0, (1,))


# Chains: (index of the batch, number of its first record, how many records it has, where the first one starts).

_Chain: TypeAlias = tuple[int, int, int, int]


def _chains(block: Block, length: int) -> tuple[list[_Chain], set[int]]:
    """Return where chains start, and the batches that are for the loop because no place was found in them."""
    chains: list[_Chain] = []
    by_loop: set[int] = set()
    columns = (block.places, block.sizes, block.counts)
    for index, (place, size, count) in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        # The last chain of a batch takes up to half as much again, which is less than another search.
        if count <= length + length // 2:
            chains.append((index, 0, count, place + BATCH_HEADER_BYTES))
            continue
        numbers = [0, *range(length, count - length // 2, length)]
        starts = _chain_starts(block.data, place, size, numbers[1:]) if count < NUMBERED_MAX else None
        if starts is None:
            by_loop.add(index)
        else:
            chains += [
                (index, number, following - number, start)
                for number, following, start in zip(numbers, [*numbers[1:], count], starts, strict=True)
            ]
    return chains, by_loop


def _chain_starts(data: bytes, place: int, size: int, numbers: Sequence[int]) -> list[int] | None:
    """Return where the first record of a batch starts and those with these numbers, ``None`` where one is not found."""
    starts = [place + BATCH_HEADER_BYTES]
    end = place + size
    step = 0
    for number in numbers:
        # Records are alike: the next chain starts about as far on as this one was from the one before.
        expected = starts[-1] + step - step // 16
        found = _find_record(data, number, expected, min(end, starts[-1] + 2 * step + _SEARCH_MAX))
        if found is None and step:
            found = _find_record(data, number, starts[-1], expected + _SEARCH_MAX)
        if found is None:
            return None
        step = found - starts[-1]
        starts.append(found)
    return starts


def _find_record(data: bytes, number: int, begin: int, end: int) -> int | None:
    """Return where a record with this number starts, judged by what stands around the pattern that names it."""
    pattern = DELTAS[number] if number < len(DELTAS) else delta_pattern(number)
    at = data.find(pattern, begin, end)
    while at >= 0:
        head = at + len(pattern)
        size = data[head]
        if not size & _NEGATIVE:
            head += 1
            if size >= _LONG:
                size = size - _LONG | data[head] << 7
                head += 1
            length = head + (size >> 1) + 1 - at << 1
            start = at - 1 if length < _LONG else at - 2
            is_length = (
                data[start] == length
                if length < _LONG
                else data[start] == length & 0x7F | _LONG and data[start + 1] == length >> 7
            )
            if is_length and not data[start - 1]:
                return start
        at = data.find(pattern, at + 1, end)
    return None


@cache
def _lengths() -> tuple[Array, Array, Array]:
    """Return, by the two bytes that a length starts with: its bytes, its value (0: not for vectors), and their sum."""
    np = extra("numpy")
    word = np.arange(2**16)
    low, high = word & 0xFF, word >> 8
    is_long = low >= _LONG
    values = np.where(is_long, (low & 0x7F) | high << 7, low) >> 1
    usable = (low & _NEGATIVE == 0) & (~is_long | (high < _LONG))
    widths, lengths = np.where(usable, 1 + is_long, 1), np.where(usable, values, 0)
    return widths, lengths, widths + lengths


@cache
def _numbered(bits: int) -> tuple[Array, Array, Array]:
    """Return, by the number of a record below ``2**bits``, what its ``delta_pattern`` is.

    As a little-endian number moved to the upper end of 64 bits, by how many bits that is moved, and its bytes.
    """
    np = extra("numpy")
    zigzag = np.arange(2**bits, dtype=np.uint64) << np.uint64(1)
    delta_bytes = 1 + (zigzag >= 2**7).astype(np.uint64) + (zigzag >= 2**14)
    patterns = np.zeros(2**bits, np.uint64)
    for place in range(3):
        goes_on = np.where(delta_bytes > place + 1, np.uint64(_LONG), np.uint64(0))
        byte = np.where(delta_bytes > place, zigzag >> np.uint64(7 * place) & np.uint64(0x7F) | goes_on, np.uint64(0))
        patterns |= byte << np.uint64(8 * (2 + place))
    moved = np.uint64(64 - 8 * 3) - np.uint64(8) * delta_bytes
    patterns = (patterns << moved) | np.uint64(1 << 56)
    return patterns, moved, (delta_bytes + np.uint64(3)).astype(np.int64)


def _bits(count: int) -> int:
    """Return how many bits the largest number among so many records has."""
    return max(count - 1, 1).bit_length()


def _by_number(table: Array, counts: Array) -> Array:
    """Return of each record what a table says of its number in its batch."""
    np = extra("numpy")
    if (counts == counts[0]).all():
        return np.tile(table[: counts[0]], len(counts))
    return np.concatenate([table[:count] for count in counts.tolist()])


def _cut_by_vectors(block: Block, counts: Array, chains: list[_Chain]) -> tuple[Array, Array, Array]:
    """Return of each record where its value starts and its size, and the indexes of records that break a rule."""
    np = extra("numpy")
    data = block.data
    widths, lengths, steps = _lengths()
    words = _window(data, "<u2")
    walk = _Walk(block, counts, chains)
    try:
        records, heads, broken = walk.run(words, steps, held=False)
    except IndexError:
        records, heads, broken = walk.run(words, steps, held=True)
    # A record that breaks a rule may point anywhere: it is looked at where no harm is done.
    limit = len(data) - len(PADDING)
    places = np.minimum(records + widths.take(heads), limit)
    nexts = places + lengths.take(heads)
    patterns, moved, pattern_bytes = (_by_number(table, counts) for table in _numbered(_bits(int(counts.max()))))
    window = _window(data, "<u8")[places]
    good = window << moved == patterns
    size_heads = (window >> (np.uint64(64) - moved) & np.uint64(0xFFFF)).view(np.int64)
    sizes = lengths.take(size_heads)
    starts = places + pattern_bytes + widths.take(size_heads)
    stops = starts + sizes
    good &= stops + 1 == nexts
    good &= sizes > 0
    good &= np.frombuffer(data, np.uint8).take(np.minimum(stops, limit)) == 0
    good[broken] = False
    return starts, sizes, np.flatnonzero(~good)


class _Walk:
    """All chains of a block, walked one record a step."""

    def __init__(self, block: Block, counts: Array, chains: list[_Chain]) -> None:
        np = extra("numpy")
        self._np = np
        batch, number, self._left, at = np.array(chains, np.int64).T
        firsts = np.cumsum(counts) - counts
        self._total = int(counts.sum())
        self._starts, self._slots = at, firsts[batch] + number
        # A chain ends where the next one of its batch starts, the last one where its batch ends.
        ends = (block.places + block.sizes)[batch]
        is_last = self._left + number == counts[batch]
        self._ends = np.where(is_last, ends, np.append(at[1:], 0))

    def run(self, words: Array, steps: Array, *, held: bool) -> tuple[Array, Array, Array]:
        """Return where each record starts, the two bytes there, and the last records of chains that end wrongly.

        Raises:
            IndexError: when a record leads out of the data and places are not held back at its end.
        """
        np = self._np
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
        last = self._slots + self._left - 1
        ends = records[last] + steps.take(heads[last])
        return records, heads, last[ends != self._ends]
