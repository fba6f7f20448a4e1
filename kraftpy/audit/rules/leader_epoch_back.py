"""A partition's leader epoch never decreases.

Replicas and clients reject requests of an older leader.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="leader-epoch-back",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Report it with both records.",
    message="{topic}-{partition}: leader epoch {leader_epoch} after {previous_leader_epoch}",
    evidence=("kind", "topic", "partition", "leader_epoch", "previous_leader_epoch"),
    sql="""
        SELECT cluster, node, file, log_offset, kind, topic, e.partition, leader_epoch,
            previous_leader_epoch FROM epoch_steps e
        WHERE leader_epoch < previous_leader_epoch
    """,
)
