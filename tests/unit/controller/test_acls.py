"""Access control entries: every check, what is written, and how much work filters may make."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.controller import acls
from kraftpy.controller.acl_requests import AclFilter, CreateAcls, DeleteAcls
from kraftpy.image.acls import AccessControlEntry
from kraftpy.model.acls import AclOperation, AclResourceType, PatternType, PermissionType
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.metadata import AccessControlEntryRecord, RemoveAccessControlEntryRecord
from tests.unit.controller.worlds import UNSTABLE, World, uuid

READ = AccessControlEntry(
    resource_type=AclResourceType.TOPIC,
    resource_name="orders",
    pattern_type=PatternType.LITERAL,
    principal="User:alice",
    host="*",
    operation=AclOperation.READ,
    permission_type=PermissionType.ALLOW,
)
PREFIX = replace(READ, resource_name="ord", pattern_type=PatternType.PREFIXED)
ALL_TOPICS = replace(READ, resource_name="*")
OTHER = replace(READ, resource_name="bills", principal="User:bob", host="10.0.0.1")
ANY = AclFilter(1, None, 1, None, None, 1, 1)


def secured(*entries):
    """A world with an authorizer and these entries."""
    world = World(config=replace(UNSTABLE, acls_enabled=True))
    if entries:
        create(world, *entries)
    return world


def create(world, *entries):
    records, response = world.do(CreateAcls(entries=entries))
    return records, [tuple(one) for one in response.results]


def delete(world, *filters):
    records, response = world.do(DeleteAcls(filters=filters))
    return records, response.results


def held(world):
    return set(world.controller.image.acls.entries.values())


NO_COLON = (
    "Could not parse principal from `alice` (no colon is present separating the principal type from the principal name)"
)
OK = (ErrorCode.NONE, "")


@pytest.mark.parametrize("request_", [CreateAcls(entries=(READ,)), DeleteAcls(filters=(ANY,))])
def test_without_an_authorizer_nothing_is_accepted(request_):
    with pytest.raises(ApiError, match=r"No Authorizer is configured\.") as refused:
        World().do(request_)
    assert refused.value.code is ErrorCode.SECURITY_DISABLED


def test_an_entry_is_created_once():
    """Repeated in a request, or in a later one, it succeeds and writes nothing."""
    world = secured()
    records, results = create(world, READ, READ, OTHER)
    assert results == [OK] * 3
    assert [type(one) for one in records] == [AccessControlEntryRecord] * 2
    assert len({one.id for one in records}) == 2
    assert create(world, OTHER, READ) == ([], [OK, OK])
    assert held(world) == {READ, OTHER}


def test_an_id_is_never_taken_twice():
    """Ids that are taken are drawn again."""
    world = secured(READ)
    (taken,) = world.controller.image.acls.entries
    drawn = iter((taken, uuid(500), uuid(500), uuid(501)))
    world.controller._uuids.next = lambda: next(drawn)
    records, _ = create(world, OTHER, PREFIX)
    assert [one.id for one in records] == [uuid(500), uuid(501)]


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        (
            {"resource_type": 4, "resource_name": "k", "pattern_type": 1},
            "The only valid name for the CLUSTER resource is kafka-cluster",
        ),
        ({"resource_name": "", "resource_type": 1}, "Invalid empty resource name"),
        ({"resource_type": 1, "pattern_type": 2}, "Invalid resourceType ANY"),
        ({"resource_type": 99}, "Invalid resourceType UNKNOWN"),
        ({"resource_type": -1}, "Invalid resourceType UNKNOWN"),
        ({"pattern_type": 2, "operation": 1}, "Invalid patternType MATCH"),
        ({"operation": 1, "permission_type": 1}, "Invalid operation ANY"),
        ({"operation": 16}, "Invalid operation UNKNOWN"),
        ({"permission_type": 1, "principal": "alice"}, "Invalid permissionType ANY"),
        (
            {"principal": "alice", "host": "h" * 40_000},
            NO_COLON,
        ),
        ({"resource_name": "n" * 32_768}, "The resource name has 32768 bytes; a record holds at most 32767"),
        ({"principal": "User:" + "p" * 32_763}, "The principal has 32768 bytes; a record holds at most 32767"),
        ({"host": "h" * 32_768}, "The host has 32768 bytes; a record holds at most 32767"),
    ],
)
def test_the_checks_of_an_entry_in_their_order(changed, text):
    """Each example breaks a later check, too. An entry that fails leaves the other alone."""
    world = secured()
    records, results = create(world, replace(READ, **changed), OTHER)
    assert results == [(ErrorCode.INVALID_REQUEST, text), OK]
    assert len(records) == 1
    assert held(world) == {OTHER}


def test_the_total_is_limited(monkeypatch):
    monkeypatch.setattr(acls, "ACLS_MAX", 2)
    world = secured(READ)
    _, results = create(world, READ, OTHER, PREFIX)
    assert results[:2] == [OK, OK]
    assert results[2] == (
        ErrorCode.INVALID_REQUEST,
        "The cluster has 2 ACLs, the most there may be. Delete some.",
    )
    assert held(world) == {READ, OTHER}


FILTERS = {
    "all": (ANY, {READ, PREFIX, ALL_TOPICS, OTHER}),
    "a type without entries": (ANY._replace(resource_type=3), set()),
    "a name, any pattern": (ANY._replace(resource_name="ord"), {PREFIX}),
    "a literal name": (ANY._replace(resource_name="ord", pattern_type=3), set()),
    "literals": (ANY._replace(pattern_type=3), {READ, ALL_TOPICS, OTHER}),
    "all that apply": (ANY._replace(resource_name="orders", pattern_type=2), {READ, PREFIX, ALL_TOPICS}),
    "all that apply to a longer name": (ANY._replace(resource_name="orders2", pattern_type=2), {PREFIX, ALL_TOPICS}),
    "match without a name": (ANY._replace(pattern_type=2), {READ, PREFIX, ALL_TOPICS, OTHER}),
    "the wildcard itself": (ANY._replace(resource_name="*", pattern_type=3), {ALL_TOPICS}),
    "a principal": (ANY._replace(principal="User:bob"), {OTHER}),
    "a host": (ANY._replace(host="*"), {READ, PREFIX, ALL_TOPICS}),
    "an operation": (ANY._replace(operation=AclOperation.WRITE), set()),
    "a permission": (ANY._replace(permission_type=PermissionType.DENY), set()),
    "one entry": (AclFilter(2, "orders", 3, "User:alice", "*", 3, 3), {READ}),
    "no such entry": (AclFilter(2, "orders", 3, "User:alice", "*", 4, 3), set()),
}


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_deletes_what_it_matches(name):
    one, expected = FILTERS[name]
    world = secured(READ, PREFIX, ALL_TOPICS, OTHER)
    records, (result,) = delete(world, one)
    assert set(result.matched) == expected
    assert [type(record) for record in records] == [RemoveAccessControlEntryRecord] * len(expected)
    assert held(world) == {READ, PREFIX, ALL_TOPICS, OTHER} - expected


def test_what_several_filters_match_is_removed_once():
    """It is in the result of each; a filter with an unknown part fails alone; what is removed can be created again."""
    world = secured(READ, OTHER)
    records, results = delete(
        world, ANY._replace(host="*"), ANY._replace(resource_type=9), ANY, ANY._replace(permission_type=4)
    )
    assert len(records) == 2
    assert results[0].matched == (READ,)
    assert results[1].error is results[3].error is ErrorCode.INVALID_REQUEST
    assert (results[1].message, results[3].message) == ("Unknown patternFilter.", "Unknown entryFilter.")
    assert set(results[2].matched) == {READ, OTHER}
    assert len(create(world, READ, OTHER)[0]) == 2


def test_a_request_deletes_no_more_than_one_append(monkeypatch):
    """The whole request is rejected, also when no filter alone is over the limit."""
    monkeypatch.setattr(acls, "OPERATION_RECORDS_MAX", 1)
    world = secured(READ, OTHER)
    with pytest.raises(ApiError, match="Cannot remove more than 1 acls in a single delete operation") as refused:
        delete(world, ANY._replace(host="*"), ANY._replace(host="10.0.0.1"))
    assert refused.value.code is ErrorCode.INVALID_REQUEST
    assert held(world) == {READ, OTHER}


def test_the_comparisons_of_a_request_are_limited(monkeypatch):
    """One filter may compare with every entry. Filters that give every part are not compared, so they do not count."""
    monkeypatch.setattr(acls, "COMPARISONS_MAX", 3)
    world = secured(READ, OTHER)
    with pytest.raises(ApiError, match="would be compared 4 times with an ACL; a request may take 3 comparisons"):
        delete(world, ANY, ANY)
    monkeypatch.setattr(acls, "matches", lambda *_: pytest.fail("a filter without ANY was compared"))
    exact = FILTERS["one entry"][0]
    records, _ = delete(world, *[exact] * 10)
    assert len(records) == 1
    assert held(world) == {OTHER}


def test_the_results_of_a_request_are_limited(monkeypatch):
    """Filters that match the same entries remove them once, and list them each."""
    monkeypatch.setattr(acls, "MATCHES_MAX", 3)
    world = secured(READ, OTHER)
    with pytest.raises(ApiError, match="The filters match more than 3 ACLs, counted for each") as refused:
        delete(world, ANY, ANY)
    assert refused.value.code is ErrorCode.INVALID_REQUEST
    assert len(delete(world, ANY, ANY._replace(host="*"))[0]) == 2


def test_a_request_to_validate_writes_nothing():
    world = secured()
    records, response = world.do(CreateAcls(entries=(READ,), validate_only=True))
    assert (records, [tuple(one) for one in response.results]) == ([], [OK])
    assert held(world) == set()
