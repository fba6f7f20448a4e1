"""What the auditor's commands have in common in these tests."""

from __future__ import annotations

import pytest

from kraftpy.cli import waiting

NEVER_S = 3_600.0


@pytest.fixture(autouse=True)
def no_command_names_its_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine any command may take longer than it may be silent."""
    monkeypatch.setattr(waiting, "SILENT_S", NEVER_S)
