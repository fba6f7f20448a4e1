"""Topics on a real quorum: created, grown and deleted through its public API; the auditor judges the logs."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Final

import pytest

from kraftpy.client import values as v
from kraftpy.client.async_client import AsyncClient
from kraftpy.client.errors import UnknownOutcomeError
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ErrorCode, KraftError
from kraftpy.model.registrations import Listener, RegisterBroker, SupportedFeature
from tests.fakes.processes import eventually, kraftpy, running
from tests.fakes.unknown_outcomes import known_errors

NOW: Final = {"consistency": Consistency.LINEARIZABLE}
"""How a topic is read whose write may have been done by an earlier leader."""


async def test_a_quorum_keeps_topics_over_a_change_of_leader(tmp_path) -> None:
    """A topic is lost or half there after another leads, or the auditor finds something in the logs."""
    async with running(
        tmp_path, brokers=3, extra={"num.partitions": "2", "default.replication.factor": "3"}
    ) as cluster:
        await eventually(cluster.brokers, lambda one: one == dict.fromkeys((4, 5, 6), False), "brokers are unfenced")
        async with cluster.client() as client:
            new = [
                v.NewTopic(name="defaults"),
                v.NewTopic(name="large", partitions=2_500, replication_factor=2, configs={"retention.ms": "1000"}),
                v.NewTopic(name="by.hand", assignments={0: [6, 4], 1: [4, 5]}),
                v.NewTopic(name="no good", partitions=1),
            ]
            codes = await known_errors(
                client, lambda: client.create_topics(new), when_done=ErrorCode.TOPIC_ALREADY_EXISTS
            )
            assert codes == [0, 0, 0, ErrorCode.INVALID_TOPIC_EXCEPTION]
            made = (await client.describe_topics(["defaults"], **NOW)).topics[0]
            assert [len(one.replicas) for one in made.partitions] == [3, 3]
            assert await cluster.terminate(await cluster.leader()) == 0
            await grow(client)
            found = await client.describe_topics(**NOW)
            assert [(one.name, one.partition_count, len(one.partitions)) for one in found.topics] == [
                ("by.hand", 2, 2),
                ("defaults", 5, 5),
                ("large", 2_500, 2_500),
            ]
            assert found.topics[0].partitions[0].replicas == (6, 4)
            assert [one.partition for one in found.topics[2].partitions] == list(range(2_500))
            unknown_topic = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
            gone = await known_errors(client, lambda: client.delete_topics(["large"]), when_done=unknown_topic)
            missing = await client.delete_topics(["large", "ghost"], retry_unknown=True)
            assert (gone, [one.error for one in missing.outcomes]) == ([0], [unknown_topic] * 2)
            rest = await client.describe_topics(["large", "defaults"], **NOW)
            assert (rest.unknown, [one.name for one in rest.topics]) == (("large",), ["defaults"])
            twice = [v.NewTopic(name="a", partitions=10), v.NewTopic(name="a")]
            too_many = await client.create_topics(twice, retry_unknown=True)
            assert {one.message for one in too_many.outcomes} == {"Duplicate topic name."}
        # A checkpoint of epochs is complete in the files of a node that stopped in order.
        for node_id in (4, 5, 6, *cluster.running_controllers):
            assert await cluster.terminate(node_id) == 0
    audited = kraftpy("audit", tmp_path, "-o", "json")
    findings = json.loads(audited.stdout)["findings"]
    assert findings == [], audited.stdout


async def grow(client: AsyncClient) -> None:
    """Give a topic three partitions more, by a plan that says where each goes."""
    more, explained = [v.PartitionIncrease("defaults", 5)], v.Placement(placer="kip36", explain=True)
    planned = await client.create_partitions(more, placement=explained, validate_only=True)
    assert planned.outcomes[0].plan is not None
    assert [one.partition for one in planned.outcomes[0].plan.partitions] == [2, 3, 4]
    grown = await known_errors(
        client, lambda: client.create_partitions(more, placement=explained), when_done=ErrorCode.INVALID_PARTITIONS
    )
    assert grown == [0]


@pytest.mark.landing
async def test_a_huge_topic_is_created_as_a_whole_or_not_at_all(tmp_path) -> None:
    """Half a topic is left when its leader is killed, or a broker is fenced while it is created."""
    huge = v.NewTopic(name="huge", partitions=100_000, replication_factor=3)
    async with running(tmp_path, brokers=3) as cluster:
        await eventually(cluster.brokers, lambda one: one == dict.fromkeys((4, 5, 6), False), "brokers are unfenced")
        async with cluster.client() as client:
            before = (await client.describe_quorum()).high_watermark
            creating = asyncio.ensure_future(client.create_topics([huge], timeout_s=60.0))

            async def end() -> int:
                # A leader that was just elected does not know it yet.
                return (await client.describe_quorum()).high_watermark or 0

            await eventually(end, lambda one: one > before + 4_000, "a part of the topic is in the log")
            await cluster.kill(await cluster.leader())
            # Where the kill came after the last part, the next controller cannot know, and says so.
            with contextlib.suppress(KraftError, UnknownOutcomeError):
                await creating

            async def again() -> ErrorCode | None:
                """Ask under a new id until a controller knows; a busy machine may change it once more."""
                try:
                    return (await client.create_topics([huge], timeout_s=60.0)).outcomes[0].error
                except UnknownOutcomeError:
                    return None

            done = {ErrorCode.NONE, ErrorCode.TOPIC_ALREADY_EXISTS}
            await eventually(again, lambda error: error in done, "the topic is there")
            found = await client.describe_topics(["huge"], consistency=Consistency.LINEARIZABLE)
            assert found.topics[0].partition_count == 100_000
            assert await cluster.brokers() == dict.fromkeys((4, 5, 6), False)


def registration(broker_id: int, cluster_id: str | None) -> RegisterBroker:
    """Register a broker that does nothing else."""
    return RegisterBroker(
        broker_id=broker_id,
        cluster_id=cluster_id,
        incarnation_id=broker_id.to_bytes(16, "big"),
        listeners=(Listener("PLAINTEXT", "h", 9092, 0),),
        features=(SupportedFeature("metadata.version", 1, 100),),
        log_dirs=((1_000 + broker_id).to_bytes(16, "big"),),
    )


async def test_limits_of_requests_about_topics(tmp_path) -> None:
    """A request over a limit is rejected with the limit's name or number, and the node goes on."""
    async with running(tmp_path, controllers=1, brokers=1) as cluster:
        await eventually(cluster.brokers, lambda one: one == {2: False}, "the broker is unfenced")
        endpoint = cluster.node(1).grpc_endpoint
        async with cluster.client() as client:
            cluster_id = (await client.describe_cluster()).cluster_id
            for broker_id in range(100, 110):  # registered and fenced: enough for eleven replicas
                await client.register_broker(registration(broker_id, cluster_id))
        for arguments, text in (
            (("create", "--topic", "big", "--partitions", "100001"), "Excessively large number of partitions"),
            (("create", "--topic", "n" * 250), "longer than the max allowed length 249"),
            (("create", "--topic", "t", "--replication-factor", "11", "--partitions", "27300"), "300000 are allowed"),
        ):
            refused = kraftpy("topics", *arguments, "-C", endpoint)
            assert refused.returncode == 1, refused.stdout
            assert text in refused.stderr
        assert kraftpy("topics", "create", "--topic", "t", "-C", endpoint).stdout == "Created topic t.\n"
        refused = kraftpy("topics", "alter", "--topic", "t", "--partitions", str(2**31 - 1), "-C", endpoint)
        assert "excessively large batch" in refused.stderr
        assert kraftpy("topics", "list", "-C", endpoint).stdout == "t\n"
