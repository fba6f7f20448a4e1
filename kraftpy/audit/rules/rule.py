"""The class of rules, and the queries that ask several of them.

A rule is an SQL query whose result must be empty. Its columns are ``cluster``, ``node``, ``file`` and
``log_offset`` (null where it has none: the state is the cluster's), then the evidence columns that the message names.
The text is in the common subset of Spark SQL and DuckDB: flat tables, no arrays, ``x.log_offset`` never ``offset``.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kraftpy.audit.engines.asking import ClusterQuery
from kraftpy.audit.rules.views import OF_CLUSTERS, VIEWS

PLACE: Final = ("cluster", "node", "file", "log_offset")
"""The first columns of every rule's result, before its evidence columns."""


class Severity(enum.StrEnum):
    """The severity of a rule's findings."""

    ERROR = "error"
    """Corruption, or a state that no correct controller writes."""
    WARNING = "warning"
    """Legal, but data or service is at risk: the operator should act."""
    INFO = "info"
    """Worth knowing; also occurs in healthy clusters. It does not change the exit code."""

    @property
    def is_finding(self) -> bool:
        """Whether an audit with it ends with the exit code for findings."""
        return self is not Severity.INFO

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Severity).index(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule.

    Attributes:
        id: its name in every output, in kebab case.
        doc: the docstring of its module; the first paragraph is the title.
        fix: what to do about it, in one line.
        message: what was found, with ``{columns}`` of the result.
        evidence: the columns after :data:`PLACE`.
        sql: a SELECT, without a semicolon, that may name :data:`~kraftpy.audit.rules.views.VIEWS` beside tables.
        spans_clusters: whether a row may follow from rows of more than one cluster; all other rules can be asked of any
            clusters independently of the rest.
        is_cause: whether what breaks this rule breaks other rules as well: corruption, and missing files.
    """

    id: str
    severity: Severity
    doc: str | None
    fix: str
    message: str
    evidence: tuple[str, ...]
    sql: str
    spans_clusters: bool = False
    is_cause: bool = False

    @property
    def title(self) -> str:
        """What must hold, as one sentence; the id if Python drops docstrings (``-OO``)."""
        return " ".join((self.doc or self.id).partition("\n\n")[0].split())

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns of the result, in order."""
        return (*PLACE, *self.evidence)

    @property
    def cluster_queries(self) -> tuple[ClusterQuery, ...]:
        """What a rule about several clusters needs of each of them, under names that :meth:`query` may be given."""
        if not self.spans_clusters:
            return ()
        return tuple(
            ClusterQuery(name, f"{with_views(name)}asked AS ({VIEWS[name].strip()}) SELECT * FROM asked", columns)
            for name, columns in OF_CLUSTERS.items()
            if re.search(rf"\b{name}\b", self.sql)
        )

    def query(self, limit: int, given: Collection[str] = ()) -> str:
        """Return the whole SQL text.

        Args:
            limit: at most this many rows, in a stable order.
            given: the views that are there as tables.
        """
        names = ", ".join(self.columns)
        return (
            f"{with_views(self.sql, given)}found AS ({self.sql.strip()})\n"
            f"SELECT {names} FROM found ORDER BY {names} LIMIT {limit}"
        )

    def render(self, row: Mapping[str, Any]) -> str:
        """Return the message for a row of the result."""
        return self.message.format_map(row)


def count_query(rules: Sequence[Rule]) -> str:
    """Return one SQL text that counts the findings of several rules: ``rule_id`` and ``total``, one row per rule."""
    parts = [
        f"SELECT '{rule.id}' AS rule_id, COUNT(*) AS total FROM ({rule.sql.strip()}) counted_{number}"
        for number, rule in enumerate(rules)
    ]
    return _with(rules) + "\nUNION ALL\n".join(parts)


def rows_query(rules: Sequence[Rule]) -> str:
    """Return one SQL text with all findings of several rules: ``rule_id``, the place, and the evidence as one text."""
    parts = []
    for number, rule in enumerate(rules):
        shown = ", ".join(f"COALESCE(CAST({name} AS STRING), 'NULL')" for name in rule.evidence) or "''"
        place = ", ".join(PLACE)
        parts.append(
            f"SELECT '{rule.id}' AS rule_id, {place}, CONCAT_WS('|', {shown}) AS evidence "
            f"FROM ({rule.sql.strip()}) asked_{number}"
        )
    return _with(rules) + "\nUNION ALL\n".join(parts)


def _with(rules: Sequence[Rule]) -> str:
    needed: dict[str, None] = {}
    seen: set[str] = set()
    for rule in rules:
        _collect(rule.sql, needed, seen)
    views = ",\n".join(f"{name} AS ({VIEWS[name].strip()})" for name in needed)
    return f"WITH {views}\n" if views else ""


def with_views(sql: str, given: Collection[str] = ()) -> str:
    """Return ``WITH`` and the views that a text uses, with the views that those use, ready for one more.

    Args:
        sql: the text.
        given: the views that are there as tables.
    """
    needed: dict[str, None] = {}
    _collect(sql, needed, set(given))
    return "WITH " + "".join(f"{name} AS ({VIEWS[name].strip()}),\n" for name in needed)


def _collect(sql: str, needed: dict[str, None], seen: set[str]) -> None:
    for name, text in VIEWS.items():
        if name not in seen and re.search(rf"\b{name}\b", sql):
            seen.add(name)
            _collect(text, needed, seen)
            needed[name] = None
