"""Changes over an image: records in, the next image out.

A record finds its handler by its type in one dict. The dict starts nearly empty: the first record of a kind opens the
delta of its slice and enters that slice's handlers, so that an untouched slice costs nothing and reads as ``None``.

A snapshot is the complete content, not a change. Its delta therefore replays onto the empty image, and is turned into
the difference to the image before by ``finish_snapshot``: publishers then see exact removals and cannot distinguish the
origin of the delta. The same difference expresses a whole image for a publisher that joins late.

Two rules span slices and are here: a topic that goes takes its configuration along, and a ClusterIdRecord needs the
metadata.version that knows it. Kafka opens every sub-delta when metadata.version changes, so that its images may
rewrite themselves; ours do not depend on the level until they are written, so that nothing has to be opened.

Source: Kafka ``MetadataDelta``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from kraftpy.image.acls import AclsDelta
from kraftpy.image.broker_hosts import BrokerHostsDelta
from kraftpy.image.changes import Handlers
from kraftpy.image.client_quotas import ClientQuotasDelta
from kraftpy.image.cluster import ClusterDelta
from kraftpy.image.cluster_id import ClusterIdDelta
from kraftpy.image.configs import TOPIC, ConfigsDelta
from kraftpy.image.delegation_tokens import DelegationTokensDelta
from kraftpy.image.errors import ReplayError
from kraftpy.image.features import FeaturesDelta
from kraftpy.image.image import EMPTY, MetadataImage, next_image
from kraftpy.image.producer_ids import ProducerIdsDelta
from kraftpy.image.provenance import Provenance
from kraftpy.image.scram import ScramDelta
from kraftpy.image.topics import TopicsDelta
from kraftpy.image.unknown import UnknownDelta
from kraftpy.model.features import CLUSTER_ID_LEVEL, SchemaSet
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Offset
from kraftpy.records.authors import unfamiliar
from kraftpy.records.metadata import (
    METADATA_RECORDS,
    AbortTransactionRecord,
    BeginTransactionRecord,
    ClusterIdRecord,
    EndTransactionRecord,
    LogRecord,
    NoOpRecord,
    Record,
    RemoveTopicRecord,
    UnknownRecord,
)
from kraftpy.records.schema import load

DELTAS: Final[dict[str, Any]] = {
    "features": FeaturesDelta,
    "cluster_id": ClusterIdDelta,
    "cluster": ClusterDelta,
    "broker_hosts": BrokerHostsDelta,
    "topics": TopicsDelta,
    "configs": ConfigsDelta,
    "client_quotas": ClientQuotasDelta,
    "producer_ids": ProducerIdsDelta,
    "acls": AclsDelta,
    "scram": ScramDelta,
    "delegation_tokens": DelegationTokensDelta,
    "unknown": UnknownDelta,
}
"""The delta of each slice. What a slice needs besides are its field in the image and its attribute below."""

SLICE_OF: Final[dict[type[Any], str]] = {
    record_type: name
    for name, delta_type in DELTAS.items()
    for record_type in delta_type(getattr(EMPTY, name)).handlers()
}
"""Which slice takes a kind of record."""

_STRUCTS: Final[dict[type[Any], tuple[str, ...]]] = {
    record_type: structs
    for record_type, message in zip(METADATA_RECORDS, load("metadata"), strict=True)
    if (structs := tuple(field.attribute for field in message.root.fields if field.struct is not None))
}
"""The records that have structs, and in which attributes."""


def _pass_over(record: object) -> None:
    """Take a record that changes no image: no-ops, and the marks of transactions, which the loader acts on."""


_PASSED_OVER: Final[Handlers] = dict.fromkeys(
    (NoOpRecord, BeginTransactionRecord, EndTransactionRecord, AbortTransactionRecord), _pass_over
)


class MetadataDelta:
    """Changes over a base image.

    Attributes:
        image: the base.
        features, cluster_id ...: the slices' deltas, ``None`` for those untouched.
    """

    features: FeaturesDelta | None = None
    cluster_id: ClusterIdDelta | None = None
    cluster: ClusterDelta | None = None
    broker_hosts: BrokerHostsDelta | None = None
    topics: TopicsDelta | None = None
    configs: ConfigsDelta | None = None
    client_quotas: ClientQuotasDelta | None = None
    producer_ids: ProducerIdsDelta | None = None
    acls: AclsDelta | None = None
    scram: ScramDelta | None = None
    delegation_tokens: DelegationTokensDelta | None = None
    unknown: UnknownDelta | None = None

    def __init__(self, image: MetadataImage, *, snapshot: bool = False) -> None:
        """Start without changes.

        Args:
            image: the base.
            snapshot: whether the records to come are the complete content, and not changes. Call
                :meth:`finish_snapshot` after the last one.
        """
        self.image = image
        self._from_empty = snapshot
        self._handlers: Handlers = _PASSED_OVER.copy()
        self._touched: dict[str, Any] = {}

    @classmethod
    def between(cls, old: MetadataImage, new: MetadataImage) -> MetadataDelta:
        """Express ``new`` as a delta over ``old``: what a publisher gets that has seen ``old`` last.

        Raises:
            ReplayError: when the images have different cluster ids.
        """
        delta = cls(old)
        delta._set_between(old, new)
        return delta

    def _set_between(self, old: MetadataImage, new: MetadataImage) -> None:
        for name, delta_type in DELTAS.items():
            before, after = getattr(old, name), getattr(new, name)
            if before == after:
                self._touched.pop(name, None)
                setattr(self, name, None)
            else:
                self._touch(name, delta_type.between(before, after))

    def _touch(self, name: str, delta: Any) -> None:
        self._touched[name] = delta
        setattr(self, name, delta)

    @property
    def is_empty(self) -> bool:
        """Whether no slice was touched."""
        return not self._touched

    @property
    def level(self) -> int:
        """The metadata.version level as replayed so far."""
        return self._base.features.level if self.features is None else self.features.level

    @property
    def known_cluster_id(self) -> str | None:
        """The cluster id as replayed so far."""
        return self._base.cluster_id.value if self.cluster_id is None else self.cluster_id.value

    @property
    def schema(self) -> SchemaSet:
        """The record table in force for the next record."""
        return SchemaSet.for_level(self.level)

    @property
    def _base(self) -> MetadataImage:
        return EMPTY if self._from_empty else self.image

    def replay(self, record: LogRecord) -> None:
        """Take one record.

        Raises:
            ReplayError: when it does not fit what was replayed before. The delta must not be applied then.
        """
        handler = self._handlers.get(type(record))
        if handler is None:
            handler = self._find(record)
        handler(record)
        if type(record) is not UnknownRecord and record.unknown_tags:  # type: ignore[union-attr] # it is no UnknownRecord
            self._replay_tags(record)

    def replay_all(self, records: Iterable[LogRecord], base_offset: Offset | None = None) -> None:
        """Take several records.

        Args:
            records: in log order.
            base_offset: the offset of the first one, if known.

        Raises:
            ReplayError: as :meth:`replay`, with the offset of the record if it is known.
        """
        # Records come in runs of a kind, and a handler stays what it is.
        kind: type[LogRecord] | None = None
        handler: Callable[[Any], None] = _pass_over
        has_tags = False
        taken = 0
        try:
            for record in records:
                if type(record) is not kind:
                    kind = type(record)
                    handler = self._handlers.get(kind) or self._find(record)
                    has_tags = kind is not UnknownRecord
                handler(record)
                if has_tags and record.unknown_tags:  # type: ignore[union-attr] # it is no UnknownRecord
                    self._replay_tags(record)
                taken += 1
        except ReplayError as error:
            if base_offset is None:
                raise
            raise error.at(base_offset + taken) from error

    def _find(self, record: LogRecord) -> Callable[[Any], None]:
        """Return the handler of a kind of record that is not in the dict, and open its slice.

        Methods of this object are never put into the dict: the cycle would keep every base image alive until a garbage
        collection, and a node that holds a large image runs those rarely.
        """
        if isinstance(record, RemoveTopicRecord):
            return self._replay_remove_topic
        if isinstance(record, ClusterIdRecord):
            return self._replay_cluster_id
        if type(record) in _STRUCTS:
            return self._replay_with_structs
        name = SLICE_OF.get(type(record))
        if name is None:
            raise ReplayError(record, "no slice takes this kind of record")
        self._opened(name)
        return self._handlers[type(record)]

    def _opened(self, name: str) -> Any:
        """Return a slice's delta, opened if need be."""
        delta = self._touched.get(name)
        if delta is None:
            delta = DELTAS[name](getattr(self._base, name))
            self._touch(name, delta)
            for record_type, handler in delta.handlers().items():
                if record_type not in _STRUCTS:
                    self._handlers[record_type] = handler
        return delta

    def _replay_tags(self, record: Any) -> None:
        """Count tagged fields that are not known; who asked for a change is no part of the state."""
        tags = unfamiliar(record.unknown_tags)
        if tags:
            self._opened("unknown").replay_tags(record.API_KEY, tags)

    def _replay_with_structs(self, record: Record) -> None:
        """Replay a record that has structs, whose unknown tagged fields count as well."""
        kind = type(record)
        self._opened(SLICE_OF[kind]).handlers()[kind](record)
        for attribute in _STRUCTS[kind]:
            for struct in getattr(record, attribute):
                if struct.unknown_tags:
                    self._opened("unknown").replay_tags(record.API_KEY, struct.unknown_tags)

    def _replay_remove_topic(self, record: RemoveTopicRecord) -> None:
        name = self._opened("topics").replay_remove_topic(record)
        self._opened("configs").remove_resource(TOPIC, name)

    def _replay_cluster_id(self, record: ClusterIdRecord) -> None:
        if self.level < CLUSTER_ID_LEVEL:
            raise ReplayError(
                record, f"metadata.version is {self.level}, and only {CLUSTER_ID_LEVEL} and above have a cluster id"
            )
        self._opened("cluster_id").replay_cluster_id(record)

    def absorb(self) -> None:
        """Keep what was replayed so far in the form of the next image, where a slice can.

        For a delta that takes a whole log or snapshot, so that neither its changes nor the work at its end grow with
        them.
        """
        if self.configs is not None:
            self.configs.absorb()

    def finish_snapshot(self) -> None:
        """Turn the complete content into the difference to the base image.

        Raises:
            ReplayError: when the snapshot names another cluster than the base image.
        """
        invariant(self._from_empty, "only a delta made for a snapshot is finished as one")
        if self.image.same_content(EMPTY):
            self._from_empty = False
        else:
            content = self._applied(EMPTY.provenance)
            self._from_empty = False
            self._set_between(self.image, content)
        self._handlers.clear()

    def apply(self, provenance: Provenance) -> MetadataImage:
        """Return the next image, with this ``provenance``."""
        invariant(not self._from_empty, "a snapshot is finished before it is applied")
        return self._applied(provenance)

    def _applied(self, provenance: Provenance) -> MetadataImage:
        return next_image(self._base, provenance, {name: delta.apply() for name, delta in self._touched.items()})
