"""The bodies of control records: what Raft itself writes into the log and at both ends of a snapshot.

They are always written as message version 0. Tags from 1000 on are ours; Kafka skips what it does not know.

    StateDigest     a digest of the records of the snapshot (``records.state_digest``)
    FileDigest      a digest of all bytes of the snapshot before the footer's batch

Where they are not stated they are all zeros.

Source: Kafka 4.4 control records; KIP-595, KIP-630, KIP-853.
"""

TABLE = """
- LeaderChangeMessage 0-1
  Version int16
  LeaderId int32
  Voters []Voter
    VoterId int32
    VoterDirectoryId uuid 1+
  GrantingVoters []Voter

- SnapshotHeaderRecord 0
  Version int16
  LastContainedLogTimestamp int64

- SnapshotFooterRecord 0
  Version int16
  StateDigest uuid tag=1000
  FileDigest uuid tag=1001

- KRaftVersionRecord 0
  Version int16
  KRaftVersion int16

- VotersRecord 0
  Version int16
  Voters []Voter
    VoterId int32
    VoterDirectoryId uuid
    Endpoints []Endpoint
      Name string
      Host string
      Port uint16
    KRaftVersionFeature KRaftVersionFeature
      MinSupportedVersion int16
      MaxSupportedVersion int16
"""
