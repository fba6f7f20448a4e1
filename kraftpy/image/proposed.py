"""What a leader proposed, for its own loader: changes that were made when they were decided, and are not made again.

A leader decides from the state as it will be once everything appended is committed (``controller.speculation``), so it
makes every image before the log commits it. Its loader may *adopt* such an image with its delta in place of reading the
bytes back, decoding and replaying them, which costs a leader as much as a follower. It does so if, and only if, what
was proposed is exactly the continuation of what is loaded:

* *Its place.* It begins at the first offset that is not loaded, and whole batches end where it ends.
* *Its epoch.* Each of those batches is a data batch of the epoch in which it was proposed. An epoch has one leader,
  which appends and never overwrites; so what stands at an offset of that epoch is what this node framed there (Raft
  §5.3, Election Safety and Leader Append-Only).
* *Its base.* The delta was made over the very objects of which the loaded image consists. Equal ones would do; but that
  they are the same is seen at a glance, and cannot be wrong.
* *Its content.* ConfigRecords and nothing else. They have one version, so that what was encoded is what would be
  decoded; none of them fails to replay, opens a transaction, or changes how the next record reads.

Replaying is a function of a base and records, and both are the same; so is what comes out. Where any of this does not
hold (after an election, a record of the quorum's own in between, a snapshot, a transaction) the batches are replayed as
everybody's are. The loader remains the only one who publishes, and only what is committed.

Source: DESIGN D4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import MetadataImage
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.records.batch import Batch


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """ConfigRecords that follow one another in the log, and what they lead to.

    Attributes:
        base_offset: where the first one stands.
        end_offset: the offset behind the last one.
        epoch: in which they were proposed.
        delta: all of them, replayed; over the image that it names.
        image: that image with the delta applied. Its timestamp is not known before the log is framed.
        last_value: the last of them as it was proposed.
    """

    base_offset: Offset
    end_offset: Offset
    epoch: Epoch
    delta: MetadataDelta
    image: MetadataImage
    last_value: bytes


def by_batches(proposed: Sequence[Proposed], batches: Sequence[Batch]) -> list[list[Batch]] | None:
    """Return the batches that each proposal was framed in; ``None`` if these batches are not exactly those.

    Raises:
        InvariantViolation: a batch at the place and in the epoch of a proposal ends with another record: either the log
            or this node's memory is damaged, and nothing tells which.
    """
    left = iter(batches)
    found: list[list[Batch]] = []
    for one in proposed:
        mine: list[Batch] = []
        offset = one.base_offset
        while offset < one.end_offset:
            batch = next(left, None)
            if batch is None or batch.base_offset != offset or batch.is_control or batch.epoch != one.epoch:
                return None
            mine.append(batch)
            offset = batch.next_offset
        if offset != one.end_offset:
            return None
        invariant(
            mine[-1].data.endswith(one.last_value + b"\0"),
            "what is committed is what its leader proposed",
            one.end_offset - 1,
            one.epoch,
        )
        found.append(mine)
    return found if next(left, None) is None else None
