"""What was appended and is not committed yet: as if it was replayed."""

from __future__ import annotations

import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.controller.uncommitted_state import UncommittedState
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.errors import ReplayError
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.model.invariant import InvariantViolation
from kraftpy.records.metadata import ConfigRecord, RemoveTopicRecord, TopicRecord

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
    st.just([TopicRecord(name="a", topic_id=TOPIC_ID), ConfigRecord(2, "a", "k", "1")]),
    st.just([RemoveTopicRecord(topic_id=TOPIC_ID)]),
)
steps = st.lists(st.one_of(results, st.integers(0, 3), st.sampled_from(("validate_replay", "resign"))), max_size=20)


class Naive:
    """A simple reference implementation: every state, record by record, replayed from the beginning."""

    def __init__(self):
        self.images = [EMPTY]
        self.ends = []
        self.committed = 0

    def append(self, records):
        for record in records:
            delta = MetadataDelta(self.images[-1])
            delta.replay(record)
            self.images.append(delta.apply(Provenance(len(self.images) - 1, 1, -1, batch_aligned=True)))
        self.ends.append(len(self.images) - 2)
        return self.ends[-1]

    @property
    def has_topic(self):
        return self.images[-1].topics.named("a") is not None


@pytest.mark.parametrize("apart", [0, 3, 10_000])
@given(steps)
def test_it_reads_as_if_everything_was_replayed(apart, steps):
    """A value is lost, comes back, or is seen too early, after any mixture of appends, commits and resignations.

    A commit may end inside a result.
    """
    naive, speculation = Naive(), UncommittedState(records_apart_max=apart)
    for step in steps:
        if step == "validate_replay":
            speculation.validate_replay([ConfigRecord(16, "a", "k", "rehearsed")])
        elif step == "resign":
            assert speculation.revert() is naive.images[naive.committed]
            del naive.images[naive.committed + 1 :]
            naive.ends = [end for end in naive.ends if end < naive.committed]
        elif isinstance(step, int):
            naive.committed = min(naive.committed + step, len(naive.images) - 1)
            image = naive.images[naive.committed]
            speculation.commit(image.provenance.offset, image)
        else:
            if isinstance(step[0], (RemoveTopicRecord if not naive.has_topic else TopicRecord)):
                continue
            speculation.validate_replay(step)
            speculation.append(step, naive.append(step), 1)
        assert len(speculation) == sum(end >= naive.committed for end in naive.ends)
        assert speculation.latest.same_content(naive.images[-1])
        assert speculation.latest.provenance.offset == naive.images[-1].provenance.offset


def config(name, value="1"):
    return ConfigRecord(16, name, "k", value)


def with_one_more(image, record):
    delta = MetadataDelta(image)
    delta.replay(record)
    return delta.apply(image.provenance)


def test_what_is_committed_is_taken_as_it_is():
    """The image that was made for deciding outlives the commit of all that is in it, beside the loader's."""
    naive, speculation = Naive(), UncommittedState()
    for value in "123":
        speculation.append([config("a", value)], naive.append([config("a", value)]), 1)
    speculation.commit(2, naive.images[-1])
    assert speculation.latest is naive.images[-1]
    assert len(speculation) == 0


def test_what_waits_is_on_the_committed_image_before_long():
    """A controller that is never idle holds an image of its own beside the loader's, which share less and less."""
    naive, speculation = Naive(), UncommittedState(records_apart_max=3)
    for name in "abcdef":
        speculation.append([config(name)], naive.append([config(name)]), 1)
    own = weakref.ref(speculation.latest.configs.by_type)
    speculation.commit(0, naive.images[1])
    speculation.commit(2, with_one_more(naive.images[3], config("x")))
    assert own() is speculation.latest.configs.by_type, "not yet"
    committed = with_one_more(naive.images[4], config("y"))
    speculation.commit(3, committed)
    assert own() is None
    assert {name for _, name in speculation.latest.configs.resources()} == set("abcdefy")
    assert speculation.revert() is committed


def test_a_result_that_is_committed_in_part_is_not_replayed_twice():
    """A topic that is created by the committed half of a result would be created again by replaying all of it."""
    naive, speculation = Naive(), UncommittedState(records_apart_max=0)
    created = [TopicRecord(name="a", topic_id=TOPIC_ID), config("a")]
    speculation.append(created, naive.append(created), 1)
    speculation.commit(0, naive.images[1])
    assert speculation.latest.same_content(naive.images[-1])


def test_a_rehearsal_is_of_its_own_records_on_its_own_image():
    """Another result is appended in the place of the one that was rehearsed last; or on an image that is not newest."""
    naive, speculation = Naive(), UncommittedState()
    first, second = [config("a")], [config("b")]
    speculation.validate_replay(first)
    speculation.append(second, naive.append(second), 1)
    assert speculation.latest.same_content(naive.images[-1])
    speculation.validate_replay(first)
    committed = with_one_more(naive.images[-1], config("c"))
    speculation.commit(0, committed)
    speculation.append(first, 1, 1)
    assert speculation.latest.same_content(with_one_more(committed, config("a")))


def test_what_does_not_replay_is_refused_before_and_stops_the_node_after_it_was_appended():
    """A record that no node can apply is rejected before its append, and stops the node after it."""
    speculation = UncommittedState()
    gone = [RemoveTopicRecord(topic_id=TOPIC_ID)]
    with pytest.raises(ReplayError):
        speculation.validate_replay(gone)
    with pytest.raises(InvariantViolation, match="a decided record replays"):
        speculation.append(gone, 0, 1)
