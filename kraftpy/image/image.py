"""The whole metadata at one offset: an immutable value, one field per slice.

Two images compare equal when they have the same content and the same provenance; ``same_content`` compares without the
provenance. Images share what did not change between them, may be kept for any time and be handed to any reader.

Source: Kafka ``MetadataImage``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from kraftpy.image.acls import AclsImage
from kraftpy.image.broker_hosts import BrokerHostsImage
from kraftpy.image.client_quotas import ClientQuotasImage
from kraftpy.image.cluster import ClusterImage
from kraftpy.image.cluster_id import ClusterIdImage
from kraftpy.image.configs import ConfigsImage
from kraftpy.image.delegation_tokens import DelegationTokensImage
from kraftpy.image.errors import ReplayError
from kraftpy.image.features import FeaturesImage
from kraftpy.image.producer_ids import ProducerIdsImage
from kraftpy.image.provenance import NOWHERE, Provenance
from kraftpy.image.scram import ScramImage
from kraftpy.image.topics import TopicsImage
from kraftpy.image.unknown import UnknownImage
from kraftpy.model.features import CLUSTER_ID_LEVEL, SchemaSet
from kraftpy.model.offsets import Offset


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MetadataImage:
    """All slices, in the order in which a snapshot has them, and up to where in the log they are replayed."""

    provenance: Provenance = NOWHERE
    features: FeaturesImage = FeaturesImage()
    cluster_id: ClusterIdImage = ClusterIdImage()
    cluster: ClusterImage = ClusterImage()
    broker_hosts: BrokerHostsImage = BrokerHostsImage()
    topics: TopicsImage = TopicsImage()
    configs: ConfigsImage = ConfigsImage()
    client_quotas: ClientQuotasImage = ClientQuotasImage()
    producer_ids: ProducerIdsImage = ProducerIdsImage()
    acls: AclsImage = AclsImage()
    scram: ScramImage = ScramImage()
    delegation_tokens: DelegationTokensImage = DelegationTokensImage()
    unknown: UnknownImage = UnknownImage()

    @property
    def level(self) -> int:
        """The metadata.version level; 1 when the log never stated one."""
        return self.features.level

    @property
    def schema(self) -> SchemaSet:
        """The record table in force."""
        return self.features.schema

    def same_content(self, other: MetadataImage) -> bool:
        """Return whether two images have the same content, whatever their provenance."""
        return all(getattr(self, name) == getattr(other, name) for name in SLICES)

    def __repr__(self) -> str:
        return (
            f"MetadataImage(offset={self.provenance.offset}, epoch={self.provenance.epoch}, level={self.level}, "
            f"{len(self.cluster.brokers)} brokers, {len(self.topics.by_id)} topics, "
            f"{len(self.configs)} configured resources)"
        )


EMPTY = MetadataImage()
"""The metadata before the first record."""

SLICES = tuple(field.name for field in fields(MetadataImage) if field.name != "provenance")
"""The names of the slices, in the order in which a snapshot has them."""

_SLICES_OF = attrgetter(*SLICES)
_SETTERS = {name: getattr(MetadataImage, name).__set__ for name in ("provenance", *SLICES)}


def next_image(base: MetadataImage, provenance: Provenance, changed: Mapping[str, Any]) -> MetadataImage:
    """Return an image with other slices where ``changed`` names them, and with those of ``base`` elsewhere.

    There is one for each batch. Setting the slots costs 1.3 us, ``dataclasses.replace`` and keywords 3 us and more.
    """
    image = MetadataImage.__new__(MetadataImage)
    for setter, value in zip(_SETTERS.values(), (provenance, *_SLICES_OF(base)), strict=True):
        setter(image, value)
    for name, value in changed.items():
        _SETTERS[name](image, value)
    return image


def check_cluster_id(image: MetadataImage) -> None:
    """Check an image as :func:`check_cluster_id_at` does.

    Raises:
        ReplayError: when the id is missing, or should not be there.
    """
    check_cluster_id_at(image.level, image.cluster_id.value, image.provenance.offset)


def check_cluster_id_at(level: int, cluster_id: str | None, offset: Offset) -> None:
    """Check that there is a cluster id exactly if the metadata.version calls for one (K1262-3).

    It may only be asked after the batch, or the transaction, that brought the level: both records commit together.

    Raises:
        ReplayError: when the id is missing, or should not be there.
    """
    if level >= CLUSTER_ID_LEVEL and cluster_id is None:
        raise ReplayError(
            "ClusterIdRecord",
            f"there is none although metadata.version is {level}; it has to come in the same batch as the level",
            offset,
        )
    if level < CLUSTER_ID_LEVEL and cluster_id is not None:
        raise ReplayError(
            "ClusterIdRecord",
            f"there is one although metadata.version is {level}, below {CLUSTER_ID_LEVEL}",
            offset,
        )
