"""Run a node in whose memory a bit flips on command: ``python flipped_node.py controller --config FILE``.

It is the product's own node, on the product's own file system. When a file ``flip`` stands beside the configuration,
the lowest bit of the first character of a configured value changes, in this process's memory and nowhere else: a ``1``
becomes a ``0``. The file holds the name of the group whose value it is, and is removed when that is done.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

from kraftpy.cli.errors import report
from kraftpy.image.configs import GROUP
from kraftpy.model.errors import KraftError
from kraftpy.node.config import load_config
from kraftpy.node.lifetime import run_node
from kraftpy.node.logs import configure_logging
from kraftpy.node.node import Node
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


async def main(path: str) -> None:
    config = load_config(path)
    configure_logging(level=config.log_level, form=config.log_format, node_id=config.node_id)
    watchers: list[Watcher] = []

    def began(node: Node) -> None:
        for earlier in watchers:
            earlier.ended = True
        watchers.append(Watcher(node, Path(path).with_name("flip")))
        watchers[-1].look()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, node.request_stop)

    await run_node(config, began)


if __name__ == "__main__":
    sys.setswitchinterval(0.0005)
    try:
        asyncio.run(main(sys.argv[3]))
    except KraftError as error:
        sys.exit(report(error))
