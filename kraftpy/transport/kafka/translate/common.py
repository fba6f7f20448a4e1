"""What every translation shares: absent values, the one topic-partition, error numbers, endpoints of a leader."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol, TypeVar, cast

from kraftpy.model.errors import ErrorCode, LocalError, MalformedError
from kraftpy.model.ids import METADATA_PARTITION, METADATA_TOPIC, NO_NODE, ZERO_UUID, NodeId, Uuid
from kraftpy.model.offsets import NO_OFFSET, Epoch, LeaderAndEpoch, Offset
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.raft.messages import RaftResponse
from kraftpy.records.codec import Message

UNKNOWN_LEADER: Final = LeaderAndEpoch(None, 0)
"""What an answer without a partition says of the leader."""


class UnsupportedVersionError(LocalError):
    """No version that both sides know can carry this request."""


class Refusal(Exception):  # noqa: N818 - not an error of ours, but the answer to a wrong request
    """A request that is answered here, because it cannot be put into a value of the core.

    Attributes:
        response: the wire's answer to it.
    """

    def __init__(self, response: Message) -> None:
        super().__init__(response)
        self.response = response


class WireNode(Protocol):
    """A leader's address in a response."""

    node_id: int
    host: str
    port: int


class WireListener(Protocol):
    """An address with the name of its listener."""

    name: str
    host: str
    port: int


TopicT = TypeVar("TopicT")


def only(items: Sequence[TopicT]) -> TopicT | None:
    """Return the only element, or ``None`` when there is none or there are several."""
    return items[0] if len(items) == 1 else None


def is_metadata(topic_name: str, partition: int) -> bool:
    """Return whether a topic-partition is the metadata log."""
    return topic_name == METADATA_TOPIC and partition == METADATA_PARTITION


def missing_partition(message: object) -> MalformedError:
    """Say that a response is not about the metadata partition, or about more than that."""
    return MalformedError(f"{type(message).__name__} does not hold exactly {METADATA_TOPIC}-{METADATA_PARTITION}")


def error_code(number: int) -> ErrorCode:
    """Turn a wire's number into a code; one that is not known here is UNKNOWN_SERVER_ERROR."""
    try:
        return ErrorCode(number)
    except ValueError:
        return ErrorCode.UNKNOWN_SERVER_ERROR


def node_to_wire(node_id: NodeId | None) -> int:
    """Encode ``None`` as -1."""
    return NO_NODE if node_id is None else node_id


def node_from_wire(node_id: int) -> NodeId | None:
    """Decode any negative id as ``None``."""
    return None if node_id < 0 else node_id


def offset_to_wire(offset: Offset | None) -> int:
    """Write -1 for an unknown offset; times are written the same way."""
    return NO_OFFSET if offset is None else offset


def offset_from_wire(offset: int) -> Offset | None:
    """Read any negative offset as unknown."""
    return None if offset < 0 else offset


def directory_to_wire(directory_id: Uuid | None) -> bytes:
    """Write the zero uuid for an unknown directory."""
    return ZERO_UUID if directory_id is None else directory_id


def directory_from_wire(directory_id: bytes) -> Uuid | None:
    """Read the zero uuid as an unknown directory."""
    return None if directory_id == ZERO_UUID else directory_id


def key_from_wire(node_id: int, directory_id: bytes) -> ReplicaKey:
    """Read a replica key whose node id is always there, right or wrong."""
    return ReplicaKey(node_id, directory_from_wire(directory_id))


def optional_key_from_wire(node_id: int, directory_id: bytes) -> ReplicaKey | None:
    """Read a replica key that may be absent."""
    return None if node_id < 0 else key_from_wire(node_id, directory_id)


def leader_from_wire(leader_id: int, epoch: Epoch) -> LeaderAndEpoch:
    """Read who leads."""
    return LeaderAndEpoch(node_from_wire(leader_id), epoch)


def leader_nodes(leader: LeaderAndEpoch, endpoints: tuple[Endpoint, ...]) -> list[tuple[NodeId, str, int]]:
    """Return the rows of ``NodeEndpoints``: the wire has one address per node, our first."""
    if leader.leader_id is None or not endpoints:
        return []
    return [(leader.leader_id, endpoints[0].host, endpoints[0].port)]


def leader_at(response: RaftResponse, listener_name: str) -> RaftResponse:
    """Return a response with the leader's address at one listener alone; without an address where that is not known.

    Who asked at one listener may not get through at another, where another protocol is spoken. Source: Kafka
    ``RaftUtil``, ``Endpoints.address``.
    """
    endpoints: tuple[Endpoint, ...] = getattr(response, "leader_endpoints", ())
    named = tuple(endpoint for endpoint in endpoints if endpoint.name == listener_name)
    if named == endpoints:
        return response
    return cast("RaftResponse", replace(cast("Any", response), leader_endpoints=named))


def leader_endpoints(leader: LeaderAndEpoch, nodes: Iterable[WireNode], listener_name: str) -> tuple[Endpoint, ...]:
    """Find the leader's address among ``NodeEndpoints``, which do not name the listener."""
    return tuple(Endpoint(listener_name, node.host, node.port) for node in nodes if node.node_id == leader.leader_id)


def listener_endpoints(listeners: Iterable[WireListener]) -> tuple[Endpoint, ...]:
    """Read addresses that name their listener."""
    return tuple(Endpoint(listener.name.upper(), listener.host, listener.port) for listener in listeners)
