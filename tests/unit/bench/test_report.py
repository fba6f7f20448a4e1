"""What becomes of rows: summaries, pooled percentiles, tables, JSON, a plot of text."""

from __future__ import annotations

import json

from bench.plot import text_plot
from bench.ratios import ratios, ratios_to_best
from bench.report import as_json, pooled, summary, tables
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
    """A peer has a client of its own: each of our forms is divided by its figures; Kafka's admin client by itself."""
    rows = [
        Row(system="kraftpy", run=1, work="w", form="client", figures={"records/s": 300.0, "p50 ms": 2.0}),
        Row(system="kraftpy", run=1, work="w", form="kafka", figures={"records/s": 600.0}),
        Row(system="kafka", run=1, work="w", form="kafka", figures={"records/s": 200.0, "p50 ms": 4.0}),
        Row(system="etcd", run=2, work="w", form="Go clientv3", figures={"records/s": 200.0}),
        Row(system="kraftpy", run=1, work="w", form="admin", figures={"records/s": 90.0}),
        Row(system="kafka", run=1, work="w", form="admin", figures={"records/s": 60.0}),
        Row(system="kraftpy", run=3, work="w", form="lean", figures={"records/s": 90.0}),
        Row(system="kafka", run=3, work="w", form="admin", figures={"records/s": 60.0}),
        Row(system="kraftpy", run=2, work="w", form="admin", figures={"records/s": 90.0}),
    ]
    found = ratios(Results(rows, compared={"kraftpy": ("kafka", "etcd")}))
    assert {key[2:]: figures["records/s"].median for key, figures in found.items()} == {
        ("client", "kafka (kafka)"): 1.5,
        ("kafka", "kafka (kafka)"): 3.0,
        ("admin", "kafka (admin)"): 1.5,
    }
    assert found["w", "kraftpy", "client", "kafka (kafka)"]["p50 ms"].median == 0.5


def test_the_best_peer_is_that_of_the_same_run_and_figure():
    """Rates are best when high, times when low; who is best may differ from run to run, and from figure to figure."""

    def row(system, run, rate, p99_ms):
        figures = {"records/s": rate, "p99 ms": p99_ms, "errors": 3.0}
        return Row(system=system, run=run, work="w", form=f"of {system}", figures=figures)

    rows = [
        row("kraftpy", 1, 300.0, 4.0), row("etcd", 1, 200.0, 2.0), row("zookeeper", 1, 100.0, 8.0),
        row("kraftpy", 2, 300.0, 4.0), row("zookeeper", 2, 600.0, 5.0), row("etcd", 2, 200.0, 16.0),
        row("kraftpy compiled", 1, 900.0, 1.0), row("kraftpy", 3, 1.0, 1.0),
    ]  # fmt: skip
    compared = {"kraftpy": ("etcd", "zookeeper"), "kraftpy compiled": ("kraftpy", "etcd", "zookeeper")}
    made = Results(rows, compared=compared, peers=("etcd", "zookeeper"))
    best = ratios_to_best(made)
    rate, p99 = (best["w", "kraftpy", "of kraftpy"][name] for name in ("records/s", "p99 ms"))
    assert (rate.spread.min, rate.spread.median, rate.spread.max, rate.spread.runs) == (0.5, 1.0, 1.5, 2)
    assert (p99.spread.min, p99.spread.max, p99.peers) == (0.8, 2.0, ("etcd", "zookeeper"))
    assert best["w", "kraftpy compiled", "of kraftpy compiled"]["records/s"].spread.median == 4.5
    assert "| 1.000 [0.500..1.500] etcd, zookeeper |" in tables(made)
    assert "| 4.500 etcd" in tables(made)
    reported = json.loads(json.dumps(as_json("commit", {}, {}, made)))["ratios_to_best_peer"]
    assert reported[0]["figures"]["p99 ms"]["peers"] == ["etcd", "zookeeper"]


def test_without_peers_there_is_no_best_one():
    """A variant is compared with what it varies, which is no peer."""
    rows = [Row(system=system, run=1, work="w", figures={"records/s": 1.0}) for system in ("kraftpy", "kraftpy, x")]
    made = Results(rows, compared={"kraftpy, x": ("kraftpy",)})
    assert ratios(made)
    assert ratios_to_best(made) == {}
    assert "best" not in tables(made)


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
    bars = {line.split(":")[1].split()[0]: line.count("#") for line in text_plot("commit", results()).splitlines()[1:]}
    assert bars == {"kraftpy": 50, "etcd": 25}
