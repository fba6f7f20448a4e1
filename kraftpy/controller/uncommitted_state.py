"""The state as it will be once everything appended is committed.

The committed image comes from the loader. What was appended and is not committed yet is on top of it: the results'
records, and the image that all of them lead to, which decisions are made from. A commit lets go of the results that it
covers, a resignation of all of them. This takes the place of Kafka's timeline data structures.

The loader replays what is committed for itself, so its image and this one grow apart: they say the same, and share ever
less. So the results that still wait are replayed on the committed image periodically (:data:`RECORDS_APART_MAX`). Where
nothing waits, or too much, the committed image is taken as it is or left for the next time.

The records of an open metadata transaction count when it ends. Until then they are replayed on the side, part by part,
and decisions are made from the state before it. An abort, or lost leadership, drops them.

A result is rehearsed *before* it is appended: a record that does not replay would otherwise be in the log for ever, and
stop every node that comes to it.

Source: Kafka ``OffsetControlManager``, ``SnapshotRegistry``; DESIGN D4; controller reference §2.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kraftpy.image.delta import MetadataDelta
from kraftpy.image.errors import ReplayError
from kraftpy.image.image import EMPTY, MetadataImage, check_cluster_id_at
from kraftpy.image.provenance import Provenance
from kraftpy.model.invariant import InvariantViolation, invariant
from kraftpy.model.offsets import NO_OFFSET, Epoch, Offset
from kraftpy.records.codec import Record
from kraftpy.records.metadata import AbortTransactionRecord, BeginTransactionRecord, EndTransactionRecord

NO_TIMESTAMP: Final = -1
"""The time in speculative provenances: the leader sets the time of a batch when it writes it."""

RECORDS_APART_MAX: Final = 10_000
"""How many records are committed before those that wait are replayed on the committed image: enough that this costs
little for each of them, and so few that little is held twice."""


class _Appended(NamedTuple):
    """The records of one result, and the offset of the last of them."""

    last_offset: Offset
    records: Sequence[Record]


@dataclass(slots=True)
class _OpenTransaction:
    """A transaction without an end: its changes, and the parts that were appended."""

    delta: MetadataDelta
    parts: list[_Appended] = field(default_factory=list)


class _Rehearsed(NamedTuple):
    """Records that were replayed on the side."""

    records: Sequence[Record]
    delta: MetadataDelta


class UncommittedState:
    """The committed image, and what was appended since.

    Attributes:
        latest: the newest image, with everything that was appended, except an open transaction.
    """

    __slots__ = ("_apart_max", "_appended", "_base", "_open", "_rebase_at", "_rehearsed", "_waiting", "latest")

    def __init__(self, *, records_apart_max: int = RECORDS_APART_MAX) -> None:
        self._apart_max = records_apart_max
        self.latest = self._base = EMPTY
        self._rebase_at: Offset = records_apart_max
        self._appended: deque[_Appended] = deque()
        self._waiting = 0
        self._open: _OpenTransaction | None = None
        self._rehearsed: _Rehearsed | None = None

    def __len__(self) -> int:
        return len(self._appended)

    @property
    def last_offset(self) -> Offset:
        """The offset of the newest appended record that is not known to be committed; -1 when there is none."""
        if self._open is not None and self._open.parts:
            return self._open.parts[-1].last_offset
        return self._appended[-1].last_offset if self._appended else NO_OFFSET

    @property
    def committed(self) -> MetadataImage:
        """The newest image that the loader published."""
        return self._base

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction was begun and did not end."""
        return self._open is not None

    @property
    def level(self) -> int:
        """The metadata.version of the next record."""
        return self.latest.level if self._open is None else self._open.delta.level

    def reset(self, image: MetadataImage) -> None:
        """Start from a committed image, without speculation."""
        self._base = image
        self._appended.clear()
        self._waiting = 0
        self._open = self._rehearsed = None
        self._rebase_on(image)

    def validate_replay(self, records: Sequence[Record]) -> None:
        """Replay what is about to be appended, on the side; :meth:`append` of the same records takes that over.

        Args:
            records: in log order.

        Raises:
            ReplayError: when a record does not replay, or leaves a level without its cluster id. In the log, every
                node would fail at it for ever. An open transaction can only be aborted after that.
        """
        if self._is_rehearsed(records) or self._aborts(records):
            return
        delta = MetadataDelta(self.latest) if self._open is None else self._open.delta
        delta.replay_all(records)
        if delta.features is not None and not _leaves_open(records, is_open=self.in_transaction):
            check_cluster_id_at(delta.level, delta.known_cluster_id, self.last_offset)
        self._rehearsed = _Rehearsed(records, delta)

    def _aborts(self, records: Sequence[Record]) -> bool:
        """Return whether these records drop the open transaction."""
        return self._open is not None and type(records[0]) is AbortTransactionRecord

    def _is_rehearsed(self, records: Sequence[Record]) -> bool:
        """Return whether these records were replayed last, and on what is the newest state still."""
        rehearsed = self._rehearsed
        if rehearsed is None or rehearsed.records is not records:
            return False
        return rehearsed.delta.image is self.latest if self._open is None else rehearsed.delta is self._open.delta

    def append(self, records: Sequence[Record], last_offset: Offset, epoch: Epoch) -> None:
        """Take what was just appended.

        Args:
            records: in log order; rehearsed before they were appended.
            last_offset: the offset of the last of them.
            epoch: of the leader that appended them.

        Raises:
            InvariantViolation: when they were not rehearsed and do not replay. They are in the log already, so every
                node will fail at them.
        """
        invariant(last_offset > self.last_offset, "appended offsets grow", last_offset, self.last_offset)
        if self._aborts(records):
            self._open = self._rehearsed = None
            self._wait(_Appended(last_offset, records))
            return
        delta, part = self._rehearsed_delta(records), _Appended(last_offset, records)
        was_open = self._open is not None
        if _leaves_open(records, is_open=was_open):
            self._open = self._open or _OpenTransaction(delta)
            self._open.parts.append(part)
            return
        for earlier in () if self._open is None else self._open.parts:
            self._wait(earlier)
        self._open = None
        self._wait(part)
        self.latest = delta.apply(Provenance(last_offset, epoch, NO_TIMESTAMP, batch_aligned=True))

    def _wait(self, appended: _Appended) -> None:
        """Keep what was appended until it is committed."""
        self._appended.append(appended)
        self._waiting += len(appended.records)

    def _rehearsed_delta(self, records: Sequence[Record]) -> MetadataDelta:
        """Return the delta of these records from their rehearsal, or rehearse them now."""
        try:
            self.validate_replay(records)
        except ReplayError as error:
            raise InvariantViolation(f"a decided record replays: {error}") from error
        assert self._rehearsed is not None
        delta, self._rehearsed = self._rehearsed.delta, None
        return delta

    def commit(self, up_to: Offset, image: MetadataImage) -> None:
        """Continue from a newer committed image; everything at or below ``up_to`` is in it."""
        appended = self._appended
        while appended and appended[0].last_offset <= up_to:
            self._waiting -= len(appended.popleft().records)
        self._base = image
        if not appended or (up_to >= self._rebase_at and self._waiting <= self._apart_max):
            self._rebase_on(image)

    def _rebase_on(self, image: MetadataImage) -> None:
        """Replay what waits on an image that holds the rest."""
        committed = image.provenance.offset
        self._rebase_at = committed + self._apart_max
        if not self._appended:
            self.latest = image
            return
        delta = MetadataDelta(image)
        try:
            for last_offset, records in self._appended:
                # The first result may be committed in part.
                base_offset = last_offset - len(records) + 1
                delta.replay_all(records[max(0, committed + 1 - base_offset) :])
        except ReplayError as error:
            raise InvariantViolation(f"a decided record replays: {error}") from error
        self.latest = delta.apply(self.latest.provenance)

    def revert(self) -> MetadataImage:
        """Drop everything that is not known to be committed, and return what is."""
        self.reset(self._base)
        return self._base


def _leaves_open(records: Sequence[Record], *, is_open: bool) -> bool:
    """Return whether a transaction is open after these records; marks are near the ends of what is appended at once."""
    if not is_open and not isinstance(records[0], BeginTransactionRecord | AbortTransactionRecord):
        return False
    for record in records:
        if isinstance(record, BeginTransactionRecord):
            is_open = True
        elif isinstance(record, EndTransactionRecord | AbortTransactionRecord):
            is_open = False
    return is_open
