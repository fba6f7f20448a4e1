"""The epochs of a log are those that the files beside it note.

No checksum covers a batch's epoch; leader-epoch-checkpoint and quorum-state are written before a batch of a new one.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="epochs-differ",
    severity=Severity.ERROR,
    title="The epochs of a log are those that leader-epoch-checkpoint and quorum-state note.",
    fix="Compare with the other nodes; let this one fetch its log anew. Copies are taken of stopped nodes.",
    message="{detail}",
    witness=("detail",),
    sql="SELECT cluster, node, file, log_offset, detail FROM witnesses WHERE kind = 'epochs-differ'",
)
