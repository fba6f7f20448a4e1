"""At least half of the records are not no-ops.

An idle controller, Kafka's by default, writes a NoOpRecord twice a second, and every node stores it.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="no-op-share",
    severity=Severity.INFO,
    doc=__doc__,
    fix="Harmless, and Kafka's default; a larger metadata.max.idle.interval.ms writes fewer.",
    message="{no_ops} of {written} records are no-ops, as of any idle cluster",
    evidence=("no_ops", "written"),
    sql="""
        SELECT cluster, node, CAST(NULL AS STRING) AS file, CAST(NULL AS BIGINT) AS log_offset,
            CAST(SUM(CASE WHEN type = 'NO_OP_RECORD' THEN record_count ELSE 0 END) AS BIGINT) AS no_ops,
            CAST(SUM(record_count) AS BIGINT) AS written
        FROM growth GROUP BY cluster, node
        HAVING SUM(record_count) >= 1000
            AND 2 * SUM(CASE WHEN type = 'NO_OP_RECORD' THEN record_count ELSE 0 END) > SUM(record_count)
    """,
)
