"""Whether the metadata.version in force allows a record.

Writers choose the version of a record from the level in force. A lower version than the level's is legal (Kafka writes
BrokerRegistrationChangeRecord in the lowest that contains the change). A higher one is not, and neither is a record
that the level does not have. Unknown tagged fields are legal, and reported under their own name.

Source: ``on-disk formats`` §6.2; KIP-584.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kraftpy.model.errors import LocalError
from kraftpy.model.features import BY_LEVEL, SATURATED_DIRECTORIES_LEVEL
from kraftpy.records.authors import unfamiliar
from kraftpy.records.metadata import BrokerRegistrationChangeRecord, FeatureLevelRecord, record_version


def legality_problem(record: Any, version: int, level: int) -> Iterator[tuple[str, str]]:
    """Yield (problem, detail) for a decoded record.

    Args:
        record: what was decoded.
        version: from its frame.
        level: the metadata.version in force, 0 if none is known; then nothing is illegal.
    """
    if unknown := unfamiliar(record.unknown_tags):
        tags = ", ".join(str(tag) for tag, _ in unknown)
        yield "unknown-tag", f"tagged fields {tags} are not known"
    if level not in BY_LEVEL or isinstance(record, FeatureLevelRecord):
        return
    try:
        allowed = record_version(type(record), level)
    except LocalError as error:
        yield "illegal", str(error)
        return
    if version > allowed:
        yield "illegal", f"{record.NAME} has version {version}, metadata.version {level} allows up to {allowed}"
    elif level < SATURATED_DIRECTORIES_LEVEL and _names_saturated(record):
        yield "illegal", f"{record.NAME} names saturated directories, which metadata.version {level} does not know"


def _names_saturated(record: Any) -> bool:
    """Return whether a record has the list of saturated directories; in a change, an empty one is a list, too."""
    if isinstance(record, BrokerRegistrationChangeRecord):
        return record.saturated_log_dirs is not None
    return bool(getattr(record, "saturated_log_dirs", None))
