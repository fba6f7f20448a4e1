"""The results as a picture: for each piece of work one row of panels, one panel for each figure, one bar per system.

Each command draws the figures that it is about. Bars are medians over the runs, whiskers go from the lowest run to the
highest. Kills are drawn one by one, too. A PNG has few colours, so that it is small enough to be committed. Without
matplotlib (the extra ``bench``) the main figures are shown as bars of text.
"""

from __future__ import annotations

import importlib
import io
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.ratios import CPU_PER, named
from bench.report import Key, cell, pooled, summary
from bench.runs import Results
from bench.stats import Spread

DRAWN: dict[str, tuple[str, ...]] = {
    "commit": ("records/s", "p50 ms", "p99 ms", f"{CPU_PER}record"),
    "failover": (),
    "catch-up": ("answers s", "log s", "state s", "CPU s"),
    "load": (
        "RSS MB", "CPU %", "log KB a day", "written records/s", "restart to loaded s", "restart CPU s",
        "restarted RSS MB",
    ),
    "shapes": ("records/s", "p50 ms", f"{CPU_PER}record"),
    "topics": ("topics/s", "p50 ms", "p99 ms", f"{CPU_PER}topic"),
    "isr": ("partitions/s", "p50 ms", "p99 ms", f"{CPU_PER}partition"),
    "broker-death": ("first record ms", "moved ms", "published ms", "leader CPU ms"),
    "day": ("total s", "requests/s", "p50 ms", "p99 ms", f"{CPU_PER}request"),
    "large": ("first write s", "state s", "CPU s", "RSS MB", "total p50 ms"),
    "brokers": ("leader CPU %", "follower CPU %", "log bytes/s", "p99 ms", "RSS MB"),
    "reads": ("reads/s", "p50 ms", "p99 ms", f"{CPU_PER}read"),
    "watch": ("lag p50 ms", "lag p99 ms", "leader CPU %", "follower CPU %", "RSS MB"),
    "audit": ("records/CPU s", "answer s", "RSS MB"),
}  # fmt: skip
"""By command: the figures that are drawn; those of kills are drawn from their samples."""

MAIN_FIGURES: dict[str, tuple[str, ...]] = {
    "commit": ("records/s",),
    "failover": ("total p50 ms",),
    "catch-up": ("log s",),
    "load": ("restart to loaded s", "log KB a day"),
    "shapes": ("records/s",),
    "topics": ("topics/s",),
    "isr": ("partitions/s",),
    "broker-death": ("published ms",),
    "day": ("total s", "p99 ms"),
    "large": ("state s", "total p50 ms"),
    "brokers": ("leader CPU %",),
    "reads": ("reads/s",),
    "watch": ("lag p99 ms",),
    "audit": ("records/CPU s",),
}
"""By command: the figures that are shown as text."""

TOTAL = "total ms"
PHASES = ("detect ms", "elect ms", "activate ms", "first write ms")
BAR_CHARACTERS = 50
FORMATS = frozenset({".png", ".svg", ".pdf"})
MISSING = "matplotlib is not installed: pip install 'kraftpy[bench]', or in a checkout pip install -e '.[bench]'"

COLOURS_MAX = 64
"""Of a PNG: more would only make the edges of letters smoother, in four times the bytes."""

LOGARITHMIC_FROM = 40.0
"""A panel whose largest median is this many times its smallest has a logarithmic scale."""

PANEL_WIDTH_IN = 4.2
BAR_HEIGHT_IN = 0.22
FRAME_HEIGHT_IN = 0.9
TITLE_HEIGHT_IN = 0.5


@dataclass(slots=True)
class Bar:
    """One bar.

    Attributes:
        points: single values that are drawn on it.
    """

    label: str
    spread: Spread
    points: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Panel:
    """One figure of one piece of work."""

    figure: str
    bars: list[Bar] = field(default_factory=list)


def panels_of(command: str, results: Results) -> dict[str, list[Panel]]:
    """Choose what is drawn: work -> its panels."""
    found: dict[str, dict[str, Panel]] = {}

    def add(work: str, figure: str, bar: Bar) -> None:
        found.setdefault(work, {}).setdefault(figure, Panel(figure)).bars.append(bar)

    for (work, system, form), figures in summary(results.rows).items():
        for figure in DRAWN[command]:
            if figure in figures:
                add(work, figure, Bar(named(system, form), figures[figure]))
    for (work, system, form), samples in pooled(results.rows).items():
        points = [one for row in results.rows if row.system == system for one in _kills(row, work, form)]
        for name, shares in samples.items():
            spread = Spread(shares["p50"], shares["min"], shares["max"], int(shares["count"]))
            if name == TOTAL:
                add(
                    work, "from kill to write, ms (each kill, and the median)", Bar(named(system, form), spread, points)
                )
            elif name in PHASES:
                add(work, "phases, ms (median)", Bar(f"{named(system, form)}: {name.removesuffix(' ms')}", spread))
    return {work: list(panels.values()) for work, panels in found.items()}


def _kills(row: Any, work: str, form: str) -> list[float]:
    return list(row.samples.get(TOTAL, ())) if (row.work, row.form) == (work, form) else []


def main_figures(command: str, results: Results) -> dict[str, list[tuple[Key, Spread]]]:
    """Choose what is in the text: figure -> rows."""
    found: dict[str, list[tuple[Key, Spread]]] = {}
    for key, figures in summary(results.rows).items():
        for name in MAIN_FIGURES[command]:
            if name in figures:
                found.setdefault(name, []).append((key, figures[name]))
    return found


def text_plot(command: str, results: Results) -> str:
    """Draw bars of text, one block per figure, each scaled to its longest."""
    parts = []
    for figure, rows in main_figures(command, results).items():
        longest = max(spread.median for _, spread in rows) or 1.0
        width = max(len(_title(key)) for key, _ in rows)
        parts.append(figure)
        for key, spread in rows:
            bar = "#" * max(1, round(BAR_CHARACTERS * spread.median / longest))
            parts.append(f"  {_title(key).ljust(width)}  {bar} {spread.median:,.4g}")
    return "\n".join(parts)


def write_plot(path: Path, command: str, results: Results, caption: str) -> str:
    """Write the picture; return what was written."""
    try:
        pyplot: Any = importlib.import_module("matplotlib.pyplot")
    except ImportError:
        text_path = path.with_suffix(".txt")
        text_path.write_text(f"{caption}\n\n{text_plot(command, results)}\n", encoding="utf-8")
        return f"{text_path} (as text; {MISSING})"
    pyplot.switch_backend("Agg")
    rows = panels_of(command, results)
    if not rows:
        return "none, for nothing was measured"
    heights = [FRAME_HEIGHT_IN + BAR_HEIGHT_IN * max(len(panel.bars) for panel in panels) for panels in rows.values()]
    width = PANEL_WIDTH_IN * max(2, *(len(panels) for panels in rows.values()))
    figure = pyplot.figure(figsize=(width, sum(heights) + TITLE_HEIGHT_IN), layout="constrained")
    figure.suptitle(caption, fontsize=8)
    colours = _colours(rows, pyplot)
    strips = figure.subfigures(len(rows), 1, height_ratios=heights, squeeze=False)[:, 0]
    for strip, (work, panels) in zip(strips, rows.items(), strict=True):
        strip.suptitle(work, fontsize=10, fontweight="bold", x=0.01, ha="left")
        axes = strip.subplots(1, len(panels), squeeze=False)[0]
        for axis, panel in zip(axes, panels, strict=True):
            _draw(axis, panel, colours, has_names=panel is panels[0] or _labels(panel) != _labels(panels[0]))
    save_figure(figure, path)
    pyplot.close(figure)
    return str(path)


def save_figure(figure: Any, path: Path) -> None:
    """Write a figure in the format that the file's name says; a PNG with few colours."""
    if path.suffix != ".png":
        figure.savefig(path)
        return
    pillow: Any = importlib.import_module("PIL.Image")
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png")
    with pillow.open(drawn) as picture:
        picture.convert("RGB").quantize(COLOURS_MAX).save(path, optimize=True)


def _draw(axis: Any, panel: Panel, colours: dict[str, Any], *, has_names: bool) -> None:
    """Draw one panel; its scale is logarithmic where one bar would make the others invisible."""
    labels, medians = _labels(panel), [bar.spread.median for bar in panel.bars]
    whiskers = [
        [bar.spread.median - bar.spread.min for bar in panel.bars],
        [bar.spread.max - bar.spread.median for bar in panel.bars],
    ]
    axis.barh(
        labels, medians, xerr=whiskers, color=[colours[_system(each)] for each in labels], ecolor="0.3", height=0.7
    )
    for place, bar in enumerate(panel.bars):
        axis.plot(bar.points, [place] * len(bar.points), "o", color="0.2", alpha=0.5, markersize=3)
        median = bar.spread.median
        shown = f"  {cell(Spread(median, median, median, 1))}"
        axis.annotate(shown, (bar.spread.max, place), va="center", fontsize=7, annotation_clip=False)
    axis.invert_yaxis()
    axis.margins(x=0.18)
    axis.set_title(panel.figure, fontsize=9)
    axis.tick_params(labelsize=8, labelleft=has_names)
    axis.spines[["top", "right"]].set_visible(False)
    positive = [median for median in medians if median > 0]
    if positive and max(positive) > LOGARITHMIC_FROM * min(positive):
        axis.set_xscale("log")


def _labels(panel: Panel) -> list[str]:
    return [bar.label for bar in panel.bars]


def _system(label: str) -> str:
    return label.partition(":")[0].partition(" (")[0]


def _colours(rows: dict[str, list[Panel]], pyplot: Any) -> dict[str, Any]:
    """Give each system a colour that is the same everywhere."""
    systems = dict.fromkeys(_system(bar.label) for panels in rows.values() for panel in panels for bar in panel.bars)
    palette = pyplot.get_cmap("tab10")
    return {system: palette(number) for number, system in enumerate(systems)}


def _title(key: Key) -> str:
    work, system, form = key
    return f"{work}: {named(system, form)}"
