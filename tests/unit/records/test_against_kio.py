"""Requests, responses and control records against kio, whose codecs come from Kafka's own schema files."""

from __future__ import annotations

import importlib
import re

import pytest

from tests.unit.records.instances import MildRandom, codec_of, every_version, instance

serial = pytest.importorskip("kio.serial", reason="kio is not installed: pip install kraftpy[dev]")

CASES = 6

NULLABLE_LATER = {"DeleteTopicsResponse": 6}
"""Messages with a field that may be null from this version on; our tables allow it in every version."""


def kio_class(name: str, version: int):
    """Return kio's class of a message."""
    folder = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    stem, kind = folder, "data"
    for suffix in ("request", "response"):
        if folder.endswith("_" + suffix):
            stem, kind = folder.removesuffix("_" + suffix), suffix
    kind = "header" if name.endswith("Header") else kind
    module = importlib.import_module(f"kio.schema.{stem}.v{version}.{kind}")
    return getattr(module, name)


@pytest.mark.parametrize(
    ("family", "schema", "version"), [case for case in every_version() if case.values[0] != "metadata"]
)
def test_kio_reads_and_writes_the_same_bytes(family, schema, version) -> None:
    """Kio reads our bytes differently, or writes what it read as other bytes."""
    try:
        cls = kio_class(schema.name, version)
    except (ImportError, AttributeError):
        pytest.skip(f"kio has no {schema.name} version {version}")
    if version < NULLABLE_LATER.get(schema.name, 0):
        pytest.skip(f"{schema.name} {version} has no nulls where later versions have some")
    read, write = serial.entity_reader(cls), serial.entity_writer(cls)
    _, encode = codec_of(family, schema, version)
    for seed in range(CASES):
        message = instance(family, schema, version, MildRandom(seed), tags=False)
        data = encode(message, b"")
        value, size = read(data, 0)
        assert size == len(data), f"seed {seed}: kio read {size} bytes of {len(data)}"
        buffer = bytearray()
        write(_Writable(buffer), value)
        assert bytes(buffer) == data, f"seed {seed}"


class _Writable:
    def __init__(self, buffer: bytearray) -> None:
        self.buffer = buffer

    def write(self, data: bytes) -> int:
        self.buffer += data
        return len(data)
