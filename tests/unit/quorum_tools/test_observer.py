"""An observer of a kraftpy quorum: it copies every byte, shows every record once, and remembers whose copy it keeps."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kraftpy.model.errors import ConfigError
from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.access import PLAINTEXT
from kraftpy.quorum_tools.observer import CopyIdentity, ObservedRecord, Observer, find_controllers
from kraftpy.raft.ready import Role
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.meta_properties import MetaProperties, read_meta_properties, write_meta_properties
from tests.requirements.nodes import Lab, Running, file_of, lab, until
from tests.unit.controller.worlds import set_configs

BROKER = 4
"""The resource type of a broker's configs; the empty name means all brokers."""


def endpoints_of(voters: str) -> tuple[Endpoint, ...]:
    hosts = (each.partition("@")[2].split(":") for each in voters.split(","))
    return tuple(Endpoint("CONTROLLER", host, int(port)) for host, port in hosts)


class Watching:
    """An observer that runs, and what it said."""

    def __init__(self, directory: Path, voters: str, cluster_id: str | None) -> None:
        self.shown: list[ObservedRecord] = []
        self.reported: list[str] = []
        self.observer = Observer(
            directory=str(directory),
            controllers=endpoints_of(voters),
            cluster_id=cluster_id,
            show=self.shown.append,
            report=self.reported.append,
        )

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Watching]:
        task = asyncio.get_running_loop().create_task(self.observer.run())
        try:
            yield self
        finally:
            self.observer.stop()
            await task

    def end(self) -> int:
        return self.observer.narrator.next_offset


async def start(one: Lab) -> tuple[str, Running]:
    voters = one.quorum(1)
    node = one.start(one.controller(voters))
    await until(lambda: node.leads and node.cluster_id is not None, "the controller is active")
    return voters, node


async def test_it_copies_and_shows_everything_once(tmp_path: Path) -> None:
    """Two runs of an observer together show every record once, keep the leader's bytes, and never take part."""
    async with lab(tmp_path / "lab") as one:
        (tmp_path / "lab").mkdir(exist_ok=True)
        voters, node = await start(one)
        cluster_id, complaints = await find_controllers(endpoints_of(voters), access=PLAINTEXT, timeout_s=5)
        assert (cluster_id, complaints) == (node.cluster_id, [])
        shown: list[ObservedRecord] = []
        for value in range(2):
            watching = Watching(tmp_path / "copy", voters, cluster_id)
            async with watching.running():
                await node.submit(set_configs(BROKER, "", ("max.connections", str(value))))
                await until(lambda w=watching: w.end() == node.node.replica.high_watermark, "all of it was shown")
                log = watching.observer.driver.directory.log
                assert log.read(0, 1 << 20, log.end_offset) == b"".join(batch.data for batch in node.batches())
                assert watching.observer.replica.role is Role.FOLLOWER
            shown += watching.shown
        assert [record.offset for record in shown] == list(range(len(shown)))
        assert [record.data["data"]["value"] for record in shown if record.data["type"] == "CONFIG_RECORD"] == [
            "0",
            "1",
        ]
        quorum = await node.node.backend.describe_quorum()
        assert quorum.observers == (), "the leader keeps no progress for who has no node id"
        assert file_of(tmp_path / "copy") == {"version": "2", "cluster.id": node.cluster_id}


async def test_it_learns_the_cluster_from_the_log(tmp_path: Path) -> None:
    """Where no host says of which cluster it is, the log does, and the copy remembers it."""
    async with lab(tmp_path / "lab") as one:
        (tmp_path / "lab").mkdir(exist_ok=True)
        voters, node = await start(one)
        async with Watching(tmp_path / "copy", voters, None).running():
            await until(lambda: file_of(tmp_path / "copy").get("cluster.id") == node.cluster_id, "the id is written")


def identity(directory: Path) -> CopyIdentity:
    return CopyIdentity(RealFileSystem(), str(directory))


def test_a_copy_belongs_to_one_cluster(tmp_path: Path) -> None:
    """A copy of one cluster refuses another, whether a host or the log names it."""
    identity(tmp_path).check("first")
    identity(tmp_path).check(None)
    identity(tmp_path).check("first")
    with pytest.raises(ConfigError, match="the copy is of cluster first, but the quorum is of cluster second"):
        identity(tmp_path).check("second")
    known = identity(tmp_path)
    known.check(None)
    with pytest.raises(ConfigError, match="the copy is of cluster first"):
        known.learn("second")
    found = read_meta_properties(RealFileSystem(), str(tmp_path))
    assert found == MetaProperties(cluster_id="first")


def test_a_copy_does_not_move_in_with_a_node(tmp_path: Path) -> None:
    """A node's directory is not overwritten by an observer, and a log of unknown origin is not continued."""
    node, stray = tmp_path / "node", tmp_path / "stray"
    node.mkdir()
    write_meta_properties(RealFileSystem(), str(node), MetaProperties(node_id=3, cluster_id="first"))
    with pytest.raises(ConfigError, match="the directory belongs to node 3"):
        identity(node).check("first")
    (stray / "__cluster_metadata-0").mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"no meta\.properties that names its cluster"):
        identity(stray).check("first")


def test_a_copy_does_not_move_in_with_strange_files(tmp_path: Path) -> None:
    """A directory of something else stays as it is; a lock alone, or half an identity, is no content."""
    foreign, killed = tmp_path / "photos", tmp_path / "killed"
    foreign.mkdir()
    (foreign / "ü.jpg").write_bytes(b"x")
    with pytest.raises(ConfigError, match=r"photos is not empty \(it holds 'ü.jpg'\).*name an empty or new directory"):
        Watching(foreign, "1@127.0.0.1:1", "first")
    assert [path.name for path in foreign.iterdir()] == ["ü.jpg"]
    killed.mkdir()
    (killed / ".lock").touch()
    (killed / "meta.properties.tmp").touch()
    identity(killed).check("first")
    assert read_meta_properties(RealFileSystem(), str(killed)) == MetaProperties(cluster_id="first")
