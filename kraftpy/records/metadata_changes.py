"""Which metadata records change the state, and the numbers that they have as typed changes of the public API.

The rest marks transactions, or has no effect: a watcher of changes does not need them.
"""

from __future__ import annotations

from typing import Final

from kraftpy.model.features import SchemaSet
from kraftpy.records.generated.metadata_levels import SCHEMA_SETS
from kraftpy.records.metadata import METADATA_RECORDS

NO_CHANGES: Final = frozenset(
    {
        "NoOpRecord",
        "BeginTransactionRecord",
        "EndTransactionRecord",
        "AbortTransactionRecord",
    }
)

KRAFTPY_NUMBERS_FROM: Final = 1_001
"""What is added to the type of a record of this project, of which one has the number of another one of Kafka's."""

_RECORDS: Final = {record.NAME: record for record in METADATA_RECORDS}


def is_change(name: str) -> bool:
    """Return whether records of this name change the state."""
    return name not in NO_CHANGES


def number_of(name: str) -> int:
    """Return the number of a record's field in ``MetadataChange``."""
    record = _RECORDS[name]
    is_ours = SCHEMA_SETS.get(record) is SchemaSet.KRAFTPY
    return record.API_KEY + (KRAFTPY_NUMBERS_FROM if is_ours else 1)
