"""quorum-state, leader-epoch-checkpoint and partition.metadata can be read and are those of the metadata log.

A node does not start with a quorum-state that it cannot read, because it contains its vote.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="small-file-broken",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Restore it from a copy of this node. Missing epochs and a missing partition.metadata are written again.",
    message="{detail}",
    evidence=("name", "detail"),
    sql="""
        SELECT cluster, node, file, CAST(NULL AS BIGINT) AS log_offset, name, problem AS detail FROM properties
        WHERE problem IS NOT NULL AND name <> 'meta.properties'
    """,
)
