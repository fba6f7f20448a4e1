"""All nodes of a cluster have the same cluster id in meta.properties.

Also checked where the log has no cluster id. Directories that share a log and have two cluster ids count as one
cluster. Of many clusters that share a batch, each is compared with the first: if two of them differ, one of the two
differs from that.
"""

from __future__ import annotations

from kraftpy.audit.rules.rule import Rule, Severity

RULE = Rule(
    id="cluster-id-files-differ",
    severity=Severity.ERROR,
    doc=__doc__,
    fix="Move the directory back to its cluster; never edit the id.",
    message="meta.properties has {found}, that of another node with the same log has {expected}",
    evidence=("found", "expected"),
    spans_clusters=True,
    sql="""
        SELECT m.cluster, m.node, m.file, CAST(NULL AS BIGINT) AS log_offset, m.cluster_id AS found,
            MIN(o.cluster_id) AS expected
        FROM meta_properties m JOIN meta_properties o ON o.cluster = m.cluster AND o.cluster_id <> m.cluster_id
        WHERE NOT EXISTS (SELECT 1 FROM cluster_ids c WHERE c.cluster = m.cluster)
            AND (SELECT COUNT(*) FROM meta_properties x WHERE x.cluster = m.cluster AND x.cluster_id = m.cluster_id)
                <= (SELECT COUNT(*) FROM meta_properties x WHERE x.cluster = m.cluster
                    AND x.cluster_id = o.cluster_id)
        GROUP BY m.cluster, m.node, m.file, m.cluster_id
        UNION ALL
        SELECT m.cluster, m.node, m.file, s.log_offset, m.cluster_id AS found, o.cluster_id AS expected
        FROM (SELECT a.cluster, b.cluster AS other, MIN(a.base_offset) AS log_offset
              FROM control_batches a
              JOIN (SELECT bytes_hash, base_offset, MIN(cluster) AS cluster FROM control_batches
                    GROUP BY bytes_hash, base_offset) b
                  ON a.bytes_hash = b.bytes_hash AND a.base_offset = b.base_offset AND a.cluster > b.cluster
              GROUP BY a.cluster, b.cluster) s
        JOIN meta_properties m ON m.cluster = s.cluster
        JOIN (SELECT cluster, MIN(cluster_id) AS cluster_id FROM meta_properties GROUP BY cluster) o
            ON o.cluster = s.other
        WHERE m.cluster_id <> o.cluster_id
    """,
)
