"""The files of a new cluster can be read, and agree."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from kraftpy.config.agreement import disagreements
from kraftpy.config.generation import CERTIFICATES, HOSTS_MAX, ClusterPlan, checked_host, generated
from kraftpy.config.node_config import NodeConfig, parse_config


def configs(plan: ClusterPlan) -> list[NodeConfig]:
    files = generated(plan)
    return [parse_config(text, name) for name, text in files.items() if name != CERTIFICATES]


@pytest.mark.parametrize("keys", [None, "/etc/kraftpy"])
@pytest.mark.parametrize(
    ("controllers", "brokers"),
    [
        (("c1", "c2", "c3"), ("b1", "b2", "b3")),
        (("h",) * 3, ("h",) * 4),
        (("127.0.0.1", "::1", "localhost"), ("localhost",)),
        (("h",) * HOSTS_MAX, ("h",) * HOSTS_MAX),
    ],
)
def test_generated_files_agree(controllers: tuple[str, ...], brokers: tuple[str, ...], keys: str | None) -> None:
    """Two nodes of a machine get one port or directory, or a file is refused."""
    read = configs(ClusterPlan(controllers=controllers, brokers=brokers, racks=(), data="/d", keys=keys))
    assert len(read) == len(controllers) + len(brokers)
    assert [one for one in disagreements(read) if one.is_error] == []
    assert {one.controller_protocol for one in read} == {"PLAINTEXT" if keys is None else "SSL"}
    assert all(one.api.grpc_tls is (keys is not None) for one in read if one.is_controller)


def test_racks_are_given_in_order() -> None:
    plan = ClusterPlan(controllers=("c",), brokers=("b1", "b2"), racks=("x", "y"), data="/d", keys=None)
    assert [one.broker.rack for one in configs(plan)] == [None, "x", "y"]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl on the PATH")
def test_the_script_makes_certificates_that_name_their_nodes(tmp_path: Path) -> None:
    plan = ClusterPlan(controllers=("c1",), brokers=("10.0.0.7",), racks=(), data="/d", keys=str(tmp_path))
    for name, text in generated(plan).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    subprocess.run(["sh", CERTIFICATES], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    for name, stated in (
        ("controller-1", "DNS:c1, URI:kraft:///controller/1"),
        ("broker-101", "IP Address:10.0.0.7, URI:kraft:///broker/101"),
        ("operator", ""),
    ):
        command = ["openssl", "x509", "-in", f"{name}.pem", "-noout", "-ext", "subjectAltName"]
        shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60).stdout
        assert stated in shown, name
        verify = ["openssl", "verify", "-CAfile", "ca.pem", f"{name}.pem"]
        assert subprocess.run(verify, cwd=tmp_path, capture_output=True, check=False, timeout=60).returncode == 0
    locations = [Path(str(one.values["ssl.keystore.location"])) for one in configs(plan)]
    assert all(location.is_file() for location in locations), locations
    assert all(location.stat().st_mode & 0o077 == 0 for location in locations), "a private key is readable by others"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a b",
        "a;b",
        "c1$(id)",
        "`id`",
        "a|b",
        "a&b",
        "c1:9093",
        "10.0.0.256",
        "10",
        "fe80::1%eth0",
        "[c1",
        "a..b",
        "-a",
        "a\n",
    ],
)
def test_what_is_no_host_is_refused(text: str) -> None:
    """A script is made of it, and files whose lines it may end."""
    with pytest.raises(ValueError, match="neither an address nor a name"):
        checked_host(text)


@pytest.mark.parametrize(
    ("text", "host"),
    [("C1.Example.Com.", "c1.example.com"), ("[::0001]", "::1"), ("10.0.0.7", "10.0.0.7"), ("kraft_1", "kraft_1")],
)
def test_a_host_has_one_spelling(text: str, host: str) -> None:
    assert checked_host(text) == host
