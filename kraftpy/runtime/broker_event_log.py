"""The lines of the active controller for brokers that come, go, are fenced and are unfenced, each with the reason.

A decision names the event (:mod:`kraftpy.controller.broker_events`). It waits here until its last record is committed
and published; then its line is written. What a controller did not see committed before it lost the leadership has no
line: its successor finds it in the log or decides it again, and every node logs what the committed log does to brokers
(``node.cluster_events``).

Each line belongs to a write of the metadata log, and a broker can cause them as fast as it can register. So the lines
of one broker are bounded, and so are those of all in an interval; what is left out is counted, and the count is logged
when the interval is over. Texts of brokers are bounded and without control characters.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from kraftpy.controller.broker_events import SESSION_TIMED_OUT, BrokerEvent, BrokerEventKind
from kraftpy.image.registrations import BrokerRegistration
from kraftpy.model.escaping import shortened
from kraftpy.model.ids import NodeId, uuid_to_text
from kraftpy.model.offsets import Offset
from kraftpy.transport.change_kinds import some_of

LINES_MAX: Final = 1_000
"""How many lines are written in an interval: the loss of a data center should have a line for each broker."""

BROKER_LINES_MAX: Final = 20
"""How many of these about one broker: one that registers again and again hides no other."""

INTERVAL_MS: Final = 10_000
"""In which time lines are counted."""

WAITING_MAX: Final = 20_000
"""How many events may wait for their commit; as many as writes may."""

LISTED_MAX: Final = 10
"""How many listeners or log directories one line names."""

TEXT_CHARACTERS_MAX: Final = 300
"""How long a rack, or a listener with its address, may be."""

_log = structlog.get_logger("kraftpy.controller")


class BrokerEventLog:
    """Writes these lines.

    Args:
        clock_ms: the node's clock.
    """

    __slots__ = ("_clock_ms", "_left_out", "_lines", "_lines_of", "_started_ms", "_waiting")

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        self._clock_ms = clock_ms
        self._waiting: deque[tuple[Offset, BrokerEvent]] = deque()
        self._started_ms = 0
        self._lines = 0
        self._lines_of: Counter[NodeId] = Counter()
        self._left_out = 0

    def appended(self, event: BrokerEvent, offset: Offset) -> None:
        """Keep an event until the record at this offset, its last, is committed."""
        if len(self._waiting) < WAITING_MAX:
            self._waiting.append((offset, event))
        else:
            self._left_out += 1

    def committed(self, published: Offset) -> None:
        """Log every event up to this offset."""
        waiting = self._waiting
        while waiting and waiting[0][0] <= published:
            offset, event = waiting.popleft()
            if self._admits(event.broker.broker_id):
                _write(event, offset)

    def give_up(self) -> None:
        """Forget what is not known to be committed: this node is no longer the active controller."""
        self._waiting.clear()

    def flush(self) -> None:
        """Log how many events had no line, when the interval is over; called in each turn."""
        if self._left_out:
            self._begin_interval()

    def _admits(self, broker_id: NodeId) -> bool:
        """Count an event; return whether it has a line."""
        self._begin_interval()
        if self._lines >= LINES_MAX or self._lines_of[broker_id] >= BROKER_LINES_MAX:
            self._left_out += 1
            return False
        self._lines += 1
        self._lines_of[broker_id] += 1
        return True

    def _begin_interval(self) -> None:
        now_ms = self._clock_ms()
        if 0 <= now_ms - self._started_ms < INTERVAL_MS:
            return
        self._started_ms = now_ms
        self._lines = 0
        self._lines_of.clear()
        if self._left_out:
            _log.warning("broker_events_left_out", count=self._left_out, seconds=INTERVAL_MS // 1_000)
            self._left_out = 0


def _write(event: BrokerEvent, offset: Offset) -> None:
    broker, facts = event.broker, {name: _shown(fact) for name, fact in event.facts.items()}
    if event.kind in {BrokerEventKind.REGISTERED, BrokerEventKind.AMENDED}:
        facts |= _registration(broker)
    write = _log.warning if facts.get("why") == SESSION_TIMED_OUT else _log.info
    write(event.kind.value, broker=broker.broker_id, broker_epoch=broker.broker_epoch, offset=offset, **facts)


def _registration(broker: BrokerRegistration) -> dict[str, object]:
    return {
        "incarnation": uuid_to_text(broker.incarnation_id),
        "listeners": some_of(
            broker.listeners,
            LISTED_MAX,
            lambda one: shortened(f"{one.name}://{one.host}:{one.port}", TEXT_CHARACTERS_MAX),
        ),
        "rack": None if broker.rack is None else shortened(broker.rack, TEXT_CHARACTERS_MAX),
        "log_dirs": _directories(broker.log_dirs),
        "saturated_log_dirs": _directories(broker.saturated_log_dirs),
    }


def _directories(ids: Sequence[bytes]) -> list[str]:
    return some_of(ids, LISTED_MAX, uuid_to_text)


def _shown(fact: object) -> object:
    """Return a fact as a line has it: a tuple has ids of log directories."""
    return _directories(fact) if isinstance(fact, tuple) else fact
