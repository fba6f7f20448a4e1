"""Which requests make the state larger: what a controller refuses while the disk of its log has little space left.

What brokers need to go on, what moves leaders, and what removes something is none of them: a cluster on a full disk
keeps running, and can be made smaller. Of a request that may do both, only one that removes and adds nothing is let
through.

Must not depend on: how much space there is, and where (``node.metadata_disk``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

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
    ElectLeaders,
    ListPartitionReassignments,
)
from kraftpy.controller.requests import (
    AlterOp,
    BrokerHeartbeat,
    ControllerRequest,
    IncrementalAlterConfigs,
    RegisterBroker,
    RegisterController,
    ReplaceConfigs,
    UnregisterBroker,
    UnregisterController,
    UpdateFeatures,
)
from kraftpy.controller.topic_requests import CreatePartitions, CreateTopics, DeleteTopics


def _never(_: Any) -> bool:
    return False


def _always(_: Any) -> bool:
    return True


def _sets_configs(request: IncrementalAlterConfigs) -> bool:
    return any(one.op != AlterOp.DELETE for _, alterations in request.resources for one in alterations)


def _sets_quotas(request: AlterClientQuotas) -> bool:
    return any(value is not None for entry in request.entries for _, value in entry.values)


def _sets_credentials(request: AlterUserScramCredentials) -> bool:
    return bool(request.upsertions)


def _moves_replicas(request: AlterPartitionReassignments) -> bool:
    return any(one.replicas is not None for _, partitions in request.topics for one in partitions)


GROWS: Final[dict[type, Callable[[Any], bool]]] = {
    RegisterBroker: _never,
    BrokerHeartbeat: _never,
    UnregisterBroker: _never,
    UnregisterController: _never,
    RegisterController: _never,
    UpdateFeatures: _always,
    IncrementalAlterConfigs: _sets_configs,
    ReplaceConfigs: _always,
    AlterPartition: _never,
    ElectLeaders: _never,
    AlterPartitionReassignments: _moves_replicas,
    ListPartitionReassignments: _never,
    AlterClientQuotas: _sets_quotas,
    AlterUserScramCredentials: _sets_credentials,
    AllocateProducerIds: _never,
    CreateAcls: _always,
    DeleteAcls: _never,
    AssignReplicasToDirs: _never,
    CreateTopics: _always,
    DeleteTopics: _never,
    CreatePartitions: _always,
    AssignBrokerId: _never,
    AlterBrokerHost: _always,
    CreateDelegationToken: _always,
    RenewDelegationToken: _always,
    ExpireDelegationToken: _never,
}
"""Of each type of request, whether one makes the state larger: every type has a row."""


def grows(request: ControllerRequest) -> bool:
    """Return whether a request would make the state larger; one that is only validated writes nothing."""
    return not request.validate_only and GROWS[type(request)](request)
