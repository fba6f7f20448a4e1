"""The parts of every node, whatever its roles: a replica on its disk, and the readers of its log.

This module constructs the parts from the configuration; ``node.node`` connects them. ``controller_parts`` and
``broker_parts`` have the parts of one role.
"""

from __future__ import annotations

from collections.abc import Callable

from kraftpy.config.node_config import NodeConfig
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.node.startup import OpenedNode
from kraftpy.raft.replica import Replica
from kraftpy.runtime.backend import NodeBackend
from kraftpy.runtime.cleaner import Cleaner, RetentionPolicy
from kraftpy.runtime.clock import Clock
from kraftpy.runtime.controller_loop import ControllerLoop
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.random import SystemJitter
from kraftpy.runtime.reads import Reads
from kraftpy.runtime.snapshotter import QuorumAt, SnapshotPolicy, Snapshotter
from kraftpy.runtime.state_machine import StateMachine

_NO_LIMIT = -1


def make_replica(config: NodeConfig, opened: OpenedNode, clock: Clock) -> Replica:
    """Make the replica that goes on where its directory ends."""
    return Replica(
        config=config.raft,
        identity=opened.identity,
        recovered=opened.recovered,
        jitter=SystemJitter(),
        now_ms=clock.now_ms(),
    )


def make_snapshotter(
    config: NodeConfig,
    opened: OpenedNode,
    driver: Driver,
    *,
    on_frozen: Callable[[OffsetAndEpoch], None],
    on_failed: Callable[[BaseException], None],
) -> Snapshotter:
    """Make what writes snapshots, as often as the configuration says."""
    return Snapshotter(
        store=opened.directory.snapshots,
        policy=SnapshotPolicy(
            bytes_between=config.log.record_bytes_between_snapshots,
            interval_ms=config.log.snapshot_interval_ms or 0,
        ),
        quorum_at=_quorum_at(driver.replica),
        on_frozen=on_frozen,
        now_ms=driver.clock.now_ms,
        on_failed=on_failed,
        lane=driver.lane,
    )


def make_reads(driver: Driver, state_machine: StateMachine, host: ControllerLoop | None) -> Reads:
    """Make where reads wait for the state that they ask for."""
    return Reads(
        replica=driver.replica,
        state_machine=state_machine,
        active_epoch=lambda: None if host is None else host.active_epoch,
        inbox=driver.inbox,
    )


def make_backend(
    config: NodeConfig,
    driver: Driver,
    state_machine: StateMachine,
    host: ControllerLoop | None,
    reads: Reads,
    on_failed: Callable[[BaseException], None],
) -> NodeBackend:
    """Make what the public API asks."""
    return NodeBackend(
        driver=driver,
        state_machine=state_machine,
        controller=host,
        reads=reads,
        quorum_at=_quorum_at(driver.replica),
        errors=driver.request_errors,
        on_failed=on_failed,
        acls_enabled=config.authorization is not None,
        topic_settings=config.topic_settings,
        supported_features=tuple((one.name, one.min_level, one.max_level) for one in config.features),
    )


def make_cleaner(config: NodeConfig, opened: OpenedNode, driver: Driver) -> Cleaner:
    """Make what removes old segments and snapshots."""
    retention_bytes, retention_ms = config.log.retention_bytes, config.log.retention_ms
    return Cleaner(
        directory=opened.directory,
        replica=driver.replica,
        lane=driver.lane,
        policy=RetentionPolicy(
            retention_bytes=_NO_LIMIT if retention_bytes is None else retention_bytes,
            retention_ms=_NO_LIMIT if retention_ms is None else retention_ms,
        ),
    )


def _quorum_at(replica: Replica) -> Callable[[int], QuorumAt]:
    def quorum_at(end_offset: int) -> QuorumAt:
        voters, kraft_version = replica.quorum_at(end_offset)
        return QuorumAt(voters, kraft_version)

    return quorum_at
