"""The fleet of ``bench audit`` by total bytes: each cluster has files of its own, and no rule finds them broken."""

from __future__ import annotations

import pytest

from bench import audit_data
from bench.audit_data import LogTemplate, files_below, write_large_fleet
from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.reading.first_pass import first_pass
from kraftpy.audit.reading.splits import InputSplit

RECORDS = 400


def test_a_log_made_of_a_template_is_valid_and_of_that_cluster_alone():
    """Bytes of a record that are no uuid change, a checksum does not match, or two clusters have one log."""
    template = LogTemplate(RECORDS, 20)
    logs = [template.of(cluster) for cluster in (1, 2, 2**32 - 1)]
    assert len(set(logs)) == 3
    tag = (2).to_bytes(4, "big")
    assert logs[1] == b"".join(audit_data._log_batches(RECORDS, 20, tag))


def test_a_fleet_has_the_bytes_asked_for_and_is_read_without_a_problem(tmp_path, monkeypatch):
    """A fleet is smaller than it says, or clusters pass for one."""
    size = len(LogTemplate(RECORDS, RECORDS // audit_data.PARTITION_EVERY))
    assert write_large_fleet(tmp_path, 7 * size, RECORDS) == 3 * 3 * RECORDS
    assert sum(file.stat().st_size for file in files_below(tmp_path)) == 9 * size
    files = [file for file in discover([str(tmp_path)]) if file.has_batches]
    assert len({file.cluster for file in files}) == 3
    passes = [first_pass(InputSplit(file, 0, file.size)) for file in files]
    assert not any(each.summary.problems for each in passes)
    assert {sum(each.counts.values()) for each in passes} == {RECORDS}


def test_a_fleet_that_does_not_fit_is_not_begun(tmp_path):
    """A full disk ends the machine's other work."""
    with pytest.raises(OSError, match="are free"):
        write_large_fleet(tmp_path, 2**60, RECORDS)
    assert not list(tmp_path.iterdir())
