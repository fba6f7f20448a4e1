"""A node that diverged is started again, with what it had in memory, and not for ever."""

from __future__ import annotations

import gc
import sys
import weakref
from types import SimpleNamespace

import pytest

from kraftpy.cli import run
from kraftpy.cli.errors import CommandError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.image import EMPTY
from kraftpy.model.digests import StateDigest
from kraftpy.model.errors import StorageError
from kraftpy.model.replica_status import Divergence
from kraftpy.node import logs, supervisor
from kraftpy.node.divergence import StateDivergedError
from kraftpy.node.supervisor import RESTARTS_MAX, run_node

NAMED = SimpleNamespace(has_node_id=True)
"""The configuration of a node with an id."""


def diverged(*, again: bool = False) -> StateDivergedError:
    own, agreed = (StateDigest(7, bytes([1, each]) + bytes(14)) for each in (1, 2))
    return StateDivergedError(Divergence(own, agreed, is_refetched=again), EMPTY)


@pytest.fixture
def histories(monkeypatch):
    """The outcomes of one node after the other; each records the state that it was given to examine."""

    class Histories:
        def __init__(self):
            self.ends = []
            self.suspects = []
            self.asked_to_stop = False

    found = Histories()

    class ScriptedNode:
        settings = SimpleNamespace()

        def __init__(self, config, *, fs, suspect, incarnation_id):
            assert config.has_node_id
            assert (fs, incarnation_id) == (None, None)
            found.suspects.append(suspect)
            self.was_asked_to_stop = found.asked_to_stop

        def request_stop(self):
            """Only signals ask for it."""

        def reload_certificates(self):
            """Likewise."""

        async def run(self):
            end = found.ends.pop(0)
            if end is not None:
                raise end

    monkeypatch.setattr(supervisor, "Node", ScriptedNode)
    return found


async def test_it_comes_back_with_what_it_had(histories):
    """The next node is logged before it runs, and examines the state of the one before."""
    histories.ends = [diverged(), None]
    began = []
    await run_node(NAMED, began.append)
    assert (histories.suspects, len(began)) == ([None, EMPTY], 2)


async def test_what_it_had_is_let_go_of_while_it_runs_again(histories, monkeypatch):
    """A state may be as large as all that the node needs."""

    class State:
        pass

    end = diverged()
    end.suspect = State()
    examined = weakref.ref(end.suspect)
    ends = [end]
    del end
    kept = []

    class Node(supervisor.Node):
        def __init__(self, config, *, fs, suspect, incarnation_id):
            super().__init__(config, fs=fs, suspect=None, incarnation_id=incarnation_id)
            kept.append(suspect is not None)

        async def run(self):
            if ends:
                raise ends.pop()
            gc.collect()
            kept.append(examined() is not None)

    monkeypatch.setattr(supervisor, "Node", Node)
    await run_node(NAMED, lambda _: None)
    assert kept == [False, True, False]


async def test_it_does_not_come_back_for_ever(histories):
    """A memory that is wrong again and again is not helped by starting again."""
    histories.ends = [diverged() for _ in range(RESTARTS_MAX + 5)]
    with pytest.raises(StateDivergedError):
        await run_node(NAMED, lambda _: None)
    assert len(histories.suspects) == RESTARTS_MAX + 1


@pytest.mark.parametrize("end", [diverged(again=True), StorageError("the disk said no")])
async def test_what_starting_again_does_not_help_ends_it(histories, end):
    """One that diverged although everything was fetched again, and any other failure, ends the process."""
    histories.ends = [end]
    with pytest.raises(type(end)):
        await run_node(NAMED, lambda _: None)
    assert histories.suspects == [None]


async def test_who_was_asked_to_stop_does_not_come_back(histories):
    """The signal came while a node that had fenced itself was ending: it would not be sent again."""
    histories.ends, histories.asked_to_stop = [diverged(), None], True
    with pytest.raises(StateDivergedError):
        await run_node(NAMED, lambda _: None)
    assert histories.suspects == [None]


def test_the_exit_code_shows_that_starting_again_does_not_help(histories, monkeypatch):
    """The exit code distinguishes it from transient failures for the process supervisor."""
    histories.ends = [diverged(again=True)]
    monkeypatch.setattr(logs, "configure_logging", lambda **_: None)
    monkeypatch.setattr(sys, "setswitchinterval", lambda _: None)
    monkeypatch.setattr(gc, "set_threshold", lambda _: None)
    # What was imported is frozen before there is a node, whose objects must not be.
    monkeypatch.setattr(gc, "freeze", lambda: histories.suspects.append("frozen"))
    with pytest.raises(CommandError, match="again, although everything was fetched again") as ended:
        run._run(lambda: SimpleNamespace(log_level="INFO", log_format="text", node_id=1, has_node_id=True))
    assert ended.value.code is ExitCode.FINDINGS
    assert histories.suspects == ["frozen", None]
