"""Kafka's broker keys for topics' data, threads and quotas: accepted and checked, but nothing here acts on them.

kraftpy keeps metadata and no topics' data. A file that was written for Kafka is understood all the same, and a dynamic
broker config is checked as Kafka checks it, because other brokers may act on it.

Source: Kafka ``ServerLogConfigs``, ``CleanerConfig``, ``ReplicationConfigs``, ``SocketServerConfigs``,
``DynamicBrokerConfig``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kraftpy.config_keys.node_key import ActsOn, NodeKey, boolean, double, integer, items, text
from kraftpy.config_keys.rules import (
    UNLIMITED_OR_POSITIVE,
    at_least,
    between,
    minus_one_or_between,
    one_of,
    subset_of,
)
from kraftpy.config_keys.types import LONG_MAX, ValueRule

CLEANUP: Final = subset_of("compact", "delete")
COMPRESSION: Final = one_of("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer")
GZIP_LEVEL: Final = minus_one_or_between(1, 9)
LZ4_LEVEL: Final = between(1, 17)
ZSTD_LEVEL: Final = between(-131072, 22)
TIMESTAMPS: Final = one_of("CreateTime", "LogAppendTime")
SEGMENT_BYTES_MIN: Final = 1024 * 1024
"""Since Kafka 4.0. Source: KIP-1030."""

_POSITIVE, _NOT_NEGATIVE, _ANY_LIMIT = at_least(1), at_least(0), at_least(-2)


def _int(
    name: str, default: int | None, doc: str, rule: ValueRule | None = None, *, is_dynamic: bool = True
) -> NodeKey:
    return integer(name, default, ActsOn.NONE, doc, rule=rule, is_dynamic=is_dynamic)


def _long(
    name: str, default: int | None, doc: str, rule: ValueRule | None = None, *, is_dynamic: bool = True
) -> NodeKey:
    return integer(name, default, ActsOn.NONE, doc, rule=rule, is_long=True, is_dynamic=is_dynamic)


def _flag(name: str, doc: str, *, default: bool, is_dynamic: bool = False) -> NodeKey:
    return boolean(name, ActsOn.NONE, doc, default=default, is_dynamic=is_dynamic)


def _text(name: str, default: str | None, doc: str, rule: ValueRule | None = None) -> NodeKey:
    return text(name, default, ActsOn.NONE, doc, rule=rule, is_dynamic=True)


def _list(name: str, default: str, doc: str, rule: ValueRule | None = None) -> NodeKey:
    return items(name, default, ActsOn.NONE, doc, rule=rule, by_element=rule is not None, is_dynamic=True)


def _fixed(name: str, default: int, doc: str, rule: ValueRule = _POSITIVE) -> NodeKey:
    return _int(name, default, doc, rule, is_dynamic=False)


LOGS = (
    _int("compression.gzip.level", -1, "Compression level of gzip; -1 is gzip's own default.", GZIP_LEVEL),
    _int("compression.lz4.level", 9, "Compression level of lz4.", LZ4_LEVEL),
    _text("compression.type", "producer", "How records are compressed; producer keeps the codec of the producer.",
          COMPRESSION),
    _int("compression.zstd.level", 3, "Compression level of zstd.", ZSTD_LEVEL),
    _list("log.cleanup.policy", "delete", "Delete old segments, compact them by key, or both.", CLEANUP),
    _long("log.flush.interval.messages", LONG_MAX, "Records of a partition after which its log is flushed.", _POSITIVE),
    _long("log.flush.interval.ms", None, "Time after which a partition's log is flushed; not set: "
          "log.flush.scheduler.interval.ms."),
    _fixed("log.flush.offset.checkpoint.interval.ms", 60_000, "How often recovery points are stored.", _NOT_NEGATIVE),
    _int("log.index.interval.bytes", 4_096, "Bytes between two entries of an offset index.", _NOT_NEGATIVE),
    _int("log.index.size.max.bytes", 10_485_760, "Largest size of an offset index.", at_least(4)),
    _long("log.initial.task.delay.ms", 30_000, "Delay after the start before logs are cleaned and flushed.",
          _NOT_NEGATIVE, is_dynamic=False),
    _long("log.local.retention.bytes", -2, "Size of local segments kept with tiered storage; -2 is "
          "log.retention.bytes.", _ANY_LIMIT),
    _long("log.local.retention.ms", -2, "Age of local segments kept with tiered storage; -2 is log.retention.ms.",
          _ANY_LIMIT),
    _long("log.message.timestamp.after.max.ms", 3_600_000, "How far a record's timestamp may be ahead of the broker's "
          "clock.", _NOT_NEGATIVE),
    _long("log.message.timestamp.before.max.ms", LONG_MAX, "How far a record's timestamp may be below the broker's "
          "clock.", _NOT_NEGATIVE),
    _text("log.message.timestamp.type", "CreateTime", "Whether timestamps are the producer's or the broker's.",
          TIMESTAMPS),
    _flag("log.preallocate", "Allocate the whole file of a new segment.", default=False, is_dynamic=True),
    _long("log.retention.bytes", -1, "Size of a partition's log above which old segments are deleted; -1 is no limit."),
    _long("log.retention.check.interval.ms", 300_000, "How often logs are checked for segments to delete.",
          _POSITIVE, is_dynamic=False),
    _int("log.retention.hours", 168, "Age at which segments are deleted, in hours; -1 is no limit.",
         UNLIMITED_OR_POSITIVE),
    _int("log.retention.minutes", None, "Age at which segments are deleted, in minutes; not set: log.retention.hours.",
         UNLIMITED_OR_POSITIVE),
    _long("log.retention.ms", None, "Age at which segments are deleted; not set: log.retention.minutes.",
          UNLIMITED_OR_POSITIVE),
    _int("log.roll.hours", 168, "Age at which a new segment is started, in hours.", _POSITIVE),
    _int("log.roll.jitter.hours", 0, "Largest random time by which a new segment is started earlier, in hours.",
         _NOT_NEGATIVE),
    _long("log.roll.jitter.ms", None, "Largest random time by which a new segment is started earlier; not set: "
          "log.roll.jitter.hours.", _NOT_NEGATIVE),
    _long("log.roll.ms", None, "Age at which a new segment is started; not set: log.roll.hours.", _POSITIVE),
    _int("log.segment.bytes", 1_073_741_824, "Largest size of a segment.", at_least(SEGMENT_BYTES_MIN)),
    _long("log.segment.delete.delay.ms", 60_000, "Delay before the file of a removed segment is deleted.",
          _NOT_NEGATIVE),
    _int("message.max.bytes", 1_048_588, "Largest record batch that is accepted.", _NOT_NEGATIVE),
)  # fmt: skip

CLEANER = (
    _long("log.cleaner.backoff.ms", 15_000, "Pause of a cleaner thread that found nothing to clean.", _NOT_NEGATIVE),
    _long("log.cleaner.dedupe.buffer.size", 134_217_728, "Memory for deduplication of all cleaner threads, in bytes."),
    _long("log.cleaner.delete.retention.ms", 86_400_000, "How long tombstones of compacted logs are kept.",
          _NOT_NEGATIVE),
    double("log.cleaner.io.buffer.load.factor", 0.9, ActsOn.NONE, "How full a cleaner's buffer may become."),
    _int("log.cleaner.io.buffer.size", 524_288, "I/O buffers of all cleaner threads, in bytes.", _NOT_NEGATIVE),
    double("log.cleaner.io.max.bytes.per.second", None, ActsOn.NONE, "Largest I/O rate of the cleaner; not set: no "
           "limit."),
    _long("log.cleaner.max.compaction.lag.ms", LONG_MAX, "Longest time that a record stays uncompacted.", _POSITIVE),
    double("log.cleaner.min.cleanable.ratio", 0.5, ActsOn.NONE, "Ratio of uncompacted bytes from which a log is "
           "compacted.", rule=between(0, 1)),
    _long("log.cleaner.min.compaction.lag.ms", 0, "Shortest time that a record stays uncompacted.", _NOT_NEGATIVE),
    _int("log.cleaner.threads", 1, "Threads that compact logs.", _NOT_NEGATIVE),
)  # fmt: skip

REPLICATION = (
    _long("replica.lag.time.max.ms", 30_000, "Lag above which a replica leaves the ISR.", _POSITIVE, is_dynamic=False),
    _fixed("replica.fetch.wait.max.ms", 500, "How long a replica's fetch may wait at the leader.", _NOT_NEGATIVE),
    _fixed("replica.socket.timeout.ms", 30_000, "How long a replica waits for the leader's response.", _NOT_NEGATIVE),
    _fixed("replica.fetch.min.bytes", 1, "Bytes for which a replica's fetch waits.", _NOT_NEGATIVE),
    _fixed("replica.fetch.max.bytes", 1_048_576, "Bytes of one partition in a response to a replica.", _NOT_NEGATIVE),
    _fixed("replica.fetch.response.max.bytes", 10_485_760, "Bytes of a whole response to a replica.", _NOT_NEGATIVE),
    _fixed("replica.fetch.backoff.ms", 1_000, "Pause of a fetcher after an error.", _NOT_NEGATIVE),
    _long("replica.high.watermark.checkpoint.interval.ms", 5_000, "How often high watermarks are stored.",
          _NOT_NEGATIVE, is_dynamic=False),
    _long("replica.alter.log.dirs.io.max.bytes.per.second", LONG_MAX, "Largest rate of moving replicas between "
          "directories of one broker.", _NOT_NEGATIVE),
    _long("follower.replication.throttled.rate", LONG_MAX, "Largest replication rate of throttled followers.",
          _NOT_NEGATIVE),
    _long("leader.replication.throttled.rate", LONG_MAX, "Largest replication rate of throttled leaders.",
          _NOT_NEGATIVE),
    _list("follower.replication.throttled.replicas", "", "Follower replicas whose replication is throttled."),
    _list("leader.replication.throttled.replicas", "", "Leader replicas whose replication is throttled."),
    _flag("auto.create.topics.enable", "Create a topic when a client first uses it.", default=True),
    _long("unclean.leader.election.interval.ms", 300_000, "How often unclean elections are tried.", _POSITIVE,
          is_dynamic=False),
    _flag("eligible.leader.replicas.enable", "Keep eligible leader replicas; here, the feature "
          "eligible.leader.replicas.version decides.", default=False),
)  # fmt: skip

THREADS = (
    _int("background.threads", 10, "Threads for background work.", _POSITIVE),
    _int("num.io.threads", 8, "Threads that process requests.", _POSITIVE),
    _int("num.network.threads", 3, "Threads that read and write sockets, per listener.", _POSITIVE),
    _int("num.recovery.threads.per.data.dir", 2, "Threads per directory for recovery and flushing.", _POSITIVE),
    _int("num.replica.fetchers", 1, "Fetcher threads per source broker.", _POSITIVE),
    _fixed("request.timeout.ms", 30_000, "How long the node's own clients wait for a response.", _NOT_NEGATIVE),
    _fixed("socket.send.buffer.bytes", 102_400, "SO_SNDBUF of sockets; -1 is the system's default.", at_least(-1)),
    _fixed("socket.receive.buffer.bytes", 102_400, "SO_RCVBUF of sockets; -1 is the system's default.", at_least(-1)),
    _fixed("socket.request.max.bytes", 104_857_600, "Largest request. Here, each request has a limit of its own: see "
           "docs/limits.md."),
    _flag("unstable.api.versions.enable", "Allow API versions that no release has.", default=False),
    _list("metric.reporters", "", "Java classes that report metrics."),
)  # fmt: skip

COORDINATORS = (
    integer("offsets.topic.replication.factor", 3, ActsOn.NONE, "Replicas of the topic of consumer offsets.",
            rule=between(1, 2**15 - 1)),
    integer("transaction.state.log.replication.factor", 3, ActsOn.NONE, "Replicas of the topic of transactions.",
            rule=between(1, 2**15 - 1)),
    _fixed("transaction.state.log.min.isr", 2, "min.insync.replicas of the topic of transactions."),
    integer("share.coordinator.state.topic.replication.factor", 3, ActsOn.NONE, "Replicas of the topic of share "
            "groups.", rule=between(1, 2**15 - 1)),
    integer("share.coordinator.state.topic.min.isr", 2, ActsOn.NONE, "min.insync.replicas of the topic "
            "of share groups.", rule=between(1, 2**15 - 1)),
    _int("producer.id.expiration.ms", 86_400_000, "How long a partition keeps the id of a silent producer.", _POSITIVE),
    _flag("transaction.partition.verification.enable", "Verify that a partition was added to a transaction.",
          default=True, is_dynamic=True),
)  # fmt: skip

SECURITY = (
    _text("principal.builder.class", None, "Java class that makes a principal of a connection."),
    _list("sasl.kerberos.principal.to.local.rules", "DEFAULT", "Rules that map Kerberos principals to short names."),
    _list("ssl.cipher.suites", "", "Cipher suites of TLS."),
    _list("ssl.enabled.protocols", "TLSv1.2,TLSv1.3", "Versions of TLS."),
)  # fmt: skip
"""As dynamic broker configs only: in a file they are keys that ask for protection (``kraftpy.config.protection``)."""

GROUPS: Final[Mapping[str, tuple[NodeKey, ...]]] = {
    "Replication": REPLICATION,
    "Logs of topics": LOGS,
    "Log cleaner": CLEANER,
    "Threads and sockets": THREADS,
    "Coordinators": COORDINATORS,
    "Security, as dynamic broker configs": SECURITY,
}
