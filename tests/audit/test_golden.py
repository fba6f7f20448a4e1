"""A real Kafka's files: the log's replay equals its snapshot."""

from __future__ import annotations

from pathlib import Path

from tests.audit.logs import replayed

FILES = Path(__file__).parent.parent / "golden" / "kafka-4.3.0"
DATA = {
    ("kafka", "1", path.name): path.read_bytes() for path in FILES.iterdir() if path.suffix in {".log", ".checkpoint"}
}
DATA.pop(("kafka", "1", "bootstrap.checkpoint"))


def test_replay_of_kafkas_log_equals_its_snapshot() -> None:
    """Replaying Kafka's log does not give what Kafka's own snapshot says."""
    tables = replayed(DATA)
    assert tables["snapshot_differences"] == []
    assert tables["record_problems"] == []
    assert [row[4] for row in tables["topics"]] == ["orders"]
