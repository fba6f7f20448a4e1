"""Brokers, controllers and hosts, replayed one node id or host at a time.

A change to a broker contains the epoch of the registration that it applies to; for another epoch it contradicts the
state. Lists that Kafka keeps sorted (listeners, features, directories) are sorted here, because a snapshot of Kafka's
lists them in another order than its log.

Source: Kafka ``ClusterDelta``, ``BrokerRegistration``; KIP-631; KIP-858; KIP-919; KIP-426.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, NamedTuple

from kraftpy.audit.replay.slice import EntityKey, Held, IllegalRecordError, RecordPosition, Slice
from kraftpy.model.ids import NO_NODE, uuid_to_text
from kraftpy.records.metadata import (
    BrokerHostRecord,
    BrokerRegistrationChangeRecord,
    FenceBrokerRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
    RemoveControllerRegistrationRecord,
    UnfenceBrokerRecord,
    UnregisterBrokerRecord,
    UnregisterControllerRecord,
)

HistoryRow = tuple[str, tuple[Any, ...]]
StateRow = tuple[str, RecordPosition, tuple[Any, ...]]


class ReplayedBroker(NamedTuple):
    """A broker's registration."""

    broker_epoch: int
    incarnation_id: str
    endpoints: tuple[tuple[str, str, int, int], ...]
    features: tuple[tuple[str, int, int], ...]
    rack: str | None
    fenced: bool
    in_controlled_shutdown: bool
    is_migrating_zk_broker: bool
    log_dirs: tuple[str, ...]
    cordoned_log_dirs: tuple[str, ...] | None
    saturated_log_dirs: tuple[str, ...]


def _texts(uuids: Iterable[bytes] | None) -> tuple[str, ...]:
    return tuple(uuid_to_text(each) for each in sorted(uuids or ()))


def _endpoints(points: Iterable[Any]) -> tuple[tuple[str, str, int, int], ...]:
    return tuple(sorted((each.name, each.host, each.port, each.security_protocol) for each in points))


def _features(features: Iterable[Any]) -> tuple[tuple[str, int, int], ...]:
    return tuple(sorted((each.name, each.min_supported_version, each.max_supported_version) for each in features))


class BrokerSlice(Slice):
    """One broker id's registrations."""

    TAKES: ClassVar = frozenset(
        {
            RegisterBrokerRecord,
            UnregisterBrokerRecord,
            FenceBrokerRecord,
            UnfenceBrokerRecord,
            BrokerRegistrationChangeRecord,
        }
    )

    def __init__(self) -> None:
        self._id = NO_NODE
        self._held: Held | None = None
        self._directories: dict[str, RecordPosition] = {}

    def replay(self, record: Any, place: RecordPosition) -> Iterator[HistoryRow]:
        """Replay one record; see :class:`Slice`."""
        self._id = record.id if isinstance(record, FenceBrokerRecord | UnfenceBrokerRecord) else record.broker_id
        if isinstance(record, RegisterBrokerRecord):
            before = None if self._held is None else self._held.value.broker_epoch
            self._held = Held(_registered(record), place)
            self._note_directories(place)
            yield "broker_history", (self._id, "registered", record.broker_epoch, before, place.offset)
            return
        epoch = record.epoch if isinstance(record, FenceBrokerRecord | UnfenceBrokerRecord) else record.broker_epoch
        broker = self._current(epoch)
        if isinstance(record, UnregisterBrokerRecord):
            self._held = None
            yield "broker_history", (self._id, "unregistered", record.broker_epoch, broker.broker_epoch, place.offset)
        elif isinstance(record, BrokerRegistrationChangeRecord):
            self._held = Held(self._changed(broker, record), place)
            self._note_directories(place)
        else:
            self._held = Held(broker._replace(fenced=isinstance(record, FenceBrokerRecord)), place)

    def _current(self, epoch: int) -> ReplayedBroker:
        if self._held is None:
            raise IllegalRecordError(f"broker {self._id} is not registered")
        broker: ReplayedBroker = self._held.value
        if broker.broker_epoch != epoch:
            raise IllegalRecordError(f"broker {self._id} is registered with epoch {broker.broker_epoch}, not {epoch}")
        return broker

    def _changed(self, broker: ReplayedBroker, record: BrokerRegistrationChangeRecord) -> ReplayedBroker:
        if record.fenced not in {-1, 0, 1} or record.in_controlled_shutdown not in {0, 1}:
            raise IllegalRecordError(
                f"broker {self._id}: fenced {record.fenced}, inControlledShutdown {record.in_controlled_shutdown}; "
                "known are -1, 0, 1 and 0, 1"
            )
        return broker._replace(
            fenced=record.fenced == 1 if record.fenced else broker.fenced,
            in_controlled_shutdown=broker.in_controlled_shutdown or record.in_controlled_shutdown == 1,
            log_dirs=_texts(record.log_dirs) or broker.log_dirs,
            cordoned_log_dirs=broker.cordoned_log_dirs
            if record.cordoned_log_dirs is None
            else _texts(record.cordoned_log_dirs),
            saturated_log_dirs=broker.saturated_log_dirs
            if record.saturated_log_dirs is None
            else _texts(record.saturated_log_dirs),
        )

    def _note_directories(self, place: RecordPosition) -> None:
        assert self._held is not None
        for directory in self._held.value.log_dirs:
            self._directories.setdefault(directory, place)

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the broker, if it is registered."""
        if self._held is not None:
            yield ("broker", str(self._id)), self._held

    def rows(self) -> Iterator[StateRow]:
        """Iterate over rows of ``brokers``, ``broker_endpoints`` and ``broker_log_dirs``."""
        if self._held is None:
            return
        broker, place = self._held
        registration = (
            self._id, broker.broker_epoch, broker.incarnation_id, broker.rack, broker.fenced,
            broker.in_controlled_shutdown, len(broker.features), place.offset,
        )  # fmt: skip
        yield "brokers", place, registration
        for name, host, port, protocol in broker.endpoints:
            yield "broker_endpoints", place, (self._id, name, host, port, protocol, place.offset)
        cordoned = broker.cordoned_log_dirs or ()
        for directory in sorted({*self._directories, *broker.saturated_log_dirs, *cordoned}):
            values = (
                self._id, directory, directory in broker.log_dirs, directory in cordoned,
                directory in broker.saturated_log_dirs, place.offset,
            )  # fmt: skip
            yield "broker_log_dirs", place, values


def _registered(record: RegisterBrokerRecord) -> ReplayedBroker:
    return ReplayedBroker(
        broker_epoch=record.broker_epoch,
        incarnation_id=uuid_to_text(record.incarnation_id),
        endpoints=_endpoints(record.end_points),
        features=_features(record.features),
        rack=record.rack,
        fenced=record.fenced,
        in_controlled_shutdown=record.in_controlled_shutdown,
        is_migrating_zk_broker=record.is_migrating_zk_broker,
        log_dirs=_texts(record.log_dirs),
        cordoned_log_dirs=None if record.cordoned_log_dirs is None else _texts(record.cordoned_log_dirs),
        saturated_log_dirs=_texts(record.saturated_log_dirs),
    )


class ReplayedController(NamedTuple):
    """A controller's registration."""

    incarnation_id: str
    zk_migration_ready: bool
    endpoints: tuple[tuple[str, str, int, int], ...]
    features: tuple[tuple[str, int, int], ...]


class ControllerSlice(Slice):
    """One controller id's registrations."""

    TAKES: ClassVar = frozenset(
        {RegisterControllerRecord, UnregisterControllerRecord, RemoveControllerRegistrationRecord}
    )

    def __init__(self) -> None:
        self._id = NO_NODE
        self._held: Held | None = None

    def replay(self, record: Any, place: RecordPosition) -> Iterator[HistoryRow]:
        """Replay one record; see :class:`Slice`."""
        self._id = record.controller_id
        if isinstance(record, RegisterControllerRecord):
            value = ReplayedController(
                uuid_to_text(record.incarnation_id),
                record.zk_migration_ready,
                _endpoints(record.end_points),
                _features(record.features),
            )
            self._held = Held(value, place)
        elif self._held is None:
            raise IllegalRecordError(f"controller {self._id} is not registered")
        else:
            self._held = None
        yield from ()

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the controller, if it is registered."""
        if self._held is not None:
            yield ("controller", str(self._id)), self._held

    def rows(self) -> Iterator[StateRow]:
        """Iterate over rows of ``controllers``."""
        if self._held is not None:
            place = self._held.place
            yield "controllers", place, (self._id, self._held.value.incarnation_id, place.offset)


class HostSlice(Slice):
    """The broker id that is assigned to one host."""

    TAKES: ClassVar = frozenset({BrokerHostRecord})

    def __init__(self) -> None:
        self._host = ""
        self._held: Held | None = None

    def replay(self, record: Any, place: RecordPosition) -> Iterator[HistoryRow]:
        """Replay one record; see :class:`Slice`."""
        self._host = record.host
        if record.broker_id != NO_NODE:
            self._held = Held({"broker_id": record.broker_id}, place)
        elif self._held is None:
            raise IllegalRecordError(f"host {self._host!r} has no broker id to remove")
        else:
            self._held = None
        yield from ()

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the host, if it has an id."""
        if self._held is not None:
            yield ("broker-host", self._host), self._held

    def rows(self) -> Iterator[StateRow]:
        """Iterate over rows of ``broker_hosts``."""
        if self._held is not None:
            place = self._held.place
            yield "broker_hosts", place, (self._host, self._held.value["broker_id"], place.offset)
