"""Rules of your own for new topics and altered configs: what a policy of a controller is, and what it receives.

A policy is a Python class that ``create.topic.policy.class.name`` or ``alter.config.policy.class.name`` names as
``package.module:Class``. The active controller asks it, after its own checks, about each new topic or each resource
whose configs are altered. It returns nothing to allow that, or raises :class:`PolicyViolation` to refuse it. How it is
loaded, what it must not do, and an example are in docs/policies.md::

    class Named(CreateTopicPolicy):
        def validate(self, request: CreateTopicRequest) -> None:
            if not request.topic.startswith("team."):
                raise PolicyViolation("The name of a topic begins with team.")

Source: KIP-108, KIP-133; Kafka ``org.apache.kafka.server.policy``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from kraftpy.model.resource_types import ResourceType

__all__ = (
    "AlterConfigPolicy",
    "AlterConfigRequest",
    "CreateTopicPolicy",
    "CreateTopicRequest",
    "PolicyViolation",
    "ResourceType",
)


class PolicyViolation(Exception):  # noqa: N818 - as Kafka's PolicyViolationException
    """What is asked for is refused with POLICY_VIOLATION (44); the client gets the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateTopicRequest:
    """A topic that is about to be created; a copy, and read-only.

    Attributes:
        topic: its name.
        num_partitions: with the controller's default filled in; ``None`` for a manual assignment.
        replication_factor: likewise.
        replica_assignments: the replicas of each partition of a manual assignment, else ``None``.
        configs: those of the request, without any defaults.
    """

    topic: str
    num_partitions: int | None
    replication_factor: int | None
    replica_assignments: Mapping[int, tuple[int, ...]] | None
    configs: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterConfigRequest:
    """Configs of one resource that are about to change; a copy, and read-only.

    Attributes:
        resource_type: what has the configs.
        resource_name: empty for the default of all brokers.
        configs: the values that the request leads to; ``None`` for a key that it deletes. Of a topic, a group or client
            metrics, keys whose values do not change are left out; so are those that an AlterConfigs request deletes
            because it does not name them. Values of secret keys are in clear text.
    """

    resource_type: ResourceType
    resource_name: str
    configs: Mapping[str, str | None]


class CreateTopicPolicy(Protocol):
    """Says which topics may be created (``create.topic.policy.class.name``)."""

    def configure(self, settings: Mapping[str, str]) -> None:
        """Take the settings: every key of the node's ``server.properties`` as it is written there, secrets included.

        Called once, before the node starts; what it raises refuses the start.
        """

    def validate(self, request: CreateTopicRequest) -> None:
        """Return nothing to allow a topic.

        Raises:
            PolicyViolation: the topic is refused.
        """
        ...

    def close(self) -> None:
        """Let go of what ``configure`` took; called once, when the node has stopped."""


class AlterConfigPolicy(Protocol):
    """Says which configs may be set (``alter.config.policy.class.name``)."""

    def configure(self, settings: Mapping[str, str]) -> None:
        """Take the settings, as :meth:`CreateTopicPolicy.configure` does."""

    def validate(self, request: AlterConfigRequest) -> None:
        """Return nothing to allow a change.

        Raises:
            PolicyViolation: the resource is not changed; others of the same request may be.
        """
        ...

    def close(self) -> None:
        """Let go of what ``configure`` took, as :meth:`CreateTopicPolicy.close` does."""
