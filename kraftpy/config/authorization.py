"""Who may do what: the authorizer, and who needs none.

Source: Kafka ``ServerConfigs``, ``StandardAuthorizer``; KIP-801.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kraftpy.authorizer.principal_mapping import DEFAULT_RULES, MappingRule, parse_rules
from kraftpy.config.settings import Settings

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
    """

    super_users: tuple[str, ...]
    allow_without_entries: bool
    mapping_rules: tuple[MappingRule, ...] = (MappingRule(),)


def read_authorization(settings: Settings) -> AuthorizationConfig | None:
    """Return the settings of the authorizer, ``None`` where there is none.

    Raises:
        ConfigError: another class is named, a principal has no type, a rule is malformed, or a key has no effect
            without an authorizer.
    """
    name = settings.word(AUTHORIZER)
    users = tuple(user.strip() for user in (settings.word(SUPER_USERS) or "").split(";") if user.strip())
    if not name:
        maps = (settings.word(MAPPING_RULES) or DEFAULT_RULES) != DEFAULT_RULES
        for key, is_set in ((SUPER_USERS, bool(users)), (DEFAULT, settings.flag(DEFAULT)), (MAPPING_RULES, maps)):
            if is_set:
                raise settings.error(key, f"it has no effect without {AUTHORIZER}={STANDARD}; set that, or remove it")
        return None
    if name != STANDARD:
        raise settings.error(AUTHORIZER, f"there is no such authorizer; the one that exists is {STANDARD}")
    for user in users:
        if not all(user.partition(":")[::2]):
            raise settings.error(SUPER_USERS, f"{user!r} has no type; expected such as User:CN=admin;User:CN=node-1")
    return AuthorizationConfig(
        super_users=users, allow_without_entries=settings.flag(DEFAULT), mapping_rules=_mapping_rules(settings)
    )


def _mapping_rules(settings: Settings) -> tuple[MappingRule, ...]:
    try:
        return parse_rules(settings.word(MAPPING_RULES) or "")
    except ValueError as error:
        raise settings.error(MAPPING_RULES, str(error)) from error
