"""The authorizer against a naive model of Kafka's documented rules, its index, and what a decision costs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.authorizer.actions import CLUSTER, AclResource, Action, Caller
from kraftpy.authorizer.standard import StandardAuthorizer
from kraftpy.image.acls import AccessControlEntry, AclsDelta, AclsImage
from kraftpy.model.acls import AclOperation, AclResourceType, PatternType, PermissionType
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.metadata import AccessControlEntryRecord, RemoveAccessControlEntryRecord

NAMES = ("a", "ab", "abc", "b", "*", "a*")
PRINCIPALS = ("User:alice", "User:bob", "User:*", "Group:g", "Group:*")
HOSTS = ("*", "10.0.0.1", "10.0.0.2", "0:0:0:0:0:0:0:1")
RANGES = {"10.0.0.0/24": ("10.0.0.1", "10.0.0.2"), "10.0.0.3/31": ("10.0.0.2",), "::/0": HOSTS[3:], "no/range": ()}
"""Ranges of addresses, and which of the hosts are in them."""
OPERATIONS = [each for each in AclOperation if each >= AclOperation.READ]
TYPES = (AclResourceType.TOPIC, AclResourceType.GROUP)

ENTRIES = st.builds(
    AccessControlEntry,
    resource_type=st.sampled_from(TYPES),
    resource_name=st.sampled_from(NAMES),
    pattern_type=st.sampled_from((PatternType.LITERAL, PatternType.PREFIXED)),
    principal=st.sampled_from(PRINCIPALS),
    host=st.sampled_from((*HOSTS, *RANGES)),
    operation=st.sampled_from([AclOperation.ALL, *OPERATIONS]),
    permission_type=st.sampled_from((PermissionType.DENY, PermissionType.ALLOW)),
)
CALLERS = st.builds(Caller, principal=st.sampled_from(PRINCIPALS), host=st.sampled_from(HOSTS[1:]))
ACTIONS = st.builds(
    Action,
    operation=st.sampled_from(OPERATIONS),
    resource=st.builds(AclResource, st.sampled_from(TYPES), st.sampled_from(NAMES)),
)


def by_the_rules(entries, caller, action, *, allow_without_entries):
    """Decide as Kafka's documentation describes, by a walk over all entries."""
    about = [
        entry
        for entry in entries
        if entry.resource_type == action.resource.type
        and (
            entry.resource_name in ("*", action.resource.name)
            if entry.pattern_type == PatternType.LITERAL
            else action.resource.name.startswith(entry.resource_name)
        )
    ]
    if not about:
        return allow_without_entries
    own = [
        one
        for one in about
        if one.principal in ("User:*", caller.principal)
        and (one.host in ("*", caller.host) or caller.host in RANGES.get(one.host, ()))
    ]
    denied = {one.operation for one in own if one.permission_type == PermissionType.DENY}
    allowed = {one.operation for one in own if one.permission_type == PermissionType.ALLOW}
    if denied & {AclOperation.ALL, action.operation}:
        return False
    enough = {AclOperation.ALL, action.operation}
    if action.operation == AclOperation.DESCRIBE:
        enough |= {AclOperation.READ, AclOperation.WRITE, AclOperation.DELETE, AclOperation.ALTER}
    if action.operation == AclOperation.DESCRIBE_CONFIGS:
        enough |= {AclOperation.ALTER_CONFIGS}
    return bool(allowed & enough)


def image_of(*entries):
    return changed(AclsImage(), add=entries)


def changed(image, *, add=(), remove=()):
    """The image with entries added, and those with these ids removed."""
    return delta_of(image, add=add, remove=remove).apply()


def delta_of(image, *, add=(), remove=()):
    delta = AclsDelta(image)
    first = 1 + max((int.from_bytes(one) for one in image.entries), default=0)
    for number, entry in enumerate(add, first):
        delta.replay_entry(
            AccessControlEntryRecord(
                number.to_bytes(16),
                entry.resource_type,
                entry.resource_name,
                entry.pattern_type,
                entry.principal,
                entry.host,
                entry.operation,
                entry.permission_type,
            )
        )
    for acl_id in remove:
        delta.replay_removal(RemoveAccessControlEntryRecord(id=acl_id))
    return delta


def authorizer_of(*entries, **options):
    made = StandardAuthorizer(**options)
    made.takes_ranges = True
    made.load(image_of(*entries))
    return made


@given(entries=st.lists(ENTRIES, max_size=8), caller=CALLERS, action=ACTIONS, default=st.booleans())
def test_it_decides_as_the_rules_describe(entries, caller, action, default):
    authorizer = authorizer_of(*entries, allow_without_entries=default)
    assert authorizer.allows(caller, action) == by_the_rules(entries, caller, action, allow_without_entries=default)


@given(
    first=st.lists(ENTRIES, max_size=6),
    steps=st.lists(st.tuples(st.lists(ENTRIES, max_size=3), st.lists(st.integers(0, 9), max_size=4)), max_size=4),
    caller=CALLERS,
    action=ACTIONS,
)
def test_following_deltas_is_loading_again(first, steps, caller, action):
    """Entries that come and go one by one leave the index that a load of the last image makes."""
    image = image_of(*first)
    authorizer = StandardAuthorizer()
    authorizer.load(image)
    for add, places in steps:
        ids = sorted(image.entries)
        delta = delta_of(image, add=add, remove={ids[place] for place in places if place < len(ids)})
        image = delta.apply()
        authorizer.change(delta)
    other = StandardAuthorizer()
    other.load(image)
    assert authorizer._entries == other._entries
    assert authorizer._prefix_lengths == other._prefix_lengths
    assert authorizer.allows(caller, action) == other.allows(caller, action)


READ = AccessControlEntry(
    resource_type=AclResourceType.TOPIC,
    resource_name="orders",
    pattern_type=PatternType.LITERAL,
    principal="User:alice",
    host="*",
    operation=AclOperation.READ,
    permission_type=PermissionType.ALLOW,
)
ALICE = Caller("User:alice", "10.0.0.1")
ORDERS = AclResource(AclResourceType.TOPIC, "orders")


def test_a_super_user_may_do_everything_at_any_time():
    """Before the entries are loaded, and against a DENY; others wait until they are loaded."""
    authorizer = StandardAuthorizer(["User:admin"])
    admin = Caller("User:admin", "10.0.0.9")
    assert authorizer.allows(admin, Action(AclOperation.ALTER))
    with pytest.raises(ApiError, match="has not loaded the access control entries yet") as refused:
        authorizer.allows(ALICE, Action(AclOperation.READ, ORDERS))
    assert refused.value.code is ErrorCode.OFFSET_NOT_AVAILABLE
    deny = replace(READ, principal="User:*", permission_type=PermissionType.DENY, operation=AclOperation.ALL)
    authorizer.load(image_of(READ, deny))
    assert authorizer.allows(admin, Action(AclOperation.READ, ORDERS))
    assert not authorizer.allows(ALICE, Action(AclOperation.READ, ORDERS))


def test_a_deny_implies_nothing():
    """ALLOW of READ implies DESCRIBE; DENY of READ does not deny it."""
    describe = Action(AclOperation.DESCRIBE, ORDERS)
    assert authorizer_of(READ).allows(ALICE, describe)
    allow_all = replace(READ, operation=AclOperation.ALL)
    deny_read = replace(READ, permission_type=PermissionType.DENY)
    authorizer = authorizer_of(allow_all, deny_read)
    assert authorizer.allows(ALICE, describe)
    assert not authorizer.allows(ALICE, Action(AclOperation.READ, ORDERS))


def test_the_default_is_for_resources_without_entries():
    """An entry of anybody on a resource ends the default for it."""
    lenient = authorizer_of(READ, allow_without_entries=True)
    bob = Caller("User:bob", "10.0.0.1")
    assert lenient.allows(bob, Action(AclOperation.ALTER))
    assert lenient.allows(bob, Action(AclOperation.READ, AclResource(AclResourceType.TOPIC, "bills")))
    assert not lenient.allows(bob, Action(AclOperation.READ, ORDERS))
    assert not authorizer_of(READ).allows(bob, Action(AclOperation.ALTER))


def test_the_wildcard_is_a_name_of_user_alone():
    """``User:*`` is everyone, also principals of other types; ``Group:*`` is one principal."""
    group = Caller("Group:g", "10.0.0.1")
    action = Action(AclOperation.READ, ORDERS)
    assert authorizer_of(replace(READ, principal="User:*")).allows(group, action)
    assert not authorizer_of(replace(READ, principal="Group:*")).allows(group, action)


def test_a_decision_looks_at_few_of_many_entries(monkeypatch):
    """Of 100,000 entries only those are compared whose pattern and principal match."""
    others = [replace(READ, resource_name=f"orders-{number}") for number in range(50_000)]
    prefixes = [
        replace(READ, resource_name=f"p{number}-", pattern_type=PatternType.PREFIXED) for number in range(49_000)
    ]
    readers = [replace(READ, principal=f"User:{number}") for number in range(1_000)]
    authorizer = authorizer_of(*others, *prefixes, *readers, READ)
    compared = []

    def counting(entry, *about, **options):
        compared.append(entry)
        return real(entry, *about, **options)

    from kraftpy.authorizer import standard

    real = standard.applies
    monkeypatch.setattr(standard, "applies", counting)
    assert authorizer.allows(ALICE, Action(AclOperation.READ, ORDERS))
    assert compared == [READ]
    assert len(list(authorizer._patterns(AclResource(AclResourceType.TOPIC, "p7-x")))) == 1
    assert sum(len(lengths) for lengths in authorizer._prefix_lengths.values()) == 5


def test_below_their_level_ranges_match_no_address():
    """An entry that had no effect in a log of Kafka 4.3 is not suddenly a grant."""
    authorizer = authorizer_of(replace(READ, host="10.0.0.0/8"))
    caller = replace(ALICE, host="10.0.0.1")
    assert authorizer.allows(caller, Action(AclOperation.READ, ORDERS))
    authorizer.takes_ranges = False
    assert not authorizer.allows(caller, Action(AclOperation.READ, ORDERS))


def test_actions_are_shown_as_operators_write_them():
    assert str(Action(AclOperation.ALTER, CLUSTER)) == "ALTER on CLUSTER kafka-cluster"
    assert str(Action(AclOperation.READ, ORDERS)) == "READ on TOPIC orders"
