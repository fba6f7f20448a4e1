"""The stricter facts that the final log settles: each way of breaking one is told."""

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
    Operation("r", Kind.READ, "k", "2", 4.0, 5.0, Outcome.OK, offset=13, epoch=1, confirmed=True),
    Operation("r", Kind.READ, "k", "1", 4.0, 5.0, Outcome.OK, offset=11, epoch=1),
]
LOG = [Written(10, "k", "1"), Written(12, "k", "2")]


def test_a_right_history_is_clean():
    """A read of an old offset is right, as long as it says so; a write of unknown outcome may never have happened."""
    judgement = judge(HISTORY, LOG)
    assert judgement.is_clean
    assert judgement.counts == {"read ok": 1, "read ok confirmed": 1, "write ok": 2, "write unknown": 1}
    assert judge([*HISTORY[:3]], [*LOG, Written(14, "k", "3")]).is_clean


@pytest.mark.parametrize(
    ("history", "log", "complaint"),
    [
        (HISTORY, LOG[:1], "1 acknowledged writes are lost: k=2 was acknowledged at offset 12"),
        (HISTORY, [LOG[0], Written(12, "k", "9")], "acknowledged writes are lost"),
        (HISTORY, [*LOG, Written(13, "k", "2")], "made up or made twice: k=2 stands in the log 2 times"),
        (HISTORY, [*LOG, Written(9, "x", "7")], "made up or made twice: x=7"),
        (
            [HISTORY[0], replace(HISTORY[1], offset=8)],
            [Written(8, "k", "2"), LOG[0]],
            "offsets do not follow real time: k=2 at offset 8 began after 10 was acknowledged",
        ),
        ([*HISTORY[:3], replace(HISTORY[4], offset=12)], LOG, "k as of offset 12 was read as 1, the log says 2"),
    ],
)
def test_each_breach_is_told(history, log, complaint):
    judgement = judge(history, log)
    assert not judgement.is_clean
    assert any(complaint in each for each in judgement.complaints), judgement.complaints


def test_a_stale_read_that_its_leader_vouched_for_is_impossible():
    """It is right as of its offset, and wrong in real time."""
    stale = replace(HISTORY[4], confirmed=True)
    judgement = judge([*HISTORY[:2], stale], LOG)
    assert judgement.complaints == []
    assert judgement.verdicts == {"k": Verdict.INVALID}
    assert not judgement.is_clean
