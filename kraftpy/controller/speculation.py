"""The state as it will be once everything appended is committed.

The committed image comes from the loader. What was appended and is not committed yet stands on top of it, in *steps*,
each a delta and the image that it leads to. Decisions are made from the newest; a commit lets go of the steps that it
covers, a resignation of all of them. This takes the place of Kafka's timeline data structures. Read as a picture::

    committed       sealed steps            the open step
    ... --------|--- configs ---|-- a broker --|-- configs -->
        loader's image          ``_image``     its delta

Most results alter configs and nothing else, and many come in one turn of the node's loop. Such results gather in one
open step, whose delta answers what a resource is set to; its image is made when the step is *sealed*: at the end of the
turn, or when somebody asks for it. Each other result is a step of its own.

The loader is told of sealed steps that are configs (:mod:`kraftpy.image.proposed`) and publishes the same images when
the log commits them, so that a leader makes each change once. For that the steps have to stand on what the loader
holds. Where the loader took another way (a step that is not configs, an offset inside a step), they are made anew on
the image that it came to.

A result is rehearsed *before* it is appended: a record that does not replay would otherwise be in the log for ever, and
stop every node that comes to it. (A config record always replays.)

Source: Kafka ``OffsetControlManager``, ``SnapshotRegistry``; DESIGN D4; controller reference §2.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from kraftpy.controller.set_configs import WrittenConfigs
from kraftpy.image.configs import Resources, TypeChanges, Values
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
class _Step:
    """Results that follow one another, and what they lead to.

    Attributes:
        base_offset: where the first of their records stands.
        last_offset: where the last one stands.
        epoch: in which they were appended.
        results: their records.
        delta: all of them, replayed over the step before.
        image: where that leads, once the step is sealed.
        last_value: the last record as it was proposed; ``None`` when the loader is not to be told of the step.
    """

    base_offset: Offset
    last_offset: Offset
    epoch: Epoch
    results: list[Sequence[Record]]
    delta: MetadataDelta
    image: MetadataImage | None
    last_value: bytes | None

    def applied(self) -> MetadataImage:
        """Return the image that the delta leads to."""
        return self.delta.apply(Provenance(self.last_offset, self.epoch, NO_TIMESTAMP, batch_aligned=True))


class Speculation:
    """The committed image, and what was appended since.

    Invariant: each step's delta is over the image of the step before, the first one's over what is committed.
    """

    __slots__ = ("_base", "_image", "_offsets", "_open", "_rehearsed", "_steps")

    def __init__(self) -> None:
        self._base = self._image = EMPTY
        self._offsets: deque[Offset] = deque()
        self._steps: deque[_Step] = deque()
        self._open: _Step | None = None
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
        self.seal()
        return self._image

    @property
    def latest_but_configs(self) -> MetadataImage:
        """The newest image, but for what was altered of its configs; see :meth:`configs_of`."""
        return self._image

    def configs_of(self, resource: Resource) -> Values:
        """Return a resource's newest values."""
        if self._open is not None and self._open.delta.configs is not None:
            return self._open.delta.configs.of(*resource)
        return self._image.configs.of(*resource)

    def configs_of_type(self, resource_type: int) -> Resources | TypeChanges:
        """Return the newest values of all resources of a type."""
        if self._open is not None and self._open.delta.configs is not None:
            return self._open.delta.configs.of_type(resource_type)
        return self._image.configs.of_type(resource_type)

    def reset(self, image: MetadataImage) -> None:
        """Stand on a committed image, without speculation."""
        self._base = self._image = image
        self._offsets.clear()
        self._steps.clear()
        self._open = None

    def seal(self) -> None:
        """End the open step, if there is one: what is appended from now on is part of another."""
        step = self._open
        if step is not None:
            # Whatever this raises, the step stays as it was.
            self._image = step.image = step.applied()
            self._open = None

    def rehearse(self, records: Sequence[Record]) -> None:
        """Replay what is about to be appended, on the side; :meth:`append` of the same records takes that over.

        Args:
            records: in log order.

        Raises:
            ReplayError: when a record does not replay, or leaves a level without its cluster id. In the log, every
                node would fail at it for ever.
        """
        if _are_configs(records):
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
        if _are_configs(records):
            step = self._gathering(last_offset - len(records) + 1, epoch, is_told=values is not None)
            _replay_configs(step.delta, records)
            step.results.append(records)
            step.last_offset, step.last_value = last_offset, None if values is None else values[-1]
        else:
            delta = self._rehearsed_delta(records)
            base_offset = last_offset - len(records) + 1
            self._open = _Step(base_offset, last_offset, epoch, [records], delta, None, None)
            self._steps.append(self._open)
            self.seal()
        self._offsets.append(last_offset)

    def _gathering(self, base_offset: Offset, epoch: Epoch, *, is_told: bool) -> _Step:
        """Return the open step if the next configs may join it, else open another."""
        step = self._open
        if step is not None:
            follows_on = step.last_offset + 1 == base_offset and step.epoch == epoch
            if follows_on and (step.last_value is not None) == is_told:
                return step
        self.seal()
        step = self._open = _Step(base_offset, base_offset - 1, epoch, [], MetadataDelta(self._image), None, None)
        self._steps.append(step)
        return step

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

    def proposed(self, base_offset: Offset, end_offset: Offset) -> list[Proposed]:
        """Return the steps from ``base_offset`` to below ``end_offset``.

        None when one of them is not configs alone, or ends or begins elsewhere.
        """
        self.seal()
        found: list[Proposed] = []
        for step in self._steps:
            if step.base_offset != base_offset or step.last_value is None or base_offset >= end_offset:
                break
            assert step.image is not None, "every step is sealed"
            base_offset = step.last_offset + 1
            found.append(
                Proposed(
                    base_offset=step.base_offset,
                    end_offset=base_offset,
                    epoch=step.epoch,
                    delta=step.delta,
                    image=step.image,
                    last_value=step.last_value,
                )
            )
        return found if base_offset == end_offset else []

    def commit(self, up_to: Offset, image: MetadataImage) -> None:
        """Stand on a newer committed image; everything at or below ``up_to`` is in it."""
        self.seal()
        offsets, steps = self._offsets, self._steps
        while offsets and offsets[0] <= up_to:
            offsets.popleft()
        while steps and steps[0].last_offset <= up_to:
            steps.popleft()
        self._base = image
        if not steps:
            self._image = image
        elif not steps[0].delta.image.consists_of(image):
            self._stand_on(image)

    def _stand_on(self, image: MetadataImage) -> None:
        """Make every step anew. One that is committed in part sets the same values again, which changes nothing."""
        try:
            for step in self._steps:
                step.delta = MetadataDelta(image)
                for records in step.results:
                    _replay_configs(step.delta, records)
                image = step.image = step.applied()
        except ReplayError as error:
            raise InvariantViolation(f"a decided record replays: {error}") from error
        self._image = image

    def revert(self) -> MetadataImage:
        """Drop everything that is not known to be committed, and return what is."""
        self.reset(self._base)
        return self._base


def _replay_configs(delta: MetadataDelta, records: Sequence[Record]) -> None:
    """Replay configs; those of which it is known what they lead to need not be looked at."""
    if type(records) is WrittenConfigs:
        delta.replace_configs(records.resource_type, records.key, records.after)
    else:
        delta.replay_all(records)


def _are_configs(records: Sequence[Record]) -> bool:
    return type(records) is WrittenConfigs or _CONFIGS_ONLY.issuperset(map(type, records))
