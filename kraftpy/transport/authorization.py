"""Which operation each request needs, and what of a request its caller may do; for both wires.

Most requests are allowed or rejected whole, for an operation on the cluster. Requests that name topics or configs are
decided item by item: an item that is not allowed has an error of its own, and the others go on. Items that a request
names twice are left to the controller, which rejects them, as Kafka does before it authorizes.

Source: Kafka ``ControllerApis``, ``AuthHelper``; KIP-11.
"""

from __future__ import annotations

import functools
import ipaddress
import logging
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from kraftpy.authorizer.actions import CLUSTER, AclResource, Action, Caller
from kraftpy.authorizer.principal_mapping import PrincipalMapper
from kraftpy.authorizer.standard import StandardAuthorizer
from kraftpy.controller.account_requests import AllocateProducerIds, AlterClientQuotas, AlterUserScramCredentials
from kraftpy.controller.acl_requests import CreateAcls, DeleteAcls
from kraftpy.controller.broker_id_requests import AlterBrokerHost, AssignBrokerId
from kraftpy.controller.partition_requests import (
    AlterPartition,
    AlterPartitionReassignments,
    AssignReplicasToDirs,
    ElectLeaders,
    ListPartitionReassignments,
)
from kraftpy.controller.requests import (
    BrokerHeartbeat,
    ConfigResource,
    ControllerRequest,
    ControllerResponse,
    IncrementalAlterConfigs,
    IncrementalAlterConfigsResponse,
    RegisterBroker,
    RegisterController,
    ReplaceConfigs,
    UnregisterBroker,
    UnregisterController,
    UpdateFeatures,
)
from kraftpy.controller.topic_requests import CreatePartitions, CreateTopics, DeleteTopics, TopicRef, TopicResult
from kraftpy.image.image import MetadataImage
from kraftpy.model.acls import AclOperation, AclResourceType
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.resource_types import ResourceType
from kraftpy.transport.node_api import Outcome

LOG: Final = logging.getLogger("kraftpy.transport.authorization")

CLUSTER_OPERATIONS: Final[Mapping[type, AclOperation]] = {
    RegisterBroker: AclOperation.CLUSTER_ACTION,
    BrokerHeartbeat: AclOperation.CLUSTER_ACTION,
    RegisterController: AclOperation.CLUSTER_ACTION,
    AlterPartition: AclOperation.CLUSTER_ACTION,
    AssignReplicasToDirs: AclOperation.CLUSTER_ACTION,
    AllocateProducerIds: AclOperation.CLUSTER_ACTION,
    AssignBrokerId: AclOperation.CLUSTER_ACTION,
    AlterBrokerHost: AclOperation.ALTER,
    UnregisterBroker: AclOperation.ALTER,
    UnregisterController: AclOperation.ALTER,
    UpdateFeatures: AclOperation.ALTER,
    ElectLeaders: AclOperation.ALTER,
    AlterPartitionReassignments: AclOperation.ALTER,
    ListPartitionReassignments: AclOperation.DESCRIBE,
    AlterClientQuotas: AclOperation.ALTER_CONFIGS,
    AlterUserScramCredentials: AclOperation.ALTER,
    CreateAcls: AclOperation.ALTER,
    DeleteAcls: AclOperation.ALTER,
}
"""What a request of this type needs on the cluster; it is rejected whole without."""

DENIALS_LOGGED_MAX: Final = 10
"""Items of one request whose denials are logged; the metric counts all."""

DENIED_TOPIC: Final = "Topic authorization failed."
NO_SUCH_TOPIC: Final = "This server does not host this topic-partition."
NO_SUCH_ID: Final = "This server does not host this topic ID."

_AUTHORIZATION_ERRORS: Final = {
    AclResourceType.CLUSTER: ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
    AclResourceType.TOPIC: ErrorCode.TOPIC_AUTHORIZATION_FAILED,
    AclResourceType.GROUP: ErrorCode.GROUP_AUTHORIZATION_FAILED,
    AclResourceType.USER: ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED,
}


class Admitted(NamedTuple):
    """What of a request is allowed.

    Attributes:
        request: the request, without the items that are not allowed.
        complete: adds the results of those items to the response.
        noted: takes the outcome of an administrative change, for its log line.
        author: who asks for it, for its records (``records.authors``); empty for none.
    """

    request: ControllerRequest
    complete: Callable[[ControllerResponse], ControllerResponse] = lambda response: response
    noted: Callable[[Outcome], None] | None = None
    author: bytes = b""

    def outcome(self, outcome: Outcome) -> Outcome:
        """Complete the response of what was committed; an error stays as it is."""
        if isinstance(outcome, ApiError):
            return outcome
        return outcome._replace(response=self.complete(outcome.response))


class Authorization:
    """Asks the authorizer about requests.

    Args:
        authorizer: decides.
        image: the published state, for the names of topics that are named by id.
        on_denied: called for each denial that an error reports.
        mapper: names principals after certificates; by default their names stay.
    """

    def __init__(
        self,
        authorizer: StandardAuthorizer,
        image: Callable[[], MetadataImage],
        on_denied: Callable[[], None] = lambda: None,
        mapper: PrincipalMapper | None = None,
    ) -> None:
        self._mapper = mapper or PrincipalMapper()
        self._authorizer = authorizer
        self._image = image
        self._on_denied = on_denied

    def allows(self, caller: Caller, operation: AclOperation, resource: AclResource = CLUSTER) -> bool:
        """Decide without a report, where a denial is no error.

        Raises:
            ApiError: OFFSET_NOT_AVAILABLE, when the entries are not loaded.
        """
        name = self.name_of(caller)
        return name is not None and self._authorizer.allows(Caller(name, caller.host), Action(operation, resource))

    def name_of(self, caller: Caller) -> str | None:
        """Return the principal's name in access control entries; ``None`` when no mapping rule applies.

        Mapping rules are for the names of certificates alone.
        """
        is_mapped = not (caller.is_forwarded or caller.is_by_sasl)
        return self._mapper.name_of(caller.principal) if is_mapped else caller.principal

    def denial(
        self, caller: Caller, operation: AclOperation, resource: AclResource = CLUSTER, *, earlier: int = 0
    ) -> ApiError | None:
        """Decide, and report a denial; return its error, ``None`` when the operation is allowed.

        A log line takes several times as long as the decision, and one request names thousands of items.

        Args:
            caller: who asks.
            operation: what for.
            resource: on what.
            earlier: how many items of the same request were denied before; only the first ones are logged.

        Raises:
            ApiError: OFFSET_NOT_AVAILABLE, when the entries are not loaded.
        """
        if self.allows(caller, operation, resource):
            return None
        self._on_denied()
        action = Action(operation, resource)
        shown = self._shown(caller)
        if earlier < DENIALS_LOGGED_MAX:
            LOG.warning("authorization_denied principal=%s host=%s action=%s", shown, caller.host, action)
        text = f"{shown} from {caller.host} is not allowed to do this: {action}"
        return ApiError(_AUTHORIZATION_ERRORS[resource.type], text)

    def _denies(self, caller: Caller, operation: AclOperation, resource: AclResource, earlier: int) -> bool:
        """Decide and report as :meth:`denial`, for an item whose error has no text of its own."""
        if self.allows(caller, operation, resource):
            return False
        if earlier < DENIALS_LOGGED_MAX:
            return self.denial(caller, operation, resource) is not None
        self._on_denied()
        return True

    def _shown(self, caller: Caller) -> str:
        name = self.name_of(caller)
        return name if name is not None else f"{caller.principal} (no rule of ssl.principal.mapping.rules applies)"

    def require(self, caller: Caller, operation: AclOperation, resource: AclResource = CLUSTER) -> None:
        """Reject what is not allowed.

        Raises:
            ApiError: CLUSTER_AUTHORIZATION_FAILED or that of another type of resource; OFFSET_NOT_AVAILABLE.
        """
        error = self.denial(caller, operation, resource)
        if error is not None:
            raise error

    def admit(self, request: ControllerRequest, caller: Caller) -> Admitted:
        """Return what of a request its caller may do.

        Raises:
            ApiError: CLUSTER_AUTHORIZATION_FAILED, when nothing; OFFSET_NOT_AVAILABLE.
        """
        match request:
            case CreateTopics():
                return self._create_topics(request, caller)
            case DeleteTopics():
                return self._delete_topics(request, caller)
            case CreatePartitions():
                return self._create_partitions(request, caller)
            case IncrementalAlterConfigs() | ReplaceConfigs():
                return self._alter_configs(request, caller)
            case _:
                self.require(caller, CLUSTER_OPERATIONS[type(request)])
                return Admitted(request)

    def _create_topics(self, request: CreateTopics, caller: Caller) -> Admitted:
        names = [topic.name for topic in request.topics]
        refused: dict[int, TopicResult] = {}
        if not self.allows(caller, AclOperation.CREATE):
            for place in _named_once(names):
                if self._denies(caller, AclOperation.CREATE, _topic(names[place]), len(refused)):
                    refused[place] = TopicResult(
                        names[place], ErrorCode.TOPIC_AUTHORIZATION_FAILED, "Authorization failed."
                    )
        hidden = {name for name in set(names) if not self.allows(caller, AclOperation.DESCRIBE_CONFIGS, _topic(name))}

        def complete(response: Any) -> Any:
            shown = [
                topic._replace(hides_configs=True) if topic.name in hidden and not topic.error else topic
                for topic in response.topics
            ]
            return response._replace(topics=_merged(shown, refused))

        return Admitted(request._replace(topics=_without(request.topics, refused)), complete)

    def _delete_topics(self, request: DeleteTopics, caller: Caller) -> Admitted:
        if self.allows(caller, AclOperation.DELETE):
            return Admitted(request)
        refused: dict[int, TopicResult] = {}
        for place in _named_once(request.topics):
            topic = request.topics[place]
            if (topic.name is None) != (topic.topic_id is None):
                result = self._undeletable(topic, caller, len(refused))
                if result is not None:
                    refused[place] = result

        def complete(response: Any) -> Any:
            return response._replace(topics=_merged(response.topics, refused))

        return Admitted(request._replace(topics=_without(request.topics, refused)), complete)

    def _undeletable(self, topic: TopicRef, caller: Caller, earlier: int) -> TopicResult | None:
        """Return why a topic may not be deleted; ``None`` when it may.

        A topic that the published state does not have is rejected here: the controller may know it already, and it has
        not been authorized. Only a caller that may describe it learns whether it exists.
        """
        image = self._image().topics
        found = image.named(str(topic.name)) if topic.topic_id is None else image.topic(topic.topic_id)
        if found is None and topic.name is None:
            return TopicResult(None, ErrorCode.UNKNOWN_TOPIC_ID, NO_SUCH_ID, topic.topic_id)
        resource = _topic(found.name if found is not None else str(topic.name))
        if self._denies(caller, AclOperation.DESCRIBE, resource, earlier):
            return TopicResult(topic.name, ErrorCode.TOPIC_AUTHORIZATION_FAILED, DENIED_TOPIC, topic.topic_id)
        if found is None:
            return TopicResult(topic.name, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, NO_SUCH_TOPIC)
        if self._denies(caller, AclOperation.DELETE, resource, earlier):
            shown = found.name if topic.name is None else topic.name
            return TopicResult(shown, ErrorCode.TOPIC_AUTHORIZATION_FAILED, DENIED_TOPIC, topic.topic_id)
        return None

    def _create_partitions(self, request: CreatePartitions, caller: Caller) -> Admitted:
        names = [topic.name for topic in request.topics]
        refused: dict[int, TopicResult] = {}
        for place in _named_once(names):
            if self._denies(caller, AclOperation.ALTER, _topic(names[place]), len(refused)):
                refused[place] = TopicResult(names[place], ErrorCode.TOPIC_AUTHORIZATION_FAILED)

        def complete(response: Any) -> Any:
            return response._replace(topics=_merged(response.topics, refused))

        return Admitted(request._replace(topics=_without(request.topics, refused)), complete)

    def _alter_configs(self, request: IncrementalAlterConfigs | ReplaceConfigs, caller: Caller) -> Admitted:
        resources = [resource for resource, _ in request.resources]
        refused: dict[int, tuple[ErrorCode, str]] = {}
        for place in _named_once(resources):
            resource = configured(resources[place])
            error = self.denial(caller, AclOperation.ALTER_CONFIGS, resource, earlier=len(refused))
            if error is not None:
                refused[place] = (error.code, error.message)

        def complete(response: Any) -> Any:
            kept = [place for place in range(len(resources)) if place not in refused]
            others = {kept[place]: result for place, result in response.refused.items()}
            return IncrementalAlterConfigsResponse(tuple(resources), refused | others)

        return Admitted(request._replace(resources=_without(request.resources, refused)), complete)


def principal_name(caller: Caller, authorization: Authorization | None) -> str:
    """Return a caller's principal: where there is an authorizer, as its entries name it."""
    name = None if authorization is None else authorization.name_of(caller)
    return name or caller.principal


def configured(resource: ConfigResource) -> AclResource:
    """Return the resource whose configs these are: a topic, a group, or else the cluster."""
    if resource.type == ResourceType.TOPIC:
        return _topic(resource.name)
    if resource.type == ResourceType.GROUP:
        return AclResource(AclResourceType.GROUP, resource.name)
    return CLUSTER


@functools.lru_cache(maxsize=1024)
def host_of(address: str) -> str:
    """Return an IP address as Kafka compares it: IPv6 in eight groups without leading zeros, IPv4 in IPv6 as IPv4."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return ":".join(f"{int(group, 16):x}" for group in parsed.exploded.split(":"))


def _topic(name: str) -> AclResource:
    return AclResource(AclResourceType.TOPIC, name)


def _named_once(items: Sequence[Hashable]) -> list[int]:
    """Return the places of the items that are there once."""
    counts = Counter(items)
    return [place for place, item in enumerate(items) if counts[item] == 1]


def _without(items: Sequence[Any], refused: Mapping[int, object]) -> tuple[Any, ...]:
    return tuple(item for place, item in enumerate(items) if place not in refused)


def _merged(results: Sequence[TopicResult], refused: Mapping[int, TopicResult]) -> tuple[TopicResult, ...]:
    """Return the results of all items in the order asked."""
    others = iter(results)
    return tuple(refused[place] if place in refused else next(others) for place in range(len(results) + len(refused)))
