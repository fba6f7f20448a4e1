"""A cluster of real processes on mutual TLS, each with a certificate that names it, and forgers who ask it for things.

::

    async with running_secure(tmp_path) as secure:
        leader = await secure.cluster.leader()
        async with secure.forger(leader, "kraft:///controller/4") as forger:
            answer = await forger.ask(VoteRequest(...))
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import grpc

from kraftpy.model.voters import Endpoint
from kraftpy.raft.messages import RaftRequest
from kraftpy.raft.ready import Inbound, RequestFailed, ResponseReceived, Send
from kraftpy.transport.kafka.channel import PeerNetwork
from kraftpy.transport.tls import TlsFiles, client_context
from tests.fakes.certificates import Authority, SelfSigned
from tests.fakes.processes import PATIENCE_S, Cluster, configure, running

ANSWER_TIMEOUT_MS = 5_000


class Forger:
    """A peer that sends over Kafka's protocol whatever a test wants, without a node."""

    def __init__(self, endpoint: Endpoint, files: TlsFiles | None) -> None:
        self._endpoint = endpoint
        context = None if files is None else client_context(files)
        self._network = PeerNetwork(self._heard, "forger", ssl_context=context)
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[ResponseReceived | RequestFailed]] = {}

    async def __aenter__(self) -> Self:
        await self._network.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._network.close()

    def _heard(self, inbound: Inbound) -> None:
        assert isinstance(inbound, (ResponseReceived, RequestFailed))
        self._waiting.pop(inbound.correlation).set_result(inbound)

    async def ask(self, request: RaftRequest, timeout_ms: int = ANSWER_TIMEOUT_MS) -> ResponseReceived | RequestFailed:
        """Send a request as it is; return its answer, or how it failed."""
        number = next(self._numbers)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        fate = self._waiting[number]
        self._network.send(Send(0, self._endpoint, number, request, timeout_ms))
        return await asyncio.wait_for(fate, PATIENCE_S)


@dataclass
class SecureCluster:
    """A cluster, and who issues its certificates."""

    cluster: Cluster
    authority: Authority
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def files(self, *uris: str) -> TlsFiles:
        """Issue a certificate with these URIs, none for that of a client."""
        made = self.authority.issue(f"issued-{next(self._numbers)}", *uris)
        return TlsFiles(certificate=str(made.certificate), key=str(made.key), trust=str(self.authority.certificate))

    def forger(self, node_id: int, *uris: str) -> Forger:
        """Connect to a controller with a good certificate that has these URIs."""
        host, _, port = self.cluster.node(node_id).kafka_endpoint.rpartition(":")
        return Forger(Endpoint("CONTROLLER", host, int(port)), self.files(*uris))

    def credentials(self, *uris: str) -> grpc.ChannelCredentials:
        """Issue a certificate for the public API."""
        files = self.files(*uris)
        assert files.certificate is not None
        assert files.key is not None
        return grpc.ssl_channel_credentials(
            self.authority.certificate.read_bytes(), Path(files.key).read_bytes(), Path(files.certificate).read_bytes()
        )


def secure_properties(authority: Authority) -> dict[str, str]:
    """What every node of a cluster on mutual TLS has in its file; ``ssl.keystore.location`` differs."""
    return {
        "listener.security.protocol.map": "CONTROLLER:SSL,PLAINTEXT:PLAINTEXT",
        "grpc.security.protocol": "SSL",
        "ssl.truststore.location": str(authority.certificate),
        "ssl.keystore.location": "/nowhere/node.pem",
        "ssl.client.auth": "required",
    }


@asynccontextmanager
async def running_secure(
    root: Path, *, controllers: int = 3, brokers: int = 1, extra: Mapping[str, str] | None = None, start: bool = True
) -> AsyncIterator[SecureCluster]:
    """Start a cluster on mutual TLS; brokers have ids behind the controllers'."""
    authority = Authority(root / "certificates")
    properties = secure_properties(authority) | dict(extra or {})
    async with running(
        root / "cluster", controllers=controllers, brokers=brokers, extra=properties, start=False
    ) as cluster:
        secure = SecureCluster(cluster, authority)
        for node in cluster.sandbox.nodes:
            issued = issue_for(authority, node.kind.value, node.node_id)
            configure(node, ssl__keystore__location=str(issued.both))
        cluster.credentials = secure.credentials()
        if start:
            await cluster.start(*(node.node_id for node in cluster.sandbox.nodes))
        yield secure


def issue_for(authority: Authority, role: str, node_id: int) -> SelfSigned:
    """Issue the certificate of one node."""
    return authority.issue(f"{role}-{node_id}", f"kraft:///{role}/{node_id}")
