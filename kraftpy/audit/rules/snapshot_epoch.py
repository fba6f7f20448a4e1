"""The epoch in a snapshot's name is that of its batches, and of the last record that it contains.

Nodes compare snapshots by this id; with a wrong one a follower takes one state for another.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="snapshot-epoch",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Delete the snapshot, and let the node write a new one.",
    message="the name has epoch {name_epoch}, {place} has {found_epoch}",
    evidence=("name_epoch", "found_epoch", "place"),
    sql="""
        SELECT f.cluster, f.node, f.file, b.base_offset AS log_offset, f.epoch AS name_epoch, b.epoch AS found_epoch,
            'the batch in the file' AS place
        FROM files f JOIN batches b ON b.cluster = f.cluster AND b.node = f.node AND b.file = f.file
        WHERE f.kind = 'snapshot' AND b.epoch <> f.epoch AND b.position = 0
        UNION ALL
        SELECT f.cluster, f.node, f.file, f.end_offset - 1 AS log_offset, f.epoch, b.epoch, 'the log' AS place
        FROM files f JOIN sound_batches b ON b.cluster = f.cluster AND b.node = f.node
            AND b.base_offset <= f.end_offset - 1 AND b.last_offset >= f.end_offset - 1
        WHERE f.kind = 'snapshot' AND b.epoch <> f.epoch
            AND EXISTS (SELECT 1 FROM batches o WHERE o.cluster = f.cluster AND o.node = f.node
                AND o.file = f.file AND o.position = 0 AND o.epoch = f.epoch)
    """,
)
