"""ZooKeeper from the package ``zookeeper``; its load tool is Java, on its own asynchronous client."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

from bench.mixed import OneWrite
from bench.peers.ensemble import HOST, NODES, START_TIMEOUT_S, ToolDriven, free_ports
from bench.peers.javatool import java_tool
from bench.peers.writes_file import key_of
from bench.work import SkippedError, eventually

SOURCE = Path(__file__).parent / "zkload" / "ZkLoad.java"
JAR = Path("/usr/share/java/zookeeper.jar")
"""Its manifest names everything that it needs."""

NOT_IN_ZNODES = re.compile("[\0-\x1f\x7f-\x9f\ud800-\uf8ff\ufff0-\uffff/]")
"""What the name of a znode cannot hold, the slash among it, which separates the names of a path."""

SERVER_HEAP = "2g"
ASK_TIMEOUT_S = 2.0


class ZooKeeper(ToolDriven):
    """Three ZooKeeper servers."""

    name = "zookeeper"
    forms = ("Java async",)
    warm_up_s = 10.0

    def __init__(self) -> None:
        super().__init__()
        self._ports: dict[str, int] = {}
        self._classes = Path()

    def version(self) -> str:
        """Return the server's version, and build the load tool."""
        if not JAR.exists():
            raise SkippedError(f"no {JAR}: install the package zookeeper")
        self._classes = java_tool(SOURCE, str(JAR))
        versioned = sorted(JAR.parent.glob("zookeeper-[0-9]*.jar"))
        return versioned[-1].stem.removeprefix("zookeeper-") if versioned else "unknown"

    def names(self) -> list[str]:
        """Return the servers' names."""
        return [f"zookeeper-{number}" for number in range(1, NODES + 1)]

    def configure(self, root: Path) -> None:
        """Choose ports and write the servers' files: the packaged sample's timers."""
        ports = free_ports(3 * NODES)
        self._ports = {name: ports.pop() for name in self.names()}
        members = [f"server.{number}={HOST}:{ports.pop()}:{ports.pop()}" for number in range(1, NODES + 1)]
        for number, (name, port) in enumerate(self._ports.items(), 1):
            directory = root / name
            directory.mkdir()
            (directory / "myid").write_text(str(number), encoding="utf-8")
            settings = [
                "tickTime=2000",
                "initLimit=10",
                "syncLimit=5",
                "maxClientCnxns=0",
                "admin.enableServer=false",
                "4lw.commands.whitelist=*",
                f"clientPortAddress={HOST}",
                f"clientPort={port}",
                f"dataDir={directory}",
                *members,
            ]
            (root / f"{name}.cfg").write_text("\n".join(settings) + "\n", encoding="utf-8")

    def command(self, name: str) -> Sequence[str]:
        """Return a server's command line; forceSync is its default."""
        main = "org.apache.zookeeper.server.quorum.QuorumPeerMain"
        return ("java", f"-Xmx{SERVER_HEAP}", "-cp", str(JAR), main, str(self._root / f"{name}.cfg"))

    def tool(self, mode: str, arguments: dict[str, str]) -> Sequence[str]:
        """Call the Java tool."""
        endpoints = ",".join(f"{HOST}:{port}" for port in self._ports.values())
        given = {"mode": mode, "endpoints": endpoints} | arguments
        pairs = (f"{key}={value}" for key, value in given.items())
        return ("java", "-Xmx1g", "-cp", f"{self._classes}:{JAR}", "ZkLoad", *pairs)

    def key(self, one: OneWrite) -> str:
        """Return the name of a znode below one path: with colons in place of the slashes, so of the same length.

        Raises:
            ValueError: the resource has a name that a znode cannot have, or one with a colon.
        """
        if NOT_IN_ZNODES.search(one.name) or ":" in one.name:
            raise ValueError(
                f"{one.name!r} cannot be the name of a znode: draw it from other characters in bench/mixed.py"
            )
        return key_of(one).replace("/", ":")

    async def _ask(self, name: str) -> dict[str, str]:
        """Send the four-letter word ``srvr``; empty when there is no answer, or no quorum."""
        try:
            async with asyncio.timeout(ASK_TIMEOUT_S):
                reader, writer = await asyncio.open_connection(HOST, self._ports[name])
                writer.write(b"srvr")
                stated = (await reader.read()).decode()
                writer.close()
        except (OSError, TimeoutError):
            return {}
        return {key: value.strip() for key, _, value in (line.partition(":") for line in stated.splitlines())}

    async def leader(self) -> str:
        """Ask until a server says that it leads."""
        found: list[str] = []

        async def known() -> bool:
            found[:] = [name for name in self.pids if (await self._ask(name)).get("Mode") == "leader"]
            return bool(found)

        await eventually(known, "ZooKeeper has a leader", START_TIMEOUT_S, 0.1)
        return found[0]

    async def loaded(self, name: str) -> int:
        """Return the server's last transaction id."""
        zxid = (await self._ask(name)).get("Zxid")
        return int(zxid, 16) if zxid else -1
