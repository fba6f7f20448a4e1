"""Who keeps a connection when there are more than places: never a voter loses one, always the silent stranger does."""

from __future__ import annotations

import pytest

from kraftpy.config_keys.connection_overrides import parse_overrides
from kraftpy.transport.kafka.admission import EVICTIONS_MAX, Admission, ConnectionLimits


class Visitor:
    def __init__(self, admission, name, address="10.0.0.1", *, is_voters=False):
        self.admission, self.name, self.address, self.is_voters = admission, name, address, is_voters
        self.reason = None

    def __repr__(self):
        return self.name

    def evict(self, reason):
        self.reason = reason
        self.admission.leave(self)


def entered(admission, names, **kwargs):
    visitors = [Visitor(admission, name, **kwargs) for name in names]
    for visitor in visitors:
        assert admission.enter(visitor)
        admission.made(visitor)
    return visitors


def test_the_silent_stranger_makes_room():
    """Beyond the limit the stranger that was silent longest is closed; who speaks is not."""
    admission = Admission(ConnectionLimits(connections=3))
    first, second, third = entered(admission, "abc")
    admission.heard(first)
    entered(admission, "d")
    assert [one.reason is None for one in (first, second, third)] == [True, False, True]
    assert "silent" in second.reason
    assert (len(admission), admission.closed, admission.refused) == (3, 1, 0)


def test_no_flood_takes_a_voter_s_place():
    """However many strangers come, a voter's connection stays, and a new connection is always let in."""
    admission = Admission(ConnectionLimits(connections=10))
    voters = entered(admission, "vw", is_voters=True)
    for number in range(1_000):
        entered(admission, [f"s{number}"])
    assert all(voter.reason is None for voter in voters)
    assert len(admission) == 10


@pytest.mark.parametrize("lowered", [ConnectionLimits(connections=2), ConnectionLimits(per_address=2)])
def test_a_lowered_limit_is_reached_as_connections_come(lowered):
    """One new connection closes several silent ones, not all of thousands in one turn; and the count gets there."""
    admission = Admission(ConnectionLimits())
    old = entered(admission, map(str, range(2 * EVICTIONS_MAX)))
    admission.limits = lowered
    entered(admission, "a")
    assert len(admission) == EVICTIONS_MAX + 1
    assert [one.reason is None for one in old] == [False] * EVICTIONS_MAX + [True] * EVICTIONS_MAX
    entered(admission, "b")
    assert len(admission) == 2
    entered(admission, "c")
    assert (len(admission), admission.closed) == (2, 2 * EVICTIONS_MAX + 1)


def test_places_that_voters_fill_are_left_to_voters():
    """Where only voters are connected no connection is closed: the new one is refused, and counted."""
    admission = Admission(ConnectionLimits(connections=2))
    entered(admission, "vw", is_voters=True)
    assert not admission.enter(Visitor(admission, "s"))
    assert (len(admission), admission.closed, admission.refused) == (2, 0, 1)


def test_an_address_has_its_own_limit():
    """One address's strangers make room among themselves; voters there are not counted, other addresses not touched."""
    limits = ConnectionLimits(per_address=2, overrides={"10.0.0.9": 1, "10.0.0.8": 0})
    admission = Admission(limits)
    (other,) = entered(admission, "o", address="10.0.0.2")
    entered(admission, "vwx", is_voters=True)
    first, second = entered(admission, "ab")
    entered(admission, "c")
    assert (first.reason is None, second.reason is None, other.reason is None) == (False, True, True)
    (alone,) = entered(admission, "d", address="10.0.0.9")
    entered(admission, "e", address="10.0.0.9")
    assert alone.reason is not None
    assert not admission.enter(Visitor(admission, "f", address="10.0.0.8")), "a limit of 0 lets nobody in"


def test_handshakes_have_a_limit():
    """Of those that are not made yet the oldest makes room; one that is made counts there no more."""
    admission = Admission(ConnectionLimits(handshakes=2))
    visitors = [Visitor(admission, name) for name in "abc"]
    for visitor in visitors[:2]:
        assert admission.enter(visitor)
    admission.made(visitors[0])
    assert admission.enter(visitors[2])
    assert admission.unmade == 2
    assert admission.enter(Visitor(admission, "d"))
    assert [one.reason is None for one in visitors] == [True, False, True]


def test_nothing_is_kept_of_those_who_left():
    """Leaving frees every place, once."""
    admission = Admission(ConnectionLimits())
    visitors = entered(admission, "abc")
    for visitor in visitors * 2:
        admission.leave(visitor)
    assert (len(admission), admission._by_address, admission._unmade) == (0, {}, {})
    admission.heard(visitors[0])
    assert len(admission) == 0


def test_overrides_are_addresses_with_numbers():
    """Addresses are read in any form of theirs; names, and numbers that are none, are refused with the item."""
    assert parse_overrides("127.0.0.1:5, [::1]:7,2001:DB8:0::1:9") == {
        "127.0.0.1": 5,
        "::1": 7,
        "2001:db8::1": 9,
    }
    for wrong in ("host:5", "127.0.0.1", "127.0.0.1:", "127.0.0.1:-1", "127.0.0.1:x", "127.0.0.1:2147483648"):
        with pytest.raises(ValueError, match=repr(wrong)):
            parse_overrides(wrong)
    with pytest.raises(ValueError, match=r"^'127\.0\.0\.1' is not address:count$"):
        parse_overrides("127.0.0.1")
