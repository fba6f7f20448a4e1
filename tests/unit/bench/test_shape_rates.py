"""``kraftpy bench shapes``: what is written, and how the rates of shapes are compared."""

from __future__ import annotations

import pytest

from bench import main
from bench.main import Options
from bench.runs import Results, Row
from bench.shape_rates import BAND, BANDS_OF_KINDS, WORKS, comparison_table, comparisons
from bench.shapes import BROKERS, SHAPES, VALUE_BYTES
from bench.work import NAMES
from bench.writes import name_of

ONE, OTHER = WORKS
METRICS, GREEK, TOPICS = "client metrics", "client metrics, Greek", "topics"
SERIALS = (0, 1, 2_000_000_000, 2_000_000_001)


def rows_of(system, work, *runs):
    """Rows of each run: the rate of each shape."""
    return [
        Row(system=system, run=number, work=work, form=shape, figures={"records/s": rate, "p50 ms": 1.0})
        for number, rates in enumerate(runs, 1)
        for shape, rate in rates.items()
    ]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_every_write_changes_the_current_value(shape):
    """The next serial number sets another value, and no request names a resource twice."""
    for index in range(0, NAMES, 7):
        values = [shape.write(index, serial).value for serial in SERIALS]
        assert values[0] != values[1]
        assert values[2] != values[3]
    for first in range(0, NAMES, BROKERS):
        resources = {(one.kind, one.name) for one in (shape.write(first + at, 0) for at in range(BROKERS))}
        assert len(resources) == BROKERS


def test_shapes_differ_in_what_they_are_about_and_in_nothing_else():
    """Kinds, keys, lengths and alphabets; the texts have as many bytes, on average where their lengths differ."""
    writes = {shape.name: [shape.write(index, 2_000_000_000) for index in range(NAMES)] for shape in SHAPES}
    assert len({one.kind for each in writes.values() for one in each}) == 4
    assert len({one.key for each in writes.values() for one in each}) == 8
    assert len({(each[0].kind, each[0].key) for each in writes.values()}) == len(SHAPES) - 2
    usual = len(name_of(0)) + VALUE_BYTES
    sizes = {
        name: [len(one.name.encode()) + len(one.value.encode()) for one in each]
        for name, each in writes.items()
        if name.startswith("client metrics") and "number" not in name
    }
    assert set(sizes["client metrics"]) == {usual}
    assert all(usual - 1 <= size <= usual + 1 for size in sizes["client metrics, Greek"])
    others = sizes["client metrics, other lengths"]
    assert usual - 2 < sum(others) / len(others) < usual + 2
    assert max(others) - min(others) > VALUE_BYTES
    assert not any(one.value.isascii() or one.name.isascii() for one in writes["client metrics, Greek"])


def test_a_run_is_compared_within_itself():
    """A machine that does half as much in the second run changes no ratio."""
    rates = {METRICS: 100.0, GREEK: 110.0, TOPICS: 90.0}
    (one,) = comparisons(Results(rows_of("kraftpy", ONE, rates, {shape: rate / 2 for shape, rate in rates.items()})))
    assert {shape: (spread.median, spread.runs) for shape, spread in one.relative.items()} == {
        METRICS: (1.0, 2), GREEK: (1.1, 2), TOPICS: (0.9, 2),
    }  # fmt: skip
    of_a_kind, of_two = one.differences
    assert (of_a_kind.faster, of_a_kind.slower, of_a_kind.ratio.median) == (GREEK, METRICS, pytest.approx(1.1))
    assert (of_two.faster, of_two.slower, of_two.ratio.median) == (GREEK, TOPICS, pytest.approx(110 / 90))
    assert not one.is_outside


@pytest.mark.parametrize("work", WORKS)
@pytest.mark.parametrize(("other", "kinds"), [(GREEK, "of one kind"), (TOPICS, "of two kinds")])
def test_a_shape_that_is_faster_than_the_band_is_reported(work, other, kinds):
    """Just within the band, and just outside; it has to be so in every run, or it was noise."""
    band = BAND if other is GREEK else BANDS_OF_KINDS[work]
    within, outside = ({METRICS: factor * band, other: 100.0} for factor in (99.0, 101.0))
    (one,) = comparisons(Results(rows_of("kraftpy", work, outside, outside)))
    assert one.is_outside
    assert f"{kinds}: {METRICS} to {other}" in comparison_table([one])
    assert f"OUTSIDE of the band of {band:g}" in comparison_table([one])
    (one,) = comparisons(Results(rows_of("kraftpy", work, outside, outside, within)))
    assert not one.is_outside
    assert f"within the band of {band:g}" in comparison_table([one])


def test_works_and_systems_are_compared_apart_and_failed_runs_not_at_all():
    """A row that failed has no rate."""
    rows = [
        *rows_of("kraftpy", ONE, {METRICS: 100.0, GREEK: 100.0}),
        *rows_of("kraftpy", OTHER, {METRICS: 100.0, GREEK: 300.0}),
        *rows_of("kafka", ONE, {METRICS: 900.0, GREEK: 300.0}),
        Row(system="kraftpy", run=1, work="failed", notes=["x"]),
    ]
    found = comparisons(Results(rows))
    assert [(one.system, one.work, one.is_outside) for one in found] == [
        ("kraftpy", ONE, False), ("kraftpy", OTHER, True), ("kafka", ONE, True),
    ]  # fmt: skip


@pytest.mark.parametrize(("rate", "faults"), [(110.0, 0), (900.0, 1)])
def test_only_what_kraftpy_does_decides_about_the_exit_code(rate, faults, monkeypatch, tmp_path):
    """Kafka is shown beside it; its shapes may differ."""

    async def measure(*_):
        ours, kafkas = {METRICS: 100.0, GREEK: rate}, {METRICS: 100.0, GREEK: 900.0}
        return Results(rows_of("kraftpy", ONE, ours) + rows_of("kafka", ONE, kafkas))

    monkeypatch.setattr(main, "measure", measure)
    stated: list[str] = []
    options = Options(peers=("kafka",), directory=tmp_path)
    assert main.run("shapes", options, stated.append) == faults
    assert any("kafka, 64 in flight: records/s of each shape" in text for text in stated)


def test_every_work_has_a_band():
    """A row without one could not be judged, and a request that names a broker twice would be rejected."""
    assert set(BANDS_OF_KINDS) == set(WORKS)
    assert all(work.batch <= BROKERS for work in WORKS.values())
