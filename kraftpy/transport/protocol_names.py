"""Which protocol the first bytes of a connection belong to, for errors about a port of another kind.

A person who takes the port of another listener gets, and leaves in the log of the node, bytes of a protocol that the
port does not speak. Each of these protocols begins in its own way.

Source: RFC 9113 §3.4 (HTTP/2), RFC 9110 §9 (HTTP), RFC 8446 §5.1 (TLS), RFC 4253 §4.2 (SSH).
"""

from __future__ import annotations

from typing import Final

START_BYTES: Final = 4
"""How many of the first bytes are enough."""

HTTP2: Final = "HTTP/2, as gRPC does"
HTTP: Final = "HTTP"
TLS: Final = "TLS"
SSH: Final = "SSH"

METRICS_PATHS: Final = "/metrics, /livez or /readyz"
"""What the metrics listener of a node answers to what it does not serve; it is recognized by that."""

_HTTP_STARTS: Final = frozenset(
    {b"HTTP", b"GET ", b"HEAD", b"POST", b"PUT ", b"DELE", b"CONN", b"OPTI", b"TRAC", b"PATC", b"<!DO", b"<htm"}
)
"""Of requests and answers; the last two of an answer of version 0.9, as Python's server gives to unknown versions."""
_TLS_RECORDS: Final = frozenset({20, 21, 22, 23})
_TLS_MAJOR_VERSION: Final = 3


def protocol_of(start: bytes) -> str | None:
    """Name the protocol that a stream begins with; ``None`` for one that is not known here, as Kafka's is not."""
    if start[:START_BYTES] == b"PRI ":
        return HTTP2
    if start[:START_BYTES] in _HTTP_STARTS:
        return HTTP
    if start[:START_BYTES] == b"SSH-":
        return SSH
    if len(start) > 1 and start[0] in _TLS_RECORDS and start[1] == _TLS_MAJOR_VERSION:
        return TLS
    return None
