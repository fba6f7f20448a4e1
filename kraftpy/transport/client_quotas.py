"""Clients' quotas at the wires: who is charged for a request, and what the response says of waiting.

The client is the one that made the request: for a request in an Envelope the client of the broker, with the principal
and the client id that the broker passes on. Principals of certificates are named by ``ssl.principal.mapping.rules``
where an authorizer is configured, as its entries name them.

Source: KIP-599; Kafka ``ControllerApis``, ``RequestHandlerHelper``.
"""

from __future__ import annotations

from kraftpy.authorizer.actions import Caller
from kraftpy.controller.requests import ControllerRequest
from kraftpy.controller.topic_requests import CreatePartitions, CreateTopics, DeleteTopics
from kraftpy.model.errors import ApiError
from kraftpy.quotas.mutations import Mutator
from kraftpy.quotas.resolution import QuotaClient, user_of
from kraftpy.quotas.token_bucket import THROTTLE_MS_MAX
from kraftpy.transport.authorization import Authorization, principal_name
from kraftpy.transport.node_api import Outcome


def client_of(caller: Caller, client_id: str, authorization: Authorization | None) -> QuotaClient:
    """Return a caller as quotas name it."""
    return QuotaClient(user_of(principal_name(caller, authorization)), client_id)


def charged_to(request: ControllerRequest, client: QuotaClient, *, is_strict: bool = True) -> ControllerRequest:
    """Return a request with the client whose mutation quota it is charged to, if it is one that has a charge.

    Args:
        request: what is asked.
        client: who asks.
        is_strict: whether the client knows THROTTLING_QUOTA_EXCEEDED.
    """
    match request:
        case CreateTopics() | DeleteTopics() | CreatePartitions():
            return request._replace(mutator=Mutator(client, is_strict))
    return request


def throttle_ms(outcome: Outcome, now_ms: int) -> int:
    """Return how long the mutation quota of a client makes it wait after a response that is sent now (ms)."""
    if isinstance(outcome, ApiError):
        return 0
    until_ms: int = getattr(outcome.response, "throttled_until_ms", 0)
    return min(max(0, until_ms - now_ms), THROTTLE_MS_MAX)
