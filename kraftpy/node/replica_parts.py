"""The parts of every node, whatever its roles: a replica on its disk, and the readers of its log.

This module constructs the parts from the configuration; ``node.node`` connects them. ``controller_parts`` and
``broker_parts`` have the parts of one role.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from kraftpy.config.node_config import NodeConfig
from kraftpy.config.values import Value
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.node.running_settings import RunningSettings
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
        policy=snapshot_policy(config.values),
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
    settings: RunningSettings,
    on_failed: Callable[[BaseException], None],
) -> NodeBackend:
    """Make what the public API asks."""
    lasting = config.lasting_settings
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
        file_settings=lambda: {**lasting, **settings.in_file},
        supported_features=tuple((one.name, one.min_level, one.max_level) for one in config.features),
    )


def make_cleaner(config: NodeConfig, opened: OpenedNode, driver: Driver) -> Cleaner:
    """Make what removes old segments and snapshots."""
    return Cleaner(
        directory=opened.directory,
        replica=driver.replica,
        lane=driver.lane,
        policy=retention_policy(config.values),
    )


def snapshot_policy(values: Mapping[str, Value]) -> SnapshotPolicy:
    """Read from the values of a node's keys when a snapshot is due."""
    return SnapshotPolicy(
        bytes_between=cast("int", values["metadata.log.max.record.bytes.between.snapshots"]),
        interval_ms=cast("int", values["metadata.log.max.snapshot.interval.ms"]),
    )


def retention_policy(values: Mapping[str, Value]) -> RetentionPolicy:
    """Read from the values of a node's keys what is kept of log and snapshots."""
    return RetentionPolicy(
        retention_bytes=cast("int", values["metadata.max.retention.bytes"]),
        retention_ms=cast("int", values["metadata.max.retention.ms"]),
    )


def _quorum_at(replica: Replica) -> Callable[[int], QuorumAt]:
    def quorum_at(end_offset: int) -> QuorumAt:
        voters, kraft_version = replica.quorum_at(end_offset)
        return QuorumAt(voters, kraft_version)

    return quorum_at
