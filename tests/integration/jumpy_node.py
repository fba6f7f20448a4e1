"""Run a controller whose clocks jump on command: ``python jumpy_node.py controller --config FILE``.

It is the product's own node. The file ``jump`` beside the configuration says which clock and by how many seconds, such
as ``wall -86400`` or ``monotonic 60``; on SIGUSR1 that clock jumps, and the file is taken away. The wall clock is what
the whole process reads. The monotonic one is the node's own alone, as a machine that was suspended shows it: the event
loop's timers do not know.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from pathlib import Path

from kraftpy.cli.errors import report
from kraftpy.model.errors import KraftError
from kraftpy.node.config import load_config
from kraftpy.node.logs import configure_logging
from kraftpy.node.node import Node
from kraftpy.runtime import clock

NS = 1_000_000_000


class Clocks:
    """What the process believes."""

    def __init__(self) -> None:
        self._ahead_ns = {"wall": 0, "monotonic": 0}
        wall, monotonic = time.time_ns, clock.elapsed_ns
        time.time_ns = lambda: wall() + self._ahead_ns["wall"]
        time.time = lambda: time.time_ns() / NS
        clock.elapsed_ns = lambda: monotonic() + self._ahead_ns["monotonic"]

    def jump(self, file: Path) -> None:
        which, seconds = file.read_text().split()
        self._ahead_ns[which] += int(seconds) * NS
        file.unlink()


async def main(path: str) -> None:
    clocks = Clocks()
    config = load_config(path)
    configure_logging(level=config.log_level, form=config.log_format, node_id=config.node_id)
    node = Node(config)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, node.request_stop)
    loop.add_signal_handler(signal.SIGUSR1, clocks.jump, Path(path).with_name("jump"))
    await node.run()


if __name__ == "__main__":
    sys.setswitchinterval(0.0005)
    try:
        asyncio.run(main(sys.argv[3]))
    except KraftError as error:
        sys.exit(report(error))
