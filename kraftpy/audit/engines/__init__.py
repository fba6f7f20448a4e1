"""Two engines behind one protocol: one process, or Spark.

Reading order::

    protocol.py        what an engine is, and what it calls of replay
    asking.py          many questions of one database; counts.py, row_batches.py: parts of its tables
    work_done.py       progress in bytes and files
    local.py           this process with Arrow and DuckDB
    cluster_tasks.py   whole clusters in one task of Spark's, done as by one process
    driver_share.py    clusters that the driver audits itself until Spark has started
    spark.py           the same SQL on any Spark master; of clusters that are not cut, answers and small tables only
    spark_jobs.py      tasks over items; blobs.py: rows on their way through Spark
    spark_tables.py    tables of all clusters; driver_tables.py: small ones in DuckDB
    cut_clusters.py    larger clusters, which are cut: read, replayed and asked in parts
    buckets.py         the records of a large node, sent to the tasks that replay them
    cluster_groups.py  which clusters are cut, and the questions about groups of them
    choice.py          selects an engine by the size of the input

Rules do not depend on the engine, and the output contains its name.
"""
