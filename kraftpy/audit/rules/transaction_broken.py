"""Metadata transactions begin once and end once.

A begin inside a transaction, or an end outside one. Source: KIP-868.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="transaction-broken",
    severity=Severity.ERROR,
    title="Metadata transactions begin once and end once.",
    fix="Report it with the records around it.",
    message="{problem}",
    witness=("problem",),
    sql="""
        SELECT cluster, node, file, log_offset, problem FROM transactions WHERE problem IS NOT NULL
    """,
)
