"""The state as it will be once everything appended is committed.

The committed image comes from the loader. On top of it stands a stack of images, one per appended result: each shares
with the one below what did not change, so it costs what its records cost. A commit drops the bottom of the stack, a
resignation drops all of it, and neither replays anything. This takes the place of Kafka's timeline data structures.

Source: Kafka ``OffsetControlManager``, ``SnapshotRegistry``; DESIGN D4; controller reference §2.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from kraftpy.image.delta import MetadataDelta
from kraftpy.image.errors import ReplayError
from kraftpy.image.image import EMPTY, MetadataImage, check_cluster_id
from kraftpy.image.provenance import Provenance
from kraftpy.model.invariant import InvariantViolation, invariant
from kraftpy.model.offsets import NO_OFFSET, Epoch, Offset
from kraftpy.records.codec import Record

NO_TIMESTAMP = -1
"""What stands in speculative provenances: the time of a batch is given by whoever writes it."""


class Speculation:
    """The committed image, and the images after each appended result.

    Attributes:
        latest: the newest image, which decisions are made from.
    """

    __slots__ = ("_base", "_stack", "latest")

    def __init__(self) -> None:
        self._base = EMPTY
        self._stack: deque[tuple[Offset, MetadataImage]] = deque()
        self.latest = EMPTY

    def __len__(self) -> int:
        return len(self._stack)

    @property
    def last_offset(self) -> Offset:
        """The offset of the newest appended record that is not known to be committed; -1 when there is none."""
        return self._stack[-1][0] if self._stack else NO_OFFSET

    def reset(self, image: MetadataImage) -> None:
        """Stand on a committed image, without speculation."""
        self._stack.clear()
        self._base = self.latest = image

    def append(self, records: Sequence[Record], last_offset: Offset, epoch: Epoch) -> None:
        """Replay what was just appended.

        Args:
            records: in log order.
            last_offset: where the last of them stands.
            epoch: of the leader that appended them.

        Raises:
            InvariantViolation: when a record does not replay, or leaves a level without its cluster id. It is in
                the log already, so every node will fail at it.
        """
        invariant(last_offset > self.last_offset, "appended offsets grow", last_offset, self.last_offset)
        where = Provenance(last_offset, epoch, NO_TIMESTAMP, batch_aligned=True)
        try:
            delta = MetadataDelta(self.latest)
            delta.replay_all(records)
            image = delta.apply(where)
            if image.features is not self.latest.features:
                check_cluster_id(image)
        except ReplayError as error:
            raise InvariantViolation(f"a decided record replays: {error}") from error
        self._stack.append((last_offset, image))
        self.latest = image

    def commit(self, up_to: Offset, image: MetadataImage) -> None:
        """Stand on a newer committed image; everything at or below ``up_to`` is in it."""
        stack = self._stack
        while stack and stack[0][0] <= up_to:
            stack.popleft()
        self._base = image
        if not stack:
            self.latest = image

    def revert(self) -> MetadataImage:
        """Drop everything that is not known to be committed, and return what is."""
        self._stack.clear()
        self.latest = self._base
        return self._base
