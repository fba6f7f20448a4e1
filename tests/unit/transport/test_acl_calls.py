"""Access control entries over the public API: what is read, what is answered, and what is refused."""

from __future__ import annotations

from dataclasses import astuple, replace

import pytest

from kraftpy.client import values as v
from kraftpy.client.async_client import AsyncClient
from kraftpy.controller import acl_requests as r
from kraftpy.image.acls import AccessControlEntry
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, common_pb2
from kraftpy.records.metadata import AccessControlEntryRecord
from kraftpy.transport.grpc import acl_reads, acl_writes
from kraftpy.transport.grpc.orders import Orders
from kraftpy.transport.node_api import MetadataView
from tests.unit.transport.fake_backend import FakeBackend, serving

MIB = 1 << 20
READ = v.AclEntry(
    resource_type=v.AclResourceType.TOPIC,
    resource_name="orders",
    principal="User:alice",
    operation=v.AclOperation.READ,
)
PREFIX = replace(READ, resource_name="ord", pattern_type=v.PatternType.PREFIXED, principal="User:bob")
DENY = replace(READ, host="10.0.0.1", permission_type=v.PermissionType.DENY)


def image(*entries):
    delta = MetadataDelta(EMPTY)
    for number, entry in enumerate(entries):
        numbers = [int(each) if isinstance(each, int) else each for each in astuple(entry)]
        delta.replay(AccessControlEntryRecord(bytes([number]) * 16, *numbers))
    return delta.apply(Provenance(7, 1, 0, batch_aligned=True))


def view(*entries, acls_enabled=True):
    return MetadataView(7, 1, 0, image(*entries), "cluster", acls_enabled=acls_enabled)


MATCHES = {
    "all": (v.EVERY_ACL, (PREFIX, READ, DENY)),
    "a principal": (v.AclMatch(principal="User:bob"), (PREFIX,)),
    "a host": (v.AclMatch(host="10.0.0.1"), (DENY,)),
    "a permission": (v.AclMatch(permission_type=v.PermissionType.ALLOW), (PREFIX, READ)),
    "a name": (v.AclMatch(resource_name="orders"), (READ, DENY)),
    "all that apply to a name": (
        v.AclMatch(resource_name="orders", pattern_type=v.PatternType.MATCH),
        (PREFIX, READ, DENY),
    ),
    "another operation": (v.AclMatch(operation=v.AclOperation.WRITE), ()),
    "another type": (v.AclMatch(resource_type=v.AclResourceType.GROUP), ()),
}


@pytest.mark.parametrize("case", MATCHES)
async def test_entries_are_listed_by_resource(case):
    match, expected = MATCHES[case]
    backend = FakeBackend()
    backend.image = image(DENY, READ, PREFIX)
    async with serving(backend) as server, AsyncClient([f"127.0.0.1:{server.port}"], timeout_s=10) as client:
        found = await client.describe_acls(match)
    assert found.entries == expected


async def test_the_client_asks_and_reads_outcomes():
    """Each argument of the client reaches the controller, and each outcome comes back."""
    backend = FakeBackend()
    async with serving(backend) as server, AsyncClient([f"127.0.0.1:{server.port}"], timeout_s=10) as client:
        created = await client.create_acls([PREFIX, DENY], validate_only=True)
        deleted = await client.delete_acls([v.AclMatch(principal="User:alice", host="*"), v.EVERY_ACL])
    assert [one.request for group in backend.groups for one in group] == [
        r.CreateAcls(
            entries=(
                AccessControlEntry(2, "ord", 4, "User:bob", "*", 3, 3),
                AccessControlEntry(2, "orders", 3, "User:alice", "10.0.0.1", 3, 2),
            ),
            validate_only=True,
        ),
        r.DeleteAcls(
            filters=(r.AclFilter(1, None, 1, "User:alice", "*", 1, 1), r.AclFilter(1, None, 1, None, None, 1, 1))
        ),
    ]
    refused = v.AclOutcome(error=ErrorCode.INVALID_REQUEST, message="no")
    assert created.outcomes == (v.AclOutcome(), refused)
    assert deleted.outcomes == (v.AclOutcome(entries=(READ,)), refused)


def test_a_read_is_refused():
    """Without an authorizer, with a number that means nothing, and when one entry is larger than an answer may be."""
    request = cluster_pb2.DescribeAclsRequest()
    with pytest.raises(ApiError, match=r"No Authorizer is configured\.") as refused:
        acl_reads.describe_acls(request, view(READ, acls_enabled=False), Orders(), MIB)
    assert refused.value.code is ErrorCode.SECURITY_DISABLED
    unset = cluster_pb2.DescribeAclsRequest(filter=common_pb2.AclFilter(principal="User:alice"))
    with pytest.raises(ApiError, match=r"Unknown patternFilter\."):
        acl_reads.describe_acls(unset, view(READ), Orders(), MIB)
    with pytest.raises(ApiError, match="an answer may take 30: ") as refused:
        acl_reads.describe_acls(request, view(READ, PREFIX), Orders(), 30)
    assert refused.value.code is ErrorCode.POLICY_VIOLATION


@pytest.mark.parametrize(
    ("decode", "message", "text"),
    [
        (
            acl_writes.create_acls,
            admin_pb2.CreateAclsRequest(entries=[common_pb2.AclEntry()] * (acl_writes.REQUEST_ACLS_MAX + 1)),
            "10001 entries, at most 10000 are allowed",
        ),
        (
            acl_writes.delete_acls,
            admin_pb2.DeleteAclsRequest(filters=[common_pb2.AclFilter()] * (acl_writes.REQUEST_ACLS_MAX + 1)),
            "10001 filters, at most 10000 are allowed",
        ),
    ],
)
def test_requests_are_bounded(decode, message, text):
    with pytest.raises(ApiError, match=text) as refused:
        decode(message)
    assert refused.value.code is ErrorCode.INVALID_REQUEST


async def test_a_number_of_a_later_release_is_listed_as_unknown():
    """An entry that other software wrote does not stop the list."""
    backend = FakeBackend()
    delta = MetadataDelta(EMPTY)
    delta.replay(AccessControlEntryRecord(bytes(16), 9, "n", 3, "User:alice", "*", 99, 3))
    backend.image = delta.apply(Provenance(7, 1, 0, batch_aligned=True))
    async with serving(backend) as server, AsyncClient([f"127.0.0.1:{server.port}"], timeout_s=10) as client:
        (found,) = (await client.describe_acls()).entries
    assert (found.resource_type, found.operation) == (v.AclResourceType.UNKNOWN, v.AclOperation.UNKNOWN)
