"""Run a node in one process, and restart it when its state proved wrong.

A node that diverged fences itself and stops (``node.divergence``). Its memory cannot be relied on, only its disk, so a
new node is opened as after any other stop: that is where memory or disk is found to be wrong. The restart is in this
process, so that it does not depend on a process supervisor; but the number of restarts is limited, because a memory
that is wrong repeatedly must be replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog

from kraftpy.config.node_config import NodeConfig
from kraftpy.image import MetadataImage
from kraftpy.node.broker_id import NodeProcess, with_node_id
from kraftpy.node.divergence import StateDivergedError
from kraftpy.node.logs import name_node
from kraftpy.node.node import Node
from kraftpy.storage.filesystem import FileSystem, RealFileSystem

_log = structlog.get_logger("kraftpy.node")

RESTARTS_MAX: Final = 3
"""How often a process starts its node again after its state diverged."""


async def run_node(config: NodeConfig, began: Callable[[Node], None], *, fs: FileSystem | None = None) -> None:
    """Run a node until it is asked to stop.

    Args:
        config: the node's.
        began: called with each node before it runs, the first one included.
        fs: the disk; the machine's by default.

    Raises:
        ConfigError: it has no node id and cannot get one.
        StateDivergedError: its state was wrong repeatedly, or when it was asked to stop.
        KraftError: why the node had to stop by itself.
    """
    process = await with_node_id(config, fs or RealFileSystem())
    if not config.has_node_id:
        name_node(process.config.node_id)
    suspect: MetadataImage | None = None
    for left in reversed(range(RESTARTS_MAX + 1)):
        node = Node(process.config, fs=fs, suspect=suspect, incarnation_id=process.incarnation_id)
        process = NodeProcess(process.config)
        # It was examined while the node was opened; a whole state is not kept for as long as the next one lives.
        suspect = None
        began(node)
        try:
            await node.run()
        except StateDivergedError as error:
            if error.is_final or not left or node.was_asked_to_stop:
                raise
            suspect = error.suspect
            _log.warning("node_restarting", restarts_left=left)
        else:
            return
