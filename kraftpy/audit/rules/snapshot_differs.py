"""A snapshot says what the log says when it is replayed to the snapshot's end.

A node that starts from the snapshot and one that replays the log would have different states.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="snapshot-differs",
    severity=Severity.ERROR,
    title="A snapshot says what the log says when it is replayed to the snapshot's end.",
    fix="Delete the snapshot on this node when the log reaches back before it, and report both values.",
    message="{entity_kind} {entity}: the snapshot says {in_snapshot}, the log says {in_log}",
    witness=("entity_kind", "entity", "in_snapshot", "in_log"),
    sql="""
        SELECT cluster, node, file, log_offset, entity_kind, entity, in_snapshot, in_log FROM snapshot_differences
    """,
)
