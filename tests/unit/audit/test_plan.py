"""What the plan of a replay settles beforehand: which voters a leader had to name."""

from __future__ import annotations

import pytest

from kraftpy.audit.reading.rows import Entry
from kraftpy.audit.replay.plan import LeaderElection
from kraftpy.records.control import LeaderChangeMessage, LeaderChangeMessageVoter


def at(offset: int, *, epoch: int = 3, timestamp_ms: int = 7) -> Entry:
    place = {"file": "f", "kind": "log", "offset": offset, "epoch": epoch, "timestamp_ms": timestamp_ms}
    return Entry(**place, control=True, api_key=2, version=0, raw=b"")


def election(before: str | None, behind: str | None) -> LeaderElection:
    """A leader of three named voters."""
    message = LeaderChangeMessage(leader_id=1, voters=[LeaderChangeMessageVoter(one) for one in (3, 1, 2)])
    return LeaderElection(at(10), message, before, behind, last=10)


@pytest.mark.parametrize(
    ("before", "behind", "in_force"),
    [
        (None, None, None),
        ("1,2,3", None, "1,2,3"),
        ("1,2,3", "1,2", "1,2,3"),
        ("1,2", "1,2,3", "1,2,3"),
        ("1,2", "1", "1,2"),
        (None, "1,2,3", "1,2,3"),
    ],
)
def test_the_voters_of_its_own_batch_count_where_it_names_them(before, behind, in_force):
    """Otherwise those before it do; a set behind it that it does not name is the next one's."""
    assert election(before, behind).in_force == in_force


def test_a_batch_ends_where_a_record_does_not_follow_on():
    """Another epoch or time is another batch, and so is what follows a record that is not the quorum's."""
    assert election(None, None).goes_on_with(at(11))
    assert not any(
        election(None, None).goes_on_with(entry) for entry in (at(12), at(10), at(11, epoch=4), at(11, timestamp_ms=8))
    )
