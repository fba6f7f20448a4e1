"""The picture of each measurement, drawn from canned results."""

from __future__ import annotations

import importlib
import struct
import zlib

import pytest

from bench import plot
from bench.plot import MISSING, panels_of, text_plot, write_plot
from bench.runs import Results, Row

SYSTEMS = (("kraftpy", "client"), ("kraftpy", "kafka"), ("etcd", "Go clientv3"), ("kafka", "kafka"))


def commit():
    works = ("1 in flight, 256 B", "64 in flight, 256 B", "16 in flight, 256 B, batches of 128")
    return [
        Row(
            system=system, form=form, run=run, work=work,
            figures={"records/s": 40 ** (1 + at) / (1 + nth) * (1 + run / 9), "p50 ms": 1.2 + nth, "p99 ms": 3.0 * run,
                     "CPU us/record": 90.0 + nth},
        )
        for run in (1, 2, 3)
        for nth, (system, form) in enumerate(SYSTEMS)
        for at, work in enumerate(works)
    ]  # fmt: skip


def failover():
    def row(system, form, run, slow):
        totals = [slow * (1 + kill % 7) for kill in range(25)]
        row = Row(system=system, form=form, run=run, work="kill -9 of the leader", samples={"total ms": totals})
        row.figures = {"total p50 ms": sorted(totals)[12], "p90 ms": 3.0, "max ms": 4.0, "kills": 25.0}
        if system == "kraftpy":
            row.samples |= {f"{phase} ms": [each / 4 for each in totals] for phase in ("detect", "elect", "activate")}
            row.samples["first write ms"] = [2.0] * 25
        return row

    kills = (("kraftpy", "client", 12.0), ("kraftpy", "kafka", 10.0), ("etcd", "Go", 300.0), ("kafka", "kafka", 600.0))
    return [row(system, form, run, slow) for run in (1, 2) for system, form, slow in kills]


def catch_up():
    return [
        Row(
            system=system, run=run, work="100,000 records behind, 256 B",
            figures={"answers s": 0.5 * slow, "log s": 1.1 * slow, "state s": 1.2 * slow + run / 10, "errors": 0.0},
        )
        for run in (1, 2)
        for system, slow in (("kraftpy", 1.0), ("etcd", 9.0))
    ]  # fmt: skip


def load():
    idle = [
        Row(system=system, run=1, work="idle for 60 s", figures={"RSS MB": mb, "log KB a day": kb})
        for system, mb, kb in (("kraftpy", 66.0, 0.0), ("kafka", 170.0, 12_000.0))
    ]
    return idle + [
        Row(
            system=system, run=1, work="1,000,000 records of 100 B",
            figures={"written records/s": 9e3 * fast, "restart to loaded s": 5 / fast, "restarted RSS MB": 400 / fast},
        )
        for system, fast in (("kraftpy", 2.0), ("etcd", 1.0))
    ]  # fmt: skip


def controllers(work, *names):
    """Rows of a command for controllers only: figures of three systems, in three runs each."""
    return lambda: [
        Row(
            system=system, run=run, work=work, form="",
            figures={name: slow * (1 + at) * (1 + run / 9) for at, name in enumerate(names)} | {"errors": 0.0},
        )
        for run in (1, 2, 3)
        for system, slow in (("kraftpy", 1.0), ("kafka", 2.0), ("kafka-no-linger", 3.0))
    ]  # fmt: skip


EVERY = {
    "commit": commit,
    "failover": failover,
    "catch-up": catch_up,
    "load": load,
    "shapes": controllers("64 in flight", "records/s", "p50 ms", "CPU us/record"),
    "topics": controllers("1 topic x 3, 1 in flight", "topics/s", "p50 ms", "p99 ms", "CPU us/topic"),
    "isr": controllers("10 partitions a request", "partitions/s", "p50 ms", "p99 ms", "CPU us/partition"),
    "broker-death": controllers("death", "first record ms", "moved ms", "published ms", "leader CPU ms"),
    "day": controllers("a day", "total s", "requests/s", "p50 ms", "p99 ms", "CPU us/request"),
    "large": controllers("a snapshot", "first write s", "state s", "CPU s", "RSS MB", "total p50 ms"),
    "brokers": controllers("9 brokers", "leader CPU %", "follower CPU %", "log bytes/s", "p99 ms", "RSS MB"),
    "reads": controllers("committed", "reads/s", "p50 ms", "p99 ms", "CPU us/read"),
    "watch": controllers("9 watchers", "lag p50 ms", "lag p99 ms", "leader CPU %", "follower CPU %", "RSS MB"),
    "audit": controllers("a log of 9 records", "records/CPU s", "answer s", "RSS MB"),
}


def pixels_of(png):
    """Read a PNG's (width, height, bytes of pixels), its checksums included."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data, size = 8, b"", (0, 0)
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        body = png[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", png, at + 8 + length)[0] == zlib.crc32(kind + body)
        size = struct.unpack_from(">II", body) if kind == b"IHDR" else size
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    return *size, zlib.decompress(data)


@pytest.mark.parametrize("name", EVERY)
def test_every_measurement_has_a_picture(name, tmp_path):
    """A real PNG with something on it, whatever was measured, and no warning of the library that draws it."""
    pytest.importorskip("matplotlib", reason=MISSING)
    path = tmp_path / f"{name}.png"
    assert write_plot(path, name, Results(EVERY[name]()), f"{name}, a machine, a commit") == str(path)
    width, height, pixels = pixels_of(path.read_bytes())
    assert width >= 800
    assert height >= 150
    assert len(set(pixels)) > 50, "one colour is no picture"


def test_every_command_draws_what_it_is_about():
    """Each figure of a command is a panel with a bar for every system, and its main figure is shown as text, too."""
    assert set(EVERY) == set(plot.DRAWN) == set(plot.MAIN_FIGURES)
    for command, rows in EVERY.items():
        panels = panels_of(command, Results(rows()))
        drawn = {panel.figure for each in panels.values() for panel in each}
        assert drawn, command
        if command in ("shapes", "topics", "isr", "broker-death", "day", "large", "brokers", "reads", "watch", "audit"):
            assert [panel.figure for panel in next(iter(panels.values()))] == list(plot.DRAWN[command])
            assert all(len(panel.bars) == 3 for each in panels.values() for panel in each)
            assert set(plot.MAIN_FIGURES[command]) <= drawn
        assert text_plot(command, Results(rows())).count("##") >= len(plot.MAIN_FIGURES[command])


@pytest.mark.landing
def test_a_large_picture_is_small_enough_to_be_committed(tmp_path):
    """Twelve pieces of work, eight systems, four figures: what all of ``bench commit`` comes to."""
    pytest.importorskip("matplotlib", reason=MISSING)
    rows = [
        Row(
            system=f"system {system}", form="kafka", run=run, work=f"{10**work} in flight, mixed",
            figures=dict.fromkeys(plot.DRAWN["commit"], (work + 1) * (system + 2) * (1 + run / 9) * 3.7),
        )
        for run in (1, 2)
        for system in range(8)
        for work in range(12)
    ]  # fmt: skip
    write_plot(tmp_path / "x.png", "commit", Results(rows), "a machine, a commit")
    assert (tmp_path / "x.png").stat().st_size < 200_000


def test_what_is_drawn():
    """Each work has its panels; each panel has a bar for every system that has the figure, whiskers over the runs."""
    panels = panels_of("commit", Results(commit()))
    assert list(panels) == ["1 in flight, 256 B", "64 in flight, 256 B", "16 in flight, 256 B, batches of 128"]
    first = panels["1 in flight, 256 B"]
    assert [panel.figure for panel in first] == ["records/s", "p50 ms", "p99 ms", "CPU us/record"]
    assert [bar.label for bar in first[2].bars][:2] == ["kraftpy (client)", "kraftpy (kafka)"]
    assert (first[2].bars[0].spread.min, first[2].bars[0].spread.median, first[2].bars[0].spread.max) == (3, 6, 9)


def test_every_kill_is_drawn_for_its_own_client():
    """The points on a bar are the kills of that system and that client, of all runs; phases are bars of their own."""
    (panels,) = panels_of("failover", Results(failover())).values()
    kills, phases = panels
    assert [len(bar.points) for bar in kills.bars] == [50] * 4
    assert {bar.label: max(bar.points) for bar in kills.bars}["kraftpy (kafka)"] == 70
    assert [bar.label for bar in phases.bars][:4] == [
        f"kraftpy (client): {phase}" for phase in ("detect", "elect", "activate", "first write")
    ]
    assert len(phases.bars) == 8


def test_without_the_library_the_text_states_how_to_get_it(tmp_path, monkeypatch):
    """The figures are not lost: they are kept as text, and the message names the extra to install."""

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(plot, "importlib", importlib)
    monkeypatch.setattr(importlib, "import_module", missing)
    stated = write_plot(tmp_path / "x.png", "catch-up", Results(catch_up()), "caption")
    assert "kraftpy[bench]" in stated
    assert stated.startswith(str(tmp_path / "x.txt"))
    assert "kraftpy  ##" in (tmp_path / "x.txt").read_text()
    assert not (tmp_path / "x.png").exists()


def test_a_measurement_that_failed_has_no_picture(tmp_path):
    """Rows without figures draw nothing and are no error: the notes mention them."""
    pytest.importorskip("matplotlib", reason=MISSING)
    failed = Results([Row(system="kraftpy", run=1, work="failed", notes=["x"])])
    assert "nothing was measured" in write_plot(tmp_path / "x.png", "commit", failed, "caption")
    assert list(tmp_path.iterdir()) == []
