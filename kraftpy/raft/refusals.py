"""Answers that say no, built in one place: they all carry this replica's epoch and the leader it knows."""

from __future__ import annotations

from typing import TypeVar

from kraftpy.model.errors import ErrorCode
from kraftpy.raft.core import Core
from kraftpy.raft.messages import (
    BeginQuorumEpochResponse,
    EndQuorumEpochResponse,
    FetchResponse,
    FetchSnapshotResponse,
    VoteResponse,
)

Refusable = TypeVar(
    "Refusable", VoteResponse, BeginQuorumEpochResponse, EndQuorumEpochResponse, FetchResponse, FetchSnapshotResponse
)


def refusal(core: Core, response: type[Refusable], partition_error: ErrorCode) -> Refusable:
    """Build a response of this type that carries an error (or NONE) for the partition."""
    return response(
        partition_error=partition_error,
        leader=core.leader,
        leader_endpoints=core.leader_endpoints,
    )
