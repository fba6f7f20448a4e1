"""Spark's snapshot is that of one process, byte for byte, however shards are spread; so are its refusals.

Logs with transactions are a campaign at every offset (``pytest tests/spark/test_compaction.py -m campaign``).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from kraftpy.audit.compaction.run import compact
from kraftpy.audit.compaction.target import CompactionError
from tests.audit.compacting import all_kinds, assert_due, outcome, refusal, write_log
from tests.audit.stories import STORIES, Story

pytestmark = pytest.mark.landing

HOUR_S = 3600


@pytest.fixture
def spread(monkeypatch):
    """Cut files and shards small, so that several tasks take part."""
    monkeypatch.setattr("kraftpy.audit.engines.cut_clusters.SPLIT_BYTES", 3000)
    for name, value in {"BUCKET_BYTES_MIN": 900, "RUN_BYTES": 300, "SAMPLE_BYTES": 100, "RANGE_BYTES": 700}.items():
        monkeypatch.setattr(f"kraftpy.audit.compaction.in_spark.{name}", value)


@pytest.mark.usefixtures("spark", "spread")
def test_the_bytes_are_the_same_and_what_is_unknown_is_refused(histories, tmp_path):
    log = histories.small_log(topics=30)
    path = log.write(tmp_path / "__cluster_metadata-0")
    here = compact([str(path)], tmp_path / "here", engine="local")
    there = compact([str(path)], tmp_path / "there", engine="spark")
    assert (there.engine, there.records) == ("spark", here.records)
    assert there.path.read_bytes() == here.path.read_bytes()
    log.add(b"\x01\xd8\x04\x00\x00")
    log.write(path.parent)
    with pytest.raises(CompactionError, match=f"UNKNOWN_RECORD_600 at offset {log.offset - 1}"):
        compact([str(path)], tmp_path / "there", engine="spark")
    assert len(list((tmp_path / "there").iterdir())) == 1


def assert_the_same(home: Path, scratch: Path, story: Story, at: int) -> None:
    """Fail unless Spark does what one process does, and that is what is due."""
    here = outcome(home, scratch, at)
    assert_due(story, at, here, scratch)
    assert outcome(home, scratch, at, "spark") == here, (at, here)


@pytest.mark.usefixtures("spark", "spread")
def test_a_log_with_transactions_is_compacted_up_to_what_is_complete(tmp_path):
    """Spark takes what came to nothing, leaves what is complete, or ends inside a transaction that one process sees."""
    story = all_kinds()
    write_log(tmp_path / "log", story, range(0, 20, 3))
    ends = [batch.next_offset for batch in story.batches()]
    whole = max(end for end in ends if refusal(story, end) is None)
    inside = next(end for end in ends if "a transaction" in (refusal(story, end) or ""))
    for at in (whole, inside):
        assert_the_same(tmp_path / "log", tmp_path, story, at)


@pytest.mark.campaign
@pytest.mark.timeout(HOUR_S)
@pytest.mark.usefixtures("spark", "spread")
def test_transactions_of_every_kind_at_every_offset(tmp_path):
    """As above, at every offset, inside batches and transactions, too, and behind a snapshot of each that can be."""
    story = all_kinds()
    write_log(tmp_path / "log", story, range(0, 20, 3))
    for at in range(2, len(story.values) + 1):
        assert_the_same(tmp_path / "log", tmp_path, story, at)
    offsets = [at for at in range(2, len(story.values) + 1) if refusal(story, at) is None]
    for base in offsets[1:]:
        late = tmp_path / f"late-{base}"
        write_log(late, story, range(0, 20, 3), first=base)
        name, data = outcome(tmp_path / "log", tmp_path, base)
        (late / name).write_bytes(data)
        assert_the_same(late, tmp_path, story, offsets[-1])


@pytest.mark.campaign
@pytest.mark.timeout(HOUR_S)
@pytest.mark.usefixtures("spark", "spread")
@settings(
    max_examples=25, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(STORIES, st.lists(st.floats(0, 1), min_size=2, max_size=2), st.sets(st.integers(1, 12)))
def test_generated_logs_with_transactions_are_compacted_alike(tmp_path_factory, story, places, segments):
    """As above, for logs that a correct quorum could have written: at their end, at a batch's end, and anywhere."""
    scratch = tmp_path_factory.mktemp("story")
    write_log(scratch / "log", story, segments)
    ends = [batch.next_offset for batch in story.batches()]
    anywhere = 2 + int(places[0] * (len(story.values) - 2))
    for at in {ends[-1], ends[int(places[1] * (len(ends) - 1))], anywhere}:
        assert_the_same(scratch / "log", scratch, story, at)
