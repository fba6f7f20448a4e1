"""``kraftpy acls``: add, remove and list access control entries, with the options and texts of kafka-acls.

Source: Kafka ``AclCommand``; KIP-140, KIP-290.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from kraftpy.cli.cluster_port import Read
from kraftpy.cli.confirmation import confirm, some_of, yes_option
from kraftpy.cli.dry_run import dry_run_option
from kraftpy.cli.errors import RequestRefusedError
from kraftpy.cli.examples import examples
from kraftpy.cli.options import connection_options, output_option, read_options
from kraftpy.cli.output import Output, show
from kraftpy.cli.suggestions import CommandGroup, WordChoice
from kraftpy.model.acls import CLUSTER_NAME, WILDCARD, AclOperation, AclResourceType, PatternType, PermissionType
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ErrorCode

if TYPE_CHECKING:
    from kraftpy.client.values import AclEntry, AclMatch, AclOutcome

Command = TypeVar("Command", bound=Callable[..., Any])

OPERATIONS: Final = {
    "".join(part.capitalize() for part in each.name.split("_")): each
    for each in AclOperation
    if each not in {AclOperation.UNKNOWN, AclOperation.ANY}
}
"""The operations by the names that kafka-acls has for them: ``ClusterAction``."""

PRODUCER: Final = (AclOperation.WRITE, AclOperation.DESCRIBE, AclOperation.CREATE)
CONSUMER: Final = (AclOperation.READ, AclOperation.DESCRIBE)


@dataclass(frozen=True, slots=True)
class NamedResource:
    """One resource of the command line."""

    type: AclResourceType
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AclRule:
    """What is allowed or denied on resources: a part of an entry."""

    principal: str
    host: str
    operation: AclOperation
    permission: PermissionType


@click.group("acls", cls=CommandGroup)
def acls() -> None:
    """Add, remove and list access control entries."""


def _resource_options(command: Command) -> Command:
    for option in (
        click.option("--user-principal", "users", multiple=True, help="A user, as a resource; repeatable."),
        click.option("--delegation-token", "tokens", multiple=True, help="A delegation token; repeatable."),
        click.option("--transactional-id", "transactional_ids", multiple=True, help="A transactional id; repeatable."),
        click.option("--cluster", is_flag=True, help="The cluster."),
        click.option("--group", "groups", multiple=True, help="A consumer group; repeatable."),
        click.option("--topic", "topics", multiple=True, help="A topic; repeatable. * is every topic."),
    ):
        command = option(command)
    return command


def _pattern_option(*kinds: str) -> Callable[[Command], Command]:
    return click.option(
        "--resource-pattern-type",
        "pattern",
        type=WordChoice(kinds, case_sensitive=False),
        default="literal",
        show_default=True,
        help="How the names of resources match.",
    )


def _rule_options(command: Command) -> Command:
    for option in (
        click.option("--consumer", is_flag=True, help="Operations of a consumer on --topic and --group."),
        click.option("--idempotent", is_flag=True, help="With --producer: idempotent writes, too."),
        click.option("--producer", is_flag=True, help="Operations of a producer on --topic and --transactional-id."),
        click.option(
            "--operation",
            "operations",
            multiple=True,
            type=WordChoice(list(OPERATIONS), case_sensitive=False),
            help="An operation; repeatable. Default: All.",
        ),
        click.option(
            "--deny-host", "deny_hosts", multiple=True, help="Address, or range in CIDR notation; default: all."
        ),
        click.option(
            "--allow-host",
            "allow_hosts",
            multiple=True,
            help="Address, or range in CIDR notation; default: all.",
        ),
        click.option("--deny-principal", "denied", multiple=True, help="Type and name: User:CN=alice; repeatable."),
        click.option("--allow-principal", "allowed", multiple=True, help="Type and name: User:CN=alice; repeatable."),
    ):
        command = option(command)
    return command


@examples(
    "kraftpy acls add -C localhost:9193 --allow-principal User:alice --operation Read --topic orders --topic bills",
    "kraftpy acls add -C localhost:9193 --allow-principal User:alice --consumer --topic orders --group billing",
)
@acls.command("add")
@_rule_options
@_resource_options
@_pattern_option("literal", "prefixed")
@dry_run_option(in_list=True)
@connection_options
@output_option
def add(
    bootstrap: tuple[str, ...], timeout: float, output: Output, *, pattern: str, dry_run: bool, **options: Any
) -> None:
    """Add entries: one for each resource, principal, host and operation."""
    from kraftpy.cli.connection import connect

    wanted = _wanted(options)
    if not (options["allowed"] or options["denied"]):
        raise click.UsageError("You must specify one of: --allow-principal, --deny-principal when trying to add ACLs.")
    entries = [_entry(resource, pattern, rule) for resource, rules in wanted.items() for rule in rules]
    with connect(bootstrap, timeout) as cluster:
        outcomes = cluster.create_acls(entries, validate_only=dry_run)
    _check(outcomes)
    verb = "Could add" if dry_run else "Adding"
    show(output, [_as_json(one) for one in entries], list(_grouped(entries, f"{verb} ACLs for resource")))


@examples(
    "kraftpy acls remove -C localhost:9193 --allow-principal User:alice --operation Read --topic orders --dry-run",
)
@acls.command("remove")
@_rule_options
@_resource_options
@_pattern_option("literal", "prefixed", "any", "match")
@yes_option
@dry_run_option("Show what would be removed; change nothing.", in_list=True)
@connection_options
@output_option
def remove(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    pattern: str,
    yes: bool,
    dry_run: bool,
    **options: Any,
) -> None:
    """Remove entries; without a principal, every entry of the resources, after a question."""
    from kraftpy.cli.connection import connect

    wanted = _wanted(options)
    if not (options["allowed"] or options["denied"]):
        of = some_of([f"{each.type.name.lower().replace('_', ' ')} {each.name}" for each in wanted])
        confirm(f"Remove every entry, whatever its principal and operation, of {of}?", is_decided=yes or dry_run)
    matches = [_match(resource, pattern, rule) for resource, rules in wanted.items() for rule in rules or (None,)]
    with connect(bootstrap, timeout) as cluster:
        outcomes = cluster.delete_acls(matches, validate_only=dry_run)
    _check(outcomes)
    removed = list(dict.fromkeys(entry for outcome in outcomes for entry in outcome.entries))
    verb = "Could remove" if dry_run else "Removed"
    show(output, [_as_json(one) for one in removed], list(_grouped(removed, f"{verb} ACLs for resource")))


@examples(
    "kraftpy acls list -C localhost:9193",
    "kraftpy acls list -C localhost:9193 --topic orders --resource-pattern-type match",
)
@acls.command("list")
@_resource_options
@_pattern_option("literal", "prefixed", "any", "match")
@click.option("--principal", "principals", multiple=True, help="Only entries of this principal; repeatable.")
@read_options
@connection_options
@output_option
def list_command(
    bootstrap: tuple[str, ...],
    timeout: float,
    output: Output,
    *,
    pattern: str,
    principals: tuple[str, ...],
    consistency: Consistency,
    min_offset: int | None,
    **options: Any,
) -> None:
    """List the entries of resources, or all."""
    from kraftpy.cli.connection import connect
    from kraftpy.client.values import EVERY_ACL

    resources = list(_resources(options))
    matches = [_match(resource, pattern, None) for resource in resources] or [EVERY_ACL]
    read = Read(consistency, min_offset)
    with connect(bootstrap, timeout) as cluster:
        found = [entry for match in matches for entry in cluster.describe_acls(match, read)]
    found = [one for one in dict.fromkeys(found) if not principals or one.principal in principals]
    show(output, [_as_json(one) for one in found], list(_grouped(found, "Current ACLs for resource")))


def _wanted(options: dict[str, Any]) -> dict[NamedResource, tuple[AclRule, ...]]:
    """Return the rules of each resource of the command line.

    Raises:
        click.UsageError: no resource is named, or options do not go together.
    """
    convenience = options["producer"] or options["consumer"]
    if convenience and options["operations"]:
        raise click.UsageError("--producer and --consumer imply the operations: leave --operation out")
    if options["idempotent"] and not options["producer"]:
        raise click.UsageError("--idempotent goes with --producer")
    if options["producer"] and not options["topics"]:
        raise click.UsageError("With --producer you must specify a --topic")
    if options["consumer"] and not (options["topics"] and options["groups"]):
        raise click.UsageError("With --consumer you must specify a --topic and a --group")
    wanted: dict[NamedResource, dict[AclOperation, None]] = {}
    for resource, operations in _operations(options):
        wanted.setdefault(resource, {}).update(dict.fromkeys(operations))
    if not wanted:
        raise click.UsageError(
            "You must specify at least one resource: --topic, --group, --cluster, --transactional-id, "
            "--delegation-token or --user-principal"
        )
    return {resource: tuple(_rules(options, operations)) for resource, operations in wanted.items()}


def _operations(options: dict[str, Any]) -> Iterator[tuple[NamedResource, tuple[AclOperation, ...]]]:
    """Yield each resource with the operations that are meant on it."""
    if not (options["producer"] or options["consumer"]):
        operations = tuple(OPERATIONS[name] for name in options["operations"]) or (AclOperation.ALL,)
        for resource in _resources(options):
            yield resource, operations
        return
    if options["producer"]:
        for name in options["topics"]:
            yield NamedResource(AclResourceType.TOPIC, name), PRODUCER
        for name in options["transactional_ids"]:
            yield NamedResource(AclResourceType.TRANSACTIONAL_ID, name), (AclOperation.WRITE, AclOperation.DESCRIBE)
        if options["idempotent"]:
            yield NamedResource(AclResourceType.CLUSTER, CLUSTER_NAME), (AclOperation.IDEMPOTENT_WRITE,)
    if options["consumer"]:
        for name in options["topics"]:
            yield NamedResource(AclResourceType.TOPIC, name), CONSUMER
        for name in options["groups"]:
            yield NamedResource(AclResourceType.GROUP, name), (AclOperation.READ,)


def _resources(options: dict[str, Any]) -> Iterator[NamedResource]:
    for key, kind in (
        ("topics", AclResourceType.TOPIC),
        ("groups", AclResourceType.GROUP),
        ("transactional_ids", AclResourceType.TRANSACTIONAL_ID),
        ("tokens", AclResourceType.DELEGATION_TOKEN),
        ("users", AclResourceType.USER),
    ):
        for name in options[key]:
            yield NamedResource(kind, name)
    if options["cluster"]:
        yield NamedResource(AclResourceType.CLUSTER, CLUSTER_NAME)


def _rules(options: dict[str, Any], operations: Iterable[AclOperation]) -> Iterator[AclRule]:
    sides = (
        ("allowed", "allow_hosts", PermissionType.ALLOW),
        ("denied", "deny_hosts", PermissionType.DENY),
    )
    for principals, hosts, permission in sides:
        if options[hosts] and not options[principals]:
            raise click.UsageError(f"--{hosts[:-1].replace('_', '-')} goes with --{hosts.split('_')[0]}-principal")
        for principal in options[principals]:
            if not all(principal.partition(":")[::2]):
                raise click.UsageError(f"{principal!r} has no type; expected such as User:CN=alice")
            for host in options[hosts] or (WILDCARD,):
                for operation in operations:
                    yield AclRule(principal=principal, host=host, operation=operation, permission=permission)


def _entry(resource: NamedResource, pattern: str, rule: AclRule) -> AclEntry:
    from kraftpy.client.values import AclEntry

    return AclEntry(
        resource_type=resource.type,
        resource_name=resource.name,
        pattern_type=PatternType[pattern.upper()],
        principal=rule.principal,
        host=rule.host,
        operation=rule.operation,
        permission_type=rule.permission,
    )


def _match(resource: NamedResource, pattern: str, rule: AclRule | None) -> AclMatch:
    from kraftpy.client.values import AclMatch

    named = AclMatch(
        resource_type=resource.type, resource_name=resource.name, pattern_type=PatternType[pattern.upper()]
    )
    if rule is None:
        return named
    return AclMatch(
        resource_type=resource.type,
        resource_name=resource.name,
        pattern_type=named.pattern_type,
        principal=rule.principal,
        host=rule.host,
        operation=rule.operation,
        permission_type=rule.permission,
    )


def _check(outcomes: Sequence[AclOutcome]) -> None:
    failed = [one for one in outcomes if one.error is not ErrorCode.NONE]
    if failed:
        more = f" ({len(failed)} of {len(outcomes)} failed; the others were done)" if len(outcomes) > 1 else ""
        raise RequestRefusedError(f"{failed[0].message or failed[0].error.name} ({failed[0].error.name}){more}")


def _grouped(entries: Iterable[AclEntry], heading: str) -> Iterator[str]:
    """Yield the lines of kafka-acls: each resource pattern with its entries."""

    def pattern(entry: AclEntry) -> tuple[int, str, int]:
        return entry.resource_type, entry.resource_name, entry.pattern_type

    for _, group in groupby(sorted(entries, key=pattern), key=pattern):
        rows = list(group)
        one = rows[0]
        yield (
            f"{heading} `ResourcePattern(resourceType={one.resource_type.name}, name={one.resource_name}, "
            f"patternType={one.pattern_type.name})`:"
        )
        for row in rows:
            yield (
                f"\t(principal={row.principal}, host={row.host}, operation={row.operation.name}, "
                f"permissionType={row.permission_type.name})"
            )


def _as_json(entry: AclEntry) -> dict[str, str]:
    return {
        "resourceType": entry.resource_type.name,
        "resourceName": entry.resource_name,
        "patternType": entry.pattern_type.name,
        "principal": entry.principal,
        "host": entry.host,
        "operation": entry.operation.name,
        "permissionType": entry.permission_type.name,
    }
