"""The auditor against the service on logs with transactions, elections and changes of level anywhere in them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from kraftpy.audit.compaction.run import compact
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.history import history
from kraftpy.image import MetadataImage, snapshot_groups
from kraftpy.model.features import METADATA_VERSION
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.control import KRaftVersionRecord
from kraftpy.records.file_names import segment_file_name, snapshot_file_name
from kraftpy.records.snapshot import SnapshotEncoder
from tests.audit.compacting import all_kinds, assert_due, outcome, refusal, write_log
from tests.audit.logs import replayed
from tests.audit.stories import BROKER_HOSTS, STORIES, TURN, Story, tell
from tests.audit.test_replay import LOG, bytes_of, entities, rows_of
from tests.unit.audit.test_compaction import image_of_snapshot, with_sorted_directories
from tests.unit.audit.test_vectors import assert_same
from tests.unit.image.support import EPOCH, LEVEL

LEVEL_KEY = ("feature", METADATA_VERSION)
QUORUM_KEY = ("feature", "kraft.version")
HISTORIES = [
    *((kind, str(number)) for kind, number in (("broker", 0), ("broker", 1))),
    *(("topic", f"topic-{number}") for number in range(5)),
    *(("config", f"topic:topic-{number}") for number in range(5)),
]


def snapshot_of(image: MetadataImage) -> tuple[str, bytes]:
    """A snapshot of everything in an image, at a level that can say all of it."""
    stamp = image.provenance.timestamp_ms
    encoder = SnapshotEncoder(epoch=EPOCH, timestamp_ms=stamp, last_contained_log_timestamp_ms=stamp)
    name = snapshot_file_name(OffsetAndEpoch(epoch=EPOCH, offset=image.provenance.offset + 1))
    return name, b"".join(encoder.encode(snapshot_groups(image, LEVEL)))


def of_the_service(story: Story, until: int | None = None) -> dict[tuple[str, str], str]:
    """The entities of the service's image; the quorum's level is stated by control records, which it passes over."""
    image = story.image(until)
    name, data = snapshot_of(image)
    found = entities(replayed({("c", "1", name): data}))
    found[LEVEL_KEY] = f'{{"level":{image.features.level}}}'
    stated = [value.kraft_version for value in story.values[:until] if isinstance(value, KRaftVersionRecord)]
    return found | ({QUORUM_KEY: f'{{"level":{stated[-1]}}}'} if stated else {})


def point(story: Story, where: float) -> int:
    """An offset behind the first batch, which states level and cluster id together."""
    return 2 + int(where * (len(story.values) - 2))


@settings(deadline=None)
@given(STORIES, st.floats(0, 1), st.sampled_from([1, 2, 8]))
def test_the_state_before_any_offset_is_the_services(story: Story, where: float, spread: int) -> None:
    """A record counts too early, too late or not at all, or one that the service takes is refused or illegal."""
    until = point(story, where)
    files = {LOG: bytes_of(story.batches())}
    tables = replayed(files, AsOf(offset=until), spread)
    assert entities(tables) == of_the_service(story, until)
    assert tables["record_problems"] == []
    assert rows_of(tables) == rows_of(replayed(files, AsOf(offset=until)))


@settings(deadline=None)
@given(STORIES, st.floats(0, 1), st.floats(0, 1))
def test_the_services_snapshots_are_the_log(story: Story, at: float, where: float) -> None:
    """A snapshot that the service may take differs from the log, or the log behind it gives another state."""
    log = story.batches()
    image = story.image(log[int(at * (len(log) - 1))].next_offset)
    if not image.provenance.batch_aligned:
        return
    end = image.provenance.offset + 1
    name, data = snapshot_of(image)
    tables = replayed({LOG: bytes_of(log), ("c", "1", name): data})
    differing = {(row[4], row[5]) for row in tables["snapshot_differences"]}
    assert differing <= {LEVEL_KEY, QUORUM_KEY}
    behind = [batch for batch in log if batch.base_offset >= end]
    if behind and image.features.level == LEVEL:
        until = max(end, point(story, where))
        files = {("c", "1", name): data, ("c", "1", segment_file_name(end)): bytes_of(behind)}
        found, expected = entities(replayed(files, AsOf(offset=until))), of_the_service(story, until)
        assert {**found, QUORUM_KEY: ""} == {**expected, QUORUM_KEY: ""}


@settings(max_examples=30, deadline=None)
@given(STORIES, st.floats(0, 1))
def test_vectors_compaction_and_history_agree(story: Story, where: float) -> None:
    """Columns, the snapshot that compaction writes, or the changes of a life one by one give another state."""
    until = AsOf(offset=point(story, where))
    image = story.image()
    expected = of_the_service(story, until.offset)
    with tempfile.TemporaryDirectory() as name:
        Path(name, segment_file_name(0)).write_bytes(bytes_of(story.batches()))
        assert_same(Path(name), until)
        if image.provenance.offset + 1 == len(story.values) and image.features.level == LEVEL:
            made = compact([name], Path(name, "out"), engine="local").path
            ours = image_of_snapshot(made)
            made.unlink()
            assert with_sorted_directories(ours).same_content(with_sorted_directories(image))
        for kind, entity in HISTORIES:
            for key, held in entity_history(name, kind, entity, until).items():
                assert expected.get(key) == held


@settings(max_examples=60, deadline=None)
@given(STORIES, st.floats(0, 1), st.floats(0, 1), st.sets(st.integers(1, 12)))
def test_compaction_at_any_offset_is_the_services_state(
    story: Story, where: float, early: float, segments: set[int]
) -> None:
    """A snapshot has another state or other records than the service's own, or ends inside a transaction."""
    at, base = point(story, where), point(story, early)
    with tempfile.TemporaryDirectory() as name:
        home, late = Path(name, "log"), Path(name, "late")
        write_log(home, story, segments)
        made = outcome(home, Path(name), at)
        assert_due(story, at, made, Path(name))
        if base <= at and refusal(story, base) is None:
            # The same of a log that starts behind a snapshot.
            write_log(late, story, segments, first=base)
            start, data = outcome(home, Path(name), base)
            (late / start).write_bytes(data)
            again = outcome(late, Path(name), at)
            assert again[0] == made[0]
            assert_due(story, at, again, Path(name))


def test_state_that_the_level_has_no_record_for_is_refused_by_name(tmp_path: Path) -> None:
    """A snapshot without it would lose it, or its writer ends with a traceback."""
    story = tell(41, [(BROKER_HOSTS, 0, 0, 0), (TURN, 0, 0, 0)], [1])
    write_log(tmp_path / "log", story, ())
    at = len(story.values)
    made = outcome(tmp_path / "log", tmp_path, at)
    assert made == ("", b"BrokerHostRecord cannot be written at metadata.version 40: it belongs to 41")
    assert_due(story, at, made, tmp_path)


def test_compaction_between_transactions_of_every_kind(tmp_path: Path) -> None:
    """As above, at every offset of a log that has them all."""
    story = all_kinds()
    write_log(tmp_path / "log", story, range(0, 20, 3))
    kinds = set()
    for at in range(2, len(story.values) + 1):
        made = outcome(tmp_path / "log", tmp_path, at)
        assert_due(story, at, made, tmp_path)
        kinds.add(" ".join((refusal(story, at) or "made").split()[2:6]))
    assert kinds == {"", "is inside a batch,", "is inside a transaction"}
    ended = outcome(tmp_path / "log", tmp_path, None)
    assert_due(story, len(story.values), ended, tmp_path)


def entity_history(directory: str, kind: str, name: str, until: AsOf) -> dict[tuple[str, str], str | None]:
    """What the steps of a life come to; ``None`` for what is gone."""
    state: dict[tuple[str, str], str | None] = {}
    for step in history([directory], kind, name, until, salt=b"test"):
        assert step.problem is None
        for change in step.changes:
            assert state.get((change.kind, change.entity)) == change.before
            state[change.kind, change.entity] = change.after
    return state
