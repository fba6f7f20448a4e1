"""Questions, and their answers from the tables of one database: in this process, or in a worker of Spark.

Rules are questions whose answer should be empty. First all are counted, many in one query, because each query has a
fixed cost and most rules find nothing. Then the rows of those that have any are queried. An answer is bounded: at most
a given number of rows, and the total.

Nearly all questions are about one cluster at a time, so that whole clusters can be asked independently of each other,
and the answers put together (:class:`Merger`). A question that compares clusters says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from kraftpy.audit.optional_dependencies import extra

QUESTIONS_PER_QUERY: Final = 13
"""The number of questions that one query counts: planning a larger one costs more than it saves."""

Sql = Callable[[str], Any]
"""Runs a query and returns a ``pyarrow.Table``."""


class RuleQuestion(Protocol):
    """A rule, as far as an engine needs to know it. It is small and can be pickled."""

    @property
    def id(self) -> str:
        """Its name."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of its rows, in which they are sorted."""
        ...

    @property
    def spans_clusters(self) -> bool:
        """Whether a row may follow from rows of more than one cluster."""
        ...

    def query(self, limit: int) -> str:
        """Return the SQL text of its first rows."""
        ...


CountQuery = Callable[[Sequence[Any]], str]
"""Returns one SQL text that counts the rows of several questions: ``rule_id`` and ``total``, one row for each."""


@dataclass(slots=True)
class Answers:
    """The answers that are not empty, by the question's id.

    Attributes:
        totals: how many rows each has.
        rows: the first of them, as ``pyarrow.Table``.
    """

    totals: dict[str, int] = field(default_factory=dict)
    rows: dict[str, Any] = field(default_factory=dict)

    def add(self, other: Answers) -> None:
        """Add the answers to other questions."""
        self.totals |= other.totals
        self.rows |= other.rows


def ask(
    sql: Sql,
    questions: Sequence[RuleQuestion],
    count_query: CountQuery,
    limit: int,
    progress: Callable[[int], None] | None = None,
) -> Answers:
    """Ask one database.

    Args:
        sql: of the database.
        questions: in the order of asking.
        count_query: counts several of them.
        limit: the number of rows of an answer, at most.
        progress: called with the number of questions that were counted.
    """
    answers = Answers()
    for first in range(0, len(questions), QUESTIONS_PER_QUERY):
        if progress is not None:
            progress(first)
        counted = sql(count_query(questions[first : first + QUESTIONS_PER_QUERY])).to_pylist()
        answers.totals |= {row["rule_id"]: row["total"] for row in counted if row["total"]}
    answers.rows = {each.id: sql(each.query(limit)) for each in questions if each.id in answers.totals}
    return answers


class Merger:
    """Puts together the answers about disjoint sets of clusters."""

    def __init__(self) -> None:
        self._totals: dict[str, int] = defaultdict(int)
        self._rows: dict[str, list[Any]] = defaultdict(list)

    def add(self, question_id: str, total: int, rows: Any) -> None:
        """Add an answer that is not empty."""
        self._totals[question_id] += total
        self._rows[question_id].append(rows)

    def answers(self, questions: Iterable[RuleQuestion], limit: int) -> Answers:
        """Return the answers: the same as if all clusters had been asked together."""
        asked = [each for each in questions if each.id in self._rows]
        return Answers(
            {each.id: self._totals[each.id] for each in asked},
            {each.id: _first_rows(self._rows[each.id], each.columns, limit) for each in asked},
        )


def _first_rows(parts: Sequence[Any], columns: Sequence[str], limit: int) -> Any:
    """Return the first rows in the order of :meth:`RuleQuestion.query`, which is that of the database."""
    found = extra("pyarrow").concat_tables(parts)
    names = ", ".join(columns)
    database = extra("duckdb").connect()
    try:
        database.register("found", found)
        return database.sql(f"SELECT {names} FROM found ORDER BY {names} LIMIT {limit}").to_arrow_table()
    finally:
        database.close()
