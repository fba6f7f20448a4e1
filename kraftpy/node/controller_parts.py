"""A controller's parts: the loop that decides, and the driver that registers it with the active controller."""

from __future__ import annotations

import os
from typing import cast

from kraftpy.broker.controller_registration import ControllerIdentity, ControllerRegistrar
from kraftpy.config.listeners import SECURITY_PROTOCOLS, as_registered
from kraftpy.config.node_config import NodeConfig
from kraftpy.config_keys.group_keys import GROUP_NUMBERS
from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.controller import Controller
from kraftpy.controller.policies import Policies
from kraftpy.model.ids import Uuid, uuid_from_random
from kraftpy.model.registrations import PUBLIC_API_LISTENER
from kraftpy.model.registrations import Listener as RegisteredListener
from kraftpy.node.startup import OpenedNode
from kraftpy.runtime.active_controller import ActiveController
from kraftpy.runtime.clock import Clock
from kraftpy.runtime.controller_loop import ControllerLoop
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.random import SystemJitter
from kraftpy.runtime.registration_drivers import ControllerRegistrationDriver
from kraftpy.runtime.state_machine import StateMachine


class _Uuids:
    """Fresh uuids from the system's randomness."""

    def next(self) -> Uuid:
        return uuid_from_random(os.urandom)


def make_host(
    config: NodeConfig, opened: OpenedNode, driver: Driver, state_machine: StateMachine, policies: Policies
) -> ControllerLoop:
    """Make the loop that decides while this node leads."""
    controller = Controller(
        config=ControllerConfig(
            session_timeout_ms=config.broker.session_timeout_ms,
            max_idle_interval_ms=config.log.max_idle_interval_ms or 0,
            features=config.features,
            allow_unstable=config.allow_unstable,
            min_insync_replicas=config.min_insync_replicas,
            unclean_leader_election=config.values["unclean.leader.election.enable"] is True,
            leader_rebalance=config.values["auto.leader.rebalance.enable"] is True,
            leader_imbalance_percentage=cast("int", config.values["leader.imbalance.per.broker.percentage"]),
            leader_election_interval_ms=1000 * cast("int", config.values["leader.imbalance.check.interval.seconds"]),
            num_partitions=cast("int", config.values["num.partitions"]),
            default_replication_factor=cast("int", config.values["default.replication.factor"]),
            group_numbers={key: cast("int", config.values[key]) for key in GROUP_NUMBERS},
            broker_id_generation=config.values["broker.id.generation.enable"] is True,
            reserved_broker_id_max=cast("int", config.values["reserved.broker.max.id"]),
            broker_id_recovery=config.values["broker.id.recovery.enable"] is True,
            missing_broker_id_recovery=config.values["broker.id.recovery.missing.enable"] is True,
            static_topic_configs=config.topic_settings,
            remote_storage_enable=config.values["remote.log.storage.system.enable"] is True,
            delete_topic_enable=config.values["delete.topic.enable"] is True,
            placer=cast("str", config.values["replica.placer"]),
            acls_enabled=config.authorization is not None,
            token_secret_key=cast("str | None", config.values["delegation.token.secret.key"]) or None,
            token_max_lifetime_ms=cast("int", config.values["delegation.token.max.lifetime.ms"]),
            token_expiry_ms=cast("int", config.values["delegation.token.expiry.time.ms"]),
            token_check_interval_ms=cast("int", config.values["delegation.token.expiry.check.interval.ms"]),
            mutation_quota_samples=cast("int", config.values["controller.quota.window.num"]),
            mutation_quota_window_s=cast("int", config.values["controller.quota.window.size.seconds"]),
        ),
        node_id=config.node_id,
        uuids=_Uuids(),
        policies=policies,
    )
    return ControllerLoop(
        controller=controller,
        replica=driver.replica,
        state_machine=state_machine,
        inbox=driver.inbox,
        bootstrap=opened.bootstrap,
        clock_ms=driver.clock.now_ms,
        errors=driver.request_errors,
    )


def make_registration(
    config: NodeConfig, channel: ActiveController, clock: Clock, incarnation_id: Uuid
) -> ControllerRegistrationDriver:
    """Make the driver that registers where this controller listens, and what it supports."""
    registrar = ControllerRegistrar(
        identity=ControllerIdentity(
            controller_id=config.node_id,
            incarnation_id=incarnation_id,
            listeners=registered_listeners(config),
            features=config.features,
        ),
        jitter=SystemJitter(),
    )
    return ControllerRegistrationDriver(registrar=registrar, channel=channel, clock=clock)


def registered_listeners(config: NodeConfig) -> tuple[RegisteredListener, ...]:
    """Return where a controller registers that it listens: at its controller listeners, and for the public API."""
    listeners = [as_registered(listener) for listener in config.controller_listeners]
    grpc = config.api.grpc_advertised
    if grpc is not None:
        protocol = SECURITY_PROTOCOLS[config.api.grpc_protocol]
        listeners.append(RegisteredListener(PUBLIC_API_LISTENER, grpc.host, grpc.port, protocol))
    return tuple(listeners)
