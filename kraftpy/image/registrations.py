"""What is known of a registered broker or controller.

A registration keeps everything that its record said, so that a snapshot can say it again. Which of a broker's log
directories are cordoned (no new replicas, KIP-1066) or saturated (full, KIP-928) is kept beside the list of them.

Source: Kafka ``BrokerRegistration``, ``ControllerRegistration``; KIP-631; KIP-858; KIP-919.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from struct import Struct
from typing import Any, Final, Protocol

from kraftpy.image.errors import OnLoss
from kraftpy.model.features import (
    CONTROLLED_SHUTDOWN_LEVEL,
    CORDONED_DIRECTORIES_LEVEL,
    DIRECTORIES_LEVEL,
    SATURATED_DIRECTORIES_LEVEL,
)
from kraftpy.model.ids import DIRECTORY_LOST, DIRECTORY_MIGRATING, DIRECTORY_UNASSIGNED, NodeId, Uuid
from kraftpy.model.registrations import Listener, SupportedFeature
from kraftpy.records.metadata import (
    RegisterBrokerRecord,
    RegisterBrokerRecordBrokerEndpoint,
    RegisterBrokerRecordBrokerFeature,
    RegisterControllerRecord,
    RegisterControllerRecordControllerEndpoint,
    RegisterControllerRecordControllerFeature,
)

_HALVES: Final = Struct(">qq").unpack

MIGRATING_BROKER_LEVEL = 8
"""The first metadata.version that knows of brokers on their way from ZooKeeper. Source: Kafka 3.4-IV0."""

_SINCE: Final[tuple[tuple[str, int, object, str], ...]] = (
    ("in_controlled_shutdown", CONTROLLED_SHUTDOWN_LEVEL, False, "inControlledShutdown state"),
    ("is_migrating_zk_broker", MIGRATING_BROKER_LEVEL, False, "isMigratingZkBroker state"),
    ("log_dirs", DIRECTORIES_LEVEL, (), "online log directories"),
    ("cordoned_log_dirs", CORDONED_DIRECTORIES_LEVEL, None, "cordoned log directories"),
    ("saturated_log_dirs", SATURATED_DIRECTORIES_LEVEL, (), "saturated log directories"),
)
"""What older levels cannot say: attribute, first level, its value when there is nothing to say, and its name."""


class _EndPoint(Protocol):
    name: str
    host: str
    port: int
    security_protocol: int


class _RegisteredFeature(Protocol):
    name: str
    min_supported_version: int
    max_supported_version: int


def _listeners(end_points: Iterable[_EndPoint]) -> tuple[Listener, ...]:
    listeners = (Listener(point.name, point.host, point.port, point.security_protocol) for point in end_points)
    return tuple(sorted(listeners, key=lambda listener: listener.name))


def _features(features: Iterable[_RegisteredFeature]) -> tuple[SupportedFeature, ...]:
    supported = (
        SupportedFeature(feature.name, feature.min_supported_version, feature.max_supported_version)
        for feature in features
    )
    return tuple(sorted(supported, key=lambda feature: feature.name))


def log_directories(ids: Iterable[Uuid]) -> tuple[Uuid, ...]:
    """Return the ids of log directories as Kafka keeps them: sorted, as two signed numbers each."""
    return tuple(sorted(ids, key=_HALVES))


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerRegistration:
    """A broker as it registered, and what became of it since.

    Attributes:
        broker_epoch: the offset of the registration of this incarnation; later calls must carry it.
        incarnation_id: drawn afresh by every process start.
        listeners: ascending by name, as are the features: Kafka keeps both as maps, so the order in which a record
            lists them says nothing, and a snapshot of Kafka's lists them in another order than its log.
        fenced: whether the broker is kept from leading and from client metadata.
        log_dirs: the ids of its directories that are online; their order says nothing either (:func:`log_directories`).
        cordoned_log_dirs: those that take no new replicas; ``None`` until the broker has said which.
        saturated_log_dirs: those that are full.
    """

    broker_id: NodeId
    broker_epoch: int
    incarnation_id: Uuid
    listeners: tuple[Listener, ...] = ()
    features: tuple[SupportedFeature, ...] = ()
    rack: str | None = None
    fenced: bool = True
    in_controlled_shutdown: bool = False
    is_migrating_zk_broker: bool = False
    log_dirs: tuple[Uuid, ...] = ()
    cordoned_log_dirs: tuple[Uuid, ...] | None = None
    saturated_log_dirs: tuple[Uuid, ...] = ()

    @classmethod
    def from_record(cls, record: RegisterBrokerRecord) -> BrokerRegistration:
        """Keep what a record says."""
        return cls(
            broker_id=record.broker_id,
            broker_epoch=record.broker_epoch,
            incarnation_id=record.incarnation_id,
            listeners=_listeners(record.end_points),
            features=_features(record.features),
            rack=record.rack,
            fenced=record.fenced,
            in_controlled_shutdown=record.in_controlled_shutdown,
            is_migrating_zk_broker=record.is_migrating_zk_broker,
            log_dirs=log_directories(record.log_dirs),
            cordoned_log_dirs=None if record.cordoned_log_dirs is None else tuple(record.cordoned_log_dirs),
            saturated_log_dirs=tuple(record.saturated_log_dirs),
        )

    @property
    def is_active(self) -> bool:
        """Whether the broker may lead: neither fenced nor on its way out."""
        return not self.fenced and not self.in_controlled_shutdown

    def has_online_dir(self, directory: Uuid) -> bool:
        """Return whether a replica in this directory is reachable on the broker.

        A directory that is not known by id counts as online, a lost one never does. Source: Kafka
        ``BrokerRegistration.hasOnlineDir``.
        """
        if directory in {DIRECTORY_UNASSIGNED, DIRECTORY_MIGRATING} or not self.log_dirs:
            return directory != DIRECTORY_LOST
        return directory in self.log_dirs

    def serves_dir(self, directory: Uuid) -> bool:
        """Return whether a replica in this directory may lead and be in sync: it is online and not full (KIP-928)."""
        return self.has_online_dir(directory) and not self.is_saturated_dir(directory)

    def is_saturated_dir(self, directory: Uuid) -> bool:
        """Return whether a replica in this directory is in a full one; if it is not known by id, when all are full."""
        if directory in {DIRECTORY_UNASSIGNED, DIRECTORY_MIGRATING}:
            return self.is_saturated
        return directory in self.saturated_log_dirs

    @property
    def is_saturated(self) -> bool:
        """Whether all directories of the broker are full."""
        return bool(self.saturated_log_dirs) and set(self.saturated_log_dirs).issuperset(self.log_dirs)

    def listener(self, name: str) -> Listener | None:
        """Return the listener of that name."""
        return next((listener for listener in self.listeners if listener.name == name), None)

    def feature(self, name: str) -> SupportedFeature | None:
        """Return the levels of a feature that the broker declared."""
        return next((feature for feature in self.features if feature.name == name), None)

    def to_record(self, level: int, on_loss: OnLoss) -> RegisterBrokerRecord:
        """Say the registration in the record version of a metadata.version level."""
        stated = self._expressible(level, on_loss)
        return RegisterBrokerRecord(
            broker_id=self.broker_id,
            is_migrating_zk_broker=stated.is_migrating_zk_broker,
            incarnation_id=self.incarnation_id,
            broker_epoch=self.broker_epoch,
            end_points=[
                RegisterBrokerRecordBrokerEndpoint(one.name, one.host, one.port, one.security_protocol)
                for one in self.listeners
            ],
            features=[
                RegisterBrokerRecordBrokerFeature(one.name, one.min_level, one.max_level) for one in self.features
            ],
            rack=self.rack,
            fenced=self.fenced,
            in_controlled_shutdown=stated.in_controlled_shutdown,
            log_dirs=list(stated.log_dirs),
            cordoned_log_dirs=None if stated.cordoned_log_dirs is None else list(stated.cordoned_log_dirs),
            saturated_log_dirs=list(stated.saturated_log_dirs),
        )

    def _expressible(self, level: int, on_loss: OnLoss) -> BrokerRegistration:
        """Return what a metadata.version level can say of the registration, and report the rest as lost."""
        lost: dict[str, Any] = {}
        for attribute, since, nothing, what in _SINCE:
            if level < since and getattr(self, attribute) != nothing:
                on_loss(f"the {what} of one or more brokers")
                lost[attribute] = nothing
        return replace(self, **lost) if lost else self


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerRegistration:
    """A controller as it registered."""

    controller_id: NodeId
    incarnation_id: Uuid
    zk_migration_ready: bool = False
    listeners: tuple[Listener, ...] = ()
    features: tuple[SupportedFeature, ...] = ()

    @classmethod
    def from_record(cls, record: RegisterControllerRecord) -> ControllerRegistration:
        """Keep what a record says."""
        return cls(
            controller_id=record.controller_id,
            incarnation_id=record.incarnation_id,
            zk_migration_ready=record.zk_migration_ready,
            listeners=_listeners(record.end_points),
            features=_features(record.features),
        )

    def listener(self, name: str) -> Listener | None:
        """Return the listener of that name."""
        return next((listener for listener in self.listeners if listener.name == name), None)

    def to_record(self) -> RegisterControllerRecord:
        """Say the registration in a record."""
        return RegisterControllerRecord(
            controller_id=self.controller_id,
            incarnation_id=self.incarnation_id,
            zk_migration_ready=self.zk_migration_ready,
            end_points=[
                RegisterControllerRecordControllerEndpoint(one.name, one.host, one.port, one.security_protocol)
                for one in self.listeners
            ],
            features=[
                RegisterControllerRecordControllerFeature(one.name, one.min_level, one.max_level)
                for one in self.features
            ],
        )
