"""A metadata directory has its log.

Indexes, epochs and votes are written beside a log only; where one of them is and no segment, the log was lost.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="log-missing",
    severity=Severity.ERROR,
    is_cause=True,
    title="Where an index, epochs or a vote stand, there is a log, with every segment that an index is of.",
    fix="Restore the segments, or let the node fetch its log anew from the others.",
    message="{detail}",
    witness=("detail",),
    sql="SELECT cluster, node, file, log_offset, detail FROM witnesses WHERE kind = 'log-missing'",
)
