"""A voter's directory id is that of its node's metadata directory.

A node that lost its disk is another voter: the old one is gone, and the quorum is smaller than it looks. Source:
KIP-853.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="voter-directory",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Remove the voter with its old directory id, then add the node again.",
    message="voter {voter_id} has directory id {directory_id}, its meta.properties has {found}",
    evidence=("voter_id", "directory_id", "found"),
    sql="""
        SELECT v.cluster, v.node, v.file, v.log_offset, v.voter_id, v.directory_id, MIN(m.directory_id) AS found
        FROM voters v JOIN meta_properties m ON m.cluster = v.cluster AND m.node_id = CAST(v.voter_id AS STRING)
        WHERE v.directory_id <> 'AAAAAAAAAAAAAAAAAAAAAA' AND m.directory_id IS NOT NULL
        GROUP BY v.cluster, v.node, v.file, v.log_offset, v.voter_id, v.directory_id
        HAVING MAX(CASE WHEN m.directory_id = v.directory_id THEN 1 ELSE 0 END) = 0
    """,
)
