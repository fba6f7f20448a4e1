"""All brokers have a rack, or none has.

Placement by racks is switched off for automatic topics as soon as one broker has none. Source: KIP-36.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="rack-missing",
    severity=Severity.ADVICE,
    title="All brokers have a rack, or none has.",
    fix="Set broker.rack on every broker.",
    message="broker {broker_id} has no rack, others have",
    witness=("broker_id",),
    sql="""
        SELECT b.cluster, b.node, b.file, b.log_offset, b.broker_id FROM brokers b
        WHERE b.rack IS NULL AND EXISTS (SELECT 1 FROM brokers o WHERE o.cluster = b.cluster AND o.rack IS NOT NULL)
    """,
)
