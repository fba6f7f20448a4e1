"""Logs that a correct quorum could have written, with transactions, elections and changes of level anywhere in them."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from hypothesis import strategies as st

from kraftpy.image import EMPTY, MetadataImage, MetadataLoader, ReplayError
from kraftpy.model.errors import LocalError
from kraftpy.model.features import METADATA_VERSION
from kraftpy.records.batch import Batch, encode_control_batch, split_batches
from kraftpy.records.control import ControlRecord, KRaftVersionRecord, LeaderChangeMessage
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    ClearElrRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    Record,
    encode_for_level,
)
from tests.unit.image.histories import ACTIONS, Numbers, World
from tests.unit.image.support import EPOCH, replay, start, values_batch

LEVELS = (40, 41, 42)
TOPICS, CHANGES, CONFIGS, BROKER_HOSTS = 2, 3, 4, 9
"""Places in ``ACTIONS`` of what concerns more than one kind of state."""

BEGIN, END, ABORT, CLEAR, CLEAR_ALL, CONTROL, TURN = range(len(ACTIONS), len(ACTIONS) + 7)
FAVOURED = (BEGIN, END, ABORT, CLEAR, CLEAR_ALL, CONTROL, TURN, BEGIN, END, TOPICS, TOPICS, CONFIGS, CHANGES)


@dataclass
class Story:
    """A log by its records, and how they are put in batches.

    Attributes:
        values: framed data records, or control records, by offset.
        sizes: the records of each batch, repeated in turn; a control record has its own batch.
    """

    values: list[bytes | ControlRecord] = field(default_factory=list)
    sizes: Sequence[int] = (1,)

    def batches(self, until: int | None = None) -> list[Batch]:
        """The log's batches; cut to the records before ``until``."""
        values = self.values[:until]
        made: list[Batch] = []
        at = 0
        while at < len(values):
            first = values[at]
            if isinstance(first, bytes):
                end = min(at + (self.sizes[len(made) % len(self.sizes)] if made else 2), len(values))
                found = _until_control(values[at:end])
                made.append(values_batch(at, found))
                at += len(found)
            else:
                data = encode_control_batch([first], base_offset=at, epoch=EPOCH, timestamp_ms=1000 + at)
                made += split_batches(data)
                at += 1
        return made

    def image(self, until: int | None = None) -> MetadataImage:
        """The service's image of the records before ``until``."""
        loader = MetadataLoader(EMPTY)
        loader.load_batches(self.batches(until))
        return loader.image


def _until_control(values: Sequence[bytes | ControlRecord]) -> list[bytes]:
    found = []
    for value in values:
        if not isinstance(value, bytes):
            break
        found.append(value)
    return found


class _Teller:
    """Makes up a log step by step; what the service would refuse is left out."""

    def __init__(self, level: int) -> None:
        self.values: list[bytes | ControlRecord] = []
        self._world = World()
        self._level = level
        self._image = EMPTY
        self._before: tuple[World, int, MetadataImage] | None = None
        for record in start(level):
            self._write(record)

    def take(self, step: Numbers) -> None:
        """Go on by one step."""
        kind, a, b, c = step
        if kind == CONTROL:
            self.values.append(KRaftVersionRecord(0, b % 2) if a == 0 else LeaderChangeMessage(0, a, [], []))
        elif kind == BEGIN:
            self._begin()
        elif kind in {END, ABORT}:
            self._end(EndTransactionRecord() if kind == END else AbortTransactionRecord())
        else:
            for record in self._records(kind, a, b, c):
                self._write(record)

    def _records(self, kind: int, a: int, b: int, c: int) -> Sequence[Record]:
        if kind == TURN:
            return [FeatureLevelRecord(METADATA_VERSION, LEVELS[b % len(LEVELS)])]
        if kind == CLEAR_ALL:
            return [ClearElrRecord("")]
        if kind == CLEAR:
            return [ClearElrRecord(f"topic-{a}")]
        return ACTIONS[kind](self._world, a, b, c)

    def _begin(self) -> None:
        if self._before is None:
            self._before = deepcopy(self._world), self._level, self._image
            self.values.append(encode_for_level(BeginTransactionRecord("t"), self._level))

    def _end(self, mark: Record) -> None:
        if self._before is not None:
            self.values.append(encode_for_level(mark, self._level))
            if isinstance(mark, AbortTransactionRecord):
                self._world, self._level, self._image = self._before
            self._before = None

    def _write(self, record: Record) -> None:
        try:
            value = encode_for_level(record, self._level)
            self._image = replay(record, base=self._image)
        except (LocalError, ReplayError):
            return
        self.values.append(value)
        if isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION:
            self._level = record.feature_level


def tell(level: int, steps: Sequence[Numbers], sizes: Sequence[int]) -> Story:
    """Turn numbers into a log."""
    teller = _Teller(level)
    for step in steps:
        teller.take(step)
    return Story(teller.values, sizes)


_SMALL, _FEW = st.integers(0, 4), st.integers(0, 1)
_ANY = st.tuples(st.integers(0, TURN) | st.sampled_from(FAVOURED), _SMALL, _SMALL, _SMALL)
_CROSSING = (
    st.tuples(st.sampled_from([TOPICS, CHANGES]), _FEW, _FEW, st.just(1))
    | st.tuples(st.just(CONFIGS), _FEW, st.sampled_from([1, 3]), _FEW)
    | st.tuples(st.sampled_from([CLEAR, CLEAR_ALL, TURN, CONTROL]), _FEW, _SMALL, _FEW)
)
"""What one kind of state does to another: topics with eligible leaders, what clears them, and configs of topics."""

_TRANSACTION = st.tuples(st.lists(_CROSSING | _CROSSING | _ANY, max_size=12), st.sampled_from([END, END, ABORT])).map(
    lambda drawn: [(BEGIN, 0, 0, 0), *drawn[0], (drawn[1], 0, 0, 0)]
)
_STEPS = st.lists(_TRANSACTION | _TRANSACTION | _ANY.map(lambda step: [step]) | _CROSSING.map(lambda step: [step]),
                  max_size=12).map(lambda stretches: [step for stretch in stretches for step in stretch])  # fmt: skip
STORIES = st.builds(tell, st.sampled_from(LEVELS), _STEPS, st.lists(st.integers(1, 7), min_size=1, max_size=4))
