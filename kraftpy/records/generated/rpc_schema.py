"""Generated from ``proto/kafka/rpc`` by ``python -m proto.generate``; do not edit."""

from __future__ import annotations

from typing import Final

from kraftpy.records.schema import Field, MessageSpec, Struct, Versions

_DefaultPrincipalData = Struct("DefaultPrincipalData", "DefaultPrincipalData", (
    Field("Type", "string"),
    Field("Name", "string"),
    Field("TokenAuthenticated", "bool"),
))
_RequestHeader = Struct("RequestHeader", "RequestHeader", (
    Field("RequestApiKey", "int16"),
    Field("RequestApiVersion", "int16"),
    Field("CorrelationId", "int32"),
    Field("ClientId", "string", is_nullable=True, versions=Versions(1, 32767), is_plain=True),
))
_ResponseHeader = Struct("ResponseHeader", "ResponseHeader", (
    Field("CorrelationId", "int32"),
))
_FetchRequestReplicaState = Struct("ReplicaState", "FetchRequestReplicaState", (
    Field("ReplicaId", "int32", versions=Versions(15, 32767), default="-1"),
    Field("ReplicaEpoch", "int64", versions=Versions(15, 32767), default="-1"),
))
_FetchRequestFetchPartition = Struct("FetchPartition", "FetchRequestFetchPartition", (
    Field("Partition", "int32"),
    Field("CurrentLeaderEpoch", "int32", versions=Versions(9, 32767), default="-1", is_ignorable=True),
    Field("FetchOffset", "int64"),
    Field("LastFetchedEpoch", "int32", versions=Versions(12, 32767), default="-1"),
    Field("LogStartOffset", "int64", versions=Versions(5, 32767), default="-1", is_ignorable=True),
    Field("PartitionMaxBytes", "int32"),
    Field("ReplicaDirectoryId", "uuid", versions=Versions(17, 32767), tag=0, is_ignorable=True),
    Field("HighWatermark", "int64", versions=Versions(18, 32767), tag=1, default="9223372036854775807", is_ignorable=True),
    Field("ProbationNodeId", "int32", versions=Versions(17, 32767), tag=1000, default="-1", is_ignorable=True),
    Field("ProbationDirectoryId", "uuid", versions=Versions(17, 32767), tag=1001, is_ignorable=True),
    Field("StateEndOffset", "int64", versions=Versions(17, 32767), tag=1002, default="-1", is_ignorable=True),
    Field("StateDigest", "uuid", versions=Versions(17, 32767), tag=1003, is_ignorable=True),
))
_FetchRequestFetchTopic = Struct("FetchTopic", "FetchRequestFetchTopic", (
    Field("Topic", "string", versions=Versions(0, 12), is_ignorable=True),
    Field("TopicId", "uuid", versions=Versions(13, 32767), is_ignorable=True),
    Field("Partitions", "FetchPartition", is_array=True, struct=_FetchRequestFetchPartition),
))
_FetchRequestForgottenTopic = Struct("ForgottenTopic", "FetchRequestForgottenTopic", (
    Field("Topic", "string", versions=Versions(7, 12), is_ignorable=True),
    Field("TopicId", "uuid", versions=Versions(13, 32767), is_ignorable=True),
    Field("Partitions", "int32", is_array=True, versions=Versions(7, 32767)),
))
_FetchRequest = Struct("FetchRequest", "FetchRequest", (
    Field("ClusterId", "string", is_nullable=True, versions=Versions(12, 32767), tag=0, default="null", is_ignorable=True),
    Field("ReplicaId", "int32", versions=Versions(0, 14), default="-1"),
    Field("ReplicaState", "ReplicaState", versions=Versions(15, 32767), tag=1, struct=_FetchRequestReplicaState),
    Field("MaxWaitMs", "int32"),
    Field("MinBytes", "int32"),
    Field("MaxBytes", "int32", versions=Versions(3, 32767), default="2147483647", is_ignorable=True),
    Field("IsolationLevel", "int8", versions=Versions(4, 32767), is_ignorable=True),
    Field("SessionId", "int32", versions=Versions(7, 32767), is_ignorable=True),
    Field("SessionEpoch", "int32", versions=Versions(7, 32767), default="-1", is_ignorable=True),
    Field("Topics", "FetchTopic", is_array=True, struct=_FetchRequestFetchTopic),
    Field("ForgottenTopicsData", "ForgottenTopic", is_array=True, versions=Versions(7, 32767), struct=_FetchRequestForgottenTopic),
    Field("RackId", "string", versions=Versions(11, 32767), is_ignorable=True),
))
_FetchResponseEpochEndOffset = Struct("EpochEndOffset", "FetchResponseEpochEndOffset", (
    Field("Epoch", "int32", versions=Versions(12, 32767), default="-1"),
    Field("EndOffset", "int64", versions=Versions(12, 32767), default="-1"),
))
_FetchResponseLeaderIdAndEpoch = Struct("LeaderIdAndEpoch", "FetchResponseLeaderIdAndEpoch", (
    Field("LeaderId", "int32", versions=Versions(12, 32767), default="-1"),
    Field("LeaderEpoch", "int32", versions=Versions(12, 32767), default="-1"),
))
_FetchResponseSnapshotId = Struct("SnapshotId", "FetchResponseSnapshotId", (
    Field("EndOffset", "int64", default="-1"),
    Field("Epoch", "int32", default="-1"),
))
_FetchResponseAbortedTransaction = Struct("AbortedTransaction", "FetchResponseAbortedTransaction", (
    Field("ProducerId", "int64", versions=Versions(4, 32767)),
    Field("FirstOffset", "int64", versions=Versions(4, 32767)),
))
_FetchResponsePartitionData = Struct("PartitionData", "FetchResponsePartitionData", (
    Field("PartitionIndex", "int32"),
    Field("ErrorCode", "int16"),
    Field("HighWatermark", "int64"),
    Field("LastStableOffset", "int64", versions=Versions(4, 32767), default="-1", is_ignorable=True),
    Field("LogStartOffset", "int64", versions=Versions(5, 32767), default="-1", is_ignorable=True),
    Field("DivergingEpoch", "EpochEndOffset", versions=Versions(12, 32767), tag=0, struct=_FetchResponseEpochEndOffset),
    Field("CurrentLeader", "LeaderIdAndEpoch", versions=Versions(12, 32767), tag=1, struct=_FetchResponseLeaderIdAndEpoch),
    Field("SnapshotId", "SnapshotId", versions=Versions(12, 32767), tag=2, struct=_FetchResponseSnapshotId),
    Field("AbortedTransactions", "AbortedTransaction", is_array=True, is_nullable=True, versions=Versions(4, 32767), is_ignorable=True, struct=_FetchResponseAbortedTransaction),
    Field("PreferredReadReplica", "int32", versions=Versions(11, 32767), default="-1"),
    Field("Records", "records", is_nullable=True),
    Field("RegisteredDirectoryId", "uuid", versions=Versions(17, 32767), tag=1000, is_ignorable=True),
    Field("AgreedEndOffset", "int64", versions=Versions(17, 32767), tag=1001, default="-1", is_ignorable=True),
    Field("AgreedDigest", "uuid", versions=Versions(17, 32767), tag=1002, is_ignorable=True),
))
_FetchResponseFetchableTopicResponse = Struct("FetchableTopicResponse", "FetchResponseFetchableTopicResponse", (
    Field("Topic", "string", versions=Versions(0, 12), is_ignorable=True),
    Field("TopicId", "uuid", versions=Versions(13, 32767), is_ignorable=True),
    Field("Partitions", "PartitionData", is_array=True, struct=_FetchResponsePartitionData),
))
_FetchResponseNodeEndpoint = Struct("NodeEndpoint", "FetchResponseNodeEndpoint", (
    Field("NodeId", "int32", versions=Versions(16, 32767)),
    Field("Host", "string", versions=Versions(16, 32767)),
    Field("Port", "int32", versions=Versions(16, 32767)),
    Field("Rack", "string", is_nullable=True, versions=Versions(16, 32767), default="null"),
))
_FetchResponse = Struct("FetchResponse", "FetchResponse", (
    Field("ThrottleTimeMs", "int32", versions=Versions(1, 32767), is_ignorable=True),
    Field("ErrorCode", "int16", versions=Versions(7, 32767), is_ignorable=True),
    Field("SessionId", "int32", versions=Versions(7, 32767)),
    Field("Responses", "FetchableTopicResponse", is_array=True, struct=_FetchResponseFetchableTopicResponse),
    Field("NodeEndpoints", "NodeEndpoint", is_array=True, versions=Versions(16, 32767), tag=0, struct=_FetchResponseNodeEndpoint),
))
_SaslHandshakeRequest = Struct("SaslHandshakeRequest", "SaslHandshakeRequest", (
    Field("Mechanism", "string"),
))
_SaslHandshakeResponse = Struct("SaslHandshakeResponse", "SaslHandshakeResponse", (
    Field("ErrorCode", "int16"),
    Field("Mechanisms", "string", is_array=True),
))
_ApiVersionsRequest = Struct("ApiVersionsRequest", "ApiVersionsRequest", (
    Field("ClientSoftwareName", "string", versions=Versions(3, 32767), is_ignorable=True),
    Field("ClientSoftwareVersion", "string", versions=Versions(3, 32767), is_ignorable=True),
))
_ApiVersionsResponseApiVersion = Struct("ApiVersion", "ApiVersionsResponseApiVersion", (
    Field("ApiKey", "int16"),
    Field("MinVersion", "int16"),
    Field("MaxVersion", "int16"),
))
_ApiVersionsResponseSupportedFeatureKey = Struct("SupportedFeatureKey", "ApiVersionsResponseSupportedFeatureKey", (
    Field("Name", "string", versions=Versions(3, 32767)),
    Field("MinVersion", "int16", versions=Versions(3, 32767)),
    Field("MaxVersion", "int16", versions=Versions(3, 32767)),
))
_ApiVersionsResponseFinalizedFeatureKey = Struct("FinalizedFeatureKey", "ApiVersionsResponseFinalizedFeatureKey", (
    Field("Name", "string", versions=Versions(3, 32767)),
    Field("MaxVersionLevel", "int16", versions=Versions(3, 32767)),
    Field("MinVersionLevel", "int16", versions=Versions(3, 32767)),
))
_ApiVersionsResponse = Struct("ApiVersionsResponse", "ApiVersionsResponse", (
    Field("ErrorCode", "int16"),
    Field("ApiKeys", "ApiVersion", is_array=True, struct=_ApiVersionsResponseApiVersion),
    Field("ThrottleTimeMs", "int32", versions=Versions(1, 32767), is_ignorable=True),
    Field("SupportedFeatures", "SupportedFeatureKey", is_array=True, versions=Versions(3, 32767), tag=0, is_ignorable=True, struct=_ApiVersionsResponseSupportedFeatureKey),
    Field("FinalizedFeaturesEpoch", "int64", versions=Versions(3, 32767), tag=1, default="-1", is_ignorable=True),
    Field("FinalizedFeatures", "FinalizedFeatureKey", is_array=True, versions=Versions(3, 32767), tag=2, is_ignorable=True, struct=_ApiVersionsResponseFinalizedFeatureKey),
    Field("ZkMigrationReady", "bool", versions=Versions(3, 32767), tag=3, is_ignorable=True),
))
_CreateTopicsRequestCreatableReplicaAssignment = Struct("CreatableReplicaAssignment", "CreateTopicsRequestCreatableReplicaAssignment", (
    Field("PartitionIndex", "int32"),
    Field("BrokerIds", "int32", is_array=True),
))
_CreateTopicsRequestCreatableTopicConfig = Struct("CreatableTopicConfig", "CreateTopicsRequestCreatableTopicConfig", (
    Field("Name", "string"),
    Field("Value", "string", is_nullable=True),
))
_CreateTopicsRequestCreatableTopic = Struct("CreatableTopic", "CreateTopicsRequestCreatableTopic", (
    Field("Name", "string"),
    Field("NumPartitions", "int32"),
    Field("ReplicationFactor", "int16"),
    Field("Assignments", "CreatableReplicaAssignment", is_array=True, struct=_CreateTopicsRequestCreatableReplicaAssignment),
    Field("Configs", "CreatableTopicConfig", is_array=True, struct=_CreateTopicsRequestCreatableTopicConfig),
))
_CreateTopicsRequest = Struct("CreateTopicsRequest", "CreateTopicsRequest", (
    Field("Topics", "CreatableTopic", is_array=True, struct=_CreateTopicsRequestCreatableTopic),
    Field("timeoutMs", "int32", default="60000"),
    Field("validateOnly", "bool"),
))
_CreateTopicsResponseCreatableTopicConfigs = Struct("CreatableTopicConfigs", "CreateTopicsResponseCreatableTopicConfigs", (
    Field("Name", "string", versions=Versions(5, 32767)),
    Field("Value", "string", is_nullable=True, versions=Versions(5, 32767)),
    Field("ReadOnly", "bool", versions=Versions(5, 32767)),
    Field("ConfigSource", "int8", versions=Versions(5, 32767), default="-1", is_ignorable=True),
    Field("IsSensitive", "bool", versions=Versions(5, 32767)),
))
_CreateTopicsResponseCreatableTopicResult = Struct("CreatableTopicResult", "CreateTopicsResponseCreatableTopicResult", (
    Field("Name", "string"),
    Field("TopicId", "uuid", versions=Versions(7, 32767), is_ignorable=True),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True, is_ignorable=True),
    Field("TopicConfigErrorCode", "int16", versions=Versions(5, 32767), tag=0, is_ignorable=True),
    Field("NumPartitions", "int32", versions=Versions(5, 32767), default="-1", is_ignorable=True),
    Field("ReplicationFactor", "int16", versions=Versions(5, 32767), default="-1", is_ignorable=True),
    Field("Configs", "CreatableTopicConfigs", is_array=True, is_nullable=True, versions=Versions(5, 32767), is_ignorable=True, struct=_CreateTopicsResponseCreatableTopicConfigs),
))
_CreateTopicsResponse = Struct("CreateTopicsResponse", "CreateTopicsResponse", (
    Field("ThrottleTimeMs", "int32", versions=Versions(2, 32767), is_ignorable=True),
    Field("Topics", "CreatableTopicResult", is_array=True, struct=_CreateTopicsResponseCreatableTopicResult),
))
_DeleteTopicsRequestDeleteTopicState = Struct("DeleteTopicState", "DeleteTopicsRequestDeleteTopicState", (
    Field("Name", "string", is_nullable=True, versions=Versions(6, 32767), default="null"),
    Field("TopicId", "uuid", versions=Versions(6, 32767)),
))
_DeleteTopicsRequest = Struct("DeleteTopicsRequest", "DeleteTopicsRequest", (
    Field("Topics", "DeleteTopicState", is_array=True, versions=Versions(6, 32767), struct=_DeleteTopicsRequestDeleteTopicState),
    Field("TopicNames", "string", is_array=True, versions=Versions(0, 5), is_ignorable=True),
    Field("TimeoutMs", "int32"),
))
_DeleteTopicsResponseDeletableTopicResult = Struct("DeletableTopicResult", "DeleteTopicsResponseDeletableTopicResult", (
    Field("Name", "string", is_nullable=True),
    Field("TopicId", "uuid", versions=Versions(6, 32767), is_ignorable=True),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True, versions=Versions(5, 32767), default="null", is_ignorable=True),
))
_DeleteTopicsResponse = Struct("DeleteTopicsResponse", "DeleteTopicsResponse", (
    Field("ThrottleTimeMs", "int32", versions=Versions(1, 32767), is_ignorable=True),
    Field("Responses", "DeletableTopicResult", is_array=True, struct=_DeleteTopicsResponseDeletableTopicResult),
))
_DescribeAclsRequest = Struct("DescribeAclsRequest", "DescribeAclsRequest", (
    Field("ResourceTypeFilter", "int8"),
    Field("ResourceNameFilter", "string", is_nullable=True),
    Field("PatternTypeFilter", "int8", versions=Versions(1, 32767), default="3"),
    Field("PrincipalFilter", "string", is_nullable=True),
    Field("HostFilter", "string", is_nullable=True),
    Field("Operation", "int8"),
    Field("PermissionType", "int8"),
))
_DescribeAclsResponseAclDescription = Struct("AclDescription", "DescribeAclsResponseAclDescription", (
    Field("Principal", "string"),
    Field("Host", "string"),
    Field("Operation", "int8"),
    Field("PermissionType", "int8"),
))
_DescribeAclsResponseDescribeAclsResource = Struct("DescribeAclsResource", "DescribeAclsResponseDescribeAclsResource", (
    Field("ResourceType", "int8"),
    Field("ResourceName", "string"),
    Field("PatternType", "int8", versions=Versions(1, 32767), default="3"),
    Field("Acls", "AclDescription", is_array=True, struct=_DescribeAclsResponseAclDescription),
))
_DescribeAclsResponse = Struct("DescribeAclsResponse", "DescribeAclsResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
    Field("Resources", "DescribeAclsResource", is_array=True, struct=_DescribeAclsResponseDescribeAclsResource),
))
_CreateAclsRequestAclCreation = Struct("AclCreation", "CreateAclsRequestAclCreation", (
    Field("ResourceType", "int8"),
    Field("ResourceName", "string"),
    Field("ResourcePatternType", "int8", versions=Versions(1, 32767), default="3"),
    Field("Principal", "string"),
    Field("Host", "string"),
    Field("Operation", "int8"),
    Field("PermissionType", "int8"),
))
_CreateAclsRequest = Struct("CreateAclsRequest", "CreateAclsRequest", (
    Field("Creations", "AclCreation", is_array=True, struct=_CreateAclsRequestAclCreation),
))
_CreateAclsResponseAclCreationResult = Struct("AclCreationResult", "CreateAclsResponseAclCreationResult", (
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
))
_CreateAclsResponse = Struct("CreateAclsResponse", "CreateAclsResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("Results", "AclCreationResult", is_array=True, struct=_CreateAclsResponseAclCreationResult),
))
_DeleteAclsRequestDeleteAclsFilter = Struct("DeleteAclsFilter", "DeleteAclsRequestDeleteAclsFilter", (
    Field("ResourceTypeFilter", "int8"),
    Field("ResourceNameFilter", "string", is_nullable=True),
    Field("PatternTypeFilter", "int8", versions=Versions(1, 32767), default="3"),
    Field("PrincipalFilter", "string", is_nullable=True),
    Field("HostFilter", "string", is_nullable=True),
    Field("Operation", "int8"),
    Field("PermissionType", "int8"),
))
_DeleteAclsRequest = Struct("DeleteAclsRequest", "DeleteAclsRequest", (
    Field("Filters", "DeleteAclsFilter", is_array=True, struct=_DeleteAclsRequestDeleteAclsFilter),
))
_DeleteAclsResponseDeleteAclsMatchingAcl = Struct("DeleteAclsMatchingAcl", "DeleteAclsResponseDeleteAclsMatchingAcl", (
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
    Field("ResourceType", "int8"),
    Field("ResourceName", "string"),
    Field("PatternType", "int8", versions=Versions(1, 32767), default="3"),
    Field("Principal", "string"),
    Field("Host", "string"),
    Field("Operation", "int8"),
    Field("PermissionType", "int8"),
))
_DeleteAclsResponseDeleteAclsFilterResult = Struct("DeleteAclsFilterResult", "DeleteAclsResponseDeleteAclsFilterResult", (
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
    Field("MatchingAcls", "DeleteAclsMatchingAcl", is_array=True, struct=_DeleteAclsResponseDeleteAclsMatchingAcl),
))
_DeleteAclsResponse = Struct("DeleteAclsResponse", "DeleteAclsResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("FilterResults", "DeleteAclsFilterResult", is_array=True, struct=_DeleteAclsResponseDeleteAclsFilterResult),
))
_DescribeConfigsRequestDescribeConfigsResource = Struct("DescribeConfigsResource", "DescribeConfigsRequestDescribeConfigsResource", (
    Field("ResourceType", "int8"),
    Field("ResourceName", "string"),
    Field("ConfigurationKeys", "string", is_array=True, is_nullable=True),
))
_DescribeConfigsRequest = Struct("DescribeConfigsRequest", "DescribeConfigsRequest", (
    Field("Resources", "DescribeConfigsResource", is_array=True, struct=_DescribeConfigsRequestDescribeConfigsResource),
    Field("IncludeSynonyms", "bool", versions=Versions(1, 32767)),
    Field("IncludeDocumentation", "bool", versions=Versions(3, 32767)),
))
_DescribeConfigsResponseDescribeConfigsSynonym = Struct("DescribeConfigsSynonym", "DescribeConfigsResponseDescribeConfigsSynonym", (
    Field("Name", "string", versions=Versions(1, 32767)),
    Field("Value", "string", is_nullable=True, versions=Versions(1, 32767)),
    Field("Source", "int8", versions=Versions(1, 32767)),
))
_DescribeConfigsResponseDescribeConfigsResourceResult = Struct("DescribeConfigsResourceResult", "DescribeConfigsResponseDescribeConfigsResourceResult", (
    Field("Name", "string"),
    Field("Value", "string", is_nullable=True),
    Field("ReadOnly", "bool"),
    Field("ConfigSource", "int8", versions=Versions(1, 32767), default="-1", is_ignorable=True),
    Field("IsSensitive", "bool"),
    Field("Synonyms", "DescribeConfigsSynonym", is_array=True, versions=Versions(1, 32767), is_ignorable=True, struct=_DescribeConfigsResponseDescribeConfigsSynonym),
    Field("ConfigType", "int8", versions=Versions(3, 32767), is_ignorable=True),
    Field("Documentation", "string", is_nullable=True, versions=Versions(3, 32767), is_ignorable=True),
))
_DescribeConfigsResponseDescribeConfigsResult = Struct("DescribeConfigsResult", "DescribeConfigsResponseDescribeConfigsResult", (
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
    Field("ResourceType", "int8"),
    Field("ResourceName", "string"),
    Field("Configs", "DescribeConfigsResourceResult", is_array=True, struct=_DescribeConfigsResponseDescribeConfigsResourceResult),
))
_DescribeConfigsResponse = Struct("DescribeConfigsResponse", "DescribeConfigsResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("Results", "DescribeConfigsResult", is_array=True, struct=_DescribeConfigsResponseDescribeConfigsResult),
))
_AlterConfigsRequestAlterableConfig = Struct("AlterableConfig", "AlterConfigsRequestAlterableConfig", (
    Field("Name", "string"),
    Field("Value", "string", is_nullable=True),
))
_AlterConfigsRequestAlterConfigsResource = Struct("AlterConfigsResource", "AlterConfigsRequestAlterConfigsResource", (
    Field("ResourceType", "int8"),
    Field("ResourceName", "string"),
    Field("Configs", "AlterableConfig", is_array=True, struct=_AlterConfigsRequestAlterableConfig),
))
_AlterConfigsRequest = Struct("AlterConfigsRequest", "AlterConfigsRequest", (
    Field("Resources", "AlterConfigsResource", is_array=True, struct=_AlterConfigsRequestAlterConfigsResource),
    Field("ValidateOnly", "bool"),
))
_AlterConfigsResponseAlterConfigsResourceResponse = Struct("AlterConfigsResourceResponse", "AlterConfigsResponseAlterConfigsResourceResponse", (
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
    Field("ResourceType", "int8"),
    Field("ResourceName", "string"),
))
_AlterConfigsResponse = Struct("AlterConfigsResponse", "AlterConfigsResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("Responses", "AlterConfigsResourceResponse", is_array=True, struct=_AlterConfigsResponseAlterConfigsResourceResponse),
))
_SaslAuthenticateRequest = Struct("SaslAuthenticateRequest", "SaslAuthenticateRequest", (
    Field("AuthBytes", "bytes"),
))
_SaslAuthenticateResponse = Struct("SaslAuthenticateResponse", "SaslAuthenticateResponse", (
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
    Field("AuthBytes", "bytes"),
    Field("SessionLifetimeMs", "int64", versions=Versions(1, 32767), default="0", is_ignorable=True),
))
_CreatePartitionsRequestCreatePartitionsAssignment = Struct("CreatePartitionsAssignment", "CreatePartitionsRequestCreatePartitionsAssignment", (
    Field("BrokerIds", "int32", is_array=True),
))
_CreatePartitionsRequestCreatePartitionsTopic = Struct("CreatePartitionsTopic", "CreatePartitionsRequestCreatePartitionsTopic", (
    Field("Name", "string"),
    Field("Count", "int32"),
    Field("Assignments", "CreatePartitionsAssignment", is_array=True, is_nullable=True, struct=_CreatePartitionsRequestCreatePartitionsAssignment),
))
_CreatePartitionsRequest = Struct("CreatePartitionsRequest", "CreatePartitionsRequest", (
    Field("Topics", "CreatePartitionsTopic", is_array=True, struct=_CreatePartitionsRequestCreatePartitionsTopic),
    Field("TimeoutMs", "int32"),
    Field("ValidateOnly", "bool"),
))
_CreatePartitionsResponseCreatePartitionsTopicResult = Struct("CreatePartitionsTopicResult", "CreatePartitionsResponseCreatePartitionsTopicResult", (
    Field("Name", "string"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True, default="null"),
))
_CreatePartitionsResponse = Struct("CreatePartitionsResponse", "CreatePartitionsResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("Results", "CreatePartitionsTopicResult", is_array=True, struct=_CreatePartitionsResponseCreatePartitionsTopicResult),
))
_CreateDelegationTokenRequestCreatableRenewers = Struct("CreatableRenewers", "CreateDelegationTokenRequestCreatableRenewers", (
    Field("PrincipalType", "string"),
    Field("PrincipalName", "string"),
))
_CreateDelegationTokenRequest = Struct("CreateDelegationTokenRequest", "CreateDelegationTokenRequest", (
    Field("OwnerPrincipalType", "string", is_nullable=True, versions=Versions(3, 32767)),
    Field("OwnerPrincipalName", "string", is_nullable=True, versions=Versions(3, 32767)),
    Field("Renewers", "CreatableRenewers", is_array=True, struct=_CreateDelegationTokenRequestCreatableRenewers),
    Field("MaxLifetimeMs", "int64"),
))
_CreateDelegationTokenResponse = Struct("CreateDelegationTokenResponse", "CreateDelegationTokenResponse", (
    Field("ErrorCode", "int16"),
    Field("PrincipalType", "string"),
    Field("PrincipalName", "string"),
    Field("TokenRequesterPrincipalType", "string", versions=Versions(3, 32767)),
    Field("TokenRequesterPrincipalName", "string", versions=Versions(3, 32767)),
    Field("IssueTimestampMs", "int64"),
    Field("ExpiryTimestampMs", "int64"),
    Field("MaxTimestampMs", "int64"),
    Field("TokenId", "string"),
    Field("Hmac", "bytes"),
    Field("ThrottleTimeMs", "int32"),
))
_RenewDelegationTokenRequest = Struct("RenewDelegationTokenRequest", "RenewDelegationTokenRequest", (
    Field("Hmac", "bytes"),
    Field("RenewPeriodMs", "int64"),
))
_RenewDelegationTokenResponse = Struct("RenewDelegationTokenResponse", "RenewDelegationTokenResponse", (
    Field("ErrorCode", "int16"),
    Field("ExpiryTimestampMs", "int64"),
    Field("ThrottleTimeMs", "int32"),
))
_ExpireDelegationTokenRequest = Struct("ExpireDelegationTokenRequest", "ExpireDelegationTokenRequest", (
    Field("Hmac", "bytes"),
    Field("ExpiryTimePeriodMs", "int64"),
))
_ExpireDelegationTokenResponse = Struct("ExpireDelegationTokenResponse", "ExpireDelegationTokenResponse", (
    Field("ErrorCode", "int16"),
    Field("ExpiryTimestampMs", "int64"),
    Field("ThrottleTimeMs", "int32"),
))
_ElectLeadersRequestTopicPartitions = Struct("TopicPartitions", "ElectLeadersRequestTopicPartitions", (
    Field("Topic", "string"),
    Field("Partitions", "int32", is_array=True),
))
_ElectLeadersRequest = Struct("ElectLeadersRequest", "ElectLeadersRequest", (
    Field("ElectionType", "int8", versions=Versions(1, 32767)),
    Field("TopicPartitions", "TopicPartitions", is_array=True, is_nullable=True, struct=_ElectLeadersRequestTopicPartitions),
    Field("TimeoutMs", "int32", default="60000"),
))
_ElectLeadersResponsePartitionResult = Struct("PartitionResult", "ElectLeadersResponsePartitionResult", (
    Field("PartitionId", "int32"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
))
_ElectLeadersResponseReplicaElectionResult = Struct("ReplicaElectionResult", "ElectLeadersResponseReplicaElectionResult", (
    Field("Topic", "string"),
    Field("PartitionResult", "PartitionResult", is_array=True, struct=_ElectLeadersResponsePartitionResult),
))
_ElectLeadersResponse = Struct("ElectLeadersResponse", "ElectLeadersResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16", versions=Versions(1, 32767)),
    Field("ReplicaElectionResults", "ReplicaElectionResult", is_array=True, struct=_ElectLeadersResponseReplicaElectionResult),
))
_IncrementalAlterConfigsRequestAlterableConfig = Struct("AlterableConfig", "IncrementalAlterConfigsRequestAlterableConfig", (
    Field("Name", "string"),
    Field("ConfigOperation", "int8"),
    Field("Value", "string", is_nullable=True),
))
_IncrementalAlterConfigsRequestAlterConfigsResource = Struct("AlterConfigsResource", "IncrementalAlterConfigsRequestAlterConfigsResource", (
    Field("ResourceType", "int8"),
    Field("ResourceName", "string"),
    Field("Configs", "AlterableConfig", is_array=True, struct=_IncrementalAlterConfigsRequestAlterableConfig),
))
_IncrementalAlterConfigsRequest = Struct("IncrementalAlterConfigsRequest", "IncrementalAlterConfigsRequest", (
    Field("Resources", "AlterConfigsResource", is_array=True, struct=_IncrementalAlterConfigsRequestAlterConfigsResource),
    Field("ValidateOnly", "bool"),
))
_IncrementalAlterConfigsResponseAlterConfigsResourceResponse = Struct("AlterConfigsResourceResponse", "IncrementalAlterConfigsResponseAlterConfigsResourceResponse", (
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
    Field("ResourceType", "int8"),
    Field("ResourceName", "string"),
))
_IncrementalAlterConfigsResponse = Struct("IncrementalAlterConfigsResponse", "IncrementalAlterConfigsResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("Responses", "AlterConfigsResourceResponse", is_array=True, struct=_IncrementalAlterConfigsResponseAlterConfigsResourceResponse),
))
_AlterPartitionReassignmentsRequestReassignablePartition = Struct("ReassignablePartition", "AlterPartitionReassignmentsRequestReassignablePartition", (
    Field("PartitionIndex", "int32"),
    Field("Replicas", "int32", is_array=True, is_nullable=True, default="null"),
))
_AlterPartitionReassignmentsRequestReassignableTopic = Struct("ReassignableTopic", "AlterPartitionReassignmentsRequestReassignableTopic", (
    Field("Name", "string"),
    Field("Partitions", "ReassignablePartition", is_array=True, struct=_AlterPartitionReassignmentsRequestReassignablePartition),
))
_AlterPartitionReassignmentsRequest = Struct("AlterPartitionReassignmentsRequest", "AlterPartitionReassignmentsRequest", (
    Field("TimeoutMs", "int32", default="60000"),
    Field("AllowReplicationFactorChange", "bool", versions=Versions(1, 32767), default="true"),
    Field("Topics", "ReassignableTopic", is_array=True, struct=_AlterPartitionReassignmentsRequestReassignableTopic),
))
_AlterPartitionReassignmentsResponseReassignablePartitionResponse = Struct("ReassignablePartitionResponse", "AlterPartitionReassignmentsResponseReassignablePartitionResponse", (
    Field("PartitionIndex", "int32"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
))
_AlterPartitionReassignmentsResponseReassignableTopicResponse = Struct("ReassignableTopicResponse", "AlterPartitionReassignmentsResponseReassignableTopicResponse", (
    Field("Name", "string"),
    Field("Partitions", "ReassignablePartitionResponse", is_array=True, struct=_AlterPartitionReassignmentsResponseReassignablePartitionResponse),
))
_AlterPartitionReassignmentsResponse = Struct("AlterPartitionReassignmentsResponse", "AlterPartitionReassignmentsResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("AllowReplicationFactorChange", "bool", versions=Versions(1, 32767), default="true", is_ignorable=True),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
    Field("Responses", "ReassignableTopicResponse", is_array=True, struct=_AlterPartitionReassignmentsResponseReassignableTopicResponse),
))
_ListPartitionReassignmentsRequestListPartitionReassignmentsTopics = Struct("ListPartitionReassignmentsTopics", "ListPartitionReassignmentsRequestListPartitionReassignmentsTopics", (
    Field("Name", "string"),
    Field("PartitionIndexes", "int32", is_array=True),
))
_ListPartitionReassignmentsRequest = Struct("ListPartitionReassignmentsRequest", "ListPartitionReassignmentsRequest", (
    Field("TimeoutMs", "int32", default="60000"),
    Field("Topics", "ListPartitionReassignmentsTopics", is_array=True, is_nullable=True, default="null", struct=_ListPartitionReassignmentsRequestListPartitionReassignmentsTopics),
))
_ListPartitionReassignmentsResponseOngoingPartitionReassignment = Struct("OngoingPartitionReassignment", "ListPartitionReassignmentsResponseOngoingPartitionReassignment", (
    Field("PartitionIndex", "int32"),
    Field("Replicas", "int32", is_array=True),
    Field("AddingReplicas", "int32", is_array=True),
    Field("RemovingReplicas", "int32", is_array=True),
))
_ListPartitionReassignmentsResponseOngoingTopicReassignment = Struct("OngoingTopicReassignment", "ListPartitionReassignmentsResponseOngoingTopicReassignment", (
    Field("Name", "string"),
    Field("Partitions", "OngoingPartitionReassignment", is_array=True, struct=_ListPartitionReassignmentsResponseOngoingPartitionReassignment),
))
_ListPartitionReassignmentsResponse = Struct("ListPartitionReassignmentsResponse", "ListPartitionReassignmentsResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
    Field("Topics", "OngoingTopicReassignment", is_array=True, struct=_ListPartitionReassignmentsResponseOngoingTopicReassignment),
))
_AlterClientQuotasRequestEntityData = Struct("EntityData", "AlterClientQuotasRequestEntityData", (
    Field("EntityType", "string"),
    Field("EntityName", "string", is_nullable=True),
))
_AlterClientQuotasRequestOpData = Struct("OpData", "AlterClientQuotasRequestOpData", (
    Field("Key", "string"),
    Field("Value", "float64"),
    Field("Remove", "bool"),
))
_AlterClientQuotasRequestEntryData = Struct("EntryData", "AlterClientQuotasRequestEntryData", (
    Field("Entity", "EntityData", is_array=True, struct=_AlterClientQuotasRequestEntityData),
    Field("Ops", "OpData", is_array=True, struct=_AlterClientQuotasRequestOpData),
))
_AlterClientQuotasRequest = Struct("AlterClientQuotasRequest", "AlterClientQuotasRequest", (
    Field("Entries", "EntryData", is_array=True, struct=_AlterClientQuotasRequestEntryData),
    Field("ValidateOnly", "bool"),
))
_AlterClientQuotasResponseEntityData = Struct("EntityData", "AlterClientQuotasResponseEntityData", (
    Field("EntityType", "string"),
    Field("EntityName", "string", is_nullable=True),
))
_AlterClientQuotasResponseEntryData = Struct("EntryData", "AlterClientQuotasResponseEntryData", (
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
    Field("Entity", "EntityData", is_array=True, struct=_AlterClientQuotasResponseEntityData),
))
_AlterClientQuotasResponse = Struct("AlterClientQuotasResponse", "AlterClientQuotasResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("Entries", "EntryData", is_array=True, struct=_AlterClientQuotasResponseEntryData),
))
_AlterUserScramCredentialsRequestScramCredentialDeletion = Struct("ScramCredentialDeletion", "AlterUserScramCredentialsRequestScramCredentialDeletion", (
    Field("Name", "string"),
    Field("Mechanism", "int8"),
))
_AlterUserScramCredentialsRequestScramCredentialUpsertion = Struct("ScramCredentialUpsertion", "AlterUserScramCredentialsRequestScramCredentialUpsertion", (
    Field("Name", "string"),
    Field("Mechanism", "int8"),
    Field("Iterations", "int32"),
    Field("Salt", "bytes"),
    Field("SaltedPassword", "bytes"),
))
_AlterUserScramCredentialsRequest = Struct("AlterUserScramCredentialsRequest", "AlterUserScramCredentialsRequest", (
    Field("Deletions", "ScramCredentialDeletion", is_array=True, struct=_AlterUserScramCredentialsRequestScramCredentialDeletion),
    Field("Upsertions", "ScramCredentialUpsertion", is_array=True, struct=_AlterUserScramCredentialsRequestScramCredentialUpsertion),
))
_AlterUserScramCredentialsResponseAlterUserScramCredentialsResult = Struct("AlterUserScramCredentialsResult", "AlterUserScramCredentialsResponseAlterUserScramCredentialsResult", (
    Field("User", "string"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
))
_AlterUserScramCredentialsResponse = Struct("AlterUserScramCredentialsResponse", "AlterUserScramCredentialsResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("Results", "AlterUserScramCredentialsResult", is_array=True, struct=_AlterUserScramCredentialsResponseAlterUserScramCredentialsResult),
))
_VoteRequestPartitionData = Struct("PartitionData", "VoteRequestPartitionData", (
    Field("PartitionIndex", "int32"),
    Field("ReplicaEpoch", "int32"),
    Field("ReplicaId", "int32"),
    Field("ReplicaDirectoryId", "uuid", versions=Versions(1, 32767), is_ignorable=True),
    Field("VoterDirectoryId", "uuid", versions=Versions(1, 32767), is_ignorable=True),
    Field("LastOffsetEpoch", "int32"),
    Field("LastOffset", "int64"),
    Field("PreVote", "bool", versions=Versions(2, 32767)),
    Field("ClaimedIncarnationId", "uuid", versions=Versions(2, 32767), tag=1000, is_ignorable=True),
))
_VoteRequestTopicData = Struct("TopicData", "VoteRequestTopicData", (
    Field("TopicName", "string"),
    Field("Partitions", "PartitionData", is_array=True, struct=_VoteRequestPartitionData),
))
_VoteRequest = Struct("VoteRequest", "VoteRequest", (
    Field("ClusterId", "string", is_nullable=True, default="null"),
    Field("VoterId", "int32", versions=Versions(1, 32767), default="-1", is_ignorable=True),
    Field("Topics", "TopicData", is_array=True, struct=_VoteRequestTopicData),
))
_VoteResponsePartitionData = Struct("PartitionData", "VoteResponsePartitionData", (
    Field("PartitionIndex", "int32"),
    Field("ErrorCode", "int16"),
    Field("LeaderId", "int32"),
    Field("LeaderEpoch", "int32"),
    Field("VoteGranted", "bool"),
    Field("IncarnationId", "uuid", versions=Versions(2, 32767), tag=1000, is_ignorable=True),
    Field("EmptyForMs", "int64", versions=Versions(2, 32767), tag=1001, default="-1", is_ignorable=True),
    Field("Recovering", "bool", versions=Versions(2, 32767), tag=1002, is_ignorable=True),
))
_VoteResponseTopicData = Struct("TopicData", "VoteResponseTopicData", (
    Field("TopicName", "string"),
    Field("Partitions", "PartitionData", is_array=True, struct=_VoteResponsePartitionData),
))
_VoteResponseNodeEndpoint = Struct("NodeEndpoint", "VoteResponseNodeEndpoint", (
    Field("NodeId", "int32", versions=Versions(1, 32767)),
    Field("Host", "string", versions=Versions(1, 32767)),
    Field("Port", "uint16", versions=Versions(1, 32767)),
))
_VoteResponse = Struct("VoteResponse", "VoteResponse", (
    Field("ErrorCode", "int16"),
    Field("Topics", "TopicData", is_array=True, struct=_VoteResponseTopicData),
    Field("NodeEndpoints", "NodeEndpoint", is_array=True, versions=Versions(1, 32767), tag=0, struct=_VoteResponseNodeEndpoint),
))
_BeginQuorumEpochRequestPartitionData = Struct("PartitionData", "BeginQuorumEpochRequestPartitionData", (
    Field("PartitionIndex", "int32"),
    Field("VoterDirectoryId", "uuid", versions=Versions(1, 32767), is_ignorable=True),
    Field("LeaderId", "int32"),
    Field("LeaderEpoch", "int32"),
))
_BeginQuorumEpochRequestTopicData = Struct("TopicData", "BeginQuorumEpochRequestTopicData", (
    Field("TopicName", "string"),
    Field("Partitions", "PartitionData", is_array=True, struct=_BeginQuorumEpochRequestPartitionData),
))
_BeginQuorumEpochRequestLeaderEndpoint = Struct("LeaderEndpoint", "BeginQuorumEpochRequestLeaderEndpoint", (
    Field("Name", "string", versions=Versions(1, 32767)),
    Field("Host", "string", versions=Versions(1, 32767)),
    Field("Port", "uint16", versions=Versions(1, 32767)),
))
_BeginQuorumEpochRequest = Struct("BeginQuorumEpochRequest", "BeginQuorumEpochRequest", (
    Field("ClusterId", "string", is_nullable=True, default="null"),
    Field("VoterId", "int32", versions=Versions(1, 32767), default="-1", is_ignorable=True),
    Field("Topics", "TopicData", is_array=True, struct=_BeginQuorumEpochRequestTopicData),
    Field("LeaderEndpoints", "LeaderEndpoint", is_array=True, versions=Versions(1, 32767), is_ignorable=True, struct=_BeginQuorumEpochRequestLeaderEndpoint),
))
_BeginQuorumEpochResponsePartitionData = Struct("PartitionData", "BeginQuorumEpochResponsePartitionData", (
    Field("PartitionIndex", "int32"),
    Field("ErrorCode", "int16"),
    Field("LeaderId", "int32"),
    Field("LeaderEpoch", "int32"),
    Field("Recovering", "bool", versions=Versions(1, 32767), tag=1000, is_ignorable=True),
    Field("DirectoryId", "uuid", versions=Versions(1, 32767), tag=1001, is_ignorable=True),
))
_BeginQuorumEpochResponseTopicData = Struct("TopicData", "BeginQuorumEpochResponseTopicData", (
    Field("TopicName", "string"),
    Field("Partitions", "PartitionData", is_array=True, struct=_BeginQuorumEpochResponsePartitionData),
))
_BeginQuorumEpochResponseNodeEndpoint = Struct("NodeEndpoint", "BeginQuorumEpochResponseNodeEndpoint", (
    Field("NodeId", "int32", versions=Versions(1, 32767)),
    Field("Host", "string", versions=Versions(1, 32767)),
    Field("Port", "uint16", versions=Versions(1, 32767)),
))
_BeginQuorumEpochResponse = Struct("BeginQuorumEpochResponse", "BeginQuorumEpochResponse", (
    Field("ErrorCode", "int16"),
    Field("Topics", "TopicData", is_array=True, struct=_BeginQuorumEpochResponseTopicData),
    Field("NodeEndpoints", "NodeEndpoint", is_array=True, versions=Versions(1, 32767), tag=0, struct=_BeginQuorumEpochResponseNodeEndpoint),
))
_EndQuorumEpochRequestReplicaInfo = Struct("ReplicaInfo", "EndQuorumEpochRequestReplicaInfo", (
    Field("CandidateId", "int32", versions=Versions(1, 32767)),
    Field("CandidateDirectoryId", "uuid", versions=Versions(1, 32767)),
))
_EndQuorumEpochRequestPartitionData = Struct("PartitionData", "EndQuorumEpochRequestPartitionData", (
    Field("PartitionIndex", "int32"),
    Field("LeaderId", "int32"),
    Field("LeaderEpoch", "int32"),
    Field("PreferredSuccessors", "int32", is_array=True, versions=Versions(0, 0), is_ignorable=True),
    Field("PreferredCandidates", "ReplicaInfo", is_array=True, versions=Versions(1, 32767), is_ignorable=True, struct=_EndQuorumEpochRequestReplicaInfo),
))
_EndQuorumEpochRequestTopicData = Struct("TopicData", "EndQuorumEpochRequestTopicData", (
    Field("TopicName", "string"),
    Field("Partitions", "PartitionData", is_array=True, struct=_EndQuorumEpochRequestPartitionData),
))
_EndQuorumEpochRequestLeaderEndpoint = Struct("LeaderEndpoint", "EndQuorumEpochRequestLeaderEndpoint", (
    Field("Name", "string", versions=Versions(1, 32767)),
    Field("Host", "string", versions=Versions(1, 32767)),
    Field("Port", "uint16", versions=Versions(1, 32767)),
))
_EndQuorumEpochRequest = Struct("EndQuorumEpochRequest", "EndQuorumEpochRequest", (
    Field("ClusterId", "string", is_nullable=True, default="null"),
    Field("Topics", "TopicData", is_array=True, struct=_EndQuorumEpochRequestTopicData),
    Field("LeaderEndpoints", "LeaderEndpoint", is_array=True, versions=Versions(1, 32767), is_ignorable=True, struct=_EndQuorumEpochRequestLeaderEndpoint),
))
_EndQuorumEpochResponsePartitionData = Struct("PartitionData", "EndQuorumEpochResponsePartitionData", (
    Field("PartitionIndex", "int32"),
    Field("ErrorCode", "int16"),
    Field("LeaderId", "int32"),
    Field("LeaderEpoch", "int32"),
))
_EndQuorumEpochResponseTopicData = Struct("TopicData", "EndQuorumEpochResponseTopicData", (
    Field("TopicName", "string"),
    Field("Partitions", "PartitionData", is_array=True, struct=_EndQuorumEpochResponsePartitionData),
))
_EndQuorumEpochResponseNodeEndpoint = Struct("NodeEndpoint", "EndQuorumEpochResponseNodeEndpoint", (
    Field("NodeId", "int32", versions=Versions(1, 32767)),
    Field("Host", "string", versions=Versions(1, 32767)),
    Field("Port", "uint16", versions=Versions(1, 32767)),
))
_EndQuorumEpochResponse = Struct("EndQuorumEpochResponse", "EndQuorumEpochResponse", (
    Field("ErrorCode", "int16"),
    Field("Topics", "TopicData", is_array=True, struct=_EndQuorumEpochResponseTopicData),
    Field("NodeEndpoints", "NodeEndpoint", is_array=True, versions=Versions(1, 32767), tag=0, struct=_EndQuorumEpochResponseNodeEndpoint),
))
_DescribeQuorumRequestPartitionData = Struct("PartitionData", "DescribeQuorumRequestPartitionData", (
    Field("PartitionIndex", "int32"),
))
_DescribeQuorumRequestTopicData = Struct("TopicData", "DescribeQuorumRequestTopicData", (
    Field("TopicName", "string"),
    Field("Partitions", "PartitionData", is_array=True, struct=_DescribeQuorumRequestPartitionData),
))
_DescribeQuorumRequest = Struct("DescribeQuorumRequest", "DescribeQuorumRequest", (
    Field("Topics", "TopicData", is_array=True, struct=_DescribeQuorumRequestTopicData),
))
_DescribeQuorumResponseReplicaState = Struct("ReplicaState", "DescribeQuorumResponseReplicaState", (
    Field("ReplicaId", "int32"),
    Field("ReplicaDirectoryId", "uuid", versions=Versions(2, 32767)),
    Field("LogEndOffset", "int64"),
    Field("LastFetchTimestamp", "int64", versions=Versions(1, 32767), default="-1", is_ignorable=True),
    Field("LastCaughtUpTimestamp", "int64", versions=Versions(1, 32767), default="-1", is_ignorable=True),
))
_DescribeQuorumResponsePartitionData = Struct("PartitionData", "DescribeQuorumResponsePartitionData", (
    Field("PartitionIndex", "int32"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True, versions=Versions(2, 32767), is_ignorable=True),
    Field("LeaderId", "int32"),
    Field("LeaderEpoch", "int32"),
    Field("HighWatermark", "int64"),
    Field("CurrentVoters", "ReplicaState", is_array=True, struct=_DescribeQuorumResponseReplicaState),
    Field("Observers", "ReplicaState", is_array=True, struct=_DescribeQuorumResponseReplicaState),
))
_DescribeQuorumResponseTopicData = Struct("TopicData", "DescribeQuorumResponseTopicData", (
    Field("TopicName", "string"),
    Field("Partitions", "PartitionData", is_array=True, struct=_DescribeQuorumResponsePartitionData),
))
_DescribeQuorumResponseListener = Struct("Listener", "DescribeQuorumResponseListener", (
    Field("Name", "string", versions=Versions(2, 32767)),
    Field("Host", "string", versions=Versions(2, 32767)),
    Field("Port", "uint16", versions=Versions(2, 32767)),
))
_DescribeQuorumResponseNode = Struct("Node", "DescribeQuorumResponseNode", (
    Field("NodeId", "int32", versions=Versions(2, 32767)),
    Field("Listeners", "Listener", is_array=True, versions=Versions(2, 32767), struct=_DescribeQuorumResponseListener),
))
_DescribeQuorumResponse = Struct("DescribeQuorumResponse", "DescribeQuorumResponse", (
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True, versions=Versions(2, 32767), is_ignorable=True),
    Field("Topics", "TopicData", is_array=True, struct=_DescribeQuorumResponseTopicData),
    Field("Nodes", "Node", is_array=True, versions=Versions(2, 32767), struct=_DescribeQuorumResponseNode),
))
_AlterPartitionRequestBrokerState = Struct("BrokerState", "AlterPartitionRequestBrokerState", (
    Field("BrokerId", "int32", versions=Versions(3, 32767)),
    Field("BrokerEpoch", "int64", versions=Versions(3, 32767), default="-1"),
))
_AlterPartitionRequestPartitionData = Struct("PartitionData", "AlterPartitionRequestPartitionData", (
    Field("PartitionIndex", "int32"),
    Field("LeaderEpoch", "int32"),
    Field("NewIsr", "int32", is_array=True, versions=Versions(0, 2)),
    Field("NewIsrWithEpochs", "BrokerState", is_array=True, versions=Versions(3, 32767), struct=_AlterPartitionRequestBrokerState),
    Field("LeaderRecoveryState", "int8", versions=Versions(1, 32767), default="0"),
    Field("PartitionEpoch", "int32"),
))
_AlterPartitionRequestTopicData = Struct("TopicData", "AlterPartitionRequestTopicData", (
    Field("TopicId", "uuid", versions=Versions(2, 32767), is_ignorable=True),
    Field("Partitions", "PartitionData", is_array=True, struct=_AlterPartitionRequestPartitionData),
))
_AlterPartitionRequest = Struct("AlterPartitionRequest", "AlterPartitionRequest", (
    Field("BrokerId", "int32"),
    Field("BrokerEpoch", "int64", default="-1"),
    Field("Topics", "TopicData", is_array=True, struct=_AlterPartitionRequestTopicData),
))
_AlterPartitionResponsePartitionData = Struct("PartitionData", "AlterPartitionResponsePartitionData", (
    Field("PartitionIndex", "int32"),
    Field("ErrorCode", "int16"),
    Field("LeaderId", "int32"),
    Field("LeaderEpoch", "int32"),
    Field("Isr", "int32", is_array=True),
    Field("LeaderRecoveryState", "int8", versions=Versions(1, 32767), default="0", is_ignorable=True),
    Field("PartitionEpoch", "int32"),
))
_AlterPartitionResponseTopicData = Struct("TopicData", "AlterPartitionResponseTopicData", (
    Field("TopicId", "uuid", versions=Versions(2, 32767), is_ignorable=True),
    Field("Partitions", "PartitionData", is_array=True, struct=_AlterPartitionResponsePartitionData),
))
_AlterPartitionResponse = Struct("AlterPartitionResponse", "AlterPartitionResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("Topics", "TopicData", is_array=True, struct=_AlterPartitionResponseTopicData),
))
_UpdateFeaturesRequestFeatureUpdateKey = Struct("FeatureUpdateKey", "UpdateFeaturesRequestFeatureUpdateKey", (
    Field("Feature", "string"),
    Field("MaxVersionLevel", "int16"),
    Field("AllowDowngrade", "bool", versions=Versions(0, 0)),
    Field("UpgradeType", "int8", versions=Versions(1, 32767), default="1"),
))
_UpdateFeaturesRequest = Struct("UpdateFeaturesRequest", "UpdateFeaturesRequest", (
    Field("timeoutMs", "int32", default="60000"),
    Field("FeatureUpdates", "FeatureUpdateKey", is_array=True, struct=_UpdateFeaturesRequestFeatureUpdateKey),
    Field("ValidateOnly", "bool", versions=Versions(1, 32767)),
))
_UpdateFeaturesResponseUpdatableFeatureResult = Struct("UpdatableFeatureResult", "UpdateFeaturesResponseUpdatableFeatureResult", (
    Field("Feature", "string"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
))
_UpdateFeaturesResponse = Struct("UpdateFeaturesResponse", "UpdateFeaturesResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
    Field("Results", "UpdatableFeatureResult", is_array=True, versions=Versions(0, 1), is_ignorable=True, struct=_UpdateFeaturesResponseUpdatableFeatureResult),
))
_EnvelopeRequest = Struct("EnvelopeRequest", "EnvelopeRequest", (
    Field("RequestData", "bytes"),
    Field("RequestPrincipal", "bytes", is_nullable=True),
    Field("ClientHostAddress", "bytes"),
))
_EnvelopeResponse = Struct("EnvelopeResponse", "EnvelopeResponse", (
    Field("ResponseData", "bytes", is_nullable=True, default="null"),
    Field("ErrorCode", "int16"),
))
_FetchSnapshotRequestSnapshotId = Struct("SnapshotId", "FetchSnapshotRequestSnapshotId", (
    Field("EndOffset", "int64"),
    Field("Epoch", "int32"),
))
_FetchSnapshotRequestPartitionSnapshot = Struct("PartitionSnapshot", "FetchSnapshotRequestPartitionSnapshot", (
    Field("Partition", "int32"),
    Field("CurrentLeaderEpoch", "int32"),
    Field("SnapshotId", "SnapshotId", struct=_FetchSnapshotRequestSnapshotId),
    Field("Position", "int64"),
    Field("ReplicaDirectoryId", "uuid", versions=Versions(1, 32767), tag=0, is_ignorable=True),
))
_FetchSnapshotRequestTopicSnapshot = Struct("TopicSnapshot", "FetchSnapshotRequestTopicSnapshot", (
    Field("Name", "string"),
    Field("Partitions", "PartitionSnapshot", is_array=True, struct=_FetchSnapshotRequestPartitionSnapshot),
))
_FetchSnapshotRequest = Struct("FetchSnapshotRequest", "FetchSnapshotRequest", (
    Field("ClusterId", "string", is_nullable=True, tag=0, default="null"),
    Field("ReplicaId", "int32", default="-1"),
    Field("MaxBytes", "int32", default="2147483647"),
    Field("Topics", "TopicSnapshot", is_array=True, struct=_FetchSnapshotRequestTopicSnapshot),
))
_FetchSnapshotResponseSnapshotId = Struct("SnapshotId", "FetchSnapshotResponseSnapshotId", (
    Field("EndOffset", "int64"),
    Field("Epoch", "int32"),
))
_FetchSnapshotResponseLeaderIdAndEpoch = Struct("LeaderIdAndEpoch", "FetchSnapshotResponseLeaderIdAndEpoch", (
    Field("LeaderId", "int32"),
    Field("LeaderEpoch", "int32"),
))
_FetchSnapshotResponsePartitionSnapshot = Struct("PartitionSnapshot", "FetchSnapshotResponsePartitionSnapshot", (
    Field("Index", "int32"),
    Field("ErrorCode", "int16"),
    Field("SnapshotId", "SnapshotId", struct=_FetchSnapshotResponseSnapshotId),
    Field("CurrentLeader", "LeaderIdAndEpoch", tag=0, struct=_FetchSnapshotResponseLeaderIdAndEpoch),
    Field("Size", "int64"),
    Field("Position", "int64"),
    Field("UnalignedRecords", "records"),
))
_FetchSnapshotResponseTopicSnapshot = Struct("TopicSnapshot", "FetchSnapshotResponseTopicSnapshot", (
    Field("Name", "string"),
    Field("Partitions", "PartitionSnapshot", is_array=True, struct=_FetchSnapshotResponsePartitionSnapshot),
))
_FetchSnapshotResponseNodeEndpoint = Struct("NodeEndpoint", "FetchSnapshotResponseNodeEndpoint", (
    Field("NodeId", "int32", versions=Versions(1, 32767)),
    Field("Host", "string", versions=Versions(1, 32767)),
    Field("Port", "uint16", versions=Versions(1, 32767)),
))
_FetchSnapshotResponse = Struct("FetchSnapshotResponse", "FetchSnapshotResponse", (
    Field("ThrottleTimeMs", "int32", is_ignorable=True),
    Field("ErrorCode", "int16"),
    Field("Topics", "TopicSnapshot", is_array=True, struct=_FetchSnapshotResponseTopicSnapshot),
    Field("NodeEndpoints", "NodeEndpoint", is_array=True, versions=Versions(1, 32767), tag=0, struct=_FetchSnapshotResponseNodeEndpoint),
))
_DescribeClusterRequest = Struct("DescribeClusterRequest", "DescribeClusterRequest", (
    Field("IncludeClusterAuthorizedOperations", "bool"),
    Field("EndpointType", "int8", versions=Versions(1, 32767), default="1"),
    Field("IncludeFencedBrokers", "bool", versions=Versions(2, 32767)),
))
_DescribeClusterResponseDescribeClusterBroker = Struct("DescribeClusterBroker", "DescribeClusterResponseDescribeClusterBroker", (
    Field("BrokerId", "int32"),
    Field("Host", "string"),
    Field("Port", "int32"),
    Field("Rack", "string", is_nullable=True, default="null"),
    Field("IsFenced", "bool", versions=Versions(2, 32767)),
))
_DescribeClusterResponsePublicApiEndpoint = Struct("PublicApiEndpoint", "DescribeClusterResponsePublicApiEndpoint", (
    Field("NodeId", "int32"),
    Field("Host", "string"),
    Field("Port", "uint16"),
    Field("SecurityProtocol", "int16"),
))
_DescribeClusterResponse = Struct("DescribeClusterResponse", "DescribeClusterResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True, default="null"),
    Field("EndpointType", "int8", versions=Versions(1, 32767), default="1"),
    Field("ClusterId", "string"),
    Field("ControllerId", "int32", default="-1"),
    Field("Brokers", "DescribeClusterBroker", is_array=True, struct=_DescribeClusterResponseDescribeClusterBroker),
    Field("ClusterAuthorizedOperations", "int32", default="-2147483648"),
    Field("PublicApiEndpoints", "PublicApiEndpoint", is_array=True, tag=1000, struct=_DescribeClusterResponsePublicApiEndpoint),
))
_BrokerRegistrationRequestListener = Struct("Listener", "BrokerRegistrationRequestListener", (
    Field("Name", "string"),
    Field("Host", "string"),
    Field("Port", "uint16"),
    Field("SecurityProtocol", "int16"),
))
_BrokerRegistrationRequestFeature = Struct("Feature", "BrokerRegistrationRequestFeature", (
    Field("Name", "string"),
    Field("MinSupportedVersion", "int16"),
    Field("MaxSupportedVersion", "int16"),
))
_BrokerRegistrationRequest = Struct("BrokerRegistrationRequest", "BrokerRegistrationRequest", (
    Field("BrokerId", "int32"),
    Field("ClusterId", "string"),
    Field("IncarnationId", "uuid"),
    Field("Listeners", "Listener", is_array=True, struct=_BrokerRegistrationRequestListener),
    Field("Features", "Feature", is_array=True, struct=_BrokerRegistrationRequestFeature),
    Field("Rack", "string", is_nullable=True),
    Field("IsMigratingZkBroker", "bool", versions=Versions(1, 32767)),
    Field("LogDirs", "uuid", is_array=True, versions=Versions(2, 32767), is_ignorable=True),
    Field("PreviousBrokerEpoch", "int64", versions=Versions(3, 32767), default="-1", is_ignorable=True),
    Field("SaturatedLogDirs", "uuid", is_array=True, is_nullable=True, tag=1000, default="null"),
    Field("Host", "string", is_nullable=True, tag=1001, default="null"),
))
_BrokerRegistrationResponse = Struct("BrokerRegistrationResponse", "BrokerRegistrationResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("BrokerEpoch", "int64", default="-1"),
))
_BrokerHeartbeatRequest = Struct("BrokerHeartbeatRequest", "BrokerHeartbeatRequest", (
    Field("BrokerId", "int32"),
    Field("BrokerEpoch", "int64", default="-1"),
    Field("CurrentMetadataOffset", "int64"),
    Field("WantFence", "bool"),
    Field("WantShutDown", "bool"),
    Field("OfflineLogDirs", "uuid", is_array=True, versions=Versions(1, 32767), tag=0),
    Field("CordonedLogDirs", "uuid", is_array=True, is_nullable=True, versions=Versions(2, 32767), tag=1, default="null"),
    Field("SaturatedLogDirs", "uuid", is_array=True, is_nullable=True, tag=1000, default="null"),
))
_BrokerHeartbeatResponse = Struct("BrokerHeartbeatResponse", "BrokerHeartbeatResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("IsCaughtUp", "bool"),
    Field("IsFenced", "bool", default="true"),
    Field("ShouldShutDown", "bool"),
))
_UnregisterBrokerRequest = Struct("UnregisterBrokerRequest", "UnregisterBrokerRequest", (
    Field("BrokerId", "int32"),
))
_UnregisterBrokerResponse = Struct("UnregisterBrokerResponse", "UnregisterBrokerResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
))
_AllocateProducerIdsRequest = Struct("AllocateProducerIdsRequest", "AllocateProducerIdsRequest", (
    Field("BrokerId", "int32"),
    Field("BrokerEpoch", "int64", default="-1"),
))
_AllocateProducerIdsResponse = Struct("AllocateProducerIdsResponse", "AllocateProducerIdsResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("ProducerIdStart", "int64"),
    Field("ProducerIdLen", "int32"),
))
_ControllerRegistrationRequestListener = Struct("Listener", "ControllerRegistrationRequestListener", (
    Field("Name", "string"),
    Field("Host", "string"),
    Field("Port", "uint16"),
    Field("SecurityProtocol", "int16"),
))
_ControllerRegistrationRequestFeature = Struct("Feature", "ControllerRegistrationRequestFeature", (
    Field("Name", "string"),
    Field("MinSupportedVersion", "int16"),
    Field("MaxSupportedVersion", "int16"),
))
_ControllerRegistrationRequest = Struct("ControllerRegistrationRequest", "ControllerRegistrationRequest", (
    Field("ControllerId", "int32"),
    Field("IncarnationId", "uuid"),
    Field("ZkMigrationReady", "bool"),
    Field("Listeners", "Listener", is_array=True, struct=_ControllerRegistrationRequestListener),
    Field("Features", "Feature", is_array=True, struct=_ControllerRegistrationRequestFeature),
))
_ControllerRegistrationResponse = Struct("ControllerRegistrationResponse", "ControllerRegistrationResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
))
_AssignReplicasToDirsRequestPartitionData = Struct("PartitionData", "AssignReplicasToDirsRequestPartitionData", (
    Field("PartitionIndex", "int32"),
))
_AssignReplicasToDirsRequestTopicData = Struct("TopicData", "AssignReplicasToDirsRequestTopicData", (
    Field("TopicId", "uuid"),
    Field("Partitions", "PartitionData", is_array=True, struct=_AssignReplicasToDirsRequestPartitionData),
))
_AssignReplicasToDirsRequestDirectoryData = Struct("DirectoryData", "AssignReplicasToDirsRequestDirectoryData", (
    Field("Id", "uuid"),
    Field("Topics", "TopicData", is_array=True, struct=_AssignReplicasToDirsRequestTopicData),
))
_AssignReplicasToDirsRequest = Struct("AssignReplicasToDirsRequest", "AssignReplicasToDirsRequest", (
    Field("BrokerId", "int32"),
    Field("BrokerEpoch", "int64", default="-1"),
    Field("Directories", "DirectoryData", is_array=True, struct=_AssignReplicasToDirsRequestDirectoryData),
))
_AssignReplicasToDirsResponsePartitionData = Struct("PartitionData", "AssignReplicasToDirsResponsePartitionData", (
    Field("PartitionIndex", "int32"),
    Field("ErrorCode", "int16"),
))
_AssignReplicasToDirsResponseTopicData = Struct("TopicData", "AssignReplicasToDirsResponseTopicData", (
    Field("TopicId", "uuid"),
    Field("Partitions", "PartitionData", is_array=True, struct=_AssignReplicasToDirsResponsePartitionData),
))
_AssignReplicasToDirsResponseDirectoryData = Struct("DirectoryData", "AssignReplicasToDirsResponseDirectoryData", (
    Field("Id", "uuid"),
    Field("Topics", "TopicData", is_array=True, struct=_AssignReplicasToDirsResponseTopicData),
))
_AssignReplicasToDirsResponse = Struct("AssignReplicasToDirsResponse", "AssignReplicasToDirsResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("Directories", "DirectoryData", is_array=True, struct=_AssignReplicasToDirsResponseDirectoryData),
))
_AddRaftVoterRequestListener = Struct("Listener", "AddRaftVoterRequestListener", (
    Field("Name", "string"),
    Field("Host", "string"),
    Field("Port", "uint16"),
))
_AddRaftVoterRequest = Struct("AddRaftVoterRequest", "AddRaftVoterRequest", (
    Field("ClusterId", "string", is_nullable=True),
    Field("TimeoutMs", "int32"),
    Field("VoterId", "int32"),
    Field("VoterDirectoryId", "uuid"),
    Field("Listeners", "Listener", is_array=True, struct=_AddRaftVoterRequestListener),
    Field("AckWhenCommitted", "bool", versions=Versions(1, 32767), default="true"),
))
_AddRaftVoterResponse = Struct("AddRaftVoterResponse", "AddRaftVoterResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True, is_ignorable=True),
))
_RemoveRaftVoterRequest = Struct("RemoveRaftVoterRequest", "RemoveRaftVoterRequest", (
    Field("ClusterId", "string", is_nullable=True),
    Field("VoterId", "int32"),
    Field("VoterDirectoryId", "uuid"),
))
_RemoveRaftVoterResponse = Struct("RemoveRaftVoterResponse", "RemoveRaftVoterResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True, is_ignorable=True),
))
_UpdateRaftVoterRequestListener = Struct("Listener", "UpdateRaftVoterRequestListener", (
    Field("Name", "string"),
    Field("Host", "string"),
    Field("Port", "uint16"),
))
_UpdateRaftVoterRequestKRaftVersionFeature = Struct("KRaftVersionFeature", "UpdateRaftVoterRequestKRaftVersionFeature", (
    Field("MinSupportedVersion", "int16"),
    Field("MaxSupportedVersion", "int16"),
))
_UpdateRaftVoterRequest = Struct("UpdateRaftVoterRequest", "UpdateRaftVoterRequest", (
    Field("ClusterId", "string", is_nullable=True),
    Field("CurrentLeaderEpoch", "int32"),
    Field("VoterId", "int32"),
    Field("VoterDirectoryId", "uuid"),
    Field("Listeners", "Listener", is_array=True, struct=_UpdateRaftVoterRequestListener),
    Field("KRaftVersionFeature", "KRaftVersionFeature", struct=_UpdateRaftVoterRequestKRaftVersionFeature),
))
_UpdateRaftVoterResponseCurrentLeader = Struct("CurrentLeader", "UpdateRaftVoterResponseCurrentLeader", (
    Field("LeaderId", "int32", default="-1"),
    Field("LeaderEpoch", "int32", default="-1"),
    Field("Host", "string"),
    Field("Port", "int32"),
))
_UpdateRaftVoterResponse = Struct("UpdateRaftVoterResponse", "UpdateRaftVoterResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("CurrentLeader", "CurrentLeader", tag=0, struct=_UpdateRaftVoterResponseCurrentLeader),
))
_UnregisterControllerRequest = Struct("UnregisterControllerRequest", "UnregisterControllerRequest", (
    Field("ControllerId", "int32"),
))
_UnregisterControllerResponse = Struct("UnregisterControllerResponse", "UnregisterControllerResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
))
_AssignBrokerIdRequest = Struct("AssignBrokerIdRequest", "AssignBrokerIdRequest", (
    Field("Host", "string"),
    Field("IncarnationId", "uuid"),
))
_AssignBrokerIdResponse = Struct("AssignBrokerIdResponse", "AssignBrokerIdResponse", (
    Field("ThrottleTimeMs", "int32"),
    Field("ErrorCode", "int16"),
    Field("ErrorMessage", "string", is_nullable=True),
    Field("BrokerId", "int32", default="-1"),
    Field("Source", "int8"),
    Field("LeaderHost", "string", is_nullable=True),
    Field("LeaderPort", "int32", default="-1"),
))

MESSAGES: Final = (
    MessageSpec(None, "DefaultPrincipalData", Versions(0, 0), Versions(0, 32767), (_DefaultPrincipalData,)),
    MessageSpec(None, "RequestHeader", Versions(0, 2), Versions(2, 32767), (_RequestHeader,)),
    MessageSpec(None, "ResponseHeader", Versions(0, 1), Versions(1, 32767), (_ResponseHeader,)),
    MessageSpec(1, "FetchRequest", Versions(4, 18), Versions(12, 32767), (_FetchRequestReplicaState, _FetchRequestFetchPartition, _FetchRequestFetchTopic, _FetchRequestForgottenTopic, _FetchRequest,)),
    MessageSpec(1, "FetchResponse", Versions(4, 18), Versions(12, 32767), (_FetchResponseEpochEndOffset, _FetchResponseLeaderIdAndEpoch, _FetchResponseSnapshotId, _FetchResponseAbortedTransaction, _FetchResponsePartitionData, _FetchResponseFetchableTopicResponse, _FetchResponseNodeEndpoint, _FetchResponse,)),
    MessageSpec(17, "SaslHandshakeRequest", Versions(0, 1), Versions(32767, 32767), (_SaslHandshakeRequest,)),
    MessageSpec(17, "SaslHandshakeResponse", Versions(0, 1), Versions(32767, 32767), (_SaslHandshakeResponse,)),
    MessageSpec(18, "ApiVersionsRequest", Versions(0, 4), Versions(3, 32767), (_ApiVersionsRequest,)),
    MessageSpec(18, "ApiVersionsResponse", Versions(0, 4), Versions(3, 32767), (_ApiVersionsResponseApiVersion, _ApiVersionsResponseSupportedFeatureKey, _ApiVersionsResponseFinalizedFeatureKey, _ApiVersionsResponse,)),
    MessageSpec(19, "CreateTopicsRequest", Versions(2, 7), Versions(5, 32767), (_CreateTopicsRequestCreatableReplicaAssignment, _CreateTopicsRequestCreatableTopicConfig, _CreateTopicsRequestCreatableTopic, _CreateTopicsRequest,)),
    MessageSpec(19, "CreateTopicsResponse", Versions(2, 7), Versions(5, 32767), (_CreateTopicsResponseCreatableTopicConfigs, _CreateTopicsResponseCreatableTopicResult, _CreateTopicsResponse,)),
    MessageSpec(20, "DeleteTopicsRequest", Versions(1, 6), Versions(4, 32767), (_DeleteTopicsRequestDeleteTopicState, _DeleteTopicsRequest,)),
    MessageSpec(20, "DeleteTopicsResponse", Versions(1, 6), Versions(4, 32767), (_DeleteTopicsResponseDeletableTopicResult, _DeleteTopicsResponse,)),
    MessageSpec(29, "DescribeAclsRequest", Versions(1, 3), Versions(2, 32767), (_DescribeAclsRequest,)),
    MessageSpec(29, "DescribeAclsResponse", Versions(1, 3), Versions(2, 32767), (_DescribeAclsResponseAclDescription, _DescribeAclsResponseDescribeAclsResource, _DescribeAclsResponse,)),
    MessageSpec(30, "CreateAclsRequest", Versions(1, 3), Versions(2, 32767), (_CreateAclsRequestAclCreation, _CreateAclsRequest,)),
    MessageSpec(30, "CreateAclsResponse", Versions(1, 3), Versions(2, 32767), (_CreateAclsResponseAclCreationResult, _CreateAclsResponse,)),
    MessageSpec(31, "DeleteAclsRequest", Versions(1, 3), Versions(2, 32767), (_DeleteAclsRequestDeleteAclsFilter, _DeleteAclsRequest,)),
    MessageSpec(31, "DeleteAclsResponse", Versions(1, 3), Versions(2, 32767), (_DeleteAclsResponseDeleteAclsMatchingAcl, _DeleteAclsResponseDeleteAclsFilterResult, _DeleteAclsResponse,)),
    MessageSpec(32, "DescribeConfigsRequest", Versions(1, 4), Versions(4, 32767), (_DescribeConfigsRequestDescribeConfigsResource, _DescribeConfigsRequest,)),
    MessageSpec(32, "DescribeConfigsResponse", Versions(1, 4), Versions(4, 32767), (_DescribeConfigsResponseDescribeConfigsSynonym, _DescribeConfigsResponseDescribeConfigsResourceResult, _DescribeConfigsResponseDescribeConfigsResult, _DescribeConfigsResponse,)),
    MessageSpec(33, "AlterConfigsRequest", Versions(0, 2), Versions(2, 32767), (_AlterConfigsRequestAlterableConfig, _AlterConfigsRequestAlterConfigsResource, _AlterConfigsRequest,)),
    MessageSpec(33, "AlterConfigsResponse", Versions(0, 2), Versions(2, 32767), (_AlterConfigsResponseAlterConfigsResourceResponse, _AlterConfigsResponse,)),
    MessageSpec(36, "SaslAuthenticateRequest", Versions(0, 2), Versions(2, 32767), (_SaslAuthenticateRequest,)),
    MessageSpec(36, "SaslAuthenticateResponse", Versions(0, 2), Versions(2, 32767), (_SaslAuthenticateResponse,)),
    MessageSpec(37, "CreatePartitionsRequest", Versions(0, 3), Versions(2, 32767), (_CreatePartitionsRequestCreatePartitionsAssignment, _CreatePartitionsRequestCreatePartitionsTopic, _CreatePartitionsRequest,)),
    MessageSpec(37, "CreatePartitionsResponse", Versions(0, 3), Versions(2, 32767), (_CreatePartitionsResponseCreatePartitionsTopicResult, _CreatePartitionsResponse,)),
    MessageSpec(38, "CreateDelegationTokenRequest", Versions(1, 3), Versions(2, 32767), (_CreateDelegationTokenRequestCreatableRenewers, _CreateDelegationTokenRequest,)),
    MessageSpec(38, "CreateDelegationTokenResponse", Versions(1, 3), Versions(2, 32767), (_CreateDelegationTokenResponse,)),
    MessageSpec(39, "RenewDelegationTokenRequest", Versions(1, 2), Versions(2, 32767), (_RenewDelegationTokenRequest,)),
    MessageSpec(39, "RenewDelegationTokenResponse", Versions(1, 2), Versions(2, 32767), (_RenewDelegationTokenResponse,)),
    MessageSpec(40, "ExpireDelegationTokenRequest", Versions(1, 2), Versions(2, 32767), (_ExpireDelegationTokenRequest,)),
    MessageSpec(40, "ExpireDelegationTokenResponse", Versions(1, 2), Versions(2, 32767), (_ExpireDelegationTokenResponse,)),
    MessageSpec(43, "ElectLeadersRequest", Versions(0, 2), Versions(2, 32767), (_ElectLeadersRequestTopicPartitions, _ElectLeadersRequest,)),
    MessageSpec(43, "ElectLeadersResponse", Versions(0, 2), Versions(2, 32767), (_ElectLeadersResponsePartitionResult, _ElectLeadersResponseReplicaElectionResult, _ElectLeadersResponse,)),
    MessageSpec(44, "IncrementalAlterConfigsRequest", Versions(0, 1), Versions(1, 32767), (_IncrementalAlterConfigsRequestAlterableConfig, _IncrementalAlterConfigsRequestAlterConfigsResource, _IncrementalAlterConfigsRequest,)),
    MessageSpec(44, "IncrementalAlterConfigsResponse", Versions(0, 1), Versions(1, 32767), (_IncrementalAlterConfigsResponseAlterConfigsResourceResponse, _IncrementalAlterConfigsResponse,)),
    MessageSpec(45, "AlterPartitionReassignmentsRequest", Versions(0, 1), Versions(0, 32767), (_AlterPartitionReassignmentsRequestReassignablePartition, _AlterPartitionReassignmentsRequestReassignableTopic, _AlterPartitionReassignmentsRequest,)),
    MessageSpec(45, "AlterPartitionReassignmentsResponse", Versions(0, 1), Versions(0, 32767), (_AlterPartitionReassignmentsResponseReassignablePartitionResponse, _AlterPartitionReassignmentsResponseReassignableTopicResponse, _AlterPartitionReassignmentsResponse,)),
    MessageSpec(46, "ListPartitionReassignmentsRequest", Versions(0, 0), Versions(0, 32767), (_ListPartitionReassignmentsRequestListPartitionReassignmentsTopics, _ListPartitionReassignmentsRequest,)),
    MessageSpec(46, "ListPartitionReassignmentsResponse", Versions(0, 0), Versions(0, 32767), (_ListPartitionReassignmentsResponseOngoingPartitionReassignment, _ListPartitionReassignmentsResponseOngoingTopicReassignment, _ListPartitionReassignmentsResponse,)),
    MessageSpec(49, "AlterClientQuotasRequest", Versions(0, 1), Versions(1, 32767), (_AlterClientQuotasRequestEntityData, _AlterClientQuotasRequestOpData, _AlterClientQuotasRequestEntryData, _AlterClientQuotasRequest,)),
    MessageSpec(49, "AlterClientQuotasResponse", Versions(0, 1), Versions(1, 32767), (_AlterClientQuotasResponseEntityData, _AlterClientQuotasResponseEntryData, _AlterClientQuotasResponse,)),
    MessageSpec(51, "AlterUserScramCredentialsRequest", Versions(0, 0), Versions(0, 32767), (_AlterUserScramCredentialsRequestScramCredentialDeletion, _AlterUserScramCredentialsRequestScramCredentialUpsertion, _AlterUserScramCredentialsRequest,)),
    MessageSpec(51, "AlterUserScramCredentialsResponse", Versions(0, 0), Versions(0, 32767), (_AlterUserScramCredentialsResponseAlterUserScramCredentialsResult, _AlterUserScramCredentialsResponse,)),
    MessageSpec(52, "VoteRequest", Versions(0, 2), Versions(0, 32767), (_VoteRequestPartitionData, _VoteRequestTopicData, _VoteRequest,)),
    MessageSpec(52, "VoteResponse", Versions(0, 2), Versions(0, 32767), (_VoteResponsePartitionData, _VoteResponseTopicData, _VoteResponseNodeEndpoint, _VoteResponse,)),
    MessageSpec(53, "BeginQuorumEpochRequest", Versions(0, 1), Versions(1, 32767), (_BeginQuorumEpochRequestPartitionData, _BeginQuorumEpochRequestTopicData, _BeginQuorumEpochRequestLeaderEndpoint, _BeginQuorumEpochRequest,)),
    MessageSpec(53, "BeginQuorumEpochResponse", Versions(0, 1), Versions(1, 32767), (_BeginQuorumEpochResponsePartitionData, _BeginQuorumEpochResponseTopicData, _BeginQuorumEpochResponseNodeEndpoint, _BeginQuorumEpochResponse,)),
    MessageSpec(54, "EndQuorumEpochRequest", Versions(0, 1), Versions(1, 32767), (_EndQuorumEpochRequestReplicaInfo, _EndQuorumEpochRequestPartitionData, _EndQuorumEpochRequestTopicData, _EndQuorumEpochRequestLeaderEndpoint, _EndQuorumEpochRequest,)),
    MessageSpec(54, "EndQuorumEpochResponse", Versions(0, 1), Versions(1, 32767), (_EndQuorumEpochResponsePartitionData, _EndQuorumEpochResponseTopicData, _EndQuorumEpochResponseNodeEndpoint, _EndQuorumEpochResponse,)),
    MessageSpec(55, "DescribeQuorumRequest", Versions(0, 2), Versions(0, 32767), (_DescribeQuorumRequestPartitionData, _DescribeQuorumRequestTopicData, _DescribeQuorumRequest,)),
    MessageSpec(55, "DescribeQuorumResponse", Versions(0, 2), Versions(0, 32767), (_DescribeQuorumResponseReplicaState, _DescribeQuorumResponsePartitionData, _DescribeQuorumResponseTopicData, _DescribeQuorumResponseListener, _DescribeQuorumResponseNode, _DescribeQuorumResponse,)),
    MessageSpec(56, "AlterPartitionRequest", Versions(2, 3), Versions(0, 32767), (_AlterPartitionRequestBrokerState, _AlterPartitionRequestPartitionData, _AlterPartitionRequestTopicData, _AlterPartitionRequest,)),
    MessageSpec(56, "AlterPartitionResponse", Versions(2, 3), Versions(0, 32767), (_AlterPartitionResponsePartitionData, _AlterPartitionResponseTopicData, _AlterPartitionResponse,)),
    MessageSpec(57, "UpdateFeaturesRequest", Versions(0, 2), Versions(0, 32767), (_UpdateFeaturesRequestFeatureUpdateKey, _UpdateFeaturesRequest,)),
    MessageSpec(57, "UpdateFeaturesResponse", Versions(0, 2), Versions(0, 32767), (_UpdateFeaturesResponseUpdatableFeatureResult, _UpdateFeaturesResponse,)),
    MessageSpec(58, "EnvelopeRequest", Versions(0, 0), Versions(0, 32767), (_EnvelopeRequest,)),
    MessageSpec(58, "EnvelopeResponse", Versions(0, 0), Versions(0, 32767), (_EnvelopeResponse,)),
    MessageSpec(59, "FetchSnapshotRequest", Versions(0, 1), Versions(0, 32767), (_FetchSnapshotRequestSnapshotId, _FetchSnapshotRequestPartitionSnapshot, _FetchSnapshotRequestTopicSnapshot, _FetchSnapshotRequest,)),
    MessageSpec(59, "FetchSnapshotResponse", Versions(0, 1), Versions(0, 32767), (_FetchSnapshotResponseSnapshotId, _FetchSnapshotResponseLeaderIdAndEpoch, _FetchSnapshotResponsePartitionSnapshot, _FetchSnapshotResponseTopicSnapshot, _FetchSnapshotResponseNodeEndpoint, _FetchSnapshotResponse,)),
    MessageSpec(60, "DescribeClusterRequest", Versions(0, 2), Versions(0, 32767), (_DescribeClusterRequest,)),
    MessageSpec(60, "DescribeClusterResponse", Versions(0, 2), Versions(0, 32767), (_DescribeClusterResponseDescribeClusterBroker, _DescribeClusterResponsePublicApiEndpoint, _DescribeClusterResponse,)),
    MessageSpec(62, "BrokerRegistrationRequest", Versions(0, 4), Versions(0, 32767), (_BrokerRegistrationRequestListener, _BrokerRegistrationRequestFeature, _BrokerRegistrationRequest,)),
    MessageSpec(62, "BrokerRegistrationResponse", Versions(0, 4), Versions(0, 32767), (_BrokerRegistrationResponse,)),
    MessageSpec(63, "BrokerHeartbeatRequest", Versions(0, 2), Versions(0, 32767), (_BrokerHeartbeatRequest,)),
    MessageSpec(63, "BrokerHeartbeatResponse", Versions(0, 2), Versions(0, 32767), (_BrokerHeartbeatResponse,)),
    MessageSpec(64, "UnregisterBrokerRequest", Versions(0, 0), Versions(0, 32767), (_UnregisterBrokerRequest,)),
    MessageSpec(64, "UnregisterBrokerResponse", Versions(0, 0), Versions(0, 32767), (_UnregisterBrokerResponse,)),
    MessageSpec(67, "AllocateProducerIdsRequest", Versions(0, 0), Versions(0, 32767), (_AllocateProducerIdsRequest,)),
    MessageSpec(67, "AllocateProducerIdsResponse", Versions(0, 0), Versions(0, 32767), (_AllocateProducerIdsResponse,)),
    MessageSpec(70, "ControllerRegistrationRequest", Versions(0, 0), Versions(0, 32767), (_ControllerRegistrationRequestListener, _ControllerRegistrationRequestFeature, _ControllerRegistrationRequest,)),
    MessageSpec(70, "ControllerRegistrationResponse", Versions(0, 0), Versions(0, 32767), (_ControllerRegistrationResponse,)),
    MessageSpec(73, "AssignReplicasToDirsRequest", Versions(0, 0), Versions(0, 32767), (_AssignReplicasToDirsRequestPartitionData, _AssignReplicasToDirsRequestTopicData, _AssignReplicasToDirsRequestDirectoryData, _AssignReplicasToDirsRequest,)),
    MessageSpec(73, "AssignReplicasToDirsResponse", Versions(0, 0), Versions(0, 32767), (_AssignReplicasToDirsResponsePartitionData, _AssignReplicasToDirsResponseTopicData, _AssignReplicasToDirsResponseDirectoryData, _AssignReplicasToDirsResponse,)),
    MessageSpec(80, "AddRaftVoterRequest", Versions(0, 1), Versions(0, 32767), (_AddRaftVoterRequestListener, _AddRaftVoterRequest,)),
    MessageSpec(80, "AddRaftVoterResponse", Versions(0, 1), Versions(0, 32767), (_AddRaftVoterResponse,)),
    MessageSpec(81, "RemoveRaftVoterRequest", Versions(0, 0), Versions(0, 32767), (_RemoveRaftVoterRequest,)),
    MessageSpec(81, "RemoveRaftVoterResponse", Versions(0, 0), Versions(0, 32767), (_RemoveRaftVoterResponse,)),
    MessageSpec(82, "UpdateRaftVoterRequest", Versions(0, 0), Versions(0, 32767), (_UpdateRaftVoterRequestListener, _UpdateRaftVoterRequestKRaftVersionFeature, _UpdateRaftVoterRequest,)),
    MessageSpec(82, "UpdateRaftVoterResponse", Versions(0, 0), Versions(0, 32767), (_UpdateRaftVoterResponseCurrentLeader, _UpdateRaftVoterResponse,)),
    MessageSpec(94, "UnregisterControllerRequest", Versions(0, 0), Versions(0, 32767), (_UnregisterControllerRequest,)),
    MessageSpec(94, "UnregisterControllerResponse", Versions(0, 0), Versions(0, 32767), (_UnregisterControllerResponse,)),
    MessageSpec(1000, "AssignBrokerIdRequest", Versions(0, 0), Versions(0, 32767), (_AssignBrokerIdRequest,)),
    MessageSpec(1000, "AssignBrokerIdResponse", Versions(0, 0), Versions(0, 32767), (_AssignBrokerIdResponse,)),
)
"""Every message of the family."""
