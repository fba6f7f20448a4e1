"""Tables of the Spark engine in DuckDB: small ones in the driver, and those of a group of clusters in a worker.

Spark needs longer to plan one query over many small tables than DuckDB needs to run it, and each of the query's jobs
takes as long again; there are dozens of rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any, Final

from kraftpy.audit.optional_dependencies import extra

_NAMED: Final = re.compile(r"(?:\bfrom|\bjoin|,)\s*\"?(\w+)", re.IGNORECASE)
"""What may be a table in our own SQL: a word after ``FROM`` or ``JOIN``, or after a comma, where columns may be,
too."""


TASK_MEMORY: Final = "1GiB"
"""How much memory the database of a task may use; its tables, which are in Arrow, are besides that. Beyond it, DuckDB
writes to the directory for temporary files."""


@contextmanager
def task_settings() -> Iterator[dict[str, Any]]:
    """Give the settings of a database that is one of several on its machine: one thread, and bounded memory.

    What it writes out is in a directory that only this user may read, and is removed with it at the end.
    """
    with TemporaryDirectory(prefix="kraftpy-duckdb-", ignore_cleanup_errors=True) as directory:
        yield {"threads": 1, "memory_limit": TASK_MEMORY, "temp_directory": directory}


class DriverTables:
    """Tables by name, and the queries that use only these."""

    def __init__(self, settings: Mapping[str, Any] | None = None) -> None:
        """Start, on all cores, or with other settings of DuckDB."""
        self._database = extra("duckdb").connect(config=dict(settings or {}))
        self._tables: dict[str, Any] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._tables

    @property
    def names(self) -> Iterable[str]:
        """The names of the tables."""
        return self._tables.keys()

    def add(self, name: str, table: Any) -> None:
        """Add a ``pyarrow.Table``, replacing one of that name."""
        self._tables[name] = table
        self._database.register(name, table)

    def remove(self, name: str) -> None:
        """Remove a table, if there is one of that name."""
        if self._tables.pop(name, None) is not None:
            self._database.unregister(name)

    def add_parts(self, name: str, parts: Sequence[Any]) -> None:
        """Add a table made of parts of the same columns, some of whose texts may be dictionaries."""
        pa = extra("pyarrow")
        alike: dict[str, list[Any]] = {}
        for part in parts:
            alike.setdefault(part.schema.to_string(show_schema_metadata=False), []).append(part)
        for number, tables in enumerate(alike.values()):
            self._database.register(f"{name}_part_{number}", pa.concat_tables(tables))
        union = " UNION ALL ".join(f"SELECT * FROM {name}_part_{number}" for number in range(len(alike)))
        self._database.execute(f"CREATE OR REPLACE VIEW {name} AS {union}")

    def table(self, name: str) -> Any:
        """Return a table."""
        return self._tables[name]

    def sql(self, text: str) -> Any:
        """Run a query of these tables and return a ``pyarrow.Table``."""
        return self._database.sql(text).to_arrow_table()

    def close(self) -> None:
        """Release all resources."""
        self._tables = {}
        self._database.close()


def tables_named(text: str, known: Iterable[str]) -> set[str]:
    """Return the known tables that a query may read: all that it reads, and perhaps more."""
    return {found[1] for found in _NAMED.finditer(text)} & set(known)
