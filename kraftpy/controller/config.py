"""The configuration of a controller, and the port it draws ids from.

Source: Kafka ``QuorumController.Builder``; controller reference §20.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from kraftpy.config_keys.group_keys import GROUP_NUMBERS
from kraftpy.controller.limits import OPERATION_RECORDS_MAX
from kraftpy.controller.requests import SupportedFeature
from kraftpy.controller.result import RECORDS_PER_PART_MAX
from kraftpy.model.feature_registry import FEATURES
from kraftpy.model.features import (
    DEFAULT_LEVEL,
    LATEST_LEVEL,
    LATEST_PRODUCTION_LEVEL,
    METADATA_VERSION,
    MINIMUM_LEVEL,
)
from kraftpy.model.ids import NodeId, Uuid
from kraftpy.quotas import mutations

UNCOMMITTED_RESULTS_MAX: Final = 100_000
"""How many results may wait for their commit; a decision that would add one more is refused as busy."""

ELECTIONS_PER_STEP_MAX: Final = 1_000
"""How many elections a controller holds by itself at once. Source: Kafka ``MAX_ELECTIONS_PER_IMBALANCE``."""


def supported_features(*, unstable: bool) -> tuple[SupportedFeature, ...]:
    """Return the features that this software declares, as Kafka 4.3 does, with its own range of metadata.version.

    ``eligible.leader.replicas.version`` decides whether partitions keep eligible leader replicas (KIP-966); the
    levels of the other features change nothing that this controller decides.

    Args:
        unstable: whether levels without a release count, too (``unstable.feature.versions.enable``).
    """
    highest = LATEST_LEVEL if unstable else LATEST_PRODUCTION_LEVEL
    others = (SupportedFeature(each.name, each.levels[0].level, each.levels[-1].level) for each in FEATURES)
    return (SupportedFeature(METADATA_VERSION, MINIMUM_LEVEL, highest), *others)


DEFAULT_FEATURES: Final = supported_features(unstable=False)
"""What a node declares when its configuration enables no unstable level."""


class UuidSource(Protocol):
    """Where fresh uuids come from; seeded in the simulator."""

    def next(self) -> Uuid:
        """Draw a uuid that is not reserved."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerConfig:
    """Timers, switches and what the software understands.

    Attributes:
        session_timeout_ms: a broker that was silent for this long is fenced (``broker.session.timeout.ms``).
        max_idle_interval_ms: a NoOpRecord is written when nothing else was for this long
            (``metadata.max.idle.interval.ms``); 0 writes none.
        bootstrap_level: the metadata.version of a new cluster without prepared bootstrap records.
        features: the levels that this controller supports.
        allow_unstable: whether a metadata.version that no release has may be finalized
            (``unstable.feature.versions.enable``).
        min_insync_replicas: the cluster's first default of ``min.insync.replicas``; written to the log of a new cluster
            that starts with eligible leader replicas, which are worked out by it.
        unclean_leader_election: whether a replica that is not in sync may lead when no other can, where neither the
            topic nor the cluster's defaults decide (``unclean.leader.election.enable``).
        leader_rebalance: whether leadership moves back to preferred replicas by itself
            (``auto.leader.rebalance.enable``).
        leader_imbalance_percentage: of the partitions that prefer a broker, the percentage that others may lead before
            it gets them back (``leader.imbalance.per.broker.percentage``).
        leader_election_interval_ms: how often that is looked at, and whether an unclean election is possible
            (``leader.imbalance.check.interval.seconds``).
        elections_per_step: how many of these elections are held at once; the next ones wait.
        num_partitions: of a new topic whose creator does not say (``num.partitions``).
        default_replication_factor: of a new topic whose creator does not say (``default.replication.factor``).
        group_numbers: what bounds the configs of groups, by the keys of ``config_keys.group_keys.GROUP_NUMBERS``.
        remote_storage_enable: whether topics may have tiered storage (``remote.log.storage.system.enable``).
        delete_topic_enable: whether topics may be deleted (``delete.topic.enable``).
        placer: what places new partitions, a name of ``placement.PLACERS`` (``replica.placer``).
        static_topic_configs: what this controller's file sets of what topics may override, by the broker's key.
        records_per_part: what is appended in one turn; an atomic result with more records is a metadata transaction.
        transaction_records_max: up to how many records so is what happens to a broker; more count part by part.
        broker_id_generation: whether a broker without an id may get a new one (``broker.id.generation.enable``).
        reserved_broker_id_max: below and at this, no id is generated (``reserved.broker.max.id``).
        broker_id_recovery: whether a broker gets the id back that its host had (``broker.id.recovery.enable``).
        missing_broker_id_recovery: whether a broker without any gets the only one that is missing
            (``broker.id.recovery.missing.enable``).
        acls_enabled: whether access control entries are enforced; none is accepted otherwise.
        token_secret_key: with it HMACs of delegation tokens are made (``delegation.token.secret.key``); ``None``
            disables tokens.
        token_max_lifetime_ms: how long a token may be renewed at most (``delegation.token.max.lifetime.ms``).
        token_expiry_ms: how long a token is valid without a renewal at most (``delegation.token.expiry.time.ms``).
        token_check_interval_ms: how often expired tokens are removed (``delegation.token.expiry.check.interval.ms``).
        mutation_quota_samples: with the next, how many seconds of a client's ``controller_mutation_rate`` it may use at
            once (``controller.quota.window.num``).
        mutation_quota_window_s: how long each of these samples is (``controller.quota.window.size.seconds``).
    """

    session_timeout_ms: int = 9_000
    max_idle_interval_ms: int = 0
    bootstrap_level: int = DEFAULT_LEVEL
    features: tuple[SupportedFeature, ...] = DEFAULT_FEATURES
    allow_unstable: bool = False
    min_insync_replicas: int = 1
    unclean_leader_election: bool = False
    leader_rebalance: bool = True
    leader_imbalance_percentage: int = 10
    leader_election_interval_ms: int = 300_000
    elections_per_step: int = ELECTIONS_PER_STEP_MAX
    num_partitions: int = 1
    default_replication_factor: int = 1
    group_numbers: Mapping[str, int] = field(default_factory=lambda: GROUP_NUMBERS)
    remote_storage_enable: bool = False
    delete_topic_enable: bool = True
    placer: str = "striped"
    static_topic_configs: Mapping[str, str] = field(default_factory=dict)
    records_per_part: int = RECORDS_PER_PART_MAX
    transaction_records_max: int = OPERATION_RECORDS_MAX
    broker_id_generation: bool = True
    reserved_broker_id_max: int = 1_000
    broker_id_recovery: bool = True
    missing_broker_id_recovery: bool = False
    acls_enabled: bool = False
    token_secret_key: str | None = field(default=None, repr=False)
    token_max_lifetime_ms: int = 604_800_000
    token_expiry_ms: int = 86_400_000
    token_check_interval_ms: int = 3_600_000
    mutation_quota_samples: int = mutations.SAMPLES
    mutation_quota_window_s: int = mutations.WINDOW_S


@dataclass(frozen=True, slots=True)
class QuorumFacts:
    """What the quorum knows that the metadata log does not say.

    Attributes:
        voter_ids: who votes now.
        kraft_version: its finalized level, which is in a control record.
    """

    voter_ids: frozenset[NodeId] = frozenset()
    kraft_version: int = 0
