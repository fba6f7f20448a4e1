"""Kafka's requests and responses that a controller, a broker and their tools exchange.

Source: Kafka 4.3 messages; KIP-595, KIP-630, KIP-853, KIP-996 (Vote 2), KIP-1166 (Fetch 18), KIP-1186 (AddRaftVoter 1).

Tags from 1000 on are ours, far from what upstream would give away; Kafka skips what it does not know.

    BoundDirectoryId        which directory counts under the id of a fetcher that is refused for being another one
    ProbationNodeId, -DirectoryId       who fetches as nobody, so that it is not counted yet IncarnationId, EmptyForMs
    of a voter that holds nothing: which empty directory it is, and how long its process is up Unproven
    of a voter whose vote, and whose word that nobody else leads, does not count DirectoryId             which directory
    answers a leader under a voter's id ClaimedIncarnationId    the receiver's IncarnationId: the candidate knows that
    no voter holds anything StateEndOffset, StateDigest         a digest of the fetcher's state at that offset
    (``model.digests``) AgreedEndOffset, AgreedDigest       the digest that a majority of the voters made at that offset
"""

TABLE = """
- RequestHeader 0-2 flexible=2+
  RequestApiKey int16
  RequestApiVersion int16
  CorrelationId int32
  ClientId string? 1+ plain

- ResponseHeader 0-1 flexible=1+
  CorrelationId int32

1 FetchRequest 4-18 flexible=12+
  ClusterId string? 12+ tag=0 default=null ignorable
  ReplicaId int32 0-14 default=-1
  ReplicaState ReplicaState 15+ tag=1
    ReplicaId int32 15+ default=-1
    ReplicaEpoch int64 15+ default=-1
  MaxWaitMs int32
  MinBytes int32
  MaxBytes int32 3+ default=2147483647 ignorable
  IsolationLevel int8 4+ ignorable
  SessionId int32 7+ ignorable
  SessionEpoch int32 7+ default=-1 ignorable
  Topics []FetchTopic
    Topic string 0-12 ignorable
    TopicId uuid 13+ ignorable
    Partitions []FetchPartition
      Partition int32
      CurrentLeaderEpoch int32 9+ default=-1 ignorable
      FetchOffset int64
      LastFetchedEpoch int32 12+ default=-1
      LogStartOffset int64 5+ default=-1 ignorable
      PartitionMaxBytes int32
      ReplicaDirectoryId uuid 17+ tag=0 ignorable
      HighWatermark int64 18+ tag=1 default=9223372036854775807 ignorable
      ProbationNodeId int32 17+ tag=1000 default=-1 ignorable
      ProbationDirectoryId uuid 17+ tag=1001 ignorable
      StateEndOffset int64 17+ tag=1002 default=-1 ignorable
      StateDigest uuid 17+ tag=1003 ignorable
  ForgottenTopicsData []ForgottenTopic 7+
    Topic string 7-12 ignorable
    TopicId uuid 13+ ignorable
    Partitions []int32 7+
  RackId string 11+ ignorable

1 FetchResponse 4-18 flexible=12+
  ThrottleTimeMs int32 1+ ignorable
  ErrorCode int16 7+ ignorable
  SessionId int32 7+
  Responses []FetchableTopicResponse
    Topic string 0-12 ignorable
    TopicId uuid 13+ ignorable
    Partitions []PartitionData
      PartitionIndex int32
      ErrorCode int16
      HighWatermark int64
      LastStableOffset int64 4+ default=-1 ignorable
      LogStartOffset int64 5+ default=-1 ignorable
      DivergingEpoch EpochEndOffset 12+ tag=0
        Epoch int32 12+ default=-1
        EndOffset int64 12+ default=-1
      CurrentLeader LeaderIdAndEpoch 12+ tag=1
        LeaderId int32 12+ default=-1
        LeaderEpoch int32 12+ default=-1
      SnapshotId SnapshotId 12+ tag=2
        EndOffset int64 default=-1
        Epoch int32 default=-1
      AbortedTransactions []AbortedTransaction? 4+ ignorable
        ProducerId int64 4+
        FirstOffset int64 4+
      PreferredReadReplica int32 11+ default=-1
      Records records?
      BoundDirectoryId uuid 17+ tag=1000 ignorable
      AgreedEndOffset int64 17+ tag=1001 default=-1 ignorable
      AgreedDigest uuid 17+ tag=1002 ignorable
  NodeEndpoints []NodeEndpoint 16+ tag=0
    NodeId int32 16+
    Host string 16+
    Port int32 16+
    Rack string? 16+ default=null

18 ApiVersionsRequest 0-4 flexible=3+
  ClientSoftwareName string 3+ ignorable
  ClientSoftwareVersion string 3+ ignorable

18 ApiVersionsResponse 0-4 flexible=3+
  ErrorCode int16
  ApiKeys []ApiVersion
    ApiKey int16
    MinVersion int16
    MaxVersion int16
  ThrottleTimeMs int32 1+ ignorable
  SupportedFeatures []SupportedFeatureKey 3+ tag=0 ignorable
    Name string 3+
    MinVersion int16 3+
    MaxVersion int16 3+
  FinalizedFeaturesEpoch int64 3+ tag=1 default=-1 ignorable
  FinalizedFeatures []FinalizedFeatureKey 3+ tag=2 ignorable
    Name string 3+
    MaxVersionLevel int16 3+
    MinVersionLevel int16 3+
  ZkMigrationReady bool 3+ tag=3 ignorable

19 CreateTopicsRequest 2-7 flexible=5+
  Topics []CreatableTopic
    Name string
    NumPartitions int32
    ReplicationFactor int16
    Assignments []CreatableReplicaAssignment
      PartitionIndex int32
      BrokerIds []int32
    Configs []CreatableTopicConfig
      Name string
      Value string?
  timeoutMs int32 default=60000
  validateOnly bool

19 CreateTopicsResponse 2-7 flexible=5+
  ThrottleTimeMs int32 2+ ignorable
  Topics []CreatableTopicResult
    Name string
    TopicId uuid 7+ ignorable
    ErrorCode int16
    ErrorMessage string? ignorable
    TopicConfigErrorCode int16 5+ tag=0 ignorable
    NumPartitions int32 5+ default=-1 ignorable
    ReplicationFactor int16 5+ default=-1 ignorable
    Configs []CreatableTopicConfigs? 5+ ignorable
      Name string 5+
      Value string? 5+
      ReadOnly bool 5+
      ConfigSource int8 5+ default=-1 ignorable
      IsSensitive bool 5+

20 DeleteTopicsRequest 1-6 flexible=4+
  Topics []DeleteTopicState 6+
    Name string? 6+ default=null
    TopicId uuid 6+
  TopicNames []string 0-5 ignorable
  TimeoutMs int32

20 DeleteTopicsResponse 1-6 flexible=4+
  ThrottleTimeMs int32 1+ ignorable
  Responses []DeletableTopicResult
    Name string?
    TopicId uuid 6+ ignorable
    ErrorCode int16
    ErrorMessage string? 5+ default=null ignorable

32 DescribeConfigsRequest 1-4 flexible=4+
  Resources []DescribeConfigsResource
    ResourceType int8
    ResourceName string
    ConfigurationKeys []string?
  IncludeSynonyms bool 1+
  IncludeDocumentation bool 3+

32 DescribeConfigsResponse 1-4 flexible=4+
  ThrottleTimeMs int32
  Results []DescribeConfigsResult
    ErrorCode int16
    ErrorMessage string?
    ResourceType int8
    ResourceName string
    Configs []DescribeConfigsResourceResult
      Name string
      Value string?
      ReadOnly bool
      ConfigSource int8 1+ default=-1 ignorable
      IsSensitive bool
      Synonyms []DescribeConfigsSynonym 1+ ignorable
        Name string 1+
        Value string? 1+
        Source int8 1+
      ConfigType int8 3+ ignorable
      Documentation string? 3+ ignorable

33 AlterConfigsRequest 0-2 flexible=2+
  Resources []AlterConfigsResource
    ResourceType int8
    ResourceName string
    Configs []AlterableConfig
      Name string
      Value string?
  ValidateOnly bool

33 AlterConfigsResponse 0-2 flexible=2+
  ThrottleTimeMs int32
  Responses []AlterConfigsResourceResponse
    ErrorCode int16
    ErrorMessage string?
    ResourceType int8
    ResourceName string

37 CreatePartitionsRequest 0-3 flexible=2+
  Topics []CreatePartitionsTopic
    Name string
    Count int32
    Assignments []CreatePartitionsAssignment?
      BrokerIds []int32
  TimeoutMs int32
  ValidateOnly bool

37 CreatePartitionsResponse 0-3 flexible=2+
  ThrottleTimeMs int32
  Results []CreatePartitionsTopicResult
    Name string
    ErrorCode int16
    ErrorMessage string? default=null

44 IncrementalAlterConfigsRequest 0-1 flexible=1+
  Resources []AlterConfigsResource
    ResourceType int8
    ResourceName string
    Configs []AlterableConfig
      Name string
      ConfigOperation int8
      Value string?
  ValidateOnly bool

44 IncrementalAlterConfigsResponse 0-1 flexible=1+
  ThrottleTimeMs int32
  Responses []AlterConfigsResourceResponse
    ErrorCode int16
    ErrorMessage string?
    ResourceType int8
    ResourceName string

52 VoteRequest 0-2
  ClusterId string? default=null
  VoterId int32 1+ default=-1 ignorable
  Topics []TopicData
    TopicName string
    Partitions []PartitionData
      PartitionIndex int32
      ReplicaEpoch int32
      ReplicaId int32
      ReplicaDirectoryId uuid 1+ ignorable
      VoterDirectoryId uuid 1+ ignorable
      LastOffsetEpoch int32
      LastOffset int64
      PreVote bool 2+
      ClaimedIncarnationId uuid 2+ tag=1000 ignorable

52 VoteResponse 0-2
  ErrorCode int16
  Topics []TopicData
    TopicName string
    Partitions []PartitionData
      PartitionIndex int32
      ErrorCode int16
      LeaderId int32
      LeaderEpoch int32
      VoteGranted bool
      IncarnationId uuid 2+ tag=1000 ignorable
      EmptyForMs int64 2+ tag=1001 default=-1 ignorable
      Unproven bool 2+ tag=1002 ignorable
  NodeEndpoints []NodeEndpoint 1+ tag=0
    NodeId int32 1+
    Host string 1+
    Port uint16 1+

53 BeginQuorumEpochRequest 0-1 flexible=1+
  ClusterId string? default=null
  VoterId int32 1+ default=-1 ignorable
  Topics []TopicData
    TopicName string
    Partitions []PartitionData
      PartitionIndex int32
      VoterDirectoryId uuid 1+ ignorable
      LeaderId int32
      LeaderEpoch int32
  LeaderEndpoints []LeaderEndpoint 1+ ignorable
    Name string 1+
    Host string 1+
    Port uint16 1+

53 BeginQuorumEpochResponse 0-1 flexible=1+
  ErrorCode int16
  Topics []TopicData
    TopicName string
    Partitions []PartitionData
      PartitionIndex int32
      ErrorCode int16
      LeaderId int32
      LeaderEpoch int32
      Unproven bool 1+ tag=1000 ignorable
      DirectoryId uuid 1+ tag=1001 ignorable
  NodeEndpoints []NodeEndpoint 1+ tag=0
    NodeId int32 1+
    Host string 1+
    Port uint16 1+

54 EndQuorumEpochRequest 0-1 flexible=1+
  ClusterId string? default=null
  Topics []TopicData
    TopicName string
    Partitions []PartitionData
      PartitionIndex int32
      LeaderId int32
      LeaderEpoch int32
      PreferredSuccessors []int32 0 ignorable
      PreferredCandidates []ReplicaInfo 1+ ignorable
        CandidateId int32 1+
        CandidateDirectoryId uuid 1+
  LeaderEndpoints []LeaderEndpoint 1+ ignorable
    Name string 1+
    Host string 1+
    Port uint16 1+

54 EndQuorumEpochResponse 0-1 flexible=1+
  ErrorCode int16
  Topics []TopicData
    TopicName string
    Partitions []PartitionData
      PartitionIndex int32
      ErrorCode int16
      LeaderId int32
      LeaderEpoch int32
  NodeEndpoints []NodeEndpoint 1+ tag=0
    NodeId int32 1+
    Host string 1+
    Port uint16 1+

55 DescribeQuorumRequest 0-2
  Topics []TopicData
    TopicName string
    Partitions []PartitionData
      PartitionIndex int32

55 DescribeQuorumResponse 0-2
  ErrorCode int16
  ErrorMessage string? 2+ ignorable
  Topics []TopicData
    TopicName string
    Partitions []PartitionData
      PartitionIndex int32
      ErrorCode int16
      ErrorMessage string? 2+ ignorable
      LeaderId int32
      LeaderEpoch int32
      HighWatermark int64
      CurrentVoters []ReplicaState
        ReplicaId int32
        ReplicaDirectoryId uuid 2+
        LogEndOffset int64
        LastFetchTimestamp int64 1+ default=-1 ignorable
        LastCaughtUpTimestamp int64 1+ default=-1 ignorable
      Observers []ReplicaState
  Nodes []Node 2+
    NodeId int32 2+
    Listeners []Listener 2+
      Name string 2+
      Host string 2+
      Port uint16 2+

57 UpdateFeaturesRequest 0-2
  timeoutMs int32 default=60000
  FeatureUpdates []FeatureUpdateKey
    Feature string
    MaxVersionLevel int16
    AllowDowngrade bool 0
    UpgradeType int8 1+ default=1
  ValidateOnly bool 1+

57 UpdateFeaturesResponse 0-2
  ThrottleTimeMs int32
  ErrorCode int16
  ErrorMessage string?
  Results []UpdatableFeatureResult 0-1 ignorable
    Feature string
    ErrorCode int16
    ErrorMessage string?

59 FetchSnapshotRequest 0-1
  ClusterId string? tag=0 default=null
  ReplicaId int32 default=-1
  MaxBytes int32 default=2147483647
  Topics []TopicSnapshot
    Name string
    Partitions []PartitionSnapshot
      Partition int32
      CurrentLeaderEpoch int32
      SnapshotId SnapshotId
        EndOffset int64
        Epoch int32
      Position int64
      ReplicaDirectoryId uuid 1+ tag=0 ignorable

59 FetchSnapshotResponse 0-1
  ThrottleTimeMs int32 ignorable
  ErrorCode int16
  Topics []TopicSnapshot
    Name string
    Partitions []PartitionSnapshot
      Index int32
      ErrorCode int16
      SnapshotId SnapshotId
        EndOffset int64
        Epoch int32
      CurrentLeader LeaderIdAndEpoch tag=0
        LeaderId int32
        LeaderEpoch int32
      Size int64
      Position int64
      UnalignedRecords records
  NodeEndpoints []NodeEndpoint 1+ tag=0
    NodeId int32 1+
    Host string 1+
    Port uint16 1+

60 DescribeClusterRequest 0-2
  IncludeClusterAuthorizedOperations bool
  EndpointType int8 1+ default=1
  IncludeFencedBrokers bool 2+

60 DescribeClusterResponse 0-2
  ThrottleTimeMs int32
  ErrorCode int16
  ErrorMessage string? default=null
  EndpointType int8 1+ default=1
  ClusterId string
  ControllerId int32 default=-1
  Brokers []DescribeClusterBroker
    BrokerId int32
    Host string
    Port int32
    Rack string? default=null
    IsFenced bool 2+
  ClusterAuthorizedOperations int32 default=-2147483648

62 BrokerRegistrationRequest 0-4
  BrokerId int32
  ClusterId string
  IncarnationId uuid
  Listeners []Listener
    Name string
    Host string
    Port uint16
    SecurityProtocol int16
  Features []Feature
    Name string
    MinSupportedVersion int16
    MaxSupportedVersion int16
  Rack string?
  IsMigratingZkBroker bool 1+
  LogDirs []uuid 2+ ignorable
  PreviousBrokerEpoch int64 3+ default=-1 ignorable

62 BrokerRegistrationResponse 0-4
  ThrottleTimeMs int32
  ErrorCode int16
  BrokerEpoch int64 default=-1

63 BrokerHeartbeatRequest 0-2
  BrokerId int32
  BrokerEpoch int64 default=-1
  CurrentMetadataOffset int64
  WantFence bool
  WantShutDown bool
  OfflineLogDirs []uuid 1+ tag=0
  CordonedLogDirs []uuid? 2+ tag=1 default=null

63 BrokerHeartbeatResponse 0-2
  ThrottleTimeMs int32
  ErrorCode int16
  IsCaughtUp bool
  IsFenced bool default=true
  ShouldShutDown bool

64 UnregisterBrokerRequest 0
  BrokerId int32

64 UnregisterBrokerResponse 0
  ThrottleTimeMs int32
  ErrorCode int16
  ErrorMessage string?

70 ControllerRegistrationRequest 0
  ControllerId int32
  IncarnationId uuid
  ZkMigrationReady bool
  Listeners []Listener
    Name string
    Host string
    Port uint16
    SecurityProtocol int16
  Features []Feature
    Name string
    MinSupportedVersion int16
    MaxSupportedVersion int16

70 ControllerRegistrationResponse 0
  ThrottleTimeMs int32
  ErrorCode int16
  ErrorMessage string?

80 AddRaftVoterRequest 0-1
  ClusterId string?
  TimeoutMs int32
  VoterId int32
  VoterDirectoryId uuid
  Listeners []Listener
    Name string
    Host string
    Port uint16
  AckWhenCommitted bool 1+ default=true

80 AddRaftVoterResponse 0-1
  ThrottleTimeMs int32
  ErrorCode int16
  ErrorMessage string? ignorable

81 RemoveRaftVoterRequest 0
  ClusterId string?
  VoterId int32
  VoterDirectoryId uuid

81 RemoveRaftVoterResponse 0
  ThrottleTimeMs int32
  ErrorCode int16
  ErrorMessage string? ignorable

82 UpdateRaftVoterRequest 0
  ClusterId string?
  CurrentLeaderEpoch int32
  VoterId int32
  VoterDirectoryId uuid
  Listeners []Listener
    Name string
    Host string
    Port uint16
  KRaftVersionFeature KRaftVersionFeature
    MinSupportedVersion int16
    MaxSupportedVersion int16

82 UpdateRaftVoterResponse 0
  ThrottleTimeMs int32
  ErrorCode int16
  CurrentLeader CurrentLeader tag=0
    LeaderId int32 default=-1
    LeaderEpoch int32 default=-1
    Host string
    Port int32
"""
