"""``deploy/monitoring/mixin.libsonnet`` in a real jsonnet: the dashboards, alerts and rules of that directory."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from tests.interop.conftest import installed
from tests.unit.test_monitoring import ALL_RULES, DASHBOARDS, MONITORING, RULES

jsonnet = installed("_jsonnet", "pip install -r requirements-interop.txt")

MIXIN = "(import 'mixin.libsonnet')"


def evaluated(expression: str) -> Any:
    return json.loads(jsonnet.evaluate_snippet("test", expression, jpathdir=[str(MONITORING)]))


def having(key: str) -> list[dict[str, Any]]:
    found = [{**group, "rules": [rule for rule in group["rules"] if key in rule]} for group in RULES["groups"]]
    return [group for group in found if group["rules"]]


def test_it_has_the_rules_and_the_alerts() -> None:
    """One is left out, changed, or in the wrong of both."""
    alerts, rules = evaluated(f"{MIXIN}.prometheusAlerts"), evaluated(f"{MIXIN}.prometheusRules")
    assert alerts == {"groups": having("alert")}
    assert rules == {"groups": having("record")}
    assert sum(len(group["rules"]) for each in (alerts, rules) for group in each["groups"]) == len(ALL_RULES)


def test_it_has_the_dashboards() -> None:
    assert evaluated(f"{MIXIN}.grafanaDashboards") == {f"kraftpy-{name}": one for name, one in DASHBOARDS.items()}


def test_the_commands_in_its_head_write_these_files() -> None:
    """Each as Prometheus and Grafana read it."""
    head = (MONITORING / "mixin.libsonnet").read_text(encoding="utf-8")
    alerts, rules, boards = re.findall(r"^//   jsonnet .*-e '([^']*)'", head, re.MULTILINE)
    assert yaml.safe_load(evaluated(alerts)) == {"groups": having("alert")}
    assert yaml.safe_load(evaluated(rules)) == {"groups": having("record")}
    assert len(evaluated(boards)) == len(DASHBOARDS)


def test_it_is_added_to_others() -> None:
    """To what another mixin exports, with the address of the runbooks."""
    other = "{prometheusAlerts+:: {groups+: [{name: 'other', rules: []}]}, grafanaDashboards+:: {'other.json': {}}}"
    both = f"({other} + {MIXIN} + {{_config+:: {{runbookPrefix: 'https://git.example/kraftpy/'}}}})"
    other_group, *groups = evaluated(f"{both}.prometheusAlerts.groups")
    assert other_group["name"] == "other"
    addresses = [rule["annotations"]["runbook_url"] for group in groups for rule in group["rules"]]
    given = [rule["annotations"]["runbook_url"] for rule in ALL_RULES if "alert" in rule]
    assert addresses == [f"https://git.example/kraftpy/{one}" for one in given]
    assert set(evaluated(f"std.objectFields({both}.grafanaDashboards)")) > {"other.json"}
