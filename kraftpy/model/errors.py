"""Errors, in three kinds with three forms.

1. **Protocol outcomes are values**: an :class:`ErrorCode` in a response (not leader, fenced epoch, unknown voter).
2. **Operating errors are exceptions** under :class:`KraftError`::

       KraftError
       ├── ConfigError            a property is missing, unknown or out of range
       ├── LocalError             the caller asked for something illegal (misuse, not leader, too large)
       │   ├── NotLeaderError     only the leader of that epoch can do this
       │   ├── TooLargeError      over a named limit; nothing was done
       │   └── BusyError          a bounded queue is full; try again later
       ├── RemoteError            a peer or a client misbehaved
       │   └── MalformedError     bytes that are not what they claim to be
       │       └── CorruptError   a checksum or a structural rule failed
       ├── StorageError           a disk operation failed │   ├── CorruptLogError    corruption of acknowledged data:
       never truncated silently │   ├── DiskFullError      no space left │   └── SyncFailedError    an fsync failed:
       fatal, never retried └── ApiError               a request was rejected: carries the ErrorCode and a message

3. **Our bugs** are :class:`kraftpy.model.invariant.InvariantViolation` and stop the node.

Every message names the value, the place and the way out.
"""

from __future__ import annotations

import enum
from typing import Final

MESSAGE_CHARACTERS_MAX: Final = 4_096
"""How much of a refusal's text is kept: at four bytes a character it fits a string of Kafka's wire (32,767 bytes)."""


class ErrorCode(enum.IntEnum):
    """Kafka's error codes, as in responses; from 1000 on, ours. Source: Kafka ``Errors``."""

    UNKNOWN_SERVER_ERROR = -1
    NONE = 0
    OFFSET_OUT_OF_RANGE = 1
    CORRUPT_MESSAGE = 2
    UNKNOWN_TOPIC_OR_PARTITION = 3
    INVALID_FETCH_SIZE = 4
    LEADER_NOT_AVAILABLE = 5
    NOT_LEADER_OR_FOLLOWER = 6
    REQUEST_TIMED_OUT = 7
    BROKER_NOT_AVAILABLE = 8
    REPLICA_NOT_AVAILABLE = 9
    MESSAGE_TOO_LARGE = 10
    STALE_CONTROLLER_EPOCH = 11
    OFFSET_METADATA_TOO_LARGE = 12
    NETWORK_EXCEPTION = 13
    COORDINATOR_LOAD_IN_PROGRESS = 14
    COORDINATOR_NOT_AVAILABLE = 15
    NOT_COORDINATOR = 16
    INVALID_TOPIC_EXCEPTION = 17
    RECORD_LIST_TOO_LARGE = 18
    NOT_ENOUGH_REPLICAS = 19
    NOT_ENOUGH_REPLICAS_AFTER_APPEND = 20
    INVALID_REQUIRED_ACKS = 21
    ILLEGAL_GENERATION = 22
    INCONSISTENT_GROUP_PROTOCOL = 23
    INVALID_GROUP_ID = 24
    UNKNOWN_MEMBER_ID = 25
    INVALID_SESSION_TIMEOUT = 26
    REBALANCE_IN_PROGRESS = 27
    INVALID_COMMIT_OFFSET_SIZE = 28
    TOPIC_AUTHORIZATION_FAILED = 29
    GROUP_AUTHORIZATION_FAILED = 30
    CLUSTER_AUTHORIZATION_FAILED = 31
    INVALID_TIMESTAMP = 32
    UNSUPPORTED_SASL_MECHANISM = 33
    ILLEGAL_SASL_STATE = 34
    UNSUPPORTED_VERSION = 35
    TOPIC_ALREADY_EXISTS = 36
    INVALID_PARTITIONS = 37
    INVALID_REPLICATION_FACTOR = 38
    INVALID_REPLICA_ASSIGNMENT = 39
    INVALID_CONFIG = 40
    NOT_CONTROLLER = 41
    INVALID_REQUEST = 42
    UNSUPPORTED_FOR_MESSAGE_FORMAT = 43
    POLICY_VIOLATION = 44
    OUT_OF_ORDER_SEQUENCE_NUMBER = 45
    DUPLICATE_SEQUENCE_NUMBER = 46
    INVALID_PRODUCER_EPOCH = 47
    INVALID_TXN_STATE = 48
    INVALID_PRODUCER_ID_MAPPING = 49
    INVALID_TRANSACTION_TIMEOUT = 50
    CONCURRENT_TRANSACTIONS = 51
    TRANSACTION_COORDINATOR_FENCED = 52
    TRANSACTIONAL_ID_AUTHORIZATION_FAILED = 53
    SECURITY_DISABLED = 54
    OPERATION_NOT_ATTEMPTED = 55
    KAFKA_STORAGE_ERROR = 56
    LOG_DIR_NOT_FOUND = 57
    SASL_AUTHENTICATION_FAILED = 58
    UNKNOWN_PRODUCER_ID = 59
    REASSIGNMENT_IN_PROGRESS = 60
    DELEGATION_TOKEN_AUTH_DISABLED = 61
    DELEGATION_TOKEN_NOT_FOUND = 62
    DELEGATION_TOKEN_OWNER_MISMATCH = 63
    DELEGATION_TOKEN_REQUEST_NOT_ALLOWED = 64
    DELEGATION_TOKEN_AUTHORIZATION_FAILED = 65
    DELEGATION_TOKEN_EXPIRED = 66
    INVALID_PRINCIPAL_TYPE = 67
    NON_EMPTY_GROUP = 68
    GROUP_ID_NOT_FOUND = 69
    FETCH_SESSION_ID_NOT_FOUND = 70
    INVALID_FETCH_SESSION_EPOCH = 71
    LISTENER_NOT_FOUND = 72
    TOPIC_DELETION_DISABLED = 73
    FENCED_LEADER_EPOCH = 74
    UNKNOWN_LEADER_EPOCH = 75
    UNSUPPORTED_COMPRESSION_TYPE = 76
    STALE_BROKER_EPOCH = 77
    OFFSET_NOT_AVAILABLE = 78
    MEMBER_ID_REQUIRED = 79
    PREFERRED_LEADER_NOT_AVAILABLE = 80
    GROUP_MAX_SIZE_REACHED = 81
    FENCED_INSTANCE_ID = 82
    ELIGIBLE_LEADERS_NOT_AVAILABLE = 83
    ELECTION_NOT_NEEDED = 84
    NO_REASSIGNMENT_IN_PROGRESS = 85
    GROUP_SUBSCRIBED_TO_TOPIC = 86
    INVALID_RECORD = 87
    UNSTABLE_OFFSET_COMMIT = 88
    THROTTLING_QUOTA_EXCEEDED = 89
    PRODUCER_FENCED = 90
    RESOURCE_NOT_FOUND = 91
    DUPLICATE_RESOURCE = 92
    UNACCEPTABLE_CREDENTIAL = 93
    INCONSISTENT_VOTER_SET = 94
    INVALID_UPDATE_VERSION = 95
    FEATURE_UPDATE_FAILED = 96
    PRINCIPAL_DESERIALIZATION_FAILURE = 97
    SNAPSHOT_NOT_FOUND = 98
    POSITION_OUT_OF_RANGE = 99
    UNKNOWN_TOPIC_ID = 100
    DUPLICATE_BROKER_REGISTRATION = 101
    BROKER_ID_NOT_REGISTERED = 102
    INCONSISTENT_TOPIC_ID = 103
    INCONSISTENT_CLUSTER_ID = 104
    TRANSACTIONAL_ID_NOT_FOUND = 105
    FETCH_SESSION_TOPIC_ID_ERROR = 106
    INELIGIBLE_REPLICA = 107
    NEW_LEADER_ELECTED = 108
    OFFSET_MOVED_TO_TIERED_STORAGE = 109
    FENCED_MEMBER_EPOCH = 110
    UNRELEASED_INSTANCE_ID = 111
    UNSUPPORTED_ASSIGNOR = 112
    STALE_MEMBER_EPOCH = 113
    MISMATCHED_ENDPOINT_TYPE = 114
    UNSUPPORTED_ENDPOINT_TYPE = 115
    UNKNOWN_CONTROLLER_ID = 116
    UNKNOWN_SUBSCRIPTION_ID = 117
    TELEMETRY_TOO_LARGE = 118
    INVALID_REGISTRATION = 119
    TRANSACTION_ABORTABLE = 120
    INVALID_RECORD_STATE = 121
    SHARE_SESSION_NOT_FOUND = 122
    INVALID_SHARE_SESSION_EPOCH = 123
    FENCED_STATE_EPOCH = 124
    INVALID_VOTER_KEY = 125
    DUPLICATE_VOTER = 126
    VOTER_NOT_FOUND = 127
    INVALID_REGULAR_EXPRESSION = 128
    CONTROLLER_ID_NOT_REGISTERED = 136
    REQUEST_OUTCOME_UNKNOWN = 1000


class KraftError(Exception):
    """The root of every operating error that kraftpy raises."""


class ConfigError(KraftError):
    """A property is missing, unknown or out of range; the message names key, value and what is allowed."""


class LocalError(KraftError):
    """The caller asked for something illegal."""


class NotLeaderError(LocalError):
    """Only the leader of the stated epoch can do this."""


class TooLargeError(LocalError):
    """Something is over a named limit; nothing was done."""


class BusyError(LocalError):
    """A bounded queue is full; nothing was done, and trying again later may work."""


class RemoteError(KraftError):
    """A peer or a client misbehaved."""


class MalformedError(RemoteError):
    """Bytes are not what they claim to be."""


class CorruptError(MalformedError):
    """A checksum or a structural rule of a batch failed."""


class StorageError(KraftError):
    """A disk operation failed, or the files on disk are unusable."""


class CorruptLogError(StorageError):
    """Corruption inside data that was promised to be durable. It is never cut silently."""


class UnreadableError(StorageError):
    """The disk cannot read a file's content (EIO).

    Attributes:
        path: the file.
    """

    def __init__(self, path: str, text: str) -> None:
        super().__init__(text)
        self.path = path


class DiskFullError(StorageError):
    """No space left on the device (ENOSPC, EDQUOT).

    Attributes:
        path: what was being written; ``None`` where the text says all.
        write_bytes: how much; ``None`` where that is not known.
    """

    def __init__(self, text: str, path: str | None = None, write_bytes: int | None = None) -> None:
        super().__init__(text)
        self.path = path
        self.write_bytes = write_bytes


class SyncFailedError(StorageError):
    """An fsync failed. What reached the disk is unknown from here on, so the node must stop; never retry."""


class ApiError(KraftError):
    """A request was rejected.

    Attributes:
        code: the protocol's error code.
        message: one sentence: the value, the place, the way out; truncated to the protocol's string limit, since it can
            repeat what a client sent.
    """

    def __init__(self, code: ErrorCode, message: str) -> None:
        if len(message) > MESSAGE_CHARACTERS_MAX:
            message = f"{message[:MESSAGE_CHARACTERS_MAX]}... ({len(message)} characters)"
        super().__init__(f"{code.name}: {message}")
        self.code = code
        self.message = message
