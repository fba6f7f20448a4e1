"""``kraftpy doctor`` over a cluster in memory: what is asked and printed, and the exit codes."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import replace

import pytest

from kraftpy.authenticator.login import PlainLogin, ScramLogin
from kraftpy.cli import connection, doctor_reading
from kraftpy.cli.cluster_port import ANY_STATE
from kraftpy.cli.errors import UnreachableError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import METRICS_ADDRESSES_MAX
from kraftpy.doctor.checks import CHECKS
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.registrations import Listener
from kraftpy.quorum_tools.access import ProbeError, QuorumAccess
from kraftpy.quorum_tools.port_kinds import FoundPort, PortKind
from kraftpy.quorum_tools.probe import cluster_id_at
from tests.unit.cli.doctor_cluster import FakeCluster, behind_connections
from tests.unit.doctor.worlds import OBSERVERS, VOTERS, broker, features, healthy, members, quorum, replica
from tests.unit.quorum_tools import test_probe as probed

PATIENCE_S = 60
C = ("-C", "localhost:9193")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> FakeCluster:
    return behind_connections(monkeypatch)


def names(result) -> list[str]:
    return [one["check"] for one in json.loads(result.stdout)["findings"]]


def test_a_healthy_cluster(run, cluster: FakeCluster) -> None:
    """Nothing but what was skipped, and the counts in the last line; everything is read linearizably."""
    result = run("doctor", *C)
    lines = result.stdout.splitlines()
    assert result.exit_code == ExitCode.OK
    assert all(line.startswith("skipped: ") for line in lines[:-1])
    skipped = len(lines) - 1
    assert lines[-1] == f"checks: {len(CHECKS)}, skipped: {skipped}, findings: 0 (errors: 0, warnings: 0, infos: 0)"
    assert "skipped: certificates: no registered listener uses TLS" in lines
    assert "skipped: disk-space: no metrics address was named (--metrics)" in lines
    shared = [one for one in cluster.asked if one[1] == "localhost:9193" and one[0] != "quorum"]
    assert [one[2] for one in shared] == [Consistency.LINEARIZABLE] * 3


def test_a_problem_is_code_3(run, cluster: FakeCluster) -> None:
    """A line with severity, place, value, way out and check; JSON has the same."""
    cluster.quorum = quorum(*VOTERS[:2], replica(3, silent_ms=5_000), observers=OBSERVERS).known
    result = run("doctor", *C)
    assert result.exit_code == ExitCode.FINDINGS
    line = result.stdout.splitlines()[0]
    assert line.startswith("warning: controller 3: voter fetched last 5000 ms ago; start it")
    assert line.endswith(" [voters-fetch]")
    result = run("doctor", *C, "-o", "json")
    assert result.exit_code == ExitCode.FINDINGS
    data = json.loads(result.stdout)
    assert (data["clusterId"], data["checkCount"], data["errorCount"], data["warningCount"]) == (
        "abc",
        len(CHECKS),
        0,
        1,
    )
    (finding,) = data["findings"]
    assert set(finding) == {"check", "severity", "place", "message", "fix"}
    assert all(set(one) == {"check", "reason"} for one in data["skipped"])


def test_an_info_is_no_problem(run, cluster: FakeCluster) -> None:
    cluster.facts = healthy(features=features(kraft_version=0))
    result = run("doctor", *C, "-o", "json")
    assert (result.exit_code, names(result)) == (ExitCode.OK, ["kraft-version"])


def test_without_a_leader_a_controllers_own_state_is_read(run, cluster: FakeCluster) -> None:
    """That no leader answers is the finding; what only it knows is skipped."""
    cluster.failures["quorum"] = UnreachableError("no answer in 15 s")
    result = run("doctor", *C, "-o", "json")
    assert (result.exit_code, names(result)) == (ExitCode.FINDINGS, ["leader"])
    way_out = json.loads(result.stdout)["findings"][0]["fix"]
    assert "the gRPC address that the leader advertises may be wrong or unreachable" in way_out
    assert {one[2] for one in cluster.asked if len(one) > 2 and one[0] == "cluster"} == {Consistency.COMMITTED}
    skipped = {one["check"]: one["reason"] for one in json.loads(result.stdout)["skipped"]}
    assert skipped["voters-lag"] == "no leader answers"


def test_a_leader_that_rejects_is_no_missing_leader(run, cluster: FakeCluster) -> None:
    """Without a permission nothing is known of the quorum, and nothing is claimed."""
    cluster.failures["quorum"] = ApiError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "no")
    result = run("doctor", *C, "-o", "json")
    assert (result.exit_code, names(result)) == (ExitCode.OK, [])
    skipped = {one["check"]: one["reason"] for one in json.loads(result.stdout)["skipped"]}
    assert skipped["leader"] == "no (CLUSTER_AUTHORIZATION_FAILED)"


def test_a_cluster_that_does_not_respond_is_code_4(run, cluster: FakeCluster) -> None:
    cluster.unreachable.add("localhost:9193")
    result = run("doctor", *C)
    assert (result.exit_code, result.stdout) == (ExitCode.UNREACHABLE, "")
    assert result.stderr == "error: localhost:9193 refuses connections\n"


def test_each_controller_is_asked_for_its_file(run, cluster: FakeCluster) -> None:
    """By its own address and with a timeout of its own; secrets are not compared."""
    cluster.files = {
        "c1:9193": {"controller.quorum.election.timeout.ms": "9", "num.partitions": "1", "x.password": "a"},
        "c2:9193": {"controller.quorum.election.timeout.ms": "9", "num.partitions": "2", "x.password": "b"},
    }
    cluster.unreachable.add("c3:9193")
    result = run("doctor", *C, "-o", "json")
    found = {one["check"]: one for one in json.loads(result.stdout)["findings"]}
    assert set(found) == {"controllers-respond", "controller-configs"}
    assert found["controllers-respond"]["place"] == "controller 3"
    assert found["controller-configs"]["message"] == "num.partitions differs: 1 (file) on 1; 2 (file) on 2"
    assert ("configs", "c1:9193", (4, "1")) in cluster.asked
    assert ("configs", "c2:9193", (4, "2")) in cluster.asked
    assert cluster.timeouts == {"localhost:9193": 15.0, "c1:9193": 5.0, "c2:9193": 5.0, "c3:9193": 5.0}
    # A wrong address that leads to another controller does not count as an answer of this one.
    assert cluster.moves == {"localhost:9193": True, "c1:9193": False, "c2:9193": False, "c3:9193": False}


def test_controllers_beyond_the_limit_are_named(run, cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """And so is one whose file's values could not be read."""
    monkeypatch.setattr(doctor_reading, "CONTROLLERS_MAX", 2)
    cluster.files = {address: {"controller.quorum.election.timeout.ms": "9"} for address in ("c1:9193", "c2:9193")}
    cluster.unreachable.add("c2:9193")
    result = run("doctor", *C, "-o", "json")
    skipped = {one["check"]: one["reason"] for one in json.loads(result.stdout)["skipped"]}
    rest = "1 of 3 controllers were not asked (at most 2 are): 3"
    assert skipped["controllers-respond"] == rest
    unread = "not read: controller 2 (c2:9193 refuses connections)"
    assert skipped["controller-configs"] == f"1 controllers responded; two are compared at least; {unread}"
    cluster.unreachable.clear()
    result = run("doctor", *C, "-o", "json")
    skipped = {one["check"]: one["reason"] for one in json.loads(result.stdout)["skipped"]}
    assert skipped["controller-configs"] == rest


@pytest.fixture
def ports(monkeypatch: pytest.MonkeyPatch) -> dict[str, FoundPort]:
    """What a look finds at addresses; gRPC where nothing else is set. Names that begin alike are one machine."""
    found: dict[str, FoundPort] = {}

    async def look_at(addresses, tls):
        assert tls is None
        return [found.get(one, FoundPort(PortKind.GRPC)) for one in addresses]

    async def resolved(addresses):
        return {one: frozenset({one.replace(".alias", "")}) for one in addresses}

    async def cluster_id_at(endpoint, *, access, timeout_s):
        raise ProbeError("has not answered")

    monkeypatch.setattr(doctor_reading, "cluster_id_at", cluster_id_at)
    monkeypatch.setattr(doctor_reading, "look_at", look_at)
    monkeypatch.setattr(doctor_reading, "resolved", resolved)
    return found


def test_each_address_of_a_bootstrap_list_is_looked_at(run, cluster: FakeCluster, ports) -> None:
    """Its port, the cluster that answers there, and whether a member has it under whatever name."""
    ports["c7:9193"], ports["c2:9093"] = FoundPort(PortKind.REFUSED), FoundPort(PortKind.CONTROLLER)
    addresses = "c1:9193,c2.alias:9193,c2:9093,c7:9193,c8:9193"
    found = json.loads(run("doctor", "-C", addresses, "-o", "json").stdout)["findings"]
    assert [(one["check"], one["severity"], one["place"]) for one in found] == [
        ("bootstrap-list", "warning", "c7:9193"),
        ("bootstrap-list", "info", "c8:9193"),
    ]
    assert {one[1] for one in cluster.asked if one[0] == "cluster"} >= {"c1:9193", "c2.alias:9193", "c8:9193"}
    assert not [one for one in cluster.asked if one[1] in {"c2:9093", "c7:9193"}], "they are no ports of gRPC"
    assert cluster.moves["c8:9193"] is False, "another controller must not answer for it"


def test_a_bootstrap_list_that_leads_to_two_clusters(run, cluster: FakeCluster, ports, monkeypatch) -> None:
    """A command believes whichever answers first."""
    ports["x:9193"] = FoundPort(PortKind.GRPC)
    describe = cluster.describe_cluster

    def describe_cluster(read=ANY_STATE):
        found = describe(read)
        return replace(found, cluster_id="other") if cluster.address == "x:9193" else found

    monkeypatch.setattr(cluster, "describe_cluster", describe_cluster)
    result = run("doctor", "-C", "c1:9193,x:9193", "-o", "json")
    (finding,) = json.loads(result.stdout)["findings"]
    assert (finding["severity"], finding["place"]) == ("error", "x:9193")
    assert "belongs to cluster other, not to abc" in finding["message"]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch):
    """Serves a port of Kafka's protocol in a thread, and returns its address."""
    monkeypatch.setattr(doctor_reading, "cluster_id_at", cluster_id_at)
    with asyncio.Runner() as runner:
        loop, servers = runner.get_loop(), []

        def served(apis):
            future = asyncio.run_coroutine_threadsafe(probed.serve(probed.kafka(apis, "other")), loop)
            server, endpoint = future.result(PATIENCE_S)
            servers.append(server)
            return f"{endpoint.host}:{endpoint.port}"

        thread = threading.Thread(target=loop.run_forever)
        thread.start()
        yield served
        for server in servers:
            loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def test_another_cluster_is_found_at_ports_of_kafkas_protocol(run, cluster: FakeCluster, ports, serve) -> None:
    """Those of a controller and of a broker."""
    controller = serve({probed.FETCH_SNAPSHOT: 1, probed.DESCRIBE_CLUSTER: 2})
    broker_port = serve({probed.DESCRIBE_CLUSTER: 0})
    ports[controller], ports[broker_port] = FoundPort(PortKind.CONTROLLER), FoundPort(PortKind.BROKER)
    result = run("doctor", "-C", f"c1:9193,{controller},{broker_port}", "-o", "json")
    found = {one["place"]: one for one in json.loads(result.stdout)["findings"]}
    assert {place: one["severity"] for place, one in found.items()} == {controller: "error", broker_port: "error"}
    assert (
        "is a controller's listener of Kafka's protocol, and belongs to cluster other" in found[controller]["message"]
    )
    assert "is a broker's listener of Kafka's protocol, and belongs to cluster other" in found[broker_port]["message"]


@pytest.mark.parametrize(
    ("login", "is_tls", "asked"),
    [
        (None, False, ["c2:9093"]),
        (ScramLogin("SCRAM-SHA-256", "u", "p", lambda: "n"), False, ["c2:9093"]),
        (PlainLogin("u", "p"), False, []),
        (None, True, []),
    ],
)
def test_which_ports_of_kafkas_protocol_are_asked(
    run, cluster: FakeCluster, ports, monkeypatch, login, is_tls, asked
) -> None:
    """None that would get a password in clear, or is protected otherwise than the command's connections."""
    found: list[str] = []

    async def cluster_id_at(endpoint, *, access, timeout_s):
        assert (access.login, timeout_s) == (login, doctor_reading.NODE_TIMEOUT_S)
        found.append(f"{endpoint.host}:{endpoint.port}")

    monkeypatch.setattr(doctor_reading, "cluster_id_at", cluster_id_at)
    monkeypatch.setattr(connection, "listener_access", lambda: QuorumAccess(login=login))
    ports["c2:9093"], ports["m:9293"] = FoundPort(PortKind.CONTROLLER, is_tls=is_tls), FoundPort(PortKind.METRICS)
    run("doctor", "-C", "c1:9193,c2:9093,m:9293")
    assert found == asked


def test_bootstrap_addresses_beyond_the_limit_are_named(run, cluster: FakeCluster, ports, monkeypatch) -> None:
    monkeypatch.setattr(doctor_reading, "CONTROLLERS_MAX", 3)
    result = run("doctor", "-C", "c1:9193,c2:9193,c3:9193,c4:9193", "-o", "json")
    skipped = {one["check"]: one["reason"] for one in json.loads(result.stdout)["skipped"]}
    assert skipped["bootstrap-list"] == "1 of 4 bootstrap addresses were not asked (at most 3 are): c4:9193"


def test_members_beyond_the_limit_are_not_looked_up(run, cluster: FakeCluster, ports, monkeypatch) -> None:
    """Any client that may register decides how many addresses there are."""
    looked_up: list[str] = []
    resolved = doctor_reading.resolved

    async def counted(addresses):
        looked_up.extend(addresses)
        return await resolved(addresses)

    monkeypatch.setattr(doctor_reading, "resolved", counted)
    monkeypatch.setattr(doctor_reading, "MEMBER_ADDRESSES_MAX", 1)
    result = run("doctor", "-C", "c1:9193,c2:9193", "-o", "json")
    skipped = {one["check"]: one["reason"] for one in json.loads(result.stdout)["skipped"]}
    assert "addresses of controllers were not asked (at most 1 are): " in skipped["bootstrap-list"]
    assert len(looked_up) == 3


def test_listeners_beyond_the_limit_are_named(run, cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Certificates of the first are read."""
    monkeypatch.setattr(doctor_reading, "CERTIFICATES_MAX", 1)
    tls = [broker(node_id, listeners=(Listener("SSL", "127.0.0.1", node_id, 1),)) for node_id in (1, 2)]
    cluster.facts = healthy(cluster=members(brokers=tls))
    result = run("doctor", *C, "-o", "json")
    data = json.loads(result.stdout)
    assert [one["place"] for one in data["findings"] if one["check"] == "certificates"] == ["127.0.0.1:1"]
    skipped = {one["check"]: one["reason"] for one in data["skipped"]}
    assert skipped["certificates"] == "1 of 2 TLS listeners were not asked (at most 1 are): 127.0.0.1:2"


def test_a_controller_of_an_earlier_release_is_not_compared(run, cluster: FakeCluster) -> None:
    """It describes what it follows in the log alone: that it has no other key is not known."""
    cluster.files["c2:9193"] = {"max.connections": "7"}
    result = run("doctor", *C, "-o", "json")
    skipped = {one["check"]: one["reason"] for one in json.loads(result.stdout)["skipped"]}
    reason = "does not describe its own controller.quorum.election.timeout.ms: its release is an earlier one"
    assert f"controller 2 ({reason})" in skipped["controller-configs"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("doctor",), "Missing option"),
        (("doctor", "-C", "nonsense"), "nonsense"),
        (("doctor", *C, "--metrics", "nonsense"), "nonsense"),
        (("doctor", *C, "--metrics", ",".join(["h:1"] * (METRICS_ADDRESSES_MAX + 1))), "names 201 addresses"),
    ],
)
def test_usage_errors(run, words, text) -> None:
    result = run(*words)
    assert result.exit_code == ExitCode.USAGE
    assert text in result.stderr


def test_a_release_is_checked_before_an_upgrade(run, cluster: FakeCluster) -> None:
    """metadata.version 40 is kraftpy's own: Kafka is refused by name, kraftpy is not."""
    result = run("doctor", *C, "--upgrade-to", "4.3")
    assert result.exit_code == ExitCode.FINDINGS
    line = next(line for line in result.stdout.splitlines() if line.endswith("[upgrade-levels]"))
    assert line.startswith("error: cluster: metadata.version 40 (5.0-IV0) is in force, and 4.3 supports")
    own = run("doctor", *C, "--upgrade-to", "kraftpy", "-o", "json")
    assert "upgrade-levels" not in names(own)
    unknown = run("doctor", *C, "--upgrade-to", "4.9")
    assert unknown.exit_code == ExitCode.USAGE
    assert "'4.9' is no known release; there are 3.9, 4.0" in unknown.stderr
