"""Questions that several rules ask of the tables, as named SQL texts; a rule's query carries those that it names."""

from __future__ import annotations

from typing import Final

from kraftpy.model.ids import DIRECTORY_LOST, DIRECTORY_MIGRATING, DIRECTORY_UNASSIGNED, uuid_to_text

LOST: Final = uuid_to_text(DIRECTORY_LOST)
NO_DIRECTORY: Final = f"('{uuid_to_text(DIRECTORY_MIGRATING)}', '{uuid_to_text(DIRECTORY_UNASSIGNED)}')"

VIEWS: Final[dict[str, str]] = {
    # One row for each meta.properties.
    "meta_properties": """
        SELECT cluster, node, file,
            MAX(CASE WHEN p.key = 'version' THEN p.value END) AS version,
            MAX(CASE WHEN p.key = 'cluster.id' THEN p.value END) AS cluster_id,
            MAX(CASE WHEN p.key IN ('node.id', 'broker.id') THEN p.value END) AS node_id,
            MAX(CASE WHEN p.key = 'directory.id' THEN p.value END) AS directory_id,
            MAX(p.problem) AS problem
        FROM properties p WHERE p.name = 'meta.properties' GROUP BY cluster, node, file
    """,
    # Every readable batch of the log or a snapshot, with how far the preceding batches reach, and which copy it is.
    "batch_steps": """
        SELECT b.cluster, b.node, b.file, b.kind, b.base_offset, b.last_offset, b.epoch, b.position, b.problem,
            b.control, b.crc_ok, b.bytes_hash,
            MAX(b.last_offset) OVER before AS reached,
            MAX(b.epoch) OVER before AS epoch_reached,
            LAG(CASE WHEN b.base_offset IS NULL THEN 1 ELSE 0 END)
                OVER (PARTITION BY b.cluster, b.node, b.series ORDER BY b.file, b.position) AS after_unreadable,
            ROW_NUMBER() OVER (PARTITION BY b.cluster, b.node, b.series, b.base_offset, b.bytes_hash
                ORDER BY b.file, b.position) AS copy
        FROM (SELECT x.*, CASE WHEN kind = 'log' THEN '' ELSE file END AS series
              FROM batches x) b
        WINDOW before AS (PARTITION BY b.cluster, b.node, b.series ORDER BY b.file, b.position
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    """,
    # Valid batches of the log: whole, and the first at their offsets.
    "sound_batches": """
        SELECT * FROM batch_steps
        WHERE kind = 'log' AND problem IS NULL AND crc_ok AND (reached IS NULL OR base_offset > reached)
    """,
    # Elections and voter sets, of which few batches of a log consist: small enough to compare clusters by. Each once,
    # though each node has them.
    "control_batches": "SELECT DISTINCT cluster, base_offset, bytes_hash FROM sound_batches WHERE control",
    # Where each node's log starts, by the name of its first segment that has batches.
    "log_starts": """
        SELECT cluster, node, MIN(base_offset) AS start, MAX(last_offset) + 1 AS log_end
        FROM batches WHERE kind = 'log' AND base_offset IS NOT NULL GROUP BY cluster, node
    """,
    # Clusters whose state is known from the beginning, or from a snapshot.
    "whole_clusters": """
        SELECT DISTINCT s.cluster FROM log_starts s
        WHERE s.start = 0 OR EXISTS (
            SELECT 1 FROM snapshots c WHERE c.cluster = s.cluster AND c.end_offset >= s.start AND c.has_footer)
    """,
    # Active clusters: in a stopped one, every broker is fenced and every partition without a leader.
    "live_clusters": "SELECT DISTINCT cluster FROM brokers WHERE NOT fenced",
    # Partitions with their min.insync.replicas, if the log contains it.
    "partition_minimums": """
        SELECT p.*, COALESCE(TRY_CAST(t.value AS INT), TRY_CAST(d.value AS INT), 1) AS min_isr
        FROM partitions p
        LEFT JOIN configs t ON t.cluster = p.cluster AND t.resource_type = 'topic' AND t.resource_name = p.topic
            AND t.name = 'min.insync.replicas'
        LEFT JOIN configs d ON d.cluster = p.cluster AND d.resource_type = 'broker' AND d.resource_name = ''
            AND d.name = 'min.insync.replicas'
    """,
    # The offset up to which each node is committed: the first record of a quorum, and its valid snapshots.
    "committed_ends": """
        SELECT n.cluster, n.node, GREATEST(1, COALESCE(MAX(s.end_offset), 0)) AS committed
        FROM log_starts n LEFT JOIN snapshots s ON s.cluster = n.cluster AND s.node = n.node AND s.has_footer
        GROUP BY n.cluster, n.node
    """,
    # Pairs of nodes whose logs differ, the first batch that differs, and the committed offset of either.
    "diverging": """
        SELECT a.cluster, a.node, b.node AS other, a.base_offset AS log_offset, a.bytes_hash,
            b.bytes_hash AS other_hash, a.epoch, b.epoch AS other_epoch, GREATEST(c.committed, d.committed) AS committed
        FROM sound_batches a JOIN sound_batches b ON a.cluster = b.cluster AND a.base_offset = b.base_offset
            AND a.node < b.node AND a.bytes_hash <> b.bytes_hash
        JOIN (SELECT x.cluster, x.node, y.node AS other, MIN(x.base_offset) AS first_offset
              FROM sound_batches x JOIN sound_batches y ON x.cluster = y.cluster AND x.base_offset = y.base_offset
                  AND x.node < y.node AND x.bytes_hash <> y.bytes_hash
              GROUP BY x.cluster, x.node, y.node) f
            ON f.cluster = a.cluster AND f.node = a.node AND f.other = b.node AND f.first_offset = a.base_offset
        JOIN committed_ends c ON c.cluster = a.cluster AND c.node = a.node
        JOIN committed_ends d ON d.cluster = b.cluster AND d.node = b.node
    """,
    # How many nodes have the same batch.
    "supporters": """
        SELECT cluster, base_offset, bytes_hash, COUNT(DISTINCT node) AS votes
        FROM sound_batches GROUP BY cluster, base_offset, bytes_hash
    """,
    # The meta.properties files of directories that have a metadata log in or below them.
    "log_homes": """
        SELECT DISTINCT m.file FROM meta_properties m
        JOIN (SELECT DISTINCT regexp_replace(file, '/[^/]*$', '') AS directory FROM files
              WHERE kind IN ('log', 'snapshot')) d
            ON regexp_replace(m.file, '/[^/]*$', '') IN (d.directory, regexp_replace(d.directory, '/[^/]*$', ''))
    """,
    # Node ids in the log: registered ones, and every voter of an election or a voter set.
    "known_nodes": """
        SELECT cluster, CAST(broker_id AS STRING) AS node_id FROM brokers
        UNION SELECT cluster, CAST(controller_id AS STRING) FROM controllers
        UNION SELECT cluster, CAST(voter_id AS STRING) FROM voters
        UNION SELECT m.cluster, m.node_id FROM meta_properties m JOIN leader_changes l ON l.cluster = m.cluster
            AND ',' || l.voters || ',' LIKE '%,' || m.node_id || ',%'
    """,
    # Members of the in-sync sets.
    "isr_members": "SELECT * FROM partition_replicas WHERE in_isr",
}
"""By name. A view may name views before it, and those after it."""

OF_CLUSTERS: Final = {"control_batches": "cluster, base_offset, bytes_hash"}
"""Views that rules about several clusters name instead of large tables, with their columns. Their rows follow from one
cluster each, and are few: an engine may make them cluster by cluster, and give them to the rule."""
