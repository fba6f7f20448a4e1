"""Texts without secrets: configuration files by the table of keys and by the words of unknown keys, others by pattern.

A configuration file is written again from its keys and values, so nothing of its comments is left. A known key has a
secret when its type is a password; an unknown one when its name has a word that may mean a secret. Whatever the key, a
value that carries a secret (a login line, a password in an address, a private key) is one. The secrets that were found
are then removed from everything else, too: a node's log should not have them, and is not relied on for that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.config_keys.types import ConfigType
from kraftpy.records.properties import parse_properties, render_properties
from kraftpy.records.redaction import REDACTED, is_secret

SECRET_BYTES_MIN: Final = 4
"""A shorter value is redacted under its key, and not searched for elsewhere: it would be found in every number."""

_LISTENER_PREFIX: Final = re.compile(
    r"^listener\.name\.[^.]+\.(?:(?:plain|scram-sha-256|scram-sha-512|oauthbearer)\.)?"
)
_UNKNOWN_NAMES: Final = re.compile(r"password|passwd|secret|token|jaas|key|credential", re.IGNORECASE)
_PAIRS: Final = re.compile(
    r"(?P<name>[\w.-]*(?:password|passwd|secret|token|jaas[\w.-]*|credential)s?[\"']?\s*[=:]\s*)"
    r"(?P<value>\"[^\"\n]*\"|'[^'\n]*'|[^\s,;}\])]+)",
    re.IGNORECASE,
)
"""``password=x`` and its like, as in login lines and logs."""
_LOGIN_OPTIONS: Final = re.compile(r"(?P<name>[\w.-]+)\s*=\s*\"(?P<value>[^\"]*)\"")
_KEY_BLOCKS: Final = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
_ADDRESSES: Final = re.compile(r"(?P<scheme>://)[^/\s:@]+:(?P<password>[^/\s@]+)@")


@dataclass(frozen=True, slots=True)
class RedactedFile:
    """A configuration file without its secrets, and what these were; the latter are for :func:`scrubbed` alone."""

    text: str
    keys: tuple[str, ...]
    secrets: tuple[str, ...]

    def __repr__(self) -> str:
        """Name the keys, and not the secrets."""
        return f"RedactedFile(keys={self.keys})"


def has_secret(name: str, value: str) -> bool:
    """Return whether a key of a configuration file has a secret as its value."""
    known = NODE_KEYS.get(_LISTENER_PREFIX.sub("", name))
    if is_secret(name, value):
        return True
    return known.type is ConfigType.PASSWORD if known is not None else _UNKNOWN_NAMES.search(name) is not None


def redacted_file(text: str) -> RedactedFile:
    """Return a properties file without comments and secrets.

    Raises:
        MalformedError: it is no properties file; nothing of it may be shown then.
    """
    given = parse_properties(text)
    secret = {name: value for name, value in given.items() if value.strip() and has_secret(name, value)}
    shown = {name: REDACTED if name in secret else value for name, value in given.items()}
    parts = {part for value in secret.values() for part in (value.strip(), *_inner(value))}
    return RedactedFile(render_properties(shown), tuple(secret), tuple(sorted(parts, key=len, reverse=True)))


def scrubbed(text: str, secrets: Iterable[str] = ()) -> str:
    """Return a text without these secrets, as they are or within JSON, and without what looks like one."""
    for secret in secrets:
        if len(secret.encode()) >= SECRET_BYTES_MIN:
            for form in {secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}:
                text = text.replace(form, REDACTED)
    text = _KEY_BLOCKS.sub(REDACTED, text)
    text = _ADDRESSES.sub(rf"\g<scheme>{REDACTED}@", text)
    return _PAIRS.sub(_without_value, text)


def _without_value(pair: re.Match[str]) -> str:
    """Return a pair without its value; quotes stay, so that JSON stays JSON."""
    quote = pair["value"][0] if pair["value"][0] in "\"'" else ""
    return f"{pair['name']}{quote}{REDACTED}{quote}"


def _inner(value: str) -> list[str]:
    """Return the secrets within a value: options of a login line but the user's name, and passwords of addresses."""
    options = [match["value"] for match in _LOGIN_OPTIONS.finditer(value) if match["name"] != "username"]
    return [*options, *(match["password"] for match in _ADDRESSES.finditer(value))]
