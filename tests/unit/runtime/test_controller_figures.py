"""How long writes wait, how long they take, and how many are too late is measured where it happens."""

from __future__ import annotations

from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.result import ControllerResult
from kraftpy.model.errors import ErrorCode
from kraftpy.records.metadata import TopicRecord
from kraftpy.runtime.controller_loop import STARTING_MS
from kraftpy.runtime.durations import BOUNDS_MS, DurationCounts
from kraftpy.transport.node_api import Committed, WriteRequest
from kraftpy.transport.request_errors import RequestErrors
from tests.fakes.slices import in_one_slice
from tests.unit.controller.worlds import beat, register, set_configs
from tests.unit.runtime.parts import LoneController, ManualClock

KIND_BROKER = 4
SMALL = ControllerConfig(records_per_part=2)
SESSION_MS = SMALL.session_timeout_ms
LARGE = WriteRequest(set_configs(KIND_BROKER, "", *((f"key-{number}", "v") for number in range(7))))


class WorkingClock(ManualClock):
    """The time of a host that works for some ms between two looks at its clock."""

    step_ms = 0

    def now_ms(self):
        self.value += self.step_ms
        return self.value


def working(**parts):
    """An active controller, and the clock by which its work is measured; nothing is measured yet."""
    clock = WorkingClock()
    node = LoneController(host_clock_ms=clock.now_ms, **parts).settle()
    figures = node.host.figures
    assert (figures.operations_started, figures.processing_times.count) == (0, 0)
    return node, clock, figures


def write(value="1", **more):
    return WriteRequest(set_configs(KIND_BROKER, "", ("log.cleaner.threads", value)), **more)


def answered(node, submission):
    answers = node.submit(submission)
    node.settle()
    return answers[0]


def broker(node):
    """Register broker 1 and have it unfenced; return its epoch."""
    epoch = answered(node, WriteRequest(register(1, cluster_id="the-cluster"))).response.broker_epoch
    answered(node, WriteRequest(beat(1, epoch)))
    return epoch


def test_a_duration_is_in_the_first_bucket_that_holds_it():
    """A bound is in its own bucket, and what is above the last one is counted, too."""
    counts = DurationCounts()
    for duration_ms in (0, *BOUNDS_MS, BOUNDS_MS[-1] + 1):
        counts.add(duration_ms)
    assert counts.counts == [2, *[1] * len(BOUNDS_MS)]
    assert counts.cumulative == list(range(2, len(BOUNDS_MS) + 3))
    assert (counts.count, counts.sum_ms) == (len(BOUNDS_MS) + 2, sum(BOUNDS_MS) + BOUNDS_MS[-1] + 1)


def test_a_write_waits_from_its_arrival_until_it_is_decided():
    """Each write of a group for itself; a later one waits for those before it, too."""
    node, clock, figures = working()
    answers = node.submit(write("1"), write("2"))
    clock.value += 30
    clock.step_ms = 4
    node.turn()
    clock.step_ms = 0
    node.settle()
    assert [type(answer) for answer in answers] == [Committed] * 2
    assert (figures.queue_times.count, figures.queue_times.sum_ms) == (2, 34 + 38)
    assert (figures.processing_times.count, figures.processing_times.sum_ms) == (2, 8)
    assert figures.operations_started == 2


def test_a_write_takes_until_it_is_committed_and_published():
    """From its decision: the flush of a slow disk counts, the wait before it does not."""
    node, clock, figures = working()
    node.lane.slow = True
    answers = node.submit(write())
    clock.value += 30
    node.turn()
    clock.value += 7
    node.turn()
    assert (answers, figures.commit_latencies.count) == ([], 0)
    node.lane.complete()
    node.turn()
    assert isinstance(answers[0], Committed)
    assert (figures.commit_latencies.count, figures.commit_latencies.sum_ms) == (1, 7)


def test_what_writes_nothing_has_no_commit_to_wait_for():
    """A heartbeat that changes nothing is decided as every write is, and is answered without a record."""
    node, _, figures = working()
    epoch = broker(node)
    commits, decisions = figures.commit_latencies.count, figures.operations_started
    assert isinstance(answered(node, WriteRequest(beat(1, epoch))), Committed)
    assert (figures.commit_latencies.count, figures.operations_started) == (commits, decisions + 1)


def test_writes_that_come_too_late_are_counted_and_are_not_begun():
    """Heartbeats for themselves, too; a client that is gone is neither late nor answered."""
    node, clock, figures = working()
    epoch = broker(node)
    before = figures.operations_started
    answers = node.submit(write(timeout_ms=10), WriteRequest(beat(1, epoch), timeout_ms=10))
    node.host.submit([write()], node.clock.now_ms(), lambda _: None).abandoned = True
    node.clock.value += 11
    clock.value += 11
    node.turn()
    assert [answer.code for answer in answers] == [ErrorCode.REQUEST_TIMED_OUT] * 2
    assert (figures.timed_out, figures.timed_out_heartbeats) == (2, 1)
    assert figures.operations_started == before


def test_writes_that_time_out_while_the_controller_starts_are_counted():
    node = LoneController(slow=True)
    node.turn()
    answers = node.submit(write(timeout_ms=10))
    node.turn()
    node.clock.value += 11
    assert STARTING_MS > 11
    node.turn()
    assert [answer.code for answer in answers] == [ErrorCode.REQUEST_TIMED_OUT]
    assert (node.host.figures.timed_out, node.host.figures.timed_out_heartbeats) == (1, 0)


def test_the_parts_of_a_large_write_add_up():
    """Seven records in parts of two, each in a turn of its own: one operation that took as long as all its parts."""
    node, clock, figures = working(decides=SMALL)
    answers = node.submit(LARGE)
    clock.step_ms, turns = 2, 0
    while not answers:
        assert figures.processing_times.count == 0
        node.turn()
        turns += 1
    assert turns > 3
    assert (figures.queue_times.count, figures.processing_times.count) == (1, 1)
    assert figures.processing_times.sum_ms == 2 * turns
    clock.step_ms = 0
    node.settle()
    assert figures.operations_started == figures.processing_times.count == 1


def test_a_write_behind_a_large_one_waits_until_it_is_decided_itself():
    """That it was looked at meanwhile, and deferred, is no decision; a heartbeat that is answered is one."""
    node, clock, figures = working(decides=SMALL)
    epoch = broker(node)
    begun, waited_ms = figures.operations_started, figures.queue_times.sum_ms
    large = node.submit(LARGE)
    node.turn()
    behind = node.submit(write())
    beats = node.submit(WriteRequest(beat(1, epoch)))
    node.turn()
    assert (len(beats), large, behind) == (1, [], [])
    assert figures.operations_started == begun + 2
    clock.value += 50
    node.settle()
    assert isinstance(behind[0], Committed)
    assert figures.operations_started == figures.processing_times.count == begun + 3
    assert figures.queue_times.sum_ms == waited_ms + 50


def test_a_heartbeat_behind_a_large_write_that_changes_something_is_decided_once():
    """It is tried, deferred, and decided after the large one; only then it has waited."""
    node, clock, figures = working(decides=SMALL)
    registered = answered(node, WriteRequest(register(1, cluster_id="the-cluster")))
    begun, waited_ms = figures.operations_started, figures.queue_times.sum_ms
    node.submit(LARGE)
    node.turn()
    beats = node.submit(WriteRequest(beat(1, registered.response.broker_epoch)))
    node.turn()
    clock.value += 50
    node.settle()
    assert not beats[0].response.is_fenced
    assert figures.operations_started == figures.processing_times.count == begun + 2
    assert figures.queue_times.sum_ms == waited_ms + 50


def test_own_decisions_of_the_controller_are_operations():
    """A broker that falls silent is fenced: the controller's time is spent, and no queue was waited in."""
    node, clock, figures = working()
    broker(node)
    begun, waited = figures.processing_times.count, figures.queue_times.count
    spent_ms = figures.processing_times.sum_ms
    node.clock.value += SESSION_MS
    clock.step_ms = 5
    node.turn()
    clock.step_ms = 0
    node.settle()
    assert node.state_machine.image.cluster.brokers[1].fenced
    own = figures.own_decisions
    assert own > 0
    assert (figures.processing_times.count, figures.queue_times.count) == (begun + own, waited)
    assert figures.processing_times.sum_ms == spent_ms + 5 * own


def test_a_large_decision_of_the_controller_is_one_operation():
    """Seven topics in parts of two: the turn that decided them, and one for each part."""
    node, clock, figures = working(decides=SMALL)
    records = tuple(TopicRecord(name=f"topic-{number}", topic_id=bytes([number]) * 16) for number in range(1, 8))
    due = [ControllerResult(records, None, atomic=False)]
    node.host.controller.tick_in_slices = in_one_slice(lambda _now_ms: due.pop() if due else None)
    clock.step_ms, turns = 2, 0
    while figures.processing_times.count == 0:
        node.turn()
        turns += 1
    assert turns == 1 + 4
    assert (figures.own_decisions, figures.queue_times.count) == (1, 0)
    assert (figures.processing_times.count, figures.processing_times.sum_ms) == (1, 2 * turns)


def test_unexpected_errors_are_counted():
    """Those of a write and those of the controller's own decisions."""
    node, _, figures = working(errors=RequestErrors())

    def fail(*_):
        raise RecursionError

    node.host.controller.begin = fail
    assert answered(node, write()).code is ErrorCode.UNKNOWN_SERVER_ERROR
    assert figures.defects == 1
    node.host.controller.tick_in_slices = in_one_slice(fail)
    node.turn()
    assert figures.defects == 2
