"""Spark's snapshot is that of one process, byte for byte, however shards are spread; so are its refusals."""

from __future__ import annotations

import pytest

from kraftpy.audit.compaction.run import compact
from kraftpy.audit.compaction.target import CompactionError


@pytest.fixture
def spread(monkeypatch):
    """Cut files and shards small, so that several tasks take part."""
    monkeypatch.setattr("kraftpy.audit.engines.spark.CELL_BYTES", 3000)
    monkeypatch.setattr("kraftpy.audit.engines.spark.BUCKET_BYTES", 900)


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
