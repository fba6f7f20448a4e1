"""CRC-32C, the checksum of batches and of the small files of a node; the one place that imports an implementation."""

from __future__ import annotations

from crc32c import crc32c  # noqa: TID251 - this is the place

__all__ = ["crc32c"]
