"""Generated from ``proto/kafka/levels.json`` by ``python -m proto.generate``; do not edit."""

from __future__ import annotations

from typing import Final

from kraftpy.model.features import SchemaSet
from kraftpy.records.codec import Record
from kraftpy.records.generated.metadata import (
    AbortTransactionRecord,
    AccessControlEntryRecord,
    BeginTransactionRecord,
    BrokerHostRecord,
    BrokerRegistrationChangeRecord,
    ClearElrRecord,
    ClientQuotaRecord,
    ClusterIdRecord,
    ConfigRecord,
    DelegationTokenRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    FenceBrokerRecord,
    NoOpRecord,
    PartitionChangeRecord,
    PartitionRecord,
    ProducerIdsRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
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

LEVELS: Final[dict[type[Record], tuple[int, ...]]] = {
    RegisterBrokerRecord: (1, 7, 8, 17, 30),
    UnregisterBrokerRecord: (1,),
    TopicRecord: (1,),
    PartitionRecord: (1, 17, 23),
    ConfigRecord: (1,),
    PartitionChangeRecord: (1, 17, 23),
    FenceBrokerRecord: (1,),
    UnfenceBrokerRecord: (1,),
    RemoveTopicRecord: (1,),
    DelegationTokenRecord: (14,),
    UserScramCredentialRecord: (11,),
    FeatureLevelRecord: (1,),
    ClientQuotaRecord: (1,),
    ProducerIdsRecord: (1,),
    BrokerRegistrationChangeRecord: (6, 7, 17, 30),
    AccessControlEntryRecord: (1,),
    RemoveAccessControlEntryRecord: (1,),
    NoOpRecord: (5,),
    ZkMigrationStateRecord: (8,),
    RemoveUserScramCredentialRecord: (11,),
    BeginTransactionRecord: (13,),
    EndTransactionRecord: (13,),
    AbortTransactionRecord: (13,),
    RemoveDelegationTokenRecord: (14,),
    RegisterControllerRecord: (15,),
    ClearElrRecord: (23,),
    UnregisterControllerRecord: (33,),
    ClusterIdRecord: (40,),
    BrokerHostRecord: (41,),
    RemoveControllerRegistrationRecord: (40,),
}
"""The metadata.version levels from which versions 0, 1 ... of a record are written."""

FIELD_LEVELS: Final[dict[type[Record], tuple[tuple[str, int], ...]]] = {
    RegisterBrokerRecord: (("saturated_log_dirs", 42),),
    BrokerRegistrationChangeRecord: (("saturated_log_dirs", 42),),
}
"""Tagged fields that come later than the version that has them, and their levels."""

SCHEMA_SETS: Final[dict[type[Record], SchemaSet]] = {
    UnregisterControllerRecord: SchemaSet.KAFKA_4_4,
    ClusterIdRecord: SchemaSet.KRAFTPY,
    BrokerHostRecord: SchemaSet.KRAFTPY,
    RemoveControllerRegistrationRecord: SchemaSet.KRAFTPY,
}
"""The records that one schema set alone has. All sets have the others."""
