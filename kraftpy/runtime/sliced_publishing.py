"""Publishers that look at each partition that changed, a slice of them each turn.

When a broker goes, or a node starts, one update changes a hundred thousand partitions. To count and to log them takes a
good part of a second, in which no peer's fetch and no broker's heartbeat is answered. So this begins in the turn after
the update was published, when the requests that wait for it are answered, and each turn does a slice. The figures are
those of an earlier image until then, and of the newest one at rest.

An update of few partitions, which is nearly every one, is done when it is published.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from typing import Final, Protocol

from kraftpy.image import Manifest, MetadataDelta, MetadataImage, MetadataPublisher

PARTITIONS_AT_ONCE_MAX: Final = 200
"""Up to this number of changed partitions, which take about a millisecond, an update is done when it is published."""

UPDATES_WAITING_MAX: Final = 64
"""How many updates may be unfinished, each with its delta in memory; then the oldest is finished at once."""


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
        self._unfinished: deque[list[Generator[None, None, None]]] = deque()

    @property
    def is_behind(self) -> bool:
        """Whether an update is not finished."""
        return bool(self._unfinished)

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Begin with an update of few partitions, unless one before it is not finished; the others wait for a turn."""
        del manifest
        was_behind = self.is_behind
        self._unfinished.append([publisher.update_in_slices(delta, image) for publisher in self._publishers])
        if not was_behind and _changes_few(delta):
            self.go_on()
        while len(self._unfinished) > UPDATES_WAITING_MAX:
            for rest in self._unfinished.popleft():
                for _ in rest:
                    pass

    def go_on(self) -> None:
        """Do the next slice; called in each turn."""
        while self._unfinished:
            parts = self._unfinished[0]
            while parts:
                for _ in parts[0]:
                    return
                del parts[0]
            self._unfinished.popleft()

    def close(self) -> None:
        """Leave what is not finished."""
        self._unfinished.clear()


def _changes_few(delta: MetadataDelta) -> bool:
    """Return whether an update concerns no more than :data:`PARTITIONS_AT_ONCE_MAX` partitions."""
    topics = delta.topics
    if topics is None:
        return True
    if len(topics.changed) + len(topics.deleted) > PARTITIONS_AT_ONCE_MAX:
        return False
    changed = sum(len(topic.changed_partitions) for topic in topics.changed.values())
    return changed + sum(len(topic.partitions) for topic in topics.deleted.values()) <= PARTITIONS_AT_ONCE_MAX
