"""One controller under judgement: a connection with it, and its state as its own log says it."""

from __future__ import annotations

import itertools
import socket
import struct
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY, MetadataImage
from kraftpy.image.provenance import NOWHERE
from kraftpy.model.errors import ErrorCode
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import RegisterControllerRecord
from kraftpy.records.rpc import decode_response, encode_request
from tests.interop.cluster import Member
from tests.interop.differential.log_tail import LogTail
from tests.interop.differential.names import Names
from tests.interop.processes import eventually

SIZE = struct.Struct(">i")
TIMEOUT_S = 15.0
CLIENT = "judge"
NO_BROKER = 9_999
NO_ANSWER = "the controller does not answer"
HUNG_UP = "the controller closed the connection"


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a log, with names, and the form that it is written in: its type and version."""

    form: str
    content: Any

    def __repr__(self) -> str:
        return f"{self.form} {self.content!r}"


@dataclass(frozen=True, slots=True)
class Observation:
    """What one request came to."""

    answer: Any
    records: tuple[Record, ...]


class Side:
    """A controller that runs, Kafka's or ours."""

    def __init__(self, member: Member, address: str) -> None:
        self.title = "ours" if member.ours else "Kafka"
        self.image: MetadataImage = EMPTY
        self._member = member
        self._address = address
        self._names = Names()
        self._socket: Any = None
        self._log = LogTail(member.log_dir)
        self._correlation_ids = itertools.count(1)

    def __enter__(self) -> Self:
        self._connect()
        self._log.__enter__()
        return self

    def become_ready(self) -> None:
        """Wait until the controller is active, and has written what a new cluster begins with."""
        process = self._member.process
        assert process is not None

        def is_ready() -> bool:
            refused = self.ask(rpc.UnregisterBrokerRequest(NO_BROKER), 0).answer.error_code
            return refused == ErrorCode.BROKER_ID_NOT_REGISTERED and self.image.features.level > 1

        eventually("an active controller", is_ready, [process])

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._log.__exit__()

    def _connect(self) -> None:
        host, _, port = self._address.rpartition(":")
        process = self._member.process
        assert process is not None
        self._socket = eventually("a listener", partial(_connected, host, int(port)), [process])

    def forget_names(self) -> None:
        """Begin with new names; nothing that had a name is left."""
        self._names = Names()

    def send(self, message: Message, version: int) -> None:
        """Send a request; its answer has to be received before the next."""
        frame = encode_request(CLIENT, next(self._correlation_ids), self._names.drawn(message), version)
        self._socket.sendall(SIZE.pack(len(frame)) + frame)

    def receive(self, message: type[Message], version: int) -> Observation:
        """Return the answer, and what the log has more since the last."""
        try:
            frame = self._read(SIZE.unpack(self._read(SIZE.size))[0])
        except (_HungUpError, TimeoutError) as error:
            self._socket.close()
            self._connect()
            answer = NO_ANSWER if isinstance(error, TimeoutError) else HUNG_UP
            return Observation(answer, self._new_records())
        _, answer = decode_response(message.API_KEY, version, frame)
        records = self._new_records()
        return Observation(self._names.named(answer), records)

    def ask(self, message: Message, version: int) -> Observation:
        """Send a request, and wait for its answer."""
        self.send(message, version)
        return self.receive(type(message), version)

    def _new_records(self) -> tuple[Record, ...]:
        """Read on in the log, and replay; how a controller describes itself is not what it decides."""
        found = []
        for form, record in self._log.read():
            self._names.learn(record)
            if not isinstance(record, RegisterControllerRecord):
                found.append(Record(form, self._names.named(record)))
        if found:
            delta = MetadataDelta(self.image)
            delta.replay_all(each.content for each in found)
            self.image = delta.apply(NOWHERE)
        return tuple(found)

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self._socket.recv(count - len(data))
            if not more:
                raise _HungUpError
            data += more
        return data


class _HungUpError(Exception):
    """A controller closed the connection instead of answering."""


def _connected(host: str, port: int) -> socket.socket | None:
    try:
        connection = socket.create_connection((host, port), TIMEOUT_S)
    except ConnectionRefusedError:
        return None
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection
