"""A whole cluster put to rest, and woken: when it may be stopped, and when it is all back.

A cluster rests when nothing is written and every node holds every committed record: then whichever of them comes back
first knows everything, and none has to ask one that is still off. What was true at that moment is written down, and is
what waking is measured by: the same cluster, the same nodes, each with at least those records.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kraftpy.disaster_recovery.inspection import Survey
from kraftpy.disaster_recovery.plan_files import read_document
from kraftpy.disaster_recovery.recovery_plan import compare
from kraftpy.model.errors import LocalError
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch, Offset

KIND = "kraftpy hibernation"
FORMAT = 1

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "cluster_id": (str, type(None)),
    "offset": (int,),
    "epoch": (int,),
    "leader_id": (int,),
    "nodes": (list,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the leader says of its quorum at one moment.

    Attributes:
        ends: log end offset by node id; ``None`` where it is not known.
        high_watermark: ``None`` while nothing is known to be committed.
    """

    leader_id: NodeId | None
    epoch: Epoch
    high_watermark: Offset | None
    ends: Mapping[NodeId, Offset | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """What was true when a cluster was put to rest: every one of these nodes held everything below ``offset``."""

    cluster_id: str | None
    offset: Offset
    epoch: Epoch
    leader_id: NodeId
    node_ids: tuple[NodeId, ...]

    def render(self) -> str:
        """Write it as it is kept."""
        found = {"kind": KIND, "format": FORMAT, "cluster_id": self.cluster_id, "offset": self.offset}
        return json.dumps({**found, "epoch": self.epoch, "leader_id": self.leader_id, "nodes": self.node_ids}) + "\n"


def read_rest(content: bytes, place: str) -> Rest:
    """Read what :meth:`Rest.render` wrote; ``place`` names its file.

    Raises:
        LocalError: it is something else; the text names the file and the way out.
    """
    try:
        found = read_document(content, place=place, kind=KIND, version=FORMAT, keys=_TYPES)
        for key, allowed in _TYPES.items():
            if type(found[key]) not in allowed:
                raise LocalError(f"{place} is no {KIND}: its {key!r} is {found[key]!r:.60}")
        if any(type(node_id) is not int for node_id in found["nodes"]):
            raise LocalError(f"{place} is no {KIND}: not all of its 'nodes' are numbers")
    except LocalError as error:
        raise LocalError(f"{error}. Nothing was done; name the file that `kraftpy hibernate` wrote") from error
    return Rest(
        cluster_id=found["cluster_id"],
        offset=found["offset"],
        epoch=found["epoch"],
        leader_id=found["leader_id"],
        node_ids=tuple(found["nodes"]),
    )


def awake_because(seen: Seen, node_ids: Sequence[NodeId], before: Seen | None) -> str | None:
    """Say why a cluster does not rest yet; ``None`` when it does.

    Args:
        seen: now.
        node_ids: the nodes that must hold everything.
        before: a moment ago: in between, nothing may have been written and nobody else elected.
    """
    if seen.leader_id is None or seen.high_watermark is None:
        return "no leader is known"
    for node_id in node_ids:
        end = seen.ends.get(node_id)
        if end != seen.high_watermark:
            return f"node {node_id} is at offset {'unknown' if end is None else end}, not {seen.high_watermark}"
    if before is None:
        return "it was looked at only once"
    if (before.high_watermark, before.epoch) != (seen.high_watermark, seen.epoch):
        return f"something was written: {before.high_watermark} became {seen.high_watermark}"
    return None


def not_back_because(seen: Seen, rest: Rest) -> str | None:
    """Say why a cluster is not all back; ``None`` when it is."""
    if seen.leader_id is None or seen.high_watermark is None:
        return "no leader is known"
    if seen.high_watermark < rest.offset:
        return f"only offsets below {seen.high_watermark} are committed, {rest.offset} were"
    for node_id in rest.node_ids:
        end = seen.ends.get(node_id)
        if end is None or end < rest.offset:
            return f"node {node_id} is at offset {'unknown' if end is None else end}, and was at {rest.offset}"
    return None


def check_rest(surveys: Sequence[Survey], rest: Rest) -> None:
    """Check that stopped directories hold what they held when the cluster was put to rest.

    Raises:
        LocalError: one of them does not, with what differs.
    """
    base = max(surveys, key=lambda one: one.end)
    for one in surveys:
        if one.damage:
            raise LocalError(f"{one.directory} is damaged: {one.damage[0]}")
        if one.cluster_id != rest.cluster_id:
            raise LocalError(f"{one.directory} is of cluster {one.cluster_id}, not of {rest.cluster_id}")
        equal_to = compare(one, base).equal_to
        if equal_to < rest.offset:
            raise LocalError(
                f"{one.directory} is equal to {base.directory} only below offset {equal_to}, and all held everything "
                f"below {rest.offset}. Was a directory replaced meanwhile? `kraftpy recover plan` says what is left."
            )
