"""The public Python client: async first, with a thin sync face, on gRPC.

What this room is for: finding the leader, gathering calls into messages, repeating what is safe to repeat, watching the
log over broken connections. What it may not know: the server's rooms; it speaks the API (``kraftpy.pb``) and the nouns
(``kraftpy.model``) and nothing else.

Reading order: ``values`` and ``errors`` (what callers see), ``async_client`` (one call's way), ``session`` (gathering),
``nodes`` (whom to ask), ``watching``, ``wire`` (values to messages), ``sync``.

Invariants of the room: a write that may have been committed is never repeated unless repeating it changes nothing, the
caller vouched for it, or the controller of the same reign recognises it; a watcher sees each offset once and in order,
or an error.

Importing this package loads grpc. Sources: D3 of the design; ``proto/kraftpy/v1`` for what the calls mean.
"""

from kraftpy.client.async_client import AsyncClient
from kraftpy.client.errors import UnavailableError, UnknownOutcomeError
from kraftpy.client.sync import Client
from kraftpy.model.consistency import Consistency

__all__ = ("AsyncClient", "Client", "Consistency", "UnavailableError", "UnknownOutcomeError")
