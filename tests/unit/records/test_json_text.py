"""The one JSON form of a record."""

from __future__ import annotations

import json
import random

import pytest

from kraftpy.records.control import UnknownControlRecord
from kraftpy.records.json_text import data_to_json, data_to_text, json_fields
from kraftpy.records.metadata import (
    BrokerRegistrationChangeRecord,
    ClientQuotaRecord,
    PartitionRecord,
    RegisterBrokerRecord,
    UnknownRecord,
)
from tests.unit.records.instances import every_version, generated, instance


@pytest.mark.parametrize(("family", "schema", "version"), [case for case in every_version() if case.values[0] != "rpc"])
def test_the_text_is_the_value(family: str, schema, version: int) -> None:
    """The text of a record differs from its value, or lists other fields than ``json_fields`` does."""
    for seed in range(8):
        record = instance(family, schema, version, random.Random(seed))
        shown = data_to_json(record, version)
        assert json.loads(data_to_text(record, version)) == shown
        fields = json_fields(getattr(generated(family), schema.name), version)
        names = [
            field.name
            for field in fields
            if field.is_default is None or not field.is_default(getattr(record, field.attribute))
        ]
        assert list(shown) == names


def test_tagged_fields_are_left_out_at_their_default_only() -> None:
    """A tagged field at its default is shown, or one with a value is not."""
    assert data_to_json(BrokerRegistrationChangeRecord(1, 2), 3) == {"brokerId": 1, "brokerEpoch": 2}
    changed = BrokerRegistrationChangeRecord(1, 2, fenced=-1, log_dirs=[bytes(16)], cordoned_log_dirs=[])
    assert data_to_json(changed, 3) == {
        "brokerId": 1,
        "brokerEpoch": 2,
        "fenced": -1,
        "logDirs": ["A" * 22],
        "cordonedLogDirs": [],
    }
    assert "directories" not in data_to_json(PartitionRecord(), 0)
    assert data_to_json(PartitionRecord(), 1)["directories"] == []
    assert data_to_json(RegisterBrokerRecord(rack=None), 4)["rack"] is None


def test_what_is_not_known_shows_its_bytes() -> None:
    """An unknown record shows nothing of what it holds."""
    assert data_to_json(UnknownRecord(600, 3, b"abc", b"\1"), 0) == {"apiKey": 600, "payload": "YWJj"}
    shown = data_to_json(UnknownControlRecord(9, b"k", b"v"), 0)
    assert shown == {"type": 9, "key": "aw==", "value": "dg=="}


def test_a_number_that_json_lacks_is_a_word() -> None:
    """A text that is no JSON, because of a quota that is not a number."""
    quota = ClientQuotaRecord([], "producer_byte_rate", float("nan"), remove=False)
    assert data_to_text(quota, 0) == '{"entity":[],"key":"producer_byte_rate","value":"NaN","remove":false}'
