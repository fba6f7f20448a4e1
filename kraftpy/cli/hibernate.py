"""``kraftpy hibernate`` and ``kraftpy resume``: a whole cluster stopped in order, and woken until all are back.

With ``--dir`` they act on a cluster that ``quickstart`` made: nodes are found by their locks and stopped by signals.
With ``-C`` they only look, because processes on other machines are not theirs to stop: ``hibernate`` says when and in
which order to do it, ``resume`` says when all are back.
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

import click
from click.core import ParameterSource

from kraftpy.cli.errors import CommandError, say_error
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import PathParam, Seconds, optional_connection_options, output_option
from kraftpy.cli.output import Output, show
from kraftpy.disaster_recovery.cluster_shutdown import (
    Rest,
    Seen,
    awake_because,
    check_rest,
    not_back_because,
    read_rest,
)
from kraftpy.disaster_recovery.inspection import survey_directory
from kraftpy.model.errors import ApiError, StorageError
from kraftpy.model.ids import NodeId
from kraftpy.storage.atomic_file import remove_if_exists, replace_file
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.locks import holder_of
from kraftpy.storage.os_errors import sync_names

RECORD = "hibernation.json"
POLL_S = 0.3
WAIT_S = 60.0
CALL_TIMEOUT_S = 5.0

DIR_OPTION = click.option(
    "--dir",
    "directory",
    type=PathParam(file_okay=False),
    metavar="DIR",
    help="A cluster that `kraftpy quickstart` made here.",
)
ENDPOINTS_OPTIONS = optional_connection_options(CALL_TIMEOUT_S)
RECORD_OPTION = click.option(
    "--record",
    type=PathParam(dir_okay=False),
    metavar="FILE",
    help=f"Where the moment is written down; default: {RECORD} in --dir, or here.",
)
WAIT_OPTION = click.option(
    "--wait", type=Seconds(), default=WAIT_S, show_default=True, metavar="SECONDS", help="How long it may take."
)


@click.command()
@DIR_OPTION
@ENDPOINTS_OPTIONS
@RECORD_OPTION
@WAIT_OPTION
@output_option
def hibernate(
    *,
    output: Output,
    directory: str | None,
    bootstrap: tuple[str, ...] | None,
    timeout: float,
    record: str | None,
    wait: float,
) -> None:
    """Stop a whole cluster once every node holds everything that is committed.

    Precondition: clients do not write any more. While they do, it waits, and gives up with what it waited for.
    """
    endpoints = _one_way(directory, bootstrap)
    file = _record_file(directory, record)
    _check_before(file, directory)
    if directory is None:
        rest = _wait_for_rest(Calls(endpoints, timeout), None, wait)
        _write_record(file, rest)
        lines = [
            f"Every node holds everything below offset {rest.offset}. Written to {file}. Now stop, in this order:",
            "  1. the brokers",
            f"  2. the controllers but node {rest.leader_id}",
            f"  3. node {rest.leader_id}",
        ]
    else:
        rest = _stop_sandbox(Path(directory), wait, timeout)
        _write_record(file, rest)
        lines = [f"Stopped {len(rest.node_ids)} nodes; every one of them holds everything below offset {rest.offset}.",
                 f"Written to {file}; wake them with: kraftpy resume --dir {directory}"
                 + (f" --record {record}" if record else "")]  # fmt: skip
    data = {"offset": rest.offset, "epoch": rest.epoch, "nodes": list(rest.node_ids), "record": str(file)}
    show(output, data, lines)


@click.command()
@DIR_OPTION
@ENDPOINTS_OPTIONS
@RECORD_OPTION
@WAIT_OPTION
@click.option("--once", is_flag=True, help="With --dir: stop again when all are back.")
@output_option
def resume(
    *,
    output: Output,
    directory: str | None,
    bootstrap: tuple[str, ...] | None,
    timeout: float,
    record: str | None,
    wait: float,
    once: bool,
) -> None:
    """Wake a cluster that `kraftpy hibernate` put to rest, and say so when all of it is back.

    With --dir it starts the nodes and stays in the foreground, as `kraftpy quickstart` does.
    """
    endpoints = _one_way(directory, bootstrap)
    file = _record_file(directory, record)
    rest = read_rest(_record(file), str(file))

    def back() -> None:
        fs = RealFileSystem()
        remove_if_exists(fs, str(file))
        sync_names(fs, str(file.parent))
        data = {"resumed": True, "offset": rest.offset, "nodes": list(rest.node_ids)}
        show(output, data, [f"RESUMED: all {len(rest.node_ids)} nodes are back, with everything below {rest.offset}"])

    if directory is None:
        _wait_until_back(Calls(endpoints, timeout), rest, wait)
        back()
        return
    _check_directories(Path(directory), rest)
    with asyncio.Runner() as runner:
        runner.run(_run_sandbox(Path(directory), rest, wait, timeout, back, once=once))


def _one_way(directory: str | None, bootstrap: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the endpoints, none with ``--dir``; both at once are refused, but for endpoints of the environment."""
    ctx = click.get_current_context()
    if directory is not None and ctx.get_parameter_source("bootstrap") is ParameterSource.ENVIRONMENT:
        bootstrap = None
    if (directory is None) == (bootstrap is None):
        raise click.UsageError("name either --dir, or controllers with -C", ctx)
    return bootstrap or ()


def _record_file(directory: str | None, record: str | None) -> Path:
    return Path(record) if record is not None else Path(directory or ".") / RECORD


def _check_before(file: Path, directory: str | None) -> None:
    """Check, before anything is stopped, that there is a cluster and that the moment can be written down."""
    from kraftpy.local_cluster.cluster import read_sandbox

    if file.exists():
        raise CommandError(
            f"{file} is there: this cluster was put to rest and not resumed; resume it, or remove the file"
        )
    if directory is not None:
        read_sandbox(Path(directory))
    place = file.absolute().parent
    if not os.access(place, os.W_OK | os.X_OK):
        raise CommandError(
            f"{file}: {place} is no directory that can be written to, and what a cluster rests at has to be written "
            "down; name another file with --record. Nothing was stopped"
        )


def _write_record(file: Path, rest: Rest) -> None:
    try:
        # Machines are switched off after this: it has to be on the disk.
        replace_file(RealFileSystem(), str(file), rest.render().encode())
    except StorageError as error:
        raise CommandError(
            f"{str(error).removesuffix('.')}. The cluster rests; to be able to resume it, put this line into a file "
            f"and name that with --record: {rest.render()}"
        ) from error


def _record(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise CommandError(
            f"{file}: there is no such file, so nothing says that this cluster was put to rest. A cluster that was not "
            "is started as ever (`kraftpy quickstart --dir`); a record that was kept elsewhere is named with --record"
        ) from None


# Looking.


@dataclass(frozen=True, slots=True)
class Calls:
    """Whom to ask, and how long one answer may take, in seconds."""

    endpoints: tuple[str, ...]
    timeout: float


def _seen(calls: Calls, runner: asyncio.Runner) -> tuple[Seen, str | None]:
    from kraftpy.cli.connection import connect

    with connect(calls.endpoints, calls.timeout, runner) as cluster:
        quorum = cluster.describe_quorum()
        cluster_id = cluster.describe_cluster().cluster_id
    replicas = (*quorum.observers, *quorum.voters)
    ends: Mapping[NodeId, int | None] = {one.key.node_id: one.log_end_offset for one in replicas}
    return Seen(
        leader_id=quorum.leader_id, epoch=quorum.leader_epoch, high_watermark=quorum.high_watermark, ends=ends
    ), cluster_id


def _wait_for_rest(calls: Calls, node_ids: tuple[NodeId, ...] | None, wait: float) -> Rest:
    """Look until nothing was written between two looks and every node (``None``: that the leader knows of) has all."""
    with asyncio.Runner() as runner:
        return _look_for_rest(calls, node_ids, wait, runner)


def _look_for_rest(calls: Calls, node_ids: tuple[NodeId, ...] | None, wait: float, runner: asyncio.Runner) -> Rest:
    deadline = _now() + wait
    before: Seen | None = None
    while True:
        seen, cluster_id = _seen(calls, runner)
        wanted = tuple(sorted(seen.ends)) if node_ids is None else node_ids
        reason = awake_because(seen, wanted, before)
        if reason is None and seen.leader_id is not None and seen.high_watermark is not None:
            return Rest(
                cluster_id=cluster_id,
                offset=seen.high_watermark,
                epoch=seen.epoch,
                leader_id=seen.leader_id,
                node_ids=wanted,
            )
        if _now() > deadline:
            raise CommandError(f"the cluster does not rest after {wait:g} s: {reason}; nothing was stopped")
        before = seen
        _pause()


def _wait_until_back(calls: Calls, rest: Rest, wait: float, is_stopped: Callable[[], bool] = lambda: False) -> bool:
    """Look until all are back; return whether they are, or ``False`` when it was stopped."""
    with asyncio.Runner() as runner:
        return _look_until_back(calls, rest, wait, is_stopped, runner)


def _look_until_back(
    calls: Calls, rest: Rest, wait: float, is_stopped: Callable[[], bool], runner: asyncio.Runner
) -> bool:
    deadline = _now() + wait
    while not is_stopped():
        reason: str | None
        try:
            seen, cluster_id = _seen(calls, runner)
        except (CommandError, ApiError) as error:
            reason = str(error)
        else:
            if cluster_id != rest.cluster_id:
                raise CommandError(f"this is cluster {cluster_id}, and {rest.cluster_id} was put to rest")
            reason = not_back_because(seen, rest)
        if reason is None:
            return True
        if _now() > deadline:
            raise CommandError(f"not all are back after {wait:g} s: {reason}")
        _pause()
    return False


def _now() -> float:
    from kraftpy.runtime.clock import SystemClock

    return SystemClock().now_ms() / 1000


def _pause() -> None:
    time.sleep(POLL_S)


# A cluster on this machine.


def _stop_sandbox(root: Path, wait: float, timeout: float) -> Rest:
    from kraftpy.local_cluster.cluster import NodeKind, read_sandbox

    sandbox = read_sandbox(root)
    holders = {node.node_id: holder_of(str(node.log_dirs[0])) for node in sandbox.nodes}
    off = [node.name for node in sandbox.nodes if holders[node.node_id] is None]
    if off:
        raise CommandError(
            f"not running: {', '.join(off)}. What does not run may be behind: start it first; nothing was stopped"
        )
    endpoints = tuple(node.grpc_endpoint for node in sandbox.controllers if node.grpc_endpoint)
    rest = _wait_for_rest(Calls(endpoints, timeout), tuple(node.node_id for node in sandbox.nodes), wait)
    deadline = _now() + wait
    for kind in (NodeKind.BROKER, NodeKind.CONTROLLER):
        _stop_kind({node.name: node.log_dirs[0] for node in sandbox.nodes if node.kind is kind}, deadline)
    quickstart = holder_of(str(root))
    while quickstart is not None and holder_of(str(root)) == quickstart and _now() < deadline:
        _pause()
    fs = RealFileSystem()
    check_rest([survey_directory(fs, str(node.log_dirs[0])) for node in sandbox.nodes], rest)
    return rest


def _stop_kind(directories: Mapping[str, Path], deadline: float) -> None:
    """Send SIGTERM to the holders of these directories, and wait until they have let go."""
    waiting = dict(directories)
    for path in waiting.values():
        pid = holder_of(str(path))
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
    while waiting:
        waiting = {name: path for name, path in waiting.items() if holder_of(str(path)) is not None}
        if waiting and _now() > deadline:
            raise CommandError(f"{', '.join(waiting)} did not stop in time; the others were left running")
        if waiting:
            _pause()


def _check_directories(root: Path, rest: Rest) -> None:
    from kraftpy.local_cluster.cluster import read_sandbox

    sandbox = read_sandbox(root)
    fs = RealFileSystem()
    check_rest([survey_directory(fs, str(node.log_dirs[0])) for node in sandbox.nodes], rest)


async def _run_sandbox(
    root: Path, rest: Rest, wait: float, answer_s: float, back: Callable[[], None], *, once: bool
) -> None:
    from kraftpy.local_cluster.child_processes import Children, ending_signals
    from kraftpy.local_cluster.cluster import read_sandbox

    sandbox = read_sandbox(root)
    endpoints = tuple(node.grpc_endpoint for node in sandbox.controllers if node.grpc_endpoint)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in ending_signals():
        loop.add_signal_handler(number, stopped.set)
    children = Children(sandbox)
    context = click.get_current_context()

    def wait_until_back() -> bool:
        # The TLS files are the running command's, which a thread does not know by itself.
        with context.scope(cleanup=False):
            return _wait_until_back(Calls(endpoints, answer_s), rest, wait, stopped.is_set)

    try:
        await children.start_all()
        is_back = await loop.run_in_executor(None, wait_until_back)
        if is_back:
            back()
        if is_back and not once:
            await stopped.wait()
    finally:
        complaints = await children.stop_all()
        for complaint in complaints:
            say_error(complaint)
    if complaints:
        raise SystemExit(ExitCode.FAILURE)
