"""Who calls the public API, by the certificate of the connection, and by the session that SASL authenticated.

Source: gRPC's authentication context (``x509_subject_alternative_name``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import unquote

import grpc

from kraftpy.authorizer.actions import Caller
from kraftpy.model.identity import ANONYMOUS, Principal, principal_of
from kraftpy.transport.authorization import host_of
from kraftpy.transport.grpc.sasl_sessions import SESSION
from kraftpy.transport.sasl import sasl_principal

SUBJECT: Final = "x509_subject"
"""The distinguished name as OpenSSL writes it by RFC 2253: bytes beyond ASCII are escaped one by one."""
COMMON_NAME: Final = "x509_common_name"
CLIENT_ID: Final = "client-id"
"""The metadata key of a call that names the client id which quotas apply to. gRPC bounds metadata to 8 KiB."""
ALTERNATIVE_NAMES: Final = "x509_subject_alternative_name"
"""gRPC lists URIs and host names together; a host name has no ``://``, so none passes for a URI of a node."""


class ForwardedContext:
    """The context of a call that another node forwards.

    Attributes:
        caller: the client that made it there.
        principal: the same, as the peer of a connection.
    """

    def __init__(self, caller: Caller, principal: Principal) -> None:
        self.caller = caller
        self.principal = principal


def principal_at(context: grpc.aio.ServicerContext[Any, Any]) -> Principal:
    """Read who calls: SASL names the principal where the port speaks it, and a certificate the nodes, as elsewhere."""
    if isinstance(context, ForwardedContext):
        return context.principal
    certified, session = _certified(context), SESSION.get()
    return certified if session is None else sasl_principal(certified, session.verdict)


def _certified(context: grpc.aio.ServicerContext[Any, Any]) -> Principal:
    """Read whose certificate the connection has; gRPC hands on those that were verified, and no others."""
    facts: Mapping[str, Iterable[bytes]] = context.auth_context()
    names = tuple(facts.get(ALTERNATIVE_NAMES, ()))
    subject = b",".join(facts.get(COMMON_NAME, ())).decode(errors="replace")
    if not names and not subject:
        return ANONYMOUS
    distinguished = b",".join(facts.get(SUBJECT, ())).decode(errors="replace")
    uris = [name.decode(errors="replace") for name in names]
    return principal_of(f"commonName={subject}", uris, _unescaped(distinguished))


def caller_at(context: grpc.aio.ServicerContext[Any, Any]) -> Caller:
    """Read who calls, and from where, as an authorizer is asked."""
    if isinstance(context, ForwardedContext):
        return context.caller
    principal = principal_at(context)
    return Caller(
        principal.name,
        host_at(context),
        is_token_authenticated=principal.by_token,
        is_by_sasl=principal.by_sasl,
    )


def host_at(context: grpc.aio.ServicerContext[Any, Any]) -> str:
    """Read the caller's IP address; of any other socket, its path."""
    scheme, _, address = context.peer().partition(":")
    return host_of(unquote(address).rpartition(":")[0].strip("[]") if scheme in ("ipv4", "ipv6") else address)


def client_id_at(context: grpc.aio.ServicerContext[Any, Any]) -> str:
    """Return the client id that a call names for its quotas; empty for none."""
    for key, value in context.invocation_metadata() or ():
        if key == CLIENT_ID:
            return value if isinstance(value, str) else value.decode(errors="replace")
    return ""


def _unescaped(name: str) -> str:
    """Return a distinguished name with letters beyond ASCII as they are, as on Kafka's wire here and in Kafka."""

    def text(match: re.Match[str]) -> str:
        return bytes.fromhex(match[0].replace("\\", "")).decode(errors="replace")

    return re.sub(r"(?:\\[89A-Fa-f][0-9A-Fa-f])+", text, name)
