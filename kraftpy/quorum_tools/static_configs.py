"""Ask a node of Kafka for keys of its own configuration, over Kafka's protocol.

A broker and a controller of Kafka describe the BROKER resource with their own id by all their keys, those of the file
included; the values of secrets are left out. A node of kraftpy describes some of them
(:data:`kraftpy.transport.config_entries.DESCRIBED`).

Source: Kafka ``ConfigHelper.describeConfigs``; KIP-226.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kraftpy.model.ids import NodeId
from kraftpy.model.resource_types import ResourceType
from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.access import ProbeError, QuorumAccess
from kraftpy.quorum_tools.streams import call
from kraftpy.records.generated import rpc

DESCRIBE_CONFIGS_VERSION: Final = 4


async def static_configs(
    endpoint: Endpoint, node_id: NodeId, keys: Sequence[str], *, access: QuorumAccess, timeout_s: float
) -> dict[str, str | None]:
    """Return the values of those of the keys that the node describes.

    Raises:
        ProbeError: it does not answer, is another node, or refuses.
    """
    resource = rpc.DescribeConfigsRequestDescribeConfigsResource(
        resource_type=ResourceType.BROKER, resource_name=str(node_id), configuration_keys=list(keys)
    )
    request = rpc.DescribeConfigsRequest(resources=[resource])
    async with access.connected(endpoint, timeout_s) as (reader, writer):
        answer = await call(reader, writer, request, DESCRIBE_CONFIGS_VERSION)
    assert isinstance(answer, rpc.DescribeConfigsResponse)
    if len(answer.results) != 1:
        raise ProbeError(f"answered for {len(answer.results)} resources, one was asked for")
    result = answer.results[0]
    if result.error_code:
        reason = result.error_message or f"error code {result.error_code}"
        raise ProbeError(f"refuses to describe its configuration: {reason}")
    return {entry.name: entry.value for entry in result.configs}
