"""The same message is logged a limited number of times in an interval."""

from __future__ import annotations

from kraftpy.model.log_rate_limiter import REASONS_MAX, REPEAT_MS, LogRateLimiter
from kraftpy.raft.ready import PeerRejected
from tests.fakes.raft_solo import Solo, vote


def test_the_same_message_about_the_same_peer_is_logged_once_in_an_interval() -> None:
    limiter = LogRateLimiter()
    assert limiter.should_log(2, "why", 0)
    assert not limiter.should_log(2, "why", REPEAT_MS - 1)
    assert limiter.should_log(3, "why", 1), "another peer"
    assert limiter.should_log(2, "how", 1), "another reason"
    assert limiter.should_log(2, "why", REPEAT_MS)
    assert not limiter.should_log(2, "why", REPEAT_MS + 1), "another interval has started"


def test_many_different_messages_are_limited_too_and_forgotten_later() -> None:
    limiter = LogRateLimiter()
    assert [limiter.should_log(None, str(number), 0) for number in range(REASONS_MAX + 5)] == [True] * REASONS_MAX + [
        False
    ] * 5
    assert limiter.should_log(None, "later", REPEAT_MS)
    assert len(limiter._windows) == 1, "what is old is not kept"


def test_a_flood_of_refused_requests_is_one_event() -> None:
    """A client can be rejected a thousand times; one event per interval reports it."""
    solo = Solo()
    stranger = vote(1, cluster_id="another cluster")
    for _ in range(1_000):
        solo.ask(stranger)
    assert sum(isinstance(event, PeerRejected) for event in solo.events) == 1
    solo.tick(REPEAT_MS)
    solo.ask(stranger)
    assert sum(isinstance(event, PeerRejected) for event in solo.events) == 2


def test_a_burst_is_logged_and_what_was_dropped_is_counted() -> None:
    """The first message of the next interval gets the number; a clock that was set back starts an interval, too."""
    limiter = LogRateLimiter(burst=2)
    assert [limiter.admit("file", 7, at_ms) for at_ms in (0, 1, 2, 3)] == [0, 0, None, None]
    assert limiter.admit("file", 7, REPEAT_MS) == 2
    assert limiter.admit("file", 7, REPEAT_MS + 1) == 0
    assert limiter.admit("file", 7, REPEAT_MS + 2) is None
    assert limiter.admit("file", 7, 5) == 1
