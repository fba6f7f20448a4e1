"""Filters that reading can apply: to a row, and to what is known of a whole batch or file before it is read.

A condition is one comparison of one column with values. Those on columns that are constant in a file drop files, those
on offset, epoch and time drop batches before they are decoded. Each row is tested in any case, so that pushed-down
filters are applied in full. A comparison with NULL does not hold, as in SQL.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kraftpy.audit.optional_dependencies import extra

_COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le,
}  # fmt: skip
OPERATORS: Final = ("in", *_COMPARE)


@dataclass(frozen=True, slots=True)
class Condition:
    """A column compared with values: ``in`` any of them, or by ``>``, ``>=``, ``<``, ``<=`` with the only one."""

    column: str
    operator: str
    values: tuple[Any, ...]

    def holds(self, value: Any) -> bool:
        """Return whether a value fulfils it."""
        if value is None:
            return False
        if self.operator == "in":
            return value in self.values
        return _COMPARE[self.operator](value, self.values[0])

    def may_hold(self, low: int, high: int) -> bool:
        """Return whether any number from ``low`` to ``high``, both included, fulfils it."""
        if self.operator == "in":
            return any(low <= value <= high for value in self.values)
        return _COMPARE[self.operator](high if self.operator[0] == ">" else low, self.values[0])


Conditions = tuple[Condition, ...]


def row_test(conditions: Conditions, names: Sequence[str]) -> Callable[[Sequence[Any]], bool] | None:
    """Return a test for rows with these columns, ``None`` if every row is wanted."""
    tests = [(names.index(each.column), each.holds) for each in conditions]
    if not tests:
        return None
    return lambda row: all(holds(row[index]) for index, holds in tests)


def conditions_mask(conditions: Conditions, batch: Any) -> Any:
    """Return for which rows of an Arrow batch all conditions hold, ``None`` without conditions.

    Each distinct value of a column is tested once.
    """
    np, pa = extra("numpy"), extra("pyarrow")
    mask = None
    for each in conditions:
        encoded = batch.column(each.column).dictionary_encode()
        holds = np.array([*map(each.holds, encoded.dictionary.to_pylist()), False])
        here = holds[encoded.indices.fill_null(len(holds) - 1).to_numpy(zero_copy_only=False)]
        mask = here if mask is None else mask & here
    return None if mask is None else pa.array(mask)


def all_hold(conditions: Iterable[Condition], known: dict[str, Any]) -> bool:
    """Return whether any of some rows may fulfil all conditions, from what is known of them."""
    return all(each.holds(known[each.column]) for each in conditions if each.column in known)


def all_may_hold(conditions: Iterable[Condition], ranges: dict[str, tuple[int, int]]) -> bool:
    """Do as :func:`all_hold`, for numbers of which only the range is known."""
    return all(each.may_hold(*ranges[each.column]) for each in conditions if each.column in ranges)
