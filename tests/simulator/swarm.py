"""From a seed to a whole configuration: sizes, limits, timers, and the probability of every fault.

Swarm testing: a run with all faults at once hides what a run with only two of them finds, so each seed leaves some
kinds of fault out. Limits are tiny on purpose: segments of a few batches, a snapshot every few records. Most histories
are short, a few seconds in which everything goes wrong more often: many short ones find more than a few long ones.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from kraftpy.controller.config import ELECTIONS_PER_STEP_MAX

SHORT_PERCENT = 85
"""How many of 100 histories are short."""

LOST_VOTES_PERCENT = 40
"""In how many of 100 histories without another disaster voters lose their votes."""

ONE_WAY_PERCENT = 30
"""In how many of 100 histories links lose what goes one way, or one kind of it."""

TRANSACTIONS_PERCENT = 25
"""The percentage of histories in which some writes are metadata transactions."""

IDENTITY_PERCENT = 40
"""In how many of 100 histories connections have certificates."""

FLOODED_PERCENT = 12
"""In how many of 100 histories strangers flood nodes; in half of those nothing else silences a voter."""

TOPICS_PERCENT = 12
"""In how many of 100 histories there are topics, and brokers that hold them."""

BALANCED_PERCENT = 75
"""In how many of 100 histories with topics controllers give leaderships back to preferred replicas by themselves."""

ELR_PERCENT = 50
"""In how many of 100 histories with topics partitions keep eligible leader replicas."""

REGISTER_CLIENTS = (0, 2, 3)
READERS = (0, 1, 2)

HASTE = 3
HASTENED = ("crash_interval_ms", "partition_interval_ms", "failure_interval_ms", "full_interval_ms", "jump_interval_ms")
"""How many times as often faults come in a short history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a seed means. Intervals are means in milliseconds, 0 is never; shares are of 1,000.

    Attributes:
        dynamic: the voters are in the log (kraft.version 1) rather than in the configuration.
        log_dirs: how many directories, each with a meta.properties, a node has.
        crash_after_vote: share of votes, granted or requested, that are the last thing a process does.
        wire: messages are turned into bytes of the peers' wire and back.
        slow_syncs: nodes (by position) whose fsync goes on beside their turns.
        reordered: share of messages that take a detour.
        one_way_interval_ms: how often a link loses what goes one way, or one kind of it.
        cut_with_clients: share of cuts that part the leader, and clients who ask it for nothing new, from the rest.
        powered_off: share of crashes that lose what was not synced, and answer nothing.
        graceful: share of stops that are asked for.
        jump_interval_ms: how often a node's clock jumps ahead.
        wipe_interval_ms: how often a process dies and its disk is lost with it.
        vote_loss_interval_ms: how often a voter dies and loses its quorum-state, and keeps its log.
        digest_interval_ms: how often, by the clock of the log, nodes compare digests of their states.
        memory_interval_ms: how often a bit flips in what a node's memory holds of the metadata.
        flip_interval_ms: how often a bit flips somewhere on a disk.
        misdirected_interval_ms: how often a sector is written to the wrong place, as a loss of power shows.
        lost_write_interval_ms: how often a loss of power shows that a sector was never written that the disk had
            acknowledged.
        spares: controllers beside the first voters; they may be added to the voter set.
        membership_interval_ms: how often an operator changes the voter set.
        auto_join: spares ask by themselves to be made voters.
        transfer_interval_ms: how often the leadership is transferred to another voter.
        snapshot_interval_ms: how often a node makes a snapshot that is not due.
        events_max: the number of events after which the faults end.
        register_clients: how many clients write registers of few values, most of which change nothing.
        readers: how many clients read registers.
        watchers: how many clients watch the log.
        watchers_restarted: share of a watcher's looks that start a new watch.
        forged_interval_ms: how often a stranger claims an epoch that never was to a node.
        identity: connections have certificates, and a node is accepted only under its own id.
        flood_interval_ms: how often strangers ask a node more than it can do.
        flood_items: how many requests come at once then.
        item_cost_us: how long (microseconds) a node takes for one item that it receives.
        large_writes: per mille of the writes that take a metadata transaction of several batches.
        cut_fencing: what happens to a broker never is a transaction, so that it counts part by part.
        topics: there are topics, and brokers that hold them.
        rebalance: controllers give leaderships back to preferred replicas by themselves.
        election_interval_ms: how often they look for such partitions, and for unclean elections that are allowed.
        imbalance_percentage: of the partitions that prefer a broker, the percentage that others may lead.
        elections_per_step: how many of these elections are held at once.
        elr: an administrator finalizes eligible.leader.replicas.version, and sometimes takes it back.
        duplicate: the voter whose id a second process gets, on its own disk and at its own address; 0 for none.
    """

    voters: int = 3
    observers: int = 1
    dynamic: bool = False
    log_dirs: int = 1
    duration_ms: int = 15_000
    segment_bytes: int = 2_048
    preallocate_bytes: int = 0
    snapshot_bytes: int = 1_500
    retention_bytes: int = 2_000
    idle_interval_ms: int = 0
    election_timeout_ms: int = 500
    fetch_timeout_ms: int = 800
    fetch_max_wait_ms: int = 200
    fetch_max_bytes: int = 8_192
    request_timeout_ms: int = 600
    clients: int = 3
    register_clients: int = 0
    readers: int = 0
    watchers: int = 0
    watchers_restarted: int = 0
    forged_interval_ms: int = 0
    identity: bool = False
    flood_interval_ms: int = 0
    flood_items: int = 0
    item_cost_us: int = 0
    large_writes: int = 0
    cut_fencing: bool = False
    write_interval_ms: int = 60
    delay_ms: int = 5
    lost: int = 0
    duplicated: int = 0
    reordered: int = 0
    partition_interval_ms: int = 0
    one_way_interval_ms: int = 0
    cut_with_clients: int = 0
    crash_interval_ms: int = 0
    powered_off: int = 500
    graceful: int = 0
    slow_syncs: int = 0
    sync_ms: int = 1
    sync_failure_interval_ms: int = 0
    disk_full_interval_ms: int = 0
    skew_ms: int = 0
    drift: int = 0
    jump_interval_ms: int = 0
    crash_after_vote: int = 0
    wire: bool = False
    duplicate: int = 0
    high_watermark_delay_ms: int = 0
    wipe_interval_ms: int = 0
    vote_loss_interval_ms: int = 0
    digest_interval_ms: int = 0
    memory_interval_ms: int = 0
    flip_interval_ms: int = 0
    misdirected_interval_ms: int = 0
    lost_write_interval_ms: int = 0
    spares: int = 0
    membership_interval_ms: int = 0
    auto_join: bool = False
    transfer_interval_ms: int = 0
    snapshot_interval_ms: int = 0
    events_max: int = 20_000
    topics: bool = False
    rebalance: bool = True
    election_interval_ms: int = 1_000
    imbalance_percentage: int = 10
    elections_per_step: int = ELECTIONS_PER_STEP_MAX
    elr: bool = False

    @property
    def rots(self) -> bool:
        """Whether disks return something else than what was written to them."""
        return bool(self.flip_interval_ms or self.misdirected_interval_ms or self.lost_write_interval_ms)

    def __str__(self) -> str:
        return " ".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self))


def options_of(seed: int) -> Options:
    """Draw a configuration; what was thought of later draws from generators of its own, so that the rest stays."""
    options = _perhaps_with_one_way_cuts(_options_of(seed), random.Random(f"{seed}/swarm/one way"))
    options = _perhaps_with_floods(options, random.Random(f"{seed}/swarm/floods"))
    identity = random.Random(f"{seed}/swarm/identity").randrange(100) < IDENTITY_PERCENT
    options = _perhaps_with_transactions(
        replace(options, identity=identity), random.Random(f"{seed}/swarm/transactions")
    )
    return _perhaps_with_topics(options, random.Random(f"{seed}/swarm/topics"))


def _perhaps_with_topics(options: Options, rng: random.Random) -> Options:
    """Let there be topics; a bit that flips in a partition's state makes another that no checker can distinguish."""
    if rng.randrange(100) >= TOPICS_PERCENT or options.memory_interval_ms:
        return options
    return replace(
        options,
        topics=True,
        rebalance=rng.randrange(100) < BALANCED_PERCENT,
        election_interval_ms=rng.choice((200, 1_000)),
        imbalance_percentage=rng.choice((0, 10, 50)),
        elections_per_step=rng.choice((1, 2, ELECTIONS_PER_STEP_MAX)),
        elr=rng.randrange(100) < ELR_PERCENT,
    )


def _perhaps_with_transactions(options: Options, rng: random.Random) -> Options:
    """Let some writes be too large for one batch."""
    if rng.randrange(100) >= TRANSACTIONS_PERCENT:
        return options
    return replace(options, large_writes=rng.choice((50, 300)), cut_fencing=rng.randrange(2) == 1)


def _options_of(seed: int) -> Options:
    rng = random.Random(f"{seed}/swarm")

    def sometimes(share: int, *choices: int) -> int:
        drawn, chosen = rng.randrange(100), rng.choice(choices)
        return chosen if drawn < share else 0

    short = rng.randrange(100) < SHORT_PERCENT
    # Timers only promise progress when each leaves room for the one below it: a pending fetch is answered before its
    # request times out, and a slow disk's turn ends before a follower gives its leader up.
    delay_ms, sync_ms = rng.choice((1, 3, 10) if short else (1, 3, 10, 40)), rng.choice((1, 5, 30, 150))
    fetch_max_wait_ms = rng.choice((20, 100, 300))
    request_timeout_ms = fetch_max_wait_ms + 2 * (delay_ms + sync_ms) + rng.choice((100, 300, 1_000))
    election_timeout_ms = rng.choice((150, 300) if short else (150, 300, 500, 1_000))
    fetch_timeout_ms = max(election_timeout_ms, request_timeout_ms) + rng.choice((200, 1_000))
    options = Options(
        voters=rng.choice((1, 2, 3, 3, 3, 3, 5, 5)),
        observers=rng.choice((0, 0, 1, 1, 2)),
        dynamic=rng.randrange(100) < 35,
        log_dirs=rng.choice((1, 2, 3)),
        duration_ms=rng.choice((1_500, 2_500, 4_000) if short else (6_000, 10_000, 25_000)),
        segment_bytes=rng.choice((400, 1_000, 2_048, 5_000)),
        preallocate_bytes=rng.choice((0, 512, 2_048)),
        snapshot_bytes=rng.choice((300, 800, 2_000, 6_000)),
        retention_bytes=rng.choice((-1, 500, 1_500, 4_000)),
        # Long enough for a slow disk and a slow network to catch up between two of these records.
        idle_interval_ms=sometimes(40, 2_000, 3_000, 5_000),
        election_timeout_ms=election_timeout_ms,
        fetch_timeout_ms=fetch_timeout_ms,
        fetch_max_wait_ms=fetch_max_wait_ms,
        fetch_max_bytes=rng.choice((200, 1_000, 8_192)),
        request_timeout_ms=request_timeout_ms,
        clients=rng.choice((1, 2, 4)),
        write_interval_ms=rng.choice((10, 40, 100) if short else (10, 40, 100, 300)),
        delay_ms=delay_ms,
        lost=sometimes(50, 5, 20, 100),
        duplicated=sometimes(40, 10, 50),
        reordered=sometimes(40, 20, 100),
        partition_interval_ms=sometimes(60, 800, 2_000, 5_000),
        crash_interval_ms=sometimes(75, 400, 1_000, 3_000),
        powered_off=rng.choice((0, 300, 500, 700, 1_000)),
        graceful=sometimes(40, 100, 300),
        slow_syncs=sometimes(50, 1, 2, 5),
        sync_ms=sync_ms,
        sync_failure_interval_ms=sometimes(25, 1_500, 4_000),
        disk_full_interval_ms=sometimes(20, 2_000, 5_000),
        skew_ms=sometimes(50, 50, 5_000, 600_000),
        drift=sometimes(40, 5, 50),
        crash_after_vote=sometimes(35, 150, 500),
        wire=rng.randrange(100) < 50,
        jump_interval_ms=sometimes(30, 500, 2_000),
        high_watermark_delay_ms=rng.choice((0, 0, 5, 50)),
        transfer_interval_ms=sometimes(25, 500, 2_000),
        snapshot_interval_ms=sometimes(40, 100, 500, 2_000),
        digest_interval_ms=sometimes(40, 50, 200, 1_000),
    )
    if short:
        options = _hastened(options)
    options = _with_disasters(options, random.Random(f"{seed}/swarm/disasters"))
    options = _perhaps_with_lost_votes(options, random.Random(f"{seed}/swarm/lost votes"))
    if options.memory_interval_ms:
        # A bit that flips in a register makes another of its few values: a wrong answer that is undetectable.
        return options
    rng = random.Random(f"{seed}/swarm/registers")
    clients, share, readers = rng.choice(REGISTER_CLIENTS), rng.choice((0, 300, 700)), rng.choice(READERS)
    return replace(
        options,
        register_clients=clients,
        cut_with_clients=share,
        readers=readers if clients else 0,
        watchers=rng.choice(READERS) if clients else 0,
        forged_interval_ms=rng.choice((0, 0, 200, 1_000)) if clients else 0,
        watchers_restarted=random.Random(f"{seed}/swarm/watchers").choice((0, 0, 20, 200)) if clients else 0,
    )


def _hastened(options: Options) -> Options:
    """Let everything go wrong more often, so that a short history has its share of it."""
    intervals = (each.name for each in fields(options) if each.name.endswith(HASTENED))
    return replace(options, **{name: getattr(options, name) // HASTE for name in intervals})


def _with_disasters(options: Options, rng: random.Random) -> Options:
    """Add at most one of those that need the rest of the cluster to be as it was: what is lost, rots, or changes."""
    kind = rng.choice(("none", "wipes", "rot", "rot", "membership", "membership", "duplicate"))
    mean_ms = max(200, options.duration_ms // rng.choice((3, 6, 12)))
    if kind == "wipes" and not options.dynamic:
        return replace(options, wipe_interval_ms=mean_ms)
    if kind == "rot":
        kinds = ("flip_interval_ms", "misdirected_interval_ms", "lost_write_interval_ms")
        return replace(options, **dict.fromkeys(rng.sample(kinds, rng.choice((1, 1, 2, 3))), mean_ms))
    if kind == "membership":
        spares, joins = rng.choice((0, 1, 1, 2)), rng.randrange(100) < 30
        return replace(
            options,
            dynamic=True,
            spares=spares,
            auto_join=joins,
            membership_interval_ms=mean_ms,
            voters=max(2, options.voters),
        )
    if kind == "duplicate":
        return _perhaps_with_duplicate(options, rng)
    if kind == "none" and not options.dynamic and options.voters >= 3 and rng.randrange(100) < 70:
        # Where two of three have to agree, a third one's state can be found to be wrong.
        return replace(options, memory_interval_ms=mean_ms, digest_interval_ms=options.digest_interval_ms or 50)
    return options


def _perhaps_with_lost_votes(options: Options, rng: random.Random) -> Options:
    """Let voters lose their votes in some of the histories in which no disaster happens to more than that."""
    disasters = options.wipe_interval_ms, options.memory_interval_ms, options.membership_interval_ms, options.duplicate
    if any(disasters) or options.rots or options.voters < 3 or rng.randrange(100) >= LOST_VOTES_PERCENT:
        return options
    return replace(options, vote_loss_interval_ms=max(200, options.duration_ms // rng.choice((3, 6, 12))))


def _perhaps_with_one_way_cuts(options: Options, rng: random.Random) -> Options:
    """Let links lose what goes one way; a voter with a duplicate id must not be silenced."""
    if options.duplicate or rng.randrange(100) >= ONE_WAY_PERCENT:
        return options
    return replace(options, one_way_interval_ms=max(100, options.duration_ms // rng.choice((4, 10, 20))))


def _perhaps_with_floods(options: Options, rng: random.Random) -> Options:
    """Let nodes take time for what they are asked, and strangers ask for more than there is time for."""
    if rng.randrange(100) >= FLOODED_PERCENT:
        return options
    flooded = replace(
        options,
        flood_interval_ms=max(500, options.duration_ms // rng.choice((2, 4, 8))),
        flood_items=rng.choice((500, 2_000)),
        item_cost_us=rng.choice((100, 1_000)),
    )
    return undisturbed(flooded) if rng.random() < 0.5 else flooded


def undisturbed(options: Options) -> Options:
    """Switch off what deposes a leader by itself, so that a flood alone must not."""
    return replace(
        with_duplicate(options, options.duplicate),
        crash_interval_ms=0,
        transfer_interval_ms=0,
        membership_interval_ms=0,
    )


def _perhaps_with_duplicate(options: Options, rng: random.Random) -> Options:
    """Give a second process a voter's id, where that can matter.

    The guard holds while the real voter runs: one that is silent for 1.5 fetch timeouts is replaced by the
    duplicate, as by a new disk. So here nothing silences a running voter; processes die, but not that one's.
    """
    if options.dynamic or options.voters < 3:
        return options
    return with_duplicate(options, rng.randint(1, options.voters))


def with_duplicate(options: Options, duplicate: int) -> Options:
    """Switch off what would silence the voter that has a duplicate."""
    return replace(
        options,
        duplicate=duplicate,
        lost=0,
        reordered=0,
        partition_interval_ms=0,
        one_way_interval_ms=0,
        sync_failure_interval_ms=0,
        disk_full_interval_ms=0,
        crash_after_vote=0,
        wipe_interval_ms=0,
        vote_loss_interval_ms=0,
        jump_interval_ms=0,
    )


def with_changes(options: Options, changes: Mapping[str, int]) -> Options:
    """Change options by name.

    Raises:
        ValueError: there is no such option.
    """
    known = {each.name: each.type for each in fields(options)}
    unknown = sorted(set(changes) - set(known))
    if unknown:
        raise ValueError(f"there is no option {', '.join(unknown)}; there are {', '.join(known)}")
    typed = {name: bool(value) if known[name] == "bool" else int(value) for name, value in changes.items()}
    return replace(options, **typed)
