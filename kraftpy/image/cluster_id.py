"""The cluster's id, from the log (KIP-1262).

Below the level of KIP-1262 the log holds no ClusterIdRecord; from that level on it holds exactly one value for ever.
The same value may come again (a zero checkpoint that the first leader copied into the log), another may not: it would
mean that two clusters were joined, and that is the one thing an id is there to prevent. The id is a string and not a
uuid, because ids of old clusters must survive.

Source: KIP-1262 §ClusterIdRecord.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from kraftpy.image.changes import Entities, Handlers
from kraftpy.image.errors import OnLoss, ReplayError
from kraftpy.model.features import CLUSTER_ID_LEVEL
from kraftpy.records.codec import Record
from kraftpy.records.metadata import ClusterIdRecord


@dataclass(frozen=True, slots=True)
class ClusterIdImage:
    """The id, ``None`` until the log contains it."""

    value: str | None = None

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:
        """Say this slice in records."""
        if self.value is None:
            return
        if level < CLUSTER_ID_LEVEL:
            on_loss(f"the cluster id {self.value}")
        else:
            yield ClusterIdRecord(cluster_id=self.value)


class ClusterIdDelta:
    """The id becoming known."""

    __slots__ = ("base", "value")
    ENTITIES: ClassVar[Entities] = {
        ClusterIdRecord: ("cluster id", ()),
    }

    def __init__(self, base: ClusterIdImage) -> None:
        self.base = base
        self.value = base.value

    @classmethod
    def between(cls, old: ClusterIdImage, new: ClusterIdImage) -> ClusterIdDelta:
        """Express ``new`` as a delta over ``old``.

        Raises:
            ReplayError: when both know an id and the ids differ.
        """
        delta = cls(old)
        if new.value is not None:
            delta.replay_cluster_id(ClusterIdRecord(cluster_id=new.value))
        else:
            delta.value = None
        return delta

    @property
    def discovered(self) -> str | None:
        """The id if this delta is what made it known."""
        return self.value if self.base.value is None else None

    def handlers(self) -> Handlers:
        """Take none directly: the whole delta checks a ClusterIdRecord against metadata.version first."""
        return {}

    def replay_cluster_id(self, record: ClusterIdRecord) -> None:
        """Learn the id.

        Raises:
            ReplayError: when the id is empty, or another one is known.
        """
        if not record.cluster_id:
            raise ReplayError(record, "the cluster id is empty")
        if self.value is not None and self.value != record.cluster_id:
            raise ReplayError(
                record,
                f"the log already names this cluster {self.value!r}, and this record names it {record.cluster_id!r}; "
                "two clusters' logs were mixed, restore the log of one of them",
            )
        self.value = record.cluster_id

    def apply(self) -> ClusterIdImage:
        """Return the next image."""
        return ClusterIdImage(self.value)
