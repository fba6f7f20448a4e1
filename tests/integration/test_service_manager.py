"""A node under a service manager: the notifications of a real process, from its start to its end."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys

from tests.fakes.processes import ROOT, running

PATIENCE_S = 40


async def test_a_controller_reports_its_start_readiness_and_end(tmp_path):
    """It is started before the others are there, serves when they are, and gives signs of life meanwhile."""
    address = str(tmp_path / "notify")
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(address)
        manager.settimeout(0)

        messages: asyncio.Queue[str] = asyncio.Queue()

        async def read():
            """Read all the time: what a full socket does not take comes later, and once."""
            while True:
                messages.put_nowait((await loop.sock_recv(manager, 4096)).decode())

        async def notified(text):
            async with asyncio.timeout(PATIENCE_S):
                while text not in (found := await messages.get()):
                    pass
            return found

        reading = asyncio.ensure_future(read())
        async with running(tmp_path / "cluster", start=False) as cluster:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "kraftpy", "controller", "--config", str(cluster.node(1).config_file),
                stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
                env=os.environ | {"PYTHONPATH": str(ROOT), "NOTIFY_SOCKET": address, "WATCHDOG_USEC": "300000"},
            )  # fmt: skip
            try:
                assert "STATUS=not ready: " in await notified("READY=1")
                await notified("WATCHDOG=1")
                await cluster.start(2, 3)
                await notified("STATUS=serving")
                await notified("WATCHDOG=1")
                process.send_signal(signal.SIGTERM)
                await notified("STOPPING=1")
                assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 0
            finally:
                reading.cancel()
                if process.returncode is None:
                    process.kill()
                    await process.wait()
