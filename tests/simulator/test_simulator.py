"""A share of the search on every run; that the search repeats itself; and that it finds what it is for."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import random
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
import structlog

from kraftpy.controller.config import ELECTIONS_PER_STEP_MAX
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.raft.messages import AddRaftVoterRequest, RemoveRaftVoterRequest
from kraftpy.records.batch import encode_batch
from kraftpy.storage.durable_directory import make_directory_durably
from kraftpy.storage.filesystem import join
from kraftpy.storage.names import segment_name
from tests.simulator.__main__ import main
from tests.simulator.bit_rot import KINDS
from tests.simulator.bugs import BUGS, SEEDS_MAX
from tests.simulator.checkers.base import CheckFailed
from tests.simulator.checkers.partitions import PartitionsChecker
from tests.simulator.controllers import IS_COMPILED
from tests.simulator.disk import SimulatedDisk
from tests.simulator.known import FILE, SEEDS_PER_COMMIT, digest_of_sources, first_seed_of, head, known_scenarios
from tests.simulator.planted import COMMITTED, Found, PlantError, committed_rows, search, table
from tests.simulator.quiet import quiet_logs
from tests.simulator.scenario import Scenario, collapse, expand
from tests.simulator.shrink import PLAIN, shrink
from tests.simulator.simulation import Simulation
from tests.simulator.swarm import Options, options_of

SHARES = 4
"""``make simulate`` starts with the seeds of these; CI runs 2,000."""

SEEDS_PER_SHARE = 8
REPEATED_SEEDS = 4
PLANTED_MIN = 30
KNOWN_MIN = 30
SHRINKING_RUNS = 60
FAULTS = 5
WRONG_COMMAND_LINE = 2


@pytest.fixture(autouse=True)
def _quiet():
    before = structlog.get_config()
    quiet_logs()
    yield
    structlog.configure(**before)


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_every_guarantee_holds_in_a_fixed_share_of_histories(share):
    """No checker has anything to say, and after the faults the cluster makes progress."""
    first = 1 + share * SEEDS_PER_SHARE
    for seed in range(first, first + SEEDS_PER_SHARE):
        scenario = Scenario(seed=seed)
        verdict = scenario.run()
        assert verdict.failed is None, "\n".join(
            (*verdict.recent, f"seed {seed}: {verdict.failed}", f"rerun: {scenario.command()} --verbose")
        )
        assert verdict.committed > 0 or verdict.refused


def test_histories_hold_what_is_judged():
    """Clients repeat values, so some writes write nothing; they read both ways, and watch."""
    clients = {"register_clients": 3, "readers": 2, "watchers": 2, "memory_interval_ms": 0}
    simulation = Simulation(3, replace(options_of(3), **clients))
    verdict = simulation.run()
    assert verdict.failed is None, verdict.failed
    offsets = [one.acknowledged for one in simulation.registers.history if one.key and one.acknowledged is not None]
    assert len(set(offsets)) < len(offsets), "some are acknowledged at the offset of another"
    assert {read.linearizable for read in simulation.readers.answers} == {True, False}
    assert simulation.watchers.batches > 0


def test_histories_with_topics_hold_what_is_judged():
    """Leaders move back to preferred replicas, and a partition without a replica in sync elects an eligible one."""
    options = Options(
        observers=0,
        clients=1,
        write_interval_ms=200,
        duration_ms=8_000,
        topics=True,
        imbalance_percentage=0,
        elections_per_step=1,
        elr=True,
    )
    simulation = Simulation(4, options)
    verdict = simulation.run()
    assert verdict.failed is None, verdict.failed
    assert simulation.balancer.moved > 0 or IS_COMPILED
    assert simulation.partitions.eligible > 0
    assert simulation.partitions.elected_from_elr > 0


@pytest.mark.slow
def test_equal_logs_give_equal_states():
    """Nodes that compare digests several times a second never find a difference, whatever happens to them."""
    agreed = 0
    for seed in range(501, 501 + SEEDS_PER_SHARE):
        simulation = Simulation(seed, replace(options_of(seed), digest_interval_ms=100))
        verdict = simulation.run()
        assert verdict.failed is None, "\n".join((*verdict.recent, f"seed {seed}: {verdict.failed}"))
        agreed += simulation.digests.agreed
    assert agreed > SEEDS_PER_SHARE, "states were compared"


@pytest.mark.slow
def test_the_same_seed_is_the_same_history_whatever_the_hash_seed():
    """Two processes with different PYTHONHASHSEED print the same digests."""
    command = [sys.executable, "-m", "tests.simulator", "--digests", "--seeds", str(REPEATED_SEEDS), "--first", "101"]
    root = Path(__file__).parents[2]
    outputs = [
        subprocess.run(
            command, cwd=root, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count("digest ") == REPEATED_SEEDS
    assert len(set(outputs[0].split())) > REPEATED_SEEDS, "different seeds are different histories"


LIES_ALONE = {"voters": 1, "lost_write_interval_ms": 300, "misdirected_interval_ms": 300, "spares": 0, "duplicate": 0}
LIES_ALONE |= {"membership_interval_ms": 0, "wipe_interval_ms": 0, "memory_interval_ms": 0}


def test_what_no_node_can_know_of_is_reported_as_a_limit():
    """A disk that takes back the end of an only voter's log ends the history, by name; a start that drops it fails."""
    verdicts = [Scenario(seed=seed, changes=LIES_ALONE).run() for seed in range(1, 31)]
    limits = [verdict.limit for verdict in verdicts if verdict.limit is not None]
    assert [verdict.failed for verdict in verdicts if verdict.failed is not None] == []
    assert limits
    assert all(limit.startswith("the end of the log from offset") for limit in limits)
    assert sum(verdict.refused for verdict in verdicts) > len(limits)
    dropped = Scenario(seed=1, changes=LIES_ALONE, bug="a start drops the last batch").run()
    assert (dropped.limit, dropped.failed is not None) == (None, True)


def test_the_table_of_planted_bugs_names_them_all():
    """The committed table has a row for every bug, in their order, and each was found; there are enough of them."""
    assert [row.bug for row in committed_rows()] == [bug.name for bug in BUGS]
    assert all(row.seed is not None and row.seed <= SEEDS_MAX for row in committed_rows())
    assert COMMITTED.read_text() == table(committed_rows())
    assert len(BUGS) >= PLANTED_MIN


@pytest.mark.slow
@pytest.mark.parametrize("row", committed_rows()[::3], ids=lambda row: row.bug)
def test_a_planted_bug_is_found_as_the_table_states(row: Found):
    """The seed of the committed table breaks the rule of the table, in a third of its rows.

    ``make planted``, which CI runs, has them all.
    """
    assert row.seed is not None
    found = Scenario(seed=row.seed, bug=row.bug).run()
    assert found.rule == row.rule, (
        "run `python -m tests.simulator --planted > tests/simulator/PLANTED.md`, and look at it"
    )


def test_an_eligible_replica_is_elected_only_when_none_is_in_sync():
    """The checker objects to an election from the ELR beside a replica in sync, and not to one after its loss."""
    broker = partial(SimpleNamespace, is_active=True, fenced=False)
    sound, fresh, other = broker(incarnation_id="sound"), broker(incarnation_id="fresh"), broker(incarnation_id="other")
    checker = PartitionsChecker(SimpleNamespace(topics=SimpleNamespace(unclean={"fresh"})))
    old = PartitionRegistration(
        replicas=(1, 2), directories=(b"", b""), isr=(1,), elr=(2,), leader=None, leader_epoch=1, partition_epoch=2
    )
    new = old._replace(isr=(2,), elr=(), leader=2, leader_epoch=2, partition_epoch=3)

    def check(after: SimpleNamespace) -> None:
        brokers = {1: sound, 2: other}
        images = (
            SimpleNamespace(cluster=SimpleNamespace(brokers=brokers | {1: one}), provenance=SimpleNamespace(offset=9))
            for one in (sound, after)
        )
        checker._check_election(*images, old, new)

    with pytest.raises(CheckFailed, match="a new leader is in sync or eligible"):
        check(sound)
    check(fresh)


def test_an_eligible_replica_replaces_no_leader_beside_a_live_one_in_sync():
    """A leader may be followed by an eligible replica only when no other member of its ISR could lead."""
    broker = partial(SimpleNamespace, is_active=True, fenced=False, serves_dir=lambda directory: directory == b"")
    checker = PartitionsChecker(SimpleNamespace(topics=SimpleNamespace(unclean=set())))
    old = PartitionRegistration(
        replicas=(1, 2, 3),
        directories=(b"", b"", b""),
        isr=(1, 2),
        elr=(3,),
        leader=1,
        leader_epoch=1,
        partition_epoch=2,
    )
    new = old._replace(isr=(3,), elr=(), leader=3, leader_epoch=2, partition_epoch=3)

    def check(second: SimpleNamespace, new: PartitionRegistration = new) -> None:
        brokers = {number: broker(incarnation_id=number) for number in old.replicas}
        images = (
            SimpleNamespace(cluster=SimpleNamespace(brokers=brokers | {2: one}), provenance=SimpleNamespace(offset=9))
            for one in (brokers[2], second)
        )
        checker._check_election(*images, old, new)

    with pytest.raises(CheckFailed, match="no eligible replica is elected beside one in sync"):
        check(broker(incarnation_id=2))
    check(broker(incarnation_id=2, is_active=False))
    check(broker(incarnation_id=2, serves_dir=lambda _: False))
    check(broker(incarnation_id="another process"))
    check(broker(incarnation_id=2), new._replace(replicas=(1, 3), directories=(b"", b"")))
    check(broker(incarnation_id=2), new._replace(directories=(b"", b"another", b"")))


def test_a_broker_in_controlled_shutdown_is_elected_only_when_it_is_unfenced():
    """As in Kafka, whom a heartbeat unfences leads, even if its registration still says that it shuts down."""
    checker = PartitionsChecker(SimpleNamespace(topics=SimpleNamespace(unclean=set())))
    old = PartitionRegistration(
        replicas=(1,), directories=(b"",), isr=(1,), leader=None, leader_epoch=1, partition_epoch=1
    )
    new = old._replace(leader=1, leader_epoch=2, partition_epoch=2)

    def check(*, was_fenced: bool) -> None:
        images = (
            SimpleNamespace(
                cluster=SimpleNamespace(
                    brokers={1: SimpleNamespace(is_active=False, fenced=fenced, incarnation_id="one")}
                ),
                provenance=SimpleNamespace(offset=9),
            )
            for fenced in (was_fenced, False)
        )
        checker._check_election(*images, old, new)

    with pytest.raises(CheckFailed, match="no broker in controlled shutdown is elected"):
        check(was_fenced=False)
    check(was_fenced=True)


def test_a_planted_bug_that_does_not_fit_the_code_is_an_error(monkeypatch):
    """A bug that calls what the code no longer has stops the node by that: it would pass for found."""
    reported = "no bug stops a node: node 1: AttributeError: 'ClusterIdPublisher' object has no attribute '_announce'"
    honest = Scenario(seed=1, bug=BUGS[0].name).run()
    monkeypatch.setattr(Scenario, "run", lambda _self: replace(honest, failed=reported, rule="no bug stops a node"))
    with pytest.raises(PlantError, match=f"{BUGS[0].name}.*_announce"):
        search(BUGS[0].name)


@pytest.mark.parametrize("kind", ["bit flipped", "write lost"])
def test_what_is_synced_after_corruption_is_on_the_disk(kind):
    """A disk returned an older batch wrongly; the next one was durable, although a start is going to cut it off."""
    disk = SimulatedDisk(1, 1)
    make_directory_durably(disk.fs, disk.log_path)
    first, second = (encode_batch([b"x" * 40], base_offset=each, epoch=1, timestamp_ms=0) for each in (0, 1))
    file = disk.fs.open(join(disk.log_path, segment_name(0)), write=True, create=True)
    disk.fs.sync_directory(disk.log_path)
    file.pwrite(first, 0)
    file.sync()
    harm = KINDS[kind](disk.fs, random.Random(3))
    assert harm is not None
    disk.bit_rot(harm)
    file.pwrite(second, len(first))
    file.sync()
    disk.lose_power(random.Random(3))
    assert not disk.holds(first, 0, 1)
    assert disk.holds(second, 1, 2)


SHRUNK_EXAMPLES = (
    "the vote is written without fsync",
    "a snapshot forgets its last records",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHRUNK_EXAMPLES)
@pytest.mark.landing
def test_a_failing_history_is_made_small(name):
    """What is left is smaller, breaks the same rule, and is had again by the line that is printed."""
    row = next(row for row in committed_rows() if row.bug == name)
    scenario = Scenario(seed=row.seed, bug=row.bug)
    verdict = scenario.run()
    shrunk = shrink(scenario, verdict, runs_max=SHRINKING_RUNS)
    assert shrunk.verdict.rule == verdict.rule
    assert shrunk.runs <= SHRINKING_RUNS
    assert _trouble(shrunk.scenario.options) < _trouble(scenario.options)
    words = shlex.split(shrunk.scenario.command())
    assert words[:3] == ["python", "-m", "tests.simulator"]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main(words[3:]) == 1
    assert f"FAILED {verdict.rule}" in printed.getvalue()
    assert f"digest {shrunk.verdict.digest}" in printed.getvalue()


def _trouble(options):
    kinds = sum(1 for name, plain in PLAIN.items() if getattr(options, name) != plain)
    return options.voters + options.observers + options.spares + kinds


def test_faults_are_left_out_by_their_names():
    """A history without some of its faults has the others still."""
    scenario = next(
        each for each in (Scenario(seed=seed) for seed in range(1, 50)) if len(each.run().happened) > FAULTS
    )
    happened = scenario.run().happened
    fewer = replace(scenario, left_out=frozenset(happened[:FAULTS])).run().happened
    assert not set(fewer) & set(happened[:FAULTS])
    assert fewer
    names = frozenset({"crash-3", "crash-4", "crash-5", "lost-write-1", "lost-write-3"})
    assert collapse(names) == ["crash-3:5", "lost-write-1", "lost-write-3"]
    assert expand(collapse(names)) == names


@pytest.mark.parametrize(
    ("arguments", "stated"),
    [
        (["--seed", "1", "--set", "votters=3"], "there is no option votters"),
        (["--seed", "1", "--set", "voters"], "'voters' is not an option with a number"),
        (["--seed", "1", "--without", "crash"], "'crash' is no fault's name"),
        (["--seed", "1", "--plant", "nothing"], "there is no planted bug 'nothing'"),
        (["--seeds", "0"], "0 is not at least 1"),
        (["--seeds", "1", "--first", "last"], "'last'"),
    ],
)
def test_a_wrong_command_line_is_refused(capsys, arguments, stated):
    """What is wrong is named."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == WRONG_COMMAND_LINE
    assert stated in capsys.readouterr().err


def test_every_line_of_the_known_seeds_is_a_history():
    """What failed once is had again at every landing; a line that is none is named."""
    scenarios = known_scenarios(FILE.read_text())
    assert len(set(scenarios)) == len(scenarios) > KNOWN_MIN
    assert known_scenarios("# nothing\n\n- --seed 7 # why\n") == [Scenario(seed=7)]
    for wrong in ("90 --seed 7", "- --seed", "- --sed 7", "- --seed 7 --set votters=1", "- --seed 7 --without x"):
        with pytest.raises(ValueError, match=r"seeds.txt line 2"):
            known_scenarios(f"- --seed 1\n{wrong}\n")


def test_a_commit_has_seeds_of_its_own(capsys):
    """They are the same for the same commit, no other commit's, and printed with the line that has them again."""
    commits = ("31c66520", "31c66521", "f" * 40, "0" * 40)
    firsts = sorted(first_seed_of(commit) for commit in commits)
    assert all(later - first >= SEEDS_PER_COMMIT for first, later in itertools.pairwise(firsts))
    assert main(["--seeds", "1", "--jobs", "1", "--first", str(first_seed_of("31c6652f0"))]) == 0
    assert f"--seeds 1 --first {first_seed_of('31c6652f0')}" in capsys.readouterr().out


def test_without_git_the_sources_report_where_the_search_begins(monkeypatch):
    """A search in an unpacked archive is about other seeds than the one before, too."""
    assert re.fullmatch("[0-9a-f]{40,64}", head())
    monkeypatch.setenv("PATH", "")
    assert head() == digest_of_sources()
    assert first_seed_of(head()) > 0


def test_sets_that_are_on_their_way_keep_their_majority():
    """Who is held down at the end of the faults is not needed by a change that was asked for and is not made yet."""
    simulation = Simulation(1, Options(voters=3, observers=0, dynamic=True, spares=1))
    for node in simulation.all_nodes():
        node.start()
    first = simulation.first_voters
    assert simulation._sets_to_come([first]) == []
    asked = simulation.network.nodes[1]
    simulation.network.ask(asked, RemoveRaftVoterRequest(cluster_id=None, voter=first.by_id(2).key), lambda _: None)
    assert [voters.ids for voters in simulation._sets_to_come([first])] == [(1, 3)]
    spare = simulation.network.nodes[4].key
    joins = AddRaftVoterRequest(cluster_id=None, voter=spare, endpoints=(), timeout_ms=1_000, ack_when_committed=True)
    simulation.network.ask(asked, joins, lambda _: None)
    coming = simulation._sets_to_come([first])
    assert [voters.ids for voters in coming] == [(1, 3), (1, 2, 3, 4)]
    for _ in range(20):
        held_down = simulation._minority([first, *coming], {1, 2, 3, 4})
        assert all(len(set(voters.ids) - held_down) >= voters.majority for voters in (first, *coming))
    asked.die(powered_off=True)
    assert simulation._sets_to_come([first]) == [], "who is down has forgotten what it was asked"


def test_seeds_differ_in_what_goes_wrong():
    """Over a few hundred seeds every kind of fault is both switched on and left out."""
    drawn = [options_of(seed) for seed in range(300)]
    for fault in (
        "lost",
        "duplicated",
        "reordered",
        "partition_interval_ms",
        "one_way_interval_ms",
        "crash_interval_ms",
        "slow_syncs",
        "sync_failure_interval_ms",
        "disk_full_interval_ms",
        "skew_ms",
        "drift",
        "crash_after_vote",
        "jump_interval_ms",
        "duplicate",
        "wipe_interval_ms",
        "vote_loss_interval_ms",
        "flip_interval_ms",
        "misdirected_interval_ms",
        "lost_write_interval_ms",
        "membership_interval_ms",
        "transfer_interval_ms",
        "snapshot_interval_ms",
        "digest_interval_ms",
        "memory_interval_ms",
        "register_clients",
        "cut_with_clients",
        "readers",
        "watchers",
        "watchers_restarted",
        "forged_interval_ms",
        "identity",
        "flood_interval_ms",
        "topics",
        "rebalance",
        "elr",
    ):
        on = sum(1 for options in drawn if getattr(options, fault))
        assert 0 < on < len(drawn), fault
    assert {options.voters for options in drawn} == {1, 2, 3, 5}
    assert {options.elections_per_step for options in drawn if options.topics} == {1, 2, ELECTIONS_PER_STEP_MAX}
