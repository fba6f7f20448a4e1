"""Probe an address: whether it speaks Kafka's protocol, is a controller, and of which cluster.

A node repeats a failed request for ever, which does not help an operator who mistyped a port. So a command probes each
address once before it uses it. Each kind of failure has an error text of its own.

Source: KIP-35 (ApiVersions), KIP-700 (DescribeCluster), KIP-919 (the same at controllers).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.access import QuorumAccess, UselessRetryError
from kraftpy.quorum_tools.streams import call
from kraftpy.records.generated import rpc

CONTROLLERS: Final = 2
"""The endpoint type of controllers in DescribeCluster."""

API_VERSIONS_VERSION: Final = 0
CONTROLLER_ENDPOINTS_VERSION: Final = 1
BROKER_ENDPOINTS_VERSION: Final = 0


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """A controller.

    Attributes:
        cluster_id: what it says its cluster is; ``None`` when it cannot be asked.
    """

    endpoint: Endpoint
    cluster_id: str | None


async def probe(endpoint: Endpoint, *, access: QuorumAccess, timeout_s: float) -> ProbeResult:
    """Ask one host.

    Raises:
        ProbeError: it is not a controller of a metadata quorum, or did not answer within ``timeout_s``.
    """

    async def ask() -> ProbeResult:
        async with access.connected(endpoint, timeout_s) as (reader, writer):
            offered = await controller_apis(reader, writer)
            if CONTROLLER_ENDPOINTS_VERSION not in offered.get(rpc.DescribeClusterRequest.API_KEY, range(0)):
                return ProbeResult(endpoint, None)
            return ProbeResult(endpoint, (await _describe_controllers(reader, writer)).cluster_id or None)

    return await access.answer(endpoint, ask())


async def cluster_id_at(endpoint: Endpoint, *, access: QuorumAccess, timeout_s: float) -> str | None:
    """Ask a controller or a broker of which cluster it is; ``None`` when its version or its answer does not say.

    Raises:
        ProbeError: it speaks another protocol, refuses the caller, or did not answer within ``timeout_s``.
    """

    async def ask() -> str | None:
        async with access.connected(endpoint, timeout_s) as (reader, writer):
            offered = await _apis(reader, writer)
            is_controller = rpc.FetchSnapshotRequest.API_KEY in offered
            version = CONTROLLER_ENDPOINTS_VERSION if is_controller else BROKER_ENDPOINTS_VERSION
            if version not in offered.get(rpc.DescribeClusterRequest.API_KEY, range(0)):
                return None
            if is_controller:
                return (await _describe_controllers(reader, writer)).cluster_id or None
            answer = await call(reader, writer, rpc.DescribeClusterRequest(), version)
            assert isinstance(answer, rpc.DescribeClusterResponse)
            return answer.cluster_id or None

    return await access.answer(endpoint, ask())


async def described_controllers(
    endpoint: Endpoint, *, access: QuorumAccess, timeout_s: float
) -> rpc.DescribeClusterResponse:
    """Ask a controller for the controllers of its cluster, and return its answer, which may be an error.

    Raises:
        ProbeError: it is not a controller of a metadata quorum, or did not answer within ``timeout_s``.
    """

    async def ask() -> rpc.DescribeClusterResponse:
        async with access.connected(endpoint, timeout_s) as (reader, writer):
            await controller_apis(reader, writer)
            return await _describe_controllers(reader, writer)

    return await access.answer(endpoint, ask())


async def _describe_controllers(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> rpc.DescribeClusterResponse:
    question = rpc.DescribeClusterRequest(endpoint_type=CONTROLLERS)
    answer = await call(reader, writer, question, CONTROLLER_ENDPOINTS_VERSION)
    assert isinstance(answer, rpc.DescribeClusterResponse)
    return answer


async def controller_apis(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> dict[int, range]:
    """Ask a controller which versions of which requests it serves, by key; a question that anybody may be asked.

    Raises:
        ProbeError: it is not a controller.
    """
    offered = await _apis(reader, writer)
    if rpc.FetchSnapshotRequest.API_KEY not in offered:
        raise UselessRetryError("is not a controller's listener: it serves no metadata snapshots (a broker's port?)")
    return offered


async def _apis(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> dict[int, range]:
    answer = await call(reader, writer, rpc.ApiVersionsRequest(), API_VERSIONS_VERSION)
    assert isinstance(answer, rpc.ApiVersionsResponse)
    return {api.api_key: range(api.min_version, api.max_version + 1) for api in answer.api_keys}
