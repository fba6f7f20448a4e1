"""A session of the public API: the bytes of a batch of requests, through the server's own decoder, to its answers.

Nothing may be raised: every request is answered, or the session ends with a refusal. A first byte chooses: one message,
or the bytes cut into two messages.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from kraftpy.model.errors import ApiError
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, node_pb2, quorum_pb2, session_pb2
from kraftpy.transport.grpc.elements import decoder
from kraftpy.transport.grpc.services.session import ServerSession
from tests.fakes.request_errors import NoRequestErrors
from tests.fuzz.target import Target
from tests.fuzz.targets.grpc_writes import alter_configs
from tests.fuzz.targets.parts import UUID
from tests.unit.transport.fake_backend import FakeBackend
from tests.unit.transport.kafka_node import image

DECODE = decoder(session_pb2.RequestBatch.DESCRIPTOR, session_pb2.RequestBatch.FromString)
ANSWER_BYTES_MAX = 1 << 20
IMAGE = image()
RUNNER = asyncio.Runner()


class StubContext:
    """Counts the answers."""

    def __init__(self) -> None:
        self.answers = 0

    async def write(self, batch: session_pb2.ResponseBatch) -> None:
        assert batch.SerializeToString() is not None
        self.answers += len(batch.responses)

    def auth_context(self) -> dict[str, list[bytes]]:
        """Return the facts of a certificate: this caller has one, as requests about delegation tokens need."""
        return {"x509_common_name": [b"alice"], "x509_subject": [b"CN=alice"]}

    def peer(self) -> str:
        return "ipv4:127.0.0.1:1"

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return (("client-id", "fuzz"),)


async def _served(messages: list[bytes]) -> None:
    backend = FakeBackend()
    backend.image, backend.request_errors = IMAGE, NoRequestErrors()
    context = StubContext()
    session = ServerSession(backend, context, ANSWER_BYTES_MAX)
    batches = [DECODE(message) for message in messages]

    async def sent() -> AsyncGenerator[session_pb2.RequestBatch | ApiError, None]:
        for batch in batches:
            yield batch

    async with aclosing(sent()) as source:
        await session.run(source, asyncio.Event())
    asked = 0
    for batch in batches:
        if isinstance(batch, ApiError):
            assert session.refusal is not None
            break
        asked += len(batch.requests)
    assert session.refusal is not None or context.answers == asked, f"{asked} requests, {context.answers} answers"


def run(data: bytes) -> None:
    """Serve a session to its end."""
    body = data[1:]
    half = len(body) // 2
    RUNNER.run(_served([body[:half], body[half:]] if data[:1] == b"\2" else [body]))


def samples():
    request = session_pb2.Request
    batch = session_pb2.RequestBatch(
        requests=[
            request(id=1, describe_cluster=cluster_pb2.DescribeClusterRequest(include_fenced_brokers=True)),
            request(id=2, describe_features=cluster_pb2.DescribeFeaturesRequest()),
            request(id=3, describe_quorum=quorum_pb2.DescribeQuorumRequest()),
            request(id=4, transfer_leadership=quorum_pb2.TransferLeadershipRequest(node_id=2)),
            request(id=5),
        ]
    )
    configs = cluster_pb2.DescribeConfigsRequest()
    configs.resources.add()
    yield "reads", b"\1" + batch.SerializeToString()
    yield (
        "configs",
        b"\1" + session_pb2.RequestBatch(requests=[request(id=6, describe_configs=configs)]).SerializeToString(),
    )
    options = {"request_id": UUID}
    heartbeat = node_pb2.BrokerHeartbeatRequest(broker_id=7, broker_epoch=3, options=options)
    writes = session_pb2.RequestBatch(
        requests=[
            request(id=7, broker_heartbeat=heartbeat, timeout_ms=9_000),
            request(id=8, incremental_alter_configs=alter_configs(None)),
            request(id=9, unregister_broker=admin_pb2.UnregisterBrokerRequest(broker_id=404)),
        ]
    )
    yield "writes", b"\1" + writes.SerializeToString()
    yield "two", b"\2" + batch.SerializeToString() * 2


TARGET = Target(name="grpc_session", run=run, refusals=(), samples=samples, memory_base=8 * 1024 * 1024)
