"""The state of a sandbox's cluster, from its controllers' responses and its files."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

import aiofiles

from kraftpy.client.async_client import AsyncClient
from kraftpy.client.errors import UnavailableError
from kraftpy.client.values import ClusterInfo, QuorumInfo
from kraftpy.local_cluster.cluster import LocalCluster, LocalNode, NodeKind
from kraftpy.local_cluster.node_findings import NodeFindings
from kraftpy.model.errors import ApiError, MalformedError
from kraftpy.model.features import BY_LEVEL, METADATA_VERSION
from kraftpy.storage.meta_properties import parse_meta_properties
from kraftpy.storage.names import META_PROPERTIES

READ_TIMEOUT_S = 2.0
STARTING = "starting"


@dataclass(frozen=True, slots=True)
class NodeStatus:
    """One node.

    Attributes:
        state: in one or two words.
        is_ready: whether it does what it is there for.
        cluster_ids: what each of its meta.properties says; ``None`` where no id can be read.
        incidents: what it found wrong with itself, and did about it, a sentence each.
    """

    node: LocalNode
    state: str
    is_ready: bool
    cluster_ids: dict[Path, str | None]
    incidents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClusterStatus:
    """The whole cluster at one moment."""

    nodes: tuple[NodeStatus, ...]
    cluster_id: str | None = None
    leader_id: int | None = None
    leader_epoch: int | None = None
    high_watermark: int | None = None
    metadata_version: str | None = None
    waiting_for: str = field(default="the controllers' answer")

    @property
    def ready(self) -> bool:
        """Whether every broker is unfenced and every meta.properties carries the one id."""
        return not self.waiting_for

    def while_starting(self, node_ids: Collection[int]) -> ClusterStatus:
        """Return the status with nodes that do not serve clients yet marked as such, though they are unfenced."""
        nodes = tuple(
            replace(one, state=STARTING, is_ready=False) if one.is_ready and one.node.node_id in node_ids else one
            for one in self.nodes
        )
        late = (f"{one.node.name} ({one.state})" for one in nodes if one.node.node_id in node_ids)
        return replace(self, nodes=nodes, waiting_for=self.waiting_for or next(late, ""))

    def without(self, ends: Mapping[int, str]) -> ClusterStatus:
        """Return the status with the nodes that ended marked as such, by id."""
        nodes = tuple(
            replace(one, state=ends[one.node.node_id], is_ready=False) if one.node.node_id in ends else one
            for one in self.nodes
        )
        return replace(self, nodes=nodes)


class StatusReader:
    """Reads one cluster's status again and again; use it with ``async with``."""

    def __init__(self, sandbox: LocalCluster) -> None:
        self._sandbox = sandbox
        self._stack = AsyncExitStack()
        self._client: AsyncClient | None = None
        self._incidents = NodeFindings()

    async def __aenter__(self) -> Self:
        """Get ready."""
        targets = [node.grpc_endpoint for node in self._sandbox.controllers if node.grpc_endpoint]
        self._client = await self._stack.enter_async_context(AsyncClient(targets, timeout_s=READ_TIMEOUT_S))
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close the connection."""
        await self._stack.aclose()

    async def read(self) -> ClusterStatus:
        """Ask and look, once; a cluster that does not answer is one that is not ready."""
        status = await self._read()
        nodes = tuple(replace(one, incidents=self._incidents.of(one.node)) for one in status.nodes)
        return replace(status, nodes=nodes)

    async def _read(self) -> ClusterStatus:
        assert self._client is not None
        files = {node.node_id: await _cluster_ids(node) for node in self._sandbox.nodes}
        try:
            quorum = await self._client.describe_quorum()
            cluster = await self._client.describe_cluster(include_fenced=True)
            features = await self._client.describe_features()
        except (UnavailableError, ApiError):
            nodes = tuple(
                NodeStatus(node, STARTING, is_ready=False, cluster_ids=files[node.node_id])
                for node in self._sandbox.nodes
            )
            return ClusterStatus(nodes, waiting_for="a leader")
        level = next((one.finalized_level for one in features.features if one.name == METADATA_VERSION), None)
        nodes = tuple(_status(node, quorum, cluster, files[node.node_id]) for node in self._sandbox.nodes)
        return ClusterStatus(
            nodes,
            cluster_id=cluster.cluster_id,
            leader_id=quorum.leader_id,
            leader_epoch=quorum.leader_epoch,
            high_watermark=quorum.high_watermark,
            metadata_version=None if level is None or level not in BY_LEVEL else BY_LEVEL[level].name,
            waiting_for=_waiting_for(nodes, cluster.cluster_id),
        )


def _status(node: LocalNode, quorum: QuorumInfo, cluster: ClusterInfo, ids: dict[Path, str | None]) -> NodeStatus:
    if node.kind is NodeKind.CONTROLLER:
        registered = any(one.controller_id == node.node_id for one in cluster.controllers)
        role = "leader" if quorum.leader_id == node.node_id else "follower"
        return NodeStatus(node, role if registered else f"{role}, registering", is_ready=registered, cluster_ids=ids)
    broker = next((one for one in cluster.brokers if one.broker_id == node.node_id), None)
    if broker is None:
        return NodeStatus(node, STARTING, is_ready=False, cluster_ids=ids)
    state = "fenced" if broker.fenced else "shutting down" if broker.in_controlled_shutdown else "running"
    return NodeStatus(node, state, is_ready=state == "running", cluster_ids=ids)


def _waiting_for(nodes: tuple[NodeStatus, ...], cluster_id: str | None) -> str:
    """Say what keeps the cluster from being ready; empty when nothing does."""
    if cluster_id is None:
        return "the cluster id"
    for one in nodes:
        if not one.is_ready:
            return f"{one.node.name} ({one.state})"
        for path, found in one.cluster_ids.items():
            if found != cluster_id:
                return f"{path} ({'no cluster.id' if found is None else f'cluster.id is {found}'})"
    return ""


async def _cluster_ids(node: LocalNode) -> dict[Path, str | None]:
    return dict(await asyncio.gather(*(_cluster_id(directory) for directory in node.log_dirs)))


async def _cluster_id(directory: Path) -> tuple[Path, str | None]:
    path = directory / META_PROPERTIES
    try:
        async with aiofiles.open(path, encoding="utf-8") as file:
            return path, parse_meta_properties(await file.read()).cluster_id
    except (OSError, UnicodeDecodeError, MalformedError):
        # Of a file that cannot be read it is the node's to complain: a cluster's status is no reason to end.
        return path, None
