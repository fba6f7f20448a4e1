"""An unexpected error rejects the request that caused it, is counted and logged, and ends nothing."""

from __future__ import annotations

import pytest

from kraftpy.controller.result import ControllerResult
from kraftpy.model.errors import ErrorCode, StorageError
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.raft.messages import DescribeQuorumRequest, FetchResponse
from kraftpy.raft.ready import RequestAbandoned, RequestReceived, ResponseReceived
from kraftpy.runtime.controller_loop import TICK, TICK_ERROR_RETRY_MS
from kraftpy.transport.node_api import Committed, OutcomeUnknownError, WriteRequest
from kraftpy.transport.request_errors import FRAMES_MAX, KINDS_MAX, OTHER, REPEAT_MS, RequestErrors
from tests.fakes.slices import in_one_slice
from tests.unit.controller.worlds import level_record, register, set_configs
from tests.unit.runtime.parts import CLUSTER, Bench, LoneController

BROKER, METRICS = 4, 16
DEFECT = RecursionError("maximum recursion depth exceeded")


def node():
    """An active controller that survives errors."""
    return LoneController(errors=RequestErrors()).settle()


def write(value="7", *, request_id=b""):
    return WriteRequest(set_configs(BROKER, "", ("log.cleaner.threads", value)), request_id)


def answered(world, *submissions):
    answers = world.submit(*submissions)
    world.settle()
    return answers


def raising(error):
    def fail(*_, **__):
        raise error

    return fail


def state(world):
    """All that a write changes: the log, what decisions rest on, what is remembered and what waits."""
    host = world.host
    speculation = host.controller._speculation
    return (
        world.replica.log_end_offset,
        host.controller.image,
        len(speculation),
        host._appender.last_appended,
        host.waiting,
        host.controller.next_offset,
    )


@pytest.mark.parametrize("pattern", ["x{4294967296}", "(" * 3_000, "x{" + "9" * 5_000 + "}"])
def test_an_expression_that_python_cannot_compile_is_refused(pattern):
    """It once left the driver's turn as OverflowError or RecursionError, and ended one controller after another."""
    world = LoneController().settle()
    (answer,) = answered(world, WriteRequest(set_configs(METRICS, "m", ("match", f"client_id={pattern}"))))
    (result,) = answer.response.results
    assert result.error is ErrorCode.INVALID_CONFIG
    assert isinstance(answered(world, write())[0], Committed)


@pytest.mark.parametrize("step", ["begin", "validate_replay", "encode"])
def test_an_error_while_deciding_refuses_that_request_alone(step, monkeypatch):
    """Of three writes that come together the second is refused; nothing of it is left anywhere."""
    world = node()
    honest, calls = getattr(world.host.controller, step), []

    def second_fails(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise DEFECT
        return honest(*arguments)

    monkeypatch.setattr(world.host.controller, step, second_fails)
    first, second, third = answered(world, write("7"), write("8", request_id=b"r" * 16), write("9"))
    assert isinstance(first, Committed)
    assert third.offset == first.offset + 1
    assert second.code is ErrorCode.UNKNOWN_SERVER_ERROR
    assert not isinstance(second, OutcomeUnknownError), "nothing was written, and the client is told so"
    assert "RecursionError" in second.message
    assert world.driver.request_errors.counts == {"IncrementalAlterConfigs": 1}
    monkeypatch.undo()
    assert isinstance(answered(world, write("8", request_id=b"r" * 16))[0], Committed), "a retry is decided anew"


@pytest.mark.parametrize(
    ("place", "request_"),
    [
        ("kraftpy.controller.configs._check", set_configs(BROKER, "", ("log.cleaner.threads", "8"))),
        ("kraftpy.controller.controller.check_record_count", set_configs(BROKER, "", ("log.cleaner.threads", "8"))),
        ("kraftpy.controller.controller.encode_all_for_level", set_configs(BROKER, "", ("log.cleaner.threads", "8"))),
        ("kraftpy.image.delta.MetadataDelta.replay_all", register(5, cluster_id=CLUSTER)),
        ("kraftpy.image.delta.MetadataDelta.__init__", register(5, cluster_id=CLUSTER)),
        ("kraftpy.controller.registration._broker_record", register(5, cluster_id=CLUSTER)),
    ],
)
def test_nothing_is_left_of_a_request_that_raised_half_way(place, request_, monkeypatch):
    """Wherever it raises before the proposal: the log, the speculation and the memory are as they were."""
    world = node()
    assert isinstance(answered(world, write())[0], Committed)
    before = state(world)
    with monkeypatch.context() as patch:
        patch.setattr(place, raising(DEFECT))
        (answer,) = answered(world, WriteRequest(request_))
    assert answer.code is ErrorCode.UNKNOWN_SERVER_ERROR
    assert state(world) == before
    assert isinstance(answered(world, WriteRequest(request_))[0], Committed)


def test_an_image_that_cannot_be_made_stops_the_node(monkeypatch):
    """What was rehearsed is in the log by then: a controller that goes on would decide from another state."""
    world = node()
    monkeypatch.setattr("kraftpy.image.delta.MetadataDelta.apply", raising(DEFECT))
    world.submit(write())
    with pytest.raises(InvariantViolation, match="RecursionError"):
        world.settle()


def test_a_part_that_cannot_be_encoded_leaves_the_parts_before_it(monkeypatch):
    """A request that was written in part is not answered that nothing was written, nor written twice."""
    world = node()
    honest, parts = world.host.controller.encode, []

    def second_fails(result):
        parts.append(result)
        if len(parts) == 2:
            raise DEFECT
        return honest(result)

    monkeypatch.setattr(ControllerResult, "parts", lambda self: [self, self])
    monkeypatch.setattr(world.host.controller, "encode", second_fails)
    refusals = answered(world, write(request_id=b"r" * 16)) + answered(world, write(request_id=b"r" * 16))
    assert [each.code for each in refusals] == [ErrorCode.UNKNOWN_SERVER_ERROR] * 2
    assert len(parts) == 2


def test_an_error_behind_the_proposal_stops_the_node(monkeypatch):
    """What the controller decides from and the log differ then: a stopped node beats a wrong one."""
    world = node()
    monkeypatch.setattr(world.host.controller, "appended", raising(DEFECT))
    world.submit(write())
    with pytest.raises(InvariantViolation, match="RecursionError"):
        world.settle()


@pytest.mark.parametrize("error", [StorageError("EIO"), InvariantViolation("a bug")])
def test_what_must_stop_the_node_stops_it(error, monkeypatch):
    """The disk and a broken invariant are no request's fault."""
    world = node()
    monkeypatch.setattr(world.host.controller, "begin", raising(error))
    world.submit(write())
    with pytest.raises(type(error)):
        world.settle()
    assert world.driver.request_errors.counts == {}


@pytest.mark.parametrize("step", ["tick_in_slices", "encode"])
def test_an_error_in_the_controllers_own_work_is_tried_again_later(step, monkeypatch):
    """Clients are served meanwhile; the loop does not spin on it."""
    world = node()
    controller = world.host.controller
    with monkeypatch.context() as patch:
        patch.setattr(controller, "tick_in_slices", in_one_slice(lambda _: ControllerResult((level_record(40),), None)))
        patch.setattr(controller, step, in_one_slice(raising(DEFECT)) if step == "tick_in_slices" else raising(DEFECT))
        patch.setattr(controller, "next_deadline_ms", lambda: 0)
        world.turn()
        assert world.host.next_deadline_ms() == world.clock.now_ms() + TICK_ERROR_RETRY_MS
        assert world.driver.request_errors.counts == {TICK: 1}
        world.turn()
        assert world.driver.request_errors.counts == {TICK: 1}
        world.clock.value += TICK_ERROR_RETRY_MS
        world.turn()
        assert world.driver.request_errors.counts == {TICK: 2}
    assert isinstance(answered(world, write())[0], Committed)


# ---------------------------------------------------------------- what peers say


def test_a_request_that_makes_the_replica_raise_closes_its_connection(monkeypatch, caplog):
    """The driver's turn goes on, with what came after it."""
    bench = Bench()
    monkeypatch.setattr(bench.replica, "step", raising(DEFECT))
    first, second = (RequestReceived(token, DescribeQuorumRequest()) for token in (7, 8))
    bench.driver.deliver(first)
    bench.driver.deliver(second)
    reason = "its DescribeQuorumRequest caused RecursionError: maximum recursion depth exceeded"
    assert bench.turn() == [("drop", 7, reason), ("failed", first), ("drop", 8, reason), ("failed", second)]
    assert bench.driver.request_errors.counts == {"DescribeQuorumRequest": 2}
    assert caplog.text.count("Traceback") == 1


@pytest.mark.parametrize(
    "inbound", [ResponseReceived(7, FetchResponse(leader=LeaderAndEpoch(2, 3))), RequestAbandoned(7)]
)
def test_an_answer_that_makes_the_replica_raise_is_reported_to_it(inbound, monkeypatch):
    """There is no connection to close: the replica leaves that peer alone for a while."""
    bench = Bench()
    monkeypatch.setattr(bench.replica, "step", raising(DEFECT))
    bench.driver.deliver(inbound)
    assert bench.turn() == [("failed", inbound)]
    assert sum(bench.driver.request_errors.counts.values()) == 1


@pytest.mark.parametrize("error", [StorageError("EIO"), InvariantViolation("a bug")])
def test_a_replica_that_must_stop_the_node_stops_it(error, monkeypatch):
    """The disk and a broken invariant are no peer's fault."""
    bench = Bench()
    monkeypatch.setattr(bench.replica, "step", raising(error))
    bench.driver.deliver(RequestReceived(7, DescribeQuorumRequest()))
    with pytest.raises(type(error)):
        bench.turn()


# ---------------------------------------------------------------- counting and logging


def test_a_kind_of_error_is_logged_once_in_a_while(caplog):
    """A repeated request fills no disk; the next line has the number of its errors."""
    now = [0]
    errors = RequestErrors(lambda: now[0])
    for _ in range(5):
        errors.note("SetConfigs", ValueError("one"))
    errors.note("SetConfigs", TypeError("another kind"))
    errors.note("UpdateFeatures", ValueError("another request"))
    assert caplog.text.count("unexpected_request_error") == 3
    now[0] = REPEAT_MS
    errors.note("SetConfigs", ValueError("again"))
    assert "error=ValueError repeated=4" in caplog.text
    assert errors.counts == {"SetConfigs": 7, "UpdateFeatures": 1}


def test_kinds_are_bounded(caplog):
    """A defect that made up names would fill no memory, and no metrics."""
    errors = RequestErrors()
    for number in range(KINDS_MAX + 10):
        errors.note(f"kind-{number}", ValueError())
    assert len(errors.counts) == KINDS_MAX + 1
    assert errors.counts[OTHER] == 10


def test_a_deep_traceback_is_not_written_down_whole(caplog):
    """A thousand frames take a second, which costs the leader its leadership."""

    def deeper(left):
        return deeper(left - 1) if left else {}["x"]

    try:
        deeper(500)
    except KeyError as error:
        RequestErrors().note("SetConfigs", error)
    (record,) = caplog.records
    assert record.exc_info is None, "nobody else writes it down either"
    assert record.getMessage().count("\n") <= 4 * FRAMES_MAX
    assert "KeyError" in record.getMessage()
