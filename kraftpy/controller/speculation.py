"""The state as it will be once everything appended is committed.

The committed image comes from the loader. What was appended and is not committed yet stands on top of it. Decisions are
made from both; a commit lets go of what it covers, a resignation of all of it, and neither replays anything. This takes
the place of Kafka's timeline data structures.

Most results alter configs and nothing else, and nobody but the next alteration looks at them before they are committed.
So such results are only *noted*: the altered resources' values, and the records. They are replayed when somebody asks
for the whole image, which under load happens never, for by then they are committed; the loader is given the records, so
that nobody decodes them (:mod:`kraftpy.image.proposed`). All other results are replayed at once. Read as a picture::

    committed          replayed                 noted
    ... -----------|-------------------|-- configs -- configs -->
        loader's image     ``_image``        ``_altered``

A result is rehearsed *before* it is appended: a record that does not replay would otherwise be in the log for ever, and
stop every node that comes to it. (A config record always replays.)

Source: Kafka ``OffsetControlManager``, ``SnapshotRegistry``; DESIGN D4; controller reference §2.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from kraftpy.image.configs import Values, values_after
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.errors import ReplayError
from kraftpy.image.image import EMPTY, MetadataImage, check_cluster_id_at
from kraftpy.image.proposed import Proposed
from kraftpy.image.provenance import Provenance
from kraftpy.model.invariant import InvariantViolation, invariant
from kraftpy.model.offsets import NO_OFFSET, Epoch, Offset
from kraftpy.records.codec import Record
from kraftpy.records.metadata import ConfigRecord

NO_TIMESTAMP = -1
"""What stands in speculative provenances: the time of a batch is given by whoever writes it."""

Resource: TypeAlias = tuple[int, str]

_CONFIGS_ONLY: Final = {ConfigRecord}


@dataclass(slots=True)
class _Noted:
    """A result that alters configs and nothing else."""

    last_offset: Offset
    epoch: Epoch
    records: Sequence[ConfigRecord]
    values: Sequence[bytes] | None


class Speculation:
    """The committed image, and what was appended since."""

    __slots__ = ("_altered", "_base", "_image", "_noted", "_offsets", "_rehearsed")

    def __init__(self) -> None:
        self._base = self._image = EMPTY
        self._offsets: deque[Offset] = deque()
        self._noted: deque[_Noted] = deque()
        self._altered: dict[Resource, tuple[Offset, Values]] = {}
        self._rehearsed: tuple[Sequence[Record], MetadataDelta] | None = None

    def __len__(self) -> int:
        return len(self._offsets)

    @property
    def last_offset(self) -> Offset:
        """The offset of the newest appended record that is not known to be committed; -1 when there is none."""
        return self._offsets[-1] if self._offsets else NO_OFFSET

    @property
    def latest(self) -> MetadataImage:
        """The newest image, whole."""
        if self._noted:
            records = [record for result in self._noted for record in result.records]
            last = self._noted[-1]
            self._image = self._replayed(records, last.last_offset, last.epoch)
            self._noted.clear()
            self._altered.clear()
        return self._image

    @property
    def latest_but_configs(self) -> MetadataImage:
        """The newest image, but for what was altered of its configs; see :meth:`configs_of`."""
        return self._image

    def configs_of(self, resource: Resource) -> Values:
        """Return a resource's newest values."""
        altered = self._altered.get(resource)
        return self._image.configs.of(*resource) if altered is None else altered[1]

    def reset(self, image: MetadataImage) -> None:
        """Stand on a committed image, without speculation."""
        self._base = self._image = image
        self._offsets.clear()
        self._noted.clear()
        self._altered.clear()

    def rehearse(self, records: Sequence[Record]) -> None:
        """Replay what is about to be appended, on the side; :meth:`append` of the same records takes that over.

        Args:
            records: in log order.

        Raises:
            ReplayError: when a record does not replay, or leaves a level without its cluster id. In the log, every
                node would fail at it for ever.
        """
        if _CONFIGS_ONLY.issuperset(map(type, records)):
            return
        delta = MetadataDelta(self.latest)
        delta.replay_all(records)
        if delta.features is not None:
            check_cluster_id_at(delta.level, delta.known_cluster_id, self.last_offset)
        self._rehearsed = (records, delta)

    def append(
        self, records: Sequence[Record], last_offset: Offset, epoch: Epoch, values: Sequence[bytes] | None = None
    ) -> None:
        """Take what was just appended.

        Args:
            records: in log order; rehearsed before they were appended.
            last_offset: where the last of them stands.
            epoch: of the leader that appended them.
            values: the records as they were proposed; without them :meth:`proposed` does not tell of this result.

        Raises:
            InvariantViolation: when they were not rehearsed and do not replay. They are in the log already, so every
                node will fail at them.
        """
        before = self._offsets[-1] if self._offsets else NO_OFFSET
        invariant(last_offset > before, "appended offsets grow", last_offset, before)
        if _CONFIGS_ONLY.issuperset(map(type, records)):
            self._note(_Noted(last_offset, epoch, cast("Sequence[ConfigRecord]", records), values))
        else:
            delta = self._rehearsed_delta(records)
            self._image = delta.apply(Provenance(last_offset, epoch, NO_TIMESTAMP, batch_aligned=True))
        self._offsets.append(last_offset)

    def _rehearsed_delta(self, records: Sequence[Record]) -> MetadataDelta:
        """Return the delta of these records from their rehearsal, or rehearse them now."""
        image, rehearsed = self.latest, self._rehearsed
        if rehearsed is None or rehearsed[0] is not records or rehearsed[1].image is not image:
            try:
                self.rehearse(records)
            except ReplayError as error:
                raise InvariantViolation(f"a decided record replays: {error}") from error
        assert self._rehearsed is not None
        delta, self._rehearsed = self._rehearsed[1], None
        return delta

    def _note(self, result: _Noted) -> None:
        """Note the values as replaying the records would leave them."""
        self._noted.append(result)
        last_offset, altered = result.last_offset, self._altered
        for record in result.records:
            resource = record.resource_type, record.resource_name
            altered[resource] = last_offset, values_after(self.configs_of(resource), record)

    def _replayed(self, records: Sequence[Record], last_offset: Offset, epoch: Epoch) -> MetadataImage:
        try:
            delta = MetadataDelta(self._image)
            delta.replay_all(records)
            return delta.apply(Provenance(last_offset, epoch, NO_TIMESTAMP, batch_aligned=True))
        except ReplayError as error:
            raise InvariantViolation(f"a decided record replays: {error}") from error

    def proposed(self, base_offset: Offset, end_offset: Offset) -> Proposed | None:
        """Return the noted records from ``base_offset`` to below ``end_offset``.

        ``None`` when not all of them are noted, in one epoch and with the values that were proposed.
        """
        if not self._noted:
            return None
        epoch, expected = self._noted[0].epoch, base_offset
        records: list[ConfigRecord] = []
        values: list[bytes] = []
        for result in self._noted:
            follows_on = result.last_offset + 1 - len(result.records) == expected
            if not follows_on or result.epoch != epoch or result.values is None:
                return None
            records += result.records
            values += result.values
            expected = result.last_offset + 1
            if expected >= end_offset:
                break
        if expected != end_offset:
            return None
        return Proposed(base_offset=base_offset, epoch=epoch, records=records, values=values)

    def commit(self, up_to: Offset, image: MetadataImage) -> None:
        """Stand on a newer committed image; everything at or below ``up_to`` is in it."""
        offsets = self._offsets
        while offsets and offsets[0] <= up_to:
            offsets.popleft()
        self._base = image
        if up_to < self._image.provenance.offset:
            # What was replayed is newer.
            return
        self._image = image
        noted, altered = self._noted, self._altered
        while noted and noted[0].last_offset <= up_to:
            for record in noted.popleft().records:
                resource = record.resource_type, record.resource_name
                if resource in altered and altered[resource][0] <= up_to:
                    del altered[resource]

    def revert(self) -> MetadataImage:
        """Drop everything that is not known to be committed, and return what is."""
        self.reset(self._base)
        return self._base
