from kraftpy.pb.v1 import admin_pb2 as _admin_pb2
from kraftpy.pb.v1 import cluster_pb2 as _cluster_pb2
from kraftpy.pb.v1 import errors_pb2 as _errors_pb2
from kraftpy.pb.v1 import node_pb2 as _node_pb2
from kraftpy.pb.v1 import quorum_pb2 as _quorum_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RequestBatch(_message.Message):
    __slots__ = ("requests",)
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    requests: _containers.RepeatedCompositeFieldContainer[Request]
    def __init__(self, requests: _Optional[_Iterable[_Union[Request, _Mapping]]] = ...) -> None: ...

class Request(_message.Message):
    __slots__ = ("id", "timeout_ms", "traceparent", "tracestate", "update_features", "incremental_alter_configs", "unregister_broker", "register_broker", "broker_heartbeat", "register_controller", "create_topics", "delete_topics", "create_partitions", "describe_cluster", "describe_features", "describe_configs", "describe_quorum", "transfer_leadership", "describe_topics", "list_partition_reassignments", "elect_leaders", "alter_partition_reassignments", "alter_client_quotas", "alter_user_scram_credentials", "describe_client_quotas", "describe_user_scram_credentials", "create_acls", "delete_acls", "describe_acls", "alter_broker_host", "describe_broker_hosts", "create_delegation_token", "renew_delegation_token", "expire_delegation_token", "describe_delegation_tokens", "describe_log_dirs", "unregister_controller", "alter_partition", "assign_replicas_to_dirs", "allocate_producer_ids", "assign_broker_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_MS_FIELD_NUMBER: _ClassVar[int]
    TRACEPARENT_FIELD_NUMBER: _ClassVar[int]
    TRACESTATE_FIELD_NUMBER: _ClassVar[int]
    UPDATE_FEATURES_FIELD_NUMBER: _ClassVar[int]
    INCREMENTAL_ALTER_CONFIGS_FIELD_NUMBER: _ClassVar[int]
    UNREGISTER_BROKER_FIELD_NUMBER: _ClassVar[int]
    REGISTER_BROKER_FIELD_NUMBER: _ClassVar[int]
    BROKER_HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    REGISTER_CONTROLLER_FIELD_NUMBER: _ClassVar[int]
    CREATE_TOPICS_FIELD_NUMBER: _ClassVar[int]
    DELETE_TOPICS_FIELD_NUMBER: _ClassVar[int]
    CREATE_PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_CLUSTER_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_FEATURES_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_CONFIGS_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_QUORUM_FIELD_NUMBER: _ClassVar[int]
    TRANSFER_LEADERSHIP_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_TOPICS_FIELD_NUMBER: _ClassVar[int]
    LIST_PARTITION_REASSIGNMENTS_FIELD_NUMBER: _ClassVar[int]
    ELECT_LEADERS_FIELD_NUMBER: _ClassVar[int]
    ALTER_PARTITION_REASSIGNMENTS_FIELD_NUMBER: _ClassVar[int]
    ALTER_CLIENT_QUOTAS_FIELD_NUMBER: _ClassVar[int]
    ALTER_USER_SCRAM_CREDENTIALS_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_CLIENT_QUOTAS_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_USER_SCRAM_CREDENTIALS_FIELD_NUMBER: _ClassVar[int]
    CREATE_ACLS_FIELD_NUMBER: _ClassVar[int]
    DELETE_ACLS_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_ACLS_FIELD_NUMBER: _ClassVar[int]
    ALTER_BROKER_HOST_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_BROKER_HOSTS_FIELD_NUMBER: _ClassVar[int]
    CREATE_DELEGATION_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RENEW_DELEGATION_TOKEN_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_DELEGATION_TOKEN_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_DELEGATION_TOKENS_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_LOG_DIRS_FIELD_NUMBER: _ClassVar[int]
    UNREGISTER_CONTROLLER_FIELD_NUMBER: _ClassVar[int]
    ALTER_PARTITION_FIELD_NUMBER: _ClassVar[int]
    ASSIGN_REPLICAS_TO_DIRS_FIELD_NUMBER: _ClassVar[int]
    ALLOCATE_PRODUCER_IDS_FIELD_NUMBER: _ClassVar[int]
    ASSIGN_BROKER_ID_FIELD_NUMBER: _ClassVar[int]
    id: int
    timeout_ms: int
    traceparent: str
    tracestate: str
    update_features: _admin_pb2.UpdateFeaturesRequest
    incremental_alter_configs: _admin_pb2.IncrementalAlterConfigsRequest
    unregister_broker: _admin_pb2.UnregisterBrokerRequest
    register_broker: _node_pb2.RegisterBrokerRequest
    broker_heartbeat: _node_pb2.BrokerHeartbeatRequest
    register_controller: _node_pb2.RegisterControllerRequest
    create_topics: _admin_pb2.CreateTopicsRequest
    delete_topics: _admin_pb2.DeleteTopicsRequest
    create_partitions: _admin_pb2.CreatePartitionsRequest
    describe_cluster: _cluster_pb2.DescribeClusterRequest
    describe_features: _cluster_pb2.DescribeFeaturesRequest
    describe_configs: _cluster_pb2.DescribeConfigsRequest
    describe_quorum: _quorum_pb2.DescribeQuorumRequest
    transfer_leadership: _quorum_pb2.TransferLeadershipRequest
    describe_topics: _cluster_pb2.DescribeTopicsRequest
    list_partition_reassignments: _cluster_pb2.ListPartitionReassignmentsRequest
    elect_leaders: _admin_pb2.ElectLeadersRequest
    alter_partition_reassignments: _admin_pb2.AlterPartitionReassignmentsRequest
    alter_client_quotas: _admin_pb2.AlterClientQuotasRequest
    alter_user_scram_credentials: _admin_pb2.AlterUserScramCredentialsRequest
    describe_client_quotas: _cluster_pb2.DescribeClientQuotasRequest
    describe_user_scram_credentials: _cluster_pb2.DescribeUserScramCredentialsRequest
    create_acls: _admin_pb2.CreateAclsRequest
    delete_acls: _admin_pb2.DeleteAclsRequest
    describe_acls: _cluster_pb2.DescribeAclsRequest
    alter_broker_host: _admin_pb2.AlterBrokerHostRequest
    describe_broker_hosts: _cluster_pb2.DescribeBrokerHostsRequest
    create_delegation_token: _admin_pb2.CreateDelegationTokenRequest
    renew_delegation_token: _admin_pb2.RenewDelegationTokenRequest
    expire_delegation_token: _admin_pb2.ExpireDelegationTokenRequest
    describe_delegation_tokens: _cluster_pb2.DescribeDelegationTokensRequest
    describe_log_dirs: _cluster_pb2.DescribeLogDirsRequest
    unregister_controller: _admin_pb2.UnregisterControllerRequest
    alter_partition: _node_pb2.AlterPartitionRequest
    assign_replicas_to_dirs: _node_pb2.AssignReplicasToDirsRequest
    allocate_producer_ids: _node_pb2.AllocateProducerIdsRequest
    assign_broker_id: _node_pb2.AssignBrokerIdRequest
    def __init__(self, id: _Optional[int] = ..., timeout_ms: _Optional[int] = ..., traceparent: _Optional[str] = ..., tracestate: _Optional[str] = ..., update_features: _Optional[_Union[_admin_pb2.UpdateFeaturesRequest, _Mapping]] = ..., incremental_alter_configs: _Optional[_Union[_admin_pb2.IncrementalAlterConfigsRequest, _Mapping]] = ..., unregister_broker: _Optional[_Union[_admin_pb2.UnregisterBrokerRequest, _Mapping]] = ..., register_broker: _Optional[_Union[_node_pb2.RegisterBrokerRequest, _Mapping]] = ..., broker_heartbeat: _Optional[_Union[_node_pb2.BrokerHeartbeatRequest, _Mapping]] = ..., register_controller: _Optional[_Union[_node_pb2.RegisterControllerRequest, _Mapping]] = ..., create_topics: _Optional[_Union[_admin_pb2.CreateTopicsRequest, _Mapping]] = ..., delete_topics: _Optional[_Union[_admin_pb2.DeleteTopicsRequest, _Mapping]] = ..., create_partitions: _Optional[_Union[_admin_pb2.CreatePartitionsRequest, _Mapping]] = ..., describe_cluster: _Optional[_Union[_cluster_pb2.DescribeClusterRequest, _Mapping]] = ..., describe_features: _Optional[_Union[_cluster_pb2.DescribeFeaturesRequest, _Mapping]] = ..., describe_configs: _Optional[_Union[_cluster_pb2.DescribeConfigsRequest, _Mapping]] = ..., describe_quorum: _Optional[_Union[_quorum_pb2.DescribeQuorumRequest, _Mapping]] = ..., transfer_leadership: _Optional[_Union[_quorum_pb2.TransferLeadershipRequest, _Mapping]] = ..., describe_topics: _Optional[_Union[_cluster_pb2.DescribeTopicsRequest, _Mapping]] = ..., list_partition_reassignments: _Optional[_Union[_cluster_pb2.ListPartitionReassignmentsRequest, _Mapping]] = ..., elect_leaders: _Optional[_Union[_admin_pb2.ElectLeadersRequest, _Mapping]] = ..., alter_partition_reassignments: _Optional[_Union[_admin_pb2.AlterPartitionReassignmentsRequest, _Mapping]] = ..., alter_client_quotas: _Optional[_Union[_admin_pb2.AlterClientQuotasRequest, _Mapping]] = ..., alter_user_scram_credentials: _Optional[_Union[_admin_pb2.AlterUserScramCredentialsRequest, _Mapping]] = ..., describe_client_quotas: _Optional[_Union[_cluster_pb2.DescribeClientQuotasRequest, _Mapping]] = ..., describe_user_scram_credentials: _Optional[_Union[_cluster_pb2.DescribeUserScramCredentialsRequest, _Mapping]] = ..., create_acls: _Optional[_Union[_admin_pb2.CreateAclsRequest, _Mapping]] = ..., delete_acls: _Optional[_Union[_admin_pb2.DeleteAclsRequest, _Mapping]] = ..., describe_acls: _Optional[_Union[_cluster_pb2.DescribeAclsRequest, _Mapping]] = ..., alter_broker_host: _Optional[_Union[_admin_pb2.AlterBrokerHostRequest, _Mapping]] = ..., describe_broker_hosts: _Optional[_Union[_cluster_pb2.DescribeBrokerHostsRequest, _Mapping]] = ..., create_delegation_token: _Optional[_Union[_admin_pb2.CreateDelegationTokenRequest, _Mapping]] = ..., renew_delegation_token: _Optional[_Union[_admin_pb2.RenewDelegationTokenRequest, _Mapping]] = ..., expire_delegation_token: _Optional[_Union[_admin_pb2.ExpireDelegationTokenRequest, _Mapping]] = ..., describe_delegation_tokens: _Optional[_Union[_cluster_pb2.DescribeDelegationTokensRequest, _Mapping]] = ..., describe_log_dirs: _Optional[_Union[_cluster_pb2.DescribeLogDirsRequest, _Mapping]] = ..., unregister_controller: _Optional[_Union[_admin_pb2.UnregisterControllerRequest, _Mapping]] = ..., alter_partition: _Optional[_Union[_node_pb2.AlterPartitionRequest, _Mapping]] = ..., assign_replicas_to_dirs: _Optional[_Union[_node_pb2.AssignReplicasToDirsRequest, _Mapping]] = ..., allocate_producer_ids: _Optional[_Union[_node_pb2.AllocateProducerIdsRequest, _Mapping]] = ..., assign_broker_id: _Optional[_Union[_node_pb2.AssignBrokerIdRequest, _Mapping]] = ...) -> None: ...

class ResponseBatch(_message.Message):
    __slots__ = ("responses", "leader_epoch", "leader_sequence")
    RESPONSES_FIELD_NUMBER: _ClassVar[int]
    LEADER_EPOCH_FIELD_NUMBER: _ClassVar[int]
    LEADER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    responses: _containers.RepeatedCompositeFieldContainer[Response]
    leader_epoch: int
    leader_sequence: int
    def __init__(self, responses: _Optional[_Iterable[_Union[Response, _Mapping]]] = ..., leader_epoch: _Optional[int] = ..., leader_sequence: _Optional[int] = ...) -> None: ...

class Response(_message.Message):
    __slots__ = ("id", "error", "update_features", "incremental_alter_configs", "unregister_broker", "register_broker", "broker_heartbeat", "register_controller", "create_topics", "delete_topics", "create_partitions", "describe_cluster", "describe_features", "describe_configs", "describe_quorum", "transfer_leadership", "describe_topics", "list_partition_reassignments", "elect_leaders", "alter_partition_reassignments", "alter_client_quotas", "alter_user_scram_credentials", "describe_client_quotas", "describe_user_scram_credentials", "create_acls", "delete_acls", "describe_acls", "alter_broker_host", "describe_broker_hosts", "create_delegation_token", "renew_delegation_token", "expire_delegation_token", "describe_delegation_tokens", "describe_log_dirs", "unregister_controller", "alter_partition", "assign_replicas_to_dirs", "allocate_producer_ids", "assign_broker_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    UPDATE_FEATURES_FIELD_NUMBER: _ClassVar[int]
    INCREMENTAL_ALTER_CONFIGS_FIELD_NUMBER: _ClassVar[int]
    UNREGISTER_BROKER_FIELD_NUMBER: _ClassVar[int]
    REGISTER_BROKER_FIELD_NUMBER: _ClassVar[int]
    BROKER_HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    REGISTER_CONTROLLER_FIELD_NUMBER: _ClassVar[int]
    CREATE_TOPICS_FIELD_NUMBER: _ClassVar[int]
    DELETE_TOPICS_FIELD_NUMBER: _ClassVar[int]
    CREATE_PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_CLUSTER_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_FEATURES_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_CONFIGS_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_QUORUM_FIELD_NUMBER: _ClassVar[int]
    TRANSFER_LEADERSHIP_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_TOPICS_FIELD_NUMBER: _ClassVar[int]
    LIST_PARTITION_REASSIGNMENTS_FIELD_NUMBER: _ClassVar[int]
    ELECT_LEADERS_FIELD_NUMBER: _ClassVar[int]
    ALTER_PARTITION_REASSIGNMENTS_FIELD_NUMBER: _ClassVar[int]
    ALTER_CLIENT_QUOTAS_FIELD_NUMBER: _ClassVar[int]
    ALTER_USER_SCRAM_CREDENTIALS_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_CLIENT_QUOTAS_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_USER_SCRAM_CREDENTIALS_FIELD_NUMBER: _ClassVar[int]
    CREATE_ACLS_FIELD_NUMBER: _ClassVar[int]
    DELETE_ACLS_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_ACLS_FIELD_NUMBER: _ClassVar[int]
    ALTER_BROKER_HOST_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_BROKER_HOSTS_FIELD_NUMBER: _ClassVar[int]
    CREATE_DELEGATION_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RENEW_DELEGATION_TOKEN_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_DELEGATION_TOKEN_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_DELEGATION_TOKENS_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_LOG_DIRS_FIELD_NUMBER: _ClassVar[int]
    UNREGISTER_CONTROLLER_FIELD_NUMBER: _ClassVar[int]
    ALTER_PARTITION_FIELD_NUMBER: _ClassVar[int]
    ASSIGN_REPLICAS_TO_DIRS_FIELD_NUMBER: _ClassVar[int]
    ALLOCATE_PRODUCER_IDS_FIELD_NUMBER: _ClassVar[int]
    ASSIGN_BROKER_ID_FIELD_NUMBER: _ClassVar[int]
    id: int
    error: _errors_pb2.ErrorDetail
    update_features: _admin_pb2.UpdateFeaturesResponse
    incremental_alter_configs: _admin_pb2.IncrementalAlterConfigsResponse
    unregister_broker: _admin_pb2.UnregisterBrokerResponse
    register_broker: _node_pb2.RegisterBrokerResponse
    broker_heartbeat: _node_pb2.BrokerHeartbeatResponse
    register_controller: _node_pb2.RegisterControllerResponse
    create_topics: _admin_pb2.CreateTopicsResponse
    delete_topics: _admin_pb2.DeleteTopicsResponse
    create_partitions: _admin_pb2.CreatePartitionsResponse
    describe_cluster: _cluster_pb2.DescribeClusterResponse
    describe_features: _cluster_pb2.DescribeFeaturesResponse
    describe_configs: _cluster_pb2.DescribeConfigsResponse
    describe_quorum: _quorum_pb2.DescribeQuorumResponse
    transfer_leadership: _quorum_pb2.TransferLeadershipResponse
    describe_topics: _cluster_pb2.DescribeTopicsResponse
    list_partition_reassignments: _cluster_pb2.ListPartitionReassignmentsResponse
    elect_leaders: _admin_pb2.ElectLeadersResponse
    alter_partition_reassignments: _admin_pb2.AlterPartitionReassignmentsResponse
    alter_client_quotas: _admin_pb2.AlterClientQuotasResponse
    alter_user_scram_credentials: _admin_pb2.AlterUserScramCredentialsResponse
    describe_client_quotas: _cluster_pb2.DescribeClientQuotasResponse
    describe_user_scram_credentials: _cluster_pb2.DescribeUserScramCredentialsResponse
    create_acls: _admin_pb2.CreateAclsResponse
    delete_acls: _admin_pb2.DeleteAclsResponse
    describe_acls: _cluster_pb2.DescribeAclsResponse
    alter_broker_host: _admin_pb2.AlterBrokerHostResponse
    describe_broker_hosts: _cluster_pb2.DescribeBrokerHostsResponse
    create_delegation_token: _admin_pb2.CreateDelegationTokenResponse
    renew_delegation_token: _admin_pb2.RenewDelegationTokenResponse
    expire_delegation_token: _admin_pb2.ExpireDelegationTokenResponse
    describe_delegation_tokens: _cluster_pb2.DescribeDelegationTokensResponse
    describe_log_dirs: _cluster_pb2.DescribeLogDirsResponse
    unregister_controller: _admin_pb2.UnregisterControllerResponse
    alter_partition: _node_pb2.AlterPartitionResponse
    assign_replicas_to_dirs: _node_pb2.AssignReplicasToDirsResponse
    allocate_producer_ids: _node_pb2.AllocateProducerIdsResponse
    assign_broker_id: _node_pb2.AssignBrokerIdResponse
    def __init__(self, id: _Optional[int] = ..., error: _Optional[_Union[_errors_pb2.ErrorDetail, _Mapping]] = ..., update_features: _Optional[_Union[_admin_pb2.UpdateFeaturesResponse, _Mapping]] = ..., incremental_alter_configs: _Optional[_Union[_admin_pb2.IncrementalAlterConfigsResponse, _Mapping]] = ..., unregister_broker: _Optional[_Union[_admin_pb2.UnregisterBrokerResponse, _Mapping]] = ..., register_broker: _Optional[_Union[_node_pb2.RegisterBrokerResponse, _Mapping]] = ..., broker_heartbeat: _Optional[_Union[_node_pb2.BrokerHeartbeatResponse, _Mapping]] = ..., register_controller: _Optional[_Union[_node_pb2.RegisterControllerResponse, _Mapping]] = ..., create_topics: _Optional[_Union[_admin_pb2.CreateTopicsResponse, _Mapping]] = ..., delete_topics: _Optional[_Union[_admin_pb2.DeleteTopicsResponse, _Mapping]] = ..., create_partitions: _Optional[_Union[_admin_pb2.CreatePartitionsResponse, _Mapping]] = ..., describe_cluster: _Optional[_Union[_cluster_pb2.DescribeClusterResponse, _Mapping]] = ..., describe_features: _Optional[_Union[_cluster_pb2.DescribeFeaturesResponse, _Mapping]] = ..., describe_configs: _Optional[_Union[_cluster_pb2.DescribeConfigsResponse, _Mapping]] = ..., describe_quorum: _Optional[_Union[_quorum_pb2.DescribeQuorumResponse, _Mapping]] = ..., transfer_leadership: _Optional[_Union[_quorum_pb2.TransferLeadershipResponse, _Mapping]] = ..., describe_topics: _Optional[_Union[_cluster_pb2.DescribeTopicsResponse, _Mapping]] = ..., list_partition_reassignments: _Optional[_Union[_cluster_pb2.ListPartitionReassignmentsResponse, _Mapping]] = ..., elect_leaders: _Optional[_Union[_admin_pb2.ElectLeadersResponse, _Mapping]] = ..., alter_partition_reassignments: _Optional[_Union[_admin_pb2.AlterPartitionReassignmentsResponse, _Mapping]] = ..., alter_client_quotas: _Optional[_Union[_admin_pb2.AlterClientQuotasResponse, _Mapping]] = ..., alter_user_scram_credentials: _Optional[_Union[_admin_pb2.AlterUserScramCredentialsResponse, _Mapping]] = ..., describe_client_quotas: _Optional[_Union[_cluster_pb2.DescribeClientQuotasResponse, _Mapping]] = ..., describe_user_scram_credentials: _Optional[_Union[_cluster_pb2.DescribeUserScramCredentialsResponse, _Mapping]] = ..., create_acls: _Optional[_Union[_admin_pb2.CreateAclsResponse, _Mapping]] = ..., delete_acls: _Optional[_Union[_admin_pb2.DeleteAclsResponse, _Mapping]] = ..., describe_acls: _Optional[_Union[_cluster_pb2.DescribeAclsResponse, _Mapping]] = ..., alter_broker_host: _Optional[_Union[_admin_pb2.AlterBrokerHostResponse, _Mapping]] = ..., describe_broker_hosts: _Optional[_Union[_cluster_pb2.DescribeBrokerHostsResponse, _Mapping]] = ..., create_delegation_token: _Optional[_Union[_admin_pb2.CreateDelegationTokenResponse, _Mapping]] = ..., renew_delegation_token: _Optional[_Union[_admin_pb2.RenewDelegationTokenResponse, _Mapping]] = ..., expire_delegation_token: _Optional[_Union[_admin_pb2.ExpireDelegationTokenResponse, _Mapping]] = ..., describe_delegation_tokens: _Optional[_Union[_cluster_pb2.DescribeDelegationTokensResponse, _Mapping]] = ..., describe_log_dirs: _Optional[_Union[_cluster_pb2.DescribeLogDirsResponse, _Mapping]] = ..., unregister_controller: _Optional[_Union[_admin_pb2.UnregisterControllerResponse, _Mapping]] = ..., alter_partition: _Optional[_Union[_node_pb2.AlterPartitionResponse, _Mapping]] = ..., assign_replicas_to_dirs: _Optional[_Union[_node_pb2.AssignReplicasToDirsResponse, _Mapping]] = ..., allocate_producer_ids: _Optional[_Union[_node_pb2.AllocateProducerIdsResponse, _Mapping]] = ..., assign_broker_id: _Optional[_Union[_node_pb2.AssignBrokerIdResponse, _Mapping]] = ...) -> None: ...
