"""A record that cannot be applied: found, described without its content, replaced, and put back."""

from __future__ import annotations

import random

import pytest

from kraftpy.disaster_recovery.recovery import undo_directory
from kraftpy.disaster_recovery.unreplayable_record import check_same, find_unreplayable, replace_unreplayable
from kraftpy.image import MetadataLoader
from kraftpy.model.errors import LocalError
from kraftpy.model.features import METADATA_VERSION
from kraftpy.records.batch import encode_batch
from kraftpy.records.metadata import (
    ClusterIdRecord,
    ConfigRecord,
    FeatureLevelRecord,
    RemoveTopicRecord,
    encode_for_level,
)
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.meta_properties import MetaProperties, write_meta_properties
from tests.fakes.filesystem import Killed, SimulatedFileSystem
from tests.unit.disaster_recovery.quorums import CLUSTER, CONFIG, contents, directory_id, directory_of, opened, settled
from tests.unit.storage.logs import T0

LEVEL = 40
POISON = RemoveTopicRecord(topic_id=b"t" * 16)


def setting(value, name="log.cleaner.threads"):
    return ConfigRecord(resource_type=4, resource_name="", name=name, value=value)


def framed(log, *values, epoch=1):
    log.append([encode_batch(list(values), base_offset=log.end_offset, epoch=epoch, timestamp_ms=T0)], T0)


def log_of(*batches, node_ids=(1,)):
    """Nodes whose logs begin a cluster and go on with these batches of records (or framed values)."""
    fs = SimulatedFileSystem()
    start = [FeatureLevelRecord(METADATA_VERSION, LEVEL), ClusterIdRecord(CLUSTER)]
    for node_id in node_ids:
        root = directory_of(node_id)
        fs.make_directory(root)
        known = MetaProperties(cluster_id=CLUSTER, node_id=node_id, directory_id=directory_id(node_id))
        write_meta_properties(fs, root, known)
        directory = MetadataDirectory.open(fs, root, CONFIG, random.Random(node_id).randbytes)
        for records in (start, *batches):
            values = [one if isinstance(one, bytes) else encode_for_level(one, LEVEL) for one in records]
            framed(directory.log, *values)
        directory.close()
    return settled(fs)


def image_of(fs, node_id):
    loader = MetadataLoader()
    loader.load_batches(list(opened(fs, node_id).log.iterate(0)))
    return loader.image


GOOD = [[setting(str(number))] for number in range(20)]


def test_a_sound_log_has_none():
    """Nothing to show."""
    assert find_unreplayable(log_of(*GOOD), directory_of(1)) is None


def test_the_record_is_found_and_skipped():
    """Only it becomes a no-op; every offset stays, what is in its batch and behind it counts."""
    fs = log_of(*GOOD, [setting("1", "before.it"), POISON, setting("2", "after.it")], [setting("behind")])
    before = contents(fs, 1)
    poison = find_unreplayable(fs, directory_of(1))
    assert contents(fs, 1) == before
    assert (poison.applied_below, poison.offset, poison.skipped) == (22, 23, (23,))
    assert (poison.kind, poison.next_offset) == ("REMOVE_TOPIC_RECORD", None)
    replace_unreplayable(fs, poison, "undo")
    assert find_unreplayable(fs, directory_of(1)) is None
    image = image_of(fs.copy(), 1)
    assert image.provenance.offset == 25
    assert dict(image.configs.of(4, "")) == {"before.it": "1", "after.it": "2", "log.cleaner.threads": "behind"}
    assert undo_directory(fs, directory_of(1)).purpose == "skipping a record"
    assert contents(fs, 1) == before


def test_every_node_gets_the_same_bytes_and_the_same_digest():
    """Whatever else is in its directory."""
    fs = log_of(*GOOD, [POISON, setting("x")], node_ids=(1, 2))
    directory = opened(fs, 2)
    framed(directory.log, encode_for_level(setting("only here"), LEVEL))
    directory.close()
    found = [find_unreplayable(fs, directory_of(node_id)) for node_id in (1, 2)]
    check_same(found)
    assert found[0].digest == found[1].digest
    for one in found:
        replace_unreplayable(fs, one, "undo")
    logs = [[batch.data for batch in opened(fs, node_id).log.iterate(0)] for node_id in (1, 2)]
    assert logs[0] == logs[1][:-1]


def test_nodes_that_stop_at_different_records_are_refused():
    """They would not be equal afterwards."""
    fs = log_of([POISON])
    other = log_of(*GOOD, [POISON])
    with pytest.raises(LocalError, match=r"stops at offset 22 and .* at 2"):
        check_same([find_unreplayable(fs, directory_of(1)), find_unreplayable(other, directory_of(1))])


def test_one_after_the_other():
    """What would stop next is said beforehand."""
    fs = log_of([POISON], [setting("a")], [POISON])
    poison = find_unreplayable(fs, directory_of(1))
    assert (poison.offset, poison.next_offset) == (2, 4)
    assert "at offset 4" in poison.next_reason


def test_a_record_that_cannot_be_read_is_named_so_and_its_content_is_not_shown():
    """Records carry credentials."""
    fs = log_of([b"\x01\x02\x00secret that no decoder knows"])
    poison = find_unreplayable(fs, directory_of(1))
    assert (poison.kind, poison.offset) == ("(unreadable)", 2)
    assert "secret" not in poison.reason
    replace_unreplayable(fs, poison, "undo")
    assert find_unreplayable(fs, directory_of(1)) is None


def test_a_corrupt_log_is_another_procedure():
    """A skip does not mend bits."""
    fs = log_of(*GOOD, [POISON])
    fs.flip_bit(f"{directory_of(1)}/__cluster_metadata-0/00000000000000000000.log", 100)
    with pytest.raises(LocalError, match="which skipping a record does not mend"):
        find_unreplayable(fs, directory_of(1))


def test_a_skip_killed_at_any_step_is_put_back():
    """As everything that this room changes."""
    start = log_of(*GOOD, [POISON])
    before = contents(start, 1)
    poison = find_unreplayable(start, directory_of(1))
    kills = 0
    for count in range(10_000):
        fs = start.copy()
        fs.kill_at(count)
        try:
            replace_unreplayable(fs, poison, "undo")
        except Killed:
            kills += 1
            fs.crash(random.Random(count))
            undo_directory(fs, directory_of(1))
            assert contents(fs, 1) == before, count
        else:
            break
    assert kills > 20
