"""A peer that repeats itself is told of now and then."""

from __future__ import annotations

from kraftpy.raft.log_rate_limiter import REASONS_MAX, REPEAT_MS, LogRateLimiter
from kraftpy.raft.ready import PeerRejected
from tests.fakes.raft_solo import Solo, vote


def test_the_same_word_about_the_same_peer_is_told_once_in_an_interval() -> None:
    told = LogRateLimiter()
    assert told.should_log(2, "why", 0)
    assert not told.should_log(2, "why", REPEAT_MS - 1)
    assert told.should_log(3, "why", 1), "another peer"
    assert told.should_log(2, "how", 1), "another reason"
    assert told.should_log(2, "why", REPEAT_MS)
    assert not told.should_log(2, "why", REPEAT_MS + 1), "the interval starts anew"


def test_many_different_words_are_limited_too_and_forgotten_later() -> None:
    told = LogRateLimiter()
    assert [told.should_log(None, str(number), 0) for number in range(REASONS_MAX + 5)] == [True] * REASONS_MAX + [
        False
    ] * 5
    assert told.should_log(None, "later", REPEAT_MS)
    assert len(told._last_ms) == 1, "what is old is not kept"


def test_a_flood_of_refused_requests_is_one_event() -> None:
    """Whoever reaches the port can be refused a thousand times; people hear of it once in the interval."""
    solo = Solo()
    stranger = vote(1, cluster_id="another cluster")
    for _ in range(1_000):
        solo.ask(stranger)
    assert sum(isinstance(event, PeerRejected) for event in solo.events) == 1
    solo.tick(REPEAT_MS)
    solo.ask(stranger)
    assert sum(isinstance(event, PeerRejected) for event in solo.events) == 2
