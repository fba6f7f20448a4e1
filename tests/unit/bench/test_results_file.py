"""The results file: plain, or compact enough to be committed, without what names the machine."""

from __future__ import annotations

import gzip
import json
import platform
from pathlib import Path

import pytest

from bench import audit, main
from bench.report import as_json
from bench.results_file import COMPACT_SAMPLES_MAX, options_of, rounded, without_places, write_results
from bench.runs import Results, Row

RESULTS = Path(main.__file__).parent / "results"
COMMITTED = sorted(RESULTS.glob("*.json.gz"))
PICTURES = sorted(RESULTS.glob("*.png"))
BYTES_MAX = 2_000_000
PICTURE_BYTES_MAX = 200_000
PLACES = ("/home/", "/root/", "/tmp/", f"{RESULTS.parents[1]}/")


def results() -> Results:
    rows = [
        Row(
            system="kraftpy", run=run, work="1 in flight, mixed", form="kafka",
            figures={"records/s": 1234.56789, "p50 ms": 0.123456789, "errors": 0},
            samples={"latency us": [1000 + each / 7 for each in range(1_999)], "total ms": [9.87654, 1.23456]},
            usage={"controller-1": {"cpu_percent": 12.3456789, "rss_mb": 66.0}},
            notes=[f"[Errno 2] No such file: '/home/me/data/x.log' on {platform.node()}, 1000/s"],
        )
        for run in (1, 2)
    ]  # fmt: skip
    return Results(rows, {"kraftpy": "abc"}, {"etcd": "no /usr/local/bin/etcd: install it"})


def written(path):
    options = options_of(main.Options(directory=path.parent, json_file=path, plot_file=path))
    write_results(path, as_json("commit", options, {"cpus": 2, "load_before": (0.123456789, 1.0)}, results()))
    return json.loads((gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode())


def test_a_compact_file_has_the_same_rows_in_fewer_digits(tmp_path):
    """Figures, usage and versions are all there; samples are fewer, in order, the extremes among them."""
    plain, compact = written(tmp_path / "x.json"), written(tmp_path / "x.json.gz")
    assert set(plain) == set(compact)
    assert len(compact["rows"]) == 2
    row = compact["rows"][0]
    assert row["figures"] == {"records/s": 1234.6, "p50 ms": 0.12346, "errors": 0}
    assert row["usage"] == {"controller-1": {"cpu_percent": 12.346, "rss_mb": 66}}
    latencies = row["samples"]["latency us"]
    assert len(latencies) == COMPACT_SAMPLES_MAX
    assert latencies == sorted(latencies)
    assert (latencies[0], latencies[-1]) == (1000, 1290)
    assert row["samples"]["total ms"] == [9.88, 1.23], "a kill's samples are in the order of the kills"
    assert plain["rows"][0]["samples"]["total ms"] == [9.87654, 1.23456]
    assert compact["machine"]["load_before"] == [0.12346, 1]


def test_a_compact_file_names_no_place(tmp_path):
    """Paths and the machine's name are taken out of an error, which stays readable."""
    text = json.dumps(written(tmp_path / "x.json.gz"))
    assert str(tmp_path) not in text
    assert "/home" not in text
    assert "/usr" not in text
    assert "No such file: '...'" in text
    assert "1000/s" in text
    assert without_places(f"x on {platform.node()}: y") == "x on ...: y"


def test_a_plain_file_names_no_file_either(tmp_path):
    """Where the data lay says nothing of what was measured; its file system is in the description of the machine."""
    for options in (main.Options(directory=tmp_path), audit.Options(directory=tmp_path)):
        assert str(tmp_path) not in json.dumps(options_of(options))
        assert options_of(options)["runs"] == options.runs


def test_the_same_results_are_the_same_bytes(tmp_path):
    """The file has neither its name nor the time in it, so that a commit shows what changed."""
    for name in ("a.json.gz", "b.json.gz"):
        written(tmp_path / name)
    data = (tmp_path / "a.json.gz").read_bytes()
    assert data == (tmp_path / "b.json.gz").read_bytes()
    # RFC 1952: no flags, so no name; and no time.
    assert data[3:8] == bytes(5)


@pytest.mark.parametrize(
    ("value", "short"), [(1234.5, 1230), (0.00123456, 0.00123), (9.999, 10), (0.0, 0), (float("inf"), float("inf"))]
)
def test_numbers_have_three_digits(value, short):
    """Three significant digits, and a whole number has no point."""
    assert rounded(value, 3) == short
    assert repr(rounded(value, 3)) == repr(short)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("see /tmp/a-1/etcd.log", "see ..."),
        ("~/.cache/x and ('/a/b c'", "... and ('... c'"),
        ("10 records/s, https://example.org/x", "10 records/s, https://example.org/x"),
        ("a / b", "a / b"),
    ],
)
def test_only_paths_are_taken_for_paths(text, left):
    """A rate, an address and a fraction stay."""
    assert without_places(text) == left


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.name)
def test_a_committed_file_can_be_read_and_is_small(path):
    """What is in bench/results is compact, of a named commit, and without a place of the machine."""
    assert path.stat().st_size < BYTES_MAX
    text = gzip.decompress(path.read_bytes()).decode()
    content = json.loads(text)
    assert content["rows"]
    assert content["machine"]["commit"]
    assert not [place for place in PLACES if place in text]


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_a_committed_picture_is_small(path):
    """It is read on a page."""
    assert path.stat().st_size < PICTURE_BYTES_MAX
