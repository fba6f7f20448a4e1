"""Client quotas: per entity, key to limit.

An entity is a set of (type, name) pairs, such as a user together with a client id; the name ``None`` means "every
other one of this type". The pairs are kept sorted, so that an entity is the same whatever order a record lists it in.

Source: Kafka ``ClientQuotasImage``; KIP-546.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from immutables import Map

from kraftpy.image.changes import Changes, Entities, Handlers
from kraftpy.image.errors import OnLoss, ReplayError
from kraftpy.records.codec import Record
from kraftpy.records.metadata import ClientQuotaRecord, ClientQuotaRecordEntityData

QuotaEntity: TypeAlias = tuple[tuple[str, str | None], ...]
"""(type, name) pairs, ascending by type; a type occurs at most once."""

NO_LIMITS: Final[Map[str, float]] = Map()


def _order(entity: QuotaEntity) -> list[tuple[str, bool, str]]:
    """Sort key: the default entity of a type precedes the named ones."""
    return [(kind, name is not None, name or "") for kind, name in entity]


@dataclass(frozen=True, slots=True)
class ClientQuotasImage:
    """Limits by entity, then by key."""

    entities: Map[QuotaEntity, Map[str, float]] = Map()

    def of(self, entity: QuotaEntity) -> Map[str, float]:
        """Return an entity's own limits, an empty map when it has none."""
        return self.entities.get(entity, NO_LIMITS)

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:  # noqa: ARG002 - every level can say it
        """Say this slice in records, by entity and key."""
        for entity in sorted(self.entities, key=_order):
            limits = self.entities[entity]
            for key in sorted(limits):
                pairs = [ClientQuotaRecordEntityData(kind, name) for kind, name in entity]
                yield ClientQuotaRecord(entity=pairs, key=key, value=limits[key], remove=False)


class ClientQuotasDelta:
    """Changes to client quotas."""

    __slots__ = ("_entities", "base")
    ENTITIES: ClassVar[Entities] = {}

    def __init__(self, base: ClientQuotasImage) -> None:
        self.base = base
        self._entities = Changes(base.entities)

    @classmethod
    def between(cls, old: ClientQuotasImage, new: ClientQuotasImage) -> ClientQuotasDelta:
        """Express ``new`` as a delta over ``old``."""
        delta = cls(old)
        delta._entities = Changes.between(old.entities, new.entities)
        return delta

    @property
    def changes(self) -> dict[QuotaEntity, Map[str, float] | None]:
        """Entity to all its limits, ``None`` when it has none any more."""
        return self._entities.changed

    def handlers(self) -> Handlers:
        """Say which records this slice takes."""
        return {ClientQuotaRecord: self.replay_client_quota}

    def replay_client_quota(self, record: ClientQuotaRecord) -> None:
        """Set or remove one limit; an entity without limits is dropped."""
        pairs = {pair.entity_type: pair.entity_name for pair in record.entity}
        if not pairs or len(pairs) != len(record.entity):
            raise ReplayError(record, "the quota's entity is empty or names a type twice")
        entity = tuple(sorted(pairs.items()))
        limits = self._entities.get(entity) or NO_LIMITS
        if not record.remove:
            self._entities.put(entity, limits.set(record.key, record.value))
        elif record.key in limits:
            self._put_or_drop(entity, limits.delete(record.key))

    def _put_or_drop(self, entity: QuotaEntity, limits: Map[str, float]) -> None:
        if limits:
            self._entities.put(entity, limits)
        else:
            self._entities.remove(entity)

    def apply(self) -> ClientQuotasImage:
        """Return the next image."""
        return ClientQuotasImage(self._entities.apply())
