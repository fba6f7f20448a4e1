"""Which broker id a host had, so that a broker that lost its disks can get its id back by its host (KIP-426).

A mapping outlives the registration of its broker, that is its purpose. A BrokerHostRecord sets it; one with the broker
id -1 removes it.

Source: KIP-426 §Public Interfaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from immutables import Map

from kraftpy.image.changes import Changes, Entities, Handlers
from kraftpy.image.errors import OnLoss, ReplayError
from kraftpy.model.features import BROKER_HOSTS_LEVEL
from kraftpy.model.ids import NO_NODE, NodeId
from kraftpy.records.codec import Record
from kraftpy.records.metadata import BrokerHostRecord


@dataclass(frozen=True, slots=True)
class BrokerHostsImage:
    """Host name to the broker id last registered from it."""

    ids: Map[str, NodeId] = Map()

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:
        """Say this slice in records, by host name."""
        if self.ids and level < BROKER_HOSTS_LEVEL:
            on_loss("the broker ids kept by host name")
            return
        for host in sorted(self.ids):
            yield BrokerHostRecord(host=host, broker_id=self.ids[host])


class BrokerHostsDelta:
    """Changes to the mappings."""

    __slots__ = ("_ids", "base")
    ENTITIES: ClassVar[Entities] = {
        BrokerHostRecord: ("broker host", ("host",)),
    }

    def __init__(self, base: BrokerHostsImage) -> None:
        self.base = base
        self._ids = Changes(base.ids)

    @classmethod
    def between(cls, old: BrokerHostsImage, new: BrokerHostsImage) -> BrokerHostsDelta:
        """Express ``new`` as a delta over ``old``."""
        delta = cls(old)
        delta._ids = Changes.between(old.ids, new.ids)
        return delta

    @property
    def changes(self) -> dict[str, NodeId | None]:
        """Host to its new broker id, ``None`` when the mapping was removed."""
        return self._ids.changed

    def handlers(self) -> Handlers:
        """Say which records this slice takes."""
        return {BrokerHostRecord: self.replay_broker_host}

    def replay_broker_host(self, record: BrokerHostRecord) -> None:
        """Set or remove a mapping."""
        if not record.host:
            raise ReplayError(record, f"the host of broker {record.broker_id} has no name")
        if record.broker_id != NO_NODE:
            self._ids.put(record.host, record.broker_id)
        elif self._ids.get(record.host) is None:
            raise ReplayError(record, f"host {record.host!r} has no broker id to remove")
        else:
            self._ids.remove(record.host)

    def apply(self) -> BrokerHostsImage:
        """Return the next image."""
        return BrokerHostsImage(self._ids.apply())
