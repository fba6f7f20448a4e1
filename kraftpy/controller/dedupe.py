"""Requests that were answered before, so that a client may send one again without doing it twice.

A client that loses its connection does not know whether its request was done. It sends it again under the same id; if
the answer is still remembered it is given again. The cache is bounded, keeps the newest answers, and covers one
leader epoch. It is not written to the log; the next controller starts with an empty cache.

The answers of an epoch are numbered (1, 2, ...), and clients learn how many there are. What is not remembered may all
the same have been done, so a write says in which epoch it was sent first, and how many answers of that epoch its client
knew of then:

==================  ===================================  ==========================================================
its stamp           a first attempt                      a retry, which is not remembered
==================  ===================================  ==========================================================
this epoch, within  is decided                           is decided: its answer would be remembered
the horizon
this epoch, before  FENCED_LEADER_EPOCH: to be stamped   REQUEST_OUTCOME_UNKNOWN: it may have been done, and forgotten
the horizon         again
this epoch, but no  is decided                           is decided if nothing was forgotten yet, so it never was;
number                                                   else REQUEST_OUTCOME_UNKNOWN
an earlier epoch    FENCED_LEADER_EPOCH: to be stamped   REQUEST_OUTCOME_UNKNOWN: its leader may have done it
                    again
a later epoch       NOT_CONTROLLER: this epoch is over   NOT_CONTROLLER
none                is decided                           REQUEST_OUTCOME_UNKNOWN
==================  ===================================  ==========================================================

The *horizon* is the highest number of an answer that was forgotten. A write whose client knew of n answers when it sent
the first attempt was decided after the n-th, if at all, so its answer has a number above n. If n is not below the
horizon, no such answer was forgotten: what is not remembered was not done. If n is below, it may have been.

So a write that is stamped with epoch and number is done at most once: an attempt is decided in the epoch that it is
stamped with or never, and one that was delayed on its way for longer than its answer was remembered is refused. A write
without a number is protected from its own delayed attempts only while its answer is remembered; one without an epoch
not even from the next epoch. So REQUEST_OUTCOME_UNKNOWN names an offset at which the outcome can be read only if the
stamp excludes that an attempt is done later (:meth:`Stamp.is_settled_in`).

Source: Raft dissertation §6.3; controller reference §21.12.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Epoch, Offset

REMEMBERED_REQUESTS_MAX: Final = 32_768
"""How many answers are kept, more than there may be writes under way; the least recently used goes first."""

REMEMBERED_RESOURCES_MAX: Final = 131_072
"""How many resources all answers may be about: an answer about many counts as many."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a write says of its attempts.

    Attributes:
        first_sent_epoch: the leader epoch that its client knew when it sent the first of them; ``None`` for none.
        is_retry: whether an earlier attempt may have been done.
        first_sent_sequence: how many answers of that epoch its client knew of then; ``None`` for not known.
    """

    first_sent_epoch: Epoch | None = None
    is_retry: bool = False
    first_sent_sequence: int | None = None

    def is_settled_in(self, epoch: Epoch) -> bool:
        """Whether no attempt with this stamp is done any more once ``epoch`` refused one as unknown."""
        if self.first_sent_epoch is None:
            return False
        return self.first_sent_epoch < epoch or self.first_sent_sequence is not None


NO_STAMP: Final = Stamp()


@dataclass(frozen=True, slots=True)
class Completed:
    """An answer, the offset up to which it is committed, and the hash of the request that it answers.

    Attributes:
        response: an :class:`ApiError` for a request that was refused after a part of it had been written, and for one
            whose outcome was said to be unknown.
        sequence: the number of this answer in its epoch.
    """

    response: object
    offset: Offset
    asked: int = 0
    sequence: int = 0

    def check_answers(self, request: object) -> None:
        """Check that this is the answer to ``request``, and not to another one that came under the same id.

        Raises:
            ApiError: INVALID_REQUEST; to give the answer would acknowledge a write that was never made. Or the refusal
                that the answer is.
        """
        if self.asked != _hash(request):
            raise ApiError(
                ErrorCode.INVALID_REQUEST,
                f"the request id of this {type(request).__name__} was used for another request already, which is done: "
                "draw a fresh id for each request, and repeat one only with the request it belongs to",
            )
        if isinstance(self.response, ApiError):
            raise self.response

    @property
    def weight(self) -> int:
        """How much of the memory it takes: one, and one for each resource or topic in it."""
        response = self.response
        return 1 + len(getattr(response, "resources", ())) + len(getattr(response, "topics", ()))


def _hash(request: object) -> int:
    """Distinguish requests, also those of different kinds that hold the same values: their answers are other ones."""
    return hash((type(request), request))


class OutcomeForgottenError(ApiError):
    """A retry that cannot be distinguished from a new request in this epoch.

    Attributes:
        settled_offset: a state that contains this offset contains what was asked, if it was ever done; ``None`` where
            the stamp does not exclude that an attempt which is still on its way is done later.
    """

    def __init__(self, request_id: bytes, stamp: Stamp, epoch: Epoch, settled_offset: Offset) -> None:
        first = stamp.first_sent_epoch
        sent = "in an epoch that is not known" if first is None else f"in epoch {first}"
        here = "which has forgotten older answers and cannot" if first == epoch else "which cannot"
        is_settled = stamp.is_settled_in(epoch)
        missing = "first_sent_epoch" if first is None else "first_sent_sequence"
        remedy = (
            f"read at offset >= {settled_offset}, then ask under a new id"
            if is_settled
            else f"without {missing} an attempt that is still on its way may be done later, so read, ask under a new "
            f"id, and stamp writes with {missing}"
        )
        super().__init__(
            ErrorCode.REQUEST_OUTCOME_UNKNOWN,
            f"request {request_id.hex()} was first sent {sent}; this is epoch {epoch}, {here} know whether it was "
            f"done: {remedy}",
        )
        self.settled_offset = settled_offset if is_settled else None


class CompletedRequests:
    """The newest answers of one epoch by request id.

    Attributes:
        sequence: how many answers this epoch has kept so far, forgotten ones included.
        horizon: the highest number of an answer that was forgotten; 0 for none.
    """

    __slots__ = ("_answers", "_resources_max", "_size_max", "_weight", "horizon", "sequence")

    def __init__(self, size_max: int = REMEMBERED_REQUESTS_MAX, resources_max: int = REMEMBERED_RESOURCES_MAX) -> None:
        invariant(size_max > 0, "the memory of answers has room for one", size_max)
        self._answers: OrderedDict[bytes, Completed] = OrderedDict()
        self._size_max = size_max
        self._resources_max = resources_max
        self._weight = 0
        self.sequence = 0
        self.horizon = 0

    def __len__(self) -> int:
        return len(self._answers)

    def find(self, request_id: bytes) -> Completed | None:
        """Return the answer given before, if it is still remembered."""
        answer = self._answers.get(request_id)
        if answer is not None:
            self._answers.move_to_end(request_id)
        return answer

    def remember(self, request_id: bytes, response: object, offset: Offset, request: object = None) -> None:
        """Keep the answer to a request; the first one given under an id is kept."""
        if request_id in self._answers:
            return
        self.sequence += 1
        answer = self._answers[request_id] = Completed(response, offset, _hash(request), self.sequence)
        self._weight += answer.weight
        while len(self._answers) > self._size_max or (self._weight > self._resources_max and len(self._answers) > 1):
            _, gone = self._answers.popitem(last=False)
            self._weight -= gone.weight
            self.horizon = max(self.horizon, gone.sequence)

    @property
    def has_forgotten(self) -> bool:
        """Whether an answer of this epoch was evicted."""
        return self.horizon > 0

    def _would_know(self, stamp: Stamp) -> bool:
        """Return whether the answer to a write of this epoch would be remembered, had it been given."""
        known = stamp.first_sent_sequence
        return not self.has_forgotten if known is None else known >= self.horizon

    def may_decide(self, stamp: Stamp, epoch: Epoch) -> bool:
        """Return whether a write that is not remembered was surely not done before; see the table of the module.

        Raises:
            ApiError: FENCED_LEADER_EPOCH or NOT_CONTROLLER; nothing was done by this attempt.
        """
        first = stamp.first_sent_epoch
        if first is not None and first > epoch:
            raise ApiError(
                ErrorCode.NOT_CONTROLLER,
                f"the request was first sent in epoch {first}; this controller is of epoch {epoch}, which is over",
            )
        if stamp.is_retry:
            return first == epoch and self._would_know(stamp)
        if first is not None and first < epoch:
            raise ApiError(
                ErrorCode.FENCED_LEADER_EPOCH,
                f"the request is stamped with epoch {first}; this is epoch {epoch}, and nothing was done: send it "
                f"again with the new epoch, or with is_retry if an earlier attempt may have been done",
            )
        if first is not None and stamp.first_sent_sequence is not None and not self._would_know(stamp):
            raise ApiError(
                ErrorCode.FENCED_LEADER_EPOCH,
                f"the request was stamped at answer {stamp.first_sent_sequence} of epoch {epoch}, and answers up to "
                f"{self.horizon} are forgotten, so it may be the delayed attempt of a write that is done; nothing was "
                f"done now: stamp it again (there are {self.sequence} answers) if no other attempt of it was sent",
            )
        return True

    def clear(self) -> None:
        """Forget everything: the leadership is over."""
        self._answers.clear()
        self._weight = 0
        self.sequence = self.horizon = 0
