"""The digest of an image, the offsets at which nodes compute one, and the difference of two images.

Nodes can only compare digests of the same offset, and the log determines that offset. Every batch contains the time at
which its leader created it, so the log's own clock selects the offsets (:func:`is_checkpoint`): the first batch whose
time is in another period than its predecessor's. All nodes hold the same batches, so all of them compute a digest at
the same offsets, whenever each of them gets there and however it slices the log.

A digest covers all records of the image, so that a flipped bit in an entity that never changes is found, too. It costs
as much as a snapshot, without the disk writes. The period therefore grows with the
image: it is a power of two of the base period, and at least :data:`MS_PER_ENTITY` for each entity. At 3 us to encode
and hash one, the work is 0.3 % of a processor, however fast records are written.

Rejected: a sum of hashes updated by every change. It would add cost to each write, and it would stay right while the
image is wrong.

An image with records that this software does not know has no digest, as it has no snapshot: how many of them it counted
depends on where its node began to read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, TypeAlias

from kraftpy.image.changes import Entities
from kraftpy.image.delta import DELTAS
from kraftpy.image.errors import MetadataLossError
from kraftpy.image.image import MetadataImage
from kraftpy.image.writer import image_records, snapshot_groups, spoken_level
from kraftpy.model.digests import StateDigest
from kraftpy.model.ids import uuid_to_text
from kraftpy.records.metadata import ClientQuotaRecord, LogRecord, Record, encode_for_level
from kraftpy.records.state_digest import digest_of

MS_PER_ENTITY: Final = 1
"""How much time an image's digests are apart for each entity in it, at least."""


def _nothing() -> None:
    """Do nothing between two groups."""


def image_digest(image: MetadataImage, between: Callable[[], None] = _nothing) -> StateDigest | None:
    """Make the digest of an image; ``None`` when it holds what no snapshot can say.

    ``between`` is called before each group of at most 1,024 records: to let others run, or to give up by raising.
    """
    try:
        return StateDigest(image.provenance.snapshot_id.offset, digest_of(_paced(snapshot_groups(image), between)))
    except MetadataLossError:
        return None


def _paced(groups: Iterator[list[bytes]], between: Callable[[], None]) -> Iterator[list[bytes]]:
    for group in groups:
        between()
        yield group


def entities(image: MetadataImage) -> int:
    """Count roughly what an image holds: enough to know what saying it costs."""
    return _all_but_partitions(image) + sum(len(topic.partitions) for topic in image.topics.by_id.values())


def _all_but_partitions(image: MetadataImage) -> int:
    """Count what is counted without looking at each topic, of which there may be a million."""
    return (
        len(image.configs)
        + len(image.topics.by_id)
        + len(image.cluster.brokers)
        + len(image.client_quotas.entities)
        + len(image.acls.entries)
        + len(image.scram.credentials)
        + len(image.delegation_tokens.tokens)
    )


def is_tick(before_ms: int, now_ms: int, period_ms: int) -> bool:
    """Return whether the log's clock reached another period with a batch of ``now_ms``, behind one of ``before_ms``.

    A clock that was set back, or another leader's, counts as well: it costs one digest more.
    """
    return before_ms // period_ms != now_ms // period_ms


def is_checkpoint(before_ms: int, image: MetadataImage, period_ms: int) -> bool:
    """Return whether nodes compare their state at an image.

    Args:
        before_ms: the time of the batch before the last one of the image.
        image: as of a batch with which a new base period began (:func:`is_tick`).
        period_ms: the base period.
    """
    if not image.provenance.batch_aligned:
        return False
    # Where a longer period begins, each shorter one does: so most ticks are ruled out by the first count alone.
    for count in (_all_but_partitions, entities):
        least_ms = count(image) * MS_PER_ENTITY
        while period_ms < least_ms:
            period_ms *= 2
        if not is_tick(before_ms, image.provenance.timestamp_ms, period_ms):
            return False
    return True


Entity: TypeAlias = tuple[str, ...]
"""The subject of a record: the kind of entity, and its key among that kind; never a value or a secret."""

_ENTITIES: Final[Entities] = {
    record_type: row for delta_type in DELTAS.values() for record_type, row in delta_type.ENTITIES.items()
}


def entity_of(record: LogRecord) -> Entity:
    """Say what a record is about."""
    if isinstance(record, ClientQuotaRecord):
        names = (f"{one.entity_type}={one.entity_name}" for one in record.entity)
        return ("client quota", *sorted(names), record.key)
    kind, names_of_fields = _ENTITIES.get(type(record), (type(record).__name__, ()))
    return (kind, *(_shown(getattr(record, name)) for name in names_of_fields))


def _shown(value: object) -> str:
    return uuid_to_text(value) if isinstance(value, bytes) else str(value)


@dataclass(frozen=True, slots=True)
class ImageDifference:
    """The first record of a snapshot in which two images differ; ``None`` where one of them has no such record."""

    ours: Record | None
    theirs: Record | None

    @property
    def entity(self) -> Entity:
        """What it is about, as the other side says it, if that one says anything."""
        record = self.theirs or self.ours
        assert record is not None
        return entity_of(record)


def first_difference(ours: MetadataImage, theirs: MetadataImage) -> ImageDifference | None:
    """Find where the snapshots of two images part; ``None`` when they are the same."""
    for mine, other in zip_longest(_stated(ours), _stated(theirs)):
        if mine is None or other is None or mine[1] != other[1]:
            return ImageDifference(mine and mine[0], other and other[0])
    return None


def _stated(image: MetadataImage) -> Iterator[tuple[Record, bytes]]:
    level = spoken_level(image)
    for record in image_records(image):
        yield record, encode_for_level(record, level)
