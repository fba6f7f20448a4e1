"""What happens on the day of :mod:`bench.day`: each step with its time, drawn from :data:`SEED`; no clock, no socket.

The cluster: twelve brokers in three racks, 7,000 partitions of three replicas, so 1,750 replicas a broker: LinkedIn's
clusters of 2019 had as many, 4,000 brokers with 7 million partitions in 100 clusters (taken here for replicas).

What follows from the protocol, with Kafka's defaults, or from code:

* A heartbeat of each broker every 2 s (``broker.heartbeat.interval.ms``), none while it is down.
* A restart: heartbeats that want to shut down until one is granted, a registration under another incarnation id,
  heartbeats until it is unfenced, a block of producer ids. The controller removes the broker from the ISR of each of
  its partitions, and their leaders add it again by AlterPartition, once it has caught up: what a leader has to
  request at that time is one request. ElectLeaders (preferred, all partitions) is in place of the controllers' own
  check every 300 s (``leader.imbalance.check.interval.seconds``), for which a shortened day leaves no time.
* A broker has one request unanswered on each of three connections: heartbeats, AlterPartition, and what it forwards.
  Directories are not assigned: brokers with one directory have nothing to assign.
* Monitoring: DescribeCluster and DescribeQuorum every 15 s, the interval of the configuration file that Prometheus
  ships.

What follows from logs of real brokers: those of a run of ``make kafka-faults CONTROLLERS=kafka`` with three stock
brokers (Kafka 4.3, 27 November 2026, 12.5 minutes, most of its restarts after a kill) have 1,329 NoOpRecords and,
besides them, 7,257 records: 95.5 % changes of partitions (63 of 100 change only the ISR, the others a leader), 1.4 %
changes of a broker's registration, 0.4 % registrations of brokers and as many of controllers, 1.9 % topics and their
partitions, 0.4 % configs. Of the batches with changes of partitions half have three or fewer, the largest has 124. So:

* The changes of partitions come from restarts and from ISRs, and are nearly all of the log here, too.
* An episode in which a follower leaves the ISRs of one leader and returns is of a log-normal number of partitions with
  the median :data:`EPISODE_MEDIAN` and the maximum :data:`EPISODE_MAX`.

What is assumed, because no log of a production day is at hand: how often things happen (:data:`PER_BROKER`,
:data:`PER_DAY`), that the day is one on which every broker is restarted, in turn from :data:`ROLL_AT_S` on, one each
:data:`RESTART_EVERY_S`, how long a restart takes (:data:`DOWN_S`; below 90 s, Kafka's controllers would still reject
the registration at ten times the speed, as the session of the process before lasts 9 s), how long episodes and topics
last, and the rhythm: what users and traffic cause is :data:`RHYTHM` more frequent than the mean at :data:`PEAK_AT_S`,
and as much less twelve hours later. No broker dies: of LinkedIn's 1,800 brokers one did each day.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Final, NamedTuple

SEED: Final = 20_261_130
DAY_S: Final = 86_400.0
HEARTBEAT_S: Final = 2.0
MONITORING_S: Final = 15.0
ROLL_AT_S: Final = 10 * 3_600.0
RESTART_EVERY_S: Final = 300.0
DOWN_S: Final = 120.0
CATCH_UP_S: Final = 10.0
"""From the return of a broker until its first replicas have caught up."""
REJOIN_SHARES: Final = 5
REJOIN_EVERY_S: Final = 12.0
"""Each leader adds a broker that has returned to its ISRs in that many requests, at this distance."""
ELECT_S: Final = 100.0
"""From the return of a broker until preferred leaders are elected."""
MARGIN_S: Final = 120.0
"""Between an episode and a restart of one of its brokers."""
PEAK_AT_S: Final = 15 * 3_600.0
RHYTHM: Final = 0.8
EPISODE_MEDIAN: Final = 3
EPISODE_SPREAD_LOG: Final = 1.2
EPISODE_MAX: Final = 124
EPISODE_S: Final = (10.0, 120.0)
TOPIC_PARTITIONS_MAX: Final = 12
TOPIC_S_LOG: Final = 8.2
TOPIC_SPREAD_LOG: Final = 1.0
"""Topics that are created exist for a log-normal time: half of them for more than an hour."""
GROWING_SHARE: Final = 0.1
"""The share of these that get more partitions."""


class Action(Enum):
    """What a step does; the value names it in tables."""

    HEARTBEAT = "heartbeat"
    SHUTDOWN = "controlled shutdown"
    RETURN = "registration, unfenced"
    SHRINK = "AlterPartition, shrink"
    EXPAND = "AlterPartition, expand"
    REJOIN = "AlterPartition, restarted"
    ELECT = "ElectLeaders"
    CREATE = "CreateTopics"
    GROW = "CreatePartitions"
    DELETE = "DeleteTopics"
    TOPIC_CONFIG = "configs of a topic"
    BROKER_CONFIG = "configs of a broker"
    METRICS_CONFIG = "configs of client metrics"
    PRODUCER_IDS = "AllocateProducerIds"
    CLUSTER = "DescribeCluster"
    QUORUM = "DescribeQuorum"


READS: Final = frozenset({Action.CLUSTER, Action.QUORUM})
PER_BROKER: Final = {Action.SHRINK: 48, Action.PRODUCER_IDS: 20}
PER_DAY: Final = {
    Action.CREATE: 480, Action.TOPIC_CONFIG: 720, Action.BROKER_CONFIG: 240, Action.METRICS_CONFIG: 48,
}  # fmt: skip


class Link(Enum):
    """A connection of a broker, or of the monitoring."""

    HEARTBEATS = "heartbeats"
    ALTER = "AlterPartition"
    FORWARD = "forwarded"
    MONITORING = "monitoring"


class Chain(NamedTuple):
    """Steps that are done one after the other: those of one connection of the broker of a number."""

    link: Link
    broker: int


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is done.

    Attributes:
        due_s: when, in seconds of the day.
        serial: the number of the topic, of the episode, of the restart, or of the change.
        broker: the number of the broker that it is about, if it is about another than the chain's.
        count: of partitions; or which of :data:`REJOIN_SHARES`.
    """

    due_s: float
    action: Action
    serial: int = 0
    broker: int = -1
    count: int = 0


Item = list[tuple[Chain, Step]]
"""Steps that belong together, such as those of a restart; in the order of their times."""


class Day:
    """The day of a number of brokers."""

    def __init__(self, brokers: int) -> None:
        self.brokers = brokers
        self._items = sorted(
            [*self._restarts(), *self._episodes(), *self._topics(), *self._changes()], key=lambda item: item[0][1].due_s
        )

    def busiest(self, seconds: float) -> float:
        """Return when the part of that length begins that has the most steps besides heartbeats and reads."""
        times = sorted(step.due_s for item in self._items for _, step in item if step.due_s < DAY_S)
        best, most, low, high = 0.0, -1, 0, 0
        for minute in range(int((DAY_S - seconds) // 60) + 1):
            start = minute * 60.0
            while low < len(times) and times[low] < start:
                low += 1
            while high < len(times) and times[high] < start + seconds:
                high += 1
            if high - low > most:
                best, most = start, high - low
        return best

    def steps(self, start_s: float, end_s: float) -> list[tuple[Chain, Step]]:
        """Return the steps of a part of the day besides heartbeats and reads; what began before it is left out."""
        within = [pair for item in self._items if item[0][1].due_s >= start_s for pair in item if pair[1].due_s < end_s]
        return sorted(within, key=lambda pair: pair[1].due_s)

    def chains(self, start_s: float, end_s: float) -> dict[Chain, Iterator[Step]]:
        """Return all steps of a part of the day, chain by chain."""
        found: dict[Chain, list[Step]] = {
            Chain(link, broker): [] for broker in range(self.brokers) for link in Link if link is not Link.MONITORING
        }
        for chain, step in self.steps(start_s, end_s):
            found[chain].append(step)
        chains = {chain: iter(steps) for chain, steps in found.items()}
        for broker in range(self.brokers):
            chain = Chain(Link.HEARTBEATS, broker)
            chains[chain] = self._with_heartbeats(broker, chains[chain], start_s, end_s)
        return chains | {
            Chain(Link.MONITORING, number): _every(MONITORING_S, start_s, end_s, action)
            for number, action in enumerate(sorted(READS, key=lambda one: one.value))
        }

    def _with_heartbeats(self, broker: int, others: Iterator[Step], start_s: float, end_s: float) -> Iterator[Step]:
        """Yield a broker's heartbeats, and its restarts, during which it sends none."""
        phase = HEARTBEAT_S * broker / self.brokers
        other, is_down = next(others, None), False
        for heartbeat in _every(HEARTBEAT_S, start_s + phase, end_s, Action.HEARTBEAT):
            while other is not None and other.due_s <= heartbeat.due_s:
                yield other
                is_down = other.action is Action.SHUTDOWN
                other = next(others, None)
            if not is_down:
                yield heartbeat
        if other is not None:
            yield other
        yield from others

    def _restarts(self) -> Iterator[Item]:
        for broker in range(self.brokers):
            own, returned_s = Chain(Link.HEARTBEATS, broker), self._restart_s(broker) + DOWN_S
            item: Item = [
                (own, Step(returned_s - DOWN_S, Action.SHUTDOWN, broker)),
                (own, Step(returned_s, Action.RETURN, broker)),
                (Chain(Link.FORWARD, broker), Step(returned_s + 5, Action.PRODUCER_IDS, broker)),
                (Chain(Link.FORWARD, broker), Step(returned_s + ELECT_S, Action.ELECT, broker)),
            ]
            for leader in range(self.brokers):
                if leader != broker:
                    first_s = returned_s + CATCH_UP_S + REJOIN_EVERY_S * leader / self.brokers
                    item += [
                        (
                            Chain(Link.ALTER, leader),
                            Step(first_s + REJOIN_EVERY_S * share, Action.REJOIN, broker, broker, share),
                        )
                        for share in range(REJOIN_SHARES)
                    ]
            yield item

    def _restart_s(self, broker: int) -> float:
        return ROLL_AT_S + RESTART_EVERY_S * broker

    def _is_restarting(self, broker: int, start_s: float, end_s: float) -> bool:
        begins_s = self._restart_s(broker)
        return start_s < begins_s + RESTART_EVERY_S + MARGIN_S and begins_s - MARGIN_S < end_s

    def _episodes(self) -> Iterator[Item]:
        """A follower leaves the ISRs of a leader, and returns."""
        serial = 0
        for leader in range(self.brokers):
            random = Random(f"{SEED}/episodes/{leader}")
            for begin_s in _times(random, PER_BROKER[Action.SHRINK]):
                follower = random.choice([one for one in range(self.brokers) if one != leader])
                end_s = begin_s + random.uniform(*EPISODE_S)
                size = random.lognormvariate(math.log(EPISODE_MEDIAN), EPISODE_SPREAD_LOG)
                count = min(EPISODE_MAX, max(1, round(size)))
                if not any(self._is_restarting(one, begin_s, end_s) for one in (leader, follower)):
                    chain = Chain(Link.ALTER, leader)
                    yield [
                        (chain, Step(begin_s, Action.SHRINK, serial, follower, count)),
                        (chain, Step(end_s, Action.EXPAND, serial, follower, count)),
                    ]
                serial += 1

    def _topics(self) -> Iterator[Item]:
        """A topic is created, may get more partitions, and is deleted: all by requests of one connection."""
        random = Random(f"{SEED}/topics")
        for serial, begin_s in enumerate(_times(random, PER_DAY[Action.CREATE])):
            chain = Chain(Link.FORWARD, random.randrange(self.brokers))
            end_s = begin_s + random.lognormvariate(TOPIC_S_LOG, TOPIC_SPREAD_LOG)
            count = random.randint(1, TOPIC_PARTITIONS_MAX)
            item = [(chain, Step(begin_s, Action.CREATE, serial, count=count))]
            if random.random() < GROWING_SHARE:
                item.append((chain, Step((begin_s + end_s) / 2, Action.GROW, serial, count=2 * count)))
            yield [*item, (chain, Step(end_s, Action.DELETE, serial, count=count))]

    def _changes(self) -> Iterator[Item]:
        """Configs of all kinds, and blocks of producer ids."""
        for action in (Action.TOPIC_CONFIG, Action.BROKER_CONFIG, Action.METRICS_CONFIG):
            random = Random(f"{SEED}/{action.name}")
            for serial, due_s in enumerate(_times(random, PER_DAY[action])):
                broker = random.randrange(self.brokers)
                yield [(Chain(Link.FORWARD, random.randrange(self.brokers)), Step(due_s, action, serial, broker))]
        for broker in range(self.brokers):
            random = Random(f"{SEED}/producers/{broker}")
            for due_s in _times(random, PER_BROKER[Action.PRODUCER_IDS]):
                if not self._is_restarting(broker, due_s, due_s):
                    # It belongs to no restart.
                    yield [(Chain(Link.FORWARD, broker), Step(due_s, Action.PRODUCER_IDS, -1))]


def _every(interval_s: float, start_s: float, end_s: float, action: Action) -> Iterator[Step]:
    for number in range(math.ceil((end_s - start_s) / interval_s)):
        yield Step(start_s + number * interval_s, action)


def _times(random: Random, count: int) -> list[float]:
    """Draw times of the day, by its rhythm."""
    found: list[float] = []
    while len(found) < count:
        at_s = random.uniform(0.0, DAY_S)
        share = 1.0 + RHYTHM * math.cos(2 * math.pi * (at_s - PEAK_AT_S) / DAY_S)
        if random.uniform(0.0, 1.0 + RHYTHM) < share:
            found.append(at_s)
    return sorted(found)
