"""AlterClientQuotas, AlterUserScramCredentials and AllocateProducerIds.

Source: KIP-546, KIP-554, KIP-730; Kafka ``ControllerApis``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kraftpy.controller.account_requests import (
    AllocateProducerIds,
    AllocateProducerIdsResponse,
    AlterClientQuotas,
    AlterClientQuotasResponse,
    AlterUserScramCredentials,
    AlterUserScramCredentialsResponse,
    QuotaAlteration,
    ScramUpsertion,
)
from kraftpy.image.scram import ScramUser
from kraftpy.model.errors import ApiError
from kraftpy.records.generated import rpc
from kraftpy.transport.node_api import Outcome


def quotas_from_wire(message: rpc.AlterClientQuotasRequest, version: int) -> AlterClientQuotas:
    """Read which quotas change."""
    del version
    return AlterClientQuotas(
        entries=tuple(
            QuotaAlteration(
                entity=tuple((part.entity_type, part.entity_name) for part in entry.entity),
                values=tuple((one.key, None if one.remove else one.value) for one in entry.ops),
            )
            for entry in message.entries
        ),
        validate_only=message.validate_only,
    )


def quotas_to_wire(outcome: Outcome, message: Any) -> rpc.AlterClientQuotasResponse:
    """Write what became of each entity; a refusal of the whole request is every entity's."""
    row = rpc.AlterClientQuotasResponseEntryData
    if isinstance(outcome, ApiError):
        entities = [[(part.entity_type, part.entity_name) for part in entry.entity] for entry in message.entries]
        rows = [row(outcome.code, outcome.message, _entity(one)) for one in entities]
    else:
        assert isinstance(outcome.response, AlterClientQuotasResponse)
        rows = [row(one.error, one.message or None, _entity(one.entity)) for one in outcome.response.results]
    return rpc.AlterClientQuotasResponse(entries=rows)


def _entity(pairs: Sequence[tuple[str, str | None]]) -> list[rpc.AlterClientQuotasResponseEntityData]:
    return [rpc.AlterClientQuotasResponseEntityData(kind, name) for kind, name in pairs]


def scram_from_wire(message: rpc.AlterUserScramCredentialsRequest, version: int) -> AlterUserScramCredentials:
    """Read which credentials are deleted and set."""
    del version
    return AlterUserScramCredentials(
        deletions=tuple(ScramUser(one.mechanism, one.name) for one in message.deletions),
        upsertions=tuple(
            ScramUpsertion(
                user=ScramUser(one.mechanism, one.name),
                iterations=one.iterations,
                salt=one.salt,
                salted_password=one.salted_password,
            )
            for one in message.upsertions
        ),
    )


def scram_to_wire(outcome: Outcome, message: Any) -> rpc.AlterUserScramCredentialsResponse:
    """Write what became of each user; a refusal of the whole request is every user's."""
    row = rpc.AlterUserScramCredentialsResponseAlterUserScramCredentialsResult
    if isinstance(outcome, ApiError):
        names = dict.fromkeys(one.name for one in (*message.deletions, *message.upsertions))
        rows = [row(name, outcome.code, outcome.message) for name in names]
    else:
        assert isinstance(outcome.response, AlterUserScramCredentialsResponse)
        rows = [row(one.name, one.error, one.message or None) for one in outcome.response.results]
    return rpc.AlterUserScramCredentialsResponse(results=rows)


def producer_ids_from_wire(message: rpc.AllocateProducerIdsRequest, version: int) -> AllocateProducerIds:
    """Read which broker needs ids."""
    del version
    return AllocateProducerIds(broker_id=message.broker_id, broker_epoch=message.broker_epoch)


def producer_ids_to_wire(outcome: Outcome, message: Any) -> rpc.AllocateProducerIdsResponse:
    """Write the block."""
    del message
    if isinstance(outcome, ApiError):
        return rpc.AllocateProducerIdsResponse(error_code=outcome.code)
    assert isinstance(outcome.response, AllocateProducerIdsResponse)
    block = outcome.response
    return rpc.AllocateProducerIdsResponse(producer_id_start=block.start, producer_id_len=block.length)
