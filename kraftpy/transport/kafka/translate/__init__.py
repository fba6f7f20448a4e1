"""Raft messages as flat values, and as Kafka nests them: one module per API, one table here.

Each module has the same four functions. Going out, a version says which words there are; what an older version
cannot say is dropped where Kafka calls it ignorable, and refused (:class:`UnsupportedVersionError`) where dropping
would change the meaning. Coming in, a request that is not about the metadata partition is answered here
(:class:`Refusal`); numbers that are merely wrong pass, because the core has the rules for them. A response has two
error places, and keeps them: a response refused as a whole has no partition, so it says nothing of the leader.

Source: KIP-595, KIP-630, KIP-853, KIP-996, KIP-1166; ``raft protocol`` §8 and appendix A.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

from kraftpy.model.errors import MalformedError
from kraftpy.raft import messages
from kraftpy.raft.messages import RaftRequest, RaftResponse
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.translate import (
    add_voter,
    begin_epoch,
    describe_quorum,
    end_epoch,
    fetch,
    fetch_snapshot,
    kraft_versions,
    remove_voter,
    update_voter,
    vote,
)
from kraftpy.transport.kafka.translate.common import Refusal, UnsupportedVersionError, leader_at
from kraftpy.transport.kafka.translate.wire_api import WireApi

__all__ = (
    "BY_KEY",
    "BY_REQUEST",
    "RAFT_APIS",
    "RaftApi",
    "Refusal",
    "UnsupportedVersionError",
    "WireApi",
    "leader_at",
    "load_codecs",
)

WITHOUT_DELAY: Final = (
    rpc.RequestHeader,
    rpc.ResponseHeader,
    rpc.ApiVersionsRequest,
    rpc.ApiVersionsResponse,
    rpc.FetchRequest,
    rpc.FetchResponse,
    rpc.FetchSnapshotRequest,
    rpc.FetchSnapshotResponse,
    rpc.VoteRequest,
    rpc.VoteResponse,
    rpc.BeginQuorumEpochRequest,
    rpc.BeginQuorumEpochResponse,
    rpc.EndQuorumEpochRequest,
    rpc.EndQuorumEpochResponse,
)
"""Messages that replicas send in an election, or at any time: no import may delay them."""


def load_codecs() -> None:
    """Import the codecs of WITHOUT_DELAY, before the first of them is needed."""
    rpc.CODECS.load(*WITHOUT_DELAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class RaftApi(WireApi):
    """How one API is translated, and in which versions. The functions are those of its module."""

    request: type[Any]
    response: type[Any]
    request_from_wire: Callable[[Any], RaftRequest]
    response_to_wire: Callable[[Any, int], Message]
    response_from_wire: Callable[[Any, str], RaftResponse]

    def read_response(self, message: Message, listener_name: str) -> RaftResponse:
        """Flatten a response that should be this API's.

        Raises:
            MalformedError: when it is another's, or not about the metadata partition.
        """
        if self.api_key != message.API_KEY:
            raise MalformedError(f"{message.NAME} answers a request of {self.name}")
        return self.response_from_wire(message, listener_name)


def _api(name: str, module: Any, request: type[Message], min_version: int = 0) -> RaftApi:
    return RaftApi(
        api_key=request.API_KEY,
        name=name,
        min_version=max(min_version, request.MIN_VERSION),
        max_version=request.MAX_VERSION,
        request=cast("type[Any]", getattr(messages, f"{name}Request")),
        response=cast("type[Any]", getattr(messages, f"{name}Response")),
        request_to_wire=module.request_to_wire,
        request_from_wire=module.request_from_wire,
        response_to_wire=module.response_to_wire,
        response_from_wire=module.response_from_wire,
    )


FETCH_VERSION_MIN: Final = 12
"""Below it, Fetch has no epochs and cannot replicate a metadata log."""

RAFT_APIS: Final = (
    _api("Fetch", fetch, rpc.FetchRequest, FETCH_VERSION_MIN),
    _api("Vote", vote, rpc.VoteRequest),
    _api("BeginQuorumEpoch", begin_epoch, rpc.BeginQuorumEpochRequest),
    _api("EndQuorumEpoch", end_epoch, rpc.EndQuorumEpochRequest),
    _api("DescribeQuorum", describe_quorum, rpc.DescribeQuorumRequest),
    _api("FetchSnapshot", fetch_snapshot, rpc.FetchSnapshotRequest),
    _api("AddRaftVoter", add_voter, rpc.AddRaftVoterRequest),
    _api("RemoveRaftVoter", remove_voter, rpc.RemoveRaftVoterRequest),
    _api("UpdateRaftVoter", update_voter, rpc.UpdateRaftVoterRequest),
)
"""What a listener serves."""

KRAFT_VERSIONS: Final = _api("KRaftVersions", kraft_versions, rpc.ApiVersionsRequest, kraft_versions.FEATURES_VERSION)
"""Asked by a leader only; a listener answers ApiVersions by itself."""

BY_KEY: Final = {api.api_key: api for api in RAFT_APIS}
BY_REQUEST: Final[dict[type[Any], RaftApi]] = {api.request: api for api in (*RAFT_APIS, KRAFT_VERSIONS)}
"""By the class of the request's value."""
