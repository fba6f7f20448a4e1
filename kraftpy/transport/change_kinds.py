"""Which requests are administrative changes, and what each is about: a table, for their log lines.

A change is administrative when an operator or a client asks for it. What brokers and controllers ask for by themselves
is in :data:`BY_NODES`. Every request of the controller, and every one of Raft's, is in one of the two.

What a request is about is said in names and keys alone: of topics, brokers, users, principals, features. Values of
configs and quotas, salts, passwords and the HMACs of tokens are never looked at.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from kraftpy.controller.account_requests import AllocateProducerIds, AlterClientQuotas, AlterUserScramCredentials
from kraftpy.controller.acl_requests import CreateAcls, DeleteAcls
from kraftpy.controller.broker_id_requests import AlterBrokerHost, AssignBrokerId
from kraftpy.controller.delegation_token_requests import (
    CreateDelegationToken,
    ExpireDelegationToken,
    RenewDelegationToken,
)
from kraftpy.controller.partition_requests import (
    AlterPartition,
    AlterPartitionReassignments,
    AssignReplicasToDirs,
    ElectionType,
    ElectLeaders,
    ListPartitionReassignments,
)
from kraftpy.controller.requests import (
    BrokerHeartbeat,
    FeatureUpdateKind,
    IncrementalAlterConfigs,
    RegisterBroker,
    RegisterController,
    ReplaceConfigs,
    UnregisterBroker,
    UnregisterController,
    UpdateFeatures,
)
from kraftpy.controller.topic_requests import CreatePartitions, CreateTopics, DeleteTopics
from kraftpy.image.scram import MECHANISM_NAMES
from kraftpy.model.acls import AclOperation, AclResourceType, PatternType, PermissionType
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId, uuid_to_text
from kraftpy.model.resource_types import ResourceType
from kraftpy.raft.messages import (
    AddRaftVoterRequest,
    BeginQuorumEpochRequest,
    DescribeQuorumRequest,
    EndQuorumEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    KRaftVersionsRequest,
    RemoveRaftVoterRequest,
    UpdateRaftVoterRequest,
    VoteRequest,
)

PARTS_NAMED_MAX: Final = 10
"""How many keys of a resource, or partitions of a topic, are named."""


class TransferLeadership(NamedTuple):
    """Hand the leadership to a voter; a request of the public API that the replica handles."""

    node_id: NodeId


class ChangeKind(NamedTuple):
    """One kind of change.

    Attributes:
        name: of the request, as Kafka names it.
        items: what a request is about, of it and of the response, which is ``None`` when there is none.
        shown: one of these, as text of any length.
        codes: what became of each part of the request, from its response.
    """

    name: str
    items: Callable[[Any, Any], Sequence[Any]]
    shown: Callable[[Any], str] = str
    codes: Callable[[Any], Iterable[ErrorCode]] = lambda _: (ErrorCode.NONE,)


def some_of(items: Sequence[Any], count_max: int, shown: Callable[[Any], str]) -> list[str]:
    """Return the first of these as texts, and how many more there are."""
    named = [shown(item) for item in islice(items, count_max)]
    return named if len(items) <= count_max else [*named, f"and {len(items) - count_max} more"]


def _parts(items: Sequence[Any], shown: Callable[[Any], str] = str) -> str:
    return ", ".join(some_of(items, PARTS_NAMED_MAX, shown))


def _name(kind: type[enum.IntEnum], number: int) -> str:
    """Name a number; one without a name is shown as it is."""
    try:
        return kind(number).name
    except ValueError:
        return str(number)


def _topics(request: Any, response: Any) -> Sequence[Any]:
    """Return the topics of a request; those that it names by id have their names in the response."""
    found: Sequence[Any] = request.topics if response is None else response.topics
    return found


def _topic(topic: Any) -> str:
    return f"topic id {uuid_to_text(topic.topic_id or b'')}" if topic.name is None else topic.name


def _topic_codes(response: Any) -> Iterable[ErrorCode]:
    return (one.error for one in response.topics)


def _partitions(topic: tuple[str, Sequence[Any]]) -> str:
    name, partitions = topic
    return f"{name}: {_parts(partitions, lambda one: str(getattr(one, 'partition_id', one)))}"


def _elections(request: ElectLeaders, _: object) -> Sequence[Any]:
    kind = _name(ElectionType, request.election_type)
    return (
        [f"{kind} of all partitions"] if request.topics is None else [_Election(kind, *one) for one in request.topics]
    )


class _Election(NamedTuple):
    kind: str
    topic: str
    partitions: Sequence[int]

    def __str__(self) -> str:
        return f"{self.kind} of {_partitions((self.topic, self.partitions))}"


def _partition_codes(response: Any) -> Iterable[ErrorCode]:
    return (one.error for _, partitions in response.topics for one in partitions)


def _configs(resource: Any) -> str:
    """Name a resource and its keys; of a key the name comes first, with and without an operation."""
    (kind, name), keys = resource
    return f"{_name(ResourceType, kind)} {name or '(default)'}: {_parts(keys, lambda key: str(key[0]))}"


def _config_codes(response: Any) -> Iterable[ErrorCode]:
    yield from (code for code, _ in response.refused.values())
    yield from (ErrorCode.NONE for _ in range(len(response.resources) - len(response.refused)))


def _quota(entry: Any) -> str:
    entity = " ".join(f"{kind} {'(default)' if name is None else name}" for kind, name in entry.entity)
    return f"{entity}: {_parts(entry.values, lambda value: str(value[0]))}"


def _credentials(request: AlterUserScramCredentials, _: object) -> Sequence[Any]:
    deleted = [("deleted", user) for user in request.deletions]
    return deleted + [("set", one.user) for one in request.upsertions]


def _credential(change: Any) -> str:
    verb, (mechanism, name) = change
    return f"{name}: {MECHANISM_NAMES.get(mechanism, str(mechanism))} {verb}"


def _result_codes(response: Any) -> Iterable[ErrorCode]:
    return (one.error for one in response.results)


def _acl(entry: Any) -> str:
    """Describe an entry, or a filter, in which ``None`` matches any text."""
    permission, operation = _name(PermissionType, entry.permission_type), _name(AclOperation, entry.operation)
    resource = f"{_name(PatternType, entry.pattern_type)} {_name(AclResourceType, entry.resource_type)}"
    principal, host, name = (
        "ANY" if text is None else text for text in (entry.principal, entry.host, entry.resource_name)
    )
    return f"{permission} {operation} on {resource} {name} for {principal} from {host}"


def _feature(update: Any) -> str:
    return f"{update.name} to {update.level} ({_name(FeatureUpdateKind, update.kind)})"


def _broker_host(request: AlterBrokerHost, _: object) -> Sequence[str]:
    return [f"{request.host}: " + ("removed" if request.broker_id is None else f"broker {request.broker_id}")]


def _token(request: Any, response: Any) -> Sequence[str]:
    """Name a token by its id, which is public; a request to renew or expire one has its secret, and is not shown."""
    if response is not None:
        return [f"token {response.token_id} of {response.owner}"]
    owner = getattr(request, "owner", None)
    return [] if owner is None else [f"a token of {owner}"]


KINDS: Final[Mapping[type, ChangeKind]] = {
    CreateTopics: ChangeKind("CreateTopics", _topics, _topic, _topic_codes),
    DeleteTopics: ChangeKind("DeleteTopics", _topics, _topic, _topic_codes),
    CreatePartitions: ChangeKind(
        "CreatePartitions",
        lambda asked, _: asked.topics,
        lambda topic: f"{topic.name} to {topic.total} partitions",
        _topic_codes,
    ),
    ElectLeaders: ChangeKind("ElectLeaders", _elections, str, _partition_codes),
    AlterPartitionReassignments: ChangeKind(
        "AlterPartitionReassignments", lambda asked, _: asked.topics, _partitions, _partition_codes
    ),
    IncrementalAlterConfigs: ChangeKind(
        "IncrementalAlterConfigs", lambda asked, _: asked.resources, _configs, _config_codes
    ),
    ReplaceConfigs: ChangeKind("AlterConfigs", lambda asked, _: asked.resources, _configs, _config_codes),
    AlterClientQuotas: ChangeKind("AlterClientQuotas", lambda asked, _: asked.entries, _quota, _result_codes),
    AlterUserScramCredentials: ChangeKind("AlterUserScramCredentials", _credentials, _credential, _result_codes),
    CreateAcls: ChangeKind("CreateAcls", lambda asked, _: asked.entries, _acl, _result_codes),
    DeleteAcls: ChangeKind("DeleteAcls", lambda asked, _: asked.filters, _acl, _result_codes),
    CreateDelegationToken: ChangeKind("CreateDelegationToken", _token),
    RenewDelegationToken: ChangeKind("RenewDelegationToken", _token),
    ExpireDelegationToken: ChangeKind("ExpireDelegationToken", _token),
    UpdateFeatures: ChangeKind("UpdateFeatures", lambda asked, _: asked.updates, _feature),
    UnregisterBroker: ChangeKind("UnregisterBroker", lambda asked, _: [f"broker {asked.broker_id}"]),
    UnregisterController: ChangeKind("UnregisterController", lambda asked, _: [f"controller {asked.controller_id}"]),
    AlterBrokerHost: ChangeKind("AlterBrokerHost", _broker_host),
    AddRaftVoterRequest: ChangeKind("AddRaftVoter", lambda asked, _: [asked.voter]),
    RemoveRaftVoterRequest: ChangeKind("RemoveRaftVoter", lambda asked, _: [asked.voter]),
    TransferLeadership: ChangeKind("TransferLeadership", lambda asked, _: [f"node {asked.node_id}"]),
}
"""The administrative changes, by the type of the request."""

BY_NODES: Final[frozenset[type]] = frozenset(
    {
        RegisterBroker,
        BrokerHeartbeat,
        RegisterController,
        AlterPartition,
        AssignReplicasToDirs,
        AllocateProducerIds,
        AssignBrokerId,
        ListPartitionReassignments,
        VoteRequest,
        BeginQuorumEpochRequest,
        EndQuorumEpochRequest,
        FetchRequest,
        FetchSnapshotRequest,
        UpdateRaftVoterRequest,
        KRaftVersionsRequest,
        DescribeQuorumRequest,
    }
)
"""What is none: what nodes ask for by themselves, and questions that change nothing."""
