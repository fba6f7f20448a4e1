"""The PySpark data source "kraft": metadata files as DataFrames and SQL tables.

``spark.read.format("kraft").load(path)`` gives records (``reading.columns.RECORD_COLUMNS``); the option ``view`` picks
batches, files, properties or one record type with typed columns.
"""
