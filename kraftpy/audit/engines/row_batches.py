"""Rows on their way into Arrow, converted in batches so that few of them are Python objects at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from kraftpy.audit.reading.columns import Columns, arrow_table

ROWS_PER_BATCH: Final = 65_536


class Rows:
    """Collects rows of one table and returns them as Arrow batches."""

    def __init__(self, columns: Columns, rows_per_batch: int = ROWS_PER_BATCH) -> None:
        self.columns = columns
        self._rows_per_batch = rows_per_batch
        self._rows: list[tuple[Any, ...]] = []
        self._done: list[Any] = []

    @property
    def has_full(self) -> bool:
        """Whether :meth:`full` would return anything."""
        return bool(self._done)

    def add(self, row: tuple[Any, ...]) -> None:
        """Add one row."""
        self._rows.append(row)
        if len(self._rows) >= self._rows_per_batch:
            self._put_away()

    def add_all(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows."""
        for row in rows:
            self.add(row)

    def full(self) -> list[Any]:
        """Return the full batches, and forget them."""
        done, self._done = self._done, []
        return done

    def batches(self) -> list[Any]:
        """Return all that is left, and forget it."""
        if self._rows:
            self._put_away()
        return self.full()

    def _put_away(self) -> None:
        self._done += arrow_table(self.columns, self._rows).to_batches()
        self._rows = []
