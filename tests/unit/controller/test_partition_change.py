"""The rules that tie election, ISR, ELR and reassignment of one partition together (Kafka's PartitionChangeBuilder)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.controller.partition_change import Election, PartitionRules, PartitionTarget, partition_change
from kraftpy.image.partitions import LeaderRecoveryState, PartitionRegistration

TOPIC = bytes(range(16))
RECOVERED, RECOVERING = LeaderRecoveryState.RECOVERED, LeaderRecoveryState.RECOVERING
UNSET = {"leader": -2, "leader_recovery_state": -1}


def directory(broker):
    return (1_000 + broker).to_bytes(16, "big")


def partition(replicas, isr, leader, **fields):
    return PartitionRegistration(
        replicas=tuple(replicas),
        directories=tuple(map(directory, replicas)),
        isr=tuple(isr),
        leader=leader,
        **fields,
    )


def rules(live=range(100), *, level=30, elr=True, min_isr=1, offline=()):
    return PartitionRules(
        level=level,
        elr_enabled=elr,
        min_isr=min_isr,
        is_acceptable=lambda broker, where: broker in live and where not in offline,
        default_directory=directory,
    )


def change(before, given_rules=None, **target):
    """Return what a record sets, and the registration after it."""
    record = partition_change(TOPIC, 0, before, PartitionTarget(**target), given_rules or rules())
    if record is None:
        return {}, before
    names = (
        "leader", "isr", "replicas", "removing_replicas", "adding_replicas", "leader_recovery_state", "directories",
        "eligible_leader_replicas", "last_known_elr",
    )  # fmt: skip
    values = {name: getattr(record, name) for name in names}
    return {name: v for name, v in values.items() if v is not None and v != UNSET.get(name)}, before.merge(record)


def test_nothing_to_change_makes_no_record():
    """A target that is in force already writes nothing, epochs included."""
    assert change(partition([1, 2], [1, 2], 1), isr=(1, 2))[0] == {}


def test_directories_that_stay_as_they_are_are_not_written():
    """A new order of replicas whose directories are all unassigned names the replicas alone, as in Kafka's record."""
    unassigned = partition([1, 2], [1, 2], 1)._replace(directories=(bytes(16), bytes(16)))
    values, after = change(unassigned, replicas=(2, 1))
    assert values == {"replicas": [2, 1]}
    assert after.directories == (bytes(16), bytes(16))
    assert change(partition([1, 2], [1, 2], 1), replicas=(2, 1))[0]["directories"] == [directory(2), directory(1)]


def test_the_present_leader_stays_where_it_may():
    """An election keeps the leader although it is not the first replica."""
    assert change(partition([1, 2], [1, 2], 2))[0] == {}


def test_the_first_in_sync_replica_follows_a_lost_leader():
    """Replica order decides, and a dead or offline replica is passed over."""
    before = partition([1, 2, 3, 4], [1, 2, 3, 4], 1)
    found = rules(live={2, 3, 4}, elr=False, offline={directory(2)})
    assert change(before, found, isr=(2, 3, 4))[0] == {"leader": 3, "isr": [2, 3, 4]}


def test_without_elr_the_last_member_stays_in_the_isr():
    """The ISR never becomes empty without ELR: its last member is the proof of who has the data."""
    assert change(partition([1, 2], [1], 1), rules(live={2}, elr=False), isr=())[0] == {"leader": -1}


def test_an_elr_is_filled_emptied_and_elected_from_as_kafka_does():
    """The sequence that Kafka 4.3 wrote for replicas 11 and 12 with min ISR 2, record by record."""
    at_start = partition([11, 12], [11, 12], 11)
    made, one_left = change(at_start, rules(live={11}, min_isr=2), isr=(11,))
    assert made == {"isr": [11], "eligible_leader_replicas": [12]}
    made, none_left = change(one_left, rules(live=(), min_isr=2), isr=())
    assert made == {"leader": -1, "isr": [], "eligible_leader_replicas": [11, 12], "last_known_elr": [11]}
    made, back = change(none_left, rules(live={12}, min_isr=2))
    assert made == {"leader": 12, "isr": [12], "eligible_leader_replicas": [11], "last_known_elr": []}
    assert back.leader_recovery_state is RECOVERED
    made, whole = change(back, rules(min_isr=2), isr=(12, 11))
    assert made == {"isr": [12, 11], "eligible_leader_replicas": []}
    assert whole.leader_epoch == 2


def test_a_broker_that_stopped_uncleanly_leaves_the_elr():
    """It may have lost what it had acknowledged."""
    before = partition([1, 2, 3], [1], 1, elr=(2, 3))
    made, _ = change(before, rules(min_isr=3), isr=(1,), unclean_shutdown=frozenset({2}))
    assert made == {"eligible_leader_replicas": [3]}


def test_enough_in_sync_replicas_empty_the_elr():
    """At min ISR, or with every replica in sync, no replica outside the ISR is eligible."""
    before = partition([1, 2], [1], 1, elr=(2,), last_known_elr=(2,))
    assert change(before, rules(min_isr=5), isr=(1, 2))[0] == {
        "isr": [1, 2],
        "eligible_leader_replicas": [],
        "last_known_elr": [],
    }


def test_the_last_known_leader_is_kept_while_no_replica_leads():
    """Also with an ISR of min ISR, none of which may lead: Kafka forgets it when another replica does."""
    before = partition([1, 2], [1], None, last_known_elr=(2,))
    _, grown = change(before, rules(live=()), replicas=(1, 2, 3), adding_replicas=(3,))
    assert (grown.leader, grown.last_known_elr) == (None, (2,))
    assert change(before, rules(live={1}))[0] == {"leader": 1, "last_known_elr": []}


def test_the_last_known_leader_is_elected_uncleanly_and_only_alive():
    """With ISR and ELR empty, the one last known leader may lead; it has to recover."""
    before = partition([1, 2], [], None, last_known_elr=(1,))
    assert change(before, rules(live={2}, min_isr=2))[0] == {}
    assert change(before, rules(live={1, 2}, min_isr=2))[0] == {
        "leader": 1,
        "isr": [1],
        "leader_recovery_state": RECOVERING,
        "last_known_elr": [],
    }


def test_an_unclean_election_chooses_the_first_live_replica_and_marks_it():
    """Only where it is allowed; ISR and ELR are the new leader alone."""
    before = partition([1, 2, 3], [1], None, elr=(3,))
    alive = rules(live={2, 3}, min_isr=2)
    assert change(before, alive)[0] == {}
    made, _ = change(before, alive, election=Election.UNCLEAN)
    assert made == {"leader": 2, "isr": [2], "leader_recovery_state": RECOVERING, "eligible_leader_replicas": []}


def test_an_unclean_election_never_chooses_a_replica_that_is_only_being_added():
    """It holds nothing yet."""
    before = partition([1], [1], 1)
    found = rules(live={2}, elr=False)
    made, _ = change(before, found, replicas=(2, 1), adding_replicas=(2,), election=Election.UNCLEAN)
    assert made["leader"] == -1


def test_a_preferred_election_takes_the_first_replica_if_it_may_lead():
    """If not, the leader stays."""
    before = partition([1, 2, 3], [1, 2, 3], 2)
    assert change(before, election=Election.PREFERRED)[0] == {"leader": 1}
    assert change(before, rules(live={2, 3}), election=Election.PREFERRED)[0] == {}


@pytest.mark.parametrize(("level", "made"), [(11, {"leader": 1, "isr": [1]}), (12, {"isr": [1]})])
def test_a_shrinking_isr_bumps_the_leader_epoch_below_12(level, made):
    """From metadata.version 12 on it does not; a growing one never does."""
    before = partition([1, 2], [1, 2], 1)
    assert change(before, rules(level=level, elr=False), isr=(1,))[0] == made
    assert change(before._replace(isr=(1,)), rules(level=level, elr=False), isr=(1, 2))[0] == {"isr": [1, 2]}


@pytest.mark.parametrize(
    ("isr", "adding", "removing", "completes"),
    [
        ((2, 3), (4,), (1,), False),
        ((1, 4), (4,), (1,), True),
        ((2, 3, 4), (4,), (1,), True),
        ((4,), (4,), (1, 2), False),
        ((3, 4), (4,), (1, 2), True),
        ((1,), (), (1,), False),
    ],
    ids=["new one missing", "one out of sync", "all in sync", "fewer added, one missing", "fewer added", "empty ISR"],
)
def test_a_reassignment_completes_when_what_is_added_is_in_sync(isr, adding, removing, completes):
    """Only where fewer replicas are added than removed must all that remain be in sync."""
    before = partition([2, 3, 4, 1], [1, 2, 3], 2, adding_replicas=adding, removing_replicas=removing)
    _, after = change(before, rules(elr=False), isr=isr)
    assert (after.removing_replicas + after.adding_replicas == ()) is completes
    if completes:
        assert not set(after.replicas) & set(removing)
        assert not set(after.isr) & set(removing)


def test_a_removed_leader_is_succeeded_and_a_removed_replica_bumps_the_epoch():
    """Followers notice a smaller replica list by the new leader epoch."""
    before = partition([2, 3, 1], [2, 3, 1], 1, removing_replicas=(1,))
    made, after = change(before, isr=(2, 3, 1))
    assert (made["leader"], after.leader_epoch, after.replicas) == (2, 1, (2, 3))
    made, after = change(before._replace(leader=2), isr=(2, 3, 1))
    assert (made["leader"], after.leader_epoch) == (2, 1)


def test_directories_follow_the_replicas_from_17_on():
    """A replica keeps its directory, a new one gets its broker's default, below 17 none is written."""
    before = partition([1, 2], [1, 2], 1)
    made, after = change(before, replicas=(2, 1, 3), adding_replicas=(3,))
    assert made["directories"] == [directory(2), directory(1), directory(3)]
    assert after.directory(3) == directory(3)
    assert "directories" not in change(before, rules(level=16, elr=False), replicas=(2, 1))[0]
    assert change(before, directories={2: directory(7)})[0] == {"directories": [directory(1), directory(7)]}


brokers = st.integers(0, 5)
replica_lists = st.lists(brokers, min_size=1, max_size=5, unique=True)


@st.composite
def partitions(draw):
    """A registration that a controller can have written."""
    replicas = draw(replica_lists)
    elr_enabled = draw(st.booleans())
    isr = draw(st.lists(st.sampled_from(replicas), unique=True, min_size=0 if elr_enabled else 1))
    outside = [replica for replica in replicas if replica not in isr]
    elr = draw(st.lists(st.sampled_from(outside), unique=True)) if outside and elr_enabled else []
    leader = draw(st.sampled_from([None, *isr]))
    return elr_enabled, partition(replicas, isr, leader, elr=tuple(elr))


@given(
    partitions(),
    st.frozensets(brokers),
    st.sampled_from(Election),
    st.integers(1, 4),
    st.data(),
)
def test_what_holds_after_every_change(drawn, live, election, min_isr, data):
    """Leader in the ISR and alive, ISR among the replicas, ELR outside of it; the same change twice changes nothing."""
    elr_enabled, before = drawn
    leaver = data.draw(st.sampled_from([None, *before.replicas]))
    isr = tuple(replica for replica in before.isr if replica != leaver)
    given_rules = rules(live=live - {leaver}, elr=elr_enabled, min_isr=min_isr)
    made, after = change(before, given_rules, isr=isr, election=election)
    assert set(after.isr) <= set(after.replicas)
    assert not set(after.elr) & set(after.isr)
    assert elr_enabled or after.isr
    assert elr_enabled or not after.elr
    if after.leader is not None:
        assert after.leader in after.isr
    if after.leader != before.leader and after.leader is not None:
        assert after.leader in live
        eligible = {*before.elr, *before.isr} if elr_enabled and not isr else {*isr}
        was_in_sync = after.leader in eligible
        assert was_in_sync or election is Election.UNCLEAN
        assert (after.leader_recovery_state is RECOVERING) is not was_in_sync
    assert after.leader_epoch == before.leader_epoch + ("leader" in made)
    again, _ = change(after, given_rules, isr=after.isr, election=election)
    assert again.get("leader", after.leader) == after.leader
