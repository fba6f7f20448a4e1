"""Who votes changes under a running quorum, by the command line a person uses."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.model.consistency import Consistency
from kraftpy.model.ids import Uuid
from tests.fakes.launched import launch
from tests.fakes.processes import PATIENCE_S, STEADY, configure, described, eventually, running, under_load

pytestmark = pytest.mark.landing


async def ended(*words: str) -> tuple[int, str]:
    """Run the command line; return its exit code and what it printed (with what it said on stderr)."""
    with tempfile.NamedTemporaryFile(prefix="kraftpy-") as printed:
        process = await launch("start", Path(printed.name), words)
        async with asyncio.timeout(PATIENCE_S):
            return await process.wait(), printed.read().decode()


async def kraftpy(*words: str, code: int = ExitCode.OK) -> str:
    """Run the command line, which is to end with this code; return what it printed."""
    ended_with, stated = await ended(*words)
    assert ended_with == code, f"{words}: {ended_with}\n{stated}"
    return stated


def listener(cluster, node_id) -> str:
    return cluster.node(node_id).properties["listeners"].split("//")[1]


def everybody(cluster) -> str:
    return ",".join(listener(cluster, node_id) for node_id in cluster.controller_ids)


async def voters(cluster, *node_ids) -> list[int]:
    """The voter ids, as the leader knows them, by gRPC."""
    async with cluster.client(*node_ids) as client:
        return [voter.key.node_id for voter in (await client.describe_quorum()).voters]


async def grown_to_three(cluster) -> None:
    """Begin with controller 1 alone and add the others, one by one."""
    for node in cluster.sandbox.controllers:
        del node.properties["controller.quorum.voters"]
        configure(node, controller__quorum__bootstrap__servers=everybody(cluster))
    await kraftpy("storage", "format", "-c", str(cluster.node(1).config_file), "--standalone")
    await cluster.start(1, 2, 3)
    for node_id in (2, 3):
        await cluster.states(node_id, "after=follower")
        add = ("metadata-quorum", "add-controller", "--bootstrap-controllers", everybody(cluster))
        add += ("--config", str(cluster.node(node_id).config_file))

        async def planned(command: tuple[str, ...] = (*add, "--dry-run")) -> str:
            return (await ended(*command))[1]

        await eventually(planned, lambda stated: "would accept it: it has caught up" in stated, "it has caught up")
        stated = await kraftpy(*add)
        assert f"Added controller {node_id} with directory id" in stated
    assert await voters(cluster) == [1, 2, 3]


async def test_a_quorum_grows_from_one_and_its_first_member_leaves(tmp_path):
    """Controllers are added one by one under load; then the leader itself is removed, and nothing is lost."""
    async with running(tmp_path, controllers=3, start=False, extra=STEADY) as cluster:
        await grown_to_three(cluster)
        there = everybody(cluster)
        async with under_load(cluster, writers=2) as load:
            await load.grow(20)
            leader = await cluster.leader()
            stated = await kraftpy("metadata-quorum", "ok-to-stop", str(leader), "--bootstrap-controllers", there)
            assert stated.startswith("yes: 2 of 3 voters are left, 2 are needed; it leads")
            remove = ("metadata-quorum", "remove-controller", "--bootstrap-controllers", there)
            stated = await kraftpy(*remove, "--controller-id", str(leader), "--dry-run")
            assert f"Leader {leader} would accept it: 2 of the 2 remaining voters" in stated
            assert await voters(cluster) == [1, 2, 3], "a dry run changes nothing"
            stated = await kraftpy(*remove, "--controller-id", str(leader))
            assert f"Removed KRaft controller {leader}" in stated
            await load.grow(20)
        left = [node_id for node_id in (1, 2, 3) if node_id != leader]
        assert await voters(cluster, *left) == left
        no = await kraftpy(
            *("metadata-quorum", "ok-to-stop", str(left[0]), "--bootstrap-controllers", there, "-o", "json"),
            code=ExitCode.FINDINGS,
        )
        assert json.loads(no)["okToStop"] is False
        async with cluster.client(*left) as client:
            assert load.missing(await described(client)) == {}


async def test_a_static_quorum_is_upgraded_and_shrinks(tmp_path):
    """kraft.version 1 puts the configured voters, with their directories, into the log; then one can be removed."""
    async with running(tmp_path, controllers=3, extra=STEADY) as cluster:
        await cluster.leader()
        remove = ("metadata-quorum", "remove-controller", "--bootstrap-controllers", everybody(cluster))
        stated = await kraftpy(*remove, "--controller-id", "3", code=ExitCode.FAILURE)
        assert "kraft.version is 0" in stated or "lacks a node id or a directory id" in stated
        stated = await kraftpy(*remove, "--controller-id", "3", "--dry-run", code=ExitCode.FINDINGS)
        assert "this would fail: kraft.version is 0" in stated
        upgrade = ("features", "upgrade", "--feature", "kraft.version=1", "-C", _grpc(cluster))

        async def upgraded() -> str:
            """Repeat while the refusal says that it is too early."""
            code, stated = await ended(*upgrade)
            assert (
                code == ExitCode.OK
                or "have not reported yet which directory" in stated
                or "has not registered" in stated
            )
            return stated

        await eventually(upgraded, lambda stated: "was upgraded" in stated, "the quorum is upgraded")
        assert await voters(cluster) == [1, 2, 3]
        leader = await cluster.leader()
        loser = next(node_id for node_id in (1, 2, 3) if node_id != leader)
        stated = await kraftpy(*remove, "--controller-id", str(loser))
        assert f"Removed KRaft controller {loser}" in stated
        assert loser not in await voters(cluster)


def _grpc(cluster) -> str:
    return ",".join(cluster.node(node_id).grpc_endpoint for node_id in cluster.controller_ids)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("remove-controller", "--controller-id", "x"), "'x' is not a whole number from 0 to 2147483647"),
        (("remove-controller", "--controller-id", "1", "--controller-directory-id", "zz"), "--controller-directory-id"),
        (("add-controller",), "--config"),
        (("ok-to-stop",), "NODE"),
    ],
)
async def test_a_wrong_command_line_states_what_is_wrong(words, text):
    """A wrong command line sends no request."""
    stated = await kraftpy("metadata-quorum", *words, "--bootstrap-controllers", "127.0.0.1:1", code=ExitCode.USAGE)
    assert text in stated


async def test_without_a_quorum_it_states_who_was_asked():
    """An address without a listener ends in exit code 4, and the error names the address."""
    stated = await kraftpy(
        *("metadata-quorum", "ok-to-stop", "1", "--bootstrap-controllers", "127.0.0.1:1"), code=ExitCode.UNREACHABLE
    )
    assert "127.0.0.1:1 refused the connection" in stated


async def test_the_leadership_is_handed_to_the_chosen_one(tmp_path):
    """`transfer-leader` waits until it leads; under load nothing is lost, and a node that cannot lead is refused."""
    async with running(tmp_path, controllers=3, extra=STEADY) as cluster:
        leader = await cluster.leader()
        transfer = ("metadata-quorum", "transfer-leader", "-C", _grpc(cluster), "--to")
        async with under_load(cluster, writers=2) as load:
            await load.grow(10)
            for successor in (node_id for node_id in (1, 2, 3) if node_id != leader):
                assert f"Controller {successor} leads epoch" in await kraftpy(*transfer, str(successor))
                assert await cluster.leader() == successor
                await load.grow(10)
        other = 1 if await cluster.leader() != 1 else 2
        assert f"Could hand the leadership to {other}. Controller" in await kraftpy(*transfer, str(other), "--dry-run")
        assert await cluster.leader() != other
        for question, code in (((), ExitCode.FAILURE), (("--dry-run",), ExitCode.FINDINGS)):
            stated = await kraftpy(*transfer, "7", *question, code=code)
            assert "node 7 is not a voter" in stated
        async with cluster.client() as client:
            assert load.missing(await described(client)) == {}


async def registered(cluster, node_id: int) -> dict[int, Uuid]:
    """The incarnation ids of the controllers that are registered."""
    async with cluster.client(node_id) as client:
        found = await client.describe_cluster(consistency=Consistency.LINEARIZABLE)
    return {one.controller_id: one.incarnation_id for one in found.controllers}


async def test_a_controller_that_restarts_registers_without_another_election(tmp_path):
    """It follows the leader that its disk names; its new process is registered all the same."""
    async with running(tmp_path, controllers=3, extra=STEADY) as cluster:
        leader = await cluster.leader()
        before = await eventually(
            lambda: registered(cluster, leader), lambda found: len(found) == 3, "three controllers are registered"
        )
        follower = next(node_id for node_id in cluster.controller_ids if node_id != leader)
        await cluster.terminate(follower)
        await cluster.start(follower)
        after = await eventually(
            lambda: registered(cluster, leader),
            lambda found: found[follower] != before[follower],
            "the new process is registered",
        )
        others = {node_id: one for node_id, one in before.items() if node_id != follower}
        assert {node_id: one for node_id, one in after.items() if node_id != follower} == others
        assert await cluster.leader() == leader


async def test_a_controller_that_was_removed_is_unregistered(tmp_path):
    """A voter keeps its registration; a removed one loses it for good once its process is gone (KIP-1312)."""
    async with running(
        tmp_path, controllers=2, start=False, extra={"unstable.feature.versions.enable": "true"}
    ) as cluster:
        for node in cluster.sandbox.controllers:
            del node.properties["controller.quorum.voters"]
            configure(node, controller__quorum__bootstrap__servers=everybody(cluster))
        format_words = ("--standalone", "-r", "4.4-IV2", "-t", "4L6g3nShT-eMCtK--X86sw")
        await kraftpy("storage", "format", "-c", str(cluster.node(1).config_file), *format_words)
        await cluster.start(1, 2)
        await cluster.states(2, "after=follower")
        quorum = ("--bootstrap-controllers", everybody(cluster))
        await kraftpy("metadata-quorum", "add-controller", *quorum, "--config", str(cluster.node(2).config_file))
        await eventually(lambda: registered(cluster, 1), lambda found: set(found) == {1, 2}, "both are registered")
        unregister = ("cluster", "unregister-controller", "--id", "2", "-C", cluster.node(1).grpc_endpoint)
        refused = await kraftpy(*unregister, code=ExitCode.FAILURE)
        assert "Cannot unregister controller 2 because it is part of the voter set. (INVALID_REQUEST)" in refused
        await kraftpy("metadata-quorum", "remove-controller", *quorum, "--controller-id", "2")
        await cluster.terminate(2)
        assert await kraftpy(*unregister) == "Controller 2 is no longer registered.\n"
        assert set(await registered(cluster, 1)) == {1}
        again = await kraftpy(*unregister, code=ExitCode.FAILURE)
        assert "Controller ID 2 is not currently registered. (CONTROLLER_ID_NOT_REGISTERED)" in again
        await cluster.start(2)
        await eventually(lambda: registered(cluster, 1), lambda found: set(found) == {1, 2}, "it registers again")
