"""Reading when a broker turned to another controller."""

from __future__ import annotations

import time

import pytest

from tests.kafka_faults.channels import seconds_to_next_controller

LINE = (
    "[{at}] INFO Recorded new KRaft controller, from now on will use node 127.0.0.1:33841 (id: {node_id} rack: null "
    "isFenced: false) (NodeToControllerRequestThread)\n"
)


def moment(hours: int, minutes: int, seconds: float) -> float:
    """Return that time of a day, by the wall clock."""
    whole = int(seconds)
    return time.mktime((2026, 11, 27, hours, minutes, whole, 0, 0, -1)) + seconds - whole


def test_the_first_line_about_another_controller_counts() -> None:
    log = LINE.format(at="17:19:16.000", node_id=2) + LINE.format(at="17:19:16.250", node_id=3)
    log += LINE.format(at="17:19:17.000", node_id=3)
    assert seconds_to_next_controller(log, 2, moment(17, 19, 15.75)) == pytest.approx(0.5)


def test_the_lost_controller_and_other_lines_are_not_counted() -> None:
    log = LINE.format(at="17:19:16.000", node_id=2) + "[17:19:16.100] INFO Something else (id: 3 rack) (Other)\n"
    assert seconds_to_next_controller(log, 2, moment(17, 19, 15)) is None


def test_midnight_may_pass_meanwhile() -> None:
    log = LINE.format(at="00:00:00.125", node_id=1)
    assert seconds_to_next_controller(log, 2, moment(23, 59, 59.875)) == pytest.approx(0.25)
