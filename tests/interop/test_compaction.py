"""A real Kafka's log, compacted: Kafka's own tools read the snapshot, and controllers, Kafka's and ours, start from it.

The compacted state is that of Kafka's own snapshots where Kafka took one, and a controller that has nothing but the
snapshot serves the same topics and quotas as the one that had the log.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kraftpy.audit.compaction.run import compact
from kraftpy.image import MetadataLoader
from kraftpy.records.file_names import parse_snapshot_file_name
from kraftpy.records.snapshot import read_snapshot
from tests.interop.cluster import AdminClient, Member, Quorum
from tests.interop.dumps import assert_same_dump, assert_shell_shows
from tests.interop.jars import Jars
from tests.interop.processes import eventually

GOLDEN = Path(__file__).parents[1] / "golden" / "kafka-4.3.0"
SETTINGS = {"metadata.log.max.record.bytes.between.snapshots": "3000"}


def image_of(path: Path):
    contents = read_snapshot(path.read_bytes())
    snapshot_id = parse_snapshot_file_name(path.name)
    assert snapshot_id is not None
    loader = MetadataLoader()
    loader.load_snapshot(snapshot_id, contents.batches, contents.header.last_contained_log_timestamp)
    return loader.image


def test_kafkas_tool_reads_a_compacted_log(jars: Jars, tmp_path: Path) -> None:
    done = compact([str(GOLDEN)], tmp_path, engine="local")
    lines = assert_same_dump(jars, [done.path])
    assert sum("TOPIC_RECORD" in line for line in lines) == 1
    assert any("KRaftVoters" in line for line in lines)
    assert_shell_shows(jars, [done.path], {"topics:", "byName:", "orders:", "configs:", "clientQuotas:"})


@pytest.mark.parametrize("ours", [False, True])
@pytest.mark.timeout(300)
def test_a_controller_starts_from_nothing_but_the_snapshot(jars: Jars, root: Path, *, ours: bool) -> None:
    with Quorum(jars, root, kafka=[1], brokers=[101], extra=SETTINGS) as quorum:
        quorum.format_and_start()
        quorum.wait_for_leader()
        with AdminClient(jars, root, brokers=quorum.members[101].properties["listeners"][12:]) as admin:
            for number in range(6):
                admin.ask(f"topic topic-{number} {1 + number % 3}")
                admin.ask(f"quota user-{number} {1024.0 * (number + 1)}")
            admin.ask("delete-topic topic-3")
        for node_id in (101, 1):
            quorum.members[node_id].stop()
        controller = quorum.members[1]
        done = compact([str(controller.log_dir)], root / "out", engine="local")
        assert_same_dump(jars, [done.path])
        compared = []
        for snapshot in controller.snapshots():
            snapshot_id = parse_snapshot_file_name(snapshot.name)
            if snapshot_id is not None and snapshot_id.offset > 0:
                again = compact([str(controller.log_dir)], root / "again", at=snapshot_id.offset, engine="local")
                assert image_of(again.path).same_content(image_of(snapshot)), snapshot.name
                compared.append((again.path, snapshot))
        # What Kafka's shell shows of our snapshot is what it shows of Kafka's own.
        assert_shell_shows(
            jars, max(compared, key=lambda pair: pair[1].name), {"topics:", "clientQuotas:", "user(user-0):"}
        )
        _start_from(controller, done.path)
        member = _taken_over(quorum, controller) if ours else controller
        member.start()
        quorum.wait_for_leader()
        eventually("a controller that had only a snapshot writes", lambda: _wrote(member), quorum.running)
        later = compact([str(member.log_dir)], root / "later", engine="local")
        before, after = image_of(done.path), image_of(later.path)
        assert set(after.topics.ids_by_name) == {f"topic-{number}" for number in (0, 1, 2, 4, 5)}
        assert after.topics == before.topics
        assert after.client_quotas == before.client_quotas


def _start_from(member: Member, snapshot: Path) -> None:
    """Leave a member's log directory nothing but the snapshot, and who it is."""
    for path in member.log_dir.iterdir():
        if path.name != "partition.metadata":
            path.unlink()
    (member.log_dir / snapshot.name).write_bytes(snapshot.read_bytes())


def _taken_over(quorum: Quorum, kafkas: Member) -> Member:
    """Return a kraftpy controller on the directory of a Kafka controller."""
    ours = quorum.add_controller(1, ours=True)
    ours.properties["log.dirs"] = str(kafkas.data)
    ours.data = kafkas.data
    ours.write_config()
    return ours


def _wrote(member: Member) -> bool:
    return any(path.stat().st_size > 0 for path in member.segments())
