"""What ``kraftpy --version`` prints: this build, and the metadata.versions and record tables that it knows.

Two builds understand each other's logs where these agree, whatever their own versions are.
"""

from __future__ import annotations

from typing import Any

import kraftpy
from kraftpy.model.features import (
    BY_LEVEL,
    KAFKA_LEVEL_MAX,
    LATEST_LEVEL,
    LATEST_PRODUCTION_LEVEL,
    METADATA_VERSIONS,
    MINIMUM_LEVEL,
    SchemaSet,
)
from kraftpy.node.build_info import UNKNOWN_COMMIT, compiled_modules, form_text


def version_json() -> dict[str, Any]:
    """Return this build, and what it knows, by name."""
    return {
        "kraftpyVersion": kraftpy.__version__,
        "commit": None if kraftpy.__commit__ == UNKNOWN_COMMIT else kraftpy.__commit__,
        "compiledModuleCount": len(compiled_modules()),
        "minMetadataVersion": BY_LEVEL[MINIMUM_LEVEL].name,
        "maxMetadataVersion": BY_LEVEL[LATEST_LEVEL].name,
        "maxProductionMetadataVersion": BY_LEVEL[LATEST_PRODUCTION_LEVEL].name,
        "kafkaVersion": BY_LEVEL[KAFKA_LEVEL_MAX].release,
        "schemaSets": [_schema_set(each) for each in SchemaSet],
    }


def version_lines(data: dict[str, Any]) -> list[str]:
    """Lay it out: the first line is as that of other commands, and each other one begins with what it is of."""
    low, high, production = (
        data[name] for name in ("minMetadataVersion", "maxMetadataVersion", "maxProductionMetadataVersion")
    )
    tables = [
        f"{one['schemaSet']} ({one['minMetadataVersion']} to {one['maxMetadataVersion']})" for one in data["schemaSets"]
    ]
    return [
        f"kraftpy, version {data['kraftpyVersion']}",
        f"commit: {data['commit'] or UNKNOWN_COMMIT}",
        f"compiled: {form_text()}",
        f"metadata.version: {low} to {high}; {production} is the highest without unstable.feature.versions.enable",
        f"record tables: {', '.join(tables)}; kafka is that of Kafka {data['kafkaVersion']}",
    ]


def _schema_set(schema_set: SchemaSet) -> dict[str, str]:
    names = [each.name for each in METADATA_VERSIONS if SchemaSet.for_level(each.level) is schema_set]
    return {"schemaSet": schema_set.value, "minMetadataVersion": names[0], "maxMetadataVersion": names[-1]}
