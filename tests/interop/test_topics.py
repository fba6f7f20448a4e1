"""The same requests about topics to Kafka's controller and to ours, by our codecs: codes, texts and records."""

from __future__ import annotations

import random
import re
import socket
import struct
import time
from pathlib import Path
from typing import Any, Self

import pytest

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import uuid_from_random
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request
from tests.interop.cluster import CLUSTER_ID, Quorum
from tests.interop.jars import Jars
from tests.interop.processes import POLL_S

BROKERS = {11: "a", 12: "b", 13: None, 14: "b"}
FENCED = 14
PATIENCE_S = 30.0
KEEP_MS = {"broker.session.timeout.ms": "600000"}
ON_PURPOSE = {
    "pair.of_names": "two names of one request that collide: Kafka creates both, we create the first",
    "more-than-fit": "too many new partitions: Kafka answers UNKNOWN_SERVER_ERROR, we POLICY_VIOLATION with the limit",
}
"""Topics whose result differs, with the reason."""

OUR_NUMBERS = re.compile(r"(Unable to perform excessively large batch operation): .*")
"""After Kafka's sentence kraftpy names the number and the limit."""

topic, assigned, key = (
    rpc.CreateTopicsRequestCreatableTopic,
    rpc.CreateTopicsRequestCreatableReplicaAssignment,
    rpc.CreateTopicsRequestCreatableTopicConfig,
)


class Wire:
    """A connection to a controller's listener."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                self._socket = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
            except ConnectionRefusedError:
                assert time.monotonic() < until, f"nothing listens at {address}"
                time.sleep(POLL_S)
            else:
                return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._socket.close()

    def ask(self, message: Message, version: int) -> Any:
        frame = encode_request("judge", 7, message, version)
        self._socket.sendall(struct.pack(">i", len(frame)) + frame)
        (size,) = struct.unpack(">i", self._read(4))
        _, answer = decode_response(message.API_KEY, version, self._read(size))
        return answer

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self._socket.recv(count - len(data))
            assert more, "the controller hung up"
            data += more
        return data


def join(wire: Wire, cluster_id: str, broker_id: int, rack: str | None) -> None:
    """Register a broker, and have it unfenced unless it is the one that stays fenced."""
    features = [
        rpc.BrokerRegistrationRequestFeature(name, low, high)
        for name, low, high in (
            ("metadata.version", 7, 30), ("kraft.version", 0, 1), ("transaction.version", 0, 2),
            ("group.version", 0, 1),
            ("eligible.leader.replicas.version", 0, 1), ("share.version", 0, 1), ("streams.version", 0, 1),
        )
    ]  # fmt: skip
    registration = rpc.BrokerRegistrationRequest(
        broker_id=broker_id,
        cluster_id=cluster_id,
        incarnation_id=broker_id.to_bytes(16, "little"),
        listeners=[rpc.BrokerRegistrationRequestListener("PLAINTEXT", "localhost", 9_000 + broker_id, 0)],
        features=features,
        rack=rack,
        log_dirs=[uuid_from_random(random.Random(broker_id).randbytes)],
    )
    until = time.monotonic() + PATIENCE_S
    while (registered := wire.ask(registration, 4)).error_code == ErrorCode.NOT_CONTROLLER:
        assert time.monotonic() < until, "no controller is active"
        time.sleep(POLL_S)
    assert registered.error_code == 0, registered
    heartbeat = rpc.BrokerHeartbeatRequest(
        broker_id=broker_id,
        broker_epoch=registered.broker_epoch,
        current_metadata_offset=2**40,
        want_fence=broker_id == FENCED,
    )
    until = time.monotonic() + PATIENCE_S
    while wire.ask(heartbeat, 1).is_fenced != (broker_id == FENCED):
        assert time.monotonic() < until, f"broker {broker_id} is not unfenced"


def creating(*topics: rpc.CreateTopicsRequestCreatableTopic, validate_only: bool = False) -> rpc.CreateTopicsRequest:
    return rpc.CreateTopicsRequest(topics=list(topics), timeout_ms=9_000, validate_only=validate_only)


def by_hand(name: str, *replicas: tuple[int, ...], first: int = 0) -> rpc.CreateTopicsRequestCreatableTopic:
    return topic(name, -1, -1, [assigned(number, list(each)) for number, each in enumerate(replicas, first)])


def growing(name: str, count: int, *replicas: tuple[int, ...], validate_only: bool = False) -> Message:
    assignment = rpc.CreatePartitionsRequestCreatePartitionsAssignment
    assignments = [assignment(list(each)) for each in replicas] or None
    asked = rpc.CreatePartitionsRequestCreatePartitionsTopic(name, count, assignments)
    return rpc.CreatePartitionsRequest(topics=[asked], timeout_ms=9_000, validate_only=validate_only)


def deleting(*names: str, ids: tuple[bytes, ...] = ()) -> rpc.DeleteTopicsRequest:
    state = rpc.DeleteTopicsRequestDeleteTopicState
    return rpc.DeleteTopicsRequest(
        topics=[*(state(name=name) for name in names), *(state(name=None, topic_id=each) for each in ids)],
        timeout_ms=9_000,
    )


def sequence() -> list[Message]:
    """Fixed cases, then random ones from a seed."""
    fixed: list[Message] = [
        creating(topic("first", 2, 2), topic("", 1, 1), topic("a b", 1, 1), topic("..", 1, 1), topic("n" * 250, 1, 1)),
        creating(topic("first", 1, 1), topic("new", 0, 1), topic("new2", 1, 0), topic("new3", -2, 1)),
        creating(topic("n4", 1, -2)),
        creating(topic("dotted.name", 1, 1), topic("twice", 1, 1), topic("twice", 2, 1)),
        creating(topic("dotted_name", 1, 1), topic("__cluster_metadata", 1, 1), topic("many", 1, 5)),
        creating(topic("pair_of.names", 1, 1), topic("pair.of_names", 1, 1)),
        creating(topic("keyed", -1, -1, [], [key("retention.ms", "77"), key("min.insync.replicas", "1")])),
        creating(topic("k2", 1, 1, [], [key("retention.ms", None), key("x", None)])),
        creating(topic("k3", 1, 1, [], [key("no.such.key", "1")]), topic("k4", 1, 1, [], [key("retention.ms", "x")])),
        creating(by_hand("h1", (11, 12), (12, 13)), by_hand("h2", (11,), (12, 11)), by_hand("h3", (99,))),
        creating(by_hand("h4", (11, 11)), by_hand("h5", (FENCED,)), by_hand("h6", (11,), first=1), by_hand("h7", ())),
        creating(by_hand("h8", (FENCED, 11), (11, FENCED))),
        creating(topic("h9", 1, -1, [assigned(0, [11])]), topic("h10", -1, 1, [assigned(0, [11])])),
        creating(topic("h11", -1, -1, [assigned(0, [11]), assigned(0, [12])])),
        creating(topic("dry", 3, 2), validate_only=True),
        creating(topic("huge", 100_001, 1), topic("small", 1, 1)),
        creating(),
        growing("first", 4), growing("first", 4), growing("first", 1), growing("ghost", 4), growing("first", -1),
        growing("h1", 3, (13, 11)), growing("h1", 4, (13,)), growing("h1", 5, (11, 12)), growing("h1", 4, (99, 11)),
        growing("h1", 4, (11, 11)), growing("h8", 3, (FENCED, FENCED)), growing("dry", 5),
        growing("first", 6, validate_only=True), creating(topic("more-than-fit", 1, 1)),
        growing("more-than-fit", 200_000),
        deleting("dry", "first", "twice", "twice"), deleting("first"), deleting(ids=(bytes(15) + b"\x77",)),
        deleting(), rpc.DeleteTopicsRequest(topics=[rpc.DeleteTopicsRequestDeleteTopicState()], timeout_ms=9_000),
    ]  # fmt: skip
    return fixed + randomly(random.Random(36), 60)


def randomly(rng: random.Random, count: int) -> list[Message]:
    names = ["t", "t.1", "t_1", "u", "v", "w-w"]
    made: list[Message] = []
    for _ in range(count):
        kind, name = rng.randrange(4), rng.choice(names)
        replicas = [
            tuple(rng.choices([11, 12, 13, FENCED, 99], k=rng.randrange(3))) for _ in range(rng.randrange(1, 4))
        ]
        if kind == 0:
            made.append(creating(topic(name, rng.randrange(-2, 5), rng.randrange(-2, 6))))
        elif kind == 1:
            made.append(creating(by_hand(name, *replicas, first=rng.randrange(2) * rng.randrange(2))))
        elif kind == 2:
            made.append(growing(name, rng.randrange(-1, 9), *(replicas if rng.random() < 0.5 else ())))
        else:
            made.append(deleting(name))
    return made


def reported(answer: Any) -> list[tuple[object, ...]]:
    """What is compared of an answer: a row per topic, whatever their order; ids are random."""
    if isinstance(answer, rpc.CreateTopicsResponse):
        rows: list[tuple[object, ...]] = [
            (
                one.name, one.error_code, _text(one.error_message), one.num_partitions, one.replication_factor,
                tuple((each.name, each.value, each.config_source, each.is_sensitive) for each in one.configs or ()),
                one.topic_id == bytes(16),
            )
            for one in answer.topics
        ]  # fmt: skip
    elif isinstance(answer, rpc.DeleteTopicsResponse):
        rows = [(one.name or "", one.error_code, one.error_message) for one in answer.responses]
    else:
        rows = [(one.name, one.error_code, one.error_message) for one in answer.results]
    return sorted((row for row in rows if row[0] not in ON_PURPOSE), key=repr)


def _text(text: str | None) -> str | None:
    return None if text is None else OUR_NUMBERS.sub(r"\1.", text)


@pytest.mark.timeout(300)
def test_kafkas_controller_and_ours_answer_alike(jars: Jars, root: Path) -> None:
    """A code or a text of ours is another than Kafka's, or a topic is created by one of them only."""
    answers: dict[bool, list[list[tuple[object, ...]]]] = {}
    for ours in (False, True):
        with Quorum(jars, root / str(ours), **{"ours" if ours else "kafka": (1,)}, extra=KEEP_MS) as quorum:
            quorum.format_and_start()
            quorum.wait_for_leader()
            with Wire(quorum.addresses[1]) as wire:
                for broker_id, rack in BROKERS.items():
                    join(wire, CLUSTER_ID, broker_id, rack)
                answers[ours] = [reported(wire.ask(each, VERSIONS[type(each)])) for each in sequence()]
    differing = [
        f"{asked}\n  Kafka: {theirs}\n  ours:  {own}"
        for asked, theirs, own in zip(sequence(), answers[False], answers[True], strict=True)
        if theirs != own
    ]
    assert not differing, f"{len(differing)} differ\n" + "\n".join(each[:1_500] for each in differing)


VERSIONS = {rpc.CreateTopicsRequest: 7, rpc.DeleteTopicsRequest: 6, rpc.CreatePartitionsRequest: 3}
