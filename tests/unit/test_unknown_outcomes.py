"""A write whose outcome a change of leader leaves unknown is made again, and no other fault is hidden by that."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kraftpy.client.errors import UnknownOutcomeError
from kraftpy.model.errors import ErrorCode
from tests.fakes import unknown_outcomes
from tests.fakes.unknown_outcomes import ATTEMPTS_MAX, known_errors

EXISTS = ErrorCode.TOPIC_ALREADY_EXISTS


class Quorum:
    """A client and its cluster: gives what each attempt of a write is to end with, in epochs that follow each other."""

    def __init__(self, *ends: object, epochs: range = range(6, 100)) -> None:
        self._ends = iter(ends)
        self._epochs = iter(epochs)

    async def write(self) -> object:
        end = next(self._ends)
        if end == "unknown":
            raise UnknownOutcomeError("sent to h:1: deposed", b"i" * 16, first_sent_epoch=5)
        return SimpleNamespace(outcomes=[SimpleNamespace(error=one) for one in end])

    async def describe_quorum(self) -> object:
        return SimpleNamespace(leader_epoch=next(self._epochs))


@pytest.mark.parametrize(
    ("ends", "errors"),
    [
        ([[ErrorCode.NONE, EXISTS]], [ErrorCode.NONE, EXISTS]),
        (["unknown", [ErrorCode.NONE, ErrorCode.NONE]], [ErrorCode.NONE, ErrorCode.NONE]),
        (["unknown", [EXISTS, ErrorCode.INVALID_TOPIC_EXCEPTION]], [ErrorCode.NONE, ErrorCode.INVALID_TOPIC_EXCEPTION]),
        (["unknown", "unknown", [EXISTS]], [ErrorCode.NONE]),
    ],
)
async def test_what_an_earlier_attempt_did_counts_as_done(ends, errors):
    """A topic that is there before the first attempt is an error, and is one of the write's own behind an unknown."""
    quorum = Quorum(*ends)
    assert await known_errors(quorum, quorum.write, when_done=EXISTS) == errors


async def test_an_unknown_outcome_under_one_leader_is_a_fault(monkeypatch):
    """The client would not know what its leader did although that leads on."""

    async def never(probe, until, what):
        assert until(await probe()), what

    monkeypatch.setattr(unknown_outcomes, "eventually", never)
    quorum = Quorum("unknown", [ErrorCode.NONE], epochs=range(5, 6))
    with pytest.raises(AssertionError, match="a later epoch than 5: the client said sent to h:1: deposed"):
        await known_errors(quorum, quorum.write, when_done=EXISTS)


async def test_leaders_that_change_for_ever_are_a_fault():
    """A cluster that comes to no end would hold the test up."""
    quorum = Quorum(*["unknown"] * ATTEMPTS_MAX)
    with pytest.raises(AssertionError, match=f"{ATTEMPTS_MAX} attempts"):
        await known_errors(quorum, quorum.write, when_done=EXISTS)
