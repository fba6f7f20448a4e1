"""What a controller asks of the operator's policies, and when.

A policy is asked last: when all of the controller's own checks of a topic or a resource have passed. The configs of a
new topic are asked about, too, before its partitions are placed. A dry run asks as well.

Source: Kafka ``ReplicationControlManager.maybeCheckCreateTopicPolicy``,
``ConfigurationControlManager.validateAlterConfig``; KIP-108, KIP-133.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from kraftpy.image.configs import ConfigResource
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.model.errors import ApiError
from kraftpy.model.resource_types import ResourceType
from kraftpy.policies import AlterConfigRequest, CreateTopicRequest

TopicPolicy: TypeAlias = Callable[[CreateTopicRequest], ApiError | None]
"""Says why a topic may not be created; ``None`` when it may. Raises nothing."""

ConfigPolicy: TypeAlias = Callable[[AlterConfigRequest], ApiError | None]
"""Says why configs may not be altered; ``None`` when they may. Raises nothing."""


@dataclass(frozen=True, slots=True)
class Policies:
    """The operator's policies; ``None`` where there is none.

    Attributes:
        create_topic: asked about each new topic.
        alter_config: asked about each resource whose configs are altered.
    """

    create_topic: TopicPolicy | None = None
    alter_config: ConfigPolicy | None = None

    def check_configs(self, resource: ConfigResource, configs: Mapping[str, str | None]) -> None:
        """Ask about altered configs; ``None`` is a deleted key.

        Raises:
            ApiError: POLICY_VIOLATION, or UNKNOWN_SERVER_ERROR when the policy failed.
        """
        if self.alter_config is None:
            return
        _raise(
            self.alter_config(
                AlterConfigRequest(
                    resource_type=ResourceType(resource.type),
                    resource_name=resource.name,
                    configs=MappingProxyType(dict(configs)),
                )
            )
        )

    def check_placed(self, topic: str, partitions: int, replication_factor: int, configs: Mapping[str, str]) -> None:
        """Ask about a topic whose replicas the controller has placed.

        Raises:
            ApiError: as :meth:`check_configs`.
        """
        if self.create_topic is None:
            return
        _raise(
            self.create_topic(
                CreateTopicRequest(
                    topic=topic,
                    num_partitions=partitions,
                    replication_factor=replication_factor,
                    replica_assignments=None,
                    configs=MappingProxyType(dict(configs)),
                )
            )
        )

    def check_assigned(
        self, topic: str, partitions: tuple[PartitionRegistration, ...], configs: Mapping[str, str]
    ) -> None:
        """Ask about a topic whose replicas the request assigns.

        Raises:
            ApiError: as :meth:`check_configs`.
        """
        if self.create_topic is None:
            return
        assignments = {number: tuple(one.replicas) for number, one in enumerate(partitions)}
        _raise(
            self.create_topic(
                CreateTopicRequest(
                    topic=topic,
                    num_partitions=None,
                    replication_factor=None,
                    replica_assignments=MappingProxyType(assignments),
                    configs=MappingProxyType(dict(configs)),
                )
            )
        )


NO_POLICIES: Final = Policies()
"""Every valid topic and every valid config is allowed."""


def _raise(refusal: ApiError | None) -> None:
    if refusal is not None:
        raise refusal
