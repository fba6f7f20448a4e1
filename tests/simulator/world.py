"""The world: simulated time, a heap of what is going to happen, and the record of what did.

Everything that happens is an action on one heap, ordered by time and then by the order in which it was put there. There
is no other source of order: no task, no thread, no wall clock. Same seed, same heap, same digest.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter, deque
from collections.abc import Callable

RECENT_LINES = 60
"""How much of the past a failure shows."""

Action = Callable[[], None]


class World:
    """Time in milliseconds and the actions that are due.

    Attributes:
        counts: how often each kind of fault happened.
    """

    def __init__(self, *, verbose: bool = False) -> None:
        self.now_ms = 0
        self.events = 0
        self.lines = 0
        self.counts: Counter[str] = Counter()
        self.recent: deque[str] = deque(maxlen=RECENT_LINES)
        self._verbose = verbose
        self._heap: list[tuple[int, int, Action]] = []
        self._sequence = 0
        self._digest = hashlib.sha256()

    def later(self, delay_ms: int, action: Action) -> None:
        """Let an action happen after a delay; actions of the same millisecond happen in the order they came."""
        self._sequence += 1
        heapq.heappush(self._heap, (self.now_ms + max(0, delay_ms), self._sequence, action))

    def run(self, until_ms: int, done: Callable[[], bool] = lambda: False) -> bool:
        """Run events until a time, or until ``done``; return whether it is done."""
        while self._heap and self._heap[0][0] <= until_ms:
            self.now_ms, _, action = heapq.heappop(self._heap)
            self.events += 1
            action()
            if done():
                return True
        self.now_ms = max(self.now_ms, until_ms)
        return done()

    def note(self, who: str, what: str, text: str = "") -> None:
        """Write one line of the record: it counts towards the digest."""
        line = f"{self.now_ms:>8} {who:<8} {what:<12} {text}"
        self.lines += 1
        self._digest.update(line.encode())
        self._digest.update(b"\n")
        self.recent.append(line)
        if self._verbose:
            print(line)

    def fault(self, who: str, kind: str, text: str = "") -> None:
        """Count a fault, and write it down."""
        self.counts[kind] += 1
        self.note(who, "fault", f"{kind} {text}".rstrip())

    def digest(self) -> str:
        """Return a digest of the whole run."""
        return self._digest.hexdigest()
