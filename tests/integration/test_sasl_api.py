"""A real node whose public API authenticates its callers by SASL: commands, clients, and each limit from outside."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from kraftpy.authenticator.jaas import PLAIN_MODULE
from kraftpy.authenticator.mechanism import PLAIN, SCRAM_SHA_256
from kraftpy.authenticator.scram import SaltedPasswords, ScramClient
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.client import PlainCredentials, ScramCredentials
from kraftpy.client.values import ScramMechanism
from kraftpy.pb.v1 import authentication_pb2 as pb
from kraftpy.transport.grpc.services.authentication import EXCHANGES_MAX
from tests.fakes.processes import PATIENCE_S, POLL_S, Cluster, described, eventually, group, kraftpy, running
from tests.fakes.sasl_cluster import USER, USER_PASSWORD, client_properties, format_node
from tests.unit.transport.sasl_api import answers, bearer, exchange

pytestmark = pytest.mark.landing

API = {
    "grpc.security.protocol": "SASL_PLAINTEXT",
    "listener.name.grpc.sasl.enabled.mechanisms": "SCRAM-SHA-256,PLAIN",
    "listener.name.grpc.plain.sasl.jaas.config": f'{PLAIN_MODULE} required user_{USER}="{USER_PASSWORD}";',
}


@asynccontextmanager
async def running_api(root: Path, extra: Mapping[str, str] | None = None) -> AsyncIterator[Cluster]:
    """Start one controller whose API asks for SASL."""
    async with running(root, controllers=1, extra=API | dict(extra or {}), start=False) as cluster:
        format_node(cluster.node(1).config_file, SCRAM_SHA_256)
        cluster.login = ScramCredentials(USER, USER_PASSWORD)
        await cluster.start(1)
        await cluster.leader()
        yield cluster


@pytest.mark.parametrize("mechanism", [SCRAM_SHA_256, PLAIN])
async def test_commands_and_clients_authenticate_themselves(tmp_path, mechanism) -> None:
    """A command with credentials is answered; one without, or with wrong ones, fails with a sentence that says why."""
    async with running_api(tmp_path) as cluster:
        address = cluster.node(1).grpc_endpoint

        async def asked(config: str | None, *command: str):
            options = []
            if config is not None:
                (tmp_path / "client.properties").write_text(config)
                options = ["--command-config", tmp_path / "client.properties"]
            return await asyncio.to_thread(kraftpy, *command, "-C", address, *options)

        quorum = ("metadata-quorum", "describe", "--status")
        answer = await asked(client_properties(mechanism), *quorum)
        assert answer.returncode == ExitCode.OK, answer.stderr
        answer = await asked(client_properties(mechanism).replace(USER_PASSWORD, "wrong"), *quorum)
        assert answer.returncode == ExitCode.FAILURE
        assert "SASL_AUTHENTICATION_FAILED" in answer.stderr
        answer = await asked(None, *quorum)
        assert answer.returncode == ExitCode.FAILURE
        assert "this node authenticates its callers by SASL" in answer.stderr
        cluster.login = (
            ScramCredentials(USER, USER_PASSWORD) if mechanism != PLAIN else PlainCredentials(USER, USER_PASSWORD)
        )
        async with cluster.client() as client:
            assert (await client.describe_quorum()).leader_id == 1
        assert USER_PASSWORD not in cluster.log_of(1)


async def refusal(call) -> tuple[grpc.StatusCode, str]:
    """Return the status and the text of a call that fails."""
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call
    return raised.value.code(), raised.value.details() or ""


async def test_a_process_holds_its_limits(tmp_path) -> None:
    """Each limit is passed once, over a plain channel; the node goes on to serve a client with credentials."""
    extra = {
        "listener.name.grpc.sasl.enabled.mechanisms": SCRAM_SHA_256,
        "listener.name.grpc.connections.max.reauth.ms": "2000",
        "sasl.server.max.receive.size": "2000",
        "connection.failed.authentication.delay.ms": "0",
    }
    unauthenticated = grpc.StatusCode.UNAUTHENTICATED
    async with running_api(tmp_path, extra) as cluster, cluster.client() as client, asyncio.timeout(PATIENCE_S):
        async with grpc.aio.insecure_channel(cluster.node(1).grpc_endpoint) as channel:
            scram = pb.AuthenticateRequest(mechanism=SCRAM_SHA_256)

            async def described(metadata=()) -> object:
                return await channel.unary_unary("/kraftpy.v1.ClusterService/DescribeFeatures")(b"", metadata=metadata)

            async def failed(*requests: pb.AuthenticateRequest) -> tuple[grpc.StatusCode, str]:
                return await refusal(answers(exchange(channel), *requests))

            async def token_of(user: str, password: str) -> str:
                made = ScramClient(user, SaltedPasswords(SCRAM_SHA_256, password), "nonce")
                call = exchange(channel)
                _, challenge = await answers(call, scram, pb.AuthenticateRequest(data=made.initial()))
                (last,) = await answers(call, pb.AuthenticateRequest(data=made.respond(challenge.data)))
                assert made.respond(last.data) is None
                return last.session.token

            for metadata in ((), bearer("unknown"), (("authorization", "Basic YTpi"),)):
                status, text = await refusal(described(metadata))
                assert (status, "AuthenticationService.Authenticate" in text) == (unauthenticated, True)
            status, text = await failed(pb.AuthenticateRequest(mechanism=PLAIN))
            assert (status, "this node offers SCRAM-SHA-256" in text) == (unauthenticated, True)
            status, text = await failed(scram, pb.AuthenticateRequest(data=b"x" * 2_001))
            assert "sasl.server.max.receive.size allows 2000" in text
            for user, password in ((USER, "wrong"), ("carol", USER_PASSWORD)):
                with pytest.raises(grpc.aio.AioRpcError, match="SASL_AUTHENTICATION_FAILED"):
                    await token_of(user, password)
            halves = []
            for _ in range(EXCHANGES_MAX + 1):
                halves.append(exchange(channel))
                await answers(halves[-1], scram)
            assert (await refusal(halves[0].read()))[0] is grpc.StatusCode.RESOURCE_EXHAUSTED
            for half in halves:
                half.cancel()
            token = bearer(await token_of(USER, USER_PASSWORD))
            assert await described(token)
            stream = channel.stream_stream("/kraftpy.v1.SessionService/Session")(metadata=token)
            await stream.read()
            status, _ = await refusal(read_to_end(stream))
            assert status is unauthenticated, "the session is over"
            assert (await refusal(described(token)))[0] is unauthenticated
            token = bearer(await token_of(USER, USER_PASSWORD))
            await client.alter_user_scram_credentials((), deletions=[(USER, ScramMechanism.SHA_256)])
            assert await described(token), "as on Kafka's protocol, what is authenticated goes on until it expires"
            with pytest.raises(grpc.aio.AioRpcError, match="SASL_AUTHENTICATION_FAILED"):
                await token_of(USER, USER_PASSWORD)
            status, _ = await refusal(until_refused(lambda: described(token)))
            assert status is unauthenticated
        gauges = await cluster.metrics(1)
        assert gauges["kraft_authentication_failures_total"] >= 5
        assert gauges['kraftpy_limit_refused_total{limit="unfinished authentications",listener="GRPC"}'] >= 1
        assert gauges["kraft_active_controller"] == 1
        assert USER_PASSWORD not in cluster.log_of(1)


async def read_to_end(stream: Any) -> None:
    """Read until the stream ends."""
    while await stream.read() is not grpc.aio.EOF:
        pass


async def until_refused(call: Callable[[], Awaitable[object]]) -> None:
    """Repeat a call until it fails."""
    while True:
        await call()
        await asyncio.sleep(POLL_S)


SESSION_S = 3
SESSIONS = 'kraftpy_limit_used{limit="authenticated sessions",listener="GRPC"}'


async def test_a_client_goes_on_after_a_restart_and_renews(tmp_path) -> None:
    """A node that knows no session of it answers; the next session is renewed, and goes on for longer than it lasts."""
    extra = {"listener.name.grpc.connections.max.reauth.ms": f"{SESSION_S * 1_000}"}
    async with (
        running_api(tmp_path, extra) as cluster,
        cluster.client() as client,
        aclosing(client.watch(0)) as events,
        asyncio.timeout(PATIENCE_S),
    ):
        seen = (await anext(events)).last_offset
        await client.incremental_alter_configs(group("g", "10001"), retry_unknown=True)
        await cluster.kill(1)
        await cluster.start(1)
        await client.incremental_alter_configs(group("g", "10002"), retry_unknown=True)
        await eventually(lambda: described(client), lambda all_: all_.get("g") == "10002", "the value is there")
        end = (await client.describe_quorum()).high_watermark
        while seen < end - 1:
            batch = await anext(events)
            assert batch.base_offset == seen + 1
            seen = batch.last_offset
        session, opened = client._session, asyncio.get_running_loop().time()
        # One of the calls, and one of the watch.
        assert (await cluster.metrics(1))[SESSIONS] == 2
        while asyncio.get_running_loop().time() < opened + SESSION_S + 1:
            await client.describe_quorum()
            assert client._session is session, "the session was not renewed"
            assert (await cluster.metrics(1))[SESSIONS] == 2
            await asyncio.sleep(POLL_S)
        assert "authentication_failed" not in cluster.log_of(1)
