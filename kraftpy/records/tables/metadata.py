"""Every metadata record that kraftpy reads, with all its versions. The notation is in ``kraftpy.records.schema``.

Keys 6, 13 and 16 were never released. Key 29 stands twice: which of the two is meant depends on the metadata.version in
force (``kraftpy.model.features.SchemaSet``). Key 1000 and tag 1000 are ours (KIP-426, KIP-928): far from what upstream
gives out, so that an older reader keeps or skips them.

Source: Kafka 4.4 metadata records; KIP-1262 §ClusterIdRecord.
"""

TABLE = """
0 RegisterBrokerRecord 0-4
  BrokerId int32
  IsMigratingZkBroker bool 2+
  IncarnationId uuid
  BrokerEpoch int64
  EndPoints []BrokerEndpoint
    Name string
    Host string
    Port uint16
    SecurityProtocol int16
  Features []BrokerFeature
    Name string
    MinSupportedVersion int16
    MaxSupportedVersion int16
  Rack string?
  Fenced bool default=true
  InControlledShutdown bool 1+
  LogDirs []uuid 3+ tag=0
  CordonedLogDirs []uuid? 4+ tag=1 default=null
  SaturatedLogDirs []uuid 4+ tag=1000

1 UnregisterBrokerRecord 0
  BrokerId int32
  BrokerEpoch int64

2 TopicRecord 0
  Name string
  TopicId uuid

3 PartitionRecord 0-2
  PartitionId int32 default=-1
  TopicId uuid
  Replicas []int32
  Isr []int32
  RemovingReplicas []int32
  AddingReplicas []int32
  Leader int32 default=-1
  LeaderRecoveryState int8 tag=0
  LeaderEpoch int32 default=-1
  PartitionEpoch int32 default=-1
  Directories []uuid 1+
  EligibleLeaderReplicas []int32? 2+ tag=1 default=null
  LastKnownElr []int32? 2+ tag=2 default=null

4 ConfigRecord 0
  ResourceType int8
  ResourceName string
  Name string
  Value string?

5 PartitionChangeRecord 0-2
  PartitionId int32 default=-1
  TopicId uuid
  Isr []int32? tag=0 default=null
  Leader int32 tag=1 default=-2
  Replicas []int32? tag=2 default=null
  RemovingReplicas []int32? tag=3 default=null
  AddingReplicas []int32? tag=4 default=null
  LeaderRecoveryState int8 tag=5 default=-1
  Directories []uuid? 1+ tag=8 default=null
  EligibleLeaderReplicas []int32? 2+ tag=6 default=null
  LastKnownElr []int32? 2+ tag=7 default=null

7 FenceBrokerRecord 0
  Id int32
  Epoch int64

8 UnfenceBrokerRecord 0
  Id int32
  Epoch int64

9 RemoveTopicRecord 0
  TopicId uuid

10 DelegationTokenRecord 0
  Owner string
  Requester string
  Renewers []string
  IssueTimestamp int64
  MaxTimestamp int64
  ExpirationTimestamp int64
  TokenId string

11 UserScramCredentialRecord 0
  Name string
  Mechanism int8
  Salt bytes
  StoredKey bytes
  ServerKey bytes
  Iterations int32

12 FeatureLevelRecord 0
  Name string
  FeatureLevel int16

14 ClientQuotaRecord 0
  Entity []EntityData
    EntityType string
    EntityName string?
  Key string
  Value float64
  Remove bool

15 ProducerIdsRecord 0
  BrokerId int32
  BrokerEpoch int64 default=-1
  NextProducerId int64

17 BrokerRegistrationChangeRecord 0-3
  BrokerId int32
  BrokerEpoch int64
  Fenced int8 tag=0
  InControlledShutdown int8 1+ tag=1
  LogDirs []uuid 2+ tag=2
  CordonedLogDirs []uuid? 3+ tag=3 default=null
  SaturatedLogDirs []uuid 3+ tag=1000

18 AccessControlEntryRecord 0
  Id uuid
  ResourceType int8
  ResourceName string
  PatternType int8
  Principal string
  Host string
  Operation int8
  PermissionType int8

19 RemoveAccessControlEntryRecord 0
  Id uuid

20 NoOpRecord 0

21 ZkMigrationStateRecord 0
  ZkMigrationState int8

22 RemoveUserScramCredentialRecord 0
  Name string
  Mechanism int8

23 BeginTransactionRecord 0
  Name string? tag=0 default=null

24 EndTransactionRecord 0

25 AbortTransactionRecord 0
  Reason string? tag=0 default=null

26 RemoveDelegationTokenRecord 0
  TokenId string

27 RegisterControllerRecord 0
  ControllerId int32
  IncarnationId uuid
  ZkMigrationReady bool
  EndPoints []ControllerEndpoint
    Name string
    Host string
    Port uint16
    SecurityProtocol int16
  Features []ControllerFeature
    Name string
    MinSupportedVersion int16
    MaxSupportedVersion int16

28 ClearElrRecord 0
  TopicName string

29 UnregisterControllerRecord 0
  ControllerId int32

29 ClusterIdRecord 0
  ClusterId string

1000 BrokerHostRecord 0
  Host string
  BrokerId int32 default=-1
"""
