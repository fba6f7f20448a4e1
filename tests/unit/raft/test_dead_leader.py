"""A voter whose leader died, among voters who have not noticed yet (as Kafka's, who wait for their fetch timeout)."""

from __future__ import annotations

from kraftpy.model.errors import ErrorCode
from kraftpy.raft.messages import FetchRequest, FetchResponse, VoteRequest, VoteResponse
from kraftpy.raft.ready import Failure, LeaderLost, Role, RoleChanged, Send
from tests.fakes.raft_cluster import FixedJitter, endpoint_of
from tests.fakes.raft_solo import Solo

DEAD, BELIEVER = 2, 3
FETCH_TIMEOUT_MS = 2_000


class Haunted(Solo):
    """Knows which of its requests were not answered yet."""

    looked_at = 0

    def unanswered(self) -> list[Send]:
        fresh, self.looked_at = self.sent[self.looked_at :], len(self.sent)
        return fresh


def lost_leader() -> Haunted:
    """Return a voter whose connection to its leader was cut just now; the next one will be refused."""
    solo = Haunted(fetch_timeout_ms=FETCH_TIMEOUT_MS, jitter=FixedJitter(0.5))
    solo.follow(DEAD)
    solo.fetched()
    cut = solo.last_sent(FetchRequest)
    solo.looked_at = len(solo.sent)
    solo.fail(cut, Failure.DISCONNECTED)
    return solo


def live(solo: Haunted, until_ms: int) -> None:
    """Let time pass: whatever goes to the dead leader is refused, and the other voter believes in it."""
    while solo.now_ms < until_ms:
        for send in solo.unanswered():
            answer(solo, send)
        deadline_ms = solo.replica.next_deadline_ms()
        solo.tick(until_ms if deadline_ms is None else min(until_ms, max(deadline_ms, solo.now_ms + 1)))


def answer(solo: Solo, send: Send) -> None:
    if send.node_id == DEAD:
        solo.fail(send, Failure.REFUSED)
        return
    belief = {"leader": solo.leader(DEAD), "leader_endpoints": (endpoint_of(DEAD),)}
    if isinstance(send.request, VoteRequest):
        solo.answer(send, VoteResponse(granted=False, **belief))
    else:
        solo.answer(send, FetchResponse(partition_error=ErrorCode.NOT_LEADER_OR_FOLLOWER, **belief))


def test_word_of_a_dead_leader_is_not_believed_with_every_refusal() -> None:
    """A refused pre-vote that names the dead leader neither leads back to it nor makes the pauses short again."""
    solo = lost_leader()
    live(solo, FETCH_TIMEOUT_MS - 1)
    assert sum(isinstance(event, LeaderLost) for event in solo.events) == 1
    asked = [send for send in solo.sent if isinstance(send.request, VoteRequest) and send.node_id == BELIEVER]
    assert 2 <= len(asked) <= 12, f"{len(asked)} pre-votes in {FETCH_TIMEOUT_MS} ms"
    assert solo.replica.epoch == 1


def test_word_of_a_lost_leader_is_believed_again_after_a_fetch_timeout() -> None:
    """Who was wrong about its leader's death finds back by the others' word, once their fetch timeout is over."""
    solo = lost_leader()
    live(solo, 2 * FETCH_TIMEOUT_MS)
    roles = [event.after for event in solo.events if isinstance(event, RoleChanged)]
    assert roles.count(Role.FOLLOWER) == 2, "it followed the leader before, and once more"
