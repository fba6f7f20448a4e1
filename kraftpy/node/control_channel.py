"""The way from this node's own agents to the active controller.

Controllers register where their public API listens, so a node that follows the log knows all of them; before that, or
at a metadata.version without such registrations, ``grpc.bootstrap.servers`` says whom to ask. The client library finds
the leader among them. A node whose own controller is the active one asks that one directly.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc

from kraftpy.client.async_client import AsyncClient
from kraftpy.config.node_config import NodeConfig
from kraftpy.config.tls import TlsConfig
from kraftpy.controller.requests import (
    BrokerHeartbeat,
    BrokerHeartbeatResponse,
    ControllerRequest,
    ControllerResponse,
    RegisterBroker,
    RegisterBrokerResponse,
    RegisterController,
    RegisterControllerResponse,
)
from kraftpy.image import Manifest, MetadataDelta, MetadataImage
from kraftpy.model.errors import ApiError, ConfigError, ErrorCode, LocalError
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.runtime.backend import GRPC_LISTENER, NodeBackend
from kraftpy.transport.node_api import Committed, WriteRequest

SSL = 1
"""The number of the security protocol in a registered listener."""


class ActiveControllerChannel:
    """Calls this node's own controller when it is the active one, and the leader's public API otherwise.

    It is also the publisher that learns where controllers listen.
    """

    name = "control-channel"

    def __init__(self, *, config: NodeConfig, backend: NodeBackend) -> None:
        self._config = config
        self._backend = backend
        self._client: AsyncClient | None = None
        self._changed = asyncio.Event()
        self._targets = tuple(_target(one.host, one.port) for one in config.api.grpc_bootstrap_servers)
        self._tls = config.api.grpc_tls
        self._calls = 0
        self._generation = 0

    async def run(self) -> None:
        """Keep a client that knows all controllers there are; runs until it is cancelled.

        It must know all of them: hints come from nodes that answer, and any one of them may be the one that died.
        """
        while True:
            targets = self._targets
            if not targets:
                await self._next_change()
                continue
            generation = self._generation
            async with AsyncClient(targets, credentials=self._credentials()) as client:
                self._client = client
                try:
                    # A call that is under way is not cut off by news of one more controller.
                    while (self._targets == targets and self._generation == generation) or self._calls > 0:
                        await self._next_change()
                finally:
                    self._client = None

    def reload(self) -> None:
        """Make the client anew, with what is in the PEM files now.

        Raises:
            ConfigError: when a file cannot be used; the client goes on as it is.
        """
        if self._tls:
            self._credentials()
            self._generation += 1
            self._changed.set()

    async def _next_change(self) -> None:
        await self._changed.wait()
        self._changed.clear()

    # ---------------------------------------------------------------- publisher

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Learn where controllers listen."""
        del manifest
        if delta.cluster is None:
            return
        listeners = [
            one
            for _, registration in sorted(image.cluster.controllers.items())
            for one in registration.listeners
            if one.name == GRPC_LISTENER
        ]
        configured = (_target(one.host, one.port) for one in self._config.api.grpc_bootstrap_servers)
        targets = tuple(dict.fromkeys((*(_target(one.host, one.port) for one in listeners), *configured)))
        if targets != self._targets:
            self._targets = targets
            self._tls = any(one.security_protocol == SSL for one in listeners) or self._config.api.grpc_tls
            self._changed.set()

    def on_controller_change(self, leader: LeaderAndEpoch) -> None:
        """The client finds the leader by itself."""

    def close(self) -> None:
        """The task is cancelled by its owner."""

    # ---------------------------------------------------------------- calls

    async def call(self, request: ControllerRequest, timeout_ms: int) -> ControllerResponse:
        """Make one call; errors as in ``runtime.agents.ControlChannel``."""
        hint = self._backend.leader_hint()
        if hint is not None and hint.node_id == self._config.node_id:
            async with asyncio.timeout(timeout_ms / 1_000):
                submission = WriteRequest(request, timeout_ms=timeout_ms)
                outcome = (await self._backend.submit_many([submission]))[0]
            if isinstance(outcome, Committed):
                return outcome.response
            raise outcome
        client = self._client
        if client is None:
            raise ApiError(
                ErrorCode.NOT_CONTROLLER,
                "no controller's public API is known yet (controllers register it; grpc.bootstrap.servers names it "
                "beforehand)",
            )
        self._calls += 1
        try:
            return await _call(client, request, timeout_ms / 1_000)
        finally:
            self._calls -= 1
            self._changed.set()

    def _credentials(self) -> grpc.ChannelCredentials | None:
        return grpc_client_credentials(self._config.api_tls) if self._tls else None


def grpc_client_credentials(tls: TlsConfig) -> grpc.ChannelCredentials:
    """Read the PEM files that this node calls others with: whom it believes, and its own key and certificates.

    Raises:
        ConfigError: a file cannot be read, or its key is encrypted, which gRPC cannot take.
    """
    location = tls.keystore_location
    if tls.key_password is not None:
        if tls.client_auth == "required":
            raise ConfigError("ssl.key.password: gRPC cannot read an encrypted key; give this node one that is not")
        location = None  # nobody insists on seeing it
    try:
        trust = Path(tls.truststore_location).read_bytes() if tls.truststore_location else None
        # One file holds the private key and the certificates; each reader takes the blocks it knows.
        own = Path(location).read_bytes() if location else None
    except OSError as error:
        raise ConfigError(f"{error.filename}: cannot be read: {error.strerror}") from error
    return grpc.ssl_channel_credentials(trust, own, own)


async def _call(client: AsyncClient, request: ControllerRequest, timeout_s: float) -> ControllerResponse:
    match request:
        case BrokerHeartbeat():
            answer = await client.broker_heartbeat(request, timeout_s=timeout_s)
            return BrokerHeartbeatResponse(
                is_caught_up=answer.is_caught_up,
                is_fenced=answer.is_fenced,
                in_controlled_shutdown=answer.in_controlled_shutdown,
                should_shut_down=answer.should_shut_down,
            )
        case RegisterBroker():
            registered = await client.register_broker(request, timeout_s=timeout_s)
            return RegisterBrokerResponse(broker_epoch=registered.broker_epoch)
        case RegisterController():
            await client.register_controller(request, timeout_s=timeout_s)
            return RegisterControllerResponse()
        case _:
            raise LocalError(f"a node's own agents do not send {type(request).__name__}")


def _target(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
