"""The mechanisms, server against client, and what each refuses."""

from __future__ import annotations

import base64
import hashlib
import hmac

import pytest
from immutables import Map

from kraftpy.authenticator.bearer import TOKEN_CHARS_MAX, BearerClient, BearerServer, ValidToken
from kraftpy.authenticator.credentials import TOKENS_REMEMBERED_MAX, LogCredentials
from kraftpy.authenticator.mechanism import (
    SCRAM_HASHES,
    SCRAM_SHA_256,
    SCRAM_SHA_512,
    Authenticated,
    AuthenticationError,
    ServerMechanism,
)
from kraftpy.authenticator.plain import PlainClient, PlainServer
from kraftpy.authenticator.scram import (
    ITERATIONS,
    MESSAGE_BYTES_MAX,
    SaltedPasswords,
    ScramClient,
    ScramServer,
    ScramServerConfig,
    stored_credential,
)
from kraftpy.image.delegation_tokens import DelegationToken, DelegationTokensImage
from kraftpy.image.scram import MECHANISM_NAMES, ScramCredential, ScramImage, ScramUser

NOW = 1_000_000
INVALID = "Authentication failed: Invalid username or password"
TOKEN = DelegationToken(
    token_id="id-1", owner="User:bob", requester="User:bob", renewers=(), issue_timestamp_ms=0,
    max_timestamp_ms=NOW + 5, expiration_timestamp_ms=NOW + 5,
)  # fmt: skip


def credential(mechanism: str, password: str, iterations: int = 4096, salt: bytes = b"salt") -> ScramCredential:
    salted = hashlib.pbkdf2_hmac(SCRAM_HASHES[mechanism], password.encode(), salt, iterations)
    return stored_credential(mechanism, salted, salt, iterations)


def users(**passwords: str) -> ScramImage:
    return ScramImage(
        Map(
            (ScramUser(number, name), credential(mechanism, password))
            for number, mechanism in MECHANISM_NAMES.items()
            for name, password in passwords.items()
        )
    )


def config(image: ScramImage, *tokens: DelegationToken, key: str | None = "key") -> ScramServerConfig:
    found = DelegationTokensImage(Map({token.token_id: token for token in tokens}))
    return ScramServerConfig(LogCredentials(lambda: image, lambda: found, key), lambda: "servernonce", b"decoy")


def refusal(server: ServerMechanism, *messages: bytes) -> AuthenticationError:
    *before, last = messages
    for message in before:
        server.evaluate(message, NOW)
    with pytest.raises(AuthenticationError) as caught:
        server.evaluate(last, NOW)
    return caught.value


def converse(server: ServerMechanism, client: ScramClient) -> Authenticated:
    message: bytes | None = client.initial()
    while True:
        assert message is not None
        answer = server.evaluate(message, NOW)
        if isinstance(answer, Authenticated):
            assert client.respond(answer.response) is None
            return answer
        message = client.respond(answer)


class TestPlain:
    def test_a_password_is_checked(self) -> None:
        server = PlainServer({"alice": "secret"})
        assert server.evaluate(PlainClient("alice", "secret").initial(), NOW).principal == "User:alice"
        assert server.evaluate(b"alice\0alice\0secret", NOW).principal == "User:alice"

    @pytest.mark.parametrize(
        ("message", "text"),
        [
            (b"\0alice\0wrong", INVALID),
            (b"\0bob\0secret", INVALID),
            (b"\0bob\0", "Authentication failed: password not specified"),
            (b"\0\0secret", "Authentication failed: username not specified"),
            (b"bob\0alice\0secret", "Authentication failed: Client requested an authorization id that is different"),
            (b"alice\0secret", "Invalid SASL/PLAIN response: expected 3 tokens, got 2"),
            (b"\0alice\0secret\0", "Invalid SASL/PLAIN response: expected 3 tokens, got 4"),
            (b"\0alice\0\xff\xfe", INVALID),
            (b"", "Invalid SASL/PLAIN response: expected 3 tokens, got 1"),
        ],
    )
    def test_everything_else_is_refused_in_kafkas_words(self, message: bytes, text: str) -> None:
        """A user without a password in the file is no user: the empty password of the comparison is no user's."""
        assert str(refusal(PlainServer({"alice": "secret", "": "x"}), message).text).startswith(text)

    def test_a_server_has_no_challenge(self) -> None:
        with pytest.raises(AuthenticationError):
            PlainClient("a", "b").respond(b"more")


class TestScram:
    def test_the_example_of_the_rfc(self) -> None:
        """RFC 7677 §3, both sides."""
        salt = base64.b64decode("W22ZaJ0SNY7soEsUEjb6gQ==")
        made = credential(SCRAM_SHA_256, "pencil", 4096, salt)
        image = ScramImage(Map({ScramUser(1, "user"): made}))
        shared = ScramServerConfig(
            LogCredentials(lambda: image, DelegationTokensImage), lambda: "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0", b"d"
        )
        server = ScramServer(SCRAM_SHA_256, shared)
        client = ScramClient("user", SaltedPasswords(SCRAM_SHA_256, "pencil"), "rOprNGfwEbeRWgbNEkqO")
        assert client.initial() == b"n,,n=user,r=rOprNGfwEbeRWgbNEkqO"
        challenge = server.evaluate(client.initial(), NOW)
        nonce = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
        assert challenge == f"r={nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096".encode()
        proof = client.respond(challenge)
        assert proof == f"c=biws,r={nonce},p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=".encode()
        verdict = server.evaluate(proof, NOW)
        assert verdict == Authenticated(b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=", "User:user")
        assert client.respond(verdict.response) is None

    @pytest.mark.parametrize("mechanism", SCRAM_HASHES)
    @pytest.mark.parametrize("name", ["alice", "a=b,c", "ü"])
    def test_a_password_is_proved(self, mechanism: str, name: str) -> None:
        server = ScramServer(mechanism, config(users(**{name: "secret"})))
        client = ScramClient(name, SaltedPasswords(mechanism, "secret"), "clientnonce")
        assert converse(server, client).principal == f"User:{name}"

    @pytest.mark.parametrize(("name", "password"), [("alice", "wrong"), ("bob", "secret"), ("", "x")])
    def test_a_wrong_password_and_no_user_look_alike(self, name: str, password: str) -> None:
        """Both get a salt and are refused after the proof, without a text of their own."""
        server = ScramServer(SCRAM_SHA_256, config(users(alice="secret")))
        client = ScramClient(name or "carol", SaltedPasswords(SCRAM_SHA_256, password), "clientnonce")
        challenge = server.evaluate(client.initial(), NOW)
        assert b",i=4096" in challenge
        assert refusal(server, client.respond(challenge)).text is None

    def test_the_salt_of_no_user_stays_the_same(self) -> None:
        shared = config(users(alice="secret"))
        first, second = (ScramServer(SCRAM_SHA_256, shared).evaluate(b"n,,n=bob,r=c", NOW) for _ in range(2))
        assert first == second
        assert first != ScramServer(SCRAM_SHA_256, shared).evaluate(b"n,,n=carol,r=c", NOW)

    @pytest.mark.parametrize(
        "message",
        [
            b"", b"n", b"n,", b"n,,", b"y,,n=a,r=b", b"p=tls-unique,,n=a,r=b", b"n,,m=x,n=a,r=b", b"n,,n=a",
            b"n,,r=a,n=b",
            b"n,,n=,r=b", b"n,,n=a,r=", b"n,,n=a,r=\x01", b"n,,n=a=b,r=c", b"n,,n=a=2D,r=c", b"n,b,n=a,r=c", b"\xff",
            b"n,a=bob,n=alice,r=c", b"n,,n=a,r=b,c", b"n,,n=" + b"a" * MESSAGE_BYTES_MAX,
        ],
    )  # fmt: skip
    def test_a_malformed_first_message_is_refused(self, message: bytes) -> None:
        refusal(ScramServer(SCRAM_SHA_256, config(users(alice="secret"))), message)

    @pytest.mark.parametrize(
        ("old", "new"),
        [(b"c=biws", b"c=eSws"), (b"r=clientnonce", b"r=other"), (b",p=", b",q="), (b"p=", b"p=A"), (b"c=", b"d=")],
    )
    def test_a_changed_last_message_is_refused(self, old: bytes, new: bytes) -> None:
        server = ScramServer(SCRAM_SHA_256, config(users(alice="secret")))
        client = ScramClient("alice", SaltedPasswords(SCRAM_SHA_256, "secret"), "clientnonce")
        last = client.respond(server.evaluate(client.initial(), NOW))
        assert old in last
        refusal(server, last.replace(old, new))
        refusal(server, last)

    @pytest.mark.parametrize("iterations", [ITERATIONS[0] - 1, ITERATIONS[1] + 1])
    def test_iterations_have_bounds(self, iterations: int) -> None:
        image = ScramImage(Map({ScramUser(1, "a"): ScramCredential(b"s", b"k", b"k", iterations)}))
        refusal(ScramServer(SCRAM_SHA_256, config(image)), b"n,,n=a,r=b")

    @pytest.mark.parametrize(
        "challenge",
        [
            b"r=clientnonceX,s=c2FsdA==,i=4095", b"r=clientnonceX,s=c2FsdA==,i=16385",
            b"r=clientnonce,s=c2FsdA==,i=4096",
            b"r=other,s=c2FsdA==,i=4096", b"r=clientnonceX,s=?,i=4096", b"r=clientnonceX,s=c2FsdA==,i=" + b"9" * 5000,
            b"s=c2FsdA==,r=clientnonceX,i=4096", b"", b"v=abc",
        ],
    )  # fmt: skip
    def test_a_client_takes_no_hostile_challenge(self, challenge: bytes) -> None:
        with pytest.raises(AuthenticationError):
            ScramClient("a", SaltedPasswords(SCRAM_SHA_256, "p"), "clientnonce").respond(challenge)

    @pytest.mark.parametrize("end", [b"", b"v=AAAA", b"e=invalid-proof", b"x"])
    def test_a_server_must_prove_that_it_knows_the_password(self, end: bytes) -> None:
        client = ScramClient("a", SaltedPasswords(SCRAM_SHA_256, "p"), "clientnonce")
        assert client.respond(b"r=clientnonceX,s=c2FsdA==,i=4096")
        with pytest.raises(AuthenticationError):
            client.respond(end)


class TestTokens:
    def hmac(self, key: bytes = b"key") -> str:
        return base64.b64encode(hmac.digest(key, b"id-1", "sha512")).decode()

    def authenticate(self, shared: ScramServerConfig, mechanism: str = SCRAM_SHA_512) -> Authenticated:
        client = ScramClient("id-1", SaltedPasswords(mechanism, self.hmac()), "c", by_token=True)
        return converse(ScramServer(mechanism, shared), client)

    def test_the_hmac_of_a_token_is_a_password_of_its_owner(self) -> None:
        verdict = self.authenticate(config(users(), TOKEN))
        assert verdict[1:] == ("User:bob", NOW + 5, True)

    @pytest.mark.parametrize(
        "shared", [config(users()), config(users(), TOKEN, key=None), config(users(), TOKEN, key="x")]
    )
    def test_no_token_no_key_or_another_key(self, shared: ScramServerConfig) -> None:
        with pytest.raises(AuthenticationError):
            self.authenticate(shared)

    def test_an_expired_token_is_none(self) -> None:
        server = ScramServer(SCRAM_SHA_256, config(users(), TOKEN))
        client = ScramClient("id-1", SaltedPasswords(SCRAM_SHA_256, self.hmac()), "c", by_token=True)
        challenge = server.evaluate(client.initial(), NOW + 5)
        refusal(server, client.respond(challenge))

    def test_what_is_remembered_of_tokens_is_bounded(self) -> None:
        found = DelegationTokensImage(Map({"id-1": TOKEN}))
        lookup = LogCredentials(ScramImage, lambda: found, "key")
        lookup._derived.update({("m", str(n)): credential(SCRAM_SHA_256, "p") for n in range(TOKENS_REMEMBERED_MAX)})
        assert lookup.token(SCRAM_SHA_256, "id-1") == lookup.token(SCRAM_SHA_256, "id-1")
        assert len(lookup._derived) == TOKENS_REMEMBERED_MAX


class TestBearer:
    def server(self) -> BearerServer:
        def validate(token: str, now_ms: int) -> ValidToken:
            if token != "good":
                raise AuthenticationError("it is not good")
            return ValidToken("alice", now_ms + 7)

        return BearerServer(validate)

    def test_a_valid_token_is_its_owner_until_it_expires(self) -> None:
        assert self.server().evaluate(BearerClient("good").initial(), NOW) == Authenticated(b"", "User:alice", NOW + 7)

    def test_a_rejection_is_acknowledged(self) -> None:
        server, client = self.server(), BearerClient("bad")
        challenge = server.evaluate(client.initial(), NOW)
        assert challenge == b'{"status":"invalid_token"}'
        assert refusal(server, client.respond(challenge)).text == '{"status":"invalid_token"}'
        assert refusal(server, BearerClient("good").initial()).text is None

    @pytest.mark.parametrize(
        "message",
        [
            b"", b"n,,", b"n,,\x01auth=Bearer good\x01", b"n,,\x01auth=Basic good\x01\x01", b"n,,\x01\x01", b"\xff",
            b"y,,\x01auth=Bearer good\x01\x01", b"n,b,\x01auth=Bearer good\x01\x01", b"n,,\x01a1=x\x01\x01",
            b"n,,\x01auth=Bearer " + b"a" * (TOKEN_CHARS_MAX + 1) + b"\x01\x01", b"n,,\x01auth=" + b"a" * 30_000,
            b"n,a=bob,\x01auth=Bearer good\x01\x01", b"n,,\x01" + b"a=b\x01" * 100 + b"auth=Bearer good\x01\x01",
        ],
    )  # fmt: skip
    def test_a_malformed_message_is_refused(self, message: bytes) -> None:
        refusal(self.server(), message)
