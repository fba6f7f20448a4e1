"""What a node does when its state digest differs from the majority's, and when it agrees again."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from kraftpy.model.digests import DIGEST_BYTES, StateDigest
from kraftpy.model.errors import StorageError
from kraftpy.model.replica_status import Divergence
from kraftpy.model.voters import ReplicaKey
from kraftpy.node import state_guard
from kraftpy.node.state_guard import StateGuard
from kraftpy.raft.ready import StateDigestMismatch
from kraftpy.storage.replica_status import ReplicaStatusFile
from tests.fakes.filesystem import SimulatedFileSystem
from tests.unit.storage.logs import DIRECTORY, disk

OWN, MAJORITY = StateDigest(8, b"o" * DIGEST_BYTES), StateDigest(8, b"m" * DIGEST_BYTES)
EVENT = StateDigestMismatch(ReplicaKey(1), OWN, MAJORITY, 2)


class World:
    """A guard, and what it does to its node, in order."""

    def __init__(self, noted: Divergence | None = None) -> None:
        self.fs = disk()
        self.fs.make_directory(DIRECTORY)
        if noted is not None:
            self.status().write_divergence(noted)
        self.done: list[tuple[str, object]] = []
        self.is_stopping = False
        lane = SimpleNamespace(put=lambda job, then: then(job()))
        self.guard = StateGuard(
            self.fs,
            SimpleNamespace(directory=SimpleNamespace(path=DIRECTORY, status=self.status()), lane=lane),
            on_diverged=lambda error: self.done.append(("fenced", error)),
            on_end=lambda error: self.done.append(("ended", error)),
            on_failed=lambda error: self.done.append(("failed", error)),
            is_stopping=lambda: self.is_stopping,
        )

    def status(self) -> ReplicaStatusFile:
        return ReplicaStatusFile.read(self.fs, DIRECTORY)

    @property
    def noted(self) -> Divergence | None:
        return self.status().value.divergence

    async def agree(self) -> None:
        """Hear that a majority has this node's state, and let what follows be done."""
        self.guard.agreed(OWN)
        if self.guard._comparison is not None:
            await asyncio.wait([self.guard._comparison])
            await asyncio.sleep(0)


def test_a_node_whose_state_is_wrong_answers_no_request_before_it_ends_once():
    """A second report while it ends starts no second end; the note is left when the directory is closed."""
    world = World()
    world.guard.diverged(EVENT)
    world.guard.diverged(EVENT)
    error = world.guard.fenced
    assert world.done == [("fenced", error), ("ended", error)]
    assert world.noted is None, "the directory is still in use"
    world.guard.note_for_next_start()
    assert world.noted == Divergence(OWN, MAJORITY, is_refetched=False)


@pytest.mark.parametrize("is_refetched", [False, True])
def test_a_state_that_is_wrong_again_is_final_if_everything_was_fetched_again(is_refetched):
    world = World(Divergence(OWN, MAJORITY, is_refetched=is_refetched))
    world.guard.diverged(EVENT)
    assert world.guard.fenced.is_final is is_refetched


def test_a_node_that_ends_in_order_leaves_no_note():
    world = World()
    world.guard.note_for_next_start()
    assert world.noted is None


@pytest.mark.parametrize("wrong", ["one setting", None])
async def test_a_majority_that_agrees_with_what_was_fetched_again_ends_it(monkeypatch, wrong):
    """What was wrong is said, if it can be found out, and the note goes."""

    def what_was_wrong(_: SimulatedFileSystem, __: str) -> str:
        if wrong is None:
            raise StorageError("it is gone")
        return wrong

    monkeypatch.setattr(state_guard, "what_was_wrong", what_was_wrong)
    world = World(Divergence(OWN, MAJORITY, is_refetched=True))
    await world.agree()
    assert (world.noted, world.done) == (None, [])


async def test_a_majority_that_agrees_with_the_log_of_before_ends_nothing():
    """Until everything was fetched again the note keeps what to do if the same state comes to be wrong again."""
    noted = Divergence(OWN, MAJORITY, is_refetched=False)
    world = World(noted)
    await world.agree()
    assert world.noted == noted


async def test_a_node_that_stops_meanwhile_leaves_the_note(monkeypatch):
    """Its lane is closed then, and the next start compares again."""
    monkeypatch.setattr(state_guard, "what_was_wrong", lambda *_: "one setting")
    noted = Divergence(OWN, MAJORITY, is_refetched=True)
    world = World(noted)
    world.is_stopping = True
    await world.agree()
    assert world.noted == noted


async def test_a_defect_of_the_comparison_is_passed_on(monkeypatch):
    def what_was_wrong(*_: object) -> str:
        raise KeyError("defect")

    monkeypatch.setattr(state_guard, "what_was_wrong", what_was_wrong)
    world = World(Divergence(OWN, MAJORITY, is_refetched=True))
    await world.agree()
    assert [what for what, _ in world.done] == ["failed"]
    assert world.noted is not None
