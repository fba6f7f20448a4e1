"""Where PySpark finds the data source "kraft" by itself: it looks into every module named ``pyspark_...``.

So ``spark.read.format("kraft")`` and ``CREATE TEMPORARY VIEW ... USING kraft`` work without any registration, in plain
SQL too, wherever kraftpy is installed.
"""

from kraftpy.audit.source.datasource import KraftDataSource as DefaultSource

__all__ = ["DefaultSource"]
