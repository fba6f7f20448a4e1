"""The workload of ISR changes: what brokers request, and what counts as a success."""

from __future__ import annotations

from collections import Counter

import pytest

from bench import isr
from bench.assigned import REQUEST_PARTITIONS_MAX, TOPIC_PARTITIONS_MAX
from bench.brokers import FIRST_ID, registered
from bench.cases import measure_cases
from bench.isr import UNIT, VERSION, alterations, lead
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_request, encode_response
from tests.unit.bench.scripted import BROKERS, Scripted


def created(request):
    """Topics with an id of their own, as many partitions as were assigned."""
    rows = [
        rpc.CreateTopicsResponseCreatableTopicResult(
            name=topic.name, topic_id=topic.name.encode().rjust(16, b"\0"), num_partitions=len(topic.assignments)
        )
        for topic in request.topics
    ]
    return rpc.CreateTopicsResponse(topics=rows)


def altered(request, **changed):
    """What a controller answers that alters everything; what is left out can be added by ``changed``."""
    return rpc.AlterPartitionResponse(
        topics=[
            rpc.AlterPartitionResponseTopicData(
                topic.topic_id, [taken(request, row, changed) for row in topic.partitions]
            )
            for topic in request.topics
        ]
    )


def taken(request, row, changed):
    members = [one.broker_id for one in row.new_isr_with_epochs]
    state = {
        "partition_index": row.partition_index,
        "leader_id": request.broker_id,
        "leader_epoch": row.leader_epoch,
        "isr": members,
        "partition_epoch": row.partition_epoch + 1,
    }
    return rpc.AlterPartitionResponsePartitionData(**(state | changed))


ANSWERS = BROKERS | {rpc.CreateTopicsRequest: created, rpc.AlterPartitionRequest: altered}


async def sources(size, brokers=4):
    async with Scripted(dict(ANSWERS)) as system, registered(system, brokers) as fleet:
        case = alterations(fleet, await lead(fleet), (size,), 1.0, 0.0)[1]
    return case.sources(), system


async def test_each_broker_leads_as_many_partitions(monkeypatch):
    """In topics of mixed sizes, by requests that Kafka takes; every partition has three replicas, its leader first."""
    monkeypatch.setattr(isr, "LED", 900)
    _, system = await sources(1)
    requests = system.of(rpc.CreateTopicsRequest)
    topics = [topic for request in requests for topic in request.topics]
    rows = [row for topic in topics for row in topic.assignments]
    assert len({topic.name for topic in topics}) == len(topics)
    assert Counter(row.broker_ids[0] for row in rows) == {FIRST_ID + number: 900 for number in range(4)}
    assert {len(set(row.broker_ids)) for row in rows} == {3}
    sizes = {len(topic.assignments) for topic in topics}
    assert (len(sizes) > 20, max(sizes) <= TOPIC_PARTITIONS_MAX) == (True, True)
    assert max(sum(len(one.assignments) for one in each.topics) for each in requests) <= REQUEST_PARTITIONS_MAX


async def test_a_broker_shrinks_and_expands_its_partitions_in_turn():
    """Each request continues from the state that the answer before gave; one request names many topics."""
    (first, *_), _ = await sources(600)
    epochs, sizes = {}, []
    for _ in range(5):
        header, request = decode_request(first.next()[4:])
        assert (header.correlation_id, request.broker_id, request.broker_epoch) == (0, FIRST_ID, FIRST_ID + 7)
        assert len(request.topics) > 30
        for topic in request.topics:
            for row in topic.partitions:
                key = (topic.topic_id, row.partition_index)
                assert row.partition_epoch == epochs.get(key, 0)
                epochs[key] = row.partition_epoch + 1
                assert all(one.broker_epoch == one.broker_id + 7 for one in row.new_isr_with_epochs)
                assert row.new_isr_with_epochs[0].broker_id == FIRST_ID
                sizes.append(len(row.new_isr_with_epochs))
        assert first.judge(encode_response(0, altered(request), VERSION)) == ""
    assert len(epochs) == 1_000
    assert sizes[:600].count(3) == 0 < min(sizes[:600].count(1), sizes[:600].count(2))
    assert sizes.count(3) == 1_000


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"error_code": 98}, "error 98"),
        ({"partition_epoch": 0}, "are (1000, 0, "),
        ({"isr": [FIRST_ID, 1]}, "not (1000, 0, "),
        ({"leader_epoch": 1}, "are (1000, 1, "),
        ({"partition_index": 5_000}, "partition 5000 was not asked about"),
    ],
)
async def test_every_partition_of_an_answer_is_checked(changed, error):
    """An answer that states another result is an error, with what it states."""
    (first, *_), _ = await sources(10)
    _, request = decode_request(first.next()[4:])
    assert error in first.judge(encode_response(0, altered(request, **changed), VERSION))


async def test_an_answer_that_leaves_a_partition_out_is_an_error():
    """As is one of the request as a whole."""
    (first, *_), _ = await sources(10)
    _, request = decode_request(first.next()[4:])
    request.topics[0].partitions.pop()
    assert first.judge(encode_response(0, altered(request), VERSION)) == "1 partitions are not in the answer"
    first.next()
    assert first.judge(encode_response(0, rpc.AlterPartitionResponse(error_code=77), VERSION)) == "error 77"


async def test_a_run_of_all_sizes_has_no_errors():
    """The state of each partition goes on from the warm-up through all cases."""
    async with Scripted(dict(ANSWERS)) as system, registered(system, 4) as fleet:
        warm_up, *cases = alterations(fleet, await lead(fleet), (1, 50), 0.2, 0.0)
        rows = await measure_cases(system, 1, fleet, cases, warm_up=warm_up, unit=UNIT, print_progress=lambda _: None)
    assert [row.work for row in rows] == ["1 partition a request, 4 brokers", "50 partitions a request, 4 brokers"]
    assert all(row.figures["partitions/s"] > 0 == row.figures["errors"] for row in rows)
