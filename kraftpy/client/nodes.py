"""Which node to ask next, and how long to wait before: no sockets, no clock.

A refusal that names the leader is followed at once when it is a call's first, or tells of a newer epoch than any
before; a leader that refuses, too, is not believed a second time without a pause, or two nodes that point at each other
would be asked in a tight loop. Otherwise the bootstrap servers are asked in turn.

Pauses double when all of them have been asked: an election takes less time than a round, and who pauses for longer
finds a leader that waits already. They are drawn at random between half and all of their length, so that clients that
lost one leader do not meet again at the next.

The same holds for how long a node may take to greet: while others have not been tried, one that stands still is left
early; the wait doubles with every round in which none of them was fast enough.
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
        self._silent = 0
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

    def heard(self) -> None:
        """Note that a node greeted in time."""
        self._silent = 0

    def not_heard(self) -> None:
        """Note that a node did not greet in time."""
        self._silent += 1

    @property
    def connect_timeout_s(self) -> float:
        """How long the next node may take to greet."""
        if len(self._bootstrap) == 1:
            return CONNECT_TIMEOUT_MAX_S
        rounds = self._silent // len(self._bootstrap)
        return min(CONNECT_TIMEOUT_MAX_S, CONNECT_TIMEOUT_MIN_S * 2.0 ** min(rounds, DOUBLINGS_MAX))

    def pause_s(self, failures: int) -> float:
        """Draw the pause after so many failures in a row, the first being 1."""
        rounds = (failures - 1) // len(self._bootstrap)
        longest = min(BACKOFF_MAX_S, BACKOFF_MIN_S * 2.0 ** min(rounds, DOUBLINGS_MAX))
        return longest * (0.5 + 0.5 * self._draw())
