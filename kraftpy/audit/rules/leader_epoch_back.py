"""A partition's leader epoch never goes back.

Replicas and clients refuse what comes from an older leader.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="leader-epoch-back",
    severity=Severity.ERROR,
    title="A partition's leader epoch never goes back.",
    fix="Report it with both records.",
    message="{topic}-{partition}: leader epoch {leader_epoch} after {previous_leader_epoch}",
    witness=("kind", "topic", "partition", "leader_epoch", "previous_leader_epoch"),
    sql="""
        SELECT cluster, node, file, log_offset, kind, topic, e.partition, leader_epoch,
            previous_leader_epoch FROM epoch_steps e
        WHERE leader_epoch < previous_leader_epoch
    """,
)
