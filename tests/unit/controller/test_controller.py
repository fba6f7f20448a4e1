"""The machine around the decisions. Sources: controller reference §1-§3, §21; DESIGN D4."""

from __future__ import annotations

from dataclasses import is_dataclass, replace
from typing import get_args

import pytest

from kraftpy.controller import controller as controller_module
from kraftpy.controller.account_requests import (
    AllocateProducerIds,
    AlterClientQuotas,
    AlterUserScramCredentials,
    QuotaAlteration,
    ScramUpsertion,
)
from kraftpy.controller.acl_index import entry_of
from kraftpy.controller.acl_requests import AclFilter, CreateAcls, DeleteAcls
from kraftpy.controller.broker_id_requests import AlterBrokerHost, AssignBrokerId
from kraftpy.controller.dedupe import CompletedRequests, Stamp
from kraftpy.controller.delegation_token_requests import (
    CreateDelegationToken,
    ExpireDelegationToken,
    RenewDelegationToken,
)
from kraftpy.controller.partition_requests import (
    AlterPartition,
    AlterPartitionReassignments,
    AssignReplicasToDirs,
    ElectLeaders,
    IsrMember,
    ListPartitionReassignments,
    PartitionAlteration,
    Reassignment,
)
from kraftpy.controller.requests import (
    ConfigResource,
    ControllerRequest,
    FeatureUpdate,
    FeatureUpdateKind,
    IncrementalAlterConfigs,
    IncrementalAlterConfigsResponse,
    ReplaceConfigs,
    UnregisterBroker,
    UnregisterController,
    UpdateFeatures,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_requests import (
    CreatableTopic,
    CreatePartitions,
    CreatePartitionsTopic,
    CreateTopics,
    CreateTopicsResponse,
    DeleteTopics,
    TopicRef,
)
from kraftpy.image.scram import ScramUser
from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.model.invariant import InvariantViolation
from kraftpy.records.metadata import (
    AccessControlEntryRecord,
    BeginTransactionRecord,
    BrokerRegistrationChangeRecord,
    EndTransactionRecord,
    NoOpRecord,
    UnregisterBrokerRecord,
)
from tests.unit.controller.worlds import (
    TOPIC_ID,
    UNSTABLE,
    World,
    beat,
    register,
    register_controller,
    set_configs,
    topic_records,
    uuid,
)

PUT = set_configs(4, "", ("k", "v"))
ACL = AccessControlEntryRecord(bytes([9]) * 16, 2, "orders", 3, "User:alice", "*", 3, 3)


def test_only_the_active_controller_decides():
    """A controller that does not lead answers NOT_CONTROLLER, before and after its leadership (§1.3)."""
    world = World(active=False)
    with pytest.raises(ApiError) as caught:
        world.controller.decide(0, PUT)
    assert caught.value.code is ErrorCode.NOT_CONTROLLER
    world.activate()
    world.do(PUT)
    world.controller.resign()
    with pytest.raises(ApiError):
        world.controller.decide(0, PUT)
    assert world.controller.tick(10**9) is None
    assert world.controller.next_deadline_ms() is None


def test_the_active_controller_knows_how_long_each_broker_was_silent():
    """Fenced brokers too; a successor counts from its activation, and a standby knows of none."""
    world = World()
    world.alive(1)
    world.register(2)
    world.now_ms += 400
    world.alive(1)
    assert world.controller.broker_silences_ms(world.now_ms + 100) == {2: 500, 1: 100}
    world.commit()
    world.controller.resign()
    assert world.controller.broker_silences_ms(world.now_ms) == {}
    world.activate(epoch=5)
    assert world.controller.broker_silences_ms(world.now_ms + 30) == {1: 30, 2: 30}


def test_resigning_falls_back_to_what_was_committed():
    """Losing leadership drops what was not committed (§3, §21.2)."""
    world = World()
    world.do(PUT)
    world.commit()
    committed = world.controller.image
    world.do(set_configs(4, "", ("k", "other")))
    world.register()
    world.controller.resign()
    assert world.controller.image is committed


def test_a_commit_of_the_bottom_keeps_what_is_above():
    """A commit drops what it covers; what was appended after it stays visible to decisions (§2)."""
    world = World()
    world.do(PUT)
    middle, middle_image = world.offset, world.controller.image
    world.do(set_configs(4, "", ("k", "newer")))
    world.controller.committed(middle, middle_image)
    assert world.controller.image.configs.broker(None)["k"] == "newer"
    assert len(world.controller._speculation) == 1
    world.commit()
    assert len(world.controller._speculation) == 0


def test_a_decision_sees_what_was_appended_before_it_was_committed():
    """Decisions are made from the speculative state (§2)."""
    world = World()
    epoch = world.register()
    assert world.controller.image.cluster.brokers[1].broker_epoch == epoch
    assert 1 not in world.committed_image.cluster.brokers


def test_a_record_that_does_not_replay_stops_the_node():
    """A failed replay of an appended record is our bug (§1.4)."""
    world = World()
    with pytest.raises(InvariantViolation, match="not registered"):
        world.controller.appended(
            ControllerResult((UnregisterBrokerRecord(broker_id=9),), None), 100, world.controller.epoch
        )


@pytest.mark.parametrize("last_offset", [0, 1])
def test_appends_may_not_overlap(last_offset):
    """An append at an offset that has a record already is our bug."""
    world = World()
    with pytest.raises(InvariantViolation):
        world.controller.appended(ControllerResult((NoOpRecord(),), None), last_offset, world.controller.epoch)


def test_an_append_in_another_epoch_is_a_bug():
    """Only the reigning epoch appends."""
    world = World()
    with pytest.raises(InvariantViolation):
        world.controller.appended(ControllerResult((NoOpRecord(),), None), 100, 99)


def test_epochs_grow():
    """A leadership begins in a newer epoch than the last, and once."""
    world = World()
    with pytest.raises(InvariantViolation):
        world.activate(epoch=5)
    world.controller.resign()
    world.committed_image = world.controller.image
    with pytest.raises(InvariantViolation):
        world.activate(epoch=world.controller.epoch)


def test_too_many_uncommitted_results_are_busy(monkeypatch):
    """The stack of uncommitted results is bounded: one more is refused as busy, reading requests are not."""
    monkeypatch.setattr(controller_module, "UNCOMMITTED_RESULTS_MAX", 3)
    world = World()
    world.do(PUT)
    world.do(PUT)
    with pytest.raises(BusyError):
        world.controller.decide(0, PUT)
    assert world.controller.decide(0, register(validate_only=True)).response.broker_epoch > 0


def test_what_is_only_tried_leaves_nothing():
    """Each kind of request, tried and then meant: only the second leaves records, and both answer the same."""
    config = replace(UNSTABLE, acls_enabled=True, token_secret_key="secret")
    world = World(config=config, level=41, records=(ACL, *topic_records(([3], [3], -1), ([3, 1], [3, 1], 3))))
    epoch = world.register(1)
    leader_epoch = world.register(3)
    world.append(ControllerResult((BrokerRegistrationChangeRecord(3, leader_epoch, fenced=-1),), None))
    _, token = world.do(CreateDelegationToken(requester="User:a"))
    requests = [
        register(2),
        register_controller(5),
        beat(1, epoch, world.offset),
        UnregisterBroker(broker_id=1),
        UpdateFeatures(updates=(FeatureUpdate("metadata.version", 42, FeatureUpdateKind.UPGRADE),)),
        PUT,
        ReplaceConfigs(((ConfigResource(16, "m"), (("metrics", "a"),)),)),
        AssignReplicasToDirs(
            broker_id=1, broker_epoch=epoch, directories=((world.broker(1).log_dirs[0], ((TOPIC_ID, (1,)),)),)
        ),
        AlterClientQuotas(entries=(QuotaAlteration((("user", "a"),), (("producer_byte_rate", 1.0),)),)),
        AlterUserScramCredentials(
            upsertions=(ScramUpsertion(user=ScramUser(1, "a"), iterations=4096, salt=b"s", salted_password=b"p"),)
        ),
        AllocateProducerIds(broker_id=1, broker_epoch=epoch),
        AssignBrokerId(host="h", incarnation_id=uuid(9)),
        AlterBrokerHost(host="h", broker_id=9),
        AlterPartitionReassignments(topics=(("orders", (Reassignment(1, (1, 3)),)),)),
        ElectLeaders(election_type=0, topics=None),
        ListPartitionReassignments(),
        AlterPartition(
            broker_id=3,
            broker_epoch=leader_epoch,
            topics=((TOPIC_ID, (PartitionAlteration(1, 0, 0, (IsrMember(3),)),)),),
        ),
        CreateTopics((CreatableTopic("payments", 3, 1),)),
        DeleteTopics((TopicRef("orders"),)),
        CreatePartitions((CreatePartitionsTopic("orders", 3, ((3,),)),)),
        CreateAcls(entries=(replace(entry_of(ACL), host="10.0.0.1"),)),
        DeleteAcls(filters=(AclFilter(2, "orders", 3, None, None, 1, 1),)),
        RenewDelegationToken(hmac=token.hmac, requester="User:a"),
        ExpireDelegationToken(hmac=token.hmac, requester="User:a"),
    ]
    # A token that is only validated has no HMAC; tests of delegation tokens compare the rest. Controllers can be
    # unregistered at two other levels only, which tests of registration are at.
    answered_otherwise = {CreateDelegationToken, UnregisterController}
    assert {type(one) for one in requests} | answered_otherwise == set(controller_module.DECIDERS)
    assert set(controller_module.DECIDERS) == set(get_args(ControllerRequest))
    for request in requests:
        before = world.controller.image
        question = (
            replace(request, validate_only=True) if is_dataclass(request) else request._replace(validate_only=True)
        )
        tried = world.controller.decide(world.now_ms, question)
        assert (tried.records, world.controller.image) == ((), before), request
        meant = world.controller.decide(world.now_ms, request)
        assert meant.records or isinstance(request, ListPartitionReassignments | AssignBrokerId), request
        assert _without_new_ids(meant.response) == _without_new_ids(tried.response)


def _without_new_ids(response):
    """Blank the ids of topics that are created: each decision draws its own."""
    if not isinstance(response, CreateTopicsResponse):
        return response
    return response._replace(topics=tuple(topic._replace(topic_id=None) for topic in response.topics))


def test_parts_of_a_result():
    """A result that is not atomic is cut at 2,000 records, no empty tail; the last part answers (§1.4)."""
    whole = ControllerResult((NoOpRecord(),) * 4_000, "answer", atomic=False, enters_shutdown=3)
    parts = list(whole.parts())
    assert [len(part.records) for part in parts] == [2_000, 2_000]
    assert [part.response for part in parts] == [None, "answer"]
    assert [part.enters_shutdown for part in parts] == [None, 3]
    atomic = ControllerResult((NoOpRecord(),) * 10_001, "answer")
    assert list(atomic.parts()) == [atomic]
    first, second = atomic._replace(transaction="many").parts(10_001)
    assert first.records == (BeginTransactionRecord(name="many"), *atomic.records[1:])
    assert (second.records, second.response) == ((NoOpRecord(), EndTransactionRecord()), "answer")


def test_an_answer_is_given_to_its_own_request_only():
    """Another request under a known id is refused: the remembered answer would acknowledge what was never written."""
    memory = CompletedRequests()
    memory.remember(b"id", "done", 5, UnregisterBroker(broker_id=1))
    known = memory.find(b"id")
    known.check_answers(UnregisterBroker(broker_id=1))
    with pytest.raises(ApiError, match="fresh id") as refused:
        known.check_answers(UnregisterBroker(broker_id=2))
    assert refused.value.code is ErrorCode.INVALID_REQUEST


def test_an_answer_is_given_to_its_own_kind_of_request_only():
    """Requests of two kinds may hold the same values; the answer to the one is no answer to the other."""
    memory = CompletedRequests()
    memory.remember(b"id", "done", 5, UpdateFeatures(updates=()))
    with pytest.raises(ApiError, match="fresh id"):
        memory.find(b"id").check_answers(IncrementalAlterConfigs(resources=()))


def test_answers_are_remembered_by_request_id():
    """A request that comes again gets the first answer (§21.12)."""
    memory = CompletedRequests()
    memory.remember("a", "first", 5)
    memory.remember("a", "second", 9)
    assert (memory.find("a").response, memory.find("a").offset) == ("first", 5)
    assert memory.find("b") is None
    memory.clear()
    assert memory.find("a") is None


def test_answers_about_many_resources_take_the_room_of_many():
    """What the memory holds is bounded by the results in it, too; the newest answer always has its place."""
    memory = CompletedRequests(100, resources_max=10)
    results = tuple(range(6))  # as good as resources: they are counted only
    memory.remember("a", IncrementalAlterConfigsResponse(resources=results), 1)
    assert not memory.has_forgotten
    memory.remember("b", IncrementalAlterConfigsResponse(resources=results), 2)
    assert memory.find("a") is None
    assert memory.has_forgotten
    memory.remember("c", IncrementalAlterConfigsResponse(resources=results * 9), 3)
    assert memory.find("b") is None
    assert memory.find("c") is not None
    memory.remember("d", None, 4)
    memory.remember("e", None, 5)
    assert [memory.find(each) is None for each in "cde"] == [True, False, False]


@pytest.mark.parametrize(
    ("stamp", "answer"),
    [
        (Stamp(), True), (Stamp(5), True), (Stamp(4), ErrorCode.FENCED_LEADER_EPOCH),
        (Stamp(6), ErrorCode.NOT_CONTROLLER), (Stamp(6, is_retry=True), ErrorCode.NOT_CONTROLLER),
        (Stamp(5, is_retry=True), True), (Stamp(4, is_retry=True), False), (Stamp(None, is_retry=True), False),
    ],
)  # fmt: skip
def test_what_may_be_decided_follows_from_the_stamp(stamp, answer):
    """The table of the module, for a controller of epoch 5 that has forgotten nothing."""
    memory = CompletedRequests(1)
    if isinstance(answer, bool):
        assert memory.may_decide(stamp, 5) is answer
    else:
        with pytest.raises(ApiError) as refused:
            memory.may_decide(stamp, 5)
        assert refused.value.code is answer


def test_a_controller_that_forgot_an_answer_decides_no_retry():
    """What had to go may have been the very answer that is asked for; a first attempt is decided as ever."""
    memory = CompletedRequests(1)
    memory.remember("a", 1, 1)
    assert memory.may_decide(Stamp(5, is_retry=True), 5)
    memory.remember("b", 2, 2)
    assert not memory.may_decide(Stamp(5, is_retry=True), 5)
    assert memory.may_decide(Stamp(5), 5)
    memory.clear()
    assert memory.may_decide(Stamp(6, is_retry=True), 6), "the next reign has forgotten nothing"


def test_what_was_sent_before_the_horizon_may_have_been_done_and_what_was_sent_after_it_was_not():
    """A client that knew of n answers got, if any, one with a number above n: it is there still, or was forgotten."""
    memory = CompletedRequests(2)
    for name in "abcd":
        memory.remember(name, name, 1)
    assert (memory.sequence, memory.horizon) == (4, 2)
    for known, within in ((0, False), (1, False), (2, True), (4, True)):
        assert memory.may_decide(Stamp(5, is_retry=True, first_sent_sequence=known), 5) is within
        if within:
            assert memory.may_decide(Stamp(5, first_sent_sequence=known), 5)
            continue
        with pytest.raises(ApiError, match=f"stamped at answer {known} of epoch 5.*up to 2 are forgotten") as refused:
            memory.may_decide(Stamp(5, first_sent_sequence=known), 5)
        assert refused.value.code is ErrorCode.FENCED_LEADER_EPOCH
    memory.clear()
    assert memory.may_decide(Stamp(6, first_sent_sequence=0), 6)


def test_an_answer_that_is_asked_for_again_outlives_later_ones_and_the_horizon_knows():
    """It is the highest number that went, whichever went first."""
    memory = CompletedRequests(2)
    memory.remember("a", 1, 1)
    memory.remember("b", 2, 2)
    memory.find("a")
    memory.remember("c", 3, 3)
    memory.remember("d", 4, 4)
    assert memory.horizon == 2
    assert not memory.may_decide(Stamp(5, is_retry=True, first_sent_sequence=1), 5)


def test_the_memory_of_answers_is_bounded():
    """The least recently used answer goes first."""
    memory = CompletedRequests(2)
    memory.remember("a", 1, 1)
    memory.remember("b", 2, 2)
    memory.find("a")
    memory.remember("c", 3, 3)
    assert memory.find("b") is None
    assert len(memory) == 2
    assert memory.find("a").response == 1
