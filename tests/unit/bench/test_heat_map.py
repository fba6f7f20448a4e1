"""Heat maps of latencies around kills: which cell a write is in, and what the file and the picture have."""

from __future__ import annotations

import importlib
import itertools
import json

import pytest

from bench import plot
from bench.heat_map import (
    COLUMN_MS,
    COLUMNS,
    LATENCY_EDGES_MS,
    ROWS,
    ROWS_PER_DECADE,
    TIME_EDGES_MS,
    HeatMap,
    column_of,
    row_of,
)
from bench.heat_map_plot import rows_shown, text_heat_map, title_of, write_heat_map
from bench.report import as_json, heat_maps, tables
from bench.results_file import compact
from bench.runs import Results, Row
from tests.unit.bench.test_plot import pixels_of

KILLED_AT = 1_700_000_000.0
PICTURE_BYTES_MAX = 200_000


def map_of(*writes, kills=1):
    """A map of writes as (seconds since the kill, latency in ms or None), at each of some kills."""
    one = HeatMap()
    for _ in range(kills):
        one.add_kill(KILLED_AT, [KILLED_AT + at for at, _ in writes], [latency for _, latency in writes])
    return one


def cells_of(one):
    """Its cells that are not empty: (seconds, lowest latency in ms) -> writes."""
    return {
        (TIME_EDGES_MS[column] / 1000, LATENCY_EDGES_MS[row]): count for column, row, count in one.as_json()["cells"]
    }


def test_the_edges_are_of_equal_width():
    """Columns of 50 ms from a second before the kill to three after it; ten rows to a decade, from 0.1 ms to 10 s."""
    assert (TIME_EDGES_MS[0], TIME_EDGES_MS[-1], COLUMNS) == (-1000, 3000, 80)
    assert {later - earlier for earlier, later in itertools.pairwise(TIME_EDGES_MS)} == {COLUMN_MS}
    assert (LATENCY_EDGES_MS[0], LATENCY_EDGES_MS[-1], ROWS) == (0.1, 10_000.0, 50)
    assert [LATENCY_EDGES_MS[at] for at in (10, 20, 30, 40)] == [1.0, 10.0, 100.0, 1000.0]
    ratios = [later / earlier for earlier, later in itertools.pairwise(LATENCY_EDGES_MS)]
    assert max(ratios) == pytest.approx(min(ratios), rel=2e-3)


@pytest.mark.parametrize(
    ("since_kill_ms", "column"),
    [(-1000.0, 0), (-950.1, 0), (-950.0, 1), (-0.1, 19), (0.0, 20), (49.9, 20), (50.0, 21), (2999.9, 79)],
)
def test_a_column_has_its_beginning_and_not_its_end(since_kill_ms, column):
    """Half-open intervals: each moment is in one column; the kill is an edge."""
    assert column_of(since_kill_ms) == column


@pytest.mark.parametrize("since_kill_ms", [-1000.1, 3000.0, 1e9, float("nan")])
def test_what_is_due_outside_of_the_columns_has_none(since_kill_ms):
    """Before the first second and after the third."""
    assert column_of(since_kill_ms) is None


@pytest.mark.parametrize(
    ("latency_ms", "row"),
    [(0.1, 0), (0.1258, 0), (0.1259, 1), (0.999, 9), (1.0, 10), (9.99, 19), (10.0, 20), (9999.0, 49)],
)
def test_a_row_has_its_lower_edge_and_not_its_upper(latency_ms, row):
    """A decade begins with its row, whatever the logarithm is rounded to."""
    assert row_of(latency_ms) == row


@pytest.mark.parametrize(("latency_ms", "row"), [(0.0, 0), (-1.0, 0), (0.0999, 0), (10_000.0, 49), (1e9, 49)])
def test_a_latency_beyond_the_rows_is_in_the_nearest(latency_ms, row):
    """Nothing that was acknowledged is lost: the lowest row has what was faster, the highest what was slower."""
    assert row_of(latency_ms) == row


def test_each_edge_begins_its_own_cell():
    """The edges of the file are those that were used."""
    assert [row_of(edge) for edge in LATENCY_EDGES_MS[:-1]] == list(range(ROWS))
    assert [column_of(edge) for edge in TIME_EDGES_MS[:-1]] == list(range(COLUMNS))


def test_the_writes_of_all_kills_are_laid_over_one_another():
    """A write is in the cell of when it was due, since its own kill, and of its latency."""
    one = map_of((-0.5, 2.0), (0.01, 400.0), (0.02, 390.0), (5.0, 1.0))
    one.add_kill(KILLED_AT + 60, [KILLED_AT + 60.03], [410.0])
    assert cells_of(one) == {(-0.5, 1.995): 1, (0.0, 398.1): 2, (0.0, 316.2): 1}
    assert (one.kills, one.writes, one.failed_writes, one.largest) == (2, 4, 0, 2)


def test_a_failed_write_has_a_column_and_no_row():
    """It is counted among the writes, and apart from the latencies."""
    one = map_of((0.11, None), (0.12, None), (0.11, 3.0), (9.0, None))
    assert cells_of(one) == {(0.1, 2.512): 1}
    assert one.as_json()["failed"] == [[22, 2]]
    assert (one.writes, one.failed_writes, one.largest) == (3, 2, 2)


def test_an_empty_map_has_no_cell():
    """Nothing was due: no cell, no row in use, and all rows in the picture."""
    one = HeatMap()
    found = one.as_json()
    assert (found["kills"], found["writes"], found["failed_writes"]) == (0, 0, 0)
    assert (found["cells"], found["failed"]) == ([], [])
    assert list(one.rows_in_use()) == []
    assert rows_shown([one]) == range(ROWS)


def test_every_time_needs_a_latency_or_its_absence():
    """A list that is short would shift all that follows."""
    with pytest.raises(ValueError, match="shorter"):
        HeatMap().add_kill(KILLED_AT, [KILLED_AT], [])


def test_merged_maps_have_the_writes_of_both():
    """Cell by cell, the failed ones too."""
    one, other = map_of((0.0, 1.0), (0.0, None)), map_of((0.0, 1.0), (1.0, 20.0), (0.0, None), kills=2)
    one.merge(other)
    assert cells_of(one) == {(0.0, 1.0): 3, (1.0, 19.95): 2}
    assert (one.kills, one.failed_writes, one.failed[20]) == (3, 3, 3)
    assert other.kills == 2


def test_the_picture_shows_whole_decades_of_all_maps():
    """All panels have the same rows, so that they can be compared."""
    fast, slow = map_of((0.0, 2.0)), map_of((0.0, 30.0))
    assert fast.rows_in_use() == range(ROWS_PER_DECADE, 2 * ROWS_PER_DECADE)
    assert rows_shown([fast, slow]) == range(ROWS_PER_DECADE, 3 * ROWS_PER_DECADE)


def results():
    """Two runs of two forms, a peer that is not there and one that failed."""
    maps = {"client": map_of((-0.39, 2.0), (0.06, 120.0)), "kafka": map_of((-0.39, 1.5), (0.06, None))}
    rows = [
        Row(
            system="kraftpy", run=run, work="kill", form=form, figures={"kills": 1.0, "writes": 2.0},
            samples={"total ms": [40.0 * run]}, heat_map=one,
        )
        for run in (1, 2)
        for form, one in maps.items()
    ]  # fmt: skip
    rows.append(Row(system="etcd", run=1, work="failed", notes=["see /tmp/x/etcd-1.log"]))
    return Results(rows, {"kraftpy": "abc"}, {"zookeeper": "no /usr/share/java/zookeeper.jar: install it"})


def test_the_results_file_has_the_cells_of_all_runs():
    """One map for each system and client; a system without one is named with the reason; no row repeats a map."""
    content = json.loads(json.dumps(as_json("failover", {}, {}, results())))
    client, kafka = content["heat_maps"]
    assert (client["system"], client["form"], client["work"]) == ("kraftpy", "client", "kill")
    assert (client["kills"], client["writes"], client["failed_writes"]) == (2, 4, 0)
    assert client["cells"] == [[12, 13, 2], [21, 30, 2]]
    assert (kafka["failed_writes"], kafka["failed"]) == (2, [[21, 2]])
    assert len(client["time_edges_ms"]) == COLUMNS + 1
    assert len(client["latency_edges_ms"]) == ROWS + 1
    assert set(content["without_heat_map"]) == {"zookeeper", "etcd"}
    assert all("heat_map" not in row for row in content["rows"])


def test_a_compact_file_has_the_same_cells_and_names_no_place():
    """It is committed."""
    content = as_json("failover", {}, {}, results())
    short = compact(content)
    assert short["heat_maps"] == content["heat_maps"]
    assert short["without_heat_map"] == {"zookeeper": "no ...: install it", "etcd": "see ..."}


def test_without_a_heat_map_the_results_file_is_as_it_was():
    """No key of it, in no command."""
    content = as_json("failover", {}, {}, Results([Row(system="kraftpy", run=1, work="kill")]))
    assert {"heat_maps", "without_heat_map"} & set(content) == set()
    assert heat_maps([Row(system="kraftpy", run=1, work="kill")]) == {}


def test_percentiles_are_over_the_kills_of_all_runs():
    """p50, p90, p99 and the largest total of 200 kills, in the table and in the file."""
    rows = [
        Row(system="kraftpy", run=run, work="kill", form="kafka", samples={"total ms": list(range(run, 201, 2))})
        for run in (1, 2)
    ]
    made = Results(rows)
    (pooled,) = as_json("failover", {}, {}, made)["pooled"]
    assert pooled["samples"]["total ms"] == {"p50": 100, "p90": 180, "p99": 198, "min": 1, "max": 200, "count": 200}
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in tables(made).splitlines()]
    assert ["system", "phase", "p50", "p90", "p99", "min", "max", "n"] in lines
    assert ["kraftpy (kafka)", "total", "100", "180", "198", "1", "200", "200"] in lines


def test_a_panel_is_named_with_what_is_in_it():
    """How many kills and writes, and how many of those failed, also when none did."""
    assert title_of("etcd (Go)", map_of((0.0, 1.0))) == "etcd (Go): 1 kill, 1 writes, 0 failed"
    many = map_of((0.0, 1.0), (0.0, None), kills=1_000)
    assert title_of("etcd", many) == "etcd: 1,000 kills, 2,000 writes, 1,000 failed"


def test_a_panel_as_text():
    """A line for each row, the highest first, below that of the failed ones; fuller cells have darker characters."""
    one = map_of((-1.0, 2.0), (0.0, None), *[(0.0, 9.0)] * 50, (2.99, 1.0))
    failed, *lines, feet = text_heat_map(one, rows_shown([one])).splitlines()
    assert failed == f"{'failed':>7} |{' ' * 20}.{' ' * 59}|"
    assert len(lines) == ROWS_PER_DECADE
    assert lines[0].index("@") == 9 + 20
    assert lines[-1] == f"{'1 ms':>7} |{' ' * 79}.|"
    assert lines[-4][9] == "."
    assert feet.index("kill") == 9 + 20
    assert feet.endswith("3 s")


def test_the_picture(tmp_path):
    """A real PNG with a panel for each system and client; more panels make it higher."""
    pytest.importorskip("matplotlib", reason=plot.MISSING)
    path = tmp_path / "x.png"
    assert write_heat_map(path, results(), "a machine, a commit") == str(path)
    width, height, pixels = pixels_of(path.read_bytes())
    assert width >= 800
    assert len(set(pixels)) > 20, "one colour is no picture"
    assert path.stat().st_size < PICTURE_BYTES_MAX
    more = results()
    more.rows += [Row(system="kafka", run=1, work="kill", form="kafka", heat_map=map_of((0.0, 1.0)))]
    write_heat_map(path, more, "a machine, a commit")
    assert pixels_of(path.read_bytes())[1] > height + 100


def test_what_has_no_panel_is_named_in_the_picture(tmp_path, monkeypatch):
    """Left out by name and reason, and without a place of the machine."""
    pytest.importorskip("matplotlib", reason=plot.MISSING)
    drawn = []
    monkeypatch.setattr("bench.heat_map_plot.save_figure", lambda figure, _: drawn.append(figure))
    write_heat_map(tmp_path / "x.png", results(), "caption")
    (figure,) = drawn
    assert figure.get_suptitle() == "caption\nleft out: zookeeper: no ...: install it\nleft out: etcd: see ..."
    titles = [axis.get_title(loc="left") for axis in figure.axes]
    assert titles[:2] == [
        "kraftpy (client): 2 kills, 4 writes, 0 failed",
        "kraftpy (kafka): 2 kills, 4 writes, 2 failed",
    ]
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["1 ms", "10 ms", "100 ms", "1 s", "failed"]


def test_each_cell_is_drawn_where_it_is(tmp_path, monkeypatch):
    """The colours of a panel are the counts, the lowest latency at the bottom, and the failed writes above all."""
    pytest.importorskip("matplotlib", reason=plot.MISSING)
    drawn = []
    monkeypatch.setattr("bench.heat_map_plot.save_figure", lambda figure, _: drawn.append(figure))
    one = map_of((0.06, 1.0), (0.06, 1.0), (0.06, 950.0), (2.0, None))
    write_heat_map(tmp_path / "x.png", Results([Row(system="a", run=1, work="kill", heat_map=one)]), "caption")
    latencies, failed = (mesh.get_array() for mesh in drawn[0].axes[0].collections)
    assert latencies.shape == (30, COLUMNS)
    assert (latencies[0, 21], latencies[29, 21], latencies.count()) == (2, 1, 2)
    assert (failed.shape, failed[0, 60], failed.count()) == ((1, COLUMNS), 1, 1)


def test_without_the_library_the_panels_are_text(tmp_path, monkeypatch):
    """The cells are not lost, and the message names the extra to install."""

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    stated = write_heat_map(tmp_path / "x.png", results(), "caption")
    assert "kraftpy[bench]" in stated
    text = (tmp_path / "x.txt").read_text()
    assert "kraftpy (kafka): 2 kills, 4 writes, 2 failed" in text
    assert "Left out: etcd: see ..." in text
    assert not (tmp_path / "x.png").exists()


def test_a_failover_that_failed_has_no_picture(tmp_path):
    """Nothing is drawn, and it is no error: the notes mention it."""
    failed = Results([Row(system="kraftpy", run=1, work="failed", notes=["x"])])
    assert "nothing was measured" in write_heat_map(tmp_path / "x.png", failed, "caption")
    assert list(tmp_path.iterdir()) == []
