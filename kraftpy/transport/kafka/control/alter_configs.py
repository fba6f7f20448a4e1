"""IncrementalAlterConfigs and AlterConfigs: changing configs of several resources, one result per resource.

Source: KIP-339, KIP-133; Kafka ``ControllerApis.handleIncrementalAlterConfigs``, ``handleLegacyAlterConfigs``.
"""

from __future__ import annotations

from typing import Any

from kraftpy.controller.requests import (
    ConfigAlteration,
    ConfigResource,
    ConfigResult,
    IncrementalAlterConfigs,
    IncrementalAlterConfigsResponse,
    ReplaceConfigs,
)
from kraftpy.model.errors import ApiError
from kraftpy.records.generated import rpc
from kraftpy.transport.node_api import Outcome


def alter_from_wire(message: rpc.IncrementalAlterConfigsRequest, version: int) -> IncrementalAlterConfigs:
    """Read what is to be done with each key."""
    del version
    return IncrementalAlterConfigs(
        resources=tuple(
            [
                (
                    ConfigResource(one.resource_type, one.resource_name),
                    tuple([ConfigAlteration(each.name, each.config_operation, each.value) for each in one.configs]),
                )
                for one in message.resources
            ]
        ),
        validate_only=message.validate_only,
    )


def alter_to_wire(outcome: Outcome, message: Any) -> rpc.IncrementalAlterConfigsResponse:
    """Write one row per resource, in the order asked, also for one that was named twice; a refusal is every one's."""
    row = rpc.IncrementalAlterConfigsResponseAlterConfigsResourceResponse
    if isinstance(outcome, ApiError):
        code, text = outcome.code, outcome.message
        rows = [row(code, text, one.resource_type, one.resource_name) for one in message.resources]
    else:
        rows = [row(one.error, one.message or None, *one.resource) for one in _results(outcome.response)]
    by_resource = {(one.resource_type, one.resource_name): one for one in rows}
    return rpc.IncrementalAlterConfigsResponse(responses=list(by_resource.values()))


def replace_from_wire(message: rpc.AlterConfigsRequest, version: int) -> ReplaceConfigs:
    """Decode the new configuration of each resource."""
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
        code, text = outcome.code, outcome.message
        rows = [row(code, text, one.resource_type, one.resource_name) for one in message.resources]
    else:
        rows = [row(one.error, one.message or None, *one.resource) for one in _results(outcome.response)]
    by_resource = {(one.resource_type, one.resource_name): one for one in rows}
    return rpc.AlterConfigsResponse(responses=list(by_resource.values()))


def _results(response: object) -> tuple[ConfigResult, ...]:
    assert isinstance(response, IncrementalAlterConfigsResponse)
    return response.results
