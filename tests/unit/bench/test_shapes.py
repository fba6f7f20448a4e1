"""The service has no path for one shape of writes: the same work in other shapes takes as many calls.

Writes of configs go from bytes to bytes: a frame is read (over Kafka's protocol, and as a message of gRPC), decided,
encoded into a batch, taken in by the controller, replayed at a follower from the bytes of the batch and at the leader
from the records, and answered. ``sys.setprofile`` counts calls of functions, Python's and C's, so the counts are exact
and the same on every machine; ``kraftpy bench shapes`` compares rates.

What a count may depend on: in the stages that know no kind of resource, on nothing but lengths, of which a varint may
take a byte more (:data:`BAND`). In the decision the rules of a kind come to that, which are Kafka's and differ: an
unknown key of a broker has none, the keys of a topic are judged together, and what is not ASCII is measured. They are
counted apart: two functions of rules for each resource. What is left of the decision differs by a few calls: the
characters of all expressions of client metrics in a request are added up, and a broker's record is written without a
look at the current value (:data:`BAND_OF_DECISIONS`).

Each planted path, of the kind that such a service is tempted to have, is found.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bench.brokers import FIRST_ID
from bench.mixed import OneWrite
from bench.shapes import BROKERS, SHAPES, VALUE_BYTES, Shape
from bench.wire import request
from bench.writes import KEY, message, name_of
from kraftpy.controller import configs
from kraftpy.controller.alteration_rules import check_alterations
from kraftpy.controller.controller import DECIDERS, Controller
from kraftpy.controller.requests import (
    ConfigAlteration,
    ConfigResource,
    IncrementalAlterConfigs,
    IncrementalAlterConfigsResponse,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.image.configs import CLIENT_METRICS
from kraftpy.image.loader import MetadataLoader
from kraftpy.pb.v1 import admin_pb2
from kraftpy.records.authors import Author, encode_author, with_author
from kraftpy.records.batch import encode_batch, parse_batch
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import ConfigRecord, TopicRecord
from kraftpy.records.rpc import body_decoder, body_start, encode_response
from kraftpy.transport.grpc import writes as grpc_writes
from kraftpy.transport.kafka.control import calls as kafka_calls
from kraftpy.transport.kafka.framing import FrameSplitter
from kraftpy.transport.kafka.items import names_too_much
from kraftpy.transport.node_api import Committed
from tests.unit.controller.worlds import World

BAND = 1.10
"""Highest by lowest count of a stage that knows no kind of resource. Measured: 1.00."""
BAND_OF_DECISIONS = 1.50
"""The same of the decision without the rules. Measured: 1.12, and 1.45 in requests of 64 records."""
BAND_OF_REQUESTS = 1.35
"""The same of all stages of a request of one record, rules and both protocols included. Measured: 1.12."""

RULES_OF_A_RESOURCE = 2
NAMES = 128
SERIALS = (1_000_000_000, 1_000_000_001)
"""The first round fills caches and makes the resources; the second is counted."""
VERSION = 1
DECODE = body_decoder(rpc.IncrementalAlterConfigsRequest.API_KEY, VERSION)
RULES = frozenset(rules.__code__ for rules in (check_alterations, *configs._JUDGES.values()))
"""What says which alterations are right: one function for all kinds, and one for each."""
ALICE = Author("User:alice", "kafka-admin")

Counts = Mapping[str, float]
"""Calls for each record, by stage; ``rules`` are those that the rules of a kind make, ``judged`` how often they ran."""


class Calls:
    """Counts the calls of functions, Python's and C's, by stage."""

    def __init__(self) -> None:
        self.counted: Counter[str] = Counter()
        self._stage = ""
        self._rules_of: Any = None

    def count(self, stage: str, work: Callable[[], Any]) -> Any:
        """Do some work; what it calls counts for a stage."""
        before, self._stage = sys.getprofile(), stage
        sys.setprofile(self._profile)
        try:
            return work()
        finally:
            sys.setprofile(before)
            # The work itself, and the call that ends the counting.
            self.counted[stage] -= 2

    def _profile(self, frame: Any, event: str, argument: object) -> None:
        del argument
        if event == "return" and frame is self._rules_of:
            self._rules_of = None
        elif event in ("call", "c_call"):
            self.counted["rules" if self._rules_of is not None else self._stage] += 1
            if event == "call" and frame.f_code in RULES:
                self.counted["judged"] += 1
                self._rules_of = frame


class Path:
    """One write's path, from bytes to bytes, in a cluster with topics and brokers of the names that are written."""

    def __init__(self, image: Any) -> None:
        self.calls = Calls()
        self._world = World(image=image)
        self._world.commit()
        self._follower, self._leader = MetadataLoader(image), MetadataLoader(image)
        # What the controller wrote when it became active is of no interest here.
        self._follower.next_offset = self._leader.next_offset = self._world.offset + 1
        self._kafka = next(one for one in kafka_calls.WRITES if one.request is rpc.IncrementalAlterConfigsRequest)
        self._grpc = grpc_writes.BY_NAME["incremental_alter_configs"]

    def walk(self, first: int, batch: int, values: Callable[[int], OneWrite]) -> None:
        """Take one request all the way."""
        count, controller, world = self.calls.count, self._world.controller, self._world
        asked, request_of = count("read", partial(self._read, request(0, first, batch, values)))
        data = message(first, batch, values).SerializeToString()
        assert count("read, gRPC", partial(self._read_grpc, data)) == request_of
        result = count("decide", lambda: controller.decide(0, request_of))
        assert (len(result.records), dict(result.response.refused)) == (batch, {})
        values_of_records = count("encode", lambda: self._encoded(result))
        base, world.offset = world.offset + 1, world.offset + batch
        encoded = partial(encode_batch, values_of_records, base_offset=base, epoch=controller.epoch, timestamp_ms=0)
        data = count("frame", encoded)
        count(
            "append",
            lambda: (controller.validate_replay(result), controller.appended(result, world.offset, controller.epoch)),
        )
        count("replay at a follower", lambda: self._follower.load_batches([parse_batch(data)]))
        batches = [parse_batch(data)]
        count("replay at the leader", lambda: self._leader.load_records(batches, {base: result.records}))
        assert self._follower.image.configs == self._leader.image.configs
        count("commit", lambda: controller.committed(world.offset, self._leader.image))
        done = Committed(result.response, world.offset, controller.epoch)
        count("answer", lambda: encode_response(0, self._kafka.to_wire(done, asked), VERSION))
        count("answer, gRPC", lambda: self._grpc.answer(done, 0).SerializeToString())

    def _read(self, data: bytes) -> tuple[Any, Any]:
        (payload,) = FrameSplitter().feed(data)
        asked = DECODE(payload, body_start(payload, is_flexible=True))
        assert not names_too_much(asked)
        return asked, self._kafka.from_wire(asked, VERSION)

    def _read_grpc(self, data: bytes) -> Any:
        return self._grpc.submission(admin_pb2.IncrementalAlterConfigsRequest.FromString(data), None).request

    def _encoded(self, result: ControllerResult) -> Any:
        return with_author(result.records, self._world.controller.encode(result), encode_author(ALICE))


def counts_of(image: Any, shape: Shape, batch: int) -> Counts:
    """Return the calls for each record, by stage."""
    path = Path(image)
    for serial in SERIALS:
        path.calls.counted.clear()
        for first in range(0, NAMES, batch):
            path.walk(first, batch, partial(shape.write, serial=serial))
    return {stage: calls / NAMES for stage, calls in path.calls.counted.items()}


def all_counts(image: Any, batch: int, shapes: Iterable[Shape] = SHAPES) -> dict[str, Counts]:
    """Return the counts of every shape."""
    return {shape.name: counts_of(image, shape, batch) for shape in shapes}


def differences(found: Mapping[str, Counts], band: float, stages: Iterable[str]) -> list[str]:
    """Return the stages in which shapes differ by more than a band, each with the shapes and their counts."""
    stated = []
    for stage in stages:
        by_shape = sorted((counts[stage], shape) for shape, counts in found.items())
        (low, least), (high, most) = by_shape[0], by_shape[-1]
        if high > low * band:
            stated.append(f"{stage}: {most} takes {high:.1f} calls, {least} takes {low:.1f}: more than {band} times")
    return stated


def faults(found: Mapping[str, Counts]) -> list[str]:
    """Return what says that a shape has a path of its own; nothing when all do the same work."""
    stated = [
        f"rules: {shape} is judged {counts.get('judged', 0):g} times, by {RULES_OF_A_RESOURCE} rules"
        for shape, counts in found.items()
        if counts.get("judged") != RULES_OF_A_RESOURCE
    ]
    stages = next(iter(found.values())).keys() - {"rules", "judged", "decide"}
    return stated + differences(found, BAND_OF_DECISIONS, ["decide"]) + differences(found, BAND, sorted(stages))


@pytest.fixture(scope="module")
def image():
    """A cluster that has the topics and the brokers."""
    world = World()
    topics = [TopicRecord(name_of(number), (1_000 + number).to_bytes(16, "big")) for number in range(NAMES)]
    world.append(ControllerResult(tuple(topics), None))
    for number in range(BROKERS):
        world.register(FIRST_ID + number)
    world.commit()
    return world.committed_image


@pytest.mark.parametrize("batch", [1, 64])
def test_the_same_work_takes_as_many_steps_in_every_shape(image, batch):
    """Stage by stage; the rules of its kind judge every resource, whatever its shape."""
    found = all_counts(image, batch)
    print("\n".join(f"{shape:30} {dict(counts)}" for shape, counts in found.items()))
    assert faults(found) == []
    if batch == 1:
        whole = {shape: {"all": sum(counts.values()) - counts["judged"]} for shape, counts in found.items()}
        assert differences(whole, BAND_OF_REQUESTS, ["all"]) == []


FEW = (SHAPES[0], SHAPES[1], SHAPES[4])
"""The shape of an earlier benchmark, the same in other lengths, and another kind."""


def plant_a_decision(monkeypatch):
    """Decide requests for the benchmark's one key without its rules."""

    def decide(view, asked):
        if any(one.type != CLIENT_METRICS or each[0].name != KEY for one, each in asked.resources):
            return configs.alter_configs(view, asked)
        records = [ConfigRecord(*one, KEY, each[0].value) for one, each in asked.resources]
        response = IncrementalAlterConfigsResponse(tuple([one for one, _ in asked.resources]), {})
        return ControllerResult(tuple(records), response)

    monkeypatch.setitem(DECIDERS, IncrementalAlterConfigs, decide)


def plant_a_translation(monkeypatch):
    """Read requests whose names have the benchmark's length by columns."""

    def read(asked, version):
        rows = asked.resources
        if {len(row.resource_name) for row in rows} != {len(name_of(0))}:
            return kafka.from_wire(asked, version)
        resources = [(row.resource_type, row.resource_name) for row in rows]
        alterations = [(row.configs[0].name, row.configs[0].config_operation, row.configs[0].value) for row in rows]
        made = map(partial(tuple.__new__, ConfigResource), resources)
        return IncrementalAlterConfigs(
            tuple(zip(made, zip(map(partial(tuple.__new__, ConfigAlteration), alterations)), strict=True))
        )

    kafka = next(one for one in kafka_calls.WRITES if one.request is rpc.IncrementalAlterConfigsRequest)
    monkeypatch.setattr(kafka_calls, "WRITES", (replace(kafka, from_wire=read),))


def plant_an_encoding(monkeypatch):
    """Encode records of the benchmark's lengths from a template."""
    encode = Controller.encode

    def encoded(controller, result):
        records = result.records
        if {(len(one.resource_name), len(one.value)) for one in records} != {(len(name_of(0)), VALUE_BYTES)}:
            return encode(controller, result)
        one = records[0]
        (sample,) = encode(controller, ControllerResult(records[:1], None))
        head, _, rest = sample.partition(one.resource_name.encode())
        middle, _, tail = rest.partition(one.value.encode())
        parts = "\0".join(f"{one.resource_name}\1{one.value}" for one in records).encode().split(b"\0")
        return [b"%b%b%b%b%b" % (head, part[:13], middle, part[14:], tail) for part in parts]

    monkeypatch.setattr(Controller, "encode", encoded)


@pytest.mark.parametrize(
    ("plant", "stage", "fitted"),
    [
        (plant_a_decision, "decide", "client metrics"),
        (plant_a_decision, "rules", "client metrics"),
        (plant_a_translation, "read", "client metrics"),
        (plant_an_encoding, "encode", "client metrics"),
    ],
)
def test_a_path_for_one_shape_is_reported(image, monkeypatch, plant, stage, fitted):
    """By the stage that it shortens, and the shape that it is for."""
    assert faults(all_counts(image, 64, FEW)) == []
    plant(monkeypatch)
    found = [fault for fault in faults(all_counts(image, 64, FEW)) if fault.startswith(f"{stage}: ")]
    assert found, stage
    assert f"{fitted} is judged 0 times" in found[0] or f", {fitted} takes" in found[0]
