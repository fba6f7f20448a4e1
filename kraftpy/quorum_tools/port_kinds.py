"""What kind of port it is: the first bytes that come from there in, a kind and a sentence out.

A person who gives a port of the wrong kind gets its name, and a port of the other protocol of a controller is one that
a command can go on from. The bytes are those that a server sends after the start of a client of HTTP/2. A server of
gRPC sends SETTINGS first, one of HTTP/1 an error, one of SSH its banner. A server of Kafka's protocol closes the
connection, and is then asked for the versions of its apis, which any client may ask for.

Source: RFC 9113 §3.4 (HTTP/2), KIP-35 (ApiVersions).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from typing import Final

from kraftpy.records.generated import rpc
from kraftpy.transport.protocol_names import HTTP, METRICS_PATHS, SSH, TLS, protocol_of

HTTP2_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""HTTP/2's first bytes from a client, and empty SETTINGS. Source: RFC 9113 §3.4."""

HTTP2_FRAME_HEADER_BYTES: Final = 9
HTTP2_SETTINGS: Final = 4

FIRST_BYTES_MAX: Final = 512
"""How many of the first bytes are read: an HTTP server's error with the paths that a metrics listener names."""

SHOWN_BYTES_MAX: Final = 32
"""How many of the first bytes an error shows."""


class PortKind(Enum):
    """What is at an address."""

    GRPC = "a port of gRPC"
    CONTROLLER = "a controller's listener of Kafka's protocol"
    BROKER = "a broker's listener of Kafka's protocol"
    METRICS = "the metrics listener of a kraftpy node"
    HTTP = "an HTTP/1 server"
    SSH = "an SSH server"
    TLS = "a port that speaks TLS"
    OTHER = "a port of another protocol"
    CLOSED = "a port that closes connections"
    SILENT = "a port that does not answer"
    REFUSED = "a port without a listener"
    UNKNOWN_NAME = "a name that does not exist"
    UNTRUSTED = "a port with a certificate that is not believed"
    CERTIFICATE_WANTED = "a port that demands a certificate"
    UNREACHABLE = "an address that cannot be reached"


HOPEFUL: Final = frozenset({PortKind.GRPC, PortKind.CONTROLLER, PortKind.SILENT, PortKind.UNREACHABLE})
"""What may answer later. A node that is suspended accepts connections, because its kernel does."""

NAMED: Final = frozenset(
    {PortKind.GRPC, PortKind.CONTROLLER, PortKind.BROKER, PortKind.METRICS, PortKind.HTTP, PortKind.SSH}
)
"""What a look knows the protocol of."""

IF_ALL_REFUSED: Final = "; start a controller there, or give the address of one that runs (-C)"
"""What comes after the sentences of addresses that all refuse connections."""


@dataclass(frozen=True, slots=True)
class FoundPort:
    """What a look found at an address.

    Attributes:
        kind: what it is.
        is_tls: whether that was found inside TLS.
        detail: what an error adds: the reason of a resolver or of TLS, or the first bytes.
    """

    kind: PortKind
    is_tls: bool = False
    detail: str = ""


def kind_of(first: bytes) -> PortKind:
    """Return the kind of a port that sent this after the start of HTTP/2; nothing means that it closed."""
    if not first:
        return PortKind.CLOSED
    if len(first) >= HTTP2_FRAME_HEADER_BYTES and first[3] == HTTP2_SETTINGS and not int.from_bytes(first[5:9], "big"):
        return PortKind.GRPC
    match protocol_of(first):
        case protocol if protocol == HTTP:
            return PortKind.METRICS if METRICS_PATHS.encode() in first else PortKind.HTTP
        case protocol if protocol == SSH:
            return PortKind.SSH
        case protocol if protocol == TLS:
            return PortKind.TLS
    return PortKind.OTHER


def is_enough(first: bytes) -> bool:
    """Return whether further bytes would not change the kind."""
    kind = kind_of(first)
    return len(first) >= HTTP2_FRAME_HEADER_BYTES and kind is not PortKind.HTTP


def kind_of_apis(api_keys: Collection[int]) -> PortKind:
    """Return whose listener of Kafka's protocol serves these apis; only controllers serve metadata snapshots."""
    return PortKind.CONTROLLER if rpc.FetchSnapshotRequest.API_KEY in api_keys else PortKind.BROKER


def shown(first: bytes) -> str:
    """Write the first bytes for an error."""
    return repr(first[:SHOWN_BYTES_MAX])


def sentence(found: FoundPort, *, uses_tls: bool) -> str:
    """Say what is wrong with an address, and the way out.

    Args:
        found: what is there; the address comes before the sentence.
        uses_tls: whether the connections of the command speak TLS.
    """
    if found.kind is PortKind.CLOSED and found.is_tls:
        # The reason is lost where the connection is reset before its alert is read.
        found = FoundPort(PortKind.CERTIFICATE_WANTED)
    return _SENTENCES[found.kind].format(detail=found.detail) if found.kind in _SENTENCES else _named(found, uses_tls)


def _named(found: FoundPort, uses_tls: bool) -> str:  # noqa: FBT001 - of one caller
    if uses_tls and not found.is_tls:
        return f"is {found.kind.value}, and does not speak TLS; {_WITHOUT_TLS[found.kind in HOPEFUL]}"
    return f"is {found.kind.value}; {_WHERE}"


_WHERE: Final = "give the address of a controller, of its listeners or its grpc.listener"

# Never without TLS, which was asked for: credentials would be sent in clear, to whatever process listens there.
_WITHOUT_TLS: Final = {True: "give a port with TLS", False: _WHERE}

_SENTENCES: Final = {
    PortKind.TLS: "speaks TLS; give its authority (--tls-ca)",
    PortKind.OTHER: "speaks neither gRPC nor Kafka's protocol; its first bytes are {detail}",
    PortKind.CLOSED: "closes the connection: it speaks neither gRPC nor Kafka's protocol, or takes no more connections",
    PortKind.SILENT: "accepts connections and does not answer",
    PortKind.REFUSED: "refused the connection: no process listens there",
    PortKind.UNKNOWN_NAME: "is a name that cannot be resolved: {detail}",
    PortKind.UNTRUSTED: "shows a certificate that is not believed ({detail}); give its authority (--tls-ca)",
    PortKind.CERTIFICATE_WANTED: (
        "closes the connection; perhaps it demands a certificate of an authority that it believes (--tls-cert)"
    ),
    PortKind.UNREACHABLE: "cannot be reached: {detail}",
}
