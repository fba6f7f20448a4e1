"""What becomes of rows: summaries, pooled percentiles, tables, JSON, a plot of text."""

from __future__ import annotations

import json

from bench.plot import text_plot
from bench.report import as_json, pooled, ratios, summary, tables
from bench.runs import Results, Row


def results() -> Results:
    rows = [
        Row(
            system=system,
            run=run,
            work="1 in flight",
            figures={"records/s": speed * run},
            samples={"t ms": [1.0 * run]},
        )
        for run in (1, 2, 3)
        for system, speed in (("kraftpy", 100.0), ("etcd", 50.0))
    ]
    rows[0].notes.append("2 errors, the first: x")
    return Results(rows, {"kraftpy": "abc"}, {"zookeeper": "no jar"})


def test_a_figure_is_summed_up_over_the_runs():
    """Median, lowest and highest, for each system."""
    spread = summary(results().rows)["1 in flight", "kraftpy", ""]["records/s"]
    assert (spread.median, spread.min, spread.max, spread.runs) == (200.0, 100.0, 300.0, 3)


def test_samples_of_all_runs_are_pooled():
    """Percentiles of a failover are over the kills of all runs together."""
    assert pooled(results().rows)["1 in flight", "etcd", ""]["t ms"]["count"] == 3


def test_a_variant_is_divided_by_the_same_run_of_what_it_varies():
    """The ratio is of each run by itself, so that a machine that changes its pace between runs does not show in it."""
    speeds = {"kraftpy": {1: 100.0, 2: 400.0, 3: 100.0, 4: 50.0}, "kraftpy, x": {1: 97.0, 2: 400.0, 3: 102.0}}
    made = Results(
        [
            Row(system=system, run=run, work="w", form="f", figures={"records/s": speed, "errors": 0})
            for system, runs in speeds.items()
            for run, speed in runs.items()
        ],
        compared={"kraftpy, x": ("kraftpy",)},
    )
    assert list(ratios(made)) == [("w", "kraftpy, x", "f", "kraftpy (f)")]
    spread = ratios(made)["w", "kraftpy, x", "f", "kraftpy (f)"]["records/s"]
    assert (spread.median, spread.min, spread.max, spread.runs) == (1.0, 0.97, 1.02, 3)
    assert "| w    | kraftpy, x (f) | kraftpy (f) | 1.000 [0.970..1.020] |" in tables(made)
    (reported,) = json.loads(json.dumps(as_json("commit", {}, {}, made)))["ratios"]
    assert reported["to"] == "kraftpy (f)"


def test_peers_are_compared_with_every_form_of_ours():
    """A peer has a client of its own: each of our forms is divided by its figures, and no other peer's."""
    rows = [
        Row(system="kraftpy", run=1, work="w", form="client", figures={"records/s": 300.0, "p50 ms": 2.0}),
        Row(system="kraftpy", run=1, work="w", form="kafka", figures={"records/s": 600.0}),
        Row(system="kafka", run=1, work="w", form="a connection each", figures={"records/s": 200.0, "p50 ms": 4.0}),
        Row(system="etcd", run=2, work="w", form="Go clientv3", figures={"records/s": 200.0}),
    ]
    found = ratios(Results(rows, compared={"kraftpy": ("kafka", "etcd")}))
    assert {key[2:]: figures["records/s"].median for key, figures in found.items()} == {
        ("client", "kafka (a connection each)"): 1.5,
        ("kafka", "kafka (a connection each)"): 3.0,
    }
    assert found["w", "kraftpy", "client", "kafka (a connection each)"]["p50 ms"].median == 0.5


def test_a_table_reports_what_was_skipped_and_what_failed():
    """Errors and missing peers are below the figures, by name and reason."""
    text = tables(results())
    assert "| 1 in flight | kraftpy | 200 [100..300] |" in text
    assert "Skipped: zookeeper: no jar" in text
    assert "Note: kraftpy, run 1, 1 in flight: 2 errors" in text


def test_the_json_holds_every_row():
    """The results file has all raw rows, and survives JSON."""
    content = json.loads(json.dumps(as_json("commit", {}, {"cpus": 2}, results())))
    assert len(content["rows"]) == 6
    assert content["rows"][0]["samples"] == {"t ms": [1.0]}
    assert content["skipped"] == {"zookeeper": "no jar"}


def test_the_longest_bar_is_the_largest_figure():
    """Bars are in proportion."""
    bars = {line.split(":")[1].split()[0]: line.count("#") for line in text_plot(results()).splitlines()[1:]}
    assert bars == {"kraftpy": 50, "etcd": 25}
