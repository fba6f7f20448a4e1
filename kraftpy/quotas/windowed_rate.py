"""How much was used per second, over the last windows.

Usage is added up in samples of one window each. A sample counts until its last usage is as old as all windows together.
The rate is the sum, divided by the time since the oldest sample began; by all windows but one and the part of the last,
where less than that has passed, so that the first usage of all does not look like a peak.

Source: Kafka ``Rate``, ``SampledStat``, ``QuotaUtils.throttleTime``; KIP-124.
"""

from __future__ import annotations

from collections import deque


class _UsageWindow:
    __slots__ = ("last_ms", "start_ms", "used")

    def __init__(self, now_ms: int) -> None:
        self.start_ms = self.last_ms = now_ms
        self.used = 0.0


class WindowedRate:
    """Usage by window.

    Args:
        samples: how many windows count.
        window_ms: how long each is.
    """

    __slots__ = ("_samples", "_samples_max", "_window_ms")

    def __init__(self, samples: int, window_ms: int) -> None:
        self._samples_max = samples
        self._window_ms = window_ms
        # One more than counts, for the sample that the oldest moment is inside of.
        self._samples: deque[_UsageWindow] = deque(maxlen=samples + 1)

    def add(self, used: float, now_ms: int) -> None:
        """Count usage."""
        if not self._samples or now_ms - self._samples[-1].start_ms >= self._window_ms:
            self._samples.append(_UsageWindow(now_ms))
        sample = self._samples[-1]
        sample.used += used
        sample.last_ms = now_ms

    def per_second(self, now_ms: int) -> float:
        """Return the rate."""
        span_ms = self._span_ms(now_ms)
        return sum(sample.used for sample in self._samples) / (span_ms / 1000)

    def throttle_ms(self, limit: float, now_ms: int) -> int:
        """Return how long nothing more may be used until the rate is at the limit (ms); 0 when it is not above."""
        rate = self.per_second(now_ms)
        if rate <= limit:
            return 0
        span_ms = self._span_ms(now_ms)
        return span_ms * 2**31 if limit <= 0 else int(min((rate - limit) / limit, 2**31) * span_ms + 0.5)

    def _span_ms(self, now_ms: int) -> int:
        """Return how many milliseconds the samples are about, without those that do not count any more."""
        samples = self._samples
        while samples and now_ms - samples[0].last_ms >= self._samples_max * self._window_ms:
            samples.popleft()
        elapsed_ms = max(0, now_ms - samples[0].start_ms) if samples else 0
        missing = self._samples_max - 1 - elapsed_ms // self._window_ms
        return max(1, elapsed_ms + max(0, missing) * self._window_ms)
