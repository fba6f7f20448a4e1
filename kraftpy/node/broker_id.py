"""The id of a broker whose configuration names none: from its directories, else from the controllers.

It is settled before anything else starts, because the directories are written with it and the metadata log is fetched
under it. A broker that cannot find out stops: with another id its replicas would be copied for nothing.

Source: KIP-426 §Determining Broker Id on Broker Startup.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count, cycle
from typing import Final

import structlog

import kraftpy
from kraftpy.broker.backoff import Backoff
from kraftpy.config.node_config import NodeConfig
from kraftpy.controller.broker_id_requests import AssignBrokerId, AssignBrokerIdResponse
from kraftpy.model.errors import ApiError, ConfigError, ErrorCode
from kraftpy.model.ids import NO_NODE, Uuid, uuid_from_random
from kraftpy.model.voters import Endpoint
from kraftpy.node.authentication import make_login
from kraftpy.node.certificates import Certificates
from kraftpy.node.servers import kafka_client_context
from kraftpy.raft.ready import Failure
from kraftpy.runtime.random import SystemJitter
from kraftpy.storage.ensemble import MetaPropertiesEnsemble
from kraftpy.storage.filesystem import FileSystem
from kraftpy.transport.kafka.channel import ConnectionOptions
from kraftpy.transport.kafka.controller_calls import ControllerCalls, LeaderElsewhereError
from kraftpy.transport.kafka.identity import PeerIdentity

_log = structlog.get_logger("kraftpy.node")

REQUEST_TIMEOUT_MS: Final = 5_000
"""How long one controller may take to answer."""

BACKOFF_MS_MAX: Final = 1_000
"""The longest pause between two requests: a broker that waits for a session to end asks once a second."""

FINAL: Final = frozenset(
    {
        ErrorCode.INVALID_REGISTRATION,
        ErrorCode.INVALID_REQUEST,
        ErrorCode.UNSUPPORTED_VERSION,
        ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
    }
)
"""Errors that asking again does not mend."""


@dataclass(frozen=True, slots=True)
class NodeProcess:
    """A node's configuration, with its id, and the id of this process if a controller knows it already."""

    config: NodeConfig
    incarnation_id: Uuid | None = None


async def with_node_id(config: NodeConfig, fs: FileSystem) -> NodeProcess:
    """Complete a configuration that names no node id.

    Raises:
        ConfigError: the id cannot be determined; the message says what an operator can do.
        StorageError: the directories contradict each other.
    """
    if config.has_node_id:
        return NodeProcess(config)
    stored = _stored_id(config, fs)
    if stored is not None:
        _log.info("broker_id_found", node_id=stored, source="meta.properties")
        return NodeProcess(_named(config, stored))
    incarnation_id = uuid_from_random(os.urandom)
    assigned = await _ask(config, AssignBrokerId(host=config.broker.host, incarnation_id=incarnation_id))
    _log.info(
        "broker_id_assigned", node_id=assigned.broker_id, source=assigned.source.name.lower(), host=config.broker.host
    )
    return NodeProcess(_named(config, assigned.broker_id), incarnation_id)


def _stored_id(config: NodeConfig, fs: FileSystem) -> int | None:
    """Return the id that the directories have.

    Raises:
        ConfigError: none that can be read has one, and another one cannot be read.
        StorageError: they have different ids.
    """
    ensemble = MetaPropertiesEnsemble.load(fs, config.log.log_dirs, config.log.metadata_log_dir)
    ensemble.verify(expected_cluster_id=config.expected_cluster_id)
    if ensemble.node_id is None and ensemble.errors:
        directory, reason = next(iter(ensemble.errors.items()))
        raise ConfigError(
            f"{config.source}: node.id is not set, and {directory}, which may have it, cannot be read: {reason}. Set "
            "node.id, or take the directory out of log.dirs if its disk is lost."
        )
    return ensemble.node_id


def _named(config: NodeConfig, node_id: int) -> NodeConfig:
    """Return the configuration with an id.

    Raises:
        ConfigError: the id is a controller's.
    """
    if node_id in config.voters.ids:
        raise ConfigError(
            f"{config.source}: this broker's id is {node_id}, and controller.quorum.voters names a controller with it. "
            "Set node.id to an id that is free."
        )
    return replace(config, node_id=node_id)


async def _ask(config: NodeConfig, request: AssignBrokerId) -> AssignBrokerIdResponse:
    """Ask the controllers until the active one decides.

    Raises:
        ConfigError: it refused, or none decided in time.
    """
    timeout_ms = config.broker.registration_timeout_ms
    asking = _Asking(config, request)
    try:
        async with (
            asyncio.timeout(timeout_ms / 1_000),
            ControllerCalls(f"broker-{request.host}", **_connection_options(config)) as calls,
        ):
            return await asking.until_assigned(calls)
    except TimeoutError:
        raise ConfigError(
            f"{config.source}: node.id is not set, and no controller assigned a broker id to host {request.host} "
            f"within {timeout_ms} ms (initial.broker.registration.timeout.ms); the last answer was: {asking.last}"
        ) from None


class _Asking:
    """One broker's request for an id, repeated at one controller after the other.

    Attributes:
        last: why the last attempt did not succeed.
    """

    def __init__(self, config: NodeConfig, request: AssignBrokerId) -> None:
        self._config = config
        self._request = request
        self._controllers = cycle(_controllers(config))
        self.last = "none"

    async def until_assigned(self, calls: ControllerCalls) -> AssignBrokerIdResponse:
        """Ask until a controller assigns an id.

        Raises:
            ConfigError: the active controller refused for good.
        """
        backoff, jitter = Backoff(longest_ms=BACKOFF_MS_MAX), SystemJitter()
        endpoint = next(self._controllers)
        for failures in count():
            try:
                response = await calls.call(NO_NODE, endpoint, self._request, REQUEST_TIMEOUT_MS)
            except LeaderElsewhereError as refused:
                self._note(refused)
                endpoint = self._leader(refused) or next(self._controllers)
            except (ApiError, TimeoutError) as failed:
                self._note(failed)
                if not (isinstance(failed, ApiError) and failed.code is ErrorCode.BROKER_NOT_AVAILABLE):
                    endpoint = next(self._controllers)
            else:
                assert isinstance(response, AssignBrokerIdResponse)
                return response
            await asyncio.sleep(backoff.after(failures, jitter) / 1_000)
        raise AssertionError("counting has no end")

    def _leader(self, refused: LeaderElsewhereError) -> Endpoint | None:
        return None if refused.leader is None else Endpoint(self._config.controller_listener_name, *refused.leader)

    def _note(self, failed: ApiError | TimeoutError) -> None:
        """Keep and log why an attempt failed.

        Raises:
            ConfigError: no other attempt can succeed.
        """
        if isinstance(failed, ApiError) and failed.code in FINAL:
            raise ConfigError(f"{self._config.source}: node.id is not set, and {_meaning(failed)}") from failed
        if str(failed) != self.last:
            self.last = str(failed)
            _log.info("broker_id_requested", host=self._request.host, answer=self.last)


def _meaning(refused: ApiError) -> str:
    """Return what a refusal means to the operator of a broker without an id."""
    if refused.message.endswith(Failure.UNSUPPORTED_VERSION.value):
        return f"the controllers assign no broker ids ({refused.message}). Set node.id."
    return f"the active controller assigned no broker id to this one: {refused}"


def _controllers(config: NodeConfig) -> Iterable[Endpoint]:
    """Return where the controllers listen, as far as the configuration says."""
    return (*(endpoint for voter in config.voters for endpoint in voter.endpoints), *config.bootstrap_servers)


def _connection_options(config: NodeConfig) -> ConnectionOptions:
    certificates = Certificates(config.tls_in_use)
    return ConnectionOptions(
        listener_name=config.controller_listener_name,
        software_version=kraftpy.__version__,
        ssl_context=kafka_client_context(config, certificates),
        identity=PeerIdentity(lambda: config.expected_cluster_id) if config.identity.servers else None,
        login=make_login(config),
    )
