"""A leader is elected by the voter set in force, and belongs to it.

The voters that a LeaderChange lists must be those of the last VotersRecord before it, or of the last one after it in
the same batch (``audit.replay.plan.LeaderElection``). Source: KIP-595, KIP-853.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="election-voters",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Report it with the control records around it.",
    message="leader {leader_id} of epoch {epoch} was elected by {voters}; in force: {in_force}",
    evidence=("leader_id", "epoch", "voters", "in_force"),
    sql="""
        SELECT cluster, node, file, log_offset, leader_id, epoch, voters, COALESCE(voters_in_force,
            voters) AS in_force FROM leader_changes
        WHERE voters_in_force <> voters OR ',' || voters || ',' NOT LIKE '%,' || CAST(leader_id AS STRING) || ',%'
    """,
)
