"""What is at an address that was given as a gRPC endpoint, when no answer comes from there.

A client of gRPC repeats what fails until its deadline, which is right for a node that starts and useless for a person
who took the port of another listener. So a command that waits probes the address itself: a gRPC server first
sends an HTTP/2 SETTINGS frame (RFC 9113 §3.4). An address that sends anything else, or closes the connection, is not a
gRPC endpoint; nor is a name that does not resolve. One that closes the connection is asked whether it speaks Kafka's
protocol. A node that is suspended may be a gRPC endpoint, so the command waits for it. One that refuses connections is
waited for by a command that was given a time to wait, because scripts start nodes and ask them at once.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.access import (
    HTTP2_FRAME_HEADER_BYTES,
    HTTP2_PREFACE,
    HTTP2_SETTINGS,
    REFUSED,
    ProbeError,
    QuorumAccess,
    call,
    open_stream,
)
from kraftpy.records.generated import rpc
from kraftpy.transport.protocol_names import TLS, protocol_of

CERTIFICATE_ALERTS: Final = ("ALERT_CERTIFICATE_REQUIRED", "ALERT_UNKNOWN_CA", "ALERT_BAD_CERTIFICATE")
"""Ends of OpenSSL's reasons when a server dislikes a client's certificate (RFC 8446 §6.2); gRPC gives none."""

LOOK_S: Final = 2.0

HANGS_UP: Final = "hangs up on gRPC; is it another listener of the node than grpc.listener"
OR_NO_TLS: Final = "or does it speak TLS (--tls-ca)"
OR_OTHER_TLS: Final = "or does it demand a certificate of an authority that it believes (--tls-cert)"


async def wrong_endpoints(
    addresses: Sequence[str], tls: ssl.SSLContext | None, *, may_start: bool = False
) -> list[str]:
    """Say of each address that is certainly no gRPC endpoint what it is; those that may be one are left out.

    Args:
        addresses: host:port each.
        tls: what the command's own connections show and believe; ``None`` for plaintext. A listener that demands a
            certificate closes connections without one, so the look has to show the same one.
        may_start: whether an address that refuses connections may become one.
    """
    found = await asyncio.gather(*(_look(address, tls) for address in addresses))
    hopeful = (None, REFUSED) if may_start else (None,)
    return [f"{address} {what}" for address, what in zip(addresses, found, strict=True) if what not in hopeful]


async def _look(address: str, tls: ssl.SSLContext | None) -> str | None:
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(LOOK_S):
            found = await _ask(host.strip("[]"), int(port), tls)
    except ssl.SSLCertVerificationError as error:
        return f"shows a certificate that is not believed ({error.verify_message}); give its authority (--tls-ca)"
    except ssl.SSLError as error:
        return _refusal(error.reason or "")
    except socket.gaierror as error:
        # A resolver that is out of order may be there again before the deadline.
        return f"is a name that cannot be resolved: {error.strerror}" if error.errno == socket.EAI_NONAME else None
    except ConnectionRefusedError:
        return REFUSED
    except (OSError, TimeoutError):
        return None
    if found is not None and found.startswith(HANGS_UP):
        return await _kafka_port(host.strip("[]"), int(port), tls) or found
    return found


def _refusal(reason: str) -> str | None:
    """Say what OpenSSL's reason for a failed connection means; ``None`` when it may pass."""
    if reason in {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"}:
        return "does not speak TLS"
    return f"{HANGS_UP}, {OR_OTHER_TLS}?" if reason.endswith(CERTIFICATE_ALERTS) else None


async def _ask(host: str, port: int, context: ssl.SSLContext | None) -> str | None:
    try:
        reader, writer = await open_stream(host, port, context, None if context is None else host)
    except ConnectionResetError:
        return None if context is None else "hangs up on TLS; is it another listener of the node than grpc.listener?"
    try:
        writer.write(HTTP2_PREFACE)
        first = await reader.read(HTTP2_FRAME_HEADER_BYTES)
    except ConnectionError:
        first = b""
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    if not first:
        return f"{HANGS_UP}, {OR_NO_TLS if context is None else OR_OTHER_TLS}?"
    if len(first) == HTTP2_FRAME_HEADER_BYTES and first[3] == HTTP2_SETTINGS:
        return None
    protocol = protocol_of(first)
    if protocol == TLS and context is None:
        return "speaks TLS; give --tls-ca"
    return "does not speak gRPC; " + (f"it speaks {protocol}" if protocol else f"its first words are {first!r}")


async def _kafka_port(host: str, port: int, context: ssl.SSLContext | None) -> str | None:
    """Say whose port of Kafka's protocol it is; ``None`` when it is none. Anyone may ask for the versions of an api."""
    try:
        async with QuorumAccess(context).connected(Endpoint("", host, port), LOOK_S) as (reader, writer):
            answer = await call(reader, writer, rpc.ApiVersionsRequest(), 0)
    except ProbeError:
        return None
    assert isinstance(answer, rpc.ApiVersionsResponse)
    is_controllers = any(api.api_key == rpc.FetchSnapshotRequest.API_KEY for api in answer.api_keys)
    return (
        f"speaks Kafka's protocol, as the listener of a {'controller' if is_controllers else 'broker'}; "
        "give an address of gRPC (grpc.listener)"
    )
