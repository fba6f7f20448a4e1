"""Every node's log is a prefix of the longest one.

A former leader may have records that were never replicated, so they were never acknowledged.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="log-tail-diverges",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Nothing: the node truncates them when it fetches from the leader. If it has fetched since, investigate.",
    message="nodes {node} (epoch {epoch}) and {other} (epoch {other_epoch}) differ from offset {log_offset} on",
    evidence=("other", "epoch", "other_epoch"),
    sql="""
        SELECT cluster, node, CAST(NULL AS STRING) AS file, log_offset, other, epoch, other_epoch FROM diverging
        WHERE epoch <> other_epoch AND committed <= log_offset
    """,
)
