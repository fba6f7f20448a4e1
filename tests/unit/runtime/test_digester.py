"""Digests are made in a thread, one at a time, and the newest image is kept until it was judged."""

from __future__ import annotations

import asyncio
import threading

from kraftpy.image import MetadataImage
from kraftpy.image.digest import image_digest
from kraftpy.model.digests import StateDigest
from kraftpy.records.metadata import ConfigRecord
from kraftpy.runtime import state_digest_worker as module
from kraftpy.runtime.state_digest_worker import StateDigestWorker
from tests.unit.image.support import replay, start


def image(value: str, offset: int) -> MetadataImage:
    return replay(*start(), ConfigRecord(16, "m", "metrics", value), offset=offset)


class World:
    def __init__(self) -> None:
        self.made: list[StateDigest] = []
        self.failures: list[BaseException] = []
        self.digester = StateDigestWorker(on_digest=self.made.append, on_failed=self.failures.append)

    async def digest(self, one: MetadataImage) -> StateDigest:
        self.digester.checkpoint(one)
        await self.digester.finish()
        await asyncio.sleep(0)
        return self.made[-1]


async def test_what_is_made_is_reported():
    """The digest of the image comes, with its offset; nothing fails."""
    world = World()
    assert await world.digest(image("x", 7)) == image_digest(image("x", 7))
    assert (world.made[0].end_offset, world.digester.count, world.failures) == (8, 1, [])


async def test_the_newest_image_is_kept_until_it_is_judged():
    """Who has to say what differs finds the image; an agreement on it, or on a later one, lets it go."""
    world = World()
    first, second = image("x", 7), image("y", 9)
    digest = await world.digest(first)
    assert world.digester.image_of(digest) is first
    later = await world.digest(second)
    assert (world.digester.image_of(digest), world.digester.image_of(later)) == (None, second)
    world.digester.agreed(digest)
    assert world.digester.image_of(later) is second
    world.digester.agreed(later)
    assert world.digester.image_of(later) is None


async def test_one_at_a_time(monkeypatch):
    """An image that comes while another one is digested is passed over, and counted."""
    world, may_end = World(), threading.Event()
    honest = module.image_digest

    def slow(one, between):
        may_end.wait(10)
        return honest(one, between)

    monkeypatch.setattr(module, "image_digest", slow)
    world.digester.checkpoint(image("x", 7))
    world.digester.checkpoint(image("y", 9))
    may_end.set()
    await world.digester.finish()
    await asyncio.sleep(0)
    assert ([one.end_offset for one in world.made], world.digester.skipped) == ([8], 1)


async def test_a_node_that_stops_gives_up():
    """The thread ends with the next group, and what it had is not reported."""
    world = World()
    world.digester.checkpoint(image("x", 7))
    world.digester.close()
    await world.digester.finish()
    await asyncio.sleep(0)
    world.digester.checkpoint(image("y", 9))
    assert (world.made, world.failures, world.digester.count) == ([], [], 0)


async def test_a_bug_is_passed_on(monkeypatch):
    """What cannot have happened ends the node, as it would in its turn."""
    world, bug = World(), RuntimeError("a bug")

    def broken(_one, _between):
        raise bug

    monkeypatch.setattr(module, "image_digest", broken)
    world.digester.checkpoint(image("x", 7))
    await world.digester.finish()
    await asyncio.sleep(0)
    assert world.failures == [bug]
