"""Which permission each request needs, and what becomes of the parts of a request that are not allowed."""

from __future__ import annotations

from typing import get_args

import pytest

from kraftpy.authorizer.actions import Caller
from kraftpy.authorizer.principal_mapping import parse_rules
from kraftpy.authorizer.standard import StandardAuthorizer
from kraftpy.config.authorization import AuthorizationConfig
from kraftpy.controller.delegation_token_requests import DelegationTokenRequest
from kraftpy.controller.requests import (
    ConfigResource,
    ControllerRequest,
    IncrementalAlterConfigs,
    IncrementalAlterConfigsResponse,
    ReplaceConfigs,
    UnregisterBroker,
    UnregisterBrokerResponse,
)
from kraftpy.controller.topic_requests import (
    CreatableTopic,
    CreatePartitions,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
    CreateTopics,
    CreateTopicsResponse,
    DeleteTopics,
    DeleteTopicsResponse,
    TopicRef,
    TopicResult,
)
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.model.acls import AclOperation, AclResourceType, PatternType, PermissionType
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.node.permissions import Permissions
from kraftpy.records.metadata import AccessControlEntryRecord, TopicRecord
from kraftpy.transport.authorization import CLUSTER_OPERATIONS, DENIALS_LOGGED_MAX, Authorization, host_of
from kraftpy.transport.grpc import permissions
from kraftpy.transport.grpc.writes import BY_REQUEST
from kraftpy.transport.kafka.identity import OPERATIONS
from kraftpy.transport.kafka.translate import RAFT_APIS
from kraftpy.transport.node_api import Committed
from tests.unit.controller.worlds import World, set_configs

ALICE = Caller("User:alice", "10.0.0.1")
BY_ITEM = {CreateTopics, DeleteTopics, CreatePartitions, IncrementalAlterConfigs, ReplaceConfigs}
ORDERS, BILLS = bytes(range(16)), bytes(range(1, 17))
GONE = bytes(range(2, 18))


def image(*permissions_):
    """Topics orders and bills, and entries that allow alice these (operation, type, name)."""
    delta = MetadataDelta(EMPTY)
    delta.replay(TopicRecord(name="orders", topic_id=ORDERS))
    delta.replay(TopicRecord(name="bills", topic_id=BILLS))
    for number, (operation, kind, name) in enumerate(permissions_):
        delta.replay(
            AccessControlEntryRecord(
                bytes([number]) * 16, kind, name, PatternType.LITERAL, ALICE.principal, "*", operation,
                PermissionType.ALLOW,
            )
        )  # fmt: skip
    return delta.apply(Provenance(7, 1, 0, batch_aligned=True))


class Denials:
    """An authorization, and how many denials it reported."""

    def __init__(self, *allowed):
        self.count = 0
        state = image(*allowed)
        authorizer = StandardAuthorizer(["User:admin"])
        authorizer.load(state.acls)
        self.authorization = Authorization(authorizer, lambda: state, self.add)

    def add(self):
        self.count += 1

    def admit(self, request, caller=ALICE):
        return self.authorization.admit(request, caller)


def topic(operation, name):
    return (operation, AclResourceType.TOPIC, name)


def cluster(operation):
    return (operation, AclResourceType.CLUSTER, "kafka-cluster")


def test_every_request_has_a_row():
    """No request of either wire can be made without a permission being named for it."""
    assert set(CLUSTER_OPERATIONS) | BY_ITEM | set(get_args(DelegationTokenRequest)) == set(get_args(ControllerRequest))
    assert not set(CLUSTER_OPERATIONS) & BY_ITEM
    assert not set(permissions.OPERATIONS) & set(BY_REQUEST)
    assert set(OPERATIONS) == {api.request for api in RAFT_APIS}


def test_a_request_about_the_cluster_is_allowed_or_rejected_whole():
    request = UnregisterBroker(broker_id=1)
    denied = Denials(cluster(AclOperation.DESCRIBE))
    with pytest.raises(
        ApiError, match=r"User:alice from 10\.0\.0\.1 is not allowed to do this: ALTER on CLUSTER kafka-cluster"
    ) as refused:
        denied.admit(request)
    assert (refused.value.code, denied.count) == (ErrorCode.CLUSTER_AUTHORIZATION_FAILED, 1)
    allowed = Denials(cluster(AclOperation.ALTER))
    admitted = allowed.admit(request)
    outcome = Committed(UnregisterBrokerResponse(), 1, 1)
    assert (admitted.request, admitted.outcome(outcome), allowed.count) == (request, outcome, 0)


def test_an_error_of_the_whole_request_stays_as_it_is():
    error = ApiError(ErrorCode.NOT_CONTROLLER, "node 2 is")
    assert Denials(topic(AclOperation.CREATE, "a")).admit(CreateTopics((CreatableTopic("b"),))).outcome(error) is error


def results(admitted, response):
    return admitted.outcome(Committed(response, 1, 1)).response


def test_topics_are_created_one_by_one():
    """What is not allowed has its error at its place; of what is created, configs are hidden without permission."""
    denials = Denials(
        topic(AclOperation.CREATE, "a"),
        topic(AclOperation.CREATE, "c"),
        topic(AclOperation.DESCRIBE_CONFIGS, "c"),
    )
    admitted = denials.admit(CreateTopics(tuple(CreatableTopic(name) for name in "abcd")))
    assert [each.name for each in admitted.request.topics] == ["a", "c"]
    made = CreateTopicsResponse((TopicResult("a", partitions=1), TopicResult("c", partitions=2)))
    assert results(admitted, made).topics == (
        TopicResult("a", partitions=1, hides_configs=True),
        TopicResult("b", ErrorCode.TOPIC_AUTHORIZATION_FAILED, "Authorization failed."),
        TopicResult("c", partitions=2),
        TopicResult("d", ErrorCode.TOPIC_AUTHORIZATION_FAILED, "Authorization failed."),
    )
    assert denials.count == 2


def test_create_on_the_cluster_is_create_of_every_topic():
    request = CreateTopics((CreatableTopic("a"), CreatableTopic("b")))
    denials = Denials(cluster(AclOperation.CREATE))
    assert (denials.admit(request).request, denials.count) == (request, 0)


def test_topics_are_deleted_one_by_one():
    """By name and by id; only a caller that may describe a topic sees its name, or that it does not exist."""
    denials = Denials(topic(AclOperation.DELETE, "orders"), topic(AclOperation.DESCRIBE, "none"))
    asked = (
        TopicRef("orders"), TopicRef("bills"), TopicRef(topic_id=BILLS), TopicRef(topic_id=GONE), TopicRef("none"),
        TopicRef("secret"),
    )  # fmt: skip
    admitted = denials.admit(DeleteTopics(asked))
    assert admitted.request.topics == (TopicRef("orders"),)
    found = results(admitted, DeleteTopicsResponse((TopicResult("orders", topic_id=ORDERS),))).topics
    assert [(each.name, each.error, each.topic_id) for each in found] == [
        ("orders", ErrorCode.NONE, ORDERS),
        ("bills", ErrorCode.TOPIC_AUTHORIZATION_FAILED, None),
        (None, ErrorCode.TOPIC_AUTHORIZATION_FAILED, BILLS),
        (None, ErrorCode.UNKNOWN_TOPIC_ID, GONE),
        ("none", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, None),
        ("secret", ErrorCode.TOPIC_AUTHORIZATION_FAILED, None),
    ]


def test_a_topic_that_may_be_described_is_named_when_it_may_not_be_deleted():
    admitted = Denials(topic(AclOperation.DESCRIBE, "bills")).admit(DeleteTopics((TopicRef(topic_id=BILLS),)))
    (found,) = results(admitted, DeleteTopicsResponse(())).topics
    assert (found.name, found.error) == ("bills", ErrorCode.TOPIC_AUTHORIZATION_FAILED)


def test_partitions_are_created_topic_by_topic():
    admitted = Denials(topic(AclOperation.ALTER, "b")).admit(
        CreatePartitions((CreatePartitionsTopic("a", 3), CreatePartitionsTopic("b", 4)))
    )
    assert [each.name for each in admitted.request.topics] == ["b"]
    assert results(admitted, CreatePartitionsResponse((TopicResult("b", partitions=4),))).topics == (
        TopicResult("a", ErrorCode.TOPIC_AUTHORIZATION_FAILED),
        TopicResult("b", partitions=4),
    )


@pytest.mark.parametrize("kind", [IncrementalAlterConfigs, ReplaceConfigs])
def test_configs_are_altered_resource_by_resource(kind):
    """Each type of resource has its own permission and its own error; what the controller rejected keeps its place."""
    names = [(2, "orders"), (2, "bills"), (4, ""), (32, "g"), (16, "m"), (2, "more")]
    resources = tuple(ConfigResource(*name) for name in names)
    denials = Denials(topic(AclOperation.ALTER_CONFIGS, "bills"), topic(AclOperation.ALTER_CONFIGS, "more"))
    admitted = denials.admit(kind(tuple((each, ()) for each in resources)))
    assert [each for each, _ in admitted.request.resources] == [resources[1], resources[5]]
    response = IncrementalAlterConfigsResponse((resources[1], resources[5]), {1: (ErrorCode.INVALID_CONFIG, "bad")})
    found = results(admitted, response).results
    assert [each.resource for each in found] == list(resources)
    assert [each.error for each in found] == [
        ErrorCode.TOPIC_AUTHORIZATION_FAILED,
        ErrorCode.NONE,
        ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
        ErrorCode.GROUP_AUTHORIZATION_FAILED,
        ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
        ErrorCode.INVALID_CONFIG,
    ]


TWICE = [
    CreateTopics((CreatableTopic("x", 1, 1),) * 2),
    DeleteTopics((TopicRef("orders"),) * 2),
    DeleteTopics((TopicRef(topic_id=ORDERS),) * 2),
    CreatePartitions((CreatePartitionsTopic("orders", 9),) * 2),
    IncrementalAlterConfigs(set_configs(4, "", ("log.cleaner.threads", "2")).resources * 2),
    ReplaceConfigs(((ConfigResource(4, ""), (("log.cleaner.threads", "2"),)),) * 2),
]


@pytest.mark.parametrize("request_", TWICE)
def test_what_is_named_twice_changes_nothing(request_):
    """It reaches the controller without a permission, which rejects both: no way around the authorizer."""
    admitted = Denials().admit(request_)
    assert admitted.request == request_
    world = World(records=(TopicRecord(name="orders", topic_id=ORDERS),))
    world.alive(1)
    records, _ = world.do(request_)
    assert records == []


def test_nothing_is_decided_before_the_entries_are_loaded():
    """But a super user is served."""
    authorization = Authorization(StandardAuthorizer(["User:admin"]), lambda: EMPTY)
    for request in (
        UnregisterBroker(broker_id=1),
        CreateTopics((CreatableTopic("a"),)),
        DeleteTopics((TopicRef("a"),)),
    ):
        with pytest.raises(ApiError) as refused:
            authorization.admit(request, ALICE)
        assert refused.value.code is ErrorCode.OFFSET_NOT_AVAILABLE
        assert authorization.admit(request, Caller("User:admin", "10.0.0.1")).request == request


@pytest.mark.parametrize(
    "request_",
    [
        CreateTopics(tuple(CreatableTopic(f"t-{number}") for number in range(100))),
        DeleteTopics(tuple(TopicRef(f"t-{number}") for number in range(100))),
        CreatePartitions(tuple(CreatePartitionsTopic(f"t-{number}", 2) for number in range(100))),
        IncrementalAlterConfigs(tuple((ConfigResource(2, f"t-{number}"), ()) for number in range(100))),
    ],
    ids=lambda request: type(request).__name__,
)
def test_the_denials_of_a_request_are_all_counted_and_the_first_ones_logged(request_, caplog):
    """A line takes longer than the decision: with one for each of 16,384 items a request held a node up for 0.8 s."""
    denials = Denials()
    denials.admit(request_)
    assert denials.count == 100
    assert len([one for one in caplog.messages if "authorization_denied" in one]) == DENIALS_LOGGED_MAX


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::1", "0:0:0:0:0:0:0:1"),
        ("fe80::1%eth0", "fe80:0:0:0:0:0:0:1"),
        ("2001:db8::ff00:42:8329", "2001:db8:0:0:0:ff00:42:8329"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("?", "?"),
    ],
)
def test_hosts_are_written_as_java_writes_them(address, host):
    assert host_of(address) == host


def test_callers_are_named_by_the_rules():
    """Super users and entries have mapped names; a certificate that no rule matches is denied, with the reason."""
    rules = parse_rules("RULE:^CN=([a-z]+),.*$/$1/")
    config = AuthorizationConfig(super_users=("User:admin",), allow_without_entries=True, mapping_rules=rules)
    denials = []
    permissions = Permissions(config, lambda: EMPTY, lambda: denials.append(1))
    authorization = permissions.of_listener("CONTROLLER")
    assert authorization.denial(Caller("User:CN=admin,O=x", "h"), AclOperation.ALTER) is None
    error = authorization.denial(Caller("User:O=x", "h"), AclOperation.ALTER)
    assert error.code is ErrorCode.CLUSTER_AUTHORIZATION_FAILED
    assert "User:O=x (no rule of ssl.principal.mapping.rules applies) from h" in error.message
    with pytest.raises(ApiError, match="has not loaded the access control entries"):
        authorization.denial(Caller("User:CN=alice,O=x", "h"), AclOperation.ALTER)
    assert denials == [1]


def test_each_listener_names_callers_by_its_own_rules():
    """One authorizer decides, by the name that the rules of the connection's listener give."""
    rules = {"GRPC": parse_rules("RULE:^CN=(.*)$/$1/"), "OTHER": parse_rules("RULE:^O=(.*)$/$1/")}
    config = AuthorizationConfig(super_users=("User:admin",), allow_without_entries=False, listener_rules=rules)
    permissions = Permissions(config, lambda: EMPTY, lambda: None)
    permissions.publisher.on_metadata_update(None, EMPTY, None)
    admin = Caller("User:CN=admin", "h")
    allowed = {
        name: permissions.of_listener(name).allows(admin, AclOperation.ALTER)
        for name in ("GRPC", "OTHER", "CONTROLLER")
    }
    assert allowed == {"GRPC": True, "OTHER": False, "CONTROLLER": False}
