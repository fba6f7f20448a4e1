"""Measure how long this disk takes to store a vote, and widen the election timers accordingly.

An election on a slow disk livelocks when its timers are shorter than its writes. A voter that granted its vote waits
for the new leader; meanwhile the candidate waits for the other votes, and then stores its leadership and the start of
its epoch, before it may announce it: two writes. If the voter's timer is shorter than that, the voter requests
pre-votes, gets them from other waiting voters, and raises the epoch; the writes for the former epoch were wasted. The
Raft paper excludes this by assumption (broadcast time much less than the election timeout, §5.6). Here a replica
measures the relevant write, and gives the others that much more time. No guarantee depends on it:

* only *waiting* is longer (a voter's timer, the time for pre-votes, the pause of a leader that resigned); how long a
  candidate requests votes is not, since the probation of lost disks relies on its end (``voter_eligibility``);
* a replica with a fast disk waits as configured, so fast voters elect one of themselves while slow ones wait;
* the second largest of the last few counts: a single stall (a frozen machine) widens nothing;
* it is at most WIDEST times the configured timeout, so a bad disk delays the next election by no more.
"""

from __future__ import annotations

from collections import deque

STORES_KEPT = 4
"""How many of the last stores are looked at."""

STORES_PER_TIMEOUT = 4
"""A voter's timer allows for this number of writes: the other votes, the new leader's two, and its announcement."""

WIDEST = 4
"""An election timeout is at most this many times the configured one."""


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
