"""The epoch of a broker id grows with every registration.

The controller detects requests of an earlier process by it.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="broker-epoch-back",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Report it with the preceding records.",
    message="broker {broker_id} registers with epoch {broker_epoch} after {previous_epoch}",
    evidence=("broker_id", "broker_epoch", "previous_epoch"),
    sql="""
        SELECT cluster, node, file, log_offset, broker_id, broker_epoch, previous_epoch FROM broker_history
        WHERE event = 'registered' AND broker_epoch < previous_epoch
    """,
)
