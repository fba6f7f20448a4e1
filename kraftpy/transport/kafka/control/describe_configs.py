"""DescribeConfigs, versions 1 to 4: the values that are set, and the defaults of the others.

Answered from what this node has published; what the keys of a resource hold is in
:mod:`~kraftpy.transport.config_entries`.

Source: Kafka ``ConfigHelper``; KIP-226, KIP-569.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from kraftpy.config_keys.types import ConfigType
from kraftpy.controller.topic_names import name_fault
from kraftpy.image.configs import CLUSTER_DEFAULT
from kraftpy.image.image import MetadataImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.generated import rpc
from kraftpy.transport.config_entries import ConfigEntries, DescribedKey
from kraftpy.transport.node_api import MetadataView

ANSWER_BYTES_MAX: Final = 4 * 1024 * 1024
"""How large an answer may be, about; resources beyond it are refused, each by itself.

Writing an answer of this size takes 0.3 to 0.4 s, in which the node does nothing else: about 3,000 topics.
"""

NONE_DENIED: Final[Mapping[tuple[int, str], ApiError]] = MappingProxyType({})

ENTRY_BYTES: Final = 16
"""What a key takes in an answer besides its texts, about."""

MADE_BYTES: Final = 96
"""What a row counts for besides, if it is made for one resource alone: that takes much longer than writing it."""


_Row: TypeAlias = rpc.DescribeConfigsResponseDescribeConfigsResourceResult

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
    rows = _Rows(view, with_synonyms=message.include_synonyms)
    response = rpc.DescribeConfigsResponse()
    for asked in message.resources:
        result = rpc.DescribeConfigsResponseDescribeConfigsResult(
            error_message="", resource_type=asked.resource_type, resource_name=asked.resource_name
        )
        response.results.append(result)
        refused = denied.get((asked.resource_type, asked.resource_name))
        if refused is None:
            try:
                rows.take(ENTRY_BYTES + len(asked.resource_name))
                _check_asked(asked, view.image, node_id)
                result.configs = rows.of(asked)
                continue
            except ApiError as error:
                refused = error
        result.error_code, result.error_message = refused.code, refused.message
    return response


class _Rows:
    """The rows of one answer, and the bytes that are left for them and for making them.

    A request may name a resource as often as it likes, and Kafka answers each time. What the first answer has is used
    again; resources that override nothing share their rows. So what is worked out is bounded by the bytes of the
    answer, and by the items of the request.
    """

    def __init__(self, view: MetadataView, *, with_synonyms: bool) -> None:
        self._entries = ConfigEntries(view, self._made)
        self._with_synonyms = with_synonyms
        self._left = ANSWER_BYTES_MAX
        self._whole: dict[tuple[int, str], tuple[list[_Row], int]] = {}

    def take(self, size: int) -> None:
        """Use up bytes.

        Raises:
            ApiError: POLICY_VIOLATION, when fewer are left; then there are none for what follows either.
        """
        self._left -= size
        if self._left < 0:
            raise ApiError(
                ErrorCode.POLICY_VIOLATION,
                f"the answer takes more than {ANSWER_BYTES_MAX} bytes: ask for fewer resources at a time",
            )

    def of(self, asked: rpc.DescribeConfigsRequestDescribeConfigsResource) -> list[_Row]:
        """Return the rows of a resource, or those of the keys that are asked for.

        Raises:
            ApiError: POLICY_VIOLATION.
        """
        named = asked.resource_type, asked.resource_name
        if asked.configuration_keys:
            return self._taken(self._entries.of(*named, only=asked.configuration_keys))[0]
        if named in self._whole:
            rows, size = self._whole[named]
            self.take(size)
            return rows
        rows, _ = self._whole[named] = self._taken(self._entries.of(*named))
        return rows

    def _made(self, entry: DescribedKey) -> tuple[_Row, int]:
        self._left -= MADE_BYTES
        return _row(entry, with_synonyms=self._with_synonyms)

    def _taken(self, sized: Iterable[tuple[_Row, int]]) -> tuple[list[_Row], int]:
        """Return the rows, and the bytes that they take."""
        rows, total = [], 0
        for row, size in sized:
            self.take(size)
            rows.append(row)
            total += size
        return rows, total


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


def _row(entry: DescribedKey, *, with_synonyms: bool) -> tuple[_Row, int]:
    """Return a key's row, and the bytes that it takes in an answer, about."""
    row = _Row(
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
    return row, (1 + len(row.synonyms)) * (len(row.name) + len(row.value or "") + ENTRY_BYTES)
