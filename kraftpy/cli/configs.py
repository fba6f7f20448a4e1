"""``kraftpy configs``: dynamic configuration of topics, brokers and groups; quotas and credentials (``quota_configs``).

Source: Kafka ``ConfigCommand``; KIP-339.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kraftpy.cli.cluster_port import ClusterClient, Read
from kraftpy.cli.dry_run import dry_run_option
from kraftpy.cli.errors import ArgumentError, CommandError, RequestRefusedError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import PathParam, connection_options, output_option, read_options
from kraftpy.cli.output import Output, show
from kraftpy.cli.quota_configs import (
    QUOTA_TYPES,
    QuotaEntity,
    alter_entity,
    describe_entities,
    entity_lines,
    entity_of_shortcuts,
    quota_entity,
)
from kraftpy.cli.scram_text import MECHANISMS
from kraftpy.cli.suggestions import WORD_CHARACTERS_MAX, CommandGroup, WordChoice, did_you_mean
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError, ErrorCode

if TYPE_CHECKING:
    from kraftpy.client.values import ConfigEntry

Command = TypeVar("Command", bound=Callable[..., Any])

TYPES = {"topics": 2, "brokers": 4, "client-metrics": 16, "groups": 32}
NAMES = {number: name for name, number in TYPES.items()}
BROKERS = "brokers"
_NOT_ALLOWED = frozenset({ErrorCode.TOPIC_AUTHORIZATION_FAILED, ErrorCode.CLUSTER_AUTHORIZATION_FAILED})
SHORTCUTS = {"topic": "topics", "broker": "brokers", "group": "groups", "client_metrics": "client-metrics"}
"""Options that name one resource, and the types of what they name. Source: KIP-543."""
CONFIG_FILE_BYTES_MAX = 1024 * 1024
UNKNOWN_KEYS_SHOWN_MAX = 10
"""How many keys are named that are no known broker configs; more are counted."""
_UNKNOWN_KEY = "not among the broker configs in docs/configuration.md"


def _entity_options(command: Command) -> Command:
    for option in (
        click.option("--broker-defaults", is_flag=True, help="The default of all brokers."),
        click.option("--client-metrics", metavar="NAME", help="A subscription to client metrics."),
        click.option("--group", metavar="ID", help="A group."),
        click.option("--broker", metavar="ID", help="A broker."),
        click.option("--topic", metavar="NAME", help="A topic."),
        click.option("--ip-defaults", is_flag=True, help="The default of all IP addresses."),
        click.option("--ip", metavar="ADDRESS", help="An IP address."),
        click.option("--client-defaults", is_flag=True, help="The default of all client ids."),
        click.option("--client", metavar="ID", help="A client id; with --user, that client of that user."),
        click.option("--user-defaults", is_flag=True, help="The default of all users."),
        click.option("--user", metavar="NAME", help="A user."),
        click.option("--entity-default", is_flag=True, help="The default of all brokers, users, clients or ips."),
        click.option(
            "--entity-name",
            "entity_names",
            multiple=True,
            metavar="NAME",
            help="Name of the resource: a topic name, a broker id, ...; repeat it with --entity-type.",
        ),
        click.option(
            "--entity-type",
            "entity_types",
            multiple=True,
            type=WordChoice([*TYPES, *QUOTA_TYPES]),
            help="Type of the resource; users and clients can be combined.",
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class NamedConfigs:
    """A resource with configs, as named on the command line; ``None`` for its name means all of the type."""

    type: str | None
    name: str | None = None


def _wanted(
    types: tuple[str, ...], names: tuple[str, ...], *, is_default: bool, shortcuts: dict[str, Any]
) -> NamedConfigs | QuotaEntity:
    """Return what the options name.

    Raises:
        UsageError: they contradict each other.
    """
    quotas, resource = entity_of_shortcuts(shortcuts), _resource_of_shortcuts(shortcuts)
    if quotas is not None or resource is not None:
        if types or names or is_default:
            raise click.UsageError(
                "--topic, --broker, --user, --client, --ip and the like replace the --entity options"
            )
        if quotas is not None and resource is not None:
            raise click.UsageError(f"{resource.type} cannot be combined with another type")
        return quotas or resource or NamedConfigs(None)
    if any(each in QUOTA_TYPES for each in types):
        if others := [each for each in types if each in TYPES]:
            raise click.UsageError(f"--entity-type {others[0]} cannot be combined with another type")
        return quota_entity(types, names, is_default=is_default)
    if len(types) > 1 or len(names) > 1:
        raise click.UsageError("only users and clients can be combined; give one --entity-type and one --entity-name")
    kind, name = (types[0] if types else None), (names[0] if names else None)
    if kind is None and (name is not None or is_default):
        raise click.UsageError("--entity-name and --entity-default need --entity-type")
    if kind is None or (name is None and not is_default):
        return NamedConfigs(kind)
    return NamedConfigs(kind, _resource_name(kind, name, is_default=is_default))


def _resource_of_shortcuts(shortcuts: dict[str, Any]) -> NamedConfigs | None:
    """Return the resource of ``--topic``, ``--broker`` and the like; ``None`` without any of them.

    Raises:
        UsageError: there are several.
    """
    given = [(option, kind) for option, kind in SHORTCUTS.items() if shortcuts[option] is not None]
    named = [(kind, _resource_name(kind, shortcuts[option], is_default=False)) for option, kind in given]
    if shortcuts["broker_defaults"]:
        named.append((BROKERS, ""))
    if len(named) > 1:
        raise click.UsageError("only users and clients can be combined; name one resource")
    return NamedConfigs(*named[0]) if named else None


@click.group("configs", cls=CommandGroup)
def configs() -> None:
    """Describe and alter dynamic configuration."""


@examples(
    "kraftpy configs describe -C localhost:9193 --topic orders --all",
    "kraftpy configs describe -C localhost:9193 --entity-type brokers",
    "kraftpy configs describe -C localhost:9193 --user alice",
)
@configs.command("describe")
@click.option(
    "--all",
    "explains",
    is_flag=True,
    help="Also keys that are not set, with the values in force, and where each comes from; needs a type.",
)
@_entity_options
@read_options
@connection_options
@output_option
def describe(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    explains: bool,
    entity_types: tuple[str, ...],
    entity_names: tuple[str, ...],
    entity_default: bool,
    consistency: Consistency,
    min_offset: int | None,
    **shortcuts: Any,
) -> None:
    """List the keys that are set: of one resource, of all of a type, or of all.

    Of users, clients and ips: their quotas, and which SCRAM credentials users have.
    """
    from kraftpy.cli.connection import connect

    wanted = _wanted(entity_types, entity_names, is_default=entity_default, shortcuts=shortcuts)
    if explains and isinstance(wanted, NamedConfigs) and wanted.type is None:
        raise click.UsageError("--all needs --entity-type, or --topic, --broker, --group and the like")
    read = Read(consistency, min_offset)
    with connect(bootstrap, timeout) as cluster:
        if isinstance(wanted, QuotaEntity):
            rows = describe_entities(cluster, wanted, read)
            show(output, rows, [line for row in rows for line in entity_lines(row)])
            return
        if explains and wanted.type is not None:
            rows = _explained(cluster, wanted.type, wanted.name, read)
            show(output, rows, [line for row in rows for line in _explanation(row)])
            return
        named = [(TYPES[wanted.type], wanted.name)] if wanted.type and wanted.name is not None else []
        found = cluster.describe_configs(named, read)
        if named and not any(found.resources.values()):
            _check_exists(cluster, wanted, read)
    rows = [
        {"entityType": NAMES.get(one.type, str(one.type)), "entityName": one.name or None, "configs": dict(entries)}
        for one, entries in found.resources.items()
        if named or wanted.type is None or one.type == TYPES[wanted.type]
    ]
    none = "No configs are set." if wanted.type is None else f"No configs of {wanted.type} are set."
    show(output, rows, [line for row in rows for line in _lines(row)] or [none])


def _check_exists(cluster: ClusterClient, wanted: NamedConfigs, read: Read) -> None:
    """Check that a topic or broker without configs exists: an empty answer would hide a misspelt name.

    Who may describe configs need not be allowed to describe these: then it is not known, and nothing is said.

    Raises:
        CommandError: it does not.
    """
    try:
        _check_registered(cluster, wanted, read)
    except ApiError as error:
        if error.code not in _NOT_ALLOWED:
            raise


def _check_registered(cluster: ClusterClient, wanted: NamedConfigs, read: Read) -> None:
    name = wanted.name or ""
    if wanted.type == "topics" and name in cluster.describe_topics((name,), read, omit_partitions=True).unknown:
        raise CommandError(f"there is no topic {name}; kraftpy topics list names all")
    if wanted.type == BROKERS and name:
        ids = [broker.broker_id for broker in cluster.describe_cluster(read).brokers]
        if int(name) not in ids:
            known = ", ".join(map(str, ids)) or "none"
            raise CommandError(f"broker {name} is not registered and has no configs; registered are: {known}")


def _lines(row: dict[str, Any]) -> list[str]:
    settings = (f"  {key}={value}" for key, value in row["configs"].items())
    return [f"Dynamic configs for {_resource_of(row)} are:", *settings]


def _resource_of(row: dict[str, Any]) -> str:
    return f"{row['entityType']} {row['entityName']}" if row["entityName"] else f"the default of {row['entityType']}"


def _explained(cluster: ClusterClient, kind: str, name: str | None, read: Read) -> list[dict[str, Any]]:
    """Describe all keys of one resource, or of each of a type.

    Raises:
        CommandError: there is no such topic.
    """
    match kind, name:
        case "topics", None:
            named = [(TYPES[kind], topic) for topic in cluster.list_topics(read)]
        case "brokers", None:
            ids = [str(broker.broker_id) for broker in cluster.describe_cluster(read).brokers]
            named = [(TYPES[kind], each) for each in ("", *ids)]
        case _:
            named = [] if name is None else [(TYPES[kind], name)]
    if name is None and not named and kind in {"topics", "brokers"}:
        return []
    found = cluster.explain_configs(named, read)
    if kind == "topics" and name is not None and not any(found.values()):
        raise CommandError(f"there is no topic {name}")
    return [
        {"entityType": kind, "entityName": one.name or None, "configEntries": [_facts(entry) for entry in entries]}
        for one, entries in found.items()
        if one.type == TYPES[kind]
    ]


def _facts(entry: ConfigEntry) -> dict[str, Any]:
    synonyms = [{"source": one.source.name, "name": one.name, "value": one.value} for one in entry.synonyms]
    return {
        "name": entry.name, "value": entry.value, "isSensitive": entry.is_sensitive, "source": entry.source.name,
        "synonyms": synonyms,
    }  # fmt: skip


def _explanation(row: dict[str, Any]) -> list[str]:
    """Show the keys of a resource as Kafka's tool does."""
    lines = [f"All configs for {_resource_of(row)} are:"]
    for entry in row["configEntries"]:
        synonyms = ", ".join(f"{one['source']}:{one['name']}={one['value']}" for one in entry["synonyms"])
        sensitive = "true" if entry["isSensitive"] else "false"
        lines.append(f"  {entry['name']}={entry['value']} sensitive={sensitive} synonyms={{{synonyms}}}")
    return lines


@examples(
    "kraftpy configs alter -C localhost:9193 --topic orders --add retention.ms=3600000,cleanup.policy=[compact,delete]",
    "kraftpy configs alter -C localhost:9193 --broker-defaults --delete log.retention.ms --dry-run",
    "kraftpy configs alter -C localhost:9193 --user alice --add producer_byte_rate=1048576",
    "kraftpy configs alter -C localhost:9193 --user alice --add 'SCRAM-SHA-256=[iterations=8192,password=secret]'",
)
@configs.command("alter")
@click.option(
    "--add",
    "--add-config",
    "added",
    metavar="K=V,...",
    help="Keys to set: KEY=VALUE,...; a value with commas in [brackets].",
)
@click.option(
    "--add-config-file",
    "added_path",
    type=PathParam(dir_okay=False),
    metavar="FILE",
    help="Properties file with keys to set; in place of --add.",
)
@click.option(
    "--delete",
    "--delete-config",
    "deleted",
    metavar="K,...",
    help="Keys to remove, comma-separated; they get their defaults.",
)
@dry_run_option()
@_entity_options
@connection_options
@output_option
def alter(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    added: str | None,
    added_path: str | None,
    deleted: str | None,
    dry_run: bool,
    entity_types: tuple[str, ...],
    entity_names: tuple[str, ...],
    entity_default: bool,
    **shortcuts: Any,
) -> int:
    """Set and remove config keys of one resource, atomically.

    Users, clients and ips have quotas; users also have SCRAM credentials:
    --user alice --add SCRAM-SHA-256=[iterations=8192,password=secret]
    """
    from kraftpy.cli.connection import connect

    wanted = _wanted(entity_types, entity_names, is_default=entity_default, shortcuts=shortcuts)
    if added is not None and added_path is not None:
        raise click.UsageError("--add and --add-config-file exclude each other")
    added_values = parse_added(added or "") if added_path is None else _read_added(added_path)
    deleted_keys = parse_deleted(deleted or "")
    for key in deleted_keys:
        if key in added_values:
            raise ArgumentError(f"{key} is both added and deleted")
    if not added_values and not deleted_keys:
        raise click.UsageError("At least one of --add, --add-config-file and --delete must be given")
    kind, name = _named(wanted)
    resource: dict[str, Any] = {"entityType": kind, "entityName": name or None}
    with connect(bootstrap, timeout) as cluster:
        if isinstance(wanted, QuotaEntity):
            resource = {"quotaEntity": dict(wanted.names)}
            alter_entity(cluster, wanted, added_values, deleted_keys, validate_only=dry_run)
        else:
            values: dict[str, str | None] = {**added_values, **dict.fromkeys(deleted_keys)}
            problem = cluster.alter_configs((TYPES[kind], name), values, validate_only=dry_run)
            if problem is not None:
                raise RequestRefusedError(problem)
            if kind == BROKERS:
                _note_unknown(values)
    verb = "Could update" if dry_run else "Completed updating"
    data = {**resource, "configNames": sorted({*added_values, *deleted_keys}), "dryRun": dry_run}
    show(output, data, [f"{verb} config for {kind} {name or '(default)'}."])
    return ExitCode.OK


def _note_unknown(keys: Iterable[str]) -> None:
    """Name keys that are not in the tables: controllers accept any, as Kafka's do, and so a misspelt one too.

    It is no error, as plugins of Kafka's brokers have keys of their own. Those of one listener are not judged, as in a
    node's file.
    """
    from kraftpy.config.protection import LISTENER_PREFIX, MISSING
    from kraftpy.config_keys.key_table import NODE_KEYS

    known = NODE_KEYS.keys() | MISSING.keys()
    unknown = sorted(key for key in keys if key not in known and not key.startswith(LISTENER_PREFIX))
    for key in unknown[:UNKNOWN_KEYS_SHOWN_MAX]:
        near = did_you_mean(key, sorted(known))
        click.echo(f"# {key[:WORD_CHARACTERS_MAX]!r} is {_UNKNOWN_KEY}.{near}", err=True)
    if len(unknown) > UNKNOWN_KEYS_SHOWN_MAX:
        click.echo(f"# {len(unknown) - UNKNOWN_KEYS_SHOWN_MAX} more keys are not there either.", err=True)


def _named(wanted: NamedConfigs | QuotaEntity) -> tuple[str, str]:
    """Return the type and the name of one resource, as the answer shows them.

    Raises:
        UsageError: a type or a name is missing.
    """
    if isinstance(wanted, QuotaEntity):
        if wanted.any_name:
            raise click.UsageError("Each --entity-type needs --entity-name or --entity-default")
        types = {kind: each for each, kind in QUOTA_TYPES.items()}
        names = [name or "" for name in wanted.names.values()]
        return ",".join(types[kind] for kind in wanted.names), ",".join(names) if any(names) else ""
    if wanted.type is None:
        raise click.UsageError("Missing option '--entity-type'")
    if wanted.name is None:
        raise click.UsageError("Exactly one of --entity-name and --entity-default must be given")
    return wanted.type, wanted.name


def _resource_name(kind: str, name: str | None, *, is_default: bool) -> str:
    if is_default == (name is not None):
        raise click.UsageError("Exactly one of --entity-name and --entity-default must be given")
    if is_default and kind != BROKERS:
        raise click.UsageError(f"--entity-default is for {BROKERS}, users, clients and ips; {kind} have names")
    if kind == BROKERS and name is not None and not (name.isascii() and name.isdigit()):
        raise click.UsageError(f"--entity-name {name!r} is not a broker id")
    if name is not None and not name:
        raise click.UsageError("--entity-name is empty")
    return name or ""


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


def _read_added(path: str) -> dict[str, str]:
    """Read a properties file with keys to set.

    Raises:
        CommandError: it cannot be read, or is no properties file.
    """
    from kraftpy.model.errors import MalformedError
    from kraftpy.records.properties import parse_properties

    try:
        with Path(path).open("rb") as file:
            content = file.read(CONFIG_FILE_BYTES_MAX + 1)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    if len(content) > CONFIG_FILE_BYTES_MAX:
        raise CommandError(f"{path} has more than {CONFIG_FILE_BYTES_MAX} bytes: it is no file of configs")
    try:
        return dict(parse_properties(content.decode("utf-8")))
    except (UnicodeDecodeError, MalformedError) as error:
        raise CommandError(f"{path} is no properties file: {error}") from error


def _unbracketed(key: str, value: str) -> str:
    """Take the brackets off a list; one that is never closed has taken the keys behind it for values."""
    if value.count("[") != value.count("]"):
        shown = key if key in MECHANISMS else f"{key}={value}"
        raise ArgumentError(f"the brackets of {shown} do not match; a value with commas is written in [brackets]")
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
