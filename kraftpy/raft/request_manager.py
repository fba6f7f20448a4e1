"""Connections as the replica sees them: per node at most one request in flight, and a pause after a failure.

``READY -> (send) -> AWAITING -> answered -> READY``; a failure leads to ``BACKING OFF`` until the retry time. A
response counts only if its correlation is the one in flight; after a reset (every change of role) everything older is
ignored.

Source: Kafka ``RequestManager``; KIP-595.
"""

from __future__ import annotations

from dataclasses import dataclass

from kraftpy.model.ids import NodeId
from kraftpy.model.invariant import invariant
from kraftpy.model.voters import Endpoint
from kraftpy.raft.messages import RaftRequest


@dataclass(frozen=True, slots=True)
class InFlight:
    """A request that was sent and not answered yet."""

    node_id: NodeId
    request: RaftRequest
    endpoint: Endpoint | None = None


class RequestManager:
    """All connection states; a node that is in neither map is ready."""

    __slots__ = ("_awaiting", "_busy", "_correlation", "_retry_at_ms")

    def __init__(self) -> None:
        self._correlation = 0
        self._awaiting: dict[int, InFlight] = {}
        self._busy: dict[NodeId, int] = {}
        self._retry_at_ms: dict[NodeId, int] = {}

    def is_ready(self, node_id: NodeId, now_ms: int) -> bool:
        """Return whether a request may go to this node now."""
        return node_id not in self._busy and self._retry_at_ms.get(node_id, now_ms) <= now_ms

    @property
    def any_in_flight(self) -> bool:
        """Return whether any request is unanswered."""
        return bool(self._busy)

    def open(self, node_id: NodeId, request: RaftRequest, endpoint: Endpoint | None = None) -> int:
        """Note a request as sent and return its correlation."""
        invariant(node_id not in self._busy, "one request is in flight per node", node_id, request)
        self._correlation += 1
        self._awaiting[self._correlation] = InFlight(node_id, request, endpoint)
        self._busy[node_id] = self._correlation
        self._retry_at_ms.pop(node_id, None)
        return self._correlation

    def close(self, correlation: int) -> InFlight | None:
        """Take back the request with this correlation; ``None`` when it was forgotten by a reset."""
        found = self._awaiting.pop(correlation, None)
        if found is not None:
            del self._busy[found.node_id]
        return found

    def back_off(self, node_id: NodeId, until_ms: int) -> None:
        """Let this node alone until then."""
        self._retry_at_ms[node_id] = until_ms

    def retry_at(self, node_id: NodeId) -> int | None:
        """Return when the node may be asked again: ``None`` while an answer is awaited, 0 when it is ready."""
        return None if node_id in self._busy else self._retry_at_ms.get(node_id, 0)

    def reset(self) -> None:
        """Forget what is in flight. Back-offs stay: they protect a node that does not answer, whatever our role."""
        self._awaiting.clear()
        self._busy.clear()

    def clear_back_offs(self) -> None:
        """Let every node be asked at once, as after an election."""
        self._retry_at_ms.clear()
