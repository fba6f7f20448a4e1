"""A partition's epoch never decreases.

Concurrent changes of in-sync sets are detected by it.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="partition-epoch-back",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Report it with both records.",
    message="{topic}-{partition}: partition epoch {partition_epoch} after {previous_partition_epoch}",
    evidence=("kind", "topic", "partition", "partition_epoch", "previous_partition_epoch"),
    sql="""
        SELECT cluster, node, file, log_offset, kind, topic, e.partition, partition_epoch,
            previous_partition_epoch FROM epoch_steps e
        WHERE partition_epoch < previous_partition_epoch
    """,
)
