"""A controller's listener whose answers are scripted, for clients over Kafka's protocol."""

from __future__ import annotations

import asyncio
import contextlib

from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_request, encode_response
from kraftpy.transport.kafka.framing import FrameSplitter, frame


class Scripted:
    """Answers each request by the function of its type, which may be a coroutine; and is a system with one node."""

    name = "scripted"
    connections_max = 4
    warm_up_s = 0.05

    def __init__(self, answers):
        self.answers = {rpc.DescribeClusterRequest: lambda _: rpc.DescribeClusterResponse(cluster_id="c")} | answers
        self.seen = []
        self.tasks = []
        self.writers = []
        self.pids = {}

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.addresses = {"one": self.server.sockets[0].getsockname()}
        return self

    async def __aexit__(self, *_):
        self.server.close()
        for writer in self.writers:
            writer.close()
        await asyncio.gather(*self.tasks)

    async def leader(self):
        return "one"

    async def serve(self, reader, writer):
        self.tasks.append(asyncio.current_task())
        self.writers.append(writer)
        splitter = FrameSplitter()
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1 << 20):
                for payload in splitter.feed(data):
                    await self.answer(payload, writer)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    async def answer(self, payload, writer):
        header, message = decode_request(payload)
        self.seen.append(message)
        answer = self.answers[type(message)](message)
        if asyncio.iscoroutine(answer):
            answer = await answer
        writer.write(frame(encode_response(header.correlation_id, answer, header.request_api_version)))

    def of(self, kind):
        return [message for message in self.seen if isinstance(message, kind)]


def registers(request):
    return rpc.BrokerRegistrationResponse(broker_epoch=request.broker_id + 7)


def unfences(_):
    return rpc.BrokerHeartbeatResponse(is_fenced=False)


BROKERS = {rpc.BrokerRegistrationRequest: registers, rpc.BrokerHeartbeatRequest: unfences}
"""Brokers are registered and unfenced."""
