"""Three controllers behind proxies, on disks that can lose power: what the campaign attacks."""

from __future__ import annotations

import asyncio
import random
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from kraftpy.node.children import Child, Children
from kraftpy.node.sandbox import SandboxNode, open_sandbox
from tests.fakes.processes import QUICK_TIMERS, Cluster, configure
from tests.interop.processes import free_ports
from tests.robustness.power import lose_power
from tests.robustness.proxy import HOST, Network

NODE = Path(__file__).with_name("attacked_node.py")


@dataclass
class World(Cluster):
    """The processes, and the network between them."""

    network: Network = field(default_factory=Network)

    async def start(self, *node_ids: int) -> None:
        for node_id in node_ids:
            self.children.by_id[node_id] = await _start(self.node(node_id))

    async def power_off(self, draw: random.Random, *node_ids: int) -> int:
        """Kill nodes as a power loss does; return how many unsynced bytes were lost."""
        await self.kill(*node_ids)
        return sum(lose_power(self.node(node_id).directory, draw) for node_id in node_ids)

    def slow_down(self, node_id: int, seconds: float | None) -> None:
        """Let every sync of a node take so long; ``None``: as it was."""
        fault = self.node(node_id).directory / "fault"
        if seconds is None:
            fault.unlink(missing_ok=True)
        else:
            fault.write_text(f"slow {seconds}")

    def let_disks_lie(self) -> None:
        """Let every node's disk confirm what it has not written."""
        for node_id in self.controller_ids:
            (self.node(node_id).directory / "fault").write_text("lie")

    def wipe(self, node_id: int) -> None:
        """Lose a node's disk."""
        for directory in self.node(node_id).log_dirs:
            shutil.rmtree(directory)

    async def heal(self) -> None:
        """End every fault."""
        self.network.heal()
        for node_id in self.controller_ids:
            self.slow_down(node_id, None)
            if node_id in self.paused:
                self.resume(node_id)
            if not self.is_running(node_id):
                await self.start(node_id)


async def _start(node: SandboxNode) -> Child:
    with node.log_file.open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(NODE),
            node.kind.value,
            "--config",
            str(node.config_file),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
    return Child(node, process)


@asynccontextmanager
async def world(root: Path, *, controllers: int = 3, start: bool = True) -> AsyncIterator[World]:
    """Start it; in the end everything is killed."""
    sandbox = open_sandbox(root, controllers=controllers, brokers=0, extra=QUICK_TIMERS)
    made = World(sandbox, Children(sandbox))
    try:
        await _put_proxies_before(made)
        if start:
            await made.start(*made.controller_ids)
        yield made
    finally:
        await made.kill(*[node_id for node_id in made.children.by_id if made.is_running(node_id)])
        await made.network.close()


async def _put_proxies_before(made: World) -> None:
    nodes = made.sandbox.controllers
    ports = {node.node_id: port for node, port in zip(nodes, free_ports(len(nodes)), strict=True)}
    voters = ",".join(f"{node_id}@{HOST}:{port}" for node_id, port in ports.items())
    for node in nodes:
        await made.network.open(node.node_id, ports[node.node_id], int(node.properties["listeners"].rpartition(":")[2]))
        configure(
            node,
            controller__quorum__voters=voters,
            advertised__listeners=f"CONTROLLER://{HOST}:{ports[node.node_id]}",
        )
