"""What a restore or a recovery made of a healthy quorum is healthy: an audit finds nothing in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kraftpy.cli.root import cli
from tests.audit.worlds import healthy


def run(*args: object) -> str:
    """Run a command line that ends with 0; return what it says."""
    result = CliRunner().invoke(cli, [str(arg) for arg in args], prog_name="kraftpy")
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def voter(tmp_path) -> Path:
    """The directory of one of three voters, at kraft.version 1."""
    healthy(910).write(tmp_path / "old")
    return tmp_path / "old" / "node=1"


def audit(directory: Path, *args: object) -> list[dict[str, object]]:
    """Return the states that an audit judged; that it finds nothing is checked."""
    stated = json.loads(run("audit", directory, *args, "-o", "json"))
    assert stated["findings"] == []
    return list(stated["states"])


def test_a_restored_voter_is_clean(voter, tmp_path) -> None:
    """Its LeaderChange names the one voter that the records behind it, in the same batch, leave of three."""
    run("backup", "--dir", voter, "--out", tmp_path / "one.tar")
    run("restore", tmp_path / "one.tar", "--dir", tmp_path / "new")
    (state,) = audit(tmp_path / "new")
    (before,) = audit(voter)
    assert state["endOffset"] > before["endOffset"] + 2, "a LeaderChange, and two voter sets at the least"
    for until in range(before["endOffset"], state["endOffset"]):
        # As of then, the directory's id was another one, so not all rules are asked.
        audit(tmp_path / "new", "--as-of", until, "--rules", "election-voters")


def test_a_recovered_voter_is_clean(voter, tmp_path) -> None:
    """As of a restore, with another directory id."""
    plan = tmp_path / "plan.json"
    digest = json.loads(run("recover", "plan", "--dirs", voter, "--out", plan, "-o", "json"))["digest"]
    run("recover", "apply", plan, "--digest", digest)
    audit(voter)
