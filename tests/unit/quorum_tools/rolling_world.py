"""A cluster in memory whose nodes are restarted, die, lag and lead, as a roll looks at it."""

from __future__ import annotations

from dataclasses import replace

from kraftpy.quorum_tools.ok_to_stop import LAG_MAX, SILENT_MS
from kraftpy.quorum_tools.rolling import RollPlan, RollView, next_roll_step, ordered_nodes
from tests.unit.doctor.worlds import NOW_MS, broker, controller, members, quorum, replica, topics, uuid

LOOK_MS = 2_000
"""How much later than ``before`` a view is, by the leader's clock."""


class World:
    """A cluster whose nodes can be restarted, stopped and set back; node ids below 100 are controllers."""

    def __init__(self, *, voters=(1, 2, 3), observers=(), brokers=(101, 102, 103), racks=None, parts=(), min_isr=2):
        self.voters, self.observers, self.brokers = voters, observers, brokers
        self.racks = racks or {}
        self.parts, self.min_isr = parts, min_isr
        self.leader, self.epoch = 1, 4
        self.restarts = dict.fromkeys((*voters, *observers, *brokers), 0)
        self.down: set[int] = set()
        self.lag: dict[int, int] = {}
        self.now_ms = NOW_MS

    def restart(self, node_id):
        self.restarts[node_id] += 1
        self.down.discard(node_id)

    def befall(self, event, node_id):
        """Let something happen to a node, if it can."""
        match event:
            case "dies" if node_id != self.leader:
                self.down.add(node_id)
            case "returns":
                self.down.discard(node_id)
            case "lead" if node_id in self.voters and node_id not in self.down:
                self.leader, self.epoch = node_id, self.epoch + 1
                self.lag.pop(node_id, None)
            case "lags" if node_id != self.leader:
                self.lag[node_id] = LAG_MAX + 1
            case "catches up":
                self.lag.pop(node_id, None)
            case _:
                pass

    def _row(self, node_id):
        """A node that runs has just fetched; one that does not was there long ago."""
        at_ms = self.now_ms if node_id not in self.down else NOW_MS - SILENT_MS - LOOK_MS
        row = replica(node_id, lag=self.lag.get(node_id, 0))
        return replace(row, last_fetch_ms=at_ms)

    def view(self):
        self.now_ms += LOOK_MS
        incarnation = {one: uuid(one + 1_000 * count) for one, count in self.restarts.items()}
        cluster = members(
            brokers=[
                broker(one, incarnation_id=incarnation[one], fenced=one in self.down, rack=self.racks.get(one))
                for one in self.brokers
            ],
            controllers=[controller(one, incarnation_id=incarnation[one]) for one in (*self.voters, *self.observers)],
        ).known
        only_brokers = [one for one in self.brokers if one not in self.voters]
        found = quorum(
            *map(self._row, self.voters),
            observers=tuple(map(self._row, (*self.observers, *only_brokers))),
            leader_id=self.leader,
            leader_epoch=self.epoch,
        ).known
        made = [replace(one, min_insync_replicas=self.min_isr) for one in topics(*self.parts).known.topics]
        return RollView(cluster=cluster, quorum=found, topics=made)

    def plan(self, **changes):
        view = self.view()
        return RollPlan(cluster_id="abc", created_ms=NOW_MS, nodes=ordered_nodes(view), **changes)

    def step(self, plan, in_flight=None):
        before = self.view()
        return next_roll_step(plan, self.view(), before, in_flight=in_flight)
