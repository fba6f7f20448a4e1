"""A snapshot equals the state of the log replayed to the snapshot's end.

A node that starts from the snapshot and one that replays the log would have different states.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="snapshot-differs",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Delete the snapshot on this node if the log starts before its end, and report both values.",
    message="{entity_kind} {entity}: the snapshot has {in_snapshot}, the log has {in_log}",
    evidence=("entity_kind", "entity", "in_snapshot", "in_log"),
    sql="""
        SELECT cluster, node, file, log_offset, entity_kind, entity, in_snapshot, in_log FROM snapshot_differences
    """,
)
