"""What the audit of a run takes for a complaint."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.kafka_faults.audited import LOG, audited, unexpected

GOLDEN = Path(__file__).parent.parent / "golden" / "kafka-4.3.0"
IN_THE_FIRST_BATCH = 100
"""A byte that its checksum covers."""


def test_only_what_is_done_on_purpose_is_expected() -> None:
    single = {"rule": "min-isr-impossible", "severity": "warning", "message": "topic alone has 1 replicas, ..."}
    other = {**single, "message": "topic plain has 1 replicas, ..."}
    offline = {"rule": "partition-offline", "severity": "error", "message": "plain-0 has no leader"}
    hint = {"rule": "leader-balance", "severity": "info", "message": "broker 1 leads more"}
    assert unexpected([single, hint]) == []
    assert len(unexpected([single, other, offline])) == 2


def test_a_corrupt_log_is_a_complaint(tmp_path: Path) -> None:
    """The command runs, on copies, and what it finds comes back."""
    node = tmp_path / "kafka-1"
    log = node / "data" / LOG
    log.mkdir(parents=True)
    for name in ("00000000000000000000.log", "quorum-state", "leader-epoch-checkpoint"):
        shutil.copy(GOLDEN / name, log)
    shutil.copy(GOLDEN / "meta.properties", log.parent)
    before = audited([node], tmp_path / "copies")
    segment = log / "00000000000000000000.log"
    corrupt = bytearray(segment.read_bytes())
    corrupt[IN_THE_FIRST_BATCH] ^= 0xFF
    segment.write_bytes(corrupt)
    after = audited([node], tmp_path / "copies")
    assert any(line.startswith("audit: batch-checksum") for line in after), after
    assert not any("batch-checksum" in line for line in before), before
