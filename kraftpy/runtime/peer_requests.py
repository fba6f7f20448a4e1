"""Queue requests of peers for the replica: choose the lane of the inbox, and bound the urgent lane.

A request under a voter's key is urgent, at most :data:`URGENT_PER_VOTER_MAX` of each voter at a time: a voter has only
a few in flight, and a client that forges a voter's id in a flood of requests gets the ordinary lane for the rest. A
request whose connection ends before its turn is dropped here; the replica receives neither the request nor the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog

from kraftpy.model.ids import NodeId
from kraftpy.model.log_rate_limiter import LogRateLimiter
from kraftpy.model.voters import VoterSet
from kraftpy.raft.ready import Inbound, RequestAbandoned, RequestReceived
from kraftpy.raft.senders import voter_that_sends
from kraftpy.runtime.clock import Clock
from kraftpy.runtime.inbox import Inbox

_log = structlog.get_logger("kraftpy.driver")

URGENT_PER_VOTER_MAX: Final = 16
"""How many requests of one voter may wait in the urgent lane; further ones wait in the ordinary lane."""


class PeerRequests:
    """The requests of peers that wait for the driver.

    Args:
        inbox: where they wait.
        clock: for what is logged.
        voters: returns the voter set in force.
        step: hands an item to the replica, in the driver's turn.

    Attributes:
        dropped: how many requests found the inbox full, ever.
        not_urgent: how many requests of voters had to wait as strangers' do, ever.
    """

    def __init__(
        self, inbox: Inbox, clock: Clock, voters: Callable[[], VoterSet], step: Callable[[int, Inbound], None]
    ) -> None:
        self._inbox = inbox
        self._clock = clock
        self._voters = voters
        self._step = step
        self._queued: set[int] = set()
        self._urgent: dict[NodeId, int] = {}
        self._reported = LogRateLimiter()
        self._untold = 0
        self.dropped = 0
        self.not_urgent = 0

    @property
    def urgent(self) -> int:
        """How many requests wait in the urgent lane of the voter that has most of them there."""
        return max(self._urgent.values(), default=0)

    def received(self, inbound: RequestReceived) -> None:
        """Queue a request; it is dropped when the ordinary lane is full, and the peer asks again after its timeout."""
        voter = voter_that_sends(self._voters(), inbound.request)
        if voter is not None and self._urgent.get(voter, 0) < URGENT_PER_VOTER_MAX:
            self._urgent[voter] = self._urgent.get(voter, 0) + 1
            self._queued.add(inbound.token)
            self._inbox.put_unbounded(lambda now_ms: self._take_urgent(now_ms, inbound, voter))
            return
        self.not_urgent += voter is not None
        if self._inbox.is_full:
            self._drop()
        else:
            self._queued.add(inbound.token)
            self._inbox.put_nowait(lambda now_ms: self._take(now_ms, inbound))

    def abandoned(self, inbound: RequestAbandoned) -> None:
        """Drop a request that is queued here; for one that the replica has, pass the abandonment to it."""
        if inbound.token in self._queued:
            self._queued.remove(inbound.token)
        else:
            self._inbox.put_unbounded(lambda now_ms: self._step(now_ms, inbound))

    def _take(self, now_ms: int, inbound: RequestReceived) -> None:
        if inbound.token in self._queued:
            self._queued.remove(inbound.token)
            self._step(now_ms, inbound)

    def _take_urgent(self, now_ms: int, inbound: RequestReceived, voter: NodeId) -> None:
        # An abandoned request keeps its place until here, or connections that come and go would fill the lane.
        self._urgent[voter] -= 1
        if not self._urgent[voter]:
            del self._urgent[voter]
        self._take(now_ms, inbound)

    def _drop(self) -> None:
        self.dropped += 1
        self._untold += 1
        if self._reported.should_log(None, "dropped", self._clock.now_ms()):
            waiting, dropped, self._untold = len(self._inbox), self._untold, 0
            _log.warning("inbox_full", waiting=waiting, dropped=dropped)
