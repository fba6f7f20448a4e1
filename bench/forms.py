"""The client forms of kraftpy, by name.

``client``  the public :class:`~kraftpy.client.AsyncClient`, called by that many tasks at once: calls coalesce.
``lean``    the same session stream without the client's work; see :mod:`bench.lean`.
``unary``   AdminService.IncrementalAlterConfigs, one gRPC call per request, as grpcurl or another language would.
``kafka``   IncrementalAlterConfigs over Kafka's protocol, as Kafka's own admin client sends it; see :mod:`bench.wire`.
``admin``   Kafka's own admin client, which needs Java and Kafka's jars; see :mod:`bench.peers.admin`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import count, cycle
from typing import Any

from bench.lean import run_lean
from bench.loadgen import drive
from bench.wire import run_wire
from bench.work import ADMIN, NAMES, Measuring, Outcome, Work
from bench.writes import changes, fresh_id, message, values_of
from kraftpy.client.async_client import AsyncClient
from kraftpy.client.nodes import Nodes
from kraftpy.client.session import connect
from kraftpy.model.errors import ErrorCode
from kraftpy.pb.v1 import admin_pb2

FORMS = ("client", "lean", "unary", "kafka")
"""Those that are measured if none are named: they need nothing but Python."""

ALL_FORMS = (*FORMS, ADMIN)
UNARY_PATH = "/kraftpy.v1.AdminService/IncrementalAlterConfigs"
_numbers = count()
"""Of the requests of all runs of this process, so that none of them writes what is there already."""

UNARY_CHANNELS = 4
"""The number of connections that unary calls are spread over."""


@dataclass(frozen=True, slots=True)
class Leader:
    """Where the active controller listens: the public API, and Kafka's protocol."""

    grpc: str
    kafka: tuple[str, int]


async def run_form(form: str, endpoints: list[str], leader: Leader, work: Work, measuring: Measuring) -> Outcome:
    """Do the work through one of the forms."""
    if form == "lean" and not work.total:
        return await run_lean(leader.grpc, work, measuring)
    if form == "kafka" and not work.total:
        return await run_wire(leader.kafka, work, measuring)
    if form == "client" or work.total:  # a load has to be complete, also when the leader changes: the client sees to it
        return await _run_client(endpoints, work, measuring)
    return await _run_unary(leader.grpc, work, measuring)


async def _run_client(endpoints: list[str], work: Work, measuring: Measuring) -> Outcome:
    async with AsyncClient(endpoints) as client:

        async def write(serial: int) -> None:
            number = serial if work.total else next(_numbers)
            request = changes(number, work)
            altered = await client.incremental_alter_configs(request, retry_unknown=work.total > 0)
            refused = [one for one in altered.outcomes if one.error is not ErrorCode.NONE]
            if refused:
                raise ValueError(f"{refused[0].error.name}: {refused[0].message}")

        await client.describe_quorum()
        return await drive(write, work, measuring)


async def _run_unary(leader: str, work: Work, measuring: Measuring) -> Outcome:
    nodes = Nodes((leader,), random.random)
    channels: list[Any] = [await connect(nodes, None) for _ in range(min(UNARY_CHANNELS, work.in_flight))]
    calls = cycle(
        channel.unary_unary(
            UNARY_PATH,
            request_serializer=admin_pb2.IncrementalAlterConfigsRequest.SerializeToString,
            response_deserializer=admin_pb2.IncrementalAlterConfigsResponse.FromString,
        )
        for channel in channels
    )

    async def write(_: int) -> None:
        number = next(_numbers)
        request = message(number * work.batch % NAMES, work.batch, values_of(work, number))
        request.options.request_id = fresh_id()
        response = await next(calls)(request, timeout=30.0)
        if any(row.HasField("error") for row in response.results):
            raise ValueError(str(response)[:300])

    try:
        return await drive(write, work, measuring)
    finally:
        for channel in channels:
            await channel.close()
