"""Messages as bytes and back: what is said over the simulated network passes through the peers' real wire format."""

from __future__ import annotations

from typing import cast

from kraftpy.raft.messages import RaftRequest, RaftResponse
from kraftpy.records.rpc import decode_request, decode_response, encode_request, encode_response
from kraftpy.transport.kafka.translate import BY_REQUEST, Refusal
from tests.simulator.checkers import CheckFailed

LISTENER = "CONTROLLER"
CORRELATION = 7


def request_over_wire(request: RaftRequest) -> RaftRequest:
    """Return what the receiver reads."""
    api = BY_REQUEST[type(request)]
    version = api.max_version
    payload = encode_request("simulator", CORRELATION, api.request_to_wire(request, version), version)
    _, message = decode_request(payload)
    read = api.request_from_wire(message)
    if isinstance(read, Refusal) or read != request:
        raise CheckFailed("wire: a request is read as it was sent", f"{request} became {read}")
    return read


def response_over_wire(request: RaftRequest, response: RaftResponse) -> RaftResponse:
    """Return what the sender of the request reads."""
    api = BY_REQUEST[type(request)]
    version = api.max_version
    payload = encode_response(CORRELATION, api.response_to_wire(response, version), version)
    _, message = decode_response(api.api_key, version, payload)
    return cast(RaftResponse, api.read_response(message, LISTENER))
