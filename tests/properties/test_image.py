"""Equal logs give equal images, whatever way they take."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from kraftpy.image import EMPTY, MetadataDelta, MetadataImage, MetadataLoader, image_records, snapshot_groups
from kraftpy.image.digest import image_digest
from kraftpy.image.image import SLICES
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    EndTransactionRecord,
    NoOpRecord,
    Record,
    ZkMigrationStateRecord,
)
from tests.unit.image.histories import ACTIONS, HISTORIES, history
from tests.unit.image.support import batches, replay, values_batch

ROOT = Path(__file__).parents[2]
CUTS = st.lists(st.integers(1, 7), min_size=1, max_size=8)


def cut(records: Sequence[Record], sizes: Sequence[int]) -> list[list[Record]]:
    """Cut anywhere, but not between metadata.version and the cluster id: those are one batch (K1262-3)."""
    groups: list[list[Record]] = [list(records[:2])]
    at, turn = 2, 0
    while at < len(records):
        size = sizes[turn % len(sizes)]
        groups.append(list(records[at : at + size]))
        at += size
        turn += 1
    return groups


def snapshot_bytes(image: MetadataImage) -> bytes:
    return b"".join(value for group in snapshot_groups(image) for value in group)


def test_histories_reach_every_slice() -> None:
    """The generator of histories touches every slice but the one for unknown records, or the properties are empty."""
    steps = range(5)
    numbers = [(action, a, b, c) for action in range(len(ACTIONS)) for a in steps for b in steps for c in range(3)]
    image = replay(*history(numbers))
    untouched = [name for name in SLICES if getattr(image, name) == getattr(EMPTY, name)]
    assert untouched == ["unknown"]


@given(HISTORIES)
def test_snapshot_records_rebuild_the_image(records: list[Record]) -> None:
    """Replaying an image's own records from empty gives the image back."""
    image = replay(*records)
    rebuilt = replay(*image_records(image))
    assert rebuilt.same_content(image)
    assert snapshot_bytes(rebuilt) == snapshot_bytes(image)


@given(HISTORIES, CUTS, HISTORIES)
@example([*history([]), ZkMigrationStateRecord(zk_migration_state=1)], [1], history([]))
@example([*history([]), NoOpRecord()], [1], [*history([]), ZkMigrationStateRecord(zk_migration_state=1)])
def test_digests_are_equal_exactly_for_equal_images(
    records: list[Record], sizes: list[int], others: list[Record]
) -> None:
    """The digest does not depend on how an image came about, and differs from that of any other.

    But for the state of a migration from ZooKeeper, which it leaves out (``kraftpy.records.state_digest``).
    """
    image, rebuilt, grown = replay(*records), EMPTY, EMPTY
    for record in image_records(image):
        rebuilt = replay(record, base=rebuilt)
    for group in cut(records, sizes):
        grown = replay(*group, base=grown)
    assert digest_value(rebuilt) == digest_value(grown) == digest_value(image)
    for other in (replay(*others), replay(*records[:-1])):
        assert (digest_value(other) == digest_value(image)) == (digested(other) == digested(image))


def digested(image: MetadataImage) -> list[Record]:
    """Return the records of an image that its digest is about."""
    return [record for record in image_records(image) if not isinstance(record, ZkMigrationStateRecord)]


def digest_value(image: MetadataImage) -> bytes:
    digest = image_digest(image)
    assert digest is not None
    return digest.value


@given(HISTORIES, CUTS)
def test_deltas_one_by_one_lead_where_one_delta_leads(records: list[Record], sizes: list[int]) -> None:
    """Cutting a history into deltas anywhere changes nothing."""
    image = EMPTY
    for group in cut(records, sizes):
        image = replay(*group, base=image)
    assert image.same_content(replay(*records))


@given(HISTORIES, CUTS, CUTS)
def test_a_log_loads_the_same_however_it_is_batched(records: list[Record], sizes: list[int], calls: list[int]) -> None:
    """Batches and calls are no part of the content; every publication's delta leads from its base to its image."""
    loader = MetadataLoader()
    made = batches(*cut(records, sizes))
    at = 0
    for size in calls * len(made):
        before = loader.image
        for publication in loader.load_batches(made[at : at + size]):
            assert publication.delta.image == before
            assert publication.delta.apply(publication.image.provenance) == publication.image
            before = publication.image
        at += size
        if at >= len(made):
            break
    assert loader.image.same_content(replay(*records))
    assert loader.next_offset == len(records) == loader.image.provenance.offset + 1


@given(HISTORIES, CUTS, CUTS, st.booleans())
def test_catching_up_leads_where_loading_leads(
    records: list[Record],
    sizes: list[int],
    calls: list[int],
    ends: bool,
) -> None:
    """A loader that makes no images on its way has the same one in the end, also inside a transaction."""
    middle = max(2, len(records) // 2)
    mark = EndTransactionRecord() if ends else AbortTransactionRecord()
    log = [*records[:middle], BeginTransactionRecord("t"), *records[middle:], mark, BeginTransactionRecord("open")]
    made = batches(*cut(log, sizes))
    expected, found = MetadataLoader(), MetadataLoader()
    at = 0
    for size in calls * len(made):
        piece = made[at : at + size]
        if not piece:
            break
        expected.load_batches(piece)
        found.catch_up(piece)
        at += size
    found.caught_up()
    assert found.image == expected.image
    assert (found.next_offset, found.in_transaction) == (expected.next_offset, expected.in_transaction)
    end = batches([EndTransactionRecord()], first=len(log))
    assert [(p.image, p.manifest.provenance) for p in found.load_batches(end)] == [
        (p.image, p.manifest.provenance) for p in expected.load_batches(end)
    ]


@given(HISTORIES, CUTS)
def test_decoded_records_load_like_their_batches(records: list[Record], sizes: list[int]) -> None:
    """The fast path that skips decoding gives the same publications."""
    groups = cut(records, sizes)
    made = batches(*groups)
    slow, fast = MetadataLoader(), MetadataLoader()
    decoded = {one.base_offset: group for one, group in zip(made, groups, strict=True)}
    for one in made:
        expected, found = slow.load_batches([one]), fast.load_records([one], decoded)
        assert [(p.image, p.manifest) for p in found] == [(p.image, p.manifest) for p in expected]


@given(HISTORIES, HISTORIES)
def test_a_snapshot_over_any_image_is_its_content(old: list[Record], new: list[Record]) -> None:
    """Loading a snapshot leaves nothing of the image before, and its delta names every difference."""
    loader = MetadataLoader(replay(*old))
    before, after = loader.image, replay(*new)
    contents = []
    offset = 0
    for group in snapshot_groups(after):
        contents.append(values_batch(offset, group))
        offset += len(group)
    publication = loader.load_snapshot(OffsetAndEpoch(epoch=9, offset=1000), contents, 77)
    assert publication.image.same_content(after)
    assert publication.delta.apply(publication.image.provenance) == publication.image
    cluster = publication.delta.cluster
    removed = {node for node, now in cluster.changed_brokers.items() if now is None} if cluster else set()
    assert removed == set(before.cluster.brokers) - set(after.cluster.brokers)
    topics = publication.delta.topics
    assert set(topics.deleted if topics else ()) >= set(before.topics.by_id) - set(after.topics.by_id)


@given(HISTORIES, HISTORIES)
def test_the_difference_of_two_images_leads_from_one_to_the_other(old: list[Record], new: list[Record]) -> None:
    """A publisher that joins late is given a delta that leads exactly where the others are."""
    first, second = replay(*old), replay(*new)
    delta = MetadataDelta.between(first, second)
    assert delta.apply(second.provenance) == second
    assert MetadataDelta.between(second, second).is_empty


@given(HISTORIES, CUTS, st.integers(0, 30), st.integers(0, 30), st.booleans())
def test_transactions_show_whole_or_not_at_all(
    records: list[Record],
    sizes: list[int],
    start: int,
    length: int,
    aborted: bool,
) -> None:
    """Inside a transaction nothing new is published; aborted records leave no trace, ended ones are all there."""
    begin = min(2 + start, len(records))
    end = min(begin + length, len(records))
    inner = records[begin:end]
    outer = records[:begin]
    mark = AbortTransactionRecord() if aborted else EndTransactionRecord()
    log = [*outer, BeginTransactionRecord("t"), *inner, mark]
    loader = MetadataLoader()
    base = replay(*outer)
    for one in batches(*cut(log, sizes)):
        loader.load_batches([one])
        if begin < loader.next_offset < len(log):
            assert loader.in_transaction
            assert loader.image.same_content(base)
    assert not loader.in_transaction
    assert loader.image.same_content(base if aborted else replay(*outer, *inner))
    assert loader.image.provenance.offset == len(log) - 1


SCRIPT = """
import hashlib, json, sys
from tests.unit.image.histories import history
from tests.unit.image.support import replay
from kraftpy.image import snapshot_groups
from kraftpy.records.metadata import ConfigRecord
records = history([tuple(one) for one in json.loads(sys.stdin.read())])
image = replay(*records, *(ConfigRecord(4, "7", f"key-{i}", "v") for i in range(12)))
print(hashlib.sha256(repr(list(snapshot_groups(image))).encode()).hexdigest())
"""


def test_snapshots_do_not_depend_on_the_hash_seed() -> None:
    """Two processes with different hash seeds write the same image to the same bytes."""
    numbers = [
        (action, a, b, c) for c in (3, 1, 2) for b in range(5) for a in range(5) for action in range(len(ACTIONS))
    ]
    digests = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            input=json.dumps(numbers),
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
            cwd=ROOT,
        ).stdout
        for seed in ("1", "2", "77")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64


@settings(max_examples=30)
@given(HISTORIES, st.randoms(use_true_random=False))
def test_order_of_arrival_does_not_reach_the_snapshot(records: list[Record], random: object) -> None:
    """Two images that hold the same write the same bytes, whatever order their keys came in."""
    image = replay(*records)
    configs = list(image.configs.records(42, print))
    random.shuffle(configs)
    others = [record for record in image_records(image) if record not in configs]
    shuffled = replay(*others, *configs)
    assert shuffled.same_content(image)
    assert snapshot_bytes(shuffled) == snapshot_bytes(image)
