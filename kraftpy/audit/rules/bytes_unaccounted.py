"""Every byte of a log or checkpoint is a batch, or space that was allocated ahead.

A batch's length is covered by no checksum. Where it is wrong, what stands behind it is passed over as part of a batch
that the file seems to end in: that is no torn write, since whole batches follow, or the batch itself is whole.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="bytes-unaccounted",
    severity=Severity.ERROR,
    is_cause=True,
    title="Every byte of a log or checkpoint is part of a batch, or of the free space at the end of a segment.",
    fix="Let the node fetch its log or snapshot anew from the others; records stand in these bytes.",
    message="bytes {position} to {until} are not understood: {detail}",
    witness=("position", "until", "detail"),
    sql="""
        SELECT cluster, node, file, CAST(NULL AS BIGINT) AS log_offset, position, position + size AS until, detail
        FROM batches WHERE problem = 'bad-length'
        UNION ALL
        SELECT a.cluster, a.node, a.file, CAST(NULL AS BIGINT) AS log_offset,
            a.batch_bytes + a.free_bytes + a.damaged_bytes AS position, a.size AS until,
            'so many bytes of the file were read as batches, free space or damage, and no more' AS detail
        FROM accounts a WHERE a.batch_bytes + a.free_bytes + a.damaged_bytes < a.size
            AND NOT EXISTS (SELECT 1 FROM batches b WHERE b.cluster = a.cluster AND b.node = a.node
                AND b.file = a.file AND b.problem IN ('unreadable', 'shrunk'))
    """,
)
