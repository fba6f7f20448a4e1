"""Requests that were answered before, so that a client may send one again without doing it twice.

A client that loses its connection does not know whether its request was done. It sends it again under the same id; if
the answer is still remembered it is given again. The memory is bounded and holds the newest answers; it is this node's
own and falls away with its reign, so a retry at another controller is decided anew against what was committed.

Source: Raft dissertation §6.3; controller reference §21.12.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Offset

REMEMBERED_REQUESTS_MAX: Final = 10_000
"""How many answers are kept; the least recently used goes first."""


@dataclass(frozen=True, slots=True)
class Completed:
    """An answer, the offset up to which it is committed, and the hash of the request that it answers."""

    response: object
    offset: Offset
    asked: int = 0

    def check_answers(self, request: object) -> None:
        """Check that this is the answer to ``request``, and not to another one that came under the same id.

        Raises:
            ApiError: INVALID_REQUEST; to give the answer would acknowledge a write that was never made.
        """
        if self.asked != hash(request):
            raise ApiError(
                ErrorCode.INVALID_REQUEST,
                f"the request id of this {type(request).__name__} was used for another request already, which is done: "
                "draw a fresh id for each request, and repeat one only with the request it belongs to",
            )


class CompletedRequests:
    """The newest answers by request id."""

    __slots__ = ("_answers", "_size_max")

    def __init__(self, size_max: int = REMEMBERED_REQUESTS_MAX) -> None:
        invariant(size_max > 0, "the memory of answers has room for one", size_max)
        self._answers: OrderedDict[bytes, Completed] = OrderedDict()
        self._size_max = size_max

    def __len__(self) -> int:
        return len(self._answers)

    def find(self, request_id: bytes) -> Completed | None:
        """Return the answer given before, if it is still remembered."""
        answer = self._answers.get(request_id)
        if answer is not None:
            self._answers.move_to_end(request_id)
        return answer

    def remember(self, request_id: bytes, response: object, offset: Offset, request: object = None) -> None:
        """Keep the answer to a request; the first one given under an id stands."""
        if request_id in self._answers:
            return
        self._answers[request_id] = Completed(response, offset, hash(request))
        if len(self._answers) > self._size_max:
            self._answers.popitem(last=False)

    def clear(self) -> None:
        """Forget everything: another controller may have decided since."""
        self._answers.clear()
