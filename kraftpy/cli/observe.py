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

from kraftpy.cli.errors import UnreachableError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import TIMEOUT_SECONDS, PathParam, Seconds, output_option, secrets_option, waits_for_start
from kraftpy.cli.output import Output, json_line

if TYPE_CHECKING:
    from kraftpy.model.voters import Endpoint
    from kraftpy.quorum_tools.access import QuorumAccess
    from kraftpy.quorum_tools.observer import ObservedRecord

LISTENER_NAME = "CONTROLLER"

Command = TypeVar("Command", bound=Callable[..., Any])


def _endpoints(ctx: click.Context, param: click.Parameter, value: str) -> tuple[Endpoint, ...]:
    from kraftpy.config.endpoints import parse_bootstrap_servers

    try:
        endpoints = parse_bootstrap_servers((item.strip() for item in value.split(",") if item.strip()), LISTENER_NAME)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from error
    if not endpoints:
        raise click.BadParameter("names no endpoint; expected host:port,...", ctx, param)
    return endpoints


def controllers_option(command: Command) -> Command:
    """Add where some controllers of the quorum listen, passed as ``controllers``."""
    return click.option(
        "-C", "--bootstrap-controllers", "--bootstrap-controller", "controllers", required=True,
        metavar="HOST:PORT,...", callback=_endpoints,
        help="Controller listeners of the quorum: host:port,... (Kafka's protocol, not gRPC).",
    )(command)  # fmt: skip


def access_options(command: Command) -> Command:
    """Add how connections are protected, passed as ``access``: a :class:`~kraftpy.quorum_tools.access.QuorumAccess`."""

    @functools.wraps(command)
    def with_access(
        *args: Any, tls_ca: str | None, tls_cert: str | None, command_config: str | None, **options: Any
    ) -> Any:
        return command(*args, access=_access(tls_ca, tls_cert, command_config), **options)

    for option in (
        click.option(
            "--tls-cert", metavar="FILE", type=PathParam(dir_okay=False),
            help="PEM file with the client's private key and certificate chain; enables TLS.",
        ),
        click.option(
            "--tls-ca", metavar="FILE", type=PathParam(dir_okay=False),
            help="PEM file with trusted certificate authorities; enables TLS.",
        ),
        click.option(
            "--command-config", metavar="FILE", type=PathParam(dir_okay=False),
            help="Properties file with security.protocol, sasl.* and ssl.*; in place of the options for TLS.",
        ),
    ):  # fmt: skip
        with_access = option(with_access)
    return cast("Command", with_access)


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
    from kraftpy.quorum_tools.observer import NoControllerError

    log_to_stderr()
    place: AbstractContextManager[str] = (
        tempfile.TemporaryDirectory(prefix="kraftpy-observe-") if directory is None else nullcontext(directory)
    )
    with place as chosen:
        try:
            return asyncio.run(_follow(controllers, chosen, timeout, access, output, show_secrets=show_secrets))
        except NoControllerError as error:
            raise UnreachableError(str(error)) from error


def _access(authorities: str | None, identity: str | None, config_path: str | None) -> QuorumAccess:
    """Read the files; a plain connection without SASL when there are none."""
    from kraftpy.quorum_tools.access import PLAINTEXT, QuorumAccess

    if authorities is None and identity is None and config_path is None:
        return PLAINTEXT
    from kraftpy.transport.tls import COMMAND_LINE, TlsFiles, client_context

    if config_path is None:
        return QuorumAccess(client_context(TlsFiles(certificate=identity, trust=authorities, names=COMMAND_LINE)))
    if authorities is not None or identity is not None:
        raise click.UsageError(
            "--command-config names the files for TLS itself: ssl.truststore.location, ssl.keystore.location."
        )
    from kraftpy.config.client_config import parse_client_config
    from kraftpy.config.node_config import read_config_text
    from kraftpy.node.authentication import login_of

    config = parse_client_config(read_config_text(config_path), config_path)
    tls = None
    if config.tls is not None:
        files = TlsFiles(
            certificate=config.tls.certificate, trust=config.tls.trust, key_password=config.tls.key_password
        )
        tls = client_context(files, check_hostname=config.tls.checks_hostname)
    return QuorumAccess(tls, None if config.login is None else login_of(config.login))


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
    from kraftpy.quorum_tools.observer import Observer, find_controllers

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
    ending = ExitCode.OK

    def interrupted() -> None:
        nonlocal ending
        ending = ExitCode.INTERRUPTED
        observer.stop()

    loop.add_signal_handler(signal.SIGTERM, observer.stop)
    loop.add_signal_handler(signal.SIGINT, interrupted)
    end = observer.replica.log_end_offset
    for complaint in complaints:
        click.echo(f"# {complaint}", err=True)
    click.echo(f"# cluster {cluster_id or '(not stated)'}; the copy in {directory} ends at {end}", err=True)
    await observer.run()
    return ending


def _text(record: ObservedRecord, output: Output) -> str:
    if output is Output.TABLE:
        place = f"snapshot {record.snapshot_end}" if record.offset is None else str(record.offset)
        return f"{place}\t{record.epoch}\t{record.data['type']}\t{json_line(record.data['data'])}"
    where = {"offset": record.offset} if record.offset is not None else {"snapshotEndOffset": record.snapshot_end}
    return json_line({**where, "epoch": record.epoch, **record.data})
