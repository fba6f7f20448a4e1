"""Pending reads: they wait for a confirmed leadership, for an offset, or for both.

A *linearizable* read is answered from a state that holds everything acknowledged before the read arrived. It waits for
three conditions:

*   This replica leads, and a majority of the voters that was asked *after* the read arrived has confirmed it
    (:mod:`kraftpy.raft.confirming`). So no leader of a later epoch had acknowledged anything before the read arrived.
*   The controller of this epoch is active: a record of its own epoch is committed, so what earlier epochs committed is
    below its high watermark.
*   The published image holds everything below the high watermark at the arrival of the read.

All reads that arrive in one turn of the driver share a confirmation. It needs no write. Where several readers ask at
the same time, those that arrive soon after a confirmation was asked for share the next one
(:data:`READS_SHARE_MS_MAX`); a single reader never waits for that. A read that waits for an offset waits until the
published image holds it.

It is sans-IO like the controller loop: ``ask`` takes a callback, ``settle`` is called in each turn of the driver.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Final

from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.raft.ready import Role
from kraftpy.raft.replica import Replica
from kraftpy.runtime.inbox import Inbox
from kraftpy.runtime.state_machine import StateMachine
from kraftpy.transport.node_api import ReadAt

READS_WAITING_MAX: Final = 10_000
"""How many reads may wait; one more is refused as busy, and may be sent again."""

READS_SHARE_MS_MAX: Final = 4
"""For how long (ms) reads gather before the next confirmation: one for each read that the one before was for, if those
were several, and no more than this."""

READ_WAIT_MS_MAX: Final = 30_000
"""How long a read waits at most, whatever it asks for."""

Settle = Callable[[ApiError | None], None]
"""Called once: with ``None`` when the state may be read now."""


@dataclass(slots=True)
class _Waiting:
    """A read that waits.

    Attributes:
        epoch: of a linearizable read that was asked for: the epoch that has to be confirmed, by ``ticket``.
        needs_state: of a linearizable read: whether it is about the controller's state.
        end_offset: of one that needs the state: what the image has to reach.
    """

    at: ReadAt
    settle: Settle
    deadline_ms: int
    needs_state: bool = True
    epoch: Epoch = 0
    ticket: int = 0
    end_offset: Offset | None = None


class Reads:
    """The reads of one node that wait.

    Args:
        replica: this node's.
        state_machine: its state.
        active_epoch: returns the epoch whose controller is active on this node, ``None`` when there is none.
        inbox: woken when a confirmation is wanted.
    """

    def __init__(
        self,
        *,
        replica: Replica,
        state_machine: StateMachine,
        active_epoch: Callable[[], Epoch | None],
        inbox: Inbox,
    ) -> None:
        self._replica = replica
        self._state_machine = state_machine
        self._active_epoch = active_epoch
        self._inbox = inbox
        self._numbers = count()
        # All in the order in which they came. Tickets and high watermarks rise in it, so the first one that still
        # waits for its confirmation ends the search.
        self._gathering: dict[int, _Waiting] = {}
        self._unconfirmed: dict[int, _Waiting] = {}
        self._behind: dict[int, _Waiting] = {}
        self._looked_at: Offset = -1
        self._due_ms: int | None = None
        # Until then linearizable reads gather; 0 when the next one is asked for at once.
        self._gather_until_ms = 0
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many reads wait."""
        return len(self._gathering) + len(self._unconfirmed) + len(self._behind)

    def ask(self, at: ReadAt, now_ms: int, settle: Settle, *, needs_state: bool = True) -> int:
        """Wait until a read may be answered; ``settle`` is called once.

        It may be called before this returns, unless the read is linearizable.

        Args:
            at: the consistency that the read requests.
            now_ms: when it came.
            settle: called when it may be answered, or with the reason why not.
            needs_state: whether it is about the controller's state; else a confirmed leadership is enough.

        Returns:
            What :meth:`abandon` takes.

        Raises:
            ApiError: NOT_CONTROLLER: it asks for a linearizable state, and this node does not lead.
            BusyError: READS_WAITING_MAX reads wait already.
        """
        if self._closed:
            raise _stopping()
        if self.waiting >= READS_WAITING_MAX:
            raise BusyError(f"{self.waiting} reads wait already (limit {READS_WAITING_MAX})")
        if at.consistency is Consistency.LINEARIZABLE and self._replica.role is not Role.LEADER:
            raise self._not_leading()
        number = next(self._numbers)
        wait_ms = READ_WAIT_MS_MAX if at.wait_ms is None else min(at.wait_ms, READ_WAIT_MS_MAX)
        waiting = _Waiting(at, settle, now_ms + wait_ms, needs_state)
        is_first_due = self._due_ms is None or waiting.deadline_ms < self._due_ms
        if is_first_due:
            self._due_ms = waiting.deadline_ms
        if at.consistency is Consistency.LINEARIZABLE:
            # The driver's next turn asks the voters, for all that have come until then.
            self._gathering[number] = waiting
            is_first_due = waiting.deadline_ms < self._gather_until_ms or now_ms >= self._gather_until_ms
        else:
            self._behind[number] = waiting
            self._settle_reached()
        if is_first_due:
            # The driver may sleep for longer than that.
            self._inbox.wake()
        return number

    def _ask_for_gathered(self, now_ms: int) -> None:
        """Take one ticket for all that have gathered: the voters are asked after each of them came."""
        replica, gathered = self._replica, self._gathering
        self._gathering = {}
        if replica.role is not Role.LEADER:
            for waiting in gathered.values():
                waiting.settle(self._not_leading())
            return
        epoch, end_offset = replica.epoch, replica.high_watermark or 0
        ticket = replica.request_confirmation(now_ms, epoch)
        for waiting in gathered.values():
            waiting.epoch, waiting.ticket = epoch, ticket
            waiting.end_offset = end_offset if waiting.needs_state else None
        self._unconfirmed.update(gathered)
        if len(gathered) > 1:
            self._gather_until_ms = now_ms + min(len(gathered), READS_SHARE_MS_MAX)

    def abandon(self, number: int) -> None:
        """Drop a read whose client is gone; a settled one is dropped already."""
        self._gathering.pop(number, None)
        self._unconfirmed.pop(number, None)
        self._behind.pop(number, None)

    def settle(self, now_ms: int) -> None:
        """Answer what can be; called in each turn, before what it sends and after what it publishes."""
        if now_ms >= self._gather_until_ms:
            self._gather_until_ms = 0
            if self._gathering:
                self._ask_for_gathered(now_ms)
        if self._unconfirmed:
            self._settle_confirmed()
        if self._behind and self._state_machine.image.provenance.offset != self._looked_at:
            self._settle_reached()
        if self._due_ms is not None and now_ms >= self._due_ms:
            self._settle_late(now_ms)

    def next_deadline_ms(self) -> int | None:
        """Return when the first pending read times out, or those that gather are to be asked for."""
        due_ms = self._due_ms if self.waiting else None
        if self._gather_until_ms:
            # What comes until then does not wake the driver.
            due_ms = self._gather_until_ms if due_ms is None else min(due_ms, self._gather_until_ms)
        return due_ms

    def close(self) -> None:
        """Turn everybody away: the node stops."""
        self._closed = True
        waiting = [*self._gathering.values(), *self._unconfirmed.values(), *self._behind.values()]
        self._gathering.clear()
        self._unconfirmed.clear()
        self._behind.clear()
        for one in waiting:
            one.settle(_stopping())

    # ---------------------------------------------------------------- how far each is

    def _settle_confirmed(self) -> None:
        refused: list[int] = []
        ready: list[int] = []
        for number, waiting in self._unconfirmed.items():
            confirmed = self._replica.confirmed(waiting.epoch)
            if confirmed is None or (waiting.end_offset is not None and self._state_machine.halted is not None):
                refused.append(number)
            elif confirmed < waiting.ticket:
                break
            elif self._is_loaded(waiting):
                ready.append(number)
        for number in refused:
            self._unconfirmed.pop(number).settle(self._not_leading())
        for number in ready:
            waiting = self._unconfirmed.pop(number)
            if self._is_reached(waiting):
                waiting.settle(None)
            else:
                self._behind[number] = waiting
                self._looked_at = -1

    def _is_loaded(self, waiting: _Waiting) -> bool:
        """Return whether the state is that of the active controller, up to what was committed when the read came."""
        end_offset = waiting.end_offset
        if end_offset is None:
            return True
        return self._active_epoch() == waiting.epoch and self._state_machine.next_offset >= end_offset

    def _settle_reached(self) -> None:
        self._looked_at = self._state_machine.image.provenance.offset
        for number, waiting in list(self._behind.items()):
            if self._is_reached(waiting):
                del self._behind[number]
                waiting.settle(None)

    def _is_reached(self, waiting: _Waiting) -> bool:
        machine, min_offset = self._state_machine, waiting.at.min_offset
        if min_offset is None:
            return True
        return machine.caught_up_once and machine.image.provenance.offset >= min_offset

    def _settle_late(self, now_ms: int) -> None:
        for where in (self._gathering, self._unconfirmed, self._behind):
            for number, waiting in list(where.items()):
                if waiting.deadline_ms <= now_ms:
                    del where[number]
                    waiting.settle(self._too_late(waiting))
        left = [*self._gathering.values(), *self._unconfirmed.values(), *self._behind.values()]
        self._due_ms = min((waiting.deadline_ms for waiting in left), default=None)

    # ---------------------------------------------------------------- why not

    def _not_leading(self) -> ApiError:
        leader, halted = self._replica.leader.leader_id, self._state_machine.halted
        if halted is not None:
            return ApiError(ErrorCode.NOT_CONTROLLER, f"no controller can be active: {halted}")
        own_id = self._replica.key.node_id
        known = "no controller is known" if leader in {None, own_id} else f"node {leader} appears to lead"
        return ApiError(
            ErrorCode.NOT_CONTROLLER,
            f"only the active controller answers this, and node {own_id} is not confirmed as such: {known}",
        )

    def _too_late(self, waiting: _Waiting) -> ApiError:
        machine = self._state_machine
        position = f"its state ends at offset {machine.image.provenance.offset if machine.caught_up_once else -1}"
        if machine.halted is not None:
            position = f"{position}; {machine.halted}"
        epoch = waiting.epoch or self._replica.epoch
        confirmed = self._replica.confirmed(waiting.epoch)
        is_sure = waiting.at.consistency is Consistency.LINEARIZABLE
        if is_sure and (waiting.ticket == 0 or confirmed is None or confirmed < waiting.ticket):
            wanted = f"no majority of the voters confirmed in time that it leads epoch {epoch}"
        elif waiting.at.min_offset is not None and not self._is_reached(waiting):
            wanted = f"offset {waiting.at.min_offset} was asked for"
        else:
            wanted = f"it has not loaded what was committed when the read came, up to offset {waiting.end_offset}"
        own_id = self._replica.key.node_id
        return ApiError(ErrorCode.REQUEST_TIMED_OUT, f"node {own_id} waited in vain: {wanted}; {position}")


def _stopping() -> ApiError:
    return ApiError(ErrorCode.NOT_CONTROLLER, "the node stops, and did not come to the request")
