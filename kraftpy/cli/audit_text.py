"""How an audit, a difference and a history are written: lines of text, plain values for scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import click

from kraftpy.audit.diff import StateChange
from kraftpy.audit.findings import AuditReport, Finding
from kraftpy.audit.history import HistoryEntry
from kraftpy.audit.labels import camel_case, label_fields
from kraftpy.audit.log_volume import UNREADABLE_AUTHOR, LogVolume
from kraftpy.audit.reading.unread import Unread
from kraftpy.audit.rules import Rule, Severity
from kraftpy.cli.output import aligned
from kraftpy.cli.times_text import local_text
from kraftpy.model.escaping import escaped
from kraftpy.model.iso_time import time_fields

CONSEQUENCES_SHOWN: Final = 3
"""How many findings of a rule the text shows for corrupt clusters; all are counted, and are in the other forms."""


@dataclass(frozen=True, slots=True)
class AuditResult:
    """All that an audit says.

    Attributes:
        states: rows of the table ``states``: one for each node.
        files: how many files were read, and their bytes; those beside a log count, too.
        until_ms: the time that the states are of, in milliseconds since 1970; ``None`` where offsets alone end them.
    """

    verdict: AuditReport
    states: list[dict[str, Any]]
    growth: LogVolume
    files: int
    bytes: int
    until_ms: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        verdict = self.verdict
        return {
            "engine": verdict.engine,
            "fileCount": self.files,
            "bytes": self.bytes,
            "ruleCount": len(verdict.rules),
            **time_fields("until", self.until_ms),
            "states": [_state_json(state) for state in self.states if state["is_primary"]],
            "findingCounts": verdict.totals,
            "findings": [finding.as_json() for finding in verdict.findings],
            "growth": self.growth.as_json(),
        }

    def lines(self, *, with_growth: bool) -> Iterator[str]:
        """Write it as text: what was read, the worst first, then what it adds up to."""
        # Of a time, the state holds what was written by then: where it ends in the log is not counted.
        time = "" if self.until_ms is None else f", written by {local_text(self.until_ms)}"
        rows = [
            (state["cluster"] or "-", state["node"], _base(state), f"before offset {state['until_offset']}{time}")
            for state in self.states
            if state["is_primary"]
        ]
        yield from aligned(("cluster", "state of node", "from", "to"), rows)
        yield ""
        yield from finding_lines(self.verdict)
        if with_growth:
            yield from growth_lines(self.growth)
        yield self.summary()

    def summary(self) -> str:
        """Say in one line how it ended."""
        verdict = self.verdict
        stated = ", ".join(_counted(verdict.count(severity), severity) for severity in Severity)
        read = (_counted(len(verdict.rules), "rule"), _counted(self.files, "file"), _counted(self.bytes, "byte"))
        return f"{stated}; {', '.join(read)}, engine {verdict.engine}"


def _counted(count: int, noun: str) -> str:
    has_no_plural = count == 1 or noun == Severity.INFO
    return f"{count} {noun if has_no_plural else f'{noun}s'}"


def _base(state: dict[str, Any]) -> str:
    return f"offset {state['start_offset']}" if state["file"] is None else state["file"].rsplit("/", 1)[-1]


def _state_json(state: dict[str, Any]) -> dict[str, Any]:
    return {
        **label_fields(state["cluster"], state["node"]),
        "snapshotFile": state["file"],
        "startOffset": state["start_offset"],
        "endOffset": state["until_offset"],
    }


def finding_lines(verdict: AuditReport) -> Iterator[str]:
    """Write findings rule by rule; of a corrupt cluster, only some of each rule that the corruption may have broken.

    Corruption comes first (``all_rules``), and may have hundreds of consequences, which would hide it.
    """
    corrupt = {finding.cluster for finding in verdict.findings if finding.rule.is_cause}
    for rule in verdict.rules:
        found = [finding for finding in verdict.findings if finding.rule is rule]
        if not found:
            continue
        yield f"{rule.severity.upper()} {rule.id}: {rule.title}"
        follows = [] if rule.is_cause else [finding for finding in found if finding.cluster in corrupt]
        folded = follows[CONSEQUENCES_SHOWN:]
        yield from (f"  {_where(finding)}: {finding.message}" for finding in found if finding not in folded)
        if folded:
            yield f"  ... and {len(folded)} more where there is corruption, which may be why (-o json shows them)"
        rest = verdict.totals[rule.id] - len(found)
        if rest:
            yield f"  ... and {rest} more"
        yield f"  -> {rule.fix}"
        yield ""


def _where(finding: Finding) -> str:
    place = [f"cluster {finding.cluster}"] if finding.cluster else []
    place += [f"node {finding.node}"] if finding.node else []
    place += [finding.file.rsplit("/", 1)[-1]] if finding.file else []
    place += [f"offset {finding.log_offset}"] if finding.log_offset is not None else []
    return ", ".join(place)


def growth_lines(growth: LogVolume) -> Iterator[str]:
    """Write what made the log grow."""
    yield f"Growth: {growth.records} records, {growth.no_op_share:.1%} of them no-ops"
    types = [(row["type"], row["written"], row["bytes"]) for row in growth.by_type]
    yield from aligned(("type", "records", "bytes"), types)
    yield ""
    entities = [(row["entity_kind"], row["entity"], row["written"], row["bytes"]) for row in growth.by_entity]
    yield from aligned(("kind", "entity", "records", "bytes"), entities)
    yield ""
    principals = [(row["principal"], row["written"], row["bytes"]) for row in growth.by_principal]
    if principals:
        yield from aligned(("principal", "records", "bytes"), principals)
        yield ""
    authors = [(row["principal"] or UNREADABLE_AUTHOR, row["written"], row["bytes"]) for row in growth.by_author]
    if authors:
        yield from aligned(("author", "records", "bytes"), [(escaped(name), *sums) for name, *sums in authors])
        yield ""
    hours: dict[int, list[int]] = {}
    for row in growth.by_hour:
        sums = hours.setdefault(row["hour_ms"], [0, 0])
        sums[0] += row["written"]
        sums[1] += row["bytes"]
    yield from aligned(("hour", "records", "bytes"), [(local_text(hour), *sums) for hour, sums in hours.items()])
    yield ""


def rule_lines(rules: Iterable[Rule]) -> list[str]:
    """Write what rules there are."""
    return aligned(("severity", "rule", "what must hold"), [(rule.severity, rule.id, rule.title) for rule in rules])


def rule_json(rules: Iterable[Rule]) -> list[dict[str, Any]]:
    """Return what rules there are, as plain values."""
    return [
        {
            "rule": rule.id,
            "severity": str(rule.severity),
            "title": rule.title,
            "fix": rule.fix,
            "evidenceNames": [camel_case(name) for name in rule.evidence],
        }
        for rule in rules
    ]


def change_lines(changes: Sequence[tuple[str, list[StateChange]]]) -> Iterator[str]:
    """Write differences, cluster by cluster."""
    for cluster, found in changes:
        if len(changes) > 1 and found:
            yield f"cluster {cluster}"
        yield from (change.line() for change in found)


def report_unread(unread: Sequence[Unread]) -> bool:
    """Say on stderr up to where an answer is known, and return whether there was anything to say."""
    for text in dict.fromkeys(each.text for each in unread):
        click.echo(f"incomplete: {text}", err=True)
    return bool(unread)


def step_lines(step: HistoryEntry) -> Iterator[str]:
    """Write one record of a history: its offset, then what it changed."""
    place = f"offset {step.offset}" if step.kind == "log" else f"{step.file.rsplit('/', 1)[-1]} offset {step.offset}"
    author = "" if step.author is None else f"  by {step.author.text}"
    yield f"{local_text(step.timestamp_ms)}  epoch {step.epoch}  {place}  {step.type}{author}"
    yield from (f"  {change.line()}" for change in step.changes)
    if step.problem is not None:
        yield f"  refused: {step.problem}"
    elif not step.changes:
        yield "  changed nothing"
