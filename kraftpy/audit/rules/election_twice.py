"""An epoch has one leader.

Raft's election safety. A node that votes twice violates it, for example after its disk was reset. Source: KIP-595.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="election-twice",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Find the node that lost its quorum-state; compare the logs of both leaders before anything is deleted.",
    message="epoch {epoch} was won by {leader_id} and by {other_id} at offset {other_offset}",
    evidence=("epoch", "leader_id", "other_id", "other_offset"),
    sql="""
        SELECT a.cluster, a.node, a.file, a.log_offset, a.epoch, a.leader_id, b.leader_id AS other_id,
            b.log_offset AS other_offset
        FROM leader_changes a JOIN leader_changes b ON a.cluster = b.cluster AND a.epoch = b.epoch
            AND a.log_offset > b.log_offset
    """,
)
