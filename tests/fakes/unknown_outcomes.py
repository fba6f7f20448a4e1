"""Writes of a client whose leader may change meanwhile: it does not know their outcome then, and finds it out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from kraftpy.client.async_client import AsyncClient
from kraftpy.client.errors import UnknownOutcomeError
from kraftpy.client.values import TopicsChanged
from kraftpy.model.errors import ErrorCode
from tests.fakes.processes import eventually

ATTEMPTS_MAX: Final = 10
"""How many leaders in a row may leave an outcome unknown: more are a fault of the cluster."""


async def known_errors(
    client: AsyncClient, write: Callable[[], Awaitable[TopicsChanged]], *, when_done: ErrorCode
) -> list[ErrorCode]:
    """Make a write about topics until its outcome is known; return the error of each topic, in order.

    As a user does, it asks again, under a new id, when the leader changed while it waited. ``when_done`` is how the
    next leader rejects a topic for which the first attempt was done: behind an unknown outcome it counts as done, and
    in front of one it is the error that it is. Whether the topics are as they were asked for is read by the caller.

    Raises:
        AssertionError: an outcome was unknown although the leader did not change, or too many times.
    """
    is_unsure = False
    for _ in range(ATTEMPTS_MAX):
        try:
            changed = await write()
        except UnknownOutcomeError as unknown:
            is_unsure = True
            await _leader_changed(client, unknown)
            continue
        errors = [one.error for one in changed.outcomes]
        return [ErrorCode.NONE if is_unsure and one == when_done else one for one in errors]
    raise AssertionError(f"{ATTEMPTS_MAX} attempts, each of an unknown outcome")


async def _leader_changed(client: AsyncClient, unknown: UnknownOutcomeError) -> None:
    """Check that the epoch in which a write was sent is over: nothing else makes an outcome unknown here."""

    async def epoch() -> int:
        return (await client.describe_quorum()).leader_epoch

    sent = unknown.first_sent_epoch
    await eventually(epoch, lambda found: found > sent, f"a later epoch than {sent}: the client said {unknown}")
