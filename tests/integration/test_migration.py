"""Controllers replaced by `kraftpy migrate`, with processes killed at each of its steps, and with old addresses reused.

Both groups are of kraftpy, so no JVM is needed; ``tests/interop/test_migrate.py`` has Kafka's controllers.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.root import cli
from kraftpy.model.ids import uuid_to_text
from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.ok_to_stop import why_not_counted
from kraftpy.quorum_tools.quorum_admin import NoLeaderError, QuorumAdmin
from tests.fakes.processes import PATIENCE_S, Cluster, Load, configure, described, eventually, running

OLD, NEW = (1, 2, 3), (4, 5, 6)
CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw"
CHANGES = ("Adding", "Removing")
ATTEMPTS_MAX = 12
"""How often a command is repeated at most: nothing is killed twice at one step."""

LINE_S = 2 * PATIENCE_S
"""How long a command may take to its next line: it has a step's time, and is a process that starts, too."""

ANNOUNCED, COMMITTED = "announced", "committed"
COMMAND, SUBJECT, ACTIVE = "the command", "the controller of the step", "the active controller"


@dataclass
class Attempt:
    """One run of a command: what it printed, and how it ended."""

    code: int = 0
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@dataclass
class Migrating:
    """A quorum of three controllers and the three that replace them, with a plan.

    Attributes:
        fewest: the smallest voter set that was seen.
        struck: the steps at which something was killed; in the next attempt they may succeed.
    """

    cluster: Cluster
    root: Path
    load: Load
    fewest: int = len(OLD)
    struck: list[str] = field(default_factory=list)

    @property
    def plan(self) -> Path:
        return self.root / "migration.json"

    def address(self, node_id: int) -> str:
        return self.cluster.node(node_id).kafka_endpoint

    @property
    def endpoints(self) -> list[Endpoint]:
        addresses = (self.address(one).rpartition(":") for one in self.cluster.controller_ids)
        return [Endpoint("CONTROLLER", host, int(port)) for host, _, port in addresses]

    def share_addresses(self) -> None:
        """Give every new controller the address of an old one."""
        for old, new in zip(OLD, NEW, strict=True):
            configure(self.cluster.node(new), listeners=self.cluster.node(old).properties["listeners"])

    def format(self) -> None:
        """Give every controller its directory: the old ones as voters, the new ones as observers."""
        everybody = ",".join(dict.fromkeys(self.address(one) for one in self.cluster.controller_ids))
        for node in self.cluster.sandbox.controllers:
            del node.properties["controller.quorum.voters"]
            configure(node, controller__quorum__bootstrap__servers=everybody)
        voters = ",".join(f"{one}@{self.address(one)}:{uuid_to_text(bytes([64 + one]) * 16)}" for one in OLD)
        for node_id in self.cluster.controller_ids:
            words = ("-c", str(self.cluster.node(node_id).config_file), "-t", CLUSTER_ID)
            more = ("-I", voters) if node_id in OLD else ("-N",)
            result = CliRunner().invoke(cli, ["storage", "format", *words, *more])
            assert result.exit_code == ExitCode.OK, result.output

    async def make_plan(self) -> Attempt:
        to = [word for one in NEW for word in ("--to", str(self.cluster.node(one).config_file))]
        return await self.ends("migrate", "plan", "-C", self.address(OLD[0]), *to, "--out", str(self.plan))

    async def ends(self, *words: str) -> Attempt:
        """Run a command to its end."""
        async with command(*words) as process:
            return await rest_of(process, Attempt())

    async def voting(self) -> set[int]:
        """Ask the leader who votes; no one while there is no leader."""
        try:
            found = (await QuorumAdmin(self.endpoints, timeout_s=5.0).describe()).described
        except NoLeaderError:
            return set()
        self.fewest = min(self.fewest, len(found.voters))
        return {one.key.node_id for one in found.voters}

    async def active(self) -> int:
        """Wait for a leader, and return it."""

        async def ask() -> int | None:
            try:
                return (await QuorumAdmin(self.endpoints, timeout_s=5.0).describe()).described.leader.leader_id
            except NoLeaderError:
                return None

        found = await eventually(ask, lambda one: one is not None, "there is a leader")
        assert found is not None
        return found

    async def silent(self, node_id: int) -> None:
        """Wait until the leader no longer counts a voter as one that follows it."""

        async def ask() -> bool:
            try:
                found = (await QuorumAdmin(self.endpoints, timeout_s=5.0).describe()).described
            except NoLeaderError:
                return False
            voters = {one.key.node_id: one for one in found.voters}
            leader = voters.get(found.leader.leader_id)
            return leader is not None and why_not_counted(voters[node_id], leader) is not None

        await eventually(ask, bool, f"the leader no longer hears from controller {node_id}")

    async def interrupted(self, *words: str, moments: Mapping[str, str], victim: str) -> Attempt:
        """Run a command, and kill something at every step that it begins and that none before it has begun."""
        attempt = Attempt()
        async with command("migrate", *words) as process:
            while line := await line_of(process):
                attempt.lines.append(line)
                if line.startswith(CHANGES) and line not in self.struck and process.returncode is None:
                    await self._strike(process, line, moments[line.split()[0]], victim)
                    await self.load.write()
            return await rest_of(process, attempt)

    async def _strike(self, process: asyncio.subprocess.Process, line: str, moment: str, victim: str) -> None:
        subject = int(line.split()[2].partition("@")[0])
        if moment == COMMITTED:
            is_added = line.startswith("Adding")

            async def is_over() -> bool:
                voters = await self.voting()
                return process.returncode is not None or (bool(voters) and (subject in voters) is is_added)

            await eventually(is_over, bool, f"{line} is committed, or the command ends")
        self.struck.append(line)
        if victim == COMMAND:
            with suppress(ProcessLookupError):  # the line may be the last one of a command that has ended
                process.kill()
            await process.wait()
            return
        node_id = subject if victim == SUBJECT else await self.active()
        await self.cluster.kill(node_id)
        await self.cluster.start(node_id)

    async def hands_over(self, words: Sequence[str], successors: Mapping[int, int], *, kills: bool) -> None:
        """Run a command to its end; stop a controller and start its successor when the command says so.

        With ``kills`` the command is killed in between, each time, and repeated.
        """
        attempt = await self._handed_over(words, successors, kills=kills)
        for _ in range(ATTEMPTS_MAX):
            if not kills or attempt.code == ExitCode.OK:
                break
            attempt = await self._handed_over(words, successors, kills=kills)
        assert attempt.code == ExitCode.OK, attempt.text

    async def _handed_over(self, words: Sequence[str], successors: Mapping[int, int], *, kills: bool) -> Attempt:
        attempt = Attempt()
        async with command("migrate", words[0], str(self.plan), *words[1:]) as process:
            while line := await line_of(process):
                attempt.lines.append(line)
                await self.voting()
                stop = re.search(r"stop controller (\d+), whose address it takes over, then start (\d+)", line)
                if stop is not None and line not in self.struck:
                    self.struck.append(line)
                    before, after = map(int, stop.groups())
                    assert successors[before] == after, line
                    assert await self.cluster.terminate(before) == 0
                    if kills:
                        process.kill()
                    await self.cluster.start(after)
            return await rest_of(process, attempt)

    async def arrives(self, *words: str, moments: Mapping[str, str], victim: str) -> list[Attempt]:
        """Repeat an interrupted command until one attempt ends well."""
        attempts: list[Attempt] = []
        while not attempts or attempts[-1].code != ExitCode.OK:
            assert len(attempts) < ATTEMPTS_MAX, "\n---\n".join(one.text for one in attempts)
            attempts.append(await self.interrupted(*words, moments=moments, victim=victim))
        return attempts


@asynccontextmanager
async def command(*words: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A command whose output is read while it runs; it is killed at the end of the block."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kraftpy", *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def line_of(process: asyncio.subprocess.Process) -> str:
    """Return the next line of a command, or nothing when it has ended."""
    assert process.stdout is not None
    async with asyncio.timeout(LINE_S):
        return (await process.stdout.readline()).decode().rstrip("\n")


async def rest_of(process: asyncio.subprocess.Process, attempt: Attempt) -> Attempt:
    """Read a command to its end."""
    while line := await line_of(process):
        attempt.lines.append(line)
    attempt.code = await process.wait()
    return attempt


@asynccontextmanager
async def migrating(root: Path, *, takes_over: bool = False) -> AsyncIterator[Migrating]:
    """Three controllers that vote, and a plan to replace them by three others; these run, too.

    With ``takes_over`` they have the addresses of the old ones, so none of them runs yet.
    """
    size = len(OLD) + len(NEW)
    async with running(root / "cluster", controllers=size, start=False) as cluster, cluster.client() as client:
        made = Migrating(cluster, root, Load(client))
        if takes_over:
            made.share_addresses()
        made.format()
        await cluster.start(*OLD, *(() if takes_over else NEW))
        await made.active()
        planned = await made.make_plan()
        assert planned.code == ExitCode.OK, planned.text
        yield made


def changes(attempts: Sequence[Attempt]) -> list[str]:
    """Return the steps that were begun, each once."""
    return list(dict.fromkeys(line for one in attempts for line in one.lines if line.startswith(CHANGES)))


@pytest.mark.landing
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "victim",
    [pytest.param(COMMAND, marks=pytest.mark.campaign), pytest.param(SUBJECT, marks=pytest.mark.campaign), ACTIVE],
)
async def test_whatever_is_killed_at_a_step_the_same_command_arrives(tmp_path, victim):
    """A migration that loses a process at a step gets stuck, ends with the wrong voters, or loses a committed write.

    There, something is killed when an addition is announced and when a removal is committed; back, the other way round.
    """
    async with migrating(tmp_path) as quorum:
        plan = str(quorum.plan)
        how = {"moments": {"Adding": ANNOUNCED, "Removing": COMMITTED}, "victim": victim}
        there = [*await quorum.arrives("run", plan, **how), *await quorum.arrives("run", plan, "--finish", **how)]
        assert await quorum.voting() == set(NEW)
        quorum.struck.clear()
        how = {"moments": {"Adding": COMMITTED, "Removing": ANNOUNCED}, "victim": victim}
        back = await quorum.arrives("back", plan, **how)
        assert await quorum.voting() == set(OLD)
        for attempts in (there, back):
            assert len(changes(attempts)) >= len(OLD) + len(NEW), quorum.struck
        assert quorum.fewest >= len(OLD)
        assert not quorum.load.unsure
        assert quorum.load.missing(await described(quorum.load.client)) == {}


@pytest.mark.landing
@pytest.mark.timeout(300)
async def test_a_new_controller_that_fails_for_good_does_not_prevent_the_way_back(tmp_path):
    """A new controller dies as soon as it votes: the old ones cannot return, though they are a majority."""
    async with migrating(tmp_path) as quorum:
        await quorum.cluster.kill(*NEW[1:])
        stuck = await quorum.ends("migrate", "run", str(quorum.plan), "--timeout", "6")
        assert stuck.code == ExitCode.UNREACHABLE, stuck.text
        assert f"Waiting for controller {NEW[1]} to follow the leader: start it." in stuck.text
        await quorum.cluster.kill(NEW[0])
        await quorum.silent(NEW[0])
        back = await quorum.ends("migrate", "back", str(quorum.plan), "--timeout", "20")
        assert back.code == ExitCode.OK, back.text
        assert f"Controller {NEW[0]} does not follow; it is to leave, so no step waits for it." in back.lines
        assert await quorum.voting() == set(OLD)


@pytest.mark.landing
@pytest.mark.timeout(300)
async def test_a_new_controller_takes_over_the_address_of_an_old_one(tmp_path):
    """A plan of old addresses is refused, the run gets stuck between two owners, or their return is not possible.

    No list of bootstrap servers changes: it names the addresses of the old controllers only. On the way back the
    command is killed each time between the stop of one controller and the start of the other.
    """
    async with migrating(tmp_path, takes_over=True) as quorum:
        for words, leaving, joining in ((("run",), OLD, NEW), (("run", "--finish"), OLD, NEW), (("back",), NEW, OLD)):
            quorum.struck.clear()
            await quorum.hands_over(words, dict(zip(leaving, joining, strict=True)), kills=words[0] == "back")
            await quorum.load.write()
        assert await quorum.voting() == set(OLD)
        assert quorum.fewest >= len(OLD) - 1
        assert not quorum.load.unsure
        assert quorum.load.missing(await described(quorum.load.client)) == {}
