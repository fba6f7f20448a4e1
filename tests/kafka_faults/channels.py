"""When a stock broker turned to another controller, by its own log.

All channels of a broker to the controllers ask the same thing which one that is; the one for heartbeats asks at its
next heartbeat, the others when they have something to send.
"""

from __future__ import annotations

import re
import time

DAY_S = 24 * 60 * 60.0
_RECORDED = re.compile(
    r"^\[(\d\d):(\d\d):(\d\d\.\d{3})\] INFO Recorded new KRaft controller, from now on will use node \S+ \(id: (\d+) ",
    re.MULTILINE,
)


def seconds_to_next_controller(log: str, lost: int, since: float) -> float | None:
    """Return how long it took a broker to turn to another controller than the lost one.

    Args:
        log: what the broker has logged since the controller was lost; its lines begin with the local time of day.
        lost: the controller's id.
        since: when the controller was lost, by the wall clock (s since 1970).

    Returns:
        Seconds; ``None`` when there is no such line.
    """
    for hours, minutes, seconds, node_id in _RECORDED.findall(log):
        if int(node_id) != lost:
            return (int(hours) * 3_600 + int(minutes) * 60 + float(seconds) - _time_of_day(since)) % DAY_S
    return None


def _time_of_day(moment: float) -> float:
    """Return the seconds since local midnight."""
    local = time.localtime(moment)
    return local.tm_hour * 3_600 + local.tm_min * 60 + local.tm_sec + moment % 1
