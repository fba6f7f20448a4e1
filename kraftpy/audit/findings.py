"""Rules are run, and findings returned.

The engine asks them (``engines.asking``). The result is bounded: at most :data:`FINDINGS_PER_RULE` rows per rule, and
the total count. The order is fixed, so that two engines and two runs return the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from kraftpy.audit.engines.protocol import Engine, ProgressReport
from kraftpy.audit.labels import camel_case, label_fields
from kraftpy.audit.rules import Rule, Severity
from kraftpy.audit.rules.rule import count_query

FINDINGS_PER_RULE: Final = 100
"""The default number of findings shown per rule."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One violation of one rule.

    Attributes:
        log_offset: the record that shows it, ``None`` if there is no single one. In a snapshot: the offset in the file.
        evidence: the rule's own columns.
    """

    rule: Rule
    cluster: str
    node: str
    file: str | None
    log_offset: int | None
    evidence: dict[str, Any]

    @property
    def message(self) -> str:
        """What was found, as a sentence."""
        return self.rule.render({"log_offset": self.log_offset, "node": self.node, **self.evidence})

    def as_json(self) -> dict[str, Any]:
        """Return the finding as plain values."""
        return {
            "rule": self.rule.id,
            "severity": str(self.rule.severity),
            **label_fields(self.cluster, self.node or None),
            "file": self.file or None,
            "offset": self.log_offset,
            "message": self.message,
            "fix": self.rule.fix,
            "evidence": {camel_case(name): value for name, value in self.evidence.items()},
        }


@dataclass(frozen=True, slots=True)
class AuditReport:
    """All findings and counts of one audit.

    Attributes:
        engine: which engine was used.
        findings: the worst first; at most a fixed number per rule.
        totals: rule id to its number of findings; rules without any are not in it.
    """

    engine: str
    rules: tuple[Rule, ...]
    findings: tuple[Finding, ...]
    totals: dict[str, int]

    @property
    def has_findings(self) -> bool:
        """Whether there is any finding above the severity info."""
        return any(rule.severity.is_finding and rule.id in self.totals for rule in self.rules)

    def count(self, severity: Severity) -> int:
        """Return how many findings of a severity there are."""
        return sum(self.totals.get(rule.id, 0) for rule in self.rules if rule.severity is severity)


def judge(
    engine: Engine,
    rules: Sequence[Rule],
    *,
    limit: int = FINDINGS_PER_RULE,
    progress: ProgressReport | None = None,
) -> AuditReport:
    """Run the rules on a loaded engine."""
    done = None if progress is None else partial(_report, progress, len(rules))
    answers = engine.ask(rules, count_query, limit, done)
    findings = [
        finding
        for rule in rules
        if rule.id in answers.totals
        for finding in _findings(rule, answers.rows[rule.id].to_pylist())
    ]
    if progress is not None:
        progress("judging", len(rules), len(rules))
    totals = {rule.id: answers.totals[rule.id] for rule in rules if rule.id in answers.totals}
    return AuditReport(engine.name, tuple(rules), tuple(findings), totals)


def _report(progress: ProgressReport, total: int, done: int) -> None:
    progress("judging", done, total)


def _findings(rule: Rule, rows: Iterable[dict[str, Any]]) -> list[Finding]:
    return [
        Finding(
            rule,
            row["cluster"],
            row["node"],
            row["file"],
            row["log_offset"],
            {name: row[name] for name in rule.evidence},
        )
        for row in rows
    ]
