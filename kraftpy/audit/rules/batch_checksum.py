"""The checksum of every batch matches its bytes.

Bits flipped on the disk or in transfer. The first 17 bytes of a batch are outside its checksum; other rules cover them.
A kraftpy node detects this at its start, quarantines the log and re-replicates it, as long as a majority of the voters
has valid logs (``docs/disasters.md``). A Kafka node re-replicates into an empty directory.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="batch-checksum",
    severity=Severity.ERROR,
    is_cause=True,
    doc=__doc__,
    fix="Check the disk. At a restart a kraftpy node repairs its log from its peers; Kafka needs an empty directory.",
    message="at byte {position}: {detail}",
    evidence=("position", "detail"),
    sql="""
        SELECT cluster, node, file, base_offset AS log_offset, b.position, detail FROM batches b
        WHERE problem = 'bad-checksum'
    """,
)
