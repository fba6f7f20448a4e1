"""The client over Kafka's protocol, against a controller's listener with scripted answers."""

from __future__ import annotations

import asyncio

import pytest

from bench import wire
from bench.wire import VERSION, Cycle, Row, run_wire, success
from bench.work import NAMES, Work
from bench.writes import fresh_values, name_of
from kraftpy.controller.requests import IncrementalAlterConfigsResponse
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_request, encode_response
from kraftpy.transport.kafka.control import ControlCalls
from kraftpy.transport.kafka.listener import KafkaListener
from kraftpy.transport.node_api import Committed


class Controller:
    """Commits everything when the loop turns, but for what its ``judge`` refuses."""

    def __init__(self, judge=lambda _: None):
        self.judge = judge
        self.waiting = 0
        self.most = 0
        self.seen = []

    async def __aenter__(self):
        self.listener = KafkaListener("127.0.0.1", 0, lambda _: None)
        await self.listener.start()
        ControlCalls(
            self.listener, listener_name="C", node_id=1, submit=self.submit, view=lambda: None, leader_id=lambda: 1
        )
        return self

    async def __aexit__(self, *_):
        await self.listener.close()

    def submit(self, submission, settle):
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        asyncio.get_running_loop().call_later(0.001, self.commit, submission.request, settle)

    def commit(self, request, settle):
        self.waiting -= 1
        self.seen.append(request)
        refused = self.judge(request)
        response = IncrementalAlterConfigsResponse(tuple(resource for resource, _ in request.resources), refused or {})
        settle(refused if isinstance(refused, ApiError) else Committed(response, 1, 1))

    async def run(self, work):
        return await run_wire(("127.0.0.1", self.listener.port), work, lambda: None)


async def test_a_closed_loop_keeps_so_many_requests_in_flight():
    """Never more than asked for, as many as that, and every record of a batch is counted."""
    async with Controller() as controller:
        outcome = await controller.run(Work(in_flight=7, batch=3, seconds=0.2, warmup_s=0.0))
    assert controller.most == 7
    assert outcome.records == 3 * outcome.requests > 0
    assert len(outcome.latencies_us) == outcome.requests
    assert outcome.errors == 0


async def test_an_open_loop_makes_the_requests_that_are_due():
    """As many requests as the rate says, no more, and each with a latency of its own."""
    async with Controller() as controller:
        outcome = await controller.run(Work(rate=500, seconds=0.4, warmup_s=0.0))
    assert outcome.requests == len(controller.seen) == len(outcome.latencies_us) == 200


@pytest.mark.parametrize(
    "refused", [ApiError(ErrorCode.NOT_CONTROLLER, "gone"), {1: (ErrorCode.INVALID_CONFIG, "gone")}]
)
async def test_a_refused_record_is_no_acknowledgement(refused):
    """One resource with an error, or an error of the whole call, is not counted as written."""
    async with Controller(lambda _: refused) as controller:
        outcome = await controller.run(Work(in_flight=2, batch=2, seconds=0.1, warmup_s=0.0))
    assert (outcome.records, outcome.errors) == (0, len(controller.seen))
    assert outcome.first_error.endswith(": gone")


async def test_a_run_writes_no_value_that_another_wrote():
    """The second run of the same work finds its own values there, and its writes append nothing."""
    async with Controller() as controller:
        for _ in range(2):
            await controller.run(Work(in_flight=1, seconds=0.1, warmup_s=0.0))
    values = [alterations[0].value for request in controller.seen for _, alterations in request.resources]
    assert len(set(values)) == 2


async def test_a_lost_connection_ends_the_run():
    """A controller that goes away is an error of the run, and not a slow one."""
    async with Controller() as controller:
        running = asyncio.ensure_future(controller.run(Work(in_flight=2, seconds=30.0, warmup_s=0.0)))
        while not controller.seen:  # noqa: ASYNC110 - a plain list
            await asyncio.sleep(0.001)
        await controller.listener.close()
        with pytest.raises(ConnectionError):
            await asyncio.wait_for(running, 10)


@pytest.mark.parametrize("is_mixed", [False, True])
def test_every_request_changes_a_value_and_slots_share_no_name(is_mixed):
    """No write sets the value that is there already, and no two requests in flight write one resource."""
    work, state = Work(in_flight=16, batch=128, value_bytes=100, is_mixed=is_mixed), {}
    for slot in range(16):
        cycle = Cycle(work, slot, 16, fresh_values(work, 2))
        for _ in range(10):
            _, message = decode_request(cycle.next()[4:])
            assert sum(len(row.configs) for row in message.resources) == 128
            for row in message.resources:
                for config in row.configs:
                    assert is_mixed or len(config.value) == 100
                    written = (row.resource_type, row.resource_name, config.name)
                    owner, before = state.get(written, (slot, None))
                    assert owner == slot
                    assert config.value != before
                    state[written] = (slot, config.value)
    assert len(state) <= NAMES


async def test_an_answer_in_another_order_is_a_success_and_not_read_twice(monkeypatch):
    """Kafka names the records in the order of a hash table: such an answer is read once, and expected from then on."""
    monkeypatch.setattr(wire, "success", reversed_success)
    monkeypatch.setattr(wire, "NAMES", 4)
    read, rows = [], wire._rows
    monkeypatch.setattr(wire, "_rows", lambda payload: read.append(payload) or rows(payload))
    async with Controller() as controller:
        outcome = await controller.run(Work(in_flight=1, batch=2, seconds=0.5, warmup_s=0.0))
    assert outcome.errors == 0
    assert outcome.requests > 4
    assert len(read) == 2 * 4, "of a slot's four requests, the first answer and what was expected"


def test_an_answer_that_leaves_a_record_out_is_no_success():
    """The rows of an answer are all that was asked for, each without an error."""
    cycle = Cycle(Work(batch=2), 0, 1, fresh_values(Work(), 2))
    cycle.next()
    assert cycle.accepts(answer(0, 0, 2, order=-1))
    assert not cycle.accepts(answer(0, 0, 1))
    assert not cycle.accepts(answer(0, 0, 2, error=41))


def reversed_success(slot, rows):
    return success(slot, rows[::-1])


def answer(slot, first_index, batch, *, order=1, error=0):
    rows = [Row(error, None, ResourceType.CLIENT_METRICS, name_of(first_index + at)) for at in range(batch)][::order]
    return encode_response(slot, rpc.IncrementalAlterConfigsResponse(0, rows), VERSION)
