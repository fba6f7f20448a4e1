"""A node that has a log has its vote.

Without quorum-state a node may vote twice in one epoch. The file is written before the first record.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="vote-missing",
    severity=Severity.WARNING,
    doc=__doc__,
    fix="Restore quorum-state from this node's own directory; a copy that is never started does not need it.",
    message="{detail}",
    evidence=("detail",),
    sql="SELECT cluster, node, file, log_offset, detail FROM contradictions WHERE kind = 'vote-missing'",
)
