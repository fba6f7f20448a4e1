"""Questions, and their answers from the tables of one database: in this process, or in a worker of Spark.

Rules are questions whose answer should be empty. First all are counted, many in one query, because each query has a
fixed cost and most rules find nothing. Then the rows of those that have any are queried. An answer is bounded: at most
a given number of rows, and the total.

Nearly all questions are about one cluster at a time, so that whole clusters can be asked independently of each other,
and the answers put together (:class:`Merger`). A question that compares clusters says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
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

    @property
    def cluster_queries(self) -> Sequence[ClusterQuery]:
        """What it needs of each cluster, if it spans clusters and may be answered from that."""
        ...

    def query(self, limit: int, given: Collection[str] = ()) -> str:
        """Return the SQL text of its first rows; ``given`` are names of cluster queries whose rows are tables."""
        ...


CountQuery = Callable[[Sequence[Any]], str]
"""Returns one SQL text that counts the rows of several questions: ``rule_id`` and ``total``, one row for each."""


@dataclass(frozen=True, slots=True)
class ClusterQuery:
    """A query each of whose rows follows from one cluster: it can be run on any whole clusters, and the rows joined.

    Attributes:
        name: of the query, by which its rows are found again.
        sql: the query, without order and limit.
        order: the columns that sort its rows, with ``DESC`` where needed; no two rows have the same place.
        limit: how many rows are wanted, ``None`` for all.
    """

    name: str
    sql: str
    order: str
    limit: int | None = None

    @property
    def text(self) -> str:
        """The whole SQL text."""
        return self.first_of(f"({self.sql}) asked")

    def first_of(self, rows: str) -> str:
        """Return the SQL text that takes the wanted rows from rows of this query."""
        limit = "" if self.limit is None else f" LIMIT {self.limit}"
        return f"SELECT * FROM {rows} ORDER BY {self.order}{limit}"

    def joined(self, parts: Sequence[Any]) -> Any:
        """Return the rows of all clusters as ``pyarrow.Table``, from those of disjoint sets of clusters."""
        return _queried(parts, self.first_of("found"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What will be asked of the tables. An engine that knows it beforehand may answer where it makes them.

    Attributes:
        questions: see :func:`ask` for this and the following two.
        queries: further queries.
    """

    questions: Sequence[RuleQuestion] = ()
    count_query: CountQuery | None = None
    limit: int = 0
    queries: Sequence[ClusterQuery] = ()

    @property
    def all_queries(self) -> tuple[ClusterQuery, ...]:
        """The queries, and those that the questions need."""
        return (*self.queries, *(query for each in self.questions for query in each.cluster_queries))


NOTHING: Final = Wanted()
"""Nothing is known to be asked."""


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


PARTS_MAX: Final = 32
"""When this many answers to one question are kept, they are reduced to the rows that may be shown."""


class Merger:
    """Puts together the answers about disjoint sets of clusters."""

    def __init__(self, questions: Iterable[RuleQuestion], limit: int) -> None:
        """Start.

        Args:
            questions: all that are asked.
            limit: the number of rows of an answer, at most.
        """
        self._questions = {each.id: each for each in questions}
        self._limit = limit
        self._totals: dict[str, int] = defaultdict(int)
        self._rows: dict[str, list[Any]] = defaultdict(list)

    def add(self, question_id: str, total: int, rows: Any) -> None:
        """Add an answer that is not empty."""
        self._totals[question_id] += total
        parts = self._rows[question_id]
        parts.append(rows)
        if len(parts) >= PARTS_MAX:
            parts[:] = [self._first_rows(question_id)]

    def answers(self) -> Answers:
        """Return the answers: the same as if all clusters had been asked together."""
        asked = [each for each in self._questions if each in self._rows]
        return Answers({each: self._totals[each] for each in asked}, {each: self._first_rows(each) for each in asked})

    def _first_rows(self, question_id: str) -> Any:
        """Return the first rows in the order of :meth:`RuleQuestion.query`, which is that of the database."""
        names = ", ".join(self._questions[question_id].columns)
        text = f"SELECT {names} FROM found ORDER BY {names} LIMIT {self._limit}"
        return _queried(self._rows[question_id], text)


def _queried(parts: Sequence[Any], text: str) -> Any:
    """Run a query over ``found``, the rows of all parts."""
    database = extra("duckdb").connect()
    try:
        database.register("found", extra("pyarrow").concat_tables(parts))
        return database.sql(text).to_arrow_table()
    finally:
        database.close()
