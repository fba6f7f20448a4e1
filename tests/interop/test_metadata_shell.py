"""Kafka's metadata shell and ours, on the same snapshots: every name and every text (KIP-631).

Intended differences: ours has the cluster id and the broker ids of hosts, hides secrets by default, names
the default entity of quotas (Kafka's shell stops at one, because its name is empty), has another ``local``, and shows
the end of the snapshot as its provenance, where Kafka's shell shows the position in the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from kraftpy.records.codec import Record
from kraftpy.records.metadata import (
    AccessControlEntryRecord,
    BrokerRegistrationChangeRecord,
    ClientQuotaRecord,
    ClientQuotaRecordEntityData,
    ConfigRecord,
    DelegationTokenRecord,
    FeatureLevelRecord,
    PartitionRecord,
    ProducerIdsRecord,
    RegisterBrokerRecord,
    RegisterBrokerRecordBrokerEndpoint,
    RegisterBrokerRecordBrokerFeature,
    RegisterControllerRecord,
    RegisterControllerRecordControllerEndpoint,
    TopicRecord,
    UserScramCredentialRecord,
    encode_for_level,
)
from kraftpy.records.snapshot import SnapshotEncoder
from tests.interop.cluster import java, kraftpy
from tests.interop.dumps import LOGGING, MADE, SHELL, SHELL_SKIPS, SHELL_TRIES_MAX
from tests.interop.jars import Jars

GOLDEN = Path(__file__).parents[1] / "golden" / "kafka-4.3.0" / "00000000000000000037-0000000001.checkpoint"
LEVEL = 30


def uuid(number: int) -> bytes:
    return (1 << 100 | number).to_bytes(16, "big")


def records() -> list[Record]:
    """Something in every directory of the tree, with names that are hard to print."""
    topics = [
        record
        for number, name in enumerate(("orders", "a.b_c", "Z", "9"))
        for record in (
            TopicRecord(name=name, topic_id=uuid(number)),
            *(
                PartitionRecord(
                    partition_id=partition, topic_id=uuid(number), replicas=[1, 2], isr=[2],
                    leader=-1 if partition else 2, leader_epoch=partition, partition_epoch=7, removing_replicas=[2],
                    adding_replicas=[1],
                    directories=[uuid(900), bytes(16)], eligible_leader_replicas=[1], last_known_elr=[2],
                    leader_recovery_state=partition % 2,
                )
                for partition in range(11)
            ),
        )
    ]  # fmt: skip
    quotas = [
        ClientQuotaRecord(
            entity=[ClientQuotaRecordEntityData(kind, name) for kind, name in entity],
            key=key,
            value=value,
            remove=False,
        )
        for entity, key, value in (
            ((("user", "alice"),), "producer_byte_rate", 1024.0),
            ((("user", "a(b)\\c"), ("client-id", "x y")), "consumer_byte_rate", 1.5e9),
            ((("ip", "10.0.0.1"),), "connection_creation_rate", 0.00025),
            ((("client-id", "c"),), "request_percentage", 12345678.9),
        )
    ]
    return [
        FeatureLevelRecord("metadata.version", LEVEL),
        FeatureLevelRecord("group.version", 1),
        *(
            RegisterBrokerRecord(
                broker_id=number, incarnation_id=uuid(600 + number), broker_epoch=number, rack=rack, fenced=fenced,
                end_points=[
                    RegisterBrokerRecordBrokerEndpoint("Z", "::1", 9, 3),
                    RegisterBrokerRecordBrokerEndpoint("A", "h", 65535, 1),
                ],
                features=[
                    RegisterBrokerRecordBrokerFeature("metadata.version", 7, 30),
                    RegisterBrokerRecordBrokerFeature("a", 1, 1),
                    RegisterBrokerRecordBrokerFeature("b", 0, 32767),
                ],
                log_dirs=dirs, cordoned_log_dirs=cordoned,
            )
            for number, rack, fenced, dirs, cordoned in (
                (1, None, False, [], None),
                (2, "r 1", True, [uuid(901), uuid(900)], [uuid(900)]),
                (10, "", True, [], []),
            )
        ),
        BrokerRegistrationChangeRecord(broker_id=1, broker_epoch=1, in_controlled_shutdown=1),
        RegisterControllerRecord(
            controller_id=3000, incarnation_id=uuid(5),
            end_points=[RegisterControllerRecordControllerEndpoint("C", "c", 1, 0)],
        ),
        *topics,
        ConfigRecord(2, "orders", "retention.ms", "5"),
        ConfigRecord(4, "", "log.retention.ms", "6"),
        ConfigRecord(4, "1", "ssl.key.password", "secret"),
        ConfigRecord(16, "m", "metrics", "*"),
        ConfigRecord(32, "g", "consumer.session.timeout.ms", "7"),
        *quotas,
        ProducerIdsRecord(broker_id=1, broker_epoch=1, next_producer_id=2000),
        AccessControlEntryRecord(uuid(70), 2, "orders", 3, "User:alice", "*", 3, 3),
        AccessControlEntryRecord(uuid(71), 4, "kafka-cluster", 4, "User:CN=b, O=c", "10.0.0.1", 9, 2),
        UserScramCredentialRecord("alice", 1, b"\x00\xff", b"\x01" * 32, b"\x02" * 32, 4096),
        UserScramCredentialRecord("bob", 2, b"s", b"k", b"v", 8192),
        DelegationTokenRecord("User:alice", "User:bob", ["User:c", "User:d"], 1, 3, 2, "token"),
    ]  # fmt: skip


def snapshot(path: Path) -> Path:
    made = path / "00000000000000000500-0000000003.checkpoint"
    encoder = SnapshotEncoder(epoch=3, timestamp_ms=5, last_contained_log_timestamp_ms=1_700_000_000_120)
    made.write_bytes(b"".join(encoder.encode([encode_for_level(record, LEVEL)] for record in records())))
    return made


def kafkas(jars: Jars, path: Path, words: Sequence[str]) -> list[str]:
    done = java(jars, SHELL, "--snapshot", str(path), *words, options=(f"-Dlog4j2.configurationFile={LOGGING}",))
    complaints = [line for line in done.stderr.splitlines() if line.startswith("ERROR") and SHELL_SKIPS not in line]
    assert (done.returncode, complaints) == (0, []), done.stderr
    return _compared(done.stdout)


def ours(path: Path, words: Sequence[str]) -> list[str]:
    done = kraftpy("metadata-shell", "--show-secrets", "--snapshot", str(path), *words)
    assert done.returncode == 0, done.stderr
    return _compared(done.stdout)


def _compared(text: str) -> list[str]:
    return [line for line in text.splitlines() if not MADE.match(line)]


ASKED = (
    ("tree", "/image"),
    ("find", "/image"),
    ("ls", "/image", "/image/topics/*", "/image/provenance", "/nowhere"),
    ("cat", "/image/topics/byName/{orders,9}/1?", "/image", "/image/scram/*/*", "no/where"),
    ("ls", "/image/cluster/../features/./finalized_*"),
)


@pytest.mark.timeout(300)
def test_both_shells_show_the_same(jars: Jars, tmp_path: Path) -> None:
    """Kafka's shell answers as soon as it has loaded something, so it is asked again where the answers differ."""
    for path in (GOLDEN, snapshot(tmp_path)):
        for words in ASKED:
            our = ours(path, words)
            their: list[str] = []
            for _ in range(SHELL_TRIES_MAX):
                their = kafkas(jars, path, words)
                if their == our:
                    break
            assert our == their, f"{words} of {path.name}"
    hidden = kraftpy("metadata-shell", "--snapshot", str(snapshot(tmp_path)), "tree", "/image").stdout
    assert hidden.count("[redacted]") == 1 + 2 * 4 + 7, "a password, two credentials and a token"
