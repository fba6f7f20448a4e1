"""Digests compared: who counts, what is forgotten, what is never judged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.model.digests import DIGEST_BYTES, NO_DIGEST, StateDigest
from kraftpy.model.errors import ErrorCode
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft import digest_tracker as ledger_module
from kraftpy.raft.config import RaftConfig, RecoveredState
from kraftpy.raft.digest_tracker import OFFSETS_KEPT, DigestTracker, LocalDigests, place_of
from kraftpy.raft.guards.state_digests import UNJUDGED_MAX
from kraftpy.raft.messages import FetchRequest, FetchResponse, FetchSnapshotRequest
from kraftpy.raft.ready import NoDigestMajority, Role, StateDigestMismatch, StateDigestVerified
from kraftpy.raft.snapshot_fetches import SNAPSHOT_FETCH_MS_MAX
from tests.fakes.raft_cluster import voter_set
from tests.fakes.raft_solo import Solo, fetch, key_of

OLD, NEW = OffsetAndEpoch(1, 4), OffsetAndEpoch(1, 8)
KINDS = (StateDigestVerified, StateDigestMismatch, NoDigestMajority)


def digest(offset: int, word: str, scheme: int = 1) -> StateDigest:
    return StateDigest(offset, bytes((scheme,)) + word.encode().ljust(DIGEST_BYTES - 1, b"\0"))


def leading(voters: tuple[int, ...] = (1, 2, 3)) -> Solo:
    """Replica 1 leads epoch 1 with one record of its own."""
    solo = Solo(voters=voters)
    solo.become_leader()
    solo.drain()
    return solo


def own(solo: Solo, made: StateDigest) -> None:
    solo.replica.record_state_digest(solo.now_ms, made)
    solo.drain()


def tell(solo: Solo, node_id: int, made: StateDigest | None, *, key: ReplicaKey | None = None) -> FetchResponse:
    request = fetch(1, 1, 1, replica=node_id, max_wait_ms=0)
    return solo.ask(replace(request, replica=key or key_of(node_id), state=made))


def stated(solo: Solo) -> list[object]:
    return [event for event in solo.events if isinstance(event, KINDS)]


def test_the_answer_states_what_is_agreed() -> None:
    """Nothing is agreed before a majority reports; then only replicas that report that offset get the digest."""
    solo = leading()
    assert tell(solo, 2, digest(1, "a")).agreed is None
    own(solo, digest(1, "a"))
    assert stated(solo) == [StateDigestVerified(digest(1, "a"))]
    assert tell(solo, 3, digest(1, "x")).agreed == digest(1, "a")
    assert stated(solo)[1:] == [StateDigestMismatch(key_of(3), digest(1, "x"), digest(1, "a"), 1)]
    assert tell(solo, 2, None).agreed is None
    assert solo.replica.agreed_state == digest(1, "a")


def test_observers_are_judged_and_do_not_count() -> None:
    """Two observers and a leader say the same, of three voters one: that is no majority."""
    solo = leading()
    own(solo, digest(1, "a"))
    assert tell(solo, 7, digest(1, "a")).agreed is None
    assert tell(solo, 8, digest(1, "a")).agreed is None
    assert stated(solo) == []
    assert tell(solo, 3, digest(1, "a")).agreed == digest(1, "a")


def test_what_a_replica_reports_of_a_log_that_it_does_not_hold_is_no_digest() -> None:
    """An observer that reports offsets beyond the log does not displace what the voters report."""
    solo = leading()
    for number in range(OFFSETS_KEPT):
        tell(solo, 7, digest(10**15 + number, "x"))
    own(solo, digest(1, "a"))
    assert tell(solo, 2, digest(1, "a")).agreed == digest(1, "a")


def test_another_directory_under_a_voters_id_does_not_count() -> None:
    """A replica that is rejected for its duplicate node id does not count in the digests."""
    solo = leading()
    tell(solo, 2, None)
    own(solo, digest(1, "a"))
    refused = tell(solo, 2, digest(1, "a"), key=ReplicaKey(2, bytes([9]) * 16))
    assert refused.partition_error is ErrorCode.DUPLICATE_VOTER
    assert stated(solo) == []


def test_a_single_voter_is_no_evidence_of_itself() -> None:
    """The only voter is the majority, but who differs from it has diverged only when another observer has not."""
    solo = Solo(voters=(1,))
    assert solo.role is Role.LEADER
    own(solo, digest(1, "a"))

    def observed(observer, state):
        return solo.ask(replace(fetch(1, 1, 1, replica=observer, max_wait_ms=0), state=state)).agreed

    assert observed(4, digest(1, "x")) == StateDigest(1, NO_DIGEST)
    assert [type(event) for event in stated(solo)] == [NoDigestMajority]
    assert observed(5, digest(1, "a")) == digest(1, "a")
    diverged = StateDigestMismatch(key_of(4), digest(1, "x"), digest(1, "a"), 1)
    assert set(stated(solo)[1:]) == {StateDigestVerified(digest(1, "a")), diverged}
    assert observed(4, digest(1, "x")) == digest(1, "a")


def test_schemes_are_not_compared() -> None:
    """Digests of an older software are neither agreed with nor disputed: they cannot be compared."""
    solo = leading()
    own(solo, digest(1, "a", scheme=2))
    assert tell(solo, 2, digest(1, "a", scheme=1)).agreed is None
    assert tell(solo, 3, digest(1, "b", scheme=1)).agreed == StateDigest(1, NO_DIGEST)
    assert [type(event) for event in stated(solo)] == [NoDigestMajority]
    assert tell(solo, 3, digest(1, "a", scheme=2)).agreed == digest(1, "a", scheme=2)


def test_a_leader_in_the_minority_resigns() -> None:
    """It hears the others at its own offset only after they agree; its pending fetches are answered all the same."""
    solo = leading()
    own(solo, digest(1, "z"))
    tell(solo, 2, digest(1, "c"))
    answer = tell(solo, 3, digest(1, "c"))
    assert solo.role is Role.RESIGNED
    assert answer.partition_error is ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert StateDigestMismatch(key_of(1), digest(1, "z"), digest(1, "c"), 1) in solo.events


def test_a_leader_counts_what_it_made_before_it_led() -> None:
    """A digest of a follower that was elected meanwhile is one of the majority."""
    solo = Solo()
    own(solo, digest(1, "a"))
    solo.become_leader()
    assert tell(solo, 2, digest(1, "a")).agreed == digest(1, "a")


def test_a_fetch_reports_a_digest_until_it_was_judged() -> None:
    """A follower says it again and again, the newest one; an answer about what it never made means nothing."""
    solo = Solo(node_id=2)
    solo.follow(1)
    own(solo, digest(1, "a"))
    solo.fetched()
    for agreed in (None, digest(9, "q"), digest(1, "a")):
        assert solo.last_sent(FetchRequest).request.state == digest(1, "a")
        assert stated(solo) == []
        solo.fetched(agreed=agreed)
    assert stated(solo) == [StateDigestVerified(digest(1, "a"))]
    assert solo.last_sent(FetchRequest).request.state is None


def test_a_follower_hears_that_it_diverged() -> None:
    """It says so of itself, once, and goes on to fetch: what is to be done is up to the node."""
    solo = Solo(node_id=2)
    solo.follow(1)
    own(solo, digest(1, "x"))
    solo.fetched()
    solo.fetched(agreed=digest(1, "a"))
    assert stated(solo) == [StateDigestMismatch(key_of(2), digest(1, "x"), digest(1, "a"), 1)]
    assert solo.role is Role.FOLLOWER
    assert solo.last_sent(FetchRequest).request.state is None


def test_old_places_are_forgotten() -> None:
    """Replicas and leaders keep a bounded number of offsets, and older ones are not compared."""
    mine, ledger = LocalDigests(), DigestTracker()
    for offset in range(2 * OFFSETS_KEPT):
        mine.add(digest(offset, "a"))
        assert ledger.note(key_of(1), digest(offset, "a")) is not None
    assert len(mine.made) == len(ledger.places) == OFFSETS_KEPT
    assert ledger.note(key_of(2), digest(0, "a")) is None
    assert ledger.agreed_at(place_of(digest(0, "a"))) is None


def test_only_so_many_replicas_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand observers in disagreement take bounded memory; a tracked one may change its report."""
    monkeypatch.setattr(ledger_module, "REPORTED_MAX", 2)
    ledger = DigestTracker()
    assert [ledger.note(key_of(i), digest(1, "a")) is None for i in (1, 2, 3, 1)] == [False, False, True, False]


@pytest.mark.parametrize(
    ("words", "agreed"), [("aa", None), ("aab", None), ("aaab", "a"), ("abaab", "a"), ("aabbc", None)]
)
def test_a_majority_of_five(words: str, agreed: str | None) -> None:
    """Three of five voters decide, in whatever order they report."""
    ledger = DigestTracker()
    statements = None
    for node_id, word in enumerate(words, 1):
        statements = ledger.note(key_of(node_id), digest(1, word))
    assert statements is not None
    assert statements.majority(voter_set((1, 2, 3, 4, 5))) == (agreed and digest(1, agreed))


def with_snapshots(node_id: int = 1, start: int = 4) -> Solo:
    """A log of ten records with a snapshot at 4 and one at 8, which the process before has left."""
    recovered = RecoveredState(log_start_offset=start, log_end_offset=10, epochs=((1, start),), snapshots=(OLD, NEW))
    return Solo(node_id=node_id, recovered=recovered, compares_state=True)


def leading_with_snapshots(start: int = 4) -> Solo:
    solo = with_snapshots(start=start)
    solo.become_leader()
    solo.drain()
    return solo


def offered(solo: Solo, *, offset: int = 0) -> OffsetAndEpoch | None:
    return solo.ask(fetch(solo.replica.epoch, offset, min(offset, 1), replica=3, max_wait_ms=0)).snapshot_id


def state_of(solo: Solo, node_id: int, made: StateDigest) -> FetchResponse:
    request = fetch(solo.replica.epoch, 10, 1, replica=node_id, max_wait_ms=0)
    return solo.ask(replace(request, state=made))


def passes(solo: Solo, time_ms: int) -> None:
    """Let time pass in which a voter goes on fetching, so that the leader leads on."""
    until_ms = solo.now_ms + time_ms
    while solo.now_ms < until_ms:
        solo.now_ms = min(solo.now_ms + 1_000, until_ms)
        state_of(solo, 2, digest(7, "a"))


def served(solo: Solo, snapshot_id: OffsetAndEpoch) -> ErrorCode:
    request = FetchSnapshotRequest(
        cluster_id="cluster",
        replica=key_of(3),
        epoch=solo.replica.epoch,
        snapshot_id=snapshot_id,
        position=0,
        max_bytes=100,
    )
    return solo.ask(request).partition_error


def test_a_snapshot_is_kept_while_it_is_fetched() -> None:
    """For as long as requests for it come, and no longer than the limit; the next leader knows nothing of it."""
    solo = leading_with_snapshots()
    replica = solo.replica
    assert not replica.is_being_fetched(OLD)
    began_ms = solo.now_ms
    assert served(solo, OLD) is ErrorCode.NONE
    while solo.now_ms - began_ms < SNAPSHOT_FETCH_MS_MAX:
        assert (replica.is_being_fetched(OLD), replica.is_being_fetched(NEW)) == (True, False)
        passes(solo, 1_000)
        assert served(solo, OLD) is ErrorCode.NONE
    assert not replica.is_being_fetched(OLD), "no replica pins it for good"


def test_a_fetch_of_a_snapshot_that_comes_to_nothing_keeps_it_for_a_pause() -> None:
    """A replica that died, or has all of it, asks no more."""
    solo = leading_with_snapshots()
    assert served(solo, NEW) is ErrorCode.SNAPSHOT_NOT_FOUND
    assert not solo.replica.is_being_fetched(NEW), "what is not served is not kept"
    assert served(solo, OLD) is ErrorCode.NONE
    for since_ms, is_kept in ((0, True), (3 * RaftConfig().request_timeout_ms - 1, True), (1, False)):
        passes(solo, since_ms)
        assert solo.replica.is_being_fetched(OLD) == is_kept


def test_a_snapshot_that_was_dropped_is_forgotten() -> None:
    """What is remembered of fetches does not outgrow the snapshots that there are."""
    solo = leading_with_snapshots()
    assert served(solo, OLD) is ErrorCode.NONE
    assert solo.replica.is_being_fetched(OLD)
    own_end = solo.replica.log_end_offset
    solo.ask(fetch(solo.replica.epoch, own_end, solo.replica.epoch, max_wait_ms=0))
    solo.replica.log_start_advanced(NEW.offset, (NEW,))
    assert not solo.replica.is_being_fetched(OLD)


def test_a_snapshot_is_offered_when_a_majority_had_the_state_after_it() -> None:
    """Until then a follower gets the snapshot that the log starts at, and an empty one gets the log.

    A digest of the snapshot's own end may have been made before it, of a memory that has changed since.
    """
    solo = leading_with_snapshots()
    for made in (None, digest(7, "a"), digest(8, "a")):
        if made is not None:
            own(solo, made)
            state_of(solo, 2, made)
            assert solo.replica.agreed_state == made
        assert offered(solo) == offered(solo, offset=2) == OLD
        assert served(solo, OLD) is ErrorCode.NONE
        assert served(solo, NEW) is ErrorCode.SNAPSHOT_NOT_FOUND
    own(solo, digest(9, "a"))
    state_of(solo, 2, digest(9, "a"))
    assert offered(solo) == offered(solo, offset=2) == NEW
    assert served(solo, NEW) is ErrorCode.NONE
    state_of(solo, 2, digest(7, "a"))
    assert offered(solo) == NEW, "what comes late takes nothing back"


def test_a_log_that_starts_before_its_first_snapshot_offers_that_one() -> None:
    """A restart finds the log's start where its first segment begins; what is below must come from somewhere."""
    solo = leading_with_snapshots(start=2)
    assert offered(solo) == offered(solo, offset=1) == OLD
    assert offered(solo, offset=3) is None
    assert not solo.replica.is_servable(NEW)


def test_an_empty_log_is_filled_from_the_log_while_no_snapshot_has_a_majority() -> None:
    """A log that begins at 0 has all that an empty fetcher needs."""
    solo = leading_with_snapshots(start=0)
    assert offered(solo) is None
    own(solo, digest(9, "a"))
    state_of(solo, 2, digest(9, "a"))
    assert offered(solo) == NEW


def test_nothing_is_agreed_below_an_agreement() -> None:
    """Two that had the same wrong state there, by a snapshot of one of them, do not outvote the one that is right."""
    solo = leading_with_snapshots()
    own(solo, digest(7, "wrong"))
    state_of(solo, 2, digest(7, "a"))
    own(solo, digest(9, "a"))
    state_of(solo, 2, digest(9, "a"))
    assert solo.replica.agreed_state == digest(9, "a")
    state_of(solo, 3, digest(7, "wrong"))
    assert state_of(solo, 2, digest(7, "a")).agreed == StateDigest(7, NO_DIGEST)
    assert not [event for event in stated(solo) if isinstance(event, StateDigestMismatch)]
    assert solo.replica.agreed_state == digest(9, "a")


def test_what_an_older_leader_left_uncommitted_is_cut_while_no_snapshot_has_a_majority() -> None:
    """Its epoch is not in this log, which begins at 0: both have nothing in common, whatever snapshot is here."""
    recovered = RecoveredState(log_end_offset=10, epochs=((3, 0),), snapshots=(OffsetAndEpoch(3, 8),))
    leader = Solo(recovered=recovered, compares_state=True)
    leader.become_leader()
    leader.drain()
    answer = leader.ask(fetch(leader.replica.epoch, 2, 1, replica=3, max_wait_ms=0))
    assert answer.diverging == OffsetAndEpoch(1, 0)

    follower = Solo(node_id=3, recovered=RecoveredState(log_end_offset=2, epochs=((1, 0),)))
    follower.follow(1, epoch=leader.replica.epoch)
    follower.fetched(diverging=answer.diverging)
    assert follower.replica.log_end_offset == 0


def test_a_leader_of_the_wrong_state_offers_nothing_however_long_voters_disagree() -> None:
    """One against one, neither is known to be right, so no other node gets the state of either."""
    solo = leading_with_snapshots()
    for number in range(2 * OFFSETS_KEPT):
        own(solo, digest(9 + number, "x"))
        if number == 0:
            assert state_of(solo, 2, digest(9, "a")).agreed == StateDigest(9, NO_DIGEST)
        assert offered(solo) == OLD, number


def test_an_only_voter_offers_nothing_that_every_observer_contradicts() -> None:
    """Its memory may be what is wrong: the log from which the right state can be made stays, and is what others get."""
    recovered = RecoveredState(log_start_offset=4, log_end_offset=10, epochs=((1, 4),), snapshots=(OLD, NEW))
    solo = Solo(voters=(1,), recovered=recovered, compares_state=True)
    assert solo.role is Role.LEADER
    for offset in range(8, 8 + UNJUDGED_MAX):
        own(solo, digest(offset, "x"))
        for observer in (4, 5):
            assert state_of(solo, observer, digest(offset, "a")).agreed == StateDigest(offset, NO_DIGEST)
        assert offered(solo) == OLD, offset
    assert state_of(solo, 6, digest(10, "x")).agreed == digest(10, "x")
    assert offered(solo) == NEW, "one of them says the same"


def test_a_follower_hears_that_voters_disagree() -> None:
    """It keeps its own snapshot to itself, too, until a majority has its state behind that."""
    solo = with_snapshots(node_id=2)
    solo.follow(1, epoch=2)
    for number in range(UNJUDGED_MAX):
        own(solo, digest(8 + number, "a"))
    assert solo.replica.is_servable(NEW)
    solo.fetched()
    solo.fetched(agreed=StateDigest(10, NO_DIGEST))
    assert not solo.replica.is_servable(NEW)
    assert solo.replica.is_servable(OLD)
    solo.fetched(agreed=digest(9, "a"))
    assert solo.replica.is_servable(NEW)


def test_where_digests_are_off_snapshots_are_used_as_they_are() -> None:
    """A quorum of Kafka's voters sends no digests: after some of its own a leader goes on without."""
    solo = leading_with_snapshots()
    for number in range(UNJUDGED_MAX):
        assert offered(solo) == OLD
        own(solo, digest(8 + number, "a"))
    assert offered(solo) == NEW
    assert Solo(recovered=RecoveredState(log_end_offset=10, epochs=((1, 0),), snapshots=(NEW,))).replica.is_servable(
        NEW
    )


def test_others_that_agreed_once_may_just_be_slow() -> None:
    """Then more digests have to stay without an answer before snapshots are used as they are."""
    solo = leading_with_snapshots()
    own(solo, digest(5, "a"))
    state_of(solo, 2, digest(5, "a"))
    for number in range(OFFSETS_KEPT):
        assert offered(solo) == OLD, number
        own(solo, digest(8 + number, "a"))
    assert offered(solo) == NEW


def test_an_agreement_that_is_heard_of_late_takes_back_none_that_is_newer() -> None:
    """A snapshot that a majority vouched for stays one."""
    mine = LocalDigests()
    for offset in (8, 4):
        mine.add(digest(offset, "a"))
        mine.agree(digest(offset, "a"))
    assert (mine.agreed, mine.are_agreed_after(7)) == (digest(8, "a"), True)


def test_what_is_offered_follows_every_change_at_once() -> None:
    """A snapshot that was just written, a log that was just cut, and voters that just came to disagree."""
    solo = leading_with_snapshots(start=0)
    assert offered(solo) is None
    solo.ask(fetch(solo.replica.epoch, solo.replica.log_end_offset, solo.replica.epoch, max_wait_ms=0))
    solo.replica.log_start_advanced(8, (NEW,))
    assert offered(solo) == NEW
    newer = OffsetAndEpoch(1, 10)
    solo.replica.snapshot_frozen(newer)
    assert offered(solo) == NEW
    for number in range(UNJUDGED_MAX):
        own(solo, digest(10 + number, "a"))
    assert offered(solo) == newer
    state_of(solo, 2, digest(10, "x"))
    assert offered(solo) == NEW
