"""Bytes and requests that no node may fall over: the cluster refuses them and goes on."""

from __future__ import annotations

import asyncio
import random
import re
import struct

import grpc
import pytest
import pytest_asyncio

from kraftpy.client.values import ConfigChange, FeatureChange, Resource
from kraftpy.model.errors import ApiError, ErrorCode, TooLargeError
from kraftpy.model.resource_types import ResourceType
from kraftpy.pb.v1 import admin_pb2
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request
from tests.fakes.processes import KEY, PATIENCE_S, STEADY, described, eventually, group, running

pytestmark = pytest.mark.asyncio(loop_scope="module")

MEBIBYTE = 1024 * 1024
HTTP2_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
PRINCIPAL = bytes.fromhex("0000 05") + b"User" + bytes.fromhex("06") + b"alice" + bytes.fromhex("00 00")
"""A principal as a broker of Kafka writes it into an Envelope."""
NOISE = b"\x7f" + random.Random(20_260_101).randbytes(4095)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cluster(tmp_path_factory):
    """Three controllers that all tests of this file throw things at."""
    async with running(
        tmp_path_factory.mktemp("cluster"), extra=STEADY | {"delegation.token.secret.key": "key"}
    ) as cluster:
        await cluster.leader()
        yield cluster


async def still_serves(cluster, name):
    """Every controller runs, and a write goes through and is read everywhere."""
    async with cluster.client() as client:
        answer = await client.incremental_alter_configs(group(name, "31000"), retry_unknown=True)
        assert answer.outcomes[0].error is ErrorCode.NONE
    for node_id in cluster.controller_ids:
        assert cluster.is_running(node_id), cluster.log_of(node_id)
        await cluster.caught_up(node_id, answer.position.offset)
        async with cluster.client(node_id) as client:
            assert (await described(client))[name] == "31000"
        assert "Traceback" not in cluster.log_of(node_id)


async def throw(address, data, *, cut=False):
    """Send bytes; return what comes back until the other side closes, or ``None`` while it waits for more."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(data)
        await writer.drain()
        if cut:
            return b""
        async with asyncio.timeout(1.0):
            return await reader.read()
    except TimeoutError:
        return None
    except ConnectionError:
        return b""
    finally:
        writer.close()


def frame(payload: bytes) -> bytes:
    return struct.pack(">i", len(payload)) + payload


def fetch_header(version=17):
    return struct.pack(">hhi", 1, version, 7) + struct.pack(">h", -1) + b"\0"


KAFKA_THROWS = {
    "noise": NOISE,
    "an HTTP request": b"GET / HTTP/1.1\r\nHost: kafka\r\n\r\n",
    "a size of 2 GiB": struct.pack(">i", 2**31 - 1) + b"\0" * 64,
    "a negative size": struct.pack(">i", -1) + b"\0" * 64,
    "a size of 0": struct.pack(">i", 0) * 8,
    "an API that is not": frame(struct.pack(">hhi", 9_999, 0, 1) + b"\0" * 16),
    "a version that is not": frame(struct.pack(">hhi", 1, 999, 1) + b"\0" * 16),
    "a fetch of noise": frame(fetch_header() + NOISE[:200]),
    "a fetch that is cut": frame(fetch_header() + b"\0\0\0"),
    "a vote of noise": frame(struct.pack(">hhi", 52, 2, 7) + struct.pack(">h", -1) + b"\0" + NOISE[:100]),
}


@pytest.mark.parametrize("what", KAFKA_THROWS)
async def test_the_controller_listener_closes_on_what_is_no_request(cluster, what):
    """A connection that sends no request of Kafka's is closed, without an answer that could be taken for one."""
    for node in cluster.sandbox.controllers:
        address = node.properties["listeners"].removeprefix("CONTROLLER://")
        assert await throw(address, KAFKA_THROWS[what]) == b"", node.name


async def test_half_frames_hold_no_other_connection_up(cluster):
    """Connections that stop in the middle of a frame, or end there, do not keep the cluster from working."""
    address = cluster.sandbox.controllers[0].properties["listeners"].removeprefix("CONTROLLER://")
    host, _, port = address.rpartition(":")
    open_ends = [await asyncio.open_connection(host, int(port)) for _ in range(20)]
    for _, writer in open_ends:
        writer.write(struct.pack(">i", 100) + b"\0" * 10)
    for cut in range(0, 12, 3):
        await throw(address, frame(fetch_header() + bytes(20))[:cut], cut=True)
    await still_serves(cluster, "half-frames")
    for _, writer in open_ends:
        writer.close()


async def test_the_cluster_serves_after_all_of_it(cluster):
    """After garbage on every port, writes are committed and read on every controller."""
    for node in cluster.sandbox.controllers:
        await throw(node.properties["listeners"].removeprefix("CONTROLLER://"), NOISE)
        await throw(node.grpc_endpoint, NOISE)
        await throw(node.grpc_endpoint, HTTP2_PREFACE + NOISE, cut=True)
        await throw(node.grpc_endpoint, HTTP2_PREFACE + b"\xff\xff\xff\x00\x00\x00\x00\x00\x01", cut=True)
        await throw(node.grpc_endpoint, b"GET / HTTP/1.1\r\n\r\n")
        await throw(node.properties["metrics.listener"], NOISE)
    await still_serves(cluster, "garbage")


async def exchanged(address, payload):
    """Send one frame; return the payload that answers it, empty when the connection is closed instead."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(frame(payload))
        async with asyncio.timeout(PATIENCE_S):
            (size,) = struct.unpack(">i", await reader.readexactly(4))
            return await reader.readexactly(size)
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""
    finally:
        writer.close()


def matching(pattern):
    """A change of a metrics subscription, as Kafka's admin client writes it."""
    config = rpc.IncrementalAlterConfigsRequestAlterableConfig("match", 0, f"client_id={pattern}")
    resource = rpc.IncrementalAlterConfigsRequestAlterConfigsResource(16, "m", [config])
    return rpc.IncrementalAlterConfigsRequest([resource])


def moving(voter, epoch):
    """A voter that says where it listens, under a name that takes three times the bytes in upper case."""
    listeners = [("CONTROLLER", "localhost", 9), ("\u0390" * 16_000, "localhost", 9)]
    return rpc.UpdateRaftVoterRequest(
        cluster_id=None,
        current_leader_epoch=epoch,
        voter_id=voter.node_id,
        voter_directory_id=voter.directory_id,
        listeners=[rpc.UpdateRaftVoterRequestListener(*each) for each in listeners],
        kraft_version_feature=rpc.UpdateRaftVoterRequestKRaftVersionFeature(0, 1),
    )


async def quorum_of(cluster):
    """Who leads, in which epoch, and the voters' keys."""
    async with cluster.client() as client:
        quorum = await client.describe_quorum()
    return quorum.leader_id, quorum.leader_epoch, [voter.key for voter in quorum.voters]


@pytest.mark.landing
async def test_requests_that_once_ended_one_controller_after_another(tmp_path):
    """Asked of each node again and again, they are refused: the same node leads, in the same epoch, and all run."""
    async with running(tmp_path, extra=STEADY) as cluster:
        await cluster.leader()
        await ask_what_once_ended_controllers(cluster)


async def ask_what_once_ended_controllers(cluster):
    """Each request of each node twice, then once more as a client that retries."""

    async def upgraded():
        """Try until every voter has said which directory it runs on."""
        async with cluster.client() as client:
            try:
                await client.update_features([FeatureChange("kraft.version", 1)], retry_unknown=True)
            except ApiError as error:
                return str(error)
        return ""

    await eventually(upgraded, lambda refusal: not refusal, "the voters stand in the log")
    leader, epoch, voters = await quorum_of(cluster)
    addresses = [node.properties["listeners"].removeprefix("CONTROLLER://") for node in cluster.sandbox.controllers]
    codes = set()
    for address in addresses * 2:
        for pattern in ("x{4294967296}", "(" * 3_000, "x{" + "9" * 5_000 + "}"):
            answer = await exchanged(address, encode_request("c", 5, matching(pattern), 1))
            _, response = decode_response(rpc.IncrementalAlterConfigsRequest.API_KEY, 1, answer)
            codes |= {ErrorCode(one.error_code) for one in response.responses}
        for voter in voters:
            answer = await exchanged(address, encode_request("c", 5, moving(voter, epoch), 0))
            _, response = decode_response(rpc.UpdateRaftVoterRequest.API_KEY, 0, answer)
            codes.add(ErrorCode(response.error_code))
    assert codes == {
        ErrorCode.INVALID_CONFIG, ErrorCode.NOT_CONTROLLER, ErrorCode.INVALID_REQUEST, ErrorCode.NOT_LEADER_OR_FOLLOWER,
    }  # fmt: skip
    async with cluster.client() as client:
        change = {Resource(ResourceType.CLIENT_METRICS, "m"): [ConfigChange("match", "client_id=x{4294967296}")]}
        answer = await client.incremental_alter_configs(change, retry_unknown=True)
        assert answer.outcomes[0].error is ErrorCode.INVALID_CONFIG
    await still_serves(cluster, "killers")
    assert (await quorum_of(cluster))[:2] == (leader, epoch)
    for node_id in cluster.controller_ids:
        gauges = await cluster.metrics(node_id)
        assert not any(name.startswith("kraftpy_request_errors_total") for name in gauges), (
            "refused by a rule, not a net"
        )


def forwarded(message, version, *, principal=PRINCIPAL, address=bytes(4)):
    """A request of a client, as a broker of Kafka forwards it."""
    return rpc.EnvelopeRequest(encode_request("c", 5, message, version), principal, address)


def token_for(owner="alice", renewers=()):
    row = rpc.CreateDelegationTokenRequestCreatableRenewers
    return rpc.CreateDelegationTokenRequest(
        owner_principal_type="User", owner_principal_name=owner, renewers=[row("User", one) for one in renewers]
    )


def long_principal():
    return bytes(2) + rpc.CODECS[rpc.DefaultPrincipalData, 0][1](rpc.DefaultPrincipalData("User", "x" * 30_000), b"")


ENVELOPES = {
    "in another": (forwarded(rpc.EnvelopeRequest(b"", PRINCIPAL, bytes(4)), 0), ErrorCode.INVALID_REQUEST),
    "of a vote": (forwarded(rpc.VoteRequest(), 2), ErrorCode.INVALID_REQUEST),
    "of noise": (rpc.EnvelopeRequest(NOISE, PRINCIPAL, bytes(4)), ErrorCode.INVALID_REQUEST),
    "of nothing": (rpc.EnvelopeRequest(b"", PRINCIPAL, bytes(4)), ErrorCode.UNSUPPORTED_VERSION),
    "cut": (rpc.EnvelopeRequest(struct.pack(">hhi", 20, 6, 1) + b"\0", PRINCIPAL, bytes(4)), 35),
    "of 20,000 topics": (
        forwarded(rpc.DeleteTopicsRequest([rpc.DeleteTopicsRequestDeleteTopicState(name="t")] * 20_000), 6),
        ErrorCode.INVALID_REQUEST,
    ),
    "of a principal of 30,000 letters": (forwarded(token_for(), 3, principal=long_principal()), 97),
    "of noise for a principal": (forwarded(token_for(), 3, principal=NOISE), 97),
    "without an address": (forwarded(token_for(), 3, address=b""), ErrorCode.INVALID_REQUEST),
}


@pytest.mark.parametrize("what", ENVELOPES)
async def test_an_envelope_that_no_broker_sends_is_refused(cluster, what):
    """With an error of its own, on each controller; nothing of it reaches the log."""
    message, code = ENVELOPES[what]
    for node in cluster.sandbox.controllers:
        address = node.properties["listeners"].removeprefix("CONTROLLER://")
        _, answer = decode_response(58, 0, await exchanged(address, encode_request("c", 5, message, 0)))
        assert (answer.error_code, answer.response_data) == (code, None), node.name


async def test_a_token_over_a_limit_is_refused(cluster):
    """One renewer too many, or a name that is too long, on the active controller."""
    await cluster.leader()
    codes = []
    for message in (token_for(renewers=["r"] * 101), token_for(owner="x" * 5_000), token_for(renewers=["x" * 5_000])):
        for node in cluster.sandbox.controllers:
            address = node.properties["listeners"].removeprefix("CONTROLLER://")
            payload = await exchanged(address, encode_request("c", 5, forwarded(message, 3), 0))
            _, answer = decode_response(58, 0, payload)
            if answer.error_code == ErrorCode.NONE:
                codes.append(decode_response(38, 3, answer.response_data)[1].error_code)
    assert codes == [ErrorCode.INVALID_REQUEST] * 3
    async with cluster.client() as client:
        assert (await client.describe_delegation_tokens()).tokens == ()
    await still_serves(cluster, "tokens")


async def test_a_value_of_10_mebibytes(cluster):
    """A config value of 10 MiB is refused with its size and the limit, and nothing is written."""
    async with cluster.client() as client:
        change = {Resource(ResourceType.GROUP, "huge"): [ConfigChange("share.auto.offset.reset", "x" * 10 * MEBIBYTE)]}
        try:
            answer = await client.incremental_alter_configs(change, timeout_s=PATIENCE_S)
        except ApiError as error:
            words = str(error)
        else:
            assert answer.outcomes[0].error is not ErrorCode.NONE
            words = answer.outcomes[0].message
        assert str(10 * MEBIBYTE) in words
        assert "32767" in words
        assert Resource(ResourceType.GROUP, "huge") not in (await client.describe_configs()).resources
    await still_serves(cluster, "huge-value")


async def test_more_than_65_536_alterations_in_one_request(cluster):
    """A request with more alterations than one request may have is refused as a whole, with both numbers."""
    async with cluster.client() as client:
        changes = {Resource(ResourceType.GROUP, f"many-{n}"): [ConfigChange(KEY, "30000")] for n in range(65_537)}
        with pytest.raises(ApiError) as refused:
            await client.incremental_alter_configs(changes)
        assert refused.value.code is ErrorCode.INVALID_REQUEST
        assert "65537" in str(refused.value)
        assert "65536" in str(refused.value)
        assert not any(name.startswith("many-") for name in await described(client))
    await still_serves(cluster, "many-records")


async def test_more_than_8_mebibytes_of_records_in_one_request(cluster):
    """A request whose records do not fit one batch of 8 MiB is refused as a whole, with the limit."""
    async with cluster.client() as client:
        resource = [Resource(ResourceType.BROKER, "")]
        changes = {resource[0]: [ConfigChange(f"large.key.{n}", "x" * 30_000) for n in range(300)]}
        with pytest.raises(ApiError) as refused:
            await client.incremental_alter_configs(changes)
        assert refused.value.code in {ErrorCode.POLICY_VIOLATION, ErrorCode.MESSAGE_TOO_LARGE}
        # The author of the request takes some of them.
        assert re.search(r"takes up to 9011\d{3} bytes, over the 8388547 of a batch", str(refused.value))
        assert resource[0] not in (await client.describe_configs()).resources
    await still_serves(cluster, "large-batch")


async def test_a_message_beyond_the_limit_of_grpc(cluster):
    """A message over grpc.max.message.bytes is refused by the client and by the node, and others are served on."""
    value = "x" * 20 * MEBIBYTE
    async with cluster.client() as client:
        change = {Resource(ResourceType.BROKER, ""): [ConfigChange("large.key", value)]}
        with pytest.raises(TooLargeError, match="split it"):
            await client.incremental_alter_configs(change, timeout_s=5.0)
    message = admin_pb2.IncrementalAlterConfigsRequest()
    message.resources.add().alterations.add(name="large.key", value=value)
    async with grpc.aio.insecure_channel(cluster.sandbox.controllers[0].grpc_endpoint) as channel:
        call = channel.unary_unary(
            "/kraftpy.v1.AdminService/IncrementalAlterConfigs",
            request_serializer=admin_pb2.IncrementalAlterConfigsRequest.SerializeToString,
        )
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call(message, timeout=5.0)
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert str(16 * MEBIBYTE) in refused.value.details()
    await still_serves(cluster, "large-message")
