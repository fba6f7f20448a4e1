"""What was appended and is not committed yet: noted or replayed, it reads the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kraftpy.controller.speculation import Speculation
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
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
    """After a commit the rest still hangs on the image before it, which so is never let go of."""
    naive, speculation = Naive(), Speculation()
    for value in "123":
        speculation.append([ConfigRecord(16, "a", "k", value)], naive.append([ConfigRecord(16, "a", "k", value)]), 1)
    speculation.commit(1, naive.images[2])
    assert speculation.latest_but_configs is naive.images[2]
    assert speculation.configs_of((16, "a")) == {"k": "3"}
