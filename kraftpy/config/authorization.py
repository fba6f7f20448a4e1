"""Who may do what: the authorizer, and who needs none.

Source: Kafka ``ServerConfigs``, ``StandardAuthorizer``; KIP-801.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from kraftpy.authorizer.principal_mapping import DEFAULT_RULES, MappingRule, parse_rules
from kraftpy.config.protection import LISTENER_PREFIX
from kraftpy.config.settings import Settings
from kraftpy.config.tls import split_scope

AUTHORIZER: Final = "authorizer.class.name"
SUPER_USERS: Final = "super.users"
DEFAULT: Final = "allow.everyone.if.no.acl.found"
MAPPING_RULES: Final = "ssl.principal.mapping.rules"

STANDARD: Final = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
"""The one authorizer that exists here, by the name of the class that does the same in Kafka."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationConfig:
    """The settings of the authorizer.

    Attributes:
        super_users: principals that may do everything, each with its type.
        allow_without_entries: whether everyone may use a resource that no access control entry is about.
        mapping_rules: how principals are named after certificates.
        listener_rules: likewise, by the name of a listener that has rules of its own.
    """

    super_users: tuple[str, ...]
    allow_without_entries: bool
    mapping_rules: tuple[MappingRule, ...] = (MappingRule(),)
    listener_rules: Mapping[str, tuple[MappingRule, ...]] = field(default_factory=dict)

    def rules_of(self, listener_name: str) -> tuple[MappingRule, ...]:
        """Return the rules for the connections of a listener, whose name is in upper case."""
        return self.listener_rules.get(listener_name, self.mapping_rules)


def read_authorization(settings: Settings, listener_names: Iterable[str]) -> AuthorizationConfig | None:
    """Return the settings of the authorizer, ``None`` where there is none.

    Args:
        settings: the file.
        listener_names: the listeners that keys may be scoped to, in upper case.

    Raises:
        ConfigError: another class is named, a principal has no type, a rule is malformed, or a key has no effect
            without an authorizer.
    """
    name = settings.word(AUTHORIZER)
    users = tuple(user.strip() for user in (settings.word(SUPER_USERS) or "").split(";") if user.strip())
    if not name:
        maps = (settings.word(MAPPING_RULES) or DEFAULT_RULES) != DEFAULT_RULES
        scoped = [
            (key, True) for key, text in _scoped_rules(settings, listener_names).values() if text != DEFAULT_RULES
        ]
        unscoped = (SUPER_USERS, bool(users)), (DEFAULT, settings.flag(DEFAULT)), (MAPPING_RULES, maps)
        for key, is_set in (*unscoped, *scoped):
            if is_set:
                raise settings.error(key, f"it has no effect without {AUTHORIZER}={STANDARD}; set that, or remove it")
        return None
    if name != STANDARD:
        raise settings.error(AUTHORIZER, f"there is no such authorizer; the one that exists is {STANDARD}")
    for user in users:
        if not all(user.partition(":")[::2]):
            raise settings.error(SUPER_USERS, f"{user!r} has no type; expected such as User:CN=admin;User:CN=node-1")
    return AuthorizationConfig(
        super_users=users,
        allow_without_entries=settings.flag(DEFAULT),
        mapping_rules=_parsed(settings, MAPPING_RULES, settings.word(MAPPING_RULES) or ""),
        listener_rules={
            name: _parsed(settings, key, text) for name, (key, text) in _scoped_rules(settings, listener_names).items()
        },
    )


def _scoped_rules(settings: Settings, listener_names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the key and the rules of each listener that has its own."""
    found = {}
    names = tuple(listener_names)
    for key, setting in settings.given.items():
        if key.startswith(LISTENER_PREFIX) and settings.is_given(key):
            scope = split_scope(key, names)
            if scope is not None and scope[1] == MAPPING_RULES:
                found[scope[0]] = (key, setting.text.strip())
    return found


def _parsed(settings: Settings, key: str, text: str) -> tuple[MappingRule, ...]:
    try:
        return parse_rules(text)
    except ValueError as error:
        raise settings.error(key, str(error)) from error
