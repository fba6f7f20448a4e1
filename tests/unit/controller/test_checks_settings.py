"""The checks of configs, features and what clients have, by the numbers in the docstrings of their modules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.controller import acls, delegation_tokens, features
from kraftpy.controller.account_requests import (
    AllocateProducerIds,
    AlterClientQuotas,
    AlterUserScramCredentials,
    QuotaAlteration,
    ScramUpsertion,
)
from kraftpy.controller.acl_requests import AclFilter, CreateAcls, DeleteAcls
from kraftpy.controller.client_match import REQUEST_CHARACTERS_MAX
from kraftpy.controller.config import QuorumFacts
from kraftpy.controller.delegation_token_requests import (
    CreateDelegationToken,
    ExpireDelegationToken,
    RenewDelegationToken,
)
from kraftpy.controller.producer_ids import BLOCK_IDS, PRODUCER_ID_MAX
from kraftpy.controller.requests import (
    AlterOp,
    ConfigAlteration,
    ConfigResource,
    FeatureUpdate,
    FeatureUpdateKind,
    IncrementalAlterConfigs,
    ReplaceConfigs,
    UpdateFeatures,
)
from kraftpy.controller.scram import CREDENTIAL_BYTES_MAX
from kraftpy.image.acls import AccessControlEntry
from kraftpy.image.scram import ScramUser
from kraftpy.model.errors import ErrorCode as E
from kraftpy.model.ids import METADATA_TOPIC
from kraftpy.records.metadata import FeatureLevelRecord, ProducerIdsRecord, TopicRecord
from tests.unit.controller.checks import Check, Tables, holds, parameters, refusals
from tests.unit.controller.worlds import TOPIC_ID, UNSTABLE, World, range_of

ELR = "eligible.leader.replicas.version"
LONG = "x" * 32_768
"""One byte more than a string of a record holds."""


def limited(module, limit, value, ask):
    """Ask under a smaller limit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, limit, value)
        return ask()


# ---------------------------------------------------------------- configs

TOPIC, BROKER, METRICS, GROUP = 2, 4, 16, 32
MIN_ISR = "min.insync.replicas"


def configured(kind, name, *alterations, keeps_elr=False, more=()):
    """Alter the configs of a resource in a cluster with the topic "orders" and broker 1."""
    elr = (FeatureLevelRecord(ELR, 1),) if keeps_elr else ()
    world = World(records=(*elr, TopicRecord(name="orders", topic_id=TOPIC_ID)))
    world.register(1, features=(range_of(), range_of(ELR, 0, 1)))
    full = tuple(ConfigAlteration(*each) for each in alterations)
    return refusals(world, IncrementalAlterConfigs(((ConfigResource(kind, name), full), *more)))


def set_(kind, name, key, value, **more):
    return configured(kind, name, (key, AlterOp.SET, value), **more)


def twice():
    again = (ConfigResource(TOPIC, ""), ())
    return configured(TOPIC, "", ("k", 9, None), ("k", 9, None), more=(again,))


def replaced(name, *configs):
    """Replace the configs of a topic; they become alterations, with the same checks."""
    world = World(records=(TopicRecord(name="orders", topic_id=TOPIC_ID),))
    return refusals(world, ReplaceConfigs(((ConfigResource(TOPIC, name), configs),)))


HALF = ",".join(["client_id=" + "x" * 1_000] * (REQUEST_CHARACTERS_MAX // 2_000 + 1))


def two_expressions():
    """Set an expression of two subscriptions; together they are too long, and the second one has another fault."""
    second = (ConfigResource(METRICS, ""), (ConfigAlteration("match", AlterOp.SET, HALF),))
    return configured(METRICS, "m", ("match", AlterOp.SET, HALF), more=(second,))


def cordoned(level):
    world = World(level=level)
    altered = (ConfigAlteration("cordoned.log.dirs", AlterOp.SET, "/a"),)
    return refusals(world, IncrementalAlterConfigs(((ConfigResource(BROKER, "x"), altered),)))


CONFIGS = [
    Check(
        1, E.UNSUPPORTED_VERSION, "Unknown resource type 8", lambda: configured(8, "", ("k", 9, None), ("k", 9, None))
    ),
    Check(2, E.INVALID_REQUEST, "Duplicate resource", twice),
    Check(3, E.INVALID_REQUEST, "duplicate config keys", lambda: configured(TOPIC, "", ("k", 0, "v"), ("k", 9, None))),
    Check(4, E.INVALID_REQUEST, "Null value", lambda: configured(TOPIC, "", ("k", 9, None))),
    Check(5, E.INVALID_REQUEST, "Unknown operation 9", lambda: configured(TOPIC, "", ("k", 9, "v"))),
    Check(6, E.INVALID_CONFIG, "not LIST", lambda: configured(TOPIC, "", ("k", AlterOp.APPEND, "v"))),
    Check(7, E.POLICY_VIOLATION, "characters", two_expressions),
    Check(8, E.INVALID_CONFIG, "key is empty", lambda: set_(BROKER, "x", "", "v")),
    Check(8, E.INVALID_CONFIG, "32768 bytes", lambda: set_(BROKER, "x", LONG, "v")),
    Check(8, E.INVALID_CONFIG, "32768 bytes", lambda: set_(TOPIC, "", LONG, "v")),
    Check(9, E.INVALID_REQUEST, "Default topic", lambda: set_(TOPIC, "", "k", "v")),
    Check(10, E.INVALID_REQUEST, "server.properties", lambda: set_(TOPIC, METADATA_TOPIC, "k", "v")),
    Check(11, E.INVALID_TOPIC_EXCEPTION, "not allowed", lambda: set_(TOPIC, "..", "k", "v")),
    Check(11, E.INVALID_TOPIC_EXCEPTION, "not allowed", lambda: replaced("..", ("k", "v"))),
    Check(12, E.INVALID_CONFIG, "Unknown topic config", lambda: set_(TOPIC, "absent", "k", "v")),
    Check(12, E.INVALID_CONFIG, "at least 1", lambda: set_(TOPIC, "absent", MIN_ISR, "0")),
    Check(
        13,
        E.INVALID_CONFIG,
        "conflict topic config",
        lambda: configured(TOPIC, "absent", ("min.compaction.lag.ms", 0, "2"), ("max.compaction.lag.ms", 0, "1")),
    ),
    Check(14, E.UNKNOWN_TOPIC_OR_PARTITION, "does not exist", lambda: set_(TOPIC, "absent", MIN_ISR, "1")),
    Check(15, E.INVALID_REQUEST, "base 10 number", lambda: set_(BROKER, "x", MIN_ISR, "0")),
    Check(15, E.INVALID_REQUEST, "base 10 number", lambda: set_(BROKER, "01", MIN_ISR, "0")),
    Check(16, E.INVALID_REQUEST, "larger than", lambda: set_(BROKER, str(2**31), MIN_ISR, "0")),
    Check(17, E.INVALID_CONFIG, "at least 1", lambda: set_(BROKER, "9", MIN_ISR, "0")),
    Check(18, E.BROKER_ID_NOT_REGISTERED, "id 9", lambda: set_(BROKER, "9", MIN_ISR, "1")),
    Check(19, E.INVALID_REQUEST, "name can't be empty", lambda: set_(METRICS, "", "k", "v")),
    Check(20, E.INVALID_REQUEST, "32768 bytes", lambda: set_(METRICS, LONG, "k", "v")),
    Check(21, E.INVALID_REQUEST, "Unknown client metrics", lambda: set_(METRICS, "m", "k", "v")),
    Check(22, E.INVALID_CONFIG, "type INT", lambda: set_(METRICS, "m", "interval.ms", "x")),
    Check(23, E.INVALID_REQUEST, "must be between", lambda: set_(METRICS, "m", "interval.ms", "99")),
    Check(24, E.INVALID_CONFIG, "matching pattern", lambda: set_(METRICS, "m", "match", "x")),
    Check(25, E.INVALID_REQUEST, "Default group", lambda: set_(GROUP, "", "k", "v")),
    Check(26, E.INVALID_REQUEST, "32768 bytes", lambda: set_(GROUP, LONG, "k", "v")),
    Check(27, E.INVALID_CONFIG, "Unknown group config", lambda: set_(GROUP, "g", "k", "v")),
    Check(27, E.INVALID_CONFIG, "at least 1", lambda: set_(GROUP, "g", "consumer.session.timeout.ms", "0")),
    Check(
        28, E.INVALID_CONFIG, "group.share.max.delivery", lambda: set_(GROUP, "g", "share.delivery.count.limit", "11")
    ),
]

ALTERATION_RULES = [
    Check(1, E.INVALID_CONFIG, "Broker-level", lambda: set_(BROKER, "x", MIN_ISR, "0", keeps_elr=True)),
    Check(
        1,
        E.INVALID_CONFIG,
        "cannot be removed",
        lambda: configured(BROKER, "", (MIN_ISR, AlterOp.DELETE, None), ("num.io.threads", 0, "0"), keeps_elr=True),
    ),
    Check(2, E.INVALID_CONFIG, "metadata.version", lambda: cordoned(29)),
    Check(2, E.INVALID_CONFIG, "subset", lambda: cordoned(30)),
    Check(3, E.INVALID_CONFIG, "maximum value size", lambda: set_(TOPIC, "", "", LONG)),
]


# ---------------------------------------------------------------- features

UP, SAFE, UNSAFE = FeatureUpdateKind
OLDER = replace(UNSTABLE, features=(range_of(low=1), *UNSTABLE.features[1:]))
STABLE = replace(UNSTABLE, allow_unstable=False)
NO_OLD_ELR = replace(UNSTABLE, features=(range_of(), range_of(ELR, 1, 1)))


def updated(*updates, level=40, config=UNSTABLE, voters=(1,), kraft_version=0, knows_id=True):
    """Update features in a cluster whose only node is the controller."""
    world = World(level=level, config=config)
    world.controller.quorum_changed(QuorumFacts(frozenset(voters), kraft_version))
    if not knows_id:
        world.controller._local_cluster_id = None
    return refusals(world, UpdateFeatures(updates=tuple(FeatureUpdate(*each) for each in updates)))


def version(level, kind=UP, **more):
    return updated(("metadata.version", level, kind), **more)


INVALID = E.INVALID_UPDATE_VERSION
SAME = ("metadata.version", -1, 9)
FEATURES = [
    Check(1, E.INVALID_REQUEST, "at most 100", lambda: updated(*[SAME] * (features.UPDATES_MAX + 1))),
    Check(2, E.INVALID_REQUEST, "more than once", lambda: updated(("x", -1, 9), ("x", -1, 9))),
    Check(3, E.INVALID_REQUEST, "32768 bytes", lambda: updated((LONG, -1, 9))),
    Check(4, INVALID, "upgrade type", lambda: updated(("x", -1, 9))),
    Check(5, INVALID, "less than 0", lambda: updated(("x", -1))),
    Check(6, INVALID, "not found", lambda: updated(("x", 0))),
    Check(7, INVALID, "not yet stable", lambda: version(42, SAFE, config=STABLE, voters=(1, 3))),
    Check(8, INVALID, "Local controller 1 only supports", lambda: version(43, SAFE)),
    Check(8, INVALID, "controller 3 has not registered", lambda: version(42, SAFE, voters=(1, 3))),
    Check(9, INVALID, "safe or unsafe downgrade", lambda: version(30)),
    Check(10, INVALID, "to a newer version", lambda: version(42, SAFE)),
    Check(11, INVALID, "Unknown metadata.version 38", lambda: version(38, SAFE)),
    Check(12, INVALID, "less than 3.3-IV3", lambda: version(6, UNSAFE, config=OLDER)),
    Check(13, INVALID, "might delete metadata", lambda: version(30, SAFE)),
    Check(13, INVALID, "Unsafe metadata downgrade", lambda: version(30, UNSAFE)),
    Check(14, INVALID, "no way back", lambda: updated(("kraft.version", 0, SAFE), kraft_version=1)),
    Check(15, INVALID, "depends on", lambda: updated((ELR, 1), level=22)),
    Check(16, INVALID, "cluster id", lambda: updated(("metadata.version", 40), level=30, knows_id=False)),
]


# ---------------------------------------------------------------- scram

ALICE = ScramUser(1, "alice")


def credential(user=ALICE, iterations=4_096, salt=b"s", salted_password=b"p", *, times=1, level=42):
    one = ScramUpsertion(user=user, iterations=iterations, salt=salt, salted_password=salted_password)
    return refusals(World(level=level), AlterUserScramCredentials(upsertions=(one,) * times))


SCRAM = [
    Check(1, E.DUPLICATE_RESOURCE, "twice", lambda: credential(times=2)),
    Check(2, E.UNSUPPORTED_VERSION, "does not support SCRAM", lambda: credential(ScramUser(9, ""), 0, level=10)),
    Check(3, E.UNACCEPTABLE_CREDENTIAL, "empty", lambda: credential(ScramUser(9, ""), 0)),
    Check(4, E.UNACCEPTABLE_CREDENTIAL, "32768 bytes", lambda: credential(ScramUser(9, LONG), 0)),
    Check(5, E.UNSUPPORTED_SASL_MECHANISM, "", lambda: credential(ScramUser(9, "alice"), 0)),
    Check(6, E.RESOURCE_NOT_FOUND, "", lambda: refusals(World(), AlterUserScramCredentials(deletions=(ALICE,)))),
    Check(7, E.UNACCEPTABLE_CREDENTIAL, "Too few", lambda: credential(iterations=4_095, salt=b"")),
    Check(8, E.UNACCEPTABLE_CREDENTIAL, "Too many", lambda: credential(iterations=16_385, salt=b"")),
    Check(9, E.UNACCEPTABLE_CREDENTIAL, "The salt has 0 bytes", lambda: credential(salt=b"")),
    Check(
        9,
        E.UNACCEPTABLE_CREDENTIAL,
        "The salted password has 1025 bytes",
        lambda: credential(salted_password=bytes(CREDENTIAL_BYTES_MAX + 1)),
    ),
]


# ---------------------------------------------------------------- client_quotas


def quota(*entity, values=(("x", 0.0), ("x", 0.0)), times=1):
    entries = (QuotaAlteration(entity, values),) * times
    return refusals(World(), AlterClientQuotas(entries=entries))


def rate(value, key="producer_byte_rate"):
    return quota(("user", "a"), values=((key, value),))


CLIENT_QUOTAS = [
    Check(1, E.INVALID_REQUEST, "Ignoring duplicate entity", lambda: quota(times=2)),
    Check(2, E.INVALID_REQUEST, "empty client quota entity", quota),
    Check(3, E.INVALID_REQUEST, "entity type: x", lambda: quota(("x", ""), ("x", ""))),
    Check(4, E.INVALID_REQUEST, "type user more than once", lambda: quota(("user", ""), ("user", "a"))),
    Check(5, E.INVALID_REQUEST, "Empty user", lambda: quota(("user", ""), ("ip", "x"))),
    Check(6, E.INVALID_REQUEST, "32768 bytes", lambda: quota(("user", LONG), ("ip", "x"))),
    Check(7, E.INVALID_REQUEST, "should not be combined", lambda: quota(("user", "a"), ("ip", "x"))),
    Check(8, E.INVALID_REQUEST, "not a valid IP", lambda: quota(("ip", "x"))),
    Check(9, E.INVALID_REQUEST, "Duplicate quota key", lambda: quota(("user", "a"), values=(("x", None), ("x", 0.0)))),
    Check(10, E.INVALID_REQUEST, "Invalid configuration key x", lambda: rate(0.0, "x")),
    Check(11, E.INVALID_REQUEST, "greater than 0", lambda: rate(-0.5)),
    Check(12, E.INVALID_REQUEST, "too large for a LONG", lambda: rate(2.0**64)),
    Check(13, E.INVALID_REQUEST, "fractional", lambda: rate(0.5)),
]


# ---------------------------------------------------------------- producer_ids


def block(epoch=None):
    """The last whole block was given out."""
    used = ProducerIdsRecord(broker_id=1, broker_epoch=0, next_producer_id=PRODUCER_ID_MAX - BLOCK_IDS + 1)
    world = World(records=(used,))
    known = world.alive(1)
    return refusals(world, AllocateProducerIds(broker_id=1, broker_epoch=known if epoch is None else epoch))


PRODUCER_IDS = [
    Check(1, E.STALE_BROKER_EPOCH, "", lambda: block(epoch=-7)),
    Check(2, E.UNKNOWN_SERVER_ERROR, "All producer ids are given out", block),
]


# ---------------------------------------------------------------- acls

GOOD = AccessControlEntry(2, "t", 3, "User:a", "*", 3, 3)
ALL = AclFilter(1, None, 1, None, None, 1, 1)


def secured(level=40):
    world = World(config=replace(UNSTABLE, acls_enabled=True), level=level)
    world.do(CreateAcls(entries=(GOOD, replace(GOOD, resource_name="u"))))
    return world


def entry(resource_type=2, resource_name="t", pattern_type=9, principal="a", host="*", operation=1, permission=1):
    """An entry whose later parts are wrong."""
    one = AccessControlEntry(resource_type, resource_name, pattern_type, principal, host, operation, permission)
    return refusals(secured(), CreateAcls(entries=(one,)))


def ranged(host, level=40):
    """An entry whose host is a range, and whose name no record holds."""
    return refusals(secured(level), CreateAcls(entries=(replace(GOOD, resource_name=LONG, host=host),)))


def filtered(one):
    return refusals(secured(), DeleteAcls(filters=(one, one)))


NONE = ALL._replace(pattern_type=0, operation=0)


def one_too_many():
    return limited(acls, "ACLS_MAX", 2, lambda: entry(2, "t", 3, "User:b", "*", 3, 3))


def few_matches():
    """Both filters match both entries."""
    return limited(acls, "MATCHES_MAX", 3, lambda: filtered(ALL))


ACLS = [
    Check(1, E.INVALID_REQUEST, "kafka-cluster", lambda: entry(4, "")),
    Check(2, E.INVALID_REQUEST, "empty resource name", lambda: entry(1, "")),
    Check(3, E.INVALID_REQUEST, "Invalid resourceType ANY", lambda: entry(1)),
    Check(3, E.INVALID_REQUEST, "Invalid resourceType UNKNOWN", lambda: entry(99)),
    Check(4, E.INVALID_REQUEST, "Invalid patternType UNKNOWN", entry),
    Check(4, E.INVALID_REQUEST, "Invalid patternType MATCH", lambda: entry(pattern_type=2)),
    Check(5, E.INVALID_REQUEST, "Invalid operation ANY", lambda: entry(pattern_type=3)),
    Check(6, E.INVALID_REQUEST, "Invalid permissionType ANY", lambda: entry(pattern_type=3, operation=3)),
    Check(
        7,
        E.INVALID_REQUEST,
        "no colon",
        lambda: entry(resource_name=LONG, pattern_type=3, operation=3, permission=3),
    ),
    Check(8, E.UNSUPPORTED_VERSION, "require metadata version 4.4-IV1", lambda: ranged("10.0.0.0/8", level=31)),
    Check(9, E.INVALID_REQUEST, "Invalid CIDR notation: 10.0.0.0/33", lambda: ranged("10.0.0.0/33")),
    Check(9, E.INVALID_REQUEST, "Invalid CIDR notation: example.com/8", lambda: ranged("example.com/8")),
    Check(
        10,
        E.INVALID_REQUEST,
        "32768 bytes",
        lambda: entry(resource_name=LONG, pattern_type=3, operation=3, permission=3, principal="User:a"),
    ),
    Check(10, E.INVALID_REQUEST, "The cluster has 2 ACLs", one_too_many),
    Check(
        11,
        E.INVALID_REQUEST,
        "may take 1 comparisons",
        lambda: limited(acls, "COMPARISONS_MAX", 1, lambda: filtered(NONE)),
    ),
    Check(12, E.INVALID_REQUEST, "patternFilter", lambda: filtered(NONE)),
    Check(13, E.INVALID_REQUEST, "entryFilter", lambda: filtered(ALL._replace(permission_type=99))),
    Check(14, E.INVALID_REQUEST, "more than 1 acls", lambda: limited(acls, "OPERATION_RECORDS_MAX", 1, few_matches)),
    Check(15, E.INVALID_REQUEST, "match more than 3", few_matches),
]


# ---------------------------------------------------------------- delegation_tokens

KEY = replace(UNSTABLE, token_secret_key="key")


def token(request, *, level=42, config=KEY, wait_ms=0):
    """Ask in a cluster that has a token of alice, with its HMAC if the request has none."""
    world = World(level=level, config=config)
    if request.requester != "User:nobody" and level >= 14 and config is KEY:
        made = world.do(CreateDelegationToken(requester="User:alice"))[1]
        if hasattr(request, "hmac") and not request.hmac:
            request = replace(request, hmac=made.hmac)
    world.now_ms += wait_ms
    return refusals(world, request)


def new(**fields):
    return CreateDelegationToken(**{"requester": "User:alice", **fields})


BOB = {"hmac": b"", "requester": "User:bob"}
WEEKS = 10**10
DELEGATION_TOKENS = [
    Check(1, E.DELEGATION_TOKEN_AUTH_DISABLED, "", lambda: token(new(renewers=("x",)), level=13, config=UNSTABLE)),
    Check(1, E.UNSUPPORTED_VERSION, "metadata.version 14", lambda: token(new(renewers=("x",)), level=13)),
    Check(2, E.INVALID_PRINCIPAL_TYPE, "not a User", lambda: token(new(renewers=("x",) * 101))),
    Check(2, E.INVALID_REQUEST, "101 renewers", lambda: token(new(owner=LONG, renewers=("User:b",) * 101))),
    Check(2, E.INVALID_REQUEST, "The owner has", lambda: token(new(owner=LONG))),
    Check(
        2,
        E.POLICY_VIOLATION,
        "The cluster has 1",
        lambda: limited(delegation_tokens, "DELEGATION_TOKENS_MAX", 1, lambda: token(new())),
    ),
    Check(
        2,
        E.POLICY_VIOLATION,
        "User:alice has requested 1",
        lambda: limited(delegation_tokens, "TOKENS_PER_REQUESTER_MAX", 1, lambda: token(new())),
    ),
    Check(
        2,
        E.POLICY_VIOLATION,
        "would take more than 30 bytes",
        lambda: limited(delegation_tokens, "PRINCIPAL_BYTES_TOTAL_MAX", 30, lambda: token(new())),
    ),
    Check(3, E.DELEGATION_TOKEN_NOT_FOUND, "", lambda: token(RenewDelegationToken(hmac=b"?", requester="User:bob"))),
    Check(3, E.DELEGATION_TOKEN_NOT_FOUND, "", lambda: token(ExpireDelegationToken(hmac=b"?", requester="User:bob"))),
    Check(3, E.DELEGATION_TOKEN_EXPIRED, "", lambda: token(RenewDelegationToken(**BOB), wait_ms=WEEKS)),
    Check(3, E.DELEGATION_TOKEN_OWNER_MISMATCH, "", lambda: token(RenewDelegationToken(**BOB))),
    Check(3, E.DELEGATION_TOKEN_OWNER_MISMATCH, "", lambda: token(ExpireDelegationToken(**BOB), wait_ms=WEEKS)),
    Check(
        3,
        E.DELEGATION_TOKEN_EXPIRED,
        "",
        lambda: token(ExpireDelegationToken(hmac=b"", requester="User:alice", period_ms=1), wait_ms=WEEKS),
    ),
]


TABLES: Tables = {
    "alteration_rules": ALTERATION_RULES,
    "configs": CONFIGS,
    "features": FEATURES,
    "scram": SCRAM,
    "client_quotas": CLIENT_QUOTAS,
    "producer_ids": PRODUCER_IDS,
    "acls": ACLS,
    "delegation_tokens": DELEGATION_TOKENS,
}


@pytest.mark.parametrize("check", parameters(TABLES))
def test_a_check_refuses_what_it_is_there_for(check):
    """A check is left out, comes later, or answers with another code."""
    holds(check)
