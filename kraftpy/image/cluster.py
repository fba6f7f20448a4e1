"""The members: registered brokers and controllers.

Every change to a broker names the epoch of the registration it is meant for. A change for another epoch, or for a
broker that is not registered, cannot come from a correct controller, so it does not replay. A broker leaves controlled
shutdown, and drops its last directory, only by a new registration: the change record cannot express it.

Source: Kafka ``ClusterImage``, ``ClusterDelta``, ``ClusterControlManager.replay``; KIP-631; KIP-919.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from immutables import Map

from kraftpy.image.changes import Changes, Entities, Handlers
from kraftpy.image.errors import OnLoss, ReplayError
from kraftpy.image.registrations import BrokerRegistration, ControllerRegistration, log_directories
from kraftpy.model.features import CONTROLLER_REGISTRATION_LEVEL
from kraftpy.model.ids import NodeId
from kraftpy.records.codec import Record
from kraftpy.records.metadata import (
    BrokerRegistrationChangeRecord,
    FenceBrokerRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
    RemoveControllerRegistrationRecord,
    UnfenceBrokerRecord,
    UnregisterBrokerRecord,
    UnregisterControllerRecord,
)

FENCED_CHANGE = {-1: False, 1: True}
"""What the ``fenced`` of a change record does; 0 is no change. Source: Kafka ``BrokerRegistrationFencingChange``."""


@dataclass(frozen=True, slots=True)
class ClusterImage:
    """Registrations by node id."""

    brokers: Map[NodeId, BrokerRegistration] = Map()
    controllers: Map[NodeId, ControllerRegistration] = Map()

    def broker(self, broker_id: NodeId) -> BrokerRegistration | None:
        """Return a broker's registration."""
        return self.brokers.get(broker_id)

    def controller(self, controller_id: NodeId) -> ControllerRegistration | None:
        """Return a controller's registration."""
        return self.controllers.get(controller_id)

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:
        """Say this slice in records: brokers, then controllers, each ascending by id."""
        for broker_id in sorted(self.brokers):
            yield self.brokers[broker_id].to_record(level, on_loss)
        if self.controllers and level < CONTROLLER_REGISTRATION_LEVEL:
            on_loss("controller registration data")
            return
        for controller_id in sorted(self.controllers):
            yield self.controllers[controller_id].to_record()


class ClusterDelta:
    """Changes to registrations."""

    __slots__ = ("_brokers", "_controllers", "base")
    ENTITIES: ClassVar[Entities] = {
        RegisterBrokerRecord: ("broker", ("broker_id",)),
        UnregisterBrokerRecord: ("broker", ("broker_id",)),
        BrokerRegistrationChangeRecord: ("broker", ("broker_id",)),
        FenceBrokerRecord: ("broker", ("id",)),
        UnfenceBrokerRecord: ("broker", ("id",)),
        RegisterControllerRecord: ("controller", ("controller_id",)),
        UnregisterControllerRecord: ("controller", ("controller_id",)),
        RemoveControllerRegistrationRecord: ("controller", ("controller_id",)),
    }

    def __init__(self, base: ClusterImage) -> None:
        self.base = base
        self._brokers = Changes(base.brokers)
        self._controllers = Changes(base.controllers)

    @classmethod
    def between(cls, old: ClusterImage, new: ClusterImage) -> ClusterDelta:
        """Express ``new`` as a delta over ``old``."""
        delta = cls(old)
        delta._brokers = Changes.between(old.brokers, new.brokers)
        delta._controllers = Changes.between(old.controllers, new.controllers)
        return delta

    @property
    def changed_brokers(self) -> dict[NodeId, BrokerRegistration | None]:
        """Broker id to its new registration, ``None`` when it was removed."""
        return self._brokers.changed

    @property
    def changed_controllers(self) -> dict[NodeId, ControllerRegistration | None]:
        """Controller id to its new registration, ``None`` when it was removed."""
        return self._controllers.changed

    def broker(self, broker_id: NodeId) -> BrokerRegistration | None:
        """Return a broker's registration as replayed so far."""
        return self._brokers.get(broker_id)

    def handlers(self) -> Handlers:
        """Say which records this slice takes."""
        return {
            RegisterBrokerRecord: self.replay_register_broker,
            UnregisterBrokerRecord: self.replay_unregister_broker,
            FenceBrokerRecord: self.replay_fence_broker,
            UnfenceBrokerRecord: self.replay_unfence_broker,
            BrokerRegistrationChangeRecord: self.replay_registration_change,
            RegisterControllerRecord: self.replay_register_controller,
            UnregisterControllerRecord: self.replay_unregister_controller,
            RemoveControllerRegistrationRecord: self.replay_unregister_controller,
        }

    def replay_register_broker(self, record: RegisterBrokerRecord) -> None:
        """Register a broker, in place of an earlier incarnation if there was one."""
        self._brokers.put(record.broker_id, BrokerRegistration.from_record(record))

    def replay_unregister_broker(self, record: UnregisterBrokerRecord) -> None:
        """Forget a broker."""
        self._registered(record, record.broker_id, record.broker_epoch)
        self._brokers.remove(record.broker_id)

    def replay_fence_broker(self, record: FenceBrokerRecord) -> None:
        """Fence a broker, in the words of metadata.version below 6."""
        broker = self._registered(record, record.id, record.epoch)
        self._brokers.put(record.id, replace(broker, fenced=True))

    def replay_unfence_broker(self, record: UnfenceBrokerRecord) -> None:
        """Unfence a broker, in the words of metadata.version below 6."""
        broker = self._registered(record, record.id, record.epoch)
        self._brokers.put(record.id, replace(broker, fenced=False))

    def replay_registration_change(self, record: BrokerRegistrationChangeRecord) -> None:
        """Change flags and directories of a registered broker.

        An empty list of directories means "unchanged". So does a null list of cordoned or of saturated directories, but
        an empty one clears it.
        """
        broker = self._registered(record, record.broker_id, record.broker_epoch)
        if record.fenced not in {-1, 0, 1}:
            raise ReplayError(record, f"broker {record.broker_id}: fenced is {record.fenced}, known are -1, 0 and 1")
        if record.in_controlled_shutdown not in {0, 1}:
            raise ReplayError(
                record,
                f"broker {record.broker_id}: inControlledShutdown is {record.in_controlled_shutdown}, known: 0 and 1",
            )
        cordoned, saturated = record.cordoned_log_dirs, record.saturated_log_dirs
        changed = replace(
            broker,
            fenced=FENCED_CHANGE.get(record.fenced, broker.fenced),
            in_controlled_shutdown=broker.in_controlled_shutdown or record.in_controlled_shutdown == 1,
            log_dirs=log_directories(record.log_dirs) or broker.log_dirs,
            cordoned_log_dirs=broker.cordoned_log_dirs if cordoned is None else tuple(cordoned),
            saturated_log_dirs=broker.saturated_log_dirs if saturated is None else tuple(saturated),
        )
        self._brokers.put(record.broker_id, changed)

    def replay_register_controller(self, record: RegisterControllerRecord) -> None:
        """Register a controller, in place of an earlier incarnation if there was one."""
        self._controllers.put(record.controller_id, ControllerRegistration.from_record(record))

    def replay_unregister_controller(
        self, record: UnregisterControllerRecord | RemoveControllerRegistrationRecord
    ) -> None:
        """Forget a controller."""
        if self._controllers.get(record.controller_id) is None:
            raise ReplayError(record, f"controller {record.controller_id} is not registered")
        self._controllers.remove(record.controller_id)

    def _registered(self, record: Record, broker_id: NodeId, epoch: int) -> BrokerRegistration:
        broker = self._brokers.get(broker_id)
        if broker is None:
            raise ReplayError(record, f"broker {broker_id} is not registered")
        if broker.broker_epoch != epoch:
            raise ReplayError(
                record, f"broker {broker_id} is registered with epoch {broker.broker_epoch}, not with epoch {epoch}"
            )
        return broker

    def apply(self) -> ClusterImage:
        """Return the next image."""
        return ClusterImage(brokers=self._brokers.apply(), controllers=self._controllers.apply())
