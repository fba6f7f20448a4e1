"""What the configs in force mean for the partitions of a topic.

A topic's setting is looked up where Kafka looks it up: at the topic, at this node, at the cluster's default, in the
active controller's own file, and in the table of defaults last. Which controller is active must not change an answer,
so the files of all controllers should agree.

Source: Kafka ``ConfigurationControlManager.getTopicConfig``, ``ReplicationControlManager.getTopicEffectiveMinIsr``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.partition_change import Election, PartitionRules
from kraftpy.image.configs import Values
from kraftpy.image.image import MetadataImage
from kraftpy.image.topics import TopicImage
from kraftpy.model.feature_registry import ELR_VERSION
from kraftpy.model.ids import DIRECTORY_MIGRATING, DIRECTORY_UNASSIGNED, NodeId, Uuid

MIN_ISR: Final = "min.insync.replicas"
UNCLEAN_ELECTION: Final = "unclean.leader.election.enable"

IsAcceptable = Callable[[NodeId, Uuid], bool]


class TopicRules:
    """The rules of each topic, looked up once per decision however many partitions a topic has.

    Most topics have no settings of their own: what holds for them is looked up once per decision, too, and topics whose
    rules are equal share them.
    """

    __slots__ = (
        "_config",
        "_image",
        "_inherited",
        "_is_acceptable",
        "_node_id",
        "_of_topics",
        "_with_settings",
    )

    def __init__(self, view: DecisionContext, is_acceptable: IsAcceptable | None = None) -> None:
        """Begin a decision.

        Args:
            view: what the decision is made from.
            is_acceptable: whether a replica may lead; by default, whether its broker and directory are online now.
        """
        self._image: MetadataImage = view.image
        self._config: ControllerConfig = view.config
        self._node_id = view.node_id
        self._is_acceptable = is_acceptable or online_replicas(view.image)
        self._of_topics: dict[Uuid, PartitionRules] = {}
        self._with_settings: dict[tuple[int, Election], PartitionRules] = {}
        self._inherited: tuple[int, Election] | None = None

    def of(self, topic: TopicImage) -> PartitionRules:
        """Return the rules of a topic of the decision's image."""
        rules = self._of_topics.get(topic.id)
        if rules is None:
            min_isr, election = self._settings(topic.name)
            first = topic.partitions.get(0)
            if first is not None:
                # No more replicas must be in sync than the first partition has, as in Kafka.
                min_isr = min(min_isr, len(first.replicas))
            rules = self._with_settings.get((min_isr, election)) or self._with(min_isr, election)
            self._of_topics[topic.id] = rules
        return rules

    def _with(self, min_isr: int, election: Election) -> PartitionRules:
        """Return the rules of all topics with these settings; the rest of them is the cluster's."""
        image = self._image
        rules = self._with_settings[min_isr, election] = PartitionRules(
            level=image.level,
            elr_enabled=is_elr_enabled(image),
            min_isr=min_isr,
            is_acceptable=self._is_acceptable,
            default_directory=lambda broker_id: default_directory(image, broker_id),
            election=election,
        )
        return rules

    def _settings(self, topic: str) -> tuple[int, Election]:
        """Return how many replicas of a topic must be in sync, and which election its partitions get."""
        own = self._image.configs.topic(topic)
        if not own:
            if self._inherited is None:
                self._inherited = self._read(own)
            return self._inherited
        return self._read(own)

    def _read(self, own: Values) -> tuple[int, Election]:
        """Read the settings of a topic that has these configs of its own."""
        min_isr = _number(self._setting(own, MIN_ISR))
        unclean = self._setting(own, UNCLEAN_ELECTION)
        is_unclean = self._config.unclean_leader_election if unclean is None else unclean.strip().lower() == "true"
        return (
            self._config.min_insync_replicas if min_isr is None else min_isr,
            Election.UNCLEAN if is_unclean else Election.ONLINE,
        )

    def _setting(self, own: Values, key: str) -> str | None:
        """Return the value where Kafka finds it; ``None`` where neither the topic nor a broker has one."""
        configs = self._image.configs
        for values in (own, configs.broker(self._node_id), configs.broker(None)):
            value = values.get(key)
            if value is not None:
                return value
        return None


def _number(value: str | None) -> int | None:
    """Read a number; ``None`` for a text that is none. A log of Kafka may hold one: brokers judge their own values."""
    try:
        return None if value is None else int(value)
    except ValueError:
        return None


def is_elr_enabled(image: MetadataImage) -> bool:
    """Return whether partitions keep eligible leader replicas. Source: KIP-966."""
    return image.features.levels.get(ELR_VERSION, 0) > 0


def online_replicas(image: MetadataImage) -> IsAcceptable:
    """Return the test for a replica whose broker is active and whose directory is online and not full.

    Each directory is looked up once: a decision about a broker asks for all its partitions.
    """
    brokers = image.cluster.brokers
    known: dict[tuple[NodeId, Uuid], bool] = {}

    def is_acceptable(broker_id: NodeId, directory: Uuid) -> bool:
        found = known.get((broker_id, directory))
        if found is None:
            broker = brokers.get(broker_id)
            found = broker is not None and broker.is_active and broker.serves_dir(directory)
            known[broker_id, directory] = found
        return found

    return is_acceptable


def default_directory(image: MetadataImage, broker_id: NodeId) -> Uuid:
    """Return the directory that a new replica of a broker is recorded in; the broker reports another if it chooses one.

    The only directory of the broker that is not full is such a one, too (KIP-928).

    Source: Kafka ``ClusterControlManager.defaultDir``; KIP-858.
    """
    broker = image.cluster.brokers.get(broker_id)
    if broker is None:
        return DIRECTORY_UNASSIGNED
    if not broker.log_dirs:
        return DIRECTORY_MIGRATING
    directories = [one for one in broker.log_dirs if one not in broker.saturated_log_dirs]
    return directories[0] if len(directories) == 1 else DIRECTORY_UNASSIGNED
