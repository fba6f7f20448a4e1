"""The way to the active controller over TLS, with PEM files as a node has them."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import grpc
import pytest

from kraftpy.config.node_config import parse_config
from kraftpy.config.tls import TlsConfig
from kraftpy.controller.requests import BrokerHeartbeat, BrokerHeartbeatResponse
from kraftpy.model.errors import ConfigError, KraftError
from kraftpy.node.control_channel import ActiveControllerChannel, grpc_client_credentials
from kraftpy.node.servers import grpc_server_credentials
from tests.fakes.certificates import self_signed
from tests.unit.transport.fake_backend import FakeBackend, serving

PATIENCE_MS = 10_000
HEARTBEAT = BrokerHeartbeat(broker_id=7, broker_epoch=2, metadata_offset=3)
BROKER = """\
process.roles=broker
node.id=7
controller.quorum.bootstrap.servers=localhost:9093
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://localhost:9092
grpc.security.protocol=SSL
"""


class Follower:
    """A node that does not lead."""

    def leader_hint(self):
        return None


@pytest.fixture
def pem(tmp_path: Path) -> Path:
    """A PEM file with a key and its certificate, which is its own authority."""
    return self_signed(tmp_path).both


def tls(pem, **changes):
    fields = {"keystore_location": str(pem), "key_password": None, "truststore_location": str(pem)}
    return TlsConfig(**(fields | {"client_auth": "required"} | changes))


async def heartbeat(port, *lines, timeout_ms=PATIENCE_MS):
    """Call a controller the way a broker's agents do."""
    text = f"{BROKER}grpc.bootstrap.servers=localhost:{port}\n" + "".join(f"{line}\n" for line in lines)
    channel = ActiveControllerChannel(config=parse_config(text, "server.properties"), backend=Follower())
    running = asyncio.ensure_future(channel.run())
    try:
        await asyncio.sleep(0)  # the task begins at the loop's next turn
        return await channel.call(HEARTBEAT, timeout_ms)
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def test_a_controller_that_demands_certificates_knows_our_nodes(pem: Path) -> None:
    """With ssl.client.auth=required a node shows the certificate of its keystore and is served."""
    backend = FakeBackend()
    async with serving(backend, credentials=grpc_server_credentials(tls(pem))) as server:
        files = (f"ssl.keystore.location={pem}", f"ssl.truststore.location={pem}")
        answer = await heartbeat(server.port, *files)
        assert isinstance(answer, BrokerHeartbeatResponse)
        assert len(backend.groups) == 1


async def test_a_stranger_without_a_certificate_is_not_served(pem: Path) -> None:
    """The same controller serves nobody who shows none, so that the test above proves something."""
    backend = FakeBackend()
    async with serving(backend, credentials=grpc_server_credentials(tls(pem))) as server:
        stranger = grpc.ssl_channel_credentials(await asyncio.to_thread(pem.read_bytes))
        async with grpc.aio.secure_channel(f"localhost:{server.port}", stranger) as channel:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(channel.channel_ready(), 1)


def test_files_that_cannot_be_used_are_named(pem: Path, tmp_path: Path) -> None:
    """A file that is missing is named; an encrypted key is refused where a certificate is demanded."""
    with pytest.raises(KraftError, match="missing: cannot be read"):
        grpc_client_credentials(tls(tmp_path / "missing"))
    with pytest.raises(ConfigError, match="cannot read an encrypted key"):
        grpc_client_credentials(tls(pem, key_password="secret"))
    assert grpc_client_credentials(tls(pem, key_password="secret", client_auth="none")) is not None
