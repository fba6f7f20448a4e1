"""Flags that several commands share, so that they are spelt and explained once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.core import ParameterSource

from kraftpy.cli.errors import CommandError
from kraftpy.cli.output import FORMAT_VERSION, Output
from kraftpy.cli.suggestions import WordChoice

if TYPE_CHECKING:
    from kraftpy.model.consistency import Consistency

Command = TypeVar("Command", bound=Callable[..., Any])

OUTPUT_CHOICE = WordChoice([output.value for output in Output])

CONSISTENCIES: Final = ("committed", "linearizable")
"""The values of ``model.consistency``, the default first."""

TIMEOUT_SECONDS = 15.0
"""How long an online command waits for an answer by default."""


SECONDS_MAX = 604_800
"""A week: longer than any user waits, and within the protocols' fields in milliseconds."""

DIGITS_MAX = 20
"""More digits than any number has that a command takes."""

METRICS_ADDRESSES_MAX: Final = 200
"""Of how many nodes one command reads the metrics, which it keeps in memory."""

BOOTSTRAP_VARIABLE: Final = "KRAFTPY_BOOTSTRAP_CONTROLLER"

LISTENER_NAME: Final = "CONTROLLER"
"""What listeners of Kafka's protocol are called here, whatever their names are at the nodes."""

TLS_FLAGS = {
    "--tls-cert": "PEM file with the client's private key and certificate chain; enables TLS.",
    "--tls-ca": "PEM file with trusted certificate authorities; enables TLS.",
    "--command-config": "Properties file with security.protocol, sasl.* and ssl.*; in place of the options for TLS.",
}


class Seconds(click.FloatRange):
    """More than nothing, and an end to it: neither ``inf`` nor ``nan`` is a time to wait, nor what no message holds."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read a number above 0."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if not 0 < seconds <= SECONDS_MAX:
            text = str(value)
            self.fail(
                f"{text!r:.60} is not a number of seconds above 0 and up to {SECONDS_MAX}, such as 2.5", param, ctx
            )
        return seconds


class PathParam(click.Path):
    """A file or a directory; an empty name is none, though Python would take it for the working directory.

    A required path that does not exist is not a usage error, in any command.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a path."""
        if not str(value):
            self.fail("the name is empty", param, ctx)
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            if self.exists:
                raise CommandError(error.message) from error
            raise


class WholeNumber(click.IntRange):
    """A whole number in a range, with both ends said whatever is wrong with it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read decimal digits."""
        text = str(value)
        digits = text.removeprefix("-")
        is_number = text.isascii() and digits.isdigit() and len(digits) <= DIGITS_MAX
        number = int(text) if is_number else None
        if number is None or number < (self.min or 0) or (self.max is not None and number > self.max):
            most = "up" if self.max is None else f"to {self.max}"
            self.fail(f"{text!r:.60} is not a whole number from {self.min or 0} {most}", param, ctx)
        return number


NODE_ID = WholeNumber(0, 2**31 - 1)
OFFSET = WholeNumber(0, 2**63 - 1)
COUNT = WholeNumber(1, 2**63 - 1)


def output_option(command: Command) -> Command:
    """Add ``-o/--output``, passed as ``output``; without it, what was given before the command's name holds."""
    command = format_version_option(command)
    return click.option(
        "-o", "--output", type=OUTPUT_CHOICE, callback=_output, show_default="table", expose_value=True,
        help="Output format: text, one JSON value, one JSON value per line, or YAML.",
    )(command)  # fmt: skip


def format_version_option(command: Command) -> Command:
    """Add ``--format-version``; it is not passed on: there is one version, and any other is refused."""
    return click.option(
        "--format-version", type=WholeNumber(1, 2**31 - 1), metavar="N", expose_value=False,
        callback=_check_format_version,
        help=f"Fail unless JSON and YAML have this version of names and types; it is {FORMAT_VERSION}.",
    )(command)  # fmt: skip


def _check_format_version(ctx: click.Context, param: click.Parameter, value: int | None) -> None:
    if value not in {None, FORMAT_VERSION}:
        text = f"version {value} is not known; this kraftpy writes version {FORMAT_VERSION} (docs/json.md)"
        raise click.BadParameter(text, ctx, param)


def _output(ctx: click.Context, param: click.Parameter, value: str | None) -> Output:
    del param
    inherited = ctx.find_root().obj
    if value is not None:
        return Output(value)
    return inherited if isinstance(inherited, Output) else Output.TABLE


def secrets_option(command: Command) -> Command:
    """Add ``--show-secrets``, passed as ``show_secrets``."""
    return click.option(
        "--show-secrets", is_flag=True,
        help="Print passwords and SCRAM credentials in clear text instead of [redacted] or [hidden].",
    )(command)  # fmt: skip


def connection_options(command: Command) -> Command:
    """Add where to find a controller and how long to wait, passed as ``bootstrap`` and ``timeout``.

    The TLS files are not passed on: :func:`chosen_tls` has them for each connection.
    """
    return _connection_options(command, timeout=TIMEOUT_SECONDS, is_required=True)


def read_options(command: Command) -> Command:
    """Add what the answer may be relied on for, passed as ``consistency`` and ``min_offset``."""
    command = click.option(
        "--min-offset", type=OFFSET, metavar="N",
        help="Wait until the state contains offset N, such as that of an earlier change.",
    )(command)  # fmt: skip
    return click.option(
        "--consistency", type=WordChoice(CONSISTENCIES), default=CONSISTENCIES[0],
        show_default=True, callback=_consistency,
        help="committed: the node's own state; linearizable: with all writes acknowledged before, from the leader.",
    )(command)  # fmt: skip


def _consistency(_ctx: click.Context, _param: click.Parameter, value: str) -> Consistency:
    from kraftpy.model.consistency import Consistency

    return Consistency(value)


def optional_connection_options(timeout: float) -> Callable[[Command], Command]:
    """Add the same to a command that has another way, too; ``bootstrap`` is ``None`` where it was not given.

    Args:
        timeout: how long to wait for an answer by default, in seconds.
    """
    return lambda command: _connection_options(command, timeout=timeout, is_required=False)


def metrics_option(command: Command) -> Command:
    """Add ``--metrics``, passed as ``metrics``: the metrics listeners of nodes, which no node reports."""
    return click.option(
        "--metrics", metavar="HOST:PORT,...", callback=_metrics_addresses,
        help="metrics.listener of nodes, whose metrics are read: host:port,... Default: none.",
    )(command)  # fmt: skip


def _metrics_addresses(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...]:
    addresses = _addresses(ctx, param, value) or ()
    if len(addresses) > METRICS_ADDRESSES_MAX:
        text = f"names {len(addresses)} addresses; at most {METRICS_ADDRESSES_MAX} are read at once"
        raise click.BadParameter(text, ctx, param)
    return addresses


def protection_options(command: Command) -> Command:
    """Add how connections are protected; it is not passed on: :func:`chosen_tls` has it for each connection."""
    for flag, meaning in TLS_FLAGS.items():
        command = click.option(
            flag, metavar="FILE", expose_value=False, callback=_remember, type=PathParam(dir_okay=False), help=meaning
        )(command)
    return command


def bootstrap_option(*, is_required: bool, name: str = "bootstrap") -> Callable[[Command], Command]:
    """Add where some controllers of the cluster are, passed under a name as ``host:port`` each."""
    return click.option(
        "-C", "--bootstrap-controller", "--bootstrap-controllers", "--bootstrap-server", name,
        required=is_required, metavar="HOST:PORT,...", envvar=BOOTSTRAP_VARIABLE, callback=_addresses,
        help=f"Addresses of controllers: host:port,... of any of their listeners. Default: {BOOTSTRAP_VARIABLE}.",
    )  # fmt: skip


def _connection_options(command: Command, *, timeout: float, is_required: bool) -> Command:
    command = protection_options(command)
    command = click.option(
        "--timeout", type=Seconds(), default=timeout, show_default=True,
        metavar="SECONDS", help="Timeout of a request, in seconds; if given, starting nodes are waited for.",
    )(command)  # fmt: skip
    return bootstrap_option(is_required=is_required)(command)


def _remember(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if param.name is not None:
        ctx.meta[f"{__name__}.{param.name}"] = value


@dataclass(frozen=True, slots=True)
class TlsOptions:
    """How the connection is protected: PEM files, with any of which TLS is spoken, or a file that says all of it."""

    authorities: str | None = None
    identity: str | None = None
    command_config: str | None = None


def chosen_tls() -> TlsOptions:
    """Return how the running command was asked to protect its connections."""
    ctx = click.get_current_context(silent=True)
    meta = {} if ctx is None else ctx.meta
    return TlsOptions(*(meta.get(f"{__name__}.{name}") for name in ("tls_ca", "tls_cert", "command_config")))


def waits_for_start() -> bool:
    """Return whether the running command waits for nodes that do not listen yet: a time to wait was asked for."""
    ctx = click.get_current_context(silent=True)
    source = None if ctx is None else ctx.get_parameter_source("timeout")
    return source in {ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT}


def _addresses(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    from kraftpy.config.endpoints import parse_named_address

    addresses = tuple(item.strip() for item in value.split(",") if item.strip())
    try:
        for address in addresses:
            parse_named_address(address)
    except ValueError as error:
        raise click.BadParameter(f"{error}{_where_from(ctx, param)}", ctx, param) from error
    if not addresses:
        raise click.BadParameter(f"names no endpoint; expected host:port,...{_where_from(ctx, param)}", ctx, param)
    return addresses


def _where_from(ctx: click.Context, param: click.Parameter) -> str:
    is_inherited = ctx.get_parameter_source(param.name) is ParameterSource.ENVIRONMENT
    return f"; it is from the environment: {param.envvar}" if is_inherited else ""
