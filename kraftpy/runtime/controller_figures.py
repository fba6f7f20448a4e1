"""What the controller loop measures: how long writes wait and take, and how many were too late.

Kafka's controller runs everything as events of one queue. Here the writes of clients, brokers and controllers wait in
the loop's queue, and the controller's own decisions (fencing a broker, a balancing election) are made in its turn; both
are operations. What became committed is not: it is loaded outside of this loop.

Source: Kafka ``QuorumControllerMetrics``.
"""

from __future__ import annotations

from kraftpy.runtime.durations import DurationCounts


class ControllerFigures:
    """The figures of one controller since its process started.

    Attributes:
        queue_times: of each write, how long it waited from its arrival until it began to be decided.
        processing_times: of each operation, the time to decide and append it; the parts of a large write add up.
        commit_latencies: of each write with records, how long it took from there until they were committed and
            published on this node.
        own_decisions: how many operations the controller began by itself.
        timed_out: writes whose time was over before the controller reached them.
        timed_out_heartbeats: those of them that were heartbeats of brokers.
        defects: unexpected errors in operations.
    """

    __slots__ = (
        "commit_latencies",
        "defects",
        "own_decisions",
        "processing_times",
        "queue_times",
        "timed_out",
        "timed_out_heartbeats",
    )

    def __init__(self) -> None:
        self.queue_times = DurationCounts()
        self.processing_times = DurationCounts()
        self.commit_latencies = DurationCounts()
        self.own_decisions = 0
        self.timed_out = 0
        self.timed_out_heartbeats = 0
        self.defects = 0

    @property
    def operations_started(self) -> int:
        """How many operations were begun."""
        return self.queue_times.count + self.own_decisions
