"""Choose which connections a listener keeps when they exceed its limit.

Every accepted connection is admitted, and the stranger's connection that has been idle longest is closed for it: a node
that returns can connect, even if all places are taken. Voters' connections
(:mod:`~kraftpy.transport.kafka.voter_connections`) are never closed for another one. A connection counts from its
accept, so a TLS handshake that is never finished counts like any other, and handshakes in progress have a limit of
their own. So have the connections of one address, where Kafka's ``max.connections.per.ip`` is set; among them, too, the
idle one is closed, since voters may share an address with strangers.

Source: Kafka ``ConnectionQuotas`` (the keys; Kafka closes the new connection, or waits).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

CONNECTIONS_MAX: Final = 1_000
"""Default of ``max.connections``. Kafka's is 2^31-1, and the files of the process are the limit there."""

CONNECTIONS_PER_ADDRESS_MAX: Final = 2**31 - 1
"""Kafka's default of ``max.connections.per.ip``: no limit."""

EVICTIONS_MAX: Final = 16
"""How many connections are closed for one new one: more than one where a limit was lowered while the node runs."""

HANDSHAKES_MAX: Final = 256
"""How many connections may be between being accepted and having a protocol, which with TLS is a handshake away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """How many connections one listener keeps.

    Attributes:
        connections: in all, voters' included.
        per_address: of strangers from one address.
        overrides: address to the limit that takes the place of ``per_address``.
        handshakes: of those that are accepted and not made yet.
    """

    connections: int = CONNECTIONS_MAX
    per_address: int = CONNECTIONS_PER_ADDRESS_MAX
    overrides: Mapping[str, int] = field(default_factory=dict)
    handshakes: int = HANDSHAKES_MAX

    def of_address(self, address: str) -> int:
        """Return how many strangers' connections an address may have."""
        return self.overrides.get(address, self.per_address)


class AdmittedConnection(Protocol):
    """A connection, from the moment it is accepted."""

    address: str

    @property
    def is_voters(self) -> bool:
        """Whether it spoke as a voter."""
        ...

    def evict(self, reason: str) -> None:
        """Close it now; it leaves the admission before this returns."""
        ...


class Admission:
    """The connections of one listener, the longest silent first.

    Attributes:
        closed: how many were closed, ever, to make room.
        unmade_closed: how many of these in their handshake, for another one's.
        refused: how many found no place, ever.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._silent: OrderedDict[AdmittedConnection, None] = OrderedDict()
        self._by_address: dict[str, OrderedDict[AdmittedConnection, None]] = {}
        self._unmade: OrderedDict[AdmittedConnection, None] = OrderedDict()
        self.closed = 0
        self.unmade_closed = 0
        self.refused = 0

    def __len__(self) -> int:
        return len(self._silent)

    @property
    def unmade(self) -> int:
        """How many connections are accepted and not made yet."""
        return len(self._unmade)

    def enter(self, visitor: AdmittedConnection) -> bool:
        """Take a connection in that was accepted just now, and close others for it; false when none may be."""
        limits, address = self.limits, visitor.address
        of_address = self._by_address.get(address, OrderedDict())
        has_place = (
            self._make_room(of_address, limits.of_address(address), "its address has no more places")
            and self._make_room_to_shake_hands()
            and self._make_room_among_all()
        )
        if not has_place:
            self.refused += 1
            return False
        self._silent[visitor] = None
        self._unmade[visitor] = None
        self._by_address.setdefault(address, OrderedDict())[visitor] = None
        return True

    def _make_room_among_all(self) -> bool:
        surplus = len(self._silent) - self.limits.connections + 1
        return surplus <= 0 or self._close_surplus(self._silent, surplus, "others need its place")

    def _make_room_to_shake_hands(self) -> bool:
        if len(self._unmade) >= self.limits.handshakes:
            self.unmade_closed += 1
        return self._make_room(self._unmade, self.limits.handshakes, "others wait for their handshakes")

    def _make_room(self, among: OrderedDict[AdmittedConnection, None], limit: int, why: str) -> bool:
        """Have fewer strangers than the limit; only a limit of 0 cannot be kept."""
        if len(among) < limit or (strangers := sum(not one.is_voters for one in among)) < limit:
            return True
        return limit > 0 and self._close_surplus(among, strangers - limit + 1, why)

    def _close_surplus(self, among: OrderedDict[AdmittedConnection, None], surplus: int, why: str) -> bool:
        """Close as many strangers as are too many, as far as one new connection may; false when there is none."""
        closed = 0
        while closed < min(surplus, EVICTIONS_MAX) and self._close_silent(among, why):
            closed += 1
        return closed > 0

    def _close_silent(self, among: OrderedDict[AdmittedConnection, None], why: str) -> bool:
        # Voters' connections are few, so this looks at few.
        silent = next((one for one in among if not one.is_voters), None)
        if silent is None:
            return False
        self.closed += 1
        silent.evict(f"it has been silent for longest, and {why}")
        return True

    def made(self, visitor: AdmittedConnection) -> None:
        """Take it that the connection is made, its handshake over."""
        self._unmade.pop(visitor, None)
        self.heard(visitor)

    def heard(self, visitor: AdmittedConnection) -> None:
        """Take it that a connection sent a request just now."""
        if visitor in self._silent:
            self._silent.move_to_end(visitor)
            self._by_address[visitor.address].move_to_end(visitor)

    def leave(self, visitor: AdmittedConnection) -> None:
        """Take a connection out."""
        if visitor not in self._silent:
            return
        del self._silent[visitor]
        self._unmade.pop(visitor, None)
        of_address = self._by_address[visitor.address]
        del of_address[visitor]
        if not of_address:
            del self._by_address[visitor.address]
