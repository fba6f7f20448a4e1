"""Secrets: what is shown on request only, how it is recognized, and what is shown in its place.

A config value counts as a secret when Kafka types its key as a password, or when the value itself carries one (a JAAS
line, a password in an address). Unknown keys are judged by their words. SCRAM credentials are secrets whole. A
delegation token's record holds no secret: its HMAC is made from the token's id and a key that is in no record.

Source: Kafka ``SslConfigs``, ``SaslConfigs``, ``BrokerSecurityConfigs`` (type PASSWORD); KIP-554, KIP-900.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.model.features import SchemaSet
from kraftpy.records.batch import Batch, encode_batch
from kraftpy.records.json_text import Json, record_to_json
from kraftpy.records.metadata import (
    PREFIX_BYTES,
    ConfigRecord,
    LogRecord,
    UnknownRecord,
    UserScramCredentialRecord,
    decode_record,
    encode_record,
)

REDACTED: Final = "[redacted]"
"""What is shown in place of a secret."""

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
_ENDINGS: Final = ("password", "secret", ".secret.key")

_SECRET_KEYS: Final = (ConfigRecord.API_KEY, UserScramCredentialRecord.API_KEY)
_ONE_BYTE_MAX: Final = 0x80
"""An apiKey below this is one byte of a record's frame."""

_NAMES_CACHED: Final = 4_096
"""For how many keys it is remembered whether their names are those of secrets."""


def is_secret(name: str, value: str | None) -> bool:
    """Return whether a config value is to be kept from every output."""
    if _is_secret_name(name):
        return bool(value)
    return value is not None and _VALUES.search(value) is not None


@lru_cache(maxsize=_NAMES_CACHED)
def _is_secret_name(name: str) -> bool:
    key = _LISTENER_PREFIX.sub("", name)
    return _NAMES.search(key) is not None or _WORDS.search(key) is not None


@lru_cache(maxsize=_NAMES_CACHED)
def _may_be_password(name: str) -> bool:
    """Return whether a name is one of Kafka's passwords, or names a plugin's secret, in any case, with any prefix."""
    key = name.lower()
    return _is_secret_name(key) or key.endswith(_ENDINGS) or "jaas.config" in key


def secret_fields(record: LogRecord) -> tuple[str, ...]:
    """Name the fields of a record that are secrets, as JSON writes them."""
    match record:
        case ConfigRecord(name=name, value=str(value)) if value and (_may_be_password(name) or is_secret(name, value)):
            return ("value",)
        case UserScramCredentialRecord():
            return ("salt", "storedKey", "serverKey")
        case _:
            return ()


def shown_json(record: LogRecord, version: int, marker: str | None = REDACTED) -> Json:
    """Show a record as :func:`~kraftpy.records.json_text.record_to_json` does, with a marker in place of its secrets.

    ``None`` shows the secrets.
    """
    shown = record_to_json(record, version)
    for name in secret_fields(record) if marker is not None else ():
        shown["data"][name] = marker
    return shown


def redacted(record: LogRecord, marker: str = REDACTED) -> LogRecord:
    """Return a record without its secrets; the same object when it has none."""
    if not secret_fields(record):
        return record
    if isinstance(record, ConfigRecord):
        return replace(record, value=marker)
    hidden = marker.encode()
    assert isinstance(record, UserScramCredentialRecord), record
    return replace(record, salt=hidden, stored_key=hidden, server_key=hidden)


def redacted_value(value: bytes, marker: str = REDACTED) -> bytes:
    """Return a record's framed value without its secrets; the same object when it has none.

    One that claims to hold secrets and cannot be read keeps its frame alone, which cannot be read either.
    """
    if len(value) >= PREFIX_BYTES and value[1] < _ONE_BYTE_MAX and value[1] not in _SECRET_KEYS:
        return value
    try:
        record = decode_record(value, SchemaSet.KRAFTPY)  # these records are the same in all of them
        shown = redacted(record, marker)
        if shown is record or isinstance(shown, UnknownRecord):
            return value
        return encode_record(shown, shown.MAX_VERSION)  # there is one version of each
    except (MalformedError, LocalError):
        return value[:PREFIX_BYTES]


def with_values(batch: Batch, values: Sequence[bytes]) -> bytes:
    """Encode a data batch again with other values for its records: same offsets, epoch and time, and a valid checksum.

    Raises:
        TooLargeError: when it would be over 8 MiB.
    """
    return encode_batch(values, base_offset=batch.base_offset, epoch=batch.epoch, timestamp_ms=batch.base_timestamp_ms)
