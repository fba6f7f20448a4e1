"""What every peer transport promises to the core: one fate for each request, whatever the network does."""

from __future__ import annotations

import asyncio
import random

from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.voters import Endpoint
from kraftpy.raft import messages as m
from kraftpy.raft.ready import RequestAbandoned, RequestFailed, RequestReceived, ResponseReceived, Send
from kraftpy.transport.kafka.channel import PeerNetwork
from kraftpy.transport.kafka.listener import KafkaListener
from tests.unit.client.proxy import Proxy

PATIENCE = 20
REQUESTS = 400


def request(number):
    return m.FetchRequest(
        cluster_id=None, replica=None, epoch=1, fetch_offset=number, last_fetched_epoch=0, max_wait_ms=0, max_bytes=1
    )


async def check_transport(seed):
    """Send many requests through a network that is cut now and then; check that each has the one right fate."""
    rng = random.Random(seed)
    fates, received, abandoned, unanswered = {}, set(), set(), []
    finished = asyncio.Event()

    def sink(value):
        assert value.correlation not in fates, f"seed {seed}: {value} after {fates[value.correlation]}"
        fates[value.correlation] = value
        if len(fates) == REQUESTS:
            finished.set()

    def inbox(value):
        match value:
            case RequestReceived(token, asked):
                received.add(token)
                unanswered.append((token, asked.fetch_offset))
                if rng.random() < 0.9:
                    token, offset = unanswered.pop(rng.randrange(len(unanswered)))
                    listener.reply(token, m.FetchResponse(leader=LeaderAndEpoch(1, 1), high_watermark=offset))
            case RequestAbandoned(token):
                assert token in received - abandoned, f"seed {seed}: {token} was not waiting"
                abandoned.add(token)

    listener = KafkaListener("127.0.0.1", 0, inbox)
    await listener.start()
    async with Proxy(listener.port) as proxy, PeerNetwork(sink, "contract") as network:
        endpoint = Endpoint("CONTROLLER", "127.0.0.1", proxy.port)
        for number in range(REQUESTS):
            network.send(Send(1, endpoint, number, request(number), rng.choice((100, 1000))))
            if rng.random() < 0.03:
                proxy.cut()
            if rng.random() < 0.3:
                await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE):
            await finished.wait()
    await listener.close()
    answered = [fate for fate in fates.values() if isinstance(fate, ResponseReceived)]
    assert all(fate.response.high_watermark == fate.correlation for fate in answered), f"seed {seed}: crossed answers"
    assert all(isinstance(fate, ResponseReceived | RequestFailed) for fate in fates.values())
    return len(answered)


async def test_every_request_has_one_fate():
    """Over cut connections, every request ends once, and every answer is the one to its request."""
    total = 0
    for seed in range(8):
        print(f"replay: check_transport(seed={seed})")
        total += await check_transport(seed)
    assert total > 0
