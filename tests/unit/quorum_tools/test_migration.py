"""Which controller joins or leaves next: the order, what it waits for, and that an interruption costs nothing."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kraftpy.model.voters import Endpoint, ReplicaKey, Voter
from kraftpy.quorum_tools.migration import (
    AddVoter,
    Blocked,
    Finished,
    Migration,
    QuorumView,
    RemoveVoter,
    Rest,
    StartController,
    Wait,
    lost_voters,
    next_step,
)
from kraftpy.quorum_tools.ok_to_stop import LAG_MAX, SILENT_MS
from kraftpy.raft.messages import ReplicaProgress

NOW_MS = 1_000_000
END = 5_000
STEPS_MAX = 200


def controller(node_id, *, port=None):
    return Voter(ReplicaKey(node_id, bytes([node_id]) * 16), (Endpoint("CONTROLLER", "h", port or 9000 + node_id),))


def group(*ids):
    return tuple(controller(one) for one in ids)


def progress(key, *, lag=0, silent_ms=0):
    return ReplicaProgress(key=key, log_end_offset=END - lag, last_fetch_ms=NOW_MS - silent_ms, last_caught_up_ms=None)


class FakeQuorum:
    """A quorum that does what a step says; who leads is drawn, as elections decide it."""

    def __init__(self, migration, seed=0):
        self.rng = random.Random(seed)
        self.voting = [voter.key for voter in migration.leaving]
        self.running = {voter.key for voter in (*migration.leaving, *migration.joining)}
        self.brokers = frozenset({101})
        self.leader = self.voting[0]
        self.fewest = len(self.voting)
        self.steps = []

    def view(self):
        rest = [progress(key) for key in sorted(self.running, key=str) if key not in self.voting]
        brokers = [progress(ReplicaKey(one, b"b" * 16)) for one in self.brokers]
        return QuorumView(
            leader_id=self.leader.node_id,
            voters=tuple(progress(key, silent_ms=0 if key in self.running else SILENT_MS + 1) for key in self.voting),
            observers=(*rest, *brokers),
            brokers=self.brokers,
        )

    def take(self, step):
        """Carry out a step; return whether it was one."""
        self.steps.append(step)
        match step:
            case AddVoter(voter):
                self.voting.append(voter.key)
            case RemoveVoter(voter):
                self.voting.remove(voter.key)
                if self.leader == voter.key:
                    self.elect()
            case StartController(voter, after):
                if after is not None:
                    self.running.discard(after.key)
                self.running.add(voter.key)
            case _:
                return False
        self.fewest = min(self.fewest, len(self.voting))
        assert 2 * len(self.running.intersection(self.voting)) > len(self.voting), f"no majority runs after {step}"
        return True

    def elect(self):
        """Let any voter lead that runs."""
        self.leader = self.rng.choice([key for key in self.voting if key in self.running])

    def kill(self, key):
        self.running.discard(key)
        if self.leader == key:
            self.elect()

    def run(self, migration, *, finishes, steps=STEPS_MAX, given_up=frozenset()):
        for _ in range(steps):
            if not self.take(next_step(migration, self.view(), finishes=finishes, given_up=given_up)):
                return
        return


THREE = Migration(leaving=group(1, 2, 3), joining=group(11, 12, 13))


def test_one_joins_before_one_leaves_and_the_last_rests():
    quorum = FakeQuorum(THREE)
    quorum.run(THREE, finishes=False)
    kinds = [type(step).__name__ for step in quorum.steps]
    assert kinds == ["AddVoter", "RemoveVoter", "AddVoter", "RemoveVoter", "Rest"]
    assert len([key for key in quorum.voting if key.node_id < 10]) == 1
    quorum.run(THREE, finishes=True)
    assert {key.node_id for key in quorum.voting} == {11, 12, 13}
    assert isinstance(quorum.steps[-1], Finished)
    assert quorum.fewest == 3


def test_the_leader_leaves_first():
    view = FakeQuorum(THREE).view()
    joined = replace(view, voters=(*view.voters, progress(controller(11).key)), leader_id=2)
    assert next_step(THREE, joined, finishes=False) == RemoveVoter(controller(2))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"leader_id": None}, "no controller knows a leader"),
        ({"leader_id": 9}, "the leader 9 is no voter any more"),
        ({"voters": (progress(controller(1).key), progress(controller(2).key, silent_ms=SILENT_MS + 1),
                     progress(controller(3).key))}, "controller 2 fetched last"),
        ({"voters": (progress(controller(1).key), progress(controller(2).key),
                     progress(controller(3).key, lag=LAG_MAX + 1))}, "controller 3 is 1001 records behind"),
        ({"brokers": frozenset({101, 102})}, "broker 102 has not fetched from this leader: its controller.quorum"),
    ],
)  # fmt: skip
def test_no_step_while_the_quorum_is_not_steady(change, text):
    step = next_step(THREE, replace(FakeQuorum(THREE).view(), **change), finishes=True)
    assert isinstance(step, Wait)
    assert text in "; ".join(step.reasons)


def lost(view, *keys):
    """The same quorum; these controllers have not fetched for long."""
    silent = [replace(one, last_fetch_ms=NOW_MS - SILENT_MS - 1) if one.key in keys else one for one in view.voters]
    return replace(view, voters=tuple(silent))


def test_a_new_controller_that_failed_does_not_prevent_the_way_back():
    """A new controller that dies as soon as it votes would have to be repaired before the old ones could return."""
    failed = controller(11).key
    back = THREE.reverted
    view = FakeQuorum(THREE).view()
    view = lost(replace(view, voters=(*view.voters, progress(failed))), failed)
    assert isinstance(next_step(back, view, finishes=True), Wait)
    assert lost_voters(back, view, finishes=True) == [controller(11)]
    given_up = frozenset({failed})
    assert next_step(back, view, finishes=True, given_up=given_up) == RemoveVoter(controller(11))
    # The way on needs it: nothing but its return helps.
    assert lost_voters(THREE, view, finishes=True) == []
    assert isinstance(next_step(THREE, view, finishes=True, given_up=given_up), Wait)


def test_a_lost_controller_leaves_before_the_leader_and_only_while_it_is_lost():
    """A healthy voter would leave while a dead one still counts, and one more death would stop the quorum."""
    dead = controller(3).key
    quorum = FakeQuorum(THREE)
    view = lost(quorum.view(), dead)
    given_up = frozenset({dead})
    assert next_step(THREE, view, finishes=False, given_up=given_up) == AddVoter(controller(11))
    quorum.voting.append(controller(11).key)
    view = lost(quorum.view(), dead)
    assert next_step(THREE, view, finishes=False, given_up=given_up) == RemoveVoter(controller(3))
    assert next_step(THREE, quorum.view(), finishes=False, given_up=given_up) == RemoveVoter(controller(1))


def test_the_last_old_controller_is_waited_for_unless_the_operator_finishes():
    """The migration would rest on a controller that is dead, and say that one can return to it."""
    migration = Migration(leaving=group(1, 2, 3), joining=group(11, 12, 13))
    quorum = FakeQuorum(migration)
    quorum.voting = [controller(one).key for one in (11, 12, 3)]
    quorum.leader = controller(11).key
    dead = controller(3).key
    view, given_up = lost(quorum.view(), dead), frozenset({dead})
    assert lost_voters(migration, view, finishes=False) == []
    assert isinstance(next_step(migration, view, finishes=False, given_up=given_up), Wait)
    assert isinstance(next_step(migration, view, finishes=True, given_up=given_up), AddVoter)


def test_a_controller_that_lags_does_not_join():
    view = FakeQuorum(THREE).view()
    others = tuple(one for one in view.observers if one.key.node_id != 11)
    behind = replace(view, observers=(*others, progress(controller(11).key, lag=LAG_MAX + 1)))
    assert next_step(THREE, behind, finishes=False) == Wait(("controller 11 is 1001 records behind",))
    absent = replace(view, observers=others)
    assert next_step(THREE, absent, finishes=False) == StartController(controller(11))


def test_a_stranger_among_the_voters_blocks():
    view = FakeQuorum(THREE).view()
    step = next_step(THREE, replace(view, voters=(*view.voters, progress(controller(7).key))), finishes=True)
    assert isinstance(step, Blocked)
    assert "make a new plan" in step.reason


def test_another_directory_under_the_same_id_is_a_stranger():
    view = FakeQuorum(THREE).view()
    lost = progress(ReplicaKey(3, b"x" * 16))
    assert isinstance(next_step(THREE, replace(view, voters=(*view.voters[:2], lost)), finishes=True), Blocked)


def sharing(size, *shared):
    """As many controllers join as leave; these of them, counted from 1, take over the address of their number."""
    new = (controller(10 + one, port=9000 + one if one in shared else None) for one in range(1, 1 + size))
    return Migration(leaving=group(*range(1, 1 + size)), joining=tuple(new))


def test_an_address_is_taken_over_after_its_owner_left():
    migration = sharing(3, 1, 2, 3)
    quorum = FakeQuorum(migration)
    quorum.running -= {voter.key for voter in migration.joining}
    assert next_step(migration, quorum.view(), finishes=False) == RemoveVoter(controller(1))
    quorum.run(migration, finishes=False, steps=2)
    assert quorum.steps[1] == StartController(migration.joining[0], after=controller(1))
    quorum.run(migration, finishes=True)
    assert {key.node_id for key in quorum.voting} == {11, 12, 13}
    assert quorum.fewest == 2


def test_those_with_addresses_of_their_own_join_before_one_leaves_for_another():
    """One voter fewer, though it could be avoided: the controller that takes over an address is named first."""
    migration = sharing(3, 1)
    quorum = FakeQuorum(migration)
    quorum.running.discard(controller(11).key)
    assert next_step(migration, quorum.view(), finishes=False) == AddVoter(controller(12))


def test_the_leader_is_the_first_whose_address_is_taken_over():
    """The old ones lead to the last step, so the new ones never do while the migration can rest."""
    migration = sharing(3, 1, 2, 3)
    quorum = FakeQuorum(migration)
    quorum.running -= {voter.key for voter in migration.joining}
    quorum.leader = controller(2).key
    quorum.run(migration, finishes=False, steps=2)
    assert quorum.steps == [RemoveVoter(controller(2)), StartController(migration.joining[1], after=controller(2))]


def test_a_lost_controller_leaves_before_one_whose_address_is_taken_over():
    """Back from a new controller that died, a healthy one would leave: of the two left one is dead, and none leads."""
    migration = sharing(3, 1, 2, 3)
    quorum = FakeQuorum(migration)
    quorum.voting = [controller(one).key for one in (11, 12, 3)]
    quorum.leader = controller(3).key
    quorum.kill(controller(12).key)
    step = next_step(migration.reverted, quorum.view(), finishes=True, given_up=frozenset({controller(12).key}))
    assert step == RemoveVoter(migration.joining[1])


@settings(max_examples=60)
@given(
    size=st.sampled_from((3, 5)),
    shared=st.sets(st.integers(1, 5)),
    interrupted_after=st.integers(0, 12),
    dies=st.booleans(),
    seed=st.integers(0, 2**16),
)
def test_a_majority_runs_whichever_addresses_are_taken_over(size, shared, interrupted_after, dies, seed):
    """A step, on the way or back from where a new controller died, leaves a quorum that cannot commit."""
    migration = sharing(size, *shared)
    quorum = FakeQuorum(migration, seed)
    quorum.running -= {voter.key for voter in migration.joining if voter.key.node_id - 10 in shared}
    quorum.run(migration, finishes=False, steps=interrupted_after)
    new = [key for key in quorum.voting if key.node_id > 10]
    if dies and new and len(quorum.voting) >= 3:
        dead = quorum.rng.choice(new)
        quorum.kill(dead)
        quorum.run(migration.reverted, finishes=True, given_up=frozenset({dead}))
    else:
        quorum.run(migration, finishes=True)
        assert isinstance(quorum.steps[-1], Finished)
        quorum.run(migration.reverted, finishes=True)
    assert isinstance(quorum.steps[-1], Finished)
    assert set(quorum.voting) == {voter.key for voter in migration.leaving}


def test_the_only_voter_cannot_give_its_address_away():
    migration = Migration(leaving=group(1), joining=(controller(11, port=9001),))
    quorum = FakeQuorum(migration)
    quorum.running.discard(controller(11).key)
    assert isinstance(next_step(migration, quorum.view(), finishes=True), Blocked)


@given(
    leaving=st.integers(1, 5),
    joining=st.integers(1, 5),
    interrupted_after=st.integers(0, 12),
    returns=st.booleans(),
    seed=st.integers(0, 2**16),
)
def test_from_anywhere_it_arrives_and_returns(leaving, joining, interrupted_after, returns, seed):
    """An interruption, a rest and a change of mind end with exactly one group; there are never too few voters."""
    migration = Migration(leaving=group(*range(1, 1 + leaving)), joining=group(*range(11, 11 + joining)))
    quorum = FakeQuorum(migration, seed)
    quorum.run(migration, finishes=False, steps=interrupted_after)
    quorum.run(migration, finishes=False)
    assert isinstance(quorum.steps[-1], Rest)
    assert sum(key.node_id < 10 for key in quorum.voting) == 1
    # Without the operator's word nothing removes the last of the old ones.
    assert len(quorum.voting) >= min(leaving, joining + 1)
    target = migration.reverted if returns else migration
    quorum.run(target, finishes=True)
    assert isinstance(quorum.steps[-1], Finished)
    assert set(quorum.voting) == {voter.key for voter in target.joining}
    assert quorum.fewest >= min(leaving, joining)
