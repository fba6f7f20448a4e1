"""Run a node in whose memory a bit flips on command: ``python flipped_node.py controller --config FILE``.

It is the product's own node, on the product's own file system. When a file ``flip`` appears beside the configuration,
the lowest bit of the first character of a configured value changes, in this process's memory and nowhere else: a ``1``
becomes a ``0``. The file holds the name of the group whose value it is, and is removed when that is done.
"""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

from kraftpy.config.node_config import NodeConfig
from kraftpy.image.configs import GROUP
from kraftpy.node.node import Node
from kraftpy.node.supervisor import run_node
from tests.fakes.altered_node import run_script
from tests.fakes.memory import flip_bit

POLL_S = 0.02


class Watcher:
    """Looks for the command while a node runs."""

    def __init__(self, node: Node, command: Path) -> None:
        self._node = node
        self._command = command
        self.ended = False

    def look(self) -> None:
        if self.ended:
            return
        if self._command.exists():
            values = self._node.published_image.configs.of(GROUP, self._command.read_text())
            for name in values:
                flip_bit(values[name])
                self._command.unlink()
        asyncio.get_running_loop().call_later(POLL_S, self.look)


async def run(config: NodeConfig, path: Path) -> None:
    watchers: list[Watcher] = []

    def began(node: Node) -> None:
        for earlier in watchers:
            earlier.ended = True
        watchers.append(Watcher(node, path.with_name("flip")))
        watchers[-1].look()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, node.request_stop)

    await run_node(config, began)


if __name__ == "__main__":
    run_script(run)
