"""How many turns a second of CPU time the driver takes, with a disk that costs nothing.

*append* is one batch a turn, appended, synced and committed by the only voter; *answer* only answers a peer.

Run: python bench/micro_driver.py [turns]
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet
from kraftpy.raft.config import Identity, RaftConfig, RecoveredState
from kraftpy.raft.messages import DescribeQuorumRequest
from kraftpy.raft.ready import Event, RequestReceived, Role, Send
from kraftpy.raft.replica import Replica
from kraftpy.runtime import disk_executor
from kraftpy.runtime.driver import Driver
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import RealFile, RealFileSystem

ROUNDS = 5
SHARED_MEMORY = Path("/dev/shm")
RECORD = bytes(256)


class UnsyncedFileSystem(RealFileSystem):
    """The real files without the wait for the disk."""

    __slots__ = ()

    def sync_directory(self, path: str) -> None:
        pass


class NoPeers:
    """No peers."""

    def send(self, message: Send) -> None:
        pass

    def flush(self) -> None:
        pass


class Nothing:
    """An application that does nothing."""

    def before_ready(self, now_ms: int) -> None:
        pass

    def on_event(self, event: Event) -> None:
        pass

    def on_commit(self, now_ms: int) -> None:
        pass

    def has_backlog(self) -> bool:
        return False

    def next_deadline_ms(self) -> None:
        return None


class Clock:
    """Time moves with the turns."""

    def __init__(self) -> None:
        self.value = 1_700_000_000_000

    def now_ms(self) -> int:
        return self.value


class NoJitter:
    def below(self, bound: int) -> int:
        return bound - bound


def lone_leader(root: str) -> tuple[Driver, Clock]:
    clock = Clock()
    directory = MetadataDirectory.open(UnsyncedFileSystem(), root, LogConfig(), random.Random(1).randbytes)
    endpoint = Endpoint("CONTROLLER", "h", 1)
    replica = Replica(
        config=RaftConfig(
            static_voters=VoterSet.of([Voter(ReplicaKey(1, None), (endpoint,), 0, 1)]), own_endpoints=(endpoint,)
        ),
        identity=Identity(key=ReplicaKey(1, b"d" * 16), cluster_id="c"),
        recovered=RecoveredState(election_state=directory.election, log_start_offset=0, log_end_offset=0),
        jitter=NoJitter(),
        now_ms=clock.now_ms(),
    )
    driver = Driver(replica=replica, directory=directory, clock=clock)
    driver.attach(NoPeers())
    driver.application = Nothing()
    while replica.role is not Role.LEADER:
        clock.value += 100
        driver.turn(clock.value)
    return driver, clock


def turns_per_s(turns: int, turn: Callable[[], None]) -> float:
    began = time.process_time()
    for _ in range(turns):
        turn()
    return turns / (time.process_time() - began)


def measure(root: str, turns: int) -> tuple[float, float]:
    driver, clock = lone_leader(root)
    epoch = driver.replica.epoch

    def append() -> None:
        driver.replica.propose(clock.value, epoch, [RECORD])
        driver.turn(clock.value)

    def answer() -> None:
        driver.deliver(RequestReceived(1, DescribeQuorumRequest()))
        driver.turn(clock.value)

    rates = turns_per_s(turns, append), turns_per_s(turns, answer)
    assert driver.replica.high_watermark == driver.replica.log_end_offset
    driver.close()
    return rates


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    RealFile.sync = lambda _: None
    # A busy machine's hiccup is not to be taken for a slow disk.
    disk_executor.SLOW_JOB_MS = sys.maxsize
    best = (0.0, 0.0)
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(dir=SHARED_MEMORY if SHARED_MEMORY.is_dir() else None) as root:
            best = tuple(map(max, best, measure(root, turns)))
    for name, rate in zip(("append", "answer"), best, strict=True):
        print(f"{name:8} {rate:10,.0f} turns/s of CPU time")


if __name__ == "__main__":
    main()
