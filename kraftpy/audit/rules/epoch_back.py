"""Leader epochs never decrease along a log, and a snapshot has one epoch.

An older leader cannot append after a newer one. In a snapshot, an epoch that increases is as wrong as one that
decreases.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="epoch-back",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Let the node re-replicate its log from the others, and report how it came about.",
    message="batch at offset {log_offset} has epoch {epoch} after epoch {epoch_reached}",
    evidence=("epoch", "epoch_reached"),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, epoch, epoch_reached FROM batch_steps
        WHERE copy = 1 AND (epoch < epoch_reached OR (kind <> 'log' AND epoch > epoch_reached))
    """,
)
