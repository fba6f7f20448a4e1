"""What makes a node a broker: the agent that lives its life, and the sign of a stop in good order that it leaves."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from kraftpy.broker.lifecycle import BrokerLifecycle, LifecycleConfig
from kraftpy.config.listeners import as_registered
from kraftpy.config.node_config import NodeConfig
from kraftpy.model.errors import StorageError
from kraftpy.model.ids import Uuid
from kraftpy.node.control_channel import ActiveControllerChannel
from kraftpy.node.startup import OpenedNode
from kraftpy.runtime.clock import Clock
from kraftpy.runtime.random import SystemJitter
from kraftpy.runtime.registration_drivers import BrokerLifecycleDriver
from kraftpy.storage.clean_shutdown import NO_BROKER_EPOCH, write_clean_shutdown
from kraftpy.storage.filesystem import FileSystem

_log = structlog.get_logger("kraftpy.node")


def make_broker(
    config: NodeConfig,
    channel: ActiveControllerChannel,
    clock: Clock,
    incarnation_id: Uuid,
    opened: OpenedNode,
    *,
    gave_up: Callable[[str], None],
) -> BrokerLifecycleDriver:
    """Make the agent that registers, says that it is there, and leaves in order.

    Args:
        config: the node's.
        channel: the way to the active controller.
        clock: the node's.
        incarnation_id: of this process.
        opened: the node's directories.
        gave_up: told why it cannot become a broker of the cluster.
    """
    lifecycle = BrokerLifecycle(
        config=LifecycleConfig(
            broker_id=config.node_id,
            incarnation_id=incarnation_id,
            listeners=tuple(map(as_registered, config.broker_listeners)),
            features=config.features,
            rack=config.broker.rack,
            log_dirs=tuple(directory_id for _, directory_id in opened.log_dirs),
            previous_broker_epoch=opened.previous_broker_epoch,
            session_timeout_ms=config.broker.session_timeout_ms,
            heartbeat_interval_ms=config.broker.heartbeat_interval_ms,
            initial_registration_timeout_ms=config.broker.registration_timeout_ms,
            log_dir_failure_timeout_ms=config.broker.log_dir_failure_timeout_ms,
        ),
        jitter=SystemJitter(),
    )
    return BrokerLifecycleDriver(lifecycle=lifecycle, channel=channel, clock=clock, gave_up=gave_up)


def note_clean_shutdown(fs: FileSystem, opened: OpenedNode, broker: BrokerLifecycleDriver) -> None:
    """Let the next start of a broker know that this one lost nothing; to be called when it has left in order."""
    lifecycle = broker.lifecycle
    if lifecycle.broker_epoch == NO_BROKER_EPOCH:
        return
    try:
        for directory, directory_id in opened.log_dirs:
            if directory_id in lifecycle.directories.online:
                write_clean_shutdown(fs, directory, lifecycle.broker_epoch)
    except StorageError as error:
        _log.warning("the next start will not know that this stop was a clean one", reason=str(error))
