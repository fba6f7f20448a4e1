"""Files that are each right by themselves, and describe no cluster together."""

from __future__ import annotations

import pytest

from kraftpy.config.agreement import disagreements
from kraftpy.config.generation import Plan, generated
from kraftpy.config.node_config import parse_config

PLAN = Plan(controllers=("c1", "c2", "c3"), brokers=("b1", "b2"), racks=("r1", "r2"), data="/d", keys=None)
C1, C2, C3, B1, B2 = (
    *(f"controller-{number}.properties" for number in (1, 2, 3)),
    "broker-101.properties",
    "broker-102.properties",
)
VOTERS = "controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093"
SERVERS = "controller.quorum.bootstrap.servers=c1:9093"
NAMES = "controller.listener.names=CONTROLLER\nlisteners=CONTROLLER:"
TLS = "listener.security.protocol.map=CONTROLLER:SSL,PLAINTEXT:PLAINTEXT\nssl.truststore.location=/ca.pem\n"


def found(*changes: tuple[str, str, str], without: str = "", plan: Plan = PLAN) -> list[tuple[bool, str]]:
    """Change lines of files; return whether each disagreement is an error, and what it says."""
    files = {name: text for name, text in generated(plan).items() if name != without}
    for name, old, new in changes:
        assert old in files[name], (name, old)
        files[name] = files[name].replace(old, new)
    configs = [parse_config(text, name) for name, text in files.items()]
    return [(one.is_error, one.what) for one in disagreements(configs)]


def test_files_that_agree_have_no_disagreement() -> None:
    assert found() == []
    assert found(plan=Plan(controllers=("c1",), brokers=(), racks=(), data="/d", keys=None)) == []


@pytest.mark.parametrize(
    ("change", "stated"),
    [
        ((B1, "node.id=101", "node.id=102"), "node.id 102 is in 2 files"),
        ((C2, "3@c3:9093", "4@c3:9093"), f"controller.quorum.voters differs: {VOTERS.partition('=')[2]} in"),
        ((B1, "3@c3:9093", "3@c4:9093"), "controller.quorum.voters differs"),
        ((C3, VOTERS, SERVERS), f"controller.quorum.voters is set in {C1}, {C2} and not in {C3}"),
        ((C2, "CONTROLLER://c2:9093", "CONTROLLER://c2:9094"), f"{C1} has node 2 at c2:9093, and {C2} says"),
        (
            (C2, NAMES, NAMES.replace("CONTROLLER", "C")),
            "the first of controller.listener.names differs: CONTROLLER in",
        ),
        ((B1, "node.id=101", f"{TLS}node.id=101"), "what is spoken at CONTROLLER differs: PLAINTEXT in"),
        ((B2, "b2", "b1"), f"port 9092 of b1 is bound 2 times: the listener PLAINTEXT of {B1}"),
        (
            (C2, "metrics.listener=c2:9293", "metrics.listener=:9193"),
            "port 9193 of c2 is bound 2 times: grpc.listener of",
        ),
        ((B1, "//b1:9092", "//localhost:9092"), f"{B1}: advertised at a loopback address"),
        ((B2, "broker.rack=r2\n", ""), f"broker.rack is set on some brokers, and not in {B2}"),
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
    plan = Plan(controllers=("h",), brokers=("h", "h"), racks=(), data="/d", keys=None)
    assert found(plan=plan) == []
    shared = found((B2, "/d/broker-102", "/d/broker-101/"), plan=plan)
    assert shared == [(True, "the directory /d/broker-101 of h is of 2 nodes")]


@pytest.mark.parametrize(
    ("changes", "without", "stated"),
    [
        ([(C1, "node.id=1", "node.id=1\nnum.partitions=7")], "", "num.partitions differs between controllers: 7 in"),
        (
            [(C1, "node.id=1", "node.id=1\ncontroller.quorum.fetch.timeout.ms=500")],
            "",
            "controller.quorum.fetch.timeout.ms differs",
        ),
        ([], C3, "no file here is of the voters 3"),
        (
            [(B1, VOTERS, SERVERS)],
            "",
            f"controller.quorum.bootstrap.servers does not have the controllers of {C2}, {C3}",
        ),
    ],
)
def test_what_may_be_meant_is_a_notice(changes: list[tuple[str, str, str]], without: str, stated: str) -> None:
    notices = found(*changes, without=without)
    assert [(is_error, stated in what) for is_error, what in notices] == [(False, True)], notices


def test_an_even_number_of_controllers_is_a_notice() -> None:
    plan = Plan(controllers=("c1", "c2"), brokers=(), racks=(), data="/d", keys=None)
    assert found(plan=plan) == [(False, "2 controllers survive no more failures than 1")]


def test_another_name_of_a_host_is_a_notice() -> None:
    """The voters' list may have the name of a balancer or a DNS alias."""
    assert found((C2, "CONTROLLER://c2:9093", "CONTROLLER://10.0.0.2:9093")) == [
        (False, f"{C1} has node 2 at c2:9093, and {C2} says that it is at 10.0.0.2:9093")
    ]
