"""The clock that all deadlines go by, when the machine's clocks jump."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

import kraftpy
from kraftpy.controller.config import ControllerConfig
from kraftpy.runtime import clock
from kraftpy.transport.node_api import WriteRequest
from tests.unit.controller.worlds import beat, register
from tests.unit.runtime.parts import LoneController

WALL_CLOCK = re.compile(
    r"\btime\.(time|time_ns|localtime|gmtime|ctime)\(|\b(datetime|date)\.(now|utcnow|today)\(|CLOCK_REALTIME"
)
WALL_MS = 1_800_000_000_000


class Machine:
    """A machine's two clocks, to be moved apart."""

    def __init__(self):
        self.wall_ms = WALL_MS
        self.monotonic_ms = 5_000

    def time_ns(self):
        return self.wall_ms * 1_000_000

    def monotonic_ns(self):
        return self.monotonic_ms * 1_000_000

    def clock_gettime_ns(self, which):
        assert which == time.CLOCK_BOOTTIME, "the one that goes on while the machine is suspended"
        return self.monotonic_ms * 1_000_000

    def time(self):
        raise AssertionError("floats of seconds lose milliseconds; nobody asks for them")

    monotonic = time

    def pass_ms(self, ms):
        self.wall_ms += ms
        self.monotonic_ms += ms


@pytest.fixture
def machine(monkeypatch):
    machine = Machine()
    monkeypatch.setattr(clock, "time", machine)
    return machine


def test_it_starts_at_the_wall_clock_and_runs_with_time(machine):
    """A node's time starts as milliseconds since 1970 and advances as time does."""
    ours = clock.SystemClock()
    assert ours.now_ms() == WALL_MS
    machine.pass_ms(1_234)
    assert ours.now_ms() == WALL_MS + 1_234


@pytest.mark.parametrize("jump_ms", [-86_400_000, -1, 1, 3_600_000, 10**12])
def test_a_jump_of_the_wall_clock_moves_nothing(machine, jump_ms):
    """An hour forward or a day back on the wall moves no deadline: only time that passed counts."""
    ours = clock.SystemClock()
    machine.pass_ms(100)
    machine.wall_ms += jump_ms
    assert ours.now_ms() == WALL_MS + 100
    machine.pass_ms(50)
    assert ours.now_ms() == WALL_MS + 150


def test_it_never_goes_back(machine):
    """Whatever the wall clock does, an answer is never less than the one before."""
    ours = clock.SystemClock()
    answers = []
    for jump_ms in (5_000, -60_000, 0, 10**9, -(10**9)):
        machine.wall_ms += jump_ms
        machine.pass_ms(1)
        answers.append(ours.now_ms())
    assert answers == sorted(answers)
    assert answers == [WALL_MS + n for n in range(1, 6)]


@pytest.mark.parametrize("jump_ms", [-86_400_000, 86_400_000])
def test_a_clock_that_is_set_fences_no_broker(machine, jump_ms):
    """A broker's session ends when it was silent for the session timeout, however far the wall clock is set."""
    node = LoneController(clock=clock.SystemClock()).settle()
    answers = node.submit(WriteRequest(register(1, cluster_id="the-cluster")))
    node.settle()
    node.submit(WriteRequest(beat(1, answers[0].response.broker_epoch)))
    node.settle()

    def is_fenced():
        node.turn()
        node.settle()
        return node.state_machine.image.cluster.brokers[1].fenced

    assert not is_fenced()
    machine.wall_ms += jump_ms
    assert not is_fenced()
    machine.pass_ms(ControllerConfig().session_timeout_ms - 1)
    assert not is_fenced()
    machine.wall_ms -= 2 * jump_ms
    assert not is_fenced()
    machine.pass_ms(1)
    assert is_fenced()


def test_nothing_else_reads_the_wall_clock():
    """A deadline by the wall clock would come at once, or not at all, when that clock is set.

    Spans have its times, and nothing waits for one.
    """
    root = Path(kraftpy.__file__).parent
    readers = [path for path in root.rglob("*.py") if WALL_CLOCK.search(path.read_text(encoding="utf-8"))]
    assert sorted(readers) == [root / "runtime" / "clock.py", root / "tracing" / "write_trace.py"]


def test_what_is_shown_of_the_wall_clock_follows_it(machine):
    """Operators see by how much a node's time differs from the wall clock that was set meanwhile."""
    ours = clock.SystemClock()
    machine.wall_ms -= 86_400_000
    assert clock.wall_ms() - ours.now_ms() == -86_400_000


def test_a_process_started_after_a_jump_back_has_its_own_time(machine):
    """Two processes on one machine may disagree on the time; each of them counts passing time alike."""
    first = clock.SystemClock()
    machine.wall_ms -= 10_000
    second = clock.SystemClock()
    assert second.now_ms() == first.now_ms() - 10_000
    machine.pass_ms(7)
    assert second.now_ms() == first.now_ms() - 10_000
