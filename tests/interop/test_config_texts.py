"""Values with blanks, other forms of a number, and items that come twice: both take them, and describe them alike."""

from __future__ import annotations

import time

from kraftpy.model.errors import ErrorCode
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.generated import rpc
from tests.interop.cluster import CLUSTER_ID
from tests.interop.differential.cluster import running
from tests.interop.differential.judge import PATIENCE_S, Judge
from tests.interop.differential.side import Side
from tests.interop.jars import Jars
from tests.unit.config.test_config_texts import ODD_TEXTS

BROKER, TOPIC = 12, "users"
FEATURES = {
    "metadata.version": (7, 30), "kraft.version": (0, 1), "transaction.version": (0, 2), "group.version": (0, 1),
    "share.version": (0, 1), "streams.version": (0, 1), "eligible.leader.replicas.version": (0, 1),
}  # fmt: skip
NAMES = {ResourceType.TOPIC: TOPIC, ResourceType.CLIENT_METRICS: "one", ResourceType.GROUP: "g"}


def test_values_are_described_as_kafka_describes_them(jars: Jars) -> None:
    with running(jars) as judge:
        create_a_topic(judge)
        for kind, key, text, described in ODD_TEXTS:
            assert [alter(side, kind, key, text) for side in judge.sides] == [ErrorCode.NONE] * 2, (key, text)
            ours = describe(judge.sides[1], kind, key)
            # Kafka may answer from the state before the write for a moment.
            until = time.monotonic() + PATIENCE_S
            while (theirs := describe(judge.sides[0], kind, key)) != ours and time.monotonic() < until:
                pass
            assert theirs == ours, (key, text)
            assert theirs[0] == described, (key, text)


def create_a_topic(judge: Judge) -> None:
    """Register a broker with both, and create a topic of one partition."""
    ranges = [rpc.BrokerRegistrationRequestFeature(name, *levels) for name, levels in FEATURES.items()]
    for side in judge.sides:
        listener = rpc.BrokerRegistrationRequestListener(name="PLAINTEXT", host="localhost", port=9012)
        registered = side.ask(
            rpc.BrokerRegistrationRequest(
                broker_id=BROKER, cluster_id=CLUSTER_ID, incarnation_id=b"i" * 16, listeners=[listener],
                features=ranges, log_dirs=[b"d" * 16],
            ), 4,
        ).answer  # fmt: skip
        assert registered.error_code == ErrorCode.NONE
        beat = rpc.BrokerHeartbeatRequest(BROKER, registered.broker_epoch, current_metadata_offset=10**12)
        assert not side.ask(beat, 1).answer.is_fenced
        assigned = rpc.CreateTopicsRequestCreatableReplicaAssignment(partition_index=0, broker_ids=[BROKER])
        topic = rpc.CreateTopicsRequestCreatableTopic(TOPIC, -1, -1, assignments=[assigned])
        created = side.ask(rpc.CreateTopicsRequest([topic], timeout_ms=30_000), 7).answer
        assert created.topics[0].error_code == ErrorCode.NONE


def alter(side: Side, kind: ResourceType, key: str, text: str) -> int:
    row = rpc.IncrementalAlterConfigsRequestAlterableConfig(name=key, value=text)
    resource = rpc.IncrementalAlterConfigsRequestAlterConfigsResource(kind, NAMES[kind], [row])
    answer = side.ask(rpc.IncrementalAlterConfigsRequest([resource]), 1).answer
    code: int = answer.responses[0].error_code
    return code


def describe(side: Side, kind: ResourceType, key: str) -> list[str | None]:
    """Return the value, and those of its synonyms, of which the first is the resource's own."""
    resource = rpc.DescribeConfigsRequestDescribeConfigsResource(kind, NAMES[kind], [key])
    answer = side.ask(rpc.DescribeConfigsRequest([resource], include_synonyms=True), 4).answer
    (found,) = answer.results[0].configs
    return [found.value, *(each.value for each in found.synonyms)]
