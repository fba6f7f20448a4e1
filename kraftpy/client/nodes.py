"""Choose the next node to contact, and the pause before it: no sockets, no clock.

A rejection that names the leader is followed at once when it is a call's first, or contains a newer epoch than any
before; if that node rejects, too, the next such hint is followed only after a pause, or two nodes that name each other
would be contacted in a tight loop. Otherwise the bootstrap servers are contacted in turn.

Pauses double after each round of all servers: an election takes less time than a round, and a longer pause only delays
the call. They are drawn at random between half and all of their length, so that clients that lost one leader do not all
reach the next at the same time.

The same holds for how long a node may take to greet: a hanging one is abandoned early while there are others. The wait
for it doubles each time, regardless of the others: a leader that is slow to greet is reached eventually, however fast
the others reject.
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
"""A hanging node still accepts connections (its kernel does) and sends nothing."""

SILENT_MAX: Final = 64
"""For how many nodes the missed greetings are counted: the set of named leaders is unbounded."""


class Nodes:
    """The node to ask.

    Attributes:
        bootstrap: the addresses to begin with.
        current: ``host:port`` of the node.
    """

    def __init__(self, bootstrap: Sequence[str], draw: Callable[[], float]) -> None:
        if not bootstrap:
            raise ConfigError("the client needs at least one bootstrap server, as host:port")
        for address in bootstrap:
            host, _, port = address.rpartition(":")
            if not host or not port.isdigit():
                raise ConfigError(f"bootstrap server {address!r} is not host:port")
        self.bootstrap = tuple(bootstrap)
        self._next = int(draw() * len(bootstrap)) % len(bootstrap)
        self._draw = draw
        self._newest_epoch: Epoch = -1
        self._silent: dict[str, int] = {}
        self.current = self.bootstrap[self._next]

    def copy(self) -> Nodes:
        """Return nodes that begin where these are, and do not move them."""
        copied = Nodes(self.bootstrap, self._draw)
        copied._silent.update(self._silent)
        copied.learn(self._newest_epoch)
        copied.go_to(self)
        return copied

    def go_to(self, other: Nodes) -> None:
        """Go on where others are."""
        self._next, self.current = other._next, other.current

    def rotate(self) -> None:
        """Go on to the next bootstrap server."""
        self._next = (self._next + 1) % len(self.bootstrap)
        self.current = self.bootstrap[self._next]

    def follow(self, leader: str | None) -> bool:
        """Go to the node that was named, or rotate; return whether it is another than before and was named."""
        if leader is None or leader == self.current:
            self.rotate()
            return False
        self.current = leader
        return True

    def learn(self, epoch: Epoch | None) -> bool:
        """Record the epoch of a reported leader; return whether it is newer than any before."""
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
        if len(self.bootstrap) == 1:
            return CONNECT_TIMEOUT_MAX_S
        doublings = min(self._silent.get(target, 0), DOUBLINGS_MAX)
        return min(CONNECT_TIMEOUT_MAX_S, CONNECT_TIMEOUT_MIN_S * 2.0**doublings)

    def pause_s(self, failures: int) -> float:
        """Draw the pause after this number of consecutive failures, the first being 1."""
        rounds = (failures - 1) // len(self.bootstrap)
        longest = min(BACKOFF_MAX_S, BACKOFF_MIN_S * 2.0 ** min(rounds, DOUBLINGS_MAX))
        return longest * (0.5 + 0.5 * self._draw())
