"""``kraftpy configs`` for users, clients and IP addresses: what it asks, prints and refuses."""

from __future__ import annotations

import contextlib
import hashlib
import json
from types import SimpleNamespace

import pytest

from kraftpy.cli import connection
from kraftpy.cli.exit_codes import ExitCode

C = ("-C", "localhost:9193")


class FakeCluster:
    """Remembers what it is asked, and has one entity of each kind."""

    def __init__(self):
        self.asked = []
        self.problem = None

    def describe_client_quotas(self, names, any_name, read):
        del read
        self.asked.append(("quotas", dict(names), any_name))
        found = (
            ({"user": "alice", "client-id": None}, {"producer_byte_rate": 1024.0, "request_percentage": 5.5}),
            ({"ip": "10.0.0.1"}, {"connection_creation_rate": 3.0}),
        )
        return SimpleNamespace(entities=found)

    def describe_user_scram_credentials(self, users, read):
        del read
        self.asked.append(("credentials", list(users)))
        return SimpleNamespace(users={"alice": {1: 4096, 2: 8192}, "bob": {}})

    def alter_client_quotas(self, names, changes, *, validate_only):
        self.asked.append((dict(names), dict(changes), validate_only))
        return self.problem

    def alter_user_scram_credentials(self, upsertions, deletions, *, validate_only):
        self.asked.append((upsertions, deletions, validate_only))
        return self.problem


@pytest.fixture
def cluster(monkeypatch):
    fake = FakeCluster()
    monkeypatch.setattr(connection, "connect", lambda *_: contextlib.nullcontext(fake))
    return fake


ENTITIES = {
    "a user": (("--user", "alice"), {"user": "alice"}, "users alice"),
    "the default user": (("--user-defaults",), {"user": None}, "users (default)"),
    "a client of a user": (("--user", "a", "--client", "b"), {"user": "a", "client-id": "b"}, "users,clients a,b"),
    "other clients of a user": (
        ("--user", "a", "--client-defaults"), {"user": "a", "client-id": None}, "users,clients a,",
    ),
    "an address": (("--ip", "10.0.0.1"), {"ip": "10.0.0.1"}, "ips 10.0.0.1"),
    "all addresses": (("--ip-defaults",), {"ip": None}, "ips (default)"),
    "a type": (("--entity-type", "clients", "--entity-name", "c"), {"client-id": "c"}, "clients c"),
    "a default": (("--entity-type", "ips", "--entity-default"), {"ip": None}, "ips (default)"),
    "two types": (
        ("--entity-type", "users", "--entity-name", "a", "--entity-type", "clients", "--entity-name", "b"),
        {"user": "a", "client-id": "b"}, "users,clients a,b",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ENTITIES)
def test_quotas_are_set_and_removed(run, cluster, case):
    """Whichever way the entity is named; numbers are sent as numbers."""
    args, names, shown = ENTITIES[case]
    result = run("configs", "alter", *C, *args, "--add", "producer_byte_rate=1024,x=0.5", "--delete", "y")
    assert (result.exit_code, result.stdout) == (ExitCode.OK, f"Completed updating config for {shown}.\n"), (
        result.stderr
    )
    assert cluster.asked == [(names, {"producer_byte_rate": 1024.0, "x": 0.5, "y": None}, False)]


def test_a_refusal_is_one_line(run, cluster):
    """And a dry run asks for one."""
    cluster.problem = "Unknown configuration key x (INVALID_REQUEST)"
    result = run("configs", "alter", *C, "--user", "a", "--add", "x=1", "--dry-run")
    assert (result.exit_code, result.stderr) == (ExitCode.FINDINGS, f"error: {cluster.problem}\n")
    assert cluster.asked[0][2] is True
    result = run("configs", "alter", *C, "--user", "a", "--add", "x=1")
    assert (result.exit_code, result.stderr) == (ExitCode.FAILURE, f"error: {cluster.problem}\n")


def test_credentials_are_salted_here(run, cluster):
    """The password does not leave the process; each call draws another salt."""
    for _ in range(2):
        added = "SCRAM-SHA-256=[iterations=8192,password=secret]"
        result = run("configs", "alter", *C, "--user", "alice", "--add", added, "--delete", "SCRAM-SHA-512")
        assert result.exit_code == ExitCode.OK, result.stderr
    ((one,), deletions, _), ((other,), _, _) = cluster.asked
    assert (one.user, one.mechanism, one.iterations, deletions) == ("alice", 1, 8192, [("alice", 2)])
    assert one.salted_password == hashlib.pbkdf2_hmac("sha256", b"secret", one.salt, 8192)
    assert one.salt != other.salt


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (("--user", "a", "--user-defaults", "--add", "x=1"), "--user and --user-defaults exclude each other"),
        (("--user", "", "--add", "x=1"), "--user is empty; --user-defaults is the default of the type"),
        (("--user", "a", "--ip", "::1", "--add", "x=1"), "an IP address cannot be combined with a user or a client"),
        (("--user", "a", "--entity-type", "users", "--add", "x=1"), "and the like replace the --entity options"),
        (("--entity-type", "users", "--add", "x=1"), "Each --entity-type needs --entity-name or --entity-default"),
        (("--entity-type", "users", "--entity-type", "users", "--entity-name", "a", "--add", "x=1"), "a type twice"),
        (("--entity-type", "users", "--entity-type", "topics", "--entity-name", "a", "--add", "x=1"), "topics cannot"),
        (("--entity-type", "users", "--entity-name", "a", "--entity-name", "b", "--add", "x=1"), "More --entity-name"),
        (("--entity-type", "users", "--entity-name", "", "--add", "x=1"), "--entity-name is empty; --entity-default"),
        (("--entity-type", "topics", "--entity-type", "brokers", "--add", "x=1"), "only users and clients"),
        (
            ("--entity-type", "users", "--entity-name", "a", "--entity-type", "clients", "--entity-default"),
            "it is not clear which type has the name; use --user",
        ),
        (("--user", "a", "--add", "x=fast"), "Cannot parse quota configuration value for x: fast"),
        (("--user", "a", "--add", "SCRAM-SHA-256=[password=p],x=1"), "quotas and SCRAM credentials are changed one"),
        (("--user-defaults", "--delete", "SCRAM-SHA-256"), "only a user with a name has SCRAM credentials"),
        (("--user", "a", "--client", "c", "--delete", "SCRAM-SHA-256"), "only a user with a name has SCRAM"),
        (("--user", "a", "--add", "SCRAM-SHA-256=[iterations=8192]"), "You must supply 'password' to SCRAM-SHA-256"),
        (("--user", "a", "--add", "SCRAM-SHA-256=[password=p"), "the brackets of SCRAM-SHA-256 do not match"),
        (("--user", "a", "--add", "SCRAM-SHA-256=[password=p,salt=x]"), "Unknown configs of SCRAM-SHA-256: salt"),
        (("--user", "a", "--add", "SCRAM-SHA-256=[password=p,iterations=1]"), "must be >= 4096"),
        (("--user", "a", "--add", "SCRAM-SHA-256=[password=p,iterations=x]"), "is not a whole number"),
    ],
)
def test_bad_words_are_refused_before_anything_is_asked(run, cluster, args, text):
    """Each slip has its sentence."""
    result = run("configs", "alter", *C, *args)
    assert (result.exit_code, cluster.asked) == (ExitCode.USAGE, []), result.output
    assert text in result.stderr


def test_entities_are_described_in_kafkas_words(run, cluster):
    """Users without other types are shown with their credentials."""
    result = run("configs", "describe", *C, "--entity-type", "users")
    assert result.stdout == (
        "Quota configs for user-principal 'alice', the default client-id are producer_byte_rate=1024.0, "
        "request_percentage=5.5\n"
        "Quota configs for ip '10.0.0.1' are connection_creation_rate=3.0\n"
        "SCRAM credential configs for user-principal 'alice' are SCRAM-SHA-256=iterations=4096, "
        "SCRAM-SHA-512=iterations=8192\n"
    )
    assert cluster.asked == [("quotas", {}, ("user",)), ("credentials", [])]
    rows = json.loads(run("configs", "describe", *C, "--user", "alice", "-o", "json").stdout)
    assert rows[0]["quotaEntity"] == {"user": "alice", "client-id": None}
    assert rows[2] == {
        "quotaEntity": {"user": "alice"},
        "quotas": {},
        "scramCredentials": [
            {"mechanism": "SCRAM-SHA-256", "iterations": 4096},
            {"mechanism": "SCRAM-SHA-512", "iterations": 8192},
        ],
    }
    assert cluster.asked[2:] == [("quotas", {"user": "alice"}, ()), ("credentials", ["alice"])]


@pytest.mark.parametrize("args", [("--user-defaults",), ("--user", "a", "--client", "b"), ("--ip", "10.0.0.1")])
def test_credentials_are_asked_for_users_alone(run, cluster, args):
    """As Kafka's command does it."""
    assert run("configs", "describe", *C, *args).exit_code == ExitCode.OK
    assert [each[0] for each in cluster.asked] == ["quotas"]
