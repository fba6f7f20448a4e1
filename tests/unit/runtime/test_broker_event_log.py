"""What the active controller logs of brokers: that they come, go and are fenced, and why; once it is committed."""

from __future__ import annotations

import json

import pytest
from structlog.testing import capture_logs

from kraftpy.controller.broker_events import BrokerEvent, BrokerEventKind
from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.requests import Listener, UnregisterBroker
from kraftpy.controller.result import ControllerResult
from kraftpy.image.registrations import BrokerRegistration
from kraftpy.model.ids import uuid_to_text
from kraftpy.raft.ready import Role, RoleChanged
from kraftpy.runtime import broker_event_log
from kraftpy.runtime.broker_event_log import (
    BROKER_LINES_MAX,
    INTERVAL_MS,
    LINES_MAX,
    LISTED_MAX,
    TEXT_CHARACTERS_MAX,
    BrokerEventLog,
)
from kraftpy.transport.node_api import Committed, WriteRequest
from tests.unit.controller.worlds import beat, register, set_configs, topic_records, uuid
from tests.unit.runtime.parts import CLUSTER, LoneController, ManualClock

NAMES = {kind.value for kind in BrokerEventKind}
TIMEOUT_MS = ControllerConfig().session_timeout_ms
DIRECTORY = uuid(501)


class World:
    """An active controller, and the lines that it writes of brokers."""

    def __init__(self, **parts):
        self.node = LoneController(**parts).settle()
        assert self.node.host.controller.active

    def do(self, request):
        """Let the controller decide a request; return the response, and the lines with their events first."""
        with capture_logs() as logs:
            answers = self.node.submit(WriteRequest(request))
            self.node.settle()
        [answer] = answers
        assert isinstance(answer, Committed), answer
        return answer, lines_in(logs)

    def registered(self, broker_id=1, **changes):
        """Register a broker; return its epoch, and the lines."""
        answer, lines = self.do(register(broker_id, **{"cluster_id": CLUSTER, **changes}))
        return answer.response.broker_epoch, lines

    def alive(self, broker_id=1, **changes):
        """Register a broker and let it be unfenced; return its epoch."""
        epoch, _ = self.registered(broker_id, **changes)
        self.do(beat(broker_id, epoch))
        return epoch

    def create_partition(self, *replicas):
        """Append a partition that the first of these leads."""
        result = ControllerResult(tuple(topic_records((replicas, replicas, replicas[0]))), None)
        assert self.node.host._append(result, self.node.clock.now_ms()) is None
        self.node.settle()


def lines_in(logs):
    return [entry for entry in logs if entry["event"] in NAMES | {"broker_events_left_out"}]


@pytest.fixture
def world():
    return World()


def test_a_new_incarnation_has_a_line_with_all_of_its_registration(world):
    listeners = (Listener("PLAINTEXT", "10.0.0.7", 9092), Listener("SSL", "b7", 9093))
    epoch, [line] = world.registered(7, rack="r1", listeners=listeners)
    assert line == {
        "event": "broker_incarnation_registered",
        "log_level": "info",
        "broker": 7,
        "broker_epoch": epoch,
        "offset": epoch,
        "incarnation": uuid_to_text(uuid(7)),
        "listeners": ["PLAINTEXT://10.0.0.7:9092", "SSL://b7:9093"],
        "rack": "r1",
        "log_dirs": [uuid_to_text(uuid(507))],
        "saturated_log_dirs": [],
    }


@pytest.mark.parametrize("is_clean", [True, False])
def test_a_line_has_the_incarnation_that_it_follows(world, is_clean):
    first, _ = world.registered()
    second, [line] = world.registered(incarnation_id=uuid(90), previous_broker_epoch=first if is_clean else -1)
    assert (line["previous_incarnation"], line["previous_broker_epoch"]) == (uuid_to_text(uuid(1)), first)
    assert (line["broker_epoch"], line["was_fenced"], line["was_shut_down_cleanly"]) == (second, True, is_clean)


def test_the_same_incarnation_amends_its_registration_or_has_no_line(world):
    """A repeated registration that changes nothing writes nothing."""
    epoch, _ = world.registered()
    assert world.registered() == (epoch, [])
    _, [line] = world.registered(rack="r2")
    assert (line["event"], line["broker_epoch"], line["rack"]) == ("broker_registration_amended", epoch, "r2")


def test_a_broker_is_unfenced_and_a_heartbeat_that_changes_nothing_has_no_line(world):
    epoch, _ = world.registered()
    answer, [line] = world.do(beat(1, epoch))
    assert line == {
        "event": "broker_unfenced", "log_level": "info", "broker": 1, "broker_epoch": epoch, "offset": answer.offset,
    }  # fmt: skip
    assert world.do(beat(1, epoch))[1] == []


def test_that_no_directory_is_cordoned_is_written_once_and_is_no_event(world):
    """Each broker reports it in its first heartbeat."""
    epoch, _ = world.registered()
    before = world.node.directory.log.end_offset
    assert world.do(beat(1, epoch, cordoned_log_dirs=(), want_fence=True))[1] == []
    assert world.node.directory.log.end_offset == before + 1
    _, [line] = world.do(beat(1, epoch))
    assert "cordoned_log_dirs" not in line


def test_a_broker_that_is_silent_is_fenced_with_a_warning(world):
    """With how long it was silent."""
    epoch = world.alive()
    world.node.clock.value += TIMEOUT_MS + 123
    with capture_logs() as logs:
        world.node.settle()
    [line] = lines_in(logs)
    assert (line["event"], line["log_level"], line["broker"]) == ("broker_fenced", "warning", 1)
    assert line["broker_epoch"] == epoch
    assert (line["why"], line["silent_ms"]) == ("session timed out", TIMEOUT_MS + 123)
    assert line["session_timeout_ms"] == TIMEOUT_MS
    assert line["offset"] == world.node.state_machine.image.provenance.offset


@pytest.mark.parametrize(
    ("wants", "why"),
    [
        ({"want_fence": True}, "asked for"),
        ({"want_shutdown": True}, "controlled shutdown"),
        ({"want_fence": True, "want_shutdown": True}, "controlled shutdown"),
    ],
)
def test_a_broker_that_is_fenced_by_its_heartbeat_has_no_warning(world, wants, why):
    epoch = world.alive()
    _, [line] = world.do(beat(1, epoch, **wants))
    assert (line["event"], line["log_level"], line["why"]) == ("broker_fenced", "info", why)
    assert "silent_ms" not in line


def test_a_controlled_shutdown_begins_and_ends_with_a_line(world):
    """It takes several heartbeats when the broker leads something."""
    epoch, other = world.alive(1), world.alive(2)
    world.create_partition(1, 2)
    _, [begun] = world.do(beat(1, epoch, want_shutdown=True))
    world.do(beat(2, other))
    _, [ended] = world.do(beat(1, epoch, want_shutdown=True))
    assert (begun["event"], ended["event"]) == ("broker_shutdown_begun", "broker_fenced")
    assert ended["why"] == "controlled shutdown"


def test_log_directories_that_fail_have_a_line(world):
    """Also when all of them do, which changes no registration."""
    left, lost = uuid(502), DIRECTORY
    epoch = world.alive(log_dirs=(lost, left))
    _, [line] = world.do(beat(1, epoch, offline_log_dirs=(lost,), cordoned_log_dirs=(left,)))
    assert (line["event"], line["broker_epoch"]) == ("broker_log_dirs_changed", epoch)
    assert (line["offline_log_dirs"], line["cordoned_log_dirs"]) == ([uuid_to_text(lost)], [uuid_to_text(left)])
    assert line["saturated_log_dirs"] == []
    _, [line] = world.do(beat(1, epoch, offline_log_dirs=(lost, left), want_fence=True))
    assert (line["event"], line["offline_log_dirs"]) == ("broker_fenced", [uuid_to_text(left)])


def test_a_registration_that_is_removed_has_a_line(world):
    epoch = world.alive()
    _, [line] = world.do(UnregisterBroker(broker_id=1))
    assert (line["event"], line["broker_epoch"]) == ("broker_registration_removed", epoch)
    assert line["was_fenced"] is False


def test_what_is_not_written_has_no_line(world):
    """A dry run, and writes that are about no broker."""
    assert world.do(register(cluster_id=CLUSTER, validate_only=True))[1] == []
    epoch, _ = world.registered()
    assert world.do(UnregisterBroker(broker_id=1, validate_only=True))[1] == []
    assert world.do(beat(1, epoch, validate_only=True))[1] == []
    assert world.do(set_configs(4, "", ("log.cleaner.threads", "1")))[1] == []


def test_the_line_of_a_large_change_comes_with_its_end():
    """A broker is fenced with all that happens to its partitions, in several batches."""
    world = World(decides=ControllerConfig(records_per_part=2))
    epoch = world.alive(1)
    world.alive(2)
    partitions = [((1, 2), (1, 2), 1)] * 5
    result = ControllerResult(tuple(topic_records(*partitions)), None, atomic=False)
    assert world.node.host._append(result, world.node.clock.now_ms()) is None
    world.node.settle()
    answer, [line] = world.do(beat(1, epoch, want_fence=True))
    assert (line["event"], line["offset"]) == ("broker_fenced", answer.offset)
    assert answer.offset == world.node.directory.log.end_offset - 1


def test_what_is_not_known_to_be_committed_has_no_line():
    """The disk is slow, and leadership is lost meanwhile: a successor may decide otherwise."""
    world = World()
    node = world.node
    node.lane.slow = True
    with capture_logs() as logs:
        node.submit(WriteRequest(register(cluster_id=CLUSTER)))
        node.turn()
        assert node.host._broker_events._waiting
        node.host.on_event(RoleChanged(Role.LEADER, Role.UNATTACHED, node.replica.leader, "a test"))
        assert not node.host._broker_events._waiting
        node.lane.complete()
        node.turn()
    assert lines_in(logs) == []


# Texts and limits.


def registered_event(broker_id=1, **changes):
    registration = BrokerRegistration(broker_id=broker_id, broker_epoch=1, incarnation_id=bytes(16), **changes)
    return BrokerEvent(BrokerEventKind.REGISTERED, registration, {})


def test_texts_of_brokers_are_bounded_and_have_no_control_characters():
    """Nothing that a broker sends looks like another line, or fills the log by itself."""
    events = BrokerEventLog(lambda: 0)
    listeners = tuple(Listener("N\n" * 500, "\x1b[2J" * 500, number) for number in range(LISTED_MAX + 5))
    event = registered_event(rack="\n\x1b" * 9_000, listeners=listeners, log_dirs=(bytes(16),) * 5_000)
    events.appended(event, 4)
    with capture_logs() as logs:
        events.committed(4)
    [line] = logs
    assert json.dumps(line).isprintable()
    assert len(line["rack"]) == TEXT_CHARACTERS_MAX
    assert {len(text) for text in line["listeners"][:-1]} == {TEXT_CHARACTERS_MAX}
    assert line["listeners"][0].startswith(r"N\nN\n")
    assert line["listeners"][LISTED_MAX:] == ["and 5 more"]
    assert line["log_dirs"][LISTED_MAX:] == [f"and {5_000 - LISTED_MAX} more"]


def test_lines_come_in_the_order_of_the_log_up_to_what_is_published():
    events = BrokerEventLog(lambda: 0)
    for offset in (4, 7, 9):
        events.appended(registered_event(offset), offset)
    with capture_logs() as logs:
        events.committed(3)
        assert logs == []
        events.committed(7)
    assert [(line["broker"], line["offset"]) for line in logs] == [(4, 4), (7, 7)]


def test_a_broker_that_registers_again_and_again_hides_no_other():
    """What is left out is counted, and the count is logged when the interval is over, without another event."""
    clock = ManualClock()
    events = BrokerEventLog(clock.now_ms)
    with capture_logs() as logs:
        for offset in range(BROKER_LINES_MAX + 30):
            events.appended(registered_event(1), offset)
        events.appended(registered_event(2), 99)
        events.committed(99)
        events.flush()
        assert [line["broker"] for line in logs] == [1] * BROKER_LINES_MAX + [2]
        clock.value += INTERVAL_MS
        events.flush()
        events.flush()
    assert logs[-1] == {
        "event": "broker_events_left_out", "log_level": "warning", "count": 30, "seconds": INTERVAL_MS // 1_000,
    }  # fmt: skip
    assert len(logs) == BROKER_LINES_MAX + 2


def test_many_brokers_cause_no_more_lines_than_the_limit(monkeypatch):
    """In the next interval there are as many again. What waits for its commit is bounded, too."""
    monkeypatch.setattr(broker_event_log, "WAITING_MAX", LINES_MAX + 7)
    clock = ManualClock()
    events = BrokerEventLog(clock.now_ms)
    with capture_logs() as logs:
        for broker_id in range(LINES_MAX + 10):
            events.appended(registered_event(broker_id), broker_id)
        events.committed(LINES_MAX + 10)
        assert len([line for line in logs if "broker" in line]) == LINES_MAX
        clock.value += INTERVAL_MS
        events.appended(registered_event(1), LINES_MAX + 11)
        events.committed(LINES_MAX + 11)
    assert logs[-1]["broker"] == 1
    assert [line["count"] for line in logs if line["event"] == "broker_events_left_out"] == [3, 7]


def test_the_controller_logs_what_was_left_out_in_a_turn_of_its_own(world):
    """No further event of a broker is needed."""
    world.node.host._broker_events._left_out = 3
    world.node.clock.value += INTERVAL_MS
    with capture_logs() as logs:
        world.node.turn()
    assert [line["count"] for line in lines_in(logs)] == [3]
