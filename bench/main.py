"""From options to results: which systems, which measurement, and what is written where."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, cast

import bench.isr
import bench.topics
from bench.broker_death import measure_broker_death
from bench.brokers import registered
from bench.cases import measure_cases
from bench.catch_up import measure_catch_up
from bench.cluster import KraftPy
from bench.commit import measure_commit, works
from bench.day import DayOptions, measure_day
from bench.failover import measure_failover
from bench.heartbeats import measure_heartbeats
from bench.heat_map_plot import write_heat_map
from bench.isr import alterations, lead
from bench.large import LargeFiles, Loading, measure_large
from bench.load import measure_load
from bench.machine import describe
from bench.peers.etcd import Etcd
from bench.peers.kafka import Kafka
from bench.peers.zookeeper import ZooKeeper
from bench.plot import text_plot, write_plot
from bench.reading import Watching
from bench.reads import measure_reads, readings
from bench.report import as_json, tables
from bench.results_file import options_of, write_results
from bench.runs import Body, PrintProgress, Results, Row, check_directory, measure
from bench.shape_rates import comparison_table, comparisons, measure_shapes
from bench.topics import change, creations
from bench.watch import measure_watch
from bench.work import AS_IT_IS, System, Variant

PEERS: dict[str, Callable[[], System]] = {
    "etcd": Etcd,
    "zookeeper": ZooKeeper,
    "kafka": Kafka,
    "kafka-no-linger": partial(Kafka, linger_ms=0),
}

BESIDE_PEERS = frozenset(
    {"commit", "shapes", "topics", "isr", "broker-death", "day", "large", "brokers", "reads", "watch"}
)
"""The commands whose tables of ratios have the peers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line says.

    Attributes:
        heat_map_file: where the background writes around kills are drawn; without it there are none.
        without_kraftpy: measure the peers alone.
        builds: which forms of kraftpy, in turn: plain, compiled.
        variants: kraftpy with other settings, each form of it, measured beside kraftpy as it is: name and settings.
    """

    peers: tuple[str, ...] = ()
    runs: int = 5
    directory: Path = Path()
    json_file: Path | None = None
    plot_file: Path | None = None
    heat_map_file: Path | None = None
    without_kraftpy: bool = False
    builds: tuple[str, ...] = ("plain",)
    variants: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    seconds: float = 3.0
    warmup_s: float = 1.0
    in_flight: tuple[int, ...] = (1, 16, 64, 1_000)
    value_bytes: tuple[int, ...] = (256, 100)
    rates: tuple[float, ...] = ()
    batches: bool = True
    mixed: bool = True
    forms: tuple[str, ...] = ()
    kills: int = 50
    records: int = 0
    idle_s: float = 60.0
    brokers: int = 9
    large_requests: int = 5
    partitions: tuple[int, ...] = ()
    leaderships: tuple[int, ...] = ()
    watchers: tuple[int, ...] = ()
    hours: float = 24.0
    window_minutes: float = 10.0
    speed: float = 10.0


def systems_of(options: Options) -> list[System]:
    """Return the systems under test, kraftpy first."""
    variants = (AS_IT_IS, *(Variant(name, settings) for name, settings in options.variants))
    builds = () if options.without_kraftpy else options.builds
    ours: list[System] = [KraftPy(build, variant) for build in builds for variant in variants]
    return ours + [PEERS[name]() for name in options.peers]


def compared_in(command: str, systems: Iterable[System]) -> dict[str, tuple[str, ...]]:
    """Return which systems are compared, run by run.

    A variant is divided by what it varies. The commands of BESIDE_PEERS divide kraftpy by its peers.
    """
    systems = list(systems)
    ours, peers = [one for one in systems if isinstance(one, KraftPy)], peers_in(command, systems)
    found = {one.name: (*([one.beside] if one.beside else []), *peers) for one in ours}
    return {name: others for name, others in found.items() if others}


def peers_in(command: str, systems: Iterable[System]) -> tuple[str, ...]:
    """Return which other systems kraftpy is compared with."""
    return tuple(one.name for one in systems if not isinstance(one, KraftPy)) if command in BESIDE_PEERS else ()


def run(command: str, options: Options, print_progress: PrintProgress) -> int:
    """Measure and report; return how many rows failed, and how many comparisons are outside of their band."""
    warning = check_directory(options.directory)
    if warning:
        print_progress(f"warning: {warning}")
    machine = describe(options.directory)
    body = bodies(options, print_progress)[command]
    systems = systems_of(options)
    results = asyncio.run(measure(systems, runs_of(command, options), options.directory, body, print_progress))
    results.compared, results.peers = compared_in(command, systems), peers_in(command, systems)
    print_progress("")
    print_progress(_heading(command, machine))
    print_progress("")
    print_progress(tables(results))
    outside = _compare_shapes(results, systems, print_progress) if command == "shapes" else 0
    if options.plot_file is not None:
        print_progress(f"\nplot: {write_plot(options.plot_file, command, results, _heading(command, machine))}")
    else:
        print_progress("\n" + text_plot(command, results))
    if options.heat_map_file is not None:
        written = write_heat_map(options.heat_map_file, results, _heading(command, machine))
        print_progress(f"\nheat map: {written}")
    if options.json_file is not None:
        write_results(options.json_file, as_json(command, options_of(options), machine, results))
        print_progress(f"\nresults: {options.json_file}")
    return sum(1 for row in results.rows if row.work == "failed") + outside


def _compare_shapes(results: Results, systems: Iterable[System], print_progress: PrintProgress) -> int:
    """Print how the shapes compare; return how many comparisons of kraftpy are outside of their band."""
    found = comparisons(results)
    print_progress("\n" + comparison_table(found))
    ours = {one.name for one in systems if isinstance(one, KraftPy)}
    return sum(1 for one in found if one.system in ours and one.is_outside)


def bodies(options: Options, print_progress: PrintProgress) -> dict[str, Body]:
    """Return each command's measurement."""
    size = options.value_bytes[-1]
    todo = works(
        options.in_flight,
        options.value_bytes,
        options.rates,
        batches=options.batches,
        mixed=options.mixed,
        seconds=options.seconds,
        warmup_s=options.warmup_s,
    )

    async def commit(system: System, number: int) -> Iterable[Row]:
        return await measure_commit(system, number, todo, options.forms, print_progress)

    async def failover(system: System, number: int) -> Iterable[Row]:
        return await measure_failover(
            system, number, kills_of(options, number), options.forms, print_progress,
            has_heat_map=options.heat_map_file is not None,
        )  # fmt: skip

    async def catch_up(system: System, number: int) -> Iterable[Row]:
        return await measure_catch_up(system, number, options.records, size, print_progress)

    async def load(system: System, number: int) -> Iterable[Row]:
        return await measure_load(system, number, options.records, size, options.idle_s, print_progress)

    async def shapes(system: System, number: int) -> Iterable[Row]:
        return await measure_shapes(system, number, options.seconds, options.warmup_s, print_progress)

    async def reads(system: System, number: int) -> Iterable[Row]:
        reading = readings(options.in_flight, options.seconds, options.warmup_s)
        return await measure_reads(system, number, reading, options.forms, print_progress)

    async def watch(system: System, number: int) -> Iterable[Row]:
        watching = [
            Watching(watchers=count, rate=options.rates[0], seconds=options.seconds, warmup_s=options.warmup_s)
            for count in options.watchers
        ]
        return await measure_watch(system, number, watching, print_progress)

    every = (commit, failover, catch_up, load, shapes, reads, watch)
    return _by_name(every) | _bodies_of_controllers(options, print_progress)


def _bodies_of_controllers(options: Options, print_progress: PrintProgress) -> dict[str, Body]:
    """Return the measurements of what only controllers do."""

    async def topics(system: System, number: int) -> Iterable[Row]:
        serials = count()
        cases = creations(serials, options.in_flight, options.seconds, options.warmup_s, options.large_requests)
        async with registered(system, options.brokers) as brokers:
            return await measure_cases(
                system, number, brokers, cases,
                warm_up=change(serials), unit=bench.topics.UNIT, print_progress=print_progress,
            )  # fmt: skip

    async def isr(system: System, number: int) -> Iterable[Row]:
        async with registered(system, bench.isr.BROKERS) as brokers:
            warm_up, *cases = alterations(
                brokers, await lead(brokers), options.partitions, options.seconds, options.warmup_s
            )
            return await measure_cases(
                system, number, brokers, cases, warm_up=warm_up, unit=bench.isr.UNIT, print_progress=print_progress
            )

    async def broker_death(system: System, number: int) -> Iterable[Row]:
        return await measure_broker_death(system, number, options.leaderships, print_progress)

    async def day(system: System, number: int) -> Iterable[Row]:
        which = DayOptions(
            brokers=options.brokers,
            partitions=options.partitions[0],
            hours=options.hours,
            window_minutes=options.window_minutes,
            speed=options.speed,
            in_flight=options.in_flight[0],
        )
        return await measure_day(system, number, which, print_progress)

    files = LargeFiles(options.directory, options.partitions[0] if options.partitions else 0, options.records)

    async def large(system: System, number: int) -> Iterable[Row]:
        return await measure_large(cast("Loading", system), number, files, options.kills, print_progress)

    async def brokers(system: System, number: int) -> Iterable[Row]:
        return await measure_heartbeats(system, number, options.brokers, options.seconds, print_progress)

    return _by_name((topics, isr, broker_death, day, large, brokers))


def _by_name(every: Iterable[Callable[[System, int], Any]]) -> dict[str, Body]:
    return {body.__name__.replace("_", "-"): body for body in every}


def runs_of(command: str, options: Options) -> int:
    """Return how many runs there are: none of them without a kill."""
    return min(options.runs, options.kills) if command == "failover" else options.runs


def kills_of(options: Options, number: int) -> int:
    """Return this run's share of the kills."""
    share, rest = divmod(options.kills, runs_of("failover", options))
    return share + (1 if number <= rest else 0)


def _heading(command: str, machine: dict[str, Any]) -> str:
    return (
        f"{command}, {machine['time']}, commit {machine['commit']}, {machine['cpus']} x {machine['cpu']}, "
        f"{machine['filesystem']}, fsync p50 {machine['fsync']['p50_ms']} ms, p99 {machine['fsync']['p99_ms']} ms, "
        f"Python {machine['python']}"
    )
