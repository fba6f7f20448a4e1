"""Every key a ``server.properties`` may hold: its type, default, range, which role reads it, and what it means.

One table, so that parsing, the documentation and the suggestions for misspelt keys cannot disagree. Names and defaults
are Kafka's, so that a file written for Kafka is understood; four kinds of row differ and say so: keys of our own (gRPC,
metrics, logging, guards), ``metadata.max.idle.interval.ms`` (0 here: an idle log does not grow), PEM as the only store
type, and keys that are accepted but that no part of a node acts on (``used=False``). Kafka keys that are in no row are
reported as unknown rather than swallowed.

Source: Kafka ``KRaftConfigs``, ``QuorumConfig``, ``ServerConfigs``, ``SocketServerConfigs``, ``SslConfigs``.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TypeAlias

from kraftpy.model.decimal_text import number_from_text

Value: TypeAlias = int | bool | str | tuple[str, ...] | None

INT16_MAX = 2**15 - 1
INT32_MAX = 2**31 - 1
INT64_MAX = 2**63 - 1
MEBIBYTE = 1024 * 1024
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS


class PropertyType(enum.Enum):
    """How the text of a value is read."""

    INT = "whole number"
    BOOL = "true or false"
    STRING = "text"
    LIST = "comma-separated list"
    SECRET = "secret text"  # noqa: S105 - a word for people


class PropertyReader(enum.Enum):
    """Which role of a node looks at a key."""

    BOTH = "broker and controller"
    BROKER = "broker"
    CONTROLLER = "controller"


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyKey:
    """One row of the table.

    Attributes:
        minimum, maximum: the allowed range of a whole number, both inclusive.
        choices: the allowed words, lower or upper case alike; empty when any text will do.
        used: whether any part of a node acts on the value.
    """

    name: str
    kind: PropertyType
    default: Value
    reader: PropertyReader
    doc: str
    minimum: int = 0
    maximum: int = INT32_MAX
    choices: tuple[str, ...] = ()
    used: bool = True

    @property
    def allowed(self) -> str:
        """Say in words which values are accepted."""
        if self.kind is PropertyType.INT:
            return f"{self.kind.value} from {self.minimum} to {self.maximum}"
        if self.choices:
            return "one of " + ", ".join(self.choices)
        return str(self.kind.value)


BOTH, BROKER, CONTROLLER = PropertyReader.BOTH, PropertyReader.BROKER, PropertyReader.CONTROLLER


def _int(
    name: str, default: int, reader: PropertyReader, doc: str, *, low: int = 0, high: int = INT32_MAX, used: bool = True
) -> PropertyKey:
    return PropertyKey(
        name=name, kind=PropertyType.INT, default=default, reader=reader, doc=doc, minimum=low, maximum=high, used=used
    )


def _bool(name: str, reader: PropertyReader, doc: str, *, default: bool, used: bool = True) -> PropertyKey:
    return PropertyKey(name=name, kind=PropertyType.BOOL, default=default, reader=reader, doc=doc, used=used)


def _text(
    name: str,
    default: str | None,
    reader: PropertyReader,
    doc: str,
    *,
    choices: tuple[str, ...] = (),
    used: bool = True,
) -> PropertyKey:
    return PropertyKey(
        name=name, kind=PropertyType.STRING, default=default, reader=reader, doc=doc, choices=choices, used=used
    )


def _list(name: str, default: tuple[str, ...], reader: PropertyReader, doc: str, *, used: bool = True) -> PropertyKey:
    return PropertyKey(name=name, kind=PropertyType.LIST, default=default, reader=reader, doc=doc, used=used)


def _secret(name: str, doc: str) -> PropertyKey:
    return PropertyKey(name=name, kind=PropertyType.SECRET, default=None, reader=BOTH, doc=doc)


def _unused(name: str, default: Value, doc: str = "Accepted for Kafka's sake; nothing here acts on it.") -> PropertyKey:
    match default:
        case bool():
            return _bool(name, BOTH, doc, default=default, used=False)
        case int():
            return _int(name, default, BOTH, doc, low=-1, high=INT64_MAX, used=False)
        case tuple():
            return _list(name, default, BOTH, doc, used=False)
        case _:
            return _text(name, default, BOTH, doc, used=False)


DEFAULT_PROTOCOL_MAP = tuple(f"{name}:{name}" for name in ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"))

IDENTITY = (
    _list("process.roles", (), BOTH, "What this node does: broker, controller, or both."),
    _int("node.id", -1, BOTH, "This node's id; no other node of the cluster may have it.", low=-1),
    _int("broker.id", -1, BOTH, "The older name of node.id; when both are set they must be equal.", low=-1),
    _text("broker.rack", None, BROKER, "The rack that this broker registers. No replica is placed by it yet."),
    _text("cluster.id.expected", None, BOTH, "Refuse to join any cluster but the one with this id."),
    _bool(
        "metadata.auto.format.voter",
        CONTROLLER,
        "Let a voter of a static quorum start on an empty directory. False: refuse, for a voter that lost its disk "
        "also lost its vote.",
        default=True,
    ),
    _bool(
        "controller.quorum.trust.empty.directories",
        CONTROLLER,
        "Let a voter whose directory was found empty vote at once, although other voters may hold data. If the "
        "directory was lost, acknowledged records may be lost with it: for one start only, when nothing else brings a "
        "leader back.",
        default=False,
    ),
)

QUORUM = (
    _list("controller.quorum.voters", (), BOTH, "The static quorum: id@host:port, ..."),
    _list("controller.quorum.bootstrap.servers", (), BOTH, "Where to ask for the quorum: host:port, ..."),
    _list("controller.listener.names", (), BOTH, "Listeners that carry the quorum's traffic; the first one is used."),
    _int("controller.quorum.election.timeout.ms", 1_000, BOTH, "How long a candidate waits for votes.", low=1),
    _int("controller.quorum.fetch.timeout.ms", 2_000, BOTH, "How long a silent leader is still believed in.", low=1),
    _int("controller.quorum.election.backoff.max.ms", 1_000, BOTH, "Upper bound of the pause after a lost election."),
    _int("controller.quorum.request.timeout.ms", 2_000, BOTH, "How long to wait for a peer's answer.", low=1),
    _int("controller.quorum.retry.backoff.ms", 20, BOTH, "The pause before asking a peer again."),
    _int(
        "controller.quorum.fetch.max.bytes",
        8 * MEBIBYTE,
        BOTH,
        "How many bytes of records one fetch carries at most.",
        low=1,
        high=8 * MEBIBYTE,
    ),
    _text(
        "controller.quorum.peer.identity",
        "required",
        BOTH,
        "Whether a node's certificate must name it (a URI), where the controller listener asks for certificates.",
        choices=("required", "none"),
    ),
    _bool(
        "controller.quorum.auto.join.enable",
        CONTROLLER,
        "Let a controller that is not a voter ask to become one (kraft.version 1); one that was removed does not.",
        default=False,
    ),
    _int(
        "controller.quorum.append.linger.ms",
        25,
        BOTH,
        "Batches gather while the disk is busy, not by a clock.",
        used=False,
    ),
    _unused("controller.quorum.fetch.snapshot.max.bytes", 8 * MEBIBYTE),
)

LISTENERS = (
    _list("listeners", ("PLAINTEXT://:9092",), BOTH, "Where to listen: NAME://host:port, ...; no host means all."),
    _list("advertised.listeners", (), BOTH, "What others are told to connect to; by default the listeners."),
    _list("listener.security.protocol.map", DEFAULT_PROTOCOL_MAP, BOTH, "Each listener's protocol: NAME:PROTOCOL, ..."),
    _text("inter.broker.listener.name", None, BROKER, "The listener between brokers."),
    _text("security.inter.broker.protocol", "PLAINTEXT", BROKER, "Names the listener between brokers by its protocol."),
    _int(
        "socket.request.max.bytes",
        100 * MEBIBYTE,
        BOTH,
        "The longest request read from a socket.",
        low=1_024,
        used=False,
    ),
    _int(
        "connections.max.idle.ms",
        600_000,
        BOTH,
        "An idle connection is closed after this.",
        low=1,
        high=INT64_MAX,
    ),
    _int(
        "max.connections",
        1_000,
        BOTH,
        "How many connections each listener keeps; for one more, the one of no voter that was silent for longest is "
        "closed. Kafka's default is 2147483647.",
        low=1,
    ),
    _int("max.connections.per.ip", 2**31 - 1, BOTH, "The same for connections from one address, voters' not counted."),
    _list("max.connections.per.ip.overrides", (), BOTH, "Other limits for some addresses: address:count, ..."),
    _int(
        "max.connection.creation.rate",
        2**31 - 1,
        BOTH,
        "How many connections from addresses that are no voter's each listener lets in per second; one more is closed.",
    ),
    _int(
        "queued.max.requests",
        500,
        BOTH,
        "How many requests of others than voters may wait for the node; beyond, their connections are not read.",
        low=1,
    ),
    _int(
        "queued.max.request.bytes",
        32 * MEBIBYTE,
        BOTH,
        "How many bytes of unanswered requests of others than voters a listener keeps; beyond, the connection that "
        "holds most is closed. Kafka's default is no limit.",
        low=2 * MEBIBYTE,
        high=INT64_MAX,
    ),
    _text("grpc.listener", None, BOTH, "host:port of the public API; not set means no gRPC."),
    _text("grpc.advertised.listener", None, BOTH, "host:port that clients are told to use; by default grpc.listener."),
    _text("grpc.security.protocol", "PLAINTEXT", BOTH, "How the public API is spoken.", choices=("PLAINTEXT", "SSL")),
    _int(
        "grpc.max.message.bytes",
        16 * MEBIBYTE,
        BOTH,
        "The longest message of the public API.",
        low=4_096,
        high=256 * MEBIBYTE,
    ),
    _text("metrics.listener", None, BOTH, "host:port of /metrics, /livez and /readyz over HTTP; not set means off."),
)

TLS = (
    _text("ssl.keystore.location", None, BOTH, "PEM file with this node's private key and certificate chain."),
    _secret("ssl.key.password", "Opens the private key, when it is encrypted."),
    _text("ssl.truststore.location", None, BOTH, "PEM file with the certificates of the authorities to believe."),
    _text("ssl.keystore.type", "PEM", BOTH, "PEM is the only type here (Kafka's default is JKS).", choices=("PEM",)),
    _text("ssl.truststore.type", "PEM", BOTH, "PEM is the only type here (Kafka's default is JKS).", choices=("PEM",)),
    _text(
        "ssl.client.auth",
        "none",
        BOTH,
        "Whether a peer must show a certificate.",
        choices=("required", "requested", "none"),
    ),
)

METADATA_LOG = (
    _list("log.dirs", (), BOTH, "The directories; the first holds the metadata log unless told otherwise."),
    _text("log.dir", "/tmp/kafka-logs", BOTH, "The one directory, when log.dirs is not set."),  # noqa: S108 - Kafka's
    _text("metadata.log.dir", None, BOTH, "The directory of the metadata log; by default the first of log.dirs."),
    _int("metadata.log.segment.bytes", 1_024 * MEBIBYTE, BOTH, "A segment is closed before it outgrows this.", low=12),
    _int("metadata.log.segment.min.bytes", 8 * MEBIBYTE, BOTH, "The smallest segment allowed.", low=12),
    _int("metadata.log.segment.ms", 7 * DAY_MS, BOTH, "A segment is closed at this age.", low=1, high=INT64_MAX),
    _int(
        "metadata.max.idle.interval.ms",
        0,
        CONTROLLER,
        "How often an idle leader writes a no-op; 0 never. Kafka's default is 500, which is 12 MB a day.",
    ),
    _int(
        "metadata.max.retention.bytes",
        100 * MEBIBYTE,
        BOTH,
        "Log and snapshots kept, by size; -1 without limit.",
        low=-1,
        high=INT64_MAX,
    ),
    _int(
        "metadata.max.retention.ms",
        7 * DAY_MS,
        BOTH,
        "Log and snapshots kept, by age; -1 without limit.",
        low=-1,
        high=INT64_MAX,
    ),
    _int(
        "metadata.log.max.record.bytes.between.snapshots",
        20 * MEBIBYTE,
        BOTH,
        "A snapshot is made after this many new bytes of records.",
        low=1,
        high=INT64_MAX,
    ),
    _int(
        "metadata.log.max.snapshot.interval.ms",
        HOUR_MS,
        BOTH,
        "A snapshot is made at this age; 0 turns it off.",
        high=INT64_MAX,
    ),
    _int(
        "metadata.log.state.digest.interval.ms",
        10_000,
        BOTH,
        "How often, by the clock of the log, nodes compare digests of their state; 0 never. Less often for a large "
        "state. All nodes need the same, or one that is twice as long: they compare what they have in common.",
    ),
    _bool(
        "storage.truncate.corrupt.tail",
        BOTH,
        "Cut a damaged tail of the log that may have been promised to others. False: do not.",
        default=False,
    ),
    _bool(
        "metadata.log.repair.from.peers",
        BOTH,
        "Set a damaged log aside, whole, and fetch everything anew from the other nodes; until then a voter's vote "
        "does not count. False: refuse to start. A voter that is the only one always refuses.",
        default=True,
    ),
)

BROKER_LIFE = (
    _int("broker.heartbeat.interval.ms", 2_000, BROKER, "How often a broker reports to the controller.", low=1),
    _int("broker.session.timeout.ms", 9_000, BOTH, "A broker that is silent this long is fenced.", low=1),
    _int("initial.broker.registration.timeout.ms", MINUTE_MS, BROKER, "How long registering may take.", low=1),
    _int("server.max.startup.time.ms", INT64_MAX, BOTH, "How long starting may take.", low=1, high=INT64_MAX),
    _bool("controlled.shutdown.enable", BROKER, "Ask the controller before leaving.", default=True),
    _int(
        "log.dir.failure.timeout.ms",
        30_000,
        BROKER,
        "A failed directory that the controller was not told of in this time stops the broker.",
        low=1,
    ),
    _int(
        "replica.lag.time.max.ms",
        30_000,
        BROKER,
        "A replica this far behind leaves the ISR.",
        low=1,
        high=INT64_MAX,
        used=False,
    ),
    _int("replica.fetch.wait.max.ms", 500, BROKER, "How long a replica's fetch may wait at the leader.", used=False),
    _int("replica.socket.timeout.ms", 30_000, BROKER, "How long a replica waits for its leader's answer.", used=False),
    _int("num.partitions", 1, BOTH, "Partitions of a topic when nobody says.", low=1, used=False),
    _int(
        "default.replication.factor",
        1,
        BOTH,
        "Replicas of a partition when nobody says.",
        low=1,
        high=INT16_MAX,
        used=False,
    ),
    _int("min.insync.replicas", 1, BOTH, "The ISR below which a partition refuses writes.", low=1),
    _bool(
        "unclean.leader.election.enable",
        BOTH,
        "Let a replica lead that may lack acknowledged data.",
        default=False,
        used=False,
    ),
)

LOGGING = (
    _text(
        "log.level",
        "info",
        BOTH,
        "The least important level that is logged.",
        choices=("debug", "info", "warning", "error"),
    ),
    _text("log.format", "console", BOTH, "Lines for people or one JSON object a line.", choices=("console", "json")),
)

FEATURES = (
    _text("inter.broker.protocol.version", None, BOTH, "Formatting uses it as the release when none is given."),
    _bool("unstable.feature.versions.enable", BOTH, "Allow feature levels that no release has.", default=False),
)

# Keys that ask for protection are not here: kraftpy.config.protection refuses what is not acted on.
UNUSED_DEFAULTS: dict[str, Value] = {
    "auto.create.topics.enable": True,
    "delete.topic.enable": True,
    "auto.leader.rebalance.enable": True,
    "leader.imbalance.check.interval.seconds": 300,
    "leader.imbalance.per.broker.percentage": 10,
    "unclean.leader.election.interval.ms": 300_000,
    "eligible.leader.replicas.enable": False,
    "replica.fetch.min.bytes": 1,
    "replica.fetch.max.bytes": MEBIBYTE,
    "replica.fetch.response.max.bytes": 10 * MEBIBYTE,
    "replica.fetch.backoff.ms": 1_000,
    "replica.high.watermark.checkpoint.interval.ms": 5_000,
    "num.replica.fetchers": 1,
    "log.retention.bytes": -1,
    "log.retention.ms": None,
    "log.retention.hours": 168,
    "log.retention.check.interval.ms": 300_000,
    "log.segment.bytes": 1_024 * MEBIBYTE,
    "log.segment.delete.delay.ms": 60_000,
    "num.recovery.threads.per.data.dir": 2,
    "log.flush.offset.checkpoint.interval.ms": 60_000,
    "log.initial.task.delay.ms": 30_000,
    "num.io.threads": 8,
    "num.network.threads": 3,
    "background.threads": 10,
    "request.timeout.ms": 30_000,
    "socket.send.buffer.bytes": 102_400,
    "socket.receive.buffer.bytes": 102_400,
    "controller.quota.window.num": 11,
    "controller.quota.window.size.seconds": 1,
    "broker.id.generation.enable": True,
    "reserved.broker.max.id": 1_000,
    "unstable.api.versions.enable": False,
    "offsets.topic.replication.factor": 3,
    "transaction.state.log.replication.factor": 3,
    "transaction.state.log.min.isr": 2,
    "group.initial.rebalance.delay.ms": 3_000,
    "share.coordinator.state.topic.replication.factor": 3,
    "share.coordinator.state.topic.min.isr": 2,
}

UNUSED = tuple(_unused(name, default) for name, default in UNUSED_DEFAULTS.items())

KEYS: tuple[PropertyKey, ...] = (
    *IDENTITY,
    *QUORUM,
    *LISTENERS,
    *TLS,
    *METADATA_LOG,
    *BROKER_LIFE,
    *LOGGING,
    *FEATURES,
    *UNUSED,
)
BY_NAME: dict[str, PropertyKey] = {key.name: key for key in KEYS}

LISTENER_PREFIX = "listener.name."
"""How Kafka's settings of one listener begin (``listener.name.<name>.ssl...``)."""


def parse_value(key: PropertyKey, text: str) -> Value:
    """Read the text of a value as its key's type.

    Raises:
        ValueError: when it is not of that type or out of range; the message says what is wrong, not which key it is.
    """
    text = text.strip()
    if key.kind is PropertyType.INT:
        return _parse_int(key, text)
    if key.kind is PropertyType.BOOL:
        return _parse_bool(text)
    if key.kind is PropertyType.LIST:
        return tuple(item.strip() for item in text.split(",") if item.strip())
    if key.kind is PropertyType.SECRET:
        return text
    return _parse_word(key, text)


def _parse_int(key: PropertyKey, text: str) -> int:
    digits = text[1:] if text[:1] in {"-", "+"} else text
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError("is not a whole number")
    magnitude = number_from_text(digits, INT64_MAX)
    value = magnitude if magnitude is None or text[:1] != "-" else -magnitude
    if value is None or not key.minimum <= value <= key.maximum:
        is_small = text[:1] == "-" if value is None else value < key.minimum
        raise ValueError("is too small" if is_small else "is too large")
    return value


def _parse_bool(text: str) -> bool:
    if text.lower() not in {"true", "false"}:
        raise ValueError("is neither true nor false")
    return text.lower() == "true"


def _parse_word(key: PropertyKey, text: str) -> str | None:
    if not text:
        return key.default if isinstance(key.default, str) else None
    if not key.choices:
        return text
    for choice in key.choices:
        if choice.lower() == text.lower():
            return choice
    raise ValueError("is not one of the allowed words")
