"""The workload of topics: what is requested, what counts as created, and a run against scripted answers."""

from __future__ import annotations

import asyncio
import contextlib
import time
from itertools import count

import pytest

from bench import requests
from bench.brokers import registered
from bench.cases import measure_cases
from bench.topics import (
    CONFIGS,
    LARGE_TOPICS,
    UNIT,
    Changing,
    Creating,
    change,
    creations,
    topic_of,
)
from bench.work import Work
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_request, encode_response
from tests.unit.bench.scripted import BROKERS, Scripted


def created(request, **changed):
    """What a controller answers that creates everything."""
    rows = [
        rpc.CreateTopicsResponseCreatableTopicResult(
            **(
                {
                    "name": topic.name,
                    "topic_id": bytes(15) + b"\1",
                    "num_partitions": topic.num_partitions,
                    "replication_factor": topic.replication_factor,
                }
                | changed
            )
        )
        for topic in request.topics
    ]
    return rpc.CreateTopicsResponse(topics=rows[::-1])


def deleted(request):
    return rpc.DeleteTopicsResponse(
        responses=[rpc.DeleteTopicsResponseDeletableTopicResult(one.name) for one in request.topics]
    )


TOPICS = {rpc.CreateTopicsRequest: created, rpc.DeleteTopicsRequest: deleted}


async def measured(system, cases):
    async with registered(system, 3) as brokers:
        return await measure_cases(
            system, 1, brokers, cases, warm_up=change(count(10_000)), unit=UNIT, print_progress=lambda _: None
        )


def test_a_topic_follows_from_its_serial_number():
    """The same in every run; names and configs of many lengths, and no name twice."""
    topics = [topic_of(serial, 3) for serial in range(500)]
    assert topics == [topic_of(serial, 3) for serial in range(500)]
    lengths = {len(topic.name) for topic in topics}
    assert len({topic.name for topic in topics}) == 500
    assert (min(lengths) <= 5, max(lengths) >= 60, max(lengths) <= 249, len(lengths) > 40) == (True,) * 4
    assert {len(topic.configs) for topic in topics} == {0, 1, 2, 3}
    assert {config.name for topic in topics for config in topic.configs} == set(CONFIGS)


def test_the_works_of_a_topics_run():
    """Single topics with each number in flight, then large requests, and smaller ones for those that reject these."""
    todo = creations(count(), (1, 64), 3.0, 1.0, 5)
    assert [one.label for one in todo] == [
        "1 topic x 3, 1 in flight",
        "1 topic x 3, 64 in flight",
        "1,000 topics x 10, 1 in flight",
        "500 topics x 10, 1 in flight",
    ]
    assert [one.work.total for one in todo] == [0, 0, 5 * LARGE_TOPICS, 5 * 500]
    assert len(creations(count(), (1,), 3.0, 1.0, 0)) == 1


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({}, ""),
        ({"error_code": 44, "error_message": "too large"}, "error 44: too large"),
        ({"num_partitions": 2}, "has 2 partitions of 3"),
        ({"topic_id": bytes(16)}, "has no id"),
        ({"name": "another"}, "an answer about other topics"),
    ],
)
def test_every_topic_of_an_answer_is_checked(changed, error):
    """Only what was created as it was requested counts, in whatever order the answer has it."""
    creating = Creating(5, count(), 4, 3)
    header, request = decode_request(creating.next()[4:])
    assert (header.correlation_id, len(request.topics)) == (5, 4)
    assert creating.judge(encode_response(5, created(request, **changed), 7)).endswith(error)
    assert bool(creating.judge(encode_response(5, created(request, **changed), 7))) == bool(error)


def test_the_warm_up_leaves_nothing():
    """Each topic that it creates is deleted by the next request."""
    changing, names = Changing(0, count()), []
    for _ in range(3):
        _, request = decode_request(changing.next()[4:])
        assert changing.judge(encode_response(0, created(request), 7)) == ""
        _, deletion = decode_request(changing.next()[4:])
        assert [one.name for one in deletion.topics] == [topic.name for topic in request.topics]
        assert changing.judge(encode_response(0, deleted(deletion), 6)) == ""
        names += [topic.name for topic in request.topics]
    assert len(set(names)) == 3


async def test_a_run_counts_what_was_created():
    """Rows for each work; a request that is rejected is in the notes, and the other works are done."""

    def judged(request):
        return created(request, error_code=44) if len(request.topics) == LARGE_TOPICS else created(request)

    async with Scripted(BROKERS | TOPICS | {rpc.CreateTopicsRequest: judged}) as system:
        rows = await measured(system, creations(count(), (2,), 0.2, 0.0, 2))
    single, large, smaller = rows
    assert single.figures["topics/s"] > 0 == single.figures["errors"]
    assert (large.figures["topics/s"], large.figures["errors"]) == (0, 2)
    assert large.notes[0].startswith("2 errors, the first: topic ")
    assert (smaller.figures["errors"], len(smaller.samples["latency us"])) == (0, 2)
    assert len([one for one in system.of(rpc.CreateTopicsRequest) if len(one.topics) == 500]) == 2


async def test_a_case_that_fails_is_the_last_and_those_before_it_are_kept(monkeypatch):
    """A request that is never answered, or a broker that is rejected meanwhile, leaves a row that says so."""
    monkeypatch.setattr(requests, "REQUEST_S_MAX", 0.3)
    monkeypatch.setattr(requests, "LOOK_S", 0.02)
    is_over = asyncio.Event()

    async def judged(request):
        if len(request.topics) == LARGE_TOPICS:
            await is_over.wait()
        return created(request)

    async with Scripted(BROKERS | TOPICS | {rpc.CreateTopicsRequest: judged}) as system:
        kept, failed = await measured(system, creations(count(), (1,), 0.1, 0.0, 1))
        is_over.set()
    assert kept.work == "1 topic x 3, 1 in flight"
    assert failed.work == "failed"
    assert failed.notes[0].startswith("1,000 topics x 10, 1 in flight: a request was unanswered for 0.")
    assert "the limit is 0.3 s (REQUEST_S_MAX in bench/requests.py)" in failed.notes[0]


async def test_a_case_without_its_brokers_is_not_kept():
    """The controller has done other work than what the row would say."""
    async with Scripted(BROKERS | TOPICS) as system, registered(system, 3) as brokers:

        def judged(request):
            brokers.failure = "broker 1 was rejected" if len(request.topics) == LARGE_TOPICS else ""
            return created(request)

        system.answers[rpc.CreateTopicsRequest] = judged
        kept, failed = await measure_cases(
            system,
            1,
            brokers,
            creations(count(), (1,), 0.1, 0.0, 1),
            warm_up=change(count(10_000)),
            unit=UNIT,
            print_progress=lambda _: None,
        )
    assert (kept.work, failed.work) == ("1 topic x 3, 1 in flight", "failed")
    assert failed.notes == ["1,000 topics x 10, 1 in flight: broker 1 was rejected"]


class Slow:
    """Encodes for 50 ms; takes every answer."""

    def __init__(self, slot):
        self.creating = Creating(slot, count(slot * 1_000), 1, 3)

    def next(self):
        time.sleep(0.05)
        return self.creating.next()

    def judge(self, payload):
        return self.creating.judge(payload)


async def test_a_latency_is_without_the_time_of_encoding():
    """Neither its own request's, nor that of those that leave with it."""
    async with Scripted(TOPICS) as system:
        work = Work(in_flight=4, total=4)
        outcome = await requests.run_requests(
            system.addresses["one"], work, lambda: None, [Slow(slot) for slot in range(4)]
        )
    assert outcome.requests == 4
    assert min(outcome.latencies_us) < 50_000


async def test_what_is_no_answer_ends_the_run():
    """The error says what came instead."""
    tasks = []

    async def garbage(reader, writer):
        tasks.append(asyncio.current_task())
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            while await reader.read(1 << 16):
                pass
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    async with await asyncio.start_server(garbage, "127.0.0.1", 0) as server:
        address = server.sockets[0].getsockname()
        with pytest.raises(ConnectionError, match="what the controller sent is no answer: "):
            await requests.run_requests(address, Work(total=1), lambda: None, [Creating(0, count(), 1, 3)])
        await asyncio.gather(*tasks)


async def test_a_warm_up_that_fails_measures_nothing():
    """Its error is the run's."""
    rejects = {rpc.CreateTopicsRequest: lambda request: created(request, error_code=38)}
    async with Scripted(BROKERS | TOPICS | rejects) as system:
        with pytest.raises(RuntimeError, match=r"in the warm-up, the first: topic .*: error 38"):
            await measured(system, creations(count(), (1,), 0.1, 0.0, 0))
