"""The plan of a migration as a JSON file: which controllers leave, which join, of which cluster.

``kraftpy migrate plan`` writes it, the other commands read it. It says nothing of progress: that is read from the
quorum, so an interrupted migration goes on with the same file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kraftpy.cli.errors import CommandError
from kraftpy.config.endpoints import parse_address
from kraftpy.disaster_recovery.plan_files import read_document
from kraftpy.model.ids import NODE_ID_MAX, uuid_from_text, uuid_to_text
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter
from kraftpy.quorum_tools.migration import Migration
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.filesystem import RealFileSystem

KIND: Final = "kraftpy migration"
FORMAT: Final = 1
FILE_BYTES_MAX: Final = 1024 * 1024
CONTROLLERS_MAX: Final = 100
"""How many controllers a group may have; quorums have three or five."""


@dataclass(frozen=True, slots=True)
class MigrationFile:
    """What a plan says."""

    cluster_id: str
    migration: Migration

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """Where any of the controllers may answer, each once."""
        both = (*self.migration.leaving, *self.migration.joining)
        return tuple(dict.fromkeys(endpoint for voter in both for endpoint in voter.endpoints))


def write_migration(path: str, plan: MigrationFile) -> None:
    """Write a plan durably, in place of an older one."""
    document = {
        "kind": KIND,
        "format": FORMAT,
        "clusterId": plan.cluster_id,
        "leaving": [_voter_json(voter) for voter in plan.migration.leaving],
        "joining": [_voter_json(voter) for voter in plan.migration.joining],
    }
    replace_file(RealFileSystem(), path, (json.dumps(document, indent=2) + "\n").encode())


def read_migration(path: str) -> MigrationFile:
    """Read a plan.

    Raises:
        CommandError: the file is something else; the text names the place in it.
        LocalError: it is no document of this kind.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}: make a plan with `kraftpy migrate plan`") from error
    if len(content) > FILE_BYTES_MAX:
        raise CommandError(f"{path} has more than {FILE_BYTES_MAX} bytes: it is no plan of a migration")
    found = read_document(content, place=path, kind=KIND, version=FORMAT, keys=("clusterId", "leaving", "joining"))
    cluster_id = found["clusterId"]
    if not isinstance(cluster_id, str):
        raise CommandError(f"{path}: clusterId is not a text")
    groups = [_voters(path, name, found[name]) for name in ("leaving", "joining")]
    ids = [voter.key.node_id for group in groups for voter in group]
    if len(ids) != len(set(ids)):
        raise CommandError(f"{path}: two of its controllers have the same node id")
    return MigrationFile(cluster_id, Migration(leaving=groups[0], joining=groups[1]))


def _voter_json(voter: Voter) -> dict[str, Any]:
    assert voter.key.directory_id is not None
    return {
        "nodeId": voter.key.node_id,
        "directoryId": uuid_to_text(voter.key.directory_id),
        "endpoints": [str(endpoint) for endpoint in voter.endpoints],
    }


def _voters(path: str, name: str, rows: Any) -> tuple[Voter, ...]:
    if not isinstance(rows, list) or not 0 < len(rows) <= CONTROLLERS_MAX:
        raise CommandError(f"{path}: {name} is not a list of 1 to {CONTROLLERS_MAX} controllers")
    voters = []
    for index, row in enumerate(rows):
        place = f"{path}: {name}[{index}]"
        if not isinstance(row, dict):
            raise CommandError(f"{place} is not an object")
        node_id = row.get("nodeId")
        if not isinstance(node_id, int) or isinstance(node_id, bool) or not 0 <= node_id <= NODE_ID_MAX:
            raise CommandError(f"{place}.nodeId is {node_id!r:.40}, not a number from 0 to {NODE_ID_MAX}")
        try:
            directory_id = uuid_from_text(str(row.get("directoryId")))
        except ValueError as error:
            raise CommandError(f"{place}.directoryId: {error}") from error
        texts = row.get("endpoints")
        if not isinstance(texts, list) or not texts:
            raise CommandError(f"{place}.endpoints is not a list of endpoints")
        endpoints = tuple(_endpoint(f"{place}.endpoints[{number}]", text) for number, text in enumerate(texts))
        voters.append(Voter(ReplicaKey(node_id, directory_id), endpoints))
    return tuple(voters)


def _endpoint(place: str, text: Any) -> Endpoint:
    name, separator, address = str(text).partition("://")
    if not separator or not name:
        raise CommandError(f"{place} is {text!r:.80}, not NAME://host:port")
    try:
        return Endpoint(name, *parse_address(address))
    except ValueError as error:
        raise CommandError(f"{place}: {error}") from error
