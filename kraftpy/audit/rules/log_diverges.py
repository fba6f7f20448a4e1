"""The same offset and epoch have the same bytes on every node, and so do committed records.

Raft's log matching property: a leader writes one batch at an offset in its epoch, so two different ones mean corruption
or two leaders. A tail that only a former leader had may differ, but not from the first record on, and not below the end
of a snapshot, which contains committed records only: those are two histories under one cluster id.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="log-diverges",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Keep what the majority has; let the other node re-replicate its log. Keep two clusters of one id apart.",
    message="nodes {node} and {other} differ from offset {log_offset} on; in the minority: {minority}",
    evidence=("other", "minority"),
    sql="""
        SELECT d.cluster, d.node, CAST(NULL AS STRING) AS file, d.log_offset, d.other,
            CASE WHEN x.votes < y.votes THEN d.node WHEN y.votes < x.votes THEN d.other ELSE 'neither' END AS minority
        FROM diverging d
        JOIN supporters x ON x.cluster = d.cluster AND x.base_offset = d.log_offset AND x.bytes_hash = d.bytes_hash
        JOIN supporters y ON y.cluster = d.cluster AND y.base_offset = d.log_offset AND y.bytes_hash = d.other_hash
        WHERE d.epoch = d.other_epoch OR d.committed > d.log_offset
    """,
)
