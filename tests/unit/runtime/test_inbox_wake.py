"""A wake is never lost, whenever it comes."""

from __future__ import annotations

import asyncio

from kraftpy.runtime.inbox import Inbox

FOR_EVER_MS = 60_000


async def test_a_wake_that_comes_before_the_wait_ends_it():
    """A flush may end between two turns, when there is no waiter yet: the next wait returns at once."""
    inbox = Inbox()
    inbox.wake()
    async with asyncio.timeout(5):
        await inbox.wait(FOR_EVER_MS)


async def test_a_wake_counts_once():
    """After one early return the next wait waits: a kept wake does not make the driver spin."""
    inbox = Inbox()
    inbox.wake()
    await inbox.wait(FOR_EVER_MS)
    waiting = asyncio.ensure_future(inbox.wait(FOR_EVER_MS))
    await asyncio.sleep(0)
    assert not waiting.done()
    inbox.wake()
    async with asyncio.timeout(5):
        await waiting
