"""The keys that all controllers should have the same values of; a node describes what its own file sets of them.

Left out are keys that a listener may have a value of its own for, which a node does not describe, and what Kafka does
not describe either: the super users, and what the authorizer does without an entry.

Source: Kafka ``KafkaConfigSchema``, ``ControllerServer``, ``ConfigHelper``; KIP-595 §Configurations.
"""

from __future__ import annotations

from typing import Final

from kraftpy.config_keys.deciding_keys import DECIDING_KEYS

POLICY_KEYS: Final = ("alter.config.policy.class.name", "create.topic.policy.class.name")

QUORUM_KEYS: Final = (
    "controller.quorum.election.timeout.ms",
    "controller.quorum.fetch.timeout.ms",
    "metadata.log.state.digest.interval.ms",
)
"""What controllers do together: with shorter timeouts than the others one would hold elections again and again."""

AUTHENTICATION_KEYS: Final = ("controller.quorum.peer.identity", "sasl.mechanism.controller.protocol")
"""How controllers authenticate each other."""

STATIC_VOTERS: Final = "controller.quorum.voters"

BOOTSTRAP_SERVERS: Final = "controller.quorum.bootstrap.servers"

LISTENER_NAMES: Final = "controller.listener.names"

DISCOVERY_KEYS: Final = (STATIC_VOTERS, BOOTSTRAP_SERVERS, LISTENER_NAMES)
"""How the quorum is found. Nodes may have other lists: one leads to all voters as another does."""

NOT_DESCRIBED: Final = frozenset(
    {"allow.everyone.if.no.acl.found", "ssl.client.auth", "ssl.principal.mapping.rules", "super.users"}
)
"""Keys that have to be the same, and that a node does not describe: ``kraftpy config check`` compares them in files."""

SHARED_KEYS: Final = (
    frozenset(
        {
            *DECIDING_KEYS,
            *POLICY_KEYS,
            *QUORUM_KEYS,
            *AUTHENTICATION_KEYS,
            *DISCOVERY_KEYS,
            "broker.id.generation.enable",
            "broker.id.recovery.enable",
            "broker.id.recovery.missing.enable",
            "grpc.max.message.bytes",
            "metadata.log.authors.enable",
            "reserved.broker.max.id",
            "unstable.feature.versions.enable",
        }
    )
    - NOT_DESCRIBED
)
"""The keys by which a node describes its own file, besides those that topics take values from."""
