"""A client with credentials against servers that ask for them."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest
from immutables import Map

from kraftpy.authenticator.bearer import BearerServer, ValidToken
from kraftpy.authenticator.exchange import REAUTHENTICATION_INTERVAL_MS
from kraftpy.client import BearerCredentials, Client, PlainCredentials, ScramCredentials, connection
from kraftpy.client.session import SessionLostError
from kraftpy.client.values import WatchedBatch
from kraftpy.image.scram import ScramCredential, ScramImage, ScramUser
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.node.oauth_keys import read_token
from kraftpy.transport.grpc.services import authentication
from tests.unit.authenticator.test_mechanisms import credential
from tests.unit.client.test_client import PATIENCE, client_of
from tests.unit.transport.fake_backend import FakeBackend, serving
from tests.unit.transport.sasl_api import SHA_256, Offered, until

ALICE = ScramCredentials("alice", "secret")


@asynccontextmanager
async def serving_sasl(port=0, **options):
    offered, backend = Offered(**options), FakeBackend()
    async with serving(backend, port, authentication=offered.authentication) as server, asyncio.timeout(PATIENCE):
        yield server, backend, offered


@pytest.mark.parametrize("login", [ALICE, PlainCredentials("alice", "secret")])
async def test_every_kind_of_call_is_authenticated(login):
    """Calls of the session, an image and a watch."""
    async with serving_sasl() as (server, backend, offered), client_of(server.port, login=login) as client:
        assert (await client.describe_cluster()).cluster_id == "cluster"
        assert (await client.get_image()).end_offset == 100
        backend.append()
        async with aclosing(client.watch(0)) as events:
            assert isinstance(await anext(events), WatchedBatch)
        assert offered.begun == [login.mechanism] * 3
        assert offered.failures == []


def test_the_sync_client_authenticates_too():
    async def serve(ready, done):
        async with serving_sasl() as (server, _, _):
            ready.set_result(server.port)
            await done.wait()

    async def go():
        ready, done = asyncio.get_running_loop().create_future(), asyncio.Event()
        task = asyncio.ensure_future(serve(ready, done))
        address = f"127.0.0.1:{await ready}"

        def ask():
            with Client([address], login=ALICE) as client:
                return client.describe_cluster().cluster_id

        try:
            return await asyncio.to_thread(ask)
        finally:
            done.set()
            await task

    assert asyncio.run(go()) == "cluster"


@pytest.mark.parametrize(
    "login", [ScramCredentials("alice", "wrong"), ScramCredentials("carol", "secret"), PlainCredentials("alice", "no")]
)
async def test_rejected_credentials_are_an_error_at_once(login):
    """They are not tried again: that would not help, and may lock the user out."""
    async with serving_sasl() as (server, backend, offered), client_of(server.port, login=login) as client:
        with pytest.raises(ApiError) as raised:
            await client.describe_cluster()
        assert raised.value.code is ErrorCode.SASL_AUTHENTICATION_FAILED
        assert offered.failures == [1]
        with pytest.raises(ApiError):
            await client.get_image()
        async with aclosing(client.watch(0)) as events:
            with pytest.raises(ApiError):
                await anext(events)
        assert offered.failures == [1] * 3
        assert backend.asked_at == []


async def test_a_client_without_credentials_hears_that_it_needs_them():
    """At once, and not at the deadline."""
    async with serving_sasl() as (server, _, _), client_of(server.port) as client:
        with pytest.raises(ApiError, match="authenticates its callers by SASL") as raised:
            await client.describe_cluster()
        assert raised.value.code is ErrorCode.ILLEGAL_SASL_STATE
        with pytest.raises(ApiError, match="authenticates its callers by SASL"):
            await client.get_image()
        async with aclosing(client.watch(0)) as events:
            with pytest.raises(ApiError, match="authenticates its callers by SASL"):
                await anext(events)


async def test_credentials_are_not_sent_to_a_node_that_does_not_ask():
    async with serving(FakeBackend()) as server, client_of(server.port, login=ALICE) as client:
        with pytest.raises(ApiError) as raised:
            await client.describe_cluster()
    assert raised.value.code is ErrorCode.SECURITY_DISABLED


async def test_a_node_has_to_prove_that_it_knows_the_password():
    """One that has the key which proofs are checked with, and no other, is refused."""
    real = credential(SHA_256, "secret")
    forged = ScramCredential(real.salt, real.stored_key, b"\0" * 32, real.iterations)
    image = ScramImage(Map({ScramUser(1, "alice"): forged}))
    async with serving_sasl(image=image) as (server, _, _), client_of(server.port, login=ALICE) as client:
        with pytest.raises(ApiError, match="did not prove that it knows the password"):
            await client.describe_cluster()


@pytest.fixture
def hurried(monkeypatch):
    """Renewals begin long before the session ends, and are repeated without a pause."""
    monkeypatch.setattr(connection, "RENEWAL_SHARE", 0.2)
    for name in ("RENEWAL_MIN_S", "RENEWAL_PAUSE_MIN_S", "RENEWAL_PAUSE_MAX_S"):
        monkeypatch.setattr(connection, name, 0)
    monkeypatch.setattr(authentication, "REAUTHENTICATION_INTERVAL_MS", 0)


async def test_a_session_is_renewed_while_its_connection_is_open(hurried):
    """The stream of the first session goes on, and no other session is opened."""
    loop = asyncio.get_running_loop()
    clock = {"now_ms": lambda: int(loop.time() * 1_000)}
    async with (
        serving_sasl(session_ms=2_000, **clock) as (server, _, offered),
        client_of(server.port, login=ALICE) as client,
    ):
        await client.describe_cluster()
        session = client._session
        await until(lambda: len(offered.begun) == 2 and not server._authenticating.limit_uses()[0].used)
        await client.describe_cluster()
        assert client._session is session
        assert len(server._sessions) == 1
        assert offered.failures == []


async def test_a_renewal_that_fails_is_tried_again(hurried, monkeypatch, caplog):
    """The node is busy twice: the session is renewed all the same, and its stream goes on."""
    loop = asyncio.get_running_loop()
    clock = {"now_ms": lambda: int(loop.time() * 1_000)}
    async with (
        serving_sasl(session_ms=2_000, **clock) as (server, _, offered),
        client_of(server.port, login=ALICE) as client,
    ):
        renewals, busy = server._authenticating._renewals, [1, 1]
        place = renewals.one

        def one(owner, address):
            if busy:
                busy.pop()
                raise renewals.refusal("busy")
            return place(owner, address)

        monkeypatch.setattr(renewals, "one", one)
        await client.describe_cluster()
        session = client._session
        await until(lambda: len(offered.begun) == 2 and not renewals.limit_use().used)
        await client.describe_cluster()
        assert client._session is session
        assert len(server._sessions) == 1
    assert caplog.text.count("renewal_failed") == 2


@pytest.mark.parametrize("last", [ErrorCode.SASL_AUTHENTICATION_FAILED, ErrorCode.UNSUPPORTED_SASL_MECHANISM])
async def test_only_a_rejection_ends_the_renewals(hurried, monkeypatch, caplog, last):
    """A node that is busy, gone, or silent may renew the session later."""
    outcomes = [
        ApiError(ErrorCode.THROTTLING_QUOTA_EXCEEDED, "busy"),
        SessionLostError("gone", was_sent=False),
        TimeoutError(),
        ApiError(last, "rejected"),
    ]
    renewed = connection.NodeConnection(None, "node:1", connection.Access(login=ALICE))

    async def authenticate(_):
        raise outcomes.pop(0)

    monkeypatch.setattr(renewed, "_authenticate", authenticate)
    async with asyncio.timeout(PATIENCE):
        await renewed._renew(ALICE, 100)
    assert outcomes == []
    assert caplog.text.count("renewal_failed peer=node:1") == 4
    assert "no answer in 10 s" in caplog.text


BEARER = {"OAUTHBEARER": lambda: BearerServer(lambda token, now_ms: ValidToken(token, now_ms + 60_000))}


@pytest.mark.parametrize(
    ("read", "content", "reason"),
    [
        (Path.read_text, None, "the token of OAUTHBEARER cannot be read: FileNotFoundError"),
        (Path.read_text, b"\xff", "the token of OAUTHBEARER cannot be read: UnicodeDecodeError"),
        (read_token, b"\xff", "/token cannot be read: UnicodeDecodeError"),
        (read_token, b"", "/token holds no token of 1 to"),
    ],
)
async def test_a_token_that_cannot_be_read_is_read_again(hurried, tmp_path, caplog, read, content, reason):
    """Its file is gone, or holds none: the session is renewed with the token that is there afterwards."""
    path = tmp_path / "token"
    path.write_text("carol")
    loop = asyncio.get_running_loop()
    options = {"now_ms": lambda: int(loop.time() * 1_000), "session_ms": 2_000, "more": BEARER}
    async with (
        serving_sasl(**options) as (server, _, offered),
        client_of(server.port, login=BearerCredentials(lambda: read(path))) as client,
    ):
        await client.describe_cluster()
        session = client._session
        path.unlink() if content is None else path.write_bytes(content)
        await until(lambda: caplog.text.count("renewal_failed") >= 2)
        path.write_text("carol")
        await until(lambda: len(offered.begun) > 1 and not server._authenticating.limit_uses()[1].used)
        await client.describe_cluster()
        assert client._session is session
        assert len(server._sessions) == 1
        assert offered.failures == []
    (failed, *_) = [one.getMessage() for one in caplog.records if one.getMessage().startswith("renewal_failed")]
    assert reason in failed


async def test_a_token_that_stays_unreadable_is_named_when_the_session_ends(hurried, tmp_path, caplog):
    """In the log, and to the caller whose next call needs a session."""
    path = tmp_path / "token"
    path.write_text("carol")
    loop = asyncio.get_running_loop()
    options = {"now_ms": lambda: int(loop.time() * 1_000), "session_ms": 300, "more": BEARER}
    async with (
        serving_sasl(**options) as (server, _, _),
        client_of(server.port, login=BearerCredentials(path.read_text)) as client,
    ):
        await client.describe_cluster()
        path.unlink()
        await until(lambda: "session_not_renewed" in caplog.text)
        await until(lambda: not server._sessions)
        with pytest.raises(ApiError, match=str(path)) as raised:
            await client.describe_cluster()
        assert raised.value.code is ErrorCode.SASL_AUTHENTICATION_FAILED
    (ended,) = [one.getMessage() for one in caplog.records if one.getMessage().startswith("session_not_renewed")]
    assert str(path) in ended


@pytest.mark.parametrize(("lifetime_ms", "delay_s"), [(3_600_000, 3_060), (3_000, 2.55), (1_100, 1.05), (500, 1.05)])
def test_a_client_does_not_renew_earlier_than_a_node_lets_it(lifetime_ms, delay_s):
    assert connection.renewal_delay_s(lifetime_ms) == pytest.approx(delay_s)
    assert delay_s * 1_000 > REAUTHENTICATION_INTERVAL_MS


async def test_renewals_end_with_the_session(hurried, monkeypatch):
    """What is over is not renewed: the next connection authenticates."""
    renewed = connection.NodeConnection(None, "node:1", connection.Access(login=ALICE))

    async def authenticate(_):
        raise ApiError(ErrorCode.THROTTLING_QUOTA_EXCEEDED, "busy")

    monkeypatch.setattr(renewed, "_authenticate", authenticate)
    async with asyncio.timeout(PATIENCE):
        await renewed._renew(ALICE, 20)


async def test_a_session_that_is_gone_is_followed_by_another():
    """The node needed its place: the next call authenticates again, and a watch goes on where it was."""
    async with serving_sasl() as (server, backend, offered), client_of(server.port, login=ALICE) as client:
        await client.describe_cluster()
        backend.append()
        async with aclosing(client.watch(0)) as events:
            assert (await anext(events)).last_offset == 0
            for session in tuple(server._sessions._used.values()):
                server._sessions.end(session)
            await client.describe_cluster()
            backend.append()
            assert (await anext(events)).base_offset == 1
        assert offered.begun == [SHA_256] * 4


async def test_a_node_that_was_restarted_is_authenticated_at_again():
    async with serving_sasl() as (server, _, _):
        port = server.port
        client = client_of(port, login=ALICE)
        await client.__aenter__()
        await client.describe_cluster()
    async with serving_sasl(port) as (_, _, offered):
        assert (await client.describe_cluster()).cluster_id == "cluster"
        assert offered.begun == [SHA_256]
        await client.close()


async def test_a_node_that_has_not_loaded_the_users_is_not_the_last_one_asked():
    async with serving_sasl(image=ScramImage()) as (behind, _, offered), serving_sasl() as (server, _, _):
        offered.has_users = False
        async with client_of(behind.port, server.port, login=ALICE) as client:
            assert (await client.describe_cluster()).cluster_id == "cluster"
        assert offered.begun == [SHA_256]
