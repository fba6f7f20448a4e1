"""Streams to the ports of a quorum: connect to a name, and ask one question of Kafka's protocol."""

from __future__ import annotations

import asyncio
import socket
import ssl
from contextlib import suppress
from typing import Any, Final

from kraftpy.model.errors import MalformedError
from kraftpy.records.codec import Message
from kraftpy.records.rpc import decode_response, encode_request
from kraftpy.transport.protocol_names import protocol_of

ANSWER_BYTES_MAX: Final = 1 << 20
"""A longer answer is not one of Kafka's: an HTTP server's first bytes read as a length of 1.2 GB."""

CLIENT_ID: Final = "kraftpy-probe"


async def open_stream(
    host: str, port: int, tls: ssl.SSLContext | None, hostname: str | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first address of a name that accepts.

    asyncio's own error for a name with several addresses does not show that all of them refuse.

    Args:
        host: a name or an address.
        port: the port.
        tls: for TLS, if any.
        hostname: the name that the certificate has to show; ``None`` without TLS.

    Raises:
        OSError: no address accepts; the error of the last one.
    """
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(_with_scope(address) for *_, address in found))
    for address in addresses[:-1]:
        with suppress(OSError):
            return await asyncio.open_connection(address, port, ssl=tls, server_hostname=hostname)
    return await asyncio.open_connection(addresses[-1], port, ssl=tls, server_hostname=hostname)


def _with_scope(address: tuple[Any, ...]) -> str:
    """Return the address of a socket; of a link-local one of IPv6, with its interface."""
    host = str(address[0])
    return f"{host}%{address[3]}" if len(address) == 4 and address[3] else host


async def call(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: Message, version: int) -> Message:
    """Ask one question on a connection that nothing else uses.

    Raises:
        MalformedError: the answer is none.
    """
    frame = encode_request(CLIENT_ID, 0, request, version)
    writer.write(len(frame).to_bytes(4, "big") + frame)
    await writer.drain()
    size_bytes = await reader.readexactly(4)
    size = int.from_bytes(size_bytes, "big", signed=True)
    if not 0 < size <= ANSWER_BYTES_MAX:
        protocol = protocol_of(size_bytes)
        raise MalformedError(f"its answer claims {size} bytes" if protocol is None else f"it speaks {protocol}")
    _, message = decode_response(request.API_KEY, version, await reader.readexactly(size))
    return message
