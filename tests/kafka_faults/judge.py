"""The verdict on what the load wrote down: nothing lost, nothing twice, no offset that goes back.

The lines are those of ``FaultLoad.java`` (README.md). F-3 and so on are the
requirements of ``tests/requirements/test_failover.py``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

PLAIN, TRANSACTIONS, SINK = "plain", "transactions", "sink"
PER_TRANSACTION = 3
SHOWN_MAX = 5

Place = tuple[int, int]
"""Partition and offset."""


@dataclass
class Facts:
    """The lines of one run, by what they say.

    Attributes:
        acknowledged: place and value of each acknowledged record of idempotent producers.
        latencies_ms: of these, in the order of their acknowledgement.
        failed: values whose producer gave up.
        read: what consumers of the group were given.
        shared: what members of the share group were given.
        positions: group, partition, offset and whether it is a commit (``True``) or where a consumer starts.
        outcomes: value of a transaction to its outcome.
        final: what the topics hold in the end.
        died: threads of the load that ended.
    """

    acknowledged: list[tuple[Place, str]] = field(default_factory=list)
    latencies_ms: list[int] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    read: list[tuple[Place, str]] = field(default_factory=list)
    shared: list[tuple[Place, str]] = field(default_factory=list)
    positions: list[tuple[str, int, int, bool]] = field(default_factory=list)
    outcomes: dict[str, str] = field(default_factory=dict)
    final: dict[str, dict[Place, str]] = field(default_factory=lambda: defaultdict(dict))
    died: list[str] = field(default_factory=list)


def facts_of(lines: Iterable[str]) -> Facts:
    """Read the lines."""
    facts = Facts()
    for line in lines:
        match line.split():
            case ["ack", partition, offset, value, took]:
                facts.acknowledged.append(((int(partition), int(offset)), value))
                facts.latencies_ms.append(int(took))
            case ["fail", value, *_]:
                facts.failed.append(value)
            case ["read", partition, offset, value]:
                facts.read.append(((int(partition), int(offset)), value))
            case [("shared" | "unshared"), partition, offset, value]:
                facts.shared.append(((int(partition), int(offset)), value))
            case ["offset", group, partition, offset]:
                facts.positions.append((group, int(partition), int(offset), True))
            case ["position" | "last", group, partition, offset]:
                facts.positions.append((group, int(partition), int(offset), False))
            case [("committed" | "aborted" | "undone" | "unsure") as outcome, value, *_]:
                facts.outcomes[value] = outcome
            case ["final", topic, partition, offset, value]:
                facts.final[topic][int(partition), int(offset)] = value
            case ["died", *_]:
                facts.died.append(line)
    return facts


def complaints(facts: Facts) -> list[str]:
    """Return what is wrong; nothing when all is well."""
    return [
        *_first("threads of the load ended", facts.died),
        *_first("acknowledged records are lost", _lost(facts)),
        *_first("records are there twice", _twice(facts)),
        *_first("records that a consumer was given are not in the log", _taken_back(facts)),
        *_first("records were given to no consumer", _unread(facts)),
        *_first("records were given to no member of the share group", _unshared(facts)),
        *_first("transactions are not as they ended", _torn(facts)),
        *_first("values are not exactly once in what was copied", _not_once(facts)),
        *_first("offsets went back", _went_back(facts)),
    ]


def _lost(facts: Facts) -> list[str]:
    """Show F-3 for acks=all: while a member of the ISR survives, no acknowledged record is lost."""
    log = facts.final[PLAIN]
    return [f"{value} at {place}: {log.get(place)}" for place, value in facts.acknowledged if log.get(place) != value]


def _twice(facts: Facts) -> list[str]:
    """Find values of idempotent producers that are there more than once: the load sends none again."""
    return [value for value, count in Counter(facts.final[PLAIN].values()).items() if count > 1]


def _taken_back(facts: Facts) -> list[str]:
    """Show F-4 and F-5: consumers see committed records only, and every next leader has what they saw."""
    log, given = facts.final[PLAIN], (*facts.read, *facts.shared)
    return [f"{value} at {place}: {log.get(place)}" for place, value in given if log.get(place) != value]


def _unread(facts: Facts) -> list[str]:
    """Show F-24: what was written is read."""
    return sorted(set(facts.final[PLAIN].values()) - {value for _, value in facts.read})


def _unshared(facts: Facts) -> list[str]:
    """Find records that a share group passed over: each is delivered at least once (KIP-932).

    Whether an acknowledgement is kept is the matter of Kafka's share coordinators.
    """
    return sorted(set(facts.final[PLAIN].values()) - {value for _, value in facts.shared})


def _torn(facts: Facts) -> list[str]:
    """Find committed transactions that are not whole, and others of which there is something."""
    found = Counter(value.rpartition("-")[0] for value in facts.final[TRANSACTIONS].values())
    allowed = {"committed": (PER_TRANSACTION,), "unsure": (0, PER_TRANSACTION)}
    wrong = [
        f"{value} ({outcome}): {found[value]} records"
        for value, outcome in facts.outcomes.items()
        if found[value] not in allowed.get(outcome, (0,))
    ]
    copies = Counter(facts.final[TRANSACTIONS].values())
    return wrong + [f"{value}: {count} times" for value, count in copies.items() if count > 1]


def _not_once(facts: Facts) -> list[str]:
    """Compare what was read, processed and written with what it was made of."""
    copied, source = Counter(facts.final[SINK].values()), set(facts.final[PLAIN].values())
    return [f"{value}: {copied[value]} times" for value in sorted(source | copied.keys()) if copied[value] != 1]


def _went_back(facts: Facts) -> list[str]:
    """Find commits, and starts of consumers, below what was committed before."""
    highest: dict[tuple[str, int], int] = {}
    wrong = []
    for group, partition, offset, is_commit in facts.positions:
        before = highest.get((group, partition), 0)
        if offset < before:
            wrong.append(f"{group} of partition {partition}: {offset} after {before}")
        if is_commit:
            highest[group, partition] = max(before, offset)
    return wrong


def _first(what: str, found: list[str]) -> list[str]:
    return [f"{len(found)} {what}: {'; '.join(found[:SHOWN_MAX])}"] if found else []
