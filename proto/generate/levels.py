"""Reading ``proto/kafka/levels.json``: what Kafka's form does not have; its format is in ``proto/kafka/README.md``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kraftpy.model.features import BY_LEVEL, SchemaSet

FILE: Final = Path(__file__).resolve().parents[1] / "kafka" / "levels.json"


@dataclass(frozen=True, slots=True)
class RecordLevels:
    """At which metadata.version levels a record is written.

    Attributes:
        levels: from which level on versions 0, 1 ... of the record are written.
        fields: tagged fields of ours that come later than the version that has them, and their levels.
        schema_set: the table that alone has the record; ``None`` when all have it.
    """

    levels: tuple[int, ...]
    fields: dict[str, int]
    schema_set: SchemaSet | None


def _read(raw: dict[str, Any]) -> RecordLevels:
    levels, fields = tuple(raw["levels"]), dict(raw.get("fields", {}))
    unknown = [level for level in (*levels, *fields.values()) if level not in BY_LEVEL]
    if unknown:
        raise ValueError(f"{FILE}: {unknown} are no levels of metadata.version")
    return RecordLevels(levels, fields, SchemaSet(raw["schemaSet"]) if "schemaSet" in raw else None)


_RAW: Final = json.loads(FILE.read_text(encoding="utf-8"))

METADATA_LEVELS: Final[dict[str, RecordLevels]] = {name: _read(raw) for name, raw in _RAW["metadataRecords"].items()}
"""By the name of the metadata record."""

CONTROL_TYPES: Final[dict[str, int]] = dict(_RAW["controlTypes"])
"""The type in the key of each control record, by the name of its body."""
