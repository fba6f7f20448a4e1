"""Delegation tokens: the checks of each request in Kafka's order, the times, and the removal of expired tokens."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace

import pytest

from kraftpy.controller import delegation_tokens as tokens_module
from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.delegation_token_requests import (
    CreateDelegationToken,
    ExpireDelegationToken,
    RenewDelegationToken,
)
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.metadata import DelegationTokenRecord, RemoveDelegationTokenRecord
from tests.unit.controller.worlds import World, level_record

HOUR, DAY, WEEK = 3_600_000, 86_400_000, 604_800_000
CONFIG = ControllerConfig(token_secret_key="secret")
START = 1_000_000


def world(**options):
    made = World(config=CONFIG, **{"level": 30, **options})
    made.now_ms = START
    return made


def create(made, **fields):
    return made.do(CreateDelegationToken(**{"requester": "User:alice", **fields}))[1]


def refusal(made, request):
    """The code of the error, after which nothing has changed."""
    before = made.controller.image
    with pytest.raises(ApiError) as caught:
        made.do(request)
    assert made.controller.image is before
    return caught.value.code


def test_a_token_is_created():
    """Its HMAC is that of Kafka: HMAC-SHA-512 of the token id with the configured key."""
    made = world()
    (record,), token = made.do(CreateDelegationToken(requester="User:alice", owner="User:bob", renewers=("User:r",)))
    assert record == DelegationTokenRecord(
        owner="User:bob", requester="User:alice", renewers=["User:r"], issue_timestamp=START,
        max_timestamp=START + WEEK, expiration_timestamp=START + DAY, token_id=token.token_id,
    )  # fmt: skip
    assert token.hmac == hmac.new(b"secret", token.token_id.encode(), hashlib.sha512).digest()
    assert (token.owner, token.requester, token.renewers) == ("User:bob", "User:alice", ("User:r",))
    assert "hmac" not in repr(token)


def test_a_validated_request_yields_no_secret():
    made = world()
    records, token = made.do(CreateDelegationToken(requester="User:alice", validate_only=True))
    assert (records, token.token_id, token.hmac) == ([], "", b"")
    assert token.max_timestamp_ms == START + WEEK


@pytest.mark.parametrize(("asked", "lives"), [(-1, WEEK), (0, WEEK), (5, 5), (WEEK + 1, WEEK), (2**63 - 1, WEEK)])
def test_the_lifetime_is_at_most_what_is_configured(asked, lives):
    token = create(world(), max_lifetime_ms=asked)
    assert token.max_timestamp_ms == START + lives
    assert token.expiration_timestamp_ms == START + min(lives, DAY)


def test_times_do_not_overflow():
    made = World(config=replace(CONFIG, token_max_lifetime_ms=2**63 - 1, token_expiry_ms=2**63 - 1), level=30)
    made.now_ms = START
    token = create(made)
    assert token.expiration_timestamp_ms == token.max_timestamp_ms == 2**63 - 1


EVERY_REQUEST = (
    CreateDelegationToken(requester="User:alice", renewers=("Group:g",)),
    RenewDelegationToken(hmac=b"?", requester="User:alice"),
    ExpireDelegationToken(hmac=b"?", requester="User:alice"),
)


@pytest.mark.parametrize("request_", EVERY_REQUEST)
def test_without_a_key_there_are_no_tokens(request_):
    """First of all: also where the metadata.version has none."""
    assert refusal(World(level=13), request_) == ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED


@pytest.mark.parametrize("request_", EVERY_REQUEST)
def test_a_level_without_tokens_refuses_them(request_):
    assert refusal(world(level=13), request_) == ErrorCode.UNSUPPORTED_VERSION


def test_renewers_are_users():
    assert refusal(world(), EVERY_REQUEST[0]) == ErrorCode.INVALID_PRINCIPAL_TYPE


@pytest.mark.parametrize("request_", EVERY_REQUEST[1:])
def test_an_unknown_hmac_is_not_found(request_):
    made = world()
    create(made)
    assert refusal(made, request_) == ErrorCode.DELEGATION_TOKEN_NOT_FOUND


@pytest.mark.parametrize("kind", [RenewDelegationToken, ExpireDelegationToken])
def test_only_the_owner_and_the_renewers_change_a_token(kind):
    made = world()
    token = create(made, owner="User:bob", renewers=("User:r",))
    for requester in ("User:alice", "User:ANONYMOUS", "User:", ""):
        request = kind(hmac=token.hmac, period_ms=1, requester=requester)
        assert refusal(made, request) == ErrorCode.DELEGATION_TOKEN_OWNER_MISMATCH
    for requester in ("User:bob", "User:r"):
        made.do(kind(hmac=token.hmac, period_ms=1, requester=requester))


@pytest.mark.parametrize(("period", "lives"), [(-1, DAY), (0, DAY), (7, 7), (2 * DAY, DAY)])
def test_a_token_is_renewed(period, lives):
    made = world()
    token = create(made)
    made.now_ms += HOUR
    (record,), done = made.do(RenewDelegationToken(hmac=token.hmac, period_ms=period, requester="User:alice"))
    assert done.expiration_timestamp_ms == record.expiration_timestamp == made.now_ms + lives
    assert (done.token_id, done.owner) == (token.token_id, "User:alice")
    assert (record.owner, record.issue_timestamp, record.max_timestamp) == ("User:alice", START, START + WEEK)


def test_a_renewal_ends_with_the_lifetime():
    made = world()
    token = create(made, max_lifetime_ms=2 * HOUR)
    made.now_ms += HOUR
    _, done = made.do(RenewDelegationToken(hmac=token.hmac, requester="User:alice"))
    assert done.expiration_timestamp_ms == START + 2 * HOUR


def test_an_expired_token_is_not_renewed():
    """At its last millisecond it is; the age is judged before the requester."""
    made = world()
    token = create(made)
    made.now_ms = START + DAY
    made.do(RenewDelegationToken(hmac=token.hmac, period_ms=1, requester="User:alice"))
    made.now_ms += 2
    request = RenewDelegationToken(hmac=token.hmac, requester="User:mallory")
    assert refusal(made, request) == ErrorCode.DELEGATION_TOKEN_EXPIRED


def test_a_token_expires_when_asked():
    made = world()
    token = create(made)
    (record,), done = made.do(ExpireDelegationToken(hmac=token.hmac, period_ms=0, requester="User:alice"))
    assert done.expiration_timestamp_ms == record.expiration_timestamp == START
    made.now_ms += 1
    request = ExpireDelegationToken(hmac=token.hmac, period_ms=5, requester="User:alice")
    assert refusal(made, request) == ErrorCode.DELEGATION_TOKEN_EXPIRED
    stranger = replace(request, requester="User:mallory")
    assert refusal(made, stranger) == ErrorCode.DELEGATION_TOKEN_OWNER_MISMATCH


def test_a_token_is_deleted():
    """Also one that has expired, and then it is gone."""
    made = world()
    token = create(made)
    made.now_ms += 2 * DAY
    records, done = made.do(ExpireDelegationToken(hmac=token.hmac, period_ms=-1, requester="User:alice"))
    assert records == [RemoveDelegationTokenRecord(token_id=token.token_id)]
    assert done.expiration_timestamp_ms == made.now_ms
    assert (done.token_id, done.owner) == (token.token_id, "User:alice")
    request = RenewDelegationToken(hmac=token.hmac, requester="User:alice")
    assert refusal(made, request) == ErrorCode.DELEGATION_TOKEN_NOT_FOUND


def test_the_next_controller_finds_the_tokens():
    """The index of HMACs is made of the image; tokens that were never committed are not in it."""
    made = world()
    kept = create(made)
    made.commit()
    made.do(RenewDelegationToken(hmac=kept.hmac, requester="User:alice"))
    lost = create(made)
    made.controller.resign()
    made.activate()
    made.do(RenewDelegationToken(hmac=kept.hmac, requester="User:alice"))
    request = RenewDelegationToken(hmac=lost.hmac, requester="User:alice")
    assert refusal(made, request) == ErrorCode.DELEGATION_TOKEN_NOT_FOUND


def test_the_index_follows_the_log():
    """A token that was created after the index was made is found, and one that is deleted leaves it."""
    made = world()
    first = create(made)
    made.do(RenewDelegationToken(hmac=first.hmac, requester="User:alice"))
    second = create(made)
    made.do(RenewDelegationToken(hmac=second.hmac, requester="User:alice"))
    made.do(ExpireDelegationToken(hmac=first.hmac, requester="User:alice"))
    index = made.controller._tokens
    assert index._ids == {second.hmac: second.token_id}
    assert (index.count_of("User:alice"), index.principal_bytes) == (1, 2 * len("User:alice"))
    assert len(index._known) == len(index._counts) == 1


def test_a_large_index_is_made_in_slices():
    made = world()
    records = [
        DelegationTokenRecord(
            owner="User:alice", requester="User:alice", renewers=[], issue_timestamp=0, max_timestamp=2**62,
            expiration_timestamp=2**62, token_id=f"t{number}",
        )
        for number in range(2_500)
    ]  # fmt: skip
    made.append(made.controller.abort("")._replace(records=tuple(records), atomic=False))
    secret = hmac.new(b"secret", b"t2499", hashlib.sha512).digest()
    slices = made.controller.begin(START, RenewDelegationToken(hmac=secret, requester="User:alice"))
    assert sum(1 for _ in slices) == 1, "and the first one"


def test_expired_tokens_are_removed(monkeypatch):
    """Once an hour, a bounded number in a step, and no other token."""
    monkeypatch.setattr(tokens_module, "REMOVALS_PER_STEP", 2)
    made = world(active=False)
    made.activate(bootstrap=(level_record(30),))
    short = sorted(create(made, max_lifetime_ms=number).token_id for number in (1, 2, 3))
    long = create(made).token_id
    assert made.controller.next_deadline_ms() == START + HOUR
    made.now_ms = START + HOUR - 1
    assert made.ticks() == []
    made.now_ms += 1
    steps = made.ticks()
    assert [[record.token_id for record in step] for step in steps] == [short[:2], short[2:]]
    assert list(made.controller.image.delegation_tokens.tokens) == [long]
    assert made.controller.next_deadline_ms() == START + 2 * HOUR


def test_without_tokens_nothing_is_due():
    made = world()
    assert made.controller.next_deadline_ms() is None


def test_limits(monkeypatch):
    monkeypatch.setattr(tokens_module, "DELEGATION_TOKENS_MAX", 3)
    monkeypatch.setattr(tokens_module, "TOKENS_PER_REQUESTER_MAX", 1)
    monkeypatch.setattr(tokens_module, "PRINCIPAL_BYTES_TOTAL_MAX", 60)
    made = world()
    renewers = tuple(f"User:{number}" for number in range(tokens_module.RENEWERS_MAX + 1))
    request = CreateDelegationToken(requester="User:alice", renewers=renewers)
    assert refusal(made, request) == ErrorCode.INVALID_REQUEST
    long = "User:" + "x" * 4_092
    for fields in ({"owner": long}, {"requester": long}, {"renewers": (long,)}):
        request = CreateDelegationToken(**{"requester": "User:alice"} | fields)
        assert refusal(made, request) == ErrorCode.INVALID_REQUEST
    first = create(made)
    assert refusal(made, CreateDelegationToken(requester="User:alice")) == ErrorCode.POLICY_VIOLATION
    create(made, requester="User:bob")
    wide = CreateDelegationToken(requester="User:carol", renewers=("User:somebody",))
    assert refusal(made, wide) == ErrorCode.POLICY_VIOLATION
    create(made, requester="User:c")
    assert refusal(made, CreateDelegationToken(requester="User:d")) == ErrorCode.POLICY_VIOLATION
    made.do(ExpireDelegationToken(hmac=first.hmac, requester="User:alice"))
    create(made)
