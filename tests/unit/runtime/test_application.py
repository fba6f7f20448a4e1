"""What a node's log says of its replica is true of the replica that it is."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from kraftpy.model.replica_status import VoterStatus
from kraftpy.raft.ready import EligibilityChanged
from kraftpy.runtime.application import OBSERVER_CAUGHT_UP, VOTER_ELIGIBLE
from tests.unit.runtime.parts import LoneController


@pytest.mark.parametrize(
    ("replica", "stated"),
    [
        ({"voters": (1, 2, 3)}, VOTER_ELIGIBLE),
        ({"voters": (2, 3, 4)}, OBSERVER_CAUGHT_UP),
        ({"voters": (2, 3, 4), "can_vote": False}, OBSERVER_CAUGHT_UP),
    ],
    ids=["voter", "observer", "broker"],
)
def test_only_a_voter_states_that_its_vote_counts_again(replica, stated):
    """A broker whose log was repaired logs that its vote counts, and it has none."""
    node = LoneController(**replica)
    with capture_logs() as lines:
        node.driver.application.on_event(EligibilityChanged(VoterStatus.EMPTY, VoterStatus.ELIGIBLE, "caught up"))
    (line,) = lines
    assert (line["event"], line["before"], line["reason"]) == (stated, "empty", "caught up")
