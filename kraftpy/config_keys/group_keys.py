"""Kafka's keys for groups: the bounds by which a controller judges groups' configs, and what brokers act on alone.

Source: Kafka ``GroupCoordinatorConfig``, ``ShareGroupConfig``; KIP-848, KIP-932, KIP-1071.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from kraftpy.config_keys.node_key import ActsOn, NodeKey, integer, items, text
from kraftpy.config_keys.rules import at_least, between, subset_of
from kraftpy.config_keys.types import INT_MAX, ValueRule

GROUP_KINDS: Final = ("consumer", "share", "streams")

SHARE_ASSIGNORS: Final = "group.share.assignors"
SHARE_SESSIONS_MAX: Final = "group.share.max.share.sessions"
SHARE_SIZE_MAX: Final = "group.share.max.size"

DYNAMIC: Final = frozenset(f"group.{kind}.assignment.interval.ms" for kind in GROUP_KINDS)

_POSITIVE, _NOT_NEGATIVE = at_least(1), at_least(0)


class BoundedKey(NamedTuple):
    """A config of groups, and the names of the nodes' keys that say its default and what is allowed.

    Attributes:
        name: of the config, as ``consumer.session.timeout.ms``.
        default: the key of its default.
        low: the key of its least value; ``None`` where there is none.
        high: the key of its largest value.
    """

    name: str
    default: str
    low: str | None
    high: str


def _bounded(name: str) -> BoundedKey:
    kind, _, rest = name.partition(".")
    return BoundedKey(name, f"group.{name}", f"group.{kind}.min.{rest}", f"group.{kind}.max.{rest}")


BOUNDED_KEYS: Final = (
    _bounded("consumer.heartbeat.interval.ms"),
    _bounded("consumer.session.timeout.ms"),
    _bounded("consumer.assignment.interval.ms"),
    _bounded("share.heartbeat.interval.ms"),
    _bounded("share.session.timeout.ms"),
    _bounded("share.record.lock.duration.ms"),
    _bounded("share.delivery.count.limit"),
    _bounded("share.partition.max.record.locks"),
    _bounded("share.assignment.interval.ms"),
    _bounded("streams.heartbeat.interval.ms"),
    _bounded("streams.session.timeout.ms"),
    BoundedKey(
        "streams.num.standby.replicas",
        "group.streams.num.standby.replicas",
        None,
        "group.streams.max.standby.replicas",
    ),
    _bounded("streams.assignment.interval.ms"),
)
"""In the order in which Kafka judges them."""


def _triple(
    key: BoundedKey, numbers: tuple[int, int | None, int], what: str, rules: tuple[ValueRule, ValueRule, ValueRule]
) -> tuple[NodeKey, ...]:
    """Return the rows of a bounded key: its default, its least and its largest value."""
    default, low, high = numbers
    subject = f"{what} of groups"
    rows = [
        integer(
            key.default,
            default,
            ActsOn.CONTROLLER,
            f"{subject} that set none.",
            rule=rules[0],
            is_dynamic=key.default in DYNAMIC,
        )
    ]
    if key.low is not None and low is not None:
        rows.append(
            integer(
                key.low,
                low,
                ActsOn.CONTROLLER,
                f"Least {subject[0].lower()}{subject[1:]} that may be set.",
                rule=rules[1],
            )
        )
    rows.append(
        integer(
            key.high,
            high,
            ActsOn.CONTROLLER,
            f"Largest {subject[0].lower()}{subject[1:]} that may be set.",
            rule=rules[2],
        )
    )
    return tuple(rows)


_TRIPLES: Final[dict[str, tuple[tuple[int, int | None, int], str, tuple[ValueRule, ValueRule, ValueRule]]]] = {
    **{
        f"{kind}.{rest}": (numbers, what, (rule, rule, rule))
        for kind in GROUP_KINDS
        for rest, numbers, what, rule in (
            ("session.timeout.ms", (45_000, 45_000, 60_000), "Session timeout", _POSITIVE),
            ("heartbeat.interval.ms", (5_000, 5_000, 15_000), "Heartbeat interval", _POSITIVE),
            ("assignment.interval.ms", (1_000, 0, 15_000), "Interval between assignments", _NOT_NEGATIVE),
        )
    },
    "share.record.lock.duration.ms": (
        (30_000, 15_000, 60_000),
        "Duration of a record's lock",
        (between(1_000, 3_600_000), between(1_000, 30_000), between(30_000, 3_600_000)),
    ),
    "share.delivery.count.limit": (
        (5, 2, 10),
        "Number of deliveries of a record",
        (between(2, 10), between(2, 5), between(5, 25)),
    ),
    "share.partition.max.record.locks": (
        (2_000, 100, 4_000),
        "Number of record locks of a partition",
        (between(100, 10_000), between(100, 2_000), between(2_000, 10_000)),
    ),
    "streams.num.standby.replicas": (
        (0, None, 2),
        "Number of standby replicas",
        (_NOT_NEGATIVE, _NOT_NEGATIVE, _NOT_NEGATIVE),
    ),
}


def _number(name: str, default: int, doc: str, rule: ValueRule | None) -> NodeKey:
    return integer(name, default, ActsOn.NONE, doc, rule=rule)


GROUP_COORDINATOR: Final[tuple[NodeKey, ...]] = (
    *(row for key in BOUNDED_KEYS for row in _triple(key, *_TRIPLES[key.name])),
    items("group.consumer.assignors", "uniform,range", ActsOn.NONE, "Assignors of consumer groups, the default first."),
    _number("group.consumer.max.size", INT_MAX, "Members of a consumer group.", _POSITIVE),
    text("group.consumer.migration.policy", "bidirectional", ActsOn.NONE, "Which groups change between the classic "
         "and the consumer protocol."),
    _number("group.consumer.regex.refresh.interval.ms", 600_000, "How often the topics of a regular expression are "
            "looked up.", at_least(10_000)),
    _number("group.coordinator.append.linger.ms", -1, "How long a write of the coordinator waits for others; -1 is "
            "adaptive.", at_least(-1)),
    _number("group.coordinator.background.threads", 2, "Background threads of the coordinator.", _POSITIVE),
    integer("group.coordinator.cached.buffer.max.bytes", 1_048_588, ActsOn.NONE, "Largest buffer that is kept for "
            "reuse.", rule=at_least(524_288), is_dynamic=True),
    items("group.coordinator.rebalance.protocols", "classic,consumer,streams", ActsOn.NONE, "Protocols of groups.",
          rule=subset_of("consumer", "classic", "share", "streams")),
    _number("group.coordinator.threads", 4, "Threads of the coordinator.", _POSITIVE),
    _number("group.initial.rebalance.delay.ms", 3_000, "How long a new group waits for more members.", None),
    _number("group.max.session.timeout.ms", 1_800_000, "Largest session timeout of classic groups.", None),
    _number("group.max.size", INT_MAX, "Members of a classic group.", _POSITIVE),
    _number("group.min.session.timeout.ms", 6_000, "Least session timeout of classic groups.", None),
    items(SHARE_ASSIGNORS, "simple", ActsOn.NONE, "Assignors of share groups."),
    _number("group.share.initialize.retry.interval.ms", 30_000, "How often the start of a share partition is tried "
            "again.", _POSITIVE),
    _number(SHARE_SESSIONS_MAX, 2_000, "Share sessions of a broker.", _POSITIVE),
    _number(SHARE_SIZE_MAX, 200, "Members of a share group.", between(1, 1_000)),
    text("group.share.persister.class.name", "org.apache.kafka.server.share.persister.DefaultStatePersister",
         ActsOn.NONE, "Java class that keeps the state of share groups."),
    _number("group.streams.initial.rebalance.delay.ms", 3_000, "How long a new streams group waits for more members.",
            _NOT_NEGATIVE),
    _number("group.streams.max.size", INT_MAX, "Members of a streams group.", _POSITIVE),
)  # fmt: skip
"""Every key of Kafka's that begins with ``group.``."""

GROUP_NUMBERS: Final[Mapping[str, int]] = MappingProxyType(
    {
        row.name: int(row.default)
        for row in GROUP_COORDINATOR
        if row.acts is ActsOn.CONTROLLER and row.default is not None
    }
)
"""The keys of the bounds and of what they bound, with Kafka's defaults."""


def contradiction(numbers: Mapping[str, int]) -> tuple[str, str] | None:
    """Return the key whose number contradicts another one, and why; ``None`` where none does.

    Args:
        numbers: of every key in ``GROUP_NUMBERS``.
    """
    for bounded in BOUNDED_KEYS:
        default, high = numbers[bounded.default], numbers[bounded.high]
        if bounded.low is not None:
            low = numbers[bounded.low]
            if high < low:
                return bounded.high, f"it must be greater than or equal to {bounded.low}, which is {low}"
            if default < low:
                return bounded.default, f"it must be greater than or equal to {bounded.low}, which is {low}"
        if default > high:
            return bounded.default, f"it must be less than or equal to {bounded.high}, which is {high}"
    for kind in GROUP_KINDS:
        heartbeat, session = f"group.{kind}.heartbeat.interval.ms", f"group.{kind}.session.timeout.ms"
        if numbers[heartbeat] >= numbers[session]:
            return heartbeat, f"it must be less than {session}, which is {numbers[session]}"
    return None
