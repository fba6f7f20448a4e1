"""Brokers that are nothing but requests: what a controller decides is asked over its socket, with our codecs.

One script drives two controllers. Ids that each controller draws for itself (topics, broker epochs) have names in the
script, so that requests and answers can be compared.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from kraftpy.model.ids import Uuid
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request

SIZE = struct.Struct(">i")
TIMEOUT_S = 30.0
FEATURES = {
    "metadata.version": (7, 30),
    "kraft.version": (0, 1),
    "transaction.version": (0, 2),
    "group.version": (0, 1),
    "share.version": (0, 1),
    "streams.version": (0, 1),
    "eligible.leader.replicas.version": (0, 1),
}


def directory_of(broker_id: int) -> Uuid:
    """The one log directory of a broker."""
    return (5_000 + broker_id).to_bytes(16, "big")


@dataclass
class Controller:
    """A connection with a controller, and the ids that it gave out.

    Attributes:
        topics: name to id.
        epochs: broker id to the epoch of its registration.
    """

    address: str
    cluster_id: str
    topics: dict[str, Uuid] = field(default_factory=dict)
    epochs: dict[int, int] = field(default_factory=dict)
    _socket: socket.socket | None = None
    _asked: int = 0

    def __enter__(self) -> Self:
        host, _, port = self.address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), TIMEOUT_S)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._socket is not None
        self._socket.close()

    def ask(self, message: Message, version: int) -> Any:
        """Send a request; return its response."""
        assert self._socket is not None
        self._asked += 1
        frame = encode_request("judge", self._asked, message, version)
        self._socket.sendall(SIZE.pack(len(frame)) + frame)
        (size,) = SIZE.unpack(self._read(SIZE.size))
        correlation_id, response = decode_response(message.API_KEY, version, self._read(size))
        assert correlation_id == self._asked
        return response

    def _read(self, count: int) -> bytes:
        assert self._socket is not None
        parts = b""
        while len(parts) < count:
            part = self._socket.recv(count - len(parts))
            assert part, f"{self.address} closed the connection after {self._asked} requests"
            parts += part
        return parts

    def register(self, broker_id: int, rack: str | None) -> int:
        """Register a broker; return the error code."""
        listener = rpc.BrokerRegistrationRequestListener("PLAINTEXT", "localhost", 9_000 + broker_id, 0)
        features = [rpc.BrokerRegistrationRequestFeature(name, *levels) for name, levels in FEATURES.items()]
        response = self.ask(
            rpc.BrokerRegistrationRequest(
                broker_id=broker_id,
                cluster_id=self.cluster_id,
                incarnation_id=(7_000 + broker_id).to_bytes(16, "big"),
                listeners=[listener],
                features=features,
                rack=rack,
                log_dirs=[directory_of(broker_id)],
            ),
            4,
        )
        self.epochs[broker_id] = response.broker_epoch
        return int(response.error_code)

    def beat(
        self,
        broker_id: int,
        *,
        fence: bool = False,
        shut_down: bool = False,
        cordoned: Sequence[Uuid] | None = None,
        saturated: Sequence[Uuid] | None = None,
    ) -> tuple[object, ...]:
        """Send a heartbeat of a broker that has read the whole log; return the state in the response."""
        response = self.ask(
            rpc.BrokerHeartbeatRequest(
                broker_id=broker_id,
                broker_epoch=self.epochs[broker_id],
                current_metadata_offset=2**40,
                want_fence=fence,
                want_shut_down=shut_down,
                cordoned_log_dirs=None if cordoned is None else list(cordoned),
                saturated_log_dirs=None if saturated is None else list(saturated),
            ),
            2,
        )
        return response.error_code, response.is_fenced, response.should_shut_down

    def create_anywhere(self, name: str, replicas: int) -> tuple[object, ...]:
        """Try to create a topic whose replicas the controller places, without writing it."""
        topic = rpc.CreateTopicsRequestCreatableTopic(name, 1, replicas, [], [])
        (answer,) = self.ask(rpc.CreateTopicsRequest([topic], 30_000, validate_only=True), 7).topics
        return answer.error_code, answer.error_message

    def create(self, name: str, assignments: list[list[int]]) -> tuple[object, ...]:
        """Create a topic with these replicas."""
        row = rpc.CreateTopicsRequestCreatableReplicaAssignment
        topic = rpc.CreateTopicsRequestCreatableTopic(
            name, -1, -1, [row(number, replicas) for number, replicas in enumerate(assignments)], []
        )
        (answer,) = self.ask(rpc.CreateTopicsRequest([topic], 30_000), 7).topics
        if answer.error_code == 0:
            self.topics[name] = answer.topic_id
        return answer.error_code, answer.error_message, answer.num_partitions, answer.replication_factor
