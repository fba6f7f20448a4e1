"""A cluster of real processes whose controllers authenticate by SASL, with users that formatting prepares."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from kraftpy.authenticator.jaas import PLAIN_MODULE, SCRAM_MODULE
from kraftpy.authenticator.login import Login, PlainLogin, ScramLogin
from kraftpy.authenticator.mechanism import PLAIN
from kraftpy.node.authentication import new_nonce
from tests.fakes.processes import Cluster, kraftpy, running

CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qg"
NODE, NODE_PASSWORD = "node", "node's secret"
USER, USER_PASSWORD = "alice", "alice's secret"


def properties(mechanism: str, *, enabled: str = "") -> dict[str, str]:
    """What every node of a cluster has in its file whose quorum authenticates by this mechanism."""
    prefix = f"listener.name.controller.{mechanism.lower()}"
    users = f' user_{NODE}="{NODE_PASSWORD}" user_{USER}="{USER_PASSWORD}"' if mechanism == PLAIN else ""
    module = PLAIN_MODULE if mechanism == PLAIN else SCRAM_MODULE
    return {
        "listener.security.protocol.map": "CONTROLLER:SASL_PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "sasl.enabled.mechanisms": enabled or mechanism,
        "sasl.mechanism.controller.protocol": mechanism,
        f"{prefix}.sasl.jaas.config": f'{module} required username="{NODE}" password="{NODE_PASSWORD}"{users};',
    }


def client_properties(mechanism: str) -> str:
    """Return the file by which a command authenticates itself."""
    module = PLAIN_MODULE if mechanism == PLAIN else SCRAM_MODULE
    return (
        f"security.protocol=SASL_PLAINTEXT\nsasl.mechanism={mechanism}\n"
        f'sasl.jaas.config={module} required username="{USER}" password="{USER_PASSWORD}";\n'
    )


def login(mechanism: str, user: str = USER, password: str = USER_PASSWORD) -> Login:
    """Return the credentials of a client."""
    return PlainLogin(user, password) if mechanism == PLAIN else ScramLogin(mechanism, user, password, new_nonce)


def format_node(config_file: Path, *mechanisms: str) -> None:
    """Prepare a controller's directory, with the users of SCRAM in it."""
    users = [
        f'--add-scram={one}=[name={name},password="{password}"]'
        for one in mechanisms
        for name, password in ((NODE, NODE_PASSWORD), (USER, USER_PASSWORD))
    ]
    done = kraftpy("storage", "format", "-c", config_file, "-t", CLUSTER_ID, *users)
    assert done.returncode == 0, done.stderr


@asynccontextmanager
async def running_sasl(
    root: Path,
    mechanism: str,
    *,
    scram: tuple[str, ...] = (),
    controllers: int = 3,
    brokers: int = 0,
    extra: Mapping[str, str] | None = None,
    start: bool = True,
) -> AsyncIterator[Cluster]:
    """Start a cluster; ``scram`` names the mechanisms of the users that formatting prepares."""
    common = properties(mechanism) | dict(extra or {})
    async with running(root, controllers=controllers, brokers=brokers, extra=common, start=False) as cluster:
        for node in cluster.sandbox.controllers:
            format_node(node.config_file, *scram)
        if start:
            await cluster.start(*(node.node_id for node in cluster.sandbox.nodes))
        yield cluster
