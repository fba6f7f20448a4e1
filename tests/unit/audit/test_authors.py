"""Who asked for what, as the auditor reads it: in the table of authors, in what made the log grow, in a history."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.findings import judge
from kraftpy.audit.history import history
from kraftpy.audit.log_volume import read_growth
from kraftpy.audit.reading import first_pass as passes
from kraftpy.audit.reading.author_rows import Authors
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.first_pass import first_pass
from kraftpy.audit.reading.frames import Frames
from kraftpy.audit.reading.scan import ScannedRange
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from kraftpy.cli.audit_text import growth_lines, step_lines
from kraftpy.records import metadata as m
from kraftpy.records.authors import Author, encode_author, with_author
from kraftpy.records.batch import encode_batch
from kraftpy.records.codec import AUTHOR_TAG, uvarint
from kraftpy.records.file_names import segment_file_name
from tests.unit.audit.histories import START_MS

ALICE, BOB = Author("User:alice", "admin", b"r" * 16, 3), Author("User:bob")
LEVEL = m.encode_record(m.FeatureLevelRecord("metadata.version", 29), 0)
UNREADABLE = ((AUTHOR_TAG, b"\1\2\xff\1\1\0"),)


def config(number: int, **more) -> m.ConfigRecord:
    return m.ConfigRecord(2, "orders", f"key-{number}", "v", **more)


def changed(author: Author | None, *records: m.Record) -> list[bytes]:
    """The values of a request."""
    values = [m.encode_record(record, 0) for record in records]
    return list(with_author(records, values, b"" if author is None else encode_author(author)))


def log_of(*batches: list[bytes]) -> bytes:
    """A log whose first batch states a level."""
    data, offset = [], 0
    for number, values in enumerate([[LEVEL], *batches]):
        data.append(encode_batch(values, base_offset=offset, epoch=1, timestamp_ms=START_MS + number))
        offset += len(values)
    return b"".join(data)


def write(directory, data: bytes, kind: str = "log"):
    path = directory / segment_file_name(0)
    path.write_bytes(data)
    return KraftFile("", "1", str(path), kind, len(data), 0, None, None)


BATCHES = [
    [*changed(ALICE, config(1), config(2)), *changed(None, config(3)), *changed(BOB, config(4))],
    changed(None, config(5)),
    [m.encode_record(config(6, unknown_tags=UNREADABLE), 0)],
]
EXPECTED = [(1, 2, "User:alice"), (4, 1, "User:bob"), (6, 1, None)]


def spans(rows):
    return [(row.log_offset, row.record_count, row.principal) for row in rows]


def test_the_table_of_authors(tmp_path):
    """An author is of another record, of fewer or of more, or one that cannot be read ends the audit."""
    found = first_pass(InputSplit(write(tmp_path, log_of(*BATCHES)), 0, 10**6)).authors
    assert spans(found) == EXPECTED
    alice, _, unreadable = found
    assert (alice.author, alice.value_bytes) == (ALICE, sum(map(len, BATCHES[0][:2])))
    assert unreadable.author.fault
    assert unreadable.author.as_json()["principal"] is None


@given(st.lists(st.lists(st.sampled_from([None, ALICE, BOB]), min_size=1, max_size=80), min_size=1, max_size=60))
def test_columns_and_single_batches_have_the_same_authors(authors):
    """A run that is read by columns has other authors than its batches one by one."""
    batches = [[changed(author, config(n))[0] for n, author in enumerate(each)] for each in authors]
    data = log_of(*batches)
    with tempfile.TemporaryDirectory() as name:
        split = InputSplit(write(Path(name), data), 0, len(data))
        by_columns = first_pass(split).authors
        expected = [author.principal for each in authors for author in each if author is not None]
        assert [row.principal for row in by_columns] == expected
        single = []
        original = passes.read
        try:
            passes.read = lambda split, summary: _singly(original, split, summary)
            single = first_pass(split).authors
        finally:
            passes.read = original
        assert single == by_columns


def _singly(read, split, summary):
    for found in read(split, summary):
        if not isinstance(found, Frames):
            yield found
            continue
        for index in range(len(found.run)):
            one = ScannedRange(int(found.run.positions[index]), int(found.run.sizes[index]), found.run.batch(index))
            one.open()
            yield one


def test_what_one_author_claims_beyond_the_batch_is_not_its_own(tmp_path):
    """A number of records from the log is believed."""
    field = uvarint(2**31) + encode_author(ALICE)
    claims = m.encode_record(config(1, unknown_tags=((AUTHOR_TAG, field),)), 0)
    rest = changed(None, config(2))
    found = first_pass(InputSplit(write(tmp_path, log_of([claims, *rest], rest)), 0, 10**6)).authors
    assert spans(found) == [(1, 2, "User:alice")]
    authors = Authors(found)
    path = found[0].file
    assert [authors.of(path, offset) for offset in range(5)] == [None, ALICE, ALICE, None, None]
    assert authors.of("another", 1) is None


def loaded(directory, as_of=AsOf()):  # noqa: B008 - it is frozen
    engine = LocalEngine(KraftReplay(b"salt"))
    engine.load([str(directory)], as_of)
    return engine


def test_growth_is_also_by_author(tmp_path):
    """Bytes are not counted, or for the principal that a record is about."""
    write(tmp_path, log_of(*BATCHES))
    engine = loaded(tmp_path)
    growth = read_growth(engine)
    sizes = [sum(map(len, each)) for each in (BATCHES[0][:2], BATCHES[0][3:], BATCHES[2])]
    found = {row["principal"]: (row["recordCount"], row["bytes"]) for row in growth.as_json()["byAuthor"]}
    assert found == {"User:alice": (2, sizes[0]), "User:bob": (1, sizes[1]), None: (1, sizes[2])}
    text = "\n".join(growth_lines(growth))
    assert "author" in text
    assert "User:alice" in text
    assert "(unreadable)" in text
    assert "record-unknown-tag" not in judge(engine, all_rules()).totals
    engine.close()
    engine = loaded(tmp_path, AsOf(offset=4))
    assert [row["principal"] for row in read_growth(engine).by_author] == ["User:alice"]
    engine.close()


def counted(engine: LocalEngine) -> dict[str | None, tuple[int, int]]:
    """Records and bytes by author."""
    return {row["principal"]: (row["recordCount"], row["bytes"]) for row in read_growth(engine).as_json()["byAuthor"]}


def test_a_request_that_a_limit_divides_is_counted_in_part(tmp_path):
    """Records after the limit are counted."""
    alike = [m.encode_record(config(number), 0) for number in (1, 2)]
    values = changed(ALICE, config(1), config(2))
    write(tmp_path, log_of(values))
    engine = loaded(tmp_path, AsOf(offset=2))
    assert counted(engine) == {"User:alice": (1, (len(values[0]) + len(alike[1])) // 2)}
    engine.close()


def test_an_author_in_two_segments_that_overlap_is_counted_once(tmp_path):
    """A request counts once for each segment that has it."""
    write(tmp_path, log_of(*BATCHES))
    engine = loaded(tmp_path)
    expected = counted(engine)
    engine.close()
    overlapping = encode_batch(BATCHES[0], base_offset=1, epoch=1, timestamp_ms=START_MS + 1)
    (tmp_path / segment_file_name(1)).write_bytes(overlapping)
    engine = loaded(tmp_path)
    assert counted(engine) == expected
    engine.close()


def test_a_history_has_authors(tmp_path):
    """A record's author is missing, or another record's."""
    write(tmp_path, log_of(*BATCHES))
    steps = list(history([str(tmp_path)], "config", "topic:orders", AsOf()))
    found = [step.author and step.author.principal for step in steps]
    assert found == ["User:alice", "User:alice", None, "User:bob", None, ""]
    assert "  by User:alice" in next(iter(step_lines(steps[0])))
    assert "  by unreadable author: " in next(iter(step_lines(steps[5])))
    assert json.loads(json.dumps(steps[0].as_json()["author"])) == {
        "principal": "User:alice",
        "clientId": "admin",
        "requestId": (b"r" * 16).hex(),
        "correlationId": 3,
        "fault": None,
    }
    assert steps[2].as_json()["author"] is None
