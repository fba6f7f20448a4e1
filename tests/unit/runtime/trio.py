"""Three whole controllers in memory: real replicas, drivers and hosts, a network that can be cut, one clock."""

from __future__ import annotations

from itertools import count

from kraftpy.model.consistency import Consistency
from kraftpy.raft.messages import BeginQuorumEpochRequest
from kraftpy.raft.ready import Failure, RequestFailed, RequestReceived, ResponseReceived, Role
from kraftpy.transport.node_api import ReadAt
from tests.unit.runtime.parts import LoneController, ManualClock, disk

STEP_MS = 5
TURNS_MAX = 200

LINEARIZABLE = ReadAt(Consistency.LINEARIZABLE)


class _Port:
    """One node's way to the others."""

    def __init__(self, trio, node_id):
        self._trio, self._node_id = trio, node_id

    def send(self, message):
        self._trio.send(self._node_id, message)

    def reply(self, token, response):
        self._trio.reply(self._node_id, token, response)

    def room_for(self, token):
        return None

    def flush(self):
        """Whatever is sent here is on its way already."""


class Trio:
    """Nodes 1, 2 and 3.

    Attributes:
        cut: nodes that are partitioned from all others; their requests time out.
        unheard: the kinds of requests that get lost on their way.
        sent: every request that was sent: source, target, request.
    """

    def __init__(self, **config):
        self.clock = ManualClock()
        self.cut = set()
        self.unheard = ()
        self.sent = []
        self._tokens = {}
        self._in_flight = {}
        self._token = count(1)
        self.disks = {one: disk() for one in (1, 2, 3)}
        self.nodes = {
            one: LoneController(
                fs=self.disks[one],
                voters=(1, 2, 3),
                node_id=one,
                clock=self.clock,
                peers=_Port(self, one),
                **config,
            )
            for one in (1, 2, 3)
        }

    # The network.

    def send(self, source, message):
        target = message.endpoint.port - 9000
        self.sent.append((source, target, message.request))
        self._in_flight[source, message.correlation] = self.clock.value + message.timeout_ms
        if {source, target} & self.cut or isinstance(message.request, self.unheard):
            return
        token = next(self._token)
        self._tokens[target, token] = (source, message.correlation)
        self.nodes[target].driver.deliver(RequestReceived(token, message.request))

    def reply(self, target, token, response):
        source, correlation = self._tokens.pop((target, token))
        if not {source, target} & self.cut and self._in_flight.pop((source, correlation), None) is not None:
            self.nodes[source].driver.deliver(ResponseReceived(correlation, response))

    def questions(self, source):
        """Which nodes were asked to confirm that this one leads, oldest first."""
        return [
            target
            for one, target, request in self.sent
            if one == source and isinstance(request, BeginQuorumEpochRequest)
        ]

    # Time.

    def turns(self):
        """Take turns until no node has anything to do at this moment."""
        for _ in range(TURNS_MAX):
            for node in self.nodes.values():
                node.turn()
            if all(node.driver.wait_ms() != 0 and not len(node.driver.inbox) for node in self.nodes.values()):
                return
        raise AssertionError("the nodes never come to rest")

    def run(self, until, *, ms=30_000):
        """Let time pass until the condition holds."""
        end_ms = self.clock.value + ms
        self.turns()
        while not until():
            assert self.clock.value < end_ms, "it did not happen in time"
            self.clock.value += STEP_MS
            for (source, correlation), due_ms in list(self._in_flight.items()):
                if due_ms <= self.clock.value:
                    del self._in_flight[source, correlation]
                    self.nodes[source].driver.deliver(RequestFailed(correlation, Failure.TIMED_OUT))
            self.turns()

    # What is asked.

    def leader(self, *, of=(1, 2, 3)):
        """The active controller of the highest epoch among these, ``None`` when there is none."""
        active = [self.nodes[one] for one in of if self.nodes[one].host.active_epoch is not None]
        return max(active, key=lambda node: node.replica.epoch, default=None)

    def elect(self, *, of=(1, 2, 3)):
        """Let time pass until one of these is active; return its id."""
        self.run(lambda: self.leader(of=of) is not None)
        return self.leader(of=of).replica.key.node_id

    def write(self, node_id, submission):
        """Have one write decided; the list fills with its outcome."""
        return self.nodes[node_id].submit(submission)

    def read(self, node_id, at=LINEARIZABLE, **more):
        """Ask to read; the list fills with ``None``, or with why not."""
        answers = []
        self.nodes[node_id].reads.ask(at, self.clock.value, answers.append, **more)
        return answers

    def leads(self, node_id):
        """Whether this node believes that it leads."""
        return self.nodes[node_id].replica.role is Role.LEADER
