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
from kraftpy.image.image import MetadataImage
from kraftpy.model.feature_registry import ELR_VERSION
from kraftpy.model.ids import DIRECTORY_MIGRATING, DIRECTORY_UNASSIGNED, NodeId, Uuid

MIN_ISR: Final = "min.insync.replicas"
UNCLEAN_ELECTION: Final = "unclean.leader.election.enable"

IsAcceptable = Callable[[NodeId, Uuid], bool]


class TopicRules:
    """The rules of each topic, looked up once per decision however many partitions a topic has.

    Most topics have no settings of their own: what holds for them is looked up once per decision, too.
    """

    __slots__ = (
        "_by_min_isr",
        "_config",
        "_elections",
        "_image",
        "_is_acceptable",
        "_node_id",
        "_of_brokers",
        "_rules",
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
        self._rules: dict[str, PartitionRules] = {}
        self._by_min_isr: dict[int, PartitionRules] = {}
        self._elections: dict[str, Election] = {}
        self._of_brokers: dict[str, str | None] = {}

    def of(self, topic: str) -> PartitionRules:
        """Return the rules of a topic."""
        rules = self._rules.get(topic)
        if rules is None:
            min_isr = self._min_isr(topic)
            rules = self._rules[topic] = self._by_min_isr.get(min_isr) or self._with_min_isr(min_isr)
        return rules

    def _with_min_isr(self, min_isr: int) -> PartitionRules:
        """Return the rules of all topics with this setting; the rest of them is the cluster's."""
        image = self._image
        rules = self._by_min_isr[min_isr] = PartitionRules(
            level=image.level,
            elr_enabled=is_elr_enabled(image),
            min_isr=min_isr,
            is_acceptable=self._is_acceptable,
            default_directory=lambda broker_id: default_directory(image, broker_id),
        )
        return rules

    def _min_isr(self, topic: str) -> int:
        """Return how many replicas must be in sync; no more than the first partition has, as in Kafka."""
        found = self._image.topics.named(topic)
        first = None if found is None else found.partitions.get(0)
        wanted = _number(self._setting(topic, MIN_ISR))
        if wanted is None:
            wanted = self._config.min_insync_replicas
        return wanted if first is None else min(wanted, len(first.replicas))

    def election(self, topic: str) -> Election:
        """Return which election a topic gets when its partitions change by themselves."""
        election = self._elections.get(topic)
        if election is None:
            value = self._setting(topic, UNCLEAN_ELECTION)
            is_unclean = self._config.unclean_leader_election if value is None else value.strip().lower() == "true"
            election = self._elections[topic] = Election.UNCLEAN if is_unclean else Election.ONLINE
        return election

    def _setting(self, topic: str, key: str) -> str | None:
        value = self._image.configs.topic(topic).get(key)
        if value is not None:
            return value
        if key not in self._of_brokers:
            self._of_brokers[key] = self._setting_of_brokers(key)
        return self._of_brokers[key]

    def _setting_of_brokers(self, key: str) -> str | None:
        configs = self._image.configs
        value = configs.broker(self._node_id).get(key)
        return configs.broker(None).get(key) if value is None else value


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
