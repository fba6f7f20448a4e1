"""``kraftpy configs`` for users, clients and IP addresses: client quotas, and the SCRAM credentials of users.

Source: Kafka ``ConfigCommand`` (options, rules and texts); KIP-546 (quotas), KIP-554 (SCRAM), KIP-612 (IP addresses).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from kraftpy.cli.errors import ArgumentError, RequestRefusedError
from kraftpy.cli.scram_text import MECHANISMS, parse_credential

if TYPE_CHECKING:
    from kraftpy.cli.cluster_port import ClusterClient, Read

QUOTA_TYPES: Final = {"users": "user", "clients": "client-id", "ips": "ip"}
"""Entity types of the command line, and what the API calls them."""

TITLES: Final = {"user": "user-principal", "client-id": "client-id", "ip": "ip"}


@dataclass(frozen=True, slots=True)
class QuotaEntity:
    """What has quotas, as named on the command line.

    Attributes:
        names: name by type of the API (``user``, ``client-id``, ``ip``); ``None`` is the default of the type.
        any_name: types that were given without a name.
    """

    names: Mapping[str, str | None]
    any_name: tuple[str, ...] = ()

    @property
    def has_user_only(self) -> bool:
        """Whether this is a named user and nothing else: only such an entity has SCRAM credentials."""
        return set(self.names) == {"user"} and not self.any_name and self.names["user"] is not None

    def text(self) -> str:
        """Return the entity as Kafka prints it."""
        return ", ".join(_title(kind, self.names[kind]) for kind in TITLES if kind in self.names)


def _title(kind: str, name: str | None) -> str:
    return f"the default {TITLES[kind]}" if name is None else f"{TITLES[kind]} '{name}'"


def quota_entity(types: Sequence[str], names: Sequence[str], *, is_default: bool) -> QuotaEntity:
    """Return the entity of ``--entity-type``, ``--entity-name`` and ``--entity-default``.

    Raises:
        UsageError: the types cannot be combined, or it is not clear which of them has which name.
    """
    _check_types([QUOTA_TYPES[each] for each in types])
    if len(names) > len(types):
        raise click.UsageError("More --entity-name than --entity-type")
    if "" in names:
        raise click.UsageError("--entity-name is empty; --entity-default is the default of a type")
    if is_default and names:
        raise click.UsageError("With --entity-name and --entity-default it is not clear which type has the name; "
                               "use --user, --client, --user-defaults and --client-defaults")  # fmt: skip
    found: dict[str, str | None] = {}
    missing: list[str] = []
    for place, each in enumerate(types):
        kind = QUOTA_TYPES[each]
        if is_default:
            found[kind] = None
        elif place < len(names):
            found[kind] = names[place]
        else:
            missing.append(kind)
    return QuotaEntity(found, tuple(missing))


def describe_entities(cluster: ClusterClient, entity: QuotaEntity, read: Read) -> list[dict[str, Any]]:
    """Return a row per entity with quotas, then one per user with SCRAM credentials, as Kafka's command does."""
    rows: list[dict[str, Any]] = [
        {"quotaEntity": dict(found), "quotas": dict(quotas), "scramCredentials": []}
        for found, quotas in cluster.describe_client_quotas(entity.names, entity.any_name, read).entities
    ]
    users_only = {*entity.names, *entity.any_name} == {"user"}
    if not users_only or entity.names.get("user", "") is None:
        return rows
    wanted = [name for name in entity.names.values() if name is not None]
    numbers = {number: name for name, (number, _) in MECHANISMS.items()}
    for user, credentials in cluster.describe_user_scram_credentials(wanted, read).users.items():
        shown = [
            {"mechanism": numbers.get(each, str(each)), "iterations": count} for each, count in credentials.items()
        ]
        if shown:
            rows.append({"quotaEntity": {"user": user}, "quotas": {}, "scramCredentials": shown})
    return rows


def entity_lines(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield the line of a row of :func:`describe_entities`."""
    name = QuotaEntity(row["quotaEntity"]).text()
    if not row["scramCredentials"]:
        yield f"Quota configs for {name} are {', '.join(f'{key}={value}' for key, value in row['quotas'].items())}"
    else:
        shown = (f"{one['mechanism']}=iterations={one['iterations']}" for one in row["scramCredentials"])
        yield f"SCRAM credential configs for {name} are {', '.join(shown)}"


def alter_entity(
    cluster: ClusterClient,
    entity: QuotaEntity,
    added: Mapping[str, str],
    deleted: Iterable[str],
    *,
    validate_only: bool,
) -> None:
    """Set and remove quotas of an entity, or SCRAM credentials of a user.

    Raises:
        ArgumentError: a value cannot be used, or quotas and credentials are changed at once.
        CommandError: the controller rejects the change.
    """
    keys = {*added, *deleted}
    scram = sorted(keys & MECHANISMS.keys())
    if scram and scram != sorted(keys):
        raise ArgumentError(f"{', '.join(sorted(keys))}: quotas and SCRAM credentials are changed one after the other")
    if scram and not entity.has_user_only:
        raise ArgumentError(f"{', '.join(scram)}: only a user with a name has SCRAM credentials")
    if scram:
        user = entity.names["user"]
        assert user is not None
        upsertions = [parse_credential(user, name, text, os.urandom) for name, text in added.items()]
        deletions = [(user, MECHANISMS[name][0]) for name in deleted]
        problem = cluster.alter_user_scram_credentials(upsertions, deletions, validate_only=validate_only)
    else:
        changes: dict[str, float | None] = {key: _quota(key, text) for key, text in added.items()}
        changes |= dict.fromkeys(deleted)
        problem = cluster.alter_client_quotas(entity.names, changes, validate_only=validate_only)
    if problem is not None:
        raise RequestRefusedError(problem)


def _quota(key: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ArgumentError(f"Cannot parse quota configuration value for {key}: {text}") from None


def entity_of_shortcuts(shortcuts: Mapping[str, str | bool | None]) -> QuotaEntity | None:
    """Return the entity of ``--user``, ``--client``, ``--ip`` and their ``-defaults``; ``None`` without any of them.

    Raises:
        UsageError: a type is given by name and by default, or the types cannot be combined.
    """
    found: dict[str, str | None] = {}
    for option, kind in (("user", "user"), ("client", "client-id"), ("ip", "ip")):
        name, is_default = shortcuts[option], shortcuts[f"{option}_defaults"]
        if name is not None and is_default:
            raise click.UsageError(f"--{option} and --{option}-defaults exclude each other")
        if name == "":
            raise click.UsageError(f"--{option} is empty; --{option}-defaults is the default of the type")
        if is_default or name is not None:
            found[kind] = None if is_default else str(name)
    _check_types(list(found))
    return QuotaEntity(found) if found else None


def _check_types(kinds: Sequence[str]) -> None:
    if len(set(kinds)) != len(kinds):
        raise click.UsageError(f"--entity-type names a type twice: {', '.join(kinds)}")
    if "ip" in kinds and len(kinds) > 1:
        raise click.UsageError("an IP address cannot be combined with a user or a client")
