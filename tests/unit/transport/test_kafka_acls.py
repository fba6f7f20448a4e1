"""Access control entries over Kafka's protocol."""

from __future__ import annotations

from dataclasses import astuple, replace

import pytest

from kraftpy.controller.acl_requests import (
    AclCreation,
    AclDeletion,
    AclFilter,
    CreateAcls,
    CreateAclsResponse,
    DeleteAcls,
    DeleteAclsResponse,
)
from kraftpy.image.acls import AccessControlEntry
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import AccessControlEntryRecord
from tests.unit.transport.kafka_node import FakeNode

VERSIONS = (1, 2, 3)
READ = AccessControlEntry(2, "orders", 3, "User:alice", "*", 3, 3)
PREFIX = AccessControlEntry(2, "ord", 4, "User:alice", "*", 4, 3)
DENY = replace(READ, principal="User:bob", host="10.0.0.1", permission_type=2)
NOT_ACTIVE = ApiError(ErrorCode.NOT_CONTROLLER, "node 2 is")


def creation(*entries):
    row = rpc.CreateAclsRequestAclCreation
    return rpc.CreateAclsRequest([row(*astuple(entry)) for entry in entries])


def deletion(*filters):
    return rpc.DeleteAclsRequest([rpc.DeleteAclsRequestDeleteAclsFilter(*one) for one in filters])


def with_entries(*entries):
    node = FakeNode()
    delta = MetadataDelta(EMPTY)
    for number, entry in enumerate(entries):
        delta.replay(AccessControlEntryRecord(bytes([number]) * 16, *astuple(entry)))
    node.image = delta.apply(Provenance(7, 1, 0, batch_aligned=True))
    return node


@pytest.mark.parametrize("version", VERSIONS)
def test_creation(version):
    """A result for each entry, in order; without an error the text is empty, as Kafka's."""
    node = FakeNode()
    node.ask(creation(READ, PREFIX), version)
    assert node.submitted[0][0].request == CreateAcls(entries=(READ, PREFIX))
    node.commit(CreateAclsResponse(results=(AclCreation(), AclCreation(ErrorCode.INVALID_REQUEST, "no"))))
    found = [(one.error_code, one.error_message) for one in node.answer().results]
    assert found == [(0, ""), (ErrorCode.INVALID_REQUEST, "no")]


@pytest.mark.parametrize("version", VERSIONS)
def test_deletion(version):
    """What each filter matched is listed under it."""
    node = FakeNode()
    one = AclFilter(2, None, 1, "User:alice", None, 1, 3)
    node.ask(deletion(one), version)
    assert node.submitted[0][0].request == DeleteAcls(filters=(one,))
    node.commit(DeleteAclsResponse(results=(AclDeletion((PREFIX,)),)))
    (result,) = node.answer().filter_results
    assert (result.error_code, result.error_message) == (0, None)
    (found,) = result.matching_acls
    assert (found.error_code, found.resource_name, found.pattern_type, found.principal) == (0, "ord", 4, "User:alice")


@pytest.mark.parametrize("message", [creation(READ, PREFIX), deletion(AclFilter(1, None, 1, None, None, 1, 1))])
def test_an_error_of_the_whole_request_is_every_rows(message):
    node = FakeNode()
    node.ask(message, 3)
    node.settle(NOT_ACTIVE)
    answer = node.answer()
    rows = answer.results if isinstance(message, rpc.CreateAclsRequest) else answer.filter_results
    assert [(row.error_code, row.error_message) for row in rows] == [(ErrorCode.NOT_CONTROLLER, "node 2 is")] * len(
        message.creations if isinstance(message, rpc.CreateAclsRequest) else message.filters
    )


def described(answer):
    return [
        ((row.resource_type, row.resource_name, row.pattern_type), [(one.principal, one.operation) for one in row.acls])
        for row in answer.resources
    ]


@pytest.mark.parametrize("version", VERSIONS)
def test_description(version):
    """Entries by resource; the filter decides which."""
    node = with_entries(READ, DENY, PREFIX)
    everything = rpc.DescribeAclsRequest(1, None, 1, None, None, 1, 1)
    assert described(node.ask(everything, version)) == [
        ((2, "ord", 4), [("User:alice", 4)]),
        ((2, "orders", 3), [("User:alice", 3), ("User:bob", 3)]),
    ]
    of_bob = rpc.DescribeAclsRequest(2, "orders", 2, "User:bob", None, 1, 1)
    assert described(node.ask(of_bob, version)) == [((2, "orders", 3), [("User:bob", 3)])]


def test_a_description_is_refused():
    """Without an authorizer, with a number that means nothing, and by a node without a state."""
    node = with_entries(READ)
    unknown = node.ask(rpc.DescribeAclsRequest(1, None, 9, None, None, 1, 1), 3)
    assert (unknown.error_code, unknown.error_message) == (ErrorCode.INVALID_REQUEST, "Unknown patternFilter.")
    everything = rpc.DescribeAclsRequest(1, None, 1, None, None, 1, 1)
    node.acls_enabled = False
    off = node.ask(everything, 3)
    assert (off.error_code, off.resources) == (ErrorCode.SECURITY_DISABLED, [])
    node.refusal = ApiError(ErrorCode.OFFSET_NOT_AVAILABLE, "loading")
    assert node.ask(everything, 3).error_code == ErrorCode.OFFSET_NOT_AVAILABLE
