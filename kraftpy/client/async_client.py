"""The client: every call of the public API, one method each.

The methods are in ``reads``, ``admin_writes`` and ``node_writes``; how a call is made, and repeated, is in ``calls``.
"""

from __future__ import annotations

from kraftpy.client.admin_writes import AdminWrites
from kraftpy.client.node_writes import NodeWrites
from kraftpy.client.reads import ClusterReads


class AsyncClient(ClusterReads, NodeWrites, AdminWrites):
    """Calls a cluster. Use it with ``async with``; concurrent calls share messages, which is cheaper.

    Args:
        bootstrap: ``host:port`` of the public API of one or more nodes.
        timeout_s: the default timeout of a call, in seconds.
        credentials: TLS, if given (``grpc.ssl_channel_credentials``).
        login: the credentials for SASL, if given: :class:`ScramCredentials`, :class:`PlainCredentials`
            or :class:`BearerCredentials`.
        draw: returns random numbers in [0, 1), for the jitter of pauses between attempts.
        tracer_provider: OpenTelemetry's, for a span of each call; by default the global one, if the program has
            imported OpenTelemetry.

    Raises:
        ApiError: by every call: the cluster rejected the request, and nothing changed; ``code`` is Kafka's error code.
        UnavailableError: by every call: no node answered before the timeout, and nothing changed.
        UnknownOutcomeError: by every write: it was sent, and the client does not know whether it was committed.
        MalformedError: by every call: a node answered with what is malformed, such as a uuid of 15 bytes. A write is
            committed then.
    """
