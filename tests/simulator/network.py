"""The network: delays, losses, duplicates, detours, cuts in one or both directions, resets and refused connections.

A cut may be of one kind of message only.

A request that is lost, on its way there or back, is reported to its sender as a time-out. A process that dies closes
its sockets: its peers get a reset, and new connections are refused. A machine that loses power sends nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kraftpy.model.identity import Principal
from kraftpy.model.ids import NodeId
from kraftpy.raft.messages import BeginQuorumEpochRequest, EndQuorumEpochRequest, RaftRequest, RaftResponse
from kraftpy.raft.ready import (
    Failure,
    RequestAbandoned,
    RequestFailed,
    RequestReceived,
    ResponseReceived,
    Send,
)
from tests.fakes.raft_cluster import node_at
from tests.simulator.describe import describe_message
from tests.simulator.strangers import operator, principal_of_node
from tests.simulator.swarm import Options
from tests.simulator.wire import request_over_wire, response_over_wire
from tests.simulator.world import World

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode

PER_MILLE = 1_000
DETOUR_FACTOR = 30

Key = tuple[NodeId, int, int]
"""Sender, its incarnation, correlation."""


@dataclass(slots=True)
class Exchange:
    """A request and the node that is to answer it."""

    key: Key
    target: NodeId
    request: RaftRequest
    arrivals: list[tuple[NodeId, int, int]]


class Network:
    """All links between nodes.

    Attributes:
        cut: (from, to) pairs over which nothing passes.
        cut_kinds: (from, to, type of message) of what is lost although the rest passes.
    """

    def __init__(self, world: World, rng: random.Random, options: Options) -> None:
        self._world = world
        self._rng = rng
        self._options = options
        self.nodes: dict[NodeId, SimulatedNode] = {}
        self.cut: set[tuple[NodeId, NodeId]] = set()
        self.cut_kinds: set[tuple[NodeId, NodeId, str]] = set()
        self.healthy = False
        self._open: dict[Key, Exchange] = {}
        self._tokens: dict[tuple[NodeId, int, int], Exchange] = {}
        self._asked: dict[tuple[NodeId, int, int], tuple[RaftRequest, Callable[[RaftResponse], None]]] = {}
        self._token = 0
        self._forged: set[tuple[NodeId, int, int]] = set()

    # Faults.

    def heal(self) -> None:
        """Remove all cuts, and lose nothing from now on."""
        self.cut.clear()
        self.cut_kinds.clear()
        self.healthy = True

    def cut_one_way(self, pairs: set[tuple[NodeId, NodeId]], kind: str | None, for_ms: int) -> None:
        """Let nothing pass for a while over (from, to) pairs, or no message of one type."""
        if kind is None:
            self.cut |= pairs
            self._world.later(for_ms, lambda: self.cut.difference_update(pairs))
        else:
            kinds = {(source, target, kind) for source, target in pairs}
            self.cut_kinds |= kinds
            self._world.later(for_ms, lambda: self.cut_kinds.difference_update(kinds))

    def _is_cut(self, source: NodeId, target: NodeId, message: RaftRequest | RaftResponse) -> bool:
        return (source, target) in self.cut or (source, target, type(message).__name__) in self.cut_kinds

    def passes(self, source: NodeId, target: NodeId) -> bool:
        """Decide whether a message gets through."""
        if (source, target) in self.cut:
            return False
        if self.healthy or self._rng.randrange(PER_MILLE) >= self._options.lost:
            return True
        self._world.counts["message lost"] += 1
        return False

    def delay_ms(self) -> int:
        """Draw how long a message takes."""
        delay_ms = self._rng.randint(0, self._options.delay_ms)
        detour = not self.healthy and self._rng.randrange(PER_MILLE) < self._options.reordered
        if not detour:
            return delay_ms
        self._world.counts["message took a detour"] += 1
        return delay_ms * DETOUR_FACTOR

    def _copies(self) -> int:
        if self.healthy or self._rng.randrange(PER_MILLE) >= self._options.duplicated:
            return 1
        self._world.counts["message came twice"] += 1
        return 2

    # Requests and responses.

    def send(self, node: SimulatedNode, message: Send) -> None:
        """Take a request from a node."""
        key = (node.id, node.incarnation, message.correlation)
        request = request_over_wire(message.request) if self._options.wire else message.request
        exchange = Exchange(key, node_at(message.endpoint), request, [])
        self._open[key] = exchange
        self._world.later(message.timeout_ms, lambda: self._fail(key, Failure.TIMED_OUT))
        if self.passes(node.id, exchange.target):
            for _ in range(self._copies()):
                self._world.later(self.delay_ms() + node.clock.busy_ms, lambda: self._arrive(exchange))

    def _arrive(self, exchange: Exchange) -> None:
        target = self.nodes[exchange.target]
        if self._is_cut(exchange.key[0], exchange.target, exchange.request):
            return
        if not target.is_up:
            if target.refuses and self.passes(exchange.target, exchange.key[0]):
                self._world.later(self.delay_ms(), lambda: self._fail(exchange.key, Failure.REFUSED))
            return
        refusal = target.refusal(exchange.request, principal_of_node(self.nodes[exchange.key[0]]))
        if refusal is not None:
            self._answer(target.id, exchange, refusal)
            return
        self._token += 1
        place = (target.id, target.incarnation, self._token)
        self._tokens[place] = exchange
        exchange.arrivals.append(place)
        self._world.note(f"{exchange.key[0]}->{target.id}", "request", describe_message(exchange.request))
        target.deliver(RequestReceived(self._token, exchange.request))

    def ask(self, node: SimulatedNode, request: RaftRequest, heard: Callable[[RaftResponse], None]) -> None:
        """Send an operator's request to a node; ``heard`` is called with the answer when it leaves, if one does."""
        self._put(node, request, operator(), heard)

    def forge(self, node: SimulatedNode, request: RaftRequest, principal: Principal) -> None:
        """Put to a node what a stranger says in a voter's name."""
        self._forged.add((node.id, node.incarnation, self._token + 1))
        self._put(node, request, principal, lambda _: None)

    def flood(self, node: SimulatedNode, request: RaftRequest, items: int) -> None:
        """Send the same request to a node many times at once; the answers are ignored."""
        if self._options.wire:
            request = request_over_wire(request)
        for _ in range(items):
            self._token += 1
            node.running.driver.deliver(RequestReceived(self._token, request))
        node.schedule_turn(0)

    def is_forged(self, node: SimulatedNode, token: int) -> bool:
        """Return whether a stranger made this request in a voter's name where it should have been rejected."""
        return self._options.identity and (node.id, node.incarnation, token) in self._forged

    def _put(
        self, node: SimulatedNode, request: RaftRequest, principal: Principal, heard: Callable[[RaftResponse], None]
    ) -> None:
        if self._options.wire:
            request = request_over_wire(request)
        self._token += 1
        self._world.note(f"tool->{node.id}", "request", describe_message(request))
        self._asked[node.id, node.incarnation, self._token] = (request, heard)
        refusal = node.refusal(request, principal)
        if refusal is None:
            node.deliver(RequestReceived(self._token, request))
        else:
            self._answer_tool((node.id, node.incarnation, self._token), refusal)

    def asked(self) -> list[RaftRequest]:
        """Return the tools' requests that a process which runs has not answered yet, in their order."""
        return [
            request
            for (node_id, incarnation, _), (request, _) in self._asked.items()
            if self.nodes[node_id].is_up and self.nodes[node_id].incarnation == incarnation
        ]

    def claims(self) -> set[tuple[NodeId, int]]:
        """Return the leaders and epochs that requests name which are under way, or wait at a process that runs."""
        waiting = (
            exchange
            for (node_id, incarnation, _), exchange in self._tokens.items()
            if self.nodes[node_id].is_up and self.nodes[node_id].incarnation == incarnation
        )
        requests = [exchange.request for exchange in (*waiting, *self._open.values())]
        return {
            (request.leader_id, request.epoch)
            for request in requests
            if isinstance(request, BeginQuorumEpochRequest | EndQuorumEpochRequest)
        }

    def request_of(self, node: SimulatedNode, token: int) -> RaftRequest | None:
        """Return what a node is about to answer."""
        exchange = self._tokens.get((node.id, node.incarnation, token))
        return None if exchange is None else exchange.request

    def reply(self, node: SimulatedNode, token: int, response: RaftResponse) -> None:
        """Take an answer from a node."""
        place = (node.id, node.incarnation, token)
        exchange = self._tokens.pop(place, None)
        if exchange is None:
            self._answer_tool(place, response)
            return
        exchange.arrivals.remove(place)
        self._answer(node.id, exchange, response)

    def _answer(self, source: NodeId, exchange: Exchange, response: RaftResponse) -> None:
        if self._options.wire:
            response = response_over_wire(exchange.request, response)
        if self.passes(source, exchange.key[0]):
            delay_ms = self.delay_ms() + self.nodes[source].clock.busy_ms
            self._world.later(delay_ms, lambda: self._return(source, exchange.key, response))

    def _answer_tool(self, place: tuple[NodeId, int, int], response: RaftResponse) -> None:
        asked = self._asked.pop(place, None)
        if asked is not None:
            request, heard = asked
            if self._options.wire:
                response = response_over_wire(request, response)
            self._world.note(f"{place[0]}->tool", "response", describe_message(response))
            heard(response)

    def _return(self, source: NodeId, key: Key, response: RaftResponse) -> None:
        sender = self.nodes[key[0]]
        if self._is_cut(source, key[0], response) or self._open.pop(key, None) is None:
            return
        self._world.note(f"{source}->{sender.id}", "response", describe_message(response))
        sender.deliver(ResponseReceived(key[2], response))

    def _fail(self, key: Key, reason: Failure) -> None:
        exchange = self._open.pop(key, None)
        sender = self.nodes[key[0]]
        if exchange is None or not sender.is_up or sender.incarnation != key[1]:
            return
        self._abandon(exchange)
        self._world.note(str(sender.id), "failed", f"{describe_message(exchange.request)}: {reason.value}")
        sender.deliver(RequestFailed(key[2], reason))

    def _abandon(self, exchange: Exchange) -> None:
        """Close the connection under a request: the node where it is pending notices, if the network allows it."""
        for place in exchange.arrivals:
            self._tokens.pop(place, None)
            node_id, incarnation, token = place
            target = self.nodes[node_id]
            if target.is_up and target.incarnation == incarnation and self.passes(exchange.key[0], node_id):
                target.deliver(RequestAbandoned(token))
        exchange.arrivals.clear()

    def process_ended(self, node: SimulatedNode) -> None:
        """Forget what a process had open; peers hear of it if its machine is still there."""
        for key, exchange in list(self._open.items()):
            if key[0] == node.id:
                del self._open[key]
                if node.refuses:
                    self._abandon(exchange)
            elif exchange.target == node.id and exchange.arrivals and node.refuses and self.passes(node.id, key[0]):
                self._world.later(self.delay_ms(), lambda key=key: self._fail(key, Failure.DISCONNECTED))
        for place in [place for place in self._tokens if place[0] == node.id]:
            del self._tokens[place]
