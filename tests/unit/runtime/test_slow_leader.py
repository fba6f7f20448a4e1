"""Three whole controllers, of which the leader's disk is slow: it hands over where the others are faster."""

from __future__ import annotations

from kraftpy.runtime.leader_handover import LeaderHandover, SlowDiskHandover
from kraftpy.runtime.slow_disk import WINDOW_MS
from kraftpy.transport.node_api import Committed, WriteRequest
from tests.unit.controller.worlds import set_configs
from tests.unit.runtime.trio import Trio

FLUSH_MS = 400
ROUNDS = WINDOW_MS // FLUSH_MS + 2


def flush(node):
    """Let the disk of a node do what it is at."""
    jobs = node.lane.handed_over
    if jobs and not jobs[-1].done():
        jobs[-1].run()


class SlowTrio(Trio):
    """The nodes, one of them elected, and what may hand over there.

    Attributes:
        leader_id: of the one that was elected.
        handover: away from it.
    """

    def __init__(self):
        super().__init__()
        self.leader_id = self.elect()
        driver = self.nodes[self.leader_id].driver
        self.handover = LeaderHandover(driver.replica)
        SlowDiskHandover(driver, self.handover)

    def slow_down(self, *node_ids):
        for node_id in node_ids:
            self.nodes[node_id].lane.slow = True
            self.nodes[node_id].lane.last_ms = float(FLUSH_MS)

    def pass_time(self, ms):
        until_ms = self.clock.value + ms
        self.run(lambda: self.clock.value >= until_ms)

    def flush_all(self, node_id):
        """Let the disk of a node do all that it is asked for: the recovery point is written, too."""
        node = self.nodes[node_id]
        while not node.lane.idle:
            flush(node)
            self.turns()

    def write_one(self, *flushed):
        """Have a write decided, and let these disks do their work after a while, in this order."""
        answers = self.write(self.leader_id, WriteRequest(set_configs(4, "", ("log.cleaner.threads", "7"))))
        self.pass_time(FLUSH_MS)
        for node_id in flushed:
            self.flush_all(node_id)
        self.pass_time(50)
        return answers


def test_a_leader_whose_disk_is_the_slowest_hands_over():
    """After the window, to a follower; every write until then is committed by the others' copies."""
    trio = SlowTrio()
    trio.slow_down(trio.leader_id)
    for _ in range(ROUNDS):
        if trio.handover.count:
            break
        (answer,) = trio.write_one(trio.leader_id)
        assert isinstance(answer, Committed)
    assert trio.handover.count == 1

    def another_leads():
        flush(trio.nodes[trio.leader_id])
        now = trio.leader()
        return now is not None and now.replica.key.node_id != trio.leader_id

    trio.run(another_leads)
    assert not trio.leads(trio.leader_id)


def test_a_leader_whose_followers_are_no_faster_leads_on():
    """Its commits wait for the disk of a follower, which would be no better leader."""
    trio = SlowTrio()
    others = [one for one in trio.nodes if one != trio.leader_id]
    trio.slow_down(*trio.nodes)
    for _ in range(ROUNDS):
        trio.write_one(trio.leader_id, *others)
    assert trio.handover.count == 0
    assert trio.leads(trio.leader_id)
