"""AlterConfigs, versions 0 to 2: all configs of each resource, as clients ask for that are older than KIP-339.

Source: KIP-133; Kafka ``ControllerApis.handleLegacyAlterConfigs``.
"""

from __future__ import annotations

from typing import Any

from kraftpy.controller.requests import ConfigResource, IncrementalAlterConfigsResponse, ReplaceConfigs
from kraftpy.model.errors import ApiError
from kraftpy.records.generated import rpc
from kraftpy.transport.grpc.backend import Outcome


def replace_from_wire(message: rpc.AlterConfigsRequest, version: int) -> ReplaceConfigs:
    """Read what each resource shall have."""
    del version
    return ReplaceConfigs(
        resources=tuple(
            (
                ConfigResource(one.resource_type, one.resource_name),
                tuple((config.name, config.value) for config in one.configs),
            )
            for one in message.resources
        ),
        validate_only=message.validate_only,
    )


def replace_to_wire(outcome: Outcome, message: Any) -> rpc.AlterConfigsResponse:
    """Write one row per resource, in the order asked, also for one that was named twice; a refusal is every one's."""
    row = rpc.AlterConfigsResponseAlterConfigsResourceResponse
    if isinstance(outcome, ApiError):
        rows = [row(outcome.code, outcome.message, one.resource_type, one.resource_name) for one in message.resources]
    else:
        response = outcome.response
        assert isinstance(response, IncrementalAlterConfigsResponse)
        rows = [row(one.error, one.message or None, one.resource.type, one.resource.name) for one in response.results]
    by_resource = {(one.resource_type, one.resource_name): one for one in rows}
    return rpc.AlterConfigsResponse(responses=list(by_resource.values()))
