"""The other end of the peers' wire: a node that answers, and lies. A byte chooses API, the next one the version."""

from __future__ import annotations

import random

from kraftpy.model.errors import MalformedError
from kraftpy.raft.messages import FetchResponse
from kraftpy.records.batch import split_batches
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_response
from kraftpy.records.schema import load
from kraftpy.transport.kafka.channel import _Channel, _ServerConnection, _Settings
from kraftpy.transport.kafka.connection import WriteScheduler
from kraftpy.transport.kafka.framing import SIZE
from kraftpy.transport.kafka.translate import KRAFT_VERSIONS, RAFT_APIS
from tests.fakes.request_errors import NoRequestErrors
from tests.fuzz.target import Target
from tests.fuzz.targets.stub_loop import StubTransport, stub_loop
from tests.unit.records.instances import instance

APIS = (*RAFT_APIS, KRAFT_VERSIONS)


def run(data: bytes) -> None:
    """Read an answer; with an API of 255, negotiate versions over a connection."""
    number, choice, payload = (*data[:2], data[2:]) if len(data) > 2 else (0, 0, data)
    if number == 255:
        _negotiate(payload)
        return
    api = APIS[number % len(APIS)]
    version = api.min_version + choice % (api.max_version - api.min_version + 1)
    _, message = decode_response(api.api_key, version, payload)
    response = api.read_response(message, "CONTROLLER")
    hash(response)
    if isinstance(response, FetchResponse):
        split_batches(response.records)


def _negotiate(payload: bytes) -> None:
    """Nothing may be raised in a connection's callbacks."""
    with stub_loop():
        settings = _Settings(
            {},
            lambda *_: None,
            lambda *_: None,
            "c",
            "1",
            "CONTROLLER",
            None,
            1 << 20,
            WriteScheduler(),
            None,
            None,
            NoRequestErrors(),
        )
        channel = _Channel(settings, ("h", 1))
        channel._connecting = StubTask()
        connection = _ServerConnection(channel, settings, 0)
        connection.connection_made(StubTransport())
        for _ in range(3):
            connection.data_received(SIZE.pack(len(payload)) + payload)
        connection.connection_lost(None)


class StubTask:
    """A connecting that is over."""

    def cancel(self) -> bool:
        """Say, as a task does, that there was nothing to do."""
        return False


def samples():
    rng = random.Random(4)
    schemas = {schema.name: schema for schema in load("rpc")}
    for number, api in enumerate(APIS):
        schema = schemas.get(f"{api.name}Response") or schemas["ApiVersionsResponse"]
        for version in range(api.min_version, api.max_version + 1):
            for _ in range(20):
                data = encode_response(3, instance("rpc", schema, version, rng), version)
                if len(data) < 600:
                    yield f"{api.name}-{version}", bytes([number, version - api.min_version]) + data
                    break
    for error in (0, 35):
        versions = rpc.ApiVersionsResponse(error, [rpc.ApiVersionsResponseApiVersion(52, 0, 2)])
        yield f"negotiation-{error}", b"\xff\0" + encode_response(0, versions, 4 if not error else 0)


TARGET = Target(name="kafka_channel", run=run, refusals=(MalformedError,), samples=samples)
