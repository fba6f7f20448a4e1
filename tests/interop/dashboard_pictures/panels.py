"""What the files of the dashboards ask Prometheus for, and how they want it shown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.interop.prometheus_server import Server

DIRECTORY = Path(__file__).resolve().parents[3] / "deploy" / "monitoring"
FILES = ("quorum.json", "cluster.json")

Labels = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Query:
    """One query of a panel.

    Attributes:
        expression: in PromQL, without variables.
        legend: the name of each series, with labels as in ``{{instance}}``.
    """

    expression: str
    legend: str

    def name_of(self, labels: Labels) -> str:
        """The name that a series has in the legend; a label that it lacks is empty, as in Grafana."""
        return re.sub(r"\{\{(\w+)\}\}", lambda found: labels.get(found[1], ""), self.legend)


@dataclass(frozen=True, slots=True)
class Panel:
    """One graph, or the heading of a row.

    Attributes:
        place: x, y, width and height in Grafana's grid.
        unit: Grafana's name of it.
    """

    title: str
    place: tuple[int, int, int, int]
    is_heading: bool
    unit: str = ""
    queries: tuple[Query, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """A dashboard."""

    file: str
    title: str
    panels: tuple[Panel, ...]

    @property
    def graphs(self) -> tuple[Panel, ...]:
        """The panels that show something."""
        return tuple(panel for panel in self.panels if not panel.is_heading)


def boards() -> list[Board]:
    """Read the files."""
    return [board(name, json.loads((DIRECTORY / name).read_text(encoding="utf-8"))) for name in FILES]


def board(file: str, document: Mapping[str, Any]) -> Board:
    """Read one file; its variables get the value that selects all."""
    everything = {one["name"]: one["allValue"] for one in document["templating"]["list"] if one.get("includeAll")}
    return Board(file, document["title"], tuple(_panel(one, everything) for one in document["panels"]))


def _panel(one: Mapping[str, Any], variables: Mapping[str, str]) -> Panel:
    at = one["gridPos"]
    place = at["x"], at["y"], at["w"], at["h"]
    if one["type"] == "row":
        return Panel(one["title"], place, is_heading=True)
    queries = tuple(Query(_filled(each["expr"], variables), each["legendFormat"]) for each in one["targets"])
    return Panel(one["title"], place, is_heading=False, unit=one["fieldConfig"]["defaults"]["unit"], queries=queries)


def _filled(expression: str, variables: Mapping[str, str]) -> str:
    return re.sub(r"\$(\w+)", lambda found: variables[found[1]], expression)


async def empty_queries(server: Server, panels: Sequence[Panel]) -> dict[str, list[str]]:
    """Return the queries that give no number now, by their panels' titles."""
    found: dict[str, list[str]] = {}
    for panel in panels:
        for query in panel.queries:
            values = [float(one["value"][1]) for one in await server.instant(query.expression)]
            if all(value != value for value in values):  # noqa: PLR0124 - NaN is what a mean of nothing is
                found.setdefault(panel.title, []).append(query.expression)
    return found
