"""The online commands over a cluster that a test holds in its hand: layouts, requests, refusals, exit codes."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest
import yaml

from kraftpy.cli import connection
from kraftpy.cli.cluster_port import ANY_STATE, Read, WatchedRecord
from kraftpy.cli.errors import UnreachableError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.quorum_text import max_follower_lag, max_follower_lag_ms
from kraftpy.client.values import (
    BrokerInfo,
    ClusterInfo,
    ConfigEntry,
    Configs,
    ConfigSource,
    ConfigSynonym,
    ControllerInfo,
    FeatureDescription,
    Features,
    Freshness,
    QuorumInfo,
    ReplicaInfo,
    Resource,
    Topics,
)
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.registrations import Listener
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.records.authors import Author
from tests.fakes.terminal import run_on_terminal
from tests.fakes.zones import HALF_HOUR_EAST, local_zone
from tests.unit.cli.json_outputs import faults

C = ("-C", "localhost:9193")
NOW_MS = 1_729_857_600_000
DIRECTORY = b"0123456789abcdef"
DIRECTORY_TEXT = "MDEyMzQ1Njc4OWFiY2RlZg"


NOW = Freshness(77, 4, 0)
LISTENER = Listener("PLAINTEXT", "::1", 9092)


def replica(node_id, end, caught_up=NOW_MS, *, fetch=NOW_MS, directory=None, endpoints=()):
    return ReplicaInfo(
        key=ReplicaKey(node_id, directory),
        log_end_offset=end,
        last_fetch_ms=fetch,
        last_caught_up_ms=caught_up,
        endpoints=endpoints,
    )


def broker(node_id, *, fenced, rack=None):
    return BrokerInfo(
        broker_id=node_id,
        epoch=5,
        incarnation_id=DIRECTORY,
        listeners=(LISTENER,),
        features=(),
        rack=rack,
        fenced=fenced,
        in_controlled_shutdown=False,
        log_dirs=(DIRECTORY,),
        saturated_log_dirs=(DIRECTORY,),
    )


def quorum(voters, leader_id=1, observers=()):
    return QuorumInfo(
        freshness=NOW, leader_id=leader_id, leader_epoch=4, high_watermark=100,
        voters=tuple(voters), observers=tuple(observers),
    )  # fmt: skip


def members(cluster_id):
    controller = ControllerInfo(
        controller_id=1, incarnation_id=DIRECTORY, listeners=(Listener("GRPC", "h1", 9193),), features=()
    )
    brokers = (broker(101, fenced=False, rack="r"), broker(102, fenced=True))
    return ClusterInfo(
        freshness=NOW, cluster_id=cluster_id, controller_id=1, brokers=brokers, controllers=(controller,)
    )


VOTERS = (
    replica(1, 110, directory=DIRECTORY, endpoints=(Endpoint("CONTROLLER", "h1", 9093),)),
    replica(2, 105, NOW_MS - 30, fetch=NOW_MS - 30),
    replica(3, 100, NOW_MS - 50, fetch=NOW_MS - 50),
)
OBSERVER = replica(101, 99, NOW_MS - 70, fetch=NOW_MS - 70, directory=DIRECTORY)


ENTRY = ConfigEntry(
    "max.message.bytes",
    "7",
    ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG,
    is_sensitive=False,
    synonyms=(
        ConfigSynonym("message.max.bytes", "7", ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG),
        ConfigSynonym("message.max.bytes", "1048588", ConfigSource.DEFAULT_CONFIG),
    ),
)
HIDDEN = ConfigEntry("x.password", "[hidden]", ConfigSource.DYNAMIC_BROKER_CONFIG, is_sensitive=True, synonyms=())


class FakeCluster:
    """Answers from attributes and remembers what it was asked to change."""

    def __init__(self) -> None:
        self.refusal: ApiError | None = None
        self.calls: list[tuple] = []
        self.reads: list[Read] = []
        self.quorum = quorum(VOTERS, observers=(OBSERVER,))
        self.features = [
            FeatureDescription("metadata.version", 30, 7, 42),
            FeatureDescription("kraft.version", 0, 0, 1),
            FeatureDescription("group.version", 0, 0, 1),
            FeatureDescription("odd.version", 3, None, None),
        ]
        self.configs = {Resource(2, "orders"): {"retention.ms": "9"}, Resource(4, ""): {"a": "b"}}
        self.records = [
            WatchedRecord(
                offset=None, snapshot_end=2, epoch=1, data={"type": "TOPIC_RECORD", "version": 0, "data": {}}
            ),
            WatchedRecord(offset=2, epoch=1, data={"type": "NO_OP_RECORD", "version": 0, "data": {}}),
            WatchedRecord(offset=3, epoch=2, data={"type": "LEADER_CHANGE", "version": 0, "data": {"leaderId": 3}}),
            WatchedRecord(
                offset=4,
                epoch=2,
                data={
                    "type": "NO_OP_RECORD",
                    "version": 0,
                    "data": {},
                    "author": Author("User:a\x1b", request_id=b"\1").as_json(),
                },
            ),
        ]
        self.alter_problem: str | None = None

    def _answer(self, value):
        if self.refusal is not None:
            raise self.refusal
        return value

    def describe_quorum(self):
        return self._answer(self.quorum)

    def describe_cluster(self, read: Read = ANY_STATE):
        self.reads.append(read)
        return self._answer(members("abc"))

    def describe_features(self, read: Read = ANY_STATE):
        self.reads.append(read)
        return self._answer(Features(NOW, tuple(self.features)))

    def describe_configs(self, resources: Sequence[tuple[int, str]], read: Read = ANY_STATE):
        self.reads.append(read)
        self.calls.append(("describe_configs", tuple(resources)))
        found = {one: it for one, it in self.configs.items() if not resources or (one.type, one.name) in resources}
        return self._answer(Configs(NOW, found))

    def explain_configs(self, resources: Sequence[tuple[int, str]], read: Read = ANY_STATE):
        self.reads.append(read)
        self.calls.append(("explain_configs", tuple(resources)))
        named = [Resource(*one) for one in resources] or [Resource(2, "orders"), Resource(32, "g")]
        return self._answer({one: () if one.name == "nope" else (ENTRY, HIDDEN) for one in named})

    def describe_topics(self, names: Sequence[str], read: Read = ANY_STATE, *, omit_partitions: bool = False):
        self.reads.append(read)
        assert omit_partitions
        return self._answer(Topics(NOW, (), tuple(name for name in names if name not in {"orders", "payments"})))

    def list_topics(self, read: Read = ANY_STATE):
        self.reads.append(read)
        return self._answer(["orders", "payments"])

    def update_features(self, levels: Mapping[str, int], kind: str, *, validate_only: bool) -> None:
        self.calls.append(("update_features", dict(levels), kind, validate_only))
        self._answer(None)

    def alter_configs(self, resource, values, *, validate_only: bool) -> str | None:
        self.calls.append(("alter_configs", resource, dict(values), validate_only))
        return self._answer(self.alter_problem)

    def unregister_broker(self, broker_id: int, *, validate_only: bool) -> None:
        self.calls.append(("unregister_broker", broker_id, validate_only))
        self._answer(None)

    def unregister_controller(self, controller_id: int, *, validate_only: bool) -> None:
        self.calls.append(("unregister_controller", controller_id, validate_only))
        self._answer(None)

    def watch(self, from_offset: int, *, shows_secrets: bool = False) -> Iterator[WatchedRecord]:
        self.calls.append(("watch", from_offset, shows_secrets))
        yield from self.records


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> FakeCluster:
    """Put a cluster behind every connection."""
    fake = FakeCluster()

    @contextlib.contextmanager
    def connect(bootstrap, timeout, runner=None):
        del runner
        fake.calls.append(("connect", bootstrap, timeout))
        yield fake

    monkeypatch.setattr(connection, "connect", connect)
    return fake


def changes(cluster: FakeCluster) -> list[tuple]:
    return [call for call in cluster.calls if call[0] != "connect"]


STATUS = """\
ClusterId:              abc
LeaderId:               1
LeaderEpoch:            4
HighWatermark:          100
MaxFollowerLag:         10
MaxFollowerLagTimeMs:   50

CurrentVoters:
  NodeId  DirectoryId             Endpoints
  1       MDEyMzQ1Njc4OWFiY2RlZg  CONTROLLER://h1:9093
  2       -                       -
  3       -                       -

CurrentObservers:
  NodeId  DirectoryId             Endpoints
  101     MDEyMzQ1Njc4OWFiY2RlZg  -
"""


def test_status_has_kafka_s_lines_and_rows_of_members(run, cluster: FakeCluster) -> None:
    """Values from column 25 on; what Kafka's tool has as JSON within a line is rows."""
    result = run("quorum", "describe", "--status", *C)
    assert result.exit_code == ExitCode.OK
    assert result.stdout == STATUS
    assert cluster.calls[0] == ("connect", ("localhost:9193",), 15.0)


def test_status_without_observers_and_with_a_hostile_name(run, cluster: FakeCluster) -> None:
    """What others wrote cannot move a terminal's cursor."""
    endpoints = (Endpoint("A", "h1", 1), Endpoint("\x1b[2J", "h1", 2))
    cluster.quorum = quorum((replace(VOTERS[0], endpoints=endpoints),))
    lines = run("quorum", "describe", "--status", *C).stdout.splitlines()
    assert lines[-3:] == [
        f"  1       {DIRECTORY_TEXT}  A://h1:1 \\x1b[2J://h1:2",
        "",
        "CurrentObservers:       (none)",
    ]


def test_status_before_the_cluster_id_is_known(run, cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster that has not written its id yet shows ``(unknown)``."""
    monkeypatch.setattr(cluster, "describe_cluster", lambda *_: members(None))
    assert run("quorum", "describe", "--status", *C).stdout.startswith("ClusterId:              (unknown)\n")


ZERO = "A" * 22
REPLICATION = (
    "NodeId\tDirectoryId           \tLogEndOffset\tLag\tLastFetchTimestamp\tLastCaughtUpTimestamp\tStatus  \t\n"
    f"1     \t{DIRECTORY_TEXT}\t110         \t0  \t1729857600000     \t1729857600000        \tLeader  \t\n"
    f"2     \t{ZERO}\t105         \t5  \t1729857599970     \t1729857599970        \tFollower\t\n"
    f"3     \t{ZERO}\t100         \t10 \t1729857599950     \t1729857599950        \tFollower\t\n"
    f"101   \t{DIRECTORY_TEXT}\t99          \t11 \t1729857599930     \t1729857599930        \tObserver\t\n"
)


def test_replication_has_kafka_s_layout(run, cluster: FakeCluster) -> None:
    """Leader, voters, observers; every cell padded and followed by a tab, the last too."""
    assert cluster.quorum.leader_id == 1
    assert run("quorum", "describe", "--replication", *C).stdout == REPLICATION


def test_replication_in_ages(run, cluster: FakeCluster) -> None:
    """By the leader's clock, whatever the machine's is; an unknown time stays -1, and one of the future is now."""
    first, second, third = VOTERS
    second = replace(second, last_fetch_ms=None, last_caught_up_ms=NOW_MS - 3_723_000)
    third = replace(third, last_fetch_ms=NOW_MS + 5)
    cluster.quorum = quorum((first, second, third), observers=(OBSERVER,))
    _, *rows = run("quorum", "describe", "--replication", "--human-readable", *C).stdout.splitlines()
    assert [[cell.strip() for cell in row.split("\t")[4:6]] for row in rows] == [
        ["0 ms ago", "0 ms ago"], ["-1", "1 h 2 min ago"], ["0 ms ago", "50 ms ago"], ["70 ms ago", "70 ms ago"]
    ]  # fmt: skip


def test_replication_in_local_times_where_the_leader_s_clock_is_not_known(run, cluster: FakeCluster) -> None:
    cluster.quorum = quorum((replace(VOTERS[0], last_fetch_ms=None), VOTERS[1]))
    with local_zone(HALF_HOUR_EAST):
        text = run("quorum", "describe", "--replication", "--human-readable", *C).stdout
    assert "\t2024-10-25 17:29:59.970 +0530\t" in text


def test_replication_is_in_ages_on_a_terminal(run, cluster: FakeCluster) -> None:
    """A script finds Kafka's numbers, and so does who asks for them."""
    words = ("quorum", "describe", "--replication", *C)
    assert run(*words, "--no-human-readable").stdout == REPLICATION
    assert "\t30 ms ago" in run_on_terminal(*words).printed
    assert run_on_terminal(*words, "--no-human-readable").printed == REPLICATION


def test_quorum_as_json(run, cluster: FakeCluster) -> None:
    """Scripts get the same facts, and one row a line."""
    assert cluster.quorum.leader_epoch == 4
    assert json.loads(run("quorum", "describe", "--status", *C, "-o", "json").stdout)["maxFollowerLag"] == 10
    rows = run("quorum", "describe", "--replication", *C, "-o", "jsonl").stdout.splitlines()
    assert [json.loads(row)["role"] for row in rows] == ["leader", "follower", "follower", "observer"]


def test_a_voter_that_was_never_heard_of_lacks_the_whole_log() -> None:
    """It makes the largest lag the log's length, neither unknown nor that of the others; since when is not known."""
    leader, follower, silent = replica(1, 10), replica(3, 9), replica(2, None, None)
    assert max_follower_lag(quorum((leader, follower)), leader) == 1
    assert max_follower_lag(quorum((leader, follower, silent)), leader) == 10
    assert max_follower_lag(quorum((replica(1, None), follower)), replica(1, None)) is None
    assert max_follower_lag_ms(quorum((leader, silent)), leader) is None
    assert max_follower_lag(quorum((leader, silent)), None) is None
    assert max_follower_lag_ms(quorum((leader,)), leader) == 0


@pytest.mark.parametrize(
    ("flags", "stated"),
    [
        ([], "One of --status or --replication must be specified with describe sub-command"),
        (["--status", "--replication"], "Only one of --status or --replication should be specified with describe"),
        (["--status", "--human-readable"], "The option --human-readable is only supported along with --replication"),
    ],
)
def test_quorum_flags_are_checked_before_anything_is_asked(run, cluster: FakeCluster, flags, stated) -> None:
    """Contradicting flags are a usage error in Kafka's words."""
    result = run("quorum", "describe", *flags, *C)
    assert result.exit_code == ExitCode.USAGE
    assert stated in result.stderr
    assert cluster.calls == []


FEATURES = """\
Feature: group.version\tSupportedMinVersion: 0\tSupportedMaxVersion: 1\tFinalizedVersionLevel: 0\tEpoch: 77
Feature: kraft.version\tSupportedMinVersion: 0\tSupportedMaxVersion: 1\tFinalizedVersionLevel: 0\tEpoch: 77
Feature: metadata.version\tSupportedMinVersion: 3.3-IV3\tSupportedMaxVersion: 5.0-IV2\t\
FinalizedVersionLevel: 4.3-IV0\tEpoch: 77
Feature: odd.version\tSupportedMinVersion: -\tSupportedMaxVersion: -\tFinalizedVersionLevel: 3\tEpoch: 77
"""


def test_features_have_kafka_s_layout(run, cluster: FakeCluster) -> None:
    """Sorted by name; metadata.version by its names."""
    assert len(cluster.features) == 4
    assert run("features", "describe", *C).stdout == FEATURES


def test_upgrade_states_what_was_done(run, cluster: FakeCluster) -> None:
    """One request for all features, one line for each, sorted."""
    result = run("features", "upgrade", *C, "--feature", "metadata.version=5.0-IV0", "--feature", "group.version=1")
    assert result.exit_code == ExitCode.OK
    assert result.stdout == "group.version was upgraded to 1.\nmetadata.version was upgraded to 40.\n"
    assert changes(cluster) == [("update_features", {"metadata.version": 40, "group.version": 1}, "UPGRADE", False)]


def test_dry_run_changes_nothing(run, cluster: FakeCluster) -> None:
    """--dry-run asks only, and says "can be"."""
    result = run("features", "downgrade", *C, "--feature", "group.version=0", "--dry-run", "--unsafe")
    assert result.stdout == "group.version can be downgraded to 0.\n"
    assert changes(cluster) == [("update_features", {"group.version": 0}, "UNSAFE_DOWNGRADE", True)]


def test_disable_is_a_downgrade_to_zero(run, cluster: FakeCluster) -> None:
    """As Kafka's tool words it."""
    assert run("features", "disable", *C, "--feature", "group.version").stdout == "group.version was disabled.\n"
    assert changes(cluster) == [("update_features", {"group.version": 0}, "SAFE_DOWNGRADE", False)]


def test_release_sets_what_the_cluster_knows(run, cluster: FakeCluster) -> None:
    """--release-version moves metadata.version and the defaults of supported features that are not 0."""
    assert run("features", "upgrade", *C, "--release-version", "4.3").exit_code == ExitCode.OK
    (call,) = changes(cluster)
    assert call[1] == {"metadata.version": 30, "group.version": 1}
    cluster.calls.clear()
    cluster.features[2] = FeatureDescription("group.version", 1, 0, 1)
    assert run("features", "downgrade", *C, "--release-version", "3.9").exit_code == ExitCode.OK
    (call,) = changes(cluster)
    assert call[1] == {"metadata.version": 21, "group.version": 0}


def test_deprecated_metadata_flag_still_works(run, cluster: FakeCluster) -> None:
    """--metadata says that it will go."""
    result = run("features", "upgrade", *C, "--metadata", "4.3")
    assert " `metadata` flag is deprecated and may be removed in a future release." in result.stderr
    assert changes(cluster)[0][1] == {"metadata.version": 30}


@pytest.mark.parametrize(
    ("verb", "args", "stated"),
    [
        ("upgrade", ["--feature", "group.version=1"], "Could not upgrade group.version to 1. because."),
        ("upgrade", ["--feature", "group.version=1", "--dry-run"], "Can not upgrade group.version to 1. because."),
        ("upgrade", ["-f", "b=2", "-f", "a=1"], "Could not upgrade a to 1, b to 2. because."),
        ("disable", ["--feature", "group.version"], "Could not disable group.version. because."),
    ],
)
def test_refused_change_is_reported_once(run, cluster: FakeCluster, verb, args, stated) -> None:
    """One line on stderr, in Kafka's words, for all features; scripts get it in every row."""
    cluster.refusal = ApiError(ErrorCode.FEATURE_UPDATE_FAILED, "because.")
    code = ExitCode.FINDINGS if "--dry-run" in args else ExitCode.FAILURE
    result = run("features", verb, *C, *args)
    assert result.exit_code == code
    assert (result.stdout, result.stderr) == ("", f"error: {stated}\n")
    result = run("features", verb, *C, *args, "-o", "json")
    assert result.exit_code == code
    found = {(row["error"], row["errorMessage"]) for row in json.loads(result.stdout)}
    assert found == {("FEATURE_UPDATE_FAILED", "because.")}
    assert result.stderr == f"error: {stated}\n"


@pytest.mark.parametrize(
    ("args", "stated"),
    [
        (["upgrade"], "You must specify at least one feature to upgrade"),
        (["downgrade"], "You must specify at least one feature to downgrade"),
        (["disable"], "You must specify at least one feature to disable"),
        (["upgrade", "-r", "4.3", "-f", "group.version=1"], "Can not specify `release-version` with other feature"),
        (["upgrade", "-f", "a=1", "-f", "a=2"], "Feature a was specified more than once."),
        (["disable", "-f", "a", "-f", "a"], "Feature a was specified more than once."),
        (["upgrade", "--metadata", "4.3", "-f", "metadata.version=30"], "was specified more than once."),
        (["upgrade", "-f", ""], "Can't parse feature=level string : equals sign not found."),
        (["upgrade", "-f", "=1"], "Can't parse feature=level string '=1': it names no feature."),
        (["upgrade", "-f", "a=" + "9" * 5000], "as a short."),
        (["disable", "-f", ""], "--feature '' names no feature"),
        (["upgrade", "-f", "a"], "Can't parse feature=level string a: equals sign not found."),
        (["upgrade", "-f", "a=b"], "Can't parse feature=level string a=b: unable to parse b as a short."),
        (["upgrade", "-f", "a=40000"], "unable to parse 40000 as a short."),
        (["upgrade", "-r", "zzz"], "Unknown release version 'zzz'."),
    ],
)
def test_bad_feature_words_are_refused_before_anything_is_asked(run, cluster: FakeCluster, args, stated) -> None:
    """Kafka's words, code 2, nothing sent."""
    result = run("features", *args, *C)
    assert result.exit_code == ExitCode.USAGE
    assert stated in result.stderr
    assert changes(cluster) == []


def test_cluster_id(run, cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kafka's line; no id yet is a failure that says so."""
    assert run("cluster", "cluster-id", *C).stdout == "Cluster ID: abc\n"
    monkeypatch.setattr(cluster, "describe_cluster", lambda *_: members(None))
    result = run("cluster", "cluster-id", *C)
    assert result.exit_code == ExitCode.FAILURE
    assert result.stderr == "error: No cluster ID found: the cluster has not written one yet.\n"


def test_cluster_describe_lists_everybody(run, cluster: FakeCluster) -> None:
    """Controllers and brokers with their state; IPv6 hosts in brackets."""
    assert cluster.describe_cluster().controller_id == 1
    assert run("cluster", "describe", *C).stdout == (
        "Cluster ID: abc\nActive controller: 1\n\n"
        "ID   TYPE        STATE     LAG  FETCHED    RACK  LISTENERS\n"
        "1    controller  active    0    0 ms ago   -     GRPC://h1:9193\n"
        "101  broker      unfenced  11   70 ms ago  r     PLAINTEXT://[::1]:9092\n"
        "102  broker      fenced    -    -          -     PLAINTEXT://[::1]:9092\n"
    )
    data = json.loads(run("cluster", "describe", *C, "-o", "json").stdout)
    assert data["brokers"][1] == {
        "brokerId": 102, "brokerEpoch": 5, "incarnationId": DIRECTORY_TEXT, "rack": None, "state": "fenced",
        "lag": None,
        "lastFetchAgeMs": None, "inControlledShutdown": False, "endpoints": ["PLAINTEXT://[::1]:9092"],
        "directoryIds": [DIRECTORY_TEXT], "cordonedDirectoryIds": [], "saturatedDirectoryIds": [DIRECTORY_TEXT],
    }  # fmt: skip


def controllers_described(run) -> dict[int, tuple[str, int | None, int | None]]:
    data = json.loads(run("cluster", "describe", *C, "-o", "json").stdout)
    return {one["controllerId"]: (one["state"], one["lag"], one["lastFetchAgeMs"]) for one in data["controllers"]}


def test_a_controller_is_a_standby_only_while_it_fetches(run, cluster: FakeCluster, monkeypatch) -> None:
    """The registration outlives the process: who stopped fetching, or was never seen, is away."""
    registered = tuple(replace(members("abc").controllers[0], controller_id=node_id) for node_id in (1, 2, 3, 4, 5))
    monkeypatch.setattr(cluster, "describe_cluster", lambda *_: replace(members("abc"), controllers=registered))
    silent, killed = replica(4, None, None, fetch=None), replica(3, 90, fetch=NOW_MS - 61_200)
    cluster.quorum = quorum((VOTERS[0], VOTERS[1], killed, silent), observers=(replica(5, 110),))
    assert controllers_described(run) == {
        1: ("active", 0, 0),
        2: ("standby", 5, 30),
        3: ("unreachable", 20, 61_200),
        4: ("unreachable", None, None),
        5: ("observer", 0, 0),
    }
    assert "3    controller  unreachable  20   1 min 1 s ago  -" in run("cluster", "describe", *C).stdout


def test_without_a_leader_no_replica_is_reported(run, cluster: FakeCluster, monkeypatch) -> None:
    """A follower that knows no leader, and one that dies between two questions: unknown, and no second wait."""
    leaderless = replace(members("abc"), controller_id=None)
    with monkeypatch.context() as patch:
        patch.setattr(cluster, "describe_cluster", lambda *_: leaderless)
        assert controllers_described(run) == {1: ("unknown", None, None)}
        assert len(cluster.calls) == 1, "the quorum was not asked: nobody could answer"

    def unreachable():
        raise UnreachableError("gone")

    monkeypatch.setattr(cluster, "describe_quorum", unreachable)
    result = run("cluster", "describe", *C)
    assert result.exit_code == ExitCode.OK
    assert "Active controller: (unknown)" in result.stdout
    assert "controller  unknown" in result.stdout


def test_unregister(run, cluster: FakeCluster) -> None:
    """Kafka's line; a refusal has its error's name."""
    assert run("cluster", "unregister", "--id", 7, *C).stdout == "Broker 7 is no longer registered.\n"
    dry_run = run("cluster", "unregister", "--id", 7, "--dry-run", *C)
    assert dry_run.stdout == "Broker 7 could be unregistered.\n"
    assert changes(cluster) == [("unregister_broker", 7, False), ("unregister_broker", 7, True)]
    cluster.refusal = ApiError(ErrorCode.BROKER_ID_NOT_REGISTERED, "Broker ID 7 is not currently registered")
    result = run("cluster", "unregister", "--id", 7, *C)
    assert result.exit_code == ExitCode.FAILURE
    assert result.stderr == "error: Broker ID 7 is not currently registered (BROKER_ID_NOT_REGISTERED)\n"


def test_unregister_controller(run, cluster: FakeCluster) -> None:
    """The same for a controller; the error has its way out."""
    command = ("cluster", "unregister-controller", "--id", 7, *C)
    assert run(*command).stdout == "Controller 7 is no longer registered.\n"
    answer = json.loads(run(*command, "--dry-run", "-o", "json").stdout)
    assert answer == {"controllerId": 7, "dryRun": True}
    assert changes(cluster) == [("unregister_controller", 7, False), ("unregister_controller", 7, True)]
    cluster.refusal = ApiError(ErrorCode.CONTROLLER_ID_NOT_REGISTERED, "Controller ID 7 is not currently registered.")
    result = run(*command)
    assert result.exit_code == ExitCode.FAILURE
    assert result.stderr == "error: Controller ID 7 is not currently registered. (CONTROLLER_ID_NOT_REGISTERED)\n"


def test_configs_describe(run, cluster: FakeCluster) -> None:
    """All, a kind, or one thing."""
    assert run("configs", "describe", *C).stdout == (
        "Dynamic configs for topics orders are:\n  retention.ms=9\n"
        "Dynamic configs for the default of brokers are:\n  a=b\n"
    )
    assert "orders" not in run("configs", "describe", *C, "--entity-type", "brokers").stdout
    run("configs", "describe", *C, "--entity-type", "topics", "--entity-name", "orders")
    assert cluster.calls[-1] == ("describe_configs", ((2, "orders"),))
    run("configs", "describe", *C, "--entity-type", "brokers", "--entity-default")
    assert cluster.calls[-1] == ("describe_configs", ((4, ""),))


def test_configs_of_what_does_not_exist(run, cluster: FakeCluster) -> None:
    """A misspelt topic and an unregistered broker are errors; what exists has an empty list, and nothing says so."""
    topic = run("configs", "describe", *C, "--topic", "nope")
    assert topic.exit_code == ExitCode.FAILURE
    assert topic.stderr == "error: there is no topic nope; kraftpy topics list names all\n"
    broker = run("configs", "describe", *C, "--broker", "99")
    assert broker.exit_code == ExitCode.FAILURE
    assert broker.stderr.startswith("error: broker 99 is not registered and has no configs; registered are: ")
    cluster.configs = {}
    registered = str(members("abc").brokers[0].broker_id)
    for named in (("--topic", "payments"), ("--broker", registered), ("--broker-defaults",), ("--group", "g")):
        assert run("configs", "describe", *C, *named).exit_code == ExitCode.OK
    assert run("configs", "describe", *C).stdout == "No configs are set.\n"
    assert run("configs", "describe", *C, "--entity-type", "topics").stdout == "No configs of topics are set.\n"
    assert json.loads(run("configs", "describe", *C, "-o", "json").stdout) == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (ErrorCode.TOPIC_AUTHORIZATION_FAILED, ExitCode.OK),
        (ErrorCode.CLUSTER_AUTHORIZATION_FAILED, ExitCode.OK),
        (ErrorCode.INVALID_REQUEST, ExitCode.FAILURE),
    ],
)
def test_configs_of_what_may_not_be_described(run, cluster: FakeCluster, monkeypatch, code, expected) -> None:
    """Who may describe configs alone sees what is set, and nothing about what exists."""

    def refuse(*_, **__):
        raise ApiError(code, "not you")

    monkeypatch.setattr(FakeCluster, "describe_topics", refuse)
    assert run("configs", "describe", *C, "--topic", "nope").exit_code == expected


def test_configs_describe_all(run, cluster: FakeCluster) -> None:
    """Every key, as Kafka's tool prints it, or as data; of one resource or of all of a type."""
    one = run("configs", "describe", "--all", "--topic", "orders", *C)
    assert one.stdout == (
        "All configs for topics orders are:\n"
        "  max.message.bytes=7 sensitive=false synonyms={DYNAMIC_DEFAULT_BROKER_CONFIG:message.max.bytes=7, "
        "DEFAULT_CONFIG:message.max.bytes=1048588}\n"
        "  x.password=[hidden] sensitive=true synonyms={}\n"
    )
    assert cluster.calls[-1] == ("explain_configs", ((2, "orders"),))
    (row,) = json.loads(run("configs", "describe", "--all", "--topic", "orders", "-o", "json", *C).stdout)
    assert row["configEntries"][0] == {
        "name": "max.message.bytes",
        "value": "7",
        "isSensitive": False,
        "source": "DYNAMIC_DEFAULT_BROKER_CONFIG",
        "synonyms": [
            {"source": "DYNAMIC_DEFAULT_BROKER_CONFIG", "name": "message.max.bytes", "value": "7"},
            {"source": "DEFAULT_CONFIG", "name": "message.max.bytes", "value": "1048588"},
        ],
    }
    for options, asked in (
        (("--entity-type", "topics"), ((2, "orders"), (2, "payments"))),
        (("--entity-type", "brokers"), ((4, ""), (4, "101"), (4, "102"))),
        (("--broker-defaults",), ((4, ""),)),
        (("--entity-type", "groups"), ()),
    ):
        result = run("configs", "describe", "--all", *options, *C)
        assert result.exit_code == ExitCode.OK
        assert cluster.calls[-1] == ("explain_configs", asked)
    assert result.stdout.startswith("All configs for groups g are:\n")
    assert "topics" not in result.stdout


def test_configs_describe_all_needs_to_know_of_what(run, cluster: FakeCluster) -> None:
    """As Kafka's tool; a topic that does not exist is an error, as its keys would all be defaults."""
    assert run("configs", "describe", "--all", *C).exit_code == ExitCode.USAGE
    gone = run("configs", "describe", "--all", "--topic", "nope", *C)
    assert (gone.exit_code, gone.stderr) == (ExitCode.FAILURE, "error: there is no topic nope\n")


def test_configs_alter(run, cluster: FakeCluster) -> None:
    """Sets and deletes go out as one request; brackets keep commas together."""
    result = run(
        "configs", "alter", *C, "--entity-type", "topics", "--entity-name", "orders",
        "--add", "a=1,b=[x,y],c=", "--delete", "d, e",
    )  # fmt: skip
    assert result.stdout == "Completed updating config for topics orders.\n"
    assert changes(cluster) == [
        ("alter_configs", (2, "orders"), {"a": "1", "b": "x,y", "c": "", "d": None, "e": None}, False)
    ]


@pytest.mark.parametrize("option", [("--broker", "1"), ("--broker-defaults",)])
@pytest.mark.parametrize("dry_run", [(), ("--dry-run",)])
def test_unknown_broker_configs_are_noted(run, cluster: FakeCluster, option, dry_run) -> None:
    """The controllers accept any key: without a note, a misspelt one has no effect and no error."""
    result = run("configs", "alter", *C, *option, *dry_run, "--add", "log.retentoin.ms=5,q=1", "--delete", "log.dirs")
    unknown = "not among the broker configs in docs/configuration.md."
    misspelt, short = result.stderr.splitlines()
    assert misspelt.startswith(f"# 'log.retentoin.ms' is {unknown} Did you mean 'log.retention.ms'")
    assert (result.exit_code, short) == (ExitCode.OK, f"# 'q' is {unknown}")
    assert len(changes(cluster)) == 1


def test_notes_of_unknown_broker_configs_have_an_end(run, cluster: FakeCluster) -> None:
    """A file of nonsense does not fill the terminal."""
    added = ",".join(f"{'k' * 5000}{number:02}=1" for number in range(12))
    lines = run("configs", "alter", *C, "--broker-defaults", "--add", added).stderr.splitlines()
    assert lines[:10] == [f"# '{'k' * 60}' is not among the broker configs in docs/configuration.md."] * 10
    assert lines[10:] == ["# 2 more keys are not there either."]


def test_known_configs_and_those_of_others_are_not_noted(run, cluster: FakeCluster) -> None:
    """Topics and groups have keys of their own, which the controllers check."""
    known = "log.retention.ms=5,ssl.cipher.suites=x,listener.name.inner.plain.sasl.jaas.config=x"
    assert run("configs", "alter", *C, "--broker", "1", "--add", known).stderr == ""
    for option in (("--topic", "t"), ("--group", "g"), ("--client-metrics", "m")):
        assert run("configs", "alter", *C, *option, "--add", "no.such.key=1").stderr == ""
    cluster.alter_problem = "refused"
    assert run("configs", "alter", *C, "--broker", "1", "--add", "q=1").stderr == "error: refused\n"


def test_refused_alteration_is_one_line(run, cluster: FakeCluster) -> None:
    """What the controller says of the resource is what the user reads."""
    cluster.alter_problem = "Unknown topic config name: x"
    result = run("configs", "alter", *C, "--entity-type", "topics", "--entity-name", "t", "--add", "x=1")
    assert result.exit_code == ExitCode.FAILURE
    assert result.stderr == "error: Unknown topic config name: x\n"


@pytest.mark.parametrize(
    ("args", "code", "stated"),
    [
        (["--add", "a=1"], ExitCode.USAGE, "Missing option '--entity-type'"),
        (["--entity-type", "topics", "--add", "a=1"], ExitCode.USAGE, "Exactly one of --entity-name and"),
        (["--entity-type", "topics", "--entity-default", "--add", "a=1"], ExitCode.USAGE, "--entity-default is for"),
        (["--entity-type", "brokers", "--entity-name", "x", "--add", "a=1"], ExitCode.USAGE, "is not a broker id"),
        (["--entity-type", "topics", "--entity-name", "", "--add", "a=1"], ExitCode.USAGE, "--entity-name is empty"),
        (["--entity-type", "nonsense", "--entity-name", "x"], ExitCode.USAGE, "'nonsense' is not one of"),
        (["--entity-type", "topics", "--entity-name", "t"], ExitCode.USAGE, "At least one of --add, --add-config-file"),
        (["--entity-type", "topics", "--entity-name", "t", "--add", "a"], ExitCode.USAGE, "'a' is not key=value"),
        (["--entity-type", "topics", "--entity-name", "t", "--add", "=1"], ExitCode.USAGE, "'=1' is not key=value"),
        (["--entity-type", "topics", "--entity-name", "t", "--add", "a=1,a=2"], ExitCode.USAGE, "a is added twice"),
        (
            ["--entity-type", "topics", "--entity-name", "t", "--add", "a=1", "--delete", "a"],
            ExitCode.USAGE,
            "a is both added and deleted",
        ),
        (
            ["--entity-type", "topics", "--entity-name", "t", "--add", "a=[b,c=1"],
            ExitCode.USAGE,
            "the brackets of a=[b,c=1 do not match",
        ),
        (["--entity-type", "topics", "--entity-name", "t", "--delete", "a=1"], ExitCode.USAGE, "is not a key"),
    ],
)
def test_bad_config_words_are_refused_before_anything_is_asked(run, cluster: FakeCluster, args, code, stated) -> None:
    """Each slip has its sentence, and nothing is sent."""
    result = run("configs", "alter", *C, *args)
    assert result.exit_code == code
    assert stated in result.stderr
    assert changes(cluster) == []


@pytest.mark.parametrize("command", [("cluster",), ("features",), ("configs",)])
def test_a_description_states_which_state_it_wants(run, cluster: FakeCluster, command: tuple[str, ...]) -> None:
    """The default is the node's; an unknown name of a consistency is a wrong command line."""
    assert run(*command, "describe", *C).exit_code == ExitCode.OK
    assert run(*command, "describe", *C, "--consistency", "linearizable", "--min-offset", 12).exit_code == ExitCode.OK
    assert cluster.reads == [ANY_STATE, Read(Consistency.LINEARIZABLE, 12)]
    assert run(*command, "describe", *C, "--consistency", "eventual").exit_code == ExitCode.USAGE
    for wrong in (-1, 2**63, "9" * 25, "x"):
        refused = run(*command, "describe", *C, "--min-offset", wrong)
        assert (refused.exit_code, refused.exception.__class__) == (ExitCode.USAGE, SystemExit), refused.output
        assert f"'{wrong}' is not a whole number from 0 to {2**63 - 1}" in refused.stderr
    assert len(cluster.reads) == 2


def test_configs_describe_needs_a_type_with_a_name(run, cluster: FakeCluster) -> None:
    """A name alone says nothing."""
    assert run("configs", "describe", *C, "--entity-name", "x").exit_code == ExitCode.USAGE
    assert cluster.calls == []


def test_watch_prints_a_line_per_record(run, cluster: FakeCluster) -> None:
    """Offset, epoch, type, content; a snapshot's records say so."""
    result = run("watch", *C, "--from", 2)
    assert result.stdout.splitlines() == [
        "snapshot 2\t1\tTOPIC_RECORD\t{}",
        "2\t1\tNO_OP_RECORD\t{}",
        '3\t2\tLEADER_CHANGE\t{"leaderId":3}',
        "4\t2\tNO_OP_RECORD\t{}\tby User:a\\x1b",
    ]
    assert run("watch", *C, "--show-secrets").stdout == result.stdout
    assert changes(cluster) == [("watch", 2, False), ("watch", 0, True)]


STREAMED = {"offset": None, "snapshotEndOffset": None, "leaderEpoch": 1, "version": 0, "author": None, "data": {}}


def test_watch_stops_after_count_and_speaks_json(run, cluster: FakeCluster) -> None:
    """--count bounds it; json and jsonl are both one value a line."""
    assert len(cluster.records) == 4
    for form in ("json", "jsonl"):
        lines = run("watch", *C, "--count", 2, "-o", form).stdout.splitlines()
        assert [json.loads(line) for line in lines] == [
            {**STREAMED, "snapshotEndOffset": 2, "type": "TOPIC_RECORD"},
            {**STREAMED, "offset": 2, "type": "NO_OP_RECORD"},
        ]
        assert [faults("watch", json.loads(line)) for line in lines] == [[], []]
    named = json.loads(run("watch", *C, "--count", 4, "-o", "jsonl").stdout.splitlines()[3])
    assert (named["author"]["principal"], named["author"]["requestId"]) == ("User:a\x1b", "01")
    assert faults("watch", named) == []
    documents = list(yaml.safe_load_all(run("watch", *C, "--count", 2, "-o", "yaml").stdout))
    assert documents == [json.loads(line) for line in lines]


@pytest.mark.parametrize("args", [["watch", "--from", "-1"], ["watch", "--from", "x"], ["watch", "--count", "0"],
                                  ["cluster", "unregister", "--id", "-1"], ["cluster", "unregister"]])  # fmt: skip
def test_bad_numbers_are_usage_errors(run, cluster: FakeCluster, args: list[str]) -> None:
    """Numbers out of range never reach the cluster."""
    assert run(*args, *C).exit_code == ExitCode.USAGE
    assert cluster.calls == []


@pytest.mark.parametrize("text", ["x", "", "-1", "1_0", "\u0661", "1e3", "2147483648", "9" * 5000])
@pytest.mark.parametrize("command", [["cluster", "unregister", "--id"], ["quorum", "ok-to-stop"],
                                     ["quorum", "transfer-leader", "--to"]], ids=" ".join)  # fmt: skip
def test_node_ids_that_are_none_are_named_with_what_is_one(run, command: list[str], text: str) -> None:
    """Whatever is wrong with it, the value and the range are said."""
    result = run(*command[:2], *C, *command[2:], *(["--", text] if command[2:] == [] else [text]))
    assert result.exit_code == ExitCode.USAGE
    assert f"{text!r:.60} is not a whole number from 0 to 2147483647" in result.stderr


ONLINE = [
    ["quorum", "describe", "--status"], ["features", "describe"], ["features", "upgrade", "-f", "a=1"],
    ["features", "downgrade", "-f", "a=1"], ["features", "disable", "-f", "a"], ["cluster", "describe"],
    ["cluster", "cluster-id"], ["cluster", "unregister", "-i", "1"], ["configs", "describe"],
    ["configs", "alter", "--entity-type", "topics", "--entity-name", "t", "--add", "a=1"], ["watch"],
]  # fmt: skip


@pytest.mark.parametrize("args", ONLINE, ids=" ".join)
def test_endpoint_is_required_and_must_be_one(run, args: list[str]) -> None:
    """No endpoint, and words that are none, are usage errors of every online command."""
    missing = run(*args)
    assert missing.exit_code == ExitCode.USAGE
    assert "--bootstrap-controller" in missing.stderr
    for bad in (
        "localhost",
        "localhost:x",
        ",",
        ":1",
        "0.0.0.0:1",
        "h:70000",
        "h\\:1",
        "a..b:1",
        "a" * 64 + ":1",
        "\udcff:1",
        "[zz]:1",
    ):
        result = run(*args, "-C", bad)
        assert result.exit_code == ExitCode.USAGE, bad
        assert result.stderr.count("\n") == 1
    assert run(*args, "-C", "h:1", "--timeout", "0").exit_code == ExitCode.USAGE


@pytest.mark.parametrize("args", ONLINE, ids=" ".join)
def test_no_server_there_is_code_4(run, monkeypatch: pytest.MonkeyPatch, args: list[str]) -> None:
    """A cluster that does not answer has its own exit code."""

    @contextlib.contextmanager
    def connect(bootstrap, timeout, runner=None):
        del runner
        raise UnreachableError(f"no controller answered within {timeout} s at {', '.join(bootstrap)}")
        yield

    monkeypatch.setattr(connection, "connect", connect)
    result = run(*args, "-C", "h:1", "--timeout", "0.5")
    assert result.exit_code == ExitCode.UNREACHABLE
    assert result.stderr == "error: no controller answered within 0.5 s at h:1\n"


def test_endpoint_may_come_from_the_environment(run, cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """KRAFTPY_BOOTSTRAP_CONTROLLER saves typing; several endpoints are a list."""
    monkeypatch.setenv("KRAFTPY_BOOTSTRAP_CONTROLLER", "a:1, b:2")
    assert run("cluster", "cluster-id").exit_code == ExitCode.OK
    assert cluster.calls[0][1] == ("a:1", "b:2")
    monkeypatch.setenv("KRAFTPY_BOOTSTRAP_CONTROLLER", "a")
    result = run("cluster", "cluster-id")
    assert (result.exit_code, "KRAFTPY_BOOTSTRAP_CONTROLLER" in result.stderr) == (ExitCode.USAGE, True)
    assert "environment" not in run("cluster", "cluster-id", "-C", "a").stderr


@pytest.mark.parametrize("flag", ["-C", "--bootstrap-controller", "--bootstrap-controllers", "--bootstrap-server"])
def test_grpc_endpoints_have_every_name_that_other_tools_use(run, cluster: FakeCluster, flag: str) -> None:
    """One flag, and the spellings of Kafka's tools."""
    assert run("cluster", "cluster-id", flag, "h:1").exit_code == ExitCode.OK
    assert cluster.calls[0][1] == ("h:1",)


@pytest.mark.parametrize(
    "command", [["observe"], ["quorum", "remove-controller", "--controller-id", "1"], ["quorum", "ok-to-stop", "1"],
                ["quorum", "add-controller", "--config", "x"]]
)  # fmt: skip
@pytest.mark.parametrize("flag", ["-C", "--bootstrap-controllers", "--bootstrap-controller"])
def test_kafka_listeners_are_named_by_the_same_flag(run, command: list[str], flag: str) -> None:
    """What speaks Kafka's protocol takes -C, too; a word that is no address is bad usage before anybody is asked."""
    result = run(*command, flag, "localhost")
    assert (result.exit_code, "'localhost' is not host:port" in result.stderr) == (ExitCode.USAGE, True)


@pytest.mark.parametrize(
    ("options", "resource"),
    [
        (("--topic", "orders"), (2, "orders")),
        (("--broker", "101"), (4, "101")),
        (("--broker-defaults",), (4, "")),
        (("--group", "g"), (32, "g")),
        (("--client-metrics", "m"), (16, "m")),
    ],
)
def test_resources_by_their_short_options(run, cluster: FakeCluster, options, resource) -> None:
    """As kafka-configs names them, to describe and to alter."""
    assert run("configs", "describe", *options, *C).exit_code == ExitCode.OK
    assert run("configs", "alter", *options, "--add", "a=b", *C).exit_code == ExitCode.OK
    assert changes(cluster) == [("describe_configs", (resource,)), ("alter_configs", resource, {"a": "b"}, False)]


@pytest.mark.parametrize(
    "options",
    [
        ("--topic", "t", "--broker", "1"),
        ("--topic", "t", "--user", "u"),
        ("--topic", "t", "--entity-type", "topics"),
        ("--broker", "1", "--broker-defaults"),
        ("--broker", "one"),
        ("--topic", ""),
    ],
)
def test_short_options_that_contradict(run, cluster: FakeCluster, options) -> None:
    """They are usage errors, and nothing is asked."""
    assert run("configs", "describe", *options, *C).exit_code == ExitCode.USAGE
    assert changes(cluster) == []


def test_configs_are_added_from_a_file(run, cluster: FakeCluster, tmp_path) -> None:
    """A properties file in place of --add; a file that is none is named."""
    path = tmp_path / "topic.properties"
    path.write_text("retention.ms = 5\ncleanup.policy=compact,delete\n", encoding="utf-8")
    command = ("configs", "alter", "--topic", "orders", "--add-config-file", str(path), *C)
    assert run(*command).exit_code == ExitCode.OK
    wanted = {"retention.ms": "5", "cleanup.policy": "compact,delete"}
    assert changes(cluster) == [("alter_configs", (2, "orders"), wanted, False)]
    assert run(*command, "--add", "a=b").exit_code == ExitCode.USAGE
    path.write_bytes(b"\xff")
    assert f"{path} is no properties file" in run(*command).stderr
    path.unlink()
    assert run(*command).exit_code == ExitCode.FAILURE
