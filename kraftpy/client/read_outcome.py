"""What nodes answered to one read: whether it goes on at another node.

During a rolling upgrade one node may be of a version that cannot serve what another one serves: a state with records
that it does not know, say. So a read that any node may answer goes on at the bootstrap servers when a node answers with
UNSUPPORTED_VERSION, and fails when all of them have. Such an answer of the active controller, which alone may answer
what is linearizable or about the quorum, is final.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kraftpy.client.errors import RejectedError
from kraftpy.client.nodes import Nodes
from kraftpy.client.session import SessionLostError
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import common_pb2


class UnsupportedNodes:
    """The nodes whose versions do not support one read, each with its reason."""

    def __init__(self, bootstrap: Sequence[str]) -> None:
        self._bootstrap = frozenset(bootstrap)
        self._reasons: dict[str, str] = {}

    def add(self, refusal: RejectedError) -> None:
        """Note a node.

        Raises:
            ApiError: UNSUPPORTED_VERSION: no bootstrap server is left. The text has the reason of each node.
        """
        self._reasons[refusal.node] = refusal.message
        if self._bootstrap <= self._reasons.keys():
            raise ApiError(ErrorCode.UNSUPPORTED_VERSION, self.reasons) from refusal

    def clear(self) -> None:
        """Forget all nodes: one of them may be of another version by now."""
        self._reasons.clear()

    @property
    def reasons(self) -> str:
        """Each node with its reason; empty without any."""
        return "; ".join(f"{node}: {reason}" for node, reason in self._reasons.items())


class ReadOutcome:
    """What nodes answered to one read, over its attempts.

    Attributes:
        nodes: chooses the node for each attempt.
    """

    def __init__(self, nodes: Nodes, request: Any) -> None:
        # What has no such options is about the node that answers, or for the active controller.
        has_options = "read" in request.DESCRIPTOR.fields_by_name
        self._waits = has_options and request.HasField("read")
        self._is_for_any_node = has_options and request.read.consistency != common_pb2.ReadOptions.LINEARIZABLE
        self._unsupported = UnsupportedNodes(nodes.bootstrap)
        self.nodes = nodes

    def judge(self, error: RejectedError | SessionLostError) -> None:
        """Return if another attempt may succeed.

        Raises:
            ApiError: it cannot.
        """
        if isinstance(error, SessionLostError) or not error.is_final:
            return
        if self._is_for_any_node and error.code is ErrorCode.UNSUPPORTED_VERSION:
            self._unsupported.add(error)
        elif not (self._waits and error.code is ErrorCode.REQUEST_TIMED_OUT):
            # A node that does not come to the state that was asked for: another one may be there already.
            raise error

    def explained(self, failure: str) -> str:
        """Add to the text of a failure which nodes do not support the read."""
        reasons = self._unsupported.reasons
        return f"{failure}; not supported by {reasons}" if reasons else failure
