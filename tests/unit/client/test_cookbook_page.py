"""``docs/cookbook.md`` has every kind of change and of event, and a recipe for each that is still written."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from kraftpy.client import MetadataChange, MetadataSlice, WatchEvent
from kraftpy.transport.grpc.services.watch_changes import SLICES
from tests.unit.client.documented import ROOT, imports, recipes

PAGE = ROOT / "docs" / "cookbook.md"
ROW = re.compile(r"^\| (\w+) \| `(\w+)` \| (.+) \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text(encoding="utf-8"))
ONLY_READ = {"FenceBrokerRecord", "UnfenceBrokerRecord", "ZkMigrationStateRecord"}
"""What no recipe can cause: these are in old logs of Kafka."""


def test_every_change_has_a_row_below_its_slice() -> None:
    """The slices are those by which a node sends changes."""
    assert {(record, slice_) for slice_, record, _ in ROWS} == {
        (record.__name__, name.upper()) for record, name in SLICES.items()
    }
    assert len(ROWS) == len(get_args(MetadataChange))
    assert {slice_ for slice_, _, _ in ROWS} == set(MetadataSlice.__members__)
    assert {record for _, record, meaning in ROWS if "old logs" in meaning or "ZooKeeper" in meaning} == ONLY_READ


def test_every_change_and_every_event_is_in_a_recipe() -> None:
    used = {name for program, _ in recipes(PAGE).values() for _, name in imports(program)}
    assert {one.__name__ for one in get_args(MetadataChange)} - used == ONLY_READ
    assert {one.__name__ for one in get_args(WatchEvent)} <= used
    assert "Uuid" in used


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("```python\na\n```\n## One\n```python\nb\n```\n", "One on .* has .'python'., not a program and its output"),
        ("```text\na\n```\n", "begins with a block of text"),
    ],
)
def test_a_recipe_without_its_output_is_found(tmp_path, text: str, fault: str) -> None:
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=fault):
        recipes(tmp_path / "page.md")
