"""``acls`` over a cluster that a test scripts: which entries the options mean, texts and refusals."""

from __future__ import annotations

import contextlib
import json

import pytest

from kraftpy.cli import connection
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.client import values as v
from kraftpy.model.errors import ErrorCode

C = ("-C", "localhost:9193")
READ = v.AclEntry(
    resource_type=v.AclResourceType.TOPIC, resource_name="t", principal="User:alice", operation=v.AclOperation.READ
)
ALICE = ("--allow-principal", "User:alice")


class FakeCluster:
    """Notes what it is asked."""

    def __init__(self):
        self.asked = []
        self.error = v.AclOutcome()
        self.found = (READ,)

    def create_acls(self, entries, *, validate_only):
        self.asked.append((entries, validate_only))
        return [self.error for _ in entries]

    def delete_acls(self, matches, *, validate_only):
        self.asked.append((matches, validate_only))
        return [v.AclOutcome(entries=self.found) for _ in matches]

    def describe_acls(self, match, read):
        del read
        self.asked.append(match)
        return self.found


@pytest.fixture
def cluster(monkeypatch):
    fake = FakeCluster()
    monkeypatch.setattr(connection, "connect", lambda *_: contextlib.nullcontext(fake))
    return fake


def shown(entries):
    """Entries in short."""
    return [
        f"{one.permission_type.name} {one.principal} {one.operation.name} {one.resource_type.name}:{one.resource_name}"
        f"/{one.pattern_type.name} {one.host}"
        for one in entries
    ]


ADDED = {
    "one of each": ((*ALICE, "--operation", "read", "--topic", "t"), ["ALLOW User:alice READ TOPIC:t/LITERAL *"]),
    "the default operation": ((*ALICE, "--cluster"), ["ALLOW User:alice ALL CLUSTER:kafka-cluster/LITERAL *"]),
    "a name of two words": (
        (*ALICE, "--operation", "ClusterAction", "--cluster"),
        ["ALLOW User:alice CLUSTER_ACTION CLUSTER:kafka-cluster/LITERAL *"],
    ),
    "allowed and denied": (
        (*ALICE, "--deny-principal", "User:*", "--deny-host", "10.0.0.1", "--operation", "Write", "--group", "g"),
        ["ALLOW User:alice WRITE GROUP:g/LITERAL *", "DENY User:* WRITE GROUP:g/LITERAL 10.0.0.1"],
    ),
    "a prefix": (
        (*ALICE, "--operation", "Create", "--topic", "a-", "--resource-pattern-type", "prefixed"),
        ["ALLOW User:alice CREATE TOPIC:a-/PREFIXED *"],
    ),
    "a producer": (
        (*ALICE, "--producer", "--idempotent", "--topic", "t", "--transactional-id", "x"),
        [
            "ALLOW User:alice WRITE TOPIC:t/LITERAL *",
            "ALLOW User:alice DESCRIBE TOPIC:t/LITERAL *",
            "ALLOW User:alice CREATE TOPIC:t/LITERAL *",
            "ALLOW User:alice WRITE TRANSACTIONAL_ID:x/LITERAL *",
            "ALLOW User:alice DESCRIBE TRANSACTIONAL_ID:x/LITERAL *",
            "ALLOW User:alice IDEMPOTENT_WRITE CLUSTER:kafka-cluster/LITERAL *",
        ],
    ),
    "a producer that consumes": (
        (*ALICE, "--producer", "--consumer", "--topic", "t", "--group", "g"),
        [
            "ALLOW User:alice WRITE TOPIC:t/LITERAL *",
            "ALLOW User:alice DESCRIBE TOPIC:t/LITERAL *",
            "ALLOW User:alice CREATE TOPIC:t/LITERAL *",
            "ALLOW User:alice READ TOPIC:t/LITERAL *",
            "ALLOW User:alice READ GROUP:g/LITERAL *",
        ],
    ),
}


@pytest.mark.parametrize("name", ADDED)
def test_options_mean_entries(run, cluster, name):
    options, expected = ADDED[name]
    result = run("acls", "add", *C, *options)
    assert result.exit_code == ExitCode.OK, result.stderr
    ((entries, validate_only),) = cluster.asked
    assert (shown(entries), validate_only) == (expected, False)


def test_what_was_added_is_printed_as_kafka_does(run, cluster):
    result = run("acls", "add", *C, *ALICE, "--operation", "Read", "--topic", "t", "--dry-run")
    assert result.stdout == (
        "Could add ACLs for resource `ResourcePattern(resourceType=TOPIC, name=t, patternType=LITERAL)`:\n"
        "\t(principal=User:alice, host=*, operation=READ, permissionType=ALLOW)\n"
    )
    assert cluster.asked[0][1] is True


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("add", "--topic", "t"), "You must specify one of: --allow-principal, --deny-principal"),
        (("add", *ALICE), "You must specify at least one resource: --topic, --group, --cluster"),
        (("add", "--allow-principal", "alice", "--topic", "t"), "'alice' has no type; expected such as User:CN=alice"),
        (("add", "--allow-principal", "User:", "--topic", "t"), "'User:' has no type"),
        (("add", "--deny-host", "h", *ALICE, "--topic", "t"), "--deny-host goes with --deny-principal"),
        (("add", *ALICE, "--producer", "--topic", "t", "--operation", "Read"), "leave --operation out"),
        (("add", *ALICE, "--producer", "--group", "g"), "With --producer you must specify a --topic"),
        (("add", *ALICE, "--consumer", "--topic", "t"), "With --consumer you must specify a --topic and a --group"),
        (("add", *ALICE, "--idempotent", "--topic", "t"), "--idempotent goes with --producer"),
        (("add", *ALICE, "--topic", "t", "--operation", "Drink"), "'Drink' is not one of"),
        (("add", *ALICE, "--topic", "t", "--resource-pattern-type", "match"), "'match' is not one of"),
        (("remove",), "You must specify at least one resource"),
    ],
)
def test_what_does_not_go_together_is_a_usage_error(run, cluster, words, text):
    result = run("acls", *words, *C)
    assert (result.exit_code, text in result.stderr) == (ExitCode.USAGE, True), result.stderr
    assert cluster.asked == []


def test_an_entry_that_fails_is_reported(run, cluster):
    cluster.error = v.AclOutcome(error=ErrorCode.SECURITY_DISABLED, message="No Authorizer is configured.")
    result = run("acls", "add", *C, *ALICE, "--topic", "t")
    assert result.exit_code == ExitCode.FAILURE
    assert result.stderr == "error: No Authorizer is configured. (SECURITY_DISABLED)\n"


def test_entries_are_removed_by_resource_or_exactly(run, cluster):
    everything = run("acls", "remove", *C, "--topic", "t", "--resource-pattern-type", "match")
    assert everything.exit_code == ExitCode.OK, everything.stderr
    exact = run("acls", "remove", *C, "--topic", "t", *ALICE, "--operation", "Read", "-o", "json")
    assert [matches for matches, _ in cluster.asked] == [
        [v.AclMatch(resource_type=v.AclResourceType.TOPIC, resource_name="t", pattern_type=v.PatternType.MATCH)],
        [
            v.AclMatch(
                resource_type=v.AclResourceType.TOPIC,
                resource_name="t",
                pattern_type=v.PatternType.LITERAL,
                principal="User:alice",
                host="*",
                operation=v.AclOperation.READ,
                permission_type=v.PermissionType.ALLOW,
            )
        ],
    ]
    assert "Removed ACLs for resource" in everything.stdout
    assert json.loads(exact.stdout) == [
        {
            "resourceType": "TOPIC",
            "resourceName": "t",
            "patternType": "LITERAL",
            "principal": "User:alice",
            "host": "*",
            "operation": "READ",
            "permissionType": "ALLOW",
        }
    ]


def test_entries_are_listed(run, cluster):
    """All of them, those of resources, and those of principals; an entry that two filters match is shown once."""
    assert "Current ACLs for resource" in run("acls", "list", *C).stdout
    twice = run("acls", "list", *C, "--topic", "t", "--topic", "u").stdout
    assert twice.count("User:alice") == 1
    assert run("acls", "list", *C, "--principal", "User:bob").stdout == ""
    assert cluster.asked[0] == v.EVERY_ACL
    assert [one.resource_name for one in cluster.asked[1:3]] == ["t", "u"]
