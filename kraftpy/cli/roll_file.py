"""The plan of a roll as a JSON file: which nodes are restarted, in which order, and which processes they were.

``kraftpy roll plan`` writes it, ``run`` and ``status`` read it. It has nothing of progress: that is read from the
cluster, so an interrupted roll goes on with the same file.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final

from kraftpy.cli.errors import CommandError
from kraftpy.disaster_recovery.plan_files import read_document
from kraftpy.model.escaping import shortened
from kraftpy.model.ids import NODE_ID_MAX, Uuid, uuid_from_text, uuid_to_text
from kraftpy.model.iso_time import utc_time
from kraftpy.quorum_tools.rolling import RollNode, RollPlan
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.filesystem import RealFileSystem

KIND: Final = "kraftpy roll"
FORMAT: Final = 1
FILE_BYTES_MAX: Final = 4 * 1024 * 1024
NODES_MAX: Final = 2_000
"""How many nodes a plan may have: more than a cluster has."""

TEXT_CHARACTERS_MAX: Final = 32_767
"""How long a host or a rack may be: as long as one that a broker can register."""

MAKE_ONE: Final = "make a plan with `kraftpy roll plan`"


def write_plan(path: str, plan: RollPlan) -> None:
    """Write a plan durably, in place of an older one.

    Raises:
        CommandError: the older one is being carried out: a run of the new one would not know of that run.
    """
    document = {
        "kind": KIND,
        "format": FORMAT,
        "clusterId": plan.cluster_id,
        "created": utc_time(plan.created_ms),
        "createdMs": plan.created_ms,
        "allowUnavailable": plan.allows_unavailable,
        "nodes": [_node_json(node) for node in plan.nodes],
    }
    with held_plan(path) if Path(path).exists() else nullcontext():
        replace_file(RealFileSystem(), path, (json.dumps(document, indent=2) + "\n").encode())


def read_plan(path: str) -> RollPlan:
    """Read a plan.

    Raises:
        CommandError: the file is something else; the text names the place in it.
        LocalError: it is no document of this kind.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}: {MAKE_ONE}") from error
    if len(content) > FILE_BYTES_MAX:
        raise CommandError(f"{path} has more than {FILE_BYTES_MAX} bytes: it is no plan of a roll; {MAKE_ONE}")
    keys = ("clusterId", "createdMs", "allowUnavailable", "nodes")
    found = read_document(content, place=path, kind=KIND, version=FORMAT, keys=keys)
    created_ms, rows = found["createdMs"], found["nodes"]
    if not isinstance(created_ms, int) or isinstance(created_ms, bool) or not 0 <= created_ms < 2**63:
        raise CommandError(f"{path}: createdMs is not a time in ms since 1970")
    if not isinstance(found["allowUnavailable"], bool):
        raise CommandError(f"{path}: allowUnavailable is neither true nor false")
    if not isinstance(rows, list) or not 0 < len(rows) <= NODES_MAX:
        raise CommandError(f"{path}: nodes is not a list of 1 to {NODES_MAX} nodes")
    nodes = tuple(_node(f"{path}: nodes[{index}]", row) for index, row in enumerate(rows))
    if len({node.node_id for node in nodes}) != len(nodes):
        raise CommandError(f"{path}: two of its nodes have the same id")
    return RollPlan(
        cluster_id=_text(path, "clusterId", found["clusterId"]),
        created_ms=created_ms,
        nodes=nodes,
        allows_unavailable=found["allowUnavailable"],
    )


@contextmanager
def held_plan(path: str) -> Iterator[None]:
    """Hold a plan while it is carried out, or replaced; two commands would restart two nodes at once.

    Raises:
        CommandError: another command on this machine carries it out, or it cannot be read.
    """
    try:
        file = Path(path).open("rb")  # noqa: SIM115 - what is caught here must not come from the caller's block
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}: {MAKE_ONE}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_current = os.path.samestat(os.fstat(file.fileno()), Path(path).stat())
        except BlockingIOError as error:
            raise CommandError(
                f"{path} is carried out by another `kraftpy roll run` on this machine; wait for it"
            ) from error
        except OSError as error:
            raise CommandError(f"{path} cannot be held: {error.strerror}") from error
        if not is_current:
            raise CommandError(f"{path} was replaced by another plan just now; look at it, then try again")
        yield


def _node_json(node: RollNode) -> dict[str, Any]:
    return {
        "nodeId": node.node_id,
        "host": node.host,
        "rack": node.rack,
        "controllerIncarnationId": None if node.controller is None else uuid_to_text(node.controller),
        "brokerIncarnationId": None if node.broker is None else uuid_to_text(node.broker),
    }


def _node(place: str, row: Any) -> RollNode:
    if not isinstance(row, dict):
        raise CommandError(f"{place} is not an object")
    node_id, rack = row.get("nodeId"), row.get("rack")
    if not isinstance(node_id, int) or isinstance(node_id, bool) or not 0 <= node_id <= NODE_ID_MAX:
        raise CommandError(f"{place}.nodeId is {shortened(repr(node_id), 40)}, not a number from 0 to {NODE_ID_MAX}")
    node = RollNode(
        node_id=node_id,
        host=_text(place, "host", row.get("host")),
        rack=None if rack is None else _text(place, "rack", rack),
        controller=_incarnation(place, row, "controllerIncarnationId"),
        broker=_incarnation(place, row, "brokerIncarnationId"),
    )
    if not node.role:
        raise CommandError(f"{place} has neither controllerIncarnationId nor brokerIncarnationId")
    return node


def _incarnation(place: str, row: dict[str, Any], key: str) -> Uuid | None:
    text = row.get(key)
    if text is None:
        return None
    try:
        return uuid_from_text(_text(place, key, text))
    except ValueError as error:
        raise CommandError(f"{place}.{key}: {error}") from error


def _text(place: str, key: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > TEXT_CHARACTERS_MAX:
        raise CommandError(f"{place}: {key} is not a text of at most {TEXT_CHARACTERS_MAX} characters")
    return value
