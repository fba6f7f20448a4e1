"""The requests that take a controller back to what it was when it was new."""

from __future__ import annotations

from collections.abc import Iterator

from kraftpy.image.image import MetadataImage
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc

TIMEOUT_MS = 30_000


def clearing(image: MetadataImage) -> Iterator[tuple[Message, int]]:
    """Return requests that remove everything that an image has; the brokers last."""
    if names := sorted(image.topics.ids_by_name):
        topics = [rpc.DeleteTopicsRequestDeleteTopicState(name=name) for name in names]
        yield rpc.DeleteTopicsRequest(topics=topics, timeout_ms=TIMEOUT_MS), 6
    for broker_id in sorted(image.cluster.brokers):
        yield rpc.UnregisterBrokerRequest(broker_id), 0
