"""The epochs of a log are those in leader-epoch-checkpoint and quorum-state.

A batch's epoch is not covered by a checksum. Both files are written before a batch of a new epoch.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="epochs-differ",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Compare with the other nodes; let this one re-replicate its log. Copy the files of stopped nodes only.",
    message="{detail}",
    evidence=("detail",),
    sql="SELECT cluster, node, file, log_offset, detail FROM contradictions WHERE kind = 'epochs-differ'",
)
