"""PySpark's view of the data source: schema, partitions, filters, reading.

Source: PySpark 4.3 ``pyspark.sql.datasource``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    EqualNullSafe,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    InputPartition,
    LessThan,
    LessThanOrEqual,
)
from pyspark.sql.types import StructType

from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.reading.filesystem import absolute
from kraftpy.audit.reading.splits import SplitGroup, split_groups
from kraftpy.audit.source.conditions import Condition
from kraftpy.audit.source.options import Options, parse_options
from kraftpy.audit.source.produce import arrow_batches, wanted_files
from kraftpy.audit.source.views import FILES, PROPERTIES, typed_views, view_ddl, view_names, view_schema

_OPERATORS: Final[dict[type[Filter], str]] = {
    GreaterThan: ">", GreaterThanOrEqual: ">=", LessThan: "<", LessThanOrEqual: "<=",
}  # fmt: skip
_PUSHED: Final = frozenset({
    "cluster", "node", "file", "kind", "type", "control", "api_key", "offset", "log_offset", "timestamp_ms",
    "log_timestamp_ms", "epoch", "log_epoch",
})  # fmt: skip
"""The columns on which reading applies filters itself."""


class SplitGroupPartition(InputPartition):
    """What one task reads."""

    def __init__(self, group: SplitGroup) -> None:
        super().__init__(group)
        self.group = group


class KraftDataSource(DataSource):
    """Format "kraft": Kafka's metadata log files as a table. Options: see ``kraftpy.audit.source.options``."""

    @classmethod
    def name(cls) -> str:
        """Return the format's name."""
        return "kraft"

    def schema(self) -> str:
        """Return the view's columns."""
        return view_ddl(parse_options(self.options).view)

    def reader(self, schema: StructType) -> DataSourceReader:
        """Return a reader of the requested columns: the view's, or fewer if the user gave a schema."""
        return KraftReader(parse_options(self.options), schema.names)


class KraftReader(DataSourceReader):
    """Reads one view in columns of a given choice."""

    def __init__(self, options: Options, names: Sequence[str]) -> None:
        self._options = options
        self._names = list(names)
        self._conditions: tuple[Condition, ...] = options.conditions
        check_names(options.view, self._names)

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:  # noqa: N802 - PySpark's name
        """Keep the filters that reading applies in full, and return the others; see ``Options.pushdown``."""
        if not self._options.pushdown:
            yield from filters
            return
        for each in filters:
            condition = condition_of(each, view_schema(self._options.view).names)
            if condition is None:
                yield each
            else:
                self._conditions = (*self._conditions, condition)

    def partitions(self) -> Sequence[InputPartition]:
        """List the files and distribute their splits over tasks."""
        options = self._options
        files = wanted_files(discover(absolute(options.paths)), self._conditions)
        if options.view not in {FILES, PROPERTIES}:
            files = [file for file in files if file.has_batches]
        groups = split_groups(files, split_bytes=options.split_bytes, group_bytes=options.group_bytes)
        if options.view in {FILES, PROPERTIES}:
            # These views have rows about whole files, so each file goes to the task that has its first split.
            groups = [tuple(split for split in group if split.start == 0) for group in groups]
        return [SplitGroupPartition(group) for group in groups]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """Yield Arrow batches."""
        assert isinstance(partition, SplitGroupPartition), partition
        return arrow_batches(partition.group, self._options, self._conditions, self._names)


def check_names(view: str, names: Sequence[str]) -> None:
    """Reject a schema with columns that the view does not have.

    Raises:
        ValueError: the text lists the columns.
    """
    known = view_schema(view).names
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"the view {view} has no column {unknown[0]!r}; it has {', '.join(known)}")


def condition_of(each: Filter, known: Sequence[str]) -> Condition | None:
    """Return a filter as a condition, ``None`` where reading cannot apply it."""
    path: tuple[str, ...] = getattr(each, "attribute", ())
    value: Any = getattr(each, "value", None)
    if len(path) != 1 or path[0] not in _PUSHED or path[0] not in known or value is None:
        return None
    column = path[0]
    if isinstance(each, (EqualTo, EqualNullSafe)):
        return Condition(column, "in", (value,))
    if isinstance(each, In):
        return Condition(column, "in", tuple(value))
    sign = _OPERATORS.get(type(each))
    return None if sign is None else Condition(column, sign, (value,))


def register(spark: Any) -> None:
    """Register the format with a session; needed only if PySpark does not find ``pyspark_kraft`` itself."""
    spark.dataSource.register(KraftDataSource)


def make_views(spark: Any, path: str, prefix: str = "kraft_") -> list[str]:
    """Make temporary SQL views of all tables and record types of a path; nothing is read yet.

    Returns:
        Their names: ``kraft_records``, ``kraft_batches``, ``kraft_topics``, ``kraft_partitions`` ...
    """
    names = []
    for view in view_names():
        spark.read.format(KraftDataSource.name()).option("view", view).load(path).createOrReplaceTempView(prefix + view)
        names.append(prefix + view)
    return names


__all__ = ["KraftDataSource", "KraftReader", "SplitGroupPartition", "make_views", "register", "typed_views"]
