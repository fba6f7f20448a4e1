"""Run a controller whose clocks jump on command: ``python jumpy_node.py controller --config FILE``.

It is the product's own node. The file ``jump`` beside the configuration says which clock and by how many seconds, such
as ``wall -86400`` or ``monotonic 60``; on SIGUSR1 that clock jumps, and the file is taken away; it does so before the
node starts, if the file is there. The wall clock is what
the whole process reads. The monotonic one is the node's own alone, as a machine that was suspended shows it: the event
loop's timers do not know.
"""

from __future__ import annotations

import asyncio
import signal
import time
from pathlib import Path

from kraftpy.config.node_config import NodeConfig
from kraftpy.node.node import Node
from kraftpy.runtime import clock
from tests.fakes.altered_node import run_script, run_until_asked

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


async def run(config: NodeConfig, path: Path) -> None:
    clocks, order = Clocks(), path.with_name("jump")
    if order.exists():
        clocks.jump(order)
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, clocks.jump, order)
    await run_until_asked(Node(config))


if __name__ == "__main__":
    run_script(run)
