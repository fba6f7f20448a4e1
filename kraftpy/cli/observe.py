"""``kraftpy observe``: follow a quorum, Kafka's or ours, keep a byte-equal copy of its log, and print what changes.

Records go to standard output, one line each, as soon as they are committed; who leads goes to standard error. The copy
in ``--dir`` is a metadata directory like a node's (``dump-log``, ``inspect`` and Kafka's own tools read it), and the
next run goes on where it ends. SIGTERM ends it, or Ctrl-C, with the code for that.
"""

from __future__ import annotations

import asyncio
import functools
import signal
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from kraftpy.cli.errors import InterruptedCommandError, UnreachableError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import (
    LISTENER_NAME,
    TIMEOUT_SECONDS,
    PathParam,
    Seconds,
    TlsOptions,
    bootstrap_option,
    chosen_tls,
    output_option,
    protection_options,
    secrets_option,
    waits_for_start,
)
from kraftpy.cli.output import Output, author_column, json_line, stream_item, streamed_json
from kraftpy.cli.waiting import answer_from, waiting_for

if TYPE_CHECKING:
    from kraftpy.model.voters import Endpoint
    from kraftpy.quorum_tools.access import QuorumAccess
    from kraftpy.quorum_tools.observer import ObservedRecord

Command = TypeVar("Command", bound=Callable[..., Any])


def controllers_option(command: Command) -> Command:
    """Add where some controllers of the quorum listen, passed as ``controllers``."""

    @functools.wraps(command)
    def with_endpoints(*args: Any, controllers: tuple[str, ...], **options: Any) -> Any:
        from kraftpy.config.endpoints import parse_bootstrap_servers

        return command(*args, controllers=parse_bootstrap_servers(controllers, LISTENER_NAME), **options)

    return cast("Command", bootstrap_option(is_required=True, name="controllers")(with_endpoints))


def access_options(command: Command) -> Command:
    """Add how connections are protected, passed as ``access``: a :class:`~kraftpy.quorum_tools.access.QuorumAccess`."""

    @functools.wraps(command)
    def with_access(*args: Any, **options: Any) -> Any:
        return command(*args, access=_access(chosen_tls()), **options)

    return cast("Command", protection_options(with_access))


class _EndedBySignal(click.Command):
    """A command whose end is SIGTERM, with OK from the first moment on: before its options are read, or a loop runs."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Handle the signal before anything that takes time, and until the command is over."""

        def end(_number: int, _frame: FrameType | None) -> None:
            raise SystemExit(ExitCode.OK)

        before = signal.signal(signal.SIGTERM, end)
        try:
            made = super().make_context(info_name, args, parent, **extra)
        except BaseException:
            signal.signal(signal.SIGTERM, before)
            raise
        made.call_on_close(lambda: signal.signal(signal.SIGTERM, before))
        return made


@examples(
    "kraftpy observe -C kafka-1:9093,kafka-2:9093 --dir metadata-copy",
    "kraftpy observe -C kafka-1:9093 -o jsonl",
)
@click.command("observe", cls=_EndedBySignal)
@controllers_option
@click.option("--dir", "directory", type=PathParam(file_okay=False), metavar="D",
              help="Directory for the copy. Not set: a temporary directory.")  # fmt: skip
@click.option("--timeout", type=Seconds(), default=TIMEOUT_SECONDS, show_default=True,
              metavar="SECONDS",
              help="Fail if no controller is found in this time; if given, starting nodes are waited for.")  # fmt: skip
@secrets_option
@access_options
@output_option
def observe(
    controllers: tuple[Endpoint, ...],
    directory: str | None,
    timeout: float,
    *,
    access: QuorumAccess,
    show_secrets: bool,
    output: Output,
) -> int:
    """Copy a quorum's log byte by byte as an observer, over Kafka's protocol, and print new records."""
    from kraftpy.cli.kafka_port import at_controllers
    from kraftpy.quorum_tools.observer import NoControllerError

    log_to_stderr()
    place: AbstractContextManager[str] = (
        tempfile.TemporaryDirectory(prefix="kraftpy-observe-") if directory is None else nullcontext(directory)
    )
    with place as chosen:
        try:
            return at_controllers(
                controllers,
                lambda found: _follow(found, chosen, timeout, access, output, show_secrets=show_secrets),
                failure=NoControllerError,
                access=access,
                timeout_s=timeout,
            )
        except NoControllerError as error:
            raise UnreachableError(str(error)) from error


def _access(chosen: TlsOptions) -> QuorumAccess:
    """Read the files; a plain connection without SASL when there are none."""
    from kraftpy.quorum_tools.access import PLAINTEXT, QuorumAccess

    if chosen == TlsOptions():
        return PLAINTEXT
    from kraftpy.transport.tls import COMMAND_LINE, TlsFiles, client_context, look_context

    config_path = chosen.command_config
    if config_path is None:
        files = TlsFiles(certificate=chosen.identity, trust=chosen.authorities, names=COMMAND_LINE)
        return QuorumAccess(client_context(files), look_tls=look_context(files))
    if chosen.authorities is not None or chosen.identity is not None:
        raise click.UsageError(
            "--command-config names the files for TLS itself: ssl.truststore.location, ssl.keystore.location."
        )
    from kraftpy.config.client_config import parse_client_config
    from kraftpy.config.node_config import read_config_text
    from kraftpy.node.authentication import login_of

    config = parse_client_config(read_config_text(config_path), config_path)
    tls = look_tls = None
    if config.tls is not None:
        files = TlsFiles(
            certificate=config.tls.certificate, trust=config.tls.trust, key_password=config.tls.key_password
        )
        tls, look_tls = client_context(files, check_hostname=config.tls.checks_hostname), look_context(files)
    return QuorumAccess(tls, None if config.login is None else login_of(config.login), look_tls)


def log_to_stderr(level: str = "warning") -> None:
    """Let what the driver logs go to standard error: standard output is for the command's own lines."""
    from kraftpy.node.logs import configure_logging

    configure_logging(level=level, form="console", node_id=None)


async def _follow(
    controllers: tuple[Endpoint, ...],
    directory: str,
    timeout_s: float,
    access: QuorumAccess,
    output: Output,
    *,
    show_secrets: bool,
) -> ExitCode:
    from kraftpy.cli.kafka_port import addresses_of
    from kraftpy.quorum_tools.observer import Observer, find_controllers

    with waiting_for(answer_from(addresses_of(controllers), timeout_s)):
        cluster_id, complaints = await find_controllers(
            controllers, access=access, timeout_s=timeout_s, may_start=waits_for_start()
        )
    observer = Observer(
        directory=directory,
        controllers=controllers,
        cluster_id=cluster_id,
        show=lambda record: click.echo(_text(record, output)),
        report=lambda sentence: click.echo(f"# {sentence}", err=True),
        access=access,
        shows_secrets=show_secrets,
    )
    loop = asyncio.get_running_loop()
    is_interrupted = False

    def interrupted() -> None:
        nonlocal is_interrupted
        is_interrupted = True
        observer.stop()

    loop.add_signal_handler(signal.SIGTERM, observer.stop)
    loop.add_signal_handler(signal.SIGINT, interrupted)
    end = observer.replica.log_end_offset
    for complaint in complaints:
        click.echo(f"# {complaint}", err=True)
    click.echo(f"# cluster {cluster_id or '(not stated)'}; the copy in {directory} ends at {end}", err=True)
    await observer.run()
    if is_interrupted:
        raise InterruptedCommandError
    return ExitCode.OK


def _text(record: ObservedRecord, output: Output) -> str:
    if output is Output.TABLE:
        place = f"snapshot {record.snapshot_end}" if record.offset is None else str(record.offset)
        line = f"{place}\t{record.epoch}\t{record.data['type']}\t{json_line(record.data['data'])}"
        return line + author_column(record.data)
    return stream_item(streamed_json(record.offset, record.snapshot_end, record.epoch, record.data), output)
