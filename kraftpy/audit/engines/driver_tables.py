"""Small tables of the Spark engine, in the driver: DuckDB runs the queries that use no others.

Spark needs longer to plan one query over many small tables than DuckDB needs to run it, and each of the query's jobs
takes as long again; there are dozens of rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from kraftpy.audit.optional_dependencies import extra

_NAMED: Final = re.compile(r"(?:\bfrom|\bjoin|,)\s*\"?(\w+)", re.IGNORECASE)
"""What may be a table in our own SQL: a word after ``FROM`` or ``JOIN``, or after a comma, where columns may be,
too."""


class DriverTables:
    """Tables by name, and the queries that use only these."""

    def __init__(self) -> None:
        self._database = extra("duckdb").connect()
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
