"""Mutation quotas over the public API: who is charged, and what a response says of waiting."""

from __future__ import annotations

import grpc
import pytest

from kraftpy.client import values as v
from kraftpy.client.async_client import AsyncClient
from kraftpy.controller.topic_requests import CreateTopicsResponse, TopicResult
from kraftpy.model.errors import ErrorCode
from kraftpy.pb.v1 import admin_pb2
from kraftpy.quotas.mutations import EXCEEDED, Mutator
from kraftpy.quotas.resolution import QuotaClient
from kraftpy.transport.node_api import Committed
from tests.unit.transport.fake_backend import FakeBackend, serving

REJECTED = TopicResult("t", ErrorCode.THROTTLING_QUOTA_EXCEEDED, EXCEEDED)


class Throttled(FakeBackend):
    """A node whose clock is at 1 s and that lets clients wait until 1.7 s."""

    def _decide(self, submission):
        return Committed(CreateTopicsResponse((REJECTED,), throttled_until_ms=1_700), 9, 1)


@pytest.mark.parametrize(
    ("metadata", "client_id"),
    [((), ""), ((("client-id", "app"),), "app"), ((("client-id", "a" * 4_000),), "a" * 4_000)],
)
async def test_a_unary_call_names_its_client_id_and_hears_how_long_to_wait(metadata, client_id):
    backend = Throttled()
    async with serving(backend) as server, grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        create = channel.unary_unary(
            "/kraftpy.v1.AdminService/CreateTopics",
            request_serializer=admin_pb2.CreateTopicsRequest.SerializeToString,
            response_deserializer=admin_pb2.CreateTopicsResponse.FromString,
        )
        asked = admin_pb2.CreateTopicsRequest(topics=[admin_pb2.NewTopic(name="t")])
        call = create(asked, metadata=metadata, timeout=10)
        response = await call
        trailing = dict(await call.trailing_metadata())
    assert response.throttle_time_ms == 700
    assert trailing["throttle-time-ms"] == "700"
    assert (response.results[0].error.code, response.results[0].error.name) == (89, "THROTTLING_QUOTA_EXCEEDED")
    ((submission,),) = backend.groups
    assert submission.request.mutator == Mutator(QuotaClient("ANONYMOUS", client_id))


async def test_the_client_hears_how_long_to_wait():
    """In a session, where calls have no metadata of their own."""
    backend = Throttled()
    async with serving(backend) as server, AsyncClient([f"127.0.0.1:{server.port}"], timeout_s=10) as client:
        done = await client.create_topics([v.NewTopic(name="t")])
    assert (done.throttle_time_ms, done.outcomes[0].error) == (700, ErrorCode.THROTTLING_QUOTA_EXCEEDED)
    ((submission,),) = backend.groups
    assert submission.request.mutator == Mutator(QuotaClient("ANONYMOUS"))
