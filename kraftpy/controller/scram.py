"""SCRAM credentials of users: only what a server needs to check a proof is kept.

The request has the salted password, which is as good as the password; the log gets the stored key and the server key
that follow from it (RFC 5802 §3).

The checks of each user, in order; an error leaves the others alone:

1. DUPLICATE_RESOURCE: the request named it before, without an error.
2. UNSUPPORTED_VERSION: the metadata.version is below 11.
3. UNACCEPTABLE_CREDENTIAL: the name is empty.
4. UNACCEPTABLE_CREDENTIAL, ours: no record holds the name.
5. UNSUPPORTED_SASL_MECHANISM: there is no such mechanism.

Of a deletion:

6. RESOURCE_NOT_FOUND: the user has no credential of the mechanism.

Of a new credential:

7. UNACCEPTABLE_CREDENTIAL: it has too few iterations.
8. UNACCEPTABLE_CREDENTIAL: it has too many.
9. UNACCEPTABLE_CREDENTIAL, ours: its salt or its salted password is empty, or longer than
   :data:`CREDENTIAL_BYTES_MAX`.

Source: Kafka ``ScramControlManager``; KIP-554, KIP-900.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from kraftpy.controller.account_requests import (
    AlterUserScramCredentials,
    AlterUserScramCredentialsResponse,
    ScramResult,
    ScramUpsertion,
)
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.limits import check_string
from kraftpy.controller.result import ControllerResult
from kraftpy.image.image import MetadataImage
from kraftpy.image.scram import ScramUser
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import SCRAM_LEVEL
from kraftpy.records.metadata import RemoveUserScramCredentialRecord, UserScramCredentialRecord

HASHES: Final = {1: "sha256", 2: "sha512"}
"""Mechanism to its hash: SCRAM-SHA-256 and SCRAM-SHA-512."""

ITERATIONS: Final = (4_096, 16_384)
"""The fewest and the most iterations. Source: Kafka ``ScramMechanism.minIterations``, ``MAX_ITERATIONS``."""

CREDENTIAL_BYTES_MAX: Final = 1_024
"""How long a salt or a salted password may be; 64 bytes are what the mechanisms make."""


def alter_scram_credentials(view: DecisionContext, request: AlterUserScramCredentials) -> ControllerResult:
    """Decide a whole request; errors of a user are values in the response, and all changes are one batch.

    A user may be named once: two changes of one user have no order. The first error of a user is the one that is
    answered.
    """
    changes: dict[str, RemoveUserScramCredentialRecord | UserScramCredentialRecord] = {}
    errors: dict[str, tuple[ErrorCode, str]] = {}
    asked = [(user, None) for user in request.deletions] + [(one.user, one) for one in request.upsertions]
    for user, upsertion in asked:
        if user.name in errors:
            continue
        try:
            if changes.pop(user.name, None) is not None:
                raise ApiError(
                    ErrorCode.DUPLICATE_RESOURCE, "A user credential cannot be altered twice in the same request"
                )
            _check(view.image, user)
            changes[user.name] = _removal(view.image, user) if upsertion is None else _credential(upsertion)
        except ApiError as refused:
            errors[user.name] = (refused.code, refused.message)
    names = dict.fromkeys(user.name for user, _ in asked)
    results = tuple(ScramResult(name, *errors.get(name, (ErrorCode.NONE, ""))) for name in names)
    return ControllerResult(tuple(changes.values()), AlterUserScramCredentialsResponse(results=results))


def _removal(image: MetadataImage, user: ScramUser) -> RemoveUserScramCredentialRecord:
    if user not in image.scram.credentials:
        raise ApiError(ErrorCode.RESOURCE_NOT_FOUND, "Attempt to delete a user credential that does not exist")
    return RemoveUserScramCredentialRecord(name=user.name, mechanism=user.mechanism)


def _check(image: MetadataImage, user: ScramUser) -> None:
    """Judge what both kinds of change have in common, in Kafka's order."""
    if image.level < SCRAM_LEVEL:
        raise ApiError(ErrorCode.UNSUPPORTED_VERSION, "The current metadata.version does not support SCRAM")
    if not user.name:
        raise ApiError(ErrorCode.UNACCEPTABLE_CREDENTIAL, "Username must not be empty")
    check_string(ErrorCode.UNACCEPTABLE_CREDENTIAL, "The user name", user.name)
    if user.mechanism not in HASHES:
        raise ApiError(ErrorCode.UNSUPPORTED_SASL_MECHANISM, "Unknown SCRAM mechanism")


def _credential(one: ScramUpsertion) -> UserScramCredentialRecord:
    fewest, most = ITERATIONS
    if one.iterations < fewest:
        raise ApiError(ErrorCode.UNACCEPTABLE_CREDENTIAL, "Too few iterations")
    if one.iterations > most:
        raise ApiError(ErrorCode.UNACCEPTABLE_CREDENTIAL, "Too many iterations")
    for what, value in (("salt", one.salt), ("salted password", one.salted_password)):
        if not 0 < len(value) <= CREDENTIAL_BYTES_MAX:
            raise ApiError(
                ErrorCode.UNACCEPTABLE_CREDENTIAL,
                f"The {what} has {len(value)} bytes, expected 1 to {CREDENTIAL_BYTES_MAX}",
            )
    algorithm = HASHES[one.user.mechanism]
    client_key = hmac.digest(one.salted_password, b"Client Key", algorithm)
    return UserScramCredentialRecord(
        name=one.user.name,
        mechanism=one.user.mechanism,
        salt=one.salt,
        stored_key=hashlib.new(algorithm, client_key).digest(),
        server_key=hmac.digest(one.salted_password, b"Server Key", algorithm),
        iterations=one.iterations,
    )
