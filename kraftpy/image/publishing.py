"""What the loader hands out, and to whom.

A publication is a delta, the image that it leads to, and a manifest that says where it came from. Publishers run one
after the other on one task, in a fixed order; each must take being first called with an arbitrary complete image, and
must treat a snapshot's delta as any other. They must not block for long and are never called from within themselves.

Source: Kafka ``MetadataPublisher``, ``LoaderManifest``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import MetadataImage
from kraftpy.image.provenance import Provenance
from kraftpy.model.offsets import LeaderAndEpoch


@dataclass(frozen=True, slots=True)
class LogDeltaManifest:
    """The delta came from the log: this many batches, this many bytes of them."""

    provenance: Provenance
    batches: int
    bytes: int


@dataclass(frozen=True, slots=True)
class SnapshotManifest:
    """The delta came from a snapshot, or is a whole image for a publisher that joins."""

    provenance: Provenance


Manifest: TypeAlias = LogDeltaManifest | SnapshotManifest


@dataclass(frozen=True, slots=True)
class Publication:
    """One step of the published metadata."""

    delta: MetadataDelta
    image: MetadataImage
    manifest: Manifest

    @classmethod
    def complete(cls, old: MetadataImage, new: MetadataImage) -> Publication:
        """Present ``new`` to a publisher that has seen ``old`` last (the empty image when it has seen nothing)."""
        return cls(MetadataDelta.between(old, new), new, SnapshotManifest(new.provenance))


class MetadataPublisher:
    """Acts on published metadata; each method does nothing unless it is overridden, as in Kafka.

    Attributes:
        name: a name that no other publisher of the node has.
    """

    name: str

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Act on the next image."""

    def on_controller_change(self, leader: LeaderAndEpoch) -> None:
        """Act on a new active controller, or on there being none."""

    def close(self) -> None:
        """Stop; no call follows."""
