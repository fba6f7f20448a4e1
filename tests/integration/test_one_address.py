"""``-C`` takes either port of any controller, in every command; a port of another kind is named at once."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from kraftpy.authenticator.jaas import PLAIN_MODULE
from kraftpy.authenticator.mechanism import PLAIN
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.transport.tls import TlsFiles, server_context
from tests.fakes.certificates import self_signed
from tests.fakes.launched import launch
from tests.fakes.processes import PATIENCE_S, Cluster, complaints, configure, eventually, kraftpy, running
from tests.fakes.sasl_cluster import USER, USER_PASSWORD, client_properties, running_sasl
from tests.requirements.nodes import free_ports

HOST = "127.0.0.1"
VARIABLE = "KRAFTPY_BOOTSTRAP_CONTROLLER"
WRITTEN = "group.initial.rebalance.delay.ms"
"""A key that brokers have: a command that writes another one says so on standard error."""

LONG_S = 600
"""A time limit that no command may wait for; each ends long before a test gives up."""

READ = ("cluster", "cluster-id")
OK_TO_STOP = ("quorum", "ok-to-stop")
WHERE = "give the address of a controller, of its listeners or its grpc.listener"


async def command(*args: object):
    return await asyncio.to_thread(kraftpy, *args)


def write(value: int) -> tuple[object, ...]:
    return ("configs", "alter", "--entity-type", "brokers", "--entity-default", "--add", f"{WRITTEN}={value}")


def ports_of(cluster: Cluster, node_id: int) -> tuple[str, str]:
    """A node's port of gRPC, and the one of Kafka's protocol."""
    node = cluster.node(node_id)
    assert node.grpc_endpoint is not None
    return node.grpc_endpoint, node.kafka_endpoint


async def test_either_port_of_any_controller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read, a write, and a command of Kafka's protocol, at each port of the leader and of a follower."""
    async with running(tmp_path) as cluster:
        leader = await cluster.leader()
        follower = next(node_id for node_id in cluster.controller_ids if node_id != leader)
        await registered(cluster)
        addresses = [*ports_of(cluster, leader), *ports_of(cluster, follower)]
        ids = set()
        for value, address in enumerate(addresses, 45_000):
            read = await command(*READ, "-C", address)
            assert (read.returncode, complaints(read)) == (ExitCode.OK, ""), address
            ids.add(read.stdout)
            written = await command(*write(value), "-C", address)
            assert (written.returncode, complaints(written)) == (ExitCode.OK, ""), address
            shown = await command("configs", "describe", "--entity-type", "brokers", "--entity-default", "-C", address,
                                  "--consistency", "linearizable")  # fmt: skip
            assert f"{WRITTEN}={value}" in shown.stdout
            stops = await command(*OK_TO_STOP, follower, "-C", address)
            assert (stops.returncode, stops.stdout[:4], complaints(stops)) == (ExitCode.OK, "yes:", ""), address
            planned = await command("quorum", "remove-controller", "--controller-id", follower, "--dry-run",
                                    "-C", address)  # fmt: skip
            assert (planned.returncode, "kraft.version is 0" in planned.stderr) == (ExitCode.FINDINGS, True), address
            shell = await command("metadata-shell", "-C", address, "ls", "/image")
            assert (shell.returncode, "cluster" in shell.stdout.split(), complaints(shell)) == (0, True, ""), shell
        assert len(ids) == 1

        for address in addresses[2:]:
            monkeypatch.setenv(VARIABLE, address)
            assert (await command(*READ)).stdout in ids
            assert (await command(*write(46_000))).returncode == ExitCode.OK
            assert (await command(*OK_TO_STOP, follower)).stdout.startswith("yes:")
        monkeypatch.delenv(VARIABLE)

        mixed = await command(*READ, "-C", f"{HOST}:1,{addresses[3]}")
        assert (mixed.returncode, mixed.stdout in ids) == (ExitCode.OK, True), mixed.stderr
        watched = await command("watch", "-C", addresses[3], "--count", 3)
        assert (watched.returncode, len(watched.stdout.splitlines())) == (ExitCode.OK, 3), watched.stderr
        assert await observed(tmp_path, addresses[0]) == watched.stdout.splitlines()


async def registered(cluster: Cluster) -> None:
    """Wait until all controllers have registered where they listen."""

    async def listed() -> int:
        async with cluster.client() as client:
            return len((await client.describe_cluster()).controllers)

    await eventually(listed, lambda count: count == len(cluster.controller_ids), "all controllers are registered")


async def observed(place: Path, address: str) -> list[str]:
    """The first records that ``observe`` prints when it is given a port of gRPC."""
    log = place / "observed"
    process = await launch("apart", log, [str(place / "errors"), "observe", "-C", address])
    try:

        async def lines() -> list[str]:
            return log.read_text().splitlines()

        return (await eventually(lines, lambda found: len(found) >= 3, "observe prints three records"))[:3]
    finally:
        process.send_signal(15)
        await process.wait()


@contextmanager
def answering(first: bytes, tls: ssl.SSLContext | None = None) -> Iterator[str]:
    """A port of another program, which sends this to each connection."""

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=speak, args=(connection,), daemon=True).start()

    def speak(connection: socket.socket) -> None:
        connection.settimeout(PATIENCE_S)
        wrapped = connection
        if tls is not None:
            wrapped = tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        with wrapped, suppress(OSError):
            wrapped.sendall(first)
            while wrapped.recv(1_000):
                pass

    with socket.create_server((HOST, 0)) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"{HOST}:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE_S)


async def test_a_port_of_another_kind_is_named(tmp_path: Path) -> None:
    """By commands of both protocols, at once: each has the exit code for a cluster that does not answer."""
    made = self_signed(tmp_path)
    async with running(tmp_path / "cluster", controllers=1) as cluster:
        await cluster.leader()
        metrics = cluster.node(1).properties["metrics.listener"]
        for asked in (READ, (*OK_TO_STOP, 1)):

            async def refused(address: str, *options: object, asked: tuple[object, ...] = asked) -> str:
                done = await command(*asked, "-C", address, *options)
                assert (done.returncode, done.stdout) == (ExitCode.UNREACHABLE, ""), done.stderr
                # gRPC's C library writes lines of its own where it was loaded before the command silenced it, as here.
                (line,) = [each for each in complaints(done).splitlines() if "ssl_transport_security" not in each]
                return line

            named = await refused(metrics, "--timeout", LONG_S)
            assert f"{metrics} is the metrics listener of a kraftpy node; {WHERE}" in named
            with answering(b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n") as address:
                assert re.search(rf"{address} .*SSH", await refused(address, "--timeout", LONG_S))
            with answering(b"", server_context(TlsFiles(certificate=str(made.both)))) as address:
                named = await refused(address, "--timeout", LONG_S)
                assert f"{address} speaks TLS; give its authority (--tls-ca)" in named
            (port,) = free_ports(1)
            closed = await refused(f"{HOST}:{port}")
            assert f"{HOST}:{port} refused the connection: no process listens there" in closed
            unknown = await refused("no-such-host.invalid:9093", "--timeout", LONG_S)
            assert "no-such-host.invalid:9093 is a name that cannot be resolved" in unknown
            for address in ports_of(cluster, 1):
                plain = await refused(address, "--timeout", LONG_S, "--tls-ca", made.certificate)
                assert f"{address} is " in plain
                assert "and does not speak TLS; give a port with TLS" in plain


@pytest.mark.landing
async def test_either_port_with_tls(tmp_path: Path) -> None:
    """The options for TLS are for both ports; without them, the error asks for them."""
    made = self_signed(tmp_path)
    async with running(tmp_path / "cluster", controllers=1, start=False) as cluster:
        node = cluster.node(1)
        configure(
            node,
            listener__security__protocol__map="CONTROLLER:SSL",
            grpc__security__protocol="SSL",
            ssl__keystore__location=str(made.both),
            ssl__truststore__location=str(made.certificate),
        )
        await cluster.start(1)
        await cluster.leader()
        grpc, kafka = ports_of(cluster, 1)
        trust = ("--tls-ca", made.certificate)

        async def read(address: str) -> str:
            return (await command(*READ, "-C", address, *trust)).stdout

        await eventually(lambda: read(kafka), lambda id_: len(id_.strip()) >= 22, "the cluster's id is read")
        for address in (grpc, kafka):
            stops = await command(*OK_TO_STOP, 1, "-C", address, *trust, "-o", "json")
            assert (stops.returncode, json.loads(stops.stdout)["nodeId"]) == (ExitCode.FINDINGS, 1), stops.stderr
            for asked in (READ, (*OK_TO_STOP, 1)):
                plain = await command(*asked, "-C", address, "--timeout", LONG_S)
                assert plain.returncode == ExitCode.UNREACHABLE
                assert f"{address} speaks TLS; give its authority (--tls-ca)" in plain.stderr


@pytest.mark.landing
async def test_the_two_ports_differ_in_tls(tmp_path: Path) -> None:
    """The error says where the other port is and how it is protected; a command does not go there less protected."""
    made = self_signed(tmp_path)
    async with running(tmp_path / "cluster", controllers=1, start=False) as cluster:
        configure(
            cluster.node(1),
            grpc__security__protocol="SSL",
            listener__name__grpc__ssl__keystore__location=str(made.both),
        )
        await cluster.start(1)
        await cluster.leader()
        grpc, kafka = ports_of(cluster, 1)

        async def asked(*args: object) -> str:
            return (await command(*args)).stderr

        other = await eventually(
            lambda: asked(*READ, "-C", kafka), lambda text: "says that gRPC" in text, "the listener names gRPC"
        )
        assert f"{kafka} says that gRPC is at {grpc}, with TLS: give its authority (--tls-ca)" in other
        there = await asked(*OK_TO_STOP, 1, "-C", grpc, "--tls-ca", made.certificate)
        assert f"{grpc} says that the listeners of the controllers are at {kafka}, in plaintext" in there


@pytest.mark.landing
async def test_either_port_with_sasl(tmp_path: Path) -> None:
    """The credentials are for both ports; without them, the error asks for them, and no address is named."""
    api = {
        "grpc.security.protocol": "SASL_PLAINTEXT",
        "listener.name.grpc.sasl.enabled.mechanisms": PLAIN,
        "listener.name.grpc.plain.sasl.jaas.config": f'{PLAIN_MODULE} required user_{USER}="{USER_PASSWORD}";',
    }
    config = tmp_path / "client.properties"
    config.write_text(client_properties(PLAIN))
    async with running_sasl(tmp_path / "cluster", PLAIN, controllers=1, extra=api) as cluster:
        await cluster.leader()
        grpc, kafka = ports_of(cluster, 1)

        async def read(address: str) -> str:
            return (await command(*READ, "-C", address, "--command-config", config)).stdout

        ids = [await eventually(lambda a=each: read(a), bool, "the cluster's id is read") for each in (kafka, grpc)]
        assert ids[0] == ids[1]
        stops = await command(*OK_TO_STOP, 1, "-C", grpc, "--command-config", config)
        assert (stops.returncode, stops.stdout[:3]) == (ExitCode.FINDINGS, "no:"), stops.stderr

        stranger = await command(*READ, "-C", kafka, "--timeout", LONG_S)
        assert stranger.returncode == ExitCode.UNREACHABLE
        assert "it demands SASL; give credentials (--command-config)" in stranger.stderr
        stranger = await command(*OK_TO_STOP, 1, "-C", grpc, "--timeout", LONG_S)
        assert stranger.returncode == ExitCode.FAILURE
        assert "does not name the controllers: this node authenticates its callers by SASL" in stranger.stderr
        assert kafka not in stranger.stderr
