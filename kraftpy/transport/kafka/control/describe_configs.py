"""DescribeConfigs, versions 1 to 4: the values that are set, and the defaults of the others.

Answered from what this node has published. A topic, a group and a client metrics subscription list every key that
their kind has, with its default where it is not overridden. The BROKER resource with the empty name lists the
cluster-wide values; the one with this node's id lists its own and, where it has none of its own, the cluster's (the
content of its ``server.properties`` is never returned: it may hold secrets under keys that Kafka does not have).

Source: Kafka ``ConfigHelper``; KIP-226, KIP-569.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from kraftpy.config_keys.types import ConfigType
from kraftpy.controller.config_schema import KEYS, is_sensitive
from kraftpy.image.configs import CLUSTER_DEFAULT
from kraftpy.image.image import MetadataImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.generated import rpc

ANSWER_BYTES_MAX: Final = 8 * 1024 * 1024
"""How large an answer may be; resources beyond it are refused, each by itself."""

NONE_DENIED: Final[Mapping[tuple[int, str], ApiError]] = MappingProxyType({})

ENTRY_BYTES: Final = 16
"""What a key takes in an answer besides its texts, about."""


class ConfigSource(enum.IntEnum):
    """Where a value comes from. Source: Kafka ``DescribeConfigsResponse.ConfigSource``."""

    TOPIC = 1
    BROKER = 2
    CLUSTER_DEFAULT = 3
    DEFAULT = 5
    CLIENT_METRICS = 7
    GROUP = 8


_SOURCES: Final = {
    ResourceType.TOPIC: ConfigSource.TOPIC,
    ResourceType.CLIENT_METRICS: ConfigSource.CLIENT_METRICS,
    ResourceType.GROUP: ConfigSource.GROUP,
}

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
    image: MetadataImage,
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
            _check_asked(asked, image, node_id)
            keys = frozenset(asked.configuration_keys) if asked.configuration_keys else None
            for entry in _entries(asked, image, with_synonyms=message.include_synonyms):
                if keys is not None and entry.name not in keys:
                    continue
                result.configs.append(entry)
                left -= (1 + len(entry.synonyms)) * (len(entry.name) + len(entry.value or "") + ENTRY_BYTES)
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
        if image.topics.named(name) is None:
            raise ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "")
    elif kind == ResourceType.BROKER:
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


def _entries(
    asked: rpc.DescribeConfigsRequestDescribeConfigsResource, image: MetadataImage, *, with_synonyms: bool
) -> Iterator[rpc.DescribeConfigsResponseDescribeConfigsResourceResult]:
    """List a resource's keys, ascending."""
    kind, name = asked.resource_type, asked.resource_name
    layers: list[tuple[ConfigSource, Mapping[str, str]]] = []
    if kind == ResourceType.BROKER:
        if name != CLUSTER_DEFAULT:
            layers.append((ConfigSource.BROKER, image.configs.of(kind, name)))
        layers.append((ConfigSource.CLUSTER_DEFAULT, image.configs.of(kind, CLUSTER_DEFAULT)))
    else:
        layers.append((_SOURCES[ResourceType(kind)], image.configs.of(kind, name)))
        defaults = {key: config.default for key, config in KEYS[kind].items() if config.default is not None}
        layers.append((ConfigSource.DEFAULT, defaults))
    for key in sorted({key for _, values in layers for key in values}):
        found = [(source, values[key]) for source, values in layers if key in values]
        yield _entry(kind, key, found, with_synonyms=with_synonyms)


def _entry(
    kind: int, key: str, found: list[tuple[ConfigSource, str]], *, with_synonyms: bool
) -> rpc.DescribeConfigsResponseDescribeConfigsResourceResult:
    """Describe one key; the first of what was found holds."""
    source, value = found[0]
    sensitive = is_sensitive(kind, key)
    known = KEYS[kind].get(key)
    synonym = rpc.DescribeConfigsResponseDescribeConfigsSynonym
    reported = found[:1] if kind == ResourceType.CLIENT_METRICS else found
    return rpc.DescribeConfigsResponseDescribeConfigsResourceResult(
        name=key,
        value=None if sensitive else value,
        config_source=source,
        is_sensitive=sensitive,
        synonyms=[synonym(key, None if sensitive else each, place) for place, each in reported]
        if with_synonyms
        else [],
        config_type=_TYPES[known.type] if known is not None else _UNKNOWN_TYPE,
        documentation=None,
    )
