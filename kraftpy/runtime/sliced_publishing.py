"""Publishers that look at each partition that changed, a slice of them each turn.

When a broker goes, or a node starts, one update changes a hundred thousand partitions. To count and to log them takes a
good part of a second, in which no peer's fetch and no broker's heartbeat is answered. So this begins in the turn after
the update was published, when the requests that wait for it are answered, and each turn does a slice, of one update or
of several small ones. While further updates wait, a turn does more slices, so that their number is bounded. The figures
are those of an earlier image until then, and of the newest one at rest.

An update of few partitions, which is nearly every one, is done when it is published.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from typing import Final, Protocol

from kraftpy.image import Manifest, MetadataDelta, MetadataImage, MetadataPublisher
from kraftpy.image.partition_counts import PARTITIONS_PER_SLICE, partitions_concerned

PARTITIONS_AT_ONCE_MAX: Final = 200
"""Up to this number of changed partitions, which take about a millisecond, an update is done when it is published."""

UPDATES_WAITING_MAX: Final = 64
"""How many updates may be unfinished, each with its delta in memory; then the oldest is finished at once."""

UPDATES_PER_SLICE: Final = 8
"""The number of unfinished updates for which a turn does one further slice."""


class SlicedPublisher(Protocol):
    """A publisher whose work can be divided."""

    def update_in_slices(self, delta: MetadataDelta, image: MetadataImage) -> Generator[None, None, None]:
        """Act on the next image, and yield between slices of some milliseconds."""
        ...


class SlicedPublishing(MetadataPublisher):
    """Runs such publishers one after the other: each sees every update, in the order of the log.

    Args:
        publishers: in their order.
    """

    name = "sliced"

    def __init__(self, publishers: Sequence[SlicedPublisher]) -> None:
        self._publishers = publishers
        self._unfinished: deque[_Unfinished] = deque()

    @property
    def is_behind(self) -> bool:
        """Whether an update is not finished."""
        return bool(self._unfinished)

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Begin with an update of few partitions, unless one before it is not finished; the others wait for a turn."""
        del manifest
        if not self._publishers:
            return
        was_behind, partitions = self.is_behind, partitions_concerned(delta)
        parts = [publisher.update_in_slices(delta, image) for publisher in self._publishers]
        self._unfinished.append(_Unfinished(partitions, parts))
        if not was_behind and partitions <= PARTITIONS_AT_ONCE_MAX:
            self.go_on()
        while len(self._unfinished) > UPDATES_WAITING_MAX:
            oldest = self._unfinished.popleft()
            while oldest.parts:
                oldest.do_slice()

    def go_on(self) -> None:
        """Do the next slice, or several where updates wait; called in each turn."""
        budget = PARTITIONS_PER_SLICE * (1 + len(self._unfinished) // UPDATES_PER_SLICE)
        while self._unfinished and budget > 0:
            budget -= self._unfinished[0].do_slice()
            if not self._unfinished[0].parts:
                self._unfinished.popleft()

    def close(self) -> None:
        """Leave what is not finished."""
        self._unfinished.clear()


class _Unfinished:
    """An update that is not finished.

    Attributes:
        parts: what is left of the publishers' work, in order.
    """

    __slots__ = ("_partitions", "parts")

    def __init__(self, partitions: int, parts: list[Generator[None, None, None]]) -> None:
        self._partitions = partitions
        self.parts = parts

    def do_slice(self) -> int:
        """Do a slice of the first part, and return how many partitions it concerned at most."""
        for _ in self.parts[0]:
            return PARTITIONS_PER_SLICE
        del self.parts[0]
        return min(self._partitions, PARTITIONS_PER_SLICE)
