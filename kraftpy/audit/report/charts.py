"""Charts as SVG text: bars stacked over time, bars by broker, bars and a matrix by node, steps of epochs.

Colours and fonts are the page's (CSS classes ``c0`` to ``c6``, ``muted`` ...), so that a chart follows its light
and its dark theme. Every mark has a ``<title>``, which browsers show as a tooltip.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final

from kraftpy.audit.report.data import BROKERS_MAX, BYTES_TYPES, ELECTIONS_MAX, NODES_MAX, Rows
from kraftpy.audit.times import HOUR_MS, utc_text

WIDTH: Final = 520
LEFT: Final = 58
RIGHT: Final = 12
TOP: Final = 10
PLOT: Final = 150
BINS_MAX: Final = 48
BINS_MIN: Final = 6
"""With fewer bins than this, bars do not grow any wider and are centred."""
NAME_MAX: Final = 3
"""Nodes with longer names than this are not named above their column."""
STEPS_H: Final = (1, 2, 3, 6, 12, 24, 48, 168, 336, 720, 2160, 8760)
OTHER: Final = "other"


def _svg(height: int, body: Iterable[str], label: str) -> str:
    inside = "".join(body)
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}">{inside}</svg>'


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def _bar(x: float, y: float, width: float, height: float, kind: str, title: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.0):.1f}" height="{max(height, 0.0):.1f}" rx="1.5" '
        f'class="{kind}"><title>{escape(title)}</title></rect>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def size_text(count: float) -> str:
    """Write a number of bytes in few characters."""
    for unit in ("B", "KB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.0f} {unit}" if count >= 10 or unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    raise AssertionError(count)


def short_type(name: str) -> str:
    """Write a record type in words: ``PARTITION_CHANGE_RECORD`` as ``partition change``."""
    return name.removesuffix("_RECORD").replace("_", " ").lower()


def _when(time_ms: float, span_ms: float, *, first: bool = False) -> str:
    """Write a time on an axis of the given length; within a day, the first one has the date."""
    if span_ms < 24 * HOUR_MS:
        return utc_text(time_ms, f"{'%d %b %Y ' if first else ''}{'%H:%M:%S' if span_ms < 60_000 else '%H:%M'}")
    return utc_text(time_ms, "%d %b" if span_ms < 300 * 24 * HOUR_MS else "%b %Y")


def _nice(top: float) -> float:
    """Return a round number not below another."""
    if top <= 0:
        return 1
    size = 10 ** (len(str(int(top))) - 1) if top >= 1 else 1
    return next(step * size for step in (1, 2, 2.5, 5, 10) if step * size >= top)


def _grid(top: float, label: Any) -> list[str]:
    parts = []
    for share in (0.0, 0.5, 1.0):
        y = TOP + PLOT * (1 - share)
        parts.append(_line(LEFT, y, WIDTH - RIGHT, y, "grid"))
        parts.append(_text(LEFT - 6, y + 4, label(top * share), "muted", "end"))
    return parts


def growth_chart(rows: Rows) -> tuple[str, list[tuple[str, str]]]:
    """Draw bytes by type over time, stacked.

    Returns:
        The SVG, and (colour class, type) pairs for the legend.
    """
    if not rows:
        return "", []
    totals: dict[str, int] = defaultdict(int)
    for row in rows:
        totals[row["type"]] += row["bytes"]
    named = sorted(totals, key=lambda name: (-totals[name], name))[:BYTES_TYPES]
    colours = {name: f"c{place}" for place, name in enumerate(named)}
    first, last = rows[0]["hour_ms"], max(row["hour_ms"] for row in rows)
    hours = (last - first) // HOUR_MS + 1
    step = next((each for each in STEPS_H if hours / each <= BINS_MAX), hours // BINS_MAX + 1)
    bins: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in rows:
        name = row["type"] if row["type"] in colours else OTHER
        bins[(row["hour_ms"] - first) // HOUR_MS // step][name] += row["bytes"]
    count = max(bins) + 1
    top = _nice(max(sum(each.values()) for each in bins.values()))
    room = WIDTH - LEFT - RIGHT
    slot = room / max(count, BINS_MIN)
    left = LEFT + (room - count * slot) / 2
    parts = _grid(top, size_text)
    for place, sums in sorted(bins.items()):
        y = float(TOP + PLOT)
        start = first + place * step * HOUR_MS
        for name in [*named, OTHER]:
            if not sums.get(name):
                continue
            height = PLOT * sums[name] / top
            y -= height
            day = utc_text(start, "%Y-%m-%d %H:%M")
            title = f"{day} UTC, {step} h: {short_type(name)} {size_text(sums[name])}"
            parts.append(_bar(left + place * slot + 1, y, slot - 2, height, colours.get(name, "c6"), title))
    span = count * step * HOUR_MS
    for place in sorted({0, count // 2, count - 1} if count > BINS_MIN else {0, count - 1}):
        x = left + (place + 0.5) * slot
        anchor = "end" if place and place == count - 1 and count > BINS_MAX // 3 else "middle"
        x = WIDTH - RIGHT if anchor == "end" else x
        text = _when(first + place * step * HOUR_MS, span, first=place == 0)
        anchor, x = ("start", left) if place == 0 and count > 1 else (anchor, x)
        parts.append(_text(x, TOP + PLOT + 18, text, "muted", anchor))
    has_other = any(OTHER in sums for sums in bins.values())
    legend = [(colours[name], short_type(name)) for name in named] + ([("c6", OTHER)] if has_other else [])
    return _svg(TOP + PLOT + 26, parts, "bytes by record type over time"), legend


def broker_chart(brokers: Rows) -> str:
    """Draw leaders and replicas of each broker, grouped by rack; the numbers behind the bars are the same two."""
    if not brokers:
        return ""
    shown = brokers[:BROKERS_MAX]
    top = _nice(max(1, *(row["replicas"] for row in shown)))
    left = 84
    width = WIDTH - left - RIGHT - 60
    scale = width / top
    parts: list[str] = []
    y = 4.0
    rack: Any = ()
    for row in shown:
        if row["rack"] != rack:
            rack = row["rack"]
            total = [each for each in brokers if each["rack"] == rack]
            leaders = sum(each["leaders"] for each in total)
            parts.append(
                _text(
                    0,
                    y + 12,
                    f"{rack or 'no rack'}: leads {leaders} with {len(total)} broker{'' if len(total) == 1 else 's'}",
                    "strong",
                )
            )
            y += 20
        name = f"{row['broker_id']}" + (" fenced" if row["fenced"] else "")
        parts.append(_text(left - 6, y + 11, name, "muted", "end"))
        about = f"broker {row['broker_id']}: {row['replicas']} replicas, leads {row['leaders']}"
        parts.append(_bar(left, y + 1, width, 13, "track", about))
        parts.append(_bar(left, y + 1, row["replicas"] * scale, 13, "c0 pale", about))
        parts.append(_bar(left, y + 1, row["leaders"] * scale, 13, "c0", about))
        parts.append(_text(left + width + 5, y + 12, f"{row['leaders']} / {row['replicas']}", "muted"))
        y += 18
    if len(brokers) > len(shown):
        parts.append(_text(left, y + 12, f"and {len(brokers) - len(shown)} more brokers", "muted"))
        y += 18
    return _svg(int(y + 4), parts, "leaders and replicas by broker and rack")


def node_chart(nodes: Rows, diverging: Rows) -> str:
    """Draw how far each node's log goes, and which pairs of nodes differ."""
    if not nodes:
        return ""
    shown = nodes[:NODES_MAX]
    end = max(1, *(row["log_end"] for row in shown))
    cell = 22
    matrix = len(shown) * cell if len(shown) > 1 else 0
    left = 96
    width = WIDTH - left - RIGHT - matrix - 70
    parts: list[str] = []
    has_names = matrix and all(len(str(row["node"])) <= NAME_MAX for row in shown)
    top = 18 if has_names else 4
    differ = {(row["node"], row["other"]): row["log_offset"] for row in diverging}
    differ |= {(row["other"], row["node"]): row["log_offset"] for row in diverging}
    for place, row in enumerate(shown):
        y = top + place * cell
        if has_names:
            x = WIDTH - RIGHT - matrix + (place + 0.5) * cell
            parts.append(_text(x, 13, str(row["node"]), "muted", "middle"))
        lag = end - row["log_end"]
        about = f"node {row['node']}: offsets {row['log_start']} to {row['log_end']}, {row['snapshots']} snapshots"
        parts.append(_text(left - 6, y + 14, _clipped(str(row["node"]), 15), "muted", "end"))
        parts.append(_bar(left, y + 3, width, 13, "track", about))
        start = width * min(row["log_start"], end) / end
        parts.append(_bar(left + start, y + 3, width * row["log_end"] / end - start, 13, "c1", about))
        parts.append(
            _text(left + width + 5, y + 14, f"{-lag:,}" if lag else f"{row['log_end']:,}", "bad" if lag else "muted")
        )
        for other_place, other in enumerate(shown if matrix else ()):
            x = WIDTH - RIGHT - matrix + other_place * cell
            if other is row:
                parts.append(_bar(x + 2, y + 2, cell - 4, cell - 6, "track", f"node {row['node']}"))
                continue
            offset = differ.get((row["node"], other["node"]))
            title = f"nodes {row['node']} and {other['node']} " + (
                "agree" if offset is None else f"differ from offset {offset} on"
            )
            parts.append(_bar(x + 2, y + 2, cell - 4, cell - 6, "good" if offset is None else "error", title))
    if len(nodes) > len(shown):
        parts.append(_text(left, top + 12 + len(shown) * cell, f"and {len(nodes) - len(shown)} more nodes", "muted"))
    return _svg(top + 8 + (len(shown) + (len(nodes) > len(shown))) * cell, parts, "lag and agreement of nodes")


def _clipped(text: str, length: int) -> str:
    return text if len(text) <= length else "…" + text[1 - length :]


def election_chart(elections: Rows) -> tuple[str, list[tuple[str, str]]]:
    """Draw epochs over time as steps, with a dot for each election in its leader's colour."""
    if not elections:
        return "", []
    shown = elections[-ELECTIONS_MAX:]
    first, last = shown[0]["timestamp_ms"], shown[-1]["timestamp_ms"]
    span = max(last - first, 1)
    low, high = shown[0]["epoch"], max(row["epoch"] for row in shown)
    tall = max(high - low, 1)
    leaders = sorted({row["leader_id"] for row in shown})
    colours = {leader: f"c{min(place, 6)}" for place, leader in enumerate(leaders)}
    room = WIDTH - LEFT - RIGHT - 20

    def place(row: dict[str, Any]) -> tuple[float, float]:
        x = LEFT + 10 + room * (row["timestamp_ms"] - first) / span
        return x, TOP + PLOT - 8 - (PLOT - 16) * (row["epoch"] - low) / tall

    parts = [_line(LEFT, TOP + PLOT, WIDTH - RIGHT, TOP + PLOT, "grid")]
    for epoch in sorted({low, high}):
        y = TOP + PLOT - 8 - (PLOT - 16) * (epoch - low) / tall
        parts += [_text(LEFT - 6, y + 4, str(epoch), "muted", "end"), _line(LEFT, y, WIDTH - RIGHT, y, "grid")]
    points: list[str] = []
    previous: tuple[float, float] | None = None
    for row in shown:
        x, y = place(row)
        points += [f"{x:.1f},{previous[1]:.1f}"] if previous is not None else []
        points.append(f"{x:.1f},{y:.1f}")
        previous = (x, y)
    assert previous is not None
    points.append(f"{WIDTH - RIGHT:.1f},{previous[1]:.1f}")
    parts.append(f'<polyline points="{" ".join(points)}" class="steps"/>')
    for row in shown:
        x, y = place(row)
        day = utc_text(row["timestamp_ms"], "%Y-%m-%d %H:%M:%S")
        title = f"epoch {row['epoch']}: node {row['leader_id']} elected at {day} UTC, offset {row['log_offset']}"
        kind = colours[row["leader_id"]]
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" class="{kind}"><title>{escape(title)}</title></circle>'
        )
    parts.append(_text(LEFT + 10, TOP + PLOT + 18, _when(first, span, first=True), "muted", "start"))
    if last > first:
        parts.append(_text(WIDTH - RIGHT, TOP + PLOT + 18, _when(last, span), "muted", "end"))
    legend = [(colours[leader], f"node {leader}") for leader in leaders[:6]]
    return _svg(TOP + PLOT + 26, parts, "epochs and elections over time"), legend


def legend_html(entries: Sequence[tuple[str, str]]) -> str:
    """Write a chart's legend."""
    items = "".join(f'<span><i class="{kind}"></i>{escape(name)}</span>' for kind, name in entries)
    return f'<p class="legend">{items}</p>' if items else ""
