"""From a failing history to a small one that fails in the same way.

Greedy, and nothing clever: take something away, run, keep what still breaks the same rule. First nodes, then kinds of
fault, then single faults (half of them, a quarter, ... one), then time; again from the start until nothing can be
taken away. What is taken away changes all that comes after it, so a smaller history is tried under a few seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tests.simulator.scenario import Scenario
from tests.simulator.simulation import Verdict
from tests.simulator.swarm import Options

RUNS_MAX = 250
"""How many histories the search may take."""

OTHER_SEEDS = 3
"""Under how many other seeds a smaller history is tried; not once single faults are left out by their names."""

SMALLER: dict[str, tuple[int, ...]] = {
    "observers": (0, 1),
    "spares": (0, 1),
    "voters": (1, 2, 3),
    "clients": (1,),
    "register_clients": (0, 2),
    "readers": (0, 1),
    "watchers": (0, 1),
    "log_dirs": (1,),
}
"""Sizes, with what to try for each, the smallest first."""

PLAIN: dict[str, int] = {
    "lost": 0,
    "duplicated": 0,
    "reordered": 0,
    "partition_interval_ms": 0,
    "one_way_interval_ms": 0,
    "crash_interval_ms": 0,
    "crash_after_vote": 0,
    "graceful": 0,
    "sync_failure_interval_ms": 0,
    "disk_full_interval_ms": 0,
    "jump_interval_ms": 0,
    "wipe_interval_ms": 0,
    "vote_loss_interval_ms": 0,
    "memory_interval_ms": 0,
    "forged_interval_ms": 0,
    "flood_interval_ms": 0,
    "item_cost_us": 0,
    "large_writes": 0,
    "cut_fencing": 0,
    "topics": 0,
    "elr": 0,
    "identity": 0,
    "watchers_restarted": 0,
    "digest_interval_ms": 0,
    "flip_interval_ms": 0,
    "misdirected_interval_ms": 0,
    "lost_write_interval_ms": 0,
    "membership_interval_ms": 0,
    "auto_join": 0,
    "transfer_interval_ms": 0,
    "snapshot_interval_ms": 0,
    "slow_syncs": 0,
    "skew_ms": 0,
    "drift": 0,
    "wire": 0,
    "duplicate": 0,
    "idle_interval_ms": 0,
    "preallocate_bytes": 0,
    "high_watermark_delay_ms": 0,
    "retention_bytes": -1,
    "dynamic": 0,
}
"""What can be switched off as a whole, and its value then."""

SHARES = (2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class Shrunk:
    """What became of it.

    Attributes:
        runs: how many histories that took.
    """

    scenario: Scenario
    verdict: Verdict
    runs: int

    def describe(self, before: Scenario, verdict: Verdict) -> str:
        """Compare it with what it was made of."""
        return (
            f"shrunk in {self.runs} histories: {_size(before.options)} -> {_size(self.scenario.options)}, "
            f"faults {sum(verdict.faults.values())} -> {sum(self.verdict.faults.values())}, "
            f"events {verdict.events} -> {self.verdict.events}, "
            f"simulated ms {verdict.simulated_ms} -> {self.verdict.simulated_ms}"
        )


def _size(options: Options) -> str:
    switched_on = sum(1 for name, plain in PLAIN.items() if getattr(options, name) != plain)
    nodes = options.voters + options.spares + options.observers
    return f"{nodes} nodes and {switched_on} kinds of trouble"


def shrink(scenario: Scenario, verdict: Verdict, *, runs_max: int = RUNS_MAX) -> Shrunk:
    """Shrink a scenario whose run broke a rule."""
    search = _Search(scenario, verdict, runs_max)
    for candidates in (_fewer_nodes, _fewer_kinds, _less_time, _fewer_nodes, _fewer_kinds):
        search.try_all(candidates, other_seeds=OTHER_SEEDS)
    for candidates in (_fewer_faults, _less_time, _fewer_faults):
        while search.try_all(candidates, other_seeds=0):
            pass
    return Shrunk(search.scenario, search.verdict, search.runs)


Candidates = Callable[[Scenario, Verdict], Iterator[Scenario]]


class _Search:
    def __init__(self, scenario: Scenario, verdict: Verdict, runs_max: int) -> None:
        self.scenario, self.verdict = scenario, verdict
        self._rule = verdict.rule
        self._runs_max = runs_max
        self.runs = 0

    def try_all(self, candidates: Candidates, *, other_seeds: int) -> bool:
        """Try each smaller scenario, on top of those that were accepted; return whether any was."""
        any_taken = False
        taken = True
        tried: set[Scenario] = set()
        while taken:
            taken = False
            for candidate in candidates(self.scenario, self.verdict):
                if candidate in tried or candidate == self.scenario:
                    continue
                tried.add(candidate)
                if self._take(candidate, other_seeds):
                    any_taken = taken = True
                    break
        return any_taken

    def _take(self, candidate: Scenario, other_seeds: int) -> bool:
        for seed in (candidate.seed, *range(1, other_seeds + 1)):
            if self.runs >= self._runs_max:
                return False
            self.runs += 1
            # The options are those of the first seed; another one changes only what is drawn while it runs.
            tried = candidate if seed == candidate.seed else _pinned(candidate, seed)
            verdict = tried.run()
            if verdict.rule == self._rule:
                self.scenario, self.verdict = tried, verdict
                return True
        return False


def _pinned(scenario: Scenario, seed: int) -> Scenario:
    """Return the scenario under another seed with the same options."""
    wanted, other = scenario.options, replace(scenario, seed=seed, changes=()).options
    changes = tuple(
        (name, int(getattr(wanted, name)))
        for name in Options.__dataclass_fields__
        if getattr(wanted, name) != getattr(other, name)
    )
    return replace(scenario, seed=seed, changes=changes)


def _changed(scenario: Scenario, name: str, value: int) -> Scenario:
    kept = tuple(pair for pair in scenario.changes if pair[0] != name)
    return replace(scenario, changes=(*kept, (name, value)))


def _fewer_nodes(scenario: Scenario, _verdict: Verdict) -> Iterator[Scenario]:
    for name, sizes in SMALLER.items():
        for size in sizes:
            if size < getattr(scenario.options, name):
                yield _changed(scenario, name, size)


def _fewer_kinds(scenario: Scenario, _verdict: Verdict) -> Iterator[Scenario]:
    for name, plain in PLAIN.items():
        if getattr(scenario.options, name) != plain:
            yield _changed(scenario, name, plain)


def _less_time(scenario: Scenario, verdict: Verdict) -> Iterator[Scenario]:
    duration_ms = min(scenario.options.duration_ms, verdict.simulated_ms)
    for part in (4, 2):
        yield _changed(scenario, "duration_ms", duration_ms // part)
    if duration_ms < scenario.options.duration_ms:
        yield _changed(scenario, "duration_ms", duration_ms)


def _fewer_faults(scenario: Scenario, verdict: Verdict) -> Iterator[Scenario]:
    happened = list(verdict.happened)
    shares = [share for share in SHARES if share < len(happened)]
    for share in (1, *shares, len(happened)):
        size = -(-len(happened) // share) if happened else 0
        for start in range(0, len(happened), size or 1):
            left_out = scenario.left_out | set(happened[start : start + size])
            yield replace(scenario, left_out=frozenset(left_out))
