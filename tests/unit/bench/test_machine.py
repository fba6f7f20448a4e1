"""The description of the machine that every result carries."""

from __future__ import annotations

from bench import machine


def test_the_disk_is_described_by_its_fsyncs(tmp_path, monkeypatch):
    """A latency is compared with that of another disk, and nothing says so."""
    monkeypatch.setattr(machine, "SYNCS", 20)
    described = machine.describe(tmp_path)
    profile = described["fsync"]
    assert profile["count"] == 20
    assert 0 < profile["p50_ms"] <= profile["p99_ms"] <= profile["max_ms"]
    assert list(tmp_path.iterdir()) == []
