"""The PySpark data source "kraft": metadata files as DataFrames and as SQL tables.

Purpose: ``spark.read.format("kraft").load(path)`` and, in SQL alone, ``CREATE TEMPORARY VIEW t USING kraft OPTIONS
(path ...)``. It must not depend on what records mean for a state.

Reading order: ``options`` (the user's options), ``conditions`` (filters that reading can apply), ``views`` (the tables:
records, batches, files, and one with typed columns per record type), ``produce`` (rows as Arrow batches),
``datasource`` (PySpark's classes, the only module that imports PySpark).

The data source reads files and nothing else: records in a log may be uncommitted, and secrets are shown as they are in
the files. PySpark finds it through the module ``pyspark_kraft`` of `autoload`, installed beside kraftpy.

There is no streaming reader, although PySpark 4.3 has an interface for one. A stream cannot retract rows, but a log's
tail is truncated when another leader wins, and no file has the offset up to which it is committed. A stream of files
would therefore sometimes contain records that were never committed. ``kraftpy watch`` follows committed records.
"""
