"""The PySpark data source "kraft": metadata files as DataFrames and as SQL tables.

What it is for: ``spark.read.format("kraft").load(path)`` and, in SQL alone, ``CREATE TEMPORARY VIEW t USING kraft
OPTIONS (path ...)``. What it may not know: what records mean for a state.

Reading order: ``options`` (what a user can set), ``conditions`` (filters that reading can use), ``views`` (the tables
there are: records, batches, files, and one with typed columns per record type), ``produce`` (rows as Arrow batches),
``datasource`` (PySpark's classes, the only module that imports PySpark).

The data source reads files and nothing else: what stands in a log may be uncommitted, and secrets are shown as they are
in the files. PySpark finds it by itself through the module ``pyspark_kraft`` of `autoload`, installed beside kraftpy.

There is no streaming reader, although PySpark 4.3 has an interface for one. A stream cannot take back what it gave, but
a log can: its tail is cut when another leader wins, and no file says up to where it is committed. A stream of files
would therefore sometimes tell of records that never were. ``kraftpy watch`` follows what is committed.
"""
