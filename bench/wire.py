"""The client over Kafka's protocol: IncrementalAlterConfigs as Kafka's own admin client sends it to a controller.

It shows what the service itself can do. It is as lean as the session's lean client: frames made ahead, and
:mod:`bench.requests` sends them. Every answer is compared with what a success must look like, byte by byte, so every
record of it is looked at. A controller may name the records of an answer in an order of its own (Kafka's is that of a
hash table): such an answer is read once, and expected from then on.
"""

from __future__ import annotations

from collections.abc import Sequence

from bench.requests import run_requests, slots_of
from bench.work import CONNECTIONS, NAMES, Address, Measuring, Outcome, Work
from bench.writes import Values, by_resource, fresh_values
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request, encode_response
from kraftpy.transport.kafka.framing import frame

VERSION = 1
CLIENT_ID = "bench"

Resource = rpc.IncrementalAlterConfigsRequestAlterConfigsResource
Config = rpc.IncrementalAlterConfigsRequestAlterableConfig
Row = rpc.IncrementalAlterConfigsResponseAlterConfigsResourceResponse


async def run_wire(
    address: Address,
    work: Work,
    measuring: Measuring,
    connections: int = CONNECTIONS,
    values: Sequence[Values] | None = None,
) -> Outcome:
    """Do the work through some connections to the leader's controller listener.

    What is written is ``values`` in turn, each of which changes what the one before wrote; by default what ``work``
    says.
    """
    slots = slots_of(work)
    values = fresh_values(work, 2) if values is None else values
    cycles = [Cycle(work, slot, slots, values) for slot in range(slots)]
    return await run_requests(address, work, measuring, cycles, connections)


def request(slot: int, first_index: int, batch: int, values: Values) -> bytes:
    """Encode a request that makes ``batch`` neighbouring writes, with its size."""
    message = rpc.IncrementalAlterConfigsRequest(rows_of(first_index, batch, values))
    return frame(encode_request(CLIENT_ID, slot, message, VERSION))


def rows_of(first_index: int, batch: int, values: Values) -> list[Resource]:
    """Build the rows of a request that makes ``batch`` neighbouring writes."""
    return [
        Resource(resource.type, resource.name, [Config(config.name, 0, config.value) for config in configs])
        for resource, configs in by_resource(map(values, range(first_index, first_index + batch))).items()
    ]


def success(slot: int, rows: Sequence[Resource]) -> bytes:
    """Encode the answer that says that all that a request's rows name was written, without its size."""
    answered = [Row(0, None, row.resource_type, row.resource_name) for row in rows]
    return encode_response(slot, rpc.IncrementalAlterConfigsResponse(0, answered), VERSION)


class Cycle:
    """One slot's requests, made ahead: each of its own names with each of the values, so that a write changes one."""

    def __init__(self, work: Work, slot: int, slots: int, values: Sequence[Values]) -> None:
        per_slot = max(1, NAMES // (slots * work.batch))
        firsts = [(slot * per_slot + at) * work.batch for at in range(per_slot)]
        answers = [success(slot, rows_of(first, work.batch, values[0])) for first in firsts]
        self._steps = [
            (request(slot, first, work.batch, each), answer)
            for each in values
            for first, answer in zip(firsts, answers, strict=True)
        ]
        self._at = self._asked = 0
        self.expected = b""

    def next(self) -> bytes:
        """Return the next request; its success is :attr:`expected` from now on."""
        self._asked = self._at
        data, self.expected = self._steps[self._at]
        self._at = (self._at + 1) % len(self._steps)
        return data

    def accepts(self, payload: bytes) -> bool:
        """Whether an answer is the success of the last request, in whatever order, and expect that order then."""
        if _rows(payload) != _rows(self.expected):
            return False
        self._steps[self._asked] = (self._steps[self._asked][0], payload)
        return True

    def judge(self, payload: bytes) -> str:
        """Return what is wrong with the answer to the last request; nothing when it is its success."""
        return "" if payload == self.expected or self.accepts(payload) else _stated(payload)


def _rows(payload: bytes) -> list[tuple[int, int, str]]:
    """Return (error, type, name) of every record of an answer, in an order that is the same for all."""
    _, message = decode_response(rpc.IncrementalAlterConfigsRequest.API_KEY, VERSION, payload)
    assert isinstance(message, rpc.IncrementalAlterConfigsResponse)
    return sorted((row.error_code, row.resource_type, row.resource_name) for row in message.responses)


def _stated(payload: bytes) -> str:
    _, message = decode_response(rpc.IncrementalAlterConfigsRequest.API_KEY, VERSION, payload)
    assert isinstance(message, rpc.IncrementalAlterConfigsResponse)
    refused = [row for row in message.responses if row.error_code]
    return f"error {refused[0].error_code}: {refused[0].error_message}" if refused else "an answer to something else"
