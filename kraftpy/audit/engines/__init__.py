"""Two engines behind one protocol: one process, or Spark.

``protocol`` defines what an engine is and what it calls of replay; ``asking`` asks many questions of a database;
``local`` works in this process with Arrow and DuckDB; ``spark`` runs the same SQL on any Spark master, with
``cluster_tasks`` for whole clusters in one task, and for larger ones ``driver_tables`` for small tables, ``blobs`` for
rows on their way and ``cluster_groups`` for the rules about large tables; ``counts``, ``row_batches`` and ``work_done``
(progress) are shared; ``choice`` selects one by the size of the input. Rules do not depend
on the engine, and the output contains its name.
"""
