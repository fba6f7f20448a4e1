"""Kafka's own workloads on three stock brokers, while our active controller, brokers and the workloads are killed.

``RECORDS`` in the environment is how many are copied: enough that the copiers are not done before the faults are, 40000
on two cores. ``ROUNDS=10`` asks for more faults; ``CONTROLLERS=kafka`` runs them on Kafka's controllers, which shows
whether a failure is one of ours.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from tests.interop.copiers import Copy, Log, complaints, log_of, objects, printed
from tests.interop.stock_tools.servant import Servant
from tests.kafka_faults.world import World

ROUNDS = int(os.environ.get("ROUNDS", "1"))
RECORDS = int(os.environ.get("RECORDS", "0"))
PER_TRANSACTION = 50


@pytest.fixture(scope="module")
def tools(world: World) -> Iterator[Servant]:
    with Servant(world.jars, world.root, world.servers) as made:
        yield made


@pytest.mark.skipif(not RECORDS, reason="by hand: how many records outlast the faults depends on the machine (RECORDS)")
@pytest.mark.timeout(600)
def test_a_copy_has_each_record_once(world: World, tools: Servant) -> None:
    """A transaction of a copier that was killed is lost, or copied by its successor once more.

    Copiers are killed, one of them and the active controller together, and one and a broker that leads together.
    """
    with Copy(world, tools, RECORDS, PER_TRANSACTION) as copy:
        for _ in range(ROUNDS):
            lose_a_copier_and_the_active_controller(world, copy)
            stop_a_copier(copy)
            lose_a_copier_and_a_broker(world, copy)
        copied = copy.finish()
        assert complaints(copy.written, copied) == []
        assert copy.read_again() == copied


def lose_a_copier_and_the_active_controller(world: World, copy: Copy) -> None:
    copy.advances()
    copier, active = copy.copiers[0], world.active()
    copier.process.kill()
    world.kill(active)
    copier.start()
    copy.advances()
    world.quorum.wait_for_leader(other_than=active)
    world.heal()


def stop_a_copier(copy: Copy) -> None:
    copy.advances()
    copier = copy.copiers[1]
    assert copier.process.stop() == 128 + signal.SIGTERM
    copier.start()


def lose_a_copier_and_a_broker(world: World, copy: Copy) -> None:
    copy.advances()
    copier, leader = copy.copiers[1], copy.leader()
    copier.process.kill()
    world.kill(leader)
    copier.start()
    copy.advances()
    world.wait("another broker leads", lambda: copy.leader() not in (-1, leader))
    world.heal()
    world.wait("every replica is in sync again", world.is_whole)


WRITTEN = "\n".join(
    f'{{"name":"producer_send_success","topic":"input","partition":{partition},"offset":{offset},"value":"{value}"}}'
    for partition, offset, value in ((0, 0, "a"), (1, 0, "b"), (0, 1, "c"))
)
COPIED = "Partition:0\tOffset:4\ta\nPartition:1\tOffset:0\tb\nPartition:0\tOffset:7\tc\nPartition:0\tOffset:9\tend\n"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("4\ta", "4\ta", None),
        ("Partition:1\tOffset:0\tb\n", "", "1 records were not copied: b"),
        ("7\tc\n", "7\tc\nPartition:0\tOffset:8\tc\n", "1 records were copied twice: c"),
        ("0\tb\n", "0\tb\nPartition:1\tOffset:1\tx\n", "1 records are no copies: x"),
        ("4\ta", "8\ta", "copies are not in the partition or in the order of their originals"),
        ("Partition:1\tOffset:0\tb", "Partition:0\tOffset:0\tb", "not in the partition"),
    ],
)  # fmt: skip
def test_each_mistake_of_a_copy_is_found(old: str, new: str, complaint: str | None) -> None:
    """What is made wrong in a right copy has its complaint; a right copy has none."""
    assert old in COPIED
    written: Log = log_of(objects(WRITTEN), "producer_send_success", "input")
    found = complaints(written, printed(COPIED.replace(old, new)))
    assert len(found) == (complaint is not None), found
    assert complaint is None or complaint in found[0], found
