"""etcd from the package ``etcd-server``; its load tool is Go, on clientv3."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bench.peers.ensemble import HOST, NODES, START_TIMEOUT_S, ToolDriven, free_ports
from bench.peers.gotool import go_command, go_tool
from bench.peers.loadtool import arguments_of, run_tool, run_watchers
from bench.reading import WATCH_CONNECTIONS, Reading, Watched, Watching
from bench.work import Measuring, Outcome, SkippedError, Work, eventually

QUOTA_BYTES = 8 * 1024 * 1024 * 1024
"""The default of 2 GB is not enough for a load of a million records with their history."""

CONNECTIONS = 4
ASK_TIMEOUT_S = 2.0


class Etcd(ToolDriven):
    """Three etcd servers."""

    name = "etcd"
    forms = readers = ("Go clientv3",)

    def __init__(self) -> None:
        super().__init__()
        self._ports: dict[str, tuple[int, int]] = {}
        self._ids: dict[int, str] = {}
        self._tool = Path()

    def version(self) -> str:
        """Return the server's version, and build the load tool."""
        if shutil.which("etcd") is None:
            raise SkippedError("no etcd on the PATH: install the package etcd-server")
        self._tool = go_tool()
        stated = subprocess.run(["etcd", "--version"], capture_output=True, text=True, check=False).stdout
        return stated.splitlines()[0].rpartition(" ")[2] if stated else "unknown"

    def names(self) -> list[str]:
        """Return the members' names."""
        return [f"etcd-{number}" for number in range(1, NODES + 1)]

    def configure(self, root: Path) -> None:
        """Choose ports."""
        del root
        ports = free_ports(2 * NODES)
        self._ports = {name: (ports.pop(), ports.pop()) for name in self.names()}

    def command(self, name: str) -> Sequence[str]:
        """Return a member's command line: defaults but for names, places and the quota."""
        client, peer = self._ports[name]
        members = ",".join(f"{each}=http://{HOST}:{ports[1]}" for each, ports in self._ports.items())
        return (
            "etcd",
            f"--name={name}",
            f"--data-dir={self._root / name}",
            f"--listen-client-urls=http://{HOST}:{client}",
            f"--advertise-client-urls=http://{HOST}:{client}",
            f"--listen-peer-urls=http://{HOST}:{peer}",
            f"--initial-advertise-peer-urls=http://{HOST}:{peer}",
            f"--initial-cluster={members}",
            "--initial-cluster-state=new",
            f"--quota-backend-bytes={QUOTA_BYTES}",
            "--logger=zap",
        )

    def tool(self, mode: str, arguments: dict[str, str]) -> Sequence[str]:
        """Call the Go tool."""
        connections = min(CONNECTIONS, int(arguments.get("in-flight", "1")))
        given = {"mode": mode, "endpoints": self._endpoints(self._ports), "connections": str(connections)}
        return go_command(self._tool, given | arguments)

    def _endpoints(self, names: Iterable[str]) -> str:
        return ",".join(f"{HOST}:{self._ports[name][0]}" for name in names)

    async def read(self, reading: Reading, work: Work, measuring: Measuring) -> Outcome:
        """Get single keys of those that were written."""
        nodes = [await self.leader()] if reading.nodes == 1 else list(self._ports)
        given = {
            "endpoints": self._endpoints(nodes),
            "serializable": "false" if reading.is_linearizable else "true",
            "names": str(reading.names),
        }
        return await run_tool(self.tool("read", arguments_of(work) | given), measuring)

    async def watch(self, watching: Watching, measuring: Measuring, measured: Measuring) -> Watched:
        """Watch all keys, with one member's client after another; write with another process meanwhile."""
        given = {"connections": str(WATCH_CONNECTIONS)}
        work = Work(rate=watching.rate, seconds=watching.seconds + 2 * watching.warmup_s, warmup_s=0.0)
        write = self.tool("load", arguments_of(work) | {"stamped": "true", "in-flight": str(CONNECTIONS)})

        async def writing() -> Outcome:
            return await run_tool(write, lambda: None)

        return await run_watchers(self.tool("watch", watching.arguments() | given), writing, measuring, measured)

    async def _status(self, name: str) -> dict[str, Any] | None:
        """Ask a member through its JSON gateway."""
        url = f"http://{HOST}:{self._ports[name][0]}/v3/maintenance/status"

        def ask() -> dict[str, Any] | None:
            request = urllib.request.Request(url, data=b"{}", method="POST")
            try:
                with urllib.request.urlopen(request, timeout=ASK_TIMEOUT_S) as answer:
                    found: dict[str, Any] = json.load(answer)
            except (OSError, ValueError):
                return None
            return found

        return await asyncio.to_thread(ask)

    async def leader(self) -> str:
        """Ask until a member knows the leader."""
        found: list[str] = []

        async def known() -> bool:
            statuses = {name: await self._status(name) for name in self.pids}
            ids = {status["header"]["member_id"]: name for name, status in statuses.items() if status}
            found[:] = [ids[status["leader"]] for status in statuses.values() if status and status.get("leader") in ids]
            return bool(found)

        await eventually(known, "etcd has a leader", START_TIMEOUT_S, 0.1)
        return found[0]

    async def loaded(self, name: str) -> int:
        """Return the applied index."""
        status = await self._status(name)
        return int(status.get("raftAppliedIndex", 0)) if status and status.get("leader") else -1
