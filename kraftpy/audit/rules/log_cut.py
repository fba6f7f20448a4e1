"""A log reaches as far as every file beside it says.

A log that lost its end at the end of a batch has no byte that is wrong. A snapshot holds only what was committed, and
an epoch, an index entry or a recovery point is noted when the log is there already.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="log-cut",
    severity=Severity.ERROR,
    is_cause=True,
    title="A log reaches as far as its snapshots, indexes, epochs and recovery point say.",
    fix="Let the node fetch its log anew; one that was stopped while it took a leader's snapshot will at its start.",
    message="{detail}",
    witness=("detail",),
    sql="SELECT cluster, node, file, log_offset, detail FROM witnesses WHERE kind = 'log-cut'",
)
