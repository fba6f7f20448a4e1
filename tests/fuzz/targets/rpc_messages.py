"""Every message of Kafka's protocol that there is a codec for, in every version: two bytes choose, the body follows."""

from __future__ import annotations

import random

from kraftpy.model.errors import MalformedError
from kraftpy.records.schema import load
from tests.fuzz.target import Target
from tests.unit.records.instances import codec_of, instance

CASES = [(schema, version) for schema in load("rpc") for version in schema.version_numbers()]
CODECS = [codec_of("rpc", schema, version) for schema, version in CASES]


def run(data: bytes) -> None:
    """Decode; what is encoded again is a fixed point of decoding and encoding."""
    number = int.from_bytes(data[:2], "big") % len(CASES)
    decode, encode = CODECS[number]
    if CASES[number][0].is_header:
        message, end = decode(data, 2)
        assert end <= len(data)
        again = encode(message, b"")
        assert encode(decode(again, 0)[0], b"") == again
        return
    again = encode(decode(data, 2), b"")
    assert encode(decode(again, 0), b"") == again


def samples():
    rng = random.Random(4)
    for number, (schema, version) in enumerate(CASES):
        message = instance("rpc", schema, version, rng)
        data = CODECS[number][1](message, b"")
        if len(data) < 1000:
            yield f"{schema.name}-{version}", number.to_bytes(2, "big") + data


TARGET = Target(name="rpc_messages", run=run, refusals=(MalformedError,), samples=samples)
