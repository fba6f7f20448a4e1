"""``kraftpy cluster stop`` and ``cluster start``: stop all nodes of a cluster in order, and start them again.

With ``--dir`` they act on a cluster that ``quickstart`` created: nodes are found by their locks and stopped by signals.
With ``-C`` they only check, because a process on another machine cannot be signalled: ``stop`` prints when and in which
order to stop the nodes, ``start`` waits until all of them are back.
The rules are in :mod:`kraftpy.disaster_recovery.cluster_shutdown`.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from kraftpy.cli.errors import CommandError, InterruptedCommandError, print_error
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import PathParam, Seconds, optional_connection_options, output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.waiting import WaitingLine, waiting_for
from kraftpy.disaster_recovery.cluster_shutdown import (
    ClusterShutdown,
    QuorumProgress,
    check_directories,
    read_shutdown,
    why_not_complete,
    why_not_stoppable,
)
from kraftpy.disaster_recovery.inspection import inspect_log_directory
from kraftpy.model.errors import ApiError, StorageError
from kraftpy.model.ids import NodeId
from kraftpy.storage.atomic_file import remove_if_exists, replace_file
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.locks import holder_of
from kraftpy.storage.os_errors import sync_names

if TYPE_CHECKING:
    from kraftpy.local_cluster.cluster import LocalCluster

RECORD = "cluster-shutdown.json"
POLL_S = 0.3
WAIT_S = 60.0
CALL_TIMEOUT_S = 5.0

DIR_OPTION = click.option(
    "--dir",
    "directory",
    type=PathParam(file_okay=False),
    metavar="DIR",
    help="Directory of a cluster that `kraftpy quickstart` created.",
)
ENDPOINTS_OPTIONS = optional_connection_options(CALL_TIMEOUT_S)
RECORD_OPTION = click.option(
    "--record",
    type=PathParam(dir_okay=False),
    metavar="FILE",
    help=f"File with the state at the shutdown. Default: {RECORD} in --dir, or in the current directory.",
)
WAIT_OPTION = click.option(
    "--wait", type=Seconds(), default=WAIT_S, show_default=True, metavar="SECONDS", help="Give up after this time."
)


@examples(
    "kraftpy cluster stop --dir kraftpy-data",
    "kraftpy cluster stop -C localhost:9193 --record stopped.json",
)
@click.command()
@DIR_OPTION
@ENDPOINTS_OPTIONS
@RECORD_OPTION
@WAIT_OPTION
@output_option
def stop(
    *,
    output: Output,
    directory: str | None,
    bootstrap: tuple[str, ...] | None,
    timeout: float,
    record: str | None,
    wait: float,
) -> None:
    """Stop all nodes of a cluster, brokers first, when every node holds every committed record.

    Stop all clients first: the command waits while anything is written, and fails after --wait. With -C it stops
    nothing, and prints in which order to stop the nodes.
    """
    endpoints = _endpoints(directory, bootstrap)
    file = _record_file(directory, record)
    _check_preconditions(file, directory)
    if directory is None:
        shutdown = _wait_until_stoppable(Calls(endpoints, timeout), None, wait)
        _write_record(file, shutdown)
        lines = [
            f"Every node holds all records below offset {shutdown.offset}. Written to {file}. Now stop, in this order:",
            "  1. the brokers",
            f"  2. the controllers except node {shutdown.leader_id}",
            f"  3. node {shutdown.leader_id}",
        ]
    else:
        shutdown = _stop_local(Path(directory), wait, timeout)
        _write_record(file, shutdown)
        lines = [f"Stopped {len(shutdown.node_ids)} nodes. Each holds all records below offset {shutdown.offset}.",
                 f"Written to {file}. To start them: kraftpy cluster start --dir {directory}"
                 + (f" --record {record}" if record else "")]  # fmt: skip
    data = {"endOffset": shutdown.offset, "leaderEpoch": shutdown.epoch, "nodeIds": list(shutdown.node_ids),
            "recordFile": str(file)}  # fmt: skip
    show(output, data, lines)


@examples(
    "kraftpy cluster start --dir kraftpy-data",
    "kraftpy cluster start -C localhost:9193 --record stopped.json --wait 120",
)
@click.command()
@DIR_OPTION
@ENDPOINTS_OPTIONS
@RECORD_OPTION
@WAIT_OPTION
@click.option("--once", is_flag=True, help="With --dir: stop the nodes again when all are back.")
@output_option
def start(
    *,
    output: Output,
    directory: str | None,
    bootstrap: tuple[str, ...] | None,
    timeout: float,
    record: str | None,
    wait: float,
    once: bool,
) -> None:
    """Start a cluster that `kraftpy cluster stop` stopped, and wait until all nodes are back.

    With --dir it starts the nodes and runs in the foreground, as `kraftpy quickstart` does. With -C it starts nothing,
    and waits for nodes that were started on their machines.
    """
    endpoints = _endpoints(directory, bootstrap)
    file = _record_file(directory, record)
    shutdown = read_shutdown(_read_record(file), str(file))

    def on_complete() -> None:
        fs = RealFileSystem()
        remove_if_exists(fs, str(file))
        sync_names(fs, str(file.parent))
        data = {"endOffset": shutdown.offset, "nodeIds": list(shutdown.node_ids)}
        show(
            output,
            data,
            [f"STARTED: all {len(shutdown.node_ids)} nodes are back, with all records below {shutdown.offset}"],
        )

    if directory is None:
        _wait_until_complete(Calls(endpoints, timeout), shutdown, wait)
        on_complete()
        return
    _compare_directories(Path(directory), shutdown)
    with asyncio.Runner() as runner:
        runner.run(_start_local(Path(directory), shutdown, wait, timeout, on_complete, once=once))


def _endpoints(directory: str | None, bootstrap: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the endpoints, none with ``--dir``. Both is a usage error, unless endpoints are from the environment."""
    ctx = click.get_current_context()
    if directory is not None and ctx.get_parameter_source("bootstrap") is ParameterSource.ENVIRONMENT:
        bootstrap = None
    if (directory is None) == (bootstrap is None):
        raise click.UsageError("name either --dir, or controllers with -C", ctx)
    return bootstrap or ()


def _record_file(directory: str | None, record: str | None) -> Path:
    return Path(record) if record is not None else Path(directory or ".") / RECORD


def _check_preconditions(file: Path, directory: str | None) -> None:
    """Check, before anything is stopped, that there is a cluster and that the file can be written."""
    from kraftpy.local_cluster.cluster import read_local_cluster

    if file.exists():
        raise CommandError(
            f"{file} exists: this cluster was stopped and not started again. Run "
            "`kraftpy cluster start`, or remove the file"
        )
    if directory is not None and read_local_cluster(Path(directory)).kafka_brokers:
        raise CommandError(
            f"{directory} has Kafka brokers, which this command does not stop: end its `kraftpy quickstart` with "
            "Ctrl-C or SIGTERM, which stops the brokers, then the controllers. Nothing was stopped"
        )
    place = file.absolute().parent
    if not os.access(place, os.W_OK | os.X_OK):
        raise CommandError(
            f"{file}: {place} is not a writable directory, and the state at the shutdown must be stored; name another "
            "file with --record. Nothing was stopped"
        )


def _write_record(file: Path, shutdown: ClusterShutdown) -> None:
    try:
        # Machines may be switched off after this: the file must be on the disk.
        replace_file(RealFileSystem(), str(file), shutdown.render().encode())
    except StorageError as error:
        raise CommandError(
            f"{str(error).removesuffix('.')}. The cluster is stopped. To start it with `kraftpy cluster start`, put "
            f"this line into a file and name it with --record: {shutdown.render()}"
        ) from error


def _read_record(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise CommandError(
            f"{file}: there is no such file: this cluster was not stopped by `kraftpy cluster stop`. Start it with "
            "`kraftpy quickstart --dir`, or name the file with --record if it is elsewhere"
        ) from None


# Polling the leader.


@dataclass(frozen=True, slots=True)
class Calls:
    """The endpoints, and the timeout of one call in seconds."""

    endpoints: tuple[str, ...]
    timeout: float


def _progress(calls: Calls, runner: asyncio.Runner, *, prints_waits: bool = True) -> tuple[QuorumProgress, str | None]:
    from kraftpy.cli.connection import connect

    with connect(calls.endpoints, calls.timeout, runner, prints_waits=prints_waits) as cluster:
        quorum = cluster.describe_quorum()
        cluster_id = cluster.describe_cluster().cluster_id
    replicas = (*quorum.observers, *quorum.voters)
    ends: Mapping[NodeId, int | None] = {one.key.node_id: one.log_end_offset for one in replicas}
    return QuorumProgress(
        leader_id=quorum.leader_id, epoch=quorum.leader_epoch, high_watermark=quorum.high_watermark, ends=ends
    ), cluster_id


def _wait_until_stoppable(calls: Calls, node_ids: tuple[NodeId, ...] | None, wait: float) -> ClusterShutdown:
    """Poll until the log did not grow between two polls and every node (``None``: that the leader knows) has all."""
    with asyncio.Runner() as runner:
        return _poll_until_stoppable(calls, node_ids, wait, runner)


def _poll_until_stoppable(
    calls: Calls, node_ids: tuple[NodeId, ...] | None, wait: float, runner: asyncio.Runner
) -> ClusterShutdown:
    deadline = _now() + wait
    before: QuorumProgress | None = None
    progress_line = WaitingLine(_now)
    while True:
        progress, cluster_id = _progress(calls, runner)
        wanted = tuple(sorted(progress.ends)) if node_ids is None else node_ids
        reason = why_not_stoppable(progress, wanted, before)
        if reason is None and progress.leader_id is not None and progress.high_watermark is not None:
            return ClusterShutdown(
                cluster_id=cluster_id,
                offset=progress.high_watermark,
                epoch=progress.epoch,
                leader_id=progress.leader_id,
                node_ids=wanted,
            )
        if _now() > deadline:
            raise CommandError(f"the cluster cannot be stopped after {wait:g} s: {reason}; nothing was stopped")
        before = progress
        progress_line.waits_for(reason)
        _pause()


def _wait_until_complete(
    calls: Calls, shutdown: ClusterShutdown, wait: float, is_stopped: Callable[[], bool] = lambda: False
) -> bool:
    """Poll until all nodes are back; return ``False`` when stopped before that."""
    with asyncio.Runner() as runner:
        return _poll_until_complete(calls, shutdown, wait, is_stopped, runner)


def _poll_until_complete(
    calls: Calls, shutdown: ClusterShutdown, wait: float, is_stopped: Callable[[], bool], runner: asyncio.Runner
) -> bool:
    deadline = _now() + wait
    progress_line = WaitingLine(_now)
    reason: str | None = None
    while not is_stopped():
        try:
            # Only the first answer is waited for without a reason that is printed already.
            progress, cluster_id = _progress(calls, runner, prints_waits=reason is None)
        except (CommandError, ApiError) as error:
            reason = str(error)
        else:
            if cluster_id != shutdown.cluster_id:
                raise CommandError(f"this is cluster {cluster_id}, not {shutdown.cluster_id}, which was stopped")
            reason = why_not_complete(progress, shutdown)
        if reason is None:
            return True
        if _now() > deadline:
            raise CommandError(f"not all nodes are back after {wait:g} s: {reason}")
        progress_line.waits_for(reason)
        _pause()
    return False


def _now() -> float:
    from kraftpy.runtime.clock import SystemClock

    return SystemClock().now_ms() / 1000


def _pause() -> None:
    time.sleep(POLL_S)


# A cluster on this machine.


def _stop_local(root: Path, wait: float, timeout: float) -> ClusterShutdown:
    from kraftpy.local_cluster.cluster import NodeKind, read_local_cluster

    cluster = read_local_cluster(root)
    holders = {node.node_id: holder_of(str(node.log_dirs[0])) for node in cluster.nodes}
    off = [node.name for node in cluster.nodes if holders[node.node_id] is None]
    if off:
        raise CommandError(
            f"not running: {', '.join(off)}. A stopped node may lack records: start it first. Nothing was stopped"
        )
    endpoints = tuple(node.grpc_endpoint for node in cluster.controllers if node.grpc_endpoint)
    shutdown = _wait_until_stoppable(Calls(endpoints, timeout), tuple(node.node_id for node in cluster.nodes), wait)
    deadline = _now() + wait
    for kind in (NodeKind.BROKER, NodeKind.CONTROLLER):
        _stop_kind({node.name: node.log_dirs[0] for node in cluster.nodes if node.kind is kind}, deadline)
    quickstart = holder_of(str(root))
    progress_line = WaitingLine(_now)
    while quickstart is not None and holder_of(str(root)) == quickstart and _now() < deadline:
        progress_line.waits_for("the quickstart that runs the nodes to end")
        _pause()
    _check_logs(cluster, shutdown)
    return shutdown


def _check_logs(cluster: LocalCluster, shutdown: ClusterShutdown) -> None:
    """Check that the log of every node is as it was at the shutdown."""
    fs = RealFileSystem()
    with waiting_for("the nodes' logs are read"):
        check_directories([inspect_log_directory(fs, str(node.log_dirs[0])) for node in cluster.nodes], shutdown)


def _stop_kind(directories: Mapping[str, Path], deadline: float) -> None:
    """Send SIGTERM to the holders of these directories, and wait until they are gone."""
    waiting = dict(directories)
    for path in waiting.values():
        pid = holder_of(str(path))
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
    progress_line = WaitingLine(_now)
    while waiting:
        waiting = {name: path for name, path in waiting.items() if holder_of(str(path)) is not None}
        if waiting and _now() > deadline:
            raise CommandError(f"{', '.join(waiting)} did not stop in time; the remaining nodes still run")
        if waiting:
            progress_line.waits_for(f"{', '.join(waiting)} to stop")
            _pause()


def _compare_directories(root: Path, shutdown: ClusterShutdown) -> None:
    from kraftpy.local_cluster.cluster import read_local_cluster

    cluster = read_local_cluster(root)
    if cluster.kafka_brokers:
        raise CommandError(f"{root} has Kafka brokers: start it with `kraftpy quickstart --dir {root}`")
    _check_logs(cluster, shutdown)


async def _start_local(
    root: Path, shutdown: ClusterShutdown, wait: float, answer_s: float, on_complete: Callable[[], None], *, once: bool
) -> None:
    from kraftpy.local_cluster.child_processes import ChildProcesses, ending_signals
    from kraftpy.local_cluster.cluster import read_local_cluster

    cluster = read_local_cluster(root)
    endpoints = tuple(node.grpc_endpoint for node in cluster.controllers if node.grpc_endpoint)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    received: set[signal.Signals] = set()

    def stop_nodes(number: signal.Signals) -> None:
        received.add(number)
        stopped.set()

    for number in ending_signals():
        loop.add_signal_handler(number, stop_nodes, number)
    children = ChildProcesses(cluster)
    context = click.get_current_context()

    def wait_until_complete() -> bool:
        # The TLS files are in the context of the running command, which a thread does not inherit.
        with context.scope(cleanup=False):
            return _wait_until_complete(Calls(endpoints, answer_s), shutdown, wait, stopped.is_set)

    try:
        await children.start_all()
        is_complete = await loop.run_in_executor(None, wait_until_complete)
        if is_complete:
            on_complete()
        if is_complete and not once:
            await stopped.wait()
    finally:
        errors = await children.stop_all()
        for error in errors:
            print_error(error)
    if errors:
        raise SystemExit(ExitCode.FAILURE)
    if signal.SIGINT in received:
        raise InterruptedCommandError
