"""Leader epochs never go back along a log, and a snapshot has one epoch.

An older leader cannot append behind a newer one. In a snapshot, an epoch that rises is as wrong as one that falls.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="epoch-back",
    severity=Severity.ERROR,
    title="Leader epochs never go back along a log, and a snapshot has one epoch.",
    fix="Let the node fetch its log anew from the others, and report how it came about.",
    message="batch at offset {log_offset} has epoch {epoch} after epoch {epoch_reached}",
    witness=("epoch", "epoch_reached"),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, epoch, epoch_reached FROM batch_steps
        WHERE copy = 1 AND (epoch < epoch_reached OR (kind <> 'log' AND epoch > epoch_reached))
    """,
)
