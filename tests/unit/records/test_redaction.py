"""The secret fields of a record are known, and the record that replaces it is valid."""

from __future__ import annotations

import pytest

from kraftpy.controller.config_schema import SECRET_BROKER_KEYS, is_sensitive
from kraftpy.model.features import SchemaSet
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.batch import encode_batch, parse_batch
from kraftpy.records.metadata import (
    ConfigRecord,
    NoOpRecord,
    TopicRecord,
    UserScramCredentialRecord,
    decode_record,
    encode_record,
)
from kraftpy.records.redaction import REDACTED, redacted, redacted_value, shown_json, with_values

SCRAM = UserScramCredentialRecord("alice", 1, b"salt", b"stored", b"server", 4096)
PLAIN = (
    ConfigRecord(4, "1", "log.cleaner.threads", "2"),
    ConfigRecord(4, "1", "ssl.keystore.location", "/etc/k.pem"),
    ConfigRecord(4, "1", "ssl.key.password", None),
    ConfigRecord(2, "t", "retention.ms", "9"),
    TopicRecord(name="password"),
    NoOpRecord(),
)
SECRET = (
    *(ConfigRecord(4, "1", name, "hunter2") for name in sorted(SECRET_BROKER_KEYS)),
    ConfigRecord(4, "", "listener.name.x.SSL.KEY.PASSWORD", "hunter2"),
    ConfigRecord(4, "", "listener.name.x.plain.sasl.jaas.config", "hunter2"),
    ConfigRecord(4, "", "my.plugin.clientsecret", "hunter2"),
    ConfigRecord(2, "t", "some.plugin", "password = hunter2"),
    ConfigRecord(2, "t", "some.url", "https://user:hunter2@host/"),
)


@pytest.mark.parametrize("record", PLAIN, ids=str)
def test_what_is_no_secret_stays_the_same_object(record):
    assert redacted(record) is record
    value = encode_record(record, 0)
    assert redacted_value(value) is value


@pytest.mark.parametrize("record", SECRET, ids=lambda one: one.name)
def test_a_secret_value_is_replaced_and_nothing_else(record):
    value = encode_record(record, 0)
    shown = redacted_value(value)
    assert b"hunter2" not in shown
    read = decode_record(shown, SchemaSet.KAFKA)
    assert (read.resource_type, read.resource_name, read.name, read.value) == (
        record.resource_type, record.resource_name, record.name, REDACTED,
    )  # fmt: skip
    assert shown_json(record, 0)["data"]["value"] == REDACTED
    assert shown_json(record, 0, None)["data"]["value"] == record.value


@pytest.mark.parametrize("name", sorted(SECRET_BROKER_KEYS))
def test_what_the_controller_calls_sensitive_is_a_secret_everywhere(name):
    for spelt in (name, f"listener.name.a.{name}", name.upper(), f"my.{name}"):
        assert is_sensitive(ResourceType.BROKER, spelt)
        record = ConfigRecord(4, "", spelt, "hunter2")
        assert redacted(record) is not record


def test_scram_credentials_keep_their_name_and_their_iterations():
    read = decode_record(redacted_value(encode_record(SCRAM, 0)), SchemaSet.KAFKA)
    hidden = REDACTED.encode()
    assert read == UserScramCredentialRecord("alice", 1, hidden, hidden, hidden, 4096)
    shown = shown_json(SCRAM, 0)["data"]
    assert [shown[name] for name in ("salt", "storedKey", "serverKey")] == [REDACTED] * 3
    assert shown["name"] == "alice"


def test_a_secret_that_cannot_be_read_is_not_shown_either():
    """A broken record, and one whose apiKey is written with a byte too many."""
    whole = encode_record(SECRET[0], 0)
    assert redacted_value(whole[:-2]) == whole[:3]
    overlong = whole[:1] + bytes([whole[1] | 0x80, 0]) + whole[2:]
    assert b"hunter2" not in redacted_value(overlong)
    assert redacted_value(b"\x01\x0b") == b"\x01\x0b"


def test_a_batch_is_written_again_with_the_same_place_and_a_good_checksum():
    values = [encode_record(record, 0) for record in (SCRAM, *PLAIN, *SECRET)]
    batch = parse_batch(encode_batch(values, base_offset=70, epoch=4, timestamp_ms=99))
    written = with_values(batch, [redacted_value(value) for value in values])
    read = parse_batch(written)  # the checksum is looked at
    assert (read.base_offset, read.last_offset, read.epoch, read.base_timestamp_ms) == (70, batch.last_offset, 4, 99)
    assert b"hunter2" not in written
    assert [a == b for a, b in zip(read.values(), values, strict=True)] == [False, *[True] * 6, *[False] * len(SECRET)]
