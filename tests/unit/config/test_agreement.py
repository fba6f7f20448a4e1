"""Files that are each right by themselves, and describe no cluster together."""

from __future__ import annotations

import pytest

from kraftpy.config.agreement import UNKNOWN_HOST, disagreements
from kraftpy.config.generation import ClusterPlan, generated
from kraftpy.config.node_config import parse_config

PLAN = ClusterPlan(controllers=("c1", "c2", "c3"), brokers=("b1", "b2"), racks=("r1", "r2"), data="/d", keys=None)
C1, C2, C3, B1, B2 = (
    *(f"controller-{number}.properties" for number in (1, 2, 3)),
    "broker-101.properties",
    "broker-102.properties",
)
VOTERS = "controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093"
SERVERS = "controller.quorum.bootstrap.servers=c1:9093"
NAMES = "controller.listener.names=CONTROLLER\nlisteners=CONTROLLER:"
TLS = "listener.security.protocol.map=CONTROLLER:SSL,PLAINTEXT:PLAINTEXT\nssl.truststore.location=/ca.pem\n"


def found(*changes: tuple[str, str, str], without: str = "", plan: ClusterPlan = PLAN) -> list[tuple[bool, str]]:
    """Change lines of files; return whether each disagreement is an error, and what it says."""
    files = {name: text for name, text in generated(plan).items() if name != without}
    for name, old, new in changes:
        assert old in files[name], (name, old)
        files[name] = files[name].replace(old, new)
    configs = [parse_config(text, name, local_host=lambda: UNKNOWN_HOST) for name, text in files.items()]
    return [(one.is_error, one.what) for one in disagreements(configs)]


def test_files_that_agree_have_no_disagreement() -> None:
    assert found() == []
    assert found(plan=ClusterPlan(controllers=("c1",), brokers=(), racks=(), data="/d", keys=None)) == []


@pytest.mark.parametrize(
    ("change", "stated"),
    [
        ((B1, "node.id=101", "node.id=102"), "node.id 102 is in 2 files"),
        ((C2, "3@c3:9093", "4@c3:9093"), f"controller.quorum.voters has other ids: 1,2,3 in {C1}, {C3}"),
        ((C3, VOTERS, SERVERS), f"controller.quorum.voters is set in {C1}, {C2} and not in {C3}"),
        (
            (C2, "CONTROLLER://c2:9093", "CONTROLLER://c2:9094"),
            f"{C1} has node 2 at c2:9093, and {C2} has it at c2:9094",
        ),
        ((C2, NAMES, NAMES.replace("CONTROLLER", "C")), f"the first of controller.listener.names is C in {C2}, and"),
        ((B1, "node.id=101", f"{TLS}node.id=101"), f"CONTROLLER is SSL in {B1} and PLAINTEXT in {C1}"),
        (
            (B2, "b2", "b1"),
            f"port 9092 of b1 is that of the listener PLAINTEXT in {B1} and of the listener PLAINTEXT in",
        ),
        ((B1, "//b1:9092", "//localhost:9092"), f"{B1}: advertised to other nodes at a loopback address"),
        ((B1, f"node.id=101\nbroker.rack=r1\n{VOTERS}", f"node.id=2\n{SERVERS}"), f"node 2 is a voter in {C1}, {C2}"),
        ((C2, "node.id=2", "node.id=2\ndelegation.token.secret.key=s"), "delegation.token.secret.key differs between"),
    ],
)
def test_what_cannot_work_together_is_an_error(change: tuple[str, str, str], stated: str) -> None:
    errors = [what for is_error, what in found(change) if is_error]
    assert any(stated in what for what in errors), errors


def test_two_clusters_are_not_one() -> None:
    ids = [(name, "node.id=", "cluster.id.expected=a\nnode.id=") for name in (C1, C2)]
    assert found(*ids) == []
    other = (C3, "node.id=", "cluster.id.expected=b\nnode.id=")
    assert [what for _, what in found(*ids, other)] == [f"cluster.id.expected differs: a in {C1}, {C2}; b in {C3}"]


def test_nodes_of_one_machine_share_no_directory() -> None:
    plan = ClusterPlan(controllers=("h",), brokers=("h", "h"), racks=(), data="/d", keys=None)
    assert found(plan=plan) == []
    where = f"in {B1} and {B2}"
    shared = found((B2, "/d/broker-102", "/d/./broker-101/"), plan=plan)
    assert shared == [(True, f"/d/broker-101 of h is of two nodes, {where}")]
    below = found((B2, "/d/broker-102", "/d/broker-101/x"), plan=plan)
    assert below == [(True, f"/d/broker-101 and /d/broker-101/x of h are of two nodes, {where}")]


FORWARDED = "listeners=PLAINTEXT://:9092\nadvertised.listeners=PLAINTEXT://lb"
SIDECAR = (
    "listeners=PLAINTEXT://b1:9092,L://localhost:9095\n"
    "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,L:PLAINTEXT"
)
SAME_DIRECTORY = (B2, "/d/broker-102", "/d/broker-101")


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param([(B1, "//b1:", "//:"), (B2, "//b2:", "//:"), SAME_DIRECTORY], id="hosts are not known"),
        pytest.param(
            [
                (B1, "listeners=PLAINTEXT://b1:9092", f"{FORWARDED}:19092"),
                (B2, "listeners=PLAINTEXT://b2:9092", f"{FORWARDED}:19093"),
                SAME_DIRECTORY,
            ],
            id="containers behind one address",
        ),
        pytest.param([(C2, "1@c1:9093", "1@C1.:9093")], id="another spelling of a host"),
        pytest.param(
            [(B1, "listeners=PLAINTEXT://b1:9092", SIDECAR)], id="a listener for a program of the same machine"
        ),
        pytest.param(
            [(C1, "log.dirs=/d/controller-1", "log.dirs=/d/controller-1\nmetadata.log.dir=/d/controller-1/")],
            id="the metadata log beside the data",
        ),
    ],
)
def test_what_may_work_is_no_error(changes: list[tuple[str, str, str]]) -> None:
    assert [what for is_error, what in found(*changes) if is_error] == []


def test_two_loopback_addresses_are_two() -> None:
    """As on a developer's machine: 127.0.0.1 and 127.0.0.2 with the same ports."""
    plan = ClusterPlan(controllers=("localhost",), brokers=("b1", "b2"), racks=(), data="/d", keys=None)
    local = [(name, f"b{number}:", f"127.0.0.{number}:") for number, name in enumerate((B1, B2), 1)]
    assert found(*local, plan=plan) == []
    both = [(name, f"b{number}:", "127.0.0.1:") for number, name in enumerate((B1, B2), 1)]
    assert [is_error for is_error, _ in found(*both, plan=plan)] == [True, True]


def test_a_node_connects_at_any_listener_of_the_controllers() -> None:
    """docs/deploy.md: a listener for nodes, and one for clients."""
    both = "controller.listener.names=CONTROLLER,CLIENTS"
    opened = [
        (name, f"{NAMES}//c{number}:9093", f"{both}\nlisteners=CONTROLLER://c{number}:9093,CLIENTS://c{number}:9095")
        for number, name in enumerate((C1, C2, C3), 1)
    ]
    broker = [(B1, "controller.listener.names=CONTROLLER", "controller.listener.names=CLIENTS"), (B1, VOTERS, SERVERS)]
    assert found(*opened) == []
    assert found(*opened, *broker) == []
    assert [is_error for is_error, _ in found(*broker)] == [True] * 3


@pytest.mark.parametrize(
    ("changes", "without", "stated"),
    [
        ([(C1, "node.id=1", "node.id=1\nnum.partitions=7")], "", "num.partitions differs between controllers: 7 in"),
        (
            [(C1, "node.id=1", "node.id=1\ncontroller.quorum.fetch.timeout.ms=500")],
            "",
            "controller.quorum.fetch.timeout.ms differs",
        ),
        ([], C3, "there is no file of the voters 3"),
        (
            [(B1, VOTERS, SERVERS.replace("c1", "x"))],
            "",
            "bootstrap.servers=x:9093 has none of the controllers of these",
        ),
        ([(B2, "broker.rack=r2\n", "")], "", f"broker.rack is set on some brokers, and not in {B2}"),
    ],
)
def test_what_may_be_meant_is_a_notice(changes: list[tuple[str, str, str]], without: str, stated: str) -> None:
    notices = found(*changes, without=without)
    assert [(is_error, stated in what) for is_error, what in notices] == [(False, True)], notices


def test_an_even_number_of_controllers_is_a_notice() -> None:
    plan = ClusterPlan(controllers=("c1", "c2"), brokers=(), racks=(), data="/d", keys=None)
    assert found(plan=plan) == [(False, "2 controllers tolerate the failure of 0, as 1 do")]


def test_another_name_of_a_host_is_a_notice() -> None:
    """The voters' list may have the name of a balancer or a DNS alias."""
    assert found((C2, "CONTROLLER://c2:9093", "CONTROLLER://10.0.0.2:9093")) == [
        (False, f"{C1} has node 2 at c2:9093, and {C2} has it at 10.0.0.2:9093")
    ]
