"""Which node to ask next, and how long to wait before: no sockets, no clock.

A refusal that names the leader is followed at once when it is a call's first, or tells of a newer epoch than any
before; a leader that refuses, too, is not believed a second time without a pause, or two nodes that point at each other
would be asked in a tight loop. Otherwise the bootstrap servers are asked in turn.

Pauses double when all of them have been asked: an election takes less time than a round, and who pauses for longer
finds a leader that waits already. They are drawn at random between half and all of their length, so that clients that
lost one leader do not meet again at the next.

The same holds for how long a node may take to greet: one that stands still is left early while there are others. The
wait for it doubles each time, whatever others do: a leader that is slow to greet is reached in the end, however fast
the others say that they are none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kraftpy.model.errors import ConfigError
from kraftpy.model.offsets import Epoch

BACKOFF_MIN_S: Final = 0.02
BACKOFF_MAX_S: Final = 1.0
DOUBLINGS_MAX: Final = 10
CONNECT_TIMEOUT_MIN_S: Final = 1.0
CONNECT_TIMEOUT_MAX_S: Final = 5.0
"""A node that stands still takes connections (its kernel does) and says nothing."""

SILENT_MAX: Final = 64
"""Of so many nodes it is known how often they did not greet: leaders that are named may be any."""


class Nodes:
    """The node to ask.

    Attributes:
        current: ``host:port`` of it.
    """

    def __init__(self, bootstrap: Sequence[str], draw: Callable[[], float]) -> None:
        if not bootstrap:
            raise ConfigError("the client needs at least one bootstrap server, as host:port")
        for address in bootstrap:
            host, _, port = address.rpartition(":")
            if not host or not port.isdigit():
                raise ConfigError(f"bootstrap server {address!r} is not host:port")
        self._bootstrap = tuple(bootstrap)
        self._next = int(draw() * len(bootstrap)) % len(bootstrap)
        self._draw = draw
        self._newest_epoch: Epoch = -1
        self._silent: dict[str, int] = {}
        self.current = self._bootstrap[self._next]

    def rotate(self) -> None:
        """Go on to the next bootstrap server."""
        self._next = (self._next + 1) % len(self._bootstrap)
        self.current = self._bootstrap[self._next]

    def follow(self, leader: str | None) -> bool:
        """Go to the node that was named, or rotate; return whether it is another than before and was named."""
        if leader is None or leader == self.current:
            self.rotate()
            return False
        self.current = leader
        return True

    def learn(self, epoch: Epoch | None) -> bool:
        """Note the epoch of which a leader was told; return whether it is a newer one than any before."""
        if epoch is None or epoch <= self._newest_epoch:
            return False
        self._newest_epoch = epoch
        return True

    def heard(self, target: str) -> None:
        """Note that a node greeted in time."""
        self._silent.pop(target, None)

    def record_timeout(self, target: str) -> None:
        """Note that a node did not greet in time."""
        times = self._silent.pop(target, 0) + 1
        if len(self._silent) == SILENT_MAX:
            del self._silent[next(iter(self._silent))]
        self._silent[target] = times

    def connect_timeout_s(self, target: str) -> float:
        """Return how long a node may take to greet."""
        if len(self._bootstrap) == 1:
            return CONNECT_TIMEOUT_MAX_S
        doublings = min(self._silent.get(target, 0), DOUBLINGS_MAX)
        return min(CONNECT_TIMEOUT_MAX_S, CONNECT_TIMEOUT_MIN_S * 2.0**doublings)

    def pause_s(self, failures: int) -> float:
        """Draw the pause after so many failures in a row, the first being 1."""
        rounds = (failures - 1) // len(self._bootstrap)
        longest = min(BACKOFF_MAX_S, BACKOFF_MIN_S * 2.0 ** min(rounds, DOUBLINGS_MAX))
        return longest * (0.5 + 0.5 * self._draw())
