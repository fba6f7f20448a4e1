"""leader-election and reassign-partitions over a cluster that a test scripts: requests, texts, refusals."""

from __future__ import annotations

import contextlib
import json
from types import SimpleNamespace

import pytest

from kraftpy.cli import connection, partition_file
from kraftpy.client.values import LeaderElectionType, OngoingReassignment, PartitionResult
from kraftpy.model.errors import ErrorCode
from kraftpy.quorum_tools.replication_throttle import Move, throttles, without_throttles

C = ("-C", "localhost:9193")
MOVING = OngoingReassignment("t", 0, (2, 3, 1), (3,), (1,))


CLEARED = [
    "Clearing broker-level throttles on brokers 1,2,3,4,5",
    "Clearing topic-level throttles on topic t",
]


class FakeCluster:
    """Notes what it is asked; topic ``t`` has partition 0 on 1,2 and partition 1 on 2,3."""

    def __init__(self):
        self.asked = []
        self.outcomes = ()
        self.moving = ()
        self.adding = ()
        self.configs = []
        self.refused_configs = None
        self.keeps_moving = False

    def alter_many_configs(self, settings):
        self.configs.append(settings)
        return self.refused_configs

    def elect_leaders(self, election_type, partitions, *, validate_only):
        self.asked.append((election_type, partitions) + (("dry run",) if validate_only else ()))
        return self.outcomes

    def reassign_partitions(self, replicas, *, allow_replication_factor_change, validate_only=False):
        self.asked.append((replicas, allow_replication_factor_change) + ((True,) if validate_only else ()))
        if None in replicas.values() and not self.keeps_moving:
            self.moving = ()
        return self.outcomes

    def list_reassignments(self, partitions):
        del partitions
        return self.moving

    def describe_topics(self, names, read):
        del read
        adding = self.adding
        partitions = [
            SimpleNamespace(partition=0, replicas=(1, 2), adding_replicas=adding, removing_replicas=()),
            SimpleNamespace(partition=1, replicas=(2, 3), adding_replicas=(), removing_replicas=()),
        ]
        unknown = [name for name in names if name != "t"]
        return SimpleNamespace(topics=[SimpleNamespace(name="t", partitions=partitions)], unknown=unknown)

    def describe_cluster(self, read):
        del read
        brokers = [
            SimpleNamespace(broker_id=number, rack=f"r{number % 2}", fenced=number == 5, in_controlled_shutdown=False)
            for number in (1, 2, 3, 4, 5)
        ]
        return SimpleNamespace(brokers=brokers)


@pytest.fixture
def cluster(monkeypatch):
    fake = FakeCluster()
    monkeypatch.setattr(connection, "connect", lambda *_: contextlib.nullcontext(fake))
    return fake


@pytest.fixture
def file(tmp_path):
    def write(*rows):
        path = tmp_path / "partitions.json"
        found = [{"topic": "t", "partition": number, "replicas": replicas} for number, replicas in rows]
        path.write_text(json.dumps({"version": 1, "partitions": found}))
        return path

    return write


def test_an_election_prints_each_result(run, cluster):
    """Kafka's three texts, and a failure where a partition has no leader to elect."""
    cluster.outcomes = (
        PartitionResult("t", 0),
        PartitionResult("t", 1, ErrorCode.ELECTION_NOT_NEEDED),
        PartitionResult("t", 2, ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE),
    )
    result = run("leader-election", "--election-type", "preferred", "--all-topic-partitions", *C)
    assert cluster.asked == [(LeaderElectionType.PREFERRED, None)]
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "Successfully completed leader election (PREFERRED) for partitions t-0",
        "Valid replica already elected for partitions t-1",
        "Error completing leader election (PREFERRED) for partition: t-2: PREFERRED_LEADER_NOT_AVAILABLE",
    ]


def test_dry_runs_change_nothing(run, cluster, file):
    """Both commands pass it on, and their texts do not say that something was done."""
    cluster.outcomes = (PartitionResult("t", 0),)
    options = ("--election-type", "preferred", "--all-topic-partitions", "--dry-run")
    shown = run("leader-election", *options, *C).stdout
    assert shown == "Could elect leaders (PREFERRED) for partitions t-0\n"
    moved = ("reassign-partitions", "--execute", "--reassignment-json-file", file((0, [2, 3])), "--dry-run")
    assert run(*moved, *C).stdout == "The reassignment could be started.\n"
    assert run(*moved, "--throttle", "5", *C).exit_code == 0
    assert cluster.configs == []
    assert cluster.asked == [
        (LeaderElectionType.PREFERRED, None, "dry run"),
        *[({("t", 0): [2, 3]}, True, True)] * 2,
    ]
    assert run("reassign-partitions", "--list", "--dry-run", *C).exit_code == 2


def test_an_election_names_partitions(run, cluster, file):
    """By option, and by a file."""
    assert run("leader-election", "--election-type", "UNCLEAN", "--topic", "t", "--partition", 3, *C).exit_code == 0
    path = file((0, [1]), (1, [1]))
    assert run("leader-election", "--election-type", "unclean", "--path-to-json-file", path, *C).exit_code == 0
    assert cluster.asked == [(LeaderElectionType.UNCLEAN, {"t": [3]}), (LeaderElectionType.UNCLEAN, {"t": [0, 1]})]
    refused = run("leader-election", "--election-type", "unclean", "--topic", "t", *C)
    assert refused.exit_code == 2
    assert "--topic and --partition must be given together" in refused.stderr


def test_execute_moves_and_prints_the_way_back(run, cluster, file):
    """What is printed can be given back as a file."""
    path = file((0, [2, 3]), (1, [3]))
    options = ("--reassignment-json-file", path, "--disallow-replication-factor-change")
    lines = run("reassign-partitions", "--execute", *options, *C).stdout.splitlines()
    assert cluster.asked == [({("t", 0): [2, 3], ("t", 1): [3]}, False)]
    assert lines[-1] == "Successfully started partition reassignments for t-0,t-1"
    path.write_text(lines[2])
    assert partition_file.read_partitions(str(path), has_replicas=True) == {("t", 0): [1, 2], ("t", 1): [2, 3]}


def test_execute_names_what_was_refused(run, cluster, file):
    """Each refused partition with its message and code."""
    cluster.outcomes = (PartitionResult("t", 0), PartitionResult("t", 1, ErrorCode.INVALID_REPLICA_ASSIGNMENT, "no"))
    result = run("reassign-partitions", "--execute", "--reassignment-json-file", file((0, [2]), (1, [9])), *C)
    assert result.exit_code == 1
    assert "1 of 2 partitions were refused, the others accepted: t-1: no (INVALID_REPLICA_ASSIGN" in result.stderr


def test_verify_list_and_cancel(run, cluster, file):
    """Kafka's texts while a partition is being moved, and after."""
    options = ("--reassignment-json-file", file((0, [2, 3]), (1, [2, 3])), *C)
    none = run("reassign-partitions", "--cancel", *options).stdout
    assert none.splitlines() == ["None of the specified partition reassignments are active.", *CLEARED]
    assert run("reassign-partitions", "--verify", *options).stdout.splitlines()[1:] == [
        "There is no active reassignment of partition t-0, but replica set is 1,2 rather than 2,3.",
        "Reassignment of partition t-1 is completed.",
        "",
        *CLEARED,
    ]
    assert cluster.configs == [without_throttles([1, 2, 3, 4, 5], ["t"])] * 2
    kept = run("reassign-partitions", "--verify", "--preserve-throttles", *options)
    assert kept.stdout.endswith("Reassignment of partition t-1 is completed.\n")
    cluster.moving = (MOVING,)
    shown = run("reassign-partitions", "--verify", *options).stdout
    assert "Reassignment of partition t-0 is still in progress." in shown
    listed = run("reassign-partitions", "--list", *C).stdout.splitlines()
    assert listed == ["Current partition reassignments:", "t-0: replicas: 2,3,1. adding: 3. removing: 1."]
    rows = json.loads(run("reassign-partitions", "--list", "-o", "json", *C).stdout)
    assert rows[0]["addingReplicas"] == [3]
    assert not cluster.asked
    assert len(cluster.configs) == 2, "throttles stay while replicas move"
    assert run("reassign-partitions", "--cancel", "--preserve-throttles", *options).stdout.endswith(
        "cancelled partition reassignment for: t-0\n"
    )
    assert len(cluster.configs) == 2
    assert cluster.asked == [({("t", 0): None}, True)]


def test_one_action_and_its_file(run, cluster, file):
    """Two actions, or an action without its file, are mistakes of the command line."""
    path = file((0, [1]))
    for options in (("--execute", "--list"), ("--execute",), ("--list", "--reassignment-json-file", path), ()):
        assert run("reassign-partitions", *options, *C).exit_code == 2
    assert not cluster.asked


ROW = '{"topic": "t", "partition": 0, "replicas": [1]}'
HOSTILE = {
    "no JSON": ("{", "is not JSON"),
    "nested": ("[" * 100_000, "is not JSON"),
    "a list": ("[]", "has no list of partitions"),
    "none": ('{"partitions": []}', "has no list of partitions"),
    "no topic": ('{"partitions": [{"partition": 0}]}', "has no topic and partition"),
    "a flag": ('{"partitions": [{"topic": "t", "partition": true}]}', "has no topic and partition"),
    "too great": ('{"partitions": [{"topic": "t", "partition": 2147483648}]}', "has no topic and partition"),
    "no replicas": ('{"partitions": [{"topic": "t", "partition": 0}]}', "has no list of broker ids"),
    "twice": (f'{{"partitions": [{ROW}, {ROW}]}}', "names t-0 again"),
    "not UTF-8": ("\udcff", "is not JSON"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_one_line(run, cluster, tmp_path, case):
    """Whatever the file holds, the error names the file, the exit code is a file's, and nothing is sent."""
    text, message = HOSTILE[case]
    path = tmp_path / "f.json"
    path.write_text(text, errors="surrogateescape")
    result = run("reassign-partitions", "--execute", "--reassignment-json-file", path, *C)
    assert result.exit_code == 1
    assert message in result.stderr
    assert not cluster.asked


def test_a_file_is_bounded(run, cluster, tmp_path, monkeypatch):
    """A file that is too large is not read to its end."""
    monkeypatch.setattr(partition_file, "FILE_BYTES_MAX", 10)
    path = tmp_path / "f.json"
    path.write_text(" " * 11)
    result = run("reassign-partitions", "--execute", "--reassignment-json-file", path, *C)
    assert "has more than 10 bytes" in result.stderr
    assert not cluster.asked


def test_a_plan_is_printed_as_kafka_does(run, cluster):
    """Two JSON documents on stdout, which --execute takes; what moves on stderr, and in JSON."""
    result = run("reassign-partitions", "--generate", "--broker-list", "1,2,4", "--disable-rack-aware", *C)
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0::3] == ["Current partition replica assignment", "Proposed partition reassignment configuration"]
    assert json.loads(lines[1])["partitions"][1] == {"topic": "t", "partition": 1, "replicas": [2, 3]}
    assert json.loads(lines[4])["partitions"][1] == {"topic": "t", "partition": 1, "replicas": [2, 4]}
    assert result.stderr.splitlines()[0] == "1 of 4 replicas move:"
    assert "broker 3: replicas 1 -> 0, preferred leader of 0 -> 0" in result.stderr
    shown = json.loads(run("-o", "json", "reassign-partitions", "--generate", "--broker-list", "1,2,4", *C).stdout)
    assert shown["movedReplicaCount"] == 2, "two racks: broker 1 has one of each partition"
    assert cluster.asked == [], "nothing is changed"


def test_all_active_brokers_are_used_by_default(run, cluster):
    """The fenced one is not."""
    shown = json.loads(run("-o", "json", "reassign-partitions", "--generate", *C).stdout)
    assert [one["brokerId"] for one in shown["brokers"]] == [1, 2, 3, 4]
    assert {one["replicasAfter"] for one in shown["brokers"]} == {1}


@pytest.mark.parametrize(
    ("args", "adding", "text"),
    [
        (("--generate", "--broker-list", "1,x"), (), "is not a list of broker ids"),
        (("--generate", "--broker-list", "1,9"), (), "there is no broker 9"),
        (("--generate", "--broker-list", "1"), (), "t-0 has 2 replicas, and only 1 brokers are given"),
        (("--generate",), (4,), "1 partitions are being moved, t-0 for instance"),
        (("--list", "--broker-list", "1"), (), "are for --generate"),
        (("--generate", "--list"), (), "Exactly one of --generate"),
    ],
)
def test_a_plan_that_cannot_be_made_is_an_error(run, cluster, args, adding, text):
    cluster.adding = adding
    result = run("reassign-partitions", *args, *C)
    assert result.exit_code != 0
    assert text in result.stderr


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('{"topics": [{"topic": "u"}]}', "there is no topic u"),
        ('{"topics": []}', "has no list of topics"),
        ('{"topics": [{"name": "t"}]}', r"topics[0] of"),
        ("[", "is not JSON"),
    ],
)
def test_a_file_of_topics_is_checked(run, cluster, tmp_path, content, text):
    assert cluster.asked == []
    path = tmp_path / "topics.json"
    path.write_text(content)
    result = run("reassign-partitions", "--generate", "--topics-to-move-json-file", str(path), *C)
    assert result.exit_code == 1
    assert text in result.stderr


def test_execute_throttles_what_moves_and_what_moved_before(run, cluster, file):
    """The throttle is set first, for moves under way, too; a second reassignment has to be asked for."""
    cluster.moving = (OngoingReassignment("t", 1, (2, 3, 4), (4,), (2,)),)
    options = ("--reassignment-json-file", file((0, [2, 3])), "--throttle", 1_000_000, *C)
    refused = run("reassign-partitions", "--execute", *options)
    assert refused.exit_code == 1
    assert "Use --additional to override this" in refused.stderr
    assert (cluster.asked, cluster.configs) == ([], [])
    done = run("reassign-partitions", "--execute", "--additional", *options)
    assert "You must run --verify periodically" in done.stdout
    assert done.stdout.splitlines()[-2] == "The inter-broker throttle limit was set to 1000000 B/s"
    assert cluster.configs == [throttles([Move("t", 1, [2, 3], [3, 4]), Move("t", 0, [1, 2], [2, 3])], 1_000_000)]
    assert cluster.asked == [({("t", 0): [2, 3]}, True)]


def test_nothing_moves_where_a_throttle_is_refused(run, cluster, file):
    cluster.refused_configs = "7: no (POLICY_VIOLATION)"
    options = ("--reassignment-json-file", file((0, [2, 3])), "--throttle", 1, *C)
    result = run("reassign-partitions", "--execute", *options)
    assert result.exit_code == 1
    assert "no reassignment was started: 7: no (POLICY_VIOLATION)" in result.stderr
    assert cluster.asked == []


@pytest.mark.parametrize(
    "options",
    [
        ("--verify", "--throttle", "1"),
        ("--cancel", "--additional"),
        ("--execute", "--preserve-throttles"),
        ("--execute", "--throttle", "0"),
        ("--execute", "--throttle", "fast"),
    ],
)
def test_options_of_another_action_are_usage_errors(run, cluster, file, options):
    result = run("reassign-partitions", *options, "--reassignment-json-file", file((0, [2])), *C)
    assert (result.exit_code, cluster.asked, cluster.configs) == (2, [], [])


def test_a_plan_is_previewed_applied_followed_and_cancelled(run, cluster, tmp_path):
    """The file of `plan` has what changes only; each step prints what it did, and `-o json` all of it."""
    path = tmp_path / "plan.json"
    shown = run("reassign", "plan", "--broker-list", "1,2,4", "--ignore-racks", "--output-file", path, *C)
    assert shown.exit_code == 0, shown.stderr
    assert shown.stdout.splitlines()[0] == "1 of 4 replicas move, of 1 partitions."
    assert shown.stdout.splitlines()[-2:] == ["t-1: 2,3 -> 2,4", f"Written to {path}: kraftpy reassign apply {path}"]
    assert partition_file.read_partitions(str(path), has_replicas=True) == {("t", 1): [2, 4]}
    assert "exists already" in run("reassign", "plan", "--output-file", path, *C).stderr
    assert (cluster.asked, cluster.configs) == ([], [])

    assert (
        "Could start the reassignment of 1 " in run("reassign", "apply", path, "--dry-run", "--throttle", 9, *C).stdout
    )
    assert (cluster.asked.pop(), cluster.configs) == (({("t", 1): [2, 4]}, True, True), [])
    applied = json.loads(run("-o", "json", "reassign", "apply", path, "--throttle", 9, *C).stdout)
    assert applied["currentAssignment"]["partitions"] == [{"topic": "t", "partition": 1, "replicas": [2, 3]}]
    assert cluster.configs == [throttles([Move("t", 1, [2, 3], [2, 4])], 9)]
    assert cluster.asked.pop() == ({("t", 1): [2, 4]}, True)

    cluster.moving = (OngoingReassignment("t", 1, (2, 4, 3), (4,), (3,)),)
    assert run("reassign", "status", path, *C).stdout.splitlines() == [
        "1 partitions move.",
        f"Of 1 partitions in {path}: 0 completed, 1 in progress, 0 with other replicas.",
        "t-1: replicas: 2,4,3. adding: 4. removing: 3.",
    ]
    assert len(cluster.configs) == 1, "throttles stay while replicas move"
    assert run("reassign", "cancel", "--all", *C).stdout.splitlines() == ["Cancelled 1 reassignments.", "t-1", *CLEARED]
    assert cluster.asked == [({("t", 1): None}, True)]
    ended = run("reassign", "status", path, *C).stdout.splitlines()
    assert ended == [
        "No partition moves.",
        f"Of 1 partitions in {path}: 0 completed, 0 in progress, 1 with other replicas.",
        "t-1: has 2,3, not 2,4",
        *CLEARED,
    ]
    assert cluster.configs[1:] == [without_throttles([1, 2, 3, 4, 5], ["t"])] * 2


def test_reassign_reads_only_unless_asked(run, cluster, tmp_path):
    """Without a file `status` changes nothing, and `cancel` wants a file or --all."""
    assert run("reassign", "status", *C).stdout == "No partition moves.\n"
    assert run("reassign", "cancel", *C).exit_code == 2
    assert run("reassign", "cancel", "--all", tmp_path / "f.json", *C).exit_code == 2
    assert run("reassign", "apply", tmp_path / "none.json", *C).exit_code == 1
    assert "cannot be written" in run("reassign", "plan", "--output-file", tmp_path / "no" / "f", *C).stderr
    assert (cluster.asked, cluster.configs) == ([], [])


def test_a_move_of_what_moves_already_is_throttled_from_where_it_began(run, cluster, file):
    """The replicas that it is copied from are those before both moves; throttles stay while anything moves."""
    cluster.moving = (OngoingReassignment("t", 0, (2, 3, 1), (3,), (1,)),)
    options = ("--reassignment-json-file", file((0, [4, 2])), *C)
    assert run("reassign-partitions", "--execute", "--additional", "--throttle", 7, *options).exit_code == 0
    assert cluster.configs == [throttles([Move("t", 0, [2, 1], [4, 2])], 7)]
    cluster.keeps_moving = True
    assert "Clearing" not in run("reassign-partitions", "--cancel", *options).stdout
    assert len(cluster.configs) == 1
