"""A node whose certificate does not name it says so itself: what others see of it is only that it is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from kraftpy.config.node_config import NodeConfig, parse_config
from kraftpy.node.own_certificate import log_own_name
from kraftpy.transport.tls import TlsFiles, shown_certificate
from tests.fakes.certificates import Authority

CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qg"


def config(authority: Authority, keystore: Path, extra: str = "", roles: str = "controller") -> NodeConfig:
    return parse_config(
        f"process.roles={roles}\nnode.id=1\ncontroller.quorum.voters=1@localhost:9093\n"
        "controller.listener.names=CONTROLLER\nlisteners=CONTROLLER://localhost:9093"
        f"{',PLAINTEXT://localhost:9092' if 'broker' in roles else ''}\n"
        "listener.security.protocol.map=CONTROLLER:SSL,PLAINTEXT:PLAINTEXT\nssl.client.auth=required\n"
        f"ssl.keystore.location={keystore}\nssl.truststore.location={authority.certificate}\n{extra}",
        "f",
    )


def complaints(done: NodeConfig) -> list[str]:
    with capture_logs() as lines:
        log_own_name(done, CLUSTER_ID)
    assert all(line["log_level"] == "error" for line in lines)
    return [line["wanted"] for line in lines]


@pytest.mark.parametrize(
    ("uris", "roles", "wanted"),
    [
        (["kraft:///controller/1"], "controller", []),
        ([f"kraft://{CLUSTER_ID}/controller/1", "kraft:///broker/9"], "controller", []),
        ([], "controller", ["kraft:///controller/1"]),
        (["kraft:///controller/2"], "controller", ["kraft:///controller/1"]),
        (["kraft:///broker/1"], "controller", ["kraft:///controller/1"]),
        (["kraft://other/controller/1"], "controller", ["kraft:///controller/1"]),
        (["kraft:///controller/1"], "broker,controller", ["kraft:///broker/1"]),
    ],
)
def test_a_certificate_names_the_node_that_shows_it(tmp_path: Path, uris, roles, wanted) -> None:
    """In each of its roles and in this cluster; what is missing is the URI to add."""
    authority = Authority(tmp_path / "ca")
    assert complaints(config(authority, authority.issue("node", *uris).both, roles=roles)) == wanted


def test_where_no_names_are_compared_none_is_missed(tmp_path: Path) -> None:
    authority = Authority(tmp_path / "ca")
    keystore = authority.issue("node").both
    assert complaints(config(authority, keystore, "controller.quorum.peer.identity=none\n")) == []
    assert complaints(config(authority, keystore, "ssl.client.auth=none\n")) == []


def test_what_a_file_shows_is_its_first_certificate(tmp_path: Path) -> None:
    """Behind the node's own come those of authorities."""
    authority = Authority(tmp_path / "ca")
    made = authority.issue("node", "kraft:///controller/1")
    made.both.write_text(made.both.read_text() + authority.certificate.read_text())
    shown = shown_certificate(TlsFiles(certificate=str(made.both), trust="/nowhere"))
    assert shown is not None
    assert ("URI", "kraft:///controller/1") in shown["subjectAltName"]
