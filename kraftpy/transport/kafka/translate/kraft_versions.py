"""Which kraft.versions a node knows, as ApiVersions says it (versions 3 and 4; KIP-584).

Only the asking side goes through here: a listener answers ApiVersions by itself (``apis``).
"""

from __future__ import annotations

from kraftpy.raft.messages import KRaftVersionsRequest, KRaftVersionsResponse
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.translate import common

FEATURES_VERSION = 3
KRAFT_VERSION_FEATURE = "kraft.version"


def request_to_wire(request: KRaftVersionsRequest, version: int) -> rpc.ApiVersionsRequest:
    """Write the request."""
    del request, version
    return rpc.ApiVersionsRequest("kraftpy", "0")


def request_from_wire(message: rpc.ApiVersionsRequest) -> KRaftVersionsRequest:
    """Read the request."""
    del message
    return KRaftVersionsRequest()


def response_to_wire(response: KRaftVersionsResponse, version: int) -> rpc.ApiVersionsResponse:
    """Write the response."""
    del version
    feature = rpc.ApiVersionsResponseSupportedFeatureKey(KRAFT_VERSION_FEATURE, response.lowest, response.highest)
    return rpc.ApiVersionsResponse(error_code=response.error, supported_features=[feature])


def response_from_wire(message: rpc.ApiVersionsResponse, listener_name: str) -> KRaftVersionsResponse:
    """Read the response; a node that does not mention the feature knows level 0 only."""
    del listener_name
    known = next((each for each in message.supported_features if each.name == KRAFT_VERSION_FEATURE), None)
    return KRaftVersionsResponse(
        error=common.error_code(message.error_code),
        lowest=known.min_version if known else 0,
        highest=known.max_version if known else 0,
    )
