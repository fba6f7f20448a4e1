"""What every peer transport promises to the core: one fate for each request, whatever the network does.

The same contract for the product's transport, over real sockets that are cut, and for the simulator's network, with its
losses, duplicates, detours and dying processes: what the simulator proves of the core rests on the two being alike.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.voters import Endpoint
from kraftpy.raft import messages as m
from kraftpy.raft.ready import RequestAbandoned, RequestFailed, RequestReceived, ResponseReceived, Send
from kraftpy.transport.kafka.channel import PeerNetwork
from kraftpy.transport.kafka.listener import KafkaListener
from tests.fakes.raft_cluster import endpoint_of
from tests.simulator.network import Network
from tests.simulator.swarm import Options
from tests.simulator.world import World
from tests.unit.client.proxy import Proxy

PATIENCE = 20
REQUESTS = 400
TIMEOUTS_MS = (100, 1000)


def request(number):
    return m.FetchRequest(
        cluster_id=None, replica=None, epoch=1, fetch_offset=number, last_fetched_epoch=0, max_wait_ms=0, max_bytes=1
    )


@dataclass
class Sides:
    """Both ends of a transport, and what they may hear of it.

    Attributes:
        reply: how the asked one answers.
        is_complete: called when every request has its fate.
    """

    seed: int
    rng: random.Random
    reply: Callable[[int, m.FetchResponse], None] | None = None
    is_complete: Callable[[], None] = lambda: None
    fates: dict = field(default_factory=dict)
    received: set = field(default_factory=set)
    abandoned: set = field(default_factory=set)
    unanswered: list = field(default_factory=list)

    def asking(self, value):
        """Hear what became of a request."""
        assert value.correlation not in self.fates, f"seed {self.seed}: {value} after {self.fates[value.correlation]}"
        self.fates[value.correlation] = value
        if len(self.fates) == REQUESTS:
            self.is_complete()

    def asked(self, value):
        """Hear a request, and answer most of them, in any order."""
        match value:
            case RequestReceived(token, asked):
                assert token not in self.received, f"seed {self.seed}: {token} was given out twice"
                self.received.add(token)
                self.unanswered.append((token, asked.fetch_offset))
                if self.rng.random() < 0.9:
                    token, offset = self.unanswered.pop(self.rng.randrange(len(self.unanswered)))
                    self.reply(token, m.FetchResponse(leader=LeaderAndEpoch(1, 1), high_watermark=offset))
            case RequestAbandoned(token):
                assert token in self.received - self.abandoned, f"seed {self.seed}: {token} was not waiting"
                self.abandoned.add(token)

    def check(self):
        """Check the fates; return how many were answers."""
        assert set(self.fates) == set(range(REQUESTS)), f"seed {self.seed}: requests without a fate"
        answered = [fate for fate in self.fates.values() if isinstance(fate, ResponseReceived)]
        crossed = [fate for fate in answered if fate.response.high_watermark != fate.correlation]
        assert not crossed, f"seed {self.seed}: crossed answers"
        assert all(isinstance(fate, ResponseReceived | RequestFailed) for fate in self.fates.values())
        return len(answered)


async def check_sockets(seed):
    """Send many requests through connections that are cut at times."""
    rng = random.Random(seed)
    finished = asyncio.Event()
    sides = Sides(seed, rng, is_complete=finished.set)
    listener = KafkaListener("127.0.0.1", 0, sides.asked)
    sides.reply = listener.reply
    await listener.start()
    async with Proxy(listener.port) as proxy, PeerNetwork(sides.asking, "contract") as network:
        endpoint = Endpoint("CONTROLLER", "127.0.0.1", proxy.port)
        for number in range(REQUESTS):
            network.send(Send(1, endpoint, number, request(number), rng.choice(TIMEOUTS_MS)))
            if rng.random() < 0.03:
                proxy.cut()
            if rng.random() < 0.3:
                await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE):
            await finished.wait()
    await listener.close()
    return sides.check()


@dataclass
class IdleClock:
    """The clock of a node whose work takes no time."""

    busy_ms: int = 0


@dataclass
class SimulatedEnd:
    """What the simulator's network has to know of a node."""

    id: int
    deliver: Callable
    incarnation: int = 0
    is_up: bool = True
    refuses: bool = True
    clock: IdleClock = field(default_factory=IdleClock)
    is_controller: bool = True

    @property
    def replica_id(self):
        return self.id

    def refusal(self, request, principal):
        """Take every request, of any sender."""


def check_simulated(seed):
    """Send many requests to a process that dies at times, through a network that does its worst."""
    rng = random.Random(seed)
    world = World()
    network = Network(world, rng, Options(lost=50, duplicated=50, reordered=50, delay_ms=40, wire=True))
    sides = Sides(seed, rng, lambda token, response: network.reply(asked, token, response))
    asking, asked = SimulatedEnd(1, sides.asking), SimulatedEnd(2, sides.asked)
    network.nodes = {1: asking, 2: asked}

    def send(number):
        network.send(asking, Send(2, endpoint_of(2), number, request(number), rng.choice(TIMEOUTS_MS)))

    def die():
        asked.is_up = False
        sides.unanswered.clear()
        network.process_ended(asked)

    def live():
        asked.incarnation += 1
        asked.is_up = True

    for number in range(REQUESTS):
        world.later(number, lambda number=number: send(number))
        if rng.random() < 0.03:
            world.later(number, die)
            world.later(number + rng.randrange(20), live)
    world.run(REQUESTS + max(TIMEOUTS_MS) + 1)
    return sides.check()


async def test_every_request_has_one_fate():
    """Over cut connections, every request ends once, and every answer is the one to its request."""
    total = 0
    for seed in range(8):
        print(f"replay: check_sockets(seed={seed})")
        total += await check_sockets(seed)
    assert total > 0


def test_every_request_has_one_fate_in_the_simulator():
    """The simulator's network keeps the same promise: some requests are answered, some fail, each once."""
    for seed in range(8):
        print(f"replay: check_simulated(seed={seed})")
        assert 0 < check_simulated(seed) < REQUESTS
