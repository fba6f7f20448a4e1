"""A node that has a log has its vote.

Without quorum-state a node may vote twice in one epoch: it is written before the first record is.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="vote-missing",
    severity=Severity.WARNING,
    title="A node that has a log has its vote.",
    fix="Restore quorum-state from this node's own directory; a copy that is not to be started needs none.",
    message="{detail}",
    witness=("detail",),
    sql="SELECT cluster, node, file, log_offset, detail FROM witnesses WHERE kind = 'vote-missing'",
)
