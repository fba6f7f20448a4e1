"""``kafka-dump-log`` reads what kraftpy wrote, and says line by line what ``kraftpy dump-log`` says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kraftpy.client.sync import Client
from kraftpy.client.values import ConfigChange, Resource
from kraftpy.model.features import KAFKA_LEVEL_MAX, SchemaSet
from kraftpy.model.resource_types import ResourceType
from kraftpy.records import metadata, schema
from kraftpy.records.batch import encode_batch
from tests.interop.cluster import Member, Quorum
from tests.interop.dumps import assert_same_dump, kafkas_dump_until_it_fails, our_dump
from tests.interop.jars import Jars
from tests.interop.logs import end_offset, log_batches
from tests.interop.processes import HOST, eventually, free_ports

SNAPSHOTS = {"metadata.log.max.record.bytes.between.snapshots": "3000"}
TEXTS = ("", "plain", 'quotes " and \\ and / and </a>', "grün 日本 \U0001f600", "tab\tline\n\x01\x7f\u2028")


def write_configs(member: Member) -> None:
    with Client([member.properties["grpc.listener"]], timeout_s=60) as client:
        for number in range(60):
            resource = Resource(
                ResourceType.CLIENT_METRICS, f"subscription {number} {TEXTS[number % len(TEXTS)]}".strip()
            )
            answer = client.incremental_alter_configs({resource: [ConfigChange("interval.ms", "1000")]})
            assert not answer.outcomes[0].error, answer


def files_of(member: Member) -> list[Path]:
    return [*member.segments(), *member.snapshots()]


@pytest.mark.timeout(240)
def test_kafka_reads_what_a_static_quorum_wrote(jars: Jars, root: Path) -> None:
    """Segments and snapshots of a kraftpy cluster at Kafka's metadata.version are what Kafka's tool expects."""
    with Quorum(jars, root, ours=(1,), extra=SNAPSHOTS) as quorum:
        controller = quorum.members[1]
        broker = quorum.add_broker(4, ours=True)
        quorum.format_and_start()
        quorum.wait_for_leader()
        eventually("the broker runs", lambda: "after=running" in broker.log_text(), quorum.running)
        write_configs(controller)
        eventually("two snapshots", lambda: len(controller.snapshots()) >= 2, quorum.running)
        assert broker.stop() == 0
        assert controller.stop() == 0
        lines = assert_same_dump(jars, files_of(controller))
        assert_same_dump(jars, [controller.data / "bootstrap.checkpoint"])
        assert_same_dump(jars, files_of(broker))
    kinds = set(re.findall(r'"type":"(\w+)_RECORD"', "\n".join(lines)))
    assert {"REGISTER_BROKER", "REGISTER_CONTROLLER", "CONFIG", "BROKER_REGISTRATION_CHANGE", "FEATURE_LEVEL"} <= kinds
    assert not [line for line in lines if "isvalid: false" in line]


@pytest.mark.timeout(240)
def test_kafka_reads_what_a_dynamic_quorum_wrote(jars: Jars, root: Path) -> None:
    """A quorum whose voters are in the log writes control records that Kafka's tool shows as ours does."""
    with Quorum(jars, root) as quorum:
        port = free_ports(1)[0]
        properties = {
            "process.roles": "controller",
            "listeners": f"CONTROLLER://{HOST}:{port}",
            "controller.listener.names": "CONTROLLER",
            "controller.quorum.bootstrap.servers": f"{HOST}:{port}",
            "grpc.listener": f"{HOST}:{free_ports(1)[0]}",
            **SNAPSHOTS,
        }
        member = quorum.add(1, ours=True, properties=properties)
        member.format(extra=["--standalone"])
        zero = member.log_dir / "00000000000000000000-0000000000.checkpoint"
        lines = assert_same_dump(jars, [zero])
        assert any("KRaftVoters" in line for line in lines)
        member.start()
        write_configs(member)
        eventually("a snapshot of its own", lambda: len(member.snapshots()) >= 2, quorum.running)
        assert member.stop() == 0
        assert_same_dump(jars, files_of(member))


@pytest.mark.timeout(240)
def test_kafka_takes_over_a_directory_that_was_not_closed(jars: Jars, root: Path) -> None:
    """Kafka's tool reads every batch of a killed node's segment, and a Kafka started on its directory recovers it."""
    with Quorum(jars, root, ours=(1,)) as quorum:
        controller = quorum.members[1]
        quorum.format_and_start()
        quorum.wait_for_leader()
        write_configs(controller)
        controller.kill()
        [segment] = controller.segments()
        assert segment.read_bytes().endswith(bytes(1024)), "nothing was allocated ahead: the test shows nothing"
        before = log_batches(controller.log_dir)
        ours = our_dump([segment])
        theirs, why = kafkas_dump_until_it_fails(jars, segment)
        # A divergence: zeros allocated ahead are no batch, and Kafka's tool ends there with an error instead of a line.
        assert theirs == ours
        assert "Found record size 0 smaller than minimum record overhead" in why

        controller.ours = False
        controller.start()
        wait_for = before.keys() | {end_offset(before)}
        eventually(
            "Kafka leads and writes on", lambda: wait_for <= log_batches(controller.log_dir).keys(), quorum.running
        )
        after = log_batches(controller.log_dir)
    assert {offset: after[offset] for offset in before} == before, "Kafka changed what kraftpy had committed"


@pytest.mark.timeout(240)
@pytest.mark.parametrize("is_complete", [True, False])
def test_kafka_takes_over_a_log_with_a_transaction(jars: Jars, root: Path, is_complete: bool) -> None:
    """Kafka cannot replay a large write, or leaves one open whose end is missing."""
    with Quorum(jars, root, ours=(1,)) as quorum:
        controller = quorum.members[1]
        quorum.format_and_start()
        quorum.wait_for_leader()
        with Client([controller.properties["grpc.listener"]], timeout_s=60) as client:
            changes = [ConfigChange(f"large.{number}", "1") for number in range(5_000)]
            answer = client.incremental_alter_configs({Resource(ResourceType.BROKER, ""): changes})
            assert not answer.outcomes[0].error, answer
        controller.kill()
        [segment] = controller.segments()
        before = log_batches(controller.log_dir)
        assert len(before) > 3
        if not is_complete:
            del before[max(before)]
        segment.write_bytes(b"".join(before[offset] for offset in sorted(before)))
        controller.ours = False
        controller.start()
        end = end_offset(before)
        eventually("Kafka writes on", lambda: len(log_batches(controller.log_dir)) > len(before) + 1, quorum.running)
        dumped = "\n".join(our_dump([segment]))
        after = log_batches(controller.log_dir)
    assert {offset: after[offset] for offset in before} == before
    assert end in after
    assert ('"ABORT_TRANSACTION_RECORD"' in dumped) is not is_complete
    assert ('"END_TRANSACTION_RECORD"' in dumped.rpartition('"BEGIN_TRANSACTION_RECORD"')[2]) is is_complete


def instances() -> Iterator[tuple[Any, int]]:
    """Make two values of every metadata record in every version that Kafka has: one of defaults, one that is full."""
    for message in schema.load("metadata"):
        record_class = getattr(metadata, message.name, None)
        key = message.api_key
        assert record_class is not None, message.name
        assert key is not None
        if key >= 29:
            continue  # Kafka 4.3 ends at 28; what ours writes beyond is not written at its levels
        for version in message.version_numbers():
            for seed in range(3):
                values = {
                    field.attribute: filled(field, version, seed)
                    for field in message.root.fields_in(version)
                    if seed and (field.tag is None or field.tag < 1000)
                }
                yield record_class(**values), version


def filled(field: schema.Field, version: int, seed: int) -> Any:
    if field.is_nullable and seed == 2 and field.default != "null":
        return None
    if field.is_array:
        return [one(field, version, seed + number) for number in range(seed)]
    return one(field, version, seed)


def one(field: schema.Field, version: int, seed: int) -> Any:
    if field.struct is not None:
        made = getattr(metadata, field.struct.class_name)
        return made(**{each.attribute: filled(each, version, seed) for each in field.struct.fields_in(version)})
    match field.kind:
        case "bool":
            return seed % 2 == 1
        case "string":
            return TEXTS[seed % len(TEXTS)]
        case "bytes":
            return bytes(range(250, 256)) * seed
        case "uuid":
            return bytes((251 + seed + number) % 256 for number in range(16))
        case "float64":
            return (0.0, 1024.0, 1.5, 1e21, 0.001, 123456789.125)[seed % 6]
        case kind:
            bits = int(kind.removeprefix("u").removeprefix("int"))
            top = (1 << (bits - (not kind.startswith("u")))) - 1
            return (0, top, 5 * seed)[seed % 3]


def test_every_record_in_every_version(jars: Jars, tmp_path: Path) -> None:
    """Every metadata record, in each version, is decoded by Kafka to the values that we encoded."""
    segment = tmp_path / "00000000000000000000.log"
    data, offset, kinds = b"", 0, set()
    for record, version in instances():
        value = metadata.encode_record(record, version)
        assert metadata.decode_record(value, SchemaSet.for_level(KAFKA_LEVEL_MAX)) is not None
        data += encode_batch([value], base_offset=offset, epoch=1, timestamp_ms=1_700_000_000_000 + offset)
        kinds.add((type(record).__name__, version))
        offset += 1
    segment.write_bytes(data)
    lines = assert_same_dump(jars, [segment])
    assert len(kinds) > 30
    assert sum("payload: {" in line for line in lines) == offset, "a record was not decoded by Kafka"
