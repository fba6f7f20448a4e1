"""A broker's parts: the driver of its lifecycle, and the file that marks a clean shutdown."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from kraftpy.broker.lifecycle import BrokerLifecycle, LifecycleConfig
from kraftpy.config.listeners import as_registered
from kraftpy.config.node_config import NodeConfig
from kraftpy.model.errors import StorageError
from kraftpy.model.ids import Uuid
from kraftpy.node.log_dir_monitor import LogDirChecks, LogDirMonitor
from kraftpy.node.startup import OpenedNode
from kraftpy.runtime.active_controller import ActiveController
from kraftpy.runtime.clock import Clock
from kraftpy.runtime.random import SystemJitter
from kraftpy.runtime.registration_drivers import BrokerLifecycleDriver
from kraftpy.storage.clean_shutdown import NO_BROKER_EPOCH, write_clean_shutdown
from kraftpy.storage.filesystem import FileSystem

_log = structlog.get_logger("kraftpy.node")


def make_broker(
    config: NodeConfig,
    channel: ActiveController,
    clock: Clock,
    incarnation_id: Uuid,
    opened: OpenedNode,
    *,
    on_give_up: Callable[[str], None],
) -> BrokerLifecycleDriver:
    """Make the driver that registers the broker, sends its heartbeats, and shuts it down in order.

    Args:
        config: the node's.
        channel: the way to the active controller.
        clock: the node's.
        incarnation_id: of this process.
        opened: the node's directories.
        on_give_up: called with the reason why it cannot become a broker of the cluster.
    """
    lifecycle = BrokerLifecycle(
        config=LifecycleConfig(
            broker_id=config.node_id,
            incarnation_id=incarnation_id,
            listeners=tuple(map(as_registered, config.broker_listeners)),
            features=config.features,
            rack=config.broker.rack,
            host=config.broker.host,
            log_dirs=tuple(directory_id for _, directory_id in opened.log_dirs),
            saturated_log_dirs=tuple(one for path, one in opened.log_dirs if path in opened.saturated),
            paths=dict(opened.log_dirs),
            cordoned_log_dirs=config.broker.directories.cordoned,
            previous_broker_epoch=opened.previous_broker_epoch,
            session_timeout_ms=config.broker.session_timeout_ms,
            heartbeat_interval_ms=config.broker.heartbeat_interval_ms,
            initial_registration_timeout_ms=config.broker.registration_timeout_ms,
            log_dir_failure_timeout_ms=config.broker.log_dir_failure_timeout_ms,
        ),
        jitter=SystemJitter(),
    )
    return BrokerLifecycleDriver(lifecycle=lifecycle, channel=channel, clock=clock, on_give_up=on_give_up)


def make_monitor(
    config: NodeConfig, fs: FileSystem, opened: OpenedNode, broker: BrokerLifecycleDriver
) -> LogDirMonitor:
    """Make what checks the broker's log directories."""
    directories = config.broker.directories
    return LogDirMonitor(LogDirChecks(fs, directories), directories, opened, broker)


def note_clean_shutdown(fs: FileSystem, opened: OpenedNode, broker: BrokerLifecycleDriver) -> None:
    """Write the clean-shutdown file, after a controlled shutdown."""
    lifecycle = broker.lifecycle
    if lifecycle.broker_epoch == NO_BROKER_EPOCH:
        return
    try:
        for directory, directory_id in opened.log_dirs:
            if directory_id in lifecycle.directories.working:
                write_clean_shutdown(fs, directory, lifecycle.broker_epoch)
    except StorageError as error:
        _log.warning("clean_shutdown_not_recorded", reason=str(error))
