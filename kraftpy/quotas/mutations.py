"""``controller_mutation_rate``: how many partitions per second a client may create and delete.

A request is charged topic by topic, each with its partitions, once nothing else speaks against the topic and before a
record is made for it. With ``validate_only`` it costs the same, as in Kafka.

* Strict: a topic is rejected with THROTTLING_QUOTA_EXCEEDED while the client owes, and costs nothing then. The topic
  that brings the client into debt is allowed.
* Permissive, for versions of requests whose clients do not know that error: everything is allowed and charged. The
  response says how long the client is to wait.

Usage is remembered by the active controller alone, and lost when another one takes over, as in Kafka.

Source: KIP-599; Kafka ``StrictControllerMutationQuota``, ``PermissiveControllerMutationQuota``.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from kraftpy.image.client_quotas import ClientQuotasImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.quotas.resolution import MUTATION_RATE, Quota, QuotaClient, resolve
from kraftpy.quotas.token_bucket import TokenBucket
from kraftpy.quotas.usage import ENTITIES_MAX, Usage

SAMPLES: Final = 11
"""Kafka's default of ``controller.quota.window.num``."""

WINDOW_S: Final = 1
"""Kafka's default of ``controller.quota.window.size.seconds``."""

EXCEEDED: Final = "The throttling quota has been exceeded."


class Mutator(NamedTuple):
    """Who changes topics, and whether the client knows THROTTLING_QUOTA_EXCEEDED."""

    client: QuotaClient
    is_strict: bool = True


class MutationQuotas:
    """The buckets of one active controller.

    Args:
        samples: with ``window_s`` it says how many seconds of tokens a bucket holds.
        window_s: see there.
        entities_max: of how many entities usage is remembered.
    """

    def __init__(self, samples: int = SAMPLES, window_s: int = WINDOW_S, entities_max: int = ENTITIES_MAX) -> None:
        burst_s = samples * window_s
        self.buckets: Usage[TokenBucket] = Usage(lambda: TokenBucket(burst_s), entities_max)

    def charge(self, quotas: ClientQuotasImage, mutator: Mutator | None, now_ms: int) -> MutationCharge:
        """Begin to charge one request.

        Args:
            quotas: those in force.
            mutator: who makes the request; ``None`` for one without a quota.
            now_ms: when it is decided.
        """
        quota = None if mutator is None else resolve(quotas, MUTATION_RATE, mutator.client)
        return MutationCharge(self.buckets, quota, now_ms, is_strict=mutator is not None and mutator.is_strict)


class MutationCharge:
    """What one request is charged.

    Attributes:
        until_ms: until when the client is to wait, by the clock of ``now_ms``; 0 when it need not.
    """

    __slots__ = ("_buckets", "_is_strict", "_now_ms", "_quota", "until_ms")

    def __init__(self, buckets: Usage[TokenBucket], quota: Quota | None, now_ms: int, *, is_strict: bool) -> None:
        self._buckets = buckets
        self._quota = quota
        self._now_ms = now_ms
        self._is_strict = is_strict
        self.until_ms = 0

    def take(self, partitions: int) -> None:
        """Charge the partitions of one topic.

        Raises:
            ApiError: THROTTLING_QUOTA_EXCEEDED; nothing was charged.
        """
        if self._quota is None:
            return
        rate, key = self._quota
        bucket = self._buckets.of(key, self._now_ms)
        if self._is_strict and self._owes(bucket):
            raise ApiError(ErrorCode.THROTTLING_QUOTA_EXCEEDED, EXCEEDED)
        bucket.take(partitions, rate, self._now_ms)
        self._buckets.used(key, bucket, self._now_ms)
        if not self._is_strict:
            self._owes(bucket)

    def _owes(self, bucket: TokenBucket) -> bool:
        """Return whether the client has to wait, and note how long."""
        assert self._quota is not None
        owed_ms = bucket.debt_ms(self._quota.limit, self._now_ms)
        if owed_ms:
            self.until_ms = self._now_ms + owed_ms
        return owed_ms > 0
