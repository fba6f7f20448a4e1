"""Three controllers behind proxies and a broker, on disks that can lose power, fill up, fail, rot and vanish."""

from __future__ import annotations

import random
import shutil
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from kraftpy.client import values as v
from kraftpy.local_cluster.child_processes import ChildProcesses
from kraftpy.local_cluster.cluster import open_local_cluster
from kraftpy.storage.names import QUARANTINE, QUORUM_STATE
from tests.fakes.processes import QUICK_TIMERS, Cluster, configure, eventually, status_in
from tests.fakes.small_disk import filled, small_disk
from tests.interop.processes import free_ports
from tests.robustness.power import flip_bit, lose_power
from tests.robustness.protection import ATTACKING_BROKER, Protection, Secured, secured
from tests.robustness.proxy import HOST, Network

NODE = Path(__file__).with_name("attacked_node.py")
SMALL_DISK_MIB = 64
ROTTING = ("*.log", "*.checkpoint", "*.index", "*.timeindex", "leader-epoch-checkpoint")
"""The files of which a bit may flip and be mended by the node itself: that hold the log, and what is made from it. What
cannot be fetched from others is in :meth:`World.corrupt_small_file`."""


@dataclass
class World(Cluster):
    """The processes, and the network between them.

    Attributes:
        small_disk: the controller that lives on a small file system of its own; ``None`` where none can be mounted.
        no_small_disk: why there is none.
        secured: what protects its ports; ``None`` where nothing does.
    """

    network: Network = field(default_factory=Network)
    small_disk: int | None = None
    no_small_disk: str = ""
    secured: Secured | None = None

    @property
    def processes(self) -> dict[int, int]:
        """Node ids by process."""
        return {child.pid: node_id for node_id, child in self.children.by_id.items()}

    @property
    def broker_ids(self) -> list[int]:
        """All brokers."""
        return [node.node_id for node in self.sandbox.brokers]

    async def start(self, *node_ids: int) -> None:
        for node_id in node_ids:
            await self.start_script(NODE, node_id)

    # Power.

    async def power_off(self, draw: random.Random, *node_ids: int) -> int:
        """Kill nodes as a power loss does; return how many unsynced bytes were lost."""
        await self.kill(*node_ids)
        return sum(lose_power(self.node(node_id).directory, draw) for node_id in node_ids)

    # Disks.

    def _fault(self, node_id: int) -> Path:
        return self.node(node_id).directory / "fault"

    def slow_down(self, node_id: int, seconds: float) -> None:
        """Let every sync of a node take so long."""
        self._fault(node_id).write_text(f"slow {seconds}")

    def set_clock(self, node_id: int, seconds: int) -> None:
        """Set a node's wall clock ahead of the right time by some seconds; behind it, if less than 0."""
        path = self._clock(node_id)
        new = path.with_suffix(".new")
        new.write_text(str(seconds))
        new.replace(path)

    def clock_s(self, node_id: int) -> int:
        """Return by how many seconds a node's wall clock is set ahead."""
        path = self._clock(node_id)
        return int(path.read_text()) if path.exists() else 0

    def _clock(self, node_id: int) -> Path:
        return self.node(node_id).directory / "clock"

    def let_disks_lie(self) -> None:
        """Let every node's disk confirm what it has not written."""
        for node_id in self.controller_ids:
            self._fault(node_id).write_text("lie")

    async def break_disk(self, node_id: int, word: str) -> None:
        """Let a node's disk be ``full``, or ``fail`` its next sync, and wait until the node has stopped by itself.

        A node that runs has zeros ahead of its log's end and lives on them for a while; a start cuts them.
        """
        if word == "full":
            await self.kill(node_id)
        self._fault(node_id).write_text(word)
        if word == "full":
            await self.start(node_id)
        assert await self.exit_code(node_id) == 1, self.log_of(node_id)[-2_000:]

    async def fill_disk(self, node_id: int) -> None:
        """Restart a node on its small file system, let no byte of that be free, and wait until it has stopped.

        A node that runs has zeros ahead of its log's end and uses them up for a while; a start cuts them.
        """
        await self.kill(node_id)
        with filled(self.node(node_id).log_dirs[0]) as fill:

            async def stopped() -> bool:
                fill()
                return not self.is_running(node_id)

            await self.start(node_id)
            await eventually(stopped, bool, f"{node_id} stops on its full disk")
        code = await self.exit_code(node_id)
        assert code == 1, self.log_of(node_id)[-2_000:]
        assert "No space left" in self.log_of(node_id)

    def wipe(self, node_id: int) -> None:
        """Lose a node's disk; the node must be down."""
        for directory in self.node(node_id).log_dirs:
            for entry in list(directory.iterdir()):
                if entry.is_dir():
                    shutil.rmtree(entry)
                else:
                    entry.unlink()

    def bit_rot(self, node_id: int, draw: random.Random, bits: int) -> list[str]:
        """Flip bits of a node's files, which must be down; return which."""
        # The operator has looked at what was quarantined the last time.
        shutil.rmtree(self.data(node_id) / QUARANTINE, ignore_errors=True)
        files = sorted(path for pattern in ROTTING for path in self.data(node_id).glob(pattern))
        # The zeros that are written ahead of the log's end are not worth a bit.
        sizes = {path: len(path.read_bytes().rstrip(b"\0")) for path in files}
        flipped = []
        for _ in range(bits):
            path = draw.choice([path for path in files if sizes[path]])
            position = draw.randrange(sizes[path])
            flip_bit(path, position, draw.randrange(8))
            flipped.append(f"{path.name}@{position}")
        return flipped

    def corrupt_small_file(self, node_id: int, name: str, draw: random.Random) -> bytes:
        """Flip a bit of a node's ``quorum-state`` or ``meta.properties``; return what it said before."""
        path = self._small(node_id, name)
        content = path.read_bytes()
        flip_bit(path, draw.randrange(len(content)), draw.randrange(8))
        return content

    def restore_small(self, node_id: int, name: str, content: bytes | None) -> None:
        """Do as docs/disasters.md says: put back a copy of a file, or delete it where there is none."""
        path = self._small(node_id, name)
        if content is None:
            path.unlink()
        else:
            path.write_bytes(content)

    def _small(self, node_id: int, name: str) -> Path:
        return (self.data(node_id) if name == QUORUM_STATE else self.node(node_id).log_dirs[0]) / name

    def was_repaired(self, node_id: int) -> bool:
        """Return whether a node has quarantined its log since its files were corrupted."""
        return (self.data(node_id) / QUARANTINE).exists()

    async def counts(self, node_id: int) -> None:
        """Wait until a node's vote counts: before that, losing another disk is losing a majority."""

        async def is_recovering() -> bool:
            # Before it answers, it may not have looked at its disk.
            return not await self.metrics(node_id) or not status_in(self.data(node_id)).is_eligible

        await eventually(is_recovering, lambda recovering: not recovering, f"the vote of {node_id} counts again")

    # Attackers.

    async def let_the_attacking_broker_act(self) -> None:
        """Permit what brokers do, where an authorizer decides: the certificate alone is to limit it."""
        if self.secured is None or not self.secured.is_authorized:
            return
        entry = v.AclEntry(
            resource_type=v.AclResourceType.CLUSTER,
            resource_name="kafka-cluster",
            principal=f"User:CN={ATTACKING_BROKER}",
            operation=v.AclOperation.CLUSTER_ACTION,
        )
        async with self.client() as client:
            assert (await client.create_acls([entry])).outcomes == (v.AclOutcome(),)

    async def voters(self) -> set[tuple[object, ...]]:
        """Return the voters: id and endpoints. Their directories are for a leader of a static quorum to find out."""
        async with self.client() as client:
            quorum = await client.describe_quorum()
        return {(one.key.node_id, tuple(one.endpoints)) for one in quorum.voters}

    def forget_peaks(self) -> None:
        """Let what the controllers had at most begin with what they have now; without effect where only Linux can."""
        for node_id in self.controller_ids:
            with suppress(OSError):
                Path(f"/proc/{self.child(node_id).pid}/clear_refs").write_text("5")

    def peaks(self) -> dict[int, int]:
        """Return the memory that each controller had at most (bytes); 0 where the system does not say it."""
        return {node_id: _peak_of(self.child(node_id).pid) for node_id in self.controller_ids}

    async def heal(self) -> None:
        """End every fault."""
        self.network.heal()
        for node_id in (*self.controller_ids, *self.broker_ids):
            self._fault(node_id).unlink(missing_ok=True)
            self._clock(node_id).unlink(missing_ok=True)
            if node_id in self.paused:
                self.resume(node_id)
            if not self.is_running(node_id):
                await self.start(node_id)


def _peak_of(process: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


@asynccontextmanager
async def world(
    root: Path,
    *,
    controllers: int = 3,
    brokers: int = 1,
    start: bool = True,
    protection: Protection = Protection.NONE,
) -> AsyncIterator[World]:
    """Start it; in the end everything is killed."""
    guarded = secured(root.with_name("certificates"), protection)
    extra = QUICK_TIMERS if guarded is None else QUICK_TIMERS | guarded.properties
    sandbox = open_local_cluster(root, controllers=controllers, brokers=brokers, extra=extra)
    made = World(sandbox, ChildProcesses(sandbox), forks=False, secured=guarded)
    made.network.processes = lambda: made.processes
    if guarded is not None:
        made.credentials = guarded.admin_credentials()
        for node in sandbox.nodes:
            guarded.configure(node)
    with ExitStack() as mounted:
        small = made.controller_ids[-1]
        made.no_small_disk = mounted.enter_context(small_disk(made.node(small).log_dirs[0], SMALL_DISK_MIB))
        made.small_disk = None if made.no_small_disk else small
        try:
            await _put_proxies_before(made)
            if start:
                await made.start(*made.controller_ids, *made.broker_ids)
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
    for node in made.sandbox.brokers:
        configure(node, controller__quorum__voters=voters)
