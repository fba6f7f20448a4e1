"""Write the cluster's id from the log to every meta.properties of this node, then publish it.

``runtime.cluster_id`` discovers it; the consequences for a node are here: it is written in the storage queue, a
directory that cannot be written goes offline, or is saturated if it is full, and an id that is not configured is logged
as a warning (KIP-1262).
"""

from __future__ import annotations

from collections.abc import Callable

import structlog

from kraftpy.config.node_config import NodeConfig
from kraftpy.node.log_dir_monitor import LogDirMonitor
from kraftpy.node.startup import OpenedNode
from kraftpy.runtime.cluster_id import ClusterIdPublisher
from kraftpy.runtime.controller_loop import ControllerLoop
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.registration_drivers import BrokerLifecycleDriver
from kraftpy.storage.identity import Persisted

_log = structlog.get_logger("kraftpy.node")


class ClusterIdentity:
    """Persists the id, and passes it to the replica and the broker.

    Attributes:
        publisher: knows the id as soon as it is durable.
    """

    def __init__(
        self,
        config: NodeConfig,
        opened: OpenedNode,
        driver: Driver,
        *,
        host: ControllerLoop | None,
        broker: BrokerLifecycleDriver | None,
        log_dirs: LogDirMonitor | None,
    ) -> None:
        self._opened = opened
        self._driver = driver
        self._host = host
        self._broker = broker
        self._log_dirs = log_dirs
        self._is_pinned = config.expected_cluster_id is not None
        self.publisher = ClusterIdPublisher(
            known=opened.identity.cluster_id,
            expected=config.expected_cluster_id,
            persist=self._persist,
            on_discovered=self._announce,
        )

    def _persist(self, cluster_id: str, then: Callable[[], None]) -> None:
        def persisted(outcome: Persisted) -> None:
            self._note_failed_directories(outcome)
            then()

        self._driver.lane.put(lambda: self._opened.cluster_ids.persist(cluster_id), persisted)

    def _note_failed_directories(self, outcome: Persisted) -> None:
        ids = dict(self._opened.log_dirs)
        for directory, error in outcome.failed.items():
            if self._log_dirs is None or directory not in ids:
                _log.error("log_dir_failed", directory=directory, reason=str(error))
            else:
                self._log_dirs.meets(error, directory, ids[directory])

    def _announce(self, cluster_id: str) -> None:
        self._driver.replica.set_cluster_id(cluster_id)
        if self._host is not None and self._host.controller.active:
            _log.info("cluster_id_created", cluster_id=cluster_id)
        elif not self._is_pinned:
            _log.warning(
                "cluster_id_trusted",
                reason="the id that was discovered is now in every meta.properties, and is required from now on; "
                "cluster.id.expected would require one beforehand",
                cluster_id=cluster_id,
            )
        else:
            _log.info("cluster_id_discovered", cluster_id=cluster_id)
        if self._broker is not None:
            self._broker.cluster_id_known(cluster_id)
