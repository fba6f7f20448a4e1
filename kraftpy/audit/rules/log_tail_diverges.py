"""Every node's log is a beginning of the longest one.

A leader that died may keep records that nobody else got; they were never acknowledged.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="log-tail-diverges",
    severity=Severity.ADVICE,
    title="Every node's log is a beginning of the longest one.",
    fix="Nothing: the node cuts them off when it meets the leader. When it has met it since, look closer.",
    message="nodes {node} (epoch {epoch}) and {other} (epoch {other_epoch}) differ from offset {log_offset} on",
    witness=("other", "epoch", "other_epoch"),
    sql="""
        SELECT cluster, node, CAST(NULL AS STRING) AS file, log_offset, other, epoch, other_epoch FROM diverging
        WHERE epoch <> other_epoch AND committed <= log_offset
    """,
)
