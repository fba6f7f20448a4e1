"""The two controllers that are judged: one JVM with Kafka's, one process with ours."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from kraftpy.config.authorization import AUTHORIZER, STANDARD, SUPER_USERS
from tests.interop.cluster import Quorum
from tests.interop.differential.judge import Judge
from tests.interop.differential.side import Side
from tests.interop.jars import Jars

EXTRA: Final = {
    "broker.session.timeout.ms": "86400000",
    "auto.leader.rebalance.enable": "false",
    "metadata.max.idle.interval.ms": "0",
    "controller.quorum.append.linger.ms": "0",
    "remote.log.storage.system.enable": "true",
    "log.local.retention.ms": "600000",
    "group.consumer.max.heartbeat.interval.ms": "60000",
    AUTHORIZER: STANDARD,
    SUPER_USERS: "User:ANONYMOUS",
}
"""Nothing happens by itself: no session ends, no leader moves back, nothing is written when nothing is asked. What
configs of topics and groups are judged by is not all Kafka's default."""


MEMORY: Final = Path("/dev/shm")
"""Linux's file system in memory: what is judged here is what both decide, not what their disks keep."""


@contextmanager
def running(jars: Jars) -> Iterator[Judge]:
    """Run both, and end both; their directories are in memory where there is a place for them."""
    with ExitStack() as stack:
        place = MEMORY if os.access(MEMORY, os.W_OK) else None
        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="differential-", dir=place)))
        quorums = [
            stack.enter_context(Quorum(jars, root / name, **{name: (1,)}, extra=EXTRA)) for name in ("kafka", "ours")
        ]
        for quorum in quorums:
            quorum.format_and_start()
        sides = []
        for quorum in quorums:
            quorum.wait_for_leader()
            sides.append(stack.enter_context(Side(quorum.members[1], quorum.addresses[1])))
            sides[-1].become_ready()
        yield Judge(*sides)
