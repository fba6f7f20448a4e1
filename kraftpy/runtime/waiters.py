"""Writes that wait for the active controller, and successful outcomes that wait for commit or confirmation.

A write is a :class:`QueuedWrite` from the moment it comes until it is settled, once. When it was decided, its success
is kept in :class:`Waiters`, in one of three queues:

*   *committing*: it appended records. It is answered when they are committed and published on this node.
*   *confirming*: it appended nothing. It is answered when what was appended before it is published, and a majority has
    confirmed, by a round that began after the request came, that this node still leads: see
    :mod:`kraftpy.raft.confirming`.
*   *sharing*: it appended nothing, and no confirmation was requested for it yet. Heartbeats wait here for each other;
    then all go into the queue before this one, with one confirmation.

Each queue is in the order in which the successes are due, so only its head is looked at. Deciding writes
and requesting confirmations is the task of :mod:`kraftpy.runtime.controller_loop`; this module knows no replica and no
clock.

Invariants: nothing is answered before its offset is published; a queue that was given up settles each of its writes,
and none of them as a success.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.offsets import Offset
from kraftpy.runtime.durations import DurationCounts
from kraftpy.transport.node_api import Committed, Outcome, OutcomeUnknownError, WriteRequest

CONFIRMING_MS_MAX = 30_000
"""How long a success without records waits for a confirmation of the leadership. Lost leadership ends the wait sooner;
this limit is for a leader that receives fetches but cannot reach any voter itself, and so stays the leader."""


class WriteGroup:
    """Writes that arrived together and are answered together.

    Attributes:
        abandoned: set when no client waits for the responses any more; writes that are not decided yet are then
            dropped.
    """

    __slots__ = ("_missing", "_on_outcomes", "_outcomes", "abandoned")

    def __init__(self, size: int, on_outcomes: Callable[[list[Outcome]], None]) -> None:
        self._outcomes: list[Outcome | None] = [None] * size
        self._missing = size
        self._on_outcomes = on_outcomes
        self.abandoned = False

    def settle(self, index: int, outcome: Outcome) -> None:
        """Note what became of one write; the last one answers the group."""
        self._outcomes[index] = outcome
        self._missing -= 1
        if self._missing == 0:
            self._on_outcomes([outcome for outcome in self._outcomes if outcome is not None])


@dataclass(slots=True)
class QueuedWrite:
    """A write that waits, and the callback for its outcome; ``group`` is what it came in, if in one.

    Attributes:
        arrived_ms: when it came.
        began_ms: when its decision began, once it did.
    """

    submission: WriteRequest
    settle: Callable[[Outcome], None]
    deadline_ms: int | None
    arrived_ms: int
    group: WriteGroup | None = None
    began_ms: int = 0

    @property
    def is_abandoned(self) -> bool:
        """Whether its client is gone."""
        return self.group is not None and self.group.abandoned


@dataclass(slots=True)
class Committing:
    """A success whose last record is at ``offset``; its decision began at ``decided_ms``."""

    offset: Offset
    write: QueuedWrite
    committed: Committed
    decided_ms: int


@dataclass(slots=True)
class Confirming:
    """A success without records of its own, which waits for a confirmation of the leadership, too.

    Attributes:
        ticket: the confirmation that is enough, as the replica numbers them.
        deadline_ms: when it fails for lack of a confirmation; later for each one that arrived later.
        is_repeated: it is a remembered response, sent again.
    """

    ticket: int
    offset: Offset
    write: QueuedWrite
    committed: Committed
    deadline_ms: int
    is_repeated: bool


@dataclass(slots=True)
class Sharing:
    """A success without records, for which a confirmation of the leadership is to be requested."""

    write: QueuedWrite
    committed: Committed
    is_repeated: bool


class Waiters:
    """Successes that are not yet reported, each queue in the order in which they are due.

    Args:
        latencies: counts how long those took that appended records.
    """

    __slots__ = ("_latencies", "committing", "confirming", "sharing")

    def __init__(self, latencies: DurationCounts) -> None:
        self._latencies = latencies
        self.committing: deque[Committing] = deque()
        self.confirming: deque[Confirming] = deque()
        self.sharing: deque[Sharing] = deque()

    def __len__(self) -> int:
        return len(self.committing) + len(self.confirming) + len(self.sharing)

    @property
    def next_deadline_ms(self) -> int | None:
        """When the next one has waited for a confirmation for too long; ``None`` while none waits for one."""
        return self.confirming[0].deadline_ms if self.confirming else None

    def answer_committed(self, published: Offset, now_ms: int) -> None:
        """Answer every write whose records are published."""
        waiting = self.committing
        while waiting and waiting[0].offset <= published:
            one = waiting.popleft()
            self._latencies.add(now_ms - one.decided_ms)
            one.write.settle(one.committed)

    def answer_confirmed(self, confirmed: int, published: Offset) -> None:
        """Answer every success without records that is published, and whose ticket is confirmed."""
        waiting = self.confirming
        while waiting and waiting[0].ticket <= confirmed and waiting[0].offset <= published:
            one = waiting.popleft()
            one.write.settle(one.committed)

    def refuse_unconfirmed(self, now_ms: int) -> None:
        """Answer those whose confirmation did not come in time."""
        waiting = self.confirming
        while waiting and waiting[0].deadline_ms <= now_ms:
            one = waiting.popleft()
            one.write.settle(_not_confirmed(is_repeated=one.is_repeated))

    def give_up(self) -> None:
        """Fail all of them: this node is no longer the active controller."""
        committing, self.committing = self.committing, deque()
        for waiter in committing:
            waiter.write.settle(
                OutcomeUnknownError(
                    f"this node ceased to be the controller while offset {waiter.offset} was not yet known to be "
                    "committed: the write may or may not take effect; read the state before repeating it"
                )
            )
        unconfirmed: list[Confirming | Sharing] = [*self.confirming, *self.sharing]
        self.confirming.clear()
        self.sharing.clear()
        for one in unconfirmed:
            one.write.settle(lost_before_confirmed(is_repeated=one.is_repeated))


def lost_before_confirmed(*, is_repeated: bool) -> ApiError:
    """Return the error for a success without records when leadership is lost before its confirmation."""
    lost = "this node ceased to be the controller before"
    if is_repeated:
        return OutcomeUnknownError(f"{lost} it could answer again: the first attempt may or may not have taken effect")
    return ApiError(ErrorCode.NOT_CONTROLLER, f"{lost} a majority had confirmed that it was: nothing was written")


def _not_confirmed(*, is_repeated: bool) -> ApiError:
    text = f"no majority of the voters confirmed within {CONFIRMING_MS_MAX} ms that this node is still the controller"
    if is_repeated:
        return OutcomeUnknownError(f"{text}: the first attempt may or may not have taken effect")
    return ApiError(ErrorCode.REQUEST_TIMED_OUT, f"{text}; nothing was written")
