"""No batch starts before the preceding one ends.

Two different batches have the same offsets. Replay uses the first.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="offset-overlap",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Check which one the other nodes have; let this node re-replicate its log.",
    message="batch starts at offset {log_offset}, and offsets up to {reached} are used already",
    evidence=("reached",),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, reached FROM batch_steps
        WHERE base_offset <= reached AND copy = 1
    """,
)
