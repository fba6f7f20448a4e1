"""A log reaches as far as its snapshots, indexes, epochs and recovery point.

A log that lost its end at a batch boundary has no wrong byte. But a snapshot contains only committed records, and an
epoch, an index entry or a recovery point is written after the records that it refers to.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="log-cut",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Let the node re-replicate its log; one that was stopped while it installed a snapshot does so at its start.",
    message="{detail}",
    evidence=("detail",),
    sql="SELECT cluster, node, file, log_offset, detail FROM contradictions WHERE kind = 'log-cut'",
)
