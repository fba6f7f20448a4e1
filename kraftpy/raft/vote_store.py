"""How long this disk takes to store a vote, and how much longer elections get therefore.

An election on a slow disk livelocks when its timers are shorter than its writes. A voter that gave its vote waits for
the new leader; meanwhile the candidate waits for the other votes, and then stores that it leads and where its epoch
begins, before it may say so: two writes. If the voter's timer is shorter than that it asks for pre-votes, gets them
from others who wait as it does, and raises the epoch; what was stored for the former one was for nothing. The Raft
paper excludes this by assumption (broadcast time much less than the election timeout, §5.6). Here a replica measures
the write that matters, and leaves the others so much more time. Nobody's promise depends on it:

* only *waiting* is longer (a voter's timer, the time for pre-votes, the pause of a leader that resigned); how long a
  candidate asks for votes is not, since the probation of lost disks counts on its end (``voter_eligibility``);
* a replica whose disk is quick waits as configured, so quick voters elect one of themselves while slow ones wait;
* the second largest of the last few counts: a single stall (a frozen machine) widens nothing;
* it is never more than WIDEST times the configured timeout, so a bad disk delays the next election by no more.
"""

from __future__ import annotations

from collections import deque

STORES_KEPT = 4
"""How many of the last stores are looked at."""

STORES_PER_TIMEOUT = 4
"""A voter leaves room for so many writes: the other votes, the new leader's two, and the news of it."""

WIDEST = 4
"""An election timeout is never made longer than so many times the configured one."""


class VoteStore:
    """The last few durations of writing quorum-state."""

    __slots__ = ("_last_ms",)

    def __init__(self) -> None:
        self._last_ms: deque[int] = deque(maxlen=STORES_KEPT)

    def note(self, took_ms: int) -> None:
        """Take note of a write that is done."""
        self._last_ms.append(max(0, took_ms))

    @property
    def usual_ms(self) -> int:
        """The second largest of the last few; 0 until there were two."""
        return sorted(self._last_ms)[-2] if len(self._last_ms) > 1 else 0

    def widened(self, election_timeout_ms: int) -> int:
        """Return the timeout that leaves room for what this disk does."""
        wanted_ms = STORES_PER_TIMEOUT * self.usual_ms
        return max(election_timeout_ms, min(wanted_ms, WIDEST * election_timeout_ms))

    def is_too_slow(self, election_timeout_ms: int) -> bool:
        """Return whether votes may come too late for a candidate, which asks for them that long at least."""
        return self.usual_ms > election_timeout_ms
