"""Producer ids: where the next block of them starts.

Blocks are given out in ascending order and never twice, so the number only grows.

Source: Kafka ``ProducerIdsImage``, ``ProducerIdControlManager.replay``; KIP-730.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from kraftpy.image.changes import Entities, Handlers
from kraftpy.image.errors import OnLoss, ReplayError
from kraftpy.model.ids import NO_NODE
from kraftpy.records.codec import Record
from kraftpy.records.metadata import ProducerIdsRecord

NO_BLOCK = -1


@dataclass(frozen=True, slots=True)
class ProducerIdsImage:
    """The first id of the next block; -1 as long as none was given out."""

    next_producer_id: int = NO_BLOCK

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:  # noqa: ARG002 - every level can say it
        """Say this slice in records. Whom the last block went to does not matter any more."""
        if self.next_producer_id != NO_BLOCK:
            yield ProducerIdsRecord(broker_id=NO_NODE, broker_epoch=-1, next_producer_id=self.next_producer_id)


class ProducerIdsDelta:
    """A block given out."""

    __slots__ = ("base", "next_producer_id")
    ENTITIES: ClassVar[Entities] = {
        ProducerIdsRecord: ("producer ids", ()),
    }

    def __init__(self, base: ProducerIdsImage) -> None:
        self.base = base
        self.next_producer_id = base.next_producer_id

    @classmethod
    def between(cls, old: ProducerIdsImage, new: ProducerIdsImage) -> ProducerIdsDelta:
        """Express ``new`` as a delta over ``old``."""
        delta = cls(old)
        delta.next_producer_id = new.next_producer_id
        return delta

    def handlers(self) -> Handlers:
        """Say which records this slice takes."""
        return {ProducerIdsRecord: self.replay_producer_ids}

    def replay_producer_ids(self, record: ProducerIdsRecord) -> None:
        """Move the start of the next block.

        Raises:
            ReplayError: when it does not move up: ids would be given out twice.
        """
        if record.next_producer_id <= self.next_producer_id:
            raise ReplayError(
                record,
                f"the next producer id goes from {self.next_producer_id} to {record.next_producer_id}, it must grow",
            )
        self.next_producer_id = record.next_producer_id

    def apply(self) -> ProducerIdsImage:
        """Return the next image."""
        return ProducerIdsImage(self.next_producer_id)
