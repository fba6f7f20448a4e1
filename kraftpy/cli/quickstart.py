"""``kraftpy quickstart``: a whole cluster as child processes, from empty directories to READY.

Started again on the same directory it goes on where it was. Ctrl-C stops all of it, brokers first. With
``--kafka-brokers`` the brokers are those of a stock Kafka; they are started when the quorum has its leader.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from kraftpy.cli.errors import CommandError, InterruptedCommandError, print_error
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import PathParam, Seconds, WholeNumber, output_option
from kraftpy.cli.output import Output, render
from kraftpy.cli.quickstart_kafka import check_options, kafka_of, ready_timeout_s, usage_lines
from kraftpy.cli.quickstart_view import (
    LinesView,
    ScreenView,
    StatusView,
    controllers_over_grpc,
    controllers_over_kafka,
)
from kraftpy.local_cluster.child_processes import Child, ChildProcesses, ending_signals
from kraftpy.local_cluster.cluster import (
    BROKERS_MAX,
    CONTROLLERS_MAX,
    LocalCluster,
    NodeKind,
    find_local_cluster,
    open_local_cluster,
)
from kraftpy.local_cluster.cluster_status import ClusterStatus, StatusReader
from kraftpy.local_cluster.kafka_broker import KAFKA_BROKERS_MAX, level_for
from kraftpy.local_cluster.sample_topics import TOPICS_MAX, create_sample_topics
from kraftpy.model.errors import ConfigError
from kraftpy.storage.locks import DirectoryInUseError, DirectoryLock

POLL_INTERVAL_S = 0.1
STATE_WAS_WRONG = "its state was wrong again and again: it does not start again by itself"
DEFAULT_DIRECTORY = "kraftpy-data"


@examples(
    "kraftpy quickstart",
    "kraftpy quickstart --brokers 6 --racks 3 --topics 10 --dir /tmp/cluster",
    "kraftpy quickstart --kafka-brokers 3",
    "kraftpy quickstart --once -o json",
)
@click.command()
@click.option(
    "--controllers", type=WholeNumber(1, CONTROLLERS_MAX), help="Number of controllers of a new cluster (default 3)."
)
@click.option("--brokers", type=WholeNumber(0, BROKERS_MAX), help="Number of brokers of a new cluster (default 3).")
@click.option(
    "--kafka-brokers",
    type=WholeNumber(1, KAFKA_BROKERS_MAX),
    metavar="N",
    help="Number of stock Kafka brokers of a new cluster, in place of --brokers; stock clients use them.",
)
@click.option(
    "--kafka-home",
    type=PathParam(file_okay=False),
    metavar="DIR",
    help="Directory of an unpacked Kafka, with libs in it. Default: KAFKA_HOME; else Maven fetches the jars once.",
)
@click.option(
    "--racks", type=WholeNumber(0, BROKERS_MAX), help="Number of racks for the brokers of a new cluster (default 0)."
)
@click.option(
    "--topics",
    type=WholeNumber(0, TOPICS_MAX),
    default=0,
    show_default=True,
    help="Number of topics to create, where they do not exist: topic-1, topic-2, ...",
)
@click.option(
    "--dir",
    "directory",
    type=PathParam(),
    default=DEFAULT_DIRECTORY,
    show_default=True,
    help="Directory of the cluster.",
)
@click.option("--once", is_flag=True, help="Stop the nodes when the cluster is ready, and print a summary.")
@click.option(
    "--ready-timeout",
    type=Seconds(),
    metavar="SECONDS",
    help="Fail if the cluster is not ready after this time. Default: 60, and 30 more for each Kafka broker.",
)
@click.option(
    "--property",
    "properties",
    multiple=True,
    metavar="KEY=VALUE",
    help="KEY=VALUE for the server.properties of every node of a new cluster; repeatable.",
)
@output_option
def quickstart(
    *,
    output: Output,
    controllers: int | None,
    brokers: int | None,
    kafka_brokers: int | None,
    kafka_home: str | None,
    racks: int | None,
    topics: int,
    directory: str,
    once: bool,
    ready_timeout: float | None,
    properties: tuple[str, ...],
) -> None:
    """Start controllers and brokers on this machine, from empty directories.

    Prints READY with the controllers' endpoints (`controllers` over gRPC, `metrics` over HTTP, `kafka` over Kafka's
    protocol) when every broker is unfenced and every meta.properties carries the cluster id. With --kafka-brokers N the
    brokers are Kafka's: READY is followed by their bootstrap servers and commands to try. They need Java 17.
    """
    extra = dict(_property(text) for text in properties)
    check_options(kafka_brokers=kafka_brokers, brokers=brokers)
    if topics and brokers == 0:  # Before anything is written.
        raise _no_brokers()
    kafka = kafka_of(find_local_cluster(Path(directory)), kafka_brokers, kafka_home)
    sandbox = open_local_cluster(
        Path(directory),
        controllers=controllers,
        brokers=brokers,
        kafka_brokers=kafka_brokers,
        racks=racks,
        extra=extra,
        level=None if kafka is None else level_for(kafka.version),
    )
    if topics and not sandbox.brokers:
        raise _no_brokers()
    children = ChildProcesses(sandbox, kafka=kafka)
    timeout = ready_timeout_s(ready_timeout, sandbox)
    with _alone(sandbox.root), asyncio.Runner() as runner:
        code = runner.run(_run(children, output, topics=topics, once=once, ready_timeout=timeout))
    sys.exit(code)


def _no_brokers() -> click.BadParameter:
    return click.BadParameter("a cluster without brokers has no topics", param_hint="'--topics'")


@contextlib.contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Keep a second quickstart out of the directory: it would take the first one's nodes for its own, and say READY."""
    try:
        lock = DirectoryLock.acquire(str(root))
    except DirectoryInUseError as error:
        raise ConfigError(f"{root} is in use: another quickstart runs there; stop it, or name another --dir") from error
    try:
        yield
    finally:
        lock.release()


def _property(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise click.BadParameter(f"{text!r} is not KEY=VALUE", param_hint="'--property'")
    return key, value


async def _run(children: ChildProcesses, output: Output, *, topics: int, once: bool, ready_timeout: float) -> int:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    received: set[signal.Signals] = set()

    def stop(number: signal.Signals) -> None:
        received.add(number)
        stopped.set()

    for number in ending_signals():
        loop.add_signal_handler(number, stop, number)
    sandbox, usage = children.sandbox, usage_lines(children.sandbox, children.kafka)
    screen = sys.stdout.isatty() and not once
    view: StatusView = ScreenView(sandbox, usage) if screen else LinesView(sandbox, usage, quiet=once)
    code: int = ExitCode.FAILURE
    try:
        await children.start_all()
        code = await _watch(children, view, stopped, output, topics=topics, once=once, ready_timeout=ready_timeout)
    finally:
        try:
            view.stopping()
        finally:  # The terminal may be gone.
            complaints = await children.stop_all()
        for complaint in complaints:
            print_error(complaint)
        view.stopped()
    if code or complaints:
        return code or ExitCode.FAILURE
    if signal.SIGINT in received:
        raise InterruptedCommandError
    return ExitCode.OK


async def _watch(
    children: ChildProcesses,
    view: StatusView,
    stopped: asyncio.Event,
    output: Output,
    *,
    topics: int,
    once: bool,
    ready_timeout: float,
) -> int:
    """Follow the cluster until it is stopped, or (with ``once``) until it is ready.

    A node that ends while the cluster starts is a failure; later the others go on without it, as long as a majority of
    the controllers lives. Where that was stopped in order, as ``kraftpy cluster stop`` does, nothing has failed.
    """
    loop = asyncio.get_running_loop()
    started = loop.time()
    ready = False
    async with StatusReader(children.sandbox) as reader:
        while not stopped.is_set():
            gone = children.ended()
            if gone and not ready:
                raise _ended(gone, "not every node came up")
            if children.majority_is_gone:
                if any(child.exit_code for child in gone if child.node.kind is NodeKind.CONTROLLER):
                    raise _ended(gone, "a majority of the controllers is gone")
                names = ", ".join(child.node.name for child in gone)
                click.echo(f"{names}: stopped from elsewhere, in order; so is the rest")
                return ExitCode.OK
            status = (await reader.read()).while_starting(children.starting())
            status = status.without({child.node.node_id: _end_of(child) for child in gone})
            view.show(status)
            if status.cluster_id is not None:
                await children.start_kafka_brokers()
            if status.ready and not ready:
                ready = True
                if topics:
                    await create_sample_topics(children.sandbox, topics)
                seconds = round(loop.time() - started, 2)
                view.ready(status, seconds)
                if once:
                    render(_summary(status, children.sandbox, seconds), output)
                    return ExitCode.OK
            if not ready and loop.time() - started > ready_timeout:
                raise CommandError(
                    f"not ready after {ready_timeout:g} s: it waits for {status.waiting_for}. A slow machine takes a "
                    f"longer --ready-timeout; what each node did is in {children.sandbox.root}/*/node.log"
                )
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopped.wait(), POLL_INTERVAL_S if not ready else 5 * POLL_INTERVAL_S)
    return ExitCode.OK


def _ended(gone: Sequence[Child], what: str) -> CommandError:
    """Show the last words of nodes that ended, and return what ends the command."""
    for child in gone:
        click.echo(f"{child.node.name} {_end_of(child)}. Its last words:", err=True)
        click.echo(child.log_tail(), err=True)
    return CommandError(f"{what}; more of their words: {', '.join(str(child.node.log_file) for child in gone)}")


def _end_of(child: Child) -> str:
    code = child.exit_code or 0
    if code < 0:
        return f"was killed ({signal.Signals(-code).name})"
    # The codes of a JVM have meanings of their own.
    diverged = code == ExitCode.FINDINGS and child.node.kind is not NodeKind.KAFKA_BROKER
    return f"ended with code {code}" + (f" ({STATE_WAS_WRONG})" if diverged else "")


def _summary(status: ClusterStatus, sandbox: LocalCluster, seconds: float) -> dict[str, object]:
    return {
        "ready": status.ready,
        "durationMs": round(seconds * 1_000),
        "clusterId": status.cluster_id,
        "leaderId": status.leader_id,
        "leaderEpoch": status.leader_epoch,
        "highWatermark": status.high_watermark,
        "metadataVersion": status.metadata_version,
        "bootstrapControllers": controllers_over_grpc(sandbox),
        "kafkaBootstrapControllers": controllers_over_kafka(sandbox),
        "bootstrapServers": sandbox.bootstrap_servers or None,
        "nodes": [
            {
                "node": one.node.name,
                "nodeId": one.node.node_id,
                "nodeKind": one.node.kind.value,
                "state": one.state,
                "grpcEndpoint": one.node.grpc_endpoint,
                "kafkaEndpoint": one.node.kafka_endpoint,
                "clusterIds": {str(path): cluster_id for path, cluster_id in one.cluster_ids.items()},
            }
            for one in status.nodes
        ],
        "incidents": [
            {"node": one.node.name, "message": reported} for one in status.nodes for reported in one.incidents
        ],
    }
