"""What the log's bytes consist of: record types, entities, principals and authors, by hour.

Counted are the records of each cluster's most advanced node, from where its replay starts. Bytes are those of record
values, without the batches around them. An author is who asked for a change, as its records say; a principal, whom a
record is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from kraftpy.audit.engines.asking import ClusterQuery
from kraftpy.audit.engines.protocol import Engine
from kraftpy.audit.labels import camel_case, cluster_field
from kraftpy.model.iso_time import time_fields

TOP: Final = 20
"""The number of entities and principals listed."""

NO_OP: Final = "NO_OP_RECORD"

UNREADABLE_AUTHOR: Final = "(unreadable)"
"""How those authors are shown that cannot be read."""


@dataclass(frozen=True, slots=True)
class LogVolume:
    """Records and bytes of the logs.

    Attributes:
        by_hour: (cluster, hour_ms, type, records, bytes), ascending.
        by_type: (cluster, type, records, bytes), most bytes first, as are the following.
        by_entity: (cluster, entity_kind, entity, records, bytes).
        by_principal: (cluster, principal, records, bytes).
        by_author: the same of authors; those that cannot be read are together, with the principal ``None``.
    """

    by_hour: list[dict[str, Any]]
    by_type: list[dict[str, Any]]
    by_entity: list[dict[str, Any]]
    by_principal: list[dict[str, Any]]
    by_author: list[dict[str, Any]]

    @property
    def records(self) -> int:
        """How many records were counted."""
        return sum(row["written"] for row in self.by_type)

    @property
    def no_op_share(self) -> float:
        """The share of no-op records, 0 to 1."""
        no_ops = sum(row["written"] for row in self.by_type if row["type"] == NO_OP)
        return no_ops / self.records if self.records else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "recordCount": self.records,
            "noOpShare": round(self.no_op_share, 4),
            "byHour": [_row_json(row) for row in self.by_hour],
            "byType": [_row_json(row) for row in self.by_type],
            "byEntity": [_row_json(row) for row in self.by_entity],
            "byPrincipal": [_row_json(row) for row in self.by_principal],
            "byAuthor": [_row_json(row) for row in self.by_author],
        }


def _row_json(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with the names of JSON."""
    hour = time_fields("hour", row["hour_ms"]) if "hour_ms" in row else {}
    named = {camel_case(name): row[name] for name in ("type", "entity_kind", "entity", "principal") if name in row}
    return {**cluster_field(row["cluster"]), **hour, **named, "recordCount": row["written"], "bytes": row["bytes"]}


def read_growth(engine: Engine, top: int = TOP) -> LogVolume:
    """Query a loaded engine."""
    return LogVolume(**{each.name: engine.by_cluster(each).to_pylist() for each in growth_queries(top)})


def growth_queries(top: int = TOP) -> tuple[ClusterQuery, ...]:
    """Return the queries of :func:`read_growth`, each named as the attribute that it fills."""
    return (
        _sums("by_hour", "cluster, hour_ms, type", "cluster, hour_ms, type", None),
        _sums("by_type", "cluster, type", "bytes DESC, cluster, type", None),
        _sums(
            "by_entity", "cluster, entity_kind, entity", "bytes DESC, cluster, entity_kind, entity", top, "entity <> ''"
        ),
        _sums("by_principal", "cluster, principal", "bytes DESC, cluster, principal", top, "principal IS NOT NULL"),
        _sums(
            "by_author", "cluster, principal", "bytes DESC, cluster, principal", top,
            table=f"({_COUNTED_AUTHORS}) counted",
        ),
    )  # fmt: skip


_COUNTED_AUTHORS: Final = """
SELECT cluster, principal, counted AS record_count, FLOOR(value_bytes * counted / record_count) AS value_bytes
FROM (
    SELECT DISTINCT a.cluster, a.node, a.log_offset, a.record_count, a.value_bytes, a.principal,
        LEAST(a.log_offset + a.record_count, s.until_offset) - GREATEST(a.log_offset, s.start_offset) AS counted
    FROM authors a JOIN states s ON a.cluster = s.cluster AND a.node = s.node
    WHERE s.is_primary AND a.log_offset + a.record_count > s.start_offset AND a.log_offset < s.until_offset
) clipped
"""
"""The authors in the part of the log that ``growth`` counts, each request once, though segments overlap.

Of a request that lies in it in part, the bytes are counted in proportion to its records.
"""


def _sums(
    name: str, group: str, order: str, limit: int | None, where: str = "1 = 1", table: str = "growth"
) -> ClusterQuery:
    sql = (
        f"SELECT {group}, CAST(SUM(record_count) AS BIGINT) AS written, CAST(SUM(value_bytes) AS BIGINT) AS bytes "
        f"FROM {table} WHERE {where} GROUP BY {group}"
    )
    return ClusterQuery(name, sql, order, limit)
