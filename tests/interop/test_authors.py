"""Real Kafka reads a log whose records name who asked for them, and makes of it the state that it is without them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kraftpy.client.sync import Client
from kraftpy.client.values import ConfigChange, Resource
from kraftpy.model.resource_types import ResourceType
from kraftpy.records import metadata
from kraftpy.records.authors import Author, author_spans, encode_author, with_author
from kraftpy.records.batch import encode_batch, parse_batch
from kraftpy.records.snapshot import SnapshotEncoder
from tests.interop.cluster import Member, Quorum
from tests.interop.dumps import assert_same_dump, kafkas_dump
from tests.interop.jars import Jars
from tests.interop.logs import log_batches
from tests.interop.processes import eventually
from tests.interop.test_dump_log import instances
from tests.interop.test_kafka_logs import check_snapshots
from tests.interop.test_metadata_shell import LEVEL, kafkas, records

ALICE = Author("User:CN=alice,O=\N{GREEK SMALL LETTER ALPHA}", "admin-1", bytes(range(16)), -7)
SNAPSHOTS = {"metadata.log.max.record.bytes.between.snapshots": "3000"}
SIZES = re.compile(r"(size|valueSize|crc|position): \d+")


def with_alice(record: Any, value: bytes) -> bytes:
    (marked,) = with_author([record], [value], encode_author(ALICE))
    assert len(marked) > len(value)
    return marked


def test_kafka_decodes_every_record_that_has_an_author(jars: Jars, tmp_path: Path) -> None:
    """Each record in each version is, to Kafka's tool and to ours, what it is without an author."""
    plain: Callable[[Any, bytes], bytes] = lambda _, value: value  # noqa: E731 - one of two functions
    lines = []
    for name, marked in (("plain", plain), ("marked", with_alice)):
        segment = tmp_path / name / "00000000000000000000.log"
        segment.parent.mkdir()
        data = b""
        for offset, (record, version) in enumerate(instances()):
            value = marked(record, metadata.encode_record(record, version))
            data += encode_batch([value], base_offset=offset, epoch=1, timestamp_ms=1_700_000_000_000 + offset)
        segment.write_bytes(data)
        lines.append([SIZES.sub("", line) for line in assert_same_dump(jars, [segment]) if str(segment) not in line])
    assert lines[0] == lines[1]
    assert sum("payload: {" in line for line in lines[1]) > 90
    assert "alice" not in "\n".join(lines[1])


@pytest.mark.timeout(300)
def test_kafkas_shell_replays_records_that_have_authors(jars: Jars, tmp_path: Path) -> None:
    """No snapshot of ours has authors; this one is made to show what Kafka's own replay makes of such records."""
    shown = []
    for name, is_marked in (("plain", False), ("marked", True)):
        made = tmp_path / name / "00000000000000000500-0000000003.checkpoint"
        made.parent.mkdir()
        encoder = SnapshotEncoder(epoch=3, timestamp_ms=5, last_contained_log_timestamp_ms=1_700_000_000_120)
        values = [(record, metadata.encode_for_level(record, LEVEL)) for record in records()]
        groups = [[with_alice(*each) if is_marked else each[1]] for each in values]
        made.write_bytes(b"".join(encoder.encode(groups)))
        shown.append(kafkas(jars, made, ("tree", "/image")))
        # The shell answers as soon as it has loaded something.
        for _ in range(8):
            again = kafkas(jars, made, ("tree", "/image"))
            shown[-1] = max(shown[-1], again, key=len)
    assert shown[0] == shown[1]
    assert len(shown[0]) > 200


def authors_in(member: Member) -> list[str]:
    """The principal of every request in a log, by our reader."""
    batches = [parse_batch(data) for _, data in sorted(log_batches(member.log_dir).items())]
    found = [list(author_spans(batch.values(), batch.record_count)) for batch in batches if not batch.is_control]
    return [span.author.principal for spans in found for span in spans]


def set_configs(member: Member, numbers: range) -> None:
    with Client([member.properties["grpc.listener"]], timeout_s=60) as client:
        for number in numbers:
            resource = Resource(ResourceType.CLIENT_METRICS, f"subscription-{number}")
            answer = client.incremental_alter_configs({resource: [ConfigChange("interval.ms", "1000")]})
            assert not answer.outcomes[0].error, answer


@pytest.mark.timeout(300)
def test_a_kafka_controller_takes_over_a_log_with_authors(jars: Jars, root: Path) -> None:
    """Kafka's controller replays what ours wrote, leads, and writes snapshots of the state that we make of the log."""
    with Quorum(jars, root, ours=(1,), extra=SNAPSHOTS) as quorum:
        controller = quorum.members[1]
        quorum.format_and_start()
        quorum.wait_for_leader()
        set_configs(controller, range(60))
        assert controller.stop() == 0
        before = log_batches(controller.log_dir)
        assert authors_in(controller).count("User:ANONYMOUS") == 60
        assert "ANONYMOUS" not in "\n".join(kafkas_dump(jars, controller.segments()))
        for snapshot in controller.snapshots():
            snapshot.unlink()

        controller.ours = False
        controller.start()
        eventually("Kafka wrote a snapshot", controller.snapshots, quorum.running)
        controller.stop()
        after = log_batches(controller.log_dir)
        assert {offset: after[offset] for offset in before} == before, "Kafka changed what kraftpy had committed"
        assert len(list(check_snapshots(controller))) >= 1
        assert_same_dump(jars, controller.snapshots())
