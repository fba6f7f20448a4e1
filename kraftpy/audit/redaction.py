"""Secrets: what must never be printed, and how to tell.

A config value counts as a secret when Kafka types its key as a password, or when the value itself carries one (a JAAS
line, a password in an address). Keys nobody knows are judged by their words. SCRAM credentials are secrets whole.

Source: Kafka ``SslConfigs``, ``SaslConfigs``, ``BrokerSecurityConfigs`` (type PASSWORD).
"""

from __future__ import annotations

import re
from typing import Final

REDACTED: Final = "[redacted]"
"""What stands in place of a secret."""

_LISTENER_PREFIX: Final = re.compile(r"^listener\.name\.[^.]+\.")
_NAMES: Final = re.compile(
    r"(?:^|\.)(?:sasl\.jaas\.config|ssl\.keystore\.key|ssl\.keystore\.certificate\.chain|ssl\.truststore\.certificates"
    r"|password\.encoder\.(?:old\.)?secret|delegation\.token\.(?:master|secret)\.key)$"
)
_WORDS: Final = re.compile(
    r"(?:^|[._-])(?:password|passwd|secret|token|credentials?|private[._-]?key|api[._-]?key)$", re.IGNORECASE
)
_VALUES: Final = re.compile(
    r"(?:password|passwd|secret)\s*[=:]\s*\S|-----BEGIN [A-Z ]*PRIVATE KEY-----|://[^/\s:@]+:[^/\s@]+@", re.IGNORECASE
)


def is_secret(name: str, value: str | None) -> bool:
    """Say whether a config value is to be kept from every output."""
    key = _LISTENER_PREFIX.sub("", name)
    if _NAMES.search(key) or _WORDS.search(key):
        return bool(value)
    return value is not None and _VALUES.search(value) is not None
