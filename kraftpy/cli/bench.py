"""``kraftpy bench``: measure this checkout, and etcd and ZooKeeper beside it.

The harness is the package ``bench`` of the checkout. It is no part of an installed kraftpy: figures belong to a commit,
and there they can be repeated.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

import kraftpy
from kraftpy.cli.errors import CommandError
from kraftpy.cli.exit_codes import ExitCode

PEERS = ("etcd", "zookeeper", "kafka", "kafka-no-linger")
FORMS = ("client", "lean", "unary", "kafka")
PROBERS = ("client", "kafka")

Command = TypeVar("Command", bound=Callable[..., Any])


class Words(click.ParamType[tuple[Any, ...]]):
    """A comma-separated list, each item of which another type reads."""

    name = "list"

    def __init__(self, item: click.ParamType[Any]) -> None:
        self._item = item

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Any, ...]:
        """Read every item."""
        if isinstance(value, tuple):
            return value
        items = [part.strip() for part in str(value).split(",") if part.strip()]
        return tuple(self._item.convert(part, param, ctx) for part in items)


POSITIVE = click.IntRange(min=1)


def _common(*, runs: int) -> Callable[[Command], Command]:
    """Add the options that all measurements have."""

    def add(command: Command) -> Command:
        for option in reversed((
            click.option(
                "--peers", type=Words(click.Choice(PEERS)), default="", metavar="NAME,...",
                help=f"Measure these beside it, in turn: {', '.join(PEERS)}.",
            ),
            click.option(
                "--runs", type=POSITIVE, default=runs, show_default=True, help="How often, each on a fresh cluster."
            ),
            click.option(
                "--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                help="Write everything, raw samples included.",
            ),
            click.option(
                "--plot", "plot_file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                help="Draw the main figure; as text when matplotlib is not installed.",
            ),
            click.option(
                "--dir", "directory", type=click.Path(exists=True, file_okay=False, path_type=Path),
                default=tempfile.gettempdir(), show_default=True,
                help="Where the clusters keep their data: choose the disk that is to be measured.",
            ),
            click.option("--without-kraftpy", is_flag=True, help="Measure the peers alone."),
        )):  # fmt: skip
            command = option(command)
        return command

    return add


@click.group()
def bench() -> None:
    """Measure three controllers on this machine, and peers beside them.

    Needs a checkout: the harness stands in its directory ``bench``.
    """


@bench.command()
@click.option(
    "--in-flight",
    type=Words(POSITIVE),
    default="1,16,64,1000",
    show_default=True,
    metavar="N,...",
    help="Unanswered requests of the closed loops.",
)
@click.option(
    "--value-bytes",
    type=Words(POSITIVE),
    default="256,100",
    show_default=True,
    metavar="N,...",
    help="Lengths of the values.",
)
@click.option(
    "--rates",
    type=Words(click.FloatRange(min=0, min_open=True)),
    default="1000",
    show_default=True,
    metavar="PER_S,...",
    help="Open loops: requests started per second, answered or not.",
)
@click.option("--batches/--no-batches", default=True, help="Also batches of 128, 16 in flight.")
@click.option(
    "--forms",
    type=Words(click.Choice(FORMS)),
    default=",".join(FORMS),
    show_default=True,
    metavar="NAME,...",
    help="Which of kraftpy's clients.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=3.0,
    show_default=True,
    help="How long each case is measured.",
)
@click.option(
    "--warmup", "warmup_s", type=click.FloatRange(min=0), default=1.0, show_default=True, help="Seconds before that."
)
@_common(runs=5)
def commit(**options: Any) -> None:
    """Writes acknowledged per second, and their latencies."""
    _run("commit", options)


@bench.command()
@click.option("--kills", type=POSITIVE, default=50, show_default=True, help="How many for each client, over all runs.")
@click.option(
    "--forms",
    type=Words(click.Choice(PROBERS)),
    default=",".join(PROBERS),
    show_default=True,
    metavar="NAME,...",
    help="Which of kraftpy's clients wait for the next leader.",
)
@_common(runs=5)
def failover(**options: Any) -> None:
    """Kill -9 of the leader: time to the next committed write."""
    _run("failover", options)


@bench.command("catch-up")
@click.option("--records", type=POSITIVE, default=100_000, show_default=True, help="How far the follower is behind.")
@click.option("--value-bytes", type=Words(POSITIVE), default="256", show_default=True, help="Length of the values.")
@_common(runs=5)
def catch_up(**options: Any) -> None:
    """A follower that missed records: time until it has them."""
    _run("catch-up", options)


@bench.command()
@click.option("--records", type=click.IntRange(min=0), default=1_000_000, show_default=True, help="How many records.")
@click.option("--value-bytes", type=Words(POSITIVE), default="100", show_default=True, help="Length of the values.")
@click.option(
    "--idle-seconds",
    "idle_s",
    type=click.FloatRange(min=0),
    default=60.0,
    show_default=True,
    help="How long the empty cluster is watched first; 0 leaves that out.",
)
@_common(runs=3)
def load(**options: Any) -> None:
    """Many records in a node: restart time and memory; and an idle cluster's."""
    _run("load", options)


@bench.command()
@click.option(
    "--partitions", type=click.IntRange(min=0), default=1_000_000, show_default=True, help="In a snapshot; 0 for none."
)
@click.option(
    "--records", type=click.IntRange(min=0), default=10_000_000, show_default=True, help="In a log; 0 for none."
)
@click.option("--clusters", type=click.IntRange(min=0), default=200, show_default=True, help="Small ones; 0 for none.")
@click.option(
    "--kafka-jars", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR",
    help="Kafka's jars, such as a release's libs: kafka-dump-log is measured beside it.",
)  # fmt: skip
@click.option("--only", type=Words(click.Choice(("checked", "decoded", "audited"))), default="", metavar="WORK,...")
@click.option("--runs", type=POSITIVE, default=3, show_default=True, help="How often.")
@click.option(
    "--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write everything."
)
@click.option(
    "--dir", "directory", type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=tempfile.gettempdir(), show_default=True, help="Where the files are made.",
)  # fmt: skip
def audit(**options: Any) -> None:
    """The auditor on large files and a fleet, in one process and in Spark."""
    _harness()
    harness = importlib.import_module("bench.audit")
    failed = harness.run(harness.Options(**options), click.echo)
    if failed:
        raise CommandError(f"{failed} runs failed; see the notes above", ExitCode.FAILURE)


def _run(command: str, given: dict[str, Any]) -> None:
    harness = _harness()
    failed = harness.run(command, harness.Options(**given), click.echo)
    if failed:
        raise CommandError(f"{failed} runs failed; see the notes above", ExitCode.FAILURE)


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
