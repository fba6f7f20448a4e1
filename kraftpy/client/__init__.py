"""The public Python client on gRPC: async, with a thin synchronous wrapper.

Purpose: find the leader, batch calls into messages, retry what is safe to retry, watch the log across broken
connections. Must not depend on: the server's packages; it uses the API (``kraftpy.pb``), the value types
(``kraftpy.model``, and ``kraftpy.records`` for what is in the log) and the client's side of SASL
(``kraftpy.authenticator``) only.

Reading order: ``values`` and ``errors`` (what callers see), ``async_client`` and its methods in ``reads``,
``admin_writes`` and ``node_writes``, ``calls`` (one call's way), ``session`` (gathering), ``nodes`` (whom to ask),
``sasl`` and ``connection`` (authentication), ``pages`` (lists), ``watching``, ``wire`` and ``broker_wire`` (values to
messages), ``changes`` (typed changes to records), ``sync``.

Invariants of the room: a write that may have been committed is never repeated unless repeating it changes nothing, the
caller vouched for it, or the controller of the same leader epoch recognises it; a watcher sees each offset once and in
order, or an error.

Importing this package loads grpc. Sources: D3 of the design; ``proto/kraftpy/v1`` for what the calls mean.
"""

from kraftpy.client.async_client import AsyncClient
from kraftpy.client.errors import UnavailableError, UnknownOutcomeError
from kraftpy.client.sasl import BearerCredentials, PlainCredentials, ScramCredentials
from kraftpy.client.sync import Client
from kraftpy.model.consistency import Consistency

__all__ = (
    "AsyncClient",
    "BearerCredentials",
    "Client",
    "Consistency",
    "PlainCredentials",
    "ScramCredentials",
    "UnavailableError",
    "UnknownOutcomeError",
)
