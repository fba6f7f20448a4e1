"""Envelopes: who may send one, what is wrong with one, and what becomes of the request inside."""

from __future__ import annotations

import pytest

from kraftpy.authorizer.actions import Caller
from kraftpy.authorizer.principal_mapping import PrincipalMapper, parse_rules
from kraftpy.authorizer.standard import StandardAuthorizer
from kraftpy.controller.account_requests import AlterUserScramCredentialsResponse, ScramResult
from kraftpy.controller.delegation_token_requests import (
    CreateDelegationToken,
    CreateDelegationTokenResponse,
    DelegationTokenExpiry,
    RenewDelegationToken,
)
from kraftpy.controller.topic_requests import CreateTopicsResponse, TopicResult
from kraftpy.image.acls import AclsDelta, AclsImage
from kraftpy.model.acls import AclOperation, AclResourceType, PatternType
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.identity import ANONYMOUS, NodeName, NodeRole, Principal
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.raft.messages import DescribeQuorumResponse
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import AccessControlEntryRecord
from kraftpy.records.rpc import decode_response, encode_request
from kraftpy.transport.authorization import Authorization
from kraftpy.transport.kafka.control.envelope import FORWARDABLE
from kraftpy.transport.kafka.identity import PeerIdentity
from tests.unit.transport.kafka_node import CLUSTER, FakeNode

ALICE = bytes.fromhex("0000 05") + b"User" + bytes.fromhex("06") + b"alice" + bytes.fromhex("00 00")
"""As a broker of Kafka 4.3 writes it: a version, two compact strings, a bool, no tags."""
LOCALHOST = bytes([127, 0, 0, 1])
INNER = 77
TOPICS = rpc.CreateTopicsRequest(topics=[rpc.CreateTopicsRequestCreatableTopic(name="t", num_partitions=1)])
SCRAM = rpc.AlterUserScramCredentialsRequest(
    deletions=[rpc.AlterUserScramCredentialsRequestScramCredentialDeletion(name="u", mechanism=1)]
)
TOKEN = CreateDelegationTokenResponse(
    owner="User:bob", requester="User:alice", renewers=(), issue_timestamp_ms=1, expiration_timestamp_ms=2,
    max_timestamp_ms=3, token_id="t", hmac=b"h",
)  # fmt: skip


def named(name):
    """A principal as it is in an Envelope."""
    return bytes(2) + rpc.CODECS[rpc.DefaultPrincipalData, 0][1](rpc.DefaultPrincipalData("User", name), b"")


def envelope(message=TOPICS, version=7, *, data=None, principal=ALICE, address=LOCALHOST):
    inner = encode_request("client", INNER, message, version) if data is None else data
    return rpc.EnvelopeRequest(request_data=inner, request_principal=principal, client_host_address=address)


def opened(node, message=TOPICS, version=7):
    """The response inside the Envelope's."""
    answer = node.answer()
    assert answer.error_code == ErrorCode.NONE
    correlation_id, response = decode_response(message.API_KEY, version, answer.response_data)
    assert correlation_id == INNER
    return response


def authorization(*entries, rules="DEFAULT"):
    """Entries that allow a principal an operation on the cluster or, with a name, on that user."""
    delta = AclsDelta(AclsImage())
    for number, (principal, operation, *name) in enumerate(entries):
        kind, resource = (AclResourceType.USER, name[0]) if name else (AclResourceType.CLUSTER, "kafka-cluster")
        delta.replay_entry(
            AccessControlEntryRecord(
                bytes([number]) * 16, kind, resource, PatternType.LITERAL, principal, "*", operation, 3
            )
        )
    authorizer = StandardAuthorizer()
    authorizer.load(delta.apply())
    return Authorization(authorizer, lambda: FakeNode().image, mapper=PrincipalMapper(parse_rules(rules)))


def test_a_request_is_handled_as_its_client_had_made_it():
    """The response is in the Envelope's as bytes, with the correlation id of the client's request."""
    node = FakeNode()
    assert node.ask(envelope()) is None
    ((submission, _),) = node.submitted
    assert submission.request.topics[0].name == "t"
    node.commit(CreateTopicsResponse((TopicResult("t", topic_id=bytes(16), partitions=1),)))
    assert [topic.name for topic in opened(node).topics] == ["t"]


@pytest.mark.parametrize(
    ("message", "version"),
    [
        (rpc.IncrementalAlterConfigsRequest([rpc.IncrementalAlterConfigsRequestAlterConfigsResource(4, "", [])]), 1),
        (rpc.AlterConfigsRequest([rpc.AlterConfigsRequestAlterConfigsResource(4, "", [])]), 2),
    ],
)
def test_changes_of_configs_are_marked_when_a_broker_forwards_them(message, version):
    """The controller cannot judge the paths of a broker's directories."""
    node = FakeNode()
    node.ask(envelope(message, version))
    node.ask(message, version)
    assert [submission.request.judged_by_broker for submission, _ in node.submitted] == [True, False]


def test_an_error_of_the_request_is_in_its_response():
    node = FakeNode()
    node.ask(envelope())
    node.commit(CreateTopicsResponse((TopicResult("t", ErrorCode.TOPIC_ALREADY_EXISTS, "it exists"),)))
    assert opened(node).topics[0].error_code == ErrorCode.TOPIC_ALREADY_EXISTS


@pytest.mark.parametrize(("message", "version"), [(TOPICS, 7), (SCRAM, 0)])
def test_another_controller_is_an_error_of_the_envelope(message, version):
    """A broker looks for the active controller then; the client would not know what to do."""
    node = FakeNode()
    node.ask(envelope(message, version))
    node.settle(ApiError(ErrorCode.NOT_CONTROLLER, "ask node 2"))
    assert node.answer() == rpc.EnvelopeResponse(error_code=ErrorCode.NOT_CONTROLLER)


def test_describe_quorum_goes_to_the_core():
    """And its answer comes back; that this node is not the leader is an error of the Envelope, as for writes."""
    topics = [rpc.DescribeQuorumRequestTopicData("__cluster_metadata", [rpc.DescribeQuorumRequestPartitionData(0)])]
    message = rpc.DescribeQuorumRequest(topics=topics)
    received = []
    node = FakeNode()
    node.listener._inbox = received.append
    request = node.request(envelope(message, 2))
    (event,) = received
    assert request.token == event.token, "the core hears of it when the connection ends"
    nowhere = LeaderAndEpoch(None, 3)
    node.listener.reply(event.token, DescribeQuorumResponse(error=ErrorCode.NOT_LEADER_OR_FOLLOWER, leader=nowhere))
    assert node.answer().error_code == ErrorCode.NOT_CONTROLLER


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_token_is_written_in_every_version(version):
    node = FakeNode()
    owner = {} if version < 3 else {"owner_principal_type": None, "owner_principal_name": None}
    message = rpc.CreateDelegationTokenRequest(**owner)
    node.ask(envelope(message, version))
    node.commit(TOKEN)
    assert opened(node, message, version).hmac == b"h"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"principal": None}, ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE),
        ({"principal": b""}, ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE),
        ({"principal": b"\0\1" + ALICE[2:]}, ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE),
        ({"principal": ALICE[:-3]}, ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE),
        ({"principal": named("x" * 4_096)}, ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE),
        ({"principal": ALICE + b"x"}, ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE),
        ({"principal": None, "address": b""}, ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE),
        ({"address": b""}, ErrorCode.INVALID_REQUEST),
        ({"address": bytes(5)}, ErrorCode.INVALID_REQUEST),
        ({"address": b"", "data": b""}, ErrorCode.INVALID_REQUEST),
        ({"data": b""}, ErrorCode.UNSUPPORTED_VERSION),
        ({"data": bytes([0, 19, 0, 7, 0, 0, 0])}, ErrorCode.UNSUPPORTED_VERSION),
        ({"data": bytes([0, 19, 0, 7, 0, 0, 0, 1])}, ErrorCode.UNSUPPORTED_VERSION),
        ({"data": bytes([0, 19, 0, 99, 0, 0, 0, 1])}, ErrorCode.UNSUPPORTED_VERSION),
        ({"data": encode_request("c", 1, TOPICS, 7)[:-2]}, ErrorCode.UNSUPPORTED_VERSION),
        ({"message": rpc.FetchRequest(), "version": 17}, ErrorCode.INVALID_REQUEST),
        ({"message": rpc.BrokerHeartbeatRequest(), "version": 1}, ErrorCode.INVALID_REQUEST),
        ({"message": envelope(), "version": 0}, ErrorCode.INVALID_REQUEST),
    ],
)
def test_what_is_wrong_with_an_envelope_is_its_own_error(fields, code):
    """In Kafka's order; the connection stays, because other clients' requests come by it."""
    node = FakeNode()
    assert node.ask(envelope(**fields)) == rpc.EnvelopeResponse(error_code=code)
    assert (node.submitted, node.answers, node.broken) == ([], [], [])


def test_a_request_that_names_too_much_is_refused():
    answer = FakeNode().ask(envelope(rpc.AlterUserScramCredentialsRequest(deletions=SCRAM.deletions * 20_000), 0))
    assert answer.error_code == ErrorCode.INVALID_REQUEST


def test_what_kafka_forwards_is_offered():
    """All APIs that a broker may forward, but the raw ones of the voters, are rows of this listener."""
    offered = {api.api_key for api in FakeNode().listener.apis}
    assert offered >= FORWARDABLE


def test_the_sender_needs_a_permission():
    """The sender's, not the client's: a client with all permissions cannot send an Envelope for others."""
    node = FakeNode(authorization=authorization(("User:alice", AclOperation.ALL)))
    assert node.ask(envelope()).error_code == ErrorCode.CLUSTER_AUTHORIZATION_FAILED


def test_the_client_is_authorized_under_its_own_name():
    """Neither the sender's permissions nor its mapping rules are the client's."""
    both = authorization(
        ("User:ANONYMOUS", AclOperation.CLUSTER_ACTION), ("User:ANONYMOUS", AclOperation.ALTER), ("User:bob", 7)
    )
    node = FakeNode(authorization=both)
    node.ask(envelope(SCRAM, 0))
    assert [row.error_code for row in opened(node, SCRAM, 0).results] == [ErrorCode.CLUSTER_AUTHORIZATION_FAILED]
    allowed = authorization(("User:ANONYMOUS", AclOperation.CLUSTER_ACTION), ("User:alice", AclOperation.ALTER))
    node = FakeNode(authorization=allowed)
    node.ask(envelope(SCRAM, 0))
    node.commit(AlterUserScramCredentialsResponse(results=(ScramResult("u"),)))
    assert [row.error_code for row in opened(node, SCRAM, 0).results] == [ErrorCode.NONE]


def test_the_client_s_name_is_not_mapped_again():
    """Rules are for the names in certificates; the broker has applied its own to its clients."""
    entries = (("User:ANONYMOUS", AclOperation.CLUSTER_ACTION), ("User:alice", AclOperation.ALTER))
    node = FakeNode(authorization=authorization(*entries, rules="RULE:^.*$/other/"))
    node.ask(envelope(SCRAM, 0))
    assert len(node.submitted) == 1


@pytest.mark.parametrize(
    ("principal", "code"),
    [
        (ANONYMOUS, ErrorCode.CLUSTER_AUTHORIZATION_FAILED),
        (Principal("an operator", name="User:CN=op"), ErrorCode.CLUSTER_AUTHORIZATION_FAILED),
        (Principal("c", (NodeName(NodeRole.CONTROLLER, 1),)), ErrorCode.CLUSTER_AUTHORIZATION_FAILED),
        (Principal("b", (NodeName(NodeRole.BROKER, 4, "another cluster"),)), ErrorCode.CLUSTER_AUTHORIZATION_FAILED),
        (Principal("b", (NodeName(NodeRole.BROKER, 4),)), None),
    ],
)
def test_where_certificates_name_nodes_only_a_broker_forwards(principal, code):
    node = FakeNode(identity=PeerIdentity(lambda: CLUSTER))
    node.principal = principal
    answer = node.ask(envelope())
    assert (answer and answer.error_code) == code
    assert len(node.submitted) == (code is None)


@pytest.mark.parametrize("asks", [False, True])
def test_a_broker_s_client_changes_no_voters_where_operators_have_certificates(asks):
    """With an authorizer, which asks for ALTER, it may."""
    entries = authorization(("User:ANONYMOUS", AclOperation.CLUSTER_ACTION), ("User:alice", AclOperation.ALTER))
    node = FakeNode(identity=PeerIdentity(lambda: CLUSTER), authorization=entries if asks else None)
    node.principal = Principal("b", (NodeName(NodeRole.BROKER, 4),))
    received = []
    node.listener._inbox = received.append
    message = rpc.RemoveRaftVoterRequest(voter_id=3, voter_directory_id=bytes(range(16)))
    node.ask(envelope(message, 0))
    assert len(received) == asks
    if not asks:
        assert opened(node, message, 0).error_code == ErrorCode.CLUSTER_AUTHORIZATION_FAILED


CREATE = rpc.CreateDelegationTokenRequest(owner_principal_type=None, owner_principal_name=None)
FOR_BOB = rpc.CreateDelegationTokenRequest(owner_principal_type="User", owner_principal_name="bob", max_lifetime_ms=-1)
BY_TOKEN = ALICE[:-2] + b"\1\0"


def test_a_forwarded_client_gets_a_token():
    """The requester is the client, not the broker."""
    node = FakeNode()
    node.ask(envelope(FOR_BOB, 3))
    assert node.submitted[0][0].request == CreateDelegationToken(requester="User:alice", owner="User:bob")
    node.commit(TOKEN)
    response = opened(node, FOR_BOB, 3)
    assert (response.principal_name, response.token_requester_principal_name) == ("bob", "alice")
    assert (response.token_id, response.hmac, response.max_timestamp_ms) == ("t", b"h", 3)


@pytest.mark.parametrize(
    ("message", "version"),
    [(CREATE, 3), (rpc.RenewDelegationTokenRequest(hmac=b"h"), 2), (rpc.ExpireDelegationTokenRequest(hmac=b"h"), 2)],
)
def test_a_client_that_came_with_a_token_gets_no_other(message, version):
    node = FakeNode()
    node.ask(envelope(message, version, principal=BY_TOKEN))
    response = opened(node, message, version)
    assert response.error_code == ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
    assert response.expiry_timestamp_ms == -1
    assert node.submitted == []


def test_a_caller_without_a_certificate_gets_no_token():
    """Over the connection itself, not in an Envelope."""
    refused = FakeNode().ask(CREATE, 3)
    assert refused.error_code == ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
    assert (refused.principal_type, refused.principal_name) == ("User", "ANONYMOUS")


def test_a_certificate_is_a_requester():
    node = FakeNode()
    node.principal = Principal("alice", name="User:CN=alice")
    node.ask(rpc.RenewDelegationTokenRequest(hmac=b"h", renew_period_ms=5), 2)
    expected = RenewDelegationToken(hmac=b"h", period_ms=5, requester="User:CN=alice")
    assert node.submitted[0][0].request == expected
    node.commit(DelegationTokenExpiry(expiration_timestamp_ms=9))
    assert node.answer().expiry_timestamp_ms == 9


@pytest.mark.parametrize("may", [False, True])
def test_a_token_for_another_owner_takes_a_permission(may):
    entries = [("User:ANONYMOUS", AclOperation.CLUSTER_ACTION)]
    entries += [("User:alice", AclOperation.CREATE_TOKENS, "User:bob")] if may else []
    node = FakeNode(authorization=authorization(*entries))
    node.ask(envelope(FOR_BOB, 3))
    if not may:
        refused = opened(node, FOR_BOB, 3)
        assert refused.error_code == ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED
        assert (refused.principal_name, refused.token_requester_principal_name) == ("bob", "alice")
    assert len(node.submitted) == may


def test_an_owner_without_a_type_is_refused():
    message = rpc.CreateDelegationTokenRequest(owner_principal_type=None, owner_principal_name="bob")
    node = FakeNode()
    node.principal = Principal("alice", name="User:CN=alice")
    assert node.ask(message, 3).error_code == ErrorCode.INVALID_REQUEST


def test_the_caller_is_shown_with_its_address():
    """Java's form of an address, as access control entries have it."""
    from kraftpy.transport.kafka.control.envelope import read_caller

    caller = read_caller(envelope(address=bytes(15) + b"\1"))
    assert caller == Caller("User:alice", "0:0:0:0:0:0:0:1", is_forwarded=True)
