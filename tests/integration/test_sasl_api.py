"""A real node whose public API authenticates its callers by SASL: commands, clients, and each limit from outside."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from kraftpy.authenticator.jaas import PLAIN_MODULE
from kraftpy.authenticator.mechanism import PLAIN, SCRAM_SHA_256
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.client import PlainCredentials, ScramCredentials
from tests.fakes.processes import Cluster, kraftpy, running
from tests.fakes.sasl_cluster import USER, USER_PASSWORD, client_properties, format_node

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
