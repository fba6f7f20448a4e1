"""``deploy/monitoring`` asks for metrics that a node reports, and each alert has its section of the page.

``docs/metrics.md``, against which names and labels are compared, is compared with a running node itself.
"""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import click
import pytest
import yaml

from deploy.monitoring import dashboards
from kraftpy.cli.root import ALIASES, COMMANDS
from tests.unit.test_metrics_page import DOCUMENTED

ROOT = Path(__file__).resolve().parents[2]
MONITORING = ROOT / "deploy" / "monitoring"
RULES_FILE = MONITORING / "rules.yaml"
SCRAPE_FILE = MONITORING / "scrape.yaml"
PAGE = ROOT / "docs" / "alerts.md"

RULES = yaml.safe_load(RULES_FILE.read_text(encoding="utf-8"))
ALL_RULES = [rule for group in RULES["groups"] for rule in group["rules"]]
ALERTS = {rule["alert"]: rule for rule in ALL_RULES if "alert" in rule}
RECORDED = {rule["record"]: rule["expr"] for rule in ALL_RULES if "record" in rule}
SECTIONS = dict(
    re.findall(r"^## (Kraft\w+)\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
)

TARGET_LABELS = {"cluster", "instance", "job"}
"""What Prometheus, or scrape.yaml, adds to each series."""

WORDS = {
    *("sum", "max", "min", "count", "by", "on", "and", "or", "unless", "offset", "time", "abs", "floor", "rate"),
    *("increase", "changes", "max_over_time", "histogram_quantile", "topk", "bool", "ignoring", "group_left"),
}
"""PromQL's own."""

PARTS = ("Meaning", "Impact", "Diagnosis", "Mend")


def documented() -> dict[str, set[str]]:
    """Every series that a node reports, and its labels; of a histogram its three."""
    found: dict[str, set[str]] = {}
    for cell, meaning in DOCUMENTED:
        name, labels = re.fullmatch(r"`(\w+)(?:\{(.*)\})?`", cell).groups()
        own = set(re.findall(r"(\w+)(?:=\"[^\"]*\")?(?:,|$)", labels or ""))
        if meaning.startswith("histogram:"):
            found |= {f"{name}_sum": own, f"{name}_count": own, f"{name}_bucket": {*own, "le"}}
        else:
            found[name] = found.get(name, set()) | own
    return found | {"up": set()}


SERIES = documented()
DASHBOARDS = dashboards.documents()
PANELS = [panel for board in DASHBOARDS.values() for panel in board["panels"] if panel["type"] != "row"]
EXPRESSIONS = {
    **{name: rule["expr"] for name, rule in ALERTS.items()},
    **RECORDED,
    **{f"{panel['title']} {number}": one["expr"] for panel in PANELS for number, one in enumerate(panel["targets"])},
}


def labels_of(series: str) -> set[str]:
    """The labels of a series, or of what a recording rule makes of some."""
    if series in SERIES:
        return SERIES[series] | TARGET_LABELS
    kept = re.findall(r"\bby \(([\w, ]+)\)", RECORDED[series])
    return {label.strip() for labels in kept for label in labels.split(",")} - {"le"} or TARGET_LABELS


def selectors(expression: str) -> list[tuple[str, list[str]]]:
    """Each series that an expression selects, with the labels that it matches."""
    bare = re.sub(r"\b(?:by|on|without|ignoring) \([\w, ]*\)|\[[^\]]*\]|\boffset \w+", " ", expression)
    found = re.findall(r"([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?", re.sub(r"(?<![\w:])\d[\w.]*", " ", bare))
    return [(name, re.findall(r"(\w+)\s*[=!]", matchers)) for name, matchers in found if name not in WORDS]


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_an_expression_asks_for_what_a_node_reports(name):
    """Series, the labels by which they are selected, and those that are kept of them."""
    found = selectors(EXPRESSIONS[name])
    assert found
    for series, matched in found:
        assert series in SERIES or series in RECORDED, series
        assert set(matched) <= labels_of(series), (series, matched)
    kept = {
        one.strip()
        for labels in re.findall(r"\b(?:by|on) \(([\w, ]+)\)", EXPRESSIONS[name])
        for one in labels.split(",")
    }
    assert kept <= set().union(*(labels_of(series) for series, _ in found))


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("histogram_quantile(0.99, sum by (le) (rate(a_bucket[5m])))", [("a_bucket", [])]),
        ('a{b="c d",e!~"f"} / 2 > 1e9 or 0 * g:h:sum', [("a", ["b", "e"]), ("g:h:sum", [])]),
        ("a unless a offset 10m", [("a", []), ("a", [])]),
        ("max by (cluster, broker) (a) == 10", [("a", [])]),
    ],
)
def test_series_are_found_in_an_expression(expression, found):
    assert selectors(expression) == found


@pytest.mark.parametrize("name", ALERTS)
def test_an_alert_has_a_severity_texts_and_a_runbook(name):
    """A severity, two texts whose labels its series have, and a link to its section of the page."""
    rule = ALERTS[name]
    assert rule["labels"].keys() == {"severity"}
    assert rule["labels"]["severity"] in {"critical", "warning"}
    texts = rule["annotations"]
    assert texts.keys() == {"summary", "description", "runbook_url"}
    assert len(texts["summary"]) < 80
    assert "$" not in texts["summary"]
    assert texts["runbook_url"] == f"docs/alerts.md#{name.lower()}"
    kept = re.match(r"(?:sum|max|count) by \(([\w, ]+)\)", rule["expr"])
    first = selectors(rule["expr"])[0][0]
    given = {one.strip() for one in kept[1].split(",")} if kept else labels_of(first)
    assert set(re.findall(r"\$labels\.(\w+)", texts["description"])) <= given


def test_the_page_has_a_section_for_each_alert_in_the_order_of_the_rules():
    assert list(SECTIONS) == list(ALERTS)


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_has_its_parts(name):
    """Severity and how long it lasts are those of the rule; four parts, in order."""
    rule, text = ALERTS[name], SECTIONS[name]
    lasts = f", after {rule['for']}" if "for" in rule else ""
    assert text.strip().startswith(f"{rule['labels']['severity'].capitalize()}{lasts}.\n")
    assert re.findall(r"^\*\*(\w+)\.\*\* \S", text, re.MULTILINE) == list(PARTS)


def commands() -> list[str]:
    """The commands of kraftpy on the page, each line of them once."""
    blocks = re.findall(r"^```\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    found = (line.partition(" | ")[0] for block in blocks for line in block.splitlines())
    return sorted({line for line in found if line.startswith("kraftpy ")})


@pytest.mark.parametrize("line", commands())
def test_a_command_of_the_page_can_be_called_so(line):
    """Commands, arguments and options exist; nothing is run."""
    _, name, *arguments = shlex.split(re.sub(r"\$\w+", "c1:9193", line), comments=True)
    command = COMMANDS[ALIASES.get(name, name)].load()
    context = None
    while isinstance(command, click.Group):
        context = click.Context(command, parent=context, info_name=name)
        name, command, arguments = command.resolve_command(context, arguments)
    command.make_context(name, arguments, parent=context)


def test_the_page_calls_commands():
    assert len(commands()) > 5


def test_the_example_scrapes_the_job_that_the_rules_expect():
    document = yaml.safe_load(SCRAPE_FILE.read_text(encoding="utf-8"))
    (job,) = document["scrape_configs"]
    assert document["rule_files"] == [RULES_FILE.name]
    assert set(re.findall(r'job="([^"]+)"', json.dumps(RULES).replace("\\", ""))) == {job["job_name"]}
    assert job["static_configs"][0]["labels"].keys() == {"cluster"}


@pytest.mark.parametrize("name", DASHBOARDS)
def test_a_dashboard_is_one_that_grafana_takes(name):
    """Its file is the generated one; panels have ids of their own, and none lies on another one."""
    board = json.loads((MONITORING / name).read_text(encoding="utf-8"))
    assert board == DASHBOARDS[name]
    assert {one["name"] for one in board["templating"]["list"]} == {"datasource", "cluster"}
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    taken = set()
    for panel in board["panels"]:
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells
        for target in panel.get("targets", ()):
            assert 'cluster=~"$cluster"' in target["expr"], panel["title"]


def test_dashboards_have_names_of_their_own():
    assert len({board["uid"] for board in DASHBOARDS.values()}) == len(DASHBOARDS) == 2
    assert dashboards.main(["--check"]) == 0
