"""The checksum of every batch fits its bytes.

Bits that flipped on the disk or on the way; the first 17 bytes of a batch are outside its checksum, and other rules
see those.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="batch-checksum",
    severity=Severity.ERROR,
    title="The checksum of every batch fits its bytes.",
    fix="Stop the node, let it fetch its log anew from the others (an empty metadata directory), and check the disk.",
    message="at byte {position}: {detail}",
    witness=("position", "detail"),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, b.position, detail FROM batches b
        WHERE problem = 'bad-checksum'
    """,
)
