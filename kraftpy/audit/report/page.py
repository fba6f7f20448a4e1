"""The page around the charts: one file, no script, nothing loaded from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files
from typing import Any, Final

from kraftpy.audit.findings import AuditReport, Finding
from kraftpy.audit.log_volume import UNREADABLE_AUTHOR, LogVolume
from kraftpy.audit.report.charts import (
    broker_chart,
    election_chart,
    growth_chart,
    legend_html,
    node_chart,
    short_type,
    size_text,
)
from kraftpy.audit.report.data import ClusterData
from kraftpy.audit.rules import Rule, Severity

NODE_NOTE: Final = (
    '<p class="note">How far each log goes; red numbers are how far it is behind. '
    "Squares: whether two nodes have the same bytes.</p>"
)
ROWS_MAX: Final = 20
OPEN_FINDINGS: Final = 8
"""Findings of a rule that are shown at once; the rest unfold."""


def page(verdict: AuditReport, growth: LogVolume, clusters: list[ClusterData], cluster_count: int) -> str:
    """Return the whole page as text."""
    body = "".join(
        [
            _head(verdict, growth, cluster_count),
            _findings(verdict),
            *(_cluster(data) for data in clusters),
            _rest(clusters, cluster_count),
            _growth(growth),
            _foot(verdict),
        ]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Metadata audit</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_style()}</style></head><body><main>{body}</main></body></html>\n"
    )


def _style() -> str:
    return files(__package__).joinpath("style.css").read_text(encoding="utf-8")


def _head(verdict: AuditReport, growth: LogVolume, cluster_count: int) -> str:
    counts = {each: verdict.count(each) for each in Severity}
    tiles = [
        (f"{count:,}", f"{each}{'' if count == 1 or each is Severity.INFO else 's'}", _kind(each, count))
        for each, count in counts.items()
    ]
    tiles += [
        (str(cluster_count), "clusters" if cluster_count != 1 else "cluster", ""),
        (f"{growth.records:,}", "records in the logs", ""),
        (f"{growth.no_op_share:.0%}", "of them no-ops", ""),
    ]
    shown = "".join(f'<div class="tile {kind}"><b>{value}</b><span>{name}</span></div>' for value, name, kind in tiles)
    stated = "Every rule holds." if not verdict.has_findings else "Rules are broken. The worst come first."
    return f'<h1>Metadata audit</h1><p class="sub">{stated} Times are UTC.</p><div class="tiles">{shown}</div>'


def _kind(severity: Severity, count: int) -> str:
    if count:
        return f"{severity} some"
    return "good" if severity.is_finding else ""


def _findings(verdict: AuditReport) -> str:
    parts = [_rule(rule, verdict) for rule in verdict.rules if rule.id in verdict.totals]
    if not parts:
        parts = ['<div class="card">No rule found anything.</div>']
    return "<h2>Findings</h2>" + "".join(parts)


def _rule(rule: Rule, verdict: AuditReport) -> str:
    found = [finding for finding in verdict.findings if finding.rule is rule]
    total = verdict.totals[rule.id]
    rows = [_row(finding) for finding in found]
    shown = f"<table>{''.join(rows[:OPEN_FINDINGS])}</table>"
    if len(rows) > OPEN_FINDINGS:
        hidden = f"{total - OPEN_FINDINGS} more" + (
            f", {len(rows) - OPEN_FINDINGS} of them here" if total > len(rows) else ""
        )
        shown += f"<details><summary>{hidden}</summary><table>{''.join(rows[OPEN_FINDINGS:])}</table></details>"
    return (
        f'<section class="card rule {rule.severity}"><header><span class="chip {rule.severity}">{rule.severity}</span>'
        f'<code>{escape(rule.id)}</code><span class="count">{total}</span></header><p>{escape(rule.title)}</p>{shown}'
        f'<p class="fix">{escape(rule.fix)}</p></section>'
    )


def _row(finding: Finding) -> str:
    return f"<tr><td>{escape(finding.message)}</td><td class='where'>{escape(' · '.join(_places(finding)))}</td></tr>"


def _places(finding: Finding) -> Iterator[str]:
    if finding.cluster:
        yield f"cluster {finding.cluster}"
    if finding.node:
        yield f"node {finding.node}"
    if finding.file:
        yield finding.file.rsplit("/", 1)[-1]
    if finding.log_offset is not None:
        yield f"offset {finding.log_offset}"


def _cluster(data: ClusterData) -> str:
    facts = "".join(f"<span>{escape(label)} <b>{escape(value)}</b></span>" for label, value in data.facts)
    growth, types = growth_chart(data.growth)
    elections, leaders = election_chart(data.elections)
    plots = [
        ("Growth by record type", growth, legend_html(types)),
        (
            "Leaders and replicas by broker and rack",
            broker_chart(data.brokers),
            legend_html([("c0", "leads"), ("c0 pale", "has a replica")]) if data.brokers else "",
        ),
        (
            "Lag and agreement of nodes",
            node_chart(data.nodes, data.diverging),
            NODE_NOTE,
        ),
        ("Epochs and elections", elections, legend_html(leaders)),
    ]
    cards = "".join(f'<div class="card"><h3>{name}</h3>{svg}{note}</div>' for name, svg, note in plots if svg)
    name = escape(data.cluster) if data.cluster else "(no label)"
    return f'<h2>Cluster {name}</h2><p class="facts">{facts}</p><div class="plots">{cards}</div>'


def _rest(clusters: list[ClusterData], cluster_count: int) -> str:
    if cluster_count == len(clusters):
        return ""
    return f'<p class="note">{cluster_count - len(clusters)} more clusters are not drawn; their findings are above.</p>'


def _growth(growth: LogVolume) -> str:
    sums: dict[str, list[int]] = {}
    for row in growth.by_type:
        each = sums.setdefault(row["type"], [0, 0])
        each[0] += row["written"]
        each[1] += row["bytes"]
    types = [(short_type(name), *counts) for name, counts in sums.items()]
    entities = [(f"{row['entity_kind']} {row['entity']}", row["written"], row["bytes"]) for row in growth.by_entity]
    principals = [(row["principal"], row["written"], row["bytes"]) for row in growth.by_principal]
    authors = [(row["principal"] or UNREADABLE_AUTHOR, row["written"], row["bytes"]) for row in growth.by_author]
    cards: list[tuple[str, str, list[tuple[Any, ...]]]] = [
        ("Record types", "type", types[:ROWS_MAX]),
        ("Entities", "entity", entities),
        ("Principals", "principal", principals),
        ("Authors", "author", authors),
    ]
    shown = "".join(
        f'<div class="card"><h3>{name}</h3>{_table(head, rows)}</div>' for name, head, rows in cards if rows
    )
    return f'<h2>What made the logs grow</h2><div class="plots">{shown}</div>' if shown else ""


def _table(head: str, rows: Iterable[tuple[Any, ...]]) -> str:
    lines = "".join(
        f"<tr><td>{escape(name)}</td><td class=number>{count:,}</td><td class=number>{size_text(size)}</td></tr>"
        for name, count, size in rows
    )
    return f"<table><tr><th>{head}</th><th class=number>records</th><th class=number>bytes</th></tr>{lines}</table>"


def _foot(verdict: AuditReport) -> str:
    return (
        f"<footer>{len(verdict.rules)} rules, asked by the {escape(verdict.engine)} engine. Secrets are redacted. "
        "Made by kraftpy audit.</footer>"
    )
