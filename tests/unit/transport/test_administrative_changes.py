"""The log of administrative changes: what is in it, what never is, and how much of it there is at most."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from typing import get_args

import grpc
import pytest

from kraftpy.authorizer.actions import Caller
from kraftpy.authorizer.standard import StandardAuthorizer
from kraftpy.controller import account_requests as a
from kraftpy.controller import acl_requests as c
from kraftpy.controller import delegation_token_requests as d
from kraftpy.controller import partition_requests as p
from kraftpy.controller import requests as r
from kraftpy.controller import topic_requests as t
from kraftpy.controller.broker_id_requests import AlterBrokerHost, AlterBrokerHostResponse
from kraftpy.image.acls import AccessControlEntry, AclsImage
from kraftpy.image.scram import ScramUser
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.identity import ANONYMOUS
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.voters import ReplicaKey
from kraftpy.pb.v1 import admin_pb2, common_pb2, quorum_pb2, session_pb2
from kraftpy.raft import messages as m
from kraftpy.raft.ready import RequestAbandoned
from kraftpy.records.authors import Author, read_author
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import encode_request
from kraftpy.transport.administrative_changes import (
    CALLER_LINES_MAX,
    CALLERS_COUNTED_MAX,
    INTERVAL_MS,
    LINES_MAX,
    LOG,
    NAMED_CHARACTERS_MAX,
    NAMED_MAX,
    PRINCIPAL_CHARACTERS_MAX,
    RECENT_MAX,
    REJECTED_LINES_MAX,
    AdministrativeChanges,
    RequestIds,
)
from kraftpy.transport.authorization import Authorization
from kraftpy.transport.change_kinds import BY_NODES, KINDS, PARTS_NAMED_MAX, ChangeKind, TransferLeadership
from kraftpy.transport.grpc.identity import CLIENT_ID
from kraftpy.transport.grpc.services.transfers import LeadershipTransfers
from kraftpy.transport.node_api import Committed, Outcome, OutcomeUnknownError
from kraftpy.transport.request_checks import RequestChecks
from tests.fakes.request_errors import NoRequestErrors
from tests.unit.controller.worlds import World, beat
from tests.unit.transport.conftest import ballot, connect, requests, voted
from tests.unit.transport.kafka_node import INCARNATION, FakeNode, image
from tests.unit.transport.test_api import call, exchange, unregister
from tests.unit.transport.test_listener import wire

ALICE = Caller("User:alice", "10.0.0.1")
SECRET = b"correct horse"
UNREGISTER = r.UnregisterBroker(broker_id=7)
NEW_ACL = AccessControlEntry(2, "orders", 3, "User:bob", "*", 3, 3)


@pytest.fixture(autouse=True)
def _logged(caplog):
    caplog.set_level(logging.INFO, LOG.name)


class Clock:
    """A clock, and the timers that were set by it."""

    def __init__(self):
        self.now_ms = 1_000_000
        self.timers = []

    def call_later(self, delay_s, do):
        self.timers.append((delay_s, do))
        return self

    def cancel(self):
        self.timers.clear()


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def changes(clock):
    return AdministrativeChanges(lambda: clock.now_ms, NoRequestErrors(), clock.call_later)


def lines(caplog, event="administrative_change_requested"):
    """The facts of each line."""
    return [record.facts for record in caplog.records if record.getMessage() == event]


def ended(changes, request, outcome: Outcome, caller=ALICE, request_id=b"", authorization=None):
    """Admit a request, and report its outcome."""
    admitted = RequestChecks(None, authorization, changes).admit(request, ANONYMOUS, caller, RequestIds(request_id))
    if admitted.noted is not None:
        admitted.noted(outcome)


def about(changes, caplog, request, response):
    """What the line names of a request that was accepted."""
    caller = replace(ALICE, is_by_sasl=True)
    ended(changes, request, Committed(response, 9, 1), caller)
    return lines(caplog)[-1]["about"]


def test_every_request_is_a_change_or_is_none():
    """No request of the controller, nor of Raft, can be added without a decision about its line."""
    every = {*get_args(r.ControllerRequest), *get_args(m.RaftRequest), TransferLeadership}
    assert set(KINDS) | BY_NODES == every
    assert not set(KINDS) & BY_NODES


def test_a_line_has_who_changed_what_and_at_which_offset(changes, caplog):
    ended(changes, UNREGISTER, Committed(r.UnregisterBrokerResponse(), 42, 3), request_id=INCARNATION)
    [line] = lines(caplog)
    assert line == {
        "request": "UnregisterBroker",
        "outcome": "ok",
        "offset": 42,
        "client": "10.0.0.1",
        "request_id": INCARNATION.hex(),
        "principal": "User:alice",
        "about": ["broker 7"],
    }


def topics(*names):
    return tuple(t.CreatableTopic(name) for name in names)


def created(*errors):
    return t.CreateTopicsResponse(tuple(t.TopicResult(str(place), error) for place, error in enumerate(errors)))


CASES = [
    (t.CreateTopics(topics("a", "b")), t.CreateTopicsResponse((t.TopicResult("a"), t.TopicResult("b"))), ["a", "b"]),
    (
        t.DeleteTopics((t.TopicRef(topic_id=INCARNATION), t.TopicRef(topic_id=bytes(16)))),
        t.DeleteTopicsResponse(
            (t.TopicResult("a", topic_id=INCARNATION), t.TopicResult(None, ErrorCode.UNKNOWN_TOPIC_ID, "", bytes(16)))
        ),
        ["a", "topic id AAAAAAAAAAAAAAAAAAAAAA"],
    ),
    (
        t.CreatePartitions((t.CreatePartitionsTopic("a", 6),)),
        t.CreatePartitionsResponse((t.TopicResult("a"),)),
        ["a to 6 partitions"],
    ),
    (
        p.ElectLeaders(election_type=1, topics=(("a", (0, 3)),)),
        p.ElectLeadersResponse(topics=(("a", (p.PartitionOutcome(0), p.PartitionOutcome(3))),)),
        ["UNCLEAN of a: 0, 3"],
    ),
    (
        p.ElectLeaders(election_type=0, topics=None),
        p.ElectLeadersResponse(topics=()),
        ["PREFERRED of all partitions"],
    ),
    (
        p.AlterPartitionReassignments(topics=(("a", (p.Reassignment(2, (1, 3)), p.Reassignment(4, None))),)),
        p.AlterPartitionReassignmentsResponse(topics=(("a", (p.PartitionOutcome(2), p.PartitionOutcome(4))),)),
        ["a: 2, 4"],
    ),
    (
        r.IncrementalAlterConfigs(
            (
                (r.ConfigResource(2, "a"), (r.ConfigAlteration("retention.ms", 0, "secret"),)),
                (r.ConfigResource(4, ""), (r.ConfigAlteration("ssl.key.password", 0, "secret"),)),
                (r.ConfigResource(99, "x"), ()),
            )
        ),
        r.IncrementalAlterConfigsResponse(
            (r.ConfigResource(2, "a"), r.ConfigResource(4, ""), r.ConfigResource(99, "x"))
        ),
        ["TOPIC a: retention.ms", "BROKER (default): ssl.key.password", "99 x: "],
    ),
    (
        r.ReplaceConfigs(((r.ConfigResource(4, "3"), (("ssl.key.password", "secret"),)),)),
        r.IncrementalAlterConfigsResponse((r.ConfigResource(4, "3"),)),
        ["BROKER 3: ssl.key.password"],
    ),
    (
        a.AlterClientQuotas(
            entries=(a.QuotaAlteration((("user", "bob"), ("client-id", None)), (("producer_byte_rate", 77.5),)),)
        ),
        a.AlterClientQuotasResponse(results=(a.QuotaResult((("user", "bob"),)),)),
        ["user bob client-id (default): producer_byte_rate"],
    ),
    (
        a.AlterUserScramCredentials(
            deletions=(ScramUser(1, "carl"),),
            upsertions=(
                a.ScramUpsertion(user=ScramUser(2, "bob"), iterations=4096, salt=SECRET, salted_password=SECRET),
            ),
        ),
        a.AlterUserScramCredentialsResponse(results=(a.ScramResult("carl"), a.ScramResult("bob"))),
        ["carl: SCRAM-SHA-256 deleted", "bob: SCRAM-SHA-512 set"],
    ),
    (
        c.CreateAcls(entries=(NEW_ACL,)),
        c.CreateAclsResponse(results=(c.AclCreation(),)),
        ["ALLOW READ on LITERAL TOPIC orders for User:bob from *"],
    ),
    (
        c.DeleteAcls(filters=(c.AclFilter(1, None, 1, "User:bob", None, 1, 77),)),
        c.DeleteAclsResponse(results=(c.AclDeletion((NEW_ACL,)),)),
        ["77 ANY on ANY ANY ANY for User:bob from ANY"],
    ),
    (
        d.CreateDelegationToken(owner="User:alice", renewers=("User:carl",)),
        d.CreateDelegationTokenResponse(
            owner="User:bob", requester="User:alice", renewers=(), issue_timestamp_ms=1, expiration_timestamp_ms=2,
            max_timestamp_ms=3, token_id="t-1", hmac=SECRET,
        ),
        ["token t-1 of User:bob"],
    ),
    (
        d.RenewDelegationToken(hmac=SECRET),
        d.DelegationTokenExpiry(expiration_timestamp_ms=9, token_id="t-1", owner="User:bob"),
        ["token t-1 of User:bob"],
    ),
    (
        d.ExpireDelegationToken(hmac=SECRET),
        d.DelegationTokenExpiry(expiration_timestamp_ms=9, token_id="t-1", owner="User:bob"),
        ["token t-1 of User:bob"],
    ),
    (
        r.UpdateFeatures(updates=(r.FeatureUpdate("metadata.version", 25), r.FeatureUpdate("x", 0, 77))),
        r.UpdateFeaturesResponse(),
        ["metadata.version to 25 (UPGRADE)", "x to 0 (77)"],
    ),
    (UNREGISTER, r.UnregisterBrokerResponse(), ["broker 7"]),
    (r.UnregisterController(controller_id=3), r.UnregisterControllerResponse(), ["controller 3"]),
    (AlterBrokerHost(host="h", broker_id=4), AlterBrokerHostResponse(), ["h: broker 4"]),
    (AlterBrokerHost(host="h", broker_id=None), AlterBrokerHostResponse(), ["h: removed"]),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "response", "named"), CASES, ids=lambda value: type(value).__name__)
def test_a_line_names_what_a_request_is_about_and_no_secret(changes, caplog, request_, response, named):
    """Names and keys, and no value of either."""
    assert about(changes, caplog, request_, response) == named
    for secret in ("secret", SECRET.decode(), SECRET.hex(), "77.5", "4096"):
        assert secret not in str(lines(caplog)) + caplog.text, secret


def test_every_change_of_the_controller_has_a_case():
    """One that is added needs a test of what it names."""
    assert {type(case[0]) for case in CASES} == set(KINDS) & set(get_args(r.ControllerRequest))


def test_a_token_that_is_not_found_is_not_named(changes, caplog):
    """Its secret is all that the request has."""
    caller = replace(ALICE, is_by_sasl=True)
    refused = ApiError(ErrorCode.DELEGATION_TOKEN_NOT_FOUND, "There is no delegation token with this HMAC.")
    ended(changes, d.ExpireDelegationToken(hmac=SECRET), refused, caller)
    ended(changes, d.CreateDelegationToken(owner="User:bob"), refused, caller)
    assert [line["about"] for line in lines(caplog)] == [[], ["a token of User:bob"]]


def test_errors_are_counted(changes, caplog):
    exists, none = ErrorCode.TOPIC_ALREADY_EXISTS, ErrorCode.NONE
    for response in (created(none, exists, exists, ErrorCode.POLICY_VIOLATION), created(exists), created(none, none)):
        ended(changes, t.CreateTopics(topics("a", "b")), Committed(response, 8, 1))
    found = [(line["outcome"], line.get("offset")) for line in lines(caplog)]
    assert found == [
        ("ok 1, TOPIC_ALREADY_EXISTS 2, POLICY_VIOLATION 1", 8),
        ("TOPIC_ALREADY_EXISTS 1", None),
        ("ok", 8),
    ]


def test_refused_configs_are_counted(changes, caplog):
    resources = tuple(r.ConfigResource(2, name) for name in "abc")
    refused = {1: (ErrorCode.INVALID_CONFIG, "bad")}
    request = r.IncrementalAlterConfigs(tuple((resource, ()) for resource in resources))
    ended(changes, request, Committed(r.IncrementalAlterConfigsResponse(resources, refused), 8, 1))
    assert lines(caplog)[0]["outcome"] == "ok 2, INVALID_CONFIG 1"


def test_a_refusal_of_the_whole_request_has_its_code_and_no_text(changes, caplog):
    """The text may quote a value."""
    ended(changes, UNREGISTER, ApiError(ErrorCode.INVALID_REQUEST, "the password horse is too short"))
    ended(changes, UNREGISTER, OutcomeUnknownError("this node ceased to be the controller"))
    assert [line["outcome"] for line in lines(caplog)] == ["INVALID_REQUEST", "unknown"]
    assert "horse" not in caplog.text


def test_what_is_no_change_has_no_line(changes, caplog):
    """A dry run, what nodes do by themselves, and what another controller has to do."""
    ended(changes, replace(UNREGISTER, validate_only=True), Committed(r.UnregisterBrokerResponse(), 1, 1))
    ended(changes, UNREGISTER, ApiError(ErrorCode.NOT_CONTROLLER, "node 2 is"))
    heartbeat = r.BrokerHeartbeat(broker_id=1, broker_epoch=1, metadata_offset=1, want_fence=False, want_shutdown=False)
    for request in (heartbeat, p.ListPartitionReassignments()):
        assert RequestChecks(None, None, changes).admit(request, ANONYMOUS, ALICE).noted is None
    assert not lines(caplog)


def test_topics_that_the_authorizer_denies_are_counted_with_the_others(changes, caplog):
    """The controller does not see them; the caller is named as access control entries do."""
    state = image()
    authorizer = StandardAuthorizer([])
    authorizer.load(AclsImage())
    authorization = Authorization(authorizer, lambda: state)
    ended(changes, t.CreateTopics(topics("a", "b")), Committed(created(), 8, 1), authorization=authorization)
    [line] = lines(caplog)
    assert (line["outcome"], line["about"]) == ("TOPIC_AUTHORIZATION_FAILED 2", ["a", "b"])
    assert "offset" not in line


def test_a_request_that_the_authorizer_denies_whole_is_left_to_its_log(changes, caplog):
    authorizer = StandardAuthorizer([])
    authorizer.load(AclsImage())
    with pytest.raises(ApiError):
        ended(changes, UNREGISTER, Committed(created(), 8, 1), authorization=Authorization(authorizer, image))
    assert "authorization_denied" in caplog.text
    assert not lines(caplog)


def test_values_of_clients_are_bounded_and_have_no_control_characters(changes, caplog):
    """Nothing that a client sends looks like another line, or fills the log by itself."""
    names = ["x" * 249, "evil\nadministrative_change\x1b[2J", *("n" * 5_000 for _ in range(5_000))]
    caller = Caller("User:" + "\n" * 2_000, "h" * 2_000)
    ids = RequestIds(client_id="\x1b" * 2_000)
    admitted = RequestChecks(None, None, changes).admit(t.CreateTopics(topics(*names)), ANONYMOUS, caller, ids)
    admitted.noted(ApiError(ErrorCode.POLICY_VIOLATION, ""))
    [line] = lines(caplog)
    assert line["about"][:2] == ["x" * 249, r"evil\nadministrative_change\x1b[2J"]
    assert line["about"][NAMED_MAX:] == [f"and {len(names) - NAMED_MAX} more"]
    assert max(map(len, line["about"])) == NAMED_CHARACTERS_MAX
    assert len(line["principal"]) == len(line["client"]) == len(line["client_id"]) == PRINCIPAL_CHARACTERS_MAX
    assert line["principal"].startswith(r"User:\n\n")
    assert str(line).isprintable()
    keys = tuple(r.ConfigAlteration(f"key{number}", 0, "v") for number in range(PARTS_NAMED_MAX + 3))
    resource = r.ConfigResource(2, "a")
    named = about(
        changes, caplog, r.IncrementalAlterConfigs(((resource, keys),)), r.IncrementalAlterConfigsResponse((resource,))
    )
    assert named == ["TOPIC a: key0, key1, key2, key3, key4, key5, key6, key7, key8, key9, and 3 more"]


OK = Committed(r.UnregisterBrokerResponse(), 1, 1)


def test_a_flood_of_one_caller_hides_no_other_and_its_rest_is_counted(changes, clock, caplog):
    """At the end of the interval one line has the number of those left out, without a further change."""
    for _ in range(CALLER_LINES_MAX + 30):
        ended(changes, UNREGISTER, OK)
    assert len(lines(caplog)) == CALLER_LINES_MAX
    ended(changes, UNREGISTER, OK, replace(ALICE, host="10.0.0.2"))
    assert len(lines(caplog)) == CALLER_LINES_MAX + 1
    [(delay_s, flush)] = clock.timers
    assert delay_s == INTERVAL_MS / 1_000
    flush()
    flush()
    assert lines(caplog, "administrative_changes_left_out") == [
        {"count": 30, "seconds": INTERVAL_MS // 1_000, "callers": ["30 of User:alice at 10.0.0.1"]}
    ]
    clock.now_ms += INTERVAL_MS
    ended(changes, UNREGISTER, OK)
    assert len(lines(caplog)) == CALLER_LINES_MAX + 2


def test_many_callers_cause_no_more_lines_than_the_limit(changes, clock, caplog):
    """The next interval begins with the count of those left out; callers beyond a number are not distinguished."""
    count = LINES_MAX + CALLERS_COUNTED_MAX + 5
    for number in range(count):
        ended(changes, UNREGISTER, OK, Caller(f"User:{number}", "h"))
    assert len(lines(caplog)) == LINES_MAX
    clock.now_ms += INTERVAL_MS
    ended(changes, UNREGISTER, OK)
    assert not clock.timers
    [left_out] = lines(caplog, "administrative_changes_left_out")
    assert left_out["count"] == count - LINES_MAX
    assert left_out["callers"][0] == "5 of other callers"
    assert left_out["callers"][NAMED_MAX:] == [f"and {CALLERS_COUNTED_MAX + 1 - NAMED_MAX} more"]
    assert len(lines(caplog)) == LINES_MAX + 1


REJECTED = ApiError(ErrorCode.BROKER_ID_NOT_REGISTERED, "no such broker")


def test_rejected_requests_displace_no_change(changes, clock, caplog):
    """A client that may change nothing can send requests without end; all the lines of changes are left."""
    for number in range(3 * LINES_MAX):
        ended(changes, UNREGISTER, REJECTED, Caller(f"User:{number % 7}", "h"))
    assert len(lines(caplog)) == REJECTED_LINES_MAX
    for number in range(LINES_MAX):
        ended(changes, UNREGISTER, OK, Caller(f"User:{number}", "h"))
    assert len([line for line in lines(caplog) if line["outcome"] == "ok"]) == LINES_MAX
    clock.now_ms += INTERVAL_MS
    ended(changes, UNREGISTER, REJECTED)
    assert len(lines(caplog)) == REJECTED_LINES_MAX + LINES_MAX + 1


EMPTY = [
    (t.CreateTopics(()), t.CreateTopicsResponse(())),
    (t.DeleteTopics(()), t.DeleteTopicsResponse(())),
    (t.CreatePartitions(()), t.CreatePartitionsResponse(())),
    (r.IncrementalAlterConfigs(()), r.IncrementalAlterConfigsResponse(())),
    (r.ReplaceConfigs(()), r.IncrementalAlterConfigsResponse(())),
]
"""What a caller without any permission may ask for: of these requests the items are authorized."""


@pytest.mark.parametrize("authorization", [None, "denies all"])
@pytest.mark.parametrize(("asked", "response"), EMPTY, ids=lambda value: type(value).__name__)
def test_requests_that_name_nothing_displace_no_change(changes, caplog, asked, response, authorization):
    """Any client can send them. If they count as changes, two addresses hide everything that is changed."""
    if authorization is not None:
        authorizer = StandardAuthorizer([])
        authorizer.load(AclsImage())
        authorization = Authorization(authorizer, image)
    for number in range(3 * LINES_MAX):
        ended(changes, asked, Committed(response, 9, 1), Caller("User:nobody", f"h{number % 7}"), b"", authorization)
    assert len(lines(caplog)) == REJECTED_LINES_MAX
    assert not any("offset" in line for line in lines(caplog))
    for number in range(LINES_MAX):
        ended(changes, UNREGISTER, OK, Caller(f"User:{number}", "h"))
    assert [line["request"] for line in lines(caplog)].count("UnregisterBroker") == LINES_MAX


ALLOWED_WHOLE = {
    p.ElectLeaders: p.ElectLeadersResponse(topics=()),
    p.AlterPartitionReassignments: p.AlterPartitionReassignmentsResponse(topics=()),
    a.AlterClientQuotas: a.AlterClientQuotasResponse(results=()),
    a.AlterUserScramCredentials: a.AlterUserScramCredentialsResponse(results=()),
    c.CreateAcls: c.CreateAclsResponse(results=()),
    c.DeleteAcls: c.DeleteAclsResponse(results=()),
}
"""The other requests whose items have results of their own, with a response that has none."""


def test_every_kind_that_may_name_nothing_has_a_case():
    """A kind of change is added whose empty requests count as changes."""
    empty = {type(asked): response for asked, response in EMPTY} | ALLOWED_WHOLE
    own = {kind for kind, (_, _, _, codes) in KINDS.items() if codes is not ChangeKind._field_defaults["codes"]}
    assert set(empty) == own
    for kind, response in empty.items():
        assert list(KINDS[kind].codes(response)) == []


def test_transfers_that_are_refused_displace_no_change(changes, caplog):
    """One that may have taken place is a change; the others are counted with what was rejected."""
    for outcome, count in (("INVALID_REQUEST", REJECTED_LINES_MAX), ("REQUEST_TIMED_OUT", CALLER_LINES_MAX)):
        caplog.clear()
        for _ in range(CALLER_LINES_MAX + 1):
            changes.transferred(TransferLeadership(3), ALICE, "User:alice", outcome)
        assert len(lines(caplog)) == count


DENIABLE = [
    t.CreateTopics(topics("a")),
    t.CreateTopics(topics("a", "a")),
    t.DeleteTopics((t.TopicRef(name="orders"), t.TopicRef(name="nope"))),
    t.DeleteTopics((t.TopicRef(name="orders"), t.TopicRef(name="orders"), t.TopicRef())),
    t.CreatePartitions((t.CreatePartitionsTopic("orders", 6),)),
    t.CreatePartitions((t.CreatePartitionsTopic("orders", 6),) * 2),
    r.IncrementalAlterConfigs(((r.ConfigResource(2, "orders"), ()),)),
    r.IncrementalAlterConfigs(((r.ConfigResource(2, "orders"), ()),) * 2),
    r.ReplaceConfigs(((r.ConfigResource(2, "orders"), ()),)),
    r.ReplaceConfigs(((r.ConfigResource(2, "orders"), ()),) * 2),
]


@pytest.mark.parametrize("asked", DENIABLE, ids=lambda asked: type(asked).__name__)
def test_who_may_change_nothing_has_no_line_of_a_change(changes, caplog, asked):
    """Not by items that are denied, named twice or empty: the controller decides on what the authorizer leaves."""
    authorizer = StandardAuthorizer([])
    authorizer.load(AclsImage())
    world = World()
    for _ in range(REJECTED_LINES_MAX + 5):
        checks = RequestChecks(None, Authorization(authorizer, image), changes)
        admitted = checks.admit(asked, ANONYMOUS, Caller("User:nobody", "h"))
        records, response = world.do(admitted.request)
        assert records == []
        admitted.noted(Committed(response, 9, 1))
    assert len(lines(caplog)) == REJECTED_LINES_MAX
    assert not any("offset" in line or "ok" in line["outcome"] for line in lines(caplog))


def test_a_request_with_one_success_is_a_change(changes, caplog):
    """A request of which nothing was accepted is none."""
    deletion = c.DeleteAcls(filters=(c.AclFilter(2, "t", 3, None, None, 1, 1),) * 2)
    denied, done = c.AclDeletion(error=ErrorCode.SECURITY_DISABLED, message=""), c.AclDeletion((NEW_ACL,))
    for results, count in (((denied, denied), REJECTED_LINES_MAX), ((denied, done), CALLER_LINES_MAX)):
        caplog.clear()
        for _ in range(CALLER_LINES_MAX + 1):
            ended(changes, deletion, Committed(c.DeleteAclsResponse(results=results), 9, 1))
        assert len(lines(caplog)) == count


def test_a_clock_that_goes_back_silences_no_change(changes, clock, caplog):
    for _ in range(CALLER_LINES_MAX):
        ended(changes, UNREGISTER, OK)
    clock.now_ms -= 5
    ended(changes, UNREGISTER, OK)
    assert len(lines(caplog)) == CALLER_LINES_MAX + 1


def test_no_line_is_made_where_none_is_written(changes, caplog):
    """Nor is it counted."""
    caplog.set_level(logging.WARNING, LOG.name)
    for _ in range(CALLER_LINES_MAX + 1):
        ended(changes, UNREGISTER, OK)
    changes.flush()
    assert not caplog.records


def test_the_last_changes_are_remembered_whatever_is_logged(changes, clock, caplog):
    """The newest ones, with the facts of their lines; what is rejected, or has no line of its own, displaces none."""
    caplog.set_level(logging.WARNING, LOG.name)
    for number in range(RECENT_MAX + 3):
        clock.now_ms += 1
        ended(changes, r.UnregisterBroker(broker_id=number), OK)
    for number in range(3 * RECENT_MAX):
        ended(changes, UNREGISTER, REJECTED, Caller(f"User:{number}", "h"))
    assert [one.facts["about"] for one in changes.recent] == [
        [f"broker {number}"] for number in range(3, RECENT_MAX + 3)
    ]
    newest = changes.recent[-1]
    assert (newest.at_ms, newest.facts["principal"], newest.facts["outcome"]) == (clock.now_ms, "User:alice", "ok")
    for _ in range(CALLER_LINES_MAX):
        ended(changes, UNREGISTER, OK)
    remembered = tuple(changes.recent)
    ended(changes, UNREGISTER, OK)
    assert tuple(changes.recent) == remembered


class Heard(logging.Handler):
    """Sets an event once changes are reported that were left out."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.event = asyncio.Event()

    def emit(self, record):
        self.event.set()


async def test_the_timer_is_one_of_the_running_loop(monkeypatch):
    monkeypatch.setattr("kraftpy.transport.administrative_changes.INTERVAL_MS", 1)
    changes, heard = AdministrativeChanges(lambda: 0, NoRequestErrors()), Heard()
    LOG.addHandler(heard)
    try:
        for _ in range(CALLER_LINES_MAX + 1):
            ended(changes, UNREGISTER, OK)
        async with asyncio.timeout(10):
            await heard.event.wait()
    finally:
        LOG.removeHandler(heard)


def test_a_defect_of_a_line_ends_no_process(caplog, clock):
    """It is recorded; the outcome is noted in the turn of the driver."""
    changes = AdministrativeChanges(lambda: clock.now_ms)
    ended(changes, UNREGISTER, Committed(None, 1, 1))
    ended(changes, r.IncrementalAlterConfigs(()), Committed(None, 1, 1))
    assert "unexpected_request_error request=AdministrativeChange error=AttributeError" in caplog.text


# The voters, and the leadership.


def voter(node_id=2, *, joins=False):
    return m.AddRaftVoterRequest(
        cluster_id=None, voter=ReplicaKey(node_id, bytes(16)), endpoints=(), timeout_ms=1, ack_when_committed=not joins
    )


def test_changes_of_the_voters_have_lines(changes, caplog):
    removal = m.RemoveRaftVoterRequest(cluster_id=None, voter=ReplicaKey(2, bytes(16)))
    changes.follow_voters(voter(), ALICE, "User:alice")(m.AddRaftVoterResponse(offset=12))
    changes.follow_voters(removal, ALICE, "User:alice")(m.RemoveRaftVoterResponse(error=ErrorCode.VOTER_NOT_FOUND))
    changes.follow_voters(removal, ALICE, "User:alice")(None)
    changes.follow_voters(removal, ALICE, "User:alice")(
        m.RemoveRaftVoterResponse(error=ErrorCode.NOT_LEADER_OR_FOLLOWER)
    )
    found = [(line["request"], line["outcome"], line.get("offset"), line["about"]) for line in lines(caplog)]
    named = [str(ReplicaKey(2, bytes(16)))]
    assert found == [
        ("AddRaftVoter", "ok", 12, named),
        ("RemoveRaftVoter", "VOTER_NOT_FOUND", None, named),
        ("RemoveRaftVoter", "unknown", None, named),
    ]


def test_an_observer_that_joins_by_itself_is_logged_once_it_votes(changes, caplog):
    """It repeats what is refused."""
    noted = changes.follow_voters(voter(joins=True), ALICE, "User:alice")
    noted(m.AddRaftVoterResponse(error=ErrorCode.REQUEST_TIMED_OUT))
    assert not lines(caplog)
    noted(m.AddRaftVoterResponse(offset=12))
    assert len(lines(caplog)) == 1


def test_a_transfer_of_the_leadership_has_a_line(changes, caplog):
    asked = TransferLeadership(3)
    changes.transferred(asked, ALICE, "User:alice", LeaderAndEpoch(3, 8))
    changes.transferred(asked, ALICE, "User:alice", "REQUEST_TIMED_OUT")
    first, second = lines(caplog)
    assert (first["outcome"], first["epoch"], first["about"]) == ("ok", 8, ["node 3"])
    assert (second["outcome"], "epoch" in second) == ("REQUEST_TIMED_OUT", False)


# At Kafka's protocol.


def test_a_request_over_kafka_s_protocol_is_noted_with_its_outcome(caplog):
    node = FakeNode()
    node.ask(rpc.UnregisterBrokerRequest(7), correlation_id=77)
    [(submission, _)] = node.submitted
    submission.noted(Committed(r.UnregisterBrokerResponse(), 9, 1))
    [line] = lines(caplog)
    assert (line["request"], line["client"], line["principal"]) == ("UnregisterBroker", "127.0.0.1", "User:ANONYMOUS")
    assert (line["correlation_id"], line["client_id"]) == (77, "kafka")


def test_of_an_envelope_the_client_is_named_and_not_the_broker(caplog):
    node = FakeNode()
    principal = bytes.fromhex("0000 05") + b"User" + bytes.fromhex("06") + b"alice" + bytes.fromhex("00 00")
    inside = encode_request("evil\n\x1b[2J", 12, rpc.DeleteAclsRequest([]), 3)
    node.ask(rpc.EnvelopeRequest(inside, principal, bytes([10, 0, 0, 9])))
    [(submission, _)] = node.submitted
    submission.noted(Committed(c.DeleteAclsResponse(results=()), 9, 1))
    [line] = lines(caplog)
    assert (line["client"], line["principal"], line["forwarded"]) == ("10.0.0.9", "User:alice", True)
    assert (line["correlation_id"], line["client_id"]) == (12, r"evil\n\x1b[2J")


async def test_a_change_of_the_voters_over_kafka_s_protocol_has_a_line(caplog, listener, inbox):
    """With its answer, or when the client has left before; other requests of Raft's leave nothing behind."""
    async with connect(listener.port) as (_, writer):
        writer.write(wire(voter(), 1) + wire(ballot(1), 2) + wire(voter(3), 3))
        first, other, last = await requests(inbox, 3)
        listener.reply(first.token, m.AddRaftVoterResponse(offset=12))
        listener.reply(other.token, voted(1))
    abandoned = await inbox.next()
    assert abandoned == RequestAbandoned(last.token)
    listener.reply(last.token, m.AddRaftVoterResponse(offset=13))
    found = [(line["outcome"], line.get("offset"), line["client"], line["correlation_id"]) for line in lines(caplog)]
    assert found == [("ok", 12, "127.0.0.1", 1), ("unknown", None, "127.0.0.1", 3)]
    assert not listener._voter_changes


async def test_a_request_that_the_core_cannot_answer_has_an_unknown_outcome(caplog, listener, inbox):
    async with connect(listener.port) as (_, writer):
        writer.write(wire(voter(), 1))
        [request] = await requests(inbox, 1)
        listener.drop(request.token, "its AddRaftVoterRequest caused KeyError")
    assert [line["outcome"] for line in lines(caplog)] == ["unknown"]


# At the public API.


async def test_calls_and_sessions_have_lines(caplog, channel):
    """With the ids of the request; a dry run has none."""
    write = admin_pb2.UnregisterBrokerRequest(broker_id=3, options=common_pb2.WriteOptions(request_id=INCARNATION))
    await call(channel, "UnregisterBroker")(write, metadata=((CLIENT_ID, "ops"),))
    write.options.validate_only = True
    await call(channel, "UnregisterBroker")(write)
    stream = call(channel, "Session")(metadata=((CLIENT_ID, "desk"),))
    await exchange(stream, [unregister(1, broker_id=404), unregister(2, broker_id=5)])
    stream.cancel()
    found = [
        (line["outcome"], line.get("offset"), line.get("request_id"), line["about"], line["client"], line["principal"])
        for line in lines(caplog)
    ]
    assert [(line["client_id"], line.get("correlation_id")) for line in lines(caplog)] == [
        ("ops", None),
        ("desk", 1),
        ("desk", 2),
    ]
    who = ("127.0.0.1", "User:ANONYMOUS")
    assert found == [
        ("ok", 0, INCARNATION.hex(), ["broker 3"], *who),
        ("BROKER_ID_NOT_REGISTERED", None, None, ["broker 404"], *who),
        ("ok", 1, None, ["broker 5"], *who),
    ]


async def test_transfers_of_the_leadership_have_lines_in_calls_and_sessions(caplog, channel, backend):
    """A refusal has its code; one for another controller, and a dry run, have none."""
    for asked in (
        quorum_pb2.TransferLeadershipRequest(node_id=2),
        quorum_pb2.TransferLeadershipRequest(node_id=2, validate_only=True),
        quorum_pb2.TransferLeadershipRequest(node_id=9),
    ):
        with suppress(grpc.aio.AioRpcError):
            await call(channel, "TransferLeadership")(asked)
    stream = call(channel, "Session")()
    await exchange(stream, [session_pb2.Request(id=1, transfer_leadership={"node_id": 3})])
    backend.error = ApiError(ErrorCode.NOT_CONTROLLER, "node 1 does not lead")
    await exchange(stream, [session_pb2.Request(id=2, transfer_leadership={"node_id": 3})])
    stream.cancel()
    found = [(line["outcome"], line.get("epoch"), line["about"], line.get("correlation_id")) for line in lines(caplog)]
    assert found == [
        ("ok", 4, ["node 2"], None),
        ("INVALID_REQUEST", None, ["node 9"], None),
        ("ok", 4, ["node 3"], 1),
    ]


async def test_a_transfer_whose_client_leaves_has_an_unknown_outcome(caplog, backend):
    """It goes on without the client."""
    never = asyncio.Event()

    async def begin(successor, *, validate_only=False):
        del successor, validate_only
        await never.wait()

    backend.transfer_leadership = begin
    transfers = LeadershipTransfers(backend, AdministrativeChanges(errors=NoRequestErrors()), None)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await transfers.transfer(quorum_pb2.TransferLeadershipRequest(node_id=2), ALICE)
    assert [line["outcome"] for line in lines(caplog)] == ["unknown"]


def authored(request, caller, *, names_authors=True):
    changes = AdministrativeChanges(lambda: 0, NoRequestErrors(), names_authors=names_authors)
    ids = RequestIds(INCARNATION, 7, "admin-1")
    return RequestChecks(None, None, changes).admit(request, ANONYMOUS, caller, ids).author


def test_a_change_has_an_author_and_what_nodes_ask_for_has_none():
    """Heartbeats and the like grow, or a change has no name."""
    forwarded = replace(ALICE, is_forwarded=True)
    for caller in (ALICE, forwarded):
        _, author = read_author(b"\1" + authored(UNREGISTER, caller))
        assert author == Author("User:alice", "admin-1", INCARNATION, 7)
    assert authored(t.CreateTopics(topics("a"), validate_only=True), ALICE) == b""
    assert authored(beat(1, 1, 0), ALICE) == b""
    assert authored(UNREGISTER, ALICE, names_authors=False) == b""
