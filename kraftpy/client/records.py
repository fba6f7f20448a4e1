"""The records that a watch of typed changes hands out, and the structs in them.

They are the classes of ``kraftpy.records``, as the log has them; a field that is a uuid has a
:class:`~kraftpy.client.uuids.Uuid`. Records that change no state (marks of transactions, and those without an effect)
are no changes.
"""

from __future__ import annotations

from typing import TypeAlias

from kraftpy.records.metadata import (
    AccessControlEntryRecord,
    BrokerHostRecord,
    BrokerRegistrationChangeRecord,
    ClearElrRecord,
    ClientQuotaRecord,
    ClientQuotaRecordEntityData,
    ClusterIdRecord,
    ConfigRecord,
    DelegationTokenRecord,
    FeatureLevelRecord,
    FenceBrokerRecord,
    PartitionChangeRecord,
    PartitionRecord,
    ProducerIdsRecord,
    RegisterBrokerRecord,
    RegisterBrokerRecordBrokerEndpoint,
    RegisterBrokerRecordBrokerFeature,
    RegisterControllerRecord,
    RegisterControllerRecordControllerEndpoint,
    RegisterControllerRecordControllerFeature,
    RemoveAccessControlEntryRecord,
    RemoveControllerRegistrationRecord,
    RemoveDelegationTokenRecord,
    RemoveTopicRecord,
    RemoveUserScramCredentialRecord,
    TopicRecord,
    UnfenceBrokerRecord,
    UnregisterBrokerRecord,
    UnregisterControllerRecord,
    UserScramCredentialRecord,
    ZkMigrationStateRecord,
)

__all__ = (
    "AccessControlEntryRecord",
    "BrokerHostRecord",
    "BrokerRegistrationChangeRecord",
    "ClearElrRecord",
    "ClientQuotaRecord",
    "ClientQuotaRecordEntityData",
    "ClusterIdRecord",
    "ConfigRecord",
    "DelegationTokenRecord",
    "FeatureLevelRecord",
    "FenceBrokerRecord",
    "MetadataChange",
    "PartitionChangeRecord",
    "PartitionRecord",
    "ProducerIdsRecord",
    "RegisterBrokerRecord",
    "RegisterBrokerRecordBrokerEndpoint",
    "RegisterBrokerRecordBrokerFeature",
    "RegisterControllerRecord",
    "RegisterControllerRecordControllerEndpoint",
    "RegisterControllerRecordControllerFeature",
    "RemoveAccessControlEntryRecord",
    "RemoveControllerRegistrationRecord",
    "RemoveDelegationTokenRecord",
    "RemoveTopicRecord",
    "RemoveUserScramCredentialRecord",
    "TopicRecord",
    "UnfenceBrokerRecord",
    "UnregisterBrokerRecord",
    "UnregisterControllerRecord",
    "UserScramCredentialRecord",
    "ZkMigrationStateRecord",
)

MetadataChange: TypeAlias = (
    AccessControlEntryRecord
    | BrokerHostRecord
    | BrokerRegistrationChangeRecord
    | ClearElrRecord
    | ClientQuotaRecord
    | ClusterIdRecord
    | ConfigRecord
    | DelegationTokenRecord
    | FeatureLevelRecord
    | FenceBrokerRecord
    | PartitionChangeRecord
    | PartitionRecord
    | ProducerIdsRecord
    | RegisterBrokerRecord
    | RegisterControllerRecord
    | RemoveAccessControlEntryRecord
    | RemoveControllerRegistrationRecord
    | RemoveDelegationTokenRecord
    | RemoveTopicRecord
    | RemoveUserScramCredentialRecord
    | TopicRecord
    | UnfenceBrokerRecord
    | UnregisterBrokerRecord
    | UnregisterControllerRecord
    | UserScramCredentialRecord
    | ZkMigrationStateRecord
)
"""One change of the state: the record that makes it."""
