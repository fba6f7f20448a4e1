"""The records of a snapshot from replayed states, and what no snapshot can be written of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kraftpy.audit.compaction.entities import SnapshotEntry, entries_of
from kraftpy.audit.compaction.target import CompactionError, Target
from kraftpy.audit.reading.rows import Entry
from kraftpy.audit.replay.replay import final_states
from kraftpy.audit.tables import Row
from kraftpy.model.errors import LocalError

_FILE, _OFFSET, _TYPE, _PROBLEM, _DETAIL = 2, 4, 5, 8, 9
"""Places in a row of the table ``record_problems``."""


class Replayed(NamedTuple):
    """What came of some whole shards of a node.

    Attributes:
        entries: the records of their states, sorted; none where one of the others is set.
        problems: how many records replay could not apply.
        first: the first of them, a row of ``record_problems``.
        error: why the metadata.version has no record for a part of the state.
    """

    entries: Sequence[SnapshotEntry]
    problems: int = 0
    first: Row | None = None
    error: str | None = None


def replayed(entries: Iterable[Entry], target: Target) -> Replayed:
    """Replay all records of some whole shards, in order."""
    states, problems = final_states(target.plan, entries)
    if problems:
        return Replayed((), len(problems), min((row for _, row in problems), key=_place))
    made: list[SnapshotEntry] = []
    errors = []
    for state in states:
        try:
            made += entries_of(state, target.level)
        except LocalError as error:
            errors.append(str(error))
    return Replayed((), error=min(errors)) if errors else Replayed(sorted(made))


def check_replayed(parts: Iterable[Replayed]) -> None:
    """Reject a state that cannot be written; the text does not depend on how the shards were distributed.

    Args:
        parts: of all shards.

    Raises:
        CompactionError: when replay cannot apply a record.
        LocalError: when the metadata.version has no record for a part of the state.
    """
    found = list(parts)
    first = min((part.first for part in found if part.first is not None), key=_place, default=None)
    if first is not None:
        detail = f" ({first[_DETAIL]})" if first[_DETAIL] else ""
        raise CompactionError(
            f"{sum(part.problems for part in found)} records cannot be taken over; the first is the {first[_TYPE]} at "
            f"offset {first[_OFFSET]} of {first[_FILE]}: {first[_PROBLEM]}{detail}. A snapshot without it would lose "
            "it; see kraftpy audit"
        )
    error = min((part.error for part in found if part.error is not None), default=None)
    if error is not None:
        raise LocalError(error)


def _place(row: Row) -> tuple[int, str]:
    return row[_OFFSET], row[_FILE]
