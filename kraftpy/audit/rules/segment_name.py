"""A segment's name is the offset of its first batch.

Readers find offsets by the names of segments.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="segment-name",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Rename the file back; otherwise let the node re-replicate its log from the others.",
    message="the name has offset {name_offset}, the first batch starts at offset {log_offset}",
    evidence=("name_offset",),
    sql="""
        SELECT f.cluster, f.node, f.file, b.base_offset AS log_offset, f.base_offset AS name_offset
        FROM files f JOIN batches b ON b.cluster = f.cluster AND b.node = f.node AND b.file = f.file
        WHERE f.kind = 'log' AND b.position = 0 AND b.base_offset <> f.base_offset
    """,
)
