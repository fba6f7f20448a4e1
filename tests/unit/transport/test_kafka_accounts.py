"""Quotas, SCRAM credentials and producer ids over Kafka's protocol."""

from __future__ import annotations

import pytest

from kraftpy.controller.account_requests import (
    AllocateProducerIds,
    AllocateProducerIdsResponse,
    AlterClientQuotas,
    AlterClientQuotasResponse,
    AlterUserScramCredentials,
    AlterUserScramCredentialsResponse,
    QuotaAlteration,
    QuotaResult,
    ScramResult,
    ScramUpsertion,
)
from kraftpy.image.scram import ScramUser
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.generated import rpc
from tests.unit.transport.kafka_node import FakeNode

ENTITY = (("user", "alice"), ("client-id", None))
NOT_ACTIVE = ApiError(ErrorCode.NOT_CONTROLLER, "node 2 is")


def quotas():
    pairs = [rpc.AlterClientQuotasRequestEntityData(*one) for one in ENTITY]
    op = rpc.AlterClientQuotasRequestOpData
    ops = [op("producer_byte_rate", 5.0, remove=False), op("consumer_byte_rate", 9.0, remove=True)]
    return rpc.AlterClientQuotasRequest([rpc.AlterClientQuotasRequestEntryData(pairs, ops)], validate_only=True)


@pytest.mark.parametrize("version", [0, 1])
def test_quotas(version):
    """A removal has no value; the answer names each entity again."""
    node = FakeNode()
    node.ask(quotas(), version)
    values = (("producer_byte_rate", 5.0), ("consumer_byte_rate", None))
    assert node.submitted[0][0].request == AlterClientQuotas(
        entries=(QuotaAlteration(ENTITY, values),), validate_only=True
    )
    node.commit(AlterClientQuotasResponse(results=(QuotaResult(ENTITY, ErrorCode.INVALID_REQUEST, "no"),)))
    (entry,) = node.answer().entries
    assert (entry.error_code, entry.error_message) == (ErrorCode.INVALID_REQUEST, "no")
    assert [(part.entity_type, part.entity_name) for part in entry.entity] == list(ENTITY)


def test_quotas_at_another_controller():
    """The message has no error of its own: every entity has it."""
    node = FakeNode()
    node.ask(quotas(), 1)
    node.settle(NOT_ACTIVE)
    (entry,) = node.answer().entries
    assert (entry.error_code, entry.error_message) == (ErrorCode.NOT_CONTROLLER, "node 2 is")


def credentials():
    deletion = rpc.AlterUserScramCredentialsRequestScramCredentialDeletion("bob", 2)
    upsertion = rpc.AlterUserScramCredentialsRequestScramCredentialUpsertion("alice", 1, 4096, b"s", b"p")
    return rpc.AlterUserScramCredentialsRequest([deletion], [upsertion])


def test_credentials():
    """Users are answered by their names."""
    node = FakeNode()
    node.ask(credentials())
    assert node.submitted[0][0].request == AlterUserScramCredentials(
        deletions=(ScramUser(2, "bob"),),
        upsertions=(ScramUpsertion(user=ScramUser(1, "alice"), iterations=4096, salt=b"s", salted_password=b"p"),),
    )
    rows = (ScramResult("bob", ErrorCode.RESOURCE_NOT_FOUND, "none"), ScramResult("alice"))
    node.commit(AlterUserScramCredentialsResponse(results=rows))
    found = [(one.user, one.error_code, one.error_message) for one in node.answer().results]
    assert found == [("bob", ErrorCode.RESOURCE_NOT_FOUND, "none"), ("alice", 0, None)]


def test_credentials_at_another_controller():
    """Every user has the error, once."""
    node = FakeNode()
    message = credentials()
    message.deletions.append(rpc.AlterUserScramCredentialsRequestScramCredentialDeletion("alice", 1))
    node.ask(message)
    node.settle(NOT_ACTIVE)
    assert [(one.user, one.error_code) for one in node.answer().results] == [("bob", 41), ("alice", 41)]


def test_producer_ids():
    """A block, or an error."""
    node = FakeNode()
    node.ask(rpc.AllocateProducerIdsRequest(7, 70))
    assert node.submitted[0][0].request == AllocateProducerIds(broker_id=7, broker_epoch=70)
    node.commit(AllocateProducerIdsResponse(start=3_000, length=1_000))
    answer = node.answer()
    assert (answer.error_code, answer.producer_id_start, answer.producer_id_len) == (0, 3_000, 1_000)
    other = FakeNode()
    other.ask(rpc.AllocateProducerIdsRequest(7, 70))
    other.settle(NOT_ACTIVE)
    assert other.answer().error_code == ErrorCode.NOT_CONTROLLER
