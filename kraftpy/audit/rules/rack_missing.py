"""All brokers have a rack, or none has.

Rack-aware placement is off for automatic topics as soon as one broker has no rack. Source: KIP-36.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="rack-missing",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Set broker.rack on every broker.",
    message="broker {broker_id} has no rack, others have one",
    evidence=("broker_id",),
    sql="""
        SELECT b.cluster, b.node, b.file, b.log_offset, b.broker_id FROM brokers b
        WHERE b.rack IS NULL AND EXISTS (SELECT 1 FROM brokers o WHERE o.cluster = b.cluster AND o.rack IS NOT NULL)
    """,
)
