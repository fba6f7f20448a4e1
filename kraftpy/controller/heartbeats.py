"""Heartbeats: which brokers are alive, and how far each has read.

The tracker is soft state: it lives on the active controller only, is made again at each activation with every broker
heard of *now* (a failover grants each broker a fresh session), and never reaches the log. Whether a broker is fenced is
hard state and is read from the image. What a heartbeat may change is the transition table of this module, as data.

Times are milliseconds of the caller's monotonic clock. A time that goes back is taken as the newest time seen.

The checks of a heartbeat, in order; 2 to 12 are the rows of :data:`TRANSITIONS`, of which the first that holds counts:

1. STALE_BROKER_EPOCH: no broker is registered with this id and epoch.
2. It is fenced and wants to shut down: it may, now.
3. It is fenced, does not want to be, and has published its registration: it is unfenced.
4. It is fenced: it stays so.
5. It is unfenced, and wants to be fenced and to shut down: it is fenced, and may shut down now.
6. It is unfenced and wants to be fenced: it is.
7. It is unfenced, wants to shut down, and leads partitions: its controlled shutdown begins.
8. It is unfenced and wants to shut down: it is fenced, and may shut down now.
9. It is unfenced: it stays so.
10. It is in controlled shutdown and leads partitions: it stays so.
11. It is in controlled shutdown, and all active brokers have published that: it is fenced, and may shut down now.
12. It is in controlled shutdown: it stays so.

What it reports of its directories is judged apart from that (``directory_reports``).

Source: Kafka ``BrokerHeartbeatManager``, ``BrokerControlState``; KIP-631 §The Broker State Machine.
"""

from __future__ import annotations

import enum
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import NO_OFFSET, Offset


class HeartbeatState(enum.Enum):
    """Where the controller sees a broker."""

    FENCED = "fenced"
    UNFENCED = "unfenced"
    CONTROLLED_SHUTDOWN = "controlled shutdown"
    SHUTDOWN_NOW = "shutdown now"

    @property
    def is_fenced(self) -> bool:
        """Whether a broker in this state serves no client."""
        return self in {HeartbeatState.FENCED, HeartbeatState.SHUTDOWN_NOW}


@dataclass(frozen=True, slots=True, kw_only=True)
class HeartbeatFacts:
    """All that the next state of a broker depends on, besides the present one.

    Attributes:
        want_fence: the broker asks to be fenced, or is not ready yet.
        want_shutdown: the broker wants to leave in order.
        caught_up: it has published its own registration.
        leads: it leads at least one partition.
        others_behind: an active broker has not yet published the end of this one's controlled shutdown.
    """

    want_fence: bool
    want_shutdown: bool
    caught_up: bool
    leads: bool
    others_behind: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """One row of the table; a condition that is ``None`` does not matter."""

    current: HeartbeatState
    following: HeartbeatState
    want_fence: bool | None = None
    want_shutdown: bool | None = None
    caught_up: bool | None = None
    leads: bool | None = None
    others_behind: bool | None = None

    def matches(self, current: HeartbeatState, observed: HeartbeatFacts) -> bool:
        """Return whether this row is about that situation."""
        pairs = (
            (self.want_fence, observed.want_fence),
            (self.want_shutdown, observed.want_shutdown),
            (self.caught_up, observed.caught_up),
            (self.leads, observed.leads),
            (self.others_behind, observed.others_behind),
        )
        return self.current is current and all(wanted is None or wanted is seen for wanted, seen in pairs)


_FENCED, _UNFENCED = HeartbeatState.FENCED, HeartbeatState.UNFENCED
_SHUTTING_DOWN, _GO = HeartbeatState.CONTROLLED_SHUTDOWN, HeartbeatState.SHUTDOWN_NOW

TRANSITIONS: Final = (
    Transition(current=_FENCED, want_shutdown=True, following=_GO),
    Transition(current=_FENCED, want_fence=False, caught_up=True, following=_UNFENCED),
    Transition(current=_FENCED, following=_FENCED),
    Transition(current=_UNFENCED, want_fence=True, want_shutdown=True, following=_GO),
    Transition(current=_UNFENCED, want_fence=True, following=_FENCED),
    Transition(current=_UNFENCED, want_shutdown=True, leads=True, following=_SHUTTING_DOWN),
    Transition(current=_UNFENCED, want_shutdown=True, following=_GO),
    Transition(current=_UNFENCED, following=_UNFENCED),
    Transition(current=_SHUTTING_DOWN, leads=True, following=_SHUTTING_DOWN),
    Transition(current=_SHUTTING_DOWN, others_behind=False, following=_GO),
    Transition(current=_SHUTTING_DOWN, following=_SHUTTING_DOWN),
)
"""The first row that matches decides; the last row of each state matches always."""


def next_state(current: HeartbeatState, observed: HeartbeatFacts) -> HeartbeatState:
    """Look up what a heartbeat makes of a broker; ``current`` is never SHUTDOWN_NOW, which only leaves in answers."""
    return next(row.following for row in TRANSITIONS if row.matches(current, observed))


@dataclass(slots=True)
class BrokerSession:
    """What is known of one broker beyond the image.

    Attributes:
        last_contact_ms: when it was heard last.
        metadata_offset: the highest offset it said to have published.
        registered_at: the offset of its newest RegisterBrokerRecord.
        shutdown_offset: where its controlled shutdown began, ``NO_OFFSET`` when it did not.
    """

    last_contact_ms: int
    metadata_offset: Offset = NO_OFFSET
    registered_at: Offset = NO_OFFSET
    shutdown_offset: Offset = NO_OFFSET

    @property
    def is_shutting_down(self) -> bool:
        """Whether the broker is in controlled shutdown under this controller."""
        return self.shutdown_offset != NO_OFFSET


class HeartbeatTracker:
    """The brokers of one leadership, in the order in which they were heard: the longest silent first."""

    def __init__(self, *, session_timeout_ms: int) -> None:
        self._session_timeout_ms = session_timeout_ms
        self._contacts: OrderedDict[NodeId, BrokerSession] = OrderedDict()
        self._newest_ms = 0

    def __contains__(self, broker_id: NodeId) -> bool:
        return broker_id in self._contacts

    def __getitem__(self, broker_id: NodeId) -> BrokerSession:
        return self._contacts[broker_id]

    def touch(self, broker_id: NodeId, now_ms: int, metadata_offset: Offset = NO_OFFSET) -> BrokerSession:
        """Note a sign of life, and how far the broker has published if it says so."""
        self._newest_ms = max(self._newest_ms, now_ms)
        contact = self._contacts.setdefault(broker_id, BrokerSession(self._newest_ms))
        contact.last_contact_ms = self._newest_ms
        contact.metadata_offset = max(contact.metadata_offset, metadata_offset)
        self._contacts.move_to_end(broker_id)
        return contact

    def peek(self, broker_id: NodeId, now_ms: int, metadata_offset: Offset = NO_OFFSET) -> BrokerSession:
        """Return what :meth:`touch` would, without noting anything."""
        known = self._contacts.get(broker_id)
        contact = (
            BrokerSession(now_ms) if known is None else replace(known, last_contact_ms=max(self._newest_ms, now_ms))
        )
        contact.metadata_offset = max(contact.metadata_offset, metadata_offset)
        return contact

    def register(self, broker_id: NodeId, now_ms: int, *, registered_at: Offset, again: bool) -> None:
        """Note a registration; a new incarnation (``again``) starts with nothing read and no shutdown begun."""
        if again:
            self._contacts.pop(broker_id, None)
        self.touch(broker_id, now_ms).registered_at = registered_at

    def forget(self, broker_id: NodeId) -> None:
        """Drop a broker that was unregistered."""
        self._contacts.pop(broker_id, None)

    def begin_shutdown(self, broker_id: NodeId, offset: Offset) -> None:
        """Note where a controlled shutdown began; the first mark stays."""
        contact = self._contacts.get(broker_id)
        if contact is not None and not contact.is_shutting_down:
            contact.shutdown_offset = offset

    def end_shutdown(self, broker_id: NodeId) -> None:
        """Forget the mark: the broker is fenced."""
        contact = self._contacts.get(broker_id)
        if contact is not None:
            contact.shutdown_offset = NO_OFFSET

    def has_valid_session(self, broker_id: NodeId, now_ms: int) -> bool:
        """Return whether an unfenced broker was heard within the session timeout."""
        contact = self._contacts.get(broker_id)
        return contact is not None and now_ms < contact.last_contact_ms + self._session_timeout_ms

    def longest_silent(self, is_unfenced: Callable[[NodeId], bool]) -> tuple[NodeId, int] | None:
        """Find the unfenced broker that was not heard for the longest time, and when its session ends (ms)."""
        for broker_id, contact in self._contacts.items():
            if is_unfenced(broker_id):
                return broker_id, contact.last_contact_ms + self._session_timeout_ms
        return None

    def silences_ms(self, now_ms: int) -> Iterator[tuple[NodeId, int]]:
        """Yield each registered broker, fenced or not, and for how long it was not heard."""
        for broker_id, contact in self._contacts.items():
            yield broker_id, max(0, now_ms - contact.last_contact_ms)

    def offsets_of(self, active: Iterable[NodeId]) -> Iterator[Offset]:
        """Give the published offsets of those brokers that are not shutting down."""
        for broker_id in active:
            contact = self._contacts.get(broker_id)
            if contact is not None and not contact.is_shutting_down:
                yield contact.metadata_offset
