"""``kraftpy cluster ok-to-stop``: whether a node can be stopped now, asked of the leader over gRPC.

For a controller the voters decide, for a broker the partitions, for a node that is both, both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from kraftpy.cli.cluster_port import Read
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.options import NODE_ID, connection_options, output_option
from kraftpy.cli.output import Output, show
from kraftpy.model.consistency import Consistency

if TYPE_CHECKING:
    from kraftpy.client.values import ClusterInfo, QuorumInfo, Topics
    from kraftpy.quorum_tools.broker_stop import BrokerStop, TopicPartition

NAMED_MAX: Final = 10
"""The number of partitions that the text names; the JSON has all."""


@examples(
    "kraftpy cluster ok-to-stop 4 -C localhost:9193",
)
@click.command("ok-to-stop")
@click.argument("node_id", type=NODE_ID, metavar="NODE")
@connection_options
@output_option
def ok_to_stop(bootstrap: tuple[str, ...], timeout: float, output: Output, node_id: int) -> None:
    """Check whether this node can be stopped now; exit with 3 when it cannot.

    A controller can be stopped when the other voters keep a majority. A broker can be stopped when every partition
    keeps a leader and min.insync.replicas without it.
    """
    from kraftpy.cli.connection import connect

    read = Read(Consistency.LINEARIZABLE, None)
    with connect(bootstrap, timeout) as connected:
        cluster = connected.describe_cluster(read)
        is_broker = any(broker.broker_id == node_id for broker in cluster.brokers)
        topics = connected.describe_topics([], read) if is_broker else None
        quorum = connected.describe_quorum()
    data = _judge(node_id, cluster, quorum, topics)
    show(output, data, [f"{'yes' if data['okToStop'] else 'no'}: {data['reason']}"])
    if not data["okToStop"]:
        raise SystemExit(ExitCode.FINDINGS)


def _judge(node_id: int, cluster: ClusterInfo, quorum: QuorumInfo, topics: Topics | None) -> dict[str, Any]:
    """Decide for every role of the node; the reasons of all roles are joined."""
    from kraftpy.quorum_tools.broker_stop import broker_stop
    from kraftpy.quorum_tools.ok_to_stop import OkToStop
    from kraftpy.quorum_tools.ok_to_stop import ok_to_stop as decide

    answers: list[OkToStop] = []
    effect = None
    if topics is not None:
        live = {broker.broker_id for broker in cluster.brokers if not broker.fenced}
        effect = broker_stop(node_id, topics.topics, live)
        answers.append(OkToStop(effect.ok, _reason(node_id, effect)))
    is_voter = any(voter.key.node_id == node_id for voter in quorum.voters)
    if topics is None or is_voter:
        answers.append(decide(node_id, quorum.leader_id, quorum.voters, quorum.observers))
    return {
        "nodeId": node_id,
        "okToStop": all(answer.ok for answer in answers),
        "reason": "; ".join(answer.reason for answer in answers),
        "brokerStop": None if effect is None else _as_json(effect),
    }


def _as_json(effect: BrokerStop) -> dict[str, Any]:
    return {
        "replicaCount": effect.replicas,
        "leaderCount": effect.leads,
        "wouldBeOffline": _partitions(effect.would_be_offline),
        "wouldBeUnderMinIsr": _partitions(effect.would_be_under_min_isr),
        "offline": _partitions(effect.offline),
    }


def _partitions(found: Sequence[TopicPartition]) -> list[dict[str, Any]]:
    return [{"topic": each.topic, "partition": each.partition} for each in found]


def _reason(broker_id: int, effect: BrokerStop) -> str:
    parts = [f"replicas on broker {broker_id}: {effect.replicas}, leaders: {effect.leads}"]
    if effect.ok:
        parts.append("every partition keeps a leader and min.insync.replicas without it")
    if effect.would_be_offline:
        parts.append(f"without it {_listed(effect.would_be_offline)} would be offline")
    if effect.would_be_under_min_isr:
        parts.append(f"without it {_listed(effect.would_be_under_min_isr)} would be under min.insync.replicas")
    if effect.offline:
        parts.append(f"offline already: {_listed(effect.offline)}")
    return "; ".join(parts)


def _listed(partitions: Sequence[TopicPartition]) -> str:
    """Return the number of partitions, and the first of them by name."""
    more = f" and {len(partitions) - NAMED_MAX} more" if len(partitions) > NAMED_MAX else ""
    return f"{len(partitions)} ({', '.join(map(str, partitions[:NAMED_MAX]))}{more})"
