"""Nothing is acknowledged, and nothing read as current, by a controller that may have been replaced."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.raft.messages import BeginQuorumEpochRequest
from kraftpy.runtime import reads
from kraftpy.runtime.controller_loop import HEARTBEAT_SHARE_MS, HEARTBEATS_SHARE_MS_MAX
from kraftpy.runtime.reads import READ_WAIT_MS_MAX, READS_SHARE_MS_MAX
from kraftpy.runtime.waiters import CONFIRMING_MS_MAX
from kraftpy.transport.node_api import Committed, OutcomeUnknownError, ReadAt
from tests.unit.controller.worlds import beat, register, set_configs
from tests.unit.runtime.test_controller_host import WriteRequest, stored
from tests.unit.runtime.trio import LINEARIZABLE, Trio

CLIENT_METRICS = 16


def write(seconds, *, request_id=b"", **more):
    """Sets a value; appends nothing when that value is there already (a broker's would be rewritten)."""
    value = str(int(seconds) * 1_000)
    return WriteRequest(set_configs(CLIENT_METRICS, "m", ("interval.ms", value), **more), request_id)


def settled(trio, answers, count=1):
    trio.run(lambda: len(answers) == count)
    return answers


def cut_off():
    """An old leader whose value was changed by the new one, and that does not know it; and both their ids."""
    trio = Trio()
    old = trio.elect()
    assert isinstance(settled(trio, trio.write(old, write("1")))[0], Committed)
    trio.cut.add(old)
    others = {1, 2, 3} - {old}
    new = trio.elect(of=others)
    assert isinstance(settled(trio, trio.write(new, write("2")))[0], Committed)
    assert trio.leads(old)
    assert trio.nodes[old].host.controller.active
    return trio, old, new


def refused(answers):
    return [answer.code for answer in answers if isinstance(answer, ApiError)]


def test_a_deposed_leader_does_not_acknowledge_a_value_that_it_has_and_others_changed():
    """The write changes nothing in its own state, and everything in that of its successor."""
    trio, old, new = cut_off()
    answers = trio.write(old, write("1"))
    trio.turns()
    assert answers == []
    trio.run(lambda: answers)
    assert refused(answers) == [ErrorCode.NOT_CONTROLLER]
    trio.cut.clear()
    trio.run(lambda: trio.nodes[old].replica.epoch == trio.nodes[new].replica.epoch)
    trio.run(lambda: stored(trio.nodes[old]) == {"interval.ms": "2000"})


@pytest.mark.parametrize("heal", [False, True])
def test_a_deposed_leader_answers_no_linearizable_read(heal):
    trio, old, _ = cut_off()
    answers = trio.read(old)
    about_leading = trio.read(old, needs_state=False)
    if heal:
        trio.cut.clear()
    trio.run(lambda: answers and about_leading)
    assert refused(answers + about_leading) == [ErrorCode.NOT_CONTROLLER] * 2


def test_a_repeated_request_of_a_deposed_leader_is_not_answered_from_its_memory():
    """Its outcome is unknown: a client that sent it twice must not get an answer that it was not done."""
    trio = Trio()
    old = trio.elect()
    first = settled(trio, trio.write(old, write("1", request_id=b"r" * 16)))
    trio.cut.add(old)
    trio.elect(of={1, 2, 3} - {old})
    again = trio.write(old, write("1", request_id=b"r" * 16))
    trio.turns()
    assert again == []
    trio.run(lambda: again)
    assert isinstance(first[0], Committed)
    assert refused(again) == [ErrorCode.NOT_CONTROLLER]
    assert "may or may not" in again[0].message


def test_a_write_that_changes_nothing_is_acknowledged_once_a_majority_has_confirmed_it():
    trio = Trio()
    leader = trio.elect()
    first = settled(trio, trio.write(leader, write("1")))[0]
    asked = len(trio.questions(leader))
    (again,) = settled(trio, trio.write(leader, write("1")))
    (dry,) = settled(trio, trio.write(leader, write("3", validate_only=True)))
    assert (again.offset, dry.offset) == (first.offset, first.offset)
    assert stored(trio.nodes[leader]) == {"interval.ms": "1000"}
    assert len(trio.questions(leader)) > asked


def test_heartbeats_wait_for_a_confirmation_too_and_share_it():
    trio = Trio()
    leader = trio.elect()
    registered = settled(trio, trio.write(leader, WriteRequest(register(7, cluster_id="the-cluster"))))[0]
    alive = WriteRequest(beat(7, registered.response.broker_epoch, offset=registered.offset))
    settled(trio, trio.write(leader, alive))
    asked = len(trio.questions(leader))
    answers = []
    for _ in range(50):
        trio.nodes[leader].host.submit_one(alive, answers.append)
    settled(trio, answers, 50)
    assert all(isinstance(answer, Committed) for answer in answers)
    assert len(trio.questions(leader)) - asked <= 4
    trio.cut.add(leader)
    late = trio.write(leader, alive)
    trio.run(lambda: late)
    assert refused(late) == [ErrorCode.NOT_CONTROLLER]


def test_heartbeats_that_come_soon_after_one_another_share_a_confirmation():
    """A thousand brokers ask the voters hundreds of times a second, though none of them is in a hurry."""
    trio = Trio()
    leader = trio.elect()
    registered = settled(trio, trio.write(leader, WriteRequest(register(7, cluster_id="the-cluster"))))[0]
    alive = WriteRequest(beat(7, registered.response.broker_epoch, offset=registered.offset))
    settled(trio, trio.write(leader, alive))
    asked, began_ms = len(trio.questions(leader)), trio.clock.value
    first = [trio.write(leader, alive) for _ in range(9)]
    trio.turns()
    assert {type(answers[0]) for answers in first} == {Committed}, "the first ones do not wait"
    later = []
    for _ in range(3):
        trio.clock.value += 1
        trio.nodes[leader].host.submit_one(alive, later.append)
        left_ms = began_ms + HEARTBEATS_SHARE_MS_MAX - trio.clock.value
        assert trio.nodes[leader].driver.wait_ms() == left_ms, "no turn for it"
        trio.turns()
    assert later == []
    assert trio.nodes[leader].host.next_deadline_ms() == began_ms + HEARTBEATS_SHARE_MS_MAX
    trio.clock.value = began_ms + HEARTBEATS_SHARE_MS_MAX
    trio.turns()
    assert [type(answer) for answer in later] == [Committed] * 3
    assert len(trio.questions(leader)) - asked <= 4, "one question to each voter for the first, and one for the others"
    assert trio.nodes[leader].host.next_deadline_ms() == trio.clock.value + 3 * HEARTBEAT_SHARE_MS


def test_a_heartbeat_that_comes_alone_never_waits_for_others():
    """A dozen brokers send one every 170 ms: waiting for the next one would save nothing."""
    trio = Trio()
    leader = trio.elect()
    registered = settled(trio, trio.write(leader, WriteRequest(register(7, cluster_id="the-cluster"))))[0]
    alive = WriteRequest(beat(7, registered.response.broker_epoch, offset=registered.offset))
    settled(trio, trio.write(leader, alive))
    began_ms = trio.clock.value
    for _ in range(3):
        answers = trio.write(leader, alive)
        trio.turns()
        assert isinstance(answers[0], Committed)
    assert trio.clock.value == began_ms


def test_a_heartbeat_that_waits_for_others_is_refused_when_the_leadership_is_lost():
    """It is answered as a success by a controller that no longer is one, or never."""
    trio = Trio()
    leader = trio.elect()
    registered = settled(trio, trio.write(leader, WriteRequest(register(7, cluster_id="the-cluster"))))[0]
    alive = WriteRequest(beat(7, registered.response.broker_epoch, offset=registered.offset))
    settled(trio, trio.write(leader, alive))
    both = [trio.write(leader, alive) for _ in range(2)]
    trio.turns()
    assert all(both)
    late = trio.write(leader, alive)
    trio.turns()
    assert (late, trio.nodes[leader].host.waiting) == ([], 1)
    trio.cut.add(leader)
    trio.run(lambda: late)
    assert refused(late) == [ErrorCode.NOT_CONTROLLER]
    assert trio.nodes[leader].host.waiting == 0


def test_a_leader_that_is_fetched_from_and_reaches_no_voter_answers_all_the_same():
    """Followers' fetches keep it leader, so nothing else ends the wait, and what waits would fill the queue."""
    trio = Trio()
    leader = trio.elect()
    first = settled(trio, trio.write(leader, write("1", request_id=b"r" * 16)))[0]
    trio.unheard = BeginQuorumEpochRequest
    fresh = trio.write(leader, write("1"))
    again = trio.write(leader, write("1", request_id=b"r" * 16))
    trio.run(lambda: fresh and again, ms=CONFIRMING_MS_MAX + 1_000)
    assert isinstance(first, Committed)
    assert trio.leads(leader)
    assert refused(fresh) == [ErrorCode.REQUEST_TIMED_OUT]
    assert "nothing was written" in fresh[0].message
    assert isinstance(again[0], OutcomeUnknownError)
    assert trio.nodes[leader].host.waiting == 0
    trio.unheard = ()
    late = trio.write(leader, write("1"))
    trio.run(lambda: late)
    assert isinstance(late[0], Committed)


def test_reads_in_flight_share_a_round_and_cost_no_record_and_no_flush():
    """64 reads that come together cost one question to each of the others; 64 more while it is under way, another."""
    trio = Trio()
    leader = trio.elect()
    settled(trio, trio.write(leader, write("1")))
    trio.run(lambda: len({node.state_machine.next_offset for node in trio.nodes.values()}) == 1)
    before = (trio.nodes[leader].replica.log_end_offset, [each.syncs for each in trio.disks.values()])
    asked = len(trio.questions(leader))
    first = [trio.read(leader) for _ in range(64)]
    trio.nodes[leader].turn()
    second = [trio.read(leader) for _ in range(64)]
    assert not any(first + second)
    trio.turns()
    assert (first, second) == ([[None]] * 64, [[]] * 64), "they gather, for several readers ask at the same time"
    assert trio.nodes[leader].reads.next_deadline_ms() == trio.clock.value + READS_SHARE_MS_MAX
    trio.clock.value += READS_SHARE_MS_MAX
    trio.turns()
    assert second == [[None]] * 64
    assert len(trio.questions(leader)) - asked <= 4
    assert before == (trio.nodes[leader].replica.log_end_offset, [each.syncs for each in trio.disks.values()])


def test_two_readers_gather_for_two_milliseconds():
    """One for each read: few readers are not slowed down to the pace of many."""
    trio = Trio()
    leader = trio.elect()
    settled(trio, trio.write(leader, write("1")))
    asked_ms = trio.clock.value
    [trio.read(leader) for _ in range(2)]
    trio.turns()
    assert trio.nodes[leader].reads.next_deadline_ms() == asked_ms + 2


def test_who_need_not_wait_wakes_the_driver():
    """It may sleep for as long as the last turn found right. What gathers is done by a deadline that the turn knew."""
    trio = Trio()
    leader = trio.elect()
    registered = settled(trio, trio.write(leader, WriteRequest(register(7, cluster_id="the-cluster"))))[0]
    alive = WriteRequest(beat(7, registered.response.broker_epoch, offset=registered.offset))
    settled(trio, trio.write(leader, alive))
    leaves = WriteRequest(replace(alive.request, want_shutdown=True))
    loses = WriteRequest(replace(alive.request, offline_log_dirs=(bytes(15) + b"\x09",)))
    inbox = trio.nodes[leader].driver.inbox
    for is_woken, ask in (
        (True, lambda: trio.read(leader)),
        (True, lambda: trio.write(leader, alive)),
        (True, lambda: [trio.write(leader, alive) for _ in range(2)]),
        (False, lambda: trio.write(leader, alive)),
        (True, lambda: trio.write(leader, loses)),
        (True, lambda: trio.write(leader, leaves)),
        (True, lambda: [trio.read(leader) for _ in range(4)]),
        (False, lambda: trio.read(leader)),
        (True, lambda: trio.read(leader, ReadAt(min_offset=10**6, wait_ms=50))),
        (False, lambda: trio.read(leader, ReadAt(min_offset=10**6, wait_ms=100))),
        (True, lambda: trio.read(leader, ReadAt(Consistency.LINEARIZABLE, wait_ms=1))),
    ):
        inbox._woken = False
        ask()
        assert inbox._woken is is_woken
        trio.turns()


def test_a_single_reader_never_waits_for_others():
    """Each of its reads asks the voters at once, however soon it comes after the one before."""
    trio = Trio()
    leader = trio.elect()
    settled(trio, trio.write(leader, write("1")))
    asked, began_ms = len(trio.questions(leader)), trio.clock.value
    for _ in range(3):
        answers = trio.read(leader)
        trio.turns()
        assert answers == [None]
    assert trio.clock.value == began_ms
    assert len(trio.questions(leader)) - asked == 6


def test_reads_that_gather_are_refused_when_the_leadership_is_lost():
    """No ticket was taken for them: they learn it in the turn that would take one."""
    trio = Trio()
    leader = trio.elect()
    settled(trio, trio.write(leader, write("1")))
    [trio.read(leader) for _ in range(2)]
    trio.turns()
    gathering = [trio.read(leader) for _ in range(2)]
    trio.turns()
    assert gathering == [[], []]
    trio.cut.add(leader)
    trio.run(lambda: all(gathering))
    assert [refused(each) for each in gathering] == [[ErrorCode.NOT_CONTROLLER]] * 2


def test_a_read_shows_what_was_committed_when_it_came():
    """Also what this node has committed and not published yet."""
    trio = Trio()
    leader = trio.elect()
    node = trio.nodes[leader]
    done = trio.write(leader, write("7"))
    load, node.state_machine.load_slice = node.state_machine.load_slice, lambda *_: None
    try:
        for _ in range(20):
            for each in trio.nodes.values():
                each.turn()
        assert node.replica.high_watermark > node.state_machine.next_offset
        answers = trio.read(leader)
        for _ in range(20):
            for each in trio.nodes.values():
                each.turn()
        assert (done, answers) == ([], [])
    finally:
        node.state_machine.load_slice = load
    trio.turns()
    assert answers == [None]
    assert stored(node) == {"interval.ms": "7000"}


def test_only_the_leader_answers_linearizable_reads():
    trio = Trio()
    leader = trio.elect()
    follower = next(one for one in (1, 2, 3) if one != leader)
    with pytest.raises(ApiError, match=f"node {leader} appears to lead") as raised:
        trio.read(follower)
    assert raised.value.code is ErrorCode.NOT_CONTROLLER
    assert trio.nodes[follower].reads.waiting == 0


def test_a_read_waits_for_its_offset_at_any_node():
    trio = Trio()
    leader = trio.elect()
    follower = next(one for one in (1, 2, 3) if one != leader)
    trio.run(lambda: trio.nodes[follower].state_machine.caught_up_once)
    offset = trio.nodes[leader].replica.log_end_offset
    answers = [trio.read(one, ReadAt(min_offset=offset)) for one in (leader, follower)]
    both = trio.read(leader, ReadAt(Consistency.LINEARIZABLE, offset))
    trio.turns()
    assert (answers, both) == ([[], []], [])
    settled(trio, trio.write(leader, write("9")))
    trio.run(lambda: all(answers) and both)
    assert (answers, both) == ([[None], [None]], [None])
    assert trio.nodes[follower].state_machine.image.provenance.offset >= offset


def test_who_waits_in_vain_hears_where_the_node_is():
    trio = Trio()
    leader = trio.elect()
    node = trio.nodes[leader]
    end = node.state_machine.image.provenance.offset
    answers = trio.read(leader, ReadAt(min_offset=end + 50, wait_ms=100))
    trio.run(lambda: answers, ms=200)
    assert refused(answers) == [ErrorCode.REQUEST_TIMED_OUT]
    assert f"offset {end + 50} was asked for; its state ends at offset {end}" in answers[0].message
    assert node.reads.waiting == 0
    for_ever = trio.read(leader, ReadAt(min_offset=10**9, wait_ms=10**9))
    trio.run(lambda: for_ever, ms=READ_WAIT_MS_MAX + 10)
    assert refused(for_ever) == [ErrorCode.REQUEST_TIMED_OUT]


def test_a_confirmation_that_does_not_come_in_time_is_reported():
    trio, old, _ = cut_off()
    answers = trio.read(old, ReadAt(Consistency.LINEARIZABLE, wait_ms=50))
    trio.run(lambda: answers, ms=100)
    assert refused(answers) == [ErrorCode.REQUEST_TIMED_OUT]
    assert "no majority of the voters confirmed" in answers[0].message


def test_reads_that_wait_are_bounded_and_forgotten_with_their_clients(monkeypatch):
    monkeypatch.setattr(reads, "READS_WAITING_MAX", 2)
    trio = Trio()
    node = trio.nodes[trio.elect()]
    numbers = [node.reads.ask(ReadAt(min_offset=10**6), trio.clock.value, lambda _: None) for _ in range(2)]
    with pytest.raises(BusyError, match="2 reads wait already"):
        node.reads.ask(LINEARIZABLE, trio.clock.value, lambda _: None)
    node.reads.abandon(numbers[0])
    node.reads.abandon(numbers[0])
    assert node.reads.waiting == 1
    answers = []
    node.reads.ask(LINEARIZABLE, trio.clock.value, answers.append)
    node.reads.close()
    assert refused(answers) == [ErrorCode.NOT_CONTROLLER]
    with pytest.raises(ApiError, match="the node stops"):
        node.reads.ask(LINEARIZABLE, trio.clock.value, answers.append)


def test_a_leader_that_is_not_active_yet_lets_reads_wait():
    """Until a record of its own epoch is committed it does not know all that was committed before."""
    trio = Trio()
    old = trio.elect()
    settled(trio, trio.write(old, write("5")))
    trio.cut.add(old)
    others = {1, 2, 3} - {old}
    answers = []

    def elected():
        new = next((one for one in others if trio.leads(one)), None)
        if new is not None and not answers:
            node = trio.nodes[new]
            node.reads.ask(LINEARIZABLE, trio.clock.value, lambda why: answers.append((why, node.host.active_epoch)))
        return answers

    trio.run(elected)
    why, active_epoch = answers[0]
    assert why is None
    assert active_epoch is not None
