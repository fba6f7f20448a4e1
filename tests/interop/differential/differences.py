"""Where kraftpy differs from Kafka on purpose: each difference by name, with a predicate and its reason.

Some predicates claim more than their difference, because it changes what follows in the same request:
``growing-an-uneven-topic``, ``duplicate-quota-entity``, ``offset-of-an-unfenced-broker``,
``allow-downgrade-of-version-0``. They hide other mistakes in such requests. The others claim what is about the rows and
the state of their difference alone.

A difference that never occurs in a long run is reported: either it is none any more, or nothing asks for it. One that
leaves different states ends its episode.

One request may meet several differences. Where each is about other quota entities or config resources, their
``excuses`` say which, and what was written or is the state may differ in any of these (``claimed_by``).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from kraftpy.image.configs import ConfigsImage
from kraftpy.image.image import MetadataImage
from kraftpy.image.partitions import LEADER_UNCHANGED, PartitionRegistration
from kraftpy.image.topics import TopicsImage
from kraftpy.model.ids import METADATA_TOPIC
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import BrokerRegistrationChangeRecord, ClearElrRecord, PartitionChangeRecord
from tests.interop.differential.comparing import Mismatch


@dataclass(frozen=True, slots=True)
class Case:
    """What was asked, and of which state."""

    message: Message
    before: MetadataImage


Entity = tuple[tuple[str, str | None], ...]
Resource = tuple[int, str]


def _nothing(case: Case) -> set[Any]:
    del case
    return set()


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference on purpose.

    Attributes:
        claims: whether a mismatch in what a request came to is this difference.
        reason: why it is right.
        excuses: the quota entities or config resources of a request whose changes may differ by it.
    """

    name: str
    claims: Callable[[Case, Mismatch], bool]
    reason: str
    excuses: Callable[[Case], set[Any]] = _nothing


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


def _no_loggers(case: Case, found: Mismatch) -> bool:
    del case
    return (
        found.rows is not None
        and getattr(found.rows[1], "resource_type", None) == LOGGER
        and found.where.endswith(("error_code", "error_message"))
        and (
            found.theirs == INVALID_REQUEST
            or str(found.theirs).startswith(
                (
                    "Unexpected node id.",
                    "Unexpected broker id",
                    "Unexpected resource type BROKER_LOGGER",
                    "Duplicate resource.",
                )
            )
        )
    )


def _type_twice(case: Case, found: Mismatch) -> bool:
    """Kafka answers and writes an entity of which it kept the last part of a type."""
    return _of_entity(found, _entities_of_a_type_twice(case))


def _entities_of_a_type_twice(case: Case) -> set[Entity]:
    meant = _entities(case, lambda entity: len({kind for kind, _ in entity}) < len(entity))
    return meant | {tuple(sorted(dict(parts).items(), key=repr)) for one in meant for parts in (one, one[::-1])}


def _first_failed_feature(case: Case, found: Mismatch) -> bool:
    text = "The update failed for all features since the following feature had an error: "
    return (
        isinstance(case.message, rpc.UpdateFeaturesRequest)
        and len(case.message.feature_updates) > 1
        and found.where == "answer.error_message"
        and str(found.theirs).startswith(text)
        and str(found.ours).startswith(text)
    )


def _text_of_success(case: Case, found: Mismatch) -> bool:
    return (
        isinstance(case.message, rpc.UpdateFeaturesRequest)
        and found.where.endswith("error_message")
        and found.theirs == "NONE"
        and found.ours is None
    )


def _longer_text(case: Case, found: Mismatch) -> bool:
    del case
    return (
        found.where.endswith("error_message")
        and found.theirs is not None
        and found.ours is not None
        and (found.theirs.startswith(LONGER_TEXTS) or GROUP_BOUND.fullmatch(found.theirs) is not None)
        and found.ours.startswith(found.theirs.removesuffix("."))
    )


def _null_value(case: Case, found: Mismatch) -> bool:
    return _of_refused(found, _resources_with_null(case))


def _resources_with_null(case: Case) -> set[Resource]:
    message = case.message
    if not isinstance(message, rpc.IncrementalAlterConfigsRequest):
        return set()
    return {
        (each.resource_type, each.resource_name)
        for each in message.resources
        if any(one.value is None and one.config_operation != DELETE for one in each.configs)
    }


def _broker_values(case: Case, found: Mismatch) -> bool:
    """Kafka sets what we refuse, or refuses it for another reason."""
    if not any(each.resource_type == BROKER for each in getattr(case.message, "resources", ())):
        return False
    if found.where == "records":
        theirs, ours = _contents(found.theirs), _contents(found.ours)
        more = [each for each in theirs if each not in ours]
        return all(each in theirs for each in ours) and all(
            isinstance(each, ClearElrRecord) or getattr(each, "resource_type", 0) == BROKER for each in more
        )
    if found.where == "state.configs":
        return _without_brokers(found.theirs) == _without_brokers(found.ours)
    return (
        found.rows is not None
        and all(getattr(each, "resource_type", 0) == BROKER for each in found.rows)
        and found.where.endswith(("error_code", "error_message"))
        and found.rows[1].error_code == INVALID_CONFIG
    )


def _first_wrong_config(case: Case, found: Mismatch) -> bool:
    """Both refuse a resource of several keys, for different ones of them."""
    message = case.message
    if not isinstance(message, rpc.AlterConfigsRequest | rpc.IncrementalAlterConfigsRequest) or found.rows is None:
        return False
    theirs, ours = found.rows
    keys = {
        one.name
        for each in message.resources
        if (each.resource_type, each.resource_name) == (ours.resource_type, ours.resource_name)
        for one in each.configs
    }
    return bool(theirs.error_code and ours.error_code) and _names_another(keys, theirs, ours)


def _config_twice(case: Case, found: Mismatch) -> bool:
    return _of_refused(found, _resources_with_a_key_twice(case))


def _resources_with_a_key_twice(case: Case) -> set[Resource]:
    message = case.message
    if not isinstance(message, rpc.IncrementalAlterConfigsRequest):
        return set()
    return {
        (each.resource_type, each.resource_name)
        for each in message.resources
        if len({one.name for one in each.configs}) < len(each.configs)
    }


def _removed_from_elr(case: Case, found: Mismatch) -> bool:
    """Nothing differs but the eligible leader replicas of a partition whose reassignment ends."""
    if not isinstance(case.message, rpc.AlterPartitionRequest | rpc.AlterPartitionReassignmentsRequest):
        return False
    if found.where == "state.topics":
        return _without_elrs(found.theirs) == _without_elrs(found.ours)
    return found.where == "records" and _without_elr_changes(found.theirs) == _without_elr_changes(found.ours)


def _uneven_topic(case: Case, found: Mismatch) -> bool:
    if not isinstance(case.message, rpc.CreatePartitionsRequest):
        return False
    topics = (case.before.topics.named(each.name) for each in case.message.topics)
    uneven = any(
        len({len(one.replicas) for one in each.partitions.values()}) > 1 for each in topics if each is not None
    )
    return uneven and found.where != "forms"


def _other_words(case: Case, found: Mismatch) -> bool:
    del case
    return found.where.endswith("error_message") and any(
        theirs.search(str(found.theirs)) and ours.search(str(found.ours)) for theirs, ours in OTHER_WORDS
    )


def _unknown_type_twice(case: Case, found: Mismatch) -> bool:
    message = case.message
    return (
        isinstance(message, rpc.IncrementalAlterConfigsRequest)
        and [each.resource_type for each in message.resources] in ([0, 0], [8, 8])
        and found.where == "answer.responses"
    )


def _empty_salt(case: Case, found: Mismatch) -> bool:
    """Kafka does all that is asked of a user of whom one credential has no salt; we refuse that user."""
    message = case.message
    if not isinstance(message, rpc.AlterUserScramCredentialsRequest):
        return False
    users = {each.name for each in message.upsertions if not each.salt}
    if found.where == "records":
        return [each for each in _contents(found.theirs) if each.name not in users] == _contents(found.ours)
    if found.where == "state.scram":
        theirs, ours = (
            {user: one for user, one in each.credentials.items() if user.name not in users}
            for each in (found.theirs, found.ours)
        )
        return theirs == ours
    return found.rows is not None and found.rows[1].user in users and bool(found.rows[1].error_code)


def _host_name(case: Case, found: Mismatch) -> bool:
    """Kafka sets limits of an ip that is a name, and refuses such an entity for another reason."""
    return _of_entity(found, _entities_of_host_names(case))


def _entities_of_host_names(case: Case) -> set[Entity]:
    return _entities(case, lambda entity: {"localhost", "not an address"} & {name for _, name in entity})


def _metadata_topic(case: Case, found: Mismatch) -> bool:
    return _of_refused(found, _metadata_topic_alone(case))


def _metadata_topic_alone(case: Case) -> set[Resource]:
    message = case.message
    if not isinstance(message, rpc.AlterConfigsRequest | rpc.IncrementalAlterConfigsRequest):
        return set()
    return {_resource(each) for each in message.resources} & {(TOPIC, METADATA_TOPIC)}


def _reassigned_again(case: Case, found: Mismatch) -> bool:
    """A partition that is reassigned is reassigned again, or that is cancelled with no former replica in the ISR."""
    if not isinstance(case.message, rpc.AlterPartitionReassignmentsRequest):
        return False
    excused = _partitions_reassigned_again(case)
    if found.where == "records":
        theirs, ours = (
            [each for each in _contents(side) if (each.topic_id, each.partition_id) not in excused]
            for side in (found.theirs, found.ours)
        )
        return theirs == ours
    if found.where == "state.topics":
        return _partitions_without(found.theirs, excused) == _partitions_without(found.ours, excused)
    return (
        bool(excused)
        and found.where.startswith("answer.responses")
        and found.rows is not None
        and found.rows[1].name in {case.before.topics.by_id[topic_id].name for topic_id, _ in excused}
    )


def _partitions_reassigned_again(case: Case) -> set[tuple[bytes, int]]:
    message = case.message
    excused: set[tuple[bytes, int]] = set()
    if not isinstance(message, rpc.AlterPartitionReassignmentsRequest):
        return excused
    for topic in message.topics:
        named = case.before.topics.named(topic.name)
        for row in topic.partitions:
            one = None if named is None else named.partitions.get(row.partition_index)
            if named is None or one is None or not (one.adding_replicas or one.removing_replicas):
                continue
            if row.replicas is not None or not set(one.isr) - set(one.adding_replicas):
                excused.add((named.id, row.partition_index))
    return excused


def _reassigned_again_and_removed(case: Case, found: Mismatch) -> bool:
    """Some partitions are reassigned again, and of the others nothing differs but the eligible leader replicas."""
    excused = _partitions_reassigned_again(case)
    if not excused:
        return False
    if found.where == "records":
        theirs, ours = (
            [
                each
                for each in _without_elr_changes(side)
                if not isinstance(each, PartitionChangeRecord) or (each.topic_id, each.partition_id) not in excused
            ]
            for side in (found.theirs, found.ours)
        )
        return theirs == ours
    if found.where != "state.topics":
        return False
    kept, left = (
        {
            place: partition._replace(elr=(), partition_epoch=0)
            for place, partition in _partitions_without(side, excused).items()
        }
        for side in (found.theirs, found.ours)
    )
    return kept == left


def _not_finite(case: Case, found: Mismatch) -> bool:
    """Kafka sets limits that are none, and judges another key of such an entity first."""
    return _of_entity(found, _entities_with_no_limit(case))


def _entities_with_no_limit(case: Case) -> set[Entity]:
    message = case.message
    if not isinstance(message, rpc.AlterClientQuotasRequest):
        return set()
    return {
        _entity(entry)
        for entry in message.entries
        if any(not math.isfinite(op.value) and not op.remove for op in entry.ops)
    }


def _first_wrong_key(case: Case, found: Mismatch) -> bool:
    """Both refuse an entity, for different ones of its keys."""
    message = case.message
    if not isinstance(message, rpc.AlterClientQuotasRequest) or found.rows is None:
        return False
    theirs, ours = found.rows
    keys = {op.key for each in message.entries if _entity(each) == _entity(ours) for op in each.ops}
    return bool(theirs.error_code and ours.error_code) and _names_another(keys, theirs, ours)


def _key_twice(case: Case, found: Mismatch) -> bool:
    """Both refuse an entity of which a key is named twice."""
    message = case.message
    if not isinstance(message, rpc.AlterClientQuotasRequest) or found.rows is None:
        return False
    return (
        found.where.endswith("error_message")
        and str(found.theirs).startswith("Ignoring duplicate entity ")
        and bool(found.rows[1].error_code)
        and any(
            len({op.key for op in each.ops}) < len(each.ops)
            for each in message.entries
            if _entity(each) == _entity(found.rows[1])
        )
    )


def _applied_first(case: Case, found: Mismatch) -> bool:
    """We keep what Kafka changes although it answers that it ignores the entity."""
    return found.where in CHANGES and _of_entity(found, _entities_named_twice(case))


def _entities_named_twice(case: Case) -> set[Entity]:
    message = case.message
    if not isinstance(message, rpc.AlterClientQuotasRequest):
        return set()
    times = Counter(map(_entity, message.entries))
    return {entity for entity, count in times.items() if count > 1}


def _text_of_twice(case: Case, found: Mismatch) -> bool:
    """The order of an entity's parts in a text is that of a hash table."""
    del case
    begins = "Ignoring duplicate entity ", "Duplicate quota key "
    return (
        found.where.endswith("error_message")
        and str(found.theirs).startswith(begins)
        and sorted(str(found.theirs)) == sorted(str(found.ours))
    )


def _allowed_downgrade(case: Case, found: Mismatch) -> bool:
    del found
    message = case.message
    return isinstance(message, rpc.UpdateFeaturesRequest) and any(
        each.allow_downgrade for each in message.feature_updates
    )


def _own_levels(case: Case, found: Mismatch) -> bool:
    message = case.message
    return (
        isinstance(message, rpc.UpdateFeaturesRequest)
        and any(each.feature == "metadata.version" for each in message.feature_updates)
        and found.where == "answer.error_message"
        and bool(found.ours and found.theirs)
    )


def _no_documentation(case: Case, found: Mismatch) -> bool:
    del case
    return found.where.endswith(".documentation") and found.ours is None and isinstance(found.theirs, str)


def _own_configs(case: Case, found: Mismatch) -> bool:
    message = case.message
    return (
        isinstance(message, rpc.DescribeConfigsRequest)
        and any(each.resource_type == BROKER and each.resource_name in {"", "1"} for each in message.resources)
        and ".configs" in found.where
    )


def _unclean_at_once(case: Case, found: Mismatch) -> bool:
    """Ours elected, after the request was decided, where there was no leader; a topic may allow that now."""
    message = case.message
    if isinstance(message, rpc.IncrementalAlterConfigsRequest):
        if not any(one.name == UNCLEAN for each in message.resources for one in each.configs):
            return False
    elif not isinstance(message, rpc.AlterConfigsRequest):
        return False
    leaderless = _those(case.before, lambda partition: partition.leader is None)
    return _changes_more(found.ours, found.theirs, found.where, leaderless, _is_unclean)


def _unclean_at_unfencing(case: Case, found: Mismatch) -> bool:
    """Kafka elected where there was no leader, and the broker that was unfenced has no replica."""
    message = case.message
    if not isinstance(message, rpc.BrokerHeartbeatRequest):
        return False
    leaderless = _those(
        case.before, lambda partition: partition.leader is None and message.broker_id not in partition.replicas
    )
    return _changes_more(found.theirs, found.ours, found.where, leaderless, _is_unclean)


def _completed_by_election(case: Case, found: Mismatch) -> bool:
    """Kafka completed a reassignment, and elected no leader."""
    if not isinstance(case.message, rpc.ElectLeadersRequest):
        return False
    moving = _those(case.before, lambda partition: bool(partition.adding_replicas or partition.removing_replicas))
    if found.where.startswith("answer.replica_election_results") and found.rows is not None:
        topic_id = case.before.topics.ids_by_name.get(found.rows[0].topic)
        theirs, ours = ({one.partition_id: one.error_code for one in row.partition_result} for row in found.rows)
        claimed = {(topic_id, number) for number, error in theirs.items() if not error and ours.get(number)}
        return bool(claimed) and claimed <= moving and found.theirs in (0, None) and bool(found.ours)
    return _changes_more(
        found.theirs, found.ours, found.where, moving, lambda record: record.leader == LEADER_UNCHANGED
    )


def _those(image: MetadataImage, of: Callable[[PartitionRegistration], bool]) -> set[tuple[bytes, int]]:
    return {
        (topic.id, number)
        for topic in image.topics.by_id.values()
        for number, partition in topic.partitions.items()
        if of(partition)
    }


def _is_unclean(record: PartitionChangeRecord) -> bool:
    return record.leader_recovery_state == 1


def _changes_more(
    more: Any,
    less: Any,
    where: str,
    partitions: set[tuple[bytes, int]],
    is_extra: Callable[[PartitionChangeRecord], bool],
) -> bool:
    """Whether one side's records, or the state after them, have changes of such partitions that the other's lack."""
    if where == "records":
        left = [
            each
            for each in _contents(more)
            if not (
                isinstance(each, PartitionChangeRecord)
                and (each.topic_id, each.partition_id) in partitions
                and is_extra(each)
            )
        ]
        return len(left) < len(more) and left == _contents(less)
    return where == "state.topics" and _partitions_without(more, partitions) == _partitions_without(less, partitions)


def _directory_not_online(case: Case, found: Mismatch) -> bool:
    """Kafka changes the directory and then the ISR; what comes of it differs in the partition's epochs alone."""
    if not isinstance(case.message, rpc.AssignReplicasToDirsRequest):
        return False
    if found.where == "state.topics":
        assigned = _partitions_assigned(case.message)
        others = _partitions_without(found.theirs, assigned) == _partitions_without(found.ours, assigned)
        return others and _without_epochs(found.theirs) == _without_epochs(found.ours)
    return found.where == "records" and len(found.theirs) > len(found.ours)


def _partitions_assigned(message: rpc.AssignReplicasToDirsRequest) -> set[tuple[bytes, int]]:
    return {
        (topic.topic_id, one.partition_index)
        for directory in message.directories
        for topic in directory.topics
        for one in topic.partitions
    }


def _leads_in_new_directory(case: Case, found: Mismatch) -> bool:
    """Ours elected, where there was no leader, the replica whose directory the request assigns."""
    message = case.message
    if not isinstance(message, rpc.AssignReplicasToDirsRequest):
        return False
    assigned = _partitions_assigned(message)
    elected = assigned & _those(case.before, lambda one: one.leader is None and message.broker_id in one.replicas)
    if found.where == "records":
        theirs, ours = (
            [(each.topic_id, each.partition_id, each.directories) for each in _contents(side)]
            for side in (found.theirs, found.ours)
        )
        differ = [each for each in _contents(found.ours) if each not in _contents(found.theirs)]
        return theirs == ours and all(
            each.leader == message.broker_id and (each.topic_id, each.partition_id) in elected for each in differ
        )
    return (
        bool(elected)
        and found.where == "state.topics"
        and _partitions_without(found.theirs, elected) == _partitions_without(found.ours, elected)
    )


def _default_of_another_time(case: Case, found: Mismatch) -> bool:
    """Both say that the value is the cluster's default, and ours shows that."""
    if not isinstance(case.message, rpc.DescribeConfigsRequest) or found.rows is None:
        return False
    rows = [{one.name: one for one in each.configs}.get(MIN_ISR) for each in found.rows]
    return (
        found.where.endswith(".value")
        and all(one is not None and one.config_source == OF_ALL_BROKERS for one in rows)
        and (found.theirs, found.ours) == tuple(one.value for one in rows if one is not None)
        and found.ours == case.before.configs.broker(None).get(MIN_ISR)
    )


def _unknown_config_type(case: Case, found: Mismatch) -> bool:
    message = case.message
    return (
        isinstance(message, rpc.DescribeConfigsRequest)
        and any(each.resource_type not in {2, 4, 8, 16, 32} for each in message.resources)
        and found.where.startswith("answer.results[")
    )


def _names_another(keys: set[str], theirs: Any, ours: Any) -> bool:
    """Whether the texts of two rows each name a key that the other does not; the empty key is named at the end."""
    texts = [str(each.error_message) for each in (theirs, ours)]
    named = [
        {
            key
            for key in keys
            if (re.search(rf"(?<![\w.]){re.escape(key)}(?!\w|\.\w)", text) if key else text[-1:] == " ")
        }
        for text in texts
    ]
    return bool(named[0] - named[1] and named[1] - named[0])


def _entity(row: Any) -> tuple[tuple[str, str | None], ...]:
    return tuple(sorted(((part.entity_type, part.entity_name) for part in row.entity), key=repr))


def _entities(case: Case, is_meant: Callable[[Entity], object]) -> set[Entity]:
    """Return such entities of the request."""
    message = case.message
    if not isinstance(message, rpc.AlterClientQuotasRequest):
        return set()
    return {entity for entity in map(_entity, message.entries) if is_meant(entity)}


def _of_entity(found: Mismatch, meant: set[Entity]) -> bool:
    """Whether a mismatch is about these entities alone, which ours refused."""
    if not meant:
        return False
    if found.where in CHANGES:
        return _same_but_for_entities(found, meant)
    return (
        found.rows is not None and all(_entity(each) in meant for each in found.rows) and bool(found.rows[1].error_code)
    )


def _same_but_for_entities(found: Mismatch, meant: set[Entity]) -> bool:
    """Compare the records, or the quotas after them, of all other entities."""
    if found.where == "records":
        return [each for each in _contents(found.theirs) if _entity(each) not in meant] == _contents(found.ours)
    theirs, ours = (
        {one: limits for one, limits in side.entities.items() if tuple(sorted(one, key=repr)) not in meant}
        for side in (found.theirs, found.ours)
    )
    return theirs == ours


def _of_refused(found: Mismatch, resources: set[Resource]) -> bool:
    """Whether a mismatch is about the configs of these resources alone, of which ours changed none."""
    if not resources:
        return False
    if found.where == "records" and any(_resource(each) in resources for each in _contents(found.ours)):
        return False
    if found.where in CHANGES:
        return _same_but_for_resources(found, resources)
    return (
        found.rows is not None
        and found.where.endswith(("error_code", "error_message"))
        and _resource(found.rows[1]) in resources
        and bool(found.rows[1].error_code)
    )


def _resource(row: Any) -> Resource | None:
    """Return what a row or a record is about, if that is a resource."""
    named = hasattr(row, "resource_type") and hasattr(row, "resource_name")
    return (row.resource_type, row.resource_name) if named else None


def _same_but_for_resources(found: Mismatch, resources: set[Resource]) -> bool:
    """Compare the records, or the configs after them, of all other resources."""
    if found.where == "records":
        theirs, ours = (
            [
                each
                for each in _contents(side)
                if not isinstance(each, ClearElrRecord) and _resource(each) not in resources
            ]
            for side in (found.theirs, found.ours)
        )
        return theirs == ours
    left = (
        {
            (kind, name): dict(values)
            for kind, named in side.by_type.items()
            for name, values in named.items()
            if (kind, name) not in resources
        }
        for side in (found.theirs, found.ours)
    )
    return next(left) == next(left)


def _resources_of_brokers(case: Case) -> set[Resource]:
    message = case.message
    if not isinstance(message, rpc.AlterConfigsRequest | rpc.IncrementalAlterConfigsRequest):
        return set()
    return {(BROKER, each.resource_name) for each in message.resources if each.resource_type == BROKER}


def _without_brokers(configs: ConfigsImage) -> object:
    return {kind: resources for kind, resources in configs.by_type.items() if kind != BROKER}


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


def _partitions_without(
    topics: TopicsImage, excused: set[tuple[bytes, int]]
) -> dict[tuple[bytes, int], PartitionRegistration]:
    return {
        (topic.id, number): partition
        for topic in topics.by_id.values()
        for number, partition in topic.partitions.items()
        if (topic.id, number) not in excused
    }


def _without_epochs(topics: TopicsImage) -> object:
    """Take the ELRs out, and the epochs, which grow with each change and each election."""
    return {
        (one.name, number): partition._replace(elr=(), partition_epoch=0, leader_epoch=0)
        for one in topics.by_id.values()
        for number, partition in one.partitions.items()
    }


def _without_elrs(topics: TopicsImage) -> object:
    """Take the ELRs out, and the partition epochs, which grow with each change."""
    return {
        (one.name, number): partition._replace(elr=(), partition_epoch=0)
        for one in topics.by_id.values()
        for number, partition in one.partitions.items()
    }


GROUP_BOUND: Final = re.compile(
    r"\S+ must be (greater|less) than or equal to group\.\S+|\S+\.session\.timeout\.ms must be greater than \S+"
)
LONGER_TEXTS: Final = (
    "When updating cordoned.log.dirs via controllers,  the new value must be a subset of the current configuration",
    "Broker-level min.insync.replicas cannot be altered while ELR is enabled",
    "Cluster-level min.insync.replicas cannot be removed while ELR is enabled",
    "Illegal client matching pattern",
    "The update failed for all features since the following feature had an error: Invalid update version",
    "Unable to parse broker name as a base 10 number",
)
"""Texts of Kafka's after which ours say more."""

CHANGES: Final = ("records", "state.client_quotas", "state.configs")
"""What ``excuses`` are about."""

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32
MIN_ISR: Final = "min.insync.replicas"
OF_ALL_BROKERS: Final = 3
"""The source of a value that is the default of all brokers (``DescribeConfigs``)."""
UNCLEAN: Final = "unclean.leader.election.enable"
INVALID_REQUEST: Final = 42
INVALID_CONFIG: Final = 40
NULL_VALUE: Final = "Null value not supported for: "
DELETE: Final = 1

OTHER_WORDS: Final = (
    (re.compile("cleanup.policy: String must be one of"), re.compile("cleanup.policy: String must be one of")),
    (re.compile("IP entity shouldnot be combined"), re.compile("IP entity should not be combined")),
    (
        re.compile("must be the literal '\\*' or a list of replicas"),
        re.compile("must be the literal '\\*' or a partition"),
    ),
)
"""Texts of Kafka's, and ours in their place."""

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
    Difference("no-loggers", _no_loggers, "kraftpy has no loggers whose levels Kafka's tools could set"),
    Difference(
        "quota-entity-type-twice",
        _type_twice,
        "an entity with two users is refused; Kafka keeps the last of them, whatever the client meant",
        _entities_of_a_type_twice,
    ),
    Difference(
        "first-failed-feature",
        _first_failed_feature,
        "of several features that cannot be updated ours names the first one of the request, Kafka the first one of a "
        "hash table",
    ),
    Difference("text-of-a-success", _text_of_success, "a success has no text; Kafka's has the text NONE"),
    Difference("text-says-more", _longer_text, "after Kafka's sentence ours names the value, the limit or the way out"),
    Difference(
        "unknown-config-type",
        _unknown_config_type,
        "DescribeConfigs of a type that does not exist has an error of its own; in Kafka it fails all others with it",
    ),
    Difference(
        "null-value",
        _null_value,
        "a key that is altered without a value is refused; Kafka's brokers do so, and its controller deletes the key",
        _resources_with_null,
    ),
    Difference(
        "first-wrong-config",
        _first_wrong_config,
        "of several wrong keys ours names the first one of the request or of the schema, Kafka one of a hash table",
    ),
    Difference(
        "config-key-twice",
        _config_twice,
        "a key that is altered twice is refused; Kafka's brokers do so, and its controller takes the last",
        _resources_with_a_key_twice,
    ),
    Difference(
        "removed-replica-leaves-elr",
        _removed_from_elr,
        "a replica that a reassignment removes leaves the ELR; Kafka keeps it, and added again it could lead "
        "without the records",
    ),
    Difference(
        "growing-an-uneven-topic",
        _uneven_topic,
        "where a reassignment left a topic's partitions different numbers of replicas, Kafka takes any of them for the "
        "number that new partitions have to have",
    ),
    Difference(
        "values-of-brokers",
        _broker_values,
        "the values of brokers' keys are judged here, because no broker forwards what our clients alter",
        _resources_of_brokers,
    ),
    Difference(
        "other-words",
        _other_words,
        "the same reason in words that say more, or without a typing error",
    ),
    Difference(
        "unknown-config-type-twice", _unknown_type_twice, "a resource that is named twice is refused for that first"
    ),
    Difference(
        "empty-salt",
        _empty_salt,
        "a credential without a salt protects nothing; Kafka takes it",
    ),
    Difference(
        "infinite-quota",
        _not_finite,
        "a limit that is no number, or infinite, is none; Kafka takes it",
        _entities_with_no_limit,
    ),
    Difference(
        "first-wrong-quota-key",
        _first_wrong_key,
        "of several wrong keys ours names the first one of the request, Kafka the first one of a hash table",
    ),
    Difference(
        "quota-key-twice",
        _key_twice,
        "ours names the key that is named twice, or a wrong one before it; Kafka says that the entity is named twice",
    ),
    Difference(
        "duplicate-quota-entity",
        _applied_first,
        "both answer that an entity that is named twice is ignored; Kafka makes the first of its changes all the same",
        _entities_named_twice,
    ),
    Difference("parts-of-an-entity-in-a-text", _text_of_twice, "Kafka's order is that of a hash table"),
    Difference(
        "allow-downgrade-of-version-0",
        _allowed_downgrade,
        "version 0 of UpdateFeatures allows a downgrade by a flag, which Kafka's controller does not read any more",
    ),
    Difference("own-levels", _own_levels, "kraftpy knows later metadata.versions than Kafka 4.3"),
    Difference("no-documentation", _no_documentation, "a config's documentation is in the project's, not in answers"),
    Difference(
        "configs-of-the-node",
        _own_configs,
        "of a node ours shows the dynamic values alone: its file may hold secrets under keys that Kafka does not have",
    ),
    Difference(
        "ip-host-name",
        _host_name,
        "an ip is an address; Kafka also takes a name that its controller can resolve, and limits nothing by it",
        _entities_of_host_names,
    ),
    Difference(
        "configs-of-the-metadata-topic",
        _metadata_topic,
        "no config of the metadata topic can be altered, which is said first; Kafka judges the keys before",
        _metadata_topic_alone,
    ),
    Difference(
        "reassigned-again",
        _reassigned_again,
        "a second reassignment is worked out from the replicas before the first, and a cancelled one may keep the "
        "eligible leader replicas; Kafka works it out from all replicas, and forgets that one is still being added",
    ),
    Difference(
        "unclean-election-at-once",
        _unclean_at_once,
        "where a config allows unclean elections from now on, ours holds them at once; Kafka does within five minutes",
    ),
    Difference(
        "unclean-election-at-unfencing",
        _unclean_at_unfencing,
        "when a broker is unfenced, leaders are elected for the partitions that have a replica on it; Kafka also holds "
        "the unclean elections of all others, which ours holds within ``leader.imbalance.check.interval.seconds``",
    ),
    Difference(
        "reassignment-completed-by-an-election",
        _completed_by_election,
        "an election that cannot be held changes nothing and is refused; in Kafka it succeeds without a new leader "
        "where a reassignment can be completed, and completes it",
    ),
    Difference(
        "directory-that-is-not-online",
        _directory_not_online,
        "a replica in a directory that is not online changes by one record; Kafka writes two",
    ),
    Difference(
        "leader-in-a-new-directory",
        _leads_in_new_directory,
        "a replica that is assigned to an online directory leads at once where there is no leader; Kafka looks at the "
        "directory that it had before, and elects when something else happens to the partition",
    ),
    Difference(
        "value-of-a-default",
        _default_of_another_time,
        "both say that ``min.insync.replicas`` is the default of all brokers; ours shows that, and Kafka in some "
        "histories the value before it was altered",
    ),
)


def _writes_what_kafka_does_not(found: Mismatch) -> bool:
    """Whether there is a record that Kafka has not: what is excused is refused here, or a part of what Kafka writes."""
    return found.where == "records" and not all(each in _contents(found.theirs) for each in _contents(found.ours))


def claimed_by(case: Case, found: Mismatch) -> list[str]:
    """Name the differences that a mismatch is: one of them, or several in one request, each about rows of its own."""
    alone = [one.name for one in DIFFERENCES if one.claims(case, found)]
    if not alone and _reassigned_again_and_removed(case, found):
        return ["reassigned-again", "removed-replica-leaves-elr"]
    if alone or found.where not in CHANGES or _writes_what_kafka_does_not(found):
        return alone
    excused = {one.name: rows for one in DIFFERENCES if (rows := one.excuses(case))}
    of_quotas = isinstance(case.message, rpc.AlterClientQuotasRequest)
    same_but_for = _same_but_for_entities if of_quotas else _same_but_for_resources
    return [*excused] if len(excused) > 1 and same_but_for(found, set().union(*excused.values())) else []
