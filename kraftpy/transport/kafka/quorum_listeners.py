"""The listeners of one node that serve the quorum, as one to the core.

The core answers tokens, and does not know by which listener a request came in. So each listener counts its tokens in
steps of how many there are, from a start of its own: no token occurs twice, and it says whose it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from kraftpy.raft.messages import RaftResponse
from kraftpy.transport.kafka.listener import KafkaListener


def tokens_of(position: int, listeners: int) -> Iterator[int]:
    """Return the tokens of one of several listeners, counted from 0; a token is never 0."""
    return count(position + 1, listeners)


class QuorumListeners:
    """Hands what the core answers to the listener that was asked.

    Args:
        listeners: in the order of their positions; each counts by :func:`tokens_of`.
    """

    def __init__(self, listeners: Sequence[KafkaListener]) -> None:
        self._listeners = tuple(listeners)

    def _asked(self, token: int) -> KafkaListener:
        return self._listeners[(token - 1) % len(self._listeners)]

    def reply(self, token: int, response: RaftResponse) -> None:
        """Answer a request; without effect when its connection is gone."""
        self._asked(token).reply(token, response)

    def drop(self, token: int, reason: str) -> None:
        """Close the connection of a request that cannot be answered; without effect when it is gone."""
        self._asked(token).drop(token, reason)

    def room_for(self, token: int) -> int | None:
        """Return how many bytes of the log the answer may carry; ``None`` without another limit."""
        return self._asked(token).room_for(token)

    def flush(self) -> None:
        """Send the answers that are there, without waiting until the loop turns."""
        for listener in self._listeners:
            listener.flush()
