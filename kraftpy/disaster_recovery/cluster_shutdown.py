"""The shutdown of a whole cluster, and its start: when it may be stopped, and when it is complete again.

A cluster can be stopped when nothing is written and every node holds every committed record: then any node can start
first, and none needs records that only a stopped node has. The state at that moment is stored in a file, and the start
is compared with it: the same cluster, the same nodes, each with at least those records.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kraftpy.disaster_recovery.inspection import DirectoryInspection
from kraftpy.disaster_recovery.plan_files import read_document
from kraftpy.disaster_recovery.recovery_plan import compare
from kraftpy.model.errors import LocalError
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch, Offset

KIND = "kraftpy cluster shutdown"
FORMAT = 1

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "cluster_id": (str, type(None)),
    "offset": (int,),
    "epoch": (int,),
    "leader_id": (int,),
    "nodes": (list,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class QuorumProgress:
    """The log end offsets that the leader knows at one moment.

    Attributes:
        ends: log end offset by node id; ``None`` where it is not known.
        high_watermark: ``None`` while nothing is known to be committed.
    """

    leader_id: NodeId | None
    epoch: Epoch
    high_watermark: Offset | None
    ends: Mapping[NodeId, Offset | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterShutdown:
    """The state of a cluster at its shutdown: each of these nodes held every record below ``offset``."""

    cluster_id: str | None
    offset: Offset
    epoch: Epoch
    leader_id: NodeId
    node_ids: tuple[NodeId, ...]

    def render(self) -> str:
        """Return the text of the file."""
        found = {"kind": KIND, "format": FORMAT, "cluster_id": self.cluster_id, "offset": self.offset}
        return json.dumps({**found, "epoch": self.epoch, "leader_id": self.leader_id, "nodes": self.node_ids}) + "\n"


def read_shutdown(content: bytes, place: str) -> ClusterShutdown:
    """Read what :meth:`ClusterShutdown.render` wrote; ``place`` names its file.

    Raises:
        LocalError: it is another file; the message names it and the way out.
    """
    try:
        found = read_document(content, place=place, kind=KIND, version=FORMAT, keys=_TYPES)
        for key, allowed in _TYPES.items():
            if type(found[key]) not in allowed:
                raise LocalError(f"{place} is no {KIND}: its {key!r} is {found[key]!r:.60}")
        if any(type(node_id) is not int for node_id in found["nodes"]):
            raise LocalError(f"{place} is no {KIND}: not all of its 'nodes' are numbers")
    except LocalError as error:
        raise LocalError(f"{error}. Nothing was done; name the file that `kraftpy cluster stop` wrote") from error
    return ClusterShutdown(
        cluster_id=found["cluster_id"],
        offset=found["offset"],
        epoch=found["epoch"],
        leader_id=found["leader_id"],
        node_ids=tuple(found["nodes"]),
    )


def why_not_stoppable(
    progress: QuorumProgress, node_ids: Sequence[NodeId], before: QuorumProgress | None
) -> str | None:
    """Return why a cluster cannot be stopped yet; ``None`` when it can.

    Args:
        progress: the present state.
        node_ids: the nodes that must hold every committed record.
        before: an earlier state; since then, nothing may have been written, and no other leader elected.
    """
    if progress.leader_id is None or progress.high_watermark is None:
        return "no leader is known"
    for node_id in node_ids:
        end = progress.ends.get(node_id)
        if end != progress.high_watermark:
            return f"node {node_id} is at offset {'unknown' if end is None else end}, not {progress.high_watermark}"
    if before is None:
        return "the cluster was checked only once"
    if before.epoch != progress.epoch:
        return f"the epoch rose from {before.epoch} to {progress.epoch}: there was an election"
    if before.high_watermark != progress.high_watermark:
        return (
            f"the high watermark rose from {before.high_watermark} to {progress.high_watermark}: a client still writes"
        )
    return None


def why_not_complete(progress: QuorumProgress, shutdown: ClusterShutdown) -> str | None:
    """Return why a cluster is not complete again; ``None`` when it is."""
    if progress.leader_id is None or progress.high_watermark is None:
        return "no leader is known"
    if progress.high_watermark < shutdown.offset:
        return f"only offsets below {progress.high_watermark} are committed; at the shutdown, below {shutdown.offset}"
    for node_id in shutdown.node_ids:
        end = progress.ends.get(node_id)
        if end is None or end < shutdown.offset:
            return f"node {node_id} is at offset {'unknown' if end is None else end}, below {shutdown.offset}"
    return None


def check_directories(surveys: Sequence[DirectoryInspection], shutdown: ClusterShutdown) -> None:
    """Check that stopped directories hold the records that they held at the shutdown.

    Raises:
        LocalError: one of them does not; the message gives the difference.
    """
    base = max(surveys, key=lambda one: one.end)
    for one in surveys:
        if one.corruption:
            raise LocalError(f"{one.directory} is corrupt: {one.corruption[0]}")
        if one.cluster_id != shutdown.cluster_id:
            raise LocalError(f"{one.directory} is of cluster {one.cluster_id}, not of {shutdown.cluster_id}")
        equal_to = compare(one, base).equal_to
        if equal_to < shutdown.offset:
            raise LocalError(
                f"{one.directory} equals {base.directory} only below offset {equal_to}, but at the shutdown all were "
                f"equal below {shutdown.offset}. Was a directory replaced? `kraftpy recover plan` shows what is left."
            )
