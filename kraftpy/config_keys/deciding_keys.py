"""The keys that a controller decides by while it is active.

Source: Kafka ``KafkaConfigSchema`` (defaults of topics come from the active controller's file), ``ControllerServer``.
"""

from __future__ import annotations

from typing import Final

from kraftpy.config_keys.group_keys import GROUP_NUMBERS

DECIDING_KEYS: Final = (
    "allow.everyone.if.no.acl.found",
    "authorizer.class.name",
    "auto.leader.rebalance.enable",
    "broker.session.timeout.ms",
    "compression.type",
    "controller.quota.window.num",
    "controller.quota.window.size.seconds",
    "default.replication.factor",
    "delegation.token.expiry.time.ms",
    "delegation.token.max.lifetime.ms",
    "delete.topic.enable",
    "leader.imbalance.check.interval.seconds",
    "leader.imbalance.per.broker.percentage",
    "log.cleanup.policy",
    "log.message.timestamp.type",
    "log.retention.bytes",
    "log.retention.hours",
    "log.retention.minutes",
    "log.retention.ms",
    "log.segment.bytes",
    "message.max.bytes",
    "min.insync.replicas",
    "num.partitions",
    "remote.log.storage.system.enable",
    "ssl.client.auth",
    "ssl.principal.mapping.rules",
    "super.users",
    "unclean.leader.election.enable",
    *GROUP_NUMBERS,
)
"""Keys that a controller decides by when it is active: they have to be the same in all files."""
