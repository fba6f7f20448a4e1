"""The dashboards of ``deploy/monitoring`` on a running cluster: every panel shows something, and can be drawn."""

from __future__ import annotations

import importlib
import time

import pytest

from tests.fakes.processes import eventually
from tests.interop.dashboard_pictures.__main__ import DOCS
from tests.interop.dashboard_pictures.drawing import UNITS, Moment, Span, draw, footer_of, step_of
from tests.interop.dashboard_pictures.observed_cluster import observed_cluster
from tests.interop.dashboard_pictures.panels import Query, boards, empty_queries
from tests.interop.dashboard_pictures.status_page import BYTES_MAX, colours

BOARDS = boards()
GRAPHS = [panel for board in BOARDS for panel in board.graphs]

NO_TLS = "the cluster has no TLS, so no node has a certificate"
NOTHING_REFUSED = "the load is within all limits: only the limits that refused something have a series"
NO_ERROR = (
    "an answer with an error gives a series of its own, and it takes a request at a controller that was just lost"
)

MAY_BE_EMPTY = {
    "Certificates are valid for": ([0], NO_TLS),
    "Refused by a limit": ([1], NOTHING_REFUSED),
    "Answers with an error": ([1], NO_ERROR),
}
"""Which queries of a panel (by their numbers) may give nothing in this cluster, and why."""

PICTURE_BYTES_MAX = 300_000


def allowed():
    """The queries that may give nothing."""
    panels = {panel.title: panel for panel in GRAPHS}
    numbered = [(panels[title], number) for title, (numbers, _) in MAY_BE_EMPTY.items() for number in numbers]
    return {panel.queries[number].expression for panel, number in numbered}


def test_the_files_are_read_whole():
    """Each panel has a unit that can be written and queries without variables; titles differ."""
    assert len({panel.title for panel in GRAPHS}) == len(GRAPHS)
    for panel in GRAPHS:
        assert panel.unit in UNITS, panel.title
        assert panel.queries
        assert not [query for query in panel.queries if "$" in query.expression]
    assert 'cluster=~".*"' in GRAPHS[0].queries[0].expression


def test_a_legend_names_a_series_as_grafana_does():
    assert Query("up", "{{instance}} {{role}}").name_of({"instance": "c1:9293"}) == "c1:9293 "


@pytest.mark.parametrize(
    ("unit", "value", "text"),
    [
        ("ms", 250, "250 ms"),
        ("ms", 9_000, "9 s"),
        ("s", 0.013, "13 ms"),
        ("s", 120, "2 min"),
        ("bytes", 2 * 1024**2, "2 MiB"),
        ("percentunit", 0.05, "5 %"),
        ("short", 6_500, "6.5 k"),
        ("reqps", 100, "100 req/s"),
    ],
)
def test_values_are_written_in_their_unit(unit, value, text):
    assert UNITS[unit](value) == text


@pytest.mark.parametrize(
    ("top", "unit", "step"),
    [(90 * 1024**2, "bytes", 32 * 1024**2), (100, "s", 30), (0.014, "s", 0.005), (1.0, "short", 0.2), (90, "ms", 20)],
)
def test_ticks_are_round_in_their_unit(top, unit, step):
    assert step_of(top, unit) == pytest.approx(step)


def test_the_palette_of_the_status_page_is_its_style_sheet_s():
    """A palette of more than 16 takes 8 bits a pixel; without the red of warnings it would show another page."""
    found = colours()
    assert len(set(found)) == len(found) == 16
    assert {(0xB3, 0x26, 0x1E), (0xFF, 0xFF, 0xFF)} <= set(found)
    assert (DOCS / "status-page.png").stat().st_size <= BYTES_MAX


def test_the_footer_names_source_and_fault():
    """Who drew it from which file, which Prometheus was asked, and when the fault was."""
    footer = footer_of(BOARDS[0], "2.42.0", Span(0.0, 60.0, (Moment("controller 3 was killed", 3_725.0),)))
    assert "kraftpy" in footer
    assert "deploy/monitoring/quorum.json (this is not Grafana)" in footer
    assert "Prometheus 2.42.0" in footer
    assert "controller 3 was killed at 01:02:05" in footer


@pytest.mark.timeout(400)
async def test_every_panel_shows_something_of_a_cluster_under_load_and_a_fault(prometheus, root):
    """The active controller is killed and comes back; then each query gives numbers, and a picture has them."""
    pillow = importlib.import_module("PIL.Image")
    async with observed_cluster(prometheus, root) as observed:
        cluster, server, start_s = observed.cluster, observed.server, time.time()

        async def scraped():
            return await server.value("count(up == 1)"), await server.value("sum(kraft_new_active_controllers_total)")

        await eventually(scraped, lambda one: one == (6, 6), "all nodes are scraped, and know their leader")
        leader_id = await cluster.leader()
        killed = Moment("the active controller was killed", time.time())
        await cluster.kill(leader_id)
        await cluster.leader()
        await cluster.start(leader_id)

        async def empty():
            found = await empty_queries(server, GRAPHS)
            return {title: [one for one in queries if one not in allowed()] for title, queries in found.items()}

        await eventually(empty, lambda found: not any(found.values()), "every query gives numbers", timeout_s=120)
        span = Span(start_s, time.time(), (killed,))
        for board in BOARDS:
            path = root / f"{board.title}.png"
            await draw(server, board, span, path)
            assert 10_000 < path.stat().st_size < PICTURE_BYTES_MAX
            with pillow.open(path) as picture:
                assert min(picture.size) > 1_000
