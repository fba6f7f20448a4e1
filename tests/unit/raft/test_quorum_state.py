"""The table of transitions: what it forbids, and that the package's docstring shows it."""

from __future__ import annotations

import pytest

import kraftpy.raft
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.follower_progress import Progress
from kraftpy.raft.quorum_state import TRANSITIONS, check_transition, render_transitions
from kraftpy.raft.ready import Role
from kraftpy.raft.roles import Candidate, Follower, Leader, Prospective, Resigned, RoleState, Unattached
from kraftpy.raft.vote_tally import VoteTally
from tests.fakes.raft_cluster import endpoint_of, voter_set


def state(role: Role, epoch: int) -> RoleState:
    match role:
        case Role.UNATTACHED:
            return Unattached(epoch=epoch)
        case Role.PROSPECTIVE:
            return Prospective(epoch=epoch, deadline_ms=0, tally=VoteTally((1, 2, 3)))
        case Role.CANDIDATE:
            return Candidate(epoch=epoch, deadline_ms=0, tally=VoteTally((1, 2, 3)))
        case Role.LEADER:
            return Leader(epoch=epoch, epoch_start_offset=0, progress=Progress(voter_set((1, 2, 3))))
        case Role.FOLLOWER:
            return Follower(epoch=epoch, leader_id=2, leader_endpoints=(endpoint_of(2),), deadline_ms=0, heard_ms=0)
        case Role.RESIGNED:
            return Resigned(epoch=epoch, deadline_ms=0)


def test_the_docstring_shows_the_table() -> None:
    """The list of roles in the package's docstring is the table that the code runs."""
    assert render_transitions() in kraftpy.raft.__doc__


@pytest.mark.parametrize("before", Role)
@pytest.mark.parametrize("after", Role)
def test_only_the_table_is_allowed(before: Role, after: Role) -> None:
    """A change of role that is not in the table stops the node; one that is there is allowed at the right epoch."""
    if after not in TRANSITIONS[before]:
        with pytest.raises(InvariantViolation, match="along the table"):
            check_transition(state(before, 5), state(after, 6))
        return
    epoch = 5 if (before, after) in {(Role.CANDIDATE, Role.LEADER), (Role.LEADER, Role.RESIGNED)} else 6
    check_transition(state(before, 5), state(after, epoch))


@pytest.mark.parametrize("before", Role)
def test_the_epoch_never_falls(before: Role) -> None:
    """No change of role lowers the epoch."""
    for after in TRANSITIONS[before]:
        with pytest.raises(InvariantViolation):
            check_transition(state(before, 5), state(after, 4))


def test_a_candidate_asks_for_votes_in_the_next_epoch() -> None:
    """Prospective to Candidate raises the epoch by exactly one."""
    for epoch in (5, 7):
        with pytest.raises(InvariantViolation, match="next epoch"):
            check_transition(state(Role.PROSPECTIVE, 5), state(Role.CANDIDATE, epoch))


@pytest.mark.parametrize("before", [Role.LEADER, Role.RESIGNED])
def test_a_leader_does_nothing_else_in_its_epoch(before: Role) -> None:
    """Who led an epoch can neither vote nor follow in it."""
    for after in (Role.UNATTACHED, Role.FOLLOWER):
        with pytest.raises(InvariantViolation, match="nothing else"):
            check_transition(state(before, 5), state(after, 5))


def test_a_vote_is_not_forgotten_within_an_epoch() -> None:
    """A change of role within an epoch keeps the vote and the leader."""
    voted = Unattached(epoch=5, voted_key=ReplicaKey(3))
    with pytest.raises(InvariantViolation, match="stay known"):
        check_transition(voted, state(Role.FOLLOWER, 5))
