"""Raft messages to Kafka's bytes and back, in every version."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kraftpy.model.errors import ErrorCode, MalformedError
from kraftpy.model.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.raft import messages as m
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_request, decode_response, encode_request, encode_response
from kraftpy.transport.kafka.translate import BY_REQUEST, RAFT_APIS, Refusal, UnsupportedVersionError
from kraftpy.transport.kafka.translate.common import error_code
from tests.unit.transport.raft_values import REQUESTS, RESPONSES

VERSIONS = [(api, version) for api in BY_REQUEST.values() for version in range(api.min_version, api.max_version + 1)]
IDS = [f"{api.name}-{version}" for api, version in VERSIONS]


def _without_directory(key):
    return key and ReplicaKey(key.node_id)


def _as_stated_in(request, version):
    """What is left of a request in a version."""
    match request:
        case m.VoteRequest() if version < 1:
            return replace(request, voter=None, candidate=_without_directory(request.candidate))
        case m.BeginQuorumEpochRequest() if version < 1:
            return replace(request, voter=None, leader_endpoints=())
        case m.EndQuorumEpochRequest() if version < 1:
            successors = tuple(map(_without_directory, request.preferred_successors))
            return replace(request, preferred_successors=successors, leader_endpoints=())
        case m.FetchRequest():
            replica = request.replica if version >= 17 else _without_directory(request.replica)
            high_watermark = request.high_watermark if version >= 18 else None
            state = request.state if version >= 17 else None
            return replace(request, replica=replica, high_watermark=high_watermark, state=state)
        case m.FetchSnapshotRequest() if version < 1:
            return replace(request, replica=_without_directory(request.replica))
        case m.AddRaftVoterRequest() if version < 1:
            return replace(request, ack_when_committed=True)
    return request


def _as_answered_in(response, version):
    """What is left of a response in a version."""
    if isinstance(response, m.DescribeQuorumResponse):

        def shown(replica):
            if version < 1:
                replica = replace(replica, last_fetch_ms=None, last_caught_up_ms=None)
            return replica if version >= 2 else replace(replica, key=_without_directory(replica.key), endpoints=())

        return replace(
            response, voters=tuple(map(shown, response.voters)), observers=tuple(map(shown, response.observers))
        )
    if isinstance(
        response,
        m.AddRaftVoterResponse | m.RemoveRaftVoterResponse | m.UpdateRaftVoterResponse | m.KRaftVersionsResponse,
    ):
        return response
    if isinstance(response, m.FetchResponse) and version < 17:
        return replace(response, leader_endpoints=(), agreed=None)
    if isinstance(response, m.BeginQuorumEpochResponse) and version < 1:
        return replace(response, leader_endpoints=(), ineligible=False, directory_id=None)
    if version < 1:
        return replace(response, leader_endpoints=())
    return response


@pytest.mark.parametrize(("api", "version"), VERSIONS, ids=IDS)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_requests_survive_the_wire(api, version, data):
    """A request comes back from its bytes as it was, less what the version has no words for."""
    request = data.draw(REQUESTS[api.request])
    if api.name == "Vote" and request.pre_vote and version < 2:
        with pytest.raises(UnsupportedVersionError, match="pre-vote"):
            api.request_to_wire(request, version)
        return
    frame = encode_request("me", 7, api.request_to_wire(request, version), version)
    header, message = decode_request(frame)
    assert (header.request_api_key, header.request_api_version, header.correlation_id) == (api.api_key, version, 7)
    assert api.request_from_wire(message) == _as_stated_in(request, version)


@pytest.mark.parametrize(("api", "version"), VERSIONS, ids=IDS)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_responses_survive_the_wire(api, version, data):
    """A response comes back from its bytes as it was, both error places included."""
    response = data.draw(RESPONSES[api.response])
    frame = encode_response(9, api.response_to_wire(response, version), version)
    correlation_id, message = decode_response(api.api_key, version, frame)
    assert correlation_id == 9
    assert api.read_response(message, "CONTROLLER") == _as_answered_in(response, version)


def test_the_voters_of_a_static_quorum_have_no_directories():
    """As in Kafka, whose tool would print them; observers have theirs, and the text of no error is empty."""
    voter, observer = (
        m.ReplicaProgress(
            key=ReplicaKey(id_, bytes([id_]) * 16), log_end_offset=1, last_fetch_ms=None, last_caught_up_ms=None
        )
        for id_ in (1, 2)
    )
    response = m.DescribeQuorumResponse(leader=LeaderAndEpoch(1, 1), voters=(voter,), observers=(observer,))
    to_wire = BY_REQUEST[m.DescribeQuorumRequest].response_to_wire
    for is_static in (True, False):
        (part,) = to_wire(replace(response, is_static=is_static), 2).topics[0].partitions
        assert part.current_voters[0].replica_directory_id == (bytes(16) if is_static else bytes([1]) * 16)
        assert part.observers[0].replica_directory_id == bytes([2]) * 16
        assert part.error_message == ""


def _vote(topic=METADATA_TOPIC, partition=0, count=1):
    part = rpc.VoteRequestPartitionData(partition_index=partition)
    return rpc.VoteRequest(topics=[rpc.VoteRequestTopicData(topic, [part] * count)])


def _fetch(partition=0, count=1, topic_id=METADATA_TOPIC_ID, topic=""):
    part = rpc.FetchRequestFetchPartition(partition=partition)
    return rpc.FetchRequest(topics=[rpc.FetchRequestFetchTopic(topic, topic_id, [part] * count)])


REFUSED = {
    "vote about another topic": _vote("other"),
    "vote about another partition": _vote(partition=1),
    "vote about two partitions": _vote(count=2),
    "vote about nothing": rpc.VoteRequest(),
    "begin about nothing": rpc.BeginQuorumEpochRequest(),
    "end about nothing": rpc.EndQuorumEpochRequest(),
    "fetch of nothing": rpc.FetchRequest(),
    "fetch of another topic id": _fetch(topic_id=b"x" * 16),
    "fetch of another topic": _fetch(topic_id=bytes(16), topic="other"),
    "fetch of another partition": _fetch(partition=3),
    "fetch of two partitions": _fetch(count=2),
    "fetch of no snapshot": rpc.FetchSnapshotRequest(),
}


@pytest.mark.parametrize("message", REFUSED.values(), ids=REFUSED)
def test_requests_about_anything_else_are_refused_at_the_top(message):
    """A request that is not about exactly the metadata partition is answered INVALID_REQUEST, with no topics."""
    api = next(api for api in RAFT_APIS if api.api_key == message.API_KEY)
    with pytest.raises(Refusal) as refused:
        api.request_from_wire(message)
    assert refused.value.response.error_code == ErrorCode.INVALID_REQUEST
    flattened = api.read_response(refused.value.response, "CONTROLLER")
    assert flattened.error is ErrorCode.INVALID_REQUEST


def test_snapshot_of_another_partition_is_unknown():
    """FetchSnapshot of another partition is answered UNKNOWN_TOPIC_OR_PARTITION in that partition."""
    part = rpc.FetchSnapshotRequestPartitionSnapshot(partition=5)
    request = rpc.FetchSnapshotRequest(topics=[rpc.FetchSnapshotRequestTopicSnapshot("t", [part])])
    with pytest.raises(Refusal) as refused:
        BY_REQUEST[m.FetchSnapshotRequest].request_from_wire(request)
    answer = refused.value.response.topics[0].partitions[0]
    assert (answer.index, answer.error_code) == (5, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)


def test_quorum_of_another_partition_is_unknown():
    """DescribeQuorum answers UNKNOWN_TOPIC_OR_PARTITION in each partition that was asked for."""
    part = rpc.DescribeQuorumRequestPartitionData(2)
    request = rpc.DescribeQuorumRequest(topics=[rpc.DescribeQuorumRequestTopicData("t", [part, part])])
    with pytest.raises(Refusal) as refused:
        BY_REQUEST[m.DescribeQuorumRequest].request_from_wire(request)
    codes = [each.error_code for each in refused.value.response.topics[0].partitions]
    assert codes == [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION] * 2


@pytest.mark.parametrize("api", [api for api in RAFT_APIS if api.api_key < 80], ids=lambda api: api.name)
def test_answer_without_the_partition_is_malformed(api):
    """A response without error and without the metadata partition is malformed, not empty."""
    response = getattr(rpc, f"{api.name}Response")()
    with pytest.raises(MalformedError, match="__cluster_metadata-0"):
        api.read_response(response, "CONTROLLER")


def test_answer_of_another_api_is_malformed():
    """A response of one API does not pass for another's."""
    with pytest.raises(MalformedError, match="VoteResponse answers a request of Fetch"):
        BY_REQUEST[m.FetchRequest].read_response(rpc.VoteResponse(), "CONTROLLER")


def test_unknown_error_numbers_become_unknown_server_error():
    """An error number that Kafka adds later is UNKNOWN_SERVER_ERROR, not a crash."""
    assert error_code(9999) is ErrorCode.UNKNOWN_SERVER_ERROR


def test_fetch_without_an_established_high_watermark_reads_as_zero():
    """In Fetch 18, -1 says that nothing is known to be committed, which is 0; the default says nothing at all."""
    message = _fetch()
    message.topics[0].partitions[0].high_watermark = -1
    assert BY_REQUEST[m.FetchRequest].request_from_wire(message).high_watermark == 0
    assert BY_REQUEST[m.FetchRequest].request_from_wire(_fetch()).high_watermark is None


def test_wrong_numbers_are_left_to_the_core():
    """Negative epochs and offsets pass: the core has the rules for them and answers in the partition."""
    message = _vote()
    message.topics[0].partitions[0].last_offset = -5
    message.topics[0].partitions[0].replica_id = -1
    request = BY_REQUEST[m.VoteRequest].request_from_wire(message)
    assert (request.last.offset, request.candidate.node_id) == (-5, -1)


def test_leader_endpoint_is_the_leaders_own():
    """Of several node endpoints, the leader's is taken."""
    message = rpc.VoteResponse(
        topics=[
            rpc.VoteResponseTopicData(METADATA_TOPIC, [rpc.VoteResponsePartitionData(leader_id=2, leader_epoch=4)])
        ],
        node_endpoints=[rpc.VoteResponseNodeEndpoint(1, "one", 1), rpc.VoteResponseNodeEndpoint(2, "two", 2)],
    )
    response = BY_REQUEST[m.VoteRequest].read_response(message, "INTERNAL")
    assert response.leader == LeaderAndEpoch(2, 4)
    assert response.leader_endpoints == (Endpoint("INTERNAL", "two", 2),)


def test_vote_bytes_agree_with_kio():
    """An independent implementation of Kafka's protocol reads our Vote request the same way, and writes the same."""
    kio = pytest.importorskip("kio.schema.vote.v1.request", reason="kio has no Vote version 1")
    from kio.serial import entity_reader, entity_writer

    request = m.VoteRequest(
        cluster_id="abc", voter=ReplicaKey(2, b"v" * 16), candidate=ReplicaKey(1, b"c" * 16), epoch=5,
        last=OffsetAndEpoch(epoch=4, offset=99),
    )  # fmt: skip
    body = rpc.CODECS[rpc.VoteRequest, 1][1](BY_REQUEST[m.VoteRequest].request_to_wire(request, 1), b"")
    entity, _ = entity_reader(kio.VoteRequest)(body, 0)
    part = entity.topics[0].partitions[0]
    assert (entity.cluster_id, entity.voter_id, part.replica_epoch, part.replica_id) == ("abc", 2, 5, 1)
    assert (part.last_offset_epoch, part.last_offset) == (4, 99)
    out = io.BytesIO()
    entity_writer(kio.VoteRequest)(out, entity)
    assert out.getvalue() == body
