"""Two engines behind one protocol: one process, or Spark.

``protocol`` says what an engine is and what it asks of replay; ``local`` answers in this process with Arrow and DuckDB;
``spark`` runs the same SQL on any Spark master, and ``driver_tables`` answers for it where tables are small; ``counts``
and ``row_batches`` are what both have in common; ``choice`` picks one by the size of the input. Rules cannot tell which
one they run on, and the output says it.
"""
