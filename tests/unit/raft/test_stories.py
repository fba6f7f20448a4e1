"""About the scenarios themselves: every kind of event occurs in one of them, and they are stable."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from kraftpy.raft.ready import Event
from tests.scenarios.conftest import SEPARATOR, run_block
from tests.scenarios.world import World

STORIES = sorted((Path(__file__).parents[2] / "scenarios").glob("*.txt"))


def kinds_reported() -> set[type[Event]]:
    kinds: set[type[Event]] = set()
    for path in STORIES:
        world = World()
        for block in path.read_text().strip().split("\n\n"):
            head, separator, _ = block.partition(SEPARATOR)
            if separator:
                run_block(world, head)
        kinds |= set(world.kinds)
    return kinds


def test_every_event_appears_in_a_story() -> None:
    """An event that no scenario shows is untested."""
    assert set(get_args(Event)) - kinds_reported() == set()
