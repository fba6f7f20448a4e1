"""Probe an address: whether it speaks Kafka's protocol, is a controller, and of which cluster.

A node repeats a failed request for ever, which does not help an operator who mistyped a port. So a command probes each
address once before it uses it. Each kind of failure has an error text of its own.

Source: KIP-35 (ApiVersions), KIP-919 (DescribeCluster at controllers).
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from kraftpy.model.errors import KraftError, MalformedError
from kraftpy.model.voters import Endpoint
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request

ANSWER_BYTES_MAX: Final = 1 << 20
"""A longer answer is not one of Kafka's: an HTTP server's first bytes read as a length of 1.2 GB."""

CLIENT_ID: Final = "kraftpy-probe"
CONTROLLERS: Final = 2
"""The endpoint type of controllers in DescribeCluster."""

API_VERSIONS_VERSION: Final = 0
CONTROLLER_ENDPOINTS_VERSION: Final = 1


class ProbeError(KraftError):
    """The host is not a controller that can be followed; the text says what it is instead."""


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """A controller.

    Attributes:
        cluster_id: what it says its cluster is; ``None`` when it cannot be asked.
    """

    endpoint: Endpoint
    cluster_id: str | None


async def probe(endpoint: Endpoint, *, tls: ssl.SSLContext | None, timeout_s: float) -> ProbeResult:
    """Ask one host.

    Raises:
        ProbeError: it is not a controller of a metadata quorum, or did not answer within ``timeout_s``.
    """
    async with describing_failures(timeout_s, uses_tls=tls is not None):
        return await _ask(endpoint, tls)


@asynccontextmanager
async def describing_failures(timeout_s: float, *, uses_tls: bool) -> AsyncIterator[None]:
    """Turn every way in which talking to a host fails, taking too long included, into a sentence about it.

    Raises:
        ProbeError: with that sentence.
    """
    try:
        async with asyncio.timeout(timeout_s):
            yield
    except TimeoutError:
        raise ProbeError(f"does not answer within {timeout_s:g} s") from None
    except socket.gaierror as error:
        raise ProbeError(f"is a name that cannot be resolved: {error.strerror}") from error
    except ConnectionRefusedError as error:
        raise ProbeError("refuses connections: no process listens there") from error
    except ssl.SSLError as error:
        raise ProbeError(f"TLS: {error.reason or error}") from error
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        hint = "" if uses_tls else ", or expects TLS"
        raise ProbeError(
            f"closes the connection: it does not speak Kafka's protocol, as a gRPC port does not{hint}"
        ) from error
    except MalformedError as error:
        raise ProbeError(f"does not speak Kafka's protocol: {error}") from error
    except OSError as error:
        raise ProbeError(f"cannot be reached: {error.strerror or error}") from error


async def _ask(endpoint: Endpoint, tls: ssl.SSLContext | None) -> ProbeResult:
    hostname = endpoint.host if tls is not None else None
    reader, writer = await asyncio.open_connection(endpoint.host, endpoint.port, ssl=tls, server_hostname=hostname)
    try:
        offered = await controller_apis(reader, writer)
        if CONTROLLER_ENDPOINTS_VERSION not in offered.get(rpc.DescribeClusterRequest.API_KEY, range(0)):
            return ProbeResult(endpoint, None)
        question = rpc.DescribeClusterRequest(endpoint_type=CONTROLLERS)
        described = await call(reader, writer, question, CONTROLLER_ENDPOINTS_VERSION)
        assert isinstance(described, rpc.DescribeClusterResponse)
        return ProbeResult(endpoint, described.cluster_id or None)
    finally:
        writer.close()


async def controller_apis(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> dict[int, range]:
    """Ask a controller which versions of which requests it serves, by key; a question that anybody may be asked.

    Raises:
        ProbeError: it is not a controller.
    """
    answer = await call(reader, writer, rpc.ApiVersionsRequest(), API_VERSIONS_VERSION)
    assert isinstance(answer, rpc.ApiVersionsResponse)
    offered = {api.api_key: range(api.min_version, api.max_version + 1) for api in answer.api_keys}
    if rpc.FetchSnapshotRequest.API_KEY not in offered:
        raise ProbeError("is not a controller's listener: it serves no metadata snapshots (a broker's port?)")
    return offered


async def call(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: Message, version: int) -> Message:
    """Ask one question on a fresh connection.

    Raises:
        MalformedError: the answer is none.
    """
    frame = encode_request(CLIENT_ID, 0, request, version)
    writer.write(len(frame).to_bytes(4, "big") + frame)
    await writer.drain()
    size = int.from_bytes(await reader.readexactly(4), "big", signed=True)
    if not 0 < size <= ANSWER_BYTES_MAX:
        raise MalformedError(f"its answer claims {size} bytes")
    _, message = decode_response(request.API_KEY, version, await reader.readexactly(size))
    return message
