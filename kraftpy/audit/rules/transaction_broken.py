"""Metadata transactions begin once and end once.

A transaction begins inside another, or ends without a begin. Source: KIP-868.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="transaction-broken",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Report it with the records around it.",
    message="{problem}",
    evidence=("problem",),
    sql="""
        SELECT cluster, node, file, log_offset, problem FROM transactions WHERE problem IS NOT NULL
    """,
)
