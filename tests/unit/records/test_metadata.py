"""Metadata records in their frame."""

from __future__ import annotations

import pytest

from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.model.features import METADATA_VERSIONS, SchemaSet
from kraftpy.records import metadata as m
from kraftpy.records.json_text import record_to_json

D = bytes.fromhex("1021324354654687" + "98a9bacbdcedfe0f")
T = bytes.fromhex("00112233445566778899aabbccddeeff")
_D, _T, _Z = D.hex(), T.hex(), "00" * 16

EXAMPLES = [
    (
        m.PartitionRecord(0, T, [1, 2], [1, 2], [], [], 1, 0, 0, 0, [D, bytes(16)]),
        1,
        f"010301 00000000 {_T} 030000000100000002 030000000100000002 01 01 00000001 00000000 00000000 03 {_D} {_Z} 00",
    ),
    (
        m.PartitionRecord(0, T, [1, 2], [1, 2], [], [], 1, 1, 5, 6),
        0,
        f"010300 00000000 {_T} 030000000100000002 030000000100000002 01 01 00000001 00000005 00000006 01000101",
    ),
    (
        m.PartitionChangeRecord(0, T, [1], 1, directories=[D]),
        1,
        f"010501 00000000 {_T} 03 00050200000001 010400000001 081102 {_D}",
    ),
    (
        m.PartitionChangeRecord(0, T, directories=[D], eligible_leader_replicas=[2], last_known_elr=[]),
        2,
        f"010502 00000000 {_T} 03 06050200000002 070101 081102 {_D}",
    ),
    (m.BrokerRegistrationChangeRecord(1, 42, -1), 2, "011102 00000001 000000000000002a 010001ff"),
    (m.ConfigRecord(2, "foo", "retention.ms", None), 0, "010400 02 04666f6f 0d726574656e74696f6e2e6d73 00 00"),
    (m.BeginTransactionRecord("Bootstrap records"), 0, "011700 010012 12426f6f747374726170207265636f726473"),
    (m.BeginTransactionRecord(), 0, "01170000"),
    (
        m.ClientQuotaRecord([m.ClientQuotaRecordEntityData("user", None)], "producer_byte_rate", 1024.0, remove=False),
        0,
        "010e00 0205757365720000 1370726f64756365725f627974655f72617465 4090000000000000 00 00",
    ),
    (
        m.RegisterBrokerRecord(
            broker_id=1,
            incarnation_id=T,
            broker_epoch=42,
            end_points=[m.RegisterBrokerRecordBrokerEndpoint("PLAINTEXT", "h", 9092, 0)],
            features=[m.RegisterBrokerRecordBrokerFeature("metadata.version", 1, 21)],
            rack=None,
            log_dirs=[D],
        ),
        3,
        (
            f"010003 00000001 00 {_T} 000000000000002a 020a504c41494e54455854026823840000 00"
            f"02116d657461646174612e76657273696f6e 00010015 00 00 01 00 01001102 {_D}"
        ),
    ),
    (m.NoOpRecord(), 0, "01140000"),
    (m.FeatureLevelRecord("metadata.version", 21), 0, "010c00 116d657461646174612e76657273696f6e 0015 00"),
    (
        m.BrokerRegistrationChangeRecord(1, 42, cordoned_log_dirs=[D]),
        3,
        f"011103 00000001 000000000000002a 01 031102 {_D}",
    ),
    (m.BrokerRegistrationChangeRecord(1, 42, cordoned_log_dirs=[]), 3, "011103 00000001 000000000000002a 01 030101"),
    (
        m.RegisterBrokerRecord(1, False, T, 42, rack=None, cordoned_log_dirs=[D]),  # noqa: FBT003 - in wire order
        4,
        f"010004 00000001 00 {_T} 000000000000002a 01 01 00 01 00 01 011102 {_D}",
    ),
    (m.ClearElrRecord("t"), 0, "011c00 0274 00"),
]


@pytest.mark.parametrize(("record", "version", "text"), EXAMPLES)
def test_worked_examples_byte_for_byte(record, version: int, text: str) -> None:
    """A record is not the bytes of the worked example, or does not come back from them."""
    value = bytes.fromhex(text)
    assert m.encode_record(record, version) == value
    for schema in SchemaSet:
        assert m.decode_record(value, schema) == record


CLUSTER_ID = bytes.fromhex("011d00") + b"\x17" + b"MkU3OEVBNTcwNTJENDM2Qg" + b"\0"
UNREGISTER = bytes.fromhex("011d00 00000005 00")


def test_key_29_means_what_the_schema_set_states() -> None:
    """Key 29 was read by the wrong table."""
    assert m.decode_record(CLUSTER_ID, SchemaSet.KRAFTPY) == m.ClusterIdRecord("MkU3OEVBNTcwNTJENDM2Qg")
    assert m.decode_record(UNREGISTER, SchemaSet.KAFKA_4_4) == m.UnregisterControllerRecord(5)
    for value in (CLUSTER_ID, UNREGISTER):
        assert m.decode_record(value, SchemaSet.KAFKA) == m.UnknownRecord(29, 0, value[3:], value)


def test_key_29_in_the_other_form_is_unknown() -> None:
    """A record of key 29 was forced into a form that its bytes do not have."""
    assert m.decode_record(CLUSTER_ID, SchemaSet.KAFKA_4_4) == m.UnknownRecord(29, 0, CLUSTER_ID[3:], CLUSTER_ID)
    assert m.decode_record(UNREGISTER, SchemaSet.KRAFTPY) == m.UnknownRecord(29, 0, UNREGISTER[3:], UNREGISTER)
    for text in ("011d00", "011d00ff", "011d00ffffffffffff", "011d0001"):
        for schema in SchemaSet:
            assert isinstance(m.decode_record(bytes.fromhex(text), schema), m.UnknownRecord), text


def test_broker_host_has_a_long_key() -> None:
    """The record of key 1000 does not come back, or is known where it does not belong."""
    record = m.BrokerHostRecord("h1", 7)
    value = m.encode_record(record, 0)
    assert value == bytes.fromhex("01e80700 036831 00000007 00")
    assert m.decode_record(value, SchemaSet.KRAFTPY) == record
    assert isinstance(m.decode_record(value, SchemaSet.KAFKA), m.UnknownRecord)


@pytest.mark.parametrize("text", ["010600ff", "01030700", "01ffff0100ff", "0114050001", "017f7f"])
def test_unknown_keys_and_versions_are_kept_byte_for_byte(text: str) -> None:
    """A record of an unknown key or version was refused or changed."""
    value = bytes.fromhex(text)
    record = m.decode_record(value, SchemaSet.KRAFTPY)
    assert isinstance(record, m.UnknownRecord)
    assert record.value == value
    assert value.endswith(record.payload)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "frame version at byte 0 is cut off"),
        ("01", "apiKey at byte 1 is cut off"),
        ("0114", "version at byte 2 is cut off"),
        ("00140000", "frame version 0.*preview"),
        ("02140000", "frame version 2"),
        ("0180800200", "apiKey 32768 is over 32767"),
        ("01ffffffffff", "apiKey at byte 1"),
        ("011400", "NoOpRecord"),
        ("0114000000", "NoOpRecord"),
    ],
)
def test_crooked_frames_are_malformed(text: str, why: str) -> None:
    """A crooked frame was read, or refused for another reason."""
    with pytest.raises(MalformedError, match=why):
        m.decode_record(bytes.fromhex(text), SchemaSet.KRAFTPY)


@pytest.mark.parametrize(
    ("cls", "levels"),
    [
        (m.RegisterBrokerRecord, {1: 0, 6: 0, 7: 1, 8: 2, 16: 2, 17: 3, 29: 3, 30: 4, 42: 4}),
        (m.PartitionRecord, {7: 0, 16: 0, 17: 1, 22: 1, 23: 2, 42: 2}),
        (m.PartitionChangeRecord, {7: 0, 16: 0, 17: 1, 22: 1, 23: 2, 42: 2}),
        (m.BrokerRegistrationChangeRecord, {6: 0, 7: 1, 16: 1, 17: 2, 29: 2, 30: 3, 42: 3}),
        (m.TopicRecord, {1: 0, 42: 0}),
    ],
)
def test_versions_follow_the_level(cls, levels: dict[int, int]) -> None:
    """A record is written in another version than its metadata.version asks for."""
    assert {level: m.record_version(cls, level) for level in levels} == levels


@pytest.mark.parametrize(
    ("record", "first", "beyond"),
    [
        (m.ClusterIdRecord("x"), 40, None),
        (m.BrokerHostRecord("h"), 41, None),
        (m.UnregisterControllerRecord(1), 33, 40),
        (m.BrokerRegistrationChangeRecord(), 6, None),
        (m.BeginTransactionRecord(), 13, None),
        (m.RegisterControllerRecord(), 15, None),
    ],
)
def test_a_level_writes_only_what_it_has(record, first: int, beyond: int | None) -> None:
    """A record was written at a level that does not have it, or refused at one that does."""
    for level in (version.level for version in METADATA_VERSIONS):
        if level < first or (beyond is not None and level >= beyond):
            with pytest.raises(LocalError, match=f"metadata.version {level}"):
                m.encode_for_level(record, level)
        else:
            value = m.encode_for_level(record, level)
            assert m.decode_record(value, SchemaSet.for_level(level)) == record


def test_saturated_directories_are_skipped_by_older_readers() -> None:
    """The tagged field of ours is written when empty, or hides something from a reader that does not know it."""
    record = m.BrokerRegistrationChangeRecord(1, 2, saturated_log_dirs=[D])
    value = m.encode_for_level(record, 42)
    assert value == bytes.fromhex(f"011103 00000001 0000000000000002 01 e80711 02 {_D}")
    assert m.encode_for_level(m.BrokerRegistrationChangeRecord(1, 2), 42) == bytes.fromhex(
        "011103 00000001 0000000000000002 00"
    )
    cleared = m.BrokerRegistrationChangeRecord(1, 2, saturated_log_dirs=[])
    assert m.encode_for_level(cleared, 42) == bytes.fromhex("011103 00000001 0000000000000002 01 e80701 01")
    for level in (29, 30, 34, 40, 41):
        for named in (record, cleared):
            with pytest.raises(LocalError, match="saturated_log_dirs"):
                m.encode_for_level(named, level)


def test_there_is_no_such_version() -> None:
    """A version that does not exist was written."""
    for version in (-1, 1):
        with pytest.raises(LocalError, match="it has 0 to 0"):
            m.encode_record(m.NoOpRecord(), version)


def test_type_names_are_kafkas() -> None:
    """A type name is not what Kafka's tools show."""
    names = {m.type_name(cls()) for cls in m.METADATA_RECORDS}
    assert {
        "REGISTER_BROKER_RECORD",
        "ZK_MIGRATION_STATE_RECORD",
        "NO_OP_RECORD",
        "ACCESS_CONTROL_ENTRY_RECORD",
    } <= names
    assert m.type_name(m.UnknownRecord(6, 0, b"", b"")) == "UNKNOWN_RECORD_6"


def test_json_leaves_tagged_defaults_out() -> None:
    """The JSON view shows a tagged field at its default, or hides one that is set."""
    record = m.PartitionChangeRecord(3, T, isr=[], leader=-1)
    assert record_to_json(record, 2) == {
        "type": "PARTITION_CHANGE_RECORD",
        "version": 2,
        "data": {"partitionId": 3, "topicId": "ABEiM0RVZneImaq7zN3u_w", "isr": [], "leader": -1},
    }
    unknown = record_to_json(m.UnknownRecord(99, 1, b"ab", b"..ab"), 1)
    assert unknown["data"] == {"apiKey": 99, "payload": "YWI="}
