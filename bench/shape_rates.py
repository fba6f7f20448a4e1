"""``shapes``: the rates of the same work in other shapes (:mod:`bench.shapes`), side by side on one cluster.

Over Kafka's protocol, single writes and batches. Every other run goes through the shapes backwards. Each pair of shapes
is compared within a run, so that the pace of the machine is not in it, and must lie within a band: it is outside when
the one is faster than the other by more than that in every run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, permutations
from statistics import median
from typing import Final

from bench.brokers import Brokers, registered
from bench.figures import measure_one
from bench.report import markdown, ratio_cell
from bench.runs import PrintProgress, Results, Row
from bench.shapes import BROKERS, SHAPES, Shape
from bench.stats import Spread, spread_of
from bench.wire import run_wire
from bench.work import NAMES, Measuring, Outcome, System, Work
from bench.writes import name_of
from kraftpy.records.generated import rpc

WORKS: Final = {
    "64 in flight": Work(in_flight=64),
    "16 in flight, batches of 128": Work(in_flight=16, batch=BROKERS),
}
BAND: Final = 1.35
"""How many times the rate of another shape one may have, of shapes of one kind of resource, or that come one by one."""
BANDS_OF_KINDS: Final = dict(zip(WORKS, (BAND, 2.5), strict=True))
"""By work: the same of shapes of two kinds.

In batches the rules of a kind are most of what a write costs: an unknown key of a broker has none, all keys of a topic
are judged together. By CPU time the writes of topics take 2.2 times those of such keys there.
"""
KINDS: Final = {shape.name: shape.write(0, 0).kind for shape in SHAPES}
RATE: Final = "records/s"
TOPICS_A_REQUEST: Final = 512
TIMEOUT_MS: Final = 60_000

_serials = count(2_000_000_000)
"""Of the values that this process writes; apart from those of other work."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two shapes, and the rate of the one divided by that of the other in the same run."""

    faster: str
    slower: str
    ratio: Spread
    band: float

    @property
    def is_outside(self) -> bool:
        """Whether it is above the band in every run: noise is not."""
        return self.ratio.min > self.band


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rates of all shapes of some work on one system.

    Attributes:
        relative: by shape: its rate, divided by the median of all in the same run.
        differences: the largest of two shapes of a kind, and of two kinds.
    """

    system: str
    work: str
    relative: dict[str, Spread]
    differences: tuple[Difference, ...]

    @property
    def is_outside(self) -> bool:
        """Whether two shapes differ by more than their band."""
        return any(one.is_outside for one in self.differences)


async def measure_shapes(
    system: System, run: int, seconds: float, warmup_s: float, print_progress: PrintProgress
) -> list[Row]:
    """Measure every shape of every work on a cluster that has the topics and the brokers.

    Raises:
        RuntimeError: the controllers rejected a topic, a broker or its heartbeat.
    """
    rows = []
    async with registered(system, BROKERS) as brokers:
        await _create_topics(brokers)
        await _write(system, Work(in_flight=64, seconds=system.warm_up_s, warmup_s=0.0), lambda: None, SHAPES[0])
        for label, work in WORKS.items():
            for shape in SHAPES if run % 2 else reversed(SHAPES):
                todo = replace(work, seconds=seconds, warmup_s=warmup_s, form=shape.name)
                row = await measure_one(system, run, todo, partial(_write, system, shape=shape), label=label)
                rows.append(row)
                print_progress(
                    f"  {label}, {shape.name}: {row.figures[RATE]:,.0f} {RATE}"
                    + "".join(f" ({note})" for note in row.notes)
                )
                if brokers.failure:
                    raise RuntimeError(brokers.failure)
    # The tables have the shapes in one order, whichever run was the first.
    names = [shape.name for shape in SHAPES]
    return sorted(rows, key=lambda row: (list(WORKS).index(row.work), names.index(row.form)))


async def _create_topics(brokers: Brokers) -> None:
    for first in range(0, NAMES, TOPICS_A_REQUEST):
        topics = [
            rpc.CreateTopicsRequestCreatableTopic(name_of(index), 1, 1, [], [])
            for index in range(first, first + TOPICS_A_REQUEST)
        ]
        await brokers.create(rpc.CreateTopicsRequest(topics, TIMEOUT_MS))


async def _write(system: System, work: Work, measuring: Measuring, shape: Shape) -> Outcome:
    values = [partial(shape.write, serial=next(_serials)) for _ in range(2)]
    address = system.addresses[await system.leader()]
    return await run_wire(address, work, measuring, system.connections_max, values)


def comparisons(results: Results) -> list[Comparison]:
    """Compare the shapes of each work on each system."""
    found: dict[tuple[str, str], dict[int, dict[str, float]]] = {}
    for row in results.rows:
        if row.work in WORKS and row.figures.get(RATE):
            found.setdefault((row.system, row.work), {}).setdefault(row.run, {})[row.form] = row.figures[RATE]
    return [_comparison(system, work, list(runs.values())) for (system, work), runs in found.items()]


def _comparison(system: str, work: str, runs: Sequence[Mapping[str, float]]) -> Comparison:
    shapes = list(dict.fromkeys(shape for rates in runs for shape in rates))
    relative = {
        shape: spread_of([rates[shape] / median(rates.values()) for rates in runs if shape in rates])
        for shape in shapes
    }
    pairs: dict[bool, list[Difference]] = {}
    for faster, slower in permutations(shapes, 2):
        ratio = spread_of([rates[faster] / rates[slower] for rates in runs if faster in rates and slower in rates])
        if ratio is not None:
            is_alike = KINDS[faster] is KINDS[slower]
            band = BAND if is_alike else BANDS_OF_KINDS[work]
            pairs.setdefault(is_alike, []).append(Difference(faster, slower, ratio, band))
    largest = tuple(max(each, key=lambda one: (one.ratio.min, one.ratio.median)) for each in pairs.values())
    return Comparison(system, work, {shape: one for shape, one in relative.items() if one is not None}, largest)


def comparison_table(found: Iterable[Comparison]) -> str:
    """Write each shape's rate as a ratio, and the largest differences with their bands."""
    parts = []
    for one in found:
        rows = [[shape, ratio_cell(spread)] for shape, spread in one.relative.items()]
        parts.append(
            f"{one.system}, {one.work}: {RATE} of each shape, divided by the median of all in the same run:\n\n"
            + markdown(("shape", "ratio"), rows)
            + "\n\n"
            + "\n".join(map(_stated, one.differences))
        )
    return "\n\n".join(parts)


def _stated(one: Difference) -> str:
    verdict = "OUTSIDE of the band" if one.is_outside else "within the band"
    kinds = "of one kind" if KINDS[one.faster] is KINDS[one.slower] else "of two kinds"
    return f"shapes {kinds}: {one.faster} to {one.slower}: {ratio_cell(one.ratio)}, {verdict} of {one.band:g}"
