"""An error anywhere within ``Replica.step`` leaves a replica that is still right, and that goes on.

No error is known that gets there. So each function of the core that a step calls is made to raise in its turn, one in
each run, and the replica that is left is checked against itself and asked on.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType

import pytest

import kraftpy.raft
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.raft.messages import (
    BeginQuorumEpochRequest,
    DescribeQuorumRequest,
    EndQuorumEpochRequest,
    FetchRequest,
    FetchResponse,
    UpdateRaftVoterRequest,
    VoteRequest,
    VoteResponse,
)
from kraftpy.raft.ready import Inbound, PeerRejected, RequestReceived, ResponseReceived
from kraftpy.raft.timing import REJECTED_PAUSE_MS
from kraftpy.records.batch import encode_control_batch, split_batches
from kraftpy.records.control import (
    KRaftVersionRecord,
    VotersRecord,
    VotersRecordEndpoint,
    VotersRecordVoter,
    voter_set_to_record,
)
from tests.fakes.raft_cluster import endpoint_of, voter_set
from tests.fakes.raft_solo import Solo, batch, fetch, key_of, vote

CORE = str(Path(kraftpy.raft.__file__).parent)
TOKEN = 99


class Planted(Exception):  # noqa: N818 - any error
    """An unexpected error."""


def raising_at(number: int, do: Callable[[], object]) -> bool:
    """Run ``do``, and raise in the ``number``-th call of a function of the core; return whether there was one."""
    calls = 0

    def trace(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        # An error in a generator that is being closed already would reach no caller.
        if event == "call" and frame.f_code.co_filename.startswith(CORE) and frame.f_code.co_name != "<genexpr>":
            calls += 1
            if calls == number:
                raise Planted

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        do()
    except Planted:
        return True
    finally:
        sys.settrace(before)
    return False


def follower() -> Solo:
    solo = Solo()
    solo.follow(2, epoch=4)
    solo.tick(10)
    return solo


def leader() -> Solo:
    solo = Solo()
    solo.become_leader()
    return solo


def candidate() -> Solo:
    solo = Solo()
    solo.become_candidate()
    return solo


def changed_voters(epoch: int) -> bytes:
    records = [KRaftVersionRecord(kraft_version=1), voter_set_to_record(voter_set((1, 2), directories=True))]
    return encode_control_batch(records, base_offset=0, epoch=epoch, timestamp_ms=0)


def answer_to(kind: type, response: Callable[[Solo], object]) -> Callable[[Solo], Inbound]:
    return lambda solo: ResponseReceived(solo.last_sent(kind).correlation, response(solo))


def asked(request: object) -> Callable[[Solo], Inbound]:
    return lambda _: RequestReceived(TOKEN, request)


def begin(epoch: int) -> BeginQuorumEpochRequest:
    where = (endpoint_of(3),)
    return BeginQuorumEpochRequest(cluster_id=None, voter=None, leader_id=3, epoch=epoch, leader_endpoints=where)


UPDATE = UpdateRaftVoterRequest(
    cluster_id="cluster",
    epoch=1,
    voter=key_of(2),
    endpoints=(endpoint_of(2),),
    kraft_version_min=0,
    kraft_version_max=1,
)

CASES = {
    "vote": (follower, asked(vote(9))),
    "vote of a leader": (leader, asked(vote(9, last=(8, 50)))),
    "pre-vote": (candidate, asked(vote(1, pre_vote=True))),
    "begin": (candidate, asked(begin(9))),
    "begin of the same epoch": (candidate, asked(begin(1))),
    "begin to a leader": (leader, asked(begin(9))),
    "end": (follower, asked(EndQuorumEpochRequest(cluster_id=None, leader_id=2, epoch=4))),
    "fetch": (leader, asked(fetch(1, 1, 1))),
    "diverging fetch": (leader, asked(fetch(1, 40, 9))),
    "fetch of a follower": (follower, asked(fetch(4))),
    "describe": (leader, asked(DescribeQuorumRequest())),
    "update": (leader, asked(UPDATE)),
    "granted": (candidate, answer_to(VoteRequest, lambda solo: VoteResponse(leader=solo.leader(None), granted=True))),
    "records": (
        follower,
        answer_to(FetchRequest, lambda solo: FetchResponse(
            leader=solo.leader(2), records=changed_voters(4) + batch("a", base=2, epoch=4), high_watermark=1
        )),
    ),
    "diverging": (
        follower,
        answer_to(FetchRequest, lambda solo: FetchResponse(leader=solo.leader(2), diverging=OffsetAndEpoch(0, 0))),
    ),
    "snapshot": (
        follower,
        answer_to(FetchRequest, lambda solo: FetchResponse(leader=solo.leader(2), snapshot_id=OffsetAndEpoch(3, 50))),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_an_error_anywhere_in_a_step_leaves_a_replica_that_is_right(case: str) -> None:
    """What is left is consistent, is stored before anything is said, votes once, and follows the next leader."""
    make, inbound_of = CASES[case]
    number = 0
    made = make()
    while True:
        number += 1
        solo = copy.deepcopy(made)
        inbound = inbound_of(solo)
        if not raising_at(number, partial(solo.replica.step, solo.now_ms, inbound)):
            break
        solo.replica.step_failed(solo.now_ms, inbound)
        solo.drain()
        after_it(solo, number)
    assert number > 3, "the step calls nothing"


def after_it(solo: Solo, number: int) -> None:
    """Look at what an error has left, then let another leader take over."""
    assert solo.stored == solo.replica.state.election_state, number
    assert solo.replica.log_end_offset == end_of(solo), number
    if solo.stored.voted_key is not None:
        rival = 3 if solo.stored.voted_key.node_id == 2 else 2
        assert not solo.ask(vote(solo.replica.epoch, rival, last=(solo.replica.epoch - 1, 100))).granted, number
    epoch = solo.replica.epoch + 1
    solo.follow(3, epoch)
    assert solo.replica.leader.leader_id == 3, number


def end_of(solo: Solo) -> int:
    """Where the log on the disk ends."""
    batches = split_batches(b"".join(solo.appended))
    return batches[-1].next_offset if batches else 0


def test_a_voter_set_that_cannot_be_read_is_not_taken_in() -> None:
    """The log's view does not end behind a set that the replica does not vote by."""
    solo = follower()
    name = "\u0390" * 16_000
    voters = VotersRecord(0, [VotersRecordVoter(2, b"d" * 16, [VotersRecordEndpoint(name, "h", 1)])])
    solo.fetched(encode_control_batch([voters], base_offset=0, epoch=4, timestamp_ms=0))
    assert solo.replica.log_end_offset == 0
    assert solo.replica.voters == voter_set((1, 2, 3))
    assert any(isinstance(event, PeerRejected) for event in solo.events)


def test_a_leader_whose_answer_raises_is_not_asked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same answer would come again, as often as the wire can carry it."""
    solo = follower()

    def fail(*_: object) -> None:
        raise Planted

    monkeypatch.setattr("kraftpy.raft.responses.handle_fetch_response", fail)
    asked = solo.last_sent(FetchRequest)
    answer = ResponseReceived(asked.correlation, FetchResponse(leader=solo.leader(2)))
    with pytest.raises(Planted):
        solo.replica.step(solo.now_ms, answer)
    solo.replica.step_failed(solo.now_ms, answer)
    solo.drain()
    solo.tick(solo.now_ms + 1)
    assert solo.last_sent(FetchRequest) is asked
    assert any(isinstance(event, PeerRejected) and "Planted" in event.reason for event in solo.events)
    solo.tick(solo.now_ms + REJECTED_PAUSE_MS)
    assert solo.last_sent(FetchRequest) is not asked
