"""``quorum-state``: the election state as one line of JSON.

Version 0 belongs to kraft.version 0 and repeats the static voters; version 1 knows directory ids. The writer chooses by
the kraft.version in force at that moment. Only the first line is read, keys that are not known are ignored, and the
voters in a version 0 file are not trusted.

Source: ``on-disk formats`` §8.2; Kafka ``QuorumStateData``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.model.ids import NO_NODE, ZERO_UUID, NodeId, uuid_from_text, uuid_to_text
from kraftpy.model.voters import ReplicaKey

QUORUM_STATE_FILE = "quorum-state"
ID_MAX = 2**31 - 1


def render_quorum_state(state: ElectionState, *, version: int, current_voters: Iterable[NodeId] = ()) -> str:
    """Write the election state.

    Args:
        state: what to remember.
        version: 0 at kraft.version 0, 1 above.
        current_voters: the static voters; version 0 shows them.

    Raises:
        LocalError: when there is no such version.
    """
    voted = state.voted_key
    common = {
        "leaderId": NO_NODE if state.leader_id is None else state.leader_id,
        "leaderEpoch": state.epoch,
        "votedId": NO_NODE if voted is None else voted.node_id,
    }
    if version == 0:
        voters = [{"voterId": node_id} for node_id in current_voters]
        fields: dict[str, Any] = {"clusterId": "", **common, "appliedOffset": 0, "currentVoters": voters}
    elif version == 1:
        directory_id = voted.directory_id if voted is not None else None
        fields = {**common, "votedDirectoryId": uuid_to_text(directory_id or ZERO_UUID)}
    else:
        raise LocalError(f"quorum-state has no version {version}; it has 0 and 1")
    return json.dumps({**fields, "data_version": version}, separators=(",", ":"))


def parse_quorum_state(text: str) -> ElectionState:
    """Read the election state.

    Raises:
        MalformedError: when it is not JSON, a field is missing or out of range, or the version is not known.
    """
    try:
        fields = json.loads(text.split("\n", 1)[0])
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"quorum-state is not one line of JSON: {text[:200]!r}") from error
    if not isinstance(fields, dict):
        raise MalformedError(f"quorum-state is not a JSON object: {text[:200]!r}")
    version = _integer(fields, "data_version", 0, 1)
    leader_id = _integer(fields, "leaderId", NO_NODE, ID_MAX)
    epoch = _integer(fields, "leaderEpoch", 0, ID_MAX)
    voted_id = _integer(fields, "votedId", NO_NODE, ID_MAX)
    directory_id = _directory_id(fields) if version == 1 else None
    return ElectionState(
        epoch=epoch,
        leader_id=None if leader_id == NO_NODE else leader_id,
        voted_key=None if voted_id == NO_NODE else ReplicaKey(voted_id, directory_id),
    )


def _integer(fields: dict[str, Any], key: str, low: int, high: int) -> int:
    value = fields.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise MalformedError(f"quorum-state: {key} is {value!r}, expected an integer from {low} to {high}")
    return value


def _directory_id(fields: dict[str, Any]) -> bytes | None:
    value = fields.get("votedDirectoryId")
    try:
        uuid = uuid_from_text(value) if isinstance(value, str) else None
    except ValueError as error:
        raise MalformedError(f"quorum-state: votedDirectoryId {error}") from error
    if uuid is None:
        raise MalformedError(f"quorum-state: votedDirectoryId is {value!r}, expected a uuid of 22 characters")
    return None if uuid == ZERO_UUID else uuid
