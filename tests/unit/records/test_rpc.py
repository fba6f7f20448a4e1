"""Request and response frames."""

from __future__ import annotations

import tracemalloc

import pytest

from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.records import rpc
from kraftpy.records.generated import rpc as r


def _vote() -> r.VoteRequest:
    partition = r.VoteRequestPartitionData(0, 5, 1, bytes(16), bytes(16), 4, 77)
    return r.VoteRequest("cluster", 2, [r.VoteRequestTopicData("__cluster_metadata", [partition])])


@pytest.mark.parametrize("version", [0, 1, 2])
def test_requests_go_to_frames_and_back(version: int) -> None:
    """A request came back different from its frame."""
    message = _vote()
    header, again = rpc.decode_request(rpc.encode_request("kraftpy", 9, message, version))
    assert (header.request_api_key, header.request_api_version) == (52, version)
    assert (header.correlation_id, header.client_id) == (9, "kraftpy")
    message.voter_id = -1 if version == 0 else 2
    assert again == message


def test_header_versions_follow_the_message() -> None:
    """A header has the wrong version."""
    plain = rpc.encode_request("c", 1, r.FetchRequest(), 4)
    flexible = rpc.encode_request("c", 1, r.FetchRequest(), 12)
    assert plain[:11] == bytes.fromhex("00010004 00000001 0001 63")
    assert flexible[:12] == bytes.fromhex("0001000c 00000001 0001 63 00")
    assert rpc.encode_request(None, 1, r.FetchRequest(), 12)[8:11] == bytes.fromhex("ffff00")
    assert rpc.encode_response(1, r.FetchResponse(), 12)[:5] == bytes.fromhex("0000000100")
    assert rpc.encode_response(1, r.FetchResponse(), 11)[:4] == bytes.fromhex("00000001")


@pytest.mark.parametrize("version", [0, 1, 2, 3, 4])
def test_api_versions_answers_with_header_0(version: int) -> None:
    """An ApiVersions response has a flexible header, so an older client cannot read it."""
    message = r.ApiVersionsResponse(35, [r.ApiVersionsResponseApiVersion(1, 4, 18)])
    frame = rpc.encode_response(7, message, version)
    assert frame[:6] == bytes.fromhex("00000007 0023")
    assert rpc.decode_response(18, version, frame) == (7, message)


@pytest.mark.parametrize("client_id", [None, "", "kafka", "x" * 300])
@pytest.mark.parametrize("version", [0, 1])
def test_a_body_starts_where_its_header_ends(client_id: str | None, version: int) -> None:
    """A body is read from another place than the one at which the generated header codec stops."""
    message = r.IncrementalAlterConfigsRequest(validate_only=True)
    frame = rpc.encode_request(client_id, 9, message, version)
    at = rpc.body_start(frame, is_flexible=version == 1)
    assert rpc.body_decoder(44, version)(frame, at) == message


def test_a_body_starts_behind_tagged_fields_of_its_header() -> None:
    """Unknown tagged fields of the header are skipped and not read as the body."""
    frame = bytes.fromhex("002c0001 00000007 ffff 01 05 02 aabb 01 00 00")
    assert rpc.body_decoder(44, 1)(frame, rpc.body_start(frame, is_flexible=True)).resources == []


@pytest.mark.parametrize(
    "rest", ["", "00", "0005", "000561", "fffe00", "ffff", "ffff0105", "800000"], ids=lambda rest: rest or "nothing"
)
def test_a_header_that_is_cut_off_is_malformed(rest: str) -> None:
    """A header without its end is taken for whole."""
    with pytest.raises(MalformedError, match="RequestHeader"):
        rpc.body_start(bytes.fromhex("002c000100000007" + rest), is_flexible=True)


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (b"", "0 bytes"),
        (bytes.fromhex("0034"), "2 bytes"),
        (bytes.fromhex("00340002"), "RequestHeader"),
        (bytes.fromhex("0034000300000001ffff00"), "versions 0 to 2"),
        (bytes.fromhex("0001000300000001ffff00"), "versions 4 to 18"),
        (bytes.fromhex("03e7000000000001ffff00"), "apiKey 999"),
        (bytes.fromhex("0034000200000001001463"), "runs|ends"),
        (bytes.fromhex("0034000200000001ffff00ff"), "VoteRequest"),
    ],
)
def test_crooked_requests_are_malformed(frame: bytes, why: str) -> None:
    """A crooked request was read, or refused for another reason."""
    with pytest.raises(MalformedError, match=why):
        rpc.decode_request(frame)


def test_crooked_responses_are_malformed() -> None:
    """A response of an unknown kind or version was read."""
    with pytest.raises(MalformedError, match="apiKey 999"):
        rpc.decode_response(999, 0, b"\0\0\0\1")
    with pytest.raises(MalformedError, match="versions 0 to 2"):
        rpc.decode_response(52, 3, b"\0\0\0\1\0")
    with pytest.raises(MalformedError, match="ResponseHeader"):
        rpc.decode_response(52, 2, b"\0\0")


def test_only_requests_are_sent_as_requests() -> None:
    """A response was sent as a request, or in a version that there is not."""
    with pytest.raises(LocalError, match="not of the kind"):
        rpc.encode_request("c", 1, r.VoteResponse(), 0)
    with pytest.raises(LocalError, match="not of the kind"):
        rpc.encode_response(1, _vote(), 0)
    with pytest.raises(LocalError, match="has 0 to 2"):
        rpc.encode_request("c", 1, _vote(), 3)
    with pytest.raises(LocalError, match="RequestHeader"):
        rpc.encode_request("\ud800", 1, _vote(), 0)


def test_a_large_payload_is_copied_once() -> None:
    """Encoding a fetch response copies its records more than once."""
    payload = bytes(8 * 2**20)
    partition = r.FetchResponsePartitionData(records=payload)
    message = r.FetchResponse(responses=[r.FetchResponseFetchableTopicResponse(partitions=[partition])])
    tracemalloc.start()
    try:
        frame = rpc.encode_response(1, message, 18)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(frame) > len(payload)
    assert peak < 1.2 * len(payload)


def test_the_table_of_versions() -> None:
    """The table of known versions is not what the tables of messages say."""
    known = {entry.name: (entry.api_key, entry.min_version, entry.max_version) for entry in rpc.API_VERSIONS.values()}
    assert known["Fetch"] == (1, 4, 18)
    assert known["Vote"] == (52, 0, 2)
    assert known["ApiVersions"] == (18, 0, 4)
    assert known["CreateTopics"] == (19, 2, 7)
    assert known["AddRaftVoter"] == (80, 0, 1)
    assert len(known) == 41
