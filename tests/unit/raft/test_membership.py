"""Changing who votes (KIP-853), joining by oneself (KIP-1186), handing over the leadership."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.model.errors import BusyError, ErrorCode, LocalError, NotLeaderError
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter
from kraftpy.raft import voter_changes
from kraftpy.raft.messages import (
    AddRaftVoterRequest,
    AddRaftVoterResponse,
    FetchRequest,
    RaftRequest,
    RaftResponse,
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
    UpdateRaftVoterRequest,
)
from kraftpy.raft.ready import Failure, Reply, RequestReceived, Role, Send
from kraftpy.records.rpc import decode_request, encode_request
from kraftpy.transport.kafka.translate import BY_REQUEST
from tests.fakes.raft_cluster import Cluster, FakeNode, endpoint_of
from tests.fakes.raft_solo import key_of

ASKED = 1_000_000
"""A token that no message between the nodes has."""


class Quorum(Cluster):
    """A cluster with an operator, whose requests and answers go by hand."""

    def __init__(self, voters: tuple[int, ...] = (1, 2, 3), **config: object) -> None:
        self.answers: dict[int, RaftResponse] = {}
        self.descriptions = 0
        self._asked = ASKED
        super().__init__(voters, dynamic=True, **config)

    def emit(self, node: FakeNode, message: object) -> None:
        self.descriptions += isinstance(message, Send) and isinstance(message.request, UpdateRaftVoterRequest)
        if isinstance(message, Reply) and message.token > ASKED:
            self.answers[message.token] = message.response
        else:
            super().emit(node, message)

    def ask(self, node_id: int, request: RaftRequest) -> int:
        self._asked += 1
        self.inject(node_id, RequestReceived(self._asked, request))
        return self._asked

    def answer(self, token: int, within_ms: int = 5_000) -> RaftResponse:
        assert self.run(within_ms, lambda: token in self.answers), f"no answer: {self.describe()}"
        return self.answers[token]

    def join(self, node_id: int, **config: object) -> ReplicaKey:
        """Start an observer that could vote."""
        return self.add_node(node_id, can_vote=True, **config).key

    def voters(self, node_id: int) -> tuple[int, ...]:
        return self.replica(node_id).voters.ids


def add(
    key: ReplicaKey, *, timeout_ms: int = 2_000, ack: bool = True, listener: str = "CONTROLLER"
) -> AddRaftVoterRequest:
    where = endpoint_of(key.node_id)
    return AddRaftVoterRequest(
        cluster_id="cluster",
        voter=key,
        endpoints=(Endpoint(listener, where.host, where.port),),
        timeout_ms=timeout_ms,
        ack_when_committed=ack,
    )


def remove(key: ReplicaKey) -> RemoveRaftVoterRequest:
    return RemoveRaftVoterRequest(cluster_id="cluster", voter=key)


def test_a_caught_up_observer_becomes_a_voter_and_counts() -> None:
    quorum = Quorum()
    leader = quorum.elect(1)
    quorum.propose(b"before")
    key = quorum.join(4)
    answer = quorum.answer(quorum.ask(1, add(key)))
    assert answer == AddRaftVoterResponse()
    quorum.settle()
    assert [quorum.voters(node_id) for node_id in (1, 2, 3, 4)] == [(1, 2, 3, 4)] * 4
    assert isinstance(answer, AddRaftVoterResponse)
    assert answer.offset == quorum.replica(1)._state.voter_set_history.offset
    # Three of four are a majority now: without 2 and 3, nothing is committed.
    quorum.isolate(2)
    quorum.isolate(3)
    committed = leader.committed
    quorum.propose(b"two of four")
    quorum.run(300)
    assert leader.committed == committed


def test_a_leader_shows_its_observers_and_the_change_that_waits() -> None:
    """A replica that joins is an observer, until it is a voter; the change is pending until it is committed."""
    quorum = Quorum()
    leader = quorum.elect(1).alive
    quorum.settle()
    assert (leader.count_observers(quorum.now_ms), leader.changes_voters) == (0, False)
    key = quorum.join(4)
    quorum.settle()
    assert (leader.count_observers(quorum.now_ms), leader.changes_voters) == (1, False)
    for node_id in (2, 3, 4):
        quorum.isolate(node_id)
    token = quorum.ask(1, add(key))
    assert leader.changes_voters
    quorum.heal()
    assert quorum.answer(token) == AddRaftVoterResponse()
    quorum.settle()
    assert (leader.count_observers(quorum.now_ms), leader.changes_voters) == (0, False)
    follower = quorum.replica(2)
    assert (follower.count_observers(quorum.now_ms), follower.changes_voters) == (None, None)


def test_an_observer_that_has_not_caught_up_is_waited_for() -> None:
    quorum = Quorum()
    quorum.elect(1)
    key = quorum.join(4)  # it has said nothing to anybody so far
    token = quorum.ask(1, add(key))
    assert token not in quorum.answers
    assert quorum.answer(token) == AddRaftVoterResponse()


def test_a_replica_that_never_fetches_is_not_added() -> None:
    quorum = Quorum()
    quorum.elect(1)
    key = quorum.join(4)
    # Its answers come through, its fetches do not.
    token = quorum.ask(1, add(key, timeout_ms=500))
    quorum.on_ready = None
    drop = {"FetchRequest"}

    def wanted() -> bool:
        quorum.wire = [each for each in quorum.wire if each.source != 4 or type(each.message).__name__ not in drop]
        return token in quorum.answers

    for _ in range(200):
        if wanted():
            break
        envelope = quorum.wire[0] if quorum.wire else None
        if envelope is not None:
            quorum.deliver(envelope)
        else:
            quorum.advance_to(quorum.next_deadline_ms() or quorum.now_ms)
    answer = quorum.answers[token]
    assert isinstance(answer, AddRaftVoterResponse)
    assert answer.error is ErrorCode.REQUEST_TIMED_OUT
    assert "has not caught up: it does not fetch" in (answer.message or "")
    assert quorum.voters(1) == (1, 2, 3)


def test_a_voter_that_cannot_be_reached_where_it_states_is_not_added() -> None:
    quorum = Quorum()
    quorum.elect(1)
    answer = quorum.answer(quorum.ask(1, add(ReplicaKey(9, b"9" * 16))))
    assert isinstance(answer, AddRaftVoterResponse)
    assert answer.error is ErrorCode.REQUEST_TIMED_OUT
    assert Failure.REFUSED.value in (answer.message or "")


@pytest.mark.parametrize(
    ("request_of", "error", "text"),
    [
        (lambda q: add(ReplicaKey(2, b"x" * 16)), ErrorCode.DUPLICATE_VOTER, "is a voter already"),
        (
            lambda q: add(ReplicaKey(4)),
            ErrorCode.INVALID_REQUEST,
            "Add voter request didn't include a valid voter: 4 lacks a node id or a directory id",
        ),
        (
            lambda q: remove(ReplicaKey(2)),
            ErrorCode.INVALID_REQUEST,
            "Remove voter request didn't include a valid voter: 2 lacks a node id or a directory id",
        ),
        (lambda q: add(ReplicaKey(4, b"4" * 16), listener="OTHER"), ErrorCode.INVALID_REQUEST, "no endpoint of"),
        (lambda q: remove(ReplicaKey(4, b"4" * 16)), ErrorCode.VOTER_NOT_FOUND, "is not a voter"),
        (lambda q: remove(ReplicaKey(2, b"x" * 16)), ErrorCode.VOTER_NOT_FOUND, "is not a voter"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_reason(request_of, error, text) -> None:
    quorum = Quorum()
    quorum.elect(1)
    answer = quorum.answer(quorum.ask(1, request_of(quorum)))
    assert answer.error is error
    assert text in answer.message
    assert quorum.voters(1) == (1, 2, 3)


def test_only_the_leader_changes_the_set() -> None:
    quorum = Quorum()
    quorum.elect(1)
    answer = quorum.answer(quorum.ask(2, remove(quorum.nodes[3].key)))
    assert answer.error is ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert "the leader is 1" in answer.message


def test_a_static_quorum_states_that_it_must_be_upgraded_first() -> None:
    cluster = Cluster()
    cluster.elect(1)
    answers: list[RaftResponse] = []
    emit = cluster.emit
    cluster.emit = lambda node, message: (
        answers.append(message.response)
        if isinstance(message, Reply) and message.token > ASKED
        else emit(node, message)
    )
    cluster.inject(1, RequestReceived(ASKED + 1, remove(cluster.nodes[3].key)))
    assert [answer.error for answer in answers] == [ErrorCode.UNSUPPORTED_VERSION]
    assert "kraft.version=1" in answers[0].message


def test_changes_go_one_after_the_other() -> None:
    quorum = Quorum((1, 2, 3, 4, 5))
    quorum.elect(1)
    quorum.cut |= {(2, 1), (3, 1), (4, 1), (5, 1)}  # nothing is committed meanwhile
    first = quorum.ask(1, remove(quorum.nodes[5].key))
    second = quorum.ask(1, remove(quorum.nodes[4].key))
    answer = quorum.answers[second]
    assert answer.error is ErrorCode.REQUEST_TIMED_OUT
    assert "another change is on its way: remove 5" in answer.message
    quorum.cut.clear()
    assert quorum.answer(first) == RemoveRaftVoterResponse()
    assert quorum.answer(quorum.ask(1, remove(quorum.nodes[4].key))) == RemoveRaftVoterResponse()
    assert quorum.voters(1) == (1, 2, 3)


def test_a_change_that_timed_out_still_blocks_others_until_it_is_committed() -> None:
    quorum = Quorum((1, 2, 3, 4, 5))
    quorum.elect(1)
    quorum.cut |= {(2, 1), (3, 1), (4, 1), (5, 1)}
    assert quorum.answer(quorum.ask(1, remove(quorum.nodes[5].key))).error is ErrorCode.REQUEST_TIMED_OUT
    assert quorum.replica(1).role is Role.LEADER
    answer = quorum.answers[quorum.ask(1, remove(quorum.nodes[4].key))]
    assert answer.error is ErrorCode.REQUEST_TIMED_OUT
    assert "is not committed yet" in answer.message
    assert quorum.voters(1) == (1, 2, 3, 4)


def test_a_removal_is_decided_by_the_majority_that_is_left() -> None:
    quorum = Quorum()
    quorum.elect(1)
    quorum.isolate(2)
    assert quorum.answer(quorum.ask(1, remove(quorum.nodes[3].key))).error is ErrorCode.REQUEST_TIMED_OUT
    assert quorum.voters(1) == (1, 2)  # it counts from its append, and may yet be committed
    quorum.heal()
    quorum.run(5_000)
    leader = quorum.elect()
    assert leader.alive.voters.ids in {(1, 2), (1, 2, 3)}


def test_a_leader_that_is_removed_answers_first_and_resigns_then() -> None:
    quorum = Quorum()
    quorum.elect(1)
    assert quorum.answer(quorum.ask(1, remove(quorum.nodes[1].key))) == RemoveRaftVoterResponse()
    assert quorum.replica(1).role is Role.RESIGNED
    successor = quorum.elect()
    assert successor.id in {2, 3}
    assert successor.alive.voters.ids == (2, 3)
    epoch = successor.alive.epoch
    quorum.run(10_000)
    assert quorum.leader() is successor
    assert successor.alive.epoch == epoch, "the node that was removed disturbs nobody"


def test_a_leader_that_crashed_with_its_own_removal_uncommitted_leads_until_it_is_committed() -> None:
    """Raft dissertation §4.2.2: no other log is long enough for the votes of those that remain."""
    quorum = Quorum((1, 2))
    quorum.elect(1)
    quorum.settle()
    quorum.isolate(1)
    quorum.ask(1, remove(quorum.nodes[1].key))
    assert quorum.voters(1) == (2,)
    quorum.restart(1)
    quorum.heal()
    assert quorum.run(20_000, lambda: quorum.leader() is quorum.nodes[2]), quorum.describe()
    assert [quorum.voters(node_id) for node_id in (1, 2)] == [(2,), (2,)]
    quorum.settle()
    epoch = quorum.replica(2).epoch
    quorum.run(10_000)
    assert quorum.replica(2).epoch == epoch, "once its removal is committed it disturbs nobody"


def test_an_observer_finds_voters_that_its_log_names_and_its_configuration_does_not() -> None:
    """All bootstrap servers may leave the voter set, and know no leader then."""
    quorum = Quorum((1, 2))
    quorum.elect(1)
    key = quorum.join(3)
    quorum.settle()
    assert quorum.answer(quorum.ask(1, add(key))).error is ErrorCode.NONE
    assert quorum.answer(quorum.ask(1, remove(quorum.nodes[2].key))).error is ErrorCode.NONE
    assert quorum.answer(quorum.ask(1, remove(quorum.nodes[1].key))).error is ErrorCode.NONE
    quorum.settle()
    assert quorum.voters(2) == (3,)
    for node_id in (1, 2):
        quorum.restart(node_id)
    assert quorum.leader() is quorum.nodes[3]
    quorum.propose(b"after")
    assert quorum.run(20_000, quorum.is_settled), quorum.describe()


def test_a_new_leader_decides_about_a_change_that_its_predecessor_appended() -> None:
    quorum = Quorum()
    quorum.elect(1)
    quorum.isolate(1)
    token = quorum.ask(1, remove(quorum.nodes[3].key))
    assert quorum.voters(1) == (1, 2)
    quorum.elect(2)
    quorum.heal()
    quorum.settle()
    assert quorum.answers[token].error in {ErrorCode.REQUEST_TIMED_OUT, ErrorCode.NOT_LEADER_OR_FOLLOWER}
    # It was cut from 1's log, and with it its effect.
    assert [quorum.voters(node_id) for node_id in (1, 2, 3)] == [(1, 2, 3)] * 3


def test_an_epoch_that_has_committed_nothing_changes_nothing() -> None:
    quorum = Quorum()
    quorum.elect(1)
    quorum.start_election(2)
    quorum.deliver_all(lambda each: "Vote" in type(each.message).__name__)
    assert quorum.replica(2).role is Role.LEADER
    answer = quorum.answers[quorum.ask(2, remove(quorum.nodes[3].key))]
    assert answer.error is ErrorCode.REQUEST_TIMED_OUT
    assert "has committed nothing yet" in answer.message


def test_from_one_voter_to_three_and_back() -> None:
    quorum = Quorum((1,))
    quorum.elect(1)
    for node_id in (2, 3):
        assert quorum.answer(quorum.ask(1, add(quorum.join(node_id)))) == AddRaftVoterResponse()
    quorum.propose(b"with three")
    quorum.settle()
    for node_id in (3, 2):
        assert quorum.answer(quorum.ask(1, remove(quorum.nodes[node_id].key))) == RemoveRaftVoterResponse()
    assert quorum.answer(quorum.ask(1, remove(quorum.nodes[1].key))).error is ErrorCode.VOTER_NOT_FOUND
    quorum.crash(2)
    quorum.crash(3)
    quorum.propose(b"alone")
    quorum.settle()


def test_a_new_voter_can_lead() -> None:
    quorum = Quorum()
    quorum.elect(1)
    assert quorum.answer(quorum.ask(1, add(quorum.join(4)))) == AddRaftVoterResponse()
    quorum.settle()
    quorum.replica(1).begin_transfer(quorum.now_ms, quorum.replica(1).epoch, 4)
    quorum.pump(quorum.nodes[1])
    assert quorum.run(5_000, lambda: quorum.replica(4).role is Role.LEADER)


# Descriptions.


def test_a_voter_that_moved_reports_it_and_the_set_follows() -> None:
    quorum = Quorum()
    quorum.elect(1)
    moved = Endpoint("CONTROLLER", "elsewhere", 9)
    quorum.crash(3)
    config = quorum.nodes[3].config
    quorum.nodes[3].config = replace(config, own_endpoints=(moved,))
    quorum.start(3)

    def known() -> bool:
        voter = quorum.replica(2).voters.by_id(3)
        return voter is not None and voter.endpoints == (moved,)

    assert quorum.run(20_000, known)


def test_a_voter_whose_endpoints_are_listed_in_another_order_has_not_moved() -> None:
    """Kafka writes them in any order, and the set would otherwise be appended again and again."""
    quorum = Quorum()
    quorum.elect(1)
    both = (endpoint_of(3), Endpoint("SECOND", "h", 9))

    def restart(endpoints: tuple[Endpoint, ...]) -> None:
        quorum.crash(3)
        quorum.nodes[3].config = replace(quorum.nodes[3].config, own_endpoints=endpoints)
        quorum.start(3)

    def known() -> tuple[Endpoint, ...]:
        voter = quorum.replica(2).voters.by_id(3)
        return () if voter is None else voter.endpoints

    restart(both)
    assert quorum.run(20_000, lambda: known() == both)
    restart(both[::-1])
    before = quorum.descriptions
    assert before, "it reported its endpoints"
    assert not quorum.run(10_000, lambda: quorum.descriptions != before), "the follower reports nothing"
    update = UpdateRaftVoterRequest(
        cluster_id=None, epoch=quorum.replica(1).epoch, voter=quorum.nodes[3].key, endpoints=both[::-1],
        kraft_version_min=0, kraft_version_max=1,
    )  # fmt: skip
    assert quorum.answer(quorum.ask(1, update)).error is ErrorCode.NONE
    assert not quorum.run(1_000, lambda: known() != both), "the leader appends nothing"
    quorum.elect(3)
    assert not quorum.run(1_000, lambda: known() != both), "the voter as the leader corrects nothing"


def test_who_is_no_voter_describes_nothing() -> None:
    quorum = Quorum()
    quorum.elect(1)
    stranger = UpdateRaftVoterRequest(
        cluster_id="cluster",
        epoch=quorum.replica(1).epoch,
        voter=ReplicaKey(9, b"9" * 16),
        endpoints=(endpoint_of(9),),
        kraft_version_min=0,
        kraft_version_max=1,
    )
    assert quorum.answers[quorum.ask(1, stranger)].error is ErrorCode.VOTER_NOT_FOUND


# kraft.version 0 to 1.


def test_a_static_quorum_is_upgraded_once_all_have_described_themselves() -> None:
    cluster = Cluster()
    leader = cluster.elect(1)
    epoch = leader.alive.epoch
    with pytest.raises(LocalError, match=r"the voters \[2, 3\] have not reported yet"):
        leader.alive.upgrade_kraft_version(cluster.now_ms, epoch, 1)
    cluster.run(5_000)
    assert leader.alive.upgrade_kraft_version(cluster.now_ms, epoch, 1, validate_only=True) is None
    assert leader.alive.kraft_version == 0
    offset = leader.alive.upgrade_kraft_version(cluster.now_ms, epoch, 1)
    cluster.pump(leader)
    cluster.settle()
    assert offset == leader.alive.log_end_offset - 1
    for node_id in (1, 2, 3):
        replica = cluster.replica(node_id)
        assert replica.kraft_version == 1
        assert [voter.key for voter in replica.voters] == [cluster.nodes[each].key for each in (1, 2, 3)]
    assert leader.alive.upgrade_kraft_version(cluster.now_ms, epoch, 1) is None
    with pytest.raises(LocalError, match="1 is the highest"):
        leader.alive.upgrade_kraft_version(cluster.now_ms, epoch, 2)
    with pytest.raises(NotLeaderError):
        cluster.replica(2).upgrade_kraft_version(cluster.now_ms, epoch, 1)


def test_after_the_upgrade_another_directory_under_a_voters_id_is_an_observer() -> None:
    cluster = Cluster()
    leader = cluster.elect(1)
    cluster.run(5_000)
    leader.alive.upgrade_kraft_version(cluster.now_ms, leader.alive.epoch, 1)
    cluster.pump(leader)
    cluster.settle()
    stranger = ReplicaKey(3, b"z" * 16)
    fetch = FetchRequest(
        cluster_id="cluster",
        replica=stranger,
        epoch=leader.alive.epoch,
        fetch_offset=0,
        last_fetched_epoch=0,
        max_wait_ms=0,
        max_bytes=1,
    )
    cluster.inject(1, RequestReceived(ASKED + 1, fetch))
    shown = leader.alive.describe(cluster.now_ms)
    assert [observer.key for observer in shown.observers] == [stranger]
    voter = next(each for each in shown.voters if each.key.node_id == 3)
    assert (voter.key, voter.log_end_offset) == (cluster.nodes[3].key, leader.alive.log_end_offset)


# Joining by oneself.


def joined_by_itself() -> tuple[Quorum, ReplicaKey]:
    """Three voters, and node 4, which was taken in because it asked."""
    quorum = Quorum()
    quorum.elect(1)
    key = quorum.join(4, auto_join=True)
    assert quorum.run(20_000, lambda: quorum.voters(1) == (1, 2, 3, 4))
    quorum.settle()
    return quorum, key


def test_a_node_that_is_configured_to_joins_by_itself() -> None:
    joined_by_itself()


def test_a_node_that_is_not_configured_to_stays_an_observer() -> None:
    quorum = Quorum()
    quorum.elect(1)
    quorum.join(4)
    quorum.run(20_000)
    assert quorum.voters(1) == (1, 2, 3)


def test_a_node_with_a_new_disk_takes_its_former_place() -> None:
    quorum = Quorum()
    quorum.elect(1)
    quorum.crash(3)
    del quorum.nodes[3]
    node = quorum.add_node(3, can_vote=True, auto_join=True)
    quorum.crash(3)
    node.key = ReplicaKey(3, b"n" * 16)
    node.disk = type(node.disk)()
    quorum.start(3)
    assert quorum.run(30_000, lambda: quorum.replica(1).voters.contains(node.key))
    quorum.settle()
    assert quorum.voters(1) == (1, 2, 3)


def test_a_voter_that_was_removed_does_not_ask_to_come_back() -> None:
    quorum, key = joined_by_itself()
    assert quorum.answer(quorum.ask(1, remove(key))) == RemoveRaftVoterResponse()
    quorum.run(20_000)
    quorum.restart(4)
    quorum.run(20_000)
    assert quorum.voters(1) == (1, 2, 3)


def test_a_voter_that_never_left_is_not_removed_by_a_restart() -> None:
    """It is in each of the voter sets that its log holds."""
    quorum = Quorum()
    quorum.elect(1)
    quorum.join(4, auto_join=True)
    assert quorum.run(20_000, lambda: quorum.voters(1) == (1, 2, 3, 4))
    quorum.settle()
    assert quorum.answer(quorum.ask(1, remove(quorum.nodes[3].key))) == RemoveRaftVoterResponse()
    quorum.settle()
    quorum.restart(4)
    assert len(quorum.nodes[4].disk.recovered_state().voters) > 1
    assert not quorum.replica(4)._state.is_removed
    assert quorum.nodes[4].disk.replica_status.removed is None


@pytest.mark.parametrize("was_there", [True, False])
def test_a_dismissal_is_remembered_when_the_log_does_not_show_it_any_more(was_there: bool) -> None:
    """A snapshot holds the last set only; one that was down when it was removed hears of it by a snapshot alone."""
    quorum, key = joined_by_itself()
    if not was_there:
        quorum.crash(4)
    assert quorum.answer(quorum.ask(1, remove(key))) == RemoveRaftVoterResponse()
    quorum.settle()
    for node_id in (1, 2, 3, 4) if was_there else (1, 2, 3):
        quorum.freeze_snapshot(node_id)
        quorum.drop_log_start(node_id)
    if not was_there:
        quorum.start(4)
    assert quorum.run(20_000, lambda: quorum.nodes[4].committed > 0)
    quorum.restart(4)
    assert quorum.nodes[4].disk.replica_status.removed == key.directory_id
    assert len(quorum.nodes[4].disk.recovered_state().voters) == 1, "the last set is all that is left"
    quorum.run(20_000)
    assert quorum.voters(1) == (1, 2, 3)


@pytest.mark.parametrize("restarts", [False, True])
def test_a_removed_voter_whose_return_is_truncated_stays_removed(restarts: bool) -> None:
    """It is a voter only by an uncommitted record; in the next leader's log it was never added again."""
    quorum, key = joined_by_itself()
    assert quorum.answer(quorum.ask(1, remove(key))) == RemoveRaftVoterResponse()
    quorum.settle()
    quorum.cut |= {(2, 1), (3, 1), (1, 2), (1, 3)}
    quorum.ask(1, add(key))
    assert quorum.run(1_000, lambda: quorum.voters(4) == (1, 2, 3, 4))
    quorum.crash(1)
    if restarts:
        quorum.restart(4)
    assert quorum.voters(4) == (1, 2, 3, 4)
    assert quorum.nodes[4].disk.replica_status.removed == key.directory_id
    quorum.isolate(4)
    quorum.elect(2)
    quorum.heal()
    assert quorum.run(20_000, lambda: quorum.voters(4) == (1, 2, 3))
    quorum.run(20_000)
    assert quorum.nodes[4].disk.replica_status.removed == key.directory_id
    assert quorum.voters(2) == (1, 2, 3)


def test_an_operator_adds_a_removed_voter_again_and_its_next_disk_asks_by_itself() -> None:
    quorum, key = joined_by_itself()
    assert quorum.answer(quorum.ask(1, remove(key))) == RemoveRaftVoterResponse()
    quorum.settle()
    assert quorum.nodes[4].disk.replica_status.removed == key.directory_id
    assert quorum.answer(quorum.ask(1, add(key))) == AddRaftVoterResponse()
    quorum.settle()
    assert quorum.nodes[4].disk.replica_status.removed is None
    assert quorum.answer(quorum.ask(1, remove(key))) == RemoveRaftVoterResponse()
    quorum.settle()
    quorum.crash(4)
    node = quorum.nodes[4]
    node.key, removed = ReplicaKey(4, b"n" * 16), node.disk.replica_status
    node.disk = type(node.disk)(replica_status=removed)
    quorum.start(4)
    assert quorum.run(30_000, lambda: quorum.replica(1).voters.contains(node.key)), (
        "another directory was never removed"
    )


# Handing over.


def test_the_leadership_goes_to_the_chosen_one() -> None:
    quorum = Quorum((1, 2, 3, 4, 5))
    leader = quorum.elect(1)
    for index in range(5):
        quorum.propose(b"%d" % index)
    leader.alive.begin_transfer(quorum.now_ms, leader.alive.epoch, 4)
    quorum.pump(leader)
    started_ms = quorum.now_ms
    assert quorum.run(5_000, lambda: quorum.replica(4).role is Role.LEADER)
    assert quorum.now_ms - started_ms < 200
    quorum.settle()


def test_the_leadership_of_two_voters_is_handed_over_at_once() -> None:
    """The successor needs the vote of the voter that resigned: there is no other."""
    quorum = Quorum((1, 2))
    leader = quorum.elect(1)
    quorum.settle()
    leader.alive.begin_transfer(quorum.now_ms, leader.alive.epoch, 2)
    quorum.pump(leader)
    started_ms = quorum.now_ms
    assert quorum.run(5_000, lambda: quorum.replica(2).role is Role.LEADER)
    assert (quorum.now_ms - started_ms < 200, quorum.replica(2).epoch) == (True, 2)
    quorum.settle()


def test_a_majority_with_the_resigned_leader_hands_over_at_once() -> None:
    """One of three is down, so the successor cannot be elected without the voter that resigned."""
    quorum = Quorum()
    leader = quorum.elect(1)
    quorum.settle()
    quorum.crash(2)
    leader.alive.begin_transfer(quorum.now_ms, leader.alive.epoch, 3)
    quorum.pump(leader)
    started_ms = quorum.now_ms
    assert quorum.run(5_000, lambda: quorum.replica(3).role is Role.LEADER)
    assert quorum.now_ms - started_ms < 200
    quorum.settle()


def test_nothing_is_proposed_while_the_successor_catches_up() -> None:
    quorum = Quorum()
    leader = quorum.elect(1)
    quorum.isolate(3)
    quorum.propose(b"3 lacks this")
    leader.alive.begin_transfer(quorum.now_ms, leader.alive.epoch, 3)
    with pytest.raises(BusyError, match="hands the leadership to 3"):
        quorum.propose(b"more")
    # It does not catch up, so the old leader goes on after an election timeout.
    quorum.run(1_100)
    assert leader.alive.role is Role.LEADER
    quorum.propose(b"more")


@pytest.mark.parametrize(("successor", "text"), [(1, "leads already"), (7, "is not a voter"), (3, "does not follow")])
def test_the_leadership_goes_to_no_voter_that_cannot_take_it(successor: int, text: str) -> None:
    quorum = Quorum()
    leader = quorum.elect(1)
    quorum.settle()
    quorum.crash(3)
    quorum.run(2_500)
    for validate_only in (True, False):
        with pytest.raises(LocalError, match=text):
            leader.alive.begin_transfer(quorum.now_ms, leader.alive.epoch, successor, validate_only=validate_only)


def test_whether_the_leadership_could_be_handed_over_can_be_asked() -> None:
    """A question begins nothing: the leader goes on to propose, and to lead."""
    quorum = Quorum()
    leader = quorum.elect(1)
    leader.alive.begin_transfer(quorum.now_ms, leader.alive.epoch, 3, validate_only=True)
    quorum.propose(b"more")
    quorum.run(2_000)
    assert (leader.alive.role, leader.alive.epoch) == (Role.LEADER, 1)


# What no record can hold.


GROWING = "\u0390"
"""A letter of two bytes, which takes six in upper case."""


def through_the_codec(request: AddRaftVoterRequest | UpdateRaftVoterRequest) -> RaftRequest:
    """Let a request take the way of Kafka's wire, where names come in as they were written."""
    api = BY_REQUEST[type(request)]
    wire = api.request_to_wire(request, api.max_version)
    data = encode_request("c", 1, wire, api.max_version)
    return api.request_from_wire(decode_request(data)[1])


@pytest.mark.parametrize(
    ("endpoints", "text"),
    [
        ([Endpoint(GROWING * 16_000, "h", 1)], "bytes, at most 255"),
        ([Endpoint("x" * 256, "h", 1)], "256 bytes, at most 255"),
        ([Endpoint("X", "h" * 256, 1)], "host 'hhhhhhhhhhhhhhhhhhhh'... of 256 bytes"),
        ([Endpoint(f"X{number}", "h", 1) for number in range(64)], "65 endpoints, at most 64"),
    ],
    ids=["grows", "name", "host", "many"],
)
def test_endpoints_that_no_voter_has_are_refused(endpoints: list[Endpoint], text: str) -> None:
    """A name that grew in upper case once left the leader's step as an error, and ended its process."""
    quorum = Quorum()
    leader = quorum.elect(1)
    quorum.settle()
    joining = quorum.join(4)
    known = quorum.nodes[2].key
    update = UpdateRaftVoterRequest(
        cluster_id="cluster",
        epoch=leader.alive.epoch,
        voter=known,
        endpoints=(endpoint_of(2), *endpoints),
        kraft_version_min=0,
        kraft_version_max=1,
    )
    before, log_end = leader.alive.voters, leader.alive.log_end_offset
    assert quorum.answer(quorum.ask(1, through_the_codec(update))).error is ErrorCode.INVALID_REQUEST
    request = replace(add(joining), endpoints=(endpoint_of(4), *endpoints))
    answer = quorum.answer(quorum.ask(1, through_the_codec(request)))
    assert isinstance(answer, AddRaftVoterResponse)
    assert answer.error is ErrorCode.INVALID_REQUEST
    assert text in (answer.message or "")
    assert leader.alive.state.role.change is None
    assert (leader.alive.voters, leader.alive.log_end_offset) == (before, log_end)
    assert quorum.answer(quorum.ask(1, add(joining))).error is ErrorCode.NONE, "the leader goes on"


def test_a_set_that_no_record_holds_changes_nothing() -> None:
    """Whatever else the encoder refuses is refused before the log's view, or who leads by which set, has changed."""
    quorum = Quorum()
    leader = quorum.elect(1)
    quorum.settle()
    state = leader.alive.state
    before = (leader.alive.voters, state.log.end_offset, state.role.is_leaving, dict(state.role.begin_due_ms))
    voters = (*state.voters, Voter(key_of(9), (Endpoint("x" * 40_000, "h", 1),), 0, 1))
    with pytest.raises(LocalError, match=r"VotersRecordEndpoint\.name"):
        voter_changes._append_set(state, state.role, voters)
    assert (leader.alive.voters, state.log.end_offset, state.role.is_leaving, state.role.begin_due_ms) == before
    quorum.propose(b"goes on")
