"""Reading as without numpy: batch by batch and record by record. What columns give is compared with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from kraftpy.audit.reading import reader
from kraftpy.audit.reading.reader import read, records_of
from kraftpy.audit.reading.rows import Entry
from kraftpy.audit.reading.scan import ScannedRange
from kraftpy.audit.reading.splits import InputSplit


@contextmanager
def vectors(*, used: bool) -> Iterator[None]:
    """Let the reader use numpy or not."""
    with patch.object(reader, "has_vectors", lambda: used):
        yield


def batches(split: InputSplit) -> list[ScannedRange]:
    """Return every batch, and every range that is none."""
    with vectors(used=False):
        found = list(read(split))
    assert all(isinstance(each, ScannedRange) for each in found)
    return found


def entries(split: InputSplit) -> list[Entry]:
    """Return every record."""
    return [entry for found in batches(split) for entry in records_of(split, found)]
