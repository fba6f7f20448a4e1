"""A turn takes a slice of what waits, voters first: a flood of strangers' requests delays no voter, and no deadline."""

from __future__ import annotations

import pytest

from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import ReplicaKey, Voter, VoterSet
from kraftpy.raft import messages as m
from kraftpy.raft.ready import Failure, RequestAbandoned, RequestFailed, RequestReceived, Role
from kraftpy.runtime import inbox as inbox_module
from kraftpy.runtime import peer_requests
from kraftpy.runtime.controller_loop import DECIDING_MS
from kraftpy.runtime.inbox import ITEMS_PER_TURN_MAX, Inbox
from tests.unit.runtime.parts import CLUSTER, Bench, LoneController, ManualClock
from tests.unit.runtime.test_controller_host import write

FLOOD = 60_000


def fetch_of(node_id, epoch=0):
    return m.FetchRequest(
        cluster_id=CLUSTER, replica=ReplicaKey(node_id, bytes([node_id]) * 16), epoch=epoch, fetch_offset=0,
        last_fetched_epoch=0, max_wait_ms=0, max_bytes=1_000,
    )  # fmt: skip


def ballot_of(node_id, epoch=1):
    last = OffsetAndEpoch(epoch=0, offset=0)
    return m.VoteRequest(cluster_id=CLUSTER, voter=None, candidate=ReplicaKey(node_id), epoch=epoch, last=last)


def flooded(controller, count=FLOOD):
    for token in range(count):
        controller.driver.deliver(RequestReceived(token, m.DescribeQuorumRequest()))
    return controller


def answered(controller):
    """The tokens that were answered, in order."""
    return [entry[1] for entry in controller.peers.journal if entry[0] == "reply"]


@pytest.mark.parametrize("request_of", [fetch_of, ballot_of])
def test_a_voter_is_served_within_one_slice(request_of):
    """A voter's request behind 60,000 of strangers is answered in the next turn, which takes few of those."""
    controller = flooded(LoneController(voters=(1, 2, 3)))
    controller.driver.deliver(RequestReceived(FLOOD, request_of(2)))
    controller.turn()
    tokens = answered(controller)
    assert FLOOD in tokens
    assert len(tokens) <= ITEMS_PER_TURN_MAX + 1
    assert len(controller.driver.inbox) == FLOOD - ITEMS_PER_TURN_MAX
    assert controller.driver.inbox.ordinary == FLOOD - ITEMS_PER_TURN_MAX


def test_the_flood_is_served_too_and_in_its_order():
    """Slice by slice every request of the flood is answered, in the order in which they came."""
    controller = flooded(LoneController(voters=(1, 2, 3)), 1_000)
    turns = 0
    while len(controller.driver.inbox):
        controller.turn()
        turns += 1
    assert answered(controller) == list(range(1_000))
    assert turns == -(-1_000 // ITEMS_PER_TURN_MAX)


def test_deadlines_are_kept_between_the_slices():
    """A deadline that comes while a flood waits is acted on in the next turn, not behind the flood."""
    controller = flooded(LoneController(voters=(1, 2, 3)))
    controller.turn()
    assert controller.replica.role is not Role.PROSPECTIVE
    controller.clock.value += 60_000
    controller.turn()
    assert controller.replica.role is Role.PROSPECTIVE
    assert any(entry[0] == "send" for entry in controller.peers.journal)
    assert len(controller.driver.inbox) > FLOOD // 2


def test_a_slice_ends_by_the_clock():
    """Items that take long end the slice early; one of the ordinary lane is always taken, and all of the urgent one."""
    clock, inbox, done = ManualClock(), Inbox(), []

    def slow(name):
        def item(_now_ms):
            clock.value += inbox_module.TURN_MS
            done.append(name)

        return item

    for name in ("first", "second"):
        inbox.put_nowait(slow(name))
    for name in ("answer", "vote"):
        inbox.put_unbounded(slow(name))
    inbox.work_off(clock.now_ms(), clock.now_ms)
    assert done == ["answer", "vote", "first"]
    inbox.work_off(clock.now_ms(), clock.now_ms)
    assert done[3:] == ["second"]


def test_an_item_that_queues_items_does_not_prolong_its_slice():
    """What is put while a slice runs waits for the next one, in either lane."""
    clock, inbox, done = ManualClock(), Inbox(), []

    def again(_now_ms):
        done.append("again")
        inbox.put_unbounded(again)
        inbox.put_nowait(again)

    inbox.put_unbounded(again)
    inbox.work_off(clock.now_ms(), clock.now_ms)
    assert done == ["again", "again"], "the ordinary one was put before its lane was looked at"
    assert len(inbox) == 3


# Who is urgent.


class Voting(Bench):
    """A driver between fakes, of a quorum of three."""

    def __init__(self):
        super().__init__()
        self.replica.voters = VoterSet.of(Voter(ReplicaKey(one, bytes([one]) * 16)) for one in (1, 2, 3))

    def stepped(self):
        """The tokens of the requests that the replica gets in one turn, in order."""
        return [entry[1].token for entry in self.turn() if isinstance(entry, tuple) and entry[0] == "step"]


def test_only_a_voter_s_own_key_is_urgent():
    """An observer's id, a voter's id with another directory, and requests without an id wait with everybody else's."""
    bench = Voting()
    stranger = m.FetchRequest(
        cluster_id=CLUSTER, replica=ReplicaKey(2, b"x" * 16), epoch=0, fetch_offset=0, last_fetched_epoch=0,
        max_wait_ms=0, max_bytes=1,
    )  # fmt: skip
    begin = m.BeginQuorumEpochRequest(cluster_id=CLUSTER, voter=None, leader_id=3, epoch=1)
    end = m.EndQuorumEpochRequest(cluster_id=CLUSTER, leader_id=2, epoch=1)
    asked = [stranger, fetch_of(9), m.DescribeQuorumRequest(), fetch_of(2), begin, end]
    for token, request in enumerate(asked):
        bench.driver.deliver(RequestReceived(token, request))
    assert bench.stepped() == [3, 4, 5, 0, 1, 2]


def test_answers_to_our_own_requests_overtake_strangers():
    """A flood does not delay the answer that this node waits for."""
    bench = Voting()
    bench.driver.deliver(RequestReceived(1, m.DescribeQuorumRequest()))
    fate = RequestFailed(7, Failure.TIMED_OUT)
    bench.driver.deliver(fate)
    assert bench.turn()[0] == ("step", fate)


def test_a_flood_under_a_voter_s_id_does_not_fill_the_urgent_lane():
    """Of many requests under one voter's id a few are urgent; another voter's request waits behind none of the rest."""
    bench = Voting()
    for token in range(10_000):
        bench.driver.deliver(RequestReceived(token, fetch_of(2)))
    bench.driver.deliver(RequestReceived(FLOOD, fetch_of(3)))
    limit = peer_requests.URGENT_PER_VOTER_MAX
    assert bench.driver.inbox.ordinary == 10_000 - limit
    stepped = bench.stepped()
    assert stepped[: limit + 1] == [*range(limit), FLOOD]
    assert len(stepped) == limit + 1 + ITEMS_PER_TURN_MAX
    bench.driver.deliver(RequestReceived(FLOOD + 1, fetch_of(2)))
    assert bench.stepped()[0] == FLOOD + 1, "with its places free again a voter is urgent again"


def test_an_abandoned_request_is_never_taken():
    """A request that waits is dropped with its connection; one that the replica has is reported to it as ended."""
    bench = Voting()
    bench.driver.deliver(RequestReceived(1, fetch_of(2)))
    bench.driver.deliver(RequestReceived(2, m.DescribeQuorumRequest()))
    for token in (1, 2):
        bench.driver.deliver(RequestAbandoned(token))
    assert bench.turn() == []
    bench.driver.deliver(RequestReceived(3, fetch_of(2)))
    assert bench.stepped() == [3]
    bench.driver.deliver(RequestAbandoned(3))
    assert bench.turn() == [("step", RequestAbandoned(3))]


def test_connections_that_come_and_go_keep_no_voter_waiting():
    """Abandoned requests under a voter's id still fill its places until their turn: the lane stays as short as that."""
    bench = Voting()
    for token in range(5_000):
        bench.driver.deliver(RequestReceived(token, fetch_of(2)))
        bench.driver.deliver(RequestAbandoned(token))
    waiting = len(bench.driver.inbox) - bench.driver.inbox.ordinary
    assert waiting == peer_requests.URGENT_PER_VOTER_MAX
    bench.driver.deliver(RequestReceived(FLOOD, fetch_of(3)))
    assert FLOOD in bench.stepped()


def test_deciding_ends_by_the_clock(monkeypatch):
    """Writes that take long to decide leave the rest to the next turn; at least one is decided in each."""
    node = LoneController().settle()
    spent_ms = iter(range(0, 10**6, DECIDING_MS))
    monkeypatch.setattr(node.host, "_clock_ms", lambda: next(spent_ms))
    decided = []
    monkeypatch.setattr(node.host, "_decide", lambda pending, *_: decided.append(pending))
    for number in range(3):
        node.submit(write(str(number)))
    for turn in (1, 2, 3):
        node.turn()
        assert len(decided) == turn
