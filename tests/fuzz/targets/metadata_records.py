"""Metadata records of every type and version, under every schema set (the first byte chooses), and shown as JSON."""

from __future__ import annotations

import json
import random

from kraftpy.model.errors import MalformedError
from kraftpy.model.features import SchemaSet
from kraftpy.records.json_text import data_to_text, record_to_json
from kraftpy.records.metadata import METADATA_RECORDS, UnknownRecord, decode_record, encode_record, type_name
from kraftpy.records.schema import load
from tests.fuzz.target import Target
from tests.unit.records.instances import instance

SCHEMAS = tuple(SchemaSet)


def run(data: bytes) -> None:
    """Decode and show; what is encoded again is a fixed point of decoding and encoding."""
    schema = SCHEMAS[data[0] % len(SCHEMAS)] if data else SCHEMAS[0]
    value = data[1:]
    record = decode_record(value, schema)
    assert type_name(record)
    if isinstance(record, UnknownRecord):
        assert record.value == value, "an unknown record is kept byte for byte"
        return
    version = value[2]
    if value[1] >= 0x80 or version >= 0x80:  # a frame of more than three bytes
        return
    assert json.dumps(record_to_json(record, version))
    assert data_to_text(record, version)
    again = encode_record(record, version)
    assert encode_record(decode_record(again, schema), version) == again


def samples():
    rng = random.Random(4)
    schemas = {schema.name: schema for schema in load("metadata")}
    for cls in METADATA_RECORDS:
        for version in range(cls.MIN_VERSION, cls.MAX_VERSION + 1):
            value = encode_record(instance("metadata", schemas[cls.NAME], version, rng), version)
            first = 2 if cls.NAME in {"ClusterIdRecord", "BrokerHostRecord"} else 1
            yield f"{cls.NAME}-{version}", bytes([first]) + value[:2000]


TARGET = Target(name="metadata_records", run=run, refusals=(MalformedError,), samples=samples)
