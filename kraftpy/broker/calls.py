"""When the next call goes out: one in flight at most, pauses after failures, none when there is news to report.

Source: Kafka ``BrokerLifecycleManager`` (its one "communication" event); broker reference B1.2, B1.4.
"""

from __future__ import annotations

import enum

from kraftpy.broker.backoff import Backoff
from kraftpy.model.invariant import invariant
from kraftpy.model.jitter import Jitter


class Call(enum.Enum):
    """What can be in flight."""

    NONE = enum.auto()
    REGISTRATION = enum.auto()
    HEARTBEAT = enum.auto()


class CallSchedule:
    """The call in flight, or the time of the next one.

    Attributes:
        in_flight: the call without a response so far.
        next_ms: when the next call is due, once nothing is in flight.
        failures: how many calls failed since the last success.
    """

    __slots__ = ("_at_once", "_backoff", "_jitter", "failures", "in_flight", "next_ms")

    def __init__(self, *, backoff: Backoff, jitter: Jitter) -> None:
        self._backoff = backoff
        self._jitter = jitter
        self._at_once = False
        self.in_flight = Call.NONE
        self.next_ms = 0
        self.failures = 0

    @property
    def is_idle(self) -> bool:
        """Whether nothing is in flight."""
        return self.in_flight is Call.NONE

    def sent(self, call: Call) -> None:
        """Note that a call goes out; it reports all the news there is."""
        self.in_flight, self._at_once = call, False

    def answered(self, call: Call) -> None:
        """Note that the call in flight came back, well or not."""
        invariant(self.in_flight is call, "an answer belongs to the call in flight", self.in_flight, call)
        self.in_flight = Call.NONE

    def hurry(self, now_ms: int) -> None:
        """Send the next call now, or right after the one in flight; but never shorten the pause after a failure."""
        self._at_once = True
        if self.is_idle and self.failures == 0:
            self.next_ms = now_ms

    def after_success(self, now_ms: int, delay_ms: int) -> None:
        """Send the next call after ``delay_ms``, or at once if there was a hurry."""
        self.failures = 0
        self.next_ms = now_ms if self._at_once else now_ms + delay_ms

    def leader_changed(self, now_ms: int) -> None:
        """Begin the pauses again: the failures were those of the leader before.

        The first pause remains, with its jitter, so that not every node calls the new leader at once.
        """
        if self.failures > 0 and self.is_idle:
            self.next_ms = min(self.next_ms, now_ms + self._backoff.after(0, self._jitter))
        self.failures = min(self.failures, 1)

    def after_failure(self, now_ms: int) -> None:
        """Send the next call after a pause that grows with every failure."""
        self.next_ms = now_ms + self._backoff.after(self.failures, self._jitter)
        self.failures += 1
