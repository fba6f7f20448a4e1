"""Blocks of producer ids only go up.

Ids would be given out twice, and the brokers would take one producer for another.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="producer-ids-back",
    severity=Severity.ERROR,
    title="Blocks of producer ids only go up.",
    fix="Report it; no producer may start until the number is above every block given out.",
    message="the next producer id goes from {previous} to {next_producer_id}",
    witness=("previous", "next_producer_id"),
    sql="""
        SELECT cluster, node, file, log_offset, p.previous, next_producer_id FROM producer_ids p
        WHERE next_producer_id <= p.previous
    """,
)
