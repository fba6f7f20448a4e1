"""The state as it will be once everything appended is committed.

The committed image comes from the loader. What was appended and is not committed yet stands on top of it: the results'
records, and the image that all of them lead to, which decisions are made from. A commit lets go of the results that it
covers, a resignation of all of them. This takes the place of Kafka's timeline data structures.

The loader replays what is committed for itself, so its image and this one grow apart: they say the same, and share ever
less. So the results that still wait are replayed on the committed image now and then (:data:`RECORDS_APART_MAX`). Where
nothing waits, the committed image is taken as it is.

A result is rehearsed *before* it is appended: a record that does not replay would otherwise be in the log for ever, and
stop every node that comes to it.

Source: Kafka ``OffsetControlManager``, ``SnapshotRegistry``; DESIGN D4; controller reference §2.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

from kraftpy.image.delta import MetadataDelta
from kraftpy.image.errors import ReplayError
from kraftpy.image.image import EMPTY, MetadataImage, check_cluster_id_at
from kraftpy.image.provenance import Provenance
from kraftpy.model.invariant import InvariantViolation, invariant
from kraftpy.model.offsets import NO_OFFSET, Epoch, Offset
from kraftpy.records.codec import Record

NO_TIMESTAMP: Final = -1
"""What stands in speculative provenances: the time of a batch is given by whoever writes it."""

RECORDS_APART_MAX: Final = 10_000
"""How many records are committed before those that wait are replayed on the committed image: so many that this costs
little for each of them, and so few that little is held twice."""


class _Appended(NamedTuple):
    """The records of one result, and where the last of them stands."""

    last_offset: Offset
    records: Sequence[Record]


class UncommittedState:
    """The committed image, and what was appended since.

    Attributes:
        latest: the newest image, with everything that was appended.
    """

    __slots__ = ("_apart_max", "_appended", "_base", "_rehearsed", "_stand_anew_at", "latest")

    def __init__(self, *, records_apart_max: int = RECORDS_APART_MAX) -> None:
        self._apart_max = records_apart_max
        self.latest = self._base = EMPTY
        self._stand_anew_at: Offset = records_apart_max
        self._appended: deque[_Appended] = deque()
        self._rehearsed: tuple[Sequence[Record], MetadataDelta] | None = None

    def __len__(self) -> int:
        return len(self._appended)

    @property
    def last_offset(self) -> Offset:
        """The offset of the newest appended record that is not known to be committed; -1 when there is none."""
        return self._appended[-1].last_offset if self._appended else NO_OFFSET

    def reset(self, image: MetadataImage) -> None:
        """Stand on a committed image, without speculation."""
        self._base = image
        self._appended.clear()
        self._stand_on(image)

    def validate_replay(self, records: Sequence[Record]) -> None:
        """Replay what is about to be appended, on the side; :meth:`append` of the same records takes that over.

        Args:
            records: in log order.

        Raises:
            ReplayError: when a record does not replay, or leaves a level without its cluster id. In the log, every
                node would fail at it for ever.
        """
        delta = MetadataDelta(self.latest)
        delta.replay_all(records)
        if delta.features is not None:
            check_cluster_id_at(delta.level, delta.known_cluster_id, self.last_offset)
        self._rehearsed = (records, delta)

    def append(self, records: Sequence[Record], last_offset: Offset, epoch: Epoch) -> None:
        """Take what was just appended.

        Args:
            records: in log order; rehearsed before they were appended.
            last_offset: where the last of them stands.
            epoch: of the leader that appended them.

        Raises:
            InvariantViolation: when they were not rehearsed and do not replay. They are in the log already, so every
                node will fail at them.
        """
        invariant(last_offset > self.last_offset, "appended offsets grow", last_offset, self.last_offset)
        delta = self._rehearsed_delta(records)
        self.latest = delta.apply(Provenance(last_offset, epoch, NO_TIMESTAMP, batch_aligned=True))
        self._appended.append(_Appended(last_offset, records))

    def _rehearsed_delta(self, records: Sequence[Record]) -> MetadataDelta:
        """Return the delta of these records from their rehearsal, or rehearse them now."""
        rehearsed = self._rehearsed
        if rehearsed is None or rehearsed[0] is not records or rehearsed[1].image is not self.latest:
            try:
                self.validate_replay(records)
            except ReplayError as error:
                raise InvariantViolation(f"a decided record replays: {error}") from error
        assert self._rehearsed is not None
        delta, self._rehearsed = self._rehearsed[1], None
        return delta

    def commit(self, up_to: Offset, image: MetadataImage) -> None:
        """Stand on a newer committed image; everything at or below ``up_to`` is in it."""
        appended = self._appended
        while appended and appended[0].last_offset <= up_to:
            appended.popleft()
        self._base = image
        if not appended or up_to >= self._stand_anew_at:
            self._stand_on(image)

    def _stand_on(self, image: MetadataImage) -> None:
        """Replay what waits on an image that holds the rest."""
        committed = image.provenance.offset
        self._stand_anew_at = committed + self._apart_max
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
