"""Between the client's values and the messages of the API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kraftpy.client import values as v
from kraftpy.client.changes import author_of, record_of
from kraftpy.client.uuids import Uuid, maybe_received, received
from kraftpy.model.acls import AclOperation, AclResourceType, PatternType, PermissionType, number_or_unknown
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ErrorCode
from kraftpy.model.offsets import Offset
from kraftpy.model.registrations import BrokerHeartbeat, Listener, RegisterBroker, RegisterController, SupportedFeature
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.pb.v1 import admin_pb2, changes_pb2, cluster_pb2, common_pb2, node_pb2, quorum_pb2
from kraftpy.records.authors import Author

# Requests.


def register_broker(request: RegisterBroker, options: common_pb2.WriteOptions) -> node_pb2.RegisterBrokerRequest:
    """Write a broker's registration."""
    message = node_pb2.RegisterBrokerRequest(
        options=options,
        broker_id=request.broker_id,
        cluster_id=request.cluster_id,
        incarnation_id=request.incarnation_id,
        listeners=_listeners_out(request.listeners),
        features=_features_out(request.features),
        rack=request.rack,
        log_dirs=request.log_dirs,
        saturated_log_dirs=_maybe_directories(request.saturated_log_dirs),
    )
    if request.previous_broker_epoch >= 0:
        message.previous_broker_epoch = request.previous_broker_epoch
    return message


def broker_heartbeat(request: BrokerHeartbeat, options: common_pb2.WriteOptions) -> node_pb2.BrokerHeartbeatRequest:
    """Write a heartbeat."""
    return node_pb2.BrokerHeartbeatRequest(
        options=options,
        broker_id=request.broker_id,
        broker_epoch=request.broker_epoch,
        metadata_offset=request.metadata_offset,
        want_fence=request.want_fence,
        want_shutdown=request.want_shutdown,
        offline_log_dirs=request.offline_log_dirs,
        cordoned_log_dirs=_maybe_directories(request.cordoned_log_dirs),
        saturated_log_dirs=_maybe_directories(request.saturated_log_dirs),
    )


def _maybe_directories(listed: tuple[bytes, ...] | None) -> node_pb2.LogDirectories | None:
    return None if listed is None else node_pb2.LogDirectories(ids=listed)


def register_controller(
    request: RegisterController, options: common_pb2.WriteOptions
) -> node_pb2.RegisterControllerRequest:
    """Write a controller's registration."""
    return node_pb2.RegisterControllerRequest(
        options=options,
        controller_id=request.controller_id,
        incarnation_id=request.incarnation_id,
        listeners=_listeners_out(request.listeners),
        features=_features_out(request.features),
    )


def update_features(
    changes: Iterable[v.FeatureChange], options: common_pb2.WriteOptions
) -> admin_pb2.UpdateFeaturesRequest:
    """Write feature changes."""
    message = admin_pb2.UpdateFeaturesRequest(options=options)
    for change in changes:
        message.updates.add(name=change.name, level=change.level, kind=int(change.kind))
    return message


def alter_configs(
    changes: Mapping[v.Resource, Sequence[v.ConfigChange]], options: common_pb2.WriteOptions
) -> admin_pb2.IncrementalAlterConfigsRequest:
    """Write config changes."""
    message = admin_pb2.IncrementalAlterConfigsRequest(options=options)
    for resource, alterations in changes.items():
        row = message.resources.add(resource=resource_out(resource))
        for change in alterations:
            row.alterations.add(name=change.name, op=int(change.op), value=change.value)
    return message


def create_topics(
    topics: Iterable[v.NewTopic], placement: v.Placement, options: common_pb2.WriteOptions
) -> admin_pb2.CreateTopicsRequest:
    """Write topics to be created."""
    message = admin_pb2.CreateTopicsRequest(options=options, placement=_placement_out(placement))
    for topic in topics:
        row = message.topics.add(name=topic.name, configs=topic.configs)
        if topic.partitions is not None:
            row.partitions = topic.partitions
        if topic.replication_factor is not None:
            row.replication_factor = topic.replication_factor
        for partition, replicas in topic.assignments.items():
            row.assignments.add(partition=partition, replicas=replicas)
    return message


def _placement_out(placement: v.Placement) -> admin_pb2.PlacementOptions:
    return admin_pb2.PlacementOptions(
        placer=placement.placer or "",
        seed=placement.seed,
        racks=int(placement.racks),  # type: ignore[arg-type] # proto3 enums are open
        explain=placement.explain,
    )


def delete_topics(
    names: Iterable[str], topic_ids: Iterable[Uuid], options: common_pb2.WriteOptions
) -> admin_pb2.DeleteTopicsRequest:
    """Write topics to be deleted."""
    message = admin_pb2.DeleteTopicsRequest(options=options)
    for name in names:
        message.topics.add(name=name)
    for topic_id in topic_ids:
        message.topics.add(topic_id=Uuid(topic_id))
    return message


def create_partitions(
    increases: Iterable[v.PartitionIncrease], placement: v.Placement, options: common_pb2.WriteOptions
) -> admin_pb2.CreatePartitionsRequest:
    """Write which topics are to have how many partitions."""
    message = admin_pb2.CreatePartitionsRequest(options=options, placement=_placement_out(placement))
    for increase in increases:
        row = message.topics.add(name=increase.name, total=increase.total)
        for replicas in increase.assignments:
            row.assignments.add(replicas=replicas)
    return message


def elect_leaders(
    election_type: v.LeaderElectionType,
    partitions: Mapping[str, Iterable[int]] | None,
    options: common_pb2.WriteOptions,
) -> admin_pb2.ElectLeadersRequest:
    """Write which leaders are to be elected."""
    return admin_pb2.ElectLeadersRequest(
        options=options,
        election_type=int(election_type),  # type: ignore[arg-type] # proto3 enums are open
        topics=topic_partitions(partitions),
        all_partitions=partitions is None,
    )


def topic_partitions(partitions: Mapping[str, Iterable[int]] | None) -> list[common_pb2.TopicPartitions]:
    """Write partitions by topic."""
    named = {} if partitions is None else partitions
    return [common_pb2.TopicPartitions(topic=topic, partitions=numbers) for topic, numbers in named.items()]


def create_acls(entries: Iterable[v.AclEntry], options: common_pb2.WriteOptions) -> admin_pb2.CreateAclsRequest:
    """Write which access control entries to create."""
    return admin_pb2.CreateAclsRequest(options=options, entries=[_acl_to_pb(each) for each in entries])


def delete_acls(matches: Iterable[v.AclMatch], options: common_pb2.WriteOptions) -> admin_pb2.DeleteAclsRequest:
    """Write which access control entries to delete."""
    return admin_pb2.DeleteAclsRequest(options=options, filters=[_match_to_pb(each) for each in matches])


def describe_acls(match: v.AclMatch, read: common_pb2.ReadOptions | None) -> cluster_pb2.DescribeAclsRequest:
    """Write which access control entries to list."""
    return cluster_pb2.DescribeAclsRequest(read=read, filter=_match_to_pb(match))


def broker_hosts(message: cluster_pb2.DescribeBrokerHostsResponse) -> v.BrokerHosts:
    """Read the broker ids of hosts."""
    rows = (v.BrokerHost(row.host, row.broker_id, v.BrokerHostState(row.state)) for row in message.hosts)
    return v.BrokerHosts(freshness(message.position), tuple(rows))


def token_created(message: admin_pb2.CreateDelegationTokenResponse) -> v.CreatedDelegationToken:
    """Read a new delegation token."""
    return v.CreatedDelegationToken(position(message.position), _token(message.token), message.hmac)


def delegation_tokens(message: cluster_pb2.DescribeDelegationTokensResponse) -> v.DelegationTokens:
    """Read delegation tokens."""
    return v.DelegationTokens(freshness(message.position), tuple(map(_token, message.tokens)))


def _token(message: common_pb2.DelegationToken) -> v.DelegationTokenInfo:
    return v.DelegationTokenInfo(
        token_id=message.token_id,
        owner=message.owner,
        requester=message.requester,
        renewers=tuple(message.renewers),
        issue_timestamp_ms=message.issue_timestamp_ms,
        expiration_timestamp_ms=message.expiration_timestamp_ms,
        max_timestamp_ms=message.max_timestamp_ms,
    )


def acls_changed(message: admin_pb2.CreateAclsResponse | admin_pb2.DeleteAclsResponse) -> v.AclsChanged:
    """Read the result of each entry or filter."""
    outcomes = []
    for row in message.results:
        entries = row.entries if isinstance(row, admin_pb2.AclDeletion) else ()
        outcomes.append(v.AclOutcome(tuple(map(_acl, entries)), ErrorCode(row.error.code), row.error.message))
    return v.AclsChanged(position(message.position), tuple(outcomes))


def acls(message: cluster_pb2.DescribeAclsResponse) -> v.Acls:
    """Read access control entries."""
    return v.Acls(freshness(message.position), tuple(map(_acl, message.entries)))


def _acl(message: common_pb2.AclEntry) -> v.AclEntry:
    return v.AclEntry(
        resource_type=AclResourceType(number_or_unknown(AclResourceType, message.resource_type)),
        resource_name=message.resource_name,
        pattern_type=PatternType(number_or_unknown(PatternType, message.pattern_type)),
        principal=message.principal,
        host=message.host,
        operation=AclOperation(number_or_unknown(AclOperation, message.operation)),
        permission_type=PermissionType(number_or_unknown(PermissionType, message.permission_type)),
    )


def _acl_to_pb(entry: v.AclEntry) -> common_pb2.AclEntry:
    return common_pb2.AclEntry(
        resource_name=entry.resource_name, principal=entry.principal, host=entry.host, **_numbers(entry)
    )


def _match_to_pb(match: v.AclMatch) -> common_pb2.AclFilter:
    return common_pb2.AclFilter(
        resource_name=match.resource_name, principal=match.principal, host=match.host, **_numbers(match)
    )


def _numbers(source: v.AclEntry | v.AclMatch) -> dict[str, Any]:
    return {
        "resource_type": int(source.resource_type),
        "pattern_type": int(source.pattern_type),
        "operation": int(source.operation),
        "permission_type": int(source.permission_type),
    }


def alter_partition_reassignments(
    replicas: Mapping[tuple[str, int], Sequence[int] | None],
    options: common_pb2.WriteOptions,
    *,
    allow_replication_factor_change: bool,
) -> admin_pb2.AlterPartitionReassignmentsRequest:
    """Write which replicas are to be moved."""
    message = admin_pb2.AlterPartitionReassignmentsRequest(
        options=options, disallow_replication_factor_change=not allow_replication_factor_change
    )
    rows: dict[str, admin_pb2.TopicReassignments] = {}
    for (topic, partition), wanted in replicas.items():
        if topic not in rows:
            rows[topic] = message.topics.add(topic=topic)
        rows[topic].partitions.add(partition=partition, replicas=wanted or (), cancel=wanted is None)
    return message


def alter_client_quotas(
    changes: Iterable[tuple[v.Entity, Mapping[str, float | None]]], options: common_pb2.WriteOptions
) -> admin_pb2.AlterClientQuotasRequest:
    """Write which quotas change."""
    message = admin_pb2.AlterClientQuotasRequest(options=options)
    for entity, values in changes:
        row = message.entries.add()
        for kind, name in entity.items():
            row.entity.add(type=kind, name=name)
        for key, value in values.items():
            row.changes.add(key=key, value=value)
    return message


def alter_user_scram_credentials(
    upsertions: Iterable[v.NewScramCredential],
    deletions: Iterable[tuple[str, v.ScramMechanism]],
    options: common_pb2.WriteOptions,
) -> admin_pb2.AlterUserScramCredentialsRequest:
    """Write which credentials are set and deleted."""
    message = admin_pb2.AlterUserScramCredentialsRequest(options=options)
    for user, mechanism in deletions:
        message.deletions.add(user=user, mechanism=int(mechanism))
    for each in upsertions:
        message.upsertions.add(
            user=each.user,
            mechanism=int(each.mechanism),
            iterations=each.iterations,
            salt=each.salt,
            salted_password=each.salted_password,
        )
    return message


def describe_client_quotas(
    entity: v.Entity, any_name: Iterable[str], *, strict: bool, read: common_pb2.ReadOptions | None
) -> cluster_pb2.DescribeClientQuotasRequest:
    """Write which quotas to list."""
    message = cluster_pb2.DescribeClientQuotasRequest(read=read, strict=strict)
    for kind, name in entity.items():
        if name is None:
            message.filters.add(type=kind, default=True)
        else:
            message.filters.add(type=kind, name=name)
    for kind in any_name:
        message.filters.add(type=kind)
    return message


def resource_out(resource: v.Resource) -> common_pb2.ConfigResource:
    """Write a resource."""
    return common_pb2.ConfigResource(type=int(resource.type), name=resource.name)  # type: ignore[arg-type] # proto3 enums are open


def _listeners_out(listeners: Iterable[Listener]) -> list[common_pb2.Listener]:
    return [
        common_pb2.Listener(name=each.name, host=each.host, port=each.port, security_protocol=each.security_protocol)
        for each in listeners
    ]


def _features_out(features: Iterable[SupportedFeature]) -> list[common_pb2.SupportedFeature]:
    return [
        common_pb2.SupportedFeature(name=each.name, min_level=each.min_level, max_level=each.max_level)
        for each in features
    ]


# Responses.


def position(message: common_pb2.CommitPosition) -> v.Position:
    """Read where a write was committed."""
    return v.Position(message.offset, message.epoch)


def freshness(message: common_pb2.ReadPosition) -> v.Freshness:
    """Read what a read is as of."""
    return v.Freshness(message.offset, message.epoch, message.age_ms, consistency(message.consistency))


def consistency(number: int) -> Consistency:
    """Read what an answer may be relied on for; what is not known here promises nothing."""
    is_linearizable = number == common_pb2.ReadOptions.LINEARIZABLE
    return Consistency.LINEARIZABLE if is_linearizable else Consistency.COMMITTED


def read_options(wanted: Consistency, min_offset: Offset | None, wait_ms: int) -> common_pb2.ReadOptions | None:
    """Say what a read asks of the state that it is answered from; ``None`` when that is nothing in particular."""
    if wanted is Consistency.COMMITTED and min_offset is None:
        return None
    number = common_pb2.ReadOptions.LINEARIZABLE
    is_linearizable = wanted is Consistency.LINEARIZABLE
    return common_pb2.ReadOptions(
        consistency=number if is_linearizable else common_pb2.ReadOptions.COMMITTED,
        min_offset=min_offset,
        max_wait_ms=wait_ms,
    )


def heartbeat_answered(message: node_pb2.BrokerHeartbeatResponse) -> v.HeartbeatAnswered:
    """Read the answer to a heartbeat."""
    return v.HeartbeatAnswered(
        position(message.position),
        message.is_caught_up,
        message.is_fenced,
        message.in_controlled_shutdown,
        message.should_shut_down,
    )


def configs_altered(message: admin_pb2.IncrementalAlterConfigsResponse) -> v.ConfigsAltered:
    """Read what became of each resource."""
    outcomes = tuple(
        v.ConfigOutcome(_resource(row.resource), ErrorCode(row.error.code), row.error.message)
        if row.HasField("error")
        else v.ConfigOutcome(_resource(row.resource))
        for row in message.results
    )
    return v.ConfigsAltered(position(message.position), outcomes)


def topics_changed(
    message: admin_pb2.CreateTopicsResponse | admin_pb2.DeleteTopicsResponse | admin_pb2.CreatePartitionsResponse,
) -> v.TopicsChanged:
    """Read what became of each topic."""
    outcomes = tuple(_topic_outcome(row) for row in message.results)
    return v.TopicsChanged(position(message.position), outcomes, message.throttle_time_ms)


def _topic_outcome(message: admin_pb2.TopicResult) -> v.TopicOutcome:
    return v.TopicOutcome(
        name=message.name,
        topic_id=maybe_received(message.topic_id, "topic id"),
        error=ErrorCode(message.error.code),
        message=message.error.message,
        partitions=message.partitions,
        replication_factor=message.replication_factor,
        plan=_plan(message.plan) if message.HasField("plan") else None,
    )


def _plan(message: admin_pb2.TopicPlan) -> v.TopicPlan:
    return v.TopicPlan(
        message.placer,
        message.seed if message.HasField("seed") else None,
        tuple(
            v.PlannedPartition(each.partition, tuple(each.replicas), tuple(each.reasons)) for each in message.partitions
        ),
    )


def partitions_changed(
    message: admin_pb2.ElectLeadersResponse | admin_pb2.AlterPartitionReassignmentsResponse,
) -> v.PartitionsChanged:
    """Read the result of each partition."""
    outcomes = tuple(
        v.PartitionResult(row.topic, one.partition, ErrorCode(one.error.code), one.error.message)
        for row in message.results
        for one in row.partitions
    )
    return v.PartitionsChanged(position(message.position), outcomes)


def reassignments(pages: Sequence[cluster_pb2.ListPartitionReassignmentsResponse]) -> v.Reassignments:
    """Read all pages as one answer."""
    rows = tuple(
        v.OngoingReassignment(
            each.topic,
            each.partition,
            tuple(each.replicas),
            tuple(each.adding_replicas),
            tuple(each.removing_replicas),
        )
        for page in pages
        for each in page.reassignments
    )
    return v.Reassignments(freshness(pages[0].position), rows)


def quotas_altered(message: admin_pb2.AlterClientQuotasResponse) -> v.QuotasAltered:
    """Read the result of each entity."""
    outcomes = tuple(
        v.QuotaOutcome(_entity(row.entity), ErrorCode(row.error.code), row.error.message) for row in message.results
    )
    return v.QuotasAltered(position(message.position), outcomes)


def quotas(message: cluster_pb2.DescribeClientQuotasResponse) -> v.Quotas:
    """Read quotas."""
    rows = tuple((_entity(row.entity), {one.key: one.value for one in row.values}) for row in message.entities)
    return v.Quotas(freshness(message.position), rows)


def _entity(parts: Iterable[common_pb2.QuotaEntityPart]) -> v.Entity:
    return {part.type: part.name if part.HasField("name") else None for part in parts}


def scram_altered(message: admin_pb2.AlterUserScramCredentialsResponse) -> v.ScramAltered:
    """Read the result of each user."""
    outcomes = tuple(v.ScramOutcome(row.user, ErrorCode(row.error.code), row.error.message) for row in message.results)
    return v.ScramAltered(position(message.position), outcomes)


def scram_users(message: cluster_pb2.DescribeUserScramCredentialsResponse) -> v.ScramUsers:
    """Read the credentials of users."""
    users = {row.user: {one.mechanism: one.iterations for one in row.credentials} for row in message.users}
    return v.ScramUsers(freshness(message.position), users)


class TopicPageReader:
    """Puts the pages of DescribeTopics together.

    Attributes:
        next: where the next page begins; ``None`` when there is none.
    """

    def __init__(self) -> None:
        self.next: cluster_pb2.TopicCursor | None = None
        self._freshness: v.Freshness | None = None
        self._topics: dict[str, v.TopicInfo] = {}
        self._unknown: list[str] = []

    def add(self, page: cluster_pb2.DescribeTopicsResponse) -> None:
        """Take the next page; a topic that the page before began goes on in it."""
        self.next = page.next if page.HasField("next") else None
        self._freshness = self._freshness or freshness(page.position)
        self._unknown += page.unknown
        for message in page.topics:
            topic = _topic(message)
            begun = self._topics.get(topic.name)
            if begun is not None and begun.topic_id == topic.topic_id:
                topic = replace(topic, partitions=begun.partitions + topic.partitions)
            self._topics[topic.name] = topic

    def topics(self) -> v.Topics:
        """Return all pages as one answer."""
        assert self._freshness is not None
        return v.Topics(self._freshness, tuple(self._topics.values()), tuple(self._unknown))


def _topic(message: cluster_pb2.TopicDescription) -> v.TopicInfo:
    return v.TopicInfo(
        name=message.name,
        topic_id=received(message.topic_id, "topic id"),
        partition_count=message.partition_count,
        replication_factor=message.replication_factor,
        configs={each.name: each.value for each in message.configs},
        min_insync_replicas=message.min_insync_replicas,
        partitions=tuple(_partition(each) for each in message.partitions),
    )


def _partition(message: cluster_pb2.PartitionDescription) -> v.PartitionInfo:
    return v.PartitionInfo(
        partition=message.partition,
        leader=message.leader if message.HasField("leader") else None,
        leader_epoch=message.leader_epoch,
        partition_epoch=message.partition_epoch,
        replicas=tuple(message.replicas),
        isr=tuple(message.isr),
        elr=tuple(message.elr),
        last_known_elr=tuple(message.last_known_elr),
        adding_replicas=tuple(message.adding_replicas),
        removing_replicas=tuple(message.removing_replicas),
        directories=_directories(message.directories),
        recovering=message.recovering,
    )


def cluster(message: cluster_pb2.DescribeClusterResponse) -> v.ClusterInfo:
    """Read the members."""
    return v.ClusterInfo(
        freshness=freshness(message.position),
        cluster_id=message.cluster_id if message.HasField("cluster_id") else None,
        controller_id=message.controller_id if message.HasField("controller_id") else None,
        brokers=tuple(_broker(each) for each in message.brokers),
        controllers=tuple(
            v.ControllerInfo(
                controller_id=each.id,
                incarnation_id=received(each.incarnation_id, "incarnation id"),
                listeners=_listeners_in(each.listeners),
                features=_features_in(each.features),
            )
            for each in message.controllers
        ),
    )


def _broker(message: cluster_pb2.BrokerDescription) -> v.BrokerInfo:
    return v.BrokerInfo(
        broker_id=message.id,
        epoch=message.epoch,
        incarnation_id=received(message.incarnation_id, "incarnation id"),
        listeners=_listeners_in(message.listeners),
        features=_features_in(message.features),
        rack=message.rack if message.HasField("rack") else None,
        fenced=message.fenced,
        in_controlled_shutdown=message.in_controlled_shutdown,
        log_dirs=_directories(message.log_dirs),
        cordoned_log_dirs=_directories(message.cordoned_log_dirs),
        saturated_log_dirs=_directories(message.saturated_log_dirs),
    )


def log_dirs(message: cluster_pb2.DescribeLogDirsResponse) -> v.LogDirs:
    """Read the log directories of a broker."""
    rows = tuple(
        v.LogDirInfo(
            path=each.path,
            directory_id=maybe_received(each.directory_id, "directory id"),
            state=each.state,
            reason=each.reason,
            total_bytes=each.total_bytes if each.HasField("total_bytes") else None,
            usable_bytes=each.usable_bytes if each.HasField("usable_bytes") else None,
            reserve_bytes=each.reserve_bytes,
            cordoned=each.cordoned,
        )
        for each in message.log_dirs
    )
    return v.LogDirs(message.node_id, rows)


def features(message: cluster_pb2.DescribeFeaturesResponse) -> v.Features:
    """Read feature levels."""
    rows = tuple(
        v.FeatureDescription(
            each.name,
            each.finalized_level,
            each.min_supported_level if each.HasField("min_supported_level") else None,
            each.max_supported_level if each.HasField("max_supported_level") else None,
        )
        for each in message.features
    )
    return v.Features(freshness(message.position), rows)


def configs(message: cluster_pb2.DescribeConfigsResponse) -> v.Configs:
    """Read config values; a resource of several pages has a row on each."""
    resources: dict[v.Resource, dict[str, str]] = {}
    entries: dict[v.Resource, tuple[v.ConfigEntry, ...]] = {}
    for row in message.resources:
        resource = _resource(row.resource)
        resources.setdefault(resource, {}).update({each.name: each.value for each in row.entries})
        entries[resource] = entries.get(resource, ()) + tuple(
            _config_entry(each) for each in row.entries if each.source
        )
    return v.Configs(freshness(message.position), resources, {one: found for one, found in entries.items() if found})


def _config_entry(message: cluster_pb2.ConfigEntry) -> v.ConfigEntry:
    return v.ConfigEntry(
        name=message.name,
        value=message.value,
        source=_config_source(message.source),
        is_sensitive=message.is_sensitive,
        synonyms=tuple(
            v.ConfigSynonym(each.name, each.value, _config_source(each.source)) for each in message.synonyms
        ),
    )


def _config_source(number: int) -> v.ConfigSource:
    try:
        return v.ConfigSource(number)
    except ValueError:
        return v.ConfigSource.UNKNOWN


def quorum(message: quorum_pb2.DescribeQuorumResponse) -> v.QuorumInfo:
    """Read the replicas."""
    return v.QuorumInfo(
        freshness=freshness(message.position),
        leader_id=message.leader_id if message.HasField("leader_id") else None,
        leader_epoch=message.leader_epoch,
        high_watermark=message.high_watermark if message.HasField("high_watermark") else None,
        voters=tuple(_replica(each) for each in message.voters),
        observers=tuple(_replica(each) for each in message.observers),
    )


def _replica(message: quorum_pb2.ReplicaDescription) -> v.ReplicaInfo:
    return v.ReplicaInfo(
        key=ReplicaKey(message.id, maybe_received(message.directory_id, "directory id")),
        log_end_offset=message.log_end_offset if message.HasField("log_end_offset") else None,
        last_fetch_ms=message.last_fetch_ms if message.HasField("last_fetch_ms") else None,
        last_caught_up_ms=message.last_caught_up_ms if message.HasField("last_caught_up_ms") else None,
        endpoints=tuple(Endpoint(each.name, each.host, each.port) for each in message.endpoints),
    )


class WatchReader:
    """Reads the events of one stream; a batch whose JSON takes several messages is one event."""

    def __init__(self) -> None:
        self._records = b""
        self._json: list[str] = []
        self._changes: list[tuple[v.MetadataChange, Author | None]] = []

    def events(self, message: cluster_pb2.WatchResponse) -> Iterable[v.WatchEvent]:
        """Read the events that are complete with one more message, in order."""
        match message.WhichOneof("event"):
            case "snapshot_begin":
                yield v.SnapshotBegins(message.snapshot_begin.end_offset, message.snapshot_begin.epoch)
            case "snapshot_chunk":
                chunk = message.snapshot_chunk
                changes = tuple(record for record, _ in _changes(chunk.changes))
                yield v.SnapshotPart(chunk.records, tuple(chunk.json), changes)
            case "snapshot_end":
                yield v.SnapshotEnds(message.snapshot_end.end_offset)
            case _:
                yield from filter(None, map(self._batch, message.batches.batches))

    def _batch(self, message: cluster_pb2.WatchedBatch) -> v.WatchedBatch | None:
        self._records += message.records
        self._json += message.json
        self._changes += _changes(message.changes)
        if message.json_continues:
            return None
        records, texts, changes = self._records, tuple(self._json), self._changes
        self._records, self._json, self._changes = b"", [], []
        return v.WatchedBatch(
            base_offset=message.base_offset,
            last_offset=message.last_offset,
            epoch=message.epoch,
            is_control=message.control,
            records=records,
            json=texts,
            changes=tuple(record for record, _ in changes),
            authors=tuple(author for _, author in changes),
        )


def _changes(listed: Iterable[changes_pb2.MetadataChange]) -> list[tuple[v.MetadataChange, Author | None]]:
    read = ((record_of(change), author_of(change)) for change in listed)
    return [(record, author) for record, author in read if record is not None]


def _resource(message: common_pb2.ConfigResource) -> v.Resource:
    return v.Resource(int(message.type), message.name)


def _directories(listed: Iterable[bytes]) -> tuple[Uuid, ...]:
    return tuple(received(each, "directory id") for each in listed)


def _listeners_in(listeners: Iterable[common_pb2.Listener]) -> tuple[Listener, ...]:
    return tuple(Listener(each.name, each.host, each.port, each.security_protocol) for each in listeners)


def _features_in(listed: Iterable[common_pb2.SupportedFeature]) -> tuple[SupportedFeature, ...]:
    return tuple(SupportedFeature(each.name, each.min_level, each.max_level) for each in listed)
