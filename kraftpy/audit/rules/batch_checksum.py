"""The checksum of every batch fits its bytes.

Bits that flipped on the disk or on the way; the first 17 bytes of a batch are outside its checksum, and other rules
see those. A node of kraftpy finds it when it starts, sets the log aside and fetches it anew, as long as a majority of
the voters is whole (``docs/disasters.md``, "Bits rot"); a node of Kafka fetches what an emptied directory lacks.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="batch-checksum",
    severity=Severity.ERROR,
    is_cause=True,
    title="The checksum of every batch fits its bytes.",
    fix="Check the disk. kraftpy's node mends it from its peers at a restart; Kafka's does with an emptied directory.",
    message="at byte {position}: {detail}",
    witness=("position", "detail"),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, b.position, detail FROM batches b
        WHERE problem = 'bad-checksum'
    """,
)
