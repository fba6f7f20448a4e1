"""``kraftpy configs``: dynamic configuration of topics, brokers and what else has configs.

Source: Kafka ``ConfigCommand``; KIP-339.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from kraftpy.cli.cluster_port import Read
from kraftpy.cli.errors import ArgumentError, CommandError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import connection_options, output_option, read_options
from kraftpy.cli.output import Output, show
from kraftpy.model.consistency import Consistency

Command = TypeVar("Command", bound=Callable[..., Any])

TYPES = {"topics": 2, "brokers": 4, "client-metrics": 16, "groups": 32}
NAMES = {number: name for name, number in TYPES.items()}
BROKERS = "brokers"


def _entity_options(command: Command) -> Command:
    for option in (
        click.option("--entity-default", is_flag=True, help="The cluster-wide default of all brokers."),
        click.option("--entity-name", metavar="NAME", help="Name of the resource: a topic name, a broker id, ..."),
        click.option("--entity-type", type=click.Choice(list(TYPES)), help="Type of the resource."),
    ):
        command = option(command)
    return command


@click.group("configs")
def configs() -> None:
    """Describe and alter dynamic configuration."""


@configs.command("describe")
@_entity_options
@read_options
@connection_options
@output_option
def describe(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    entity_type: str | None,
    entity_name: str | None,
    entity_default: bool,
    consistency: Consistency,
    min_offset: int | None,
) -> None:
    """List the keys that are set: of one resource, of all of a type, or of all."""
    from kraftpy.cli.connection import connect

    if entity_type is None and (entity_name is not None or entity_default):
        raise click.UsageError("--entity-name and --entity-default need --entity-type")
    named = entity_name is not None or entity_default
    wanted = [_entity(entity_type, entity_name, is_default=entity_default)] if entity_type and named else []
    with connect(bootstrap, timeout) as cluster:
        found = cluster.describe_configs(wanted, Read(consistency, min_offset))
    rows = [
        {"entityType": NAMES.get(one.type, str(one.type)), "entityName": one.name, "configs": dict(entries)}
        for one, entries in found.resources.items()
        if named or entity_type is None or one.type == TYPES[entity_type]
    ]
    show(output, rows, [line for row in rows for line in _lines(row)])


def _lines(row: dict[str, Any]) -> list[str]:
    name = f"{row['entityType']} {row['entityName']}" if row["entityName"] else f"the default of {row['entityType']}"
    return [f"Dynamic configs for {name} are:", *(f"  {key}={value}" for key, value in row["configs"].items())]


@configs.command("alter")
@click.option(
    "--add",
    "--add-config",
    "added",
    metavar="K=V,...",
    help="Keys to set: KEY=VALUE,...; a value with commas in [brackets].",
)
@click.option(
    "--delete",
    "--delete-config",
    "deleted",
    metavar="K,...",
    help="Keys to remove, comma-separated; they get their defaults.",
)
@click.option("--dry-run", is_flag=True, help="Validate the request on the controller without changing anything.")
@_entity_options
@connection_options
@output_option
def alter(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    added: str | None,
    deleted: str | None,
    dry_run: bool,
    entity_type: str | None,
    entity_name: str | None,
    entity_default: bool,
) -> int:
    """Set and remove config keys of one resource, atomically."""
    from kraftpy.cli.connection import connect

    if entity_type is None:
        raise click.UsageError("Missing option '--entity-type'")
    entity = _entity(entity_type, entity_name, is_default=entity_default)
    values: dict[str, str | None] = dict(parse_added(added or ""))
    for key in parse_deleted(deleted or ""):
        if key in values:
            raise ArgumentError(f"{key} is both added and deleted")
        values[key] = None
    if not values:
        raise click.UsageError("At least one of --add and --delete must be given")
    with connect(bootstrap, timeout) as cluster:
        problem = cluster.alter_configs(entity, values, validate_only=dry_run)
    if problem is not None:
        raise CommandError(problem)
    verb = "Could update" if dry_run else "Completed updating"
    data = {"entityType": entity_type, "entityName": entity[1], "altered": sorted(values)}
    show(output, data, [f"{verb} config for {entity_type} {entity[1] or '(default)'}."])
    return ExitCode.OK


def _entity(kind: str, name: str | None, *, is_default: bool) -> tuple[int, str]:
    if is_default == (name is not None):
        raise click.UsageError("Exactly one of --entity-name and --entity-default must be given")
    if is_default and kind != BROKERS:
        raise click.UsageError(f"--entity-default is for {BROKERS}; {kind} have names")
    if kind == BROKERS and name is not None and not (name.isascii() and name.isdigit()):
        raise click.UsageError(f"--entity-name {name!r} is not a broker id")
    if name is not None and not name:
        raise click.UsageError("--entity-name is empty")
    return TYPES[kind], name or ""


def parse_added(text: str) -> dict[str, str]:
    """Read ``k=v,k2=[a,b]``.

    Raises:
        ArgumentError: when an item has no equals sign, a key is repeated, or brackets do not match.
    """
    values: dict[str, str] = {}
    for item in _split(text):
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise ArgumentError(f"{item!r} is not key=value")
        if key.strip() in values:
            raise ArgumentError(f"{key.strip()} is added twice")
        values[key.strip()] = _unbracketed(key.strip(), value)
    return values


def _unbracketed(key: str, value: str) -> str:
    """Take the brackets off a list; one that is never closed has taken the keys behind it for values."""
    if value.count("[") != value.count("]"):
        raise ArgumentError(f"the brackets of {key}={value} do not match; a value with commas is written in [brackets]")
    return value[1:-1] if value.startswith("[") and value.endswith("]") else value


def parse_deleted(text: str) -> list[str]:
    """Read ``k,k2``.

    Raises:
        ArgumentError: when an item is not a key.
    """
    keys = [item.strip() for item in text.split(",") if item.strip()]
    for key in keys:
        if "=" in key:
            raise ArgumentError(f"{key!r} is not a key; --delete takes keys without values")
    return keys


def _split(text: str) -> list[str]:
    """Split at commas that are not in brackets."""
    items, depth = [""], 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if character == "," and depth <= 0:
            items.append("")
        else:
            items[-1] += character
    return [item for item in items if item.strip()]
