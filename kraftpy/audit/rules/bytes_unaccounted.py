"""Every byte of a log or checkpoint belongs to a batch, or to the free space at the end of a segment.

A batch's length is not covered by a checksum. If it is wrong, the following batches seem to be part of a batch that the
file ends in. It is not a torn write if whole batches follow, or if the batch itself is whole.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="bytes-unaccounted",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Let the node re-replicate its log or snapshot from the others; these bytes contain records.",
    message="bytes {position} to {until} are not part of any batch: {detail}",
    evidence=("position", "until", "detail"),
    sql="""
        SELECT cluster, node, file, CAST(NULL AS BIGINT) AS log_offset, position, position + size AS until, detail
        FROM batches WHERE problem = 'bad-length'
        UNION ALL
        SELECT a.cluster, a.node, a.file, CAST(NULL AS BIGINT) AS log_offset,
            a.batch_bytes + a.free_bytes + a.corrupt_bytes AS position, a.size AS until,
            'only these bytes of the file were read, as batches, free space or corruption' AS detail
        FROM accounts a WHERE a.batch_bytes + a.free_bytes + a.corrupt_bytes < a.size
            AND NOT EXISTS (SELECT 1 FROM batches b WHERE b.cluster = a.cluster AND b.node = a.node
                AND b.file = a.file AND b.problem IN ('unreadable', 'shrunk'))
    """,
)
