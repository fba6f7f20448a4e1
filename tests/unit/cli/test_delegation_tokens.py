"""``kraftpy delegation-tokens``: what it asks, and what it prints."""

from __future__ import annotations

import base64
import contextlib
import json

import pytest

from kraftpy.cli import connection
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.client.values import CreatedDelegationToken, DelegationTokenInfo, Position
from tests.fakes.zones import HALF_HOUR_EAST, local_zone

C = ("-C", "localhost:9193")
SECRET = bytes(range(64))
TEXT = base64.b64encode(SECRET).decode()
TOKEN = DelegationTokenInfo(
    token_id="t1", owner="User:alice", requester="User:bob", renewers=("User:r", "User:s"), issue_timestamp_ms=0,
    expiration_timestamp_ms=86_400_000, max_timestamp_ms=2**63 - 1,
)  # fmt: skip
LINE = (
    "TokenId: t1\tOwner: User:alice\tRequester: User:bob\tRenewers: User:r,User:s\t"
    "Issued: 1970-01-01 05:30:00.000 +0530\tExpires: 1970-01-02 05:30:00.000 +0530\tMax: 9223372036854775807 ms\n"
)


@pytest.fixture(autouse=True)
def zone():
    with local_zone(HALF_HOUR_EAST):
        yield


class FakeCluster:
    """Remembers what it is asked, and has one token."""

    def __init__(self):
        self.asked = []

    def create_delegation_token(self, **fields):
        self.asked.append(fields)
        return CreatedDelegationToken(Position(5, 1), TOKEN, b"" if fields["validate_only"] else SECRET)

    def renew_delegation_token(self, hmac, period_ms, *, validate_only):
        self.asked.append((hmac, period_ms, validate_only))
        return 1_000

    expire_delegation_token = renew_delegation_token

    def describe_delegation_tokens(self, owners, read):
        self.asked.append((owners, read.min_offset))
        return (TOKEN,)


@pytest.fixture
def cluster(monkeypatch):
    fake = FakeCluster()
    monkeypatch.setattr(connection, "connect", lambda *_: contextlib.nullcontext(fake))
    return fake


def test_a_token_is_created(run, cluster):
    args = ("--owner-principal", "User:alice", "--renewer-principal", "User:r", "--max-life-time-period", "5")
    result = run("delegation-tokens", "create", *C, *args)
    assert (result.exit_code, result.stdout) == (ExitCode.OK, f"{LINE}HMAC: {TEXT}\n"), result.stderr
    shown = json.loads(run("-o", "json", "delegation-tokens", "create", *C).stdout)
    assert (shown["tokenId"], shown["hmac"], shown["renewers"]) == ("t1", TEXT, ["User:r", "User:s"])
    asked = {"owner": "User:alice", "renewers": ("User:r",), "max_lifetime_ms": 5, "validate_only": False}
    assert cluster.asked == [asked, {"owner": None, "renewers": (), "max_lifetime_ms": None, "validate_only": False}]


def test_a_dry_run_prints_no_secret(run, cluster):
    result = run("delegation-tokens", "create", *C, "--dry-run")
    assert result.stdout == "A token can be created for User:alice.\n"
    assert json.loads(run("-o", "json", "delegation-tokens", "create", *C, "--dry-run").stdout)["hmac"] is None


@pytest.mark.parametrize(
    ("args", "asked", "text"),
    [
        (("renew",), (SECRET, None, False), "The token expires at 1970-01-01 05:30:01.000 +0530."),
        (("renew", "--renew-time-period", "7", "--dry-run"), (SECRET, 7, True), "The token would expire at 1970"),
        (("expire",), (SECRET, None, False), "Deleted the token."),
        (("expire", "--dry-run"), (SECRET, None, True), "The token can be deleted."),
        (
            ("expire", "--expiry-time-period", "0"),
            (SECRET, 0, False),
            "The token expires at 1970-01-01 05:30:01.000 +0530.",
        ),
    ],
)
def test_a_token_is_changed(run, cluster, args, asked, text):
    result = run("delegation-tokens", args[0], *C, "--hmac", TEXT, *args[1:])
    assert result.exit_code == ExitCode.OK, result.stderr
    assert result.stdout.startswith(text)
    assert cluster.asked == [asked]


def test_an_hmac_is_read_from_standard_input(run, cluster):
    result = run("delegation-tokens", "renew", *C, "--hmac", "-", stdin=f"{TEXT}\n")
    assert result.exit_code == ExitCode.OK, result.stderr
    assert cluster.asked == [(SECRET, None, False)]


def test_tokens_are_listed(run, cluster):
    result = run("delegation-tokens", "list", *C, "--owner-principal", "User:alice", "--min-offset", "5")
    assert result.stdout == LINE
    assert cluster.asked == [(("User:alice",), 5)]
    assert "hmac" not in json.loads(run("-o", "json", "delegation-tokens", "list", *C).stdout)[0]


@pytest.mark.parametrize(
    "args",
    [
        ("renew",),
        ("renew", "--hmac", ""),
        ("renew", "--hmac", "no base64"),
        ("expire", "--hmac", "A" * 2_000),
        ("renew", "--hmac", TEXT, "--renew-time-period", "0"),
        ("expire", "--hmac", TEXT, "--expiry-time-period", "-1"),
        ("create", "--owner-principal", "alice"),
        ("create", "--renewer-principal", "User:"),
        ("create", "--max-life-time-period", "x"),
        ("list", "--owner-principal", ":alice"),
    ],
)
def test_what_is_missing_or_wrong_is_named(run, cluster, args):
    """And an HMAC is not repeated: it may be a secret with one wrong letter."""
    result = run("delegation-tokens", args[0], *C, *args[1:])
    assert result.exit_code == ExitCode.USAGE
    assert "--" in result.stderr
    assert "no base64" not in result.stderr
    assert cluster.asked == []
