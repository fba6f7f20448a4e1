"""Where there are indexes, epochs or a vote, there is a log, with the segment of every index.

These files are only written beside a log; where one of them exists without its segment, the log was lost.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="log-missing",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Restore the segments, or let the node re-replicate its log from the others.",
    message="{detail}",
    evidence=("detail",),
    sql="SELECT cluster, node, file, log_offset, detail FROM contradictions WHERE kind = 'log-missing'",
)
