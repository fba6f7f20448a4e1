"""What the scripts share that run a node of which one thing is altered: ``python SCRIPT controller --config FILE``.

The process is the one that ``kraftpy controller`` makes, without its command line.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from kraftpy.cli.errors import report
from kraftpy.config.node_config import NodeConfig, load_config
from kraftpy.model.errors import KraftError
from kraftpy.node.logs import configure_logging
from kraftpy.node.node import Node

SWITCH_S = 0.0005
"""How long a thread keeps the interpreter, as in a node that is started by the command."""


def run_script(run: Callable[[NodeConfig, Path], Awaitable[None]]) -> None:
    """Call ``run`` with the configuration and the path of its file; end the process when the node ends."""
    path = Path(sys.argv[3])

    async def main() -> None:
        config = load_config(path)
        configure_logging(level=config.log_level, form=config.log_format, node_id=config.node_id)
        await run(config, path)

    sys.setswitchinterval(SWITCH_S)
    try:
        asyncio.run(main())
    except KraftError as error:
        sys.exit(report(error))


async def run_until_asked(node: Node) -> None:
    """Run a node until it ends or is stopped by SIGTERM."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, node.request_stop)
    await node.run()
