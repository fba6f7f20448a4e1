"""Generated from ``proto/kafka/metadata`` by ``python -m proto.generate``; do not edit."""

from __future__ import annotations

from typing import Final

from kraftpy.records.schema import Field, MessageSpec, Struct, Versions

_RegisterBrokerRecordBrokerEndpoint = Struct("BrokerEndpoint", "RegisterBrokerRecordBrokerEndpoint", (
    Field("Name", "string"),
    Field("Host", "string"),
    Field("Port", "uint16"),
    Field("SecurityProtocol", "int16"),
))
_RegisterBrokerRecordBrokerFeature = Struct("BrokerFeature", "RegisterBrokerRecordBrokerFeature", (
    Field("Name", "string"),
    Field("MinSupportedVersion", "int16"),
    Field("MaxSupportedVersion", "int16"),
))
_RegisterBrokerRecord = Struct("RegisterBrokerRecord", "RegisterBrokerRecord", (
    Field("BrokerId", "int32"),
    Field("IsMigratingZkBroker", "bool", versions=Versions(2, 32767)),
    Field("IncarnationId", "uuid"),
    Field("BrokerEpoch", "int64"),
    Field("EndPoints", "BrokerEndpoint", is_array=True, struct=_RegisterBrokerRecordBrokerEndpoint),
    Field("Features", "BrokerFeature", is_array=True, struct=_RegisterBrokerRecordBrokerFeature),
    Field("Rack", "string", is_nullable=True),
    Field("Fenced", "bool", default="true"),
    Field("InControlledShutdown", "bool", versions=Versions(1, 32767)),
    Field("LogDirs", "uuid", is_array=True, versions=Versions(3, 32767), tag=0),
    Field("CordonedLogDirs", "uuid", is_array=True, is_nullable=True, versions=Versions(4, 32767), tag=1, default="null"),
    Field("SaturatedLogDirs", "uuid", is_array=True, versions=Versions(4, 32767), tag=1000),
))
_UnregisterBrokerRecord = Struct("UnregisterBrokerRecord", "UnregisterBrokerRecord", (
    Field("BrokerId", "int32"),
    Field("BrokerEpoch", "int64"),
))
_TopicRecord = Struct("TopicRecord", "TopicRecord", (
    Field("Name", "string"),
    Field("TopicId", "uuid"),
))
_PartitionRecord = Struct("PartitionRecord", "PartitionRecord", (
    Field("PartitionId", "int32", default="-1"),
    Field("TopicId", "uuid"),
    Field("Replicas", "int32", is_array=True),
    Field("Isr", "int32", is_array=True),
    Field("RemovingReplicas", "int32", is_array=True),
    Field("AddingReplicas", "int32", is_array=True),
    Field("Leader", "int32", default="-1"),
    Field("LeaderRecoveryState", "int8", tag=0),
    Field("LeaderEpoch", "int32", default="-1"),
    Field("PartitionEpoch", "int32", default="-1"),
    Field("Directories", "uuid", is_array=True, versions=Versions(1, 32767)),
    Field("EligibleLeaderReplicas", "int32", is_array=True, is_nullable=True, versions=Versions(2, 32767), tag=1, default="null"),
    Field("LastKnownElr", "int32", is_array=True, is_nullable=True, versions=Versions(2, 32767), tag=2, default="null"),
))
_ConfigRecord = Struct("ConfigRecord", "ConfigRecord", (
    Field("ResourceType", "int8"),
    Field("ResourceName", "string"),
    Field("Name", "string"),
    Field("Value", "string", is_nullable=True),
))
_PartitionChangeRecord = Struct("PartitionChangeRecord", "PartitionChangeRecord", (
    Field("PartitionId", "int32", default="-1"),
    Field("TopicId", "uuid"),
    Field("Isr", "int32", is_array=True, is_nullable=True, tag=0, default="null"),
    Field("Leader", "int32", tag=1, default="-2"),
    Field("Replicas", "int32", is_array=True, is_nullable=True, tag=2, default="null"),
    Field("RemovingReplicas", "int32", is_array=True, is_nullable=True, tag=3, default="null"),
    Field("AddingReplicas", "int32", is_array=True, is_nullable=True, tag=4, default="null"),
    Field("LeaderRecoveryState", "int8", tag=5, default="-1"),
    Field("Directories", "uuid", is_array=True, is_nullable=True, versions=Versions(1, 32767), tag=8, default="null"),
    Field("EligibleLeaderReplicas", "int32", is_array=True, is_nullable=True, versions=Versions(2, 32767), tag=6, default="null"),
    Field("LastKnownElr", "int32", is_array=True, is_nullable=True, versions=Versions(2, 32767), tag=7, default="null"),
))
_FenceBrokerRecord = Struct("FenceBrokerRecord", "FenceBrokerRecord", (
    Field("Id", "int32"),
    Field("Epoch", "int64"),
))
_UnfenceBrokerRecord = Struct("UnfenceBrokerRecord", "UnfenceBrokerRecord", (
    Field("Id", "int32"),
    Field("Epoch", "int64"),
))
_RemoveTopicRecord = Struct("RemoveTopicRecord", "RemoveTopicRecord", (
    Field("TopicId", "uuid"),
))
_DelegationTokenRecord = Struct("DelegationTokenRecord", "DelegationTokenRecord", (
    Field("Owner", "string"),
    Field("Requester", "string"),
    Field("Renewers", "string", is_array=True),
    Field("IssueTimestamp", "int64"),
    Field("MaxTimestamp", "int64"),
    Field("ExpirationTimestamp", "int64"),
    Field("TokenId", "string"),
))
_UserScramCredentialRecord = Struct("UserScramCredentialRecord", "UserScramCredentialRecord", (
    Field("Name", "string"),
    Field("Mechanism", "int8"),
    Field("Salt", "bytes"),
    Field("StoredKey", "bytes"),
    Field("ServerKey", "bytes"),
    Field("Iterations", "int32"),
))
_FeatureLevelRecord = Struct("FeatureLevelRecord", "FeatureLevelRecord", (
    Field("Name", "string"),
    Field("FeatureLevel", "int16"),
))
_ClientQuotaRecordEntityData = Struct("EntityData", "ClientQuotaRecordEntityData", (
    Field("EntityType", "string"),
    Field("EntityName", "string", is_nullable=True),
))
_ClientQuotaRecord = Struct("ClientQuotaRecord", "ClientQuotaRecord", (
    Field("Entity", "EntityData", is_array=True, struct=_ClientQuotaRecordEntityData),
    Field("Key", "string"),
    Field("Value", "float64"),
    Field("Remove", "bool"),
))
_ProducerIdsRecord = Struct("ProducerIdsRecord", "ProducerIdsRecord", (
    Field("BrokerId", "int32"),
    Field("BrokerEpoch", "int64", default="-1"),
    Field("NextProducerId", "int64"),
))
_BrokerRegistrationChangeRecord = Struct("BrokerRegistrationChangeRecord", "BrokerRegistrationChangeRecord", (
    Field("BrokerId", "int32"),
    Field("BrokerEpoch", "int64"),
    Field("Fenced", "int8", tag=0),
    Field("InControlledShutdown", "int8", versions=Versions(1, 32767), tag=1),
    Field("LogDirs", "uuid", is_array=True, versions=Versions(2, 32767), tag=2),
    Field("CordonedLogDirs", "uuid", is_array=True, is_nullable=True, versions=Versions(3, 32767), tag=3, default="null"),
    Field("SaturatedLogDirs", "uuid", is_array=True, is_nullable=True, versions=Versions(3, 32767), tag=1000, default="null"),
))
_AccessControlEntryRecord = Struct("AccessControlEntryRecord", "AccessControlEntryRecord", (
    Field("Id", "uuid"),
    Field("ResourceType", "int8"),
    Field("ResourceName", "string"),
    Field("PatternType", "int8"),
    Field("Principal", "string"),
    Field("Host", "string"),
    Field("Operation", "int8"),
    Field("PermissionType", "int8"),
))
_RemoveAccessControlEntryRecord = Struct("RemoveAccessControlEntryRecord", "RemoveAccessControlEntryRecord", (
    Field("Id", "uuid"),
))
_NoOpRecord = Struct("NoOpRecord", "NoOpRecord", (
))
_ZkMigrationStateRecord = Struct("ZkMigrationStateRecord", "ZkMigrationStateRecord", (
    Field("ZkMigrationState", "int8"),
))
_RemoveUserScramCredentialRecord = Struct("RemoveUserScramCredentialRecord", "RemoveUserScramCredentialRecord", (
    Field("Name", "string"),
    Field("Mechanism", "int8"),
))
_BeginTransactionRecord = Struct("BeginTransactionRecord", "BeginTransactionRecord", (
    Field("Name", "string", is_nullable=True, tag=0, default="null"),
))
_EndTransactionRecord = Struct("EndTransactionRecord", "EndTransactionRecord", (
))
_AbortTransactionRecord = Struct("AbortTransactionRecord", "AbortTransactionRecord", (
    Field("Reason", "string", is_nullable=True, tag=0, default="null"),
))
_RemoveDelegationTokenRecord = Struct("RemoveDelegationTokenRecord", "RemoveDelegationTokenRecord", (
    Field("TokenId", "string"),
))
_RegisterControllerRecordControllerEndpoint = Struct("ControllerEndpoint", "RegisterControllerRecordControllerEndpoint", (
    Field("Name", "string"),
    Field("Host", "string"),
    Field("Port", "uint16"),
    Field("SecurityProtocol", "int16"),
))
_RegisterControllerRecordControllerFeature = Struct("ControllerFeature", "RegisterControllerRecordControllerFeature", (
    Field("Name", "string"),
    Field("MinSupportedVersion", "int16"),
    Field("MaxSupportedVersion", "int16"),
))
_RegisterControllerRecord = Struct("RegisterControllerRecord", "RegisterControllerRecord", (
    Field("ControllerId", "int32"),
    Field("IncarnationId", "uuid"),
    Field("ZkMigrationReady", "bool"),
    Field("EndPoints", "ControllerEndpoint", is_array=True, struct=_RegisterControllerRecordControllerEndpoint),
    Field("Features", "ControllerFeature", is_array=True, struct=_RegisterControllerRecordControllerFeature),
))
_ClearElrRecord = Struct("ClearElrRecord", "ClearElrRecord", (
    Field("TopicName", "string"),
))
_UnregisterControllerRecord = Struct("UnregisterControllerRecord", "UnregisterControllerRecord", (
    Field("ControllerId", "int32"),
))
_ClusterIdRecord = Struct("ClusterIdRecord", "ClusterIdRecord", (
    Field("ClusterId", "string"),
))
_BrokerHostRecord = Struct("BrokerHostRecord", "BrokerHostRecord", (
    Field("Host", "string"),
    Field("BrokerId", "int32", default="-1"),
))
_RemoveControllerRegistrationRecord = Struct("RemoveControllerRegistrationRecord", "RemoveControllerRegistrationRecord", (
    Field("ControllerId", "int32"),
))

MESSAGES: Final = (
    MessageSpec(0, "RegisterBrokerRecord", Versions(0, 4), Versions(0, 32767), (_RegisterBrokerRecordBrokerEndpoint, _RegisterBrokerRecordBrokerFeature, _RegisterBrokerRecord,)),
    MessageSpec(1, "UnregisterBrokerRecord", Versions(0, 0), Versions(0, 32767), (_UnregisterBrokerRecord,)),
    MessageSpec(2, "TopicRecord", Versions(0, 0), Versions(0, 32767), (_TopicRecord,)),
    MessageSpec(3, "PartitionRecord", Versions(0, 2), Versions(0, 32767), (_PartitionRecord,)),
    MessageSpec(4, "ConfigRecord", Versions(0, 0), Versions(0, 32767), (_ConfigRecord,)),
    MessageSpec(5, "PartitionChangeRecord", Versions(0, 2), Versions(0, 32767), (_PartitionChangeRecord,)),
    MessageSpec(7, "FenceBrokerRecord", Versions(0, 0), Versions(0, 32767), (_FenceBrokerRecord,)),
    MessageSpec(8, "UnfenceBrokerRecord", Versions(0, 0), Versions(0, 32767), (_UnfenceBrokerRecord,)),
    MessageSpec(9, "RemoveTopicRecord", Versions(0, 0), Versions(0, 32767), (_RemoveTopicRecord,)),
    MessageSpec(10, "DelegationTokenRecord", Versions(0, 0), Versions(0, 32767), (_DelegationTokenRecord,)),
    MessageSpec(11, "UserScramCredentialRecord", Versions(0, 0), Versions(0, 32767), (_UserScramCredentialRecord,)),
    MessageSpec(12, "FeatureLevelRecord", Versions(0, 0), Versions(0, 32767), (_FeatureLevelRecord,)),
    MessageSpec(14, "ClientQuotaRecord", Versions(0, 0), Versions(0, 32767), (_ClientQuotaRecordEntityData, _ClientQuotaRecord,)),
    MessageSpec(15, "ProducerIdsRecord", Versions(0, 0), Versions(0, 32767), (_ProducerIdsRecord,)),
    MessageSpec(17, "BrokerRegistrationChangeRecord", Versions(0, 3), Versions(0, 32767), (_BrokerRegistrationChangeRecord,)),
    MessageSpec(18, "AccessControlEntryRecord", Versions(0, 0), Versions(0, 32767), (_AccessControlEntryRecord,)),
    MessageSpec(19, "RemoveAccessControlEntryRecord", Versions(0, 0), Versions(0, 32767), (_RemoveAccessControlEntryRecord,)),
    MessageSpec(20, "NoOpRecord", Versions(0, 0), Versions(0, 32767), (_NoOpRecord,)),
    MessageSpec(21, "ZkMigrationStateRecord", Versions(0, 0), Versions(0, 32767), (_ZkMigrationStateRecord,)),
    MessageSpec(22, "RemoveUserScramCredentialRecord", Versions(0, 0), Versions(0, 32767), (_RemoveUserScramCredentialRecord,)),
    MessageSpec(23, "BeginTransactionRecord", Versions(0, 0), Versions(0, 32767), (_BeginTransactionRecord,)),
    MessageSpec(24, "EndTransactionRecord", Versions(0, 0), Versions(0, 32767), (_EndTransactionRecord,)),
    MessageSpec(25, "AbortTransactionRecord", Versions(0, 0), Versions(0, 32767), (_AbortTransactionRecord,)),
    MessageSpec(26, "RemoveDelegationTokenRecord", Versions(0, 0), Versions(0, 32767), (_RemoveDelegationTokenRecord,)),
    MessageSpec(27, "RegisterControllerRecord", Versions(0, 0), Versions(0, 32767), (_RegisterControllerRecordControllerEndpoint, _RegisterControllerRecordControllerFeature, _RegisterControllerRecord,)),
    MessageSpec(28, "ClearElrRecord", Versions(0, 0), Versions(0, 32767), (_ClearElrRecord,)),
    MessageSpec(29, "UnregisterControllerRecord", Versions(0, 0), Versions(0, 32767), (_UnregisterControllerRecord,)),
    MessageSpec(29, "ClusterIdRecord", Versions(0, 0), Versions(0, 32767), (_ClusterIdRecord,)),
    MessageSpec(1000, "BrokerHostRecord", Versions(0, 0), Versions(0, 32767), (_BrokerHostRecord,)),
    MessageSpec(1001, "RemoveControllerRegistrationRecord", Versions(0, 0), Versions(0, 32767), (_RemoveControllerRegistrationRecord,)),
)
"""Every message of the family."""
