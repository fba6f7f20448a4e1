"""What comes from an address that a command was given: the first bytes of any server, or a controller's answer.

A first byte chooses: ``f`` the first bytes of a port, ``d`` an answer of DescribeCluster with addresses of gRPC.
"""

from __future__ import annotations

from kraftpy.config.endpoints import parse_named_address
from kraftpy.model.errors import MalformedError
from kraftpy.quorum_tools.access import ProbeError
from kraftpy.quorum_tools.port_kinds import FoundPort, is_enough, kind_of, sentence, shown
from kraftpy.quorum_tools.public_api import PUBLIC_API_ENDPOINTS_MAX, addresses_in
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_response
from tests.fuzz.target import Target

VERSION = 1
TEXT_CHARACTERS_MAX = 1_000


def run(data: bytes) -> None:
    """Name a port, with a sentence of one line; or take the addresses of an answer, and check each."""
    if data[:1] == b"f":
        first = data[1:]
        found = FoundPort(kind_of(first), detail=shown(first))
        for uses_tls in (False, True):
            text = sentence(found, uses_tls=uses_tls)
            assert len(text) < TEXT_CHARACTERS_MAX, text
            assert text.isprintable(), text
        assert is_enough(first) in {False, True}
        return
    _, message = decode_response(rpc.DescribeClusterResponse.API_KEY, VERSION, data[1:])
    assert isinstance(message, rpc.DescribeClusterResponse)
    for has_tls in (False, True):
        addresses = addresses_in(message, has_tls=has_tls)
        assert 0 < len(addresses) <= PUBLIC_API_ENDPOINTS_MAX
        for address in addresses:
            parse_named_address(address)


def samples():
    yield "grpc", b"f" + bytes.fromhex("000018040000000000000400400000000500400000000600004000fe0300000001")
    yield "metrics", b"fHTTP/1.1 405 Method Not Allowed\r\n\r\nGET only: /metrics, /livez or /readyz\n"
    yield "ssh", b"fSSH-2.0-OpenSSH_9.2p1\r\n"
    yield "tls", b"f" + bytes.fromhex("15030100020246")
    yield "closed", b"f"
    for name, host, protocol in (("plain", "one.example", 0), ("tls", "::1", 1), ("scheme", "unix:/run/x", 0)):
        answer = rpc.DescribeClusterResponse(
            endpoint_type=2,
            brokers=[rpc.DescribeClusterResponseDescribeClusterBroker(1, host, 9093)],
            public_api_endpoints=[rpc.DescribeClusterResponsePublicApiEndpoint(1, host, 9193, protocol)],
        )
        yield f"answer-{name}", b"d" + encode_response(0, answer, VERSION)
    yield "refused", b"d" + encode_response(0, rpc.DescribeClusterResponse(error_code=31, error_message="no"), VERSION)


TARGET = Target(
    name="port_kinds",
    run=run,
    refusals=(MalformedError, ProbeError),
    samples=samples,
    words=(b"unix:", b"dns:///", b"[", b"]", b":", b"\x1b", b"\xff\xff", b"%"),
)
