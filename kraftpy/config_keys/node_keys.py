"""The keys that kraftpy acts on, and Kafka's keys beside them that it does not.

Names and defaults are Kafka's, so that a file written for Kafka is understood. Rows that differ: keys of kraftpy's own
(``is_kafkas=False``), ``metadata.max.idle.interval.ms`` and the limits of listeners (another default, which the
description names), and PEM as the only store type. A Kafka key that is in no row is reported as unknown.

Source: Kafka ``KRaftConfigs``, ``QuorumConfig``, ``ServerConfigs``, ``SocketServerConfigs``, ``SslConfigs``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kraftpy.config_keys.connection_overrides import overrides_fault
from kraftpy.config_keys.node_key import ActsOn, Effect, NodeKey, boolean, integer, items, secret, text
from kraftpy.config_keys.rules import Check, at_least, between, one_of
from kraftpy.config_keys.types import INT_MAX, LONG_MAX

MEBIBYTE: Final = 1024 * 1024
MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS
DAY_MS: Final = 24 * HOUR_MS

DEFAULT_PROTOCOL_MAP: Final = ",".join(f"{name}:{name}" for name in ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"))

_BOTH, _BROKER, _CONTROLLER, _NOTHING = ActsOn.BOTH, ActsOn.BROKER, ActsOn.CONTROLLER, ActsOn.NONE
_POSITIVE, _NOT_NEGATIVE, _MINUS_ONE_UP = at_least(1), at_least(0), at_least(-1)
_RELOAD, _DYNAMIC, _DYNAMIC_AND_RELOAD = Effect.RELOAD, Effect.DYNAMIC, Effect.DYNAMIC_AND_RELOAD

IDENTITY = (
    items("process.roles", "", _BOTH, "Roles of this node: broker, controller, or both."),
    integer("node.id", -1, _BOTH, "Id of this node; unique in the cluster. A broker without one takes "
            "the id of its directories, or asks the controllers for one (docs/kip-426.md).", rule=_MINUS_ONE_UP),
    integer("broker.id", -1, _BOTH, "Older name of node.id; when both are set they must be equal.", rule=_MINUS_ONE_UP),
    boolean("broker.id.generation.enable", _CONTROLLER, "Whether a broker without node.id gets a new id when its host "
            "had none (metadata.version 41; Kafka does this with ZooKeeper only).", default=True),
    integer("reserved.broker.max.id", 1_000, _CONTROLLER, "Largest id that is not generated.", rule=_NOT_NEGATIVE),
    boolean("broker.id.recovery.enable", _CONTROLLER, "Whether a broker without node.id gets the id back that its "
            "host had (KIP-426, metadata.version 41).", default=True, is_kafkas=False),
    boolean("broker.id.recovery.missing.enable", _CONTROLLER, "Whether such a broker, when its host had no id, "
            "gets the only id that has replicas and whose broker is not running. A new broker that starts while "
            "another one restarts would take that one's id.", default=False, is_kafkas=False),
    text("broker.id.recovery.host", None, _BROKER, "What the id of this broker is remembered by. Not set: the host "
         "name. Set it where host names change, or where several brokers share a host.", is_kafkas=False),
    text("broker.rack", None, _BROKER, "Rack that this broker registers."),
    text("cluster.id.expected", None, _BOTH, "The only cluster id that this node accepts. Not set: a node without an "
         "id adopts the id that it discovers.", is_kafkas=False),
    boolean("metadata.auto.format.voter", _CONTROLLER, "Whether a voter of a static quorum starts on an empty "
            "directory. A voter that lost its disk lost its vote, too: set false where that must be noticed.",
            default=True, is_kafkas=False),
    boolean("controller.quorum.trust.empty.directories", _CONTROLLER, "Whether a voter whose directory was found empty "
            "votes at once, although other voters may hold data. If the directory was lost, acknowledged records may "
            "be lost. For one start only, when nothing else gives the quorum a leader.", default=False,
            is_kafkas=False),
)  # fmt: skip

QUORUM = (
    items("controller.quorum.voters", "", _BOTH, "Voters of a static quorum: id@host:port, comma-separated."),
    items("controller.quorum.bootstrap.servers", "", _BOTH, "Endpoints from which the quorum is discovered: host:port, "
          "comma-separated."),
    items("controller.listener.names", "", _BOTH, "Listeners that serve the quorum. A controller opens all of them; "
          "every node connects to the controllers at the first."),
    integer("controller.quorum.election.timeout.ms", 1_000, _BOTH, "How long a candidate waits for votes.",
            rule=_POSITIVE),
    integer("controller.quorum.fetch.timeout.ms", 2_000, _BOTH, "Time without a successful fetch from the leader after "
            "which a voter starts an election.", rule=_POSITIVE),
    integer("controller.quorum.election.backoff.max.ms", 1_000, _BOTH, "Largest pause after a lost election.",
            rule=_NOT_NEGATIVE),
    integer("controller.quorum.request.timeout.ms", 2_000, _BOTH, "How long to wait for a response of a peer.",
            rule=_POSITIVE),
    integer("controller.quorum.retry.backoff.ms", 20, _BOTH, "Pause before a request to a peer is repeated.",
            rule=_NOT_NEGATIVE),
    integer("controller.quorum.fetch.max.bytes", 8 * MEBIBYTE, _BOTH, "Largest size of the records in one fetch "
            "response.", rule=between(1, 8 * MEBIBYTE)),
    integer("controller.quorum.fetch.snapshot.max.bytes", 8 * MEBIBYTE, _NOTHING, "Largest size of one piece of a "
            "snapshot; here, a constant.", rule=_POSITIVE),
    text("controller.quorum.peer.identity", "required", _BOTH, "Whether the certificate of a node must name it (in a "
         "URI), at each controller listener that asks for certificates.", rule=one_of("required", "none"),
         is_kafkas=False),
    boolean("controller.quorum.auto.join.enable", _CONTROLLER, "Whether a controller that is no voter adds itself to "
            "the voters (kraft.version 1). A removed voter does not add itself again.", default=False),
    integer("controller.quorum.append.linger.ms", 25, _NOTHING, "How long a leader gathers records for a batch. Here, "
            "batches grow while the disk is busy.", rule=_NOT_NEGATIVE),
)  # fmt: skip

LISTENERS = (
    items("listeners", "PLAINTEXT://:9092", _BOTH, "Addresses to listen on: NAME://host:port, comma-separated. An "
          "empty host is every address of the machine."),
    items("advertised.listeners", "", _BOTH, "Addresses that other nodes and clients connect to. Not set: those of "
          "listeners."),
    items("listener.security.protocol.map", DEFAULT_PROTOCOL_MAP, _BOTH, "Protocol of each listener: NAME:PROTOCOL, "
          "comma-separated."),
    text("inter.broker.listener.name", None, _BROKER, "The listener between brokers."),
    text("security.inter.broker.protocol", "PLAINTEXT", _BROKER, "The listener between brokers, by its protocol."),
    integer("connections.max.idle.ms", 600_000, _BOTH, "Time after which an idle connection is closed.",
            rule=_POSITIVE, is_long=True, effect=_RELOAD),
    integer("max.connections", 1_000, _BOTH, "Largest number of connections of a listener. One more closes the "
            "connection that was idle longest and is no voter's. 0 is rejected in a file. Kafka's default is "
            "2147483647.", rule=_NOT_NEGATIVE, is_dynamic=True, effect=_DYNAMIC_AND_RELOAD),
    integer("max.connections.per.ip", INT_MAX, _BOTH, "Largest number of connections from one address. Those of "
            "voters do not count.", rule=_NOT_NEGATIVE, is_dynamic=True, effect=_DYNAMIC_AND_RELOAD),
    text("max.connections.per.ip.overrides", "", _BOTH, "Other limits for single addresses: address:count, "
         "comma-separated.", rule=Check("address:count, comma-separated", overrides_fault), is_dynamic=True,
         effect=_DYNAMIC_AND_RELOAD),
    integer("max.connection.creation.rate", INT_MAX, _BOTH, "Largest number of new connections per second and "
            "listener. Further ones are closed. Those of voters do not count.", rule=_NOT_NEGATIVE, is_dynamic=True,
            effect=_DYNAMIC_AND_RELOAD),
    integer("queued.max.requests", 500, _BOTH, "Largest number of requests that wait for the node. Above it, "
            "connections are not read. Requests of voters do not count.", rule=_POSITIVE, effect=_RELOAD),
    integer("queued.max.request.bytes", 32 * MEBIBYTE, _BOTH, "Largest size of the requests of a listener without a "
            "response. Above it, the connection that holds most is closed. Requests of voters do not count. Kafka's "
            "default is no limit (-1).", rule=at_least(2 * MEBIBYTE), is_long=True, effect=_RELOAD),
    text("grpc.listener", None, _BOTH, "Address of the public API: host:port. Not set: no public API.",
         is_kafkas=False),
    text("grpc.advertised.listener", None, _BOTH, "Address of the public API that clients connect to: host:port. Not "
         "set: that of grpc.listener.", is_kafkas=False),
    text("grpc.security.protocol", "PLAINTEXT", _BOTH, "Protocol of the public API. listener.security.protocol.map may "
         "name it, too, as that of the listener GRPC.",
         rule=one_of("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"), is_kafkas=False),
    integer("grpc.max.message.bytes", 16 * MEBIBYTE, _BOTH, "Largest message of the public API.",
            rule=between(4_096, 256 * MEBIBYTE), is_kafkas=False),
    text("metrics.listener", None, _BOTH, "Address of /metrics, /livez, /readyz and the status page over HTTP: "
         "host:port. Not set: off.", is_kafkas=False),
    boolean("status.page.enable", _BOTH, "Whether the metrics listener has a status page, which shows who changed "
            "what, too.", default=True, is_kafkas=False),
    boolean("tracing.enable", _BOTH, "Whether spans of gRPC calls are exported over OTLP (docs/tracing.md). The "
            "environment says where to: OTEL_EXPORTER_OTLP_ENDPOINT.", default=False, is_kafkas=False),
)  # fmt: skip

TLS = (
    text("ssl.keystore.location", None, _BOTH, "PEM file with the private key and the certificate chain of this node."),
    secret("ssl.key.password", _BOTH, "Password of the private key, when it is encrypted."),
    text("ssl.truststore.location", None, _BOTH, "PEM file with the certificates of trusted authorities."),
    text("ssl.keystore.type", "PEM", _BOTH, "Type of the key store; only PEM exists here. Kafka's default is JKS.",
         rule=one_of("PEM")),
    text("ssl.truststore.type", "PEM", _BOTH, "Type of the trust store; only PEM exists here. Kafka's default is JKS.",
         rule=one_of("PEM")),
    text("ssl.client.auth", "none", _BOTH, "Whether a client must present a certificate.",
         rule=one_of("required", "requested", "none")),
)  # fmt: skip

SASL = (
    items("sasl.enabled.mechanisms", "GSSAPI", _BOTH, "Mechanisms that a listener offers: PLAIN, SCRAM-SHA-256, "
          "SCRAM-SHA-512, OAUTHBEARER. Kafka's default does not exist here.", is_dynamic=True),
    text("sasl.mechanism.controller.protocol", "GSSAPI", _BOTH, "Mechanism by which this node authenticates itself to "
         "the quorum."),
    text("sasl.mechanism.inter.broker.protocol", "GSSAPI", _NOTHING, "Mechanism between brokers; kraftpy's brokers do "
         "not connect to each other."),
    secret("sasl.jaas.config", _BOTH, "Login line of one mechanism of one listener: "
           "listener.name.<listener>.<mechanism>.sasl.jaas.config (docs/sasl.md). Without both it is rejected."),
    integer("sasl.server.max.receive.size", 524_288, _BOTH, "Longest frame of a peer that is not authenticated.",
            rule=between(1_024, 2 * MEBIBYTE)),
    integer("connections.max.reauth.ms", 0, _BOTH, "How long a session lasts before it must be authenticated again; 0: "
            "as long as the connection, or the credentials.", rule=_NOT_NEGATIVE, is_long=True),
    integer("connection.failed.authentication.delay.ms", 100, _BOTH, "How long a failed authentication waits for its "
            "answer.", rule=_NOT_NEGATIVE),
    text("sasl.oauthbearer.jwks.endpoint.url", None, _BOTH, "JSON Web Key Set that tokens are checked with: https:// "
         "or file://."),
    items("sasl.oauthbearer.expected.audience", "", _BOTH, "Audiences of which a token must name one. Not set: any."),
    text("sasl.oauthbearer.expected.issuer", None, _BOTH, "Issuer that a token must name. Not set: any."),
    text("sasl.oauthbearer.sub.claim.name", "sub", _BOTH, "Claim of a token that names the principal."),
    text("sasl.oauthbearer.scope.claim.name", "scope", _NOTHING, "Claim of a token with its scopes; no permission "
         "follows from them, as in Kafka."),
    integer("sasl.oauthbearer.clock.skew.seconds", 30, _BOTH, "How far the clock of the authorization server may be "
            "from this one's.", rule=_NOT_NEGATIVE),
    integer("sasl.oauthbearer.jwks.endpoint.refresh.ms", HOUR_MS, _BOTH, "How often the key set is read again.",
            rule=at_least(1_000), is_long=True),
    integer("sasl.oauthbearer.jwks.endpoint.retry.backoff.ms", 100, _BOTH, "First pause after the key set could not be "
            "read.", rule=_POSITIVE, is_long=True),
    integer("sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms", 10_000, _BOTH, "Longest pause after that.",
            rule=_POSITIVE, is_long=True),
    text("sasl.oauthbearer.token.endpoint.url", None, _BOTH, "File with the token by which this node authenticates "
         "itself to the quorum: file:///path. It is read at each connection."),
    text("sasl.server.callback.handler.class", None, _NOTHING, "Java class that checks credentials; only that of "
         "Kafka's for OAUTHBEARER, whose checks are made here, is accepted."),
    text("sasl.login.callback.handler.class", None, _NOTHING, "Java class that gets credentials; as above."),
)  # fmt: skip

AUTHORIZATION = (
    text("authorizer.class.name", "", _BOTH, "The authorizer; empty: every client may use all that a listener offers. "
         "The one that exists is org.apache.kafka.metadata.authorizer.StandardAuthorizer."),
    text("super.users", "", _BOTH, "Principals that may do everything, separated by semicolons: User:CN=admin;..."),
    boolean("allow.everyone.if.no.acl.found", _BOTH, "Whether everyone may use a resource that no access control entry "
            "is about.", default=False),
    text("ssl.principal.mapping.rules", "DEFAULT", _BOTH, "Rules that map the distinguished name of a certificate to "
         "the name of a principal: RULE:^CN=(.*?),.*$/$1/L, DEFAULT."),
    text("create.topic.policy.class.name", "", _CONTROLLER, "A class of Python, as package.module:Class, that is asked "
         "about each new topic; see docs/policies.md. Empty: every valid topic is created."),
    text("alter.config.policy.class.name", "", _CONTROLLER, "A class of Python, as package.module:Class, that is asked "
         "about each resource whose configs are altered. Empty: every valid config is set."),
    secret("delegation.token.secret.key", _CONTROLLER, "Key with which the HMACs of delegation tokens are made; the "
           "same at every controller, and at Kafka's brokers. Not set: there are no tokens."),
    integer("delegation.token.max.lifetime.ms", 7 * DAY_MS, _CONTROLLER, "How long a token may be renewed at most.",
            rule=_POSITIVE, is_long=True),
    integer("delegation.token.expiry.time.ms", DAY_MS, _CONTROLLER, "How long a token is valid without a renewal at "
            "most.", rule=_POSITIVE, is_long=True),
    integer("delegation.token.expiry.check.interval.ms", HOUR_MS, _CONTROLLER, "How often expired tokens are removed.",
            rule=_POSITIVE, is_long=True),
)  # fmt: skip

QUOTAS = (
    integer("controller.quota.window.num", 11, _CONTROLLER, "With the next key: how many seconds of its "
            "controller_mutation_rate a client may use at once.", rule=_POSITIVE),
    integer("controller.quota.window.size.seconds", 1, _CONTROLLER, "Length of one of these samples.", rule=_POSITIVE),
    integer("quota.window.num", 11, _CONTROLLER, "Samples over which the request time of a client is measured "
            "(request_percentage). Kafka has no largest value.", rule=between(1, 100)),
    integer("quota.window.size.seconds", 1, _CONTROLLER, "Length of one of these samples, and longest time that a "
            "client waits for its request time.", rule=_POSITIVE),
)  # fmt: skip

METADATA_LOG = (
    items("log.dirs", "", _BOTH, "Data directories. The first has the metadata log unless metadata.log.dir is set."),
    text("log.dir", "/tmp/kafka-logs", _BOTH, "The only data directory, when log.dirs is not set."),  # noqa: S108 - Kafka's
    text("metadata.log.dir", None, _BOTH, "Directory of the metadata log. Not set: the first of log.dirs."),
    integer("metadata.log.segment.bytes", 1_024 * MEBIBYTE, _BOTH, "Largest size of a segment.", rule=at_least(12)),
    integer("metadata.log.segment.min.bytes", 8 * MEBIBYTE, _BOTH, "Smallest allowed metadata.log.segment.bytes.",
            rule=at_least(12)),
    integer("metadata.log.segment.ms", 7 * DAY_MS, _BOTH, "Age at which a new segment is started.", rule=_POSITIVE,
            is_long=True),
    integer("metadata.max.idle.interval.ms", 0, _CONTROLLER, "How often an idle leader writes a no-op record; 0 is "
            "never. Kafka's default is 500, which is 12 MB per day.", rule=_NOT_NEGATIVE),
    integer("metadata.max.retention.bytes", 100 * MEBIBYTE, _BOTH, "Size of log and snapshots above which old ones are "
            "deleted; -1 is no limit.", rule=_MINUS_ONE_UP, is_long=True, effect=_RELOAD),
    integer("metadata.max.retention.ms", 7 * DAY_MS, _BOTH, "Age above which segments and snapshots are deleted; -1 is "
            "no limit.", rule=_MINUS_ONE_UP, is_long=True, effect=_RELOAD),
    integer("metadata.log.max.record.bytes.between.snapshots", 20 * MEBIBYTE, _BOTH, "Size of new records after which "
            "a snapshot is written.", rule=_POSITIVE, is_long=True, effect=_RELOAD),
    integer("metadata.log.max.snapshot.interval.ms", HOUR_MS, _BOTH, "Time after which a snapshot is written if there "
            "are new records; 0 is never.", rule=_NOT_NEGATIVE, is_long=True, effect=_RELOAD),
    integer("metadata.log.state.digest.interval.ms", 10_000, _BOTH, "How often, by the timestamps of the log, nodes "
            "compare digests of their state; 0 is never. Use a longer interval for a large state. All nodes need the "
            "same value, or twice the value: they compare the digests that they have in common.", rule=_NOT_NEGATIVE,
            is_kafkas=False),
    boolean("metadata.log.authors.enable", _CONTROLLER, "Whether the records of an administrative change name its "
            "principal, client id and request id, in a tagged field that Kafka skips (docs/records.md). Set false "
            "while nodes of a version without this key run: they write no snapshot of such a log.", default=True,
            is_kafkas=False),
    boolean("storage.truncate.corrupt.tail", _BOTH, "Whether a corrupt tail of the log is cut off although its records "
            "may have been acknowledged.", default=False, is_kafkas=False),
    boolean("metadata.log.repair.from.peers", _BOTH, "Whether a corrupt log is quarantined and re-replicated from the "
            "other voters; meanwhile this voter's vote does not count. False: refuse to start. The only voter always "
            "refuses.", default=True, is_kafkas=False),
    boolean("metadata.log.slow.disk.handover", _CONTROLLER, "Whether a leader whose disk has been slower than those of "
            "the others for long hands the leadership to one of them.", default=True, is_kafkas=False),
    integer("metadata.log.alarm.free.bytes", -1, _CONTROLLER, "With less free space where its metadata log is, a "
            "controller refuses what makes the state larger, until there is more again; -1 is the smaller of 64 MiB "
            "and a twentieth of the disk, 0 is never.", rule=_MINUS_ONE_UP, is_long=True, is_kafkas=False,
            effect=_RELOAD),
    integer("metadata.log.reserve.bytes", -1, _CONTROLLER, "Size of the reserve of the metadata log: a file of random "
            "bytes, removed when the disk is full, so that the controller can go on, and end in order; -1 is the "
            "smaller of 16 MiB and a 64th of the disk, 0 is none.", rule=_MINUS_ONE_UP, is_long=True,
            is_kafkas=False),
    boolean("metadata.log.disk.probe", _CONTROLLER, "Whether a controller measures at its start how long the disk of "
            "its metadata log takes for an fsync.", default=True, is_kafkas=False),
)  # fmt: skip

BROKER_LIFECYCLE = (
    integer("broker.heartbeat.interval.ms", 2_000, _BROKER, "How often a broker sends a heartbeat.", rule=_POSITIVE),
    integer("broker.session.timeout.ms", 9_000, _BOTH, "Time without a heartbeat after which a broker is fenced.",
            rule=_POSITIVE),
    integer("initial.broker.registration.timeout.ms", MINUTE_MS, _BROKER, "How long the first registration may take.",
            rule=_POSITIVE),
    integer("server.max.startup.time.ms", LONG_MAX, _BOTH, "How long the start may take.", rule=_POSITIVE,
            is_long=True),
    boolean("controlled.shutdown.enable", _BROKER, "Whether a broker asks the controller to move leadership away "
            "before it stops.", default=True),
    integer("log.dir.failure.timeout.ms", 30_000, _BROKER, "A broker stops when the controller did not learn of a "
            "failed directory within this time.", rule=_POSITIVE, is_long=True),
    integer("log.dir.reserve.bytes", 40 * MEBIBYTE, _BROKER, "Size of the reserve in each log directory: a file of "
            "random bytes, removed when the directory is full, so that topics can be deleted; 0 is none.",
            rule=_NOT_NEGATIVE, is_long=True, is_kafkas=False),
    integer("log.dir.check.interval.ms", 5_000, _BROKER, "How often a broker writes a small file to each log "
            "directory, to find out whether it is full or broken; 0 is never.", rule=_NOT_NEGATIVE, is_long=True,
            is_kafkas=False),
    integer("log.dir.saturated.free.bytes", 0, _BROKER, "A log directory with less free space is full, before a write "
            "fails; 0 is when a write fails.", rule=_NOT_NEGATIVE, is_long=True, is_kafkas=False, effect=_RELOAD),
    integer("log.dir.recovery.free.bytes", -1, _BROKER, "A full log directory is online again when it has this much "
            "free space beside its reserve. Choose several times log.dir.saturated.free.bytes. -1: after a restart of "
            "the broker.", rule=_MINUS_ONE_UP, is_long=True, is_kafkas=False, effect=_RELOAD),
    boolean("log.dir.saturated.on.quota", _BROKER, "Whether a log directory is full when the disk quota of the user is "
            "used up (EDQUOT). False: it fails.", default=False, is_kafkas=False),
    boolean("log.dir.start.saturated", _BROKER, "Whether a broker starts with a log directory that has no space for "
            "its reserve. False: it does not start.", default=False, is_kafkas=False),
    items("cordoned.log.dirs", "", _BROKER, "Log directories that get no new replicas; * is all of them.",
          is_dynamic=True, effect=_DYNAMIC),
    boolean("auto.leader.rebalance.enable", _CONTROLLER, "Whether leadership moves back to preferred replicas by "
            "itself, periodically and at most 1,000 partitions a second.", default=True),
    integer("leader.imbalance.check.interval.seconds", 300, _CONTROLLER, "How often the controller looks for leaders "
            "to move back, and for partitions that an unclean election would bring back.",
            rule=_POSITIVE, is_long=True),
    integer("leader.imbalance.per.broker.percentage", 10, _CONTROLLER, "Of the partitions that prefer a broker, the "
            "percentage that others may lead before it gets them back; 0 moves every leader back.", rule=_NOT_NEGATIVE),
    integer("num.partitions", 1, _CONTROLLER, "Partitions of a topic whose creator names no number.", rule=_POSITIVE),
    integer("default.replication.factor", 1, _CONTROLLER, "Replicas of a partition whose creator names no number.",
            rule=between(1, 2**15 - 1)),
    boolean("delete.topic.enable", _CONTROLLER, "Allow the deletion of topics.", default=True),
    boolean("remote.log.storage.system.enable", _CONTROLLER, "Allow topics with tiered storage: whether the brokers "
            "have it.", default=False),
    text("replica.placer", "striped", _CONTROLLER, "Which placer chooses the brokers of new partitions: Kafka's, or "
         "that of KIP-36.", rule=one_of("striped", "kip36"), is_kafkas=False),
    boolean("unclean.leader.election.enable", _CONTROLLER, "Allow a replica to lead that may lack acknowledged "
            "records, where neither the topic nor the cluster's default decides.", default=False, is_dynamic=True,
            effect=_DYNAMIC),
    integer("min.insync.replicas", 1, _BOTH, "Size of the ISR below which a partition rejects writes.", rule=_POSITIVE,
            is_dynamic=True, effect=_DYNAMIC),
)  # fmt: skip

LOGGING = (
    text("log.level", "info", _BOTH, "Lowest level that is logged.", rule=one_of("debug", "info", "warning", "error"),
         is_dynamic=True, is_kafkas=False, effect=_DYNAMIC_AND_RELOAD),
    text("log.format", "console", _BOTH, "Format of log lines: text, or one JSON object per line.",
         rule=one_of("console", "json"), is_kafkas=False),
)  # fmt: skip

FEATURES = (
    text("inter.broker.protocol.version", None, _BOTH, "Release for which storage format formats when no release is "
         "given."),
    boolean("unstable.feature.versions.enable", _BOTH, "Whether feature levels are allowed that no release has.",
            default=False),
)  # fmt: skip

GROUPS: Final[Mapping[str, tuple[NodeKey, ...]]] = {
    "Identity": IDENTITY,
    "Quorum": QUORUM,
    "Listeners": LISTENERS,
    "TLS": TLS,
    "SASL": SASL,
    "Authorization": AUTHORIZATION,
    "Quotas": QUOTAS,
    "Metadata log": METADATA_LOG,
    "Broker lifecycle": BROKER_LIFECYCLE,
    "Logging": LOGGING,
    "Features": FEATURES,
}
