"""Where kraftpy differs from Kafka on purpose: each difference by name, as narrow as it can be said, with its reason.

A difference that never occurs in a long run is reported: either it is none any more, or nothing asks for it. One that
leaves different states ends its episode.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from kraftpy.image.image import MetadataImage
from kraftpy.image.topics import TopicsImage
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import BrokerRegistrationChangeRecord, PartitionChangeRecord
from tests.interop.differential.comparing import Mismatch


@dataclass(frozen=True, slots=True)
class Case:
    """What was asked, and of which state."""

    message: Message
    before: MetadataImage


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference on purpose.

    Attributes:
        claims: whether a mismatch in what a request came to is this difference.
        reason: why it is right.
    """

    name: str
    claims: Callable[[Case, Mismatch], bool]
    reason: str


def _change_of_registration(case: Case, found: Mismatch) -> bool:
    del case
    return found.where == "forms" and all(
        one.form == other.form or (one.form in {"17v0", "17v1"} and other.form.startswith("17v"))
        for one, other in zip(found.theirs, found.ours, strict=True)
    )


def _fenced_again(case: Case, found: Mismatch) -> bool:
    message = case.message
    return (
        isinstance(message, rpc.BrokerHeartbeatRequest)
        and message.want_shut_down
        and found.where == "records"
        and _contents(found.theirs)
        == [BrokerRegistrationChangeRecord(message.broker_id, message.broker_epoch, fenced=1)]
        and not found.ours
    )


def _shut_down_at_once(case: Case, found: Mismatch) -> bool:
    message = case.message
    if not isinstance(message, rpc.BrokerHeartbeatRequest):
        return False
    broker = case.before.cluster.brokers.get(message.broker_id)
    if broker is None or not broker.in_controlled_shutdown:
        return False
    change = BrokerRegistrationChangeRecord(message.broker_id, message.broker_epoch, fenced=1)
    return (
        (found.where in {"answer.is_fenced", "answer.should_shut_down"} and found.ours)
        or (found.where == "records" and not found.theirs and _contents(found.ours) == [change])
        or found.where == "state.cluster"
    )


def _named_twice(case: Case, found: Mismatch) -> bool:
    text = "The provided topic id is that of a topic whose name was supplied as well."
    return (
        isinstance(case.message, rpc.DeleteTopicsRequest)
        and found.where == "answer.responses"
        and not found.theirs
        and all(each.error_message == text for each in found.ours)
    )


def _unregistered_elr(case: Case, found: Mismatch) -> bool:
    if not isinstance(case.message, rpc.UnregisterBrokerRequest):
        return False
    if found.where == "state.topics":
        return _without_elrs(found.theirs) == _without_elrs(found.ours)
    theirs, ours = (_without_elr_changes(each) for each in (found.theirs, found.ours))
    return found.where == "records" and theirs == ours


def _contents(records: list[Any]) -> list[Any]:
    return [each.content for each in records]


def _without_elr_changes(records: list[Any]) -> list[Any]:
    """Take the ELRs out of changes, and the changes that say nothing else."""
    left = [
        replace(each, eligible_leader_replicas=None) if isinstance(each, PartitionChangeRecord) else each
        for each in _contents(records)
    ]
    return [
        each
        for each in left
        if not isinstance(each, PartitionChangeRecord)
        or each != PartitionChangeRecord(each.partition_id, each.topic_id)
    ]


def _without_elrs(topics: TopicsImage) -> object:
    """Take the ELRs out, and the partition epochs, which grow with each change."""
    return {
        (one.name, number): replace(partition, elr=(), partition_epoch=0)
        for one in topics.by_id.values()
        for number, partition in one.partitions.items()
    }


DIFFERENCES: Final = (
    Difference(
        "change-of-registration-version",
        _change_of_registration,
        "Kafka writes a BrokerRegistrationChangeRecord that fences in version 0 and one of a controlled shutdown in "
        "version 1, whatever the level; ours is in the version of the level, as all records are",
    ),
    Difference(
        "fenced-broker-shuts-down",
        _fenced_again,
        "a fenced broker that asks to shut down may; Kafka writes once more that it is fenced",
    ),
    Difference(
        "offset-of-an-unfenced-broker",
        _shut_down_at_once,
        "a broker that shuts down may when all active brokers have read that it leads nothing; the heartbeat that "
        "unfences a broker says what it has read, which Kafka forgets until the next heartbeat of that broker",
    ),
    Difference(
        "topic-named-by-name-and-id",
        _named_twice,
        "every topic that DeleteTopics names has a result; Kafka leaves out the id of one that is named twice, whose "
        "client then waits for a result that does not come",
    ),
    Difference(
        "unregistered-broker-leaves-elr",
        _unregistered_elr,
        "an id that is not registered cannot be eligible; Kafka keeps it in the ELR",
    ),
)
