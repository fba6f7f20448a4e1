"""Tables of the Spark engine: small ones in this process, large ones as blobs on the executors.

A table comes to the driver only if it is smaller than a named limit, and DuckDB runs the queries that use no larger one
(``driver_tables``). The rows of a larger one stay in blobs until Spark's own SQL reads it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final

from kraftpy.audit.engines.blobs import Blob, plain, unpack_task, unpacked
from kraftpy.audit.engines.counts import COUNT_PARTS, COUNTS_SQL
from kraftpy.audit.engines.driver_tables import DriverTables, tables_named
from kraftpy.audit.engines.spark_jobs import SparkJobs
from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.columns import Columns, arrow_table, spark_ddl
from kraftpy.audit.spark import job_errors

SMALL_TABLE_BYTES: Final = 4 * 1024 * 1024
"""A table of up to this many bytes comes to the driver, which runs the queries that use no larger one."""

RECORDS: Final = "records"
"""The table of all records, which is read again when a query names it."""


class SparkTables:
    """Tables by name, and the queries of them.

    Attributes:
        near: small tables.
        far: large tables: their DataFrames, ``None`` for one that no query of Spark's has named.
        blobs: of large tables that are in blobs: these, the columns, and the rows that are in this process.
        in_whole: names of large tables of which clusters that are not cut have rows.
    """

    def __init__(
        self,
        jobs: SparkJobs,
        near_bytes: int,
        read_records: Callable[[], Any],
        blobs_of_whole: Callable[[], Any],
    ) -> None:
        """Start.

        Args:
            jobs: of Spark.
            near_bytes: see ``SMALL_TABLE_BYTES``.
            read_records: returns the table of all records as a DataFrame.
            blobs_of_whole: returns the tables of clusters that are not cut as blobs.
        """
        self._jobs = jobs
        self._near_bytes = near_bytes
        self._read_records = read_records
        self._blobs_of_whole = blobs_of_whole
        self.near = DriverTables()
        self.far: dict[str, Any] = {}
        self.blobs: dict[str, tuple[Any, Columns, Any]] = {}
        self.in_whole: set[str] = set()
        self._views: set[str] = set()

    @property
    def names(self) -> set[str]:
        """The names of all tables."""
        return {*self.far, *self.near.names}

    def add(self, name: str, table: Any) -> None:
        """Add a small table, a ``pyarrow.Table``."""
        self.near.add(name, table)
        self._views.discard(name)

    def add_large(self, name: str, blobs: Any, columns: Columns, own: Any) -> None:
        """Add a large table whose rows are in blobs, and in this process (``own``)."""
        self.blobs[name], self.far[name] = (blobs, columns, own), None
        self.near.remove(name)

    def add_blobs(self, blobs: Any, wanted: Mapping[str, Columns], rows: Mapping[str, Sequence[Sequence[Any]]]) -> None:
        """Make tables of the rows in blobs and of the caller's rows; the small ones in this process."""
        sizes = {} if blobs is None else _sizes(blobs)
        small = [name for name in wanted if 0 < sizes.get(name, 0) <= self._near_bytes]
        fetched = _fetched(blobs, {name: wanted[name] for name in small}) if small else {}
        for name, columns in wanted.items():
            own = arrow_table(columns, rows.get(name, ()))
            if sizes.get(name, 0) > self._near_bytes:
                self.add_large(name, blobs, columns, own)
            else:
                self.add(name, extra("pyarrow").concat_tables([own, *fetched.get(name, ())]))

    def add_counts(self) -> None:
        """Add the table of record counts, which large parts of it become only when a query names it."""
        self._views.discard("record_counts")
        if COUNT_PARTS in self.near:
            self.add("record_counts", self.near.sql(COUNTS_SQL))
        else:
            self.near.remove("record_counts")
            self.far["record_counts"] = None

    def sql(self, text: str) -> Any:
        """Run a query and return a ``pyarrow.Table``."""
        if not tables_named(text, self.far):
            return self.near.sql(text)
        with job_errors():
            for name in tables_named(text, self.names):
                self.table(name)
            return self._jobs.session.sql(text).toArrow()

    def table(self, name: str) -> Any:
        """Return a table as a DataFrame, and register it with Spark by its name."""
        if name not in self._views:
            if name == RECORDS:
                self.far[name] = self._read_records()
            elif name == "record_counts" and name in self.far:
                self.table(COUNT_PARTS)
                self.far[name] = self._jobs.session.sql(COUNTS_SQL)
            elif name in self.blobs and self.far[name] is None:
                self.far[name] = self._unpack(name)
            frame = self.far[name] if name in self.far else self._frame_of(self.near.table(name))
            frame.createOrReplaceTempView(name)
            self._views.add(name)
        return self._jobs.session.table(name)

    def drop_views(self) -> None:
        """Let Spark forget the names of the tables."""
        for view in self._views:
            self._jobs.session.catalog.dropTempView(view)

    def close(self) -> None:
        """Forget all tables."""
        self.near.close()
        self.far, self.blobs, self._views = {}, {}, set()

    def _unpack(self, name: str) -> Any:
        """Return a large table as columns of Spark's, which costs its JVM some microseconds a row."""
        blobs, columns, own = self.blobs[name]
        rdds = [] if blobs is None else [blobs]
        if name in self.in_whole:
            rdds.append(self._blobs_of_whole())
        named = self._jobs.context.union([rdd.filter(partial(is_named, names={name})) for rdd in rdds])
        payloads = named.map(attrgetter("payload")).map(_one_column)
        rows = self._jobs.session.createDataFrame(payloads, "payload BINARY")
        frame = rows.mapInArrow(partial(unpack_task, columns=columns), spark_ddl(columns))
        frame = (frame.unionAll(self._frame_of(own)) if own.num_rows else frame).persist()
        self._jobs.kept.append(frame)
        return frame

    def _frame_of(self, table: Any) -> Any:
        return self._jobs.session.createDataFrame(table).coalesce(1)


def payloads(blobs: Any, names: Collection[str]) -> dict[str, list[bytes]]:
    """Return the contents of blobs under some names, in one job."""
    found: dict[str, list[bytes]] = defaultdict(list)
    for blob in blobs.filter(partial(is_named, names=set(names))).collect():
        found[blob.name].append(blob.payload)
    return found


def _sizes(blobs: Any) -> dict[str, int]:
    """Return the bytes of each table's rows."""
    sizes: dict[str, int] = defaultdict(int)
    for name, size in blobs.mapPartitions(_sizes_task).collect():
        sizes[name] += size
    return sizes


def _fetched(blobs: Any, wanted: Mapping[str, Columns]) -> dict[str, list[Any]]:
    """Return small tables as Arrow tables in pieces, by name."""
    return {
        name: [plain(unpacked(payload), wanted[name]) for payload in found]
        for name, found in payloads(blobs, wanted.keys()).items()
    }


# What runs in the workers.


def is_named(blob: Blob, names: Collection[str]) -> bool:
    """Return whether a blob has one of these names."""
    return blob.name in names


def _one_column(payload: bytes) -> tuple[bytes]:
    return (payload,)


def _sizes_task(blobs: Iterable[Blob]) -> Iterable[tuple[str, int]]:
    sizes: dict[str, int] = defaultdict(int)
    for blob in blobs:
        sizes[blob.name] += len(blob.payload)
    return sizes.items()
