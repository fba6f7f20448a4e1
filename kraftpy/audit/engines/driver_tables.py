"""Small tables of the Spark engine, at the driver: DuckDB answers queries that name no other.

Planning one query over many small tables takes Spark longer than one process takes to answer it, and so does each of
the jobs that it makes of it; rules ask dozens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from kraftpy.audit.optional_dependencies import extra

_NAMED: Final = re.compile(r"(?:\bfrom|\bjoin|,)\s*\"?(\w+)", re.IGNORECASE)
"""What may be a table in our own SQL: a word after ``FROM`` or ``JOIN``, or after a comma, where columns stand, too."""


class DriverTables:
    """Tables by name, and the queries that can be answered from them alone."""

    def __init__(self) -> None:
        self._database = extra("duckdb").connect()
        self._tables: dict[str, Any] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._tables

    @property
    def names(self) -> Iterable[str]:
        """What tables there are."""
        return self._tables.keys()

    def add(self, name: str, table: Any) -> None:
        """Take a ``pyarrow.Table``, in place of one of that name."""
        self._tables[name] = table
        self._database.register(name, table)

    def table(self, name: str) -> Any:
        """Return a table."""
        return self._tables[name]

    def sql(self, text: str) -> Any:
        """Answer a query of these tables alone as a ``pyarrow.Table``."""
        return self._database.sql(text).to_arrow_table()

    def close(self) -> None:
        """Let go of everything."""
        self._tables = {}
        self._database.close()


def tables_named(text: str, known: Iterable[str]) -> set[str]:
    """Return those of the known tables that a query may read: all that it does read, and perhaps more."""
    return {found[1] for found in _NAMED.finditer(text)} & set(known)
