"""SASL on the public API over real gRPC: exchanges, sessions, what needs one, and every limit."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from kraftpy.authenticator.bearer import BearerServer, ValidToken
from kraftpy.authenticator.mechanism import Authenticated
from kraftpy.authenticator.scram import SaltedPasswords, ScramClient
from kraftpy.image.image import MetadataImage
from kraftpy.image.scram import ScramImage
from kraftpy.model.errors import BusyError, ErrorCode
from kraftpy.node.logs import LINES_MAX, LineRateLimiter
from kraftpy.pb.v1 import authentication_pb2 as pb
from kraftpy.pb.v1 import cluster_pb2, node_pb2, session_pb2
from kraftpy.records.batch import encode_batch
from kraftpy.transport.grpc import sasl_sessions
from kraftpy.transport.grpc import server as api
from kraftpy.transport.grpc.sasl_sessions import SESSION_MAX_MS, TOKEN_CHARACTERS_MAX, SaslSession, SaslSessions
from kraftpy.transport.grpc.services import authentication as service
from tests.unit.image.support import configs_of
from tests.unit.transport.fake_backend import FakeBackend, serving
from tests.unit.transport.sasl_api import ALICE, RECEIVE_MAX, SHA_256, Offered, answers, bearer, exchange, log_in, until
from tests.unit.transport.test_api import MODULES, PATIENCE, WRITES, call, detail_of

PLAIN = pb.AuthenticateRequest(mechanism="PLAIN")
SCRAM = pb.AuthenticateRequest(mechanism=SHA_256)


def data(message):
    return pb.AuthenticateRequest(data=message)


@pytest.fixture
def backend():
    return FakeBackend()


@asynccontextmanager
async def offering(backend, **options):
    """A server with SASL, a channel to it, and what became of the attempts."""
    offered = Offered(**options)
    async with (
        serving(backend, authentication=offered.authentication) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
        asyncio.timeout(PATIENCE),
    ):
        yield server, channel, offered


async def refusal(awaitable):
    """Return the status and the detail of a call that fails."""
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await awaitable
    return raised.value.code(), detail_of(raised.value)


async def refused(call_, *requests):
    return await refusal(answers(call_, *requests))


# Exchanges.


async def test_an_exchange_of_scram_ends_with_a_session(backend):
    """The server proves that it knows the password in the message that has the session."""
    async with offering(backend) as (_, channel, offered):
        client = ScramClient("alice", SaltedPasswords(SHA_256, "secret"), "nonce")
        call_ = exchange(channel)
        _, challenge = await answers(call_, SCRAM, data(client.initial()))
        assert not challenge.HasField("session")
        (last,) = await answers(call_, data(client.respond(challenge.data)))
        assert client.respond(last.data) is None
        assert (last.session.principal, last.session.lifetime_ms) == ("User:alice", SESSION_MAX_MS)
        assert await call_.code() is grpc.StatusCode.OK
        described = await call(channel, "DescribeCluster")(
            cluster_pb2.DescribeClusterRequest(), metadata=bearer(last.session.token)
        )
        assert described.cluster_id == "cluster"
        assert offered.failures == []


async def test_the_principal_is_the_users(backend, caplog):
    """What the caller changes is logged in its name."""
    caplog.set_level("INFO")
    async with offering(backend) as (_, channel, _):
        token = (await log_in(channel)).token
        await call(channel, "CreateTopics")(WRITES["CreateTopics"], metadata=bearer(token))
    (facts,) = [record.facts for record in caplog.records if hasattr(record, "facts")]
    assert facts["principal"] == "User:alice"
    assert token not in caplog.text


@pytest.mark.parametrize(
    ("requests", "code", "text"),
    [
        ([PLAIN, data(b"\0alice\0wrong")], ErrorCode.SASL_AUTHENTICATION_FAILED, "Invalid username or password"),
        ([PLAIN, data(b"\0carol\0secret")], ErrorCode.SASL_AUTHENTICATION_FAILED, "Invalid username or password"),
        ([SCRAM, data(b"n,,n=alice,r=c"), data(b"c=biws,r=cservernonce,p=AAAA")],
         ErrorCode.SASL_AUTHENTICATION_FAILED, "invalid credentials with SASL mechanism SCRAM-SHA-256"),
        ([pb.AuthenticateRequest(mechanism="GSSAPI")], ErrorCode.UNSUPPORTED_SASL_MECHANISM,
         "Unsupported SASL mechanism 'GSSAPI'; this node offers PLAIN, SCRAM-SHA-256"),
        ([data(ALICE)], ErrorCode.INVALID_REQUEST, "the first message names a mechanism"),
        ([pb.AuthenticateRequest(mechanism="PLAIN", data=ALICE)], ErrorCode.INVALID_REQUEST, "and has no data"),
        ([PLAIN, pb.AuthenticateRequest(mechanism="PLAIN", data=ALICE)], ErrorCode.INVALID_REQUEST, "is not the first"),
        ([PLAIN, data(b"x" * RECEIVE_MAX)], ErrorCode.INVALID_REQUEST, "sasl.server.max.receive.size allows 2000"),
        ([PLAIN, b"\x12\x01x" * RECEIVE_MAX], ErrorCode.INVALID_REQUEST, "a message of 6000 bytes"),
        ([b"\xff"], ErrorCode.INVALID_REQUEST, "are not a kraftpy.v1.AuthenticateRequest"),
    ],
)  # fmt: skip
async def test_what_is_no_authentication_is_refused(backend, caplog, requests, code, text):
    """The failure is counted and logged, without a password."""
    async with offering(backend) as (server, channel, offered):
        status, detail = await refused(exchange(channel), *requests)
        is_known = code is not ErrorCode.INVALID_REQUEST
        assert status is (grpc.StatusCode.UNAUTHENTICATED if is_known else grpc.StatusCode.INVALID_ARGUMENT)
        assert detail.code == code
        assert text in detail.message
        assert offered.failures == [1]
        assert len(server._sessions) == 0
    assert "authentication_failed peer=ipv4:127.0.0.1" in caplog.text
    assert "secret" not in caplog.text


async def test_a_node_without_its_state_does_not_reject_users(backend):
    """A user that it does not find may exist: another node is to be asked, and nothing is counted."""
    async with offering(backend, image=ScramImage()) as (_, channel, offered):
        offered.has_users = False
        proof = [data(b"n,,n=alice,r=c"), data(b"c=biws,r=cservernonce,p=AAAA")]
        status, detail = await refused(exchange(channel), SCRAM, *proof)
        assert (status, detail.code) == (grpc.StatusCode.UNAVAILABLE, ErrorCode.OFFSET_NOT_AVAILABLE)
        status, detail = await refused(exchange(channel), PLAIN, data(b"\0alice\0wrong"))
        assert detail.code == ErrorCode.SASL_AUTHENTICATION_FAILED
        assert offered.failures == [1]


async def test_a_client_that_ends_the_call_gets_no_session(backend):
    async with offering(backend) as (_, channel, offered):
        call_ = exchange(channel)
        await answers(call_, PLAIN)
        await call_.done_writing()
        assert (await refusal(call_.read()))[0] is grpc.StatusCode.UNAUTHENTICATED
        assert offered.failures == []


async def test_a_node_without_sasl_refuses_to_authenticate(backend):
    async with serving(backend) as server, grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        status, detail = await refused(exchange(channel), PLAIN)
    assert (status, detail.code) == (grpc.StatusCode.FAILED_PRECONDITION, ErrorCode.SECURITY_DISABLED)


async def test_a_failure_is_answered_after_its_pause(backend):
    """The place of the exchange stays taken meanwhile."""
    async with offering(backend, delay_ms=60_000) as (server, channel, offered):
        call_ = exchange(channel)
        await answers(call_, PLAIN)
        await call_.write(data(b"\0alice\0wrong"))
        await until(lambda: offered.failures)
        assert not call_.done()
        assert server._authenticating.limit_uses()[0].used == 1


async def test_the_oldest_exchange_ends_for_a_new_one(backend, monkeypatch, caplog):
    monkeypatch.setattr(service, "EXCHANGES_MAX", 2)
    async with offering(backend) as (server, channel, _):
        begun = []
        for _ in range(3):
            begun.append(exchange(channel))
            await answers(begun[-1], PLAIN)
        status, detail = await refusal(begun[0].read())
        assert (status, detail.code) == (grpc.StatusCode.RESOURCE_EXHAUSTED, ErrorCode.THROTTLING_QUOTA_EXCEEDED)
        assert (await answers(begun[1], data(ALICE)))[0].session.token
        use = server._authenticating.limit_uses()[0]
        assert (use.limit, use.most, use.refused) == ("unfinished authentications", 2, 1)
    assert "authentication_ended peer=ipv4:127.0.0.1" in caplog.text
    assert "mechanism=PLAIN reason=another one needs its place" in caplog.text


async def test_a_pause_is_not_cut_short(backend, monkeypatch):
    """Neither another exchange nor the caller's leaving frees the place of a failure before its pause is over."""
    monkeypatch.setattr(service, "EXCHANGES_MAX", 2)
    async with offering(backend, delay_ms=60_000) as (server, channel, offered):
        waiting = exchange(channel)
        await answers(waiting, PLAIN)
        failed = [exchange(channel) for _ in range(2)]
        for each in failed:
            await answers(each, PLAIN)
            await each.write(data(b"\0alice\0wrong"))
        await until(lambda: len(offered.failures) == 2)
        assert (await refusal(waiting.read()))[0] is grpc.StatusCode.RESOURCE_EXHAUSTED
        status, detail = await refusal(exchange(channel).read())
        assert (status, detail.code) == (grpc.StatusCode.RESOURCE_EXHAUSTED, ErrorCode.THROTTLING_QUOTA_EXCEEDED)
        assert not any(each.done() for each in failed)
        failed[0].cancel()
        server._stopping.set()
        assert (await refusal(failed[1].read()))[0] is grpc.StatusCode.UNAUTHENTICATED
        assert (await refusal(exchange(channel).read()))[0] is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert server._authenticating.limit_uses()[0].used == 2


@pytest.mark.parametrize("limited", ["RECEIVING_BYTES_MAX", "RECEIVING_BYTES_PER_ADDRESS_MAX"])
async def test_calls_that_may_be_sent_a_message_are_bounded_by_its_bytes(backend, monkeypatch, limited):
    """The oldest ends for another one; a call in the pause of its failure is sent none, and does not count."""
    monkeypatch.setattr(service, limited, 2 * api.MESSAGE_BYTES_MAX + 1)
    async with offering(backend, delay_ms=60_000) as (server, channel, offered):
        failed = exchange(channel)
        await answers(failed, PLAIN)
        await failed.write(data(b"\0alice\0wrong"))
        await until(lambda: offered.failures)
        begun = []
        for _ in range(2):
            begun.append(exchange(channel))
            await answers(begun[-1], PLAIN)
        uses = server._authenticating.limit_uses()
        assert (uses[0].used, uses[0].refused) == (3, 0)
        assert (await log_in(channel)).token
        status, detail = await refusal(begun[0].read())
        assert (status, detail.code) == (grpc.StatusCode.RESOURCE_EXHAUSTED, ErrorCode.THROTTLING_QUOTA_EXCEEDED)
        assert "has 2 unfinished authentications that may send grpc.max.message.bytes (limit 2)" in detail.message
        assert (await answers(begun[1], data(ALICE)))[0].session.token


async def test_renewals_are_bounded_by_the_bytes_of_their_messages(backend, monkeypatch):
    monkeypatch.setattr(service, "RECEIVING_BYTES_MAX", api.MESSAGE_BYTES_MAX)
    async with offering(backend, session_ms=5_000) as (_, channel, offered):
        tokens = [bearer((await log_in(channel)).token) for _ in range(2)]
        offered.clock.ms += 4_000
        oldest = exchange(channel, tokens[0])
        await answers(oldest, PLAIN)
        assert (await log_in(channel, metadata=tokens[1])).lifetime_ms == 5_000
        assert (await refusal(oldest.read()))[0] is grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.parametrize("is_failing", [False, True])
async def test_no_address_keeps_the_logins_of_others_away(backend, monkeypatch, is_failing):
    """However many calls of one address fail, or do not go on, one of another address has a place, and keeps it."""
    monkeypatch.setattr(service, "EXCHANGES_MAX", 4)
    monkeypatch.setattr(service, "EXCHANGES_PER_ADDRESS_MAX", 2)
    monkeypatch.setattr(service, "host_at", lambda context: dict(context.invocation_metadata()).get("from", "others"))
    async with offering(backend, delay_ms=60_000) as (server, channel, offered):
        login = exchange(channel)
        await answers(login, PLAIN)
        for number in range(6):
            hostile = exchange(channel, (("from", "192.0.2.1"),))
            if is_failing and number >= 2:
                status, detail = await refusal(hostile.read())
                assert status is grpc.StatusCode.RESOURCE_EXHAUSTED
                assert "192.0.2.1 has 2 unfinished authentications (limit 2)" in detail.message
                continue
            await answers(hostile, PLAIN)
            if is_failing:
                await hostile.write(data(b"\0alice\0wrong"))
                await until(lambda count=number + 1: len(offered.failures) == count)
        use = server._authenticating.limit_uses()[0]
        assert (use.used, use.refused) == (3, 4)
        assert (await log_in(channel)).token
        assert (await answers(login, data(ALICE)))[0].session.token


async def test_a_place_is_free_after_the_pause(backend, monkeypatch):
    monkeypatch.setattr(service, "EXCHANGES_MAX", 1)
    async with offering(backend, delay_ms=20) as (server, channel, offered):
        failed = exchange(channel)
        await answers(failed, PLAIN)
        await failed.write(data(b"\0alice\0wrong"))
        await until(lambda: offered.failures)
        failed.cancel()
        await until(lambda: not server._authenticating.limit_uses()[0].used)
        assert (await log_in(channel)).token


async def test_strangers_do_not_end_renewals(backend, monkeypatch):
    """However many begin, the exchange of a session goes on; a newer one of the same session ends it."""
    monkeypatch.setattr(service, "EXCHANGES_MAX", 2)
    async with offering(backend, session_ms=5_000) as (server, channel, offered):
        token = bearer((await log_in(channel)).token)
        offered.clock.ms += 4_000
        renewal = exchange(channel, token)
        await answers(renewal, PLAIN)
        for number in range(4):
            await answers(exchange(channel, bearer("unknown") if number % 2 else ()), PLAIN)
        again = exchange(channel, token)
        await answers(again, PLAIN)
        assert (await refusal(renewal.read()))[0] is grpc.StatusCode.RESOURCE_EXHAUSTED
        (last,) = await answers(again, data(ALICE))
        assert (last.session.token, last.session.lifetime_ms) == ("", 5_000)
        await until(lambda: not server._authenticating.limit_uses()[1].used)
        uses = {use.limit: (use.most, use.refused) for use in server._authenticating.limit_uses()[:2]}
        assert uses == {"unfinished authentications": (2, 2), "unfinished renewals": (service.RENEWALS_MAX, 1)}


async def test_the_oldest_of_too_many_renewals_ends(backend, monkeypatch):
    monkeypatch.setattr(service, "RENEWALS_MAX", 1)
    async with offering(backend, session_ms=5_000) as (_, channel, offered):
        tokens = [bearer((await log_in(channel)).token) for _ in range(2)]
        offered.clock.ms += 4_000
        oldest = exchange(channel, tokens[0])
        await answers(oldest, PLAIN)
        newest = exchange(channel, tokens[1])
        await answers(newest, PLAIN)
        assert (await refusal(oldest.read()))[0] is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert (await answers(newest, data(ALICE)))[0].HasField("session")


async def test_a_renewal_that_is_too_early_ends_no_other(backend, monkeypatch):
    """It takes no place: sessions that were opened just now could end the renewals of all others."""
    monkeypatch.setattr(service, "RENEWALS_MAX", 1)
    async with offering(backend, session_ms=5_000) as (server, channel, offered):
        first = bearer((await log_in(channel)).token)
        offered.clock.ms += 4_000
        renewal = exchange(channel, first)
        await answers(renewal, PLAIN)
        _, detail = await refused(exchange(channel, bearer((await log_in(channel)).token)), PLAIN)
        assert "once in 1000 ms" in detail.message
        assert (await answers(renewal, data(ALICE)))[0].HasField("session")
        assert server._authenticating.limit_uses()[1].refused == 0


async def test_an_exchange_has_a_time(backend, monkeypatch, caplog):
    monkeypatch.setattr(service, "AUTHENTICATION_MAX_MS", 20)
    async with offering(backend) as (server, channel, _):
        assert (await refusal(exchange(channel).read()))[0] is grpc.StatusCode.DEADLINE_EXCEEDED
        await until(lambda: not server._authenticating.limit_uses()[0].used)
        assert server._authenticating.limit_uses()[0].refused == 1
    assert "mechanism=- reason=the caller was not authenticated in 20 ms" in caplog.text


async def test_the_lines_of_strangers_are_bounded(backend, caplog):
    """However many exchanges fail, the log of a node has some lines of each kind."""
    limiter = LineRateLimiter()
    async with offering(backend) as (_, channel, offered):
        for _ in range(LINES_MAX + 5):
            await refused(exchange(channel), pb.AuthenticateRequest(mechanism="GSSAPI"))
        assert len(offered.failures) == LINES_MAX + 5
    records = [record for record in caplog.records if "authentication_failed" in record.getMessage()]
    assert len(records) == LINES_MAX + 5
    assert sum(limiter.filter(record) for record in records) == LINES_MAX


# Sessions.


@pytest.mark.parametrize(
    "metadata",
    [(), bearer("x"), bearer("x" * (TOKEN_CHARACTERS_MAX + 1)), (("authorization", "Basic YTpi"),), bearer("")],
)
async def test_every_call_needs_a_session(backend, metadata):
    """No call of any service reaches the node without one, and no message is read, not even one that is too long."""
    offered = Offered()
    async with (
        serving(backend, authentication=offered.authentication, message_bytes_max=10_000) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
        asyncio.timeout(PATIENCE),
    ):
        await log_in(channel)
        methods = [
            method for one in MODULES for each in one.DESCRIPTOR.services_by_name.values() for method in each.methods
        ]
        assert len(methods) > 30
        for method in methods:
            made = call(channel, method.name)
            if method.client_streaming:
                stream = made(metadata=metadata)
                status, detail = await refusal(stream.read())
            else:
                request = node_pb2.RegisterBrokerRequest(rack="x" * 20_000)
                done = made(request, metadata=metadata)
                status, detail = await refusal(done.read() if method.server_streaming else done)
            assert (status, detail.code) == (grpc.StatusCode.UNAUTHENTICATED, ErrorCode.ILLEGAL_SASL_STATE), method.name
            assert "AuthenticationService.Authenticate" in detail.message
        assert (backend.groups, backend.asked_at, backend.reads) == ([], [], 0)
        assert server._calls.limit_uses()[0].used == 0


async def test_health_and_reflection_are_open(backend):
    async with offering(backend) as (_, channel, _):
        await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())

        async def ask():
            yield reflection_pb2.ServerReflectionRequest(list_services="")

        listed = [one async for one in reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(ask())]
        names = {each.name for each in listed[0].list_services_response.service}
        assert "kraftpy.v1.AuthenticationService" in names


async def test_strangers_follow_the_health_within_a_limit(backend, monkeypatch):
    """One call more is refused; unary calls are answered, and a call that ends frees its place."""
    monkeypatch.setattr(api, "HEALTH_WATCHES_MAX", 1)
    async with offering(backend) as (server, channel, _):
        stub, anything = health_pb2_grpc.HealthStub(channel), health_pb2.HealthCheckRequest()
        first = stub.Watch(anything)
        await first.read()
        assert (await refusal(stub.Watch(anything).read()))[0] is grpc.StatusCode.RESOURCE_EXHAUSTED
        await stub.Check(anything)
        uses = {use.limit: use for use in server.limit_uses()}
        assert (uses["watches of health"].used, uses["watches of health"].refused) == (1, 1)
        first.cancel()
        await until(lambda: not server._health.places.limit_use().used)
        await stub.Watch(anything).read()


async def describe(channel, token):
    return await call(channel, "DescribeCluster")(cluster_pb2.DescribeClusterRequest(), metadata=bearer(token))


async def test_a_session_expires(backend):
    async with offering(backend, session_ms=500) as (server, channel, offered):
        session = await log_in(channel)
        assert session.lifetime_ms == 500
        offered.clock.ms += 499
        await describe(channel, session.token)
        offered.clock.ms += 1
        assert (await refusal(describe(channel, session.token)))[0] is grpc.StatusCode.UNAUTHENTICATED
        assert len(server._sessions) == 0


async def test_a_session_is_renewed(backend):
    """Its token stays and is not sent again; another principal, another mechanism and a second at once are refused."""
    async with offering(backend, session_ms=5_000) as (server, channel, offered):
        session = await log_in(channel)
        token = bearer(session.token)
        _, detail = await refused(exchange(channel, token), PLAIN)
        assert (detail.code, offered.failures) == (ErrorCode.ILLEGAL_SASL_STATE, [])
        assert "once in 1000 ms" in detail.message
        offered.clock.ms += 4_000
        renewed = await log_in(channel, metadata=token)
        assert (renewed.token, renewed.lifetime_ms, renewed.principal) == ("", 5_000, "User:alice")
        offered.clock.ms += 4_000
        await describe(channel, session.token)
        _, detail = await refused(exchange(channel, token), PLAIN, data(b"\0bob\0hidden"))
        assert "Cannot change principals" in detail.message
        _, detail = await refused(exchange(channel, token), SCRAM, data(b"n,,n=alice,r=c"))
        assert "not supported for re-authentication" in detail.message
        await describe(channel, session.token)
        assert len(server._sessions) == 1
        offered.clock.ms += 1_000
        assert (await refusal(describe(channel, session.token)))[0] is grpc.StatusCode.UNAUTHENTICATED
        assert (await log_in(channel, metadata=token)).token, "what is over is not renewed: a new one is opened"


@pytest.mark.parametrize("session_ms", [0, 5_000])
async def test_credentials_that_are_over_open_no_session(backend, session_ms):
    """A token that a mechanism accepts for the difference of clocks has expired; its session would last no time."""
    more = {"OAUTHBEARER": lambda: BearerServer(lambda _, now_ms: ValidToken("carol", now_ms))}
    async with offering(backend, session_ms=session_ms, more=more) as (server, channel, offered):
        named = pb.AuthenticateRequest(mechanism="OAUTHBEARER")
        status, detail = await refused(exchange(channel), named, data(b"n,,\x01auth=Bearer t\x01\x01"))
        assert status is grpc.StatusCode.UNAUTHENTICATED
        assert (detail.code, detail.message) == (ErrorCode.SASL_AUTHENTICATION_FAILED, "the credentials have expired")
        assert (len(server._sessions), offered.failures) == (0, [1])


async def test_streams_end_with_their_session(backend):
    """A session answers what it has read before; a watch and an image end at once."""
    backend.append()
    backend.gate.clear()
    async with offering(backend) as (server, channel, _):
        token = (await log_in(channel)).token
        metadata = bearer(token)
        stream = call(channel, "Session")(metadata=metadata)
        await stream.read()
        unregister = session_pb2.Request(id=5, unregister_broker={"broker_id": 7})
        await stream.write(session_pb2.RequestBatch(requests=[unregister]))
        await backend.arrived.wait()
        watch = call(channel, "Watch")(cluster_pb2.WatchRequest(), metadata=metadata)
        await watch.read()
        (session,) = server._sessions._used.values()
        assert session.streams == 2
        server._sessions.end(session)
        status, detail = await refusal(watch.read())
        assert (status, detail.code) == (grpc.StatusCode.UNAUTHENTICATED, ErrorCode.ILLEGAL_SASL_STATE)
        backend.gate.set()
        assert [one.id for one in (await stream.read()).responses] == [5]
        assert (await refusal(stream.read()))[0] is grpc.StatusCode.UNAUTHENTICATED
        await until(lambda: not session.streams)


async def read_to_end(stream, taken):
    while (message := await stream.read()) is not grpc.aio.EOF:
        taken.append(message)


@pytest.mark.parametrize("is_half_closed", [False, True])
async def test_a_stream_that_is_not_read_ends_with_its_session(backend, monkeypatch, is_half_closed):
    """A client that reads later gets what was being sent and the status, and not what was to follow."""
    monkeypatch.setattr("kraftpy.transport.grpc.services.session.ENDING_MS", 50)
    monkeypatch.setattr("kraftpy.transport.grpc.services.session.RESPONSE_BATCH_BYTES_MAX", 1_000)
    backend.image = MetadataImage(configs=configs_of({(2, "t"): {"retention.ms": "x" * 380_000}}))
    async with offering(backend) as (server, channel, _):
        stream = call(channel, "Session")(metadata=bearer((await log_in(channel)).token))
        ask = [session_pb2.Request(id=n, describe_configs=cluster_pb2.DescribeConfigsRequest()) for n in range(60)]
        await stream.write(session_pb2.RequestBatch(requests=ask))
        held = server._held
        await until(lambda: held.used > 3_000_000)
        if is_half_closed:
            await stream.done_writing()
        (session,) = server._sessions._used.values()
        server._sessions.end(session)
        await until(lambda: not held.used)
        taken = []
        status, detail = await refusal(read_to_end(stream, taken))
        assert (status, detail.code) == (grpc.StatusCode.UNAUTHENTICATED, ErrorCode.ILLEGAL_SASL_STATE)
        assert sum(len(each.responses) for each in taken) < 60
        await until(lambda: not session.streams)


CHUNKS = 300


async def test_an_image_that_is_not_read_ends_with_its_session(backend):
    """The same of a stream of chunks: those that were not being sent are not sent."""
    # More than gRPC's window for a client that does not read: it has opened to several MB by then.
    backend.snapshot_chunks = [encode_batch([b"x" * 200_000], base_offset=0, epoch=1, timestamp_ms=0)] * CHUNKS
    async with offering(backend) as (server, channel, _):
        metadata = bearer((await log_in(channel)).token)
        image = call(channel, "GetImage")(cluster_pb2.GetImageRequest(), metadata=metadata)
        uses = next(use for use in server._limited if use.limit_use().limit == "stream bytes")
        await until(lambda: uses.limit_use().used > 100_000)
        (session,) = server._sessions._used.values()
        server._sessions.end(session)
        await until(lambda: not uses.limit_use().used)
        taken = []
        status, detail = await refusal(read_to_end(image, taken))
        assert (status, detail.code) == (grpc.StatusCode.UNAUTHENTICATED, ErrorCode.ILLEGAL_SASL_STATE)
        assert len(taken) < CHUNKS
        await until(lambda: not session.streams)


async def test_a_timer_ends_the_streams_of_a_session_that_expires(backend):
    """No call has to come for it."""
    loop = asyncio.get_running_loop()
    async with offering(backend, session_ms=300, now_ms=lambda: int(loop.time() * 1_000)) as (server, channel, _):
        metadata = bearer((await log_in(channel)).token)
        stream = call(channel, "Session")(metadata=metadata)
        await stream.read()
        assert (await refusal(stream.read()))[0] is grpc.StatusCode.UNAUTHENTICATED
        assert len(server._sessions) == 0


# How many.

BOB = Authenticated(b"", "User:bob")
CAROL = Authenticated(b"", "User:carol")


async def test_a_principal_has_some_sessions(monkeypatch):
    """For one more, its own that was used longest ago ends; others' stay, and so do those with streams."""
    monkeypatch.setattr(sasl_sessions, "SESSIONS_PER_PRINCIPAL_MAX", 2)
    sessions = SaslSessions(lambda: 1_000)
    other, _ = sessions.open("PLAIN", CAROL, None)
    (first, one), (second, _) = (sessions.open("PLAIN", BOB, None) for _ in range(2))
    assert sessions.find(bearer(first)) is one
    third, _ = sessions.open("PLAIN", BOB, None)
    kept = [isinstance(sessions.find(bearer(each)), SaslSession) for each in (other, first, second, third)]
    assert kept == [True, True, False, True]
    with one.streaming():
        sessions.find(bearer(third))
        fourth, last = sessions.open("PLAIN", BOB, None)
        assert isinstance(sessions.find(bearer(first)), SaslSession)
        with last.streaming(), pytest.raises(BusyError, match="User:bob has 2 authenticated sessions"):
            sessions.open("PLAIN", BOB, None)
    assert isinstance(sessions.find(bearer(fourth)), SaslSession)


async def test_a_node_has_some_sessions(monkeypatch):
    monkeypatch.setattr(sasl_sessions, "AUTHENTICATED_SESSIONS_MAX", 2)
    sessions = SaslSessions(lambda: 1_000)
    tokens = [sessions.open("PLAIN", Authenticated(b"", f"User:{n}"), None)[0] for n in range(2)]
    assert isinstance(sessions.find(bearer(tokens[0])), SaslSession)
    tokens.append(sessions.open("PLAIN", CAROL, None)[0])
    assert [isinstance(sessions.find(bearer(each)), SaslSession) for each in tokens] == [True, False, True]
    use = sessions.limit_use()
    assert (use.used, use.most, use.refused) == (2, 2, 1)


async def test_a_token_is_random_and_kept_nowhere():
    """Two of one caller differ, each has 256 bits, and what is kept of it is its digest."""
    sessions = SaslSessions(lambda: 1_000)
    tokens = {sessions.open("PLAIN", BOB, None)[0] for _ in range(3)}
    assert len(tokens) == 3
    assert {len(one) for one in tokens} == {43}
    assert not any(one in f"{vars(sessions)}{session!r}" for one in tokens for session in sessions._used.values())
    assert not any(one.encode() in sessions._used for one in tokens)
