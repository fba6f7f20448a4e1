"""What stands behind an address that was given as a gRPC endpoint, when no answer comes from there.

A client of gRPC repeats what fails until its deadline, which is right for a node that starts and useless for a person
who took the port of another listener. So a command that waits looks for itself: whoever serves gRPC sends HTTP/2's
SETTINGS as its first words (RFC 9113 §3.4); whoever takes the connection and says anything else, or hangs up, is none.
A node that is down, or stands still, may be one and is waited for; a name that nobody knows is none.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""HTTP/2's first words from a client, and empty SETTINGS."""

FRAME_HEADER_BYTES: Final = 9
SETTINGS: Final = 4
TLS_RECORDS: Final = {20, 21, 22, 23}
"""The first byte of what speaks TLS."""

LOOK_S: Final = 2.0


async def wrong_endpoints(addresses: Sequence[str], *, uses_tls: bool) -> list[str]:
    """Say of each address that is certainly no gRPC endpoint what it is; those that may be one are left out."""
    found = await asyncio.gather(*(_look(address, uses_tls=uses_tls) for address in addresses))
    return [f"{address} {what}" for address, what in zip(addresses, found, strict=True) if what is not None]


async def _look(address: str, *, uses_tls: bool) -> str | None:
    host, _, port = address.rpartition(":")
    context = None
    if uses_tls:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # only to see whether it speaks TLS at all
        context.set_alpn_protocols(["h2"])
    try:
        async with asyncio.timeout(LOOK_S):
            return await _ask(host.strip("[]"), int(port), context)
    except ssl.SSLError as error:
        return "does not speak TLS" if error.reason in {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"} else None
    except socket.gaierror as error:
        # A resolver that is out of order may be there again before the deadline.
        return f"is a name that cannot be resolved: {error.strerror}" if error.errno == socket.EAI_NONAME else None
    except (OSError, TimeoutError):
        return None


async def _ask(host: str, port: int, context: ssl.SSLContext | None) -> str | None:
    try:
        reader, writer = await asyncio.open_connection(host, port, ssl=context)
    except ConnectionResetError:
        return None if context is None else "hangs up on TLS; is it another listener of the node than grpc.listener?"
    try:
        writer.write(PREFACE)
        first = await reader.read(FRAME_HEADER_BYTES)
    except ConnectionError:
        first = b""
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    if not first:
        return "hangs up on gRPC; is it another listener of the node than grpc.listener?"
    if context is None and first[0] in TLS_RECORDS and first[1:2] == b"\x03":
        return "speaks TLS; give --tls-ca"
    if len(first) == FRAME_HEADER_BYTES and first[3] == SETTINGS:
        return None
    return f"does not speak gRPC; its first words are {first!r}"
