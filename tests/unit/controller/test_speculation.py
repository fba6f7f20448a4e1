"""What was appended and is not committed yet: as if it was replayed; and committed, as if it was never made before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.controller.requests import SetConfigs
from kraftpy.controller.set_configs import set_configs
from kraftpy.controller.speculation import Speculation
from kraftpy.image import MetadataLoader
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.proposed import by_batches
from kraftpy.image.provenance import Provenance
from kraftpy.model.invariant import InvariantViolation
from kraftpy.records.metadata import (
    BeginTransactionRecord,
    ConfigRecord,
    NoOpRecord,
    RegisterControllerRecord,
    RemoveTopicRecord,
    TopicRecord,
    encode_for_level,
)
from tests.unit.image.support import EPOCH, LEVEL, batch, batches, control_batch, replay, start, values_batch

TOPIC_ID = bytes(range(16))
NAMES = ("a", "b")

configs = st.builds(
    ConfigRecord,
    st.sampled_from((2, 16)),
    st.sampled_from(NAMES),
    st.sampled_from("kl"),
    st.sampled_from((None, "1", "2")),
)
results = st.one_of(
    st.lists(configs, min_size=1, max_size=3),
    st.just([TopicRecord(name="a", topic_id=TOPIC_ID)]),
    st.just([RemoveTopicRecord(topic_id=TOPIC_ID)]),
)
steps = st.lists(st.one_of(results, st.integers(0, 3), st.sampled_from(("look", "resign"))), max_size=20)


class Naive:
    """A plain twin: every state there was, replayed from the beginning."""

    def __init__(self):
        self.images = [EMPTY]
        self.committed = 0

    def append(self, records):
        delta = MetadataDelta(self.images[-1])
        delta.replay_all(records)
        offset = self.images[-1].provenance.offset + len(records)
        self.images.append(delta.apply(Provenance(offset, 1, -1, batch_aligned=True)))
        return offset

    @property
    def has_topic(self):
        return self.images[-1].topics.named("a") is not None


@given(steps)
def test_it_reads_as_if_everything_was_replayed(steps):
    """A value is lost, comes back, or is seen too early, after any mixture of appends, commits and resignations."""
    naive, speculation = Naive(), Speculation()
    for step in steps:
        if step == "look":
            assert speculation.latest.same_content(naive.images[-1])
            assert speculation.latest.provenance.offset == naive.images[-1].provenance.offset
        elif step == "resign":
            assert speculation.revert() is naive.images[naive.committed]
            del naive.images[naive.committed + 1 :]
        elif isinstance(step, int):
            naive.committed = min(naive.committed + step, len(naive.images) - 1)
            image = naive.images[naive.committed]
            speculation.commit(image.provenance.offset, image)
        else:
            if isinstance(step[0], (RemoveTopicRecord if not naive.has_topic else TopicRecord)):
                continue
            speculation.append(step, naive.append(step), 1)
        newest = naive.images[-1]
        assert len(speculation) == len(naive.images) - 1 - naive.committed
        assert speculation.latest_but_configs.topics == newest.topics
        for kind in (2, 16):
            for name in NAMES:
                assert dict(speculation.configs_of((kind, name))) == dict(newest.configs.of(kind, name))
    assert speculation.latest.same_content(naive.images[-1])


def test_what_is_committed_before_anybody_looks_is_never_replayed():
    """Configs are replayed a second time although the committed image has them already."""
    naive, speculation = Naive(), Speculation()
    for value in "123":
        speculation.append([ConfigRecord(16, "a", "k", value)], naive.append([ConfigRecord(16, "a", "k", value)]), 1)
    speculation.commit(2, naive.images[-1])
    assert speculation.latest is naive.images[-1]
    assert len(speculation) == 0


def test_what_is_committed_in_part_stands_on_the_committed_image():
    """After a commit the rest still hangs on the image before it, which so is never let go of; or it is lost."""
    naive, speculation = Naive(), Speculation()
    for name in "abc":
        speculation.append([ConfigRecord(16, name, "k", "1")], naive.append([ConfigRecord(16, name, "k", "1")]), 1)
    other = MetadataDelta(naive.images[2])
    other.replay(ConfigRecord(16, "d", "k", "1"))
    committed = other.apply(naive.images[2].provenance)
    speculation.commit(1, committed)
    assert {name for _, name in speculation.latest.configs.resources()} == set("abcd")
    assert speculation.revert() is committed


# The loader is given what was proposed.

START = [*start(), ConfigRecord(4, "", "before", "1")]


def config(name, key="k", value="1"):
    return ConfigRecord(16, name, key, value)


def encoded(records):
    return [encode_for_level(record, LEVEL) for record in records]


class Leader:
    """A speculation and a loader over one log, which commits when it is told to."""

    def __init__(self, *more):
        self.log = [*START, *more]
        self.committed = len(self.log)
        self.loader = MetadataLoader()
        self.loader.load_batches(batches(self.log))
        self.speculation = Speculation()
        self.speculation.reset(self.loader.image)

    def append(self, *records, epoch=EPOCH):
        self.log += records
        self.speculation.append(records, len(self.log) - 1, epoch, encoded(records))

    def set(self, key, value, *names):
        """Append what the short way through the rules makes of a request; it may be nothing."""
        records = tuple(encoded([config(name, key, value) for name in names]))
        request = SetConfigs(16, names, (key,) * len(names), (value,) * len(names), records)
        result = set_configs(
            self.loader.image, self.speculation.configs_of, self.speculation.configs_of_type, request
        )  # fmt: skip
        if result.records:
            self.log += result.records
            values = encoded(result.records)
            self.speculation.append(result.records, len(self.log) - 1, EPOCH, values)

    def framed(self, *sizes):
        """Frame what is not committed yet, in batches of these sizes, the last one with the rest."""
        base, made = self.committed, []
        for size in (*sizes, len(self.log)):
            if records := self.log[base : base + size]:
                made.append(batch(base, records))
                base += len(records)
        return made

    def proposed(self, made):
        return self.speculation.proposed(made[0].base_offset, made[-1].next_offset)

    def commit(self, made):
        """Load batches as a state machine does; say whether they were replayed, and what was published."""
        before, images = self.loader.image, [step.image for step in self.proposed(made)]
        published = self.loader.load_proposed(made, self.proposed(made))
        self.committed = made[-1].next_offset
        self.speculation.commit(self.committed - 1, self.loader.image)
        for one in published:
            assert one.delta.image is before, "a delta stands on what publishers have seen"
            before = one.image
        adopted = [image.configs for image in images] == [one.image.configs for one in published] and bool(images)
        return not (adopted and images[-1].configs is published[-1].image.configs), published


SETS = (("a",), ("b",), ("a", "b"))

step = st.one_of(
    st.tuples(st.just("configs"), st.sampled_from(NAMES), st.sampled_from([None, "1", "2"]), st.integers(1, 3)),
    st.tuples(st.just("set"), st.sampled_from(("metrics", "key-0")), st.sampled_from("12"), st.sampled_from(SETS)),
    st.just(("other",)),
    st.just(("turn",)),
    st.just(("look",)),
    st.just(("resign",)),
    st.tuples(st.just("commit"), st.lists(st.integers(1, 4), max_size=3), st.booleans()),
)


@given(st.lists(step, max_size=30))
def test_adopting_leads_where_replaying_leads(steps):
    """Whatever is appended, looked at and committed: it is published what a node publishes that replays its log."""
    leader, plain = Leader(), MetadataLoader()
    plain.load_batches(batches(START))
    for number, one in enumerate(steps):
        match one:
            case ("configs", name, value, count):
                leader.append(*(config(name, f"key-{i}", value) for i in range(count)))
            case ("set", key, value, names):
                leader.set(key, value, *names)
            case ("other",):
                leader.append(RegisterControllerRecord(controller_id=number, incarnation_id=bytes(16)))
            case ("turn",):
                leader.speculation.seal()
            case ("look",):
                assert leader.speculation.latest.same_content(replay(*leader.log))
            case ("resign",):
                leader.speculation.revert()
                del leader.log[leader.committed :]
            case ("commit", sizes, whole) if leader.committed < len(leader.log):
                made = leader.framed(*sizes)
                made = made if whole else made[:1]
                _, found = leader.commit(made)
                (expected,) = plain.load_batches(made)
                assert found[-1].image == expected.image
                assert found[-1].manifest.provenance == expected.manifest.provenance
                assert sum(each.manifest.batches for each in found) == expected.manifest.batches
                assert sum(each.manifest.bytes for each in found) == expected.manifest.bytes
                assert {name for each in found for name in configs_of(each)} == set(configs_of(expected))
                for each in found:
                    assert each.delta.apply(each.image.provenance) == each.image
    assert leader.speculation.latest.same_content(replay(*leader.log))


def configs_of(publication):
    configs = publication.delta.configs
    return () if configs is None else configs.changed


def test_what_was_proposed_is_not_replayed():
    """The very values that were decided stand in the published image, however the records were batched."""
    leader = Leader()
    value = "v" * 100
    leader.append(config("a"), config("b", "k", value))
    leader.append(config("c"))
    replayed, (published,) = leader.commit(leader.framed(1))
    assert not replayed
    assert published.image.configs.of(16, "b")["k"] is value
    assert leader.speculation.latest is published.image


def test_each_turn_is_published_by_itself():
    """A turn's image is lost, or later turns have to be made anew although nothing came between."""
    leader = Leader()
    for name in "abc":
        leader.append(config(name))
        leader.speculation.seal()
    newest = leader.speculation.latest
    replayed, published = leader.commit(leader.framed(1)[:1])
    assert not replayed
    assert [each.image.provenance.offset for each in published] == [3]
    replayed, published = leader.commit(leader.framed(1))
    assert not replayed
    assert [each.image.provenance.offset for each in published] == [4, 5]
    assert published[-1].image.configs is newest.configs


def test_what_cannot_be_adopted_is_replayed_and_later_turns_are_adopted_again():
    """Batches that end inside a step, hold other records, or that nobody told of are replayed."""
    leader = Leader()
    leader.append(config("a"))
    leader.append(config("b"), config("c"))
    assert leader.commit(leader.framed(2)[:1])[0], "it ends inside a step"
    assert leader.commit(leader.framed())[0], "it begins inside a step"
    leader.append(config("d"))
    leader.append(NoOpRecord())
    leader.append(config("e"))
    assert not leader.commit(leader.framed(1)[:1])[0]
    assert leader.commit(leader.framed(1)[:1])[0], "it holds another record"
    assert not leader.commit(leader.framed())[0], "it was made anew on what the other record led to"
    leader.log.append(config("g"))
    leader.speculation.append([config("g")], len(leader.log) - 1, EPOCH)
    assert leader.commit(leader.framed())[0], "nobody said what was proposed"
    assert leader.loader.image.same_content(replay(*leader.log))


def test_a_lost_reign_leaves_nothing_to_hand_over():
    """What falls away with the leadership is not handed over."""
    leader = Leader()
    leader.append(config("a"))
    assert leader.proposed(leader.framed())
    leader.speculation.revert()
    assert not leader.proposed(leader.framed())


def test_what_another_leader_wrote_is_replayed():
    """Proposals of a reign that was lost meet batches of the next one, at the same offsets."""
    leader = Leader()
    leader.append(config("a", value="mine"))
    (published,) = leader.loader.load_proposed(
        [batch(leader.committed, [config("a", value="theirs")], epoch=EPOCH + 1)], leader.proposed(leader.framed())
    )
    assert published.image.configs.of(16, "a")["k"] == "theirs"


def test_proposals_of_two_epochs_are_two_and_a_gap_ends_them():
    """Records of the quorum's own may stand between two results."""
    leader = Leader()
    leader.append(config("a"))
    leader.append(config("b"), epoch=EPOCH + 1)
    assert [each.epoch for each in leader.proposed(leader.framed())] == [EPOCH, EPOCH + 1]
    assert leader.commit(leader.framed())[0], "the log says that both are of one epoch"
    gap = Leader()
    gap.append(config("a"))
    gap.speculation.append([config("b")], gap.committed + 5, EPOCH, encoded([config("b")]))
    assert not gap.speculation.proposed(gap.committed, gap.committed + 6)
    assert len(gap.speculation.proposed(gap.committed, gap.committed + 1)) == 1


@pytest.mark.parametrize("values", [[config("a"), config("b", value="2")], [config("b"), config("a")]])
def test_another_value_at_the_same_place_and_epoch_stops_the_node(values):
    """The log and the proposal differ although offsets and epoch say that they are one: nobody knows which is right."""
    leader = Leader()
    leader.append(config("a"), config("b"))
    before, proposed = leader.loader.image, leader.proposed(leader.framed())
    with pytest.raises(InvariantViolation, match="what is committed is what its leader proposed"):
        leader.loader.load_proposed([values_batch(leader.committed, encoded(values))], proposed)
    assert leader.loader.image is before


def test_what_is_not_the_proposal_is_replayed():
    """Batches of another epoch, at other offsets or of control records are never taken for what was proposed."""
    leader = Leader()
    leader.append(config("a"), config("b"))
    proposed, at = leader.proposed(leader.framed()), leader.committed
    assert [[each.base_offset for each in mine] for mine in by_batches(proposed, leader.framed(1))] == [[at, at + 1]]
    assert by_batches(proposed, [batch(at, [config("a"), config("b")], epoch=EPOCH + 1)]) is None
    assert by_batches(proposed, [batch(at, [config("a")])]) is None
    assert by_batches(proposed, [batch(at - 1, [config("0")]), batch(at, [config("a"), config("b")])]) is None
    assert by_batches(proposed, [batch(at, [config("a"), config("b")]), batch(at + 2, [config("c")])]) is None
    assert by_batches(proposed, [control_batch(at)]) is None
    later = [replace(proposed[0], base_offset=at + 9)]
    (published,) = leader.loader.load_proposed([batch(at, [config("c")])], later)
    assert published.image.configs.of(16, "c")["k"] == "1"
    assert leader.loader.load_proposed([], later) == []


def test_a_delta_over_another_image_is_not_adopted():
    """A snapshot took the loader elsewhere: equal is not enough, and here it is not even equal."""
    leader = Leader()
    leader.append(config("a"))
    proposed, made = leader.proposed(leader.framed()), leader.framed()
    elsewhere = MetadataLoader(image_with(leader.loader.image, config("lost", value="9")))
    (published,) = elsewhere.load_proposed(made, proposed)
    assert published.image.configs.of(16, "lost")["k"] == "9"
    assert published.image.configs.of(16, "a")["k"] == "1"


def image_with(image, *records):
    delta = MetadataDelta(image)
    delta.replay_all(records)
    return delta.apply(image.provenance)


def test_proposals_inside_a_transaction_are_not_seen():
    """An image inside a transaction is not to be seen, whoever decoded its records."""
    leader = Leader(BeginTransactionRecord("t"))
    leader.append(config("a"))
    assert leader.commit(leader.framed()) == (True, [])
    assert not leader.loader.image.configs.of(16, "a")
