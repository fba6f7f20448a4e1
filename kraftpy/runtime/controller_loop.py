"""Run the active controller: accept requests, decide one at a time, respond once the decision is committed.

All of it runs in the driver's turn. A request is decided against the controller's speculative state, its records are
proposed as one group, and a waiter is registered at the offset of the last of them. The last publisher completes the
waiter, so a client that has the response can also read its effect on this node. A request that writes nothing waits for
everything appended before it, so no success depends on state that may still be lost; and until a majority of the
voters, asked after the request arrived, has confirmed that this node still leads (:mod:`kraftpy.raft.confirming`). The
commit of a record proves that its leader still led; without a record, a partitioned leader would acknowledge state that
its successor has changed since. (A rejection is sent immediately, and may depend on a write that is not committed yet,
or on state that a successor has changed.)

A write that takes longer than a turn may (:mod:`kraftpy.runtime.large_write`) is carried on from turn to turn. Other
writes wait until its last part is appended, except heartbeats of brokers that change nothing: these are answered from
the state before it, for as long as it is an open transaction. After it, the controller's own decisions have their turn
before the next one begins.

When leadership is lost, the speculative state is dropped and every waiter fails with an unknown outcome. The remembered
responses are dropped with it; a retry that arrives in a later leader epoch is rejected and never decided again
(``controller.dedupe``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

import structlog

from kraftpy.controller.config import QuorumFacts
from kraftpy.controller.controller import TICK, Controller
from kraftpy.controller.dedupe import NO_STAMP, CompletedRequests, OutcomeForgottenError
from kraftpy.controller.growth import grows
from kraftpy.controller.requests import BrokerHeartbeat, ControllerResponse
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import Slices
from kraftpy.image import Manifest, MetadataDelta, MetadataImage, MetadataPublisher
from kraftpy.model.errors import (
    ApiError,
    BusyError,
    ConfigError,
    ErrorCode,
    NotLeaderError,
)
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.raft.ready import Elected, Event, Role, RoleChanged, VotersChanged
from kraftpy.raft.replica import Replica
from kraftpy.records.authors import with_author
from kraftpy.records.codec import Record
from kraftpy.runtime.broker_event_log import BrokerEventLog
from kraftpy.runtime.controller_figures import ControllerFigures
from kraftpy.runtime.failover_phases import FailoverPhases
from kraftpy.runtime.inbox import Inbox
from kraftpy.runtime.large_write import LargeWrite, fitting
from kraftpy.runtime.record_appender import RecordAppender
from kraftpy.runtime.state_machine import StateMachine
from kraftpy.runtime.waiters import (
    CONFIRMING_MS_MAX,
    Committing,
    Confirming,
    QueuedWrite,
    Sharing,
    Waiters,
    WriteGroup,
)
from kraftpy.tracing.write_trace import WriteTrace
from kraftpy.transport.limits import ByteBudget, LimitUse
from kraftpy.transport.node_api import Committed, Outcome, OutcomeUnknownError, WriteRequest
from kraftpy.transport.request_errors import RequestErrors

_log = structlog.get_logger("kraftpy.controller")

T = TypeVar("T")

SUBMISSIONS_MAX = 20_000
"""How many writes may wait, to be decided or to be committed; a group that does not fit is refused as a whole."""

SUBMISSIONS_BYTES_MAX = 64 * 1024 * 1024
"""How many bytes the requests of these writes may have taken on the wire; a write alone may take any number."""

DECISIONS_PER_TURN_MAX = 2_000
"""How many writes one turn decides, so that heartbeats of the quorum are not kept waiting."""

DECIDING_MS = 20
"""A turn decides no further write when it has spent this long (ms) on them. At least one is decided."""

HEARTBEATS_SHARE_MS_MAX = 20
"""Heartbeats share a turn, and a confirmation of the leadership, with all that come soon after the confirmation before:
within ``HEARTBEAT_SHARE_MS`` for each that it was for, if those were several, and no more than this (ms). A thousand
brokers would otherwise take hundreds of turns a second, and ask the voters in each; a dozen do not wait. A heartbeat
that asks for a controlled shutdown, or reports a lost directory, never waits to be decided."""

HEARTBEAT_SHARE_MS = 4
"""See ``HEARTBEATS_SHARE_MS_MAX``. Some 200 heartbeats a second keep it at that."""

TICK_RESULTS_MAX = 16
"""How many timer-driven decisions (such as fencing a broker) one turn makes."""

STARTING_MS = 500
"""How long writes wait, undecided, that come to a leader which is not active yet: it will be, once the beginning of its
epoch is committed, and to be refused and to ask again would take longer."""

TICK_RETRY_MS = 20
"""How long a timer-driven decision waits that the log did not take: without a pause the loop would spin on it."""

TICK_ERROR_RETRY_MS = 1_000
"""How long the controller's own decisions pause after one of them failed with an unexpected error."""


class _Done(NamedTuple):
    """A write that was decided, and appended if it has records.

    Attributes:
        appends: whether it has.
        is_repeated: whether an earlier attempt did so.
    """

    response: Any
    offset: Offset
    appends: bool
    is_repeated: bool = False


class ControllerLoop(MetadataPublisher):
    """Drive one :class:`~kraftpy.controller.Controller` on behalf of clients.

    Attributes:
        figures: what is measured here.
        failovers: how long it took until this controller was active, each time.
        refuses_growth: why nothing may make the state larger now; ``None`` while it may.
    """

    name = "controller"

    def __init__(
        self,
        *,
        controller: Controller,
        replica: Replica,
        state_machine: StateMachine,
        inbox: Inbox,
        bootstrap: tuple[Record, ...] | None,
        clock_ms: Callable[[], int] = lambda: 0,
        errors: RequestErrors | None = None,
    ) -> None:
        self.controller = controller
        self._replica = replica
        self._state_machine = state_machine
        self._inbox = inbox
        self._bootstrap = bootstrap
        self._clock_ms = clock_ms
        self._refused = 0
        self._bytes = ByteBudget(SUBMISSIONS_BYTES_MAX)
        self._errors = errors or RequestErrors()
        self._pending: deque[QueuedWrite] = deque()
        self._large: LargeWrite | None = None
        self._deferred: deque[QueuedWrite] = deque()
        self.figures = ControllerFigures()
        self.failovers = FailoverPhases()
        self.refuses_growth: str | None = None
        self._waiters = Waiters(self.figures.commit_latencies)
        # The writes among those that wait for a commit whose calls are traced.
        self._traced: deque[tuple[Offset, WriteTrace]] = deque()
        self._elected: Elected | None = None
        self._start_by_ms: int | None = None
        # No write that waits is due sooner; one that was answered meanwhile may have been.
        self._due_ms: int | None = None
        self._completed = CompletedRequests()
        self._epoch_start_offset: Offset = -1
        self._broker_events = BrokerEventLog(clock_ms)
        self._appender = RecordAppender(
            controller, replica, self._note_defect, self._step_down, self._broker_events.appended
        )
        self._tick_not_before_ms = 0
        # Until then heartbeats wait for each other; 0 when the next one need not wait.
        self._share_until_ms = 0
        # Whether something waits to be decided that does not wait for that.
        self._has_urgent = False
        # When the clock was read last: each operation begins where the one before it ended.
        self._read_ms = 0
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many writes wait to be decided or committed."""
        return len(self._pending) + len(self._deferred) + len(self._waiters) + (self._large is not None)

    @property
    def active_epoch(self) -> Epoch | None:
        """The epoch in which this controller is active; ``None`` while it is not."""
        return self.controller.epoch if self.controller.active else None

    def answers_given(self, epoch: Epoch) -> int | None:
        """Return how many answers were given in an epoch that this node leads; ``None`` in any other."""
        if self._replica.role is not Role.LEADER or self._replica.epoch != epoch:
            return None
        return self._completed.sequence if self.active_epoch == epoch else 0

    # ---------------------------------------------------------------- clients

    def limit_uses(self) -> tuple[LimitUse, ...]:
        """Return how many writes are queued, their bytes, the clients whose quotas count, and what was refused."""
        held, buckets = self._bytes, self.controller.mutations.buckets
        return (
            LimitUse("waiting writes", self.waiting, SUBMISSIONS_MAX, self._refused),
            LimitUse("waiting write bytes", held.used, held.bytes_max, held.refused),
            LimitUse("mutation quota clients", len(buckets), buckets.entities_max, buckets.displaced),
        )

    def submit(
        self, submissions: Sequence[WriteRequest], now_ms: int, on_outcomes: Callable[[list[Outcome]], None]
    ) -> WriteGroup:
        """Queue these writes; ``on_outcomes`` is called once, with all their outcomes in order.

        Raises:
            BusyError: the queue is full; none of the writes was taken.
        """
        self._check_room(len(submissions), sum(one.size for one in submissions))
        group = WriteGroup(len(submissions), on_outcomes)
        for index, submission in enumerate(submissions):
            self._queue(submission, now_ms, partial(group.settle, index), group)
        return group

    def submit_one(self, submission: WriteRequest, on_outcome: Callable[[Outcome], None]) -> None:
        """Queue one write; ``on_outcome`` is called once, with its outcome.

        Raises:
            BusyError: the queue is full; the write was not taken.
        """
        self._check_room(1, submission.size)
        self._queue(submission, self._clock_ms(), on_outcome, None)

    def _check_room(self, count: int, size: int) -> None:
        """Reserve space for this number of writes and bytes; each write releases its bytes when it is settled.

        Raises:
            BusyError: the limit is reached.
        """
        if self.waiting + count > SUBMISSIONS_MAX:
            self._refused += count
            raise BusyError(f"{self.waiting} writes wait for the controller already (limit {SUBMISSIONS_MAX})")
        held = self._bytes
        if not held.take(size):
            raise BusyError(f"{held.used} bytes of writes wait for the controller already (limit {held.bytes_max})")

    def _settle_counted(self, size: int, settle: Callable[[Outcome], None], outcome: Outcome) -> None:
        self._bytes.give_back(size)
        settle(outcome)

    def _queue(
        self, submission: WriteRequest, now_ms: int, settle: Callable[[Outcome], None], group: WriteGroup | None
    ) -> None:
        deadline_ms = None if submission.timeout_ms is None else now_ms + submission.timeout_ms
        if submission.size:
            settle = partial(self._settle_counted, submission.size, settle)
        if submission.noted is not None:
            settle = partial(_settle_noted, submission.noted, settle)
        self._pending.append(QueuedWrite(submission, settle, deadline_ms, now_ms, group))
        if deadline_ms is not None and (self._due_ms is None or deadline_ms < self._due_ms):
            self._due_ms = deadline_ms
        if self._closed:
            self._turn_away()
        if now_ms >= self._share_until_ms or not _can_wait(submission.request):
            self._has_urgent = True
            self._inbox.wake()

    # ---------------------------------------------------------------- the driver's turn

    def before_ready(self, now_ms: int) -> None:
        """Activate when it is time, decide what is queued, and do what is due."""
        rules = self._replica.role is Role.LEADER and self._replica.epoch == self.controller.epoch
        if self.controller.active and not rules:
            # The event waits for a slow disk; clients need not.
            self._step_down()
        self.failovers.committed(self._replica.high_watermark, now_ms)
        self._maybe_activate(now_ms)
        self._broker_events.flush()
        self._answer_confirmed(self._state_machine.image.provenance.offset)
        self._waiters.refuse_unconfirmed(now_ms)
        # Where the controller's own work took several turns, the writes that were deferred for it come before its next.
        was_own = self._large is not None and self._large.write is None
        if not self._waits_to_start(now_ms):
            self._decide_some(now_ms)
            if self._pending or self._goes_on(now_ms):
                self._inbox.wake()
        elif self._due_ms is not None and now_ms > self._due_ms:
            self._refuse_late(now_ms)
        is_free = self._large is None and not (was_own and self._pending)
        if self.controller.active and is_free and now_ms >= self._tick_not_before_ms:
            self._do_what_is_due(now_ms)
        if now_ms >= self._share_until_ms:
            self._share_until_ms = 0
            if self._waiters.sharing:
                self._confirm_shared(now_ms)

    def _decide_some(self, now_ms: int) -> None:
        self._read_ms = self._clock_ms()
        ends_ms = self._read_ms + DECIDING_MS
        is_occupied = self._large is not None
        if is_occupied:
            self._continue_large(now_ms, ends_ms - DECIDING_MS // 2)
            ends_ms = self._read_ms + DECIDING_MS // 2
        for _ in range(min(len(self._pending), DECISIONS_PER_TURN_MAX)):
            pending = self._pending.popleft()
            if is_occupied:
                is_begun = self._decide_without_log(pending, now_ms)
            else:
                is_begun = self._decide(pending, now_ms, ends_ms)
                is_occupied = self._large is not None
            began_ms, self._read_ms = self._read_ms, self._clock_ms()
            if is_begun:
                self._count_begun(pending, began_ms)
            if self._read_ms >= ends_ms:
                break
        if self._large is None:
            self._recall_deferred()
        self._has_urgent = bool(self._pending)

    def _time_spent(self) -> int:
        """Read the clock, and return how long ago that was done before (ms)."""
        before_ms, self._read_ms = self._read_ms, self._clock_ms()
        return self._read_ms - before_ms

    def _count_begun(self, pending: QueuedWrite, began_ms: int) -> None:
        """Count how long a write waited, and how long it took unless it goes on as the large one."""
        self.figures.queue_times.add(began_ms - pending.arrived_ms)
        spent_ms, large = self._read_ms - began_ms, self._large
        if large is not None and large.write is pending:
            large.spent_ms = spent_ms
        else:
            self.figures.processing_times.add(spent_ms)

    def _recall_deferred(self) -> None:
        """Let those that were deferred for a large write come next, in their order."""
        self._pending.extendleft(reversed(self._deferred))
        self._deferred.clear()

    def _goes_on(self, now_ms: int) -> bool:
        """Return whether the next turn can do something about the large write."""
        return self._large is not None and (self._large.prepared is None or now_ms >= self._tick_not_before_ms)

    def _refuse_late(self, now_ms: int) -> None:
        """Answer those whose time is over while all wait for the controller to start."""
        waiting, self._pending, self._due_ms = self._pending, deque(), None
        for pending in waiting:
            if pending.deadline_ms is None or now_ms <= pending.deadline_ms:
                self._pending.append(pending)
            elif pending.is_abandoned:
                self._bytes.give_back(pending.submission.size)
            else:
                self._time_out(pending)
        self._due_ms = min((one.deadline_ms for one in self._pending if one.deadline_ms is not None), default=None)

    def _time_out(self, pending: QueuedWrite) -> None:
        self.figures.timed_out += 1
        self.figures.timed_out_heartbeats += type(pending.submission.request) is BrokerHeartbeat
        pending.settle(_time_is_over())

    def _do_what_is_due(self, now_ms: int) -> None:
        """Run the decisions that the controller makes on its own."""
        self._read_ms = self._clock_ms()
        for _ in range(TICK_RESULTS_MAX):
            large = LargeWrite(None, self._appender.last_appended)
            large.slices = self.controller.tick_in_slices(now_ms)
            is_due = self._decide_own(large, now_ms, self._read_ms + DECIDING_MS)
            spent_ms = self._time_spent()
            if self._is_occupied():
                large.spent_ms = spent_ms
                self._inbox.wake()
                break
            if not is_due:
                break
            self.figures.processing_times.add(spent_ms)
            if now_ms < self._tick_not_before_ms:
                break

    def _decide_own(self, large: LargeWrite, now_ms: int, ends_ms: int) -> bool:
        """Go on with what the controller decides on its own, and append it; return whether there was anything to do.

        It stays the large write until it is decided, and appended. An unexpected error is logged, and the decision is
        retried later: clients' requests do not depend on it, and another controller would fail in the same way.
        """
        assert large.slices is not None
        try:
            result = self._slices_until(large.slices, ends_ms)
        except Exception as error:  # noqa: BLE001 - whatever a defect raises; what must stop the node is let through
            self._note_defect(TICK, error)
            self._tick_not_before_ms = now_ms + TICK_ERROR_RETRY_MS
            return False
        if result is None:
            return False
        if not isinstance(result, ControllerResult):
            self._large = large
            return True
        self.figures.own_decisions += 1
        if len(result.records) > self.controller.records_per_part and result.is_divisible:
            large.decided(result)
            self._large = large
            return True
        refusal = self._append(result, now_ms)
        if refusal is not None:
            self._tick_not_before_ms = now_ms + _retry_ms(refusal)
        return True

    def next_deadline_ms(self) -> int | None:
        """Return when the controller wants to be asked again (ms)."""
        # The only voter has no peer whose message would bring the turn in which it becomes active.
        if self._activation_due() is not None:
            return 0
        if self._large is not None:
            return 0 if self._large.prepared is None else self._tick_not_before_ms
        if self._pending and self._start_by_ms is None and (self._has_urgent or not self._share_until_ms):
            return 0
        if self._pending and self._start_by_ms is not None:
            return self._start_by_ms if self._due_ms is None else min(self._start_by_ms, self._due_ms + 1)
        deadline_ms = self.controller.next_deadline_ms() if self.controller.active else None
        if deadline_ms is not None:
            deadline_ms = max(deadline_ms, self._tick_not_before_ms)
        confirm_by_ms = self._waiters.next_deadline_ms
        if confirm_by_ms is not None:
            deadline_ms = confirm_by_ms if deadline_ms is None else min(deadline_ms, confirm_by_ms)
        if self._share_until_ms:
            # What comes until then does not wake the driver.
            deadline_ms = self._share_until_ms if deadline_ms is None else min(deadline_ms, self._share_until_ms)
        return deadline_ms

    def on_event(self, event: Event) -> None:
        """Follow the replica's role."""
        self.failovers.on_event(event, self._replica.leader_heard_ms, self._clock_ms())
        if isinstance(event, Elected):
            self._elected = event
        elif isinstance(event, RoleChanged) and event.after is not Role.LEADER:
            self._step_down()
        elif isinstance(event, VotersChanged):
            self._report_to_quorum()

    def halt(self) -> None:
        """Stop to decide: a committed record cannot be applied, so what is decided could never be answered."""
        self._step_down()

    # ---------------------------------------------------------------- publishers

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Let go of speculative state that has become committed."""
        del delta, manifest
        offset = image.provenance.offset
        if self.controller.active:
            self.controller.committed(offset, image)
        while self._traced and self._traced[0][0] <= offset:
            self._traced.popleft()[1].committed()

    def close(self) -> None:
        """Fail every waiter because the node stops."""
        self._closed = True
        self._step_down()
        self._turn_away()

    def _turn_away(self) -> None:
        self._recall_deferred()
        pending, self._pending = self._pending, deque()
        for one in pending:
            stopped = ApiError(ErrorCode.NOT_CONTROLLER, "the node stops, and did not come to the request")
            one.settle(stopped)

    def answer(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Answer every write whose records are in ``image``: the last publisher of all."""
        del delta, manifest
        offset = image.provenance.offset
        self._broker_events.committed(offset)
        if self._waiters.committing:
            self._waiters.answer_committed(offset, self._clock_ms())
        self._answer_confirmed(offset)

    def _answer_confirmed(self, published: Offset) -> None:
        """Answer every success without records that is published, and whose ticket is confirmed."""
        if self._waiters.confirming:
            # Lost leadership fails the waiters where this loop steps down.
            confirmed = self._replica.confirmed(self.controller.epoch) or 0
            self._waiters.answer_confirmed(confirmed, published)

    # ---------------------------------------------------------------- becoming and ceasing to be active

    def _activation_due(self) -> Elected | None:
        """Return the election to activate for, once everything before that leader epoch is committed and loaded."""
        elected, loaded = self._elected, self._state_machine
        if (
            elected is None
            or loaded.halted is not None
            or self.controller.active
            or self._replica.role is not Role.LEADER
            # An election reported late because of a slow disk may belong to a leadership lost, and won again, since.
            or self._replica.epoch != elected.epoch
            # The leadership may end before activation; if the successor does not become leader, activation follows
            # later.
            or self._replica.hands_over
        ):
            return None
        return elected if loaded.next_offset > elected.epoch_start_offset and loaded.caught_up_once else None

    def _waits_to_start(self, now_ms: int) -> bool:
        """Return whether this controller will be active in a moment, so that what is asked of it waits until then."""
        is_starting = self._replica.role is Role.LEADER and not self.controller.active
        if not is_starting or self._state_machine.halted is not None or self._closed:
            self._start_by_ms = None
            return False
        if self._start_by_ms is None:
            self._start_by_ms = now_ms + STARTING_MS
        return now_ms < self._start_by_ms

    def _maybe_activate(self, now_ms: int) -> None:
        elected = self._activation_due()
        if elected is None:
            return
        self._elected = None
        self._epoch_start_offset = elected.epoch_start_offset
        self._appender.last_appended = self._state_machine.next_offset - 1
        self._report_to_quorum()
        try:
            result = self.controller.activate(
                now_ms=now_ms,
                epoch=elected.epoch,
                image=self._state_machine.image,
                next_offset=self._replica.log_end_offset,
                cluster_id=self._replica.cluster_id,
                bootstrap=self._bootstrap,
                open_transaction=self._state_machine.in_transaction,
            )
        except ApiError as error:
            raise ConfigError(f"this controller was elected but cannot serve the log: {error.message}") from error
        if result.records and self._append(result, now_ms) is not None and self.controller.active:
            raise ConfigError("this controller was elected but its log does not take the records that it starts with")
        if self.controller.active:
            # The beginning of its epoch is committed: from here on it decides.
            self.failovers.activated(self._clock_ms())
            _log.info("became_active_controller", epoch=elected.epoch, next_offset=self._appender.last_appended + 1)

    def _report_to_quorum(self) -> None:
        """Pass to the controller what only the quorum knows."""
        voters = frozenset(self._replica.voters.ids)
        self.controller.quorum_changed(QuorumFacts(voters, self._replica.kraft_version))

    def _step_down(self) -> None:
        self._elected = None
        if self.controller.active:
            self.controller.resign()
        self._completed.clear()
        self._broker_events.give_up()
        self._give_up_large()
        self._traced.clear()
        self._waiters.give_up()

    def _give_up_large(self) -> None:
        """Answer the writer of a large write that this controller does not complete."""
        large, self._large = self._large, None
        self._recall_deferred()
        if large is None or large.write is None:
            return
        large.write.settle(
            ApiError(
                ErrorCode.NOT_CONTROLLER,
                "this node ceased to be the controller before the whole write was appended: nothing of it takes effect",
            )
            if large.takes_effect_whole
            else OutcomeUnknownError("a part of the write may take effect, the rest will not")
        )

    # ---------------------------------------------------------------- one write

    def _decide(self, pending: QueuedWrite, now_ms: int, ends_ms: int) -> bool:
        """Decide a write, or begin to; return whether it was in time, and its client is there."""
        if pending.is_abandoned:
            self._bytes.give_back(pending.submission.size)
            return False
        if pending.deadline_ms is not None and now_ms > pending.deadline_ms:
            self._time_out(pending)
            return False
        pending.began_ms = self._read_ms
        self._try(pending, partial(self._begin, pending, now_ms, ends_ms), now_ms)
        return True

    def _try(self, pending: QueuedWrite, do: Callable[[], _Done | None], now_ms: int) -> None:
        """Do something for a write: answer it if that fails, or see to it that it is answered if it is done."""
        meter = pending.submission.meter
        if meter is None:
            self._try_unmeasured(pending, do, now_ms)
        else:
            with meter:
                self._try_unmeasured(pending, do, now_ms)

    def _try_unmeasured(self, pending: QueuedWrite, do: Callable[[], _Done | None], now_ms: int) -> None:
        try:
            done = do()
        except ApiError as error:
            pending.settle(_without_frames(error))
        except Exception as error:  # noqa: BLE001 - no request ends the process
            kind = type(pending.submission.request).__name__
            self._note_defect(kind, error)
            pending.settle(
                OutcomeUnknownError(f"a defect of the controller ({type(error).__name__}); its log has the details")
            )
        else:
            if done is not None:
                self._keep_waiting(pending, done, now_ms)

    def _keep_waiting(self, pending: QueuedWrite, done: _Done, now_ms: int) -> None:
        response = cast(ControllerResponse, done.response)
        committed = Committed(response, done.offset, self.controller.epoch, self._completed.sequence)
        trace = pending.submission.trace
        if trace is not None:
            trace.decided(done.offset, self.controller.epoch, appends=done.appends)
            if done.appends:
                self._traced.append((done.offset, trace))
        if done.appends:
            self._wait(pending, done.offset, committed)
            return
        self._waiters.sharing.append(Sharing(pending, committed, done.is_repeated))
        if type(pending.submission.request) is not BrokerHeartbeat:
            self._confirm_shared(now_ms)

    def _begin(self, pending: QueuedWrite, now_ms: int, ends_ms: int) -> _Done | None:
        """Decide a write and append its records; ``None`` when that goes on in the next turn."""
        submission = pending.submission
        self._check_active()
        known = self._completed.find(submission.request_id) if submission.request_id else None
        if known is not None:
            known.check_answers(submission.request)
            return _Done(known.response, known.offset, appends=False, is_repeated=True)
        if submission.stamp is not NO_STAMP and not submission.request.validate_only:
            self._check_was_not_done(submission)
        # Not before: what an earlier leader may have done must not be refused as if it were not.
        self._check_may_grow(submission)
        large = LargeWrite(pending, self._appender.last_appended)
        begun = self._decided(submission, partial(self.controller.begin, now_ms, submission.request))
        if isinstance(begun, ControllerResult):
            return self._take_result(large, begun, now_ms)
        large.slices = begun
        return self._go_on(large, now_ms, ends_ms)

    def _take_result(self, large: LargeWrite, result: ControllerResult, now_ms: int) -> _Done | None:
        """Append what was decided, or begin to."""
        assert large.write is not None
        if result.is_divisible and len(result.records) > self.controller.records_per_part:
            large.decided(result)
            self._large = large
            return None
        return self._carry_out(large.write.submission, result, now_ms)

    # ---------------------------------------------------------------- a write that takes several turns

    def _continue_large(self, now_ms: int, ends_ms: int) -> None:
        """Do what one turn may for the large write."""
        large, self._large = self._large, None
        assert large is not None
        large.spare_collector()
        if large.write is not None:
            self._try(large.write, partial(self._go_on, large, now_ms, ends_ms), now_ms)
        else:
            self._continue_own(large, now_ms, ends_ms)
        large.spent_ms += self._time_spent()
        if not self._is_occupied():
            self.figures.processing_times.add(large.spent_ms)

    def _continue_own(self, large: LargeWrite, now_ms: int, ends_ms: int) -> None:
        """Do what one turn may for a large write of the controller's own."""
        if large.slices is not None:
            self._decide_own(large, now_ms, ends_ms)
            return
        try:
            self._go_on(large, now_ms, ends_ms)
        except ApiError as error:
            _log.debug("own_records_not_appended", reason=str(error))
            was_aborted = large.is_begun and self.controller.active
            self._tick_not_before_ms = now_ms + (TICK_ERROR_RETRY_MS if was_aborted else _retry_ms(error))

    def _is_occupied(self) -> bool:
        """Return whether a large write goes on.

        By a call: the type checker, and so the compiled form, takes it that an attribute stays what was last assigned.
        """
        return self._large is not None

    def _go_on(self, large: LargeWrite, now_ms: int, ends_ms: int) -> _Done | None:
        """Go on deciding, or append the next part; the write stays the large one until that is done."""
        if large.slices is not None:
            assert large.write is not None
            submission = large.write.submission
            result = self._decided(submission, partial(self._slices_until, large.slices, ends_ms))
            if isinstance(result, ControllerResult):
                return self._take_result(large, result, now_ms)
        else:
            self._append_part(large, now_ms)
        if not large.is_done:
            self._large = large
            return None
        assert large.result is not None
        if large.write is not None:
            self._remember(large.write.submission, large.result.response, self._appender.last_appended)
        return _Done(large.result.response, self._appender.last_appended, appends=True)

    def _slices_until(self, slices: Slices[T], ends_ms: int) -> T | Slices[T]:
        """Do slices of a decision, one at least; return its outcome, or what is left of it."""
        while True:
            try:
                next(slices)
            except StopIteration as end:
                outcome: T = end.value
                return outcome
            if self._clock_ms() >= ends_ms:
                return slices

    def _append_part(self, large: LargeWrite, now_ms: int) -> None:
        """Append the next part of a large write, if the log takes it now.

        Raises:
            ApiError: the write cannot go on; of a transaction nothing takes effect.
        """
        try:
            if large.prepared is None:
                large.prepared = self._prepared_part(large)
            part, values = large.prepared
            self._appender.propose(part, values, now_ms)
        except BusyError:
            # The next parts have to wait for the disk, or for the end of a transfer that fails; if it succeeds, the
            # next controller aborts.
            self._tick_not_before_ms = now_ms + TICK_RETRY_MS
        except ApiError as error:
            self._end_early(large, error, now_ms)
            if not self.controller.active and not large.takes_effect_whole:
                raise OutcomeUnknownError(f"a part of the write may take effect, the rest will not: {error}") from error
            raise
        else:
            large.appended(len(part.records))

    def _prepared_part(self, large: LargeWrite) -> tuple[ControllerResult, Sequence[bytes]]:
        part = large.next_part(large.next_records(self.controller.records_per_part))
        values = self._appender.encoded(part, large.kind)
        count = fitting(values)
        if count < len(values):
            part, values = large.next_part(part.records[:count]), values[:count]
        self._appender.rehearse(part, large.kind)
        return part, with_author(part.records, values, large.author)

    def _end_early(self, large: LargeWrite, error: ApiError, now_ms: int) -> None:
        """Leave nothing half done: abort a transaction, and never repeat what was appended otherwise."""
        if not self.controller.active or not large.is_begun:
            return
        if self.controller.in_transaction:
            _log.error("transaction_aborted", reason=str(error))
            if large.write is None:
                self.controller.cut_own_decisions()
            aborted = self._append(self.controller.abort(error.message), now_ms)
            if aborted is not None:
                # The log takes nothing, and must not go on inside the transaction: the next controller aborts it.
                self._replica.resign(now_ms, self.controller.epoch)
                self._step_down()
        elif large.write is not None:
            self._remember(large.write.submission, error, self._appender.last_appended)

    def _decide_without_log(self, pending: QueuedWrite, now_ms: int) -> bool:
        """Answer a heartbeat that changes nothing while a large write goes on; all else is deferred.

        Returns:
            Whether it was decided.
        """
        submission = pending.submission
        is_heartbeat = type(submission.request) is BrokerHeartbeat
        if not is_heartbeat or submission.request_id or pending.is_abandoned or not self.controller.active:
            self._deferred.append(pending)
            return False
        pending.began_ms = self._read_ms
        self._try(pending, partial(self._heartbeat_without_log, pending, now_ms), now_ms)
        return not self._deferred or self._deferred[-1] is not pending

    def _heartbeat_without_log(self, pending: QueuedWrite, now_ms: int) -> _Done | None:
        result = self._decided(pending.submission, partial(self.controller.begin, now_ms, pending.submission.request))
        if not isinstance(result, ControllerResult) or result.records:
            self._deferred.append(pending)
            return None
        large = self._large
        offset = (
            large.began_at if large is not None and self.controller.in_transaction else self._appender.last_appended
        )
        return _Done(result.response, offset, appends=False)

    def _decided(self, submission: WriteRequest, decide: Callable[[], T]) -> T:
        """Decide, or go on deciding, and map what may go wrong.

        Raises:
            ApiError: the request is refused, or the decision failed; nothing was written.
        """
        try:
            return decide()
        except ApiError:
            raise
        except BusyError as error:
            raise ApiError(ErrorCode.THROTTLING_QUOTA_EXCEEDED, str(error)) from error
        except Exception as error:
            raise self._appender.refuse_unexpected(type(submission.request).__name__, error) from error

    def _carry_out(self, submission: WriteRequest, result: ControllerResult, now_ms: int) -> _Done:
        """Append the records of a decision; remember the answer if the client may ask for it again."""
        before = self._appender.last_appended
        try:
            offset = before
            if result.kraft_version is not None:
                # What the quorum refuses is refused before anything is in the log.
                self._appender.upgrade_kraft_version(result.kraft_version, now_ms, validate_only=True)
            if result.records:
                kind = type(submission.request).__name__
                offset = self._appender.append(result, now_ms, kind, submission.author)
            if result.kraft_version is not None:
                validate_only = submission.request.validate_only
                offset = self._appender.upgrade_kraft_version(result.kraft_version, now_ms, validate_only=validate_only)
        except ApiError as error:
            if self._appender.last_appended == before:
                raise
            if not self.controller.active:
                raise OutcomeUnknownError(f"a part of the write may take effect, the rest will not: {error}") from error
            # A part of it is in the log: a repeated request must not write that part again.
            self._remember(submission, _without_frames(error), self._appender.last_appended)
            raise
        self._remember(submission, result.response, offset)
        return _Done(result.response, offset, appends=self._appender.last_appended != before)

    def _check_was_not_done(self, submission: WriteRequest) -> None:
        """Check that neither an earlier leader epoch nor this one can have done a write that is not remembered.

        Raises:
            ApiError: it may have been done, or it timed out.
        """
        epoch, stamp = self.controller.epoch, submission.stamp
        if self._completed.may_decide(stamp, epoch):
            return
        is_earlier = stamp.first_sent_epoch is not None and stamp.first_sent_epoch < epoch
        settled_offset = self._epoch_start_offset if is_earlier else self._appender.last_appended
        refusal = OutcomeForgottenError(submission.request_id, stamp, epoch, settled_offset)
        # A delayed attempt must not be executed after its client was advised to check and retry.
        self._remember(submission, refusal, settled_offset)
        raise refusal

    def _remember(self, submission: WriteRequest, response: object, offset: Offset) -> None:
        if submission.request_id and not submission.request.validate_only:
            self._completed.remember(submission.request_id, response, offset, submission.request)

    def _check_may_grow(self, submission: WriteRequest) -> None:
        """Check that the disk has space for a request.

        Raises:
            ApiError: it has not. While the leadership is being transferred its client is asked to try again instead.
        """
        reason = self.refuses_growth
        if reason is not None and not self._replica.hands_over and grows(submission.request):
            raise ApiError(ErrorCode.POLICY_VIOLATION, reason)

    def _check_active(self) -> None:
        if self.controller.active:
            return
        leader = self._replica.leader.leader_id
        if self._state_machine.halted is not None:
            raise ApiError(ErrorCode.NOT_CONTROLLER, f"no controller can be active: {self._state_machine.halted}")
        if leader == self._replica.key.node_id:
            raise ApiError(ErrorCode.NOT_CONTROLLER, f"the controller of epoch {self._replica.epoch} is still starting")
        known = (
            "No controller appears to be active."
            if leader is None
            else f"The active controller appears to be node {leader}."
        )
        raise ApiError(ErrorCode.NOT_CONTROLLER, known)

    def _wait(self, pending: QueuedWrite, offset: Offset, committed: Committed) -> None:
        """Keep a success until its records are committed and published here."""
        self._waiters.committing.append(Committing(offset, pending, committed, pending.began_ms))

    def _confirm_shared(self, now_ms: int) -> None:
        """Request one confirmation for all successes that wait for one and appended nothing."""
        sharing = self._waiters.sharing
        try:
            ticket = self._replica.request_confirmation(now_ms, self.controller.epoch)
        except NotLeaderError:
            self._step_down()
            return
        if len(sharing) > 1 and len(self._replica.voters) > 1:
            self._share_until_ms = now_ms + min(len(sharing) * HEARTBEAT_SHARE_MS, HEARTBEATS_SHARE_MS_MAX)
        deadline_ms = now_ms + CONFIRMING_MS_MAX
        while sharing:
            one = sharing.popleft()
            waiter = Confirming(ticket, one.committed.offset, one.write, one.committed, deadline_ms, one.is_repeated)
            self._waiters.confirming.append(waiter)
        self._answer_confirmed(self._state_machine.image.provenance.offset)

    def _append(self, result: ControllerResult, now_ms: int) -> ApiError | None:
        """Append what the controller decided on its own; return why the log did not take it, if it did not."""
        try:
            self._appender.append(result, now_ms, TICK)
        except ApiError as error:
            _log.debug("own_records_not_appended", reason=str(error))
            return error
        return None

    def _note_defect(self, kind: str, error: Exception) -> None:
        self._errors.note(kind, error)
        self.figures.defects += 1


def _settle_noted(noted: Callable[[Outcome], None], settle: Callable[[Outcome], None], outcome: Outcome) -> None:
    noted(outcome)
    settle(outcome)


def _can_wait(request: object) -> bool:
    """Return whether a request may be decided together with the heartbeats that come soon after it."""
    return isinstance(request, BrokerHeartbeat) and not (request.want_shutdown or request.offline_log_dirs)


def _without_frames(refusal: ApiError) -> ApiError:
    """Return a refusal that waits to be sent, without the frames that it came from: they hold the whole decision."""
    refusal.__context__ = refusal.__cause__ = None
    return refusal.with_traceback(None)


def _time_is_over() -> ApiError:
    return ApiError(ErrorCode.REQUEST_TIMED_OUT, "the time was over before the controller came to the request")


def _retry_ms(refusal: ApiError) -> int:
    """Return how long an own decision pauses that the log did not take: longer after a defect."""
    return TICK_ERROR_RETRY_MS if refusal.code is ErrorCode.UNKNOWN_SERVER_ERROR else TICK_RETRY_MS
