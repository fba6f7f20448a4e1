"""Every quorum-state, leader-epoch-checkpoint and partition.metadata can be read, and is the metadata log's.

A node does not start beside a quorum-state that it cannot read, because its vote stands there.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="small-file-broken",
    severity=Severity.ERROR,
    is_cause=True,
    title="Every quorum-state, leader-epoch-checkpoint and partition.metadata can be read, and is the metadata log's.",
    fix="Restore it from a copy of this node. Epochs and partition.metadata are written anew where they are missing.",
    message="{detail}",
    witness=("name", "detail"),
    sql="""
        SELECT cluster, node, file, CAST(NULL AS BIGINT) AS log_offset, name, problem AS detail FROM properties
        WHERE problem IS NOT NULL AND name <> 'meta.properties'
    """,
)
