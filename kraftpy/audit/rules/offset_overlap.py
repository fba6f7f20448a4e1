"""No batch starts before the one before it ends.

Two different batches claim the same offsets. Replay takes the first.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="offset-overlap",
    severity=Severity.ERROR,
    title="No batch starts before the one before it ends.",
    fix="Compare with the other nodes which one they have; let this node fetch its log anew.",
    message="batch starts at offset {log_offset}, and offsets up to {reached} are taken",
    witness=("reached",),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, reached FROM batch_steps
        WHERE base_offset <= reached AND copy = 1
    """,
)
