"""What heartbeats and their absence do: fence, unfence, lead out in order, give up directories.

What happens to a broker is one change: a batch, or a metadata transaction where it needs several. Only where no
transaction can hold it, or the level has none, there are several changes. So order matters within the records: cut
anywhere, what was appended holds by itself, and the next heartbeat or tick does the rest. A fenced broker first loses
its partitions, then is fenced; an unfenced one is unfenced first, then leads.

Stale brokers are fenced one at a time, so that each sees what the fencing of the one before left of the ISRs.

Source: Kafka ``ReplicationControlManager.processBrokerHeartbeat``; KIP-631; controller reference §10, §12.9.
"""

from __future__ import annotations

from kraftpy.controller.broker_events import (
    ASKED_FOR,
    CONTROLLED_SHUTDOWN,
    SESSION_TIMED_OUT,
    BrokerEvent,
    BrokerEventKind,
)
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.directory_reports import DirectoryChanges, directory_changes
from kraftpy.controller.heartbeats import BrokerSession, HeartbeatFacts, HeartbeatState, next_state
from kraftpy.controller.isr_changes import arrivals, departures
from kraftpy.controller.registration import check_broker_epoch
from kraftpy.controller.requests import BrokerHeartbeat, BrokerHeartbeatResponse
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import Slices
from kraftpy.image.registrations import BrokerRegistration
from kraftpy.records.codec import Record
from kraftpy.records.metadata import BrokerRegistrationChangeRecord

FENCE, UNFENCE = 1, -1
ENTER_SHUTDOWN = 1


def heartbeat(view: DecisionContext, request: BrokerHeartbeat) -> Slices[ControllerResult]:
    """Note that a broker is alive and decide what becomes of it. Where no partition is concerned, that is one slice.

    Raises:
        ApiError: STALE_BROKER_EPOCH.
    """
    broker = check_broker_epoch(view.image, request.broker_id, request.broker_epoch)
    note = view.heartbeats.peek if request.validate_only else view.heartbeats.touch
    contact = note(request.broker_id, view.now_ms, request.metadata_offset)
    current = _current_state(broker, contact)
    observed = yield from _observe(view, request, broker, contact)
    following = next_state(current, observed)
    report = directory_changes(view.image, request, broker)
    records = tuple((yield from _records(view, broker, current, following, report)))
    return ControllerResult(
        records,
        BrokerHeartbeatResponse(
            is_caught_up=observed.caught_up,
            is_fenced=following.is_fenced,
            in_controlled_shutdown=following is HeartbeatState.CONTROLLED_SHUTDOWN,
            should_shut_down=following is HeartbeatState.SHUTDOWN_NOW,
        ),
        atomic=False,
        prefers_transaction=True,
        enters_shutdown=request.broker_id if _enters_shutdown(current, following) else None,
        broker_event=_event(request, broker, current, following, report) if records else None,
    )


def _current_state(broker: BrokerRegistration, contact: BrokerSession) -> HeartbeatState:
    if broker.fenced:
        return HeartbeatState.FENCED
    return HeartbeatState.CONTROLLED_SHUTDOWN if contact.is_shutting_down else HeartbeatState.UNFENCED


def _enters_shutdown(current: HeartbeatState, following: HeartbeatState) -> bool:
    return following is HeartbeatState.CONTROLLED_SHUTDOWN and current is not following


def _event(
    request: BrokerHeartbeat,
    broker: BrokerRegistration,
    current: HeartbeatState,
    following: HeartbeatState,
    report: DirectoryChanges,
) -> BrokerEvent | None:
    """Name what a heartbeat that writes something does to its broker; what it reports of directories goes with it."""
    after = report.after
    cordoned = after.cordoned_log_dirs or ()
    # The first heartbeat reports that none is cordoned, which is written, and no event.
    reports = (
        bool(report.lost)
        or after.saturated_log_dirs != broker.saturated_log_dirs
        or cordoned != (broker.cordoned_log_dirs or ())
    )
    facts: dict[str, object] = {}
    if following.is_fenced and not current.is_fenced:
        kind = BrokerEventKind.FENCED
        is_leaving = current is HeartbeatState.CONTROLLED_SHUTDOWN or request.want_shutdown
        facts["why"] = CONTROLLED_SHUTDOWN if is_leaving else ASKED_FOR
    elif current.is_fenced and not following.is_fenced:
        kind = BrokerEventKind.UNFENCED
    elif _enters_shutdown(current, following):
        kind = BrokerEventKind.SHUTTING_DOWN
    elif reports:
        kind = BrokerEventKind.LOG_DIRS
    else:
        return None
    if reports:
        facts["offline_log_dirs"] = tuple(sorted(report.lost))
        facts["saturated_log_dirs"] = after.saturated_log_dirs
        facts["cordoned_log_dirs"] = cordoned
    return BrokerEvent(kind, broker, facts)


def _observe(
    view: DecisionContext, request: BrokerHeartbeat, broker: BrokerRegistration, contact: BrokerSession
) -> Slices[HeartbeatFacts]:
    """Collect what the transition table asks for; partitions are searched only when it matters."""
    is_leaving = request.want_shutdown or contact.is_shutting_down
    # A snapshot does not have the offset of the registration; the broker epoch is never beyond it.
    registered_at = max(contact.registered_at, broker.broker_epoch)
    leads = is_leaving and (yield from view.replicas.leads_any(view.image, request.broker_id))
    return HeartbeatFacts(
        want_fence=request.want_fence,
        want_shutdown=request.want_shutdown,
        caught_up=request.metadata_offset >= registered_at,
        leads=leads,
        others_behind=contact.is_shutting_down and _others_are_behind(view, request, contact),
    )


def _others_are_behind(view: DecisionContext, request: BrokerHeartbeat, contact: BrokerSession) -> bool:
    """Return whether an active broker has not yet published that this one's partitions moved."""
    brokers = view.image.cluster.brokers
    others = (other for other, broker in brokers.items() if other != request.broker_id and not broker.fenced)
    return any(offset < contact.shutdown_offset for offset in view.heartbeats.offsets_of(others))


def _records(
    view: DecisionContext,
    broker: BrokerRegistration,
    current: HeartbeatState,
    following: HeartbeatState,
    report: DirectoryChanges,
) -> Slices[list[Record]]:
    """List the records, which may be cut anywhere: replicas leave before the registration changes, and return after."""
    broker_id = broker.broker_id
    if following.is_fenced and not current.is_fenced:
        return [*(yield from fence_records(view, broker)), *report.records]
    if following is HeartbeatState.UNFENCED and current is HeartbeatState.FENCED:
        unfence = _change(broker, fenced=UNFENCE)
        coming = yield from arrivals(view, broker_id, serves=report.serves)
        return [unfence, *report.records, *coming]
    if _enters_shutdown(current, following):
        shutdown = [] if broker.in_controlled_shutdown else [_change(broker, in_controlled_shutdown=ENTER_SHUTDOWN)]
        leaving = yield from departures(view, broker_id)
        return [*shutdown, *leaving, *report.records]
    leaving = coming = []
    if report.impaired:
        leaving = yield from departures(view, broker_id, directories=report.impaired)
    if report.usable and broker.is_active:
        coming = yield from arrivals(view, broker_id, serves=report.serves, directories=report.usable)
    return [*leaving, *report.records, *coming]


def fence_records(view: DecisionContext, broker: BrokerRegistration) -> Slices[list[Record]]:
    """Move a broker's partitions away, then fence it."""
    leaving = yield from departures(view, broker.broker_id)
    return [*leaving, _change(broker, fenced=FENCE)]


def _change(
    broker: BrokerRegistration, *, fenced: int = 0, in_controlled_shutdown: int = 0
) -> BrokerRegistrationChangeRecord:
    return BrokerRegistrationChangeRecord(
        broker_id=broker.broker_id,
        broker_epoch=broker.broker_epoch,
        fenced=fenced,
        in_controlled_shutdown=in_controlled_shutdown,
    )


def fence_one_stale(view: DecisionContext) -> Slices[ControllerResult | None]:
    """Fence the unfenced broker that was silent for longest, if its session is over.

    One that is heard before the decision is made is not fenced.
    """
    found = next_session_end(view)
    if found is None or view.now_ms < found[1]:
        return None
    broker = view.image.cluster.brokers[found[0]]
    timeout_ms = view.config.session_timeout_ms
    facts = {
        "why": SESSION_TIMED_OUT,
        "silent_ms": view.now_ms - found[1] + timeout_ms,
        "session_timeout_ms": timeout_ms,
    }
    records = yield from fence_records(view, broker)
    if next_session_end(view) != found:
        return None
    return ControllerResult(
        tuple(records),
        None,
        atomic=False,
        prefers_transaction=True,
        broker_event=BrokerEvent(BrokerEventKind.FENCED, broker, facts),
    )


def next_session_end(view: DecisionContext) -> tuple[int, int] | None:
    """Return which unfenced broker's session ends first, and when (ms)."""
    brokers = view.image.cluster.brokers

    def is_unfenced(broker_id: int) -> bool:
        broker = brokers.get(broker_id)
        return broker is not None and not broker.fenced

    return view.heartbeats.longest_silent(is_unfenced)
