"""Answers that say no, built in one place: they all carry this replica's epoch and the leader it knows."""

from __future__ import annotations

from typing import TypeVar

from kraftpy.model.errors import ErrorCode
from kraftpy.raft.messages import (
    AddRaftVoterResponse,
    BeginQuorumEpochResponse,
    EndQuorumEpochResponse,
    FetchResponse,
    FetchSnapshotResponse,
    RemoveRaftVoterResponse,
    VoteResponse,
)
from kraftpy.raft.pending_voter_change import VoterChange, VoterChangeKind
from kraftpy.raft.ready import Reply
from kraftpy.raft.replica_state import ReplicaState

Refusable = TypeVar(
    "Refusable", VoteResponse, BeginQuorumEpochResponse, EndQuorumEpochResponse, FetchResponse, FetchSnapshotResponse
)


def refusal(state: ReplicaState, response: type[Refusable], partition_error: ErrorCode) -> Refusable:
    """Build a response of this type that carries an error (or NONE) for the partition."""
    return response(
        partition_error=partition_error,
        leader=state.leader,
        leader_endpoints=state.leader_endpoints,
    )


def answer_change(state: ReplicaState, change: VoterChange, error: ErrorCode, message: str | None = None) -> None:
    """Send the result of a voter set change to its requester."""
    response = AddRaftVoterResponse if change.kind is VoterChangeKind.ADD else RemoveRaftVoterResponse
    state.out.reply(Reply(change.token, response(error=error, message=message, offset=change.offset)))
