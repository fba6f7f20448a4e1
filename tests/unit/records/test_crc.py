"""The checksum of batches is CRC-32C."""

from __future__ import annotations

from kraftpy.records import crc


def test_it_gives_the_published_value():
    """Another polynomial, or a checksum that cannot be continued."""
    assert crc.crc32c(b"123456789") == 0xE3069283
    data = memoryview(bytes(range(256)) * 40)
    assert crc.crc32c(data[1000:], crc.crc32c(data[:1000])) == crc.crc32c(data)
