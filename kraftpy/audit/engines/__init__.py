"""Two engines behind one protocol: one process, or Spark.

``protocol`` defines what an engine is and what it calls of replay; ``local`` works in this process with Arrow and
DuckDB; ``spark`` runs the same SQL on any Spark master, with ``driver_tables`` for small tables; ``counts`` and
``row_batches`` are shared; ``choice`` selects one by the size of the input. Rules do not depend on the engine, and the
output contains its name.
"""
