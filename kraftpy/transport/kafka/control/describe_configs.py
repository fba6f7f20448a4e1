"""DescribeConfigs, versions 1 to 4: the values that are set, and the defaults of the others.

Answered from what this node has published; what the keys of a resource hold is in
:mod:`~kraftpy.transport.config_entries`.

Source: Kafka ``ConfigHelper``; KIP-226, KIP-569.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from kraftpy.config_keys.types import ConfigType
from kraftpy.controller.topic_names import name_fault
from kraftpy.image.configs import CLUSTER_DEFAULT
from kraftpy.image.image import MetadataImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.generated import rpc
from kraftpy.transport.config_entries import DescribedKey, config_entries
from kraftpy.transport.node_api import MetadataView

ANSWER_BYTES_MAX: Final = 8 * 1024 * 1024
"""How large an answer may be; resources beyond it are refused, each by itself."""

NONE_DENIED: Final[Mapping[tuple[int, str], ApiError]] = MappingProxyType({})

ENTRY_BYTES: Final = 16
"""What a key takes in an answer besides its texts, about."""


BROKER_ID: Final = re.compile("[+-]?[0-9]+", re.ASCII)

_TYPES: Final = {
    ConfigType.BOOLEAN: 1,
    ConfigType.STRING: 2,
    ConfigType.INT: 3,
    ConfigType.LONG: 5,
    ConfigType.DOUBLE: 6,
    ConfigType.LIST: 7,
    ConfigType.PASSWORD: 9,
}
"""Source: Kafka ``DescribeConfigsResponse.ConfigType``."""
_UNKNOWN_TYPE: Final = 0


def describe_configs(
    message: rpc.DescribeConfigsRequest,
    view: MetadataView,
    node_id: NodeId,
    denied: Mapping[tuple[int, str], ApiError] = NONE_DENIED,
) -> rpc.DescribeConfigsResponse:
    """Describe each resource by itself; those of ``denied`` have these errors."""
    left = ANSWER_BYTES_MAX
    response = rpc.DescribeConfigsResponse()
    for asked in message.resources:
        result = rpc.DescribeConfigsResponseDescribeConfigsResult(
            error_message="", resource_type=asked.resource_type, resource_name=asked.resource_name
        )
        response.results.append(result)
        try:
            if (asked.resource_type, asked.resource_name) in denied:
                raise denied[asked.resource_type, asked.resource_name]
            _check_asked(asked, view.image, node_id)
            keys = frozenset(asked.configuration_keys) if asked.configuration_keys else None
            for entry in config_entries(asked.resource_type, asked.resource_name, view):
                if keys is not None and entry.name not in keys:
                    continue
                row = _row(entry, with_synonyms=message.include_synonyms)
                result.configs.append(row)
                left -= (1 + len(row.synonyms)) * (len(row.name) + len(row.value or "") + ENTRY_BYTES)
                if left < 0:
                    raise ApiError(
                        ErrorCode.POLICY_VIOLATION,
                        f"the answer takes more than {ANSWER_BYTES_MAX} bytes: ask for fewer resources at a time",
                    )
        except ApiError as refused:
            result.configs = []
            result.error_code, result.error_message = refused.code, refused.message
    return response


def configs_refused(message: rpc.DescribeConfigsRequest, refused: ApiError) -> rpc.DescribeConfigsResponse:
    """Refuse each resource, because this node cannot say anything of the state; the error is one to repeat."""
    results = [
        rpc.DescribeConfigsResponseDescribeConfigsResult(
            error_code=refused.code,
            error_message=refused.message,
            resource_type=asked.resource_type,
            resource_name=asked.resource_name,
        )
        for asked in message.resources
    ]
    return rpc.DescribeConfigsResponse(results=results)


def _check_asked(asked: rpc.DescribeConfigsRequestDescribeConfigsResource, image: MetadataImage, own: NodeId) -> None:
    """Judge what is asked for.

    Raises:
        ApiError: as Kafka does, by code and text.
    """
    kind, name = asked.resource_type, asked.resource_name
    if kind == ResourceType.TOPIC:
        fault = name_fault(name)
        if fault is not None:
            raise ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION, fault)
        if image.topics.named(name) is None:
            raise ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "")
    elif kind == ResourceType.BROKER:
        if name and BROKER_ID.fullmatch(name) is None:
            raise ApiError(ErrorCode.INVALID_REQUEST, f"Broker id must be an integer, but it is: {name}")
        if name not in {CLUSTER_DEFAULT, str(own)}:
            raise ApiError(
                ErrorCode.INVALID_REQUEST, f"Unexpected broker id, expected {own} or empty string, but received {name}"
            )
    elif kind == ResourceType.CLIENT_METRICS:
        if not name:
            raise ApiError(ErrorCode.INVALID_REQUEST, "Client metrics subscription name must not be empty")
    elif kind == ResourceType.GROUP:
        if not name:
            raise ApiError(ErrorCode.INVALID_REQUEST, "Group name must not be empty")
    else:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"Unsupported resource type: {kind}")


def _row(entry: DescribedKey, *, with_synonyms: bool) -> rpc.DescribeConfigsResponseDescribeConfigsResourceResult:
    return rpc.DescribeConfigsResponseDescribeConfigsResourceResult(
        name=entry.name,
        value=entry.value,
        config_source=entry.source,
        is_sensitive=entry.is_sensitive,
        synonyms=[rpc.DescribeConfigsResponseDescribeConfigsSynonym(*one) for one in entry.synonyms]
        if with_synonyms
        else [],
        config_type=_UNKNOWN_TYPE if entry.type is None else _TYPES[entry.type],
        documentation=None,
    )
