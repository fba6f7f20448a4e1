"""Which processes asked for a broker id, and which ids are reserved for them until they register.

Soft state of one leadership, like the heartbeats. A process is forgotten when it has not asked for a session timeout,
or has not registered for as long after an id was assigned to it: no process keeps an id by asking for it.
After a failover nothing is assigned for that long, because the leader before may have reserved ids that this one does
not know of.

Source: ours; KIP-426 leaves open how two brokers that start together are kept apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kraftpy.controller.broker_id_requests import BrokerIdSource
from kraftpy.model.errors import BusyError
from kraftpy.model.ids import NO_NODE, NodeId, Uuid

RESERVATIONS_MAX: Final = 1_000
"""How many processes may wait for an id, or hold one that they have not registered with."""


@dataclass(slots=True)
class Reservation:
    """One process that asked.

    Attributes:
        first_asked_ms: when it asked first; a broker that was heard after that is running.
        last_asked_ms: when it asked last before it got an id, or was assigned another one.
        broker_id: what it was given, ``NO_NODE`` while it waits.
        source: where that came from.
    """

    host: str
    incarnation_id: Uuid
    first_asked_ms: int
    last_asked_ms: int
    broker_id: NodeId = NO_NODE
    source: BrokerIdSource = BrokerIdSource.GENERATED


class BrokerIdReservations:
    """The processes that asked, by incarnation id.

    Attributes:
        assigns_from_ms: the time before which nothing is assigned.
        highest: the highest id that this leadership reserved; a generated id is not given twice, even if the process
            that got it never registered.
    """

    __slots__ = ("_by_id", "_by_process", "_session_timeout_ms", "assigns_from_ms", "highest")

    def __init__(self, *, session_timeout_ms: int, assigns_from_ms: int = 0) -> None:
        self._session_timeout_ms = session_timeout_ms
        self._by_process: dict[Uuid, Reservation] = {}
        self._by_id: dict[NodeId, Reservation] = {}
        self.assigns_from_ms = assigns_from_ms
        self.highest: NodeId = NO_NODE

    def __len__(self) -> int:
        return len(self._by_process)

    def asked(self, host: str, incarnation_id: Uuid, now_ms: int) -> Reservation:
        """Note that a process asks, and return what is known of it.

        Raises:
            BusyError: too many processes wait.
        """
        self._expire(now_ms)
        known = self._by_process.get(incarnation_id)
        if known is not None and known.host != host:
            self._forget(known)
            known = None
        if known is None:
            if len(self._by_process) >= RESERVATIONS_MAX:
                raise BusyError(f"{RESERVATIONS_MAX} brokers wait for an id or for their registration; ask again later")
            known = self._by_process[incarnation_id] = Reservation(host, incarnation_id, now_ms, now_ms)
        if known.broker_id == NO_NODE:
            known.last_asked_ms = now_ms
        return known

    def peek(self, host: str, incarnation_id: Uuid, now_ms: int) -> Reservation:
        """Return what :meth:`asked` would, without noting anything."""
        known = self._by_process.get(incarnation_id)
        if known is None or known.host != host or self._is_over(known, now_ms):
            return Reservation(host, incarnation_id, now_ms, now_ms)
        return known

    def assign(self, reservation: Reservation, broker_id: NodeId, source: BrokerIdSource, now_ms: int) -> None:
        """Reserve an id for a process, instead of the one that it had; asking again for the same one adds no time."""
        if reservation.broker_id == broker_id:
            return
        reservation.last_asked_ms = now_ms
        self._by_id.pop(reservation.broker_id, None)
        reservation.broker_id, reservation.source = broker_id, source
        self._by_id[broker_id] = reservation
        self.highest = max(self.highest, broker_id)

    def holder(self, broker_id: NodeId, now_ms: int) -> Reservation | None:
        """Return for which process an id is reserved."""
        known = self._by_id.get(broker_id)
        return None if known is None or self._is_over(known, now_ms) else known

    def other_on_host(self, host: str, incarnation_id: Uuid, now_ms: int) -> bool:
        """Return whether an id is reserved for another process on the same host."""
        return any(
            each.host == host
            and each.incarnation_id != incarnation_id
            and each.broker_id != NO_NODE
            and not self._is_over(each, now_ms)
            for each in self._by_process.values()
        )

    def registered(self, broker_id: NodeId, incarnation_id: Uuid) -> None:
        """Drop the reservation of a process that registered."""
        known = self._by_process.get(incarnation_id)
        if known is not None and known.broker_id == broker_id:
            self._forget(known)

    def _is_over(self, reservation: Reservation, now_ms: int) -> bool:
        return now_ms >= reservation.last_asked_ms + self._session_timeout_ms

    def _expire(self, now_ms: int) -> None:
        for each in [one for one in self._by_process.values() if self._is_over(one, now_ms)]:
            self._forget(each)

    def _forget(self, reservation: Reservation) -> None:
        del self._by_process[reservation.incarnation_id]
        self._by_id.pop(reservation.broker_id, None)
