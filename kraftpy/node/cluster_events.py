"""Log lines for what happens to brokers and partitions: on every node, from the committed log.

An operator reads in any node's log which failure it was: a broker that failed, one that was shut down, partitions
without a leader, an unclean election. Levels: ``warning`` for a failure, ``info`` for the rest.

One update may change everything (a rack fails, a snapshot arrives), so each line lists at most ``LISTED_MAX`` brokers
or partitions, next to the count of all of them, and partitions are looked at in slices
(:mod:`kraftpy.runtime.sliced_publishing`). The first state that a node loads is no change: it is one line.

Source: Kafka ``ClusterControlManager``, ``ReplicationControlManager``, ``BrokerMetadataPublisher`` (log lines).
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from itertools import islice
from typing import Final

import structlog

from kraftpy.image import EMPTY, MetadataDelta, MetadataImage
from kraftpy.image.partition_counts import PARTITIONS_PER_SLICE, is_unclean_election
from kraftpy.image.registrations import BrokerRegistration
from kraftpy.image.topics import TopicDelta, TopicsDelta
from kraftpy.model.ids import NodeId

LISTED_MAX: Final = 32
"""Brokers or partitions that one line lists."""

_log = structlog.get_logger(__name__)


class ClusterEventLog:
    """Logs changes of brokers and partitions."""

    def update_in_slices(self, delta: MetadataDelta, image: MetadataImage) -> Generator[None, None, None]:
        """Log what an update changed, and yield between slices of it."""
        if delta.image is EMPTY:
            _log.info("cluster_loaded", brokers=len(image.cluster.brokers), topics=len(image.topics.by_id))
            return
        if delta.cluster is not None and delta.cluster.changed_brokers:
            _log_brokers(delta.cluster.base.brokers, delta.cluster.changed_brokers, image)
        if delta.topics is not None:
            yield from _log_partitions(delta.topics)


def _log_brokers(
    before: Mapping[NodeId, BrokerRegistration],
    changed: Mapping[NodeId, BrokerRegistration | None],
    image: MetadataImage,
) -> None:
    pairs = [(broker, before.get(broker), after) for broker, after in sorted(changed.items())]
    went = [(broker, old, new) for broker, old, new in pairs if _is_live(old) and not _is_live(new)]
    came = [broker for broker, old, new in pairs if _is_live(new) and not _is_live(old)]
    asked = [broker for broker, old, new in pairs if _is_leaving(new) and not _is_leaving(old)]
    failed = [broker for broker, old, new in went if new is not None and not _is_leaving(old)]
    stopped = [broker for broker, old, new in went if new is not None and _is_leaving(old)]
    removed = [broker for broker, _, new in pairs if new is None]
    if failed:
        _log.warning("brokers_failed", **_listed(failed))
    for event, brokers in (
        ("brokers_shutting_down", asked),
        ("brokers_stopped", stopped),
        ("brokers_unfenced", came),
        ("brokers_unregistered", removed),
    ):
        if brokers:
            _log.info(event, **_listed(brokers))
    if went or came:
        live = [broker for broker, registration in image.cluster.brokers.items() if _is_live(registration)]
        _log.info("live_brokers_changed", **_listed(sorted(live)))


def _is_live(broker: BrokerRegistration | None) -> bool:
    return broker is not None and not broker.fenced


def _is_leaving(broker: BrokerRegistration | None) -> bool:
    return broker is not None and broker.in_controlled_shutdown


def _log_partitions(delta: TopicsDelta) -> Generator[None, None, None]:
    lost, found, unclean = _Sample(), _Sample(), _Sample()
    left = PARTITIONS_PER_SLICE
    for topic in delta.changed.values():
        for number, after in topic.changed_partitions.items():
            before = topic.base.partitions.get(number)
            if before is not None and after is not None and before.leader != after.leader:
                if after.leader is None:
                    lost.add(topic, number)
                elif before.leader is None:
                    found.add(topic, number)
                if is_unclean_election(before, after):
                    unclean.add(topic, number)
            left -= 1
            if not left:
                left = PARTITIONS_PER_SLICE
                yield
    for event, sample in (("partitions_offline", lost), ("unclean_leaders_elected", unclean)):
        if sample.count:
            _log.warning(event, count=sample.count, partitions=sample.listed)
    if found.count:
        _log.info("partitions_online", count=found.count, partitions=found.listed)


class _Sample:
    """The count of some partitions, and the first of them."""

    __slots__ = ("count", "listed")

    def __init__(self) -> None:
        self.count = 0
        self.listed: list[str] = []

    def add(self, topic: TopicDelta, number: int) -> None:
        self.count += 1
        if len(self.listed) < LISTED_MAX:
            self.listed.append(f"{topic.name}-{number}")


def _listed(brokers: Sequence[NodeId]) -> dict[str, object]:
    return {"count": len(brokers), "brokers": list(islice(brokers, LISTED_MAX))}
