"""A write's way through the host: decided once, answered when its effect is published, never answered falsely."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.controller import Controller
from kraftpy.controller.dedupe import (
    NO_STAMP,
    REMEMBERED_REQUESTS_MAX,
    CompletedRequests,
    OutcomeForgottenError,
    Stamp,
)
from kraftpy.controller.requests import AlterOp, FeatureUpdate, UpdateFeatures
from kraftpy.controller.result import ControllerResult
from kraftpy.image import MetadataLoader, ReplayError
from kraftpy.model.errors import ApiError, BusyError, ConfigError, ErrorCode, LocalError, NotLeaderError, TooLargeError
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.raft.ready import Elected, Role, RoleChanged
from kraftpy.records.authors import Author, author_spans, encode_author
from kraftpy.records.batch import split_batches
from kraftpy.records.metadata import RemoveTopicRecord
from kraftpy.runtime import controller_loop
from kraftpy.runtime.controller_loop import STARTING_MS, TICK_RETRY_MS, ControllerLoop
from kraftpy.runtime.state_machine import Halted
from kraftpy.transport.node_api import Committed, OutcomeUnknownError, WriteRequest
from tests.unit.controller.worlds import CountingUuids, beat, level_record, register, set_configs
from tests.unit.runtime.parts import LoneController

KIND_BROKER = 4


def config(value="1", *, name="log.cleaner.threads", validate_only=False):
    """A write that sets one cluster-wide default."""
    return set_configs(KIND_BROKER, "", (name, value), validate_only=validate_only)


def write(value="1", *, request_id=b"", timeout_ms=None, stamp=NO_STAMP, **more):
    return WriteRequest(config(value, **more), request_id, timeout_ms, stamp)


def answered(node, submission):
    """Submit a write and give the node all the turns that it wants; return what was answered."""
    answers = node.submit(submission)
    node.settle()
    return answers


def stored(node):
    """What the published image holds of all configurations."""
    configs = node.state_machine.image.configs
    return {key: value for resource in configs.resources() for key, value in configs.of(*resource).items()}


def lone(**parts):
    """An active controller, its first records committed."""
    node = LoneController(**parts).settle()
    assert node.host.controller.active
    return node


def test_the_only_voter_becomes_active_by_itself():
    """A quorum of one elects, loads its epoch's start, activates and bootstraps without anything coming in."""
    node = LoneController()
    assert node.host.next_deadline_ms() is None
    node.settle()
    assert node.host.controller.active
    assert node.host.controller.epoch == node.replica.epoch
    assert node.state_machine.image.level == 40


async def test_it_is_not_active_before_its_epoch_start_is_loaded():
    """An elected controller decides nothing before everything up to its own first record is committed and loaded.

    What is asked of it meanwhile waits, for a moment that will soon be over, and is decided as soon as it is active.
    """
    node = LoneController(slow=True)
    node.turn()
    assert node.replica.role is Role.LEADER
    answers = node.submit(write("7"))
    node.turn()
    assert not node.host.controller.active
    assert (answers, node.host.waiting) == ([], 1)
    assert node.driver.wait_ms() == STARTING_MS
    with capture_logs() as logs:
        while not answers:
            if not node.lane.idle:
                node.lane.complete()
            node.turn()
    assert isinstance(answers[0], Committed)
    assert stored(node) == {"log.cleaner.threads": "7"}
    (active,) = (entry for entry in logs if entry["event"] == "became_active_controller")
    assert active["epoch"] == node.replica.epoch
    assert active["next_offset"] <= answers[0].offset


async def test_who_asks_a_leader_that_does_not_come_to_be_active_is_not_kept_for_long():
    """After STARTING_MS all waiting clients are answered that the controller still starts, and later ones at once."""
    node = LoneController(slow=True)
    node.turn()
    answers = node.submit(write())
    node.turn()
    node.clock.value += STARTING_MS - 1
    node.turn()
    assert answers == []
    node.clock.value += 1
    node.turn()
    late = node.submit(write())
    node.turn()
    assert [answer.code for answer in answers + late] == [ErrorCode.NOT_CONTROLLER] * 2
    assert "still starting" in answers[0].message
    assert node.host.waiting == 0


async def test_a_write_that_times_out_while_the_controller_starts_is_answered_at_once():
    """It is not kept until the controller is active; the others wait on, and nothing of it is done."""
    node = LoneController(slow=True)
    node.turn()
    patient, hasty = node.submit(write("7")), node.submit(write("8", timeout_ms=10))
    abandoned = []
    node.host.submit([write("9", timeout_ms=5)], node.clock.now_ms(), abandoned.extend).abandoned = True
    node.turn()
    assert node.driver.wait_ms() == 6
    node.clock.value += 10
    node.turn()
    assert (hasty, node.driver.wait_ms(), node.host.waiting) == ([], 1, 2)
    node.clock.value += 1
    node.turn()
    assert [answer.code for answer in hasty] == [ErrorCode.REQUEST_TIMED_OUT]
    assert (patient, abandoned, node.host.waiting) == ([], [], 1)
    assert node.driver.wait_ms() == STARTING_MS - 11
    while not patient:
        if not node.lane.idle:
            node.lane.complete()
        node.turn()
    assert stored(node) == {"log.cleaner.threads": "7"}


def test_a_request_to_a_leader_that_is_deposed_before_it_is_active_is_answered():
    """Nothing was done, and the refusal says so at once: another controller may do it."""
    host, answers = scripted(leader_id=1, role=Role.LEADER), []
    host.submit([write()], 0, answers.extend)
    host.before_ready(0)
    assert answers == []
    host._replica.role, host._replica.leader = Role.FOLLOWER, LeaderAndEpoch(2, 5)
    assert host.next_deadline_ms() == STARTING_MS
    host.before_ready(1)
    assert [answer.code for answer in answers] == [ErrorCode.NOT_CONTROLLER]
    assert "node 2" in answers[0].message


async def test_an_answer_comes_with_the_published_image_only():
    """A write is answered when the image that holds it is published on this node, and not before its flush."""
    node = lone()
    node.lane.slow = True
    before = node.state_machine.image.provenance.offset
    answers = node.submit(write("7"))
    for _ in range(3):
        node.turn()
    assert answers == []
    node.lane.complete()
    node.settle()
    (answer,) = answers
    assert isinstance(answer, Committed)
    assert answer.offset == before + 1 == node.state_machine.image.provenance.offset
    assert answer.epoch == node.replica.epoch
    assert stored(node)["log.cleaner.threads"] == "7"


async def test_a_slow_disk_does_not_keep_the_end_of_leadership_from_clients():
    """A leader that resigns answers waiting clients at once with an unknown outcome, while its flush is still out."""
    node = lone()
    node.lane.slow = True
    answers = node.submit(write("7"))
    node.turn()
    node.driver.inbox.put_nowait(lambda now_ms: node.replica.resign(now_ms, node.replica.epoch))
    node.turn()
    assert not node.lane.idle
    (answer,) = answers
    assert isinstance(answer, OutcomeUnknownError)


async def test_a_write_is_not_answered_by_the_one_before_it():
    """The publication of one write answers that one alone: what was appended behind it is not yet committed."""
    node = lone()
    node.lane.slow = True
    first = node.submit(write("1"))
    node.turn()
    second = node.submit(write("2"))
    node.turn()
    node.lane.complete()
    node.turn()
    node.turn()
    assert (len(first), second) == (1, [])
    assert stored(node)["log.cleaner.threads"] == "1"
    node.lane.complete()
    node.settle()
    assert second[0].offset == first[0].offset + 1


async def test_a_write_without_records_waits_for_what_is_pending():
    """An answer that writes nothing may rest on records that can still be lost: it waits until they are committed."""
    node = lone()
    node.lane.slow = True
    first = node.submit(write("7"))
    node.turn()
    second = node.submit(write("8", validate_only=True))
    node.turn()
    assert (first, second) == ([], [])
    node.lane.complete()
    node.settle()
    assert second[0].offset == first[0].offset
    assert stored(node)["log.cleaner.threads"] == "7"


def test_a_write_without_records_is_answered_at_once_when_nothing_is_pending():
    """With nothing pending, a decision that writes nothing is answered in its own turn."""
    node = lone()
    answers = node.submit(write(validate_only=True))
    node.turn()
    assert answers[0].offset == node.state_machine.image.provenance.offset


def test_a_group_is_answered_together_and_in_order():
    """The outcomes of a group come once, one for each write and in their order, errors in their places."""
    node = lone()
    answers = node.submit(write("1"), write("x", name=""), write("2"), WriteRequest(beat(77, 1, 0)), write("3"))
    node.settle()
    kinds = [type(answer) for answer in answers]
    assert kinds[0] is kinds[2] is kinds[4] is Committed
    assert kinds[3] is ApiError
    assert answers[0].offset < answers[2].offset < answers[4].offset


def test_a_repeated_request_id_writes_nothing():
    """A write that comes again under its request id is answered as before: same answer, same offset, no record."""
    node = lone()
    first = node.submit(write("1", request_id=b"a" * 16))
    node.settle()
    end = node.replica.log_end_offset
    again = node.submit(write("1", request_id=b"a" * 16))
    node.settle()
    assert again == first
    assert node.replica.log_end_offset == end
    other = node.submit(write("2", request_id=b"b" * 16))
    node.settle()
    assert other[0].offset == end


def test_another_request_under_a_known_id_is_refused():
    """A write under the id of another one is refused: the other one's answer would acknowledge what was not written."""
    node = lone()
    node.submit(write("1", request_id=b"a" * 16))
    node.settle()
    end = node.replica.log_end_offset
    refused = node.submit(write("2", request_id=b"a" * 16))
    node.settle()
    assert refused[0].code is ErrorCode.INVALID_REQUEST
    assert "fresh id" in refused[0].message
    assert node.replica.log_end_offset == end


async def test_a_repeated_request_id_waits_for_its_first_write():
    """A repetition that comes before the first write is committed is answered only when that is."""
    node = lone()
    node.lane.slow = True
    first = node.submit(write("1", request_id=b"a" * 16))
    node.turn()
    again = node.submit(write("1", request_id=b"a" * 16))
    node.turn()
    assert again == []
    node.lane.complete()
    node.settle()
    assert again == first
    assert isinstance(first[0], Committed)


def test_a_validated_request_id_is_not_remembered():
    """validate_only under a request id does not make the real write that follows a repetition."""
    node = lone()
    node.submit(write("1", request_id=b"a" * 16, validate_only=True))
    answers = node.submit(write("1", request_id=b"a" * 16))
    node.settle()
    assert stored(node) == {"log.cleaner.threads": "1"}
    assert isinstance(answers[0], Committed)


def test_a_write_that_waited_too_long_is_not_done():
    """A write whose time is over before it is decided is refused, and never takes effect."""
    node = lone()
    answers = node.submit(write("1", timeout_ms=10), at_ms=node.clock.now_ms() - 11)
    node.settle()
    assert answers[0].code is ErrorCode.REQUEST_TIMED_OUT
    assert stored(node) == {}


def test_a_group_that_no_caller_waits_for_is_not_decided():
    """A group that was abandoned before its turn is never decided."""
    node = lone()
    answers = []
    node.host.submit([write("1")], node.clock.now_ms(), answers.extend).abandoned = True
    node.settle()
    assert stored(node) == {}
    assert answers == []


def test_an_outcome_is_noted_whether_a_caller_waits_or_not():
    """Once for each write, before the caller hears of it; a caller that leaves after the decision changes nothing."""
    node = lone()
    order = []
    group = node.host.submit(
        [write("1")._replace(noted=order.append)], node.clock.now_ms(), lambda _: order.append("answered")
    )
    node.driver.turn(node.clock.now_ms())
    group.abandoned = True
    node.settle()
    committed, answered = order
    assert isinstance(committed, Committed)
    assert (answered, stored(node)) == ("answered", {"log.cleaner.threads": "1"})
    refused = []
    node.host.submit([WriteRequest(beat(77, 1, 0), noted=refused.append)], node.clock.now_ms(), lambda _: None)
    node.settle()
    assert [one.code for one in refused] == [ErrorCode.STALE_BROKER_EPOCH]


def test_the_queue_has_a_limit_of_bytes(monkeypatch):
    """Writes count by their bytes on the wire until they are settled or without waiters; one alone always fits."""
    monkeypatch.setattr(controller_loop, "SUBMISSIONS_BYTES_MAX", 100)
    node = lone()

    def held():
        return next(use.used for use in node.host.limit_uses() if use.limit == "waiting write bytes")

    node.submit(write()._replace(size=300))
    with pytest.raises(BusyError, match="limit 100"):
        node.submit(write()._replace(size=1))
    node.settle()
    assert held() == 0
    abandoned = node.host.submit([write()._replace(size=60)], node.clock.now_ms(), [].extend)
    with pytest.raises(BusyError, match="60 bytes of writes wait"):
        node.submit(write()._replace(size=20), write()._replace(size=21))
    abandoned.abandoned = True
    node.settle()
    assert held() == 0
    refused = node.submit(WriteRequest(beat(77, 1, 0), size=50))
    node.settle()
    assert isinstance(refused[0], ApiError)
    assert held() == 0


def test_the_queue_has_a_limit(monkeypatch):
    """A group that does not fit is refused as a whole; what was decided and waits for its commit counts too."""
    monkeypatch.setattr(controller_loop, "SUBMISSIONS_MAX", 3)
    node = lone()
    node.submit(write(), write())
    with pytest.raises(BusyError, match="limit 3"):
        node.submit(write(), write())
    assert node.host.waiting == 2
    node.submit(write())
    node.settle()
    assert node.host.waiting == 0
    node.submit(write(), write(), write())


async def test_waiting_commits_count_against_the_limit(monkeypatch):
    """Writes that are decided and wait for a slow disk still count: the memory of the host is bounded."""
    monkeypatch.setattr(controller_loop, "SUBMISSIONS_MAX", 1)
    node = lone()
    node.lane.slow = True
    node.submit(write())
    node.turn()
    with pytest.raises(BusyError):
        node.submit(write())


def test_a_turn_decides_a_bounded_number(monkeypatch):
    """One turn decides a fixed number of writes and leaves the rest, which makes the next turn due at once."""
    monkeypatch.setattr(controller_loop, "DECISIONS_PER_TURN_MAX", 2)
    node = lone()
    answers = node.submit(*(write(str(n)) for n in range(5)))
    node.host.before_ready(node.clock.now_ms())
    assert len(node.host._pending) == 3
    assert node.host.next_deadline_ms() == 0
    node.settle()
    assert len(answers) == 5


# Losing leadership.


def lose(node):
    """Report a lost leadership to the host as the driver does."""
    leader = LeaderAndEpoch(2, node.replica.epoch + 1)
    node.host.on_event(RoleChanged(Role.LEADER, Role.FOLLOWER, leader, "a test"))


async def test_stepping_down_reports_an_unknown_outcome_to_every_caller():
    """When leadership is lost every write that waits for its commit is answered: its outcome is unknown."""
    node = lone()
    node.lane.slow = True
    groups = [node.submit(write(str(n), request_id=bytes([n]) * 16)) for n in range(3)]
    node.turn()
    lose(node)
    assert [type(answer) for group in groups for answer in group] == [OutcomeUnknownError] * 3
    assert "may or may not" in groups[0][0].message
    assert not node.host.controller.active
    assert node.host.waiting == 0
    node.lane.complete()
    node.settle()
    assert [len(group) for group in groups] == [1, 1, 1], "nobody is answered twice"


def test_a_new_leader_epoch_forgets_the_answers_of_the_old():
    """Remembered answers are dropped at the end of the leadership."""
    node = lone()
    node.submit(write("1", request_id=b"a" * 16))
    node.settle()
    lose(node)
    assert node.host._completed.find(b"a" * 16) is None


def next_leader_epoch(node):
    """Stop a node and start it on the same disk; return it, and the epoch that it reigned in before."""
    epoch = node.host.controller.epoch
    node.directory.close()
    later = lone(fs=node.directory.log._fs)
    assert later.host.controller.epoch > epoch
    return later, epoch


A = b"a" * 16


def test_a_retry_in_a_later_leader_epoch_overwrites_nothing():
    """SET by A, SET by B, a new leader epoch, A again: what B wrote stays, and A is answered where to look."""
    node = lone()
    (of_a,) = answered(node, write("10", request_id=A, stamp=Stamp(node.host.controller.epoch)))
    answered(node, write("20"))
    node, first = next_leader_epoch(node)
    end = node.replica.log_end_offset
    (refusal,) = answered(node, write("10", request_id=A, stamp=Stamp(first, is_retry=True)))
    assert (type(refusal), refusal.code) == (OutcomeForgottenError, ErrorCode.REQUEST_OUTCOME_UNKNOWN)
    assert f"first sent in epoch {first}; this is epoch {node.host.controller.epoch}" in refusal.message
    assert f"read at offset >= {refusal.settled_offset}, then ask under a new id" in refusal.message
    assert of_a.offset < refusal.settled_offset < node.state_machine.next_offset
    assert stored(node) == {"log.cleaner.threads": "20"}
    assert node.replica.log_end_offset == end


def test_an_attempt_that_was_delayed_into_a_later_leader_epoch_is_not_done():
    """Nor is it after a retry was rejected, whether or not it has a stamp; the client gets the same rejection."""
    node = lone()
    node, first = next_leader_epoch(node)
    (fenced,) = answered(node, write("10", request_id=A, stamp=Stamp(first)))
    assert fenced.code is ErrorCode.FENCED_LEADER_EPOCH
    (refusal,) = answered(node, write("10", request_id=A, stamp=Stamp(first, is_retry=True)))
    for stamp in (Stamp(first), Stamp(), Stamp(first, is_retry=True)):
        assert answered(node, write("10", request_id=A, stamp=stamp)) == [refusal]
    assert stored(node) == {}


def test_an_outcome_is_not_called_settled_while_a_delayed_attempt_may_be_done():
    """The first attempt, which no epoch was known for, arrives in the epoch after the one that refused its retry."""
    node = lone()
    (refusal,) = answered(node, write("10", request_id=A, stamp=Stamp(is_retry=True)))
    assert (refusal.code, refusal.settled_offset) == (ErrorCode.REQUEST_OUTCOME_UNKNOWN, None)
    assert "without first_sent_epoch an attempt that is still on its way may be done later" in refusal.message
    node, _ = next_leader_epoch(node)
    (done,) = answered(node, write("10", request_id=A))
    assert isinstance(done, Committed)
    assert stored(node) == {"log.cleaner.threads": "10"}


@pytest.mark.parametrize("sequence", [None, 0])
def test_a_refusal_that_is_forgotten_itself_settles_only_a_write_with_a_number(sequence):
    """With a number its delayed first attempt is fenced; without one it is done, so no offset was named for it."""
    node = lone()
    epoch = node.host.controller.epoch
    sent = Stamp(epoch, first_sent_sequence=sequence)
    node.host._completed = CompletedRequests(1)
    for other in (b"b", b"c"):
        answered(node, write("20", request_id=other * 16))
    (refusal,) = answered(node, write("10", request_id=A, stamp=replace(sent, is_retry=True)))
    assert (refusal.settled_offset is None) == (sequence is None)
    answered(node, write("30", request_id=b"d" * 16))
    (late,) = answered(node, write("10", request_id=A, stamp=sent))
    assert isinstance(late, Committed) == (refusal.settled_offset is None)
    assert getattr(late, "code", None) == (None if sequence is None else ErrorCode.FENCED_LEADER_EPOCH)


def test_a_retry_of_the_same_leader_epoch_gets_the_answer_of_the_first():
    """Also when it comes before the first attempt does, and when the first is still on its way to the disk."""
    node = lone()
    epoch = node.host.controller.epoch
    retry = write("10", request_id=A, stamp=Stamp(epoch, is_retry=True))
    (done,) = answered(node, retry)
    assert isinstance(done, Committed), "it was never done, and nothing was forgotten"
    answered(node, write("20"))
    assert [one.offset for one in answered(node, write("10", request_id=A, stamp=Stamp(epoch)))] == [done.offset]
    assert stored(node) == {"log.cleaner.threads": "20"}


async def test_a_retry_joins_the_attempt_that_is_still_being_written():
    """Both are answered by the one write when it is committed."""
    node = lone()
    node.lane.slow = True
    epoch = node.host.controller.epoch
    first = node.submit(write("10", request_id=A, stamp=Stamp(epoch)))
    node.turn()
    second = node.submit(write("10", request_id=A, stamp=Stamp(epoch, is_retry=True)))
    node.turn()
    assert (first, second) == ([], [])
    node.lane.complete()
    node.settle()
    assert [one.offset for one in first] == [one.offset for one in second]


def test_a_retry_whose_answer_may_have_been_forgotten_is_not_decided():
    """A memory that had to let go of answers cannot say of an id that it was never asked."""
    node = lone()
    epoch = node.host.controller.epoch
    node.host._completed = CompletedRequests(1)
    sent = Stamp(epoch, first_sent_sequence=node.host.answers_given(epoch))
    answered(node, write("10", request_id=A, stamp=sent))
    answered(node, write("20", request_id=b"b" * 16, stamp=Stamp(epoch)))
    retry = write("10", request_id=A, stamp=replace(sent, is_retry=True))
    (refusal,) = answered(node, retry)
    assert "has forgotten older answers" in refusal.message
    assert refusal.settled_offset == node.replica.log_end_offset - 1
    assert stored(node) == {"log.cleaner.threads": "20"}


def test_a_delayed_first_attempt_is_not_done_after_its_answer_was_forgotten():
    """Its retry was done, 70 other writes since, of which 64 are remembered: then the first attempt arrives."""
    node = lone()
    epoch = node.host.controller.epoch
    node.host._completed = CompletedRequests(64)
    sent = Stamp(epoch, first_sent_sequence=node.host.answers_given(epoch))
    retry = Stamp(epoch, is_retry=True, first_sent_sequence=sent.first_sent_sequence)
    (done,) = answered(node, write("10", request_id=A, stamp=retry))
    assert isinstance(done, Committed)
    for value in range(70):
        request_id = value.to_bytes(16, "big")
        stamp = Stamp(epoch, first_sent_sequence=node.host.answers_given(epoch))
        (other,) = answered(node, write(str(100 + value), request_id=request_id, stamp=stamp))
        assert (type(other), other.sequence) == (Committed, value + 2)
    end = node.replica.log_end_offset
    (late,) = answered(node, write("10", request_id=A, stamp=sent))
    assert late.code is ErrorCode.FENCED_LEADER_EPOCH
    assert "may be the delayed attempt of a write that is done" in late.message
    (again,) = answered(node, write("10", request_id=A, stamp=retry))
    assert again.code is ErrorCode.REQUEST_OUTCOME_UNKNOWN
    assert (stored(node), node.replica.log_end_offset) == ({"log.cleaner.threads": "169"}, end)
    again = Stamp(epoch, first_sent_sequence=node.host.answers_given(epoch))
    assert isinstance(answered(node, write("10", request_id=b"n" * 16, stamp=again))[0], Committed)


def test_what_was_validated_only_is_never_refused_for_its_stamp():
    """It writes nothing, so there is nothing to do twice."""
    node = lone()
    node, first = next_leader_epoch(node)
    for stamp in (Stamp(first), Stamp(first, is_retry=True), Stamp(None, is_retry=True)):
        (answer,) = answered(node, write("10", request_id=A, stamp=stamp, validate_only=True))
        assert isinstance(answer, Committed)


def half_written(monkeypatch, error):
    """A node whose log takes only the first of two parts; the list fills with what it took."""
    node = lone()
    honest, parts = node.replica.propose, []

    def once(now_ms, epoch, values):
        if parts:
            raise error
        parts.append(values)
        return honest(now_ms, epoch, values)

    monkeypatch.setattr(ControllerResult, "parts", lambda self: [self, self])
    monkeypatch.setattr(node.replica, "propose", once)
    return node, parts


def test_a_request_that_was_refused_half_way_is_refused_again(monkeypatch):
    """The part that is in the log is not written again by a retry."""
    node, parts = half_written(monkeypatch, TooLargeError("the second part"))
    stamp = Stamp(node.host.controller.epoch, is_retry=True)
    refusals = answered(node, write(request_id=A)) + answered(node, write(request_id=A, stamp=stamp))
    assert [each.code for each in refusals] == [ErrorCode.POLICY_VIOLATION] * 2
    assert len(parts) == 1


def test_kraft_version_and_other_features_of_one_request():
    """The features are appended, then the quorum's own records; both are there when the request is answered."""
    node = lone()
    updates = (FeatureUpdate("kraft.version", 1, 1), FeatureUpdate("group.version", 1, 1))
    (answer,) = answered(node, WriteRequest(UpdateFeatures(updates=updates)))
    assert isinstance(answer, Committed)
    assert node.replica.kraft_version == 1
    assert node.state_machine.image.features.levels["group.version"] == 1


def test_what_the_quorum_refuses_leaves_no_feature_behind(monkeypatch):
    """A kraft.version that the voters cannot go to is refused before another feature of the request is in the log."""
    node = lone()

    def refuse(*_, **__):
        raise LocalError("the voters [2] do not know kraft.version 1")

    monkeypatch.setattr(type(node.replica), "upgrade_kraft_version", refuse)
    updates = (FeatureUpdate("kraft.version", 1, 1), FeatureUpdate("group.version", 1, 1))
    (answer,) = answered(node, WriteRequest(UpdateFeatures(updates=updates)))
    assert answer.code is ErrorCode.INVALID_UPDATE_VERSION
    assert "group.version" not in node.state_machine.image.features.levels


def test_a_request_whose_leader_was_lost_half_way_has_an_unknown_outcome(monkeypatch):
    """It is not "not the controller", which would say that nothing was done."""
    node, _ = half_written(monkeypatch, NotLeaderError("not any more"))
    (refusal,) = answered(node, write(request_id=A))
    assert type(refusal) is OutcomeUnknownError
    assert node.host._completed.find(A) is None


def scripted(*, leader_id, role=Role.FOLLOWER, propose=None, controller=None):
    """A host over a replica that says what the test wants."""

    def refuse(*_):
        raise propose

    replica = SimpleNamespace(
        leader=LeaderAndEpoch(leader_id, 4),
        epoch=4,
        key=SimpleNamespace(node_id=1),
        hands_over=False,
        role=role,
        propose=refuse,
        log_end_offset=10,
        high_watermark=None,
        leader_heard_ms=None,
        cluster_id="c",
        kraft_version=0,
        voters=SimpleNamespace(ids=(1, 2)),
    )
    image = SimpleNamespace(provenance=SimpleNamespace(offset=9))
    state_machine = SimpleNamespace(image=image, next_offset=10, caught_up_once=True, in_transaction=False, halted=None)
    return ControllerLoop(
        controller=controller or Controller(config=ControllerConfig(), node_id=1, uuids=CountingUuids()),
        replica=replica,
        state_machine=state_machine,
        inbox=SimpleNamespace(wake=lambda: None),
        bootstrap=None,
    )


@pytest.mark.parametrize(
    ("leader_id", "text"),
    [
        (None, "No controller appears to be active."),
        (2, "The active controller appears to be node 2."),
        (1, "the controller of epoch 4 is still starting"),
    ],
)
def test_a_standby_states_who_is_active(leader_id, text):
    """A controller that is not active refuses with NOT_CONTROLLER and says who is, as far as it knows."""
    host, answers = scripted(leader_id=leader_id), []
    host.submit([write()], 0, answers.extend)
    host.before_ready(0)
    assert (answers[0].code, answers[0].message) == (ErrorCode.NOT_CONTROLLER, text)


class ActiveController:
    """Decides that something has to be written, always."""

    active, epoch, records_per_part = True, 4, 2

    def __init__(self, encode=lambda result: [b"value"], *, on_activate=None):
        self.encode = encode
        self.results = []
        self.on_activate = on_activate

    def validate_replay(self, result):
        pass

    def begin(self, now_ms, request):
        return ControllerResult((level_record(40),), "response")

    def tick_in_slices(self, now_ms):
        return self.results.pop(0) if self.results else None
        yield

    def activate(self, **_):
        self.active = True
        if self.on_activate is not None:
            raise self.on_activate
        return ControllerResult((level_record(40),), None)

    def quorum_changed(self, facts):
        pass

    def resign(self):
        self.active = False

    def next_deadline_ms(self):
        return None


@pytest.mark.parametrize(
    ("error", "code", "stays_active"),
    [
        (TooLargeError("9 MiB"), ErrorCode.POLICY_VIOLATION, True),
        (BusyError("the disk is behind"), ErrorCode.THROTTLING_QUOTA_EXCEEDED, True),
        (LocalError("a value is empty"), ErrorCode.INVALID_REQUEST, True),
        (NotLeaderError("epoch 5 by now"), ErrorCode.NOT_CONTROLLER, False),
    ],
)
def test_what_the_log_does_not_take_is_refused(error, code, stays_active):
    """A result that the log rejects is answered with its reason, the node goes on; a lost epoch ends leadership."""
    host = scripted(leader_id=1, propose=error, role=Role.LEADER, controller=ActiveController())
    answers = []
    host.submit([write()], 0, answers.extend)
    host.before_ready(0)
    assert (answers[0].code, answers[0].message) == (code, str(error))
    assert host.controller.active is stays_active
    assert host.waiting == 0


def test_what_does_not_replay_is_refused_before_it_is_appended(monkeypatch):
    """A decision with a bad record is answered as our own fault; nothing is in the log, and the node goes on."""
    world = LoneController(bootstrap=(level_record(40),)).settle()
    before, image = world.directory.log.end_offset, world.host.controller.image
    begin = world.host.controller.begin
    poison = ControllerResult((RemoveTopicRecord(topic_id=b"t" * 16),), "done")
    monkeypatch.setattr(world.host.controller, "begin", lambda now_ms, request: poison)
    refused = world.submit(write())
    world.settle()
    assert refused[0].code is ErrorCode.UNKNOWN_SERVER_ERROR
    assert "nothing was written, because no node could apply it: cannot replay RemoveTopicRecord" in refused[0].message
    assert (world.directory.log.end_offset, world.host.controller.image) == (before, image)
    monkeypatch.setattr(world.host.controller, "begin", begin)
    taken = world.submit(write())
    world.settle()
    assert isinstance(taken[0], Committed)
    assert world.directory.log.end_offset > before


def test_a_halted_node_has_no_controller():
    """Waiting clients get an unknown outcome, and later writes the reason why there is no controller."""
    host, answers = scripted(leader_id=1, role=Role.LEADER, controller=ActiveController()), []
    host._replica.propose = lambda *_: 12
    host.controller.appended = lambda *_: None
    host.submit([write()], 0, answers.extend)
    host.before_ready(0)
    assert host.waiting == 1
    host._state_machine.halted = Halted(11, 12, "cannot replay it")
    host.halt()
    assert isinstance(answers[0], OutcomeUnknownError)
    host.submit([write()], 0, answers.extend)
    host.before_ready(0)
    assert "applying stopped before offset 11: cannot replay it" in answers[1].message


def test_a_record_that_cannot_be_encoded_is_refused():
    """A decision whose records do not exist at the level in force refuses the request instead of stopping the node."""

    def encode(_result):
        raise LocalError("no such field at level 7")

    host, answers = scripted(leader_id=1, role=Role.LEADER, controller=ActiveController(encode)), []
    host.submit([write()], 0, answers.extend)
    host.before_ready(0)
    assert answers[0].code is ErrorCode.INVALID_REQUEST


def test_the_controllers_own_work_waits_for_room():
    """A timer's records that the log does not take now are dropped with their decision, and the turn goes on."""
    controller = ActiveController()
    controller.results = [ControllerResult((level_record(40),), None)] * 3
    host = scripted(leader_id=1, role=Role.LEADER, propose=BusyError("later"), controller=controller)
    host.before_ready(0)
    assert len(controller.results) == 2, "it stops at the first that is refused"
    controller.next_deadline_ms = lambda: 0
    assert host.next_deadline_ms() == TICK_RETRY_MS, "the loop does not spin on it"
    host.before_ready(TICK_RETRY_MS - 1)
    assert len(controller.results) == 2
    host.before_ready(TICK_RETRY_MS)
    assert len(controller.results) == 1


def elected(host):
    host.on_event(Elected(4, 5, (1,)))
    host.controller.active = False
    host.before_ready(0)


@pytest.mark.parametrize(("next_offset", "caught_up", "active"), [(5, True, False), (6, True, True), (6, False, False)])
def test_an_elected_node_waits_for_its_own_first_record(next_offset, caught_up, active):
    """A controller becomes active when the first record of its epoch, at offset 5, is published, not before."""
    host = scripted(leader_id=1, role=Role.LEADER, controller=ActiveController())
    host._replica.propose = lambda *_: 6
    host.controller.appended = lambda *_: None
    host._state_machine.next_offset, host._state_machine.caught_up_once = next_offset, caught_up
    elected(host)
    assert host.controller.active is active


def test_an_election_that_is_over_begins_no_leader_epoch():
    """A slow disk may report an election late; meanwhile the leadership was lost, and won again in another epoch."""
    host = scripted(leader_id=1, role=Role.LEADER, controller=ActiveController())
    host._replica.propose = lambda *_: 6
    host.controller.appended = lambda *_: None
    host._replica.epoch = 6
    elected(host)
    assert not host.controller.active
    assert host.next_deadline_ms() is None, "nothing is to be done before the other election is told of"
    host._replica.epoch = 4
    host.before_ready(0)
    assert host.controller.active


def test_a_leader_epoch_does_not_begin_while_its_leadership_is_handed_over():
    """Nothing can be written meanwhile, which is no reason to stop; without a successor, it becomes active."""
    host = scripted(leader_id=1, role=Role.LEADER, controller=ActiveController())
    host._replica.propose = lambda *_: 6
    host.controller.appended = lambda *_: None
    host._replica.hands_over = True
    elected(host)
    assert not host.controller.active
    assert host.next_deadline_ms() is None, "the loop does not spin on it"
    host._replica.hands_over = False
    host.before_ready(0)
    assert host.controller.active


def test_a_leadership_ends_with_its_epoch():
    """Who leads another epoch by now does not answer for the old one, whatever it has heard of."""
    host = scripted(leader_id=1, role=Role.LEADER, controller=ActiveController())
    host._replica.epoch = 6
    answers = []
    host.submit([write()], 0, answers.extend)
    host.before_ready(0)
    assert not host.controller.active
    assert answers == []
    host.before_ready(STARTING_MS)
    assert [one.code for one in answers] == [ErrorCode.NOT_CONTROLLER]


def test_an_activation_that_is_not_written_stops_the_node():
    """A controller whose first records the log refuses must not rule without them."""
    host = scripted(leader_id=1, role=Role.LEADER, propose=BusyError("full"), controller=ActiveController())
    with pytest.raises(ConfigError, match="does not take the records"):
        elected(host)


def test_an_activation_that_loses_its_epoch_is_no_failure():
    """Leadership that is lost before the first records are appended ends the activation, not the node."""
    host = scripted(leader_id=1, role=Role.LEADER, propose=NotLeaderError("gone"), controller=ActiveController())
    elected(host)
    assert not host.controller.active


def test_a_log_that_this_version_cannot_serve_stops_the_node():
    """An elected controller that cannot serve the log ends with a configuration error that says why."""
    refusal = ApiError(ErrorCode.UNSUPPORTED_VERSION, "level 99 is not known here")
    host = scripted(leader_id=1, role=Role.LEADER, controller=ActiveController(on_activate=refusal))
    with pytest.raises(ConfigError, match="level 99 is not known here"):
        elected(host)


# The end.


async def test_a_node_that_stops_answers_everyone():
    """At the end no client is left waiting: what was appended is unknown, what was not decided is not done."""
    node = lone()
    node.lane.slow = True
    appended = node.submit(write("1"))
    node.turn()
    queued = node.submit(write("2"))
    node.host.close()
    assert isinstance(appended[0], OutcomeUnknownError)
    assert (queued[0].code, "the node stops" in queued[0].message) == (ErrorCode.NOT_CONTROLLER, True)
    late = node.submit(write("3"))
    assert late[0].code is ErrorCode.NOT_CONTROLLER


async def test_brokers_live_through_the_host():
    """A registration is answered with its broker epoch, the offset of its record."""
    node = lone()
    answers = node.submit(WriteRequest(register(5, cluster_id="the-cluster")))
    node.settle()
    assert answers[0].response.broker_epoch == answers[0].offset
    assert 5 in node.state_machine.image.cluster.brokers


def test_a_committed_record_that_does_not_replay_stops_the_node(monkeypatch):
    """A ReplayError comes out of the driver's turn: a node never goes on past a record that it cannot apply."""
    node = lone()
    node.submit(write())
    monkeypatch.setattr(MetadataLoader, "load_batches", broken)
    with pytest.raises(ReplayError):
        node.settle()


def broken(_loader, _batches):
    raise ReplayError("record", "does not fit", 3)


def test_the_memory_has_room_for_all_that_is_under_way():
    """A retry always finds the attempt that it is to join."""
    assert REMEMBERED_REQUESTS_MAX > controller_loop.SUBMISSIONS_MAX


async def test_nothing_grows_while_the_disk_has_little_space():
    """The refusal is the disk's; what removes something is done, and a retry of what was done before is answered."""
    node = lone()
    (done,) = answered(node, write("7", request_id=b"1" * 16))
    node.host.refuses_growth = "the disk is full"
    (refused,) = answered(node, write("8"))
    assert (refused.code, refused.message) == (ErrorCode.POLICY_VIOLATION, "the disk is full")
    assert isinstance(answered(node, write("8", validate_only=True))[0], Committed)
    (again,) = answered(node, write("7", request_id=b"1" * 16))
    assert again.offset == done.offset
    assert stored(node) == {"log.cleaner.threads": "7"}
    deletion = set_configs(KIND_BROKER, "", ("log.cleaner.threads", AlterOp.DELETE, None))
    assert isinstance(answered(node, WriteRequest(deletion))[0], Committed)
    assert stored(node) == {}
    node.host.refuses_growth = None
    assert isinstance(answered(node, write("8"))[0], Committed)


def test_a_full_disk_does_not_refuse_what_an_earlier_leader_may_have_done():
    """The client would take it for not done."""
    node = lone()
    answered(node, write("7", request_id=A, stamp=Stamp(node.host.controller.epoch)))
    node, first = next_leader_epoch(node)
    node.host.refuses_growth = "the disk is full"
    (refusal,) = answered(node, write("7", request_id=A, stamp=Stamp(first, is_retry=True)))
    assert refusal.code is ErrorCode.REQUEST_OUTCOME_UNKNOWN


async def test_a_leader_that_hands_over_leaves_the_answer_to_the_replica():
    """That asks clients to come again, and they find the next leader, whose disk may have space."""
    node = lone()
    node.host.refuses_growth = "the disk is full"
    node.host._replica = Handing(node.replica)
    # The replica behind it takes the write here.
    assert isinstance(answered(node, write("8"))[0], Committed)


class Handing:
    """A replica that hands its leadership over, as it says."""

    hands_over = True

    def __init__(self, replica):
        self._replica = replica

    def __getattr__(self, name):
        return getattr(self._replica, name)


def test_records_name_who_asked_and_the_state_does_not():
    """What one client asked for is said to be another's, or the author gets into the state."""
    node, other = lone(), lone()
    start = node.replica.log_end_offset
    alice, bob = (encode_author(Author(f"User:{name}", "admin", b"r" * 16, 3)) for name in ("alice", "bob"))
    answers = node.submit(
        write("1")._replace(author=alice), write("2")._replace(author=bob), write("3"), write("4")._replace(author=bob)
    )
    node.settle()
    other.submit(*(write(value) for value in "1234"))
    other.settle()
    assert [type(answer) for answer in answers] == [Committed] * 4
    log = node.directory.log
    (batch,) = split_batches(log.read(start, 10**9, log.end_offset), verify_crc=False)
    spans = [(span.first, span.record_count, span.author.principal) for span in author_spans(batch.values(), 4)]
    assert spans == [(0, 1, "User:alice"), (1, 1, "User:bob"), (3, 1, "User:bob")]
    assert node.state_machine.image.configs == other.state_machine.image.configs
    assert node.state_machine.image.unknown.count == 0
