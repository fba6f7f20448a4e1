"""The online commands over real gRPC, against the public API with a node of a test's making behind it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kraftpy.cli import waiting
from kraftpy.cli.exit_codes import ExitCode
from tests.fakes.certificates import self_signed
from tests.fakes.interrupts import children_get_sigint
from tests.fakes.processes import without_waits

REPOSITORY = Path(__file__).resolve().parents[3]
PATIENCE_S = 40.0

SERVER = """
import asyncio, sys

import grpc

from kraftpy.image.features import FeaturesImage
from kraftpy.image.image import MetadataImage
from kraftpy.records.metadata import FeatureLevelRecord, NoOpRecord, TopicRecord, encode_for_level
from tests.unit.image.support import configs_of
from tests.unit.transport.fake_backend import FakeBackend, serving

LEVEL = 40
NO_OP = encode_for_level(NoOpRecord(), LEVEL)


class Backend(FakeBackend):
    def append(self, count=1, epoch=1, value=NO_OP):
        return super().append(count, epoch, value)


async def main():
    backend = Backend()
    backend.features = (("metadata.version", 7, 42), ("group.version", 0, 1))
    backend.image = MetadataImage(
        features=FeaturesImage(FeaturesImage().levels.set("metadata.version", LEVEL)),
        configs=configs_of({(2, "orders"): {"retention.ms": "9"}}),
    )
    backend.append(value=encode_for_level(FeatureLevelRecord("metadata.version", LEVEL), LEVEL))
    backend.append(value=encode_for_level(TopicRecord("t", b"1" * 16), LEVEL))
    options = {}
    if len(sys.argv) > 1:
        pem = open(sys.argv[1], "rb").read()
        options["credentials"] = grpc.ssl_server_credentials([(pem, pem)], pem, require_client_auth=True)
    async with serving(backend, **options) as server:
        print(server.port, flush=True)
        await asyncio.to_thread(sys.stdin.read)


asyncio.run(main())
"""


class Node:
    """A fake node behind the real API, in a process of its own: grpc's event loop does not share one."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self.port = int(process.stdout.readline())


@contextmanager
def serving(*args: str) -> Iterator[Node]:
    words = [sys.executable, "-c", SERVER, *args]
    with subprocess.Popen(words, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Node(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(10) == 0


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    """One node for all tests of this module."""
    with serving() as node:
        yield node


def test_quorum_is_described_over_the_wire(run, node: Node) -> None:
    """Status and replication come from the leader's answer."""
    result = run("quorum", "describe", "--status", "-C", f"127.0.0.1:{node.port}")
    assert result.exit_code == ExitCode.OK, result.stderr
    assert "ClusterId:              cluster\nLeaderId:               1\nLeaderEpoch:            3\n" in result.stdout
    assert "  CONTROLLER://h:9\n" in result.stdout
    rows = run("quorum", "describe", "--replication", "-C", f"127.0.0.1:{node.port}", "-o", "jsonl").stdout
    row = json.loads(rows)
    assert (row["lastFetchTimestamp"], row["lastFetchTime"], row["role"]) == (None, None, "leader")


def test_an_address_of_the_right_port_is_not_looked_at(run, node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    """It costs nothing that another port would have been gone on from; a look comes only after a failure."""

    async def look(*_: object) -> None:
        raise AssertionError("it was looked at")

    monkeypatch.setattr("kraftpy.quorum_tools.port_probe.look", look)
    monkeypatch.setattr("kraftpy.cli.connection.PATIENCE_S", 60)
    result = run("quorum", "describe", "--status", "-C", f"127.0.0.1:{node.port}")
    assert result.exit_code == ExitCode.OK, result.stderr


def test_features_are_described_and_changed_over_the_wire(run, node: Node) -> None:
    """What the node supports comes back, and an update is answered."""
    address = f"127.0.0.1:{node.port}"
    lines = run("features", "describe", "-C", address).stdout
    assert "SupportedMaxVersion: 5.0-IV2\tFinalizedVersionLevel: 5.0-IV0\tEpoch: 99\n" in lines
    result = run("features", "upgrade", "-C", address, "-f", "group.version=1")
    assert (result.exit_code, result.stdout) == (ExitCode.OK, "group.version was upgraded to 1.\n")


def test_configs_go_both_ways(run, node: Node) -> None:
    """What is set is listed, what is refused says why."""
    address = f"127.0.0.1:{node.port}"
    assert run("configs", "describe", "-C", address).stdout == (
        "Dynamic configs for topics orders are:\n  retention.ms=9\n"
    )
    every = run("configs", "describe", "--all", "-C", address, "--entity-type", "client-metrics", "--entity-name", "m")
    assert every.stdout.splitlines()[:2] == [
        "All configs for client-metrics m are:",
        "  interval.ms=300000 sensitive=false synonyms={}",
    ]
    words = ("configs", "alter", "-C", address, "--entity-type", "topics", "--add", "a=1", "--delete", "b")
    assert run(*words, "--entity-name", "good").exit_code == ExitCode.OK
    refused = run(*words, "--entity-name", "bad")
    assert refused.exit_code == ExitCode.FAILURE
    assert refused.stderr == "error: bad (INVALID_CONFIG)\n"


@pytest.mark.parametrize(
    "words",
    [
        ("configs", "describe", "--entity-type", "groups", "--entity-name", "\udcff"),
        ("configs", "alter", "--entity-type", "groups", "--entity-name", "g", "--add", "a=\udcff"),
        ("features", "upgrade", "-f", "\udcff=1"),
    ],
    ids=" ".join,
)
def test_bytes_that_are_no_text_are_named(run, node: Node, words: tuple[str, ...]) -> None:
    """A shell hands them over as they are; nothing can be sent of them, and that is bad usage."""
    result = run(*words, "-C", f"127.0.0.1:{node.port}")
    assert (result.exit_code, "'\\udcff' cannot be written as UTF-8" in result.stderr) == (ExitCode.USAGE, True)


def test_cluster_commands_over_the_wire(run, node: Node) -> None:
    """The id is read; a broker is forgotten, or the refusal is shown."""
    address = f"127.0.0.1:{node.port}"
    assert run("cluster", "cluster-id", "-C", address).stdout == "Cluster ID: cluster\n"
    assert run("cluster", "describe", "-C", address).exit_code == ExitCode.OK
    assert run("cluster", "unregister", "-C", address, "-i", 5).stdout == "Broker 5 is no longer registered.\n"
    refused = run("cluster", "unregister", "-C", address, "-i", 404)
    assert refused.exit_code == ExitCode.FAILURE
    assert refused.stderr == "error: broker 404 is not registered (BROKER_ID_NOT_REGISTERED)\n"


def test_watch_reads_the_log(run, node: Node) -> None:
    """Records come decoded, from the offset asked for."""
    lines = run("watch", "-C", f"127.0.0.1:{node.port}", "--count", 2, "-o", "jsonl").stdout.splitlines()
    assert [json.loads(line)["type"] for line in lines] == ["FEATURE_LEVEL_RECORD", "TOPIC_RECORD"]
    from_one = run("watch", "-C", f"127.0.0.1:{node.port}", "--from", 1, "--count", 1).stdout
    assert from_one.startswith("1\t1\tTOPIC_RECORD\t")


def test_any_endpoint_that_is_alive_is_enough(run, node: Node) -> None:
    """Dead endpoints are passed over."""
    result = run("cluster", "cluster-id", "-C", f"127.0.0.1:1,127.0.0.1:{node.port},127.0.0.1:2")
    assert (result.exit_code, result.stdout) == (ExitCode.OK, "Cluster ID: cluster\n")


@pytest.mark.parametrize("args", [["quorum", "describe", "--status"], ["watch"], ["cluster", "unregister", "-i", "1"]])
def test_no_listener_at_the_endpoint_is_code_4_in_time(run, args: list[str]) -> None:
    """A dead address ends with its own code and one line that names it."""
    result = run(*args, "-C", "127.0.0.1:1", "--timeout", "0.3")
    assert result.exit_code == ExitCode.UNREACHABLE
    assert result.stderr.startswith("error: ")
    assert "127.0.0.1:1" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("args", [["cluster", "cluster-id"], ["quorum", "ok-to-stop", "1"]])
def test_a_port_that_does_not_answer_is_named_while_it_is_waited_for(run, args: list[str], monkeypatch) -> None:
    """A suspended controller accepts connections, because its kernel does: what is waited for, then one error."""
    monkeypatch.setattr(waiting, "SILENT_S", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as suspended:
        address = f"127.0.0.1:{suspended.getsockname()[1]}"
        result = run(*args, "-C", address, "--timeout", "0.4")
    lines = result.stderr.splitlines()
    assert lines[0] == f"# waiting: an answer from {address}, for up to 0.4 s"
    assert [line[:7] for line in lines[1:]] == ["error: "]
    assert result.exit_code == ExitCode.UNREACHABLE


def started(*words: object) -> subprocess.Popen[str]:
    """A command in a process of its own, without what this one has set for gRPC."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GRPC_")}
    return subprocess.Popen(
        [sys.executable, "-m", "kraftpy", *map(str, words)],
        cwd=REPOSITORY, env=inherited, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("number", "code", "stated"),
    [
        (signal.SIGINT, ExitCode.INTERRUPTED, "error: interrupted (SIGINT)\n"),
        # Nothing handles it, so a shell shows 128 + 15: 143.
        (signal.SIGTERM, -signal.SIGTERM, ""),
    ],
)
def test_watch_ends_by_a_signal(node: Node, number: signal.Signals, code: int, stated: str) -> None:
    """While it waits for the next record: at once, and without a traceback."""
    words = ("watch", "-C", f"127.0.0.1:{node.port}", "-o", "jsonl")
    with children_get_sigint(), started(*words) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(2)]
        process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert [json.loads(line)["offset"] for line in lines] == [0, 1]
    assert (process.returncode, without_waits(errors)) == (code, stated)


def test_a_failed_handshake_is_one_line(node: Node, tmp_path: Path) -> None:
    """The C library of gRPC prints lines for each attempt; GRPC_VERBOSITY has to be set before it is loaded."""
    authority = self_signed(tmp_path).certificate
    with started(
        "cluster", "cluster-id", "-C", f"127.0.0.1:{node.port}", "--tls-ca", authority, "--timeout", 1
    ) as process:
        _, errors = process.communicate(timeout=PATIENCE_S)
    errors = without_waits(errors)
    assert (process.returncode, errors.count("\n")) == (ExitCode.UNREACHABLE, 1), errors
    assert errors.startswith(f"error: 127.0.0.1:{node.port} ")


def test_tls_both_ways(run, tmp_path: Path) -> None:
    """With the right files the call goes through; without them, or in plain text, there is no answer."""
    files = self_signed(tmp_path)
    with serving(str(files.both)) as node:
        words = ("cluster", "cluster-id", "-C", f"127.0.0.1:{node.port}", "--timeout")
        result = run(*words, 10, "--tls-ca", files.certificate, "--tls-cert", files.both)
        assert (result.exit_code, result.stdout) == (ExitCode.OK, "Cluster ID: cluster\n"), result.stderr
        assert run(*words, 1).exit_code == ExitCode.UNREACHABLE
    for flag in ("--tls-ca", "--tls-cert"):
        garbage = tmp_path / "garbage"
        garbage.write_text("no certificate")
        shown = subprocess.run(
            [sys.executable, "-m", "kraftpy", *words, "1", flag, str(garbage)],
            cwd=REPOSITORY, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert shown.returncode == ExitCode.FAILURE
        assert shown.stderr.startswith(f"error: {flag}: TLS ")
        assert (shown.stderr.count("\n"), str(garbage) in shown.stderr) == (1, True), shown.stderr
    missing = run(*words, 1, "--tls-ca", tmp_path / "missing")
    assert missing.exit_code == ExitCode.FAILURE
    assert str(tmp_path / "missing") in missing.stderr
