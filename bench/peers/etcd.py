"""etcd from the package ``etcd-server``; its load tool is Go, on clientv3, built when it is first needed."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.peers.ensemble import HOST, NODES, START_TIMEOUT_S, ToolDriven, build, cache_directory, free_ports, is_newer
from bench.work import SkippedError, eventually

SOURCE = Path(__file__).parent / "etcdload"
QUOTA_BYTES = 8 * 1024 * 1024 * 1024
"""The default of 2 GB is not enough for a load of a million records with their history."""

CONNECTIONS = 4
ASK_TIMEOUT_S = 2.0


class Etcd(ToolDriven):
    """Three etcd servers."""

    name = "etcd"
    forms = ("Go clientv3",)

    def __init__(self) -> None:
        super().__init__()
        self._ports: dict[str, tuple[int, int]] = {}
        self._ids: dict[int, str] = {}
        self._tool = cache_directory("etcdload") / "etcdload"

    def version(self) -> str:
        """Return the server's version, and build the load tool."""
        if shutil.which("etcd") is None:
            raise SkippedError("no etcd on the PATH: install the package etcd-server")
        self._build()
        stated = subprocess.run(["etcd", "--version"], capture_output=True, text=True, check=False).stdout
        return stated.splitlines()[0].rpartition(" ")[2] if stated else "unknown"

    def _build(self) -> None:
        if is_newer(self._tool, [SOURCE / "main.go", SOURCE / "go.mod"]):
            return
        go = shutil.which("go")
        if go is None:
            raise SkippedError("no Go compiler on the PATH to build its load tool with")
        build([go, "build", "-o", str(self._tool), "."], SOURCE, "etcd's load tool")

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
        endpoints = ",".join(f"{HOST}:{client}" for client, _ in self._ports.values())
        connections = min(CONNECTIONS, int(arguments.get("in-flight", "1")))
        given = {"mode": mode, "endpoints": endpoints, "connections": str(connections)} | arguments
        return (str(self._tool), *(f"--{key}={value}" for key, value in given.items()))

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
