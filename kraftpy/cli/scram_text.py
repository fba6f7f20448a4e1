"""SCRAM credentials as one word on a command line: ``storage format --add-scram``, and ``configs alter``.

``SCRAM-SHA-256=[name=alice,password=secret]``; also ``iterations=N``, ``salt="base64"`` and, in place of the password,
``saltedpassword="base64"``. What is kept are the two keys of RFC 5802, never the password.

Source: Kafka ``ScramParser``, ``ScramFormatter``; KIP-900; RFC 5802 §3.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from kraftpy.cli.errors import ArgumentError
from kraftpy.records.metadata import UserScramCredentialRecord

if TYPE_CHECKING:
    from kraftpy.client.values import NewScramCredential

MECHANISMS = {"SCRAM-SHA-256": (1, "sha256"), "SCRAM-SHA-512": (2, "sha512")}
ITERATIONS_MIN = 4096
ITERATIONS_MAX = 16384
SALT_BYTES = 32
KEYS = ("name", "password", "saltedpassword", "iterations", "salt")


def parse_scram(texts: Iterable[str], draw: Callable[[int], bytes]) -> list[UserScramCredentialRecord]:
    """Read every ``--add-scram``; no user may have two credentials of one mechanism.

    Args:
        texts: one per user and mechanism.
        draw: returns that many random bytes, for salts that are not given.

    Raises:
        ArgumentError: with Kafka's words.
    """
    records: list[UserScramCredentialRecord] = []
    for text in texts:
        record = _parse_one(text, draw)
        if any((other.name, other.mechanism) == (record.name, record.mechanism) for other in records):
            raise ArgumentError(f"A user credential for {record.name} was specified more than once")
        records.append(record)
    return records


def _parse_one(text: str, draw: Callable[[int], bytes]) -> UserScramCredentialRecord:
    mechanism, equals, body = text.strip().partition("=")
    if not equals or not body:
        raise ArgumentError("Failed to find equals sign in SCRAM argument, expected MECHANISM=[name=...,password=...]")
    if mechanism not in MECHANISMS:
        raise ArgumentError(f"The add-scram mechanism {mechanism} is not supported.")
    if not (body.startswith("[") and body.endswith("]")):
        raise ArgumentError("Expected configuration string to be enclosed in [ and ]")
    number, digest = MECHANISMS[mechanism]
    values = _pairs(body[1:-1])
    name = values.get("name")
    if not name:
        raise ArgumentError("You must supply 'name' to add-scram")
    iterations = _iterations(values.get("iterations"), mechanism)
    salt, salted = _salted_password(values, digest, iterations, draw)
    client_key = hmac.digest(salted, b"Client Key", digest)
    return UserScramCredentialRecord(
        name=name,
        mechanism=number,
        salt=salt,
        stored_key=hashlib.new(digest, client_key).digest(),
        server_key=hmac.digest(salted, b"Server Key", digest),
        iterations=iterations,
    )


def parse_credential(user: str, name: str, text: str, draw: Callable[[int], bytes]) -> NewScramCredential:
    """Read a credential of ``kraftpy configs``: ``iterations=8192,password=secret``.

    Args:
        user: whose credential.
        name: its mechanism, one of :data:`MECHANISMS`.
        text: the value, without brackets.
        draw: returns that many random bytes, for the salt.

    Raises:
        ArgumentError: it cannot be used.
    """
    from kraftpy.client.values import NewScramCredential, ScramMechanism

    number, digest = MECHANISMS[name]
    values = _pairs(text)
    if unknown := sorted(values.keys() - {"iterations", "password"}):
        raise ArgumentError(f"Unknown configs of {name}: {', '.join(unknown)}; it has iterations and password")
    if not values.get("password"):
        raise ArgumentError(f"You must supply 'password' to {name}, as in {name}=[iterations=8192,password=secret]")
    iterations = _iterations(values.get("iterations"), name)
    salt, salted = _salted_password(values, digest, iterations, draw)
    return NewScramCredential(user, ScramMechanism(number), iterations, salt, salted)


def _pairs(body: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for item in body.split(","):
        key, _, value = item.strip().partition("=")
        values[key] = value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value
    unknown = sorted(set(values) - set(KEYS))
    if unknown:
        raise ArgumentError(f"Unknown SCRAM configurations: {', '.join(unknown)}")
    return values


def _iterations(text: str | None, mechanism: str) -> int:
    if text is None:
        return ITERATIONS_MIN
    if not (text.isascii() and text.isdigit()):
        raise ArgumentError(f"The 'iterations' value {text!r} is not a whole number")
    if int(text) < ITERATIONS_MIN:
        raise ArgumentError(f"The 'iterations' value must be >= {ITERATIONS_MIN} for add-scram using {mechanism}")
    if int(text) > ITERATIONS_MAX:
        raise ArgumentError(f"The 'iterations' value must be <= {ITERATIONS_MAX} for add-scram using {mechanism}")
    return int(text)


def _salted_password(
    values: dict[str, str], digest: str, iterations: int, draw: Callable[[int], bytes]
) -> tuple[bytes, bytes]:
    password, salted = values.get("password"), values.get("saltedpassword")
    if (password is None) == (salted is None):
        raise ArgumentError("You must supply one of 'password' or 'saltedpassword' to add-scram")
    salt = _base64("salt", values["salt"]) if "salt" in values else None
    if salted is not None:
        if salt is None:
            raise ArgumentError("You must supply 'salt' with 'saltedpassword' to add-scram")
        return salt, _base64("saltedpassword", salted)
    assert password is not None
    salt = salt or draw(SALT_BYTES)
    return salt, hashlib.pbkdf2_hmac(digest, password.encode(), salt, iterations)


def _base64(key: str, text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ArgumentError(f"The '{key}' value is not base64: {error}") from error
