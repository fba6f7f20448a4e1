"""Request quotas at a listener: what a request took of this process, and how long its client has to wait for that.

The time of a request (``request_percentage``) is what this process worked on it: to decode it, to check it, to decide
it where this node is the active controller, and to make and encode its answer. Time that it waited, for its turn, for
the disk or for a majority, does not count. Kafka counts its request threads and its network threads; here one thread
does all of it. Encoding comes after the answer has its ThrottleTimeMs, so it counts for the next one.

Nothing is measured while no client has a quota of any kind.

The ThrottleTimeMs of an answer is the longer of that of the mutation quota, which the controller decided, and of the
request quota. The answer is sent at once; then the connection is not read until that time is over. A connection by
which a broker forwarded the request is read on: the broker makes its client wait, by the number in the answer.

Exempt are Raft's requests, AlterPartition, and an Envelope besides the request in it.

Source: KIP-124, KIP-219, KIP-599; Kafka ``RequestHandlerHelper``, ``ControllerApis``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kraftpy.image.client_quotas import ClientQuotasImage
from kraftpy.quotas.request_time import RequestQuotas
from kraftpy.records.generated import rpc
from kraftpy.transport.authorization import Authorization
from kraftpy.transport.client_quotas import client_of
from kraftpy.transport.kafka.apis import WireRequest
from kraftpy.transport.kafka.translate import RAFT_APIS
from kraftpy.transport.limits import LimitUse
from kraftpy.transport.work_meter import WorkMeter

EXEMPT_KEYS: Final = frozenset(api.api_key for api in RAFT_APIS) | {rpc.AlterPartitionRequest.API_KEY}
"""Requests that no quota slows down."""


class Throttling:
    """Charges the requests of the listeners of a node.

    Args:
        quotas: what clients used.
        in_force: the quotas of the published state.
        authorization: names principals, if given.
        now_ms: the node's clock.
        make_meter: makes what measures a request.
    """

    def __init__(
        self,
        quotas: RequestQuotas,
        in_force: Callable[[], ClientQuotasImage],
        authorization: Authorization | None,
        now_ms: Callable[[], int],
        make_meter: Callable[[], WorkMeter] = WorkMeter,
    ) -> None:
        self._quotas = quotas
        self._in_force = in_force
        self._authorization = authorization
        self._now_ms = now_ms
        self._make_meter = make_meter

    def meter(self, api_key: int) -> WorkMeter | None:
        """Return what measures a request of an API; ``None`` when none is to be measured."""
        if api_key in EXEMPT_KEYS or not self._in_force().entities:
            return None
        return self._make_meter()

    def charge(self, request: WireRequest, message: Any) -> None:
        """Charge a request that is answered now, and let the answer say how long its client has to wait."""
        wait_ms = self._charge(request)
        if wait_ms > 0 and wait_ms > message.throttle_time_ms:
            message.throttle_time_ms = wait_ms

    def charge_rest(self, request: WireRequest) -> None:
        """Charge what was worked on a request since :meth:`charge`."""
        self._charge(request)

    def _charge(self, request: WireRequest) -> int:
        if request.meter is None or request.api_key == rpc.EnvelopeRequest.API_KEY:
            return 0
        client = client_of(request.caller, request.client_id, self._authorization)
        return self._quotas.charge(self._in_force(), client, request.meter.take(), self._now_ms())

    def limit_use(self) -> LimitUse:
        """Say of how many clients the request time is remembered."""
        rates = self._quotas.rates
        return LimitUse("request quota clients", len(rates), rates.entities_max, rates.displaced)
