"""A whole cluster whose controllers authenticate by SASL: it forms from empty directories, writes and fails over."""

from __future__ import annotations

import asyncio
import struct

import pytest

from kraftpy.authenticator.exchange import REQUESTS_MAX
from kraftpy.authenticator.mechanism import PLAIN, SCRAM_SHA_256
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.access import QuorumAccess
from kraftpy.quorum_tools.observer import ObservedRecord, Observer, find_controllers
from kraftpy.quorum_tools.quorum_admin import QuorumAdmin
from kraftpy.raft.messages import DescribeQuorumRequest
from kraftpy.raft.ready import Inbound, ResponseReceived, Send
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import encode_request
from kraftpy.transport.kafka.admission import HANDSHAKES_MAX
from kraftpy.transport.kafka.channel import PeerNetwork
from kraftpy.transport.kafka.framing import frame
from tests.fakes.processes import PATIENCE_S, Cluster, described, eventually, group, kraftpy
from tests.fakes.sasl_cluster import CLUSTER_ID, USER_PASSWORD, client_properties, login, running_sasl

pytestmark = pytest.mark.landing


async def write(cluster: Cluster, value: int) -> None:
    async with cluster.client(*cluster.running_controllers) as client:
        await client.incremental_alter_configs(group("g", str(value)), retry_unknown=True)
        await eventually(lambda: described(client), lambda all_: all_.get("g") == str(value), "the value is there")


@pytest.mark.parametrize("mechanism", [SCRAM_SHA_256, PLAIN])
async def test_a_quorum_on_sasl_forms_writes_and_fails_over(tmp_path, mechanism) -> None:
    """Three controllers and a broker; then all are stopped and start again, when only their logs know the users."""
    scram = () if mechanism == PLAIN else (mechanism,)
    async with running_sasl(tmp_path, mechanism, scram=scram, brokers=1) as cluster:
        leader = await cluster.leader()
        await eventually(cluster.brokers, lambda found: found == {4: False}, "the broker is registered and not fenced")
        await write(cluster, 10_001)
        await cluster.kill(leader)
        assert await cluster.leader() != leader
        await write(cluster, 10_002)
        await cluster.kill(*cluster.running_controllers)
        await cluster.start(*cluster.controller_ids)
        await cluster.leader()
        await write(cluster, 10_003)
        for node_id in cluster.controller_ids:
            gauges = await eventually(lambda n=node_id: cluster.metrics(n), bool, "it answers")
            assert gauges["kraft_authentication_failures_total"] == 0
            assert "secret" not in cluster.log_of(node_id)


async def test_a_process_holds_its_limits_before_a_peer_is_authenticated(tmp_path) -> None:
    """Too long a frame, too many requests, another request and more half-authenticated peers than places: all closed.

    The one voter goes on to serve a peer with credentials.
    """
    extra = {"sasl.server.max.receive.size": "2000", "connection.failed.authentication.delay.ms": "0"}
    async with running_sasl(tmp_path, PLAIN, controllers=1, extra=extra) as cluster:
        await cluster.leader()
        port = int(cluster.node(1).kafka_endpoint.rpartition(":")[2])
        versions = frame(encode_request("t", 1, rpc.ApiVersionsRequest("t", "1"), 4))
        unsupported = frame(struct.pack(">hhi", 18, 99, 1) + b"\xff\xff\0")
        for hostile in (
            frame(b"\0" * 2_001),
            struct.pack(">i", 2**31 - 1),
            unsupported * (REQUESTS_MAX + 1),
            versions * 2,
            frame(encode_request("t", 1, rpc.DescribeQuorumRequest([]), 1)),
        ):
            async with asyncio.timeout(PATIENCE_S):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(hostile)
                await reader.read()
                writer.close()
        halves = [await asyncio.open_connection("127.0.0.1", port) for _ in range(HANDSHAKES_MAX + 1)]
        async with asyncio.timeout(PATIENCE_S):
            assert await halves[0][0].read() == b"", "the oldest is closed for the last"
        endpoint = Endpoint("CONTROLLER", "127.0.0.1", port)
        answers: asyncio.Queue[Inbound] = asyncio.Queue()
        async with PeerNetwork(answers.put_nowait, "t", login=login(PLAIN)) as network:
            network.send(Send(1, endpoint, 1, DescribeQuorumRequest(), 10_000))
            assert isinstance(await asyncio.wait_for(answers.get(), PATIENCE_S), ResponseReceived)
        for _, writer in halves:
            writer.close()
        gauges = await cluster.metrics(1)
        assert gauges["kraft_active_controller"] == 1


@pytest.mark.parametrize("mechanism", [SCRAM_SHA_256, PLAIN])
async def test_the_tools_of_a_quorum_authenticate_themselves(tmp_path, mechanism) -> None:
    """A command with credentials is answered; one without, or with wrong ones, fails with a sentence that says why."""
    scram = () if mechanism == PLAIN else (mechanism,)
    async with running_sasl(tmp_path, mechanism, scram=scram, controllers=1) as cluster:
        await cluster.leader()
        address = cluster.node(1).kafka_endpoint

        async def asked(config: str | None):
            options = []
            if config is not None:
                (tmp_path / "client.properties").write_text(config)
                options = ["--command-config", tmp_path / "client.properties"]
            command = ("metadata-quorum", "ok-to-stop", "1", "-C", address, "--timeout", "10")
            return await asyncio.to_thread(kraftpy, *command, *options)

        answer = await asked(client_properties(mechanism))
        assert answer.returncode == ExitCode.FINDINGS, answer.stderr
        assert "no: " in answer.stdout
        answer = await asked(client_properties(mechanism).replace(USER_PASSWORD, "wrong"))
        assert answer.returncode == ExitCode.UNREACHABLE
        assert "SASL: the server answers SASL_AUTHENTICATION_FAILED" in answer.stderr
        answer = await asked(None)
        assert answer.returncode == ExitCode.UNREACHABLE
        assert "it demands SASL; give credentials (--command-config)" in answer.stderr
        host, _, port = address.rpartition(":")
        endpoint = Endpoint("CONTROLLER", host, int(port))
        access = QuorumAccess(login=login(mechanism))
        cluster_id, complaints = await find_controllers([endpoint], access=access, timeout_s=PATIENCE_S)
        assert (cluster_id, complaints) == (CLUSTER_ID, [])
        described_quorum = await QuorumAdmin([endpoint], access=access, timeout_s=PATIENCE_S).describe()
        shown: list[ObservedRecord] = []
        observer = Observer(
            directory=str(tmp_path / "copy"), controllers=(endpoint,), cluster_id=cluster_id, access=access,
            show=shown.append, report=lambda _: None, stops_at=described_quorum.described.high_watermark,
        )  # fmt: skip
        async with asyncio.timeout(PATIENCE_S):
            await observer.run()
        assert "FEATURE_LEVEL_RECORD" in {one.data["type"] for one in shown}
