"""``kraftpy log-dirs``: the log directories of brokers, with states and free space, as kafka-log-dirs shows them.

There is no data plane, so ``partitions`` is always empty. ``state``, ``directoryId``, ``reason`` and the sizes are not
in Kafka's output.

Source: Kafka ``LogDirsCommand``; KIP-113, KIP-827, KIP-928.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from kraftpy.cli.errors import CommandError
from kraftpy.cli.examples import examples
from kraftpy.cli.options import connection_options, output_option
from kraftpy.cli.output import Output, show
from kraftpy.model.ids import uuid_to_text

if TYPE_CHECKING:
    from kraftpy.client.values import LogDirInfo, LogDirs

ERROR = "KafkaStorageException"
"""What Kafka shows for a directory that is offline."""


@examples(
    "kraftpy log-dirs --describe -C localhost:9194,localhost:9195",
    "kraftpy log-dirs --describe -C localhost:9194 -o json",
)
@click.command("log-dirs")
@click.option("--describe", is_flag=True, required=True, help="Describe the log directories.")
@click.option("--broker-list", help="Ids of the brokers to show, comma-separated. Default: all.")
@connection_options
@output_option
def log_dirs(
    bootstrap: tuple[str, ...], timeout: float, output: Output, *, describe: bool, broker_list: str | None
) -> None:
    """Describe the log directories of brokers.

    Name the address of each broker to ask: a broker knows only its own directories.
    """
    from kraftpy.cli.connection import connect

    del describe
    found: list[LogDirs] = []
    # One event loop for all brokers: grpc does not bear several in a process.
    with asyncio.Runner() as runner:
        for address in bootstrap:
            with connect((address,), timeout, runner, moves=False) as connected:
                found.append(connected.describe_log_dirs())
    wanted = _wanted(broker_list, found)
    data = as_json(each for each in sorted(found, key=lambda one: one.node_id) if each.node_id in wanted)
    show(output, data, as_lines(data))


def _wanted(broker_list: str | None, found: Sequence[LogDirs]) -> set[int]:
    known = {each.node_id for each in found if each.log_dirs}
    if broker_list is None:
        return known
    try:
        asked = {int(one) for one in broker_list.split(",")}
    except ValueError as error:
        raise click.UsageError(f"--broker-list {broker_list} must be ids of brokers, separated by commas") from error
    if unknown := sorted(asked - known):
        names, current = (",".join(map(str, ids)) for ids in (unknown, sorted(known)))
        raise CommandError(
            f"The given brokers do not exist from --broker-list: {names}. Current existent brokers: {current}"
        )
    return asked


def as_json(brokers: Any) -> dict[str, Any]:
    """Return what ``-o json`` prints: Kafka's form, with more keys."""
    return {
        "version": 1,
        "brokers": [{"broker": each.node_id, "logDirs": [_log_dir(one) for one in each.log_dirs]} for each in brokers],
    }


def _log_dir(one: LogDirInfo) -> dict[str, Any]:
    return {
        "logDir": one.path,
        "error": ERROR if one.state == "offline" else None,
        "partitions": [],
        "directoryId": None if one.directory_id is None else uuid_to_text(one.directory_id),
        "state": one.state,
        "reason": one.reason or None,
        "cordoned": one.cordoned,
        "totalBytes": one.total_bytes,
        "usableBytes": one.usable_bytes,
        "reserveBytes": one.reserve_bytes,
    }


def as_lines(data: dict[str, Any]) -> list[str]:
    """Return the table, a line per directory."""
    rows = [("BROKER", "STATE", "USABLE", "TOTAL", "RESERVE", "CORDONED", "DIRECTORY", "REASON")]
    for broker in data["brokers"]:
        rows += [
            (
                str(broker["broker"]),
                one["state"],
                _number(one["usableBytes"]),
                _number(one["totalBytes"]),
                _number(one["reserveBytes"]),
                "yes" if one["cordoned"] else "no",
                one["logDir"],
                one["reason"] or "",
            )
            for one in broker["logDirs"]
        ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    return ["  ".join((*map(str.ljust, row, widths), row[-1])).rstrip() for row in rows]


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)
