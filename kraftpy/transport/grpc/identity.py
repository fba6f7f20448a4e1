"""Who calls the public API, by the certificate of the connection.

Source: gRPC's authentication context (``x509_subject_alternative_name``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import grpc

from kraftpy.model.identity import ANONYMOUS, Principal, principal_of

COMMON_NAME: Final = "x509_common_name"
ALTERNATIVE_NAMES: Final = "x509_subject_alternative_name"
"""gRPC lists URIs and host names together; a host name has no ``://``, so none passes for a URI of a node."""


def principal_at(context: grpc.aio.ServicerContext[Any, Any]) -> Principal:
    """Read who calls; gRPC hands on certificates that were verified, and no others."""
    facts: Mapping[str, Iterable[bytes]] = context.auth_context()
    names = tuple(facts.get(ALTERNATIVE_NAMES, ()))
    subject = b",".join(facts.get(COMMON_NAME, ())).decode(errors="replace")
    if not names and not subject:
        return ANONYMOUS
    return principal_of(f"commonName={subject}", [name.decode(errors="replace") for name in names])
