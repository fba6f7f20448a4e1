"""The plan of a migration as a file, and what `kraftpy migrate` says of bad ones; nothing here opens a socket."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from kraftpy.cli import migrate, migration_survey
from kraftpy.cli.errors import CommandError, UnreachableError
from kraftpy.cli.migrate import step_text
from kraftpy.cli.migration_file import CONTROLLERS_MAX, FILE_BYTES_MAX, MigrationFile, read_migration, write_migration
from kraftpy.cli.migration_survey import broker_facts, read_brokers, read_controllers, report_items
from kraftpy.cli.root import cli
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.image.topics import TopicImage, TopicsImage
from kraftpy.model.errors import ApiError, ErrorCode, KraftError
from kraftpy.model.ids import uuid_to_text
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter
from kraftpy.quorum_tools.access import PLAINTEXT, ProbeError
from kraftpy.quorum_tools.migration import Blocked, Finished, Migration, RemoveVoter, Rest, StartController, Wait
from kraftpy.quorum_tools.ok_to_stop import SILENT_MS
from kraftpy.quorum_tools.quorum_admin import DescribedQuorum, NoLeaderError
from kraftpy.raft.messages import DescribeQuorumResponse, ReplicaProgress
from kraftpy.transport.kafka.resolving import Resolver


def voter(node_id):
    return Voter(ReplicaKey(node_id, bytes([node_id]) * 16), (Endpoint("CONTROLLER", "::1", 9000 + node_id),))


PLAN = MigrationFile("MkU3OEVBNTcwNTJENDM2Qg", Migration(leaving=(voter(1), voter(2)), joining=(voter(11),)))


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "migration.json")


def document(path):
    write_migration(path, PLAN)
    return json.loads(Path(path).read_text(encoding="utf-8"))


def test_a_plan_is_read_as_it_was_written(path):
    write_migration(path, PLAN)
    assert read_migration(path) == PLAN
    assert [str(one) for one in PLAN.endpoints] == [
        "CONTROLLER://[::1]:9001", "CONTROLLER://[::1]:9002", "CONTROLLER://[::1]:9011",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "value", "text"),
    [
        (("clusterId",), 7, "clusterId is not a text"),
        (("leaving",), [], f"leaving is not a list of 1 to {CONTROLLERS_MAX} controllers"),
        (("leaving",), [{}] * (CONTROLLERS_MAX + 1), "leaving is not a list"),
        (("joining",), "x", "joining is not a list"),
        (("leaving", 0), [], "leaving[0] is not an object"),
        (("leaving", 0, "nodeId"), True, "leaving[0].nodeId is True"),
        (("leaving", 0, "nodeId"), -1, "leaving[0].nodeId is -1"),
        (("leaving", 0, "nodeId"), 2**31, "leaving[0].nodeId is 2147483648"),
        (("leaving", 1, "directoryId"), "short", "leaving[1].directoryId"),
        (("joining", 0, "endpoints"), [], "joining[0].endpoints is not a list"),
        (("joining", 0, "endpoints"), ["h:1"], "is 'h:1', not NAME://host:port"),
        (("joining", 0, "endpoints"), ["A://h:70000"], "joining[0].endpoints[0]"),
        (("joining", 0, "nodeId"), 1, "two of its controllers have the same node id"),
        (("kind",), "recovery plan", "is no kraftpy migration of format 1"),
    ],
)
def test_a_bad_plan_is_named_by_its_place(path, place, value, text):
    found = document(path)
    at = found
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = value
    Path(path).write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(KraftError) as caught:
        read_migration(path)
    assert text in str(caught.value)
    assert path in str(caught.value)


def test_a_file_that_is_too_long_is_not_read(path):
    Path(path).write_bytes(b" " * (FILE_BYTES_MAX + 1))
    with pytest.raises(CommandError, match=f"more than {FILE_BYTES_MAX} bytes"):
        read_migration(path)


@given(content=st.binary(max_size=200))
def test_any_file_is_a_plan_or_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("plans") / "plan.json"
    path.write_bytes(content)
    with pytest.raises(KraftError):
        read_migration(str(path))


@pytest.mark.parametrize("command", ["run", "status", "back"])
def test_a_missing_plan_names_the_command_that_makes_one(command, path):
    result = CliRunner().invoke(cli, ["migrate", command, path])
    assert result.exit_code == 1
    assert "make a plan with `kraftpy migrate plan`" in result.output


def test_a_broker_file_is_read_without_judging_what_is_not_ours(tmp_path):
    file = tmp_path / "broker.properties"
    file.write_text(
        "node.id=5\nprocess.roles=broker\nsasl.enabled.mechanisms=GSSAPI\ncontroller.listener.names=quorum,other\n"
        "controller.quorum.bootstrap.servers=a:1, b:2\n",
        encoding="utf-8",
    )
    found = read_brokers([str(file)])[5]
    assert found.listener == "QUORUM"
    assert [(one.host, one.port) for one in found.bootstrap_servers] == [("a", 1), ("b", 2)]
    file.write_text("process.roles=broker\n", encoding="utf-8")
    with pytest.raises(KraftError, match="unknown which broker"):
        read_brokers([str(file)])


def test_a_list_that_cannot_be_read_is_unknown():
    found = broker_facts(5, "h:1", {"controller.quorum.bootstrap.servers": "a:b:c"})
    assert found.bootstrap_servers is None
    assert "a:b:c" in found.why


def test_a_controller_without_an_identity_is_refused(tmp_path):
    file = tmp_path / "controller.properties"
    file.write_text(
        f"node.id=11\nprocess.roles=controller\nlisteners=CONTROLLER://127.0.0.1:9011\nlog.dirs={tmp_path}/data\n"
        "controller.listener.names=CONTROLLER\ncontroller.quorum.bootstrap.servers=127.0.0.1:9011\n",
        encoding="utf-8",
    )
    with pytest.raises(CommandError, match="start it once"):
        read_controllers([str(file)])
    data = tmp_path / "data"
    data.mkdir()
    directory_id = uuid_to_text(b"d" * 16)
    (data / "meta.properties").write_text(
        f"version=1\ncluster.id=MkU3OEVBNTcwNTJENDM2Qg\nnode.id=11\ndirectory.id={directory_id}\n", encoding="utf-8"
    )
    (found,) = read_controllers([str(file)])
    assert found.voter.key == ReplicaKey(11, b"d" * 16)
    assert found.cluster_id == "MkU3OEVBNTcwNTJENDM2Qg"
    assert found.values["min.insync.replicas"] == "1"
    assert found.values["ssl.client.auth"] == "none"
    assert found.values["controller.quorum.auto.join.enable"] == "false"
    assert found.values.keys() >= {
        "principal.builder.class",
        "sasl.enabled.mechanisms",
        "create.topic.policy.class.name",
    }


def test_what_a_broker_may_report_at_once_is_counted():
    """A broker that holds more than kraftpy takes in one request is not named before it matters."""
    two = PartitionRegistration(
        replicas=(1, 2), directories=(b"d" * 16,) * 2, isr=(1,), leader=1, leader_epoch=0, partition_epoch=0
    )
    topic = TopicImage("a", b"t" * 16, Map({0: two, 1: two._replace(replicas=(2, 3))}))
    # The topic, its partitions, and of each all replicas that may be in sync.
    assert report_items(TopicsImage(Map({topic.id: topic}))) == {1: 4, 2: 7, 3: 4}


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (RemoveVoter(voter(1)), "Removing controller 1@"),
        (StartController(voter(11)), "start it"),
        (StartController(voter(11), after=voter(1)), "stop controller 1, whose address it takes over, then start 11"),
        (Wait(("a", "b")), "Waiting: a; b."),
        (Rest(voter(1), leads=True), "it leads now"),
        (Blocked("why"), "why"),
        (Finished(), "Stop the old ones"),
    ],
)
def test_every_step_is_a_sentence(step, text):
    assert text in step_text(step)


class FakeAdmin:
    """A quorum's leader that answers from a script: an exception is raised, ``None`` makes the change."""

    def __init__(self, voters, script):
        self.voters, self.script, self.asked = list(voters), list(script), []

    async def describe(self):
        rows = tuple(ReplicaProgress(key=key, log_end_offset=7, last_fetch_ms=self.last_fetch_ms(key),
                                     last_caught_up_ms=1) for key in self.voters)  # fmt: skip
        rest = tuple(replace(rows[0], key=one.key) for one in (voter(1), voter(11)) if one.key not in self.voters)
        leader = LeaderAndEpoch(self.voters[0].node_id, 1)
        answer = DescribeQuorumResponse(leader=leader, high_watermark=7, voters=rows, observers=rest)
        return DescribedQuorum(voter(1).endpoints[0], answer)

    def last_fetch_ms(self, key):
        return 10_000

    async def add(self, key, endpoints):
        await self._change("add", key, self.voters.append)

    async def remove(self, key):
        await self._change("remove", key, self.voters.remove)

    async def _change(self, what, key, carry_out):
        self.asked.append(what)
        outcome = self.script.pop(0) if self.script else None
        if outcome is None or outcome is COMMITTED_UNANSWERED:
            carry_out(key)
        if outcome is not None:
            raise outcome


COMMITTED_UNANSWERED = ProbeError("closes the connection after the change was made")


def carried_out(monkeypatch, admin, *, timeout_s=5.0, looks=()):
    """Run the replacement of 1 by 11; ``looks`` are errors of the first looks at the quorum."""
    monkeypatch.setattr(migrate, "PAUSE_S", 0.0)
    plan = MigrationFile(PLAN.cluster_id, Migration(leaving=(voter(1),), joining=(voter(11),)))
    first = list(looks)

    async def survey(*_, **__):
        if first:
            raise first.pop(0)
        return SimpleNamespace(cluster_id=PLAN.cluster_id, serving=frozenset())

    monkeypatch.setattr(migration_survey, "survey", survey)

    async def run():
        runner = migrate.MigrationRunner(plan, PLAINTEXT, timeout_s)
        runner._admin = admin
        lines = []
        return await runner.run(plan.migration, lines.append, finishes=True), lines

    return asyncio.run(run())


@pytest.mark.parametrize(
    "error",
    [
        ApiError(ErrorCode.REQUEST_TIMED_OUT, "another change is on its way"),
        ApiError(ErrorCode.NOT_LEADER_OR_FOLLOWER, "node 1 does not lead"),
        ProbeError("closes the connection"),
        NoLeaderError("no leader was found"),
        COMMITTED_UNANSWERED,
    ],
)
@pytest.mark.parametrize("before", [0, 1])
def test_a_change_that_meets_a_dying_leader_is_looked_at_and_goes_on(monkeypatch, before, error):
    """A migration ends with an error because the active controller died, or an earlier change was not committed yet."""
    admin = FakeAdmin([voter(1).key], [None] * before + [error])
    is_finished, lines = carried_out(monkeypatch, admin)
    assert is_finished
    assert admin.voters == [voter(11).key]
    repeated = 0 if error is COMMITTED_UNANSWERED else 1
    assert admin.asked.count(("add", "remove")[before]) == 1 + repeated
    assert sum(line.startswith(("Adding", "Removing")) for line in lines) == 2
    assert any(line.startswith("Waiting: ") for line in lines)


def test_a_change_that_the_leader_refuses_for_good_ends_the_command(monkeypatch):
    """A migration repeats for minutes what the leader will never accept."""
    admin = FakeAdmin([voter(1).key], [ApiError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "no ALTER on the cluster")])
    with pytest.raises(CommandError, match=r"refused adding controller 11: no ALTER on the cluster .CLUSTER_AUTH"):
        carried_out(monkeypatch, admin)


def test_a_refusal_that_does_not_pass_is_named_when_the_time_is_over(monkeypatch):
    """A migration waits without end, or ends without the reason."""
    admin = FakeAdmin([voter(1).key], [ApiError(ErrorCode.REQUEST_TIMED_OUT, "11 is far behind")] * 100_000)
    with pytest.raises(CommandError, match=r"after 0.05 s still: .*11 is far behind.*the same command goes on"):
        carried_out(monkeypatch, admin, timeout_s=0.05)


def test_a_run_waits_for_the_leader_that_was_just_killed(monkeypatch):
    """`migrate run`, repeated right after the active controller was killed, ends with "no leader was found"."""
    looks = [UnreachableError("no leader was found: 1 knows no leader")] * 3
    is_finished, lines = carried_out(monkeypatch, FakeAdmin([voter(1).key], []), looks=looks)
    assert is_finished
    assert sum("no leader was found" in line for line in lines) == 1


class SilentAdmin(FakeAdmin):
    """Controller 2 does not fetch in some intervals of the time, and controller 11 never starts.

    Attributes:
        now_s: the time.
    """

    def __init__(self, silences):
        super().__init__([voter(1).key, voter(2).key, voter(3).key], [])
        self.silences, self.now_s = silences, 0.0

    def last_fetch_ms(self, key):
        is_silent = key == voter(2).key and any(begin <= self.now_s < end for begin, end in self.silences)
        return 10_000 - (SILENT_MS + 1 if is_silent else 0)

    async def describe(self):
        found = await super().describe()
        return replace(found, described=replace(found.described, observers=()))

    async def sleep(self, seconds):
        self.now_s += seconds


@pytest.mark.parametrize(
    ("silences", "timeout_s", "given_up_s"),
    [
        ([(0, 999)], 120, 30),
        ([(40, 999)], 120, 70),
        ([(40, 69)], 120, None),
        ([(35, 60), (62, 999)], 120, 92),
        ([(10, 999)], 30, 25),
    ],
)
def test_a_controller_is_given_up_when_it_has_not_followed_for_long(monkeypatch, silences, timeout_s, given_up_s):
    """A controller that does not fetch for some seconds is removed because the step has taken 30 s already."""
    admin = SilentAdmin(silences)
    loop = SimpleNamespace(time=lambda: admin.now_s)
    monkeypatch.setattr(migrate, "asyncio", SimpleNamespace(sleep=admin.sleep, get_running_loop=lambda: loop))
    plan = MigrationFile(PLAN.cluster_id, Migration(leaving=(voter(1), voter(2), voter(3)), joining=(voter(11),)))
    found = SimpleNamespace(cluster_id=PLAN.cluster_id, serving=frozenset())

    async def survey(*_, **__):
        return found

    monkeypatch.setattr(migration_survey, "survey", survey)
    lines = []

    async def run():
        runner = migrate.MigrationRunner(plan, PLAINTEXT, timeout_s)
        runner._admin = admin
        await runner.run(plan.migration, lambda line: lines.append((admin.now_s, line)), finishes=False)

    with pytest.raises(UnreachableError, match="start it"):
        asyncio.run(run())
    times = [now_s for now_s, line in lines if line.startswith("Controller 2 does not follow")]
    assert times == ([] if given_up_s is None else [given_up_s + migrate.PAUSE_S])


def test_a_controller_that_follows_again_is_waited_for_again(monkeypatch):
    """What it did not follow before does not count: it has 30 s from the next time on."""
    now = [0.0]
    monkeypatch.setattr(
        migrate, "asyncio", SimpleNamespace(get_running_loop=lambda: SimpleNamespace(time=lambda: now[0]))
    )
    patience, lines = migrate._Patience(120.0), []
    for at_s, lost, given_up in (
        (0, [voter(2)], set()),
        (31, [voter(2)], {voter(2).key}),
        (32, [], set()),
        (33, [voter(2)], set()),
        (62, [voter(2)], set()),
        (64, [voter(2)], {voter(2).key}),
    ):
        now[0] = at_s
        patience.note_lost(lost)
        patience.give_up(lines.append)
        assert patience.given_up == given_up, at_s
    assert len(lines) == 2


def test_names_are_resolved_and_what_does_not_resolve_is_missing():
    """A migration cannot be planned where one of many names does not resolve."""
    asked = []

    def ask(name):
        asked.append(name)
        if name == "gone":
            raise OSError(name)
        return ["192.0.2.1", "2001:DB8::1"]

    names = [f"host-{number}" for number in range(40)]
    found = asyncio.run(migration_survey.resolved([*names, "gone", "::1", "x" * 300], 5.0, Resolver(ask)))
    both = frozenset({"192.0.2.1", "2001:db8::1"})
    assert found == {**dict.fromkeys([*names, "x" * 300], both), "::1": frozenset({"::1"})}
    assert sorted(asked) == sorted([*names, "gone", "x" * 300])
