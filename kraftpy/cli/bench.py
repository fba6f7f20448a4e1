"""``kraftpy bench``: measure this checkout, and etcd, ZooKeeper and Kafka beside it.

The harness is the package ``bench`` of the checkout. It is no part of an installed kraftpy: figures belong to a commit,
and there they can be repeated.
"""

from __future__ import annotations

import importlib
import math
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

import kraftpy
from kraftpy.cli.errors import ArgumentError, CommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.suggestions import CommandGroup, WordChoice
from kraftpy.cli.termination import ended_by_sigterm
from kraftpy.config.node_config import parse_config
from kraftpy.model.errors import ConfigError

PEERS = ("etcd", "zookeeper", "kafka", "kafka-no-linger")
CONTROLLERS = ("kafka", "kafka-no-linger")
"""The peers that have topics and brokers."""
FORMS = ("client", "lean", "unary", "kafka")
ALL_FORMS = (*FORMS, "admin")
READABLE = ("etcd",)
"""The peers whose load tool reads and watches."""
READERS = ("client", "go")
BUILDS = ("plain", "compiled")
PROBERS = ("client", "kafka")

Command = TypeVar("Command", bound=Callable[..., Any])


class Words(click.ParamType[tuple[Any, ...]]):
    """A comma-separated list, each item of which another type reads; one that is repeated counts once."""

    name = "list"

    def __init__(self, item: click.ParamType[Any], *, may_be_empty: bool = False) -> None:
        self._item = item
        self._may_be_empty = may_be_empty

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Any, ...]:
        """Read every item."""
        if isinstance(value, tuple):
            return value
        items = [part.strip() for part in str(value).split(",") if part.strip()]
        if not items and not self._may_be_empty:
            self.fail("it names nothing", param, ctx)
        return tuple(dict.fromkeys(self._item.convert(part, param, ctx) for part in items))


class Number(click.FloatRange):
    """A number that is one: NaN is in no range, and yet no range refuses it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read a number of the range."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


class OutputFile(click.Path):
    """A file that can be written once everything is measured, which may be hours later.

    Args:
        endings: what its name may end in; empty for anything.
    """

    def __init__(self, *endings: str) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)
        self._endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check the directory and the name's ending."""
        path = Path(str(super().convert(value, param, ctx)))
        if not os.access(path.absolute().parent, os.W_OK | os.X_OK):
            self.fail(f"{path}: {path.absolute().parent} is no directory that can be written to", param, ctx)
        if self._endings and path.suffix not in self._endings:
            self.fail(f"{path}: its name has to end in {' or '.join(self._endings)}", param, ctx)
        return path


class VariantOf(click.ParamType[tuple[Any, ...]]):
    """Settings that the nodes have besides, under a name: ``NAME: KEY=VALUE; KEY=VALUE``."""

    name = "variant"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Any, ...]:
        """Read the name and the settings; one that a node would not act on would measure nothing, and is refused."""
        if isinstance(value, tuple):
            return value
        name, colon, rest = str(value).partition(":")
        settings = [
            tuple(part.strip() for part in each.partition("=")[::2]) for each in rest.split(";") if each.strip()
        ]
        if not colon or not settings or not VARIANT_NAME.fullmatch(name.strip()):
            self.fail(
                f"{value!r}: expected NAME: KEY=VALUE; ..., the name of letters, digits, blanks and . _ -", param, ctx
            )
        for key, _ in settings:
            if key in BENCH_KEYS:
                self.fail(f"{key}: the harness chooses it for each node", param, ctx)
        lines = "\n".join(f"{key}={text}" for key, text in settings)
        try:
            read = parse_config(f"{lines}\n{SOME_CONTROLLER}", "--with")
        except ConfigError as error:
            self.fail(str(error), param, ctx)
        if read.warnings or read.unused_keys:
            unused = [f"{key}: accepted for Kafka's sake; no node acts on it" for key in read.unused_keys]
            self.fail("; ".join([*read.warnings, *unused]), param, ctx)
        return name.strip(), tuple(settings)


BENCH_KEYS = frozenset({
    "process.roles", "node.id", "controller.quorum.voters", "controller.listener.names", "grpc.listener",
    "metrics.listener", "listeners", "log.dirs", "log.format",
})  # fmt: skip
SOME_CONTROLLER = """process.roles=controller
node.id=1
controller.quorum.voters=1@127.0.0.1:1
controller.listener.names=CONTROLLER
listeners=CONTROLLER://127.0.0.1:1
grpc.listener=127.0.0.1:2
log.dirs=/unused
"""
VARIANT_NAME = re.compile(r"[\w.-]+( [\w.-]+)*")

POSITIVE = click.IntRange(min=1)
RUNS = click.IntRange(1, 1_000)
IN_FLIGHT = click.IntRange(1, 10_000)
"""Beyond, a controller refuses what it cannot keep waiting."""
VALUE_BYTES = click.IntRange(10, 8_000)
"""A value begins with its serial number; 128 of the longest are what ZooKeeper and etcd take in one request."""
RECORDS_MAX = 9_999_999
BROKERS = click.IntRange(3, 10_000)
"""Partitions have three replicas."""
RATE = Number(min=0, min_open=True, max=100_000)
SECONDS = Number(min=0, min_open=True, max=86_400)
SECONDS_OR_NONE = Number(min=0, max=7 * 86_400)
BASE = click.Path(exists=True, file_okay=False, writable=True, path_type=Path)
PICTURE = OutputFile(".png", ".svg", ".pdf")
PLOT_OPTION = click.option(
    "--plot", "plot_file", type=PICTURE, metavar="FILE",
    help="Write a chart: .png, .svg or .pdf; text without matplotlib (pip install 'kraftpy[bench]').",
)  # fmt: skip


def _common(*, runs: int, peers: tuple[str, ...] = PEERS) -> Callable[[Command], Command]:
    """Add the options that all measurements have; ``peers`` are the systems that can do the work."""

    def add(command: Command) -> Command:
        for option in reversed((
            click.option(
                "--peers", type=Words(WordChoice(peers), may_be_empty=True), default="", metavar="NAME,...",
                help=f"Also measure these systems, in turn: {', '.join(peers)}.",
            ),
            click.option(
                "--runs", type=RUNS, default=runs, show_default=True, help="Number of runs, each on a new cluster."
            ),
            click.option(
                "--json", "json_file", type=OutputFile(), metavar="FILE",
                help="Write all results to this file, with raw samples; FILE.json.gz: compact, to be committed.",
            ),
            PLOT_OPTION,
            click.option(
                "--dir", "directory", type=BASE,
                default=tempfile.gettempdir(), show_default=True,
                help="Directory for the clusters' data, on the disk to measure.",
            ),
            click.option(
                "--builds", type=Words(WordChoice(BUILDS)), default="plain", show_default=True, metavar="NAME,...",
                help="Builds of kraftpy to measure, in turn: plain, compiled (by `make compiled`).",
            ),
            click.option(
                "--with", "variants", type=VariantOf(), multiple=True, metavar="'NAME: KEY=VALUE; ...'",
                help="KEY=VALUE for the nodes' configuration; measured in turn with the default; repeatable.",
            ),
            click.option("--without-kraftpy", is_flag=True, help="Measure only the --peers."),
        )):  # fmt: skip
            command = option(command)
        return command

    return add


@click.group(cls=CommandGroup)
def bench() -> None:
    """Measure three controllers on this machine, and other systems for comparison.

    Needs a checkout: the harness is in its directory ``bench``.
    """


@examples(
    "kraftpy bench commit --seconds 5",
    "kraftpy bench commit --peers etcd,kafka --plot commit.png",
)
@bench.command()
@click.option(
    "--in-flight",
    type=Words(IN_FLIGHT),
    default="1,16,64,1000",
    show_default=True,
    metavar="N,...",
    help="Requests in flight of the closed loops.",
)
@click.option(
    "--value-bytes",
    type=Words(VALUE_BYTES),
    default="256,100",
    show_default=True,
    metavar="N,...",
    help="Lengths of the values, in bytes.",
)
@click.option(
    "--rates",
    type=Words(RATE, may_be_empty=True),
    default="1000",
    show_default=True,
    metavar="PER_S,...",
    help="Open loops: requests sent per second.",
)
@click.option("--batches/--no-batches", default=True, help="Also batches of 128, 16 in flight.")
@click.option("--mixed/--no-mixed", default=True, help="Also configs of several kinds and of many lengths.")
@click.option(
    "--forms",
    type=Words(WordChoice(ALL_FORMS)),
    default=",".join(FORMS),
    show_default=True,
    metavar="NAME,...",
    help="Clients to measure. admin is Kafka's own (Java), for kraftpy and Kafka.",
)
@click.option(
    "--seconds",
    type=SECONDS,
    default=3.0,
    show_default=True,
    help="Duration of each case, in seconds.",
)
@click.option(
    "--warmup",
    "warmup_s",
    type=SECONDS_OR_NONE,
    default=1.0,
    show_default=True,
    help="Warm-up of each case, in seconds.",
)
@_common(runs=5)
def commit(**options: Any) -> None:
    """Writes acknowledged per second, and their latencies."""
    _run("commit", options)


@examples(
    "kraftpy bench failover --kills 10",
    "kraftpy bench failover --peers etcd --heat-map failover.png",
)
@bench.command()
@click.option("--kills", type=POSITIVE, default=50, show_default=True, help="Kills per client, over all runs.")
@click.option(
    "--forms",
    type=Words(WordChoice(PROBERS)),
    default=",".join(PROBERS),
    show_default=True,
    metavar="NAME,...",
    help="Clients of kraftpy to measure.",
)
@click.option(
    "--heat-map", "heat_map_file", type=PICTURE, metavar="FILE",
    help="Also write 200 times a second around each kill, and draw the latencies: .png, .svg or .pdf.",
)  # fmt: skip
@_common(runs=5)
def failover(**options: Any) -> None:
    """Time from kill -9 of the leader to the next committed write."""
    _run("failover", options)


@examples(
    "kraftpy bench catch-up --peers etcd --runs 3",
)
@bench.command("catch-up")
@click.option(
    "--records", type=click.IntRange(1, RECORDS_MAX), default=100_000, show_default=True,
    help="Records that the follower lacks.",
)  # fmt: skip
@click.option("--value-bytes", type=VALUE_BYTES, default=256, show_default=True, help="Length of the values, in bytes.")
@_common(runs=5)
def catch_up(**options: Any) -> None:
    """Time until a follower that missed records has caught up."""
    _run("catch-up", options)


@examples(
    "kraftpy bench load --records 10000",
)
@bench.command()
@click.option(
    "--records",
    type=click.IntRange(0, RECORDS_MAX),
    default=1_000_000,
    show_default=True,
    help="Records in the node; 0 skips this case.",
)
@click.option("--value-bytes", type=VALUE_BYTES, default=100, show_default=True, help="Length of the values, in bytes.")
@click.option(
    "--idle-seconds",
    "idle_s",
    type=SECONDS_OR_NONE,
    default=60.0,
    show_default=True,
    help="Duration of the measurement of an idle cluster, in seconds; 0 skips it.",
)
@_common(runs=3)
def load(**options: Any) -> None:
    """Restart time and memory of a node with many records, and of an idle cluster."""
    _run("load", options)


SECONDS_OPTION = click.option(
    "--seconds", type=SECONDS, default=3.0, show_default=True, help="Duration of each case, in seconds."
)
WARMUP_OPTION = click.option(
    "--warmup", "warmup_s", type=SECONDS_OR_NONE, default=1.0, show_default=True,
    help="Warm-up of each case, in seconds.",
)  # fmt: skip


@examples(
    "kraftpy bench shapes --runs 1",
)
@bench.command()
@SECONDS_OPTION
@WARMUP_OPTION
@_common(runs=3, peers=CONTROLLERS)
def shapes(**options: Any) -> None:
    """Rates of writes of other kinds, keys and lengths, which must lie within a band."""
    _run("shapes", options, "runs failed or comparisons are outside of their band")


@examples(
    "kraftpy bench topics --peers kafka,kafka-no-linger",
)
@bench.command()
@click.option(
    "--in-flight", type=Words(IN_FLIGHT), default="1,64", show_default=True, metavar="N,...",
    help="Requests in flight, each for one topic of three partitions.",
)  # fmt: skip
@click.option(
    "--large-requests", type=click.IntRange(0, 1_000), default=5, show_default=True,
    help="Requests for 1,000 topics of ten partitions, one after the other, then for 500; 0 skips them.",
)  # fmt: skip
@click.option(
    "--brokers", type=BROKERS, default=9, show_default=True,
    help="Registered brokers, in three racks: requests only, no processes.",
)  # fmt: skip
@SECONDS_OPTION
@WARMUP_OPTION
@_common(runs=5, peers=CONTROLLERS)
def topics(**options: Any) -> None:
    """Topics created per second, over Kafka's protocol."""
    _run("topics", options)


@examples(
    "kraftpy bench isr --peers kafka,kafka-no-linger",
)
@bench.command()
@click.option(
    "--partitions", type=Words(click.IntRange(1, 1_000)), default="1,10,100,1000", show_default=True, metavar="N,...",
    help="Partitions in each request; each of the ten brokers leads 1,000.",
)  # fmt: skip
@SECONDS_OPTION
@WARMUP_OPTION
@_common(runs=5, peers=CONTROLLERS)
def isr(**options: Any) -> None:
    """Changes of in-sync replicas per second, requested by ten brokers."""
    _run("isr", options)


@examples(
    "kraftpy bench broker-death --peers kafka,kafka-no-linger",
)
@bench.command("broker-death")
@click.option(
    "--leaderships", type=Words(click.IntRange(1, 1_000_000)), default="10000,100000", show_default=True,
    metavar="N,...", help="Partitions that the broker leads when it goes.",
)  # fmt: skip
@_common(runs=5, peers=CONTROLLERS)
def broker_death(**options: Any) -> None:
    """Time until all leaders of a broker that goes have moved."""
    _run("broker-death", options)


@examples(
    "kraftpy bench day --peers kafka-no-linger",
)
@bench.command()
@click.option(
    "--brokers", type=click.IntRange(4, 100), default=12, show_default=True,
    help="Registered brokers, in three racks: requests only, no processes.",
)  # fmt: skip
@click.option(
    "--partitions", type=click.IntRange(1, 1_000_000), default=7_000, show_default=True,
    help="Partitions of three replicas that are there from the start.",
)  # fmt: skip
@click.option(
    "--hours", type=Number(min=0, min_open=True, max=24), default=24.0, show_default=True,
    help="Hours of the day to replay as fast as it goes, around its busiest part.",
)  # fmt: skip
@click.option(
    "--window-minutes", type=Number(min=0, min_open=True, max=24 * 60), default=10.0, show_default=True,
    help="Length of the busiest part, which is replayed at --speed.",
)  # fmt: skip
@click.option(
    "--speed", type=Number(min=1, max=1_000), default=10.0, show_default=True,
    help="How many times as fast as the day the busiest part is.",
)  # fmt: skip
@click.option(
    "--in-flight", type=IN_FLIGHT, default=240, show_default=True,
    help="Heartbeats in flight, of all brokers, while the day is replayed as fast as it goes.",
)  # fmt: skip
@_common(runs=5, peers=CONTROLLERS)
def day(**options: Any) -> None:
    """A day of a cluster's requests to its controllers: in all, and latencies at a multiple of its speed."""
    options["partitions"] = (options["partitions"],)
    options["in_flight"] = (options["in_flight"],)
    _run("day", options)


@examples(
    "kraftpy bench large --peers kafka-no-linger --runs 3",
    "kraftpy bench large --partitions 20000 --records 20000",
)
@bench.command()
@click.option(
    "--partitions", type=click.IntRange(0, 10_000_000), default=1_000_000, show_default=True,
    help="Partitions in the snapshot; 0 skips this case.",
)  # fmt: skip
@click.option(
    "--records", type=click.IntRange(0, RECORDS_MAX), default=1_000_000, show_default=True,
    help="Records in the log; 0 skips this case.",
)  # fmt: skip
@click.option(
    "--kills", type=click.IntRange(0, 1_000), default=3, show_default=True,
    help="Kills of the active controller in each case of each run.",
)  # fmt: skip
@_common(runs=3, peers=CONTROLLERS)
def large(**options: Any) -> None:
    """Start, memory and failover with a large snapshot, and with a long log."""
    options["partitions"] = (options["partitions"],)
    _run("large", options)


@examples(
    "kraftpy bench brokers --peers kafka --seconds 60",
)
@bench.command()
@click.option(
    "--brokers", type=BROKERS, default=1_000, show_default=True,
    help="Registered brokers, each with a connection and a heartbeat every 2 s.",
)  # fmt: skip
@click.option(
    "--seconds", type=SECONDS, default=30.0, show_default=True, help="Duration of the measurement, in seconds."
)
@_common(runs=3, peers=CONTROLLERS)
def brokers(**options: Any) -> None:
    """CPU and log of an idle cluster with many brokers."""
    _run("brokers", options)


@examples(
    "kraftpy bench reads --peers etcd",
)
@bench.command()
@click.option(
    "--in-flight", type=Words(IN_FLIGHT), default="64,1000", show_default=True, metavar="N,...",
    help="Reads in flight.",
)  # fmt: skip
@click.option(
    "--forms", type=Words(WordChoice(READERS)), default=",".join(READERS), show_default=True, metavar="NAME,...",
    help="Clients of kraftpy to measure.",
)  # fmt: skip
@SECONDS_OPTION
@WARMUP_OPTION
@_common(runs=5, peers=READABLE)
def reads(**options: Any) -> None:
    """Linearizable and committed reads per second, of one and of three nodes."""
    _run("reads", options)


@examples(
    "kraftpy bench watch --peers etcd --watchers 100",
)
@bench.command()
@click.option(
    "--watchers", type=Words(click.IntRange(1, 10_000)), default="100,1000", show_default=True, metavar="N,...",
    help="Watchers of everything that is written.",
)  # fmt: skip
@click.option("--rate", "rates", type=RATE, default=1_000.0, show_default=True, help="Writes per second.")
@SECONDS_OPTION
@WARMUP_OPTION
@_common(runs=3, peers=READABLE)
def watch(**options: Any) -> None:
    """Lag of watchers at a fixed rate of writes, and CPU of the nodes."""
    options["rates"] = (options["rates"],)
    _run("watch", options)


@examples(
    "kraftpy bench audit --runs 3",
    "kraftpy bench audit --partitions 0 --records 0 --clusters 0 --fleet-gib 20 --only audited --systems spark-2",
)
@bench.command()
@click.option(
    "--partitions",
    type=click.IntRange(min=0),
    default=1_000_000,
    show_default=True,
    help="Partitions in the snapshot; 0 skips this case.",
)
@click.option(
    "--records",
    type=click.IntRange(min=0),
    default=10_000_000,
    show_default=True,
    help="Records in the log; 0 skips this case.",
)
@click.option(
    "--clusters",
    type=click.IntRange(min=0),
    default=200,
    show_default=True,
    help="Number of small clusters; 0 skips this case.",
)
@click.option(
    "--fleet-gib",
    type=click.FloatRange(min=0),
    default=0.0,
    show_default=True,
    metavar="GIB",
    help="Size of a fleet of clusters with 100,000 records each, on three nodes; 0 skips this case.",
)
@click.option(
    "--kafka-jars", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR",
    help="Directory of Kafka's jars; kafka-dump-log is measured, too.",
)  # fmt: skip
@click.option(
    "--only",
    type=Words(WordChoice(("checked", "decoded", "audited", "compacted")), may_be_empty=True),
    default="",
    metavar="WORK,...",
    help="Measure only this work: checked, decoded, audited, compacted. Default: all.",
)
@click.option(
    "--systems",
    type=Words(WordChoice(("one", "spark-1", "spark-2")), may_be_empty=True),
    default="",
    metavar="SYSTEM,...",
    help="Measure only these: one process, Spark on one core, on two. Default: all.",
)
@click.option("--runs", type=RUNS, default=3, show_default=True, help="Number of runs.")
@click.option(
    "--json", "json_file", type=OutputFile(), metavar="FILE",
    help="Write all results to this file; FILE.json.gz: compact, to be committed.",
)  # fmt: skip
@PLOT_OPTION
@click.option(
    "--dir", "directory", type=BASE,
    default=tempfile.gettempdir(), show_default=True, help="Directory for the generated files.",
)  # fmt: skip
def audit(**options: Any) -> None:
    """Audit large files and many clusters, in one process and in Spark."""
    with ended_by_sigterm():
        _harness()
        harness = importlib.import_module("bench.audit")
        failed = harness.run(harness.Options(**options), click.echo)
    if failed:
        raise CommandError(f"{failed} runs failed; see the notes above", ExitCode.FAILURE)


def _run(command: str, given: dict[str, Any], faults: str = "runs failed") -> None:
    if given["without_kraftpy"] and not given["peers"]:
        raise ArgumentError(f"--without-kraftpy leaves nothing to measure: name --peers, such as {','.join(PEERS)}")
    if given["without_kraftpy"] and given["variants"]:
        raise ArgumentError(
            "--with names settings of kraftpy's nodes, and --without-kraftpy leaves none: drop one of them"
        )
    names = [name for name, _ in given["variants"]]
    if len(set(names)) != len(names):
        raise ArgumentError(f"--with: two variants have the same name: {', '.join(names)}")
    if isinstance(given.get("value_bytes"), int):
        given["value_bytes"] = (given["value_bytes"],)
    with ended_by_sigterm():
        harness = _harness()
        failed = harness.run(command, harness.Options(**given), click.echo)
    if failed:
        raise CommandError(f"{failed} {faults}; see the notes above", ExitCode.FAILURE)


def _harness() -> Any:
    """Load the harness from the checkout that kraftpy runs from.

    Raises:
        CommandError: kraftpy was installed without its checkout.
    """
    checkout = Path(kraftpy.__file__).resolve().parent.parent
    if not (checkout / "bench" / "main.py").is_file():
        raise CommandError(
            f"{checkout} holds no bench/main.py: the benchmarks are part of a checkout, not of an installed kraftpy. "
            "Clone the repository, `pip install -e .` there, and run it again"
        )
    if str(checkout) not in sys.path:
        sys.path.insert(0, str(checkout))
    return importlib.import_module("bench.main")
