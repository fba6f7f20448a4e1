"""An image in records: what a snapshot holds.

The order is the snapshot's: metadata.version first, the cluster id directly after it (a reader needs to know early
whether it reads its own cluster), the other features, members, topics, and so on. Keys are sorted everywhere, so that
equal images give the same bytes on every node and in every process; Kafka leaves the order within a kind open.

What the target metadata.version cannot say is a loss: by default an error, never dropped in silence. An image that
passed over records it does not know is always at a loss.

Source: Kafka ``ImageWriter``, ``MetadataImage.write``; ``on-disk formats`` §7; KIP-1262.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kraftpy.image.errors import OnLoss, raise_on_loss
from kraftpy.image.features import FEATURES_LEVEL, NO_LEVEL
from kraftpy.image.image import SLICES, MetadataImage
from kraftpy.records.metadata import Record, encode_for_level
from kraftpy.records.snapshot import GROUP_RECORDS_MAX

GROUP_BYTES_MAX: Final = 1024 * 1024
"""A group is closed when its values reach this; with the largest record it still fits a batch."""


def spoken_level(image: MetadataImage, level: int | None = None) -> int:
    """Return the level in which an image is said: its own by default; below 4 it counts as 1."""
    target = image.level if level is None else level
    return NO_LEVEL if target < FEATURES_LEVEL else target


def image_records(image: MetadataImage, level: int | None = None, on_loss: OnLoss | None = None) -> Iterator[Record]:
    """Encode an image as records.

    Args:
        image: the image to encode.
        level: the metadata.version level to encode it in, the image's own by default; below 4 it counts as 1.
        on_loss: called with what the level cannot represent; raises by default.

    Raises:
        MetadataLossError: from the default ``on_loss``, while iterating.
    """
    target = spoken_level(image, level)
    report = raise_on_loss(target) if on_loss is None else on_loss
    features = image.features.records(target, report)
    if target >= FEATURES_LEVEL:
        yield next(features)
    yield from image.cluster_id.records(target, report)
    yield from features
    for name in SLICES[2:]:
        yield from getattr(image, name).records(target, report)


def snapshot_groups(
    image: MetadataImage, level: int | None = None, on_loss: OnLoss | None = None
) -> Iterator[list[bytes]]:
    """Say an image in framed values, in groups that are never split over two batches.

    Raises:
        MetadataLossError: as :func:`image_records`; before the first group if the image holds unknown records.
    """
    target = spoken_level(image, level)
    group: list[bytes] = []
    size = 0
    for record in image_records(image, level, on_loss):
        value = encode_for_level(record, target)
        group.append(value)
        size += len(value)
        if len(group) == GROUP_RECORDS_MAX or size >= GROUP_BYTES_MAX:
            yield group
            group, size = [], 0
    if group:
        yield group
