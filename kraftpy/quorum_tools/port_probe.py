"""Look at a port: send the start of HTTP/2, and ask Kafka's question where that is hung up on.

Nothing secret is sent: neither credentials of SASL nor a request that changes or reveals anything. Where a connection
with TLS fails, the look goes on in plaintext, and the other way around, only to name what is there.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Sequence
from typing import Final

from kraftpy.model.errors import MalformedError
from kraftpy.quorum_tools.port_kinds import (
    FIRST_BYTES_MAX,
    HTTP2_PREFACE,
    FoundPort,
    PortKind,
    is_enough,
    kind_of,
    kind_of_apis,
    shown,
)
from kraftpy.quorum_tools.streams import call, open_stream
from kraftpy.records.generated import rpc

LOOK_S: Final = 2.0
"""How long a look may take for each connection that it makes; it makes four at most."""

REST_S: Final = 0.5
"""How long the rest of an HTTP server's error is waited for."""

CERTIFICATE_ALERTS: Final = ("ALERT_CERTIFICATE_REQUIRED", "ALERT_UNKNOWN_CA", "ALERT_BAD_CERTIFICATE")
"""Ends of OpenSSL's reasons when a server dislikes a client's certificate (RFC 8446 §6.2); gRPC gives none."""


async def look_at(addresses: Sequence[str], tls: ssl.SSLContext | None) -> list[FoundPort]:
    """Look at several addresses, host:port each, at once; see :func:`look`."""

    async def look_there(address: str) -> FoundPort:
        host, _, port = address.rpartition(":")
        return await look(host.strip("[]"), int(port), tls)

    return await asyncio.gather(*map(look_there, addresses))


async def look(host: str, port: int, tls: ssl.SSLContext | None) -> FoundPort:
    """Say what is at an address.

    Args:
        host: a name or an address.
        port: the port.
        tls: what the command's own connections show and believe; ``None`` for plaintext. A listener that demands a
            certificate closes connections without one, so the look has to show the same one.
    """
    try:
        async with asyncio.timeout(LOOK_S):
            first = await _first_bytes(host, port, tls)
    except ssl.SSLCertVerificationError as error:
        return FoundPort(PortKind.UNTRUSTED, detail=error.verify_message)
    except ssl.SSLError as error:
        if (error.reason or "").endswith(CERTIFICATE_ALERTS):
            return FoundPort(PortKind.CERTIFICATE_WANTED)
        return await _without_tls(host, port)
    except socket.gaierror as error:
        # A resolver that is out of order may be there again before the deadline.
        kind = PortKind.UNKNOWN_NAME if error.errno == socket.EAI_NONAME else PortKind.UNREACHABLE
        return FoundPort(kind, detail=str(error.strerror))
    except ConnectionRefusedError:
        return FoundPort(PortKind.REFUSED)
    except ConnectionError:
        if tls is not None:
            return await _without_tls(host, port)
        first = b""
    except TimeoutError:
        return FoundPort(PortKind.SILENT)
    except OSError as error:
        return FoundPort(PortKind.UNREACHABLE, detail=error.strerror or str(error))
    kind = kind_of(first)
    if kind is PortKind.CLOSED:
        kind = await _kafka_kind(host, port, tls) or kind
    if kind is PortKind.CLOSED and tls is None and await _speaks_tls(host, port):
        kind = PortKind.TLS
    return FoundPort(kind, is_tls=tls is not None, detail=shown(first))


async def _without_tls(host: str, port: int) -> FoundPort:
    """Name a port at which TLS failed, if it is one in plaintext."""
    found = await look(host, port, None)
    hides = found.kind in {PortKind.TLS, PortKind.SILENT}
    return FoundPort(PortKind.CLOSED, is_tls=True) if hides else found


async def _first_bytes(host: str, port: int, tls: ssl.SSLContext | None) -> bytes:
    reader, writer = await open_stream(host, port, tls, None if tls is None else host)
    first = b""
    try:
        writer.write(HTTP2_PREFACE)
        while len(first) < FIRST_BYTES_MAX and not is_enough(first):
            async with asyncio.timeout(REST_S if first else None):
                part = await reader.read(FIRST_BYTES_MAX - len(first))
            if not part:
                break
            first += part
    except (ConnectionError, TimeoutError):
        if not first:
            raise
    finally:
        # A server of gRPC does not answer the end of TLS, which a close would wait for.
        writer.transport.abort()
    return first


async def _kafka_kind(host: str, port: int, tls: ssl.SSLContext | None) -> PortKind | None:
    """Say whose port of Kafka's protocol it is; ``None`` when it is none. Anyone may ask for the versions of an api."""
    try:
        async with asyncio.timeout(LOOK_S):
            reader, writer = await open_stream(host, port, tls, None if tls is None else host)
            try:
                answer = await call(reader, writer, rpc.ApiVersionsRequest(), 0)
            finally:
                writer.transport.abort()
    except (OSError, TimeoutError, asyncio.IncompleteReadError, MalformedError):
        return None
    assert isinstance(answer, rpc.ApiVersionsResponse)
    return kind_of_apis({api.api_key for api in answer.api_keys})


async def _speaks_tls(host: str, port: int) -> bool:
    """Return whether a port answers a handshake of TLS, whatever its certificate: nothing is sent afterwards."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        async with asyncio.timeout(LOOK_S):
            _, writer = await open_stream(host, port, context, host)
    except ssl.SSLError as error:
        return "ALERT" in (error.reason or "")
    except (OSError, TimeoutError):
        return False
    writer.transport.abort()
    return True
