"""Blocks of producer ids only increase.

Otherwise ids would be assigned twice, and brokers would take one producer for another.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="producer-ids-back",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Report it; start no producer until the next id is above every assigned block.",
    message="the next producer id goes from {previous} to {next_producer_id}",
    evidence=("previous", "next_producer_id"),
    sql="""
        SELECT cluster, node, file, log_offset, p.previous, next_producer_id FROM producer_ids p
        WHERE next_producer_id <= p.previous
    """,
)
