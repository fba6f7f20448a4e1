"""The stricter facts that the final log settles: each violation is reported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.robustness.history import Kind, Operation, Outcome
from tests.robustness.judge import Written, judge
from tests.robustness.linear import Verdict

HISTORY = [
    Operation("w", Kind.WRITE, "k", "1", 0.0, 1.0, Outcome.OK, offset=10, epoch=1),
    Operation("w", Kind.WRITE, "k", "2", 2.0, 3.0, Outcome.OK, offset=12, epoch=1),
    Operation("v", Kind.WRITE, "k", "3", 2.5, None, Outcome.UNKNOWN),
    Operation("r", Kind.READ, "k", "2", 4.0, 5.0, Outcome.OK, offset=13, epoch=1, linearizable=True),
    Operation("r", Kind.READ, "k", "1", 4.0, 5.0, Outcome.OK, offset=11, epoch=1, node="2/77"),
]
LOG = [Written(10, "k", "1"), Written(12, "k", "2")]
AGAIN = Operation("v", Kind.WRITE, "k", "2", 6.0, 7.0, Outcome.OK, offset=13, epoch=1)


def test_a_right_history_is_clean():
    """A read of an old offset is right, as long as it says so; a write of unknown outcome may never have happened."""
    judgement = judge([*HISTORY, AGAIN], LOG)
    assert judgement.is_clean, judgement
    assert judgement.counts == {
        "committed read ok": 1,
        "linearizable read ok": 1,
        "write ok": 3,
        "write that changed nothing": 1,
        "write unknown": 1,
    }
    assert judge([*HISTORY[:3]], [*LOG, Written(14, "k", "3")]).is_clean
    deleted = Operation("w", Kind.WRITE, "k", None, 8.0, 9.0, Outcome.OK, offset=15, epoch=1)
    assert judge([*HISTORY, AGAIN, deleted], [*LOG, Written(15, "k", None)]).is_clean


@pytest.mark.parametrize(
    ("history", "log", "complaint"),
    [
        (HISTORY, LOG[:1], "1 acknowledged writes are lost: k=2 was acknowledged at offset 12; there it says 1"),
        (HISTORY, [LOG[0], Written(12, "k", "9")], "acknowledged writes are lost"),
        (HISTORY, [*LOG, Written(13, "k", "2")], "made up or made twice: k=2, 1 times too often"),
        (HISTORY, [*LOG, Written(9, "x", "7")], "made up or made twice: x=7"),
        (
            [HISTORY[0], replace(HISTORY[1], offset=8)],
            [Written(8, "k", "2"), LOG[0]],
            "offsets do not follow real time: write k=2 at offset 8 began after 10 was acknowledged",
        ),
        # A deposed leader reports its old value.
        (
            [*HISTORY[:2], replace(HISTORY[0], started=6.0, ended=7.0)],
            LOG,
            "offsets do not follow real time: write k=1 at offset 10 began after 12 was acknowledged",
        ),
        (
            [*HISTORY[:2], replace(HISTORY[0], kind=Kind.TRIAL, started=6.0, ended=7.0)],
            LOG,
            "offsets do not follow real time: trial k=1 at offset 10",
        ),
        (
            [*HISTORY[:2], replace(HISTORY[4], linearizable=True)],
            LOG,
            "offsets do not follow real time: read k=1 at offset 11",
        ),
        ([*HISTORY[:3], replace(HISTORY[4], offset=12)], LOG, "k as of offset 12 was read as 1, the log says 2"),
        (
            [*HISTORY[:2], HISTORY[4], replace(HISTORY[4], started=6.0, ended=7.0, offset=10)],
            LOG,
            "reads go back at a process: process 2/77 showed offset 11, and 10 later",
        ),
    ],
)
def test_each_breach_is_reported(history, log, complaint):
    judgement = judge(history, log)
    assert not judgement.is_clean
    assert any(complaint in each for each in judgement.complaints), judgement.complaints


def test_a_stale_linearizable_read_is_impossible():
    """It is right as of its offset, and wrong in real time: by the search alone."""
    stale = replace(HISTORY[4], linearizable=True)
    assert judge([*HISTORY[:2], stale], LOG).verdicts == {"k": Verdict.INVALID}


def test_a_deposed_leader_that_acknowledges_the_present_value_is_impossible():
    """A repeated value, acknowledged after another one was, and a read of the other one: by the search alone."""
    deposed = replace(HISTORY[0], client="x", started=3.5, ended=3.9)
    assert judge([*HISTORY[:2], deposed, HISTORY[3]], LOG).verdicts == {"k": Verdict.INVALID}
