"""Control records by their key: four bytes of key, then the value."""

from __future__ import annotations

from kraftpy.model.errors import MalformedError
from kraftpy.records.control import (
    VotersRecord,
    control_type_name,
    decode_control,
    encode_control,
    voter_set_from_record,
)
from tests.fuzz.target import Target
from tests.fuzz.targets.parts import CONTROL_RECORDS


def run(data: bytes) -> None:
    """Decode, and find what is encoded again to be the same record."""
    record = decode_control(data[:4], data[4:])
    assert control_type_name(record)
    assert decode_control(*encode_control(record)) == record
    if isinstance(record, VotersRecord):
        voter_set_from_record(record)


def samples():
    for record in CONTROL_RECORDS:
        yield type(record).__name__, b"".join(encode_control(record))


TARGET = Target(name="control_records", run=run, refusals=(MalformedError,), samples=samples)
