"""The peers' port: bytes of a connection into the listener, with every API that a controller offers.

The first byte chooses: 0 and 1, what follows is one frame's payload, in one read or in two; anything else, it is the
stream unchanged. A second byte chooses the result of the writes: rejected, committed as far as the request is
understood, or not accepted because the queue is full.

Nothing may be raised: every input ends in answers, in requests to the core, or in the end of the connection.
"""

from __future__ import annotations

import random
import struct

from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.quotas.request_time import RequestQuotas
from kraftpy.quotas.resolution import REQUEST_PERCENTAGE
from kraftpy.raft.ready import RequestReceived
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import encode_request
from kraftpy.records.schema import load
from kraftpy.transport.kafka.control import ControlCalls
from kraftpy.transport.kafka.framing import FrameSplitter
from kraftpy.transport.kafka.listener import KafkaListener, PeerConnection
from kraftpy.transport.kafka.throttling import Throttling
from kraftpy.transport.node_api import MetadataView
from tests.fakes.request_errors import NoRequestErrors
from tests.fuzz.target import Target
from tests.fuzz.targets.stub_loop import StubTransport, stub_loop
from tests.unit.quotas.test_resolution import quotas
from tests.unit.records.instances import instance
from tests.unit.transport.kafka_node import CLUSTER, image

VIEW = MetadataView(offset=7, epoch=1, age_ms=0, image=image(), cluster_id=CLUSTER)
QUOTAS = quotas(({"client-id": None}, 1e-9), key=REQUEST_PERCENTAGE)
"""Every client that is charged has to wait."""
REFUSED = ApiError(ErrorCode.NOT_CONTROLLER, "The active controller appears to be node 2.")


class Port:
    """A listener, what it hands on, and what becomes of the writes."""

    def __init__(self, fate: int) -> None:
        self.received = []
        throttling = Throttling(RequestQuotas(), lambda: QUOTAS, None, lambda: 0)
        self.listener = KafkaListener(
            "127.0.0.1", 0, self.received.append, errors=NoRequestErrors(), throttling=throttling
        )
        self._fate = fate
        ControlCalls(
            self.listener,
            listener_name="CONTROLLER",
            node_id=1,
            submit=self._submit,
            view=lambda: VIEW,
            leader_id=lambda: 2,
        )

    def _submit(self, submission, settle) -> None:
        if self._fate == 0:
            raise BusyError("20000 writes wait")
        if self._fate == 1:
            settle(REFUSED)


def run(data: bytes) -> None:
    """Feed a connection, and end it."""
    how, fate, stream = data[0] if data else 0, data[1] % 3 if len(data) > 1 else 0, data[2:]
    if how < 2:
        stream = struct.pack(">i", len(stream)) + stream
    with stub_loop():
        port = Port(fate)
        connection, transport = PeerConnection(port.listener), StubTransport()
        connection.connection_made(transport)
        half = len(stream) // 2 if how % 2 else 0
        for piece in (stream[:half], stream[half:]):
            connection.data_received(piece)
        port.listener.flush()
        answers = FrameSplitter()
        answers.feed(bytes(transport.written))
        assert answers.is_clean, "half an answer was sent"
        for one in port.received:
            assert isinstance(one, RequestReceived)
            hash(one.request)
        connection.connection_lost(None)
        assert not port.listener.connection_count
        assert not port.listener._waiting


def samples():
    rng = random.Random(4)
    with stub_loop():
        offered = list(Port(0).listener.apis)
    for schema in load("rpc"):
        if schema.is_header or not schema.name.endswith("Request"):
            continue
        cls = getattr(rpc, schema.name)
        rows = [api for api in offered if api.api_key == cls.API_KEY]
        for api in rows:
            for version in range(api.min_version, api.max_version + 1):
                for _ in range(20):
                    data = encode_request("c", 5, instance("rpc", schema, version, rng), version)
                    if len(data) < 600:
                        yield f"{schema.name}-{version}", b"\0\1" + data
                        break
    one = encode_request("c", 5, rpc.ApiVersionsRequest("s", "1"), 3)
    yield "stream", b"\3\1" + (struct.pack(">i", len(one)) + one) * 3


TARGET = Target(name="kafka_listener", run=run, refusals=(), samples=samples, memory_base=4 * 1024 * 1024)
