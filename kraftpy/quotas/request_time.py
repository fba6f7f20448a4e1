"""``request_percentage``: which part of the node's time the requests of a client may take, in percent of one second.

A request is charged when it is answered, with the time that it took the node until then; what the caller measures is in
``kraftpy.transport.kafka.throttling``. A client above its quota waits, at most for the length of one window.

Every node charges for itself what it answers.

Source: KIP-124; Kafka ``ClientRequestQuotaManager``.
"""

from __future__ import annotations

from typing import Final

from kraftpy.image.client_quotas import ClientQuotasImage
from kraftpy.quotas.resolution import REQUEST_PERCENTAGE, QuotaClient, resolve
from kraftpy.quotas.usage import ENTITIES_MAX, Usage
from kraftpy.quotas.windowed_rate import WindowedRate

SAMPLES: Final = 11
"""Kafka's default of ``quota.window.num``."""

WINDOW_S: Final = 1
"""Kafka's default of ``quota.window.size.seconds``."""

PERCENT_PER_NS: Final = 100 / 1_000_000_000


class RequestQuotas:
    """The request time that clients took of one node.

    Args:
        samples: how many windows count.
        window_s: how long each is (s), and how long a client waits at most.
        entities_max: of how many entities usage is remembered.
    """

    def __init__(self, samples: int = SAMPLES, window_s: int = WINDOW_S, entities_max: int = ENTITIES_MAX) -> None:
        self._window_ms = window_s * 1000
        self.rates: Usage[WindowedRate] = Usage(lambda: WindowedRate(samples, self._window_ms), entities_max)

    def charge(self, quotas: ClientQuotasImage, client: QuotaClient, spent_ns: int, now_ms: int) -> int:
        """Charge a request, and return how long its client has to wait (ms).

        Args:
            quotas: those in force.
            client: who made the request.
            spent_ns: how long the node worked on it.
            now_ms: when it is answered.
        """
        quota = resolve(quotas, REQUEST_PERCENTAGE, client)
        if quota is None:
            return 0
        rate = self.rates.of(quota.key, now_ms)
        rate.add(spent_ns * PERCENT_PER_NS, now_ms)
        self.rates.used(quota.key, rate, now_ms)
        return min(rate.throttle_ms(quota.limit, now_ms), self._window_ms)
