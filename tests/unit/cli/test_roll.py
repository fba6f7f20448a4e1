"""``kraftpy roll`` over a cluster in memory: plan files, the restart command, steps, waits, texts and exit codes."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.cli import connection, restart_command, roll_file, roll_run
from kraftpy.cli.errors import ArgumentError, CommandError, UnreachableError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.restart_command import COMMAND_CHARACTERS_MAX, HOST_CHARACTERS_MAX, RestartCommand, run_words
from kraftpy.cli.roll_file import FILE_BYTES_MAX, NODES_MAX, TEXT_CHARACTERS_MAX, held_plan, read_plan, write_plan
from kraftpy.cli.roll_run import GIVE_UP_S, RollRunner, noted_signals
from kraftpy.cli.times_text import local_text
from kraftpy.model.errors import ApiError, ErrorCode, KraftError
from kraftpy.quorum_tools.rolling import RollNode
from tests.fakes.zones import HALF_HOUR_WEST, local_zone
from tests.unit.doctor.worlds import NOW_MS, uuid
from tests.unit.quorum_tools.rolling_world import World

C = ("-C", "localhost:9193")
ECHO = RestartCommand.parse("true {id}")


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "roll.json")


class FakePort:
    """A world in which time passes only in pauses."""

    def __init__(self, world):
        self.world = world
        self.time_s = 0.0
        self.restarted, self.handed_over = [], []
        self.failures = []
        self.code = 0
        self.interrupted_by = None
        self.comes_back = True
        self.at_pause = lambda: None

    def look(self):
        if self.failures:
            raise self.failures.pop(0)
        return self.world.view()

    def hand_over(self, to):
        if self.failures:
            raise self.failures.pop(0)
        self.handed_over.append(to)
        self.world.leader, self.world.epoch = to, self.world.epoch + 1

    def restart(self, words, timeout_s):
        del timeout_s
        self.restarted.append(int(words[1]))
        if self.comes_back:
            self.world.restart(int(words[1]))
        else:
            self.world.down.add(int(words[1]))
        return self.code

    def now_s(self):
        return self.time_s

    def pause(self):
        self.time_s += 1.0
        self.at_pause()


def runner(world, wait_s=120.0, plan=None):
    port, lines = FakePort(world), []
    return RollRunner(plan or world.plan(), ECHO, port, lines.append, wait_s), port, lines


# Steps.


def test_every_node_is_restarted_and_reported():
    made, port, lines = runner(World(brokers=(101,)))
    done = made.run()
    assert (done.restarted, done.ending) == ([2, 3, 1, 101], ExitCode.OK)
    assert (port.restarted, port.handed_over) == ([2, 3, 1, 101], [2])
    assert lines[0] == "[1/4] Restarting controller 2 on c2: true 2"
    assert lines[1] == "Node 2 is back and caught up, 0 s after its restart began."
    assert "Handing the leadership from 1 to 2, before 1 is restarted." in lines
    assert lines[-1] == "Finished: 4 of 4 nodes have restarted, and the cluster is steady."


def test_what_has_restarted_is_not_restarted_again():
    world = World(brokers=())
    plan = world.plan()
    world.restart(2)
    made, port, _ = runner(world, plan=plan)
    assert made.run().restarted == [3, 1]
    assert port.restarted == [3, 1]


def test_a_failing_command_ends_the_roll():
    made, port, _ = runner(World())
    port.code = 255
    with pytest.raises(CommandError, match="node 2: true 2 ended with exit code 255; 0 of 6 nodes") as failure:
        made.run()
    assert failure.value.code == ExitCode.FAILURE
    assert port.restarted == [2]


def test_a_command_ended_by_a_signal_is_a_failing_one():
    made, port, _ = runner(World())
    port.code = -9
    with pytest.raises(CommandError, match="was ended by signal 9"):
        made.run()


def test_a_node_that_does_not_come_back_ends_the_roll_after_its_time():
    made, port, lines = runner(World(), wait_s=50.0)
    port.comes_back = False
    with pytest.raises(CommandError, match="after 50 s still: node 2 has not registered as a new process yet"):
        made.run()
    assert port.restarted == [2]
    assert lines[-1] == "Waiting: node 2 has not registered as a new process yet."
    assert port.time_s > 50.0


def test_what_else_breaks_ends_the_roll_before_the_step_has_taken_its_time():
    world = World()
    made, port, _ = runner(world, wait_s=600.0)
    port.comes_back = False
    port.at_pause = lambda: world.down.add(3)
    with pytest.raises(CommandError, match="no node is restarted while node 3 fetched last") as failure:
        made.run()
    assert failure.value.code == ExitCode.FINDINGS
    assert GIVE_UP_S < port.time_s < 2 * GIVE_UP_S
    assert port.restarted in ([2], [])


def test_what_mends_itself_in_time_does_not_end_the_roll():
    """The time of something wrong starts again when it was well in between."""
    world = World(brokers=())
    made, port, _ = runner(world)
    world.down.add(3)

    def mends():
        if port.time_s > GIVE_UP_S - 5:
            world.down.discard(3)

    port.at_pause = mends
    assert made.run().restarted == [2, 3, 1]


def test_a_cluster_that_is_wrong_at_the_start_has_no_node_restarted():
    world = World()
    plan = world.plan()
    world.down.add(102)
    made, port, lines = runner(world, plan=plan)
    with pytest.raises(CommandError, match="no node is restarted while node 102"):
        made.run()
    assert port.restarted == []
    assert [line for line in lines if line.startswith("Waiting: node 102 fetched last")]


def test_a_controller_alone_may_be_unreachable_while_it_restarts():
    world = World(voters=(1,), brokers=())
    made, port, _ = runner(world, plan=world.plan(allows_unavailable=True), wait_s=100.0)
    asked = port.restart

    def restart(words, timeout_s):
        port.failures = [UnreachableError("refused")] * 60
        return asked(words, timeout_s)

    port.restart = restart
    assert made.run().restarted == [1]


def test_a_cluster_that_is_unreachable_without_a_reason_ends_the_roll():
    made, port, _ = runner(World(brokers=(101,)))
    asked = port.restart

    def restart(words, timeout_s):
        if int(words[1]) == 101:
            port.failures = [UnreachableError("refused")] * 1_000
        return asked(words, timeout_s)

    port.restart = restart
    with pytest.raises(CommandError, match="the cluster cannot be read: refused"):
        made.run()


def test_at_the_start_an_unreachable_cluster_is_code_4():
    made, port, _ = runner(World())
    port.failures = [UnreachableError("refused")]
    with pytest.raises(UnreachableError):
        made.run()


def test_errors_of_a_cluster_whose_leadership_moves_pass_and_others_do_not():
    world = World(brokers=())
    made, port, _ = runner(world)
    looks = port.look
    errors = [None, ApiError(ErrorCode.NOT_CONTROLLER, "moved"), ApiError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "no")]

    def look():
        error = errors.pop(0) if errors else None
        if error is not None:
            raise error
        return looks()

    port.look = look
    with pytest.raises(ApiError, match="no"):
        made.run()


@pytest.mark.parametrize("error", [UnreachableError("lost"), ApiError(ErrorCode.REQUEST_TIMED_OUT, "late")])
def test_a_leadership_that_was_not_handed_over_is_tried_again(error):
    world = World(brokers=())
    made, port, lines = runner(world)
    asked = port.hand_over
    failures = [error, error]

    def hand_over(to):
        if failures:
            raise failures.pop(0)
        asked(to)

    port.hand_over = hand_over
    assert made.run().restarted == [2, 3, 1]
    assert len([line for line in lines if line.startswith("Handing")]) == 1


def test_a_leadership_that_keeps_coming_back_ends_the_roll_after_the_time_of_a_step():
    world = World(brokers=())
    made, port, _ = runner(world, wait_s=50.0)
    asked = port.hand_over

    def hand_over(to):
        asked(to)
        assert len(port.handed_over) < 100, "it goes on and on"
        port.at_pause = lambda: world.leader == 1 or world.befall("lead", 1)

    port.hand_over = hand_over
    with pytest.raises(CommandError, match="after 50 s still"):
        made.run()
    assert port.restarted == [2, 3]


def test_an_interruption_ends_between_steps_and_names_where():
    made, port, lines = runner(World())
    asked = port.restart

    def restart(words, timeout_s):
        port.interrupted_by = ExitCode.INTERRUPTED
        return asked(words, timeout_s)

    port.restart = restart
    done = made.run()
    assert (done.ending, port.restarted) == (ExitCode.INTERRUPTED, [2])
    assert done.interruption == (
        "interrupted (SIGINT): 0 of 6 nodes have restarted; node 2 was restarted and is not back yet. "
        "The same command goes on from here"
    )
    assert not any("interrupted" in line for line in lines), "it is no step"


def test_signals_are_noted():
    before = signal.getsignal(signal.SIGINT)
    with noted_signals() as received:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
        assert received == [signal.SIGINT, signal.SIGTERM]
        assert roll_run.SystemRollPort(None, received).interrupted_by is ExitCode.INTERRUPTED
        assert roll_run.SystemRollPort(None, received[1:]).interrupted_by is ExitCode.TERMINATED
        assert roll_run.SystemRollPort(None, []).interrupted_by is None
    assert signal.getsignal(signal.SIGINT) is before


# The restart command.

NODE = RollNode(node_id=7, host="h1.example", rack="r", controller=uuid(1), broker=uuid(2))


def test_the_node_is_put_in_word_by_word():
    command = RestartCommand.parse("sh -c 'x {id}' --at={host} {role} {} {{}}")
    assert command.for_node(NODE) == ("sh", "-c", "x 7", "--at=h1.example", "broker,controller", "{}", "{{}}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("''", "is empty"),
        ("sh 'x", "cannot be split into words"),
        ("sh {node}", "has {node}, which is none of {host}, {id}, {role}"),
        ("x" * (COMMAND_CHARACTERS_MAX + 1), f"at most {COMMAND_CHARACTERS_MAX} are taken"),
    ],
)
def test_a_bad_command_is_a_usage_error(text, reason):
    with pytest.raises(ArgumentError) as failure:
        RestartCommand.parse(text)
    assert reason in str(failure.value)


def test_a_program_that_is_not_there_is_a_usage_error_before_anything_is_restarted(run, world, path):
    write_plan(path, world.plan())
    result = run("roll", "run", *C, "--plan", path, "--restart", "no-such-program-here {id}")
    assert result.exit_code == ExitCode.USAGE
    assert "there is no program 'no-such-program-here'" in result.stderr
    RestartCommand.parse("{id}/restart").check_program()


@pytest.mark.parametrize(
    "host", ["", "-oProxyCommand=x", "a b", "a;b", "$(x)", "a\nb", "h" * (HOST_CHARACTERS_MAX + 1), "ä"]
)
def test_a_host_that_could_be_an_option_or_a_command_is_not_put_in(host):
    with pytest.raises(CommandError, match="node 7 is registered at"):
        RestartCommand.parse("true {host}").for_node(replace(NODE, host=host))
    assert RestartCommand.parse("true {id}").for_node(replace(NODE, host=host)) == ("true", "7")


@pytest.mark.parametrize("host", ["localhost", "10.0.0.1", "::1", "fe80::1%eth0", "a-b.c_d"])
def test_hosts(host):
    assert RestartCommand.parse("true {host}").for_node(replace(NODE, host=host)) == ("true", host)


def test_a_command_runs_in_a_session_of_its_own_and_is_ended_when_it_takes_too_long(tmp_path):
    python = sys.executable
    assert run_words((python, "-c", "import os, sys; sys.exit(os.getsid(0) == os.getpid())"), 30.0, hurry=bool) == 1
    assert run_words(("true",), 30.0, hurry=bool) == 0
    with pytest.raises(CommandError, match="could not be started"):
        run_words((str(tmp_path / "none"),), 30.0, hurry=bool)
    sleeping = (python, "-c", "import time; time.sleep(600)")
    with pytest.raises(CommandError, match=r"has not ended after 0\.2 s, and was ended"):
        run_words(sleeping, 0.2, hurry=bool)
    with pytest.raises(KeyboardInterrupt):
        run_words(sleeping, 30.0, hurry=lambda: True)


# Plans as files.


def test_what_a_command_started_is_ended_with_it_even_if_it_ignores_sigterm(tmp_path, monkeypatch):
    monkeypatch.setattr(restart_command, "END_S", 0.2)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    def is_there():
        with contextlib.suppress(BlockingIOError):
            return os.read(reading, 1) == b"x"
        return False

    script = f"(trap '' TERM; printf x >&3; sleep 600) 3>{pipe} & wait"
    with pytest.raises(KeyboardInterrupt):
        run_words(("sh", "-c", script), 60.0, hurry=is_there)
    assert select.select([reading], [], [], 10)[0], "a process holds the pipe"
    assert os.read(reading, 1) == b""
    os.close(reading)


def test_a_plan_is_read_as_it_was_written(path):
    """With a rack of the longest name that a broker can register."""
    plan = World(racks={101: "a", 102: "r" * 32_767}, brokers=(2, 101, 102)).plan(allows_unavailable=True)
    write_plan(path, plan)
    assert read_plan(path) == plan


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"kind": "other"}, "it has kind 'other'"),
        ({"clusterId": 5}, "clusterId is not a text"),
        ({"clusterId": "x" * (TEXT_CHARACTERS_MAX + 1)}, "clusterId is not a text"),
        ({"createdMs": "1"}, "createdMs is not a time"),
        ({"createdMs": True}, "createdMs is not a time"),
        ({"allowUnavailable": 1}, "allowUnavailable is neither"),
        ({"nodes": []}, f"not a list of 1 to {NODES_MAX} nodes"),
        ({"nodes": [1]}, "nodes[0] is not an object"),
        ({"nodes": [{"nodeId": -1}]}, "nodes[0].nodeId is -1, not a number"),
        ({"nodes": [{"nodeId": 1, "host": 5}]}, "nodes[0]: host is not a text"),
        ({"nodes": [{"nodeId": 1, "host": "h", "rack": 5}]}, "nodes[0]: rack is not a text"),
        ({"nodes": [{"nodeId": 1, "host": "h", "brokerIncarnationId": "?"}]}, "nodes[0].brokerIncarnationId: "),
        ({"nodes": [{"nodeId": 1, "host": "h"}]}, "neither controllerIncarnationId nor"),
    ],
)
def test_a_bad_plan_is_named_by_its_place(path, change, text):
    write_plan(path, World().plan())
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    Path(path).write_text(json.dumps(document | change), encoding="utf-8")
    with pytest.raises(KraftError) as failure:
        read_plan(path)
    assert text in str(failure.value)


def test_a_node_that_is_there_twice_is_refused(path):
    plan = World().plan()
    write_plan(path, replace(plan, nodes=(plan.nodes[0], plan.nodes[0])))
    with pytest.raises(CommandError, match="two of its nodes have the same id"):
        read_plan(path)


def test_a_plan_is_bounded_and_missing_ones_name_the_command_that_makes_one(tmp_path, path):
    (tmp_path / "long").write_bytes(b" " * (FILE_BYTES_MAX + 1))
    with pytest.raises(CommandError, match=f"more than {FILE_BYTES_MAX} bytes"):
        read_plan(str(tmp_path / "long"))
    for read in (read_plan, lambda name: held_plan(name).__enter__()):
        with pytest.raises(CommandError, match="make a plan with `kraftpy roll plan`"):
            read(path)


@given(content=st.binary(max_size=200))
def test_any_file_is_a_plan_or_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("plans") / "plan.json"
    path.write_bytes(content)
    with contextlib.suppress(KraftError):
        read_plan(str(path))


def test_a_plan_is_carried_out_by_one_command(path):
    write_plan(path, World().plan())
    with held_plan(path), pytest.raises(CommandError, match="another `kraftpy roll run`"), held_plan(path):
        pass


def test_a_plan_that_is_carried_out_is_not_replaced(path):
    """A second run would hold the new file, and restart a second node at once."""
    plan = World().plan()
    write_plan(path, plan)
    with held_plan(path), pytest.raises(CommandError, match="another `kraftpy roll run`"):
        write_plan(path, replace(plan, cluster_id="other"))
    assert read_plan(path) == plan
    write_plan(path, replace(plan, cluster_id="other"))
    assert read_plan(path).cluster_id == "other"


def test_a_plan_that_was_replaced_while_it_was_opened_is_not_held(path, monkeypatch):
    write_plan(path, World().plan())

    def replaced(file, operation):
        del file, operation
        Path(path).rename(f"{path}.old")
        Path(path).write_bytes(b"")

    monkeypatch.setattr(fcntl, "flock", replaced)
    with pytest.raises(CommandError, match="was replaced by another plan just now"), held_plan(path):
        pass


@pytest.mark.parametrize("error", [BlockingIOError(11, "full"), FileNotFoundError(2, "no such file")])
def test_errors_of_what_a_held_plan_does_are_not_taken_for_errors_of_the_plan(path, error):
    """A terminal that another program made non-blocking raises the first of them."""
    write_plan(path, World().plan())
    with pytest.raises(type(error)), held_plan(path):
        raise error


# Commands.


class FakeClient:
    """What a connection answers: the world's view."""

    def __init__(self, world):
        self.world = world

    def describe_cluster(self, read):
        del read
        return self.world.view().cluster

    def describe_topics(self, names, read):
        del names, read
        return self.world.view()

    def describe_quorum(self):
        return self.world.view().quorum

    def transfer_leadership(self, node_id):
        self.world.leader, self.world.epoch = node_id, self.world.epoch + 1


@pytest.fixture
def world(monkeypatch):
    world = World(brokers=(101, 102))
    world.prints_waits = []

    def connect(endpoints, timeout, runner, *, prints_waits):
        del endpoints, timeout, runner
        world.prints_waits.append(prints_waits)
        return contextlib.nullcontext(FakeClient(world))

    monkeypatch.setattr(connection, "connect", connect)
    monkeypatch.setattr(roll_run, "FETCHED_S", 0.0)
    monkeypatch.setattr(roll_run, "PAUSE_S", 0.0)
    return world


def test_a_plan_is_printed_and_written(run, world, path):
    result = run("roll", "plan", *C, "--out", path)
    assert result.exit_code == ExitCode.OK, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "Cluster abc: 5 nodes, one at a time, in this order:"
    assert lines[2].split() == ["1", "2", "controller", "c2", "follower", "of", "the", "quorum"]
    assert any(line.startswith("Before each: ") for line in lines)
    assert f"--plan {path}" in lines[-2]
    assert [node.node_id for node in read_plan(path).nodes] == [2, 3, 1, 101, 102]
    data = json.loads(run("roll", "plan", *C, "--out", path, "--node", "102", "--node", "3", "-o", "json").stdout)
    assert [(node["nodeId"], node["roles"]) for node in data["nodes"]] == [(3, ["controller"]), (102, ["broker"])]
    assert (data["leaderId"], data["obstacles"], data["planFile"]) == (1, [], path)
    assert data["madeTimestamp"] > NOW_MS


def test_a_plan_with_something_in_the_way_is_code_3_and_not_written(run, world, path):
    world.down.add(102)
    result = run("roll", "plan", *C, "--out", path)
    assert result.exit_code == ExitCode.FINDINGS
    assert "IN THE WAY node 102 fetched last" in result.stdout
    assert result.stdout.splitlines()[-1] == "No plan was written: see to what is in the way first."
    assert not Path(path).exists()
    unknown = run("roll", "plan", *C, "--out", path, "--node", "9")
    assert unknown.exit_code == ExitCode.USAGE
    assert "--node 9 is not registered; there are 1, 2, 3, 101, 102" in unknown.stderr


def test_status_has_three_endings(run, world, path):
    """5 while a node may be stopped now, 3 while not, 0 when all is done."""
    write_plan(path, world.plan())
    words = ("roll", "status", *C, "--plan", path)
    result = run(*words)
    assert result.exit_code == ExitCode.INCOMPLETE
    assert result.stdout.splitlines()[-1] == "Next: restart controller 2 on c2; it may be stopped now."
    for node_id in (2, 3):
        world.restart(node_id)
    data = json.loads(run(*words, "-o", "json").stdout)
    assert data["nextRestart"] == {"nodeId": 1, "okToStop": True, "newLeaderId": 2, "reasons": []}
    assert [node["state"] for node in data["nodes"]] == ["restarted"] * 2 + ["not restarted"] * 3
    world.down.add(2)
    result = run(*words)
    assert result.exit_code == ExitCode.FINDINGS
    assert "Next: wait: node 2 fetched last" in result.stdout
    world.down.discard(2)
    for node_id in (1, 101, 102):
        world.restart(node_id)
    with local_zone(HALF_HOUR_WEST):
        result = run(*words)
        since = local_text(world.plan().created_ms)
    assert result.exit_code == ExitCode.OK
    assert f"5 of 5 nodes have restarted since {since}." in result.stdout
    assert since.endswith(" -0330")


def test_a_run_ends_with_its_code_and_its_steps(run, world, path, monkeypatch):
    write_plan(path, world.plan())
    restarted = []

    def restart(words, timeout_s, *, hurry):
        del hurry
        assert timeout_s == 60.0
        restarted.append(words)
        world.restart(int(words[2]))
        return 0

    monkeypatch.setattr(roll_run, "run_words", restart)
    words = ("roll", "run", *C, "--plan", path, "--restart", "true {role} {id}")
    dry = run(*words, "--dry-run")
    assert dry.exit_code == ExitCode.OK
    assert dry.stdout.splitlines()[:2] == ["true controller 2", "true controller 3"]
    assert restarted == []
    world.prints_waits.clear()
    result = run(*words, "--wait", "60", "-o", "json")
    assert result.exit_code == ExitCode.OK, result.stderr
    data = json.loads(result.stdout)
    assert (data["restartedIds"], data["finished"]) == ([2, 3, 1, 101, 102], True)
    assert restarted[-1] == ("true", "broker", "102")
    assert all(line.startswith("# ") for line in result.stderr.splitlines())
    first, *others = world.prints_waits
    assert (first, any(others)) == (True, False), "after the first look the run reports what it waits for"


def test_a_plan_that_was_replaced_before_it_is_held_is_not_carried_out(run, world, path, monkeypatch):
    write_plan(path, world.plan())

    other = replace(world.plan(), created_ms=NOW_MS + 1)

    @contextlib.contextmanager
    def replaced(name):
        monkeypatch.setattr(roll_file, "held_plan", held_plan)
        write_plan(name, other)
        with held_plan(name):
            yield

    held_plan = roll_file.held_plan
    monkeypatch.setattr(roll_file, "held_plan", replaced)
    monkeypatch.setattr(roll_run, "run_words", lambda *_, **__: pytest.fail("something is restarted"))
    result = run("roll", "run", *C, "--plan", path, "--restart", "true {id}")
    assert result.exit_code == ExitCode.FAILURE
    assert "was replaced by another plan just now" in result.stderr


def test_a_host_is_judged_before_anything_is_restarted(run, world, path):
    plan = world.plan()
    write_plan(path, replace(plan, nodes=(*plan.nodes[:-1], replace(plan.nodes[-1], host="-x"))))
    result = run("roll", "run", *C, "--plan", path, "--restart", "true {host}")
    assert result.exit_code == ExitCode.FAILURE
    assert "node 102 is registered at '-x'" in result.stderr
