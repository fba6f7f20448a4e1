"""``kraftpy controller``, ``kraftpy broker``, ``kraftpy server``: run one node in the foreground."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Mapping

import click

from kraftpy.cli.errors import CommandError, InterruptedCommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import PathParam
from kraftpy.cli.overrides import override_option, own_environment
from kraftpy.config.node_config import NodeConfig, load_config
from kraftpy.model.errors import ConfigError

GC_THRESHOLD = 20_000
"""How many more objects are made than freed before the collector looks at the young ones (Python's default is 700)."""


def _run(load: Callable[[], NodeConfig]) -> None:
    # Late: the node brings in grpc, which the command's help does not need.
    from kraftpy.node.divergence import StateDivergedError
    from kraftpy.node.logs import configure_logging
    from kraftpy.node.node import Node
    from kraftpy.node.reloading import ConfigReloader
    from kraftpy.node.supervisor import run_node

    config = load()
    node_id = config.node_id if config.has_node_id else None
    configure_logging(level=config.log_level, form=config.log_format, node_id=node_id)
    # A thread that waits for the interpreter lock gets it after 0.5 ms instead of 5: flushes of a slow disk and the
    # poller of grpc run in threads.
    sys.setswitchinterval(0.0005)
    # Requests make many short-lived objects and no cycles to speak of: look at them seldom.
    gc.set_threshold(GC_THRESHOLD)
    # What is imported by now lives as long as the process: a full collection need not look through it. Garbage in it is
    # kept as well; to collect it first would take longer than most of the start.
    gc.freeze()

    reloader = ConfigReloader(config, load)
    received: set[signal.Signals] = set()

    def heeds_signals(node: Node) -> None:
        loop = asyncio.get_running_loop()
        reloader.attach(node.settings)

        def reload() -> None:
            node.reload_certificates()
            reloader.reload()

        def stop(number: signal.Signals) -> None:
            received.add(number)
            node.request_stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop, number)
        loop.add_signal_handler(signal.SIGHUP, reload)

    async def main() -> None:
        await run_node(config, heeds_signals)

    try:
        with asyncio.Runner() as runner:
            runner.run(main())
    except StateDivergedError as error:
        # A supervisor sees by the code that starting it again does not help.
        raise CommandError(str(error), ExitCode.FINDINGS) from error
    if signal.SIGINT in received:
        raise InterruptedCommandError


def _checked(path: str, overrides: Mapping[str, str], role: str) -> NodeConfig:
    config = load_config(path, overrides, own_environment())
    if role not in config.roles:
        raise ConfigError(f"{path}: process.roles={','.join(sorted(config.roles))} does not include {role}")
    return config


config_option = click.option(
    "--config",
    "-c",
    "path",
    required=True,
    type=PathParam(),
    metavar="FILE",
    help="server.properties of the node.",
)


@examples(
    "kraftpy controller --config controller.properties",
    "kraftpy controller --config controller.properties --override node.id=2 --override log.dirs=/data/controller-2",
)
@click.command()
@config_option
@override_option
def controller(path: str, overrides: Mapping[str, str]) -> None:
    """Run a controller, and a broker in the same process if process.roles names both."""
    _run(lambda: _checked(path, overrides, "controller"))


@examples(
    "kraftpy broker --config broker.properties",
)
@click.command()
@config_option
@override_option
def broker(path: str, overrides: Mapping[str, str]) -> None:
    """Run a broker, and a controller in the same process if process.roles names both."""
    _run(lambda: _checked(path, overrides, "broker"))


@examples(
    "kraftpy server --config server.properties",
)
@click.command()
@config_option
@override_option
def server(path: str, overrides: Mapping[str, str]) -> None:
    """Run a node with the roles its configuration names."""
    _run(lambda: load_config(path, overrides, own_environment()))
