"""Each check of a running cluster: nothing where all is well, and its finding where one thing is broken."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kraftpy.client.values import ControllerInfo
from kraftpy.doctor.checks import CHECKS, examine
from kraftpy.doctor.facts import Fact, OwnValue
from kraftpy.doctor.findings import FINDINGS_PER_CHECK_MAX, NAMED_MAX
from kraftpy.doctor.upgrade_checks import UPGRADE_CHECKS
from kraftpy.model.config_sources import ConfigSource
from kraftpy.model.ids import DIRECTORY_LOST, DIRECTORY_UNASSIGNED, ZERO_UUID
from kraftpy.model.registrations import Listener, SupportedFeature
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.quorum_tools.port_kinds import FoundPort, PortKind
from tests.unit.doctor.worlds import (
    DAY_S,
    FILE,
    METRICS,
    METRICS_READ_MS,
    NOW_MS,
    OBSERVERS,
    VOTERS,
    at,
    broker,
    controller,
    features,
    healthy,
    in_file,
    members,
    partition,
    quorum,
    replica,
    topics,
    uuid,
)

PAGE = Path(__file__).resolve().parents[3] / "docs" / "doctor.md"
EXPIRY_S = NOW_MS // 1_000


def observed(*others):
    return quorum(*VOTERS, observers=(*OBSERVERS, *others))


def on_host(host, *node_ids):
    """The voters, some of them on one host."""
    return quorum(
        *(replica_at(one, host) if one.key.node_id in node_ids else one for one in VOTERS),
        observers=OBSERVERS,
    )


def replica_at(one, host):
    return replace(one, endpoints=(Endpoint("CONTROLLER", host, 9093),))


WITHOUT_DIRECTORY = replace(VOTERS[2], key=ReplicaKey(3))


def measured(**values):
    return {"metrics": Fact({"c1:9293": Fact(METRICS | values)})}


def labelled(name, value):
    return {"metrics": Fact({"c1:9293": Fact(METRICS | {name: value})})}


def probed(p50_ms, p99_ms):
    times = {'kraft_disk_probe_ms{quantile="0.5"}': p50_ms, 'kraft_disk_probe_ms{quantile="0.99"}': p99_ms}
    return {"metrics": Fact({"c1:9293": Fact(METRICS | times)})}


def timed(*ahead_ms):
    """Nodes whose times are ahead of this machine's; each answered within 10 ms."""
    times = {f"c{number}:9293": float(NOW_MS + ahead) for number, ahead in enumerate(ahead_ms, start=1)}
    return {"metrics": Fact({address: Fact(METRICS | {"kraft_node_time_ms": at}) for address, at in times.items()})}


def described(others):
    """Three controllers, some of which have other values in force."""
    return {"own_configs": Fact({node_id: Fact(others.get(node_id, FILE)) for node_id in (1, 2, 3)})}


def certificate(days):
    return {"certificates": Fact({"c1:9093": Fact(EXPIRY_S + days * DAY_S)})}


def bootstrap(address, found):
    """A list of one member and another address."""
    return {"bootstrap": Fact({"c1:9193": at(PortKind.GRPC, "abc"), address: found})}


def racks(*names):
    """Brokers 101, 102 ... on the hosts of controllers 1, 2 ..., in these racks."""
    return {"cluster": members(brokers=[broker(101 + number, rack=name) for number, name in enumerate(names)])}


def secured(node_id, protocol):
    listeners = (Listener("CONTROLLER", f"c{node_id}", 9093, protocol), Listener("GRPC", f"c{node_id}", 9193))
    return controller(node_id, listeners=listeners)


TWO_LISTENERS = (Listener("PLAINTEXT", "c2", 9092), Listener("EXTERNAL", "c2", 9095, 1))

OF_EARLIER_RELEASE = {name: value for name, value in METRICS.items() if name != "kraft_node_time_ms"}

NEW = (SupportedFeature("metadata.version", 7, 42),)
OLD = (SupportedFeature("metadata.version", 7, 30), SupportedFeature("kraft.version", 0, 1))

BROKEN = [
    ("leader", {"quorum": Fact(reason="no"), "no_leader": "waited 15 s"}, "error", "quorum", "waited 15 s"),
    ("leader", {"quorum": quorum(*VOTERS, observers=OBSERVERS, leader_id=9)}, "warning", "controller 9", "not among"),
    (
        "leader",
        {"quorum": quorum(*VOTERS, observers=OBSERVERS, high_watermark=None)},
        "warning",
        "controller 1",
        "committed no",
    ),
    (
        "majority",
        {"quorum": quorum(replica(1), replica(2, silent_ms=9_000), replica(3, lag=2_000), observers=OBSERVERS)},
        "error",
        "quorum",
        "1 of 3 voters fetch and are caught up, 2 are needed",
    ),
    (
        "voters-fetch",
        {"quorum": quorum(replica(1), replica(2), replica(3, silent_ms=3_001), observers=OBSERVERS)},
        "warning",
        "controller 3",
        "3001 ms ago",
    ),
    (
        "voters-fetch",
        {"quorum": quorum(replica(1), replica(2), replica(3, silent_ms=None), observers=OBSERVERS)},
        "warning",
        "controller 3",
        "has not fetched",
    ),
    (
        "voters-lag",
        {"quorum": quorum(replica(1), replica(2), replica(3, lag=1_001), observers=OBSERVERS)},
        "warning",
        "controller 3",
        "1001 records",
    ),
    (
        "observers-fetch",
        {
            "quorum": observed(replica(4, silent_ms=4_000)),
            "cluster": members(controllers=[*map(controller, (1, 2, 3, 4))]),
        },
        "warning",
        "node 4",
        "4000 ms ago",
    ),
    ("observers-fetch", {"quorum": observed(replica(5, silent_ms=4_000))}, "info", "node 5", "4000 ms ago"),
    (
        "observers-lag",
        {"quorum": quorum(*VOTERS, observers=(replica(101), replica(102, lag=5_000)))},
        "warning",
        "node 102",
        "5000 records",
    ),
    ("voter-count", {"quorum": quorum(replica(1), observers=OBSERVERS)}, "warning", "quorum", "1 voter"),
    (
        "voter-count",
        {"quorum": quorum(replica(1), replica(2), observers=OBSERVERS)},
        "warning",
        "quorum",
        "failure of 0",
    ),
    ("voter-hosts", {"quorum": on_host("h1", 1, 2)}, "warning", "host h1", "2 of 3 voters (1, 2)"),
    ("voter-hosts", {"quorum": on_host("127.0.0.1", 1, 2, 3)}, "info", "host 127.0.0.1", "3 of 3"),
    (
        "directory-ids",
        {"quorum": quorum(replica(1), replica(2), replica(3, directory=2), observers=OBSERVERS)},
        "error",
        "directory ",
        "nodes 2, 3",
    ),
    ("directory-ids", {"quorum": observed(replica(3, directory=7))}, "warning", "node 3", "2 directories"),
    (
        "voter-directories",
        {"quorum": quorum(*VOTERS[:2], WITHOUT_DIRECTORY, observers=OBSERVERS)},
        "warning",
        "controller 3",
        "without",
    ),
    ("clock-skew", {"quorum_read_ms": (NOW_MS + 1_500, NOW_MS + 1_600)}, "warning", "controller 1", "1500 ms behind"),
    ("clock-skew", {"quorum_read_ms": (NOW_MS - 9_000, NOW_MS - 8_000)}, "warning", "controller 1", "8000 ms ahead of"),
    ("cluster-id", {"cluster": members(cluster_id=None)}, "warning", "cluster", "no cluster id"),
    (
        "ghost-controllers",
        {"cluster": members(controllers=[*map(controller, (1, 2, 3, 4))])},
        "warning",
        "controller 4",
        "is no voter, and has not fetched",
    ),
    (
        "unregistered-voters",
        {"cluster": members(controllers=[*map(controller, (1, 2))])},
        "warning",
        "controller 3",
        "never registered",
    ),
    (
        "fenced-brokers",
        {"cluster": members(brokers=[broker(101), broker(102, fenced=True)])},
        "warning",
        "broker 102",
        "is fenced",
    ),
    (
        "fenced-brokers",
        {"cluster": members(brokers=[broker(101), broker(102, in_controlled_shutdown=True)])},
        "info",
        "broker 102",
        "controlled shutdown",
    ),
    ("ghost-brokers", {"quorum": quorum(*VOTERS, observers=OBSERVERS[:1])}, "info", "broker 102", "is not fenced, and"),
    (
        "ghost-brokers",
        {
            "quorum": quorum(*VOTERS, observers=OBSERVERS[:1]),
            "cluster": members(brokers=[broker(101), broker(102, fenced=True)]),
        },
        "warning",
        "broker 102",
        "fenced, and has not fetched",
    ),
    (
        "ghost-brokers",
        {
            "quorum": quorum(*VOTERS, observers=(replica(101), replica(102, silent_ms=60_000))),
            "cluster": members(brokers=[broker(101), broker(102, fenced=True)]),
        },
        "warning",
        "broker 102",
        "fenced, and fetched last 60000 ms ago",
    ),
    (
        "broker-racks",
        {"cluster": members(brokers=[broker(101), broker(102, rack=None)])},
        "warning",
        "brokers",
        "1 of 2 brokers have no rack: 102",
    ),
    (
        "full-directories",
        {"cluster": members(brokers=[broker(101), broker(102, saturated_log_dirs=(uuid(102),))])},
        "error",
        "broker 102",
        "1 of 1 log directories are full",
    ),
    (
        "broker-directories",
        {"cluster": members(brokers=[broker(101), broker(102, log_dirs=())])},
        "error",
        "broker 102",
        "no log directory online",
    ),
    (
        "broker-directories",
        {"cluster": members(brokers=[broker(101), broker(102, log_dirs=(uuid(102), uuid(101)))])},
        "error",
        "directory ",
        "brokers 101, 102",
    ),
    (
        "feature-ranges",
        {"cluster": members(brokers=[broker(101), broker(102, features=OLD)])},
        "error",
        "broker 102",
        "metadata.version 7 to 30",
    ),
    ("metadata-version", {"features": features(metadata_version=30)}, "info", "cluster", "4.3-IV0 is in force"),
    ("kraft-version", {"features": features(kraft_version=0)}, "info", "cluster", "kraft.version 0 is in force"),
    (
        "offline-partitions",
        {"topics": topics(partition(), partition(1, leader=None))},
        "error",
        "topic orders",
        "1 of 2 partitions (1)",
    ),
    ("under-min-isr", {"topics": topics(partition(isr=(101,)))}, "error", "topic orders", "1 of 1 partitions"),
    ("under-replicated", {"topics": topics(partition(isr=(101,)))}, "warning", "topic orders", "not in sync"),
    (
        "replica-directories",
        {"topics": topics(partition(directories=(uuid(101), uuid(9))))},
        "warning",
        "topic orders",
        "does not have online",
    ),
    (
        "replica-directories",
        {"topics": topics(partition(directories=(uuid(101), DIRECTORY_LOST)))},
        "warning",
        "topic orders",
        "does not have online",
    ),
    (
        "partition-racks",
        {
            "cluster": members(brokers=[broker(101, rack="a"), broker(102, rack="a"), broker(103, rack="b")]),
            "quorum": observed(replica(103)),
        },
        "warning",
        "topic orders",
        "in one rack",
    ),
    (
        "controllers-respond",
        {"controllers": Fact({1: features(), 2: Fact(reason="it refuses")})},
        "warning",
        "controller 2",
        "it refuses",
    ),
    (
        "controller-configs",
        described({2: in_file("num.partitions", "3")}),
        "warning",
        "controllers",
        "num.partitions differs: 1 (default) on 1, 3; 3 (file) on 2",
    ),
    (
        "controller-configs",
        described({3: {key: value for key, value in FILE.items() if key != "log.retention.ms"}}),
        "warning",
        "controllers",
        "log.retention.ms differs: 5 (file) on 1, 2; not set on 3",
    ),
    (
        "controller-configs",
        described({1: FILE | {"num.partitions": OwnValue("7", ConfigSource.DYNAMIC_BROKER_CONFIG)}}),
        "warning",
        "controllers",
        "1 (default) on 2, 3; 7 (log, for this node) on 1",
    ),
    (
        "controller-configs",
        described({1: in_file("log.retention.ms", "x" * 300)}),
        "warning",
        "controllers",
        "x... (file)",
    ),
    ("controller-configs", described({1: in_file("log.retention.ms", "")}), "warning", "controllers", "empty (file)"),
    (
        "controller-configs",
        described({1: in_file("max.connections", "8")}),
        "info",
        "controllers",
        "max.connections differs: 8 (file) on 1; 9 (log, for all nodes) on 2, 3",
    ),
    (
        "controller-configs",
        described({1: in_file("controller.quorum.voters", "1@c1:1")}) | {"features": features(kraft_version=0)},
        "warning",
        "controllers",
        "1@c1:1 (file) on 1;",
    ),
    (
        "controller-configs",
        described({1: in_file("controller.quorum.voters", "1@c1:1")}),
        "info",
        "controllers",
        "controller.quorum.voters differs",
    ),
    (
        "voter-racks",
        racks("a", "a", "b"),
        "warning",
        "rack a",
        "has 2 of 3 voters (1, 2): when it fails",
    ),
    (
        "bootstrap-list",
        bootstrap("c9:9193", at(PortKind.REFUSED, is_registered=False)),
        "warning",
        "c9:9193",
        "is in the bootstrap list and refused the connection: no process listens there",
    ),
    ("bootstrap-list", bootstrap("c9:1", at(PortKind.SILENT)), "warning", "c9:1", "accepts connections and does not"),
    (
        "bootstrap-list",
        bootstrap("c9:1", at(PortKind.UNKNOWN_NAME, found=FoundPort(PortKind.UNKNOWN_NAME, detail="not known"))),
        "warning",
        "c9:1",
        "is a name that cannot be resolved: not known",
    ),
    (
        "bootstrap-list",
        bootstrap("b1:9092", at(PortKind.BROKER, is_registered=False)),
        "warning",
        "b1:9092",
        "is a broker's listener of Kafka's protocol",
    ),
    ("bootstrap-list", bootstrap("c2:9093", at(PortKind.CONTROLLER, uses_tls=True)), "warning", "c2", "not speak TLS"),
    (
        "bootstrap-list",
        bootstrap("o1:9193", at(PortKind.GRPC, "other", is_registered=False)),
        "error",
        "o1:9193",
        "belongs to cluster other, not to abc",
    ),
    (
        "bootstrap-list",
        bootstrap("o1:9093", at(PortKind.CONTROLLER, "other")),
        "error",
        "o1:9093",
        "is a controller's listener of Kafka's protocol, and belongs to cluster other, not to abc",
    ),
    (
        "bootstrap-list",
        bootstrap("o1:9092", at(PortKind.BROKER, "\n" + "x" * 99)),
        "error",
        "o1:9092",
        f"belongs to cluster \\n{'x' * 59}..., not to abc",
    ),
    (
        "bootstrap-list",
        bootstrap("c4:9193", at(PortKind.GRPC, "abc", is_registered=False)),
        "info",
        "c4:9193",
        "is no address of a voter or a registered controller",
    ),
    (
        "listeners",
        {"cluster": members(controllers=[secured(1, 1), secured(2, 1), secured(3, 0)])},
        "warning",
        "controllers",
        "listener CONTROLLER differs: PLAINTEXT on 3; SSL on 1, 2",
    ),
    (
        "listeners",
        {"cluster": members(brokers=[broker(101), broker(102, listeners=TWO_LISTENERS)])},
        "info",
        "brokers",
        "listener EXTERNAL is on 102 and not on 101",
    ),
    ("certificates", certificate(29), "warning", "c1:9093", "expires in 29 days"),
    ("certificates", certificate(-2), "error", "c1:9093", "expired 2 days ago"),
    ("certificates", {"certificates": Fact({"c1:9093": Fact(reason="TLS: X")})}, "info", "c1:9093", "TLS: X"),
    (
        "metrics-respond",
        {"metrics": Fact({"c1:9293": Fact(METRICS), "c2:9293": Fact(reason="is gone")})},
        "warning",
        "c2:9293",
        "is gone",
    ),
    (
        "metrics-respond",
        {"metrics": Fact({"c1:9293": Fact(METRICS), "c2:9293": Fact({"up": 1.0})})},
        "warning",
        "c2:9293",
        "is no kraftpy node's metrics: it has no kraft_apply_halted",
    ),
    (
        "state-halted",
        measured(kraft_apply_halted=1.0, kraft_apply_halted_offset=17.0),
        "error",
        "c1:9293",
        "offset 17,",
    ),
    ("state-digests", measured(kraft_state_digest_mismatches_total=2.0), "error", "c1:9293", "2 offsets"),
    (
        "unexpected-errors",
        labelled('kraftpy_request_errors_total{request="Fetch"}', 3.0),
        "error",
        "c1:9293",
        "3 unexpected",
    ),
    ("offline-directories", measured(kraft_offline_log_directory_count=1.0), "error", "c1:9293", "1 log directories"),
    (
        "disk-space",
        labelled('kraft_log_directory_free_bytes{log_directory="/d"}', 99.0),
        "warning",
        "c1:9293",
        '99 of 1000 bytes are free at log_directory="/d"',
    ),
    ("disk-alarm", measured(kraft_metadata_disk_alarm=1.0), "error", "c1:9293", "too little space left"),
    ("disk-probe", probed(0.4, 10.1), "info", "c1:9293", "an fsync took 0.4 ms (p50) and 10.1 ms (p99), more than 10"),
    ("disk-probe", probed(10.1, 30.0), "warning", "c1:9293", "10.1 ms (p50)"),
    ("node-clocks", measured(kraft_wall_clock_ahead_ms=-5_000.0), "warning", "c1:9293", "-5000 ms"),
    ("node-skew", timed(0, 0, 1_011), "warning", "c3:9293", "at least 1001 ms ahead of that of c"),
    ("node-skew", timed(0, -1_011, 0), "warning", "c2:9293", "at least 1001 ms behind that of c"),
    ("node-skew", timed(0, 9_000), "warning", "c2:9293", "at least 8990 ms ahead of that of c1:9293"),
    # Whose time is right is known of no node: that this machine's differs from all others' is not found here.
    ("node-skew", timed(70_000, 70_000, 0), "warning", "c3:9293", "at least 69990 ms behind that of c"),
    ("ignored-voters", measured(kraft_ignored_static_voters=1.0), "info", "c1:9293", "which is ignored: the log has"),
]


def test_a_healthy_cluster_has_no_finding():
    """Every check is made, and none finds anything."""
    found = examine(healthy())
    assert (found.findings, found.skipped, found.has_problems) == ((), (), False)
    assert found.as_json()["checkCount"] == len(CHECKS)


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("num.partitions", ("1", "01", " 1")),
        ("auto.create.topics.enable", ("true", "TRUE", "true ")),
        ("controller.quorum.bootstrap.servers", ("a:1,b:2", "b:2, a:1", "a:1 ,b:2")),
    ],
)
def test_values_that_mean_the_same_do_not_differ(key, texts):
    """Files by several hands are reported as different, which they are in their letters alone."""
    others = {
        number: FILE | {key: OwnValue(text, ConfigSource.STATIC_BROKER_CONFIG)} for number, text in enumerate(texts, 1)
    }
    assert "controller-configs" not in {name for name, _ in examine(healthy(**described(others))).findings}


@pytest.mark.parametrize(("check", "changes", "severity", "place", "what"), BROKEN)
def test_a_check_finds_what_is_broken(check, changes, severity, place, what):
    """One thing is broken; the check has exactly one finding, with the place, the value and a way out."""
    found = examine(healthy(**changes))
    (finding,) = [finding for name, finding in found.findings if name == check]
    assert str(finding.severity) == severity
    assert finding.place.startswith(place)
    assert what in finding.what
    assert finding.way_out
    assert found.has_problems is any(str(one.severity) != "info" for _, one in found.findings)
    json.dumps(found.as_json())


@pytest.mark.parametrize(
    ("check", "changes"),
    [
        ("voters-fetch", {"quorum": quorum(*VOTERS[:2], replica(3, silent_ms=9_000), observers=OBSERVERS)}),
        ("unregistered-voters", {"cluster": members(controllers=[*map(controller, (1, 2))])}),
        ("directory-ids", {"quorum": observed(replica(3, directory=7))}),
    ],
)
def test_a_voter_is_removed_only_where_that_is_possible(check, changes):
    """At kraft.version 0 the voters are those of the files: the way out is another one."""

    def way_out(level):
        found = examine(healthy(**changes, features=features(kraft_version=level))).findings
        (finding,) = [finding for name, finding in found if name == check]
        return finding.way_out

    assert "metadata-quorum remove-controller" in way_out(1)
    assert "kraft.version 0" not in way_out(1)
    assert "remove-controller" not in way_out(0)
    assert "kraft.version 0" in way_out(0)


def test_without_features_both_ways_out_are_named():
    """A silent voter is found all the same."""
    silent = quorum(*VOTERS[:2], replica(3, silent_ms=9_000), observers=OBSERVERS)
    found = examine(healthy(quorum=silent, features=Fact(reason="no"))).findings
    (finding,) = [finding for name, finding in found if name == "voters-fetch"]
    assert "remove-controller, or at kraft.version 0, start a new one with the same node.id" in finding.way_out


def test_every_check_is_broken_by_one_of_these():
    assert {check for check, *_ in BROKEN} == set(CHECKS)


@pytest.mark.parametrize(
    ("check", "changes"),
    [
        # What is no problem although it is near one.
        ("voters-fetch", {"quorum": quorum(replica(1), replica(2), replica(3, silent_ms=3_000), observers=OBSERVERS)}),
        ("voters-lag", {"quorum": quorum(replica(1), replica(2), replica(3, lag=1_000), observers=OBSERVERS)}),
        ("voters-lag", {"quorum": quorum(replica(1), replica(2), replica(3, lag=5_000, silent_ms=9_000))}),
        ("observers-fetch", {"quorum": quorum(*VOTERS, observers=(replica(101, silent_ms=9_000),))}),
        ("voter-hosts", {"quorum": on_host("h1", 1)}),
        # Static voters have no directory id before they fetched, and need none.
        (
            "voter-directories",
            {"quorum": quorum(*VOTERS[:2], WITHOUT_DIRECTORY), "features": features(kraft_version=0)},
        ),
        ("clock-skew", {"quorum_read_ms": (NOW_MS - 60_000, NOW_MS + 60_000)}),
        (
            "ghost-controllers",
            {
                "cluster": members(controllers=[*map(controller, (1, 2, 3, 4))]),
                "quorum": observed(replica(4, silent_ms=59_000)),
            },
        ),
        ("unregistered-voters", {"cluster": members(controllers=[]), "features": features(metadata_version=14)}),
        (
            "fenced-brokers",
            {
                "cluster": members(brokers=[broker(101), broker(102, fenced=True)]),
                "quorum": quorum(*VOTERS, observers=OBSERVERS[:1]),
            },
        ),
        ("broker-racks", {"cluster": members(brokers=[broker(101, rack=None), broker(102, rack=None)])}),
        ("broker-directories", {"cluster": members(brokers=[broker(101, log_dirs=()), broker(102, log_dirs=())])}),
        ("metadata-version", {"features": features(metadata_version=42)}),
        # All support 42, which is experimental: 40 is the highest that is not.
        (
            "metadata-version",
            {"cluster": members(brokers=[broker(101, features=NEW)], controllers=[controller(1, features=NEW)])},
        ),
        (
            "metadata-version",
            {"features": features(metadata_version=30), "cluster": members(brokers=[broker(101, features=OLD)])},
        ),
        ("under-min-isr", {"topics": topics(partition(leader=None, isr=()))}),
        ("under-replicated", {"topics": topics(partition(replicas=(101, 102, 103), adding_replicas=(103,)))}),
        ("replica-directories", {"topics": topics(partition(directories=(DIRECTORY_UNASSIGNED, ZERO_UUID)))}),
        (
            "replica-directories",
            {"topics": topics(partition(directories=(uuid(9), uuid(9)))), "cluster": members(brokers=[])},
        ),
        ("partition-racks", {"cluster": members(brokers=[broker(101, rack="a"), broker(102, rack="a")])}),
        # One rack for all is none; a host with brokers of several racks, and one without, is in none that is known.
        ("voter-racks", racks("a", "a", "a")),
        ("voter-racks", racks("a", None, "b")),
        ("voter-racks", racks("a", "b", "c")),
        (
            "voter-racks",
            {
                "cluster": members(
                    brokers=[
                        *(broker(number, rack="a") for number in (101, 102)),
                        *(broker(number, rack="b") for number in (201, 202, 103)),
                    ]
                )
            },
        ),
        # A node that both votes and is a broker has a rack by itself.
        ("voter-racks", {"cluster": members(brokers=[broker(1, rack="a"), broker(2, rack="b"), broker(3, rack="c")])}),
        ("bootstrap-list", {"bootstrap": Fact({})}),
        ("bootstrap-list", {**bootstrap("c2:9193", at(PortKind.GRPC, "x")), "cluster": members(cluster_id=None)}),
        ("listeners", {"cluster": members(brokers=[], controllers=[])}),
        ("certificates", certificate(30)),
        ("disk-space", labelled('kraft_log_directory_free_bytes{log_directory="/d"}', 100.0)),
        ("disk-probe", probed(10.0, 10.0)),
        ("node-clocks", measured(kraft_wall_clock_ahead_ms=1_000.0)),
        ("controller-configs", described({2: in_file("num.partitions", "1")})),
        ("controller-configs", described({2: in_file("controller.quorum.voters", "2@c2:1, 1@c1:1")})),
        ("node-skew", timed(0, 1_010, 0)),
        ("node-skew", timed(-1_010, 0, 0)),
        ("node-skew", timed(70_000, 70_000, 70_000)),
    ],
)
def test_a_check_finds_nothing_at_its_limit(check, changes):
    assert [finding for name, finding in examine(healthy(**changes)).findings if name == check] == []


def test_voters_on_hosts_without_a_rack_are_skipped():
    """Controllers register none: that nothing is known of them is no proof that all is well."""
    far = [broker(number, rack=rack) for number, rack in ((108, "a"), (109, "b"))]
    found = examine(healthy(cluster=members(brokers=far)))
    skipped = dict(found.skipped)
    assert "controllers register no rack" in skipped["voter-racks"]


def test_a_check_without_its_facts_is_skipped_with_the_reason():
    """Nothing was read but the members: what needs more is listed, and the rest is checked."""
    unread = Fact(reason="not now")
    facts = healthy(
        quorum=Fact(reason="no leader answers"), no_leader="waited", features=unread, topics=unread,
        controllers=unread, own_configs=unread, certificates=unread, metrics=unread, bootstrap=unread,
    )  # fmt: skip
    found = examine(facts)
    skipped = dict(found.skipped)
    assert [name for name, _ in found.findings] == ["leader"]
    assert skipped["voters-fetch"] == "no leader answers"
    assert skipped["under-min-isr"] == skipped["disk-space"] == "not now"
    made = {"leader", "cluster-id", "fenced-brokers", "broker-racks", "full-directories", "broker-directories"}
    made.add("listeners")
    assert set(skipped) == set(CHECKS) - made
    assert [one["reason"] for one in found.as_json()["skipped"]] == list(skipped.values())


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("broker.session.timeout.ms", "whichever controller is active decides by its own"),
        ("controller.quorum.fetch.timeout.ms", "controllers expect of each other what they do themselves"),
        ("max.connections", "nothing, if that is meant"),
        ("controller.quorum.bootstrap.servers", "nothing, if each list leads to the quorum"),
    ],
)
def test_the_way_out_has_the_reason(key, reason):
    found = examine(healthy(**described({2: in_file(key, "77")}))).findings
    (finding,) = [finding for name, finding in found if name == "controller-configs"]
    assert reason in finding.way_out


def test_one_controller_alone_is_not_compared():
    found = examine(healthy(own_configs=Fact({1: Fact(FILE), 2: Fact(reason="gone")})))
    text = "1 controllers responded; two are compared at least; not read: controller 2 (gone)"
    assert ("controller-configs", text) in found.skipped


def test_a_controller_that_was_not_compared_is_named():
    """The others are compared."""
    files = {1: Fact(FILE), 2: Fact(reason="gone"), 3: Fact(in_file("num.partitions", "3"))}
    found = examine(healthy(own_configs=Fact(files, rest="1 of 4 was not asked")))
    assert [name for name, _ in found.findings] == ["controller-configs"]
    assert found.skipped == (("controller-configs", "not compared: controller 2 (gone); 1 of 4 was not asked"),)


def test_what_is_beyond_a_limit_is_skipped():
    """What was read is checked all the same."""
    facts = healthy(
        controllers=Fact({1: Fact(reason="it refuses")}, rest="12 controllers were not asked"),
        certificates=Fact({"c1:9093": Fact(0)}, rest="7 listeners were not asked"),
    )
    found = examine(facts)
    assert [name for name, _ in found.findings] == ["controllers-respond", "certificates"]
    assert found.skipped == (
        ("controllers-respond", "12 controllers were not asked"),
        ("certificates", "7 listeners were not asked"),
    )


@pytest.mark.parametrize(
    ("left_s", "text"),
    [
        (-1, "expired less than a day ago"),
        (-DAY_S, "expired 1 day ago"),
        (-3 * DAY_S + 1, "expired 2 days ago"),
        (0, "expires in less than a day"),
        (DAY_S, "expires in 1 day"),
        (30 * DAY_S - 1, "expires in 29 days"),
    ],
)
def test_how_long_a_certificate_has(left_s, text):
    (finding,) = [one for _, one in examine(healthy(certificates=Fact({"c:1": Fact(EXPIRY_S + left_s)}))).findings]
    assert finding.what == f"its certificate {text}"


def test_without_any_metrics_what_is_measured_is_skipped():
    found = examine(healthy(metrics=Fact({"c1:9293": Fact(reason="refused")})))
    assert ("disk-space", "no metrics address responded with a node's metrics") in found.skipped
    assert [name for name, _ in found.findings] == ["metrics-respond"]


def test_metrics_of_another_program_are_no_healthy_node():
    """Nothing that is measured is checked by them."""
    found = examine(healthy(metrics=Fact({"c1:9293": Fact({}), "c2:9293": Fact({"up": 1.0})})))
    reason = "no metrics address responded with a node's metrics"
    of_metrics = list(CHECKS)[list(CHECKS).index("metrics-respond") + 1 :]
    assert found.skipped == tuple((check, reason) for check in of_metrics)
    assert [name for name, _ in found.findings] == ["metrics-respond"] * 2


@pytest.mark.parametrize(
    ("check", "missing", "reason"),
    [
        ("state-digests", "kraft_state_digest_mismatches_total", "no kraft_state_digest_mismatches_total at c2:9293"),
        ("disk-space", "kraft_log_directory_free_bytes", "no kraft_log_directory_free_bytes at c2:9293"),
        ("node-clocks", "kraft_wall_clock_ahead_ms", "no kraft_wall_clock_ahead_ms at c2:9293"),
        ("ignored-voters", "kraft_ignored_static_voters", "no kraft_ignored_static_voters at c2:9293"),
    ],
)
def test_a_node_without_a_series_is_not_taken_for_healthy(check, missing, reason):
    """The others are checked, and the node that lacks it is named."""
    bad = METRICS | {
        "kraft_state_digest_mismatches_total": 1.0,
        'kraft_log_directory_free_bytes{log_directory="/d"}': 1.0,
        "kraft_wall_clock_ahead_ms": 9e9,
        "kraft_ignored_static_voters": 1.0,
    }
    without = {name: value for name, value in METRICS.items() if not name.startswith(missing)}
    found = examine(healthy(metrics=Fact({"c1:9293": Fact(bad), "c2:9293": Fact(without)})))
    assert (check, reason) in found.skipped
    assert [finding.place for name, finding in found.findings if name == check] == ["c1:9293"]


def test_a_time_that_one_node_alone_has_is_not_compared():
    """Neither is that of a node of an earlier release."""
    for metrics in ({"c1:9293": Fact(METRICS)}, {"c1:9293": Fact(METRICS), "c2:9293": Fact(OF_EARLIER_RELEASE)}):
        reason = "1 of the nodes that responded have kraft_node_time_ms; two are compared at least"
        assert ("node-skew", reason) in examine(healthy(metrics=Fact(metrics))).skipped
    three = timed(0, 9_000)["metrics"].known | {"c3:9293": Fact(OF_EARLIER_RELEASE)}
    found = examine(healthy(metrics=Fact(three)))
    assert [finding.place for _, finding in found.findings] == ["c2:9293"]
    assert found.skipped == (("node-skew", "no kraft_node_time_ms at c3:9293"),)


def test_a_slow_answer_has_no_exact_time():
    """What a request took is no difference of clocks; one that is larger all the same is found."""
    slow = {**METRICS_READ_MS, "c2:9293": (NOW_MS - 30_000, NOW_MS + 5)}
    reason = "took longer than 1000 ms, by which its time is not known: c2:9293"
    found = examine(healthy(**timed(0, -29_000, 0), metrics_read_ms=slow))
    assert (found.findings, found.skipped) == ((), (("node-skew", reason),))
    found = examine(healthy(**timed(0, -90_000, 0), metrics_read_ms=slow))
    assert [finding.place for _, finding in found.findings] == ["c2:9293"]
    assert "at least 59995 ms behind" in found.findings[0][1].what


def test_controllers_have_no_directories_that_fail():
    """The series is that of brokers: one of them is enough."""
    without = {name: value for name, value in METRICS.items() if name != "kraft_offline_log_directory_count"}
    found = examine(healthy(metrics=Fact({"c1:9293": Fact(without), "c2:9293": Fact(without)})))
    assert found.skipped == (
        ("offline-directories", "no node that responded has kraft_offline_log_directory_count, which brokers have"),
    )
    assert examine(healthy(metrics=Fact({"c1:9293": Fact(without), "b1:9292": Fact(METRICS)}))).skipped == ()


def test_findings_are_bounded():
    """Of many findings of one check the first are listed, and the number of the others."""
    many = FINDINGS_PER_CHECK_MAX + 5
    ghosts: list[ControllerInfo] = [controller(200 + number) for number in range(many)]
    found = examine(healthy(cluster=members(controllers=[*map(controller, (1, 2, 3)), *ghosts])))
    texts = [finding.what for name, finding in found.findings if name == "ghost-controllers"]
    assert len(texts) == FINDINGS_PER_CHECK_MAX + 1
    assert texts[-1] == "5 more findings of this check"


def test_names_are_bounded():
    """A finding names the first partitions."""
    found = examine(healthy(topics=topics(*(partition(number, leader=None) for number in range(NAMED_MAX + 2)))))
    (text,) = [finding.what for name, finding in found.findings if name == "offline-partitions"]
    assert text == "12 of 12 partitions (0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more) without a leader"


def test_the_page_lists_the_checks():
    """docs/doctor.md has a row for each check, in order, and for nothing else."""
    text, _, _ = PAGE.read_text(encoding="utf-8").partition("\n## kraftpy support-bundle")
    rows = [line.split("|")[1].strip().strip("`") for line in text.splitlines() if line.startswith("| `")]
    assert rows == [*CHECKS, *UPGRADE_CHECKS]


@pytest.mark.parametrize(
    ("check", "name"), [("disk-probe", "kraft_disk_probe_ms"), ("disk-alarm", "kraft_metadata_disk_alarm")]
)
def test_brokers_do_not_measure_their_disk(check, name):
    """The series is that of controllers: one of them is enough."""
    without = {one: value for one, value in METRICS.items() if not one.startswith(name)}
    found = examine(healthy(metrics=Fact({"c1:9293": Fact(without), "c2:9293": Fact(without)})))
    assert found.skipped == ((check, f"no node that responded has {name}, which controllers have"),)
