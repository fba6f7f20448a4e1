"""No metadata transaction is open at the end of the log.

Its records have no effect yet; the next active controller aborts it.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="transaction-open",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Nothing while the cluster runs; in a stopped one, the last controller ended during a large change.",
    message="transaction {name} is open since offset {log_offset}",
    evidence=("name",),
    sql="""
        SELECT cluster, node, file, log_offset, COALESCE(name, '(no name)') AS name FROM transactions
        WHERE outcome = 'open' AND problem IS NULL
    """,
)
