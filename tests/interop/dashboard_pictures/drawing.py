"""Draw a dashboard: each panel where its file places it, on one time axis for all."""

from __future__ import annotations

import importlib
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.interop.dashboard_pictures.panels import Board, Panel, Query
from tests.interop.prometheus_server import Server

GRID_COLUMNS = 24
COLUMN_IN, ROW_IN = 0.66, 0.33
"""The size of a cell of Grafana's grid, in inches."""
MARGIN_IN = 0.5
DPI = 90
COLOURS_MAX = 128
"""Colours of the file: a picture in a repository is small."""
LEGEND_LINES_MAX = 5
"""Lines of a legend; how many more series there are is said in the last one."""
STEPS_MAX = 400
TICKS_MAX = 5
TIME_STEPS_S = (15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400)
FONTS_PT = (9.5, 7.5, 7.0)
"""Of titles, ticks and legends."""

PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
DAY_S, HOUR_S, MINUTE_S = 86_400, 3_600, 60


def _number(value: float) -> str:
    for size, prefix in PREFIXES:
        if abs(value) >= size:
            return f"{value / size:.3g} {prefix}"
    return f"{value:.3g}"


def _seconds(value: float) -> str:
    for size, unit in ((DAY_S, "d"), (HOUR_S, "h"), (MINUTE_S, "min"), (1, "s")):
        if abs(value) >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1_000:.3g} ms" if value else "0 s"


UNITS: Mapping[str, Callable[[float], str]] = {
    "short": _number,
    "none": _number,
    "ms": lambda value: f"{value:.3g} ms" if abs(value) < 1_000 else _seconds(value / 1_000),
    "s": _seconds,
    "ops": lambda value: f"{_number(value)} /s",
    "reqps": lambda value: f"{_number(value)} req/s",
    "bytes": lambda value: f"{value / 1024**2:.3g} MiB" if abs(value) < 1024**3 else f"{value / 1024**3:.3g} GiB",
    "percentunit": lambda value: f"{value * 100:.3g} %",
}
"""How Grafana writes values of its units."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened, at a time (s since 1970)."""

    what: str
    at_s: float


@dataclass(frozen=True, slots=True)
class Span:
    """The time that a picture shows (s since 1970), and what happened in it."""

    start_s: float
    end_s: float
    moments: tuple[Moment, ...]

    @property
    def step_s(self) -> float:
        """The distance of the points of a line."""
        return max(1.0, (self.end_s - self.start_s) / STEPS_MAX)

    @property
    def tick_s(self) -> int:
        """The distance of the ticks of the time axis."""
        wanted = (self.end_s - self.start_s) / TICKS_MAX
        return next((one for one in TIME_STEPS_S if one >= wanted), TIME_STEPS_S[-1])

    @property
    def ticks(self) -> list[int]:
        """The full minutes, or whatever the distance is, in it."""
        return [at for at in range(math.ceil(self.start_s), int(self.end_s) + 1) if at % self.tick_s == 0]


Series = tuple[str, Sequence[float], Sequence[float]]


async def series_of(server: Server, query: Query, span: Span) -> list[Series]:
    """Ask for one query: the name of each series, its times and its values."""
    answers = await server.over_time(query.expression, span.start_s, span.end_s, span.step_s)
    return [_series(query, one, span.step_s) for one in answers]


def _series(query: Query, answer: Mapping[str, Any], step_s: float) -> Series:
    """Read one series; a line is not drawn over a time without values."""
    times: list[float] = []
    values: list[float] = []
    for at, text in answer["values"]:
        if times and float(at) - times[-1] > 1.5 * step_s:
            times.append(times[-1] + step_s)
            values.append(math.nan)
        times.append(float(at))
        values.append(float(text))
    return query.name_of(answer["metric"]), times, values


async def draw(server: Server, board: Board, span: Span, path: Path) -> None:
    """Ask for all panels of a dashboard, and write the picture."""
    pyplot: Any = importlib.import_module("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    rows = max(panel.place[1] + panel.place[3] for panel in board.panels)
    width, height = GRID_COLUMNS * COLUMN_IN + 2 * MARGIN_IN, rows * ROW_IN + 2.4 * MARGIN_IN
    figure = pyplot.figure(figsize=(width, height))
    figure.text(MARGIN_IN / width, 1 - 0.6 * MARGIN_IN / height, board.title, fontsize=15, va="center", weight="bold")
    footer = footer_of(board, await server.version(), span)
    figure.text(0.5, 0.45 * MARGIN_IN / height, footer, fontsize=8.5, ha="center", va="center", color="0.25")
    for panel in board.panels:
        x, y, columns, lines = panel.place
        left, top = (MARGIN_IN + x * COLUMN_IN) / width, 1 - (1.2 * MARGIN_IN + y * ROW_IN) / height
        if panel.is_heading:
            figure.text(left, top - ROW_IN / height / 2, panel.title, fontsize=11, weight="bold", va="center")
            continue
        box = (left, top - lines * ROW_IN / height, columns * COLUMN_IN / width, lines * ROW_IN / height)
        found = [one for query in panel.queries for one in await series_of(server, query, span)]
        _draw_panel(figure, box, panel, found, span)
    _save(figure, path)
    pyplot.close(figure)


def footer_of(board: Board, version: str, span: Span) -> str:
    """What the picture is, and of what."""
    happened = "; ".join(f"{one.what} at {_clock(one.at_s)}" for one in span.moments)
    return (
        f"Drawn by kraftpy from deploy/monitoring/{board.file} (this is not Grafana), asked of Prometheus {version}.\n"
        f"Dashed lines: {happened} (UTC)."
    )


def _clock(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).strftime("%H:%M:%S")


def _draw_panel(
    figure: Any, box: tuple[float, float, float, float], panel: Panel, found: Sequence[Series], span: Span
) -> None:
    left, bottom, wide, high = box
    columns = _legend_columns([name for name, _, _ in found], panel.place[2])
    is_long = len(found) > LEGEND_LINES_MAX * columns
    shown = sorted(found, key=_largest, reverse=True)[: LEGEND_LINES_MAX * columns - 1] if is_long else found
    names = [name for name, _, _ in shown]
    title_pt, tick_pt, legend_pt = FONTS_PT
    lines = math.ceil((len(names) + is_long) / columns)
    below = (0.15 + 0.056 * max(1, lines)) * high
    axis = figure.add_axes((left + 0.13 * wide, bottom + below, 0.82 * wide, high - below - 0.13 * high))
    axis.set_title(panel.title, fontsize=title_pt, loc="left", x=-0.13, weight="bold")
    if not any(value == value for _, _, values in found for value in values):  # noqa: PLR0124 - NaN is no value
        axis.text(0.5, 0.5, "No data", transform=axis.transAxes, ha="center", va="center", color="0.5", fontsize=9)
    handles = []
    for name, times, values in found:
        (line,) = axis.plot(times, values, linewidth=1.1)
        if name in names:
            handles.append((line, name))
    for moment in span.moments:
        axis.axvline(moment.at_s, color="0.35", linestyle="--", linewidth=0.8)
    axis.set_xlim(span.start_s, span.end_s)
    _scale(axis, found, panel.unit)
    axis.yaxis.set_major_formatter(lambda value, _: UNITS[panel.unit](value))
    axis.set_xticks(ticks := span.ticks)
    axis.set_xticklabels([_clock(at)[:5] if span.tick_s >= MINUTE_S else _clock(at) for at in ticks])
    axis.tick_params(labelsize=tick_pt, length=2)
    axis.grid(visible=True, linewidth=0.3)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)
    more = [f"and {len(found) - len(shown)} more"] if is_long else []
    if not handles:
        return
    axis.legend(
        [line for line, _ in handles] + [handles[-1][0]] * len(more),
        [name for _, name in handles] + more,
        fontsize=legend_pt,
        ncols=columns,
        loc="upper left",
        bbox_to_anchor=(-0.15, -0.14),
        frameon=False,
        handlelength=1.2,
        columnspacing=1.0,
        labelspacing=0.25,
    )


def _largest(series: Series) -> float:
    return max((value for value in series[2] if value == value), default=-math.inf)  # noqa: PLR0124 - NaN


def _legend_columns(names: Sequence[str], columns: int) -> int:
    """How many names are side by side in the width of a panel."""
    longest = max((len(name) for name in names), default=1)
    return max(1, min(len(names) or 1, int(columns * COLUMN_IN * 13 / (longest + 5))))


def _scale(axis: Any, found: Sequence[Series], unit: str) -> None:
    """Begin at zero where nothing is negative, so that a line at zero is seen, and leave room above a flat one."""
    values = [value for _, _, each in found for value in each if math.isfinite(value)]
    if values and min(values) >= 0:
        top = 1.15 * max(values) or 1.0
        axis.set_ylim(-0.03 * top, top)
        step = step_of(top, unit)
        axis.set_yticks([step * number for number in range(int(top / step) + 1)])


def step_of(top: float, unit: str) -> float:
    """Return a round distance of ticks in a unit, for at most five of them up to the top."""
    wanted = top / TICKS_MAX
    if unit == "bytes":
        return float(2 ** max(0, math.ceil(math.log2(wanted))))
    scale = 1_000.0 if unit == "ms" else 1.0
    if unit in {"s", "ms"} and wanted / scale > 10:
        return scale * next((one for one in TIME_STEPS_S if one >= wanted / scale), wanted / scale)
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(power * one for one in (1, 2, 5, 10) if power * one >= wanted)


def _save(figure: Any, path: Path) -> None:
    pillow: Any = importlib.import_module("PIL.Image")
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=DPI)
    with pillow.open(drawn) as picture:
        picture.convert("RGB").quantize(COLOURS_MAX).save(path, optimize=True)
