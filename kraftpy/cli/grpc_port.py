"""What is at an address that was given as a gRPC endpoint, when no answer comes from there.

A client of gRPC repeats what fails until its deadline, which is right for a node that starts and useless for a person
who took the port of another listener. So a command that waits probes the address itself: a gRPC server first
sends an HTTP/2 SETTINGS frame (RFC 9113 §3.4). An address that sends anything else, or closes the connection, is not a
gRPC endpoint. A node that is down or suspended may be one, so the command waits for it; a name that does not resolve is
not one.
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

CERTIFICATE_ALERTS: Final = ("ALERT_CERTIFICATE_REQUIRED", "ALERT_UNKNOWN_CA", "ALERT_BAD_CERTIFICATE")
"""Ends of OpenSSL's reasons when a server dislikes a client's certificate (RFC 8446 §6.2); gRPC gives none."""

LOOK_S: Final = 2.0

HANGS_UP: Final = "hangs up on gRPC; is it another listener of the node than grpc.listener"
OR_NO_TLS: Final = "or does it speak TLS (--tls-ca)"
OR_OTHER_TLS: Final = "or does it demand a certificate of an authority that it believes (--tls-cert)"


async def wrong_endpoints(addresses: Sequence[str], tls: ssl.SSLContext | None) -> list[str]:
    """Say of each address that is certainly no gRPC endpoint what it is; those that may be one are left out.

    Args:
        addresses: host:port each.
        tls: what the command's own connections show and believe; ``None`` for plaintext. A listener that demands a
            certificate closes connections without one, so the look has to show the same one.
    """
    found = await asyncio.gather(*(_look(address, tls) for address in addresses))
    return [f"{address} {what}" for address, what in zip(addresses, found, strict=True) if what is not None]


async def _look(address: str, tls: ssl.SSLContext | None) -> str | None:
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(LOOK_S):
            return await _ask(host.strip("[]"), int(port), tls)
    except ssl.SSLCertVerificationError as error:
        return f"shows a certificate that is not believed ({error.verify_message}); give its authority (--tls-ca)"
    except ssl.SSLError as error:
        return _refusal(error.reason or "")
    except socket.gaierror as error:
        # A resolver that is out of order may be there again before the deadline.
        return f"is a name that cannot be resolved: {error.strerror}" if error.errno == socket.EAI_NONAME else None
    except (OSError, TimeoutError):
        return None


def _refusal(reason: str) -> str | None:
    """Say what OpenSSL's reason for a failed connection means; ``None`` when it may pass."""
    if reason in {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"}:
        return "does not speak TLS"
    return f"{HANGS_UP}, {OR_OTHER_TLS}?" if reason.endswith(CERTIFICATE_ALERTS) else None


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
        return f"{HANGS_UP}, {OR_NO_TLS if context is None else OR_OTHER_TLS}?"
    if context is None and first[0] in TLS_RECORDS and first[1:2] == b"\x03":
        return "speaks TLS; give --tls-ca"
    if len(first) == FRAME_HEADER_BYTES and first[3] == SETTINGS:
        return None
    return f"does not speak gRPC; its first words are {first!r}"
