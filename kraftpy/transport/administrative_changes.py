"""One log line for each administrative change that a client asked for; for both wires.

The event ``administrative_change_requested`` is logged by the controller that decided the request, once its outcome is
known, whether its client waits for that or not. It has what was asked and by whom; which requests are meant, and what
is named of each, is in :mod:`~kraftpy.transport.change_kinds`. Not logged are dry runs, requests for another
controller, and what was rejected as a whole before the controller saw it: denials of the authorizer and of identity
checks have log lines of their own.

A line is made of what clients chose, and they can cause lines as fast as they can send. So each value is bounded and
without control characters, and so is the number of lines in an interval, in total and of one caller. Requests of which
nothing was accepted, or which name nothing, have a small number of lines of their own, so that they displace no change.
Further changes are counted, and at the end of the interval ``administrative_changes_left_out`` has their number, by
caller.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from kraftpy.authorizer.actions import Caller
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.escaping import shortened
from kraftpy.model.offsets import Epoch, LeaderAndEpoch, Offset
from kraftpy.raft.messages import (
    AddRaftVoterRequest,
    AddRaftVoterResponse,
    RaftRequest,
    RaftResponse,
    RemoveRaftVoterResponse,
)
from kraftpy.transport.change_kinds import KINDS, TransferLeadership, some_of
from kraftpy.transport.node_api import Committed, Outcome, OutcomeUnknownError
from kraftpy.transport.request_errors import RequestErrors

LOG: Final = logging.getLogger("kraftpy.transport.administrative_changes")

NAMED_MAX: Final = 10
"""How many topics, resources or the like one line names; and how many callers."""

NAMED_CHARACTERS_MAX: Final = 300
"""How long each of these may be. A topic's name is never shortened."""

PRINCIPAL_CHARACTERS_MAX: Final = 300
"""How long the principal may be, the address, and the client id."""

INTERVAL_MS: Final = 10_000
"""In which time lines are counted."""

LINES_MAX: Final = 100
"""How many changes are logged in an interval, of those that were accepted at least in part or may have been."""

CALLER_LINES_MAX: Final = 50
"""How many of these are logged of one principal at one address: the changes of one other caller remain visible."""

REJECTED_LINES_MAX: Final = 20
"""How many requests are logged in an interval of which nothing was accepted, or which name nothing: any client can send
them, so they take no line from changes."""

CALLERS_COUNTED_MAX: Final = 100
"""How many callers are distinguished among the changes that are left out."""

RECENT_MAX: Final = 20
"""How many changes are remembered for the status page, the newest ones; rejected requests are none."""

OTHER_CALLERS: Final = ("", "")
"""The callers beyond these."""

OK: Final = "ok"
"""The outcome of a change all of which was accepted."""

UNKNOWN: Final = "unknown"
"""The outcome of a change that was abandoned, or that may or may not have taken effect."""

_MAY_BE_DONE: Final = frozenset({UNKNOWN, ErrorCode.REQUEST_TIMED_OUT.name})
"""How a transfer ends that may have taken place, or still may."""

_ELSEWHERE: Final = frozenset({ErrorCode.NOT_CONTROLLER, ErrorCode.NOT_LEADER_OR_FOLLOWER})
"""Another controller has to answer, and logs the change."""

NoteOutcome: TypeAlias = Callable[[Outcome], None]
NoteVoters: TypeAlias = Callable[[RaftResponse | None], None]


class CancelsTimer(Protocol):
    """A timer that was set."""

    def cancel(self) -> None:
        """Do not call."""
        ...


class RequestIds(NamedTuple):
    """How a request can be found in the log of its client.

    Attributes:
        request_id: of a gRPC client that may repeat the request; empty for none.
        correlation_id: in the header of Kafka's protocol, or the id of a session's request; ``None`` for none.
        client_id: what the client calls itself; empty for none.
    """

    request_id: bytes = b""
    correlation_id: int | None = None
    client_id: str = ""


NO_IDS: Final = RequestIds()
"""Of a request that has none."""


class _Asked(NamedTuple):
    """A change whose outcome is not known yet."""

    request: Any
    caller: Caller
    principal: str
    ids: RequestIds = NO_IDS


class RecentChange(NamedTuple):
    """A change that was accepted at least in part, or may have been.

    Attributes:
        at_ms: when its outcome was known, by the node's clock.
        facts: those of its log line.
    """

    at_ms: int
    facts: Mapping[str, object]


def is_change(request: Any) -> bool:
    """Return whether a request of the controller is an administrative change."""
    return type(request) in KINDS and not request.validate_only


def is_voter_change(request: RaftRequest) -> bool:
    """Return whether a request of Raft's is an administrative change."""
    return type(request) in KINDS


class AdministrativeChanges:
    """The log of one node's administrative changes; both wires share it, and its limits.

    Args:
        now_ms: the node's clock.
        errors: where unexpected errors are recorded: outcomes are noted in the driver's turn.
        call_later: sets a timer, by default of the running loop (seconds, and what to call).
        names_authors: whether the records of a change name who asked for it (``records.authors``).

    Attributes:
        recent: the last changes that had a line of their own, the newest one last.
    """

    def __init__(
        self,
        now_ms: Callable[[], int] = lambda: 0,
        errors: RequestErrors | None = None,
        call_later: Callable[[float, Callable[[], None]], CancelsTimer] | None = None,
        *,
        names_authors: bool = False,
    ) -> None:
        self.names_authors = names_authors
        self._now_ms = now_ms
        self._errors = errors or RequestErrors()
        self._call_later = call_later or (lambda delay_s, do: asyncio.get_running_loop().call_later(delay_s, do))
        self._started_ms = 0
        self._lines = 0
        self._rejected_lines = 0
        self._lines_of: dict[tuple[str, str], int] = {}
        self._left_out: Counter[tuple[str, str]] = Counter()
        self._timer: CancelsTimer | None = None
        self.recent: deque[RecentChange] = deque(maxlen=RECENT_MAX)

    # ---------------------------------------------------------------- what is followed

    def follow(
        self,
        request: Any,
        caller: Caller,
        principal: str,
        ids: RequestIds,
        complete: Callable[[Outcome], Outcome],
    ) -> NoteOutcome:
        """Return what is called with the outcome of an administrative change.

        Args:
            request: as it was asked.
            caller: who asks, and from where.
            principal: the caller as access control entries name it.
            ids: how the client finds it.
            complete: adds to the response of an outcome what the controller did not see.
        """
        return partial(self._decided, _Asked(request, caller, principal, ids), complete)

    def follow_voters(
        self, request: RaftRequest, caller: Caller, principal: str, ids: RequestIds = NO_IDS
    ) -> NoteVoters:
        """Return what is called with the response to a change of the voters; with ``None`` if the client left."""
        return partial(self._voters, _Asked(request, caller, principal, ids))

    def transferred(
        self,
        request: TransferLeadership,
        caller: Caller,
        principal: str,
        end: LeaderAndEpoch | str,
        ids: RequestIds = NO_IDS,
    ) -> None:
        """Log what became of a transfer: who leads now, or an outcome."""
        asked = _Asked(request, caller, principal, ids)
        outcome, epoch = (end, None) if isinstance(end, str) else (OK, end.epoch)
        is_rejected = isinstance(end, str) and end not in _MAY_BE_DONE
        self._note(asked, lambda: _line(asked, outcome, epoch=epoch), is_rejected=is_rejected)

    def _decided(self, asked: _Asked, complete: Callable[[Outcome], Outcome], outcome: Outcome) -> None:
        if isinstance(outcome, OutcomeUnknownError):
            self._note(asked, lambda: _line(asked, UNKNOWN))
        elif not isinstance(outcome, ApiError):
            self._note_committed(asked, complete, outcome)
        elif outcome.code not in _ELSEWHERE:
            self._note(asked, lambda: _line(asked, outcome.code.name), is_rejected=True)

    def _note_committed(self, asked: _Asked, complete: Callable[[Outcome], Outcome], outcome: Committed) -> None:
        """Log a request that the controller decided, item by item.

        Most requests of a flood have no line, so what a line needs is only done for one: here it is only found out
        whether something was accepted. What the controller did not see was not.
        """
        try:
            # A request that names nothing changes nothing, and needs no permission: it takes no line from changes.
            is_rejected = ErrorCode.NONE not in KINDS[type(asked.request)].codes(outcome.response)
        except Exception as error:  # noqa: BLE001 - no request ends the process
            self._errors.note("AdministrativeChange", error)
            return
        self._note(asked, lambda: _committed(asked, complete(outcome)), is_rejected=is_rejected)

    def _voters(self, asked: _Asked, response: RaftResponse | None) -> None:
        if not isinstance(response, AddRaftVoterResponse | RemoveRaftVoterResponse):
            self._note(asked, lambda: _line(asked, UNKNOWN))
            return
        # An observer that joins by itself does not wait for the commit, and repeats what is refused.
        is_retried = isinstance(asked.request, AddRaftVoterRequest) and not asked.request.ack_when_committed
        if response.error is ErrorCode.NONE:
            self._note(asked, lambda: _line(asked, OK, offset=response.offset))
        elif response.error not in _ELSEWHERE and not is_retried:
            self._note(asked, lambda: _line(asked, response.error.name), is_rejected=True)

    # ---------------------------------------------------------------- lines

    def _note(self, asked: _Asked, line: Callable[[], Mapping[str, object]], *, is_rejected: bool = False) -> None:
        """Log and remember a change, unless too many were logged; only then its line is made."""
        try:
            if not self._admits(asked, is_rejected=is_rejected):
                return
            facts = line()
            LOG.info("administrative_change_requested", extra={"facts": facts})
            if not is_rejected:
                self.recent.append(RecentChange(self._now_ms(), facts))
        except Exception as error:  # noqa: BLE001 - no request ends the process
            self._errors.note("AdministrativeChange", error)

    def _admits(self, asked: _Asked, *, is_rejected: bool) -> bool:
        """Count a change; return whether it is logged."""
        now_ms = self._now_ms()
        if not 0 <= now_ms - self._started_ms < INTERVAL_MS:
            self.flush()
            self._started_ms = now_ms
            self._lines = self._rejected_lines = 0
            self._lines_of.clear()
        caller = (asked.principal, asked.caller.host)
        if is_rejected:
            if self._rejected_lines < REJECTED_LINES_MAX:
                self._rejected_lines += 1
                return True
        else:
            lines = self._lines_of.get(caller, 0)
            if self._lines < LINES_MAX and lines < CALLER_LINES_MAX:
                self._lines += 1
                self._lines_of[caller] = lines + 1
                return True
        if self._timer is None:
            self._timer = self._call_later((self._started_ms + INTERVAL_MS - now_ms) / 1_000, self.flush)
        is_counted = caller in self._left_out or len(self._left_out) < CALLERS_COUNTED_MAX
        self._left_out[caller if is_counted else OTHER_CALLERS] += 1
        return False

    def flush(self) -> None:
        """Log how many changes were left out, if any were."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._left_out:
            return
        callers, self._left_out = self._left_out.most_common(), Counter()
        if not LOG.isEnabledFor(logging.INFO):
            # Where no change is logged, none is missing.
            return
        facts = {
            "count": sum(count for _, count in callers),
            "seconds": INTERVAL_MS // 1_000,
            "callers": some_of(callers, NAMED_MAX, _counted),
        }
        LOG.warning("administrative_changes_left_out", extra={"facts": facts})


def _counted(caller: tuple[tuple[str, str], int]) -> str:
    (principal, host), count = caller
    if caller[0] == OTHER_CALLERS:
        return f"{count} of other callers"
    return f"{count} of {shortened(principal, PRINCIPAL_CHARACTERS_MAX)} at {shortened(host, PRINCIPAL_CHARACTERS_MAX)}"


def _committed(asked: _Asked, outcome: Outcome) -> Mapping[str, object]:
    """Return the line of a request that the controller decided; without an offset where all of it was rejected."""
    assert isinstance(outcome, Committed)
    counts = Counter(KINDS[type(asked.request)].codes(outcome.response))
    offset = outcome.offset if ErrorCode.NONE in counts else None
    return _line(asked, _counts(counts), outcome.response, offset=offset)


def _line(
    asked: _Asked, outcome: str, response: object = None, *, offset: Offset | None = None, epoch: Epoch | None = None
) -> Mapping[str, object]:
    """Return the facts of a line, none longer than its limit; texts that clients choose come last."""
    kind, ids = KINDS[type(asked.request)], asked.ids
    facts = {
        "request": kind.name,
        "outcome": outcome,
        "offset": offset,
        "epoch": epoch,
        "client": shortened(asked.caller.host, PRINCIPAL_CHARACTERS_MAX),
        "forwarded": asked.caller.is_forwarded or None,
        "request_id": ids.request_id.hex() or None,
        "correlation_id": ids.correlation_id,
        "client_id": shortened(ids.client_id, PRINCIPAL_CHARACTERS_MAX) or None,
        "principal": shortened(asked.principal, PRINCIPAL_CHARACTERS_MAX),
        "about": some_of(
            kind.items(asked.request, response),
            NAMED_MAX,
            lambda item: shortened(kind.shown(item), NAMED_CHARACTERS_MAX),
        ),
    }
    return {name: fact for name, fact in facts.items() if fact is not None}


def _counts(counts: Counter[ErrorCode]) -> str:
    """Return ``ok``, or each error with its count, the most frequent ones first."""
    errors = [f"{code.name} {count}" for code, count in counts.most_common() if code is not ErrorCode.NONE]
    successes = counts[ErrorCode.NONE]
    if not errors:
        return OK
    return ", ".join([f"{OK} {successes}", *errors] if successes else errors)
