"""What a real Kafka wrote is read, written again byte for byte, and replayed to the states of Kafka's own snapshots."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from kraftpy.image import MetadataLoader, snapshot_groups
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records import metadata
from kraftpy.records.batch import Batch, encode_batch, encode_control_batch, split_batches
from kraftpy.records.codec import read_uvarint
from kraftpy.records.file_names import parse_snapshot_file_name
from kraftpy.records.snapshot import read_snapshot
from tests.interop.cluster import AdminClient, Member, Quorum
from tests.interop.dumps import assert_same_dump
from tests.interop.jars import Jars
from tests.interop.processes import eventually

SETTINGS = {
    "metadata.log.max.record.bytes.between.snapshots": "3000",
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
}
EXPECTED_KINDS = {
    "ACCESS_CONTROL_ENTRY", "BEGIN_TRANSACTION", "BROKER_REGISTRATION_CHANGE", "CLIENT_QUOTA", "CONFIG",
    "END_TRANSACTION", "FEATURE_LEVEL", "NO_OP", "PARTITION", "PARTITION_CHANGE", "PRODUCER_IDS", "REGISTER_BROKER",
    "REGISTER_CONTROLLER", "REMOVE_ACCESS_CONTROL_ENTRY", "REMOVE_TOPIC", "REMOVE_USER_SCRAM_CREDENTIAL", "TOPIC",
    "USER_SCRAM_CREDENTIAL",
}  # fmt: skip


def keep_busy(admin: AdminClient) -> None:
    for number in range(8):
        name = f"topic-{number}"
        admin.ask(f"topic {name} {1 + number % 4}")
        admin.ask(f"config topic {name} retention.ms {100_000 + number}")
        admin.ask(f"acl user-{number} {name}")
        admin.ask(f"scram user-{number} secret-{number}")
        admin.ask(f"quota user-{number} {1024.0 * (number + 1)}")
        admin.ask(f"config client_metrics metrics-{number} interval.ms 2000")
    for number in range(0, 8, 3):
        admin.ask(f"delete-acl user-{number} topic-{number}")
        admin.ask(f"delete-scram user-{number}")
        admin.ask(f"config topic topic-{number} retention.ms -")
        admin.ask(f"delete-topic topic-{number}")
    admin.ask("partitions topic-1 6")
    admin.ask("config broker - max.connections 77")
    admin.ask("config group some-group consumer.session.timeout.ms 46000")


def batches_of(file: Path) -> list[Batch]:
    return split_batches(file.read_bytes())


def version_of(value: bytes) -> int:
    number = at = 0
    for _ in ("frame version", "apiKey", "version"):
        number, at = read_uvarint(value, at)
    return number


def encoded_again(batch: Batch) -> bytes:
    place = {"base_offset": batch.base_offset, "epoch": batch.epoch, "timestamp_ms": batch.base_timestamp_ms}
    if batch.is_control:
        return encode_control_batch(batch.control_records(), **place)
    return encode_batch([value_again(value) for value in batch.values()], **place)


def value_again(value: bytes) -> bytes:
    record = metadata.decode_record(value, metadata.SchemaSet.KAFKA)
    assert not isinstance(record, metadata.UnknownRecord), f"Kafka wrote what is not known here: {record}"
    return metadata.encode_record(record, version_of(value))


def assert_rewritten(file: Path) -> int:
    batches = batches_of(file)
    for batch in batches:
        assert encoded_again(batch) == batch.data, (
            f"{file}: the batch at offset {batch.base_offset} came out differently"
        )
    return len(batches)


def replay_to(member: Member, end_offset: int) -> MetadataLoader:
    loader = MetadataLoader()
    log = [batch for segment in member.segments() for batch in batches_of(segment)]
    assert log[0].base_offset == 0, f"{member.name}: the log does not reach back to its beginning"
    loader.load_batches([batch for batch in log if batch.next_offset <= end_offset])
    assert loader.next_offset == end_offset
    return loader


def snapshot_values(data: bytes) -> list[bytes]:
    return [value for batch in read_snapshot(data).batches if not batch.is_control for value in batch.values()]


def check_snapshots(member: Member) -> Iterator[OffsetAndEpoch]:
    """Compare the log replayed to each snapshot's end with that snapshot, as states and as records."""
    for file in member.snapshots():
        snapshot_id = parse_snapshot_file_name(file.name)
        assert snapshot_id is not None, file
        contents = read_snapshot(file.read_bytes())
        loaded = MetadataLoader()
        loaded.load_snapshot(snapshot_id, contents.batches, contents.header.last_contained_log_timestamp)
        replayed = replay_to(member, snapshot_id.offset)
        assert replayed.image.same_content(loaded.image), f"{file}: the log does not lead to this state"
        assert replayed.image.provenance.snapshot_id == snapshot_id
        assert replayed.image.provenance.timestamp_ms == contents.header.last_contained_log_timestamp
        # What our controllers would write for that state is what Kafka wrote, whatever the order inside of a kind.
        ours = Counter(canonical(value) for group in snapshot_groups(replayed.image) for value in group)
        theirs = Counter(canonical(value) for value in snapshot_values(file.read_bytes()))
        assert ours == theirs, f"{file}: ours alone {shown(ours - theirs)}, Kafka's alone {shown(theirs - ours)}"
        yield snapshot_id


def canonical(value: bytes) -> bytes:
    """Sort what Kafka keeps in hash maps, and therefore writes in no order that means anything."""
    record = metadata.decode_record(value, metadata.SchemaSet.KAFKA)
    if isinstance(record, metadata.RegisterBrokerRecord | metadata.RegisterControllerRecord):
        record.end_points.sort(key=lambda one: one.name)
        record.features.sort(key=lambda one: one.name)
        return metadata.encode_record(record, version_of(value))
    return value


def shown(values: Counter[bytes]) -> list[str]:
    return [str(metadata.decode_record(value, metadata.SchemaSet.KAFKA)) for value in values]


@pytest.mark.timeout(420)
def test_kafkas_logs_and_snapshots(jars: Jars, root: Path) -> None:
    """Logs of three Kafka controllers are rewritten identically and replay to every one of their snapshots."""
    with Quorum(jars, root, kafka=(1, 2, 3), brokers=(4,), extra=SETTINGS) as quorum:
        broker = quorum.members[4]
        for member in quorum.members.values():
            member.format(extra=["--add-scram", "SCRAM-SHA-512=[name=first,password=secret]"] * (member is not broker))
            member.start()
        first = quorum.wait_for_leader()
        eventually("the broker runs", lambda: "Kafka Server started" in broker.log_text(), quorum.running)
        with AdminClient(jars, root, brokers=broker.properties["listeners"].rpartition("//")[2]) as admin:
            keep_busy(admin)
            admin.ask("produce topic-2")
        assert first.stop() == 143
        quorum.wait_for_leader(other_than=first.node_id)
        first.start()
        eventually("every controller wrote snapshots", lambda: all(one.snapshots() for one in quorum.controllers),
                   quorum.running)  # fmt: skip
        broker.stop()
        for member in quorum.controllers:
            member.stop()

        rewritten = snapshots = 0
        lines: list[str] = []
        for member in quorum.members.values():
            files = [*member.segments(), *member.snapshots(), member.data / "bootstrap.checkpoint"]
            files = [file for file in files if file.exists()]
            rewritten += sum(assert_rewritten(file) for file in files)
            lines += assert_same_dump(jars, files)
        for member in quorum.controllers:
            snapshots += len(list(check_snapshots(member)))
    kinds = set(re.findall(r'"type":"(\w+)_RECORD"', "\n".join(lines)))
    assert kinds >= EXPECTED_KINDS, f"Kafka did not write {EXPECTED_KINDS - kinds}"
    assert rewritten > 300
    assert snapshots >= 6
